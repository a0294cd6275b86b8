"""Sentence vectors for training, each computed once and cached, and the scores of a map from SBERT vectors to others.

Similarity is STS-B's, retrieval that of verified claims for the queries of CheckThat! 2021 2B; the
third score is how well the map separates entailed from contradicted pairs of MultiNLI matched.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from training.shared.loaders import LABELS, nli_pairs, query_sets, rows


class Vectors:
    """Unit SBERT vectors of texts; a text is encoded once and kept in a file for the next run."""

    def __init__(self, texts: Sequence[str], cache: Path) -> None:
        distinct = sorted(set(texts))
        self.row = {text: i for i, text in enumerate(distinct)}
        path = cache / "sbert.npz"
        vectors_by_key: dict[str, np.ndarray] = {}
        if path.exists():
            file = np.load(path)
            vectors_by_key = dict(zip(file["keys"].tolist(), file["rows"], strict=True))
        keys = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in distinct]
        missing = {}
        for key, text in zip(keys, distinct, strict=True):
            if key not in vectors_by_key:
                missing[key] = text
        if missing:
            vectors = sentence_vectors(list(missing.values()))
            vectors_by_key.update(zip(missing, vectors, strict=True))
            cache.mkdir(parents=True, exist_ok=True)
            np.savez(
                path,
                keys=np.array(list(vectors_by_key)),
                rows=np.stack(list(vectors_by_key.values())),
            )
        matrix = np.stack([vectors_by_key[key] for key in keys]).astype(np.float32)
        self.matrix = torch.from_numpy(matrix)

    def of(self, texts: Sequence[str]) -> Tensor:
        """Return the vectors of the texts, (n, 384)."""
        return self.matrix[[self.row[text] for text in texts]]


def sentence_vectors(texts: Sequence[str]) -> np.ndarray:
    """Return the unit SBERT vectors of the texts in fp16, (n, 384)."""
    from features.models.encoders import load_encoder
    from features.models.model_spec import EMBEDDED, ModelSpec

    return load_encoder(ModelSpec(EMBEDDED)).bulk().encode(texts, batch_size=64).astype(np.float16)


class Scores:
    """Development and test scores of a map from SBERT vectors to vectors."""

    def __init__(self, data: Path, vectors: Vectors) -> None:
        self.vectors = vectors
        self.statements = [
            (record["id"], record["statement"])
            for record in rows(data / "politifact" / "claims.jsonl.gz")
        ]
        self.queries = {split: query_sets(data, split) for split in ("train", "dev")}
        self.similar = {
            split: list(rows(data / "sts" / f"stsb_{split}.jsonl.gz")) for split in ("dev", "test")
        }
        self.related = nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")[:4000]

    @torch.no_grad()
    def cosines(self, lift: nn.Module, firsts: Sequence[str], seconds: Sequence[str]) -> np.ndarray:
        """Return the cosine of each first with its second."""
        return (lift(self.vectors.of(firsts)) * lift(self.vectors.of(seconds))).sum(1).numpy()

    def spearman(self, lift: nn.Module, split: str) -> float:
        """Return the rank correlation with the scores of STS-B."""
        from scipy.stats import spearmanr

        pairs = self.similar[split]
        cosines = self.cosines(lift, [pair["s1"] for pair in pairs], [pair["s2"] for pair in pairs])
        return float(spearmanr(cosines, [pair["score"] for pair in pairs]).statistic)

    def told_apart(self, lift: nn.Module) -> float:
        """Return how often an entailed pair of MultiNLI matched is nearer than a contradicted one (AUC)."""
        from sklearn.metrics import roc_auc_score

        pairs = [pair for pair in self.related if LABELS[pair.label] != "neutral"]
        cosines = self.cosines(
            lift, [pair.premise for pair in pairs], [pair.hypothesis for pair in pairs]
        )
        return float(roc_auc_score([LABELS[pair.label] == "entailment" for pair in pairs], cosines))

    @torch.no_grad()
    def retrieval(self, lift: nn.Module, split: str, *, depth: int = 5) -> float:
        """Return MAP@5 of the statements for the 2B queries.

        Precision at each hit over min(relevant, depth).
        """
        queries, relevant = self.queries[split]
        ids = [claim for claim, _ in self.statements]
        statements = lift(self.vectors.of([text for _, text in self.statements]))
        query_vectors = lift(self.vectors.of([text for _, text in queries]))
        # the indices of the nearest statements of each query, (queries, depth)
        nearest = (query_vectors @ statements.T).topk(depth, dim=1).indices
        precisions = []
        for (query_id, _), indices in zip(queries, nearest.tolist(), strict=True):
            hits = [ids[i] in relevant[query_id] for i in indices]
            precisions.append(average(hits, len(relevant[query_id])))
        return float(np.mean(precisions))

    def development(self, lift: nn.Module) -> dict[str, float]:
        """Return the three scores that choose."""
        return {
            "stsb_dev": self.spearman(lift, "dev"),
            "2b_train_map5": self.retrieval(lift, "train"),
            "mnli_matched_auc": self.told_apart(lift),
        }


def average(hits: Sequence[bool], relevant: int) -> float:
    """Return the average precision of a list of hits, over at most as many relevant ones as the list is long."""
    precisions = [sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit]
    return sum(precisions) / min(relevant, len(hits))
