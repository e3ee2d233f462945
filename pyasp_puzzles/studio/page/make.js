// Make: new boards by the rules as they are, fewer clues, the clue that is missing, the grade.
import { conflicts, relight, verdict } from "./answers.js";
import { about, ask, drop } from "./ask.js";
import { light, paint, view } from "./board.js";
import { button, choice, field, h, inWords, tick } from "./dom.js";
import { acts } from "./shell.js";
import { editBoard, exchange, settle, state } from "./state.js";
import { patiently, say } from "./talk.js";
import { answerKey, put } from "./tools.js";

let panel = null;
const wanted = { grade: "", seed: "", symmetric: false }; // what the form says, whichever board it is about

/** Asks for a board that takes its time; another press drops it. */
async function long(control, question, take) {
  if (control.dataset.running) {
    drop("make");
    return;
  }
  const words = control.textContent;
  /** @type {any} */
  let record = null;
  control.dataset.running = "yes";
  control.textContent = "Cancel";
  const end = await patiently(panel.made, ask(question, (one) => (record = one), "make"));
  control.textContent = words;
  delete control.dataset.running;
  if (!end) {
    say("Cancelled.");
  } else if (!record || record.kind === "error") {
    const late = "Out of time. A smaller board or another grade is faster.";
    say(record?.words ?? (end.late ? late : "No such board was found."), "bad");
  } else {
    take(record);
  }
}
/** Shows the clues that would leave one answer. */
function clues(record) {
  const list = Object.entries(record.add);
  const accept = () => {
    settle();
    list.forEach(([cell, value]) => put(answerKey(), [cell], Number(value), "add"));
    settle();
  };
  view.values = record.add;
  light(list.map(([cell]) => cell));
  paint();
  panel.made.replaceChildren(
    h("p", { class: "words" }, record.words),
    h("ul", {}, list.map(([cell, value]) => h("li", {}, `${inWords(cell)}: ${value}`))),
    list.length ? button("Put them in", accept, { class: "main", id: "accept" }) : "",
  );
}
function replaced(record) {
  editBoard((board) => {
    Object.keys(board).forEach((key) => delete board[key]);
    Object.assign(board, record.board);
  });
  say("No clue can be left out now.", "good");
}

function form() {
  const { board, rules, extra } = state.doc;
  const puzzles = (state.catalogue?.puzzles ?? []).map(({ name }) => name);
  const grades = [["", "any"], ...(state.catalogue?.grades ?? [])];
  const side = (i, label) =>
    h("input", { type: "number", min: 1, max: 30, value: state.info.size[i], "aria-label": label });
  const [height, width] = [side(0, "Rows"), side(1, "Columns")];
  const which = choice(puzzles, board.puzzle, () => {}, { id: "which" });
  const grade = choice(grades, wanted.grade, (value) => (wanted.grade = value), { id: "grade" });
  const type = (event) => (wanted.seed = event.target.value.trim());
  const any = { size: 6, inputmode: "numeric", placeholder: "any", id: "seed" };
  const seed = h("input", { ...any, value: wanted.seed, onchange: type });
  const same = () => which.value === board.puzzle;
  const question = () => ({
    ask: "make",
    puzzle: which.value,
    size: [Number(height.value), Number(width.value)],
    grade: wanted.grade || null,
    symmetric: wanted.symmetric,
    seed: wanted.seed ? Number(wanted.seed) : null,
    variants: same() ? state.info.variants : [],
    ...(same() ? {} : { rules: null, extra: null }),
  });
  const made = (record) => {
    exchange(record.board, same() ? { rules, extra } : {});
    say("A new board. Undo brings the old one back.", "good");
  };
  const start = (words, asked, take, properties) => {
    const all = () => about({ entries: "", seconds: 60, ...asked() });
    return button(words, (event) => long(event.target, all(), take), properties);
  };
  const fewer = () => ({ ask: "minimize", symmetric: wanted.symmetric });
  return [
    h("div", { class: "row" }, field("Puzzle", which), h("span", { class: "size" }, height, "×", width)),
    h("div", { class: "row" }, field("Grade", grade), field("Seed", seed)),
    tick("Symmetric clues", wanted.symmetric, (on) => (wanted.symmetric = on)),
    h(
      "div",
      { class: "buttons" },
      start("Make a board", question, made, { class: "main", id: "make" }),
      start("Leave out clues", fewer, replaced, { id: "minimize" }),
      answerKey() ? start("Add the missing clue", () => ({ ask: "add" }), clues, { id: "add" }) : "",
    ),
    h("p", { class: "quiet" }, "New boards keep to the rules in the editor, and to the variants of this board."),
  ];
}

export const make = {
  words: "Make",
  under: "set",
  enter({ right: host }) {
    panel = { form: h("div", { class: "tool" }), made: h("div", { class: "found" }) };
    host.append(acts(), verdict(), panel.form, panel.made, conflicts());
    this.ready();
  },
  changed: () => panel.made.replaceChildren(),
  catalogued: () => panel?.form.replaceChildren(...form()),
  ready() {
    Object.assign(view, { entries: false, values: null });
    relight();
    paint();
    panel.form.contains(document.activeElement) || this.catalogued();
  },
  leave() {
    drop("make");
    panel = null;
  },
};
