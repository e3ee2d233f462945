// Print: boards on sheets of A4, their rules in words, their answers on a last one, upside down.
import { about, askAll } from "./ask.js";
import { sketch } from "./board.js";
import { button, drawing, h, named, segments, toggle } from "./dom.js";
import { labelled } from "./icons.js";
import { go } from "./shell.js";
import { state } from "./state.js";

const NUMBERS = [1, 2, 4, 6];
const wanted = { many: 1, rules: true, own: false, answers: false };
let boards = []; // [{board, doc, info, answer}]: `info` is the record of the board, `answer` its drawing
let panel = {};

/** Opens the page for boards: [{board, doc}]; `doc`, with what was done on one, may be left out. */
export function print(list) {
  boards = list;
  wanted.many = NUMBERS.find((many) => many >= list.length) ?? 6;
  go("print");
}
const question = ({ board, doc }, more) => about({ ...more, entries: "" }, { ...doc, board });
const first = async (asked, slot) => (await askAll(asked, slot))?.record;
/** Asks for the boards, and for their answers if these are printed; draws the sheets when they have come. */
async function load() {
  for (const [i, one] of boards.entries()) {
    one.info ??= await first(question(one, { ask: "board" }), `print ${i}`);
    if (wanted.answers && one.answer === undefined) {
      one.answer = (await first(question(one, { ask: "answers", limit: 1 }), `print ${i}`))?.svg ?? null;
    }
  }
  if (panel.sheets) draw();
}
/** Returns a drawing of the server; `doc` is what is written on it. */
function figure(text, doc = null) {
  const svg = drawing(text);
  ["width", "height"].forEach((name) => svg.removeAttribute(name));
  doc && sketch(svg, doc);
  return svg;
}
function sheet(some, number, answers = false) {
  const rules = wanted.rules && !answers ? new Set(some.map(({ info }) => info.instructions)) : new Set();
  const shared = some.length > 1 && rules.size === 1;
  const one = ({ info, doc, answer }) =>
    h(
      "section",
      {},
      h("h2", {}, info.title || named(info.board.puzzle)),
      answers ? "" : h("p", { class: "blanks" }, named(info.board.puzzle), " · Name ", h("i", {}), " Time ", h("i", {})),
      rules.size && !shared ? h("p", {}, info.instructions) : "",
      figure(answers ? answer : info.svg, wanted.own && !answers ? doc : null),
    );
  const many = answers ? Math.max(4, wanted.many) : wanted.many;
  const content = [answers ? h("h2", { class: "last" }, "Answers") : "", shared ? h("p", {}, ...rules) : "", h("div", {}, some.map(one))];
  return h("article", { class: `a4 of${many} ${answers ? "turned-over" : ""}` }, content, h("footer", {}, "pyasp studio", h("span", {}, number)));
}
function draw() {
  const ready = boards.filter(({ info }) => info);
  const parts = (list, many) => Array.from({ length: Math.ceil(list.length / many) }, (_, i) => list.slice(i * many, (i + 1) * many));
  const plain = parts(ready, wanted.many).map((some, i) => sheet(some, i + 1));
  const known = wanted.answers ? ready.filter(({ answer }) => answer) : [];
  const last = parts(known, Math.max(4, wanted.many)).map((some, i) => sheet(some, plain.length + i + 1, true));
  panel.sheets.replaceChildren(...plain, ...last);
}

export const printing = {
  words: "Print",
  page: true,
  enter({ page }) {
    if (!boards.length && state.doc.board) boards = [{ board: state.doc.board, doc: state.doc }];
    const many = (number) => {
      wanted.many = Number(number);
      draw();
    };
    const set = (name) => (on) => {
      wanted[name] = on;
      load();
    };
    panel = { sheets: h("div", { class: "sheets", "aria-label": "Sheets", role: "group" }) };
    page.append(
      h(
        "div",
        { class: "printing" },
        h(
          "div",
          { class: "col" },
          h("h2", { class: "big" }, "Print"),
          h("div", {}, h("h3", {}, "Boards to a page"), segments(NUMBERS.map(String), String(wanted.many), many)),
          toggle("Rules in words", "", wanted.rules, set("rules")),
          toggle("What I wrote", "", wanted.own, set("own")),
          toggle("Answers", "On a last page, upside down", wanted.answers, set("answers")),
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
    boards = [];
  },
};
