"""PDF: line numbers, running heads and page numbers go, wrapped lines come together, scans and damage are reported."""

from __future__ import annotations

import pytest

from assistant.core.errors import MalformedTranscript
from tests.assistant.transcripts import reading


def pdf(*pages: list[str], size: int = 11) -> bytes:
    """Return a PDF with these lines on each page, written by hand.

    No library writes what the reader is tested on.
    """
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    kids = []
    for lines in pages:
        shown = "".join(f"({_escaped(line)}) Tj 0 -16 Td " for line in lines)
        content = f"BT /F1 {size} Tf 50 760 Td {shown}ET"
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        page = f"/Resources << /Font << /F1 3 0 R >> >> /Contents {len(objects)} 0 R"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] {page} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    out = "%PDF-1.4\n"
    positions = []
    for number, body in enumerate(objects, 1):
        positions.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{position:010} 00000 n \n" for position in positions)
    start = len(out)
    out += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\n"
    return f"{out}startxref\n{start}\n%%EOF\n".encode("latin-1")


def _escaped(line: str) -> str:
    return line.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


FIRST = [
    "HALE: Good evening. We begin with the bridge over",
    "the river, which was opened",
    "in 1937.",
    "LUND: It cost 35 million dollars. The gov-",
    "ernment paid half",
]
SECOND = ["of it, and nobody com-", "plained.", "HALE: Thank you."]


def said(data: bytes) -> list[tuple[str | None, str]]:
    turns: list[tuple[str | None, str]] = []
    for piece in reading.parse(data, "debate.pdf").pieces:
        if piece.starts_turn:
            turns.append((piece.speaker, ""))
        turns[-1] = (turns[-1][0], f"{turns[-1][1]} {piece.text}".strip())
    return turns


EXPECTED = [
    ("HALE", "Good evening. We begin with the bridge over the river, which was opened in 1937."),
    ("LUND", "It cost 35 million dollars. The government paid half of it, and nobody complained."),
    ("HALE", "Thank you."),
]


def test_wrapped_lines_and_hyphens() -> None:
    """Lines of a turn come together, also over the end of a page.

    A hyphen at a line's end is taken back.
    """
    assert said(pdf(FIRST, SECOND)) == EXPECTED


def test_line_numbers_heads_and_page_numbers() -> None:
    """Numbers at the margin, a head on every page and Page n are no speech."""
    pages = []
    for number, lines in enumerate((FIRST, SECOND), 1):
        numbered = [f"{i} {line}" for i, line in enumerate(lines, 1)]
        pages.append(["HALL DEBATE - ROUGH DRAFT", *numbered, f"Page {number}"])
    assert said(pdf(*pages)) == EXPECTED
    parsed = reading.parse(pdf(*pages), "debate.pdf")
    assert parsed.title == "HALL DEBATE - ROUGH DRAFT"
    assert any("line numbers" in warning for warning in parsed.warnings)


def test_years_and_figures_at_the_head_of_a_line_stay() -> None:
    """A line that begins with a figure by chance keeps it."""
    data = pdf(["HALE: The bridge was opened in", "37 minutes and it cost", "35 million dollars."])
    assert said(data) == [
        ("HALE", "The bridge was opened in 37 minutes and it cost 35 million dollars.")
    ]


def test_scan() -> None:
    """A PDF without text says so, and what to do."""
    with pytest.raises(MalformedTranscript, match=r"only images of pages\. Run text recognition"):
        reading.parse(pdf([]), "scan.pdf")


@pytest.mark.parametrize("data", [b"%PDF-1.7\ngarbage", b"%PDF-", pdf(FIRST)[:300]])
def test_damaged(data: bytes) -> None:
    """A cut or broken PDF is called damaged or empty in one line."""
    with pytest.raises(MalformedTranscript, match="damaged|no text"):
        reading.parse(data, "broken.pdf")
