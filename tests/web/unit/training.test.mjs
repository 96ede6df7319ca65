// Unit tests of the training: judgement of answers, exercises of a game, puzzles, and the schedule of repetitions.

import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { barOf, chances } from "../../../crates/web/page/chess.js";
import { choosePuzzle, exerciseReason, exerciseTitle, exercisesOf, isGoodMove, parsePuzzles, PUZZLE_LEVELS, puzzleExercise } from "../../../crates/web/page/exercises.js";
import { daysUntil, newSchedule, nextSchedule } from "../../../crates/web/page/repetition.js";
import { TrainingStore } from "../../../crates/web/page/training-store.js";
import { Tree } from "../../../crates/web/page/tree.js";

createRequire(import.meta.url)("fake-indexeddb/auto");

test("an answer is right if it loses few winning chances", () => {
  assert.equal(chances({ cp: 0 }, "white"), 0.5);
  assert.ok(Math.abs(chances({ cp: 300 }, "black") - 0.249) < 0.001);
  assert.equal(chances({ mate: -2 }, "black"), 1);
  // The bar of a PGN's evaluation shows the same.
  assert.equal(barOf({ cp: 300 }).white, chances({ cp: 300 }, "white"));
  assert.equal(barOf({ cp: 300, white: 0.6 }).white, 0.6);
  assert.equal(isGoodMove({ cp: 40 }, { cp: 0 }, "white"), true);
  assert.equal(isGoodMove({ cp: 40 }, { cp: -40 }, "white"), false);
  assert.equal(isGoodMove({ cp: -300 }, { cp: -280 }, "black"), true);
  assert.equal(isGoodMove({ cp: 900 }, { cp: 700 }, "white"), true);
  assert.equal(isGoodMove({ mate: 2 }, { mate: 4 }, "white"), true);
  assert.equal(isGoodMove({ mate: 2 }, { cp: 2000 }, "white"), false);
  assert.equal(isGoodMove({ mate: 2 }, { mate: 2 }, "black"), true);
});

const nodes = [
  { eval: { cp: 20 } }, { uci: "f2f3", san: "f3", eval: { cp: -60 } }, { uci: "e7e5", san: "e5", eval: { cp: -60 } },
  { uci: "g2g4", san: "g4", judgement: "blunder", best: 5, eval: { mate: -1 }, reason: { text: "Allows mate: Qh4#.", arrows: [] } },
  { uci: "d8h4", san: "Qh4#" }, { parent: 2, uci: "e2e4", san: "e4" },
];
const tree = Tree.from({ start: new Tree().start, tags: [["White", "Anna"]], nodes });

test("the exercises of a game are its own mistakes and those to be punished", () => {
  const [own, ...others] = exercisesOf(tree, "white");
  assert.equal(others.length, 0);
  assert.deepEqual([own.kind, own.game.moves, own.played, own.solution, own.side], ["mistake", ["f2f3", "e7e5"], "g2g4", ["e2e4"], "white"]);
  assert.equal(exerciseTitle(own), "You played 2. g4. Find something better.");
  assert.equal(exerciseReason(own), "2. g4: Allows mate: Qh4#.");
  const [punished] = exercisesOf(tree, "black");
  assert.deepEqual([punished.kind, punished.game.moves.length, punished.solution, punished.score], ["punish", 3, [], { mate: -1 }]);
  assert.match(exerciseTitle(punished), /^White played 2\. g4, a blunder/);
  assert.notEqual(own.id, punished.id);
});

test("SM-2 waits a day, six days, then longer by the ease, and begins again after a failure", () => {
  let schedule = newSchedule(0);
  const intervals = [5, 5, 5, 3, 1, 5].map((grade) => {
    const now = schedule.due;
    schedule = nextSchedule(schedule, grade, now);
    assert.equal(daysUntil(schedule.due, now), schedule.interval);
    return schedule.interval;
  });
  assert.deepEqual(intervals, [1, 6, 17, 45, 1, 1]);
  // Before its time.
  assert.equal(nextSchedule(schedule, 5, schedule.due - 1), schedule);
  assert.equal(nextSchedule(schedule, 2, schedule.due - 1).repetitions, 0);
  for (let round = 0; round < 20; round++) schedule = nextSchedule(schedule, 0, 0);
  assert.equal(schedule.ease, 1.3);
});

test("an exercise is due when its day begins, also after a change of the clocks", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Vienna";
  try {
    // The days before the clocks go forward and back.
    for (const [year, month, day] of [[2026, 2, 28], [2026, 9, 24]]) {
      for (const hour of [0, 12, 23]) {
        const now = new Date(year, month, day, hour, 30).getTime();
        const first = nextSchedule(newSchedule(now), 5, now);
        assert.equal(first.due, new Date(year, month, day + 1).getTime());
        assert.equal(daysUntil(first.due, now), 1);
        const second = nextSchedule(first, 5, first.due);
        assert.equal(second.due, new Date(year, month, day + 7).getTime());
        assert.equal(daysUntil(second.due, first.due), 6);
        // As an earlier version has kept it.
        assert.equal(daysUntil(new Date(year, month, day + 1, 23, 30).getTime(), now), 1);
      }
    }
    assert.equal(daysUntil(new Date(2026, 0, 1, 23).getTime(), new Date(2026, 0, 1, 1).getTime()), 0);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

test("the packed puzzles are read and chosen by theme and level, those not solved first", () => {
  const puzzles = parsePuzzles(fs.readFileSync(new URL("../../../crates/web/puzzles/puzzles.txt", import.meta.url), "utf8"));
  assert.ok(puzzles.length > 3000);
  for (const [least, most] of PUZZLE_LEVELS) {
    const count = puzzles.filter(({ rating }) => rating >= least && rating < most).length;
    assert.ok(count > 300, `${count} puzzles from ${least}`);
  }
  const wanted = { theme: "fork", level: [1300, 1600] };
  const first = choosePuzzle(puzzles, wanted, new Set(), 0);
  assert.ok(first.themes.includes("fork") && first.rating >= 1300 && first.rating < 1600);
  assert.notEqual(choosePuzzle(puzzles, wanted, new Set([first.start]), 0).start, first.start);
  assert.equal(choosePuzzle([first], wanted, new Set([first.start]), 0.99).start, first.start);
  assert.equal(choosePuzzle(puzzles, { theme: "none", level: [0, 9999] }, new Set(), 0), undefined);
  const exercise = puzzleExercise(first);
  assert.deepEqual([exercise.game.moves, exercise.solution], [first.moves.slice(0, 1), first.moves.slice(1)]);
  assert.notEqual(exercise.side[0], first.start.split(" ")[1]);
});

test("an exercise that is added again keeps its schedule", async () => {
  const store = new TrainingStore();
  const [exercise] = exercisesOf(tree, "white");
  await store.add([exercise], 0);
  const [card] = await store.all();
  assert.equal(card.schedule.due, 0);
  const schedule = nextSchedule(card.schedule, 5, 0);
  await store.put({ ...card, schedule });
  await store.add([exercise, ...exercisesOf(tree, "black")], 0);
  assert.deepEqual((await store.all()).map((kept) => [kept.kind, kept.schedule.due]), [["punish", 0], ["mistake", schedule.due]]);
  await store.setSolved("start");
  assert.deepEqual([...await store.solved()], ["start"]);
});
