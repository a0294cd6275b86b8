"""The report as a Word document (docx): tables of matches, and the transcript with comments.

The header of every page shows the state of the review. A comment on a sentence carries the name of
the person who confirmed its match; otherwise it is signed *Lectern (not reviewed)*.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assistant.core.domain import CheckedSentence, Match
from assistant.report import contents, timeline, wording
from assistant.report.selection import selection_words
from assistant.report.view import ReportView
from assistant.reports.reproducible_zip import moment, with_fixed_times

if TYPE_CHECKING:
    from docx.document import Document
    from docx.table import _Cell
    from docx.text.paragraph import Paragraph
    from docx.text.run import Run

MAX_PROPERTY_CHARACTERS = 255
UNREVIEWED = "Lectern (not reviewed)"
COLUMN_HEADS = ("Passage", "Publishers and ratings", "The claim that was checked", "Review")
COLUMN_WIDTHS_CM = (5.2, 4.2, 5.0, 2.9)


def render(view: ReportView) -> bytes:
    """Return the document."""
    import docx

    document = docx.Document()
    _drop_thumbnail(document)
    _define_comment_styles(document)
    _set_properties(document, view)
    _set_up_pages(document, view)
    _write_heading(document, view)
    is_whole_report = not selection_words(view.report)
    if is_whole_report:
        _draw_timeline(document, view)
    for heading, is_in_section in contents.SECTIONS:
        _write_table(document, heading, contents.entries(view, is_in_section), view)
    if is_whole_report or not view.matches:
        _write_unlisted(document, view)
    if is_whole_report:
        _write_transcript(document, view)
    _write_facts(document, view)
    docx_file = io.BytesIO()
    document.save(docx_file)
    return with_fixed_times(docx_file.getvalue())


def _drop_thumbnail(document: Document) -> None:
    """Drop the preview of the template, which file managers would show for the report."""
    from docx.opc.constants import RELATIONSHIP_TYPE

    relationships = document.part.package.rels
    for key, relationship in list(relationships.items()):
        if relationship.reltype == RELATIONSHIP_TYPE.THUMBNAIL:
            del relationships[key]


def _define_comment_styles(document: Document) -> None:
    """Define the styles of comments, which the library uses and the template lacks."""
    from docx.enum.style import WD_STYLE_TYPE
    from docx.shared import Pt

    reference_style = document.styles.add_style("annotation reference", WD_STYLE_TYPE.CHARACTER)
    # Word knows these styles by other ids than the library would make of their names.
    reference_style.element.styleId = "CommentReference"
    reference_style.font.size = Pt(8)
    text_style = document.styles.add_style("annotation text", WD_STYLE_TYPE.PARAGRAPH)
    text_style.element.styleId = "CommentText"
    text_style.base_style = document.styles["Normal"]
    text_style.font.size = Pt(10)


def _set_properties(document: Document, view: ReportView) -> None:
    properties = document.core_properties
    properties.title = view.title[:MAX_PROPERTY_CHARACTERS]
    properties.subject = wording.review_state(view)[:MAX_PROPERTY_CHARACTERS]
    properties.author = f"Lectern {view.report.manifest.lectern}"
    properties.comments = ""
    properties.created = moment(view.event_date)
    properties.modified = properties.created
    properties.revision = 1


def _set_up_pages(document: Document, view: ReportView) -> None:
    """Set up A4 pages with the state of the review at the top and page numbers at the foot."""
    from docx.shared import Cm, Pt

    document.styles["Normal"].font.name = "Arial"
    document.styles["Normal"].font.size = Pt(10)
    (section,) = document.sections
    section.page_width = Cm(21.0)
    section.page_height = Cm(29.7)
    margin = Cm(1.8)
    section.left_margin = margin
    section.right_margin = margin
    section.top_margin = margin
    section.bottom_margin = margin
    header = section.header.paragraphs[0]
    logo_picture = header.add_run().add_picture(io.BytesIO(timeline.logo_png()), height=Pt(14))
    logo_picture._inline.docPr.set("descr", "Lectern")
    header.add_run(f"  {wording.review_state(view)}").bold = True
    footer = section.footer.paragraphs[0]
    footer.add_run(f"{view.title} · page ")
    _add_field(footer, "PAGE")
    footer.add_run(" of ")
    _add_field(footer, "NUMPAGES")


def _add_field(paragraph: Paragraph, field_name: str) -> None:
    """Add a field that the reader's program fills in."""
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), field_name)
    field.append(paragraph.add_run("1")._r)
    paragraph._p.append(field)


