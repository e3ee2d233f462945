// A text area over a highlighted layer, with line numbers and marks in its margin; and differences of lines.
import { h } from "./dom.js";

const TOKENS = new RegExp(
  [
    "(?<comment>%\\*[^]*?\\*%|%[^\\n]*)",
    '(?<string>"(?:\\\\.|[^"\\\\])*"?)',
    "(?<directive>#[a-z]+|\\bnot\\b)",
    "(?<variable>\\b_*[A-Z]\\w*'*)",
    "(?<number>\\b\\d+\\b)",
    "(?<name>\\b_*[a-z]\\w*'*(?=\\())",
    "(?<operator>:-|:~|\\.\\.|!=|<=|>=|[{}|<>=+*/\\\\])",
  ].join("|"),
  "g",
);

/** Returns rules as text with spans for comments, variables and so on. */
export function highlighted(text) {
  const found = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [name] = Object.entries(match.groups).find(([, value]) => value !== undefined);
    found.push(text.slice(end, match.index), h("span", { class: `hl-${name}` }, match[0]));
    end = match.index + match[0].length;
  }
  return [...found, text.slice(end)];
}

/** Returns an editor: `root`, `set(text)`, `mark(diagnostics)`, `go(line)`. `line` is called with each line gone to. */
export function editor({ label, change, line }) {
  const plain = { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off" };
  const area = h("textarea", { ...plain, "aria-label": label });
  const layer = h("pre", { "aria-hidden": "true" });
  const margin = h("div", { class: "margin", "aria-hidden": "true" });
  const root = h("div", { class: "editor" }, margin, h("div", { class: "sheet" }, layer, area));
  let marks = [];
  let at = 0;

  const scroll = () => {
    layer.scrollTop = area.scrollTop;
    layer.scrollLeft = area.scrollLeft;
    margin.scrollTop = area.scrollTop;
  };
  function draw() {
    const lines = area.value.split("\n");
    layer.replaceChildren(...highlighted(area.value), "\n");
    margin.replaceChildren(
      ...lines.map((_, i) => {
        const own = marks.filter((mark) => mark.line === i + 1);
        const look = own.some(({ severity }) => severity === "error") ? "error" : own.length ? "warning" : "";
        const here = at === i + 1 ? " here" : "";
        const title = own.map(({ words }) => words).join("\n") || null;
        return h("span", { class: look + here, title }, own.length ? `● ${i + 1}` : i + 1);
      }),
    );
    scroll();
  }
  const caret = () => {
    const now = area.value.slice(0, area.selectionStart).split("\n").length;
    if (now !== at) {
      at = now;
      draw();
      line?.(at);
    }
  };
  area.addEventListener("scroll", scroll);
  area.addEventListener("input", () => {
    at = area.value.slice(0, area.selectionStart).split("\n").length;
    draw();
    change(area.value);
  });
  area.addEventListener("keyup", caret);
  area.addEventListener("click", () => {
    at = 0;
    caret();
  });
  return {
    root,
    area,
    set(text, writable = true) {
      if (area.value !== text) {
        area.value = text;
      }
      area.readOnly = !writable;
      draw();
    },
    mark(found) {
      marks = found;
      draw();
    },
    go(number) {
      const before = area.value.split("\n").slice(0, number - 1).join("\n").length;
      area.focus({ preventScroll: true });
      area.setSelectionRange(before + (number > 1 ? 1 : 0), before + (number > 1 ? 1 : 0));
      area.scrollTop = (number - 4) * parseFloat(getComputedStyle(area).lineHeight);
      at = number;
      draw();
    },
  };
}
