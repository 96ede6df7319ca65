// Tests of the HTML pages that the terminal program and matches write, opened from the disk in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { assertAccessible, startBrowser, takePicture } from "./harness.mjs";

const GAME = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";
const OPENINGS = ["1. e4 c5", "1. e4 e5 2. Nf3 Nc6", "1. d4 d5 2. c4", "1. c4", "1. f4 d5", "1. d4 f5", "1. e4 c6", "1. e4 e6"];

let browser;
let folder;

/** Opens a page from the disk. Any message in the console is an error. */
async function open(file) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.on("console", (message) => assert.fail(message.text()));
  page.on("pageerror", (error) => assert.fail(String(error)));
  page.on("request", (request) => assert.match(request.url(), /^(file|data):/));
  await page.goto(`file://${path.join(folder, file)}`);
  return page;
}

const run = (program, options) => execFileSync(program, options, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });

/** Opens the page that a command of the program writes. */
function openReport(...options) {
  fs.writeFileSync(path.join(folder, "game.pgn"), GAME);
  run(process.env.TABIYA, [...options, "--html", "page.html", "--force"]);
  return open("page.html");
}

before(async () => {
  for (const name of ["TABIYA", "TABIYA_MATCHES"]) assert.ok(process.env[name], `${name} is not set`);
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "tabiya-report-"));
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("the page of analyse opens at the position, with arrows and lines", async () => {
  const page = await openReport("analyse", "game.pgn", "--ply", "6", "--multipv", "3", "--depth", "8");
  assert.match(await page.textContent("#status"), /^3\.\.\. Nd4, evaluation .* at depth 8$/);
  assert.equal(await page.locator("#mistakes-title").textContent(), "Lines");
  assert.equal(await page.locator("#mistakes li").count(), 3);
  assert.equal(await page.locator("#board .arrow").count(), 3);
  for (const id of ["summary", "graph", "mistake"]) assert.ok(await page.locator(`#${id}`).isHidden(), id);
  await takePicture(page, "analysis-page");
  await assertAccessible(page);
  const second = page.locator("#mistakes li").nth(1).locator(".move");
  const san = (await second.first().textContent()).replace(/^4\. /, "");
  await second.first().click();
  assert.ok((await page.textContent("#status")).includes(san));
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.textContent("#status"), /^3\.\.\. Nd4/);
  await page.close();
});

test("the page of a position without a game has its lines", async () => {
  const page = await openReport("analyse", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--depth", "5");
  assert.match(await page.textContent("#mistakes li"), /#1.*1\. Qg7#/);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#status"), /Qg7#/);
  await page.close();
});

test("the page of annotated games has accuracy, graph and bad moves", async () => {
  const page = await openReport("pgn", "annotate", "game.pgn", "--nodes", "2000");
  assert.match(await page.textContent("#summary"), /Ann.*%.*Bob.*%/s);
  assert.ok(await page.locator("#graph").isVisible());
  assert.ok((await page.locator("#mistakes li").count()) > 0);
  await page.locator("#mistakes .better").first().click();
  assert.match(await page.textContent("#status"), /variation/);
  await page.close();
});

test("the games of a match are on a board, and found by opening, ending and blunder", async () => {
  const engines = ["one", "two"].flatMap((name) => ["--engine", `name=${name},cmd=${process.env.TABIYA}`]);
  fs.writeFileSync(path.join(folder, "book.pgn"), OPENINGS.map((moves) => `[Result "*"]\n\n${moves} *\n`).join("\n"));
  run(process.env.TABIYA_MATCHES, ["selfplay", ...engines, "--book", "book.pgn", "--games", "16", "--nodes", "100", "--max-moves", "60", "--concurrency", "1", "--out", "match"]);
  const page = await open("match/games.html");
  const { games } = JSON.parse(await page.textContent("#data"));
  assert.equal(await page.textContent("#count"), "16 games");
  const tag = (game, wanted) => game.tags.find(([name]) => name === wanted)?.[1] ?? "";

  const board = () => page.locator("#board").innerHTML();
  const start = await board();
  await page.keyboard.press("ArrowRight");
  assert.ok((await page.textContent("#status")).includes(games[0].nodes[1].san));
  assert.notEqual(await board(), start);
  await page.keyboard.press("Home");
  assert.equal(await board(), start);

  const [opening, ending] = ["Opening", "Ending"].map((name) => games.map((game) => tag(game, name)).find(Boolean));
  const hasText = (text) => (game) => text.toLowerCase().split(" ").every((word) => JSON.stringify(game.tags).toLowerCase().includes(word));
  const hasBlunder = ({ sides: { white, black } }) => white.blunders + black.blunders > 0;
  assert.ok(games.some(hasBlunder));
  for (const [text, isWanted] of [[opening, hasText(opening)], [ending, hasText(ending)], ["blunder", hasBlunder]]) {
    await page.fill("#filter", text);
    const wanted = games.filter(isWanted);
    assert.equal(await page.textContent("#count"), `${wanted.length} of 16 games`, text);
    assert.equal(await page.locator("#list button").count(), wanted.length);
    await page.locator("#list button").last().click();
    assert.ok((await page.textContent("#details")).includes(tag(wanted.at(-1), "Opening")));
  }
  await page.click("#mistake");
  assert.match(await page.textContent("#status"), /inaccuracy|mistake|blunder/);
  await page.fill("#filter", "");
  await page.keyboard.press("Tab");
  await takePicture(page, "match-games");
  await assertAccessible(page);
  await page.close();
});
