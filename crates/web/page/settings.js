// The settings of the page and its help on keys, as dialogs.

import { byId, element } from "./dom.js";
import { LANGUAGES, chooseLanguage, chosenLanguage } from "./languages.js";

const PIECES = ["k", "q", "r", "b", "n", "p"];
/** Drawings of the second set of pieces. */
const FLAT_PIECES = "pieces-flat.svg";
/** Sizes of the transposition table to choose from, in MiB. */
const HASH_SIZES = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192];
/** The largest table in a browser, whose memory all tabs share, in MiB. */
const MAX_LOCAL_HASH = 256;

export class Settings {
  #app;
  /**
   * The drawings of the first set, by kind.
   * @type {Record<string, Element[]> | undefined}
   */
  #ownPieces;

  /** @param {PartOfPage<"fail" | "save", "addEventListener" | "isLocal" | "restart" | "size" | "welcome">} app */
  constructor(app) {
    this.#app = app;
    for (const [button, dialog] of /** @type {[string, "settings" | "keys"][]} */ ([["settings-open", "settings"], ["keys-open", "keys"]])) {
      byId(button).addEventListener("click", () => byId(dialog).showModal());
      // A click beside the dialog closes it.
      byId(dialog).addEventListener("click", (event) => event.target === byId(dialog) && byId(dialog).close());
    }
    byId("language").append(...Object.entries(LANGUAGES).map(([value, { name }]) => element("option", { value, lang: value }, name)));
    byId("language").value = chosenLanguage() ?? "";
    byId("language").addEventListener("change", () => {
      chooseLanguage(byId("language").value);
      // Writes all texts; the page keeps what is on it.
      location.reload();
    });
    byId("board-colors").addEventListener("change", () => this.#changed());
    byId("piece-set").addEventListener("change", () => this.#changed());
    byId("sounds").addEventListener("change", () => app.save());
    for (const id of ["threads", "hash"]) byId(id).addEventListener("change", () => this.#resizeEngine());
    app.engine.addEventListener("open", () => this.#showEngine());
  }

  get hasSounds() {
    return byId("sounds").checked;
  }

  /** The choices, for the storage. */
  get values() {
    return { board: byId("board-colors").value, pieces: byId("piece-set").value, sounds: this.hasSounds, size: this.#app.engine.size };
  }

  set values({ board = "blue", pieces = "classic", sounds = false, size = {} }) {
    byId("board-colors").value = board;
    byId("piece-set").value = pieces;
    byId("sounds").checked = sounds;
    this.#app.engine.size = size;
    this.#show();
  }

  #changed() {
    this.#show();
    this.#app.save();
  }

  async #show() {
    document.documentElement.dataset.board = byId("board-colors").value;
    const set = byId("piece-set").value;
    if (set === "classic" && !this.#ownPieces) return;
    try {
      const flat = set === "flat" ? new DOMParser().parseFromString(await (await fetch(FLAT_PIECES)).text(), "image/svg+xml") : null;
      const own = (this.#ownPieces ??= Object.fromEntries(PIECES.map((kind) => [kind, [...byId(`piece-${kind}`).children]])));
      // All drawn pieces refer to these symbols.
      for (const kind of PIECES) byId(`piece-${kind}`).replaceChildren(...(flat?.getElementById(`piece-${kind}`)?.children ?? own[kind]));
    } catch (error) {
      this.#app.fail(error);
    }
  }

  #resizeEngine() {
    const { engine } = this.#app;
    engine.size = { threads: Number(byId("threads").value), hash: Number(byId("hash").value) };
    this.#app.save();
    engine.restart();
  }

  /** Offers what the server allows. */
  #showEngine() {
    const { welcome, isLocal } = this.#app.engine;
    if (!welcome) return;
    const fill = (/** @type {"threads" | "hash"} */ id, /** @type {number[]} */ values, /** @type {number} */ current) => {
      const all = [...new Set([...values, current])].sort((one, other) => one - other);
      byId(id).replaceChildren(...all.map((value) => element("option", { value: String(value) }, String(value))));
      byId(id).value = String(current);
      byId(id).disabled = all.length < 2;
    };
    fill("threads", Array.from({ length: welcome.max_threads }, (_, index) => index + 1), welcome.threads);
    const largest = isLocal ? MAX_LOCAL_HASH : welcome.max_hash;
    fill("hash", HASH_SIZES.filter((size) => size <= largest), welcome.hash);
  }
}
