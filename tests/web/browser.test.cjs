// Tests of the page in Chromium, with a server of its own. `cargo xtask ci --only browser` installs what they need and runs them.
// Environment: TABIYA_WEB is the server's program; CHROMIUM the browser, if it is not in the usual place; SCREENSHOTS a folder for
// pictures of the page; NODE_PATH the folder of the packages.
"use strict";

const assert = require("node:assert/strict");
const fs = require("node:fs");
const { after, before, beforeEach, afterEach, test } = require("node:test");
const { DESKTOP, LANDSCAPE, PHONE, assertAccessible, isElementInSight, startBrowser, startServer, stopServer, takePicture, waitForText } = require("./harness.cjs");

const LAPTOP = { width: 1366, height: 650 };
const MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

let server;
let browser;
let context;
let page;
/** Errors of the page, and requests to other places than the server. */
let problems;

/** Starts a server with a small engine. */
const start = (port, options = []) => startServer(["--threads", "1", "--hash", "8", ...options], port);

/** Opens the page in a new profile. */
async function open({ viewport = DESKTOP, colorScheme = "light", hash = "", isLegal = true, ...options } = {}) {
  context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true, ...options });
  page = await context.newPage();
  // On a loaded machine, a reply can take long. A longer timeout delays only failures.
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.address) && !url.startsWith("blob:") && !url.startsWith("data:")) problems.push(`request to ${url}`);
  });
  await page.goto(server.address + hash);
  // A position in the address takes the place of the initial one when the engine has checked it.
  await page.waitForFunction((isSetUp) => globalThis.tabiya?.positionInfo && (!isSetUp || globalThis.tabiya.tab === "analyse"), Boolean(hash) && isLegal);
}

/** Opens the page and plays 1. e4 and Tabiya's reply. */
async function openGame() {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
}

const fenHash = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;
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

const expectText = (selector, pattern) => waitForText(page, selector, pattern);

const pieceAt = (square) => page.evaluate((name) => {
  const index = (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
  return globalThis.tabiya.tree.squares()[index];
}, square);

const type = async (move) => {
  await page.fill("#move-input", move);
  await page.press("#move-input", "Enter");
  await page.waitForFunction(() => document.querySelector("#move-input").value === "" && globalThis.tabiya.positionInfo);
};

/** Delays the engine's replies on the page. */
const delayReplies = (milliseconds) => page.evaluate((delay) => {
  const { engine } = globalThis.tabiya;
  const request = engine.request.bind(engine);
  engine.request = (...message) => new Promise((resolve) => setTimeout(resolve, delay)).then(() => request(...message));
}, milliseconds);

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

before(async () => {
  server = await start();
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  if (server) await stopServer(server);
});

beforeEach(() => {
  problems = [];
});

afterEach(async () => {
  await context?.close();
  context = undefined;
  assert.deepEqual(problems, []);
});

test("a game against the engine, by drag and by click, with take back and hint", async () => {
  await open();
  await page.locator("#elo").fill("800");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  assert.equal(await pieceAt("e4"), "P");
  await expectText("#play-note", /Your move/);
  await page.locator("#hint").click();
  await expectText("#play-note", /Hint: /);
  await page.locator("#board .arrow").waitFor({ state: "attached" });
  await click("d2");
  await page.locator("#board .target").first().waitFor({ state: "attached" });
  await picture("play");
  await click("d3");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 5);
  await page.locator("#takeback").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3);
  assert.equal(await pieceAt("d3"), "");
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.result), "0-1");
  await expectText("#status", /Black has won$/);
  await page.locator("#previous").click();
  await expectText("#status", /Black to move$/);
});

test("a page in the background is stored at once", async () => {
  await open();
  await type("e4");
  const stored = await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    return JSON.parse(localStorage.getItem("tabiya.page.v1")).tree.nodes.length;
  });
  assert.equal(stored, 2);
});

test("checkmate by mouse ends the game", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.locator("#tab-play").click();
  await page.locator("#start").selectOption("here");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("a1", "a8");
  await expectText("#play-note", /White wins by checkmate/);
  await expectText("#status", /White wins by checkmate/);
  await expectText("#moves", /Ra8#.*1–0/s);
});

test("checkmate by keyboard ends the game", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.locator("#tab-play").click();
  await page.locator("#start").selectOption("here");
  await page.locator("#play-form button").press("Enter");
  await expectText("#play-note", /Your move/);
  await page.locator("#flip").focus();
  // Backwards, from the controls to the board.
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press("Shift+Tab");
    if (await page.evaluate(() => document.activeElement?.matches("#board > svg"))) break;
  }
  for (const key of ["ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await expectText("#announcer", /a1, white rook selected\. Moves to .*a8/);
  for (let presses = 0; presses < 7; presses++) await page.keyboard.press("ArrowUp");
  await expectText("#announcer", /a8, empty, possible move/);
  await page.keyboard.press("Enter");
  await expectText("#play-note", /White wins by checkmate/);
});

test("the game's buttons answer a screen reader and leave the focus on the board when they go", async () => {
  await open();
  const isFocused = (selector) => page.waitForFunction((text) => document.activeElement?.matches(text), selector);
  await page.locator("#play-form button").press("Enter");
  await isFocused("#board > svg");
  await expectText("#play-note", /Your move/);
  await page.locator("#hint").press("Enter");
  await expectText("#announcer", /Hint: /);
  await isFocused("#hint");
  await page.locator("#draw").press("Enter");
  await expectText("#announcer", /declines/);
  await click("e2");
  await click("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.locator("#takeback").press("Enter");
  await isFocused("#board > svg");
});

test("the arrow keys choose a piece to set up", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#palette button").first().focus();
  const chosen = () => page.locator("#palette :focus[aria-checked=true][tabindex='0']").getAttribute("aria-label");
  for (const [key, name] of [["ArrowRight", "white king"], ["ArrowLeft", "move"], ["ArrowUp", "remove"], ["ArrowDown", "move"]]) {
    await page.keyboard.press(key);
    assert.match(await chosen(), new RegExp(name, "i"));
  }
});

test("the keyboard sets up pieces, which are announced", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#setup-clear").click();
  const press = async (key, pattern) => {
    await page.locator("#board > svg").press(key);
    await expectText("#announcer", pattern);
  };
  // The cursor begins on e2.
  await press("ArrowUp", /^e3, empty$/);
  await press("Enter", /^Choose a piece/);
  await page.getByRole("radio", { name: "white king", exact: true }).press("Enter");
  await press("Enter", /^e3, white king$/);
  await press("Enter", /^e3, empty$/);
});

test("promotion asks for the piece", async () => {
  await open({ hash: fenHash("8/P6k/8/8/8/8/8/K7 w - - 0 1") });
  await click("a7");
  await click("a8");
  await page.locator(".promotion").waitFor();
  await picture("promotion");
  await page.getByRole("button", { name: "knight", exact: true }).click();
  await expectText("#moves", /a8=N/);
});

test("a tap that promotes asks for the piece, at both ends of the board", async () => {
  for (const [fen, from, to] of [["7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7", "a8"], ["7k/8/8/8/8/8/p7/7K b - - 0 1", "a2", "a1"]]) {
    await open({ viewport: PHONE, hasTouch: true, isMobile: true, hash: fenHash(fen) });
    await page.touchscreen.tap(...(await point(from)));
    await page.touchscreen.tap(...(await point(to)));
    await page.locator(".promotion").waitFor();
    await page.getByRole("button", { name: "rook", exact: true }).tap();
    await expectText("#moves", new RegExp(`${to}=R`));
    await context.close();
  }
});

test("the page asks for the position with its greeting, and for nothing else before the reply", async () => {
  await open();
  await page.addInitScript(() => {
    globalThis.sent = [];
    globalThis.WebSocket = class extends WebSocket {
      constructor(address) {
        super(address);
        this.addEventListener("message", () => { globalThis.early = [...globalThis.sent]; }, { once: true });
      }

      send(text) {
        globalThis.sent.push(JSON.parse(text).type);
        super.send(text);
      }
    };
  });
  await page.reload();
  await page.waitForFunction(() => globalThis.early && globalThis.tabiya?.positionInfo);
  assert.deepEqual(await page.evaluate(() => globalThis.early), ["hello", "position"]);
  // The same reply serves the board.
  assert.equal(await page.evaluate(() => globalThis.sent.filter((type) => type === "position").length), 1);
});

test("a square chosen before the legal moves are known is selected when they are", async () => {
  for (const choose of [() => page.locator("#board > svg").press("Enter"), () => click("e2")]) {
    await open();
    await page.waitForFunction(() => globalThis.tabiya.positionInfo);
    await page.evaluate(() => {
      const { engine, tree } = globalThis.tabiya;
      const request = engine.request.bind(engine);
      const held = new Promise((resolve) => { globalThis.release = resolve; });
      engine.request = (...message) => held.then(() => request(...message));
      tree.node.info = undefined;
      globalThis.tabiya.changed();
    });
    await choose();
    assert.equal(await page.locator("#board .selected").count(), 0);
    await page.evaluate(() => globalThis.release());
    await expectText("#announcer", /e2, white pawn selected\. Moves to e3, e4\./);
    assert.equal(await page.locator("#board .selected").count(), 1);
  }
});

