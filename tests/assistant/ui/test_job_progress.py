"""The progress of a job in words."""

from __future__ import annotations

import pytest

from assistant.check.preview import Glimpse
from assistant.core.domain import Sentence
from assistant.jobs.job_state import Job, JobProgress, JobState
from assistant.ui.job_progress import preview_html, progress_words, time_left


@pytest.mark.parametrize(
    ("job", "said"),
    [
        (Job("a", "t", jobs_ahead=2), "Waiting for 2 checks before it"),
        (Job("a", "t"), "About to start"),
        (Job("a", "t", JobState.RUNNING), "Starting"),
        (Job("a", "t", JobState.RUNNING, JobProgress("ranking")), "Ranking"),
        (Job("a", "t", JobState.RUNNING, JobProgress("articles")), "Reading their articles"),
        (
            Job(
                "a", "t", JobState.RUNNING, JobProgress("comparing words", 1000, 2000, started=60.0)
            ),
            "Comparing words: 1,000 of 2,000, about 40 seconds left",
        ),
        (
            Job("a", "t", JobState.RUNNING, JobProgress("comparing words", 0, 412, started=100.0)),
            "Comparing words: 0 of 412, time left not known yet",
        ),
    ],
)
def test_progress_is_said_in_plain_words(job, said):
    """Stage, n of m, time left; or what it waits for. The clock shows 100 seconds."""
    assert progress_words(job, 100.0) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (None, "time left not known yet"),
        (4, "a few seconds left"),
        (43, "about 40 seconds left"),
        (95, "about 2 minutes left"),
    ],
)
def test_time_left_is_rounded(seconds, said):
    """A rest of time does not jump about."""
    assert time_left(seconds) == said


def test_the_first_look_shows_texts_as_they_are() -> None:
    """Nothing in a sentence or a statement is taken for markup."""
    html = preview_html(
        [Glimpse(Sentence(1, 1, "Taxes <b>fell</b>"), "Taxes & fees fell", "Mostly True")]
    )

    assert "Taxes &lt;b&gt;fell&lt;/b&gt;" in html
    assert "Mostly True: Taxes &amp; fees fell" in html
