// What the page says: messages, and reasons with their cells; and calls that wait for others.
import { light } from "./board.js";
import { button, get, h } from "./dom.js";

const waiting = new Map();

/** Says something, to screen readers too. */
export function say(words, look = "") {
  const line = get("says");
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

/** Returns the listeners of an element that lights up cells while it is pointed at or has the focus. */
export const lights = (lit, unlit) => ({ onpointerenter: lit, onpointerleave: unlit, onfocus: lit, onblur: unlit });
/** Returns a list of sentences; the cells of one are lit while it is pointed at or has the focus. */
export function reasons(list, rest = new Map(), press = null) {
  const one = (reason) => {
    const listeners = lights(() => light(reason.cells.length ? reason.cells : rest), () => light(rest));
    const name = `reason${reason.broken ? " bad" : ""}${reason.words.includes(":-") ? " code" : ""}`;
    return h("li", {}, button(reason.words, () => press?.(reason), { class: name, ...listeners }));
  };
  return h("ul", { class: "reasons" }, list.map(one));
}
