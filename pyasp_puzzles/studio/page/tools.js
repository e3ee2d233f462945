// What strokes and keys set on a board, tool by tool; and the values of keys: grids, lines, tables.
import { WAYS, boxes, central, draft, focus, polyline, select, view } from "./board.js";
import { UNIT, beside, cellName, extent, inOrder, place } from "./dom.js";
import { cells, digit, editBoard, high, settle, state } from "./state.js";

/**
 * What is chosen for the tools: a name, a sign, a direction; whether the next line is a loop; groups that wait for
 * another; a line that waits for its value; the entry of the panel that is at hand.
 */
export const chosen = { key: null, token: null, once: false, loop: false, parts: [], pending: "", slot: null };
/** The tool for cells that the board lacks. */
export const HOLES = { key: "#", tool: "hole", label: "holes" };

// -- Values of keys -------------------------------------------------------------------------------------

const table = (height, width, at) =>
  Array.from({ length: height }, (_, i) => Array.from({ length: width }, (__, j) => at(i, j)));
export const schema = () => state.info?.schema ?? [];
export const lines = (key, board = state.doc.board) => [board[key] ?? []].flat();
/** Changes a key; a key without a value is removed. */
export const change = (key, value, merge = "") =>
  editBoard((board) => {
    board[key] = value;
    const empty = typeof value === "object" ? !Object.keys(value ?? {}).length : value === "";
    empty && delete board[key];
  }, merge);
export const editLines = ({ key }, next, merge = "") =>
  change(key, next(lines(key)).filter((line) => line.trim()), merge);
const known = new Map(); // {line: what it says}, from the server, and of the lines that are made here
/** Keeps what lines say: {line: {cells, words: the line without its value, value}}. */
export const learn = (lines_) => Object.entries(lines_).forEach(([line, says]) => known.set(line, says));
/** Returns what a line says; no cells while the server has not said it. */
export const said = (line) => known.get(line) ?? { cells: [], words: line, value: "" };
const cellsOf = (line) => said(line).cells;
const written = (form, parts) => form.replace(/{(\w+)}/g, (_, part) => [parts[part]].flat().join(" "));
/** Returns a line of cells, which may be two groups, as the server writes it. */
function lineOf(one, cells_, first = [], token = "") {
  const words = written(one.form, { first, cells: cells_, token });
  learn({ [words]: { cells: [...first, ...cells_], words, value: "" } });
  return words;
}
/** Returns a line with another value. */
export function withValue(one, line, text) {
  const [{ cells: own, words }, value] = [said(line), text.trim()];
  const next = value ? written(one.valued, { words, value }) : words;
  learn({ [next]: { cells: own, words, value } });
  return next;
}
/** Returns the number of the last line of a key that has all of some cells; -1 if none has. */
const lineAt = ({ key }, ...wanted) =>
  lines(key).findLastIndex((line) => wanted.every((cell) => cellsOf(line).includes(cell)));

