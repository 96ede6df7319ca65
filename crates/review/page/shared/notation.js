// Scores, results and glyphs as text.

import { WORDS } from "./words.js";

/**
 * The signs of numeric annotation glyphs (NAGs); ASCII for those that many fonts lack.
 * @type {Record<number, string>}
 */
export const NAG_SYMBOLS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N" };

/**
 * A score such as "+0.35" or "#3".
 * @param {Score | undefined} score
 */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined) return `#${score.mate}`.replace("-", "−");
  if (score.cp === undefined) return "";
  return (score.cp > 0 ? "+" : score.cp < 0 ? "−" : "") + (Math.abs(score.cp) / 100).toFixed(2);
}

/** @param {string} result */
export const resultText = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");

/** The letters of {@link WORDS} in PGN. */
const PGN_LETTERS = "KQRBN";

/**
 * A move in SAN, or a text with moves and no other words, with the letters that the language has for pieces.
 * @param {string} san
 */
export const moveText = (san) => san.replace(/[KQRBN]/g, (letter) => WORDS.letters[PGN_LETTERS.indexOf(letter)]);

/**
 * A typed move with the letters of PGN. Those may be typed in any language, as no letter means two pieces.
 * @param {string} text
 */
export const pgnMoveText = (text) => text.replace(/[A-Z]/g, (letter) => PGN_LETTERS[WORDS.letters.indexOf(letter)] ?? letter);

/**
 * A move with its glyphs: judgements of the move (1 to 6) follow it at once, those of the position after a space.
 * @param {Pick<TreeNode, "san" | "nags">} node
 */
export function sanText({ san, nags }) {
  return (moveText(san) || "--") + nags.map((nag) => (nag <= 6 ? "" : " ") + (NAG_SYMBOLS[nag] ?? `$${nag}`)).join("");
}

/**
 * A share such as "87.5 %"; a dash if it is unknown.
 * @param {number | null | undefined} value
 */
export const percentText = (value) => (typeof value === "number" && Number.isFinite(value) ? WORDS.percent(value) : "–");
