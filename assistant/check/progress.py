"""Progress of a check: the stages that a reporter reads while it works, and how it is cancelled."""

from __future__ import annotations

from collections.abc import Callable

from assistant.core.errors import Cancelled
from assistant.core.progress_callback import Progress

STAGES = {
    "bm25": "comparing words",
    "sbert": "comparing meaning",
    "simcse": "comparing meaning",
    "bertscore": "comparing wording",
    "nli": "looking for agreement and contradiction",
    "reread": "reading the best matches again",
}


def cancellable_progress(
    progress: Progress | None, cancelled: Callable[[], bool] | None
) -> Progress:
    """Return a progress that names the stage of each measure family in words and stops a check that is cancelled.

    It raises Cancelled, at the next stage, once ``cancelled`` says so.
    """

    def report(stage: str, done: int, total: int) -> None:
        if cancelled and cancelled():
            raise Cancelled("The check was stopped. Nothing was stored.")
        if progress:
            progress(STAGES.get(stage, stage), done, total)

    return report
