#!/usr/bin/env python3
"""Writes the licences and notices of third-party code in the programs and the page, which their licences demand with each copy.

    python3 packaging/third_party.py --out THIRD-PARTY.txt

The packages are those that Cargo.lock has for any system, so that one file serves all archives. cargo downloads missing ones.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
from typing import Any

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The engine, and the program that `tabiya web` starts.
PROGRAMS = ["tabiya", "tabiya-web"]

# The engine of the page without a server.
WEB_WORKER = "tabiya-wasm"

# How the names of files with licences and notices begin, in lower case.
FILES = ("licen", "unlicense", "copying", "copyright", "notice")

# Code that is not a package of cargo. The packages within the Rust standard library have the same licences.
OTHERS = [
    "The Rust standard library (MIT OR Apache-2.0), copyright: the Rust Project Developers (see https://thanks.rust-lang.org)",
    "musl, the C library in some programs for Linux (MIT), copyright: 2005-2020 Rich Felker, et al.",
]

HEAD = """\
Third-party code in the programs tabiya and tabiya-web, and in the page with the engine as WebAssembly, with its licences and
notices. Where a package may be used under MIT or Apache-2.0, it is used under MIT. Each text follows the names of the packages
that it belongs to.
"""


def packages() -> list[dict[str, Any]]:
    """The packages of others in the programs and the page, by name and version."""
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--locked", "--format-version", "1"]
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    known = {package["id"]: package for package in metadata["packages"]}
    dependencies = {
        # Other kinds are for build scripts and tests.
        node["id"]: [each["pkg"] for each in node["deps"] if any(kind["kind"] is None for kind in each["dep_kinds"])]
        for node in metadata["resolve"]["nodes"]
    }
    found: set[str] = set()
    left = [identity for identity, package in known.items() if package["name"] in [*PROGRAMS, WEB_WORKER]]
    while left:
        identity = left.pop()
        if identity not in found:
            found.add(identity)
            left += dependencies[identity]
    others = [known[identity] for identity in found if known[identity]["source"] is not None]
    return sorted(others, key=lambda package: (package["name"], package["version"]))


def offers_mit(package: dict[str, Any]) -> bool:
    return "MIT" in re.split(" OR |/", package["license"] or "")


def texts(package: dict[str, Any]) -> list[str]:
    """The licences and notices in the folder of a package."""
    folder = pathlib.Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.name.lower().startswith(FILES) and path.is_file())
    if offers_mit(package):
        files = [path for path in files if "apache" not in path.name.lower()]
    # Some packages have the line ends of Windows.
    return ["\n".join(path.read_text(encoding="utf-8").strip("\n").splitlines()) for path in files]


def notices() -> str:
    """The text of the file."""
    # The terms of MIT, for code that comes without a file.
    mit = (ROOT / "LICENSE-MIT").read_text(encoding="utf-8")
    mit = mit[mit.index("Permission is hereby granted") :].strip("\n")
    owners: dict[str, list[str]] = {}
    # The Boost licence names no owner, so that its text is the same in every package; one of them has none.
    others = packages()
    boost = next((text for package in others if package["license"] == "BSL-1.0" and (text := texts(package))), [])
    for package in others:
        name = f"{package['name']} {package['version']} ({package['license']})"
        found = texts(package)
        if not found:
            authors = ", ".join(package["authors"]) or package["repository"]
            name += f", copyright: {authors}"
            found = [mit] if offers_mit(package) else boost if package["license"] == "BSL-1.0" else []
        if not found:
            sys.exit(f"{name}: the package does not contain its licence; add the text to this program")
        for text in found:
            owners.setdefault(text, []).append(name)
    owners.setdefault(mit, []).extend(OTHERS)
    rule = "\n" + "-" * 80 + "\n\n"
    return HEAD + "".join(rule + "\n".join(names) + "\n\n" + text + "\n" for text, names in owners.items())


def write(path: pathlib.Path) -> None:
    # The archive for Windows has the same bytes.
    path.write_text(notices(), encoding="utf-8", newline="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    write(parser.parse_args().out)


if __name__ == "__main__":
    main()
