"""The report as a Word document (docx).

Tables of matches, and the transcript with comments on matched sentences.

The header of every page says how much a person has reviewed. A comment carries the name of who
confirmed the match; one that nobody has settled is signed *Lectern (not reviewed)*.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from assistant.core.domain import CheckedSentence, Match
from assistant.report import contents, timeline, wording
from assistant.report.view import ReportView
from assistant.reports.reproducible_zip import moment, settled

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import _Cell
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

UNREVIEWED = "Lectern (not reviewed)"
HEADS = ("Passage", "Publishers and ratings", "The claim that was checked", "Review")
WIDTHS_CM = (5.2, 4.2, 5.0, 2.9)


def render(view: ReportView) -> bytes:
    """Return the document."""
    from docx import Document as new

    document = new()
    _describe(document, view)
    _page(document, view)
    _head(document, view)
    _picture(document, view)
    for heading, which in contents.SECTIONS:
        _table(document, heading, contents.entries(view, which), view)
    _nothing(document, view)
    _transcript(document, view)
    _about(document, view)
    out = io.BytesIO()
    document.save(out)
    return settled(out.getvalue())


def _describe(document: Document, view: ReportView) -> None:
    properties = document.core_properties
    properties.title = view.title[:255]
    properties.subject = wording.reviewed(view)[:255]
    properties.author = f"Lectern {view.report.manifest.lectern}"
    properties.comments = ""
    properties.created = properties.modified = moment(view.event_date)
    properties.revision = 1


def _page(document: Document, view: ReportView) -> None:
    """A4; the state of the review at the top of every page, page numbers at the foot."""
    from docx.shared import Cm, Pt

    document.styles["Normal"].font.name = "Arial"
    document.styles["Normal"].font.size = Pt(10)
    (section,) = document.sections
    section.page_width = Cm(21.0)
    section.page_height = Cm(29.7)
    section.left_margin = section.right_margin = section.top_margin = section.bottom_margin = Cm(
        1.8
    )
    head = section.header.paragraphs[0]
    shape = head.add_run().add_picture(io.BytesIO(timeline.of_mark()), height=Pt(14))
    shape._inline.docPr.set("descr", "Lectern")
    head.add_run(f"  {wording.reviewed(view)}").bold = True
    foot = section.footer.paragraphs[0]
    foot.add_run(f"{view.title} · page ")
    _field(foot, "PAGE")
    foot.add_run(" of ")
    _field(foot, "NUMPAGES")


def _field(paragraph: Paragraph, name: str) -> None:
    """Add a field that the reader's program fills in."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), name)
    field.append(paragraph.add_run("1")._r)
    paragraph._p.append(field)


def _head(document: Document, view: ReportView) -> None:
    document.add_heading(view.title, 0)
    document.add_paragraph(contents.opening(view))
    document.add_paragraph().add_run(f"{wording.reviewed(view)}.").bold = True
    document.add_paragraph(wording.RATINGS_ARE_THE_PUBLISHERS)
    for text in view.report.warnings:
        document.add_paragraph(text, "List Bullet")


def _picture(document: Document, view: ReportView) -> None:
    """The picture of the debate; what it shows is said in words for those who cannot see it."""
    from docx.shared import Cm

    drawn = timeline.marks(view)
    if not drawn:
        return
    shape = document.add_picture(
        io.BytesIO(timeline.png(view.report, drawn)), width=Cm(sum(WIDTHS_CM))
    )
    shape._inline.docPr.set("descr", timeline.summary(drawn))
    document.add_paragraph(f"{timeline.summary(drawn)} {timeline.HOW_TO_READ}")


def _table(
    document: Document, heading: str, entries: list[contents.ReportEntry], view: ReportView
) -> None:
    if not entries:
        return
    document.add_heading(heading, 1)
    table = document.add_table(1, len(HEADS), "Table Grid")
    _widths(table.rows[0].cells)
    for cell, name in zip(table.rows[0].cells, HEADS, strict=True):
        cell.paragraphs[0].add_run(name).bold = True
    _repeat(table.rows[0])
    for entry in entries:
        cells = table.add_row().cells
        _passage(cells[0], entry)
        for at, (checked, match) in enumerate(entry.matches):
            _rating(cells[1], match, view, first=not at)
            _write(
                cells[2],
                contents.other_sentence(entry, checked),
                match.claim.statement,
                first=not at,
            )
            _write(cells[3], "", contents.status(match), first=not at)


def _passage(cell: _Cell, entry: contents.ReportEntry) -> None:
    """Write what was said, the sentence that matches best in bold, and where else it was said in which words."""
    _write(cell, f"{entry.place} {entry.speaker}", contents.points_back(entry))
    if entry.passage.context:
        cell.paragraphs[0].runs[-1].italic = True
        cell.add_paragraph()
    _words(cell.paragraphs[-1], entry.passage.sentences, entry.best)
    if entry.repeats:
        cell.add_paragraph(f"{contents.also_said(entry)}:")
    for repeat in entry.repeats:
        _words(
            cell.add_paragraph(f"{contents.place(repeat.sentences)} ", "List Bullet"),
            repeat.sentences,
            repeat.best,
        )


