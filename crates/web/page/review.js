// Game review: PGN files, the analysis of all moves, and its results.

import { barOf, gameTitle, moveText, sanText } from "./chess.js";
import { announce, byId, download, element, endMessage, errorText, on, scrollToBoard, showMessage } from "./dom.js";
import { ConnectionLostError } from "./engine.js";
import { GameList } from "#shared/game-list.js";
import { drawGraph, nodeAt } from "#shared/graph.js";
import { isGame, readMoves } from "./paste.js";
import { readGames } from "./pgn-file.js";
import { reasonIn } from "./reason-text.js";
import { Recent } from "./recent.js";
import { newId, openingOf } from "./store.js";
import { sideTag } from "#shared/position.js";
import { summaryRows } from "#shared/summary.js";
import { texts } from "./texts.js";
import { Tree } from "./tree.js";

/** Largest PGN text, in characters. */
const MAX_PGN = 50_000_000;
/** Nodes per move to choose from, and those that are chosen at first. */
const NODES = [20_000, 100_000, 500_000, 2_000_000];
const USUAL_NODES = 100_000;
/** Number of lists of games that are kept for a reload of their tabs. */
const MAX_LISTS = 8;

export class Review {
  #app;
  /** @type {Running<Reviewed> | null} */
  #running = null;
  /**
   * White's expected scores of the running review, by ply.
   * @type {number[] | null}
   */
  #live = null;
  /**
   * The review that the loss of the connection has ended.
   * @type {{ tree: Tree, nodes: number } | null}
   */
  #lost = null;
  /** @type {OpenedGame[]} */
  #games = [];
  #gameList;
  /** The key under which the list of games is kept. */
  listKey = "";
  #lists = new Recent("tabiya.lists", MAX_LISTS);

