// Tests of analysis, explanation, set-up, links and tablebases, in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import path from "node:path";
import { test } from "node:test";
import { PHONE, assertAccessible } from "./harness.mjs";
import { MATE_IN_ONE, click, drag, expectText, fenHash, holdRequests, ignoreMessages, open, page, picture, pieceAt, restartServer, stopServer, type, withServer } from "./session.mjs";

test("the arrow keys choose a piece to set up", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#palette button").first().focus();
  const chosen = () => page.locator("#palette :focus[aria-checked=true][tabindex='0']").getAttribute("aria-label");
  for (const [key, name] of [["ArrowRight", "white king"], ["ArrowLeft", "move"], ["ArrowUp", "remove"], ["ArrowDown", "move"]]) {
    await page.keyboard.press(key);
    assert.match(await chosen(), new RegExp(name, "i"));
  }
});

test("the keyboard sets up pieces, which are announced", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#setup-clear").click();
  const press = async (key, pattern) => {
    await page.locator("#board > svg").press(key);
    await expectText("#announcer", pattern);
  };
  // The cursor begins on e2.
  await press("ArrowUp", /^e3, empty$/);
  await press("Enter", /^Choose a piece/);
  await page.getByRole("radio", { name: "white king", exact: true }).press("Enter");
  await press("Enter", /^e3, white king$/);
  await press("Enter", /^e3, empty$/);
});

test("analysis follows the position", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .move").first().waitFor();
  await expectText("#analyse-stats", /Depth \d+/);
  // The first report has the best line only.
  await page.waitForFunction(() => document.querySelectorAll("#line-list li:not(.empty)").length === 3);
  await drag("e2", "e4");
  await expectText("#line-list", /1… /);
  await expectText("#opening", /B00 King's Pawn/);
  await page.locator("#board .arrow.best").waitFor({ state: "attached" });
  await page.waitForTimeout(700);
  await picture("analyse");
  // A click on a move of a line plays it.
  await page.locator("#line-list li:first-child .move").nth(1).click();
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 4);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Home");
  await expectText("#line-list", /1\. /);
  await page.locator("#analyse-toggle").click();
  await expectText("#analyse-toggle", /Start/);
});

test("explanation lists the terms and marks the board", async () => {
  await open({ hash: fenHash("4k3/p6p/8/3P4/8/P6P/7P/4K3 w - - 0 1") });
  await page.locator("#tab-explain").click();
  await page.locator("#terms tbody tr").first().waitFor();
  assert.ok((await page.locator("#terms tbody tr").count()) > 8);
  await expectText("#terms", /Passed pawns/);
  await page.locator("#board .mark.passed").waitFor({ state: "attached" });
  // Each feature has its colour, on the board and in the list.
  for (const name of ["passed", "isolated", "doubled", "holes", "king_danger", "hanging"]) {
    const [chip, mark] = await page.evaluate((kind) => {
      const square = document.createElementNS("http://www.w3.org/2000/svg", "rect");
      square.setAttribute("class", `mark ${kind}`);
      document.querySelector("#board > svg").append(square);
      const colors = [getComputedStyle(document.querySelector(`#marks .${kind}`)).borderBottomColor, getComputedStyle(square).fill];
      square.remove();
      return colors;
    }, name);
    assert.equal(chip, mark, name);
  }
  await page.locator("#mark-isolated").check();
  await page.locator("#board .mark.isolated").first().waitFor({ state: "attached" });
  await page.locator("#mark-values").check();
  await page.locator("#board .label").first().waitFor({ state: "attached" });
  await expectText("#verdict", /^The neural network says [+−0].* without search: .*(White|Black|even)/);
  assert.ok((await page.locator("#mattering li").count()) <= 3);
  await expectText("#mattering", /passed pawns count for more/);
  // No value of a side alone, such as the 39 pawns of its material.
  const values = await page.locator("#terms tbody td:last-child").allTextContents();
  assert.ok(values.every((value) => Math.abs(Number(value.replace("−", "-"))) < 10), values.join(" "));
  // The features of the summary are marked until that is switched off.
  await page.locator("#mark-matters").uncheck();
  assert.equal(await page.locator("#board .mark.passed").count(), 0);
  await page.locator("#mark-matters").check();
  assert.equal(await page.locator("#explain-numbers").isVisible(), false);
  await page.locator("#explain-more summary").click();
  await expectText("#explain-numbers", /classic evaluation/);
  await picture("explain");
});

