// The list of moves, with variations, comments and glyphs.

import { NAG_SYMBOLS, resultText, scoreText } from "./chess.js";
import { byId, element, scrollTo } from "./dom.js";

/** The buttons of the moves, by node. */
let buttons = new Map();
let tree = null;
let choose = () => {};

/** Draws the moves of a game. `onChoose` gets the node of a move that is clicked. */
export function showMoves(game, onChoose) {
  tree = game;
  choose = onChoose;
  buttons = new Map();
  byId("moves").replaceChildren(...grid());
  showCurrentMove();
}

/** Marks the current move. */
export function showCurrentMove() {
  const list = byId("moves");
  for (const marked of list.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
  const button = buttons.get(tree.current);
  if (!button) {
    list.scrollTop = 0;
    return;
  }
  button.setAttribute("aria-current", "true");
  scrollTo(list, button);
}

function moveButton(index, label) {
  const { judgement } = tree.nodes[index];
  const button = element("button", { type: "button", className: "move" }, label);
  if (judgement) button.classList.add(judgement);
  button.addEventListener("click", () => choose(index));
  if (!buttons.has(index)) buttons.set(index, button);
  return button;
}

/** A move with its glyphs. */
export function sanText(game, index) {
  const { san, nags } = game.nodes[index];
  return (san || "--") + nags.map((nag) => NAG_SYMBOLS[nag] ?? ` $${nag}`).join("");
}

const isBlackMove = (index) => (tree.firstPly + tree.nodes[index].ply) % 2 === 0;

/** A row for each pair of moves, interrupted by comments and variations. */
function grid() {
  const cells = [];
  const notes = (...children) => cells.push(element("div", { className: "notes" }, ...children));
  const root = tree.nodes[0];
  if (root.comments.length) notes(root.comments.join(" "));
  let column = 0;
  for (const index of tree.mainline.slice(1)) {
    const data = tree.nodes[index];
    const side = isBlackMove(index) ? 1 : 0;
    if (data.before.length) {
      if (column === 1) cells.push(element("span", { className: "gap" }));
      column = 0;
      notes(data.before.join(" "));
    }
    if (column === 0) cells.push(element("span", { className: "number" }, tree.number(index).replace("...", ".")));
    if (side === 1 && column === 0) cells.push(element("span", { className: "gap" }, "…"));
    const button = moveButton(index, sanText(tree, index));
    button.append(element("span", { className: "eval" }, scoreText(data.eval)));
    cells.push(button);
    column = side === 0 ? 1 : 0;
    const variations = tree.nodes[data.parent].children.filter((sibling) => sibling !== index);
    if (!data.comments.length && !variations.length) continue;
    if (column === 1) cells.push(element("span", { className: "gap" }));
    column = 0;
    if (data.comments.length) notes(data.comments.join(" "));
    for (const variation of variations) notes(...variationText(variation));
  }
  if (tree.result !== "*") cells.push(element("div", { className: "notes result" }, resultText(tree.result)));
  if (!cells.length) cells.push(element("div", { className: "notes" }, "No moves yet."));
  return cells;
}

/** The text of a variation with its own variations. Not recursive, because variations may be deeply nested. */
function variationText(start) {
  const parts = [];
  const tasks = [{ line: start, isNumbered: true }];
  while (tasks.length) {
    const task = tasks.pop();
    if (task.text) {
      parts.push(task.text);
      continue;
    }
    const index = task.line;
    const data = tree.nodes[index];
    if (data.before.length) parts.push(`${data.before.join(" ")} `);
    const number = task.isNumbered || !isBlackMove(index) ? `${tree.number(index)} ` : "";
    const value = scoreText(data.eval);
    parts.push(moveButton(index, number + sanText(tree, index)), value ? ` (${value}) ` : " ");
    if (data.comments.length) parts.push(`${data.comments.join(" ")} `);
    const [following] = data.children;
    const siblings = tree.nodes[data.parent].children;
    // The start's alternatives are variations of the line around it.
    const alternatives = index !== start && siblings[0] === index ? siblings.slice(1) : [];
    if (following !== undefined) tasks.push({ line: following, isNumbered: Boolean(alternatives.length || data.comments.length) });
    for (const alternative of alternatives.reverse()) tasks.push({ text: ") " }, { line: alternative, isNumbered: true }, { text: "(" });
  }
  return parts;
}
