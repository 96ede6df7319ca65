// Why a typed move is not legal, in words.

import { mayCastle, reaches, squaresOf } from "./geometry.js";
import { PIECE_NAMES, otherSide, sideName, sideOf, squareIndex, squareName } from "#shared/position.js";

const SAN = /^([KQRBN]?)([a-h]?)([1-8]?)([a-h][1-8])(=?[QRBNqrbn])?$/;
const UCI = /^([a-h][1-8])([a-h][1-8])[qrbn]?$/;

/**
 * The reason why a typed move cannot be played.
 * @param {string} typed
 * @param {Squares} squares
 * @param {PositionInfo} info of the position
 */
export function whyIllegal(typed, squares, info) {
  if (info.outcome) return `The game is over: ${info.outcome}.`;
  const text = typed.replace(/[+#x!?\s-]/g, "").replaceAll("0", "O");
  const side = info.fen.split(" ")[1] === "b" ? "black" : "white";
  if (/^o{2,3}$/i.test(text)) return whyNoCastling(text.length === 2, info);
  const lower = text.toLowerCase();
  const squaresTyped = UCI.exec(lower);
  if (squaresTyped) {
    const from = squareIndex(squaresTyped[1]);
    if (!squares[from]) return `There is no piece on ${squaresTyped[1]}.`;
    if (sideOf(squares[from]) !== side) return `It is ${sideName(side)}'s turn, and the piece on ${squaresTyped[1]} is ${sideName(otherSide(side))}'s.`;
    return whyNoMove([from], squares, squareIndex(squaresTyped[2]), info, side);
  }
  // A capital may be missing, unless the letter is a file.
  const parts = SAN.exec(text) ?? SAN.exec(text[0]?.toUpperCase() + text.slice(1));
  if (!parts) return `${typed} is not a move. Type a move such as Nf3, exd5, O-O or e8=Q, or two squares such as g1f3.`;
  const [, letter, file, rank, target] = parts;
  const kind = (letter || "P").toLowerCase();
  const all = squaresOf(squares, side, kind);
  if (!all.length) return `${sideName(side)} has no ${PIECE_NAMES[kind]}.`;
  const named = all.filter((at) => (!file || squareName(at)[0] === file) && (!rank || squareName(at)[1] === rank));
  if (!named.length) return `${sideName(side)} has no ${PIECE_NAMES[kind]} on ${file && rank ? file + rank : file ? `the ${file}-file` : `rank ${rank}`}.`;
  const fitting = info.legal.filter(({ uci }) => uci.slice(2, 4) === target && named.includes(squareIndex(uci)) && !isCastling(uci, squares));
  if (fitting.some(({ uci }) => uci[4])) return `The pawn promotes: type ${fitting.slice(0, 4).map(({ san }) => san.replace(/[+#]/, "")).join(", ")}.`;
  if (fitting.length > 1) return `More than one ${PIECE_NAMES[kind]} can move to ${target}: type ${fitting.map(({ san }) => san.replace(/[+#]/, "")).join(" or ")}.`;
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
  const name = PIECE_NAMES[squares[from[0]].toLowerCase()];
  const target = squareName(to);
  if (squares[to] && sideOf(squares[to]) === side) return `${sideName(side)}'s own ${PIECE_NAMES[squares[to].toLowerCase()]} stands on ${target}.`;
  if (from.some((at) => reaches(squares, at, to))) {
    if (name === "king") return `The king would be in check on ${target}.`;
    return info.check ? `${sideName(side)} is in check, which this does not end.` : `The ${name} is pinned: ${sideName(side)}'s king would be in check.`;
  }
  if (from.some((at) => reaches(squares, at, to, true))) {
    if (name === "king") return whyNoCastling(to % 8 > from[0] % 8, info);
    if (name !== "pawn") return `Another piece is in the way of the ${name} to ${target}.`;
    return from.some((at) => at % 8 === to % 8) ? `The pawn's way to ${target} is blocked.` : `There is nothing for the pawn to capture on ${target}.`;
  }
  return from.length === 1 ? `The ${name} on ${squareName(from[0])} cannot move to ${target}.` : `No ${side} ${name} can move to ${target}.`;
}

/**
 * @param {boolean} isKingside
 * @param {PositionInfo} info
 */
function whyNoCastling(isKingside, { fen, check }) {
  if (!mayCastle(fen, isKingside)) return `Castling ${isKingside ? "kingside" : "queenside"} is no longer allowed: the king or this rook has moved.`;
  if (check) return "The king is in check and cannot castle.";
  return "The king cannot castle now: a piece is in the way, or a square that the king crosses is attacked.";
}
