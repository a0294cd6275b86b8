"""Corrections of who speaks, by a person: rename and merge for a whole transcript, reassign for single sentences.

Pure: a corrected transcript is returned, the given one stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from assistant.ground.domain import Transcript
from assistant.ground.errors import TranscriptError


def speakers(transcript: Transcript) -> Counter[str | None]:
    """Return how many sentences each speaker has, in the order of first appearance; None is the unknown."""
    return Counter(sentence.speaker for sentence in transcript.sentences)


def rename(transcript: Transcript, names: Mapping[str, str | None]) -> Transcript:
    """Return the transcript with speakers renamed, ``{old: new}``; two given the same name are merged.

    A new name of None or "" makes the speaker unknown. Raises TranscriptError if an old name is not there.
    """
    present = speakers(transcript)
    missing = [old for old in names if old not in present]
    if missing:
        known = ", ".join(name for name in present if name) or "nobody"
        raise TranscriptError(
            f"no sentence is by {', '.join(missing)}.", where=transcript.title, remedy=f"Speakers are: {known}."
        )
    renamed = {old: _cleaned(new) for old, new in names.items()}
    return replace(
        transcript,
        sentences=tuple(
            replace(s, speaker=renamed[s.speaker]) if s.speaker in renamed else s for s in transcript.sentences
        ),
    )


def reassign(transcript: Transcript, numbers: Collection[int], speaker: str | None) -> Transcript:
    """Return the transcript with the sentences of these numbers given to a speaker; None or "" makes them unknown.

    Raises TranscriptError if a number is not there.
    """
    wanted = set(numbers)
    missing = sorted(wanted - {sentence.number for sentence in transcript.sentences})
    if missing:
        raise TranscriptError(
            f"has no sentence {', '.join(map(str, missing[:5]))}.",
            where=transcript.title,
            remedy=f"Sentences are numbered 1 to {len(transcript)}.",
        )
    name = _cleaned(speaker)
    return replace(
        transcript,
        sentences=tuple(replace(s, speaker=name) if s.number in wanted else s for s in transcript.sentences),
    )


def _cleaned(name: str | None) -> str | None:
    return " ".join((name or "").split()) or None
