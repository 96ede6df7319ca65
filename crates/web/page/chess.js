// Boards, scores and results in words. The engine supplies legal moves.

import { PIECE_NAMES, isWhite, sideOf, squareName } from "./position.js";

export * from "./position.js";

export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** The piece placement of a FEN. */
export function placement(squares) {
  const ranks = [];
  for (let rank = 0; rank < 8; rank++) {
    ranks.push(squares.slice(rank * 8, rank * 8 + 8).map((piece) => piece || "1").join("").replace(/1+/g, (run) => run.length));
  }
  return ranks.join("/");
}

/** A piece on a square in words. */
export function describeSquare(squares, index) {
  const piece = squares[index];
  return `${squareName(index)}, ${piece ? `${sideOf(piece)} ${PIECE_NAMES[piece.toLowerCase()]}` : "empty"}`;
}

/** The king's two squares of a castling move, such as "e1g1"; empty for other moves. */
export function castlingSquares({ uci, san }) {
  if (!san.startsWith("O-O")) return "";
  return uci.slice(0, 2) + (san.startsWith("O-O-O") ? "c" : "g") + uci[1];
}

/** A score such as "+0.35" or "#3". */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined) return `#${score.mate}`.replace("-", "−");
  if (score.cp === undefined) return "";
  return (score.cp > 0 ? "+" : score.cp < 0 ? "−" : "") + (Math.abs(score.cp) / 100).toFixed(2);
}

/** The captured material of each side: pieces that it has more of than the other, and the balance in pawns. */
export function materialBalance(squares) {
  const values = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
  const count = {};
  for (const piece of squares) if (piece) count[piece.toLowerCase()] = (count[piece.toLowerCase()] ?? 0) + (isWhite(piece) ? 1 : -1);
  const more = { white: "", black: "" };
  let balance = 0;
  for (const kind of "qrbnp") {
    const surplus = count[kind] ?? 0;
    balance += surplus * values[kind];
    more[surplus > 0 ? "white" : "black"] += kind.repeat(Math.abs(surplus));
  }
  return { more, balance };
}

export const resultText = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");
