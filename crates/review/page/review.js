// Shows the games of a report. The data is the JSON block of the page; its format is described in the Rust module
// tabiya_review::report. All texts of the games are inserted as text, never as markup. The page has the imported files in front of this one.

import { drawnArrow, drawnCoordinates, drawnPiece, drawnSquares, squareOrigin, SIZE } from "./shared/board-drawing.js";
import { byId, element, svgElement, switchTheme } from "./shared/elements.js";
import { GameList } from "./shared/game-list.js";
import { GameTree, playerName, tagValue } from "./shared/game-tree.js";
import { drawGraph, nodeAt } from "./shared/graph.js";
import { MoveList } from "./shared/move-list.js";
import { percentText, resultText, sanText, scoreText } from "./shared/notation.js";
import { describe, squareIndex } from "./shared/position.js";
import { summaryRows } from "./shared/summary.js";

const FORMAT = "tabiya-review";
const VERSION = 1;

// ---- The document. ----

/** @typedef {{ report: ReportData, game: ReportGame, tree: GameTree, isMain: Set<number>, node: number, isFlipped: boolean }} State */

/** The first game is opened at the start. */
const state = /** @type {State} */ ({ node: 0, isFlipped: false });
const moveList = new MoveList(byId("moves"), (node) => goTo(node));

/** True if the accuracy of a side was computed; it is not for a game whose players judged it. */
const isRated = (/** @type {SidePlay} */ side) => typeof side.accuracy === "number";
const titleOf = (/** @type {ReportGame} */ { tags, result }) => `${playerName(tags, "white")} – ${playerName(tags, "black")}  ${resultText(result)}`;

// ---- The list of games. ----

/** @type {GameList<ReportGame>} */
const gameList = new GameList({ list: byId("list"), filter: byId("filter"), count: byId("count"), more: byId("more") }, {
  text: (game) => [game.result, ...mistakeWords(game), ...game.tags.map(([, value]) => value)].join("\n"),
  label: gameLabel,
  choose: (index) => openGame(index),
});

/**
 * The kinds of mistakes in a game, by which it can be found.
 * @param {ReportGame} game
 */
function mistakeWords({ sides: { white, black } }) {
  const words = { inaccuracies: "inaccuracy", mistakes: "mistake", blunders: "blunder" };
  const kinds = /** @type {const} */ (["inaccuracies", "mistakes", "blunders"]);
  return kinds.filter((kind) => white[kind] + black[kind] > 0).map((kind) => words[kind]);
}

/** @param {ReportGame} game */
function gameLabel(game) {
  const { white, black } = game.sides;
  const accuracy = isRated(white) || isRated(black) ? `accuracy ${percentText(white.accuracy)} – ${percentText(black.accuracy)}` : "";
  const [event, date, round] = ["Event", "Date", "Round"].map((name) => tagValue(game.tags, name));
  return [
    titleOf(game),
    element("small", {}, [event, date, round && `round ${round}`].filter(Boolean).join(", ")),
    element("small", {}, [accuracy, `blunders ${white.blunders} – ${black.blunders}`].filter(Boolean).join(", ")),
  ];
}

// ---- A game. ----

/**
 * @param {number} index
 * @param {number} [wanted]
 */
function openGame(index, wanted) {
  const game = state.report.games[index];
  const node = wanted ?? game.analysis?.node ?? 0;
  const tree = GameTree.from(game);
  Object.assign(state, { game, tree, isMain: new Set(tree.mainline) });
  gameList.mark(index);
  byId("players").textContent = titleOf(game);
  byId("details").textContent = ["Event", "Site", "Date", "Round", "ECO", "Opening", "Variation", "TimeControl", "Termination", "Ending"]
    .map((name) => tree.tag(name)).filter(Boolean).join(" · ");
  byId("summary").tBodies[0].replaceChildren(...summaryRows(tree, game.sides));
  moveList.show(tree);
  // An analysed position has lines; a reviewed game has accuracy, a graph and bad moves.
  for (const id of ["summary", "graph", "mistake"]) byId(id).toggleAttribute("hidden", Boolean(game.analysis));
  byId("mistakes-title").textContent = game.analysis ? "Lines" : "Bad moves";
  byId("mistakes").replaceChildren(...(game.analysis ? lineItems() : mistakeItems()));
  byId("mistakes-title").hidden = byId("mistakes").childElementCount === 0;
  goTo(node < game.nodes.length ? node : 0);
}

