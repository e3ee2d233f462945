// Play: numbers and marks, shading, pieces by strokes, ribbons; check, hint, clock.
import { about, ask, drop } from "./ask.js";
import { boxes, draft, focus, input, light, paint, select, tileColor, view } from "./board.js";
import { button, drawing, h, place, tick } from "./dom.js";
import { edit, fixed, high, highest, kind, low, settle, state } from "./state.js";
import { later, reasons, say } from "./talk.js";

const MARKS = [
  ["digit", "Number", "Z"],
  ["corner", "Corner", "X"],
  ["centre", "Centre", "C"],
  ["colors", "Color", "V"],
];
let marking = "digit";
let held = null; // while modifiers are held
let typed = { time: 0, value: "" };
let color = null; // of the next ribbon
let fromTop = false;
let paused = false;
let panel = {};
let hints = null;
let level = 0;
let checked = false;

const manner = () => held ?? marking;

// -- Numbers --------------------------------------------------------------------------------------------

/** Types a number or a color into the selected cells; where all have it, it goes. */
function type(value, way = manner()) {
  const targets = [...state.selection].filter((cell) => way === "colors" || !fixed(cell));
  edit((doc) => {
    if (way === "digit") {
      const fits = targets.filter((cell) => Number(value) >= low() && Number(value) <= high(cell));
      const all = fits.every((cell) => doc.entries[cell] === value);
      fits.forEach((cell) => (all ? delete doc.entries[cell] : (doc.entries[cell] = value)));
      return;
    }
    const open = way === "colors" ? targets : targets.filter((cell) => !doc.entries[cell]);
    const all = open.every((cell) => doc[way][cell]?.includes(value));
    for (const cell of open) {
      const rest = (doc[way][cell] ?? []).filter((one) => one !== value);
      doc[way][cell] = all ? rest : [...rest, value].sort((one, other) => one - other);
      if (!doc[way][cell].length) {
        delete doc[way][cell];
      }
    }
  });
}
/** Clears selected cells: what the manner is about; if there is none of it, the rest, numbers first. */
function clear() {
  const ways = manner() === "digit" ? ["entries", "centre", "corner", "colors"] : [manner(), "entries", "centre", "corner", "colors"];
  const targets = [...state.selection];
  const way = ways.find((one) => targets.some((cell) => state.doc[one][cell] !== undefined && !(one === "entries" && fixed(cell))));
  if (way) {
    edit((doc) => targets.forEach((cell) => delete doc[way][cell]));
  }
}
/** Types a digit; where numbers go beyond 9, digits that follow soon make one number. */
function digit(one) {
  const now = performance.now();
  const way = manner();
  if (way === "digit" && highest() > 9 && now - typed.time < 1000 && Number(typed.value + one) <= highest()) {
    typed = { time: now, value: typed.value + one };
    edit((doc) => [...state.selection].filter((cell) => !fixed(cell)).forEach((cell) => (doc.entries[cell] = typed.value)), "number");
    return;
  }
  settle();
  typed = { time: now, value: one };
  type(one);
}

function key(event) {
  const digits = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  const more = event.ctrlKey || event.metaKey;
  if (kind() === "numbers" && digits && !event.altKey) {
    if (!event.repeat) {
      held = more && event.shiftKey ? "colors" : event.shiftKey ? "corner" : more ? "centre" : null;
      digits[1] === "0" && manner() === "colors" ? clear() : digit(digits[1]);
      held = null;
    }
    return true;
  }
  if (["Delete", "Backspace"].includes(event.key)) {
    erase();
    return true;
  }
  if (more || event.altKey) {
    return false;
  }
  const found = MARKS.find(([, , letter]) => event.code === `Key${letter}`);
  if (kind() === "numbers" && found) {
    mark(found[0]);
    return true;
  }
  if (event.key === " " || event.key === "Enter") {
    if (kind() === "numbers" && event.key === " ") {
      const at = MARKS.findIndex(([name]) => name === marking);
      mark(MARKS[(at + (event.shiftKey ? 3 : 1)) % 4][0]);
    } else if (kind() === "shading") {
      const next = { undefined: "x", x: "o", o: undefined }[state.doc.entries[state.cursor]];
      shade([...state.selection], next);
    } else if (kind() === "pieces") {
      cut([...state.selection]);
    }
    return true;
  }
  return false;
}
function mark(name) {
  marking = name;
  update();
}
function erase() {
  if (kind() === "pieces") {
    uncut([...state.selection]);
  } else {
    clear();
  }
}

