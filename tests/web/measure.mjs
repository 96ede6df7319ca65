// Measures the page: its weight, the time from the start of the server to a usable board and from a move to the first line, the speed of the
// search through the server, in a web worker, and in the terminal, and a review of 60 moves with two threads. Run it on an idle machine.
// Usage: node measure.mjs [SECONDS], 5 by default. Environment: TABIYA, the terminal program; TABIYA_WEB, TABIYA_STATIC, CHROMIUM and
// NODE_PATH as for the tests.

import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { hostPage, startBrowser, startServer, stopServer } from "./harness.mjs";

const seconds = Number(process.argv[2] ?? 5);
const POSITIONS = ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "r2q1rk1/1bp1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 w - - 1 10", "8/pp3k2/2p1b1p1/4P2p/1P1N1P1P/P3K1P1/8/8 w - - 1 36"];
const { TABIYA, TABIYA_WEB, TABIYA_STATIC } = process.env;
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/** The nodes per second of the terminal's engine. */
function terminal(fen) {
  return new Promise((resolve) => {
    const engine = spawn(TABIYA, [], { stdio: ["pipe", "pipe", "inherit"] });
    let nps = 0;
    let text = "";
    engine.stdout.on("data", (data) => {
      text += data;
      for (const [, value] of text.matchAll(/ nps (\d+)/g)) nps = Number(value);
      if (text.includes("bestmove")) engine.stdin.end("quit\n");
    });
    engine.on("exit", () => resolve(nps));
    engine.stdin.write(`setoption name Hash value 32\nposition fen ${fen}\ngo movetime ${seconds * 1000}\n`);
  });
}

/** In the page: a search's nodes per second, and the time to its first line. */
async function search({ fen, milliseconds }) {
  const { engine } = globalThis.tabiya;
  await engine.request("new_game");
  const start = performance.now();
  let first = null;
  let nps = 0;
  await engine.start("search", { game: { start: fen, moves: [] }, lines: 1, limit: { movetime: milliseconds } }, (report) => {
    first ??= performance.now() - start;
    nps = report.nps;
  });
  return { nps, first };
}

/** Measures a page. `start` is the time at which its server was started. */
async function measure(browser, name, address, start = Date.now()) {
  const page = await browser.newPage();
  await page.goto(address);
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  console.log(`${name}: ${Date.now() - start} ms to a usable board`);
  const results = [];
  for (const fen of POSITIONS) results.push(await page.evaluate(search, { fen, milliseconds: seconds * 1000 }));
  // In the analysis, as a user sees it: from a move to the first line on the page.
  await page.click("#tab-analyse");
  const delays = [];
  for (const move of ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O"]) {
    delays.push(await page.evaluate((san) => new Promise((resolve) => {
      const { uci } = globalThis.tabiya.positionInfo.legal.find((legal) => legal.san === san);
      const list = document.querySelector("#line-list");
      const from = performance.now();
      globalThis.tabiya.move(uci, san);
      const observer = new MutationObserver(() => {
        if (!list.querySelector(".move")) return;
        observer.disconnect();
        resolve(performance.now() - from);
      });
      observer.observe(list, { childList: true });
    }), move));
    await page.waitForTimeout(600);
  }
  console.log(`${name}: first line after a move: median ${median(delays).toFixed(0)} ms, longest ${Math.max(...delays).toFixed(0)} ms`);
  await page.close();
  return results.map(({ nps }) => nps);
}

/** In the page: plays a game of this many plies, and returns it. A game that ends earlier is played again from another first move. */
async function playGame(plies) {
  const { engine } = globalThis.tabiya;
  const { legal } = await engine.request("position", { game: {} });
  for (const first of legal) {
    const moves = [first.uci];
    while (moves.length < plies) {
      const { uci } = await engine.start("search", { game: { moves }, lines: 1, limit: { nodes: 2000 } });
      if (uci === null) break;
      moves.push(uci);
    }
    if (moves.length === plies) return { nodes: ["", ...moves].map((uci) => ({ uci })) };
  }
  throw new Error(`no game has lasted ${plies} plies`);
}

