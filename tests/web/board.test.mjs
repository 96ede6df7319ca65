// Tests of the board, the keyboard and what is on the screen, with the accessibility of every tab, in Chromium. README.md names the environment.

import assert from "node:assert/strict";
import { test } from "node:test";
import { DESKTOP, LANDSCAPE, PHONE, assertAccessible } from "./harness.mjs";
import { click, delayReplies, drag, expectText, fenHash, holdRequests, isInSight, open, openPgn, page, picture, point, savedPgn, type } from "./session.mjs";

/** Makes the page ask for the legal moves again, with a reply that waits for `globalThis.release()`. */
async function forgetLegalMoves() {
  await holdRequests("position");
  await page.evaluate(() => {
    const { tabiya } = globalThis;
    tabiya.tree.node.info = undefined;
    tabiya.changed();
  });
}

test("promotion asks for the piece", async () => {
  await open({ hash: fenHash("8/P6k/8/8/8/8/8/K7 w - - 0 1") });
  await click("a7");
  await click("a8");
  await page.locator(".promotion").waitFor();
  await picture("promotion");
  await page.getByRole("button", { name: "knight", exact: true }).click();
  await expectText("#moves", /a8=N/);
});

test("a tap that promotes asks for the piece, at both ends of the board", async () => {
  for (const [fen, from, to] of [["7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7", "a8"], ["7k/8/8/8/8/8/p7/7K b - - 0 1", "a2", "a1"]]) {
    await open({ viewport: PHONE, hasTouch: true, isMobile: true, hash: fenHash(fen) });
    await page.touchscreen.tap(...(await point(from)));
    await page.touchscreen.tap(...(await point(to)));
    await page.locator(".promotion").waitFor();
    await page.getByRole("button", { name: "rook", exact: true }).tap();
    await expectText("#moves", new RegExp(`${to}=R`));
  }
});

test("the page asks for the position with its greeting, and for nothing else before the reply", async () => {
  await open();
  await page.addInitScript(() => {
    globalThis.sent = [];
    globalThis.WebSocket = class extends WebSocket {
      constructor(address) {
        super(address);
        this.addEventListener("message", () => { globalThis.early = [...globalThis.sent]; }, { once: true });
      }

      send(text) {
        globalThis.sent.push(JSON.parse(text).type);
        super.send(text);
      }
    };
  });
  await page.reload();
  await page.waitForFunction(() => globalThis.early && globalThis.tabiya?.positionInfo);
  assert.deepEqual(await page.evaluate(() => globalThis.early), ["hello", "position"]);
  // The same reply serves the board.
  assert.equal(await page.evaluate(() => globalThis.sent.filter((type) => type === "position").length), 1);
});

test("a square chosen before the legal moves are known is selected when they are", async () => {
  for (const choose of [() => page.locator("#board > svg").press("Enter"), () => click("e2")]) {
    await open();
    await forgetLegalMoves();
    await choose();
    assert.equal(await page.locator("#board .selected").count(), 0);
    await page.evaluate(() => globalThis.release());
    await expectText("#announcer", /e2, white pawn selected\. Moves to e3, e4\./);
    assert.equal(await page.locator("#board .selected").count(), 1);
  }
});

test("a move that is made before the legal moves are known is played when they are", async () => {
  const clicks = async (from, to) => {
    await click(from);
    await click(to);
  };
  const cancelled = async (from, to) => {
    await clicks(from, to);
    await page.mouse.click(...(await point("h5")), { button: "right" });
  };
  for (const [move, from, to, played] of [[drag, "d2", "d4", "d4"], [clicks, "d2", "d4", "d4"], [drag, "d2", "d5", ""], [drag, "a1", "b1", ""], [cancelled, "d2", "d4", ""]]) {
    await open();
    await forgetLegalMoves();
    await move(from, to);
    assert.equal(await page.locator("#board .dragged").count(), 0);
    await page.evaluate(() => globalThis.release());
    await page.waitForFunction(() => globalThis.tabiya.positionInfo);
    assert.equal(await page.evaluate(() => globalThis.tabiya.tree.node.san), played);
    // The knight on which a rook was dropped is not selected.
    assert.equal(await page.locator("#board .selected").count(), 0);
  }
  // The moves become known during the drag of a piece that has none.
  await open();
  await forgetLegalMoves();
  await page.mouse.move(...(await point("a1")));
  await page.mouse.down();
  await page.mouse.move(...(await point("a4")), { steps: 4 });
  await page.locator("#board .dragged").waitFor();
  await page.evaluate(() => globalThis.release());
  await page.locator("#board .dragged").waitFor({ state: "detached" });
  await page.mouse.up();
  await drag("a2", "a3");
  await expectText("#moves", /a3/);
});

