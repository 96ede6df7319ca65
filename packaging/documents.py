#!/usr/bin/env python3
"""Writes the manual pages and shell completions of a built program, which prints them, and the licences of third-party code.

    python3 packaging/documents.py --program target/release/tabiya --out packaging/generated

The folder gets man/*.1, completions/ and THIRD-PARTY.txt. Those of an earlier run are removed before.
"""

from __future__ import annotations

import argparse
import pathlib
import shutil
import subprocess

import third_party

# The file names that each shell expects.
COMPLETIONS = {
    "bash": "tabiya.bash",
    "zsh": "_tabiya",
    "fish": "tabiya.fish",
    "powershell": "tabiya.ps1",
    "elvish": "tabiya.elv",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    args = parser.parse_args()
    program = args.program.resolve(strict=True)
    completions = args.out / "completions"
    # Only what an earlier run wrote.
    for folder in (args.out / "man", completions):
        if folder.exists():
            shutil.rmtree(folder)
    completions.mkdir(parents=True)
    subprocess.run([program, "man", "--dir", args.out / "man"], check=True)
    for shell, name in COMPLETIONS.items():
        script = subprocess.run([program, "completions", shell], check=True, stdout=subprocess.PIPE).stdout
        (completions / name).write_bytes(script)
    third_party.write(args.out / "THIRD-PARTY.txt")


if __name__ == "__main__":
    main()
