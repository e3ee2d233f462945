// Set: tools for each key of the board, variants, size.
import { candidates, conflicts, relight, shownAnswer, verdict } from "./answers.js";
import { about, ask, asked, drop } from "./ask.js";
import { focus, input, light, seat, select, view } from "./board.js";
import { button, choice, field, fold, get, h, named, place, toggle } from "./dom.js";
import { copyLink } from "./files.js";
import { icon, iconButton, labelled } from "./icons.js";
import { acts, go, sheet } from "./shell.js";
import { cells, change, edit, editBoard, highest, keep, kind, low, settle, state } from "./state.js";
import { lights, say } from "./talk.js";
import { findable, inFamilies, swatch } from "./thumbnails.js";
import * as tools from "./tools.js";

const { chosen, lines } = tools;
// `active`: the key of the tool; `coming`: that of a variant that was ticked, until the board has it; `float`: the entry on the
// board; `tiles`: the tools as they are shown, which keep their places while they are the same
const now = { active: null, coming: null, float: null, tiles: { of: "", keys: [], others: [] } };
const MOST_TOOLS = 12; // that are shown without asking for all

const offered = () => [...tools.schema(), ...(state.info.holes ? [tools.HOLES] : [])];
/** Returns the tool; another one has nothing chosen yet. */
function tool() {
  const usual = tools.answerKey() ?? tools.schema()[0] ?? null;
  const one = offered().find(({ key }) => key === now.active) ?? usual;
  now.active = one?.key ?? null;
  if (one && chosen.key !== one.key) {
    const chips = ["name", "sign", "sight"].includes(one.tool) || one.values;
    const [token = null] = chips ? tools.choices(one) : [];
    Object.assign(chosen, { key: one.key, token, once: false, parts: [], pending: "", slot: null });
  }
  return one;
}
/** Shows what has changed for the tool; with `focused`, the entry at hand on the board. */
function report(focused = false) {
  change(now, {});
  if (focused) typeIn();
}
const ENTER = "Or select them in order with Ctrl and arrow keys (Alt+arrows and Space for diagonals), and press Enter.";
const OR_ENTER = "Or select cells and press Enter.";
const HOW = {
  number: "Select cells and type numbers. Delete clears.",
  region: `Drag from a region to enlarge it. For a new one, press “New” and drag. ${OR_ENTER}`,
  name: "Choose a name, then press or drag over cells; the same again clears. Or select cells and type a letter.",
  path: `Drag along the cells. ${ENTER}`,
  cage: `Drag over the cells. ${OR_ENTER}`,
  groups: "Drag over the first group, then over the second. Or select cells and press Enter, twice.",
  pair: `Press the edge between two cells, or drag from one to the other. ${OR_ENTER}`,
  corner: "Press the corner of four cells. Or select the upper left one and press Enter.",
  crossing: "Press a corner of cells, then type. Or select a cell and press Enter for its upper left corner, and again for the next.",
  mark: `Press cells, or drag over them. ${OR_ENTER}`,
  hole: `Press cells, or drag over them, to take them off the board or to bring them back. ${OR_ENTER}`,
  outside: "Press beside the board, then type. Or select a cell at the edge and press Enter.",
  sight: `Choose a direction, then press the cell at the edge where the diagonal begins. ${OR_ENTER}`,
  sign: `Choose a sign, then press the edge between two cells. ${OR_ENTER}`,
  sum: "Press a cell of a region, then type. Or select one and press Enter.",
  total: "Write the number here.",
  digits: "Write the numbers of the board here, such as 0..8 or 1 2 4. Clear them for 1 to n.",
  pattern: "Write a color for each cell, such as wwb, or press the colors.",
};
const ICONS = { number: "digit", corner: "cornered", crossing: "cornered", mark: "marked", total: "sum", digits: "digit" };
const sign = (what) => icon(ICONS[what] ?? what);
const PARTNERS = "Framed cells wait for a number, as their partners have one. Clearing a given clears its partners.";
const DIRECTIONS = { dr: "down right ↘", dl: "down left ↙", ur: "up right ↗", ul: "up left ↖" };

// -- The panel of a tool --------------------------------------------------------------------------------

