// The tablebases' result of each move.

import { element } from "./dom.js";
import { moveText } from "#shared/notation.js";
import { texts } from "./texts.js";

/** The results from the best to the worst for a side. */
const RANKS = /** @type {const} */ (["win", "cursed", "draw", "blessed", "loss"]);

/** @typedef {typeof RANKS[number]} Rank */

/**
 * The rank of a result for a side.
 * @param {TablebaseResult} table
 * @param {Side} side
 * @returns {Rank}
 */
function rankOf({ result, would_win: winner }, side) {
  if (result === "draw") return "draw";
  if (result === "fifty_moves") return winner === side ? "cursed" : "blessed";
  return result === `${side}_wins` ? "win" : "loss";
}

/**
 * Lists of the legal moves by their result, the best first: wins by the shortest distance, losses by the longest,
 * each also where only the fifty-move rule makes them draws.
 * @param {LegalMove[]} legal
 * @param {Side} side to move
 * @param {(move: LegalMove) => void} choose
 */
export function tablebaseMoves(legal, side, choose) {
  const distance = (/** @type {LegalMove} */ { tablebase }) => Math.abs(tablebase?.dtz ?? 0);
  return RANKS.flatMap((rank) => {
    const moves = legal.filter(({ tablebase }) => tablebase && rankOf(tablebase, side) === rank);
    if (!moves.length) return [];
    const isLost = rank === "loss" || rank === "blessed";
    moves.sort((one, other) => (isLost ? distance(other) - distance(one) : distance(one) - distance(other)));
    const buttons = moves.map((move) => {
      const button = element("button", { type: "button", className: "move" }, moveText(move.san) + (distance(move) ? ` ${distance(move)}` : ""));
      button.addEventListener("click", () => choose(move));
      return button;
    });
    return [element("p", { className: `tablebase-moves ${rank}` }, element("strong", {}, `${texts.tablebase.ranks[rank][moves.length === 1 ? 0 : 1]}: `), ...buttons.flatMap((button) => [button, " "]))];
  });
}
