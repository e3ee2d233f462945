// The badge that counts answers; a press on it shows them one by one; what is possible, and why there is none.
import { about, ask, askAll, asked, drop, latest, waits, watch } from "./ask.js";
import { light, paint, show, view } from "./board.js";
import { button, field, fold, h, toggle } from "./dom.js";
import { iconButton } from "./icons.js";
import { editBoard, kind, state } from "./state.js";
import { reasons } from "./talk.js";
import { waiting } from "./tools.js";

const MOST_COUNTED = 10; // answers for each candidate
const PAGE = 50; // answers that are kept, near the one that is shown
let goal = -1; // the answer that was asked for last
let total = null; // how many there are, if that is known
let at = -1; // the number of the answer that is shown, from 0; -1: what is possible
let panel = null;
let pill = null;
let box = null;
let entriesToo = false;

/** Returns a badge that always says how many answers the board has, and shows them when it is pressed. */
export function verdict() {
  const badge = button("…", unfold, { class: "badge pill", "aria-expanded": "false", id: "badge" });
  const names = { class: "verdict", "data-waits": "board state possible counts" };
  pill = h("div", names, h("span", { role: "status" }, badge), h("span", { class: "grade", "data-waits": "grade" }));
  box = h("div", { class: "conflict" });
  const count = { class: "count", "aria-live": "polite", "data-waits": "answers" };
  panel = { count: h("span", count), shown: null, browse: h("div", { class: "browse", hidden: true }) };
  panel.browse.append(...browser());
  tell();
  return h("div", { class: "verdicts" }, pill, panel.browse);
}
function unfold() {
  const open = panel.browse.hidden;
  panel.browse.hidden = !open;
  pill.querySelector(".badge").setAttribute("aria-expanded", open);
  if (!open) hide();
}
/** Returns the place of the reasons why there is no answer; `verdict` makes it. */
export const conflicts = () => box;
/** Returns a switch: whether what is possible is shown on the board. */
export const candidates = () =>
  toggle("Candidates", "What some answer has in each cell", state.live, (on) => {
    state.live = on;
    tell();
    possible();
  }, "candidates");
/** Returns a switch: whether an answer is shown on the board, until the board changes or the mode does. */
export const shownAnswer = () =>
  (panel.shown = toggle("Show an answer", "Off again when you leave", false, (on) => (on ? go(0) : hide()), "show-answer"));

const watching = () => Boolean(pill?.isConnected);
const entries = () => (entriesToo && panel && !panel.browse.hidden ? {} : { entries: "" });
/** Forgets the answer that is shown, which is one to another board. */
function forget() {
  [total, at] = [null, -1];
  view.values = null;
  if (panel) panel.count.textContent = "";
  panel?.shown?.setAttribute("aria-checked", "false");
  if (view.still && watching()) show(state.info.svg);
}

/** Asks anew how many answers there are, where that is shown. */
export async function refresh() {
  forget();
  if (!watching() || !state.info) return;
  const end = await ask(about({ ask: "state", limit: 0, ...entries() })); // how many there are comes first
  if (!end || !latest("state")) return;
  possible();
  if (latest("state").answers === 1) await ask(about({ ask: "grade", entries: "" }));
}
/** Asks what is possible in each cell, if that is shown: of as many cells as there is time for. */
async function possible() {
  if (!state.live || !latest("state")?.answers) return;
  for (const [slot, limit] of [["possible", 1], ["counts", MOST_COUNTED]]) { // to count takes longer
    const found = await askAll(about({ ask: "state", limit, ...entries() }), slot);
    if (!found?.record || found.end.late) return;
  }
}
watch((slot) => {
  if (!watching()) return;
  if (asked("answers").stale && at >= 0) forget();
  if (["board", "state", "possible", "counts", "grade"].includes(slot)) tell();
});
/** Returns what the badge says, and its look. */
function words() {
  const [now, error] = [latest("state"), latest("state", "error")];
  if (latest("board", "error")) return ["No board yet", "none"];
  if (now) return [["No answer", "One answer", "More than one answer"][now.answers], ["none", "one", "many"][now.answers]];
  const { end, stale, pending } = asked("state");
  if (!end || stale || pending) return [stale || waits("state") ? "Counting …" : "…", ""];
  return [end.late ? "Out of time" : error?.file && error.file !== "board" ? "An error in the rules" : (error?.words ?? "…"), "none"];
}

