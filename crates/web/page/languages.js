// The languages of the page: which one is shown, and the forms of numbers, dates and plurals.
//
// A language is a file such as texts-en.js with all texts, in the form of the English one, which `tsc` checks. To add another one,
// translate that file, write its `reasons` as texts-de.js does, and add it to `LANGUAGES`. The page loads the catalogue of its language only.

/** The languages of the page; the first one is for browsers whose languages it does not have. */
export const LANGUAGES = {
  en: { name: "English", user: "You", load: async () => (await import("./texts-en.js")).EN },
  de: { name: "Deutsch", user: "Du", load: async () => (await import("./texts-de.js")).DE },
};
/** @typedef {keyof typeof LANGUAGES} Language */

/** The names by which the languages call the user as a player. */
export const userNames = Object.values(LANGUAGES).map(({ user }) => user);

/** The key under which the browser keeps the chosen language. */
const STORED = "tabiya.language";

/**
 * The language of the page: the chosen one, or else the first of the browser's that the page has, or else the first of the page's.
 * @template {string} Name
 * @param {Name[]} available
 * @param {string | null} chosen
 * @param {readonly string[]} preferred such as "de-AT"
 * @returns {Name}
 */
export function pickLanguage(available, chosen, preferred) {
  const wanted = [chosen ?? "", ...preferred].map((name) => name.toLowerCase().split("-")[0]);
  return wanted.flatMap((name) => available.filter((one) => one === name))[0] ?? available[0];
}

/** The language that the user has chosen, or null. */
export function chosenLanguage() {
  try {
    return localStorage.getItem(STORED);
  } catch {
    // Forbidden, or not in a browser.
    return null;
  }
}

/**
 * Keeps the choice of a language; an empty one leaves it to the browser.
 * @param {string} name
 */
export function chooseLanguage(name) {
  try {
    if (name) localStorage.setItem(STORED, name);
    else localStorage.removeItem(STORED);
  } catch { /* Forbidden. */ }
}

/**
 * The language of the page. The unit tests have no document and read English.
 * @type {Language}
 */
export const language = typeof document === "undefined" ? "en" : pickLanguage(/** @type {Language[]} */ (Object.keys(LANGUAGES)), chosenLanguage(), navigator.languages);

/**
 * The catalogue of the language, which is loaded beside the scripts that need it.
 * @type {Promise<typeof import("./texts-en.js").EN>}
 */
export const ownTexts = LANGUAGES[language].load();

/**
 * Functions that write numbers, dates and counted words of a language.
 * @param {Language} name
 */
export function formats(name) {
  // Made when they are used: the first ones take as long as drawing the board.
  /** @type {Intl.PluralRules | undefined} */
  let rules;
  /** @type {Intl.NumberFormat | undefined} */
  let whole;
  const number = (/** @type {number} */ value) => (whole ??= new Intl.NumberFormat(name)).format(value);
  return {
    number,
    decimal: (/** @type {number} */ value, /** @type {number} */ digits) => value.toLocaleString(name, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
    date: (/** @type {number} */ time) => new Date(time).toLocaleDateString(name, { day: "numeric", month: "short", year: "numeric" }),
    list: (/** @type {string[]} */ parts) => new Intl.ListFormat(name, { type: "disjunction" }).format(parts),
    /** A number with the form of the word that belongs to it. */
    count: (/** @type {number} */ value, /** @type {{ one: string, other: string }} */ forms) => `${number(value)} ${(rules ??= new Intl.PluralRules(name)).select(value) === "one" ? forms.one : forms.other}`,
  };
}
