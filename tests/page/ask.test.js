import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { reset } from "./setup.js";

const elements = new Map();
const element = (id) => elements.get(id) ?? elements.set(id, { textContent: "", hidden: true }).get(id);
Object.assign(globalThis, {
  document: { querySelector: () => ({ getAttribute: () => "old" }), querySelectorAll: () => [], getElementById: element },
});
const page = await import("./state.js");
const { about, ask, asked, drop, dropMode, latest, stop, watch, waits } = await import("./ask.js");

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
const soon = (ms = 5) => new Promise((done) => setTimeout(done, ms));
const enter = (cell, value) => page.edit((doc) => (doc.entries[cell] = value));

beforeEach(() => {
  reset();
  [sent, tokens] = [[], ["old"]];
  page.open({ ...BOARD, title: String(Math.random()) });
  dropMode();
  drop("make");
});

test("a slot says what is asked, that it is pending, and what has come", async () => {
  const heard = [];
  watch((slot) => heard.push(slot));
  const end = ask(about({ ask: "state", entries: "" }));
  await soon();
  assert.deepEqual([asked("state").pending, asked("state").question.ask, latest("state")], [true, "state", undefined]);
  sent[0].tell({ kind: "state", answers: 1 });
  await soon();
  assert.deepEqual([asked("state").pending, latest("state").answers], [true, 1]);
  sent[0].end();
  assert.equal((await end).late, false);
  assert.equal(asked("state").pending, false);
  assert.ok(heard.length >= 3 && heard.every((slot) => slot === "state"));
});

test("what depends on what was changed is dropped and out of date; the rest goes on", async () => {
  const hint = ask(about({ ask: "hint" }));
  const state = ask(about({ ask: "state", entries: "" }));
  const make = ask({ ask: "make", board: BOARD });
  await soon();
  enter("r1c2", "2");
  assert.equal(await hint, null);
  const pending = ["hint", "state", "make"].map((slot) => asked(slot).pending);
  assert.deepEqual([pending, asked("hint").stale, asked("state").stale], [[false, true, true], true, false]);
});

test("what is out of date is gone after a moment, however long its next answer takes", async () => {
  const first = ask(about({ ask: "state", entries: "" }));
  await soon();
  sent[0].tell({ kind: "state", answers: 1 });
  sent[0].end();
  await first;
  page.edit((doc) => (doc.extra = "a."));
  ask(about({ ask: "state", entries: "" }));
  assert.equal(latest("state").answers, 1); // nothing flickers if the answer comes at once
  await soon(400);
  assert.deepEqual([latest("state"), waits("state")], [undefined, true]);
  sent[1].tell({ kind: "state", answers: 0 });
  await soon();
  assert.equal(latest("state").answers, 0);
});

test("a new question drops the one in its slot, and what came of that stays until the next record", async () => {
  const first = ask(about({ ask: "hint", passed: 0 }));
  await soon();
  sent[0].tell({ kind: "hint", fill: { r1c2: "2" } });
  await soon();
  ask(about({ ask: "hint", passed: 1 }));
  assert.equal(await first, null);
  await soon();
  assert.deepEqual([sent[0].aborted(), latest("hint").fill], [true, { r1c2: "2" }]);
  sent[1].tell({ kind: "error", words: "none" });
  await soon();
  assert.equal(latest("hint"), undefined);
});

test("leaving a mode drops what it asked about the board; making boards goes on, and stops with what it has", async () => {
  const hint = ask(about({ ask: "hint" }));
  ask({ ask: "make" });
  await soon();
  sent[1].tell({ kind: "board", board: BOARD });
  await soon();
  dropMode();
  assert.equal(await hint, null);
  page.open({ ...BOARD, title: "another" });
  assert.equal(asked("make").pending, true);
  stop("make");
  assert.deepEqual([asked("make").pending, asked("make").records.length, asked("hint").question], [false, 1, null]);
});

test("a server that was started anew is asked for its token once this browser knows it; else it is said what to open", async () => {
  tokens = ["other"];
  await ask(about({ ask: "hint" }));
  assert.match(latest("hint", "error").words, /started anew: open the address that it printed/);
  tokens = ["new"];
  ask(about({ ask: "hint" }));
  await soon();
  assert.deepEqual(sent.map(({ token }) => token), ["new"]);
});
