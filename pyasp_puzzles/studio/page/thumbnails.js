// Thumbnails of boards; puzzles as thumbnails, and variants, in families.
import { ask, drop } from "./ask.js";
import { sketch } from "./board.js";
import { button, drawing, finds, h, named } from "./dom.js";
import { colorOf, state } from "./state.js";
import { later } from "./talk.js";

const drawn = new Map(); // {name or text of a board: its drawing}
const shown = (seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    target.draw();
  }
};
const near = new IntersectionObserver(shown, { rootMargin: "300px" }); // those that are in view are drawn
let wanted = [];
/** Asks for the drawings of the thumbnails that have come into view. */
function draw() {
  const all = wanted.filter(({ key }) => !drawn.has(key));
  wanted.forEach(({ key, fill }) => drawn.has(key) && fill(drawn.get(key)));
  wanted = [];
  if (!all.length) return;
  const take = ({ kind, index, svg }) => {
    if (kind !== "thumbnail") return;
    drawn.set(all[index].key, svg);
    all[index].fill(svg);
  };
  const slot = `thumbnails ${all[0].key}`;
  ask(slot, { ask: "thumbnails", boards: all.map(({ board }) => board) }, take).then(() => drop(slot));
}
/** Returns a drawing of the server, of any size; `doc` is what is written on it. */
export function figure(text, doc = null) {
  const svg = drawing(text);
  ["width", "height"].forEach((name) => svg.removeAttribute(name));
  doc && sketch(svg, doc);
  return svg;
}
/** Returns the thumbnail of a board, given its name or its keys; `doc` is what was done on it. */
export function thumbnail(board, doc = null) {
  const asked = typeof board === "string" ? board : { board, own: doc?.own ?? [] };
  const name = JSON.stringify(asked);
  const place = h("span", { class: "thumb", "aria-hidden": "true", key: name + JSON.stringify(doc) });
  const fill = (text) => {
    const svg = figure(text, doc);
    ["role", "aria-label"].forEach((name) => svg.removeAttribute(name));
    place.replaceChildren(svg);
  };
  place.draw = () => {
    wanted.push({ key: name, board: asked, fill });
    later("thumbnails", draw, 30);
  };
  setTimeout(() => place.isConnected && near.observe(place)); // one that is like another is not put there
  return place;
}
/**
 * Returns a board as an item to press; `doc` is what was done on it, `more` what is below, the rest are attributes.
 * @param {any} options
 */
export function tile(board, title, told, call, options = {}) {
  const { doc = null, more = [], ...names } = options;
  const about = h("span", { class: "about" }, h("b", {}, title), told ? h("small", {}, told) : "");
  return h("li", { class: "tile" }, button([thumbnail(board, doc), about], call, names), more);
}

/** Returns a color of the palette. */
export function swatch(token) {
  const found = h("span", { class: "swatch", "data-color": token ?? "" });
  found.style.background = token ? colorOf(token).color : "";
  return found;
}

// -- Puzzles --------------------------------------------------------------------------------------------

/** Returns the first board that ships of a puzzle, by its name; the puzzle's name if there is none. */
export const firstBoard = (name) =>
  state.catalogue.boards.find((one) => one.puzzle === name && one.name.startsWith(`${name}/`))?.name ?? name;
/** Returns the puzzle to begin with: that of the board, or the one with most boards. */
export function usualPuzzle() {
  const many = Object.groupBy(state.catalogue.boards, ({ puzzle }) => puzzle);
  const [[most]] = Object.entries(many).toSorted(([, one], [, other]) => other.length - one.length);
  return state.doc.board?.puzzle ?? most;
}
/** Returns all puzzles as pictures to press, of which one is chosen. */
export function puzzlePictures(chosen, press) {
  const one = ({ name }) => {
    const names = { "aria-pressed": String(name === chosen), "data-puzzle": name };
    return button([thumbnail(firstBoard(name)), h("span", {}, named(name))], () => press(name), names);
  };
  return h("div", { class: "puzzles" }, state.catalogue.puzzles.map(one));
}

// -- Families -------------------------------------------------------------------------------------------

// {name: the tools of the first keys of its variants}; those without keys are about the whole board
const FAMILIES = {
  Lines: ["path"],
  "Cages and areas": ["cage", "groups", "region", "sum"],
  "Between cells": ["pair", "corner", "crossing", "sign"],
  "Beside the board": ["outside", "sight"],
  "In cells": ["mark", "number", "name", "hole", "total", "digits"],
  "The whole board": [""],
};
const of = (variants, tools) => variants.filter(({ tool }) => tools.includes(tool));

/** Returns variants, one of each family in turn, those that many know first. */
export function inFamilies(variants) {
  const sorted = variants.toSorted((one, other) => Number(other.common) - Number(one.common));
  const all = Object.values(FAMILIES).map((tools) => of(sorted, tools));
  return sorted.flatMap((_, i) => all.map((some) => some[i]).filter(Boolean));
}
/** Returns the families with a field to find variants. */
export function findable(variants, press, chosen = null) {
  const all = h("div", {});
  const fill = (words = "") => {
    const fits = ({ name, summary }) => finds(words, name, summary);
    all.replaceChildren(...families(variants.filter(fits), press, chosen));
  };
  fill();
  const oninput = ({ target }) => fill(target.value);
  const find = { type: "search", placeholder: "Find a variant", "aria-label": "Find a variant", class: "wide" };
  return [h("input", { ...find, oninput }), all];
}
/** Returns families of variants, each with a heading; `press(variant, event)`, and which are `chosen`. */
export function families(variants, press, chosen = null) {
  const item = (one) => {
    const names = { "data-variant": one.name, "data-board": `variants/${one.name}`, title: one.summary };
    const now = { "aria-pressed": chosen && String(chosen.has(one.name)) };
    return tile(`variants/${one.name}`, named(one.name), "", (event) => press(one, event), { ...names, ...now });
  };
  const family = ([name, tools]) => {
    const own = of(variants, tools);
    return own.length ? [h("h3", {}, name), h("ul", { class: "shelf small" }, own.map(item))] : [];
  };
  return Object.entries(FAMILIES).flatMap(family);
}
