// The state of the studio. `doc` is all that undo brings back; it is replaced whole, never changed in place.
//
// entries  {"r1c2": "5"}: what is filled in; "x" and "o" for shaded and unshaded cells
// corner, centre, colors  {"r1c2": ["1", "2"]}
// ribbons  [{line: "row", index: 2, color: "b"}], bottom to top
// pieces   [["r1c1", "r1c2"]]
import { cellName, extent } from "./dom.js";

export const EMPTY = {
  board: null,
  rules: null,
  extra: "",
  entries: {},
  corner: {},
  centre: {},
  colors: {},
  ribbons: [],
  pieces: [],
};
export const state = {
  doc: EMPTY,
  info: null, // the last `board` record
  mode: "play",
  selection: new Set(),
  cursor: null,
  settings: { theme: "auto", wrap: true, errors: false, live: true, limit: 10, timer: true, symmetry: "none" },
  seconds: 0,
  solved: false,
};
const undone = [];
const done = [];
const listeners = [];
const KEY = "pyasp studio";
let merging = "";
let saving = 0;

/** Calls a function with the names of the parts of `doc` that have changed, whenever some have. */
export const listen = (listener) => listeners.push(listener);

function replace(next) {
  const before = state.doc;
  state.doc = next;
  const differs = (part) => JSON.stringify(before[part]) !== JSON.stringify(next[part]);
  const changed = new Set(Object.keys(EMPTY).filter(differs));
  if (changed.size) {
    listeners.forEach((listener) => listener(changed));
    keep();
  }
}

/** Makes one step of undo; steps with the same `merge` in a row are one. */
export function edit(change, merge = "") {
  const next = structuredClone(state.doc);
  change(next);
  if (JSON.stringify(next) === JSON.stringify(state.doc)) {
    return false;
  }
  if ((!merge || merge !== merging) && state.doc.board) {
    done.push(state.doc);
  }
  merging = merge;
  undone.length = 0;
  replace(next);
  return true;
}
/** Ends a run of steps that are one for undo. */
export const settle = () => {
  merging = "";
};
function travel(from, to) {
  if (from.length) {
    to.push(state.doc);
    merging = "";
    replace(from.pop());
  }
}
export const undo = () => travel(done, undone);
export const redo = () => travel(undone, done);
export const canUndo = () => done.length > 0;
export const canRedo = () => undone.length > 0;

/** Puts another board in place of this one, as one step of undo. */
export function open(board, kept = {}) {
  state.seconds = 0;
  state.solved = false;
  edit((doc) => Object.assign(doc, structuredClone(EMPTY), kept, { board }));
}
/** Changes the board's keys; what was published as its answer need not be one any more. */
export function editBoard(change, merge = "") {
  return edit((doc) => {
    change(doc.board);
    delete doc.board.solution;
  }, merge);
}

// -- What is on the board -------------------------------------------------------------------------------

export const kind = () => state.info?.answer.kind ?? "numbers";
export const cells = () => state.info?.cells ?? [];
export const fixed = (cell) => state.fixed?.has(cell) ?? false;
export const high = (cell) => {
  const most = state.info?.answer.high;
  return typeof most === "object" && most ? (most[cell] ?? 9) : (most ?? 9);
};
export const low = () => state.info?.answer.low ?? 1;
/** Returns the largest number of the board. */
export const highest = () => Math.max(1, ...cells().map(high));
/** Returns the number printed in a cell, if that is part of the answer. */
export function given(cell) {
  const key = state.info?.schema.find(({ answers }) => answers)?.key;
  const grid = key && state.doc.board[key];
  const [row, column] = cell.match(/\d+/g).map(Number);
  const token = Array.isArray(grid) ? grid[row - 1]?.[column - 1] : null;
  return fixed(cell) && token !== null && token !== undefined ? String(token) : "";
}
export const valueOf = (cell) => given(cell) || state.doc.entries[cell] || "";

/** Returns what is filled in as the text that the library reads; "" if nothing is. */
export function entriesText() {
  const { entries, ribbons, pieces } = state.doc;
  if (!state.info) {
    return "";
  }
  if (kind() === "ribbons") {
    return ribbons.map(({ line, index, color }) => `${line} ${index} ${color ?? ""}`.trim()).join("\n");
  }
  if (kind() === "pieces") {
    return pieces.map((piece) => piece.map((cell) => cell.slice(1).replace("c", ",")).join(" ")).join("\n");
  }
  if (!cells().some((cell) => entries[cell] && !fixed(cell))) {
    return "";
  }
  const [rows, columns] = extent(cells());
  const known = new Set(cells());
  const token = (cell) => (known.has(cell) ? valueOf(cell) || "." : "#");
  const line = (row) => Array.from({ length: columns }, (_, j) => token(cellName(row, j + 1))).join(" ");
  return Array.from({ length: rows }, (_, i) => line(i + 1)).join("\n");
}

// -- Storage and address --------------------------------------------------------------------------------

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
async function through(bytes, stream) {
  const changed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(changed).arrayBuffer());
}

/** Returns a board as what stands behind # in an address: its keys as JSON, deflated, in base64 for addresses. */
export async function pack(board) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(board)), new CompressionStream("deflate-raw"));
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
export async function unpack(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

/** Saves the state in the browser, and the board in the address, soon. */
export function keep() {
  clearTimeout(saving);
  saving = setTimeout(save, 300);
}
async function save() {
  const { doc, mode, settings, seconds } = state;
  try {
    localStorage.setItem(KEY, JSON.stringify({ doc, mode, settings, seconds }));
  } catch {
    // storage may be full or forbidden: then the address alone keeps the board
  }
  if (doc.board) {
    history.replaceState(null, "", `#${await pack(doc.board)}`);
  }
}
addEventListener("pagehide", save);

/** Brings back what was saved; the board of the address comes first. Returns whether there was a board. */
export async function restore() {
  let saved = {};
  try {
    saved = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    // what cannot be read is as good as nothing
  }
  Object.assign(state.settings, saved.settings);
  state.mode = saved.mode ?? state.mode;
  let board = null;
  try {
    board = location.hash.length > 1 ? await unpack(location.hash.slice(1)) : null;
  } catch {
    // no board of ours
  }
  const same = !board || JSON.stringify(board) === JSON.stringify(saved.doc?.board);
  if (same && saved.doc?.board) {
    state.seconds = saved.seconds ?? 0;
    replace({ ...EMPTY, ...saved.doc });
  } else if (board) {
    replace({ ...EMPTY, board });
  }
  return Boolean(state.doc.board);
}
