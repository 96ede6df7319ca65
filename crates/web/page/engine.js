// The connection to the engine: requests with one reply, and searches and reviews with many. The messages are described in the
// Rust module tabiya_web::protocol.

const VERSION = 1;
/** Replies after which nothing follows. */
const LAST = new Set(["best", "reviewed", "done", "error"]);

export class Engine extends EventTarget {
  #socket = null;
  #nextId = 1;
  /** Requests in progress by number: functions for a reply and for the loss of the connection. */
  #pending = new Map();
  #delay = 250;
  welcome = null;

  /** Connects, and again after each loss. Fires "open", "lost" and "refused". */
  connect() {
    const address = new URL("socket", location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener("open", async () => {
      try {
        this.welcome = await this.request("hello", { version: VERSION });
        this.#delay = 250;
        this.dispatchEvent(new Event("open"));
      } catch (error) {
        this.dispatchEvent(new CustomEvent("refused", { detail: error.message }));
      }
    });
    socket.addEventListener("message", (event) => this.#receive(JSON.parse(event.data)));
    socket.addEventListener("close", () => this.#lost(socket));
  }

  get isOpen() {
    return this.welcome !== null;
  }

  #receive({ id, type, ...data }) {
    if (id === null) {
      if (type === "error") this.dispatchEvent(new CustomEvent("refused", { detail: data.message }));
      return;
    }
    this.#pending.get(id)?.reply(type, data);
  }

  #lost(socket) {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.welcome = null;
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    for (const { fail } of pending) fail();
    this.dispatchEvent(new Event("lost"));
    setTimeout(() => this.connect(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, 5000);
  }

  #send(type, data, reply, fail) {
    const id = this.#nextId++;
    if (this.#socket?.readyState !== WebSocket.OPEN) {
      queueMicrotask(fail);
      return id;
    }
    this.#pending.set(id, { reply, fail });
    this.#socket.send(JSON.stringify({ id, type, ...data }));
    return id;
  }

  /** Sends a request and returns its reply. */
  request(type, data = {}) {
    return new Promise((resolve, reject) => {
      const id = this.#send(type, data, (kind, reply) => {
        this.#pending.delete(id);
        if (kind === "error") reject(new Error(reply.message));
        else resolve(reply);
      }, () => reject(new Lost()));
    });
  }

  /**
   * Starts a search or a review. `report` gets each reply but the last. Returns a promise of the last reply, with a function `stop`.
   */
  start(type, data, report = () => {}) {
    let id;
    const promise = new Promise((resolve, reject) => {
      id = this.#send(type, data, (kind, reply) => {
        if (!LAST.has(kind)) return report(reply);
        this.#pending.delete(id);
        if (kind === "error") reject(new Error(reply.message));
        else resolve({ kind, ...reply });
      }, () => reject(new Lost()));
    });
    // A stop has no reply of its own.
    promise.stop = () => this.#pending.has(id) && this.#socket.send(JSON.stringify({ id: this.#nextId++, type: "stop", target: id }));
    return promise;
  }
}

/** The error of a request whose connection was lost. */
export class Lost extends Error {
  constructor() {
    super("the connection to the engine was lost");
  }
}
