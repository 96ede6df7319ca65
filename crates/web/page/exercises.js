// Exercises: one's own mistakes and the opponent's in a reviewed game, and puzzles.

import { chances, moveText, otherSide } from "./chess.js";
import { reasonIn } from "./reason-text.js";
import { textId } from "./store.js";
import { texts } from "./texts.js";

/** Largest loss of winning chances with which a move is as good as the best one. */
const MAX_LOSS = 0.05;

/**
 * True if a move is nearly as good as the best one, by the scores after both.
 * @param {Score} best
 * @param {Score} score
 * @param {Side} side
 */
export function isGoodMove(best, score, side) {
  // A slower mate is good; a lost mate is not, even if the position stays won.
  if (best.mate !== undefined && chances(best, side) === 1) return score.mate !== undefined && chances(score, side) === 1;
  return chances(best, side) - chances(score, side) <= MAX_LOSS;
}

/**
 * The exercises of a reviewed game for a side: its mistakes, and those of the opponent, which are to be punished.
 * @param {import("./tree.js").Tree} tree
 * @param {Side} side
 * @returns {Exercise[]}
 */
export function exercisesOf(tree, side) {
  const players = /** @type {Side[]} */ (["white", "black"]).map((player) => tree.player(player)).join(" – ");
  return tree.mainline.slice(1).flatMap((index) => /** @type {Exercise[]} */ (exercisesAt(index)));

  /** @param {number} index */
  function exercisesAt(index) {
    const { parent, uci, san, judgement, best, reason, eval: value } = tree.nodes[index];
    if (!judgement) return [];
    const mover = tree.turn(parent);
    const move = `${tree.number(index)} ${san}`;
    const source = [players, tree.tag("Event"), tree.tag("Date")].filter(Boolean).join(", ");
    if (mover === side) {
      const score = tree.nodes[parent].eval;
      if (best === undefined || !tree.nodes[best] || !score) return [];
      const game = tree.line(parent);
      const solution = [tree.nodes[best].uci];
      return [{ id: exerciseId("mistake", game), kind: "mistake", game, side, move, played: uci, solution, score, source, reason }];
    }
    // Another inaccuracy has no answer that is much better than the rest.
    if (judgement === "inaccuracy" || !value || tree.nodes[index].children.length === 0) return [];
    const game = tree.line(index);
    return [{ id: exerciseId("punish", game), kind: "punish", game, side, move, judgement, solution: [], score: value, source, reason }];
  }
}

/**
 * @param {string} kind
 * @param {GameLine} game
 */
const exerciseId = (kind, game) => `${kind}-${textId([game.start, ...game.moves].join(" "))}`;

/** The levels of puzzles: the least rating and the one above. */
export const PUZZLE_LEVELS = [[0, 1000], [1000, 1300], [1300, 1600], [1600, 1900], [1900, 2200], [2200, Infinity]];

/**
 * The puzzles of a packed set: lines with the position, the moves, the rating and the themes. The opponent makes the first move.
 * @param {string} text
 * @returns {Puzzle[]}
 */
export function parsePuzzles(text) {
  return text.split("\n").filter(Boolean).map((line) => {
    const [start, moves, rating, themes] = line.split(";");
    return { start, moves: moves.split(" "), rating: Number(rating), themes: themes.split(" ") };
  });
}

/**
 * A puzzle as an exercise.
 * @param {Puzzle} puzzle
 * @returns {Exercise}
 */
export function puzzleExercise({ start, moves: [first, ...solution], rating }) {
  const side = start.split(" ")[1] === "w" ? "black" : "white";
  const game = { start, moves: [first] };
  return { id: exerciseId("puzzle", game), kind: "puzzle", game, side, solution, score: {}, rating };
}

/**
 * What is to be done in an exercise.
 * @param {Exercise} exercise
 */
export function exerciseTitle({ kind, side, move = "", judgement = "mistake" }) {
  if (kind === "puzzle") return texts.train.puzzle(side);
  const name = moveText(move);
  return kind === "mistake" ? texts.train.mistake(name) : texts.train.punish(otherSide(side), name, judgement);
}

/**
 * Why the move of the game is bad; empty if it is unknown.
 * @param {Exercise} exercise
 */
export const exerciseReason = ({ move, reason }) => (reason ? `${moveText(move ?? "")}: ${reasonIn(texts.reasons, reason)}` : "");

/**
 * A puzzle with a theme and within a level that has not been solved yet, or else any of these; undefined if there is none.
 * @param {Puzzle[]} puzzles
 * @param {{ theme: string, level: number[] }} wanted `theme` may be empty
 * @param {Set<string>} solved start positions
 * @param {number} chance from 0 to 1, less than 1
 */
export function choosePuzzle(puzzles, { theme, level: [least, most] }, solved, chance = Math.random()) {
  const suitable = puzzles.filter(({ rating, themes }) => rating >= least && rating < most && (!theme || themes.includes(theme)));
  const fresh = suitable.filter(({ start }) => !solved.has(start));
  const list = fresh.length ? fresh : suitable;
  return list[Math.floor(chance * list.length)];
}
