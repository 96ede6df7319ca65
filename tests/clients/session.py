#!/usr/bin/env python3
"""Tests Tabiya's UCI with an independent client: python-chess's engine module.

    python3 -m venv .venv
    .venv/bin/pip install -r tests/clients/requirements.txt
    .venv/bin/python tests/clients/session.py target/release/tabiya [--games N]

Prints a line for each check and `N passed, M failed` at the end; exits with 1 if any failed. python-chess logs a warning for
unexpected output of the engine, and a warning fails the check.
"""

from __future__ import annotations

import argparse
import faulthandler
import functools
import sys
import time
from typing import Callable

import chess
import chess.engine
from chess.engine import Limit, SimpleEngine
from engine_process import Warnings, run_checks

# Limits for a hanging engine: the slowest check takes seconds.
COMMAND_TIMEOUT = 30.0
RUN_TIMEOUT = 3600.0

GAME_CLOCK = 1.0
GAME_INCREMENT = 0.01
# Allowance for pipes, Python and a busy machine, in seconds.
GAME_MARGIN = 0.5

CHECKS: list[Callable[["Bench"], None]] = []


def check(function: Callable[["Bench"], None]) -> Callable[["Bench"], None]:
    CHECKS.append(function)
    return function


class Bench:
    """Starts engines and checks that they exit."""

    def __init__(self, path: str, games: int) -> None:
        self.path, self.games = path, games
        self.running: list[SimpleEngine] = []

    def start(self) -> SimpleEngine:
        engine = SimpleEngine.popen_uci(self.path, timeout=COMMAND_TIMEOUT)
        self.running.append(engine)
        return engine

    def stop_all(self) -> None:
        engines, self.running = self.running, []
        for engine in engines:
            engine.quit()
            code = engine.protocol.returncode.result()
            engine.close()
            assert code == 0, f"the engine exited with {code}"


@check
def handshake(bench: Bench) -> None:
    engine = bench.start()
    assert engine.id["name"].startswith("Tabiya "), engine.id
    assert engine.id["author"], engine.id
    engine.ping()
    for name, kind in [
        ("Hash", "spin"),
        ("Threads", "spin"),
        ("Clear Hash", "button"),
        ("Move Overhead", "spin"),
        ("UCI_Chess960", "check"),
        ("Evaluation", "combo"),
    ]:
        assert engine.options[name].type == kind, engine.options[name]
    assert engine.options["Evaluation"].var == ["nnue", "handcrafted", "classic"], engine.options["Evaluation"]


@check
def options(bench: Bench) -> None:
    engine = bench.start()
    hash_option = engine.options["Hash"]
    for value in (hash_option.min, 32, hash_option.default):
        engine.configure({"Hash": value})
        engine.ping()
    engine.configure({"Clear Hash": None, "Threads": 1, "Move Overhead": 50})
    for evaluation in ("classic", "handcrafted", "nnue"):
        engine.configure({"Evaluation": evaluation})
        assert engine.play(chess.Board(), Limit(depth=3)).move in chess.Board().legal_moves
    engine.ping()


@check
def play_with_every_kind_of_limit(bench: Bench) -> None:
    engine = bench.start()
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    for limit in (
        Limit(depth=4),
        Limit(nodes=2000),
        Limit(time=0.1),
        Limit(mate=1, time=0.2),
        Limit(white_clock=1, black_clock=1),
        Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        Limit(white_clock=2, black_clock=2, remaining_moves=10),
        Limit(white_clock=0.001, black_clock=0.001),
    ):
        start = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        taken = time.monotonic() - start
        assert result.move in board.legal_moves, (limit, result)
        assert taken < 3, (limit, taken)
        assert "score" in result.info and "pv" in result.info, (limit, result.info)


@check
def pondering(bench: Bench) -> None:
    engine = bench.start()
    board = chess.Board()
    clock = Limit(white_clock=2, black_clock=2)
    for _ in range(4):
        result = engine.play(board, clock, ponder=True)
        assert result.move in board.legal_moves, result
        board.push(result.move)
        # Sometimes the expected reply, sometimes another one.
        reply = result.ponder if len(board.move_stack) % 4 == 1 else None
        if reply not in board.legal_moves:
            reply = next(iter(board.legal_moves))
        board.push(reply)
    engine.ping()


