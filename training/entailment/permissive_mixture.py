"""The permissive mixture: entailment pairs whose licences all permit commercial use.

``sets.toml`` gives the licences of each set as ``terms``, all of which must be in ``ALLOWED``. No
fact-check, debate or tweet is read. No pair contains a text of a test that is read, or of the
development pairs of SNLI that serve to choose. FEVER's claims are the ones of the first
training, because relations are tested on the rest.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from training.edits.negations import negation_pairs
from training.edits.quantities import quantity_pairs
from training.entailment import further_mixture
from training.entailment import mixture as first_mixture
from training.entailment.further_mixture import LONG, apart, even, to_choose_by
from training.entailment.mixture import SETS, TABLE
from training.shared.loaders import LABELS, Pair, normal, rows

# Licences that permit commercial use, as ``terms`` names them
ALLOWED = frozenset(
    {
        "Apache-2.0",
        "CC BY 3.0",
        "CC BY 4.0",
        "CC BY-SA 3.0",
        "CC BY-SA 4.0",
        "CC0 1.0",
        "MIT",
        "OANC",
        "ODC-BY",
        "PAWS",
    }
)
PERMISSIVE: dict[str, dict[str, Any]] = {
    name: one for name, one in SETS.items() if "permissive" in one
}
CLAIMS: dict[str, dict[str, Any]] = TABLE["claims"]
LICENCES = {name: one["licence"] for name, one in (PERMISSIVE | CLAIMS).items()}
EVEN = "substitutions"  # a set of which nearly all pairs have one label


class Permitted(NamedTuple):
    """The sets of entailment by name, whole, and the texts that no pair may have."""

    sets: dict[str, list[Pair]]
    kept_out: frozenset[str]


def permitted(data: Path, *, seed: int) -> Permitted:
    """Read the sets of the mixture without the pairs that have a text to keep out."""
    kept_out = further_mixture.tested(data) | chosen_by(data)
    sets = {}
    for name, one in PERMISSIVE.items():
        if "files" in one:
            pairs = entailment_pairs(data, one, name)
            sets[name] = [pair for pair in pairs if apart(pair, kept_out)]
    sets[EVEN] = even(sets[EVEN])
    sets["fever"] = [pair for pair in first_read_fever(data) if apart(pair, kept_out)]
    mnli = sets["mnli"]
    texts = list(dict.fromkeys(text for pair in mnli for text in (pair.premise, pair.hypothesis)))
    sets["negated"] = negation_pairs(mnli, seed=seed)
    sets["quantities"] = quantity_pairs(texts, seed=seed)
    return Permitted(sets, kept_out)


def mixture(permitted_sets: Permitted, *, seed: int) -> list[Pair]:
    """Return the training pairs of entailment in order, every set's share well mixed."""
    rng = random.Random(seed)
    order = []
    for name, one in PERMISSIVE.items():
        order += repeated(permitted_sets.sets[name], one["permissive"], rng)
    rng.shuffle(order)
    return order


def repeated(pairs: Sequence[Pair], count: int, rng: random.Random) -> list[Pair]:
    """Return ``count`` pairs: as many whole copies as fit, and a random part of one more."""
    if not pairs:
        return []
    copies, rest = divmod(count, len(pairs))
    return [*pairs] * copies + rng.sample(pairs, rest)


def records(data: Path, one: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of a set's files, only those of its ``splits`` if it names any."""
    for file in one["files"]:
        for record in rows(data / f"{file}.jsonl.gz"):
            if "splits" not in one or record["split"] in one["splits"]:
                yield record


def entailment_pairs(data: Path, one: dict[str, Any], name: str) -> list[Pair]:
    """Return the pairs of a set that have one of the three labels."""
    pairs = []
    for record in records(data, one):
        relation = record["label"].lower()
        if relation in LABELS:
            label = LABELS.index(relation)
            pairs.append(Pair(record["premise"], record["hypothesis"], label, name))
    return pairs


def chosen_by(data: Path) -> frozenset[str]:
    """Return the long texts of the SNLI pairs that serve to choose, as ``apart`` compares them."""
    texts = set()
    for pair in first_mixture.read(data, "snli"):
        if to_choose_by(pair):
            texts.update((normal(pair.premise), normal(pair.hypothesis)))
    return frozenset(text for text in texts if text.count(" ") + 1 >= LONG)


def first_read_fever(data: Path) -> list[Pair]:
    """Return the pairs of FEVER that the first training reads with its default seed."""
    pairs = first_mixture.mixture(data, rounds=3, seed=17)
    return [pair for pair in pairs if pair.source == "fever"]
