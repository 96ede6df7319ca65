// Unit tests of judgements and scores as the page shows them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { GameTree } from "../../../crates/review/page/shared/game-tree.js";
import { percentText, resultText, sanText, scoreText } from "../../../crates/review/page/shared/notation.js";

test("the next bad move is that of the main line, in both directions", () => {
  const nodes = [{}, { san: "f3", judgement: "inaccuracy" }, { san: "e5" }, { san: "g4", judgement: "blunder" }, { parent: 2, san: "a4", judgement: "mistake" }];
  const tree = GameTree.from({ start: new GameTree().start, nodes });
  assert.equal(tree.nextMistake(0, 1), 1);
  assert.equal(tree.nextMistake(1, 1), 3);
  assert.equal(tree.nextMistake(3, 1), undefined);
  assert.equal(tree.nextMistake(3, -1), 1);
  assert.equal(tree.nextMistake(4, -1), 1);
});

test("glyphs of the move follow it, those of the position after a space", () => {
  assert.equal(sanText({ san: "Qh5", nags: [4, 19] }), "Qh5?? −+");
  assert.equal(sanText({ san: "", nags: [] }), "--");
  assert.equal(sanText({ san: "e4", nags: [200] }), "e4 $200");
});

test("scores, results and shares have one form", () => {
  assert.deepEqual([{ cp: 35 }, { cp: -120 }, { cp: 0 }, { mate: -3 }, undefined].map(scoreText), ["+0.35", "−1.20", "0.00", "#−3", ""]);
  assert.deepEqual(["1-0", "1/2-1/2"].map(resultText), ["1–0", "½–½"]);
  assert.deepEqual([87.46, null, NaN].map(percentText), ["87.5 %", "–", "–"]);
});
