// Elements of HTML and SVG, and places on the board.

const SVG = "http://www.w3.org/2000/svg";
export const UNIT = 40; // of the coordinates of the board, for a cell

/**
 * Returns an element; `on...` properties are listeners, true and false say whether an attribute is there. `key` names an
 * element that `render` leaves as it is.
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on") || name === "key") {
      element[name] = value;
      element.own = [...(element.own ?? []), name];
    } else if (name === "value" && "value" in element) {
      element.value = value;
    } else if (value === true || value === false) {
      element.toggleAttribute(name, value);
    } else if (value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}
export const h = (tag, properties, ...children) => fill(document.createElement(tag), properties, children);
export const s = (tag, properties, ...children) => fill(document.createElementNS(SVG, tag), properties, children);

/** Returns a button with words on it. */
export const button = (words, onclick, more = {}) => h("button", { type: "button", onclick, ...more }, words);
/** Returns a label with its field. */
export const field = (words, input) => h("label", { class: "field" }, h("span", {}, words), input);
/** Returns a list to choose from: values, or pairs of a value and its words. */
export const choice = (values, chosen, onchange, properties = {}) =>
  h("select", { onchange: (event) => onchange(event.target.value), ...properties },
    values
      .map((one) => (Array.isArray(one) ? one : [one, one]))
      .map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );
/** Returns buttons of which one is pressed. */
export function segments(values, chosen, change) {
  const press = ({ currentTarget: own }) => {
    for (const one of own.parentNode.children) one.setAttribute("aria-pressed", String(one === own));
    change(own.value);
  };
  const one = (value) => button(value, press, { value, "aria-pressed": String(value === chosen) });
  return h("div", { class: "seg even", role: "group" }, values.map(one));
}

/** Returns a switch; a press changes it. */
export const toggle = (words, told, on, change, id) => {
  const onclick = ({ currentTarget: own }) => {
    const next = own.getAttribute("aria-checked") !== "true";
    own.setAttribute("aria-checked", next);
    change(next);
  };
  const parts = [h("span", {}, words, told && h("small", {}, told)), h("i", {})];
  return button(parts, onclick, { class: "switch", role: "switch", "aria-checked": String(on), id });
};

/**
 * Returns the element of the page with an id.
 * @returns {any}
 */
export const get = (id) => document.getElementById(id);
/** Returns what the server has written into the page. */
export const meta = (name) => document.querySelector(`meta[name=${name}]`).getAttribute("content");
/** Returns the nearest element around that of an event that fits a selector. */
export const around = (event, selector) => event.target.closest?.(selector);

const unfolded = new Set();
/** Returns a box that folds; one of the same name that is built anew is as it was. */
export const fold = (words, ...children) => {
  const ontoggle = ({ target }) => (target.open ? unfolded.add(words) : unfolded.delete(words));
  const properties = { class: "fold", open: unfolded.has(words), ontoggle };
  return h("details", properties, h("summary", {}, words), ...children);
};

/**
 * Makes the children of an element what they should be. What is alike stays, with its focus, its caret, and a press under
 * way; so listeners of elements may not be about others of the same view, only about what they get and the state.
 */
export function render(host, ...children) {
  const all = () => [...host.querySelectorAll("button, input, select, textarea, summary")];
  const active = /** @type {any} */ (document.activeElement);
  const at = all().indexOf(active);
  adapt(host, h("div", {}, ...children));
  if (at >= 0 && !host.contains(active)) all()[at]?.focus({ preventScroll: true }); // on what is at the same place
}
function adapt(host, from) {
  const fresh = [...from.childNodes];
  fresh.forEach((next, i) => {
    const old = host.childNodes[i];
    if (!old) host.append(next);
    else if (old.nodeName !== next.nodeName || old.id !== next.id || old.key !== next.key) old.replaceWith(next);
    else if (next.nodeType === Node.TEXT_NODE) old.data === next.data || (old.data = next.data);
    else if (!next.key) become(old, next);
  });
  while (host.childNodes.length > fresh.length) host.lastChild.remove();
}
/** Gives an element the attributes, listeners, value and children of another one. */
function become(old, next) {
  const waits = (name) => name === "aria-busy" && next.hasAttribute("data-waits");
  const gone = [...old.attributes].filter(({ name }) => !next.hasAttribute(name) && !waits(name));
  gone.forEach(({ name }) => old.removeAttribute(name));
  for (const { name, value } of next.attributes) {
    if (old.getAttribute(name) === value) continue;
    name === "style" ? (old.style.cssText = value) : old.setAttribute(name, value);
  }
  for (const name of [...(old.own ?? []), ...(next.own ?? [])]) old[name] = next[name] ?? null;
  old.own = next.own;
  adapt(old, next);
  if ("value" in next && old !== document.activeElement && old.value !== next.value) old.value = next.value;
}

export const cellName = (row, column) => `r${row}c${column}`;
export const place = (cell) => cell.match(/\d+/g).map(Number);
export const inWords = (cell) => place(cell).reduce((row, column) => `row ${row}, column ${column}`);
export const inOrder = (cells) =>
  [...cells].sort((one, other) => place(one)[0] - place(other)[0] || place(one)[1] - place(other)[1]);
export const beside = (one, other) => {
  const [[r, c], [row, column]] = [place(one), place(other)];
  return Math.abs(r - row) + Math.abs(c - column) === 1;
};
/** Returns how many rows and columns there are. */
export const extent = (cells) => [0, 1].map((i) => Math.max(0, ...cells.map((cell) => place(cell)[i])));
export const middle = (cell) => place(cell).reverse().map((part) => (part - 0.5) * UNIT);

/**
 * Returns a drawing of the server as an element.
 * @returns {any}
 */
export function drawing(text) {
  const holder = document.createElement("template");
  holder.innerHTML = text;
  return holder.content.firstElementChild;
}

/** Returns a time: "1:02:03". */
export function duration(time) {
  const [hours, minutes, seconds] = [3600, 60, 1].map((unit) => Math.floor(time / unit));
  const two = (number) => String(number % 60).padStart(2, "0");
  return `${hours ? `${hours}:` : ""}${two(minutes)}:${two(seconds)}`;
}

/** Returns the name of a puzzle or variant as people write it: "Star battle". */
export const named = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

/** Returns whether texts have all of some words, in any order: "sudoku easy" is in "sudoku/easy". */
export function finds(words, ...texts) {
  const plain = (text) => text.toLowerCase().replace(/(\d) ?[x×] ?(?=\d)/g, "$1x").replace(/[^\p{L}\p{N}]+/gu, " ");
  const all = plain(texts.join(" "));
  return plain(words).trim().split(" ").every((word) => all.includes(word));
}

/** Gives a file to the user. */
export function download(name, content, type = "text/plain") {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = h("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
