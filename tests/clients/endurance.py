#!/usr/bin/env python3
"""Lets the engine analyse for long, with stop, ponderhit, position and setoption at random in between.

    python3 tests/clients/endurance.py target/release/tabiya --seconds 3600 --seed 1 [--threads 2] [--check]

The engine must not end, fall silent, write to its standard error, or keep on growing; each `go` must have its
one `bestmove`, not before it is due. Prints how long `stop` and `isready` took to be answered, and beside it how
late this script itself is woken up: on a busy machine that is what decides. Needs nothing but Python. With
`--check` it exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
import time

from conversation import Engine
from fuzz_session import FENS, UCI_OPTIONS
from latency import quantile

#: How long any answer may take before the engine counts as hung.
PATIENCE = 20.0

#: Milliseconds that 99 of 100 answers may take.
GOALS = {"stop to bestmove": 20.0, "ponderhit to bestmove": 400.0, "isready during a search": 20.0}

#: Positions with a game left to play.
POSITIONS = ["startpos", "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", *(f"fen {fen}" for fen in FENS[:6])]

#: The game is over in these: the answer is due at once or, where the search has no end, when it is asked for.
FINISHED = ["fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "startpos moves f2f3 e7e5 g2g4 d8h4"]

#: With so much on the clock a move takes no more than a part of it.
CLOCK = "wtime 300 btime 300 winc 10 binc 10"


class Machine(threading.Thread):
    """How late a thread is woken up that sleeps for a millisecond at a time."""

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
    """A change of an option that keeps the engine small, and its output in proportion."""
    name = rng.choice(["Hash", "Threads", "MultiPV", *UCI_OPTIONS])
    value = {
        "Hash": rng.choice([1, 2, 16, 64]), "Threads": rng.randrange(1, threads + 1), "MultiPV": rng.randrange(1, 5),
        "Evaluation": rng.choice(["handcrafted", "classic"]), "UCI_Elo": 2000, "Skill Level": rng.choice([5, 20]), "Move Overhead": 10,
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
        self.engine.wait_for(lambda line: line == "uciok", PATIENCE, "uciok")

    def is_ready(self) -> tuple[float, int]:
        """How long the answer took, and how many best moves came before it."""
        sent = self.engine.send("isready")
        when, _, before = self.engine.wait_for(lambda line: line == "readyok", PATIENCE, "readyok")
        return when - sent, sum(map(is_best, before))

    def answer(self, command: str) -> None:
        """Sends what makes the best move due, and waits for it."""
        sent = self.engine.send(command)
        when = self.engine.wait_for(is_best, PATIENCE, f"bestmove after {command}")[0]
        self.times[f"{command} to bestmove"].append(when - sent)

    def disturb(self, ponders: bool) -> None:
        """Something that a GUI may send during a search, and that must not end it."""
        kind = self.rng.randrange(6)
        if kind < 2:
            self.engine.send(option(self.rng, self.threads))
        elif kind == 2:
            self.engine.send("position " + self.rng.choice(POSITIONS))
        elif kind == 3 and not ponders:
            self.engine.send("ponderhit")
        else:
            time_taken, best = self.is_ready()
            self.times["isready during a search"].append(time_taken)
            assert not best, self.engine.tell("a best move before it was due")

    def search(self) -> None:
        """One search, to its answer and no farther."""
        rng, engine = self.rng, self.engine
        for _ in range(rng.randrange(3)):
            engine.send(option(rng, self.threads))
        if rng.random() < 0.2:
            engine.send("ucinewgame")
        engine.send("position " + rng.choice(POSITIONS if rng.random() < 0.95 else FINISHED))
        # What was changed takes effect before the clock runs.
        assert not self.is_ready()[1], engine.tell("a best move that nobody asked for")
        ponders = rng.random() < 0.4
        engine.send(f"go ponder {CLOCK}" if ponders else "go infinite")
        self.searches += 1
        for _ in range(rng.choice([0, 0, 1, 2, 3, 8])):
            time.sleep(rng.choice([0.0, 0.001, 0.01, 0.1, 0.3]))
            self.disturb(ponders)
        self.answer("ponderhit" if ponders and rng.random() < 0.6 else "stop")
        if rng.random() < 0.3:
            engine.send("stop")
        assert not self.is_ready()[1], engine.tell("two best moves for one go")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="the most search threads")
    parser.add_argument("--check", action="store_true", help="fail if a goal is missed")
    arguments = parser.parse_args()
    machine = Machine()
    session = Session(arguments.path, arguments.seed, arguments.threads)
    end, early = time.monotonic() + arguments.seconds, 0
    while time.monotonic() < end:
        session.search()
        if session.searches == 100:
            early = session.engine.memory_kb()
    late = session.engine.memory_kb()
    code = session.engine.end()
    assert code == 0, f"the engine ended with {code}: {session.engine.stderr()}"
    assert not session.engine.stderr(), session.engine.stderr()
    # A table of up to 64 MB comes and goes, and two of them for a moment; more than that is a leak.
    assert not early or late < early + 200_000, f"memory grew from {early} to {late} kB"
    print(f"{session.searches} searches, seed {arguments.seed}; memory {early} kB early, {late} kB at the end; no fault")
    missed = 0
    print(f"{'milliseconds':<26}{'answers':>9}{'median':>10}{'99 %':>10}{'most':>10}{'goal':>10}")
    for name, values in {**session.times, "this script woken up": machine.delays}.items():
        if values:
            most, late_ones = max(values) * 1000, quantile(values, 0.99) * 1000
            goal = GOALS.get(name)
            missed += goal is not None and late_ones > goal
            note = "" if goal is None else f"{goal:>10.0f}{'   missed' if late_ones > goal else ''}"
            print(f"{name:<26}{len(values):>9}{quantile(values, 0.5) * 1000:>10.2f}{late_ones:>10.2f}{most:>10.2f}{note}")
    return 1 if arguments.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
