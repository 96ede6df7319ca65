// Unit tests of the index of one's own games by position.

import assert from "node:assert/strict";
import { test } from "node:test";
import { INITIAL, fromFen, play } from "../../../crates/review/page/shared/position.js";
import { MAX_PLIES, OpeningIndex } from "../../../crates/web/page/opening-index.js";

const game = (moves, result = "*", start = INITIAL) => ({ start, moves: moves.split(" "), result });
const after = (moves) => moves.split(" ").reduce((squares, uci) => play(squares, uci), fromFen(INITIAL));

test("moves are counted with the results of their games, also by transposition", () => {
  const index = new OpeningIndex();
  index.add(game("d2d4 g8f6 c2c4 e7e6", "1-0"));
  index.add(game("c2c4 g8f6 d2d4 e7e6", "1/2-1/2"));
  index.add(game("c2c4 g8f6 d2d4 g7g6", "0-1"));
  assert.deepEqual([...index.movesAt(fromFen(INITIAL), "white")], [
    ["d2d4", { games: 1, white: 1, draws: 0, black: 0 }],
    ["c2c4", { games: 2, white: 0, draws: 1, black: 1 }],
  ]);
  assert.deepEqual(index.movesAt(after("d2d4 g8f6 c2c4"), "black").get("e7e6"), { games: 2, white: 1, draws: 1, black: 0 });
  assert.equal(index.movesAt(after("d2d4 g8f6 c2c4"), "white").size, 0);
});

test("games from other positions count there, and unfinished ones have no result", () => {
  const index = new OpeningIndex();
  const start = "4k3/8/8/8/8/8/4p3/K7 b - - 0 1";
  index.add(game("e2e1q", "*", start));
  assert.deepEqual([...index.movesAt(fromFen(start), "black").values()], [{ games: 1, white: 0, draws: 0, black: 0 }]);
});

test("a game that is taken back leaves the others", () => {
  const index = new OpeningIndex();
  const [one, other] = [game("e2e4 e7e5", "1-0"), game("e2e4 c7c5", "0-1")];
  index.add(one);
  index.add(other);
  index.remove(one);
  assert.deepEqual([...index.movesAt(fromFen(INITIAL), "white")], [["e2e4", { games: 1, white: 0, draws: 0, black: 1 }]]);
  assert.deepEqual([...index.movesAt(after("e2e4"), "black").keys()], ["c7c5"]);
  index.remove(other);
  assert.equal(index.movesAt(fromFen(INITIAL), "white").size, 0);
});

test("only the first moves of a game are counted", () => {
  const index = new OpeningIndex();
  const shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(20).trim();
  index.add(game(shuffle));
  const counts = [...index.movesAt(fromFen(INITIAL), "white").values()];
  assert.equal(counts[0].games, Math.ceil(MAX_PLIES / 4));
});
