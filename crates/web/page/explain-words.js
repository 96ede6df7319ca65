// The evaluation of a position in words.

import { otherSide, sideName } from "#shared/position.js";

/**
 * What each term of the handcrafted evaluation says in favour of a side. `of` is the other side.
 * @type {Record<string, (side: string, of: string) => string>}
 */
const TERMS = {
  "Material": (side) => `${side} has more material`,
  "Piece squares": (side) => `${side}'s pieces stand on better squares`,
  "Mobility": (side) => `${side}'s pieces have more moves`,
  "Pawn structure": (side) => `${side} has the healthier pawns`,
  "Passed pawns": (side) => `${side}'s passed pawns count for more`,
  "King shelter": (side) => `pawns shelter ${side}'s king better`,
  "King safety": (_, of) => `${of}'s king is under more attack`,
  "Threats": (side) => `${side} threatens more`,
  "Pieces": (side) => `${side}'s pieces work better, with outposts, open files or the bishop pair`,
  "Space": (side) => `${side} has more space`,
};
/**
 * The marks of the board that show a term.
 * @type {Record<string, FeatureName[]>}
 */
const MARKS = { "Passed pawns": ["passed"], "Pawn structure": ["isolated", "doubled"], "King safety": ["king_danger"], "King shelter": ["king_danger"], "Threats": ["hanging"], "Pieces": ["holes"] };
/** Number of terms in a summary, and the least difference that is worth a word, in centipawns. */
const COUNT = 3;
const LEAST = 8;
/**
 * From how many centipawns a side is better, and how much.
 * @type {[number, string][]}
 */
const LEADS = [[300, "is winning"], [130, "is clearly better"], [60, "is better"], [25, "is slightly better"]];

/**
 * Who stands better, such as "White is slightly better".
 * @param {number} value in centipawns from White's point of view
 */
export function leadText(value) {
  const lead = LEADS.find(([least]) => Math.abs(value) >= least);
  return lead ? `${value > 0 ? "White" : "Black"} ${lead[1]}` : "The position is even";
}

/**
 * The terms that matter most, the largest difference first.
 * @param {{ name: string, white: number, black: number }[]} terms
 */
export function mattering(terms) {
  return terms.filter(({ name, white, black }) => TERMS[name] && Math.abs(white - black) >= LEAST)
    .sort((one, other) => Math.abs(other.white - other.black) - Math.abs(one.white - one.black))
    .slice(0, COUNT)
    .map(({ name, white, black }) => {
      const side = white > black ? "white" : "black";
      const text = TERMS[name](sideName(side), sideName(otherSide(side)));
      return { name, difference: white - black, marks: MARKS[name] ?? [], text: text[0].toUpperCase() + text.slice(1) };
    });
}
