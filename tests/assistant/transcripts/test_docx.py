"""Word documents: paragraphs, tables, soft breaks and tracked changes."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from assistant.core.errors import MalformedTranscript
from assistant.transcripts import refusals
from assistant.transcripts.speech_pieces import ParsedTranscript
from tests.assistant.transcripts import reading


def read(document) -> ParsedTranscript:
    buffer = BytesIO()
    document.save(buffer)
    return reading.parse(buffer.getvalue(), "debate.docx")


def said(parsed: ParsedTranscript) -> list[tuple[int, str | None, str]]:
    return [(piece.line_number, piece.speaker, piece.text.strip()) for piece in parsed.pieces]


def test_bold_labels_and_heading() -> None:
    """A bold label is a label, the heading is the title, an unlabelled paragraph belongs to the speaker above."""
    document = Document()
    document.add_heading("The Hall Debate", 1)
    for label, text in (("HALE: ", "Good evening."), ("", "We begin."), ("LUND: ", "Thank you.")):
        paragraph = document.add_paragraph()
        paragraph.add_run(label).bold = True
        paragraph.add_run(text)
    parsed = read(document)
    assert said(parsed) == [
        (2, "HALE", "Good evening."),
        (3, "HALE", "We begin."),
        (4, "LUND", "Thank you."),
    ]
    assert parsed.title == "The Hall Debate"


def test_label_paragraph_then_text_paragraph() -> None:
    """A paragraph that is only a label gives the next one its speaker."""
    document = Document()
    for text in ("HALE:", "Good evening.", "LUND:", "Thank you."):
        document.add_paragraph(text)
    assert said(read(document)) == [(2, "HALE", "Good evening."), (4, "LUND", "Thank you.")]


@pytest.mark.parametrize("header", [True, False])
def test_table_layout(header: bool) -> None:
    """Rows of time, name and text are turns, with or without a header."""
    cell_rows = [
        ["0:00", "Anna Hale", "Good evening to you all."],
        ["0:07", "David Lund", "Thank you for that."],
    ] * 2
    cell_rows = [["Time", "Speaker", "Text"], *cell_rows] if header else cell_rows
    document = Document()
    table = document.add_table(rows=len(cell_rows), cols=3)
    for i, cells in enumerate(cell_rows):
        for j, cell in enumerate(cells):
            table.cell(i, j).text = cell
    parsed = read(document)
    assert [piece.speaker for piece in parsed.pieces] == ["Anna Hale", "David Lund"] * 2
    assert [piece.start for piece in parsed.pieces][:2] == [0.0, 7.0]


def test_teams_soft_breaks() -> None:
    """Name and time, a soft break, then the speech, all in one paragraph."""
    document = Document()
    for name, time, text in (
        ("Anna Hale", "0:03", "Good evening."),
        ("David Lund", "0:09", "Thank you."),
    ):
        run = document.add_paragraph().add_run(f"{name}   {time}")
        run.add_break()
        run.add_text(text)
    pieces = read(document).pieces
    assert [(piece.speaker, piece.start) for piece in pieces] == [
        ("Anna Hale", 3.0),
        ("David Lund", 9.0),
    ]


def test_tracked_changes() -> None:
    """Deleted text is left out, inserted text is read, and a warning says so."""
    document = Document()
    paragraph = document.add_paragraph("HALE: We lost ")
    for tag, text in (("del", "<w:delText>40</w:delText>"), ("ins", "<w:t>400</w:t>")):
        xml = f'<w:{tag} {nsdecls("w")} w:id="1" w:author="a" w:date="2020-01-01T00:00:00Z"><w:r>{text}</w:r></w:{tag}>'
        paragraph._p.append(parse_xml(xml))
    paragraph.add_run(" jobs.")
    parsed = read(document)
    assert said(parsed) == [(1, "HALE", "We lost 400 jobs.")]
    assert any("tracked changes" in warning for warning in parsed.warnings)


def _archive(member: str, size: int) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, b"\0" * size)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("part", "name"), [("word/document.xml", "a.docx"), ("xl/workbook.xml", "a.xlsx")]
)
def test_zip_bomb(part: str, name: str) -> None:
    """An archive of 50 kB that unpacks to 50 MB is refused before it is unpacked."""
    data = _archive(part, 50_000_000)
    assert len(data) < 100_000
    with pytest.raises(MalformedTranscript, match="unpacks from 0.0 MB to 50 MB"):
        reading.parse(data, name)
    assert refusals.MAX_UNPACKED_BYTES >= 100_000_000


@pytest.mark.parametrize(
    ("part", "name"), [("word/document.xml", "a.docx"), ("xl/workbook.xml", "a.xlsx")]
)
def test_damaged(part: str, name: str) -> None:
    """An archive with the right part but nothing sensible in it is called damaged."""
    with pytest.raises(MalformedTranscript, match="damaged"):
        reading.parse(_archive(part, 10), name)
