// Set: tools for each key of the board, variants, size, and boards in and out.
import { candidates, conflicts, verdict } from "./answers.js";
import { about, askAll } from "./ask.js";
import { focus, input, light, view } from "./board.js";
import { button, choice, download, field, h, inWords, place, tick } from "./dom.js";
import { cells, edit, editBoard, highest, open, state } from "./state.js";
import { say } from "./talk.js";
import { apply, cellsOf, chosen, editLines, freshName, isGrid, labels, lines, press, put, setLabels, strokeOf, tokenAt, tokensOf, valueIn, withValue } from "./tools.js";

let panel = null;
let active = null; // the key of the tool
let waiting = null; // the cell of a clue whose value is to be typed
let newest = -1; // the line that was added or chosen
let filter = "";
let built = {}; // what the panel was built of

const diagonal = ({ tool: name, sides: ways }) => name === "outside" && Boolean(ways?.includes("dr"));
const tool = () => state.info?.schema.find(({ key }) => key === active) ?? null;
const HOW = {
  number: "Select cells and type numbers. Delete clears.",
  region: "Drag from a region into other cells to enlarge it. For a new region, press “New” and drag, or select cells and press Enter.",
  name: "Choose a name, then press or drag over cells; the same again clears. Or select cells and type a letter.",
  path: "Drag along the cells. Or select them in order with Ctrl and the arrow keys, and press Enter.",
  cage: "Drag over the cells. Or select them and press Enter.",
  groups: "Drag over the first group, then over the second. Or select cells and press Enter, twice.",
  pair: "Press the border of two cells, or drag from one to the other. Or select both and press Enter.",
  corner: "Press the corner of four cells. Or select the upper left one and press Enter.",
  mark: "Press cells, or drag over them. Or select them and press Enter.",
  outside: "Press beside the board, or write all labels of a side here: . for none.",
  sign: "Choose a sign, then press the border of two cells. Or select both and press Enter.",
};

/** What strokes tell the panel. */
const report = {
  added() {
    newest = lines(active).length - 1;
    update(tool()?.value);
  },
  chose(at) {
    newest = at;
    update(true);
    light(at >= 0 ? cellsOf(lines(active)[at]) : []);
  },
  wait(cell) {
    waiting = cell;
    update();
    panel.tool.querySelector("#value")?.focus();
  },
  label(side, index) {
    panel.tool.querySelectorAll(`[data-side=${side}] input`)[index - 1]?.focus();
  },
  update: () => update(),
};

// -- The panel of a tool --------------------------------------------------------------------------------

