#!/usr/bin/env python3
"""Packs the built programs for a release, with licences, documents, manual pages, completions and the settings for lichess-bot.

    python3 packaging/archive.py --programs target/release --documents packaging/generated --name linux-x86_64 --out dist

Writes tabiya-NAME.tar.gz, or .zip for Windows programs, and its checksum. The same files give the same archive. With --check the
archive is unpacked again, and the programs in it are started.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

from third_party import PROGRAMS

ROOT = pathlib.Path(__file__).resolve().parent.parent

# The date of every file in an archive: that of the commit in a release, otherwise the oldest that zip can represent.
TIME = max(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), 315532800)

# Files of the repository. The documents keep their places, so that the links between them work.
REPOSITORY_FILES = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "docs/*.md", "docs/*.yml", "docs/*.png"]
REPOSITORY_FILES += ["docs/pictures/*.svg", "docs/pictures/*.png"]


def contents(programs: list[pathlib.Path], documents: pathlib.Path) -> dict[str, pathlib.Path]:
    """The files by their names in the archive."""
    files = {program.name: program for program in programs}
    for pattern in REPOSITORY_FILES:
        files |= {path.relative_to(ROOT).as_posix(): path for path in ROOT.glob(pattern)}
    files |= {path.relative_to(documents).as_posix(): path for path in documents.rglob("*") if path.is_file()}
    return dict(sorted(files.items()))


def mode(name: str) -> int:
    return 0o755 if name.removesuffix(".exe") in PROGRAMS else 0o644


def write_tar(path: pathlib.Path, folder: str, files: dict[str, pathlib.Path]) -> None:
    with path.open("wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=TIME) as packed:
        with tarfile.open(fileobj=packed, mode="w") as archive:
            for name, source in files.items():
                data = source.read_bytes()
                entry = tarfile.TarInfo(f"{folder}/{name}")
                entry.size, entry.mode, entry.mtime = len(data), mode(name), TIME
                archive.addfile(entry, io.BytesIO(data))


def write_zip(path: pathlib.Path, folder: str, files: dict[str, pathlib.Path]) -> None:
    date = time.gmtime(TIME)[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, source in files.items():
            entry = zipfile.ZipInfo(f"{folder}/{name}", date)
            entry.external_attr = (0o100000 | mode(name)) << 16
            archive.writestr(entry, source.read_bytes(), zipfile.ZIP_DEFLATED)


def check(path: pathlib.Path, folder: str) -> None:
    """Unpacks the archive, starts the programs, and looks for the files that it must have."""
    with tempfile.TemporaryDirectory() as place:
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                archive.extractall(place)
        else:
            with tarfile.open(path) as archive:
                # Python 3.11.2, as in Debian 12, has neither the filter nor an argument for it.
                archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, path: member)
                archive.extractall(place)
        top = pathlib.Path(place, folder)
        needed = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "THIRD-PARTY.txt", "man/tabiya.1", "completions/_tabiya"]
        needed += ["docs/install.md", "docs/lichess-bot.yml"]
        missing = [name for name in needed if not (top / name).is_file() or not (top / name).stat().st_size]
        # Links between documents. Those to the source code and to the lists of its API lead out of the archive.
        for document in top.rglob("*.md"):
            for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8")):
                target = (document.parent / link).resolve()
                relative = os.path.relpath(target, top.resolve())
                is_source = not relative.startswith("docs/") or relative.startswith("docs/api")
                if not target.exists() and not (is_source and (ROOT / relative).exists()):
                    missing.append(f"{link} in {document.name}")
        if missing:
            sys.exit(f"{path.name} lacks " + ", ".join(missing))
        if path.suffix != ".zip" or os.name == "nt":
            for program in top.glob("tabiya*"):
                subprocess.run([program, "--version"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, required=True, help="the folder with the built programs")
    parser.add_argument("--documents", type=pathlib.Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    folder = f"tabiya-{args.name}"
    is_windows = (args.programs / "tabiya.exe").exists()
    programs = [args.programs / (name + ".exe" * is_windows) for name in PROGRAMS]
    path = args.out / (folder + (".zip" if is_windows else ".tar.gz"))
    args.out.mkdir(parents=True, exist_ok=True)
    write = write_zip if is_windows else write_tar
    write(path, folder, contents(programs, args.documents))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.with_name(path.name + ".sha256").write_text(f"{digest}  {path.name}\n", newline="\n")
    if args.check:
        check(path, folder)
    print(path)


if __name__ == "__main__":
    main()