// -- Shading, pieces, ribbons ---------------------------------------------------------------------------

function shade(chosen, value, merge = "") {
  edit((doc) => chosen.filter((cell) => !fixed(cell)).forEach((cell) => (value ? (doc.entries[cell] = value) : delete doc.entries[cell])), merge);
}
/** The first cell of a drag decides what it does. The left button shades, the right one says what is not shaded. */
const shading = {
  down({ cell }, event) {
    const [first, second] = event.button === 2 ? ["o", "x"] : ["x", "o"];
    const now = cell && state.doc.entries[cell];
    this.value = now === undefined ? first : now === first ? second : undefined;
    settle();
    select(cell ? [cell] : []);
    this.move({ cell });
  },
  move({ cell }) {
    if (cell && state.doc.entries[cell] !== this.value) {
      shade([cell], this.value, "shade");
    }
  },
  up() {
    settle();
  },
};
/** Cells of a stroke become one piece; a click on a piece takes it away. */
const cutting = {
  down({ cell }, event) {
    this.cells = cell ? [cell] : [];
    if (event.shiftKey && cell) {
      select([...state.selection, cell]);
      this.cells = [];
    } else {
      select(this.cells);
    }
    draft(...boxes(this.cells));
  },
  move({ cell }) {
    if (cell && this.cells.length && !this.cells.includes(cell)) {
      this.cells.push(cell);
      draft(...boxes(this.cells));
    } else if (cell && this.cells.at(-2) === cell) {
      this.cells.pop();
      draft(...boxes(this.cells));
    }
  },
  up() {
    draft();
    const [only] = this.cells;
    if (this.cells.length === 1 && state.doc.pieces.some((piece) => piece.includes(only))) {
      uncut(this.cells);
    } else if (this.cells.length) {
      this.cells.length === 1 && !this.twice(only) ? select(this.cells) : cut(this.cells);
    }
  },
  cancel() {
    this.cells = [];
  },
  /** Whether a cell was pressed a moment ago: two presses make a piece of one cell. */
  twice(cell) {
    const now = performance.now();
    const again = this.last?.cell === cell && now - this.last.time < 600;
    this.last = { cell, time: now };
    return again;
  },
};
function cut(chosen) {
  const members = new Set(chosen);
  if (members.size) {
    edit((doc) => {
      doc.pieces = doc.pieces.filter((piece) => !piece.some((cell) => members.has(cell)));
      const order = (one, other) => place(one)[0] - place(other)[0] || place(one)[1] - place(other)[1];
      doc.pieces.push([...members].sort(order));
    });
  }
}
function uncut(chosen) {
  edit((doc) => (doc.pieces = doc.pieces.filter((piece) => !piece.some((cell) => chosen.includes(cell)))));
}

function lay({ line, index }) {
  edit((doc) => {
    const at = doc.ribbons.findIndex((one) => one.line === line && one.index === index);
    const [old] = at >= 0 ? doc.ribbons.splice(at, 1) : [];
    if (old && old.color === color) {
      return; // pressed again with the same color: it goes
    }
    fromTop ? doc.ribbons.unshift({ line, index, color }) : doc.ribbons.push({ line, index, color });
  });
}
/** Returns the colors that a ribbon may have. */
export function palette() {
  const { board } = state.doc;
  const found = board.palette ?? [...new Set((board.tiles ?? []).flatMap((row) => [...row]))];
  return found.filter((token) => token && ![".", "#"].includes(token)).sort();
}
const nameOf = (token) => (token ? (state.doc.board.colors?.[token] ?? token) : "any color");

