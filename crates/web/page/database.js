// Databases of the browser, by idb.

import { openDB } from "./idb.js";

/**
 * Returns a function that opens a database at its first call, and again after the database could not be opened or the browser has closed it.
 * @param {string} name
 * @param {(created: IDBDatabase) => void} upgrade creates the object stores
 * @returns {() => Promise<any>} the database of idb
 */
export function lazyDatabase(name, upgrade) {
  /** @type {Promise<any> | undefined} */
  let database;
  const forget = () => { database = undefined; };
  return () => {
    const opening = (database ??= openDB(name, 1, { upgrade, terminated: forget }));
    opening.catch(forget);
    return opening;
  };
}
