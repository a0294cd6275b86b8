"""The systems that rank candidate articles beside MTM.

Sentence cosines, cross-encoders, RankSVM, and MTM in parts.

A system turns pairs of an input text and an article (``training.mtm.samples.Sample``) into scores.
Cross-encoders learn from the same pairs as MTM; what combines scores (RankSVM, the small net over
Sentence-BERT's cosines) from the development pairs. Sentence-BERT reads the ``READ`` sentences of
an article that are nearest in the static space.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from features.articles.mtm import loading
from features.articles.mtm.key_sentences import StaticSpace
from features.articles.mtm.model import Mtm
from features.models.model_spec import EMBEDDED, ModelSpec
from ranking.ranksvm import RankSVM
from training.mtm.main_phase import Learner, Read, Recipe, settle
from training.mtm.samples import Sample
from training.mtm.train import MODELS, network, special
from training.shared.sentence_vectors import sentence_vectors

Floats = NDArray[np.float32]
READ = 8  # sentences of an article that SBERT reads: those nearest in the static space
OPENING = 90  # word pieces of an article's start
TOP = 5
MISSING = -10.0  # log-odds of a sentence that is not there
Variant = tuple[Recipe, StaticSpace, Floats]  # how it learns, its static space, its first patterns
Texts = Callable[[Sample], tuple[str, list[str]]]  # the input text and the sentences of its article


def groups(samples: Sequence[Sample]) -> NDArray[np.int64]:
    """Return which input text each pair belongs to, (n,), numbered as they come."""
    order: dict[str, int] = {}
    return np.array([order.setdefault(sample.of[0], len(order)) for sample in samples])


def nearest(mtm: Mtm, sample: Sample, k: int) -> list[int]:
    """Return the places of the k sentences nearest to the input text in the static space."""
    lengths = np.linalg.norm(mtm.space.residuals(sample.query, sample.sentences), axis=1)
    return np.argsort(lengths, kind="stable")[:k].tolist()


class Cosines:
    """SBERT's cosines of an input text and sentences of its candidates; a text is encoded once."""

    def __init__(self, mtm: Mtm, texts: Texts) -> None:
        self.mtm = mtm
        self.texts = texts
        self.vectors: dict[str, Floats] = {}

    def of(self, samples: Sequence[Sample]) -> tuple[Floats, list[list[int]]]:
        """Return the ``TOP`` largest cosines of each pair, falling, (n, TOP), and the places of their sentences."""
        near: list[tuple[str, dict[int, str]]] = []
        for sample in samples:
            text, sentences = self.texts(sample)
            near.append(
                (text, {place: sentences[place] for place in nearest(self.mtm, sample, READ)})
            )
        new = sorted(
            {one for text, read in near for one in (text, *read.values())} - self.vectors.keys()
        )
        if new:
            self.vectors.update(zip(new, sentence_vectors(new), strict=True))
        values = np.zeros((len(samples), TOP), np.float32)
        best = []
        for row, (text, read) in enumerate(near):
            vector = self.vectors[text]
            places = list(read)
            cosines = np.array(
                [float(self.vectors[read[place]].astype(np.float32) @ vector) for place in places]
            )
            order = np.argsort(-cosines, kind="stable")[:TOP].tolist()
            values[row, : len(order)] = cosines[order]
            best.append([places[place] for place in order])
        return values, best


