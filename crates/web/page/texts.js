// The texts of the page in its language, in its scripts and in the document.

import { WORDS } from "#shared/words.js";
import { chosenLanguage, pickLanguage } from "./languages.js";
import { DE } from "./texts-de.js";
import { EN } from "./texts-en.js";

/** @typedef {typeof EN} Texts */

/** The catalogues by language; the first one is for browsers whose languages the page does not have. */
export const CATALOGUES = { en: EN, de: DE };

const NAMES = /** @type {(keyof typeof CATALOGUES)[]} */ (Object.keys(CATALOGUES));

/** The language of the page. The unit tests have no document and read English. */
const language = typeof document === "undefined" ? NAMES[0] : pickLanguage(NAMES, chosenLanguage(), navigator.languages);

/** @type {Texts} */
export const texts = CATALOGUES[language];

/** The names by which the catalogues call the user as a player. */
export const USER_NAMES = Object.values(CATALOGUES).map(({ play }) => play.you);

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
