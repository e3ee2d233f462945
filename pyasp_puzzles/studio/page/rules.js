// Rules: each rule a card that leads to the board, and can be changed in place; the same rules as plain text.
import { candidates, conflicts, relight, shownAnswer, verdict } from "./answers.js";
import { about, answered, ask, asked, drop, latest } from "./ask.js";
import { light, paint, view } from "./board.js";
import { blamed, cards, plainly, repair, replaced, restored, sizeWords, without, written } from "./cards.js";
import { button, download, get, h, inWords, named } from "./dom.js";
import { highlighted, lineOf } from "./highlight.js";
import { iconButton, labelled } from "./icons.js";
import { beginning, check, lessonCard, start } from "./learn.js";
import { pickVariants } from "./set.js";
import { acts, sheet } from "./shell.js";
import { cells, change, edit, edited, given, high, kind, low, ofRules, state } from "./state.js";
import { say } from "./talk.js";

const MOST_COUNTED = 100;
const ENFORCES = "No answer violates a rule that has a name: this line says so for all of them. Switched off, they forbid nothing.";
// `tab`: "rules", "extra", the file of a variant, or one of words, which is only read; `plain`: whether its text is shown
// `open`: the card that is pressed, {key, file, first, last, at, seen: the cells of the place that is shown, cell: of which
//         it is asked what is forbidden}; `editing`: the card that is being changed, {begin, end}
// `here`: the cell of which it is asked how many rules are about it
const now = { tab: "rules", plain: false, open: null, editing: null, here: null, reveal: "" };

const files = () => state.info.files;
const writable = () => now.tab === "extra" || files().some(({ name, role }) => role === now.tab || (role === "variant" && name === now.tab));
const shipped = (name = now.tab) =>
  name === "extra" ? "" : (files().find((one) => (name === "rules" ? one.role === "rules" : one.name === name))?.text ?? "");
const text = (name = now.tab) => (["rules", "extra"].includes(name) ? state.doc[name] : state.doc.edits[name]) ?? shipped(name);
const write = (next, merge = "") =>
  edit((doc) => {
    const { tab } = now;
    const fresh = next === shipped();
    if (["rules", "extra"].includes(tab)) doc[tab] = fresh && tab === "rules" ? null : next;
    else if (fresh) delete doc.edits[tab];
    else doc.edits[tab] = next;
  }, merge);
/** Returns the cards of the open tab. */
const all = () => cards(text(), now.tab === "extra" ? text() : shipped());
const keyOf = (one) => one.words || written(one);

// -- What is known --------------------------------------------------------------------------------------

/** Returns what is wrong in the rules. */
const faults = () =>
  ["diagnostic", "error"].some((what) => latest("diagnose", what))
    ? asked("diagnose").records.map((one) => blamed(text(one.file || "rules"), { severity: "error", ...one, file: one.file || "rules" }))
    : [];
const failing = () => faults().some(({ severity }) => severity === "error");
/** Returns how many answers there are by the rules as they ship, and as they are; null while that is not known. */
function counts() {
  const both = ["before", "after"];
  return both.every(answered) ? both.map(asked).map(({ end: { found: many = 0, complete = false } }) => ({ many, complete })) : null;
}
/** Returns the places where the pressed rule applies; null while they are not known. */
function places() {
  const found = latest("about");
  if (!found) return failing() || answered("about") ? [] : null;
  return [...Map.groupBy(found.rules, (rule) => String(rule.cells)).values()];
}
/** Returns what the pressed rule forbids in the cell that was asked about: {values, left, wrong}; null if none was. */
const forbids = () => {
  if (!now.open?.cell) return null;
  const { end } = asked("forbids");
  const wrong = latest("forbids", "error")?.words ?? (end?.late ? "Time ran out." : "");
  return { values: null, left: [], ...latest("forbids"), wrong };
};

// -- Questions ------------------------------------------------------------------------------------------

