// Print: boards on sheets of A4, their rules in words, their answers on a last one, upside down.
import { about, ask } from "./ask.js";
import { button, h, named, segments, toggle } from "./dom.js";
import { labelled } from "./icons.js";
import { go } from "./shell.js";
import { state } from "./state.js";
import { figure } from "./thumbnails.js";

const NUMBERS = [1, 2, 4, 6];
// `boards`: [{board, doc, info, answer}]: `info` is the record of the board, `answer` that of its answer
const now = { many: 1, rules: true, own: false, answers: false, boards: [] };
let panel = {};

/** Opens the page for boards: [{board, doc}]; `doc`, with what was done on one, may be left out. */
export function print(list) {
  now.boards = list;
  now.many = NUMBERS.find((many) => many >= list.length) ?? 6;
  go("print");
}
const question = ({ board, doc }, more) => about({ ...more, entries: "" }, { ...doc, board });
/** Asks for the boards, and for their answers if these are printed, one by one; draws the sheets when they have come. */
async function load() {
  const lacks = (name) => (one) => one[name] === undefined;
  const [one, name, more] = [
    [now.boards.find(lacks("info")), "info", { ask: "board" }],
    [now.answers && now.boards.find(lacks("answer")), "answer", { ask: "answers", limit: 1 }],
  ].find(([some]) => some) ?? [];
  if (!one) return draw();
  one[name] = (await ask("print", question(one, more))).record ?? null;
  return load();
}
function sheet(some, number, answers = false) {
  const rules = now.rules && !answers ? new Set(some.map(({ info }) => info.instructions)) : new Set();
  const shared = some.length > 1 && rules.size === 1;
  const one = ({ info, doc, answer }) =>
    h("section", {},
      h("h2", {}, info.title || named(info.board.puzzle)),
      answers ? "" : h("p", { class: "blanks" }, named(info.board.puzzle), " · Name ", h("i", {}), " Time ", h("i", {})),
      rules.size && !shared ? h("p", {}, info.instructions) : "",
      figure(answers ? answer.svg : info.svg, now.own && !answers ? doc : null),
    );
  const many = answers ? Math.max(4, now.many) : now.many;
  const content = [answers ? h("h2", { class: "last" }, "Answers") : "", shared ? h("p", {}, ...rules) : "", h("div", {}, some.map(one))];
  return h("article", { class: `a4 of${many} ${answers ? "turned-over" : ""}` }, content, h("footer", {}, "pyasp studio", h("span", {}, number)));
}
function draw() {
  const ready = now.boards.filter(({ info }) => info);
  const parts = (list, many) => Array.from({ length: Math.ceil(list.length / many) }, (_, i) => list.slice(i * many, (i + 1) * many));
  const plain = parts(ready, now.many).map((some, i) => sheet(some, i + 1));
  const known = now.answers ? ready.filter(({ answer }) => answer) : [];
  const last = parts(known, Math.max(4, now.many)).map((some, i) => sheet(some, plain.length + i + 1, true));
  panel.sheets.replaceChildren(...plain, ...last);
}

export const printing = {
  words: "Print",
  page: true,
  enter({ page }) {
    if (!now.boards.length && state.doc.board) now.boards = [{ board: state.doc.board, doc: state.doc }];
    const many = (number) => {
      now.many = Number(number);
      draw();
    };
    const set = (name) => (on) => {
      now[name] = on;
      load();
    };
    panel = { sheets: h("div", { class: "sheets", "aria-label": "Sheets", role: "group" }) };
    page.append(
      h("div", { class: "printing" },
        h("div", { class: "col" },
          h("h2", { class: "big" }, "Print"),
          h("div", {}, h("h3", {}, "Boards to a page"), segments(NUMBERS.map(String), String(now.many), many)),
          toggle("Rules in words", "", now.rules, set("rules")),
          toggle("What I wrote", "", now.own, set("own")),
          toggle("Answers", "On a last page, upside down", now.answers, set("answers")),
          labelled("print", "Print", () => globalThis.print(), { class: "btn pen wide", id: "to-paper" }),
          state.info ? button("Back to the board", () => go("play"), { class: "btn bare" }) : "",
        ),
        panel.sheets,
      ),
    );
    load();
  },
  leave() {
    panel = {};
    now.boards = [];
  },
};
