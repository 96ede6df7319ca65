// The board: drawing, and moves by drag, click and keyboard.

import { SIZE, drawnArrow, drawnCoordinates, drawnPiece, drawnSquares, squareOrigin } from "#shared/board-drawing.js";
import { announce, element, svgElement } from "./dom.js";
import { colorOf } from "./drawings.js";
import { describe, describeSquare, sideOf, squareIndex, squareName } from "./chess.js";
import { texts } from "./texts.js";

/**
 * @typedef {{ flipped: boolean, last: number[], check: number, arrows: Arrow[], marks: { square: string, kind: string }[],
 *   labels: { square: string, text: string, kind: string }[], circles: Circle[] }} View
 */

/** @typedef {{ id: number, from: number, to: number, color: string }} Drawing */

/**
 * @typedef {object} Listeners
 * @property {(move: BoardMove) => unknown} onMove
 * @property {(from: number, to: number) => unknown} [onEdit]
 * @property {(square: number) => boolean} [onSquare]
 * @property {() => unknown} [onDenied]
 * @property {(from: string, to: string, color: string) => unknown} [onDraw]
 * @property {() => unknown} [onCancel]
 */

/** Pointer movement in pixels that turns a click into a drag. */
const DRAG_THRESHOLD = 5;

/** @typedef {"squares" | "marks" | "coordinates" | "pieces" | "labels" | "arrows" | "front"} Layer */

export class Board {
  isEditor = false;
  #container;
  #svg;
  /** @type {Record<Layer, SVGElement>} */
  #layers;
  /** @type {Map<number, SVGElement>} */
  #pieces = new Map();
  /** @type {Squares} */
  #squares = Array(64).fill("");
  /**
   * The legal moves by start and end.
   * @type {Map<number, Map<number, BoardMove[]>>}
   */
  #targets = new Map();
  /** @type {View} */
  #view = { flipped: false, last: [], check: -1, arrows: [], marks: [], labels: [], circles: [] };
  #selected = -1;
  /** False while the engine has not sent the legal moves. */
  #areTargetsKnown = true;
  /**
   * The squares chosen while the legal moves were unknown, at most the last two.
   * @type {number[]}
   */
  #awaited = [];
  /** True if a piece was dropped on the last of them. */
  #isAwaitedDrop = false;
  #cursor = -1;
  /** @type {{ id: number, square: number, wasSelected: boolean, x: number, y: number, isMoving: boolean } | null} */
  #drag = null;
  /** @type {HTMLElement | null} */
  #promotionDialog = null;
  /**
   * The arrow that the user is drawing: its pointer, start, end and colour.
   * @type {Drawing | null}
   */
  #drawing = null;
  /**
   * The element that had the focus before the promotion dialog.
   * @type {Element | null}
   */
  #focusBefore = null;

