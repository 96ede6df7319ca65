#!/usr/bin/env python3
"""Draws the terminal pictures of the documents from real runs of the program.

    python3 docs/pictures/make.py target/release/tabiya             writes docs/pictures/*.svg
    python3 docs/pictures/make.py target/release/tabiya --check     checks that they are up to date

Each run is on a pseudoterminal, of which this script interprets the control sequences. Moves, scores and times differ from run to
run, so the check compares the text without them: the lines of the new run and of the picture must be the same, digits and moves apart.
"""

from __future__ import annotations

import argparse
import codecs
import fcntl
import html
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import textwrap
import time
from dataclasses import dataclass, field

FOLDER = pathlib.Path(__file__).resolve().parent
COLUMNS, TIMEOUT = 92, 120.0

# Colours of the Solarized scheme's dark variant are common; these have more contrast.
BACKGROUND, FOREGROUND, BORDER = "#16181d", "#d7dae0", "#2b2f38"
COLORS = {31: "#ff7a7a", 32: "#7ddc8a", 33: "#ffd166", 36: "#6cc7ff"}
CELL_WIDTH, LINE_HEIGHT, MARGIN = 8.4, 18, 16


@dataclass(frozen=True)
class Style:
    color: str = FOREGROUND
    bold: bool = False
    reverse: bool = False


@dataclass
class Picture:
    """A session: the arguments, and keys to press after texts have appeared."""

    name: str
    arguments: list[str]
    keys: list[tuple[str, str]] = field(default_factory=list)


PICTURES = [
    Picture(
        "analyse",
        ["analyse", "--depth", "16", "--multipv", "3", "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR", "b", "KQkq", "-", "3", "3"],
    ),
    Picture(
        "play",
        ["play", "--tc", "5+3", "--depth", "8", "--no-book", "--fen", "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR", "w", "KQkq", "-", "0", "2"],
        [("2. > ", "g4\r"), ("quit > ", "quit\r")],
    ),
]


class Screen:
    """A terminal without scrolling: all lines are kept."""

    def __init__(self) -> None:
        self.lines: list[list[tuple[str, Style]]] = [[]]
        self.row = self.column = 0
        self.style = Style()

    def feed(self, text: str) -> None:
        for match in re.finditer(r"\x1b\[([?0-9;]*)([A-Za-z])|\x1b.|(.)", text, re.DOTALL):
            values, command, character = match.groups()
            if character is not None:
                self.put(character)
            elif command is not None:
                self.control(command, values)

    def put(self, character: str) -> None:
        if character == "\n":
            self.row += 1
            while len(self.lines) <= self.row:
                self.lines.append([])
        elif character == "\r":
            self.column = 0
        elif character >= " ":
            line = self.lines[self.row]
            while len(line) <= self.column:
                line.append((" ", Style()))
            line[self.column] = (character, self.style)
            self.column += 1

    def control(self, command: str, values: str) -> None:
        numbers = [int(value or 0) for value in values.split(";")] if not values.startswith("?") else [0]
        count = max(1, numbers[0])
        if command == "A":
            self.row = max(0, self.row - count)
        elif command == "C":
            self.column += count
        elif command == "D":
            self.column = max(0, self.column - count)
        elif command == "K":
            del self.lines[self.row][self.column :]
        elif command == "J":
            del self.lines[self.row][self.column :]
            del self.lines[self.row + 1 :]
        elif command == "m":
            for number in numbers:
                self.style = style_after(self.style, number)

    def text(self) -> list[str]:
        return ["".join(character for character, _ in line).rstrip() for line in self.lines]


def style_after(style: Style, number: int) -> Style:
    if number == 0:
        return Style()
    if number == 1:
        return Style(style.color, True, style.reverse)
    if number == 7:
        return Style(style.color, style.bold, True)
    return Style(COLORS.get(number, style.color), style.bold, style.reverse)


