// The words of the shared modules, in English. A page in another language replaces them when it starts.

const pluralRules = new Intl.PluralRules("en");

export const WORDS = {
  /** @type {Sides<string>} */
  sides: { white: "White", black: "Black" },
  /** @type {Record<string, string>} */
  pieces: { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" },
  /** The letters of king, queen, rook, bishop and knight in moves. */
  letters: "KQRBN",
  /** @type {Record<Judgement, string>} */
  judgements: { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
  nothing: "nothing",
  noMoves: "No moves yet.",
  /**
   * A comment of a move as it is shown. Those of a review are in English.
   * @type {(comment: string, node: Pick<NodeData, "judgement" | "reason">) => string}
   */
  remark: (comment) => comment,
  /** The length of a list of games; `found` of them if a filter is set. */
  games: (/** @type {number} */ total, /** @type {number | undefined} */ found) => {
    const games = `${total.toLocaleString("en")} ${pluralRules.select(total) === "one" ? "game" : "games"}`;
    return found === undefined ? games : `${found.toLocaleString("en")} of ${games}`;
  },
  /** A share of a hundred, with one decimal. */
  percent: (/** @type {number} */ value) => `${value.toFixed(1)} %`,
};
