// The board: the drawing of the server, and the layers of the page under and over it; pointer and keys.
import { UNIT, around, cellName, drawing, extent, inOrder, inWords, middle, place, s } from "./dom.js";
import { cells, colorOf, given, highest, kind, lineParts, low, once, settle, state } from "./state.js";

let host = null;
let svg = null;
let base = null; // the group of the server's drawing in which a cell is 40 units
let layers = {}; // ours: what is under the lines of the drawing, over its numbers, frames, unfinished strokes
let hits = new Map(); // {cell: the element that takes pointer and focus}
let parts = new Map(); // {cell: {signature, drawn: what is under the drawing and over it}}
let framed = new Set(); // the cells that are shown as selected
let shown = null; // the drawing that is there
let pressed = null; // the stroke under way
let deferred = null; // a drawing that came during it
let tapped = {}; // the cell that was pressed last, and when
let holding = 0;
/** What strokes and keys do; a mode sets it. */
export const input = { stroke: null, key: null, outside: null };
/** What is seen: entries, lit cells {cell: look}, rays [[from, to, look]] from cell to cell, a whole `unit`. The looks:
    `lit` for a unit, `goal`, `seen` for a ring, `no` for a cross, `wrong`, `waits`, `alike`. Modes may add, for each
    cell, `values` of an answer, what is `possible` and its `counts`, which of it is `struck`, what is `typed`, marks that
    are `excluded`, what is `hinted`, or `plain` for what is no board yet. */
export const view = { entries: true, lit: new Map(), rays: [], unit: [], peeled: false, still: false, turned: false };
let choose = null;

/** Prepares the place of the board. `chosen` is called when other cells are selected. */
export function stage(element, chosen) {
  [host, choose] = [element, chosen];
  host.addEventListener("pointerdown", (event) => {
    if (event.target === host && !event.ctrlKey && !event.shiftKey) select([]);
  });
  // Keys go to the board from wherever nothing else is typed.
  addEventListener("keydown", (event) => {
    if (event.key === "Tab") settle();
    const own = around(event, "#stage svg, textarea, select, dialog, input:not([type=checkbox])");
    if (input.key && !own && !view.still && !event.defaultPrevented && ![" ", "Enter"].includes(event.key)) {
      keydown(event);
    }
  });
}

/** Shows a drawing; with `still`, one without anything over it, such as a step. */
export function show(text, still = false) {
  deferred = pressed && !still ? text : null; // a stroke continues on the drawing that it began on
  if (deferred || (shown === text && view.still === still)) return paint();
  const next = drawing(text);
  const places = `${still} ${view.turned} ${next.getAttribute("viewBox")} ${cells()}`;
  [shown, view.still] = [text, still];
  if (!still && svg?.dataset.places === places) {
    base.querySelectorAll(":scope > [data-layer]").forEach((layer) => layer.remove());
    insert(next);
    return paint();
  }
  const focused = host.contains(document.activeElement);
  svg = next;
  svg.dataset.places = places;
  base = svg.querySelector(":scope > g");
  svg.querySelector(":scope > title")?.remove();
  svg.querySelector(":scope > .paper")?.remove(); // the page is the ground: only cells are paper
  base.prepend(s("path", { class: "paper", d: cells().map(square).join("") }));
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  // Frames hide no clue; but pieces and ribbons would hide them.
  const above = ["pieces", "areas", "ribbons", "lines"].includes(kind());
  const names = above ? ["under", "over", "frames", "edges", "sketch"] : ["under", "frames", "over", "edges", "sketch"];
  layers = Object.fromEntries(["lights", ...names].map((name) => [name, s("g", { class: name })]));
  base.firstChild.after(layers.lights); // under all colors, so that these stay as they are
  if (still) {
    base.append(layers.frames, layers.edges);
    svg.setAttribute("aria-label", "The board at this step");
  } else {
    dress();
  }
  const { width, height } = svg.viewBox.baseVal;
  const sizes = { "--broad": width, "--tall": height, "--most": `${(width / UNIT) * 128}px` };
  Object.entries(sizes).forEach(([name, value]) => host.style.setProperty(name, value));
  const old = host.querySelector(":scope > svg");
  old ? old.replaceWith(svg) : host.replaceChildren(svg);
  paint();
  if (focused && !still) focus();
}

