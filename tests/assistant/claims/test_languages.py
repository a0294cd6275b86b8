"""Statements are told apart by language, English ones almost never lost."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from assistant.claims import languages


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
    assert expected == languages.detect(text)


@pytest.mark.data
def test_english_statements_are_kept():
    """Of 19,250 English statements fewer than 3 in a thousand are taken for another language."""
    folder = os.environ.get("LECTERN_DATA")
    if not folder:
        pytest.skip("LECTERN_DATA names no data folder")
    with gzip.open(Path(folder) / "politifact" / "claims.jsonl.gz", "rt", encoding="utf-8") as lines:
        statements = [json.loads(line)["statement"] for line in lines]

    lost = sum(languages.detect(statement) != "en" for statement in statements)

    assert lost / len(statements) < 0.003
