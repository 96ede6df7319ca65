// Unit tests of what has been pasted or typed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { findMove } from "../../../crates/web/page/chess.js";
import { isGame, isPosition, readMoves } from "../../../crates/web/page/paste.js";
import { WORDS } from "../../../crates/review/page/shared/words.js";

test("positions and games are told apart", () => {
  for (const text of ["8/8/8/8/8/4k3/8/4K2Q w - - 0 1", " rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"]) {
    assert.deepEqual([isPosition(text), isGame(text)], [true, false], text);
  }
  for (const text of ['[Event "?"]\n\n*', "1. e4 e5", "12...Nxd4", "3.O-O", "20. 0-0-0"]) {
    assert.deepEqual([isPosition(text), isGame(text)], [false, true], text);
  }
  for (const text of ["", "hello", "1. hello", "https://example.org/12"]) assert.equal(isGame(text) || isPosition(text), false, text);
});

test("moves with the language's letters are read, and comments and tags stay", async (t) => {
  const { letters } = WORDS;
  t.after(() => { WORDS.letters = letters; });
  WORDS.letters = "KDTLS";
  const read = (refused) => async (text) => {
    if (refused.test(text)) throw new Error(text);
    return text;
  };
  const text = '[White "Sf3"]\n\n1. Sf3 {Sf6} e5 ; Sd4\n2. Txe8=D Nc3 *';
  assert.equal(await readMoves(text, read(/^1. S/m)), '[White "Sf3"]\n\n1. Nf3 {Sf6} e5 ; Sd4\n2. Rxe8=Q Nc3 *');
  // A text that can be read stays, and of two errors the first is thrown.
  assert.equal(await readMoves(text, read(/^1. N/m)), text);
  await assert.rejects(readMoves("Lc4", read(/./)), /^Error: Lc4$/);
  assert.ok(isGame("1. Sf3") && isGame("7... Lxc3+"));
});

test("typed moves need neither capitals nor signs", () => {
  const legal = [["g1f3", "Nf3"], ["e5f6", "exf6"], ["e1h1", "O-O"], ["b2b3", "b3"], ["a4b3", "Bb3+"]].map(([uci, san]) => ({ uci, san }));
  const found = (text) => findMove(text, legal)?.uci;
  assert.deepEqual(["Nf3", "nf3", "g1f3", "ef6", "exf6", "0-0", "o-o", "e1g1", "Bb3", "bb3", "b3"].map(found),
    ["g1f3", "g1f3", "g1f3", "e5f6", "e5f6", "e1h1", "e1h1", "e1h1", "a4b3", "a4b3", "b2b3"]);
  assert.equal(found("Qh5"), undefined);
});

test("a capital that is the letter of a piece means no pawn", () => {
  const legal = [["b2c3", "bxc3"], ["b2b4", "b4"]].map(([uci, san]) => ({ uci, san }));
  const found = (text) => findMove(text, legal)?.uci;
  assert.deepEqual(["Bxc3", "Bc3", "B2xc3"].map(found), [undefined, undefined, undefined]);
  assert.deepEqual(["bxc3", "bc3", "b2c3", "B4", "B2C3"].map(found), ["b2c3", "b2c3", "b2c3", "b2b4", "b2c3"]);
});

test("typed moves may name more of the start square than they must, and be judged", () => {
  const legal = [["g1f3", "Nf3"], ["b1c3", "Nbc3"], ["e2c3", "Nec3"], ["e4d5", "exd5"]].map(([uci, san]) => ({ uci, san }));
  const found = (text) => findMove(text, legal)?.uci;
  assert.deepEqual(["Ngf3", "Ng1-f3", "N1f3", "Nf3!", "Nb1c3", "exd5?!"].map(found), ["g1f3", "g1f3", "g1f3", "g1f3", "b1c3", "e4d5"]);
  assert.deepEqual(["Nc3", "Nhf3"].map(found), [undefined, undefined]);
});
