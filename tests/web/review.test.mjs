// Tests of reviews, PGN, comments and variations, in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { LANDSCAPE, PHONE, assertAccessible } from "./harness.mjs";
import { MATE_IN_ONE, click, context, expectText, isInSight, open, openPgn, page, picture, savedPgn, type, unfold } from "./session.mjs";

const LAPTOP = { width: 1366, height: 650 };

test("comments, glyphs and variations are kept in the PGN", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await type("e4");
  await type("e5");
  await page.locator("#previous").click();
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await type("c5");
  await page.locator("#glyphs button", { hasText: /^!$/ }).click();
  await page.locator("#comment").fill("The <b>Sicilian</b>");
  await page.locator("#comment").blur();
  await expectText("#moves", /1\.\.\. c5! The <b>Sicilian<\/b>/);
  assert.equal(await page.locator("#moves b").count(), 0);
  await page.locator("#promote").click();
  await page.locator("#tab-review").click();
  const [file] = await Promise.all([page.waitForEvent("download"), page.locator("#save-pgn").click()]);
  const pgn = fs.readFileSync(await file.path(), "utf8");
  assert.match(pgn, /1\. e4 c5 \$1 \{ The <b>Sicilian<\/b> \} \(1\.\.\. e5\)/);
});

test("a typed comment stays with its move when another is shown, the page is left or the list is clicked", async () => {
  // The field and the board are on the screen together.
  await open({ viewport: { width: 1280, height: 1700 } });
  await openPgn("1. e4 {King pawn} e5 {Open game} 2. Nf3 *");
  await expectText("#moves", /Open game/);
  await page.locator("#tab-analyse").click();
  const goTo = (index) => page.evaluate((at) => globalThis.tabiya.goTo(at), index);
  const append = async (text) => {
    await page.locator("#comment").press("End");
    await page.keyboard.type(text);
  };
  const comments = () => page.evaluate(() => globalThis.tabiya.tree.nodes.map((node) => node.comments.join()));
  await goTo(1);
  await append(" first");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await click("e7");
  await click("e5");
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 2);
  assert.deepEqual(await comments(), ["", "King pawn first", "Open game", ""]);
  assert.equal(await page.inputValue("#comment"), "Open game");
  await append(" second");
  await page.locator("#moves button", { hasText: "e4" }).click();
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current), 1);
  await append(" third");
  await page.reload();
  await expectText("#moves", /King pawn first third.*Open game second/s);
});

test("a game whose writing the end of the page may stop is written again after a reload", async () => {
  await open();
  await type("e4");
  await page.locator("#tab-analyse").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.version === 1);
  await page.fill("#comment", "Last words");
  const stored = await page.evaluate(() => {
    dispatchEvent(new Event("pagehide"));
    return JSON.parse(localStorage.getItem("tabiya.page.v1")).tree;
  });
  assert.deepEqual([stored.nodes[1].comments, stored.isKept], [["Last words"], false]);
  await page.waitForFunction(() => JSON.parse(localStorage.getItem("tabiya.page.v1")).tree.isKept);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.version), 2);
});

