// What pointer and keys do while somebody plays: numbers and marks, shading, pieces, lines, ribbons.
import { latest } from "./ask.js";
import { WAYS, boxes, draft, ending, paint, select, view } from "./board.js";
import { UNIT, beside, cellName, extent, inOrder, middle, place, s } from "./dom.js";
import { cells, edit, fixed, high, low, settle, state, undo } from "./state.js";
import { say } from "./talk.js";

export const chosen = () => [...state.selection];

// -- Numbers --------------------------------------------------------------------------------------------

/** Types a number, a mark or a color into the selected cells; where all have it, it goes. Returns whether it did. */
export function type(value, way) {
  settle();
  return edit((doc) => {
    const own = doc[way === "digit" ? "entries" : way];
    const fits = (cell) => way === "colors" || (!fixed(cell) && Number(value) >= low() && Number(value) <= high(cell));
    const open = (cell) => ["digit", "colors"].includes(way) || !doc.entries[cell];
    const targets = [...state.selection].filter((cell) => fits(cell) && open(cell));
    const has = (cell) => (way === "digit" ? own[cell] === value : own[cell]?.includes(value));
    const all = targets.every(has);
    for (const cell of targets) {
      const rest = way === "digit" ? [] : (own[cell] ?? []).filter((one) => one !== value);
      const next = all ? rest : [...rest, value].sort((one, other) => one - other);
      next.length ? (own[cell] = way === "digit" ? value : next) : delete own[cell];
    }
  });
}

/** Returns the largest number that fits in a selected cell. */
export const most = () => Math.max(0, ...chosen().filter((cell) => !fixed(cell)).map(high));

/** Clears selected cells: what is typed now; if there is none of it, the rest, numbers first. */
export function clear(way) {
  const targets = [...state.selection];
  const full = (part) => targets.some((cell) => state.doc[part][cell] !== undefined);
  const part = [way === "digit" ? "entries" : way, "entries", "centre", "corner", "colors"].find(full);
  if (part) edit((doc) => targets.forEach((cell) => delete doc[part][cell]));
}

// -- Shading, pieces, ribbons ---------------------------------------------------------------------------

/** Whether the rules leave a cell no choice: it is not shaded, as one with a number in Nurikabe. */
const closed = (cell) => latest("closed")?.cells.includes(cell);
export function shade(chosen, value, merge = "") {
  const free = chosen.filter((cell) => !fixed(cell) && !(value === "x" && closed(cell)));
  if (chosen.length && !free.length) say("By the rules, this cell cannot be shaded.");
  return edit((doc) => {
    free.forEach((cell) => (value ? (doc.entries[cell] = value) : delete doc.entries[cell]));
  }, merge);
}
export const SHADES = [undefined, "x", "o"]; // open, shaded, not shaded
export function after(cell, steps = 1) {
  const next = (value) => SHADES[(SHADES.indexOf(value) + steps) % 3];
  const value = next(state.doc.entries[cell]);
  return value === "x" && closed(cell) ? next(value) : value;
}
/** The first cell of a drag decides what it does; cells that hold something else than the first one keep it. */
export const shading = {
  down({ cell }, event) {
    this.from = state.doc.entries[cell];
    this.to = after(cell, event.button === 2 ? 2 : 1);
    this.done = false;
    settle();
    select(cell ? [cell] : []);
    this.move({ cell });
  },
  move({ cell }) {
    if (cell && state.doc.entries[cell] === this.from) this.done = shade([cell], this.to, "shade") || this.done;
  },
  up: settle,
  cancel() {
    if (this.done) undo();
  },
};
/** Cells of a stroke become one piece; a press removes a piece, and two presses on another cell make a piece of it. */
export const cutting = {
  down({ cell, twice }, event) {
    this.twice = twice;
    this.cells = cell && !event.shiftKey ? [cell] : [];
    select(event.shiftKey && cell ? [...state.selection, cell] : this.cells);
    draft(...boxes(this.cells));
  },
  move({ cell }) {
    if (cell && this.cells.at(-2) === cell) {
      this.cells.pop();
    } else if (cell && this.cells.length && !this.cells.includes(cell)) {
      this.cells.push(cell);
    } else {
      return;
    }
    draft(...boxes(this.cells));
  },
  up() {
    const [cell, ...more] = this.cells;
    if (cell && !more.length && state.doc.pieces.some((piece) => piece.includes(cell))) {
      uncut(this.cells);
    } else if (more.length || (cell && this.twice)) {
      cut(this.cells);
    }
  },
};
const without = (pieces, chosen) => pieces.filter((piece) => !piece.some((cell) => chosen.includes(cell)));
export const cut = (chosen) =>
  chosen.length && edit((doc) => (doc.pieces = [...without(doc.pieces, chosen), inOrder(chosen)]));
export const uncut = (chosen) => edit((doc) => (doc.pieces = without(doc.pieces, chosen)));

/** Lays a ribbon on the others, or under them while the board is peeled; the same one again takes it away. */
export function lay({ line, index }, color) {
  edit((doc) => {
    const at = doc.ribbons.findIndex((one) => one.line === line && one.index === index);
    const [old] = at >= 0 ? doc.ribbons.splice(at, 1) : [];
    if (!old || old.color !== color) {
      doc.ribbons.splice(view.peeled ? 0 : doc.ribbons.length, 0, { line, index, color });
    }
  });
}
export function peel(on) {
  view.peeled = on;
  paint();
}

// -- Lines ----------------------------------------------------------------------------------------------

