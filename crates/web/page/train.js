// Training: exercises from reviewed games, which come back after days, and puzzles.

import { chances, findMove, kingSquare, moveText, otherSide, squareIndex, squareName } from "./chess.js";
import { announce, byId, element, endMessage, scrollToBoard } from "./dom.js";
import { choosePuzzle, exerciseReason, exerciseTitle, exercisesOf, isGoodMove, parsePuzzles, PUZZLE_LEVELS, puzzleExercise } from "./exercises.js";
import { userNames } from "./languages.js";
import { daysUntil, newSchedule, nextSchedule } from "./repetition.js";
import { fromFen, play } from "#shared/position.js";
import { texts } from "./texts.js";
import { TrainingStore } from "./training-store.js";

/** Nodes of a search that judges an answer. */
const NODES = 200_000;
/** Time before the opponent's reply, in milliseconds, so that both moves can be followed. */
const REPLY_DELAY = 450;

/** The error of a wait whose exercise has been left. */
class ExerciseLeft extends Error {}

/** The error of a search that was cut short by another one, or by another activity. It says nothing about the exercise. */
class SearchInterrupted extends Error {}

export class Train {
  #app;
  #store = new TrainingStore();
  /** @type {Puzzle[] | undefined} */
  #puzzles;
  /** @type {Card[]} */
  #cards = [];
  #isRead = false;
  /** @type {Exercise | Card | null} */
  #exercise = null;
  /**
   * The exercises that follow.
   * @type {(Exercise | Card)[]}
   */
  #queue = [];
  /** The moves since the exercise's position. */
  #moves = /** @type {string[]} */ ([]);
  /** @type {PositionInfo | null} */
  #info = null;
  /** The board while the engine has not sent the position. */
  #squares = /** @type {Squares} */ ([]);
  /** @type {LegalMove | null} the move that the engine has found for an exercise without a solution */
  #found = null;
  #state = /** @type {"idle" | "open" | "busy" | "done"} */ ("idle");
  /** Number of hints given for the next move: the first names its piece, the second its square. */
  #hints = 0;
  #hasHadHint = false;
  #hasFailed = false;
  #note = "";
  /** @type {Running<BestMove> | null} */
  #search = null;

