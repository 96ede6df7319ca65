"""Files of training records: a check of their contents, and a reader of shuffled mini-batches.

A record has 32 bytes: a position from the side to move's point of view, with score and result. `crates/training/src/record.rs`
writes them. Records stay bytes until they are on the device, where `decode` expands them.
"""

from __future__ import annotations

import hashlib
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from settings import TrainError
from torch import Tensor

SIZE = 32
# Records that are read at once. A buffer has many such pieces, so that the shares of the files in it hardly vary.
PIECE = 4096
# Records that are checked at once.
CHUNK = 1 << 16
# Mini-batches that the reader prepares ahead.
QUEUE = 4
KING, OPPONENT = 5, 8


@dataclass(frozen=True)
class Positions:
    """Decoded records; the board is that of the side to move, which plays upwards. All tensors have a row for each record."""

    # Pieces in the order of their squares, 32 a record: 0 to 5, and 8 to 13 for the opponent's. Only the first `count` exist.
    pieces: Tensor
    squares: Tensor
    count: Tensor
    # Square of the side to move's king, and of the opponent's as the opponent sees it.
    kings: Tensor
    # Centipawns.
    score: Tensor
    # Half-points, 0 to 2.
    result: Tensor
    # True if the target is the score alone.
    is_score_only: Tensor

    @property
    def exists(self) -> Tensor:
        """True for the elements of `pieces` that exist."""
        return torch.arange(32, device=self.count.device) < self.count[:, None]


def decode(records: Tensor) -> Positions:
    """Decodes records, a tensor of bytes with 32 columns, on its device."""
    device = records.device
    bits = (records[:, :8, None] >> torch.arange(8, dtype=torch.uint8, device=device)) & 1
    occupied = bits.flatten(1).bool()
    # The square of each piece, without a synchronisation of the device as `nonzero` has. Column 32 takes what is no piece.
    number = occupied.cumsum(1) - 1
    number = torch.where(occupied, number.clamp(max=32), 32)
    squares = torch.zeros((len(records), 33), dtype=torch.int64, device=device)
    squares.scatter_(1, number, torch.arange(64, device=device).expand(len(records), 64))
    pieces = torch.stack((records[:, 8:24] & 15, records[:, 8:24] >> 4), 2).flatten(1)
    return Positions(
        pieces=pieces.long(),
        squares=squares[:, :32],
        count=occupied.sum(1),
        kings=records[:, 27:29].long(),
        score=records[:, 24:26].contiguous().view(torch.int16)[:, 0],
        result=records[:, 26],
        is_score_only=(records[:, 29] & 1).bool(),
    )


def broken(positions: Positions) -> tuple[int, str] | None:
    """Returns the number of the first record that cannot be trained on, with the reason."""
    exists, kind = positions.exists, positions.pieces & 7
    own_square, opponent_square = positions.kings[:, 0], positions.kings[:, 1] ^ 56

    def has_king(piece: int, square: Tensor) -> Tensor:
        is_king = exists & (positions.pieces == piece)
        on_square = is_king & (positions.squares == square[:, None])
        return (is_king.sum(1) == 1) & (on_square.sum(1) == 1)

    reasons = [
        ((positions.count < 2) | (positions.count > 32), "the number of pieces is not 2 to 32"),
        (positions.result > 2, "the result is not 0 to 2 half-points"),
        ((exists & (kind > KING)).any(1), "a piece is not 0 to 5, or 8 to 13 for the opponent"),
        (~has_king(KING, own_square), "the side to move does not have exactly one king where the record says"),
        (~has_king(OPPONENT + KING, opponent_square), "the opponent does not have exactly one king where the record says"),
    ]
    faults = torch.stack([fault for fault, _ in reasons])
    if not faults.any():
        return None
    record = int(faults.any(0).nonzero()[0])
    return record, reasons[int(faults[:, record].nonzero()[0])][1]


