// Tests of the page in German in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import path from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { DESKTOP, LANDSCAPE, PHONE, assertAccessible } from "./harness.mjs";
import { expectText, isInSight, open, page, picture, reviewGame } from "./session.mjs";

const TABS = ["play", "analyse", "review", "train", "explain", "setup", "games"];
const SMALL_PHONE = { width: 360, height: 740 };
const GAME = '[White "Anna"]\n[Black "Bo"]\n\n1. f3 e5 2. g4 Qh4# 0-1';

/** English texts that are others in German. */
let english;

/** The texts of a catalogue by name. */
function textsOf(part, name = "") {
  return part !== null && typeof part === "object" ? Object.entries(part).flatMap(([key, value]) => textsOf(value, `${name}.${key}`)) : typeof part === "string" ? [[name, part]] : [];
}

before(async () => {
  const load = (name) => import(pathToFileURL(path.join(import.meta.dirname, "../../crates/web/page", name)).href);
  const [{ EN }, { DE }] = await Promise.all([load("texts-en.js"), load("texts-de.js")]);
  const german = new Map(textsOf(DE));
  // Words that both languages have.
  const own = new Set(german.values());
  english = textsOf(EN).filter(([name, text]) => german.get(name) !== text && !own.has(text)).map(([, text]) => text);
});

const click = (id) => page.locator(`#${id}`).click();

/** Fails if a text or a label of the document, also a hidden one, is in English. */
async function assertGerman(where) {
  const shown = await page.evaluate(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (!node.parentElement.closest("noscript, script, option[lang]")) found.push(node.data.trim());
    for (const one of document.querySelectorAll("*")) for (const name of ["aria-label", "title", "placeholder", "aria-valuetext"]) found.push(one.getAttribute(name)?.trim());
    return found.filter(Boolean);
  });
  assert.ok(shown.length > 150);
  assert.deepEqual(shown.filter((text) => english.includes(text)), [], where);
}

test("the whole page is in German for a German browser, and has room on a phone", async () => {
  for (const viewport of [SMALL_PHONE, DESKTOP]) {
    await open({ viewport, locale: "de-AT" });
    assert.equal(await page.evaluate(() => document.documentElement.lang), "de");
    await reviewGame(GAME);
    await expectText("#review-move", /Fehler anzusehen|kein Fehler|grober Fehler/);
    for (const tab of TABS) {
      await click(`tab-${tab}`);
      if (tab === "analyse") await page.locator("#line-list .value").first().waitFor({ state: "attached" });
      if (tab === "explain") await expectText("#verdict", /ohne Suche/);
      await assertGerman(tab);
      if (viewport === DESKTOP) await assertAccessible(page);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= viewport.width, `${tab}: ${width} pixels wide`);
      await picture(`german-${tab}-${viewport.width}`);
    }
    const tabs = await page.locator("#tabs").evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.ok(tabs[0] <= tabs[1], `the tabs are ${tabs[0]} pixels wide, with room for ${tabs[1]}`);
  }
});

test("no name is cut off in German, on a phone and on its side", async () => {
  for (const viewport of [PHONE, LANDSCAPE, DESKTOP]) {
    await open({ viewport, locale: "de-DE" });
    const tabs = await page.locator("#tabs").evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth]);
    assert.ok(tabs[0] <= tabs[1], `the tabs are ${tabs[0]} pixels wide, with room for ${tabs[1]}`);
    const cut = await page.locator("#play-form select").evaluateAll((selects) => selects.filter((select) => {
      const whole = select.cloneNode(true);
      Object.assign(whole.style, { width: "auto", position: "absolute" });
      select.after(whole);
      const width = whole.offsetWidth;
      whole.remove();
      return width > select.offsetWidth;
    }).map(({ id }) => id));
    assert.deepEqual(cut, [], `${viewport.width} pixels`);
    if (viewport === PHONE) for (const selector of ["#elo", "#color", "#time", "#play-form .primary"]) assert.ok(await isInSight(selector), selector);
  }
});