test("moves can be typed, also faster than the legal moves are known", async () => {
  await open();
  await delayReplies(100);
  const field = page.locator("#move-input");
  for (const move of ["Nf3", "d7d5", "g3", "nc6", "Bg2", "e5", "0-0"]) {
    await field.fill(move);
    await field.press("Enter");
  }
  await expectText("#moves", /O-O/);
  await field.fill("Ke5");
  await field.press("Enter");
  await expectText("#status", /Black's own pawn stands on e5/);
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  // It stays only in its position, and its mark only until something else is typed.
  const isRefused = async () => [await field.inputValue(), await field.getAttribute("aria-invalid")];
  const refuse = async () => {
    await field.fill("Ke5");
    await field.press("Enter");
    await page.locator("#move-input[aria-invalid=true]").waitFor();
  };
  await page.locator("#previous").click();
  assert.deepEqual(await isRefused(), ["", null]);
  await refuse();
  await page.locator("#tab-analyse").click();
  assert.deepEqual(await isRefused(), ["", null]);
  await refuse();
  await field.press("K");
  assert.deepEqual(await isRefused(), ["K", null]);
});

test("a move waits for the script of the panel that is shown", async () => {
  await open();
  await page.locator("#tab-games").click();
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  await page.route("**/games.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.waitForFunction(() => globalThis.tabiya?.positionInfo);
  await page.fill("#move-input", "e4");
  await page.press("#move-input", "Enter");
  release();
  await page.waitForFunction(() => globalThis.tabiya.tree.node.san === "e4");
  assert.equal(await page.inputValue("#move-input"), "");
});

for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE], ["phone on its side", LANDSCAPE]]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`every tab is accessible: ${name}, ${colorScheme}`, async () => {
      await open({ viewport, colorScheme, hasTouch: name !== "desktop", hash: fenHash("r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9") });
      for (const tab of ["play", "analyse", "review", "explain", "setup", "games"]) {
        await page.locator(`#tab-${tab}`).click();
        if (tab === "analyse") await expectText("#analyse-stats", /Depth (8|9|\d\d)/);
        if (tab === "explain") await page.locator("#terms tbody tr").first().waitFor();
        await page.waitForTimeout(400);
        await picture(`${name.replaceAll(" ", "-")}-${colorScheme}-${tab}`);
        await assertAccessible(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.ok(overflow <= 0, `${tab} is ${overflow} pixels too wide`);
      }
    });
  }
}

test("high contrast shows what is chosen, and the bars", async () => {
  await open({ forcedColors: "active", hash: "#moves=e4" });
  await page.locator("#line-list .move").first().waitFor();
  await picture("forced-colors");
  const outlines = await page.evaluate(() => ["#tab-analyse", "#tab-play", "#moves .move[aria-current]"].map((selector) => getComputedStyle(document.querySelector(selector)).outlineStyle));
  assert.deepEqual(outlines, ["solid", "none", "solid"]);
  const colors = await page.evaluate(() => [...document.querySelectorAll("#bar, #bar div, #wdl div")].map((part) => getComputedStyle(part).backgroundColor));
  // The parts of both sides in the bar, and the three parts of the chances.
  assert.deepEqual([new Set(colors.slice(0, 2)).size, new Set(colors.slice(2)).size], [2, 3]);
});

