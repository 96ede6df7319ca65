// Games against the engine.

import { INITIAL, moveText, otherSide, outcomeText, reasonText, resultText } from "./chess.js";
import { announce, byId, element, scrollToBoard } from "./dom.js";
import { ConnectionLostError } from "./engine.js";
import { LANGUAGES, language } from "./languages.js";
import { legalPremove, premovesOf } from "./premove.js";
import { texts } from "./texts.js";
import { Tree } from "./tree.js";

const FULL_STRENGTH = 2850;
/** Time controls: minutes, 0 without a clock, and the increment in seconds. */
const TIMES = [[0, 0], [1, 0], [3, 2], [5, 0], [10, 5], [15, 10], [30, 0]];
/** Shortest time between a move and the engine's reply, in milliseconds, so that both can be followed. */
const MIN_DELAY = 350;

/** The termination of a game that the clock has decided. */
// eslint-disable-next-line no-restricted-syntax -- The PGN standard names it.
const TIME_FORFEIT = "time forfeit";
/** Time between two ticks of the clock, in milliseconds, above which the page was frozen: browsers slow the timers of hidden pages to one a second. */
const MAX_TICK = 2000;

/**
 * A clock as a PGN writes it.
 * @param {number} milliseconds
 */
function clockCommand(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const two = (/** @type {number} */ value) => String(Math.floor(value) % 60).padStart(2, "0");
  return `[%clk ${Math.floor(seconds / 3600)}:${two(seconds / 60)}:${two(seconds)}]`;
}

/** The local date, as a PGN writes it. */
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join(".");
}

export class Play {
  /**
   * The game in progress; `id` tells it from others, `node` is its last move, `isWaiting` means that it was begun elsewhere, and `acceptsDraw` that
   * Tabiya would agree to a draw.
   * @type {PlayState}
   */
  state = { id: "", isActive: false, isWaiting: false, human: "white", elo: 1500, humanPace: false, time: 0, clock: null, node: 0, note: "", acceptsDraw: false };
  #app;
  /**
   * The search for Tabiya's move, until the move is made, or for a hint.
   * @type {Running<BestMove> | null}
   */
  #search = null;
  /** True if the search has ended, and its move waits for its time. */
  #hasMove = false;
  /** @type {{ node: number, uci: string } | null} */
  #hint = null;
  /** The move to play as soon as Tabiya has moved, as squares; empty if there is none. */
  #premove = "";
  #lastTick = performance.now();
  /** True if the engine has failed to find a move. */
  #hasFailed = false;
  /** The state in which the form was last shown or folded. */
  #wasActive = false;

