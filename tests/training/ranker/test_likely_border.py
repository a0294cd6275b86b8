"""The border of *likely*: what it does to read sentences, and how it is chosen."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from assistant.check.rankers import LECTERN, load
from features.models.weight_files import MODELS
from training.ranker.likely_border import FILE, Row, Sentence, chosen, main, row, write
from training.shared.readings import NO, PART, SETTLED

SENTENCES = [
    Sentence(3.0, SETTLED, True),
    Sentence(2.0, PART, False),
    Sentence(1.0, NO, True),  # another of its matches settles it
    Sentence(0.0, "", False),
    Sentence(-np.inf, SETTLED, True),  # something stands against its match
]


@pytest.mark.parametrize(
    ("border", "expected"),
    [
        (2.5, (1, 1.0, 1.0, 1 / 3)),
        (1.0, (3, 1 / 3, 2 / 3, 2 / 3)),
        (0.0, (4, 0.25, 0.5, 2 / 3)),
        (9.0, (0, 0, 0, 0)),
    ],
)
def test_a_border_divides_the_sentences(border: float, expected: tuple) -> None:
    """What nobody has read is not settled, and what may not be likely is so below no border."""
    assert row(SENTENCES, border)[1:] == pytest.approx(expected)


def test_the_lowest_border_that_is_right_enough_is_chosen() -> None:
    """The highest where none is."""
    border_rows = [Row(0.0, 9, 0, 0.6, 0), Row(1.0, 7, 0, 0.8, 0), Row(2.0, 3, 0, 0.9, 0)]
    assert chosen(border_rows, 0.7) == 1.0
    assert chosen(border_rows, 0.95) == 2.0


def test_the_border_is_written_with_its_card(tmp_path: Path) -> None:
    """Weights and the other borders stay; the file has a digest of its own."""
    shutil.copy(MODELS / FILE, tmp_path)
    old_ranker = load(LECTERN, tmp_path)

    write(tmp_path, 1.25, [Row(1.25, 8, 0.5, 0.75, 0.5)], "--write")

    new_ranker = load(LECTERN, tmp_path)
    assert old_ranker.thresholds._replace(likely=1.25) == new_ranker.thresholds
    assert new_ranker.digest != old_ranker.digest
    assert (
        json.loads((tmp_path / FILE).read_text("utf-8"))["card"]["likely"]["score"]["settled"]
        == 0.5
    )


def test_no_border_is_chosen_where_it_is_tested(capsys: pytest.CaptureFixture[str]) -> None:
    """The half that tests only shows what the shipped border does."""
    with pytest.raises(SystemExit):
        main(["--data", "DIR", "--half", "test", "--write"])
    assert "leave out --half test" in capsys.readouterr().err
