// The games that the browser keeps, in IndexedDB: what was played, opened or analysed, also if it has been deleted from the list.

import { lazyDatabase } from "./database.js";
import { errorText } from "./dom.js";
import { texts } from "./texts.js";

/**
 * A kept game: its tree, or the text of a PGN that has not been changed since it was opened.
 * @typedef {object} KeptGame
 * @property {string} id
 * @property {number} version number of changes
 * @property {GameData} [tree] as of `Tree.toJSON`
 * @property {KeptPlay} [play] the game in progress
 * @property {string} [pgn]
 */

/**
 * An object store of idb.
 * @template Entry
 * @typedef {{ get(id: string): Promise<Entry | undefined>, getAll(): Promise<Entry[]>, getAllKeys(): Promise<string[]>, put(entry: Entry): Promise<unknown>, delete(id: string): Promise<void> }} Objects
 */

/** @typedef {{ get(store: string, id: string): Promise<any>, getAll(store: string): Promise<any[]>, transaction(stores: string | string[], mode: string): any }} Database */

const NAME = "tabiya";
/** Summaries are apart from the games, so that the list is read quickly. */
const SUMMARIES = "summaries";
const GAMES = "games";

/**
 * The opening that the tags of a PGN name.
 * @param {string} pgn
 */
export const openingOf = (pgn) => ["ECO", "Opening"].map((tag) => pgn.match(new RegExp(`^\\[${tag} "([^"?]+)"`, "m"))?.[1]).filter(Boolean).join(" ");

