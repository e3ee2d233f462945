// Steps: an explanation with a slider, or the rounds of Algorithm 1; words light up cells.
import { about, ask, drop } from "./ask.js";
import { light, show } from "./board.js";
import { button, h, tick } from "./dom.js";
import { state } from "./state.js";
import { patiently, sentence } from "./talk.js";

let list = [];
let at = 0;
let panel = null;
let timer = 0;
let fromHere = false;

async function explain(question = "explain") {
  list = [{ words: fromHere ? "From what is filled in." : "From the clues.", svg: null }];
  at = 0;
  pause();
  panel.list.replaceChildren();
  row(0);
  go(0);
  const entries = fromHere ? {} : { entries: "" };
  const end = await patiently(
    panel.now,
    ask(about({ ask: question, seconds: 30, ...entries }), (record) => {
      if (["step", "round", "resolution"].includes(record.kind)) {
        list.push(record);
        row(list.length - 1);
        label();
      } else if (record.kind === "error") {
        panel.now.replaceChildren(h("p", { class: "bad" }, record.words));
      }
    }, "explain"),
  );
  if (end && panel) {
    label();
    if (end.late) {
      panel.count.textContent += ", out of time";
    }
  }
}
function row(number) {
  const words = list[number].words;
  panel.list.append(h("li", {}, h("button", { type: "button", onclick: () => act(number), tabindex: number ? -1 : 0 }, words)));
}
function label() {
  panel.slider.max = list.length - 1;
  panel.slider.value = at;
  panel.slider.setAttribute("aria-valuetext", at ? `Step ${at} of ${list.length - 1}` : "Start");
  panel.count.textContent = at ? `${at} of ${list.length - 1}` : `Start, ${list.length - 1} steps`;
  panel.back.setAttribute("aria-disabled", at === 0);
  panel.on.setAttribute("aria-disabled", at === list.length - 1);
}
function go(number) {
  const inList = panel.list.contains(document.activeElement);
  at = Math.max(0, Math.min(list.length - 1, number));
  const one = list[at];
  light();
  const svg = one.svg ?? [...list].slice(0, at).reverse().find((before) => before.svg)?.svg ?? state.info.svg;
  show(svg, true);
  panel.now.replaceChildren(sentence(one.words, one.places));
  for (const [i, item] of [...panel.list.children].entries()) {
    item.firstChild.tabIndex = i === at ? 0 : -1;
    i === at ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current");
  }
  const item = panel.list.children[at];
  if (item) {
    panel.list.scrollTop = item.offsetTop - (panel.list.clientHeight - item.offsetHeight) / 2;
    if (inList) {
      item.firstChild.focus({ preventScroll: true });
    }
  }
  label();
}
function act(number) {
  pause();
  go(number);
}
function pause() {
  clearTimeout(timer);
  timer = 0;
  panel.play.textContent = "Play";
  panel.now.setAttribute("aria-live", "polite");
}
function run() {
  panel.play.textContent = "Pause";
  panel.now.setAttribute("aria-live", "off");
  timer = setTimeout(() => {
    if (at >= list.length - 1) {
      return pause();
    }
    go(at + 1);
    return run();
  }, at ? 900 + 25 * list[at].words.length : 400);
}
function key(event) {
  const inField = event.target.closest("input, textarea, select, [role=tab]");
  const ways = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: list.length - 1 };
  const inList = { ArrowDown: at + 1, ArrowUp: at - 1 };
  const to = ways[event.key] ?? (panel.list.contains(event.target) ? inList[event.key] : undefined);
  if (to !== undefined && !inField && !event.ctrlKey && !event.altKey && !event.metaKey) {
    event.preventDefault();
    act(to);
  }
}

export const steps = {
  words: "Steps",
  enter(host) {
    panel = {
      now: h("div", { class: "now", "aria-live": "polite", "aria-atomic": "true" }),
      slider: h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: (event) => act(Number(event.target.value)) }),
      count: h("span", { class: "count" }),
      back: button("◀", () => act(at - 1), { "aria-label": "Previous step", id: "back" }),
      on: button("▶", () => act(at + 1), { "aria-label": "Next step", id: "on" }),
      play: button("Play", () => (timer ? pause() : (at >= list.length - 1 && go(0), run()))),
      list: h("ol", { class: "steps", start: 0, "aria-label": "Steps" }),
    };
    host.append(
      panel.now,
      h("div", { class: "row stepper" }, panel.back, panel.slider, panel.on, panel.play, panel.count),
      h("div", { class: "row" }, button("Explain", () => explain(), { class: "main", id: "explain" }), button("Algorithm 1, round by round", () => explain("resolve"), { id: "resolve" })),
      tick("Start from what is filled in", fromHere, (on) => {
        fromHere = on;
        explain();
      }),
      panel.list,
    );
    document.addEventListener("keydown", key);
    explain();
  },
  changed(parts) {
    if (parts.has("rules") || parts.has("extra")) {
      explain();
    }
  },
  ready() {
    explain();
  },
  leave() {
    pause();
    drop("explain");
    document.removeEventListener("keydown", key);
    panel = null;
  },
};
