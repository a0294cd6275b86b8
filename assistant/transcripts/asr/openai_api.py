"""The OpenAI transcription API.

Verbose_json, diarized_json, and json, which holds nothing but the text.
"""

from __future__ import annotations

from assistant.transcripts import caption_speech
from assistant.transcripts.asr import whisper
from assistant.transcripts.asr.json_fields import (
    decoded_json,
    has_keys,
    numbered_objects,
    objects_in,
    piece_fields,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

# Keys of an answer that has only the text
_TEXT_ONLY_KEYS = {"text", "usage", "language", "task", "duration", "logprobs"}


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has the API's task, its segment type, or little besides the text."""
    data = decoded_json(source)
    if not has_keys(data, "text") or not isinstance(data["text"], str):
        return False
    has_typed_segments = any(
        segment.get("type") == "transcript.text.segment"
        for segment in objects_in(data.get("segments"))
    )
    return has_typed_segments or has_keys(data, "task", "duration") or set(data) <= _TEXT_ONLY_KEYS


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each segment, else the joined words, else the text without times."""
    data = decoded_json(source)
    language = text_or_empty(data.get("language"))
    cues = whisper.segments(objects_in(data.get("segments")))
    if cues:
        return caption_speech.read_cues(cues, source.name, language=language)
    words = [
        RecognisedWord(line_number=line_number, **piece_fields(word, text_key="word"))
        for line_number, word in numbered_objects(data.get("words"))
    ]
    if words:
        return ParsedTranscript(pieces_of_words(words), language=language)
    text = text_or_empty(data["text"])
    text_pieces = [SpeechPiece(text, 1)] if text else []
    return ParsedTranscript(
        text_pieces, ["the file has no times and no speakers"], language=language
    )
