// The opening panel: the moves that people and one's own games have in a position. In a review, the move that left the book.

import { byId, element, keepFocus } from "./dom.js";
import { ConnectionLostError } from "./engine.js";
import { moveText } from "#shared/notation.js";
import { OwnOpenings } from "./own-openings.js";
import { texts } from "./texts.js";

/** Shortest time between two drawings of the table while one's own games are counted, in milliseconds. */
const REDRAW_INTERVAL = 300;

/**
 * The results of people's games with a move: a bar and the numbers of White's wins, draws and Black's wins, read as a sentence.
 * @param {PopularResults | null | undefined} results
 */
function resultsOf(results) {
  if (!results) return [];
  const { games, white, draws, black } = results;
  const text = texts.openings.peopleResults(results);
  const bar = element("span", { className: "bar" }, ...[white, draws, black].map((part) => {
    const segment = element("span");
    segment.style.flexGrow = String(part);
    return segment;
  }));
  const numbers = [white, draws, black].map((part) => texts.number(Math.round(part * games))).join(" – ");
  const whole = element("span", { className: "people-results", title: text }, bar, numbers);
  whole.setAttribute("role", "img");
  whole.setAttribute("aria-label", text);
  return [whole];
}

export class Openings {
  #app;
  #own;
  /** True if one's own games have been counted, or are being counted. */
  #hasRead = false;
  /** The time at which progress was last shown. */
  #shown = 0;
  /**
   * The position and the moves of the table.
   * @type {{ node?: TreeNode, key: string }}
   */
  #drawn = { key: "" };
  /**
   * The end of the game whose line about the book is drawn.
   * @type {TreeNode | undefined}
   */
  #exitEnd;
  /**
   * The engine's replies, by node.
   * @type {WeakMap<TreeNode, Promise<OpeningsReply>>}
   */
  #replies = new WeakMap();

  /**
   * @param {PartOfPage<"fail" | "goTo" | "playLine" | "position" | "positionInfo" | "tab" | "tree", "isOpen" | "request">} app
   * @param {import("./store.js").Store} store
   */
  constructor(app, store) {
    this.#app = app;
    this.#own = new OwnOpenings(app.engine, store, () => this.#showProgress());
    // On a small screen the list of moves comes first.
    byId("openings").open = matchMedia("(min-width: 56rem) and (min-height: 50rem)").matches;
    byId("openings").addEventListener("toggle", () => this.entered());
  }