test("editor, FEN and link", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#setup-clear").click();
  await expectText("#fen-error", /./);
  assert.ok(await page.locator("#setup-analyse").isDisabled());
  const place = async (name, square) => {
    await page.getByRole("radio", { name, exact: true }).click();
    await click(square);
  };
  await place("white king", "e1");
  await place("black king", "e8");
  await place("white queen", "d1");
  await expectText("#fen-error", /^$/);
  assert.equal(await page.locator("#fen").inputValue(), "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
  await page.getByRole("radio", { name: "Move pieces", exact: true }).click();
  await drag("d1", "h5");
  assert.match(await page.locator("#fen").inputValue(), /^4k3\/8\/8\/7Q/);
  await expectText("#fen-error", /./);
  await page.locator("#turn").selectOption("b");
  await expectText("#fen-error", /^$/);
  await picture("setup");
  await page.locator("#setup-analyse").click();
  await expectText("#line-list", /1… /);
  const link = await page.evaluate(() => `#fen=${globalThis.tabiya.positionInfo.fen.replaceAll(" ", "_")}`);
  await open({ hash: link });
  assert.equal(await pieceAt("h5"), "Q");
});

test("a position that is being set up stays while another activity is looked at", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#fen").fill(MATE_IN_ONE);
  await page.locator("#tab-analyse").click();
  await expectText("#status", /White to move/);
  await page.locator("#tab-setup").click();
  assert.equal(await page.inputValue("#fen"), MATE_IN_ONE);
  // It is not part of the game.
  for (const id of ["first", "previous", "next", "last", "move-input"]) assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  assert.equal(await page.textContent("#status"), "");
  // Another position of the game takes its place.
  await page.locator("#tab-analyse").click();
  await type("e4");
  await page.locator("#tab-setup").click();
  await page.waitForFunction(() => /PPPP1PPP/.test(document.querySelector("#fen").value));
});

test("what is set up before the position of the game is known stays, also from a draw of Chess960", async () => {
  await open();
  await holdRequests("position");
  await page.evaluate(() => { globalThis.tabiya.setTree(new globalThis.tabiya.tree.constructor()); });
  await page.locator("#tab-setup").click();
  assert.ok(await page.locator("#setup-play").isDisabled() && await page.locator("#setup-analyse").isDisabled());
  await page.locator("#setup-clear").click();
  const empty = "8/8/8/8/8/8/8/8 w - - 0 1";
  assert.equal(await page.inputValue("#fen"), empty);
  await page.evaluate(() => globalThis.release());
  await page.waitForFunction(() => globalThis.tabiya.positionInfo);
  await expectText("#fen-error", /king/i);
  assert.equal(await page.inputValue("#fen"), empty);
  await holdRequests("chess960");
  await page.locator("#setup-960").click();
  await page.fill("#fen", MATE_IN_ONE);
  await page.evaluate(() => globalThis.release());
  await page.evaluate(() => globalThis.tabiya.engine.request("chess960", { number: 0 }));
  assert.equal(await page.inputValue("#fen"), MATE_IN_ONE);
  // Without an edit, both come.
  await page.locator("#setup-960").click();
  await page.waitForFunction((fen) => document.querySelector("#fen").value !== fen, MATE_IN_ONE);
  await page.evaluate(() => { globalThis.tabiya.setTree(new globalThis.tabiya.tree.constructor()); });
  await page.waitForFunction(() => document.querySelector("#fen").value.startsWith("rnbqkbnr/"));
});

test("illegal FEN in the address is reported and the game is kept", async () => {
  await open({ hash: "#fen=8/8/8/8/8/8/8/8_w_-_-_0_1", isLegal: false });
  await expectText("#message", /king/i);
  assert.equal(await pieceAt("e1"), "K");
});

