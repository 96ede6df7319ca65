// What the tests and measurements of the page share: browser, servers and checks.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import { createRequire } from "node:module";

// The packages are in the folder that NODE_PATH names, which imports do not search.
const require = createRequire(import.meta.url);
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
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.on("exit", resolve);
    child.kill("SIGTERM");
  });
}

/**
 * Serves the folder TABIYA_STATIC as a static web host does, at `base` on a free port. `typeOf` changes the media type of a file, and files for
 * which `isMissing` returns true are not found. If `heldUntil` returns a promise for a file's name, its second half follows when that resolves.
 * Resolves to the address and a function that ends the host.
 */
async function hostPage({ base = "/", typeOf = (type) => type, isMissing = () => false, heldUntil = () => undefined } = {}) {
  assert.ok(process.env.TABIYA_STATIC, "TABIYA_STATIC names the folder of the page");
  const host = http.createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const name = pathname.startsWith(base) ? pathname.slice(base.length) || "index.html" : "";
    const file = path.join(process.env.TABIYA_STATIC, name);
    if (!name || isMissing(name) || !fs.existsSync(file)) return response.writeHead(404).end("not found");
    response.writeHead(200, { "Content-Type": typeOf(TYPES[path.extname(file)]) });
    const held = heldUntil(name);
    if (!held) return fs.createReadStream(file).pipe(response);
    const data = fs.readFileSync(file);
    response.write(data.subarray(0, data.length / 2));
    await held;
    return response.end(data.subarray(data.length / 2));
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

/** Takes a picture of the page if SCREENSHOTS names a folder for them. */
async function takePicture(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: path.join(folder, `${name}.png`) });
}

export { DESKTOP, LANDSCAPE, PHONE, assertAccessible, hostPage, isElementInSight, startBrowser, startServer, stopServer, takePicture, waitForText };
