// Texts that have been pasted or dropped: their kind, and the letters of their moves.

import { pgnMoveText } from "#shared/notation.js";

/**
 * True if a text begins with the pieces of a FEN.
 * @param {string} text
 */
export const isPosition = (text) => /^[pnbrqkPNBRQK1-8/]{15,}( |$)/.test(text.trim());

/**
 * True if a text is a PGN: it has a tag or a numbered move.
 * @param {string} text
 */
export const isGame = (text) => !isPosition(text)
  && (/^\s*\[\w+\s+"/m.test(text) || /\b\d+\s*\.+\s*([KQRBN]?[a-h1-8]?x?[a-h][1-8]|[O0]-[O0])/.test(pgnText(text)));

/**
 * A text whose moves have the letters of PGN in place of the language's. Comments and tags stay.
 * @param {string} text
 */
function pgnText(text) {
  const parts = /\{[^}]*\}|;.*|^\s*\[.*|\b(?:[A-Z][a-h]?[1-8]?[x:-]?)?[a-h][1-8](?:=?[A-Z])?\b/gm;
  return text.replace(parts, (part) => (/^[\s[{;]/.test(part) ? part : pgnMoveText(part)));
}

/**
 * Reads a text with moves. If it has faults, it is read once more with the letters of PGN, and the result with fewer faults counts; of equal ones, the first.
 * @template Result
 * @param {string} text
 * @param {(text: string) => Promise<Result>} read
 * @param {(result: Result) => number} faults their number in a text that could be read
 */
export async function readMoves(text, read, faults = () => 0) {
  const count = (/** @type {Promise<Result>} */ result) => result.then(faults, () => Infinity);
  const first = read(text);
  const inPgn = pgnText(text);
  if (inPgn === text || (await count(first)) === 0) return first;
  const second = read(inPgn);
  return (await count(second)) < (await count(first)) ? second : first;
}
