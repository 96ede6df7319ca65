// Soak test of tabiya-web: sessions open, search, review and drop without a farewell, beside clients that read nothing or send nonsense and a page
// in use. The page must then answer within a second, memory must stay flat and return, and no thread or file may be left.
// Usage: node soak.mjs [MINUTES] [SESSIONS], 60 and 50 by default. README.md names the environment. Linux only:
// it reads /proc.

import assert from "node:assert/strict";
import fs from "node:fs";
import net from "node:net";
import { startBrowser, startServer } from "./harness.mjs";

const [minutes, sessions] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 50)];
const sleep = (milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); });

/** Memory in MiB, threads and open files of a process. */
function state({ pid }) {
  const text = fs.readFileSync(`/proc/${pid}/status`, "utf8");
  const read = (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)[1]);
  return { memory: read("VmRSS") / 1024, threads: read("Threads"), files: fs.readdirSync(`/proc/${pid}/fd`).length };
}

const stateText = ({ memory, threads, files }) => `${memory.toFixed(1)} MiB, ${threads} threads, ${files} files`;

/** Requests of hostile clients: more than a client that does not read can receive, part of a head, nonsense, half an upgrade, and nothing. */
const HOSTILE = [
  "GET /main.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(400),
  "GET / HTTP/1.1\r\nHost: ",
  "\u0016\u0003\u0001\u0000".repeat(100),
  "GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
  "",
];

/** Keeps this many hostile connections open, none of which is ever read, until the returned function is called. */
function attack(port, count) {
  let isOn = true;
  const sockets = new Set();
  const connect = (kind) => {
    if (!isOn) return;
    const socket = net.connect(port, "127.0.0.1");
    sockets.add(socket);
    socket.pause();
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      setTimeout(() => connect(kind), 200);
    });
    socket.on("connect", () => socket.write(HOSTILE[kind]));
    // A socket that is not read does not notice its end.
    setTimeout(() => socket.destroy(), 5000 + Math.random() * 20_000);
  };
  for (let number = 0; number < count; number++) connect(number % HOSTILE.length);
  return () => {
    isOn = false;
    for (const socket of sockets) socket.destroy();
  };
}

/** Milliseconds until a page's engine answers, after a move and a search. */
const answerTime = (page) => page.evaluate(async () => {
  const { engine } = globalThis.tabiya;
  const start = performance.now();
  await engine.request("position", { game: { moves: ["e2e4"] } });
  await engine.start("search", { game: { moves: ["e2e4"] }, lines: 1, limit: { depth: 4 } });
  return Math.round(performance.now() - start);
});

/** In the page: keeps this many sessions busy until the time is up, and returns the number of sessions. */
async function load({ count, milliseconds }) {
  const address = new URL("socket", location.href);
  address.protocol = "ws:";
  const end = performance.now() + milliseconds;
  const moves = [["e2e4"], ["d2d4", "d7d5"], ["c2c4", "e7e5", "b1c3"], []];
  let opened = 0;
  async function worker() {
    while (performance.now() < end) {
      const socket = new WebSocket(address);
      const life = 200 + Math.random() * 2000;
      const isOpen = await new Promise((resolve) => {
        socket.addEventListener("open", () => resolve(true));
        socket.addEventListener("close", () => resolve(false));
      });
      if (isOpen) {
        opened++;
        const send = (id, type, data = {}) => socket.send(JSON.stringify({ id, type, ...data }));
        const game = { moves: moves[Math.floor(Math.random() * moves.length)] };
        send(1, "hello", { version: 3 });
        send(2, "position", { game });
        send(3, "search", { game, lines: 3 });
        if (Math.random() < 0.3) send(4, "review", { game: { nodes: ["", "e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].map((uci) => ({ uci })) }, nodes: 100_000 });
        if (Math.random() < 0.3) send(5, "explain", { game });
        setTimeout(() => socket.readyState === WebSocket.OPEN && Math.random() < 0.5 && send(6, "stop", { target: 3 }), life / 2);
      }
      await new Promise((resolve) => { setTimeout(resolve, life); });
      socket.close();
    }
  }
  await Promise.all(Array.from({ length: count }, worker));
  return opened;
}

async function main() {
  const { child: server, address, port } = await startServer(["--threads", "1", "--hash", "4", "--sessions", String(sessions + 2)]);
  let browser;
  try {
    browser = await startBrowser();
    const page = await browser.newPage();
    // A page of the server, so that its address is the origin of the sockets, but without a session of its own.
    await page.goto(`${address}icon.svg`);
    const real = await browser.newPage();
    await real.goto(address);
    await real.waitForFunction(() => globalThis.tabiya?.engine.isOpen);
    console.log(`the page answers within ${await answerTime(real)} ms`);
    const idle = state(server);
    console.log(`idle: ${stateText(idle)}`);
    const samples = [];
    const rounds = Math.max(Math.round(minutes * 2), 4);
    const endAttack = attack(port, 512);
    let opened = 0;
    for (let round = 1; round <= rounds; round++) {
      opened += await page.evaluate(load, { count: sessions, milliseconds: (minutes * 60_000) / rounds });
      await sleep(2000);
      samples.push(state(server));
      console.log(`${round}/${rounds}: ${opened} sessions so far; between rounds ${stateText(samples.at(-1))}; the page answers within ${await answerTime(real)} ms`);
    }
    endAttack();
    // On a busy machine, the last sessions and connections take a while to end.
    const isBusy = ({ threads, files }) => threads > idle.threads || files > idle.files;
    for (let wait = 0; wait < 60 && isBusy(state(server)); wait++) await sleep(1000);
    const last = state(server);
    const time = await answerTime(real);
    console.log(`last: ${stateText(last)}; the page answers within ${time} ms`);
    assert.ok(time < 1000, "the page answers late");
    assert.ok(last.memory < 2 * idle.memory, "memory is not returned");
    assert.equal(last.threads, idle.threads, "threads are left");
    assert.ok(last.files <= idle.files, "files are left open");
    const mean = (part) => part.reduce((sum, { memory }) => sum + memory, 0) / part.length;
    const quarter = Math.ceil(samples.length / 4);
    // The first quarter fills the heaps of the allocator.
    const [before, after] = [mean(samples.slice(quarter, 2 * quarter)), mean(samples.slice(-quarter))];
    console.log(`second quarter ${before.toFixed(0)} MiB, last quarter ${after.toFixed(0)} MiB`);
    assert.ok(after < before * 1.1 + 10, "memory grows");
  } finally {
    await browser?.close();
    server.kill("SIGTERM");
  }
}

main();