/** Returns an entry of the panel; Enter leads back to the board. */
function entry(words, value, write, more = {}) {
  const onkeydown = (event) => event.key === "Enter" && (event.target.blur(), focus());
  const onchange = (event) => write(event.target.value.trim());
  return h("input", { value, "aria-label": words, spellcheck: "false", onchange, onkeydown, ...more });
}
const whole = (text) => (/^\d+$/.test(text) ? Number(text) : "");
/** Returns the entries of a tool whose values have no place on the board. */
const ENTRIES = {
  total: (one) => [entry(one.label, clue(one).value, clue(one).write)],
  digits: (one) => {
    const all = state.doc.board[one.key] ?? "";
    const write = (text) => editBoard((board) => (text ? (board[one.key] = text) : delete board[one.key]));
    return [entry(one.label, Array.isArray(all) ? all.join(" ") : all, write)];
  },
  name: (one) => {
    const all = state.doc.board.palette ?? tools.choices(one).sort();
    const write = (text) => editBoard((board) => (board.palette = text.split(/\s+/)));
    return one.palette ? [field("All colors", entry("All colors of the board", all.join(" "), write))] : [];
  },
  pattern: (one) =>
    [...lines(one.key), ""].map((line, i) => {
      const write = (text) => {
        chosen.slot = String(i);
        tools.editLines(one, (old) => old.toSpliced(i, 1, text));
      };
      return entry(`${one.label} ${line ? i + 1 : "to add"}`, line, write, { "data-slot": i });
    }),
  hole() {
    const bring = (cell) => button(`Bring back ${cell}`, () => tools.reshape(state.info.size, [], [cell]));
    return [h("div", { class: "chips" }, tools.holes().map(bring))];
  },
};
/** Returns the clue at hand: its words, its value, and how to write another one; null if there is none. */
function clue(one) {
  const { slot, pending } = chosen;
  const all = state.doc.board[one.key];
  if (one.tool === "total") return { words: one.label, value: all ?? "", write: (text) => tools.change(one.key, whole(text)) };
  if (slot === null || slot === undefined) return null;
  if (one.tool === "crossing") {
    const token = (text) => (one.unknown && text === "?" ? text : text === "" ? null : whole(text));
    const write = (text) => tools.put(one, [slot], token(text));
    return { words: `${one.label}, corner ${place(slot).join(", ")}`, value: tools.tokenAt(one, slot) ?? "", write };
  }
  if (one.tool === "outside") {
    const [side, number] = slot.split(" ");
    const value = tools.labels(one, side)[number - 1]?.replace(/^\.$/, "") ?? "";
    return { words: `${one.label}, ${slot}`, value, write: (text) => tools.setLabel(one, side, number - 1, text) };
  }
  if (one.tool === "sum") {
    const { [slot]: value = "", ...rest } = all ?? {};
    const token = (text) => (one.unknown && text === "?" ? text : whole(text));
    const write = (text) => tools.change(one.key, text ? { ...rest, [slot]: token(text) } : rest);
    return { words: `${one.label} of ${slot}`, value, write };
  }
  if (!one.value) return null;
  const at = slot === "new" ? lines(one.key).length : Number(slot);
  const line = slot === "new" ? pending : (lines(one.key)[at] ?? "");
  const write = (text) => {
    const next = tools.withValue(one, line, text);
    const waits = slot === "new" && one.needed && !tools.said(next).value;
    Object.assign(chosen, waits ? { pending: next } : { pending: "", slot: String(at) });
    waits || tools.editLines(one, (old) => old.toSpliced(at, 1, next));
  };
  return { words: `Value of ${one.label} ${slot === "new" ? "to add" : at + 1}`, value: tools.said(line).value, write };
}
/** Returns what may be chosen for a tool. */
function names(one) {
  const take = (token, once = false) => change(chosen, { token, once });
  const chip = (token) => {
    const words = [one.palette ? swatch(token) : "", DIRECTIONS[token] ?? token];
    const on = chosen.token === token;
    return button(words, () => take(on ? null : token), { class: "chip", "aria-pressed": String(on) });
  };
  const onchange = (event) => take(event.target.value.trim() || null);
  const other = h("input", { size: 6, maxlength: 12, "aria-label": "Another name", placeholder: "other", onchange });
  const fresh = button("New", () => take(tools.freshName(one), true), { id: "new-region" });
  const clear = button("Clear selected", () => tools.erase(one, [...state.selection]));
  return h("div", { class: "chips", role: "group", "aria-label": one.label },
    tools.choices(one).slice(0, 60).map(chip),
    { region: fresh, name: other }[one.tool] ?? "",
    one.grid && !one.whole ? clear : "",
  );
}
/** Returns keys to press: they type into cells, or into the entry at hand. */
function keypad(one) {
  const numbers = one.tool === "number";
  const colors = one.tool === "pattern" ? tools.choices(one) : null;
  const gap = colors?.some((color) => color.length > 1) ? " " : "";
  const type = (key) => {
    const all = [...get("right").querySelectorAll(".tool input")];
    const into = now.float ?? all.find((one_) => one_.dataset.slot === chosen.slot) ?? all.at(-1);
    if (numbers) {
      key === "⌫" ? tools.erase(one, [...state.selection]) : tools.number(one, key);
    } else if (into) {
      into.value = key === "⌫" ? into.value.slice(0, -1) : (into.value ? into.value + gap : "") + key;
      into.focus({ preventScroll: true });
      into.dispatchEvent(new Event("change"));
    }
  };
  const onpointerdown = (event) => event.preventDefault(); // the entry keeps the focus
  const key = (sign) => {
    const words = { "⌫": numbers ? "Clear" : "Delete the last", " ": "Space" }[sign] ?? sign;
    return button(sign === " " ? "␣" : sign, () => type(sign), { onpointerdown, "aria-label": words });
  };
  const fits = (digit) => !one.answers || (digit <= highest() && (digit > 0 || highest() > 9 || low() < 1));
  const keys = colors ?? [...[..."1234567890"].filter(fits), ...(one.unknown ? ["?"] : []), ...one.separator];
  return h("div", { class: "pad small-pad", role: "group", "aria-label": "Keys" }, [...keys, "⌫"].map(key));
}
function symmetry() {
  const fits = ([, [, , square]]) => !square || state.info.size[0] === state.info.size[1];
  const ways = Object.entries(tools.SYMMETRIES).filter(fits).map(([name, [words]]) => [name, words]);
  const count = tools.waiting().length;
  const turn = (name) => {
    change(state.settings, { symmetry: name });
    keep();
    relight();
  };
  const next = () => {
    const all = tools.waiting();
    select([all.find((cell) => cells().indexOf(cell) > cells().indexOf(state.cursor)) ?? all[0]]);
    focus();
  };
  return [
    field("Symmetry", choice(ways, state.settings.symmetry, turn, { id: "symmetry" })),
    state.settings.symmetry === "none" ? "" : h("p", { class: "quiet" }, PARTNERS),
    count ? button(`Next of ${count} that wait`, next, { id: "next-waiting" }) : "",
  ];
}
function content(one) {
  const { tool: name } = one;
  const [part] = chosen.parts;
  const parts = (next) => () => change(chosen, { parts: next() });
  const [chips, typed] = [
    ["region", "name", "sign", "sight"].includes(name) || (name === "pair" && one.values),
    ["number", "crossing", "outside", "sum", "total", "pattern"].includes(name) || (one.value && !one.values),
  ];
  const selected = () => [...state.selection];
  const circle = button("The selected cells are the circle", parts(() => [selected()]), { id: "circle" });
  const apply = () => tools.apply(one, selected(), report);
  const painted = ["hole", "mark"].includes(name) && !one.value;
  return [
    h("div", {}, h("h3", {}, named(one.label)), h("p", { class: "quiet" }, HOW[name])),
    chips && names(one),
    typed && keypad(one),
    part && h("div", { class: "row" }, `First: ${part.join(" ")}`, button("Drop it", parts(() => []))),
    one.head && !part && circle,
    one.closed && toggle("Close the next line to a loop", "", chosen.loop, (on) => (chosen.loop = on)),
    tools.isListed(one) &&
      button(painted ? "Change the selected cells" : "Add the selected cells", apply, { id: "add-selected" }),
    ...(ENTRIES[name]?.(one) ?? []),
    ...(one.answers ? symmetry() : []),
  ].filter(Boolean);
}

