import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { reset } from "./setup.js";

const elements = new Map();
const element = (id) => elements.get(id) ?? elements.set(id, { textContent: "", hidden: true }).get(id);
Object.assign(globalThis, {
  document: { querySelector: () => ({ getAttribute: () => "old" }), querySelectorAll: () => [], getElementById: element },
});
const page = await import("./state.js");
const { about, answered, ask, asked, drop, follow, latest, stop, watch, waits } = await import("./ask.js");

const BOARD = { puzzle: "sudoku", givens: [[1, null], [null, null]] };
let sent = []; // the questions that the server has got: {question, token, tell(record), end(), aborted()}
let tokens = ["old"]; // those that the server knows
/** Stands in for the server. */
globalThis.fetch = /** @type {any} */ (async (path, { method, headers, body, signal } = /** @type {any} */ ({})) => {
  if (path !== "/ask") {
    return { ok: tokens.includes("new"), text: async () => `<meta name="token" content="${tokens.at(-1)}">`, method };
  }
  const token = headers["X-Token"];
  if (!tokens.includes(token)) return { ok: false, status: 403, text: async () => "" };
  const encoder = new TextEncoder();
  let control;
  const stream = new ReadableStream({ start: (own) => void (control = own) });
  signal.addEventListener("abort", () => control.error(new DOMException("aborted", "AbortError")));
  const tell = (record) => control.enqueue(encoder.encode(`${JSON.stringify(record)}\n`));
  const end = (more = {}) => (tell({ kind: "end", late: false, ...more }), control.close());
  sent.push({ question: JSON.parse(body), token, tell, end, aborted: () => signal.aborted });
  return { ok: true, status: 200, body: stream };
});
/** Waits, and then until what was due meanwhile has had its turn, however late the machine is. */
async function soon(ms = 5) {
  for (const wait of [ms, 1, 1, 1]) await new Promise((done) => setTimeout(done, wait));
}
const enter = (cell, value) => page.edit((doc) => (doc.entries[cell] = value));

beforeEach(() => {
  reset();
  [sent, tokens] = [[], ["old"]];
  page.open({ ...BOARD, title: String(Math.random()) });
  follow({});
  drop("make");
});

/** Asks about the board, what is filled in left out unless it is wanted. */
const about_ = (name, more = {}) => ask(name, () => about({ ask: name, entries: "", ...more }));
/** Returns what has been answered of some questions, by their names, once something else has had time to happen. */
async function answersOf(questions) {
  const come = [];
  Object.entries(questions).forEach(([name, one]) => one.then(() => come.push(name)));
  await soon();
  return come;
}

test("a slot says what is asked, that it is pending, and what has come", async () => {
  let heard = 0;
  watch(() => (heard += 1));
  const found = about_("state");
  await soon();
  assert.deepEqual([asked("state").pending, asked("state").question.ask, latest("state")], [true, "state", undefined]);
  sent[0].tell({ kind: "state", answers: 1 });
  await soon();
  assert.deepEqual([asked("state").pending, answered("state"), latest("state").answers], [true, false, 1]);
  sent[0].end();
  const { record, end, wrong } = await found;
  assert.deepEqual([record.answers, end.late, wrong], [1, false, ""]);
  assert.deepEqual([asked("state").pending, answered("state")], [false, true]);
  assert.ok(heard >= 3);
});

test("what is about something that was changed is out of date and never answers; the rest goes on", async () => {
  const [hint, state] = [ask("hint", () => about({ ask: "hint" })), about_("state")];
  const make = ask("make", { ask: "make", board: BOARD });
  await soon();
  enter("r1c2", "2");
  const [one, ...others] = sent;
  assert.deepEqual([one, ...others].map(({ aborted }) => aborted()), [true, false, false]);
  others.forEach(({ end }) => end());
  assert.deepEqual(await answersOf({ hint, state, make }), ["state", "make"]);
  assert.deepEqual(["hint", "state", "make"].map((slot) => [asked(slot).stale, answered(slot)]), [[true, false], [false, true], [false, true]]);
});

