// Rules: the encoding in an editor, what is wrong in it, where on the board its rules are at work.
import { candidates, conflicts, relight, verdict } from "./answers.js";
import { about, askAll, drop } from "./ask.js";
import { light, view } from "./board.js";
import { button, download, h, inWords } from "./dom.js";
import { difference, editor } from "./editor.js";
import { variants } from "./set.js";
import { acts } from "./shell.js";
import { edit, state } from "./state.js";
import { later, reasons, say } from "./talk.js";

let panel = null;
let tab = "rules"; // "rules", "extra", or the name of a file that is only read
let marks = [];

const file = () => state.info.files.find(({ role }) => role === "rules");
const shipped = () => file()?.text ?? "";
const others = () => state.info.files.filter(({ role }) => role !== "rules");
const writable = () => ["rules", "extra"].includes(tab);

/** Shows the tabs, and the text of the one that is open. */
function draw() {
  if (!panel) return;
  const edited = state.doc.rules === null ? "" : " (edited)";
  const names = [["rules", `${file()?.name ?? "Rules"}${edited}`], ["extra", "Your own rules"]];
  const files = [...names, ...others().map(({ name }) => [name, name])];
  if (!files.some(([name]) => name === tab)) {
    tab = "rules";
  }
  const wrong = (name) => marks.some((mark) => mark.file === name && mark.severity === "error");
  const open = (name) => {
    tab = name;
    draw();
  };
  if (panel.drawn !== `${files.map(([name]) => name)}`) {
    panel.drawn = `${files.map(([name]) => name)}`;
    panel.tabs.replaceChildren(
      ...files.map(([name]) => button("", () => open(name), { role: "tab", "data-file": name })),
    );
  }
  for (const [i, [name, words]] of files.entries()) {
    panel.tabs.children[i].textContent = `${words}${wrong(name) ? " ●" : ""}`;
    panel.tabs.children[i].setAttribute("aria-selected", name === tab);
  }
  const { rules: own, extra } = state.doc;
  const text = { rules: own ?? shipped(), extra }[tab] ?? others().find(({ name }) => name === tab).text;
  const here = marks.filter((mark) => mark.file === tab);
  const mark = ({ severity, line, words }) =>
    h("li", { class: severity }, button(line ? `Line ${line}: ${words}` : words, () => line && panel.editor.go(line)));
  panel.editor.set(text, writable());
  panel.editor.mark(here);
  panel.marks.replaceChildren(...here.map(mark));
  panel.reset.disabled = tab === "extra" ? !extra : own === null;
}
async function diagnose() {
  // What is said of a text that is there no more goes, unless it is soon said anew.
  const timer = setTimeout(() => {
    marks = [];
    draw();
  }, 500);
  const found = await askAll(about({ ask: "diagnose" }));
  clearTimeout(timer);
  if (found) {
    const all = found.records.filter(({ kind }) => ["diagnostic", "error"].includes(kind));
    marks = all.map((one) => ({ severity: "error", ...one, file: one.file || "rules" }));
    draw();
  }
}

/** Shows the rules about a cell, or the ground rules of the rule at a line. */
async function explain(question, words) {
  const found = await askAll(about({ ask: "about", ...question }));
  const record = found?.records.find(({ kind }) => kind === "about");
  if (!found || !panel) return;
  if (!record) {
    panel.about.replaceChildren(h("p", { class: "quiet" }, found.error?.words ?? "Out of time."));
    return;
  }
  const list = [...record.rules].sort((one, other) => other.broken - one.broken);
  const broken = list.filter((rule) => rule.broken).length;
  const lit = list.toReversed().flatMap((rule) => rule.cells.map((cell) => [cell, rule.broken ? "wrong" : "lit"]));
  const all = new Map(question.line ? lit : []);
  panel.about.replaceChildren(
    h("h3", {}, `${words}${list.length > 40 ? ` (the first 40 of ${list.length})` : ""}`),
    list.length ? "" : h("p", { class: "quiet" }, "This line is about no cell."),
    broken ? h("p", {}, broken === 1 ? "One of these is broken." : `${broken} of these are broken.`) : "",
    reasons(list.slice(0, 40), all, jump),
  );
  question.line ? light(all) : relight();
}
function jump(rule) {
  if (rule.line) {
    tab = rule.file === "extra" || others().some(({ name }) => name === rule.file) ? rule.file : "rules";
    draw();
    panel.editor.go(rule.line);
  }
}
function type(text) {
  const next = tab === "rules" && text === shipped() ? null : text;
  edit((doc) => (doc[tab] = next), tab);
}
function reset() {
  edit((doc) => (doc[tab] = tab === "extra" ? "" : null));
  panel.text.replaceChildren();
  panel.again = null;
}

