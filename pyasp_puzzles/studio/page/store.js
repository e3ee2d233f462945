// What the browser keeps: settings, and what was done on each board, under its text. All tabs share it.
//
// record  {doc, done, undone, seconds, hints, solved, made, begun, changed}: see state.js; `changed` is the time, in
//         milliseconds; `made` says that the board is a new one

const SETTINGS = "pyasp studio";
const BOARD = "pyasp board ";

/** Returns the name of a board in the store: its text, whatever the order of its keys, without its answer. */
export const nameOf = ({ solution, ...keys }) => BOARD + JSON.stringify(Object.entries(keys).sort());

/** Returns the result of a call; null if it fails: the browser may forbid storage, or have no room. */
function attempt(call) {
  try {
    return call();
  } catch {
    return null;
  }
}
export const text = (name) => attempt(() => localStorage.getItem(name));
/** Returns what is kept under a name: settings if it is left out. */
export const read = (name = SETTINGS) => attempt(() => JSON.parse(text(name)));
/** Keeps a value; returns its text, null if that failed. */
export function keep(value, name = SETTINGS) {
  const words = JSON.stringify(value);
  return attempt(() => (localStorage.setItem(name, words), words));
}
export const forget = (name) => attempt(() => localStorage.removeItem(name));

/** Returns the boards that were begun or made, the last one first: [name, record]. */
export const inProgress = () =>
  (attempt(() => Object.keys(localStorage)) ?? [])
    .filter((name) => name.startsWith(BOARD))
    .map((name) => [name, read(name)])
    .filter(([, record]) => (record?.begun || record?.made) && typeof record.doc?.board?.puzzle === "string")
    .sort(([, one], [, other]) => other.changed - one.changed);
