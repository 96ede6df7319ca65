// Shows the games of a report. The data is the JSON block of the page; its format is described in the Rust module
// tabiya_review::report. All texts of the games are inserted as text, never as markup.

const FORMAT = "tabiya-review";
const VERSION = 1;
/** Games added to the list at once. */
const PAGE_SIZE = 200;

// ---- Games. ----

/** Computes the tree of a game: parents, children, plies and positions by node. */
function prepare(game) {
  const [, turn, , , , number] = game.start.split(" ");
  const count = game.nodes.length;
  const tree = { parents: [-1], children: Array.from({ length: count }, () => []), plies: [0], positions: [fromFen(game.start)] };
  // The number of plies before White's first move, so that ply 0 is before move 1.
  tree.firstPly = ((Number(number) || 1) - 1) * 2 + (turn === "b" ? 1 : 0);
  for (let index = 1; index < count; index++) {
    const parent = game.nodes[index].parent ?? index - 1;
    tree.parents[index] = parent;
    tree.children[parent].push(index);
    tree.plies[index] = tree.plies[parent] + 1;
    tree.positions[index] = play(tree.positions[parent], game.nodes[index].uci);
  }
  tree.mainline = [0];
  while (tree.children[tree.mainline.at(-1)].length) tree.mainline.push(tree.children[tree.mainline.at(-1)][0]);
  tree.isMain = new Set(tree.mainline);
  return tree;
}

/** The number before a move, such as "12." or "12...". */
function moveNumber(tree, node) {
  const ply = tree.firstPly + tree.plies[node] - 1;
  return Math.floor(ply / 2) + 1 + (ply % 2 ? "..." : ".");
}

function isBlackMove(tree, node) {
  return (tree.firstPly + tree.plies[node]) % 2 === 0;
}

function glyphs(node) {
  return (node.nags ?? []).map((nag) => NAG_SYMBOLS[nag] ?? `$${nag}`).join(" ");
}

function evalText(value) {
  if (!value) return "";
  if (value.mate !== undefined) return `#${value.mate}`.replace("-", "−");
  if (value.cp === undefined) return "";
  const pawns = (Math.abs(value.cp) / 100).toFixed(2);
  return (value.cp > 0 ? "+" : value.cp < 0 ? "−" : "") + pawns;
}

function tag(game, name) {
  const value = game.tags.find(([existing]) => existing === name)?.[1] ?? "";
  return /^[?.]*$/.test(value) ? "" : value;
}

function playerName(game, side) {
  return tag(game, side === "white" ? "White" : "Black") || (side === "white" ? "White" : "Black");
}

function resultText(game) {
  return game.result.replace("1/2-1/2", "½–½").replace("-", "–");
}

function percent(value) {
  return value === null || value === undefined ? "–" : `${value.toFixed(1)} %`;
}

/** True if the accuracy of a side was computed; it is not for a game whose players judged it. */
const isRated = (side) => typeof side.accuracy === "number";

// ---- The document. ----

const state = { report: null, matches: [], listed: 0, index: 0, game: null, tree: null, node: 0, isFlipped: false };
/** The buttons of the moves, by node. */
let moveButtons = new Map();

// ---- The list of games. ----

function filterGames() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const { games } = state.report;
  state.matches = [...games.keys()].filter((index) => {
    const game = games[index];
    game.text ??= [game.result, ...mistakeWords(game), ...game.tags.map(([, value]) => value)].join("\n").toLowerCase();
    return words.every((word) => game.text.includes(word));
  });
  state.listed = 0;
  byId("list").replaceChildren();
  listMore();
  const total = games.length.toLocaleString("en");
  byId("count").textContent = words.length ? `${state.matches.length.toLocaleString("en")} of ${total} games` : `${total} games`;
}

/** The kinds of mistakes in a game, by which it can be found. */
function mistakeWords({ sides: { white, black } }) {
  const kinds = { inaccuracies: "inaccuracy", mistakes: "mistake", blunders: "blunder" };
  return Object.keys(kinds).filter((kind) => white[kind] + black[kind] > 0).map((kind) => kinds[kind]);
}

