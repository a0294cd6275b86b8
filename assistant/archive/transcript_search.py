"""Search over the sentences of the archive, by words and by meaning, a page at a time.

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
from assistant.review.decision_store import decisions, is_newest_version

HITS_PER_PAGE = 20
MOST_SORTED_HITS = 2000  # sorting more by their days would make a page slow
_PHRASE_OR_WORD_PATTERN = re.compile(r'"(?P<phrase>[^"]+)"|(?P<word>\S+)')
_WORD_LETTERS_PATTERN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """Conditions of a search; "" and None stand for none.

    ``event`` is a part of the title. ``publisher``, ``rating_class`` and ``decision`` (confirmed,
    rejected, unreviewed) belong to a fact-check that matches the sentence. ``open_again`` has the
    keys of decisions that count no longer.
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
    archive: ArchiveStore, text: str, search_filter: SearchFilter, *, page: int = 0
) -> list[SearchHit]:
    """Return a page of the sentences that have all words of a text, newest debates first.

    A text without words finds every sentence. If there are more than ``MOST_SORTED_HITS``, only
    those that were added last are found.
    """
    conditions = _sql_conditions(search_filter)
    # A frequent word is in many sentences: only the latest ones are sorted.
    search_words = _quoted_search_words(text)
    latest_ids = _latest_ids(search_words, conditions, archive.dialect).subquery()
    newest_first = sa.func.coalesce(sentences.c.event_date, date.min).desc()
    query = (
        _hit_query()
        .where(sentences.c.id.in_(sa.select(latest_ids.c.id)))
        .order_by(newest_first, sentences.c.id)
        .limit(HITS_PER_PAGE)
        .offset(page * HITS_PER_PAGE)
    )
    return [SearchHit(*row) for row in archive.rows(query)]


def by_meaning(
    archive: ArchiveStore,
    sentence_vectors: SentenceVectors,
    query_vector: FloatVectors,
    search_filter: SearchFilter,
    *,
    page: int = 0,
    min_cosine: float = 0.35,
) -> list[SearchHit]:
    """Return a page of the sentences nearest to a vector, nearest first, with their cosines."""
    allowed_ids = None
    has_conditions = search_filter != SearchFilter()
    if has_conditions:
        id_query = sa.select(sentences.c.id).where(*_sql_conditions(search_filter))
        allowed_ids = np.array([row.id for row in archive.rows(id_query)], np.int64)

    page_start = page * HITS_PER_PAGE
    page_end = page_start + HITS_PER_PAGE
    nearest_sentences = sentence_vectors.nearest(query_vector, page_end, allowed_ids)
    cosine_by_id = {}
    for sentence_id, cosine in nearest_sentences[page_start:]:
        if cosine >= min_cosine:
            cosine_by_id[sentence_id] = cosine

    query = _hit_query().where(sentences.c.id.in_(list(cosine_by_id)))
    hit_by_id = {row.id: SearchHit(*row) for row in archive.rows(query)}
    hits = []
    for sentence_id, cosine in cosine_by_id.items():
        # A sentence may have been removed since its vector was stored.
        if sentence_id in hit_by_id:
            hits.append(replace(hit_by_id[sentence_id], cosine=cosine))
    return hits


def speakers(archive: ArchiveStore) -> list[str]:
    """Return the labels of all speakers, by name."""
    rows = archive.rows(sa.select(sentences.c.speaker).distinct().order_by(sentences.c.speaker))
    return [row.speaker for row in rows if row.speaker]


def _hit_query() -> sa.Select:
    """Return the query of all sentences, with the columns in the order of ``SearchHit``."""
    columns = (
        sentences.c.id,
        sentences.c.number,
        sentences.c.speaker,
        sentences.c.text,
        sentences.c.start,
        transcripts.c.title,
        transcripts.c.event_date,
        transcripts.c.document,
    )
    is_its_transcript = sentences.c.transcript == transcripts.c.id
    return sa.select(*columns).join_from(sentences, transcripts, is_its_transcript)


def _quoted_search_words(text: str) -> str:
    """Return the words and phrases of a text as both databases read them, "" if it has no word."""
    # Every word is quoted too, so that the database takes none of them for an operator.
    quoted_phrases = []
    for term in _PHRASE_OR_WORD_PATTERN.finditer(text):
        phrase_or_word = term["phrase"] or term["word"]
        words = _WORD_LETTERS_PATTERN.findall(phrase_or_word)
        if words:
            quoted_phrases.append(f'"{" ".join(words)}"')
    return " ".join(quoted_phrases)


