// Make: new boards by the rules as they are, fewer clues, the clue that is missing, the grade.
import { conflicts, verdict } from "./answers.js";
import { about, ask, drop } from "./ask.js";
import { light, paint, view } from "./board.js";
import { button, choice, field, h, inWords, place, tick } from "./dom.js";
import { cells, editBoard, open, state } from "./state.js";
import { patiently, say } from "./talk.js";
import { answerKey, put } from "./tools.js";

let panel = null;
let symmetric = false;

/** Asks for a board that takes its time; another press drops it. */
async function long(control, question, take) {
  if (control.dataset.running) {
    drop("make");
    return;
  }
  const words = control.textContent;
  control.dataset.running = "yes";
  control.textContent = "Cancel";
  let record = null;
  const end = await patiently(panel.made, ask(question, (one) => (record = one), "make"));
  control.textContent = words;
  delete control.dataset.running;
  if (!end) {
    say("Cancelled.");
  } else if (!record || record.kind === "error") {
    say(record?.words ?? (end.late ? "Out of time; a smaller board, or no grade, is faster." : "No such board was found."), "bad");
  } else {
    take(record);
  }
}
function clues(record) {
  const givens = answerKey();
  const list = Object.entries(record.add);
  const accept = () => {
    editBoard(() => {});
    list.forEach(([cell, value], i) => put(givens, [cell], Number(value), i ? "add" : "add"));
    panel.made.replaceChildren();
    light();
  };
  light(list.map(([cell]) => cell));
  Object.assign(view, { values: Object.fromEntries(list) });
  paint();
  panel.made.replaceChildren(
    h("p", { class: "words" }, record.words),
    h("ul", {}, list.map(([cell, value]) => h("li", {}, `${inWords(cell)}: ${value}`))),
    givens && list.length ? button("Put them in", accept, { class: "main", id: "accept" }) : "",
  );
}

function form() {
  const { board } = state.doc;
  const puzzles = (state.catalogue?.puzzles ?? []).map(({ name }) => name);
  const [high, wide] = [0, 1].map((i) => Math.max(1, ...cells().map((cell) => place(cell)[i])));
  const which = choice(puzzles, board.puzzle, () => {}, { id: "which" });
  const number = (value, label) => h("input", { type: "number", min: 1, max: 25, value, "aria-label": label });
  const [rows, columns, seed] = [number(high, "Rows"), number(wide, "Columns"), h("input", { size: 6, inputmode: "numeric", placeholder: "any", "aria-label": "Seed", id: "seed" })];
  const wanted = choice([["", "any"], "easy", "medium", "hard", "expert"], "", () => {}, { id: "grade" });
  const both = () => about({
    ask: "make",
    entries: "",
    puzzle: which.value,
    size: [Number(rows.value), Number(columns.value)],
    grade: wanted.value || null,
    symmetric,
    seed: seed.value.trim() ? Number(seed.value) : null,
    variants: which.value === board.puzzle ? (state.info.variants ?? []) : [],
    seconds: 60,
  });
  const made = (record) => {
    const { rules, extra } = state.doc;
    open(record.board, which.value === board.puzzle ? { rules, extra } : {});
    say("A new board. Undo brings the old one back.", "good");
  };
  const fewer = (record) => {
    editBoard((now) => {
      Object.keys(now).forEach((key) => delete now[key]);
      Object.assign(now, record.board);
    });
    say("No clue can be left out now.", "good");
  };
  return [
    h("div", { class: "row" }, field("Puzzle", which), rows, "×", columns),
    h("div", { class: "row" }, field("Grade", wanted), field("Seed", seed), tick("Symmetric clues", symmetric, (on) => (symmetric = on))),
    h(
      "div",
      { class: "buttons" },
      button("Make a board", (event) => long(event.target, both(), made), { class: "main", id: "make" }),
      button("Leave out clues", (event) => long(event.target, about({ ask: "minimize", entries: "", symmetric, seconds: 60 }), fewer), { id: "minimize" }),
      button("Add the missing clue", (event) => long(event.target, about({ ask: "add", entries: "", seconds: 30 }), clues), { id: "add" }),
    ),
    h("p", { class: "quiet" }, "New boards keep to the rules as they are in the editor, and to the variants of this board."),
  ];
}

export const make = {
  words: "Make",
  enter(host) {
    panel = { form: h("div", { class: "tool" }), made: h("div", { class: "found" }) };
    host.append(verdict(), panel.form, panel.made, conflicts());
    this.catalogued();
    this.ready();
  },
  catalogued() {
    panel?.form.replaceChildren(...form());
  },
  ready() {
    Object.assign(view, { entries: false, values: null });
    light();
    paint();
    if (!panel.form.contains(document.activeElement)) {
      this.catalogued();
    }
  },
  leave() {
    drop("make");
    panel = null;
  },
};
