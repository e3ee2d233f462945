import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { reset } from "./setup.js";
import { open, state } from "./state.js";
import * as tools from "./tools.js";

const cage = { key: "cages", tool: "cage", form: "{cells}", valued: "{words} = {value}", value: true };
const arrow = { key: "arrows", tool: "path", form: "{first} > {cells}", valued: "{words} = {value}", head: true };
const odd = { key: "odd", tool: "mark", form: "{cells}", valued: "{words} = {value}" };
const square = (size) => Array.from({ length: size ** 2 }, (_, i) => `r${Math.floor(i / size) + 1}c${(i % size) + 1}`);

beforeEach(() => {
  reset();
  const size = [3, 3];
  state.info = { answer: { kind: "numbers" }, cells: square(3), size, schema: [cage, arrow, odd], palette: [] };
  open({ puzzle: "sudoku", size, title: String(Math.random()) });
});

test("lines are written in the form that the server gives, in the order of cells or of the stroke", () => {
  tools.apply(cage, ["r2c1", "r1c1"], () => {});
  tools.apply(arrow, ["r1c1", "r2c2", "r3c3"], () => {});
  assert.deepEqual(state.doc.board.cages, ["r1c1 r2c1"]);
  assert.deepEqual(state.doc.board.arrows, ["r1c1 > r2c2 r3c3"]);
});

test("a value is put behind a line, replaced, and taken away", () => {
  const line = tools.withValue(cage, "r1c1 r1c2", "5");
  assert.equal(line, "r1c1 r1c2 = 5");
  assert.equal(tools.withValue(cage, line, " 12 "), "r1c1 r1c2 = 12");
  assert.equal(tools.withValue(cage, line, ""), "r1c1 r1c2");
});

test("what a line says comes from the server; before, it is about no cell", () => {
  assert.deepEqual(tools.said("R1C1 = 9"), { cells: [], words: "R1C1 = 9", value: "" });
  tools.learn({ "R1C1 = 9": { cells: ["r1c1"], words: "R1C1", value: "9" } });
  assert.equal(tools.said("R1C1 = 9").value, "9");
});

test("marks that are painted and taken away leave those that nobody has explained yet", () => {
  tools.change("odd", "r9c9 of another tab");
  tools.apply(odd, ["r1c1"], () => {});
  assert.equal(state.doc.board.odd, "r1c1 r9c9 of another tab");
});

test("a smaller board loses the lines that leave it", () => {
  tools.apply(cage, ["r1c1", "r1c2"], () => {});
  tools.apply(cage, ["r2c3", "r3c3"], () => {});
  tools.reshape([2, 2]);
  assert.deepEqual([state.doc.board.size, state.doc.board.cages], [[2, 2], ["r1c1 r1c2"]]);
});

test("partners of a cell are where the symmetry leads, each once", () => {
  const partners = (name, cell) => ((state.settings.symmetry = name), tools.partners(cell).sort());
  assert.deepEqual(partners("half", "r1c1"), ["r1c1", "r3c3"]);
  assert.deepEqual(partners("quarter", "r1c2"), ["r1c2", "r2c1", "r2c3", "r3c2"]);
  assert.deepEqual(partners("half", "r2c2"), ["r2c2"]);
  assert.deepEqual(partners("none", "r1c1"), ["r1c1"]);
});