const sound = () => answered("diagnose") && !failing();
const MOST = { ask: "answers", limit: MOST_COUNTED, drawn: 0, entries: "", seconds: 8 };
const AS_SHIPPED = { rules: null, extra: null, edits: {} };
/** Returns a question about the pressed card; nothing if none is, or while rules are wrong. */
const ofCard = (ask_, more = {}) => {
  const { file, first, last } = now.open ?? {};
  return first && sound() && about({ ask: ask_, file, line: first, last, ...more });
};
const questions = {
  diagnose: { wanted: () => about({ ask: "diagnose" }), done: () => noted(), pause: 120 },
  sizes: { wanted: () => sound() && about({ ask: "sizes" }) },
  about: { wanted: () => ofCard("about"), done: found },
  forbids: { wanted: () => now.open?.cell && ofCard("forbids", { cell: now.open.cell }), done: () => (noted({ forbids: forbids().values?.length }), reveal()) },
  here: { wanted: () => now.here && sound() && about({ ask: "about", cell: now.here }) },
  // How many answers there are before and after what was changed.
  before: { wanted: () => edited(state.doc) && sound() && answered("sizes") && about({ ...MOST, ...AS_SHIPPED }) },
  after: { wanted: () => edited(state.doc) && answered("before") && about(MOST), done: () => noted() },
};
/** Presses a card: asks where its rules apply. */
function press(one) {
  if (now.open?.key === keyOf(one)) return release();
  const open = { key: keyOf(one), file: now.tab, first: one.first, last: one.last, at: 0, seen: "", cell: null };
  Object.assign(view, { held: true, struck: null });
  Object.assign(now, { open, editing: null });
  ["about", "forbids"].forEach(drop); // what came is about another card
  change(now, {});
}
/** Shows a place where the pressed rule applies: the one that was shown, a broken one, or one with the selected cell. */
function found() {
  const list = places();
  const [cell] = state.selection;
  const first = (fits) => list.findIndex((group) => group.some(fits));
  const kept = first((rule) => now.open.seen && String(rule.cells) === now.open.seen); // somebody may have gone on to it
  const best = [kept, first((rule) => rule.broken), first((rule) => rule.cells.includes(cell)), 0];
  turn(best.find((at) => at >= 0));
  reveal();
}
/** Turns to a place of the pressed rule. */
const turn = (at) => change(now, { open: { ...now.open, at, seen: String(places()[at]?.[0].cells ?? "") } });
/** Scrolls to what is drawn soon, when it is drawn. */
const reveal = (what = ".rule.open") => (now.reveal = what);
function drawn() {
  now.reveal && get("right").querySelector(now.reveal)?.scrollIntoView({ block: "nearest" });
  now.reveal = "";
  shine();
}
function release() {
  Object.assign(view, { held: false, struck: null });
  change(now, { open: null });
  relight();
}
/** Asks what the pressed rule forbids in a cell. */
const forbid = (cell) => change(now, { open: { ...now.open, cell } });
/** Lights what the pressed rule is about on the board. */
function shine() {
  if (!now.open) return undefined;
  const { at, cell } = now.open;
  const { values } = forbids() ?? {};
  if (!cell) {
    const group = places()?.[at] ?? [];
    const look = group.some(({ broken }) => broken) ? "wrong" : "lit";
    view.struck = null;
    return light(new Map((group[0]?.cells ?? []).map((cell) => [cell, look])));
  }
  const by = new Set((values ?? []).flatMap((one) => one.cells));
  const numbers = () => Array.from({ length: high(cell) - low() + 1 }, (_, i) => String(i + low()));
  const out = (values ?? []).map(({ value }) => value);
  const known = values && kind() === "numbers" && !given(cell);
  view.struck = known ? { [cell]: { all: numbers(), out } } : null;
  const lamps = new Map(Array.from(by, (other) => [other, "seen"]));
  return light(lamps.set(cell, "goal"));
}

// -- Cards ----------------------------------------------------------------------------------------------