function listMore() {
  const end = Math.min(state.listed + PAGE_SIZE, state.matches.length);
  for (; state.listed < end; state.listed++) byId("list").append(listItem(state.matches[state.listed]));
  byId("more").hidden = state.listed >= state.matches.length;
}

function listItem(index) {
  const game = state.report.games[index];
  const { white, black } = game.sides;
  const accuracy = isRated(white) || isRated(black) ? `accuracy ${percent(white.accuracy)} – ${percent(black.accuracy)}` : "";
  const place = [tag(game, "Event"), tag(game, "Date"), tag(game, "Round") && `round ${tag(game, "Round")}`].filter(Boolean).join(", ");
  const button = element("button", { type: "button" },
    `${playerName(game, "white")} – ${playerName(game, "black")}  ${resultText(game)}`,
    element("small", {}, place),
    element("small", {}, [accuracy, `blunders ${white.blunders} – ${black.blunders}`].filter(Boolean).join(", ")));
  button.dataset.game = index;
  if (index === state.index) button.setAttribute("aria-current", "true");
  button.addEventListener("click", () => openGame(index));
  return element("li", {}, button);
}

// ---- A game. ----

function openGame(index, wanted) {
  const game = state.report.games[index];
  const node = wanted ?? game.analysis?.node ?? 0;
  Object.assign(state, { index, game, tree: prepare(game) });
  for (const button of byId("list").querySelectorAll("button")) {
    if (Number(button.dataset.game) === index) {
      button.setAttribute("aria-current", "true");
      scrollTo(byId("list"), button);
    } else {
      button.removeAttribute("aria-current");
    }
  }
  byId("players").textContent = `${playerName(game, "white")} – ${playerName(game, "black")}  ${resultText(game)}`;
  byId("details").textContent = ["Event", "Site", "Date", "Round", "ECO", "Opening", "Variation", "TimeControl", "Termination", "Ending"]
    .map((name) => tag(game, name)).filter(Boolean).join(" · ");
  byId("summary").tBodies[0].replaceChildren(...["white", "black"].map((side) => {
    const { accuracy, inaccuracies, mistakes, blunders } = game.sides[side];
    return element("tr", {}, element("th", { scope: "row" }, playerName(game, side)),
      ...[percent(accuracy), inaccuracies, mistakes, blunders].map((value) => element("td", {}, String(value))));
  }));
  moveButtons = new Map();
  byId("moves").replaceChildren(...moveGrid());
  // An analysed position has lines; a reviewed game has accuracy, a graph and bad moves.
  for (const id of ["summary", "graph", "mistake"]) byId(id).toggleAttribute("hidden", Boolean(game.analysis));
  byId("mistakes-title").textContent = game.analysis ? "Lines" : "Bad moves";
  byId("mistakes").replaceChildren(...(game.analysis ? lineItems() : mistakeItems()));
  byId("mistakes-title").hidden = byId("mistakes").childElementCount === 0;
  goTo(node < game.nodes.length ? node : 0);
}

/** Makes an element of a scrolling list visible. Unlike scrollIntoView, it does not move the page. */
function scrollTo(list, item) {
  const top = item.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 2;
}

function moveButton(node, label) {
  const data = state.game.nodes[node];
  const button = element("button", { type: "button", className: "move" }, label);
  if (data.judgement) button.classList.add(data.judgement);
  button.addEventListener("click", () => goTo(node));
  if (!moveButtons.has(node)) moveButtons.set(node, button);
  return button;
}

function sanText(node) {
  const data = state.game.nodes[node];
  return data.san + glyphs(data);
}

/** The elements of the move list: a row for each pair of moves, interrupted by comments and variations. */
function moveGrid() {
  const { tree, game } = state;
  const cells = [];
  const notes = (...children) => cells.push(element("div", { className: "notes" }, ...children));
  const root = game.nodes[0];
  if (root.comments?.length) notes(root.comments.join(" "));
  let column = 0;
  for (const node of tree.mainline.slice(1)) {
    const data = game.nodes[node];
    const side = isBlackMove(tree, node) ? 1 : 0;
    if (data.before?.length) {
      if (column === 1) cells.push(element("span"));
      column = 0;
      notes(data.before.join(" "));
    }
    if (column === 0) cells.push(element("span", { className: "number" }, moveNumber(tree, node).replace("...", ".")));
    if (side === 1 && column === 0) cells.push(element("span", {}, "…"));
    const button = moveButton(node, sanText(node));
    button.append(element("span", { className: "eval" }, evalText(data.eval)));
    cells.push(button);
    column = side === 0 ? 1 : 0;
    const variations = tree.children[tree.parents[node]].filter((sibling) => sibling !== node);
    if (!data.comments?.length && !variations.length) continue;
    if (column === 1) cells.push(element("span"));
    column = 0;
    if (data.comments?.length) notes(data.comments.join(" "));
    for (const variation of variations) notes(...variationText(variation));
  }
  cells.push(element("div", { className: "notes" }, resultText(game)));
  return cells;
}

