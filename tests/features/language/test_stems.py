"""Words of little content, and what the others are about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.language.function_words import FILLER_WORDS
from features.language.stems import topic


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bankrupted", "bankruptcy"),
        ("losing", "lost"),
        ("raise", "raised"),
        ("immigrants", "immigration"),
        ("kids", "children"),
        ("physicians", "doctor"),
    ],
)
def test_forms_and_synonyms_are_about_one_thing(one: str, other: str) -> None:
    """Endings, irregular forms and near synonyms do not matter."""
    assert topic(one) == topic(other) != ""


@pytest.mark.parametrize("word", [*sorted(FILLER_WORDS)[:5], "haven't", "a", "16", "%", ""])
def test_what_tells_nothing_has_no_topic(word: str) -> None:
    """Small words, denials, figures and signs."""
    assert topic(word) == ""


@given(st.text("abcdefghijklmnopqrstuvwxyz'", max_size=20))
def test_a_topic_is_short(word: str) -> None:
    """Six letters at most, of any word."""
    assert len(topic(word)) <= 6
