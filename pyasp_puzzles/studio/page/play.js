// Play: the panels, check, hints, clock, the end.
import { about, answered, ask, asked, drop, latest, waits } from "./ask.js";
import { finish, focus, input, light, paint, select, show, turn, view } from "./board.js";
import { card, carded, heading, uncard } from "./card.js";
import { button, duration, get, h, named, toggle } from "./dom.js";
import { icon, iconButton, labelled } from "./icons.js";
import { acts, go, openShipped, sheet, sure } from "./shell.js";
import { EMPTY, FILLED, amend, canUndo, change, cells, colorOf, digit, edit, fixed, given, highest, keep, kind, lineParts, low, ofRules, once, rewind, state } from "./state.js";
import { SHADES, after, chosen, clear, cut, cutting, join, lay, lineKey, lining, most, peel, shade, shading, type, uncut } from "./strokes.js";
import { say } from "./talk.js";
import { swatch, tile } from "./thumbnails.js";

const MARKS = [["digit", "Number", "Z"], ["corner", "Corner", "X"], ["centre", "Centre", "C"], ["colors", "Color", "V"]];
const LEVELS = ["Where", "Which", "Why"];
const GRADE_SECONDS = 5;
const WAITS = { hint: "Looking for a hint …", check: "Checking …", answers: "Looking for the answer …" };
// `marking`: what digits write; `color`: of the next ribbon; `level`: how much of the hint is said; `checked`: whether marks
// that are excluded are shown although errors are not marked at once; `ended`: whether the end is shown
const now = { marking: "digit", color: null, level: 0, checked: false, ended: false, paused: false };

// -- The left: what this is -----------------------------------------------------------------------------

/** Returns how much is done, in words, and as a part of the whole if that is known. */
function progress() {
  const { entries, ribbons, pieces, lines } = state.doc;
  const [rows, columns] = state.info.size;
  const all = cells().length;
  const covered = pieces.flat().length;
  const written = cells().filter((cell) => entries[cell] || given(cell)).length;
  return {
    numbers: [`${written} of ${all}`, written / all],
    shading: [`${Object.values(entries).filter((one) => one === "x").length} shaded`, 0],
    pieces: [`${pieces.length} pieces`, covered / all],
    areas: [`${pieces.length} areas`, covered / all],
    ribbons: [`${ribbons.length} of ${rows + columns} ribbons`, ribbons.length / (rows + columns)],
    lines: [`${lines.filter((line) => lineParts(line)[1] !== "x").length} lines`, 0],
  }[kind()];
}
const clock = () => duration(state.seconds);
function meter(part) {
  const bar = h("i", {});
  bar.style.width = `${100 * part}%`;
  return h("div", { class: "meter", "aria-hidden": "true", hidden: !part }, bar);
}
setInterval(() => {
  const begun = canUndo() || state.seconds > 0; // it starts with the first move
  const ticks = get("left").querySelector(".clock");
  if (ticks && begun && !now.paused && !state.solved && !document.hidden) {
    state.seconds += 1;
    ticks.lastChild.textContent = clock();
  }
}, 1000);
function pause() {
  now.paused = true;
  get("stage").classList.add("paused");
  const dialog = sheet("Paused", [h("p", {}, `The clock stands at ${clock()}.`), button("Go on", () => dialog.close(), { class: "btn pen" })]);
  dialog.addEventListener("close", () => ((now.paused = false), get("stage").classList.remove("paused")), { once: true });
}

// -- The right: what one can do -------------------------------------------------------------------------