/** Shows the board upright, or on its corner, as Strata does. */
export function turn(on) {
  view.turned = on;
  const text = shown;
  shown = null;
  show(text);
}

/** Puts the layers of a drawing between ours. */
function insert(from) {
  for (const layer of from.querySelectorAll(":scope > g > [data-layer]")) {
    const behind = kind() === "shading" ? ["backgrounds"] : ["backgrounds", "figures"]; // colors show on both
    layers[behind.includes(layer.dataset.layer) ? "under" : "over"].before(layer);
  }
}

/** Puts our layers under and over the drawing, and cells that take pointer and focus. */
function dress() {
  const [rows, columns] = extent(cells());
  const title = `${state.doc.board?.title ?? "Board"}, ${rows} rows and ${columns} columns`;
  const names = { "aria-multiselectable": "true", "aria-rowcount": rows, "aria-colcount": columns };
  const lines = Array.from({ length: rows }, (_, i) => s("g", { role: "row", "aria-rowindex": i + 1 }));
  const { lights, ...others } = layers;
  base.append(...Object.values(others), s("g", { role: "grid", "aria-label": title, ...names }, lines));
  insert(svg);
  svg.setAttribute("role", "group");
  [hits, parts, framed] = [new Map(), new Map(), new Set()];
  for (const cell of cells()) {
    const [row, column] = place(cell);
    const names = { role: "gridcell", "data-cell": cell, "aria-colindex": column, tabindex: -1 };
    const hit = box(cell, 0, { class: "hit", ...names });
    hits.set(cell, hit);
    lines[row - 1].append(hit);
  }
  state.cursor = hits.has(state.cursor) ? state.cursor : (cells()[0] ?? null);
  state.selection = new Set([...state.selection].filter((cell) => hits.has(cell)));
  if (kind() === "ribbons") heads(rows, columns);
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: cancel, keydown };
  Object.entries(listeners).forEach(([name, listener]) => svg.addEventListener(name, listener));
  svg.addEventListener("contextmenu", (event) => event.preventDefault());
}

/** Sets the part of the plane that the drawing shows. */
function room(x, y, width, height) {
  svg.setAttribute("viewBox", [x, y, width, height].join(" "));
}

/** Gives rows and columns heads to press, for ribbons. */
function heads(rows, columns) {
  const { width, height } = svg.viewBox.baseVal;
  room(-34, -34, width + 34, height + 34);
  const [left, top] = base.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
  const head = (line, index) => {
    const [x, y] = line === "row" ? [-left - 14, (index - 0.5) * UNIT] : [(index - 0.5) * UNIT, -top - 14];
    const names = { role: "button", tabindex: 0, "aria-label": `Lay a ribbon along ${line} ${index}` };
    const arrow = line === "row" ? `M${x - 5},${y - 6}l9,6l-9,6z` : `M${x - 6},${y - 5}l6,9l6,-9z`;
    const shape = s("rect", { x: x - 14, y: y - 14, width: 28, height: 28, rx: 6 });
    const press = () => input.outside?.({ line, index });
    const key = (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), press());
    const properties = { class: "head", "data-head": `${line} ${index}`, ...names, onclick: press, onkeydown: key };
    return s("g", properties, shape, s("path", { d: arrow }));
  };
  const all = (line, length) => Array.from({ length }, (_, i) => head(line, i + 1));
  base.append(s("g", { class: "heads" }, all("row", rows), all("column", columns)));
  if (view.turned) {
    const [wide, high] = [(width + 34) * Math.SQRT1_2, (height + 34) * Math.SQRT1_2];
    room(0, 0, wide + high, wide + high);
    base.setAttribute("transform", `translate(${high}) rotate(45) translate(${left + 34},${top + 34})`);
    svg.classList.add("turned");
  }
}

/** Draws what was done on a board into a small drawing of it. */
export function sketch(picture, { entries, pieces, lines = [] }) {
  const written = Object.entries(entries).flatMap(([cell, value]) => {
    const [x, y] = middle(cell);
    if (value === "x") return [box(cell, 0.5, { class: "shaded" })];
    return value === "o" ? [] : [text(x, y, value, "value", String(value).length > 2 ? 16 : 24)];
  });
  const around = pieces.map((piece) => s("path", { class: "own-piece", d: rim(piece) }));
  picture.querySelector(":scope > g").append(...written, ...around, ...drawnLines(lines));
}

