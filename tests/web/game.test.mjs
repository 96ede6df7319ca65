// Tests of games against Tabiya, in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { PHONE, waitForText } from "./harness.mjs";
import { MATE_IN_ONE, click, context, drag, expectText, fenHash, holdRequests, ignoreMessages, isInSight, keptGames, open, openGame, openPgn, openTab, page, picture, pieceAt, restartServer, savedPgn, server, stopServer, stored, type, unfold, withServer } from "./session.mjs";

test("a game against the engine, by drag and by click, with take back and hint", async () => {
  await open();
  await page.locator("#elo").fill("800");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  assert.equal(await pieceAt("e4"), "P");
  await expectText("#play-note", /Your move/);
  await page.locator("#hint").click();
  await expectText("#play-note", /Hint: /);
  await page.locator("#board .arrow").waitFor({ state: "attached" });
  await click("d2");
  await page.locator("#board .target").first().waitFor({ state: "attached" });
  await picture("play");
  await click("d3");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 5);
  await page.locator("#takeback").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3);
  assert.equal(await pieceAt("d3"), "");
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.result), "0-1");
  await expectText("#status", /Black has won$/);
  await page.locator("#previous").click();
  await expectText("#status", /Black to move$/);
});

test("a page in the background is stored at once", async () => {
  await open();
  await type("e4");
  const stored = await page.evaluate(() => {
    Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
    return JSON.parse(localStorage.getItem("tabiya.page.v1")).tree.nodes.length;
  });
  assert.equal(stored, 2);
});

test("checkmate by mouse ends the game", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.locator("#tab-play").click();
  await page.locator("#start").selectOption("here");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("a1", "a8");
  await expectText("#play-note", /White wins by checkmate/);
  await expectText("#status", /White wins by checkmate/);
  await expectText("#moves", /Ra8#.*1–0/s);
});

test("checkmate by keyboard ends the game", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.locator("#tab-play").click();
  await page.locator("#start").selectOption("here");
  await page.locator("#play-form button").press("Enter");
  await expectText("#play-note", /Your move/);
  await page.locator("#flip").focus();
  // Backwards, from the controls to the board.
  for (let presses = 0; presses < 8; presses++) {
    await page.keyboard.press("Shift+Tab");
    if (await page.evaluate(() => document.activeElement?.matches("#board > svg"))) break;
  }
  for (const key of ["ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]) await page.keyboard.press(key);
  await expectText("#announcer", /a1, white rook selected\. Moves to .*a8/);
  for (let presses = 0; presses < 7; presses++) await page.keyboard.press("ArrowUp");
  await expectText("#announcer", /a8, empty, possible move/);
  await page.keyboard.press("Enter");
  await expectText("#play-note", /White wins by checkmate/);
});

test("the game's buttons answer a screen reader and leave the focus on the board when they go", async () => {
  await open();
  const isFocused = (selector) => page.waitForFunction((text) => document.activeElement?.matches(text), selector);
  await page.locator("#play-form button").press("Enter");
  await isFocused("#board > svg");
  await expectText("#play-note", /Your move/);
  await page.locator("#hint").press("Enter");
  await expectText("#announcer", /Hint: /);
  await isFocused("#hint");
  await page.locator("#draw").press("Enter");
  await expectText("#announcer", /declines/);
  await click("e2");
  await click("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.locator("#takeback").press("Enter");
  await isFocused("#board > svg");
});

test("a reload keeps the game in progress", async () => {
  await open();
  await page.locator("#time").selectOption("3");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("d2", "d4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 3);
  await expectText("#play-note", /Your move/);
  await page.locator("#bottom .clock").waitFor();
  await drag("c2", "c4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
});

test("on a clock, a limited opponent takes a person's time, unless that is switched off", async () => {
  await open();
  assert.ok(await page.locator("#human-pace").isDisabled());
  await page.locator("#time").selectOption("6");
  assert.ok(await page.locator("#human-pace").isChecked());
  // The engine's answers, with a time that the test knows.
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const start = engine.start.bind(engine);
    globalThis.replies = [];
    globalThis.wait = 60_000;
    engine.start = (type, data, report) => {
      const running = start(type, data, report);
      const answer = running.then((best) => {
        globalThis.replies.push({ asked: data.human_pace, time: best.thinking_time });
        return { ...best, thinking_time: best.thinking_time && globalThis.wait };
      });
      return Object.assign(answer, { stop: running.stop });
    };
  });
  const count = () => page.evaluate(() => globalThis.tabiya.tree.nodes.length);
  const replied = (replies) => page.waitForFunction((expected) => globalThis.replies.length === expected, replies);
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  await replied(1);
  const [{ asked, time }] = await page.evaluate(() => globalThis.replies);
  assert.ok(asked && time > 0, `${time} ms`);
  await page.waitForTimeout(700);
  assert.equal(await count(), 2);
  await expectText("#play-note", /Tabiya is thinking/);
  // The analysis does not wait for the answer, and a move that is taken back is not answered.
  await page.locator("#tab-analyse").click();
  await expectText("#analyse-stats", /Depth \d+/);
  await page.locator("#tab-play").click();
  await page.locator("#takeback").click();
  await expectText("#play-note", /Your move/);
  await page.evaluate(() => { globalThis.wait = 1500; });
  await type("a3");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3);
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await page.locator("#human-pace").uncheck();
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await page.locator("#human-pace").isChecked(), false);
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.humanPace), false);
});