const mark = (name) => change(now, { marking: name });
/** Returns how many of a number are still to be written, where each is as often on the board as it has rows. */
function left(number) {
  if (!once()) return null;
  const { entries } = state.doc;
  return state.info.size[0] - cells().filter((cell) => (entries[cell] || given(cell)) === number).length;
}
function numberTools() {
  const { marking } = now;
  const inColor = marking === "colors";
  const first = inColor ? 1 : Math.max(0, low());
  const keys = Array.from({ length: (inColor ? 9 : highest()) - first + 1 }, (_, i) => String(i + first));
  const key = (one) => {
    const more = inColor ? null : left(one);
    const rest = more === null || more < 0 ? "" : h("small", {}, more ? ` ${more} left` : " done");
    const look = inColor ? h("span", { class: `tone c${one}` }) : one;
    const names = { "aria-label": inColor ? `Color ${one}` : null, "data-key": one, class: more === 0 ? "done" : "" };
    return button([look, rest], () => write(one), names);
  };
  const way = ([name, words, letter]) => {
    const properties = { "aria-pressed": String(marking === name), title: `Key ${letter}`, "data-marks": name };
    return button([icon(name), h("span", {}, words)], () => mark(name), { ...properties, "aria-label": words });
  };
  return [
    h("div", { class: "seg ways", role: "group", "aria-label": "What keys write" }, MARKS.map(way)),
    h("div", { class: `pad ${marking} ${keys.length > 9 ? "many" : ""}` }, keys.map(key)),
  ];
}
const colorName = (token) => (token ? colorOf(token).name : "any color");
function ribbonTools() {
  const chip = (token) => {
    const properties = { class: "chip", "aria-pressed": String(now.color === token), "data-token": token ?? "" };
    return button([swatch(token), named(colorName(token))], () => change(now, { color: token }), properties);
  };
  return [
    h("div", { class: "colors", role: "group", "aria-label": "Next color" }, [...palette(), null].map(chip)),
    toggle("Peel from the top", "Each ribbon goes under the others", view.peeled, peel),
    toggle("Turn the board by 45°", "", view.turned, turn),
  ];
}
/** Returns the ribbons as a list, the one on top first. */
function pile() {
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
    return h("li", {}, swatch(own), h("span", { class: "grow" }, `${name}, ${colorName(own)}`), moves);
  };
  const rows = state.doc.ribbons.map(row).reverse();
  return rows.length ? [h("h2", { class: "minor" }, "From the top"), h("ol", {}, rows)] : [];
}
/** Returns the colors that a ribbon may have. */
const palette = () => state.info.palette.map(({ token }) => token);
const two = (...all) => h("div", { class: "two" }, all);
/** What depends on the kind of answer: how it is done, tools, strokes, keys, and what Delete does. */
const pieces = {
  how: "Drag over the cells of a piece; press one twice for a piece of one cell. Press a piece to take it away.",
  tools: () => [two(labelled("cut", "Cut", () => cut(chosen())), labelled("cross", "Take away", () => uncut(chosen())))],
  stroke: cutting,
  act: () => cut(chosen()),
  erase: () => uncut(chosen()),
};
const shades = () => [
  two(labelled("x", "Shade", () => shade(chosen(), "x")), labelled("o", "Not shaded", () => shade(chosen(), "o"))),
];
const KINDS = {
  numbers: { how: "", tools: numberTools, key: keyOfNumbers, erase: () => clear(now.marking) },
  shading: {
    how: "Press a cell, or drag over several: shaded, not shaded, open again. The right button goes the other way.",
    tools: shades,
    stroke: shading,
    act: () => shade(chosen(), after(state.cursor)),
    erase: () => shade(chosen(), SHADES[0]),
  },
  pieces,
  areas: { ...pieces, how: "Drag over the cells of an area; press one twice for an area of one cell. Press one to take it away." },
  ribbons: { how: "Choose a color, then press an arrow beside the board. Press it again to take the ribbon away.", tools: ribbonTools },
  lines: {
    how: "Drag along a line; drag along it again to take it away. Tap where there is none for a cross.",
    onEdges: "Press an edge, or drag along several, to draw; the same takes it away. The right button, or a long press, makes a cross.",
    tools: () => (state.info.answer.marks ? shades() : []),
    stroke: lining,
    key: lineKey,
    act: () => state.info.answer.marks && shade(chosen(), after(state.cursor)),
    erase: () => shade(chosen(), SHADES[0]),
  },
};

