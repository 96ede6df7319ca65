// Tests of the training in Chromium: one's mistakes to the end, puzzles solved and failed, accessibility.
// README.md names the environment.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { DESKTOP, LANDSCAPE, PHONE, assertAccessible } from "./harness.mjs";
import { expectText, ignoreMessages, isInSight, open as openPage, page, picture, restartServer, reviewGame, stopServer } from "./session.mjs";

const FOOLS_MATE = '[White "Anna"]\n[Black "Bo"]\n\n1. f3 e5 2. g4 Qh4# 0-1';
const PUZZLES = fs.readFileSync(path.join(import.meta.dirname, "../../crates/web/puzzles/puzzles.txt"), "utf8").trim().split("\n").map((line) => line.split(";"));

/** Opens the page, which chooses the first of all suitable puzzles. */
const open = (options) => openPage({ prepare: () => { Math.random = () => 0; }, ...options });
const click = (id) => page.locator(`#${id}`).click();
const legalMoves = () => page.evaluate(() => globalThis.tabiya.panel.boardOverlay().legal ?? []);
const waitForLegalMoves = () => page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);

/** Begins the first puzzle of mate in 2, and returns the moves after the opponent's first one. */
async function openMateIn2() {
  await open();
  await click("tab-train");
  await page.selectOption("#train-theme", "mateIn2");
  await click("train-puzzle");
  await waitForLegalMoves();
  return PUZZLES.find(([, , rating, themes]) => rating >= 1000 && rating < 1300 && themes.split(" ").includes("mateIn2"))[1].split(" ").slice(1);
}

/** Begins the exercises of a reviewed game for a side. */
async function practise(side) {
  await reviewGame(FOOLS_MATE);
  await click("tab-train");
  await page.selectOption("#train-side", side);
  await click("train-game");
  await waitForLegalMoves();
}

/** Searches end with what `globalThis.endSearch` gets or, if they are stopped, with a score of little depth. `searches` counts them. */
const holdSearches = () => page.evaluate(() => {
  const { engine } = globalThis.tabiya;
  globalThis.searches = 0;
  engine.start = () => {
    globalThis.searches++;
    const search = new Promise((resolve) => { globalThis.endSearch = resolve; });
    return Object.assign(search, { stop: () => globalThis.endSearch({ kind: "best", uci: "a7a6", san: "a6", score: { cp: -900 } }) });
  };
});

/** Types a move when the exercise is open for one. */
async function answer(move) {
  await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
  await page.fill("#move-input", move);
  await page.press("#move-input", "Enter");
}

/** The moves of the game with a better one of a side, with that move. */
const mistakes = (side) => page.evaluate((wanted) => {
  const { tree } = globalThis.tabiya;
  return tree.mainline.slice(1).map((index) => tree.nodes[index]).filter(({ judgement, parent }) => judgement && tree.turn(parent) === wanted)
    .map(({ uci, best }) => ({ uci, better: tree.nodes[best].uci }));
}, side);

test("one's mistakes are practised to the end and come back after days", async () => {
  await open();
  await reviewGame(FOOLS_MATE);
  const expected = await mistakes("white");
  assert.ok(expected.some(({ uci }) => uci === "g2g4"));
  await click("learn");
  await expectText("#train-note", /^You played /);
  // The user's arrows belong to the game.
  const box = await page.locator("#board > svg").boundingBox();
  await page.mouse.move(box.x + 20, box.y + 20);
  await page.mouse.down({ button: "right" });
  await page.mouse.move(box.x + 20, box.y + box.height / 2);
  await page.mouse.up({ button: "right" });
  assert.ok(await page.evaluate(() => globalThis.tabiya.tree.nodes.every(({ commands }) => commands.length === 0)));
  for (const { uci, better } of expected) {
    await expectText("#train-note", /^You played .*Find something better\.$/);
    // The moves of the reviewed game, with the better ones, would give the answer away.
    assert.equal(await page.locator("#notation").isVisible(), false);
    await answer(uci);
    await expectText("#train-note", /is what you played/);
    await click("train-hint");
    await expectText("#train-note", new RegExp(`piece on ${better.slice(0, 2)}`));
    await answer(better);
    await expectText("#train-note", /: right\..* It comes back tomorrow\.$/);
    await picture("training");
    await assertAccessible(page);
    await click("train-next");
  }
  await expectText("#train-message", /All exercises are done/);
  // Nothing of it is in the game.
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.mainline.length), 5);
  await page.reload();
  await expectText("#train-due-text", new RegExp(`^${expected.length} kept, 0 due`));
  assert.equal(await page.locator("#train-due").isDisabled(), true);
  // Two days later.
  await page.clock.install({ time: Date.now() + 2 * 86_400_000 });
  await page.reload();
  await expectText("#train-due", new RegExp(`^Repeat ${expected.length}$`));
});

