// The badge that counts answers; a press on it shows them one by one; what is possible, and why there is none.
import { about, ask, askAll, drop } from "./ask.js";
import { light, paint, show, view } from "./board.js";
import { button, field, fold, h, toggle } from "./dom.js";
import { iconButton } from "./icons.js";
import { editBoard, kind, state } from "./state.js";
import { patiently, reasons } from "./talk.js";
import { waiting } from "./tools.js";

const MOST_COUNTED = 10; // answers for each candidate
const PAGE = 50; // answers that are kept, near the one that is shown
let page = { from: 0, list: [] };
let goal = -1; // the answer that was asked for last
let loading = -1; // the first answer of the page that is on its way
let total = null; // how many there are, if that is known
let at = -1; // the number of the answer that is shown, from 0; -1: what is possible
let panel = null;
let pill = null;
let box = null;
let last = null; // the last `state` record
let known = null; // the last one that says what is possible
let conflict = null;
let removals = [];
let summed = "";
let entriesToo = false;

/** Returns a badge that always says how many answers the board has, and shows them when it is pressed. */
export function verdict() {
  const badge = button("…", unfold, { class: "badge pill", "aria-expanded": "false", id: "badge" });
  pill = h("div", { class: "verdict" }, h("span", { role: "status" }, badge), h("span", { class: "grade" }));
  box = h("div", { class: "conflict" });
  panel = { count: h("span", { class: "count", "aria-live": "polite" }), shown: null, browse: h("div", { class: "browse", hidden: true }) };
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
/** Forgets what was said of another board, and the answer that is shown. */
function forget(words = "") {
  ["state", "possible", "answers", "grade"].forEach(drop);
  page = { from: 0, list: [] };
  [total, at, loading] = [null, -1, -1];
  summed = words;
  view.values = null;
  if (panel) panel.count.textContent = "";
  panel?.shown?.setAttribute("aria-checked", "false");
  if (view.still && watching()) show(state.info.svg);
}
/** Says that there is nothing to answer, such as that what is set is no board; and why. */
export function unsettled(words, why = "") {
  forget(words);
  [last, known, conflict, removals] = [null, null, why && { words: why, rules: [], done: "" }, []];
  tell();
}

/** Asks anew how many answers there are, where that is shown. */
export async function refresh() {
  forget();
  if (!watching() || !state.info) return;
  /** @type {any} */
  let error = null;
  let told = false;
  const take = (record) => {
    if (record.kind === "state") {
      [last, known, conflict, removals, told] = [record, record.answers ? known : null, null, [], true];
      tell();
    } else if (record.kind === "conflict") {
      conflict = record;
      tell();
    } else if (record.kind === "removal") {
      removals.push(record);
      tell();
    } else {
      error = record;
    }
  };
  const question = about({ ask: "state", limit: 0, ...entries() }); // how many there are comes first
  const end = await patiently(pill ?? document.body, ask(question, take));
  if (!end) return;
  if (!told) {
    const inRules = error?.file && error.file !== "board" && "An error in the rules";
    unsettled(end.late ? "Out of time" : inRules || error?.words, end.late && error?.words);
    return;
  }
  if (conflict) {
    conflict.done = end.late ? "There was no time to try all clues." : "No single clue would help if it went.";
    tell();
  }
  possible();
  if (last?.answers === 1) {
    await grade();
  }
}
/** Asks what is possible in each cell, if that is shown: of as many cells as there is time for. */
async function possible() {
  if (!state.live || !last?.answers) return;
  for (const limit of [1, MOST_COUNTED]) { // to count takes longer
    const found = await patiently(pill, askAll(about({ ask: "state", limit, ...entries() }), "possible"));
    if (!found?.record) return;
    known = { ...found.record, counts: limit > 1 && !found.end.late ? found.record.counts : null };
    tell();
    if (found.end.late) return;
  }
}
/** Says how hard the board is, if it has one answer. */
async function grade() {
  const { record } = (await askAll(about({ ask: "grade", entries: "" }))) ?? {};
  if (record && pill && watching()) {
    pill.lastChild.textContent = record.label || record.words;
    pill.lastChild.title = record.words;
  }
}

/** Shows what is known of the answers, on the board and beside it. */
function tell() {
  if (!watching() || view.still) return;
  if (pill) {
    const words = ["No answer", "One answer", "More than one answer"][last?.answers];
    const badge = pill.querySelector(".badge");
    badge.textContent = words ?? (summed || "…");
    badge.className = `badge pill ${["none", "one", "many"][last?.answers ?? 0]}`;
    pill.lastChild.textContent = last?.answers === 1 ? pill.lastChild.textContent : "";
    box.replaceChildren(...why());
  }
  const live = (state.live && known) || {};
  if (at < 0) {
    const seen = { entries: state.mode === "rules", values: null }; // rules are broken by what is filled in
    Object.assign(view, { ...seen, possible: live.possible, counts: live.counts });
    relight();
  }
}
/** Lights up what holds no answer, and cells that wait for a given. */
export const relight = () => (view.held ? paint() : light(lamps()));
const lamps = () => {
  const cells = (list, look) => list.flatMap((one) => one.cells.map((cell) => [cell, look]));
  const waits = waiting().map((cell) => [cell, "waits"]);
  return new Map([...waits, ...cells(conflict?.rules ?? [], "lit"), ...cells(removals, "wrong")]);
};
function why() {
  const remove = ({ key, value }) =>
    editBoard((board) => {
      board[key] = value;
      value === null && delete board[key];
    });
  if (!conflict) return [];
  const words = removals.length
    ? "Without one of these, there is an answer:"
    : (conflict.done ?? "Looking for clues that would help …");
  const why_ = fold("Why", h("p", { class: "quiet" }, "These cannot hold together:"), reasons(conflict.rules, lamps()));
  return [
    h("b", {}, conflict.words ?? "No answer."),
    h("div", {}, h("p", {}, words), reasons(removals, lamps(), remove)),
    conflict.rules.length ? why_ : "",
  ];
}

// -- The mode -------------------------------------------------------------------------------------------

const inCells = () => ["numbers", "shading"].includes(kind());
/** Shows an answer; those near it are asked for, which takes no longer after thousands. */
async function go(number) {
  goal = Math.max(0, Math.min(number, (total ?? Infinity) - 1));
  const [from, list] = [goal - (goal % PAGE), []];
  if (page.list[goal - page.from] || total === 0) {
    draw(goal);
    return;
  }
  if (loading === from) {
    return; // it is shown when it comes
  }
  let words = "";
  const take = (record) => {
    if (record.kind === "error") {
      words = record.words;
    } else {
      list.push(record);
      page = { from, list };
      goal === from + list.length - 1 && draw(goal);
    }
  };
  const more = { ask: "answers", skip: from, limit: PAGE, seconds: 60, drawn: inCells() ? 0 : PAGE };
  loading = from;
  const end = await patiently(panel.count, ask(about({ ...more, ...entries() }), take));
  if (!end || !panel) return;
  loading = -1;
  total = end.complete ? end.found : total;
  if (total && goal >= total) {
    await go(total - 1);
  } else {
    draw(goal, words || (end.late ? "Out of time" : ""));
  }
}
function draw(number, words = "") {
  const record = page.list[number - page.from];
  if (record) {
    at = number;
    panel.shown?.setAttribute("aria-checked", "true");
    Object.assign(view, { possible: null, values: inCells() ? record.cells : null });
    light();
    show(inCells() ? state.info.svg : record.svg, !inCells());
  }
  const many = total ?? `${page.from + page.list.length} or more`;
  panel.count.textContent = words || (total === 0 ? "There is none" : `${at + 1} of ${many}`);
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
