"""Speechmatics: version 2 (results of words and punctuation) and version 1 (words and speakers, times as text)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.transcripts.asr.json_fields import (
    content,
    end_after,
    first,
    keys,
    mapping,
    named,
    numbered,
    objects,
    string,
    time,
    timed,
)
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource

_MARKS = frozenset(".,?!;:")


def sniff(source: RawSource) -> bool:
    """Return whether the results are typed words, or the words have a name and a duration."""
    data = content(source)
    return _is_v2(data) or _is_v1(data)


def parse(source: RawSource) -> Parsed:
    """Return the joined words with the speakers that the file labels."""
    data = content(source)
    config = mapping(mapping(data.get("metadata")).get("transcription_config"))
    language = string(config.get("language") or mapping(data.get("job")).get("lang"))
    return Parsed(pieces(_v2(data) if _is_v2(data) else _v1(data)), language=language)


def _is_v2(data: Any) -> bool:
    rows = objects(data.get("results")) if isinstance(data, dict) else []
    return any("content" in first(row.get("alternatives")) and "type" in row for row in rows)


def _is_v1(data: Any) -> bool:
    return keys(data, "words") and keys(first(data["words"]), "name", "duration", "time")


def _v2(data: dict[str, Any]) -> list[Word]:
    words: list[Word] = []
    for line, row in numbered(data["results"]):
        glued = row.get("type") == "punctuation" and row.get("attaches_to", "previous") in (
            "previous",
            "both",
        )
        best = row | first(row.get("alternatives"))
        word = Word(
            line=line,
            glued=glued,
            **timed(best, text="content", start="start_time", end="end_time"),
        )
        words.append(replace(word, speaker=words[-1].speaker) if glued and words else word)
    return words


def _v1(data: dict[str, Any]) -> list[Word]:
    turns = [
        (time(row.get("time")), named(row.get("name"))) for row in objects(data.get("speakers"))
    ]
    words: list[Word] = []
    for line, row in numbered(data["words"]):
        text = string(row.get("name"))
        start = time(row.get("time"))
        begun = [
            speaker
            for at, speaker in turns
            if at is not None and start is not None and at <= start + 0.001
        ]
        end = end_after(start, time(row.get("duration")))
        glued = text in _MARKS and bool(words)
        words.append(Word(text, line, begun[-1] if begun else None, start, end, glued=glued))
    return words
