#!/usr/bin/env python3
"""Rehearses OpenBench on this machine: a server, a worker and a stand-in for GitHub.

    git clone https://github.com/AndyGrant/OpenBench
    git clone https://github.com/AndyGrant/fastchess
    xtask/openbench/rehearsal/run.py --openbench OpenBench --fastchess fastchess --base HEAD~1

The worker builds fastchess and two revisions of Tabiya, and plays a test of the two, an SPSA session of some parameters, and
generates data. Then the script checks what the instance has recorded, and trains a network on the generated games. OpenBench itself is not changed: its configuration files
name the engine, and its requests to GitHub go to the stand-in. Needs git, openssl, unshare, make, g++, cargo and network access to
the package registries of Python and, unless its cache has the crates, of Rust. The first run takes 10 to 30 minutes.
"""

from __future__ import annotations

import argparse
import bz2
import io
import json
import re
import sqlite3
import subprocess
import sys
import tarfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

from github import GitHub
from instance import Instance
from website import Website

REPOSITORY = Path(__file__).resolve().parents[3]
CONFIG = REPOSITORY / "xtask/openbench/tabiya.json"
#: Replaces the book of the presets, which is too large to download for this.
BOOK_FILE = Path(__file__).resolve().with_name("noob_3moves.epd")
ENGINE = "Tabiya"
#: The name of Tabiya's repository in the stand-in.
NAME = "rehearsal/tabiya"
USER, PASSWORD = "rehearsal", "rehearsal-password"
#: Two, the least with which a worker plays SPSA sessions.
THREADS = 2
PARAMETERS = ["nmp_base", "rfp_slope", "lmr_base"]
#: Parameters move by whole units within a few games.
R_END = "0.1"
ITERATIONS, PAIRS = 4, 2
DATA_GAMES = 16
#: Seconds after the end of a workload within which its games can be downloaded: OpenBench waits for machines that were seen on it
#: within two minutes.
ARCHIVE_TIMEOUT = 240


class Failure(Exception):
    """A check has failed."""


def check(condition: bool, message: str) -> None:
    if not condition:
        raise Failure(message)


def say(text: str) -> None:
    print(time.strftime("%H:%M:%S"), text, flush=True)


def git(*arguments: str) -> str:
    return subprocess.run(["git", "-C", str(REPOSITORY), *arguments], check=True, capture_output=True, text=True).stdout


def values_of(lines: list[str]) -> list[list[str | float]]:
    """The fields of SPSA inputs. OpenBench stores all numbers as floating-point ones."""
    return [[float(field) if re.match(r"-?\d", field) else field for field in line.split(", ")] for line in lines]


def lab(*arguments: str | Path) -> str:
    """Runs a command of the lab, and returns what it prints."""
    command = ["cargo", "xtask", *map(str, arguments)]
    result = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True)
    check(result.returncode == 0, f"{' '.join(command)}: {result.stderr}")
    return result.stdout


@dataclass
class Revision:
    """A commit and its node count in `bench`: that of the newest `Bench: N` line, as only commits that change it have one."""

    commit: str
    bench: str

    @staticmethod
    def find(name: str) -> Revision:
        commit = git("rev-parse", "--verify", f"{name}^{{commit}}").strip()
        message = git("log", "-1", "--format=%B", "--extended-regexp", "--grep=^Bench: [0-9]+", commit)
        lines = re.findall(r"^Bench: (\d+)", message, re.MULTILINE)
        check(bool(lines), f"no commit before {name} has a line Bench: N")
        return Revision(commit, lines[-1])

    def side(self, side: str) -> dict[str, str]:
        return {f"{side}_branch": self.commit, f"{side}_bench": self.bench}


