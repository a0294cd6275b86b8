"""Alerts: new fact-checks meet everything that was said before, and what they find there is kept.

This is the search the other way round: only the new fact-checks are compared, by the vectors of
their statements with those of all sentences. What is near and can be *likely* is then read as in a
check, which gives a tier and a strength (``alert_matching``).
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
from assistant.claims.claim_store import ClaimStore
from assistant.claims.index_columns import ClaimVectors
from assistant.core.domain import Strength, Tier, VerifiedClaim
from assistant.core.progress_callback import Progress, no_progress
from assistant.core.settings import Settings
from assistant.report import wording
from assistant.report.measured_strength import NO_STRENGTH
from features.similarity.context_window import LIVE, Texts

# A sentence is read if its cosine with a new fact-check is so high, the nearest ones only.
LEAST_COSINE = 0.55
MOST_SENTENCES_PER_CLAIM = 50
DEBATES_AT_ONCE = 100  # debates per batch: the networks read many sentences together


@dataclass(frozen=True, slots=True)
class Alert:
    """A new fact-check whose claim was made before.

    In how many passages and debates, and in the first of them when. ``is_sure``: its matches are
    strong; else they are of an earlier version that stored no strengths.
    """

    claim: VerifiedClaim
    passages: int
    debates: int
    first: date | None
    at: float
    is_sure: bool = True


def compare_new_claims(
    archive: ArchiveStore, settings: Settings, *, progress: Progress = no_progress
) -> int:
    """Compare every fact-check that is new or changed since it was last compared.

    Return their number. A run of the archive compares all fact-checks that exist then.
    Raises: as ``pipeline.open_index``.
    """
    index = pipeline.open_index(settings)
    vector_folder = bulk_run.vector_folder(settings)
    bulk_run.update_vectors(archive, settings, vector_folder)
    compared_digests = archive.compared_digests()
    fingerprints = index.fingerprints
    # Fact-checks that are new or changed: their positions in the index, and their digests by id.
    new_claims = []
    new_fingerprints = {}
    for claim_position, claim_id in enumerate(index.ids):
        if compared_digests.get(claim_id) != fingerprints[claim_id]:
            new_claims.append(claim_position)
            new_fingerprints[claim_id] = fingerprints[claim_id]
    if not new_claims:
        return 0

    vectors = vector_folder.open()
    near_claims = _near_claims(vectors, index.statement_vectors, new_claims)
    models = loaded_models.load(settings.profile)
    matcher = AlertMatcher(models, index, near_claims, partial(_texts_before, archive))
    alert_rows = list(_alert_rows(archive, vectors, matcher, progress))
    archive.note_new_matches(new_fingerprints, alert_rows, time.time())
    return len(new_claims)


def newest_alerts(
    archive: ArchiveStore, settings: Settings, *, strong_only: bool = True, most: int = 50
) -> list[Alert]:
    """Return the alerts, the newest first, at one time by falling number of debates.

    ``strong_only``: of strong matches. The tier *likely* stands for it if the ranker gives no
    strengths, and for matches of an earlier version, which are not sure.
    """
    # The table has one row per passage; an alert is all passages of a fact-check.
    passage_count = sa.func.count()
    debate_count = sa.func.count(sa.distinct(alerts.c.transcript))
    first_date = sa.func.min(transcripts.c.event_date)
    newest_at = sa.func.max(alerts.c.at)
    # All passages of a fact-check were found by one version.
    known_count = sa.func.count(alerts.c.strength)
    query = (
        sa.select(
            alerts.c.claim_id, passage_count, debate_count, first_date, newest_at, known_count
        )
        .join(transcripts, transcripts.c.id == alerts.c.transcript)
        .group_by(alerts.c.claim_id)
        .order_by(newest_at.desc(), debate_count.desc(), alerts.c.claim_id)
        .limit(most)
    )
    if strong_only:
        is_strong = alerts.c.strength == str(Strength.STRONG)
        has_no_strength = sa.func.coalesce(alerts.c.strength, NO_STRENGTH) == NO_STRENGTH
        is_likely = alerts.c.tier == str(Tier.LIKELY)
        query = query.where(sa.or_(is_strong, sa.and_(has_no_strength, is_likely)))
    alert_rows = archive.rows(query)
    with ClaimStore.open(settings.database) as store:
        claims = store.many(row.claim_id for row in alert_rows)
    newest = []
    for claim_id, passages, debates, first_event_date, found_at, known in alert_rows:
        # A fact-check may have been withdrawn since.
        if claim_id in claims:
            is_sure = known == passages
            alert = Alert(claims[claim_id], passages, debates, first_event_date, found_at, is_sure)
            newest.append(alert)
    return newest


def describe(alert: Alert) -> str:
    """Return an alert in words.

    ``“The bridge is closed.” (Gazette, False) was said in 14 debates since 2019``. It *may have
    been* said there if the matches are not sure.
    """
    claim = alert.claim
    source = [text for text in (wording.publisher(claim), claim.rating) if text]
    debates = wording.count(alert.debates, "debate")
    since_year = f" since {alert.first.year}" if alert.first else ""
    said = "was said" if alert.is_sure else "may have been said"
    return f"“{claim.statement}” ({', '.join(source)}) {said} in {debates}{since_year}"


def _near_claims(
    vectors: SentenceVectors, statements: ClaimVectors, new_claims: list[int]
) -> dict[int, set[int]]:
    """Return the new fact-checks near each sentence, by sentence id.

    A fact-check is near its ``MOST_SENTENCES_PER_CLAIM`` nearest sentences at most.
    """
    # The near sentences of each claim, each with its negative cosine, so that sorting gives the
    # nearest sentence first. Claims are their positions in the index.
    sentences_by_claim: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for row, sentence_id, cosine in vectors.near(statements[new_claims], LEAST_COSINE):
        claim = new_claims[row]
        sentences_by_claim[claim].append((-cosine, sentence_id))

    claims_by_sentence: dict[int, set[int]] = defaultdict(set)
    for claim, near_sentences in sentences_by_claim.items():
        nearest_sentences = sorted(near_sentences)[:MOST_SENTENCES_PER_CLAIM]
        for _, sentence_id in nearest_sentences:
            claims_by_sentence[sentence_id].add(claim)
    return claims_by_sentence


def _alert_rows(
    archive: ArchiveStore, vectors: SentenceVectors, matcher: AlertMatcher, progress: Progress
) -> Iterable[dict[str, object]]:
    """Yield the matches as rows of the table of alerts, some debates at a time."""
    sentence_ids = sorted(matcher.near_claims_by_sentence)
    vector_by_id = dict(zip(sentence_ids, vectors.of(sentence_ids), strict=True))
    debates = _read_debates(archive, sentence_ids)
    for start in range(0, len(debates), DEBATES_AT_ONCE):
        progress("reading what is near", start, len(debates))
        batch = debates[start : start + DEBATES_AT_ONCE]
        for match in matcher.matches(batch, vector_by_id):
            yield {
                "claim_id": matcher.index.ids[match.claim_position],
                "sentence": match.sentence.id,
                "transcript": match.sentence.transcript,
                "tier": match.tier,
                "strength": match.strength,
            }


def _read_debates(archive: ArchiveStore, sentence_ids: list[int]) -> list[list[sa.Row]]:
    """Return stored sentences, each debate together."""
    columns = sentences.c
    query = sa.select(
        columns.id, columns.transcript, columns.text, columns.speaker, columns.event_date
    )
    sentences_by_debate: dict[int, list[sa.Row]] = defaultdict(list)
    for batch in _id_batches(sentence_ids):
        for sentence in archive.rows(query.where(columns.id.in_(batch))):
            sentences_by_debate[sentence.transcript].append(sentence)
    return list(sentences_by_debate.values())


def _texts_before(archive: ArchiveStore, spoken: Sequence[StoredSentence]) -> list[Texts]:
    """Return the texts before each of some sentences, as far as the re-ranker reads them."""
    # The sentences of a transcript have consecutive ids in the order of speech. The ids before
    # its first sentence belong to another transcript, or to none.
    ids_before = []
    wanted_ids: set[int] = set()
    for sentence in spoken:
        first_id = sentence.id - LIVE.before  # as many sentences before as a live check reads
        ids = range(first_id, sentence.id)
        ids_before.append(ids)
        wanted_ids.update(ids)
    query = sa.select(sentences.c.id, sentences.c.transcript, sentences.c.text)
    text_by_transcript_and_id: dict[tuple[int, int], str] = {}
    for batch in _id_batches(sorted(wanted_ids)):
        for row in archive.rows(query.where(sentences.c.id.in_(batch))):
            text_by_transcript_and_id[row.transcript, row.id] = row.text

    texts_before = []
    for sentence, ids in zip(spoken, ids_before, strict=True):
        texts = []
        for sentence_id in ids:
            text = text_by_transcript_and_id.get((sentence.transcript, sentence_id), "")
            if text:
                texts.append(text)
        texts_before.append(tuple(texts))
    return texts_before


def _id_batches(sentence_ids: list[int], size: int = 500) -> Iterable[list[int]]:
    """Yield the ids in batches, small enough for one query."""
    for start in range(0, len(sentence_ids), size):
        yield sentence_ids[start : start + size]
