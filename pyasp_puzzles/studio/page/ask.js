// Questions to the server. Each kind of question has a slot: a new one drops the one that is running there.
import { state, entriesText } from "./state.js";

const token = document.querySelector("meta[name=token]").content;
const running = new Map();

/** Drops what runs in a slot. */
export function drop(slot) {
  running.get(slot)?.abort();
  running.delete(slot);
}

/** What every question about the board says. */
export function about(more = {}) {
  const { board, rules, extra } = state.doc;
  return { board, rules, extra: extra.trim() ? extra : null, entries: entriesText(), ...more };
}

/**
 * Asks, and gives each record to `take` as it comes, but for the end.
 * Returns the end; null if the question was dropped, after which no record is given.
 */
export async function ask(question, take = () => {}, slot = question.ask) {
  drop(slot);
  const control = new AbortController();
  running.set(slot, control);
  const live = () => !control.signal.aborted;
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
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (let part = await reader.read(); !part.done && live(); part = await reader.read()) {
      const lines = (rest + part.value).split("\n");
      rest = lines.pop();
      lines.forEach(line);
    }
    line(rest);
  } catch (error) {
    if (!live()) return null;
    const gone = "The server cannot be reached. Is pyasp studio still running?";
    take({ kind: "error", words: error instanceof TypeError ? gone : error.message, file: "", line: null });
  }
  if (!live()) return null;
  running.delete(slot);
  return end ?? { kind: "end", late: false, failed: true };
}

/** Asks for the only record, or an error if time ran out; null if the question was dropped. */
export async function askOne(question) {
  const found = await askAll(question);
  return found && (found.records[0] ?? { kind: "error", words: "Time ran out." });
}
/** Asks for all records at once. */
export async function askAll(question, slot) {
  const records = [];
  const end = await ask(question, (record) => records.push(record), slot);
  return end && { records, end, error: records.find((one) => one.kind === "error") };
}
