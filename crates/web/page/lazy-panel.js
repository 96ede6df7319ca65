// Panels whose scripts the page loads after the board.

/**
 * A panel that is loaded when it is shown, or before.
 * @template {Panel} P
 */
export class LazyPanel {
  #import;
  #events;
  /** @type {Promise<P> | undefined} */
  #loading;
  /**
   * The panel when it is loaded.
   * @type {P | undefined}
   */
  loaded;

  /**
   * @param {() => Promise<P>} load
   * @param {{ onLoad: () => void, onError: (error: unknown) => void }} events `onLoad` is for a panel that has been waited for
   */
  constructor(load, events) {
    this.#import = load;
    this.#events = events;
  }

  /** Loads the panel, again after a failure. */
  load() {
    this.#loading ??= this.#import().then((panel) => (this.loaded = panel));
    this.#loading.catch(() => { this.#loading = undefined; });
    return this.#loading;
  }

  #show() {
    this.load().then(() => this.#events.onLoad(), (error) => this.#events.onError(error));
  }

  enter() {
    if (this.loaded) this.loaded.enter();
    else this.#show();
  }

  leave() {
    this.loaded?.leave?.();
  }

  moved() {
    if (this.loaded) this.loaded.moved();
    // The first page shows the panel of the last visit without entering it.
    else if (!this.#loading) this.#show();
  }

  /** @returns {Overlay} */
  boardOverlay() {
    return this.loaded?.boardOverlay() ?? { legal: null };
  }

  get denial() {
    return this.loaded?.denial;
  }
}
