// Unit tests of the page's game tree: edits, undo, storage, and reviews beside the user's own marks.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Tree } from "../../../crates/web/page/tree.js";

/** A tree with the moves of a line. */
function treeOf(...moves) {
  const tree = new Tree();
  for (const [uci, san] of moves) tree.current = tree.add(tree.current, uci, san);
  return tree;
}

const sans = (tree) => tree.mainline.slice(1).map((index) => tree.nodes[index].san);

test("a move that is there already is found, and another becomes a variation", () => {
  const tree = treeOf(["e2e4", "e4"], ["e7e5", "e5"]);
  assert.equal(tree.add(0, "e2e4", "e4"), 1);
  const variation = tree.add(0, "d2d4", "d4");
  assert.deepEqual(sans(tree), ["e4", "e5"]);
  tree.makeMain(variation);
  assert.deepEqual(sans(tree), ["d4"]);
  assert.equal(tree.follow(["e2e4", "e7e5", "g1f3"]), 2);
});

test("each move has the clock times of both sides", () => {
  const tree = treeOf(["e2e4", "e4"], ["e7e5", "e5"], ["g1f3", "Nf3"]);
  const commands = [["[%clk 1:30:00]"], ["[%eval 0.2]", "[%clk 0:05:01.5]"], ["[%clk 1:29:10]"]];
  commands.forEach((list, index) => { tree.nodes[index + 1].commands = list; });
  const times = [0, 1, 2, 3].map((index) => tree.clocks(index));
  assert.deepEqual(times, [{}, { white: 5_400_000 }, { white: 5_400_000, black: 301_500 }, { white: 5_350_000, black: 301_500 }]);
});

test("the board follows the moves, also castling and en passant", () => {
  const tree = treeOf(["e1h1", "O-O"]);
  const castled = Tree.from({ start: "4k3/8/8/3pP3/8/8/8/4K2R w K d6 0 1", nodes: [{}, { uci: "e1h1", san: "O-O" }, { parent: 0, uci: "e5d6", san: "exd6" }] });
  assert.equal(tree.squares(0)[60], "K");
  assert.equal(castled.squares(1).slice(60).join(""), "RK");
  assert.equal(castled.squares(2)[27], "");
  assert.equal(castled.squares(2)[19], "P");
});

test("a stored game comes back without what was deleted", () => {
  const tree = treeOf(["e2e4", "e4"], ["e7e5", "e5"]);
  tree.nodes[1].comments = ["the best by test"];
  tree.remove(tree.add(1, "c7c5", "c5"));
  const stored = JSON.parse(JSON.stringify(tree.toJSON()));
  const again = Tree.from(stored);
  assert.equal(stored.nodes.length, 3);
  assert.deepEqual(again.toJSON(), tree.toJSON());
  assert.equal(again.nodes[1].comments[0], "the best by test");
  assert.equal(again.current, 2);
});

test("undo and redo go through the edits and keep the place on the board", () => {
  const tree = new Tree();
  tree.record();
  for (const [uci, san] of [["e2e4", "e4"], ["e7e5", "e5"]]) {
    tree.current = tree.add(tree.current, uci, san);
    tree.record();
  }
  assert.equal(tree.undo(), true);
  assert.deepEqual([sans(tree), tree.current], [["e4"], 1]);
  assert.equal(tree.undo(), true);
  assert.equal(tree.undo(), false);
  assert.equal(tree.redo() && tree.redo(), true);
  assert.deepEqual(sans(tree), ["e4", "e5"]);
  assert.equal(tree.redo(), false);
  tree.undo();
  tree.add(1, "c7c5", "c5");
  tree.record();
  assert.equal(tree.redo(), false);
});

const review = (nodes) => Tree.from({ start: new Tree().start, nodes });

test("a second review replaces the first and leaves the user's marks", () => {
  const tree = treeOf(["f2f3", "f3"], ["e7e5", "e5"], ["g2g4", "g4"]);
  tree.nodes[1].comments = ["my own words"];
  const judged = { nags: [4], comments: ["Blunder."], judgement: "blunder", best: 4 };
  const first = review([{}, { uci: "f2f3", san: "f3" }, { uci: "e7e5", san: "e5" }, { uci: "g2g4", san: "g4", ...judged }, { parent: 2, uci: "d2d4", san: "d4" }]);
  tree.replaceReview(first, tree.bare);
  assert.deepEqual(tree.nodes[3].nags, [4]);
  assert.equal(tree.nodes[tree.nodes[3].best].san, "d4");
  const before = tree.bare;
  const second = review([{}, { uci: "f2f3", san: "f3", nags: [6], comments: ["Inaccuracy."], judgement: "inaccuracy" }, { uci: "e7e5", san: "e5" }, { uci: "g2g4", san: "g4" }]);
  tree.replaceReview(second, before);
  assert.deepEqual(tree.nodes[1].comments, ["my own words", "Inaccuracy."]);
  assert.deepEqual(tree.ownComments(tree.nodes[1]), ["my own words"]);
  assert.deepEqual([tree.nodes[3].nags, tree.nodes[3].judgement, tree.nodes[3].comments], [[], undefined, []]);
  assert.deepEqual(tree.nodes[2].children.map((index) => tree.nodes[index].san), ["g4"]);
});

test("a line of a review that becomes the main line stays when the next review comes", () => {
  const tree = treeOf(["e2e4", "e4"]);
  tree.replaceReview(review([{}, { uci: "e2e4", san: "e4" }, { parent: 0, uci: "d2d4", san: "d4" }, { parent: 2, uci: "d7d5", san: "d5" }]), tree.bare);
  const added = tree.child(0, "d2d4");
  tree.makeMain(added);
  tree.removeReview();
  assert.deepEqual(sans(tree), ["d4"]);
});

test("a review does not bring back what was deleted while it ran", () => {
  const tree = treeOf(["e2e4", "e4"], ["e7e5", "e5"]);
  const variation = tree.add(1, "c7c5", "c5");
  const before = tree.bare;
  tree.remove(variation);
  tree.replaceReview(review([{}, { uci: "e2e4", san: "e4" }, { uci: "e7e5", san: "e5" }, { parent: 1, uci: "c7c5", san: "c5" }, { parent: 1, uci: "e7e6", san: "e6" }]), before);
  assert.deepEqual(tree.nodes[1].children.map((index) => tree.nodes[index].san), ["e5", "e6"]);
});
