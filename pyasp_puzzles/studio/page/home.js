// The front page: open anything; set, make, learn; boards in progress; the shelf of puzzles and variants.
import { answered, ask, asked } from "./ask.js";
import { button, choice, duration, field, finds, get, h, named, render } from "./dom.js";
import { icon, iconButton, labelled } from "./icons.js";
import { print } from "./print.js";
import { go, openBoard, openShipped, sheet, sure } from "./shell.js";
import { change, clear, save, state, whole } from "./state.js";
import { inProgress } from "./store.js";
import { later } from "./talk.js";
import { families, firstBoard, puzzlePictures, tile, usualPuzzle } from "./thumbnails.js";

const MOST_OF_PICTURE = 240_000; // letters that a question has room for
const MOST = 60; // boards that the shelf shows of those that are found
const NOTHING = { text: "", picture: null, as: "", rows: "", columns: "", opening: false };
// `text`, or a `picture` in base64: what was given; `as`: the puzzle that it is, and its size, where it does not say so;
// `opening`: whether it is opened when it is known; `words`: what is looked for; `begun`: the boards in progress
const now = { ...NOTHING, words: "", begun: [] };

// -- Open anything --------------------------------------------------------------------------------------

/** Returns the question what was given; nothing while something is missing. */
function given() {
  const { text, picture, as } = now;
  const [rows, columns] = [Number(now.rows), Number(now.columns)];
  if (picture) return as && rows && columns && { ask: "read", picture, as, rows, columns };
  return text.trim() && { ask: "read", text, as };
}
const boardsIn = ({ records }) => records.filter(({ kind }) => kind === "board");
const wrongIn = (found) => (boardsIn(found).length ? "" : found.wrong || "There is no board in it.");
/** Says in words what was recognised: "A Sudoku of 9 × 9, from an address of puzz.link". */
function recognised(boards) {
  const [{ board, size, variants, title }] = boards;
  const from = /^https?:\/\/(?:www\.)?([^/]+)/.exec(now.text.trim());
  const site = from ? `, from an address of ${from[1]}` : now.picture ? ", from a picture" : "";
  const name = `${named(board.puzzle)} of ${size.join(" × ")}`;
  const also = variants.length ? ` with ${variants.map((one) => named(one).toLowerCase()).join(", ")}` : "";
  const called = title && boards.length === 1 ? `: ${title}` : "";
  return boards.length > 1 ? `${boards.length} boards; the first is a ${name}${site}` : `A ${name}${also}${site}${called}`;
}
/** Returns what is said of what was given, and its look. */
function known() {
  if (!given() && now.picture) return ["A picture of a board. Say which puzzle it shows, and how large the board is.", "good"];
  if (!given()) return ["A link, a grid, a file or a picture", ""];
  const found = asked("given");
  if (!found.records.length) return ["", ""];
  return wrongIn(found) ? [wrongIn(found), "bad"] : [recognised(boardsIn(found)), "good"];
}
/** Opens what was given: a board, or a list of several. */
function take() {
  if (!answered("given")) {
    now.opening = Boolean(given());
    return now.opening || get("anything").focus();
  }
  now.opening = false;
  const boards = boardsIn(asked("given"));
  const one = ({ board, title }, i) => tile(board, title || `Board ${i + 1}`, "", () => openBoard(board));
  if (boards.length < 2) return boards.length ? openBoard(boards[0].board) : get("anything").focus();
  return sheet(`${boards.length} boards`, [
    labelled("print", "Print them", () => print(boards), { class: "btn", id: "print-all" }),
    h("ul", { class: "shelf" }, boards.map(one)),
  ]);
}
async function load(file) {
  if (!file) return;
  const fresh = file.type.startsWith("image/") ? { picture: await small(file) } : { text: await file.text() };
  change(now, { ...NOTHING, ...fresh });
}
/** Returns what somebody says of a picture; a bare grid does not say which puzzle it is, either. */
function puzzleOf() {
  const puzzles = (state.catalogue?.puzzles ?? []).filter(({ colors }) => colors || !now.picture);
  const all = [["", "…"], ...puzzles.map(({ name }) => [name, named(name)])];
  const which = (id) => choice(all, now.as, (as) => change(now, { as }), { id });
  const side = (name) => {
    const oninput = ({ target }) => change(now, { [name]: target.value });
    return h("input", { type: "number", min: 1, max: 30, "aria-label": named(name), value: now[name], oninput });
  };
  if (now.picture) return h("div", { class: "row" }, field("It shows", which("shows")), side("rows"), "×", side("columns"));
  return given() && (now.as || (answered("given") && wrongIn(asked("given")))) ? field("Read it as", which("as")) : "";
}
function opener() {
  const onpaste = (event) => {
    const [image] = event.clipboardData.files;
    if (!image) return;
    event.preventDefault();
    load(image);
  };
  const onkeydown = (event) => {
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    take();
  };
  const ondrop = (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    files.length ? load(files[0]) : change(now, { ...NOTHING, text: event.dataTransfer.getData("text") });
  };
  const oninput = ({ target }) => change(now, { ...NOTHING, text: target.value });
  const names = { "aria-label": "A board in any format", placeholder: "Paste it here", rows: 1, spellcheck: "false", id: "anything" };
  const [told, look] = known();
  return h("div", { class: "open" },
    h("h2", { class: "minor" }, "Open anything"),
    h("div", { class: "box", ondrop, ondragover: (event) => event.preventDefault() },
      iconButton("paste", "Open a file", () => get("from-file").click(), { class: "bare square" }),
      h("textarea", { ...names, value: now.text, oninput, onpaste, onkeydown }),
      button("Open", take, { class: "btn pen", id: "read" }),
    ),
    h("input", { type: "file", hidden: true, "aria-label": "A file", id: "from-file", onchange: ({ target }) => load(target.files[0]) }),
    h("p", { class: `known ${look}`, role: "status", id: "known" }, told),
    h("span", {}, puzzleOf()),
  );
}

