// Premoves: moves that are chosen while the opponent thinks, and played at once if they are legal then.

import { reaches } from "./geometry.js";
import { sideOf, squareName } from "#shared/position.js";

/**
 * All premoves of a side. Pieces in the way do not matter, as they may move.
 * @param {Squares} squares
 * @param {Side} side
 */
export function premovesOf(squares, side) {
  /** @type {BoardMove[]} */
  const moves = [];
  squares.forEach((piece, from) => {
    if (!piece || sideOf(piece) !== side) return;
    for (let to = 0; to < 64; to++) if (reaches(squares, from, to, true)) moves.push({ uci: squareName(from) + squareName(to), san: "", isPremove: true });
  });
  return moves;
}

/**
 * The legal move that a premove means; a pawn promotes to a queen. Undefined if there is none.
 * @param {string} uci
 * @param {LegalMove[]} legal
 */
export function legalPremove(uci, legal) {
  /** @type {Record<string, string>} */
  const to = { "O-O": "g", "O-O-O": "c" };
  return legal.find((move) => move.uci === uci || move.uci === `${uci}q`)
    ?? legal.find((move) => {
      const file = to[move.san.replace(/[+#]/, "")];
      return file !== undefined && move.uci.slice(0, 2) === uci.slice(0, 2) && uci.slice(2) === file + move.uci[1];
    });
}