test("moves can be typed, also before the legal moves are known", async () => {
  await open();
  await delayReplies(100);
  const field = page.locator("#move-input");
  for (const move of ["Nf3", "d7d5", "g3", "nc6", "Bg2", "e5", "0-0"]) {
    await field.fill(move);
    await field.press("Enter");
    await page.waitForFunction(() => document.querySelector("#move-input").value === "");
  }
  await expectText("#moves", /O-O/);
  await field.fill("Ke5");
  await field.press("Enter");
  await expectText("#status", /Black's own pawn stands on e5/);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  // It stays only in its position, and its mark only until something else is typed.
  const isRefused = async () => [await field.inputValue(), await field.getAttribute("aria-invalid")];
  const refuse = async () => {
    await field.fill("Ke5");
    await field.press("Enter");
    await page.locator("#move-input[aria-invalid=true]").waitFor();
  };
  await page.locator("#previous").click();
  assert.deepEqual(await isRefused(), ["", null]);
  await refuse();
  await page.locator("#tab-analyse").click();
  assert.deepEqual(await isRefused(), ["", null]);
  await refuse();
  await field.press("K");
  assert.deepEqual(await isRefused(), ["K", null]);
});

test("analysis follows the position", async (t) => {
  await open();
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .move").first().waitFor();
  await expectText("#analyse-stats", /Depth \d+/);
  // The first report has the best line only.
  await page.waitForFunction(() => document.querySelectorAll("#line-list li:not(.empty)").length === 3);
  const started = Date.now();
  await drag("e2", "e4");
  await expectText("#line-list", /1… /);
  const milliseconds = Date.now() - started;
  await expectText("#opening", /B00 King's Pawn/);
  await page.locator("#board .arrow.best").waitFor({ state: "attached" });
  await page.waitForTimeout(700);
  await picture("analyse");
  // A click on a move of a line plays it.
  await page.locator("#line-list li .move").nth(1).click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 4);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  await expectText("#line-list", /1\. /);
  await page.locator("#analyse-toggle").click();
  await expectText("#analyse-toggle", /Start/);
  t.diagnostic(`${milliseconds} ms until the first line`);
  // Not the 100 ms of a quiet machine, which measure.cjs prints.
  assert.ok(milliseconds < 3000);
});

test("comments, glyphs and variations are kept in the PGN", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await type("e4");
  await type("e5");
  await page.locator("#previous").click();
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await type("c5");
  await page.locator("#glyphs button", { hasText: /^!$/ }).click();
  await page.locator("#comment").fill("The <b>Sicilian</b>");
  await page.locator("#comment").blur();
  await expectText("#moves", /1\.\.\. c5! The <b>Sicilian<\/b>/);
  assert.equal(await page.locator("#moves b").count(), 0);
  await page.locator("#promote").click();
  await page.locator("#tab-review").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#save-pgn").click()]);
  const pgn = fs.readFileSync(await file.path(), "utf8");
  assert.match(pgn, /1\. e4 c5 \$1 \{ The <b>Sicilian<\/b> \} \(1\.\.\. e5\)/);
});

test("a typed comment stays with its move when another is shown, the page is left or the list is clicked", async () => {
  // The field and the board are on the screen together.
  await open({ viewport: { width: 1280, height: 1700 } });
  await openPgn("1. e4 {King pawn} e5 {Open game} 2. Nf3 *");
  await expectText("#moves", /Open game/);
  await page.locator("#tab-analyse").click();
  const goTo = (index) => page.evaluate((at) => globalThis.tabiya.goTo(at), index);
  const append = async (text) => {
    await page.locator("#comment").press("End");
    await page.keyboard.type(text);
  };
  const comments = () => page.evaluate(() => globalThis.tabiya.tree.nodes.map((node) => node.comments.join()));
  await goTo(1);
  await append(" first");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await click("e7");
  await click("e5");
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 2);
  assert.deepEqual(await comments(), ["", "King pawn first", "Open game", ""]);
  assert.equal(await page.inputValue("#comment"), "Open game");
  await append(" second");
  await page.locator("#moves button", { hasText: "e4" }).click();
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current), 1);
  await append(" third");
  await page.reload();
  await expectText("#moves", /King pawn first third.*Open game second/s);
});

test("a game whose writing the end of the page may stop is written again after a reload", async () => {
  await open();
  await type("e4");
  await page.locator("#tab-analyse").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 1);
  await page.fill("#comment", "Last words");
  const stored = await page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return JSON.parse(localStorage.getItem("tabiya.page.v1")).tree;
  });
  assert.deepEqual([stored.nodes[1].comments, stored.isKept], [["Last words"], false]);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("tabiya.page.v1")).tree.isKept);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.version), 2);
});

test("review of a PGN leads to graph, summary and report", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  const games = ['[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0', '[White "Cid"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "1. e4 e5 2. Ke3 *"];
  await page.locator("#pgn-text").fill(games.join("\n\n"));
  await page.locator("#pgn-open").click();
  await expectText("#game-list", /Ann – Bob/);
  assert.equal(await page.locator("#game-list button").count(), 3);
  await page.fill("#game-filter", "cid 0-1");
  assert.deepEqual(await page.locator("#game-list button").allTextContents(), ["Cid – Black  0–12 moves"]);
  assert.equal(await page.textContent("#game-count"), "1 of 3 games");
  await page.fill("#game-filter", "");
  // The lines under the players stay readable under the pointer.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("#game-list button").nth(1).hover();
  await assertAccessible(page, "#game-list");
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("#game-list button").nth(2).click();
  await expectText("#message", /Not all of the game.*Ke3/);
  await page.locator("#game-list button").first().click();
  await expectText("#top .name", /Bob/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.locator("#review-start").click();
  await page.locator("#summary").waitFor();
  await expectText("#summary", /Ann.*%.*Bob.*%/s);
  await page.locator("#graph circle.blunder").waitFor({ state: "attached" });
  // The engine may find fault with earlier moves, too.
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press("n");
    if (/Nf6/.test(await page.locator("#status").textContent())) break;
  }
  await expectText("#status", /Nf6\?\?, blunder, .* was best/);
  await page.locator("#board .arrow.best").waitFor({ state: "attached" });
  // The mate that the blunder allows.
  await page.locator("#board .arrow.second").waitFor({ state: "attached" });
  await picture("review");
  const box = await page.locator("#graph").boundingBox();
  await page.mouse.click(box.x + 2, box.y + box.height / 2);
  await expectText("#status", /^White to move/);
  await unfold("review-more");
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("#save-html").click()]);
  assert.match(fs.readFileSync(await report.path(), "utf8"), /<title>Ann – Bob<\/title>/);
  const [pgn] = await Promise.all([page.waitForEvent("download"), page.locator("#save-pgn").click()]);
  assert.match(fs.readFileSync(await pgn.path(), "utf8"), /\[%eval /);
});

test("the field for a PGN takes a position and moves without numbers, too", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  const text = page.locator("#pgn-text");
  for (const [pasted, status] of [["r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3", /^Black to move/], ["e4 e5 Nf3", /^2\. Nf3, Black to move/]]) {
    await openPgn(pasted);
    await expectText("#tab-analyse[aria-selected=true]", /./);
    await expectText("#status", status);
    assert.deepEqual([await text.inputValue(), await page.locator("#paste-area").isVisible()], ["", false]);
  }
  await openPgn("Nonsense");
  await expectText("#message", /neither a position/);
  assert.equal(await text.inputValue(), "Nonsense");
});

test("a long review can be cancelled", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *");
  await page.locator("#pgn-open").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 7);
  await page.locator("#review-nodes").selectOption("2000000");
  await page.locator("#review-start").click();
  await page.locator("#review-cancel").click();
  await page.waitForFunction(() => !document.querySelector("#review-start").disabled);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 7);
});

test("broken PGN is reported and the game is kept", async () => {
  await open();
  await page.locator("#move-input").fill("e4");
  await page.locator("#move-input").press("Enter");
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("   ");
  await page.locator("#pgn-open").click();
  await expectText("#message", /no PGN/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
});

test("pasted text that is no game, and another game's analysis, leave the game as it is", async () => {
  await open();
  const paste = (text) => page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .move").first().waitFor();
  await paste("https://example.org/1.html");
  await expectText("#message", /neither a position/);
  // Both positions are the first of their games.
  await paste(`FEN: "${MATE_IN_ONE}"`);
  await page.waitForFunction((fen) => globalThis.tabiya.positionInfo?.fen === fen, MATE_IN_ONE);
  await expectText("#line-list", /Ra8#/);
  // The first position of the game on the board is shown, and the game stays.
  await type("Kf1");
  await page.locator("#tab-review").click();
  await paste(MATE_IN_ONE);
  await page.waitForFunction(() => globalThis.tabiya.tab === "analyse" && globalThis.tabiya.tree.current === 0);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
  // An illegal one is refused by the engine.
  await paste("6k1/5ppp/8/8/8/8/5PPP/R5KK w - - 0 1");
  await expectText("#message", /king/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.start), MATE_IN_ONE);
});

test("positions and moves are pasted as people copy them", async () => {
  await open();
  const cases = fs.readFileSync(`${__dirname}/../data/pasted.tsv`, "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  for (const [text, fen] of cases.map((line) => line.split("\t"))) {
    await page.evaluate((data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", data);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, text);
    await page.waitForFunction((expected) => globalThis.tabiya.positionInfo?.fen === expected, fen);
  }
  // The editor reads the same.
  await page.locator("#tab-setup").click();
  await page.locator("#fen").fill("");
  await page.evaluate(() => {
    const field = document.getElementById("fen");
    field.value = "https://lichess.org/analysis/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1";
    field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
  });
  await page.waitForFunction(() => document.getElementById("fen").value === "8/8/8/5N2/8/5N2/5K1k/2B5 b - - 0 1");
});

test("what is added during a review stays", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
  await page.locator("#pgn-open").click();
  await expectText("#moves", /Qxf7#/);
  await page.selectOption("#review-nodes", "20000");
  await page.locator("#review-start").click();
  await page.evaluate(() => globalThis.tabiya.playLine(["d2d4"], ["d4"]));
  await expectText("#moves", /Nf6\?\?/);
  assert.ok(await page.evaluate(() => globalThis.tabiya.tree.nodes.some(({ uci }) => uci === "d2d4")));
});

test("explanation lists the terms and marks the board", async () => {
  await open({ hash: fenHash("4k3/p6p/8/3P4/8/P6P/7P/4K3 w - - 0 1") });
  await page.locator("#tab-explain").click();
  await page.locator("#terms tbody tr").first().waitFor();
  assert.ok((await page.locator("#terms tbody tr").count()) > 8);
  await expectText("#terms", /Passed pawns/);
  await page.locator("#board .mark.passed").waitFor({ state: "attached" });
  // Each feature has its colour, on the board and in the list.
  for (const name of ["passed", "isolated", "doubled", "holes", "king_danger", "hanging"]) {
    const [chip, mark] = await page.evaluate((kind) => {
      const square = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      square.setAttribute("class", `mark ${kind}`);
      document.querySelector("#board > svg").append(square);
      const colors = [getComputedStyle(document.querySelector(`#marks .${kind}`)).borderBottomColor, getComputedStyle(square).fill];
      square.remove();
      return colors;
    }, name);
    assert.equal(chip, mark, name);
  }
  await page.locator("#mark-isolated").check();
  await page.locator("#board .mark.isolated").first().waitFor({ state: "attached" });
  await page.locator("#mark-values").check();
  await page.locator("#board .label").first().waitFor({ state: "attached" });
  await expectText("#verdict", /^The neural network says [+−0].* without search: .*(White|Black|even)/);
  assert.ok((await page.locator("#mattering li").count()) <= 3);
  await expectText("#mattering", /passed pawns count for more/);
  // No value of a side alone, such as the 39 pawns of its material.
  const values = await page.locator("#terms tbody td:last-child").allTextContents();
  assert.ok(values.every((value) => Math.abs(Number(value.replace("−", "-"))) < 10), values.join(" "));
  // The features of the summary are marked until that is switched off.
  await page.locator("#mark-matters").uncheck();
  assert.equal(await page.locator("#board .mark.passed").count(), 0);
  await page.locator("#mark-matters").check();
  assert.equal(await page.locator("#explain-numbers").isVisible(), false);
  await page.locator("#explain-more summary").click();
  await expectText("#explain-numbers", /classic evaluation/);
  await picture("explain");
});

test("editor, FEN and link", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#setup-clear").click();
  await expectText("#fen-error", /./);
  assert.ok(await page.locator("#setup-analyse").isDisabled());
  const place = async (name, square) => {
    await page.getByRole("radio", { name, exact: true }).click();
    await click(square);
  };
  await place("white king", "e1");
  await place("black king", "e8");
  await place("white queen", "d1");
  await expectText("#fen-error", /^$/);
  assert.equal(await page.locator("#fen").inputValue(), "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
  await page.getByRole("radio", { name: "Move pieces", exact: true }).click();
  await drag("d1", "h5");
  assert.match(await page.locator("#fen").inputValue(), /^4k3\/8\/8\/7Q/);
  await expectText("#fen-error", /./);
  await page.locator("#turn").selectOption("b");
  await expectText("#fen-error", /^$/);
  await picture("setup");
  await page.locator("#setup-analyse").click();
  await expectText("#line-list", /1… /);
  const link = await page.evaluate(() => `#fen=${globalThis.tabiya.positionInfo.fen.replaceAll(" ", "_")}`);
  await context.close();
  await open({ hash: link });
  assert.equal(await pieceAt("h5"), "Q");
});

test("a position that is being set up stays while another activity is looked at", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#fen").fill(MATE_IN_ONE);
  await page.locator("#tab-analyse").click();
  await expectText("#status", /White to move/);
  await page.locator("#tab-setup").click();
  assert.equal(await page.inputValue("#fen"), MATE_IN_ONE);
  // It is not part of the game.
  for (const id of ["first", "previous", "next", "last", "move-input"]) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  assert.equal(await page.textContent("#status"), "");
  // Another position of the game takes its place.
  await page.locator("#tab-analyse").click();
  await type("e4");
  await page.locator("#tab-setup").click();
  await page.waitForFunction(() => /PPPP1PPP/.test(document.querySelector("#fen").value));
});

test("illegal FEN in the address is reported and the game is kept", async () => {
  await open({ hash: "#fen=8/8/8/8/8/8/8/8_w_-_-_0_1", isLegal: false });
  await expectText("#message", /king/i);
  assert.equal(await pieceAt("e1"), "K");
});

test("a reload keeps the game in progress", async () => {
  await open();
  await page.locator("#time").selectOption("3");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("d2", "d4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 3);
  await expectText("#play-note", /Your move/);
  await page.locator("#bottom .clock").waitFor();
  await drag("c2", "c4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
});

test("on a clock, a limited opponent takes a person's time, unless that is switched off", async () => {
  await open();
  assert.ok(await page.locator("#human-pace").isDisabled());
  await page.locator("#time").selectOption("6");
  assert.ok(await page.locator("#human-pace").isChecked());
  // The engine's answers, with a time that the test knows.
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const start = engine.start.bind(engine);
    globalThis.replies = [];
    globalThis.wait = 1500;
    engine.start = (type, data, report) => {
      const running = start(type, data, report);
      const answer = running.then((best) => {
        globalThis.replies.push({ asked: data.human_pace, time: best.thinking_time });
        return { ...best, thinking_time: best.thinking_time && globalThis.wait };
      });
      return Object.assign(answer, { stop: running.stop });
    };
  });
  const count = () => page.evaluate(() => globalThis.tabiya.tree.nodes.length);
  const replied = (replies) => page.waitForFunction((expected) => globalThis.replies.length === expected, replies);
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  await replied(1);
  await page.waitForTimeout(700);
  assert.equal(await count(), 2);
  await expectText("#play-note", /Tabiya is thinking/);
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  const [{ asked, time }] = await page.evaluate(() => globalThis.replies);
  assert.ok(asked && time > 0, `${time} ms`);
  // A move that is taken back is not answered, and the analysis does not wait for the answer.
  await page.evaluate(() => { globalThis.wait = 60_000; });
  await expectText("#play-note", /Your move/);
  await type("a3");
  await replied(2);
  await page.locator("#tab-analyse").click();
  await expectText("#analyse-stats", /Depth \d+/);
  await page.locator("#tab-play").click();
  await page.locator("#takeback").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await page.locator("#human-pace").uncheck();
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await page.locator("#human-pace").isChecked(), false);
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.humanPace), false);
});