// -- Painting -------------------------------------------------------------------------------------------

const text = (x, y, words, name, size) => {
  const label = s("text", { x, y, class: name, "dominant-baseline": "central" }, words);
  label.style.fontSize = `${size}px`;
  return label;
};
/** Returns the square of a cell, so many units smaller on each side. */
const box = (cell, inset, properties) => {
  const [x, y] = middle(cell).map((at) => at - UNIT / 2 + inset);
  return s("rect", { x, y, width: UNIT - 2 * inset, height: UNIT - 2 * inset, ...properties });
};
/** Returns the path around a cell. */
const square = (cell) => {
  const [x, y] = middle(cell).map((at) => at - UNIT / 2);
  return `M${x},${y}h${UNIT}v${UNIT}h${-UNIT}z`;
};
/** @type {[number, number, string][]} */
const SIDES = [[-1, 0, "h"], [1, 0, "h"], [0, -1, "v"], [0, 1, "v"]];
/** Returns the sides of a cell, each with the cell beyond it and its path. */
const sides = (cell) => {
  const [row, column] = place(cell);
  return SIDES.map(([down, right, way]) => {
    const from = [column - 1 + Number(right > 0), row - 1 + Number(down > 0)].map((at) => at * UNIT);
    return [cellName(row + down, column + right), `M${from}${way}${UNIT}`];
  });
};
/** Whether cells may be shaded. */
const shades = () => ["shading", "lines"].includes(kind());
const CORNERS = [[8, 9], [32, 9], [8, 32], [32, 32], [20, 9], [20, 32], [8, 20.5], [32, 20.5]];

/** Draws what has changed; cells whose content is the same stay. */
export function paint() {
  if (!svg) return;
  if (view.still) return paintFrames();
  const { entries, corner, centre, colors } = state.doc;
  const most = highest();
  const labelled = new Set(state.info?.labelled);
  for (const [cell, hit] of hits) {
    const printed = given(cell);
    const seen = view.entries && !printed;
    const hinted = view.hinted?.[cell];
    const value = hinted ?? (view.struck?.[cell] ? undefined : view.values ? (printed ? "" : view.values[cell]) : seen ? entries[cell] : undefined);
    const content = {
      value,
      own: !view.values,
      marks: seen && !value && !view.struck?.[cell] ? [corner[cell] ?? [], centre[cell] ?? []] : [[], []],
      excluded: view.excluded?.[cell],
      colors: view.entries ? colors[cell] : null,
      possible: view.struck?.[cell]?.all ?? (value === undefined && !printed ? view.possible?.[cell] : undefined),
      struck: view.struck?.[cell]?.out,
      counts: view.counts?.[cell],
      typed: view.typed?.[cell],
      labelled: labelled.has(cell),
      most,
    };
    const words = inWriting(cell, content, printed);
    const signature = JSON.stringify([content, words]);
    const old = parts.get(cell);
    if (old?.signature !== signature) {
      const next = [s("g", {}, ground(cell, content)), s("g", {}, inside(cell, content))];
      next.forEach((one, i) => (old ? old.drawn[i].replaceWith(one) : layers[["under", "over"][i]].append(one)));
      parts.set(cell, { signature, drawn: next });
      hit.setAttribute("aria-label", `${inWords(cell)}: ${words}`);
      hit.setAttribute("aria-readonly", Boolean(printed));
    }
  }
  if (shades()) {
    const values = view.values ?? (view.entries ? entries : {});
    for (const label of base.querySelectorAll("[data-layer=contents] text")) {
      const { cell } = spot(label.getAttribute("x"), label.getAttribute("y"));
      label.classList.toggle("reversed", values[cell] === "x");
    }
  }
  layers.over.querySelector(".whole")?.remove();
  const whole = view.plain ? plain(view.plain) : view.entries && !view.values ? [...bands(), ...outlines(), ...drawnLines(state.doc.lines)] : [];
  layers.over.append(s("g", { class: "whole" }, whole));
  paintFrames();
}

