// The board: the drawing of the server, and over it what the page draws by itself; pointer and keys.
import { UNIT, cellName, drawing, extent, inOrder, inWords, middle, place, s } from "./dom.js";
import { cells, fixed, given, highest, kind, low, state } from "./state.js";

let host = null;
let svg = null;
let base = null; // the group of the server's drawing in which a cell is 40 units
let under = null; // under the lines and numbers of the drawing
let over = null;
let frames = null; // selection and lit cells
let sketch = null; // what a stroke draws until it is done
let hits = new Map();
let parts = new Map(); // {cell: {signature, under, over}}
let shown = null; // the drawing that is there
let pressed = null; // the stroke under way
let deferred = null; // a drawing that came during it
let tapped = { cell: null, time: 0 };
/** What strokes and keys do; a mode sets it. */
export const input = { stroke: null, key: null, outside: null };
/** What is seen besides entries: values and candidates of answers; lit cells {cell: "lit", "wrong" or "clue"}. */
export const view = { entries: true, values: null, possible: null, counts: null, typed: null, plain: null, lit: new Map(), still: false };
let choose = () => {};

/** Prepares the place of the board. `chosen` is called when other cells are selected. */
export function stage(element, chosen) {
  host = element;
  choose = chosen;
  host.addEventListener("pointerdown", (event) => {
    if (event.target === host && !event.ctrlKey && !event.shiftKey) {
      select([]);
    }
  });
}

/** Shows a drawing; with `still`, one without anything over it, such as a step. */
export function show(text, still = false) {
  deferred = pressed && !still ? text : null; // a stroke goes on over the drawing it began on
  if (deferred) {
    return paint();
  }
  if (shown === text && view.still === still) {
    return paint();
  }
  const next = drawing(text);
  const places = `${next.getAttribute("viewBox")} ${cells()}`;
  const same = !still && !view.still && svg?.dataset.places === places;
  const focused = host.contains(document.activeElement);
  shown = text;
  view.still = still;
  if (same) {
    base.querySelectorAll(":scope > [data-layer]").forEach((layer) => layer.remove());
    insert(next);
    return paint();
  }
  svg = next;
  svg.dataset.places = places;
  svg.querySelector(":scope > title")?.remove();
  base = svg.querySelector(":scope > g");
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  const box = svg.viewBox.baseVal;
  svg.style.setProperty("--wide", box.width);
  svg.style.setProperty("--high", box.height);
  frames = s("g", { class: "frames" });
  if (!still) {
    dress(box);
  } else {
    base.append(frames);
    svg.setAttribute("aria-label", "The board at this step");
  }
  host.replaceChildren(svg);
  paint();
  if (focused && !still) {
    focus();
  }
  }

/** Puts the layers of a drawing between ours. */
function insert(from) {
  for (const layer of from.querySelectorAll(":scope > g > [data-layer]")) {
    (layer.dataset.layer === "backgrounds" ? under : over).before(layer);
  }
}