class Rehearsal:
    """The workloads and their checks."""

    def __init__(self, arguments: argparse.Namespace, instance: Instance, website: Website) -> None:
        self.instance = instance
        self.website = website
        self.dev = Revision.find(arguments.dev)
        self.base = Revision.find(arguments.base)
        self.games: int = arguments.games
        self.time_control: str = arguments.time_control
        self.deadline = time.monotonic() + 60 * arguments.timeout

    def create_test(self, priority: int, **values: str) -> int:
        settings = {"test_mode": "GAMES", "test_max_games": str(self.games), "test_bounds": "N/A", "test_confidence": "N/A"}
        # The one workload that a worker requests has all games.
        settings["workload_size"] = str(self.games // (2 * THREADS) // 2)
        for side, revision in (("dev", self.dev), ("base", self.base)):
            settings |= {**revision.side(side), f"{side}_time_control": self.time_control}
        settings |= {"upload_pgns": "VERBOSE", "priority": str(priority), **values}
        return self.website.create("test", ENGINE, "nodes", settings)

    def create_tune(self, priority: int, inputs: str) -> int:
        settings = {**self.dev.side("dev"), "spsa_inputs": inputs, "priority": str(priority), "dev_time_control": self.time_control}
        settings |= {"spsa_iterations": str(ITERATIONS), "spsa_pairs_per": str(PAIRS), "upload_pgns": "FALSE"}
        return self.website.create("tune", ENGINE, "nodes", settings)

    def create_datagen(self, priority: int) -> int:
        settings = {**self.dev.side("dev"), **self.dev.side("base"), "priority": str(priority), "book_name": "NONE"}
        settings |= {"dev_time_control": self.time_control, "base_time_control": self.time_control}
        settings |= {"datagen_max_games": str(DATA_GAMES), "workload_size": str(DATA_GAMES // (2 * THREADS))}
        return self.website.create("datagen", ENGINE, "default", settings)

    def engine(self, revision: Revision) -> Path:
        """The binary of a revision, under the name that the client gives it."""
        return self.instance.worker / "Engines" / f"{ENGINE}-{revision.commit[:8].upper()}"

    def wait_for(self, what: str, condition: Callable[[], bool]) -> None:
        """Waits until `condition()` holds. Raises `Failure` when the worker has ended, an engine does not build, or time is up."""
        worker = self.instance.processes[-1]
        while not condition():
            log = self.instance.logs / "worker.log"
            check(worker.poll() is None, f"the worker has ended before {what}; see {log}")
            check(time.monotonic() < self.deadline, f"not within the time limit: {what}; see {log}")
            events = self.events()
            check(not any("build failed" in event for event in events), f"{events}")
            time.sleep(2)

    def finish(self, number: int) -> dict:
        """Waits until a workload is finished, and returns its record."""
        self.wait_for(f"workload {number} is finished", lambda: self.website.info(number)["finished"])
        return self.website.info(number)

    def events(self, number: int | None = None) -> list[str]:
        """The errors that workers have reported."""
        with closing(sqlite3.connect(self.instance.site / "db.sqlite3", timeout=30)) as database:
            query = "SELECT summary, test_id FROM OpenBench_logevent WHERE machine_id != 0"
            return [summary for summary, test in database.execute(query) if number in (None, test)]

    def check_games(self, number: int, games: int) -> str:
        """Checks that all games are counted, and none was lost by a crash, on time or by an illegal move."""
        info = self.website.info(number)
        results = self.website.json(f"/api/workload/{number}/results/")["results"]
        check(info["games"] >= games, f"{info['games']} games instead of {games}")
        losses, draws, wins = info["tri"]
        check(wins + draws + losses == info["games"], f"trinomial: {info}")
        check(2 * sum(info["penta"]) == info["games"] or not info["use_penta"], f"pentanomial: {info['penta']}")
        check(sum(result["games"] for result in results) == info["games"], f"results by machine: {results}")
        faults = {name: sum(result[name] for result in results) for name in ("crashes", "timeloss")}
        check(not info["error"] and not any(faults.values()), f"faults: {faults}, error flag {info['error']}")
        events = self.events(number)
        check(not events, f"events: {events}")
        return f"{info['games']} games, {wins} won, {draws} drawn, {losses} lost, Ptnml {info['penta']}"

    def archive(self, number: int) -> str:
        """Downloads the uploaded games of a workload as PGN."""
        deadline = time.monotonic() + ARCHIVE_TIMEOUT
        while (content := self.website.get(f"/api/pgns/{number}/")).startswith(b"{"):
            check(time.monotonic() < deadline, f"games of workload {number}: {content.decode()}")
            time.sleep(5)
        with tarfile.open(fileobj=io.BytesIO(content)) as files:
            parts = [files.extractfile(member) for member in files.getmembers()]
            return "\n".join(bz2.decompress(part.read()).decode() for part in parts if part)

    def check_archive(self, number: int) -> str:
        text = self.archive(number)
        games = text.count("[Event ")
        check(games == self.website.info(number)["games"], f"{games} games uploaded")
        comments = re.findall(r"\{([^}]*)\}", text)
        readable = [comment for comment in comments if re.match(r"[+-]?M?[\d.]+/\d+", comment)]
        check(len(readable) > 0.9 * len(comments) > 0, f"{len(readable)} of {len(comments)} moves have score and depth")
        return f"{games} games uploaded, {len(comments)} moves"

    def train(self, number: int) -> str:
        """Makes training records of the generated games, and trains a network on them for a moment."""
        folder = self.instance.worker.parent / "training"
        folder.mkdir(exist_ok=True)
        pgn, games = folder / "games.pgn", folder / "games.vf"
        pgn.write_text(self.archive(number))
        summary = lab("data", "from-pgn", pgn, "--out", games, "--force")
        check(f" {self.website.info(number)['games']} games, " in summary, f"games are missing: {summary}")
        sets = ["--out", folder / "train.bullet", "--valid", folder / "valid.bullet", "--valid-percent", "40"]
        lab("data", "export", games, *sets, "--every-ply", "--force")
        settings = ["--hidden", "32", "--batch", "64", "--superbatches", "2", "--warmup", "4"]
        files = [folder / "train.bullet", "--validation", folder / "valid.bullet", "--out", folder / "network", "--force"]
        lab("train", "run", *files, *settings)
        check((folder / "network" / "best.nnue").exists(), "the training has written no network")
        return summary.strip().splitlines()[-1]

    def check_tune(self, number: int, inputs: str) -> str:
        """Checks that OpenBench has read the inputs, and that parameters have moved within their ranges."""
        stored = self.website.get(f"/api/spsa/{number}/inputs/").decode().splitlines()
        check(values_of(stored) == values_of(inputs.splitlines()), f"inputs {stored}")
        moved = []
        lines = self.website.get(f"/api/spsa/{number}/digest/").decode().splitlines()[1:]
        for name, current, start, low, high, *_ in (line.split(",") for line in lines):
            check(float(low) <= float(current) <= float(high), f"{name} = {current}, outside of {low}..{high}")
            if float(current) != float(start):
                moved.append(f"{name} {start} -> {current}")
        check(bool(moved), f"no parameter has moved: {lines}")
        return ", ".join(moved)

    def check_options(self, inputs: str) -> None:
        """Checks that each parameter is a spin option with the same value and range."""
        output = subprocess.run([self.engine(self.dev), "uci", "quit"], check=True, capture_output=True, text=True).stdout
        for name, _, value, low, high, *_ in (line.split(", ") for line in inputs.splitlines()):
            option = f"option name {name} type spin default {value} min {low} max {high}"
            check(option in output.splitlines(), f"the engine has no line {option!r}")

    def run(self) -> None:
        say(f"dev {self.dev.commit[:12]} (bench {self.dev.bench}), base {self.base.commit[:12]} (bench {self.base.bench})")
        test = self.create_test(priority=3)
        say(f"test {test} created; the worker builds the engines")
        self.wait_for("the engines are built", lambda: self.engine(self.dev).exists() and self.engine(self.base).exists())
        inputs = subprocess.run(
            [self.engine(self.dev), "spsa", "--r-end", R_END, *PARAMETERS], check=True, capture_output=True, text=True
        ).stdout.strip()
        self.check_options(inputs)
        tune = self.create_tune(2, inputs)
        datagen = self.create_datagen(1)
        wrong = self.create_test(0, dev_bench=str(int(self.dev.bench) + 1))
        say(f"tune {tune}, data generation {datagen} and a test with a wrong bench, {wrong}, created")
        self.finish(test)
        say(f"test: {self.check_games(test, self.games)}")
        self.finish(tune)
        say(f"tune: {self.check_games(tune, 2 * PAIRS * ITERATIONS)}; {self.check_tune(tune, inputs)}")
        self.finish(datagen)
        say(f"data generation: {self.check_games(datagen, DATA_GAMES)}")
        info = self.finish(wrong)
        check(info["games"] == 0 and any("Wrong Bench" in event for event in self.events(wrong)), f"a wrong bench was accepted: {info}")
        say(f"wrong bench: {self.events(wrong)}")
        for number in (test, datagen):
            say(f"workload {number}: {self.check_archive(number)}")
        say(f"training: {self.train(datagen)}")
        for page in (f"/test/{test}/", f"/tune/{tune}/", f"/datagen/{datagen}/", "/index/", "/machines/", "/errors/", "/events/"):
            self.website.get(page)
        say("all checks passed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--openbench", type=Path, required=True, help="git repository of OpenBench")
    parser.add_argument("--fastchess", type=Path, required=True, help="git repository of fastchess, the fork that OpenBench names")
    parser.add_argument("--dev", default="HEAD", help="the revision to test [%(default)s]")
    parser.add_argument("--base", default="HEAD~1", help="the revision to compare it with [%(default)s]")
    parser.add_argument("--games", type=int, default=40, help="games of the test, a multiple of 8 [%(default)s]")
    parser.add_argument("--time-control", default="N=1000", help="of all games, as OpenBench writes it [%(default)s]")
    parser.add_argument("--folder", type=Path, default=REPOSITORY / "target/openbench-rehearsal", help="for all files [%(default)s]")
    parser.add_argument("--timeout", type=float, default=90, help="time limit in minutes [%(default)s]")
    arguments = parser.parse_args()
    if arguments.games % (4 * THREADS) != 0:
        parser.error(f"--games must be a multiple of {4 * THREADS}")

    folder = arguments.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    config = json.loads(CONFIG.read_text()) | {"source": f"https://github.com/{NAME}"}
    book = config["test_presets"]["default"]["book_name"]
    repositories = {"AndyGrant/OpenBench": arguments.openbench, "AndyGrant/fastchess": arguments.fastchess, NAME: REPOSITORY}
    github = GitHub(folder, repositories, {book: BOOK_FILE})
    github.start()
    instance = Instance(folder, arguments.openbench, github.environment)
    try:
        instance.install(ENGINE, config, book, BOOK_FILE)
        website = instance.start_server(USER, PASSWORD)
        say(f"server at {instance.address} (user {USER}, password {PASSWORD}), logs in {instance.logs}")
        rehearsal = Rehearsal(arguments, instance, website)
        instance.start_worker(USER, PASSWORD, THREADS, folder / "cargo")
        rehearsal.run()
    except (Failure, RuntimeError) as error:
        print(f"failed: {error}", file=sys.stderr)
        return 1
    finally:
        instance.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())