/** Draws a shaded cell, as the puzzle shows it: such as a star. */
function shaded(cell) {
  const { figure } = state.info?.answer ?? {};
  if (!figure) return box(cell, 0.5, { class: "shaded" });
  const [x, y] = middle(cell).map((at) => at - UNIT / 2);
  return s("g", { transform: `translate(${x},${y})` }, ...drawing(`<svg>${figure}</svg>`).children);
}
/** Draws the colors and the shade of a cell. */
function ground(cell, { value, colors }) {
  const [x, y] = middle(cell).map((at) => at - UNIT / 2);
  const stripes = (colors ?? []).map((color, i, { length }) => {
    const width = UNIT / length;
    return s("rect", { class: `color c${color}`, x: x + i * width, y, width, height: UNIT });
  });
  return shades() && value === "x" ? [shaded(cell), ...stripes] : stripes;
}

/** Draws what is written in a cell. */
function inside(cell, content) {
  const { value, own, marks: [corner, centre], excluded, possible, struck, counts, typed, labelled, most } = content;
  const [x, y] = middle(cell);
  const [left, top] = [x - UNIT / 2, y - UNIT / 2];
  const clear = () => s("circle", { class: "clear", cx: x, cy: y, r: 3.5 });
  if (typed !== undefined) return [box(cell, 4, { class: "typed-case" }), text(x, y, typed, "typed", 22)];
  if (value && shades()) return value === "x" ? [] : [clear()];
  if (value) return [text(x, y, value, own ? "value" : "found", String(value).length > 2 ? 16 : 24)];
  const look = (mark) => (excluded?.includes(mark) ? "pencilled excluded" : "pencilled");
  const found = corner.map((mark, i) => {
    const [right, down] = CORNERS[i % CORNERS.length];
    const long = mark.length > 1; // then it is smaller, and farther from the edge
    return text(left + right + (long ? (20 - right) / 6 : 0), top + down, mark, look(mark), long ? 8.5 : 10.5);
  });
  if (centre.length) {
    const words = centre.join(most > 9 ? " " : "");
    const spans = centre.flatMap((mark, i) => [i && most > 9 ? " " : "", s("tspan", { class: look(mark) }, mark)]);
    found.push(text(x, y + 0.5, spans, "pencilled", Math.min(13, 36 / words.length / 0.58)));
  }
  if (!possible || found.length) return found;
  const [only] = possible.length === 1 ? possible : [];
  if (kind() === "shading") return only === "x" ? [box(cell, 9, { class: "shaded" })] : only ? [clear()] : [];
  if (kind() !== "numbers") return [];
  if (possible.length < 2 && !struck) return [text(x, y, only ?? "×", only ? "decided" : "impossible", 22)];
  const many = most - low() + 1;
  const side = Math.ceil(Math.sqrt(many));
  const above = labelled ? 9 : 3; // the sum of a cage stays free
  const at = (part, count, first) => ((part + 0.5) / count) * (UNIT - 3 - first) + first;
  const size = Math.min(labelled ? 9 : 11, 30 / side) * (most > 9 ? 0.85 : 1);
  return possible.map((number) => {
    const i = Number(number) - low();
    const count = counts?.[number];
    const often = count === undefined ? "" : count === 1 ? "once" : count < 4 ? "few" : "many";
    const [right, down] = [at(i % side, side, 3), at(Math.floor(i / side), Math.ceil(many / side), above)];
    const look = struck?.includes(number) ? "struck" : often;
    return text(left + right, top + down, number, `possible ${look}`, size);
  });
}