def _latest_ids(
    search_words: str, conditions: Sequence[sa.ColumnElement[bool]], dialect: str
) -> sa.Select | sa.sql.selectable.TextualSelect:
    """Return the ids of the latest sentences that have all words and meet all conditions."""
    latest_ids_query = (
        sa.select(sentences.c.id)
        .where(*conditions)
        .order_by(sentences.c.id.desc())
        .limit(MOST_SORTED_HITS)
    )
    if not search_words:
        return latest_ids_query
    if dialect == "postgresql":
        language: sa.ColumnElement[str] = sa.literal_column(f"'{LANGUAGE}'")
        words_of_sentence = sa.func.to_tsvector(language, sentences.c.text)
        words_query = sa.func.websearch_to_tsquery(language, search_words)
        matches_operator = words_of_sentence.bool_op("@@")
        return latest_ids_query.where(matches_operator(words_query))

    # SQLite: the rows of the table ``archive_words`` have the ids of the sentences.
    ids_sql = "SELECT rowid AS id FROM archive_words WHERE archive_words MATCH :search_words"
    if conditions:
        ids_with_words = sa.text(ids_sql).bindparams(search_words=search_words)
        return latest_ids_query.where(sentences.c.id.in_(ids_with_words))
    # FTS5 reads its rows from the last on and stops at the limit: "the" costs no more than a rare
    # word.
    latest_sql = f"{ids_sql} ORDER BY rowid DESC LIMIT :limit"
    latest_with_words = sa.text(latest_sql).bindparams(
        search_words=search_words, limit=MOST_SORTED_HITS
    )
    return latest_with_words.columns(sentences.c.id)


def _sql_conditions(search_filter: SearchFilter) -> list[sa.ColumnElement[bool]]:
    conditions = []
    if search_filter.speaker:
        conditions.append(sentences.c.speaker == search_filter.speaker)
    if search_filter.first:
        conditions.append(sentences.c.event_date >= search_filter.first)
    if search_filter.last:
        conditions.append(sentences.c.event_date <= search_filter.last)
    if search_filter.event:
        conditions.append(sentences.c.transcript.in_(_ids_of_events(search_filter.event)))
    if search_filter.of_matches:
        conditions.append(sentences.c.id.in_(_ids_of_matches(search_filter)))
    return conditions


def _ids_of_events(title: str) -> sa.Select:
    return sa.select(transcripts.c.id).where(transcripts.c.title.icontains(title, autoescape=True))


def _ids_of_matches(search_filter: SearchFilter) -> sa.Select:
    """Return the sentences whose match has this publisher, rating and decision."""
    # Each row of ``mentions`` is a match of a sentence with a fact-check.
    query = sa.select(mentions.c.sentence).join(claims, claims.c.id == mentions.c.claim_id)
    if search_filter.publisher:
        query = query.where(claims.c.publisher == search_filter.publisher)
    if search_filter.rating_class:
        query = query.where(claims.c.rating_class == search_filter.rating_class)
    if search_filter.decision:
        query = query.where(_has_decision(search_filter))
    return query


def _has_decision(search_filter: SearchFilter) -> sa.ColumnElement[bool]:
    """Return the condition of the mentions whose newest decision is the one of a filter."""
    verdict = _newest_verdict(search_filter.open_again)
    # SQL compares NULL, the verdict of a mention without a decision, with nothing.
    verdict_or_empty = sa.func.coalesce(verdict, "")
    condition_by_decision = {
        CONFIRMED: verdict == "confirm",
        "rejected": verdict == "reject",
        UNREVIEWED: verdict_or_empty.not_in(("confirm", "reject")),
    }
    return condition_by_decision[search_filter.decision]


def _newest_verdict(open_again: Sequence[str]) -> sa.ScalarSelect:
    """Return the newest verdict on the match of a mention, by the number of its sentence.

    ``open_again`` are the keys of decisions that count no longer.
    """
    # A decision names the file and the number of its sentence, a mention the id of the sentence.
    is_decided_transcript = transcripts.c.document == decisions.c.document
    is_decided_sentence = (sentences.c.transcript == transcripts.c.id) & (
        sentences.c.number == decisions.c.number
    )
    is_on_mention = (sentences.c.id == mentions.c.sentence) & (
        decisions.c.claim_id == mentions.c.claim_id
    )
    verdicts = (
        sa.select(decisions.c.verdict)
        .join(transcripts, is_decided_transcript)
        .join(sentences, is_decided_sentence)
        .where(is_on_mention, is_newest_version())
    )
    if open_again:
        verdicts = verdicts.where(decisions.c.key.not_in(open_again))
    return verdicts.limit(1).correlate(mentions).scalar_subquery()
