"""Search over everything said, by words and by meaning, among what a filter allows.

A page at a time.

Words are searched by the database (FTS5, ``to_tsvector``), every word of the text in whatever
form; what is in quotation marks is a phrase. Meaning is searched by the cosine of SBERT vectors,
exactly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import sqlalchemy as sa

from assistant.archive.archive_store import ArchiveStore
from assistant.archive.repeats import CONFIRMED, UNREVIEWED
from assistant.archive.sentence_vectors import FloatVectors, SentenceVectors
from assistant.archive.tables import LANGUAGE, mentions, sentences, transcripts
from assistant.claims.claim_store import claims
from assistant.review.decision_store import decisions

HITS_PER_PAGE = 20
MOST_SORTED_HITS = 2000  # hits of a search by words that are put in the order of their days; more would take longer than a page may
_PHRASE_OR_WORD = re.compile(r'"([^"]+)"|(\S+)')
_WORD_LETTERS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """What a search is limited to; "" and None stand for anything.

    ``event`` is a part of the title; ``publisher``, ``rating_class`` and ``decision`` (confirmed, rejected, unreviewed)
    are about a fact-check that the sentence is matched with. ``open_again`` has the keys of
    decisions that count no longer.
    """

    speaker: str = ""
    first: date | None = None
    last: date | None = None
    event: str = ""
    publisher: str = ""
    rating_class: str = ""
    decision: str = ""
    open_again: tuple[str, ...] = ()

    @property
    def of_matches(self) -> bool:
        """Return whether it asks for a match."""
        return bool(self.publisher or self.rating_class or self.decision)


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A sentence that was found, in its debate."""

    id: int
    number: int
    speaker: str
    text: str
    start: float | None
    title: str
    event_date: date | None
    document: str
    cosine: float | None = None


def by_words(
    archive: ArchiveStore, text: str, chosen: SearchFilter, *, page: int = 0
) -> list[SearchHit]:
    """Return a page of the sentences that have the words of a text, newest debates first.

    All, without words.

    Of more than ``MOST`` sentences these are the ones that were taken in last.
    """
    ids = _latest_ids(_database_query(text), _conditions(chosen), archive.dialect).subquery()
    query = _hit_query().where(sentences.c.id.in_(sa.select(ids.c.id)))
    newest = sa.func.coalesce(sentences.c.event_date, date.min).desc()
    rows = archive.rows(
        query.order_by(newest, sentences.c.id).limit(HITS_PER_PAGE).offset(page * HITS_PER_PAGE)
    )
    return [SearchHit(*row) for row in rows]


def by_meaning(
    archive: ArchiveStore,
    spoken: SentenceVectors,
    vector: FloatVectors,
    chosen: SearchFilter,
    *,
    page: int = 0,
    least: float = 0.35,
) -> list[SearchHit]:
    """Return a page of the sentences nearest to a vector, nearest first, with their cosines (at least ``least``)."""
    among = None
    if chosen != SearchFilter():
        rows = archive.rows(sa.select(sentences.c.id).where(*_conditions(chosen)))
        among = np.fromiter((row.id for row in rows), np.int64, len(rows))
    near = spoken.nearest(vector, (page + 1) * HITS_PER_PAGE, among)[page * HITS_PER_PAGE :]
    cosines = {number: cosine for number, cosine in near if cosine >= least}
    hits = {
        row.id: SearchHit(*row)
        for row in archive.rows(_hit_query().where(sentences.c.id.in_(list(cosines))))
    }
    return [
        replace(hits[number], cosine=cosine) for number, cosine in cosines.items() if number in hits
    ]


def speakers(archive: ArchiveStore) -> list[str]:
    """Return the labels of all speakers, by name."""
    rows = archive.rows(sa.select(sentences.c.speaker).distinct().order_by(sentences.c.speaker))
    return [row.speaker for row in rows if row.speaker]


def _hit_query() -> sa.Select:
    s = sentences.c
    t = transcripts.c
    columns = (s.id, s.number, s.speaker, s.text, s.start, t.title, t.event_date, t.document)
    return sa.select(*columns).join_from(sentences, transcripts, s.transcript == t.id)


