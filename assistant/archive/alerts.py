"""Alerts: new fact-checks meet everything that was said before, and what they find there is kept.

This is the search the other way round: only the new fact-checks are compared, by the vectors of their statements with
those of all sentences. What is near is then read by the measures and the ranker of a check, which give it a tier.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

import numpy as np
import sqlalchemy as sa

from assistant import pipeline
from assistant.archive import running
from assistant.archive.store import ArchiveStore
from assistant.archive.tables import alerts, sentences, transcripts
from assistant.archive.vectors import Single, Spoken
from assistant.check import candidates, measures, models
from assistant.check.candidates import Depths
from assistant.check.models import Models
from assistant.check.progress import Progress, no_progress
from assistant.check.ranker_inputs import Spoken as Wordings
from assistant.check.rankers import TIERS
from assistant.claims.index import ClaimIndex
from assistant.claims.store import ClaimStore
from assistant.ground.domain import Stance, VerifiedClaim
from assistant.ground.settings import Settings
from assistant.reports import phrases

LEAST, MOST = 0.55, 50  # cosine of a sentence that is read, and how many of them for each fact-check
BESIDE = Depths(statement_cosine=10, title_cosine=0, statement=10, title=0, body=0)  # what a pair is ranked among
Pairs = dict[int, set[int]]  # by sentence: the positions of the fact-checks near it


@dataclass(frozen=True, slots=True)
class Alert:
    """A new fact-check whose claim was made before: in how many passages and debates, and in the first of them when."""

    claim: VerifiedClaim
    passages: int
    debates: int
    first: date | None
    at: float


def meet(archive: ArchiveStore, chosen: Settings, *, progress: Progress = no_progress) -> int:
    """Compare every fact-check that is new or changed since it was last compared; return how many these were.

    A run of the archive compares all there are then. Raises: as ``pipeline.open_index``.
    """
    index, vectors = pipeline.open_index(chosen), running.vectors_in(chosen)
    running.catch_up(archive, chosen, vectors)
    known, now = archive.met(), index.fingerprints
    new = [i for i, claim_id in enumerate(index.ids) if known.get(claim_id) != now[claim_id]]
    if new:
        near = _near(vectors.open(), index.statement_vectors, new)
        loaded = models.load(chosen.profile)
        found = list(_read(archive, loaded, index, near, progress))
        archive.note_met({index.ids[i]: now[index.ids[i]] for i in new}, found, time.time())
    return len(new)


def newest(archive: ArchiveStore, chosen: Settings, *, likely_only: bool = True, most: int = 50) -> list[Alert]:
    """Return what the newest fact-checks found, the newest first, of one day those of most debates first."""
    a, debates = alerts.c, sa.func.count(sa.distinct(alerts.c.transcript))
    query = sa.select(a.claim_id, sa.func.count(), debates, sa.func.min(transcripts.c.event_date), sa.func.max(a.at))
    query = query.join(transcripts, transcripts.c.id == a.transcript).group_by(a.claim_id)
    if likely_only:
        query = query.where(a.tier == "likely")
    rows = archive.rows(query.order_by(sa.func.max(a.at).desc(), debates.desc(), a.claim_id).limit(most))
    with ClaimStore.open(chosen.database) as store:
        known = store.many(row.claim_id for row in rows)
    return [Alert(known[claim_id], *rest) for claim_id, *rest in rows if claim_id in known]


def words(alert: Alert) -> str:
    """Return an alert in words: ``“The bridge is closed.” (Gazette, False) was said in 14 debates since 2019``."""
    claim, since = alert.claim, f" since {alert.first.year}" if alert.first else ""
    rated = ", ".join(filter(None, (phrases.publisher(claim), claim.rating)))
    return f"“{claim.statement}” ({rated}) was said in {phrases.count(alert.debates, 'debate')}{since}"


def _near(spoken: Spoken, statements: Single, new: list[int]) -> Pairs:
    """Return the sentences near each new fact-check, the nearest ``MOST`` of each."""
    by_claim: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for column, sentence, cosine in spoken.near(statements[new], LEAST):
        by_claim[new[column]].append((-cosine, sentence))
    pairs: Pairs = defaultdict(set)
    for claim, found in by_claim.items():
        for _, sentence in sorted(found)[:MOST]:
            pairs[sentence].add(claim)
    return pairs


def _read(
    archive: ArchiveStore, loaded: Models, index: ClaimIndex, pairs: Mapping[int, set[int]], progress: Progress
) -> Iterable[dict[str, object]]:
    """Yield the pairs that are matches, debate by debate, as rows of the table of alerts."""
    s = sentences.c
    columns = (s.id, s.transcript, s.text, s.speaker, s.event_date)
    rows = [row for part in _parts(sorted(pairs)) for row in archive.rows(sa.select(*columns).where(s.id.in_(part)))]
    by_debate: dict[int, list[sa.Row]] = defaultdict(list)
    for row in rows:
        by_debate[row.transcript].append(row)
    for done, said in enumerate(by_debate.values()):
        progress("reading what is near", done, len(by_debate))
        for row, claim, tier in _matches(loaded, index, said, pairs):
            yield {"claim_id": index.ids[claim], "sentence": row.id, "transcript": row.transcript, "tier": tier}


def _matches(
    loaded: Models, index: ClaimIndex, said: list[sa.Row], pairs: Mapping[int, set[int]]
) -> Iterable[tuple[sa.Row, int, str]]:
    """Yield each sentence of one debate with a fact-check that it matches, and the tier."""
    texts, day = [row.text for row in said], said[0].event_date
    speakers, worthiness = [row.speaker or None for row in said], loaded.checkworthiness.score(texts)
    wordings = Wordings(texts, speakers, worthiness, day.toordinal() if day else 0)
    encoded = loaded.encoders.read(texts)
    nearest = candidates.search(texts, encoded[0], index, depths=BESIDE)
    rows = [np.union1d(found[found >= 0], sorted(pairs[row.id])) for row, found in zip(said, nearest, strict=True)]
    read = np.full((len(said), max(map(len, rows))), -1, np.int32)
    for place, row in enumerate(rows):
        read[place, : len(row)] = row
    X = measures.measure_without_nli(texts, index, loaded.encoders, read, encoded=encoded)
    inputs, ranking = loaded.rank(wordings, index, read, X)
    for pair in np.flatnonzero(ranking.pair_tiers).tolist():
        row, claim = said[int(inputs.sentence[pair])], int(inputs.claim[pair])
        worthy = wordings.worthiness[inputs.sentence[pair]] >= loaded.worthiness_threshold
        if claim in pairs[row.id] and worthy and ranking.stances[pair] != Stance.CONTRADICTS:
            yield row, claim, str(TIERS[ranking.pair_tiers[pair]])


def _parts(ids: list[int], size: int = 500) -> Iterable[list[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