  /** The panel is shown: reads the games that have been kept since the last time. */
  entered() {
    this.moved();
    if (byId("openings").open && this.#app.tab === "analyse") this.#read();
  }

  /** The position, the game or the tab has changed. */
  async moved() {
    const { tab, engine } = this.#app;
    if (!engine.isOpen) return this.#hideStale();
    if (tab !== "review" && (tab !== "analyse" || !byId("openings").open)) return;
    try {
      if (tab === "review") await this.#showExit();
      else {
        // A page that is loaded again shows the panel without entering it.
        if (!this.#hasRead) this.#read();
        await this.#showMoves();
      }
    } catch (error) {
      this.#hideStale();
      this.#app.fail(error);
    }
  }

  /** Hides what is about another position or game. This is for the case that no reply comes: otherwise it stays until then, so that nothing jumps. */
  #hideStale() {
    const { tree } = this.#app;
    if (this.#drawn.node !== tree.node) {
      byId("opening-moves").hidden = true;
      byId("opening-note").textContent = "";
    }
    if (this.#exitEnd !== tree.nodes[tree.end(0)]) byId("book-exit").hidden = true;
  }

  /** @param {number} index */
  #reply(index) {
    const { tree, engine } = this.#app;
    const node = tree.nodes[index];
    const reply = this.#replies.get(node) ?? engine.request("openings", { game: tree.line(index) });
    this.#replies.set(node, reply);
    // The next call asks again.
    reply.catch(() => this.#replies.delete(node));
    return reply;
  }

  /** Brings the counts of one's own games up to date. */
  async #read() {
    this.#hasRead = true;
    try {
      await this.#own.update();
    } catch (error) {
      // The return of the connection reads the rest. Another error would come again.
      if (error instanceof ConnectionLostError) this.#hasRead = false;
      this.#app.fail(error);
    }
    this.moved();
  }

  /** Shows the games that have been counted so far, not more often than a reader can follow. */
  #showProgress() {
    if (performance.now() - this.#shown < REDRAW_INTERVAL) return;
    this.#shown = performance.now();
    this.moved();
  }

  // ---- The panel. ----

  async #showMoves() {
    const app = this.#app;
    const { tree } = app;
    const { node, current } = tree;
    const [{ moves }, { legal }] = await Promise.all([this.#reply(current), app.position(current)]);
    if (node !== app.tree.node) return;
    const own = this.#own.movesAt(tree.squares(), tree.turn());
    const shares = new Map(moves.map((move) => [move.uci, move]));
    const rows = legal.filter(({ uci }) => shares.has(uci) || own.has(uci)).map(({ uci, san }) => ({ uci, san, people: shares.get(uci), counts: own.get(uci) }));
    rows.sort((one, other) => (other.people?.share ?? 0) - (one.people?.share ?? 0) || (other.counts?.games ?? 0) - (one.counts?.games ?? 0));
    byId("opening-moves").hidden = rows.length === 0;
    byId("opening-note").textContent = rows.length ? texts.openings.count(this.#own.count) : texts.openings.none;
    const table = byId("opening-moves").tBodies[0];
    const results = rows.map(({ people, counts }) => [
      element("td", {}, people ? `${texts.decimal(people.share * 100, people.share < 0.095 ? 1 : 0)} %` : "–", ...resultsOf(people?.results)),
      element("td", {}, counts ? texts.number(counts.games) : "–"),
      element("td", {}, counts ? `${counts.white} – ${counts.draws} – ${counts.black}` : "–"),
    ]);
    const key = rows.map(({ uci }) => uci).join(" ");
    if (this.#drawn.node === node && this.#drawn.key === key) {
      // While games are counted, the buttons stay: a new one would lose the focus, and a click that has begun.
      results.forEach((cells, row) => cells.forEach((cell, column) => table.rows[row].cells[column + 1].replaceWith(cell)));
      return;
    }
    this.#drawn = { node, key };
    const items = rows.map(({ uci, san, people }, row) => {
      const button = element("button", { type: "button", className: "move" }, moveText(san));
      // A click before the next position's moves are shown is not meant for it.
      button.addEventListener("click", () => node === app.tree.node && app.playLine([uci], [san]));
      const name = people?.opening && people.opening.name !== app.positionInfo?.opening?.name ? people.opening.name : "";
      return element("tr", {}, element("th", { scope: "row" }, button, element("small", {}, name)), ...results[row]);
    });
    keepFocus(table, () => table.replaceChildren(...items));
  }

  /** Names the move with which the reviewed game left the book. */
  async #showExit() {
    const app = this.#app;
    const { tree } = app;
    const end = tree.end(0);
    const { exit } = await this.#reply(end);
    if (tree !== app.tree || end !== tree.end(0)) return;
    this.#exitEnd = tree.nodes[end];
    byId("book-exit").hidden = !exit;
    if (!exit) return;
    const index = tree.mainline[exit.ply];
    const button = element("button", { type: "button", className: "move" }, `${tree.number(index)} ${moveText(tree.nodes[index].san)}`);
    // Until the next reply, the line may be about moves that are gone.
    button.addEventListener("click", () => tree === app.tree && tree.mainline[exit.ply] === index && app.goTo(index));
    keepFocus(byId("book-exit"), () => byId("book-exit").replaceChildren(texts.openings.exit, button, texts.openings.usual(exit.usual.map(moveText))));
  }
}
