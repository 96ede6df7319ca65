"""The files that a training reads and writes: checkpoints and networks, byte for byte those of the trainer in Rust.

`crates/training/src/train/checkpoint.rs` and `docs/network-file.md` describe the formats.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from model import FEATURES, MAX_OUTPUT_WEIGHT, MAX_THREAT, OUTPUT_BIASES, QA, QB, THREAT_FEATURES, Model, Optimiser
from settings import Architecture, Settings, TrainError
from torch import Tensor

CHECKPOINT_MAGIC, CHECKPOINT_VERSION = b"TABIYATC", 2
NETWORK_MAGIC, NETWORK_VERSION, FEATURE_SET, SCRELU = b"TabiyaNN", 3, 1, 1
# The numbers before a network's description.
HEADER = "<8sIIIHHiHHBB32sI"
MAX_BYTES = 1 << 30
MAX_DESCRIPTION_BYTES = 1 << 16
HASH_BYTES = 32
# Weights of the feature matrices are stored by columns of so many.
LANES = 32
MATRICES = ("factoriser", "feature weights", "threat weights")
KINDS = ("", "first moments of the ", "second moments of the ")


def read_file(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_BYTES:
            raise TrainError(f"cannot read {path}: it is larger than {MAX_BYTES} bytes")
        return path.read_bytes()
    except OSError as error:
        raise TrainError(f"cannot read {path}: {error.strerror}") from None


def write_file(path: Path, contents: bytes) -> None:
    """Replaces a file as a whole, so that a killed process leaves the old or the new one."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        with temporary.open("wb") as file:
            file.write(contents)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise TrainError(f"cannot write {path}: {error.strerror}") from None


@dataclass
class State:
    """The progress of a training."""

    settings: Settings
    # For each finished superbatch its number, losses and last learning rate.
    history: list[dict] = field(default_factory=list)
    # Mini-batches done after the last finished superbatch, and the sum of their losses.
    batches: int = 0
    loss_sum: float = 0.0
    # Training time.
    seconds: float = 0.0
    description: str = ""

    @staticmethod
    def from_json(values: dict) -> State:
        names = ("history", "batches", "loss_sum", "seconds")
        rest = {name: values[name] for name in names}
        return State(Settings.from_json(values["settings"]), **rest, description=values.get("description", ""))

    def to_json(self) -> dict:
        return {**vars(self), "settings": self.settings.to_json()}

    def step(self) -> int:
        """Mini-batches done in total."""
        return len(self.history) * self.settings.superbatch_batches + self.batches


def check_finite(model: Model, optimiser: Optimiser) -> None:
    """Checks that the training has not diverged."""
    groups = (model.arrays().values(), optimiser.moments("exp_avg"), optimiser.moments("exp_avg_sq"))
    for kind, group in zip(KINDS, groups, strict=True):
        for name, array in zip(model.arrays(), group, strict=True):
            if not torch.isfinite(array).all():
                raise TrainError(f"the {kind}{name} contain a number that is not finite")


