// What strokes and keys set on a board, tool by tool; and the values of keys: grids, lines, labels outside.
import { boxes, central, draft, polyline, select, view } from "./board.js";
import { UNIT, beside, cellName, extent, inOrder, place } from "./dom.js";
import { cells, editBoard, highest, settle, state } from "./state.js";

/** What is chosen for the tools: a token, a value for the next clue, groups that wait for another. */
export const chosen = { token: null, value: "", groups: [], typed: { time: 0, value: "" } };

// -- Values of keys -------------------------------------------------------------------------------------

export const lines = (key, board = state.doc.board) => {
  const value = board[key] ?? [];
  return typeof value === "string" ? [value] : [...value];
};
/** Changes the lines of a key; a key without lines goes, but the board keeps its variant. */
export function editLines({ key }, change, merge = "") {
  return editBoard((board) => {
    const next = change(lines(key, board)).filter((line) => line.trim());
    if (next.length) {
      board[key] = next;
    } else {
      delete board[key];
    }
  }, merge);
}
export const cellsOf = (line) => line.match(/r\d+c\d+/g) ?? [];
export const valueIn = (line) => {
  const [, after] = /=([^=]*)$/.exec(line) ?? [];
  return after === undefined || /r\d+c\d+/.test(after) ? "" : after.trim();
};
export const withValue = (line, value) => {
  const before = valueIn(line) || /=\s*$/.test(line) ? line.replace(/\s*=[^=]*$/, "") : line;
  return value.trim() ? `${before} = ${value.trim()}` : before;
};
/** Returns the number of the line of a key that has a cell, or all of some cells; -1 if none has. */
export const lineAt = ({ key }, ...wanted) => lines(key).findLastIndex((line) => wanted.every((cell) => cellsOf(line).includes(cell)));

export const isGrid = ({ kind, tool }) => tool === "sign" || ["regions", "colors", "givens", "numbers", "notes"].includes(kind);
const rows = (value) => (typeof value === "string" ? value.trim().split("\n").map((row) => (/\s/.test(row) ? row.trim().split(/\s+/) : [...row])) : value);

/** Returns the usual boxes of a Sudoku, which has no key for them. */
function boxNames(board, height, width) {
  const [high] = board.box ?? [Array.from({ length: Math.floor(Math.sqrt(height)) }, (_, i) => i + 1).filter((n) => height % n === 0).at(-1)];
  const wide = board.box?.[1] ?? width / high;
  return (row, column) => String(Math.floor((row - 1) / high) * Math.ceil(width / wide) + Math.floor((column - 1) / wide) + 1);
}
/** Returns a grid of a key for changes; a new one if the board has none. */
export function gridOf(tool, board) {
  if (board[tool.key]) {
    return rows(board[tool.key]).map((row) => [...row]);
  }
  const [height, width] = extent(cells());
  const known = new Set(cells());
  if (tool.tool === "sign") {
    return Array.from({ length: 2 * height - 1 }, (_, i) => Array.from({ length: 2 * width - 1 }, (__, j) => (i % 2 || j % 2 ? "." : "o")));
  }
  const name = boxNames(board, height, width);
  const token = (row, column) => (!known.has(cellName(row, column)) ? "#" : tool.tool === "region" ? name(row, column) : null);
  return Array.from({ length: height }, (_, i) => Array.from({ length: width }, (__, j) => token(i + 1, j + 1)));
}
export function tokenAt(tool, cell) {
  const [row, column] = place(cell);
  const grid = state.doc.board[tool.key] && rows(state.doc.board[tool.key]);
  return grid ? (grid[row - 1]?.[column - 1] ?? null) : tool.tool === "region" ? gridOf(tool, state.doc.board)[row - 1][column - 1] : null;
}
/** Sets cells of a grid; what is set is seen at once, before the drawing comes. */
export function put(tool, targets, token, merge = "") {
  const changed = editBoard((board) => {
    const grid = gridOf(tool, board);
    for (const cell of targets) {
      const [row, column] = place(cell);
      grid[row - 1][column - 1] = token;
    }
    const blank = ["number", "name"].includes(tool.tool) && grid.every((row) => row.every((one) => one === null || one === "." || one === "#"));
    const needed = ["givens", "tiles"].includes(tool.key) || !blank;
    if (needed) {
      board[tool.key] = grid;
    } else {
      delete board[tool.key];
    }
  }, merge);
  if (changed && tool.tool === "number") {
    view.typed = { ...view.typed, ...Object.fromEntries(targets.map((cell) => [cell, token ?? ""])) };
  }
}
/** Returns the tokens of a grid, the most used first. */
export function tokensOf(tool) {
  const grid = state.doc.board[tool.key] || tool.tool === "region" ? gridOf(tool, state.doc.board).flat() : [];
  return [...new Set([...(tool.values ?? []), ...grid])].map((one) => (one === null ? null : String(one))).filter((one) => one && !["#", ".", "o"].includes(one));
}
export function freshName(tool) {
  const used = new Set(tokensOf(tool));
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  return [...letters, ...Array.from({ length: 900 }, (_, i) => String(i + 1))].find((one) => !used.has(one));
}
function setSign(tool, one, other, token) {
  const [[r, c], [row, column]] = [place(one), place(other)];
  editBoard((board) => {
    const grid = gridOf(tool, board);
    const [i, j] = [r + row - 2, c + column - 2];
    grid[i][j] = grid[i][j] === token || !token ? "." : token;
    board[tool.key] = grid;
    if (grid.every((line) => line.every((sign) => ["o", ".", "#", "+"].includes(sign)))) {
      delete board[tool.key];
    }
  });
}