/** Whether the value of a key is a grid with the shape of the board. */
export const isGrid = ({ grid, tool }) => grid && !["sign", "crossing"].includes(tool);
/** Returns the corners of a cell, clockwise from the upper left, which has the name of the cell. */
export function cornersOf(cell) {
  const [r, c] = place(cell);
  return [cellName(r, c), cellName(r, c + 1), cellName(r + 1, c + 1), cellName(r + 1, c)];
}
/** Returns a grid of a key for changes; a new one if the board has none. */
export function gridOf(one, board = state.doc.board) {
  const now = board[one.key] ?? one.now;
  const rest = one.tool === "region" && one.whole ? "A" : null;
  if (now) return now.map((row) => [...row]);
  const [height, width] = extent(cells());
  const known = new Set(cells());
  const corners = new Set(cells().flatMap(cornersOf));
  if (one.tool === "crossing") return table(height + 1, width + 1, (i, j) => (corners.has(cellName(i + 1, j + 1)) ? null : "#"));
  return one.tool === "sign"
    ? table(2 * height - 1, 2 * width - 1, (i, j) => (i % 2 || j % 2 ? "." : "o"))
    : table(height, width, (i, j) => (known.has(cellName(i + 1, j + 1)) ? rest : "#"));
}
export const isBlank = (token) => [null, undefined, ".", "#", "o", "+"].includes(token);
export function tokenAt(one, cell) {
  const [row, column] = place(cell);
  return (state.doc.board[one.key] ?? one.now ?? gridOf(one))[row - 1]?.[column - 1] ?? null;
}
/** Sets cells of a grid; numbers are seen at once, before the drawing comes. */
export function put(one, targets, token, merge = "") {
  const changed = editBoard((board) => {
    const grid = gridOf(one, board);
    for (const [row, column] of targets.map(place)) grid[row - 1][column - 1] = token;
    board[one.key] = grid;
    if (!one.required && one.tool !== "region" && grid.flat().every(isBlank)) delete board[one.key];
    if (token && board.palette && one.palette && !board.palette.includes(token)) {
      board.palette = [...board.palette, token];
    }
  }, merge);
  if (changed && one.tool === "number") {
    view.typed = { ...view.typed, ...Object.fromEntries(targets.map((cell) => [cell, token ?? ""])) };
  }
}
/** Returns what may be chosen for a tool: names, signs, directions. */
export function choices(one) {
  const grid = one.grid && (state.doc.board[one.key] || one.now) ? gridOf(one).flat() : [];
  const every = [...(one.values ?? []), ...(one.tool === "sight" ? one.sides : []), ...grid];
  return [...new Set(every.filter((token) => !isBlank(token)).map(String))];
}
export function freshName(one) {
  const used = new Set(choices(one));
  const names = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ", ...Array.from({ length: 900 }, (_, i) => String(i + 1))];
  return names.find((name) => !used.has(name));
}
function setSign(one, first, second, token) {
  const [i, j] = [0, 1].map((k) => place(first)[k] + place(second)[k] - 2);
  const grid = gridOf(one);
  grid[i][j] = grid[i][j] === token ? "." : token;
  change(one.key, grid.flat().every(isBlank) ? [] : grid);
}
const longSide = (side) => extent(cells())[["top", "bottom"].includes(side) ? 1 : 0];
export const labels = ({ key }, side, board = state.doc.board) =>
  board[key]?.[side] ?? Array(longSide(side)).fill(".");
export function setLabel(one, side, index, text) {
  const next = labels(one, side).map((old, i) => (i === index ? text.trim() || "." : old));
  const { [side]: _, ...rest } = state.doc.board[one.key] ?? {};
  change(one.key, next.every((label) => label === ".") ? rest : { ...rest, [side]: next });
}
/** Returns the regions that the sums of a key are about: {name: cells}. */
export function regions({ of }) {
  const key = schema().find((other) => other.key === of);
  return Object.groupBy(cells().filter((cell) => !isBlank(tokenAt(key, cell))), (cell) => tokenAt(key, cell));
}

// -- Symmetry, holes, size ------------------------------------------------------------------------------

/** Where the partner of a cell is, given one more than the rows, and than the columns; true: on squares only. */
export const SYMMETRIES = {
  none: ["none", (r, c) => [r, c]],
  half: ["half a turn", (r, c, high, wide) => [high - r, wide - c]],
  sideways: ["mirror left and right", (r, c, _, wide) => [r, wide - c]],
  upright: ["mirror top and bottom", (r, c, high) => [high - r, c]],
  falling: ["diagonal ╲", (r, c) => [c, r], true],
  rising: ["diagonal ╱", (r, c, high, wide) => [wide - c, high - r], true],
  quarter: ["quarter turns", (r, c, high) => [c, high - r], true],
};
/** Returns the cells that go with a cell by the symmetry of givens, the cell too. */
export function partners(cell) {
  const [high, wide] = extent(cells()).map((side) => side + 1);
  const [, turn] = SYMMETRIES[state.settings.symmetry] ?? SYMMETRIES.none;
  const found = [cell];
  while (found.length < 4) {
    found.push(cellName(...turn(...place(found.at(-1)), high, wide)));
  }
  return [...new Set(found)].filter((one) => cells().includes(one));
}
export const answerKey = () => schema().find(({ answers }) => answers);
/** Returns the empty cells that wait for a given, because a partner has one. */
export function waiting() {
  const key = answerKey();
  const none = !key || state.mode !== "set" || state.settings.symmetry === "none";
  const blank = (cell) => isBlank(tokenAt(key, cell));
  return none ? [] : cells().filter((cell) => blank(cell) && !partners(cell).every(blank));
}

