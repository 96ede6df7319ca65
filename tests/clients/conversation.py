"""What the scripts of this folder share: checks, and the engine as a process of its own."""

from __future__ import annotations

import collections
import logging
import queue
import subprocess
import threading
import time
from typing import Callable


class Warnings(logging.Handler):
    """Collects what python-chess complains about."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        logger = logging.getLogger("chess.engine")
        logger.addHandler(self)
        logger.propagate = False

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        # It asks for the state of an xboard analysis and does not know the answer that the protocol has.
        if "'stat01: " not in message:
            self.messages.append(message)


def run_checks(checks: list[Callable[[], None]], warnings: Warnings | None = None) -> int:
    """Runs them all, prints a line for each; returns the exit status."""
    failed = 0
    for function in checks:
        name = function.__name__.replace("_", " ")
        if warnings:
            warnings.messages.clear()
        start = time.monotonic()
        problem = None
        try:
            function()
        # A check may fail in any way at all; the others are to run all the same.
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
    """A process, and a conversation with it in lines."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        self.lines: queue.SimpleQueue[tuple[float, str] | None] = queue.SimpleQueue()
        self.errors: list[bytes] = []
        #: The last lines, for the message of a failure.
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
        """Sends a line and returns when."""
        data = line if isinstance(line, bytes) else line.encode()
        assert self.process.stdin
        now = time.monotonic()
        self.transcript.append(f"> {data[:200]!r}")
        self.process.stdin.write(data + b"\n")
        return now

    def wait_for(self, is_wanted: Callable[[str], bool], patience: float, what: str) -> tuple[float, str, list[str]]:
        """The first line that is wanted, when it came, and those before it."""
        deadline, before = time.monotonic() + patience, []
        while True:
            try:
                message = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise AssertionError(self.tell(f"no {what} within {patience} s")) from None
            if message is None:
                raise AssertionError(self.tell(f"the engine ended while it owed {what}: {self.stderr()}"))
            when, line = message
            self.transcript.append(f"< {line[:200]}")
            if is_wanted(line):
                return when, line, before
            before.append(line)

    def tell(self, message: str) -> str:
        """The message, with the end of the conversation."""
        return "\n".join([message, *self.transcript])

    def stderr(self) -> str:
        return b"".join(self.errors).decode("utf-8", "replace")

    def memory_kb(self) -> int:
        """The memory in use, where the system tells it (Linux); 0 elsewhere."""
        try:
            with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
                return next((int(line.split()[1]) for line in status if line.startswith("VmRSS")), 0)
        except OSError:
            return 0

    def end(self, patience: float = 10.0) -> int:
        """Closes the input and waits for the end."""
        assert self.process.stdin
        self.process.stdin.close()
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise AssertionError("the engine does not end with its input") from None
