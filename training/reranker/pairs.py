"""Pairs of debates as they were read, with what the re-ranker sees of them.

The readings are a language model's.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from assistant.core.domain import VerifiedClaim
from features.models.reranker import LABELS, claim_text, spoken_text
from features.similarity.context_window import LIVE
from training.shared import debates as data
from training.shared.claims import politifact
from training.shared.debates import Debate
from training.shared.loaders import Pair, debate_of
from training.shared.readings import PART, SETTLED, TEACH, Reading, halves, read
from training.shared.readings import Pair as ReadPair

READINGS = Path(__file__).with_name(
    "readings.tsv"
)  # of debates of 2019 and 2020 that nobody linked
SOURCE = "read"
BARE = 0.25  # of the pairs of a round: read without context and names, as single texts are
_LABELS = {SETTLED: LABELS.index("settled"), PART: LABELS.index("part")}


class AsRead(NamedTuple):
    """A pair that was read: its texts, what stands around them, and its label's place in ``LABELS``."""

    debate: str
    statement: str
    claimant: str
    sentence: str
    before: tuple[str, ...]
    speaker: str
    label: int

    def pair(self, *, bare: bool = False) -> Pair:
        """Return the texts as the re-ranker reads them; ``bare``: statement and sentence alone."""
        if bare:
            premise = claim_text(self.statement, "")
            hypothesis = spoken_text(self.sentence, (), "")
        else:
            premise = claim_text(self.statement, self.claimant)
            hypothesis = spoken_text(self.sentence, self.before, self.speaker)
        return Pair(premise, hypothesis, self.label, SOURCE)


def taught(folder: Path, half: str = TEACH) -> tuple[list[AsRead], list[AsRead]]:
    """Return the pairs of a half of the debates.

    Those to learn from, and those that are kept to look at.

    To learn from are also those of debates of 2019 and 2020 that nobody linked. Kept are the seven
    annotated debates, and those that CheckThat! 2B's development queries come from, so that
    nothing which is measured there is learnt from.
    """
    queries, _ = data.queries(folder / "checkthat2b", "dev", seven_too=True)
    held_out_names = {*data.SEVEN, *map(debate_of, queries)}
    claims = {claim.id: claim for claim in politifact(folder)}
    seventy = [*data.seven(folder), *data.others(folder)]
    half_by_debate = halves(debate.name for debate in seventy)
    debates = [debate for debate in seventy if half_by_debate[debate.name] == half]
    learnt = []
    held_out = []
    for pair in _pairs(debates, claims, read()):
        if pair.debate in held_out_names:
            held_out.append(pair)
        else:
            learnt.append(pair)
    return learnt + _pairs(data.unlinked(folder), claims, read(READINGS)), held_out


def fold(debate: str, folds: int) -> int:
    """Return the part of the debates that one belongs to, 0 to ``folds`` - 1, by the digest of its name."""
    return int(hashlib.sha256(debate.encode()).hexdigest()[:8], 16) % folds


def without_fold(pairs: list[AsRead], number: int, folds: int) -> tuple[list[AsRead], list[AsRead]]:
    """Return the pairs of the other parts of the debates, and the pairs of one part."""
    other_pairs = [pair for pair in pairs if fold(pair.debate, folds) != number]
    fold_pairs = [pair for pair in pairs if fold(pair.debate, folds) == number]
    return other_pairs, fold_pairs


def rounds(pairs: list[AsRead], times: int, *, seed: int) -> list[Pair]:
    """Return the pairs so many times, round after round in random order, some of each round bare."""
    rng = random.Random(seed)
    round_pairs = []
    for _ in range(times):
        round_pairs += [
            pair.pair(bare=rng.random() < BARE) for pair in rng.sample(pairs, len(pairs))
        ]
    return round_pairs


def _pairs(
    debates: Iterable[Debate],
    claims: Mapping[str, VerifiedClaim],
    readings: Mapping[ReadPair, Reading],
) -> list[AsRead]:
    """Return the labelled pairs of some debates."""
    debates_by_name = {debate.name: debate for debate in debates}
    pairs = []
    for (name, line, claim_id), reading in readings.items():
        debate = debates_by_name.get(name)
        if debate is None:
            continue
        claim = claims[claim_id]
        sentence_index = debate.lines.index(line)
        pairs.append(
            AsRead(
                debate=name,
                statement=claim.statement,
                claimant=claim.claimant or "",
                sentence=debate.texts[sentence_index],
                before=LIVE.of(debate.texts, sentence_index)[:-1],
                speaker=debate.speakers[sentence_index],
                label=_LABELS.get(reading.label, 0),
            )
        )
    return pairs
