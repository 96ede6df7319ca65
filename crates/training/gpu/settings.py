"""The settings of a training: those of `crates/training/src/train/settings.rs`, by the same names."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields

import numpy as np

MAX_HIDDEN, MAX_KING_BUCKETS, MAX_OUTPUT_BUCKETS, MAX_SCALE = 1024, 32, 16, 10_000

# Fewest steps from random weights that give a useful network, with mini-batches of the default size.
MIN_STEPS = 1000


class TrainError(Exception):
    """An error that the user can do something about; its text is the message."""


@dataclass(frozen=True)
class Architecture:
    """The sizes of a network, its king buckets, and its scale in centipawns per 1.0 of the output."""

    hidden: int
    # The bucket of a1, b1, c1, d1, a2 to d8.
    king_bucket_map: tuple[int, ...]
    output_buckets: int
    scale: int
    # Neurons with threats, the first of the hidden layer.
    threats: int = 0

    def __post_init__(self) -> None:
        if not (0 < self.hidden <= MAX_HIDDEN and self.hidden % 32 == 0):
            raise TrainError(f"hidden layer of {self.hidden} (expected a multiple of 32 up to {MAX_HIDDEN})")
        if not (0 <= self.threats <= self.hidden and self.threats % 32 == 0):
            raise TrainError(f"{self.threats} neurons with threats (expected a multiple of 32 up to {self.hidden})")
        if not 1 <= self.output_buckets <= MAX_OUTPUT_BUCKETS:
            raise TrainError(f"{self.output_buckets} output buckets (expected 1 to {MAX_OUTPUT_BUCKETS})")
        if not 1 <= self.scale <= MAX_SCALE:
            raise TrainError(f"scale {self.scale} (expected 1 to {MAX_SCALE})")
        used = set(self.king_bucket_map)
        if len(self.king_bucket_map) != 32 or used != set(range(len(used))):
            raise TrainError("king buckets must be 32 numbers without gaps from 0 on")

    @property
    def king_buckets(self) -> int:
        return len(set(self.king_bucket_map))

    def __str__(self) -> str:
        threats = f"+t{self.threats}" if self.threats else ""
        return f"(768x{self.king_buckets}hm{threats} -> {self.hidden})x2 -> 1x{self.output_buckets}"


def parse_king_buckets(text: str) -> tuple[int, ...]:
    """Parses king buckets: a named layout, or 32 numbers separated by commas."""
    rows = {
        "1": [[0] * 4] * 8,
        "2": [[0] * 4] + [[1] * 4] * 7,
        "4": [[0, 0, 1, 1], [2] * 4] + [[3] * 4] * 6,
        "8": [[0, 1, 2, 3], [4, 4, 5, 5]] + [[6] * 4] * 2 + [[7] * 4] * 4,
    }.get(text)
    if rows is not None:
        return tuple(bucket for row in rows for bucket in row)
    try:
        buckets = tuple(int(number) for number in text.split(","))
    except ValueError:
        buckets = ()
    if len(buckets) != 32:
        raise TrainError("--king-buckets: expected 1, 2, 4, 8, or 32 numbers separated by commas")
    return buckets


@dataclass(frozen=True)
class Settings:
    """Everything that a training's result depends on. Floats are stored as such in the checkpoint."""

    hidden: int
    # Neurons with threats.
    threats: int
    king_buckets: list[int]
    output_buckets: int
    scale: int
    # Weight of the search score in the target; named `lambda` in the checkpoint.
    score_weight: float
    eval_scale: float
    exponent: float
    batch: int
    superbatches: int
    superbatch_batches: int
    lr: float
    final_lr: float
    schedule: str
    lr_steps: int
    warmup: int
    weight_decay: float
    seed: int
    # The gradient of a mini-batch is computed in one piece here.
    shards: int
    buffer: int
    # SHA-256 of the data files and of the validation file, and of the file that the weights come from.
    data: list[str]
    validation: str
    initial: str | None

    @staticmethod
    def from_json(values: dict) -> Settings:
        values = {"scale": 400, "threats": 0, "initial": None} | values
        values["score_weight"] = values.get("lambda")
        if values.get("no_mirroring"):
            raise TrainError("networks without mirroring are trained by `cargo xtask train` only")
        if values.get("output_only"):
            raise TrainError("the output layer alone is trained by `cargo xtask train` only")
        missing = [field.name for field in fields(Settings) if field.name not in values]
        if missing:
            raise TrainError(f"the settings lack {', '.join(missing)}")
        return Settings(**{field.name: values[field.name] for field in fields(Settings)})

    def to_json(self) -> dict:
        return {("lambda" if name == "score_weight" else name): value for name, value in asdict(self).items()}

    def architecture(self) -> Architecture:
        return Architecture(self.hidden, tuple(self.king_buckets), self.output_buckets, self.scale, self.threats)

    def total_batches(self) -> int:
        """Mini-batches of the whole training."""
        return self.superbatches * self.superbatch_batches

    def passes(self, records: int) -> float:
        return self.total_batches() * self.batch / max(records, 1)

    def shortfall(self, records: int) -> str | None:
        """Says why the training is too short to learn from so many records, if it is."""
        if self.total_batches() < MIN_STEPS and self.initial is None:
            return (
                f"{self.total_batches()} steps are too few to learn from random weights (at least {MIN_STEPS}); "
                "use more --superbatches, a smaller --batch, or more records"
            )
        if self.passes(records) < 0.99:
            passes = self.passes(records)
            return f"the training ends before it has seen every record ({passes:.2f} passes); use more --superbatches"
        return None

    def learning_rate(self, batch: int) -> float:
        """The learning rate of a mini-batch, counted from 0."""
        total = max(self.total_batches(), 1)
        if self.schedule == "cosine":
            fraction = (1 + math.cos(math.pi * batch / total)) / 2
            rate = self.final_lr + (self.lr - self.final_lr) * fraction
        else:
            step = min(batch * self.lr_steps // total, self.lr_steps - 1)
            rate = self.lr * (self.final_lr / self.lr) ** (step / max(self.lr_steps - 1, 1))
        return rate * min((batch + 1) / (self.warmup + 1), 1.0)

    def check_same(self, saved: Settings, path: object) -> None:
        """Checks that a checkpoint was written with these settings; the error names every one that differs."""
        ours, theirs = self.to_json(), saved.to_json()
        texts = {
            "data": "the data files have other contents or another order",
            "validation": "the validation file has other contents",
            "initial": "the file of --initial has other contents",
            "shards": "it is not of this trainer; --initial starts from its weights",
        }
        differences = [
            texts.get(name, f"--{name.replace('_', '-')}: {theirs[name]} in the checkpoint, {value} given")
            for name, value in ours.items()
            if theirs[name] != value
        ]
        if differences:
            raise TrainError(
                f"{path} is of a training with other settings ({'; '.join(differences)}); "
                "repeat those, or choose another folder"
            )

    def description(self, name: str, records: int, revision: str) -> str:
        """The description that is stored in the network."""

        def number(value: float) -> str:
            return np.format_float_positional(value, trim="-")

        start = f"; started from the weights of {self.initial[:16]}" if self.initial else ""
        return (
            f"{name + ': ' if name else ''}{records} records, {self.passes(records):.1f} epochs, "
            f"lambda {number(self.score_weight)}, eval scale {number(self.eval_scale)}, "
            f"exponent {number(self.exponent)}, AdamW {number(self.lr)} to {number(self.final_lr)}, "
            f"weight decay {number(self.weight_decay)}, mini-batch {self.batch}, seed {self.seed}; "
            f"revision {revision}; data {' '.join(sha256[:16] for sha256 in self.data)}{start}"
        )
