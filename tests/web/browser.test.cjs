// Tests of the page in Chromium, with a server of its own. `cargo xtask ci --only browser` installs what they need and runs them.
// Environment: TABIYA_WEB is the server's program; CHROMIUM the browser, if it is not in the usual place; SCREENSHOTS a folder for
// pictures of the page; NODE_PATH the folder of the packages.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { after, before, beforeEach, afterEach, test } = require("node:test");
const { chromium } = require("playwright-core");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1280, height: 860 };
const MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

let server;
let browser;
let context;
let page;
/** Errors of the page, and requests to other places than the server. */
let problems;

/** Starts a server. Resolves when it has printed its address. */
function startServer(port = 0) {
  const child = spawn(process.env.TABIYA_WEB, ["--no-open", "--port", String(port), "--threads", "1", "--hash", "8"], { stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      const address = /http:\/\/\S+/.exec(text)?.[0];
      if (address) resolve({ child, address, port: Number(new URL(address).port) });
    });
    child.on("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

function stopServer(running) {
  return new Promise((resolve) => {
    running.child.on("exit", resolve);
    running.child.kill("SIGTERM");
  });
}

/** Opens the page in a new profile. */
async function open({ viewport = DESKTOP, colorScheme = "light", hash = "", ...options } = {}) {
  context = await browser.newContext({ viewport, colorScheme, acceptDownloads: true, ...options });
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(server.address) && !url.startsWith("blob:") && !url.startsWith("data:")) problems.push(`request to ${url}`);
  });
  await page.goto(server.address + hash);
  await page.waitForFunction(() => globalThis.tabiya?.info);
}

const fenHash = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;
const picture = (name) => process.env.SCREENSHOTS && page.screenshot({ path: path.join(process.env.SCREENSHOTS, `${name}.png`) });

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

/** Waits until an element's text matches. */
async function expectText(selector, pattern) {
  await page.waitForFunction(([css, source, flags]) => new RegExp(source, flags).test(document.querySelector(css)?.textContent ?? ""), [selector, pattern.source, pattern.flags]);
}

const pieceAt = (square) => page.evaluate((name) => {
  const index = (8 - Number(name[1])) * 8 + name.charCodeAt(0) - 97;
  return globalThis.tabiya.tree.squares()[index];
}, square);

before(async () => {
  assert.ok(process.env.TABIYA_WEB, "TABIYA_WEB names the server's program");
  if (process.env.SCREENSHOTS) fs.mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  server = await startServer();
  const executablePath = BROWSERS.find((file) => file && fs.existsSync(file));
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
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
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.result), "0-1");
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

test("promotion asks for the piece", async () => {
  await open({ hash: fenHash("8/P6k/8/8/8/8/8/K7 w - - 0 1") });
  await click("a7");
  await click("a8");
  await page.locator(".promotion").waitFor();
  await picture("promotion");
  await page.getByRole("button", { name: "knight", exact: true }).click();
  await expectText("#moves", /a8=N/);
});

test("moves can be typed", async () => {
  await open();
  const field = page.locator("#move-input");
  for (const move of ["Nf3", "d7d5", "g3", "nc6", "Bg2", "e5", "0-0"]) {
    await field.fill(move);
    await field.press("Enter");
    await page.waitForFunction(() => document.querySelector("#move-input").value === "" && globalThis.tabiya.info);
  }
  await expectText("#moves", /O-O/);
  await field.fill("Ke5");
  await field.press("Enter");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await expectText("#announcer", /not a legal move/);
});

test("analysis follows the position", async () => {
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
  assert.ok(milliseconds < 3000, `${milliseconds} ms until the first line`);
});

