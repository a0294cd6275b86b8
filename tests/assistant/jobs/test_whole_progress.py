"""The progress of a whole check: it only rises, and knows the time left from the start."""

from __future__ import annotations

import pytest

from assistant.jobs.job_state import JobProgress
from assistant.jobs.whole_progress import CHECK_STAGES, WHOLE_S, stage_position, whole_progress

STARTED = 1000.0


def progress_at(elapsed_s: float, slowness: float) -> JobProgress:
    """Return the progress of a check that takes each stage so many times as long as the sample."""
    passed_s = 0.0
    for position, weight in enumerate(CHECK_STAGES):
        stage_s = weight.seconds * slowness
        if elapsed_s < passed_s + stage_s or position == len(CHECK_STAGES) - 1:
            break
        passed_s += stage_s
    done = int(100 * (elapsed_s - passed_s) / stage_s)
    started = STARTED + passed_s
    return JobProgress(weight.stage, done, 100, started, 0, position, STARTED)


@pytest.mark.parametrize("slowness", [0.5, 1.0, 3.0])
def test_the_share_only_rises(slowness):
    whole_s = WHOLE_S * slowness
    times = [whole_s * step / 50 for step in range(50)]

    shares = [whole_progress(progress_at(s, slowness), STARTED + s).share for s in times]

    assert shares == sorted(shares)
    assert 0 <= shares[0] <= shares[-1] <= 1


@pytest.mark.parametrize("slowness", [0.5, 1.0, 3.0])
def test_the_time_left_is_within_30_percent_during_80_percent_of_a_check(slowness):
    whole_s = WHOLE_S * slowness
    times = [whole_s * step / 100 for step in range(95)]

    good = 0
    for elapsed_s in times:
        left = whole_progress(progress_at(elapsed_s, slowness), STARTED + elapsed_s).seconds_left
        good += abs(left - (whole_s - elapsed_s)) <= 0.3 * (whole_s - elapsed_s)

    assert good >= 80


def test_a_stage_that_counts_nothing_moves_with_the_time():
    waiting = JobProgress(CHECK_STAGES[1].stage, 0, 1624, STARTED, 0, 1, STARTED)

    early, later = (whole_progress(waiting, STARTED + seconds).share for seconds in (2, 12))

    assert early < later < 1


def test_a_stage_that_comes_twice_is_found_after_the_earlier_one():
    first = stage_position("comparing words", 0)

    second = stage_position("comparing words", first + 1)

    assert CHECK_STAGES[second].stage == "comparing words"
    assert second > first
    assert stage_position("reading the sound", 0) is None


def test_a_job_of_another_process_or_kind_has_no_whole_progress():
    assert whole_progress(JobProgress("comparing words", 1, 2), STARTED) is None
    assert (
        whole_progress(JobProgress("unpacking", 1, 2, STARTED, 0, None, STARTED), STARTED) is None
    )
