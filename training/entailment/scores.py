"""Scores that the cross-encoder is judged by, read through the product's own loader.

Accuracy and calibration of the three labels by set; for "same claim" the area under the curve and
the accuracy at log-odds 0, over all held-out pairs and by kind; and the rank of the right claim of
CheckThat! 2B training queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from training.shared.classifier import accuracy, fit_temperature
from training.shared.loaders import Pair, nli_pairs, query_sets

if TYPE_CHECKING:
    from assistant.claims.claim_index import ClaimIndex


def calibration_error(
    logits: Tensor, pairs: Sequence[Pair], temperature: float, *, bins: int = 15
) -> float:
    """Return the expected calibration error of the largest probability, in equal-width bins (Guo et al. 2017)."""
    sure, chosen = torch.softmax(logits / temperature, 1).max(1)
    right = (chosen == torch.tensor([p.label for p in pairs])).float()
    place = (sure * bins).long().clamp(max=bins - 1)
    gaps = [
        (sure[place == b].mean() - right[place == b].mean()).abs() * (place == b).sum()
        for b in place.unique()
    ]
    return float(sum(gaps) / len(pairs))


def development_sets(data: Path) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the sets that choices may look at, by name."""
    yield "mnli_matched_dev", nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")
    yield "newprotocols_val", nli_pairs(data / "nli" / "newprotocols_val.jsonl.gz", "dev")[:2000]
    yield "counterfactual_dev", nli_pairs(data / "nli" / "cad_nli_dev.jsonl.gz", "dev")


def test_sets(data: Path) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the sets that are read once, after every choice, by name."""
    yield (
        "mnli_mismatched_1000",
        nli_pairs(data / "nli" / "mnli_dev_mismatched_sample1000.jsonl.gz", "test"),
    )
    yield "snli_test", nli_pairs(data / "nli" / "snli_test.jsonl.gz", "test")
    yield "anli_r1_test", nli_pairs(data / "nli" / "anli_r1_test.jsonl.gz", "test")


def read(weights: Path, pairs: Sequence[Pair]) -> tuple[Tensor, np.ndarray]:
    """Return the logarithms of the three probabilities (n, 3) and the log-odds of the same claim (n,)."""
    from features.models.model_spec import EMBEDDED, ModelSpec
    from features.models.nli import load_nli

    encoder = load_nli(ModelSpec(EMBEDDED, weights=str(weights.resolve()), max_length=128))
    probabilities, same = encoder.read([p.premise for p in pairs], [p.hypothesis for p in pairs])
    return torch.from_numpy(probabilities).clamp(min=1e-9).log(), same


def evaluate(
    weights: Path, sets: Iterable[tuple[str, list[Pair]]], temperature: float = 0.0
) -> dict[str, float]:
    """Return accuracy and calibration error of each set, with a temperature that is fitted on the first if 0 is given.

    The weights' card must give the temperature 1, or the given one comes on top of it.
    """
    scores: dict[str, float] = {}
    for name, pairs in sets:
        logits = read(weights, pairs)[0]
        if not temperature:
            temperature = scores["temperature"] = fit_temperature(logits, pairs)
        scores[name] = accuracy(logits, pairs)
        scores[f"ece_{name}"] = calibration_error(logits, pairs, temperature)
    return {name: round(score, 4) for name, score in scores.items()}


def same_scores(odds: np.ndarray, pairs: Sequence[Pair]) -> dict[str, float]:
    """Return the area under the curve, the accuracy at log-odds 0, and the accuracy of each kind of pair."""
    from sklearn.metrics import roc_auc_score

    labels = np.array([pair.label for pair in pairs])
    right = (odds > 0) == (labels == 1)
    scores = {"same_auc": float(roc_auc_score(labels, odds)), "same_accuracy": float(right.mean())}
    for kind in sorted({pair.source for pair in pairs}):
        scores[f"same: {kind}"] = float(right[[pair.source == kind for pair in pairs]].mean())
    return {name: round(score, 4) for name, score in scores.items()}


def fit_scale(odds: np.ndarray, pairs: Sequence[Pair]) -> float:
    """Return what the log-odds are divided by to give the pairs' labels the highest likelihood, from .5 to 4."""
    labels = torch.tensor([float(pair.label) for pair in pairs])
    loss = nn.functional.binary_cross_entropy_with_logits
    return min(
        (0.5 + 0.02 * i for i in range(176)),
        key=lambda t: float(loss(torch.from_numpy(odds) / t, labels)),
    )


def retrieval(weights: Path, data: Path, index: Path, *, depth: int = 15) -> dict[str, float]:
    """Return the mean reciprocal rank of the right claim among the candidates that NLI reads.

    Same claim, then SBERT.

    The queries are those of CheckThat! 2B train whose debate is not annotated; a query whose claim is not among its
    ``depth`` candidates counts 0 for both.
    """
    opened, candidates, cosines, gold, texts = _lists(data, index, depth)
    pairs = [
        Pair(opened.statements[c], texts[i], 0, "") for i, row in enumerate(candidates) for c in row
    ]
    odds = read(weights, pairs)[1].reshape(candidates.shape)
    counts = {
        "2b_train_queries": float(len(texts)),
        "2b_train_among_candidates": float(gold.any(1).mean()),
    }
    return counts | {"2b_train_mrr_same": mrr(odds, gold), "2b_train_mrr_sbert": mrr(cosines, gold)}


def _lists(
    data: Path, index: Path, depth: int
) -> tuple[ClaimIndex, np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Return the index; the candidates that NLI reads, their cosines and which are right, (n, depth); the texts."""
    from assistant.check import loaded_models, pair_features
    from assistant.check.candidates import search
    from assistant.claims.claim_index import ClaimIndex
    from assistant.core.settings import EMBEDDED
    from features.similarity.catalogue import COLUMN

    encoders = loaded_models.encoders(EMBEDDED)
    opened = ClaimIndex.open(index, encoders)
    queries, relevant = query_sets(data, "train")
    texts = [text for _, text in queries]
    vectors = encoders.sbert.encode(texts)
    pairs = search(texts, vectors, opened)
    positions = (pairs.sentence_index, pairs.claim_index)
    similarities = pairs.similarities
    similarities[:, COLUMN["bm25_statement"]] = opened.bm25("statement").pairs(texts, *positions)
    similarities[:, COLUMN["sbert_statement"]] = np.einsum(
        "pd,pd->p", vectors[positions[0]], opened.statement_vectors[positions[1]]
    )
    order = pair_features.nli_order(pairs)
    chosen = order[pairs.place < depth].reshape(len(texts), depth)
    claims = pairs.claim_index[chosen]
    right = [
        [opened.ids[c] in relevant[query] for c in row]
        for (query, _), row in zip(queries, claims, strict=True)
    ]
    cosines = similarities[chosen, COLUMN["sbert_statement"]]
    return opened, claims, cosines, np.array(right), texts


def mrr(scores: np.ndarray, gold: np.ndarray) -> float:
    """Return the mean reciprocal rank of the first right one, (n, k) each; 0 where none is.

    Ties count against it.
    """
    best = np.where(gold, scores, -np.inf).max(1)
    ranks = ((scores >= best[:, None]) & ~gold).sum(1) + 1
    return float(np.where(gold.any(1), 1 / ranks, 0).mean())