test("the reasons of a review are in German: in the panel, among the moves and in the training", async () => {
  await open({ locale: "de-DE" });
  await reviewGame(GAME);
  await click("next-mistake");
  while (await page.evaluate(() => globalThis.tabiya.tree.node.san !== "g4")) await click("next-mistake");
  const reason = /Erlaubt das Matt durch Dh4#\. Am besten war /;
  await expectText("#review-move", reason);
  await expectText("#moves", new RegExp(`Grober Fehler\\. ${reason.source}`));
  await click("learn");
  await expectText("#train-note", /^Du hast /);
  while (await page.evaluate(() => !/ g4/.test(document.querySelector("#train-note").textContent))) {
    await click("train-solve");
    await click("train-next");
    await expectText("#train-note", /^Du hast /);
  }
  await click("train-solve");
  await expectText("#train-note", reason);
  assert.doesNotMatch(await page.locator("body").innerText(), /was best|Allows|which/);
});

test("a game in German names its end, and refuses illegal moves with the reason", async () => {
  await open({ locale: "de-DE" });
  await click("tab-analyse");
  const type = async (move) => {
    await page.fill("#move-input", move);
    await page.press("#move-input", "Enter");
  };
  // The letters are German, and those of PGN are understood, too.
  await type("Sd4");
  await expectText("#status", /^Kein weißer Springer kann nach d4 ziehen\.$/);
  await type("Nd4");
  await expectText("#status", /^Kein weißer Springer kann nach d4 ziehen\.$/);
  await type("Bc4");
  await expectText("#status", /^Eine andere Figur steht dem Läufer auf dem Weg nach c4 im Weg\.$/);
  for (const [ply, move] of ["f3", "e5", "g4", "dh4"].entries()) {
    await type(move);
    await page.waitForFunction((wanted) => globalThis.tabiya.tree.node.ply === wanted && globalThis.tabiya.positionInfo, ply + 1);
  }
  await expectText("#status", /^2\.\.\. Dh4#, Schwarz gewinnt durch Schachmatt$/);
  await expectText("#moves", /f3e5.*g4Dh4#/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.node.san), "Qh4#");
  assert.equal(await page.getAttribute("#board > svg", "aria-label"), "Brett, Weiß am Zug");
  // Pasted moves may have them, too.
  for (const [text, moves] of [["1. Sf3 Sf6 {Sc6} 2. g3", "g1f3 g8f6 g2g3"], ["e4 e5 Lc4", "e2e4 e7e5 f1c4"]]) {
    await page.evaluate((pasted) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", pasted);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, text);
    await page.waitForFunction((wanted) => globalThis.tabiya.tree.mainline.slice(1).map((index) => globalThis.tabiya.tree.nodes[index].uci).join(" ") === wanted, moves);
  }
});

test("the end of a game is in the language of the page after a change of it", async () => {
  await open();
  await click("play-form button");
  await expectText("#play-note", /Your move/);
  page.once("dialog", (dialog) => dialog.accept());
  await click("resign");
  await expectText("#play-note", /You resigned/);
  await click("settings-open");
  await page.selectOption("#language", "de");
  await page.waitForFunction(() => document.documentElement.lang === "de" && globalThis.tabiya?.positionInfo);
  await expectText("#play-note", /^Die Partie ist zu Ende \(.*0.*\)/);
});

test("the language can be chosen, and is kept", async () => {
  await open({ viewport: PHONE });
  assert.equal(await page.locator("#tab-games").textContent(), "My games");
  await click("settings-open");
  await page.selectOption("#language", "de");
  await page.waitForFunction(() => document.documentElement.lang === "de" && globalThis.tabiya?.positionInfo);
  await page.reload();
  await expectText("#tab-games", /^Partien$/);
  await click("settings-open");
  assert.equal(await page.locator("#language").inputValue(), "de");
  await page.selectOption("#language", "");
  await expectText("#tab-games", /^My games$/);
});