test("touch moves a piece on a phone", async () => {
  await open({ viewport: PHONE, hasTouch: true, isMobile: true });
  await page.touchscreen.tap(...(await point("g1")));
  await page.touchscreen.tap(...(await point("f3")));
  await expectText("#moves", /Nf3/);
});

test("the focus returns to the board after a promotion", async () => {
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-roledescription"));
  await open({ hash: fenHash("8/4P3/8/8/8/8/k7/7K w - - 0 1") });
  await page.evaluate(() => document.querySelector("#board > svg").focus());
  const promote = async () => {
    // The cursor begins on e2 and stays on e8 later.
    for (const key of ["ArrowDown", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await page.locator(".promotion").waitFor();
    assert.equal(await focused(), null);
  };
  for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowUp");
  await promote();
  await page.keyboard.press("Escape");
  await page.locator(".promotion").waitFor({ state: "detached" });
  assert.equal(await focused(), "chess board");
  await promote();
  // Another position closes the dialog.
  await page.evaluate(() => globalThis.tabiya.move("e7e8r", "e8=R"));
  await page.locator(".promotion").waitFor({ state: "detached" });
  assert.equal(await focused(), "chess board");
  await page.evaluate(() => globalThis.tabiya.goTo(0));
  await page.waitForFunction(() => globalThis.tabiya.positionInfo?.legal.length > 0);
  await promote();
  await page.keyboard.press("Enter");
  await expectText("#moves", /e8=Q/);
  assert.equal(await focused(), "chess board");
});

test("castling can be typed by the king's squares", async () => {
  await open({ hash: fenHash("4k3/8/8/8/8/8/8/4K2R w K - 0 1") });
  await type("e1g1");
  await expectText("#moves", /O-O/);
});

test("text can be dropped into a field", async () => {
  await open();
  const isPrevented = await page.evaluate(() => {
    const drop = new DragEvent("drop", { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true });
    document.querySelector("#pgn-text").dispatchEvent(drop);
    return drop.defaultPrevented;
  });
  assert.equal(isPrevented, false);
});

test("a phone on its side shows the whole board", async () => {
  await open({ viewport: LANDSCAPE, hasTouch: true });
  const box = await page.locator("#board > svg").boundingBox();
  assert.ok(box.height > 340, `${box.height} pixels`);
  for (const selector of ["#board > svg", "#tabs", "#top", "#bottom", "#next", "#move-input"]) assert.ok(await isInSight(selector), selector);
});

test("a typed move that is illegal is refused with the reason", async () => {
  await open();
  const reasons = async (fen, cases) => {
    const found = await page.evaluate(async ([start, moves]) => {
      const [{ whyIllegal }, { $position: { fromFen } }] = await Promise.all([import("./illegal-move.js"), import("./main.js")]);
      const info = await globalThis.tabiya.engine.request("position", { game: { start, moves: [] } });
      return moves.map((move) => whyIllegal(move, fromFen(start), info));
    }, [fen, cases.map(([move]) => move)]);
    cases.forEach(([move, pattern], index) => assert.match(found[index], pattern, move));
  };
  await reasons("r3k2r/pPp2ppp/2n5/1B2p3/4P3/3q1N2/PP1N1PPP/R3K2R w KQkq - 0 1", [
    ["hello", /is not a move/], ["e5", /way to e5 is blocked/], ["exd5", /nothing for the pawn to capture/], ["Nd4xx5", /is not a move/], ["Qd1", /White has no queen/],
    ["Ke2", /king would be in check on e2/], ["O-O", /cannot castle now/], ["e1e2", /king would be in check/], ["a7a6", /White's turn/], ["h4h5", /no piece on h4/],
    ["Nf1xe5+", /no knight on f1/], ["b8", /promotes: type b8=/], ["Bd7", /Another piece is in the way/], ["Ng3", /No white knight can move to g3/],
  ]);
  await reasons("4k3/8/8/8/1b6/2N5/8/R3K2R w - - 0 1", [["Ne4", /knight is pinned/], ["0-0", /no longer allowed/], ["O-O-O", /queenside is no longer allowed/]]);
  await reasons("4k3/8/8/8/8/8/4r3/1N2K1N1 w - - 0 1", [["Nc3", /in check, which this does not end/]]);
  await reasons("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", [["Nd2", /More than one knight can move to d2: type Nbd2 or Nfd2/]]);
});

test("single-letter shortcuts can be switched off", async () => {
  await open();
  const isFlipped = () => page.evaluate(() => globalThis.tabiya.isFlipped);
  await page.keyboard.press("f");
  assert.equal(await isFlipped(), true);
  await page.locator("#shortcuts").uncheck();
  await page.locator("h1").click();
  await page.keyboard.press("f");
  assert.equal(await isFlipped(), true);
  await page.waitForTimeout(400);
  await page.reload();
  assert.equal(await page.locator("#shortcuts").isChecked(), false);
});

test("one live region announces each move once", async () => {
  await open();
  await page.evaluate(() => {
    globalThis.announced = [];
    for (const region of document.querySelectorAll("[role=status], [role=log], [aria-live]")) {
      new MutationObserver(() => region.textContent && globalThis.announced.push(region.textContent)).observe(region, { childList: true, subtree: true, characterData: true });
    }
  });
  await page.locator("#tab-analyse").click();
  await type("e4");
  await expectText("#announcer", /1\. e4/);
  await page.waitForTimeout(300);
  const announced = await page.evaluate(() => globalThis.announced.filter((text) => text.includes("e4")));
  assert.equal(announced.length, 1, announced.join(" | "));
});

test("the moves of a line are reached with the arrow keys", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await page.locator("#line-list li:first-child .move").nth(1).waitFor();
  // From now on the focus is the keyboard's, and stays when the analysis replaces the lines.
  await page.keyboard.press("Tab");
  await page.locator("#line-list .move").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => globalThis.tabiya.tree.mainline.length === 3);
});

test("a closed message about a lost connection comes back only after a connection", async () => {
  await open();
  const lose = () => page.evaluate(() => globalThis.tabiya.engine.dispatchEvent(new Event("lost")));
  await lose();
  await page.locator("#message button").click();
  await lose();
  assert.equal(await page.locator("#message").isHidden(), true);
  await page.evaluate(() => globalThis.tabiya.engine.dispatchEvent(new Event("open")));
  await lose();
  await expectText("#message", /no connection/);
});

test("a button with nothing to do says so on the screen or is disabled", async () => {
  await open();
  await page.locator("#tab-analyse").click();
  await type("e4");
  await page.locator("#redo").click();
  await expectText("#status", /nothing to redo/i);
  await page.locator("#tab-games").click();
  await page.locator("#kept-delete").click();
  await expectText("#kept-note", /The game is deleted/);
  await page.evaluate(() => {
    const { tree } = globalThis.tabiya;
    tree.nodes[1].eval = { white: 0.5 };
    globalThis.tabiya.setTab("review");
  });
  const buttons = ["#previous-mistake", "#next-mistake", "#learn"].map((selector) => page.locator(selector));
  for (const button of buttons) assert.equal(await button.isDisabled(), true);
  for (const key of ["n", "p"]) {
    await page.evaluate(() => { globalThis.tabiya.changed(); });
    await page.keyboard.press(key);
    await expectText("#status", /no reviewed mistake/);
  }
  await page.evaluate(() => {
    globalThis.tabiya.tree.nodes[1].judgement = "mistake";
    globalThis.tabiya.changed();
  });
  for (const button of buttons) assert.equal(await button.isDisabled(), false);
});

/** Presses the right button on a square, moves to another and releases it, with these keys held. */
async function draw(from, to, ...keys) {
  for (const key of keys) await page.keyboard.down(key);
  await page.mouse.move(...(await point(from)));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...(await point(to)), { steps: 3 });
  await page.mouse.up({ button: "right" });
  for (const key of keys) await page.keyboard.up(key);
}