// -- Clues of cells -------------------------------------------------------------------------------------

const adding = (tool, text) => editLines(tool, (old) => [...old, text]);
const needsValue = (tool) => tool.tool === "corner" || (tool.tool === "mark" && tool.value);

/** Adds what the tool makes of cells, in their order; called by strokes and, for selected cells, by Enter. */
export function apply(tool, members, panel) {
  const kept = chosen.value.trim();
  const tail = kept && tool.value ? ` = ${kept}` : "";
  if (!members.length) {
    return;
  }
  if (tool.tool === "region") {
    put(tool, members, chosen.token ?? freshName(tool));
  } else if (tool.tool === "name") {
    put(tool, members, chosen.token);
  } else if (tool.tool === "path" && members.length > 1) {
    const pill = tool.head && chosen.head?.includes(members[0]) ? chosen.head : members.slice(0, 1);
    const shaft = members.slice(1).filter((cell) => !pill.includes(cell));
    adding(tool, (tool.head ? `${pill.join(" ")} > ${shaft.join(" ")}` : members.join(" ")) + tail);
    panel.added();
  } else if (tool.tool === "cage") {
    adding(tool, inOrder(members).join(" ") + tail);
    panel.added();
  } else if (tool.tool === "pair" && members.length >= 2) {
    const [one, other] = members;
    const old = lines(tool.key).findIndex((line) => [one, other].every((cell) => cellsOf(line).includes(cell)));
    old >= 0 ? panel.chose(old) : (adding(tool, `${one} ${other}${tail}`), panel.added());
  } else if (tool.tool === "sign" && members.length >= 2 && beside(members[0], members[1])) {
    setSign(tool, members[0], members[1], chosen.token ?? tool.values?.[0]);
  } else if (tool.tool === "groups") {
    chosen.groups.push(inOrder(members));
    if (chosen.groups.length > 1) {
      adding(tool, chosen.groups.map((group) => group.join(" ")).join(" = "));
      chosen.groups = [];
      panel.added();
    }
    panel.update();
  } else if (needsValue(tool)) {
    const cell = inOrder(members)[0];
    const old = lines(tool.key).findIndex((line) => cellsOf(line)[0] === cell);
    if (old >= 0) {
      panel.chose(old);
    } else if (kept) {
      adding(tool, `${cell} = ${kept}`);
    } else {
      panel.wait(cell);
    }
  } else if (tool.tool === "mark") {
    const now = new Set(lines(tool.key).flatMap(cellsOf));
    const goes = members.every((cell) => now.has(cell));
    members.forEach((cell) => (goes ? now.delete(cell) : now.add(cell)));
    editLines(tool, () => [inOrder(now).join(" ")], "mark");
  }
}

