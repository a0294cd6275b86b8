"""Reported live captions, fed as a growing file, are read as ``check`` reads the whole file."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from assistant.live.live_lines import position_at
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.file import FilePosition, _FileReader
from assistant.live.sources.pipe import PipeSource
from assistant.transcripts import reader
from tests.assistant.live.following import arrivals, said
from tests.assistant.transcripts.reported import GOLDEN

LIVE_GOLDEN = GOLDEN.parent / "reported_live"
WAGE = "The federal minimum wage has stayed at $7.25 an hour since July 2009."


def live_names():
    expectations = sorted(GOLDEN.glob("*.expected.json"))
    return [
        path.name.removesuffix(".expected.json")
        for path in expectations
        if json.loads(path.read_text(encoding="utf-8")).get("live")
    ]


def grown(log, path: Path, data: bytes, *, restart_after: int = -1):
    """Follow a file that grows line by line into the log; return what stands there."""
    captions_reader = _FileReader("file", FilePosition())
    cursor = ""
    clock = itertools.count(1001.0)
    path.touch()
    for number, row in enumerate(data.splitlines(keepends=True)):
        if number == restart_after:
            captions_reader.close()
            captions_reader = _FileReader("file", position_at(FilePosition, cursor))
        with path.open("ab") as output:
            output.write(row)
        for arrival in captions_reader.poll(path):
            cursor = cursor if arrival.cursor is None else arrival.cursor
            log.store_lines("city", "file", arrival.lines, now=next(clock), cursor=cursor)
    path.unlink()
    for arrival in captions_reader.finish_gone_file():
        log.store_lines("city", "file", arrival.lines, now=next(clock))
    return said(log)


def checked(data: bytes, name: str):
    """Return what ``check`` reads in the whole file."""
    transcript = reader.transcript(data, name)
    return [(sentence.speaker, sentence.text) for sentence in transcript.sentences]


@pytest.mark.parametrize("name", live_names())
def test_a_reported_file_that_grows_is_read_right(log, tmp_path, name):
    """Words that build up are said once, and each voice of a cue keeps its words."""
    expected = json.loads((GOLDEN / f"{name}.expected.json").read_text(encoding="utf-8"))
    data = (GOLDEN / name).read_bytes()

    sentences = [[speaker or "", text] for speaker, text in grown(log, tmp_path / name, data)]

    assert sentences == expected["sentences"]


ROLL_UP = b"""1
00:00:01,000 --> 00:00:03,000
>> REYES: We built 400 schools

2
00:00:03,000 --> 00:00:05,000
>> REYES: We built 400 schools
in ten years.

3
00:00:05,000 --> 00:00:07,000
in ten years.
>> HOST: Is that so?

4
00:00:07,000 --> 00:00:09,000
>> HOST: Is that so?
Thank you.
"""
LATE_LABEL = b"""WEBVTT

00:01.000 --> 00:03.000
Ana: We built 400 schools.

00:03.000 --> 00:05.000
Ben: Is that so?

00:05.000 --> 00:07.000
Ana: It is so.

00:07.000 --> 00:09.000
Ben: Thank you.
"""
THREE_VOICES = b"""WEBVTT

a1b2c3d4-0000-4000-8000-000000000001/12-0
00:00:01.000 --> 00:00:05.000
<v.first Ana Reyes>We built <b>400</b> schools.</v> <v Ben Ode>Where?</v>
<v Ana Reyes>In R&amp;D parks.</v>

00:00:05.000 --> 00:00:06.000
<v Ben Ode>Is that so?</v>
"""
REPEATED_WORD = b"""1
00:00:01,000 --> 00:00:02,000
No.

2
00:00:02,000 --> 00:00:03,000
No.

3
00:00:03,000 --> 00:00:06,000
We never built that bridge.
"""
ODD_TIMES = b"""1
0:00:01 --> 0:00:03
We built 400 schools.

2
00:00:03.5 --> 00:00:05
Pupils came.
"""
SIBLINGS = {
    "roll_up.srt": ROLL_UP,
    "late_label.vtt": LATE_LABEL,
    "three_voices.vtt": THREE_VOICES,
    "repeated_word.srt": REPEATED_WORD,
    "odd_times.srt": ODD_TIMES,
    "capitals.srt": (GOLDEN / "caption-speaker__srt_capitals_colon_in_sentence.srt").read_bytes(),
    "tags.vtt": (LIVE_GOLDEN / "rolling_captions_with_tags.vtt").read_bytes(),
}


@pytest.mark.parametrize("name", SIBLINGS)
def test_live_and_check_read_alike(log, tmp_path, name):
    """Rolling lines, labels confirmed late, voices, identifiers, tags and unusual times."""
    data = SIBLINGS[name]

    assert grown(log, tmp_path / name, data) == checked(data, name)


def test_rolling_captions_go_on_after_a_restart(log, tmp_path):
    """The lines before the cursor are known again."""
    data = SIBLINGS["tags.vtt"]

    live_sentences = grown(log, tmp_path / "live.vtt", data, restart_after=16)

    assert live_sentences == checked(data, "live.vtt")


def test_rolling_captions_with_tags_are_the_claim_and_the_thanks(log, tmp_path):
    """No tag is stored, and no words come twice."""
    claim = "the federal minimum wage has stayed at $7.25 an hour since July 2009"

    live_sentences = grown(log, tmp_path / "live.vtt", SIBLINGS["tags.vtt"])

    assert live_sentences == [(None, claim), (None, "thank you very much")]


def test_a_line_sent_twice_is_said_once(log):
    """A reconnect sends it again; its beginning is completed by the next line."""
    with (LIVE_GOLDEN / "line_sent_twice.txt").open("rb") as stream:
        for arrival in arrivals(PipeSource(stream)):
            log.store_lines("city", "pipe", arrival.lines, now=1001.0)

    assert said(log) == [("REYES", WAGE), ("HOST", "Thank you."), ("REYES", WAGE)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (["ANA REYES: No.", "ANA REYES: No."], ["No.", "No."]),
        (["ANA REYES: We rise again.", "BEN ODE: We rise again."], ["We rise again."] * 2),
        (["[00:01] ANA REYES: We rise again.", "[00:09] ANA REYES: We rise again."],
         ["We rise again."] * 2),
        (["[00:01] ANA REYES: We rise again.", "[00:01] ANA REYES: We rise again."],
         ["We rise again."]),
    ],
    ids=["two words", "two people", "two times", "one time"],
)  # fmt: skip
def test_only_the_same_second_and_speaker_make_a_double(rows, expected):
    """A phrase said again later, or by another person, stays."""
    assert said_of(rows, seconds_apart=0.0) == expected


def test_a_line_said_again_later_counts_again():
    """A slogan is repeated after some seconds."""
    rows = ["ANA REYES: We rise again."] * 2

    assert said_of(rows, seconds_apart=5.0) == ["We rise again."] * 2


def said_of(rows, *, seconds_apart):
    """Return the texts that lines become if they arrive at a steady pace."""
    arrival_times = itertools.count(0.0, seconds_apart)
    captions = Captions("test", clock=lambda: next(arrival_times))
    latest = {}
    for number, row in enumerate(rows):
        latest.update({line.unit: line for line in captions.feed(str(number), row)})
    return [line.text for line in latest.values() if line.text]
