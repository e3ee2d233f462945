// Answers: how many there are, what is decided and possible, each answer, and why there is none.
import { about, ask, askAll, drop } from "./ask.js";
import { light, paint, show, view } from "./board.js";
import { button, choice, field, h, tick } from "./dom.js";
import { kind, state } from "./state.js";
import { patiently, reasons } from "./talk.js";

const MOST_DRAWN = 200; // answers whose drawing is kept, of kinds that are not written into cells
let found = []; // of each answer: its values in the order of the cells, or its drawing
let at = -1;
let panel = null;
let pill = null;
let box = null;
let last = null; // the last `state` record
let conflict = null;
let summed = "";
let entriesToo = false;

/** Returns a line that always says how many answers the board has. */
export function verdict() {
  pill = h("div", { class: "verdict", "aria-live": "polite" }, h("b", { class: "pill" }, "…"), h("span", { class: "grade" }));
  box = h("div", { class: "conflict" });
  tell();
  return pill;
}
/** Returns the place of the reasons why there is no answer; `verdict` makes it. */
export const conflicts = () => box;
/** Returns a box that says whether what is possible is shown on the board while it is set. */
export const candidates = () =>
  tick("Show what is possible in each cell", state.settings.live, (on) => {
    state.settings.live = on;
    tell();
  });

const watching = () => ["set", "rules", "answers", "make"].includes(state.mode);

/** Asks anew how many answers there are, where that is shown. */
export async function refresh() {
  ["state", "answers", "grade"].forEach(drop);
  found = [];
  at = -1;
  if (!watching() || !state.info) {
    return;
  }
  let [next, why, error] = [null, null, null];
  const more = { ask: "state", limit: Number(state.settings.limit), ...(entriesToo && state.mode === "answers" ? {} : { entries: "" }) };
  const take = (record) => {
    next = record.kind === "state" ? record : next;
    why = record.kind === "conflict" ? record : why;
    error = record.kind === "error" ? record : error;
    if (record.kind === "state") {
      last = next;
      conflict = null;
      summed = "";
      tell();
    }
  };
  const end = await (pill ? patiently(pill, ask(about(more), take)) : ask(about(more), take));
  if (end) {
    last = next;
    conflict = why;
    summed = error ? (["rules", "extra"].includes(error.file) ? "An error in the rules" : error.words) : end.late && !next ? "Out of time" : "";
    tell();
    show_();
    if (next?.answers === 1 && state.mode !== "answers") {
      await grade();
    }
  }
}
/** Says that there is nothing to answer: what is set is no board. */
export function unsettled(words) {
  ["state", "answers", "grade"].forEach(drop);
  [last, conflict, summed] = [null, null, words];
  tell();
}
/** Says how hard the board is, if it has one answer. */
async function grade() {
  const found_ = await askAll(about({ ask: "grade", entries: "" }));
  const record = found_?.records.find((one) => one.kind === "grade");
  if (record && pill && watching()) {
    const score = record.score === null ? "" : ` ${Math.round(record.score * 10) / 10}`;
    pill.lastChild.textContent = record.word ? `${record.word}${score}` : record.words;
    pill.lastChild.title = record.words;
  }
}

/** Shows what is known of the answers, on the board and beside it. */
function tell() {
  if (!watching() || view.still) {
    return;
  }
  const words = last ? ["No answer", "One answer", "More than one answer"][last.answers] : summed || "…";
  const look = last ? ["none", "one", "many"][last.answers] : "none";
  if (pill) {
    pill.firstChild.textContent = words;
    pill.firstChild.className = `pill ${look}`;
    pill.lastChild.textContent = last?.answers === 1 ? pill.lastChild.textContent : "";
    box.replaceChildren(...why());
  }
  const live = last && last.answers > 0 && (state.settings.live || state.mode === "answers");
  if (at < 0) {
    Object.assign(view, { values: null, possible: live ? last.possible : null, counts: live ? last.counts : null, entries: false });
    light(blocked());
    paint();
  }
}
const blocked = () => {
  const marks = new Map((conflict?.rules ?? []).flatMap((rule) => rule.cells).map((cell) => [cell, "lit"]));
  (conflict?.clues ?? []).flatMap((clue) => clue.cells).forEach((cell) => marks.set(cell, "wrong"));
  return marks;
};
function why() {
  if (!conflict) {
    return [];
  }
  const { rules = [], clues = [], words } = conflict;
  return [
    h("p", {}, words ?? "These cannot hold together:"),
    reasons(rules, blocked()),
    clues.length ? h("p", {}, "Without one of these clues, there may be an answer:") : "",
    clues.length ? reasons(clues, blocked()) : "",
  ];
}