/** The text of a variation with its own variations. Not recursive, because variations may be deeply nested. */
function variationText(start) {
  const { tree, game } = state;
  const parts = [];
  const tasks = [{ line: start, isNumbered: true }];
  while (tasks.length) {
    const task = tasks.pop();
    if (task.text) {
      if (task.text === ") " && parts.at(-1) === " ") parts.pop();
      parts.push(task.text);
      continue;
    }
    const node = task.line;
    const data = game.nodes[node];
    if (data.before?.length) parts.push(`${data.before.join(" ")} `);
    const number = task.isNumbered || !isBlackMove(tree, node) ? `${moveNumber(tree, node)} ` : "";
    const value = evalText(data.eval);
    parts.push(moveButton(node, number + sanText(node)), value ? ` (${value}) ` : " ");
    if (data.comments?.length) parts.push(`${data.comments.join(" ")} `);
    const [following] = tree.children[node];
    const siblings = tree.children[tree.parents[node]];
    // The start's alternatives are variations of the line around it.
    const alternatives = node !== start && siblings[0] === node ? siblings.slice(1) : [];
    if (following !== undefined) tasks.push({ line: following, isNumbered: Boolean(alternatives.length || data.comments?.length) });
    for (const alternative of alternatives.reverse()) tasks.push({ text: ") " }, { line: alternative, isNumbered: true }, { text: "(" });
  }
  return parts;
}

/** The lines of an analysed position. */
function lineItems() {
  const { game } = state;
  return game.analysis.lines.map(({ eval: value, nodes }) => {
    const moves = nodes.map((node, index) => {
      const isNumbered = index === 0 || !isBlackMove(state.tree, node);
      return moveButton(node, `${isNumbered ? `${moveNumber(state.tree, node)} ` : ""}${game.nodes[node].san}`);
    });
    return element("li", {}, element("strong", {}, evalText(value)), element("small", {}, `depth ${value.depth}`), element("span", {}, ...moves));
  });
}

function mistakeItems() {
  const { tree, game } = state;
  return badMoves().map((node) => {
    const data = game.nodes[node];
    const before = evalText(game.nodes[tree.parents[node]].eval);
    const item = element("li", {});
    const played = element("button", { type: "button", className: `move ${data.judgement}` }, `${moveNumber(tree, node)} ${sanText(node)}`);
    played.addEventListener("click", () => goTo(node));
    item.append(played, element("small", {}, `${data.judgement}, ${before || "?"} → ${evalText(data.eval) || resultText(game)}`));
    if (data.best !== undefined) {
      const better = element("button", { type: "button", className: "move better" }, `better: ${game.nodes[data.best].san}`);
      better.addEventListener("click", () => goTo(data.best));
      item.append(better);
    }
    return item;
  });
}

function badMoves() {
  return state.tree.mainline.filter((node) => state.game.nodes[node].judgement);
}

// ---- The current move. ----

function goTo(node) {
  const { tree, game } = state;
  const old = moveButtons.get(state.node);
  old?.removeAttribute("aria-current");
  state.node = node;
  const button = moveButtons.get(node);
  if (button) {
    button.setAttribute("aria-current", "true");
    scrollTo(byId("moves"), button);
  } else {
    byId("moves").scrollTop = 0;
  }
  drawBoard();
  drawGraph();
  byId("status").textContent = statusText();
  const isLast = tree.children[node].length === 0;
  byId("first").disabled = byId("previous").disabled = node === 0;
  byId("next").disabled = byId("last").disabled = isLast;
  byId("mistake").disabled = !nextBadMove(1);
  try {
    history.replaceState(null, "", `#game=${game.number}&node=${node}`);
  } catch {
    // Not allowed in some embedded views.
  }
}

