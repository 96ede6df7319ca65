// Tests of the kept games, and of undo and redo, in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";
import { assertAccessible } from "./harness.mjs";
import {
  MATE_IN_ONE, databaseHas, drag, expectText, fenHash, holdRequests, ignoreMessages, keptGames, open, openPgn, openTab, page, picture, restartServer, showTab, stopServer, stored, type, unfold,
} from "./session.mjs";

test("games that a PGN, a link or a new game replaces are kept, also after a crash of the tab", async () => {
  await open();
  await openPgn('[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Nf3 1-0');
  await expectText("#moves", /Nf3/);
  await openPgn('[White "Cid"]\n[Opening "Bird Opening"]\n\n1. f4 *');
  await expectText("#moves", /f4/);
  await page.locator("#tab-play").click();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await keptGames(3);
  // A new tab after a crash has no session, and an address that shows another position.
  await page.close();
  await openTab(fenHash(MATE_IN_ONE));
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo && globalThis.tabiya.tab === "analyse");
  // The position of the address is kept, too.
  const games = await keptGames(4);
  assert.match(games.join("\n"), /Position.*\n.*You.*\n.*Cid.*Bird Opening.*\n.*Ann – Bob/s);
  await page.fill("#kept-filter", "bird");
  assert.equal(await page.locator("#kept-list button").count(), 1);
  await page.locator("#kept-list button").click();
  await expectText("#moves", /f4/);
  await page.fill("#kept-filter", "");
  await page.locator("#kept-list button", { hasText: "You" }).click();
  await page.locator("#tab-play").click();
  await page.locator("#continue").click();
  await expectText("#play-note", /Your move/);
});

test("kept games are deleted, restored, imported and exported", async () => {
  await open();
  await page.locator("#tab-games").click();
  const file = (name, pgn) => ({ name, mimeType: "text/plain", buffer: Buffer.from(pgn) });
  const files = [file("a.pgn", '[White "Ann"]\n\n1. e4 *\n\n[White "Bob"]\n\n1. d4 *'), file("b.pgn", '[White "Cid"]\n\n1. c4 *')];
  await page.locator("#kept-import").setInputFiles(files);
  await keptGames(3);
  // The same file again adds nothing.
  await page.locator("#kept-import").setInputFiles(files);
  await page.locator("#kept-list button", { hasText: "Bob" }).click();
  await expectText("#moves", /d4/);
  await page.locator("#kept-delete").click();
  await keptGames(2);
  await page.locator("#kept-deleted").check();
  assert.match((await keptGames(1))[0], /Bob/);
  await assertAccessible(page, "#panel-games");
  await page.locator("#kept-list button").click();
  await page.locator("#kept-deleted").uncheck();
  await keptGames(3);
  await picture("games");
  const [exported] = await Promise.all([page.waitForEvent("download"), page.locator("#kept-export").click()]);
  assert.equal(fs.readFileSync(await exported.path(), "utf8").match(/^\[White /gm).length, 3);
});

test("an export that is imported again adds no game, also of those played or changed here", async () => {
  await open();
  for (const move of ["e4", "e5"]) await type(move);
  await openPgn('[White "Ann"]\n[Date "2026.??.??"]\n\n1. e4 {first} (1. d4 d5) *');
  await expectText("#moves", /d5/);
  await page.locator("#tab-analyse").click();
  await page.evaluate(() => globalThis.tabiya.goTo(1));
  await type("c5");
  await page.locator("#tab-games").click();
  await keptGames(2);
  const [exported] = await Promise.all([page.waitForEvent("download"), page.locator("#kept-export").click()]);
  const pgn = fs.readFileSync(await exported.path());
  const addPgn = async (more) => {
    await page.locator("#kept-import").setInputFiles([{ name: "a.pgn", mimeType: "text/plain", buffer: Buffer.concat([pgn, Buffer.from(`\n${more}`)]) }]);
  };
  await addPgn("1. c4 *");
  await keptGames(3);
  await page.locator("#kept-list button", { hasText: "Ann" }).click();
  await expectText("#moves", /c5/);
  await page.locator("#kept-delete").click();
  await keptGames(2);
  await addPgn("");
  await keptGames(3);
});

test("an import names the files that cannot be read, and keeps what can", async () => {
  await open();
  await page.locator("#tab-games").click();
  const file = (name, content) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
  await page.locator("#kept-import").setInputFiles([
    file("faulty.pgn", "1. e4 e5 *\n\n1. d4 *\n\n1. c4 e5 2. Ke3 *"), file("bytes.pgn", [1, 250, 7, 91, 200, 0, 10, 10, 49, 46, 130]),
    file("letter.txt", "Dear Ann, see you on Monday."), file("empty.txt", ""),
  ]);
  await expectText("#message", /faulty\.pgn: Not all.*Ke3.*bytes\.pgn: .*letter\.txt: .*empty\.txt: ./);
  await page.locator("#message button").click();
  await keptGames(3);
});

test("a search limits the games that are exported and removed for good", async () => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(["Ann", "Bob"].map((name) => (
    { players: [name, "Black"], event: "", date: "", result: "*", plies: 1, pgn: `[White "${name}"]\n\n1. e4 *` }))));
  await page.locator("#tab-games").click();
  await keptGames(2);
  await page.fill("#kept-filter", "ann");
  const [exported] = await Promise.all([page.waitForEvent("download"), page.locator("#kept-export").click()]);
  assert.deepEqual(fs.readFileSync(await exported.path(), "utf8").match(/^\[White .*$/gm), ['[White "Ann"]']);
  await page.fill("#kept-filter", "");
  for (const rest of [1, 0]) {
    await page.locator("#kept-list button").first().click();
    await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 2);
    await page.locator("#kept-delete").click();
    await keptGames(rest);
  }
  await page.locator("#kept-deleted").check();
  await keptGames(2);
  await page.fill("#kept-filter", "zoe");
  assert.equal(await page.locator("#kept-remove").isHidden(), true);
  await page.fill("#kept-filter", "ann");
  let question = "";
  page.once("dialog", (dialog) => {
    question = dialog.message();
    dialog.accept();
  });
  await page.locator("#kept-remove").click();
  await keptGames(0);
  assert.match(question, /removes 1 deleted game for good/);
  await page.fill("#kept-filter", "");
  assert.match((await keptGames(1))[0], /Bob/);
});

