// Tests of the HTML pages that the terminal program writes, opened from the disk in Chromium. Environment: TABIYA is the program; CHROMIUM,
// SCREENSHOTS and NODE_PATH as for browser.test.cjs.
"use strict";

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { chromium } = require("playwright-core");

const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const GAME = "[White \"Ann\"]\n[Black \"Bob\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Nd4 4. Nxe5 Qg5 5. Nxf7 Qxg2 6. Rf1 Qxe4+ 7. Be2 Nf3# 0-1\n";

let browser;
let folder;

/** Runs the program, which writes a page, and opens that. Any message in the console is an error. */
async function open(...options) {
  const file = path.join(folder, `${options[0]}.html`);
  fs.writeFileSync(path.join(folder, "game.pgn"), GAME);
  execFileSync(process.env.TABIYA, [...options, "--html", file, "--force"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.on("console", (message) => assert.fail(message.text()));
  page.on("pageerror", (error) => assert.fail(String(error)));
  page.on("request", (request) => assert.match(request.url(), /^(file|data):/));
  await page.goto(`file://${file}`);
  return page;
}

async function isAccessible(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] }));
  assert.deepEqual(violations.map(({ id }) => id), []);
}

const picture = (page, name) => process.env.SCREENSHOTS && page.screenshot({ path: path.join(process.env.SCREENSHOTS, `${name}.png`) });

before(async () => {
  assert.ok(process.env.TABIYA, "TABIYA names the terminal program");
  if (process.env.SCREENSHOTS) fs.mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "tabiya-report-"));
  browser = await chromium.launch({ executablePath: BROWSERS.find((file) => file && fs.existsSync(file)), args: ["--no-sandbox"] });
});

after(async () => {
  await browser?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test("the page of analyse opens at the position, with arrows and lines", async () => {
  const page = await open("analyse", "game.pgn", "--ply", "6", "--multipv", "3", "--depth", "8");
  assert.match(await page.textContent("#status"), /^3\.\.\. Nd4, evaluation .* at depth 8$/);
  assert.equal(await page.locator("#mistakes-title").textContent(), "Lines");
  assert.equal(await page.locator("#mistakes li").count(), 3);
  assert.equal(await page.locator("#board .arrow").count(), 3);
  for (const id of ["summary", "graph", "mistake"]) assert.ok(await page.locator(`#${id}`).isHidden(), id);
  await picture(page, "analysis-page");
  await isAccessible(page);
  const second = page.locator("#mistakes li").nth(1).locator(".move");
  const san = (await second.first().textContent()).replace(/^4\. /, "");
  await second.first().click();
  assert.ok((await page.textContent("#status")).includes(san));
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.textContent("#status"), /^3\.\.\. Nd4/);
  await page.close();
});

test("the page of a position without a game has its lines", async () => {
  const page = await open("analyse", "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", "--depth", "5");
  assert.match(await page.textContent("#mistakes li"), /#1.*1\. Qg7#/);
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#status"), /Qg7#/);
  await page.close();
});

test("the page of annotated games has accuracy, graph and bad moves", async () => {
  const page = await open("pgn", "annotate", "game.pgn", "--nodes", "2000");
  assert.match(await page.textContent("#summary"), /Ann.*%.*Bob.*%/s);
  assert.ok(await page.locator("#graph").isVisible());
  assert.ok((await page.locator("#mistakes li").count()) > 0);
  await page.locator("#mistakes .better").first().click();
  assert.match(await page.textContent("#status"), /variation/);
  await page.close();
});
