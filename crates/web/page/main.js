// The page: the game on the board, the activities, the kept games and the connection.

import { Analyse } from "./analyse.js";
import { readAddress } from "./address.js";
import { Board } from "./board.js";
import { NAG_SYMBOLS, findMove, kingSquare, materialBalance, moveText, outcomeText, reasonText, sanText, squareIndex } from "./chess.js";
import { afterFrame, announce, byId, closeMessage, element, endMessage, errorText, scrollToBoard, showMessage, switchTheme } from "./dom.js";
import { drawingsOf, withDrawing } from "./drawings.js";
import { Engine, ConnectionLostError } from "./engine.js";
import { language } from "./languages.js";
import { LazyPanel } from "./lazy-panel.js";
import { MoveList } from "#shared/move-list.js";
import { Openings } from "./openings.js";
import { readMoves } from "./paste.js";
import { Play } from "./play.js";
import { Recent } from "./recent.js";
import { Review } from "./review.js";
import { Settings } from "./settings.js";
import { STORAGE, readStored, writeStored } from "./storage.js";
import { Store, storageProblem, textId } from "./store.js";
import { fillDocument, texts } from "./texts.js";
import { Tree } from "./tree.js";
import { stepByWheel } from "./wheel.js";

/** The games whose undone edits are kept for a reload, and the size of these for each direction, in characters. */
const UNDO_GAMES = 30;
const UNDO_SIZE = 400_000;
/** @typedef {"play" | "analyse" | "review" | "train" | "explain" | "setup" | "games"} Tab */
/** @type {Tab[]} */
const TABS = ["play", "analyse", "review", "train", "explain", "setup", "games"];

/** @implements {Page} */
class App {
  tree = new Tree();
  /** @type {Tab} */
  tab = "play";
  isFlipped = false;
  engine = new Engine();
  /**
   * @type {{ play: Play, analyse: Analyse, review: Review, train: LazyPanel<import("./train.js").Train>, explain: LazyPanel<import("./explain.js").Explain>,
   *   setup: LazyPanel<import("./setup.js").Setup>, games: LazyPanel<import("./games.js").Games> }}
   */
  #panels;
  /**
   * The settings of the panel Explain, which may not be loaded yet.
   * @type {any}
   */
  #explainSettings;
  #moveList = new MoveList(byId("moves"), (index) => this.goTo(index));
  #settings;
  /** @type {Timer} */
  #saving;
  /** True while a game is to be opened of which only the id is stored, which must not be overwritten. */
  #isOpening = false;
  /**
   * The node that was shown last.
   * @type {TreeNode | null}
   */
  #shown = null;
  /**
   * The position on the board: a node of the game, or the squares of a panel.
   * @type {TreeNode | Squares | null}
   */
  #position = null;
  /**
   * The node whose comment is being typed, until it is kept.
   * @type {TreeNode | null}
   */
  #commented = null;
  #store = new Store();
  /**
   * The positions that the engine has been asked for, and its replies.
   * @type {WeakMap<TreeNode, Promise<PositionInfo>>}
   */
  #asked = new WeakMap();
  #undone = new Recent("tabiya.undo", UNDO_GAMES);
  #openings = new Openings(this, this.#store);
  /** Resolves when the typed moves so far have been made or refused. */
  #typedMoves = Promise.resolve();
  /** The typed move that is to be made, while the field still has it; otherwise empty. */
  #taken = "";
  /** Number of games that the user has chosen, by which a late reply is told from the last choice. */
  #choices = 0;
  /** The writing of the last game to the store. */
  #keeping = Promise.resolve();
  /** Number of writes to the store that have not ended. */
  #unwritten = 0;
  /** Tells other tabs that this one goes on with a game: a duplicated tab begins with the same game in progress. */
  #channel = new BroadcastChannel(STORAGE);

