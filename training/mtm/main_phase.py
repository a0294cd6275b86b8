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
from features.articles.mtm.model import BATCH, KEY_SENTENCES_PER_ARTICLE, MAX_PAIR_TOKENS, Special
from features.articles.mtm.network import Relevance, RougeGuided, read_pairs
from training.mtm import pattern_memory as mtm_memory
from training.mtm.rouge_transformer import precision
from training.mtm.samples import Sample

Floats = NDArray[np.float32]
PASSES = 3  # over the pairs of a round


@dataclass(frozen=True)
class MainPhaseSettings:
    """How the main phase runs, for ``settling`` rounds.

    ``positive``: weight of a right pair in the loss.

    ``pooled``: whether key sentences count by their scores; ``told``: whether the last net sees their patterns.
    ``longest``: word pieces of a pair.
    """

    net: float = 1e-4
    settling: int = 5
    positive: float = 2.0
    key: int = KEY_SENTENCES_PER_ARTICLE
    patterns: int = mtm_memory.PATTERNS
    step: float = mtm_memory.STEP
    band: tuple[float, float] = (
        0.15,
        0.85,
    )  # quantiles of ‖r‖ in training that give t_low and t_high
    weights: key_sentences.ScoreWeights = field(default_factory=key_sentences.ScoreWeights)
    pooled: bool = True
    told: bool = True
    longest: int = MAX_PAIR_TOKENS


@dataclass
class Learner:
    """What learns in the main phase, and its optimiser."""

    rot: RougeGuided
    relevance: Relevance
    space: StaticSpace
    memory: Floats
    special: Special
    settings: MainPhaseSettings
    block: dict[str, Tensor] = field(init=False)
    net: torch.optim.Optimizer = field(init=False)

    def __post_init__(self) -> None:
        self.block = {name: tensor.clone() for name, tensor in self.rot.block.state_dict().items()}
        self.relevance.blocks.requires_grad_(False).to(precision(self.device))
        self.rot.block.to(precision(self.device))
        self.rot.requires_grad_(False).eval()
        self.net = torch.optim.Adam(self.relevance.mlp.parameters(), self.settings.net, eps=1e-6)

    @property
    def device(self) -> torch.device:
        """Return where the network is."""
        return self.rot.words.weight.device

    def learnt(self) -> dict[str, Tensor]:
        """Return all tensors that training changes, in fp32, named as in the network."""
        tensors_by_part = {
            "rot.block": self.block,
            "rot.overlap": self.rot.overlap.state_dict(),
            "relevance.mlp": self.relevance.mlp.state_dict(),
        }
        learnt = {}
        for module_name, tensors in tensors_by_part.items():
            for name, tensor in tensors.items():
                learnt[f"{module_name}.{name}"] = tensor.detach().float().cpu()
        return learnt

    def chosen(self, sample: Sample) -> Chosen:
        """Return the key sentences of a pair by the current patterns, equations (8) to (10), (13)."""
        residuals = self.space.residuals(sample.query, sample.sentences)
        scores = key_sentences.score(residuals, self.memory, self.settings.weights)
        key = list(key_sentences.best_sentences(scores.combined, self.settings.key))
        if self.settings.pooled:
            key_scores = scores.combined[key]
        else:
            key_scores = np.ones(len(key), np.float32)
        shares = key_sentences.shares(key_scores)
        return Chosen(sample, key, shares, scores.patterns[key], residuals[key])

    def aggregate(self, batch: Sequence[Chosen], means: Tensor) -> Tensor:
        """Return the log-odds of pairs from the means of all their key sentences in turn, (n, 2d)."""
        max_key = max(len(pair.key) for pair in batch)
        # means, shares and nearest patterns of the key sentences, padded: (b, max_key, ...)
        padded_means = means.new_zeros(len(batch), max_key, means.shape[1])
        shares = np.zeros((len(batch), max_key), np.float32)
        nearest = np.zeros((len(batch), max_key), np.int64)
        start = 0
        for i, pair in enumerate(batch):
            count = len(pair.key)
            padded_means[i, :count] = means[start : start + count]
            shares[i, :count] = pair.shares
            nearest[i, :count] = pair.patterns
            start += count
        patterns = None
        if self.settings.told:
            present = (shares > 0)[:, :, None]
            patterns = torch.from_numpy(self.memory[nearest] * present).to(means.device)
        share_tensor = torch.from_numpy(shares).to(means.device)
        return self.relevance.aggregated(padded_means, share_tensor, patterns)


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
        keys = []
        new_texts = {}
        for pair in chosen:
            for sentence_index in pair.key:
                key = (*pair.sample.of, sentence_index)
                keys.append(key)
                if key not in self.known:
                    new_texts[key] = (pair.sample.query, pair.sample.sentences[sentence_index])
        if new_texts:
            learner = self.learner
            means = read_pairs(
                learner.rot.eval(),
                learner.relevance.eval(),
                [query for query, _ in new_texts.values()],
                [sentence for _, sentence in new_texts.values()],
                cls_and_sep=learner.special,
                max_pair_tokens=learner.settings.longest,
                batch_size=BATCH,
            )
            self.known.update(zip(new_texts, means, strict=True))
        return torch.from_numpy(np.stack([self.known[key] for key in keys]))

    def keep(self, path: Path) -> None:
        """Write the means, in half precision."""
        keys = ["\t".join(map(str, key)) for key in self.known]
        means = np.stack(list(self.known.values())).astype(np.float16)
        np.savez(path, keys=np.array(keys), means=means)

    def recall(self, path: Path) -> None:
        """Take over the means that an earlier run with the same network has read."""
        with np.load(path, allow_pickle=False) as file:
            keys = file["keys"].tolist()
            means = file["means"].astype(np.float32)
        for key, mean in zip(keys, means, strict=True):
            query_id, article, sentence_index = key.split("\t")
            self.known[query_id, int(article), int(sentence_index)] = mean

    @torch.no_grad()
    def predict(self, samples: Sequence[Sample]) -> Floats:
        """Return ŷ of each pair as log-odds, reading only what was not read before."""
        self.learner.relevance.eval()
        key_sentences_of_pairs = [self.learner.chosen(sample) for sample in samples]
        return self.learner.aggregate(
            key_sentences_of_pairs, self.means(key_sentences_of_pairs)
        ).numpy()


