"""SubRip: against the `srt` package on well-formed files, and on files that are not."""

from __future__ import annotations

from datetime import timedelta

import srt as oracle
from hypothesis import given
from hypothesis import strategies as st

from assistant.transcripts import srt
from tests.assistant.transcripts.reading import parse, source

LINE = st.text("abcdefgh ,.'é9", min_size=1, max_size=30).filter(
    lambda text: text.strip() and not text.strip().isdigit()
)
CUE = st.tuples(
    st.integers(1, 3_000), st.integers(0, 5_000), st.lists(LINE, min_size=1, max_size=3)
)


@given(st.lists(CUE, min_size=1, max_size=8))
def test_equals_the_srt_package_on_well_formed_files(
    cue_texts: list[tuple[int, int, list[str]]],
) -> None:
    """Every cue has the times and the words that the package finds."""
    clock = 0
    subtitles = []
    for index, (gap, lasting, lines) in enumerate(cue_texts, 1):
        clock += gap
        text = "\n".join(
            [*lines, f"end {index}"]
        )  # no line repeats the one before it: nothing is unrolled
        times = timedelta(milliseconds=clock), timedelta(milliseconds=clock + lasting)
        subtitles.append(oracle.Subtitle(index, *times, text))
    written = oracle.compose(subtitles)
    pieces = srt.parse(source(written, "a.srt")).pieces
    expected = [
        (
            subtitle.start.total_seconds(),
            subtitle.end.total_seconds(),
            " ".join(subtitle.content.split()),
        )
        for subtitle in oracle.parse(written)
    ]
    assert [(piece.start, piece.end, piece.text) for piece in pieces] == expected


def test_no_word_is_lost_where_a_timing_line_is_missing() -> None:
    """The text is kept, its number is not, and the warning says where."""
    parsed = parse(
        "1\n00:00:00,500 --> 00:00:07,000\nOne.\n\n2\nTwo.\n\n3\n00:00:11,890 --> 00:00:16,000\nThree.\n",
        "a.srt",
    )
    assert [piece.text for piece in parsed.pieces] == ["One.", "Two.", "Three."]
    assert parsed.warnings == ["a.srt:5: text without a timing line; it was kept without times"]


def test_web_vtt_is_not_taken() -> None:
    """A WebVTT file has the same timing lines."""
    assert not srt.sniff(source("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHi\n"))


def test_prose_with_an_arrow_is_not_taken() -> None:
    """An arrow is no timing line."""
    assert not srt.sniff(source("Spending rose, 2019 --> 2024, by half.\n"))


def test_an_arrow_in_the_text_of_a_cue_stays_text() -> None:
    """Figures with an arrow between them are no timing line."""
    parsed = parse("1\n00:00:01,000 --> 00:00:02,000\nIt went\n5 --> 6 percent.\n", "a.srt")
    assert [piece.text for piece in parsed.pieces] == ["It went 5 --> 6 percent."]


def test_a_file_cut_off_in_its_last_timing_line_keeps_the_rest() -> None:
    """A download that broke off: what is there is read."""
    parsed = parse("1\n00:00:01,000 --> 00:00:02,000\nHello there.\n\n2\n00:00:02,0", "a.srt")
    assert parsed.pieces[0].text == "Hello there."
    assert any("a.srt:5" in warning for warning in parsed.warnings)
