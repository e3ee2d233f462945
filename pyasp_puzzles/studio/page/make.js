// Make: a page with a setter's wishes, and new boards as they come.
import { ask, asked, latest, stop } from "./ask.js";
import { button, choice, field, fold, get, h, named, segments, toggle } from "./dom.js";
import { icon, iconButton, labelled } from "./icons.js";
import { print } from "./print.js";
import { openBoard, sheet } from "./shell.js";
import { bring, change, edited, filled, keep, keepMade, kind, state } from "./state.js";
import { findable, puzzlePictures, thumbnail, usualPuzzle } from "./thumbnails.js";

const SIDES = ["top", "bottom", "left", "right"];
const LINES = [["touch", "may touch"], ["apart", "stay apart"], ["overlap", "may cross"]];
// What the form says; it stays when somebody comes back.
const wish = {
  puzzle: "", size: "", grade: "", number: "6", seed: "",
  variants: {}, // {name: how many of its clues, as text}
  givens: "", cells: "", sides: SIDES, lines: "touch", cover: false, all_dots: false, symmetric: false,
  like: false, answer: false, own: false, // what is taken from the open board
};
const catalogue = () => state.catalogue ?? { puzzles: [], variants: [], boards: [] };
/** Returns "4" as 4, and "3..5" as [3, 5]; null if it is neither. */
const span = (text) => {
  const [low, high] = text.split("..").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : null));
  return low === null || high === null ? null : high === undefined ? low : [low, high];
};
const fits = () => state.doc.board?.puzzle === wish.puzzle;
/** Returns the grades that can be asked for: none of boards with variants or other rules. */
const grades = () => {
  const others = Object.keys(wish.variants).length || (wish.own && hasRules());
  return others ? [] : (catalogue().puzzles.find((one) => one.name === wish.puzzle)?.grades ?? []);
};
const hasRules = () => fits() && edited(state.doc);

function question() {
  const names = Object.keys(wish.variants);
  const use = {};
  for (const { name, keys } of catalogue().variants.filter((one) => names.includes(one.name) && one.keys.length)) {
    if (span(wish.variants[name]) !== null) use[keys[0]] = span(wish.variants[name]);
  }
  const [rows, columns] = wish.size.split(/\D+/).filter(Boolean).map(Number);
  const { rules, extra, edits } = state.doc;
  const own = wish.own && hasRules() ? { rules, edits, extra: extra || null } : {};
  const like = wish.like && fits() ? { like: true, board: state.doc.board } : {};
  const answer = wish.answer && fits() ? { answer: true, board: state.doc.board, entries: filled() } : {};
  const { puzzle, symmetric, cover, all_dots, lines, grade, number, seed } = wish;
  const sides = wish.sides.length === SIDES.length ? [] : wish.sides;
  const counts = { givens: span(wish.givens), cells: span(wish.cells), number: Number(number), seed: seed ? Number(seed) : null };
  const size = rows ? [rows, columns ?? rows] : [];
  return { ask: "make", seconds: 60, puzzle, size, variants: names, use, symmetric, cover, all_dots, lines, sides, grade: grades().includes(grade) ? grade : null, ...counts, ...own, ...like, ...answer };
}
/** Asks for boards, or stops; those that come are kept with the boards in progress, whatever page is open then. */
function start() {
  if (asked("make").pending) return stop("make");
  const wanted = question();
  const keep_ = (record) => {
    if (record.kind === "board" && !keepMade(record.board, ownRules(wanted))) dispatchEvent(new Event("full"));
  };
  return ask("make", wanted, keep_);
}
/** Returns the rules with which boards are made, where they are changed ones. */
const ownRules = ({ rules = null, edits = null, extra = null }) => (edits ? { rules, edits, extra: extra ?? "" } : {});
/** Returns the boards that have come, and says whether there will be more. */
function made() {
  const { question: run, records, pending, end } = asked("make");
  const boards = records.filter(({ kind: what }) => what === "board");
  const many = boards.length;
  const late = end && (end.late || !many) ? "Out of time: fewer wishes or a smaller board are faster." : "";
  const wrong = latest("make", "error")?.words ?? late;
  const count = `${many === 1 ? "One board" : `${many} boards`}, one answer each`;
  const told = run ? `Checked; the answers stay hidden.${many ? " They are kept on the front page." : ""}` : "Each has one answer, and no clue can be left out.";
  const onPaper = () => print(boards.map(({ board }) => ({ board })));
  const blank = () => h("li", { class: "blank" });
  return h("div", {},
    h("div", { class: "heading" },
      h("div", { role: "status" },
        h("h2", {}, many ? count : pending ? "Making boards …" : run ? "No board" : "New boards"),
        h("p", { class: wrong ? "bad" : "quiet" }, wrong || told),
      ),
      labelled("print", "Print them", onPaper, { class: "btn", id: "print-made", hidden: pending || !many || Boolean(run.edits) }),
    ),
    h("ul", { class: "shelf", id: "made", "data-waits": "make" }, run ? boards.map((record) => tile(record, ownRules(run))) : Array.from({ length: 6 }, blank)),
  );
}
const words = () => `Make ${wish.number === "1" ? "a board" : `${wish.number} boards`}`;
/** Returns a board that was made, to be played or changed. */
function tile(record, own) {
  const go = (mode) => {
    openBoard(record.board, mode);
    bring(own);
  };
  const title = record.board.title ?? named(record.board.puzzle);
  return h("li", { class: "tile made" },
    thumbnail(record.board),
    h("span", { class: "about" }, h("b", {}, title), h("small", {}, record.board.notes ?? "")),
    h("div", { class: "two" }, button("Play", () => go("play"), { class: "btn" }), button("Change", () => go("set"), { class: "btn" })),
  );
}