def run(program: pathlib.Path, picture: Picture) -> Screen:
    """Runs the program on a terminal and returns what it shows."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
    keys, output, seen = list(picture.keys), "", 0
    # A read may end within a character.
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "TERM": "xterm", "HOME": home}
        for name in ("NO_COLOR", "XDG_DATA_HOME", "TABIYA_LOG"):
            environment.pop(name, None)
        # The line with the command, as in a shell.
        screen = Screen()
        command = textwrap.wrap("tabiya " + " ".join(picture.arguments), COLUMNS - 6, break_on_hyphens=False)
        screen.feed("$ \x1b[1m" + " \\\r\n    ".join(command) + "\x1b[0m\r\n")
        process = subprocess.Popen([program, *picture.arguments], stdin=slave, stdout=slave, stderr=slave, env=environment)
        os.close(slave)
        deadline = time.monotonic() + TIMEOUT
        while time.monotonic() < deadline:
            try:
                readable = select.select([master], [], [], 1.0)[0]
                data = os.read(master, 65536) if readable else b""
            # The other end is closed.
            except OSError:
                break
            if readable and not data:
                break
            output += decoder.decode(data)
            if keys and keys[0][0] in output[seen:]:
                seen = len(output)
                os.write(master, keys.pop(0)[1].encode())
        os.close(master)
        if process.wait(TIMEOUT) != 0:
            sys.exit(f"{picture.name}: the program failed:\n{output}")
        # The progress bar of the review has been erased. The name of the temporary folder changes with each run.
        screen.feed(output.replace(home, "~"))
    return screen


def render(screen: Screen) -> str:
    lines = screen.lines
    while lines and not lines[-1]:
        lines.pop()
    width = 2 * MARGIN + COLUMNS * CELL_WIDTH
    height = 2 * MARGIN + len(lines) * LINE_HEIGHT
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" viewBox="0 0 {width:.0f} {height}">',
        f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}" stroke="{BORDER}"/>',
        f'<g font-family="ui-monospace, Menlo, Consolas, \'DejaVu Sans Mono\', monospace" font-size="14" fill="{FOREGROUND}">',
    ]
    for row, line in enumerate(lines):
        base = MARGIN + row * LINE_HEIGHT
        start = 0
        while start < len(line):
            style = line[start][1]
            end = start
            while end < len(line) and line[end][1] == style:
                end += 1
            text = "".join(character for character, _ in line[start:end])
            parts.extend(run_of_text(text, style, MARGIN + start * CELL_WIDTH, base))
            start = end
    return "\n".join([*parts, "</g>", "</svg>", ""])


def run_of_text(text: str, style: Style, x: float, y: float) -> list[str]:
    """Characters of one style. The length is given, because the width of a character depends on the font."""
    length = len(text) * CELL_WIDTH
    parts, color = [], style.color
    if style.reverse:
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="{length:.1f}" height="{LINE_HEIGHT}" fill="{color}"/>')
        color = BACKGROUND
    if text.strip():
        attributes = ("" if color == FOREGROUND else f' fill="{color}"') + (' font-weight="bold"' if style.bold else "")
        parts.append(
            f'<text x="{x:.1f}" y="{y + 13}" textLength="{length:.1f}" xml:space="preserve"{attributes}>{html.escape(text)}</text>'
        )
    return parts


def lines_of(svg: str) -> set[str]:
    """The lines of text in a picture, reduced by `skeleton`."""
    rows: dict[str, str] = {}
    for x, y, text in re.findall(r'<text x="([\d.]+)" y="(\d+)"[^>]*>([^<]*)</text>', svg):
        column = round((float(x) - MARGIN) / CELL_WIDTH)
        rows[y] = rows.get(y, "").ljust(column) + html.unescape(text)
    return {skeleton(line) for line in rows.values()}


def skeleton(line: str) -> str:
    """A line without what differs from run to run: the words that contain digits, signs or marks of moves."""
    words = [word for word in line.split() if re.fullmatch(r"[A-Za-z$():,;'.-]+", word) and not re.match(r"[NBRQKO][a-hxO-]", word)]
    # Rows of boards and of lines have no words of their own.
    return " ".join(word for word in words if len(word) > 2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    program, outdated = args.program.resolve(strict=True), []
    for picture in PICTURES:
        path = FOLDER / f"{picture.name}.svg"
        screen = run(program, picture)
        if not args.check:
            path.write_text(render(screen), encoding="utf-8", newline="\n")
            print(path)
            continue
        drawn = lines_of(path.read_text(encoding="utf-8")) if path.exists() else set()
        printed = {skeleton(line) for line in screen.text()}
        outdated += [f"{path.name} lacks: {line}" for line in screen.text() if skeleton(line) not in drawn | {""}]
        outdated += [f"{path.name} has a line that is no longer printed: {line}" for line in sorted(drawn - printed - {""})]
    if outdated:
        print("\n".join(outdated), f"\nto draw the pictures again: python3 {sys.argv[0]} {args.program}", sep="")
    return 1 if outdated else 0


if __name__ == "__main__":
    sys.exit(main())