function names(one) {
  const take = (token, once = false) => {
    Object.assign(chosen, { token, once });
    update();
  };
  const chip = (token) => button(token, () => take(chosen.token === token ? null : token), { class: "chip", "aria-pressed": String(chosen.token === token) });
  const other = h("input", { size: 6, maxlength: 12, "aria-label": "Another name", placeholder: "other", onchange: (event) => take(event.target.value.trim() || null) });
  return h(
    "div",
    { class: "chips", role: "group", "aria-label": one.label },
    tokensOf(one).slice(0, 60).map(chip),
    one.tool === "region" ? button("New", () => take(freshName(one), true), { id: "new-region" }) : one.tool === "sign" ? null : other,
    one.tool === "name" ? button("Clear selected", () => put(one, [...state.selection], null)) : null,
  );
}
function rows(one) {
  const list = lines(one.key);
  const change = (i, text) => editLines(one, (old) => old.map((line, j) => (i === j ? text : line)));
  return h(
    "ol",
    { class: "lines" },
    list.map((line, i) => {
      const lit = () => light(cellsOf(line));
      const text = h("input", { value: line, class: "grow", "aria-label": `${one.label} ${i + 1}`, spellcheck: "false", onfocus: lit, onblur: () => light(), onchange: (event) => change(i, event.target.value) });
      const value = one.value
        ? h("input", { value: valueIn(line), size: 5, "aria-label": `Value of ${one.label} ${i + 1}`, placeholder: "value", class: "of-line", onfocus: lit, onchange: (event) => change(i, withValue(line, event.target.value)) })
        : null;
      return h("li", { class: i === newest ? "newest" : null, onpointerenter: lit, onpointerleave: () => light() }, text, value, button("×", () => editLines(one, (old) => old.filter((__, j) => i !== j)), { "aria-label": `Delete ${line}` }));
    }),
  );
}
function sides(one) {
  return (one.sides ?? ["top", "bottom", "left", "right"]).map((side) => {
    const now = labels(one, side);
    const change = (i, text) => setLabels(one, side, now.map((old, j) => (i === j ? text.trim() || "." : old)));
    const slot = (label, i) =>
      h("input", { value: label === "." ? "" : label, "aria-label": `${one.label}, ${side} ${i + 1}`, inputmode: "numeric", maxlength: 9, onchange: (event) => change(i, event.target.value) });
    return h("div", { class: "side", "data-side": side }, h("span", {}, side), h("div", {}, now.map(slot)));
  });
}
function sight(one) {
  const way = choice([["dr", "down right"], ["dl", "down left"], ["ur", "up right"], ["ul", "up left"]].filter(([name]) => one.sides.includes(name)), "dr", () => {});
  const total = h("input", { size: 5, inputmode: "numeric", "aria-label": "Sum" });
  const add = () => {
    const [cell] = state.selection;
    if (cell && total.value.trim()) {
      editLines(one, (old) => [...old, `${cell} ${way.value} = ${total.value.trim()}`]);
      report.added();
    }
  };
  return h("div", { class: "row" }, field("From the selected cell", way), total, button("Add", add));
}
function value(one) {
  if (one.values) {
    return field("The next clue is", choice(one.values, chosen.value, (next) => (chosen.value = next)));
  }
  const typed = h("input", { id: "value", size: 8, value: chosen.value, "aria-label": "Value of the next clue" });
  typed.addEventListener("input", () => (chosen.value = typed.value));
  typed.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && typed.value.trim()) {
      apply(one, waiting ? [waiting] : [...state.selection], report);
      waiting = null;
      chosen.value = "";
      update();
      focus();
    }
  });
  const words = waiting ? `Numbers at ${inWords(waiting)}, then Enter` : one.tool === "corner" || one.tool === "mark" ? "Numbers of the next clue" : "Value of the next clue (may be left out)";
  return field(words, typed);
}
/** Returns the board as text, with all its keys, to be edited. */
function asText() {
  const text = h("textarea", { rows: 12, "aria-label": "The board as TOML", spellcheck: "false" });
  const fill = async () => {
    const found = await askAll(about({ ask: "write", format: "toml", entries: "" }), "text");
    text.value = found?.records.find(({ kind }) => kind === "text")?.text ?? "";
  };
  const take = async () => {
    const found = await askAll({ ask: "read", text: text.value });
    const record = found?.records.find(({ kind }) => kind === "board");
    if (record) {
      edit((doc) => (doc.board = record.board));
    } else {
      say(found?.error?.words ?? "There is no board in it.", "bad");
    }
  };
  return h("details", { class: "box", ontoggle: (event) => event.target.open && fill() }, h("summary", {}, "As text, with all keys"), text, h("div", { class: "row" }, button("Use this text", take, { id: "take" }), button("Read the board again", fill)));
}

function content(one) {
  const own = one.tool === "outside" && !diagonal(one);
  const most = Math.min(25, highest());
  return [
    h("p", { class: "quiet" }, diagonal(one) ? "Select a cell at the edge, choose the way of its diagonal, and add the sum." : HOW[one.tool]),
    one.tool === "number" ? h("div", { class: "pad small-pad" }, Array.from({ length: most }, (__, i) => button(String(i + 1), () => put(one, [...state.selection], i + 1))), button("Clear", () => put(one, [...state.selection], null), { class: "wide" })) : null,
    ["region", "name", "sign"].includes(one.tool) ? names(one) : null,
    own ? sides(one) : null,
    diagonal(one) ? sight(one) : null,
    one.value && !isGrid(one) && !diagonal(one) && !own ? value(one) : null,
    one.tool === "groups" && chosen.groups.length ? h("div", { class: "row" }, `First group: ${chosen.groups[0].join(" ")}`, button("Drop it", () => ((chosen.groups = []), update()))) : null,
    !isGrid(one) && one.tool !== "outside" ? button("Add the selected cells", () => apply(one, [...state.selection], report)) : null,
    isGrid(one) || own ? null : rows(one),
  ];
}

