// Tests of the page without a server: a static web host with the folder that `cargo xtask web` builds, and the engine in web workers.
// README.md names the environment.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { after, before, beforeEach, afterEach, test } from "node:test";
import { assertAccessible, hostPage, startBrowser, waitForText } from "./harness.mjs";

/** The page must work in any folder of its host. */
const FOLDER = "/some/folder/";
const MATE_IN_ONE = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";

let host;
let browser;
let context;
let page;
let problems;
/** Files that the host does not deliver, and whether it knows the type of WebAssembly. */
let missing = [];
let knowsWasm = true;
/** The promise for which the second half of the engine waits. */
let held;

async function open({ hash = "", isUsable = true, script, ...options } = {}) {
  context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  page = await context.newPage();
  // On a loaded machine, a reply can take long. A longer timeout delays only failures.
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => request.url().startsWith(host.address) || problems.push(`request to ${request.url()}`));
  if (script) await page.addInitScript(script);
  await page.goto(host.address + FOLDER + hash);
  if (isUsable) await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
}

const expectText = (selector, pattern) => waitForText(page, selector, pattern);

/** Waits until there are at most so many workers: the browser reports the end of one with a delay. */
async function expectWorkers(count) {
  for (let wait = 0; page.workers().length > count; wait++) {
    assert.ok(wait < 1200, `${page.workers().length} workers`);
    await page.waitForTimeout(50);
  }
}

async function type(move) {
  await page.fill("#move-input", move);
  await page.press("#move-input", "Enter");
  await page.waitForFunction(() => document.querySelector("#move-input").value === "");
}

const fenHash = (fen) => `#fen=${fen.replaceAll(" ", "_")}`;
const evaluate = (f, ...rest) => page.evaluate(f, ...rest);

before(async () => {
  host = await hostPage({
    base: FOLDER,
    typeOf: (type) => (type === "application/wasm" && !knowsWasm ? "application/octet-stream" : type),
    isMissing: (name) => missing.includes(name),
    heldUntil: (name) => (name.endsWith(".wasm") ? held : undefined),
  });
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  host?.close();
});

beforeEach(() => {
  problems = [];
  missing = [];
  knowsWasm = true;
  held = undefined;
});

afterEach(async () => {
  await context?.close();
  context = undefined;
  assert.deepEqual(problems, []);
});

test("a game at full strength and at a limited one", async () => {
  await open();
  await expectText("#engine", /in this browser, 1 thread/);
  await page.click("#play-form button[type=submit]");
  await expectText("#play-note", /Your move/);
  await type("e4");
  await expectText("#status", /^1\.\.\. .*White to move/);
  await evaluate(() => { document.querySelector("#elo").value = "2850"; });
  page.on("dialog", (dialog) => dialog.accept());
  await page.click("#play-setup summary");
  await page.click("#play-form button[type=submit]");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 1);
  await expectText("#play-note", /Your move/);
  await type("a3");
  await expectText("#status", /^1\.\.\. .*White to move/);
  await type("h3");
  await expectText("#status", /^2\.\.\. .*White to move/);
  await page.click("#hint");
  await expectText("#play-note", /^Hint: /);
  const request = { game: { moves: ["a2a3"] }, elo: 1200, human_pace: true, limit: { clock: { remaining: 600_000, increment: 0 } } };
  assert.ok((await evaluate((data) => globalThis.tabiya.engine.start("search", data), request)).thinking_time > 0);
});

test("analysis is live, stops with its worker, and finds a mate", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await expectText("#line-list", /#1.*Ra8#/);
  await page.click("#line-list .move");
  await expectText("#status", /White wins by checkmate/);
  await evaluate(() => globalThis.tabiya.goTo(0));
  // Many stops and starts, as if one steps quickly through a game: no worker is left, and the last search runs.
  for (let count = 0; count < 12; count++) {
    await evaluate((at) => globalThis.tabiya.goTo(at % 2), count);
  }
  await evaluate(() => globalThis.tabiya.goTo(0));
  await expectText("#analyse-stats", /Depth \d+/);
  await page.waitForFunction(() => document.querySelector("#line-list .move"));
  await expectWorkers(3);
});

test("positions are answered while a search runs", async () => {
  await open();
  await page.click("#tab-analyse");
  await expectText("#analyse-stats", /Depth \d+/);
  // The search has no end of its own.
  const { legal } = await evaluate(() => globalThis.tabiya.engine.request("position", { game: { moves: ["e2e4"] } }));
  assert.equal(legal.length, 20);
});

test("review with progress, cancelled and complete, and explain", async () => {
  await open();
  for (const move of ["f3", "e5", "g4", "Qh4#"]) await type(move);
  await page.click("#tab-review");
  await page.selectOption("#review-nodes", "2000000");
  await page.click("#review-start");
  await page.click("#review-cancel");
  await page.waitForFunction(() => !document.querySelector("#review-start").disabled);
  await page.selectOption("#review-nodes", "20000");
  await page.click("#review-start");
  await expectText("#summary", /Blunders.*White.*Black/);
  await expectText("#moves", /g4\?\?/);
  await page.click("#tab-explain");
  await expectText("#verdict", /The neural network says/);
  await expectWorkers(3);
});

