"""Shared code of the client scripts: running checks, an engine process, and an engine as a player."""

from __future__ import annotations

import collections
import logging
import math
import queue
import subprocess
import threading
import time
from typing import Callable


class Warnings(logging.Handler):
    """Collects the warnings of python-chess."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        logger = logging.getLogger("chess.engine")
        logger.addHandler(self)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        # python-chess requests the status of an xboard analysis but does not know the protocol's answer.
        if "'stat01: " not in message:
            self.messages.append(message)


def run_checks(checks: list[Callable[[], None]], warnings: Warnings | None = None) -> int:
    """Runs all checks, prints a line for each, and returns the exit status."""
    failed = 0
    for function in checks:
        name = function.__name__.replace("_", " ")
        if warnings:
            warnings.messages.clear()
        start = time.monotonic()
        problem = None
        try:
            function()
        # Any failure of a check must not keep the others from running.
        except Exception as error:  # noqa: BLE001
            problem = f"{type(error).__name__}: {error}"
        if problem is None and warnings and warnings.messages:
            problem = f"python-chess warns: {warnings.messages[0]}"
        failed += problem is not None
        mark = "ok  " if problem is None else "FAIL"
        print(f"{mark} {name} ({time.monotonic() - start:.1f} s)" + (f": {problem}" if problem else ""), flush=True)
    print(f"{len(checks) - failed} passed, {failed} failed")
    return 1 if failed else 0


class Engine:
    """An engine process, driven line by line."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.lines: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
        self.errors: list[bytes] = []
        #: The last lines, for failure messages.
        self.transcript: collections.deque[str] = collections.deque(maxlen=60)
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.decode("utf-8", "replace").rstrip("\n")))
        self.lines.put(None)

    def _read_errors(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors.append(line)

    def send(self, line: str | bytes) -> float:
        """Sends a line and returns the time."""
        data = line if isinstance(line, bytes) else line.encode()
        assert self.process.stdin
        now = time.monotonic()
        self.transcript.append(f"> {data[:200]!r}")
        self.process.stdin.write(data + b"\n")
        return now

    def wait_for(self, is_wanted: Callable[[str], bool], timeout: float, what: str) -> tuple[float, str, list[str]]:
        """Waits for the first line that is wanted. Returns its time, the line, and the lines before it."""
        deadline, before = time.monotonic() + timeout, []
        while True:
            try:
                message = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(self.with_transcript(f"no {what} within {timeout} s")) from None
            if message is None:
                raise AssertionError(self.with_transcript(f"the engine exited before {what}: {self.stderr()}"))
            when, line = message
            self.transcript.append(f"< {line[:200]}")
            if is_wanted(line):
                return when, line, before
            before.append(line)

    def with_transcript(self, message: str) -> str:
        """The message with the end of the transcript."""
        return "\n".join([message, *self.transcript])

    def stderr(self) -> str:
        return b"".join(self.errors).decode("utf-8", "replace")

    def memory_kb(self) -> int:
        """The resident memory on Linux; 0 elsewhere."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                return next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)
        except OSError:
            return 0

    def end(self, timeout: float = 10.0) -> int:
        """Closes the input, waits for the exit and returns its code."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the engine does not exit at end of input") from None


class Player:
    """A UCI engine with options and a limit of its moves."""

    def __init__(self, path: str, options: dict[str, object], limit: str) -> None:
        self.engine, self.limit = Engine(path), limit
        self.engine.send("uci")
        self.set(options)

    @classmethod
    def of_level(cls, path: str, elo: int) -> Player:
        """Tabiya at a level."""
        # A level limits the nodes itself; the time keeps the search from counting as analysis.
        return cls(path, {"UCI_LimitStrength": "true", "UCI_Elo": elo}, "movetime 60000")

    def set(self, options: dict[str, object]) -> None:
        for name, value in options.items():
            self.engine.send(f"setoption name {name} value {value}")

    def new_game(self, options: dict[str, object] | None = None) -> None:
        self.engine.send("ucinewgame")
        self.set(options or {})
        self.engine.send("isready")
        self.engine.wait_for(lambda line: line == "readyok", 30, "readyok")

    def move(self, fen: str, moves: list[str]) -> tuple[str, float | None]:
        """Returns the move and its score for the player, in centipawns."""
        self.engine.send(f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else ""))
        self.engine.send(f"go {self.limit}")
        _, line, before = self.engine.wait_for(lambda line: line.startswith("bestmove"), 90, "bestmove")
        fields = next((line.split() for line in reversed(before) if " score " in line), [])
        value = None
        if fields:
            kind, number = fields[fields.index("score") + 1 :][:2]
            value = int(number) if kind == "cp" else math.copysign(30_000, int(number))
        return line.split()[1], value