test("a Chess960 game starts and castles by king takes rook", async () => {
  await open();
  await page.locator("#start").selectOption("960");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await context.close();
  await open({ hash: fenHash("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1") });
  await click("f1");
  await click("h1");
  await expectText("#moves", /O-O/);
});

test("the editor keeps castling rights whose king and rook stay, also those of Chess960", async () => {
  await open();
  await page.locator("#tab-setup").click();
  const rights = async () => (await page.inputValue("#fen")).split(" ")[2];
  for (const letters of ["KQkq", "HBhb"]) {
    await page.fill("#fen", `1r3k1r/8/8/8/8/8/8/1R3K1R w ${letters} - 0 1`);
    await page.getByRole("radio", { name: "white pawn", exact: true }).click();
    await click("e4");
    assert.equal(await rights(), letters);
    await page.getByRole("radio", { name: "Move pieces", exact: true }).click();
    await drag("b1", "a1");
    assert.equal(await rights(), letters.replace(/[QB]/, ""));
    await drag("f8", "e8");
    assert.equal(await rights(), letters[0]);
  }
  // Another outermost rook would have the right.
  await page.fill("#fen", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1");
  await page.getByRole("radio", { name: "white rook", exact: true }).click();
  await click("h1");
  assert.equal(await rights(), "-");
  // A right may be chosen before the rook is there.
  await page.fill("#fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  await page.locator("#castling-K").check();
  await click("h1");
  assert.equal(await rights(), "K");
  await expectText("#fen-error", /^$/);
});

test("a copied PGN is promised to the clipboard within the click", async () => {
  await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await type("e4");
  await page.locator("#tab-setup").click();
  const isPromised = await page.evaluate(() => {
    let isWithinClick = false;
    const write = navigator.clipboard.write.bind(navigator.clipboard);
    navigator.clipboard.write = (items) => {
      isWithinClick = true;
      return write(items);
    };
    document.getElementById("copy-pgn").click();
    return isWithinClick;
  });
  assert.equal(isPromised, true);
  await expectText("#setup-note", /PGN/);
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /1\. e4 \*/);
});

test("the page survives a restart of the server", async () => {
  await open();
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tree.node.san === "e4");
  const { port } = server;
  await stopServer(server);
  await expectText("#message", /Your game is kept/);
  await picture("lost");
  server = await start(port);
  await page.locator("#message").waitFor({ state: "hidden" });
  await drag("e7", "e5");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tree.node.san === "e5");
  // The failed attempts to connect are errors of the console.
  problems = problems.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
});

for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE], ["phone on its side", LANDSCAPE]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every tab is accessible: ${name}, ${colorScheme}`, async () => {
      await open({ viewport, colorScheme, hasTouch: name !== "desktop", hash: fenHash("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9") });
      for (const tab of ["play", "analyse", "review", "explain", "setup", "games"]) {
        await page.locator(`#tab-${tab}`).click();
        if (tab === "analyse") await expectText("#analyse-stats", /Depth (8|9|\d\d)/);
        if (tab === "explain") await page.locator("#terms tbody tr").first().waitFor();
        await page.waitForTimeout(400);
        await picture(`${name.replaceAll(" ", "-")}-${colorScheme}-${tab}`);
        await assertAccessible(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `${tab} is ${overflow} pixels too wide`);
      }
    });
  }
}

test("high contrast shows what is chosen, and the bars", async () => {
  await open({ forcedColors: "active", hash: "#moves=e4" });
  await page.locator("#line-list .move").first().waitFor();
  await picture("forced-colors");
  const outlines = await page.evaluate(() => ["#tab-analyse", "#tab-play", "#moves .move[aria-current]"].map((selector) => getComputedStyle(document.querySelector(selector)).outlineStyle));
  assert.deepEqual(outlines, ["solid", "none", "solid"]);
  const colors = await page.evaluate(() => [...document.querySelectorAll("#bar, #bar div, #wdl div")].map((part) => getComputedStyle(part).backgroundColor));
  // The parts of both sides in the bar, and the three parts of the chances.
  assert.deepEqual([new Set(colors.slice(0, 2)).size, new Set(colors.slice(2)).size], [2, 3]);
});

test("touch moves a piece on a phone", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.touchscreen.tap(...(await point("g1")));
  await page.touchscreen.tap(...(await point("f3")));
  await expectText("#moves", /Nf3/);
});

test("clock times, arrows, evaluations and null moves are kept in the PGN", async () => {
  await open();
  await openPgn("1. e4 { [%eval 0.17] [%clk 0:05:00] } { [%cal Ge2e4] good } 1... -- 2. d4 ( { before } 2. Nf3 ) *");
  await expectText("#moves", /good.*--.*before/s);
  // The position after a null move is known.
  await page.keyboard.press("End");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo?.legal.length === 20);
  await type("d5");
  const pgn = await savedPgn();
  for (const part of ["[%eval 0.17] [%clk 0:05:00] [%cal Ge2e4]", "good", "1... -- 2. d4", "{ before }", "d5"]) assert.ok(pgn.includes(part), `${part}: ${pgn}`);
});

test("a review's evaluations and report survive moves and a reload", async () => {
  await open();
  await openPgn("1. f3 e5 2. g4 Qh4# 0-1");
  await expectText("#moves", /Qh4#/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.locator("#review-start").click();
  await page.locator("#summary").waitFor();
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await type("d4");
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.match(await savedPgn(), /\[%eval .*d4/s);
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("#save-html").click()]);
  assert.match(fs.readFileSync(await report.path(), "utf8"), /<title>White – Black<\/title>/);
});

test("a review that a restart of the engine has ended begins again", async () => {
  await open();
  await openPgn("1. f3 e5 2. g4 Qh4# 0-1");
  await expectText("#moves", /Qh4#/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.evaluate(() => {
    document.querySelector("#review-start").click();
    globalThis.tabiya.engine.restart();
  });
  await page.waitForFunction(() => globalThis.tabiya.tree.review);
  assert.equal(await page.locator("#message").isVisible(), false);
});

test("a game goes on after the browser was closed, and in one tab at a time", async () => {
  await openGame();
  await page.waitForTimeout(400);
  // A new tab, as after a new start of the browser, has the game but not the session of the first.
  const first = page;
  page = await context.newPage();
  await page.goto(server.address);
  await expectText("#play-note", /in progress/);
  await page.locator("#continue").click();
  await expectText("#play-note", /Your move/);
  await drag("d2", "d3");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
  const note = await first.textContent("#play-note");
  assert.match(note, /in progress/);
  assert.equal(await first.evaluate(() => globalThis.tabiya.tree.nodes.length), 3);
});

