// What the page says: messages, reasons with their cells, words that light up cells; and questions that wait.
import { light, view } from "./board.js";
import { button, cellName, h } from "./dom.js";
import { cells, state } from "./state.js";

const waiting = new Map();

/** Says something, to screen readers too. */
export function say(words, look = "") {
  const line = document.querySelector("#says");
  line.className = look;
  line.replaceChildren(words);
}

/** Calls a function now, or 250 ms after the last of several calls that follow each other quickly. */
export function later(name, call, pause = 250) {
  const { timer, time } = waiting.get(name) ?? { time: 0 };
  clearTimeout(timer);
  const now = performance.now();
  const wait = now - time < pause ? pause : 0;
  waiting.set(name, { time: now, timer: setTimeout(call, wait) });
}

/** Shows a mark of patience in an element, but not before 200 ms. */
export async function patiently(element, promise) {
  const timer = setTimeout(() => element.setAttribute("aria-busy", "true"), 200);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    element.removeAttribute("aria-busy");
  }
}

/** Returns a list of sentences; the cells of one are lit while it is pointed at or has the focus. */
export function reasons(list, rest = new Map(), press = null) {
  const one = (reason) => {
    const lit = () => light(reason.cells.length ? reason.cells : rest);
    const unlit = () => light(rest);
    const listeners = { onpointerenter: lit, onpointerleave: unlit, onfocus: lit, onblur: unlit };
    const name = reason.broken ? "reason bad" : "reason";
    return h("li", {}, button(reason.words, () => press?.(reason), { class: name, ...listeners }));
  };
  return h("ul", { class: "reasons" }, list.map(one));
}

/** Returns the cells that words name: "row 2, column 3", "row 2", "columns 1 and 2", "block A". */
function named(words) {
  const numbers = (name) => new Set((new RegExp(`\\b${name}s? ((?:\\d+(?:, | and | or )?)+)`, "i").exec(words)?.[1] ?? "").match(/\d+/g)?.map(Number));
  const [rows, columns] = [numbers("row"), numbers("column")];
  const place = (cell) => cell.match(/\d+/g).map(Number);
  if (rows.size || columns.size) {
    const inside = ([row, column]) => (!rows.size || rows.has(row)) && (!columns.size || columns.has(column));
    return cells().filter((cell) => inside(place(cell)));
  }
  const key = state.info?.schema.find(({ tool }) => tool === "region")?.key;
  const grid = key && state.doc.board[key];
  const name = words.split(" ").at(-1);
  return Array.isArray(grid)
    ? grid.flatMap((row, i) => [...row].flatMap((token, j) => (token === name ? [cellName(i + 1, j + 1)] : [])))
    : [];
}

/** Returns a sentence whose words that name cells light these up; a press keeps them lit. */
export function sentence(words) {
  const known = state.info?.schema.find(({ tool }) => tool === "region")?.label ?? "region";
  const noun = known.toLowerCase().split(" ")[0].replace(/s$/, "");
  const one = "rows? \\d+,? columns? \\d+(?:(?:, | and )\\d+\\b)*|(?:rows?|columns?) \\d+(?:(?:, | and )\\d+\\b)*";
  const pattern = new RegExp(`((?:${one}|\\b(?:${noun}|block|stream|region|box) \\w+\\b))`, "i");
  const parts = words.split(pattern).map((part, i) => {
    const found = i % 2 ? named(part) : [];
    if (!found.length) {
      return part;
    }
    const before = new Map(view.lit);
    const word = h("button", { type: "button", class: "place" }, part);
    const back = () => light(word.classList.contains("pinned") ? found : before);
    word.addEventListener("pointerenter", () => light(found));
    word.addEventListener("pointerleave", back);
    word.addEventListener("focus", () => light(found));
    word.addEventListener("blur", back);
    word.addEventListener("click", () => word.classList.toggle("pinned"));
    return word;
  });
  return h("p", { class: "words" }, parts);
}