test("review of a PGN leads to graph, summary and report", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  const games = ['[White "Ann"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0', '[White "Cid"]\n\n1. f3 e5 2. g4 Qh4# 0-1', "1. e4 e5 2. Ke3 *"];
  await page.locator("#pgn-text").fill(games.join("\n\n"));
  await page.locator("#pgn-open").click();
  await expectText("#game-list", /Ann – Bob/);
  assert.equal(await page.locator("#game-list button").count(), 3);
  await page.fill("#game-filter", "cid 0-1");
  assert.deepEqual(await page.locator("#game-list button").allTextContents(), ["Cid – Black  0–12 moves"]);
  assert.equal(await page.textContent("#game-count"), "1 of 3 games");
  await page.fill("#game-filter", "");
  // The lines under the players stay readable under the pointer.
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("#game-list button").nth(1).hover();
  await assertAccessible(page, "#game-list");
  await page.emulateMedia({ colorScheme: "light" });
  await page.locator("#game-list button").nth(2).click();
  await expectText("#message", /Not all of the game.*Ke3/);
  await page.locator("#game-list button").first().click();
  await expectText("#top .name", /Bob/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.locator("#review-start").click();
  await page.locator("#summary").waitFor();
  await expectText("#summary", /Ann.*%.*Bob.*%/s);
  await page.locator("#graph circle.blunder").waitFor({ state: "attached" });
  // The engine may find fault with earlier moves, too.
  for (let presses = 0; presses < 5; presses++) {
    await page.keyboard.press("n");
    if (/Nf6/.test(await page.locator("#status").textContent())) break;
  }
  await expectText("#status", /Nf6\?\?, blunder, .* was best/);
  await page.locator("#board .arrow.best").waitFor({ state: "attached" });
  // The mate that the blunder allows.
  await page.locator("#board .arrow.second").waitFor({ state: "attached" });
  await picture("review");
  const box = await page.locator("#graph").boundingBox();
  await page.mouse.click(box.x + 2, box.y + box.height / 2);
  await expectText("#status", /^White to move/);
  await unfold("review-more");
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("#save-html").click()]);
  assert.match(fs.readFileSync(await report.path(), "utf8"), /<title>Ann – Bob<\/title>/);
  const [pgn] = await Promise.all([page.waitForEvent("download"), page.locator("#save-pgn").click()]);
  assert.match(fs.readFileSync(await pgn.path(), "utf8"), /\[%eval /);
});

test("the field for a PGN takes a position and moves without numbers, too", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  const text = page.locator("#pgn-text");
  for (const [pasted, status] of [["r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3", /^Black to move/], ["e4 e5 Nf3", /^2\. Nf3, Black to move/]]) {
    await openPgn(pasted);
    await expectText("#tab-analyse[aria-selected=true]", /./);
    await expectText("#status", status);
    assert.deepEqual([await text.inputValue(), await page.locator("#paste-area").isVisible()], ["", false]);
  }
  await openPgn("Nonsense");
  await expectText("#message", /neither a position/);
  assert.equal(await text.inputValue(), "Nonsense");
});

test("a long review can be cancelled", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *");
  await page.locator("#pgn-open").click();
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 7);
  await page.locator("#review-nodes").selectOption("2000000");
  await page.locator("#review-start").click();
  await page.locator("#review-cancel").click();
  await page.waitForFunction(() => !document.querySelector("#review-start").disabled);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 7);
});

test("a message that is too long for the engine is refused, and the connection stays", async () => {
  await open();
  const [error, isOpen] = await page.evaluate(async () => {
    const { engine } = globalThis.tabiya;
    const { message } = await engine.request("game", { pgn: "é".repeat(9 * 2 ** 20) }).catch((refusal) => refusal);
    await engine.request("ping");
    return [message, engine.isOpen];
  });
  assert.equal(error, "the engine takes at most 16 MiB at once");
  assert.ok(isOpen);
});

test("broken PGN is reported and the game is kept", async () => {
  await open();
  await page.locator("#move-input").fill("e4");
  await page.locator("#move-input").press("Enter");
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("   ");
  await page.locator("#pgn-open").click();
  await expectText("#message", /no PGN/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
});

test("pasted text that is no game, and another game's analysis, leave the game as it is", async () => {
  await open();
  const paste = (text) => page.evaluate((data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", data);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
  }, text);
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .move").first().waitFor();
  await paste("https://example.org/1.html");
  await expectText("#message", /neither a position/);
  // Both positions are the first of their games.
  await paste(`FEN: "${MATE_IN_ONE}"`);
  await page.waitForFunction((fen) => globalThis.tabiya.positionInfo?.fen === fen, MATE_IN_ONE);
  await expectText("#line-list", /Ra8#/);
  // The first position of the game on the board is shown, and the game stays.
  await type("Kf1");
  await page.locator("#tab-review").click();
  await paste(MATE_IN_ONE);
  await page.waitForFunction(() => globalThis.tabiya.tab === "analyse" && globalThis.tabiya.tree.current === 0);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
  // An illegal one is refused by the engine.
  await paste("6k1/5ppp/8/8/8/8/5PPP/R5KK w - - 0 1");
  await expectText("#message", /king/);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.start), MATE_IN_ONE);
});