// -- Strokes --------------------------------------------------------------------------------------------

/** Returns the two cells whose border is near a point, or the four cells whose corner is. */
function border({ x, y }) {
  const [dx, dy] = [Math.round(x / UNIT) * UNIT - x, Math.round(y / UNIT) * UNIT - y];
  const across = Math.abs(dx) < Math.abs(dy);
  const row = across ? Math.floor(y / UNIT) + 1 : Math.round(y / UNIT);
  const column = across ? Math.round(x / UNIT) : Math.floor(x / UNIT) + 1;
  const pair = [cellName(row, column), across ? cellName(row, column + 1) : cellName(row + 1, column)];
  return Math.min(Math.abs(dx), Math.abs(dy)) < 11 && pair.every((cell) => cells().includes(cell)) ? pair : null;
}
const corner = ({ x, y }) => {
  const cell = cellName(Math.round(y / UNIT), Math.round(x / UNIT));
  return cells().includes(cell) && Math.hypot(Math.round(x / UNIT) * UNIT - x, Math.round(y / UNIT) * UNIT - y) < 14 ? cell : null;
};

/** Returns the stroke of a tool; null where cells are selected and then typed. */
export function strokeOf(tool, panel) {
  if (!tool || tool.tool === "number" || tool.sides?.includes("dr")) {
    return null;
  }
  if (tool.tool === "outside") {
    return { down: (at) => outside(tool, at, panel), move() {}, up() {} };
  }
  if (["region", "name"].includes(tool.tool)) {
    return painting(tool);
  }
  if (tool.tool === "mark" && !tool.value) {
    return {
      down({ cell }) {
        settle();
        const now = new Set(lines(tool.key).flatMap(cellsOf));
        this.goes = now.has(cell);
        select(cell ? [cell] : []);
        this.move({ cell });
      },
      move({ cell }) {
        if (cell && lines(tool.key).flatMap(cellsOf).includes(cell) === this.goes) {
          apply(tool, [cell], panel);
        }
      },
      up: settle,
    };
  }
  return drawing(tool, panel);
}

/** Paints names; a drag over cells goes on with what its first cell has, unless a name is chosen. */
function painting(tool) {
  return {
    down({ cell }, event) {
      settle();
      select(cell ? [cell] : []);
      if (!cell) {
        return;
      }
      const old = tokenAt(tool, cell);
      this.token = tool.tool === "region" ? (chosen.token ?? old) : old === chosen.token || event.button === 2 ? null : chosen.token;
      this.painted = [];
      this.move({ cell });
    },
    move({ cell }) {
      if (cell && this.token !== undefined && tokenAt(tool, cell) !== this.token) {
        put(tool, [cell], this.token, "paint");
        this.painted.push(cell);
        draft(...boxes(this.painted));
      }
    },
    up() {
      settle();
      if (chosen.once) {
        chosen.token = null;
        chosen.once = false;
      }
    },
  };
}

/** Draws lines, cages, groups, pairs, and clues on borders and corners. */
function drawing(tool, panel) {
  const shown = (members) => draft(...(["path", "pair", "sign"].includes(tool.tool) ? [polyline(members)] : boxes(members)));
  return {
    down(at, event) {
      this.at = at;
      this.members = at.cell ? [at.cell] : [];
      this.more = event.ctrlKey || event.metaKey || event.shiftKey;
      this.before = [...state.selection];
      select(this.more ? [...this.before, ...this.members] : this.members);
    },
    move(at) {
      const { cell } = at;
      const last = this.members.at(-1);
      if (!cell || !last || this.more || cell === last) {
        return;
      }
      if (this.members.at(-2) === cell) {
        this.members.pop();
      } else if ((tool.tool !== "path" || central(at)) && (!this.members.includes(cell) || (tool.tool === "path" && cell === this.members[0] && this.members.length > 2))) {
        if (["pair", "sign"].includes(tool.tool) && this.members.length > 1) {
          return;
        }
        this.members.push(cell);
      }
      shown(this.members);
    },
    up() {
      draft();
      const { members } = this;
      if (this.more) {
        return;
      }
      if (members.length > 1) {
        const pill = tool.head && this.before.length > 1 && this.before.includes(members[0]);
        chosen.head = pill ? this.before : null;
        apply(tool, members, panel);
        chosen.head = null;
        return;
      }
      const on = ["pair", "sign"].includes(tool.tool) ? border(this.at) : null;
      const at = tool.tool === "corner" ? corner(this.at) : needsValue(tool) ? members[0] : null;
      if (on) {
        apply(tool, on, panel);
      } else if (at) {
        apply(tool, [at], panel);
      } else if (members.length && tool.tool !== "sign") {
        panel.chose(lineAt(tool, members[0]));
      }
    },
    cancel() {
      draft();
    },
  };
}

