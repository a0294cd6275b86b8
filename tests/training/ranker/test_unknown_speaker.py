"""The value of a missing speaker is chosen by comparison with the matches that have names."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from assistant.check.rankers import LECTERN, PairsFirst, load
from features.models.weight_files import MODELS
from features.similarity.input_catalogue import NAMES
from training.ranker.likely_border import FILE, SAME_SPEAKER, Row
from training.ranker.unknown_speaker import chosen, main, write

NAMED = Row(0.0, 50, 0.7, 0.95, 0.4)


def test_the_highest_value_that_is_right_as_often_as_with_names_is_chosen() -> None:
    """Matches have to be settled as often, both wholly and in part."""
    nameless = {
        0.0: Row(0.0, 30, 0.8, 1.0, 0.3),
        0.5: Row(0.0, 40, 0.7, 0.95, 0.4),
        0.75: Row(0.0, 45, 0.75, 0.94, 0.4),
        1.0: Row(0.0, 50, 0.6, 0.96, 0.5),
    }
    assert chosen(NAMED, nameless) == 0.5
    assert chosen(NAMED, {0.25: nameless[0.75], 1.0: nameless[1.0]}) == 0.25


def test_the_value_is_written_with_its_card(tmp_path: Path) -> None:
    """Pairs with a speaker keep their scores; the file has a digest of its own."""
    shutil.copy(MODELS / FILE, tmp_path)
    old_ranker = load(LECTERN, tmp_path)

    write(tmp_path, 0.25, Row(0.0, 8, 0.5, 0.75, 0.5))

    new_ranker = load(LECTERN, tmp_path)
    assert new_ranker.digest != old_ranker.digest
    assert '"value": 0.25' in (tmp_path / FILE).read_text("utf-8")
    assert isinstance(old_ranker, PairsFirst)
    assert isinstance(new_ranker, PairsFirst)
    inputs = np.random.default_rng(5).random((3, len(NAMES)))
    inputs[:, NAMES.index(SAME_SPEAKER)] = (0, 1, np.nan)
    kind = np.zeros(3, int)
    assert old_ranker.sureness is not None
    assert new_ranker.sureness is not None
    scores = new_ranker.sureness.score(inputs, kind)
    assert scores[:2] == pytest.approx(old_ranker.sureness.score(inputs[:2], kind[:2]))
    inputs[2, NAMES.index(SAME_SPEAKER)] = 0.25
    assert scores[2] == pytest.approx(old_ranker.sureness.score(inputs[2:], kind[2:])[0])


def test_no_value_is_chosen_where_it_is_tested(capsys: pytest.CaptureFixture[str]) -> None:
    """On test debates only the shipped value is measured."""
    with pytest.raises(SystemExit):
        main(["--data", "DIR", "--half", "test", "--write"])
    assert "leave out --half test" in capsys.readouterr().err
