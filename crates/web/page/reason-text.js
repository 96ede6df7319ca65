// Reasons of a review in the words of a language.

import { moveText } from "#shared/notation.js";

/** The members of a fault or purpose that are moves. */
const MOVES = ["reply", "later"];

/**
 * Why a move is bad, and what the better one does; without words in the engine's English.
 * @param {ReasonWords | null} words
 * @param {Reason} reason
 */
export function reasonIn(words, { text, fault, best, purpose }) {
  if (!words) return text;
  const sentence = fault && inWords(words.faults, fault.kind, fault);
  const clause = purpose && inWords(words.purposes, purpose.kind, purpose);
  // An engine of another version has kinds without words here, and kept games of an earlier one have no kinds.
  if (!best || (fault && sentence === undefined) || (purpose && clause === undefined)) return text;
  return [sentence, words.better(moveText(best), clause ?? "", purpose)].filter(Boolean).join(" ");
}

/**
 * A tactic as a clause whose subject is the move.
 * @param {ReasonWords} words
 * @param {Tactic} tactic
 */
export const tacticIn = (words, tactic) => inWords(words.tactics, tactic.motif, tactic) ?? "";

/**
 * A comment of a move in which the review's remark, which PGN has in English, is in the words of a language.
 * @param {ReasonWords} words
 * @param {Record<Judgement, string>} judgements
 * @param {string} comment
 * @param {Pick<NodeData, "judgement" | "reason">} node
 */
export function remarkIn(words, judgements, comment, { judgement, reason }) {
  if (!judgement || !reason) return comment;
  // eslint-disable-next-line no-restricted-syntax -- PGN has it in English.
  const marks = [["", ""], [", as marked", words.asMarked]];
  return marks.reduce((text, [english, own]) => (
    text.replace(`${capitalized(judgement)}${english}. ${reason.text}`, () => `${capitalized(judgements[judgement])}${own}. ${reasonIn(words, reason)}`)
  ), comment);
}

const capitalized = (/** @type {string} */ text) => text[0].toUpperCase() + text.slice(1);

/**
 * The words of a kind; undefined if it is unknown.
 * @template {object} Value
 * @param {object} words functions by kind
 * @param {string} kind
 * @param {Value} value
 * @returns {string | undefined}
 */
function inWords(words, kind, value) {
  const write = /** @type {Record<string, (value: Value) => string>} */ (words)[kind];
  const moves = Object.entries(value).filter(([name]) => MOVES.includes(name)).map(([name, san]) => [name, moveText(san)]);
  return write?.({ ...value, ...Object.fromEntries(moves) });
}
