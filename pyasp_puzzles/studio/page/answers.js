// The badge that counts answers; a press on it shows them one by one; what is possible, and why there is none.
import { about, answered, ask, asked, drop, follows, latest, waits, watch } from "./ask.js";
import { light, paint, show, view } from "./board.js";
import { button, field, fold, h, toggle } from "./dom.js";
import { iconButton } from "./icons.js";
import { change, editBoard, kind, state } from "./state.js";
import { reasons } from "./talk.js";
import { waiting } from "./tools.js";

const MOST_COUNTED = 10; // answers for each candidate
const PAGE = 50; // answers that are kept, near the one that is shown
const NONE = { goal: -1, total: null, at: -1, told: "" };
// `goal`: the number of the answer that was asked for last, from 0; `at`: of the one that is shown, -1: what is possible;
// `total`: how many there are, if that is known; `told`: why there is none to show; `open`: whether they are browsed;
// `filled`: from what is filled in
const now = { ...NONE, open: false, filled: false };

/** Returns a badge that always says how many answers the board has, and shows them when it is pressed. */
export function verdict() {
  const [told, look] = words();
  const names = { class: `badge pill ${look}`, "aria-expanded": String(now.open), id: "badge" };
  const graded = latest("state")?.answers === 1 && latest("grade");
  const grade = { class: "grade", "data-waits": "grade", title: graded ? graded.words : "" };
  return h("div", { class: "verdicts" },
    h("div", { class: "verdict", "data-waits": "board state possible counts" },
      h("span", { role: "status" }, button(told, unfold, names)),
      h("span", grade, graded ? graded.label || graded.words : ""),
    ),
    h("div", { class: "browse", hidden: !now.open }, browser()),
  );
}
function unfold() {
  change(now, { open: !now.open });
  if (!now.open) hide();
}
/** Returns the reasons why there is no answer. */
export const conflicts = () => h("div", { class: "conflict" }, why());
/** Returns a switch: whether what is possible is shown on the board. */
export const candidates = () =>
  toggle("Candidates", "What some answer has in each cell", state.live, (on) => change(state, { live: on }), "candidates");
/** Returns a switch: whether an answer is shown on the board, until the board changes or the mode does. */
export const shownAnswer = () =>
  toggle("Show an answer", "Off again when you leave", now.at >= 0, (on) => (on ? go(0) : hide()), "show-answer");

/** Returns a question about the board, or about what is filled in, too. */
const counting = (more) => about({ ...more, ...(now.filled && now.open ? {} : { entries: "" }) });
/** Forgets the answer that is shown, which is one to another board. */
function forget() {
  Object.assign(now, NONE);
  drop("answers");
  view.values = null;
  if (view.still && follows("possible")) show(state.info.svg);
}

const answers = () => answered("state") && latest("state")?.answers;
const isWhole = (slot) => answered(slot) && latest(slot, "state") && !asked(slot).end.late;
/** How many answers there are comes first; then their grade, and what is possible in each cell: to count takes longer. */
export const questions = {
  state: { wanted: () => counting({ ask: "state", limit: 0 }) },
  possible: { wanted: () => state.live && answers() && counting({ ask: "state", limit: 1 }) },
  counts: { wanted: () => state.live && answers() && isWhole("possible") && counting({ ask: "state", limit: MOST_COUNTED }) },
  grade: { wanted: () => answers() === 1 && about({ ask: "grade", entries: "" }) },
};
watch(() => {
  if (asked("answers").stale) forget();
  tell();
});
/** Returns what the badge says, and its look. */
function words() {
  const [many, error] = [latest("state")?.answers, latest("state", "error")];
  if (latest("board", "error")) return ["No board yet", "none"];
  if (many !== undefined) return [["No answer", "One answer", "More than one answer"][many], ["none", "one", "many"][many]];
  const { end, stale, pending } = asked("state");
  if (!end || stale || pending) return [stale || waits("state") ? "Counting …" : "…", ""];
  return [end.late ? "Out of time" : error?.file && error.file !== "board" ? "An error in the rules" : (error?.words ?? "…"), "none"];
}

