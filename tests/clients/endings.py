#!/usr/bin/env python3
"""Plays won endings at limited strength against Stockfish's bare king, and counts how they end.

    .venv/bin/python tests/clients/endings.py target/release/tabiya --levels 800,1200,1800 --games 200

Positions and seeds are fixed. A game is lost when the player has no piece left that can mate. docs/strength.md has the table.
Needs python-chess.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product

import chess
from engine_process import Player

#: The player's men besides the king.
ENDINGS = {"KQK": "Q", "KRK": "R", "KRRK": "RR", "KQPK": "QP"}
#: Nodes for each move of the bare king.
DEFENDER_NODES = 1000


def start(men: str, rng: random.Random) -> chess.Board:
    """Returns a random position with White to move, in which no man of White's is attacked."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(men) + 2)
        pieces = ["k", "K", *men]
        for square, symbol in zip(squares, pieces):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        mine = board.occupied_co[chess.WHITE]
        if board.is_valid() and not any(board.is_attacked_by(chess.BLACK, square) for square in chess.SquareSet(mine)):
            return board


def mates_in_one(board: chess.Board) -> list[str]:
    def mates(move: chess.Move) -> bool:
        board.push(move)
        mate = board.is_checkmate()
        board.pop()
        return mate

    return [move.uci() for move in board.legal_moves if board.gives_check(move) and mates(move)]


def play(player: Player, defender: Player, ending: str, seed: int) -> Counter:
    """Plays a game and returns what happened in it."""
    board = start(ENDINGS[ending], random.Random(f"{ending} {seed}"))
    fen, moves, counts = board.fen(), [], Counter()
    player.new_game({"Strength Seed": seed + 1})
    defender.new_game()
    while True:
        mates = mates_in_one(board) if board.turn == chess.WHITE else []
        moves.append((player if board.turn == chess.WHITE else defender).move(fen, moves)[0])
        counts["mates in one"] += bool(mates)
        counts["played"] += moves[-1] in mates
        captures = board.turn == chess.BLACK and board.is_capture(chess.Move.from_uci(moves[-1]))
        counts["captures"] += captures
        board.push_uci(moves[-1])
        if captures and not board.pieces(chess.ROOK, chess.WHITE) and not board.pieces(chess.QUEEN, chess.WHITE):
            return counts + Counter({"lost": 1})
        if board.is_checkmate():
            return counts + Counter({"mated": 1})
        if board.is_stalemate():
            return counts + Counter({"stalemate": 1})
        if board.is_repetition(3) or board.is_fifty_moves():
            return counts + Counter({"drawn": 1})


def measure(arguments: argparse.Namespace, level: int, ending: str) -> Counter:
    """Returns what happened in the games of a level and an ending."""
    player = Player.of_level(arguments.path, level)
    defender = Player(arguments.stockfish, {"Hash": 1}, f"nodes {DEFENDER_NODES}")
    counts = sum((play(player, defender, ending, seed) for seed in range(arguments.games)), Counter())
    for seat in (player, defender):
        seat.engine.end()
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--stockfish", default="/usr/games/stockfish", help="(default: %(default)s)")
    parser.add_argument("--levels", default="800,1000,1200,1350,1500,1800", help="(default: %(default)s)")
    parser.add_argument("--endings", default=",".join(ENDINGS), help="(default: %(default)s)")
    parser.add_argument("--games", type=int, default=200, help="games of each level and ending (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="games at a time (default: %(default)s)")
    arguments = parser.parse_args()
    runs = list(product(map(int, arguments.levels.split(",")), arguments.endings.split(",")))
    print("| Level | Ending | Mated | Drawn by rule | Stalemate | Piece lost | Mates in one played |", flush=True)
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |", flush=True)
    with ProcessPoolExecutor(arguments.processes) as processes:
        levels, endings = zip(*runs)
        for (level, ending), counts in zip(runs, processes.map(measure, [arguments] * len(runs), levels, endings)):
            columns = [counts[key] / arguments.games for key in ("mated", "drawn", "stalemate", "lost")]
            columns.append(counts["played"] / max(counts["mates in one"], 1))
            print(f"| {level} | {ending} | " + " | ".join(f"{100 * column:.1f} %" for column in columns) + " |", flush=True)


if __name__ == "__main__":
    main()
