"""The main phase of MTM's Algorithm 1, in rounds over (query, article) pairs.

Each round selects key sentences with the present patterns, learns from them, and moves the
patterns by what was predicted right and wrong. Only the last net and the patterns learn; the
transformer blocks are frozen, so that a pair of texts is read once. Everything follows the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from features.articles.mtm import key_sentences
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.model import BATCH, KEY, LONGEST_PAIR, Special
from features.articles.mtm.network import Relevance, RougeGuided, read_pairs
from training.mtm import pattern_memory as mtm_memory
from training.mtm.rouge_transformer import precision
from training.mtm.samples import Sample

Floats = NDArray[np.float32]
PASSES = 3  # over the pairs of a round


@dataclass(frozen=True)
class Recipe:
    """How the main phase runs, for ``settling`` rounds.

    ``positive``: weight of a right pair in the loss.

    ``pooled``: whether key sentences count by their scores; ``told``: whether the last net sees their patterns.
    ``longest``: word pieces of a pair.
    """

    net: float = 1e-4
    settling: int = 5
    positive: float = 2.0
    key: int = KEY
    patterns: int = mtm_memory.PATTERNS
    step: float = mtm_memory.STEP
    band: tuple[float, float] = (
        0.15,
        0.85,
    )  # quantiles of ‖r‖ in training that give t_low and t_high
    weights: key_sentences.Weights = field(default_factory=key_sentences.Weights)
    pooled: bool = True
    told: bool = True
    longest: int = LONGEST_PAIR


@dataclass
class Learner:
    """What learns in the main phase, and its optimiser."""

    rot: RougeGuided
    relevance: Relevance
    space: StaticSpace
    memory: Floats
    special: Special
    recipe: Recipe
    block: dict[str, Tensor] = field(init=False)
    net: torch.optim.Optimizer = field(init=False)

    def __post_init__(self) -> None:
        self.block = {name: tensor.clone() for name, tensor in self.rot.block.state_dict().items()}
        self.relevance.blocks.requires_grad_(False).to(precision(self.device))
        self.rot.block.to(precision(self.device))
        self.rot.requires_grad_(False).eval()
        self.net = torch.optim.Adam(self.relevance.mlp.parameters(), self.recipe.net, eps=1e-6)

    @property
    def device(self) -> torch.device:
        """Return where the network is."""
        return self.rot.words.weight.device

    def learnt(self) -> dict[str, Tensor]:
        """Return all tensors that training changes, in fp32, named as in the network."""
        tensors = {f"rot.block.{name}": tensor for name, tensor in self.block.items()}
        tensors |= {
            f"rot.overlap.{name}": tensor for name, tensor in self.rot.overlap.state_dict().items()
        }
        tensors |= {
            f"relevance.mlp.{name}": tensor
            for name, tensor in self.relevance.mlp.state_dict().items()
        }
        return {name: tensor.detach().float().cpu() for name, tensor in tensors.items()}

    def chosen(self, sample: Sample) -> Chosen:
        """Return the key sentences of a pair with the patterns as they are now, equations (8) to (10) and (13)."""
        residuals = self.space.residuals(sample.query, sample.sentences)
        scores = key_sentences.score(residuals, self.memory, self.recipe.weights)
        key = list(key_sentences.best_places(scores.combined, self.recipe.key))
        shares = key_sentences.shares(
            scores.combined[key] if self.recipe.pooled else np.ones(len(key), np.float32)
        )
        return Chosen(sample, key, shares, scores.patterns[key], residuals[key])

    def aggregate(self, batch: Sequence[Chosen], means: Tensor) -> Tensor:
        """Return the log-odds of some pairs from the means of all their key sentences, one after another, (n, 2d)."""
        most = max(len(pair.key) for pair in batch)
        joined = means.new_zeros(len(batch), most, means.shape[1])
        shares = np.zeros((len(batch), most), np.float32)
        nearest = np.zeros((len(batch), most), np.int64)
        done = 0
        for row, pair in enumerate(batch):
            k = len(pair.key)
            joined[row, :k] = means[done : done + k]
            shares[row, :k], nearest[row, :k] = pair.shares, pair.patterns
            done += k
        vectors = None
        if self.recipe.told:
            vectors = torch.from_numpy(self.memory[nearest] * (shares > 0)[:, :, None]).to(
                means.device
            )
        return self.relevance.aggregated(joined, torch.from_numpy(shares).to(means.device), vectors)


@dataclass(frozen=True)
class Chosen:
    """A pair with its key sentences.

    Their places, shares scr', patterns (k,) and residuals (k, d).
    """

    sample: Sample
    key: list[int]
    shares: Floats
    patterns: NDArray[np.int64]
    residuals: Floats


@dataclass
class Read:
    """The means of pairs of texts that were read before, by query, article and place.

    (2d,) each.
    """

    learner: Learner
    known: dict[tuple[str, int, int], Floats] = field(default_factory=dict)

    def means(self, chosen: Sequence[Chosen]) -> Tensor:
        """Return q' and s' of all key sentences, one after another, (n, 2d).

        What is not known is read now.
        """
        wanted = [
            ((*pair.sample.of, place), pair.sample, place) for pair in chosen for place in pair.key
        ]
        new = {
            key: (one.query, one.sentences[place])
            for key, one, place in wanted
            if key not in self.known
        }
        if new:
            learner = self.learner
            texts = list(new.values())
            rot = learner.rot.eval()
            relevance = learner.relevance.eval()
            queries = [text[0] for text in texts]
            sentences = [text[1] for text in texts]
            means = read_pairs(
                rot,
                relevance,
                queries,
                sentences,
                special=learner.special,
                longest=learner.recipe.longest,
                size=BATCH,
            )
            self.known.update(zip(new, means, strict=True))
        return torch.from_numpy(np.stack([self.known[key] for key, _, _ in wanted]))

    def keep(self, path: Path) -> None:
        """Write what was read, in half precision."""
        keys = np.array(["\t".join(map(str, key)) for key in self.known])
        np.savez(path, keys=keys, means=np.stack(list(self.known.values())).astype(np.float16))

    def recall(self, path: Path) -> None:
        """Take over what an earlier run with the same network has read."""
        with np.load(path, allow_pickle=False) as file:
            parts = [key.split("\t") for key in file["keys"].tolist()]
            rows = file["means"].astype(np.float32)
        self.known |= {
            (q, int(article), int(place)): row
            for (q, article, place), row in zip(parts, rows, strict=True)
        }

    @torch.no_grad()
    def predict(self, samples: Sequence[Sample]) -> Floats:
        """Return ŷ of each pair as log-odds, reading only what was not read before."""
        self.learner.relevance.eval()
        chosen = [self.learner.chosen(sample) for sample in samples]
        return self.learner.aggregate(chosen, self.means(chosen)).numpy()


def settle(
    learner: Learner,
    train: Sequence[Sample],
    read: Read,
    report: Callable[[int, float], None],
    seed: int,
) -> None:
    """Learn the last net and the patterns.

    ``report`` gets the number and the loss of each round.
    """
    recipe = learner.recipe
    rng = np.random.default_rng(seed)
    labels = torch.tensor([sample.label for sample in train])
    weight = torch.tensor(recipe.positive)
    for number in range(1, recipe.settling + 1):
        chosen = [learner.chosen(sample) for sample in train]
        counts = [len(pair.key) for pair in chosen]
        parts = read.means(chosen).split(counts)
        predicted = np.zeros(len(train), np.float32)
        losses = []
        learner.relevance.train()
        for _ in range(PASSES):
            for rows in np.array_split(rng.permutation(len(train)), max(1, len(train) // BATCH)):
                logits = learner.aggregate(
                    [chosen[row] for row in rows], torch.cat([parts[row] for row in rows])
                )
                loss = nn.functional.binary_cross_entropy_with_logits(
                    logits, labels[rows], pos_weight=weight
                )
                learner.net.zero_grad()
                loss.backward()
                learner.net.step()
                predicted[rows] = torch.sigmoid(logits.detach()).numpy()
                losses.append(float(loss.detach()))
        move_patterns(learner, chosen, predicted)
        report(number, sum(losses) / len(losses))


def move_patterns(learner: Learner, chosen: Sequence[Chosen], predicted: Floats) -> None:
    """Update the memory by the key sentences of the pairs of a round, with ŷ of each, (n,)."""
    if not len(learner.memory):
        return
    counts = [len(pair.key) for pair in chosen]
    learner.memory = mtm_memory.updated(
        learner.memory,
        np.concatenate([pair.residuals for pair in chosen]),
        np.concatenate([pair.patterns for pair in chosen]),
        np.repeat(predicted, counts),
        np.repeat(np.array([pair.sample.label for pair in chosen], np.float32), counts),
        step=learner.recipe.step,
    )