test("a Chess960 game starts and castles by king takes rook", async () => {
  await open();
  await page.locator("#start").selectOption("960");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await open({ hash: fenHash("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1") });
  await click("f1");
  await click("h1");
  await expectText("#moves", /O-O/);
});

test("the page survives a restart of the server", async () => {
  await open();
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tree.node.san === "e4");
  await stopServer();
  await expectText("#message", /Your game is kept/);
  await picture("lost");
  await restartServer();
  await page.locator("#message").waitFor({ state: "hidden" });
  await drag("e7", "e5");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tree.node.san === "e5");
  // The failed attempts to connect are errors of the console.
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("a game goes on after the browser was closed, and in one tab at a time", async () => {
  await openGame();
  await stored();
  // A new tab, as after a new start of the browser, has the game but not the session of the first.
  const first = page;
  await openTab();
  await expectText("#play-note", /in progress/);
  await page.locator("#continue").click();
  await expectText("#play-note", /Your move/);
  await drag("d2", "d3");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
  await waitForText(first, "#play-note", /in progress/);
  assert.equal(await first.evaluate(() => globalThis.tabiya.tree.nodes.length), 3);
});

test("a game that another tab goes on with cannot be taken back", async () => {
  await openGame();
  await page.locator("#draw").click();
  await expectText("#play-note", /declines/);
  await stored();
  const first = page;
  await openTab();
  await page.locator("#continue").click();
  await expectText("#play-note", /Your move/);
  await waitForText(first, "#play-note", /in progress/);
  assert.deepEqual(await Promise.all(["#continue", "#takeback"].map((button) => first.locator(button).isVisible())), [true, false]);
});

test("Tabiya agrees to a draw after a reload, too", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.evaluate(() => {
    globalThis.tabiya.engine.start = () => Object.assign(Promise.resolve({ kind: "best", uci: "e7e5", san: "e5", accepts_draw: true }), { stop: () => {} });
  });
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.reload();
  await expectText("#play-note", /Your move/);
  await page.locator("#draw").click();
  await expectText("#play-note", /Draw by agreement/);
});

test("Tabiya's consent to a draw ends with the next move", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.evaluate(() => {
    const replies = [Promise.resolve({ kind: "best", uci: "e7e5", san: "e5", accepts_draw: true }), new Promise(() => {})];
    globalThis.tabiya.engine.start = () => Object.assign(replies.shift(), { stop: () => {} });
  });
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await expectText("#play-note", /Your move/);
  await type("d4");
  await page.locator("#draw").click();
  await expectText("#play-note", /declines/);
});

test("a game that another tab has ended is not continued", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3 && globalThis.tabiya.tree.version === 2);
  await stored();
  const first = page;
  await openTab();
  await expectText("#play-note", /in progress/);
  first.once("dialog", (dialog) => dialog.accept());
  await first.locator("#resign").click();
  await waitForText(first, "#play-note", /You resigned/);
  await first.waitForFunction(() => globalThis.tabiya.tree.version === 3);
  await page.locator("#continue").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "0-1");
  await expectText("#play-note", /Choose/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.isActive), false);
});

