"""Times, mark-up and repeated lines of caption cues."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.transcripts.cues import Cue, once, out_of_order, plain, seconds, span, unroll

WORDS = st.lists(st.sampled_from("we build nine bridges and close the old mill no yes".split()), min_size=1, max_size=5)


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
    assert expected == seconds(clock)


def test_an_end_before_the_start_is_dropped_and_told() -> None:
    """The warning says what was found, where, and what was kept."""
    start, end, warning = span("00:01:02,0", "00:00:58,1", "debate.srt:41")
    assert (62.0, None) == (start, end)
    assert warning == "debate.srt:41: end 00:00:58,1 is before start 00:01:02,0; the cue was kept with its start only"


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
    """Only the tags of captions are mark-up; whatever else stands in angle brackets is text and stays."""
    assert expected == plain(written)


def rolled(lines: list[str]) -> list[Cue]:
    """Each line three times, as YouTube writes them: new, alone for 10 ms, and above the next line."""
    cues = []
    for i, line in enumerate(lines):
        above = [lines[i - 1]] if i else []
        cues.append(Cue(i, "\n".join([*above, line]), 2.0 * i, 2.0 * i + 1.99))
        cues.append(Cue(i, line, 2.0 * i + 1.99, 2.0 * i + 2.0))
    return cues


@given(st.lists(WORDS.map(" ".join), min_size=3, max_size=12))
def test_rolling_captions_give_every_line_once(lines: list[str]) -> None:
    """Whatever the lines are, equal neighbours included, unrolling gives them back."""
    unrolled, _ = unroll(rolled(lines))
    assert lines == [cue.text for cue in unrolled]


def test_a_growing_line_gives_only_what_is_new() -> None:
    """Live captions that grow word by word are not read once for each word."""
    grown = [Cue(1, "we"), Cue(2, "we build"), Cue(3, "we build nine"), Cue(4, "we build nine\nbridges")]
    assert ["we", "build", "nine", "bridges"] == [cue.text for cue in unroll(grown)[0]]


@given(st.lists(WORDS.map(" ".join), min_size=2, max_size=12, unique=True))
def test_captions_that_do_not_roll_stay_as_they_are(lines: list[str]) -> None:
    """Different lines that do not continue one another are left alone."""
    cues = [Cue(i, f"{i} {line}", float(i), i + 1.0) for i, line in enumerate(lines)]
    assert (cues, 0) == unroll(cues)


def test_a_line_said_twice_by_a_person_is_kept() -> None:
    """One repetition is no habit of the file."""
    cues = [Cue(i, text) for i, text in enumerate(["No.", "No.", "I said no.", "And you heard it.", "So did he."])]
    assert (cues, 0) == unroll(cues)


def test_doubles_of_joined_segments_are_read_once() -> None:
    """A cue across the border of two stream segments stands in both."""
    cues = [Cue(1, "a", 0.0, 5.0), Cue(2, "a", 0.0, 5.0), Cue(3, "a", 5.0, 6.0), Cue(4, "x"), Cue(5, "x")]
    assert ([cues[0], cues[2], cues[3], cues[4]], 1) == once(cues)


def test_cues_out_of_order_are_found_by_line() -> None:
    """A cue that starts before the one above it, untimed cues aside."""
    assert [7] == list(out_of_order([Cue(1, "a", 5.0), Cue(4, "b"), Cue(7, "c", 2.0), Cue(9, "d", 3.0)]))