  /**
   * `onMove` gets a legal move or a premove; `onDraw` two squares and the letter of a colour; `onCancel` is called if a move is given up;
   * `onDenied` is called if a piece is touched and no move is possible at all; `onEdit`, in an editor, two squares, the second being −1 outside the board.
   * @param {HTMLElement} container
   * @param {Listeners} listeners
   */
  constructor(container, { onMove, onEdit, onSquare, onDenied, onDraw, onCancel }) {
    this.#container = container;
    this.onMove = onMove;
    this.onEdit = onEdit;
    this.onSquare = onSquare;
    this.onDenied = onDenied;
    this.onDraw = onDraw;
    this.onCancel = onCancel;
    this.#svg = svgElement("svg", { viewBox: "0 0 360 360", tabindex: "0", role: "application", "aria-roledescription": texts.board.role, "aria-describedby": "board-text" });
    const layer = (/** @type {Layer} */ name) => svgElement("g", { class: `layer-${name}` });
    this.#layers = {
      squares: layer("squares"), marks: layer("marks"), coordinates: layer("coordinates"), pieces: layer("pieces"), labels: layer("labels"),
      arrows: layer("arrows"), front: layer("front"),
    };
    this.#svg.append(...Object.values(this.#layers));
    this.text = element("p", { id: "board-text", className: "visually-hidden" });
    container.append(this.#svg, this.text);
    this.#drawSquares();
    const svg = this.#svg;
    svg.addEventListener("pointerdown", (event) => this.#pointerDown(event));
    svg.addEventListener("pointermove", (event) => this.#pointerMoved(event));
    svg.addEventListener("pointerup", (event) => this.#pointerUp(event));
    svg.addEventListener("pointercancel", (event) => {
      if (this.#drag?.id === event.pointerId) this.#endDrag();
      this.#draw(null);
    });
    svg.addEventListener("contextmenu", (event) => event.preventDefault());
    // A click must not take the arrow keys from the list of moves.
    svg.addEventListener("mousedown", (event) => event.preventDefault());
    svg.addEventListener("keydown", (event) => this.#keyPressed(event));
    svg.addEventListener("focus", () => this.#showCursor());
    svg.addEventListener("blur", () => this.#showCursor());
  }

  /**
   * Shows a position. `legal` has the moves that the user may make, or is null while they are unknown.
   * @param {Partial<View> & { squares: Squares, legal?: BoardMove[] | null, label?: string }} position
   */
  show({ squares, legal = [], circles = [], label = texts.board.role, ...view }) {
    const wasFlipped = this.#view.flipped;
    this.#view = { flipped: wasFlipped, last: [], check: -1, arrows: [], marks: [], labels: [], circles, ...view };
    this.#setTargets(legal ?? []);
    this.#areTargetsKnown = legal !== null;
    const isNew = squares.some((piece, index) => piece !== this.#squares[index]);
    // The board is also shown again when only arrows have changed, which must not disturb a move that is being made.
    if (isNew || !legal?.length) this.#closePromotionDialog();
    if (isNew && this.#drag) this.#endDrag();
    if (isNew || !this.#targets.has(this.#selected)) this.#selected = -1;
    if (this.#view.flipped !== wasFlipped) this.#drawSquares();
    this.#drawPieces(squares, this.#view.flipped === wasFlipped);
    this.#drawMarks();
    this.#drawArrows();
    this.#svg.setAttribute("aria-label", label);
    this.#svg.classList.toggle("active", this.#targets.size > 0 || this.isEditor);
    if (isNew) this.text.textContent = describe(squares);
    if (isNew || this.isEditor) this.#awaited = [];
    if (!this.#areTargetsKnown) return;
    if (this.#drag && !this.isEditor && !this.#targets.has(this.#drag.square)) this.#endDrag();
    // A move shows another position, which must wait until this one is shown completely.
    queueMicrotask(() => this.#chooseAwaited());
  }

  /**
   * Groups the legal moves by start and end. Castling may also be made to the king's new square.
   * @param {BoardMove[]} legal
   */
  #setTargets(legal) {
    this.#targets.clear();
    const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {BoardMove} */ move) => {
      const ends = this.#targets.get(from) ?? new Map();
      this.#targets.set(from, ends);
      ends.set(to, [...(ends.get(to) ?? []), move]);
    };
    const castlings = legal.filter((move) => move.san.startsWith("O-O"));
    for (const move of legal) add(squareIndex(move.uci), squareIndex(move.uci.slice(2)), move);
    for (const move of castlings) {
      const from = squareIndex(move.uci);
      const to = from - (from % 8) + (move.san.startsWith("O-O-O") ? 2 : 6);
      // In Chess960 this may be an ordinary king move, which it then remains.
      if (to !== from && !this.#targets.get(from)?.has(to)) add(from, to, move);
    }
  }

  /** @param {number} index */
  #squareOrigin(index) {
    return squareOrigin(index, this.#view.flipped);
  }

  #drawSquares() {
    this.#layers.squares.replaceChildren(...drawnSquares(this.#view.flipped));
    this.#layers.coordinates.replaceChildren(...drawnCoordinates(this.#view.flipped));
  }

  /**
   * Draws the pieces. A piece that has moved keeps its element, so that it glides.
   * @param {Squares} squares
   * @param {boolean} isAnimated
   */
  #drawPieces(squares, isAnimated) {
    const previous = this.#pieces;
    this.#pieces = new Map();
    /** @type {number[]} */
    const missing = [];
    squares.forEach((piece, index) => {
      if (!piece) return;
      const kept = previous.get(index);
      if (kept && kept.dataset.piece === piece) {
        previous.delete(index);
        this.#pieces.set(index, kept);
        if (!kept.classList.contains("dragged")) this.#moveTo(kept, index, false);
      } else {
        missing.push(index);
      }
    });
    for (const index of missing) {
      const piece = squares[index];
      const source = isAnimated ? [...previous].filter(([, old]) => old.dataset.piece === piece).sort(([a], [b]) => distance(a, index) - distance(b, index))[0] : undefined;
      const drawn = source ? source[1] : this.#newPiece(piece);
      if (source) previous.delete(source[0]);
      else this.#layers.pieces.append(drawn);
      this.#moveTo(drawn, index, Boolean(source) && !drawn.classList.contains("dropped"));
      drawn.classList.remove("dropped");
      this.#pieces.set(index, drawn);
    }
    for (const old of previous.values()) old.remove();
    this.#squares = squares;
  }

  /** @param {string} piece */
  #newPiece(piece) {
    const drawn = drawnPiece(piece);
    drawn.dataset.piece = piece;
    return drawn;
  }

  /**
   * @param {SVGElement} drawn
   * @param {number} index
   * @param {boolean} isAnimated
   */
  #moveTo(drawn, index, isAnimated) {
    const { x, y } = this.#squareOrigin(index);
    drawn.classList.toggle("gliding", isAnimated);
    if (isAnimated) this.#layers.pieces.append(drawn);
    drawn.style.transform = `translate(${x}px, ${y}px)`;
  }

  #drawMarks() {
    const { last, check, marks, labels } = this.#view;
    const square = (/** @type {number} */ index, /** @type {string} */ kind) => svgElement("rect", { ...this.#squareOrigin(index), width: SIZE, height: SIZE, class: kind });
    /** @type {SVGElement[]} */
    const parts = last.map((index) => square(index, "last"));
    for (const { square: name, kind } of marks) parts.push(square(squareIndex(name), `mark ${kind}`));
    if (check >= 0) parts.push(square(check, "check"));
    if (this.#selected >= 0) {
      parts.push(square(this.#selected, "selected"));
      for (const to of this.#targets.get(this.#selected)?.keys() ?? []) {
        const { x, y } = this.#squareOrigin(to);
        const attributes = { cx: x + SIZE / 2, cy: y + SIZE / 2 };
        parts.push(this.#squares[to] ? svgElement("circle", { ...attributes, r: 19.5, class: "capture" }) : svgElement("circle", { ...attributes, r: 7, class: "target" }));
      }
    }
    this.#layers.marks.replaceChildren(...parts);
    this.#layers.labels.replaceChildren(...labels.map(({ square: name, text, kind }) => {
      const { x, y } = this.#squareOrigin(squareIndex(name));
      const label = svgElement("g", { class: `label ${kind}` });
      label.append(svgElement("rect", { x: x + 20, y: y + 34, width: 24, height: 10.5, rx: 3 }), svgElement("text", { x: x + 32, y: y + 42, "text-anchor": "middle" }, text));
      return label;
    }));
    this.#showCursor();
  }

  #drawArrows() {
    const { arrows, circles, flipped } = this.#view;
    this.#layers.arrows.replaceChildren(...circles.map(({ square, kind }) => this.#drawnCircle(square, kind)), ...arrows.filter(({ uci }) => uci).map(({ uci, kind }) => drawnArrow(uci, flipped, kind)));
  }

  /**
   * @param {number} square
   * @param {string} kind
   */
  #drawnCircle(square, kind) {
    const { x, y } = this.#squareOrigin(square);
    return svgElement("circle", { cx: x + SIZE / 2, cy: y + SIZE / 2, r: 20, class: `ring ${kind}` });
  }

  // ---- Moves. ----

  /**
   * @param {number} from
   * @param {number} to
   * @param {boolean} isDrop
   */
  #tryMove(from, to, isDrop) {
    const moves = this.#targets.get(from)?.get(to);
    this.#selected = -1;
    this.#drawMarks();
    if (!moves) return;
    if (isDrop && !moves[0].isPremove) this.#pieces.get(from)?.classList.add("dropped");
    if (moves.length === 1) this.onMove(moves[0]);
    else this.#choosePromotion(to, moves);
  }

  /**
   * @param {number} to
   * @param {BoardMove[]} moves
   */
  #choosePromotion(to, moves) {
    this.#closePromotionDialog();
    const { x, y } = this.#squareOrigin(to);
    const piece = this.#squares[squareIndex(moves[0].uci)];
    this.#focusBefore = document.activeElement;
    let isPressed = false;
    const buttons = ["q", "r", "b", "n"].flatMap((kind) => {
      const move = moves.find(({ uci }) => uci[4] === kind);
      if (!move) return [];
      const button = element("button", { type: "button", "aria-label": texts.words.pieces[kind] });
      const icon = svgElement("svg", { viewBox: "0 0 45 45", "aria-hidden": "true" });
      icon.append(svgElement("use", { href: `#piece-${kind}`, class: `${sideOf(piece)}-piece` }));
      button.append(icon);
      button.addEventListener("click", ({ detail }) => {
        // The click of the tap that has opened the dialog goes to the button below the finger. Keys have no detail.
        if (detail > 0 && !isPressed) return;
        this.#closePromotionDialog();
        this.onMove(move);
      });
      return [button];
    });
    const dialog = element("div", { className: "promotion", role: "dialog", "aria-modal": "true", "aria-label": texts.board.promotion }, ...buttons);
    dialog.style.left = `${Math.min(x, 360 - SIZE) / 3.6}%`;
    if (y < 180) dialog.style.top = "0";
    else dialog.style.bottom = "0";
    dialog.addEventListener("pointerdown", () => { isPressed = true; });
    dialog.addEventListener("keydown", (event) => {
      event.stopPropagation();
      /** @type {Record<string, number>} */
      const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1, Tab: event.shiftKey ? -1 : 1 };
      const step = steps[event.key];
      if (event.key === "Escape") this.#closePromotionDialog();
      if (!step) return;
      event.preventDefault();
      buttons[(buttons.findIndex((button) => button === document.activeElement) + step + buttons.length) % buttons.length].focus();
    });
    this.#promotionDialog = dialog;
    this.#container.append(dialog);
    buttons[0].focus({ preventScroll: true });
  }

  /** Closes the dialog for whatever reason. The focus returns to where it was: to the board, if the keyboard is used. */
  #closePromotionDialog() {
    const dialog = this.#promotionDialog;
    if (!dialog) return;
    this.#promotionDialog = null;
    const hadFocus = dialog.contains(document.activeElement);
    dialog.remove();
    if (hadFocus && (this.#focusBefore instanceof HTMLElement || this.#focusBefore instanceof SVGElement)) this.#focusBefore.focus({ preventScroll: true });
    this.#focusBefore = null;
  }

  // ---- The user's arrows. ----

  /**
   * Shows the arrow or circle that is being drawn; null ends it.
   * @param {Drawing | null} drawing
   */
  #draw(drawing) {
    this.#drawing = drawing;
    this.#drawArrows();
    if (!drawing || drawing.to < 0) return;
    const kind = "user new";
    this.#layers.arrows.append(drawing.from === drawing.to
      ? this.#drawnCircle(drawing.from, kind)
      : drawnArrow(squareName(drawing.from) + squareName(drawing.to), this.#view.flipped, kind));
  }

  /** @param {Drawing} drawing */
  #endDrawing({ from, to, color }) {
    this.#draw(null);
    if (to >= 0) this.onDraw?.(squareName(from), squareName(to), color);
  }

  // ---- The pointer. ----

  /** @param {MouseEvent} event */
  #squareAt(event) {
    const box = this.#svg.getBoundingClientRect();
    const [file, rank] = [Math.floor(((event.clientX - box.left) / box.width) * 8), Math.floor(((event.clientY - box.top) / box.height) * 8)];
    if (file < 0 || file > 7 || rank < 0 || rank > 7) return -1;
    const shown = rank * 8 + file;
    return this.#view.flipped ? 63 - shown : shown;
  }

  /** @param {PointerEvent} event */
  #pointerDown(event) {
    if (event.button === 2 && this.onDraw && !this.isEditor && !this.#drag) {
      const from = this.#squareAt(event);
      this.#awaited = [];
      this.onCancel?.();
      this.#svg.setPointerCapture(event.pointerId);
      this.#draw({ id: event.pointerId, from, to: from, color: colorOf(event) });
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    if (this.#promotionDialog) {
      this.#closePromotionDialog();
      return;
    }
    const square = this.#squareAt(event);
    if (this.isEditor) {
      if (this.onSquare?.(square)) return;
      if (this.#squares[square]) this.#startDrag(event, square, false);
      return;
    }
    const wasSelected = this.#selected === square;
    if (this.#selected >= 0 && !wasSelected && this.#targets.get(this.#selected)?.has(square)) {
      this.#tryMove(this.#selected, square, false);
      return;
    }
    if (!this.#areTargetsKnown) {
      this.#await(square);
      if (this.#squares[square]) this.#startDrag(event, square, false);
      return;
    }
    this.#selected = this.#targets.has(square) ? square : -1;
    if (this.#selected < 0) this.onCancel?.();
    this.#drawMarks();
    if (this.#targets.size === 0 && this.#squares[square]) this.onDenied?.();
    if (this.#selected >= 0) this.#startDrag(event, square, wasSelected);
  }

  /**
   * @param {PointerEvent} event
   * @param {number} square
   * @param {boolean} wasSelected
   */
  #startDrag(event, square, wasSelected) {
    this.#drag = { id: event.pointerId, square, wasSelected, x: event.clientX, y: event.clientY, isMoving: false };
    this.#svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #pointerMoved(event) {
    if (this.#drawing?.id === event.pointerId) {
      const to = this.#squareAt(event);
      if (to !== this.#drawing.to) this.#draw({ ...this.#drawing, to });
      return;
    }
    const drag = this.#drag;
    // Another finger on the board changes nothing.
    if (!drag || drag.id !== event.pointerId) return;
    if (!drag.isMoving && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_THRESHOLD) return;
    const piece = this.#pieces.get(drag.square);
    if (!piece) return;
    if (!drag.isMoving) {
      drag.isMoving = true;
      piece.classList.remove("gliding");
      piece.classList.add("dragged");
      this.#layers.front.append(piece);
    }
    const box = this.#svg.getBoundingClientRect();
    const scale = 360 / box.width;
    piece.style.transform = `translate(${(event.clientX - box.left) * scale - SIZE / 2}px, ${(event.clientY - box.top) * scale - SIZE / 2}px)`;
  }

  /** @param {PointerEvent} event */
  #pointerUp(event) {
    if (this.#drawing?.id === event.pointerId) return this.#endDrawing(this.#drawing);
    const drag = this.#drag;
    if (!drag || drag.id !== event.pointerId) return;
    const to = this.#squareAt(event);
    const { isMoving, square, wasSelected } = drag;
    this.#endDrag();
    if (this.isEditor) {
      if (isMoving && to !== square) this.onEdit?.(square, to);
      return;
    }
    if (isMoving && to !== square) {
      if (this.#areTargetsKnown) return this.#tryMove(square, to, true);
      this.#awaited = [square, to];
      this.#isAwaitedDrop = true;
    } else if (wasSelected && !isMoving) {
      this.#selected = -1;
      this.#drawMarks();
    }
  }

  #endDrag() {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.isMoving) return;
    const piece = this.#pieces.get(drag.square);
    if (!piece) return;
    piece.classList.remove("dragged");
    this.#layers.pieces.append(piece);
    this.#moveTo(piece, drag.square, false);
  }

  // ---- The keyboard. ----

  /** @param {KeyboardEvent} event */
  #keyPressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    this.#initialiseCursor();
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const shown = this.#view.flipped ? 63 - this.#cursor : this.#cursor;
      const [file, rank] = [Math.min(Math.max((shown % 8) + step[0], 0), 7), Math.min(Math.max(Math.floor(shown / 8) + step[1], 0), 7)];
      this.#cursor = this.#view.flipped ? 63 - (rank * 8 + file) : rank * 8 + file;
      this.#showCursor();
      const canMove = this.#selected >= 0 && this.#targets.get(this.#selected)?.has(this.#cursor);
      announce(describeSquare(this.#squares, this.#cursor) + (canMove ? `, ${texts.board.possible}` : ""));
    } else if (event.key === "Enter" || event.key === " ") {
      this.#chooseSquare();
    } else if (event.key === "Escape") {
      if (this.#selected >= 0 || this.#awaited.length > 0) announce(texts.board.nothingSelected);
      this.#selected = -1;
      this.#awaited = [];
      this.#drawMarks();
      this.onCancel?.();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  #chooseSquare() {
    const square = this.#cursor;
    if (this.isEditor) {
      const isUsed = this.onSquare?.(square);
      announce(isUsed ? describeSquare(this.#squares, square) : texts.board.noTool);
    } else if (this.#selected >= 0 && this.#targets.get(this.#selected)?.has(square)) {
      this.#tryMove(this.#selected, square, false);
    } else if (this.#areTargetsKnown) {
      this.#select(square);
    } else {
      this.#await(square);
      announce(texts.board.waiting(describeSquare(this.#squares, square)));
    }
  }

  /**
   * Notes a square that is chosen before the legal moves are known.
   * @param {number} square
   */
  #await(square) {
    this.#awaited = [...this.#awaited.slice(-1), square];
    this.#isAwaitedDrop = false;
  }

  /** Makes the move that was chosen before the legal moves were known, or selects the last square that was chosen. */
  #chooseAwaited() {
    if (!this.#areTargetsKnown) return;
    const [last, before = -1] = this.#awaited.reverse();
    this.#awaited = [];
    if (last === undefined) return;
    if (this.#isAwaitedDrop || this.#targets.get(before)?.has(last)) this.#tryMove(before, last, false);
    else this.#select(last);
  }

  /**
   * Selects a square and announces the moves from it.
   * @param {number} square
   */
  #select(square) {
    if (!this.#targets.has(square)) {
      announce(texts.board.noMove(describeSquare(this.#squares, square)));
      this.onCancel?.();
      if (this.#targets.size === 0) this.onDenied?.();
      return;
    }
    this.#selected = square;
    this.#drawMarks();
    const ends = [...(this.#targets.get(square)?.keys() ?? [])].map(squareName).join(", ");
    announce(texts.board.selected(describeSquare(this.#squares, square), ends));
  }

  /** Puts the cursor on the pawn in front of the player's king if there is none yet. */
  #initialiseCursor() {
    if (this.#cursor < 0) this.#cursor = squareIndex(this.#view.flipped ? "e7" : "e2");
  }

  #showCursor() {
    this.#layers.front.querySelector(".cursor")?.remove();
    if (!this.#svg.matches(":focus-visible")) return;
    this.#initialiseCursor();
    const { x, y } = this.#squareOrigin(this.#cursor);
    this.#layers.front.append(svgElement("rect", { x: x + 1.5, y: y + 1.5, width: SIZE - 3, height: SIZE - 3, class: "cursor" }));
  }
}

/**
 * @param {number} a
 * @param {number} b
 */
function distance(a, b) {
  return Math.hypot((a % 8) - (b % 8), Math.floor(a / 8) - Math.floor(b / 8));
}
