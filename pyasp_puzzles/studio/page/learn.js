// Learn: short lessons on real boards. Each says what to do, and checks what was done by what the server found.
import { button, h } from "./dom.js";
import { labelled } from "./icons.js";
import { go, openBoard, openShipped } from "./shell.js";
import { edit, keep, state } from "./state.js";

let lessons = [];
let at = -1; // the lesson that is under way
let fresh = false; // whether its board is to begin with the rules as they ship
let seen = { moved: 0, failed: false };

const learned = () => (state.settings.learned ??= []);
const load = async () => (lessons = lessons.length ? lessons : await (await fetch("/page/lessons.json")).json());

/** Opens the board of a lesson, with the rules as they ship. */
function begin(number) {
  const { board } = lessons[number];
  [at, fresh, seen] = [number, true, { moved: 0, failed: false }];
  typeof board === "string" ? openShipped(board, "rules") : openBoard(board, "rules");
}
/** Takes back what was changed in the rules when a lesson begins; returns whether it does. */
export function start() {
  const begins = fresh;
  if (begins) edit((doc) => Object.assign(doc, { rules: null, extra: "", edits: {} }));
  fresh = false;
  return begins;
}
/** Returns the example with which a lesson begins a rule of one's own. */
export const beginning = () => lessons[at]?.begin;

/**
 * Checks the lesson against what happened; returns whether it was done just now.
 * @param {{pressed?: string, moved?: boolean, forbids?: number, failing?: boolean, counts?: any[], own?: string}} now
 */
export function check({ pressed = "", moved, forbids = 0, failing, counts, own = "" }) {
  const lesson = lessons[at];
  if (!lesson || seen.done) return false;
  seen.moved += moved && pressed.includes(lesson.check.pressed ?? "") ? 1 : 0;
  seen.failed ||= Boolean(failing);
  const [before, after] = counts ?? [];
  const { answers, fewer } = lesson.check;
  const tests = {
    pressed: (part) => pressed.includes(part),
    moved: (many) => seen.moved >= many,
    forbids: (many) => forbids >= many,
    answers: () => after && after.many >= answers[0] && (answers[1] === null || (after.complete && after.many <= answers[1])),
    mended: () => seen.failed && !failing && failing !== undefined,
    own: (pattern) => new RegExp(pattern).test(own),
    fewer: () => fewer && after?.complete && after.many > 0 && (after.many < before.many || !before.complete),
  };
  seen.done = Object.entries(lesson.check).every(([name, wanted]) => tests[name](wanted));
  if (!seen.done) return false;
  learned().includes(at) || learned().push(at);
  keep();
  return true;
}

/** Returns what the lesson under way says; nothing if there is none. */
export function lessonCard(redraw) {
  const lesson = lessons[at];
  if (!lesson) return "";
  const next = at + 1 < lessons.length;
  const stop = () => {
    at = -1;
    redraw();
  };
  return h(
    "section",
    { class: `lesson${seen.done ? " done" : ""}`, "aria-label": "Lesson" },
    h("small", {}, `Lesson ${at + 1} of ${lessons.length}`),
    h("h2", {}, lesson.title),
    h("p", {}, lesson.tell),
    h("p", { role: "status" }, seen.done ? h("b", {}, "Done. ") : h("b", {}, "Your turn: "), seen.done ? lesson.done : lesson.task),
    h(
      "div",
      { class: "row" },
      seen.done && next ? labelled("right", "Next lesson", () => begin(at + 1), { class: "btn pen", id: "next-lesson" }) : "",
      seen.done && !next ? button("All lessons", () => go("learn"), { class: "btn pen" }) : "",
      button("End the lesson", stop, { class: "btn bare" }),
    ),
  );
}

export const learn = {
  words: "Learn",
  page: true,
  async enter({ page }) {
    await load();
    if (state.page !== "learn") return;
    const row = (lesson, number) =>
      h(
        "li",
        {},
        button(
          [h("b", {}, learned().includes(number) ? h("span", { role: "img", "aria-label": "Done" }, "✓") : number + 1), h("span", {}, lesson.title, h("small", {}, lesson.tell))],
          () => begin(number),
          { "data-lesson": number },
        ),
      );
    page.replaceChildren(
      h("h2", { class: "big" }, "Learn: edit a rule"),
      h("p", { class: "quiet" }, "Eight short lessons in answer set programming, on real boards. Each sees what you did."),
      h("ol", { class: "lessons" }, lessons.map(row)),
    );
  },
};