/** Puts our layers under and over the drawing, and cells that take pointer and focus. */
function dress(box) {
  under = s("g", { class: "under" });
  over = s("g", { class: "over" });
  sketch = s("g", { class: "sketch" });
  const grid = s("g", { class: "hits" });
  base.append(under, over, frames, sketch, grid);
  insert(svg);
  hits = new Map();
  parts = new Map();
  const [rows, columns] = extent(cells());
  svg.setAttribute("role", "grid");
  svg.setAttribute("aria-label", `${state.doc.board?.title ?? "Board"}, ${rows} rows and ${columns} columns`);
  svg.setAttribute("aria-multiselectable", "true");
  svg.setAttribute("aria-rowcount", rows);
  svg.setAttribute("aria-colcount", columns);
  const known = new Set(cells());
  for (let row = 1; row <= rows; row += 1) {
    const line = s("g", { role: "row", "aria-rowindex": row });
    for (let column = 1; column <= columns; column += 1) {
      const cell = cellName(row, column);
      if (known.has(cell)) {
        const at = { x: (column - 1) * UNIT, y: (row - 1) * UNIT, width: UNIT, height: UNIT };
        const hit = s("rect", { class: "hit", role: "gridcell", "data-cell": cell, "aria-colindex": column, tabindex: -1, ...at });
        hits.set(cell, hit);
        line.append(hit);
      }
    }
    grid.append(line);
  }
  if (!known.has(state.cursor)) {
    state.cursor = cells()[0] ?? null;
  }
  state.selection = new Set([...state.selection].filter((cell) => known.has(cell)));
  heads(box, rows, columns);
  svg.addEventListener("pointerdown", down);
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", cancel);
  svg.addEventListener("keydown", keydown);
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Gives rows and columns heads to press, for ribbons. */
function heads(box, rows, columns) {
  if (kind() !== "ribbons") {
    return;
  }
  const room = 34;
  const [left, top] = base.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
  svg.setAttribute("viewBox", `${box.x - room} ${box.y - room} ${box.width + room} ${box.height + room}`);
  svg.querySelector(".paper")?.setAttribute("transform", `translate(${-room},${-room})`);
  svg.querySelector(".paper")?.setAttribute("width", box.width + room);
  svg.querySelector(".paper")?.setAttribute("height", box.height + room);
  svg.style.setProperty("--wide", box.width + room);
  svg.style.setProperty("--high", box.height + room);
  const head = (line, index, x, y) => {
    const press = () => input.outside?.({ line, index });
    const key = (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        press();
      }
    };
    const name = `Lay a ribbon along ${line} ${index}`;
    const properties = { class: "head", role: "button", tabindex: 0, "aria-label": name, "data-head": `${line} ${index}` };
    const arrow = line === "row" ? `M${x - 5},${y - 6}l9,6l-9,6z` : `M${x - 6},${y - 5}l6,9l6,-9z`;
    const box_ = s("rect", { x: x - 14, y: y - 14, width: 28, height: 28, rx: 6 });
    return s("g", { ...properties, onclick: press, onkeydown: key }, box_, s("path", { d: arrow }));
  };
  const list = s("g", { class: "heads" });
  for (let row = 1; row <= rows; row += 1) {
    list.append(head("row", row, -left - 14, (row - 0.5) * UNIT));
  }
  for (let column = 1; column <= columns; column += 1) {
    list.append(head("column", column, (column - 0.5) * UNIT, -top - 14));
  }
  base.append(list);
}

/** Returns the color with which the drawing fills the tiles of a token. */
export function tileColor(token) {
  const grid = state.doc.board.tiles ?? [];
  for (const [i, row] of grid.entries()) {
    const j = [...row].indexOf(token);
    const found = j >= 0 && base?.querySelector(`rect[fill][x="${j * UNIT}"][y="${i * UNIT}"]`);
    if (found) {
      return found.getAttribute("fill");
    }
  }
  return state.doc.board.colors?.[token] ?? "#999999";
}

// -- Painting -------------------------------------------------------------------------------------------

const text = (x, y, words, name, size) => {
  const label = s("text", { x, y, class: name, "dominant-baseline": "central" }, words);
  label.style.fontSize = `${size}px`;
  return label;
};
const box = (cell, inset, properties) => {
  const [row, column] = place(cell);
  const side = UNIT - 2 * inset;
  return s("rect", { x: (column - 1) * UNIT + inset, y: (row - 1) * UNIT + inset, width: side, height: side, ...properties });
};
const CORNERS = [[8, 9], [32, 9], [8, 32], [32, 32], [20, 9], [20, 32], [8, 20.5], [32, 20.5]];

/** Draws what has changed; cells whose content is the same stay. */
export function paint() {
  if (!svg || view.still) {
    if (svg) {
      frames.replaceChildren(...[...view.lit].map(([cell, look]) => box(cell, 1.5, { class: `lamp ${look}` })));
    }
    return;
  }
  const { entries, corner, centre, colors } = state.doc;
  const most = highest();
  for (const cell of hits.keys()) {
    const seen = view.entries && !fixed(cell);
    const value = view.values ? (given(cell) ? "" : view.values[cell]) : seen ? entries[cell] : undefined;
    const content = {
      value,
      own: !view.values,
      marks: seen && !value ? [corner[cell], centre[cell]] : null,
      colors: view.entries ? colors[cell] : null,
      possible: value === undefined && !given(cell) ? view.possible?.[cell] : undefined,
      counts: view.counts?.[cell],
      typed: view.typed?.[cell],
    };
    const signature = JSON.stringify(content);
    const old = parts.get(cell);
    if (old?.signature !== signature) {
      const next = { signature, under: s("g", {}, wedges(cell, content)), over: s("g", {}, inside(cell, content, most)) };
      if (old) {
        old.under.replaceWith(next.under);
        old.over.replaceWith(next.over);
      } else {
        under.append(next.under);
        over.append(next.over);
      }
      parts.set(cell, next);
    }
  }
  over.querySelector(".whole")?.remove();
  const whole = view.plain ? plain(view.plain) : view.entries && !view.values ? [...bands(), ...outlines()] : [];
  over.append(s("g", { class: "whole" }, whole));
  paintFrames();
}

