"""Real text, table, page and office files of the data folder parse to what the README beside them says."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from assistant.core.errors import LecternError
from assistant.transcripts import read
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from tests.assistant.transcripts.reading import data_folder, first_format

pytestmark = pytest.mark.data


def parsed(path: str) -> ParsedTranscript:
    source = RawSource(path.rpartition("/")[2], (data_folder() / path).read_bytes())
    return first_format(source).parse(source)


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
    assert (
        dict(Counter(piece.speaker for piece in parsed(path).pieces if piece.starts_turn))
        == TURNS[path]
    )


@pytest.mark.parametrize(
    ("path", "sentence"),
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
def test_first_sentence(path: str, sentence: str) -> None:
    """What the first sentence is: no heading and no preamble comes before it."""
    assert read(data_folder() / path).sentences[0].text.startswith(sentence)


def test_roles_are_one_person() -> None:
    """Nineteen turns; MR. SMITH and MR. SMITH, ABC NEWS are one; [sic] stays."""
    pieces = parsed("txt/cpd_role_labels_1980.txt").pieces
    assert (
        sum(piece.starts_turn for piece in pieces) == 19
        and sum(piece.speaker == "MR. SMITH" for piece in pieces) == 7
    )


def test_unlabelled_paragraphs_belong_to_the_turn_above() -> None:
    """Four paragraphs of the 2020 debate carry no label."""
    pieces = parsed("txt/cpd_surname_2020.txt").pieces
    assert sum(not piece.starts_turn for piece in pieces) == 4 and all(
        piece.speaker for piece in pieces
    )


@pytest.mark.parametrize("path", ["txt/app_glued_general_2016.txt", "txt/rev_glued_vp_2020.txt"])
def test_glued_sentences_are_apart(path: str) -> None:
    """No sentence is stuck to the next any more, and no preamble is speech."""
    texts = [sentence.text for sentence in read(data_folder() / path)]
    assert not [text for text in texts if re.search(r"[a-z0-9][.?!][A-Z][a-z]", text)]
    assert not any("PARTICIPANTS" in text or "MODERATOR" in text for text in texts)


def test_zoom_times_are_times_of_day() -> None:
    """The first turn is at zero, the fourth four seconds later."""
    starts = [piece.start for piece in parsed("txt/zoom_saved_transcript.txt").pieces]
    assert tuple(starts[:4]) == (0.0, 0.0, 2.0, 4.0)


def test_footer_is_not_speech() -> None:
    """Otter's footer is left out."""
    assert "otter.ai" not in " ".join(
        sentence.text for sentence in read(data_folder() / "txt/otter_export.txt")
    )


def test_paragraphs_without_speakers() -> None:
    """A recogniser's 110 paragraphs have no speaker and no times."""
    pieces = parsed("txt/asr_no_speakers_senate.txt").pieces
    assert len(pieces) == 110 and not any(piece.speaker or piece.start for piece in pieces)


def test_capitals_on_one_line() -> None:
    """The roll call of a legislature: one line, no speaker, one-word sentences."""
    transcript = read(data_folder() / "txt/caps_flat_legislature.txt")
    assert {1} == {sentence.line for sentence in transcript} and {None} == {
        sentence.speaker for sentence in transcript
    }
    assert (
        "ACOSTA." in [sentence.text for sentence in transcript]
        and 1500 < sum(len(sentence.text.split()) for sentence in transcript) < 1550
    )


def test_csv_with_lost_characters() -> None:
    """140 rows, nine speakers, one date; apostrophes are put back."""
    pieces = parsed("csv/rev_dem_debates_fffd.csv").pieces
    counts = Counter(piece.speaker for piece in pieces)
    transcript = read(data_folder() / "csv/rev_dem_debates_fffd.csv")
    damaged_count = sum("\ufffd" in sentence.text for sentence in transcript)
    assert len(pieces) == 140
    assert len(counts) == 9
    assert counts["Elizabeth Warren"] == 30
    assert str(transcript.event_date) == "2020-02-25"
    assert damaged_count <= 2


def test_tsv_without_header() -> None:
    """The second column is the text; nobody is named."""
    pieces = parsed("csv/sentences_no_header.tsv").pieces
    assert pieces[0].text.startswith("All right Director McLaren")
    assert {piece.speaker for piece in pieces} == {None}


def test_docx_and_xlsx() -> None:
    """26 turns each, the heading is the title, and the rows have their times."""
    document = parsed("derived/debate_bold_labels.docx")
    sheet = parsed("derived/debate_sheet.xlsx")
    document_text = " ".join(piece.text for piece in document.pieces)
    sheet_text = " ".join(piece.text for piece in sheet.pieces)
    assert sum(piece.starts_turn for piece in document.pieces) == 26
    assert document.title == "ABC News Presidential Debate"
    assert len(sheet.pieces) == 26
    assert [piece.start for piece in sheet.pieces[:2]] == [0.0, 11.0]
    assert document_text.split() == sheet_text.split()


def test_pdf_with_line_numbers() -> None:
    """Fourteen turns without numbers, heads and page numbers, with the words of the document."""
    pieces = parsed("derived/debate_line_numbered.pdf").pieces
    document = parsed("derived/debate_bold_labels.docx")
    text = _joined_text(pieces)
    assert sum(piece.starts_turn for piece in pieces) == 14
    assert "ROUGH DRAFT" not in text
    assert "Page 1" not in text
    assert not re.search(r"\b\d+ (?:Philadelphia|president)", text)
    assert _joined_text(document.pieces).startswith(text)


def _joined_text(pieces: list[SpeechPiece]) -> str:
    return " ".join(" ".join(piece.text for piece in pieces).split())


def test_every_file_is_read_or_refused_in_one_line() -> None:
    """No file of the folder gives anything but a transcript or one of our errors."""
    for path in sorted(path for path in data_folder().rglob("*") if path.is_file()):
        try:
            assert read(path).sentences, path
        except LecternError as error:
            assert "\n" not in str(error), path
