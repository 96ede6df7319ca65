// Unit tests of the kept games, on the IndexedDB of the package fake-indexeddb.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { beforeEach, test } from "node:test";
import { Store, newId, storageProblem, textId } from "../../../crates/web/page/store.js";

const { IDBFactory } = createRequire(import.meta.url)("fake-indexeddb");
createRequire(import.meta.url)("fake-indexeddb/auto");

const summary = { players: ["Anna", "Bo"], event: "", date: "", result: "*", opening: "", plies: 1 };
const treeWith = (comment) => ({ start: "", nodes: [{ comments: [comment] }] });

beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

test("a game is kept, listed, deleted, restored and removed for good", async () => {
  const store = new Store();
  const { id, version } = await store.put({ id: newId(), version: 0, tree: treeWith("one") }, summary);
  assert.equal(version, 1);
  assert.deepEqual((await store.get(id)).tree, treeWith("one"));
  await store.setDeleted(id, true);
  assert.equal(typeof (await store.list())[0].deleted, "number");
  await store.setDeleted(id, false);
  await store.removeDeleted([id]);
  assert.equal((await store.list()).length, 1);
  await store.setDeleted(id, true);
  await store.removeDeleted([newId()]);
  assert.equal((await store.list()).length, 1);
  await store.removeDeleted([id]);
  assert.deepEqual([await store.list(), await store.get(id)], [[], undefined]);
});

test("of two tabs that change the same game, neither overwrites the other", async () => {
  const store = new Store();
  const { id } = await store.put({ id: newId(), version: 0, tree: treeWith("one") }, summary);
  const first = await store.put({ id, version: 1, tree: treeWith("two") }, summary);
  const second = await store.put({ id, version: 1, tree: treeWith("three") }, summary);
  assert.deepEqual([first.id, first.version], [id, 2]);
  assert.notEqual(second.id, id);
  assert.deepEqual((await store.get(id)).tree, treeWith("two"));
  assert.equal((await store.list()).length, 2);
  // The same content again is no other game.
  assert.equal((await store.put({ id, version: 1, tree: treeWith("two") }, summary)).id, id);
});

test("a file that is opened twice has its games once, with their notes", async () => {
  const store = new Store();
  const games = ["1. e4 *", '[ECO "B00"]\n[Opening "Owen"]\n\n1. e4 b6 *'].map((pgn) => ({ ...summary, pgn }));
  const ids = await store.add(games);
  await store.put({ id: ids[0], version: 0, tree: treeWith("note") }, summary);
  assert.deepEqual(await store.add(games), ids);
  assert.equal((await store.list()).length, 2);
  assert.deepEqual((await store.get(ids[0])).tree, treeWith("note"));
  assert.equal((await store.list()).find((game) => game.id === ids[1]).opening, "B00 Owen");
  // A deleted game comes back.
  await store.setDeleted(ids[0], true);
  await store.add(games);
  assert.deepEqual((await store.list()).map(({ deleted }) => deleted), [undefined, undefined]);
  assert.deepEqual((await store.get(ids[0])).tree, treeWith("note"));
});

test("a game that was changed here is found by its summary, and not added again", async () => {
  const store = new Store();
  const { id } = await store.put({ id: newId(), version: 0, tree: treeWith("one") }, summary);
  await store.put({ id: newId(), version: 0, tree: treeWith("two") }, { ...summary, plies: 2 });
  const game = { ...summary, pgn: "1. e4 {one} *" };
  const found = await store.changedLike([game]);
  assert.deepEqual(found, [{ id, tree: treeWith("one") }]);
  assert.deepEqual(await store.add([game], new Map([[textId(game.pgn), id]])), [id]);
  assert.equal((await store.list()).length, 2);
});

test("ids of texts differ with the text, and a full storage is named", () => {
  assert.equal(textId("1. e4 *"), textId("1. e4 *"));
  assert.notEqual(textId("1. e4 *"), textId("1. d4 *"));
  assert.match(storageProblem(new DOMException("full", "QuotaExceededError")), /is full/);
  assert.match(storageProblem(new Error("not allowed")), /not allowed/);
});