function update(focused = false) {
  if (!panel) {
    return;
  }
  built.own = JSON.stringify([state.info.schema, active, state.doc.board[active]]);
  const { schema } = state.info;
  if (!tool()) {
    active = (schema.find(({ kind }) => kind === "givens") ?? schema[0])?.key ?? null;
  }
  panel.keys.replaceChildren(
    ...schema.map(({ key, label }) => button(label, () => use(key), { class: "chip", "aria-pressed": String(key === active), "data-key": key })),
  );
  const one = tool();
  panel.tool.replaceChildren(...(one ? content(one).flat().filter(Boolean) : []));
  input.stroke = strokeOf(one, report);
  input.key = (event) => press(one, event, report);
  const line = focused && newest >= 0 ? panel.tool.querySelectorAll(".lines li")[newest] : null;
  (line?.querySelector(".of-line") ?? line?.querySelector("button"))?.focus({ preventScroll: true });
  line?.querySelector(".of-line")?.select();
  line?.scrollIntoView({ block: "nearest" });
}
function use(key) {
  Object.assign(chosen, { token: null, value: "", groups: [], once: false });
  active = key;
  waiting = null;
  newest = -1;
  const one = tool();
  if (one && ["name", "sign"].includes(one.tool)) {
    chosen.token = tokensOf(one)[0] ?? null;
  } else if (one?.value && one.values) {
    [chosen.value] = one.values;
  }
  update();
  panel.keys.querySelector("[aria-pressed=true]")?.focus({ preventScroll: true });
}

// -- Variants, size, new boards -------------------------------------------------------------------------

/** Returns the list of variants to tick; a variant with keys of its own brings tools. */
export function variants() {
  const list = h("ul", { class: "variants" });
  const fill = () => {
    const on = new Set(state.info.variants ?? []);
    const wanted = (state.catalogue?.variants ?? []).filter(({ name, summary }) => (state.info.fitting?.includes(name) ?? true) && `${name} ${summary}`.toLowerCase().includes(filter));
    const order = [...wanted].sort((one, other) => on.has(other.name) - on.has(one.name));
    list.replaceChildren(...order.map((one) => h("li", {}, tick(one.name, on.has(one.name), (now) => turn(one, now)), h("small", {}, one.summary))));
  };
  fill();
  const search = h("input", { type: "search", value: filter, placeholder: "thermometer, knight, …", "aria-label": "Find a variant", oninput: (event) => ((filter = event.target.value.toLowerCase()), fill()) });
  return h("details", { class: "box" }, h("summary", {}, "Variants"), search, list);
}
function turn({ name, keys = [] }, on) {
  editBoard((board) => {
    const rest = (board.variants ?? []).filter((one) => one !== name);
    board.variants = on ? [...rest, name] : rest;
    if (!board.variants.length) {
      delete board.variants;
    }
    keys.forEach((key) => on || delete board[key]);
  });
  if (on && keys.length) {
    [active] = keys;
  }
}

const size = () => [0, 1].map((i) => Math.max(1, ...cells().map((cell) => place(cell)[i])));

/** Gives the board another size; what is beyond its edge goes. */
function resize(height, width) {
  const [high, wide] = size();
  const square = (tool_) => (tool_.tool === "sign" ? [2 * height - 1, 2 * width - 1] : [height, width]);
  editBoard((board) => {
    for (const one of state.info.schema.filter(({ key }) => board[key] !== undefined)) {
      const now = board[one.key];
      if (isGrid(one) && Array.isArray(now)) {
        const [rows_, columns] = square(one);
        const last = now.flat().find((token) => token && token !== "#");
        const full = !now.flat().some((token) => token === null || token === ".");
        const blank = one.tool === "region" || full ? last : null;
        board[one.key] = Array.from({ length: rows_ }, (__, i) => Array.from({ length: columns }, (___, j) => (now[i]?.[j] !== undefined ? now[i][j] : one.tool === "sign" ? ((i + j) % 2 ? "." : i % 2 ? "." : "o") : blank)));
      } else if (one.tool === "outside" && now && !Array.isArray(now)) {
        board[one.key] = Object.fromEntries(Object.keys(now).map((side) => {
          const length = ["top", "bottom"].includes(side) ? width : height;
          const old = labels(one, side, board);
          return [side, Array.from({ length }, (__, i) => old[i] ?? ".")];
        }));
      } else if (Array.isArray(now) || typeof now === "string") {
        const fits = (line) => cellsOf(line).every((cell) => place(cell)[0] <= height && place(cell)[1] <= width);
        board[one.key] = lines(one.key, board).filter(fits);
      }
    }
    if (board.size || (high === wide && !state.info.schema.some((one) => isGrid(one) && board[one.key]))) {
      board.size = [height, width];
    }
    delete board.box;
  });
}
/** Starts a board of a puzzle from one that ships, without its clues. */
async function blank(puzzle, height, width) {
  const shipped = state.catalogue?.boards.find(({ name }) => name.split("/")[0] === puzzle);
  let keys = { puzzle, size: [height, width] };
  const found = shipped && (await askAll({ ask: "read", name: shipped.name }));
  const record = found?.records.find(({ kind }) => kind === "board");
  if (record) {
    keys = { puzzle };
    for (const one of record.schema.filter(({ key }) => record.board[key] !== undefined)) {
      const now = record.board[one.key];
      if (isGrid(one) && one.tool !== "sign") {
        const full = !now.flat().some((token) => token === null || token === ".");
        const [first] = now.flat().filter((token) => token && token !== "#");
        const name = (i) => (puzzle === "strimko" || puzzle === "sudoku" ? String.fromCharCode(65 + i) : "A");
        const token = (i) => (one.tool === "region" ? name(i) : full ? first : null);
        if (!(one.tool === "region" && puzzle === "sudoku")) {
          keys[one.key] = Array.from({ length: height }, (__, i) => Array(width).fill(token(i)));
        }
      } else if (one.key === "colors") {
        keys.colors = now;
      }
    }
    if (record.board.colors && !keys.colors) {
      keys.colors = record.board.colors;
      keys.palette = Object.keys(record.board.colors);
    }
  }
  open(keys);
}

