// One's own games by position: the moves that were played, and their results.

import { fenFields, fromFen, play } from "#shared/position.js";

/** Plies of a game that are counted. */
export const MAX_PLIES = 20;

/**
 * A position without its counters and castling rights. Moves that are illegal by these are not shown.
 * @param {Squares} squares
 * @param {boolean} isWhiteToMove
 */
const keyOf = (squares, isWhiteToMove) => `${squares.map((piece) => piece || ".").join("")}${isWhiteToMove ? "w" : "b"}`;

export class OpeningIndex {
  /** @type {Map<string, Map<string, MoveCounts>>} */
  #positions = new Map();

  /**
   * Counts a game.
   * @param {OpeningLine} game
   */
  add(game) {
    this.#count(game, 1);
  }

  /**
   * Takes a game back that was counted.
   * @param {OpeningLine} game
   */
  remove(game) {
    this.#count(game, -1);
  }

  /**
   * @param {OpeningLine} game
   * @param {1 | -1} by
   */
  #count({ start, moves, result }, by) {
    let squares = fromFen(start);
    let isWhiteToMove = fenFields(start)[0] !== "b";
    for (const uci of moves.slice(0, MAX_PLIES)) {
      const key = keyOf(squares, isWhiteToMove);
      const counts = this.#positions.get(key) ?? new Map();
      this.#positions.set(key, counts);
      const { games, white, draws, black } = counts.get(uci) ?? { games: 0, white: 0, draws: 0, black: 0 };
      const changed = (/** @type {number} */ value, /** @type {string} */ wanted) => value + (result === wanted ? by : 0);
      counts.set(uci, { games: games + by, white: changed(white, "1-0"), draws: changed(draws, "1/2-1/2"), black: changed(black, "0-1") });
      if (games + by === 0) counts.delete(uci);
      if (counts.size === 0) this.#positions.delete(key);
      squares = play(squares, uci);
      isWhiteToMove = !isWhiteToMove;
    }
  }

  /**
   * The moves that were played in a position.
   * @param {Squares} squares
   * @param {Side} side the side to move
   * @returns {Map<string, MoveCounts>} by move in UCI notation
   */
  movesAt(squares, side) {
    return this.#positions.get(keyOf(squares, side === "white")) ?? new Map();
  }
}