function statusText() {
  const { tree, game, node } = state;
  const data = game.nodes[node];
  if (node === 0) return `Start position ${evalText(data.eval)}`;
  const parts = [`${moveNumber(tree, node)} ${sanText(node)}`];
  if (data.judgement) parts.push(data.judgement);
  const value = evalText(data.eval);
  if (value) parts.push(`evaluation ${value}${data.eval.depth ? ` at depth ${data.eval.depth}` : ""}`);
  if (data.best !== undefined) parts.push(`${game.nodes[data.best].san} was best (green arrow)`);
  if (!tree.isMain.has(node)) parts.push("variation");
  return parts.join(", ");
}

function nextBadMove(direction) {
  const { tree, node } = state;
  const ply = tree.plies[node];
  const moves = badMoves();
  if (direction < 0) moves.reverse();
  return moves.find((bad) => (direction > 0 ? tree.plies[bad] > ply : tree.plies[bad] < ply));
}

function drawBoard() {
  const { tree, game, node, isFlipped } = state;
  const board = byId("board");
  const squares = tree.positions[node];
  const data = game.nodes[node];
  const place = (index) => {
    const shown = isFlipped ? 63 - index : index;
    return { x: (shown % 8) * 45, y: Math.floor(shown / 8) * 45 };
  };
  const parts = [];
  const last = data.uci ? [squareIndex(data.uci), squareIndex(data.uci.slice(2))] : [];
  for (let index = 0; index < 64; index++) {
    const { x, y } = place(index);
    const isLight = (index + Math.floor(index / 8)) % 2 === 0;
    parts.push(svgElement("rect", { x, y, width: 45, height: 45, class: isLight ? "light" : "dark" }));
    if (last.includes(index)) parts.push(svgElement("rect", { x, y, width: 45, height: 45, class: "marked" }));
    if (y === 315) parts.push(svgElement("text", { x: x + 38.5, y: y + 42.5 }, squareName(index)[0]));
    if (x === 0) parts.push(svgElement("text", { x: 2, y: y + 9.5 }, squareName(index)[1]));
  }
  squares.forEach((piece, index) => {
    if (!piece) return;
    const { x, y } = place(index);
    parts.push(svgElement("use", { href: `#piece-${piece.toLowerCase()}`, x, y, width: 45, height: 45, class: isWhite(piece) ? "white-piece" : "black-piece" }));
  });
  const arrows = game.analysis?.node === node ? game.analysis.lines.map((line) => line.nodes[0]) : [data.best];
  // The best one on top.
  for (const best of arrows.toReversed()) if (best !== undefined) parts.push(...arrow(game.nodes[best].uci, place, best === arrows[0]));
  board.replaceChildren(...parts);
  board.setAttribute("aria-label", `Board. ${describe(squares)}`);
  const sides = isFlipped ? ["white", "black"] : ["black", "white"];
  ["top", "bottom"].forEach((id, row) => {
    const side = sides[row];
    byId(id).replaceChildren(element("span", {}, playerName(game, side)), element("span", {}, isRated(game.sides[side]) ? `accuracy ${percent(game.sides[side].accuracy)}` : ""));
  });
}

/** An arrow from the start of a move to its end. */
function arrow(uci, place, isBest) {
  if (!uci) return [];
  const [from, to] = [place(squareIndex(uci)), place(squareIndex(uci.slice(2)))];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const tip = { x: to.x + 22.5 - ux * 6, y: to.y + 22.5 - uy * 6 };
  const neck = { x: tip.x - ux * 13, y: tip.y - uy * 13 };
  const line = svgElement("line", { x1: from.x + 22.5, y1: from.y + 22.5, x2: neck.x, y2: neck.y });
  const points = [[tip.x, tip.y], [neck.x - uy * 9, neck.y + ux * 9], [neck.x + uy * 9, neck.y - ux * 9]];
  const group = svgElement("g", { class: isBest ? "arrow" : "arrow other" });
  group.append(line, svgElement("polygon", { points: points.map((point) => point.join(",")).join(" ") }));
  return [group];
}

// ---- The evaluation graph. ----

