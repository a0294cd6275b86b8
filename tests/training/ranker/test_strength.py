"""The thresholds of match strength: how they are chosen from read pairs, and their figures."""

from __future__ import annotations

import pytest

from assistant.core.domain import Strength
from assistant.report.measured_strength import (
    AS_OF_EVENT,
    MORNING_AFTER,
    StrengthThresholds,
)
from ranking.tier_thresholds import LIKELY, NONE, POSSIBLE
from training.ranker.strength import (
    ScoredPair,
    StepFigures,
    best_pairs,
    chosen_thresholds,
    figures_of,
    main,
    step_of,
    usable_pairs,
    with_intervals,
)
from training.shared.readings import NO, PART, SETTLED

THRESHOLDS = StrengthThresholds(strong=1.5, good=-1.0)


def pair(
    line: int,
    log_odds: float,
    label: str = SETTLED,
    *,
    was_published: bool = True,
    tier_number: int = LIKELY,
    has_doubt: bool = False,
) -> ScoredPair:
    """A read pair of one debate."""
    return ScoredPair("20160926", line, label, was_published, log_odds, tier_number, has_doubt)


@pytest.mark.parametrize(
    ("scored", "expected"),
    [
        (pair(1, 2.0), Strength.STRONG),
        (pair(1, 2.0, has_doubt=True), Strength.GOOD),
        (pair(1, 0.0)._replace(verbatim=True), Strength.STRONG),
        (pair(1, 2.0, tier_number=POSSIBLE), Strength.GOOD),
        (pair(1, -2.0, tier_number=POSSIBLE), Strength.POSSIBLE),
        (pair(1, -4.0, tier_number=NONE), None),
    ],
)
def test_a_read_pair_has_the_strength_that_a_match_would_have(scored, expected):
    """The product's own rule decides."""
    assert step_of(scored, THRESHOLDS) is expected


def test_the_best_pair_stands_for_its_sentence():
    """The one with the highest log-odds."""
    pairs = [pair(1, 0.5), pair(2, 0.1), pair(1, 2.0), pair(1, 1.0)]

    assert [(best.line, best.log_odds) for best in best_pairs(pairs)] == [(1, 2.0), (2, 0.1)]


def test_on_the_night_only_earlier_fact_checks_count():
    """The morning after has them all."""
    pairs = [pair(1, 2.0, was_published=False), pair(1, 0.5)]

    assert [len(usable_pairs(pairs, setting)) for setting in (MORNING_AFTER, AS_OF_EVENT)] == [2, 1]


def test_figures_count_rows_and_the_settled_sentences_that_a_step_finds():
    """A sentence whose best pair does not settle it is not found, though another pair would."""
    pairs = [
        pair(1, 2.0),
        pair(2, 2.0, PART),
        pair(2, 0.0),
        pair(3, 0.0, NO),
        pair(4, 0.0, was_published=False),
    ]
    figures = figures_of(pairs, THRESHOLDS)

    assert figures[MORNING_AFTER][Strength.STRONG] == StepFigures(2, 0.5, 1.0, 1 / 3)
    assert figures[MORNING_AFTER][Strength.GOOD] == StepFigures(2, 0.5, 0.5, 1 / 3)
    assert figures[AS_OF_EVENT][Strength.GOOD] == StepFigures(1, 0.0, 0.0, 0.0)


def test_the_lowest_thresholds_that_are_right_enough_are_chosen():
    """Strong stops above the band with too few settled ones, good above that with too few of use."""
    settled = [pair(line, 1.8) for line in range(10)]
    in_part = [pair(line, 1.55, PART) for line in range(10, 20)]
    of_use = [pair(line, 0.3, PART) for line in range(20, 30)]
    useless = [pair(line, -0.2, NO) for line in range(30, 50)]

    chosen = chosen_thresholds([*settled, *in_part, *of_use, *useless])

    assert chosen[:2] == (1.75, 0.0)


def test_a_lower_threshold_is_chosen_for_pairs_without_an_open_part():
    """Strong matches that leave a part open do not lower it, nor hold it up."""
    settled = [pair(line, 1.8) for line in range(10)]
    whole = [pair(line, 0.8)._replace(has_open_part=False) for line in range(10, 20)]
    in_part = [pair(line, 0.8, PART) for line in range(20, 30)]
    whole_in_part = [pair(line, 0.3, PART)._replace(has_open_part=False) for line in range(30, 35)]

    chosen = chosen_thresholds([*settled, *whole, *in_part, *whole_in_part])

    assert (chosen.strong, chosen.whole) == (1.5, 0.5)


def test_both_settings_must_be_right_enough():
    """Pairs that are right on the morning after only do not lower a threshold."""
    after = [pair(line, 1.6, was_published=False) for line in range(90)]
    earlier = [pair(line, 1.6, PART) for line in range(90, 95)]

    assert chosen_thresholds([*after, *earlier]).strong == 1.75


def test_the_same_seed_draws_the_same_intervals():
    """Each share stands between its bounds."""
    pairs = [
        pair(line, 2.0, SETTLED if line % 4 else PART)._replace(debate=f"debate {line % 3}")
        for line in range(30)
    ]
    figures = with_intervals(pairs, THRESHOLDS, 17)
    share, low, high = figures[MORNING_AFTER]["strong"]["settled"]

    assert figures == with_intervals(pairs, THRESHOLDS, 17)
    assert low <= share <= high


def test_without_data_the_script_ends_in_one_line(tmp_path, capsys):
    """The data folder is not part of the repository."""
    assert main(["--data", str(tmp_path), "--index", str(tmp_path)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