test("a game ends where it was played, whatever was tried in the analysis", async () => {
  await openGame();
  await expectText("#play-note", /Your move/);
  await page.locator("#tab-analyse").click();
  await type("h4");
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await type("d4");
  await page.locator("#promote").click();
  await page.locator("#tab-play").click();
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  const moves = () => page.evaluate(() => globalThis.tabiya.tree.mainline.map((index) => globalThis.tabiya.tree.nodes[index].san));
  const played = await moves();
  assert.deepEqual([played.length, played[1]], [3, "e4"]);
  await expectText("#moves", /d4/);
  await expectText("#status", /Black has won/);
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "*");
  await expectText("#moves", /h4/);
});

test("a deletion of moves of a game in progress asks first, also if the game waits", async () => {
  await openGame();
  const deleteFirst = async (isAccepted) => {
    await page.locator("#tab-analyse").click();
    await page.evaluate(() => globalThis.tabiya.goTo(1));
    const question = new Promise((resolve) => {
      page.once("dialog", async (dialog) => {
        await (isAccepted ? dialog.accept() : dialog.dismiss());
        resolve(dialog.message());
      });
    });
    await page.locator("#delete").click();
    assert.match(await question, /deletes moves of the game in progress/);
    return page.evaluate(() => globalThis.tabiya.tree.mainline.length);
  };
  assert.equal(await deleteFirst(false), 3);
  await stored();
  await openTab();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.equal(await deleteFirst(false), 3);
  await page.locator("#tab-play").click();
  assert.equal(await page.locator("#continue").isVisible(), true);
  assert.equal(await deleteFirst(true), 1);
  await page.locator("#tab-play").click();
  assert.equal(await page.locator("#continue").isVisible(), false);
});

test("after a deletion of its moves an ended game cannot be taken back", async () => {
  await openGame();
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await expectText("#play-note", /You resigned/);
  await page.locator("#tab-analyse").click();
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await type("d4");
  await page.evaluate(() => globalThis.tabiya.goTo(globalThis.tabiya.tree.child(0, "e2e4")));
  await page.locator("#delete").click();
  await page.locator("#tab-play").click();
  assert.equal(await page.locator("#takeback").isVisible(), false);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.state.node), 0);
  await expectText("#moves", /d4/);
});

test("a refused page says why", async () => {
  await withServer(["--sessions", "1"], async () => {
    await open();
    const second = await context.newPage();
    await second.goto(server.address);
    await second.waitForFunction(() => /pages are open already/i.test(document.querySelector("#message")?.textContent));
    // It still does after the next attempt.
    await second.waitForTimeout(1500);
    assert.match(await second.textContent("#message"), /pages are open already/i);
  });
});

test("clocks stop for the engine without a connection", async () => {
  await open();
  await page.locator("#time").selectOption("1");
  await page.locator("#elo").fill("2850");
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  // Without the legal moves, which the server tells, the next move cannot be typed.
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3 && globalThis.tabiya.positionInfo);
  await stopServer();
  await expectText("#message", /Your game is kept/);
  await page.fill("#move-input", "d4");
  await page.press("#move-input", "Enter");
  const time = () => page.textContent("#top .clock");
  const before = await time();
  await page.waitForTimeout(1500);
  assert.equal(await time(), before);
  await restartServer();
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("the user's clock stands until the legal moves are known", async () => {
  await open();
  await page.locator("#time").selectOption("1");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await holdRequests("position", 2);
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  const time = () => page.evaluate(() => globalThis.tabiya.panel.state.clock.white);
  const before = await time();
  await page.waitForTimeout(500);
  assert.equal(await time(), before);
  await page.evaluate(() => globalThis.release());
  await page.waitForFunction((start) => globalThis.tabiya.panel.state.clock.white < start, before);
});

test("a new game without moves is left without a question, from any position", async () => {
  await open();
  let question = "";
  page.on("dialog", (dialog) => {
    question = dialog.message();
    dialog.accept();
  });
  const start = async (position) => {
    await unfold("play-setup");
    await page.locator("#start").selectOption(position);
    const { id } = await page.evaluate(() => globalThis.tabiya.panel.state);
    await page.locator("#play-form button").click();
    await page.waitForFunction((last) => globalThis.tabiya.panel.state.id !== last, id);
    await expectText("#play-note", /Your move/);
  };
  for (const position of ["960", "here", "standard"]) await start(position);
  assert.equal(question, "");
});

test("a typed move that waits for the engine is not made in the game when its tab is shown", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await page.locator("#tab-analyse").click();
  await holdRequests("position", 0);
  await page.evaluate(() => {
    globalThis.tabiya.tree.node.info = undefined;
    globalThis.tabiya.changed();
  });
  await page.fill("#move-input", "e4");
  await page.press("#move-input", "Enter");
  await page.locator("#tab-play").click();
  await page.evaluate(() => globalThis.release());
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  assert.equal(await page.inputValue("#move-input"), "e4");
  await type("d4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes[1].san), "d4");
});

test("play from here starts one game, and the next one starts from the initial position", async () => {
  await open({ hash: fenHash(MATE_IN_ONE) });
  await page.locator("#tab-setup").click();
  await page.locator("#setup-play").click();
  await expectText("#play-note", /Your move/);
  await drag("a1", "a8");
  await expectText("#play-note", /checkmate/);
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  assert.equal(await pieceAt("e2"), "P");
});

test("play from here leaves the form as it is if the game in progress is not left", async () => {
  await openGame();
  await page.locator("#tab-setup").click();
  await page.locator("#setup-play").waitFor();
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.locator("#setup-play").click();
  await page.waitForFunction(() => globalThis.tabiya.tab === "play");
  assert.equal(await page.inputValue("#start"), "standard");
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 3);
});

