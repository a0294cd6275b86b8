"""Pairs of debates as they were read: a fact-check settles a sentence, settles it in part, or does not.

A third training of the cross-encoder learns "same claim" from them. They are of the half of the debates that teaches,
without the seven annotated ones and without those that CheckThat! 2B's development queries come from, so that nothing
which is measured there has been read. The readings are a language model's (``training/ranker/readings.tsv``).
"""

from __future__ import annotations

import random
from pathlib import Path

from training.shared import debates as data
from training.shared.claims import politifact
from training.shared.loaders import Pair, debate_of
from training.shared.readings import PART, SETTLED, TEACH, halves, read

ROUNDS = 4
IN_PART = 2  # of the rounds, those in which what is settled in part counts as the same claim
SOURCE = "read"


def training_pairs(folder: Path, *, seed: int) -> list[Pair]:
    """Return statements beside sentences, each ``ROUNDS`` times, round after round in random order."""
    made, rng = [], random.Random(seed)
    read_once = taught(folder)
    for number in range(ROUNDS):
        labels = {SETTLED: 1, PART: int(number < IN_PART)}
        part = [Pair(*texts, labels.get(label, 0), SOURCE) for *texts, label in read_once]
        made += rng.sample(part, len(part))
    return made


def development_pairs(folder: Path) -> list[Pair]:
    """Return the pairs of the half that teaches which are not learnt from; 1: settled."""
    known = set(taught(folder))
    return [
        Pair(*texts, int(label == SETTLED), SOURCE) for *texts, label in _texts(folder) if (*texts, label) not in known
    ]


def taught(folder: Path) -> list[tuple[str, str, str]]:
    """Return the statement, the sentence and the label of each pair that is learnt from."""
    queries, _ = data.queries(folder / "checkthat2b", "dev", seven_too=True)
    apart = {*data.SEVEN, *map(debate_of, queries)}
    return _texts(folder, without=apart)


def _texts(folder: Path, without: frozenset[str] | set[str] = frozenset()) -> list[tuple[str, str, str]]:
    debates = {debate.name: debate for debate in [*data.seven(folder), *data.others(folder)]}
    statements = {claim.id: claim.statement for claim in politifact(folder)}
    half = halves(debates)
    sentences = {name: dict(zip(debate.lines, debate.texts, strict=True)) for name, debate in debates.items()}
    return [
        (statements[claim], sentences[name][line], reading.label)
        for (name, line, claim), reading in read().items()
        if half[name] == TEACH and name not in without
    ]
