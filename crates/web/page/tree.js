// The game of the page: a tree of moves with a current node, which can be changed and stored.

import { GameTree, tagValue, treeNode } from "./game-tree.js";
import { newId } from "./store.js";

/** Number of edits that can be undone. */
const MAX_UNDO = 200;

export class Tree extends GameTree {
  /** The search of the game's review in words, and the play of both sides; undefined if there has been none. */
  review = undefined;
  current = 0;
  /** The id under which the game is kept, and the number of its kept changes. */
  id = newId();
  version = 0;
  /** The content that is kept, as text. */
  keptText = "";
  /** Contents before the present one, and those that have been undone, as text. */
  #past = [];
  #future = [];
  #present = "";

  /** The game of a reply or of the storage. */
  static from(game) {
    const tree = super.from(game);
    tree.review = game.review;
    tree.current = Math.min(game.current ?? 0, tree.nodes.length - 1);
    if (game.id) Object.assign(tree, { id: game.id, version: game.version ?? 0 });
    return tree;
  }

  /** The game for the storage and for the engine, without deleted nodes. */
  toJSON() {
    const order = [];
    const stack = [0];
    while (stack.length) {
      const index = stack.pop();
      order.push(index);
      stack.push(...this.nodes[index].children.toReversed());
    }
    const place = new Map(order.map((index, at) => [index, at]));
    const nodes = order.map((index) => {
      const { uci, san, nags, before, comments, commands, parent, eval: value, judgement, reason, best, loss } = this.nodes[index];
      return { parent: parent < 0 ? undefined : place.get(parent), uci, san, nags, before, comments, commands, eval: value, judgement, reason, best: place.get(best), loss };
    });
    return { start: this.start, tags: this.tags, result: this.result, nodes, current: place.get(this.current) ?? 0, review: this.review };
  }

  /** The content without the current position. */
  get content() {
    return JSON.stringify({ ...this.toJSON(), current: 0 });
  }

  /** The line of the game in a list. */
  get summary() {
    const tag = (name) => tagValue(this.tags, name);
    return {
      players: [tag("White"), tag("Black")], event: tag("Event"), date: tag("Date"), result: this.result,
      opening: [tag("ECO"), tag("Opening")].filter(Boolean).join(" "), plies: this.mainline.length - 1,
    };
  }

  // ---- Undo. ----

  /** Remembers the content before an edit that has been made. */
  record() {
    const content = this.content;
    if (content === this.#present) return;
    if (this.#present) this.#past.push(this.#present);
    if (this.#past.length > MAX_UNDO) this.#past.shift();
    this.#future = [];
    this.#present = content;
  }

  /** Returns to the content before the last edit. Returns true if there is one. */
  undo() {
    return this.#swap(this.#past, this.#future);
  }

  /** Makes an undone edit again. Returns true if there is one. */
  redo() {
    return this.#swap(this.#future, this.#past);
  }

  #swap(from, to) {
    const content = from.pop();
    if (!content) return false;
    const { moves } = this.line();
    to.push(this.#present);
    this.#present = content;
    const { start, tags, result, nodes, review } = Tree.from(JSON.parse(content));
    Object.assign(this, { start, tags, result, nodes, review });
    this.current = this.follow(moves);
    return true;
  }

  get node() {
    return this.nodes[this.current];
  }

  path(index = this.current) {
    return super.path(index);
  }

  end(index = this.current) {
    return super.end(index);
  }

  squares(index = this.current) {
    return super.squares(index);
  }

  turn(index = this.current) {
    return super.turn(index);
  }

  /** The game up to a node, as the engine wants it. */
  line(index = this.current) {
    return { start: this.start, moves: this.path(index).slice(1).map((at) => this.nodes[at].uci) };
  }

  /** The node to which moves lead, as far as the tree has them. */
  follow(moves) {
    let at = 0;
    for (const uci of moves) {
      const next = this.nodes[at].children.find((child) => this.nodes[child].uci === uci);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /** Adds a move, or finds it, and returns its node. */
  add(parent, uci, san) {
    const known = this.nodes[parent].children.find((child) => this.nodes[child].uci === uci);
    if (known !== undefined) return known;
    this.nodes.push(treeNode(parent, uci, san, this.nodes[parent].ply + 1));
    const index = this.nodes.length - 1;
    this.nodes[parent].children.push(index);
    return index;
  }

  /** Adds the moves, remarks and evaluations of a review of this game, which may have changed since the review began. */
  merge(review) {
    const place = [0];
    review.nodes.forEach(({ parent, uci, san }, index) => {
      if (index > 0) place[index] = this.add(place[parent], uci, san);
    });
    review.nodes.forEach(({ nags, before, comments, eval: value, judgement, reason, best, loss }, index) => {
      const node = this.nodes[place[index]];
      Object.assign(node, { eval: value, judgement, reason, loss, best: place[best] });
      node.nags = [...new Set([...node.nags, ...nags])];
      node.before = [...new Set([...node.before, ...before])];
      node.comments = [...new Set([...node.comments, ...comments])];
    });
    for (const [name, value] of review.tags) this.setTag(name, value);
  }

  /** Deletes a node with all that follows. */
  remove(index) {
    const { parent } = this.nodes[index];
    if (parent < 0) return;
    if (this.path().includes(index)) this.current = parent;
    this.nodes[parent].children = this.nodes[parent].children.filter((child) => child !== index);
  }

  /** Makes the line to a node the main line. */
  makeMain(index) {
    for (const at of this.path(index).slice(1)) {
      const { children } = this.nodes[this.nodes[at].parent];
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  setTag(name, value) {
    const existing = this.tags.find(([known]) => known === name);
    if (existing) existing[1] = value;
    else this.tags.push([name, value]);
  }
}
