#!/usr/bin/env python3
"""Sends long random sessions to the engine, a mix of valid and invalid lines.

    python3 tests/clients/fuzz_session.py target/release/tabiya --protocol uci --seconds 300 --seed 1

The engine must not exit, hang, write to standard error or leak memory; every `go` must be answered by one `bestmove`, every
`ping` by a `pong`. Needs only Python. The same seed sends the same lines.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from engine_process import Engine

TIMEOUT = 20.0

FENS = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 99 80",
    "8/8/8/8/8/8/8/8 w - - 0 1",
    "4k3/8/8/9/8/8/8/4K3 x KQ e9 -1 z",
]
MOVES = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1 e8g8 e1c1 a1a8 0000 e7e8q h7h8n Nf3 O-O exd5 e9e4 a2a3 h7h6 b1c3".split()
NUMBERS = "0 1 2 3 10 100 -1 -100 99999999999999999999 1.5 x".split()
NOISE = ["", " ", "xyzzy", "é", "\x1b[31m", "\0", "x" * 5000, "position", "setoption", "usermove", "-" * 300, "=", '"']

UCI_OPTIONS = ["Clear Hash", "MultiPV", "UCI_ShowWDL", "UCI_LimitStrength", "UCI_Elo", "Skill Level", "Ponder",
               "Move Overhead", "UCI_Chess960", "UCI_AnalyseMode", "Evaluation", "Minimal", "UCI_Opponent", "nonsense"]
VALUES = ["true", "false", "1", "2", "3", "800", "1500", "2800", "0", "20", "nnue", "handcrafted", "classic", "", "-1", "many"]


def position(rng: random.Random) -> str:
    start = rng.choice(["startpos", "startpos", "fen " + rng.choice(FENS)])
    moves = " ".join(rng.choices(MOVES, k=rng.randrange(6))) if rng.random() < 0.5 else ""
    if start == "startpos" and rng.random() < 0.5:
        moves = " ".join(MOVES[: rng.randrange(8)])
    return f"position {start}" + (f" moves {moves}" if moves else "")


def uci_line(rng: random.Random) -> str | bytes:
    number = lambda: rng.choice(NUMBERS)
    kind = rng.randrange(20)
    if kind < 5:
        return position(rng)
    if kind < 9:
        limits = [f"nodes {rng.choice([1, 10, 500, 3000])}", f"depth {rng.randrange(1, 6)}", f"movetime {rng.choice([1, 20])}",
                 "infinite", "ponder", f"wtime {number()} btime {number()} winc {number()}", f"mate {number()}",
                 f"searchmoves {rng.choice(MOVES)} {rng.choice(MOVES)}", f"movestogo {number()}", "joho"]
        return "go " + " ".join(rng.sample(limits, rng.randrange(1, 4)))
    if kind < 11:
        return rng.choice(["stop", "ponderhit"])
    if kind < 14:
        return f"setoption name {rng.choice(UCI_OPTIONS)} value {rng.choice(VALUES)}"
    if kind < 15:
        return f"setoption name Hash value {rng.choice([1, 2, 8])}\nsetoption name Threads value {rng.choice([1, 2])}"
    if kind < 17:
        return rng.choice(["ucinewgame", "uci", "d", "eval", "fen", "flip", "moves", "moves e2e4", "version", "help",
                           "debug on", "debug off", "register later", "go perft 2"])
    if kind < 18:
        return bytes(rng.choices([byte for byte in range(256) if byte not in b"\r\n"], k=rng.randrange(60)))
    return " ".join(rng.choices(NOISE + MOVES + NUMBERS, k=rng.randrange(1, 6)))


def xboard_line(rng: random.Random) -> str | bytes:
    number = lambda: rng.choice(NUMBERS)
    kind = rng.randrange(20)
    if kind < 6:
        return rng.choice(["usermove ", "usermove ", ""]) + rng.choice(MOVES)
    if kind < 9:
        return rng.choice(["new", "force", "go", "playother", "?", "undo", "remove", "hard", "easy", "post", "nopost",
                           "analyze", "exit", ".", "hint", "bk", "draw", "result 1-0 {White mates}", "computer", "random"])
    if kind < 11:
        return f"setboard {rng.choice(FENS)}"
    if kind < 14:
        return rng.choice([f"level {number()} {number()} {number()}", f"level 40 0:0{rng.randrange(1, 5)} 0",
                           f"st {number()}", f"sd {rng.randrange(0, 5)}", f"time {number()}", f"otim {number()}",
                           "variant fischerandom", "variant normal", f"variant {rng.choice(NOISE)}"])
    if kind < 16:
        return rng.choice([f"option {rng.choice(UCI_OPTIONS).replace(' ', '')}={rng.choice(VALUES)}", "option",
                           f"memory {rng.choice([1, 2, 8, 'x'])}", f"cores {rng.choice([1, 2, 0])}", "protover 2",
                           "egtpath syzygy /nowhere", f"name {rng.choice(NOISE)}", "accepted san", "rating 1 2"])
    if kind < 17:
        return bytes(rng.choices([byte for byte in range(256) if byte not in b"\r\n"], k=rng.randrange(60)))
    return " ".join(rng.choices(NOISE + MOVES + NUMBERS, k=rng.randrange(1, 6)))


def has_go(line: str | bytes) -> bool:
    """True if the engine must answer this with a best move."""
    text = line if isinstance(line, str) else line.decode("utf-8", "replace")
    return text.startswith("go ") and "perft" not in text


def uci_round(engine: Engine, rng: random.Random) -> int:
    """Sends some lines, then waits until the engine is idle."""
    lines = [uci_line(rng) for _ in range(rng.randrange(1, 12))]
    expected = 0
    for line in lines:
        engine.send(line)
        expected += has_go(line)
    engine.send("stop")
    engine.send("debug off")
    engine.send("isready")
    # A search that is still running may answer after `readyok`.
    lines_before = engine.wait_for(lambda line: line == "readyok", TIMEOUT, "readyok")[2]
    best = sum(line.startswith("bestmove") for line in lines_before)
    while best < expected:
        engine.wait_for(lambda line: line.startswith("bestmove"), TIMEOUT, "bestmove")
        best += 1
    engine.send("isready")
    lines_before = engine.wait_for(lambda line: line == "readyok", TIMEOUT, "readyok")[2]
    best += sum(line.startswith("bestmove") for line in lines_before)
    assert best == expected, engine.with_transcript(f"{best} best moves for {expected} go")
    return len(lines)


def xboard_round(engine: Engine, rng: random.Random) -> int:
    lines = [xboard_line(rng) for _ in range(rng.randrange(1, 12))]
    for line in lines:
        engine.send(line)
        if rng.random() < 0.1:
            time.sleep(0.01)
    number = rng.randrange(1_000_000)
    engine.send("?")
    engine.send(f"ping {number}")
    engine.wait_for(lambda line: line == f"pong {number}", TIMEOUT, "pong")
    # Half of the time, end analysis and pondering before the next round.
    if rng.random() < 0.5:
        engine.send("force")
    return len(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--protocol", choices=["uci", "xboard"], default="uci")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    play_round = uci_round if arguments.protocol == "uci" else xboard_round
    engine = Engine(arguments.path)
    engine.send("uci" if arguments.protocol == "uci" else "xboard")
    begin, rounds, lines = time.monotonic(), 0, 0
    #: The maximum memory in each twentieth of the time.
    memory = [0] * 20
    while (now := time.monotonic()) < begin + arguments.seconds:
        lines += play_round(engine, rng)
        rounds += 1
        part = int((now - begin) / arguments.seconds * len(memory))
        memory[part] = max(memory[part], engine.memory_kb())
    code = engine.end()
    assert code == 0, f"the engine exited with {code}: {engine.stderr()}"
    assert not engine.stderr(), engine.stderr()
    print(f"{arguments.protocol}: {rounds} rounds, {lines} lines, seed {arguments.seed}")
    print("memory (MB):", " ".join(f"{kilobytes / 1024:.1f}" for kilobytes in memory))
    # Memory varies with the hash size and the threads, and allocators keep freed memory. In a long session the maximum must be
    # reached before the last fifth.
    early, late = max(memory[:16]), max(memory[16:])
    assert arguments.seconds < 300 or late < early + 4_000, f"memory grew from {early} to {late} kB"
    print("passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
