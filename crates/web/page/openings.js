// The opening panel: the moves that people and one's own games have in a position. In a review, the move that left the book.

import { byId, element } from "./dom.js";
import { openDB } from "./idb.js";
import { MAX_PLIES, OpeningIndex } from "./opening-index.js";
import { texts } from "./texts.js";
import { Tree } from "./tree.js";

const LINES = "lines";
/** Games that are counted at once. */
const PAUSE = 100;

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
  #store;
  #index = new OpeningIndex();
  /** The games in the index, and the reading of further ones. */
  #count = 0;
  #reading = false;
  #hasRead = false;
  /** @type {Promise<any> | undefined} */
  #database;
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
    this.#store = store;
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
    if (!engine.isOpen || (tab !== "review" && (tab !== "analyse" || !byId("openings").open))) return;
    try {
      if (tab === "review") await this.#showExit();
      else {
        // A page that is loaded again shows the panel without entering it.
        if (!this.#hasRead) this.#read();
        await this.#showMoves();
      }
    } catch (error) {
      this.#app.fail(error);
    }
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

  // ---- One's own games. ----

  #open() {
    this.#database ??= openDB("tabiya.openings", 1, {
      upgrade(/** @type {IDBDatabase} */ created) {
        created.createObjectStore(LINES, { keyPath: "id" });
      },
    });
    return this.#database;
  }

  /** Brings the lines of the kept games up to date. */
  async #read() {
    if (this.#reading) return;
    this.#reading = true;
    this.#hasRead = true;
    try {
      const database = await this.#open();
      /** @type {Map<string, OpeningLine>} */
      const known = new Map((await database.getAll(LINES)).map((/** @type {OpeningLine} */ line) => [line.id, line]));
      const index = new OpeningIndex();
      let count = 0;
      for (const { id, changed, deleted, result } of await this.#store.list()) {
        if (deleted) continue;
        let line = known.get(id);
        if (line?.changed !== changed) {
          line = { id, changed, result, ...(await this.#lineOf(id)) };
          await database.put(LINES, line);
        }
        index.add(line);
        count++;
        // The page stays usable while thousands of games are counted.
        if (count % PAUSE === 0) await new Promise((resolve) => { setTimeout(resolve); });
      }
      this.#index = index;
      this.#count = count;
    } catch (error) {
      this.#app.fail(error);
    }
    this.#reading = false;
    this.moved();
  }

  /**
   * The first moves of a kept game.
   * @param {string} id
   */
  async #lineOf(id) {
    const kept = await this.#store.get(id);
    const game = kept?.tree ?? (await this.#app.engine.request("game", { pgn: kept?.pgn ?? "" })).game;
    const tree = Tree.from(game);
    return { start: tree.start, moves: tree.line(tree.end(0)).moves.slice(0, MAX_PLIES) };
  }

  // ---- The panel. ----

  async #showMoves() {
    const app = this.#app;
    const { tree } = app;
    const { node, current } = tree;
    const [{ moves }, { legal }] = await Promise.all([this.#reply(current), app.position(current)]);
    if (node !== app.tree.node) return;
    const own = this.#index.movesAt(tree.squares(), tree.turn());
    const shares = new Map(moves.map((move) => [move.uci, move]));
    const rows = legal.filter(({ uci }) => shares.has(uci) || own.has(uci)).map(({ uci, san }) => ({ uci, san, people: shares.get(uci), counts: own.get(uci) }));
    rows.sort((one, other) => (other.people?.share ?? 0) - (one.people?.share ?? 0) || (other.counts?.games ?? 0) - (one.counts?.games ?? 0));
    byId("opening-moves").hidden = rows.length === 0;
    byId("opening-note").textContent = rows.length ? texts.openings.count(this.#count) : texts.openings.none;
    byId("opening-moves").tBodies[0].replaceChildren(...rows.map(({ uci, san, people, counts }) => {
      const button = element("button", { type: "button", className: "move" }, san);
      button.addEventListener("click", () => app.playLine([uci], [san]));
      const name = people?.opening && people.opening.name !== app.positionInfo?.opening?.name ? people.opening.name : "";
      return element("tr", {},
        element("th", { scope: "row" }, button, element("small", {}, name)),
        element("td", {}, people ? `${texts.decimal(people.share * 100, people.share < 0.095 ? 1 : 0)} %` : "–", ...resultsOf(people?.results)),
        element("td", {}, counts ? texts.number(counts.games) : "–"),
        element("td", {}, counts ? `${counts.white} – ${counts.draws} – ${counts.black}` : "–"));
    }));
  }

  /** Names the move with which the reviewed game left the book. */
  async #showExit() {
    const app = this.#app;
    const { tree } = app;
    const end = tree.end(0);
    const { exit } = await this.#reply(end);
    if (tree !== app.tree) return;
    byId("book-exit").hidden = !exit;
    if (!exit) return;
    const index = tree.mainline[exit.ply];
    const button = element("button", { type: "button", className: "move" }, `${tree.number(index)} ${tree.nodes[index].san}`);
    button.addEventListener("click", () => app.goTo(index));
    byId("book-exit").replaceChildren(texts.openings.exit, button, texts.openings.usual(exit.usual));
  }
}