/** Types a number or a mark; marks that it excludes go, if that is wished. */
function write(value, way = now.marking) {
  const done = type(value, way);
  if (done && way === "digit" && state.settings.strike) strike();
  return done;
}
/** Does what a key means for numbers; returns whether it means something. */
function keyOfNumbers(event) {
  const more = event.ctrlKey || event.metaKey;
  const [, one] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
  if (one && !event.altKey) {
    const way = more && event.shiftKey ? "colors" : event.shiftKey ? "corner" : more ? "centre" : now.marking;
    if (!event.repeat && way === "colors") one === "0" ? clear(way) : type(one, way);
    else if (!event.repeat) digit(one, most(), way, (number) => write(number, way));
    return true;
  }
  const at = MARKS.findIndex(([name]) => name === now.marking) + (event.shiftKey ? 3 : 1);
  const found = event.key === " " ? MARKS[at % 4] : MARKS.find(([, , letter]) => event.code === `Key${letter}`);
  if (found && !more && !event.altKey) {
    mark(found[0]);
    return true;
  }
  return false;
}
function key(event) {
  const { key: own, act, erase } = KINDS[kind()];
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  const letters = plain ? { KeyH: hint, KeyK: check } : {};
  const way = { Delete: erase, Backspace: erase, Enter: act, " ": act }[event.key] ?? letters[event.code];
  way?.();
  return Boolean(way) || Boolean(own?.(event));
}

// -- Check ----------------------------------------------------------------------------------------------

/** Shows errors at once if somebody wants that. */
function reviewed(found) {
  if (!judge(found) && state.settings.errors && !carded()) light(wrongs(found.record));
}
/** Asks for somebody whether what is filled in is right: what is wrong is shown in a card. */
async function check() {
  drop("hint");
  change(now, { checked: true });
  const found = await ask("check", () => about({ ask: "review" }));
  if (!judge(found)) fault(found.record ?? { words: found.wrong }, wrongs(found.record, true));
}
/** Ends the game if the board is solved; returns whether it is. */
function judge({ record }) {
  const solved = record?.status === "solved";
  if (solved && !now.ended) end();
  else if (!solved && now.ended) unend();
  return solved;
}
const wrongs = ({ broken = [], wrong = [] } = {}, all = false) =>
  new Map([...broken.flatMap((rule) => rule.cells), ...(all ? wrong : [])].map((cell) => [cell, "wrong"]));
/** Says what is wrong, in a card beside it, with a button to undo that far. */
function fault({ status, words, broken = [], wrong = [] }, marked) {
  const { entries } = state.doc;
  const [rule] = broken;
  const own = (rule ? rule.cells : wrong).filter((cell) => entries[cell] && !fixed(cell));
  const same = (doc) => (cell) => doc.entries[cell] === entries[cell];
  const holds = (doc) => (rule ? own.every(same(doc)) : own.some(same(doc)));
  const back = () => {
    uncard();
    rewind(holds);
    focus();
  };
  const fine = ["right", "unknown"].includes(status);
  const twins = rule?.cells.filter((cell) => rule.cells.length > 2 && own.includes(cell));
  const title = rule ? "This breaks a rule" : fine ? "Nothing is wrong" : "Something is wrong";
  const told = rule ? `${rule.words.charAt(0).toUpperCase()}${rule.words.slice(1)}.` : words;
  const more = broken.length > 1 ? ` ${broken.length - 1} more ${broken.length > 2 ? "rules are" : "rule is"} broken.` : "";
  const ends = rule?.cells ?? [];
  const rays = ends.length === 2 ? [[ends[0], ends[1], "wrong"]] : [];
  card({
    tone: fine ? "green" : "red",
    head: [heading(title)],
    words: told.replace(/\.\.$/, ".") + more,
    cells: rule ? (twins.length ? twins : rule.cells) : wrong,
    actions: own.length ? [labelled("undo", "Back to before it", back, { id: "back" })] : [],
    lit: () => light(marked, { rays }),
  });
}
/** Returns the marks of open cells: {cell: marks}. */
function marks() {
  const { entries, corner, centre } = state.doc;
  const found = {};
  for (const [cell, own] of [...Object.entries(corner), ...Object.entries(centre)]) {
    if (!entries[cell] && !fixed(cell)) found[cell] = [...(found[cell] ?? []), ...own];
  }
  return found;
}
/** Returns the question which marks a single rule excludes; nothing where there is no mark. */
const exclusions = () => Object.keys(marks()).length > 0 && about({ ask: "marks", marks: marks() });
/** Takes the marks away that a rule excludes, as a part of the last step. */
async function strike() {
  if (!exclusions()) return;
  const { record } = await ask("strike", exclusions);
  amend((next) => {
    for (const [cell, gone] of Object.entries(record?.excluded ?? {})) {
      for (const part of [next.corner, next.centre]) {
        const rest = (part[cell] ?? []).filter((one) => !gone.includes(one));
        rest.length ? (part[cell] = rest) : delete part[cell];
      }
    }
  });
}