function ribbons() {
  const swatch = (token) => h("span", { class: "swatch", "data-color": token ?? "" });
  const chip = (token) => {
    const properties = { class: "chip", "aria-pressed": String(color === token), "data-token": token ?? "" };
    return button([swatch(token), nameOf(token)], () => ((color = token), update()), properties);
  };
  const moved = (from, to) => edit((doc) => doc.ribbons.splice(to, 0, ...doc.ribbons.splice(from, 1)));
  const rows = state.doc.ribbons.map(({ line, index, color: own }, i, all) =>
    h(
      "li",
      {},
      swatch(own),
      h("span", { class: "grow" }, `${line} ${index}, ${nameOf(own)}`),
      button("↑", () => moved(i, i + 1), { "aria-label": `Lay higher: ${line} ${index}`, disabled: i === all.length - 1 }),
      button("↓", () => moved(i, i - 1), { "aria-label": `Lay lower: ${line} ${index}`, disabled: i === 0 }),
      button("×", () => edit((doc) => doc.ribbons.splice(i, 1)), { "aria-label": `Take away ${line} ${index}` }),
    ),
  );
  return [
    h("div", { class: "chips", role: "group", "aria-label": "Color of the next ribbon" }, palette().map(chip), chip(null)),
    tick("Peel from the top: each ribbon goes under the others", fromTop, (on) => (fromTop = on)),
    h("p", { class: "quiet" }, "Choose a color, then press an arrow beside the board. Press it again to take the ribbon away."),
    rows.length ? h("p", { class: "quiet" }, "Top") : null,
    h("ol", { class: "pile", reversed: true }, rows.reverse()),
    rows.length ? h("p", { class: "quiet" }, "Bottom") : null,
  ];
}

// -- Panel ----------------------------------------------------------------------------------------------

function tools() {
  if (kind() === "ribbons") {
    return ribbons();
  }
  if (kind() === "shading") {
    const set = (words, value) => button(words, () => shade([...state.selection], value));
    return [
      h("p", { class: "quiet" }, "Press a cell, or drag over several: shaded, not shaded, open again. The right button swaps the first two."),
      h("div", { class: "buttons" }, set("Shade", "x"), set("Not shaded", "o"), set("Open", undefined)),
    ];
  }
  if (kind() === "pieces") {
    return [
      h("p", { class: "quiet" }, "Drag over the cells of a piece; press a cell twice for a piece of one. Press a piece to take it away."),
      h(
        "div",
        { class: "buttons" },
        button("Cut selected cells", () => cut([...state.selection])),
        button("Take away", () => uncut([...state.selection])),
      ),
    ];
  }
  const way = manner();
  const numbers = way === "colors" ? 9 : highest();
  const first = way === "colors" ? 1 : Math.max(0, low());
  const keys = Array.from({ length: numbers - first + 1 }, (_, i) => String(i + first));
  const look = (one) => (way === "colors" ? [h("span", { class: `tone c${one}` }), one] : one);
  const press = (one) => {
    settle();
    type(one);
  };
  return [
    h(
      "div",
      { class: "segments", role: "group", "aria-label": "What keys write" },
      MARKS.map(([name, words, letter]) =>
        button(words, () => mark(name), { "aria-pressed": String(way === name), title: `Key ${letter}`, "data-marks": name }),
      ),
    ),
    h("div", { class: `pad ${way}` }, keys.map((one) => button(look(one), () => press(one), { "aria-label": `${way === "colors" ? "Color " : ""}${one}` })), button("Clear", clear, { class: "wide" })),
    tick("Select several cells by pressing them", Boolean(state.several), (on) => (state.several = on)),
  ];
}

function update() {
  if (!panel.tools) {
    return;
  }
  const within = panel.tools.contains(document.activeElement) ? [...panel.tools.querySelectorAll("button")].indexOf(document.activeElement) : -1;
  panel.tools.replaceChildren(...tools().filter(Boolean));
  panel.tools.querySelectorAll("button")[within]?.focus();
  for (const swatch of panel.tools.querySelectorAll(".swatch[data-color]")) {
    swatch.style.background = swatch.dataset.color ? tileColor(swatch.dataset.color) : "";
  }
}

/** Asks for a review; what it says is shown if it was asked for, but for "solved". */
async function review() {
  let found = null;
  await ask(about({ ask: "review" }), (record) => (found = record.kind === "review" || record.kind === "error" ? record : found));
  if (!found || state.mode !== "play") {
    return;
  }
  const solved = found.status === "solved";
  if (solved && !state.solved) {
    say(`Solved in ${clock()}.`, "good");
    document.querySelector("#stage").classList.add("solved");
  }
  state.solved = solved;
  if (!solved) {
    document.querySelector("#stage").classList.remove("solved");
  }
  if (checked || state.settings.errors) {
    const wrong = new Map((found.broken ?? []).flatMap(({ cells: own }) => own).map((cell) => [cell, "wrong"]));
    if (checked) {
      (found.wrong ?? []).forEach((cell) => wrong.set(cell, "wrong"));
      say(found.words, found.status === "broken" || found.status === "stuck" ? "bad" : "good");
    }
    light(wrong);
    panel.found.replaceChildren(reasons(found.broken ?? [], wrong));
  } else if (!hints) {
    light();
    panel.found.replaceChildren();
  }
  checked = false;
}

