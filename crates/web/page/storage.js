// The storage of the browser: of this tab for a reload, and of all tabs for the next visit.

/** The name of the page's data, which changes with its format. */
export const STORAGE = "tabiya.page.v1";

/** The stored data, or null; `isOwn` is true if this tab stored it, to which a game in progress belongs then. */
export function readStored() {
  const own = sessionStorage.getItem(STORAGE);
  return { data: JSON.parse(own ?? localStorage.getItem(STORAGE) ?? "null"), isOwn: own !== null };
}

/** @param {object} data */
export function writeStored(data) {
  const text = JSON.stringify(data);
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.setItem(STORAGE, text);
    } catch {
      // Full or forbidden. An older game must not come back in place of this one.
      storage.removeItem(STORAGE);
    }
  }
}
