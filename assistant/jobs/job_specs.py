"""Job specifications: the input and options of a check, stored while the check runs.

An interrupted check is started again from its specification.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from datetime import date
from typing import Any

from assistant.core.domain import Sentence, Source, SpeakerRole, SpokenWord, Transcript


@dataclass(frozen=True, slots=True)
class JobSpec:
    """Everything that a check needs. The names of the fields are stored."""

    transcript: Transcript
    as_of_event: bool = False
    ranker: str = "lectern"


def to_bytes(spec: JobSpec) -> bytes:
    """Return a specification as ASCII JSON, which every database stores."""
    fields = asdict(spec)
    event_date = spec.transcript.event_date
    fields["transcript"]["event_date"] = event_date and event_date.isoformat()
    return json.dumps(fields).encode("ascii")


def from_bytes(data: bytes) -> JobSpec:
    """Return the specification that ``to_bytes`` wrote.

    Raises: ValueError, KeyError or TypeError if it isn't a specification.
    """
    fields = json.loads(data)
    transcript_fields = fields["transcript"]
    event_date = transcript_fields["event_date"]
    transcript = Transcript(
        title=transcript_fields["title"],
        event_date=date.fromisoformat(event_date) if event_date else None,
        source=Source(**transcript_fields["source"]),
        sentences=tuple(map(_sentence, transcript_fields["sentences"])),
        warnings=tuple(transcript_fields["warnings"]),
        speaker_roles=tuple(
            (speaker, SpeakerRole(role))
            for speaker, role in transcript_fields.get("speaker_roles", ())
        ),
    )
    return JobSpec(transcript, fields["as_of_event"], fields["ranker"])


def _sentence(fields: dict[str, Any]) -> Sentence:
    words = tuple(SpokenWord(**word) for word in fields.get("words", ()))
    return Sentence(**{**fields, "words": words})
