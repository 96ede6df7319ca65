#!/usr/bin/env python3
"""Measures the Elo of the strength levels by games against Stockfish's levels and between neighbouring levels.

    .venv/bin/python tests/clients/strength.py target/release/tabiya --levels 1000,1400,1800 --games 40

The anchors are the skill levels of Stockfish 15.1, rated by its authors in January 2023 against versions of Stash on the CCRL Blitz
list (Stockfish's commit a08b8d4, about ±35 Elo each). A skill level chooses its move at a fixed depth, so it is as strong with
`go depth` as at the time control of those measurements.

Results are appended to a file until each pairing has enough games. Needs python-chess.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import re
import subprocess
import sys
import threading
import time
from collections import defaultdict
from pathlib import Path

import chess
from engine_process import Player

#: Skill level to Elo.
ANCHORS = {0: 1320, 3: 1742, 4: 1923, 5: 2204, 6: 2363, 7: 2500, 8: 2596, 9: 2703, 10: 2788, 11: 2856}
MAX_PLIES = 300
#: Minimum Elo of both players for adjudication. A game is adjudicated as won when the scores of both sides favour the same player
#: by ADJUDICATION_CP centipawns for ADJUDICATION_PLIES.
ADJUDICATION_ELO = 1700
ADJUDICATION_CP, ADJUDICATION_PLIES = 1000, 6
#: The degree of the curve of measured by nominal Elo.
CURVE_DEGREE = 3
#: The table to calibrate.
CALIBRATION = Path(__file__).resolve().parents[2] / "crates/player/src/strength.rs"

#: A program and its level.
Level = tuple[str, int]


def elo_of(player: Level) -> int:
    kind, level = player
    return ANCHORS[level] if kind == "stockfish" else level


def start(level: Level, paths: dict[str, str]) -> Player:
    """Starts an engine configured as a level."""
    kind, number = level
    if kind == "stockfish":
        return Player(paths[kind], {"Skill Level": number, "Hash": 16}, f"depth {number + 1}")
    return Player.of_level(paths[kind], number)


def play(white: Player, black: Player, fen: str, adjudicate: bool) -> float:
    """Plays a game and returns White's score."""
    board, moves, decided = chess.Board(fen), [], 0
    for seat in (white, black):
        seat.new_game()
    while (outcome := result(board)) is None and len(moves) < MAX_PLIES:
        seat, sign = (white, 1) if board.turn else (black, -1)
        text, value = seat.move(fen, moves)
        move = chess.Move.from_uci(text)
        assert move in board.legal_moves, (board.fen(), text)
        board.push(move)
        moves.append(text)
        leader = 0 if value is None or abs(value) < ADJUDICATION_CP else sign * (1 if value > 0 else -1)
        decided = decided + leader if leader * decided > 0 else leader
        if adjudicate and abs(decided) >= ADJUDICATION_PLIES:
            return 1.0 if decided > 0 else 0.0
    return 0.5 if outcome is None else outcome


def result(board: chess.Board) -> float | None:
    """White's score if the game is over. Claimable draws count."""
    outcome = board.outcome()
    if outcome:
        return 0.5 if outcome.winner is None else float(outcome.winner)
    return 0.5 if board.halfmove_clock >= 100 or board.is_repetition(3) else None