/** Draws the colors and the shade of a cell. */
function wedges(cell, { value, colors }) {
  const found = [];
  if (kind() === "shading" && value === "x") {
    found.push(box(cell, 0.5, { class: "shaded" }));
  }
  const [row, column] = place(cell);
  const many = colors?.length ?? 0;
  for (const [i, color] of (colors ?? []).entries()) {
    const corner = (turn) => {
      const angle = (turn / many) * 2 * Math.PI - Math.PI / 2;
      const far = 20 / Math.max(Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle)));
      return `${((column - 0.5) * UNIT + far * Math.cos(angle)).toFixed(2)},${((row - 0.5) * UNIT + far * Math.sin(angle)).toFixed(2)}`;
    };
    // Eighths of a turn, so that the corners of the cell are among the points of a wedge.
    const turns = [i, ...[0.125, 0.375, 0.625, 0.875].map((part) => part * many).filter((turn) => i < turn && turn < i + 1), i + 1];
    const points = [many > 1 ? `${middle(cell)}` : corner(0), ...turns.map(corner)];
    found.push(s("polygon", { class: `c${color}`, points: points.join(" ") }));
  }
  return found;
}

/** Draws what is written in a cell. */
function inside(cell, { value, own, marks, possible, counts, typed }, most) {
  const [x, y] = middle(cell);
  const [left, top] = [x - UNIT / 2, y - UNIT / 2];
  if (typed !== undefined) {
    return [box(cell, 4, { class: "typed-case" }), text(x, y, typed, "typed", 22)];
  }
  if (value !== undefined && value !== "" && value !== null) {
    if (kind() === "shading") {
      return value === "x" ? [] : [s("circle", { class: "clear", cx: x, cy: y, r: 3.5 })];
    }
    return [text(x, y, value, own ? "value" : "found", String(value).length > 2 ? 16 : 24)];
  }
  const found = [];
  for (const [i, mark] of (marks?.[0] ?? []).entries()) {
    const [dx, dy] = CORNERS[i % CORNERS.length];
    found.push(text(left + dx, top + dy, mark, "pencilled", 10.5));
  }
  if (marks?.[1]?.length) {
    const words = marks[1].join(most > 9 ? " " : "");
    found.push(text(x, y + 0.5, words, "pencilled", Math.min(13, 36 / words.length / 0.58)));
  }
  if (possible && kind() === "numbers" && !marks?.[0]?.length && !marks?.[1]?.length) {
    if (possible.length === 1) {
      found.push(text(x, y, possible[0], "decided", 22));
    } else if (possible.length === 0) {
      found.push(text(x, y, "×", "impossible", 22));
    } else {
      const side = Math.ceil(Math.sqrt(most - low() + 1));
      for (const number of possible) {
        const i = Number(number) - low();
        const at = (part) => ((part + 0.5) / side) * (UNIT - 6) + 3;
        const count = counts?.[number];
        const look = count === undefined ? "" : count === 1 ? "once" : count < 4 ? "few" : "many";
        found.push(text(left + at(i % side), top + at(Math.floor(i / side)), number, `possible ${look}`, Math.min(11, 30 / side)));
      }
    }
  }
  if (possible && kind() === "shading" && possible.length === 1) {
    found.push(possible[0] === "x" ? box(cell, 9, { class: "shaded" }) : s("circle", { class: "clear", cx: x, cy: y, r: 3.5 }));
  }
  return found;
}

/** Draws ribbons, from the bottom to the top. */
function bands() {
  const [rows, columns] = extent(cells());
  return state.doc.ribbons.map(({ line, index, color }) => {
    const across = (index - 1) * UNIT + 5;
    const length = (line === "row" ? columns : rows) * UNIT + 10;
    const at = line === "row" ? { x: -5, y: across, width: length, height: 30 } : { x: across, y: -5, width: 30, height: length };
    const fill = color ? tileColor(color) : "#eeeeee";
    return s("rect", { class: color ? "band" : "band free", fill, rx: 3, ...at });
  });
}

/** Draws the walls around pieces. */
function outlines() {
  return state.doc.pieces.map((piece) => {
    const own = new Set(piece);
    let path = "";
    for (const cell of piece) {
      const [row, column] = place(cell);
      const [x, y] = [(column - 1) * UNIT, (row - 1) * UNIT];
      path += own.has(cellName(row - 1, column)) ? "" : `M${x},${y}h${UNIT}`;
      path += own.has(cellName(row + 1, column)) ? "" : `M${x},${y + UNIT}h${UNIT}`;
      path += own.has(cellName(row, column - 1)) ? "" : `M${x},${y}v${UNIT}`;
      path += own.has(cellName(row, column + 1)) ? "" : `M${x + UNIT},${y}v${UNIT}`;
    }
    return s("g", {}, s("path", { class: "piece-case", d: path }), s("path", { class: "own-piece", d: path }));
  });
}

