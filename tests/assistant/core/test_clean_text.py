"""Text from outside is made safe to work on: no endless marks, nothing that a database refuses."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.clean_text import MAX_MARKS, cleaned, fewer_marks


def test_a_letter_keeps_no_more_than_thirty_marks():
    """Marks beyond them are left out, on each letter anew."""
    run = "\u0301\u0316" * 1000

    assert fewer_marks(f"a{run}b{run}") == f"a{run[:MAX_MARKS]}b{run[:MAX_MARKS]}"


@pytest.mark.parametrize("text", ["Đặng Thị Ngọc", "क्षत्रिय", "e\u0301" * 50, "—" * 50, "♪" * 50])
def test_ordinary_text_stays(text):
    """Languages with many marks, and long runs of other signs, are not changed."""
    assert fewer_marks(text) == text


@given(st.text(st.sampled_from("a\u0301\u0316\u3099\u0344 \x00\ud800é")))
def test_cleaned_text_can_be_stored(text):
    """It is valid UTF-8 without NUL, and never has a long run of marks."""
    stored = cleaned(text)

    assert "\0" not in stored.encode("utf-8").decode("utf-8")
    marks = "".join("m" if unicodedata.combining(c) else " " for c in stored)
    assert max(map(len, marks.split()), default=0) <= MAX_MARKS
