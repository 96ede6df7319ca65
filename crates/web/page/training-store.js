// The exercises that come back after days, and the puzzles that have been solved, in IndexedDB.

import { lazyDatabase } from "./database.js";
import { newSchedule } from "./repetition.js";

const NAME = "tabiya.training";
const CARDS = "cards";
const SOLVED = "solved";

export class TrainingStore {
  #open = lazyDatabase(NAME, (created) => {
    created.createObjectStore(CARDS, { keyPath: "id" });
    created.createObjectStore(SOLVED);
  });

  /**
   * Adds exercises that are due at once. One that is known keeps its schedule.
   * @param {Exercise[]} exercises
   */
  async add(exercises, now = Date.now()) {
    const transaction = (await this.#open()).transaction(CARDS, "readwrite");
    // The failure of a request is that of the transaction, too.
    transaction.done.catch(() => {});
    const known = new Set(await transaction.store.getAllKeys());
    await Promise.all(exercises.flatMap((exercise) => (known.has(exercise.id) ? [] : [transaction.store.put({ ...exercise, schedule: newSchedule(now) })])));
    await transaction.done;
  }

  /** @param {Card} card */
  async put(card) {
    await (await this.#open()).put(CARDS, card);
  }

  /**
   * All exercises, the one that is due first in front.
   * @returns {Promise<Card[]>}
   */
  async all() {
    /** @type {Card[]} */
    const cards = await (await this.#open()).getAll(CARDS);
    return cards.sort((one, other) => one.schedule.due - other.schedule.due);
  }

  /**
   * Notes that the puzzle with this start position has been solved.
   * @param {string} start
   */
  async setSolved(start, now = Date.now()) {
    await (await this.#open()).put(SOLVED, now, start);
  }

  /** @returns {Promise<Set<string>>} start positions */
  async solved() {
    return new Set(await (await this.#open()).getAllKeys(SOLVED));
  }
}