// -- Hints ----------------------------------------------------------------------------------------------

/** Says more of the hint that is shown, or asks for one, once. */
function hint() {
  const found = latest("hint");
  if (asked("hint").pending || now.level === found?.levels.length - 1) return undefined;
  if (!found) return next();
  now.level += 1;
  return tellHint();
}
/** Asks for a hint, or for one of those after it. */
async function next(passed = 0) {
  const { record, wrong } = await ask("hint", () => about({ ask: "hint", passed }));
  if (!record) return uncard(), say(wrong, "bad");
  now.level = 0;
  state.hints += 1;
  return tellHint();
}
/** Shows the hint as far as it was asked for. */
function tellHint() {
  const { levels, fill, lines, more: others, rays = [] } = latest("hint");
  const { level } = now;
  const { words, spans, cells: lit, seen, goal } = levels[level];
  const last = level === levels.length - 1;
  const writeIt = () => {
    edit((doc) => Object.assign(doc.entries, fill));
    lines.forEach((line) => {
      const [one, sign, other] = lineParts(line);
      join(one, other, sign, "hint");
    });
    select(Object.keys(fill));
    uncard();
    focus();
  };
  const values = Object.values(fill);
  const name = kind() === "numbers" && values.length === 1 ? `Write ${values[0]}` : "Do it";
  const more = button(level ? "Why?" : "Which cell?", hint, { class: "btn pen", id: "more-hint" });
  const write_ = button(name, writeIt, { class: "btn pen", id: "write" });
  const another = button("Next hint", () => next(asked("hint").question.passed + 1), { class: "btn bare", id: "next-hint", "data-waits": "hint" });
  const step = (one, i) => h("li", { class: i <= level ? "on" : "" }, one);
  const all = levels.length === 3;
  const unknown = kind() === "numbers" && level ? Object.fromEntries(goal.map((cell) => [cell, "?"])) : null;
  view.hinted = last ? fill : unknown;
  card({
    head: all ? [h("ol", { class: "levels" }, LEVELS.map(step))] : [],
    words,
    spans,
    cells: goal.length ? goal : lit,
    actions: last ? [...(values.length || lines.length ? [write_] : []), ...(others ? [another] : [])] : [more],
    lit: () => {
      const unit = level && (rays.length || !last) ? levels[0].cells : [];
      const crossed = last ? rays.map(([, to]) => to).filter((cell) => !goal.includes(cell)) : [];
      const ringed = last ? (rays.length ? rays.map(([from]) => from) : seen) : seen;
      const looks = { lit: unit.length ? [] : lit, seen: ringed, no: crossed, goal };
      const each = Object.entries(looks).flatMap(([look, some]) => some.map((cell) => [cell, look]));
      light(new Map(each), { rays: last ? rays : [], unit });
    },
    close() {
      drop("hint");
      view.hinted = null;
      paint();
    },
  });
}

