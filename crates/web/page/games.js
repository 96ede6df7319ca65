// My games: the list of all games that the browser keeps.

import { gameTitle } from "./chess.js";
import { announce, byId, download, element, endMessage, keepFocus, on, scrollToBoard } from "./dom.js";
import { texts } from "./texts.js";
import { GameList } from "#shared/game-list.js";

export class Games {
  #app;
  #store;
  /** @type {KeptSummary[]} */
  #games = [];
  #list;
  /** @type {Timer} */
  #reading;

  /**
   * @param {PartOfPage<"failAction" | "importFiles" | "keptPgn" | "mayReplace" | "openKept" | "tab" | "tree">} app
   * @param {import("./store.js").Store} store
   */
  constructor(app, store) {
    this.#app = app;
    this.#store = store;
    /** @type {GameList<KeptSummary>} */
    this.#list = new GameList({ list: byId("kept-list"), filter: byId("kept-filter"), count: byId("kept-count"), more: byId("more-kept") }, {
      text: ({ players, event, date, result, opening }) => [...players, event, date, result, opening].join("\n"),
      label: gameLabel,
      choose: (index) => this.#choose(this.#games[index]),
    });
    on("kept-deleted", "change", () => this.#show());
    on("kept-delete", "click", () => this.#deleteCurrent());
    on("kept-export", "click", () => this.#export());
    on("kept-remove", "click", () => {
      const ids = this.#list.found.map(({ id }) => id);
      if (confirm(texts.games.askRemove(ids.length))) this.#act(() => store.removeDeleted(ids));
    });
    // After the list has been filtered.
    on("kept-filter", "input", () => this.#showButtons());
    on("kept-import", "change", async () => {
      const files = [...byId("kept-import").files ?? []];
      byId("kept-import").value = "";
      await app.importFiles(files);
    });
    store.onChange = () => this.#showLater();
  }

  #showLater() {
    clearTimeout(this.#reading);
    this.#reading = setTimeout(() => {
      // A button that is replaced while it is pressed gets no click.
      if (byId("kept-list").matches(":active")) this.#showLater();
      else if (this.#app.tab === "games") this.#show(true);
    }, 50);
  }

  /** @param {() => Promise<unknown>} action */
  async #try(action) {
    try {
      await action();
    } catch (error) {
      this.#app.failAction(error);
    }
  }

  /**
   * Runs an action of the user.
   * @param {() => Promise<unknown>} action
   */
  #act(action) {
    endMessage("action");
    return this.#try(action);
  }

  /**
   * Opens a kept game; a deleted one is restored.
   * @param {KeptSummary} game
   */
  #choose({ id, deleted }) {
    return this.#act(async () => {
      if (deleted) {
        await this.#store.setDeleted(id, false);
        return this.#tell(texts.games.restored);
      }
      byId("kept-note").textContent = "";
      if (!this.#app.mayReplace()) return undefined;
      // On a phone the list is below the board.
      if (await this.#app.openKept(id)) scrollToBoard();
      return undefined;
    });
  }

  /** @param {string} text */
  #tell(text) {
    byId("kept-note").textContent = text;
    announce(text);
  }

  #deleteCurrent() {
    const { id } = this.#app.tree;
    return this.#act(async () => {
      await this.#store.setDeleted(id, true);
      this.#tell(texts.games.deleted);
    });
  }

  #export() {
    return this.#act(async () => {
      const parts = [];
      for (const { id } of this.#list.found) parts.push(await this.#app.keptPgn(id));
      download("my-games.pgn", parts.map((pgn) => `${pgn.trim()}\n`).join("\n"), "application/vnd.chess-pgn");
    });
  }

  /** Lists the games; with `isUpdate`, as many as before at the same place. */
  #show(isUpdate = false) {
    return this.#try(async () => {
      const isDeletedShown = byId("kept-deleted").checked;
      const all = await this.#store.list();
      this.#games = all.filter(({ deleted }) => Boolean(deleted) === isDeletedShown);
      const [list, more] = [byId("kept-list"), byId("more-kept")];
      const { childElementCount: listed, scrollTop } = list;
      keepFocus(list, () => {
        this.#list.show(this.#games, byId("kept-filter").value);
        while (isUpdate && list.childElementCount < listed && !more.hidden) more.click();
      });
      this.moved();
      if (isUpdate) list.scrollTop = scrollTop;
      this.#showButtons();
      byId("kept-hint").hidden = !isDeletedShown;
    });
  }

  #showButtons() {
    const isEmpty = this.#list.found.length === 0;
    byId("kept-export").disabled = isEmpty;
    byId("kept-remove").hidden = !byId("kept-deleted").checked || isEmpty;
  }

  enter() {
    byId("kept-note").textContent = "";
    this.#show();
  }

  /** Marks the game on the board. */
  moved() {
    const current = this.#games.findIndex(({ id }) => id === this.#app.tree.id);
    this.#list.mark(current);
    byId("kept-delete").disabled = current < 0 || byId("kept-deleted").checked;
  }

  boardOverlay() {
    return { bar: null };
  }
}

/** @param {KeptSummary} game */
function gameLabel({ players, event, date, result, opening, plies }) {
  return [
    plies === 0 && !players.some(Boolean) ? texts.games.position : gameTitle(players, result),
    element("small", {}, [event, date, opening, texts.games.moves(Math.ceil(plies / 2))].filter(Boolean).join(", ")),
  ];
}