class Match:
    """Plays games until each pairing has enough or the time is up."""

    def __init__(self, pairings: list[tuple[Level, Level]], arguments: argparse.Namespace) -> None:
        self.paths = {"tabiya": arguments.path, "stockfish": arguments.stockfish}
        self.file = Path(arguments.results)
        self.games = read(self.file)
        self.wanted, self.deadline = arguments.games, time.monotonic() + arguments.seconds
        self.pairings, self.lock = pairings, threading.Lock()
        self.underway: dict[tuple[Level, Level], int] = defaultdict(int)
        command = [arguments.path, "genfens 500 seed 7 book None", "quit"]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        self.openings = [line.split("genfens ", 1)[1] for line in output.splitlines() if "genfens " in line]

    def next(self) -> tuple[tuple[Level, Level], int] | None:
        """The pairing with the fewest games, and the number of its next game."""
        with self.lock:
            # Another process may be adding results.
            self.games = read(self.file)
            count = lambda pairing: self.underway[pairing] + sum(
                (tuple(game["white"]), tuple(game["black"])) in (pairing, pairing[::-1]) for game in self.games
            )
            pairing = min(self.pairings, key=count)
            number = count(pairing)
            if number >= self.wanted or time.monotonic() > self.deadline:
                return None
            self.underway[pairing] += 1
            return pairing, number

    def work(self) -> None:
        seats: dict[Level, Player] = {}
        while task := self.next():
            pairing, number = task
            for player in pairing:
                if player not in seats:
                    seats[player] = start(player, self.paths)
            first, second = pairing if number % 2 == 0 else pairing[::-1]
            rng = random.Random(f"{pairing} {number // 2}")
            adjudicate = min(map(elo_of, pairing)) >= ADJUDICATION_ELO
            points = play(seats[first], seats[second], rng.choice(self.openings), adjudicate)
            game = {"white": first, "black": second, "points": points}
            with self.lock:
                self.underway[pairing] -= 1
                with self.file.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(game) + "\n")
        for seat in seats.values():
            seat.engine.send("quit")


