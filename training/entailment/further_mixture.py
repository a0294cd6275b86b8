"""The further mixture, which the second training of the cross-encoder reads.

Bounds, negations, SNLI, ANLI and others.

Only SNLI's development part is available: four in five of its premises are learnt from, the rest
serves to choose. So do ANLI's development parts and the SNLI part of Hossain et al. 2020, which is
no longer a test. No pair contains a text of a test that is read.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from training.edits.negations import negation_pairs
from training.edits.quantities import quantity_pairs
from training.entailment import mixture as first_mixture
from training.entailment.mixture import FIRST, SETS, TABLE, read
from training.shared.loaders import Pair, nli_pairs, normal

FURTHER = {name: one["further"] for name, one in SETS.items() if "further" in one}
TESTS: list[str] = TABLE["tests"]
LONG = 5  # words of a text that two sets have in common by more than chance


def mixture(data: Path, *, seed: int) -> list[Pair]:
    """Return the training pairs in order.

    All of MultiNLI's and every other set's share, well mixed.
    """
    rng = random.Random(seed)
    first_sets = first_mixture.sets(data, seed=seed)
    mnli = first_sets.pop("mnli")
    # MultiNLI only: statements of fact-checks already are in the edits, and only with figures that
    # are wrong.
    texts = list(dict.fromkeys(text for pair in mnli for text in (pair.premise, pair.hypothesis)))
    # Drawn as the first training drew: FEVER's remaining pairs are training data of relations
    # (training.relation.cases).
    drawn_sets = {}
    for name, pairs in first_sets.items():
        drawn_sets[name] = rng.sample(pairs, min(FIRST[name], len(pairs)))
    sets = {
        **drawn_sets,
        **own(data),
        "negated": negation_pairs(mnli, seed=seed),
        "quantities": quantity_pairs(texts, seed=seed),
    }
    test_texts = tested(data)
    order = [pair for pair in mnli if apart(pair, test_texts)]
    for name, pairs in sets.items():
        usable = [pair for pair in pairs if apart(pair, test_texts)]
        if "twice" in SETS[name]:
            order += usable * 2
        else:
            order += rng.sample(usable, min(FURTHER[name], len(usable)))
    rng.shuffle(order)
    return order


def own(data: Path) -> dict[str, list[Pair]]:
    """Return the sets that the first training did not read, by name, whole."""
    fresh = [
        name
        for name, about_set in SETS.items()
        if "files" in about_set
        and name not in FIRST
        and ("further" in about_set or "twice" in about_set)
    ]
    sets = {name: read(data, name) for name in fresh}
    snli = [pair for pair in sets["snli"] if not to_choose_by(pair)]
    return sets | {"substitutions": even(sets["substitutions"]), "snli": snli}


def even(pairs: list[Pair]) -> list[Pair]:
    """Return the pairs, each label at most as often as all other labels together."""
    counts = Counter(pair.label for pair in pairs)
    label_counts: Counter[int] = Counter()
    balanced = []
    for pair in pairs:
        label_counts[pair.label] += 1
        if label_counts[pair.label] <= sum(counts.values()) - counts[pair.label]:
            balanced.append(pair)
    return balanced


def development(data: Path) -> Iterator[tuple[str, list[Pair]]]:
    """Yield the sets that a choice may look at beside those of the first training, by name."""
    yield "snli_dev_fifth", [pair for pair in read(data, "snli") if to_choose_by(pair)]


def to_choose_by(pair: Pair) -> bool:
    """Return whether a pair of SNLI's development part is not learnt from.

    One premise in five, by its digest.
    """
    return hashlib.sha256(normal(pair.premise).encode()).digest()[0] % 5 == 0


def tested(data: Path) -> frozenset[str]:
    """Return the texts of all tests that are longer than a few words, in lower case without signs."""
    texts = set()
    for file in TESTS:
        for pair in nli_pairs(data / f"{file}.jsonl.gz", "test"):
            texts.add(normal(pair.premise))
            texts.add(normal(pair.hypothesis))
    return frozenset(text for text in texts if text.count(" ") + 1 >= LONG)


def apart(pair: Pair, shared: frozenset[str]) -> bool:
    """Return whether neither text of a pair is a test's."""
    return normal(pair.premise) not in shared and normal(pair.hypothesis) not in shared
