"""Train the check-worthiness classifier and write ``checkworthiness.safetensors`` with its card.

    python -m training.worthiness.train --data DIR --out models [--resume] [--test]

MiniLM is fine-tuned on ClaimBuster's crowdsourced sentences (factual and important against all
else), without the four debates that are also among the linked ones and without any test text. Six
debates of six elections are the development part: temperature and the threshold of the best F1
come from them. The threshold below which the product drops a sentence is another one: the lowest
that drops 56 % of the sentences of the sixty-three debates, which is what must be dropped and a
point to spare. ``--test`` reads the test sets and the seven annotated debates after all that.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training.shared import cards
from training.shared.classifier import Run, Trainer, batches, fit_temperature, make_trainer, train
from training.shared.command import flags, parser
from training.shared.loaders import (
    CHECKWORTHY_TESTS,
    SEVEN_DEBATES,
    Labelled,
    Pair,
    checkworthy_test,
    checkworthy_training,
    linked_sentences,
    rows,
)

DEVELOPMENT = frozenset(
    {
        "1960-10-13.txt",
        "1976-10-22.txt",
        "1988-10-13.txt",
        "2000-10-17.txt",
        "2004-10-13.txt",
        "2012-10-16.txt",
    }
)
MAX_LENGTH = 64
BATCH = 32
DROPPED = 0.56
LABELS = ("not", "check-worthy")
Scores = NDArray[np.float64]


def pairs(sentences: Sequence[Labelled]) -> list[Pair]:
    """Return sentences as single texts for the classifier."""
    return [Pair(sentence.text, "", int(sentence.worthy), "claimbuster") for sentence in sentences]


def probability(trainer: Trainer, texts: Sequence[str], temperature: float = 1.0) -> Scores:
    """Return the probability that each text is check-worthy."""
    logits = trainer.logits([Pair(text, "", 0, "") for text in texts])
    return torch.softmax(logits.double() / temperature, 1)[:, 1].numpy()


def f1(worthy: NDArray[np.bool_], scores: Scores, threshold: float) -> float:
    """Return F1 of the check-worthy class when scores at or above the threshold are called so."""
    called = scores >= threshold
    return float(2 * (worthy & called).sum() / max(1, worthy.sum() + called.sum()))


def best_threshold(worthy: NDArray[np.bool_], scores: Scores) -> float:
    """Return the threshold of two decimals with the highest F1; of equals the middle one."""
    grid = np.arange(0.05, 0.96, 0.01)
    values = np.array([f1(worthy, scores, threshold) for threshold in grid])
    return round(float(np.median(grid[values == values.max()])), 2)


def dropping_threshold(spoken: Scores, share: float) -> float:
    """Return the lowest threshold of four decimals below which at least the share of the sentences is."""
    position = int(np.ceil(share * len(spoken))) - 1
    score_at_share = float(np.sort(spoken)[position])
    steps = round(score_at_share * 10_000)
    return steps / 10_000 if steps / 10_000 > score_at_share else (steps + 1) / 10_000


def development(trainer: Trainer, sentences: Sequence[Labelled]) -> dict[str, float]:
    """Return the best F1 and the average precision on the development debates."""
    from sklearn.metrics import average_precision_score

    worthy = np.array([sentence.worthy for sentence in sentences])
    scores = probability(trainer, [sentence.text for sentence in sentences])
    return {
        "f1": f1(worthy, scores, best_threshold(worthy, scores)),
        "average_precision": float(average_precision_score(worthy, scores)),
    }


def thresholds(
    trainer: Trainer, data: Path, sentences: Sequence[Labelled], seed: int
) -> dict[str, float]:
    """Return the temperature, both thresholds and the development scores that they give."""
    is_worthy = np.array([sentence.worthy for sentence in sentences])
    temperature = fit_temperature(trainer.logits(pairs(sentences)), pairs(sentences))
    scores = probability(trainer, [sentence.text for sentence in sentences], temperature)
    debate_texts = []
    clean_texts = []
    for _, _, text, category in linked_sentences(data):
        debate_texts.append(text)
        if category == "CLEAN":
            clean_texts.append(text)
    clean_scores = probability(trainer, clean_texts, temperature)
    sample = random.Random(seed).sample(debate_texts, min(3000, len(debate_texts)))
    debate_scores = probability(trainer, sample, temperature)
    best = best_threshold(is_worthy, scores)
    dropping = dropping_threshold(debate_scores, DROPPED)
    return {
        "temperature": temperature,
        "f1_threshold": best,
        "development_f1": round(f1(is_worthy, scores, best), 4),
        "threshold": dropping,
        "sixty_three_clean_kept": round(float((clean_scores >= dropping).mean()), 4),
        "sixty_three_dropped": round(float((debate_scores < dropping).mean()), 4),
    }


def tests(trainer: Trainer, data: Path, chosen: dict[str, float]) -> dict[str, float]:
    """Return F1 on the three test sets, and how many sentences of the seven debates are dropped."""
    temperature = chosen["temperature"]
    scores_by_test = {}
    for name in CHECKWORTHY_TESTS:
        sentences = checkworthy_test(data, name)
        is_worthy = np.array([sentence.worthy for sentence in sentences])
        scores = probability(trainer, [sentence.text for sentence in sentences], temperature)
        scores_by_test[f"f1_{name}"] = f1(is_worthy, scores, chosen["f1_threshold"])
    texts = []
    verifiable = []
    for name in sorted(SEVEN_DEBATES):
        for sentence in rows(data / "assisting" / f"{name}.jsonl.gz"):
            texts.append(sentence["text"])
            verifiable.append(bool(sentence["verifiable"]))
    is_kept = probability(trainer, texts, temperature) >= chosen["threshold"]
    scores_by_test["seven_verifiable_kept"] = float(is_kept[np.array(verifiable)].mean())
    scores_by_test["seven_dropped"] = float((~is_kept).mean())
    return {name: round(score, 4) for name, score in scores_by_test.items()}


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, choose the thresholds, write weights and card."""
    command_line = parser("worthiness.train", __doc__, work="build/checkworthiness")
    command_line.add_argument(
        "--resume", action="store_true", help="go on from the last checkpoint"
    )
    command_line.add_argument(
        "--test", action="store_true", help="read the test sets once everything is chosen"
    )
    command_line.add_argument("--rate", type=float, default=1e-4)
    command_line.add_argument("--epochs", type=int, default=2)
    args = command_line.parse_args(arguments)
    sentences = checkworthy_training(args.data)
    held_out = [sentence for sentence in sentences if sentence.file in DEVELOPMENT]
    fitted = pairs([sentence for sentence in sentences if sentence.file not in DEVELOPMENT])
    epochs = [
        pair for i in range(args.epochs) for pair in random.Random(i).sample(fitted, len(fitted))
    ]
    trainer = make_trainer(labels=len(LABELS), max_length=MAX_LENGTH, seed=args.seed)
    run = Run(args.work, args.rate, 200, args.resume)
    train(trainer, batches(epochs, size=BATCH, seed=1), lambda: development(trainer, held_out), run)
    shipped = trainer.as_shipped()
    scores = thresholds(shipped, args.data, held_out, args.seed)
    print(scores, flush=True)
    if args.test:
        scores |= tests(shipped, args.data, scores)
        print(scores, flush=True)
    cards.write_model(
        args.out / "checkworthiness.safetensors", trainer.shipped(), card(args, len(fitted), scores)
    )


def card(args: argparse.Namespace, count: int, scores: dict[str, float]) -> dict[str, object]:
    """Return what the card of the weights says."""
    return {
        "what": "how much a sentence of a debate deserves checking",
        "base": f"{cards.MINILM}, word and position embeddings unchanged",
        "form": "mean of the last states, then a linear layer; tensors named as in BertModel, fp16",
        "labels": list(LABELS),
        "pooling": "mean",
        "max_length": MAX_LENGTH,
        "temperature": round(scores["temperature"], 4),
        "threshold": scores["threshold"],
        "sentences": count,
        "data": "ClaimBuster crowdsourced sentences (CC BY 4.0), CFS against NFS and UFS, without the debates of "
        "2012-10-22, 2016-09-26, 2016-10-09 and 2016-10-19, the development debates and every test text",
        "command": "python -m training.worthiness.train --data DIR --out models "
        f"{flags(args, 'epochs', 'rate', 'seed')} --test",
        "scores": scores,
        "licence": cards.LICENCE,
    }


if __name__ == "__main__":
    main()
