// The state of the studio. `doc` is all that undo brings back; it is replaced whole, never changed in place.
//
// patch    {entries: {"r1c2": null}, extra: ""}: what to change in a `doc`; null takes a key away
// entries  {"r1c2": "5"}: what is filled in; "x" and "o" for shaded and unshaded cells
// corner, centre, colors  {"r1c2": ["1", "2"]}
// ribbons  [{line: "row", index: 2, color: "b"}], bottom to top
// pieces   [["r1c1", "r1c2"]]
// lines    ["r1c1-r1c2", "r1c1xr2c1"]: from cell to cell, or from corner to corner; x: there is none
import * as store from "./store.js";

export const EMPTY = {
  board: null, rules: null, extra: "",
  edits: {}, // texts in place of the rules of variants: {"thermometer.lp": "..."}
  own: [], // keys that were made here
  entries: {}, corner: {}, centre: {}, colors: {}, ribbons: [], pieces: [], lines: [],
};
/** The parts that say which board it is, and those with what is filled in. */
export const SET = ["board", "rules", "extra", "edits", "own"];
export const FILLED = ["entries", "ribbons", "pieces", "lines"];
export const state = {
  doc: EMPTY,
  info: null, // the last `board` record
  page: null, // the page that is open instead of a board: "home"; "" for none
  mode: "play",
  selection: new Set(),
  cursor: null,
  settings: { theme: "auto", errors: false, strike: false, symmetry: "none" },
  live: false, // whether what is possible in each cell is shown, which somebody must ask for
  seconds: 0,
  hints: 0, // how many were asked for
  solved: false,
};
const listeners = [];
let done = []; // patches that lead back, the last one first to be used
let undone = [];
let home = { name: "", text: null, draft: false, made: false }; // where `doc` is kept; a draft moves when its board changes
let base = EMPTY; // `doc` as all tabs know it
let merging = "";
let typed = {}; // the number that digits are typed for
let saving = 0;

/** Calls a function with the names of the parts of `doc` that have changed, whenever some have, or the state of a mode. */
export const listen = (listener) => listeners.push(listener);
/** Changes the state of a mode: what is asked and what is seen follow. */
export function change(own, more) {
  Object.assign(own, more);
  listeners.forEach((listener) => listener(new Set()));
}

const NESTED = ["board", "edits", "entries", "corner", "centre", "colors"];
export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
/** Returns the patch that makes one object of another. */
function difference(from, to, nested = NESTED) {
  const found = {};
  for (const key of Object.keys({ ...from, ...to })) {
    const [one, other] = [from[key] ?? null, to[key] ?? null];
    const inner = one && other && nested.includes(key) ? difference(one, other, []) : null;
    if (inner ? Object.keys(inner).length : !same(one, other)) found[key] = inner ?? other;
  }
  return found;
}
function patched(object, patch, nested = NESTED) {
  const found = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    found[key] = value && nested.includes(key) ? patched(object[key] ?? {}, value, []) : value;
    if (value === null && nested !== NESTED) delete found[key];
  }
  return found;
}

function replace(next) {
  const before = state.doc;
  state.doc = next;
  const changed = new Set(Object.keys(EMPTY).filter((part) => !same(before[part], next[part])));
  if ([...SET, ...FILLED].some((part) => changed.has(part))) state.solved = false;
  if (changed.size) listeners.forEach((listener) => listener(changed));
}

/** Makes one step of undo; steps with the same `merge` in a row are one. */
export function edit(change, merge = "") {
  const next = structuredClone(state.doc);
  change(next);
  if (same(next, state.doc)) return false;
  const before = merge && merge === merging ? patched(state.doc, done.pop()) : state.doc;
  done.push(difference(next, before));
  merging = merge;
  undone = [];
  replace(next);
  keep();
  return true;
}
/** Ends a run of steps that are one for undo, and the number that is being typed. */
export const settle = () => {
  merging = "";
  typed = {};
};
function travel(from, to) {
  if (from.length) {
    const next = patched(state.doc, from.pop());
    to.push(difference(next, state.doc));
    settle();
    replace(next);
    keep();
  }
}
/** Undoes until something no longer holds. */
export function rewind(holds) {
  while (done.length && holds(state.doc)) undo();
}
/** Makes a change that belongs to the step before it. */
export function amend(change) {
  merging ||= "amended";
  edit(change, merging);
}
export const undo = () => travel(done, undone);
export const redo = () => travel(undone, done);
export const canUndo = () => done.length > 0;
export const canRedo = () => undone.length > 0;

