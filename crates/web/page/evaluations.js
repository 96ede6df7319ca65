// What the analysis has found, by position and by the evaluation of its search, such as `nnue`: it is there at once when one comes back to a position.

import { Recent } from "./recent.js";

/** Number of positions in the storage of the browser. */
const MAX_POSITIONS = 20_000;
/** Plies of a line that are kept. */
const MAX_PLIES = 16;
/** Time between two writings of the same position, in milliseconds. */
const INTERVAL = 2000;

/**
 * The part of a search's report that is kept.
 * @typedef {Pick<SearchView, "depth" | "seldepth" | "nodes"> & { lines: Omit<Line, "depth">[] }} Report
 */

export class Evaluations {
  /** @type {Map<string, Report>} */
  #known = new Map();
  #stored = new Recent("tabiya.evaluations", MAX_POSITIONS);
  /** The position written last, and when. */
  #written = { key: "", time: 0 };

  /**
   * The report on a position that this visit has seen.
   * @param {string} fen
   * @param {string} evaluation
   */
  get(fen, evaluation) {
    return this.#known.get(keyOf(fen, evaluation));
  }

  /**
   * The report on a position from the storage, if no better one is known.
   * @param {string} fen
   * @param {string} evaluation
   */
  async load(fen, evaluation) {
    const key = keyOf(fen, evaluation);
    const found = await this.#stored.get(key);
    if (found && (this.#known.get(key)?.depth ?? -1) < found.depth) this.#known.set(key, found);
    return this.#known.get(key);
  }

  /**
   * Keeps a report, unless a deeper one is known. With `isLast`, no further one will follow soon.
   * @param {string} fen
   * @param {string} evaluation
   * @param {Report} report
   */
  put(fen, evaluation, report, isLast = false) {
    const key = keyOf(fen, evaluation);
    const [best] = report.lines;
    if (!best || best.bound) return;
    if ((this.#known.get(key)?.depth ?? 0) > report.depth) return;
    const { depth, seldepth, nodes } = report;
    const lines = report.lines.map(({ score, wdl, bound, uci, san }) => ({ score, wdl, bound, uci: uci.slice(0, MAX_PLIES), san: san.slice(0, MAX_PLIES) }));
    const kept = { depth, seldepth, nodes, lines };
    this.#known.set(key, kept);
    const now = performance.now();
    if (!isLast && this.#written.key === key && now - this.#written.time < INTERVAL) return;
    this.#written = { key, time: now };
    this.#stored.put(key, kept);
  }
}

/**
 * The position of a FEN without the counters of moves, and the evaluation.
 * @param {string} fen
 * @param {string} evaluation
 */
const keyOf = (fen, evaluation) => [...fen.split(" ").slice(0, 4), evaluation].join(" ");