test("a game that another tab goes on with cannot be taken back", async () => {
  await openGame();
  await page.locator("#draw").click();
  await expectText("#play-note", /declines/);
  await page.waitForTimeout(400);
  const first = page;
  page = await context.newPage();
  await page.goto(server.address);
  await page.locator("#continue").click();
  await expectText("#play-note", /Your move/);
  await waitForText(first, "#play-note", /in progress/);
  assert.deepEqual(await Promise.all(["#continue", "#takeback"].map((button) => first.locator(button).isVisible())), [true, false]);
});

test("Tabiya agrees to a draw after a reload, too", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.evaluate(() => {
    globalThis.tabiya.engine.start = () => Object.assign(Promise.resolve({ kind: "best", uci: "e7e5", san: "e5", accepts_draw: true }), { stop: () => {} });
  });
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.reload();
  await expectText("#play-note", /Your move/);
  await page.locator("#draw").click();
  await expectText("#play-note", /Draw by agreement/);
});

test("Tabiya's consent to a draw ends with the next move", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.evaluate(() => {
    const replies = [Promise.resolve({ kind: "best", uci: "e7e5", san: "e5", accepts_draw: true }), new Promise(() => {})];
    globalThis.tabiya.engine.start = () => Object.assign(replies.shift(), { stop: () => {} });
  });
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await expectText("#play-note", /Your move/);
  await type("d4");
  await page.locator("#draw").click();
  await expectText("#play-note", /declines/);
});

test("a game that another tab has ended is not continued", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3 && globalThis.tabiya.tree.version > 0);
  await page.waitForTimeout(400);
  const first = page;
  page = await context.newPage();
  await page.goto(server.address);
  await expectText("#play-note", /in progress/);
  first.once("dialog", (dialog) => dialog.accept());
  await first.locator("#resign").click();
  await waitForText(first, "#play-note", /You resigned/);
  await first.waitForFunction(() => globalThis.tabiya.tree.keptText === globalThis.tabiya.tree.content);
  await first.waitForTimeout(400);
  await page.locator("#continue").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "0-1");
  await expectText("#play-note", /Choose/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.isActive), false);
});

test("a game ends where it was played, whatever was tried in the analysis", async () => {
  await openGame();
  await expectText("#play-note", /Your move/);
  await page.locator("#tab-analyse").click();
  await type("h4");
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await type("d4");
  await page.locator("#promote").click();
  await page.locator("#tab-play").click();
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  const moves = () => page.evaluate(() => globalThis.tabiya.tree.mainline.map((index) => globalThis.tabiya.tree.nodes[index].san));
  const played = await moves();
  assert.deepEqual([played.length, played[1]], [3, "e4"]);
  await expectText("#moves", /d4/);
  await expectText("#status", /Black has won/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "*");
  await expectText("#moves", /h4/);
});

test("a deletion of moves of a game in progress asks first, also if the game waits", async () => {
  await openGame();
  const deleteFirst = async (isAccepted) => {
    await page.locator("#tab-analyse").click();
    await page.evaluate(() => globalThis.tabiya.goTo(1));
    const question = new Promise((resolve) => {
      page.once("dialog", async (dialog) => {
        await (isAccepted ? dialog.accept() : dialog.dismiss());
        resolve(dialog.message());
      });
    });
    await page.locator("#delete").click();
    assert.match(await question, /deletes moves of the game in progress/);
    return page.evaluate(() => globalThis.tabiya.tree.mainline.length);
  };
  assert.equal(await deleteFirst(false), 3);
  await page.waitForTimeout(400);
  page = await context.newPage();
  await page.goto(server.address);
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await deleteFirst(false), 3);
  await page.locator("#tab-play").click();
  assert.equal(await page.locator("#continue").isVisible(), true);
  assert.equal(await deleteFirst(true), 1);
  await page.locator("#tab-play").click();
  assert.equal(await page.locator("#continue").isVisible(), false);
});

test("after a deletion of its moves an ended game cannot be taken back", async () => {
  await openGame();
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  await page.locator("#tab-analyse").click();
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await type("d4");
  await page.evaluate(() => globalThis.tabiya.goTo(globalThis.tabiya.tree.child(0, "e2e4")));
  await page.locator("#delete").click();
  await page.locator("#tab-play").click();
  assert.equal(await page.locator("#takeback").isVisible(), false);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.node), 0);
  await expectText("#moves", /d4/);
});

test("a refused page says why", async () => {
  const full = await start(0, ["--sessions", "1"]);
  try {
    context = await browser.newContext();
    page = await context.newPage();
    await page.goto(full.address);
    await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
    const second = await context.newPage();
    await second.goto(full.address);
    await second.waitForFunction(() => /pages are open already/i.test(document.querySelector("#message")?.textContent));
    // It still does after the next attempt.
    await second.waitForTimeout(1500);
    assert.match(await second.textContent("#message"), /pages are open already/i);
  } finally {
    await stopServer(full);
  }
});

test("clocks stop for the engine without a connection", async () => {
  await open();
  await page.locator("#time").selectOption("1");
  await page.locator("#elo").fill("2850");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  // Without the legal moves, which the server tells, the next move cannot be typed.
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3 && globalThis.tabiya.positionInfo);
  const { port } = server;
  await stopServer(server);
  await expectText("#message", /Your game is kept/);
  await page.fill("#move-input", "d4");
  await page.press("#move-input", "Enter");
  const time = () => page.textContent("#top .clock");
  const before = await time();
  await page.waitForTimeout(1500);
  assert.equal(await time(), before);
  server = await start(port);
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
  problems = problems.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
});

test("play from here starts one game, and the next one starts from the initial position", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.locator("#tab-setup").click();
  await page.locator("#setup-play").click();
  await expectText("#play-note", /Your move/);
  await drag("a1", "a8");
  await expectText("#play-note", /checkmate/);
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  assert.equal(await pieceAt("e2"), "P");
});

test("play from here leaves the form as it is if the game in progress is not left", async () => {
  await openGame();
  await page.locator("#tab-setup").click();
  await expectText("#fen-error", /^$/);
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.locator("#setup-play").click();
  await page.waitForFunction(() => globalThis.tabiya.tab === "play");
  assert.equal(await page.inputValue("#start"), "standard");
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 3);
});

test("a FEN with two spaces has the right side to move", async () => {
  await open({ hash: "#fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR__b_KQkq_-_0_1" });
  await expectText("#status", /Black to move/);
  await type("e5");
  await expectText("#moves", /1\..*e5/);
});

test("set up works again after a loss of the connection", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await expectText("#fen-error", /^$/);
  const { port } = server;
  await stopServer(server);
  await expectText("#message", /Your game is kept/);
  await page.locator("#setup-clear").click();
  await page.locator("#setup-start").click();
  await page.waitForFunction(() => document.querySelector("#setup-analyse").disabled);
  server = await start(port);
  await page.waitForFunction(() => !document.querySelector("#setup-analyse").disabled);
  await expectText("#fen-error", /^$/);
  problems = problems.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
});

test("set up replaces nothing by a position that is illegal", async () => {
  await open();
  await type("e4");
  await page.locator("#tab-setup").click();
  await expectText("#fen-error", /^$/);
  // Both clicks come before the reply that disables the second button.
  await page.evaluate(() => {
    for (const id of ["setup-clear", "setup-analyse"]) document.getElementById(id).click();
  });
  await expectText("#fen-error", /king/);
  await page.evaluate(() => globalThis.tabiya.engine.request("ping"));
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes[1].san), "e4");
  assert.ok(await page.locator("#setup-analyse").isDisabled());
});

test("the promotion dialog closes with the game", async () => {
  await open({ hash: fenHash("8/P6k/8/8/8/8/8/K7 w - - 0 1") });
  await page.locator("#tab-setup").click();
  await page.locator("#setup-play").click();
  await expectText("#play-note", /Your move/);
  await click("a7");
  await click("a8");
  await page.locator(".promotion").waitFor();
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await page.locator(".promotion").waitFor({ state: "detached" });
});

test("the focus returns to the board after a promotion", async () => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-roledescription"));
  await open({ hash: fenHash("8/4P3/8/8/8/8/k7/7K w - - 0 1") });
  await page.evaluate(() => document.querySelector("#board > svg").focus());
  const promote = async () => {
    // The cursor begins on e2 and stays on e8 later.
    for (const key of ["ArrowDown", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await page.locator(".promotion").waitFor();
    assert.equal(await focused(), null);
  };
  for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowUp");
  await promote();
  await page.keyboard.press("Escape");
  await page.locator(".promotion").waitFor({ state: "detached" });
  assert.equal(await focused(), "chess board");
  await promote();
  // Another position closes the dialog.
  await page.evaluate(() => globalThis.tabiya.move("e7e8r", "e8=R"));
  await page.locator(".promotion").waitFor({ state: "detached" });
  assert.equal(await focused(), "chess board");
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await page.waitForFunction(() => globalThis.tabiya.positionInfo?.legal.length > 0);
  await promote();
  await page.keyboard.press("Enter");
  await expectText("#moves", /e8=Q/);
  assert.equal(await focused(), "chess board");
});

test("a server that no longer answers is noticed, and the page connects again", async () => {
  await open();
  await page.evaluate(() => Object.assign(globalThis.tabiya.engine.heartbeat, { interval: 200, limit: 2000 }));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  // Answers keep the connection.
  await page.waitForTimeout(3000);
  assert.equal(await page.locator("#message").isVisible(), false);
  server.child.kill("SIGSTOP");
  await expectText("#message", /Your game is kept/);
  await page.waitForTimeout(500);
  server.child.kill("SIGCONT");
  await page.locator("#message").waitFor({ state: "hidden" });
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tree.node.san === "e4");
  problems = problems.filter((text) => !/WebSocket/.test(text));
});

test("a flag that falls against a player who cannot give mate is a draw", async () => {
  await open({ hash: fenHash("4k3/8/8/8/8/8/4q3/6NK b - - 0 1") });
  await page.locator("#tab-play").click();
  await page.locator("#start").selectOption("here");
  await page.locator("#color").selectOption("black");
  await page.locator("#time").selectOption("1");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  for (const move of ["e2e7", "e7e6"]) {
    await type(move);
    await expectText("#play-note", /Your move/);
  }
  await page.evaluate(() => { globalThis.tabiya.panel.state.clock.black = 50; });
  await expectText("#play-note", /black's time|Black's time/);
  await expectText("#play-note", /draw/);
});