def _database_query(text: str) -> str:
    """Return the words and phrases of a text as both databases read them, "" if it has no word."""
    pieces = [
        _WORD_LETTERS.findall(phrase or word) for phrase, word in _PHRASE_OR_WORD.findall(text)
    ]
    return " ".join(f'"{" ".join(words)}"' for words in pieces if words)


def _latest_ids(
    asked: str, conditions: Sequence[sa.ColumnElement[bool]], dialect: str
) -> sa.Select | sa.sql.selectable.TextualSelect:
    """Return the numbers of the sentences that were taken in last, of those that have all words and meet conditions."""
    latest = (
        sa.select(sentences.c.id)
        .where(*conditions)
        .order_by(sentences.c.id.desc())
        .limit(MOST_SORTED_HITS)
    )
    if not asked:
        return latest
    if dialect == "postgresql":
        vector = sa.func.to_tsvector(sa.literal_column(f"'{LANGUAGE}'"), sentences.c.text)
        wanted = sa.func.websearch_to_tsquery(sa.literal_column(f"'{LANGUAGE}'"), asked)
        return latest.where(vector.bool_op("@@")(wanted))
    found = "SELECT rowid AS id FROM archive_words WHERE archive_words MATCH :asked"
    if conditions:
        return latest.where(sentences.c.id.in_(sa.text(found).bindparams(asked=asked)))
    # FTS5 reads its rows from the last on and stops after so many: "the" costs no more than a rare
    # word
    newest = sa.text(f"{found} ORDER BY rowid DESC LIMIT :most").bindparams(
        asked=asked, most=MOST_SORTED_HITS
    )
    return newest.columns(sentences.c.id)


def _conditions(chosen: SearchFilter) -> list[sa.ColumnElement[bool]]:
    s = sentences.c
    conditions = []
    if chosen.speaker:
        conditions.append(s.speaker == chosen.speaker)
    if chosen.first:
        conditions.append(s.event_date >= chosen.first)
    if chosen.last:
        conditions.append(s.event_date <= chosen.last)
    if chosen.event:
        conditions.append(s.transcript.in_(_ids_of_events(chosen.event)))
    if chosen.of_matches:
        conditions.append(s.id.in_(_ids_of_matches(chosen)))
    return conditions


def _ids_of_events(title: str) -> sa.Select:
    return sa.select(transcripts.c.id).where(transcripts.c.title.icontains(title, autoescape=True))


def _ids_of_matches(chosen: SearchFilter) -> sa.Select:
    """Return the sentences whose match has this publisher, rating and decision."""
    m = mentions.c
    query = sa.select(m.sentence).join(claims, claims.c.id == m.claim_id)
    if chosen.publisher:
        query = query.where(claims.c.publisher == chosen.publisher)
    if chosen.rating_class:
        query = query.where(claims.c.rating_class == chosen.rating_class)
    if chosen.decision:
        verdict = _newest_verdict(chosen.open_again)
        wanted = {CONFIRMED: verdict == "confirm", "rejected": verdict == "reject"}
        unreviewed = sa.func.coalesce(verdict, "").not_in(("confirm", "reject"))
        query = query.where(
            unreviewed if chosen.decision == UNREVIEWED else wanted[chosen.decision]
        )
    return query


def _newest_verdict(open_again: Sequence[str]) -> sa.ScalarSelect:
    """Return the newest verdict on the match of a mention, by the number of its sentence.

    ``open_again`` are the keys of decisions that count no longer.
    """
    d = decisions.c
    newer = decisions.alias()
    same = sa.select(d.verdict).join(transcripts, transcripts.c.document == d.document)
    same = same.join(
        sentences, (sentences.c.transcript == transcripts.c.id) & (sentences.c.number == d.number)
    )
    latest = ~sa.exists().where((newer.c.key == d.key) & (newer.c.version > d.version))
    own = (sentences.c.id == mentions.c.sentence) & (d.claim_id == mentions.c.claim_id)
    counting = [d.key.not_in(open_again)] if open_again else []
    return same.where(own, latest, *counting).limit(1).correlate(mentions).scalar_subquery()