/** Returns the tools: those in use, the others of the board, and variants to turn on, what was used last first. */
function palette() {
  const of = JSON.stringify([offered().map(({ key }) => key), fittingVariants().length, [...turnedOn()]]);
  if (now.tiles.of !== of) {
    const used = ({ key }) => Number(state.doc.board[key] === undefined);
    const { recent = [] } = state.settings;
    const rest = inFamilies(fittingVariants().filter(({ name, tool: what }) => what && !turnedOn().has(name)));
    const last = rest.filter(({ name }) => recent.includes(name));
    const keys = offered().toSorted((one, other) => used(one) - used(other));
    const others = [...new Set([...last, ...rest])].slice(0, Math.max(last.length, MOST_TOOLS - keys.length));
    now.tiles = { of, keys, others };
  }
  const words = (one) => h("span", {}, named(one));
  const tile = ({ key, label, tool: what }) =>
    button([sign(what), words(label)], () => use(key), { "data-key": key, "aria-pressed": String(key === now.active) });
  const more = (one) => button([sign(one.tool), words(one.name)], () => turn(one, true), { "data-variant": one.name });
  return [...now.tiles.keys.map(tile), ...now.tiles.others.map(more)];
}
function use(key) {
  chosen.key = null;
  change(now, { active: key });
}