/** Returns what is written between two ends: its place among the lines, and its sign. */
function between(one, other) {
  const at = state.doc.lines.findIndex((line) => ["-", "=", "x"].some((sign) => line === one + sign + other));
  return { at, sign: at < 0 ? "" : state.doc.lines[at][one.length] };
}
/** Draws a line, a cross, or nothing between two ends. */
export function join(one, other, sign, merge = "") {
  const [first, last] = inOrder([one, other]);
  const { at } = between(first, last);
  return edit((doc) => {
    at >= 0 && doc.lines.splice(at, 1);
    sign && doc.lines.push(first + sign + last);
  }, merge);
}
const signOf = (one, other) => between(...inOrder([one, other])).sign;
/** Returns the end next to a point; empty if none is near. */
function near({ x, y }, reach = 15) {
  const { edges } = state.info.answer;
  const [rows, columns] = extent(cells());
  const shift = edges ? 1 : 0.5;
  const [row, column] = [y, x].map((part) => Math.round(part / UNIT + shift));
  const inside = row > 0 && column > 0 && row <= rows + (edges ? 1 : 0) && column <= columns + (edges ? 1 : 0);
  const name = cellName(row, column);
  const [right, down] = inside ? ending(name) : [Infinity, Infinity];
  return Math.hypot(right - x, down - y) < reach ? name : "";
}
/** Returns the two ends whose line would go by a point. */
function side({ x, y }) {
  const { edges } = state.info.answer;
  const [u, v] = [x, y].map((part) => part / UNIT - (edges ? 0 : 0.5));
  const [i, j] = [Math.floor(u), Math.floor(v)];
  const [across, down] = [Math.abs(v - Math.round(v)), Math.abs(u - Math.round(u))];
  const [row, column] = across < down ? [Math.round(v), i] : [j, Math.round(u)];
  const ends = [[row, column], across < down ? [row, column + 1] : [row + 1, column]];
  const [one, other] = ends.map(([r, c]) => cellName(r + 1, c + 1));
  const fits = edges || [one, other].every((cell) => cells().includes(cell));
  return fits && Math.min(across, down) < 0.3 && row >= 0 && column >= 0 ? [one, other] : null;
}
/**
 * Lines follow the pointer; the first step of a drag decides whether it draws or takes away. A press on an edge draws it;
 * between two cells, it makes a cross. The right button makes crosses, and so does a long press.
 */
export const lining = {
  down(at, event) {
    settle();
    this.own = event.button === 2 ? "x" : "-";
    this.held = false;
    this.from = near(at, 20);
    this.start = at;
    this.trail = this.from ? [this.from] : [];
    this.sign = null;
    select(at.cell ? [at.cell] : []);
  },
  move(at) {
    const to = near(at);
    const from = this.trail.at(-1);
    if (!to || !from || to === from) return;
    if (state.info.answer.double) {
      this.trail = [this.from, to]; // a bridge has only its two ends
      draft(s("polyline", { class: "draft", points: this.trail.map(ending).join(" ") }));
    } else if (beside(from, to)) {
      if (this.sign !== "" && this.trail.at(-2) === to) {
        join(from, to, "", "line");
        this.trail.pop();
        return;
      }
      this.sign ??= signOf(from, to) === this.own ? "" : this.own;
      join(from, to, this.sign, "line");
      this.trail.push(to);
    }
  },
  up(at) {
    const [one, other] = this.trail;
    const { double, edges, marks } = state.info.answer;
    const right = this.own === "x";
    const still = Math.hypot(at.x - this.start.x, at.y - this.start.y) < 6 && !this.held;
    if (other && double) {
      const [[r, c], [row, column]] = [place(one), place(other)];
      if (r === row || c === column) join(one, other, { "": "-", "-": "=" }[signOf(one, other)] ?? "");
    } else if (!other && still) {
      const two = side(at);
      const mark = marks && at.cell && Math.hypot(at.x - middle(at.cell)[0], at.y - middle(at.cell)[1]) < 11;
      if (mark) shade([at.cell], after(at.cell, right ? 2 : 1));
      else if (two) this.press(two, edges ? this.own : "x");
    }
    settle();
  },
  press(two, sign) {
    join(...two, signOf(...two) === sign || (signOf(...two) && !state.info.answer.edges) ? "" : sign);
  },
  hold(at) {
    const two = state.info.answer.edges && this.trail.length < 2 && side(at);
    if (!two) return;
    this.held = true;
    this.press(two, "x");
  },
  cancel() {
    if (this.trail.length > 1 && !state.info.answer.double) undo();
  },
};
/** Alt and an arrow draw a line from the cell, or along its side; with Shift, a cross. */
export function lineKey(event) {
  const way = WAYS[event.key];
  if (!way || !event.altKey || !state.cursor) return false;
  const [row, column] = place(state.cursor);
  const [down, right] = way;
  const corner = (i, j) => cellName(row + i, column + j);
  const along = down ? [[down > 0 ? 1 : 0, 0], [down > 0 ? 1 : 0, 1]] : [[0, right > 0 ? 1 : 0], [1, right > 0 ? 1 : 0]];
  const { edges, double } = state.info.answer;
  const ends = edges ? along.map(([i, j]) => corner(i, j)) : [state.cursor, corner(down, right)];
  if (!edges && !cells().includes(ends[1])) return true;
  const now = signOf(...ends);
  join(...ends, event.shiftKey ? (now === "x" ? "" : "x") : now === "-" ? (double ? "=" : "") : now === "=" ? "" : "-");
  edges || select([ends[1]]);
  return true;
}
