// The connection to the engine: requests with one reply, and searches and reviews with many. The messages are described in the
// Rust module tabiya_web::protocol.

import { errorText } from "./dom.js";
import { texts } from "./texts.js";

/** @typedef {WebSocket | import("#worker/worker-socket.js").WorkerSocket} Socket */

const VERSION = 3;
/** Maximum size of a message in bytes, beyond which the other side ends the connection. */
const MAX_MESSAGE = 16 * 2 ** 20;
/** Replies after which nothing follows. */
const FINAL_REPLIES = new Set(["best", "reviewed", "done", "error"]);

export class Engine extends EventTarget {
  /** Settings of an engine in this page; a server has its own. */
  settings = { hash: 32, evaluation: "nnue" };
  /**
   * The wanted `threads` and `hash` in MiB; undefined for the server's own.
   * @type {{ threads?: number, hash?: number }}
   */
  size = {};
  /** @type {Socket | null} */
  #socket = null;
  #nextId = 1;
  /**
   * Requests in progress by number: functions for a reply and for the loss of the connection.
   * @type {Map<number, { reply: (type: string, data: object) => void, fail: () => void }>}
   */
  #pending = new Map();
  #delay = 250;
  /** @type {Timer} */
  #timer = undefined;
  /** The reason why the other side ends the connection. */
  #refusal = "";
  /**
   * Time between two pings and the time limit for an answer, in milliseconds. Without pings, a page would wait for minutes on a
   * connection that a sleep of the computer has ended. The browser hides the server's own pings from the page.
   */
  heartbeat = { interval: 20_000, limit: 15_000 };
  /** @type {Timer} */
  #heartbeatTimer = undefined;
  /** The number of messages received. */
  #received = 0;
  /** @type {Welcome | null} */
  welcome = null;
  /**
   * Messages before the first connection, as functions that send them: a page that is still loading loses no click. Null afterwards.
   * @type {(() => void)[] | null}
   */
  #early = [];

