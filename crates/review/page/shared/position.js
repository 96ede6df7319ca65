// Boards, without the rules of the game. A board is an array of 64 FEN letters, empty for no piece. Index 0 is a8.

import { WORDS } from "./words.js";

export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/**
 * The fields of a FEN after the pieces: side to move, castling rights, en-passant square, halfmove clock, move number.
 * @param {string} fen
 */
export function fenFields(fen) {
  const [, ...fields] = fen.trim().split(/\s+/);
  return ["w", "-", "-", "0", "1"].map((initial, index) => fields[index] || initial);
}

/** @param {string} fen */
export function fromFen(fen) {
  /** @type {Squares} */
  const squares = [];
  for (const letter of fen.trim().split(/\s+/)[0].replaceAll("/", "")) {
    if (letter >= "1" && letter <= "8") squares.push(...Array(Number(letter)).fill(""));
    else squares.push(letter);
  }
  return squares.concat(Array(64).fill("")).slice(0, 64);
}

/** @param {string} name */
export const squareIndex = (name) => (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
/** @param {number} index */
export const squareName = (index) => "abcdefgh"[index % 8] + (8 - Math.floor(index / 8));
/** @param {string} piece */
export const isWhite = (piece) => piece !== "" && piece === piece.toUpperCase();
/**
 * @param {string} piece
 * @returns {Side}
 */
export const sideOf = (piece) => (isWhite(piece) ? "white" : "black");
/**
 * @param {Side} side
 * @returns {Side}
 */
export const otherSide = (side) => (side === "white" ? "black" : "white");
/**
 * A side as the tags of a PGN name it.
 * @param {Side} side
 */
export const sideTag = (side) => (side === "white" ? "White" : "Black");

/**
 * The board after a move; castling is "king takes own rook".
 * @param {Squares} squares
 * @param {string} uci
 */
export function play(squares, uci) {
  if (!uci) return squares;
  const next = squares.slice();
  const [from, to] = [squareIndex(uci), squareIndex(uci.slice(2))];
  const [piece, target] = [next[from], next[to]];
  const kind = piece.toLowerCase();
  next[from] = "";
  if (kind === "k" && target !== "" && isWhite(target) === isWhite(piece)) {
    const rank = from - (from % 8);
    next[to] = "";
    next[rank + (to > from ? 6 : 2)] = piece;
    next[rank + (to > from ? 5 : 3)] = target;
    return next;
  }
  // En passant.
  if (kind === "p" && from % 8 !== to % 8 && target === "") next[from - (from % 8) + (to % 8)] = "";
  const promotion = uci[4];
  next[to] = promotion ? (isWhite(piece) ? promotion.toUpperCase() : promotion) : piece;
  return next;
}

/**
 * The position in words.
 * @param {Squares} squares
 */
export function describe(squares) {
  const side = (/** @type {boolean} */ wanted) => ["k", "q", "r", "b", "n", "p"]
    .flatMap((kind) => squares.flatMap((piece, index) => (piece && isWhite(piece) === wanted && piece.toLowerCase() === kind ? [`${WORDS.pieces[kind]} ${squareName(index)}`] : [])))
    .join(", ");
  return `${WORDS.sides.white}: ${side(true) || WORDS.nothing}. ${WORDS.sides.black}: ${side(false) || WORDS.nothing}.`;
}