def settle(
    learner: Learner,
    train: Sequence[Sample],
    means_reader: Read,
    report: Callable[[int, float], None],
    seed: int,
) -> None:
    """Learn the last net and the patterns.

    ``report`` gets the number and the loss of each round.
    """
    settings = learner.settings
    rng = np.random.default_rng(seed)
    labels = torch.tensor([sample.label for sample in train])
    positive_weight = torch.tensor(settings.positive)
    batch_count = max(1, len(train) // BATCH)
    for number in range(1, settings.settling + 1):
        chosen = [learner.chosen(sample) for sample in train]
        means_by_pair = means_reader.means(chosen).split([len(pair.key) for pair in chosen])
        predicted = np.zeros(len(train), np.float32)
        losses = []
        learner.relevance.train()
        for _ in range(PASSES):
            for indices in np.array_split(rng.permutation(len(train)), batch_count):
                batch = [chosen[i] for i in indices]
                batch_means = torch.cat([means_by_pair[i] for i in indices])
                logits = learner.aggregate(batch, batch_means)
                loss = nn.functional.binary_cross_entropy_with_logits(
                    logits, labels[indices], pos_weight=positive_weight
                )
                learner.net.zero_grad()
                loss.backward()
                learner.net.step()
                predicted[indices] = torch.sigmoid(logits.detach()).numpy()
                losses.append(float(loss.detach()))
        move_patterns(learner, chosen, predicted)
        report(number, sum(losses) / len(losses))


def move_patterns(learner: Learner, chosen: Sequence[Chosen], predicted: Floats) -> None:
    """Update the memory by the key sentences of the pairs of a round, with ŷ of each, (n,)."""
    if not len(learner.memory):
        return
    key_counts = [len(pair.key) for pair in chosen]
    labels = np.array([pair.sample.label for pair in chosen], np.float32)
    learner.memory = mtm_memory.updated(
        learner.memory,
        np.concatenate([pair.residuals for pair in chosen]),
        np.concatenate([pair.patterns for pair in chosen]),
        np.repeat(predicted, key_counts),
        np.repeat(labels, key_counts),
        step=learner.settings.step,
    )