  constructor() {
    super();
    // A phone ends connections of pages in the background, and delays their timers.
    for (const [target, name] of /** @type {[EventTarget, string][]} */ ([[document, "visibilitychange"], [globalThis, "online"]])) {
      target.addEventListener(name, () => {
        if (document.visibilityState !== "visible") return;
        if (this.#socket) this.#ping(this.#socket);
        else if (this.#timer) this.connect();
      });
    }
  }

  /** True if the engine is in this page, which has no server then. */
  get isLocal() {
    return document.querySelector('meta[name="tabiya-engine"]')?.getAttribute("content") === "worker";
  }

  /**
   * Connects, and again after each loss. Fires "greeted" when a position may be asked for, "open" for all else, "lost" with the reason if it is
   * known, and "loading" with the share that is loaded.
   */
  async connect() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    /** @type {Socket} */
    let socket;
    try {
      socket = await this.#open();
    } catch (error) {
      // The file of the worker may not be loaded.
      this.dispatchEvent(new CustomEvent("lost", { detail: errorText(error) }));
      return this.#retry();
    }
    this.#socket = socket;
    // A server that takes the connection may still never answer.
    this.#awaitMessage(socket);
    socket.addEventListener("open", async () => {
      if (socket !== this.#socket) return;
      try {
        const welcome = this.request("hello", { version: VERSION, ...this.size });
        this.dispatchEvent(new Event("greeted"));
        this.welcome = await welcome;
        this.#delay = 250;
        const early = this.#early ?? [];
        this.#early = null;
        for (const send of early) send();
        this.dispatchEvent(new Event("open"));
      } catch (error) {
        if (error instanceof ConnectionLostError) return;
        // A server of another version refuses the greeting.
        this.#refusal = errorText(error);
        socket.close();
      }
    });
    socket.addEventListener("loading", (event) => this.dispatchEvent(new CustomEvent("loading", { detail: /** @type {CustomEvent} */ (event).detail })));
    socket.addEventListener("message", (event) => socket === this.#socket && this.#receive(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    socket.addEventListener("close", () => this.#lost(socket));
  }

  async #open() {
    if (this.isLocal) {
      const { WorkerSocket } = await import("#worker/worker-socket.js");
      return new WorkerSocket({ ...this.settings, hash: this.size.hash ?? this.settings.hash });
    }
    const address = new URL("socket", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    return new WebSocket(address);
  }

  /** Ends the connection, and connects with the present settings. */
  restart() {
    this.#delay = 0;
    this.#socket?.close();
  }

  get isOpen() {
    return this.welcome !== null;
  }

  /**
   * Pings the server.
   * @param {Socket} socket
   */
  #ping(socket) {
    if (socket !== this.#socket || this.isLocal) return;
    if (this.isOpen) this.request("ping").catch(() => {});
    this.#awaitMessage(socket);
  }

  /**
   * Gives the connection up if no message comes within the time limit, and otherwise asks again after the interval.
   * @param {Socket} socket
   */
  #awaitMessage(socket) {
    if (this.isLocal) return;
    const { interval, limit } = this.heartbeat;
    const [start, received, waiting] = [Date.now(), this.#received, unsent(socket)];
    clearTimeout(this.#heartbeatTimer);
    this.#heartbeatTimer = setTimeout(() => {
      // While a long message is being sent, the server may have to receive all of it first.
      const isSending = unsent(socket) > 0 && unsent(socket) !== waiting;
      // After a sleep, the answer may have come but not been processed yet.
      const hasSlept = Date.now() - start > 1.1 * limit;
      if (isSending || (hasSlept && this.isOpen)) return this.#ping(socket);
      if (this.#received === received) {
        this.#lost(socket);
        return socket.close();
      }
      this.#heartbeatTimer = setTimeout(() => this.#ping(socket), interval);
    }, limit);
  }

  /** @param {Reply} reply */
  #receive({ id, type, ...data }) {
    this.#received++;
    if (id === null) this.#refusal = data.message ?? "";
    else this.#pending.get(id)?.reply(type, data);
  }

  /** @param {Socket} socket */
  #lost(socket) {
    if (socket !== this.#socket) return;
    clearTimeout(this.#heartbeatTimer);
    this.#socket = null;
    this.welcome = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { fail } of pending) fail();
    // A restart is no loss.
    if (this.#delay) this.dispatchEvent(new CustomEvent("lost", { detail: this.#refusal }));
    this.#refusal = "";
    this.#retry();
  }

  /** Connects again after a while, which grows with each failure. */
  #retry() {
    this.#timer = setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(Math.max(this.#delay * 2, 250), 5000);
  }

  /**
   * @param {string} type
   * @param {object} data
   * @param {(kind: string, reply: object) => void} reply
   * @param {() => void} fail
   */
  #send(type, data, reply, fail) {
    const id = this.#nextId++;
    const isFirst = type === "hello" || (type === "position" && this.#socket?.readyState === WebSocket.OPEN);
    if (this.#early && !isFirst) {
      this.#early.push(() => this.#sendNow(id, type, data, reply, fail));
      return id;
    }
    return this.#sendNow(id, type, data, reply, fail);
  }

  /**
   * @param {number} id
   * @param {string} type
   * @param {object} data
   * @param {(kind: string, reply: object) => void} reply
   * @param {() => void} fail
   */
  #sendNow(id, type, data, reply, fail) {
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      queueMicrotask(fail);
      return id;
    }
    const text = JSON.stringify({ id, type, ...data });
    if (isTooLong(text)) {
      queueMicrotask(() => reply("error", { message: texts.page.tooLong(MAX_MESSAGE / 2 ** 20) }));
      return id;
    }
    this.#pending.set(id, { reply, fail });
    this.#socket.send(text);
    return id;
  }

  /**
   * Sends a request and returns its reply.
   * @template {keyof Replies} Type
   * @param {Type} type
   * @returns {Promise<Replies[Type]>}
   */
  request(type, data = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#send(type, data, (kind, reply) => {
        this.#pending.delete(id);
        if (kind === "error") reject(replyError(reply));
        else resolve(/** @type {Replies[Type]} */ (reply));
      }, () => reject(new ConnectionLostError()));
    });
  }

  /**
   * Starts a search or a review. `report` gets each reply but the last. Returns a promise of the last reply, with a function `stop`.
   * @template {keyof Runs} Type
   * @param {Type} type
   * @param {object} data
   * @param {(report: Runs[Type]["report"]) => void} report
   * @returns {Running<Runs[Type]["last"]>}
   */
  start(type, data, report = () => {}) {
    let id = 0;
    /** @type {Promise<Runs[Type]["last"]>} */
    const promise = new Promise((resolve, reject) => {
      id = this.#send(type, data, (kind, reply) => {
        if (!FINAL_REPLIES.has(kind)) return report(/** @type {Runs[Type]["report"]} */ (reply));
        this.#pending.delete(id);
        if (kind === "error") reject(replyError(reply));
        else resolve(/** @type {Runs[Type]["last"]} */ ({ kind, ...reply }));
      }, () => reject(new ConnectionLostError()));
    });
    // A stop has no reply of its own.
    const stop = () => {
      if (this.#early) this.#early.push(stop);
      else if (this.#pending.has(id)) this.#socket?.send(JSON.stringify({ id: this.#nextId++, type: "stop", target: id }));
    };
    return Object.assign(promise, { stop });
  }
}

/**
 * True for a text of more bytes than a message may have. A character has at most three.
 * @param {string} text
 */
const isTooLong = (text) => text.length > MAX_MESSAGE / 3 && new Blob([text]).size > MAX_MESSAGE;

/** Bytes that are still to be sent. */
const unsent = (/** @type {Socket} */ socket) => (socket instanceof WebSocket ? socket.bufferedAmount : 0);

/** @param {{ message?: string }} reply */
const replyError = ({ message }) => new Error(message);

/** The error of a request whose connection was lost. */
export class ConnectionLostError extends Error {
  constructor() {
    super(texts.page.connectionLost);
    this.name = "ConnectionLostError";
  }
}
