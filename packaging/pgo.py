#!/usr/bin/env python3
"""Builds the programs with profile-guided optimisation (PGO): the compiler optimises the paths that a run of an instrumented build takes.

    python3 packaging/pgo.py --package tabiya

Arguments are passed on to `cargo build --release --locked`; --target and --target-dir are honoured. The instrumented build and the
profile are in the folder pgo of the target folder. The machine must be able to run the programs, and the compiler needs its
component llvm-tools.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# What the profile is made from. The search with the network counts most; the rest is here because code that never runs is
# optimised for size.
WORKLOADS = [
    ["bench"],
    ["bench", "9", "--kernels"],
    ["bench", "11", "--evaluation", "handcrafted"],
    ["bench", "8", "--evaluation", "classic"],
    ["perft", "5"],
    # Several lines, with tablebases.
    ["analyse", "8/8/3k4/8/2q5/8/8/1Q2K2R w - -", "--multipv", "2", "--depth", "10"]
    + ["--syzygy", str(ROOT / "tests" / "data" / "syzygy")],
]


def profdata_tool() -> pathlib.Path:
    """The compiler's own llvm-profdata: that of another LLVM may not read its profiles."""
    output = lambda *command: subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT).stdout
    host = next(line.split()[1] for line in output("rustc", "-vV").splitlines() if line.startswith("host:"))
    folder = pathlib.Path(output("rustc", "--print", "sysroot").strip(), "lib", "rustlib", host, "bin")
    tool = folder / ("llvm-profdata.exe" if os.name == "nt" else "llvm-profdata")
    if not tool.is_file():
        sys.exit(f"{tool} is missing; `rustup component add llvm-tools` installs it")
    return tool


def build(target_dir: pathlib.Path, arguments: list[str], flags: str) -> None:
    # RUSTFLAGS ends a flag at each space, which the path may contain.
    separator = "\x1f"
    inherited = os.environ.get("CARGO_ENCODED_RUSTFLAGS", separator.join(os.environ.get("RUSTFLAGS", "").split()))
    environment = os.environ | {"CARGO_ENCODED_RUSTFLAGS": separator.join(filter(None, [inherited, flags]))}
    command = ["cargo", "build", "--release", "--locked", "--target-dir", target_dir, *arguments]
    subprocess.run(command, check=True, cwd=ROOT, env=environment)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target")
    parser.add_argument("--target-dir", type=pathlib.Path, default=pathlib.Path("target"))
    args, arguments = parser.parse_known_args()
    tool = profdata_tool()
    target_dir = (ROOT / args.target_dir).resolve()
    if args.target:
        arguments += ["--target", args.target]

    folder = target_dir / "pgo"
    raw = folder / "raw"
    build(folder, arguments, f"-Cprofile-generate={raw}")
    # Without --target, build scripts and macros have written profiles, too.
    shutil.rmtree(raw, ignore_errors=True)
    programs = folder / args.target / "release" if args.target else folder / "release"
    program = programs / ("tabiya.exe" if (programs / "tabiya.exe").exists() else "tabiya")
    for workload in WORKLOADS:
        subprocess.run([program, *workload], check=True, stdout=subprocess.DEVNULL)

    merged = folder / "merged.profdata"
    subprocess.run([tool, "merge", "--output", merged, raw], check=True)
    # Cargo does not look into the file, so that another profile needs another name.
    profile = folder / f"{hashlib.sha256(merged.read_bytes()).hexdigest()[:16]}.profdata"
    merged.replace(profile)
    build(target_dir, arguments, f"-Cprofile-use={profile}")


if __name__ == "__main__":
    main()
