// The evaluation of a position in words.

import { otherSide } from "#shared/position.js";
import { texts } from "./texts.js";

/**
 * The marks of the board that show a term.
 * @type {Record<string, FeatureName[]>}
 */
const MARKS = { "Passed pawns": ["passed"], "Pawn structure": ["isolated", "doubled"], "King safety": ["king_danger"], "King shelter": ["king_danger"], "Threats": ["hanging"], "Pieces": ["holes"] };
/** Number of terms in a summary, and the least difference that is worth a word, in centipawns. */
const COUNT = 3;
const LEAST = 8;
/** The centipawns from which a side is slightly better, better, clearly better and winning. */
const LEADS = [25, 60, 130, 300];

/**
 * Who stands better, such as "White is slightly better".
 * @param {number} value in centipawns from White's point of view
 */
export function leadText(value) {
  const lead = LEADS.filter((least) => Math.abs(value) >= least).length;
  return lead ? texts.explain.leads(value > 0 ? "white" : "black")[lead - 1] : texts.explain.even;
}

/**
 * The terms that matter most, the largest difference first.
 * @param {{ name: string, white: number, black: number }[]} terms
 */
export function largestTerms(terms) {
  return terms.filter(({ name, white, black }) => texts.explain.favours[name] && Math.abs(white - black) >= LEAST)
    .sort((one, other) => Math.abs(other.white - other.black) - Math.abs(one.white - one.black))
    .slice(0, COUNT)
    .map(({ name, white, black }) => {
      const side = white > black ? "white" : "black";
      const text = texts.explain.favours[name](side, otherSide(side));
      return { name, difference: white - black, marks: MARKS[name] ?? [], text };
    });
}
