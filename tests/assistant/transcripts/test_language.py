"""Warnings about transcripts that are not English."""

from __future__ import annotations

import pytest

from assistant.transcripts import read_bytes
from assistant.transcripts.language import declared, guessed

SPANISH = (
    "En mil novecientos veintiocho las mujeres éramos algo así como adornos que se llevaban a las fiestas para "
    "presumir de ellos, objetos sin poder de opinión ni decisión, porque la vida no era fácil para nadie."
)
GERMAN = "Die Brücke ist seit dem Jahr neunzehnhundert offen und sie hat uns mehr gekostet als alle anderen zusammen."
ENGLISH = "We built nine bridges in the last ten years, and this government has not paid for one of them."
CAPITALS = "WE BUILT NINE BRIDGES IN THE LAST TEN YEARS AND THIS GOVERNMENT HAS NOT PAID FOR ONE OF THEM."


@pytest.mark.parametrize("code", ["en", "en-US", "eng", "english", "en_us", "", None, "und"])
def test_english_and_unknown_are_no_warning(code: str | None) -> None:
    """Codes and names of English, and nothing at all."""
    assert [] == declared(code)


def test_another_language_is_told() -> None:
    """The warning names the language as the file does."""
    assert ["the file says that its language is sv; Lectern compares English only"] == declared("sv")


@pytest.mark.parametrize("text", [SPANISH, GERMAN])
def test_text_that_is_not_english_is_noticed(text: str) -> None:
    """By its commonest words."""
    assert ["the text does not look like English; Lectern compares English only"] == guessed(text)


@pytest.mark.parametrize("text", [ENGLISH, CAPITALS, "Bonjour à tous.", ""])
def test_english_and_short_text_are_left_alone(text: str) -> None:
    """Too short to tell is no warning."""
    assert [] == guessed(text)


def test_a_transcript_in_another_language_is_read_with_a_warning() -> None:
    """Nothing is refused: the reporter may know better."""
    transcript = read_bytes(SPANISH.encode(), "debate.txt")

    assert "the text does not look like English; Lectern compares English only" in transcript.warnings
