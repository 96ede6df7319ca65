#!/usr/bin/env python3
"""Compares which set-ups Tabiya accepts, and their legal moves, with python-chess.

    .venv/bin/python tests/clients/set_ups.py target/release/tabiya [--positions N] [--seed N]

The set-ups are random: any pieces, full armies of queens, impossible castling rights and en-passant squares, kings in check. Tabiya
must accept exactly those with one king a side, of which the side not to move is not in check, with at most 16 men and 8 pawns a
side and no pawn on the first or last rank. Rights that contradict the pieces are dropped, as python-chess does.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

import chess
from engine_process import Engine

# The properties without which there is no game. python-chess reports others, too, of positions that no game reaches.
UNPLAYABLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_OPPOSITE_CHECK
    | chess.STATUS_EMPTY
)

# Commands sent at once: more would fill the pipes, less would wait for the engine's answers.
BATCH = 100
TIMEOUT = 60.0

# The last line of the answer to `go perft`, with a position and without one.
COUNT = "Nodes searched"
REFUSAL = "info string no position is set, because"

ORDINARY = "QRRBBNNPPPPPPPP"
RANDOM_PIECES = ["QRBNP", "QRBNP", "QRBN", "Q", "N", "P", "QQQP", "R", "B"]


def men(rng: random.Random) -> str:
    """The men of a side besides its king."""
    if rng.random() < 0.4:
        return "".join(rng.sample(ORDINARY, rng.randrange(len(ORDINARY) + 1)))
    pieces = "".join(rng.choice(rng.choice(RANDOM_PIECES)) for _ in range(rng.choice([1, 3, 7, 12, 15, 15, 16])))
    # Mostly a legal number of pawns.
    return pieces if rng.random() < 0.2 else pieces.replace("P", "", max(0, pieces.count("P") - 8))


def set_up(rng: random.Random) -> str:
    """A random FEN."""
    board: dict[int, str] = {}
    castles = rng.random() < 0.3
    for color in (str.upper, str.lower):
        home = "E1" if color is str.upper else "E8"
        king = chess.parse_square(home.lower()) if castles and rng.random() < 0.8 else rng.randrange(64)
        if rng.random() < 0.98:
            board[king] = color("K")
        if castles:
            for file in "ah":
                if rng.random() < 0.7:
                    board.setdefault(chess.parse_square(file + home[1]), color("R"))
        if rng.random() < 0.01:
            board[rng.randrange(64)] = color("K")
        for man in men(rng):
            on_edge = man == "P" and rng.random() < 0.999
            square = rng.randrange(8, 56) if on_edge else rng.randrange(64)
            board.setdefault(square, color(man))
    ranks = []
    for rank in reversed(range(8)):
        text = "".join(board.get(8 * rank + file, "1") for file in range(8))
        for length in range(8, 1, -1):
            text = text.replace("1" * length, str(length))
        ranks.append(text)
    turn = rng.choice("wb")
    castling = "".join(letter for letter in "KQkq" if rng.random() < (0.8 if castles else 0.05)) or "-"
    passant = "-"
    if rng.random() < 0.3:
        # Behind a pawn of the other side, if there is one that may have moved two squares.
        rank, pawn, toward = (5, "p", 4) if turn == "w" else (2, "P", 3)
        files = [file for file in range(8) if board.get(8 * toward + file) == pawn]
        file = rng.choice(files) if files and rng.random() < 0.9 else rng.randrange(8)
        passant = chess.square_name(8 * rank + file)
    return f"{'/'.join(ranks)} {turn} {castling} {passant} {rng.choice([0, 0, 7, 99, 100, 140])} {rng.randrange(1, 200)}"


def mostly_playable(rng: random.Random) -> str:
    """A random FEN, playable in nine of ten cases. Of purely random ones, most have the wrong king in check."""
    fen = set_up(rng)
    if rng.random() < 0.9:
        while chess.Board(fen).status() & UNPLAYABLE:
            fen = set_up(rng)
    return fen


def expected(fen: str) -> list[str] | None:
    """The legal moves by python-chess, or None if the position is to be refused."""
    board = chess.Board(fen)
    status = board.status()
    if status & UNPLAYABLE:
        return None
    board.castling_rights = board.clean_castling_rights()
    if status & chess.STATUS_INVALID_EP_SQUARE:
        board.ep_square = None
    return sorted(move.uci() for move in board.legal_moves)


def answers(engine: Engine, fens: list[str]) -> Iterator[list[str] | None]:
    """The legal moves by the engine, or None for each position that it refuses."""
    for fen in fens:
        engine.send(f"position fen {fen}\ngo perft 1")
    for _ in fens:
        _, last, lines = engine.wait_for(lambda line: line.startswith((COUNT, REFUSAL)), TIMEOUT, "the count of moves")
        moves = sorted(line.split(":")[0] for line in lines if line and not line.startswith("info"))
        yield moves if last.startswith(COUNT) else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    engine = Engine(args.engine)
    engine.send("uci")
    engine.wait_for(lambda line: line == "uciok", TIMEOUT, "uciok")
    accepted, differences = 0, 0
    for start in range(0, args.positions, BATCH):
        fens = [mostly_playable(rng) for _ in range(min(BATCH, args.positions - start))]
        for fen, found in zip(fens, answers(engine, fens)):
            wanted = expected(fen)
            accepted += wanted is not None
            if found != wanted:
                differences += 1
                print(f"{fen}\n  python-chess {wanted}\n  Tabiya       {found}")
    assert engine.end() == 0, engine.stderr()
    print(f"{args.positions} set-ups, {accepted} of them playable: {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