/** Draws regions and numbers that are no board yet, which the server therefore does not draw. */
function plain(tokens) {
  const [thin, wall] = [[], []];
  for (const cell of hits.keys()) {
    const [row, column] = place(cell);
    const [x, y] = [(column - 1) * UNIT, (row - 1) * UNIT];
    for (const [other, path] of [[cellName(row, column + 1), `M${x + UNIT},${y}v${UNIT}`], [cellName(row + 1, column), `M${x},${y + UNIT}h${UNIT}`]]) {
      (tokens[other]?.region === tokens[cell].region ? thin : wall).push(path);
    }
  }
  const cover = [...hits.keys()].map((cell) => box(cell, 0, { class: "typed-case" }));
  const words = [...hits.keys()].flatMap((cell) => {
    const [x, y] = middle(cell);
    const { region, number } = tokens[cell];
    return [text(x - 13, y - 12, region ?? "", "corner", 9), text(x, y, number ?? "", "given", 22)];
  });
  return [...cover, s("path", { class: "thin", d: thin.join("") }), s("path", { class: "wall", d: wall.join("") }), ...words];
}

/** Draws the selection and lit cells, and says them to screen readers. */
export function paintFrames() {
  const drawn = [...view.lit].filter(([cell]) => hits.has(cell)).map(([cell, look]) => box(cell, 1.5, { class: `lamp ${look}` }));
  let path = "";
  for (const cell of state.selection) {
    const [row, column] = place(cell);
    path += `M${(column - 1) * UNIT + 2},${(row - 1) * UNIT + 2}h36v36h-36z`;
  }
  frames.replaceChildren(...drawn, s("path", { class: "selected-case", d: path }), s("path", { class: "selected", d: path }));
  for (const [cell, hit] of hits) {
    const own = state.doc.entries[cell];
    const printed = given(cell);
    const marks = [...(state.doc.corner[cell] ?? []), ...(state.doc.centre[cell] ?? [])];
    const found = view.values?.[cell] ?? (view.possible?.[cell] ? `possible ${view.possible[cell].join(" ")}` : "");
    const words = printed ? `${printed}, given` : fixed(cell) ? "printed" : found || own || (marks.length ? `marks ${marks.join(" ")}` : "empty");
    const look = view.lit.get(cell) === "wrong" ? ", wrong" : "";
    hit.setAttribute("aria-label", `${inWords(cell)}: ${words}${look}`);
    hit.setAttribute("aria-selected", state.selection.has(cell));
    hit.setAttribute("aria-readonly", fixed(cell));
    hit.setAttribute("tabindex", cell === state.cursor ? 0 : -1);
  }
}

/** Lights up cells: {cell: look}; none if it is left out. */
export function light(lit = new Map()) {
  view.lit = lit instanceof Map ? lit : new Map([...lit].map((cell) => [cell, "lit"]));
  if (svg) {
    view.still ? paint() : paintFrames();
  }
}

/** Draws a stroke that is not done yet. */
export function draft(...elements) {
  sketch?.replaceChildren(...elements);
}
export const polyline = (line) => s("polyline", { class: "draft", points: line.map((cell) => middle(cell).join(",")).join(" ") });
export const boxes = (members) => inOrder(members).map((cell) => box(cell, 4, { class: "draft-box" }));

// -- Selection ------------------------------------------------------------------------------------------

/** Selects cells; the last is the cursor. */
export function select(chosen, cursor = [...chosen].at(-1)) {
  state.selection = new Set(chosen);
  state.cursor = cursor ?? state.cursor;
  if (svg && !view.still) {
    paintFrames();
  }
  choose();
}
/** Gives the board the focus. */
export function focus() {
  hits.get(state.cursor)?.focus({ preventScroll: true });
}

// -- The pointer ----------------------------------------------------------------------------------------