test("the solution of a mistake is named once", async () => {
  await open();
  await reviewGame(FOOLS_MATE);
  await click("learn");
  await expectText("#train-note", /^You played 1\. f3/);
  await click("train-solve");
  await expectText("#train-note", /^1\. f3: .* was best\. It comes back tomorrow\.$/);
});

test("a puzzle begins with the board in sight, on a phone, too", async () => {
  for (const viewport of [PHONE, LANDSCAPE]) {
    await open({ viewport });
    await click("tab-train");
    await page.locator("#train-puzzle").scrollIntoViewIfNeeded();
    await click("train-puzzle");
    await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
    for (const selector of ["#board > svg", "#train-note", "#train-hint"]) assert.ok(await isInSight(selector), selector);
    await page.locator("#train-stop").click();
    await page.evaluate(() => { document.querySelector("#side").scrollTop = 1000; globalThis.scrollTo(0, 1000); });
    // Another activity begins at its top.
    await click("tab-play");
    for (const selector of ["#board > svg", "#play-setup > summary"]) assert.ok(await isInSight(selector), selector);
  }
});

test("a mistake of the opponent is to be punished, and another good move is right, too", async () => {
  await open();
  await reviewGame(FOOLS_MATE);
  await click("tab-train");
  await page.selectOption("#train-side", "black");
  await click("train-game");
  // The board is Black's.
  await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().isFlipped);
  const waitForExercise = () => expectText("#train-note", /^(You|White) played /);
  await waitForExercise();
  while (!(await page.locator("#train-note").textContent()).includes("g4")) {
    await click("train-solve");
    await click("train-next");
    await waitForExercise();
  }
  await answer("a7a6");
  await expectText("#train-note", /a6 is not the move/);
  await answer("d8h4");
  await expectText("#train-note", /^Qh4#: that is it\. .*It comes back tomorrow\.$/);
});

test("the end of a search for an exercise that has been left changes nothing", async () => {
  await open();
  await reviewGame(FOOLS_MATE);
  await click("tab-train");
  await page.selectOption("#train-side", "black");
  for (const button of ["train-hint", "train-solve"]) {
    await click("train-game");
    await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
    await page.evaluate(() => {
      const { engine } = globalThis.tabiya;
      const { start } = engine;
      engine.start = (...message) => {
        engine.start = start;
        const search = engine.start(...message);
        return Object.assign(new Promise((resolve) => { globalThis.release = () => resolve(search); }), { stop: () => search.stop() });
      };
    });
    await click(button);
    await click("train-stop");
    await click("train-puzzle");
    await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
    const note = await page.textContent("#train-note");
    await page.evaluate(() => globalThis.release());
    await page.waitForTimeout(1000);
    assert.equal(await page.textContent("#train-note"), note);
    assert.equal(await page.locator("#message").isVisible(), false);
    assert.ok((await legalMoves()).length > 0);
    assert.equal(await page.locator("#board .mark").count(), 0);
    await click("train-stop");
  }
});

