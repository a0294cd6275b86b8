"""Real text, table, page and office files of the data folder parse to what the README beside them says."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from assistant.core.errors import LecternError
from assistant.transcripts import read
from assistant.transcripts.speech_pieces import Parsed
from assistant.transcripts.text_decoding import RawSource
from tests.assistant.transcripts.reading import data_folder, first_format

pytestmark = pytest.mark.data


def parsed(path: str) -> Parsed:
    raw = RawSource(path.rpartition("/")[2], (data_folder() / path).read_bytes())
    return first_format(raw).parse(raw)


TURNS = {
    # the last label of the two Rev pages has no speech: README counts it, 135 and 40
    "txt/rev_name_newline_2020.txt": {
        "President Donald J. Trump": 54,
        "Vice President Joe Biden": 46,
        "Chris Wallace": 34,
    },
    "txt/rev_glued_vp_2020.txt": {"Susan Page": 17, "Mike Pence": 11, "Kamala Harris": 11},
    "txt/cpd_surname_2020.txt": {"TRUMP": 70, "BIDEN": 59, "WALLACE": 42},
    "txt/app_glued_general_2016.txt": {"TRUMP": 38, "CLINTON": 35, "HOLT": 21},
    "txt/zoom_saved_transcript.txt": {"Johnny Doe": 6, "Janet Dough": 6},
    "txt/otter_export.txt": {"Emma": 10, "Kelly": 10, None: 7, "Ali": 6},
    "txt/one_line_per_turn_2020.said": {
        "Donald J Trump": 36,
        "Joe R Biden": 27,
        "Chris Wallace": 26,
    },
    # the last name of the page has no speech: README counts 7, Travis 4
    "html/podcast_cite_time_p.html": {"Travis": 3, "Gilon": 2, "Sarah": 1},
}


@pytest.mark.parametrize("path", TURNS)
def test_turns(path: str) -> None:
    """The number of turns of each speaker."""
    assert dict(Counter(p.speaker for p in parsed(path).pieces if p.starts_turn)) == TURNS[path]


@pytest.mark.parametrize(
    ("path", "first"),
    [
        (
            "txt/rev_name_newline_2020.txt",
            "Good evening from the Health Education Campus of Case Western Reserve University",
        ),
        (
            "txt/app_glued_general_2016.txt",
            "Good evening from Hofstra University in Hempstead, New York.",
        ),
        ("txt/otter_export.txt", "Whether you're seeking your first developer job"),
        (
            "derived/debate_bold_labels.docx",
            "Tonight, the high-stakes showdown here in Philadelphia",
        ),
        (
            "derived/debate_line_numbered.pdf",
            "Tonight, the high-stakes showdown here in Philadelphia",
        ),
        (
            "csv/rev_dem_debates_fffd.csv",
            "Good evening and welcome, the Democratic presidential primary",
        ),
    ],
)
def test_first_sentence(path: str, first: str) -> None:
    """What the first sentence is: no heading and no preamble comes before it."""
    assert read(data_folder() / path).sentences[0].text.startswith(first)


def test_roles_are_one_person() -> None:
    """Nineteen turns; MR. SMITH and MR. SMITH, ABC NEWS are one; [sic] stays."""
    pieces = parsed("txt/cpd_role_labels_1980.txt").pieces
    assert (
        sum(p.starts_turn for p in pieces) == 19
        and sum(p.speaker == "MR. SMITH" for p in pieces) == 7
    )


def test_unlabelled_paragraphs_belong_to_the_turn_above() -> None:
    """Four paragraphs of the 2020 debate carry no label."""
    pieces = parsed("txt/cpd_surname_2020.txt").pieces
    assert sum(not p.starts_turn for p in pieces) == 4 and all(p.speaker for p in pieces)


@pytest.mark.parametrize("path", ["txt/app_glued_general_2016.txt", "txt/rev_glued_vp_2020.txt"])
def test_glued_sentences_are_apart(path: str) -> None:
    """No sentence is stuck to the next any more, and no preamble is speech."""
    texts = [s.text for s in read(data_folder() / path)]
    assert not [text for text in texts if re.search(r"[a-z0-9][.?!][A-Z][a-z]", text)]
    assert not any("PARTICIPANTS" in text or "MODERATOR" in text for text in texts)


def test_zoom_times_are_times_of_day() -> None:
    """The first turn is at zero, the fourth four seconds later."""
    starts = [p.start for p in parsed("txt/zoom_saved_transcript.txt").pieces]
    assert tuple(starts[:4]) == (0.0, 0.0, 2.0, 4.0)


def test_footer_is_not_speech() -> None:
    """Otter's footer is left out."""
    assert "otter.ai" not in " ".join(s.text for s in read(data_folder() / "txt/otter_export.txt"))