// -- The end --------------------------------------------------------------------------------------------

const nameOf = (one) => one.title || named(one.name.split("/")[1]);
/** Returns boards that come next, of the same puzzle if there are any. */
function others() {
  const { puzzle, title } = state.doc.board;
  const { boards = [] } = state.catalogue ?? {};
  const at = boards.findIndex((one) => one.puzzle === puzzle && one.title === title);
  const near = (one) => (one.puzzle === puzzle ? 0 : 1);
  return [...boards.slice(at + 1), ...boards.slice(0, Math.max(0, at))].toSorted((one, next_) => near(one) - near(next_)).slice(0, 3);
}
/** Returns boards to go on with after the end. */
function alike() {
  const row = (one) => tile(one.name, nameOf(one), named(one.puzzle), () => openShipped(one.name), { "data-board": one.name });
  return now.ended && others().length ? [h("h3", {}, "More like this"), h("ul", {}, others().map(row))] : [];
}
/** Says that the board is solved, draws its frame, and offers another one. */
function end() {
  if (view.peeled) peel(false);
  uncard();
  select([]);
  finish(true);
  state.solved = true;
  change(now, { ended: true });
  keep();
  const [other] = others();
  const told = [clock(), state.hints ? `${state.hints} hint${state.hints > 1 ? "s" : ""}` : "no hints"];
  card({
    tone: "green",
    head: [heading("Solved."), h("p", { class: "facts" }, told.map((one) => h("span", {}, one)))],
    actions: [
      ...(other ? [button([h("span", {}, `Next: ${nameOf(other)}`), icon("right")], () => openShipped(other.name), { class: "btn pen wide" })] : []),
      labelled("steps", "How it could be done", () => go("steps"), { class: "btn wide" }),
    ],
    lit: () => light(),
  });
}
/** Continues after the end: the board has changed. */
function unend() {
  finish(false);
  change(now, { ended: false });
}
/** Shows the answer, which ends the game. */
async function giveUp() {
  const { record, wrong } = await ask("answers", () => about({ ask: "answers", limit: 1, entries: "" }));
  if (!record) return say(wrong || "There is no answer.", "bad");
  const still = !["numbers", "shading"].includes(kind());
  const turnTo = (values, svg, on) => {
    view.values = values;
    show(svg, on && still);
    get("stage").classList.toggle("answer", on);
  };
  turnTo(still ? null : record.cells, still ? record.svg : state.info.svg, true);
  card({
    head: [heading("The answer")],
    words: "It is shown until you close this.",
    actions: [button("Hide it", uncard, { class: "btn pen" })],
    lit: () => light(),
    close: () => turnTo(null, state.info.svg, false),
  });
}
function restart() {
  const { board, rules, extra, edits, own } = state.doc;
  if (edit((doc) => Object.assign(doc, structuredClone(EMPTY), { board, rules, extra, edits, own }))) {
    state.seconds = 0;
    say("All is cleared; undo brings it back.");
  }
}
function menu() {
  const line = (name, words, call, id) =>
    labelled(name, words, () => (get("dialog").close(), call()), { class: "btn bare line", id });
  const set = (name) => (on) => {
    state.settings[name] = on;
    change(now, { checked: false });
    if (name === "errors") light(on ? wrongs(latest("review")) : undefined);
  };
  const ask_ = () => sure("Give up?", "The answer is drawn on the board, and the clock stops.", "Show the answer", giveUp);
  return [
    toggle("Mark errors at once", "", state.settings.errors, set("errors")),
    ...(kind() === "numbers"
      ? [
          toggle("Numbers strike marks", "Marks that a number excludes go", state.settings.strike, set("strike")),
          toggle("Press to select several", "", Boolean(state.several), (on) => (state.several = on)),
        ]
      : []),
    line("steps", "How it could be done", () => go("steps"), "steps"),
    line("print", "Print", () => go("print"), "print"),
    line("pause", "Pause", pause, "pause"),
    line("restart", "Start again", restart, "restart"),
    labelled("flag", "Give up", ask_, { class: "btn bare line", id: "give-up" }),
  ];
}

