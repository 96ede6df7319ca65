#!/usr/bin/env python3
"""Tests of the trainer for a GPU, on the CPU: it computes what the trainer in Rust computes.

    python3 crates/training/gpu/test_train.py                        runs the tests
    python3 crates/training/gpu/test_train.py --bless cargo xtask    writes the golden file with `cargo xtask train run`

Both trainers start from the same checkpoint, which this file writes, and every mini-batch has all records of the training file, so
that their order does not matter. The golden file has the losses and some parameters of the trainer in Rust.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import subprocess
import sys
import tempfile
import unittest
from collections.abc import Callable
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from files import Checkpoint, State, read_network, write_checkpoint
from model import FEATURES, THREAT_FEATURES, Model, Objective, Optimiser
from records import DataFile, DataLoader, broken, decode, read
from settings import Settings, TrainError, parse_king_buckets
from threats import DIAGONAL, KNIGHT_STEPS, PAWN_STEPS, STRAIGHT, piece_states
from train import BEST, CHECKPOINT, LAST, parse_arguments, train

DATA = Path(__file__).resolve().parents[3] / "tests/data/training"
RECORDS, VALIDATION, GOLDEN = DATA / "records.bin", DATA / "validation.bin", DATA / "golden.json"
BATCH = RECORDS.stat().st_size // 32
CPU = torch.device("cpu")
# Every so many parameters are in the golden file.
SAMPLE = 397

# For each case the options of the training, and the largest magnitude of feature and output weights at its start.
SCHEDULE = "--superbatches 20 --warmup 3 --lr 0.002 --final-lr 0.0001 --lambda 0.6 --eval-scale 200"
CASES: dict[str, tuple[str, float, float]] = {
    "factoriser": (f"--hidden 32 --king-buckets 4 --output-buckets 8 --scale 80 {SCHEDULE}", 0.15, 0.2),
    "no king buckets": (
        f"--hidden 64 --output-buckets 3 --exponent 2.4 --schedule step --lr-steps 3 --weight-decay 0.5 {SCHEDULE}",
        0.3,
        0.2,
    ),
    "threats": (f"--hidden 64 --threats 32 --output-buckets 4 --scale 80 {SCHEDULE}", 0.15, 0.2),
    # Weights beyond what the network holds, and no learning: only the limits and the rounding change anything.
    "limits": ("--hidden 64 --king-buckets 2 --superbatches 1 --lr 1e-30 --final-lr 1e-30", 5.0, 4.0),
    "limits with threats": ("--hidden 64 --threats 32 --superbatches 1 --lr 1e-30 --final-lr 1e-30", 5.0, 4.0),
}


def arguments(case: str, folder: Path) -> list[str]:
    paths = [RECORDS, "--validation", VALIDATION, "--initial", folder / "initial", "--out", folder / "out"]
    return [*map(str, paths), "--batch", str(BATCH), *CASES[case][0].split()]


def write_initial(case: str, folder: Path) -> None:
    """Writes a checkpoint with weights that look random but are the same everywhere."""
    args = parse_arguments(arguments(case, folder))
    settings = Settings(
        **{name: getattr(args, name) for name in ("hidden", "threats", "output_buckets", "scale")},
        score_weight=args.score_weight,
        eval_scale=args.eval_scale,
        **{name: getattr(args, name) for name in ("exponent", "superbatches", "lr", "final_lr", "schedule", "warmup")},
        **{name: getattr(args, name) for name in ("batch", "weight_decay", "seed", "buffer")},
        king_buckets=list(parse_king_buckets(args.king_buckets)),
        **{"superbatch_batches": 1, "lr_steps": 4, "shards": 1, "data": [], "validation": "", "initial": None},
    )
    model = Model(settings.architecture(), 1)
    with torch.no_grad():
        arrays = model.arrays()
        # Last, so that the other arrays are the same in cases without it.
        arrays["threat weights"] = arrays.pop("threat weights")
        for number, (name, array) in enumerate(arrays.items()):
            index = np.arange(array.numel(), dtype=np.uint64) + np.uint64(number << 24)
            fraction = (index * np.uint64(2_654_435_761) % np.uint64(1 << 32)) / float(1 << 32)
            bound = CASES[case][2 if name.startswith("output") else 1]
            array.copy_(torch.from_numpy((2 * fraction - 1) * bound).view_as(array))
        # Output biases beyond the number of output buckets do not exist.
        model.output_bias[settings.output_buckets :] = 0
    write_checkpoint(folder / "initial", State(settings), model, Optimiser(model, 0.0))


def result(folder: Path) -> dict:
    """The losses of a finished training, a sample of its parameters, and its network."""
    path = folder / "out" / CHECKPOINT
    checkpoint = Checkpoint.parse(path.read_bytes(), path)
    values = np.frombuffer(checkpoint.arrays, "<f4")
    _, numbers, biases = read_network((folder / "out" / LAST).read_bytes(), folder / LAST)
    return {
        "training": [finished["training"] for finished in checkpoint.state.history],
        "validation": [finished["validation"] for finished in checkpoint.state.history],
        "parameters": [float(value) for value in values[: len(values) // 3 : SAMPLE]],
        "second moments": [float(value) for value in values[2 * (len(values) // 3) :: SAMPLE]],
        "network": hashlib.sha256(numbers.astype("<i2").tobytes() + biases.tobytes()).hexdigest(),
    }


def run(arguments: list[str], interrupted: Callable[[], bool] = lambda: False) -> None:
    """Runs the trainer on the CPU without output."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        train(parse_arguments(["--device", "cpu", *arguments]), interrupted)


