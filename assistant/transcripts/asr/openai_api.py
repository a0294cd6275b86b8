"""The OpenAI transcription API.

Verbose_json, diarized_json, and json, which holds nothing but the text.
"""

from __future__ import annotations

from assistant.transcripts import caption_speech
from assistant.transcripts.asr import whisper
from assistant.transcripts.asr.json_fields import content, keys, numbered, objects, string, timed
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_ALONE = {"text", "usage", "language", "task", "duration", "logprobs"}


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has the API's task and text, its segment type, or hardly more than the text."""
    data = content(source)
    if not keys(data, "text") or not isinstance(data["text"], str):
        return False
    typed = any(
        row.get("type") == "transcript.text.segment" for row in objects(data.get("segments"))
    )
    return typed or keys(data, "task", "duration") or set(data) <= _ALONE


def parse(source: RawSource) -> Parsed:
    """Return one piece for each segment, else the joined words, else the whole text without times."""
    data = content(source)
    language = string(data.get("language"))
    if cues := whisper.segments(objects(data.get("segments"))):
        return caption_speech.read_cues(cues, source.name, language=language)
    if words := [
        Word(line=line, **timed(row, text="word")) for line, row in numbered(data.get("words"))
    ]:
        return Parsed(pieces(words), language=language)
    text = string(data["text"])
    return Parsed(
        [Piece(text, 1)] if text else [],
        ["the file has no times and no speakers"],
        language=language,
    )