def small_net(inputs: Floats, labels: Floats, *, seed: int, epochs: int = 20) -> nn.Module:
    """Return a net of 20 and 10 units with ReLU, learnt by class-weighted cross-entropy, as the paper's."""
    torch.manual_seed(seed)
    net = nn.Sequential(
        nn.Linear(inputs.shape[1], 20), nn.ReLU(), nn.Linear(20, 10), nn.ReLU(), nn.Linear(10, 1)
    )
    optimizer = torch.optim.Adam(net.parameters(), 3e-3)
    rng = np.random.default_rng(seed)
    x = torch.from_numpy(inputs)
    y = torch.from_numpy(labels)
    weight = torch.tensor(float((1 - labels).sum() / labels.sum()))
    for _ in range(epochs):
        for rows in np.array_split(rng.permutation(len(x)), max(1, len(x) // 32)):
            loss = nn.functional.binary_cross_entropy_with_logits(
                net(x[rows]).squeeze(1), y[rows], pos_weight=weight
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return net.eval()


def apply_net(net: nn.Module, inputs: Floats) -> Floats:
    """Return the net's score of each row, (n,)."""
    with torch.inference_mode():
        return net(torch.from_numpy(inputs)).squeeze(1).numpy()


def labels_of(samples: Sequence[Sample]) -> Floats:
    """Return whether each pair belongs together, (n,)."""
    return np.array([sample.label for sample in samples], np.float32)


def opening(sample: Sample) -> Sample:
    """Return the pair with the start of its article as its only sentence."""
    pieces = [piece for sentence in sample.sentences for piece in sentence][:OPENING]
    return replace(sample, sentences=[pieces])


def untrained(mtm: Mtm, recipe: Recipe) -> Learner:
    """Return a learner without patterns on the trunk that MTM started from."""
    rot, relevance = network(loading.trunk(MODELS, "nli.safetensors"), pattern=recipe.told)
    return Learner(rot, relevance, mtm.space, mtm.memory[:0], special(), recipe)


def same_claim(samples: Sequence[Sample], texts: Texts, best: Sequence[Sequence[int]]) -> Floats:
    """Return the log-odds, by the shipped cross-encoder, that the best three sentences make the same claim, (n, 3).

    They fall; a place without a sentence gets ``MISSING``.
    """
    from features.models.nli import load_nli

    odds = np.full((len(samples), 3), MISSING, np.float32)
    rows = []
    queries = []
    sentences = []
    for row, (sample, places) in enumerate(zip(samples, best, strict=True)):
        query, every = texts(sample)
        for column, place in enumerate(places[:3]):
            rows.append((row, column))
            queries.append(query)
            sentences.append(every[place])
    model = load_nli(ModelSpec(EMBEDDED, "nli.safetensors", max_length=96))
    read = np.nan_to_num(model.read(sentences, queries)[1], nan=MISSING)
    odds[tuple(np.array(rows).T)] = read
    return -np.sort(-odds, axis=1)


def with_places(scores: dict[str, Floats], group: NDArray[np.int64]) -> Floats:
    """Return RankSVM's inputs: every score, scaled within its list, and the reciprocal of its rank there, (n, 2f)."""
    columns = []
    for values in scores.values():
        scaled = np.zeros(len(values))
        places = np.zeros(len(values))
        for g in np.unique(group):
            rows = np.flatnonzero(group == g)
            low = values[rows].min()
            high = values[rows].max()
            scaled[rows] = (values[rows] - low) / (high - low) if high > low else 0
            places[rows[np.argsort(-values[rows], kind="stable")]] = 1 / np.arange(1, len(rows) + 1)
        columns += [scaled, places]
    return np.column_stack(columns)


def rank_svm(scores: dict[str, Floats], samples: Sequence[Sample]) -> RankSVM:
    """Return RankSVM learnt from the scores of other systems."""
    group = groups(samples)
    return RankSVM().fit(with_places(scores, group), labels_of(samples), group)


def ablations(mtm: Mtm, plain: Floats, recipe: Recipe) -> dict[str, Variant]:
    """Return Table 3's groups: recipe, space and first patterns of each.

    ``plain``: word weights without guidance.
    """
    rng = np.random.default_rng(17)
    spread = mtm.memory.std() * rng.normal(size=mtm.memory.shape).astype(np.float32)
    alone = recipe.weights._replace(repeats=1.0, pattern=0.0)
    return {
        "MTM, last net again": (recipe, mtm.space, mtm.memory),
        "without ROUGE guidance": (recipe, StaticSpace(mtm.space.vectors, plain), mtm.memory),
        "with a random memory": (recipe, mtm.space, spread),
        "without memory update": (replace(recipe, step=0.0), mtm.space, mtm.memory),
        "without the memory": (
            replace(recipe, weights=alone, told=False),
            mtm.space,
            mtm.memory[:0],
        ),
        "with average pooling": (replace(recipe, pooled=False), mtm.space, mtm.memory),
        "without pattern in the sum": (replace(recipe, told=False), mtm.space, mtm.memory),
    }


def relearnt(read: Read, train: Sequence[Sample], variant: Variant, *, seed: int) -> Learner:
    """Return a learner whose last net and patterns are learnt anew over the blocks of ``read``."""
    torch.manual_seed(seed)
    recipe, space, memory = variant
    _, fresh = network(loading.trunk(MODELS, "nli.safetensors"), pattern=recipe.told)
    fresh.blocks = read.learner.relevance.blocks
    learner = Learner(read.learner.rot, fresh, space, memory.copy(), read.learner.special, recipe)
    settle(learner, train, read, lambda number, loss: None, seed=seed)
    return learner


def predict(read: Read, learner: Learner, samples: Sequence[Sample]) -> Floats:
    """Return a learner's scores; pairs that ``read`` knows are not read again."""
    with torch.inference_mode():
        learner.relevance.eval()
        chosen = [learner.chosen(sample) for sample in samples]
        return learner.aggregate(chosen, read.means(chosen)).numpy()