test("arrows and circles of the right button are kept in the PGN", async () => {
  await open();
  await type("e4");
  await draw("g8", "f6");
  await draw("e5", "e5", "Shift");
  await draw("d7", "d5", "Alt");
  await page.locator("#board .arrow.user.green").waitFor({ state: "attached" });
  await page.locator("#board .ring.user.red").waitFor({ state: "attached" });
  // The same again removes it.
  await draw("d7", "d5", "Alt");
  assert.equal(await page.locator("#board .arrow.user.blue").count(), 0);
  await draw("d7", "d5", "Shift", "Alt");
  const pgn = await savedPgn();
  assert.match(pgn, /e4 \{ \[%cal Gg8f6,Yd7d5\] \[%csl Re5\] \}/);
  await openPgn(pgn);
  // The opened game begins at its start.
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 0);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelectorAll("#board .arrow.user").length === 2 && document.querySelectorAll("#board .ring.user").length === 1);
  // They belong to their move.
  await page.keyboard.press("Home");
  assert.equal(await page.locator("#board .arrow.user").count(), 0);
});

test("the arrow keys step through the game after a click on a tab, and through the tabs from the keyboard", async () => {
  await open();
  await openPgn("1. e4 e5 2. Nf3 Nc6");
  await expectText("#moves", /Nc6/);
  await page.locator("#tab-analyse").click();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  assert.deepEqual(await page.evaluate(() => [globalThis.tabiya.tab, globalThis.tabiya.tree.node.san]), ["analyse", "e4"]);
  await page.focus("#tab-analyse");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => globalThis.tabiya.tab), "review");
});