const output = (words, name) => h("pre", { class: "text", tabindex: 0, "aria-label": name }, words);
function compare() {
  panel.again = compare;
  const lines = difference(shipped(), state.doc.rules ?? shipped());
  const near = (_, i) => lines.slice(Math.max(0, i - 2), i + 3).some(([sign]) => sign !== " ");
  const line = ([sign, words]) => h("span", { class: { "+": "added", "-": "gone" }[sign] }, `${sign} ${words}\n`);
  const shown = lines.filter(near).map(line);
  panel.text.replaceChildren(
    shown.length ? output(shown, "Differences") : h("p", {}, "These are the rules as they ship."),
  );
}
/** Shows facts or atoms as text. */
async function print(question, pick) {
  panel.again = () => print(question, pick);
  const found = await askAll(about(question), "facts");
  if (found) {
    const words = found.records.map(pick).find(Boolean) ?? found.error?.words ?? "UNSATISFIABLE";
    const copy = async () => {
      await navigator.clipboard.writeText(words);
      say("Copied.", "good");
    };
    panel.text.replaceChildren(output(words, "Text"), button("Copy", copy));
  }
}
async function folder() {
  const found = await askAll(about({ ask: "folder", name: panel.name.value.trim() || "my-rules" }));
  const record = found?.records.find(({ kind }) => kind === "file");
  if (record) {
    const bytes = Uint8Array.from(atob(record.base64), (letter) => letter.charCodeAt(0));
    download(record.name, new Blob([bytes], { type: "application/zip" }));
    say(`Saved ${record.name}. Unpack it, and name it with --puzzles.`, "good");
  } else if (found) {
    say(found.error?.words ?? "It cannot be saved.", "bad");
  }
}

export const rules = {
  words: "Rules",
  icon: "rules",
  enter({ right: host }) {
    const line = (number) =>
      writable() && later("about", () => explain({ file: tab, line: number }, `Line ${number} on this board`));
    panel = {
      tabs: h("div", { class: "tabs", role: "tablist", "aria-label": "Files" }),
      marks: h("ul", { class: "marks", "aria-live": "polite" }),
      about: h("div", { class: "about" }),
      text: h("div", { class: "output" }),
      rest: h("div", {}, variants()),
      name: h("input", { value: "my-rules", size: 12, "aria-label": "Name of the folder" }),
      reset: button("Reset", reset, { id: "reset" }),
      editor: editor({ label: "Rules", change: type, line }),
    };
    host.append(
      acts(),
      verdict(),
      panel.tabs,
      panel.editor.root,
      panel.marks,
      h(
        "div",
        { class: "buttons" },
        panel.reset,
        button("Compare", compare, { id: "compare" }),
        button("Facts", () => print({ ask: "facts" }, ({ text }) => text), { id: "facts" }),
        button("Answer as atoms", () => print({ ask: "answers", limit: 1 }, ({ atoms }) => atoms), { id: "atoms" }),
      ),
      panel.text,
      candidates(),
      conflicts(),
      panel.about,
      h("p", { class: "quiet" }, "Press a line of the rules, or a cell of the board, to see what is at work there."),
      panel.rest,
      h("div", { class: "row" }, panel.name, button("Save as a puzzle folder", folder, { id: "folder" })),
    );
    this.ready();
    diagnose();
  },
  catalogued: () => panel?.rest.replaceChildren(variants()),
  ready() {
    view.entries = true;
    draw();
    panel.rest.contains(document.activeElement) || this.catalogued();
  },
  changed(parts) {
    const edited = parts.has("rules") || parts.has("extra");
    edited && draw();
    if (edited || parts.has("board")) {
      ["diagnose", "about"].forEach(drop);
      panel.about.replaceChildren(); // it was about what was there before
      later("diagnose", diagnose, 120);
      panel.again && later("facts", panel.again);
    }
  },
  chosen() {
    const [cell] = state.selection;
    if (state.selection.size === 1) {
      later("about", () => explain({ cell }, `Rules about ${inWords(cell)}`));
    }
  },
  leave() {
    drop("diagnose");
    drop("about");
    panel = null;
  },
};
