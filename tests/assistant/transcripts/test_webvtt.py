"""WebVTT: against webvtt-py on well-formed files, and where that package loses text."""

from __future__ import annotations

import webvtt as oracle
from hypothesis import given
from hypothesis import strategies as st

from assistant.transcripts import webvtt
from tests.assistant.transcripts.reading import parse, source

LINE = st.text("abcdefgh ,.'é9", min_size=1, max_size=30).filter(str.strip)
CUE = st.tuples(
    st.integers(1, 3_000),
    st.integers(1, 5_000),
    st.lists(LINE, min_size=1, max_size=3),
    st.booleans(),
)


def clock(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


@given(st.lists(CUE, min_size=1, max_size=8))
def test_equals_webvtt_py_on_well_formed_files(
    cue_texts: list[tuple[int, int, list[str], bool]],
) -> None:
    """Every cue has the times and the words that the package finds."""
    at = 0
    written = "WEBVTT\nKind: captions\n"
    for index, (gap, lasting, lines, named) in enumerate(cue_texts, 1):
        at += gap
        name = f"cue {index}\n" if named else ""
        text = "\n".join([*lines, f"end {index}"])
        written += f"\n{name}{clock(at)} --> {clock(at + lasting)} align:start\n{text}\n"
    captions = oracle.from_string(written)
    expected = [
        (caption.start, caption.end, " ".join(caption.text.split())) for caption in captions
    ]
    pieces = webvtt.parse(source(written, "a.vtt")).pieces
    assert [
        (clock(round(piece.start * 1000)), clock(round(piece.end * 1000)), piece.text)
        for piece in pieces
    ] == expected


def test_a_cue_with_a_bad_end_keeps_its_text() -> None:
    """The package skips such a cue; it may contain a claim."""
    parsed = parse("WEBVTT\n\n00:00:07.000 --> 00:00:1d.890\nCrime fell.\n", "a.vtt")
    assert [(piece.start, piece.end, piece.text) for piece in parsed.pieces] == [
        (7.0, None, "Crime fell.")
    ]
    assert parsed.warnings == [
        "a.vtt:3: end 00:00:1d.890 is not a time; the cue was kept with its start only"
    ]


def test_every_voice_of_a_cue_is_read() -> None:
    """The package gives the first voice of a cue only."""
    parsed = parse("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ann>Yes.</v> <v Bob>No.</v>\n", "a.vtt")
    assert [(piece.speaker, piece.text) for piece in parsed.pieces] == [
        ("Ann", "Yes."),
        ("Bob", "No."),
    ]


def test_a_voice_that_names_nobody_stays_unknown() -> None:
    """Unknown Speaker is no person."""
    parsed = parse("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Unknown Speaker>Yes.</v>\n", "a.vtt")
    assert [piece.speaker for piece in parsed.pieces] == [None]


def test_segments_of_a_stream_run_on_one_clock() -> None:
    """The second segment begins eight seconds of the stream later, though its clock starts at 0."""
    first_start = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\n00:00:00.000 --> 00:00:04.000\nOne.\n\n"
    second = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1620000\n\n00:00:01.000 --> 00:00:02.000\nTwo.\n"
    assert [piece.start for piece in parse(first_start + second, "a.vtt").pieces] == [0.0, 9.0]


def test_a_file_with_a_header_alone_gives_nothing() -> None:
    """No cue, no piece, no error: the caller says that the transcript is empty."""
    assert parse("WEBVTT\n\nNOTE nothing here\n", "a.vtt").pieces == []
