// The server, browser and page that the tests of one file share, and a user's actions on the page. A message in the console, an error of the page
// or a request to another server fails the test. `context`, `page` and `server` change with the functions below.

import assert from "node:assert/strict";
import fs from "node:fs";
import { after, afterEach, before, beforeEach } from "node:test";
import { DESKTOP, isElementInSight, startBrowser, startServer, stopServer as endServer, takePicture, waitForText } from "./harness.mjs";

const MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
const OPTIONS = ["--threads", "1", "--hash", "8"];

let server;
let browser;
let context;
let page;
let problems = [];

before(async () => {
  server = await startServer(OPTIONS);
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  if (server) await endServer(server);
});

beforeEach(() => {
  problems = [];
});

afterEach(async () => {
  await context?.close();
  context = undefined;
  assert.deepEqual(problems, []);
});

/** Opens a tab of the profile and waits until its board can be used. It is `page` from now on. */
async function openTab(hash = "", prepare = undefined) {
  page = await context.newPage();
  // On a loaded machine, a reply can take long. A longer timeout delays only failures.
  page.setDefaultTimeout(120_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  const { address } = server;
  page.on("request", (request) => {
    const url = request.url();
    if (![address, "blob:", "data:"].some((start) => url.startsWith(start))) problems.push(`request to ${url}`);
  });
  if (prepare) await page.addInitScript(prepare);
  await page.goto(address + hash);
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
}

/** Waits until the next tab, or this one after a reload, will find the game as it is. */
const stored = () => page.waitForFunction(() => {
  const { tree: kept } = JSON.parse(localStorage.getItem("tabiya.page.v1") ?? "{}");
  const { tree } = globalThis.tabiya;
  const { nodes, current } = tree.toJSON();
  return kept?.isKept && kept.version === tree.version && kept.nodes.length === nodes.length && kept.current === current;
});

/** Waits until a database of the browser has so many values in a store. */
const databaseHas = (database, store, number) => page.waitForFunction(([name, kind, wanted]) => new Promise((resolve) => {
  const request = indexedDB.open(name);
  request.onsuccess = () => {
    const count = request.result.transaction(kind).objectStore(kind).count();
    count.onsuccess = () => {
      request.result.close();
      resolve(count.result >= wanted);
    };
  };
}), [database, store, number]);

/** Makes a tab that was opened before `page`. */
function showTab(tab) {
  page = tab;
}

/** Opens the page in a new profile, in place of the former one. `prepare` runs in the page before its scripts. */
async function open({ viewport = DESKTOP, colorScheme = "light", locale = "en-GB", hash = "", isLegal = true, prepare = undefined, ...options } = {}) {
  await context?.close();
  context = await browser.newContext({ viewport, colorScheme, locale, acceptDownloads: true, ...options });
  await openTab(hash, prepare);
  // A position in the address takes the place of the initial one when the engine has checked it.
  if (hash && isLegal) await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tab === "analyse");
}

/** Opens the page and plays 1. e4 and Tabiya's reply. */
async function openGame() {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3 && globalThis.tabiya.positionInfo);
}

/** Ends the server. The attempts to connect that fail until `restartServer` are no problems. */
const stopServer = () => endServer(server);

/** Starts the server again, with the same address. */
async function restartServer() {
  server = await startServer(OPTIONS, server.port);
}

/** Runs `use` with a server that has these options instead. */
async function withServer(options, use) {
  const own = server;
  server = await startServer([...OPTIONS, ...options]);
  try {
    await use();
  } finally {
    await context?.close();
    context = undefined;
    await endServer(server);
    server = own;
  }
}

/** Ignores the console's messages that match. */
function ignoreMessages(pattern) {
  problems = problems.filter((text) => !pattern.test(text));
}

const expectText = (selector, pattern) => waitForText(page, selector, pattern);
const fenHash = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;
const isInSight = (selector) => isElementInSight(page, selector);
const picture = (name) => takePicture(page, name);

/** The middle of a square on the screen. */
async function point(square, isFlipped = false) {
  const box = await page.locator("#board > svg").boundingBox();
  let [file, rank] = [square.charCodeAt(0) - 97, 8 - Number(square[1])];
  if (isFlipped) [file, rank] = [7 - file, 7 - rank];
  return [box.x + ((file + 0.5) * box.width) / 8, box.y + ((rank + 0.5) * box.height) / 8];
}

async function click(square) {
  await page.mouse.click(...(await point(square)));
}

async function drag(from, to) {
  await page.mouse.move(...(await point(from)));
  await page.mouse.down();
  const [x, y] = await point(to);
  await page.mouse.move(x - 4, y - 4, { steps: 4 });
  await page.mouse.move(x, y);
  await page.mouse.up();
}

const pieceAt = (square) => page.evaluate((name) => {
  const index = (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
  return globalThis.tabiya.tree.squares()[index];
}, square);

/** Types a move and waits until it is played. */
async function type(move) {
  await page.fill("#move-input", move);
  await page.press("#move-input", "Enter");
  await page.waitForFunction(() => document.querySelector("#move-input").value === "" && globalThis.tabiya.positionInfo);
}

/** Delays the engine's replies on the page. */
const delayReplies = (milliseconds) => page.evaluate((delay) => {
  const { engine } = globalThis.tabiya;
  const request = engine.request.bind(engine);
  engine.request = (...message) => new Promise((resolve) => setTimeout(resolve, delay)).then(() => request(...message));
}, milliseconds);

/** Holds the requests of a type until `globalThis.release()`. With `moves`, only those about a game of so many moves. */
const holdRequests = (type, moves = undefined) => page.evaluate(([held, length]) => {
  const { engine } = globalThis.tabiya;
  const request = engine.request.bind(engine);
  const released = new Promise((resolve) => { globalThis.release = resolve; });
  engine.request = async (name, data) => {
    if (name === held && (length === undefined || data.game.moves.length === length)) await released;
    return request(name, data);
  };
}, [type, moves]);

/** Opens a part of the page that is folded. */
const unfold = (id) => page.locator(`#${id}`).evaluate((fold) => { fold.open = true; });

async function openPgn(pgn) {
  await page.locator("#tab-review").click();
  await unfold("review-more");
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill(pgn);
  await page.locator("#pgn-open").click();
}

async function savedPgn() {
  await page.locator("#tab-review").click();
  await unfold("review-more");
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#save-pgn").click()]);
  return fs.readFileSync(await file.path(), "utf8");
}

/** The kept games, the latest first, once there are so many. */
async function keptGames(number) {
  await page.locator("#tab-games").click();
  await page.waitForFunction((wanted) => document.querySelectorAll("#kept-list button").length === wanted, number);
  return page.locator("#kept-list button").allTextContents();
}

/** Opens a PGN with one game, and reviews it. */
async function reviewGame(pgn) {
  for (const id of ["tab-review", "pgn-paste"]) await page.locator(`#${id}`).click();
  await page.locator("#pgn-text").fill(pgn);
  await page.locator("#pgn-open").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length > 1);
  await page.selectOption("#review-nodes", "20000");
  await page.locator("#review-start").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.review);
}

export {
  MATE_IN_ONE, click, context, databaseHas, delayReplies, drag, expectText, fenHash, holdRequests, ignoreMessages, isInSight, keptGames, open, openGame, openPgn, openTab, page, picture, pieceAt,
  point, restartServer, reviewGame, savedPgn, server, showTab, stopServer, stored, type, unfold, withServer,
};