export const play = {
  words: "Play",
  icon: "play",
  left() {
    const { how, onEdges } = KINDS[kind()];
    const { author, notes, puzzle, title } = state.doc.board;
    const [words, part] = progress();
    const told = [state.info.instructions, state.info.answer.edges ? onEdges : how, notes, author && `By ${author}.`].filter(Boolean);
    const grade = h("span", {}, ` ${latest("grade")?.label ?? ""}`);
    const time = h("span", { class: "clock", role: "timer", "aria-label": "Time" }, icon("clock"), clock());
    const name = title || named(puzzle);
    return [
      h("div", { class: "name" },
        h("p", { class: "kicker" }, title ? named(puzzle) : state.info.size.join(" × "), grade),
        h("p", { class: "big", "aria-hidden": "true" }, name),
      ),
      h("p", { class: "facts" }, time, h("span", { class: "count" }, words)),
      meter(part),
      h("div", { class: "told" }, told.map((one) => h("p", {}, one))),
      button(["Read the rules as code", icon("right")], () => go("rules"), { class: "link" }),
      h("div", { class: "pile" }, kind() === "ribbons" ? pile() : []),
    ];
  },
  right() {
    const { erase, tools } = KINDS[kind()];
    const pending = Object.keys(WAITS).filter(waits).map((one) => WAITS[one]);
    return [
      h("div", { class: "tools" }, tools()),
      acts(erase ? iconButton("erase", "Clear (Delete)", erase, { class: "btn" }) : ""),
      two(
        labelled("check", "Check", check, { id: "check", "data-waits": "check" }),
        labelled("hint", "Hint", hint, { class: "btn pen", id: "hint", "data-waits": "hint" }),
      ),
      h("p", { class: "quiet waits", role: "status" }, pending.join(" ")),
      h("div", { class: "more-like" }, alike()),
    ];
  },
  /** Does what depends on the board. */
  ready() {
    const { stroke } = KINDS[kind()];
    Object.assign(input, { key, stroke: stroke ?? null, outside: (head) => lay(head, now.color) });
    Object.assign(view, { entries: true, values: null, possible: null, counts: null });
    now.color = palette().includes(now.color) ? now.color : (palette()[0] ?? null);
    paint();
  },
  questions: {
    review: { wanted: () => about({ ask: "review" }), done: reviewed }, // which ends the game
    marks: { wanted: () => (state.settings.errors || now.checked) && exclusions() },
    closed: { wanted: () => (kind() === "shading" || state.info.answer.marks) && about({ ask: "closed", entries: "" }) },
    grade: { wanted: () => answered("board") && about({ ask: "grade", entries: "", seconds: GRADE_SECONDS }), pause: 400 },
  },
  changed,
  /** Marks what is excluded. */
  told() {
    const excluded = (asked("marks").text !== "null" && latest("marks")?.excluded) || null;
    if (excluded !== view.excluded) {
      view.excluded = excluded;
      paint();
    }
  },
  menu,
  leave() {
    uncard();
    unend();
    Object.assign(view, { excluded: null, peeled: false, hinted: null });
  },
};

function changed(parts) {
  const any = (...names) => names.some((name) => parts.has(name));
  const { errors } = state.settings;
  if (any("board")) {
    select([]);
    unend();
    uncard();
  }
  if (any("board", ...FILLED) || ofRules(parts)) {
    uncard();
    if (!errors) light();
  }
  if (parts.size && now.checked) change(now, { checked: false });
}
