#!/usr/bin/env python3
"""Makes puzzles.txt from a table of the Lichess puzzle database, which is in the public domain (CC0).

    python3 crates/web/puzzles/make.py PUZZLES.tsv > crates/web/puzzles/puzzles.txt

The table has a heading and the columns id, fen, moves, rating, popularity, plays and themes, separated by tabs. For each theme and level
the most popular puzzles are taken, until the set has its size. A line of the result has the position, the moves, of which the
opponent makes the first, the rating and the themes, separated by semicolons.
"""

import sys

SIZE = 5_000
THEMES = (
    "mateIn1 mateIn2 mateIn3 fork pin skewer discoveredAttack doubleCheck hangingPiece trappedPiece backRankMate smotheredMate "
    "promotion deflection attraction sacrifice interference capturingDefender quietMove defensiveMove zugzwang endgame"
).split()
LEVELS = (0, 1000, 1300, 1600, 1900, 2200)


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as table:
        next(table)
        puzzles = [line.rstrip("\n").split("\t") for line in table]
    puzzles.sort(key=lambda puzzle: (-int(puzzle[4]), -int(puzzle[5]), puzzle[0]))
    queues = {}
    for puzzle in puzzles:
        level = sum(int(puzzle[3]) >= start for start in LEVELS)
        for theme in puzzle[6].split():
            if theme in THEMES:
                queues.setdefault((theme, level), []).append(puzzle)
    chosen = {}
    while len(chosen) < SIZE and any(queues.values()):
        for key in sorted(queues):
            while queues[key]:
                puzzle = queues[key].pop(0)
                if puzzle[0] not in chosen:
                    chosen[puzzle[0]] = puzzle
                    break
    # The last round may choose more than are needed.
    for puzzle in sorted(list(chosen.values())[:SIZE], key=lambda puzzle: (int(puzzle[3]), puzzle[0])):
        _, fen, moves, rating, _, _, themes = puzzle
        print(";".join([fen, moves, rating, " ".join(theme for theme in themes.split() if theme in THEMES)]))


if __name__ == "__main__":
    main()
