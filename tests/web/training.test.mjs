// Tests of the training in Chromium: one's mistakes to the end, puzzles solved and failed, accessibility.
// README.md names the environment.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { DESKTOP, LANDSCAPE, PHONE, assertAccessible } from "./harness.mjs";
import { expectText, isInSight, open as openPage, page, picture, reviewGame } from "./session.mjs";

const FOOLS_MATE = '[White "Anna"]\n[Black "Bo"]\n\n1. f3 e5 2. g4 Qh4# 0-1';
const PUZZLES = fs.readFileSync(path.join(import.meta.dirname, "../../crates/web/puzzles/puzzles.txt"), "utf8").trim().split("\n").map((line) => line.split(";"));

/** Opens the page, which chooses the first of all suitable puzzles. */
const open = (options) => openPage({ prepare: () => { Math.random = () => 0; }, ...options });
const click = (id) => page.locator(`#${id}`).click();
const legalMoves = () => page.evaluate(() => globalThis.tabiya.panel.boardOverlay().legal ?? []);

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