/** Says what a cell holds, what is printed there, and its colors and lines, for screen readers. */
function inWriting(cell, { value, marks, excluded, possible, colors }, printed) {
  const { doc, info } = state;
  const tile = info.colors[cell];
  const shade = shades() && { x: "shaded", o: "not shaded" }[value];
  const own = (printed && `${printed}, given`) || shade || value;
  const pencilled = marks.flat().length && `marks ${marks.flat().join(" ")}`;
  const piece = doc.pieces.findIndex((one) => one.includes(cell)) + 1;
  const written = [
    own || pencilled || (possible && `possible ${possible.join(" ")}`),
    excluded?.length && `excluded ${excluded.join(" ")}`,
    piece && `piece ${piece}`,
    view.entries && !view.values && [...linesAt(cell), ...ribbonAt(cell)].join(", "),
    colors?.length && `color ${colors.join(" ")}`,
  ];
  const there = [tile && colorOf(tile).name, info.words?.[cell]];
  const words = [...written, ...there].filter(Boolean).join(", ");
  return `${words || "empty"}${view.lit.get(cell) === "wrong" ? ", wrong" : ""}`;
}
/** Says which lines and crosses lead from a cell, or are along its sides: "line right". */
function linesAt(cell) {
  const [row, column] = place(cell);
  const edges = state.info?.answer.edges;
  return state.doc.lines.flatMap((line) => {
    const [one, sign, other] = lineParts(line);
    const [[r, c], [down, right]] = [place(one), place(other)];
    let way = "";
    if (edges && r === down && c === column) way = { [row]: "above", [row + 1]: "below" }[r];
    else if (edges && c === right && r === row) way = { [column]: "left", [column + 1]: "right" }[c];
    else if (!edges && one === cell) way = r === down ? "right" : "down";
    else if (!edges && other === cell) way = r === down ? "left" : "up";
    return way ? [`${{ "-": "line", "=": "double line", x: "cross" }[sign]} ${way}`] : [];
  });
}
/** Says which ribbon is on top in a cell. */
function ribbonAt(cell) {
  const [row, column] = place(cell);
  const top = state.doc.ribbons.findLast(({ line, index }) => index === { row, column }[line]);
  return top ? [`under the ${top.color ? colorOf(top.color).name : "free"} ribbon of ${top.line} ${top.index}`] : [];
}

/** Draws ribbons, from the bottom to the top, and over them what is to be seen there; peeled ribbons are gone. */
function bands() {
  const [rows, columns] = extent(cells());
  const inset = view.peeled ? 0 : 5;
  const drawn = state.doc.ribbons.flatMap(({ line, index, color }) => {
    const [along, across] = line === "row" ? ["x", "y"] : ["y", "x"];
    const [long, wide] = line === "row" ? ["width", "height"] : ["height", "width"];
    const length = (line === "row" ? columns : rows) * UNIT + 2 * inset;
    const at = { [along]: -inset, [across]: (index - 1) * UNIT + inset, [long]: length, [wide]: UNIT - 2 * inset };
    const look = `band${color ? "" : " free"}${view.peeled ? " peeled" : ""}`;
    const band = s("rect", { class: look, fill: color ? colorOf(color).color : "#eeeeee", rx: inset && 3, ...at });
    return view.peeled ? [s("rect", { class: "typed-case", ...at }), band] : [band];
  });
  if (view.peeled || !drawn.length) return drawn;
  const dots = Object.entries(state.info.colors).map(([cell, token]) => {
    const [cx, cy] = middle(cell);
    return s("circle", { class: "band", fill: colorOf(token).color, cx, cy, r: 7 });
  });
  return [...drawn, ...dots];
}

/** Draws the walls around pieces. */
function outlines() {
  const paths = state.doc.pieces.map(rim);
  const own = paths.map((d) => s("path", { class: "own-piece", d }));
  return [s("path", { class: "piece-case", d: paths.join("") }), ...own];
}

/** Returns where a line ends: in the middle of a cell, or at a corner of cells. */
export const ending = (name) =>
  state.info?.answer.edges ? place(name).reverse().map((part) => (part - 1) * UNIT) : middle(name);
/** Draws lines, and crosses where there is none. */
function drawnLines(lines) {
  return lines.map((line) => {
    const [one, sign, other] = lineParts(line);
    const [[x, y], [right, down]] = [ending(one), ending(other)];
    const [u, v] = [(x + right) / 2, (y + down) / 2];
    if (sign === "x") return s("path", { class: "own-cross", d: `M${u - 4},${v - 4}l8,8m0,-8l-8,8` });
    const [i, j] = sign === "=" ? (x === right ? [3, 0] : [0, 3]) : [0, 0];
    return s("path", { class: "own-line", d: `M${x - i},${y - j}L${right - i},${down - j}M${x + i},${y + j}L${right + i},${down + j}` });
  });
}

