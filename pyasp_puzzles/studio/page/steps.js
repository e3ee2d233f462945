// Steps: an explanation, or the rounds of Algorithm 1, in the player that the pages of steps have, too.
import { about, asked, drop } from "./ask.js";
import { light, show } from "./board.js";
import { around, button, h, toggle } from "./dom.js";
import { icon } from "./icons.js";
import { player } from "./player.js";
import { go } from "./shell.js";
import { change, state } from "./state.js";

// `question`: "explain" or "resolve", which are rounds; `fromHere`: whether it starts from what is filled in
const now = { question: "explain", fromHere: false };
let panel = null;
let own = null;

/** Returns a step as an item of the list. */
function item({ number, step = "", words, spans = null, why = "", why_spans = null }) {
  const label = step === "end" || number === undefined ? "End" : number || "Start";
  const told = (tag, text, lengths) => h(tag, { "data-spans": lengths }, text);
  const reasons = why ? h("details", {}, h("summary", {}, "Why"), told("p", why, why_spans)) : null;
  return h("li", {}, h("button", { type: "button" }, h("b", {}, label), told("span", words, spans)), reasons);
}

/** Returns the steps that have come. */
function known() {
  const { records, stale, end } = asked("explain");
  const late = end?.late ? [{ words: "Time ran out before the end." }] : [];
  return stale ? [] : [...records.filter(({ kind }) => kind !== "error"), ...late];
}
const again = (question) => {
  now.question = question;
  drop("explain");
};
/** Adds the steps that have come; begins anew with another question. */
function tell() {
  const { question, records, stale } = asked("explain");
  const { list } = panel;
  if (panel.run !== question) {
    panel.run = question;
    own.pause();
    panel.rounds.hidden = !state.info.answer.rounds;
    list.replaceChildren(item({ number: 0, words: now.fromHere ? "From what is filled in." : "From the clues." }));
    own.show(0);
  }
  list.append(...known().slice(list.children.length - 1).map(item));
  own.update();
  bars(own.at());
  const error = !stale && records.find(({ kind }) => kind === "error");
  if (error) panel.now.replaceChildren(h("b"), h("p", { class: "bad" }, error.words));
}

/** Shows a step on the board; a start from what is filled in is the board as it is played. */
function draw(at) {
  const shown = known().slice(0, at).findLast(({ svg }) => svg); // one without is drawn as the one before it
  show(shown?.svg ?? state.info.svg, at > 0 || !now.fromHere);
  bars(at);
}
/** Draws a bar for each step, as high as its cost; those that were reached are marked. */
function bars(at) {
  const costs = [0, ...(now.question === "explain" ? known().map(({ cost = 0 }) => cost) : [])];
  const most = Math.max(1, ...costs);
  const bar = (cost, i) => {
    const found = h("i", { "data-step": i, class: i === at ? "on" : i < at ? "past" : "" });
    found.style.height = `${(100 * cost) / most}%`;
    return found;
  };
  panel.bars.hidden = panel.bars.previousElementSibling.hidden = costs.length < 2;
  panel.bars.replaceChildren(...costs.map(bar).slice(1));
}

function key(event) {
  if (!around(event, "textarea, select, input:not([type=range]), [role=tab]")) own.key(event);
}

export const steps = {
  words: "How it could be done",
  under: "play",
  enter({ left, right: host }) {
    const back = button([icon("left"), "Back to playing"], () => go("play"), { class: "link" });
    const told = "The easiest step at each point. What you wrote stays as it is.";
    const from = (on) => change(now, { fromHere: on });
    now.question = "explain";
    panel = {
      now: h("div", { class: "now", "data-waits": "explain" }),
      list: h("ol", { class: "steps", "aria-label": "Steps" }),
      bars: h("div", { class: "costs", "aria-hidden": "true", onclick: ({ target }) => target.dataset.step && own.go(Number(target.dataset.step)) }),
      run: undefined, // the question whose steps are shown
      rounds: button("Algorithm 1, round by round", () => again("resolve"), { id: "resolve", class: "btn wide" }),
    };
    left.append(back, h("h2", { class: "big" }, "How it could be done"), h("p", { class: "quiet" }, told), panel.now);
    host.append(
      h("div", { class: "stage" }),
      h("p", { class: "quiet" }, "What each step asks of you"),
      panel.bars,
      panel.list,
      toggle("Start from what is filled in", "", now.fromHere, from),
      button("Explain", () => again("explain"), { id: "explain", class: "btn wide" }),
      panel.rounds,
    );
    own = player(host, { draw, light, tag: "button", now: panel.now });
    document.addEventListener("keydown", key);
    tell();
  },
  questions: {
    explain: { wanted: () => about({ ask: now.question, seconds: 30, ...(now.fromHere ? {} : { entries: "" }) }) },
  },
  told: tell,
  ready: () => draw(own.at()),
  leave() {
    own.pause();
    document.removeEventListener("keydown", key);
    panel = null;
  },
};
