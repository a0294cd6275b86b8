"""What the tests of the report formats start from.

Hostile words everywhere, and a report that people have reviewed.
"""

from __future__ import annotations

import io
from dataclasses import replace

from assistant.core.domain import (
    Decision,
    RatingClass,
    Report,
    Tier,
)
from tests.assistant import made_up

ATTACK = "<script>alert('x')</script><b>{\\an8}[x](javascript:y)*--> =1+1&amp;</b>\"%s"
DECIDED = {
    "confirm": Decision("confirm", "", "Ada Quill", "2024-09-11T09:30:00", "page 2"),
    "reject": Decision("reject", "wrong number", "Ben Ode", "2024-09-11T09:40:00", ""),
    "later": Decision("later", "", "Ada Quill", "2024-09-11T09:50:00", ""),
}


def hostile() -> Report:
    """Return a report in which everything that comes from outside tries to be more than text."""
    vclaim = replace(
        made_up.VCLAIM,
        statement=ATTACK,
        title=ATTACK,
        claimant=ATTACK,
        rating=ATTACK,
        publisher=ATTACK,
        url=f"https://example.org/{ATTACK}\x00\ud800",
    )
    match = made_up.match(vclaim)
    match = replace(
        match, key_sentences=(replace(match.key_sentences[0], text=ATTACK, why=ATTACK),)
    )
    report = made_up.report(f"{ATTACK}\x00\x1b\ud800\u202e end")
    transcript = replace(
        report.transcript,
        title=ATTACK,
        source=replace(report.transcript.source, name=ATTACK),
        sentences=tuple(
            replace(s, speaker=ATTACK if s.speaker else None) for s in report.transcript.sentences
        ),
    )
    checked = [replace(c, sentence=s) for c, s in zip(report.sentences, transcript, strict=True)]
    checked[0] = replace(checked[0], matches=(match,))
    return replace(report, transcript=transcript, sentences=tuple(checked), warnings=(ATTACK,))


def reviewed(*verdicts: str) -> Report:
    """Return the made-up report, its first sentence with one match a verdict.

    ``""`` leaves one undecided.
    """
    publishers = ("Lectern sample desk", "River Post", "City Desk", "Weekly Check")
    ratings = (
        ("True", RatingClass.TRUE),
        ("Mostly False", RatingClass.FALSE),
        ("Half True", RatingClass.MIXTURE),
    )
    matches = []
    for at, verdict in enumerate(verdicts):
        rating, rating_class = ratings[at % 3]
        vclaim = replace(
            made_up.VCLAIM,
            id=f"sample-{at + 1}",
            publisher=publishers[at],
            rating=rating,
            rating_class=rating_class,
            url=f"https://example.org/samples/{at + 1}",
        )
        matches.append(replace(made_up.match(vclaim, rank=at + 1), decision=DECIDED.get(verdict)))
    report = made_up.report()
    first_sentence = replace(report.sentences[0], matches=tuple(matches), tier=Tier.LIKELY)
    return replace(report, sentences=(first_sentence, *report.sentences[1:]))


def text_of(data: bytes, name: str) -> str:
    """Return the words that a reader of a file in this format sees."""
    if name == "docx":
        return _docx(data)
    if name == "pdf":
        import pdfplumber

        with pdfplumber.open(io.BytesIO(data)) as file:
            return "\n".join(page.extract_text() for page in file.pages)
    if name == "xlsx":
        from openpyxl import load_workbook

        book = load_workbook(io.BytesIO(data))
        return "\n".join(
            str(c.value)
            for s in book
            for sheet_row in s.rows
            for c in sheet_row
            if c.value is not None
        )
    if name in ("html", "md"):
        from bs4 import BeautifulSoup
        from markdown_it import MarkdownIt

        page = data.decode()
        page = page if name == "html" else MarkdownIt("commonmark").enable("table").render(page)
        return BeautifulSoup(page, "html.parser").get_text(" ")
    return data.decode("utf-8-sig")


def _docx(data: bytes) -> str:
    from docx import Document

    document = Document(io.BytesIO(data))
    texts = [p.text for p in document.paragraphs]
    texts += [
        cell.text
        for table in document.tables
        for table_row in table.rows
        for cell in table_row.cells
    ]
    texts += [comment.text for comment in document.comments]
    texts += [p.text for section in document.sections for p in section.header.paragraphs]
    return "\n".join(texts)