test("positions and moves are pasted as people copy them", async () => {
  await open();
  const cases = fs.readFileSync(path.join(import.meta.dirname, "../data/pasted.tsv"), "utf8").split("\n").filter((line) => line && !line.startsWith("#"));
  for (const [text, fen] of cases.map((line) => line.split("\t"))) {
    await page.evaluate((data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text", data);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
    }, text);
    await page.waitForFunction((expected) => globalThis.tabiya.positionInfo?.fen === expected, fen);
  }
  // The editor reads the same.
  await page.locator("#tab-setup").click();
  await page.locator("#fen").fill("");
  await page.evaluate(() => {
    const field = document.getElementById("fen");
    field.value = "https://lichess.org/analysis/8/8/8/5N2/8/5N2/5K1k/2B5_b_-_-_0_1";
    field.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
  });
  await page.waitForFunction(() => document.getElementById("fen").value === "8/8/8/5N2/8/5N2/5K1k/2B5 b - - 0 1");
});

test("what is added during a review stays", async () => {
  await open();
  await page.locator("#tab-review").click();
  await page.locator("#pgn-paste").click();
  await page.locator("#pgn-text").fill("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
  await page.locator("#pgn-open").click();
  await expectText("#moves", /Qxf7#/);
  await page.selectOption("#review-nodes", "20000");
  await page.locator("#review-start").click();
  await page.evaluate(() => globalThis.tabiya.playLine(["d2d4"], ["d4"]));
  await expectText("#moves", /Nf6\?\?/);
  assert.ok(await page.evaluate(() => globalThis.tabiya.tree.nodes.some(({ uci }) => uci === "d2d4")));
});

test("a copied PGN is promised to the clipboard within the click", async () => {
  await open();
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await type("e4");
  await page.locator("#tab-setup").click();
  await page.locator("#copy-pgn").waitFor();
  const isPromised = await page.evaluate(() => {
    let isWithinClick = false;
    const write = navigator.clipboard.write.bind(navigator.clipboard);
    navigator.clipboard.write = (items) => {
      isWithinClick = true;
      return write(items);
    };
    document.getElementById("copy-pgn").click();
    return isWithinClick;
  });
  assert.equal(isPromised, true);
  await expectText("#setup-note", /PGN/);
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /1\. e4 \*/);
});

test("clock times, arrows, evaluations and null moves are kept in the PGN", async () => {
  await open();
  await openPgn("1. e4 { [%eval 0.17] [%clk 0:05:00] } { [%cal Ge2e4] good } 1... -- 2. d4 ( { before } 2. Nf3 ) *");
  await expectText("#moves", /good.*--.*before/s);
  // The position after a null move is known.
  await page.keyboard.press("End");
  await page.waitForFunction(() => globalThis.tabiya.positionInfo?.legal.length === 20);
  await type("d5");
  const pgn = await savedPgn();
  for (const part of ["[%eval 0.17] [%clk 0:05:00] [%cal Ge2e4]", "good", "1... -- 2. d4", "{ before }", "d5"]) assert.ok(pgn.includes(part), `${part}: ${pgn}`);
});

test("a review's evaluations and report survive moves and a reload", async () => {
  await open();
  await openPgn("1. f3 e5 2. g4 Qh4# 0-1");
  await expectText("#moves", /Qh4#/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.locator("#review-start").click();
  await page.locator("#summary").waitFor();
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await type("d4");
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  assert.match(await savedPgn(), /\[%eval .*d4/s);
  const [report] = await Promise.all([page.waitForEvent("download"), page.locator("#save-html").click()]);
  assert.match(fs.readFileSync(await report.path(), "utf8"), /<title>White – Black<\/title>/);
});

test("a review that a restart of the engine has ended begins again", async () => {
  await open();
  await openPgn("1. f3 e5 2. g4 Qh4# 0-1");
  await expectText("#moves", /Qh4#/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.evaluate(() => {
    document.querySelector("#review-start").click();
    globalThis.tabiya.engine.restart();
  });
  await page.waitForFunction(() => globalThis.tabiya.tree.review);
  assert.equal(await page.locator("#message").isVisible(), false);
});

for (const [name, viewport, shown] of [["phone", PHONE, []], ["laptop", LAPTOP, ["#graph", "#summary"]], ["phone on its side", LANDSCAPE, []]]) {
  test(`a review's results are in sight: ${name}`, async () => {
    await open({ viewport, hasTouch: name !== "laptop", isMobile: name !== "laptop" });
    await openPgn('[White "Ann Extraordinarily-Longname"]\n[Black "Bob"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0');
    await expectText("#moves", /Qxf7#/);
    await page.locator("#review-nodes").selectOption("20000");
    await page.locator("#review-start").click();
    await page.locator("#summary").waitFor();
    await page.locator("#next-mistake").click();
    await expectText("#review-move", /, (inaccuracy|mistake|blunder)\. .*best/);
    for (const selector of ["#board > svg", "#status", "#next-mistake", "#review-move", ...shown]) assert.ok(await isInSight(selector), selector);
    // Names keep to one line.
    const heights = await page.locator("#summary tbody tr").evaluateAll((rows) => rows.map((row) => row.offsetHeight));
    assert.equal(heights[0], heights[1]);
    await picture(`review-${name.replaceAll(" ", "-")}`);
  });
}

test("the next mistake after the last one is the first, also from the end of the game", async () => {
  await open();
  await openPgn("1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0");
  await expectText("#moves", /Qxf7#/);
  await page.locator("#review-nodes").selectOption("20000");
  await page.locator("#review-start").click();
  await page.locator("#summary").waitFor();
  await page.locator("#last").click();
  await page.locator("#next-mistake").click();
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current === globalThis.tabiya.tree.mistakes[0]), true);
  await page.locator("#previous-mistake").click();
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current === globalThis.tabiya.tree.mistakes.at(-1)), true);
});