test("the list of kept games keeps its length, its place and the focus when a game is restored", async () => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(Array.from({ length: 300 }, (_, index) => (
    { players: [`Player ${index}`, "Black"], event: "", date: "", result: "*", plies: 1, pgn: `[White "Player ${index}"]\n\n1. e4 *` }))));
  await page.evaluate(async () => {
    const request = indexedDB.open("tabiya");
    await new Promise((resolve) => { request.onsuccess = resolve; });
    const summaries = request.result.transaction("summaries", "readwrite").objectStore("summaries");
    const all = summaries.getAll();
    await new Promise((resolve) => { all.onsuccess = resolve; });
    for (const summary of all.result) summaries.put({ ...summary, deleted: 1 });
    await new Promise((resolve) => { summaries.transaction.oncomplete = resolve; });
  });
  await page.locator("#tab-games").click();
  await page.locator("#kept-deleted").check();
  await page.locator("#more-kept").click();
  await page.waitForFunction(() => document.querySelectorAll("#kept-list button").length === 300);
  await page.locator("#kept-list button").nth(250).press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("#kept-list button").length === 299);
  const { place, isInSight } = await page.evaluate(() => {
    const list = document.querySelector("#kept-list");
    const { top } = list.getBoundingClientRect();
    const focused = document.activeElement.getBoundingClientRect();
    return { place: [...list.querySelectorAll("button")].indexOf(document.activeElement), isInSight: focused.top >= top && focused.bottom <= top + list.clientHeight + 1 };
  });
  assert.deepEqual([place, isInSight], [250, true]);
});

test("10,000 kept games are searched", async (t) => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(Array.from({ length: 10_000 }, (_, index) => (
    { players: [`Player ${index}`, "Black"], event: "", date: "2020.01.01", result: "1-0", plies: 40, pgn: `[White "Player ${index}"]\n\n1. e4 1-0` }))));
  await page.locator("#tab-games").click();
  await expectText("#kept-count", /10,000/);
  const milliseconds = await page.evaluate(() => {
    const started = performance.now();
    const filter = document.querySelector("#kept-filter");
    filter.value = "player 9876";
    filter.dispatchEvent(new Event("input"));
    return performance.now() - started;
  });
  assert.equal(await page.locator("#kept-list button").count(), 1);
  t.diagnostic(`${Math.round(milliseconds)} ms`);
});