/**
 * A button outside the list of moves that goes to a node.
 * @param {number} node
 * @param {string} label
 */
function linkTo(node, label, kind = "") {
  const button = element("button", { type: "button", className: `move ${kind}`.trim() }, label);
  button.addEventListener("click", () => goTo(node));
  return button;
}

/** The lines of an analysed position. */
function lineItems() {
  const { game, tree } = state;
  return (game.analysis?.lines ?? []).map(({ eval: value, nodes }) => {
    const moves = nodes.map((node, index) => {
      const isNumbered = index === 0 || tree.turn(node) === "black";
      return linkTo(node, `${isNumbered ? `${tree.number(node)} ` : ""}${tree.nodes[node].san}`);
    });
    return element("li", {}, element("strong", {}, scoreText(value)), element("small", {}, `depth ${value.depth}`), element("span", {}, ...moves));
  });
}

function mistakeItems() {
  const { tree } = state;
  return tree.mainline.filter((node) => tree.nodes[node].judgement).map((node) => {
    const data = tree.nodes[node];
    const before = scoreText(tree.nodes[data.parent].eval);
    const item = element("li", {}, linkTo(node, `${tree.number(node)} ${sanText(data)}`, data.judgement),
      element("small", {}, `${data.judgement}, ${before || "?"} → ${scoreText(data.eval) || resultText(tree.result)}`));
    if (data.best !== undefined) item.append(linkTo(data.best, `better: ${tree.nodes[data.best].san}`, "better"));
    return item;
  });
}

// ---- The current move. ----

/** @param {number} node */
function goTo(node) {
  const { tree, game } = state;
  state.node = node;
  moveList.mark(node);
  drawBoard();
  showGraph();
  byId("status").textContent = statusText();
  const isLast = tree.nodes[node].children.length === 0;
  byId("first").disabled = byId("previous").disabled = node === 0;
  byId("next").disabled = byId("last").disabled = isLast;
  byId("mistake").disabled = tree.nextMistake(node, 1) === undefined;
  try {
    history.replaceState(null, "", `#game=${game.number}&node=${node}`);
  } catch {
    // Not allowed in some embedded views.
  }
}

function statusText() {
  const { tree, node } = state;
  const data = tree.nodes[node];
  const value = scoreText(data.eval);
  if (node === 0) return `Start position ${value}`;
  const parts = [`${tree.number(node)} ${sanText(data)}`];
  if (data.judgement) parts.push(data.judgement);
  if (value) parts.push(`evaluation ${value}${data.eval?.depth ? ` at depth ${data.eval.depth}` : ""}`);
  if (data.best !== undefined) parts.push(`${tree.nodes[data.best].san} was best (green arrow)`);
  if (!state.isMain.has(node)) parts.push("variation");
  return parts.join(", ");
}

function drawBoard() {
  const { tree, game, node, isFlipped } = state;
  const board = byId("board");
  const squares = tree.squares(node);
  const { uci, best } = tree.nodes[node];
  const marked = uci ? [squareIndex(uci), squareIndex(uci.slice(2))] : [];
  /** @type {SVGElement[]} */
  const parts = drawnSquares(isFlipped);
  for (const index of marked) parts.push(svgElement("rect", { ...squareOrigin(index, isFlipped), width: SIZE, height: SIZE, class: "marked" }));
  parts.push(...drawnCoordinates(isFlipped));
  squares.forEach((piece, index) => {
    if (!piece) return;
    const { x, y } = squareOrigin(index, isFlipped);
    const drawn = drawnPiece(piece);
    drawn.setAttribute("transform", `translate(${x} ${y})`);
    parts.push(drawn);
  });
  const moves = game.analysis?.node === node ? game.analysis.lines.map((line) => line.nodes[0]) : [best];
  const arrows = moves.flatMap((move, index) => {
    const target = move === undefined ? "" : tree.nodes[move]?.uci;
    return target ? [drawnArrow(target, isFlipped, ["best", "second", "third"][Math.min(index, 2)])] : [];
  });
  // What the bad move allows.
  const threats = (tree.nodes[node].reason?.arrows ?? []).filter(({ kind }) => kind === "threat").map(({ uci: target }) => drawnArrow(target, isFlipped, "second"));
  // The best one on top.
  board.replaceChildren(...parts, ...threats, ...arrows.reverse());
  board.setAttribute("aria-label", `Board. ${describe(squares)}`);
  /** @type {Side[]} */
  const sides = isFlipped ? ["white", "black"] : ["black", "white"];
  ["top", "bottom"].forEach((id, row) => {
    const side = sides[row];
    byId(id).replaceChildren(element("span", {}, tree.player(side)), element("span", {}, isRated(game.sides[side]) ? `accuracy ${percentText(game.sides[side].accuracy)}` : ""));
  });
}