/** Draws regions and numbers that are no board yet, which the server therefore does not draw. */
function plain(tokens) {
  const all = [...hits.keys()];
  const lines = (wall) =>
    all
      .flatMap((cell) => sides(cell).filter(([other]) => (tokens[other]?.region !== tokens[cell].region) === wall))
      .map(([, path]) => path)
      .join("");
  const words = all.flatMap((cell) => {
    const [x, y] = middle(cell);
    const { region, number } = tokens[cell];
    return [text(x - 13, y - 12, region ?? "", "corner", 9), text(x, y, number ?? "", "given", 22)];
  });
  const drawn = [s("path", { class: "thin", d: lines(false) }), s("path", { class: "wall", d: lines(true) })];
  return [...all.map((cell) => box(cell, 0, { class: "typed-case" })), ...drawn, ...words];
}

/** Returns the path around cells. */
const rim = (all) => all.flatMap(sides).filter(([other]) => !all.includes(other)).map(([, path]) => path).join("");
/** How cells are lit. */
const filled = (cell, name) => box(cell, 0, { class: name });
const LOOKS = {
  lit: filled,
  wrong: filled,
  alike: filled,
  frame: (cell, name) => box(cell, 2, { class: name }),
  seen: (cell, name) => s("circle", { class: name, cx: middle(cell)[0], cy: middle(cell)[1], r: 15.5 }),
  no(cell, name) {
    const [x, y] = middle(cell);
    return s("path", { class: name, d: `M${x - 6},${y - 6}l12,12m0,-12l-12,12` });
  },
};
/** Draws a dotted line from cell to cell, from the edge of a ring. */
function ray([from, to, look]) {
  const [[x, y], [right, down]] = [middle(from), middle(to)];
  const part = Math.min(1, 16 / Math.hypot(right - x, down - y));
  const start = [x + (right - x) * part, y + (down - y) * part];
  return s("path", { class: `ray ${look ?? ""}`, d: `M${start}L${right},${down}` });
}
/** Returns the cells with the number of the cell that is selected. */
function alikes() {
  const [cell, ...more] = state.selection;
  const value = (one) => given(one) || (view.entries && state.doc.entries[one]);
  if (!cell || more.length || kind() !== "numbers" || !value(cell) || view.still || view.lit.size) return [];
  return cells().filter((one) => one !== cell && value(one) === value(cell)).map((one) => [one, "alike"]);
}
/** Returns the cells that share a row, a column or a region with the one that is selected, where these hold numbers once. */
function peers() {
  const [cell, ...more] = state.selection;
  if (!cell || more.length || state.mode !== "play" || !once() || view.still || view.lit.size) return [];
  const { key, now } = state.info.schema.find(({ tool }) => tool === "region") ?? {};
  const grid = state.doc.board[key] ?? now;
  const [row, column] = place(cell);
  const shares = ([r, c]) => r === row || c === column || (grid && grid[r - 1]?.[c - 1] === grid[row - 1]?.[column - 1]);
  return cells().filter((one) => one !== cell && shares(place(one)));
}
/** Returns the middle of cells on the screen. */
export function pointOf(all) {
  const [x, y] = [0, 1].map((i) => all.reduce((sum, cell) => sum + middle(cell)[i], 0) / all.length);
  return new DOMPoint(x, y).matrixTransform(base.getScreenCTM());
}
/** Draws a frame around a solved board, and lets the numbers swell, in a wave. */
export function finish(on) {
  host.classList.toggle("solved", on);
  svg?.querySelector(".finish")?.remove();
  if (!on || !svg) return;
  const [rows, columns] = extent(cells());
  const edge = { x: -5, y: -5, width: columns * UNIT + 10, height: rows * UNIT + 10, pathLength: 1 };
  base.append(s("rect", { class: "finish", ...edge }));
  for (const [cell, { drawn }] of parts) {
    drawn[1].style.animationDelay = `${place(cell).reduce((sum, part) => sum + part, 0) * 45}ms`;
  }
}