test("the evaluation can be chosen and is kept", async () => {
  await open();
  await page.selectOption("#evaluation", "handcrafted");
  await page.click("#tab-analyse");
  await expectText("#analyse-stats", /Depth \d+/);
  const settings = () => evaluate(() => globalThis.tabiya.engine.settings.evaluation);
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await settings(), "handcrafted");
  assert.equal(await page.inputValue("#evaluation"), "handcrafted");
});

test("accessibility with the engine's line", async () => {
  await open();
  await assertAccessible(page);
});

test("a page opened from the disk says what to do", async () => {
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(`file://${process.env.TABIYA_STATIC}/index.html`);
  await expectText("#message", /do not run this page from the disk.*python3 -m http\.server/);
  assert.ok(await page.isVisible("#message"));
});

test("a host that does not know the type of WebAssembly", async () => {
  knowsWasm = false;
  await open();
});

test("a browser without WebAssembly says so and keeps the game", async () => {
  await open({ isUsable: false, script: "delete globalThis.WebAssembly" });
  await expectText("#message", /cannot run in this browser: WebAssembly is not available/);
});

test("blocked workers and missing files are named", async () => {
  missing = ["engine-worker.js"];
  await open({ isUsable: false });
  await expectText("#message", /cannot run in this browser: its web worker cannot be loaded/);
  await context.close();
  missing = ["tabiya_wasm_bg.wasm"];
  await open({ isUsable: false });
  await expectText("#message", /tabiya_wasm_bg.wasm cannot be loaded: 404/);
  // The browser itself reports the files that it does not get.
  problems = problems.filter((problem) => !problem.includes("404"));
});

test("a search whose worker dies fails with a message, and the next one works", async () => {
  await open();
  await page.click("#tab-analyse");
  await expectText("#analyse-stats", /Depth \d+/);
  const result = await evaluate(async () => {
    const { engine } = globalThis.tabiya;
    // The engine refuses a table that does not fit into a browser's memory.
    engine.settings.hash = 1 << 19;
    engine.restart();
    await new Promise((resolve) => { engine.addEventListener("open", resolve, { once: true }); });
    const failure = await engine.start("search", { limit: { depth: 4 } }).catch((error) => error.message);
    engine.settings.hash = 32;
    engine.restart();
    await new Promise((resolve) => { engine.addEventListener("open", resolve, { once: true }); });
    return [failure, (await engine.start("search", { limit: { depth: 4 } })).kind];
  });
  assert.match(result[0], /memory|stopped working/);
  assert.equal(result[1], "best");
});

test("the page shows how much of the engine is loaded, and no click is lost meanwhile", async () => {
  let release;
  held = new Promise((resolve) => { release = resolve; });
  await open({ isUsable: false });
  await page.waitForFunction(() => document.querySelector("#loading-progress").value > 0.3);
  assert.ok(await page.isVisible("#loading"));
  assert.ok(await evaluate(() => document.querySelector("#loading-progress").value) < 0.9);
  await assertAccessible(page, "#loading");
  await page.click("#play-form button[type=submit]");
  await page.fill("#move-input", "e4");
  assert.equal(await evaluate(() => globalThis.tabiya.engine.isOpen), false);
  release();
  await expectText("#play-note", /Your move/);
  assert.equal(await page.isVisible("#loading"), false);
  await page.press("#move-input", "Enter");
  await expectText("#status", /^1\.\.\. .*White to move/);
});

test("the page is installed, and works without its host", async () => {
  await open();
  // The worker has all files before it is active, and takes this page over then.
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  const manifest = await evaluate(async () => (await fetch(document.querySelector("link[rel=manifest]").href)).json());
  assert.equal(manifest.display, "standalone");
  await type("e4");
  await page.waitForTimeout(500);
  const asked = [];
  page.on("request", (request) => asked.push(request.url()));
  await context.setOffline(true);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.ok(asked.length > 10);
  await page.click("#tab-analyse");
  await expectText("#analyse-stats", /Depth \d+/);
  assert.equal(await evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
  // Another language, too, and a panel that is loaded later.
  await page.click("#settings-open");
  await page.selectOption("#language", "de");
  await expectText("#tab-setup", /^Aufbau$/);
  await page.click("#tab-setup");
  await expectText("#setup-clear", /^Leeren$/);
  await page.waitForSelector("#palette button");
});

test("compressed files are those beside them", (t) => {
  const folder = process.env.TABIYA_STATIC;
  const names = fs.readdirSync(folder);
  const read = (name) => fs.readFileSync(path.join(folder, name));
  for (const [extension, unpack] of [[".br", zlib.brotliDecompressSync], [".gz", zlib.gunzipSync]]) {
    const packed = names.filter((name) => name.endsWith(extension));
    for (const name of ["index.html", "main.js", "style.css", "tabiya_wasm_bg.wasm"]) assert.ok(packed.includes(name + extension), name + extension);
    for (const name of packed) assert.ok(unpack(read(name)).equals(read(name.slice(0, -3))), name);
  }
  const page = names.filter((name) => !/\.(br|gz)$|wasm|worker|puzzles/.test(name));
  const bytes = page.reduce((sum, name) => sum + read(names.includes(`${name}.br`) ? `${name}.br` : name).length, 0);
  t.diagnostic(`page: ${bytes} bytes, engine: ${read("tabiya_wasm_bg.wasm.br").length} bytes`);
  assert.ok(bytes < 90_000, `${bytes} bytes`);
});
