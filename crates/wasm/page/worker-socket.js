// The engine in web workers of this page, with the interface of a WebSocket to a server.

import { texts } from "#page/texts.js";
import { RequestQueue } from "./worker-queue.js";

/** The media type of the engine. */
const TYPE = "application/wasm";
/** Time for an answer that needs no search, in milliseconds. */
const ANSWER_LIMIT = 30_000;

/**
 * Compiles the engine.
 * @param {URL} url
 * @param {(loaded: number) => void} report gets the number of bytes that have been loaded
 */
async function compile(url, report) {
  if (typeof WebAssembly !== "object") throw new Error(texts.worker.noWebAssembly);
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(texts.worker.noFile(url.pathname.split("/").at(-1) ?? "", `${response.status} ${response.statusText}`));
  // A copy is counted, so that no script is between the host and the compiler.
  countBytes(response.clone().body, report).catch(() => { /* The compiler reports it. */ });
  // Some hosts do not know the media type, without which the browser refuses to compile while it loads.
  const isTyped = response.headers.get("Content-Type") === TYPE;
  return WebAssembly.compileStreaming(isTyped ? response : new Response(response.body, { headers: { "Content-Type": TYPE } }));
}

/**
 * @param {ReadableStream<Uint8Array> | null} body
 * @param {(loaded: number) => void} report
 */
async function countBytes(body, report) {
  const reader = body?.getReader();
  let loaded = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    loaded += part.value.byteLength;
    report(loaded);
  }
}

/** The size of the engine in bytes, which the build has noted: compressed files do not tell it. */
const engineSize = () => Number(document.querySelector('meta[name="tabiya-engine"]')?.getAttribute("data-size"));

export class WorkerSocket extends EventTarget {
  /** @type {number} */
  readyState = WebSocket.CONNECTING;
  #settings;
  /**
   * The settings of the workers. Their seed decides on the personality of a level, which stays the same for a game.
   * @type {WorkerSettings | undefined}
   */
  #workerSettings;
  /**
   * Searches, reviews, and what needs neither. A review uses a worker of its own, as one search may go on beside it.
   * @type {RequestQueue | undefined}
   */
  #search;
  /** @type {RequestQueue | undefined} */
  #review;
  /** @type {RequestQueue | undefined} */
  #answers;
  /**
   * Requests without search that wait for the worker, by number: the timers of their time limits.
   * @type {Map<number, Timer>}
   */
  #waiting = new Map();

  /**
   * `settings` are the size of the transposition table in MiB, `hash`, and the `evaluation`.
   * @param {EngineSettings} settings
   */
  constructor(settings) {
    super();
    this.#settings = settings;
    this.#open();
  }

  async #open() {
    // As with a WebSocket, no event comes before there is a listener.
    await new Promise((resolve) => { setTimeout(resolve); });
    try {
      const report = (/** @type {number} */ loaded) => this.dispatchEvent(new CustomEvent("loading", { detail: Math.min(loaded / engineSize(), 1) }));
      const settings = { module: compile(new URL("tabiya_wasm_bg.wasm", import.meta.url), report), seed: Math.random(), ...this.#settings };
      this.#workerSettings = settings;
      const emit = (/** @type {Reply} */ reply) => this.#emit(reply);
      this.#search = new RequestQueue(settings, emit, true);
      this.#review = new RequestQueue(settings, emit);
      this.#answers = new RequestQueue(settings, emit);
      // The worker starts while the engine is loaded.
      await Promise.all([settings.module, this.#answers.prepare()]);
      if (this.readyState !== WebSocket.CONNECTING) return;
      this.readyState = WebSocket.OPEN;
      this.dispatchEvent(new Event("open"));
      this.#search.prepare().catch(() => {});
    } catch (error) {
      this.#emit({ id: null, type: "error", message: texts.worker.cannotRun(error instanceof Error ? error.message : String(error)) });
      this.close();
    }
  }

  /**
   * Takes a request, as text.
   * @param {string} text
   */
  send(text) {
    /** @type {Message} */
    const message = JSON.parse(text);
    const { id, type, target } = message;
    if (!this.#workerSettings || !this.#search || !this.#review || !this.#answers) return;
    if (type === "stop") {
      if (this.#search.job === target) this.#search.stop(this.#search.best);
      if (this.#review.job === target) this.#review.stop({ type: "done" });
    } else if (type === "search" || type === "new_game") {
      this.#search.stop({ type: "best", uci: null, san: null, score: null });
      if (type === "search") return this.#search.start(message);
      // Workers know nothing of an earlier game when they start, but have one seed. So others take their place.
      this.#search.close();
      this.#workerSettings.seed = Math.random();
      this.#search.prepare().catch(() => { /* The search will tell. */ });
      // A WebSocket never answers before `send` returns either.
      queueMicrotask(() => this.#emit({ id, type: "done" }));
    } else if (type === "review") {
      this.#review.stop({ type: "done" });
      this.#review.start(message);
    } else {
      this.#waiting.set(id, setTimeout(() => this.#answers?.fail(texts.worker.noAnswer), ANSWER_LIMIT));
      this.#answers.start(message);
    }
  }

  /** @param {Reply} reply */
  #emit(reply) {
    if (reply.id !== null) {
      clearTimeout(this.#waiting.get(reply.id));
      this.#waiting.delete(reply.id);
    }
    if (this.readyState === WebSocket.CLOSED) return;
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(reply) }));
    // Reviews are rare, so their worker does not stay in memory.
    if (reply.type === "reviewed") this.#review?.close();
  }

  close() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    for (const queue of [this.#search, this.#review, this.#answers]) queue?.close();
    this.dispatchEvent(new Event("close"));
  }
}