test("the promotion dialog closes with the game", async () => {
  await open({ hash: fenHash("8/P6k/8/8/8/8/8/K7 w - - 0 1") });
  await page.locator("#tab-setup").click();
  await page.locator("#setup-play").click();
  await expectText("#play-note", /Your move/);
  await click("a7");
  await click("a8");
  await page.locator(".promotion").waitFor();
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await page.locator(".promotion").waitFor({ state: "detached" });
});

test("a server that no longer answers is noticed, and the page connects again", async () => {
  await open();
  await page.evaluate(() => Object.assign(globalThis.tabiya.engine.heartbeat, { interval: 200, limit: 2000 }));
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  // Answers keep the connection.
  await page.waitForTimeout(3000);
  assert.equal(await page.locator("#message").isVisible(), false);
  server.child.kill("SIGSTOP");
  await expectText("#message", /Your game is kept/);
  await page.waitForTimeout(500);
  server.child.kill("SIGCONT");
  await page.locator("#message").waitFor({ state: "hidden" });
  await drag("e2", "e4");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo && globalThis.tabiya.tree.node.san === "e4");
  ignoreMessages(/WebSocket/);
});

test("a flag that falls against a player who cannot give mate is a draw", async () => {
  await open({ hash: fenHash("4k3/8/8/8/8/8/4q3/6NK b - - 0 1") });
  await page.locator("#tab-play").click();
  await page.locator("#start").selectOption("here");
  await page.locator("#color").selectOption("black");
  await page.locator("#time").selectOption("1");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  for (const move of ["e2e7", "e7e6"]) {
    await type(move);
    await expectText("#play-note", /Your move/);
  }
  await page.evaluate(() => { globalThis.tabiya.panel.state.clock.black = 50; });
  await expectText("#play-note", /black's time|Black's time/);
  await expectText("#play-note", /draw/);
});

test("a game's buttons are on the screen of a phone", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  for (const selector of ["#board > svg", "#play-note", "#takeback", "#resign", "#play-setup"]) assert.ok(await isInSight(selector), selector);
  // The form for the next game comes back after this one.
  assert.equal(await page.locator("#play-form").isVisible(), false);
});

test("a finished game says so when a piece is touched", async () => {
  await open({ hash: fenHash("R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1") });
  await page.waitForFunction(() => globalThis.tabiya.positionInfo?.outcome);
  await click("g8");
  await expectText("#status", /game is over: White wins by checkmate/);
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.locator("#resign").click();
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.accept());
  await page.locator("#resign").click();
  await click("e2");
  await expectText("#status", /game is over \(0–1\)/);
});

test("a game on the clock has its times in the PGN", async () => {
  await open();
  await page.locator("#time").selectOption("2");
  await page.locator("#human-pace").uncheck();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await type("e4");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 3);
  await page.evaluate(() => { globalThis.tabiya.panel.state.clock.white = 3_723_400; });
  await type("a3");
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 5);
  await page.evaluate(() => { globalThis.tabiya.panel.state.clock.white = 10; });
  await expectText("#play-note", /time is up/);
  const pgn = await savedPgn();
  for (const part of ['[TimeControl "180+2"]', '[Termination "time forfeit"]', "e4 { [%clk 0:03:00] }", "a3 { [%clk 1:02:0"]) assert.ok(pgn.includes(part), `${part}: ${pgn}`);
});