test("castling can be typed by the king's squares", async () => {
  await open({ hash: fenHash("4k3/8/8/8/8/8/8/4K2R w K - 0 1") });
  await type("e1g1");
  await expectText("#moves", /O-O/);
});

test("text can be dropped into a field", async () => {
  await open();
  const isPrevented = await page.evaluate(() => {
    const drop = new DragEvent("drop", { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true });
    document.querySelector("#pgn-text").dispatchEvent(drop);
    return drop.defaultPrevented;
  });
  assert.equal(isPrevented, false);
});

const isInSight = (selector) => isElementInSight(page, selector);

test("a phone on its side shows the whole board", async () => {
  await open({ viewport: LANDSCAPE, hasTouch: true });
  const box = await page.locator("#board > svg").boundingBox();
  assert.ok(box.height > 340, `${box.height} pixels`);
  for (const selector of ["#board > svg", "#tabs", "#top", "#bottom", "#next", "#move-input"]) assert.ok(await isInSight(selector), selector);
});

test("a game's buttons are on the screen of a phone", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  for (const selector of ["#board > svg", "#play-note", "#takeback", "#resign", "#play-setup"]) assert.ok(await isInSight(selector), selector);
  // The form for the next game comes back after this one.
  assert.equal(await page.locator("#play-form").isVisible(), false);
});

for (const [name, viewport, shown] of [["phone", PHONE, []], ["laptop", LAPTOP, ["#graph", "#summary"]], ["phone on its side", LANDSCAPE, []]]) {
  test(`a review's results are in sight: ${name}`, async () => {
    await open({ viewport, hasTouch: name !== "laptop", isMobile: name !== "laptop" });
    await openPgn('[White "Ann Extraordinarily-Longname"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0');
    await expectText("#moves", /Qxf7#/);
    await page.locator("#review-nodes").selectOption("20000");
    await page.locator("#review-start").click();
    await page.locator("#summary").waitFor();
    await page.locator("#next-mistake").click();
    await expectText("#review-move", /, (inaccuracy|mistake|blunder)\. .*best/);
    for (const selector of ["#board > svg", "#status", "#next-mistake", "#review-move", ...shown]) assert.ok(await isInSight(selector), selector);
    // Names keep to one line.
    const heights = await page.locator("#summary tbody tr").evaluateAll((rows) => rows.map((row) => row.offsetHeight));
    assert.equal(heights[0], heights[1]);
    await picture(`review-${name.replaceAll(" ", "-")}`);
  });
}

test("the next mistake after the last one is the first, also from the end of the game", async () => {
  await open();
  await openPgn("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
  await expectText("#moves", /Qxf7#/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.locator("#review-start").click();
  await page.locator("#summary").waitFor();
  await page.locator("#last").click();
  await page.locator("#next-mistake").click();
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current === globalThis.tabiya.tree.mistakes[0]), true);
  await page.locator("#previous-mistake").click();
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current === globalThis.tabiya.tree.mistakes.at(-1)), true);
});

test("a typed move that is illegal is refused with the reason", async () => {
  await open();
  const reasons = async (fen, cases) => {
    const found = await page.evaluate(async ([start, moves]) => {
      const [{ whyIllegal }, { $position: { fromFen } }] = await Promise.all([import("./illegal-move.js"), import("./main.js")]);
      const info = await globalThis.tabiya.engine.request("position", { game: { start, moves: [] } });
      return moves.map((move) => whyIllegal(move, fromFen(start), info));
    }, [fen, cases.map(([move]) => move)]);
    cases.forEach(([move, pattern], index) => assert.match(found[index], pattern, move));
  };
  await reasons("r3k2r/pPp2ppp/2n5/1B2p3/4P3/3q1N2/PP1N1PPP/R3K2R w KQkq - 0 1", [
    ["hello", /is not a move/], ["e5", /way to e5 is blocked/], ["exd5", /nothing for the pawn to capture/], ["Nd4xx5", /is not a move/], ["Qd1", /White has no queen/],
    ["Ke2", /king would be in check on e2/], ["O-O", /cannot castle now/], ["e1e2", /king would be in check/], ["a7a6", /White's turn/], ["h4h5", /no piece on h4/],
    ["Nf1xe5+", /no knight on f1/], ["b8", /promotes: type b8=/], ["Bd7", /Another piece is in the way/], ["Ng3", /No white knight can move to g3/],
  ]);
  await reasons("4k3/8/8/8/1b6/2N5/8/R3K2R w - - 0 1", [["Ne4", /knight is pinned/], ["0-0", /no longer allowed/], ["O-O-O", /queenside is no longer allowed/]]);
  await reasons("4k3/8/8/8/8/8/4r3/1N2K1N1 w - - 0 1", [["Nc3", /in check, which this does not end/]]);
  await reasons("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", [["Nd2", /More than one knight can move to d2: type Nbd2 or Nfd2/]]);
});

test("a finished game says so when a piece is touched", async () => {
  await open({ hash: fenHash("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1") });
  await page.waitForFunction(() => globalThis.tabiya.positionInfo?.outcome);
  await click("g8");
  await expectText("#status", /game is over: White wins by checkmate/);
  await context.close();
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.locator("#resign").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await click("e2");
  await expectText("#status", /game is over \(0–1\)/);
});

test("a game on the clock has its times in the PGN", async () => {
  await open();
  await page.locator("#time").selectOption("2");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.evaluate(() => { globalThis.tabiya.panel.state.clock.white = 3_723_400; });
  await type("a3");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
  await page.evaluate(() => { globalThis.tabiya.panel.state.clock.white = 10; });
  await expectText("#play-note", /time is up/);
  const pgn = await savedPgn();
  for (const part of ['[TimeControl "180+2"]', '[Termination "time forfeit"]', "e4 { [%clk 0:03:00] }", "a3 { [%clk 1:02:0"]) assert.ok(pgn.includes(part), `${part}: ${pgn}`);
});

test("an opened game shows the clock of each move", async () => {
  await open();
  await openPgn("1. e4 { [%clk 0:05:00] } e5 { [%clk 0:04:58] } 2. Nf3 { [%clk 0:04:41] } *");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 4);
  await page.locator("#last").click();
  await expectText("#bottom .clock", /^4:41$/);
  await page.locator("#previous").click();
  await expectText("#bottom .clock", /^5:00$/);
  await expectText("#top .clock", /^4:58$/);
  await page.locator("#first").click();
  assert.equal(await page.locator("#top .clock").isVisible(), false);
});

test("the evaluation bar rounds", async () => {
  await open();
  const shown = await page.evaluate(() => [["+0.28", 0.5], ["−0.04", 0.5], ["+9.96", 0.9], ["−12.50", 0.1], ["#−3", 0], ["0.00", 0.5]].map(([text, white]) => {
    const app = globalThis.tabiya;
    app.panel.boardOverlay = () => ({ bar: { white, text } });
    app.drawBoard();
    return document.querySelector("#bar span").textContent;
  }));
  assert.deepEqual(shown, ["+0.3", "0.0", "+10", "−13", "#−3", "0.0"]);
});

test("evaluations stay with the moves, and are there after a reload", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await type("e4");
  await expectText("#analyse-stats", /Depth (6|7|8|9|\d\d)/);
  // Not after a wait: at once.
  const shown = await page.evaluate(() => {
    const app = globalThis.tabiya;
    app.goTo(0);
    app.goTo(1);
    return { lines: document.querySelectorAll("#line-list .move").length, stats: document.querySelector("#analyse-stats").textContent, bar: app.panel.boardOverlay().bar?.text };
  });
  assert.match(shown.stats, /Depth \d+\/\d+, found before/);
  assert.ok(shown.lines > 0 && shown.bar, JSON.stringify(shown));
  await page.locator("#analyse-toggle").click();
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#analyse-toggle", /Start/);
  await expectText("#analyse-stats", /Depth (6|7|8|9|\d\d)\/\d+, found before$/);
  await page.locator("#line-list .move").first().waitFor();
});

test("a line of the analysis can be shown in full", async () => {
  await open({ viewport: PHONE, hasTouch: true });
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .expand").first().waitFor();
  await page.waitForFunction(() => { const line = document.querySelector("#line-list .line"); return line && line.scrollWidth > line.clientWidth; });
  await page.locator("#analyse-toggle").click();
  // What was found stays.
  await page.locator("#line-list .expand").first().click();
  const isCut = await page.evaluate(() => { const line = document.querySelector("#line-list .line"); return line.scrollWidth > line.clientWidth; });
  assert.equal(isCut, false);
  assert.equal(await page.locator("#line-list .expand").first().getAttribute("aria-expanded"), "true");
});

test("single-letter shortcuts can be switched off", async () => {
  await open();
  const isFlipped = () => page.evaluate(() => globalThis.tabiya.isFlipped);
  await page.keyboard.press("f");
  assert.equal(await isFlipped(), true);
  await page.locator("#shortcuts").uncheck();
  await page.locator("h1").click();
  await page.keyboard.press("f");
  assert.equal(await isFlipped(), true);
  await page.waitForTimeout(400);
  await page.reload();
  assert.equal(await page.locator("#shortcuts").isChecked(), false);
});

test("one live region announces each move once", async () => {
  await open();
  await page.evaluate(() => {
    globalThis.announced = [];
    for (const region of document.querySelectorAll("[role=status], [role=log], [aria-live]")) {
      new MutationObserver(() => region.textContent && globalThis.announced.push(region.textContent)).observe(region, { childList: true, subtree: true, characterData: true });
    }
  });
  await page.locator("#tab-analyse").click();
  await type("e4");
  await expectText("#announcer", /1\. e4/);
  await page.waitForTimeout(300);
  const announced = await page.evaluate(() => globalThis.announced.filter((text) => text.includes("e4")));
  assert.equal(announced.length, 1, announced.join(" | "));
});

test("the moves of a line are reached with the arrow keys", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .move").nth(1).waitFor();
  await page.locator("#line-list .move").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3);
});

/** The kept games, the latest first, once there are so many. */
async function keptGames(number) {
  await page.locator("#tab-games").click();
  await page.waitForFunction((wanted) => document.querySelectorAll("#kept-list button").length === wanted, number);
  return page.locator("#kept-list button").allTextContents();
}

