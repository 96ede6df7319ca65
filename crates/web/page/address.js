// Addresses of the page that show a position, or a game with its moves.

import { INITIAL } from "#shared/position.js";

/**
 * The address of a position.
 * @param {string} fen
 */
export function positionLink(fen) {
  const address = new URL(location.href);
  address.hash = `fen=${fen.replaceAll(" ", "_")}`;
  return address.href;
}

/**
 * The address of a game up to its current position and on to the end of this line. Without moves it is that of the position.
 * @param {import("./tree.js").Tree} tree
 */
export function gameLink(tree) {
  const line = tree.path(tree.end()).slice(1);
  if (!line.length) return positionLink(tree.start);
  const address = new URL(tree.start === INITIAL ? location.href : positionLink(tree.start));
  // A null move has no squares, and no SAN either.
  const moves = line.map((index) => (tree.nodes[index].uci ? tree.nodes[index].san.replace(/[+#]/g, "") : "--"));
  const parts = [tree.start === INITIAL ? "" : address.hash.slice(1), `moves=${moves.join("_")}`, tree.node.ply < line.length ? `at=${tree.node.ply}` : ""];
  address.hash = parts.filter(Boolean).join("&");
  return address.href;
}

/**
 * The position and the moves of an address: `fen` is empty for the initial position, and `pgn` without moves. Null if it has neither.
 * @param {string} hash
 */
export function readAddress(hash) {
  // A plus is a space to URLSearchParams.
  const values = new URLSearchParams(hash.slice(1).replaceAll("+", "%2B"));
  const [fen, moves] = [values.get("fen")?.replaceAll("_", " ") ?? "", values.get("moves") ?? ""];
  if (!fen && !moves) return null;
  const tags = fen ? `[SetUp "1"]\n[FEN "${fen.replace(/["\\\]]/g, "")}"]\n\n` : "";
  const pgn = moves ? `${tags}${moves.replaceAll("_", " ").replace(/[^\w =+#-]/g, "")} *` : "";
  return { fen, pgn, at: values.has("at") ? Number(values.get("at")) : undefined };
}