def write_checkpoint(path: Path, state: State, model: Model, optimiser: Optimiser) -> None:
    check_finite(model, optimiser)
    text = json.dumps(state.to_json()).encode()
    parts = [CHECKPOINT_MAGIC, struct.pack("<II", CHECKPOINT_VERSION, len(text)), text]
    for group in (model.arrays().values(), optimiser.moments("exp_avg"), optimiser.moments("exp_avg_sq")):
        for name, array in zip(model.arrays(), group, strict=True):
            values = array.detach().cpu().numpy()
            if name in MATRICES:
                values = values.reshape(len(values), values.shape[1] // LANES, LANES).transpose(1, 0, 2)
            parts.append(values.astype("<f4").tobytes())
    contents = b"".join(parts)
    write_file(path, contents + hashlib.sha256(contents).digest())


@dataclass(frozen=True)
class Checkpoint:
    state: State
    sha256: str
    arrays: bytes

    @staticmethod
    def parse(contents: bytes, path: Path) -> Checkpoint:
        if not contents.startswith(CHECKPOINT_MAGIC):
            raise TrainError(f"{path} is not a checkpoint: it does not start with {CHECKPOINT_MAGIC.decode()}")
        if len(contents) < 16 + HASH_BYTES:
            raise TrainError(f"{path} is truncated")
        version, length = struct.unpack_from("<II", contents, 8)
        if version != CHECKPOINT_VERSION:
            raise TrainError(f"{path} has version {version} (expected {CHECKPOINT_VERSION})")
        contents, stored = contents[:-HASH_BYTES], contents[-HASH_BYTES:]
        if hashlib.sha256(contents).digest() != stored:
            raise TrainError(f"{path} is damaged or truncated (wrong hash)")
        try:
            state = State.from_json(json.loads(contents[16 : 16 + length]))
        except (ValueError, KeyError, TypeError) as error:
            raise TrainError(f"cannot read {path}: its state is not as expected ({error})") from None
        return Checkpoint(state, stored.hex(), contents[16 + length :])

    def restore(self, model: Model, path: Path) -> tuple[list[Tensor], list[Tensor]]:
        """Copies the parameters into a model of the same architecture, and returns the moments."""
        arrays = model.arrays()
        expected = len(KINDS) * 4 * sum(array.numel() for array in arrays.values())
        if len(self.arrays) != expected:
            raise TrainError(f"{path}: the arrays have {len(self.arrays)} bytes (expected {expected})")
        groups, at = [], 0
        for kind in KINDS:
            group = []
            for name, array in arrays.items():
                values = np.frombuffer(self.arrays, "<f4", array.numel(), at)
                at += values.nbytes
                if not np.isfinite(values).all():
                    raise TrainError(f"{path}: the {kind}{name} contain a number that is not finite")
                if name in MATRICES:
                    values = values.reshape(array.shape[1] // LANES, len(array), LANES).transpose(1, 0, 2)
                group.append(torch.from_numpy(values.reshape(array.shape).astype(np.float32)))
            groups.append(group)
        parameters, first, second = groups
        with torch.no_grad():
            for array, values in zip(arrays.values(), parameters, strict=True):
                array.copy_(values)
        return first, second


def quantise(model: Model) -> bytes:
    """Rounds the parameters to integers: the contents of a network file before their compression."""
    with torch.no_grad():
        merged = model.merged().view(FEATURES, -1, model.architecture.hidden).transpose(0, 1)

    def units(values: Tensor, unit: int, bound: float) -> np.ndarray:
        values = values.detach().cpu().numpy()
        if bound:
            values = values.clip(np.float32(-bound), np.float32(bound))
        values = (values * np.float32(unit)).astype(np.float64)
        # Halves are rounded away from zero, as Rust's `round` does.
        return np.trunc(values + np.copysign(0.5, values)).astype(np.int64)

    weights = units(model.output, QB, MAX_OUTPUT_WEIGHT)
    for bucket, total in enumerate(np.maximum(weights.clip(0).sum(1), (-weights).clip(0).sum(1))):
        if QA * QA * int(total) > 2**31 - 1:
            raise TrainError(f"cannot quantise the network: the sum of output bucket {bucket} could overflow")
    threats = units(model.threats, QA, MAX_THREAT / QA)
    features, bias = (units(values, QA, model.max_feature_weight) for values in (merged, model.bias))
    numbers = np.concatenate([array.ravel() for array in (features, threats, bias, weights)])
    zigzag = ((numbers << 1) ^ (numbers >> 63)).astype("<u2")
    biases = units(model.output_bias[: model.architecture.output_buckets], QA * QB, 0)
    low_and_high = zigzag.view(np.uint8).reshape(-1, 2).T
    return low_and_high.tobytes() + biases.clip(-(2**31), 2**31 - 1).astype("<i4").tobytes()


def write_network(path: Path, model: Model, description: str) -> None:
    architecture, text = model.architecture, description.encode()
    if len(text) > MAX_DESCRIPTION_BYTES:
        raise TrainError(f"the description has {len(text)} bytes (expected at most {MAX_DESCRIPTION_BYTES})")
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    parameters = deflate.compress(quantise(model)) + deflate.flush()
    header = struct.pack(
        HEADER,
        NETWORK_MAGIC,
        *(NETWORK_VERSION, FEATURE_SET, SCRELU, QA, QB, architecture.scale),
        *(architecture.hidden, architecture.threats, architecture.king_buckets, architecture.output_buckets),
        bytes(architecture.king_bucket_map),
        len(text),
    )
    contents = header + text + struct.pack("<I", len(parameters)) + parameters
    write_file(path, contents + struct.pack("<I", zlib.crc32(contents)))


def read_network(contents: bytes, path: Path) -> tuple[Architecture, np.ndarray, np.ndarray]:
    """Parses a network: its architecture, its 16-bit numbers and its output biases."""
    try:
        header = struct.unpack_from(HEADER, contents)
        magic, *version, scale, hidden, threats, _, buckets, king_bucket_map, description = header
        start = struct.calcsize(HEADER) + description
        (length,) = struct.unpack_from("<I", contents, start)
        (checksum,) = struct.unpack_from("<I", contents, start + 4 + length)
        parameters = contents[start + 4 : start + 4 + length]
    except struct.error:
        raise TrainError(f"{path} is neither a checkpoint nor a network, or is truncated") from None
    if magic != NETWORK_MAGIC or version != [NETWORK_VERSION, FEATURE_SET, SCRELU, QA, QB]:
        raise TrainError(f"{path} is neither a checkpoint nor a network of version {NETWORK_VERSION}")
    if zlib.crc32(contents[: start + 4 + length]) != checksum:
        raise TrainError(f"{path} is damaged (wrong checksum)")
    architecture = Architecture(hidden, tuple(king_bucket_map), buckets, scale, threats)
    count = hidden * (FEATURES * architecture.king_buckets + 1 + 2 * buckets) + threats * THREAT_FEATURES
    try:
        numbers = zlib.decompress(parameters, -zlib.MAX_WBITS)
    except zlib.error:
        numbers = b""
    if len(numbers) != 2 * count + 4 * buckets:
        raise TrainError(f"{path} is damaged: its parameters cannot be decompressed")
    low_and_high = np.frombuffer(numbers, np.uint8, 2 * count).reshape(2, -1).astype(np.int32)
    zigzag = low_and_high[0] | low_and_high[1] << 8
    return architecture, (zigzag >> 1) ^ -(zigzag & 1), np.frombuffer(numbers, "<i4", buckets, 2 * count)


def dequantise(numbers: np.ndarray, output_biases: np.ndarray, model: Model) -> None:
    """Sets the parameters to those of a network of the same architecture.

    The file has no factoriser. Its weights become the mean of the king buckets' weights.
    """
    hidden, king_buckets = model.architecture.hidden, model.architecture.king_buckets
    counts = (FEATURES * king_buckets * hidden, model.threats.numel(), hidden)
    features, threats, bias, output = np.split(numbers, np.cumsum(counts))
    rows = torch.from_numpy(features.reshape(king_buckets, FEATURES, hidden)).float().transpose(0, 1) / QA
    with torch.no_grad():
        if model.has_factoriser:
            shared = rows.mean(1)
            model.factoriser.copy_(shared)
            rows = rows - shared[:, None]
        model.features.copy_(rows.reshape(-1, hidden))
        model.threats.copy_(torch.from_numpy(threats).view_as(model.threats) / QA)
        model.bias.copy_(torch.from_numpy(bias) / QA)
        model.output.copy_(torch.from_numpy(output).view_as(model.output) / QB)
        biases = np.zeros(OUTPUT_BIASES, np.float32)
        biases[: len(output_biases)] = output_biases / np.float32(QA * QB)
        model.output_bias.copy_(torch.from_numpy(biases))


@dataclass(frozen=True)
class Initial:
    """A checkpoint or network whose weights a training starts from."""

    path: Path
    contents: bytes
    # Of a network file, or of the contents of a checkpoint.
    sha256: str

    @staticmethod
    def read(path: Path) -> Initial:
        contents = read_file(path)
        is_checkpoint = contents.startswith(CHECKPOINT_MAGIC)
        sha256 = Checkpoint.parse(contents, path).sha256 if is_checkpoint else hashlib.sha256(contents).hexdigest()
        return Initial(path, contents, sha256)

    def restore(self, model: Model) -> None:
        """Copies the weights into a model of the same architecture."""
        if self.contents.startswith(CHECKPOINT_MAGIC):
            checkpoint = Checkpoint.parse(self.contents, self.path)
            self._check(checkpoint.state.settings.architecture(), model.architecture)
            checkpoint.restore(model, self.path)
        else:
            architecture, numbers, output_biases = read_network(self.contents, self.path)
            self._check(architecture, model.architecture)
            dequantise(numbers, output_biases, model)

    def _check(self, own: Architecture, expected: Architecture) -> None:
        if own != expected:
            raise TrainError(
                f"cannot start from {self.path}: it is of a network {own} with scale {own.scale} "
                f"(expected {expected} with scale {expected.scale}, with the same king buckets)"
            )