test("moves after the end of a finished game are another game", async () => {
  await open();
  await openPgn('[White "Ann"]\n[Termination "resignation"]\n\n1. e4 c5 2. d4 e6 0-1');
  await expectText("#moves", /e6/);
  await page.locator("#tab-analyse").click();
  await page.locator("#last").click();
  await expectText("#status", /Black has won/);
  await type("Qe2");
  await expectText("#status", /^3\. Qe2, Black to move$/);
  const pgn = () => page.evaluate(async () => (await globalThis.tabiya.engine.request("save", { game: globalThis.tabiya.tree })).pgn);
  assert.match(await pgn(), /White "Ann"[^]*e6 3\. Qe2 \*/);
  assert.doesNotMatch(await pgn(), /Termination/);
  assert.equal((await keptGames(2)).length, 2);
  await page.locator("#kept-list button", { hasText: "0–1" }).click();
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "0-1");
  await page.locator("#last").click();
  await expectText("#status", /Black has won/);
  assert.match(await pgn(), /2\. d4 e6 0-1/);
  // A line of the engine that begins with the last move of the game.
  await page.locator("#previous").click();
  await page.evaluate(() => globalThis.tabiya.playLine(["e7e6", "d1e2"], ["e6", "Qe2"]));
  assert.match(await pgn(), /2\. d4 e6 3\. Qe2 \*/);
  assert.equal((await keptGames(3)).filter((text) => text.includes("0–1")).length, 1);
});

test("a variation that becomes the main line of a finished game has no result", async () => {
  await open();
  await openPgn('[White "Ann"]\n\n1. e4 (1. d4 d5) 1... c5 (1... e5) 2. Nf3 (2. d4) 0-1');
  await expectText("#moves", /d5/);
  await page.locator("#tab-analyse").click();
  const pgn = () => page.evaluate(async () => (await globalThis.tabiya.engine.request("save", { game: globalThis.tabiya.tree })).pgn);
  await page.locator("#moves button", { hasText: /^d5$/ }).click();
  await page.locator("#promote").click();
  await expectText("#status", /^1\.\.\. d5, White to move$/);
  assert.match(await pgn(), /1\. d4 \(1\. e4 [^]*1\.\.\. d5 \*/);
  // The game that was played is another one, and a change of its moves before the end keeps its result.
  await keptGames(2);
  await page.locator("#kept-list button", { hasText: "0–1" }).click();
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "0-1");
  assert.match(await pgn(), /1\. e4 \(1\. d4 d5\)[^]* 0-1/);
  await page.locator("#last").click();
  await expectText("#status", /Black has won/);
});

for (const [name, viewport, shown] of [["phone", PHONE, ["#board > svg"]], ["laptop", LAPTOP, ["#board > svg", "#status", "#tabs"]], ["phone on its side", LANDSCAPE, ["#board > svg", "#status", "#tabs"]]]) {
  test(`a message covers no control: ${name}`, async () => {
    await open({ viewport, hasTouch: name !== "laptop", isMobile: name !== "laptop" });
    const controls = "button, input, select, summary, textarea";
    // The controls on the screen that are covered by something else, and all that are on it.
    const seen = () => page.evaluate((css) => {
      const all = [...document.querySelectorAll(css)].map((element) => ({ element, box: element.getBoundingClientRect() }));
      const onScreen = all.filter(({ box }) => box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth);
      const covered = onScreen.filter(({ element, box }) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("#message") && !element.closest("#message"));
      return { count: onScreen.length, covered: covered.map(({ element }) => element.id) };
    }, controls);
    const { count } = await seen();
    await page.evaluate(() => scrollTo({ top: 300 }));
    await page.evaluate(() => globalThis.tabiya.fail(new Error("A message that says what has failed, where, and what would work, in as many words as it needs.")));
    for (const selector of ["#message", "#message button", ...shown]) assert.ok(await isInSight(selector), selector);
    const after = await seen();
    assert.deepEqual(after.covered, []);
    assert.ok(after.count > count / 2, `${after.count} of ${count} controls`);
    await assertAccessible(page, "#message");
    await page.locator("#message button").click();
    assert.deepEqual(await seen(), { count, covered: [] });
  });
}

test("on a laptop, a long reason is shown in full", async () => {
  await open({ viewport: LAPTOP });
  await page.locator("#status").evaluate((status) => { status.textContent = "A reason with many words. ".repeat(6); });
  assert.ok(await page.locator("#status").evaluate((status) => status.offsetHeight > 2.5 * parseFloat(getComputedStyle(status).lineHeight)), "three lines");
  assert.ok(await page.locator("#status").evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  for (const selector of ["#board > svg", "#status", "#move-input"]) assert.ok(await isInSight(selector), selector);
});

test("a closed message about a lost connection comes back only after a connection", async () => {
  await open();
  const lose = () => page.evaluate(() => globalThis.tabiya.engine.dispatchEvent(new Event("lost")));
  await lose();
  await page.locator("#message button").click();
  await lose();
  assert.equal(await page.locator("#message").isHidden(), true);
  await page.evaluate(() => globalThis.tabiya.engine.dispatchEvent(new Event("open")));
  await lose();
  await expectText("#message", /no connection/);
});

test("a button with nothing to do says so on the screen or is disabled", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await type("e4");
  await page.locator("#redo").click();
  await expectText("#status", /nothing to redo/i);
  await page.locator("#tab-games").click();
  await page.locator("#kept-delete").click();
  await expectText("#kept-note", /The game is deleted/);
  await page.evaluate(() => {
    const { tree } = globalThis.tabiya;
    tree.nodes[1].eval = { white: 0.5 };
    globalThis.tabiya.setTab("review");
  });
  const buttons = ["#previous-mistake", "#next-mistake", "#learn"].map((selector) => page.locator(selector));
  for (const button of buttons) assert.equal(await button.isDisabled(), true);
  for (const key of ["n", "p"]) {
    await page.evaluate(() => { globalThis.tabiya.changed(); });
    await page.keyboard.press(key);
    await expectText("#status", /no reviewed mistake/);
  }
  await page.evaluate(() => {
    globalThis.tabiya.tree.nodes[1].judgement = "mistake";
    globalThis.tabiya.changed();
  });
  for (const button of buttons) assert.equal(await button.isDisabled(), false);
});

test("a new game and a reviewed one without mistakes are shown as such", async () => {
  await open();
  await openPgn('[White "Ann"]\n\n1. e4 *\n\n[White "Bob"]\n\n1. d4 *');
  await page.locator("#game-list [aria-current]", { hasText: "Ann" }).waitFor();
  await page.evaluate(() => {
    globalThis.tabiya.tree.nodes[1].eval = { white: 0.5 };
    globalThis.tabiya.edited(1);
  });
  await page.locator("#tab-train").click();
  await expectText("#train-game-text", /^The game on the board has/);
  await page.locator("#tab-play").click();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.locator("#tab-review").click();
  assert.equal(await page.locator("#game-list [aria-current]").count(), 0);
});

test("games that a PGN, a link or a new game replaces are kept, also after a crash of the tab", async () => {
  await open();
  await openPgn('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 1-0');
  await expectText("#moves", /Nf3/);
  await openPgn('[White "Cid"]\n[Opening "Bird Opening"]\n\n1. f4 *');
  await expectText("#moves", /f4/);
  await page.locator("#tab-play").click();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await keptGames(3);
  // A new tab after a crash has no session, and an address that shows another position.
  const { address } = server;
  await page.close();
  page = await context.newPage();
  await page.goto(address + fenHash(MATE_IN_ONE));
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo && globalThis.tabiya.tab === "analyse");
  // The position of the address is kept, too.
  const games = await keptGames(4);
  assert.match(games.join("\n"), /Position.*\n.*You.*\n.*Cid.*Bird Opening.*\n.*Ann – Bob/s);
  await page.fill("#kept-filter", "bird");
  assert.equal(await page.locator("#kept-list button").count(), 1);
  await page.locator("#kept-list button").click();
  await expectText("#moves", /f4/);
  await page.fill("#kept-filter", "");
  await page.locator("#kept-list button", { hasText: "You" }).click();
  await page.locator("#tab-play").click();
  await page.locator("#continue").click();
  await expectText("#play-note", /Your move/);
});

test("kept games are deleted, restored, imported and exported", async () => {
  await open();
  await page.locator("#tab-games").click();
  const file = (name, pgn) => ({ name, mimeType: "text/plain", buffer: Buffer.from(pgn) });
  const files = [file("a.pgn", '[White "Ann"]\n\n1. e4 *\n\n[White "Bob"]\n\n1. d4 *'), file("b.pgn", '[White "Cid"]\n\n1. c4 *')];
  await page.locator("#kept-import").setInputFiles(files);
  await keptGames(3);
  // The same file again adds nothing.
  await page.locator("#kept-import").setInputFiles(files);
  await page.locator("#kept-list button", { hasText: "Bob" }).click();
  await expectText("#moves", /d4/);
  await page.locator("#kept-delete").click();
  await keptGames(2);
  await page.locator("#kept-deleted").check();
  assert.match((await keptGames(1))[0], /Bob/);
  await assertAccessible(page, "#panel-games");
  await page.locator("#kept-list button").click();
  await page.locator("#kept-deleted").uncheck();
  await keptGames(3);
  await picture("games");
  const [exported] = await Promise.all([page.waitForEvent("download"), page.locator("#kept-export").click()]);
  assert.equal(fs.readFileSync(await exported.path(), "utf8").match(/^\[White /gm).length, 3);
});

test("an export that is imported again adds no game, also of those played or changed here", async () => {
  await open();
  for (const move of ["e4", "e5"]) await type(move);
  await openPgn('[White "Ann"]\n[Date "2026.??.??"]\n\n1. e4 {first} (1. d4 d5) *');
  await expectText("#moves", /d5/);
  await page.locator("#tab-analyse").click();
  await page.evaluate(() => globalThis.tabiya.goTo(1));
  await type("c5");
  await page.locator("#tab-games").click();
  await keptGames(2);
  const [exported] = await Promise.all([page.waitForEvent("download"), page.locator("#kept-export").click()]);
  const pgn = fs.readFileSync(await exported.path());
  const addPgn = async (more) => {
    await page.locator("#kept-import").setInputFiles([{ name: "a.pgn", mimeType: "text/plain", buffer: Buffer.concat([pgn, Buffer.from(`\n${more}`)]) }]);
  };
  await addPgn("1. c4 *");
  await keptGames(3);
  await page.locator("#kept-list button", { hasText: "Ann" }).click();
  await expectText("#moves", /c5/);
  await page.locator("#kept-delete").click();
  await keptGames(2);
  await addPgn("");
  await keptGames(3);
});

test("an import names the files that cannot be read, and keeps what can", async () => {
  await open();
  await page.locator("#tab-games").click();
  const file = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await page.locator("#kept-import").setInputFiles([
    file("faulty.pgn", "1. e4 e5 *\n\n1. d4 *\n\n1. c4 e5 2. Ke3 *"), file("bytes.pgn", [1, 250, 7, 91, 200, 0, 10, 10, 49, 46, 130]),
    file("letter.txt", "Dear Ann, see you on Monday."), file("empty.txt", ""),
  ]);
  await expectText("#message", /faulty\.pgn: Not all.*Ke3.*bytes\.pgn: .*letter\.txt: .*empty\.txt: ./);
  await page.locator("#message button").click();
  await keptGames(3);
});

test("a search limits the games that are exported and removed for good", async () => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(["Ann", "Bob"].map((name) => (
    { players: [name, "Black"], event: "", date: "", result: "*", plies: 1, pgn: `[White "${name}"]\n\n1. e4 *` }))));
  await page.locator("#tab-games").click();
  await keptGames(2);
  await page.fill("#kept-filter", "ann");
  const [exported] = await Promise.all([page.waitForEvent("download"), page.locator("#kept-export").click()]);
  assert.deepEqual(fs.readFileSync(await exported.path(), "utf8").match(/^\[White .*$/gm), ['[White "Ann"]']);
  await page.fill("#kept-filter", "");
  for (const rest of [1, 0]) {
    await page.locator("#kept-list button").first().click();
    await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 2);
    await page.locator("#kept-delete").click();
    await keptGames(rest);
  }
  await page.locator("#kept-deleted").check();
  await keptGames(2);
  await page.fill("#kept-filter", "zoe");
  assert.equal(await page.locator("#kept-remove").isHidden(), true);
  await page.fill("#kept-filter", "ann");
  let question = "";
  page.once("dialog", (dialog) => {
    question = dialog.message();
    dialog.accept();
  });
  await page.locator("#kept-remove").click();
  await keptGames(0);
  assert.match(question, /removes 1 deleted game for good/);
  await page.fill("#kept-filter", "");
  assert.match((await keptGames(1))[0], /Bob/);
});

