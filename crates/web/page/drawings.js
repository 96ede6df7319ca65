// The user's arrows and circles, which the PGN keeps as the commands %cal and %csl of a move.

import { squareIndex } from "#shared/position.js";

/** The colours of a PGN by letter. */
/** @type {Record<string, string>} */
const COLORS = { G: "green", R: "red", Y: "yellow", B: "blue" };
const COMMAND = /\[%(cal|csl) ([^\]]*)\]/g;
const MARK = /^([GRYB])([a-h][1-8])([a-h][1-8])?$/;

/**
 * The marks of a move's commands, such as "Ge2e4" for an arrow and "Re4" for a circle.
 * @param {string[]} commands
 */
function marksOf(commands) {
  return commands.flatMap((text) => [...text.matchAll(COMMAND)].flatMap(([, , list]) => list.split(",").map((mark) => mark.trim()).filter((mark) => MARK.test(mark))));
}

/**
 * The arrows and circles to draw.
 * @param {string[]} commands
 */
export function drawingsOf(commands) {
  /** @type {{ arrows: Arrow[], circles: Circle[] }} */
  const drawings = { arrows: [], circles: [] };
  for (const mark of marksOf(commands)) {
    const [, letter, from, to] = MARK.exec(mark) ?? [];
    if (to && to !== from) drawings.arrows.push({ uci: from + to, kind: `user ${COLORS[letter]}` });
    else drawings.circles.push({ square: squareIndex(from), kind: `user ${COLORS[letter]}` });
  }
  return drawings;
}

/**
 * The commands with an arrow or, from a square to itself, a circle. The same one again in the same colour removes it.
 * @param {string[]} commands
 * @param {string} from
 * @param {string} to
 * @param {string} letter of the colour
 */
export function withDrawing(commands, from, to, letter) {
  const place = from === to ? from : from + to;
  const marks = marksOf(commands);
  const others = marks.filter((mark) => mark.slice(1) !== place);
  if (!marks.includes(letter + place)) others.push(letter + place);
  const kept = commands.map((text) => text.replace(COMMAND, "").trim()).filter(Boolean);
  const command = (/** @type {string} */ name, /** @type {number} */ length) => {
    const list = others.filter((mark) => mark.length === length);
    return list.length ? [`[%${name} ${list.join(",")}]`] : [];
  };
  return [...kept, ...command("cal", 5), ...command("csl", 3)];
}

/**
 * The letter of the colour for the keys that are held.
 * @param {MouseEvent} event
 */
export const colorOf = ({ shiftKey, ctrlKey, altKey, metaKey }) => {
  const isRed = shiftKey || ctrlKey;
  const isBlue = altKey || metaKey;
  return isRed && isBlue ? "Y" : isRed ? "R" : isBlue ? "B" : "G";
};
