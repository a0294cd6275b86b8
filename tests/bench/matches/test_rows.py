"""The figures of the list: what a row counts as, and which pairs are still to be read."""

from types import SimpleNamespace

import numpy as np
import pytest

from assistant.core.domain import Tier
from bench.matches import rows
from training.shared.debates import SEVEN
from training.shared.lists import Listed, Row
from training.shared.readings import NO, PART, SETTLED, TEACH, halves, read


@pytest.fixture
def lists():
    """Two debates of four and six sentences: three rows, one of them unread, and one row."""
    tiers = (Tier.LIKELY, Tier.POSSIBLE, Tier.POSSIBLE)
    first_rows = [Row(line, f"c{line}", tier, -line, 0.0) for line, tier in enumerate(tiers, 1)]
    first_debate = SimpleNamespace(name="one", lines=[1, 2, 3, 4])
    other_debate = SimpleNamespace(name="other", lines=[1, 2, 3, 4, 5, 6])
    return [
        Listed(
            first_debate,
            first_rows,
            [SETTLED, "", PART],
            [(1, True), (0, False)],
            [(True, True, False)],
        ),
        Listed(
            other_debate,
            first_rows[:1],
            [NO],
            [(31, False)],
            [(False, False, False), (True, False, False)],
        ),
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rows 1 to 10 settled", 1 / 4),
        ("rows 1 to 10 settled or in part", 2 / 4),
        ("rows 11 to 20 settled", 0.0),
        ("rows 1 to 20 settled", 1 / 4),
        ("nDCG of settled rows, 20 rows", 1 / (1 + 1 / np.log2(3)) / 2),
        ("all rows unread", 1 / 4),
        ("rows for 1,000 sentences", 400.0),
        ("likely settled", 1 / 2),
        ("settled passages in the first 30 rows", 1 / 3),
        ("settled passages listed or folded", 2 / 3),
        ("settled passages likely", 1 / 3),
        ("linked sentences kept", 2 / 3),
        ("linked sentences with the right claim searched", 1 / 3),
        ("best possible rows 1 to 10 settled", 0.15),
    ],
)
def test_a_row_counts_as_its_pair_was_read(lists, name, value):
    """A pair that nobody has read counts as no."""
    assert rows.FIGURES[name](lists) == pytest.approx(value)


def test_an_interval_holds_its_figure(lists):
    """Debates are drawn again, with a seed."""
    value, low, high = rows.with_interval(rows.FIGURES["all rows settled or in part"], lists)
    assert low <= value <= high
    assert [value, low, high] == rows.with_interval(
        rows.FIGURES["all rows settled or in part"], lists
    )


def test_unread_pairs_are_listed(lists):
    """With debate, line and claim."""
    assert rows.unread(lists) == ["one\t2\tc2"]


def test_debates_that_the_re_ranker_has_not_learnt_from_are_on_its_card():
    """They are of the half that teaches, the annotated ones of that half among them."""
    half = halves({debate for debate, _, _ in read()})
    apart = rows.unlearnt()
    assert apart
    assert {TEACH} == {half[name] for name in apart}
    assert {name for name in SEVEN if half[name] == TEACH} <= apart