// -- The mode -------------------------------------------------------------------------------------------

async function collect(limit) {
  found = [];
  at = -1;
  const inCells = ["numbers", "shading"].includes(kind());
  const take = (record) => {
    if (record.kind === "error") {
      panel.count.textContent = record.words;
    } else if (record.kind === "answer") {
      const values = state.info.cells.map((cell) => record.cells?.[cell] ?? "").join(" ");
      found.push(inCells ? values : found.length < MOST_DRAWN ? record.svg : null);
      if (found.length === 1) {
        go(0);
      } else if (found.length % 50 === 0) {
        label();
      }
    }
  };
  panel.complete = false;
  const entries = entriesToo ? {} : { entries: "" };
  const end = await patiently(panel.count, ask(about({ ask: "answers", limit, ...entries }), take));
  if (end) {
    panel.complete = end.complete;
    label(end.late);
  }
}
function label(late = false) {
  const more = panel.complete ? "" : late ? ", out of time" : " or more";
  panel.count.textContent = found.length ? `${at + 1} of ${found.length}${more}` : panel.complete ? "There is none" : "";
}
function go(number) {
  if (!found.length) {
    return;
  }
  at = Math.min(found.length - 1, Math.max(0, number));
  show_();
  label();
}
function show_() {
  if (state.mode !== "answers" || at < 0) {
    return;
  }
  const one = found[at];
  if (one?.startsWith("<")) {
    show(one, true);
  } else if (one) {
    const values = one.split(" ");
    Object.assign(view, { possible: null, values: Object.fromEntries(state.info.cells.map((cell, i) => [cell, values[i] || undefined])) });
    light();
    show(state.info.svg);
  } else {
    panel.count.textContent = `Only the first ${MOST_DRAWN} are drawn`;
  }
}
function back() {
  at = -1;
  show(state.info.svg);
  tell();
  label();
}

export const answers = {
  words: "Answers",
  enter(host) {
    panel = { count: h("span", { class: "count", "aria-live": "polite" }) };
    const limit = choice(["10", "100", "1000", "10000"], "100", () => {});
    const counted = choice(["1", "10", "100", "1000"], String(state.settings.limit), (value) => {
      state.settings.limit = Number(value);
      refresh();
    });
    host.append(
      verdict(),
      tick("Start from what is filled in, too", entriesToo, (on) => {
        entriesToo = on;
        refresh();
      }),
      h(
        "div",
        { class: "row" },
        button("Show answers", () => collect(Number(limit.value)), { class: "main", id: "collect" }),
        field("at most", limit),
      ),
      h(
        "div",
        { class: "row stepper", role: "group", "aria-label": "Answers" },
        button("«", () => go(0), { "aria-label": "First answer" }),
        button("◀", () => go(at - 1), { "aria-label": "Previous answer", id: "previous" }),
        panel.count,
        button("▶", () => go(at + 1), { "aria-label": "Next answer", id: "next" }),
        button("»", () => go(found.length - 1), { "aria-label": "Last answer" }),
        button("Back to what is possible", back),
      ),
      field("Count each number in the first answers, up to", counted),
      h(
        "p",
        { class: "legend" },
        h("span", { class: "once" }, "in one answer"),
        h("span", { class: "few" }, "in two or three"),
        h("span", { class: "many" }, "in more"),
      ),
      conflicts(),
    );
  },
  ready() {
    view.entries = false;
  },
  changed(parts) {
    if (entriesToo && ["entries", "ribbons", "pieces"].some((part) => parts.has(part))) {
      refresh();
    }
  },
  leave() {
    at = -1;
    ["state", "answers"].forEach(drop);
  },
};