async function hint() {
  hints = null;
  let found = null;
  await ask(about({ ask: "hint" }), (record) => (found = record));
  if (found?.kind === "error") {
    say(found.words, "bad");
  } else if (found) {
    hints = found;
    level = 0;
    tell();
  }
}
/** Shows the hint as far as it was asked for. */
function tell() {
  const { words, svg, cells: marked } = hints.levels[level];
  light(marked);
  const more = level < hints.levels.length - 1;
  const fill = () => {
    const { cell, value } = hints;
    edit((doc) => (doc.entries[cell] = String(value)));
    select([cell]);
    unhint();
    focus();
  };
  const fills = !more && hints.cell && hints.value !== null && hints.value !== undefined && ["numbers", "shading"].includes(kind());
  panel.found.replaceChildren(
    h("p", { class: "words" }, words),
    h(
      "div",
      { class: "buttons" },
      more ? button("Say more", () => ((level += 1), tell()), { class: "main" }) : null,
      fills ? button("Fill it in", fill, { class: "main" }) : null,
      button("Enough", unhint),
    ),
    svg ? h("figure", { class: "small" }, drawing(svg)) : "",
  );
  say(words);
  panel.found.querySelector("button")?.focus({ preventScroll: true });
}
function unhint() {
  hints = null;
  light();
  panel.found.replaceChildren();
}

export const clock = () => {
  const { seconds } = state;
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(seconds / 3600);
  return `${hours ? `${hours}:` : ""}${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
};
setInterval(() => {
  if (state.mode === "play" && !paused && !state.solved && !document.hidden && state.info) {
    state.seconds += 1;
    if (panel.clock) {
      panel.clock.textContent = clock();
    }
  }
}, 1000);

function restart(event) {
  const own = event.target;
  if (own.dataset.sure) {
    edit((doc) => Object.assign(doc, { entries: {}, corner: {}, centre: {}, colors: {}, ribbons: [], pieces: [] }));
    state.seconds = 0;
    unhint();
  }
  own.dataset.sure = own.dataset.sure ? "" : "yes";
  own.textContent = own.dataset.sure ? "Press again to clear all" : "Restart";
  setTimeout(() => Object.assign(own, { textContent: "Restart" }) && (own.dataset.sure = ""), 3000);
}

export const play = {
  words: "Play",
  enter(host) {
    panel = {
      tools: h("div", { class: "tools" }),
      found: h("div", { class: "found" }),
      clock: h("span", { class: "clock", role: "timer", "aria-label": "Time" }, clock()),
    };
    const errors = (on) => {
      state.settings.errors = on;
      changed(new Set(["entries"]));
    };
    const pause = (event) => {
      paused = !paused;
      document.querySelector("#stage").classList.toggle("paused", paused);
      event.target.textContent = paused ? "Go on" : "Pause";
    };
    const check = () => {
      checked = true;
      hints = null;
      review();
    };
    host.append(
      panel.tools,
      h("div", { class: "buttons" }, button("Check", check, { class: "main" }), button("Hint", hint, { class: "main" }), button("Restart", restart)),
      h("div", { class: "row" }, panel.clock, button("Pause", pause), tick("Mark errors at once", state.settings.errors, errors)),
      panel.found,
    );
    this.ready();
  },
  /** Does what depends on the kind of answer. */
  ready() {
    input.key = key;
    input.stroke = { shading, pieces: cutting }[kind()] ?? null;
    input.outside = lay;
    color = color && palette().includes(color) ? color : kind() === "ribbons" ? (palette()[0] ?? null) : null;
    Object.assign(view, { entries: true, values: null, possible: null, counts: null });
    update();
    paint();
    changed(new Set(["entries"]));
  },
  changed,
  leave() {
    drop("review");
    drop("hint");
    paused = false;
    hints = null;
    document.querySelector("#stage").classList.remove("paused", "solved");
    light();
    panel = {};
  },
};

function changed(parts) {
  if (["entries", "ribbons", "pieces"].some((part) => parts.has(part))) {
    drop("review");
    if (hints) {
      unhint();
    } else if (parts.size && !state.settings.errors) {
      light();
      panel.found?.replaceChildren();
    }
    later("review", review);
  }
  if (parts.has("ribbons")) {
    update();
  }
}