  /**
   * @param {PartOfPage<"changed" | "choose" | "drawBoard" | "drawClocks" | "edited" | "fail" | "failAction" | "isFlipped" | "mayReplace" | "panel" | "position" | "refresh"
   *   | "setTree" | "tab" | "takeGame" | "tree", "isOpen" | "request" | "start">} app
   */
  constructor(app) {
    this.#app = app;
    byId("time").append(...TIMES.map(([minutes, increment], index) => element("option", { value: String(index) }, minutes ? texts.play.minutes(minutes, increment) : texts.play.noClock)));
    const elo = byId("elo");
    elo.value = "1500";
    elo.addEventListener("input", () => this.#showElo());
    byId("time").addEventListener("change", () => this.#showElo());
    this.#showElo();
    byId("play-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.newGame();
    });
    byId("takeback").addEventListener("click", () => this.takeBack());
    byId("continue").addEventListener("click", () => this.continue());
    byId("hint").addEventListener("click", () => this.hint());
    byId("draw").addEventListener("click", () => this.offerDraw());
    byId("resign").addEventListener("click", () => this.resign());
    setInterval(() => this.#tick(), 100);
  }

  #showElo() {
    const value = Number(byId("elo").value);
    byId("elo-value").textContent = value >= FULL_STRENGTH ? texts.play.full : texts.play.elo(value);
    byId("elo").setAttribute("aria-valuetext", byId("elo-value").textContent);
    // The time that a person takes is a part of the clock.
    byId("human-pace").disabled = value >= FULL_STRENGTH || byId("time").value === "0";
  }

  /** The settings of the form, for the storage. */
  get settings() {
    return { elo: byId("elo").value, color: byId("color").value, time: byId("time").value, humanPace: byId("human-pace").checked };
  }

  set settings(values) {
    const { humanPace = true, elo, color, time } = values ?? {};
    if (elo) byId("elo").value = elo;
    if (color) byId("color").value = color;
    if (time) byId("time").value = time;
    byId("human-pace").checked = humanPace;
    this.#showElo();
  }

  /**
   * Starts a game.
   * @param {string} chosenStart `standard`, `960`, or `here` for the position on the board; by default, the choice of the form
   */
  async newGame(chosenStart = byId("start").value) {
    const app = this.#app;
    if (!app.mayReplace()) return;
    const isLast = app.choose();
    let start = INITIAL;
    try {
      if (chosenStart === "960") start = (await app.engine.request("chess960", { number: Math.floor(Math.random() * 960) })).fen;
      if (chosenStart === "here") start = (await app.position()).fen;
      await app.engine.request("new_game");
    } catch (error) {
      return app.failAction(error);
    }
    if (!isLast()) return;
    this.#stop();
    const chosen = byId("color").value;
    const isWhite = chosen === "random" ? Math.random() < 0.5 : chosen === "white";
    /** @type {Side} */
    const human = isWhite ? "white" : "black";
    const [minutes, increment] = TIMES[Number(byId("time").value)];
    const clock = minutes ? { white: minutes * 60_000, black: minutes * 60_000, increment: increment * 1000 } : null;
    const elo = Number(byId("elo").value);
    const tree = new Tree(start);
    const name = `Tabiya${elo >= FULL_STRENGTH ? "" : ` (${elo})`}`;
    tree.tags = [["Event", texts.play.event], ["Date", today()], ["White", human === "white" ? LANGUAGES[language].user : name], ["Black", human === "black" ? LANGUAGES[language].user : name], ["TimeControl", minutes ? `${minutes * 60}+${increment}` : "-"]];
    this.state = { id: String(Math.random()), isActive: true, isWaiting: false, human, elo, humanPace: byId("human-pace").checked, time: Number(byId("time").value), clock, node: 0, note: "", acceptsDraw: false };
    this.#lastTick = performance.now();
    // The next game does not begin where this one will end.
    if (byId("start").value === "here") byId("start").value = "standard";
    app.isFlipped = human === "black";
    app.setTree(tree, true);
    // On a phone the form may be below the board.
    scrollToBoard();
    this.resume();
  }

  /** Goes on after a move, a reload or the return of the connection. */
  async resume() {
    const app = this.#app;
    const { state } = this;
    if (!state.isActive || this.#search) return this.#show();
    const { node } = state;
    let info;
    try {
      info = await app.position(node);
    } catch (error) {
      return app.fail(error);
    }
    if (!state.isActive || state !== this.state || node !== state.node || this.#search) return;
    if (info.result && info.outcome) return this.#finish(info.result, `${outcomeText(info.outcome)}.`);
    this.#show();
    if (app.tree.turn(node) !== state.human) return this.#think(node);
    const move = this.#premove && legalPremove(this.#premove, info.legal);
    this.#dropPremove();
    if (move) this.#add(node, move.uci, move.san);
  }

  /** Gives the chosen premove up, as the user wants. */
  cancelPremove() {
    if (this.#premove) announce(texts.play.noPremove);
    this.#dropPremove();
  }

  #dropPremove() {
    if (!this.#premove) return;
    this.#premove = "";
    this.#app.drawBoard();
  }

  /** @param {number} node */
  async #think(node) {
    const app = this.#app;
    const { state } = this;
    const { tree } = app;
    const isFull = state.elo >= FULL_STRENGTH;
    const limit = state.clock ? { clock: { remaining: Math.round(state.clock[otherSide(state.human)]), increment: state.clock.increment } } : isFull ? { movetime: 1500 } : {};
    const started = performance.now();
    this.#hasFailed = false;
    const search = app.engine.start("search", { game: tree.line(node), limit, elo: isFull ? undefined : state.elo, human_pace: Boolean(state.humanPace), book: true, lines: 1 });
    this.#search = search;
    this.#hasMove = false;
    this.#show();
    let best;
    try {
      best = await search;
    } catch (error) {
      if (this.#search === search) this.#search = null;
      // After a loss the connection's return starts it again.
      if (error instanceof ConnectionLostError) return;
      app.fail(error);
      this.#hasFailed = true;
      return this.#show();
    }
    // On a clock, the delay counts as the engine's time.
    const remaining = state.clock ? state.clock[otherSide(state.human)] : Infinity;
    const delay = Math.max(best.thinking_time ?? 0, Math.min(MIN_DELAY, remaining / 40)) - (performance.now() - started);
    if (delay > 0) {
      this.#hasMove = true;
      // Meanwhile the engine is free for the analysis.
      if (this.#search === search) app.panel.moved();
      await new Promise((resolve) => { setTimeout(resolve, delay); });
    }
    if (this.#search !== search) return;
    this.#search = null;
    if (!best.uci || !state.isActive || state.node !== node || app.tree !== tree) return;
    this.#tick();
    if (!state.isActive) return;
    this.#add(node, best.uci, best.san ?? "", Boolean(best.accepts_draw));
  }

  get isThinking() {
    return Boolean(this.#search) && !this.#hasMove && this.#app.tree.turn(this.state.node) !== this.state.human;
  }

  /**
   * A move of the user.
   * @param {string} uci
   * @param {string} san
   */
  moveMade(uci, san, isPremove = false) {
    const { state } = this;
    if (this.#app.tree.current !== state.node) return;
    if (isPremove) {
      this.#premove = uci;
      announce(texts.play.premove(uci.slice(0, 2), uci.slice(2)));
      this.#app.drawBoard();
      return;
    }
    this.#tick();
    if (state.isActive) this.#add(state.node, uci, san);
  }

  /**
   * @param {number} parent
   * @param {string} uci
   * @param {string} san
   * @param {boolean} acceptsDraw true if the move is Tabiya's, which would agree to a draw
   */
  #add(parent, uci, san, acceptsDraw = false) {
    const app = this.#app;
    const { state } = this;
    // A position that is being set up stays.
    const isShown = app.tree.current === parent && app.tab !== "setup";
    const mover = app.tree.turn(parent);
    this.#stop();
    Object.assign(state, { note: "", acceptsDraw });
    if (state.clock && app.tree.nodes[parent].ply >= 2) state.clock[mover] += state.clock.increment;
    state.node = app.tree.add(parent, uci, san);
    if (state.clock) {
      const node = app.tree.nodes[state.node];
      node.commands = [...node.commands.filter((command) => !command.startsWith("[%clk ")), clockCommand(state.clock[mover])];
    }
    // Moves that were tried in another tab are variations.
    app.tree.makeMain(state.node);
    app.edited(isShown ? state.node : app.tree.current);
    this.resume();
  }

  takeBack() {
    // Another tab may have gone on since.
    if (this.canContinue) return;
    const app = this.#app;
    this.#premove = "";
    const { tree } = app;
    const { state } = this;
    this.#stop();
    let at = state.node;
    do {
      at = tree.nodes[at].parent;
    } while (at > 0 && tree.turn(at) !== state.human);
    if (at < 0) return;
    const path = tree.path(state.node);
    const removed = path[path.indexOf(at) + 1];
    if (tree.turn(at) !== state.human) return this.resume();
    tree.remove(removed);
    tree.reopen();
    Object.assign(state, { node: at, isActive: true, note: "", acceptsDraw: false });
    this.#lastTick = performance.now();
    if (state.clock) for (const side of /** @type {Side[]} */ (["white", "black"])) state.clock[side] = Math.max(state.clock[side], 10_000);
    app.edited(at);
    this.resume();
  }

  async hint() {
    const app = this.#app;
    const { node } = this.state;
    if (this.#search || app.tree.turn(node) !== this.state.human) return;
    const search = app.engine.start("search", { game: app.tree.line(node), limit: { movetime: 700 }, lines: 1 });
    this.#search = search;
    try {
      const best = await search;
      if (best.uci && this.state.node === node && this.#search === search) {
        this.#hint = { node, uci: best.uci };
        this.#reply(texts.play.hinted(moveText(best.san ?? best.uci)));
      }
    } catch (error) {
      app.failAction(error);
    }
    if (this.#search === search) this.#search = null;
    this.#show();
    app.drawBoard();
  }

  offerDraw() {
    const { state } = this;
    const { tree } = this.#app;
    const { info } = tree.nodes[state.node];
    if (info?.claim) return this.#finish("1/2-1/2", texts.play.drawBy(reasonText(info.claim)));
    if (state.acceptsDraw) this.#finish("1/2-1/2", texts.play.agreed);
    else this.#reply(texts.play.declined);
    this.#show();
  }

  /**
   * Answers a button of the game.
   * @param {string} note
   */
  #reply(note) {
    this.state.note = note;
    announce(note);
  }

  resign() {
    const { state } = this;
    if (state.isActive && confirm(texts.play.askResign) && state.isActive) this.#finish(state.human === "white" ? "0-1" : "1-0", texts.play.resigned);
  }

  /**
   * Ends the game.
   * @param {string} result
   * @param {string} note
   * @param {string} termination one of the PGN standard's
   */
  #finish(result, note, termination = "normal") {
    const app = this.#app;
    const { state } = this;
    const { tree } = app;
    this.#stop();
    this.#premove = "";
    Object.assign(state, { isActive: false, note });
    // The main line is the game that was played. Moves that were tried after its last move would continue it.
    tree.makeMain(state.node);
    for (const child of tree.nodes[state.node].children) tree.remove(child);
    tree.result = result;
    tree.setTag("Termination", termination);
    app.edited(tree.current);
    announce(note);
    this.#show();
  }

  #stop() {
    this.#search?.stop();
    this.#search = null;
    this.#hint = null;
  }

  /** Runs the clock. The first two moves are free. */
  #tick() {
    const now = performance.now();
    const passed = now - this.#lastTick;
    this.#lastTick = now;
    const { state } = this;
    const app = this.#app;
    if (!state.isActive || !state.clock || app.tree.nodes[state.node].ply < 2) return;
    const side = app.tree.turn(state.node);
    // The user cannot move before the legal moves are known.
    if (side === state.human && !app.tree.nodes[state.node].info) return;
    // The engine cannot move without a connection, nor while the page is frozen, as on a phone whose screen is off.
    if (side !== state.human && (!app.engine.isOpen || passed > MAX_TICK)) return;
    state.clock[side] = Math.max(state.clock[side] - passed, 0);
    app.drawClocks();
    if (state.clock[side] > 0) return;
    const winner = otherSide(side);
    const canMate = app.tree.nodes[state.node].info?.can_mate[winner] ?? true;
    if (!canMate) this.#finish("1/2-1/2", texts.play.timeNoMate(side, winner), TIME_FORFEIT);
    else this.#finish(winner === "white" ? "1-0" : "0-1", texts.play.timeUp(side, winner), TIME_FORFEIT);
  }

  enter() {
    const { state } = this;
    if (state.isActive && this.#app.tree.current !== state.node) this.#app.tree.current = state.node;
    this.resume();
  }

  /** Another game has been opened, or moves of the one that was played have been deleted. */
  treeReplaced() {
    this.#stop();
    this.#premove = "";
    Object.assign(this.state, { isActive: false, isWaiting: false, clock: null, node: 0, note: "", acceptsDraw: false });
    this.#show();
  }

  moved() {
    this.#show();
  }

  /**
   * Additions to the board, and the moves that may be made.
   * @returns {Overlay}
   */
  boardOverlay() {
    const { state } = this;
    const { tree } = this.#app;
    const isHere = tree.current === state.node;
    const isHumanTurn = state.isActive && isHere && tree.turn() === state.human;
    const isFree = !state.isActive && !this.canContinue && tree.result === "*";
    const arrows = this.#hint?.node === tree.current ? [{ uci: this.#hint.uci }] : [];
    const isPremoveTime = state.isActive && isHere && !isHumanTurn;
    const premoves = isPremoveTime ? premovesOf(tree.squares(), state.human) : undefined;
    const marks = isPremoveTime && this.#premove ? [this.#premove.slice(0, 2), this.#premove.slice(2)].map((square) => ({ square, kind: "premove" })) : [];
    return { isMovable: isHumanTurn || isFree, premoves, arrows, marks, bar: null };
  }

  /** The reason why no move can be made. */
  get denial() {
    const { state } = this;
    const { tree } = this.#app;
    if (this.canContinue) return texts.play.waits;
    if (!state.isActive) return tree.result === "*" ? "" : texts.play.over(resultText(tree.result));
    return tree.current === state.node ? texts.play.engineTurn : texts.play.earlier;
  }

  /** True if the stored game is in progress, but not in this tab. */
  get canContinue() {
    const { state } = this;
    return Boolean(state.isWaiting) && !state.isActive && this.#app.tree.result === "*";
  }

  /** Goes on with a game that another tab or an earlier visit has begun, or after a failure of the engine. */
  async continue() {
    // A game that is still being opened must not replace this one.
    this.#app.choose();
    await this.#app.refresh();
    const { state } = this;
    // Another tab has ended the game.
    if (!state.isActive && !this.canContinue) return this.#show();
    Object.assign(state, { isActive: true, isWaiting: false, note: "" });
    this.#lastTick = performance.now();
    this.#app.takeGame();
    this.enter();
    this.#app.changed();
  }

  /**
   * Shows a kept game that is in progress, which can be continued.
   * @param {KeptPlay} play
   */
  restore({ line, ...state }) {
    Object.assign(this.state, state, { node: this.#app.tree.follow(line), isActive: false, isWaiting: true });
    this.#show();
  }

  /** Replaces a note in another language. */
  replaceNote() {
    const { state } = this;
    const { result } = this.#app.tree;
    if (state.note) state.note = result === "*" ? "" : texts.play.over(resultText(result));
  }

  /** Another tab goes on with this game. */
  suspend() {
    const { state } = this;
    if (!state.isActive) return;
    this.#stop();
    Object.assign(state, { isActive: false, isWaiting: true });
    this.#show();
    this.#app.changed();
  }

  /** @param {boolean} isMine */
  #situation(isMine) {
    const { state } = this;
    if (this.canContinue) return texts.play.elsewhere;
    if (state.isActive) return isMine ? texts.play.yourMove : this.#hasFailed ? texts.play.noMoveFound : texts.play.thinking;
    return this.#app.tree.result === "*" ? texts.play.chooseOrMove : texts.play.choose;
  }

  #show() {
    const { activeElement: focused } = document;
    const isFocusShown = Boolean(focused?.matches("#panel-play :focus-visible"));
    const { state } = this;
    const { tree } = this.#app;
    const isMine = state.isActive && tree.turn(state.node) === state.human;
    const note = this.canContinue ? "" : state.note;
    byId("play-actions").hidden = !state.isActive && !note;
    // During a game its buttons come first; afterwards the form is at hand.
    if (state.isActive !== this.#wasActive) byId("play-setup").open = !state.isActive;
    this.#wasActive = state.isActive;
    byId("continue").hidden = !this.canContinue && !(state.isActive && this.#hasFailed);
    byId("continue").textContent = this.canContinue ? texts.play.continue : texts.play.again;
    byId("takeback").disabled = !(state.node > 0 && tree.nodes[state.node].ply > (tree.turn(0) === state.human ? 0 : 1));
    byId("hint").disabled = !isMine;
    byId("draw").disabled = byId("resign").disabled = !state.isActive;
    const claim = state.isActive && tree.nodes[state.node].info?.claim;
    byId("draw").textContent = claim ? texts.play.claimDraw : texts.play.offerDraw;
    byId("play-note").textContent = note || this.#situation(isMine);
    // The keyboard goes on where the game does when the button that it has pressed is gone.
    const isGone = focused?.matches(":disabled, [hidden] *, details:not([open]) form *");
    if (isFocusShown && isGone) byId("board").querySelector("svg")?.focus();
  }
}
