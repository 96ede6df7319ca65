// The opening moves of the kept games: read once, kept by game, and counted by position.

import { lazyDatabase } from "./database.js";
import { MAX_PLIES, OpeningIndex } from "./opening-index.js";
import { Tree } from "./tree.js";

const LINES = "lines";
/** Most games that are read at once, and about the most characters of their texts. */
const BATCH = 200;
const BATCH_CHARACTERS = 1_000_000;
/** Time in milliseconds for which games are counted before the page goes on. */
const SLICE = 8;

/** @typedef {{ request(type: "opening_lines", data: { pgns: string[], plies: number }): Promise<Replies["opening_lines"]> }} LineReader */

export class OwnOpenings {
  #engine;
  #store;
  #onProgress;
  #index = new OpeningIndex();
  /**
   * The games in the index.
   * @type {Map<string, OpeningLine>}
   */
  #counted = new Map();
  /** @type {Promise<void> | undefined} */
  #reading;
  /**
   * The lines being written.
   * @type {Promise<unknown>[]}
   */
  #writes = [];
  /** True if the games may have changed while they were read. */
  #isStale = false;
  #open = lazyDatabase("tabiya.openings", (created) => created.createObjectStore(LINES, { keyPath: "id" }));
  /** The time at which the page got its last turn. */
  #turn = 0;

  /**
   * `onProgress` is called when games have been counted.
   * @param {LineReader} engine
   * @param {Pick<import("./store.js").Store, "list" | "getSome">} store
   * @param {() => void} onProgress
   */
  constructor(engine, store, onProgress) {
    this.#engine = engine;
    this.#store = store;
    this.#onProgress = onProgress;
  }

  /** The number of games in the index. */
  get count() {
    return this.#counted.size;
  }

  /**
   * The moves of the counted games in a position.
   * @param {Squares} squares
   * @param {Side} side the side to move
   */
  movesAt(squares, side) {
    return this.#index.movesAt(squares, side);
  }

  /** Brings the index up to date with the kept games, the latest first. */
  update() {
    this.#isStale = true;
    this.#reading ??= this.#updateAll().finally(() => { this.#reading = undefined; });
    return this.#reading;
  }

  async #updateAll() {
    while (this.#isStale) {
      this.#isStale = false;
      await this.#update();
    }
  }

  async #update() {
    const kept = new Map((await this.#store.list()).filter(({ deleted }) => !deleted).map((summary) => [summary.id, summary]));
    for (const line of this.#counted.values()) {
      if (kept.get(line.id)?.changed === line.changed) continue;
      this.#index.remove(line);
      this.#counted.delete(line.id);
    }
    const missing = [...kept.values()].filter(({ id }) => !this.#counted.has(id));
    const database = missing.length ? await this.#open() : undefined;
    const batches = Array.from({ length: Math.ceil(missing.length / BATCH) }, (_, index) => missing.slice(index * BATCH, (index + 1) * BATCH));
    const read = batches.slice(0, 1).map((batch) => this.#linesOf(database, batch));
    for (const [index] of batches.entries()) {
      const lines = await read[index];
      // Storage and engine work on the next games meanwhile.
      if (index + 1 < batches.length) read.push(this.#linesOf(database, batches[index + 1]));
      // The error is that of the next turn, unless this one fails.
      read.at(-1)?.catch(() => {});
      for (const line of lines) {
        this.#index.add(line);
        this.#counted.set(line.id, line);
        await this.#pause();
      }
      this.#onProgress();
    }
    await Promise.all(this.#writes.splice(0));
  }

  /**
   * The lines of games: those known from before, and the others from the games themselves. One transaction for many games is much
   * faster than one for each, and so is one request to the engine.
   * @param {any} database
   * @param {KeptSummary[]} summaries
   */
  async #linesOf(database, summaries) {
    const { store } = database.transaction(LINES);
    /** @type {(OpeningLine | undefined)[]} */
    const known = await Promise.all(summaries.map(({ id }) => store.get(id)));
    const lines = known.flatMap((line, index) => (line?.changed === summaries[index].changed ? [line] : []));
    const ids = new Set(lines.map(({ id }) => id));
    const changed = summaries.filter(({ id }) => !ids.has(id));
    if (!changed.length) return lines;
    const games = await this.#store.getSome(changed.map(({ id }) => id));
    const read = await this.#read(games);
    const found = changed.map(({ id, changed: time, result }, index) => ({ id, changed: time, result, ...read[index] }));
    const writing = database.transaction(LINES, "readwrite");
    const written = Promise.all([...found.map((line) => writing.store.put(line)), writing.done]);
    // The update waits for it at its end.
    written.catch(() => {});
    this.#writes.push(written);
    return lines.concat(found);
  }

  /**
   * The first moves of kept games.
   * @param {(import("./store.js").KeptGame | undefined)[]} games
   */
  async #read(games) {
    /** @type {GameLine[]} */
    const lines = [];
    /** @type {string[]} */
    let pgns = [];
    /** @type {number[]} */
    let places = [];
    let characters = 0;
    const ask = async () => {
      const { lines: read } = await this.#engine.request("opening_lines", { pgns, plies: MAX_PLIES });
      read.forEach((line, index) => { lines[places[index]] = line; });
      [pgns, places, characters] = [[], [], 0];
    };
    for (const [place, game] of games.entries()) {
      if (game?.tree) {
        const tree = Tree.from(game.tree);
        lines[place] = { start: tree.start, moves: tree.line(tree.end(0)).moves.slice(0, MAX_PLIES) };
        await this.#pause();
      } else {
        // The first moves of a longer text are in this part of it.
        const pgn = (game?.pgn ?? "").slice(0, BATCH_CHARACTERS);
        pgns.push(pgn);
        places.push(place);
        characters += pgn.length;
        if (characters >= BATCH_CHARACTERS) await ask();
      }
    }
    if (pgns.length) await ask();
    return lines;
  }

  /** Gives the page a turn if it has had none for a while. */
  async #pause() {
    if (performance.now() - this.#turn < SLICE) return;
    await new Promise((resolve) => { setTimeout(resolve); });
    this.#turn = performance.now();
  }
}
