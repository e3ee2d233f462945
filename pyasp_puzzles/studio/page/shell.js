// The shell: the bar, three modes of a board, pages without a board, the address, undo, theme, sheets.
//
// A mode has a tab and works beside the board, in two columns: left says, right does. A page has the whole window. `steps`
// is a mode without a tab, under that of Play. What is seen depends on `state`, on what is asked (ask.js), and on the one
// state of the mode, `now`, which `change` of state.js changes. Both are objects with `words`, and may have
//   left(), right(), page()  lists of what is seen there, which is drawn again whenever anything has changed
//   drawn()   that has been done
//   enter({left, right, page})  the hosts of these, which are empty
//   icon      of the tab
//   under     the name of the mode whose tab is current meanwhile
//   page      true for a page that draws itself
//   key       whether the board's keys write (`input.key`), strokes (`input.stroke`) and layers (`view`) are the
//             mode's own matter: each `enter` begins without any
//   ready()   the drawing and the record of the board have come: `state.info`
//   changed(parts)  parts of `state.doc` have changed, a set of names, or the state of the mode: an empty one
//   questions  its standing questions: see ask.js; `counts` says that answers are counted, too
//   told()    what is asked, pending or has come has changed
//   chosen()  other cells are selected
//   wrong()   what is set is no board
//   menu()    what its menu has besides: a list of elements
//   leave()
// `go("rules")` enters another one. `sheet(title, ...)` shows something over all.
import { dismiss, questions as counting } from "./answers.js";
import { answered, ask, beat, follow, watch } from "./ask.js";
import { input, light, paint, show, stage, view } from "./board.js";
import { around, button, get, h, meta, named, render } from "./dom.js";
import { files } from "./files.js";
import { icon, iconButton, labelled, mark } from "./icons.js";
import { FILLED, bring, canRedo, canUndo, keep, listen, ofRules, open, redo, restore, same, save, state, undo, wanted } from "./state.js";
import { say } from "./talk.js";
import { learn } from "./tools.js";

let modes = {};
// `coming`: another board was opened, whose drawing has not come yet; `brought`: the address has rules of its own;
// `routing`: the address is what leads there; `visited`: the number that the history has for the open board; `due`: whether
// it is to be drawn again
const now = { entered: null, coming: false, brought: false, routing: false, visited: history.state?.board, due: false, pressed: false };
/** The drawing of the board and what can be set on it do not depend on its rules. */
const drawing = {
  wanted: () => state.doc.board && { ask: "board", board: state.doc.board, own: state.doc.own },
  done: arrived,
};
const hosts = { left: get("left"), right: get("right"), page: get("page") };
const nameOf = () => state.info?.title || (state.doc.board && named(state.doc.board.puzzle)) || "pyasp studio";

/** Enters a mode, or a page. */
export function go(name) {
  now.entered?.leave?.();
  now.entered = null;
  dismiss();
  follow({ board: drawing });
  get("dialog").close();
  const from = state.page;
  state.page = modes[name]?.page ? name : "";
  if (!state.page) state.mode = name in modes ? name : "play";
  const entered = (now.entered = modes[state.page || state.mode]);
  if (from !== state.page) visit({ "": "#board", home: location.pathname }[state.page] ?? `#${state.page}`);
  else if (!state.page && history.state?.mode !== state.mode) visit(location.hash);
  document.body.dataset.mode = state.page || state.mode;
  get("page").hidden = !state.page;
  get("table").hidden = Boolean(state.page);
  for (const tab of get("modes").children) {
    const current = !state.page && tab.dataset.mode === (entered.under ?? state.mode);
    tab.setAttribute("aria-selected", current);
    tab.tabIndex = current ? 0 : -1;
  }
  Object.assign(input, { stroke: null, key: null, outside: null });
  Object.assign(view, { values: null, possible: null, counts: null, entries: true });
  state.live = false;
  Object.values(hosts).forEach((host) => host.replaceChildren());
  hosts.right.setAttribute("aria-label", entered.words);
  say("");
  light();
  title();
  if (state.page || state.info) {
    state.page || show(state.info.svg);
    entered.enter?.(hosts);
    entered.ready?.();
    follow({ board: drawing, ...(entered.counts ? counting : {}), ...entered.questions });
    draw();
  }
  scrollTo(0, 0);
  keep();
}

/** Draws what is seen of a mode, or of a page. */
function draw() {
  now.due = false;
  const { entered } = now;
  if (!entered || !(state.page || (state.info && (!now.coming || answered("board"))))) return;
  for (const [name, host] of Object.entries(hosts)) {
    if (typeof entered[name] === "function") render(host, ...entered[name]());
  }
  entered.drawn?.();
}
/** Draws it soon, once for all that changes at once; what is held down on a button stays under the pointer until it is released. */
function redraw() {
  if (!now.due && !now.pressed) queueMicrotask(draw);
  now.due = true;
}
function released() {
  now.pressed = false;
  now.due && setTimeout(draw); // after the click
}

