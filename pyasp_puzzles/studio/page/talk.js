// What the page says: messages, reasons with their cells, words that light up cells; and questions that wait.
import { light } from "./board.js";
import { button, cellName, h } from "./dom.js";

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

/** Returns a sentence whose words that name cells light these up; a press keeps them lit. */
export function sentence(words, places = {}) {
  const quote = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const names = Object.keys(places).sort((one, other) => other.length - one.length);
  const known = new Map(names.map((name) => [name.toLowerCase(), places[name]]));
  const pattern = new RegExp(`\\b(${["row \\d+,? column \\d+", ...names.map(quote)].join("|")})(?!\\w)`, "i");
  const parts = words.split(pattern).map((part, i) => {
    if (i % 2 === 0) {
      return part;
    }
    const found = known.get(part.toLowerCase()) ?? [cellName(...part.match(/\d+/g))];
    const word = h("button", { type: "button", class: "place" }, part);
    const back = () => light(word.classList.contains("pinned") ? found : []);
    word.addEventListener("pointerenter", () => light(found));
    word.addEventListener("pointerleave", back);
    word.addEventListener("focus", () => light(found));
    word.addEventListener("blur", back);
    word.addEventListener("click", () => word.classList.toggle("pinned"));
    return word;
  });
  return h("p", { class: "words" }, parts);
}
