#!/usr/bin/env python3
"""Tests Tabiya's xboard protocol with independent clients.

    .venv/bin/python tests/clients/xboard_session.py target/release/tabiya [--games N] [--seconds S]

First python-chess's XBoardEngine; then the program xboard under the virtual display Xvfb, which plays games of Tabiya against
Tabiya and checks every move and result. The latter is skipped if they are not installed (`apt-get install xboard xvfb`).

Prints a line for each check and `N passed, M failed` at the end; exits with 1 if any failed. A warning of python-chess or an
error of xboard fails the check.
"""

from __future__ import annotations

import argparse
import faulthandler
import io
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import chess
import chess.engine
import chess.pgn
from chess.engine import Limit, SimpleEngine
from engine_process import Warnings, run_checks

COMMAND_TIMEOUT = 30.0
RUN_TIMEOUT = 5400.0
#: Time without communication after which the match is taken to hang.
SILENCE = 60.0

PATH = ""
GAMES = 2
#: The base time in xboard's games.
SECONDS = 20


def start() -> SimpleEngine:
    return SimpleEngine.popen_xboard(PATH, timeout=COMMAND_TIMEOUT)


def end(engine: SimpleEngine) -> None:
    engine.quit()
    code = engine.protocol.returncode.result()
    engine.close()
    assert code == 0, f"the engine exited with {code}"


def handshake() -> None:
    engine = start()
    assert engine.id["name"].startswith("Tabiya "), engine.id
    for name in ("memory", "cores", "MoveOverhead", "Evaluation", "UCI_LimitStrength", "UCI_Elo"):
        assert name in engine.options, (name, sorted(engine.options))
    engine.configure({"memory": 8, "cores": 2, "Evaluation": "classic", "MoveOverhead": 50})
    engine.ping()
    end(engine)


def play_with_every_kind_of_limit() -> None:
    engine = start()
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    for limit in (
        Limit(depth=4),
        Limit(time=1),
        Limit(white_clock=1, black_clock=1),
        Limit(white_clock=1, black_clock=1, white_inc=1, black_inc=1),
        Limit(white_clock=60, black_clock=60, remaining_moves=40),
    ):
        begin = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL, game=object())
        assert result.move in board.legal_moves, (limit, result)
        assert time.monotonic() - begin < 8, limit
        assert "score" in result.info and "pv" in result.info, (limit, result.info)
    end(engine)


def pondering() -> None:
    engine = start()
    board = chess.Board()
    for ply in range(4):
        result = engine.play(board, Limit(white_clock=2, black_clock=2), ponder=True)
        assert result.move in board.legal_moves, result
        board.push(result.move)
        reply = result.ponder if ply % 2 == 0 else None
        board.push(reply if reply in board.legal_moves else next(iter(board.legal_moves)))
    engine.ping()
    end(engine)


def analysis() -> None:
    engine = start()
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")
    info = engine.analyse(board, Limit(depth=6))
    assert info["depth"] >= 6 and info["nodes"] > 0 and info["nps"] > 0, info
    line = board.copy()
    for move in info["pv"]:
        assert move in line.legal_moves, info
        line.push(move)
    mate = engine.analyse(chess.Board("7k/8/5K2/6Q1/8/8/8/8 b - - 0 1"), Limit(time=0.3))
    assert mate["score"].white() == chess.engine.Mate(1), mate
    engine.ping()
    end(engine)


def chess960() -> None:
    engine = start()
    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        while not board.is_game_over() and board.ply() < 24:
            result = engine.play(board, Limit(depth=3), game=number)
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
    end(engine)


def whole_games() -> None:
    """Tabiya against Tabiya, on the clock."""
    for number in range(GAMES):
        engines = {chess.WHITE: start(), chess.BLACK: start()}
        clocks = {chess.WHITE: 2.0, chess.BLACK: 2.0}
        board = chess.Board()
        while board.outcome(claim_draw=True) is None and board.ply() < 600:
            side = board.turn
            limit = Limit(white_clock=max(clocks[chess.WHITE], 0.01), black_clock=max(clocks[chess.BLACK], 0.01))
            begin = time.monotonic()
            result = engines[side].play(board, limit, game=number)
            clocks[side] -= time.monotonic() - begin
            assert clocks[side] > -0.5, f"{board.fen()}: over time by {-clocks[side]:.3f} s"
            assert result.move in board.legal_moves, (board.fen(), result)
            board.push(result.move)
        outcome = board.outcome(claim_draw=True)
        for engine in engines.values():
            if outcome:
                engine.send_game_result(board)
            engine.ping()
            end(engine)
        print(f"     game {number + 1}: {board.ply()} plies, {outcome.result() if outcome else '*'}", flush=True)


