// The graph of White's expected score.

import { byId, svgElement } from "./dom.js";

/** Draws the graph of a game. `values` has White's expected score of each ply, or undefined. */
export function drawGraph(tree, values, total) {
  const graph = byId("graph");
  const [width, height] = [graph.clientWidth || 600, graph.clientHeight || 110];
  graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const steps = Math.max(total, 1);
  const x = (ply) => (ply / steps) * width;
  const y = (white) => (1 - white) * height;
  const points = values.flatMap((white, ply) => (white === undefined ? [] : [{ ply, white }]));
  const parts = [];
  if (points.length) {
    const line = points.map(({ ply, white }) => `${x(ply).toFixed(1)},${y(white).toFixed(1)}`);
    parts.push(svgElement("polygon", { class: "area", points: [`${x(points[0].ply)},${height}`, ...line, `${x(points.at(-1).ply)},${height}`].join(" ") }));
  }
  parts.push(svgElement("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  const now = x(tree.node.ply);
  parts.push(svgElement("line", { class: "now", x1: now, x2: now, y1: 0, y2: height }));
  const { mainline } = tree;
  for (const { ply, white } of points) {
    const { judgement, san } = tree.nodes[mainline[ply]] ?? {};
    if (!judgement) continue;
    const circle = svgElement("circle", { class: judgement, cx: x(ply), cy: Math.min(Math.max(y(white), 5), height - 5), r: 4 });
    circle.append(svgElement("title", {}, `${tree.number(mainline[ply])} ${san}: ${judgement}`));
    parts.push(circle);
  }
  graph.replaceChildren(...parts);
}

/** The ply at a click on the graph. */
export function plyAt(event, total) {
  const box = byId("graph").getBoundingClientRect();
  return Math.min(Math.max(Math.round(((event.clientX - box.left) / box.width) * total), 0), total);
}
