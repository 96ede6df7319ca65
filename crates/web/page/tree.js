// A game as a tree of moves: node 0 is the start position; each node knows its parent, and its children with the main line first.

import { INITIAL, fromFen, play } from "./chess.js";

export class Tree {
  constructor(start = INITIAL) {
    this.start = start;
    this.tags = [];
    this.result = "*";
    /** The search of the game's review in words, and the play of both sides; undefined if there has been none. */
    this.review = undefined;
    this.nodes = [node(-1, "", "", 0)];
    this.current = 0;
  }

  /** The game of a reply or of the storage, with members as in the Rust type ReportNode. */
  static from(game) {
    const tree = new Tree(game.start);
    tree.tags = game.tags ?? [];
    tree.result = game.result ?? "*";
    tree.review = game.review;
    game.nodes.forEach((data, index) => {
      if (index > 0) {
        const parent = data.parent ?? index - 1;
        tree.nodes.push(node(parent, data.uci ?? "", data.san ?? "", tree.nodes[parent].ply + 1));
        tree.nodes[parent].children.push(index);
      }
      const made = tree.nodes[index];
      made.nags = data.nags ?? [];
      for (const key of ["before", "comments", "commands"]) made[key] = data[key] ?? [];
      for (const key of ["eval", "judgement", "best", "loss"]) if (data[key] !== undefined) made[key] = data[key];
    });
    tree.current = Math.min(game.current ?? 0, tree.nodes.length - 1);
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
      const { uci, san, nags, before, comments, commands, parent, eval: value, judgement, best, loss } = this.nodes[index];
      return { parent: parent < 0 ? undefined : place.get(parent), uci, san, nags, before, comments, commands, eval: value, judgement, best: place.get(best), loss };
    });
    return { start: this.start, tags: this.tags, result: this.result, nodes, current: place.get(this.current) ?? 0, review: this.review };
  }

  get node() {
    return this.nodes[this.current];
  }

  /** The nodes from the start to `index`. */
  path(index = this.current) {
    const path = [];
    for (let at = index; at >= 0; at = this.nodes[at].parent) path.push(at);
    return path.reverse();
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

  /** The main line, as node numbers. */
  get mainline() {
    const line = [0];
    while (this.nodes[line.at(-1)].children.length) line.push(this.nodes[line.at(-1)].children[0]);
    return line;
  }

  /** The end of the line that a node is in. */
  end(index = this.current) {
    let at = index;
    while (this.nodes[at].children.length) [at] = this.nodes[at].children;
    return at;
  }

  squares(index = this.current) {
    for (const at of this.nodes[index].squares ? [] : this.path(index)) {
      const { parent, uci } = this.nodes[at];
      this.nodes[at].squares ??= at === 0 ? fromFen(this.start) : play(this.nodes[parent].squares, uci);
    }
    return this.nodes[index].squares;
  }

  /** Plies before the start, so that an even sum with the depth means White to move. */
  get firstPly() {
    const [, turn, , , , number] = this.start.split(/\s+/);
    return ((Number(number) || 1) - 1) * 2 + (turn === "b" ? 1 : 0);
  }

  turn(index = this.current) {
    return (this.firstPly + this.nodes[index].ply) % 2 === 0 ? "white" : "black";
  }

  /** The number before a move, such as "12." or "12...". */
  number(index) {
    const ply = this.firstPly + this.nodes[index].ply - 1;
    return Math.floor(ply / 2) + 1 + (ply % 2 ? "..." : ".");
  }

  /** Adds a move, or finds it, and returns its node. */
  add(parent, uci, san) {
    const known = this.nodes[parent].children.find((child) => this.nodes[child].uci === uci);
    if (known !== undefined) return known;
    this.nodes.push(node(parent, uci, san, this.nodes[parent].ply + 1));
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
    review.nodes.forEach(({ nags, before, comments, eval: value, judgement, best, loss }, index) => {
      const node = this.nodes[place[index]];
      Object.assign(node, { eval: value, judgement, loss, best: place[best] });
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

  tag(name) {
    const value = this.tags.find(([existing]) => existing === name)?.[1] ?? "";
    return /^[?.]*$/.test(value) ? "" : value;
  }

  setTag(name, value) {
    const existing = this.tags.find(([known]) => known === name);
    if (existing) existing[1] = value;
    else this.tags.push([name, value]);
  }
}

function node(parent, uci, san, ply) {
  return { parent, uci, san, ply, children: [], nags: [], before: [], comments: [], commands: [] };
}
