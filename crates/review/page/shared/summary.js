// The play of both sides in numbers.

import { element } from "./elements.js";
import { percentText } from "./notation.js";

/** Table rows with the accuracy and the bad moves of each side. `sides` has members as in the Rust type ReportGame. */
export function summaryRows(tree, sides) {
  return ["white", "black"].map((side) => {
    const { accuracy, inaccuracies, mistakes, blunders } = sides[side];
    const cells = [percentText(accuracy), inaccuracies, mistakes, blunders].map((value) => element("td", {}, String(value)));
    return element("tr", {}, element("th", { scope: "row" }, tree.player(side)), ...cells);
  });
}
