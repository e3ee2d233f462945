// Questions to the server. Each kind of question has a slot: a new one drops the one that is running there.
import { get, meta } from "./dom.js";
import { EMPTY, edited, filled, state } from "./state.js";

const token = meta("token");
const running = new Map();

/** Drops what runs in a slot. */
export function drop(slot) {
  running.get(slot)?.abort();
  running.delete(slot);
}

/** Says that the server is gone as soon as it is, and that it is back. */
export async function beat() {
  const there = await fetch("/page/ask.js", { method: "HEAD" }).then(() => true, () => false);
  get("gone").hidden = there;
}

/** What every question about a board says. */
export function about(more = {}, doc = state.doc) {
  const { board, rules, extra, edits, own } = { ...EMPTY, ...doc };
  return { board, rules, edits, own, extra: extra.trim() ? extra : null, entries: filled(), ...more };
}

/**
 * Asks, and gives each record to `take` as it comes, but for the end.
 * Returns the end; null if the question was dropped, after which no record is given.
 */
export async function ask(question, take = (_record) => {}, slot = question.ask) {
  drop(slot);
  const control = new AbortController();
  running.set(slot, control);
  const live = () => !control.signal.aborted;
  /** @type {any} */
  let end = null;
  const line = (text) => {
    const record = text.trim() ? JSON.parse(text) : null;
    if (record?.kind === "end") {
      end = record;
    } else if (record && live()) {
      take(record);
    }
  };
  try {
    const response = await fetch("/ask", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Token": token },
      body: JSON.stringify({ seconds: 10, ...question }),
      signal: control.signal,
    });
    if (!response.ok) {
      throw new Error(`The server answers ${response.status}: ${(await response.text()).slice(0, 200)}`);
    }
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (let part = await reader.read(); !part.done && live(); part = await reader.read()) {
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop();
      lines.forEach(line);
    }
    line(rest);
  } catch (error) {
    if (!live()) return null;
    beat();
    const gone = "The server cannot be reached.";
    take({ kind: "error", words: error instanceof TypeError ? gone : error.message, file: "", line: null });
  }
  if (end?.late && edited({ rules: null, edits: {}, ...question, extra: question.extra ?? "" }) && question.ask !== "diagnose") {
    await ask({ ...question, ask: "diagnose" }, (one) => live() && slow(one, take), `${slot}: rules`);
  }
  if (!live()) return null;
  running.delete(slot);
  return end ?? { kind: "end", late: false, failed: true };
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