test("two tabs that change the same game keep both", async () => {
  await open();
  await type("e4");
  await keptGames(1);
  await stored();
  const first = page;
  await openTab();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo && globalThis.tabiya.tree.nodes.length === 2);
  await type("e5");
  await keptGames(1);
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 2);
  showTab(first);
  await type("c5");
  await expectText("#message", /Another tab has changed this game/);
  await page.locator("#message button").click();
  await keptGames(2);
});

test("a reader stays at their move when another tab changes the game", async () => {
  await open();
  for (const move of ["e4", "e5", "Nf3"]) await type(move);
  await page.locator("#previous").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 3);
  await stored();
  const first = page;
  await openTab();
  await page.locator("#last").click();
  await type("Nc6");
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 4);
  showTab(first);
  await page.evaluate(() => globalThis.tabiya.engine.restart());
  await expectText("#moves", /Nc6/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.node.san), "e5");
});

test("of several games the one that was chosen last is opened, however late a reply about another comes", async () => {
  await open();
  await page.evaluate(() => globalThis.tabiya.keepAll(["Ann", "Bob"].map((name) => (
    { players: [name, "Black"], event: "", date: "", result: "*", plies: 1, pgn: `[White "${name}"]\n\n1. e4 *` }))));
  const choose = async (name) => {
    await page.locator("#tab-games").click();
    await page.locator("#kept-list button", { hasText: name }).click();
  };
  // A game that has been changed here is opened without the engine.
  await choose("Bob");
  await expectText("#moves", /e4/);
  await type("d4");
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 1);
  const others = [
    ["game", () => choose("Ann")],
    ["game", () => page.evaluate(() => { location.hash = "#moves=c4"; })],
    ["read", () => page.evaluate(() => { globalThis.tabiya.openPosition("c4"); })],
    ["new_game", async () => {
      await page.locator("#tab-play").click();
      await page.locator("#play-form button").click();
    }],
  ];
  for (const [request, chooseOther] of others) {
    await holdRequests(request);
    await chooseOther();
    await page.waitForFunction(() => !location.hash);
    await page.evaluate(() => { globalThis.last = globalThis.tabiya.tree; });
    await choose("Bob");
    await page.waitForFunction(() => globalThis.tabiya.tree !== globalThis.last);
    const isStill = await page.evaluate(async () => {
      const { engine, tree } = globalThis.tabiya;
      globalThis.release();
      await new Promise((resolve) => { setTimeout(resolve); });
      // Its reply comes after the other one.
      await engine.request("position", { game: tree.line() });
      return tree === globalThis.tabiya.tree;
    });
    assert.ok(isStill, request);
  }
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.player("white")), "Bob");
});

test("a game of a list that is not kept does not replace a new game either", async () => {
  await open();
  page.on("dialog", (dialog) => dialog.accept());
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  await openPgn('[White "Ann"]\n\n1. d4 *\n\n[White "Bob"]\n\n1. c4 *');
  await expectText("#moves", /d4/);
  await holdRequests("game");
  await page.locator("#game-list button", { hasText: "Bob" }).click();
  await page.locator("#tab-play").click();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.evaluate(async () => {
    const { engine, tree } = globalThis.tabiya;
    globalThis.release();
    await new Promise((resolve) => { setTimeout(resolve); });
    await engine.request("position", { game: tree.line() });
  });
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.isActive), true);
});

test("a PGN that is still being read does not take the board from a game that is begun or goes on", async () => {
  await open();
  const assertInGame = async () => {
    await page.evaluate(() => globalThis.release());
    await expectText("#message", /read.*My games/);
    assert.deepEqual(await page.evaluate(() => [globalThis.tabiya.tab, globalThis.tabiya.panel.state.isActive]), ["play", true]);
  };
  await holdRequests("open");
  await openPgn('[White "Ann"]\n\n1. d4 *\n\n[White "Bob"]\n\n1. c4 *');
  await page.locator("#tab-play").click();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await assertInGame();
  await holdRequests("open");
  // A game without moves is left without a question.
  await openPgn('[White "Cid"]\n\n1. f4 *');
  await page.locator("#tab-play").click();
  await type("e4");
  await assertInGame();
  await keptGames(4);
});