def games_under_xboard() -> None:
    """XBoard plays a match of Tabiya against Tabiya and checks every move."""
    xboard = shutil.which("xboard") or shutil.which("xboard", path="/usr/games")
    xvfb = shutil.which("Xvfb")
    if not xboard or not xvfb:
        missing = " and ".join(name for name, found in (("xboard", xboard), ("Xvfb", xvfb)) if not found)
        print(f"     skipped: {missing} not installed (apt-get install xboard xvfb)", flush=True)
        return
    display = f":{90 + os.getpid() % 100}"
    server = subprocess.Popen([xvfb, display, "-screen", "0", "800x600x16", "-nolisten", "tcp"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1.0)
        assert server.poll() is None, "Xvfb did not start"
        with tempfile.TemporaryDirectory() as folder:
            pgn, debug = Path(folder, "games.pgn"), Path(folder, "xboard.debug")
            command = [
                xboard, "-fcp", PATH, "-fd", folder, "-scp", PATH, "-sd", folder,
                "-mg", str(GAMES), "-tc", f"0:{SECONDS:02}", "-inc", "0.2", "-mps", "0", "-size", "tiny",
                "-sgf", str(pgn), "-debug", "-debugfile", str(debug), "-testLegality", "true",
                "-popupExitMessage", "false", "-popupMoveErrors", "false", "-autoCallFlag", "true",
            ]
            environment = {**os.environ, "DISPLAY": display, "HOME": folder}
            process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                games, end = wait_for_games(pgn, debug, process)
            finally:
                process.terminate()
                process.wait(10)
            text = debug.read_text(errors="replace") if debug.exists() else ""
            errors = [line for line in text.splitlines() if "Illegal move" in line or "false claim" in line.lower()]
            assert not errors, errors[:3]
            assert len(games) == GAMES, f"{len(games)} games of {GAMES}: {end}\n{last_lines(text)}"
            for game in games:
                result, reason = game.headers["Result"], game.end().comment
                assert result in ("1-0", "0-1", "1/2-1/2"), game.headers
                bad = ("forfeit", "time", "illegal", "exited", "false")
                assert not any(word in reason.lower() for word in bad), reason
                print(f"     xboard: {game.end().ply()} plies, {result} {{{reason}}}", flush=True)
    finally:
        server.terminate()
        server.wait(10)


def wait_for_games(pgn: Path, debug: Path, process: subprocess.Popen) -> tuple[list[chess.pgn.Game], str]:
    """Waits for the end of the match. Returns the games and the reason for the end."""
    silence = max(SILENCE, SECONDS)
    begin = last_activity = time.monotonic()
    # Both clocks, and the increments of a very long game.
    deadline = begin + GAMES * (2.0 * SECONDS + 120.0)
    size, games = 0, []
    while True:
        text = pgn.read_text(errors="replace") if pgn.exists() else ""
        stream, games = io.StringIO(text), []
        while game := chess.pgn.read_game(stream):
            games.append(game)
        now = time.monotonic()
        if debug.exists() and debug.stat().st_size != size:
            size, last_activity = debug.stat().st_size, now
        if len(games) >= GAMES:
            return games, "all played"
        if process.poll() is not None:
            return games, f"xboard exited with {process.returncode}"
        if now - last_activity > silence:
            return games, f"no communication for {silence:.0f} s"
        if now > deadline:
            return games, f"not over after {now - begin:.0f} s"
        time.sleep(0.5)


def last_lines(debug: str, count: int = 12) -> str:
    """The last engine lines in xboard's debug file, and its last line."""
    lines = debug.splitlines()
    engine = [line for line in lines if "<first " in line or "<second" in line]
    return "\n".join(["last lines of the engines:", *engine[-count:], "last line of xboard:", *lines[-1:]])


CHECKS = [handshake, play_with_every_kind_of_limit, pondering, analysis, chess960, whole_games, games_under_xboard]


def main() -> int:
    global PATH, GAMES, SECONDS
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--games", type=int, default=GAMES, help="games to play in each way (default: %(default)s)")
    parser.add_argument("--seconds", type=int, default=SECONDS, help="on the clock (default: %(default)s)")
    arguments = parser.parse_args()
    PATH, GAMES, SECONDS = os.path.abspath(arguments.path), arguments.games, arguments.seconds
    faulthandler.dump_traceback_later(RUN_TIMEOUT, exit=True)
    return run_checks(CHECKS, Warnings())


if __name__ == "__main__":
    sys.exit(main())