test("comments, glyphs and variations are kept in the PGN", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  const field = page.locator("#move-input");
  const type = async (move) => {
    await field.fill(move);
    await field.press("Enter");
    await page.waitForFunction(() => document.querySelector("#move-input").value === "" && globalThis.tabiya.info);
  };
  await type("e4");
  await type("e5");
  await page.locator("#previous").click();
  await page.waitForFunction(() => globalThis.tabiya.info);
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

test("review of a PGN leads to graph, summary and report", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  const games = ['[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0', '[White "Cid"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "1. e4 e5 2. Ke3 *"];
  await page.locator("#pgn-text").fill(games.join("\n\n"));
  await page.locator("#pgn-open").click();
  await expectText("#game-list", /Ann – Bob/);
  assert.equal(await page.locator("#game-list button").count(), 3);
  await page.locator("#game-list button").nth(2).click();
  await expectText("#message", /incomplete.*Ke3/);
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
  await page.locator("#board .arrow").waitFor({ state: "attached" });
  await picture("review");
  const box = await page.locator("#graph").boundingBox();
  await page.mouse.click(box.x + 2, box.y + box.height / 2);
  await expectText("#status", /^White to move/);
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("#save-html").click()]);
  assert.match(fs.readFileSync(await report.path(), "utf8"), /<title>Ann – Bob<\/title>/);
  const [pgn] = await Promise.all([page.waitForEvent("download"), page.locator("#save-pgn").click()]);
  assert.match(fs.readFileSync(await pgn.path(), "utf8"), /\[%eval /);
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
  await page.locator("#review-start").waitFor();
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
  await paste(MATE_IN_ONE);
  await page.waitForFunction((fen) => globalThis.tabiya.info?.fen === fen, MATE_IN_ONE);
  await expectText("#line-list", /Ra8#/);
  // An illegal one is refused by the engine.
  await paste("6k1/5ppp/8/8/8/8/5PPP/R5KK w - - 0 1");
  await expectText("#message", /king/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.start), MATE_IN_ONE);
});

test("what is added during a review stays", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
  await page.locator("#pgn-open").click();
  await expectText("#moves", /Qxf7#/);
  await page.locator("#review-start").click();
  await page.evaluate(() => globalThis.tabiya.playLine(["d2d4"], ["d4"]));
  await page.locator("#review-start").waitFor();
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
  await page.locator("#mark-isolated").check();
  await page.locator("#board .mark.isolated").first().waitFor({ state: "attached" });
  await page.locator("#mark-values").check();
  await page.locator("#board .label").first().waitFor({ state: "attached" });
  await expectText("#verdict", /classic evaluation/);
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
  const link = await page.evaluate(() => `#fen=${globalThis.tabiya.info.fen.replaceAll(" ", "_")}`);
  await context.close();
  await open({ hash: link });
  assert.equal(await pieceAt("h5"), "Q");
});

test("illegal FEN in the address is reported and the game is kept", async () => {
  await open({ hash: "#fen=8/8/8/8/8/8/8/8_w_-_-_0_1" });
  await expectText("#message", /king/i);
  assert.equal(await pieceAt("e1"), "K");
});

test("a reload keeps the game in progress", async () => {
  await open();
  await page.locator("#time").selectOption("3");
  await page.locator("#play-form button").click();
  await drag("d2", "d4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.info);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 3);
  await expectText("#play-note", /Your move/);
  await page.locator("#bottom .clock").waitFor();
  await drag("c2", "c4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
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

test("the page survives a restart of the server", async () => {
  await open();
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.info?.san === "e4");
  const { port } = server;
  await stopServer(server);
  await expectText("#message", /Your game is kept/);
  await picture("lost");
  server = await startServer(port);
  await page.locator("#message").waitFor({ state: "hidden" });
  await drag("e7", "e5");
  await page.waitForFunction(() => globalThis.tabiya.info?.san === "e5");
  // The failed attempts to connect are errors of the console.
  problems = problems.filter((text) => !/WebSocket|ERR_CONNECTION/.test(text));
});

for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every tab is accessible: ${name}, ${colorScheme}`, async () => {
      await open({ viewport, colorScheme, hasTouch: name === "phone", hash: fenHash("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9") });
      for (const tab of ["play", "analyse", "review", "explain", "setup"]) {
        await page.locator(`#tab-${tab}`).click();
        if (tab === "analyse") await expectText("#analyse-stats", /Depth (8|9|\d\d)/);
        if (tab === "explain") await page.locator("#terms tbody tr").first().waitFor();
        await page.waitForTimeout(400);
        await picture(`${name}-${colorScheme}-${tab}`);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"] }));
        const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.target} ${node.any[0]?.message ?? ""}`).join("; ")}`);
        assert.deepEqual(found, [], `${tab}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `${tab} is ${overflow} pixels too wide`);
      }
    });
  }
}

test("touch moves a piece on a phone", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.touchscreen.tap(...(await point("g1")));
  await page.touchscreen.tap(...(await point("f3")));
  await expectText("#moves", /Nf3/);
});