/** Says which label outside the board was pressed. */
function outside(tool, { x, y, cell }, panel) {
  if (cell) {
    return select([cell]);
  }
  const [height, width] = extent(cells());
  const [row, column] = [Math.floor(y / UNIT) + 1, Math.floor(x / UNIT) + 1];
  const side = y < 0 ? "top" : y > height * UNIT ? "bottom" : x < 0 ? "left" : "right";
  const index = ["top", "bottom"].includes(side) ? column : row;
  if (index >= 1 && index <= (["top", "bottom"].includes(side) ? width : height)) {
    panel.label(side, index);
  }
  return undefined;
}
export function labels(tool, side, board = state.doc.board) {
  const [height, width] = extent(cells());
  const length = ["top", "bottom"].includes(side) ? width : height;
  const value = board[tool.key]?.[side] ?? Array(length).fill(".");
  return typeof value === "string" ? value.trim().split(/\s+/) : value.map((one) => String(one ?? "."));
}
export function setLabels(tool, side, next) {
  editBoard((board) => {
    board[tool.key] = { ...board[tool.key], [side]: next };
    if (next.every((one) => one === ".")) {
      delete board[tool.key][side];
    }
    if (!Object.keys(board[tool.key]).length) {
      delete board[tool.key];
    }
  });
}

// -- Keys -----------------------------------------------------------------------------------------------

/** Does what a key does with a tool. */
export function press(tool, event, panel) {
  const more = event.ctrlKey || event.metaKey || event.altKey;
  const members = [...state.selection];
  if (!tool || more) {
    return false;
  }
  if (event.key === "Enter" || (event.key === " " && tool.tool !== "number")) {
    apply(tool, members, panel);
    return true;
  }
  const erases = ["Delete", "Backspace"].includes(event.key);
  if (["number", "name"].includes(tool.tool)) {
    const typed = /^[\p{L}\p{N}]$/u.test(event.key) || (event.key === "_" && tool.tool === "name");
    if (erases) {
      put(tool, members, null);
      return true;
    }
    const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
    if (tool.tool === "number" && digit && !event.repeat) {
      number(tool, digit, members);
      return true;
    }
    if (tool.tool === "name" && typed) {
      put(tool, members, event.key);
      return true;
    }
  } else if (erases && members.length) {
    if (tool.tool === "mark" && !tool.value) {
      editLines(tool, (old) => [inOrder(old.flatMap(cellsOf).filter((cell) => !members.includes(cell))).join(" ")]);
    } else if (isGrid(tool) || tool.tool === "outside") {
      return false;
    } else {
      const at = lineAt(tool, members.at(-1));
      editLines(tool, (old) => old.filter((_, i) => i !== at));
    }
    return true;
  }
  return false;
}
/** Types a digit of a given; digits that follow soon make one number. */
export function number(tool, digit, members = [...state.selection]) {
  const now = performance.now();
  const most = tool.kind === "givens" ? highest() : 999;
  const both = chosen.typed.value + digit;
  const joined = now - chosen.typed.time < 1000 && most > 9 && Number(both) <= most;
  const value = joined ? both : digit;
  chosen.typed = { time: now, value };
  const same = !joined && members.every((cell) => String(tokenAt(tool, cell)) === value);
  put(tool, members, same ? null : Number(value));
}