function showGraph() {
  const { tree, node } = state;
  drawGraph(byId("graph"), tree, tree.mainline.map((index) => tree.nodes[index].eval?.white), node);
}

// ---- Commands. ----

/** The node at which a variation leaves the game. */
function backToGame() {
  let { node } = state;
  while (!state.isMain.has(node)) node = state.tree.nodes[node].parent;
  return node;
}

/** Goes to a node, if there is one. */
const goToFound = (/** @type {number | undefined} */ node) => node !== undefined && goTo(node);

/** @type {Record<string, () => unknown>} */
const commands = {
  first: () => goTo(0),
  previous: () => state.node !== 0 && goTo(state.tree.nodes[state.node].parent),
  next: () => goToFound(state.tree.nodes[state.node].children[0]),
  last: () => goTo(state.tree.end(state.node)),
  mistake: () => goToFound(state.tree.nextMistake(state.node, 1)),
  previousMistake: () => goToFound(state.tree.nextMistake(state.node, -1)),
  flip: () => {
    state.isFlipped = !state.isFlipped;
    drawBoard();
  },
  back: () => goTo(backToGame()),
  nextGame: () => openNeighbour(1),
  previousGame: () => openNeighbour(-1),
};

/** @type {Record<string, string>} */
const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", n: "mistake", p: "previousMistake", f: "flip", Escape: "back", "[": "previousGame", "]": "nextGame",
};

/** @param {number} step */
function openNeighbour(step) {
  const index = gameList.neighbour(step);
  if (index !== undefined) openGame(index);
}

/** @param {OnElement<KeyboardEvent>} event */
function keyPressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  const command = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!command) return;
  event.preventDefault();
  commands[command]();
}

/** @param {string} message */
function fail(message) {
  byId("message").textContent = message;
  byId("message").hidden = false;
}

function start() {
  /** @type {ReportData} */
  let report;
  try {
    report = JSON.parse(byId("data").textContent ?? "");
  } catch {
    return fail("The data of this page is damaged.");
  }
  if (report.format !== FORMAT || report.version !== VERSION) return fail("The data of this page has an unknown format.");
  state.report = report;
  byId("title").textContent = report.title;
  byId("subtitle").textContent = `Analysis by ${report.generator}, ${report.search}`;
  if (report.omitted) fail(`${report.omitted.toLocaleString("en")} games are not on this page, because it would be too large. The PGN file has them.`);
  if (!report.games.length) return fail("There are no games.");
  byId("main").hidden = false;
  byId("main").classList.toggle("single", report.games.length === 1);
  for (const id of ["first", "previous", "next", "last", "mistake", "flip"]) byId(id).addEventListener("click", commands[id]);
  byId("theme").addEventListener("click", switchTheme);
  byId("graph").addEventListener("click", (event) => goTo(nodeAt(byId("graph"), state.tree, event)));
  document.addEventListener("keydown", keyPressed);
  addEventListener("resize", showGraph);
  const place = new URLSearchParams(location.hash.slice(1));
  const wanted = report.games.findIndex((game) => String(game.number) === place.get("game"));
  gameList.show(report.games);
  openGame(Math.max(wanted, 0), wanted < 0 ? undefined : Math.max(Math.trunc(Number(place.get("node"))) || 0, 0));
}

start();