  constructor() {
    this.board = new Board(byId("board"), {
      onMove: ({ uci, san, isPremove }) => this.move(uci, san, isPremove),
      onCancel: () => this.#panels.play.cancelPremove(),
      onDraw: (from, to, color) => {
        if (this.panel.boardOverlay().squares) return;
        const { node } = this.tree;
        node.commands = withDrawing(node.commands, from, to, color);
        this.edited(this.tree.current);
      },
      onSquare: (square) => this.#panels.setup.loaded?.squareChosen(square) ?? false,
      onEdit: (from, to) => this.#panels.setup.loaded?.pieceMoved(from, to),
      onDenied: () => this.showNote(this.#denial),
    });
    this.#panels = {
      play: new Play(this), analyse: new Analyse(this), review: new Review(this),
      train: this.#lazy("train", async () => new (await import("./train.js")).Train(this)),
      explain: this.#lazy("explain", async () => {
        const panel = new (await import("./explain.js")).Explain(this);
        panel.settings = this.#explainSettings;
        return panel;
      }),
      setup: this.#lazy("setup", async () => new (await import("./setup.js")).Setup(this)),
      games: this.#lazy("games", async () => new (await import("./games.js")).Games(this, this.#store)),
    };
    this.#settings = new Settings(this);
    this.#listen();
    this.#restore();
    this.#channel.addEventListener("message", ({ data }) => data === this.#panels.play.state.id && this.#panels.play.suspend());
    if (this.#panels.play.state.isActive) this.takeGame();
    this.engine.addEventListener("loading", (event) => this.#showLoading(/** @type {CustomEvent} */ (event).detail));
    // A loss is told once, so that its message can be closed while the page tries to connect.
    let told = "";
    // The board waits for nothing else.
    this.engine.addEventListener("greeted", () => this.position().catch(() => { /* It is asked for again after the next greeting. */ }));
    this.engine.addEventListener("open", () => {
      told = "";
      endMessage("connection");
      this.#showLoading(1);
      this.#panels.play.resume();
      this.changed();
      // After the position, whether or not it can be shown.
      const showLater = () => afterFrame(() => this.#showEngine());
      this.position().then(showLater, showLater);
      if (!this.#panels.play.state.isActive) this.refresh();
    });
    this.engine.addEventListener("lost", (event) => {
      byId("loading").hidden = true;
      this.#showEngine();
      const text = /** @type {CustomEvent} */ (event).detail || texts.page.lost;
      if (text !== told) showMessage(text, "connection");
      told = text;
    });
    // The engine gets ready while the board is drawn.
    this.engine.connect();
    this.#showTab();
    this.changed(true);
    // Scrolling lays the page out, which waits for the first frame otherwise.
    if (this.tab !== TABS[0]) this.#scrollToTab();
    if (this.engine.isLocal) {
      this.#showLoading(0);
      // After the engine, which the page waits for.
      this.engine.addEventListener("open", async () => (await import("#worker/offline.js")).installServiceWorker(), { once: true });
    }
  }

  /**
   * A panel that is loaded after the board.
   * @template {Panel} P
   * @param {Tab} tab
   * @param {() => Promise<P>} load
   */
  #lazy(tab, load) {
    return new LazyPanel(load, {
      onLoad: () => {
        if (tab !== this.tab) return;
        this.#showTab();
        this.panel.enter();
        this.changed();
      },
      onError: (error) => this.fail(error),
    });
  }

  /** Loads the other panels when the board can be used, so that they are there without a connection, too. */
  #loadPanels() {
    const { train, explain, setup, games } = this.#panels;
    for (const panel of [train, explain, setup, games]) panel.load().catch(() => { /* The panel is loaded again when it is shown. */ });
  }

  /** @returns {Panel} */
  get panel() {
    return this.#panels[this.tab];
  }

  /** True while Tabiya looks for its move in the game. */
  get isThinking() {
    return this.#panels.play.isThinking;
  }

  /** The engine's view of the current position, if it is known. */
  get positionInfo() {
    return this.tree.node.info;
  }

  /** The engine's view of a position: its legal moves, its FEN and so on. */
  async position(index = this.tree.current) {
    const node = this.tree.nodes[index];
    if (node.info) return node.info;
    const asked = this.#asked.get(node) ?? this.engine.request("position", { game: this.tree.line(index) });
    this.#asked.set(node, asked);
    try {
      node.info = await asked;
    } finally {
      this.#asked.delete(node);
    }
    return node.info;
  }

  // ---- The game. ----

  /** Asks before a game in progress is replaced. */
  mayReplace() {
    const { state } = this.#panels.play;
    const { tree } = this;
    if (tree.isWorthKeeping && tree.keptText !== tree.content && !confirm(texts.games.askUnkept)) return false;
    return !state.isActive || state.node === 0 || confirm(texts.games.askInProgress);
  }

  /** Notes that the user has chosen a game to be shown. Returns a function that returns true while it is the last one chosen. */
  choose() {
    const choice = ++this.#choices;
    return () => choice === this.#choices;
  }

  /** Makes this tab the one that plays the game. */
  takeGame() {
    this.#channel.postMessage(this.#panels.play.state.id);
  }

  /** Starts a game from the current position. */
  playFromHere() {
    this.#panels.play.newGame("here");
  }

  /**
   * Shows another game, which the user has chosen; with `isNewGame` one that Tabiya plays.
   * @param {Tree} tree
   */
  setTree(tree, isNewGame = false) {
    this.choose();
    this.#replaceTree(tree, isNewGame);
  }

  /** @param {Tree} tree */
  #replaceTree(tree, isNewGame = false) {
    endMessage("action");
    this.#keepComment();
    this.tree = tree;
    if (!isNewGame) this.#panels.play.treeReplaced();
    this.#panels.review.treeReplaced();
    this.changed(true);
    // A game that Tabiya plays is kept from its first move on.
    if (isNewGame) tree.keptText = tree.content;
    else this.#keep();
  }

  /** @param {number} index */
  goTo(index) {
    endMessage("action");
    this.tree.current = index;
    this.changed();
  }

  /**
   * The game has a new or a removed move, comment or result.
   * @param {number} index
   */
  edited(index) {
    this.tree.current = index;
    this.changed(true);
    this.#keep();
  }

  /** Undoes or, with `isRedo`, redoes the last edit. */
  undo(isRedo = false) {
    const { play } = this.#panels;
    const { tree } = this;
    if (play.state.isActive) return this.showNote(texts.edit.inGame);
    const { moves } = tree.line(play.state.node);
    if (!(isRedo ? tree.redo() : tree.undo())) return this.showNote(isRedo ? texts.edit.nothingToRedo : texts.edit.nothingToUndo);
    play.state.node = tree.follow(moves);
    // The end of the game is undone, too.
    if (tree.result === "*") play.state.note = "";
    this.edited(tree.current);
    return announce(isRedo ? texts.edit.redone : texts.edit.undone);
  }

  // ---- The kept games. ----

  /** Keeps the game on the board if it has moves and has changed. Games are written one after another. */
  #keep() {
    const { tree } = this;
    const { state } = this.#panels.play;
    const { content } = tree;
    if (content === tree.keptText || !tree.isWorthKeeping) return this.#keeping;
    const isPlayed = state.isActive || state.isWaiting;
    const play = isPlayed ? { ...state, clock: state.clock && { ...state.clock }, line: tree.line(state.node).moves } : undefined;
    const summary = tree.summary;
    summary.opening ||= byId("opening").textContent;
    const before = tree.keptText;
    tree.keptText = content;
    this.#unwritten++;
    this.#keeping = this.#keeping.then(async () => {
      try {
        const put = this.#store.put({ id: tree.id, version: tree.version, tree: JSON.parse(content), play }, summary);
        const { id, version } = await put.finally(() => { this.#unwritten--; });
        endMessage("storage");
        if (id !== tree.id) showMessage(texts.games.changedElsewhere, "another-tab");
        Object.assign(tree, { id, version });
        this.save();
        this.#undone.put(id, tree.history(UNDO_SIZE));
      } catch (error) {
        tree.keptText = before;
        showMessage(storageProblem(error), "storage");
      }
    });
    return this.#keeping;
  }

  /**
   * Adds the games of a PGN to those that are kept. Returns their ids, or undefined if they cannot be kept.
   * @param {OpenedGame[]} games
   */
  async keepAll(games) {
    try {
      // Games that were played or changed here are known by the texts of their exports.
      const changed = new Map();
      for (const { id, tree } of await this.#store.changedLike(games)) {
        try {
          changed.set(textId((await this.engine.request("save", { game: tree })).pgn), id);
        } catch { /* A game that has no text, or there is no connection: the import adds its games. */ }
      }
      const ids = await this.#store.add(games, changed);
      endMessage("import");
      return ids;
    } catch (error) {
      showMessage(storageProblem(error), "import");
      return undefined;
    }
  }

  /**
   * Opens a kept game, at a node of it, unless another game is chosen meanwhile. Returns true if it is opened.
   * @param {string} id
   */
  async openKept(id, current = 0) {
    const isLast = this.choose();
    await this.#keeping;
    const kept = await this.#store.get(id);
    if (!kept) throw new Error(texts.games.gone);
    /** @type {GameData} */
    const game = kept.tree ?? (await this.engine.request("game", { pgn: kept.pgn })).game;
    if (!isLast()) return false;
    this.#showKept(Tree.from({ ...game, current, id, version: kept.version }), kept.play);
    return true;
  }

  /**
   * Shows a kept game; `play` is the game in progress.
   * @param {Tree} tree
   * @param {KeptPlay | undefined} play
   */
  #showKept(tree, play) {
    tree.keptText = tree.content;
    this.#replaceTree(tree);
    this.#restoreUndo(tree);
    if (play) this.#panels.play.restore(play);
    this.changed();
  }

  /**
   * Takes over the edits that an earlier visit could undo.
   * @param {Tree} tree
   */
  async #restoreUndo(tree) {
    const history = await this.#undone.get(tree.id);
    if (history) tree.restoreHistory(history);
  }

  /** Shows the changes that another tab has made to the game on the board, unless it has changed here, too. */
  async refresh() {
    const { tree } = this;
    await this.#keeping;
    if (tree.keptText !== tree.content) return;
    try {
      const kept = await this.#store.get(tree.id);
      if (!kept?.tree || kept.version <= tree.version || tree !== this.tree) return;
      const changed = Tree.from({ ...kept.tree, id: kept.id, version: kept.version });
      changed.current = changed.follow(tree.line().moves);
      this.#showKept(changed, kept.play);
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * A kept game as PGN.
   * @param {string} id
   * @returns {Promise<string>}
   */
  async keptPgn(id) {
    const { tree = undefined, pgn = "" } = (await this.#store.get(id)) ?? {};
    return tree ? (await this.engine.request("save", { game: tree })).pgn : pgn;
  }

  /** @param {File[]} files */
  importFiles(files) {
    return this.#panels.review.importFiles(files);
  }

  /**
   * A move on the board.
   * @param {string} uci
   * @param {string} san
   */
  move(uci, san, isPremove = false) {
    endMessage("action");
    const { play } = this.#panels;
    if (this.tab === "train" && this.#panels.train.loaded?.moveMade(uci, san)) return;
    if (play.state.isActive && this.tab === "play") {
      // A PGN that is still being read must not take the board from a game that goes on.
      this.choose();
      play.moveMade(uci, san, isPremove);
      return;
    }
    this.playLine([uci], [san]);
  }

  /**
   * Adds the moves of a line. Those after the end of a finished game are added to a copy without result: the game stays as it was played.
   * @param {string[]} uci
   * @param {string[]} san
   */
  playLine(uci, san) {
    uci.forEach((move, index) => {
      if (this.tree.isAtResult) this.#reopenCopy();
      this.tree.current = this.tree.add(this.tree.current, move, san[index]);
    });
    this.edited(this.tree.current);
  }

  /** Goes on with a copy of the game without its result. */
  #reopenCopy() {
    const copy = Tree.from(JSON.parse(JSON.stringify(this.tree)));
    copy.reopen();
    this.setTree(copy);
  }

  // ---- Drawing. ----

  /** The position or, with `isNew`, the game has changed. */
  changed(isNew = false) {
    if (this.#commented !== this.tree.node) this.#keepComment();
    if (isNew) {
      this.tree.record();
      this.#moveList.show(this.tree);
    }
    this.#sound();
    this.#moveList.mark(this.tree.current);
    this.drawBoard();
    this.panel.moved();
    this.#openings.moved();
    this.#showPosition();
    this.save();
    if (this.positionInfo || !this.engine.isOpen) return;
    const { tree } = this;
    const index = tree.current;
    this.position().then(() => {
      if (tree !== this.tree || index !== tree.current) return;
      this.drawBoard();
      this.panel.moved();
      this.#showPosition();
      this.#loadPanels();
    }, (error) => this.fail(error));
  }

  /** Plays the sound of a move that has just been made or stepped to. */
  #sound() {
    const { tree } = this;
    const { node } = tree;
    const isForward = this.#shown && tree.nodes[node.parent] === this.#shown;
    this.#shown = node;
    if (!isForward || !this.#settings.hasSounds) return;
    const isEnd = tree.isAtResult;
    import("./sounds.js").then(({ playSound, soundOf }) => playSound(soundOf(node.san, isEnd)), (error) => this.fail(error));
  }

  drawBoard() {
    const { tree, positionInfo: info } = this;
    const overlay = this.panel.boardOverlay();
    const { squares = tree.squares(), isEditor = false, isMovable = true, premoves, arrows = [], marks = [], labels = [], bar = null, isFlipped = this.isFlipped, ...own } = overlay;
    // The user's arrows belong to the game.
    const drawings = overlay.squares ? { arrows: [], circles: [] } : drawingsOf(tree.node.commands);
    const { uci } = tree.node;
    const { side = tree.turn() } = own;
    this.board.isEditor = isEditor;
    this.board.show({
      squares,
      legal: premoves ?? (!isMovable || isEditor ? [] : own.legal !== undefined ? own.legal : info ? info.legal : null),
      flipped: isFlipped,
      last: own.last ?? (uci && !isEditor ? [squareIndex(uci), squareIndex(uci.slice(2))] : []),
      check: own.check ?? (info?.check && !isEditor ? kingSquare(squares, side) : -1),
      arrows: [...drawings.arrows, ...arrows], circles: drawings.circles, marks, labels,
      label: isEditor ? texts.board.editor : texts.board.toMove(side),
    });
    const position = overlay.squares ?? tree.node;
    if (this.#position !== position) {
      this.#position = position;
      this.#dropRefused();
      this.#showPosition();
    }
    this.#drawBar(bar, isFlipped);
    this.#drawPlayerBars(squares);
  }

  /**
   * @param {Overlay["bar"]} bar
   * @param {boolean} isFlipped
   */
  #drawBar(bar, isFlipped) {
    const meter = byId("bar");
    meter.classList.toggle("off", !bar);
    meter.classList.toggle("flipped", isFlipped);
    const percent = bar ? Math.round(bar.white * 100) : 50;
    meter.style.setProperty("--share", `${Math.min(Math.max(percent, 2), 98)}%`);
    const label = meter.querySelector("span");
    if (label) label.textContent = shortScore(bar?.text ?? "");
    meter.classList.toggle("losing", percent < 50);
    meter.setAttribute("aria-valuenow", String(percent));
    meter.setAttribute("aria-valuetext", bar ? texts.board.bar(bar.text, percent) : texts.board.unknown);
  }

  /** @param {Squares} squares */
  #drawPlayerBars(squares) {
    const { more, balance } = materialBalance(squares);
    /** @type {Record<string, string>} */
    const symbols = { q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
    for (const [id, side] of /** @type {[string, Side][]} */ ([["top", this.isFlipped ? "white" : "black"], ["bottom", this.isFlipped ? "black" : "white"]])) {
      const playerBar = byId(id);
      playerBar.dataset.side = side;
      const lead = side === "white" ? balance : -balance;
      const [name, material] = playerBar.querySelectorAll("span");
      name.textContent = this.tree.player(side);
      material.textContent = [...more[side]].map((kind) => `${symbols[kind]}\uFE0E`).join("") + (lead > 0 ? ` +${lead}` : "");
    }
    this.drawClocks();
  }

  drawClocks() {
    const { state } = this.#panels.play;
    // Away from the end of a game that was played here, and in one that has been opened, the moves have their times.
    const times = state.clock && (state.isActive || this.tree.current === state.node) ? state.clock : this.tree.clocks();
    for (const id of ["top", "bottom"]) {
      const playerBar = byId(id);
      const side = playerBar.dataset.side === "white" ? "white" : "black";
      const [, , clock] = playerBar.querySelectorAll("span");
      const time = times[side];
      clock.hidden = time === undefined;
      if (time === undefined) continue;
      const isRunning = state.isActive && this.tree.turn(state.node) === side;
      clock.classList.toggle("running", isRunning);
      clock.classList.toggle("low", time < 20_000);
      const seconds = time / 1000;
      const text = seconds < 20 ? `0:${seconds.toFixed(1).padStart(4, "0")}` : `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
      if (clock.textContent !== text) clock.textContent = text;
    }
  }

  #showPosition() {
    const { tree, positionInfo: info } = this;
    const { node } = tree;
    const parts = [];
    if (tree.current > 0) parts.push(`${tree.number(tree.current)} ${sanText(node)}`);
    if (node.judgement) parts.push(texts.words.judgements[node.judgement]);
    if (node.best !== undefined && tree.nodes[node.best]) parts.push(texts.page.wasBest(moveText(tree.nodes[node.best].san)));
    if (info?.outcome) parts.push(outcomeText(info.outcome));
    else if (info?.check) parts.push(texts.page.check);
    const result = tree.isAtResult ? texts.page.results[tree.result] : undefined;
    if (!info?.outcome) parts.push(result ?? texts.page.toMove(tree.turn()));
    if (info?.claim && !info.outcome && !result) parts.push(texts.page.claimable(reasonText(info.claim)));
    const joined = parts.join(", ");
    const text = joined[0].toUpperCase() + joined.slice(1);
    // The text is about the game, not about a position of the editor or of an exercise.
    if (this.panel.boardOverlay().squares) byId("status").textContent = "";
    else if (byId("status").textContent !== text) this.showNote(text);
    const opening = info ? info.opening : tree.nodes[tree.path().findLast((index) => tree.nodes[index].info) ?? 0].info?.opening;
    byId("opening").textContent = opening ? `${opening.eco} ${opening.name}` : tree.tag("Opening");
    const isLast = node.children.length === 0;
    byId("first").disabled = byId("previous").disabled = tree.current === 0;
    byId("next").disabled = byId("last").disabled = isLast;
    byId("annotate").hidden = this.tab !== "analyse" || tree.current === 0;
    if (this.#commented !== node) byId("comment").value = tree.ownComments().join(" ");
    for (const button of byId("glyphs").querySelectorAll("button")) button.setAttribute("aria-pressed", String(node.nags.includes(Number(button.dataset.nag))));
    byId("promote").disabled = tree.mainline.includes(tree.current);
  }

  /** The reason why no move can be made on the board; empty if there is none. */
  get #denial() {
    const { outcome } = (this.panel.boardOverlay().squares ? undefined : this.positionInfo) ?? {};
    return outcome ? texts.page.gameOver(outcomeText(outcome)) : this.panel.denial ?? "";
  }

  /**
   * Shows and announces a text under the board, until the position changes.
   * @param {string} text
   */
  showNote(text) {
    if (!text) return;
    byId("status").textContent = text;
    announce(text);
  }

  /** Shows which engine answers, and the choice of its evaluation if it is in this page. */
  #showEngine() {
    const { welcome, isLocal } = this.engine;
    byId("engine-choice").hidden = !isLocal;
    if (welcome) byId("engine").textContent = texts.page.engine({ ...welcome, isLocal });
  }

  /**
   * Shows the share of the engine that is loaded; nothing when it is complete.
   * @param {number} share
   */
  #showLoading(share) {
    byId("loading").hidden = share >= 1 && this.engine.isOpen;
    byId("loading-progress").value = share;
  }

  /**
   * Shows the error of something that the page does again when the connection is back.
   * @param {unknown} error
   */
  fail(error) {
    // The loss of the connection has its own message.
    if (!(error instanceof ConnectionLostError)) showMessage(errorText(error));
  }

  /**
   * Shows the error of an action that only the user can repeat.
   * @param {unknown} error
   */
  failAction(error) {
    showMessage(error instanceof ConnectionLostError ? texts.page.notDone : errorText(error));
  }

  // ---- Tabs. ----

  /** @param {Tab} tab */
  setTab(tab) {
    if (tab === this.tab) return;
    endMessage("action");
    this.panel.leave?.();
    this.tab = tab;
    this.#showTab();
    this.#scrollToTab();
    this.#dropRefused();
    this.panel.enter();
    this.#openings.entered();
    this.changed();
    scrollToBoard();
  }

  /** Scrolls the bar of tabs, which may be wider than the screen. */
  #scrollToTab() {
    byId(`tab-${this.tab}`).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #showTab() {
    document.body.dataset.tab = this.tab;
    for (const name of TABS) {
      const tab = byId(`tab-${name}`);
      tab.setAttribute("aria-selected", String(name === this.tab));
      tab.tabIndex = name === this.tab ? 0 : -1;
      const panel = this.#panels[name];
      // Its buttons do nothing before it is loaded.
      byId(`panel-${name}`).hidden = name !== this.tab || (panel instanceof LazyPanel && !panel.loaded);
    }
    byId("notation").hidden = this.tab === "setup";
  }

  // ---- Input. ----

  #listen() {
    for (const name of TABS) {
      byId(`tab-${name}`).addEventListener("click", ({ detail }) => {
        this.setTab(name);
        // After a click of the mouse, the arrow keys step through the game, not through the tabs.
        if (detail > 0) byId(`tab-${name}`).blur();
      });
    }
    byId("tabs").addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!step) return;
      event.preventDefault();
      event.stopPropagation();
      this.setTab(TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length]);
      byId(`tab-${this.tab}`).focus();
    });
    const commands = {
      first: () => this.goTo(0),
      previous: () => this.tree.current > 0 && this.goTo(this.tree.node.parent),
      next: () => this.tree.node.children.length && this.goTo(this.tree.node.children[0]),
      last: () => this.goTo(this.tree.end()),
      flip: () => {
        this.isFlipped = !this.isFlipped;
        this.drawBoard();
        this.save();
      },
    };
    for (const [id, command] of Object.entries(commands)) byId(id).addEventListener("click", command);
    // Not over a position of its own, which is no part of the game: in the editor or an exercise.
    const ifOfGame = (/** @type {() => unknown} */ command) => () => { if (!this.panel.boardOverlay().squares) command(); };
    const steps = { first: ifOfGame(commands.first), previous: ifOfGame(commands.previous), next: ifOfGame(commands.next), last: ifOfGame(commands.last) };
    stepByWheel(byId("board"), steps);
    /** @type {Record<string, () => unknown>} */
    const keys = { ArrowLeft: steps.previous, ArrowRight: steps.next, Home: steps.first, End: steps.last, f: commands.flip,
      n: ifOfGame(() => this.#panels.review.nextMistake(1)), p: ifOfGame(() => this.#panels.review.nextMistake(-1)), "/": () => byId("move-input").focus(), "?": () => byId("keys").showModal() };
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key) && !hasOwnKeys(event.target)) {
        event.preventDefault();
        ifOfGame(() => this.undo(event.shiftKey || event.key.toLowerCase() === "y"))();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || hasOwnKeys(event.target) || event.target.closest("[type=range], select, [role=radiogroup]")) return;
      // Speech input may write single letters.
      if (event.key.length === 1 && !byId("shortcuts").checked) return;
      const command = keys[event.key] ?? keys[event.key.toLowerCase()];
      if (!command) return;
      event.preventDefault();
      command();
    });
    byId("move-input").addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.#takeTyped();
      if (event.key === "Escape") byId("move-input").blur();
    });
    byId("move-input").addEventListener("input", () => {
      this.#taken = "";
      byId("move-input").removeAttribute("aria-invalid");
    });
    byId("message").querySelector("button")?.addEventListener("click", closeMessage);
    byId("shortcuts").addEventListener("change", () => this.save());
    byId("evaluation").addEventListener("change", () => {
      this.engine.settings.evaluation = byId("evaluation").value;
      this.save();
      this.engine.restart();
    });
    byId("theme").addEventListener("click", () => {
      switchTheme();
      this.save();
    });
    this.#listenToAnnotations();
    addEventListener("hashchange", () => this.#openAddress());
    const leave = () => {
      this.#keepComment();
      this.#remember();
    };
    addEventListener("pagehide", leave);
    // A phone may end a page in the background without telling it.
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && leave());
    addEventListener("paste", (event) => {
      if (event.target instanceof Element && hasOwnKeys(event.target)) return;
      const text = event.clipboardData?.getData("text").trim() ?? "";
      if (text) this.#panels.review.openText(text);
    });
  }

  #listenToAnnotations() {
    for (const nag of [1, 2, 3, 4, 5, 6]) {
      const button = element("button", { type: "button", "aria-pressed": "false" }, NAG_SYMBOLS[nag]);
      button.dataset.nag = String(nag);
      button.addEventListener("click", () => {
        const { node } = this.tree;
        const others = node.nags.filter((other) => other > 6);
        node.nags = node.nags.includes(nag) ? others : [nag, ...others];
        // The user's glyph takes the place of the review's, and stays.
        if (node.marks) node.marks = { ...node.marks, nags: node.marks.nags.filter((other) => other > 6) };
        this.edited(this.tree.current);
      });
      byId("glyphs").append(button);
    }
    byId("comment").addEventListener("input", () => {
      this.#commented = this.tree.node;
    });
    byId("comment").addEventListener("change", () => this.#keepComment());
    byId("promote").addEventListener("click", () => {
      // The result is that of the moves that were played.
      if (this.tree.isOffResult) this.#reopenCopy();
      this.tree.makeMain(this.tree.current);
      this.edited(this.tree.current);
    });
    byId("learn").addEventListener("click", async () => {
      this.setTab("train");
      try {
        (await this.#panels.train.load()).practiseGame();
      } catch { /* The panel, which is shown, has told it. */ }
    });
    byId("undo").addEventListener("click", () => this.undo());
    byId("redo").addEventListener("click", () => this.undo(true));
    byId("delete").addEventListener("click", () => {
      const { parent } = this.tree.node;
      const { play } = this.#panels;
      if (parent < 0) return;
      if (this.tree.path(play.state.node).includes(this.tree.current)) {
        if ((play.state.isActive || play.canContinue) && !confirm(texts.games.askDeleteInProgress)) return;
        play.treeReplaced();
      }
      this.tree.remove(this.tree.current);
      this.edited(parent);
    });
  }

  /** Takes over the comment that is being typed. */
  #keepComment() {
    const node = this.#commented;
    if (!node) return;
    this.#commented = null;
    const text = byId("comment").value.trim();
    node.comments = [...(text ? [text] : []), ...(node.marks?.comments ?? [])];
    this.edited(this.tree.current);
  }

  /** Takes the move in the text field. Moves that are typed faster than the engine answers are made in their order. */
  #takeTyped() {
    const typed = byId("move-input").value.trim();
    if (!typed || this.#taken) return;
    this.#taken = typed;
    const { tree, tab } = this;
    this.#typedMoves = this.#typedMoves.then(async () => {
      try {
        const { panel } = this;
        // Until it is loaded, a panel cannot tell which moves can be made.
        if (panel instanceof LazyPanel) await panel.load();
        // A move of the analysis is not meant for the game in progress, nor the other way round.
        if (tree === this.tree && tab === this.tab) await this.#moveTyped(typed);
      } finally {
        // Another text, which has been typed meanwhile, stays.
        if (this.#taken === typed) this.#taken = "";
      }
      // The next ones are made in any case.
    }).catch((error) => this.fail(error));
  }

  /**
   * Makes a typed move: SAN, or the squares.
   * @param {string} typed
   */
  async #moveTyped(typed) {
    const field = byId("move-input");
    const { tree, tab } = this;
    const index = tree.current;
    let found;
    let problem = this.#denial;
    const { isMovable = true, legal } = this.panel.boardOverlay();
    if (legal !== undefined) {
      found = findMove(typed, legal ?? []);
      problem ||= texts.page.notLegal(typed);
    } else if (isMovable) {
      try {
        // After a quick move the engine may not have sent the legal moves yet.
        const info = await this.position(index);
        found = findMove(typed, info.legal);
        problem = found ? "" : (await import("./illegal-move.js")).whyIllegal(typed, tree.squares(index), info);
      } catch (error) {
        problem = texts.page.notPlayable(typed, errorText(error));
      }
      if (tree !== this.tree || tab !== this.tab || index !== tree.current) return;
    }
    const isInField = this.#taken === typed;
    if (found) {
      if (isInField) field.value = "";
      this.move(found.uci, found.san);
      return;
    }
    this.showNote(problem);
    if (!isInField) return;
    field.setAttribute("aria-invalid", "true");
    field.select();
  }

  /** Removes a typed move that was refused in another position. */
  #dropRefused() {
    const field = byId("move-input");
    if (field.getAttribute("aria-invalid") !== "true") return;
    field.value = "";
    field.removeAttribute("aria-invalid");
  }

  // ---- Storage. ----

  save() {
    clearTimeout(this.#saving);
    this.#saving = setTimeout(() => this.#remember(), 300);
  }

  /** Keeps the game for a reload of this tab and for the next tab. */
  #remember() {
    if (this.#isOpening) return;
    const { play, explain, analyse } = this.#panels;
    const tree = this.tree.toJSON();
    // Node numbers may differ in the stored tree, so the game in progress is kept as its moves.
    const line = play.state.isActive || play.state.isWaiting || play.state.note ? this.tree.line(play.state.node).moves : [];
    // If the page ends before a write, the next visit must write again.
    const isKept = this.#unwritten === 0 && this.tree.keptText === this.tree.content;
    writeStored({
      tree: { ...tree, id: this.tree.id, version: this.tree.version, isKept }, tab: this.tab, isFlipped: this.isFlipped, theme: document.documentElement.dataset.theme,
      play: { ...play.state, line }, settings: play.settings, explain: explain.loaded?.settings ?? this.#explainSettings, lines: byId("lines").value, isOn: analyse.isOn,
      evaluation: this.engine.settings.evaluation, shortcuts: byId("shortcuts").checked, language, list: this.#panels.review.listKey, view: this.#settings.values,
    });
  }

  #restore() {
    /**
     * A game that was too large to be stored with the rest.
     * @type {GameData | undefined}
     */
    let large;
    try {
      const { data, isOwn } = readStored();
      if (data) {
        const { play, analyse } = this.#panels;
        if (data.theme) document.documentElement.dataset.theme = data.theme;
        play.settings = data.settings;
        this.#explainSettings = data.explain;
        this.#settings.values = data.view ?? {};
        byId("lines").value = data.lines ?? "3";
        analyse.isOn = data.isOn ?? true;
        byId("shortcuts").checked = data.shortcuts ?? true;
        byId("evaluation").value = data.evaluation ?? this.engine.settings.evaluation;
        this.engine.settings.evaluation = byId("evaluation").value;
        this.tab = TABS.includes(data.tab) ? data.tab : "play";
        this.isFlipped = Boolean(data.isFlipped);
        this.#panels.review.restoreList(data.list);
        if (data.tree.nodes) {
          this.tree = Tree.from(data.tree);
          if (data.tree.isKept) this.tree.keptText = this.tree.content;
          const { line = [], ...state } = data.play ?? {};
          Object.assign(play.state, state, { node: this.tree.follow(line), isActive: Boolean(state.isActive && isOwn), isWaiting: Boolean(state.isWaiting || (state.isActive && !isOwn)) });
          if (data.language !== language) play.replaceNote();
          this.#restoreUndo(this.tree);
          // A game of an earlier version of the page, or a change that the last visit could not keep.
          this.#keep();
        } else {
          large = data.tree;
        }
      }
    } catch {
      // Damaged data, or of another version: start again.
      this.tree = new Tree();
      this.#panels.play.treeReplaced();
    }
    if (!this.#openAddress() && large) this.#openLarge(large);
  }

  /**
   * Opens a game of which only the id is stored.
   * @param {GameData} stored
   */
  async #openLarge({ id = "", current }) {
    this.#isOpening = true;
    try {
      await this.openKept(id, current);
    } catch (error) {
      this.failAction(error);
    }
    this.#isOpening = false;
    this.save();
  }

  /** Opens the position or the game in the address. Returns true if there is one. */
  #openAddress() {
    const address = readAddress(location.hash);
    if (!address) return false;
    history.replaceState(null, "", location.pathname);
    if (address.pgn) this.#openMoves(address);
    else this.openPosition(address.fen);
    return true;
  }

  /**
   * Runs an action when the engine is there.
   * @param {() => unknown} action
   */
  #whenOpen(action) {
    if (this.engine.isOpen) action();
    else this.engine.addEventListener("open", action, { once: true });
  }

  /**
   * Opens a game of an address.
   * @param {{ pgn: string, at?: number }} address
   */
  #openMoves({ pgn, at }) {
    if (!this.mayReplace()) return;
    const isLast = this.choose();
    this.#whenOpen(async () => {
      try {
        const { game, error } = await this.engine.request("game", { pgn });
        if (!isLast()) return;
        const tree = Tree.from(game);
        tree.current = tree.mainline[at ?? -1] ?? tree.end(0);
        this.setTree(tree);
        this.setTab("analyse");
        if (error) this.fail(new Error(texts.page.incompleteLink(error)));
      } catch (error) {
        this.failAction(error);
      }
    });
  }

  /**
   * Opens a position or moves that have been copied from anywhere but a PGN, unless a game is chosen meanwhile. Returns false if they are not opened.
   * @param {string} text
   * @returns {Promise<boolean>}
   */
  openPosition(text) {
    const isLast = this.choose();
    // The engine reads them before the game on the page is given up.
    const read = (/** @type {string} */ moves) => this.engine.request("read", { text: moves });
    const open = () => readMoves(text, read).then(({ game }) => {
      if (!isLast()) return false;
      const tree = Tree.from(game);
      const [end] = tree.mainline.slice(-1);
      // The game on the board begins with this position, and stays.
      if (end === 0 && this.tree.start === tree.start) this.goTo(0);
      else {
        if (!this.mayReplace()) return false;
        this.setTree(tree);
        // A game with moves is kept, as one of a PGN is.
        if (end > 0) this.edited(end);
      }
      this.setTab("analyse");
      return true;
    }, (error) => {
      this.failAction(error);
      return false;
    });
    return new Promise((resolve) => { this.#whenOpen(() => resolve(open())); });
  }
}

/**
 * True in a text field, which has an undo and a paste of its own, and in a dialog, behind which the game stays as it is.
 * @param {Element} target
 */
const hasOwnKeys = (target) => Boolean(target.closest("input:not([type=checkbox], [type=file], [type=range]), textarea, dialog"));

/**
 * A score in the four characters that fit into the bar.
 * @param {string} text
 */
function shortScore(text) {
  const value = Number(text.replace("−", "-"));
  if (text === "" || Number.isNaN(value)) return text;
  const rounded = Math.round(Math.abs(value) * 10) / 10;
  return (rounded > 0 ? text.replace(/[\d.].*$/, "") : "") + rounded.toFixed(rounded < 10 ? 1 : 0);
}

fillDocument();
Object.assign(globalThis, { tabiya: new App() });