function badge({ many, complete }) {
  const words = `${many || (complete ? "no" : "?")} answer${many === 1 || !many ? "" : "s"}${complete ? "" : " or more"}`;
  return h("span", { class: `badge ${complete && many < 2 ? ["none", "one"][many] : "many"}` }, words);
}
/** Tells the lesson what happened, and shows all anew. */
function noted(more = {}) {
  const pressed = now.open ? all().find((one) => keyOf(one) === now.open.key) : null;
  const so = { failing: failing(), counts: counts(), own: state.doc.extra, pressed: pressed ? written(pressed) : "", ...more };
  if (check(so)) reveal(".lesson");
  change(now, {});
}
const note = (words) => h("p", { class: "quiet" }, words);

const marksOf = ({ begin, end }) => faults().filter(({ file, line }) => file === now.tab && line >= begin && line <= end);
/** Returns the code of a card: what went and came, and what is wrong where it is. */
function code(one) {
  const own = marksOf(one);
  const row = ({ sign, number, text: line, code: shown }) => {
    if (!shown && sign === " ") return "";
    const fault = sign === "-" ? null : own.find((mark) => mark.line === number && mark.column);
    const at = (fault?.column ?? 1) - 1;
    const length = fault?.fault?.token.length || /^\w*/.exec(line.slice(at))[0].length || 1;
    const parts = fault
      ? [...highlighted(line.slice(0, at)), h("u", { class: "fault" }, line.slice(at, at + length)), ...highlighted(line.slice(at + length))]
      : lineOf(line);
    const look = { "+": "added", "-": "gone" }[sign] ?? "";
    return h("span", { class: `code-line ${look}` }, h("i", {}, sign === " " ? number : sign === "-" ? "−" : "+"), h("span", {}, parts));
  };
  return h("code", { class: "code" }, one.lines.map(row));
}
/** Returns what is wrong in a card, in plain words, with the only repair. */
function wrongs(one) {
  return marksOf(one).map((mark) => {
    const mend = repair(text(), mark);
    const said = plainly(mark);
    return h("div", { class: `wrong ${mark.severity}`, role: "alert" },
      h("p", {}, said),
      mend ? button(mend.words, () => write(mend.text), { class: "btn pen", "data-repair": "" }) : "",
      said === mark.words ? "" : h("details", {}, h("summary", {}, "What clingo says"), note(mark.words)),
    );
  });
}
/** Returns how many answers there are before and after what was changed; null while that is not known. */
function bothCounts() {
  const both = counts();
  return both && h("p", { class: "row", role: "status" }, badge(both[0]), h("span", {}, "→"), badge(both[1]));
}
function changes(one) {
  const take = () => {
    now.editing = null;
    write(restored(text(), one));
  };
  return h("div", { class: "changes" },
    failing() ? "" : (bothCounts() ?? note("Counting …")),
    h("div", { class: "row" }, labelled("undo", "Take it back", take, { "data-act-card": "restore" })),
  );
}
/** Returns where a rule applies, one place after the other. */
function instances({ at }) {
  const list = places();
  if (!list?.length) return h("div", { class: "instance" }, note(list ? "On this board it applies nowhere." : "…"));
  const group = list[at] ?? list[0];
  const [first] = group;
  const more = group.length > 1 ? `, and ${group.length - 1} more here` : "";
  const step = (by) => {
    turn((at + by + list.length) % list.length);
    noted({ moved: true });
  };
  const words = first.words.includes(":-") ? h("code", {}, first.words) : `${first.words.charAt(0).toUpperCase()}${first.words.slice(1)}`;
  return h("div", { class: "instance" },
    h("p", { class: "grow", "aria-live": "polite" }, words, more, " ", h("small", {}, `${at + 1} of ${list.length}`)),
    iconButton("left", "Previous place", () => step(-1), { "data-go": "previous" }),
    iconButton("right", "Next place", () => step(1), { "data-go": "next" }),
  );
}
function forbidden() {
  const { cell } = now.open;
  const { values, left, wrong } = forbids();
  const done = button("Done", () => forbid(null), { class: "btn" });
  if (wrong) return [h("p", { class: "bad" }, wrong), done];
  if (!values) return [note("…"), done];
  const many = values.length;
  const nothing = h("p", {}, `In ${inWords(cell)} it forbids nothing, given what is on the board.`);
  const row = (one) => h("li", {}, h("b", { class: one.absent ? "not" : "" }, one.absent ? `no ${one.value}` : one.value), h("span", {}, one.words));
  return [
    many ? h("p", {}, "In ", h("b", {}, inWords(cell)), ` it forbids ${many === 1 ? "one value" : `${many} values`}:`) : nothing,
    h("ul", { class: "forbidden" }, values.map(row)),
    note(`${many && left.length ? `It leaves ${left.join(", ")}. ` : ""}Press another cell to ask about it.`),
    done,
  ];
}
/** Returns the field in which a card is changed, which may have become several. */
function field() {
  const { begin, end } = now.editing;
  const oninput = ({ target }) => {
    const lines = target.value.split("\n");
    const next = replaced(text(), { begin, end }, lines);
    now.editing = { begin, end: begin + lines.length - 1 };
    write(next, "card");
  };
  const value = text().split("\n").slice(begin - 1, end).join("\n");
  return h("textarea", { class: "code", "aria-label": "Rule", spellcheck: "false", rows: end - begin + 1, value, oninput });
}
function body(one, opened, faulty) {
  if (!opened) return [];
  if (opened.cell) return h("div", { class: "more" }, forbidden());
  const { editing } = now;
  const [cell] = state.selection;
  const ask = () => (cell ? forbid(cell) : say("Press a cell of the board, too."));
  const begin = () => {
    change(now, { editing: { begin: one.begin, end: one.end } });
    queueMicrotask(() => get("cards").querySelector("textarea")?.focus());
  };
  const done = () => change(now, { editing: null });
  const off = () => write(one.off ? restored(text(), one) : without(text(), one));
  const own = opened.first === undefined || faulty ? [] : [one.enforces ? note(ENFORCES) : instances(opened)];
  return h("div", { class: "more" },
    own,
    h("div", { class: "row" },
      one.named && !faulty ? button("What does it forbid here?", ask, { class: "btn pen", id: "forbids" }) : "",
      button(editing ? "Done" : "Edit", editing ? done : begin, { class: "btn", "data-act-card": "edit" }),
      !editing ? button(one.off ? "Switch on" : "Switch off", off, { class: "btn", "data-act-card": "off" }) : "",
      iconButton("close", "Close", release),
    ),
  );
}
function card(one) {
  const { editing, open, tab } = now;
  const same = editing ? one.begin === editing.begin : open?.key === keyOf(one);
  const opened = open?.file === tab && same ? Object.assign(open, { key: keyOf(one), first: one.first, last: one.last }) : null;
  const own = (place) => place.file === tab && place.first <= one.last && one.first <= place.last;
  const bad = marksOf(one).some(({ severity }) => severity === "error");
  const size = bad ? "not running" : one.off ? "off" : sizeWords((latest("sizes")?.sizes ?? []).filter(own));
  const about_ = (latest("here", "about")?.rules ?? []).filter(({ file, line }) => file === tab && line >= one.first && line <= one.last).length;
  const look = `rule${opened ? " open" : ""}${bad ? " faulty" : ""}`;
  const words = one.words || "A rule without a sentence";
  const head = button(h("span", { class: one.words ? "" : "quiet" }, words), () => press(one), {
    class: "sentence",
    "aria-expanded": String(Boolean(opened)),
  });
  return h("li", { class: look, "data-line": one.first ?? one.begin },
    h("div", { class: "top" }, head, about_ ? h("span", { class: "badge many" }, `${about_} here`) : "", size ? h("span", { class: "size" }, size) : ""),
    opened && editing ? field() : code(one),
    wrongs(one),
    body(one, opened, bad),
    one.changed ? changes(one) : "",
  );
}

