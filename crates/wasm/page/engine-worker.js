// A web worker with an engine: answers one message after another.

// @ts-ignore The build generates this module.
import start, { Worker as Engine } from "./tabiya_wasm.js";

/** @type {{ handle(message: string): void } | null} */
let engine = null;
// Messages that arrive before the engine is ready wait for it.
let last = Promise.resolve();

/** @param {any} data the settings, then messages */
async function handle(data) {
  if (engine === null) {
    await start({ module_or_path: data.module });
    engine = new Engine(data.hash, data.evaluation, data.seed);
    postMessage({ ready: true });
  } else {
    // Posts its replies itself.
    engine.handle(data);
  }
}

addEventListener("message", ({ data }) => {
  last = last.then(() => handle(data)).catch((error) => postMessage({ failed: String(error?.message ?? error) }));
});
