// How pieces move, without the rules about checks: enough to say why a move is illegal and which premoves are sensible.

import { fenFields, isWhite, sideOf, squareIndex } from "#shared/position.js";

const place = (/** @type {number} */ index) => [index % 8, Math.floor(index / 8)];

/**
 * Returns true if no piece stands between two squares of a line.
 * @param {Squares} squares
 * @param {number} from
 * @param {number} to
 */
function isClear(squares, from, to) {
  const [[x1, y1], [x2, y2]] = [place(from), place(to)];
  const step = Math.sign(x2 - x1) + 8 * Math.sign(y2 - y1);
  for (let at = from + step; at !== to; at += step) if (squares[at]) return false;
  return true;
}

/**
 * Returns true if the piece on `from` can move to `to` by its kind. With `ignoresPieces`, other pieces do not matter, as they may have
 * moved by then. Castling is a king's move by two squares or onto the rook.
 * @param {Squares} squares
 * @param {number} from
 * @param {number} to
 */
export function reaches(squares, from, to, ignoresPieces = false) {
  const piece = squares[from];
  if (!piece || from === to) return false;
  const [[x1, y1], [x2, y2]] = [place(from), place(to)];
  const [dx, dy] = [Math.abs(x2 - x1), Math.abs(y2 - y1)];
  const isFree = () => ignoresPieces || isClear(squares, from, to);
  const isStraight = dx === 0 || dy === 0;
  switch (piece.toLowerCase()) {
    case "n": return dx * dy === 2;
    case "k": return Math.max(dx, dy) === 1 || (ignoresPieces && dy === 0 && (y1 === 0 || y1 === 7) && (dx === 2 || squares[to] === (isWhite(piece) ? "R" : "r")));
    case "b": return dx === dy && isFree();
    case "r": return isStraight && isFree();
    case "q": return (dx === dy || isStraight) && isFree();
    default: {
      const forward = isWhite(piece) ? y1 - y2 : y2 - y1;
      if (dx === 1) return forward === 1 && (ignoresPieces || squares[to] !== "");
      const isDouble = forward === 2 && y1 === (isWhite(piece) ? 6 : 1);
      return dx === 0 && (forward === 1 || isDouble) && (ignoresPieces || (squares[to] === "" && isFree()));
    }
  }
}

/**
 * The squares of a side's pieces of a kind, such as "n".
 * @param {Squares} squares
 * @param {Side} side
 * @param {string} kind
 */
export function squaresOf(squares, side, kind) {
  return squares.flatMap((piece, index) => (piece && sideOf(piece) === side && piece.toLowerCase() === kind ? [index] : []));
}

/**
 * Returns true if a FEN gives the side to move a right to castle on that side. Chess960 names the file of the rook.
 * @param {string} fen
 * @param {boolean} isKingside
 */
export function mayCastle(fen, isKingside) {
  const [turn, castling] = fenFields(fen);
  const own = [...castling].filter((letter) => letter !== "-" && isWhite(letter) === (turn === "w")).map((letter) => letter.toLowerCase());
  const king = fen.split("/")[turn === "w" ? 7 : 0].split(" ")[0];
  const file = [...king.replace(/\d/g, (digit) => " ".repeat(Number(digit)))].findIndex((piece) => piece.toLowerCase() === "k");
  return own.some((letter) => (letter === "k" || letter === "q" ? (letter === "k") === isKingside : (squareIndex(`${letter}1`) % 8 > file) === isKingside));
}
