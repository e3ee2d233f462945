import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { reset } from "./setup.js";
import * as page from "./state.js";
import { inProgress, keep, nameOf } from "./store.js";

const { state } = page;
const FOUR = { puzzle: "sudoku", givens: [[1, null], [null, null]] };
const enter = (cell, value) => page.edit((doc) => (doc.entries[cell] = value));

beforeEach(() => {
  reset();
  state.info = { answer: { kind: "numbers", low: 1, high: 12 }, cells: ["r1c1", "r1c2", "r2c1", "r2c2"], schema: [] };
  page.open({ ...FOUR, title: String(Math.random()) });
});

test("undo leads back step by step, and redo forward again", () => {
  enter("r1c2", "5");
  enter("r1c2", "6");
  page.undo();
  assert.deepEqual(state.doc.entries, { r1c2: "5" });
  page.undo();
  assert.deepEqual([state.doc.entries, page.canUndo(), page.canRedo()], [{}, false, true]);
  page.redo();
  page.redo();
  assert.deepEqual([state.doc.entries, page.canRedo()], [{ r1c2: "6" }, false]);
});

test("undo goes back until something no longer holds, and redo leads to it again", () => {
  enter("r1c2", "5");
  enter("r2c2", "1");
  enter("r2c1", "2");
  page.rewind((doc) => doc.entries.r1c2 === "5");
  assert.deepEqual([state.doc.entries, page.canRedo()], [{}, true]);
});

test("a change that belongs to a step is undone with it", () => {
  enter("r1c2", "5");
  page.settle();
  enter("r2c2", "1");
  page.amend((doc) => (doc.corner.r1c2 = ["1"]));
  page.undo();
  assert.deepEqual([state.doc.entries, state.doc.corner], [{ r1c2: "5" }, {}]);
});

test("a new step ends what could be redone; one that changes nothing is no step", () => {
  enter("r1c2", "5");
  page.undo();
  assert.equal(enter("r2c2", "1"), true);
  assert.equal(page.canRedo(), false);
  assert.equal(enter("r2c2", "1"), false);
  page.undo();
  assert.equal(page.canUndo(), false);
});

test("steps of one stroke are one for undo, until it is settled", () => {
  for (const cell of ["r1c1", "r1c2"]) page.edit((doc) => (doc.entries[cell] = "x"), "shade");
  page.settle();
  page.edit((doc) => (doc.entries.r2c1 = "x"), "shade");
  page.undo();
  assert.deepEqual(state.doc.entries, { r1c1: "x", r1c2: "x" });
  page.undo();
  assert.deepEqual(state.doc.entries, {});
});

test("digits that follow at once are one number, unless it would be too large", () => {
  const type = (one) => page.digit(one, 12, "digit", (value) => enter("r1c2", value));
  type("1");
  type("2");
  assert.equal(state.doc.entries.r1c2, "12");
  page.undo();
  assert.deepEqual(state.doc.entries, {});
  type("1");
  type("3");
  assert.equal(state.doc.entries.r1c2, "3");
});

test("a board whose keys change loses its published answer", () => {
  page.open({ ...FOUR, solution: "1 2" });
  page.editBoard((board) => (board.givens = [[2, null], [null, null]]));
  assert.equal("solution" in state.doc.board, false);
  page.undo();
  assert.equal(state.doc.board.solution, "1 2");
});

test("each board is opened with what was done on it, and with its steps of undo", async () => {
  const { board } = state.doc;
  enter("r1c2", "5");
  await page.save();
  page.open({ ...FOUR, title: "another" });
  assert.deepEqual(state.doc.entries, {});
  page.open(board);
  assert.deepEqual(state.doc.entries, { r1c2: "5" });
  page.undo();
  assert.deepEqual(state.doc.entries, {});
});

test("a board in an address is what it was", async () => {
  const board = { ...FOUR, title: "Ünïcode / + = ?" };
  const packed = await page.pack(board);
  assert.match(packed, /^[\w-]+$/);
  assert.deepEqual(await page.unpack(packed), board);
});

test("a listener hears which parts have changed", () => {
  const heard = [];
  page.listen((parts) => heard.push([...parts]));
  enter("r1c2", "5");
  page.editBoard((board) => (board.title = "new"));
  assert.deepEqual(heard, [["entries"], ["board"]]);
});

test("a printed number comes from the server, and its cell cannot be written in", () => {
  state.info.givens = { r1c1: "1" };
  assert.deepEqual(["r1c1", "r1c2"].map(page.given), ["1", ""]);
  assert.deepEqual(["r1c1", "r1c2"].map(page.fixed), [true, false]);
});

test("a board that was made is kept, with its rules, until it is cleared; one that is solved is so until it changes", async () => {
  const made = { ...FOUR, title: "made" };
  assert.ok(page.keepMade(made, { extra: "a." }));
  page.open(made);
  await page.save();
  assert.deepEqual(inProgress().map(([, { doc }]) => [doc.board.title, doc.extra]), [["made", "a."]]);
  state.solved = true;
  page.edit((doc) => (doc.corner.r1c2 = ["1"]));
  await page.save();
  page.open({ ...FOUR, title: "another" });
  assert.equal(state.solved, false);
  page.open(made);
  assert.equal(state.solved, true);
  enter("r1c2", "5");
  assert.equal(state.solved, false);
});

test("a record with parts that are missing, or of another form, is read as far as it goes", () => {
  const board = { ...FOUR, title: "damaged" };
  const doc = { entries: null, corner: [], pieces: 3, extra: 7, centre: { r1c2: ["1"] } };
  keep({ doc, begun: true }, nameOf(board));
  page.open(board);
  assert.deepEqual(state.doc, { ...page.EMPTY, board, centre: { r1c2: ["1"] } });
  assert.deepEqual(page.whole(undefined), page.EMPTY);
});
