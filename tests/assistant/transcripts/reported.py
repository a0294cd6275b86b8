"""Compares a transcript with the reading that a person gave of a reported file.

Beside a file NAME lies NAME.expected.json: ``sentences`` are [speaker, text] in order, "" for an
unknown speaker; ``compare`` is "turns" (sentences in a row of one speaker are joined), "sentences",
or "speakers" (only letters and digits of the text count). ``alternatives`` are other right
spellings, ``optional`` sentences may be missing, ``starts`` and ``ends`` are seconds or null, and
``or`` lists readings that are as right, each by its differences.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assistant.core.domain import Transcript
from assistant.core.errors import LecternError
from assistant.transcripts import reader

GOLDEN = Path(__file__).parents[2] / "golden" / "reported_transcripts"
DEFAULT_TOLERANCE_S = 0.1
TimedTurn = tuple[tuple[str, str], float | None, float | None]


def names() -> list[str]:
    """Return the names of the reported files that ``check`` reads."""
    expectations = sorted(GOLDEN.glob("*.expected.json"))
    return [
        path.name.removesuffix(".expected.json")
        for path in expectations
        if not json.loads(path.read_text(encoding="utf-8")).get("live")
    ]


def faults(name: str) -> list[str]:
    """Return the differences from the expectation, [] if one of its readings is met."""
    expected = json.loads((GOLDEN / f"{name}.expected.json").read_text(encoding="utf-8"))
    data = (GOLDEN / name).read_bytes()
    try:
        actual: Transcript | LecternError = reader.transcript(data, name.partition("__")[2])
    except LecternError as error:
        actual = error
    readings = [{**expected, **changes} for changes in [{}, *expected.get("or", [])]]
    differences = [list(_differences(reading, actual)) for reading in readings]
    return [] if [] in differences else differences[0]


def _differences(expected: dict[str, Any], actual: Transcript | LecternError) -> Iterator[str]:
    if isinstance(actual, LecternError):
        if not expected.get("refused") or not re.search(expected["refused_as"], actual.what):
            yield f"refused: {actual}"
        return
    if expected.get("refused"):
        yield "read, though it must be refused"
        return
    if expected.get("sentences") is not None:
        yield from _speech_differences(expected, actual)
    texts = [_folded(sentence.text) for sentence in actual.sentences]
    for text in expected.get("whole", []):
        if text not in texts:
            yield f"“{text}” is not a sentence by itself"
    for text in expected.get("not_in_text", []):
        if any(text in sentence_text for sentence_text in texts):
            yield f"“{text}” is in a sentence"
    yield from _heading_differences(expected, actual)


def _heading_differences(expected: dict[str, Any], actual: Transcript) -> Iterator[str]:
    title = _folded(actual.title)
    if expected.get("title") and _spelling(expected, title) != expected["title"]:
        yield f"title “{title}”"
    if expected.get("not_title") == title:
        yield f"title “{title}”"
    day = actual.event_date.isoformat() if actual.event_date else None
    if "event_date" in expected and expected["event_date"] != day:
        yield f"date {day}"
    pattern = expected.get("warning_about")
    if pattern and not any(re.search(pattern, text, re.IGNORECASE) for text in actual.warnings):
        yield f"no warning about {pattern}"


def _speech_differences(expected: dict[str, Any], actual: Transcript) -> Iterator[str]:
    count = len(expected["sentences"])
    starts = expected.get("starts") or [None] * count
    ends = expected.get("ends") or [None] * count
    if starts == "none":
        starts = [None] * count
        if any(sentence.start is not None for sentence in actual.sentences):
            yield "a sentence has a time"
    pairs = [(speaker, text) for speaker, text in expected["sentences"]]
    expected_speech: list[TimedTurn] = list(zip(pairs, starts, ends, strict=True))
    actual_speech: list[TimedTurn] = [
        ((sentence.speaker or "", sentence.text), sentence.start, sentence.end)
        for sentence in actual.sentences
    ]
    expected_turns, expected_times = _joined(expected, _without_optional(expected, expected_speech))
    actual_turns, actual_times = _joined(expected, _without_optional(expected, actual_speech))
    if expected_turns != actual_turns:
        yield f"{actual_turns} is not {expected_turns}"
    tolerance_s = expected.get("within", DEFAULT_TOLERANCE_S)
    for boundary, second in expected_times.items():
        actual_second = actual_times.get(boundary)
        if second is None:
            continue
        if actual_second is None or abs(actual_second - second) > tolerance_s:
            yield f"{boundary} is {actual_second}, not {second} s"


def _without_optional(expected: dict[str, Any], speech: list[TimedTurn]) -> list[TimedTurn]:
    """Return the speech without the first occurrence of each optional sentence."""
    required = list(speech)
    for speaker, text in expected.get("optional", []):
        optional_pair = _compared(expected, (speaker, text))
        for index, (pair, _, _) in enumerate(required):
            if _compared(expected, pair) == optional_pair:
                del required[index]
                break
    return required


def _joined(
    expected: dict[str, Any], speech: list[TimedTurn]
) -> tuple[list[tuple[str, str]], dict[tuple[str, int, int], float | None]]:
    """Return the compared turns, and the time of each end of a sentence by its position."""
    turns: list[tuple[str, str]] = []
    times: dict[tuple[str, int, int], float | None] = {}
    for pair, start, end in speech:
        name, text = _compared(expected, pair)
        is_joined = expected.get("compare", "turns") != "sentences"
        if is_joined and turns and turns[-1][0] == name:
            turns[-1] = (name, f"{turns[-1][1]} {text}".strip())
        else:
            turns.append((name, text))
        length = len(turns[-1][1])
        times["start", len(turns), length - len(text)] = start
        times["end", len(turns), length] = end
    return [(name, _spelling(expected, text)) for name, text in turns], times


def _compared(expected: dict[str, Any], pair: tuple[str, str]) -> tuple[str, str]:
    """Return speaker and text in the spelling that is compared."""
    name = _spelling(expected, _folded(pair[0])).rstrip(" .,:;")
    text = _folded(pair[1])
    if expected.get("compare") == "speakers":
        text = _folded(re.sub(r"[\W_]+", " ", text).lower())
    return name, text


def _spelling(expected: dict[str, Any], text: str) -> str:
    """Return the first spelling of a name or text that may be spelt in several ways."""
    for spelling, variants in expected.get("alternatives", {}).items():
        if text in [_folded(variant) for variant in variants]:
            return _folded(spelling)
    return text


def _folded(text: str) -> str:
    return " ".join(text.split())