/** Draws the selection and lit cells, and says them to screen readers. */
function paintFrames() {
  const lit = [...view.lit].filter(([cell]) => view.still || hits.has(cell));
  const [fills, lamps] = [peers().map((cell) => box(cell, 0, { class: "peer" })), []];
  for (const [cell, look] of [...alikes(), ...lit]) {
    const shape = LOOKS[look] ?? LOOKS.frame;
    (["lit", "wrong", "alike"].includes(look) ? fills : lamps).push(shape(cell, `lamp ${look}`));
    if (look === "wrong") lamps.push(box(cell, 1.5, { class: "wrong-edge" }));
  }
  const unit = view.unit.length ? view.unit : lit.filter(([, look]) => look === "lit").map(([cell]) => cell);
  view.unit.forEach((cell) => fills.push(LOOKS.lit(cell, "lamp lit")));
  layers.edges?.replaceChildren(s("path", { class: "unit-edge", d: rim(unit) }), ...view.rays.map(ray));
  layers.lights?.replaceChildren(...fills);
  if (view.still) return layers.frames.replaceChildren(...lamps);
  const squares = [...state.selection].map((cell) => {
    const [x, y] = middle(cell).map((at) => at - UNIT / 2 + 2);
    return `M${x},${y}h36v36h-36z`;
  });
  const frame = (name) => s("path", { class: name, d: squares.join("") });
  layers.frames.replaceChildren(...lamps, frame("selected-case"), frame("selected"));
  for (const cell of new Set([...framed, ...state.selection])) {
    hits.get(cell)?.setAttribute("aria-selected", state.selection.has(cell));
  }
  framed = new Set(state.selection);
  svg.querySelector(".hit[tabindex='0']")?.setAttribute("tabindex", -1);
  hits.get(state.cursor)?.setAttribute("tabindex", 0);
}

/**
 * Lights up cells: {cell: look}, or a list of cells; none if it is left out.
 * @param {Iterable<any>} lit
 * @param {{rays?: any[][], unit?: string[]}} more
 */
export function light(lit = new Map(), { rays = [], unit = [] } = {}) {
  Object.assign(view, { rays, unit });
  view.lit = lit instanceof Map ? lit : new Map([...lit].map((cell) => [cell, "lit"]));
  paint();
}

/** Draws a stroke that is not done yet. */
export function draft(...elements) {
  layers.sketch?.replaceChildren(...elements);
}
export const polyline = (line) => s("polyline", { class: "draft", points: line.map(middle).join(" ") });
export const boxes = (members) => inOrder(members).map((cell) => box(cell, 4, { class: "draft-box" }));

// -- Selection ------------------------------------------------------------------------------------------

/** Selects cells; the last is the cursor. A number that is being typed ends. */
export function select(chosen, cursor = [...chosen].at(-1)) {
  settle();
  state.selection = new Set(chosen);
  state.cursor = cursor ?? state.cursor;
  if (svg && !view.still) paintFrames();
  choose();
}
/** Gives the board the focus. */
export function focus() {
  hits.get(state.cursor)?.focus({ preventScroll: true });
}

// -- The pointer ----------------------------------------------------------------------------------------

/** Returns the place of a point in units of the board, with its cell. */
function spot(x, y) {
  const cell = cellName(Math.floor(y / UNIT) + 1, Math.floor(x / UNIT) + 1);
  return { x, y, cell: hits.has(cell) ? cell : null };
}
/** Returns where an event is. */
function where(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(base.getScreenCTM().inverse());
  return spot(point.x, point.y);
}
/** Returns where a point of the board, in cells, is on the stage, in percent, and how large a cell is, in pixels. */
export function seat(x, y) {
  const matrix = base.getScreenCTM();
  const point = new DOMPoint(x * UNIT, y * UNIT).matrixTransform(matrix);
  const { left, top, width, height } = host.getBoundingClientRect();
  const part = (at, all) => `${(100 * at) / all}%`;
  return { left: part(point.x - left, width), top: part(point.y - top, height), size: matrix.a * UNIT };
}
const selecting = {
  down({ cell, twice }, event) {
    const more = event.ctrlKey || event.metaKey || event.shiftKey || state.several;
    this.before = more ? [...state.selection] : [];
    this.adds = !this.before.includes(cell);
    if (twice) return this.hold({ cell });
    const chosen = this.adds ? [...this.before, cell] : this.before.filter((one) => one !== cell);
    return select(chosen.filter(Boolean), cell ?? undefined);
  },
  move({ cell }) {
    if (cell && state.selection.has(cell) !== this.adds) {
      const rest = [...state.selection].filter((one) => one !== cell);
      select(this.adds ? [...rest, cell] : rest, cell);
    }
  },
  hold({ cell }) {
    select([...this.before, ...alike(cell)], cell);
    this.adds = true;
  },
  up() {},
  cancel() {
    select(this.before);
  },
};
/** Returns the cells with the same number; or else the same marks; or else the same colors. */
function alike(cell) {
  const { entries, corner, centre, colors } = state.doc;
  const value = (other) => given(other) || entries[other];
  const part = [centre, corner, colors].find((marks) => marks[cell]?.length);
  const same = value(cell) ? value : part ? (other) => String(part[other]) : (other) => other;
  return cells().filter((other) => same(other) === same(cell));
}