/** Returns where an event is, in units of the board, and in which cell. */
function spot(event) {
  const matrix = base.getScreenCTM().inverse();
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
  const cell = cellName(Math.floor(y / UNIT) + 1, Math.floor(x / UNIT) + 1);
  return { x, y, cell: hits.has(cell) ? cell : null, time: event.timeStamp };
}
const selecting = {
  down({ cell }, event) {
    const more = event.ctrlKey || event.metaKey || event.shiftKey || state.several;
    const twice = cell && tapped.cell === cell && event.timeStamp - tapped.time < 450;
    tapped = { cell, time: event.timeStamp };
    if (twice) {
      return select([...(more ? state.selection : []), ...alike(cell)], cell);
    }
    const adds = !(more && state.selection.has(cell));
    const chosen = new Set(more ? state.selection : []);
    this.adds = adds;
    adds ? chosen.add(cell) : chosen.delete(cell);
    return select(cell ? chosen : [], cell ?? undefined);
  },
  move({ cell }) {
    if (cell && state.selection.has(cell) !== this.adds) {
      const chosen = new Set(state.selection);
      this.adds ? chosen.add(cell) : chosen.delete(cell);
      select(chosen, cell);
    }
  },
  up() {},
};
/** Returns the cells with the same number; or else the same marks; or else the same colors. */
function alike(cell) {
  const { entries, corner, centre, colors } = state.doc;
  const value = given(cell) || entries[cell];
  const same = (part) => cells().filter((other) => JSON.stringify(part[other]) === JSON.stringify(part[cell]));
  if (value) {
    return cells().filter((other) => (given(other) || entries[other]) === value);
  }
  return [centre, corner, colors].filter((part) => part[cell]?.length).map(same)[0] ?? [cell];
}

function down(event) {
  if (event.target.closest(".head")) {
    return;
  }
  if (pressed || event.button > 2) {
    cancel();
    return;
  }
  event.preventDefault();
  const at = spot(event);
  if (at.cell) {
    state.cursor = at.cell;
  }
  pressed = { at, id: event.pointerId, stroke: input.stroke ?? selecting };
  svg.setPointerCapture(event.pointerId);
  focus();
  pressed.stroke.down(at, event);
}
function move(event) {
  if (!pressed || event.pointerId !== pressed.id) {
    return;
  }
  const to = spot(event);
  const from = pressed.at;
  // A fast pointer jumps over cells.
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 10));
  for (let i = 1; i <= steps && pressed; i += 1) {
    const [x, y] = [from.x + ((to.x - from.x) * i) / steps, from.y + ((to.y - from.y) * i) / steps];
    const cell = cellName(Math.floor(y / UNIT) + 1, Math.floor(x / UNIT) + 1);
    pressed.stroke.move({ x, y, cell: hits.has(cell) ? cell : null }, event);
  }
  if (pressed) {
    pressed.at = to;
  }
}
function up(event) {
  if (pressed && event.pointerId === pressed.id) {
    const { stroke } = pressed;
    pressed = null;
    stroke.up(spot(event), event);
    draft();
    if (deferred) {
      show(deferred);
    }
  }
}
function cancel() {
  const { stroke } = pressed ?? {};
  pressed = null;
  stroke?.cancel?.();
  draft();
  if (deferred) {
    show(deferred);
  }
}
/** Whether a point is so near to the middle of its cell that a line may turn there; diagonals pass corners. */
export const central = ({ x, y, cell }) => {
  const [cx, cy] = cell ? middle(cell) : [0, 0];
  return cell && Math.hypot(x - cx, y - cy) < 15;
};


// -- Keys -----------------------------------------------------------------------------------------------

const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Returns the next cell on a way; beyond the edge, the first one from the other side. */
function next(cell, [dr, dc]) {
  const [rows, columns] = extent(cells());
  let [row, column] = place(cell);
  for (let i = 0; i < Math.max(rows, columns); i += 1) {
    row = ((row - 1 + dr + rows) % rows) + 1;
    column = ((column - 1 + dc + columns) % columns) + 1;
    if (hits.has(cellName(row, column))) {
      return cellName(row, column);
    }
  }
  return cell;
}

function keydown(event) {
  const more = event.ctrlKey || event.metaKey;
  const [rows, columns] = extent(cells());
  const [row] = state.cursor ? place(state.cursor) : [1];
  const inRow = cells().filter((cell) => place(cell)[0] === row);
  let to = null;
  if (event.target.closest(".head")) {
    return;
  }
  if (WAYS[event.key] && state.cursor && !event.altKey) {
    to = next(state.cursor, WAYS[event.key]);
  } else if (event.key === "Home") {
    to = more ? cells()[0] : inRow[0];
  } else if (event.key === "End") {
    to = more ? cells().at(-1) : inRow.at(-1);
  } else if (more && event.code === "KeyA") {
    event.preventDefault();
    select(cells(), state.cursor);
    return;
  } else if (event.key === "Escape") {
    draft();
    select([]);
    return;
  }
  if (to && rows && columns) {
    event.preventDefault();
    select(more || event.shiftKey ? [...state.selection, to] : [to], to);
    focus();
    return;
  }
  if (input.key?.(event)) {
    event.preventDefault();
  }
}