test("the list of kept games keeps its length, its place and the focus when a game is restored", async () => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(Array.from({ length: 300 }, (_, index) => (
    { players: [`Player ${index}`, "Black"], event: "", date: "", result: "*", plies: 1, pgn: `[White "Player ${index}"]\n\n1. e4 *` }))));
  await page.evaluate(async () => {
    const request = indexedDB.open("tabiya");
    await new Promise((resolve) => { request.onsuccess = resolve; });
    const summaries = request.result.transaction("summaries", "readwrite").objectStore("summaries");
    const all = summaries.getAll();
    await new Promise((resolve) => { all.onsuccess = resolve; });
    for (const summary of all.result) summaries.put({ ...summary, deleted: 1 });
    await new Promise((resolve) => { summaries.transaction.oncomplete = resolve; });
  });
  await page.locator("#tab-games").click();
  await page.locator("#kept-deleted").check();
  await page.locator("#more-kept").click();
  await page.waitForFunction(() => document.querySelectorAll("#kept-list button").length === 300);
  await page.locator("#kept-list button").nth(250).press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#kept-list button").length === 299);
  const { place, isInSight } = await page.evaluate(() => {
    const list = document.querySelector("#kept-list");
    const { top } = list.getBoundingClientRect();
    const focused = document.activeElement.getBoundingClientRect();
    return { place: [...list.querySelectorAll("button")].indexOf(document.activeElement), isInSight: focused.top >= top && focused.bottom <= top + list.clientHeight + 1 };
  });
  assert.deepEqual([place, isInSight], [250, true]);
});

test("10,000 kept games are searched in less than 200 ms", async (t) => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(Array.from({ length: 10_000 }, (_, index) => (
    { players: [`Player ${index}`, "Black"], event: "", date: "2020.01.01", result: "1-0", plies: 40, pgn: `[White "Player ${index}"]\n\n1. e4 1-0` }))));
  await page.locator("#tab-games").click();
  await expectText("#kept-count", /10,000/);
  const milliseconds = await page.evaluate(() => {
    const started = performance.now();
    const filter = document.querySelector("#kept-filter");
    filter.value = "player 9876";
    filter.dispatchEvent(new Event("input"));
    return performance.now() - started;
  });
  assert.equal(await page.locator("#kept-list button").count(), 1);
  t.diagnostic(`${milliseconds} ms`);
  assert.ok(milliseconds < 200, `${milliseconds} ms`);
});

test("two tabs that change the same game keep both", async () => {
  await open();
  await type("e4");
  await keptGames(1);
  await page.waitForTimeout(400);
  const first = page;
  page = await context.newPage();
  await page.goto(server.address);
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo && globalThis.tabiya.tree.nodes.length === 2);
  await type("e5");
  await keptGames(1);
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 2);
  page = first;
  await type("c5");
  await expectText("#message", /Another tab has changed this game/);
  await page.locator("#message button").click();
  await keptGames(2);
});

test("edits are undone and redone", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  for (const move of ["e4", "e5", "Nf3"]) await type(move);
  await page.evaluate(() => globalThis.tabiya.goTo(1));
  await page.locator("#delete").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 1);
  await page.locator("h1").click();
  // Not behind a dialog.
  await page.keyboard.press("?");
  await page.locator("#keys").waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Escape");
  await page.locator("#keys").waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 1);
  // A checkbox has no undo of its own.
  await page.focus("#shortcuts");
  await page.keyboard.press("Control+z");
  await expectText("#moves", /e4.*e5.*Nf3/s);
  await page.keyboard.press("Control+z");
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 3);
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+y");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 1);
});

test("the end of a game is undone without its note", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "*");
  await expectText("#play-note", /^Choose/);
  assert.equal(await page.locator("#takeback").isVisible(), false);
});

test("edits are undone and redone after a reload", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  for (const move of ["e4", "e5", "Nf3"]) await type(move);
  await page.locator("h1").click();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3 && globalThis.tabiya.tree.version === 4);
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  // The edits come from the storage after the game.
  await page.waitForTimeout(300);
  await page.keyboard.press("Control+y");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 4);
  for (const length of [3, 2, 1]) {
    await page.keyboard.press("Control+z");
    assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), length);
  }
});

test("a list of games is back after a reload, also one of more than 2,000", async () => {
  await open();
  await page.locator("#tab-review").click();
  const games = Array.from({ length: 4500 }, (_, index) => `[Event "E"]\n[White "Player ${index}"]\n\n1. ${index % 2 ? "e4" : "d4"} *`);
  await page.locator("#pgn-file").setInputFiles({ name: "many.pgn", mimeType: "text/plain", buffer: Buffer.from(games.join("\n\n")) });
  await expectText("#game-count", /4,500 games/);
  assert.equal(await page.locator("#message").isVisible(), false);
  await page.fill("#game-filter", "player 4321");
  await page.locator("#game-list button").click();
  await expectText("#top .name, #bottom .name", /Black/);
  await page.waitForFunction(() => /4321/.test(globalThis.tabiya.tree.player("white")));
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#game-count", /4,500 games/);
  await page.fill("#game-filter", "player 77 ");
  await page.locator("#game-list button").first().click();
  await page.waitForFunction(() => globalThis.tabiya.tree.player("white") === "Player 77");
});

test("the games of a file are found by their opening, after a reload, too", async () => {
  await open();
  const game = (white, eco, opening, moves) => `[Event "Club"]\n[White "${white}"]\n[Black "Bo"]\n[ECO "${eco}"]\n[Opening "${opening}"]\n\n${moves} *\n`;
  await openPgn([game("Anna", "C20", "King's Pawn Game", "1. e4 e5"), game("Cleo", "B20", "Sicilian Defense", "1. e4 c5")].join("\n"));
  await expectText("#game-count", /^2 games$/);
  const find = async () => {
    await page.fill("#game-filter", "sicilian");
    await expectText("#game-count", /^1 of 2 games$/);
    await expectText("#game-list", /Cleo.*B20 Sicilian Defense/);
  };
  await find();
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#game-count", /^2 games$/);
  await find();
});

test("a position that has been set up is kept without moves", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 1);
  await openPgn("1. e4 *");
  await keptGames(2);
  await page.locator("#kept-list button", { hasText: "Position" }).click();
  await page.waitForFunction((fen) => globalThis.tabiya.tree.start === fen, MATE_IN_ONE);
});

test("a game that the browser has no room for is said to be lost", async () => {
  await open();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  await type("e4");
  await expectText("#message", /storage of the browser is full/);
  const asked = page.waitForEvent("dialog");
  const click = page.locator("#play-form button").click();
  const dialog = await asked;
  assert.match(dialog.message(), /would be lost/);
  await dialog.dismiss();
  await click;
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
});

test("a game that is too large for a reload is opened from the kept games, and the settings stay", async () => {
  await open();
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(name, text) {
      if (text.includes("e2e4")) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, name, text);
    };
  });
  await page.locator("#elo").fill("900");
  await page.locator("#flip").click();
  await page.locator("#tab-analyse").click();
  for (const move of ["e4", "e5"]) await type(move);
  await page.locator("#previous").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 2);
  await page.waitForTimeout(400);
  const shown = async () => {
    await page.waitForFunction(() => globalThis.tabiya?.tree.nodes.length === 3);
    return page.evaluate(() => {
      const { tree, tab, isFlipped } = globalThis.tabiya;
      return [tree.current, tab, isFlipped, document.querySelector("#elo").value];
    });
  };
  await page.reload();
  assert.deepEqual(await shown(), [1, "analyse", true, "900"]);
  // The next tab has it, too.
  page = await context.newPage();
  await page.goto(server.address);
  assert.deepEqual(await shown(), [1, "analyse", true, "900"]);
});

test("a message about an action ends when the user goes on, and one about the storage with its state", async () => {
  await open();
  const isShown = () => page.locator("#message").isVisible();
  const fail = () => page.evaluate(() => globalThis.tabiya.fail(new Error("not done")));
  for (const goOn of [() => page.locator("#tab-analyse").click(), () => type("e4"), () => page.locator("#previous").click(), () => openPgn("1. d4 *")]) {
    await fail();
    await expectText("#message", /not done/);
    await goOn();
    await page.waitForFunction(() => document.querySelector("#message").hidden);
  }
  // The opened game is kept before it is shown. If that failed, too, its message would stay.
  await expectText("#moves", /d4/);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
    globalThis.makeRoom = () => { IDBObjectStore.prototype.put = put; };
  });
  await type("e4");
  await expectText("#message", /storage of the browser is full/);
  await fail();
  await expectText("#message", /not done/);
  // The other message comes back.
  await page.locator("#previous").click();
  await expectText("#message", /storage of the browser is full/);
  await page.evaluate(() => new Promise((resolve) => {
    globalThis.tabiya.engine.addEventListener("open", () => resolve(), { once: true });
    globalThis.tabiya.engine.restart();
  }));
  await expectText("#message", /storage of the browser is full/);
  assert.equal(await isShown(), true);
  await page.evaluate(() => globalThis.makeRoom());
  await type("Nf3");
  await page.waitForFunction(() => document.querySelector("#message").hidden);
});