test("a judgement whose search is interrupted is none", async () => {
  await open();
  await practise("white");
  const [{ uci, better }] = await mistakes("white");
  const note = await page.textContent("#train-note");
  const { uci: other } = (await legalMoves()).find((move) => ![uci, better].includes(move.uci));
  // By another activity, while the search runs.
  await holdSearches();
  await answer(other);
  await page.waitForFunction(() => globalThis.searches === 1);
  await click("tab-explain");
  await click("tab-train");
  await waitForLegalMoves();
  assert.equal(await page.textContent("#train-note"), note);
  // By another search.
  await answer(other);
  await page.waitForFunction(() => globalThis.searches === 2);
  await page.evaluate(() => globalThis.endSearch({ kind: "best", uci: null, san: null, score: null }));
  await waitForLegalMoves();
  assert.equal(await page.textContent("#train-note"), note);
  // Before the search begins: it would take the engine from the analysis.
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const { request } = engine;
    const isReleased = new Promise((resolve) => { globalThis.release = resolve; });
    engine.request = (...message) => {
      engine.request = request;
      return isReleased.then(() => request.apply(engine, message));
    };
  });
  await answer(other);
  await expectText("#train-note", /^Looking at /);
  await click("tab-explain");
  await page.evaluate(() => globalThis.release());
  await page.waitForFunction((text) => document.querySelector("#train-note").textContent === text, note);
  assert.equal(await page.evaluate(() => globalThis.searches), 2);
  // Nothing of it counts.
  await click("tab-train");
  await answer(better);
  await expectText("#train-note", /: right\./);
});

