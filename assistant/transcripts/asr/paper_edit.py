"""Word lists of transcript editors.

Digital paper edit and slate (words and paragraphs joined by time), BBC Kaldi.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace
from typing import Any

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    first_object_or_empty,
    has_keys,
    numbered_objects,
    objects_in,
    piece_fields,
    seconds_or_none,
    speaker_from_json,
)
from assistant.transcripts.asr.timed_words import TIME_TOLERANCE_S, RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has words with paragraphs, or Kaldi's words with punctuation."""
    data = _word_holder(decoded_json(source))
    if not has_keys(data, "words"):
        return False
    # Digital paper edit and slate write one format, BBC Kaldi a similar one.
    word = first_object_or_empty(data["words"])
    is_paper_edit = has_keys(word, "text", "start") and "paragraphs" in data
    is_kaldi = has_keys(word, "word", "start", "punct")
    return is_paper_edit or is_kaldi


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each paragraph, or the joined words if there are no paragraphs."""
    data = _word_holder(decoded_json(source))
    words = []
    for line_number, word in numbered_objects(data["words"]):
        recognised = RecognisedWord(
            line_number=line_number, **piece_fields(word, text_key=_text_key(word))
        )
        if recognised.text:
            words.append(recognised)
    paragraphs = [
        paragraph
        for paragraph in objects_in(data.get("paragraphs"))
        if seconds_or_none(paragraph.get("start")) is not None
    ]
    if not paragraphs:
        return ParsedTranscript(pieces_of_words(words))
    paragraphs.sort(key=_start)
    all_pieces: list[SpeechPiece] = []
    for paragraph, paragraph_words in _with_words(paragraphs, words):
        all_pieces += _paragraph_pieces(paragraph, paragraph_words)
    return ParsedTranscript(all_pieces)


def _word_holder(data: Any) -> Any:
    """Return the object with the words.

    It is below retval in Kaldi's files, and may be below transcript in those of the editors.
    """
    for key in ("retval", "transcript"):
        if isinstance(data, dict) and has_keys(data.get(key), "words"):
            return data[key]
    return data


def _text_key(word: dict[str, Any]) -> str:
    return next((key for key in ("punct", "text") if word.get(key)), "word")


def _start(paragraph: dict[str, Any]) -> float:
    return seconds_or_none(paragraph.get("start")) or 0.0


def _with_words(
    paragraphs: list[dict[str, Any]], words: list[RecognisedWord]
) -> list[tuple[dict[str, Any], list[RecognisedWord]]]:
    """Return every paragraph with the words between its start and the start of the next."""
    paragraph_starts_s = [_start(paragraph) for paragraph in paragraphs]
    words_by_paragraph: list[list[RecognisedWord]] = [[] for _ in paragraphs]
    for word in words:
        # The last paragraph that has started when the word is said
        word_start_s = (word.start or 0.0) + TIME_TOLERANCE_S
        started_count = bisect_right(paragraph_starts_s, word_start_s)
        paragraph_index = max(started_count - 1, 0)
        words_by_paragraph[paragraph_index].append(word)
    return list(zip(paragraphs, words_by_paragraph, strict=True))


def _paragraph_pieces(paragraph: dict[str, Any], words: list[RecognisedWord]) -> list[SpeechPiece]:
    speaker = speaker_from_json(paragraph.get("speaker"))
    return [
        replace(piece, speaker=speaker, starts_turn=index == 0)
        for index, piece in enumerate(pieces_of_words(words))
    ]
