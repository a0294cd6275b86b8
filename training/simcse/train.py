"""Train the SimCSE head on SBERT's trunk and write ``simcse.safetensors`` with its card.

    python -m training.simcse.train --data DIR --out models

The head reads a unit SBERT vector x and gives x + w2·gelu(w1·x + b1) + b2, made unit again, so
that one pass over a text yields both vectors (``features.models.encoders.HeadEncoder``). The
objective is SimCSE's (Gao et al. 2021), temperature .05, supervised on entailments with
contradictions of the same premise as hard negatives.

It was chosen on development scores among heads that keep SBERT's similarity within .02 and its
retrieval within .03: the one that separates entailed from contradicted pairs best, which is what
SBERT is worst at. Adding statements and titles of fact-checks or a loss of order lost more
retrieval than that (docs/research/data/experiments.csv).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from training.shared import cards
from training.shared.command import flags, parser
from training.shared.loaders import LABELS, Pair, nli_pairs, nli_triples, query_sets, rows
from training.shared.sentence_vectors import Scores, Vectors

TEMPERATURE = 0.05
HIDDEN = 1024
STEPS = 300
BATCH_TRIPLES = 256
LEARNING_RATE = 1e-3
DROPOUT = 0.1
NLI = (
    "MultiNLI (OANC, CC BY / BY-SA), Bowman et al. 2020 (CC BY-SA 3.0), "
    "Vania et al. 2020 (no licence stated; texts CC BY-SA), Kaushik et al. 2020 (Apache-2.0)"
)
NLI_SETS = ("mnli_train_merged", "newprotocols_train", "semiauto_wiki_train", "cad_nli_train")


class Head(nn.Module):
    """The residual head; it starts as the identity, that is as SBERT."""

    def __init__(self, width: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.w1 = nn.Linear(width, hidden)
        self.w2 = nn.Linear(hidden, width)
        self.dropout = nn.Dropout(dropout)
        nn.init.zeros_(self.w2.weight)
        nn.init.zeros_(self.w2.bias)

    def forward(self, x: Tensor) -> Tensor:
        hidden = self.dropout(nn.functional.gelu(self.w1(self.dropout(x))))
        return normalize(x + self.w2(hidden).float(), dim=-1)

    def shipped(self) -> dict[str, Tensor]:
        """Return w1, b1, w2, b2 in fp16."""
        tensors = {
            "w1": self.w1.weight,
            "b1": self.w1.bias,
            "w2": self.w2.weight,
            "b2": self.w2.bias,
        }
        return {name: tensor.detach().half().contiguous() for name, tensor in tensors.items()}


def contrast(anchors: Tensor, positives: Tensor, negatives: Tensor | None = None) -> Tensor:
    """Return SimCSE's loss: each row of ``anchors`` should be nearest to its row of ``positives`` among b's and the negatives."""
    targets = torch.arange(len(anchors))
    candidates = (
        positives if negatives is None or not len(negatives) else torch.cat([positives, negatives])
    )
    forward = cross_entropy((anchors @ candidates.T).float() / TEMPERATURE, targets)
    backward = cross_entropy((positives @ anchors.T).float() / TEMPERATURE, targets)
    return (forward + backward) / 2


def learn(
    vectors: Tensor,
    triples: Tensor,
    *,
    seed: int,
    steps: int = STEPS,
    rate: float = LEARNING_RATE,
    dropout: float = DROPOUT,
) -> Head:
    """Train a head on ``triples`` (n, 3).

    Rows of anchor, positive and hard negative, -1 for none.
    """
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    head = Head(vectors.shape[1], HIDDEN, dropout)
    optimizer = torch.optim.AdamW(head.parameters(), lr=rate, weight_decay=0.01)
    fall = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, steps)
    for _ in range(steps):
        triple_indices = torch.randint(len(triples), (BATCH_TRIPLES,), generator=generator)
        anchors, positives, negatives = triples[triple_indices].unbind(1)
        with torch.autocast("cpu", torch.bfloat16):
            loss = contrast(
                head(vectors[anchors]),
                head(vectors[positives]),
                head(vectors[negatives[negatives >= 0]]),
            )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        fall.step()
    return head.eval()


def texts_of(data: Path, nli: Sequence[Pair]) -> list[str]:
    """Return every text that training or scoring needs the vector of."""
    texts = []
    for pair in nli:
        if LABELS[pair.label] != "neutral":
            texts += [pair.premise, pair.hypothesis]
    texts += [claim["statement"] for claim in rows(data / "politifact" / "claims.jsonl.gz")]
    for split in ("train", "dev"):
        queries, _ = query_sets(data, split)
        texts += [text for _, text in queries]
    for split in ("dev", "test"):
        for record in rows(data / "sts" / f"stsb_{split}.jsonl.gz"):
            texts += [record["s1"], record["s2"]]
    for pair in nli_pairs(data / "nli" / "mnli_dev_matched.jsonl.gz", "dev")[:4000]:
        texts += [pair.premise, pair.hypothesis]
    return texts


def triple_rows(nli: list[Pair], vectors: Vectors) -> Tensor:
    """Return the vector indices of each entailment and of a contradiction of its premise, (n, 3).

    An entailment without a contradiction has -1.
    """
    index = vectors.row
    triples = []
    for triple in nli_triples(nli):
        negative = index.get(triple.negative, -1)
        triples.append([index[triple.anchor], index[triple.positive], negative])
    return torch.tensor(triples)


def main(arguments: Sequence[str] | None = None) -> None:
    """Train the head, score it and SBERT on development and test sets, write it with its card."""
    options = parser("simcse.train", __doc__, work="build/simcse").parse_args(arguments)
    nli = [
        pair
        for name in NLI_SETS
        for pair in nli_pairs(options.data / "nli" / f"{name}.jsonl.gz", name)
    ]
    vectors = Vectors(texts_of(options.data, nli), options.work)
    triples = triple_rows(nli, vectors)
    scores = Scores(options.data, vectors)
    head = learn(vectors.matrix, triples, seed=options.seed)
    report = scored(scores, head)
    print(report)
    about = card(options, len(triples), report)
    cards.write_model(options.out / "simcse.safetensors", head.shipped(), about)


def scored(scores: Scores, head: nn.Module) -> dict[str, float]:
    """Return all scores of a head and of SBERT."""
    sbert = nn.Identity()
    similar = scores.similar["test"]
    firsts = [p["s1"] for p in similar]
    seconds = [p["s2"] for p in similar]
    cosines = [scores.cosines(lift, firsts, seconds) for lift in (head, sbert)]
    report = {
        **{f"sbert_{name}": score for name, score in scores.development(sbert).items()},
        **scores.development(head),
        "sbert_stsb_test": scores.spearman(sbert, "test"),
        "stsb_test": scores.spearman(head, "test"),
        "sbert_2b_dev_map5": scores.retrieval(sbert, "dev"),
        "2b_dev_map5": scores.retrieval(head, "dev"),
        "correlation_with_sbert_stsb_test": float(np.corrcoef(cosines)[0, 1]),
    }
    return {name: round(score, 4) for name, score in report.items()}


def card(options: argparse.Namespace, triples: int, report: dict[str, float]) -> dict[str, object]:
    """Return what the card of the weights says."""
    return {
        "what": "SimCSE head on SBERT sentence vectors; shares the trunk, so one pass over a text gives both",
        "base": f"{cards.MINILM}, unit mean-pooled sentence vectors x",
        "form": "x + w2·gelu(w1·x + b1) + b2, made unit; gelu is the exact one; fp16",
        "recipe": {
            "steps": STEPS,
            "rate": LEARNING_RATE,
            "batch": BATCH_TRIPLES,
            "dropout": DROPOUT,
        },
        "triples": {"nli": triples},
        "data": {"nli": NLI},
        "command": f"python -m training.simcse.train --data DIR --out models {flags(options, 'seed')}",
        "scores": report,
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