test("another review replaces the first one and keeps the user's edits", async () => {
  await open();
  await openPgn("1. e4 e5 2. Bc4 { my own remark } Nc6 3. Qh5 Nf6 4. Qxf7# (4. Qh3 Nxe4) 1-0");
  await expectText("#moves", /Qxf7#/);
  await page.locator("#review-nodes").selectOption("20000");
  const review = async (edit = () => {}) => {
    await unfold("review-more");
    await page.locator("#review-start").click();
    await edit();
    await page.waitForFunction(() => !document.querySelector("#review-start").disabled);
    return savedPgn();
  };
  const count = (text, pattern) => [...text.matchAll(pattern)].length;
  const comments = (text) => [...text.matchAll(/\{([^}]*)\}/g)].map(([, comment]) => comment.trim()).filter((comment) => !comment.startsWith("[%"));
  const first = await review();
  assert.match(first, /\$4/);
  // A variation is deleted, a move is added and a move is commented on while the second review runs.
  const second = await review(() => page.evaluate(() => {
    const app = globalThis.tabiya;
    const { tree } = app;
    tree.remove(tree.nodes.findIndex(({ san }) => san === "Qh3"));
    tree.nodes[1].comments = ["added meanwhile"];
    app.goTo(0);
    app.playLine(["d2d4"], ["d4"]);
  }));
  assert.doesNotMatch(second, /Qh3/);
  assert.match(second, /d4/);
  for (const remark of ["my own remark", "added meanwhile"]) assert.equal(comments(second).filter((comment) => comment === remark).length, 1, second);
  assert.equal(new Set(comments(second)).size, comments(second).length, second);
  assert.equal(count(second, /\$4/g), count(first, /\$4/g));
  // The text field has the user's comment only.
  await page.locator("#tab-analyse").click();
  await page.evaluate(() => globalThis.tabiya.goTo(globalThis.tabiya.tree.nodes.findIndex(({ san }) => san === "Nf6")));
  assert.equal(await page.inputValue("#comment"), "");
});

/** Presses the right button on a square, moves to another and releases it, with these keys held. */
async function draw(from, to, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(...(await point(from)));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await point(to)), { steps: 3 });
  await page.mouse.up({ button: "right" });
  for (const key of keys) await page.keyboard.up(key);
}

test("arrows and circles of the right button are kept in the PGN", async () => {
  await open();
  await type("e4");
  await draw("g8", "f6");
  await draw("e5", "e5", "Shift");
  await draw("d7", "d5", "Alt");
  await page.locator("#board .arrow.user.green").waitFor({ state: "attached" });
  await page.locator("#board .ring.user.red").waitFor({ state: "attached" });
  // The same again removes it.
  await draw("d7", "d5", "Alt");
  assert.equal(await page.locator("#board .arrow.user.blue").count(), 0);
  await draw("d7", "d5", "Shift", "Alt");
  const pgn = await savedPgn();
  assert.match(pgn, /e4 \{ \[%cal Gg8f6,Yd7d5\] \[%csl Re5\] \}/);
  await openPgn(pgn);
  // The opened game begins at its start.
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 0);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelectorAll("#board .arrow.user").length === 2 && document.querySelectorAll("#board .ring.user").length === 1);
  // They belong to their move.
  await page.keyboard.press("Home");
  assert.equal(await page.locator("#board .arrow.user").count(), 0);
});

test("the arrow keys step through the game after a click on a tab, and through the tabs from the keyboard", async () => {
  await open();
  await openPgn("1. e4 e5 2. Nf3 Nc6");
  await expectText("#moves", /Nc6/);
  await page.locator("#tab-analyse").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await page.evaluate(() => [globalThis.tabiya.tab, globalThis.tabiya.tree.node.san]), ["analyse", "e4"]);
  await page.focus("#tab-analyse");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => globalThis.tabiya.tab), "review");
});

test("the wheel steps through the game", async () => {
  await open();
  for (const move of ["e4", "e5"]) await type(move);
  await page.mouse.move(...(await point("d4")));
  const current = () => page.evaluate(() => globalThis.tabiya.tree.current);
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 1);
  await page.waitForTimeout(100);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 2);
  await page.waitForTimeout(100);
  await page.mouse.wheel(0, 100);
  await page.waitForTimeout(100);
  assert.equal(await current(), 2);
});

test("a premove is played when the opponent has moved, and an impossible one is not", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  // Tabiya's moves are chosen here, and come late.
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const answers = [["e7e5", "e5"], ["d7d6", "d6"], ["b8c6", "Nc6"]];
    engine.start = () => {
      const promise = new Promise((resolve) => { globalThis.answer = () => resolve({ kind: "best", uci: answers[0][0], san: answers.shift()[1] }); });
      return Object.assign(promise, { stop: () => {} });
    };
  });
  const answer = () => page.evaluate(() => globalThis.answer());
  await type("e4");
  await expectText("#play-note", /thinking/);
  await drag("g1", "f3");
  await page.waitForFunction(() => document.querySelectorAll("#board .mark.premove").length === 2);
  await answer();
  await expectText("#moves", /e5.*Nf3/s);
  // Given up by a click elsewhere.
  await click("d2");
  await click("d4");
  await page.waitForFunction(() => document.querySelectorAll("#board .mark.premove").length === 2);
  await click("h5");
  assert.equal(await page.locator("#board .mark.premove").count(), 0);
  // By the keyboard, Escape and an empty square give it up. The cursor begins on e2.
  const board = page.locator("#board > svg");
  for (const keys of [["Escape"], ["ArrowUp", "Enter"]]) {
    await click("d2");
    await click("d4");
    await page.waitForFunction(() => document.querySelectorAll("#board .mark.premove").length === 2);
    for (const key of keys) await board.press(key);
    await expectText("#announcer", /^Premove given up$/);
    assert.equal(await page.locator("#board .mark.premove").count(), 0);
  }
  // A pawn cannot capture on an empty square.
  await click("h2");
  await click("g3");
  await answer();
  await expectText("#play-note", /Your move/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 5);
});

test("the threat of the other side is shown", async () => {
  await open({ hash: fenHash("6k1/5ppp/8/8/8/8/6PP/r5K1 w - - 0 1") });
  await page.locator("#threat").click();
  await expectText("#analyse-stats", /In check there is no threat/);
  await context.close();
  await open({ hash: fenHash("1r4k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1") });
  await page.locator("#threat").click();
  await expectText("#analyse-stats", /Threat: Black to move/);
  await expectText("#line-list", /#−1.*1… Rb1/);
  await page.locator("#board .arrow.threat").waitFor({ state: "attached" });
  assert.ok(await page.locator("#line-list .move").first().isDisabled());
  await page.locator("#threat").click();
  await expectText("#analyse-stats", /Depth \d+/);
  await expectText("#line-list", /1\. /);
});

test("threads and hash are chosen in the settings and kept", async () => {
  await open();
  await page.locator("#settings-open").click();
  await page.locator("#hash").selectOption("16");
  await expectText("#engine", /16 MiB hash/);
  await assertAccessible(page, "#settings");
  await picture("settings");
  await page.locator("#settings form button").click();
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#engine", /16 MiB hash/);
});

test("pieces, board colours and sounds are chosen and kept", async () => {
  await open();
  const light = () => page.evaluate(() => getComputedStyle(document.querySelector("rect.light")).fill);
  const king = () => page.evaluate(() => document.querySelector("#piece-k").innerHTML);
  const [firstLight, firstKing] = [await light(), await king()];
  await page.evaluate(() => {
    globalThis.tones = 0;
    const { OscillatorNode: Own } = globalThis;
    globalThis.OscillatorNode = class extends Own { constructor(...values) { super(...values); globalThis.tones++; } };
  });
  await type("e4");
  assert.equal(await page.evaluate(() => globalThis.tones), 0);
  await page.locator("#settings-open").click();
  await page.locator("#board-colors").selectOption("green");
  await page.locator("#piece-set").selectOption("flat");
  await page.locator("#sounds").check();
  await page.waitForFunction((before) => document.querySelector("#piece-k").innerHTML !== before, firstKing);
  assert.notEqual(await light(), firstLight);
  await page.keyboard.press("Escape");
  await picture("flat-pieces");
  await type("d5");
  await type("exd5");
  assert.equal(await page.evaluate(() => globalThis.tones), 3);
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction((before) => document.querySelector("#piece-k").innerHTML !== before, firstKing);
  await page.locator("#settings-open").click();
  await page.locator("#piece-set").selectOption("classic");
  await page.waitForFunction((before) => document.querySelector("#piece-k").innerHTML === before, firstKing);
});

test("a key shows the keys", async () => {
  await open();
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.locator("#keys").waitFor();
  await assertAccessible(page, "#keys");
  await page.keyboard.press("Escape");
  await page.locator("#keys").waitFor({ state: "hidden" });
});

test("a link has the moves of the game", async () => {
  await open();
  for (const move of ["e4", "d5", "exd5", "c6", "dxc6", "Qd7", "cxb7", "Qd8", "bxa8=Q"]) await type(move);
  const link = () => page.evaluate(async () => new URL((await import("./main.js")).$address.gameLink(globalThis.tabiya.tree)).hash);
  await page.evaluate(() => globalThis.tabiya.goTo(3));
  const hash = await link();
  assert.equal(hash, "#moves=e4_d5_exd5_c6_dxc6_Qd7_cxb7_Qd8_bxa8=Q&at=3");
  await context.close();
  await open({ hash });
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 10);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current), 3);
  await context.close();
  // Also from another position.
  await open({ hash: `${fenHash(MATE_IN_ONE)}&moves=Ra8` });
  await expectText("#status", /White wins by checkmate/);
  assert.match(await link(), /^#fen=6k1.*&moves=Ra8$/);
  await context.close();
  // Also with a null move.
  await open({ hash: "#moves=e4_--_d4" });
  await expectText("#moves", /e4.*--.*d4/);
  assert.equal(await link(), "#moves=e4_--_d4");
});

test("each move has its tablebase result", async () => {
  const own = server;
  server = await start(0, ["--syzygy", require("node:path").join(__dirname, "../data/syzygy")]);
  try {
    await open({ hash: fenHash("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1") });
    await expectText("#tablebase-moves .win", /These moves win:.*Qf8#/);
    await expectText("#tablebase-moves .draw", /draws?: .*Qf7/);
    await page.locator("#tablebase-moves .win .move").nth(1).press("Enter");
    await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 2);
    // The keyboard goes on in the list.
    await page.waitForFunction(() => document.activeElement.matches("#tablebase-moves .move"));
    await picture("tablebase");
  } finally {
    await context.close();
    context = undefined;
    await stopServer(server);
    server = own;
  }
});
