// Learn: short lessons on real boards. Each says what to do, and checks what was done by what the server found.
import { button, h } from "./dom.js";
import { labelled } from "./icons.js";
import { go, openBoard, openShipped } from "./shell.js";
import { change, edit, keep, state } from "./state.js";

let lessons = [];
const NOTHING = { moved: 0, failed: false, done: false };
// `at`: the lesson that is under way; `fresh`: whether its board is to begin with the rules as they ship; the rest is what was
// seen of it: how often somebody turned to another place, whether a rule was wrong, whether it is done
const now = { at: -1, fresh: false, ...NOTHING };

const learned = () => (state.settings.learned ??= []);
const load = async () => (lessons = lessons.length ? lessons : await (await fetch("/page/lessons.json")).json());

/** Opens the board of a lesson, with the rules as they ship. */
function begin(number) {
  const { board } = lessons[number];
  Object.assign(now, { at: number, fresh: true, ...NOTHING });
  typeof board === "string" ? openShipped(board, "rules") : openBoard(board, "rules");
}
/** Takes back what was changed in the rules when a lesson begins; returns whether it does. */
export function start() {
  const { fresh } = now;
  if (fresh) edit((doc) => Object.assign(doc, { rules: null, extra: "", edits: {} }));
  now.fresh = false;
  return fresh;
}
/** Returns the example with which a lesson begins a rule of one's own. */
export const beginning = () => lessons[now.at]?.begin;

/**
 * Checks the lesson against what happened; returns whether it was done just now.
 * @param {{pressed?: string, moved?: boolean, forbids?: number, failing?: boolean, counts?: any[], own?: string}} now
 */
export function check({ pressed = "", moved, forbids = 0, failing, counts, own = "" }) {
  const lesson = lessons[now.at];
  if (!lesson || now.done) return false;
  now.moved += moved && pressed.includes(lesson.check.pressed ?? "") ? 1 : 0;
  now.failed ||= Boolean(failing);
  const [before, after] = counts ?? [];
  const { answers, fewer } = lesson.check;
  const tests = {
    pressed: (part) => pressed.includes(part),
    moved: (many) => now.moved >= many,
    forbids: (many) => forbids >= many,
    answers: () => after && after.many >= answers[0] && (answers[1] === null || (after.complete && after.many <= answers[1])),
    mended: () => now.failed && !failing && failing !== undefined,
    own: (pattern) => new RegExp(pattern).test(own),
    fewer: () => fewer && after?.complete && after.many > 0 && (after.many < before.many || !before.complete),
  };
  now.done = Object.entries(lesson.check).every(([name, wanted]) => tests[name](wanted));
  if (!now.done) return false;
  learned().includes(now.at) || learned().push(now.at);
  keep();
  return true;
}

/** Returns what the lesson under way says; nothing if there is none. */
export function lessonCard() {
  const { at, done } = now;
  const lesson = lessons[at];
  if (!lesson) return "";
  const next = at + 1 < lessons.length;
  const stop = () => change(now, { at: -1 });
  return h("section", { class: `lesson${done ? " done" : ""}`, "aria-label": "Lesson" },
    h("small", {}, `Lesson ${at + 1} of ${lessons.length}`),
    h("h2", {}, lesson.title),
    h("p", {}, lesson.tell),
    h("p", { role: "status" }, done ? h("b", {}, "Done. ") : h("b", {}, "Your turn: "), done ? lesson.done : lesson.task),
    h("div", { class: "row" },
      done && next ? labelled("right", "Next lesson", () => begin(at + 1), { class: "btn pen", id: "next-lesson" }) : "",
      done && !next ? button("All lessons", () => go("learn"), { class: "btn pen" }) : "",
      button("End the lesson", stop, { class: "btn bare" }),
    ),
  );
}

export const learn = {
  words: "Learn",
  enter: () => load().then(() => change(state, {})),
  page() {
    const row = (lesson, number) =>
      h("li", {},
        button(
          [h("b", {}, learned().includes(number) ? h("span", { role: "img", "aria-label": "Done" }, "✓") : number + 1), h("span", {}, lesson.title, h("small", {}, lesson.tell))],
          () => begin(number),
          { "data-lesson": number },
        ),
      );
    if (!lessons.length) return [];
    return [
      h("h2", { class: "big" }, "Learn: edit a rule"),
      h("p", { class: "quiet" }, "Eight short lessons in answer set programming, on real boards. Each sees what you did."),
      h("ol", { class: "lessons" }, lessons.map(row)),
    ];
  },
};