  /**
   * @param {PartOfPage<"choose" | "edited" | "fail" | "failAction" | "goTo" | "keepAll" | "mayReplace" | "openKept" | "openPosition" | "setTab" | "showNote" | "setTree" | "tree",
   *   "addEventListener" | "request" | "start">} app
   */
  constructor(app) {
    this.#app = app;
    /** @type {GameList<OpenedGame>} */
    this.#gameList = new GameList({ list: byId("game-list"), filter: byId("game-filter"), count: byId("game-count"), more: byId("more-games") }, {
      text: ({ players, event, date, result, opening = "" }) => [...players, event, date, result, opening].join("\n"),
      label: gameLabel,
      choose: (index) => app.mayReplace() && this.#choose(index),
    });
    on("review-start", "click", () => this.start());
    on("review-cancel", "click", () => this.#running?.stop());
    on("pgn-file", "change", () => this.#openFile(byId("pgn-file").files?.[0]));
    on("pgn-paste", "click", () => this.#showPaste(Boolean(byId("paste-area").hidden)));
    on("pgn-open", "click", () => this.#openPasted());
    on("save-pgn", "click", () => this.savePgn());
    on("save-html", "click", () => this.saveHtml());
    byId("graph").addEventListener("click", (event) => app.goTo(nodeAt(byId("graph"), app.tree, event)));
    on("next-mistake", "click", () => this.nextMistake(1));
    on("previous-mistake", "click", () => this.nextMistake(-1));
    // A text that is dropped into a field belongs there.
    const isField = (/** @type {Event} */ event) => event.target instanceof Element && Boolean(event.target.closest("input, textarea"));
    addEventListener("dragover", (event) => isField(event) || event.preventDefault());
    addEventListener("drop", (event) => {
      if (isField(event)) return;
      event.preventDefault();
      const { files, text } = { files: event.dataTransfer?.files ?? [], text: event.dataTransfer?.getData("text") ?? "" };
      if (files.length) this.#openFile(files[0]);
      else this.openText(text);
    });
    addEventListener("resize", () => this.#drawGraph());
    app.engine.addEventListener("open", () => this.#lost?.tree === app.tree && this.#review(this.#lost.nodes));
  }

  // ---- Files. ----

  /** @param {File | undefined} file */
  async #openFile(file) {
    byId("pgn-file").value = "";
    if (!file) return;
    try {
      this.open(await this.#read(file));
    } catch (error) {
      this.#app.fail(error);
    }
  }

  /**
   * Keeps the games of files without opening one. A file that cannot be read does not stop the others.
   * @param {File[]} files
   */
  async importFiles(files) {
    endMessage("action");
    const problems = [];
    for (const file of files) {
      try {
        const { games, omitted } = await this.#readGames(await this.#read(file));
        const readable = games.filter(({ error, plies }) => !error || plies > 0);
        if (!readable.length) throw new Error(games[0]?.error ?? texts.review.noPgn);
        await this.#app.keepAll(readable);
        const fault = games.find(({ error }) => error)?.error;
        if (fault) problems.push(`${file.name}: ${texts.review.partlyRead(fault)}`);
        if (omitted) problems.push(texts.review.notRead(file.name, omitted));
      } catch (error) {
        problems.push(`${file.name}: ${errorText(error)}`);
      }
    }
    if (problems.length) this.#app.fail(new Error(problems.join(" ")));
  }

  /**
   * The text of a file. Throws if it is too large.
   * @param {File} file
   */
  async #read(file) {
    if (file.size > MAX_PGN) throw new Error(texts.review.tooLarge(MAX_PGN / 1e6));
    const bytes = await file.arrayBuffer();
    // PGN files are UTF-8, UTF-16 with a byte-order mark or, if old, Windows-1252.
    const [first, second] = new Uint8Array(bytes);
    if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
    if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      return new TextDecoder("windows-1252").decode(bytes);
    }
  }

  /**
   * The games of a text, with progress if there are many. Their moves may have the language's letters.
   * @param {string} pgn
   * @returns {Promise<Replies["open"]>}
   */
  async #readGames(pgn) {
    try {
      const read = (/** @type {string} */ text) => readGames(this.#app.engine, text, (count) => showMessage(texts.review.reading(count), "reading"));
      return await readMoves(pgn, read, ({ games }) => games.filter(({ error }) => error).length);
    } finally {
      endMessage("reading");
    }
  }

  /** @param {boolean} isShown */
  #showPaste(isShown) {
    byId("paste-area").hidden = !isShown;
    byId("pgn-paste").setAttribute("aria-expanded", String(isShown));
    if (isShown) byId("pgn-text").focus();
  }

  /**
   * Opens a text that has been pasted or dropped anywhere: PGN if it has a tag or a numbered move, or else a position or moves.
   * @param {string} text
   */
  openText(text) {
    if (isGame(text)) this.open(text);
    else this.#app.openPosition(text);
  }

  /** Opens the text of the field, which on a phone is the only place to paste a position. */
  async #openPasted() {
    const text = byId("pgn-text").value;
    if (!text.trim() || isGame(text)) return this.open(text);
    if (await this.#app.openPosition(text)) this.#closePaste();
  }

  #closePaste() {
    this.#showPaste(false);
    byId("pgn-text").value = "";
  }

  /**
   * Opens the games of a text; the first one at once. If another game is chosen meanwhile, they are only kept.
   * @param {string} pgn
   */
  async open(pgn) {
    const app = this.#app;
    endMessage("action");
    if (!pgn.trim()) return app.fail(new Error(texts.review.noPgn));
    if (!app.mayReplace()) return;
    if (pgn.length > MAX_PGN) return app.fail(new Error(texts.review.textTooLarge));
    const isLast = app.choose();
    try {
      const { games, omitted } = await this.#readGames(pgn);
      if (games.length === 1 && games[0].error && games[0].plies === 0) throw new Error(games[0].error);
      this.#closePaste();
      const ids = await app.keepAll(games);
      if (!isLast()) {
        if (ids) showMessage(texts.review.keptOnly);
        return;
      }
      this.#games = games.map((game, index) => ({ ...game, id: ids?.[index], opening: openingOf(game.pgn) }));
      app.setTab("review");
      this.#showGames();
      this.listKey = newId();
      // A kept game has its text in the storage.
      this.#lists.put(this.listKey, this.#games.map(({ pgn: text, ...game }) => (game.id ? game : { ...game, pgn: text })));
      await this.#choose(0);
      if (omitted) app.fail(new Error(texts.review.omitted(omitted, games.length)));
    } catch (error) {
      app.failAction(error);
    }
  }

  #showGames() {
    byId("games").hidden = this.#games.length < 2;
    this.#gameList.show(this.#games);
  }

  /**
   * Shows the list of games that the tab had before a reload.
   * @param {string} key
   */
  async restoreList(key) {
    /** @type {OpenedGame[] | undefined} */
    const games = key ? await this.#lists.get(key) : undefined;
    if (!games || this.listKey) return;
    this.listKey = key;
    this.#games = games;
    this.#showGames();
    this.#markGame();
  }

  /** Marks the game on the board in the list. */
  #markGame() {
    this.#gameList.mark(this.#games.findIndex(({ id }) => id === this.#app.tree.id));
  }

  /** @param {number} index */
  async #choose(index) {
    const app = this.#app;
    try {
      const { id, pgn, error } = this.#games[index];
      // A kept game has its notes and its review.
      const isOpened = id ? await app.openKept(id) : await this.#openUnkept(pgn);
      if (!isOpened) return;
      this.#gameList.mark(index);
      // On a phone the list is below the board.
      scrollToBoard();
      if (error) app.fail(new Error(texts.review.partlyRead(error)));
    } catch (error) {
      app.failAction(error);
    }
  }

  /**
   * Opens a game that the browser could not keep, unless another game is chosen meanwhile. Returns true if it is opened.
   * @param {string} pgn
   */
  async #openUnkept(pgn) {
    const app = this.#app;
    const isLast = app.choose();
    const { game } = await app.engine.request("game", { pgn });
    if (!isLast()) return false;
    app.setTree(Tree.from(game));
    return true;
  }

  async savePgn() {
    endMessage("action");
    const app = this.#app;
    try {
      const { pgn } = await app.engine.request("save", { game: app.tree.toJSON() });
      download("game.pgn", pgn, "application/vnd.chess-pgn");
    } catch (error) {
      app.failAction(error);
    }
  }

  async saveHtml() {
    const { tree } = this.#app;
    if (!tree.review) return;
    endMessage("action");
    const { search, sides } = tree.review;
    const game = { number: 1, ...tree.toJSON(), sides };
    const title = /** @type {Side[]} */ (["white", "black"]).map((side) => tree.player(side)).join(" – ");
    try {
      const { html } = await this.#app.engine.request("report", { title, search, games: [game] });
      download("review.html", html, "text/html");
    } catch (error) {
      this.#app.failAction(error);
    }
  }

  // ---- The review. ----

  async start() {
    const app = this.#app;
    if (this.#live) return;
    endMessage("action");
    if (app.tree.nodes[0].children.length === 0) return app.fail(new Error(texts.review.noMoves));
    // On a phone the button may be below the board.
    scrollTo({ top: 0 });
    await this.#review(Number(byId("review-nodes").value));
  }

  /** @param {number} nodes for each move */
  async #review(nodes) {
    const app = this.#app;
    const { tree } = app;
    this.#lost = null;
    // Set before the first reply, so that a second click does not start a second review.
    this.#live = [];
    this.#show();
    try {
      const before = tree.bare;
      const running = app.engine.start("review", { game: before.toJSON(), nodes }, ({ ply, total, white }) => {
        if (this.#running !== running || app.tree !== tree || !this.#live) return;
        this.#live[ply] = white;
        byId("review-progress").value = ply / total;
        this.#drawGraph();
      });
      this.#running = running;
      this.#show();
      const last = await running;
      if (app.tree !== tree || last.kind !== "reviewed") return;
      tree.replaceReview(Tree.from(last.game), before);
      // eslint-disable-next-line no-restricted-syntax -- The report is in English.
      tree.review = { search: `${nodes.toLocaleString("en")} nodes per move`, sides: last.game.sides };
      byId("review-more").open = false;
      app.edited(tree.current);
      announce(texts.review.complete);
    } catch (error) {
      app.fail(error);
      // The connection's return starts it again.
      if (error instanceof ConnectionLostError) this.#lost = { tree, nodes };
    } finally {
      this.#running = null;
      this.#live = null;
      this.#show();
    }
  }

  /**
   * Goes to the next or the previous bad move; after the last one, to the first.
   * @param {number} direction
   */
  nextMistake(direction) {
    const { tree } = this.#app;
    const found = tree.nextMistake(tree.current, direction) ?? tree.mistakes.at(direction > 0 ? 0 : -1);
    if (found !== undefined) this.#app.goTo(found);
    else this.#app.showNote(texts.review.noMistake);
  }

  enter() {
    this.#show();
  }

  moved() {
    this.#show();
  }

  /** Another game has been opened. */
  treeReplaced() {
    this.#running?.stop();
    byId("review-more").open = !this.#app.tree.isReviewed;
    this.#markGame();
    this.#show();
  }

  /**
   * Additions to the board: the better move of a bad one, and the evaluation.
   * @returns {Overlay}
   */
  boardOverlay() {
    const { tree } = this.#app;
    const { node } = tree;
    /** @type {Arrow[]} */
    const arrows = (node.reason?.arrows ?? []).filter(({ kind }) => kind === "threat").map(({ uci }) => ({ uci, kind: "second" }));
    if (node.best !== undefined && tree.nodes[node.best]) arrows.push({ uci: tree.nodes[node.best].uci });
    return { arrows, bar: barOf(node.eval) };
  }

  #show() {
    const { tree } = this.#app;
    // Not before the panel is shown: the first number that a page formats takes as long as drawing the board.
    if (!byId("review-nodes").length) byId("review-nodes").append(...NODES.map((nodes) => element("option", { value: String(nodes), selected: nodes === USUAL_NODES }, texts.number(nodes))));
    const isRunning = Boolean(this.#running || this.#live);
    byId("review-start").disabled = isRunning;
    byId("review-running").hidden = !isRunning;
    if (isRunning && !this.#live?.length) byId("review-progress").value = 0;
    byId("save-html").disabled = !tree.review;
    const { isReviewed } = tree;
    byId("review-result").hidden = !isRunning && !isReviewed;
    for (const id of ["mistake-buttons", "review-move", "summary"]) byId(id).hidden = isRunning || !isReviewed;
    for (const button of byId("mistake-buttons").querySelectorAll("button")) button.disabled = tree.mistakes.length === 0;
    byId("review-move").textContent = isReviewed ? moveResult(tree) : "";
    if (isReviewed && !isRunning) this.#showSummary();
    this.#drawGraph();
  }

  #showSummary() {
    const { tree } = this.#app;
    const sides = tree.review?.sides;
    const count = (/** @type {Side} */ side, /** @type {Judgement} */ judgement) => tree.mainline.filter((/** @type {number} */ index) => index > 0 && tree.nodes[index].judgement === judgement && tree.turn(tree.nodes[index].parent) === side).length;
    const ofSide = (/** @type {Side} */ side) => ({
      accuracy: sides?.[side].accuracy ?? Number(tree.tag(`${sideTag(side)}Accuracy`) || NaN),
      inaccuracies: count(side, "inaccuracy"), mistakes: count(side, "mistake"), blunders: count(side, "blunder"),
    });
    byId("summary").tBodies[0].replaceChildren(...summaryRows(tree, { white: ofSide("white"), black: ofSide("black") }));
  }

  #drawGraph() {
    if (byId("panel-review").hidden || byId("review-result").hidden) return;
    const { tree } = this.#app;
    const values = this.#live ?? tree.mainline.map((index) => tree.nodes[index].eval?.white);
    drawGraph(byId("graph"), tree, values, tree.current);
  }
}

/**
 * The review of the move on the board in words.
 * @param {Tree} tree
 */
function moveResult(tree) {
  const { node } = tree;
  const name = tree.current > 0 ? `${tree.number(tree.current)} ${sanText(node)}` : "";
  if (node.judgement) {
    const better = node.best !== undefined && tree.nodes[node.best] ? texts.review.better(moveText(tree.nodes[node.best].san)) : "";
    return texts.review.move(name, texts.words.judgements[node.judgement], node.reason ? reasonIn(texts.reasons, node.reason) : better);
  }
  if (name && node.eval) return texts.review.fine(name);
  return texts.review.total(tree.mistakes.length);
}

/** @param {OpenedGame} game */
function gameLabel({ players, event, date, result, plies, error, opening }) {
  return [
    gameTitle(players, result),
    element("small", {}, [event, date, opening, texts.games.moves(Math.ceil(plies / 2)), error && texts.review.partly].filter(Boolean).join(", ")),
  ];
}
