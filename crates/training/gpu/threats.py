"""Threat states: how each piece is attacked and defended, as `crates/eval/src/nnue/threat_states.rs` defines it.

| state | the piece is |
|---|---|
| 0 | not attacked |
| 1 | attacked and defended, by no enemy of lower value |
| 2 | attacked and undefended, by no enemy of lower value |
| 3 | attacked by an enemy of lower value |

Knights and bishops have the same value, and kings the highest: an attacked king has state 3. Boards are planes of 8x8
booleans, ranks before files, for whole mini-batches at once. The side to move plays upwards.
"""

from __future__ import annotations

import torch
from records import Positions
from torch import Tensor
from torch.nn import functional

# Sides, and piece types of which the last two do not exist: the values of four bits of a record.
SIDES, TYPES = 2, 8
# Threat states.
STATES = 4

# Ranks up and files to the right.
Step = tuple[int, int]
PAWN_STEPS: tuple[list[Step], ...] = ([(1, -1), (1, 1)], [(-1, -1), (-1, 1)])
STRAIGHT: list[Step] = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL: list[Step] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KNIGHT_STEPS: list[Step] = [(a * i, b * j) for a, b in ((1, 2), (2, 1)) for i in (1, -1) for j in (1, -1)]


def piece_states(positions: Positions) -> Tensor:
    """The threat state of each piece, in the order of `Positions.pieces`. Those of pieces that do not exist have no meaning."""
    records, squares = len(positions.count), positions.squares
    # The last column takes the pieces that do not exist.
    column = torch.where(positions.exists, 64 * positions.pieces + squares, SIDES * TYPES * 64)
    planes = torch.zeros((records, SIDES * TYPES * 64 + 1), dtype=torch.bool, device=squares.device)
    planes.scatter_(1, column, True)
    return board_states(planes[:, :-1].view(records, SIDES, TYPES, 8, 8)).flatten(1).gather(1, squares)


def board_states(planes: Tensor) -> Tensor:
    """The threat state of each square, 0 without a piece, from the planes of each side and piece type."""
    pawns, knights, bishops, rooks, queens, kings, *_ = planes.unbind(2)
    sides = planes.any(2)
    empty = ~sides.any(1, keepdim=True)

    # The squares that each side attacks: with pawns, with pawns to bishops, with pawns to rooks, and with all pieces.
    bishop_attacks, queen_diagonals = slide(torch.stack((bishops, queens)), empty, DIAGONAL)
    rook_attacks, queen_lines = slide(torch.stack((rooks, queens)), empty, STRAIGHT)
    by_pawns = torch.stack([leap(own, steps) for own, steps in zip(pawns.unbind(1), PAWN_STEPS, strict=True)], 1)
    up_to_minors = by_pawns | leap(knights, KNIGHT_STEPS) | bishop_attacks
    up_to_rooks = up_to_minors | rook_attacks
    defended = up_to_rooks | queen_diagonals | queen_lines | leap(kings, STRAIGHT + DIAGONAL)

    def enemy(attacks: Tensor) -> Tensor:
        return attacks.flip(1)

    attacked = sides & enemy(defended)
    by_lower = (
        (knights | bishops) & enemy(by_pawns)
        | rooks & enemy(up_to_minors)
        | queens & enemy(up_to_rooks)
        | kings & attacked
    )
    low, high = by_lower | attacked & defended, by_lower | attacked & ~defended
    return (low + 2 * high.long()).sum(1)


def shift(planes: Tensor, step: Step) -> Tensor:
    """Moves everything on the boards by a step. What leaves a board is dropped."""
    ranks, files = step
    # A negative padding crops.
    return functional.pad(planes, (files, -files, ranks, -ranks))


def leap(planes: Tensor, steps: list[Step]) -> Tensor:
    """The squares that pieces attack which reach one step far."""
    return torch.stack([shift(planes, step) for step in steps]).any(0)


def slide(planes: Tensor, empty: Tensor, directions: list[Step]) -> Tensor:
    """The squares that sliders attack: up to the first piece in each direction, inclusive."""
    attacks = torch.zeros_like(planes)
    for direction in directions:
        reached = planes
        for distance in range(7):
            reached = shift(reached & empty if distance else reached, direction)
            attacks |= reached
    return attacks