/** Returns a picture in base64, as a PNG that a question has room for. */
async function small(file) {
  const image = await createImageBitmap(file);
  for (let most = 1200; ; most /= 1.5) {
    const part = Math.min(1, most / Math.max(image.width, image.height));
    const [width, height] = [image.width, image.height].map((side) => Math.max(1, Math.round(side * part)));
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d").drawImage(image, 0, 0, width, height);
    const [, found] = canvas.toDataURL("image/png").split(",");
    if (found.length < MOST_OF_PICTURE) return found;
  }
}
/** Asks for the puzzle and the size of a new board. */
function fresh() {
  if (!state.catalogue) return later("new board", fresh);
  const side = (words_) => h("input", { type: "number", min: 1, max: 30, value: 9, "aria-label": words_ });
  const [rows, columns] = [side("Rows"), side("Columns")];
  let puzzle = usualPuzzle();
  const pictures = h("div", {});
  const choose = (name) => {
    puzzle = name;
    render(pictures, puzzlePictures(puzzle, choose));
  };
  choose(puzzle);
  const wrong = h("p", { class: "bad", role: "alert" });
  const make = async () => {
    const found = await ask("read", { ask: "read", new: puzzle, rows: Number(rows.value), columns: Number(columns.value) });
    found.record ? openBoard(found.record.board, "set") : (wrong.textContent = wrongIn(found));
  };
  sheet("Set a new board", [
    pictures,
    wrong,
    h("div", { class: "row" }, field("Size", rows), "×", columns, button("Begin", make, { class: "btn pen", id: "begin" })),
  ]);
  pictures.querySelector("[aria-pressed=true]").scrollIntoView({ block: "nearest" });
}

// -- The shelf ------------------------------------------------------------------------------------------