test("the wheel steps through the game", async () => {
  await open();
  for (const move of ["e4", "e5"]) await type(move);
  await page.mouse.move(...(await point("d4")));
  const current = () => page.evaluate(() => globalThis.tabiya.tree.current);
  await page.mouse.wheel(0, -100);
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 1);
  await page.waitForTimeout(100);
  await page.mouse.wheel(0, 100);
  await page.waitForFunction(() => globalThis.tabiya.tree.current === 2);
  await page.waitForTimeout(100);
  await page.mouse.wheel(0, 100);
  await page.waitForTimeout(100);
  assert.equal(await current(), 2);
});

test("pieces, board colours and sounds are chosen and kept", async () => {
  await open();
  const light = () => page.evaluate(() => getComputedStyle(document.querySelector("rect.light")).fill);
  const king = () => page.evaluate(() => document.querySelector("#piece-k").innerHTML);
  const [firstLight, firstKing] = [await light(), await king()];
  await page.evaluate(() => {
    globalThis.tones = 0;
    const { OscillatorNode: Own } = globalThis;
    globalThis.OscillatorNode = class extends Own { constructor(...values) { super(...values); globalThis.tones++; } };
  });
  await type("e4");
  assert.equal(await page.evaluate(() => globalThis.tones), 0);
  await page.locator("#settings-open").click();
  await page.locator("#board-colors").selectOption("green");
  await page.locator("#piece-set").selectOption("flat");
  await page.locator("#sounds").check();
  await page.waitForFunction((before) => document.querySelector("#piece-k").innerHTML !== before, firstKing);
  assert.notEqual(await light(), firstLight);
  await page.keyboard.press("Escape");
  await picture("flat-pieces");
  await type("d5");
  await type("exd5");
  await page.waitForFunction(() => globalThis.tones === 3);
  await page.waitForTimeout(500);
  await page.reload();
  await page.waitForFunction((before) => document.querySelector("#piece-k").innerHTML !== before, firstKing);
  await page.locator("#settings-open").click();
  await page.locator("#piece-set").selectOption("classic");
  await page.waitForFunction((before) => document.querySelector("#piece-k").innerHTML === before, firstKing);
});

test("a key shows the keys", async () => {
  await open();
  await page.locator("h1").click();
  await page.keyboard.press("?");
  await page.locator("#keys").waitFor();
  await assertAccessible(page, "#keys");
  await page.keyboard.press("Escape");
  await page.locator("#keys").waitFor({ state: "hidden" });
});
