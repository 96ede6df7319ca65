#!/usr/bin/env python3
"""Trains a network on a GPU: `cargo xtask train run` in PyTorch, with the same options, data, checkpoint and network file.

    python3 crates/training/gpu/train.py train.bullet --validation validation.bullet --out target/runs/train/first

Records travel to the device as they are, 32 bytes each, and are expanded there. docs/training.md explains the settings. The order of
the records and the random weights are other ones than with `cargo xtask train run`, everything else is the same.
"""

from __future__ import annotations

import argparse
import math
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import torch
from files import (
    Checkpoint,
    Initial,
    State,
    check_finite,
    read_file,
    write_checkpoint,
    write_network,
)
from model import Model, Objective, Optimiser
from records import DataFile, DataLoader, read
from settings import Settings, TrainError, parse_king_buckets
from torch import Tensor

CHECKPOINT, BEST, LAST = "checkpoint", "best.nnue", "last.nnue"
# Mini-batches between looks at the loss: each waits for the device.
LOSS_INTERVAL = 64


def number(kind: type, low: float, high: float, above: bool = False) -> Callable[[str], float]:
    """A parser of numbers from `low` to `high`, or above `low`."""

    def parse(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = math.nan
        if not (low <= value <= high) or (above and value == low) or math.isinf(value):
            expected = f"{'above' if above else 'at least'} {low}" + ("" if math.isinf(high) else f" and at most {high}")
            raise argparse.ArgumentTypeError(f"{text!r} (expected {kind.__name__} {expected})")
        return value

    return parse


def parse_arguments(arguments: list[str]) -> argparse.Namespace:
    """Parses the command line; the defaults are those of `cargo xtask train run`."""
    parser = argparse.ArgumentParser(description="Train a network on a GPU.")
    add = parser.add_argument
    positive, rate = (number(float, 0, limit, above=True) for limit in (math.inf, 1000))
    count = number(int, 1, 1 << 40)
    add("data", metavar="DATA", nargs="+", type=Path, help="files of training records")
    add("--validation", metavar="FILE", type=Path, required=True, help="file of held-out records")
    add("--out", metavar="DIR", type=Path, required=True, help="output folder")
    exclusive = parser.add_mutually_exclusive_group()
    exclusive.add_argument("--resume", action="store_true", help="continue from the checkpoint in the output folder")
    exclusive.add_argument("--force", action="store_true", help="overwrite the files of another training")
    add("--initial", metavar="FILE", type=Path, help="checkpoint or network of the same architecture to start from")
    add("--name", default="", help="name of the network, for its description")
    add("--hidden", metavar="N", type=number(int, 32, 1024), default=128, help="size of the hidden layer, a multiple of 32")
    add("--threats", metavar="N", type=number(int, 0, 1024), default=0, help="neurons with threats as inputs, a multiple of 32")
    add("--king-buckets", default="1", help="1, 2, 4, 8, or the buckets of a1, b1, c1, d1, a2 to d8, separated by commas")
    add("--output-buckets", metavar="N", type=number(int, 1, 16), default=8, help="selected by the number of pieces")
    add("--scale", metavar="N", type=number(int, 1, 10_000), default=80, help="centipawns per 1.0 of the output")
    add("--lambda", metavar="X", dest="score_weight", type=number(float, 0, 1), default=0.7, help="weight of the search score")
    add("--eval-scale", metavar="X", type=positive, default=400.0, help="centipawns at which the sigmoid's argument is 1")
    add("--exponent", metavar="X", type=number(float, 2, 2.6), default=2.0, help="exponent of the error")
    add("--superbatches", metavar="N", type=number(int, 1, 1 << 20), default=40)
    add("--superbatch-positions", metavar="N", type=count, help="default: those of one epoch")
    add("--batch", metavar="N", type=number(int, 1, 1 << 24), default=16_384, help="positions in a mini-batch")
    add("--lr", metavar="X", type=rate, default=0.001, help="learning rate at the start")
    add("--final-lr", metavar="X", type=rate, default=0.000_005, help="learning rate at the end")
    add("--schedule", choices=("cosine", "step"), default="cosine", help="the way the learning rate falls")
    add("--lr-steps", metavar="N", type=number(int, 2, 1 << 32), help="learning rates of the schedule step; default: 4")
    add("--warmup", metavar="N", type=number(int, 0, 1 << 32), default=100, help="mini-batches during which the rate rises")
    add("--weight-decay", metavar="X", type=number(float, 0, math.inf), default=0.01)
    add("--seed", metavar="N", type=number(int, 0, (1 << 63) - 1), default=1, help="of the weights and the order of the records")
    add("--buffer", metavar="N", type=count, default=1 << 20, help="records that are shuffled together")
    add("--checkpoint-every", metavar="N", type=count, default=1, help="superbatches between checkpoints")
    add("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="device of PyTorch, such as cuda:1; default: %(default)s")
    return parser.parse_args(arguments)


def check_folder(args: argparse.Namespace) -> None:
    """Checks that the folder has no files of another training, or a checkpoint to resume from."""
    checkpoint = args.out / CHECKPOINT
    if args.resume:
        if not checkpoint.is_file():
            raise TrainError(f"{checkpoint} does not exist; nothing to resume")
        return
    inputs = [path for path in (*args.data, args.validation, args.initial) if path and path.exists()]
    for path in (checkpoint, args.out / BEST, args.out / LAST):
        if not path.exists():
            continue
        if any(path.samefile(other) for other in inputs):
            raise TrainError(f"cannot write {path}: it is the same file as the input")
        if not args.force:
            raise TrainError(f"{path} already exists; continue the training with --resume, or overwrite it with --force")


def revision() -> str:
    """The revision of the working tree, with `+` for uncommitted changes."""

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(Path(__file__).parent), *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    try:
        return git("rev-parse", "--short=12", "HEAD") + ("+" if git("status", "--porcelain") else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def survey(args: argparse.Namespace, device: torch.device) -> tuple[list[DataFile], DataFile]:
    """Checks the data files and the validation file."""
    *files, validation = (DataFile.survey(path, device) for path in (*args.data, args.validation))
    seen = set()
    for file in (*files, validation):
        lost, drawn, won = file.results
        print(f"{file.path}: {file.records} records ({lost} lost, {drawn} drawn, {won} won)")
        if file.sha256 in seen:
            raise TrainError(f"{file.path} is given twice")
        seen.add(file.sha256)
    totals = [sum(file.results[result] for file in files) for result in range(3)]
    if args.score_weight < 1 and totals.count(0) == 2:
        outcome = ("lost", "drawn", "won")[totals.index(max(totals))]
        raise TrainError(
            f"all {max(totals)} records are {outcome} for the side to move; only the scores can be learned (--lambda 1)"
        )
    return files, validation


def make_settings(args: argparse.Namespace, batches: DataLoader, validation: DataFile, initial: Initial | None) -> Settings:
    positions = args.superbatch_positions
    return Settings(
        hidden=args.hidden,
        threats=args.threats,
        king_buckets=list(parse_king_buckets(args.king_buckets)),
        output_buckets=args.output_buckets,
        scale=args.scale,
        score_weight=args.score_weight,
        eval_scale=args.eval_scale,
        exponent=args.exponent,
        batch=batches.batch,
        superbatches=args.superbatches,
        superbatch_batches=max(positions // batches.batch, 1) if positions else batches.per_epoch,
        lr=args.lr,
        final_lr=args.final_lr,
        schedule=args.schedule,
        lr_steps=args.lr_steps or 4,
        warmup=args.warmup,
        weight_decay=args.weight_decay,
        seed=args.seed,
        shards=1,
        buffer=args.buffer,
        data=[file.sha256 for file in batches.files],
        validation=validation.sha256,
        initial=initial.sha256 if initial else None,
    )


@dataclass
class Training:
    """A training in progress."""

    folder: Path
    state: State
    model: Model
    optimiser: Optimiser
    batches: DataLoader
    # Records in memory.
    validation: Tensor
    checkpoint_every: int
    # Losses of mini-batches that are still on the device.
    losses: list[Tensor] = field(default_factory=list)

    def resume(self) -> None:
        """Continues from the checkpoint in the folder, with the description of the first command."""
        path = self.folder / CHECKPOINT
        checkpoint = Checkpoint.parse(read_file(path), path)
        self.state.settings.check_same(checkpoint.state.settings, path)
        moments = checkpoint.restore(self.model, path)
        description = self.state.description
        self.state = checkpoint.state
        self.state.description = self.state.description or description
        self.optimiser.restore(self.state.step(), *moments)

    def run(self, interrupted: Callable[[], bool]) -> bool:
        """Trains until the last superbatch is finished or `interrupted` returns true. Returns true if it is finished."""
        settings, device = self.state.settings, self.validation.device
        objective = Objective.of(settings)
        start, seconds_before, first = time.monotonic(), self.state.seconds, self.state.step()
        batches = self.batches.read_from(first)
        while len(self.state.history) < settings.superbatches:
            records = torch.from_numpy(next(batches))
            if device.type == "cuda":
                records = records.pin_memory()
            step = self.state.step()
            rate = settings.learning_rate(step)
            self.losses.append(self.optimiser.step(records.to(device, non_blocking=True), objective, rate))
            self.state.batches += 1
            is_last = self.state.batches == settings.superbatch_batches
            is_interrupted = interrupted()
            if len(self.losses) >= LOSS_INTERVAL or is_last or is_interrupted:
                self.collect_losses()
                self.state.seconds = seconds_before + time.monotonic() - start
                speed = (step + 1 - first) * settings.batch / (time.monotonic() - start)
                mean = self.state.loss_sum / self.state.batches
                if sys.stderr.isatty():
                    text = f"{step + 1}/{settings.total_batches()} mini-batches, loss {mean:.6f}, {speed:.0f} positions/s"
                    print(f"\r{text:79}", end="\r", file=sys.stderr)
            if is_last:
                self.finish_superbatch(objective, rate)
                number = len(self.state.history)
                if number % self.checkpoint_every == 0 or number == settings.superbatches:
                    self.save()
            if is_interrupted:
                self.save()
                break
        return len(self.state.history) >= settings.superbatches

    def collect_losses(self) -> None:
        """Adds the losses on the device to their sum."""
        losses = torch.stack(self.losses).cpu().double()
        self.losses.clear()
        if not torch.isfinite(losses).all():
            raise self.diverged(f"the loss of a mini-batch up to {self.state.step()} is not finite")
        self.state.loss_sum += float(losses.sum())

    def finish_superbatch(self, objective: Objective, learning_rate: float) -> None:
        """Computes the validation loss, and writes the network if it is the best one."""
        try:
            check_finite(self.model, self.optimiser)
        except TrainError as error:
            raise self.diverged(str(error)) from None
        state = self.state
        finished = {
            "number": len(state.history) + 1,
            "training": state.loss_sum / state.batches,
            "validation": self.model.mean_loss(self.validation, objective),
            "learning_rate": learning_rate,
        }
        is_best = all(finished["validation"] < other["validation"] for other in state.history)
        state.history.append(finished)
        state.batches, state.loss_sum = 0, 0.0
        print(
            f"superbatch {finished['number']:>3}/{state.settings.superbatches}  learning rate {learning_rate:<9.7f}  "
            f"training {finished['training']:.6f}  validation {finished['validation']:.6f}"
        )
        # Before the checkpoint: if the process is killed in between, this superbatch is repeated.
        if is_best:
            self.write_network(BEST)

    def diverged(self, cause: str) -> TrainError:
        has_checkpoint = (self.folder / CHECKPOINT).is_file()
        kept = "the last checkpoint is kept" if has_checkpoint else "there is no checkpoint yet"
        return TrainError(f"the training has diverged: {cause}; {kept}; try a lower --lr in a new folder")

    def save(self) -> None:
        self.write_network(LAST)
        write_checkpoint(self.folder / CHECKPOINT, self.state, self.model, self.optimiser)

    def write_network(self, name: str) -> None:
        description = f"{self.state.description}; superbatch {len(self.state.history)}"
        if self.state.batches > 0:
            description += f" and {self.state.batches} mini-batches"
        write_network(self.folder / name, self.model, description)


def train(args: argparse.Namespace, interrupted: Callable[[], bool]) -> None:
    """Trains until the end or an interruption."""
    if args.final_lr > args.lr:
        raise TrainError(f"--final-lr {args.final_lr} is above --lr {args.lr}")
    if args.lr_steps and args.schedule == "cosine":
        raise TrainError(f"--lr-steps {args.lr_steps} needs --schedule step; the schedule cosine has no steps")
    try:
        device = torch.device(args.device)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise TrainError(f"--device {args.device} cannot be used: {str(error).splitlines()[0]}") from None
    check_folder(args)
    files, validation = survey(args, device)
    batches = DataLoader(files, min(args.batch, sum(file.records for file in files)), args.buffer, args.seed)
    initial = Initial.read(args.initial) if args.initial else None
    settings = make_settings(args, batches, validation, initial)
    model = Model(settings.architecture(), args.seed).to(device)
    if initial and not args.resume:
        initial.restore(model)
    try:
        args.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrainError(f"cannot create {args.out}: {error.strerror}") from None
    training = Training(
        folder=args.out,
        state=State(settings, description=settings.description(args.name, batches.records, revision())),
        model=model,
        optimiser=Optimiser(model, settings.weight_decay),
        batches=batches,
        validation=torch.from_numpy(read(validation.path, 0, validation.records)).to(device),
        checkpoint_every=args.checkpoint_every,
    )
    if args.resume:
        training.resume()
    done, superbatches = len(training.state.history), settings.superbatches
    print(f"{settings.architecture()}, {done} of {superbatches} superbatches done, {device}")
    passes = settings.passes(batches.records)
    print(f"{settings.total_batches()} steps of {settings.batch} records: {passes:.1f} passes over {batches.records} records")
    if shortfall := settings.shortfall(batches.records):
        print(f"warning: {shortfall}", file=sys.stderr)
    finished = training.run(interrupted)
    print(f"Folder    {args.out}")
    if not finished:
        raise TrainError(f"stopped after mini-batch {training.state.step()}; repeat the command with --resume to continue")
    print(f"{training.state.step() * settings.batch / max(training.state.seconds, 1e-9):.0f} positions/s")


def main() -> int:
    args = parse_arguments(sys.argv[1:])
    was_interrupted = False

    def interrupt(*_: object) -> None:
        nonlocal was_interrupted
        was_interrupted = True
        # A second Ctrl-C ends the process at once.
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    signal.signal(signal.SIGINT, interrupt)
    try:
        train(args, lambda: was_interrupted)
    except TrainError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except torch.cuda.OutOfMemoryError:
        print(f"error: {args.device} has too little memory; use a smaller --batch or --hidden", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
