// Steps: an explanation, or the rounds of Algorithm 1, in the player that the pages of steps have, too.
import { about, ask, asked } from "./ask.js";
import { light, show } from "./board.js";
import { around, button, h, toggle } from "./dom.js";
import { icon } from "./icons.js";
import { player } from "./player.js";
import { go } from "./shell.js";
import { state } from "./state.js";

let drawings = []; // of each step; empty for a step that is drawn as the one before it
let costs = []; // of each step
let panel = null;
let own = null;
let fromHere = false;

/** Returns a step as an item of the list. */
function item({ number, step = "", words, spans = null, why = "", why_spans = null }) {
  const label = step === "end" || number === undefined ? "End" : number || "Start";
  const told = (tag, text, lengths) => h(tag, { "data-spans": lengths }, text);
  const reasons = why ? h("details", {}, h("summary", {}, "Why"), told("p", why, why_spans)) : null;
  return h("li", {}, h("button", { type: "button" }, h("b", {}, label), told("span", words, spans)), reasons);
}

async function explain(question = "explain") {
  own.pause();
  panel.rounds.hidden = !state.info.answer.rounds;
  const start = { number: 0, words: fromHere ? "From what is filled in." : "From the clues." };
  [drawings, costs] = [[state.info.svg], [0]];
  panel.list.replaceChildren(item(start));
  own.show(0);
  const take = (record) => {
    if (record.kind === "error") {
      panel.now.replaceChildren(h("b"), h("p", { class: "bad" }, record.words));
    } else {
      drawings.push(record.svg || drawings.at(-1));
      question === "explain" && costs.push(record.cost ?? 0);
      panel.list.append(item(record));
      own.update();
      bars(own.at());
    }
  };
  const entries = fromHere ? {} : { entries: "" };
  const end = await ask(about({ ask: question, seconds: 30, ...entries }), take, "explain");
  if (end?.late && panel) {
    take({ words: "Time ran out before the end." });
  }
}

/** Shows a step on the board; a start from what is filled in is the board as it is played. */
function draw(at) {
  show(drawings[at], at > 0 || !fromHere);
  bars(at);
}
/** Draws a bar for each step, as high as its cost; those that were reached are marked. */
function bars(at) {
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
    const from = (on) => {
      fromHere = on;
      explain();
    };
    panel = {
      now: h("div", { class: "now", "data-waits": "explain" }),
      list: h("ol", { class: "steps", "aria-label": "Steps" }),
      bars: h("div", { class: "costs", "aria-hidden": "true", onclick: ({ target }) => target.dataset.step && own.go(Number(target.dataset.step)) }),
      rounds: button("Algorithm 1, round by round", () => explain("resolve"), { id: "resolve", class: "btn wide" }),
    };
    left.append(back, h("h2", { class: "big" }, "How it could be done"), h("p", { class: "quiet" }, told), panel.now);
    host.append(
      h("div", { class: "stage" }),
      h("p", { class: "quiet" }, "What each step asks of you"),
      panel.bars,
      panel.list,
      toggle("Start from what is filled in", "", fromHere, from),
      button("Explain", () => explain(), { id: "explain", class: "btn wide" }),
      panel.rounds,
    );
    own = player(host, { draw, light, tag: "button", now: panel.now });
    document.addEventListener("keydown", key);
    explain();
  },
  changed() {
    if (asked("explain").stale) explain();
  },
  ready() {
    explain();
  },
  leave() {
    own.pause();
    document.removeEventListener("keydown", key);
    panel = null;
  },
};
