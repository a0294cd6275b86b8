"""Clock times and mark-up of caption cues."""

from __future__ import annotations

import pytest

from assistant.transcripts.cues import checked_times, seconds_of, without_markup


@pytest.mark.parametrize(
    ("clock", "expected"),
    [
        ("00:00:01,500", 1.5),
        ("00:00:01.500", 1.5),
        ("01:02:03.004", 3723.004),
        ("00:09.209", 9.209),
        ("0:0:3.919", 3.919),
        ("00:00:07", 7.0),
        ("100:00:00.0", 360000.0),
        ("00:00:1d.890", None),
        ("seven", None),
        ("", None),
    ],
)
def test_clock_times(clock: str, expected: float | None) -> None:
    """Hours may be missing, comma and point both count, anything else is no time."""
    assert seconds_of(clock) == expected


def test_an_end_before_the_start_is_dropped_and_reported() -> None:
    """The warning says what was found, where, and what was kept."""
    start, end, warnings = checked_times("00:01:02,0", "00:00:58,1", "debate.srt:41")
    assert (start, end) == (62.0, None)
    assert warnings == [
        "debate.srt:41: end 00:00:58,1 is before start 00:01:02,0; the cue was kept with its start only"
    ]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("<i>rose</i> by <b>two</b>", "rose by two"),
        ("the<00:00:00.480><c> tax</c><c.colorE5E5E5> fell</c></c>", "the tax fell"),
        ('<font color="#fff">white</font>', "white"),
        (r"{\an8}top", "top"),
        ("R&amp;D&nbsp;&lt;5", "R&D <5"),
        ("&gt;&gt; HI", ">> HI"),
        ("two\n  lines \n\n", "two\nlines"),
        ("5 < 6 and 7 > 2", "5 < 6 and 7 > 2"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("I <3 you", "I <3 you"),
    ],
)
def test_markup_goes_and_text_stays(written: str, expected: str) -> None:
    """Only the tags of captions are mark-up; anything else in angle brackets is text and stays."""
    assert without_markup(written) == expected
