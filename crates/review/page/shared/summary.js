// The play of both sides in numbers.

import { element } from "./elements.js";
import { percentText } from "./notation.js";

/**
 * Table rows with the accuracy and the bad moves of each side. `sides` has members as in the Rust type ReportGame.
 * @param {import("./game-tree.js").GameTree} tree
 * @param {Sides<SidePlay>} sides
 */
export function summaryRows(tree, sides) {
  return /** @type {Side[]} */ (["white", "black"]).map((side) => {
    const { accuracy, inaccuracies, mistakes, blunders } = sides[side];
    const cells = [percentText(accuracy), inaccuracies, mistakes, blunders].map((value) => element("td", {}, String(value)));
    return element("tr", {}, element("th", { scope: "row" }, tree.player(side)), ...cells);
  });
}