/** Shows what is known of the answers, on the board and beside it. */
function tell() {
  if (!watching() || view.still) return;
  const now = latest("state");
  const badge = pill.querySelector(".badge");
  const [told, look] = words();
  badge.textContent = told;
  badge.className = `badge pill ${look}`;
  const graded = now?.answers === 1 && latest("grade");
  pill.lastChild.textContent = graded ? graded.label || graded.words : "";
  pill.lastChild.title = graded ? graded.words : "";
  box.replaceChildren(...why());
  if (at < 0) {
    const counted = asked("counts").end && !asked("counts").end.late && latest("counts", "state");
    const known = (state.live && now?.answers && (counted || latest("possible", "state"))) || {};
    const seen = { entries: state.mode === "rules", values: null }; // rules are broken by what is filled in
    Object.assign(view, { ...seen, possible: known.possible, counts: counted ? known.counts : null });
    relight();
  }
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
  goal = Math.max(0, Math.min(number, (total ?? Infinity) - 1));
  const skip = goal - (goal % PAGE);
  if (answer(goal) || total === 0) {
    draw(goal);
    return;
  }
  const { pending, question } = asked("answers");
  if (pending && question.skip === skip) return; // it is shown when it comes
  let wrong = "";
  const take = (record) => {
    if (record.kind === "error") wrong = record.words;
    else record.number === goal + 1 && draw(goal);
  };
  const more = { ask: "answers", skip, limit: PAGE, seconds: 60, drawn: inCells() ? 0 : PAGE };
  const end = await ask(about({ ...more, ...entries() }), take);
  if (!end || !panel) return;
  total = end.complete ? end.found : total;
  if (total && goal >= total) {
    await go(total - 1);
  } else {
    draw(goal, wrong || (end.late ? "Out of time" : ""));
  }
}
function draw(number, told = "") {
  const record = answer(number);
  if (record) {
    at = number;
    panel.shown?.setAttribute("aria-checked", "true");
    Object.assign(view, { possible: null, values: inCells() ? record.cells : null });
    light();
    show(inCells() ? state.info.svg : record.svg, !inCells());
  }
  const many = total ?? `${asked("answers").records.at(-1)?.number ?? 0} or more`;
  panel.count.textContent = told || (total === 0 ? "There is none" : `${at + 1} of ${many}`);
}
function hide() {
  if (at < 0) return;
  at = -1;
  view.values = null;
  panel.count.textContent = "";
  panel.shown?.setAttribute("aria-checked", "false");
  show(state.info.svg);
  tell();
}
/** Returns what is under the badge: the answers one by one. */
function browser() {
  const both = (on) => {
    entriesToo = on;
    drop("state", "answers");
    refresh();
  };
  const jump = ({ target }) => {
    target.value && go(Number(target.value) - 1);
    target.value = "";
  };
  const step = (name, words, to, id) => iconButton(name, words, () => go(to()), { class: "btn square", id });
  return [
    h(
      "div",
      { class: "row", role: "group", "aria-label": "Answers" },
      step("left", "Previous answer", () => at - 1, "previous"),
      panel.count,
      step("right", "Next answer", () => at + 1, "next"),
    ),
    field("Go to", h("input", { type: "number", min: 1, id: "jump", onchange: jump })),
    toggle("From what is filled in", "", entriesToo, both),
  ];
}
/** Asks anew if answers start from what is filled in, which has changed. */
export function refill() {
  if (entriesToo && panel && !panel.browse.hidden) refresh();
}
/** Forgets the badge, and the answer that is shown. */
export function dismiss() {
  forget();
  [panel, pill, box] = [null, null, null];
}
