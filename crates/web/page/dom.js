// Helpers for the page.

import { byId, element } from "#shared/elements.js";

export * from "#shared/elements.js";

/** @type {Timer} */
let announcement;

/**
 * Tells a screen reader, also if the text is the same as before. Of several texts at once, the last is read.
 * @param {string} text
 */
export function announce(text) {
  byId("announcer").textContent = "";
  clearTimeout(announcement);
  announcement = setTimeout(() => {
    byId("announcer").textContent = text;
  }, 50);
}

/**
 * Calls a function when the changes of the page are on the screen, so that they do not wait for it.
 * @param {() => void} action
 */
export const afterFrame = (action) => requestAnimationFrame(() => setTimeout(action));

/**
 * Calls a function at an event of the element with this id.
 * @param {string} id
 * @param {string} name
 * @param {(event: Event) => unknown} action
 */
export const on = (id, name, action) => byId(id).addEventListener(name, action);

/** An error in words. */
export const errorText = (/** @type {unknown} */ error) => (error instanceof Error ? error.message : String(error ?? ""));

/**
 * What a message is about: something that the user has done, or a state.
 * @typedef {"action" | "another-tab" | "connection" | "import" | "reading" | "storage"} Cause
 */

/**
 * The messages that have not ended, by their causes.
 * @type {Map<Cause, string>}
 */
const messages = new Map();

/** Shows the last message above the board. */
function drawMessage() {
  const text = [...messages.values()].at(-1) ?? "";
  const place = byId("message").firstElementChild;
  if (place) place.textContent = text;
  byId("message").hidden = !text;
}

/**
 * Shows a message above the board, and scrolls to it. It stays until it is closed or its cause ends.
 * @param {string} text
 * @param {Cause} because
 */
export function showMessage(text, because = "action") {
  // At the end of the map.
  messages.delete(because);
  messages.set(because, text);
  drawMessage();
  scrollTo({ top: 0 });
}

/**
 * Hides the message of a cause. That of an action ends when the user goes on.
 * @param {Cause} because
 */
export function endMessage(because) {
  if (messages.delete(because)) drawMessage();
}

/** Hides the message that is shown. */
export function closeMessage() {
  for (const because of [...messages.keys()].slice(-1)) endMessage(because);
}

/**
 * The place of the keyboard's focus among the buttons of a list that has lost them.
 * @type {{ list: Element, place: number } | null}
 */
let lostFocus = null;

/**
 * Replaces the buttons of a list. The keyboard's focus stays at its place; while the list has no buttons, it waits for the next ones.
 * @param {Element} list
 * @param {() => void} replace
 */
export function keepFocus(list, replace) {
  const buttons = () => [...list.querySelectorAll("button")];
  const place = buttons().findIndex((button) => button.matches(":focus-visible"));
  if (place >= 0) lostFocus = { list, place };
  replace();
  if (lostFocus?.list !== list || !buttons().length) return;
  // Otherwise the user has moved the focus elsewhere.
  if (document.activeElement === document.body) (buttons()[lostFocus.place] ?? buttons().at(-1)).focus({ preventScroll: true });
  lostFocus = null;
}

/** Scrolls to the board and to the top of the panel, which may be scrolled apart on a phone. */
export function scrollToBoard() {
  scrollTo({ top: 0 });
  byId("side").scrollTop = 0;
}

/**
 * Offers a text as a file.
 * @param {string} name
 * @param {string} text
 * @param {string} type
 */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = element("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Copies a text and returns true if the browser allows it. Throws if there is no text.
 * @param {string | Promise<string>} text
 */
export async function copy(text) {
  try {
    // Safari refuses a text that comes after the click unless it is promised within it.
    const blob = async () => new Blob([await text], { type: "text/plain" });
    if ("ClipboardItem" in globalThis) await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob() })]);
    else await navigator.clipboard.writeText(await text);
    return true;
  } catch {
    // Without a secure context, as from another machine of the local network.
    const area = element("textarea", { value: await text, className: "visually-hidden" });
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    return isCopied;
  }
}
