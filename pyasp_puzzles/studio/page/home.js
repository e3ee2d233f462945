// The front page: open anything; set, make, learn; boards in progress; the shelf of puzzles and variants.
import { ask } from "./ask.js";
import { button, choice, duration, field, finds, h, named, rebuild } from "./dom.js";
import { icon, iconButton, labelled } from "./icons.js";
import { print } from "./print.js";
import { go, openBoard, openShipped, sheet, sure } from "./shell.js";
import { clear, save, state, whole } from "./state.js";
import { inProgress } from "./store.js";
import { later } from "./talk.js";
import { families, firstBoard, puzzlePictures, tile, usualPuzzle } from "./thumbnails.js";

const MOST_OF_PICTURE = 240_000; // letters that a question has room for
const MOST = 60; // boards that the shelf shows of those that are found
let panel = {};
let words = ""; // what is looked for

// -- Open anything --------------------------------------------------------------------------------------

/** Asks what a text or a picture is, or for a new board. */
const read = async (wanted) => {
  const found = await ask("read", wanted);
  const boards = found.records.filter(({ kind }) => kind === "board");
  return { boards, wrong: boards.length ? "" : found.wrong || "There is no board in it." };
};
/** Says in words what was recognised: "A Sudoku of 9 × 9, from an address of puzz.link". */
function recognised({ boards }, text) {
  const [{ board, size, variants, title }] = boards;
  const from = /^https?:\/\/(?:www\.)?([^/]+)/.exec(text.trim());
  const site = from ? `, from an address of ${from[1]}` : "";
  const name = `${named(board.puzzle)} of ${size.join(" × ")}`;
  const also = variants.length ? ` with ${variants.map((one) => named(one).toLowerCase()).join(", ")}` : "";
  const called = title && boards.length === 1 ? `: ${title}` : "";
  return boards.length > 1 ? `${boards.length} boards; the first is a ${name}${site}` : `A ${name}${also}${site}${called}`;
}
function opener() {
  const known = h("p", { class: "known", role: "status", id: "known" });
  const names = { "aria-label": "A board in any format", placeholder: "Paste it here", rows: 1 };
  const text = h("textarea", { ...names, spellcheck: "false", id: "anything" });
  const puzzle = h("span", {});
  let found = null;
  let picture = null; // what was dropped or pasted instead of a text, in base64
  const say_ = (told, look = "") => {
    known.className = `known ${look}`;
    known.replaceChildren(told);
  };
  const look = async (as = "") => {
    picture = null;
    found = null;
    if (!text.value.trim()) return say_("A link, a grid, a file or a picture");
    found = await read(() => !picture && { ask: "read", text: text.value, as });
    found.wrong ? say_(found.wrong, "bad") : say_(recognised(found, text.value), "good");
    puzzle.replaceChildren(...(found.wrong || as ? [asPuzzle()] : []));
  };
  /** A bare grid does not say which puzzle it is. */
  const asPuzzle = () => {
    const names_ = (state.catalogue?.puzzles ?? []).map(({ name }) => [name, named(name)]);
    return field("Read it as", choice([["", "…"], ...names_], "", look, { id: "as" }));
  };
  const take = async () => {
    found ?? picture ?? (await look());
    if (!found?.boards.length) return text.focus();
    const { boards } = found;
    const one = ({ board, title }, i) => tile(board, title || `Board ${i + 1}`, "", () => openBoard(board));
    boards.length === 1
      ? openBoard(boards[0].board)
      : sheet(`${boards.length} boards`, [
          labelled("print", "Print them", () => print(boards), { class: "btn", id: "print-all" }),
          h("ul", { class: "shelf" }, boards.map(one)),
        ]);
  };
  const file = h("input", { type: "file", hidden: true, "aria-label": "A file" });
  /** Asks for the puzzle and the size of a picture, which does not say them, and looks for its board. */
  const show = (image) => {
    [picture, found, text.value] = [image, null, ""];
    say_("A picture of a board. Say which puzzle it shows, and how large the board is.", "good");
    const read_ = async () => {
      const [rows, columns] = sides.map(({ value }) => Number(value));
      if (!which.value || !rows || !columns) return;
      found = await read(() => picture === image && { ask: "read", picture, as: which.value, rows, columns });
      found.wrong ? say_(found.wrong, "bad") : say_(`${recognised(found, "")}, from a picture`, "good");
    };
    const side = (words) => h("input", { type: "number", min: 1, max: 30, "aria-label": words, oninput: read_ });
    const sides = [side("Rows"), side("Columns")];
    const able = (state.catalogue?.puzzles ?? []).filter(({ colors }) => colors).map(({ name }) => [name, named(name)]);
    const which = choice([["", "…"], ...able], "", read_, { id: "shows" });
    puzzle.replaceChildren(h("div", { class: "row" }, field("It shows", which), sides[0], "×", sides[1]));
  };
  const load = async (from) => {
    if (!from) return;
    if (from.type.startsWith("image/")) return show(await small(from));
    text.value = await from.text();
    look();
  };
  file.addEventListener("change", () => load(file.files[0]));
  text.addEventListener("paste", (event) => {
    const [image] = event.clipboardData.files;
    if (!image) return;
    event.preventDefault();
    load(image);
  });
  text.addEventListener("input", () => later("read", look));
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      take();
    }
  });
  const box = h(
    "div",
    { class: "box" },
    iconButton("paste", "Open a file", () => file.click(), { class: "bare square" }),
    text,
    button("Open", take, { class: "btn pen", id: "read" }),
  );
  box.addEventListener("dragover", (event) => event.preventDefault());
  box.addEventListener("drop", (event) => {
    event.preventDefault();
    const { files } = event.dataTransfer;
    files.length ? load(files[0]) : ((text.value = event.dataTransfer.getData("text")), look());
  });
  look();
  return h("div", { class: "open" }, h("h2", { class: "minor" }, "Open anything"), box, file, known, puzzle);
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
    rebuild(pictures, puzzlePictures(puzzle, choose));
  };
  choose(puzzle);
  const wrong = h("p", { class: "bad", role: "alert" });
  const make = async () => {
    const found = await read({ ask: "read", new: puzzle, rows: Number(rows.value), columns: Number(columns.value) });
    found.boards[0] ? openBoard(found.boards[0].board, "set") : (wrong.textContent = found.wrong);
  };
  sheet("Set a new board", [
    pictures,
    wrong,
    h("div", { class: "row" }, field("Size", rows), "×", columns, button("Begin", make, { class: "btn pen", id: "begin" })),
  ]);
  pictures.querySelector("[aria-pressed=true]").scrollIntoView({ block: "nearest" });
}