/**
 * Types a digit with `enter(number)`. Digits that follow within a second are one number, and one step of undo, unless
 * it is above `most`, or something else was done meanwhile, such as to select.
 */
export function digit(one, most, way, enter) {
  const time = performance.now();
  const both = String(Number(typed.value + one));
  const joined = typed.way === way && time - typed.time < 1000 && Number(both) <= most;
  const value = joined ? both : one;
  if (joined && typed.changed) undo();
  const before = state.doc;
  enter(value);
  typed = { way, time, value, changed: state.doc !== before };
}

/** Returns a `doc` in which what is missing, or of another form, is empty: a record may be another program's. */
export function whole(doc) {
  const fits = ([part, empty]) => {
    const kept = doc?.[part] ?? null;
    return kept !== null && typeof kept === typeof (empty ?? kept) && Array.isArray(kept) === Array.isArray(empty);
  };
  return { ...EMPTY, ...Object.fromEntries(Object.entries(EMPTY).filter(fits).map(([part]) => [part, doc[part]])) };
}
/** Opens a board, with what was done on it before. */
export function open(board) {
  save();
  const name = store.nameOf(board);
  const { doc, seconds = 0, hints = 0, solved = false, made = false, ...history } = store.read(name) ?? {};
  [done, undone] = [history.done ?? [], history.undone ?? []];
  home = { name, text: store.text(name), draft: false, made };
  base = { ...whole(doc), board };
  Object.assign(state, { seconds, hints, live: false });
  settle();
  replace(base);
  state.solved = solved;
  keep();
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
/** Returns the number printed in a cell that is part of the answer; empty if there is none. */
export const given = (cell) => state.info?.givens?.[cell] ?? "";
/** Whether a cell cannot be written in. */
export const fixed = (cell) => given(cell) !== "";
export const high = (cell) => {
  const most = state.info?.answer.high;
  return typeof most === "object" && most ? (most[cell] ?? 9) : (most ?? 9);
};
export const low = () => state.info?.answer.low ?? 1;
/** Returns the largest number of the board. */
export const highest = () => Math.max(1, ...cells().map(high));
/** Whether each number is as often on the board as it has rows, which is a square. */
export const once = () => {
  const [rows, columns] = state.info.size;
  return kind() === "numbers" && rows === columns && state.info.answer.high === rows && low() === 1 && cells().length === rows ** 2;
};

/** Returns what is filled in, as the server reads it. */
export function filled() {
  const { entries, ribbons, pieces, lines } = state.doc;
  return { cells: entries, ribbons, pieces, lines };
}
/** Returns the parts of a line of an answer: an end, its sign, the other end. */
export const lineParts = (line) => /^(\w+?c\d+)([-=x])(\w+)$/.exec(line).slice(1);
/** Returns the color of the palette with a token. */
export const colorOf = (token) =>
  state.info?.palette.find((one) => one.token === token) ?? { token, name: token, color: "#999999" };

// -- Storage and address --------------------------------------------------------------------------------

const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
async function through(bytes, stream) {
  const changed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(changed).arrayBuffer());
}

