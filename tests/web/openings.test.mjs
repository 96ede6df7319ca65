// Tests of the opening panel in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, PHONE, assertAccessible } from "./harness.mjs";
import { databaseHas, expectText, ignoreMessages, open, page, picture, restartServer, stopServer } from "./session.mjs";

const GAMES = ["1. e4 c5 2. Nf3 1-0", "1. e4 c5 2. Nc3 0-1", "1. e4 e5 1/2-1/2", "1. a3 h5 *"].map((moves) => `[White "Anna"]\n[Result "${moves.split(" ").at(-1)}"]\n\n${moves}`).join("\n\n");

const SMALL_PHONE = { width: 360, height: 740 };

async function openPgn(pgn, plies) {
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill(pgn);
  await page.locator("#pgn-open").click();
  await page.waitForFunction((length) => globalThis.tabiya.tree.mainline.length === length, plies + 1);
}

/** Waits for a row of the panel, as text. */
const waitForRow = (pattern) => page.waitForFunction((source) => [...document.querySelectorAll("#opening-moves tbody tr")]
  .some((row) => new RegExp(source).test([...row.children].map((cell) => cell.textContent).join("|"))), pattern.source);

test("the panel has the moves of people and of one's own games, beside the engine's lines", async () => {
  await open();
  await openPgn(GAMES, 3);
  await page.locator("#tab-analyse").click();
  await waitForRow(/^e4.*\|\d+ %\d+ – \d+ – \d+\|3\|1 – 1 – 1$/);
  await waitForRow(/^d4.*\|\d+ %\d+ – \d+ – \d+\|–\|–$/);
  await waitForRow(/^a3.*\|1\|0 – 0 – 0$/);
  await page.locator("#line-list .value").first().waitFor();
  await picture("openings");
  await page.locator("#opening-moves .move", { hasText: /^e4$/ }).click();
  await waitForRow(/^c5Sicilian Defense\|\d+ %\d+ – \d+ – \d+\|2\|1 – 0 – 1$/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.node.san), "e4");
  // A deleted game does not count.
  await page.locator("#tab-games").click();
  await page.locator("#kept-list button").first().waitFor();
  await page.locator("#kept-delete").click();
  await page.waitForFunction(() => document.querySelectorAll("#kept-list button").length === 3);
  await page.locator("#tab-analyse").click();
  await waitForRow(/^c5Sicilian Defense\|\d+ %\d+ – \d+ – \d+\|1\|/);
  // The fold closes.
  await page.locator("#openings summary").click();
  assert.equal(await page.locator("#opening-moves").isVisible(), false);
});

test("the keyboard's focus stays in the panel", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await waitForRow(/^d4/);
  await page.locator("#opening-moves .move", { hasText: /^d4$/ }).press("Enter");
  await waitForRow(/^Nf6/);
  assert.equal(await page.evaluate(() => document.activeElement.matches("#opening-moves .move")), true);
});

test("a move of the table is made in its own position only", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await waitForRow(/^e4/);
  // The second click comes before the moves of the next position.
  await page.locator("#opening-moves .move", { hasText: /^e4$/ }).evaluate((button) => {
    button.click();
    button.click();
  });
  await waitForRow(/^c5/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
  // Without a connection, the table of another position is hidden.
  await stopServer();
  await expectText("#message", /Your game is kept/);
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  assert.equal(await page.locator("#opening-moves").isVisible(), false);
  await page.evaluate(() => document.querySelector("#opening-moves .move").click());
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
  await restartServer();
  await waitForRow(/^d4/);
  assert.ok(await page.locator("#opening-moves").isVisible());
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("one's own games are counted to the end after a loss of the connection", async () => {
  await open();
  await openPgn(GAMES, 3);
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const { request } = engine;
    const isReleased = new Promise((resolve) => { globalThis.release = resolve; });
    engine.request = async (type, data) => {
      if (type === "opening_lines") {
        engine.request = request;
        globalThis.isAsked = true;
        await isReleased;
      }
      return request.call(engine, type, data);
    };
  });
  await page.locator("#tab-analyse").click();
  await page.waitForFunction(() => globalThis.isAsked);
  await waitForRow(/^e4/);
  await stopServer();
  await expectText("#message", /Your game is kept/);
  await page.evaluate(() => globalThis.release());
  await restartServer();
  await waitForRow(/^e4.*\|3\|1 – 1 – 1$/);
  // Another error does not come again and again.
  await page.evaluate(() => {
    const { engine } = globalThis.tabiya;
    const { request } = engine;
    globalThis.errors = 0;
    engine.request = async (type, data) => {
      if (type !== "opening_lines") return request.call(engine, type, data);
      globalThis.errors++;
      throw new Error("unreadable");
    };
  });
  await page.evaluate((game) => globalThis.tabiya.keepAll([game]), { players: ["Berta", "Bo"], event: "", date: "", result: "*", plies: 1, pgn: '[White "Berta"]\n\n1. d4 *' });
  for (const tab of ["play", "analyse"]) await page.locator(`#tab-${tab}`).click();
  await expectText("#message", /unreadable/);
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await page.evaluate(() => globalThis.tabiya.engine.request("ping"));
  await waitForRow(/^e4.*\|3\|1 – 1 – 1$/);
  assert.equal(await page.evaluate(() => globalThis.errors), 1);
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("people's results have a bar, numbers and a label, in English and German", async () => {
  const labels = {
    "en-GB": /^(\d+) games: White wins (\d+) %, draws (\d+) %, Black wins (\d+) %; White scores \d+ %$/,
    "de-AT": /^(\d+) Partien: Weiß gewinnt (\d+) %, remis (\d+) %, Schwarz gewinnt (\d+) %; Weiß erzielt \d+ %$/,
  };
  for (const [locale, pattern] of Object.entries(labels)) {
    await open({ viewport: SMALL_PHONE, locale });
    await page.locator("#tab-analyse").click();
    await page.locator("#openings summary").click();
    await waitForRow(/^e4/);
    const results = page.locator("#opening-moves tr", { hasText: /^e4/ }).getByRole("img", { name: pattern });
    await results.waitFor();
    const [games, ...percentages] = pattern.exec(await results.getAttribute("aria-label")).slice(1).map(Number);
    const counts = (await results.textContent()).split(" – ").map(Number);
    assert.equal(counts.reduce((sum, count) => sum + count), games);
    assert.deepEqual(counts.map((count) => Math.round((count * 100) / games)), percentages);
    const widths = await results.locator(".bar > span").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().width));
    const width = widths.reduce((sum, part) => sum + part);
    widths.forEach((part, index) => assert.ok(Math.abs(part / width - counts[index] / games) < 0.02, `${part} of ${width} pixels`));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), SMALL_PHONE.width);
    // The last column is not cut off.
    const right = await page.locator("#opening-moves").evaluate((table) => table.getBoundingClientRect().right);
    assert.ok(right <= SMALL_PHONE.width, `the table ends at ${right} pixels`);
    await picture(`openings-${SMALL_PHONE.width}-${locale}`);
  }
});

