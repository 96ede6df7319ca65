// Unit tests of files of many games.

import assert from "node:assert/strict";
import { test } from "node:test";
import { splitPgn } from "../../../crates/web/page/pgn-file.js";

/** Splits a text wherever it may be cut. */
const cut = (...games) => {
  const parts = splitPgn(games.join(""), 1);
  assert.equal(parts.join(""), games.join(""));
  return parts;
};

test("a text is cut before the first tag of a game, whichever it is", () => {
  for (const tag of ["Event", "Site", "White", "FEN"]) {
    const games = [1, 2, 3].map((number) => `[${tag} "${number}"]\n[Round "1"]\n\n1. e4 {[%clk 0:01]}\n e5 *\n\n`);
    assert.deepEqual(cut(...games), games, tag);
    const windows = games.map((game) => game.replaceAll("\n", "\r\n"));
    assert.deepEqual(cut(...windows), windows, tag);
  }
});

test("a text is not cut between the tags of a game or before its moves", () => {
  const game = '[Site "?"]\n\n[White "A"]\n\n1. e4 e5\n\n2. Nf3 *\n';
  assert.deepEqual(cut(game), [game]);
  const empty = '[Event "?"]\n\n';
  assert.deepEqual(cut(empty, empty, game), [empty, empty + game]);
});
