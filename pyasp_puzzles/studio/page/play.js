// Play: numbers and marks, shading, pieces by strokes, ribbons; check, hint, clock.
import { about, askOne, drop } from "./ask.js";
import { boxes, draft, focus, input, light, paint, select, turn, view } from "./board.js";
import { button, duration, get, h, inOrder, tick } from "./dom.js";
import { labelled } from "./icons.js";
import { places, withPlaces } from "./player.js";
import { acts, go } from "./shell.js";
import { EMPTY, colorOf, digit, edit, fixed, high, highest, kind, low, settle, state, undo } from "./state.js";
import { later, patiently, reasons, say } from "./talk.js";

const MARKS = [
  ["digit", "Number", "Z"],
  ["corner", "Corner", "X"],
  ["centre", "Centre", "C"],
  ["colors", "Color", "V"],
];
let marking = "digit";
let color = null; // of the next ribbon
let paused = false;
let panel = {};
let hints = null;
let level = 0;
let checked = false;
let lamps = new Map(); // the cells that what was found lights up

// -- Numbers --------------------------------------------------------------------------------------------

/** Types a number, a mark or a color into the selected cells; where all have it, it goes. Returns whether it did. */
function type(value, way = marking) {
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
const most = () => Math.max(0, ...chosen().filter((cell) => !fixed(cell)).map(high));

/** Clears selected cells: what is typed now; if there is none of it, the rest, numbers first. */
function clear(way = marking) {
  const targets = [...state.selection];
  const full = (part) => targets.some((cell) => state.doc[part][cell] !== undefined);
  const part = [way === "digit" ? "entries" : way, "entries", "centre", "corner", "colors"].find(full);
  if (part) edit((doc) => targets.forEach((cell) => delete doc[part][cell]));
}

/** Does what a key means for numbers; returns whether it means something. */
function keyOfNumbers(event) {
  const more = event.ctrlKey || event.metaKey;
  const [, one] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (one && !event.altKey) {
    const way = more && event.shiftKey ? "colors" : event.shiftKey ? "corner" : more ? "centre" : marking;
    if (!event.repeat && way === "colors") one === "0" ? clear(way) : type(one, way);
    else if (!event.repeat) digit(one, most(), way, (number) => type(number, way));
    return true;
  }
  const at = MARKS.findIndex(([name]) => name === marking) + (event.shiftKey ? 3 : 1);
  const found = event.key === " " ? MARKS[at % 4] : MARKS.find(([, , letter]) => event.code === `Key${letter}`);
  if (found && !more && !event.altKey) {
    mark(found[0]);
    return true;
  }
  return false;
}
function mark(name) {
  marking = name;
  update();
}

// -- Shading, pieces, ribbons ---------------------------------------------------------------------------

function shade(chosen, value, merge = "") {
  return edit((doc) => {
    const free = chosen.filter((cell) => !fixed(cell));
    free.forEach((cell) => (value ? (doc.entries[cell] = value) : delete doc.entries[cell]));
  }, merge);
}
const SHADES = [undefined, "x", "o"]; // open, shaded, not shaded
const after = (value, steps = 1) => SHADES[(SHADES.indexOf(value) + steps) % 3];
/** The first cell of a drag decides what it does; cells that hold something else than the first one keep it. */
const shading = {
  down({ cell }, event) {
    this.from = state.doc.entries[cell];
    this.to = after(this.from, event.button === 2 ? 2 : 1);
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
/** Cells of a stroke become one piece; a press on a piece takes it away, and two on another cell make a piece of it. */
const cutting = {
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
const cut = (chosen) =>
  chosen.length && edit((doc) => (doc.pieces = [...without(doc.pieces, chosen), inOrder(chosen)]));
const uncut = (chosen) => edit((doc) => (doc.pieces = without(doc.pieces, chosen)));

function lay({ line, index }) {
  edit((doc) => {
    const at = doc.ribbons.findIndex((one) => one.line === line && one.index === index);
    const [old] = at >= 0 ? doc.ribbons.splice(at, 1) : [];
    if (!old || old.color !== color) {
      doc.ribbons.splice(view.peeled ? 0 : doc.ribbons.length, 0, { line, index, color });
    } // else it is pressed again with the same color, and goes
  });
}
function peel(on) {
  view.peeled = on;
  paint();
}
/** Returns the colors that a ribbon may have. */
const palette = () => state.info.palette.map(({ token }) => token);

// -- Panel ----------------------------------------------------------------------------------------------

const quiet = (words) => h("p", { class: "quiet" }, words);
const buttons = (...all) => h("div", { class: "buttons" }, all);
const chosen = () => [...state.selection];

function numberTools() {
  const inColor = marking === "colors";
  const first = inColor ? 1 : Math.max(0, low());
  const keys = Array.from({ length: (inColor ? 9 : highest()) - first + 1 }, (_, i) => String(i + first));
  const look = (one) => (inColor ? [h("span", { class: `tone c${one}` }), one] : one);
  const key = (one) => button(look(one), () => type(one), { "aria-label": `${inColor ? "Color " : ""}${one}` });
  const manner = ([name, words, letter]) => {
    const properties = { "aria-pressed": String(marking === name), title: `Key ${letter}`, "data-marks": name };
    return button(words, () => mark(name), properties);
  };
  return [
    h("div", { class: "segments", role: "group", "aria-label": "What keys write" }, MARKS.map(manner)),
    h("div", { class: `pad ${marking}` }, keys.map(key), button("Clear", () => clear(), { class: "wide" })),
    tick("Select several cells by pressing them", Boolean(state.several), (on) => (state.several = on)),
  ];
}
function ribbonTools() {
  const nameOf = (token) => (token ? colorOf(token).name : "any color");
  const swatch = (token) => h("span", { class: "swatch", "data-color": token ?? "" });
  const chip = (token) => {
    const properties = { class: "chip", "aria-pressed": String(color === token), "data-token": token ?? "" };
    return button([swatch(token), nameOf(token)], () => ((color = token), update()), properties);
  };
  const row = ({ line, index, color: own }, i, { length }) => {
    const name = `${line} ${index}`;
    const change = (sign, words, how, disabled = false) =>
      button(sign, () => edit(({ ribbons }) => how(ribbons)), { "aria-label": `${words}: ${name}`, disabled });
    const to = (at) => (all) => all.splice(at, 0, ...all.splice(i, 1));
    const moves = [
      change("↑", "Lay higher", to(i + 1), i === length - 1),
      change("↓", "Lay lower", to(i - 1), i === 0),
      change("×", "Take away", (all) => all.splice(i, 1)),
    ];
    return h("li", {}, swatch(own), h("span", { class: "grow" }, `${name}, ${nameOf(own)}`), moves);
  };
  const rows = state.doc.ribbons.map(row).reverse();
  const pile = [quiet("Top"), h("ol", { class: "pile", reversed: true }, rows), quiet("Bottom")];
  panel.pile.replaceChildren(...(rows.length ? pile : []));
  return [
    h("div", { class: "chips", role: "group", "aria-label": "Next color" }, [...palette(), null].map(chip)),
    tick("Peel from the top: each ribbon goes under the others", view.peeled, peel),
    tick("Turn the board by 45°, as the game shows it", view.turned, turn),
    quiet("Choose a color, then press an arrow beside the board. Press it again to take the ribbon away."),
  ];
}
/** What depends on the kind of answer: tools, strokes, keys, and what Delete does. */
const KINDS = {
  numbers: { tools: numberTools, key: keyOfNumbers, erase: () => clear() },
  shading: {
    tools: () => [
      quiet("Press a cell, or drag over several: shaded, not shaded, open again. The right button goes the other way."),
      buttons(...["Open", "Shade", "Not shaded"].map((words, i) => button(words, () => shade(chosen(), SHADES[i])))),
    ],
    stroke: shading,
    act: () => shade(chosen(), after(state.doc.entries[state.cursor])),
    erase: () => shade(chosen()),
  },
  pieces: {
    tools: () => [
      quiet("Drag over the cells of a piece; press a cell twice for a piece of one. Press a piece to take it away."),
      buttons(button("Cut selected cells", () => cut(chosen())), button("Take away", () => uncut(chosen()))),
    ],
    stroke: cutting,
    act: () => cut(chosen()),
    erase: () => uncut(chosen()),
  },
  ribbons: { tools: ribbonTools },
};

function key(event) {
  if (paused) return true;
  const { key: own, act, erase } = KINDS[kind()];
  const way = { Delete: erase, Backspace: erase, Enter: act, " ": act }[event.key];
  way?.();
  return Boolean(way) || Boolean(own?.(event));
}

function update() {
  if (!panel.tools) return;
  const found = (what) => [panel.tools, panel.pile].flatMap((part) => [...part.querySelectorAll(what)]);
  const within = found("button").indexOf(document.activeElement);
  panel.pile.replaceChildren();
  panel.tools.replaceChildren(...KINDS[kind()].tools());
  found("button")[within]?.focus();
  for (const swatch of found(".swatch[data-color]")) {
    swatch.style.background = swatch.dataset.color ? colorOf(swatch.dataset.color).color : "";
  }
}

// -- Errors and hints -----------------------------------------------------------------------------------

/** Asks for a review; what it says is shown if it was asked for, but for "solved". */
async function review() {
  const asked = checked || state.settings.errors;
  if (asked) exclude();
  const asking = askOne(about({ ask: "review" }));
  const found = await (asked ? patiently(panel.found, asking) : asking);
  if (!found || state.mode !== "play") return;
  const solved = found.status === "solved";
  if (solved && !state.solved) say(`Solved in ${clock()}.`, "good");
  state.solved = solved;
  get("stage").classList.toggle("solved", solved);
  if (solved && view.peeled) {
    peel(false);
    update();
  }
  if (checked || (asked && !hints)) {
    const { broken = [], wrong = [] } = found;
    const cells = [...broken.flatMap((rule) => rule.cells), ...(checked ? wrong : [])];
    const marked = new Map(cells.map((cell) => [cell, "wrong"]));
    if (checked && !solved) {
      say(found.words, ["right", "unknown"].includes(found.status) ? "good" : "bad");
    }
    tell([reasons(broken, marked)], marked);
  }
  checked = false;
}
/** Asks which pencil marks a single rule excludes; they are shown in red. */
async function exclude() {
  const { entries, corner, centre } = state.doc;
  const marks = {};
  for (const [cell, own] of [...Object.entries(corner), ...Object.entries(centre)]) {
    if (!entries[cell] && !fixed(cell)) marks[cell] = [...(marks[cell] ?? []), ...own];
  }
  const found = Object.keys(marks).length ? await askOne(about({ ask: "marks", marks })) : {};
  if (found) {
    view.excluded = found.excluded;
    paint();
  }
}
/** Shows what was found beside the board, and lights up cells; nothing if both are left out. */
function tell(elements = [], lit = new Map()) {
  lamps = lit;
  light(lit);
  panel.found?.replaceChildren(...elements);
}

/** Asks for a hint, or for one of those after it. */
async function hint(passed = 0) {
  hints = null;
  const found = await patiently(panel.found, askOne(about({ ask: "hint", passed })));
  if (found?.kind === "error") {
    say(found.words, "bad");
  } else if (found) {
    [hints, level] = [{ ...found, passed }, 0];
    tellHint();
  }
}
/** Shows the hint as far as it was asked for. */
function tellHint() {
  const { levels, fill, passed } = hints;
  const { words, spans, cells, seen, goal } = levels[level];
  const fillIn = () => {
    edit((doc) => Object.assign(doc.entries, fill));
    select(Object.keys(fill));
    unhint();
    focus();
  };
  const [more, fills] = [level < levels.length - 1, Object.keys(fill).length];
  const ways = [
    more ? button("Say more", () => ((level += 1), tellHint()), { class: "main" }) : null,
    !more && fills ? button("Fill it in", fillIn, { class: "main" }) : null,
    !more && hints.more ? button("Another hint", () => hint(passed + 1), { class: fills ? "" : "main" }) : null,
    button("Enough", unhint),
  ];
  const looks = Object.entries({ seen, lit: cells, goal });
  const lit = new Map(looks.flatMap(([look, all]) => all.map((cell) => [cell, look])));
  tell([h("p", { class: "words", "data-spans": spans }, words), buttons(...ways)], lit);
  withPlaces(panel.found, "button");
  say(words);
  panel.found.querySelector(".buttons button").focus({ preventScroll: true });
}
function unhint() {
  hints = null;
  say("");
  tell();
  if (state.settings.errors) later("review", review);
}

const clock = () => duration(state.seconds);
setInterval(() => {
  if (state.mode === "play" && !paused && !state.solved && !document.hidden && panel.clock) {
    state.seconds += 1;
    panel.clock.textContent = clock();
  }
}, 1000);

/** Stops the clock and hides the board, or goes on. */
function pause(on) {
  paused = on;
  get("stage").classList.toggle("paused", on);
  panel.pause.textContent = on ? "Go on" : "Pause";
}

function restart() {
  const { board, rules, extra } = state.doc;
  if (edit((doc) => Object.assign(doc, structuredClone(EMPTY), { board, rules, extra }))) {
    state.seconds = 0;
    say("All is cleared; undo brings it back.");
  }
}

export const play = {
  words: "Play",
  icon: "play",
  enter({ left, right: host }) {
    panel = {
      tools: h("div", { class: "tools" }),
      pile: h("div", {}),
      told: h("div", { class: "told" }),
      found: h("div", { class: "found" }),
      clock: h("span", { class: "clock", role: "timer", "aria-label": "Time" }, clock()),
      pause: button("Pause", () => pause(!paused)),
    };
    places(panel.found, (cells) => light(cells.length ? cells : lamps));
    const errors = (on) => {
      state.settings.errors = on;
      view.excluded = null;
      unhint();
    };
    const check = () => {
      checked = true;
      hints = null;
      later("review", review, 0);
    };
    const main = { class: "main" };
    const marked = tick("Mark errors at once", state.settings.errors, errors);
    host.append(
      acts(),
      panel.tools,
      buttons(button("Check", check, main), button("Hint", () => hint(), main), button("Restart", restart)),
      h("div", { class: "row" }, panel.clock, panel.pause, marked),
      panel.found,
    );
    left.append(panel.told, panel.pile);
    this.ready();
  },
  /** Does what depends on the board. */
  ready() {
    Object.assign(input, { key, stroke: KINDS[kind()].stroke ?? null, outside: lay });
    Object.assign(view, { entries: true, values: null, possible: null, counts: null });
    panel.clock.textContent = clock();
    color = palette().includes(color) ? color : (palette()[0] ?? null);
    const { author, notes } = state.doc.board;
    const told = [author && `By ${author}.`, state.info.instructions, notes].filter(Boolean);
    panel.told.replaceChildren(...told.map((words) => h("p", {}, words)));
    update();
    paint();
    later("review", review);
  },
  changed,
  menu: () => [labelled("steps", "How it could be done", () => go("steps"), { class: "btn bare line", id: "steps" })],
  leave() {
    ["review", "hint", "marks"].forEach(drop);
    Object.assign(view, { excluded: null, peeled: false });
    hints = null;
    pause(false);
    get("stage").classList.remove("solved");
    tell();
    panel = {};
  },
};

function changed(parts) {
  const any = (...names) => names.some((name) => parts.has(name));
  const errors = state.settings.errors;
  if (any("board")) {
    select([]);
    pause(false);
  }
  if (any("board", "entries", "ribbons", "pieces")) {
    ["review", "marks"].forEach(drop);
    hints || !errors ? unhint() : null;
    later("review", review);
  } else if (any("corner", "centre") && errors) {
    later("marks", exclude);
  }
  if (!errors) view.excluded = null;
  if (any("ribbons")) update();
}
