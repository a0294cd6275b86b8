"""Damaged captions and JSON never crash a reader.

They read, with less, or are refused in one line.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from assistant import transcripts
from assistant.core.errors import TranscriptError
from tests.assistant.transcripts import reading

ODD = (None, [], {}, "x", "", 3, -1, 2.5, True, "12", [None], [[]], {"a": None}, float("inf"))
TRIES = 40


def places(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """Yield the path of every value inside a JSON value."""
    yield path
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, below in inner:
        yield from places(below, (*path, key))


def with_odd(text: str, path: tuple, odd: Any) -> Any:
    """Return the JSON with one of its values replaced."""
    root = {"root": json.loads(text)}
    holder: Any = root
    for key in ("root", *path)[:-1]:
        holder = holder[key]
    holder[("root", *path)[-1]] = odd
    return root["root"]


def read_or_refuse(data: bytes, name: str) -> None:
    """Read the bytes; a refusal names the file and fits on a line."""
    try:
        assert transcripts.read_bytes(data, name).sentences
    except TranscriptError as error:
        assert name in str(error)
        assert "\n" not in str(error)


@pytest.mark.parametrize("case", reading.cases("asr"), ids=lambda path: path.name)
def test_json_with_an_odd_value(case: Path) -> None:
    """Any value may be missing or of another type."""
    text = case.read_text(encoding="utf-8")
    random = Random(case.name)
    paths = list(places(json.loads(text)))
    for _ in range(TRIES):
        damaged = with_odd(text, random.choice(paths), random.choice(ODD))
        read_or_refuse(json.dumps(damaged).encode(), case.name)


@pytest.mark.parametrize("case", reading.cases("captions"), ids=lambda path: path.name)
def test_captions_with_a_hole_or_a_splinter(case: Path) -> None:
    """A piece is missing, comes twice, or is something else."""
    data = case.read_bytes()
    random = Random(case.name)
    for _ in range(TRIES):
        start = random.randrange(len(data))
        end = min(len(data), start + random.choice([1, 5, 40]))
        splinter = random.choice(
            [b"", data[start:end] * 2, b"-->", b"\n\n", b"\xff", b"<", b"00:00:00,000 --> "]
        )
        read_or_refuse(data[:start] + splinter + data[end:], case.name)


def test_a_document_with_a_damaged_first_part_is_refused() -> None:
    """The list of its parts is whole, but the part that names its kind is not."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        archive.writestr("content.xml", "<a/>")
    damaged = b"PKxx" + packed.getvalue()[4:]

    with pytest.raises(TranscriptError, match="damaged ZIP archive"):
        transcripts.read_bytes(damaged, "debate.odt")
