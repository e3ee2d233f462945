// Questions to the server, in slots: what is asked, what is pending, what has come, and what of it is out of date.
// Views read it here, and hear of every change. A new question drops the one that is running in its slot; a change of
// `doc` drops those that depend on what has changed, and what has come of them is out of date.
//
// Slot  {question, records: [], end: null, pending: true, stale: false, since}: `since` when it began to wait
import { get, meta } from "./dom.js";
import { EMPTY, FILLED, SET, edited, filled, listen, state } from "./state.js";

const GRACE = 300; // ms in which what is out of date is shown, so that nothing flickers if an answer comes at once
const LASTING = ["catalogue", "read", "thumbnails", "make"]; // questions that are not about the open board
const NONE = { question: null, records: [], end: null, pending: false, stale: false, since: 0 };
const GONE = "The server cannot be reached. Is pyasp studio still running?";
const ANEW = "pyasp studio was started anew: open the address that it printed. Your boards are kept in this browser.";

let token = meta("token"); // a server that is started anew has another one
const slots = new Map();
const watchers = [];

/** Calls a function with the name of a slot whenever anything has changed there. */
export const watch = (watcher) => watchers.push(watcher);
/**
 * Returns a slot.
 * @returns {any}
 */
export const asked = (slot) => slots.get(slot) ?? NONE;
const isLong = ({ since }) => performance.now() - since >= GRACE;
/** Returns the last record of a kind that came in a slot; none if it is out of date. */
export function latest(slot, kind = slot) {
  const one = asked(slot);
  return one.stale && isLong(one) ? undefined : one.records.findLast((record) => record.kind === kind);
}
/** Whether the answer takes so long that it is to be seen. */
export const waits = (slot) => asked(slot).pending && isLong(asked(slot));

/** Says that a slot has changed; elements whose `data-waits` names a slot that is pending are busy. */
function changed(slot) {
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll("[data-waits]");
  for (const element of all) {
    const busy = element.dataset.waits.split(" ").some(waits);
    busy ? element.setAttribute("aria-busy", "true") : element.removeAttribute("aria-busy");
  }
  watchers.forEach((watcher) => watcher(slot));
}
function put(slot, one) {
  slots.set(slot, one);
  setTimeout(() => asked(slot) === one && changed(slot), GRACE);
  changed(slot);
}

/** Drops what runs in slots, and forgets what came there. */
export function drop(...names) {
  for (const slot of names) {
    slots.get(slot)?.control.abort();
    slots.delete(slot) && changed(slot);
  }
}
/** Ends what runs in a slot; what has come stays. */
export function stop(slot) {
  asked(slot).control.abort();
  put(slot, { ...asked(slot), pending: false });
}
/** Drops all that a mode has asked about the open board. */
export const dropMode = () => drop(...[...slots.keys()].filter((slot) => slot !== "board" && asked(slot).parts.length));

/** Returns the parts of `doc` on which the answer to a question depends. */
function partsOf({ ask: name, entries, marks }) {
  if (LASTING.includes(name)) return [];
  return [...SET, ...(entries === "" ? [] : FILLED), ...(marks ? ["corner", "centre"] : [])];
}
listen((parts) => {
  for (const [slot, one] of slots) {
    if (!one.parts.some((part) => parts.has(part))) continue;
    one.control.abort();
    put(slot, { ...one, pending: false, stale: true, since: one.pending || one.stale ? one.since : performance.now() });
  }
});

/** Says that the server is gone, or another one, as soon as it is, and that it is back. */
export async function beat() {
  const there = await fetch("/", { method: "HEAD", headers: { "X-Token": token } }).catch(() => null);
  const words = there?.ok ? "" : there ? ANEW : GONE;
  if (get("gone").textContent !== words) get("gone").textContent = words;
  get("gone").hidden = !words;
}
/** Asks a server that was started anew for its token, which it tells this browser once its address was opened here. */
async function renewed() {
  const page = await fetch("/");
  token = page.ok ? /name="token" content="(\w+)"/.exec(await page.text())[1] : token;
  return page.ok;
}

/** What every question about a board says. */
export function about(more = {}, doc = state.doc) {
  const { board, rules, extra, edits, own } = { ...EMPTY, ...doc };
  return { board, rules, edits, own, extra: extra.trim() ? extra : null, entries: filled(), ...more };
}

/** Sends a question, and gives each record to `take` as it comes; returns the end, null without one. */
async function send(question, signal, take, again = true) {
  const headers = { "Content-Type": "application/json", "X-Token": token };
  const body = JSON.stringify({ seconds: 10, ...question });
  const response = await fetch("/ask", { method: "POST", headers, body, signal });
  if (response.status === 403) {
    if (again && (await renewed())) return send(question, signal, take, false);
    throw new Error(ANEW);
  }
  if (!response.ok) {
    throw new Error(`The server answers ${response.status}: ${(await response.text()).slice(0, 200)}`);
  }
  let end = null;
  const line = (text) => {
    const record = text.trim() ? JSON.parse(text) : null;
    if (record?.kind === "end") end = record;
    else if (record) take(record);
  };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (let part = await reader.read(); !part.done && !signal.aborted; part = await reader.read()) {
    const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
    rest = lines.pop();
    lines.forEach(line);
  }
  line(rest);
  return end;
}

/**
 * Asks, and gives each record to `take` as it comes, but for the end.
 * Returns the end; null if the question was dropped, after which no record is given.
 */
export async function ask(question, take = (_record) => {}, slot = question.ask) {
  const before = asked(slot);
  before.control?.abort();
  const control = new AbortController();
  const { signal } = control;
  const since = before.pending || before.stale ? before.since : performance.now();
  put(slot, { ...NONE, question, parts: partsOf(question), control, records: before.records, stale: before.stale, since, pending: true });
  let fresh = false;
  const update = (more) => !signal.aborted && (Object.assign(asked(slot), more, { stale: false }), changed(slot));
  const got = (record) => {
    if (signal.aborted) return;
    update({ records: [...(fresh ? asked(slot).records : []), record] });
    fresh = true;
    take(record);
  };
  let end = null;
  try {
    end = await send(question, signal, got);
  } catch (error) {
    if (signal.aborted) return null;
    beat();
    got({ kind: "error", words: error instanceof TypeError ? "The server cannot be reached." : error.message, file: "", line: null });
  }
  if (end?.late && edited({ rules: null, edits: {}, ...question, extra: question.extra ?? "" }) && question.ask !== "diagnose") {
    await send({ ...question, ask: "diagnose" }, signal, (one) => slow(one, got)).catch(() => null);
  }
  if (signal.aborted) return null;
  end ??= { kind: "end", late: false, failed: true };
  update({ pending: false, end, ...(fresh ? {} : { records: [] }) });
  return end;
}

/** Says which rule takes too long to ground. */
function slow({ severity, file, line, words }, take) {
  const place = { rules: "the rules", extra: "your own rules" }[file] ?? file;
  if (severity === "error" && place) {
    take({ kind: "error", words: `Out of time: ${place}, line ${line}: ${words}`, file, line });
  }
}

/**
 * Asks for all records at once: the first that is no error is `record`; `wrong` says why there is none. Returns null if
 * the question was dropped.
 */
export async function askAll(question, slot) {
  const records = [];
  const end = await ask(question, (record) => records.push(record), slot);
  const error = records.find((one) => one.kind === "error");
  const wrong = error?.words ?? (end?.late ? "Time ran out." : "");
  return end && { records, end, error, record: records.find((one) => one !== error), wrong };
}
