// Analysis: the engine's best lines, live.

import { byId, element, errorText, keepFocus } from "./dom.js";
import { moveText, otherSide, outcomeText, scoreText } from "./chess.js";
import { ConnectionLostError } from "./engine.js";
import { Evaluations } from "./evaluations.js";
import { tablebaseMoves } from "./tablebase-moves.js";
import { texts } from "./texts.js";

/** Longest analysis of a position, in milliseconds, so that a forgotten page does not search for ever. */
const MAX_TIME = 30 * 60 * 1000;

/** @typedef {import("./evaluations.js").Report} Report */

export class Analyse {
  isOn = true;
  #app;
  /** @type {Running<BestMove> | null} */
  #search = null;
  /**
   * The node that is analysed; its number could be that of another game.
   * @type {TreeNode | null}
   */
  #node = null;
  /** The evaluation that the search uses. An engine in this page may go on with another one. */
  #evaluation = "";
  /**
   * The last report of the search.
   * @type {SearchView | null}
   */
  #view = null;
  #viewIsThreat = false;
  /**
   * The report that was found before.
   * @type {Report | null}
   */
  #kept = null;
  #evaluations = new Evaluations();
  #isPressed = false;
  /** True if the lines are what the other side would play if it were its turn. */
  #isThreat = false;
  /** The places in the list of the lines that are shown in full. */
  #expanded = new Set();

