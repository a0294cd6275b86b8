"""How entailment grows with the pairs of a hard set: curves over ANLI's pairs, and over MoNLI's under negation.

    python -m training.entailment.curves anli|monli --data DIR --start WEIGHTS [--folds N] [--twice SHARE ...] [--work
    DIR]

Each fold is held out once: what is learnt shares no premise with it (ANLI) and none of the words that are put for one
another (MoNLI). An eighth, a quarter, half and all of the rest, each part inside the next, are learnt once from weights
that have read neither set, mixed with MultiNLI pairs; ``--twice`` reads shares twice, to tell pairs from steps.
Only development and training parts are read, no test. Points that are there are not learnt again.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors.torch import load_file

from training.entailment.pairs import RATE, at, nested, passes
from training.entailment.table_dropout import hide_by_table
from training.entailment.train import MAX_LENGTH
from training.entailment.two_heads import HIDDEN
from training.shared import cards
from training.shared.classifier import Run, Trainer, make_trainer, train
from training.shared.intervals import Share
from training.shared.loaders import LABELS, Pair, nli_pairs, normal, rows

SHARES = (0, 8, 4, 2, 1)  # one in so many pairs is learnt, 0 is none
LENGTH = 128  # word pieces that the product reads; training cuts as that of what ships
BESIDE = {"anli": 4, "monli": 1}  # so many pairs of a set for one of MultiNLI
MATCHED = 500  # development pairs of MultiNLI, which must not be forgotten
DRAWS = 2_000
HEADER = ("pairs", "accuracy", "accuracy low", "accuracy high", "matched")


class Named(NamedTuple):
    """A pair and what it must not share with a fold that is held out: its premise, or its words."""

    pair: Pair
    names: frozenset[str]


@dataclass(frozen=True)
class Fold:
    """Pairs that are held out, the number of each one's group, and what may be learnt for them."""

    held: list[Pair]
    groups: list[int]
    rest: list[Pair]


class Point(NamedTuple):
    """What is learnt for a fold: one in how many pairs, how many times."""

    share: int
    passes: int


def anli(data: Path) -> tuple[list[Named], list[Named]]:
    """Return the pairs of ANLI that are held out in turn, R1's development part, and those that are only learnt."""
    parts = ("anli_r1_dev", "anli_r2_dev", "anli_r3_dev", "anli_train_sample")
    first, *others = (
        [Named(pair, frozenset({normal(pair.premise)})) for pair in nli_pairs(data / "nli" / f"{part}.jsonl.gz", part)]
        for part in parts
    )
    return first, [named for part in others for named in part]


def monli(data: Path) -> tuple[list[Named], list[Named]]:
    """Return MoNLI's training pairs under negation; a word and its plural have one name."""
    found = rows(data / "stress" / "monli_nmonli_train.jsonl.gz")
    named = {
        Pair(row["premise"], row["hypothesis"], LABELS.index(row["label"]), "monli"): frozenset(
            word.lower().removesuffix("s") for word in row["lex"]
        )
        for row in found
    }
    return [Named(pair, names) for pair, names in named.items()], []


SETS = {"anli": anli, "monli": monli}
# Where a curve is followed to: the training pairs of ANLI R1 and of all its rounds (Nie et al. 2020); of MoNLI, thrice.
ENDS = {"anli": (16_946, 162_865), "monli": (2_000,)}


def groups(named: Sequence[Named]) -> list[int]:
    """Return a number for each pair that it shares with those it is tied to by common names, directly or not."""
    above: dict[str, str] = {}

    def top(name: str) -> str:
        while (up := above.setdefault(name, name)) != name:
            name = up
        return name

    for _, names in named:
        first, *others = sorted(names)
        for other in others:
            above[top(other)] = top(first)
    number: dict[str, int] = {}
    return [number.setdefault(top(min(names)), len(number)) for _, names in named]


def folds(own: Sequence[Named], others: Sequence[Named], count: int) -> list[Fold]:
    """Return the folds, groups whole, as even as they allow; nothing to learn shares a name with what is held out."""
    numbers, filled, place = groups(own), [0] * count, {}
    for number, size in Counter(numbers).most_common():
        place[number] = filled.index(min(filled))
        filled[place[number]] += size
    made = []
    for fold in range(count):
        held = [(named, number) for named, number in zip(own, numbers, strict=True) if place[number] == fold]
        names = {name for named, _ in held for name in named.names}
        rest = [named.pair for named in (*own, *others) if not named.names & names]
        made.append(Fold([named.pair for named, _ in held], [number for _, number in held], rest))
    return made


def part_of(fold: Fold, share: int, *, seed: int) -> list[Pair]:
    """Return what is learnt of a fold's rest, each part the beginning of the next."""
    return nested(fold.rest, seed=seed, shares=(share,))[0] if share else []


def right(trainer: Trainer, pairs: Sequence[Pair], name: str) -> list[int]:
    """Return 1 for each pair that is called right, else 0; MoNLI's labels are entailment and not."""
    said = trainer.logits(pairs).argmax(1).tolist()
    if name == "monli":
        return [int((label == 0) == (pair.label == 0)) for label, pair in zip(said, pairs, strict=True)]
    return [int(label == pair.label) for label, pair in zip(said, pairs, strict=True)]


