"""The OpenAI transcription API: verbose_json, diarized_json, and json, which holds nothing but the text."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import captions, language
from assistant.transcripts.asr import whisper
from assistant.transcripts.asr.json_fields import content, keys, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece

_ALONE = {"text", "usage", "language", "task", "duration", "logprobs"}


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has the API's task and text, its segment type, or hardly more than the text."""
    data = content(source)
    if not keys(data, "text") or not isinstance(data["text"], str):
        return False
    typed = any(row.get("type") == "transcript.text.segment" for row in objects(data.get("segments")))
    return typed or keys(data, "task", "duration") or set(data) <= _ALONE


def parse(source: RawSource) -> Parsed:
    """Return one piece a segment, else the words, else the whole text without times."""
    data = content(source)
    spoken = string(data.get("language"))
    rows = [row for row in objects(data.get("segments")) if row.get("text")]
    if rows:
        return captions.finish(whisper.segments(rows), source.name, [], declared=spoken)
    warnings = language.declared(spoken)
    words = [word for word in objects(data.get("words")) if word.get("word")]
    if words:
        return Parsed(pieces(_word(number, word) for number, word in enumerate(words, 1)), warnings)
    text = string(data["text"])
    warnings.append("the file has no times and no speakers")
    return Parsed([Piece(text, 1)] if text else [], warnings)


def _word(number: int, word: dict[str, Any]) -> Word:
    return Word(string(word["word"]), number, time(word.get("start")), time(word.get("end")))
