// Web workers for requests of one kind.
//
// An engine in a worker looks at no message before it has answered the last one. So a search that is to be stopped ends with its worker,
// and another worker, which is ready already, takes its place.

import { texts } from "#page/texts.js";

/** Time for a worker to start, in milliseconds. */
const START_LIMIT = 30_000;
/** Shortest time between two reports of a search, in milliseconds. */
const REPORT_INTERVAL = 60;

/** A worker with an engine. */
class EngineWorker {
  #worker;
  /** @type {Timer} */
  #timer;
  /** Resolves when the settings have been sent, which no message may precede. */
  #settings = Promise.resolve();
  #hasEnded = false;

  /**
   * `receive` gets the replies, and `fail` the reason if the worker cannot go on.
   * @param {WorkerSettings} settings
   * @param {(reply: Reply) => void} receive
   * @param {(reason: string) => void} fail
   */
  constructor(settings, receive, fail) {
    this.#worker = new Worker(new URL("engine-worker.js", import.meta.url), { type: "module" });
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      const failed = (/** @type {string} */ reason) => {
        this.end();
        reject(new Error(reason));
        fail(reason);
      };
      this.#settings = settings.module.then((module) => {
        if (this.#hasEnded) return;
        this.#timer = setTimeout(() => failed(texts.worker.noStart), START_LIMIT);
        this.#worker.postMessage({ ...settings, module });
      }, (error) => failed(error.message));
      this.#worker.addEventListener("message", ({ data }) => {
        if (typeof data === "string") return receive(JSON.parse(data));
        if (data.failed !== undefined) return failed(data.failed);
        clearTimeout(this.#timer);
        resolve();
      });
      this.#worker.addEventListener("error", (event) => {
        event.preventDefault();
        failed(event.message || texts.worker.notLoaded);
      });
    });
    // `prepare` returns the promise to callers that handle its error; `fail` reports it in any case.
    this.ready.catch(() => {});
  }

  /** @param {Message} message */
  send(message) {
    this.#settings.then(() => this.#worker.postMessage(JSON.stringify(message)));
  }

  end() {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.#worker.terminate();
  }
}

/** The requests of one kind, which one worker answers one after another. */
export class RequestQueue {
  #settings;
  #emit;
  #hasSpare;
  /** @type {EngineWorker | null} */
  #worker = null;
  /** @type {EngineWorker | null} */
  #spare = null;
  /**
   * The numbers of the requests in progress; the worker is at the first.
   * @type {number[]}
   */
  #jobs = [];
  /**
   * The best line of the last report.
   * @type {Line | null}
   */
  #line = null;
  #reported = 0;
  /**
   * The report that waits for its time, and its timer.
   * @type {Reply | null}
   */
  #report = null;
  /** @type {Timer} */
  #timer;

  /**
   * `emit` passes a reply to the page. With `hasSpare`, another worker is kept ready.
   * @param {WorkerSettings} settings
   * @param {(reply: Reply) => void} emit
   */
  constructor(settings, emit, hasSpare = false) {
    this.#settings = settings;
    this.#emit = emit;
    this.#hasSpare = hasSpare;
  }

  /** The number of the request in progress. */
  get job() {
    return this.#jobs[0];
  }

  /** Starts the worker. */
  prepare() {
    const worker = this.#worker ?? this.#spare ?? this.#spawn();
    this.#worker = worker;
    if (this.#spare === worker) this.#spare = null;
    return worker.ready;
  }

  /** @returns {EngineWorker} */
  #spawn() {
    /** @type {EngineWorker} */
    const worker = new EngineWorker(this.#settings, (reply) => worker === this.#worker && this.#receive(reply), (reason) => {
      if (worker === this.#spare) this.#spare = null;
      if (worker === this.#worker) this.fail(reason);
    });
    return worker;
  }

  /** @param {Message} message */
  start(message) {
    this.prepare().catch(() => {});
    this.#jobs.push(message.id);
    this.#worker?.send(message);
    if (this.#hasSpare) this.#spare ??= this.#spawn();
  }

  /** @param {Reply} reply */
  #receive(reply) {
    if (reply.type === "info") {
      [this.#line = null] = reply.lines ?? [];
      this.#report = reply;
      const wait = REPORT_INTERVAL - (performance.now() - this.#reported);
      if (wait <= 0) this.#sendReport();
      else this.#timer ??= setTimeout(() => this.#sendReport(), wait);
      return;
    }
    if (this.#report) this.#sendReport();
    if (reply.type !== "progress") this.#endJob();
    this.#emit(reply);
  }

  #sendReport() {
    const report = this.#report;
    this.#dropReport();
    this.#reported = performance.now();
    if (report) this.#emit(report);
  }

  #dropReport() {
    clearTimeout(this.#timer);
    this.#report = null;
    this.#timer = undefined;
  }

  #endJob() {
    this.#dropReport();
    this.#line = null;
    this.#jobs.shift();
  }

  /** The reply to a search that is stopped now. */
  get best() {
    const line = this.#line;
    return { type: "best", uci: line?.uci[0] ?? null, san: line?.san[0] ?? null, score: line?.score ?? null };
  }

  /**
   * Ends the request in progress with this reply.
   * @param {{ type: string, [member: string]: unknown }} reply
   */
  stop(reply) {
    const id = this.job;
    if (id === undefined) return;
    this.#endWorker();
    this.#emit({ id, ...reply });
  }

  /**
   * Ends all requests with an error.
   * @param {string} reason
   */
  fail(reason) {
    const jobs = this.#jobs;
    this.#endWorker();
    for (const id of jobs) this.#emit({ id, type: "error", message: texts.worker.stopped(reason) });
  }

  #endWorker() {
    this.#dropReport();
    this.#line = null;
    this.#jobs = [];
    this.#worker?.end();
    this.#worker = null;
  }

  /** Ends the workers. */
  close() {
    this.#endWorker();
    this.#spare?.end();
    this.#spare = null;
  }
}