function sizes() {
  const [high, wide] = size();
  const input_ = (value_, label) => h("input", { type: "number", min: 1, max: 30, value: value_, "aria-label": label });
  const [rows_, columns] = [input_(high, "Rows"), input_(wide, "Columns")];
  const puzzles = (state.catalogue?.puzzles ?? []).map(({ name }) => name);
  const which = choice(puzzles, state.doc.board.puzzle, () => {}, { "aria-label": "Puzzle", id: "puzzle" });
  const now = () => [Number(rows_.value), Number(columns.value)];
  const title = h("input", { value: state.doc.board.title ?? "", class: "grow", onchange: (event) => editBoard((board) => (board.title = event.target.value)) });
  return h(
    "details",
    { class: "box" },
    h("summary", {}, "Size, title, new board"),
    field("Title", title),
    h("div", { class: "row" }, rows_, "×", columns, button("Change the size", () => resize(...now())), which, button("New board", () => blank(which.value, ...now()), { id: "new" })),
  );
}

// -- In and out -----------------------------------------------------------------------------------------

async function save(format) {
  const name = (state.doc.board.title || state.doc.board.puzzle).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
  const found = await askAll(about({ ask: "write", format: format === "png" ? "svg" : format, entries: "" }));
  const record = found?.records.find(({ kind }) => kind === "text");
  if (record && format === "png") {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(record.text)}`;
    await image.decode();
    const [width, height] = [image.width * 2, image.height * 2];
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    canvas.toBlob((blob) => download(`${name}.png`, blob));
  } else if (record) {
    download(`${name}.${{ "f-puzzles": "txt", sudokupad: "txt", penpa: "txt", puzzlink: "txt", steps: "html" }[format] ?? format}`, record.text);
  } else if (found) {
    say(found.error?.words ?? "This format has no place for the board.", "bad");
  }
}
async function links(list) {
  const found = await askAll(about({ ask: "links", entries: "" }));
  const record = found?.records.find(({ kind }) => kind === "links");
  const all = [...(record?.links ?? []), { format: "this page", text: location.href }];
  const row = ({ format, text }) => h("li", {}, h("span", {}, format), h("input", { value: text, readonly: true, class: "grow", "aria-label": `Link for ${format}`, onfocus: (event) => event.target.select() }), button("Copy", () => navigator.clipboard.writeText(text).then(() => say(`Copied the link for ${format}.`, "good"))));
  list.replaceChildren(...all.map(row));
}
function files() {
  const formats = [["png", "PNG picture"], ...(state.catalogue?.formats ?? []).map(({ name, summary }) => [name, `${name}: ${summary}`])];
  const format = choice(formats, "toml", () => {}, { "aria-label": "Format", id: "format" });
  const list = h("ul", { class: "links" });
  return h(
    "details",
    { class: "box" },
    h("summary", {}, "Download and links"),
    h("div", { class: "row" }, format, button("Download", () => save(format.value), { id: "download" }), button("Links", () => links(list), { id: "links" })),
    list,
  );
}

/** Fills the list of the dialog anew, when the boards that ship are known. */
export let refill = () => {};
/** Opens the dialog with the boards that ship, and a place for a pasted one. */
export function openDialog() {
  const dialog = document.querySelector("#dialog");
  const text = h("textarea", { rows: 6, "aria-label": "A board in any format", placeholder: "Paste a link, a grid, TOML, facts, …", spellcheck: "false" });
  const wrong = h("p", { class: "bad", role: "alert" });
  const list = h("ul", { class: "shipped" });
  const take = async (question) => {
    const found = await askAll({ ask: "read", ...question });
    const boards = (found?.records ?? []).filter(({ kind }) => kind === "board");
    if (!boards.length) {
      wrong.textContent = found?.error?.words ?? "There is no board in it.";
    } else if (boards.length === 1) {
      open(boards[0].board);
      dialog.close();
    } else {
      list.replaceChildren(...boards.map(({ board, title }, i) => h("li", {}, button(title || `Board ${i + 1}`, () => (open(board), dialog.close())))));
    }
  };
  const fill = (words = "") => {
    const wanted = (state.catalogue?.boards ?? []).filter(({ name, title }) => `${name} ${title}`.toLowerCase().includes(words.toLowerCase()));
    list.replaceChildren(...wanted.map(({ name, title }) => h("li", {}, button([h("b", {}, title || name), " ", h("small", {}, name)], () => take({ name }), { "data-board": name }))));
  };
  const file = h("input", { type: "file", onchange: async (event) => { text.value = await event.target.files[0].text(); } });
  fill();
  refill = fill;
  dialog.replaceChildren(
    h("div", { class: "row" }, h("h2", { class: "grow" }, "Open a board"), button("×", () => dialog.close(), { class: "icon", "aria-label": "Close" })),
    text,
    h("div", { class: "row" }, file, button("Open it", () => take({ text: text.value }), { class: "main", id: "read" })),
    wrong,
    h("h3", {}, "Boards that ship"),
    h("input", { type: "search", placeholder: "sudoku, killer, …", "aria-label": "Find a board", oninput: (event) => fill(event.target.value) }),
    list,
  );
  dialog.showModal();
}

export const set = {
  words: "Set",
  enter(host) {
    panel = { keys: h("div", { class: "chips", role: "group", "aria-label": "Tool" }), tool: h("div", { class: "tool" }), rest: h("div", {}) };
    host.append(verdict(), panel.keys, panel.tool, candidates(), conflicts(), panel.rest);
    this.catalogued();
    this.ready();
  },
  catalogued() {
    const opened = [...(panel?.rest.children ?? [])].map((one) => one.open);
    panel?.rest.replaceChildren(variants(), sizes(), files(), asText());
    opened.forEach((one, i) => (panel.rest.children[i].open = one));
  },
  /** Builds anew what depends on the board, but not while it is the same: somebody may be typing there. */
  ready() {
    view.entries = false;
    const { activeElement } = document;
    const rest = JSON.stringify([state.info.variants, state.info.fitting, state.info.cells.length, state.doc.board.puzzle, state.doc.board.title]);
    if (rest !== built.rest) {
      const words = panel.rest.contains(activeElement) ? activeElement.parentNode.textContent : null;
      this.catalogued();
      [...panel.rest.querySelectorAll(".tick")].find((one) => one.textContent === words)?.firstChild.focus();
    }
    const own = JSON.stringify([state.info.schema, active, state.doc.board[active]]);
    if (own !== built.own || panel.rest !== built.place) {
      const label = panel.tool.contains(activeElement) ? activeElement.getAttribute("aria-label") : null;
      update();
      panel.tool.querySelector(`[aria-label="${CSS.escape(label ?? "")}"]`)?.focus();
    }
    built = { rest, own, place: panel.rest };
  },
  changed() {},
  /** Draws what is no board yet, such as a jigsaw between two strokes. */
  wrong() {
    const region = state.info.schema.find((one) => one.tool === "region" && state.doc.board[one.key]);
    const givens = state.info.schema.find(({ kind }) => kind === "givens");
    if (region) {
      const tokens = (cell) => ({ region: tokenAt(region, cell), number: givens && state.doc.board[givens.key] ? tokenAt(givens, cell) : null });
      view.plain = Object.fromEntries(cells().map((cell) => [cell, tokens(cell)]));
    }
  },
  leave() {
    panel = null;
    waiting = null;
    chosen.groups = [];
  },
};
