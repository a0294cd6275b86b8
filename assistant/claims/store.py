"""The database of verified claims: rows, and what becomes of them when they come again.

Knows rows and transactions; knows no file format. Every import is one transaction: it is all there, or nothing of it.
"""

from __future__ import annotations

import dataclasses
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import sqlalchemy as sa

from assistant.claims.fields import digest, statement_key
from assistant.claims.records import Asked, ImportReport, Progress, Row, StoreStatus, Wanting
from assistant.claims.upserting import Decisions, Entry, Head, Stored, Tally, needs_text, second_id
from assistant.ground.database import Database
from assistant.ground.domain import RatingClass, VerifiedClaim
from assistant.ground.errors import StoreError

SCHEMA = 2  # the layout of the tables; a newer one is refused. 2 added the articles that were fetched
BATCH = 500
SAMPLES = "samples"
_log = logging.getLogger(__name__)

_meta = sa.MetaData()
_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")  # one order of ids on every server
settings = sa.Table(
    "lectern_settings",
    _meta,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
claims = sa.Table(
    "claims",
    _meta,
    sa.Column("id", _text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("same_key", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False),
    sa.Column("imported_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("attribution", sa.Text, nullable=False, default=""),
    sa.Column("licence", sa.Text, nullable=False, default=""),
    sa.Column("statement", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("claimant", sa.Text, nullable=False),
    sa.Column("claim_date", sa.Date),
    sa.Column("rating", sa.Text, nullable=False),
    sa.Column("rating_class", sa.Text, nullable=False),
    sa.Column("review_date", sa.Date),
    sa.Column("publisher", sa.Text, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("language", sa.Text, nullable=False),
    sa.Column("body_length", sa.Integer, nullable=False),
    sa.Column("words", sa.Text, nullable=False),  # what search reads: statement and claimant, folded
    sa.Column("body", sa.Text, nullable=False),  # last: SQLite then reads the others without the article
    sa.Index("claims_digest", "id", "digest"),
    sa.Index("claims_same_key", "same_key"),
)
# What became of asking an address for its article. An article that came with a claim stands in ``claims``: neither
# ever overwrites the other, and the one that came with the claim is read where there are both.
articles = sa.Table(
    "articles",
    _meta,
    sa.Column("url", sa.Text, primary_key=True),  # as the claims have it
    sa.Column("outcome", sa.Text, nullable=False),  # of the last time that it was asked
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),  # in vain, since it last had an article
    sa.Column("fetched_at", sa.DateTime(timezone=True)),
    sa.Column("source_url", sa.Text, nullable=False),  # where the article stood, redirects followed
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("body_length", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
FIELDS = tuple(f.name for f in dataclasses.fields(VerifiedClaim))
_stored = [claims.c[name] for name in FIELDS]
_own_body, _fetched = claims.c.body_length > 0, articles.c.body_length > 0
_body = sa.case((_own_body, claims.c.body), else_=sa.func.coalesce(articles.c.body, "")).label("body")
_claim = [_body if name == "body" else claims.c[name] for name in FIELDS]
_joined = claims.outerjoin(articles, claims.c.url == articles.c.url)
_asked = [articles.c[name] for name in ("outcome", "note", "asked_at", "tries", "fetched_at", "source_url")]
_head = [claims.c[name] for name in Head._fields]
_schema = sa.select(settings.c.value).where(settings.c.name == "schema")


class ClaimStore(Database):
    """The verified claims of one database. Use it in a ``with``, or close it."""

    def upsert(
        self,
        rows: Iterable[Row],
        *,
        source: str,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Return what became of the rows: new, changed, same, merged or refused. All of them are in, or none.

        A row whose address and statement are there already is that claim; a row of the same source with a known id
        updates it. An empty field never erases a full one.

        Raises: StoreError if the database refuses; whatever the rows or ``progress`` raise. Nothing is stored then.
        """
        tally, rest = Tally(source), iter(rows)
        with self._writing() as connection:
            while batch := list(islice(rest, BATCH)):
                self._write(connection, tally, tally.sift(batch))
                if progress:
                    progress("storing fact-checks", tally.rows, tally.rows)
        report = tally.report()
        if report.unknown_ratings:
            told = ", ".join(f"{label} ({count})" for label, count in islice(report.unknown_ratings.items(), 10))
            _log.warning("labels that ratings.toml does not hold, counted as OTHER: %s", told)
        return report

    def delete(self, ids: Iterable[str]) -> int:
        """Return how many claims were deleted, with articles that no other claim has; unknown ids are passed over."""
        with self._writing() as connection:
            chunks = _chunks(ids)
            gone = sum(connection.execute(claims.delete().where(claims.c.id.in_(part))).rowcount for part in chunks)
            connection.execute(articles.delete().where(articles.c.url.not_in(sa.select(claims.c.url))))
            return gone

    def all(self, language: str | None = None) -> Iterator[VerifiedClaim]:
        """Yield every claim, or those of a language, in the order of their ids."""
        chosen = sa.select(*_claim).select_from(_joined).order_by(claims.c.id)
        if language:
            chosen = chosen.where(claims.c.language == language)
        with self._reading() as connection:
            for row in connection.execution_options(yield_per=BATCH).execute(chosen):
                yield _vclaim(row)

    def get(self, claim_id: str) -> VerifiedClaim | None:
        """Return the claim with an id, or None."""
        return self.many((claim_id,)).get(claim_id)

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return the claims with these ids, by id, in the order asked for; unknown ids are missing."""
        asked = list(ids)
        found: dict[str, VerifiedClaim] = {}
        with self._reading() as connection:
            for part in _chunks(asked):
                chosen = sa.select(*_claim).select_from(_joined).where(claims.c.id.in_(part))
                found |= {row.id: _vclaim(row) for row in connection.execute(chosen)}
        return {claim_id: found[claim_id] for claim_id in asked if claim_id in found}

    def fingerprints(self) -> dict[str, str]:
        """Return id and digest of every claim, in the order of their ids.

        A digest changes with any field, and with the article that was fetched for a claim that came without one.
        """
        fetched = sa.select(claims.c.id, articles.c.digest).join(articles, claims.c.url == articles.c.url)
        with self._reading() as connection:
            rows = connection.execute(sa.select(claims.c.id, claims.c.digest).order_by(claims.c.id))
            own: dict[str, str] = {row.id: row.digest for row in rows}
            added = connection.execute(fetched.where(_fetched, sa.not_(_own_body)))
            return own | {row.id: digest(own[row.id], row.digest) for row in added if row.id in own}

    def digest(self) -> str:
        """Return 32 hexadecimal digits that stand for the whole content, whatever order it came in."""
        return digest(*(f"{claim_id} {mark}" for claim_id, mark in self.fingerprints().items()))

    def search(self, text: str, *, limit: int = 20, offset: int = 0) -> list[VerifiedClaim]:
        """Return the claims whose statement or claimant has words that begin with every word of the text.

        Claims that hold the text as a phrase come first, then the newest reviews; without words, the newest reviews.
        """
        wanted = statement_key(text).split()
        phrase = claims.c.words.contains(" " + " ".join(wanted), autoescape=True)
        holds = (claims.c.words.contains(" " + word, autoescape=True) for word in wanted)
        chosen = sa.select(*_claim).select_from(_joined).where(*holds)
        newest = sa.func.coalesce(claims.c.review_date, datetime.min.date()).desc()
        order = (sa.case((phrase, 0), else_=1), newest, claims.c.id)
        with self._reading() as connection:
            return [_vclaim(row) for row in connection.execute(chosen.order_by(*order).limit(limit).offset(offset))]

    def status(self) -> StoreStatus:
        """Return how many claims there are, of whom, from when, and the digest of them all."""
        count, c = sa.func.count(), claims.c
        own, fetched = sa.case((_own_body, 1), else_=0), sa.case((sa.and_(sa.not_(_own_body), _fetched), 1), else_=0)
        whole = sa.select(
            count.label("claims"),
            sa.func.count(sa.distinct(c.publisher)).label("publishers"),
            sa.func.coalesce(sa.func.sum(own), 0).label("own"),
            sa.func.coalesce(sa.func.sum(fetched), 0).label("fetched"),
            sa.func.min(c.review_date).label("oldest"),
            sa.func.max(c.review_date).label("newest"),
        ).select_from(_joined)
        with self._reading() as connection:
            row = connection.execute(whole).one()
        sources = self.counts("source")
        return StoreStatus(
            claims=row.claims,
            publishers=row.publishers,
            with_body=row.own + row.fetched,
            fetched=row.fetched,
            oldest_review_date=row.oldest,
            newest_review_date=row.newest,
            languages=self.counts("language"),
            sources=sources,
            digest=self.digest(),
            samples=sources.get(SAMPLES, 0),
        )

    def counts(self, field: str) -> dict[str, int]:
        """Return how many claims have each value of a column, most first: ``publisher``, ``rating``, ``licence``..."""
        column, count = claims.c[field], sa.func.count()
        with self._reading() as connection:
            rows = connection.execute(sa.select(column, count).group_by(column).order_by(count.desc(), column))
            return {value: number for value, number in rows}

    def origins(self, ids: Iterable[str]) -> dict[str, Mapping[str, Any]]:
        """Return source, imported_at, attribution and licence of these claims, by id."""
        columns = [claims.c[name] for name in ("id", "source", "imported_at", "attribution", "licence")]
        with self._reading() as connection:
            rows = [
                row._mapping
                for part in _chunks(ids)
                for row in connection.execute(sa.select(*columns).where(claims.c.id.in_(part)))
            ]
        return {row["id"]: {name: value for name, value in row.items() if name != "id"} for row in rows}

    def wanting(self, ids: Iterable[str] | None = None, *, publisher: str = "") -> list[Wanting]:
        """Return the claims that came without an article and have an address, the newest reviews first.

        ``ids``: only these. ``publisher``: only those of one. Each says what became of asking for its article.
        """
        newest = sa.func.coalesce(claims.c.review_date, datetime.min.date()).desc()
        chosen = sa.select(claims.c.id, claims.c.url, *_asked).select_from(_joined)
        chosen = chosen.where(sa.not_(_own_body), claims.c.url != "").order_by(newest, claims.c.id)
        if publisher:
            chosen = chosen.where(claims.c.publisher == publisher)
        asked_for = None if ids is None else set(ids)
        with self._reading() as connection:
            rows = connection.execute(chosen)
            return [Wanting(row.id, row.url, _answer(row)) for row in rows if asked_for is None or row.id in asked_for]

    def asked(self, claim_id: str) -> Asked | None:
        """Return what became of asking for the article of a claim; None if nobody asked or it came with the claim."""
        chosen = sa.select(*_asked).join(claims, claims.c.url == articles.c.url)
        with self._reading() as connection:
            row = connection.execute(chosen.where(claims.c.id == claim_id, sa.not_(_own_body))).first()
        return _answer(row) if row else None

    def note_asked(self, url: str, answer: Asked, body: str = "") -> None:
        """Keep what became of asking an address for its article, and the article if it came.

        What is asked again in vain keeps the article that it once had.
        """
        row = {"outcome": answer.outcome, "note": answer.note, "asked_at": answer.asked_at, "tries": answer.tries}
        none: dict[str, Any] = {"fetched_at": None, "source_url": "", "digest": "", "body_length": 0, "body": ""}
        if body:
            row |= {"fetched_at": answer.asked_at, "source_url": answer.source_url or url}
            row |= {"digest": digest(body), "body_length": len(body), "body": body}
        with self._writing() as connection:
            if not connection.execute(articles.update().where(articles.c.url == url), row).rowcount:
                connection.execute(articles.insert(), {"url": url, **none, **row})

    def _write(self, connection: sa.Connection, tally: Tally, entries: list[Entry]) -> None:
        """Decide on each row of a batch against what is stored, and write what is new or different."""
        near = _near(connection, entries, tally.source)
        for entry in entries:
            tally.decide(entry, near)
        now = datetime.now(UTC)
        new, changed = near.written()
        if new:
            connection.execute(claims.insert(), [_row(stored, now) for stored in new])
        if changed:
            update = claims.update().where(claims.c.id == sa.bindparam("old_id"))
            connection.execute(update, [{**_row(stored, now), "old_id": stored.id} for stored in changed])

    def _prepare(self) -> None:
        """Make the tables if they are not there; refuse those of a newer Lectern."""
        if not self._has_tables():
            with self._writing() as connection:
                if not sa.inspect(connection).has_table(settings.name):  # another process may have been faster
                    _meta.create_all(connection)
                    connection.execute(settings.insert(), {"name": "schema", "value": str(SCHEMA)})
        with self._reading() as connection:
            schema = int(connection.execute(_schema).scalar() or SCHEMA)
        if schema > SCHEMA:
            remedy = "Update Lectern, or set LECTERN_DATABASE_URL to another database."
            raise StoreError("a newer Lectern made this database.", where=self.name, remedy=remedy)
        if schema < SCHEMA:
            self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        """Add the tables that an earlier Lectern did not know; what it stored stays as it is."""
        with self._writing() as connection:
            _meta.create_all(connection)
            connection.execute(settings.update().where(settings.c.name == "schema"), {"value": str(SCHEMA)})

    def _has_tables(self) -> bool:
        with self._errors("opened"), self._engine.connect() as connection:
            return sa.inspect(connection).has_table(settings.name)


def _near(connection: sa.Connection, entries: list[Entry], source: str) -> Decisions:
    """Return the stored claims that these rows may be, with the text of those that may change."""
    ids = {entry.claim.id for entry in entries}
    ids |= {second_id(claim_id, source) for claim_id in ids}
    meeting: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for key in {entry.same_key, entry.claim.id, second_id(entry.claim.id, source)}:
            meeting[key].append(entry)
    found = [claims.c.id.in_(part) for part in _chunks(ids)]
    found += [claims.c.same_key.in_(part) for part in _chunks({entry.same_key for entry in entries})]
    heads = {row.id: Head(*row) for where in found for row in connection.execute(sa.select(*_head).where(where))}
    wanted = [h.id for h in heads.values() if needs_text(h, meeting[h.id] + meeting[h.same_key])]
    full = {row.id: _vclaim(row) for part in _chunks(wanted) for row in connection.execute(_select(part))}
    return Decisions.over(heads.values(), full)


def _select(ids: list[str]) -> sa.Select[Any]:
    """Return the question for claims as they came, without what was fetched."""
    return sa.select(*_stored).where(claims.c.id.in_(ids))


def _answer(row: sa.Row[Any]) -> Asked | None:
    """Return what is kept of asking an address, if it was asked. SQLite forgets that times are in UTC."""
    if row.outcome is None:
        return None
    values = {name.name: getattr(row, name.name) for name in _asked}
    times = {name: values[name].replace(tzinfo=UTC) for name in ("asked_at", "fetched_at") if values[name]}
    return Asked(**{**values, **times})


def _chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield ids in lists that fit in one question: SQLite takes 32,766 values, older ones 999."""
    rest = iter(ids)
    while part := list(islice(rest, BATCH)):
        yield part


def _vclaim(row: sa.Row[Any]) -> VerifiedClaim:
    values = {name: getattr(row, name) for name in FIELDS}
    return VerifiedClaim(**{**values, "rating_class": RatingClass(values["rating_class"])})


def _row(stored: Stored, now: datetime) -> dict[str, Any]:
    vclaim = stored.claim
    if vclaim is None:
        raise ValueError(f"the text of {stored.id!r} was not read before writing it")
    kept = {name: getattr(stored, name) for name in ("digest", "same_key", "source", "attribution", "licence")}
    words = " " + statement_key(f"{vclaim.statement} {vclaim.claimant}")
    values = {name: getattr(vclaim, name) for name in FIELDS} | {"rating_class": vclaim.rating_class.value}
    return {**values, **kept, "id": stored.id, "imported_at": now, "words": words, "body_length": len(vclaim.body)}