function drawGraph() {
  const { tree, game, node } = state;
  const graph = byId("graph");
  const [width, height] = [graph.clientWidth || 600, graph.clientHeight || 110];
  graph.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const steps = Math.max(tree.mainline.length - 1, 1);
  const x = (ply) => (ply / steps) * width;
  const y = (white) => (1 - white) * height;
  const points = tree.mainline.flatMap((index, ply) => {
    const white = game.nodes[index].eval?.white;
    return white === undefined ? [] : [{ index, ply, white }];
  });
  const parts = [];
  if (points.length) {
    const line = points.map(({ ply, white }) => `${x(ply).toFixed(1)},${y(white).toFixed(1)}`);
    parts.push(svgElement("polygon", { class: "area", points: [`${x(points[0].ply)},${height}`, ...line, `${x(points.at(-1).ply)},${height}`].join(" ") }));
  }
  parts.push(svgElement("line", { class: "middle", x1: 0, x2: width, y1: height / 2, y2: height / 2 }));
  const now = x(tree.plies[node]);
  parts.push(svgElement("line", { class: "now", x1: now, x2: now, y1: 0, y2: height }));
  for (const { index, ply, white } of points) {
    const { judgement } = game.nodes[index];
    if (!judgement) continue;
    const circle = svgElement("circle", { class: judgement, cx: x(ply), cy: Math.min(Math.max(y(white), 4), height - 4), r: 4 });
    circle.append(svgElement("title", {}, `${moveNumber(tree, index)} ${game.nodes[index].san}: ${judgement}`));
    parts.push(circle);
  }
  graph.replaceChildren(...parts);
}

function graphClicked(event) {
  const box = byId("graph").getBoundingClientRect();
  const steps = state.tree.mainline.length - 1;
  const ply = Math.round(((event.clientX - box.left) / box.width) * steps);
  goTo(state.tree.mainline[Math.min(Math.max(ply, 0), steps)]);
}

// ---- Commands. ----

/** The node at which a variation leaves the game. */
function backToGame() {
  let { node } = state;
  while (!state.tree.isMain.has(node)) node = state.tree.parents[node];
  return node;
}

function lineEnd() {
  let { node } = state;
  while (state.tree.children[node].length) [node] = state.tree.children[node];
  return node;
}

const commands = {
  first: () => goTo(0),
  previous: () => state.node !== 0 && goTo(state.tree.parents[state.node]),
  next: () => state.tree.children[state.node].length && goTo(state.tree.children[state.node][0]),
  last: () => goTo(lineEnd()),
  mistake: () => nextBadMove(1) && goTo(nextBadMove(1)),
  previousMistake: () => nextBadMove(-1) && goTo(nextBadMove(-1)),
  flip: () => {
    state.isFlipped = !state.isFlipped;
    drawBoard();
  },
  back: () => goTo(backToGame()),
  nextGame: () => openNeighbour(1),
  previousGame: () => openNeighbour(-1),
};

const KEYS = {
  ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", n: "mistake", p: "previousMistake", f: "flip", Escape: "back", "[": "previousGame", "]": "nextGame",
};

function openNeighbour(step) {
  const at = state.matches.indexOf(state.index) + step;
  if (at >= 0 && at < state.matches.length) openGame(state.matches[at]);
}

function keyPressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input")) return;
  const command = KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!command) return;
  event.preventDefault();
  commands[command]();
}

function changeTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
}

function fail(message) {
  byId("message").textContent = message;
  byId("message").hidden = false;
}

function start() {
  let report;
  try {
    report = JSON.parse(byId("data").textContent);
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
  byId("theme").addEventListener("click", changeTheme);
  byId("filter").addEventListener("input", filterGames);
  byId("more").addEventListener("click", listMore);
  byId("graph").addEventListener("click", graphClicked);
  document.addEventListener("keydown", keyPressed);
  addEventListener("resize", drawGraph);
  const place = new URLSearchParams(location.hash.slice(1));
  const wanted = report.games.findIndex((game) => String(game.number) === place.get("game"));
  filterGames();
  openGame(Math.max(wanted, 0), wanted < 0 ? undefined : Math.max(Math.trunc(Number(place.get("node"))) || 0, 0));
}

start();