def _words(
    paragraph: Paragraph, said: Sequence[CheckedSentence], best: CheckedSentence | None
) -> None:
    for before, text, mark in contents.pieces(said, best):
        paragraph.add_run(before)
        paragraph.add_run(text).bold = mark


def _rating(cell: _Cell, match: Match, view: ReportView, *, first: bool) -> None:
    claim = match.claim
    sign = wording.SIGNS[claim.rating_class].mark
    _write(
        cell,
        f"{sign} {claim.rating or 'no rating'}",
        wording.publisher(claim) or "publisher not named",
        first=first,
    )
    paragraph = cell.add_paragraph(contents.dates(match, view.event_date) + " ")
    _link(paragraph, claim.title or "Open the article", contents.address(claim))


def _write(cell: _Cell, lead: str, text: str, *, first: bool = True) -> None:
    paragraph = cell.paragraphs[0] if first else cell.add_paragraph()
    if lead:
        paragraph.add_run(lead).bold = True
        paragraph.add_run("\n")
    paragraph.add_run(text)


def _widths(cells: Any) -> None:
    from docx.shared import Cm

    for cell, width in zip(cells, WIDTHS_CM, strict=True):
        cell.width = Cm(width)


def _repeat(row: Any) -> None:
    """Show the head of a table again on every page."""
    from docx.oxml import OxmlElement

    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _link(paragraph: Paragraph, text: str, url: str) -> None:
    """Add a link; an address that is not one of the web stays text."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    run = paragraph.add_run(text)
    if not url:
        return
    run.font.underline = True
    run.font.color.rgb = RGBColor(0x1D, 0x5A, 0x9E)
    link = OxmlElement("w:hyperlink")
    link.set(
        qn("r:id"), paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    )
    link.append(run._r)
    paragraph._p.append(link)


def _nothing(document: Document, view: ReportView) -> None:
    rows = view.unmatched
    if not view.matches:
        document.add_paragraph(wording.nothing_found(view))
    if half := contents.mixed(view):
        document.add_heading(contents.MIXED, 1)
        for number, text, words in half:
            document.add_paragraph(f"{number}. {text} — {words}")
    if rows:
        document.add_heading("Nothing found", 1)
        document.add_paragraph(
            f"{wording.count(len(rows), 'check-worthy sentence')} without a match: "
            + ", ".join(str(row.sentence.number) for row in rows)
        )


def _transcript(document: Document, view: ReportView) -> None:
    """All sentences in reading order, a paragraph a turn, comments on those with a match."""
    document.add_heading("Transcript", 1)
    for speaker, turn in groupby(
        view.report.sentences, key=lambda checked: checked.sentence.speaker
    ):
        rows = list(turn)
        paragraph = document.add_paragraph()
        time = wording.clock(rows[0].sentence.start)
        paragraph.add_run(f"{speaker or 'Speaker unknown'} {time}".rstrip()).bold = True
        paragraph.add_run("\n")
        for at, checked in enumerate(rows):
            run = paragraph.add_run(checked.sentence.text)
            _comment(document, run, checked, view)
            if at < len(rows) - 1:
                paragraph.add_run(" ")


def _comment(document: Document, run: Run, checked: CheckedSentence, view: ReportView) -> None:
    """Put a comment on a sentence: who rated the claim how, the proof, the link.

    One paragraph a line.
    """
    matches = contents.standing(checked)
    if not matches:
        return
    run.underline = True
    decision = matches[0].decision if contents.is_confirmed(matches[0]) else None
    author = (decision.by or "a person not named") if decision else UNREVIEWED
    comment = document.add_comment(
        run, "\n".join(_comment_lines(matches, view)), author, author[:1].upper()
    )
    _date(comment._comment_elm, decision.at if decision else "")


def _comment_lines(matches: list[Match], view: ReportView) -> list[str]:
    lines = []
    for match in matches:
        claim = match.claim
        cautions = wording.cautions(match, view.event_date)
        lines += [
            f"{contents.status(match)}.",
            f"{wording.rated(claim)}: “{claim.statement}”",
            contents.dates(match, view.event_date),
            *([f"But: {', '.join(cautions)}."] if cautions else []),
            *(
                [f"{wording.why(key)}: “{key.text}”" for key in match.key_sentences]
                or [f"{wording.NO_SENTENCES}."]
            ),
            contents.address(claim),
        ]
    return [" ".join(line.split()) for line in lines if line]


def _date(element: Any, at: str) -> None:
    """Date a comment by the decision; one that nobody made has no date."""
    from docx.oxml.ns import qn

    element.attrib.pop(qn("w:date"), None)
    if at:
        element.set(qn("w:date"), f"{at[:19]}Z")


def _about(document: Document, view: ReportView) -> None:
    document.add_heading("About this report", 1)
    for name, value in contents.about(view):
        paragraph = document.add_paragraph()
        paragraph.paragraph_format.space_after = 0
        paragraph.add_run(f"{name}: ").bold = True
        paragraph.add_run(value)
