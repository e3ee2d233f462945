// Questions to the server, in slots. A question is a function of the state: what it returns is sent. As soon as it
// returns something else, what runs is dropped and never answers, and what has come is out of date: who asks need not look
// whether it is still the board that was asked about. A standing question is then asked again; one that returns nothing
// waits. Views read the slots, and hear of every change.
//
// Slot  {wanted, text, question, records: [], end: null, pending: false, stale: false, since, lasting}: `wanted` is the
//       function, `text` what it returned last, `question` what was sent, `since` when it began to wait; what is `lasting`
//       is not about the open board
import { get, meta } from "./dom.js";
import { EMPTY, edited, filled, listen, state } from "./state.js";
import { later } from "./talk.js";

const GRACE = 300; // ms in which what is out of date is shown, so that nothing flickers if an answer comes at once
const NONE = { question: null, text: "null", records: [], end: null, pending: false, stale: false, since: 0 };
const GONE = "The server cannot be reached. Is pyasp studio still running?";
const ANEW = "pyasp studio was started anew: open the address that it printed. Your boards are kept in this browser.";

let token = meta("token"); // a server that is started anew has another one
let standing = {};
const slots = new Map();
const watchers = [];

/** Calls a function whenever anything has changed in a slot. */
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
/** Whether all of an answer has come, and none of it is out of date. */
export const answered = (slot) => Boolean(asked(slot).end) && !asked(slot).stale;

/** Says that a slot has changed; elements whose `data-waits` names a slot that is pending are busy. */
function changed() {
  /** @type {NodeListOf<HTMLElement>} */
  const all = document.querySelectorAll("[data-waits]");
  for (const element of all) {
    const busy = element.dataset.waits.split(" ").some(waits);
    busy ? element.setAttribute("aria-busy", "true") : element.removeAttribute("aria-busy");
  }
  watchers.forEach((watcher) => watcher());
  compare(); // whether something is asked may depend on what has come
}
function put(slot, one) {
  slots.set(slot, one);
  setTimeout(() => asked(slot) === one && changed(), GRACE);
  changed();
}

/** Drops what runs in a slot, and forgets what came there. */
export function drop(slot) {
  slots.get(slot)?.control?.abort();
  slots.delete(slot) && changed();
}
/** Ends what runs in a slot; what has come stays. */
export function stop(slot) {
  asked(slot).control.abort();
  put(slot, { ...asked(slot), pending: false });
}
/** Asks the questions of a mode from now on, {slot: {wanted, take, done, pause}}; those of another mode are dropped. */
export function follow(questions) {
  const stays = ([slot, one]) => one.lasting || (slot in standing && standing[slot] === questions[slot]);
  const gone = [...slots].filter((one) => !stays(one));
  standing = questions;
  gone.forEach(([slot]) => drop(slot));
  compare();
}
/** Whether a question is a standing one. */
export const follows = (slot) => slot in standing;
/** Compares each question with what it was: the one place where answers go out of date. */
function compare() {
  const open = [...slots].filter(([, { lasting }]) => !lasting);
  for (const [slot, { wanted, take, done, pause }] of Object.entries({ ...Object.fromEntries(open), ...standing })) {
    const [one, text] = [asked(slot), JSON.stringify(wanted() || null)];
    if (text === one.text || !(slots.has(slot) || slot in standing)) continue;
    one.control?.abort();
    const since = one.pending || one.stale ? one.since : performance.now();
    put(slot, { ...one, wanted, text, pending: false, stale: Boolean(one.question), since });
    const again = () => standing[slot]?.wanted === wanted && asked(slot).text !== "null" && ask(slot, wanted, take).then(done);
    if (slot in standing) later(slot, again, pause);
  }
}
listen(compare);

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
 * Asks what a function returns, or a question that is not about the open board; gives each record to `take` as it comes, but
 * for the end. The first record that is no error is `record`; `wrong` says why there is none. Whoever asks the same again
 * while it runs, or whose question is dropped, gets no answer.
 * @param {string} slot
 * @param {any} wanted
 * @returns {Promise<any>}
 */
export function ask(slot, wanted, take = (_record) => {}) {
  const lasting = typeof wanted !== "function";
  const question = lasting ? wanted : wanted();
  const [before, text] = [asked(slot), JSON.stringify(question)];
  if (before.pending && before.text === text) return new Promise(() => {});
  before.control?.abort();
  const control = new AbortController();
  const { signal } = control;
  const since = before.pending || before.stale ? before.since : performance.now();
  const own = { ...NONE, wanted, lasting, text, question, control, since };
  put(slot, { ...own, records: before.records, stale: before.stale, pending: true });
  let fresh = false;
  const update = (more) => !signal.aborted && (Object.assign(asked(slot), more, { stale: false }), changed());
  const got = (record) => {
    if (signal.aborted) return;
    update({ records: [...(fresh ? asked(slot).records : []), record] });
    fresh = true;
    take(record);
  };
  const run = async () => {
    let end = null;
    try {
      end = await send(question, signal, got);
    } catch (error) {
      if (signal.aborted) return;
      beat();
      got({ kind: "error", words: error instanceof TypeError ? "The server cannot be reached." : error.message, file: "", line: null });
    }
    if (end?.late && edited({ rules: null, edits: {}, ...question, extra: question.extra ?? "" }) && question.ask !== "diagnose") {
      await send({ ...question, ask: "diagnose" }, signal, (one) => slow(one, got)).catch(() => null);
    }
    end ??= { kind: "end", late: false, failed: true };
    update({ pending: false, end, ...(fresh ? {} : { records: [] }) });
  };
  return new Promise((answer, fail) => run().then(() => signal.aborted || answer(result(asked(slot))), fail));
}
function result({ records, end }) {
  const error = records.find((one) => one.kind === "error");
  const wrong = error?.words ?? (end.late ? "Time ran out." : "");
  return { records, end, error, record: records.find((one) => one !== error), wrong };
}

/** Says which rule takes too long to ground. */
function slow({ severity, file, line, words }, take) {
  const place = { rules: "the rules", extra: "your own rules" }[file] ?? file;
  if (severity === "error" && place) {
    take({ kind: "error", words: `Out of time: ${place}, line ${line}: ${words}`, file, line });
  }
}