test("an opened game shows the clock of each move", async () => {
  await open();
  await openPgn("1. e4 { [%clk 0:05:00] } e5 { [%clk 0:04:58] } 2. Nf3 { [%clk 0:04:41] } *");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 4);
  await page.locator("#last").click();
  await expectText("#bottom .clock", /^4:41$/);
  await page.locator("#previous").click();
  await expectText("#bottom .clock", /^5:00$/);
  await expectText("#top .clock", /^4:58$/);
  await page.locator("#first").click();
  assert.equal(await page.locator("#top .clock").isVisible(), false);
});

for (const [name, viewport, shown] of [["phone", PHONE, ["#board > svg"]], ["laptop", LAPTOP, ["#board > svg", "#status", "#tabs"]], ["phone on its side", LANDSCAPE, ["#board > svg", "#status", "#tabs"]]]) {
  test(`a message covers no control: ${name}`, async () => {
    await open({ viewport, hasTouch: name !== "laptop", isMobile: name !== "laptop" });
    const controls = "button, input, select, summary, textarea";
    // The controls on the screen that are covered by something else, and all that are on it.
    const seen = () => page.evaluate((css) => {
      const all = [...document.querySelectorAll(css)].map((element) => ({ element, box: element.getBoundingClientRect() }));
      const onScreen = all.filter(({ box }) => box.width > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth);
      const covered = onScreen.filter(({ element, box }) => document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest("#message") && !element.closest("#message"));
      return { count: onScreen.length, covered: covered.map(({ element }) => element.id) };
    }, controls);
    const { count } = await seen();
    await page.evaluate(() => scrollTo({ top: 300 }));
    await page.evaluate(() => globalThis.tabiya.fail(new Error("A message that says what has failed, where, and what would work, in as many words as it needs.")));
    for (const selector of ["#message", "#message button", ...shown]) assert.ok(await isInSight(selector), selector);
    const after = await seen();
    assert.deepEqual(after.covered, []);
    assert.ok(after.count > count / 2, `${after.count} of ${count} controls`);
    await assertAccessible(page, "#message");
    await page.locator("#message button").click();
    assert.deepEqual(await seen(), { count, covered: [] });
  });
}