@check
def analyse_to_a_depth(bench: Bench) -> None:
    engine = bench.start()
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    for multipv in (None, 1):
        infos = engine.analyse(board, Limit(depth=6), multipv=multipv)
        info = infos if multipv is None else infos[0]
        assert info["depth"] == 6, info
        assert info["nodes"] > 0 and info["time"] >= 0 and info["nps"] > 0, info
        assert info["score"].turn == chess.WHITE, info
        line = board.copy()
        for move in info["pv"]:
            assert move in line.legal_moves, info
            line.push(move)


@check
def stopped_analysis(bench: Bench) -> None:
    engine = bench.start()
    for _ in range(5):
        with engine.analysis(chess.Board()) as analysis:
            for info in analysis:
                if info.get("depth", 0) >= 4:
                    break
            start = time.monotonic()
        assert time.monotonic() - start < 1, "slow to stop"
        engine.ping()
    assert engine.play(chess.Board(), Limit(depth=2)).move in chess.Board().legal_moves


@check
def chess960(bench: Bench) -> None:
    engine = bench.start()
    for number in (0, 123, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        board.chess960 = True
        while not board.is_game_over() and board.ply() < 30:
            result = engine.play(board, Limit(nodes=1000))
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
        info = engine.analyse(board, Limit(depth=4))
        assert info["pv"][0] in board.legal_moves, info
    # Castling on both sides and in both notations.
    for fen, wanted in (
        ("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1", ("e1g1", "e1b1")),
        ("4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", ("e1h1", "e1a1")),
    ):
        for uci in wanted:
            board = chess.Board(fen, chess960=True)
            castling = board.parse_uci(uci)
            assert board.is_castling(castling)
            assert engine.play(board, Limit(depth=3), root_moves=[castling]).move == castling
    # Back in ordinary chess.
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    for uci in ("e1g1", "e1c1"):
        castling = board.parse_uci(uci)
        assert engine.play(board, Limit(depth=3), root_moves=[castling]).move == castling


@check
def whole_games(bench: Bench) -> None:
    for _ in range(bench.games):
        whole_game(bench)
        bench.stop_all()


def whole_game(bench: Bench) -> None:
    """Tabiya against Tabiya, on the clock."""
    engines = {chess.WHITE: bench.start(), chess.BLACK: bench.start()}
    clocks = {chess.WHITE: GAME_CLOCK, chess.BLACK: GAME_CLOCK}
    board = chess.Board()
    while board.outcome(claim_draw=True) is None and board.ply() < 600:
        side = board.turn
        limit = Limit(
            white_clock=max(clocks[chess.WHITE], 0),
            black_clock=max(clocks[chess.BLACK], 0),
            white_inc=GAME_INCREMENT,
            black_inc=GAME_INCREMENT,
        )
        start = time.monotonic()
        result = engines[side].play(board, limit, game="a whole game")
        clocks[side] -= time.monotonic() - start
        assert clocks[side] > -GAME_MARGIN, f"{board.fen()}: over time by {-clocks[side]:.3f} s"
        clocks[side] += GAME_INCREMENT
        assert result.move in board.legal_moves, (board.fen(), result)
        assert not result.resigned and not result.draw_offered
        board.push(result.move)
    outcome = board.outcome(claim_draw=True)
    print(f"     {board.ply()} plies, {outcome.result() if outcome else '*'},"
          f" clocks {clocks[chess.WHITE]:.2f} s and {clocks[chess.BLACK]:.2f} s")


def with_exit_check(function: Callable[["Bench"], None], bench: Bench) -> Callable[[], None]:
    """The check, followed by a check that its engines exit."""

    @functools.wraps(function)
    def checked() -> None:
        try:
            function(bench)
        finally:
            bench.stop_all()

    return checked


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--games", type=int, default=1, help="whole games to play (default: %(default)s)")
    arguments = parser.parse_args()
    faulthandler.dump_traceback_later(RUN_TIMEOUT, exit=True)
    bench = Bench(arguments.path, arguments.games)
    return run_checks([with_exit_check(function, bench) for function in CHECKS], Warnings())


if __name__ == "__main__":
    sys.exit(main())
