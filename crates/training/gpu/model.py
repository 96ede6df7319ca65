"""The network in training, its objective, and one step of the optimiser, in the arithmetic of `crates/training/src/train`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from records import OPPONENT, Positions, decode
from settings import Architecture, Settings
from threats import STATES, piece_states
from torch import Tensor, nn
from torch.nn import functional

FEATURES = 768
# One for each feature of a king bucket in threat state 1 to 3.
THREAT_FEATURES = (STATES - 1) * FEATURES
# Floats of the output biases in a checkpoint, of which as many are used as there are output buckets.
OUTPUT_BIASES = 32
# Units per 1.0 of the quantised network: of the feature weights, biases and activations, and of the output weights.
QA, QB = 255, 64
# Largest magnitude of a threat weight, in units.
MAX_THREAT = 127
MAX_OUTPUT_WEIGHT = 127 / QB
# Largest sum of the magnitudes of a bucket's output weights of one sign: their products with the squared activations fit in 32 bits.
MAX_OUTPUT_SUM = (2**31 - 1) // (QA * QA) / QB
# Typical number of active features, for the initial weights.
ACTIVE_FEATURES = 24
# Records that are evaluated at once without a gradient.
CHUNK = 1 << 14


@dataclass(frozen=True)
class Objective:
    """The loss `|sigmoid(output * slope) - target|^exponent`, and the target: a blend of search score and result."""

    score_weight: float
    eval_scale: float
    slope: float
    exponent: float

    @staticmethod
    def of(settings: Settings) -> Objective:
        slope = settings.scale / settings.eval_scale
        return Objective(settings.score_weight, settings.eval_scale, slope, settings.exponent)

    def target(self, positions: Positions) -> Tensor:
        score = torch.sigmoid(positions.score.float() / self.eval_scale)
        blend = self.score_weight * score + (1 - self.score_weight) * positions.result.float() / 2
        return torch.where(positions.is_score_only, score, blend)

    def losses(self, outputs: Tensor, positions: Positions) -> Tensor:
        """Returns the loss of each record."""
        error = torch.sigmoid(outputs * self.slope) - self.target(positions)
        return error.square() if self.exponent == 2 else error.abs().pow(self.exponent)


class Model(nn.Module):
    """The network. Rows of the feature weights are numbered by feature, then king bucket.

    With king buckets, a factoriser has a row for each of the 768 features, which is added to those of all king buckets. Rows of the
    threat weights are numbered by threat state, then feature; they have no king buckets.
    """

    def __init__(self, architecture: Architecture, seed: int) -> None:
        super().__init__()
        self.architecture = architecture
        hidden, king_buckets = architecture.hidden, architecture.king_buckets
        random = torch.Generator().manual_seed(seed)

        def uniform(deviation: float, *shape: int) -> Tensor:
            return (2 * torch.rand(shape, generator=random) - 1) * deviation * math.sqrt(3)

        # The standard deviation of the sums saturates neither the activation nor the sigmoid.
        shared = uniform(0.5 / math.sqrt(ACTIVE_FEATURES), FEATURES, hidden)
        has_factoriser = king_buckets > 1
        self.factoriser = nn.Parameter(shared if has_factoriser else torch.empty(0, hidden))
        self.features = nn.Parameter(torch.zeros(FEATURES * king_buckets, hidden) if has_factoriser else shared)
        self.threats = nn.Parameter(torch.zeros(THREAT_FEATURES, architecture.threats))
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.output = nn.Parameter(uniform(1 / math.sqrt(hidden), architecture.output_buckets, 2 * hidden))
        self.output_bias = nn.Parameter(torch.zeros(OUTPUT_BIASES))
        self.register_buffer("king_bucket_map", torch.tensor(architecture.king_bucket_map), persistent=False)

    @property
    def has_factoriser(self) -> bool:
        return len(self.factoriser) > 0

    @property
    def max_feature_weight(self) -> float:
        """Largest magnitude of a feature weight or bias: 32 features, their threats and the bias fit in 16 bits."""
        threats = 32 * MAX_THREAT if self.architecture.threats else 0
        return (32_767 - threats) // 33 / QA

    def arrays(self) -> dict[str, nn.Parameter]:
        """The parameters in the order of a checkpoint, with the names of the trainer in Rust."""
        return {
            "factoriser": self.factoriser,
            "feature weights": self.features,
            "threat weights": self.threats,
            "feature biases": self.bias,
            "output weights": self.output,
            "output biases": self.output_bias,
        }

    def merged(self) -> Tensor:
        """The feature weights with the factoriser added."""
        if not self.has_factoriser:
            return self.features
        by_feature = self.features.view(FEATURES, -1, self.architecture.hidden)
        return (by_feature + self.factoriser[:, None]).view_as(self.features)

    def perspectives(self, positions: Positions) -> tuple[Tensor, Tensor]:
        """The features of each record's pieces, 32 for the side to move, then 32 for the opponent, and the king bucket of each.

        Features are those of one king bucket, below 768. Those of pieces that do not exist have no meaning.
        """
        is_opponent = positions.pieces >= OPPONENT
        features, buckets = [], []
        for king, enemy, rank_flip in zip(positions.kings.unbind(1), (is_opponent, ~is_opponent), (0, 56), strict=True):
            file = king & 7
            is_mirrored = file >= 4
            buckets.append(self.king_bucket_map[(king >> 3) * 4 + torch.where(is_mirrored, 7 - file, file)])
            flip = rank_flip ^ torch.where(is_mirrored, 7, 0)
            features.append(384 * enemy + 64 * (positions.pieces & 7) + (positions.squares ^ flip[:, None]))
        return torch.stack(features, 1), torch.stack(buckets, 1)

    def rows(self, positions: Positions) -> Tensor:
        """The rows of the active features of each record, in the order of `perspectives`.

        Those that do not exist have the number of rows.
        """
        features, buckets = self.perspectives(positions)
        rows = features * self.architecture.king_buckets + buckets[:, :, None]
        return torch.where(positions.exists[:, None], rows, len(self.features))

    def threat_rows(self, positions: Positions) -> Tensor:
        """The rows of the active threat features of each record, as `rows` has those of the features."""
        features, _ = self.perspectives(positions)
        states = piece_states(positions)[:, None]
        is_active = positions.exists[:, None] & (states > 0)
        return torch.where(is_active, (states - 1) * FEATURES + features, THREAT_FEATURES)

    def forward(self, positions: Positions) -> Tensor:
        """Returns the output for each record."""
        sums = sum_rows(self.merged(), self.rows(positions)) + self.bias
        neurons = self.architecture.threats
        if neurons > 0:
            sums[:, :neurons] += sum_rows(self.threats, self.threat_rows(positions))
        activations = sums.clamp(0, 1).square().view(len(positions.count), -1)
        buckets = self.architecture.output_buckets
        outputs = functional.linear(activations, self.output, self.output_bias[:buckets])
        bucket = (positions.count - 2) * buckets // 31
        return outputs.gather(1, bucket[:, None])[:, 0]

    @torch.no_grad()
    def mean_loss(self, records: Tensor, objective: Objective) -> float:
        """Mean loss on records in memory."""
        device, total = self.bias.device, 0.0
        for chunk in records.split(CHUNK):
            positions = decode(chunk.to(device))
            total += float(objective.losses(self(positions), positions).cpu().double().sum())
        return total / max(len(records), 1)

    @torch.no_grad()
    def limit(self) -> None:
        """Limits the parameters to what the quantised network can hold."""
        bound = self.max_feature_weight
        if self.has_factoriser:
            self.factoriser.clamp_(-bound, bound)
            # The part of the bucket is limited so that the sum is.
            merged = self.merged().clamp(-bound, bound)
            merged = merged.view(FEATURES, -1, self.architecture.hidden)
            self.features.copy_((merged - self.factoriser[:, None]).view_as(self.features))
        else:
            self.features.clamp_(-bound, bound)
        self.threats.clamp_(-MAX_THREAT / QA, MAX_THREAT / QA)
        self.bias.clamp_(-bound, bound)
        self.output.clamp_(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT)
        # Rounding to integers adds up to half a unit to each weight.
        most = MAX_OUTPUT_SUM - self.output.shape[1] * 0.5 / QB
        total = torch.maximum(self.output.clamp(min=0).sum(1, keepdim=True), (-self.output).clamp(min=0).sum(1, keepdim=True))
        self.output.mul_(torch.where(total > most, most / total, 1.0))


def sum_rows(weights: Tensor, rows: Tensor) -> Tensor:
    """The sum of the rows with these numbers, for each record and perspective. The number `len(weights)` stands for no row."""
    padded = torch.cat((weights, weights.new_zeros(1, weights.shape[1])))
    return functional.embedding_bag(rows.flatten(0, 1), padded, mode="sum", padding_idx=len(weights))


class Optimiser:
    """AdamW with the moments as a checkpoint stores them."""

    def __init__(self, model: Model, weight_decay: float) -> None:
        self.model = model
        # The factoriser of a network without king buckets is empty and has no gradient.
        self.parameters = [parameter for parameter in model.parameters() if parameter.numel() > 0]
        self.adam = torch.optim.AdamW(self.parameters, lr=0.0, betas=(0.9, 0.999), eps=1e-8, weight_decay=weight_decay)
        self.restore(0, *([torch.zeros_like(array) for array in model.arrays().values()] for _ in range(2)))

    def restore(self, step: int, first: list[Tensor], second: list[Tensor]) -> None:
        """Sets the number of steps done and the moments, in the order of `Model.arrays`."""
        for parameter, mean, square in zip(self.model.arrays().values(), first, second, strict=True):
            if parameter.numel() > 0:
                moments = {"exp_avg": mean.to(parameter.device), "exp_avg_sq": square.to(parameter.device)}
                self.adam.state[parameter] = {"step": torch.tensor(float(step)), **moments}

    def moments(self, name: str) -> Iterator[Tensor]:
        """The moments `exp_avg` or `exp_avg_sq`, in the order of `Model.arrays`."""
        for parameter in self.model.arrays().values():
            yield self.adam.state[parameter][name] if parameter.numel() > 0 else parameter.detach()

    def step(self, records: Tensor, objective: Objective, learning_rate: float) -> Tensor:
        """Changes the parameters by one step on a mini-batch and returns the mean loss before it, on the device."""
        positions = decode(records)
        loss = objective.losses(self.model(positions), positions).mean()
        self.adam.zero_grad()
        loss.backward()
        self.adam.param_groups[0]["lr"] = learning_rate
        self.adam.step()
        self.model.limit()
        return loss.detach()