export class Store {
  /** Tells the other tabs and this page that the list has changed. */
  #channel = new BroadcastChannel("tabiya.games");
  onChange = () => {};
  /** @type {() => Promise<Database>} */
  #open = lazyDatabase(NAME, (created) => {
    created.createObjectStore(SUMMARIES, { keyPath: "id" });
    created.createObjectStore(GAMES, { keyPath: "id" });
  });

  constructor() {
    this.#channel.addEventListener("message", () => this.onChange());
  }

  #changed() {
    this.#channel.postMessage("changed");
    this.onChange();
  }

  /**
   * Runs a function on the summaries and the games in one transaction, which becomes void if the function fails.
   * @template Result
   * @param {(summaries: Objects<KeptSummary>, games: Objects<KeptGame>) => Promise<Result>} change
   * @returns {Promise<Result>}
   */
  async #write(change) {
    const transaction = (await this.#open()).transaction([SUMMARIES, GAMES], "readwrite");
    try {
      const result = await change(transaction.objectStore(SUMMARIES), transaction.objectStore(GAMES));
      await transaction.done;
      this.#changed();
      return result;
    } catch (error) {
      // A failed request may have aborted it already.
      transaction.done.catch(() => {});
      try {
        transaction.abort();
      } catch { /* It has ended. */ }
      throw error;
    }
  }

  /**
   * Keeps a game. If another tab has changed it since `game.version`, both are kept: this one under a new id.
   * @param {KeptGame} game
   * @param {Omit<KeptSummary, "id" | "changed">} summary
   * @returns {Promise<{ id: string, version: number }>}
   */
  put(game, summary) {
    return this.#write(async (summaries, games) => {
      const known = await games.get(game.id);
      // A tab that ended before it noted the version, and comes back.
      if (known && JSON.stringify(known.tree) === JSON.stringify(game.tree) && Boolean(known.play) === Boolean(game.play)) return { id: game.id, version: known.version };
      const id = known && known.version !== game.version ? newId() : game.id;
      const version = game.version + 1;
      await games.put({ ...game, id, version });
      await summaries.put({ ...summary, id, changed: Date.now() });
      return { id, version };
    });
  }

  /**
   * The kept games that may be among the games of a PGN although their ids are not made from its texts: they were played or changed here.
   * @param {OpenedGame[]} list
   */
  async changedLike(list) {
    const key = (/** @type {GameSummary} */ { players, event, date, result, plies }) => JSON.stringify([players, event, date, result, plies]);
    const keys = new Set(list.map(key));
    const own = new Set(list.map(({ pgn }) => textId(pgn)));
    const similar = (await this.list()).filter((summary) => keys.has(key(summary)) && !own.has(summary.id));
    return (await this.getSome(similar.map(({ id }) => id))).flatMap((game) => (game?.tree ? [{ id: game.id, tree: game.tree }] : []));
  }

  /**
   * Adds games of a PGN. A game that is kept already stays as it is, with its notes, and is restored if it was deleted. Returns the ids.
   * `changed` has the ids of games that were played or changed here, by those of their texts.
   * @param {OpenedGame[]} list
   * @param {Map<string, string>} changed
   */
  add(list, changed = new Map()) {
    const ids = list.map(({ pgn }) => textId(pgn)).map((id) => changed.get(id) ?? id);
    const now = Date.now();
    return this.#write(async (summaries, games) => {
      const known = new Set(await games.getAllKeys());
      await Promise.all(list.map(async ({ players, event, date, result, plies, pgn }, index) => {
        const id = ids[index];
        if (known.has(id)) return setDeleted(summaries, id, false);
        known.add(id);
        const opening = openingOf(pgn);
        // The first game of a file comes first in the list.
        return Promise.all([games.put({ id, version: 0, pgn }), summaries.put({ id, players, event, date, result, plies, opening, changed: now - index / 1000 })]);
      }));
      return ids;
    });
  }

  /**
   * @param {string} id
   * @returns {Promise<KeptGame | undefined>}
   */
  async get(id) {
    return (await this.#open()).get(GAMES, id);
  }

  /**
   * Several games in one transaction, which is much faster than one for each.
   * @param {string[]} ids
   * @returns {Promise<(KeptGame | undefined)[]>}
   */
  async getSome(ids) {
    const { store } = (await this.#open()).transaction(GAMES, "readonly");
    return Promise.all(ids.map((id) => store.get(id)));
  }

  /**
   * The summaries of all games, the latest first.
   * @returns {Promise<KeptSummary[]>}
   */
  async list() {
    /** @type {KeptSummary[]} */
    const all = await (await this.#open()).getAll(SUMMARIES);
    return all.sort((one, other) => other.changed - one.changed);
  }

  /**
   * Marks a game as deleted, or with `isDeleted` false as not deleted.
   * @param {string} id
   * @param {boolean} isDeleted
   */
  setDeleted(id, isDeleted) {
    return this.#write((summaries) => setDeleted(summaries, id, isDeleted));
  }

  /**
   * Removes those of the games for good that are deleted.
   * @param {string[]} ids
   */
  removeDeleted(ids) {
    const chosen = new Set(ids);
    return this.#write(async (summaries, games) => {
      const deleted = (await summaries.getAll()).filter((summary) => summary.deleted && chosen.has(summary.id));
      await Promise.all(deleted.flatMap(({ id }) => [summaries.delete(id), games.delete(id)]));
    });
  }
}

/**
 * Marks the summary of a game as deleted or as not deleted.
 * @param {Objects<KeptSummary>} summaries
 * @param {string} id
 * @param {boolean} isDeleted
 */
async function setDeleted(summaries, id, isDeleted) {
  const summary = await summaries.get(id);
  if (summary && Boolean(summary.deleted) !== isDeleted) await summaries.put({ ...summary, deleted: isDeleted ? Date.now() : undefined });
}

/** An id that no other game has. `crypto.randomUUID` is missing on pages without TLS. */
export const newId = () => [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");

/**
 * The id of an unchanged PGN: 64 bits of FNV-1a, so that a file that is opened twice has its games once.
 * @param {string} text
 */
export function textId(text) {
  const bytes = new TextEncoder().encode(text);
  const hashes = [0x811c9dc5, 0x9747b28c].map((seed) => bytes.reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193), seed) >>> 0);
  return `pgn-${hashes.map((hash) => hash.toString(36)).join("-")}`;
}

/**
 * An error of the storage in words.
 * @param {unknown} error
 */
export function storageProblem(error) {
  return error instanceof DOMException && error.name === "QuotaExceededError"
    ? texts.games.full
    : texts.games.notKept(errorText(error));
}
