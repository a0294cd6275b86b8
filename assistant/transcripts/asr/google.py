"""Google Speech-to-Text, v1 and v2: results one after the other.

With diarisation the last repeats every word.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import content, first, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

_STARTS = ("startTime", "startOffset", "start_time", "start_offset")
_ENDS = ("endTime", "endOffset", "end_time", "end_offset")


def sniff(source: RawSource) -> bool:
    """Return whether the results have alternatives with transcripts, and words as objects if any."""
    best = [first(row.get("alternatives")) for row in _results(content(source))]
    return any("transcript" in a or objects(a.get("words")) for a in best) and not any(
        "timestamps" in a for a in best
    )


def parse(source: RawSource) -> Parsed:
    """Return the diarised words where the file has them, else one piece for each result."""
    rows = _results(content(source))
    best = [first(row.get("alternatives")) for row in rows]
    words = [
        [_word(word, line) for word in objects(a.get("words"))] for line, a in enumerate(best, 1)
    ]
    tagged = [any(word.speaker for word in spoken) for spoken in words]
    if (
        any(tagged)
        and tagged[-1]
        and len(words[-1]) > len(string(best[-1].get("transcript")).split())
    ):
        spoken = pieces(
            _word(word, 1) for word in objects(best[-1]["words"])
        )  # the words of the whole recording
    elif any(tagged):
        spoken = pieces(word for result in words for word in result)
    else:
        spoken = [
            _piece(string(a.get("transcript")), line, words[line - 1])
            for line, a in enumerate(best, 1)
        ]
    language = next((string(row["languageCode"]) for row in rows if row.get("languageCode")), "")
    return Parsed([piece for piece in spoken if piece.text], language=language)


def _results(data: Any) -> list[dict[str, Any]]:
    if isinstance(data, dict) and isinstance(data.get("response"), dict):
        data = data["response"]  # a long-running operation
    return objects(data.get("results")) if isinstance(data, dict) else []


def _word(word: dict[str, Any], line: int) -> Word:
    speaker = word.get("speakerLabel") or word.get("speakerTag") or word.get("speaker_tag") or None
    return Word(
        string(word.get("word")), line, named(speaker), _time(word, _STARTS), _time(word, _ENDS)
    )


def _piece(transcript: str, line: int, words: list[Word]) -> Piece:
    start, end = (words[0].start, words[-1].end) if words else (None, None)
    return Piece(transcript or " ".join(word.text for word in words), line, None, start, end)


def _time(word: dict[str, Any], names: tuple[str, ...]) -> float | None:
    """Return the seconds of ``"12.900s"`` or ``{"seconds": "12", "nanos": 900000000}``."""
    value = next((word[name] for name in names if name in word), None)
    if isinstance(value, dict):
        whole = time(value.get("seconds", 0))
        rest = time(value.get("nanos", 0), 1e9)
        return None if whole is None or rest is None else round(whole + rest, 3)
    return time(string(value).removesuffix("s"))
