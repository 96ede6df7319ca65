// The kind of a text that has been pasted or dropped.

/**
 * True if a text begins with the pieces of a FEN.
 * @param {string} text
 */
export const isPosition = (text) => /^[pnbrqkPNBRQK1-8/]{15,}( |$)/.test(text.trim());

/**
 * True if a text is a PGN: it has a tag or a numbered move.
 * @param {string} text
 */
export const isGame = (text) => !isPosition(text)
  && (/^\s*\[\w+\s+"/m.test(text) || /\b\d+\s*\.+\s*([KQRBN]?[a-h1-8]?x?[a-h][1-8]|[O0]-[O0])/.test(text));
