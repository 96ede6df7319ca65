// Boards and moves in words. The engine supplies legal moves.

import { moveText, pgnMoveText, resultText, scoreText } from "#shared/notation.js";
import { isWhite, sideOf, squareName } from "#shared/position.js";
import { texts } from "./texts.js";

export * from "#shared/notation.js";
export * from "#shared/position.js";

/**
 * The piece placement of a FEN.
 * @param {Squares} squares
 */
export function placement(squares) {
  const ranks = [];
  for (let rank = 0; rank < 8; rank++) {
    ranks.push(squares.slice(rank * 8, rank * 8 + 8).map((piece) => piece || "1").join("").replace(/1+/g, (run) => String(run.length)));
  }
  return ranks.join("/");
}

/**
 * The square of a side's king; −1 if it has none.
 * @param {Squares} squares
 * @param {Side} side
 */
export const kingSquare = (squares, side) => squares.indexOf(side === "white" ? "K" : "k");

/**
 * A piece on a square in words.
 * @param {Squares} squares
 * @param {number} index
 */
export function describeSquare(squares, index) {
  const piece = squares[index];
  return `${squareName(index)}, ${piece ? texts.board.piece(sideOf(piece), piece.toLowerCase()) : texts.board.empty}`;
}

/**
 * The end of a game in words.
 * @param {Outcome} outcome
 */
export function outcomeText({ winner, reason }) {
  const name = reasonText(reason);
  return winner ? texts.outcomes.win(winner, name) : texts.outcomes.draw(name);
}

/**
 * The reason for the end of a game in words.
 * @param {string} reason the engine's name
 */
export const reasonText = (reason) => texts.outcomes.reasons[reason] ?? reason;

/**
 * The king's two squares of a castling move, such as "e1g1"; empty for other moves.
 * @param {LegalMove} move
 */
function castlingSquares({ uci, san }) {
  if (!san.startsWith("O-O")) return "";
  return uci.slice(0, 2) + (san.startsWith("O-O-O") ? "c" : "g") + uci[1];
}

/**
 * The legal move that a text means: SAN, also with the language's letters, in which capitals, "x", "+" and the like may be missing, or the squares.
 * A capital that is the letter of a piece means no pawn.
 * @param {string} typed
 * @param {LegalMove[]} legal
 */
export function findMove(typed, legal) {
  const plain = (/** @type {string} */ text) => text.replace(/[+#x=!?\s-]/g, "").replaceAll("0", "O");
  const text = plain(pgnMoveText(typed));
  const lower = plain(typed).toLowerCase();
  const named = /^[KQRBN].*[a-h][1-8]/.test(text) ? legal.filter(({ san }) => /^[A-Z]/.test(san)) : legal;
  return legal.find(({ san }) => plain(san) === text)
    ?? named.find(({ uci, san }) => uci === lower || [san, moveText(san)].some((name) => plain(name).toLowerCase() === lower))
    ?? legal.find((move) => castlingSquares(move) === lower)
    ?? findOverqualified(text, legal);
}

/**
 * The only legal move of a SAN that names more of the start square than it must, such as "Ng1f3".
 * @param {string} text
 * @param {LegalMove[]} legal
 */
function findOverqualified(text, legal) {
  const [, piece, from, to] = /^([KQRBN])([a-h]?[1-8]?)([a-h][1-8])$/.exec(text) ?? [];
  const fitting = legal.filter(({ uci, san }) => san[0] === piece && uci.slice(0, 2).includes(from) && uci.slice(2) === to);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/**
 * The captured material of each side: pieces that it has more of than the other, and the balance in pawns.
 * @param {Squares} squares
 */
export function materialBalance(squares) {
  /** @type {Record<string, number>} */
  const values = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
  /** @type {Record<string, number>} */
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

/**
 * The winning chances of a side, from 0 to 1, by the formula of Lichess, which was fitted to games of people.
 * @param {Score} score from White's point of view
 * @param {Side} side
 */
export function chances({ cp = 0, mate }, side) {
  const white = mate === undefined ? 1 / (1 + Math.exp(-0.00368208 * cp)) : Number(mate > 0);
  return side === "white" ? white : 1 - white;
}

/**
 * The evaluation bar of a stored evaluation. One from a PGN is only a number, without White's expected score.
 * @param {Eval | undefined} value
 */
export function barOf(value) {
  if (!value) return null;
  return { white: value.white ?? chances(value, "white"), text: scoreText(value) };
}

/**
 * A game in a list: the players and the result.
 * @param {string[]} players
 * @param {string} result
 */
export function gameTitle([white, black], result) {
  return `${white || texts.words.sides.white} – ${black || texts.words.sides.black}  ${resultText(result)}`;
}
