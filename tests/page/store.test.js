import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { reset, storage } from "./setup.js";
import * as store from "./store.js";

beforeEach(() => {
  reset();
  storage.full = false;
});

test("a board has one name, whatever the order of its keys, with its answer or without", () => {
  const name = store.nameOf({ puzzle: "sudoku", givens: [[1]] });
  assert.equal(store.nameOf({ givens: [[1]], solution: "1", puzzle: "sudoku" }), name);
  assert.notEqual(store.nameOf({ puzzle: "sudoku", givens: [[2]] }), name);
});

test("boards in progress come with the last one first; those that were not begun are left out", () => {
  const board = (title) => store.nameOf({ puzzle: "sudoku", title });
  store.keep({ begun: true, changed: 1 }, board("old"));
  store.keep({ begun: true, changed: 2 }, board("new"));
  store.keep({ begun: false, changed: 3 }, board("looked at"));
  store.keep({ mode: "play" });
  assert.deepEqual(store.inProgress().map(([name]) => name), [board("new"), board("old")]);
  store.forget(board("new"));
  assert.deepEqual(store.inProgress().map(([name]) => name), [board("old")]);
});

test("a storage that is full or forbidden fails without an error", () => {
  storage.full = true;
  assert.equal(store.keep({}), null);
  assert.equal(store.read("nothing"), null);
});
