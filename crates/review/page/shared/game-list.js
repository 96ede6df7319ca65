// A list of games, which a text field filters.

import { element, scrollTo } from "./elements.js";
import { WORDS } from "./words.js";

/** Games added to the list at once. */
const GAMES_AT_ONCE = 200;

/** @template Game */
export class GameList {
  #elements;
  #functions;
  /** @type {Game[]} */
  #games = [];
  /**
   * The text of each game in which the filter's words are looked for; undefined until it is needed.
   * @type {string[]}
   */
  #texts = [];
  /**
   * The games that the filter finds, as indices.
   * @type {number[]}
   */
  #matches = [];
  /** The number of matches in the list. */
  #listed = 0;
  #current = -1;

  /**
   * `elements` are the `list`, its `filter`, the `count` of games, and the button `more` for the rest of a long list. `functions` return the
   * `text` of a game to be filtered by and the content of its button, the `label`; `choose` gets the index of a game that is clicked.
   * @param {{ list: HTMLElement, filter: HTMLInputElement, count: HTMLElement, more: HTMLElement }} elements
   * @param {{ text(game: Game): string, label(game: Game): (Node | string)[], choose(index: number): unknown }} functions
   */
  constructor(elements, functions) {
    this.#elements = elements;
    this.#functions = functions;
    elements.filter.addEventListener("input", () => this.#filter());
    elements.more.addEventListener("click", () => this.#listMore());
  }

  /**
   * Lists games that the filter's words find.
   * @param {Game[]} games
   */
  show(games, filter = "") {
    this.#games = games;
    this.#texts = [];
    this.#current = -1;
    this.#elements.filter.value = filter;
    this.#filter();
  }

  /**
   * Marks the current game.
   * @param {number} index
   */
  mark(index) {
    this.#current = index;
    const { list } = this.#elements;
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const place = this.#matches.indexOf(index);
    const button = place < this.#listed ? list.children[place]?.firstElementChild : undefined;
    if (!button) return;
    button.setAttribute("aria-current", "true");
    if (button instanceof HTMLElement) scrollTo(list, button);
  }

  /**
   * The game that is so many places behind the current one in the list; undefined if there is none.
   * @param {number} step
   */
  neighbour(step) {
    return this.#matches[this.#matches.indexOf(this.#current) + step];
  }

  /** The games that the filter finds. */
  get found() {
    return this.#matches.map((index) => this.#games[index]);
  }

  #filter() {
    const { list, filter, count } = this.#elements;
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    this.#matches = [...this.#games.keys()].filter((index) => {
      this.#texts[index] ??= this.#functions.text(this.#games[index]).toLowerCase();
      return words.every((word) => this.#texts[index].includes(word));
    });
    this.#listed = 0;
    list.replaceChildren();
    this.#listMore();
    count.textContent = WORDS.games(this.#games.length, words.length ? this.#matches.length : undefined);
  }

  #listMore() {
    const { list, more } = this.#elements;
    const part = this.#matches.slice(this.#listed, this.#listed + GAMES_AT_ONCE);
    list.append(...part.map((index) => this.#item(index)));
    this.#listed += part.length;
    more.hidden = this.#listed === this.#matches.length;
  }

  /** @param {number} index */
  #item(index) {
    const button = element("button", { type: "button" }, ...this.#functions.label(this.#games[index]));
    if (index === this.#current) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => this.#functions.choose(index));
    return element("li", {}, button);
  }
}
