// The texts of the page in its language, in its scripts and in the document.

import { WORDS } from "#shared/words.js";
import { language, ownTexts } from "./languages.js";

/** @typedef {typeof import("./texts-en.js").EN} Texts */

/** @type {Texts} */
export const texts = await ownTexts;

Object.assign(WORDS, texts.words);

/** The attributes of the document that name a text, each with what the text becomes. */
const PLACES = { "data-text": "", "data-label": "aria-label", "data-title": "title", "data-placeholder": "placeholder" };

/**
 * The text of a name such as "play.hint".
 * @param {Texts} catalogue
 * @param {string} name
 */
export function textOf(catalogue, name) {
  const found = name.split(".").reduce((/** @type {any} */ part, key) => part?.[key], catalogue);
  if (typeof found !== "string") throw new RangeError(name);
  return found;
}

/** Writes the texts into the document. That of an element with children comes first. */
export function fillDocument() {
  document.documentElement.lang = language;
  for (const [place, attribute] of Object.entries(PLACES)) {
    for (const element of document.querySelectorAll(`[${place}]`)) {
      const text = textOf(texts, element.getAttribute(place) ?? "");
      if (attribute) element.setAttribute(attribute, text);
      else element.prepend(text);
    }
  }
}
