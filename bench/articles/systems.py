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
from training.mtm.main_phase import Learner, MainPhaseSettings, Read, settle
from training.mtm.samples import Sample
from training.mtm.train import MODELS, network, special
from training.shared.sentence_vectors import sentence_vectors

Floats = NDArray[np.float32]
READ = 8  # sentences of an article that SBERT reads: those nearest in the static space
OPENING = 90  # word pieces of an article's start
TOP = 5
MISSING = -10.0  # log-odds of a sentence that is not there
Variant = tuple[
    MainPhaseSettings, StaticSpace, Floats
]  # how it learns, its static space, its first patterns
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
        """Return the ``TOP`` largest cosines of each pair, falling, (n, TOP), and their sentences."""
        queries = []
        nearest_sentences: list[dict[int, str]] = []
        new_texts: set[str] = set()
        for sample in samples:
            query, sentences = self.texts(sample)
            nearest_by_index = {i: sentences[i] for i in nearest(self.mtm, sample, READ)}
            queries.append(query)
            nearest_sentences.append(nearest_by_index)
            new_texts.update((query, *nearest_by_index.values()))
        new_texts -= self.vectors.keys()
        if new_texts:
            ordered_texts = sorted(new_texts)
            vectors = sentence_vectors(ordered_texts)
            self.vectors.update(zip(ordered_texts, vectors, strict=True))
        values = np.zeros((len(samples), TOP), np.float32)
        best = []
        for i, (query, nearest_by_index) in enumerate(zip(queries, nearest_sentences, strict=True)):
            query_vector = self.vectors[query]
            indices = list(nearest_by_index)
            cosines = []
            for text in nearest_by_index.values():
                cosines.append(float(self.vectors[text].astype(np.float32) @ query_vector))
            order = np.argsort(-np.array(cosines), kind="stable")[:TOP].tolist()
            values[i, : len(order)] = np.array(cosines)[order]
            best.append([indices[j] for j in order])
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
        for batch_indices in np.array_split(rng.permutation(len(x)), max(1, len(x) // 32)):
            loss = nn.functional.binary_cross_entropy_with_logits(
                net(x[batch_indices]).squeeze(1), y[batch_indices], pos_weight=weight
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


def untrained(mtm: Mtm, settings: MainPhaseSettings) -> Learner:
    """Return a learner without patterns on the trunk that MTM started from."""
    rot, relevance = network(loading.trunk(MODELS, "nli.safetensors"), pattern=settings.told)
    return Learner(rot, relevance, mtm.space, mtm.memory[:0], special(), settings)


def same_claim(samples: Sequence[Sample], texts: Texts, best: Sequence[Sequence[int]]) -> Floats:
    """Return the log-odds of the same claim for the best three sentences, (n, 3)."""
    from features.models.nli import load_nli

    odds = np.full((len(samples), 3), MISSING, np.float32)
    positions = []
    queries = []
    sentences = []
    for i, (sample, best_indices) in enumerate(zip(samples, best, strict=True)):
        query, article_sentences = texts(sample)
        for column, sentence_index in enumerate(best_indices[:3]):
            positions.append((i, column))
            queries.append(query)
            sentences.append(article_sentences[sentence_index])
    model = load_nli(ModelSpec(EMBEDDED, "nli.safetensors", max_length=96))
    _, same = model.read(sentences, queries)
    odds[tuple(np.array(positions).T)] = np.nan_to_num(same, nan=MISSING)
    return -np.sort(-odds, axis=1)


def with_places(scores: dict[str, Floats], group: NDArray[np.int64]) -> Floats:
    """Return RankSVM's inputs, (n, 2f): every score, scaled within its list, and 1 / its rank."""
    columns = []
    for values in scores.values():
        scaled = np.zeros(len(values))
        reciprocal_ranks = np.zeros(len(values))
        for number in np.unique(group):
            members = np.flatnonzero(group == number)
            low = values[members].min()
            high = values[members].max()
            if high > low:
                scaled[members] = (values[members] - low) / (high - low)
            ranked = members[np.argsort(-values[members], kind="stable")]
            reciprocal_ranks[ranked] = 1 / np.arange(1, len(members) + 1)
        columns += [scaled, reciprocal_ranks]
    return np.column_stack(columns)


def rank_svm(scores: dict[str, Floats], samples: Sequence[Sample]) -> RankSVM:
    """Return RankSVM learnt from the scores of other systems."""
    group = groups(samples)
    return RankSVM().fit(with_places(scores, group), labels_of(samples), group)


def ablations(mtm: Mtm, plain: Floats, settings: MainPhaseSettings) -> dict[str, Variant]:
    """Return Table 3's groups: settings, space and first patterns of each.

    ``plain`` are the word weights without ROUGE guidance.
    """
    rng = np.random.default_rng(17)
    random_memory = mtm.memory.std() * rng.normal(size=mtm.memory.shape).astype(np.float32)
    plain_space = StaticSpace(mtm.space.vectors, plain)
    without_pattern_score = settings.weights._replace(repeats=1.0, pattern=0.0)
    no_update = replace(settings, step=0.0)
    no_memory = replace(settings, weights=without_pattern_score, told=False)
    average_pooling = replace(settings, pooled=False)
    no_pattern_input = replace(settings, told=False)
    return {
        "MTM, last net again": (settings, mtm.space, mtm.memory),
        "without ROUGE guidance": (settings, plain_space, mtm.memory),
        "with a random memory": (settings, mtm.space, random_memory),
        "without memory update": (no_update, mtm.space, mtm.memory),
        "without the memory": (no_memory, mtm.space, mtm.memory[:0]),
        "with average pooling": (average_pooling, mtm.space, mtm.memory),
        "without pattern in the sum": (no_pattern_input, mtm.space, mtm.memory),
    }


def relearnt(
    means_reader: Read, train: Sequence[Sample], variant: Variant, *, seed: int
) -> Learner:
    """Return a learner whose last net and patterns are learnt anew over the blocks of ``means_reader``."""
    torch.manual_seed(seed)
    settings, space, memory = variant
    _, fresh = network(loading.trunk(MODELS, "nli.safetensors"), pattern=settings.told)
    fresh.blocks = means_reader.learner.relevance.blocks
    learner = Learner(
        means_reader.learner.rot,
        fresh,
        space,
        memory.copy(),
        means_reader.learner.special,
        settings,
    )
    settle(learner, train, means_reader, lambda number, loss: None, seed=seed)
    return learner


def predict(means_reader: Read, learner: Learner, samples: Sequence[Sample]) -> Floats:
    """Return a learner's scores; pairs that ``means_reader`` knows are not read again."""
    with torch.inference_mode():
        learner.relevance.eval()
        key_sentences_of_pairs = [learner.chosen(sample) for sample in samples]
        return learner.aggregate(
            key_sentences_of_pairs, means_reader.means(key_sentences_of_pairs)
        ).numpy()
