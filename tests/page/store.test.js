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

test("boards that were begun or made come with the last one first; others, and damaged records, are left out", () => {
  const board = (title) => store.nameOf({ puzzle: "sudoku", title });
  const doc = { board: { puzzle: "sudoku" } };
  store.keep({ doc, begun: true, changed: 1 }, board("old"));
  store.keep({ doc, made: true, changed: 2 }, board("new"));
  store.keep({ doc, begun: false, changed: 3 }, board("looked at"));
  store.keep({ mode: "play" });
  for (const broken of [{}, { board: null }, { board: { puzzle: 5 } }, 7, null]) {
    store.keep({ doc: broken, begun: true, changed: 4 }, board(JSON.stringify(broken)));
  }
  store.keep({ begun: true }, board("without a doc"));
  assert.deepEqual(store.inProgress().map(([name]) => name), [board("new"), board("old")]);
  store.forget(board("new"));
  assert.deepEqual(store.inProgress().map(([name]) => name), [board("old")]);
});

test("a storage that is full or forbidden fails without an error", () => {
  storage.full = true;
  assert.equal(store.keep({}), null);
  assert.equal(store.read("nothing"), null);
});
