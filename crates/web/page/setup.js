// The editor of positions, and copies of the game.

import { gameLink, positionLink } from "./address.js";
import { INITIAL, fenFields, fromFen, isWhite, placement, sideOf } from "./chess.js";
import { announce, byId, copy, element, errorText, on, svgElement } from "./dom.js";
import { texts } from "./texts.js";
import { Tree } from "./tree.js";

const CASTLINGS = /** @type {const} */ (["K", "Q", "k", "q"]);

export class Setup {
  #app;
  /** The fields of the FEN but the placement. */
  #fields = fenFields("");
  #squares = fromFen(INITIAL);
  #piece = "";
  #isValid = true;
  /**
   * The node of the game whose position has been loaded.
   * @type {TreeNode | undefined}
   */
  #source;

  /** @param {PartOfPage<"drawBoard" | "fail" | "failAction" | "mayReplace" | "playFromHere" | "position" | "positionInfo" | "setTab" | "setTree" | "tree", "isOpen" | "request">} app */
  constructor(app) {
    this.#app = app;
    const tools = ["", ..."KQRBNPkqrbnp", "x"];
    for (const piece of tools) byId("palette").append(this.#tool(piece));
    byId("palette").addEventListener("keydown", (event) => {
      const step = /^Arrow(Right|Down)$/.test(event.key) ? 1 : /^Arrow(Left|Up)$/.test(event.key) ? -1 : 0;
      if (!step) return;
      event.preventDefault();
      const button = byId("palette").querySelectorAll("button")[(tools.indexOf(this.#piece) + step + tools.length) % tools.length];
      button.click();
      button.focus();
    });
    for (const letter of CASTLINGS) {
      const box = element("input", { type: "checkbox", id: `castling-${letter}` });
      box.addEventListener("change", () => this.#castlingChanged());
      byId("castling").append(element("label", {}, box, texts.setup.castlings[letter]));
    }
    on("turn", "change", () => {
      this.#fields[0] = byId("turn").value;
      this.#fields[2] = "-";
      this.#changed();
    });
    on("fen", "input", (event) => (event instanceof InputEvent && event.inputType === "insertFromPaste" ? this.#fenPasted() : this.#fenTyped()));
    on("setup-start", "click", () => this.#load(INITIAL));
    on("setup-clear", "click", () => this.#load("8/8/8/8/8/8/8/8 w - - 0 1"));
    on("setup-960", "click", async () => {
      const isUntouched = this.#watch();
      try {
        const { fen } = await app.engine.request("chess960", { number: Math.floor(Math.random() * 960) });
        if (isUntouched()) this.#load(fen);
      } catch (error) {
        app.failAction(error);
      }
    });
    on("setup-analyse", "click", () => this.#use("analyse"));
    on("setup-play", "click", () => this.#use("play"));
    on("copy-fen", "click", () => this.#copy("fen", () => this.fen));
    on("copy-link", "click", () => this.#copy("link", () => this.link));
    on("copy-pgn", "click", () => this.#copy("pgn", async () => (await app.engine.request("save", { game: app.tree.toJSON() })).pgn));
  }

  get fen() {
    return [placement(this.#squares), ...this.#fields].join(" ");
  }

  /** An address of this page that shows the game with its moves or, if the position has been edited, the position. */
  get link() {
    const { tree, positionInfo: info } = this.#app;
    return info?.fen === this.fen ? gameLink(tree) : positionLink(this.fen);
  }

  /** @param {string} piece */
  #tool(piece) {
    const name = piece === "" ? texts.setup.moveTool : piece === "x" ? texts.setup.removeTool : texts.board.piece(sideOf(piece), piece.toLowerCase());
    const button = element("button", { type: "button", role: "radio", "aria-checked": String(piece === ""), tabIndex: piece === "" ? 0 : -1, "aria-label": name, title: name });
    const icon = svgElement("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
    if (piece === "") icon.append(svgElement("path", { class: "tool", d: "M14 8l18 15-8 1.500 5 9-4 2-5-9-6 6z" }));
    else if (piece === "x") icon.append(svgElement("path", { class: "tool", d: "M13 13l19 19M32 13L13 32" }));
    else icon.append(svgElement("use", { href: `#piece-${piece.toLowerCase()}`, class: `${sideOf(piece)}-piece` }));
    button.append(icon);
    button.addEventListener("click", () => {
      this.#piece = piece;
      for (const other of byId("palette").querySelectorAll("button")) {
        other.setAttribute("aria-checked", String(other === button));
        other.tabIndex = other === button ? 0 : -1;
      }
    });
    return button;
  }

  enter() {
    const { positionInfo: info, tree } = this.#app;
    // What has been edited stays until another position is on the board.
    if (this.#source === tree.node) return;
    this.#source = tree.node;
    const isUntouched = this.#watch();
    if (info) return this.#load(info.fen);
    // The editor still shows another position, which nobody means to use.
    this.#setUsable(false);
    this.#app.position().then((found) => isUntouched() && this.#load(found.fen), (error) => {
      if (isUntouched()) this.#source = undefined;
      this.#app.fail(error);
    });
  }

  /** Returns a function that returns true until something is edited, or another position of the game takes the place of this one. */
  #watch() {
    const [source, text] = [this.#source, byId("fen").value];
    return () => source === this.#source && text === byId("fen").value;
  }

  moved() {
    // Not after the return of the connection, which must not undo what has been edited.
    if (this.#source !== this.#app.tree.node) this.enter();
    else if (!this.#isValid && this.#app.engine.isOpen) this.#changed(byId("fen").value);
  }

  /** @param {string} fen */
  #load(fen) {
    this.#squares = fromFen(fen);
    this.#fields = fenFields(fen);
    this.#changed();
  }

  #fenTyped() {
    const text = byId("fen").value.trim();
    if (!/^[pnbrqkPNBRQK1-8/]+(\s|$)/.test(text)) {
      byId("fen-error").textContent = texts.setup.notFen;
      return;
    }
    this.#squares = fromFen(text);
    this.#fields = fenFields(text);
    this.#changed(text);
  }

  /** Shows the position of a text as people copy it, or else the error of a typed one. */
  async #fenPasted() {
    const text = byId("fen").value;
    try {
      const { game } = await this.#app.engine.request("read", { text });
      const moves = game.nodes.slice(1).map(({ uci }) => uci);
      const { fen } = await this.#app.engine.request("position", { game: { start: game.start, moves } });
      if (byId("fen").value === text) this.#load(fen);
    } catch {
      this.#fenTyped();
    }
  }

  #castlingChanged() {
    this.#fields[1] = CASTLINGS.map((letter) => (byId(`castling-${letter}`).checked ? letter : "")).join("") || "-";
    this.#changed();
  }

  /**
   * A click on a square in the editor. Returns true if it has been used.
   * @param {number} index
   */
  squareChosen(index) {
    if (index < 0 || this.#piece === "") return false;
    const piece = this.#piece === "x" || this.#squares[index] === this.#piece ? "" : this.#piece;
    this.#edited(this.#squares.with(index, piece));
    return true;
  }

  /**
   * A piece has been dragged, perhaps off the board.
   * @param {number} from
   * @param {number} to
   */
  pieceMoved(from, to) {
    let squares = this.#squares.with(from, "");
    if (to >= 0) squares = squares.with(to, this.#squares[from]);
    this.#edited(squares);
  }

  /**
   * Takes over an edit of the board.
   * @param {Squares} squares
   */
  #edited(squares) {
    // Drops a right whose king or rook is gone or stands elsewhere. A right may be chosen before the last of its pieces is placed.
    const isKept = (/** @type {string} */ letter) => {
      const [before, after] = [this.#squares, squares].map((board) => castlingFiles(letter, board));
      return after !== "" && (before === "" || before === after);
    };
    this.#fields[1] = [...this.#fields[1]].filter(isKept).join("") || "-";
    this.#fields[2] = "-";
    this.#squares = squares;
    this.#changed();
  }

  /** Shows the position and asks the engine whether it is legal. */
  async #changed(typed = "") {
    if (!typed) byId("fen").value = this.fen;
    byId("turn").value = this.#fields[0] === "b" ? "b" : "w";
    for (const letter of CASTLINGS) byId(`castling-${letter}`).checked = this.#fields[1].includes(letter);
    this.#app.drawBoard();
    const { fen } = this;
    let message = "";
    try {
      await this.#app.engine.request("position", { game: { start: typed || fen } });
    } catch (error) {
      message = errorText(error);
    }
    if (fen !== this.fen) return;
    this.#isValid = message === "";
    byId("fen-error").textContent = message;
    this.#setUsable(this.#isValid);
  }

  /** @param {boolean} isUsable */
  #setUsable(isUsable) {
    for (const id of /** @type {const} */ (["setup-play", "setup-analyse", "copy-link"])) byId(id).disabled = !isUsable;
  }

  /** @param {string} tab */
  async #use(tab) {
    const app = this.#app;
    const [{ fen }, { tree }] = [this, app];
    if (app.positionInfo?.fen !== fen) {
      let legal;
      try {
        // Asks again, because the reply to the last edit may still be on its way.
        legal = await app.engine.request("position", { game: { start: fen } });
      } catch (error) {
        byId("fen-error").textContent = errorText(error);
        return;
      }
      if (fen !== this.fen || tree !== app.tree || !app.mayReplace()) return;
      app.setTree(new Tree(legal.fen));
    }
    app.setTab(tab);
    if (tab === "play") app.playFromHere();
  }

  /**
   * @param {keyof typeof texts.setup.copied} name
   * @param {() => string | Promise<string>} text
   */
  async #copy(name, text) {
    try {
      // `copy` must be called within the click.
      const isCopied = await copy(text());
      byId("setup-note").textContent = isCopied ? texts.setup.copied[name] : texts.setup.noCopy;
      announce(byId("setup-note").textContent);
    } catch (error) {
      this.#app.failAction(error);
    }
  }

  /** @returns {Overlay} */
  boardOverlay() {
    return { squares: this.#squares, isEditor: true, bar: null };
  }
}

/**
 * The files of the king and the rook of a castling right, as text; empty if one of them is missing. K and Q name the outermost rook on
 * their side of the king, as X-FEN has it, and other letters the rook's file.
 * @param {string} letter of a FEN
 * @param {Squares} squares
 */
function castlingFiles(letter, squares) {
  const [first, king, rook] = isWhite(letter) ? [56, "K", "R"] : [0, "k", "r"];
  const rank = squares.slice(first, first + 8);
  const from = rank.indexOf(king);
  const name = letter.toLowerCase();
  const at = name === "k" ? rank.lastIndexOf(rook) : name === "q" ? rank.indexOf(rook) : "abcdefgh".indexOf(name);
  const isThere = from >= 0 && rank[at] === rook && (name === "k" ? at > from : name === "q" ? at < from : true);
  return isThere ? `${from} ${at}` : "";
}