// -- The form -------------------------------------------------------------------------------------------

const set = (name) => (value) => {
  change(wish, { [name]: value });
  keep();
};
const input = (name, more) => h("input", { value: wish[name], oninput: (event) => set(name)(event.target.value.trim()), ...more });
const part = (title, ...content) => h("section", { class: "part", "aria-label": title }, h("h3", {}, title), ...content);
function pick() {
  const press = ({ name }) => {
    change(wish, { variants: { ...wish.variants, [name]: "" } });
    get("dialog").close();
  };
  sheet("Add a variant", findable(catalogue().variants.filter(({ name }) => !(name in wish.variants)), press));
}
function chip([name, many]) {
  const keyed = catalogue().variants.find((variant) => variant.name === name)?.keys.length;
  const gone = () => {
    const { [name]: _, ...variants } = wish.variants;
    change(wish, { variants });
  };
  const oninput = (event) => (wish.variants[name] = event.target.value.trim());
  const names = { "aria-label": `How many of ${named(name)}`, placeholder: "any", size: 4, inputmode: "numeric" };
  return h("li", { class: "wished" },
    h("b", {}, named(name)),
    keyed ? h("input", { ...names, value: many, oninput }) : "",
    iconButton("close", `Without ${named(name)}`, gone),
  );
}
function form() {
  const { puzzles } = catalogue();
  if (!puzzles.length) return [];
  if (!puzzles.some(({ name }) => name === wish.puzzle)) wish.puzzle = usualPuzzle();
  const number = { inputmode: "numeric", size: 6 };
  const side = (name) => {
    const on = wish.sides.includes(name);
    const press = () => set("sides")(on ? wish.sides.filter((old) => old !== name) : [...wish.sides, name]);
    return button(name, press, { "aria-pressed": String(on) });
  };
  return [
    part("Puzzle", puzzlePictures(wish.puzzle, set("puzzle"))),
    part("Size", input("size", { placeholder: "usual, 6, or 6x8", id: "make-size", "aria-label": "Size" })),
    part("Variants", h("ul", { class: "chips" }, Object.entries(wish.variants).map(chip)), labelled("plus", "Add", pick, { id: "add-variant" })),
    grades().length ? part("Grade", choice([["", "any"], ...grades()], wish.grade, set("grade"), { id: "grade", "aria-label": "Grade" })) : "",
    part("How many", segments(["1", "6", "12"], wish.number, set("number"))),
    fold(
      "More wishes",
      field("Printed numbers", input("givens", { placeholder: "any, 0, 0..4", id: "make-givens", ...number })),
      field("Cells of a line or cage", input("cells", { placeholder: "any, 3..5", id: "make-cells", ...number })),
      field("Lines", choice(LINES, wish.lines, set("lines"), { id: "make-lines" })),
      h("div", { class: "row" }, "Clues at", SIDES.map(side)),
      toggle("Cages or lines cover the board", "", wish.cover, set("cover")),
      toggle("All dots and signs that hold", "", wish.all_dots, set("all_dots")),
      toggle("Symmetric clues", "", wish.symmetric, set("symmetric")),
      field("Seed", input("seed", { placeholder: "any", id: "seed", ...number })),
      fits() ? toggle("What is drawn on the open board stays", "", wish.like, set("like")) : "",
      fits() && kind() === "numbers" ? toggle("The answer has the numbers of the open board", "", wish.answer, set("answer")) : "",
      hasRules() ? toggle("By the rules as I changed them", "", wish.own, set("own")) : "",
    ),
  ];
}

export const make = {
  words: "Make boards",
  /** Scrolls to the puzzle, the first time. */
  drawn() {
    const on = get("page").querySelector(".puzzles [aria-pressed=true]");
    if (!on || on.parentNode.scrolled) return;
    on.parentNode.scrollLeft = on.offsetLeft - on.parentNode.offsetLeft - 90;
    on.parentNode.scrolled = true;
  },
  page() {
    const call = asked("make").pending ? "Stop" : words();
    const begin = button([icon("make"), h("span", {}, call)], start, { class: "btn pen wide", id: "make-them" });
    const wishes = h("div", { class: "form" }, h("h2", { class: "big" }, "Make boards"), h("div", { class: "wishes" }, form()), begin);
    return [h("div", { class: "making" }, wishes, made())];
  },
};