@dataclass(frozen=True)
class DataFile:
    """A checked file: its records, those in which the side to move lost, drew and won, and its SHA-256."""

    path: Path
    records: int
    results: tuple[int, ...]
    sha256: str

    @staticmethod
    def survey(path: Path, device: torch.device) -> DataFile:
        """Reads a file once and checks every record."""
        if path.exists() and not path.is_file():
            raise TrainError(f"cannot read {path}: it is not a regular file")
        try:
            size = path.stat().st_size
        except OSError as error:
            raise TrainError(f"cannot read {path}: {error.strerror}") from None
        records, rest = divmod(size, SIZE)
        if rest:
            raise TrainError(f"{path}: {rest} bytes after record {records} (expected records of {SIZE} bytes; is the file truncated?)")
        if records == 0:
            raise TrainError(f"{path} contains no records")
        hasher, results = hashlib.sha256(), np.zeros(3, dtype=np.int64)
        for start in range(0, records, CHUNK):
            chunk = read(path, start, min(CHUNK, records - start))
            hasher.update(chunk.data)
            positions = decode(torch.from_numpy(chunk).to(device))
            if fault := broken(positions):
                record = start + fault[0]
                raise TrainError(f"{path}, record {record} (byte {record * SIZE}) is broken: {fault[1]}")
            results += np.bincount(positions.result.cpu().numpy(), minlength=3)
        return DataFile(path, records, tuple(int(count) for count in results), hasher.hexdigest())


def read(path: Path, start: int, count: int) -> np.ndarray:
    """Reads adjacent records: an array of bytes with 32 columns."""
    try:
        records = np.fromfile(path, dtype=np.uint8, count=count * SIZE, offset=start * SIZE)
    except OSError as error:
        raise TrainError(f"cannot read {path}: {error.strerror}") from None
    if len(records) != count * SIZE:
        raise TrainError(f"{path} has been truncated")
    return records.reshape(-1, SIZE)


@dataclass(frozen=True)
class DataLoader:
    """Mini-batches of the records of some files, in an order that depends on the seed only.

    Files are read in pieces in a random order. A buffer of pieces is shuffled at a time, so memory does not grow with the data.
    """

    files: list[DataFile]
    # Records of a mini-batch.
    batch: int
    # Records that are shuffled together.
    buffer: int
    seed: int

    @property
    def records(self) -> int:
        return sum(file.records for file in self.files)

    @property
    def per_epoch(self) -> int:
        """Mini-batches of an epoch. The records that are left over are different ones in each epoch."""
        return self.records // self.batch

    def read_from(self, first: int) -> Iterator[np.ndarray]:
        """Yields mini-batches without end from number `first` on, which a thread prepares ahead."""
        batches: queue.Queue = queue.Queue(QUEUE)

        def prepare() -> None:
            try:
                epoch, skip = divmod(first, self.per_epoch)
                while True:
                    for batch in self._read_epoch(epoch, skip):
                        batches.put(batch)
                    epoch, skip = epoch + 1, 0
            except Exception as error:  # Raised again in the thread that trains.
                batches.put(error)

        threading.Thread(target=prepare, name="reader", daemon=True).start()
        while True:
            batch = batches.get()
            if isinstance(batch, Exception):
                raise batch
            yield batch

    def _read_epoch(self, epoch: int, skip: int) -> Iterator[np.ndarray]:
        """Yields the mini-batches of an epoch but the first `skip`."""
        pieces = [
            (file.path, start, min(PIECE, file.records - start))
            for file in self.files
            for start in range(0, file.records, PIECE)
        ]
        np.random.default_rng([self.seed, epoch]).shuffle(pieces)
        left, skip = self.per_epoch - skip, skip * self.batch
        rest = np.empty((0, SIZE), dtype=np.uint8)
        in_buffer = max(self.buffer // PIECE, 1)
        for number, at in enumerate(range(0, len(pieces), in_buffer)):
            buffer = pieces[at : at + in_buffer]
            length = sum(count for _, _, count in buffer)
            if skip >= length:
                skip -= length
                continue
            records = np.concatenate([read(*piece) for piece in buffer])
            order = np.random.default_rng([self.seed, epoch, number]).permutation(length)
            # The end of the buffer before stays in front, as it is.
            records = np.concatenate([rest, records[order]])[skip:]
            skip = 0
            whole = min(len(records) // self.batch, left)
            for index in range(whole):
                yield records[index * self.batch : (index + 1) * self.batch]
            left -= whole
            rest = records[whole * self.batch :]
