"""The progress of a whole check over all its stages, with the time left.

Each stage has a weight, its seconds in a check of the sample debate on two cores (26 Nov 2026). A
slower or longer check keeps about the same proportions: the pace so far scales what is left.
"""

from __future__ import annotations

from typing import NamedTuple

from assistant.jobs.job_state import JobProgress


class StageWeight(NamedTuple):
    """A stage of a check, and how long it takes in seconds."""

    stage: str
    seconds: float


CHECK_STAGES = (
    StageWeight("loading the models", 4),
    StageWeight("looking for check-worthy sentences", 22),
    StageWeight("searching the fact-checks", 2),
    StageWeight("comparing words", 1),
    StageWeight("comparing meaning", 2),
    StageWeight("comparing wording", 2),
    StageWeight("searching with the context", 2),
    StageWeight("comparing words", 1),
    StageWeight("comparing meaning", 1),
    StageWeight("comparing wording", 6),
    StageWeight("looking for agreement and contradiction", 7),
    StageWeight("ranking", 1),
    StageWeight("reading the best matches again", 31),
)
WHOLE_S = sum(weight.seconds for weight in CHECK_STAGES)
# The finished share of a check from which its own pace tells how long the other stages take.
MEASURED_SHARE = 0.1
MIN_PACE = 0.01
# A stage that does not count its work is not done until it ends.
MAX_STAGE_SHARE = 0.95


class WholeProgress(NamedTuple):
    """The finished share of a check, 0 to 1, and the estimated seconds left."""

    share: float
    seconds_left: float


def stage_position(stage: str, earlier: int) -> int | None:
    """Return the position of a stage at or after an earlier one, None if a check has no such stage.

    Some stages come twice.
    """
    for position in range(earlier, len(CHECK_STAGES)):
        if CHECK_STAGES[position].stage == stage:
            return position
    return None


def whole_progress(progress: JobProgress, now: float) -> WholeProgress | None:
    """Return the progress of the whole check, None if the stage is not one of a check."""
    stage_position = progress.position
    if stage_position is None or not progress.run_started:
        return None
    # The seconds that passed until this stage, and in it.
    before_stage_s = max(progress.started - progress.run_started, 0.0)
    in_stage_s = max(now - progress.started, 0.0)
    # A weight is how long a stage took in one check; the pace is how long its seconds take now.
    earlier_weight_s = sum(weight.seconds for weight in CHECK_STAGES[:stage_position])
    stage_weight_s = CHECK_STAGES[stage_position].seconds
    pace = _pace(before_stage_s, earlier_weight_s, otherwise=1.0)
    if progress.done and progress.total:
        done_share_of_stage = min(progress.done / progress.total, 1.0)
    else:
        expected_s = stage_weight_s * max(pace, MIN_PACE)
        done_share_of_stage = min(in_stage_s / expected_s, MAX_STAGE_SHARE)
    done_weight_s = earlier_weight_s + stage_weight_s * done_share_of_stage
    pace = _pace(before_stage_s + in_stage_s, done_weight_s, otherwise=pace)
    seconds_left = (WHOLE_S - done_weight_s) * pace
    return WholeProgress(done_weight_s / WHOLE_S, seconds_left)


def _pace(real_s: float, weight_s: float, *, otherwise: float) -> float:
    """Return the real seconds per second of weight, ``otherwise`` if too little is done to tell."""
    is_measured = weight_s >= MEASURED_SHARE * WHOLE_S
    return real_s / weight_s if is_measured else otherwise