class GoldenTest(unittest.TestCase):
    """Trainings give what the trainer in Rust gives."""

    def check(self, case: str) -> dict[str, dict]:
        expected = json.loads(GOLDEN.read_text())[case]
        with tempfile.TemporaryDirectory() as name:
            write_initial(case, Path(name))
            run(arguments(case, Path(name)))
            found = result(Path(name))
        for losses in ("training", "validation"):
            np.testing.assert_allclose(found[losses], expected[losses], rtol=1e-5)
        np.testing.assert_allclose(found["parameters"], expected["parameters"], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(found["second moments"], expected["second moments"], rtol=1e-3, atol=1e-12)
        return {"found": found, "expected": expected}

    def test_factoriser(self) -> None:
        self.check("factoriser")

    def test_no_king_buckets(self) -> None:
        self.check("no king buckets")

    def test_threats(self) -> None:
        self.check("threats")

    def test_limits_and_rounding(self) -> None:
        for case in ("limits", "limits with threats"):
            results = self.check(case)
            self.assertEqual(results["found"]["network"], results["expected"]["network"])


def pieces_by_square(record: list[int]) -> dict[int, int]:
    """The pieces of a record, in the order of their squares."""
    occupied = int.from_bytes(bytes(record[:8]), "little")
    squares = [square for square in range(64) if occupied >> square & 1]
    return {square: record[8 + number // 2] >> 4 * (number % 2) & 15 for number, square in enumerate(squares)}


def attacked_squares(board: dict[int, int], square: int) -> set[int]:
    """The squares that the piece on a square attacks."""
    side, kind = divmod(board[square], 8)
    all_directions = STRAIGHT + DIAGONAL
    steps = (PAWN_STEPS[side], KNIGHT_STEPS, DIAGONAL, STRAIGHT, all_directions, all_directions)[kind]
    attacked = set()
    for ranks, files in steps:
        rank, file = square // 8 + ranks, square % 8 + files
        while 0 <= rank < 8 and 0 <= file < 8:
            attacked.add(8 * rank + file)
            if kind not in (2, 3, 4) or 8 * rank + file in board:
                break
            rank, file = rank + ranks, file + files
    return attacked


def threat_state(board: dict[int, int], square: int) -> int:
    """The definition of the threat state of one piece."""
    # In unreachable positions a king attacks a king. The trainer in Rust gives any attacked king state 3.
    values, value = (1, 3, 3, 5, 9, 10), (1, 3, 3, 5, 9, 11)[board[square] & 7]
    attackers = [other for other in board if square in attacked_squares(board, other)]
    enemies = [board[other] & 7 for other in attackers if board[other] >> 3 != board[square] >> 3]
    if not enemies:
        return 0
    if any(values[enemy] < value for enemy in enemies):
        return 3
    return 1 if len(attackers) > len(enemies) else 2


def record_of(placement: str) -> list[int]:
    """A record with the pieces of a FEN, in which upper case is the side to move, and without its other fields."""
    rows = placement.split("/")
    board: dict[int, int] = {}
    for rank, row in enumerate(reversed(rows)):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[8 * rank + file] = "PNBRQK".index(letter.upper()) + 8 * letter.islower()
                file += 1
    occupied = sum(1 << square for square in board)
    pieces = [*board.values(), *[0] * (32 - len(board))]
    pairs = (low | high << 4 for low, high in zip(pieces[::2], pieces[1::2], strict=True))
    return [*occupied.to_bytes(8, "little"), *pairs, *[0] * 8]


class ThreatsTest(unittest.TestCase):
    def states(self, placements: list[str]) -> list[dict[str, int]]:
        """The state of the piece on each square, after a comparison with the definition."""
        records = [record_of(placement) for placement in placements]
        found = piece_states(decode(torch.tensor(records, dtype=torch.uint8))).tolist()
        boards = []
        for placement, record, states in zip(placements, records, found, strict=True):
            board = pieces_by_square(record)
            states = states[: len(board)]
            self.assertEqual(states, [threat_state(board, square) for square in board], placement)
            names = ("abcdefgh"[square % 8] + str(square // 8 + 1) for square in board)
            boards.append(dict(zip(names, states, strict=True)))
        return boards

    def test_states_are_those_of_the_definition(self) -> None:
        first, pawns, edges, *_ = self.states(
            [
                "4k3/8/2p5/3N4/8/3Q4/8/3RK2r",
                # Pawns attack forwards, those of the opponent downwards, and not around the edge of the board.
                "4k3/8/1n5N/P6p/p6P/N6n/8/4K3",
                # Sliders from corner to corner, behind other pieces, and adjacent.
                "q5kr/1P4R1/8/8/3b4/8/1n4B1/R3K2Q",
                "r1bqkb1r/pp1n1ppp/2n1p3/2ppP3/3P1P2/2N1BN2/PPP3PP/R2QKB1R",
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
                "QQQQQQkQ/8/n7/8/8/7N/8/KqqqqqqQ",
            ]
        )
        self.assertEqual([first[square] for square in ("d5", "e1", "d3", "c6", "h1")], [3, 3, 0, 0, 0])
        self.assertEqual([pawns[square] for square in ("b6", "h6", "a3", "h3")], [3, 0, 0, 0])
        self.assertEqual([edges[square] for square in ("a1", "h1", "g7", "a8")], [2, 3, 3, 3])

    def test_states_of_random_boards_are_those_of_the_definition(self) -> None:
        random = np.random.default_rng(1)
        placements = []
        for _ in range(200):
            board = np.full(64, ".")
            squares = random.permutation(64)[: random.integers(2, 33)]
            board[squares] = ["K", "k", *random.choice(list("PNBRQpnbrq"), len(squares) - 2)]
            rows = ("".join(row).replace(".", "1") for row in board.reshape(8, 8))
            placements.append("/".join(rows))
        counts = np.bincount([state for states in self.states(placements) for state in states.values()])
        self.assertTrue((counts > 100).all(), counts)


class RecordsTest(unittest.TestCase):
    def test_rows_are_those_of_the_definition(self) -> None:
        records = read(RECORDS, 0, BATCH)
        buckets = tuple(square % 5 for square in range(32))
        settings = Settings.from_json(settings_json() | {"king_buckets": list(buckets), "threats": 32})
        model, positions = Model(settings.architecture(), 1), decode(torch.from_numpy(records))
        rows, threat_rows = model.rows(positions), model.threat_rows(positions)
        for record, found, found_threats in zip(records.tolist(), rows.tolist(), threat_rows.tolist(), strict=True):
            board = pieces_by_square(record)
            expected: list[list[int]] = [[], []]
            expected_threats: list[list[int]] = [[], []]
            for square, piece in board.items():
                state = threat_state(board, square)
                for side in (0, 1):
                    king = record[27 + side]
                    seen = square ^ 56 * side ^ (7 if king % 8 > 3 else 0)
                    bucket = buckets[king // 8 * 4 + min(king % 8, 7 - king % 8)]
                    enemy = (piece >> 3) ^ side
                    feature = 384 * enemy + 64 * (piece & 7) + seen
                    expected[side].append(feature * 5 + bucket)
                    expected_threats[side].append((state - 1) * FEATURES + feature if state > 0 else THREAT_FEATURES)
            missing = 32 - len(board)
            self.assertEqual(found, [rows + [FEATURES * 5] * missing for rows in expected])
            self.assertEqual(found_threats, [rows + [THREAT_FEATURES] * missing for rows in expected_threats])

    def test_broken_records_are_found(self) -> None:
        good = read(RECORDS, 0, 3)
        self.assertIsNone(broken(decode(torch.from_numpy(good))))
        for place, value, reason in (
            (slice(0, 8), 0, "number of pieces"),
            (slice(0, 8), 255, "number of pieces"),
            (26, 3, "result"),
            (8, 0x66, "a piece is not"),
            (27, 200, "the side to move does not have exactly one king"),
            (28, 64, "the opponent does not have exactly one king"),
        ):
            records = good.copy()
            records[1, place] = value
            fault = broken(decode(torch.from_numpy(records)))
            self.assertEqual(fault and fault[0], 1)
            self.assertIn(reason, fault[1])

    def test_epochs_have_every_record_once_and_start_anywhere(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / "records"
            records = np.zeros((10_000, 32), np.uint8)
            records[:, :4] = np.arange(10_000, dtype="<u4").view(np.uint8).reshape(-1, 4)
            path.write_bytes(records.tobytes())
            loader = DataLoader([DataFile(path, 10_000, (), "")], batch=600, buffer=4096, seed=3)
            batches = loader.read_from(0)
            read_once = [next(batches)[:, :4].copy().view("<u4")[:, 0].tolist() for _ in range(32)]
            for epoch in (read_once[:16], read_once[16:]):
                numbers = [number for batch in epoch for number in batch]
                self.assertEqual(len(set(numbers)), 9600)
            self.assertNotEqual(read_once[0], read_once[16])
            for first in (1, 7, 15, 16, 21):
                again = next(loader.read_from(first))[:, :4].copy().view("<u4")[:, 0].tolist()
                self.assertEqual(again, read_once[first])


class CommandTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def arguments(self, out: str, *more: str) -> list[str]:
        paths = [str(RECORDS), "--validation", str(VALIDATION), "--out", str(self.folder / out)]
        return [*paths, *"--hidden 32 --batch 100 --superbatches 2 --king-buckets 2 --buffer 4096".split(), *more]

    def error(self, *arguments: str) -> str:
        with self.assertRaises(TrainError) as caught:
            run(list(arguments))
        return str(caught.exception)

    def test_interrupted_training_continues(self) -> None:
        run(self.arguments("whole", "--threats", "32"))
        steps = iter(range(1, 100))
        with self.assertRaisesRegex(TrainError, "stopped after mini-batch 3"):
            run(self.arguments("parts", "--threats", "32"), lambda: next(steps) == 3)
        run(self.arguments("parts", "--threats", "32", "--resume"))
        checkpoints = [self.folder / out / CHECKPOINT for out in ("whole", "parts")]
        whole, parts = (Checkpoint.parse(path.read_bytes(), path) for path in checkpoints)
        self.assertEqual(len(parts.state.history), 2)
        arrays = (np.frombuffer(checkpoint.arrays, "<f4") for checkpoint in (whole, parts))
        np.testing.assert_allclose(*arrays, rtol=1e-4, atol=1e-6)

    def test_networks_start_a_training(self) -> None:
        tiny = ("--lr", "1e-30", "--final-lr", "1e-30", "--superbatches", "1", "--initial")
        for threats in (32, 0):
            architecture = ("--force", "--threats", str(threats))
            run(self.arguments("first", *architecture))
            best = self.folder / "first" / BEST
            run(self.arguments("second", *architecture, *tiny, str(best)))
            first, second = (read_network(path.read_bytes(), path) for path in (best, self.folder / "second" / LAST))
            self.assertEqual(first[0], second[0])
            self.assertEqual(first[0].threats, threats)
            np.testing.assert_array_equal(first[1], second[1])
            np.testing.assert_array_equal(first[2], second[2])
        text = self.error(*self.arguments("third", "--initial", str(best), "--scale", "100"))
        self.assertIn("with scale 80 (expected (768x2hm -> 32)x2 -> 1x8 with scale 100", text)
        text = self.error(*self.arguments("third", "--initial", str(best), "--threats", "32"))
        self.assertIn("(768x2hm -> 32)x2 -> 1x8 with scale 80 (expected (768x2hm+t32 -> 32)x2 -> 1x8 with scale 80", text)

    def test_bad_input_is_named(self) -> None:
        self.assertIn("cannot read missing: No such file", self.error("missing", *self.arguments("out")))
        self.assertIn("is given twice", self.error(str(RECORDS), *self.arguments("out")))
        self.assertIn("33 (expected a multiple of 32", self.error(*self.arguments("out", "--hidden", "33")))
        expected = "64 neurons with threats (expected a multiple of 32 up to 32)"
        self.assertIn(expected, self.error(*self.arguments("out", "--threats", "64")))
        self.assertIn("needs --schedule step", self.error(*self.arguments("out", "--lr-steps", "3")))
        self.assertIn("nothing to resume", self.error(*self.arguments("out", "--resume")))
        self.assertIn("neither a checkpoint nor a network", self.error(*self.arguments("out", "--initial", str(RECORDS))))
        self.assertIn("cannot be used", self.error(*self.arguments("out"), "--device", "nonsense"))
        self.assertFalse((self.folder / "out").exists())
        broken_file = self.folder / "broken"
        broken_file.write_bytes(RECORDS.read_bytes()[:70])
        self.assertIn("6 bytes after record 2", self.error(str(broken_file), *self.arguments("out")))
        broken_file.write_bytes(RECORDS.read_bytes()[:64] + bytes(32))
        self.assertIn("record 2 (byte 64) is broken", self.error(str(broken_file), *self.arguments("out")))

    def test_folder_of_another_training_is_kept(self) -> None:
        run(self.arguments("out"))
        self.assertIn("already exists", self.error(*self.arguments("out")))
        text = self.error(*self.arguments("out", "--resume", "--lambda", "0.5"))
        self.assertIn("--lambda: 0.7 in the checkpoint, 0.5 given", text)
        path = self.folder / "out" / CHECKPOINT
        text = self.error(*self.arguments("out", "--force", "--initial", str(path)))
        self.assertIn("same file as the input", text)
        contents = bytearray(path.read_bytes())
        contents[2000] ^= 1
        path.write_bytes(contents)
        self.assertIn("wrong hash", self.error(*self.arguments("out", "--resume")))

    def test_divergence_is_an_error(self) -> None:
        with mock.patch.object(Model, "limit", lambda model: model.bias.data.fill_(torch.nan)):
            text = self.error(*self.arguments("out"))
        self.assertIn("the training has diverged: the loss of a mini-batch up to 5 is not finite", text)
        self.assertFalse((self.folder / "out" / CHECKPOINT).exists())


def settings_json() -> dict:
    """Settings of a small network, as in a checkpoint."""
    floats = {"lambda": 0.5, "eval_scale": 400.0, "exponent": 2.0, "lr": 0.001, "final_lr": 0.00001, "weight_decay": 0.01}
    counts = {"hidden": 32, "output_buckets": 1, "scale": 400, "batch": 64, "superbatches": 4, "superbatch_batches": 25}
    schedule = {"schedule": "cosine", "lr_steps": 3, "warmup": 9, "seed": 1, "shards": 4, "buffer": 1 << 20}
    return {**floats, **counts, **schedule, "king_buckets": [0] * 32, "data": ["ab"], "validation": "cd", "initial": None}


class SettingsTest(unittest.TestCase):
    def test_checkpoints_from_before_threats_have_none(self) -> None:
        self.assertEqual(Settings.from_json(settings_json()).architecture().threats, 0)

    def test_learning_rate_is_that_of_the_trainer_in_rust(self) -> None:
        cosine = Settings.from_json(settings_json())
        self.assertAlmostEqual(cosine.learning_rate(0), 0.0001, delta=1e-5)
        self.assertAlmostEqual(cosine.learning_rate(50), 0.000_505, delta=1e-6)
        step = Settings.from_json(settings_json() | {"schedule": "step", "warmup": 0})
        rates = [round(step.learning_rate(batch) * 1e6) for batch in (0, 33, 34, 66, 67, 99, 100)]
        self.assertEqual(rates, [1000, 1000, 100, 100, 10, 10, 10])

    def test_target_of_score_only_records_ignores_the_result(self) -> None:
        positions = decode(torch.from_numpy(read(RECORDS, 0, 14)))
        self.assertEqual(positions.is_score_only.tolist(), [number % 7 == 0 for number in range(14)])
        targets = Objective(0.0, 400.0, 1.0, 2.0).target(positions)
        expected = torch.where(positions.is_score_only, torch.sigmoid(positions.score / 400), positions.result / 2)
        torch.testing.assert_close(targets, expected)


def bless(trainer: list[str]) -> None:
    """Writes the golden file with the trainer in Rust."""
    golden = {}
    for case in CASES:
        with tempfile.TemporaryDirectory() as name:
            write_initial(case, Path(name))
            subprocess.run([*trainer, "train", "run", *arguments(case, Path(name))], check=True)
            golden[case] = result(Path(name))
    GOLDEN.write_text(json.dumps(golden, indent=1) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--bless"]:
        bless(sys.argv[2:])
    else:
        unittest.main()