/** Shows on the board what is known of the answers. */
function tell() {
  if (!follows("possible") || view.still || now.at >= 0) return;
  const counted = asked("counts").end && !asked("counts").end.late && latest("counts", "state");
  const known = (state.live && latest("state")?.answers && (counted || latest("possible", "state"))) || {};
  const seen = { entries: state.mode === "rules", values: null }; // rules are broken by what is filled in
  Object.assign(view, { ...seen, possible: known.possible, counts: counted ? known.counts : null });
  relight();
}
/** Lights up what holds no answer, and cells that wait for a given. */
export const relight = () => (view.held ? paint() : light(lamps()));
/** Returns why there is no answer: what cannot hold together, and the clues without which there is one. */
function troubles() {
  const conflict = latest("state", "conflict");
  return { conflict, removals: conflict ? asked("state").records.filter((one) => one.kind === "removal") : [] };
}
const lamps = () => {
  const cells = (list, look) => list.flatMap((one) => one.cells.map((cell) => [cell, look]));
  const { conflict, removals } = troubles();
  const waits_ = waiting().map((cell) => [cell, "waits"]);
  return new Map([...waits_, ...cells(conflict?.rules ?? [], "lit"), ...cells(removals, "wrong")]);
};
function why() {
  const remove = ({ key, value }) =>
    editBoard((board) => {
      board[key] = value;
      value === null && delete board[key];
    });
  const { conflict, removals } = troubles();
  const { end } = asked("state");
  const late = !latest("state") && end?.late && latest("state", "error"); // the rule that takes too long
  if (!conflict) return late ? [h("b", {}, late.words)] : [];
  const done = !end ? "Looking for clues that would help …" : end.late ? "There was no time to try all clues." : "No single clue would help if it went.";
  const why_ = fold("Why", h("p", { class: "quiet" }, "These cannot hold together:"), reasons(conflict.rules, lamps()));
  return [
    h("b", {}, conflict.words),
    h("div", {}, h("p", {}, removals.length ? "Without one of these, there is an answer:" : done), reasons(removals, lamps(), remove)),
    conflict.rules.length ? why_ : "",
  ];
}

// -- The mode -------------------------------------------------------------------------------------------

const inCells = () => ["numbers", "shading"].includes(kind());
const answer = (number) => asked("answers").records.find((one) => one.number === number + 1);
/** Shows an answer; those near it are asked for, which takes no longer after thousands. */
async function go(number) {
  now.goal = Math.max(0, Math.min(number, (now.total ?? Infinity) - 1));
  if (answer(now.goal) || now.total === 0) return draw();
  const more = { ask: "answers", skip: now.goal - (now.goal % PAGE), limit: PAGE, seconds: 60, drawn: inCells() ? 0 : PAGE };
  const { end, error } = await ask("answers", () => counting(more), (record) => record.number === now.goal + 1 && draw());
  now.total = end.complete ? end.found : now.total;
  return now.total && now.goal >= now.total ? go(now.total - 1) : draw(error?.words ?? (end.late ? "Out of time" : ""));
}
function draw(told = "") {
  const record = answer(now.goal);
  if (record) {
    Object.assign(view, { possible: null, values: inCells() ? record.cells : null });
    light();
    show(inCells() ? state.info.svg : record.svg, !inCells());
  }
  change(now, { told, at: record ? now.goal : now.at });
}
/** Says which of how many answers is shown. */
function counted() {
  const many = now.total ?? `${asked("answers").records.at(-1)?.number ?? 0} or more`;
  return now.told || (now.total === 0 ? "There is none" : now.at < 0 ? "" : `${now.at + 1} of ${many}`);
}
function hide() {
  if (now.at < 0) return;
  view.values = null;
  change(now, { at: -1, told: "" });
  show(state.info.svg);
  tell();
}
/** Returns what is under the badge: the answers one by one. */
function browser() {
  const jump = ({ target }) => {
    target.value && go(Number(target.value) - 1);
    target.value = "";
  };
  const step = (name, words, to, id) => iconButton(name, words, () => go(to()), { class: "btn square", id });
  return [
    h("div", { class: "row", role: "group", "aria-label": "Answers" },
      step("left", "Previous answer", () => now.at - 1, "previous"),
      h("span", { class: "count", "aria-live": "polite", "data-waits": "answers" }, counted()),
      step("right", "Next answer", () => now.at + 1, "next"),
    ),
    field("Go to", h("input", { type: "number", min: 1, id: "jump", onchange: jump })),
    toggle("From what is filled in", "", now.filled, (on) => change(now, { filled: on })),
  ];
}
/** Forgets the answer that is shown; the answers are folded. */
export function dismiss() {
  forget();
  now.open = false;
}
