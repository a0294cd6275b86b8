"""Hostile imports end as rows or a clear refusal: the reader ends by itself, not at a limit."""

from __future__ import annotations

import gzip
import io

import pytest

from assistant.claims import article_extraction, importers, manual_entry
from assistant.core import confined
from assistant.core.errors import ClaimError, MalformedClaim


def bomb() -> bytes:
    """Return gzip that is a thousand times larger when it is unpacked."""
    packed = io.BytesIO()
    with gzip.GzipFile(fileobj=packed, mode="wb") as file:
        for _ in range(80):
            file.write(b"a" * 1_000_000)
    return packed.getvalue()


CASES = {
    "an archive bomb": bomb,
    "brackets": lambda: b"[" * 100_000,
    "objects": lambda: b'{"a":' * 100_000,
    "brackets in a page": lambda: (
        b"<html><script type='application/ld+json'>" + b"[" * 100_000 + b"</script>"
    ),
    "a language": lambda: b'{"statement":"A wall.","language":"en-' + b" " * 40_000 + b'x"}\n',
    "marks": lambda: ('{"statement":"a' + "\u0301\u0316" * 20_000 + '"}\n').encode(),
    "open tags": lambda: b'{"statement":"' + b"<b " * 16_000 + b'"}\n',
    "a long field": lambda: b"statement,rating\n" + b'"' + b"x," * 200_000,
    "NUL and half a character": lambda: b'{"statement":"A\\u0000 wall\\ud800."}\n',
    "a long number": lambda: b'{"statement":' + b"9" * 10_000 + b"}\n",
}


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("name", CASES)
def test_an_import_ends_well(name, tmp_path):
    """Rows, refused rows, or one line about the file."""
    path = tmp_path / "claims.json"
    path.write_bytes(CASES[name]())

    try:
        assert list(importers.read_claims(path))
    except ClaimError as error:
        assert error.where.startswith("claims.json")
        assert not any(
            text in error.what
            for text in (confined.TIME_MESSAGE, confined.MEMORY_MESSAGE, confined.FAILED_MESSAGE)
        )


@pytest.mark.threat("publisher")
def test_json_that_is_pasted_ends_well():
    """What a person pastes is read with the same limits."""
    with pytest.raises(MalformedClaim, match="not JSON"):
        manual_entry.from_json("[" * 100_000, "https://example.org/bridge")


@pytest.mark.threat("publisher")
def test_a_page_that_promises_subscribers_is_searched_in_linear_time():
    """The words of a paywall are looked for in the whole page."""
    assert "a paywall" not in article_extraction.missing_reason("exclusiv" * 200_000, "")
