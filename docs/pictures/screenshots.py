#!/usr/bin/env python3
"""Makes the screenshots of the documents: XBoard with the engine, and the HTML pages of the program in Chromium.

    python3 docs/pictures/screenshots.py target/release/tabiya             writes docs/pictures/*.png
    python3 docs/pictures/screenshots.py target/release/tabiya --check     checks that they are up to date

Each picture holds a hash of the files that its appearance depends on. The check compares it and needs neither program nor display. Making the
pictures needs `apt-get install xboard xvfb chromium`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/pictures"
SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: The name of the text chunk with the hash.
KEYWORD = b"Sources"
#: The size of the virtual screen and of the browser's window, in pixels.
SCREEN, WINDOW = (880, 416), (1180, 930)

#: The Opera game: Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
GAME = """[Event "Paris"]
[Date "1858.??.??"]
[White "Morphy"]
[Black "Duke and Count"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0
"""
#: A window that XBoard opens at its first start.
HINT = "Right-clicking menu item or dialog text pops up help on it"
#: The game after nine moves.
POSITION = "rn2kb1r/p3qppp/2p2n2/1p2p1B1/2B1P3/1QN5/PPP2PPP/R3K2R w KQkq b6 0 10"


@dataclass(frozen=True)
class Screenshot:
    name: str
    #: What the appearance depends on, relative to the repository.
    sources: tuple[str, ...]
    make: Callable[[pathlib.Path, pathlib.Path], bytes]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    outdated = []
    for screenshot in SCREENSHOTS:
        path, current = FOLDER / f"{screenshot.name}.png", digest(screenshot)
        if args.check:
            if not path.exists() or current not in path.read_bytes():
                outdated.append(path.name)
            continue
        with tempfile.TemporaryDirectory() as folder:
            png = screenshot.make(args.program.resolve(strict=True), pathlib.Path(folder))
        path.write_bytes(with_text(png, current))
        print(path)
    if outdated:
        print(f"outdated: {', '.join(outdated)}\nto make the screenshots again: python3 {sys.argv[0]} {args.program}")
    return 1 if outdated else 0


def digest(screenshot: Screenshot) -> bytes:
    """A hash of the sources, with names, in hexadecimal."""
    state = hashlib.sha256()
    for pattern in screenshot.sources:
        files = sorted(path for path in ROOT.glob(pattern) if path.is_file())
        assert files, f"{pattern} names no file"
        for path in files:
            contents = path.read_bytes().replace(b"\r\n", b"\n")
            state.update(f"{path.relative_to(ROOT).as_posix()} {len(contents)}\n".encode() + contents)
    return state.hexdigest().encode()


def report(program: pathlib.Path, folder: pathlib.Path) -> bytes:
    """The page of an annotated game, at its first bad move."""
    page = html(program, folder, ["pgn", "annotate", "game.pgn", "--nodes", "20000"])
    text = (folder / "page.html").read_text(encoding="utf-8")
    data = json.loads(text.split('type="application/json">')[1].split("</script>")[0])
    first = next(node for node, move in enumerate(data["games"][0]["nodes"]) if move.get("judgement"))
    return browser(folder, f"{page}#game=1&node={first}")


def analysis(program: pathlib.Path, folder: pathlib.Path) -> bytes:
    """The page of an analysed position, with three lines."""
    return browser(folder, html(program, folder, ["analyse", "game.pgn", "--ply", "18", "--multipv", "3", "--depth", "12"]))


def html(program: pathlib.Path, folder: pathlib.Path, arguments: list[str]) -> str:
    """Runs a command that writes a page, and returns the page's address."""
    (folder / "game.pgn").write_text(GAME, encoding="utf-8")
    subprocess.run([program, *arguments, "--html", "page.html"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return (folder / "page.html").as_uri()


def browser(folder: pathlib.Path, address: str) -> bytes:
    chromium = found("chromium", "chromium-browser", "google-chrome")
    picture = folder / "picture.png"
    size = ",".join(map(str, WINDOW))
    command = [chromium, "--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={size}", f"--screenshot={picture}", address]
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, timeout=120)
    return picture.read_bytes()


def xboard(program: pathlib.Path, folder: pathlib.Path) -> bytes:
    """XBoard analyses a position of the game with the engine."""
    server_program, client = found("Xvfb"), found("xboard", "/usr/games/xboard")
    (folder / "position.fen").write_text(f"{POSITION}\n", encoding="utf-8")
    display = f":{90 + os.getpid() % 100}"
    screen = f"{SCREEN[0]}x{SCREEN[1]}x24"
    server = subprocess.Popen([server_program, display, "-screen", "0", screen, "-nolisten", "tcp", "-fbdir", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(1.5)
        # There is no window manager, which would place the windows.
        windows = {"engineOutputX": 345, "engineOutputY": 4, "engineOutputW": 520, "engineOutputH": 400}
        command = [client, "-fcp", program, "-fd", folder, "-lpf", folder / "position.fen", "-mode", "analysis", "-size", "small", "-engineOutputUp", "true", "-messageSuppress", HINT]
        command += [text for name, value in windows.items() for text in (f"-{name}", str(value))]
        environment = {**os.environ, "DISPLAY": display, "HOME": str(folder)}
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(15)
            return png_of_xwd((folder / "Xvfb_screen0").read_bytes())
        finally:
            process.terminate()
            process.wait(10)
    finally:
        server.terminate()
        server.wait(10)


def found(*names: str) -> str:
    programs = [program for name in names if (program := shutil.which(name))]
    if not programs:
        sys.exit(f"{names[0]} is not installed")
    return programs[0]


def png_of_xwd(dump: bytes) -> bytes:
    """A picture of the frame buffer that Xvfb keeps in a file of the format XWD."""
    header = struct.unpack(">25I", dump[:100])
    header_size, width, height, bits, line, colors = header[0], header[4], header[5], header[11], header[12], header[19]
    assert bits == 32, f"{bits} bits a pixel"
    pixels = dump[header_size + colors * 12:]
    rows = []
    for y in range(height):
        row = pixels[y * line:y * line + width * 4]
        rgb = bytearray(width * 3)
        # Little-endian: blue, green, red.
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(b"\0" + bytes(rgb))
    parts = [chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), chunk(b"IDAT", zlib.compress(b"".join(rows), 9)), chunk(b"IEND", b"")]
    return SIGNATURE + b"".join(parts)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def with_text(png: bytes, text: bytes) -> bytes:
    """The picture with a text chunk before its last chunk."""
    end = chunk(b"IEND", b"")
    assert png.startswith(SIGNATURE) and png.endswith(end)
    return png[:-len(end)] + chunk(b"tEXt", KEYWORD + b"\0" + text) + end


PAGE = ("crates/review/page/*", "crates/review/page/shared/*", "crates/core/src/board/pieces.svg")
SCREENSHOTS = [
    Screenshot("report", PAGE, report),
    Screenshot("analysis-page", PAGE, analysis),
    Screenshot("xboard", ("crates/uci-cli/src/xboard/format.rs", "crates/uci-cli/src/version.rs"), xboard),
]


if __name__ == "__main__":
    sys.exit(main())
