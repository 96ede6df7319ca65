#!/usr/bin/env python3
"""Annotates games with interruptions and compares the results with those of an undisturbed run, byte for byte.

    python3 tests/clients/resume.py target/release/tabiya games.pgn [--games 100] [--kills 5] [--nodes 2000] [--seed 1]

The run is killed (SIGKILL) at random times, spread over its length, and started again with the same command. The PGN file, the HTML page
and the absence of other files are compared. Exits with 1 if there is a difference. Needs only Python.
"""

from __future__ import annotations

import argparse
import filecmp
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

#: What a complete run leaves.
OUTPUTS = ["out.html", "out.pgn"]


def first_games(path: pathlib.Path, count: int) -> str:
    """The first games of a PGN file."""
    games = re.split(r"\n\n(?=\[Event )", path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").strip())
    if len(games) < count:
        sys.exit(f"{path} has only {len(games)} games")
    return "\n\n".join(games[:count]) + "\n"


def command(engine: pathlib.Path, folder: pathlib.Path, nodes: int) -> list[str]:
    return [str(engine), "pgn", "annotate", str(folder.parent / "games.pgn"), "--nodes", str(nodes), "-o", str(folder / "out.pgn"), "--html", str(folder / "out.html")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine", type=pathlib.Path)
    parser.add_argument("games_file", type=pathlib.Path, metavar="GAMES.pgn")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    with tempfile.TemporaryDirectory() as name:
        top = pathlib.Path(name)
        (top / "games.pgn").write_text(first_games(args.games_file, args.games), encoding="utf-8")
        whole, killed = top / "whole", top / "killed"
        whole.mkdir()
        killed.mkdir()
        begin = time.monotonic()
        subprocess.run(command(args.engine, whole, args.nodes), stderr=subprocess.DEVNULL, check=True)
        length = time.monotonic() - begin
        print(f"undisturbed: {args.games} games in {length:.1f} s")
        kills = 0
        for _ in range(args.kills):
            run = subprocess.Popen(command(args.engine, killed, args.nodes), stderr=subprocess.DEVNULL)
            try:
                run.wait(rng.uniform(0.02, length / args.kills))
                break
            except subprocess.TimeoutExpired:
                run.kill()
                run.wait()
                kills += 1
                state = killed / "out.pgn.progress"
                done = state.read_bytes().count(b"\n") - 1 if state.exists() else 0
                print(f"killed: {max(done, 0)} games are kept")
        subprocess.run(command(args.engine, killed, args.nodes), stderr=subprocess.DEVNULL, check=False)
        left = sorted(path.name for path in killed.iterdir() if not path.name.endswith(".partial"))
        same = left == OUTPUTS and all(filecmp.cmp(whole / output, killed / output, shallow=False) for output in OUTPUTS)
        print(f"{kills} kills: {'the same files' if same else 'DIFFERENT'} ({', '.join(left)})")
        sys.exit(0 if same and kills == args.kills else 1)


if __name__ == "__main__":
    main()
