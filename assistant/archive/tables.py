"""The database tables of the archive.

Its transcripts, everything said in them, the matches found, the alerts.

Words are searched by the database itself: an FTS5 table that triggers keep up to date in SQLite, a GIN index over
``to_tsvector`` in PostgreSQL. Both come and go with the table of sentences, so a restored backup has them, too.
"""

from __future__ import annotations

import sqlalchemy as sa

from assistant.core.schema import metadata

LANGUAGE = "english"  # whose word forms are taken for one word: PostgreSQL's name of it; SQLite's stemmer is "porter"

MOST_SENTENCES = 100_000  # of a transcript; one of a whole day has 20,000
_sentence_id = sa.BigInteger().with_variant(
    sa.Integer, "sqlite"
)  # transcript * MOST_SENTENCES + number of the sentence

transcripts = sa.Table(
    "archive_transcripts",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("document", sa.Text, nullable=False, unique=True),  # SHA-256 of the transcript's file
    sa.Column("path", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column(
        "digest", sa.Text, nullable=False
    ),  # of what is checked: title, date, speakers, sentences
    sa.Column("sentences", sa.Integer, nullable=False),
    sa.Column(
        "stamp", sa.Text, nullable=False, default=""
    ),  # what its reports were made from, "" before they are
    sa.Column("error", sa.Text, nullable=False, default=""),  # of the last attempt
    sa.Column("seconds", sa.Float),  # that the check took
    sa.Column("changed", sa.Float, nullable=False),  # seconds since 1970, as all times here
    sa.Column(
        "ordered", sa.LargeBinary, nullable=False
    ),  # the transcript, as the desk stores an order; last: see desk
)
sentences = sa.Table(
    "archive_sentences",
    metadata,
    sa.Column("id", _sentence_id, primary_key=True, autoincrement=False),
    sa.Column("transcript", sa.Integer, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("start", sa.Float),
    sa.Column(
        "event_date", sa.Date
    ),  # of its transcript: a search is filtered without looking there
    sa.Column("text", sa.Text, nullable=False),
    sa.Index("archive_sentences_speaker", "speaker"),
)
mentions = sa.Table(  # the matches of the report as of today that stand in its list
    "archive_mentions",
    metadata,
    sa.Column("sentence", _sentence_id, primary_key=True),
    sa.Column("claim_id", sa.Text, primary_key=True),
    sa.Column("transcript", sa.Integer, nullable=False),
    sa.Column("tier", sa.Text, nullable=False),
    # The strength is "" if the ranker gives none, and NULL if an earlier version stored the match.
    sa.Column("strength", sa.Text),
    sa.Column("stance", sa.Text, nullable=False),
    sa.Column("statement", sa.Text, nullable=False),  # as it was when it was matched
    sa.Index("archive_mentions_claim", "claim_id"),
    sa.Index("archive_mentions_transcript", "transcript"),
)
chances = sa.Table(  # that a match makes its claim, where that was read
    "archive_chances",
    metadata,
    sa.Column("sentence", _sentence_id, primary_key=True),
    sa.Column("claim_id", sa.Text, primary_key=True),
    sa.Column("transcript", sa.Integer, nullable=False),
    sa.Column("chance", sa.Float, nullable=False),
    sa.Index("archive_chances_transcript", "transcript"),
)
compared_claims = sa.Table(  # the fact-checks that were compared with everything said
    "archive_met",
    metadata,
    sa.Column("claim_id", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),  # of the claim then
    sa.Column("at", sa.Float, nullable=False),
)
alerts = sa.Table(  # what a new fact-check found there
    "archive_alerts",
    metadata,
    sa.Column("claim_id", sa.Text, primary_key=True),
    sa.Column("sentence", _sentence_id, primary_key=True),
    sa.Column("transcript", sa.Integer, nullable=False),
    sa.Column("tier", sa.Text, nullable=False),
    sa.Column("strength", sa.Text),  # "" and NULL mean the same as in mentions
    sa.Column("at", sa.Float, nullable=False),
    sa.Index("archive_alerts_transcript", "transcript"),
)
searches = sa.Table(
    "archive_searches",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("by", sa.Text, primary_key=True),
    sa.Column("address", sa.Text, nullable=False),  # the query of the page's address
)

_SQLITE = (
    "CREATE VIRTUAL TABLE archive_words USING fts5("
    "text, content='archive_sentences', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')",
    "CREATE TRIGGER archive_words_added AFTER INSERT ON archive_sentences BEGIN "
    "INSERT INTO archive_words(rowid, text) VALUES (new.id, new.text); END",
    "CREATE TRIGGER archive_words_removed AFTER DELETE ON archive_sentences BEGIN "
    "INSERT INTO archive_words(archive_words, rowid, text) VALUES ('delete', old.id, old.text); END",
)
_POSTGRESQL = (
    f"CREATE INDEX archive_words ON archive_sentences USING gin (to_tsvector('{LANGUAGE}', text))"
)
for statement in _SQLITE:
    sa.event.listen(sentences, "after_create", sa.DDL(statement).execute_if(dialect="sqlite"))
sa.event.listen(sentences, "after_create", sa.DDL(_POSTGRESQL).execute_if(dialect="postgresql"))
