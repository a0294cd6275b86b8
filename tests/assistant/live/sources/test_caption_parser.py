"""Lines of growing text become units, whatever shape they have."""

from __future__ import annotations

import pytest

from assistant.live.live_lines import LineCut
from assistant.live.sources.caption_parser import Captions


def fed(*lines):
    captions = Captions("test")
    came = [
        unit
        for line_number, line in enumerate(lines)
        for unit in captions.feed(str(line_number), line)
    ]
    return came + captions.flush()


def parts(units):
    return [(u.speaker, u.text, u.start, u.end) for u in units]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["Taxes rose", "Nobody came"], [(None, "Taxes rose", None, None), (None, "Nobody came", None, None)]),
        (["0 1923  Taxes", "1923 3846  rose."], [(None, "Taxes", 0.0, 1.923), (None, "rose.", 1.923, 3.846)]),
        (["00:00:01,000|00:00:03,500|CC1|RU2|TAXES ROSE."], [(None, "TAXES ROSE.", 1.0, 3.5)]),
        (["20261120164312.345|20261120164313.345|CC1|POP|TAXES ROSE."], [(None, "TAXES ROSE.", None, None)]),
        (["ANA REYES: Taxes", "Fell"], [("ANA REYES", "Taxes", None, None), ("ANA REYES", "Fell", None, None)]),
        ([">> REYES: TAXES ROSE. >> NO."], [("REYES", "TAXES ROSE.", None, None), (None, "NO.", None, None)]),
    ],
    ids=["plain", "whisper_streaming", "ttxt", "ucla", "labels", "chevrons"],
)  # fmt: skip
def test_a_line_is_a_unit(rows, expected):
    """Plain lines, timed lines and broadcast captions; a label holds until the next."""
    assert parts(fed(*rows)) == expected


def test_cues_are_units_numbers_and_headers_are_not():
    """SRT and WebVTT, numbers that begin anew, a missing blank line, a note, tags and voices."""
    units = fed(
        "WEBVTT", "", "NOTE a remark", "of two lines", "", "1", "00:00:01.000 --> 00:00:02.500", "<i>Taxes</i>",
        "rose.", "1", "00:00:03,000 --> 00:00:04,000 align:start", "<v Ana Reyes>They fell.", "",
    )  # fmt: skip

    assert parts(units) == [(None, "Taxes rose.", 1.0, 2.5), ("Ana Reyes", "They fell.", 3.0, 4.0)]
    assert {LineCut.AUTO} == {u.cut for u in units}


NAMED_CUES = (
    "WEBVTT", "", "Ana Reyes", "00:01.000 --> 00:02.000", "Taxes rose.", "",
    "2 - Ben Ode", "00:03.000 --> 00:04.000", "Is that so?", "",
    "Ana Reyes", "00:05.000 --> 00:06.000", "It is.", "",
    "2 - Ben Ode", "00:07.000 --> 00:08.000", "Thank you.", "",
)  # fmt: skip


def test_identifiers_of_cues_name_their_speakers():
    """They do once one comes again; the cues before it are returned again."""
    latest = {unit.unit: (unit.speaker, unit.text) for unit in fed(*NAMED_CUES)}

    assert list(latest.values()) == [
        ("Ana Reyes", "Taxes rose."),
        ("Ben Ode", "Is that so?"),
        ("Ana Reyes", "It is."),
        ("Ben Ode", "Thank you."),
    ]


@pytest.mark.parametrize("tail", [[""], [], ["Nobody came."]])
def test_a_line_between_cues_that_is_no_identifier_is_said(tail):
    said = [text for _, text, *_ in parts(fed(*NAMED_CUES[:6], "They fell.", *tail))]

    assert said[1] == "They fell."


def test_identifiers_that_differ_are_no_speakers():
    cues = [
        row
        for number, name in enumerate(("intro", "taxes", "outro"))
        for row in (name, f"00:0{number}.000 --> 00:0{number}.900", "We built 400 schools.", "")
    ]

    assert {unit.speaker for unit in fed("WEBVTT", "", *cues)} == {None}


def test_an_open_cue_is_shown_and_stays_open():
    """What is there of a cue may be shown; the same unit comes again, complete."""
    captions = Captions("test")
    for line_number, line in enumerate(("1", "00:00:01,000 --> 00:00:02,500", "Taxes")):
        captions.feed(str(line_number), line)

    (shown,) = captions.preview("1")
    captions.feed("3", "rose.")
    (whole_line,) = captions.feed("4", "")

    assert (shown.final, shown.text, whole_line.final, whole_line.text) == (
        False,
        "Taxes",
        True,
        "Taxes rose.",
    )
    assert shown.unit == whole_line.unit
