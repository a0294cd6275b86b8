"""Voices that are kept under a name, so that they are known again in the next debate, where the operator allows it.

A voice is biometric data: it is stored here alone, hangs on the debate that it was taken from, and
goes when that is purged or when somebody forgets the name.
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
from assistant.core.debate_records import Debate
from assistant.core.domain import Transcript
from assistant.core.errors import SettingsError
from assistant.core.schema import metadata
from assistant.core.settings import VOICES, Settings

VOICEPRINT_NOTICE = (
    "A voice is biometric data, by which a person can be recognised: keep one only where that person agrees or the law "
    "allows it. It stays in this database and in its backups."
)
voiceprints_table = sa.Table(
    "desk_voices",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column(
        "document", sa.Text, primary_key=True
    ),  # SHA-256 of the recording that it was taken from
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("event_date", sa.Date),
    sa.Column("seconds", sa.Float, nullable=False),  # of speech
    sa.Column("vector", sa.LargeBinary, nullable=False),  # 256 float32
    sa.Column("kept_by", sa.Text, nullable=False),
    sa.Column("kept", sa.Float, nullable=False),  # seconds since 1970
)


@dataclass(frozen=True, slots=True)
class Voiceprint:
    """A voice as it was heard in one debate; ``vector`` is of ``seconds`` of speech."""

    name: str
    document: str
    title: str
    event_date: date | None
    seconds: float
    vector: bytes
    kept_by: str = ""
    kept: float = 0.0


class VoiceprintStore(Database):
    """The voices of one database. Use it in a ``with``, or close it."""

    def keep(self, voice: Voiceprint) -> None:
        """Store a voice in place of what was kept of it from the same debate."""
        where = (
            voiceprints_table.c.name == voice.name,
            voiceprints_table.c.document == voice.document,
        )
        with self._writing() as connection:
            connection.execute(voiceprints_table.delete().where(*where))
            connection.execute(voiceprints_table.insert().values(**asdict(voice)))
            audit.note(
                connection,
                audit.Entry(voice.kept, voice.kept_by, "keep voice", voice.document[:16]),
            )

    def all(self) -> list[Voiceprint]:
        """Return the voices by name, and of a name the oldest first."""
        with self._reading() as connection:
            rows = connection.execute(
                sa.select(voiceprints_table).order_by(
                    voiceprints_table.c.name, voiceprints_table.c.kept
                )
            )
            return [Voiceprint(**row._mapping) for row in rows]

    def forget(self, name: str) -> int:
        """Delete all that is kept of a voice; return from how many debates that was."""
        with self._writing() as connection:
            return connection.execute(
                voiceprints_table.delete().where(voiceprints_table.c.name == name)
            ).rowcount

    def known(self) -> tuple[tuple[str, bytes], ...]:
        """Return the vector of each name, the mean of those of its debates by their seconds."""
        sums: dict[str, np.ndarray] = {}
        for voice in self.all():
            part = np.frombuffer(voice.vector, np.float32) * voice.seconds
            sums[voice.name] = sums.get(voice.name, np.zeros_like(part)) + part
        return tuple(
            (name, (x / np.linalg.norm(x)).astype(np.float32).tobytes()) for name, x in sums.items()
        )

    def debates(self) -> list[Debate]:
        """Return the debates that voices were taken from."""
        c = voiceprints_table.c
        columns = (
            sa.func.max(c.title),
            sa.func.max(c.event_date),
            sa.func.max(c.kept),
            sa.func.count(),
        )
        with self._reading() as connection:
            rows = connection.execute(sa.select(c.document, *columns).group_by(c.document)).all()
        return [
            Debate(document, "", title, day, at, {"voices": count})
            for document, title, day, at, count in rows
        ]

    def purge(self, document: str) -> None:
        """Delete the voices that were taken from a debate."""
        with self._writing() as connection:
            connection.execute(
                voiceprints_table.delete().where(voiceprints_table.c.document == document)
            )


def known_voiceprints(chosen: Settings) -> tuple[tuple[str, bytes], ...]:
    """Return the voices that recordings are compared with: none unless the operator allows it."""
    if not chosen.voices:
        return ()
    with VoiceprintStore.open(chosen.database) as store:
        return store.known()


def require_voiceprints_allowed(chosen: Settings) -> None:
    """Go on where voices may be kept. Raises: SettingsError elsewhere."""
    if not chosen.voices:
        remedy = f"Set {VOICES}=1, or voices = true in lectern.toml."
        raise SettingsError("voices are not kept here: nobody has allowed it.", remedy=remedy)


def speaking_spans(transcript: Transcript, speaker: str) -> list[tuple[float, float]]:
    """Return from when to when a speaker's sentences are said, in seconds."""
    said = [sent for sent in transcript if sent.speaker == speaker]
    return [
        (sent.start, sent.end) for sent in said if sent.start is not None and sent.end is not None
    ]


def make_voiceprint(
    chosen: Settings,
    recording: Path,
    heard: Sequence[tuple[float, float]],
    name: str,
    source: Transcript,
    by: str,
) -> Voiceprint:
    """Return the voice that speaks in these spans of the recording of a debate, to keep it under a name.

    Raises: SettingsError where voices are not kept, or without a name; TranscriptError if it is
    heard too shortly.
    """
    from assistant.transcription.transcriber import voice_vector

    require_voiceprints_allowed(chosen)
    name = " ".join(name.split())
    if not name:
        raise SettingsError("a voice is kept under a name.", remedy="Give the name of the person.")
    vector, seconds = voice_vector(recording, heard, name)
    return Voiceprint(
        name,
        source.source.sha256,
        source.title,
        source.event_date,
        seconds,
        vector,
        by,
        time.time(),
    )
