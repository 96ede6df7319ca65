#!/usr/bin/env python3
"""Lets the engine analyse for hours, with random stop, ponderhit, position and setoption.

    python3 tests/clients/endurance.py target/release/tabiya --seconds 3600 --seed 1 [--threads 2] [--check]

The engine must not exit, hang, write to standard error or leak memory; every `go` must be answered by one `bestmove`, not before it
is due. Prints the response times of `stop` and `isready`, and the wake-up delay of this script, which dominates on a busy
machine. Needs only Python. With `--check` it exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time

from engine_process import Engine
from fuzz_session import FENS, UCI_OPTIONS
from latency import quantile

#: Maximum time for any answer.
TIMEOUT = 20.0

#: Goals in milliseconds for the 99th percentile.
GOALS = {"stop to bestmove": 20.0, "ponderhit to bestmove": 400.0, "isready during a search": 20.0}

#: Positions with legal moves.
POSITIONS = ["startpos", "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", *(f"fen {fen}" for fen in FENS[:6])]

#: Finished games: the answer is due at once, or on request in an infinite search.
FINISHED = ["fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "startpos moves f2f3 e7e5 g2g4 d8h4"]

#: A clock that makes moves short.
CLOCK = "wtime 300 btime 300 winc 10 binc 10"


class WakeUpDelay(threading.Thread):
    """Measures how late a sleeping thread is woken up."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.delays: list[float] = []
        self.start()

    def run(self) -> None:
        while True:
            begin = time.monotonic()
            time.sleep(0.02)
            self.delays.append(time.monotonic() - begin - 0.02)


def option(rng: random.Random, threads: int) -> str:
    """A random `setoption` that keeps memory and output small."""
    name = rng.choice(["Hash", "Threads", "MultiPV", *UCI_OPTIONS])
    value = {
        "Hash": rng.choice([1, 2, 16, 64]), "Threads": rng.randrange(1, threads + 1), "MultiPV": rng.randrange(1, 5),
        "Evaluation": rng.choice(["nnue", "handcrafted", "classic"]), "UCI_Elo": 2000, "Skill Level": rng.choice([5, 20]), "Move Overhead": 10,
    }.get(name, rng.choice(["true", "false"]))
    return f"setoption name {name} value {value}"


def is_best(line: str) -> bool:
    return line.startswith("bestmove")


class Session:
    def __init__(self, path: str, seed: int, threads: int) -> None:
        self.rng = random.Random(seed)
        self.threads = threads
        self.engine = Engine(path)
        self.searches = 0
        self.times: dict[str, list[float]] = {name: [] for name in GOALS}
        self.engine.send("uci")
        self.engine.wait_for(lambda line: line == "uciok", TIMEOUT, "uciok")

    def is_ready(self) -> tuple[float, int]:
        """Returns the response time, and the number of best moves before the answer."""
        sent = self.engine.send("isready")
        when, _, before = self.engine.wait_for(lambda line: line == "readyok", TIMEOUT, "readyok")
        return when - sent, sum(map(is_best, before))

    def answer(self, command: str) -> None:
        """Sends a command that makes the best move due, and waits for it."""
        sent = self.engine.send(command)
        when = self.engine.wait_for(is_best, TIMEOUT, f"bestmove after {command}")[0]
        self.times[f"{command} to bestmove"].append(when - sent)

    def disturb(self, ponder: bool) -> None:
        """Sends a command that must not end the search."""
        kind = self.rng.randrange(6)
        if kind < 2:
            self.engine.send(option(self.rng, self.threads))
        elif kind == 2:
            self.engine.send("position " + self.rng.choice(POSITIONS))
        elif kind == 3 and not ponder:
            self.engine.send("ponderhit")
        else:
            time_taken, best = self.is_ready()
            self.times["isready during a search"].append(time_taken)
            assert not best, self.engine.with_transcript("a best move before it was due")

    def search(self) -> None:
        """Runs one search up to its best move."""
        rng, engine = self.rng, self.engine
        for _ in range(rng.randrange(3)):
            engine.send(option(rng, self.threads))
        if rng.random() < 0.2:
            engine.send("ucinewgame")
        engine.send("position " + rng.choice(POSITIONS if rng.random() < 0.95 else FINISHED))
        # Changes take effect before the clock starts.
        assert not self.is_ready()[1], engine.with_transcript("a best move without a go")
        ponder = rng.random() < 0.4
        engine.send(f"go ponder {CLOCK}" if ponder else "go infinite")
        self.searches += 1
        for _ in range(rng.choice([0, 0, 1, 2, 3, 8])):
            time.sleep(rng.choice([0.0, 0.001, 0.01, 0.1, 0.3]))
            self.disturb(ponder)
        self.answer("ponderhit" if ponder and rng.random() < 0.6 else "stop")
        if rng.random() < 0.3:
            engine.send("stop")
        assert not self.is_ready()[1], engine.with_transcript("two best moves for one go")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="maximum number of search threads")
    parser.add_argument("--check", action="store_true", help="fail if a goal is missed")
    arguments = parser.parse_args()
    wake_up = WakeUpDelay()
    session = Session(arguments.path, arguments.seed, arguments.threads)
    end, early = time.monotonic() + arguments.seconds, 0
    while time.monotonic() < end:
        session.search()
        if session.searches == 100:
            early = session.engine.memory_kb()
    late = session.engine.memory_kb()
    code = session.engine.end()
    assert code == 0, f"the engine exited with {code}: {session.engine.stderr()}"
    assert not session.engine.stderr(), session.engine.stderr()
    # The hash is up to 64 MB, twice that during a resize; more growth is a leak.
    assert not early or late < early + 200_000, f"memory grew from {early} to {late} kB"
    print(f"{session.searches} searches, seed {arguments.seed}; memory {early} kB early, {late} kB at the end")
    missed = 0
    print(f"{'milliseconds':<26}{'answers':>9}{'median':>10}{'99 %':>10}{'max':>10}{'goal':>10}")
    for name, values in {**session.times, "wake-up delay": wake_up.delays}.items():
        if values:
            maximum, percentile = max(values) * 1000, quantile(values, 0.99) * 1000
            goal = GOALS.get(name)
            missed += goal is not None and percentile > goal
            note = "" if goal is None else f"{goal:>10.0f}{'   missed' if percentile > goal else ''}"
            print(f"{name:<26}{len(values):>9}{quantile(values, 0.5) * 1000:>10.2f}{percentile:>10.2f}{maximum:>10.2f}{note}")
    return 1 if arguments.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