  /** @param {PartOfPage<"drawBoard" | "isThinking" | "panel" | "playLine" | "positionInfo" | "save" | "tree", "isOpen" | "settings" | "start">} app */
  constructor(app) {
    this.#app = app;
    byId("analyse-toggle").addEventListener("click", () => {
      this.isOn = !this.isOn;
      this.#node = null;
      this.moved();
      app.save();
    });
    byId("threat").addEventListener("click", () => {
      this.#isThreat = !this.#isThreat;
      this.#node = null;
      this.moved();
    });
    byId("line-list").addEventListener("pointerdown", () => {
      this.#isPressed = true;
    });
    byId("line-list").addEventListener("keydown", (event) => {
      const { target } = event;
      if (!(target instanceof HTMLElement) || !target.matches(".move")) return;
      const sibling = event.key === "ArrowRight" ? target.nextElementSibling : event.key === "ArrowLeft" ? target.previousElementSibling : undefined;
      if (sibling === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      if (sibling instanceof HTMLElement) sibling.focus();
    });
    // The click follows the release.
    for (const name of ["pointerup", "pointercancel"]) {
      addEventListener(name, () => setTimeout(() => {
        this.#isPressed = false;
      }));
    }
    byId("lines").addEventListener("change", () => {
      this.#node = null;
      this.moved();
      app.save();
    });
  }

  enter() {
    this.#node = null;
    this.moved();
  }

  leave() {
    this.#stop();
  }

  /** The position has changed, or the connection has come back. */
  moved() {
    const { tree: { node }, engine, isThinking } = this.#app;
    byId("analyse-toggle").textContent = this.isOn ? texts.analyse.stop : texts.analyse.start;
    byId("analyse-toggle").setAttribute("aria-pressed", String(this.isOn));
    byId("threat").setAttribute("aria-pressed", String(this.#isThreat));
    this.#showTablebase();
    const { evaluation } = engine.settings;
    const isNew = node !== this.#node || evaluation !== this.#evaluation;
    if (!isNew && this.#search) return this.#recall(node);
    this.#stop();
    this.#node = node;
    this.#evaluation = evaluation;
    if (isNew) this.#view = this.#kept = null;
    this.#recall(node);
    this.#show();
    const { positionInfo: info } = this.#app;
    if (!this.isOn || !engine.isOpen || info?.result) return;
    // There is one search at a time, and the game goes first; its move calls this again.
    if (this.#isThreat && (info?.check || !info)) byId("analyse-stats").textContent = info ? texts.analyse.noThreat : "";
    else if (isThinking) byId("analyse-stats").textContent = texts.analyse.busy;
    else this.#start();
  }

  /**
   * Shows what an earlier analysis of the position has found, once its FEN is known.
   * @param {TreeNode} node
   */
  async #recall(node) {
    const { fen } = node.info ?? {};
    if (!fen || this.#kept || this.#isThreat) return;
    const evaluation = this.#evaluation;
    this.#kept = this.#evaluations.get(fen, evaluation) ?? null;
    if (this.#kept) return this.#show();
    const kept = await this.#evaluations.load(fen, evaluation);
    if (!kept || this.#node !== node || this.#evaluation !== evaluation || this.#isThreat) return;
    this.#kept = kept;
    this.#show();
    if (this.#app.panel === this) this.#app.drawBoard();
  }

  /** The lines to show: those of the search, unless a deeper one has found others before. */
  get #shown() {
    const [view, kept] = [this.#view, this.#kept];
    if (!view || !kept) return view ?? kept;
    const hasMore = view.lines.length > kept.lines.length;
    return view.depth >= kept.depth || (hasMore && kept.lines.length < Number(byId("lines").value)) ? view : kept;
  }

  async #start() {
    const app = this.#app;
    const { node } = app.tree;
    const isThreat = this.#isThreat;
    const game = app.tree.line();
    // An empty move passes.
    if (isThreat) game.moves.push("");
    const search = app.engine.start("search", { game, lines: Number(byId("lines").value), limit: { movetime: MAX_TIME } }, (view) => {
      if (this.#search !== search) return;
      this.#view = view;
      this.#viewIsThreat = isThreat;
      if (node.info && !isThreat) this.#evaluations.put(node.info.fen, this.#evaluation, view);
      this.#show();
      app.drawBoard();
    });
    this.#search = search;
    try {
      await search;
    } catch (error) {
      // After a loss the connection's return starts it again.
      if (!(error instanceof ConnectionLostError) && this.#node === node) byId("analyse-stats").textContent = errorText(error);
    }
    if (this.#search === search) this.#search = null;
  }

  #stop() {
    const { fen } = this.#node?.info ?? {};
    if (fen && this.#view && !this.#viewIsThreat) this.#evaluations.put(fen, this.#evaluation, this.#view, true);
    this.#search?.stop();
    this.#search = null;
  }

  /**
   * Additions to the board.
   * @returns {Overlay}
   */
  boardOverlay() {
    const lines = this.#node === this.#app.tree.node ? this.#shown?.lines ?? [] : [];
    // The best move last, so that it lies on top.
    const arrows = lines.slice(0, 3).map(({ uci }, index) => ({ uci: uci[0], kind: this.#isThreat ? "threat" : ["best", "second", "third"][index] })).slice(0, this.#isThreat ? 1 : 3).reverse();
    const best = this.#isThreat ? undefined : lines[0];
    const bar = best ? { white: (best.wdl[0] + best.wdl[1] / 2) / 1000, text: scoreText(best.score) } : null;
    return { arrows, bar };
  }

  #show() {
    const view = this.#shown;
    const count = Number(byId("lines").value);
    const lines = view?.lines.slice(0, count) ?? [];
    const { positionInfo: info } = this.#app;
    const list = byId("line-list");
    const items = lines.map((line, place) => this.#lineItem(line, place));
    // Empty rows keep the height, so that nothing jumps.
    while (items.length < count) items.push(element("li", { className: "empty" }, items.length === 0 && info?.outcome ? outcomeText(info.outcome) : ""));
    // A button that is replaced between its press and its release is not clicked.
    if (!this.#isPressed) keepFocus(list, () => list.replaceChildren(...items));
    byId("analyse-stats").textContent = this.#stats(view);
    const wdl = lines[0]?.wdl ?? [0, 1000, 0];
    byId("wdl").classList.toggle("unknown", !lines.length);
    byId("wdl").setAttribute("aria-label", lines.length ? texts.analyse.chances(wdl.map((value) => value / 10)) : texts.analyse.noChances);
    [...byId("wdl").querySelectorAll("div")].forEach((part, index) => {
      part.style.flexGrow = String(wdl[index]);
      part.textContent = lines.length && wdl[index] >= 120 ? `${texts.analyse.parts[index]} ${Math.round(wdl[index] / 10)} %` : "";
    });
  }

  /**
   * The progress of the search in words.
   * @param {Report | null} shown
   */
  #stats(shown) {
    if (!shown) return "";
    const view = this.#view;
    if (this.#isThreat) return texts.analyse.threatBy(otherSide(this.#app.tree.turn()), shown.depth);
    if (!view || shown !== view) return texts.analyse.foundBefore(shown.depth, shown.seldepth, view?.depth);
    return texts.analyse.depth(view.depth, view.seldepth, shortNumber(view.nodes), shortNumber(view.nps)) + (view.tb_hits ? texts.analyse.tableHits(view.tb_hits) : "");
  }

  /**
   * @param {Report["lines"][number]} line
   * @param {number} place in the list
   */
  #lineItem({ score, bound, uci, san }, place) {
    const app = this.#app;
    const { tree } = app;
    const { node } = tree;
    const value = element("span", { className: `value ${(score.cp ?? score.mate ?? 0) < 0 ? "black" : "white"}` }, (bound === "lower" ? "≥" : bound === "upper" ? "≤" : "") + scoreText(score));
    const moves = element("span", { className: "line" });
    const ply = tree.firstPly + node.ply + (this.#isThreat ? 1 : 0);
    san.forEach((text, index) => {
      const at = ply + index;
      const number = at % 2 === 0 ? `${at / 2 + 1}. ` : index === 0 ? `${(at + 1) / 2}… ` : "";
      const button = element("button", { type: "button", className: "move", tabIndex: index === 0 ? 0 : -1 }, number + moveText(text));
      // A threat cannot be played: it is not that side's turn.
      if (this.#isThreat) button.disabled = true;
      // A click before the next position's lines are shown is not meant for it.
      button.addEventListener("click", () => node === app.tree.node && app.playLine(uci.slice(0, index + 1), san.slice(0, index + 1)));
      moves.append(button, " ");
    });
    const isExpanded = this.#expanded.has(place);
    const expand = element("button", { type: "button", className: "expand", "aria-expanded": String(isExpanded), "aria-label": texts.analyse.wholeLine, title: texts.analyse.wholeLine }, isExpanded ? "▴" : "▾");
    expand.addEventListener("click", () => {
      if (!this.#expanded.delete(place)) this.#expanded.add(place);
      this.#isPressed = false;
      this.#show();
    });
    return element("li", { className: isExpanded ? "expanded" : "" }, value, moves, expand);
  }

  #showTablebase() {
    const { legal = [], tablebase: table } = this.#app.positionInfo ?? {};
    byId("tablebase").hidden = byId("tablebase-moves").hidden = !table;
    const moves = table ? tablebaseMoves(legal, this.#app.tree.turn(), ({ uci, san }) => this.#app.playLine([uci], [san])) : [];
    keepFocus(byId("tablebase-moves"), () => byId("tablebase-moves").replaceChildren(...moves));
    if (!table) return;
    const result = texts.tablebase.results[table.result] + (table.would_win ? texts.tablebase.wouldWin(table.would_win) : "");
    byId("tablebase").textContent = texts.tablebase.verdict(result, Math.abs(table.dtz ?? 0));
  }
}

/**
 * Such as "1.2 M".
 * @param {number} value
 */
function shortNumber(value) {
  for (const [unit, name] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]])) {
    if (value >= unit) return `${texts.decimal(value / unit, value < 10 * unit ? 1 : 0)} ${name}`;
  }
  return String(value);
}