export function holes() {
  const { board } = state.doc;
  const grid = board[schema().find((one) => isGrid(one) && board[one.key])?.key] ?? [];
  return grid.flatMap((row, i) => row.flatMap((token, j) => (token === "#" ? [cellName(i + 1, j + 1)] : [])));
}
/**
 * Gives the board another outline: its size, cells that go, and holes that come back as a part of what is beside them.
 * Clues on cells that go are removed.
 * @param {number[]} size
 */
export function reshape([height, width], gone = [], back = [], merge = "") {
  const has = (cell) => place(cell)[0] <= height && place(cell)[1] <= width && !gone.includes(cell);
  const between = (i, j) => [cellName((i >> 1) + 1, (j >> 1) + 1), cellName(((i + 1) >> 1) + 1, ((j + 1) >> 1) + 1)];
  const shapes = {
    sign: (now) => table(2 * height - 1, 2 * width - 1, (i, j) => (between(i, j).every(has) && now[i]?.[j]) || "."),
    crossing: (now) => table(height + 1, width + 1, (i, j) => now[i]?.[j] ?? null),
    outside(now) {
      const length = (side) => (["top", "bottom"].includes(side) ? width : height);
      const fit = ([side, old]) => [side, Array.from({ length: length(side) }, (_, i) => old[i] ?? ".")];
      return Object.fromEntries(Object.entries(now).map(fit));
    },
    grid(now) {
      const full = now.flat().every((token) => token !== null);
      const near = (i, j) => {
        const beside_ = [now[i - 1]?.[j], now[i + 1]?.[j], now[i]?.[j - 1], now[i]?.[j + 1], ...now.flat()];
        return full ? beside_.find((token) => !isBlank(token)) : null;
      };
      return table(height, width, (i, j) => {
        const [cell, token] = [cellName(i + 1, j + 1), now[i]?.[j]];
        return !has(cell) ? "#" : token === undefined || back.includes(cell) ? near(i, j) : token;
      });
    },
    marks: (now, one) => lineOf(one, [now].flat().flatMap(cellsOf).filter(has)),
    lines: (now) => [now].flat().filter((line) => cellsOf(line).every(has)),
  };
  editBoard((board) => {
    for (const one of schema().filter(({ key }) => board[key])) {
      const name = isGrid(one) ? "grid" : isPainted(one) ? "marks" : one.tool;
      const shape = shapes[name] ?? (isListed(one) ? shapes.lines : (now) => now);
      board[one.key] = shape(board[one.key], one);
      board[one.key].length === 0 && delete board[one.key];
    }
    board.size && (board.size = [height, width]);
    delete board.box;
  }, merge);
}

// -- What is laid on cells --------------------------------------------------------------------------------

