// Rules: the encoding in an editor, what is wrong in it, where on the board its rules are at work.
import { candidates, conflicts, verdict } from "./answers.js";
import { about, askAll, drop } from "./ask.js";
import { light, view } from "./board.js";
import { button, download, h, inWords } from "./dom.js";
import { difference, editor } from "./editor.js";
import { variants } from "./set.js";
import { edit, state } from "./state.js";
import { later, reasons, say } from "./talk.js";

let panel = null;
let tab = "rules"; // "rules", "extra", or the name of a file that is only read
let marks = [];

const file = () => state.info.files.find(({ role }) => role === "rules");
const shipped = () => file()?.text ?? "";
const current = () => (tab === "rules" ? (state.doc.rules ?? shipped()) : tab === "extra" ? state.doc.extra : state.info.files.find(({ name }) => name === tab)?.text ?? "");

/** Shows the tabs, and the text of the one that is open. */
function draw() {
  if (!panel) {
    return;
  }
  const others = state.info.files.filter(({ role }) => role !== "rules");
  const names = [["rules", file()?.name ?? "Rules"], ["extra", "Your own rules"], ...others.map(({ name }) => [name, name])];
  if (!names.some(([name]) => name === tab)) {
    tab = "rules";
  }
  const wrong = (name) => (marks.some((mark) => mark.file === name && mark.severity === "error") ? " ●" : "");
  const edited = (name) => (name === "rules" && state.doc.rules !== null ? " (edited)" : "");
  for (const old of [...panel.tabs.children].slice(names.length)) {
    old.remove();
  }
  for (const [i, [name, words]] of names.entries()) {
    if (!panel.tabs.children[i]) {
      panel.tabs.append(button("", (event) => ((tab = event.target.dataset.file), draw()), { role: "tab" }));
    }
    const own = panel.tabs.children[i];
    own.textContent = words + edited(name) + wrong(name);
    own.dataset.file = name;
    own.setAttribute("aria-selected", tab === name);
  }
  panel.editor.set(current(), tab === "rules" || tab === "extra");
  const own = marks.filter((mark) => mark.file === tab);
  panel.editor.mark(own);
  const rows = own.map(({ severity, line, words }) =>
    h("li", { class: severity }, button(line ? `Line ${line}: ${words}` : words, () => line && panel.editor.go(line))),
  );
  panel.marks.replaceChildren(...rows);
  panel.reset.disabled = tab === "extra" ? !state.doc.extra : state.doc.rules === null;
}

async function diagnose() {
  const found = await askAll(about({ ask: "diagnose" }));
  if (found) {
    marks = found.records
      .filter(({ kind }) => kind === "diagnostic" || kind === "error")
      .map((one) => ({ severity: "error", ...one, file: one.file || "rules" }));
    draw();
  }
}

/** Shows the rules about a cell, or the ground rules of the rule at a line. */
async function explain(question, words) {
  const found = await askAll(about({ ask: "about", ...question }));
  const record = found?.records.find(({ kind }) => kind === "about");
  if (!found || !panel) {
    return;
  }
  if (!record) {
    panel.about.replaceChildren(h("p", { class: "quiet" }, found.error?.words ?? ""));
    return;
  }
  const list = [...record.rules].sort((one, other) => other.broken - one.broken);
  const broken = list.filter((rule) => rule.broken).length;
  const all = new Map(list.flatMap((rule) => rule.cells.map((cell) => [cell, rule.broken ? "wrong" : "lit"])).sort(([, a]) => (a === "wrong" ? 1 : -1)));
  const many = list.length > 40 ? ` (the first 40 of ${list.length})` : "";
  panel.about.replaceChildren(
    h("h3", {}, `${words}${many}`),
    list.length ? "" : h("p", { class: "quiet" }, "No rule that has a name."),
    broken ? h("p", {}, broken === 1 ? "One of these is broken." : `${broken} of these are broken.`) : "",
    reasons(list.slice(0, 40), question.line ? all : new Map(), jump),
  );
  if (question.line) {
    light(all);
  }
}
function jump(rule) {
  if (rule.line) {
    tab = rule.file === "extra" ? "extra" : ["rules", "", null, undefined].includes(rule.file) || rule.file === file()?.name ? "rules" : rule.file;
    draw();
    panel.editor.go(rule.line);
  }
}

function type(text) {
  if (tab === "rules") {
    edit((doc) => (doc.rules = text === shipped() ? null : text), "rules");
  } else if (tab === "extra") {
    edit((doc) => (doc.extra = text), "extra");
  }
}
function reset() {
  edit((doc) => (tab === "extra" ? (doc.extra = "") : (doc.rules = null)));
  panel.text.replaceChildren();
}
function diff() {
  const lines = difference(shipped(), state.doc.rules ?? shipped());
  const near = (i) => lines.slice(Math.max(0, i - 2), i + 3).some(([sign]) => sign !== " ");
  const shown = lines.filter((_, i) => near(i)).map(([sign, line]) => h("span", { class: { "+": "added", "-": "gone", " ": "" }[sign] }, `${sign} ${line}\n`));
  panel.text.replaceChildren(shown.length ? h("pre", { class: "text", tabindex: 0, "aria-label": "Differences" }, shown) : h("p", {}, "These are the rules as they ship."));
}
async function facts(question, pick) {
  const found = await askAll(about(question), "facts");
  const words = found?.records.map(pick).find(Boolean) ?? found?.error?.words ?? "";
  if (found) {
    const text = h("pre", { class: "text", tabindex: 0, "aria-label": "Text" }, words || "UNSATISFIABLE");
    panel.text.replaceChildren(text, button("Copy", () => navigator.clipboard.writeText(words)));
  }
}
async function folder() {
  const name = panel.name.value.trim() || "my-rules";
  const found = await askAll(about({ ask: "folder", name }));
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
  enter(host) {
    panel = {
      tabs: h("div", { class: "tabs", role: "tablist", "aria-label": "Files" }),
      marks: h("ul", { class: "marks", "aria-live": "polite" }),
      about: h("div", { class: "about" }),
      text: h("div", { class: "output" }),
      name: h("input", { value: "my-rules", size: 12, "aria-label": "Name of the folder" }),
      reset: button("Reset", reset, { id: "reset" }),
      editor: editor({
        label: "Rules",
        change: type,
        line: (line) => ["rules", "extra"].includes(tab) && later("about", () => explain({ file: tab, line }, `Line ${line} on this board`)),
      }),
    };
    host.append(
      verdict(),
      panel.tabs,
      panel.editor.root,
      panel.marks,
      h("div", { class: "buttons" }, panel.reset, button("Compare", diff, { id: "compare" }), button("Facts", () => facts({ ask: "facts" }, (one) => one.text), { id: "facts" }), button("Answer as atoms", () => facts({ ask: "answers", limit: 1 }, (one) => one.atoms))),
      panel.text,
      candidates(),
      conflicts(),
      panel.about,
      h("p", { class: "quiet" }, "Press a line of the rules, or a cell of the board, to see what is at work there."),
      variants(),
      h("div", { class: "row" }, panel.name, button("Save as a puzzle folder", folder)),
    );
    this.ready();
    diagnose();
  },
  ready() {
    view.entries = false;
    draw();
  },
  changed(parts) {
    if (parts.has("rules") || parts.has("extra")) {
      draw();
    }
    if (parts.has("rules") || parts.has("extra") || parts.has("board")) {
      drop("diagnose");
      later("diagnose", diagnose, 120);
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
