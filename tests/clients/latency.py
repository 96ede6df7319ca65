#!/usr/bin/env python3
"""Measures response times: start-up, `isready` during a search, `stop`, a new hash size.

    python3 tests/clients/latency.py target/release/tabiya [--threads 2] [--check]

Needs nothing but Python. With `--check` it exits with 1 if a goal is missed; a busy machine misses them.
"""

from __future__ import annotations

import argparse
import sys
import time

from engine_process import Engine

#: The measurements: the goal in milliseconds, and the share of measurements that must reach it.
GOALS = {
    "start-up to uciok": (20.0, 0.99),
    "start-up to readyok": (100.0, 0.99),
    "isready during a search": (5.0, 0.99),
    "stop to bestmove": (20.0, 0.99),
    "isready after Hash 1024": (1000.0, 0.99),
}


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def measure(path: str, threads: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {name: [] for name in GOALS}
    for _ in range(200):
        begin = time.monotonic()
        engine = Engine(path)
        engine.send("uci")
        when = engine.wait_for(lambda line: line == "uciok", 10, "uciok")[0]
        times["start-up to uciok"].append(when - begin)
        engine.send("isready")
        when = engine.wait_for(lambda line: line == "readyok", 10, "readyok")[0]
        times["start-up to readyok"].append(when - begin)
        engine.end()
    engine = Engine(path)
    engine.send(f"setoption name Threads value {threads}")
    for _ in range(100):
        engine.send("go infinite")
        for _ in range(10):
            time.sleep(0.01)
            sent = engine.send("isready")
            when = engine.wait_for(lambda line: line == "readyok", 10, "readyok")[0]
            times["isready during a search"].append(when - sent)
        sent = engine.send("stop")
        when = engine.wait_for(lambda line: line.startswith("bestmove"), 10, "bestmove")[0]
        times["stop to bestmove"].append(when - sent)
    for megabytes in (1024, 16, 1024):
        sent = engine.send(f"setoption name Hash value {megabytes}")
        engine.send("isready")
        when = engine.wait_for(lambda line: line == "readyok", 60, "readyok")[0]
        if megabytes == 1024:
            times["isready after Hash 1024"].append(when - sent)
    engine.end()
    return times


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    missed = 0
    print(f"{'':<26}{'median':>10}{'99 %':>10}{'max':>10}{'goal':>10}   (milliseconds)")
    for name, values in measure(arguments.path, arguments.threads).items():
        values = [value * 1000 for value in values]
        goal, share = GOALS[name]
        reached = quantile(values, share) <= goal
        missed += not reached
        print(f"{name:<26}{quantile(values, 0.5):>10.2f}{quantile(values, 0.99):>10.2f}{max(values):>10.2f}"
              f"{goal:>10.0f}   {'' if reached else 'missed'}")
    return 1 if arguments.check and missed else 0


if __name__ == "__main__":
    sys.exit(main())