/** Returns a board as what is behind # in an address: its keys as JSON, deflated, in base64 for addresses. */
export async function pack(board) {
  const bytes = await through(new TextEncoder().encode(JSON.stringify(board)), new CompressionStream("deflate-raw"));
  return base64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
export async function unpack(text) {
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw"))));
}

let before = ""; // the address that the present one has replaced

/** Keeps what is done in the browser, and the board in the address, soon. */
export function keep() {
  clearTimeout(saving);
  saving = setTimeout(save, 300);
}
export async function save() {
  clearTimeout(saving);
  const { doc, mode, settings } = state;
  const kept = store.keep({ mode, settings, board: doc.board, address: location.hash, before });
  if (doc.board) {
    if (!kept || !remember()) dispatchEvent(new Event("full"));
    const { board, rules, extra, edits, own } = doc;
    const packed = await pack(brings(doc) ? { board, rules, extra, edits, own } : board);
    const here = state.page === "" && state.doc.board === doc.board; // else another was opened
    if (here && location.hash !== `#${packed}`) {
      before = location.hash;
      history.replaceState(history.state, "", `#${packed}`);
    }
  }
}
addEventListener("pagehide", save);

/** Keeps what was done on the board under its text; returns whether there was room for it. */
function remember() {
  const name = store.nameOf(state.doc.board);
  const there = store.text(name);
  if (name !== home.name) {
    if (home.draft) store.forget(home.name);
    home = { name, text: null, draft: !there, made: false };
    base = { ...EMPTY, board: state.doc.board };
  }
  if (there && there !== home.text) join(there);
  const bare = { ...EMPTY, board: state.doc.board };
  const begun = !same(difference(bare, state.doc), {}) || done.some(({ board }) => board);
  if (begun || done.length || undone.length || there) {
    const { doc, seconds, hints, solved } = state;
    const kept = store.keep({ doc, done, undone, seconds, hints, solved, made: home.made, begun, changed: Date.now() }, name);
    if (!kept) return false;
    home.text = kept;
    base = doc;
  }
  return true;
}
/** Adds to a record that another tab has kept what was done here since. */
function join(text) {
  const theirs = JSON.parse(text);
  const merged = patched(whole(theirs.doc), difference(base, state.doc));
  home.text = text;
  base = theirs.doc;
  if (!same(difference(state.doc, merged), {})) {
    const ours = difference(merged, theirs.doc);
    [done, undone] = same(ours, {}) ? [theirs.done, theirs.undone] : [[...theirs.done, ours], []];
    state.seconds = Math.max(state.seconds, theirs.seconds);
    settle();
    replace(merged);
  }
}
addEventListener("storage", ({ key, newValue }) => {
  if (newValue && state.doc.board && key === store.nameOf(state.doc.board)) join(newValue);
});

/** Keeps a board that was made, with its rules, with the boards in progress; returns whether there is room for it. */
export function keepMade(board, rules = {}) {
  const name = store.nameOf(board);
  return store.text(name) || store.keep({ doc: { ...EMPTY, ...rules, board }, made: true, changed: Date.now() }, name);
}
/** Clears what was done on a board, here too. */
export function clear(name) {
  store.forget(name);
  if (state.doc.board && name === store.nameOf(state.doc.board)) {
    [done, undone, home.text] = [[], [], null];
    base = { ...EMPTY, board: state.doc.board };
    Object.assign(state, { seconds: 0, hints: 0, solved: false });
    settle();
    replace(base);
  }
}

/** Brings back settings. */
export async function restore() {
  const { settings, mode } = store.read() ?? {};
  Object.assign(state.settings, settings);
  state.mode = mode ?? state.mode;
}
/** Returns what the address says, {board}, perhaps with rules and keys of one's own; the board is null without one. */
export async function wanted() {
  const { board, address, before: former } = store.read() ?? {};
  // The address changes a moment after the board does. A page that is reloaded in that moment has the former address.
  const [entry] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const again = entry?.type === "reload" && former === location.hash;
  if (board && (address === location.hash || again)) return { board };
  const found = await unpack(location.hash.slice(1)).catch(() => null);
  return found?.puzzle ? { board: found } : { board: null, ...found };
}
/** Whether rules differ from those that ship. */
export const edited = ({ rules, extra, edits }) => rules !== null || Boolean(extra.trim()) || Object.keys(edits).length > 0;
/** Whether rules are among the parts of `doc` that have changed. */
export const ofRules = (parts) => ["rules", "extra", "edits"].some((part) => parts.has(part));
const brings = (doc) => edited(doc) || doc.own.length > 0;
/** Takes over rules and keys that an address brings, unless the board has some here. */
export function bring({ rules = null, extra = "", edits = {}, own = [] }) {
  const brought = { rules, extra, edits, own };
  return brings(brought) && !brings(state.doc) && edit((doc) => Object.assign(doc, brought));
}
