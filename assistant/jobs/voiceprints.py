"""Voiceprints stored under a name, so that later recordings recognise the speaker, if allowed.

A voiceprint is biometric data. It is stored here alone, belongs to the debate that it was made
from, and is deleted when that debate is purged or the name is forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path

import numpy as np
import sqlalchemy as sa

from assistant.core import audit
from assistant.core.database import Database
from assistant.core.debate_records import StoredDebate
from assistant.core.domain import Transcript
from assistant.core.errors import SettingsError
from assistant.core.schema import metadata
from assistant.core.settings import VOICES_VARIABLE, Settings

VOICEPRINT_NOTICE = (
    "A voice is biometric data, by which a person can be recognised: keep one only where that "
    "person agrees or the law allows it. It stays in this database and in its backups."
)
voiceprints_table = sa.Table(
    "desk_voices",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    # SHA-256 of the recording that it was made from
    sa.Column("document", sa.Text, primary_key=True),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("seconds", sa.Float, nullable=False),  # seconds of speech
    sa.Column("vector", sa.LargeBinary, nullable=False),  # 256 values of float32
    sa.Column("kept_by", sa.Text, nullable=False),
    sa.Column("kept", sa.Float, nullable=False),  # seconds since 1970
)


@dataclass(frozen=True, slots=True)
class Voiceprint:
    """A speaker's voice in one debate; ``vector`` was computed from ``seconds`` of speech.

    The names of the fields are the columns of the table.
    """

    name: str
    document: str
    title: str
    event_date: date | None
    seconds: float
    vector: bytes
    kept_by: str = ""
    kept: float = 0.0


class VoiceprintStore(Database):
    """The voiceprints of one database. Use it in a ``with``, or close it."""

    def keep(self, voiceprint: Voiceprint) -> None:
        """Store a voiceprint in place of an earlier one of the same name and debate."""
        columns = voiceprints_table.c
        has_name = columns.name == voiceprint.name
        is_of_debate = columns.document == voiceprint.document
        # The activity log names the debate by the beginning of its digest, not the person.
        audit_entry = audit.AuditEntry(
            voiceprint.kept, voiceprint.kept_by, "keep voice", voiceprint.document[:16]
        )
        with self._writing() as connection:
            connection.execute(voiceprints_table.delete().where(has_name, is_of_debate))
            connection.execute(voiceprints_table.insert().values(**asdict(voiceprint)))
            audit.store_entry(connection, audit_entry)

    def all(self) -> list[Voiceprint]:
        """Return the voiceprints by name, and for each name the oldest first."""
        columns = voiceprints_table.c
        query = sa.select(voiceprints_table).order_by(columns.name, columns.kept)
        with self._reading() as connection:
            return [
                Voiceprint(**voiceprint_row._mapping)
                for voiceprint_row in connection.execute(query)
            ]

    def forget(self, name: str) -> int:
        """Delete all voiceprints of a name and return their number."""
        query = voiceprints_table.delete().where(voiceprints_table.c.name == name)
        with self._writing() as connection:
            return connection.execute(query).rowcount

    def mean_vectors(self) -> tuple[tuple[str, bytes], ...]:
        """Return each name with its mean vector, weighted by seconds, as float32 of length 1."""
        weighted_sum_by_name: dict[str, np.ndarray] = {}
        for voiceprint in self.all():
            # The vector of one debate, (256,), weighted by the seconds of speech.
            vector = np.frombuffer(voiceprint.vector, np.float32)
            weighted_vector = vector * voiceprint.seconds
            earlier_sum = weighted_sum_by_name.get(voiceprint.name, np.zeros_like(weighted_vector))
            weighted_sum_by_name[voiceprint.name] = earlier_sum + weighted_vector
        unit_vectors = []
        for name, weighted_sum in weighted_sum_by_name.items():
            # The sum has the direction of the mean, and only the direction counts.
            unit_vector = weighted_sum / np.linalg.norm(weighted_sum)
            unit_vectors.append((name, unit_vector.astype(np.float32).tobytes()))
        return tuple(unit_vectors)

    def debates(self) -> list[StoredDebate]:
        """Return the debates with voiceprints."""
        columns = voiceprints_table.c
        query = sa.select(
            columns.document,
            sa.func.max(columns.title),
            sa.func.max(columns.event_date),
            sa.func.max(columns.kept),
            sa.func.count(),
        ).group_by(columns.document)
        with self._reading() as connection:
            return [
                StoredDebate.of_file(document, title, day, newest_time, {"voices": voice_count})
                for document, title, day, newest_time, voice_count in connection.execute(query)
            ]

    def purge(self, document: str) -> None:
        """Delete the voiceprints that were made from a debate."""
        query = voiceprints_table.delete().where(voiceprints_table.c.document == document)
        with self._writing() as connection:
            connection.execute(query)


def known_voiceprints(settings: Settings) -> tuple[tuple[str, bytes], ...]:
    """Return the names and vectors to compare recordings with: none unless this is turned on."""
    if not settings.voices:
        return ()
    with VoiceprintStore.open(settings.database) as store:
        return store.mean_vectors()


def require_voiceprints_allowed(settings: Settings) -> None:
    """Raise SettingsError unless the operator allows voiceprints."""
    if not settings.voices:
        remedy = f"Set {VOICES_VARIABLE}=1, or voices = true in lectern.toml."
        raise SettingsError("saving voices is turned off.", remedy=remedy)


def speaking_spans(transcript: Transcript, speaker: str) -> list[tuple[float, float]]:
    """Return the start and end, in seconds, of each sentence of a speaker that has times."""
    return [
        (sentence.start, sentence.end)
        for sentence in transcript
        if sentence.speaker == speaker and sentence.start is not None and sentence.end is not None
    ]


def make_voiceprint(
    settings: Settings,
    recording: Path,
    time_spans: Sequence[tuple[float, float]],
    name: str,
    transcript: Transcript,
    person: str,
) -> Voiceprint:
    """Make the voiceprint of the speaker of some spans of a recording, to store it under a name.

    ``person``: who stores it. Raises: SettingsError if voiceprints are turned off or the name is
    empty; TranscriptError if the spans are too short.
    """
    from assistant.transcription.transcriber import voice_vector

    require_voiceprints_allowed(settings)
    name = " ".join(name.split())
    if not name:
        raise SettingsError("a saved voice needs a name.", remedy="Enter the name of the person.")
    vector, speech_s = voice_vector(recording, time_spans, name)
    return Voiceprint(
        name,
        transcript.source.sha256,
        transcript.title,
        transcript.event_date,
        speech_s,
        vector,
        person,
        time.time(),
    )
