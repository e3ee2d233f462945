import assert from "node:assert/strict";
import { test } from "node:test";
import "./setup.js";
import { duration, finds, inOrder } from "./dom.js";

test("cells are in the order of rows, and numbers count as numbers", () => {
  assert.deepEqual(inOrder(["r10c1", "r2c10", "r2c9"]), ["r2c9", "r2c10", "r10c1"]);
});

test("a time has hours only when it has any", () => {
  assert.deepEqual([0, 75, 3723].map(duration), ["0:00", "1:15", "1:02:03"].map((time) => time.padStart(5, "0")).with(2, "1:02:03"));
});

test("words are found in any order, as parts of others, however a size is written", () => {
  const found = (words) => finds(words, "sudoku/easy", "Light-up", "16x16");
  for (const words of ["", "sudoku easy", "EASY sudo", "light up", "16x16", "16 × 16", "light easy"]) assert.ok(found(words), words);
  for (const words of ["hard", "sudoku hard", "6x61"]) assert.ok(!found(words), words);
});
