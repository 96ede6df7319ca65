// Files of many games: the engine lists the games of one part after another.

/** Size of a part, in characters. The engine lists at most 2,000 games of a text. */
const PART = 1_000_000;

/**
 * Cuts a text before games, into parts of about `size` characters.
 * @param {string} text
 */
export function splitPgn(text, size = PART) {
  const parts = [];
  let start = 0;
  // A game begins with its tags after an empty line. Some files have empty lines between the tags of one game. So another tag than the
  // event begins a game only if the text before the empty line does not end with a tag.
  const beginning = /\n[ \t\r]*\n(?=\[Event ")|[^\]\s][ \t\r]*\n(?:[ \t\r]*\n)+(?=\[[A-Za-z]\w*[ \t]+")/g;
  for (;;) {
    beginning.lastIndex = start + size;
    const found = beginning.exec(text);
    const end = found ? found.index + found[0].length : text.length;
    parts.push(text.slice(start, end));
    if (!found) return parts;
    start = end;
  }
}

/**
 * The games of a text as the engine lists them, and the number of those that it has left out.
 * @param {{ request(type: "open", data: { pgn: string }): Promise<Replies["open"]> }} engine
 * @param {string} text
 * @param {(count: number) => void} onProgress gets the number of games after each part
 * @returns {Promise<Replies["open"]>}
 */
export async function readGames(engine, text, onProgress = () => {}, size = PART) {
  /** @type {OpenedGame[]} */
  const games = [];
  let omitted = 0;
  let problem;
  const parts = splitPgn(text, size);
  for (const part of parts) {
    if (!part.trim() && parts.length > 1) continue;
    try {
      const reply = await engine.request("open", { pgn: part });
      const finer = Math.ceil(part.length / 4);
      const canSplit = reply.omitted && splitPgn(part, finer).length > 1;
      const read = canSplit ? await readGames(engine, part, undefined, finer) : reply;
      for (const game of read.games) games.push(game);
      omitted += read.omitted;
    } catch (error) {
      // Such as a part without a game.
      problem = error;
      if ((error instanceof Error && error.name === "ConnectionLostError") || parts.length === 1) throw error;
    }
    if (parts.length > 1) onProgress(games.length);
  }
  if (!games.length && problem) throw problem;
  return { games, omitted };
}