const marked = ({ key }) => new Set(lines(key).flatMap(cellsOf));
/** Whether the value of a key is a list of lines of cells. */
export const isListed = (one) => !one.grid && !["outside", "sum", "total", "digits", "pattern"].includes(one.tool);
const isPainted = (one) => ["region", "name", "hole"].includes(one.tool) || (one.tool === "mark" && !one.value);
function read(one, cell) {
  return one === HOLES ? holes().includes(cell) : one.tool === "mark" ? marked(one).has(cell) : tokenAt(one, cell);
}
/** Returns what a press on a cell lays there, and a drag on the next cells. */
function wish(one, cell, erases = false) {
  const now = read(one, cell);
  if (one.tool === "region") return chosen.token ?? now;
  const same = erases || now === chosen.token;
  return one.tool === "name" ? (same ? (one.whole ? following(one, now) : null) : chosen.token) : !now;
}
/** Returns the next name; cells that must have one change it rather than lose it. */
const following = (one, now, all = choices(one)) => all[(all.indexOf(now) + 1) % all.length];
function lay(one, targets, what, merge = "") {
  if (one === HOLES) {
    reshape(state.info.size, what ? targets : [], what ? [] : targets, merge);
  } else if (one.tool === "mark") {
    const now = marked(one);
    targets.forEach((cell) => (what ? now.add(cell) : now.delete(cell)));
    const strange = lines(one.key).filter((line) => !known.has(line));
    change(one.key, [lineOf(one, inOrder(now)), ...strange].join(" ").trim(), merge);
  } else {
    put(one, targets, what, merge);
  }
}
/** Adds a line; if it needs a value, it waits for it. */
function add(one, words, report) {
  const value = one.value && one.values ? chosen.token : "";
  if (one.needed && !value) {
    Object.assign(chosen, { pending: words, slot: "new" });
  } else {
    editLines(one, (old) => [...old, withValue(one, words, value)]);
    chosen.slot = String(lines(one.key).length - 1);
  }
  report(true);
}
/** Returns the label beside a cell, at the nearest side that has labels: "top 3". */
function besideOf(one, cell) {
  const [[row, column], [rows, columns]] = [place(cell), extent(cells())];
  const far = { top: row, left: column, bottom: rows + 1 - row, right: columns + 1 - column };
  const side = one.sides.reduce((best, other) => (far[other] < far[best] ? other : best));
  return `${side} ${["top", "bottom"].includes(side) ? column : row}`;
}
/** Returns the line that a tool makes of cells; null if it makes none of them yet. */
const LINES = {
  pair: (one, members) => members.length > 1 && lineOf(one, members.slice(0, 2)),
  cage: (one, members) => lineOf(one, inOrder(members)),
  corner: (one, members) => lineOf(one, inOrder(members).slice(0, 1)),
  mark: (one, members) => lineOf(one, inOrder(members).slice(0, 1)),
  sight: (one, members) => lineOf(one, members.slice(0, 1), [], chosen.token),
  groups(one, members) {
    const [first] = chosen.parts;
    chosen.parts = first ? [] : [inOrder(members)];
    return first && lineOf(one, inOrder(members), first);
  },
  path(one, members) {
    const head = one.head ? (chosen.parts[0] ?? members.slice(0, 1)) : [];
    const rest = members.filter((cell) => !one.head || !head.includes(cell));
    const loop = chosen.loop && one.closed && rest[0] !== rest.at(-1) ? rest.slice(0, 1) : [];
    chosen.parts = [];
    return head.length + rest.length > 1 && lineOf(one, [...rest, ...loop], head);
  },
};
/** Adds what the tool makes of cells, in their order; called by strokes and, for selected cells, by Enter. */
export function apply(one, members, report) {
  const single = ["pair", "corner", "mark", "sight"].includes(one.tool);
  const old = single ? lineAt(one, ...members.slice(0, 2)) : -1;
  if (!members.length) return;
  if (isPainted(one)) {
    const fresh = one.tool === "region" && (chosen.token ?? freshName(one));
    lay(one, members, fresh || wish(one, members[0]));
  } else if (one.tool === "sign") {
    members.length > 1 && beside(...members) && setSign(one, members[0], members[1], chosen.token);
  } else if (one.tool === "crossing") {
    const corners = cornersOf(members[0]);
    chosen.slot = corners[(corners.indexOf(chosen.slot) + 1) % corners.length];
    report(true);
  } else if (one.tool === "outside") {
    chosen.slot = besideOf(one, members[0]);
    report(true);
  } else if (one.tool === "sum" || old >= 0) {
    const [region] = one.of ? Object.entries(regions(one)).find(([, own]) => own.includes(members[0])) ?? [] : [];
    chosen.slot = region ?? String(old);
    report(true);
  } else {
    const words = LINES[one.tool]?.(one, members);
    words ? add(one, words, report) : report();
  }
}

