"""Languages are detected, English ones almost never lost.

A transcript that is not English gets a warning.
"""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from assistant.transcripts import language, read_bytes
from assistant.transcripts.language import declared, detect, guessed

SPANISH = (
    "En mil novecientos veintiocho las mujeres éramos algo así como adornos que se llevaban a las fiestas para "
    "presumir de ellos, objetos sin poder de opinión ni decisión, porque la vida no era fácil para nadie."
)
GERMAN = "Die Brücke ist seit dem Jahr neunzehnhundert offen und sie hat uns mehr gekostet als alle anderen zusammen."
ENGLISH = (
    "We built nine bridges in the last ten years, and this government has not paid for one of them."
)
CAPITALS = (
    "WE BUILT NINE BRIDGES IN THE LAST TEN YEARS AND THIS GOVERNMENT HAS NOT PAID FOR ONE OF THEM."
)


@pytest.mark.parametrize("code", ["en", "en-US", "eng", "english", "en_us", "", "und"])
def test_english_and_unknown_are_no_warning(code: str) -> None:
    """Codes and names of English, and nothing at all."""
    assert declared(code) == []


def test_another_language_is_reported() -> None:
    """The warning names the language as the file does."""
    assert declared("sv") == [
        "the file says that its language is sv; Lectern compares English only"
    ]


@pytest.mark.parametrize("text", [SPANISH, GERMAN])
def test_text_that_is_not_english_is_noticed(text: str) -> None:
    """By its commonest words."""
    assert guessed(text) == ["the text does not look like English; Lectern compares English only"]


@pytest.mark.parametrize("text", [ENGLISH, CAPITALS, "Bonjour à tous.", ""])
def test_english_and_short_text_are_left_alone(text: str) -> None:
    """A text too short to show its language gets no warning."""
    assert guessed(text) == []


def test_a_transcript_in_another_language_is_read_with_a_warning() -> None:
    """Nothing is refused: the reporter may know better."""
    transcript = read_bytes(SPANISH.encode(), "debate.txt")

    assert (
        "the text does not look like English; Lectern compares English only" in transcript.warnings
    )


@pytest.mark.parametrize(
    "text", ["Caption text #1 " * 6, "Lorem ipsum dolor sit amet, consectetur adipiscing. " * 2]
)
def test_the_model_decides_where_common_words_are_rare(text: str) -> None:
    """Headings of a sample file are English though none of its commonest words is among them.

    Filler text is not.
    """
    assert text.startswith("Caption") == (guessed(text) == [])


def test_an_ordinary_transcript_does_not_wait_for_the_model(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Common English words settle it before the model is loaded."""
    monkeypatch.setattr(language, "detect", lambda text: pytest.fail("the model was asked"))
    assert guessed(f"{ENGLISH} {CAPITALS}") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Says the unemployment rate has never been this low in the history of the state.", "en"),
        ("La vacuna contra la gripe no protege a los mayores de sesenta años.", "es"),
        ("Le vaccin contre la grippe ne protège pas les personnes âgées.", "fr"),
        ("Der Impfstoff schützt ältere Menschen nicht vor der Grippe.", "de"),
        ("O vídeo mostra uma urna eletrônica que não aceita o voto.", "pt"),
        ("Foto itu memperlihatkan antrean panjang di bandara kemarin.", "id"),
        ("वीडियो में दिखाया गया पुल पिछले साल टूटा था।", "hi"),
        ("यह तस्वीर 2015 की है", "hi"),
        ("Zdjęcie przedstawia most, który zawalił się w zeszłym roku.", "pl"),
        ("", "en"),
        ("2020: 45 %", "en"),
    ],
)
def test_detect(text, expected):
    """The language of a statement is found; a text without letters counts as English."""
    assert detect(text) == expected


@pytest.mark.data
def test_english_statements_are_kept():
    """Of 19,250 English statements fewer than 3 in a thousand are taken for another language."""
    folder = os.environ.get("LECTERN_DATA")
    if not folder:
        pytest.skip("LECTERN_DATA names no data folder")
    with gzip.open(
        Path(folder) / "politifact" / "claims.jsonl.gz", "rt", encoding="utf-8"
    ) as lines:
        statements = [json.loads(line)["statement"] for line in lines]

    lost = sum(detect(statement) != "en" for statement in statements)

    assert lost / len(statements) < 0.003
