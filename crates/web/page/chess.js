// Boards, without the rules of the game: the engine supplies legal moves. A board is an array of 64 FEN letters, empty for no
// piece. Index 0 is a8.

export const INITIAL = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
export const PIECE_NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
/** ASCII for the glyphs that many fonts lack. */
export const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 7: "□", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N" };

export function fromFen(fen) {
  const squares = [];
  for (const letter of fen.split(" ")[0].replaceAll("/", "")) {
    if (letter >= "1" && letter <= "8") squares.push(...Array(Number(letter)).fill(""));
    else squares.push(letter);
  }
  return squares.concat(Array(64).fill("")).slice(0, 64);
}

/** The piece placement of a FEN. */
export function placement(squares) {
  const ranks = [];
  for (let rank = 0; rank < 8; rank++) {
    ranks.push(squares.slice(rank * 8, rank * 8 + 8).map((piece) => piece || "1").join("").replace(/1+/g, (run) => run.length));
  }
  return ranks.join("/");
}

export const squareIndex = (name) => (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
export const squareName = (index) => "abcdefgh"[index % 8] + (8 - Math.floor(index / 8));
export const isWhite = (piece) => piece !== "" && piece === piece.toUpperCase();
export const sideOf = (piece) => (isWhite(piece) ? "white" : "black");

/** The board after a move; castling is "king takes own rook". */
export function play(squares, uci) {
  if (!uci) return squares;
  const next = squares.slice();
  const [from, to] = [squareIndex(uci), squareIndex(uci.slice(2))];
  const [piece, target] = [next[from], next[to]];
  const kind = piece.toLowerCase();
  next[from] = "";
  if (kind === "k" && target !== "" && isWhite(target) === isWhite(piece)) {
    const rank = from - (from % 8);
    next[to] = "";
    next[rank + (to > from ? 6 : 2)] = piece;
    next[rank + (to > from ? 5 : 3)] = target;
    return next;
  }
  // En passant.
  if (kind === "p" && from % 8 !== to % 8 && target === "") next[from - (from % 8) + (to % 8)] = "";
  const promotion = uci[4];
  next[to] = promotion ? (isWhite(piece) ? promotion.toUpperCase() : promotion) : piece;
  return next;
}

/** The position in words. */
export function describe(squares) {
  const side = (wanted) => ["k", "q", "r", "b", "n", "p"]
    .flatMap((kind) => squares.flatMap((piece, index) => (piece && isWhite(piece) === wanted && piece.toLowerCase() === kind ? [`${PIECE_NAMES[kind]} ${squareName(index)}`] : [])))
    .join(", ");
  return `White: ${side(true) || "nothing"}. Black: ${side(false) || "nothing"}.`;
}

/** A piece on a square in words. */
export function describeSquare(squares, index) {
  const piece = squares[index];
  return `${squareName(index)}, ${piece ? `${sideOf(piece)} ${PIECE_NAMES[piece.toLowerCase()]}` : "empty"}`;
}

/** A score such as "+0.35" or "#3". */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined) return `#${score.mate}`.replace("-", "−");
  if (score.cp === undefined) return "";
  return (score.cp > 0 ? "+" : score.cp < 0 ? "−" : "") + (Math.abs(score.cp) / 100).toFixed(2);
}

/** The captured material of each side: pieces that it has more of than the other, and the balance in pawns. */
export function materialBalance(squares) {
  const values = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 };
  const count = {};
  for (const piece of squares) if (piece) count[piece.toLowerCase()] = (count[piece.toLowerCase()] ?? 0) + (isWhite(piece) ? 1 : -1);
  const more = { white: "", black: "" };
  let balance = 0;
  for (const kind of "qrbnp") {
    const surplus = count[kind] ?? 0;
    balance += surplus * values[kind];
    more[surplus > 0 ? "white" : "black"] += kind.repeat(Math.abs(surplus));
  }
  return { more, balance };
}

export const resultText = (result) => result.replace("1/2-1/2", "½–½").replace("-", "–");