test("on a laptop, a long reason is shown in full", async () => {
  await open({ viewport: LAPTOP });
  await page.locator("#status").evaluate((status) => { status.textContent = "A reason with many words. ".repeat(6); });
  assert.ok(await page.locator("#status").evaluate((status) => status.offsetHeight > 2.5 * parseFloat(getComputedStyle(status).lineHeight)), "three lines");
  assert.ok(await page.locator("#status").evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth));
  for (const selector of ["#board > svg", "#status", "#move-input"]) assert.ok(await isInSight(selector), selector);
});

test("a new game and a reviewed one without mistakes are shown as such", async () => {
  await open();
  await openPgn('[White "Ann"]\n\n1. e4 *\n\n[White "Bob"]\n\n1. d4 *');
  await page.locator("#game-list [aria-current]", { hasText: "Ann" }).waitFor();
  await page.evaluate(() => {
    globalThis.tabiya.tree.nodes[1].eval = { white: 0.5 };
    globalThis.tabiya.edited(1);
  });
  await page.locator("#tab-train").click();
  await expectText("#train-game-text", /^The game on the board has/);
  await page.locator("#tab-play").click();
  await page.locator("#play-form button").click();
  await expectText("#play-note", /Your move/);
  await page.locator("#tab-review").click();
  assert.equal(await page.locator("#game-list [aria-current]").count(), 0);
});

test("another review replaces the first one and keeps the user's edits", async () => {
  await open();
  await openPgn("1. e4 e5 2. Bc4 { my own remark } Nc6 3. Qh5 Nf6 4. Qxf7# (4. Qh3 Nxe4) 1-0");
  await expectText("#moves", /Qxf7#/);
  await page.locator("#review-nodes").selectOption("20000");
  const review = async (edit = () => {}) => {
    await unfold("review-more");
    await page.locator("#review-start").click();
    await edit();
    await page.waitForFunction(() => !document.querySelector("#review-start").disabled);
    return savedPgn();
  };
  const count = (text, pattern) => [...text.matchAll(pattern)].length;
  const comments = (text) => [...text.matchAll(/\{([^}]*)\}/g)].map(([, comment]) => comment.trim()).filter((comment) => !comment.startsWith("[%"));
  const first = await review();
  assert.match(first, /\$4/);
  // A variation is deleted, a move is added and a move is commented on while the second review runs.
  const second = await review(() => page.evaluate(() => {
    const app = globalThis.tabiya;
    const { tree } = app;
    tree.remove(tree.nodes.findIndex(({ san }) => san === "Qh3"));
    tree.nodes[1].comments = ["added meanwhile"];
    app.goTo(0);
    app.playLine(["d2d4"], ["d4"]);
  }));
  assert.doesNotMatch(second, /Qh3/);
  assert.match(second, /d4/);
  for (const remark of ["my own remark", "added meanwhile"]) assert.equal(comments(second).filter((comment) => comment === remark).length, 1, second);
  assert.equal(new Set(comments(second)).size, comments(second).length, second);
  assert.equal(count(second, /\$4/g), count(first, /\$4/g));
  // The text field has the user's comment only.
  await page.locator("#tab-analyse").click();
  await page.evaluate(() => globalThis.tabiya.goTo(globalThis.tabiya.tree.nodes.findIndex(({ san }) => san === "Nf6")));
  assert.equal(await page.inputValue("#comment"), "");
});