// -- My own ---------------------------------------------------------------------------------------------

/** Returns an example of a rule of one's own, about what the answers of this puzzle are. */
function example() {
  if (beginning()) return beginning();
  const [name, arity] = state.info.answer.output.split("/");
  const corner = cells()[0]?.match(/\d+/g).join(", ") ?? "1, 1";
  if (kind() === "numbers") {
    const differ = `violated(falling(V)) :- ${name}(_, _, V), { ${name}(I, I, V) } > 1.`;
    return `% The numbers on the falling diagonal differ.\n${differ}\n`;
  }
  const arguments_ = [corner, ...Array(Math.max(0, Number(arity) - 2)).fill("_")].join(", ");
  return `% There is nothing in the first cell.\nviolated(first) :- ${name}(${arguments_}).\n`;
}
const add = () => {
  const before = state.doc.extra.trim() ? `${state.doc.extra.trimEnd()}\n\n` : "";
  Object.assign(now, { tab: "extra", plain: false });
  write(before + example());
};
const invitation = () =>
  h("li", { class: "rule" },
    h("p", {}, "A rule of your own says when something is violated. It is added to the others, and the count follows."),
    h("pre", { class: "code wraps" }, highlighted(example())),
    h("div", { class: "row" }, button("Begin with this", add, { class: "btn pen", id: "begin-own" })),
  );