test("after a loss of the connection in a puzzle, it is still the solver's turn", async () => {
  const [first] = await openMateIn2();
  for (const makeMove of [() => answer(first), () => click("train-solve")]) {
    await stopServer();
    await expectText("#message", /Your game is kept/);
    await makeMove();
    await page.waitForFunction(() => document.querySelector("#move-input").value === "");
    await restartServer();
    await page.waitForFunction(() => globalThis.tabiya.engine.isOpen);
    await waitForLegalMoves();
    assert.ok((await legalMoves()).some(({ uci }) => uci === first));
    assert.equal(await page.locator("#board .last").count(), 2);
  }
  await click("train-solve");
  await expectText("#train-note", /^The answer is /);
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("while a hint is looked for, there is no second one, and the board takes no move", async () => {
  await open();
  await practise("black");
  await holdSearches();
  await page.evaluate(() => {
    const hint = document.querySelector("#train-hint");
    hint.focus();
    hint.click();
    hint.click();
    return new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
  });
  assert.equal(await page.evaluate(() => globalThis.searches), 1);
  assert.ok(await page.locator("#train-hint").isDisabled() && await page.locator("#train-solve").isDisabled());
  assert.deepEqual(await legalMoves(), []);
  assert.equal(await page.locator("#board > svg.active").count(), 0);
  // The keyboard can go on from the button.
  assert.equal(await page.evaluate(() => document.activeElement.id), "train-hint");
});

test("Next that is clicked twice skips no exercise", async () => {
  await open();
  await practise("white");
  const [, { uci }] = await mistakes("white");
  await click("train-solve");
  await page.locator("#train-next").waitFor();
  await page.evaluate(() => {
    const next = document.querySelector("#train-next");
    next.click();
    next.click();
  });
  await answer(uci);
  await expectText("#train-note", /is what you played/);
});

test("an exercise comes back on the next day of the calendar, on an open page, too", async () => {
  await open();
  await page.clock.install({ time: new Date(2030, 0, 15, 22) });
  await practise("white");
  await click("train-solve");
  await expectText("#train-note", /It comes back tomorrow\.$/);
  await click("train-stop");
  await expectText("#train-due-text", /, 1 due/);
  const look = async (...time) => {
    await page.clock.setSystemTime(new Date(...time));
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  };
  await look(2030, 0, 15, 23, 59);
  await expectText("#train-due-text", /, 1 due/);
  await look(2030, 0, 16);
  await expectText("#train-due-text", /, 2 due/);
});

test("puzzles are solved and failed", async () => {
  await open();
  await click("tab-train");
  await page.selectOption("#train-theme", "mateIn2");
  await page.selectOption("#train-level", "1");
  const suitable = PUZZLES.filter(([, , rating, themes]) => rating >= 1000 && rating < 1300 && themes.split(" ").includes("mateIn2"));
  await click("train-puzzle");
  const [, , first, , last] = ["", "", ...suitable[0][1].split(" ").slice(1)];
  await answer(first);
  await answer(last);
  await expectText("#train-note", /: right\.$/);
  await click("train-next");
  // The solved one does not come again at once.
  const [, expected] = suitable[1][1].split(" ");
  await page.waitForFunction((move) => globalThis.tabiya.panel.boardOverlay().legal?.some(({ uci }) => uci === move), expected);
  const wrong = (await legalMoves()).find(({ uci, san }) => uci !== expected && !san.endsWith("#"));
  await answer(wrong.uci);
  await expectText("#train-note", /is not the move\. Try again/);
  await click("train-solve");
  await expectText("#train-note", /^The answer is .*#\. It comes back tomorrow\.$/);
  await click("train-stop");
  await expectText("#train-due-text", /^1 kept, 0 due/);
});

test("a hint is about one move of a puzzle", async () => {
  await open();
  await click("tab-train");
  await page.selectOption("#train-theme", "mateIn2");
  const [, moves] = PUZZLES.find(([, , rating, themes]) => rating >= 1000 && rating < 1300 && themes.split(" ").includes("mateIn2"));
  const [, first, reply] = moves.split(" ");
  await click("train-puzzle");
  await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
  await click("train-hint");
  await expectText("#train-note", new RegExp(`piece on ${first.slice(0, 2)}`));
  assert.equal(await page.locator("#board .mark").count(), 1);
  await answer(first);
  await page.waitForFunction((squares) => {
    const { last, legal } = globalThis.tabiya.panel.boardOverlay();
    return legal?.length > 0 && last.includes((8 - Number(squares[3])) * 8 + squares.charCodeAt(2) - 97);
  }, reply);
  assert.equal(await page.locator("#board .mark").count(), 0);
});

test("a typed move that comes too early or too late is refused with the reason", async () => {
  await open();
  await click("tab-train");
  await page.selectOption("#train-theme", "mateIn2");
  const [, moves] = PUZZLES.find(([, , rating, themes]) => rating >= 1000 && rating < 1300 && themes.split(" ").includes("mateIn2"));
  const [, first, , last] = moves.split(" ");
  const isRefused = () => page.evaluate(() => document.querySelector("#move-input").ariaInvalid === "true");
  await click("train-puzzle");
  await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
  assert.equal(await page.locator("#status").isVisible(), false);
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const { request } = engine;
    const isReleased = new Promise((resolve) => { globalThis.release = resolve; });
    engine.request = async (...message) => {
      await isReleased;
      return request.apply(engine, message);
    };
  });
  await answer(first);
  await page.fill("#move-input", last);
  await page.press("#move-input", "Enter");
  await expectText("#status", /^Wait for the reply\.$/);
  assert.ok(await page.locator("#status").isVisible() && await isRefused());
  await page.evaluate(() => globalThis.release());
  await answer(last);
  await expectText("#train-note", /: right\.$/);
  assert.equal(await page.textContent("#status"), "");
  assert.equal(await isRefused(), false);
  await page.fill("#move-input", last);
  await page.press("#move-input", "Enter");
  await expectText("#status", /exercise is done/);
  // The text about the exercise is not left beside the game.
  await click("train-stop");
  await expectText("#status", /^White to move$/);
  assert.equal(await isRefused(), false);
});

test("the training is accessible, light and dark, on a desktop and on a phone, also on its side", async () => {
  for (const viewport of [DESKTOP, PHONE, LANDSCAPE]) {
    for (const colorScheme of ["light", "dark"]) {
      await open({ viewport, colorScheme });
      await click("tab-train");
      await assertAccessible(page);
      await picture(`train-${viewport.width}-${colorScheme}`);
      await click("train-puzzle");
      await page.waitForFunction(() => globalThis.tabiya.panel.boardOverlay().legal?.length > 0);
      await assertAccessible(page);
      await picture(`puzzle-${viewport.width}-${colorScheme}`);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${width} pixels wide`);
    }
  }
});