/** Makes an address the next one of the history, with the mode of a board; that of a board follows when it is kept. */
function visit(address) {
  const own = state.page ? null : { board: now.visited, mode: state.mode };
  now.routing ? history.replaceState(own, "") : history.pushState(own, "", address);
}

/** Opens a board in a mode: it is entered when its drawing has come. */
export function openBoard(board, mode = "play") {
  state.mode = mode;
  if (same(board, state.doc.board) && state.info && !now.coming) return go(mode);
  now.visited = (now.routing && history.state?.board) || Date.now();
  state.page === "" && visit("#board");
  now.coming = true;
  follow({ board: drawing });
  return open(board);
}

/** Opens a board that ships, by its name. */
export async function openShipped(name, mode) {
  const { record, wrong } = await ask("read", { ask: "read", name });
  record ? openBoard(record.board, mode) : wrong && say(wrong, "bad");
}
function title() {
  const words = state.page ? (state.page === "home" ? "pyasp studio" : now.entered.words) : nameOf();
  get("title").textContent = words;
  document.title = words === "pyasp studio" ? words : `${words} · pyasp studio`;
  const brand = state.page === "home" ? "pyasp studio" : "Boards";
  get("boards").setAttribute("aria-label", brand);
  get("boards").replaceChildren(mark(), h("span", {}, brand));
}

/** Shows the drawing of the board that has come; enters the mode of a board that was opened. */
function arrived({ record, wrong }) {
  if (!record) {
    say(wrong || "The board cannot be drawn.", "bad");
    now.entered?.wrong?.();
    paint();
    return;
  }
  state.info = record;
  learn(record.lines);
  Object.assign(view, { typed: null, plain: null });
  if (record.warnings?.length) say(record.warnings.join(" "), "bad");
  if (now.coming) {
    go(state.mode);
    now.brought && say("This link brings rules of its own; they are under Rules.");
    Object.assign(now, { coming: false, routing: false, brought: false });
    return;
  }
  if (state.page) return;
  title();
  if (!view.still) show(record.svg);
  now.entered?.ready?.();
  redraw();
}

function theme() {
  const chosen = state.settings.theme;
  const dark = chosen === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}
function turnTheme() {
  state.settings.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  theme();
  keep();
}

// -- Sheets ---------------------------------------------------------------------------------------------

/** Shows a title and elements over all; `look` is "menu" for one below the bar. */
export function sheet(words, content, look = "") {
  const dialog = get("dialog");
  const close = iconButton("close", "Close", () => dialog.close());
  dialog.className = look;
  dialog.setAttribute("aria-label", words);
  dialog.replaceChildren(h("div", { class: "row top" }, h("h2", { class: "grow" }, words), close), ...content, get("says"));
  dialog.open || dialog.showModal();
  return dialog;
}
/** Asks before something that cannot be taken back, or says too much. */
export const sure = (words, told, act, call) =>
  sheet(words, [
    h("p", {}, told),
    h("div", { class: "row" }, button(act, () => (get("dialog").close(), call()), { class: "btn pen", id: "sure" })),
  ]);

const KEYS = {
  "Move and select": [
    ["arrows", "move"], ["Shift arrows", "select more"], ["drag", "select several"], ["Ctrl press", "add a cell, or drop it"],
    ["double press", "all cells with that number"], ["Ctrl A", "all cells"],
  ],
  Write: [
    ["1 to 9", "a number"], ["Shift 1 to 9", "a mark in a corner"], ["Ctrl 1 to 9", "a mark in the centre"],
    ["Delete", "clear"], ["Enter", "shade, or make a piece"],
  ],
  "What digits write": [
    ["Z", "numbers"], ["X", "corner marks"], ["C", "centre marks"], ["V", "colors"], ["Space", "the next of these"],
  ],
  Board: [["Ctrl Z", "undo"], ["Ctrl Y", "redo"], ["H", "hint; again: more"], ["K", "check"], ["?", "this list"]],
};
function keys() {
  const kbd = (words) => words.split(" ").map((one) => h(/^[a-z]/.test(one) ? "span" : "kbd", {}, one));
  const row = ([press, words]) => [h("dt", {}, kbd(press)), h("dd", {}, words)];
  const part = ([words, list]) => h("section", {}, h("h3", {}, words), h("dl", {}, list.flatMap(row)));
  sheet("Keys and gestures", [h("div", { class: "keys" }, Object.entries(KEYS).map(part))]);
}
const ACTIONS = [
  ["share", "Share", () => sheet("Share", files())],
  ["help", "Keys and gestures", keys],
  ["theme", "Light or dark", turnTheme],
];
/** The menu has what the bar has no room for, and what is seldom wanted. */
function menu() {
  const row = ([name, words, call]) => labelled(name, words, call, { class: "btn bare line narrow" });
  sheet("More", [...(now.entered.menu?.() ?? []), ...ACTIONS.map(row)], "menu");
}