// -- All of it ------------------------------------------------------------------------------------------

/** Returns the tabs of rules: their names and titles. */
function tabs() {
  const others = files().filter((one) => one.role === "variant" && cards(one.text).length).map(({ name }) => [name, named(name.replace(/\.lp$/, ""))]);
  const words = files().filter(({ role }) => role === "words").map(({ name }) => [name, name]);
  return [["rules", named(state.doc.board.puzzle)], ...others, ["extra", "My own"], ...(now.plain ? words : [])];
}
function tabList() {
  const wrong = (name) => faults().some((mark) => mark.file === name && mark.severity === "error");
  const choose = (name) => {
    Object.assign(now, { tab: name, editing: null });
    release();
  };
  const seg = ([name, title]) =>
    button(`${title}${wrong(name) ? " ●" : ""}`, () => choose(name), { role: "tab", "data-file": name, "aria-selected": String(name === now.tab) });
  return h("div", { class: "seg files", role: "tablist", "aria-label": "Rules of" }, tabs().map(seg));
}
/** Returns the text of the open tab, with what is wrong above it. */
function plainText() {
  const to = ({ line }) => {
    const area = get("text");
    const before = area.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    area.focus({ preventScroll: true });
    area.setSelectionRange(before, before);
    area.scrollTop = (line - 4) * parseFloat(getComputedStyle(area).lineHeight);
  };
  const told = (one) => (one.line ? `Line ${one.line}: ${one.words}` : one.words);
  const mark = (one) => h("li", { class: one.severity }, button(told(one), () => one.line && to(one)));
  const typed = { class: "code plain", "aria-label": "Rules", spellcheck: "false", autocapitalize: "off", id: "text" };
  const oninput = ({ target }) => write(target.value, now.tab);
  return h("div", { class: "col", hidden: !now.plain },
    h("ul", { class: "marks", "aria-live": "polite" }, faults().filter((one) => now.plain && one.file === now.tab).map(mark)),
    h("textarea", { ...typed, value: text(), readonly: !writable(), oninput }),
    h("div", { class: "row" }, button("Reset", reset, { id: "reset", class: "btn", disabled: text() === shipped() })),
  );
}
/** Returns the cards of the open tab, each under its section. */
function cardList() {
  if (now.plain) return [];
  if (now.tab === "extra" && !text().trim()) return [invitation()];
  const shown = all();
  const head = ({ section }, i) => (section && section !== shown[i - 1]?.section ? [h("li", { class: "section" }, section)] : []);
  return shown.flatMap((one, i) => [...head(one, i), card(one)]);
}

