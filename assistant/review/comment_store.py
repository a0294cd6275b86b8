"""The store of comments: one thread per match of a debate, in the database of the fact-checks.

A thread is stored with the words and the position of its sentence, so that it is found again in a
later report. Only its author changes or deletes a comment.
"""

from __future__ import annotations

import secrets
import time
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from datetime import date

import sqlalchemy as sa

from assistant.core import audit, clean_text
from assistant.core.audit import AuditEntry
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.errors import ReviewError
from assistant.core.schema import metadata
from assistant.review.decision_store import Anchor, may_be_of_debate

MAX_COMMENT_CHARACTERS = 2_000
MAX_COMMENTS_PER_THREAD = 200
ID_BYTES = 12
KEYS_PER_QUERY = 500

threads_table = sa.Table(
    "review_threads",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("document", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("start", sa.Float),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("text_before", sa.Text, nullable=False),
    sa.Column("text_after", sa.Text, nullable=False),
    sa.Column("claim_id", sa.Text, nullable=False),
    sa.Column("statement", sa.Text, nullable=False),
    sa.Index("review_threads_document", "document"),
    sa.Index("review_threads_event_date", "event_date"),
)
comments_table = sa.Table(
    "review_comments",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("thread", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("made", sa.Float, nullable=False),  # seconds since 1970, as all times here
    sa.Column("edited", sa.Float),
    sa.Index("review_comments_thread", "thread"),
)
mentions_table = sa.Table(
    "review_mentions",
    metadata,
    sa.Column("comment", sa.Text, primary_key=True),
    sa.Column("person", sa.Text, primary_key=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("review_mentions_at", "at"),
)
_THREAD_FIELDS = [column.name for column in threads_table.columns if column.name != "key"]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment. ``thread`` is the key of its thread; times are seconds since 1970."""

    id: str
    thread: str
    by: str
    text: str
    made: float
    edited: float | None = None


@dataclass(frozen=True, slots=True)
class CommentThread:
    """The position of a thread: its sentence and its fact-check."""

    key: str
    anchor: Anchor


@dataclass(frozen=True, slots=True)
class CommentMention:
    """A comment that mentions a person, and the match that it is about."""

    person: str
    at: float
    comment: Comment
    anchor: Anchor


_COMMENT_COLUMNS = [comments_table.c[field.name] for field in fields(Comment)]
_THREAD_COLUMNS = [threads_table.c[name] for name in _THREAD_FIELDS]


class CommentStore(Database):
    """The comments of one database. Use it in a ``with``, or close it."""

    def add(self, thread: CommentThread, by: str, text: str, people: Iterable[str]) -> Comment:
        """Store a new comment that mentions some people, and return it.

        Raises: ReviewError if the comment is empty or too long, or the thread is full.
        """
        now = time.time()
        comment_id = secrets.token_hex(ID_BYTES)
        comment = Comment(comment_id, thread.key, by, checked_text(text), now)
        if not by.strip():
            raise ReviewError("a comment needs the name of its author.", remedy="Enter your name.")
        count_query = sa.select(sa.func.count()).select_from(comments_table)
        count_query = count_query.where(comments_table.c.thread == thread.key)
        thread_query = sa.select(threads_table.c.key).where(threads_table.c.key == thread.key)
        with self._writing() as connection:
            comment_count = connection.execute(count_query).scalar_one()
            if comment_count >= MAX_COMMENTS_PER_THREAD:
                message = f"this match already has {MAX_COMMENTS_PER_THREAD} comments."
                raise ReviewError(message, remedy="Delete one of your comments.")
            is_first_comment = connection.execute(thread_query).first() is None
            if is_first_comment:
                connection.execute(threads_table.insert(), _thread_values(thread))
            connection.execute(comments_table.insert(), _comment_values(comment))
            _add_mentions(connection, comment, people, now)
            _note_in_audit(connection, comment, now, by, "added")
        return comment

    def edit(self, comment_id: str, person: str, text: str, people: Iterable[str]) -> Comment:
        """Change the text of a person's own comment, and return it.

        People whom it newly mentions are mentioned now; the others stay as they were.

        Raises: ReviewError if it is another person's, gone, empty or too long.
        """
        now = time.time()
        new_text = checked_text(text)
        mentioned_people = set(people)
        update = comments_table.update().where(comments_table.c.id == comment_id)
        is_in_comment = mentions_table.c.comment == comment_id
        mention_query = sa.select(mentions_table.c.person).where(is_in_comment)
        with self._writing() as connection:
            comment = _own_comment(connection, comment_id, person)
            edited = replace(comment, text=new_text, edited=now)
            connection.execute(update.values(text=new_text, edited=now))
            earlier_people = set(connection.execute(mention_query).scalars())
            removed_people = sorted(earlier_people - mentioned_people)
            is_removed = mentions_table.c.person.in_(removed_people)
            connection.execute(mentions_table.delete().where(is_in_comment, is_removed))
            _add_mentions(connection, edited, mentioned_people - earlier_people, now)
            _note_in_audit(connection, edited, now, person, "edited")
        return edited

    def delete(self, comment_id: str, by: str) -> None:
        """Delete a person's own comment. Raises: ReviewError if it is another person's or gone."""
        mentions_deletion = mentions_table.delete().where(mentions_table.c.comment == comment_id)
        comment_deletion = comments_table.delete().where(comments_table.c.id == comment_id)
        with self._writing() as connection:
            comment = _own_comment(connection, comment_id, by)
            connection.execute(mentions_deletion)
            connection.execute(comment_deletion)
            _note_in_audit(connection, comment, time.time(), by, "deleted")

    def of_debate(self, document: str, title: str, event_date: date | None) -> list[CommentThread]:
        """Return the threads on a file, given by its SHA-256, and on others of its debate.

        See ``may_be_of_debate``.
        """
        condition = may_be_of_debate(threads_table.c, document, title, event_date)
        return self._read_threads(condition)

    def comments(self, thread_keys: Iterable[str]) -> dict[str, list[Comment]]:
        """Return the comments of threads, oldest first, by the keys of the threads."""
        keys = sorted(set(thread_keys))
        columns = comments_table.c
        query = sa.select(*_COMMENT_COLUMNS).order_by(columns.made, columns.id)
        comments_by_thread: dict[str, list[Comment]] = defaultdict(list)
        with self._reading() as connection:
            for start in range(0, len(keys), KEYS_PER_QUERY):
                batch = keys[start : start + KEYS_PER_QUERY]
                # The columns are in the order of the fields of a comment.
                for values in connection.execute(query.where(columns.thread.in_(batch))):
                    comment = Comment(*values)
                    comments_by_thread[comment.thread].append(comment)
        return dict(comments_by_thread)

    def mentions(self, since: float) -> list[CommentMention]:
        """Return the mentions since a time, oldest first."""
        columns = mentions_table.c
        query = sa.select(columns.person, columns.at, *_COMMENT_COLUMNS, *_THREAD_COLUMNS)
        query = query.join(comments_table, comments_table.c.id == columns.comment)
        query = query.join(threads_table, threads_table.c.key == comments_table.c.thread)
        query = query.where(columns.at >= since).order_by(columns.at, columns.comment)
        with self._reading() as connection:
            mention_rows = connection.execute(query).all()
        mentions = []
        for person, mentioned_at, *values in mention_rows:
            # The columns of the comment come first, then the columns of its thread.
            comment_values = values[: len(_COMMENT_COLUMNS)]
            thread_values = values[len(_COMMENT_COLUMNS) :]
            comment = Comment(*comment_values)
            anchor = _anchor_in_row(tuple(thread_values))
            mentions.append(CommentMention(person, mentioned_at, comment, anchor))
        return mentions

    def people(self) -> list[str]:
        """Return the authors of comments and the people mentioned in them."""
        with self._reading() as connection:
            authors = connection.execute(sa.select(comments_table.c.by).distinct()).scalars().all()
            mentioned = sa.select(mentions_table.c.person).distinct()
            return sorted({*authors, *connection.execute(mentioned).scalars()})

    def debates(self) -> list[StoredDebate]:
        """Return the transcripts with comments on their matches."""
        columns = threads_table.c
        transcript_columns = (columns.document, columns.title, columns.event_date)
        newest_time = sa.func.max(comments_table.c.made)
        query = sa.select(*transcript_columns, newest_time, sa.func.count())
        query = query.join(comments_table, comments_table.c.thread == columns.key)
        query = query.group_by(*transcript_columns)
        with self._reading() as connection:
            debate_rows = connection.execute(query).all()
        debates = []
        for document, title, day, changed_at_s, comment_count in debate_rows:
            record_counts = {"comments": comment_count}
            debates.append(StoredDebate.of_file(document, title, day, changed_at_s, record_counts))
        return debates

    def purge(self, debate: StoredDebate) -> None:
        """Delete the comments on a transcript, for a live event by title and day."""
        columns = threads_table.c
        is_of_debate = columns.document == debate.document
        # A live event has no file, so "" as document: its title and its day tell it apart.
        if not debate.document:
            is_of_debate &= columns.title == debate.title
            is_of_debate &= columns.event_date.is_not_distinct_from(debate.day)
        thread_keys = sa.select(columns.key).where(is_of_debate)
        is_comment_of_debate = comments_table.c.thread.in_(thread_keys)
        comment_ids = sa.select(comments_table.c.id).where(is_comment_of_debate)
        is_mention_of_debate = mentions_table.c.comment.in_(comment_ids)
        # First the rows that refer to others
        with self._writing() as connection:
            connection.execute(mentions_table.delete().where(is_mention_of_debate))
            connection.execute(comments_table.delete().where(is_comment_of_debate))
            connection.execute(threads_table.delete().where(is_of_debate))

    def _read_threads(self, condition: sa.ColumnElement[bool]) -> list[CommentThread]:
        columns = threads_table.c
        query = sa.select(columns.key, *_THREAD_COLUMNS).where(condition)
        with self._reading() as connection:
            records = connection.execute(query.order_by(columns.number, columns.key)).all()
        return [CommentThread(values[0], _anchor_in_row(tuple(values[1:]))) for values in records]


def checked_text(text: str) -> str:
    """Return the text of a comment without unsafe characters. Raises: ReviewError."""
    cleaned = clean_text.without_direction_marks(clean_text.cleaned(text)).strip()
    if not cleaned:
        raise ReviewError("the comment is empty.", remedy="Nothing was stored.")
    if len(cleaned) > MAX_COMMENT_CHARACTERS:
        message = (
            f"the comment has {len(cleaned):,} characters, "
            f"but may have at most {MAX_COMMENT_CHARACTERS:,}."
        )
        raise ReviewError(message, remedy="Shorten the comment. Nothing was stored.")
    return cleaned


def _own_comment(connection: sa.Connection, comment_id: str, by: str) -> Comment:
    """Return a comment of a person. Raises: ReviewError."""
    query = sa.select(*_COMMENT_COLUMNS).where(comments_table.c.id == comment_id)
    values = connection.execute(query).first()
    if values is None:
        raise ReviewError("this comment was deleted.", remedy="Nothing was changed.")
    comment = Comment(*values)
    if comment.by != by:
        message = f"this comment is by {comment.by}."
        raise ReviewError(
            message, remedy="Only the author can change a comment. Nothing was changed."
        )
    return comment


def _add_mentions(
    connection: sa.Connection, comment: Comment, people: Iterable[str], now: float
) -> None:
    for person in sorted(set(people)):
        values = {"comment": comment.id, "person": person, "at": now}
        connection.execute(mentions_table.insert(), values)


def _note_in_audit(
    connection: sa.Connection, comment: Comment, now: float, by: str, outcome: str
) -> None:
    entry = AuditEntry(now, by, "comment", comment.thread, outcome=outcome)
    audit.store_entry(connection, entry)


def _comment_values(comment: Comment) -> dict[str, object]:
    return {field.name: getattr(comment, field.name) for field in fields(Comment)}


def _thread_values(thread: CommentThread) -> dict[str, object]:
    values = {name: getattr(thread.anchor, name) for name in _THREAD_FIELDS}
    return {"key": thread.key, **values}


def _anchor_in_row(values: tuple[object, ...]) -> Anchor:
    """Return the position of a thread; no check and no match is stored with it."""
    named: dict[str, object] = dict(zip(_THREAD_FIELDS, values, strict=True))
    return Anchor(**named, made_with="", match="")  # type: ignore[arg-type]
