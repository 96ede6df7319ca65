// Why a typed move is not legal, in words.

import { mayCastle, reaches, squaresOf } from "./geometry.js";
import { moveText, outcomeText, pgnMoveText } from "./chess.js";
import { otherSide, sideOf, squareIndex, squareName } from "#shared/position.js";
import { texts } from "./texts.js";

const SAN = /^([KQRBN]?)([a-h]?)([1-8]?)([a-h][1-8])(=?[QRBNqrbn])?$/;
const UCI = /^([a-h][1-8])([a-h][1-8])[qrbn]?$/;

/**
 * The reason why a typed move cannot be played.
 * @param {string} typed
 * @param {Squares} squares
 * @param {PositionInfo} info of the position
 */
export function whyIllegal(typed, squares, info) {
  if (info.outcome) return texts.page.gameOver(outcomeText(info.outcome));
  const text = pgnMoveText(typed).replace(/[+#x!?\s-]/g, "").replaceAll("0", "O");
  const side = info.fen.split(" ")[1] === "b" ? "black" : "white";
  if (/^o{2,3}$/i.test(text)) return whyNoCastling(text.length === 2, info);
  const lower = text.toLowerCase();
  const squaresTyped = UCI.exec(lower);
  if (squaresTyped) {
    const from = squareIndex(squaresTyped[1]);
    if (!squares[from]) return texts.illegal.noPieceOn(squaresTyped[1]);
    if (sideOf(squares[from]) !== side) return texts.illegal.otherTurn(side, squaresTyped[1], otherSide(side));
    return whyNoMove([from], squares, squareIndex(squaresTyped[2]), info, side);
  }
  // A capital may be missing, unless the letter is a file.
  const parts = SAN.exec(text) ?? SAN.exec(text[0]?.toUpperCase() + text.slice(1));
  if (!parts) return texts.illegal.noMove(typed);
  const [, letter, file, rank, target] = parts;
  const kind = (letter || "P").toLowerCase();
  const all = squaresOf(squares, side, kind);
  if (!all.length) return texts.illegal.noPiece(side, kind);
  const named = all.filter((at) => (!file || squareName(at)[0] === file) && (!rank || squareName(at)[1] === rank));
  if (!named.length) return texts.illegal.noPieceAt(side, kind, file, rank);
  const fitting = info.legal.filter(({ uci }) => uci.slice(2, 4) === target && named.includes(squareIndex(uci)) && !isCastling(uci, squares));
  const moves = fitting.map(({ san }) => moveText(san.replace(/[+#]/, "")));
  if (fitting.some(({ uci }) => uci[4])) return texts.illegal.promotes(moves.slice(0, 4));
  if (fitting.length > 1) return texts.illegal.ambiguous(kind, target, moves);
  return whyNoMove(named, squares, squareIndex(target), info, side);
}

const isCastling = (/** @type {string} */ uci, /** @type {Squares} */ squares) => {
  const [from, to] = [squares[squareIndex(uci)], squares[squareIndex(uci.slice(2))]];
  return Boolean(to) && from.toLowerCase() === "k" && sideOf(to) === sideOf(from);
};

/**
 * @param {number[]} from
 * @param {Squares} squares
 * @param {number} to
 * @param {PositionInfo} info
 * @param {Side} side
 */
function whyNoMove(from, squares, to, info, side) {
  const kind = squares[from[0]].toLowerCase();
  const target = squareName(to);
  if (squares[to] && sideOf(squares[to]) === side) return texts.illegal.ownPiece(side, squares[to].toLowerCase(), target);
  if (from.some((at) => reaches(squares, at, to))) {
    if (kind === "k") return texts.illegal.intoCheck(target);
    return info.check ? texts.illegal.inCheck(side) : texts.illegal.pinned(kind, side);
  }
  if (from.some((at) => reaches(squares, at, to, true))) {
    if (kind === "k") return whyNoCastling(to % 8 > from[0] % 8, info);
    if (kind !== "p") return texts.illegal.blocked(kind, target);
    return from.some((at) => at % 8 === to % 8) ? texts.illegal.pawnBlocked(target) : texts.illegal.noCapture(target);
  }
  return from.length === 1 ? texts.illegal.cannotReach(kind, squareName(from[0]), target) : texts.illegal.noneReaches(side, kind, target);
}

/**
 * @param {boolean} isKingside
 * @param {PositionInfo} info
 */
function whyNoCastling(isKingside, { fen, check }) {
  if (!mayCastle(fen, isKingside)) return texts.illegal.noRight(isKingside);
  if (check) return texts.illegal.castlingInCheck;
  return texts.illegal.castlingBlocked;
}