test("the editor keeps castling rights whose king and rook stay, also those of Chess960", async () => {
  await open();
  await page.locator("#tab-setup").click();
  const rights = async () => (await page.inputValue("#fen")).split(" ")[2];
  for (const letters of ["KQkq", "HBhb"]) {
    await page.fill("#fen", `1r3k1r/8/8/8/8/8/8/1R3K1R w ${letters} - 0 1`);
    await page.getByRole("radio", { name: "white pawn", exact: true }).click();
    await click("e4");
    assert.equal(await rights(), letters);
    await page.getByRole("radio", { name: "Move pieces", exact: true }).click();
    await drag("b1", "a1");
    assert.equal(await rights(), letters.replace(/[QB]/, ""));
    await drag("f8", "e8");
    assert.equal(await rights(), letters[0]);
  }
  // Another outermost rook would have the right.
  await page.fill("#fen", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1");
  await page.getByRole("radio", { name: "white rook", exact: true }).click();
  await click("h1");
  assert.equal(await rights(), "-");
  // A right may be chosen before the rook is there.
  await page.fill("#fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
  await page.locator("#castling-K").check();
  await click("h1");
  assert.equal(await rights(), "K");
  await expectText("#fen-error", /^$/);
});

test("a FEN with two spaces has the right side to move", async () => {
  await open({ hash: "#fen=rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR__b_KQkq_-_0_1" });
  await expectText("#status", /Black to move/);
  await type("e5");
  await expectText("#moves", /1\..*e5/);
});

test("set up works again after a loss of the connection", async () => {
  await open();
  await page.locator("#tab-setup").click();
  await page.locator("#setup-clear").waitFor();
  await stopServer();
  await expectText("#message", /Your game is kept/);
  await page.locator("#setup-clear").click();
  await page.locator("#setup-start").click();
  await page.waitForFunction(() => document.querySelector("#setup-analyse").disabled);
  await restartServer();
  await page.waitForFunction(() => !document.querySelector("#setup-analyse").disabled);
  await expectText("#fen-error", /^$/);
  ignoreMessages(/WebSocket|ERR_CONNECTION/);
});

test("set up replaces nothing by a position that is illegal", async () => {
  await open();
  await type("e4");
  await page.locator("#tab-setup").click();
  await page.locator("#setup-clear").waitFor();
  // Both clicks come before the reply that disables the second button.
  await page.evaluate(() => {
    for (const id of ["setup-clear", "setup-analyse"]) document.getElementById(id).click();
  });
  await expectText("#fen-error", /king/);
  await page.evaluate(() => globalThis.tabiya.engine.request("ping"));
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes[1].san), "e4");
  assert.ok(await page.locator("#setup-analyse").isDisabled());
});

test("the evaluation bar rounds", async () => {
  await open();
  const shown = await page.evaluate(() => [["+0.28", 0.5], ["−0.04", 0.5], ["+9.96", 0.9], ["−12.50", 0.1], ["#−3", 0], ["0.00", 0.5]].map(([text, white]) => {
    const app = globalThis.tabiya;
    app.panel.boardOverlay = () => ({ bar: { white, text } });
    app.drawBoard();
    return document.querySelector("#bar span").textContent;
  }));
  assert.deepEqual(shown, ["+0.3", "0.0", "+10", "−13", "#−3", "0.0"]);
});

test("evaluations stay with the moves, and are there after a reload", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await type("e4");
  await expectText("#analyse-stats", /Depth (6|7|8|9|\d\d)/);
  // Not after a wait: at once.
  const shown = await page.evaluate(() => {
    const app = globalThis.tabiya;
    app.goTo(0);
    app.goTo(1);
    return { lines: document.querySelectorAll("#line-list .move").length, stats: document.querySelector("#analyse-stats").textContent, bar: app.panel.boardOverlay().bar?.text };
  });
  assert.match(shown.stats, /Depth \d+\/\d+, found before/);
  assert.ok(shown.lines > 0 && shown.bar, JSON.stringify(shown));
  await page.locator("#analyse-toggle").click();
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#analyse-toggle", /Start/);
  await expectText("#analyse-stats", /Depth (6|7|8|9|\d\d)\/\d+, found before$/);
  await page.locator("#line-list .move").first().waitFor();
});

test("an evaluation shows none of the lines that another one has found", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await expectText("#analyse-stats", /Depth (6|7|8|9|\d\d)/);
  const choose = async (evaluation) => {
    await page.evaluate((name) => {
      const { engine } = globalThis.tabiya;
      // Nothing new is found.
      engine.start = () => Object.assign(new Promise(() => {}), { stop() {} });
      globalThis.isOpenAgain = new Promise((resolve) => { engine.addEventListener("open", () => setTimeout(resolve), { once: true }); });
      engine.settings.evaluation = name;
      engine.restart();
    }, evaluation);
    await page.evaluate(() => globalThis.isOpenAgain);
  };
  await choose("handcrafted");
  assert.equal(await page.locator("#line-list .move").count(), 0);
  assert.equal(await page.evaluate(() => globalThis.tabiya.panel.boardOverlay().bar), null);
  await choose("nnue");
  await expectText("#analyse-stats", /Depth (6|7|8|9|\d\d)\/\d+, found before$/);
  assert.ok(await page.locator("#line-list .move").count() > 0);
});

test("a move of a line is made in its own position only", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .move").first().waitFor();
  // The second click comes before the lines of the next position: the list stays until the pointer is up.
  await page.locator("#line-list .move").first().evaluate((button) => {
    button.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
    button.click();
    button.click();
    button.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
  });
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.nodes.length), 2);
});

