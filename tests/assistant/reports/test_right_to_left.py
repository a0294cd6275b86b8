"""Right-to-left words are joined and in the order in which they are drawn."""

from __future__ import annotations

import unicodedata

import pytest

from assistant.reports.right_to_left import MAX_DRAWN_CHARACTERS, in_drawing_order


def read(line: str) -> str:
    """Return drawn Arabic words as they are read: from the right, without joined forms."""
    words = line.replace("\u00a0", " ")
    return unicodedata.normalize("NFKC", words[::-1])


@pytest.mark.parametrize("text", ["Łukasz Żółć", "王小明 😀", "नरेन्द्र", "", "3 (of) 5"])
def test_other_words_stay_as_they_are(text):
    assert in_drawing_order(text) == text


@pytest.mark.parametrize("name", ["محمد", "تحقق", "فاطمة الزهراء"])
def test_an_arabic_name_is_joined_and_runs_from_the_right(name):
    line = in_drawing_order(name)

    assert read(line) == name
    assert any(unicodedata.decomposition(letter) for letter in line)


def test_a_hebrew_name_among_other_words():
    assert in_drawing_order("from כהן in 2019") == "from ןהכ in 2019"


def test_a_number_and_brackets_between_right_to_left_words():
    assert in_drawing_order("של (25%) שלום") == "םולש\u00a0(25%)\u00a0לש"


def test_the_full_stop_of_a_right_to_left_sentence_is_at_its_left_end():
    assert in_drawing_order("שלום.") == ".םולש"


def test_a_vowel_mark_stays_with_its_letter():
    assert in_drawing_order("בָּא") == "אבָּ"


def test_a_long_passage_is_in_lines_from_top_to_bottom():
    passage = " ".join(["שלום"] * 30)

    lines = in_drawing_order(passage).split("\n")

    assert max(map(len, lines)) <= MAX_DRAWN_CHARACTERS
    assert sum(line.count("םולש") for line in lines) == 30