test("what is out of date is gone after a moment, however long its next answer takes", async () => {
  const first = about_("state");
  await soon();
  sent[0].tell({ kind: "state", answers: 1 });
  sent[0].end();
  await first;
  page.edit((doc) => (doc.extra = "a."));
  about_("state");
  assert.equal(latest("state").answers, 1); // nothing flickers if the answer comes at once
  await soon(400);
  assert.deepEqual([latest("state"), waits("state")], [undefined, true]);
  sent[1].tell({ kind: "state", answers: 0 });
  await soon();
  assert.equal(latest("state").answers, 0);
});

test("a new question drops the one in its slot; the same one again is not sent, and has no answer of its own", async () => {
  const hint = (passed) => ask("hint", () => about({ ask: "hint", passed }));
  const first = hint(0);
  await soon();
  sent[0].tell({ kind: "hint", fill: { r1c2: "2" } });
  await soon();
  const [second, again] = [hint(1), hint(1)];
  await soon();
  assert.deepEqual([sent.length, sent[0].aborted(), latest("hint").fill], [2, true, { r1c2: "2" }]);
  sent[1].tell({ kind: "error", words: "none" });
  sent[1].end();
  assert.deepEqual(await answersOf({ first, second, again }), ["second"]);
  assert.equal((await second).wrong, "none");
  assert.equal(latest("hint"), undefined);
});

test("a standing question is asked at once, and again when it is another one, as soon as it is known", async () => {
  const done = [];
  const grade = () => answered("state") && about({ ask: "grade", entries: "" });
  const state = { wanted: () => about({ ask: "state", entries: "" }), done: ({ record }) => done.push(record.answers), pause: 20 };
  follow({ state, grade: { wanted: grade, pause: 20 } });
  await soon(10);
  assert.deepEqual(sent.map(({ question }) => question.ask), ["state"]);
  sent[0].tell({ kind: "state", answers: 1 });
  sent[0].end();
  await soon(10);
  assert.deepEqual([done, sent.map(({ question }) => question.ask)], [[1], ["state", "grade"]]);
  enter("r1c2", "2"); // neither is about what is filled in
  page.edit((doc) => (doc.extra = "a."));
  assert.deepEqual([asked("state").stale, asked("grade").stale, sent[1].aborted()], [true, true, true]);
  await soon(40);
  assert.deepEqual(sent.map(({ question }) => [question.ask, question.extra]), [["state", null], ["grade", null], ["state", "a."]]);
});

test("a question may depend on the state of a mode", async () => {
  const now = { open: false };
  follow({ state: { wanted: () => now.open && about({ ask: "state" }), pause: 1 } });
  await soon();
  assert.equal(sent.length, 0);
  page.change(now, { open: true });
  await soon();
  assert.equal(sent.length, 1);
  page.change(now, { open: false });
  assert.deepEqual([sent[0].aborted(), asked("state").stale], [true, true]);
});

test("another mode drops what was asked about the board; making boards goes on, and stops with what it has", async () => {
  const board = { wanted: () => about({ ask: "board", entries: "" }), pause: 1 };
  follow({ board, state: { wanted: () => about({ ask: "state" }), pause: 1 } });
  const hint = ask("hint", () => about({ ask: "hint" }));
  ask("make", { ask: "make" });
  await soon();
  sent.find(({ question }) => question.ask === "make").tell({ kind: "board", board: BOARD });
  await soon();
  follow({ board });
  assert.deepEqual(["board", "state", "hint", "make"].map((slot) => asked(slot).pending), [true, false, false, true]);
  assert.deepEqual(await answersOf({ hint }), []);
  page.open({ ...BOARD, title: "another" });
  assert.equal(asked("make").pending, true);
  stop("make");
  assert.deepEqual([asked("make").pending, asked("make").records.length, asked("hint").question], [false, 1, null]);
});

test("a server that was started anew is asked for its token once this browser knows it; else it is said what to open", async () => {
  tokens = ["other"];
  await about_("hint");
  assert.match(latest("hint", "error").words, /started anew: open the address that it printed/);
  tokens = ["new"];
  about_("hint");
  await soon();
  assert.deepEqual(sent.map(({ token }) => token), ["new"]);
});
