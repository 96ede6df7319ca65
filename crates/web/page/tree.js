// The game of the page: a tree of moves with a current node, which can be changed and stored.

import { GameTree, tagValue, treeNode } from "#shared/game-tree.js";
import { INITIAL, otherSide } from "#shared/position.js";
import { newId } from "./store.js";

/** Number of edits that can be undone. */
const MAX_UNDO = 200;
/** The members of a node to which a review adds. `node.marks` lists what it has added, so that the next one can replace it. */
const MARKS = /** @type {const} */ (["nags", "before", "comments"]);

export class Tree extends GameTree {
  /**
   * The search of the game's review in words, and the play of both sides; undefined if there has been none.
   * @type {ReviewData | undefined}
   */
  review = undefined;
  current = 0;
  /** The id under which the game is kept, and the number of its kept changes. */
  id = newId();
  version = 0;
  /** The content that is kept, as text. */
  keptText = "";
  /**
   * Contents before the present one, and those that have been undone, as text.
   * @type {string[]}
   */
  #past = [];
  /** @type {string[]} */
  #future = [];
  #present = "";

  /**
   * The game of a reply or of the storage.
   * @param {GameData} game
   * @returns {Tree}
   */
  static from(game) {
    const tree = /** @type {Tree} */ (super.from(game));
    tree.review = game.review;
    tree.current = Math.min(game.current ?? 0, tree.nodes.length - 1);
    game.nodes.forEach(({ marks, isOfReview }, index) => {
      if (marks) tree.nodes[index].marks = marks;
      if (isOfReview) tree.nodes[index].isOfReview = true;
    });
    if (game.id) Object.assign(tree, { id: game.id, version: game.version ?? 0 });
    return tree;
  }

  /**
   * The game for the storage and for the engine, without deleted nodes.
   * @returns {GameData & { tags: Tags, result: string }}
   */
  toJSON() {
    const order = [];
    const stack = [0];
    for (let index = stack.pop(); index !== undefined; index = stack.pop()) {
      order.push(index);
      stack.push(...this.nodes[index].children.toReversed());
    }
    const place = new Map(order.map((index, at) => [index, at]));
    const nodes = order.map((index) => {
      const { uci, san, nags, before, comments, commands, parent, eval: value, judgement, reason, best, loss, marks, isOfReview } = this.nodes[index];
      return { parent: parent < 0 ? undefined : place.get(parent), uci, san, nags, before, comments, commands, eval: value, judgement, reason, best: best === undefined ? undefined : place.get(best), loss, marks, isOfReview };
    });
    return { start: this.start, tags: this.tags, result: this.result, nodes, current: place.get(this.current) ?? 0, review: this.review };
  }

  /** The content without the current position. */
  get content() {
    return JSON.stringify({ ...this.toJSON(), current: 0 });
  }

  /** The line of the game in a list. */
  get summary() {
    const tag = (/** @type {string} */ name) => tagValue(this.tags, name);
    return {
      players: [tag("White"), tag("Black")], event: tag("Event"), date: tag("Date"), result: this.result,
      opening: [tag("ECO"), tag("Opening")].filter(Boolean).join(" "), plies: this.mainline.length - 1,
    };
  }

  /** True if there is something to keep: a move, a position that has been set up, or an earlier version. */
  get isWorthKeeping() {
    return this.nodes[0].children.length > 0 || this.start !== INITIAL || this.version > 0;
  }

  // ---- Undo. ----

