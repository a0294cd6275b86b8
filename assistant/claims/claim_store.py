"""The store of verified claims and fetched articles: two tables of a database.

All of an import is stored, or nothing. A large one is read to its end first and then moved in
short transactions, so that live lines and decisions never wait for it (``incoming.py``).
``merging.py`` decides what becomes of a row.
"""

from __future__ import annotations

import dataclasses
import logging
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime
from hashlib import sha256
from itertools import count, islice
from typing import Any
from uuid import uuid4

import sqlalchemy as sa

from assistant.claims import incoming
from assistant.claims.claim_fields import digest, statement_key
from assistant.claims.merging import Entry, Head, Stored, StoredClaims, Tally, other_ids
from assistant.claims.records import (
    Attempt,
    ImportReport,
    Progress,
    Row,
    StoreStatus,
    WithoutArticle,
)
from assistant.core.database import Database
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import Cancelled
from assistant.core.schema import metadata

BATCH = 500
REST_S = 0.5  # at most, after a part of an import: as long as that took, so that whoever waits gets its turn
SAMPLES = "samples"
_log = logging.getLogger(__name__)

_text = sa.Text().with_variant(
    sa.Text(collation="C"), "postgresql"
)  # one order of ids on every server
claims = sa.Table(
    "claims",
    metadata,
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
    sa.Column(
        "words", sa.Text, nullable=False
    ),  # what search reads: statement and claimant, folded
    sa.Column(
        "body", sa.Text, nullable=False
    ),  # last: SQLite then reads the others without the article
    sa.Index("claims_digest", "id", "digest"),
    sa.Index("claims_same_key", "same_key"),
)
# Attempts to fetch the article of an address. An article that came with a claim is in ``claims``;
# neither overwrites the other, and where there are both, the one that came with the claim is read.
articles = sa.Table(
    "articles",
    metadata,
    sa.Column("url", sa.Text, primary_key=True),  # as the claims have it
    sa.Column("outcome", sa.Text, nullable=False),  # of the last attempt
    sa.Column("note", sa.Text, nullable=False),
    sa.Column("asked_at", sa.DateTime(timezone=True), nullable=False),
    sa.Column("tries", sa.Integer, nullable=False),  # failed attempts since it last had an article
    sa.Column("fetched_at", sa.DateTime(timezone=True)),
    sa.Column(
        "source_url", sa.Text, nullable=False
    ),  # where the article was found, after redirects
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("body_length", sa.Integer, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)
FIELDS = tuple(f.name for f in dataclasses.fields(VerifiedClaim))
_stored = [claims.c[name] for name in FIELDS]
_own_body = claims.c.body_length > 0
_fetched = articles.c.body_length > 0
_body = sa.case((_own_body, claims.c.body), else_=sa.func.coalesce(articles.c.body, "")).label(
    "body"
)
_claim = [_body if name == "body" else claims.c[name] for name in FIELDS]
_joined = claims.outerjoin(articles, claims.c.url == articles.c.url)
_attempted = [
    articles.c[name]
    for name in ("outcome", "note", "asked_at", "tries", "fetched_at", "source_url")
]
_head = [claims.c[f.name] for f in dataclasses.fields(Head)]


class ClaimStore(Database):
    """The verified claims of one database. Use it in a ``with``, or close it."""

    def upsert(
        self,
        rows: Iterable[Row],
        *,
        source: str,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Import rows, all of them or none.

        Return how many are new, changed, same, merged or refused.

        A row whose address and statement its publisher has already stored is that claim; a row of
        the same source and publisher with a known id updates it. An empty field never erases a
        full one.

        Raises: StoreError if the database refuses; whatever the rows or ``progress`` raise.
        Nothing is stored then; but once all rows are read, the import can no longer be stopped,
        and the next one finishes it if it must.
        """
        self._finish_imports()
        tally = Tally(source)
        rest = iter(rows)
        tell = progress or _silent
        entries = tally.sift(islice(rest, BATCH))
        if tally.rows < BATCH:
            tell("storing fact-checks", tally.rows, tally.rows)
            with self._writing() as connection:
                self._write(connection, tally, entries)
        else:
            self._publish(self._take_in(entries, rest, tally, tell), tally, tell)
        report = tally.report()
        if report.unknown_ratings:
            labels = ", ".join(
                f"{label} ({count})" for label, count in islice(report.unknown_ratings.items(), 10)
            )
            _log.warning("labels missing from ratings.toml, counted as OTHER: %s", labels)
        return report

    def get(self, claim_id: str) -> VerifiedClaim | None:
        """Return the claim with an id, or None."""
        return self.many((claim_id,)).get(claim_id)

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return the claims with these ids, by id, in the order asked for.

        Unknown ids are missing.
        """
        wanted = list(ids)
        stored: dict[str, VerifiedClaim] = {}
        with self._reading() as connection:
            for part in _chunks(wanted):
                chosen = sa.select(*_claim).select_from(_joined).where(claims.c.id.in_(part))
                stored |= {row.id: _vclaim(row) for row in connection.execute(chosen)}
        return {claim_id: stored[claim_id] for claim_id in wanted if claim_id in stored}

    def fingerprints(self) -> dict[str, str]:
        """Return id and digest of every claim, in the order of their ids.

        A digest changes with any field, and with the article that was fetched for a claim that
        came without one.
        """
        with self._reading() as connection:
            return dict(_marks(connection))

    def digest(self) -> str:
        """Return 32 hexadecimal digits for the whole content, the same in whatever order it was imported."""
        content = sha256()
        between = b""
        with self._reading() as connection:
            for claim_id, mark in _marks(connection):
                content.update(between + f"{claim_id} {mark}".encode())
                between = b"\x1f"
        return content.hexdigest()[:32]

    def search(self, text: str, *, limit: int = 20, offset: int = 0) -> list[VerifiedClaim]:
        """Return the claims whose statement or claimant has words that begin with every word of the text.

        Claims with the text as a phrase come first, then the newest reviews; without words, the
        newest reviews.
        """
        wanted = statement_key(text).split()
        phrase = claims.c.words.contains(" " + " ".join(wanted), autoescape=True)
        matches = (claims.c.words.contains(" " + word, autoescape=True) for word in wanted)
        chosen = sa.select(*_claim).select_from(_joined).where(*matches)
        newest = sa.func.coalesce(claims.c.review_date, datetime.min.date()).desc()
        order = (sa.case((phrase, 0), else_=1), newest, claims.c.id)
        with self._reading() as connection:
            return [
                _vclaim(row)
                for row in connection.execute(chosen.order_by(*order).limit(limit).offset(offset))
            ]

    def size(self) -> tuple[int, date | None]:
        """Return the number of claims and the day of the newest review, which takes no time."""
        with self._reading() as connection:
            row = connection.execute(
                sa.select(sa.func.count(), sa.func.max(claims.c.review_date)).select_from(claims)
            )
            return tuple(row.one())

    def status(self) -> StoreStatus:
        """Return the number of claims, of publishers and of articles, the newest review, and the digest of all."""
        count = sa.func.count()
        c = claims.c
        own = sa.case((_own_body, 1), else_=0)
        fetched = sa.case((sa.and_(sa.not_(_own_body), _fetched), 1), else_=0)
        whole = sa.select(
            count.label("claims"),
            sa.func.count(sa.distinct(c.publisher)).label("publishers"),
            sa.func.coalesce(sa.func.sum(own), 0).label("own"),
            sa.func.coalesce(sa.func.sum(fetched), 0).label("fetched"),
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
            newest_review_date=row.newest,
            sources=sources,
            digest=self.digest(),
            samples=sources.get(SAMPLES, 0),
        )

    def counts(self, field: str) -> dict[str, int]:
        """Return how many claims have each text of a column, such as ``publisher``, most first."""
        return self._counted(claims.c[field])

    def review_days(self) -> dict[date | None, int]:
        """Return how many claims were checked on each day, most first; None: day unknown."""
        return self._counted(claims.c.review_date)

    def _counted(self, column: sa.Column[Any]) -> dict[Any, int]:
        count = sa.func.count()
        with self._reading() as connection:
            rows = connection.execute(
                sa.select(column, count).group_by(column).order_by(count.desc(), column)
            )
            return {value: number for value, number in rows}

    def without_article(
        self, ids: Iterable[str] | None = None, *, publisher: str = ""
    ) -> list[WithoutArticle]:
        """Return the claims that came without an article and have an address, the newest reviews first.

        ``ids``: only these. ``publisher``: only those of one publisher. Each has the last attempt at its article.
        """
        newest = sa.func.coalesce(claims.c.review_date, datetime.min.date()).desc()
        chosen = sa.select(claims.c.id, claims.c.url, *_attempted).select_from(_joined)
        chosen = chosen.where(sa.not_(_own_body), claims.c.url != "").order_by(newest, claims.c.id)
        if publisher:
            chosen = chosen.where(claims.c.publisher == publisher)
        wanted = None if ids is None else set(ids)
        with self._reading() as connection:
            rows = connection.execute(chosen)
            return [
                WithoutArticle(r.id, r.url, _attempt(r))
                for r in rows
                if wanted is None or r.id in wanted
            ]

    def attempt(self, claim_id: str) -> Attempt | None:
        """Return the last attempt to fetch a claim's article.

        None if there was none or it came with the claim.
        """
        chosen = sa.select(*_attempted).join(claims, claims.c.url == articles.c.url)
        with self._reading() as connection:
            row = connection.execute(
                chosen.where(claims.c.id == claim_id, sa.not_(_own_body))
            ).first()
        return _attempt(row) if row else None

    def note_attempt(self, url: str, attempt: Attempt, body: str = "") -> None:
        """Store an attempt to fetch the article of an address, and the article if it came.

        After a failed attempt the address keeps the article that it had before.
        """
        row = {
            "outcome": attempt.outcome,
            "note": attempt.note,
            "asked_at": attempt.asked_at,
            "tries": attempt.tries,
        }
        none: dict[str, Any] = {
            "fetched_at": None,
            "source_url": "",
            "digest": "",
            "body_length": 0,
            "body": "",
        }
        if body:
            row |= {"fetched_at": attempt.asked_at, "source_url": attempt.source_url or url}
            row |= {"digest": digest(body), "body_length": len(body), "body": body}
        with self._writing() as connection:
            if not connection.execute(articles.update().where(articles.c.url == url), row).rowcount:
                connection.execute(articles.insert(), {"url": url, **none, **row})

    def _take_in(
        self, entries: list[Entry], rest: Iterator[Row], tally: Tally, tell: Progress
    ) -> str:
        """Store the rows of an import in parts, apart from the claims.

        Return the id of the import.
        """
        import_id = uuid4().hex
        incoming.begin(import_id)
        try:
            for part in count():
                last = tally.rows < (part + 1) * BATCH
                with self._writing() as connection:
                    incoming.add(connection, import_id, tally.source, part, entries, last)
                if last:
                    break
                tell("reading fact-checks", tally.rows, tally.rows)
                entries = tally.sift(islice(rest, BATCH))
        except BaseException:
            with self._writing() as connection:
                incoming.forget(connection, import_id)
            raise
        return import_id

    def _publish(self, import_id: str, tally: Tally, tell: Progress) -> None:
        """Move the parts of an import into the claims, a short transaction each, with time for others between two."""
        with self._reading() as connection:
            parts = incoming.parts(connection, import_id)
        for done, part in enumerate(parts, 1):
            began = time.monotonic()
            with self._writing() as connection:
                self._write(connection, tally, incoming.read(connection, import_id, part))
            with suppress(Cancelled):
                tell("storing fact-checks", done * tally.rows // len(parts), tally.rows)
            time.sleep(min(time.monotonic() - began, REST_S))
        with self._writing() as connection:
            incoming.forget(connection, import_id)

    def _finish_imports(self) -> None:
        """Finish the imports that killed processes had read to their end, and drop those that they had not."""
        with self._reading() as connection:
            left = incoming.left(connection)
        for import_id, source, complete in left:
            if complete:
                self._publish(import_id, Tally(source), _silent)
            else:
                with self._writing() as connection:
                    incoming.forget(connection, import_id)

    def _write(self, connection: sa.Connection, tally: Tally, entries: list[Entry]) -> None:
        """Merge each row of a batch with what is stored, and write what is new or changed."""
        near = _near(connection, entries, tally.source)
        for entry in entries:
            tally.decide(entry, near)
        now = datetime.now(UTC)
        new, changed = near.written()
        if new:
            connection.execute(claims.insert(), [_row(stored, now) for stored in new])
        if changed:
            update = claims.update().where(claims.c.id == sa.bindparam("old_id"))
            connection.execute(
                update, [{**_row(stored, now), "old_id": stored.id} for stored in changed]
            )

    def _prepare(self) -> None:
        super()._prepare()
        self._finish_imports()


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def _marks(connection: sa.Connection) -> Iterator[tuple[str, str]]:
    """Yield id and digest of every claim, in the order of their ids, without holding all of them."""
    fetched = sa.select(claims.c.id, articles.c.digest).join(
        articles, claims.c.url == articles.c.url
    )
    added = dict(connection.execute(fetched.where(_fetched, sa.not_(_own_body))).all())
    own = sa.select(claims.c.id, claims.c.digest).order_by(claims.c.id)
    for claim_id, mark in connection.execution_options(yield_per=BATCH).execute(own):
        yield claim_id, digest(mark, added[claim_id]) if claim_id in added else mark


def _near(connection: sa.Connection, entries: list[Entry], source: str) -> StoredClaims:
    """Return the stored claims that these rows may belong to, with the text of those that may change."""
    ids: set[str] = set()
    rows_of: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        row_ids = {entry.claim.id, *other_ids(entry.claim, source)}
        ids |= row_ids
        for key in row_ids | {entry.same_key}:
            rows_of[key].append(entry)
    near = [claims.c.id.in_(part) for part in _chunks(ids)]
    near += [claims.c.same_key.in_(part) for part in _chunks({entry.same_key for entry in entries})]
    heads = {
        row.id: Head(*row)
        for where in near
        for row in connection.execute(sa.select(*_head).where(where))
    }
    changing = [h.id for h in heads.values() if h.may_change(rows_of[h.id] + rows_of[h.same_key])]
    selects = (sa.select(*_stored).where(claims.c.id.in_(part)) for part in _chunks(changing))
    full = {row.id: _vclaim(row) for select in selects for row in connection.execute(select)}
    return StoredClaims.of(heads.values(), full)


def _attempt(row: sa.Row[Any]) -> Attempt | None:
    """Return the attempt in a row, if there was one. SQLite forgets that times are in UTC."""
    if row.outcome is None:
        return None
    values = {name.name: getattr(row, name.name) for name in _attempted}
    times = {
        name: values[name].replace(tzinfo=UTC)
        for name in ("asked_at", "fetched_at")
        if values[name]
    }
    return Attempt(**{**values, **times})


def _chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    """Yield ids in lists that fit in one statement.

    SQLite takes 32,766 values, older versions 999.
    """
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
    kept = {
        name: getattr(stored, name)
        for name in ("digest", "same_key", "source", "attribution", "licence")
    }
    words = " " + statement_key(f"{vclaim.statement} {vclaim.claimant}")
    values = {name: getattr(vclaim, name) for name in FIELDS} | {
        "rating_class": vclaim.rating_class.value
    }
    return {
        **values,
        **kept,
        "id": stored.id,
        "imported_at": now,
        "words": words,
        "body_length": len(vclaim.body),
    }
