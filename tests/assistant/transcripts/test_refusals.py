"""JSON that cannot be a transcript is refused in one line that says why."""

from __future__ import annotations

import json

import pytest

from assistant.core.errors import MalformedTranscript, UnknownFormat
from assistant.transcripts import refusals
from tests.assistant.transcripts.reading import parse, source


def test_broken_json_is_refused_with_its_line() -> None:
    """The second segment breaks off."""
    text = '{"segments": [\n {"text": "Hello", "avg_logprob": -0.1},\n {"text": "Wor'
    with pytest.raises(
        MalformedTranscript,
        match=r"^a\.json:3: the JSON is broken in column \d+ .*\. Save the file again\.",
    ):
        parse(text, "a.json")


def test_json_lines_are_refused_by_name() -> None:
    """A database of fact-checks dropped in by mistake."""
    with pytest.raises(MalformedTranscript, match=r"^claims\.jsonl:2: .*JSON Lines"):
        parse('{"id": 1}\n{"id": 2}\n', "claims.jsonl")


def test_json_without_text_is_refused_by_its_keys() -> None:
    """Rows of numbers whose text is kept elsewhere."""
    text = json.dumps(
        {"version": 1, "language": "eng", "sentenceMetadata": [["0", 6, 3.038, 9.502]]}
    )
    with pytest.raises(
        UnknownFormat,
        match=r"^a\.json: .* contains no transcript .* version, language, sentenceMeta",
    ):
        parse(text, "a.json")


@pytest.mark.parametrize(
    "text", ["{}", "[]", "[[1, 2], [3, 4]]", '{"a": 1}', '["x", "y"]', '{"results": []}']
)
def test_any_other_json_is_refused(text: str) -> None:
    """Whatever the shape is, no reader takes it and none fails in another way."""
    with pytest.raises(UnknownFormat, match="contains no transcript"):
        parse(text, "a.json")


def test_deep_nesting_is_refused() -> None:
    """A bomb of brackets."""
    with pytest.raises(MalformedTranscript, match="a.json"):
        parse("[" * 200_000, "a.json")


@pytest.mark.parametrize(
    "text", ["[Alba] Good evening.", "[00:00:12] Jane: Hello.", "{Music} and then", "HOLT: Hi."]
)
def test_text_that_begins_with_a_bracket_is_no_json(text: str) -> None:
    """Labels and times in brackets are plain text."""
    assert not refusals.looks_like_json(source(text))