/** In the page: reviews a game. Returns the time in milliseconds and the number of reports. */
async function review({ game, nodes }) {
  let reports = 0;
  const start = performance.now();
  const { kind } = await globalThis.tabiya.engine.start("review", { game, nodes }, () => { reports++; });
  return { kind, reports, time: performance.now() - start };
}

/** In the page: cancels a review at its first report. Returns the time from there in milliseconds. */
async function cancelReview({ game, nodes }) {
  let start = 0;
  const running = globalThis.tabiya.engine.start("review", { game, nodes }, () => {
    start ||= performance.now();
    running.stop();
  });
  const { kind } = await running;
  return { kind, time: performance.now() - start };
}

/** The processor time of a process in milliseconds, where /proc has it. */
function processorTime({ pid }) {
  const file = `/proc/${pid}/stat`;
  if (!fs.existsSync(file)) return NaN;
  const fields = fs.readFileSync(file, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

async function measureReview(browser) {
  const server = await startServer(["--threads", "2"]);
  try {
    const page = await browser.newPage();
    await page.goto(server.address);
    await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
    const [plies, nodes] = [120, 100_000];
    const game = await page.evaluate(playGame, plies);
    const before = processorTime(server.child);
    const { kind, reports, time } = await page.evaluate(review, { game, nodes });
    const cores = (processorTime(server.child) - before) / time;
    console.log(`review of ${plies / 2} moves at ${nodes} nodes: ${kind} after ${(time / 1000).toFixed(1)} s, ${cores.toFixed(2)} processors busy, ${reports} reports of progress`);
    const cancelled = await page.evaluate(cancelReview, { game, nodes });
    console.log(`another review: ${cancelled.kind} ${cancelled.time.toFixed(0)} ms after it was cancelled`);
    await page.close();
  } finally {
    await stopServer(server);
  }
}

function weigh() {
  const isEngine = (name) => /wasm|worker/.test(name);
  const isPuzzles = (name) => /^puzzles/.test(name);
  // The page loads the texts of one language.
  const isForeign = (name) => /^texts-(?!en)/.test(name);
  const names = fs.readFileSync(path.join(TABIYA_STATIC, "page-files.txt"), "utf8").trim().split("\n");
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
  const isPage = (name) => !isEngine(name) && !isPuzzles(name);
  const parts = [["page in English", (name) => isPage(name) && !isForeign(name)], ["page in all languages", isPage], ["puzzles", isPuzzles], ["page with engine and puzzles", () => true]];
  for (const [title, filter] of parts) {
    const files = names.filter(filter).filter((name) => !/\.(br|gz)$/.test(name)).map((name) => fs.readFileSync(path.join(TABIYA_STATIC, name)));
    const sum = (compress) => files.reduce((total, file) => total + compress(file).length, 0);
    console.log(`${title}: ${kilobytes(sum((file) => file))}, gzip ${kilobytes(sum((file) => zlib.gzipSync(file, { level: 9 })))}, brotli ${kilobytes(sum((file) => zlib.brotliCompressSync(file)))}`);
  }
}

async function main() {
  weigh();
  const host = await hostPage();
  let server;
  const browser = await startBrowser();
  try {
    const native = [];
    for (const fen of POSITIONS) native.push(await terminal(fen));
    // Without a server's program, only the worker is measured.
    const start = Date.now();
    server = TABIYA_WEB && await startServer(["--threads", "1", "--hash", "32"]);
    const through = server ? await measure(browser, "server", server.address, start) : [];
    const wasm = await measure(browser, "worker", host.address);
    if (TABIYA_WEB) await measureReview(browser);
    POSITIONS.forEach((fen, index) => {
      const percent = (value) => `${value} (${((value / native[index]) * 100).toFixed(0)} %)`;
      console.log(`${fen}\n  nodes per second: terminal ${native[index]}, ${server ? `server ${percent(through[index])}, ` : ""}worker ${percent(wasm[index])}`);
    });
  } finally {
    await browser.close();
    if (server) await stopServer(server);
    host.close();
  }
}

main();