// -- Strokes --------------------------------------------------------------------------------------------

/** Returns the two cells of the edge that was pressed: the drawing names it. */
const edge = ({ clientX, clientY }) =>
  document.elementsFromPoint(clientX, clientY).map((one) => one.getAttribute("data-edge")).find(Boolean)?.split(" ");
/** Returns the cells around the corner that was pressed: the upper left one, and the lower right one, which may be none. */
const corner = ({ x, y }) => {
  const [column, row] = [x, y].map((part) => Math.round(part / UNIT));
  const near = Math.hypot(column * UNIT - x, row * UNIT - y) < 14;
  return near ? [cellName(row, column), cellName(row + 1, column + 1)] : [];
};
const exists = (cell) => cells().includes(cell);

/** Returns the stroke of a tool; null where cells are selected and then typed. */
export function strokeOf(one, report) {
  if (!one || ["number", "total", "digits", "pattern"].includes(one.tool)) return null;
  return one.tool === "outside" ? outside(one, report) : isPainted(one) ? painting(one, report) : drawing(one, report);
}
/** Presses beside the board lead to the entry of a label. */
const outside = (one, report) => ({
  down({ x, y, cell }) {
    const [height] = extent(cells());
    const across = y < 0 || y > height * UNIT;
    const side = y < 0 ? "top" : across ? "bottom" : x < 0 ? "left" : "right";
    select(cell ? [cell] : []);
    if (!cell && one.sides.includes(side)) {
      chosen.slot = `${side} ${Math.floor((across ? x : y) / UNIT) + 1}`;
      report(true);
    }
  },
  move() {},
  up() {},
});
/** A drag lays on all cells what a press lays on the first. */
const painting = (one, report) => ({
  down(at, event) {
    settle();
    select(at.cell ? [at.cell] : []);
    const { cell } = this.spot(at);
    this.what = cell ? wish(one, cell, event.button === 2) : undefined;
    this.painted = [];
    this.move(at);
  },
  spot({ x, y, cell }) {
    const beyond = cellName(Math.floor(y / UNIT) + 1, Math.floor(x / UNIT) + 1);
    return { cell: cell ?? (one === HOLES && holes().includes(beyond) ? beyond : null) };
  },
  move(at) {
    const { cell } = this.spot(at);
    if (cell && this.what !== undefined && read(one, cell) !== this.what) {
      lay(one, [cell], this.what, "paint");
      this.painted.push(cell);
      draft(...boxes(this.painted));
    }
  },
  up() {
    settle();
    if (chosen.once) Object.assign(chosen, { token: null, once: false });
    report();
  },
});
/** Draws lines, cages, groups, pairs, and clues on edges and corners. */
const drawing = (one, report) => ({
  down(at, event) {
    this.at = at;
    this.members = at.cell ? [at.cell] : [];
    this.more = event.ctrlKey || event.metaKey || event.shiftKey;
    select(this.more ? [...state.selection, ...this.members] : this.members);
  },
  move(at) {
    const { members } = this;
    const last = members.at(-1);
    const path = one.tool === "path";
    if (!at.cell || !last || this.more || at.cell === last) return;
    const loop = path && one.closed && at.cell === members[0] && members.length > 2;
    const two = ["pair", "sign"].includes(one.tool) && members.length > 1;
    if (path && members.at(-2) === at.cell) {
      members.pop();
    } else if (!two && (!path || central(at)) && (!members.includes(at.cell) || loop)) {
      members.push(at.cell);
    }
    draft(...(path || ["pair", "sign"].includes(one.tool) ? [polyline(members)] : boxes(members)));
  },
  up(_, event) {
    const { members } = this;
    draft();
    if (this.more) return;
    if (one.tool === "crossing") {
      const [, at_] = corner(this.at);
      chosen.slot = cells().flatMap(cornersOf).includes(at_) ? at_ : null;
      return report(chosen.slot !== null);
    }
    const single = ["mark", "sight", "sum"].includes(one.tool) || chosen.parts.length ? members : [];
    const near = { pair: edge, sign: edge, corner: () => corner(this.at).slice(0, 1).filter(exists) }[one.tool]?.(event) ?? single;
    const found = members.length > 1 ? members : near;
    if (found.length) {
      apply(one, found, report);
    } else if (members.length) {
      const at_ = lineAt(one, members[0]);
      chosen.slot = at_ < 0 ? null : String(at_);
      report(at_ >= 0);
    }
  },
  cancel: () => draft(),
});