  /**
   * The edits that can be undone and redone, for a reload.
   * @param {number} limit size of the edits in each direction, in characters
   */
  history(limit) {
    const fitting = (/** @type {string[]} */ contents) => {
      let rest = limit;
      return contents.slice(contents.findLastIndex((content) => (rest -= content.length) < 0) + 1);
    };
    return { present: this.#present, past: fitting(this.#past), future: fitting(this.#future) };
  }

  /**
   * Takes over the edits of an earlier visit if they belong to the present content.
   * @param {ReturnType<Tree["history"]>} history
   */
  restoreHistory({ present, past, future }) {
    if (present !== this.content || this.#past.length || this.#future.length) return;
    this.#past = past;
    this.#future = future;
  }

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

  /**
   * @param {string[]} from
   * @param {string[]} to
   */
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

  /**
   * The time left of each side after a move in milliseconds, by the clock times of the PGN; undefined if it has none.
   * @returns {{ white?: number, black?: number }}
   */
  clocks(index = this.current) {
    /** @type {{ white?: number, black?: number }} */
    const times = {};
    for (const at of this.path(index).slice(1)) {
      const found = this.nodes[at].commands.map((command) => /^\[%clk (\d+):(\d+):(\d+(?:\.\d+)?)\]$/.exec(command)).find(Boolean);
      if (!found) continue;
      const [hours, minutes, seconds] = found.slice(1).map(Number);
      times[otherSide(this.turn(at))] = ((hours * 60 + minutes) * 60 + seconds) * 1000;
    }
    return times;
  }

  /** The game up to a node, as the engine wants it. */
  line(index = this.current) {
    return { start: this.start, moves: this.path(index).slice(1).map((at) => this.nodes[at].uci) };
  }

  /**
   * The node to which moves lead, as far as the tree has them.
   * @param {string[]} moves
   */
  follow(moves) {
    let at = 0;
    for (const uci of moves) {
      const next = this.child(at, uci);
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  /**
   * Adds a move, or finds it, and returns its node.
   * @param {number} parent
   * @param {string} uci
   * @param {string} san
   */
  add(parent, uci, san) {
    const known = this.child(parent, uci);
    if (known !== undefined) return known;
    this.nodes.push(treeNode(parent, uci, san, this.nodes[parent].ply + 1));
    const index = this.nodes.length - 1;
    this.nodes[parent].children.push(index);
    return index;
  }

  /** True if the main line has evaluations of a review. */
  get isReviewed() {
    return this.mainline.some((index) => this.nodes[index].eval?.white !== undefined);
  }

  /** The moves of the main line with a judgement. */
  get mistakes() {
    return this.mainline.filter((index) => this.nodes[index].judgement);
  }

  /**
   * The child of a node by its move; undefined if there is none.
   * @param {number} index
   * @param {string} uci
   */
  child(index, uci) {
    return this.nodes[index].children.find((child) => this.nodes[child].uci === uci);
  }

  /** A copy without glyphs and comments and without what a review has added, for a new review. */
  get bare() {
    const bare = Tree.from(this.toJSON());
    bare.removeReview();
    for (const node of bare.nodes) Object.assign(node, { nags: [], before: [], comments: [] });
    return bare;
  }

  /** The comments of a node that are not the review's. */
  ownComments({ comments, marks } = this.node) {
    return comments.filter((comment) => !marks?.comments.includes(comment));
  }

  /** Removes what the last review has added: glyphs, comments, evaluations, and lines in which the user has added nothing. */
  removeReview() {
    for (const node of this.nodes) {
      const { marks } = node;
      if (!marks) continue;
      node.nags = node.nags.filter((nag) => !marks.nags.includes(nag));
      node.before = node.before.filter((comment) => !marks.before.includes(comment));
      node.comments = node.comments.filter((comment) => !marks.comments.includes(comment));
      for (const key of /** @type {const} */ (["eval", "judgement", "reason", "best", "loss", "marks"])) delete node[key];
    }
    // Children have higher numbers than their parents.
    for (let index = this.nodes.length - 1; index > 0; index--) {
      const node = this.nodes[index];
      if (node.isOfReview && node.children.length === 0 && MARKS.every((key) => node[key].length === 0)) this.remove(index);
    }
    this.review = undefined;
  }

  /**
   * Replaces the last review by a new one. The game may have changed since the new one began with the game `before`, which had no
   * glyphs and comments: what the user has deleted since stays deleted.
   * @param {Tree} review
   * @param {Tree} before
   */
  replaceReview(review, before) {
    const { moves } = this.line();
    this.removeReview();
    // The nodes of the review in this game and in the game before.
    /** @type {(number | undefined)[]} */
    const place = [0];
    /** @type {(number | undefined)[]} */
    const old = [0];
    review.nodes.forEach(({ parent, uci, san }, index) => {
      if (index === 0) return;
      const [oldParent, newParent] = [old[parent], place[parent]];
      old[index] = oldParent === undefined ? undefined : before.child(oldParent, uci);
      if (newParent === undefined) return;
      place[index] = this.child(newParent, uci);
      if (place[index] !== undefined || old[index] !== undefined) return;
      const added = this.add(newParent, uci, san);
      place[index] = added;
      this.nodes[added].isOfReview = true;
    });
    review.nodes.forEach(({ nags, before: remarks, comments, eval: value, judgement, reason, best, loss }, index) => {
      const at = place[index];
      if (at === undefined) return;
      const node = this.nodes[at];
      // The user's own judgement of a move precedes the review's.
      const isJudged = node.nags.some((nag) => nag <= 6);
      node.marks = { nags: isJudged ? [] : nags.filter((nag) => !node.nags.includes(nag)), before: remarks, comments };
      const { marks } = node;
      node.nags = [...node.nags, ...marks.nags];
      node.before = [...node.before, ...marks.before];
      node.comments = [...node.comments, ...marks.comments];
      Object.assign(node, { eval: value, judgement, reason, loss, best: best === undefined ? undefined : place[best] });
    });
    for (const [name, value] of review.tags) this.setTag(name, value);
    this.current = this.follow(moves);
  }

  /** True if the current position is the last one of a game with a result. */
  get isAtResult() {
    return this.result !== "*" && this.current === this.end(0);
  }

  /** True if the game has a result and the current line another end. */
  get isOffResult() {
    return this.result !== "*" && this.end() !== this.end(0);
  }

  /** Removes the result, so that the game can go on. */
  reopen() {
    this.result = "*";
    const termination = this.tags.findIndex(([name]) => name === "Termination");
    if (termination >= 0) this.tags.splice(termination, 1);
  }

  /**
   * Deletes a node with all that follows.
   * @param {number} index
   */
  remove(index) {
    const { parent } = this.nodes[index];
    if (parent < 0) return;
    if (this.path().includes(index)) this.current = parent;
    this.nodes[parent].children = this.nodes[parent].children.filter((child) => child !== index);
  }

  /**
   * Makes the line to a node the main line. Its moves are the user's then, also if a review has added them.
   * @param {number} index
   */
  makeMain(index) {
    for (const at of this.path(index).slice(1)) {
      delete this.nodes[at].isOfReview;
      const { children } = this.nodes[this.nodes[at].parent];
      children.splice(children.indexOf(at), 1);
      children.unshift(at);
    }
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  setTag(name, value) {
    const existing = this.tags.find(([known]) => known === name);
    if (existing) existing[1] = value;
    else this.tags.push([name, value]);
  }
}