const RUY_LOPEZ = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8";

test("10,000 games are counted in a few requests, the latest first, while the page stays usable", async (t) => {
  await open();
  const games = Array.from({ length: 10_000 }, (_, index) => (
    { players: [`Player ${index}`, "Black"], event: "", date: "2020.01.01", result: "1-0", plies: 24, pgn: `[White "Player ${index}"]\n[Result "1-0"]\n\n${RUY_LOPEZ} 1-0` }));
  const kept = await page.evaluate((all) => globalThis.tabiya.keepAll(all), games);
  assert.equal(new Set(kept).size, 10_000);
  /** In the page: shows the panel and waits for all games. */
  const count = () => new Promise((resolve) => {
    const { engine } = globalThis.tabiya;
    const [table, note] = [document.querySelector("#opening-moves tbody"), document.querySelector("#opening-note")];
    const request = engine.request.bind(engine);
    const [started, requests, notes] = [performance.now(), [], []];
    engine.request = (type, data) => {
      requests.push(type);
      return request(type, data);
    };
    const seen = { buttons: new Set() };
    const look = () => {
      if (!table.rows.length) return;
      notes.push(note.textContent);
      seen.moves ??= performance.now() - started;
      seen.buttons.add(table.querySelector("button"));
      if (!note.textContent.startsWith("10,000")) return;
      observer.disconnect();
      resolve({ moves: seen.moves, all: performance.now() - started, requests, notes, buttons: seen.buttons.size });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.querySelector("#openings"), { childList: true, subtree: true, characterData: true });
    document.querySelector("#tab-analyse").click();
  });
  const first = await page.evaluate(count);
  t.diagnostic(`${Math.round(first.moves)} ms until the moves are shown, ${Math.round(first.all)} ms until all games are counted`);
  // People's moves do not wait for the games, and the counts grow in the rows that are there.
  assert.doesNotMatch(first.notes[0], /^10,000/);
  assert.equal(first.buttons, 1);
  const batches = first.requests.filter((type) => type === "opening_lines").length;
  assert.ok(batches > 0 && batches <= 50, `${batches} requests`);
  assert.equal(first.requests.filter((type) => type === "game").length, 0);
  await waitForRow(/^e4.*\|10,000\|10000 – 0 – 0$/);
  // After a reload, the lines are in the storage.
  await databaseHas("tabiya.openings", "lines", 10_000);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  await page.locator("#tab-play").click();
  const again = await page.evaluate(count);
  t.diagnostic(`${Math.round(again.all)} ms after a reload`);
  assert.equal(again.requests.filter((type) => type === "opening_lines").length, 0);
});

test("a review names the move that left the book", async () => {
  await open();
  await openPgn("1. e4 e5 2. Nf3 h5 3. Nxe5 *", 5);
  assert.equal(await page.locator("#book-exit").isVisible(), false);
  await page.selectOption("#review-nodes", "20000");
  await page.locator("#review-start").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.review);
  await page.waitForFunction(() => /^Out of book: 2\.\.\. h5 People play Nc6, /.test(document.querySelector("#book-exit").textContent));
  await page.locator("#book-exit .move").press("Enter");
  await page.waitForFunction(() => globalThis.tabiya.tree.node.san === "h5");
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => document.activeElement.matches("#book-exit .move")), true);
  // The line about another game is hidden while there is no connection, and its button leads nowhere.
  await stopServer();
  await expectText("#message", /Your game is kept/);
  await page.evaluate(() => {
    const app = globalThis.tabiya;
    app.setTree(new app.tree.constructor());
    document.querySelector("#book-exit .move").click();
  });
  assert.equal(await page.locator("#book-exit").isVisible(), false);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current), 0);
  await restartServer();
  await page.waitForFunction(() => globalThis.tabiya.engine.isOpen);
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("the opening panel is accessible, light and dark, on a desktop and on a phone", async () => {
  for (const viewport of [DESKTOP, PHONE]) {
    for (const colorScheme of ["light", "dark"]) {
      await open({ viewport, colorScheme });
      await page.locator("#tab-analyse").click();
      if (viewport === PHONE) await page.locator("#openings summary").click();
      await waitForRow(/^e4/);
      await assertAccessible(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${width} pixels wide`);
      await picture(`openings-${viewport.width}-${colorScheme}`);
    }
  }
});