// -- What is typed where it stands ------------------------------------------------------------------------

/** Returns where the clue at hand is, in cells from the corner of the board; null if it has no place there. */
function placeOf(one) {
  const { slot: at, pending } = chosen;
  const [rows, columns] = state.info.size;
  if (one.tool === "outside") {
    const [side, number] = at?.split(" ") ?? [];
    const along = Number(number) - 0.5;
    return { top: [along, -0.5], bottom: [along, rows + 0.5], left: [-0.5, along], right: [columns + 0.5, along] }[side];
  }
  if (one.tool === "crossing") return at ? place(at).reverse().map((part) => part - 1) : null;
  const own = one.tool === "sum" ? tools.regions(one)[at] : tools.said(at === "new" ? pending : lines(one.key)[at]).cells;
  if (!own?.length) return null;
  const [[y, x], [down, right]] = [place(own[0]), place(own[1] ?? own[0])];
  if (one.tool === "corner") return [x, y];
  return one.tool === "pair" ? [(x + right - 1) / 2, (y + down - 1) / 2] : [x - 0.7, y - 0.8];
}
/** Shows an entry on the board for the clue at hand. */
function typeIn() {
  const one = tool();
  const own_ = one && clue(one);
  const where = own_ && placeOf(one);
  now.float?.remove();
  now.float = null;
  if (!where) return;
  const { left, top, size } = seat(...where);
  const own = h("input", { class: "on-board", "aria-label": own_.words, spellcheck: "false", value: own_.value, size: 3 });
  Object.assign(own.style, { left, top, fontSize: `${Math.max(14, size * 0.25)}px` });
  const commit = () => {
    const clue_ = clue(tool());
    clue_ && String(clue_.value) !== own.value.trim() && clue_.write(own.value);
  };
  const away = () => {
    if (now.float === own) now.float = null;
    own.remove();
  };
  own.addEventListener("change", commit);
  own.addEventListener("blur", () => setTimeout(away));
  own.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (!["Enter", "Escape"].includes(event.key)) return;
    event.key === "Enter" && commit();
    focus();
  });
  get("stage").append(own);
  now.float = own;
  own.focus({ preventScroll: true });
  own.select();
}

// -- What is on the board ---------------------------------------------------------------------------------

/** Lists the clues; a press leads to the place and the tool of one. */
function listed() {
  const row = (one, name, told, own, at, gone) => {
    const press = () => {
      use(one.key);
      tool();
      chosen.slot = at;
      light(own);
      report(at !== null);
    };
    const words = h("span", {}, h("b", {}, name), h("small", {}, told));
    const current = String(now.active === one.key && (at === null || chosen.slot === at));
    return h("li", {},
      button([sign(one.tool), words], press, { "data-clue": one.key, "aria-pressed": current, ...lights(() => light(own), relight) }),
      iconButton("close", `Delete ${name}, ${told}`, gone),
    );
  };
  const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const rows = tools.schema().flatMap((one) => {
    if (state.doc.board[one.key] === undefined) return [];
    const all = () => tools.change(one.key, one.grid ? "" : []);
    if (tools.isListed(one)) {
      const one_ = named(one.label).replace(/s$/, "");
      return lines(one.key).map((line, i) => {
        const { cells: own, value } = tools.said(line);
        const told = `${count(own.length, "cell")}${value ? `, ${value}` : ""}`;
        return row(one, one_, told, own, String(i), () => tools.editLines(one, (old) => old.toSpliced(i, 1)));
      });
    }
    const filled = tools.isGrid(one) ? cells().filter((cell) => !tools.isBlank(tools.tokenAt(one, cell))) : [];
    const told = tools.isGrid(one) ? count(filled.length, "cell") : "";
    return [row(one, named(one.label), told, filled, null, all)];
  });
  return h("div", { class: "col" }, h("h2", { class: "minor", hidden: !rows.length }, "On this board"), h("ul", { class: "clues" }, rows.slice(0, 200)));
}