// -- The shelf ------------------------------------------------------------------------------------------

/** Lists the boards in progress, the last one first. */
function resume() {
  save();
  const row = ([name, { doc: kept, seconds = 0, solved, made }]) => {
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
    const more = [told, iconButton("close", `Clear ${title}`, away)];
    return tile(board, title, named(board.puzzle), () => openBoard(board), { doc, more });
  };
  const rows = inProgress().map(row);
  panel.begun.replaceChildren(...rows);
  panel.progress.hidden = !rows.length;
}
/** Shows what fits the words: puzzles and variants; with words, all boards that fit. */
function fill() {
  const { puzzles = [], variants = [], boards = [] } = state.catalogue ?? {};
  const fits = (...texts) => finds(words, ...texts);
  const aliases = Object.fromEntries(puzzles.map((one) => [one.name, one.aliases.join(" ")]));
  const about = ({ name, title, puzzle, size }) => [name, title, puzzle, aliases[puzzle] ?? "", size.join("x")];
  const first = ({ name, summary }) => {
    const own = firstBoard(name);
    return own === name ? "" : tile(own, named(name), summary, () => openShipped(own), { "data-board": own });
  };
  const board = ({ name, title, puzzle }) => tile(name, title, named(puzzle), () => openShipped(name), { "data-board": name });
  const found = words ? boards.filter((one) => fits(...about(one))) : [];
  const plain = puzzles.filter(({ name, summary }) => fits(name, summary, aliases[name])).map(first);
  const open = ({ name }) => openShipped(`variants/${name}`);
  const others = families(variants.filter(({ name, summary }) => fits(name, summary)), open);
  panel.puzzles.replaceChildren(...plain);
  panel.variants.replaceChildren(...others);
  panel.boards.replaceChildren(...found.slice(0, MOST).map(board));
  for (const [list, many] of [["puzzles", plain], ["variants", others], ["boards", found]]) {
    panel[list].parentElement.hidden = !many.length;
  }
  panel.nothing.hidden = Boolean(plain.length || others.length || found.length || !state.catalogue);
}

export const home = {
  words: "pyasp studio",
  page: true,
  enter({ page }) {
    words = "";
    const list = () => h("ul", { class: "shelf" });
    panel = { begun: list(), puzzles: list(), variants: h("div", { class: "families" }), boards: list() };
    panel.nothing = h("p", { class: "quiet", hidden: true }, "Nothing has these words.");
    const door = (name, title, told, call, id) =>
      button([icon(name), h("span", {}, title, h("small", {}, told))], call, { id });
    const oninput = (event) => {
      words = event.target.value.trim();
      fill();
    };
    const find = { type: "search", placeholder: "Find a puzzle, variant or board", "aria-label": "Find", id: "find" };
    const part = (title, content, ...more) =>
      h("section", {}, h("div", { class: "heading" }, h("h2", {}, title), ...more), content);
    panel.progress = part("Continue", panel.begun);
    panel.progress.id = "progress";
    page.append(
      h(
        "div",
        { class: "hero" },
        h(
          "div",
          {},
          h("h1", {}, "Logic puzzles, with rules you can read and change."),
          h(
            "p",
            {},
            "Play with hints that give reasons. Set your own boards, and see while you draw how many answers there are." +
              " Nothing leaves this computer.",
          ),
        ),
        opener(),
      ),
      h(
        "div",
        { class: "doors" },
        door("set", "Set a new board", "Draw clues; answers are counted as you go", fresh, "door-set"),
        door("make", "Make boards", "Any puzzle, size and grade", () => go("make"), "door-make"),
        door("learn", "Learn: edit a rule", "Short lessons, on real boards", () => go("learn"), "door-learn"),
      ),
      panel.progress,
      part(
        "Puzzles",
        h("div", {}),
        h("label", { class: "search" }, icon("find"), h("input", { ...find, oninput })),
      ),
      panel.nothing,
      h("section", {}, panel.puzzles),
      part("Variants of Sudoku", panel.variants),
      part("Boards", panel.boards),
    );
    resume();
    fill();
  },
  catalogued: () => fill(),
  leave() {
    panel = {};
  },
};