// -- Beginning ------------------------------------------------------------------------------------------

function bar() {
  const tab = ([name, mode]) => {
    const onclick = () => {
      go(name);
      hosts.right.focus({ preventScroll: true }); // arrows are for the board and for steps then
    };
    const names = { role: "tab", "data-mode": name, "aria-controls": "right", "aria-label": mode.words };
    return button([icon(mode.icon), h("span", {}, mode.words)], onclick, names);
  };
  get("modes").append(...Object.entries(modes).filter(([, { icon: sign }]) => sign).map(tab));
  get("modes").addEventListener("keydown", (event) => {
    const tabs = [...get("modes").children];
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (way) {
      event.preventDefault();
      const next = tabs[(tabs.indexOf(event.target) + way + tabs.length) % tabs.length];
      go(next.dataset.mode);
      next.focus();
    }
  });
  get("actions").append(
    ...ACTIONS.map(([name, words, call]) => iconButton(name, words, call, { id: name })),
    iconButton("more", "More", menu, { id: "more" }),
  );
  get("boards").addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    save();
    go("home");
  });
}
/** Returns buttons for undo and redo, and one more. */
export const acts = (...more) => {
  const both = [["undo", "Undo (Ctrl+Z)", undo, canUndo], ["redo", "Redo (Ctrl+Y)", redo, canRedo]];
  const one = ([name, words, call, can]) => iconButton(name, words, call, { class: "btn", "data-act": name, disabled: !can() });
  return h("div", { class: "acts" }, both.map(one), ...more);
};

/** Shows what the address says: a page, or a board. */
async function route() {
  const name = location.hash.slice(1);
  const { board: number, mode = state.mode } = history.state ?? {};
  now.routing = true;
  if (number && number === now.visited && state.info && !now.coming) {
    go(mode);
    now.routing = false;
    return;
  }
  const { board = null, ...more } = name && !modes[name]?.page ? await wanted() : {};
  board ? openBoard(board, mode) : go(modes[name]?.page ? name : "home");
  now.brought = Boolean(board && bring(more));
  now.routing = now.coming; // until the board is there
}

/** Starts with modes and pages, by their names. */
export async function start(all) {
  modes = all;
  bar();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);
  addEventListener("popstate", route);
  addEventListener("keydown", (event) => {
    const typing = around(event, "textarea, input:not([type=checkbox], [type=range]), select");
    const way = (event.ctrlKey || event.metaKey) && { KeyZ: event.shiftKey ? redo : undo, KeyY: redo }[event.code];
    if (typing) return;
    if (way && !state.page) {
      event.preventDefault();
      way();
    } else if (event.key === "?" && !event.defaultPrevented && !get("dialog").open) {
      keys();
    }
  });
  addEventListener("pointerdown", (event) => (now.pressed = Boolean(around(event, "button"))), true);
  for (const end of ["pointerup", "pointercancel", "blur"]) addEventListener(end, released);
  watch(() => {
    if (state.page || state.info) now.entered?.told?.();
    redraw();
  });
  listen((parts) => {
    if (ofRules(parts) || ["board", ...FILLED].some((part) => parts.has(part))) {
      say(""); // it was about what was there before
    }
    if (!view.still) paint();
    if (state.info) now.entered?.changed?.(parts);
    redraw();
  });
  addEventListener("full", () => {
    say("The browser has no room left to keep this. Clear boards in progress on the front page.", "bad");
  });
  setInterval(beat, 1000);
  get("dialog").addEventListener("close", () => hosts.page.after(get("says"))); // messages are above a sheet, too
  stage(get("stage"), () => (now.entered?.chosen?.(), redraw()));
  ask("catalogue", { ask: "catalogue" }).then(({ record }) => {
    state.catalogue = record;
    redraw();
  });
  await restore();
  theme();
  // When the page is loaded again, without the token in its address, the work on the file continues.
  const file = location.search && meta("board");
  history.replaceState(history.state, "", location.pathname + location.hash);
  if (!file) {
    await route();
    return;
  }
  const { record, error } = await ask("read", { ask: "read", text: file });
  record ? openBoard(record.board, state.mode) : go("home");
  error && say(error.words, "bad");
}
