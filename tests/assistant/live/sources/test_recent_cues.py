"""Lines that arrive together are read as if each had been read on arrival."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.live.live_lines import Line
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.recent_cues import MAX_RECENT_CUES

TEXTS = (
    "We built 400 schools in ten years.",
    "HALE: Good evening.",
    "Tom Abara: Thank you.",
    "tom: no",
    ">> Is that so?",
    ">> HALE: It is so.",
    "- Yes.",
    "[Ana] We did.",
    "(applause)",
    "He told the truth. HALE: Then why?",
    "Correction: it was 390.",
    "unem-",
    "",
)


def lines_of(texts: list[str], bursts: list[int]) -> dict[str, Line]:
    """Return the latest reading of each unit, if the texts arrive in bursts of these sizes."""
    captions = Captions("test", clock=itertools.count(1.0).__next__)
    latest: dict[str, Line] = {}
    numbered_texts = iter(enumerate(texts))
    for size in itertools.cycle(bursts):
        burst = list(itertools.islice(numbered_texts, size))
        if not burst:
            break
        captions.is_burst = True
        lines = [line for key, text in burst for line in captions.feed(str(key), text)]
        lines += captions.catch_up()
        latest.update((line.unit, line) for line in lines)
    latest.update((line.unit, line) for line in captions.flush())
    return {unit: line for unit, line in latest.items() if line.text}


def cues_of(texts: list[str]) -> list[str]:
    """Return the lines of an SRT file with these cues, one per second."""
    rows = []
    for number, text in enumerate(texts):
        minute, second = divmod(number, 60)
        rows += [f"00:{minute:02}:{second:02},000 --> 00:{minute:02}:{second:02},900", text, ""]
    return rows


@given(st.lists(st.sampled_from(TEXTS), max_size=150), st.lists(st.integers(1, 90), min_size=1))
def test_bursts_of_lines_change_nothing(texts, bursts):
    assert lines_of(texts, bursts) == lines_of(texts, [1])


@given(st.lists(st.sampled_from(TEXTS), max_size=90), st.lists(st.integers(1, 90), min_size=1))
def test_bursts_of_cues_change_nothing(texts, bursts):
    rows = cues_of(texts)

    assert lines_of(rows, bursts) == lines_of(rows, [1])


def test_a_name_that_was_confirmed_long_ago_stays_a_label():
    labelled = ["Tom: Yes.", "Ana: No."] * 2
    spoken = labelled + ["We built schools."] * (2 * MAX_RECENT_CUES)

    lines = lines_of([*spoken, "Ana: It rained."], [7])

    assert lines[str(len(spoken))].speaker == "Ana"


@pytest.mark.parametrize("size", [1, 1000])
def test_who_spoke_long_ago_still_speaks(size):
    lines = lines_of(["HALE: Good evening."] + ["We built schools."] * 200, [size])

    assert {line.speaker for line in lines.values()} == {"HALE"}
