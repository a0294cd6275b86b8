"""Alerts: new fact-checks meet everything that was said before, and what they find there is kept.

This is the search the other way round: only the new fact-checks are compared, by the vectors of
their statements with those of all sentences. What is near and can be *likely* is then read as in a
check, which gives a tier (``meeting``).
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

import sqlalchemy as sa

from assistant import pipeline
from assistant.archive import bulk_run
from assistant.archive.alert_matching import AlertMatcher, StoredSentence
from assistant.archive.archive_store import ArchiveStore
from assistant.archive.sentence_vectors import SentenceVectors
from assistant.archive.tables import alerts, sentences, transcripts
from assistant.check import loaded_models
from assistant.check.progress import Progress, no_progress
from assistant.claims.claim_store import ClaimStore
from assistant.claims.index_columns import ClaimVectors
from assistant.core.domain import VerifiedClaim
from assistant.core.settings import Settings
from assistant.report import wording
from features.similarity.context_window import LIVE, Texts

# cosine of a sentence that is read, and how many of them for each fact-check
LEAST_COSINE = 0.55
MOST_SENTENCES_PER_CLAIM = 50
DEBATES_AT_ONCE = 100  # debates: the networks read many sentences together


@dataclass(frozen=True, slots=True)
class Alert:
    """A new fact-check whose claim was made before.

    In how many passages and debates, and in the first of them when.
    """

    claim: VerifiedClaim
    passages: int
    debates: int
    first: date | None
    at: float


def compare_new_claims(
    archive: ArchiveStore, chosen: Settings, *, progress: Progress = no_progress
) -> int:
    """Compare every fact-check that is new or changed since it was last compared.

    Return how many these were.

    A run of the archive compares all there are then. Raises: as ``pipeline.open_index``.
    """
    index = pipeline.open_index(chosen)
    vectors = bulk_run.vector_folder(chosen)
    bulk_run.update_vectors(archive, chosen, vectors)
    known = archive.met()
    now = index.fingerprints
    new = [i for i, claim_id in enumerate(index.ids) if known.get(claim_id) != now[claim_id]]
    if new:
        spoken = vectors.open()
        near = _near_claims(spoken, index.statement_vectors, new)
        matcher = AlertMatcher(
            loaded_models.load(chosen.profile), index, near, partial(_said_before, archive)
        )
        found = list(_alert_rows(archive, spoken, matcher, progress))
        archive.note_met({index.ids[i]: now[index.ids[i]] for i in new}, found, time.time())
    return len(new)


def newest_alerts(
    archive: ArchiveStore, chosen: Settings, *, likely_only: bool = True, most: int = 50
) -> list[Alert]:
    """Return what the newest fact-checks found, the newest first, of one day those of most debates first."""
    a = alerts.c
    debates = sa.func.count(sa.distinct(alerts.c.transcript))
    query = sa.select(
        a.claim_id,
        sa.func.count(),
        debates,
        sa.func.min(transcripts.c.event_date),
        sa.func.max(a.at),
    )
    query = query.join(transcripts, transcripts.c.id == a.transcript).group_by(a.claim_id)
    if likely_only:
        query = query.where(a.tier == "likely")
    rows = archive.rows(
        query.order_by(sa.func.max(a.at).desc(), debates.desc(), a.claim_id).limit(most)
    )
    with ClaimStore.open(chosen.database) as store:
        known = store.many(row.claim_id for row in rows)
    return [Alert(known[claim_id], *rest) for claim_id, *rest in rows if claim_id in known]


def describe(alert: Alert) -> str:
    """Return an alert in words.

    ``“The bridge is closed.” (Gazette, False) was said in 14 debates since 2019``.
    """
    claim = alert.claim
    since = f" since {alert.first.year}" if alert.first else ""
    rated = ", ".join(filter(None, (wording.publisher(claim), claim.rating)))
    return (
        f"“{claim.statement}” ({rated}) was said in {wording.count(alert.debates, 'debate')}{since}"
    )


def _near_claims(
    spoken: SentenceVectors, statements: ClaimVectors, new: list[int]
) -> dict[int, set[int]]:
    """Return the sentences near each new fact-check, the nearest ``MOST`` of each."""
    by_claim: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for column, sentence, cosine in spoken.near(statements[new], LEAST_COSINE):
        by_claim[new[column]].append((-cosine, sentence))
    pairs: dict[int, set[int]] = defaultdict(set)
    for claim, found in by_claim.items():
        for _, sentence in sorted(found)[:MOST_SENTENCES_PER_CLAIM]:
            pairs[sentence].add(claim)
    return pairs


def _alert_rows(
    archive: ArchiveStore, spoken: SentenceVectors, matcher: AlertMatcher, progress: Progress
) -> Iterable[dict[str, object]]:
    """Yield the pairs that are matches, some debates at a time, as rows of the table of alerts."""
    s = sentences.c
    ids = sorted(matcher.near_claims)
    vectors = dict(zip(ids, spoken.of(ids), strict=True))
    columns = (s.id, s.transcript, s.text, s.speaker, s.event_date)
    by_debate: dict[int, list[sa.Row]] = defaultdict(list)
    for part in _id_batches(ids):
        for stored in archive.rows(sa.select(*columns).where(s.id.in_(part))):
            by_debate[stored.transcript].append(stored)
    debates = list(by_debate.values())
    for done in range(0, len(debates), DEBATES_AT_ONCE):
        progress("reading what is near", done, len(debates))
        for row, claim, tier in matcher.matches(debates[done : done + DEBATES_AT_ONCE], vectors):
            claim_id = matcher.index.ids[claim]
            yield {
                "claim_id": claim_id,
                "sentence": row.id,
                "transcript": row.transcript,
                "tier": tier,
            }


def _said_before(archive: ArchiveStore, said: Sequence[StoredSentence]) -> list[Texts]:
    """Return what was said before some sentences, as far as the re-ranker reads it.

    Ids are in the order of speech.
    """
    s = sentences.c
    texts = {}
    places = [[row.id - back for back in range(LIVE.before, 0, -1)] for row in said]
    for part in _id_batches(sorted({place for of_row in places for place in of_row})):
        for row in archive.rows(sa.select(s.id, s.transcript, s.text).where(s.id.in_(part))):
            texts[row.transcript, row.id] = row.text
    found = [
        [texts.get((row.transcript, place)) for place in of_row]
        for row, of_row in zip(said, places, strict=True)
    ]
    return [tuple(filter(None, of_row)) for of_row in found]


def _id_batches(ids: list[int], size: int = 500) -> Iterable[list[int]]:
    return (ids[start : start + size] for start in range(0, len(ids), size))
