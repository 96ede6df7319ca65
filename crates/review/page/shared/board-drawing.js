// Parts of the drawing of a board that is 360 units wide.

import { svgElement } from "./elements.js";
import { sideOf, squareIndex, squareName } from "./position.js";

/** The width of a square. */
export const SIZE = 45;

/**
 * The top left corner of a square.
 * @param {number} index
 * @param {boolean} isFlipped
 */
export function squareOrigin(index, isFlipped) {
  const shown = isFlipped ? 63 - index : index;
  return { x: (shown % 8) * SIZE, y: Math.floor(shown / 8) * SIZE };
}

/** @param {number} index */
const shade = (index) => ((index + Math.floor(index / 8)) % 2 === 0 ? "light" : "dark");

/**
 * The 64 squares.
 * @param {boolean} isFlipped
 */
export function drawnSquares(isFlipped) {
  return Array.from({ length: 64 }, (_, index) => svgElement("rect", { ...squareOrigin(index, isFlipped), width: SIZE, height: SIZE, class: shade(index) }));
}

/**
 * The letters of the files and the numbers of the ranks.
 * @param {boolean} isFlipped
 */
export function drawnCoordinates(isFlipped) {
  const texts = [];
  for (let index = 0; index < 64; index++) {
    const { x, y } = squareOrigin(index, isFlipped);
    const [file, rank] = squareName(index);
    if (y === 7 * SIZE) texts.push(svgElement("text", { x: x + SIZE - 1.5, y: y + 43, "text-anchor": "end", class: "coordinate" }, file));
    if (x === 0) texts.push(svgElement("text", { x: 1.5, y: y + 9.5, class: "coordinate" }, rank));
  }
  return texts;
}

/**
 * A piece in the top left corner of the board.
 * @param {string} piece
 */
export function drawnPiece(piece) {
  return svgElement("use", { href: `#piece-${piece.toLowerCase()}`, width: SIZE, height: SIZE, class: `${sideOf(piece)}-piece` });
}

/**
 * An arrow from the start of a move to its end. Of several, the `best`, `second` and `third` one have colours of their own.
 * @param {string} uci
 * @param {boolean} isFlipped
 */
export function drawnArrow(uci, isFlipped, kind = "best") {
  const [from, to] = [squareOrigin(squareIndex(uci), isFlipped), squareOrigin(squareIndex(uci.slice(2)), isFlipped)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const tip = { x: to.x + 22.5 - ux * 6, y: to.y + 22.5 - uy * 6 };
  const neck = { x: tip.x - ux * 13, y: tip.y - uy * 13 };
  const points = [[tip.x, tip.y], [neck.x - uy * 9, neck.y + ux * 9], [neck.x + uy * 9, neck.y - ux * 9]];
  const group = svgElement("g", { class: `arrow ${kind}` });
  group.append(
    svgElement("line", { x1: from.x + 22.5 + ux * 8, y1: from.y + 22.5 + uy * 8, x2: neck.x, y2: neck.y }),
    svgElement("polygon", { points: points.map((point) => point.join(",")).join(" ") }),
  );
  return group;
}
