// The storage of the browser: of this tab for a reload, and of all tabs for the next visit.

/** The name of the page's data, which changes with its format. */
export const STORAGE = "tabiya.page.v1";

/** The stored data, or null; `isOwn` is true if this tab stored it, to which a game in progress belongs then. */
export function readStored() {
  const own = sessionStorage.getItem(STORAGE);
  return { data: JSON.parse(own ?? localStorage.getItem(STORAGE) ?? "null"), isOwn: own !== null };
}

/**
 * Stores the data. A game that is too large is stored by its id only, without its moves.
 * @param {Record<string, unknown> & { tree: Record<string, unknown> }} data
 */
export function writeStored(data) {
  const { id, current } = data.tree;
  const texts = [data, { ...data, tree: { id, current } }].map((value) => JSON.stringify(value));
  for (const storage of [sessionStorage, localStorage]) {
    // Where neither can be stored, an older game must not come back in place of this one.
    if (!texts.some((text) => isStored(storage, text))) storage.removeItem(STORAGE);
  }
}

/**
 * Stores a text and returns true if there is room, and the browser allows it.
 * @param {Storage} storage
 * @param {string} text
 */
function isStored(storage, text) {
  try {
    storage.setItem(STORAGE, text);
    return true;
  } catch {
    return false;
  }
}
