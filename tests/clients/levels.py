#!/usr/bin/env python3
"""Checks that two strength levels keep their distance to a fixed opponent.

    .venv/bin/python tests/clients/levels.py target/release/tabiya

The opponent looks at each of its moves and at the best capture in reply, and counts material. It changes with nothing in this
repository. The levels play with fixed seeds and limit nodes themselves, so that the result depends on the engine alone, not on
the machine. A change of the search or the evaluation that moves a level by more than the tolerance needs a new calibration:
docs/strength.md says how. Needs python-chess.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import chess
from engine_process import Player, run_checks

#: Elo of each level relative to the opponent, as measured by this script after the calibration with tabiya-6; that of 1200 in 280
#: games each with tabiya-6 and tabiya-7.
EXPECTED = {800: 150, 1200: 390}
#: The largest deviation: twice the standard error of 300 games, about 60, and some drift.
TOLERANCE = 110
#: The least distance between the two levels: that of the expected values less twice its standard error, which is about 40.
MIN_DISTANCE = 160
MAX_PLIES = 160
#: Centipawns of a pawn, knight, bishop, rook, queen and king.
VALUES = [0, 100, 310, 320, 500, 900, 0]


class Greedy:
    """A player that sees its own move and the best capture in reply."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def move(self, board: chess.Board) -> chess.Move:
        repeated = has_repeated(board)
        # Equal moves are chosen between at random.
        return max(board.legal_moves, key=lambda move: (self.value(board, move, repeated), self.rng.random()))

    @staticmethod
    def value(board: chess.Board, move: chess.Move, repeated: bool) -> int:
        gain = captured(board, move) + (VALUES[move.promotion] - VALUES[chess.PAWN] if move.promotion else 0)
        board.push(move)
        if board.is_checkmate():
            gain = 100_000
        elif board.is_stalemate() or (repeated and board.can_claim_threefold_repetition()):
            gain = -50
        else:
            gain -= max((captured(board, reply) for reply in board.generate_legal_captures()), default=0)
        board.pop()
        return gain


def has_repeated(board: chess.Board) -> bool:
    """Returns true if a position has occurred twice since the last irreversible move. Otherwise nobody can claim a draw by repetition
    after the next move, which python-chess would take long to find out."""
    board = board.copy()
    while board.halfmove_clock >= 4:
        if board.is_repetition(2):
            return True
        board.pop()
    return False


def captured(board: chess.Board, move: chess.Move) -> int:
    if board.is_en_passant(move):
        return VALUES[chess.PAWN]
    return VALUES[board.piece_type_at(move.to_square) or 0] if not board.is_castling(move) else 0


def play(level: Player, seed: int) -> float:
    """Plays a game and returns the level's score. A game that is too long is decided by material."""
    level.new_game({"Strength Seed": seed + 1})
    board, opponent, color = chess.Board(), Greedy(seed), seed % 2 == 0
    while not (outcome := board.outcome()) and board.ply() < MAX_PLIES and not board.is_repetition(3):
        if board.turn == color:
            board.push_uci(level.move(chess.STARTING_FEN, [move.uci() for move in board.move_stack])[0])
        else:
            board.push(opponent.move(board))
    if outcome or board.ply() < MAX_PLIES:
        return 0.5 if not outcome or outcome.winner is None else float(outcome.winner == color)
    count = lambda side: sum(VALUES[piece.piece_type] for piece in board.piece_map().values() if piece.color == side)
    lead = count(color) - count(not color)
    return 0.5 if abs(lead) < 200 else float(lead > 0)


def points(path: str, level: int, games: int) -> float:
    """Returns the score of a level in this many games."""
    player = Player.of_level(path, level)
    total = sum(play(player, seed) for seed in range(games))
    player.engine.end()
    return total


def elo(points: float, games: int) -> float:
    share = min(max(points, 0.5), games - 0.5) / games
    return 400 * math.log10(share / (1 - share))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--games", type=int, default=300, help="games of each level (default: %(default)s)")
    parser.add_argument("--print", action="store_true", help="print the Elo of each level and check nothing")
    arguments = parser.parse_args()
    measured: dict[int, float] = {}
    # The opponent takes most of the time. Both levels play at once.
    with ProcessPoolExecutor(len(EXPECTED)) as processes:
        scores = processes.map(points, repeat(arguments.path), EXPECTED, repeat(arguments.games))
        for level, score in zip(EXPECTED, scores):
            measured[level] = elo(score, arguments.games)
            print(f"{level}: {score:g} of {arguments.games}, {measured[level]:+.0f} Elo", flush=True)
    if arguments.print:
        return 0

    def levels_have_their_distance_to_the_opponent() -> None:
        for level, expected in EXPECTED.items():
            drift = measured[level] - expected
            assert abs(drift) <= TOLERANCE, f"{level} is {drift:+.0f} Elo away: calibrate again, see docs/strength.md"

    def levels_have_their_distance_to_each_other() -> None:
        low, high = EXPECTED
        distance = measured[high] - measured[low]
        assert distance >= MIN_DISTANCE, f"{high} is only {distance:.0f} Elo above {low}"

    return run_checks([levels_have_their_distance_to_the_opponent, levels_have_their_distance_to_each_other])


if __name__ == "__main__":
    sys.exit(main())
