// The list of moves, with variations, comments and glyphs.

import { GameTree } from "./game-tree.js";
import { element, scrollTo } from "./elements.js";
import { resultText, sanText, scoreText } from "./notation.js";
import { WORDS } from "./words.js";

/** The moves of a game as buttons within a scrolling element. */
export class MoveList {
  #list;
  /** @type {import("./game-tree.js").GameTree} */
  #tree = new GameTree();
  /**
   * The buttons of the moves, by node.
   * @type {Map<number, HTMLElement>}
   */
  #buttons = new Map();
  /**
   * The nodes of the buttons, also of those that the list no longer has.
   * @type {WeakMap<Element, number>}
   */
  #nodes = new WeakMap();

  /**
   * `choose` gets the node of a move that is clicked.
   * @param {HTMLElement} list
   * @param {(index: number) => unknown} choose
   */
  constructor(list, choose) {
    this.#list = list;
    const chooseButton = (/** @type {Element | null} */ button) => {
      const index = button ? this.#nodes.get(button) : undefined;
      if (index !== undefined) choose(index);
    };
    const buttonAt = (/** @type {Event} */ { target }) => (target instanceof Element ? target.closest("button") : null);
    /** @type {Element | null} */
    let pressed = null;
    list.addEventListener("pointerdown", (event) => {
      pressed = buttonAt(event);
    });
    // A button that is redrawn between its press and its release gets no click.
    list.addEventListener("pointerup", () => {
      if (!pressed?.isConnected) chooseButton(pressed);
      pressed = null;
    });
    list.addEventListener("click", (event) => chooseButton(buttonAt(event)));
  }

  /**
   * Draws the moves of a game.
   * @param {import("./game-tree.js").GameTree} tree
   */
  show(tree) {
    this.#tree = tree;
    this.#buttons = new Map();
    this.#list.replaceChildren(...this.#cells());
  }

  /**
   * Marks the current move.
   * @param {number} index
   */
  mark(index) {
    const list = this.#list;
    for (const marked of list.querySelectorAll("[aria-current]")) marked.removeAttribute("aria-current");
    const button = this.#buttons.get(index);
    if (!button) {
      // An empty list is at its beginning, and scrolling would lay the page out.
      if (this.#buttons.size) list.scrollTop = 0;
      return;
    }
    button.setAttribute("aria-current", "true");
    scrollTo(list, button);
  }

  /**
   * @param {number} index
   * @param {string} label
   */
  #button(index, label) {
    const { judgement } = this.#tree.nodes[index];
    const button = element("button", { type: "button", className: "move" }, label);
    if (judgement) button.classList.add(judgement);
    this.#nodes.set(button, index);
    if (!this.#buttons.has(index)) this.#buttons.set(index, button);
    return button;
  }

  /** @param {number} index */
  #isBlackMove(index) {
    return this.#tree.turn(index) === "white";
  }

  /** A row for each pair of moves, interrupted by comments and variations. */
  #cells() {
    const tree = this.#tree;
    /** @type {HTMLElement[]} */
    const cells = [];
    const notes = (/** @type {(Node | string)[]} */ ...children) => cells.push(element("div", { className: "notes" }, ...children));
    const root = tree.nodes[0];
    if (root.comments.length) notes(root.comments.join(" "));
    let column = 0;
    for (const index of tree.mainline.slice(1)) {
      const data = tree.nodes[index];
      const side = this.#isBlackMove(index) ? 1 : 0;
      if (data.before.length) {
        if (column === 1) cells.push(element("span"));
        column = 0;
        notes(data.before.join(" "));
      }
      if (column === 0) cells.push(element("span", { className: "number" }, tree.number(index).replace("...", ".")));
      if (side === 1 && column === 0) cells.push(element("span", {}, "…"));
      const button = this.#button(index, sanText(data));
      button.append(element("span", { className: "eval" }, scoreText(data.eval)));
      cells.push(button);
      column = side === 0 ? 1 : 0;
      const variations = tree.nodes[data.parent].children.filter((sibling) => sibling !== index);
      if (!data.comments.length && !variations.length) continue;
      if (column === 1) cells.push(element("span"));
      column = 0;
      if (data.comments.length) notes(commentsOf(data));
      for (const variation of variations) notes(...this.#variationText(variation));
    }
    if (tree.result !== "*") cells.push(element("div", { className: "notes result" }, resultText(tree.result)));
    if (!cells.length) notes(WORDS.noMoves);
    return cells;
  }

  /**
   * The text of a variation with its own variations. Not recursive, because variations may be deeply nested.
   * @param {number} start
   */
  #variationText(start) {
    const tree = this.#tree;
    /** @type {(Node | string)[]} */
    const parts = [];
    /** @type {({ line: number, isNumbered: boolean } | { text: string })[]} */
    const tasks = [{ line: start, isNumbered: true }];
    for (let task = tasks.pop(); task; task = tasks.pop()) {
      if ("text" in task) {
        if (task.text === ") " && parts.at(-1) === " ") parts.pop();
        parts.push(task.text);
        continue;
      }
      const index = task.line;
      const data = tree.nodes[index];
      if (data.before.length) parts.push(`${data.before.join(" ")} `);
      const number = task.isNumbered || !this.#isBlackMove(index) ? `${tree.number(index)} ` : "";
      const value = scoreText(data.eval);
      parts.push(this.#button(index, number + sanText(data)), value ? ` (${value}) ` : " ");
      if (data.comments.length) parts.push(`${commentsOf(data)} `);
      const [following] = data.children;
      const siblings = tree.nodes[data.parent].children;
      // The start's alternatives are variations of the line around it.
      const alternatives = index !== start && siblings[0] === index ? siblings.slice(1) : [];
      if (following !== undefined) tasks.push({ line: following, isNumbered: Boolean(alternatives.length || data.comments.length) });
      for (const alternative of alternatives.reverse()) tasks.push({ text: ") " }, { line: alternative, isNumbered: true }, { text: "(" });
    }
    return parts;
  }
}

/** @param {TreeNode} node */
const commentsOf = (node) => node.comments.map((comment) => WORDS.remark(comment, node)).join(" ");
