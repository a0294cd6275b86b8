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
        before, speaker, claimant = (
            ((), "", "") if bare else (self.before, self.speaker, self.claimant)
        )
        texts = claim_text(self.statement, claimant), spoken_text(self.sentence, before, speaker)
        return Pair(*texts, self.label, SOURCE)


def taught(folder: Path, half: str = TEACH) -> tuple[list[AsRead], list[AsRead]]:
    """Return the pairs of a half of the debates.

    Those to learn from, and those that are kept to look at.

    To learn from are also those of debates of 2019 and 2020 that nobody linked. Kept are the seven
    annotated debates, and those that CheckThat! 2B's development queries come from, so that
    nothing which is measured there is learnt from.
    """
    queries, _ = data.queries(folder / "checkthat2b", "dev", seven_too=True)
    apart = {*data.SEVEN, *map(debate_of, queries)}
    claims = {claim.id: claim for claim in politifact(folder)}
    seventy = [*data.seven(folder), *data.others(folder)]
    side = halves(debate.name for debate in seventy)
    pairs = _pairs([debate for debate in seventy if side[debate.name] == half], claims, read())
    learnt, kept = (
        [pair for pair in pairs if (pair.debate in apart) is out] for out in (False, True)
    )
    return learnt + _pairs(data.unlinked(folder), claims, read(READINGS)), kept


def fold(debate: str, folds: int) -> int:
    """Return the part of the debates that one belongs to, 0 to ``folds`` - 1, by the digest of its name."""
    return int(hashlib.sha256(debate.encode()).hexdigest()[:8], 16) % folds


def rounds(pairs: list[AsRead], times: int, *, seed: int) -> list[Pair]:
    """Return the pairs so many times, round after round in random order, some of each round bare."""
    rng = random.Random(seed)
    made = []
    for _ in range(times):
        made += [pair.pair(bare=rng.random() < BARE) for pair in rng.sample(pairs, len(pairs))]
    return made


def _pairs(
    debates: Iterable[Debate],
    claims: Mapping[str, VerifiedClaim],
    readings: Mapping[ReadPair, Reading],
) -> list[AsRead]:
    """Return the pairs of some debates as they were read."""
    by_name = {debate.name: debate for debate in debates}
    made = []
    for (name, line, id_), reading in readings.items():
        if name in by_name:
            debate = by_name[name]
            claim = claims[id_]
            place = debate.lines.index(line)
            before = LIVE.of(debate.texts, place)[:-1]
            about = (
                claim.statement,
                claim.claimant or "",
                debate.texts[place],
                before,
                debate.speakers[place],
            )
            made.append(AsRead(name, *about, _LABELS.get(reading.label, 0)))
    return made
