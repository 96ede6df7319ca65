// Values that the browser keeps of recent work, in IndexedDB. The oldest are dropped, and a failure loses convenience only.

import { lazyDatabase } from "./database.js";

const VALUES = "values";

export class Recent {
  #open;
  #limit;

  /**
   * @param {string} name name of the database
   * @param {number} limit number of values
   */
  constructor(name, limit) {
    this.#open = lazyDatabase(name, (created) => created.createObjectStore(VALUES, { keyPath: "key" }).createIndex("time", "time"));
    this.#limit = limit;
  }

  /**
   * The value of a key; undefined if there is none.
   * @param {string} key
   */
  async get(key) {
    try {
      return (await (await this.#open()).get(VALUES, key))?.value;
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps a value, in place of an older one of this key.
   * @param {string} key
   * @param {unknown} value
   */
  async put(key, value) {
    try {
      const { store, done } = (await this.#open()).transaction(VALUES, "readwrite");
      // The failure of a request is that of the transaction, too.
      done.catch(() => {});
      await store.put({ key, time: Date.now(), value });
      if (await store.count() > this.#limit) await this.#dropOldest(store);
      await done;
    } catch {
      // Full or forbidden.
    }
  }

  /**
   * Removes a tenth of the values.
   * @param {any} store of idb
   */
  async #dropOldest(store) {
    let cursor = await store.index("time").openCursor();
    for (let count = 0; cursor && count < Math.max(this.#limit / 10, 1); count++) {
      await cursor.delete();
      cursor = await cursor.continue();
    }
  }
}
