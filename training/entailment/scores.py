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
    # confidence and correctness of each pair's likeliest label, (n,) each
    confidence, predicted = torch.softmax(logits / temperature, 1).max(1)
    correct = (predicted == torch.tensor([pair.label for pair in pairs])).float()
    bin_indices = (confidence * bins).long().clamp(max=bins - 1)
    gaps = []
    for bin_index in bin_indices.unique():
        members = bin_indices == bin_index
        gap = (confidence[members].mean() - correct[members].mean()).abs()
        gaps.append(gap * members.sum())
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
    """Return the area under the curve, the accuracy at log-odds 0, and the accuracy per kind."""
    from sklearn.metrics import roc_auc_score

    labels = np.array([pair.label for pair in pairs])
    kinds = np.array([pair.source for pair in pairs])
    correct = (odds > 0) == (labels == 1)
    scores = {
        "same_auc": float(roc_auc_score(labels, odds)),
        "same_accuracy": float(correct.mean()),
    }
    for kind in sorted(set(kinds.tolist())):
        scores[f"same: {kind}"] = float(correct[kinds == kind].mean())
    return {name: round(score, 4) for name, score in scores.items()}


def fit_scale(odds: np.ndarray, pairs: Sequence[Pair]) -> float:
    """Return the divisor of the log-odds, .5 to 4, at which the labels are likeliest."""
    labels = torch.tensor([float(pair.label) for pair in pairs])
    logits = torch.from_numpy(odds)
    scales = [0.5 + 0.02 * i for i in range(176)]

    def loss(scale: float) -> float:
        return float(nn.functional.binary_cross_entropy_with_logits(logits / scale, labels))

    return min(scales, key=loss)


def retrieval(weights: Path, data: Path, index: Path, *, depth: int = 15) -> dict[str, float]:
    """Return the mean reciprocal rank of the right claim among the candidates that NLI reads.

    Same claim, then SBERT.

    The queries are those of CheckThat! 2B train whose debate is not annotated; a query whose claim is not among its
    ``depth`` candidates counts 0 for both.
    """
    opened, candidates, cosines, gold, texts = _lists(data, index, depth)
    pairs = []
    for text, claim_indices in zip(texts, candidates, strict=True):
        for claim_index in claim_indices:
            pairs.append(Pair(opened.statements[claim_index], text, 0, ""))
    odds = read(weights, pairs)[1].reshape(candidates.shape)
    return {
        "2b_train_queries": float(len(texts)),
        "2b_train_among_candidates": float(gold.any(1).mean()),
        "2b_train_mrr_same": mrr(odds, gold),
        "2b_train_mrr_sbert": mrr(cosines, gold),
    }


def _lists(
    data: Path, index: Path, depth: int
) -> tuple[ClaimIndex, np.ndarray, np.ndarray, np.ndarray, list[str]]:
    """Return the index, the candidates that NLI reads, their cosines and relevance, the texts.

    Candidates, cosines and relevance are (n, depth).
    """
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
    # BM25 and SBERT features of the pairs, (p, features); other columns stay 0
    similarities = pairs.similarities
    similarities[:, COLUMN["bm25_statement"]] = opened.bm25("statement").pairs(
        texts, pairs.sentence_index, pairs.claim_index
    )
    similarities[:, COLUMN["sbert_statement"]] = np.einsum(
        "pd,pd->p", vectors[pairs.sentence_index], opened.statement_vectors[pairs.claim_index]
    )
    # the ``depth`` candidates per text that NLI reads, (n, depth)
    order = pair_features.order_for_entailment(pairs)
    chosen = order[pairs.position_in_sentence < depth].reshape(len(texts), depth)
    claims = pairs.claim_index[chosen]
    cosines = similarities[chosen, COLUMN["sbert_statement"]]
    gold = []
    for (query_id, _), claim_indices in zip(queries, claims, strict=True):
        gold.append(
            [opened.ids[claim_index] in relevant[query_id] for claim_index in claim_indices]
        )
    return opened, claims, cosines, np.array(gold), texts


def mrr(scores: np.ndarray, gold: np.ndarray) -> float:
    """Return the mean reciprocal rank of the first right one, (n, k) each; 0 where none is.

    Ties count against it.
    """
    best = np.where(gold, scores, -np.inf).max(1)
    ranks = ((scores >= best[:, None]) & ~gold).sum(1) + 1
    return float(np.where(gold.any(1), 1 / ranks, 0).mean())