def _write_heading(document: Document, view: ReportView) -> None:
    document.add_heading(view.title, 0)
    document.add_paragraph(contents.opening(view))
    document.add_paragraph().add_run(f"{wording.review_state(view)}.").bold = True
    document.add_paragraph(wording.RATINGS_ARE_THE_PUBLISHERS)
    for text in view.report.warnings:
        document.add_paragraph(text, "List Bullet")


def _draw_timeline(document: Document, view: ReportView) -> None:
    """Add the timeline, with its summary as text for those who cannot see it."""
    from docx.shared import Cm

    marks = timeline.marks(view)
    if not marks:
        return
    png_file = io.BytesIO(timeline.png(view.report, marks))
    summary = timeline.summary(marks)
    table_width_cm = sum(COLUMN_WIDTHS_CM)
    picture = document.add_picture(png_file, width=Cm(table_width_cm))
    # The library has no function for the alternative text of a picture.
    picture._inline.docPr.set("descr", summary)
    document.add_paragraph(f"{summary} {timeline.HOW_TO_READ}")


def _write_table(
    document: Document, heading: str, entries: list[contents.ReportEntry], view: ReportView
) -> None:
    if not entries:
        return
    document.add_heading(heading, 1)
    table = document.add_table(1, len(COLUMN_HEADS), "Table Grid")
    head_row = table.rows[0]
    _set_widths(head_row.cells)
    for cell, name in zip(head_row.cells, COLUMN_HEADS, strict=True):
        cell.paragraphs[0].add_run(name).bold = True
    _repeat_on_every_page(head_row)
    for entry in entries:
        # One row per match, so that a claim never stands beside another rating. The cells of the
        # passage are merged into one.
        merged_cell = None
        for checked, match in entry.matches:
            passage_cell, rating_cell, claim_cell, review_cell = table.add_row().cells
            merged_cell = passage_cell if merged_cell is None else merged_cell.merge(passage_cell)
            _write_rating(rating_cell, match, view)
            _write(claim_cell, contents.sentence_note(entry, checked), match.claim.statement)
            _write(review_cell, "", contents.review_status(match))
            for line in contents.comment_lines(match):
                review_cell.add_paragraph(line)
        if merged_cell is not None:
            _write_passage(merged_cell, entry)


def _write_passage(cell: _Cell, entry: contents.ReportEntry) -> None:
    """Write a passage, its best sentence in bold, and its repeats."""
    context_line = contents.context_line(entry)
    _write(cell, f"{entry.place} {entry.speaker}", context_line)
    if entry.passage.context:
        # The context is the last run of the first paragraph.
        context_run = cell.paragraphs[0].runs[-1]
        context_run.italic = True
        cell.add_paragraph()
    _write_sentences(cell.paragraphs[-1], entry.passage.sentences, entry.best)
    if entry.repeats:
        cell.add_paragraph(f"{contents.repeats_line(entry)}:")
    for repeat in entry.repeats:
        time = contents.passage_time(repeat.sentences)
        paragraph = cell.add_paragraph(f"{time} ", "List Bullet")
        _write_sentences(paragraph, repeat.sentences, repeat.best)


def _write_sentences(
    paragraph: Paragraph, sentences: Sequence[CheckedSentence], best: CheckedSentence | None
) -> None:
    for piece in contents.passage_pieces(sentences, best):
        paragraph.add_run(piece.separator)
        paragraph.add_run(piece.text).bold = piece.is_marked


def _write_rating(cell: _Cell, match: Match, view: ReportView) -> None:
    claim = match.claim
    publisher = wording.publisher(claim) or "publisher not named"
    _write(cell, contents.rating_label(claim), publisher)
    paragraph = cell.add_paragraph(contents.dates(match, view.event_date) + " ")
    _add_link(paragraph, claim.title or "Open the article", contents.address(claim))


def _write(cell: _Cell, lead: str, text: str) -> None:
    """Write a bold lead and a text into the empty paragraph of a cell."""
    paragraph = cell.paragraphs[0]
    if lead:
        paragraph.add_run(lead).bold = True
        paragraph.add_run("\n")
    paragraph.add_run(text)