test("what a lost connection has prevented is said to be not done", async () => {
  await open();
  await type("e4");
  const click = (selector) => page.locator(selector).click();
  await click("#play-form button");
  await expectText("#play-note", /Your move/);
  await page.evaluate(() => { globalThis.tabiya.tree.review = { search: "", sides: {} }; });
  await stopServer();
  await expectText("#message", /Your game is kept/);
  const actions = [
    () => click("#hint"),
    async () => {
      await unfold("play-setup");
      await click("#play-form button");
    },
    () => openPgn("1. d4 *"),
    () => click("#save-pgn"),
    () => click("#save-html"),
    async () => {
      await click("#tab-games");
      await click("#kept-export");
    },
  ];
  for (const act of actions) {
    await act();
    await expectText("#message", /lost before this was done/);
    await click("#message button");
    await expectText("#message", /Your game is kept/);
  }
  await restartServer();
  await page.locator("#message").waitFor({ state: "hidden" });
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("edits are undone and redone", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  for (const move of ["e4", "e5", "Nf3"]) await type(move);
  await page.evaluate(() => globalThis.tabiya.goTo(1));
  await page.locator("#delete").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 1);
  await page.locator("h1").click();
  // Not behind a dialog.
  await page.keyboard.press("?");
  await page.locator("#keys").waitFor();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Escape");
  await page.locator("#keys").waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 1);
  // A checkbox has no undo of its own.
  await page.focus("#shortcuts");
  await page.keyboard.press("Control+z");
  await expectText("#moves", /e4.*e5.*Nf3/s);
  await page.keyboard.press("Control+z");
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 3);
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+y");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 1);
});

test("the end of a game is undone without its note", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "*");
  await expectText("#play-note", /^Choose/);
  assert.equal(await page.locator("#takeback").isVisible(), false);
});

test("edits are undone and redone after a reload", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  for (const move of ["e4", "e5", "Nf3"]) await type(move);
  await page.locator("h1").click();
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3 && globalThis.tabiya.tree.version === 4);
  await stored();
  // This waits for the writing of the edits, which has begun.
  await databaseHas("tabiya.undo", "values", 1);
  await page.reload();
  // The edits come from the storage after the game.
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo && globalThis.tabiya.tree.history(Infinity).future.length === 1);
  await page.keyboard.press("Control+y");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 4);
  for (const length of [3, 2, 1]) {
    await page.keyboard.press("Control+z");
    assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), length);
  }
});

test("a list of games is back after a reload, also one of more than 2,000", async () => {
  await open();
  await page.locator("#tab-review").click();
  const games = Array.from({ length: 4500 }, (_, index) => `[Event "E"]\n[White "Player ${index}"]\n\n1. ${index % 2 ? "e4" : "d4"} *`);
  await page.locator("#pgn-file").setInputFiles({ name: "many.pgn", mimeType: "text/plain", buffer: Buffer.from(games.join("\n\n")) });
  await expectText("#game-count", /4,500 games/);
  assert.equal(await page.locator("#message").isVisible(), false);
  await page.fill("#game-filter", "player 4321");
  await page.locator("#game-list button").click();
  await expectText("#top .name, #bottom .name", /Black/);
  await page.waitForFunction(() => /4321/.test(globalThis.tabiya.tree.player("white")));
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#game-count", /4,500 games/);
  await page.fill("#game-filter", "player 77 ");
  await page.locator("#game-list button").first().click();
  await page.waitForFunction(() => globalThis.tabiya.tree.player("white") === "Player 77");
});

test("the games of a file are found by their opening, after a reload, too", async () => {
  await open();
  const game = (white, eco, opening, moves) => `[Event "Club"]\n[White "${white}"]\n[Black "Bo"]\n[ECO "${eco}"]\n[Opening "${opening}"]\n\n${moves} *\n`;
  await openPgn([game("Anna", "C20", "King's Pawn Game", "1. e4 e5"), game("Cleo", "B20", "Sicilian Defense", "1. e4 c5")].join("\n"));
  await expectText("#game-count", /^2 games$/);
  const find = async () => {
    await page.fill("#game-filter", "sicilian");
    await expectText("#game-count", /^1 of 2 games$/);
    await expectText("#game-list", /Cleo.*B20 Sicilian Defense/);
  };
  await find();
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#game-count", /^2 games$/);
  await find();
});

