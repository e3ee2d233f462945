// The page: modes, the drawing of the board, undo, theme, opening boards.
import { answers, refresh, unsettled } from "./answers.js";
import { about, ask, askAll, beat } from "./ask.js";
import { input, light, paint, show, stage, view } from "./board.js";
import { around, button, get, meta } from "./dom.js";
import { make } from "./make.js";
import { play } from "./play.js";
import { rules } from "./rules.js";
import { openDialog, refill } from "./files.js";
import { set } from "./set.js";
import { canRedo, canUndo, keep, listen, open, redo, restore, state, undo } from "./state.js";
import { steps } from "./steps.js";
import { learn } from "./tools.js";
import { later, patiently, say } from "./talk.js";

const MODES = { play, set, rules, answers, steps, make };
const panel = get("panel");
let entered = null;

function enter(name) {
  entered?.leave?.();
  state.mode = name in MODES ? name : "play";
  entered = MODES[state.mode];
  document.body.dataset.mode = state.mode;
  for (const tab of get("modes").children) {
    tab.setAttribute("aria-selected", tab.dataset.mode === state.mode);
    tab.tabIndex = tab.dataset.mode === state.mode ? 0 : -1;
  }
  Object.assign(input, { stroke: null, key: null, outside: null });
  Object.assign(view, { values: null, possible: null, counts: null, entries: true });
  state.live = false;
  panel.replaceChildren();
  panel.setAttribute("aria-label", entered.words);
  say("");
  light();
  if (state.info) {
    show(state.info.svg);
    entered.enter(panel);
    refresh();
  }
  keep();
}

/** Asks for the drawing of the board and what can be set on it. */
async function redraw() {
  const before = state.info;
  const { end, records, error } = (await patiently(get("stage"), askAll(about({ ask: "board", entries: "" })))) ?? {};
  const record = records?.find((one) => one.kind === "board");
  if (!end) return;
  if (!record) {
    say(error?.words ?? "The board cannot be drawn.", "bad");
    unsettled("No board yet");
    entered?.wrong?.();
    paint();
    return;
  }
  state.info = record;
  learn(record.lines);
  state.fixed = new Set(record.fixed);
  Object.assign(view, { typed: null, plain: null });
  get("title").textContent = record.title || "pyasp studio";
  document.title = record.title ? `${record.title} · pyasp studio` : "pyasp studio";
  if (record.warnings?.length) {
    say(record.warnings.join(" "), "bad");
  }
  if (!view.still) {
    show(record.svg);
  }
  if (!before || !entered) {
    enter(state.mode);
  } else {
    entered.ready?.();
    refresh();
  }
}

function theme() {
  const wanted = state.settings.theme;
  const dark = wanted === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : wanted === "dark";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

const icon = (sign, words, call, id) => button(sign, call, { "aria-label": words, title: words, id, class: "icon" });

get("modes").append(
  ...Object.entries(MODES).map(([name, mode]) => {
    const onclick = () => {
      enter(name);
      panel.focus({ preventScroll: true }); // arrows are for the board and for steps then
    };
    return button(mode.words, onclick, { role: "tab", "data-mode": name, "aria-controls": "panel" });
  }),
);
get("modes").addEventListener("keydown", (event) => {
  const tabs = [...get("modes").children];
  const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (way) {
    event.preventDefault();
    const next = tabs[(tabs.indexOf(event.target) + way + tabs.length) % tabs.length];
    enter(next.dataset.mode);
    next.focus();
  }
});
get("actions").append(
  button("Open…", () => openDialog(), { id: "open" }),
  icon("↶", "Undo (Ctrl+Z)", undo, "undo"),
  icon("↷", "Redo (Ctrl+Y)", redo, "redo"),
  icon("◐", "Light or dark", () => {
    state.settings.theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    theme();
    keep();
  }, "theme"),
);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", theme);

addEventListener("keydown", (event) => {
  const typing = around(event, "textarea, input:not([type=checkbox], [type=range]), select");
  const way = (event.ctrlKey || event.metaKey) && { KeyZ: event.shiftKey ? redo : undo, KeyY: redo }[event.code];
  if (way && !typing) {
    event.preventDefault();
    way();
  }
});

listen((parts) => {
  get("undo").disabled = !canUndo();
  get("redo").disabled = !canRedo();
  if (["board", "rules", "extra", "entries", "ribbons", "pieces"].some((part) => parts.has(part))) {
    say(""); // it was about what was there before
  }
  if (parts.has("board")) {
    later("board", redraw);
  } else if (parts.has("rules") || parts.has("extra")) {
    later("answers", refresh);
  }
  if (!view.still) {
    paint();
  }
  if (state.info) {
    entered?.changed?.(parts);
  }
});

addEventListener("full", () => {
  say("The browser has no room left to keep this. Clear boards in progress under “Open…”.", "bad");
});
setInterval(beat, 1000);

stage(get("stage"), () => entered?.chosen?.());
const had = await restore();
theme();
get("undo").disabled = true;
get("redo").disabled = true;
ask({ ask: "catalogue" }, (record) => {
  if (record.kind === "catalogue") {
    state.catalogue = record;
    entered?.catalogued?.();
    refill();
  }
});
// When the page is loaded again, without the token in its address, the work on the file goes on.
const file = location.search && meta("board");
history.replaceState(null, "", location.pathname + location.hash);
if (file || !had) {
  // The file of the command line comes first, then the address, then what this browser keeps.
  let first = true;
  await ask(file ? { ask: "read", text: file } : { ask: "read", name: "sudoku/easy" }, (record) => {
    if (record.kind === "board" && first) {
      first = false;
      open(record.board);
    } else if (record.kind === "error") {
      say(record.words, "bad");
    }
  });
}