function down(event) {
  if (around(event, ".head")) return;
  if (pressed || event.button > 2) {
    cancel();
    return;
  }
  event.preventDefault();
  const at = where(event);
  at.twice = at.cell && tapped.cell === at.cell && event.timeStamp - tapped.time < 500;
  tapped = { cell: at.cell, time: event.timeStamp };
  const stroke = input.stroke ?? selecting;
  state.cursor = at.cell ?? state.cursor;
  pressed = { at, stroke, id: event.pointerId, first: at.cell };
  svg.setPointerCapture(event.pointerId);
  focus();
  stroke.down(at, event);
  holding = setTimeout(() => at.cell && stroke.hold?.(at, event), 700);
}
function move(event) {
  if (event.pointerId !== pressed?.id) return;
  const [from, to] = [pressed.at, where(event)];
  if (to.cell !== pressed.first) clearTimeout(holding);
  // A fast pointer jumps over cells.
  const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / 10));
  for (let i = 1; i <= steps; i += 1) {
    const [x, y] = ["x", "y"].map((axis) => from[axis] + ((to[axis] - from[axis]) * i) / steps);
    pressed.stroke.move(spot(x, y), event);
  }
  pressed.at = to;
}
function up(event) {
  if (event.pointerId === pressed?.id) release((stroke) => stroke.up(where(event), event));
}
const cancel = () => release((stroke) => stroke.cancel?.());
/** Ends a stroke; the drawing that came during it is shown. */
function release(end) {
  const stroke = pressed?.stroke;
  pressed = null;
  clearTimeout(holding);
  stroke && end(stroke);
  draft();
  if (deferred) show(deferred);
}
/** Whether a point is so near to the middle of its cell that a line may turn there; diagonals pass corners. */
export const central = ({ x, y, cell }) => cell && Math.hypot(x - middle(cell)[0], y - middle(cell)[1]) < 15;

// -- Keys -----------------------------------------------------------------------------------------------

export const WAYS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/** Returns the next cell on a way; beyond the edge, the first one from the other side. */
function next(cell, [down, right]) {
  const [rows, columns] = extent(cells());
  let [row, column] = place(cell);
  do {
    row = ((row - 1 + down + rows) % rows) + 1;
    column = ((column - 1 + right + columns) % columns) + 1;
  } while (!hits.has(cellName(row, column)));
  return cellName(row, column);
}

function keydown(event) {
  if (around(event, ".head") || !state.cursor) return;
  const more = event.ctrlKey || event.metaKey;
  const typed = /^Numpad\d$/.test(event.code) && event.getModifierState("NumLock");
  const inRow = cells().filter((cell) => place(cell)[0] === place(state.cursor)[0]);
  const ends = { Home: (more ? cells() : inRow)[0], End: (more ? cells() : inRow).at(-1) };
  const way = event.altKey || typed ? null : event.key;
  const to = WAYS[way] ? next(state.cursor, WAYS[way]) : ends[way];
  if (to) {
    select(more || event.shiftKey ? [...state.selection, to] : [to], to);
    focus();
  } else if (more && event.code === "KeyA") {
    select(cells(), state.cursor);
  } else if (event.key === "Escape") {
    draft();
    select([]);
  } else if (!input.key?.(event)) {
    return;
  }
  event.preventDefault();
}
