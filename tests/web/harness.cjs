// What the tests and measurements of the page share: browser, servers and checks.
"use strict";

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { after, afterEach, before, beforeEach } = require("node:test");
const { chromium } = require("playwright-core");

const BROWSERS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
/** Sizes of windows, in pixels. */
const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 844 };
const LANDSCAPE = { width: 844, height: 390 };

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".txt": "text/plain", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

/** Starts Chromium or Chrome. */
function startBrowser() {
  const executablePath = BROWSERS.find((file) => file && fs.existsSync(file));
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** Starts `tabiya-web` at this port; 0 is any free one. Resolves when it has printed its address. */
function startServer(options = [], port = 0) {
  assert.ok(process.env.TABIYA_WEB, "TABIYA_WEB names the server's program");
  const child = spawn(process.env.TABIYA_WEB, ["--no-open", "--port", String(port), ...options], { stdio: ["ignore", "pipe", "inherit"] });
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

/** Ends a server and waits for its end. */
function stopServer({ child }) {
  return new Promise((resolve) => {
    child.on("exit", resolve);
    child.kill("SIGTERM");
  });
}

/**
 * Serves the folder TABIYA_STATIC as a static web host does, at `base` on a free port. `typeOf` changes the media type of a file, and files for
 * which `isMissing` returns true are not found. The second half of a file follows after `delayOf` its name, in milliseconds. Resolves to the
 * address and a function that ends the host.
 */
async function hostPage({ base = "/", typeOf = (type) => type, isMissing = () => false, delayOf = () => 0 } = {}) {
  assert.ok(process.env.TABIYA_STATIC, "TABIYA_STATIC names the folder of the page");
  const host = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(base) ? pathname.slice(base.length) || "index.html" : "";
    const file = path.join(process.env.TABIYA_STATIC, name);
    if (!name || isMissing(name) || !fs.existsSync(file)) return response.writeHead(404).end("not found");
    response.writeHead(200, { "Content-Type": typeOf(TYPES[path.extname(file)]) });
    const delay = delayOf(name);
    if (!delay) return fs.createReadStream(file).pipe(response);
    const data = fs.readFileSync(file);
    response.write(data.subarray(0, data.length / 2));
    return setTimeout(() => response.end(data.subarray(data.length / 2)), delay);
  });
  await new Promise((resolve) => { host.listen(0, "127.0.0.1", resolve); });
  return { address: `http://127.0.0.1:${host.address().port}`, close: () => host.close() };
}

/** Fails if axe-core finds a fault in the page, or in the part of it that a selector names. */
async function assertAccessible(page, part = "html") {
  await page.evaluate(fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8"));
  const { violations } = await page.evaluate((selector) => globalThis.axe.run(selector), part);
  const faults = violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.any[0]?.message ?? ""}`));
  assert.deepEqual(faults, []);
}

/** Waits until an element's text matches. */
async function waitForText(page, selector, pattern) {
  await page.waitForFunction(([css, source, flags]) => new RegExp(source, flags).test(document.querySelector(css)?.textContent ?? ""), [selector, pattern.source, pattern.flags]);
}

/** Returns true if the whole of an element is on the screen, and nothing covers its corners. */
const isElementInSight = (page, selector) => page.evaluate((css) => {
  const shown = document.querySelector(css);
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const corners = [[left, top], [right, top], [left, bottom], [right, bottom]].map(([x, y]) => [Math.min(Math.max(x, left + 8), right - 8), Math.min(Math.max(y, top + 4), bottom - 4)]);
  return corners.every(([x, y]) => { const at = document.elementFromPoint(x, y); return at !== null && (shown.contains(at) || at.contains(shown)); });
}, selector);

/** Opens a PGN with one game, and reviews it. */
async function reviewGame(page, pgn) {
  for (const id of ["tab-review", "pgn-paste"]) await page.locator(`#${id}`).click();
  await page.locator("#pgn-text").fill(pgn);
  await page.locator("#pgn-open").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length > 1);
  await page.selectOption("#review-nodes", "20000");
  await page.locator("#review-start").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.review);
}

/** Takes a picture of the page if SCREENSHOTS names a folder for them. */
async function takePicture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

/**
 * Gives the tests of a file a server with a small engine and a browser. Returns a function that opens the page in a new profile; the profile ends with
 * the test or the next call. A message in the console or an error of the page fails the test. `prepare` runs in the page before its scripts.
 */
function servePages({ prepare = () => {} } = {}) {
  let server;
  let browser;
  let context;
  let problems;
  before(async () => {
    server = await startServer(["--threads", "1", "--hash", "8"]);
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
  return async ({ viewport = DESKTOP, colorScheme = "light", locale = "en-GB" } = {}) => {
    await context?.close();
    context = await browser.newContext({ viewport, colorScheme, locale });
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.addInitScript(prepare);
    await page.goto(server.address);
    await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
    return page;
  };
}

module.exports = { DESKTOP, LANDSCAPE, PHONE, assertAccessible, hostPage, isElementInSight, reviewGame, servePages, startBrowser, startServer, stopServer, takePicture, waitForText };