def learn(fold: Fold, point: Point, mnli: list[Pair], folder: Path, args: argparse.Namespace) -> Trainer:
    """Return a trainer that began at the weights and learnt a point's pairs mixed with MultiNLI's."""
    start = {name: tensor for name, tensor in load_file(args.start).items() if not name.startswith("same.")}
    trainer = make_trainer(labels=len(LABELS), max_length=MAX_LENGTH, seed=args.seed, precision="fp32", start=start)
    hide_by_table(trainer.model.trunk, HIDDEN)
    part = part_of(fold, point.share, seed=args.seed)
    beside = random.Random(args.seed).sample(mnli, len(mnli))[: len(part) // BESIDE[args.set]]
    order = passes(part + beside, point.passes, seed=args.seed)
    train(trainer, order, dict, Run(folder, RATE, every=args.every, resume=True))
    return trainer


def score(fold: Fold, point: Point, path: Path, args: argparse.Namespace) -> dict[str, list[int]]:
    """Return which pairs of a fold and of MultiNLI matched are called right at a point, which is learnt if not kept."""
    if not path.exists():
        nli = args.data / "nli"
        matched = random.Random(args.seed).sample(nli_pairs(nli / "mnli_dev_matched.jsonl.gz", "dev"), MATCHED)
        mnli = nli_pairs(nli / "mnli_train_merged.jsonl.gz", "mnli")
        trainer = replace(learn(fold, point, mnli, path.with_suffix(""), args), max_length=LENGTH)
        found = {"held": right(trainer, fold.held, args.set), "matched": right(trainer, matched, "mnli")}
        path.write_text(json.dumps(found), encoding="utf-8")
        (path.with_suffix("") / "checkpoint.pt").unlink(missing_ok=True)
        print(path.stem, *(round(float(np.mean(kept)), 3) for kept in found.values()), flush=True)
    kept: dict[str, list[int]] = json.loads(path.read_text("utf-8"))
    return kept


def main() -> None:
    """Parse the command line, learn what is not there yet, write the rows, draw them, print where they lead."""
    args = options()
    made = folds(*SETS[args.set](args.data), args.folds)
    args.work.mkdir(parents=True, exist_ok=True)
    held = write(args.out / f"nli-{args.set}.csv", made, [Point(share, 1) for share in SHARES], args)
    if args.twice:
        write(args.out / f"nli-{args.set}-twice.csv", made, [Point(share, 2) for share in args.twice], args)
    cards.draw_curve(args.out / f"nli-{args.set}.csv", over="pairs")
    counts = [learnt(made, Point(share, 1), args) for share in SHARES[1:]]
    clusters = np.array([group for fold in made for group in fold.groups])
    print(line(counts, np.array(held[1:]).T, clusters, args))


def write(path: Path, made: list[Fold], points: list[Point], args: argparse.Namespace) -> list[list[int]]:
    """Write a row for each point, over all folds; return which held-out pairs are called right at each."""
    kept = [
        [
            score(fold, point, args.work / f"{args.set}-{args.folds}-{k}-{point.share}-{point.passes}.json", args)
            for point in points
        ]
        for k, fold in enumerate(made)
    ]
    path.unlink(missing_ok=True)
    held = []
    for point, *found in zip(points, *kept, strict=True):
        held.append([flag for one in found for flag in one["held"]])
        matched = round(float(np.mean([one["matched"] for one in found])), 4)
        shares = Share.count(map(bool, held[-1])).plain()
        cards.append_row(path, HEADER, (learnt(made, point, args), *shares, matched))
    return held


def learnt(made: list[Fold], point: Point, args: argparse.Namespace) -> int:
    """Return how many different pairs of the set are learnt at a point, in the mean of the folds."""
    return round(float(np.mean([len(part_of(fold, point.share, seed=args.seed)) for fold in made])))


def line(counts: list[int], right: NDArray[np.int_], clusters: NDArray[np.int_], args: argparse.Namespace) -> str:
    """Return where the line over the logarithm of the counts leads, with 95 % intervals.

    ``right`` (n, points) says which held-out pairs are called right; ``clusters`` (n,) are drawn with replacement.
    """
    rng, members = np.random.default_rng(args.seed), [np.flatnonzero(clusters == c) for c in np.unique(clusters)]
    samples = [
        np.concatenate([members[i] for i in rng.integers(len(members), size=len(members))]) for _ in range(DRAWS)
    ]
    ends = (2, *ENDS[args.set])  # the line gains between one pair and two what it gains in any doubling
    drawn = np.array([[at(counts, right[rows].mean(0), end) for end in (1, *ends)] for rows in samples])
    drawn[:, 1] -= drawn[:, 0]
    low, high = np.percentile(drawn[:, 1:], (2.5, 97.5), axis=0)
    mean = right.mean(0)
    values = [at(counts, mean, 2) - at(counts, mean, 1), *(at(counts, mean, end) for end in ENDS[args.set])]
    named = ("a doubling", *(f"at {end:,} pairs if the line went on" for end in ENDS[args.set]))
    return "\n".join(
        f"{value:.3f} ({a:.3f} to {b:.3f}) {name}" for value, a, b, name in zip(values, low, high, named, strict=True)
    )


def options() -> argparse.Namespace:
    """Return the command line's options."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("set", choices=tuple(SETS))
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--start", type=Path, required=True, help="weights that have not read the set")
    parser.add_argument("--folds", type=int, default=3)
    parser.add_argument("--twice", type=int, nargs="*", default=[2], help="shares that are read twice as well")
    parser.add_argument("--out", type=Path, default=Path("docs/curves"))
    parser.add_argument("--work", type=Path, default=Path("build/nli-curves"), help="points and checkpoints")
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--every", type=int, default=100, help="steps between two checkpoints")
    return parser.parse_args()


if __name__ == "__main__":
    main()