  /** @param {PartOfPage<"drawBoard" | "fail" | "isFlipped" | "isThinking" | "tab" | "tree", "isOpen" | "request" | "start">} app */
  constructor(app) {
    this.#app = app;
    const on = (/** @type {string} */ id, /** @type {() => unknown} */ action) => byId(id).addEventListener("click", () => this.#try(action));
    byId("train-game").addEventListener("click", () => this.practiseGame());
    on("train-due", () => this.#practise(this.#due()));
    on("train-puzzle", () => this.#nextPuzzle());
    on("train-hint", () => this.#act(() => this.#hint()));
    on("train-solve", () => this.#act(() => this.#solve()));
    on("train-retry", () => this.#begin(this.#exercise));
    // The second of two quick clicks would skip an exercise.
    on("train-next", () => this.#state === "done" && this.#next());
    on("train-stop", () => this.#stop());
    byId("train-side").addEventListener("change", () => this.#show());
    // Exercises become due at midnight, also on a page that stays open.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && app.tab === "train" && this.moved());
    byId("train-theme").append(...[["", texts.train.anyTheme], ...Object.entries(texts.train.themes)].map(([value, name]) => element("option", { value }, name)));
    byId("train-level").append(...PUZZLE_LEVELS.map(([least, most], index) => element("option", { value: String(index) }, texts.train.levels(least, most))));
    byId("train-level").value = "1";
  }

  /** Goes through the mistakes of the game on the page. */
  practiseGame() {
    return this.#try(() => this.#practise(this.#ofGame()));
  }

  /** @param {() => unknown} action */
  async #try(action) {
    endMessage("action");
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ExerciseLeft)) {
        if (this.#state === "busy") this.#state = "open";
        if (!(error instanceof SearchInterrupted)) this.#app.fail(error);
      }
    }
    this.#show();
    this.#app.drawBoard();
  }

  /**
   * Runs an action of the user in an exercise that is open for one. If it fails, it is the user's turn as before.
   * @param {() => Promise<void>} action
   */
  async #act(action) {
    if (this.#state !== "open") return;
    const before = /** @type {const} */ ([this.#moves, this.#info, this.#squares, this.#hints, this.#note]);
    this.#state = "busy";
    this.#show();
    this.#app.drawBoard();
    try {
      await action();
    } catch (error) {
      if (!(error instanceof ExerciseLeft) && this.#state === "busy") [this.#moves, this.#info, this.#squares, this.#hints, this.#note] = before;
      throw error;
    }
    if (this.#state === "busy") this.#state = "open";
  }

  // ---- The choice. ----

  /** @returns {Side} */
  get #side() {
    const { value } = byId("train-side");
    if (value === "white" || value === "black") return value;
    const isUser = (/** @type {string} */ tag) => userNames.includes(this.#app.tree.tag(tag));
    return isUser("Black") || (this.#app.isFlipped && !isUser("White")) ? "black" : "white";
  }

  /** The exercises of the game on the page. */
  #ofGame() {
    return exercisesOf(this.#app.tree, this.#side);
  }

  #due(now = Date.now()) {
    return this.#cards.filter(({ schedule }) => schedule.due <= now);
  }

  async #nextPuzzle() {
    this.#queue = [];
    const theme = byId("train-theme").value;
    const [least, most] = PUZZLE_LEVELS[Number(byId("train-level").value)];
    const [solved, puzzles] = await this.#whileShown(Promise.all([this.#store.solved(), this.#allPuzzles()]));
    const puzzle = choosePuzzle(puzzles, { theme, level: [least, most] }, solved);
    if (!puzzle) throw new Error(texts.train.noPuzzle);
    await this.#begin(puzzleExercise(puzzle));
  }

  async #allPuzzles() {
    if (!this.#puzzles) {
      const response = await fetch("puzzles.txt");
      if (!response.ok) throw new Error(texts.train.withoutPuzzles);
      this.#puzzles = parsePuzzles(await response.text());
    }
    return this.#puzzles;
  }

  /** @param {(Exercise | Card)[]} exercises */
  async #practise(exercises) {
    if (exercises.length === 0) throw new Error(texts.train.nothing);
    await this.#store.add(exercises);
    await this.#read();
    this.#queue = [...exercises];
    await this.#next();
  }

  async #read() {
    this.#cards = await this.#store.all();
  }

  // ---- An exercise. ----

  #next() {
    if (this.#exercise?.kind === "puzzle" && this.#queue.length === 0) return this.#nextPuzzle();
    const exercise = this.#queue.shift();
    if (exercise) return this.#begin(exercise);
    this.#stop();
    this.#note = texts.train.allDone;
    return announce(this.#note);
  }

  #stop() {
    this.#search?.stop();
    this.#exercise = null;
    this.#queue = [];
    this.#state = "idle";
    this.#note = "";
    // The game is on the board again. Its announcement gives way to one of the caller.
    this.#app.drawBoard();
  }

  /** @param {Exercise | Card | null} exercise */
  async #begin(exercise) {
    if (!exercise) return;
    this.#search?.stop();
    // A copy, by which attempts at the same exercise are told apart.
    this.#exercise = { ...exercise };
    this.#moves = [];
    this.#found = null;
    this.#hints = 0;
    this.#hasHadHint = false;
    this.#hasFailed = false;
    this.#note = exerciseTitle(exercise);
    announce(this.#note);
    scrollToBoard();
    await this.#open();
  }

  /** Opens the exercise for moves when its position has come. */
  async #open() {
    this.#state = "busy";
    this.#show();
    await this.#showPosition();
    this.#state = "open";
  }

  /**
   * Waits for a promise. Throws `ExerciseLeft` if another exercise, or none, is shown then.
   * @template Result
   * @param {Promise<Result>} promise
   */
  #whileShown(promise) {
    const exercise = this.#exercise;
    return promise.finally(() => {
      if (exercise !== this.#exercise) throw new ExerciseLeft();
    });
  }

  get #line() {
    const { start, moves } = /** @type {Exercise} */ (this.#exercise).game;
    return { start, moves: [...moves, ...this.#moves] };
  }

  /** Shows the position, and asks the engine for its moves. */
  async #showPosition() {
    const line = this.#line;
    this.#info = null;
    this.#squares = line.moves.reduce(play, fromFen(line.start));
    this.#app.drawBoard();
    const info = await this.#whileShown(this.#app.engine.request("position", { game: line }));
    this.#info = info;
    this.#squares = fromFen(info.fen);
  }

  /**
   * Makes a move of the exercise.
   * @param {string} uci
   */
  #makeMove(uci) {
    this.#moves = [...this.#moves, uci];
    return this.#showPosition();
  }

  /**
   * The move of the solution that is next, or the one that the engine finds.
   * @returns {Promise<LegalMove>}
   */
  async #answer() {
    const exercise = /** @type {Exercise} */ (this.#exercise);
    const legal = this.#info?.legal ?? [];
    const known = exercise.solution[this.#moves.length];
    // A solution may write castling by the squares of the king.
    const found = known ? findMove(known, legal) : this.#found;
    if (found) return found;
    const best = await this.#searchFor([]);
    if (!best.uci) throw new Error(texts.train.noMove);
    exercise.score = best.score ?? exercise.score;
    this.#found = { uci: best.uci, san: best.san ?? best.uci };
    return this.#found;
  }

  /**
   * Searches the position after further moves.
   * @param {string[]} moves
   */
  async #searchFor(moves) {
    if (this.#app.isThinking) throw new Error(texts.train.busy);
    // There is one search at a time, and it belongs to the activity that is shown.
    if (this.#app.tab !== "train") throw new SearchInterrupted();
    const { start, moves: line } = this.#line;
    const search = this.#app.engine.start("search", { game: { start, moves: [...line, ...moves] }, limit: { nodes: NODES }, lines: 1 });
    this.#search = search;
    try {
      const best = await this.#whileShown(search);
      if (this.#search !== search) throw new SearchInterrupted();
      return best;
    } finally {
      if (this.#search === search) this.#search = null;
    }
  }

  /**
   * A move on the board. Returns true if it belongs to an exercise.
   * @param {string} uci
   * @param {string} san
   */
  moveMade(uci, san) {
    if (!this.#exercise) return false;
    this.#try(() => this.#act(() => this.#judge({ uci, san })));
    return true;
  }

  /** @param {LegalMove} move */
  async #judge(move) {
    const exercise = /** @type {Exercise} */ (this.#exercise);
    if (move.uci === exercise.played) {
      this.#tell(texts.train.played(moveText(move.san)));
      return;
    }
    const isMate = move.san.endsWith("#");
    const answer = isMate ? move : await this.#answer();
    let isRight = move.uci === answer.uci;
    if (!isRight && exercise.kind !== "puzzle") isRight = await this.#isGood(move);
    if (isRight) await this.#goOn(move, isMate);
    else {
      this.#hasFailed = true;
      this.#tell(texts.train.wrong(moveText(move.san)));
    }
  }

  /**
   * True if the engine finds a move nearly as good as the best one.
   * @param {LegalMove} move
   */
  async #isGood(move) {
    const exercise = /** @type {Exercise} */ (this.#exercise);
    this.#tell(texts.train.looking(moveText(move.san)));
    const after = await this.#whileShown(this.#app.engine.request("position", { game: { start: exercise.game.start, moves: [...this.#line.moves, move.uci] } }));
    // A draw is as good as level play.
    const { score } = after.result ? { score: { cp: 0 } } : await this.#searchFor([move.uci]);
    // Another search has replaced this one before it found anything.
    if (!score) throw new SearchInterrupted();
    return isGoodMove(exercise.score, score, exercise.side);
  }

  /**
   * Makes a right move, and the opponent's reply if there is one.
   * @param {LegalMove} move
   * @param {boolean} isMate
   */
  async #goOn(move, isMate) {
    const exercise = /** @type {Exercise} */ (this.#exercise);
    // A hint is about one move, not about those that follow.
    this.#hints = 0;
    await this.#makeMove(move.uci);
    const reply = exercise.solution[this.#moves.length];
    if (exercise.kind !== "puzzle" || !reply || isMate) {
      await this.#finish(this.#hasFailed ? 2 : this.#hasHadHint ? 3 : 5, texts.train.right(moveText(move.san), this.#hasFailed));
      return;
    }
    this.#tell(texts.train.goOn(moveText(move.san)));
    this.#app.drawBoard();
    await this.#whileShown(new Promise((resolve) => { setTimeout(resolve, REPLY_DELAY); }));
    await this.#makeMove(reply);
  }

  /**
   * Ends the exercise. One that was not solved comes back; a puzzle that was solved does not.
   * @param {number} grade
   * @param {string} text
   */
  async #finish(grade, text) {
    const exercise = /** @type {Exercise | Card} */ (this.#exercise);
    this.#state = "done";
    const card = this.#cards.find(({ id }) => id === exercise.id);
    const isFailedPuzzle = exercise.kind === "puzzle" && grade < 3;
    let when = "";
    if (card || isFailedPuzzle) {
      const schedule = nextSchedule(card?.schedule ?? newSchedule(), grade);
      await this.#store.put({ ...exercise, schedule });
      when = texts.train.comesBack(daysUntil(schedule.due));
    }
    if (exercise.kind === "puzzle" && grade >= 3) await this.#store.setSolved(exercise.game.start);
    await this.#whileShown(this.#read());
    this.#tell([text, exerciseReason(exercise), when].filter(Boolean).join(" "));
  }

  async #hint() {
    const { uci } = await this.#answer();
    this.#hints = Math.min(this.#hints + 1, 2);
    this.#hasHadHint = true;
    this.#tell(this.#hints === 1 ? texts.train.hintPiece(squareName(squareIndex(uci))) : texts.train.hintSquare(squareName(squareIndex(uci.slice(2)))));
  }

  /** Shows the answer, of a puzzle with all its moves. */
  async #solve() {
    const exercise = /** @type {Exercise} */ (this.#exercise);
    const sans = [];
    do {
      const answer = await this.#answer();
      sans.push(moveText(answer.san));
      await this.#makeMove(answer.uci);
    } while (exercise.solution[this.#moves.length]);
    // The reason of a mistake names the answer.
    await this.#finish(0, exercise.kind === "mistake" && exercise.reason ? "" : texts.train.answer(sans));
  }

  /** @param {string} text */
  #tell(text) {
    this.#note = text;
    announce(text);
    this.#show();
  }

  // ---- The panel. ----

  enter() {
    this.#isRead = true;
    this.#try(() => this.#read());
  }

  leave() {
    this.#search?.stop();
    // So that `#searchFor` drops the result, which is that of a search cut short.
    this.#search = null;
  }

  moved() {
    // A page that is loaded again shows the panel without entering it.
    if (!this.#isRead) this.enter();
    // The connection that was lost before the position came is back.
    else if (this.#exercise && this.#state === "open" && !this.#info && this.#app.engine.isOpen) this.#try(() => this.#open());
    else this.#show();
  }

  /** The reason why no move can be made. */
  get denial() {
    if (!this.#exercise) return "";
    if (this.#state === "done") return texts.train.over;
    return this.#state === "open" && this.#info ? "" : texts.train.waitForReply;
  }

  /** @returns {Overlay} */
  boardOverlay() {
    const exercise = this.#exercise;
    if (!exercise) return { bar: null };
    const { moves } = this.#line;
    const last = moves.at(-1);
    const side = moves.length % 2 === exercise.game.moves.length % 2 ? exercise.side : otherSide(exercise.side);
    const answer = this.#state === "done" || !this.#hints ? undefined : exercise.solution[this.#moves.length] ?? this.#found?.uci;
    const isDone = this.#state === "done";
    return {
      squares: this.#squares,
      legal: this.#state === "open" ? this.#info?.legal ?? null : [],
      last: last ? [squareIndex(last), squareIndex(last.slice(2))] : [],
      check: this.#info?.check ? kingSquare(this.#squares, side) : -1,
      side,
      isFlipped: exercise.side === "black",
      arrows: answer && this.#hints > 1 ? [{ uci: answer }] : [],
      marks: answer ? [{ square: answer.slice(0, 2), kind: "passed" }] : [],
      bar: isDone && exercise.score.cp !== undefined ? { white: chances(exercise.score, "white"), text: "" } : null,
    };
  }

  #show() {
    const exercise = this.#exercise;
    const { tree } = this.#app;
    const found = tree.isReviewed ? this.#ofGame().length : 0;
    const due = this.#due().length;
    document.body.toggleAttribute("data-exercise", Boolean(exercise));
    byId("train-choice").hidden = Boolean(exercise);
    byId("train-exercise").hidden = !exercise;
    byId("train-game").disabled = found === 0;
    byId("train-game").textContent = texts.train.practise(found);
    byId("train-due").disabled = due === 0;
    byId("train-due").textContent = texts.train.repeat(due);
    byId("train-game-text").textContent = tree.isReviewed ? texts.train.gameHas(found) : texts.train.reviewFirst;
    byId("train-due-text").textContent = this.#cards.length ? texts.train.kept(this.#cards.length, due, this.#cards[0].schedule.due) : texts.train.noneKept;
    for (const id of ["train-note", "train-message"]) byId(id).textContent = this.#note;
    byId("train-source").textContent = exercise ? [exercise.source ?? texts.train.puzzleSource(exercise.rating ?? 0), this.#queue.length ? texts.train.left(this.#queue.length) : ""].filter(Boolean).join(" · ") : "";
    const isDone = this.#state === "done";
    byId("train-hint").hidden = byId("train-solve").hidden = isDone;
    // A button that is really disabled would lose the keyboard's focus while its own action runs.
    for (const id of ["train-hint", "train-solve"]) byId(id).setAttribute("aria-disabled", String(this.#state !== "open"));
    byId("train-retry").hidden = byId("train-next").hidden = !isDone;
  }
}

