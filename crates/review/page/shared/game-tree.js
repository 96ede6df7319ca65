// A game as a tree of moves: node 0 is the start position; each node knows its parent, and its children with the main line first.

import { INITIAL, fenFields, fromFen, play, sideTag } from "./position.js";
import { WORDS } from "./words.js";

export class GameTree {
  constructor(start = INITIAL) {
    this.start = start;
    /** @type {Tags} */
    this.tags = [];
    this.result = "*";
    this.nodes = [treeNode(-1, "", "", 0)];
  }

  /**
   * The game of a report, with members as in the Rust type ReportGame.
   * @param {GameData} game
   */
  static from(game) {
    const tree = new this(game.start);
    tree.tags = game.tags ?? [];
    tree.result = game.result ?? "*";
    game.nodes.forEach((data, index) => {
      if (index > 0) {
        const parent = data.parent ?? index - 1;
        tree.nodes.push(treeNode(parent, data.uci ?? "", data.san ?? "", tree.nodes[parent].ply + 1));
        tree.nodes[parent].children.push(index);
      }
      const made = tree.nodes[index];
      const { nags = [], before = [], comments = [], commands = [] } = data;
      Object.assign(made, { nags, before, comments, commands });
      for (const key of /** @type {const} */ (["eval", "judgement", "reason", "best", "loss"])) if (data[key] !== undefined) Object.assign(made, { [key]: data[key] });
    });
    return tree;
  }

  /**
   * The nodes from the start to `index`.
   * @param {number} index
   */
  path(index) {
    const path = [];
    for (let at = index; at >= 0; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
  }

  /** The main line, as node numbers. */
  get mainline() {
    const line = [0];
    for (let [next] = this.nodes[0].children; next !== undefined; [next] = this.nodes[next].children) line.push(next);
    return line;
  }

  /**
   * The end of the line that a node is in.
   * @param {number} index
   */
  end(index) {
    let at = index;
    while (this.nodes[at].children.length) [at] = this.nodes[at].children;
    return at;
  }

  /**
   * The next move of the main line with a judgement, after or before a node; undefined if there is none.
   * @param {number} index
   * @param {number} direction
   */
  nextMistake(index, direction) {
    const { ply } = this.nodes[index];
    const bad = this.mainline.filter((at) => this.nodes[at].judgement);
    if (direction < 0) bad.reverse();
    return bad.find((at) => (direction > 0 ? this.nodes[at].ply > ply : this.nodes[at].ply < ply));
  }

  /**
   * The board after a node.
   * @param {number} index
   * @returns {Squares}
   */
  squares(index) {
    for (const at of this.nodes[index].squares ? [] : this.path(index)) {
      const { parent, uci } = this.nodes[at];
      this.nodes[at].squares ??= at === 0 ? fromFen(this.start) : play(this.squares(parent), uci);
    }
    return /** @type {Squares} */ (this.nodes[index].squares);
  }

  /** Plies of the whole game before the start position: White is to move after an even number of plies. */
  get firstPly() {
    const [turn, , , , number] = fenFields(this.start);
    return ((Number(number) || 1) - 1) * 2 + (turn === "b" ? 1 : 0);
  }

  /**
   * The side to move after a node.
   * @param {number} index
   * @returns {Side}
   */
  turn(index) {
    return (this.firstPly + this.nodes[index].ply) % 2 === 0 ? "white" : "black";
  }

  /**
   * The number before a move, such as "12." or "12...".
   * @param {number} index
   */
  number(index) {
    const ply = this.firstPly + this.nodes[index].ply - 1;
    return Math.floor(ply / 2) + 1 + (ply % 2 ? "..." : ".");
  }

  /** @param {string} name */
  tag(name) {
    return tagValue(this.tags, name);
  }

  /**
   * The name of a player, or else the side.
   * @param {Side} side
   */
  player(side) {
    return playerName(this.tags, side);
  }
}

/**
 * The value of a tag; empty if it is unknown.
 * @param {Tags} tags
 * @param {string} name
 */
export function tagValue(tags, name) {
  const value = tags.find(([existing]) => existing === name)?.[1] ?? "";
  return /^[?.]*$/.test(value) ? "" : value;
}

/**
 * @param {Tags} tags
 * @param {Side} side
 */
export const playerName = (tags, side) => tagValue(tags, sideTag(side)) || WORDS.sides[side];

/**
 * @param {number} parent
 * @param {string} uci
 * @param {string} san
 * @param {number} ply
 * @returns {TreeNode}
 */
export function treeNode(parent, uci, san, ply) {
  return { parent, uci, san, ply, children: [], nags: [], before: [], comments: [], commands: [] };
}