def _set_widths(cells: Any) -> None:
    from docx.shared import Cm

    for cell, width_cm in zip(cells, COLUMN_WIDTHS_CM, strict=True):
        cell.width = Cm(width_cm)


def _repeat_on_every_page(table_row: Any) -> None:
    """Show the head of a table again on every page."""
    from docx.oxml import OxmlElement

    table_row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _add_link(paragraph: Paragraph, text: str, url: str) -> None:
    """Add a link, as plain text if the address is empty."""
    from docx.opc.constants import RELATIONSHIP_TYPE
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import RGBColor

    run = paragraph.add_run(text)
    if not url:
        return
    run.font.underline = True
    run.font.color.rgb = RGBColor(0x1D, 0x5A, 0x9E)
    relationship = paragraph.part.relate_to(url, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = OxmlElement("w:hyperlink")
    link.set(qn("r:id"), relationship)
    link.append(run._r)
    paragraph._p.append(link)


def _write_unlisted(document: Document, view: ReportView) -> None:
    """Write the sentences with a mixed rating only, and the numbers of those without a match."""
    if not view.matches:
        document.add_paragraph(wording.nothing_found(view))
    mixed_sentences = contents.mixed_sentences(view)
    if mixed_sentences:
        document.add_heading(contents.MIXED, 1)
    for number, text, fact_check in mixed_sentences:
        document.add_paragraph(f"{number}. {text} — {fact_check}")
    if view.unmatched:
        document.add_heading("Nothing found", 1)
        document.add_paragraph(contents.unmatched_line(view))


def _write_transcript(document: Document, view: ReportView) -> None:
    """Write all sentences, one paragraph per turn, with comments on those with a match."""
    document.add_heading("Transcript", 1)
    for turn in view.turns:
        paragraph = document.add_paragraph()
        speaker = turn.speaker or contents.SPEAKER_UNKNOWN
        turn_opening = f"{speaker} {wording.clock(turn.start_s)}"
        paragraph.add_run(turn_opening.rstrip()).bold = True
        paragraph.add_run("\n")
        for position, checked_sentence in enumerate(turn.sentences):
            if position > 0:
                paragraph.add_run(" ")
            run = paragraph.add_run(checked_sentence.sentence.text)
            _add_comment(document, run, checked_sentence, view)


def _add_comment(
    document: Document, run: Run, checked_sentence: CheckedSentence, view: ReportView
) -> None:
    """Comment on a sentence with its matches: ratings, key sentences and links."""
    matches = contents.unrejected_matches(checked_sentence)
    if not matches:
        return
    run.underline = True
    # Who confirmed the first match signs the comment.
    author = UNREVIEWED
    decided_at = ""
    decision = matches[0].decision
    if decision is not None and contents.is_confirmed(matches[0]):
        author = decision.by or "a person not named"
        decided_at = decision.at
    comment_text = "\n".join(_comment_lines(matches, view))
    initial = author[:1].upper()
    comment = document.add_comment(run, comment_text, author, initial)
    _set_date(comment._comment_elm, decided_at)


def _comment_lines(matches: list[Match], view: ReportView) -> list[str]:
    lines = []
    for match in matches:
        claim = match.claim
        lines.append(f"{contents.review_status(match)}.")
        lines.append(f"{wording.rating_sentence(claim)}: {wording.quoted(claim.statement)}")
        lines.append(contents.dates(match, view.event_date))
        caution_line = wording.caution_line(match, view.event_date)
        if caution_line:
            lines.append(f"{caution_line}.")
        if not match.key_sentences:
            lines.append(f"{wording.NO_SENTENCES}.")
        for key in match.key_sentences:
            lines.append(f"{wording.key_sentence_reasons(key)}: {wording.quoted(key.text)}")
        lines.append(contents.address(claim))
    return [" ".join(line.split()) for line in lines if line]


def _set_date(comment: Any, decided_at: str) -> None:
    """Date a comment by the decision; without a decision it has no date."""
    from docx.oxml.ns import qn

    comment.attrib.pop(qn("w:date"), None)
    if decided_at:
        comment.set(qn("w:date"), f"{decided_at[:19]}Z")


def _write_facts(document: Document, view: ReportView) -> None:
    document.add_heading("About this report", 1)
    for name, value in contents.report_facts(view):
        paragraph = document.add_paragraph()
        paragraph.paragraph_format.space_after = 0
        paragraph.add_run(f"{name}: ").bold = True
        paragraph.add_run(value)