test("moves after the end of a finished game are another game", async () => {
  await open();
  await openPgn('[White "Ann"]\n[Termination "resignation"]\n\n1. e4 c5 2. d4 e6 0-1');
  await expectText("#moves", /e6/);
  await page.locator("#tab-analyse").click();
  await page.locator("#last").click();
  await expectText("#status", /Black has won/);
  await type("Qe2");
  await expectText("#status", /^3\. Qe2, Black to move$/);
  const pgn = () => page.evaluate(async () => (await globalThis.tabiya.engine.request("save", { game: globalThis.tabiya.tree })).pgn);
  assert.match(await pgn(), /White "Ann"[^]*e6 3\. Qe2 \*/);
  assert.doesNotMatch(await pgn(), /Termination/);
  assert.equal((await keptGames(2)).length, 2);
  await page.locator("#kept-list button", { hasText: "0–1" }).click();
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "0-1");
  await page.locator("#last").click();
  await expectText("#status", /Black has won/);
  assert.match(await pgn(), /2\. d4 e6 0-1/);
  // A line of the engine that begins with the last move of the game.
  await page.locator("#previous").click();
  await page.evaluate(() => globalThis.tabiya.playLine(["e7e6", "d1e2"], ["e6", "Qe2"]));
  assert.match(await pgn(), /2\. d4 e6 3\. Qe2 \*/);
  assert.equal((await keptGames(3)).filter((text) => text.includes("0–1")).length, 1);
});

test("a variation that becomes the main line of a finished game has no result", async () => {
  await open();
  await openPgn('[White "Ann"]\n\n1. e4 (1. d4 d5) 1... c5 (1... e5) 2. Nf3 (2. d4) 0-1');
  await expectText("#moves", /d5/);
  await page.locator("#tab-analyse").click();
  const pgn = () => page.evaluate(async () => (await globalThis.tabiya.engine.request("save", { game: globalThis.tabiya.tree })).pgn);
  await page.locator("#moves button", { hasText: /^d5$/ }).click();
  await page.locator("#promote").click();
  await expectText("#status", /^1\.\.\. d5, White to move$/);
  assert.match(await pgn(), /1\. d4 \(1\. e4 [^]*1\.\.\. d5 \*/);
  // The game that was played is another one, and a change of its moves before the end keeps its result.
  await keptGames(2);
  await page.locator("#kept-list button", { hasText: "0–1" }).click();
  await page.waitForFunction(() => globalThis.tabiya.tree.result === "0-1");
  assert.match(await pgn(), /1\. e4 \(1\. d4 d5\)[^]* 0-1/);
  await page.locator("#last").click();
  await expectText("#status", /Black has won/);
});

test("a premove is played when the opponent has moved, and an impossible one is not", async () => {
  await open();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  // Tabiya's moves are chosen here, and come late.
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const answers = [["e7e5", "e5"], ["d7d6", "d6"], ["b8c6", "Nc6"]];
    engine.start = () => {
      const promise = new Promise((resolve) => { globalThis.answer = () => resolve({ kind: "best", uci: answers[0][0], san: answers.shift()[1] }); });
      return Object.assign(promise, { stop: () => {} });
    };
  });
  const answer = () => page.evaluate(() => globalThis.answer());
  await type("e4");
  await expectText("#play-note", /thinking/);
  await drag("g1", "f3");
  await page.waitForFunction(() => document.querySelectorAll("#board .mark.premove").length === 2);
  await answer();
  await expectText("#moves", /e5.*Nf3/s);
  // Given up by a click elsewhere.
  await click("d2");
  await click("d4");
  await page.waitForFunction(() => document.querySelectorAll("#board .mark.premove").length === 2);
  await click("h5");
  assert.equal(await page.locator("#board .mark.premove").count(), 0);
  // By the keyboard, Escape and an empty square give it up. The cursor begins on e2.
  const board = page.locator("#board > svg");
  for (const keys of [["Escape"], ["ArrowUp", "Enter"]]) {
    await click("d2");
    await click("d4");
    await page.waitForFunction(() => document.querySelectorAll("#board .mark.premove").length === 2);
    for (const key of keys) await board.press(key);
    await expectText("#announcer", /^Premove given up$/);
    assert.equal(await page.locator("#board .mark.premove").count(), 0);
  }
  // A pawn cannot capture on an empty square.
  await click("h2");
  await click("g3");
  await answer();
  await expectText("#play-note", /Your move/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 5);
});