def test_paragraphs_without_speakers() -> None:
    """A recogniser's 110 paragraphs have no speaker and no times."""
    pieces = parsed("txt/asr_no_speakers_senate.txt").pieces
    assert len(pieces) == 110 and not any(p.speaker or p.start for p in pieces)


def test_capitals_on_one_line() -> None:
    """The roll call of a legislature: one line, no speaker, one-word sentences."""
    transcript = read(data_folder() / "txt/caps_flat_legislature.txt")
    assert {1} == {s.line for s in transcript} and {None} == {s.speaker for s in transcript}
    assert (
        "ACOSTA." in [s.text for s in transcript]
        and 1500 < sum(len(s.text.split()) for s in transcript) < 1550
    )


def test_csv_with_lost_characters() -> None:
    """140 rows, nine speakers, one date; apostrophes are put back."""
    pieces = parsed("csv/rev_dem_debates_fffd.csv").pieces
    counts = Counter(p.speaker for p in pieces)
    assert (len(pieces), len(counts), counts["Elizabeth Warren"]) == (140, 9, 30)
    transcript = read(data_folder() / "csv/rev_dem_debates_fffd.csv")
    assert (
        str(transcript.event_date) == "2020-02-25"
        and sum("\ufffd" in s.text for s in transcript) <= 2
    )


def test_tsv_without_header() -> None:
    """The second column is the text; nobody is named."""
    pieces = parsed("csv/sentences_no_header.tsv").pieces
    assert pieces[0].text.startswith("All right Director McLaren") and {None} == {
        p.speaker for p in pieces
    }


def test_docx_and_xlsx() -> None:
    """26 turns each, the heading is the title, the first row starts at zero, the second at eleven seconds."""
    document = parsed("derived/debate_bold_labels.docx")
    sheet = parsed("derived/debate_sheet.xlsx")
    assert (sum(p.starts_turn for p in document.pieces), document.title) == (
        26,
        "ABC News Presidential Debate",
    )
    assert (len(sheet.pieces), sheet.pieces[0].start, sheet.pieces[1].start) == (26, 0.0, 11.0)
    words = [" ".join(p.text for p in found.pieces).split() for found in (document, sheet)]
    assert words[0] == words[1]


def test_pdf_with_line_numbers() -> None:
    """Fourteen turns without numbers, heads and page numbers, and the words of the Word document."""
    pieces = parsed("derived/debate_line_numbered.pdf").pieces
    text = " ".join(" ".join(p.text.split()) for p in pieces)
    assert sum(p.starts_turn for p in pieces) == 14
    assert (
        "ROUGH DRAFT" not in text
        and "Page 1" not in text
        and not re.search(r"\b\d+ (?:Philadelphia|president)", text)
    )
    document = " ".join(
        " ".join(p.text.split()) for p in parsed("derived/debate_bold_labels.docx").pieces
    )
    assert document.startswith(text)


def test_every_file_is_read_or_refused_in_one_line() -> None:
    """No file of the folder gives anything but a transcript or one of our errors."""
    for path in sorted(p for p in data_folder().rglob("*") if p.is_file()):
        try:
            assert read(path).sentences, path
        except LecternError as error:
            assert "\n" not in str(error), path
