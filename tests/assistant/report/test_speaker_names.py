"""Names of speakers in title case."""

from __future__ import annotations

import pytest

from assistant.report.speaker_names import shown_name


@pytest.mark.parametrize(
    ("speaker", "name"),
    [
        ("ACHTERBERG", "Achterberg"),
        ("ELIZABETH WARREN", "Elizabeth Warren"),
        ("JD VANCE", "JD Vance"),
        ("MCDONALD-O'HARA", "McDonald-O'Hara"),
        ("URSULA VON DER LEYEN", "Ursula von der Leyen"),
        ("VAN DYKE", "Van Dyke"),
        ("CNN MODERATOR", "CNN Moderator"),
        ("SPEAKER 1", "Speaker 1"),
        ("Alma Reyes", "Alma Reyes"),
        ("deGrasse", "deGrasse"),
        ("李明", "李明"),
        ("Q", "Q"),
    ],
)
def test_a_name_in_capitals_is_shown_in_title_case(speaker, name):
    assert shown_name(speaker) == name
