// Unit tests of the engine in web workers, with workers that only record their messages.

import assert from "node:assert/strict";
import { before, test } from "node:test";

/** The smallest WebAssembly module. */
const MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** The recorded workers, in the order of their start. */
const workers = [];

class RecordingWorker extends EventTarget {
  messages = [];
  constructor() {
    super();
    workers.push(this);
  }
  postMessage(message) {
    if (this.messages.push(message) > 1) return;
    queueMicrotask(() => this.dispatchEvent(new MessageEvent("message", { data: { ready: true } })));
  }
  terminate() {}
}

let WorkerSocket;

before(async () => {
  globalThis.document ??= { querySelector: () => null, documentElement: {} };
  globalThis.navigator ??= { language: "en", languages: ["en"] };
  globalThis.WebSocket ??= { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };
  globalThis.Worker = RecordingWorker;
  globalThis.fetch = async () => new Response(MODULE, { headers: { "Content-Type": "application/wasm" } });
  ({ WorkerSocket } = await import("../../../crates/wasm/page/worker-socket.js"));
});

test("all workers of a game have the same seed, and those of the next game another", async () => {
  const socket = new WorkerSocket({ hash: 1, evaluation: "nnue" });
  await new Promise((resolve) => { socket.addEventListener("open", resolve); });
  const send = async (message) => {
    socket.send(JSON.stringify(message));
    await new Promise((resolve) => { setTimeout(resolve, 20); });
  };
  /** The seeds of the workers that have searched. */
  const seeds = () => workers.filter(({ messages }) => messages.length > 1).map(({ messages: [{ seed }] }) => seed);
  for (const id of [1, 3]) {
    await send({ id, type: "search" });
    await send({ id: id + 1, type: "stop", target: id });
  }
  await send({ id: 5, type: "new_game" });
  for (const id of [6, 8]) {
    await send({ id, type: "search" });
    await send({ id: id + 1, type: "stop", target: id });
  }
  socket.close();
  const [first, second, ...next] = seeds();
  assert.equal(typeof first, "number");
  assert.equal(second, first);
  assert.ok(next.length >= 2 && next.every((seed) => seed === next[0]), String(next));
  assert.notEqual(next[0], first);
});