const output = (words, name) => h("pre", { class: "text", tabindex: 0, "aria-label": name }, words);
async function print(title, question, pick) {
  const { records, wrong } = await ask("facts", () => about(question));
  const words = records.map(pick).find(Boolean) ?? (wrong || "UNSATISFIABLE");
  const copy = () => navigator.clipboard.writeText(words).then(() => say("Copied.", "good"));
  sheet(title, [output(words, title), h("div", { class: "row" }, button("Copy", copy, { class: "btn" }))]);
}
async function folder(name) {
  const { record, wrong } = await ask("folder", () => about({ ask: "folder", name: name.trim() || "my-rules" }));
  if (!record) return say(wrong, "bad");
  const bytes = Uint8Array.from(atob(record.base64), (letter) => letter.charCodeAt(0));
  download(record.name, new Blob([bytes], { type: "application/zip" }));
  return say(`Saved ${record.name}. Unpack it, and name it with --puzzles.`, "good");
}
/** Offers the rules as a folder that the command reads, and what plain clingo has to do with them. */
function save() {
  const name = h("input", { value: "my-rules", size: 14, "aria-label": "Name of the folder" });
  sheet("Keep these rules", [
    h("p", {}, "A folder with these rules is a puzzle of its own: the command and this page know it with --puzzles."),
    h("div", { class: "row" }, name, button("Save as a puzzle folder", () => folder(name.value), { class: "btn pen", id: "folder" })),
    h("div", { class: "row" },
      button("Facts", () => print("Facts", { ask: "facts" }, ({ text: words }) => words), { class: "btn", id: "facts" }),
      button("Answer as atoms", () => print("Answer as atoms", { ask: "answers", limit: 1 }, ({ atoms }) => atoms), { class: "btn", id: "atoms" }),
    ),
  ]);
}
function reset() {
  now.editing = null;
  write(shipped());
}

export const rules = {
  words: "Rules",
  icon: "rules",
  counts: true,
  enter() {
    Object.assign(now, { open: null, editing: null, here: null, ...(start() ? { tab: "rules", plain: false } : {}) });
  },
  ready: () => (view.entries = true),
  right() {
    if (!tabs().some(([name]) => name === now.tab)) now.tab = "rules";
    const { plain } = now;
    const own = now.tab === "extra" && text().trim();
    const look = () => change(now, { plain: !now.plain, editing: null });
    return [
      h("div", { class: "stuck" },
        h("div", { class: "row spread" }, verdict(), acts()),
        h("div", { class: "row spread" },
          tabList(),
          h("div", { class: "row" },
            button("Plain text", look, { class: "btn bare", id: "plain", "aria-pressed": String(plain) }),
            iconButton("file", "Keep these rules", save, { id: "keep" }),
          ),
        ),
      ),
      h("div", {}, lessonCard()),
      conflicts(),
      h("ol", { class: "cards", id: "cards", hidden: plain, "data-waits": "diagnose sizes about forbids before after" }, cardList()),
      h("div", {}, own ? bothCounts() : ""),
      plainText(),
      labelled("plus", "Add a rule of your own", add, { class: "btn wide", id: "add-own", hidden: plain || (now.tab === "extra" && !own) }),
      labelled("plus", "Variants", pickVariants, { class: "btn wide", id: "variants" }),
      h("div", { class: "row switches" }, candidates(), shownAnswer()),
    ];
  },
  drawn,
  questions,
  changed(parts) {
    if (now.open && !now.editing && (ofRules(parts) || parts.has("board"))) release();
  },
  chosen() {
    const { open } = now;
    const [cell] = state.selection;
    if (state.selection.size !== 1) return;
    if (open?.cell) {
      forbid(cell);
    } else if (open) {
      const list = places() ?? [];
      const to = (_, i) => (open.at + i + 1) % list.length;
      const next = list.map(to).find((i) => list[i].some((rule) => rule.cells.includes(cell)));
      next === undefined || turn(next);
    } else {
      change(now, { here: cell });
    }
  },
  leave() {
    Object.assign(view, { held: false, struck: null });
    paint();
  },
};