test("a line of the analysis can be shown in full", async () => {
  await open({ viewport: PHONE, hasTouch: true });
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list .expand").first().waitFor();
  await page.waitForFunction(() => { const line = document.querySelector("#line-list .line"); return line && line.scrollWidth > line.clientWidth; });
  await page.locator("#analyse-toggle").click();
  // What was found stays.
  await page.locator("#line-list .expand").first().click();
  const isCut = await page.evaluate(() => { const line = document.querySelector("#line-list .line"); return line.scrollWidth > line.clientWidth; });
  assert.equal(isCut, false);
  assert.equal(await page.locator("#line-list .expand").first().getAttribute("aria-expanded"), "true");
});

test("the threat of the other side is shown", async () => {
  await open({ hash: fenHash("6k1/5ppp/8/8/8/8/6PP/r5K1 w - - 0 1") });
  await page.locator("#threat").click();
  await expectText("#analyse-stats", /In check there is no threat/);
  await open({ hash: fenHash("1r4k1/5ppp/8/8/8/8/P4PPP/6K1 w - - 0 1") });
  await page.locator("#threat").click();
  await expectText("#analyse-stats", /Threat: Black to move/);
  await expectText("#line-list", /#−1.*1… Rb1/);
  await page.locator("#board .arrow.threat").waitFor({ state: "attached" });
  assert.ok(await page.locator("#line-list .move").first().isDisabled());
  await page.locator("#threat").click();
  await expectText("#analyse-stats", /Depth \d+/);
  await expectText("#line-list", /1\. /);
});

test("threads and hash are chosen in the settings and kept", async () => {
  await open();
  await page.locator("#settings-open").click();
  await page.locator("#hash").selectOption("16");
  await expectText("#engine", /16 MiB hash/);
  await assertAccessible(page, "#settings");
  await picture("settings");
  await page.locator("#settings form button").click();
  await page.waitForTimeout(500);
  await page.reload();
  await expectText("#engine", /16 MiB hash/);
});

test("a link has the moves of the game", async () => {
  await open();
  for (const move of ["e4", "d5", "exd5", "c6", "dxc6", "Qd7", "cxb7", "Qd8", "bxa8=Q"]) await type(move);
  const link = () => page.evaluate(async () => new URL((await import("./main.js")).$address.gameLink(globalThis.tabiya.tree)).hash);
  await page.evaluate(() => globalThis.tabiya.goTo(3));
  const hash = await link();
  assert.equal(hash, "#moves=e4_d5_exd5_c6_dxc6_Qd7_cxb7_Qd8_bxa8=Q&at=3");
  await open({ hash });
  await page.waitForFunction(() => globalThis.tabiya.tree.nodes.length === 10);
  assert.equal(await page.evaluate(() => globalThis.tabiya.tree.current), 3);
  // Also from another position.
  await open({ hash: `${fenHash(MATE_IN_ONE)}&moves=Ra8` });
  await expectText("#status", /White wins by checkmate/);
  assert.match(await link(), /^#fen=6k1.*&moves=Ra8$/);
  // Also with a null move.
  await open({ hash: "#moves=e4_--_d4" });
  await expectText("#moves", /e4.*--.*d4/);
  assert.equal(await link(), "#moves=e4_--_d4");
});

test("each move has its tablebase result", async () => {
  await withServer(["--syzygy", path.join(import.meta.dirname, "../data/syzygy")], async () => {
    await open({ hash: fenHash("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1") });
    await expectText("#tablebase-moves .win", /These moves win:.*Qf8#/);
    await expectText("#tablebase-moves .draw", /draws?: .*Qf7/);
    await page.locator("#tablebase-moves .win .move").nth(1).press("Enter");
    await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 2);
    // The keyboard goes on in the list.
    await page.waitForFunction(() => document.activeElement.matches("#tablebase-moves .move"));
    await picture("tablebase");
  });
});

test("a draw ranks above a loss that only the fifty-move rule saves", async () => {
  await withServer(["--syzygy", path.join(import.meta.dirname, "../data/syzygy")], async () => {
    // The king can take the queen.
    await open({ hash: fenHash("8/8/8/8/8/2Qk4/8/K7 b - - 90 1") });
    await expectText("#tablebase-moves", /This move draws: Kxc3.*draw only by the fifty-move rule:.*Ke4/);
    await open({ hash: fenHash("8/8/8/8/8/3k4/7Q/K7 w - - 90 1") });
    await expectText("#tablebase", /Draw by the fifty-move rule, without it White wins/);
    await expectText("#tablebase-moves", /would win without the fifty-move rule:.*draws?: .*/);
  });
});