// -- Variants, size -------------------------------------------------------------------------------------

const fittingVariants = () =>
  (state.catalogue?.variants ?? []).filter(({ name }) => state.info.fitting?.includes(name) ?? true);
const turnedOn = () => new Set([...(state.info.variants ?? []), ...(state.doc.board.variants ?? [])]);

/** Shows all variants that fit, to be turned on and off; one with keys of its own brings tools. */
export function pickVariants() {
  const on = turnedOn();
  const press = (one, event) => {
    const next = !on.delete(one.name);
    next && on.add(one.name);
    event.currentTarget.setAttribute("aria-pressed", next);
    turn(one, next);
  };
  sheet("Variants", findable(fittingVariants(), press, on));
}
function turn({ name, keys = [] }, on) {
  const recent = (state.settings.recent ?? []).filter((one) => one !== name);
  state.settings.recent = [name, ...recent].slice(0, 6);
  editBoard((board) => {
    const rest = (board.variants ?? []).filter((one) => one !== name);
    board.variants = on ? [...rest, name] : rest;
    if (!board.variants.length) delete board.variants;
    keys.forEach((key) => on || delete board[key]);
  });
  now.coming = on ? keys[0] : null;
}
function sizes() {
  const side = (value, label) => h("input", { type: "number", min: 1, max: 30, value, "aria-label": label });
  const [height, width] = [side(state.info.size[0], "Rows"), side(state.info.size[1], "Columns")];
  const size = () => tools.reshape([Number(height.value), Number(width.value)]);
  return h("div", { class: "row", key: `size ${state.info.size}` }, height, "×", width, button("Change the size", size, { class: "btn", id: "resize" }));
}
const OWN = {
  line: ["A line of cells, in order", (n, v) => `% Neighbours along a ${n} differ.\nviolated(${n}(I)) :- ${n}(I, J, R, C), ${n}(I, J + 1, R', C'), ${v}(R, C, V), ${v}(R', C', V).`],
  cage: ["A cage with a number", (n, v) => `% A ${n} adds up to its number.\nviolated(${n}(I)) :- ${n}_value(I, S), #sum { V, J : ${n}(I, J, R, C), ${v}(R, C, V) } != S.`],
  mark: ["A mark in a cell", (n, v) => `% A number with a ${n} is even.\nviolated(${n}(R, C)) :- ${n}(R, C), ${v}(R, C, V), V \\ 2 = 1.`],
  pair: ["A mark between two cells", (n, v) => `% Numbers with a ${n} between them differ by 1.\nviolated(${n}(R, C)) :- ${n}(R, C, R', C'), ${v}(R, C, V), ${v}(R', C', V'), |V - V'| != 1.`],
};
/** Makes a key of one's own: its tool comes, and a rule about it to begin with. */
function makeKey() {
  const name = h("input", { value: "ring", "aria-label": "Name", id: "own-name", spellcheck: "false" });
  const wrong = h("p", { class: "bad", role: "alert" });
  let what = "line";
  const kinds = choice(Object.entries(OWN).map(([kind_, [words]]) => [kind_, words]), what, (value) => (what = value), { id: "own-kind" });
  const go_ = () => {
    const word = name.value.trim();
    const taken = state.doc.own.some((one) => one.name === word) || tools.schema().some(({ key }) => key === `${word}s`);
    if (!/^[a-z][a-z_]{0,29}$/.test(word) || taken) {
      wrong.textContent = taken ? "There is such a key already." : "Write small letters without blanks, such as ring.";
      return;
    }
    const [value, arity] = state.info.answer.output.split("/");
    const rule = arity === "3" && kind() === "numbers" ? `${OWN[what][1](word, value)}\n` : "";
    edit((doc) => {
      doc.own = [...doc.own, { name: word, kind: what }];
      doc.extra = [doc.extra.trim(), rule].filter(Boolean).join("\n\n");
      doc.board.variants = [...new Set([...(doc.board.variants ?? []), "own"])];
      delete doc.board.solution;
    });
    now.coming = `${word}s`;
    get("dialog").close();
  };
  sheet("A key of your own", [
    h("p", {}, "A new kind of clue, and a rule that says what it means. You draw the clues here, and change the rule under Rules."),
    h("div", { class: "row" }, field("Name", name), field("It is", kinds)),
    wrong,
    h("div", { class: "row" }, button("Make it", go_, { class: "btn pen", id: "own-make" })),
  ]);
}
/** Asks for something that takes its time; another press drops it. */
async function long(question, take) {
  const slot = question.ask;
  if (asked(slot).pending) return drop(slot), say("Cancelled.");
  const { record, error, end } = await ask(slot, () => about({ entries: "", seconds: 60, ...question }));
  return record ? take(record) : say(error?.words ?? (end.late ? "Out of time." : "No such board was found."), "bad");
}
function fewer(record) {
  editBoard((board) => {
    Object.keys(board).forEach((key) => delete board[key]);
    Object.assign(board, record.board);
  });
  say("No clue can be left out now.", "good");
}
/** Puts in the clues that leave one answer, as one step of undo. */
function more(record) {
  const list = Object.entries(record.add);
  settle();
  list.forEach(([cell, value]) => tools.put(tools.answerKey(), [cell], Number(value), "add"));
  settle();
  light(list.map(([cell]) => cell));
  say(record.words.replace("would leave", list.length ? "leave" : "would leave"), list.length ? "good" : "");
}
function improve() {
  const one = (words, question, take, id) => button(words, () => long(question, take), { class: "btn wide", id, "data-waits": question.ask });
  return [
    one("Leave out clues", { ask: "minimize", symmetric: state.settings.symmetry === "half" }, fewer, "minimize"),
    tools.answerKey() ? one("Add the missing clues", { ask: "add" }, more, "add") : "",
  ];
}
export const set = {
  words: "Set",
  icon: "set",
  counts: true,
  left() {
    const onchange = (event) => editBoard((keys) => (keys.title = event.target.value));
    const names = { class: "big title", "aria-label": "Title", placeholder: "Untitled", rows: 1, spellcheck: "false" };
    return [
      h("textarea", { ...names, value: state.doc.board.title ?? "", onchange }),
      verdict(),
      candidates(),
      shownAnswer(),
      conflicts(),
      listed(),
      h("div", { class: "two foot" },
        labelled("link", "Copy link", copyLink, { id: "copy-link" }),
        labelled("file", "File", () => get("share").click(), { id: "file" }),
      ),
    ];
  },
  right() {
    const one = tool();
    const erase = () => tools.erase(tool(), [...state.selection]);
    return [
      h("div", { class: "tiles", role: "group", "aria-label": "Tool" }, palette()),
      h("div", { class: "two" },
        labelled("find", `${fittingVariants().length} variants`, pickVariants, { id: "variants", hidden: !fittingVariants().length }),
        labelled("plus", "Your own", makeKey, { id: "own-key", title: "A key of your own" }),
      ),
      h("div", { class: "tool" }, one ? content(one) : []),
      acts(iconButton("erase", "Clear the selected cells", erase, { class: "btn" })),
      h("div", {}, fold("Board", sizes(), ...improve())),
      labelled("play", "Try it", () => go("play"), { class: "btn pen wide", id: "try" }),
    ];
  },
  drawn() {
    input.stroke = tools.strokeOf(tool(), report);
    input.key = (event) => tools.press(tool(), event, report);
  },
  ready() {
    view.entries = false;
    if (tools.schema().some(({ key }) => key === now.coming)) {
      Object.assign(now, { active: now.coming, coming: null });
    }
  },
  /** Draws what is no board yet, such as a jigsaw between two strokes. */
  wrong() {
    const region = tools.schema().find((one) => one.tool === "region" && state.doc.board[one.key]);
    const givens = tools.answerKey();
    const number = (cell) => (givens && state.doc.board[givens.key] ? tools.tokenAt(givens, cell) : null);
    const tokens = (cell) => [cell, { region: tools.tokenAt(region, cell), number: number(cell) }];
    view.plain = region ? Object.fromEntries(cells().map(tokens)) : null;
  },
  leave() {
    now.float?.remove();
    now.float = null;
    chosen.key = null;
  },
};
