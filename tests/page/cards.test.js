import assert from "node:assert/strict";
import { test } from "node:test";
import { blamed, cards, difference, plainly, repair, replaced, restored, sizeWords, without, written } from "./cards.js";

const TEXT = `% Puzzle: all about it.

#defined given/3.

% -- Define ---

% The board has n rows.
size(N) :- N = #max { R : cell(R, _) }.

% -- Test ---

% Equal numbers
% never touch.
violated(touch) :- value(1, 1, V),
                   value(1, 2, V).

% A printed number stays.
violated(given(R, C)) :- given(R, C, V), not value(R, C, V).
`;

test("the difference of two texts has each line once, with what is gone before what is new", () => {
  assert.deepEqual(difference("a\nb\nc", "a\nx\nc"), [[" ", "a"], ["-", "b"], ["+", "x"], [" ", "c"]]);
  assert.deepEqual(difference("a", "a\nb"), [[" ", "a"], ["+", "b"]]);
  assert.deepEqual(difference("a", "a"), [[" ", "a"]]);
});

test("a card has its section, its sentence, and the lines of its statements; declarations have none", () => {
  const found = cards(TEXT).map(({ section, words, first, last, named }) => [section, words, first, last, named]);
  assert.deepEqual(found, [
    ["Define", "The board has n rows.", 8, 8, false],
    ["Test", "Equal numbers never touch.", 14, 15, true],
    ["Test", "A printed number stays.", 18, 18, true],
  ]);
});

test("a card that is switched off keeps its sentence, shows what went and came, and can be restored", () => {
  const off = without(TEXT, cards(TEXT)[1]);
  const [, one] = cards(off, TEXT);
  assert.equal(one.words, "Equal numbers never touch.");
  assert.ok(one.off && one.changed && !one.named);
  assert.deepEqual(one.lines.map(({ sign }) => sign), [" ", " ", "-", "-", "+", "+"]);
  assert.equal(restored(off, one), TEXT);
  assert.equal(cards(TEXT, TEXT).filter(({ changed }) => changed).length, 0);
});

test("a card is edited in its place, and one whose lines are gone can come back", () => {
  const [, , one] = cards(TEXT);
  const edited = replaced(TEXT, one, written(one).replace("not ", "").split("\n"));
  assert.deepEqual(cards(edited, TEXT).map(({ changed }) => changed), [false, false, true]);
  const gone = replaced(TEXT, one, []);
  const changed = cards(gone, TEXT).find((other) => other.changed);
  assert.deepEqual(cards(restored(gone, changed)).map(({ words }) => words), cards(TEXT).map(({ words }) => words));
});

test("the line that makes rules hold is none that has a name: it forbids whatever the others name", () => {
  const last = (text) => cards(text).map(({ named, enforces }) => [named, enforces]);
  assert.deepEqual(last(":- violated(Rule), not relaxed(Rule)."), [[false, true]]);
  assert.deepEqual(last(":-\n  violated(R)."), [[false, true]]);
  assert.deepEqual(last("a. violated(x) :- a."), [[true, false]]);
  assert.deepEqual(last("b :- violated(x)."), [[false, false]]);
  assert.deepEqual(last(":- a, b."), [[false, false]]);
});

test("sizes are said as people count", () => {
  const size = (instances, places, single = false) => ({ instances, places, single });
  assert.equal(sizeWords([]), "");
  assert.equal(sizeWords([size(1, 1)]), "once");
  assert.equal(sizeWords([size(81, 81, true)]), "81 cells");
  assert.equal(sizeWords([size(243, 27), size(81, 81, true)]), "27 × 9");
  assert.equal(sizeWords([size(259, 64)]), "259 times");
});

test("of unsafe variables, the one that is nowhere else is to blame; the only other one repairs it", () => {
  const text = "a :- b.\nviolated(x(V)) :- size(N), V = 1..M, { value(R, C, V) : cell(R, C) } != 1.";
  const mark = blamed(text, { line: 2, column: 1, words: "", fault: { kind: "unsafe", token: "V M", instead: "" } });
  assert.equal(mark.fault.token, "M");
  assert.equal(text.split("\n")[1].slice(mark.column - 1)[0], "M");
  assert.match(plainly(mark), /^M is never given a value/);
  assert.deepEqual(repair(text, mark), { words: "Change M to N", text: text.replace("M,", "N,") });
});

test("a misspelt name and a missing full stop are repaired, too; what has no repair has none", () => {
  const fault = { kind: "undefined", token: "giben", instead: "given" };
  assert.equal(repair("a :- giben(1).", { line: 1, column: 6, fault }).text, "a :- given(1).");
  assert.equal(repair("a :- b\n\n% c\nd.", { line: 4, column: 1, fault: { kind: "stop" } }).text, "a :- b.\n\n% c\nd.");
  assert.equal(repair("a :- b", { line: 1, column: 7, fault: { kind: "stop" } }).text, "a :- b.");
  assert.equal(repair("a :- b  % c\nd.", { line: 2, column: 1, fault: { kind: "stop" } }).text, "a :- b.  % c\nd.");
  assert.equal(repair("a(1) b(2).", { line: 1, column: 6, fault: { kind: "stop" } }).text, "a(1). b(2).");
  assert.equal(repair("a :- b", { line: 1, column: 7, fault: null }), null);
});