/** Finds the boards in progress, the last one first. */
function resume() {
  save();
  change(now, { begun: inProgress() });
}
/** Returns a board in progress, with how far somebody is. */
function begun([name, { doc: kept, seconds = 0, solved, made }]) {
  const doc = whole(kept);
  const { board, entries, ribbons, pieces, lines } = doc;
  const many = Object.keys(entries).length + ribbons.length + pieces.length + lines.length;
  const title = String(board.title || named(board.puzzle));
  const gone = () => {
    clear(name);
    resume();
  };
  const away = () => sure(`Clear ${title}?`, "What you wrote on it, its clock and its undo go for good.", "Clear it", gone);
  const progress = solved ? h("b", { class: "done" }, icon("check"), "Solved") : h("span", {}, many || !made ? `${many} written` : "New");
  const told = h("span", { class: "facts" }, progress, many ? h("span", {}, duration(Number(seconds))) : "");
  return tile(board, title, named(board.puzzle), () => openBoard(board), { doc, more: [told, iconButton("close", `Clear ${title}`, away)] });
}
/** Returns what fits the words: puzzles and variants; with words, all boards that fit. */
function fitting() {
  const { words } = now;
  const { puzzles = [], variants = [], boards = [] } = state.catalogue ?? {};
  const fits = (...texts) => finds(words, ...texts);
  const aliases = Object.fromEntries(puzzles.map((one) => [one.name, one.aliases.join(" ")]));
  const about = ({ name, title, puzzle, size }) => [name, title, puzzle, aliases[puzzle] ?? "", size.join("x")];
  const first = ({ name, summary }) => {
    const own = firstBoard(name);
    return own === name ? "" : tile(own, named(name), summary, () => openShipped(own), { "data-board": own });
  };
  const board = ({ name, title, puzzle }) => tile(name, title, named(puzzle), () => openShipped(name), { "data-board": name });
  const found = words ? boards.filter((one) => fits(...about(one))).slice(0, MOST).map(board) : [];
  const plain = puzzles.filter(({ name, summary }) => fits(name, summary, aliases[name])).map(first);
  const open = ({ name }) => openShipped(`variants/${name}`);
  return [plain, families(variants.filter(({ name, summary }) => fits(name, summary)), open), found];
}
const shelf = (tiles) => h("ul", { class: "shelf" }, tiles);
const door = (name, title, told, call) => button([icon(name), h("span", {}, title, h("small", {}, told))], call, { id: `door-${name}` });

export const home = {
  words: "pyasp studio",
  enter() {
    change(now, { ...NOTHING, words: "" });
    resume();
  },
  questions: { given: { wanted: given, done: () => now.opening && take() } },
  page() {
    const [puzzles, variants, boards] = fitting();
    const nothing = !puzzles.length && !variants.length && !boards.length && state.catalogue;
    const section = (title, content, there, more = {}) =>
      h("section", { hidden: !there, ...more }, h("div", { class: "heading" }, h("h2", {}, title)), content);
    const oninput = ({ target }) => change(now, { words: target.value.trim() });
    const find = { type: "search", placeholder: "Find a puzzle, variant or board", "aria-label": "Find", id: "find", value: now.words };
    return [
      h("div", { class: "hero" },
        h("div", {},
          h("h1", {}, "Logic puzzles, with rules you can read and change."),
          h("p", {}, "Play with hints that give reasons. Set your own boards, and see while you draw how many answers there are." +
            " Nothing leaves this computer."),
        ),
        opener(),
      ),
      h("div", { class: "doors" },
        door("set", "Set a new board", "Draw clues; answers are counted as you go", fresh),
        door("make", "Make boards", "Any puzzle, size and grade", () => go("make")),
        door("learn", "Learn: edit a rule", "Short lessons, on real boards", () => go("learn")),
      ),
      section("Continue", shelf(now.begun.map(begun)), now.begun.length, { id: "progress" }),
      h("section", {},
        h("div", { class: "heading" }, h("h2", {}, "Puzzles"), h("label", { class: "search" }, icon("find"), h("input", { ...find, oninput }))),
        h("div", {}),
      ),
      h("p", { class: "quiet", hidden: !nothing }, "Nothing has these words."),
      h("section", { hidden: !puzzles.length }, shelf(puzzles)),
      section("Variants of Sudoku", h("div", { class: "families" }, variants), variants.length),
      section("Boards", shelf(boards), boards.length),
    ];
  },
};
