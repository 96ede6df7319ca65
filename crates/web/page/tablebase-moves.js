// The tablebases' result of each move.

import { element } from "./dom.js";

/** The results from the best to the worst for a side, each with its name for a move. */
const RANKS = /** @type {const} */ ({ win: "wins", cursed: "draws by the fifty-move rule", draw: "draws", loss: "loses" });

/** @typedef {keyof typeof RANKS} Rank */

/**
 * The rank of a result such as "White wins" for a side.
 * @param {string} result
 * @param {Side} side
 * @returns {Rank}
 */
function rankOf(result, side) {
  if (result.endsWith("wins")) return result.toLowerCase().startsWith(side) ? "win" : "loss";
  return result === "Draw" ? "draw" : "cursed";
}

/**
 * Lists of the legal moves by their result, the best first: wins by the shortest distance, losses by the longest.
 * @param {LegalMove[]} legal
 * @param {Side} side to move
 * @param {(move: LegalMove) => void} choose
 */
export function tablebaseMoves(legal, side, choose) {
  const distance = (/** @type {LegalMove} */ { tablebase }) => Math.abs(tablebase?.dtz ?? 0);
  return /** @type {Rank[]} */ (Object.keys(RANKS)).flatMap((rank) => {
    const moves = legal.filter(({ tablebase }) => tablebase && rankOf(tablebase.result, side) === rank);
    if (!moves.length) return [];
    moves.sort((one, other) => (rank === "loss" ? distance(other) - distance(one) : distance(one) - distance(other)));
    const buttons = moves.map((move) => {
      const button = element("button", { type: "button", className: "move" }, move.san + (distance(move) ? ` ${distance(move)}` : ""));
      button.addEventListener("click", () => choose(move));
      return button;
    });
    return [element("p", { className: `tablebase-moves ${rank}` }, element("strong", {}, `${moves.length === 1 ? "This move" : "These moves"} ${moves.length === 1 ? RANKS[rank] : RANKS[rank].replace(/^(win|draw|lose)s/, "$1")}: `), ...buttons.flatMap((button) => [button, " "]))];
  });
}
