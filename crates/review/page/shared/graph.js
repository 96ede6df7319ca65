// The graph of White's expected score.

import { svgElement } from "./elements.js";
import { sanText } from "./notation.js";
import { WORDS } from "./words.js";

/**
 * Draws the graph of a game. `values` has White's expected score of each ply of the main line, or undefined; `current` is a node.
 * @param {HTMLElement} graph
 * @param {import("./game-tree.js").GameTree} tree
 * @param {(number | undefined)[]} values
 * @param {number} current
 */
export function drawGraph(graph, tree, values, current) {
  const [width, height] = [graph.clientWidth || 600, graph.clientHeight || 110];
  graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const { mainline } = tree;
  const x = (/** @type {number} */ ply) => (ply / Math.max(mainline.length - 1, 1)) * width;
  const y = (/** @type {number} */ white) => (1 - white) * height;
  const points = [...values].flatMap((white, ply) => (white === undefined ? [] : [{ ply, white }]));
  /** @type {SVGElement[]} */
  const parts = [];
  if (points.length) {
    const line = points.map(({ ply, white }) => `${x(ply).toFixed(1)},${y(white).toFixed(1)}`);
    parts.push(svgElement("polygon", { class: "area", points: [`${x(points[0].ply)},${height}`, ...line, `${x(points[points.length - 1].ply)},${height}`].join(" ") }));
  }
  parts.push(svgElement("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  const now = x(tree.nodes[current].ply);
  parts.push(svgElement("line", { class: "now", x1: now, x2: now, y1: 0, y2: height }));
  for (const { ply, white } of points) {
    const index = mainline[ply];
    const { judgement } = tree.nodes[index] ?? {};
    if (!judgement) continue;
    const circle = svgElement("circle", { class: judgement, cx: x(ply), cy: Math.min(Math.max(y(white), 5), height - 5), r: 4 });
    circle.append(svgElement("title", {}, `${tree.number(index)} ${sanText(tree.nodes[index])}: ${WORDS.judgements[judgement]}`));
    parts.push(circle);
  }
  graph.replaceChildren(...parts);
}

/**
 * The node of the main line at a click on the graph.
 * @param {HTMLElement} graph
 * @param {import("./game-tree.js").GameTree} tree
 * @param {MouseEvent} event
 */
export function nodeAt(graph, tree, event) {
  const box = graph.getBoundingClientRect();
  const { mainline } = tree;
  const last = mainline.length - 1;
  return mainline[Math.min(Math.max(Math.round(((event.clientX - box.left) / box.width) * last), 0), last)];
}