// -- Keys -----------------------------------------------------------------------------------------------

/** Does what a key does with a tool. */
export function press(one, event, report) {
  const members = [...state.selection];
  const way = WAYS[event.key];
  if (one && event.altKey && way) {
    const [row, column] = place(state.cursor);
    const next = cellName(row + way[0], column + way[1]);
    state.cursor = exists(next) ? next : state.cursor;
    focus();
    return true;
  }
  if (!one || event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Enter") {
    apply(one, members, report);
  } else if (event.key === " ") {
    const rest = members.filter((cell) => cell !== state.cursor);
    select(rest.length < members.length ? rest : [...members, state.cursor], state.cursor);
  } else if (["Delete", "Backspace"].includes(event.key)) {
    erase(one, members);
  } else if (one.tool === "number" && /^(Digit|Numpad)\d$/.test(event.code)) {
    event.repeat || number(one, event.code.at(-1), members);
  } else if (one.tool === "number" && one.unknown && event.key === "?") {
    event.repeat || number(one, "?", members);
  } else if (one.tool === "name" && /^[\p{L}\p{N}_]$/u.test(event.key)) {
    put(one, members, event.key);
  } else {
    return false;
  }
  return true;
}
/** Clears what a tool has set on cells; a given goes with its partners. */
export function erase(one, members) {
  const kept = (_, i) => i !== lineAt(one, members.at(-1));
  if (["number", "name", "region"].includes(one.tool)) {
    one.whole || put(one, one.answers ? members.flatMap(partners) : members, null);
  } else if (isPainted(one)) {
    lay(one, members, false);
  } else if (one.tool === "sum") {
    const sums = Object.entries(state.doc.board[one.key] ?? {});
    const own = regions(one);
    change(one.key, Object.fromEntries(sums.filter(([name]) => !own[name]?.some((cell) => members.includes(cell)))));
  } else if (one.tool === "crossing") {
    put(one, members.flatMap(cornersOf), null);
  } else if (one.tool === "sign") {
    const near = (i, j) => ([r, c]) => Math.abs(2 * r - 2 - i) + Math.abs(2 * c - 2 - j) === 1;
    const at = members.map(place);
    const signs = gridOf(one).map((row, i) => row.map((sign, j) => (at.some(near(i, j)) ? "." : sign)));
    change(one.key, signs.flat().every(isBlank) ? [] : signs);
  } else if (members.length && isListed(one)) {
    editLines(one, (old) => old.filter(kept));
  }
}
/** Types a digit of a number, or ?. The same again clears the cells. */
export function number(one, key, members = [...state.selection]) {
  if (key === "?") {
    return members.every((cell) => tokenAt(one, cell) === key) ? erase(one, members) : put(one, members, key);
  }
  const most = one.answers ? Math.max(0, ...members.map(high)) : 999;
  digit(key, most, one.key, (value) => {
    const same = members.every((cell) => Number(tokenAt(one, cell) ?? NaN) === Number(value));
    same ? erase(one, members) : put(one, members, Number(value));
  });
}