def read(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


def scores(games: list[dict]) -> dict[tuple[Level, Level], tuple[float, int]]:
    """Points of the first player and number of games for each pair."""
    table: dict[tuple[Level, Level], tuple[float, int]] = {}
    for game in games:
        white, black, points = tuple(game["white"]), tuple(game["black"]), game["points"]
        pair, points = ((white, black), points) if white < black else ((black, white), 1 - points)
        before = table.get(pair, (0.0, 0))
        table[pair] = (before[0] + points, before[1] + 1)
    return table


def expected(difference: float) -> float:
    return 1 / (1 + 10 ** (-difference / 400))


def ratings(table: dict[tuple[Level, Level], tuple[float, int]]) -> dict[Level, tuple[float, float]]:
    """Maximum-likelihood Elo and 95 % margin of each level, with the anchors fixed."""
    players = sorted({player for pair in table for player in pair})
    elo = {player: float(elo_of(player)) for player in players}
    free = [player for player in players if player[0] != "stockfish"]
    scale = math.log(10) / 400
    for _ in range(200):
        for player in free:
            slope = curve = 0.0
            for (first, second), (points, games) in table.items():
                if player in (first, second):
                    other, won = (second, points) if player == first else (first, games - points)
                    # Half a point of slack, because a score of 0 or 100 % has no finite maximum-likelihood Elo.
                    won = min(max(won, 0.5), games - 0.5)
                    share = expected(elo[player] - elo[other])
                    slope += won - games * share
                    curve += games * share * (1 - share) * scale
            elo[player] += max(-100.0, min(100.0, slope / max(curve, 1e-9)))
    # The covariance matrix is the inverse of the Fisher information.
    size = len(free)
    matrix = [[0.0] * size for _ in range(size)]
    for (first, second), (_, games) in table.items():
        share = expected(elo[first] - elo[second])
        weight = games * share * (1 - share) * scale**2
        for one, two in ((first, second), (second, first)):
            if one in free:
                matrix[free.index(one)][free.index(one)] += weight
                if two in free:
                    matrix[free.index(one)][free.index(two)] -= weight
    covariance = inverse(matrix)
    return {player: (elo[player], 1.96 * math.sqrt(covariance[index][index])) for index, player in enumerate(free)}


def inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a positive definite matrix, by Gauss-Jordan elimination."""
    size = len(matrix)
    rows = [row + [float(index == column) for column in range(size)] for index, row in enumerate(matrix)]
    for pivot in range(size):
        row = [value / rows[pivot][pivot] for value in rows[pivot]]
        rows = [row if index == pivot else [a - other[pivot] * b for a, b in zip(other, row)]
                for index, other in enumerate(rows)]
    return [row[size:] for row in rows]


class Curve:
    """The measured Elo as a polynomial of the nominal one, of maximum likelihood."""

    def __init__(self, table: dict[tuple[Level, Level], tuple[float, int]]) -> None:
        size = CURVE_DEGREE + 1
        self.coefficients = [1800.0, 1000.0] + [0.0] * (size - 2)
        scale = math.log(10) / 400
        for _ in range(60):
            gradient = [0.0] * size
            information = [[1e-9 * (row == column) for column in range(size)] for row in range(size)]
            for (first, second), (points, games) in table.items():
                slope = [a - b for a, b in zip(self.powers(first), self.powers(second))]
                share = expected(self.elo(first) - self.elo(second))
                for row in range(size):
                    gradient[row] += scale * (points - games * share) * slope[row]
                    for column in range(size):
                        weight = scale**2 * games * share * (1 - share)
                        information[row][column] += weight * slope[row] * slope[column]
            self.covariance = inverse(information)
            for row, values in enumerate(self.covariance):
                step = sum(a * b for a, b in zip(values, gradient))
                self.coefficients[row] += max(-200.0, min(200.0, step))

    def powers(self, player: Level) -> list[float]:
        x = (player[1] - 1800) / 1000
        return [0.0 if player[0] == "stockfish" else x**power for power in range(CURVE_DEGREE + 1)]

    def elo(self, player: Level) -> float:
        if player[0] == "stockfish":
            return elo_of(player)
        return sum(a * b for a, b in zip(self.coefficients, self.powers(player)))

    def margin(self, player: Level) -> float:
        """The 95 % margin."""
        powers = self.powers(player)
        variance = sum(a * b * c for a, row in zip(powers, self.covariance) for b, c in zip(row, powers))
        return 1.96 * math.sqrt(variance)


def print_curve(table: dict[tuple[Level, Level], tuple[float, int]]) -> None:
    curve = Curve(table)
    levels = sorted({player[1] for pair in table for player in pair if player[0] == "tabiya"})
    print("\nSmooth curve:")
    for level in levels:
        player = ("tabiya", level)
        print(f"{level:>6}{curve.elo(player):>10.0f}{curve.margin(player):>6.0f}")
    rows = [int(elo) for elo in re.findall(r"^    step\((\d+),", CALIBRATION.read_text(encoding="utf-8"), re.MULTILINE)]
    new = ", ".join(f"{elo} -> {curve.elo(('tabiya', elo)):.0f}" for elo in rows)
    print(f"\nFirst column of the table in {CALIBRATION.name}, now and as measured:\n{new}")


def report(games: list[dict]) -> None:
    table = scores(games)
    found = ratings(table)
    print(f"{'level':>6}{'measured':>10}{'±':>6}{'games':>7}   against (points of games)")
    for player in sorted(found, key=elo_of):
        elo, margin = found[player]
        against = {second if player == first else first: (points if player == first else count - points, count)
                   for (first, second), (points, count) in table.items() if player in (first, second)}
        names = {"tabiya": "", "stockfish": "skill "}
        text = ", ".join(f"{names[kind]}{level}: {points:g} of {count}"
                         for (kind, level), (points, count) in sorted(against.items(), key=lambda item: elo_of(item[0])))
        print(f"{player[1]:>6}{elo:>10.0f}{margin:>6.0f}{sum(count for _, count in against.values()):>7}   {text}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", help="the engine's binary")
    parser.add_argument("--stockfish", default="/usr/games/stockfish")
    parser.add_argument("--levels", default=",".join(str(elo) for elo in range(800, 2801, 200)))
    parser.add_argument("--games", type=int, default=40, help="games per pairing (default: %(default)s)")
    parser.add_argument("--reach", type=int, default=330, help="maximum Elo difference to an anchor")
    parser.add_argument("--seconds", type=float, default=600.0, help="start no game after this time")
    parser.add_argument("--jobs", type=int, default=2, help="games in parallel")
    parser.add_argument("--results", default="strength.jsonl", help="results file (default: %(default)s)")
    arguments = parser.parse_args()
    levels: list[Level] = [("tabiya", int(level)) for level in arguments.levels.split(",")]
    anchors: list[Level] = [("stockfish", level) for level in ANCHORS]
    distance = lambda level, anchor: abs(elo_of(anchor) - elo_of(level))
    # Games between unequal players carry little information.
    pairings = [(level, anchor) for level in levels
                for anchor in sorted(anchors, key=lambda anchor: distance(level, anchor))[:2]
                if distance(level, anchor) <= arguments.reach]
    pairings += list(itertools.pairwise(levels))
    match = Match(pairings, arguments)
    workers = [threading.Thread(target=match.work) for _ in range(arguments.jobs)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    report(read(match.file))
    print_curve(scores(read(match.file)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