test("a position that has been set up is kept without moves", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 1);
  await openPgn("1. e4 *");
  await expectText("#moves", /e4/);
  await keptGames(2);
  await page.locator("#kept-list button", { hasText: "Position" }).click();
  await page.waitForFunction((fen) => globalThis.tabiya.tree.start === fen, MATE_IN_ONE);
});

test("a game that the browser has no room for is said to be lost", async () => {
  await open();
  await page.evaluate(() => {
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
  });
  await type("e4");
  await expectText("#message", /storage of the browser is full/);
  const asked = page.waitForEvent("dialog");
  const click = page.locator("#play-form button").click();
  const dialog = await asked;
  assert.match(dialog.message(), /would be lost/);
  await dialog.dismiss();
  await click;
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
});

test("a game that is too large for a reload is opened from the kept games, and the settings stay", async () => {
  await open();
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(name, text) {
      if (text.includes("e2e4")) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, name, text);
    };
  });
  await page.locator("#elo").fill("900");
  await page.locator("#flip").click();
  await page.locator("#tab-analyse").click();
  for (const move of ["e4", "e5"]) await type(move);
  await page.locator("#previous").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 2);
  await page.waitForTimeout(400);
  const shown = async () => {
    await page.waitForFunction(() => globalThis.tabiya?.tree.nodes.length === 3);
    return page.evaluate(() => {
      const { tree, tab, isFlipped } = globalThis.tabiya;
      return [tree.current, tab, isFlipped, document.querySelector("#elo").value];
    });
  };
  await page.reload();
  assert.deepEqual(await shown(), [1, "analyse", true, "900"]);
  // The next tab has it, too.
  await openTab();
  assert.deepEqual(await shown(), [1, "analyse", true, "900"]);
});

test("a game that is too large for a reload does not replace one that is opened before the engine is there", async () => {
  await open();
  await type("d4");
  await page.evaluate(() => {
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(name, text) {
      if (text.includes("e2e4")) throw new DOMException("full", "QuotaExceededError");
      setItem.call(this, name, text);
    };
    globalThis.tabiya.setTree(new globalThis.tabiya.tree.constructor());
  });
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await type("e4");
  await keptGames(2);
  await page.waitForTimeout(400);
  let release;
  const released = new Promise((resolve) => { release = resolve; });
  await page.routeWebSocket(/./, async (socket) => {
    await released;
    socket.connectToServer();
  });
  await page.reload();
  await expectText("#moves", /e4/);
  await page.locator("#kept-list button:not([aria-current])").click();
  await expectText("#moves", /d4/);
  release();
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes[1].san), "d4");
});

test("a message about an action ends when the user goes on, and one about the storage with its state", async () => {
  await open();
  const isShown = () => page.locator("#message").isVisible();
  const fail = () => page.evaluate(() => globalThis.tabiya.fail(new Error("not done")));
  for (const goOn of [() => page.locator("#tab-analyse").click(), () => type("e4"), () => page.locator("#previous").click(), () => openPgn("1. d4 *")]) {
    await fail();
    await expectText("#message", /not done/);
    await goOn();
    await page.waitForFunction(() => document.querySelector("#message").hidden);
  }
  // The opened game is kept before it is shown. If that failed, too, its message would stay.
  await expectText("#moves", /d4/);
  await page.evaluate(() => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
    globalThis.makeRoom = () => { IDBObjectStore.prototype.put = put; };
  });
  await type("e4");
  await expectText("#message", /storage of the browser is full/);
  await fail();
  await expectText("#message", /not done/);
  // The other message comes back.
  await page.locator("#previous").click();
  await expectText("#message", /storage of the browser is full/);
  await page.evaluate(() => new Promise((resolve) => {
    globalThis.tabiya.engine.addEventListener("open", () => resolve(), { once: true });
    globalThis.tabiya.engine.restart();
  }));
  await expectText("#message", /storage of the browser is full/);
  assert.equal(await isShown(), true);
  await page.evaluate(() => globalThis.makeRoom());
  await type("Nf3");
  await page.waitForFunction(() => document.querySelector("#message").hidden);
});
