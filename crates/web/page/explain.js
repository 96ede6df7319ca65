// The evaluations in detail: terms as bars, features as marks on the board.

import { scoreText, sideOf } from "./chess.js";
import { byId, element } from "./dom.js";
import { leadText, largestTerms } from "./explain-words.js";
import { texts } from "./texts.js";

/** @type {FeatureName[]} */
const MARKS = ["passed", "isolated", "doubled", "holes", "king_danger", "hanging"];

export class Explain {
  #app;
  /** @type {Explanation | null} */
  #reply = null;
  /**
   * The node that is explained, and the one that the last reply is about.
   * @type {TreeNode | null}
   */
  #node = null;
  /** @type {TreeNode | null} */
  #shown = null;
  /**
   * The terms of the summary.
   * @type {ReturnType<typeof largestTerms>}
   */
  #largestTerms = [];

  /** @param {PartOfPage<"drawBoard" | "fail" | "save" | "tree", "isOpen" | "request">} app */
  constructor(app) {
    this.#app = app;
    for (const name of /** @type {const} */ (["matters", ...MARKS, "values"])) {
      const [label, hint] = texts.explain.markTexts[name];
      const box = element("input", { type: "checkbox", id: `mark-${name}`, checked: name === "matters" });
      box.addEventListener("change", () => {
        app.drawBoard();
        app.save();
      });
      byId("marks").append(element("label", { className: `chip ${name}`, title: hint }, box, label));
    }
  }

  get settings() {
    return Object.fromEntries([...byId("marks").querySelectorAll("input")].map((box) => [box.id, box.checked]));
  }

  set settings(values) {
    for (const [id, isChecked] of Object.entries(values ?? {})) {
      const box = document.getElementById(id);
      if (box instanceof HTMLInputElement) box.checked = isChecked;
    }
  }

  enter() {
    this.#node = null;
    this.moved();
  }

  async moved() {
    const app = this.#app;
    const { node } = app.tree;
    if (node === this.#node || !app.engine.isOpen) return;
    this.#node = node;
    try {
      const reply = await app.engine.request("explain", { game: app.tree.line() });
      if (node !== app.tree.node) return;
      this.#reply = reply;
      this.#shown = node;
      this.#show();
      app.drawBoard();
    } catch (error) {
      this.#node = null;
      app.fail(error);
    }
  }

  #show() {
    if (!this.#reply) return;
    const { value, phase, scale, known, terms, network, classic } = this.#reply;
    const best = network?.value ?? value;
    byId("verdict").textContent = texts.explain.verdict(Boolean(network), scoreText({ cp: best }), leadText(best));
    this.#largestTerms = largestTerms(terms);
    const items = this.#largestTerms.map(({ text, difference }) => element("li", {}, element("span", { className: `value ${difference > 0 ? "white" : "black"}` }, scoreText({ cp: difference })), text));
    byId("mattering").replaceChildren(...items);
    byId("mattering").hidden = !items.length;
    const parts = [texts.explain.sum(scoreText({ cp: value }))];
    if (known) parts.push(texts.explain.known);
    if (scale !== null && scale !== undefined) parts.push(texts.explain.drawish(Math.round(scale * 100)));
    parts.push(phase > 0.85 ? texts.explain.middlegame : phase < 0.15 ? texts.explain.endgame : texts.explain.between(Math.round((1 - phase) * 100)));
    parts.push(texts.explain.classic(scoreText({ cp: classic.value })));
    byId("explain-numbers").textContent = parts.join(" ");
    const largest = Math.max(50, ...terms.map(({ white, black }) => Math.abs(white - black)));
    const sorted = terms.toSorted((one, other) => Math.abs(other.white - other.black) - Math.abs(one.white - one.black));
    byId("terms").tBodies[0].replaceChildren(...sorted.map(({ name, white, black }) => {
      const difference = white - black;
      const bar = element("div", { className: `balance ${difference > 0 ? "white" : "black"}` });
      const part = element("div", {});
      part.style.width = `${(Math.abs(difference) / largest) * 50}%`;
      bar.append(part);
      return element("tr", {}, element("th", { scope: "row" }, texts.explain.terms[name] ?? name), element("td", {}, bar), element("td", {}, scoreText({ cp: difference })));
    }));
  }

  /**
   * Additions to the board.
   * @returns {Overlay}
   */
  boardOverlay() {
    if (!this.#reply || this.#shown !== this.#app.tree.node) return { bar: null };
    const { marks: found, network, classic, value, white } = this.#reply;
    const ofSummary = new Set(byId("mark-matters").checked ? this.#largestTerms.flatMap(({ marks: names }) => names) : []);
    /** @type {Required<Overlay>["marks"]} */
    const marks = [];
    for (const name of MARKS) {
      if (!byId(`mark-${name}`).checked && !ofSummary.has(name)) continue;
      for (const side of /** @type {Side[]} */ (["white", "black"])) for (const square of found[side][name]) marks.push({ square, kind: name });
    }
    const pieces = byId("mark-values").checked ? (network ?? classic).pieces : [];
    const labels = pieces.map(({ square, piece, value: ofPiece }) => ({ square, text: (Math.abs(ofPiece) / 100).toFixed(1), kind: sideOf(piece) }));
    return { marks, labels, bar: { white, text: scoreText({ cp: network?.value ?? value }) } };
  }
}
