"""The report as a PDF file: A4, with notes beside the transcript.

The DejaVu fonts cover Latin, Greek, Cyrillic, Arabic, Hebrew and more; a character that they lack
is shown as a box, and the last page counts the boxes. The fonts come with a Python package, so that
a report does not depend on the fonts of the system.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from assistant.core import confined
from assistant.core.domain import CheckedSentence, Match, Report
from assistant.core.errors import SettingsError
from assistant.report import contents, timeline, wording
from assistant.report.selection import selection_words
from assistant.report.view import ReportView
from assistant.reports import right_to_left

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

SANS = "DejaVuSans"
BOLD = "DejaVuSans-Bold"
MARGIN_PT = 51  # 18 mm
FRAME_PADDING_PT = 12  # left and right of the text together
NOTE_WIDTH_SHARE = 0.36  # notes beside the transcript
LOGO_PT = 12.0
MAX_TITLE_CHARACTERS = 80
# A row of a table cannot be longer than a page.
SENTENCES_PER_ROW = 8
MISSING_CHARACTER = "\u25a1"
SOFT_COLOUR = "#52606f"
RULE_COLOUR = "#d5dae1"
HIGHLIGHT_COLOUR = "#dcecf9"
LINK_COLOUR = "#1d5a9e"
# A PDF of 3,000 sentences takes about 10 s of CPU time.
WRITING_LIMITS = confined.CallLimits(
    cpu_s=120.0,
    wall_s=180.0,
    memory_bytes=2_000_000_000,
    time_message="takes too long to write, as a report with very long texts does; no file was made.",
    memory_message="needs too much memory, as a report with very long texts does; no file was made.",
    failed_message="could not be written: its writer broke off",
    remedy="Choose Word or the web page, which have no such limit.",
)


def render(view: ReportView) -> bytes:
    """Return the file, which another process writes within limits on time and memory.

    Raises: SettingsError if the report is too long for them.
    """
    return confined.call(
        written,
        view.report,
        where="the PDF report",
        refusal=SettingsError,
        limits=WRITING_LIMITS,
    )


def written(report: Report) -> bytes:
    """Return the file of a printable report, in this process."""
    return _written(ReportView(report))


def _written(view: ReportView) -> bytes:
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    _supported_code_points()
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file,
        pagesize=A4,
        leftMargin=MARGIN_PT,
        rightMargin=MARGIN_PT,
        topMargin=MARGIN_PT + 12,
        bottomMargin=MARGIN_PT + 6,
        title=view.title,
        author=f"Lectern {view.report.manifest.lectern}",
        subject=wording.review_state(view),
        lang="en",
        invariant=1,  # no clock, no random id: the same report gives the same bytes
    )
    story = list(_report_flowables(view))
    # The note counts the boxes of everything before it.
    story += _missing_note(story)
    document.build(story, canvasmaker=_canvas(view))
    return file.getvalue()


@cache
def _supported_code_points() -> frozenset[int]:
    """Register the fonts and return the characters that both of them have."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    # The files are read without importing matplotlib, which is slow.
    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(
            "PDF reports need the fonts in the package matplotlib, which isn't installed."
        )
    folder = Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
    sans_font = TTFont(SANS, str(folder / f"{SANS}.ttf"))
    bold_font = TTFont(BOLD, str(folder / f"{BOLD}.ttf"))
    pdfmetrics.registerFont(sans_font)
    pdfmetrics.registerFont(bold_font)
    pdfmetrics.registerFontFamily(SANS, normal=SANS, bold=BOLD, italic=SANS, boldItalic=BOLD)
    sans_characters = frozenset(sans_font.face.charToGlyph)
    bold_characters = frozenset(bold_font.face.charToGlyph)
    return sans_characters & bold_characters


def _canvas(view: ReportView) -> type:
    """Return the canvas that writes head and foot of each page at the end."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    logo = ImageReader(io.BytesIO(timeline.logo_png()))
    state = _drawable_text(wording.review_state(view)).replace("\n", " ")
    title = _drawable_text(view.title[:MAX_TITLE_CHARACTERS]).replace("\n", " ")

    class PageNumberCanvas(Canvas):
        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            super().__init__(*arguments, **keywords)
            self.pages: list[dict[str, Any]] = []

        def showPage(self) -> None:
            # The number of pages is known at the end only: each page waits in its state.
            self.pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page_state in enumerate(self.pages, start=1):
                self.__dict__.update(page_state)
                self._draw_margins(number)
                Canvas.showPage(self)
            Canvas.save(self)

        def _draw_margins(self, number: int) -> None:
            width, height = self._pagesize
            top = height - MARGIN_PT
            self.drawImage(logo, MARGIN_PT, top - 3, LOGO_PT, LOGO_PT, mask="auto")
            self.setFont(BOLD, 8)
            self.drawString(MARGIN_PT + LOGO_PT + 5, top, state)
            self.setFont(SANS, 8)
            self.drawString(MARGIN_PT, MARGIN_PT - 14, title)
            self.drawRightString(width - MARGIN_PT, MARGIN_PT - 14, f"{number} / {len(self.pages)}")

    return PageNumberCanvas


@cache
def _styles() -> dict[str, Any]:
    """Return the paragraph styles by name."""
    from reportlab.lib.styles import ParagraphStyle

    text_style = ParagraphStyle(
        "text", fontName=SANS, fontSize=9, leading=13, spaceAfter=4, splitLongWords=1
    )
    styles = {"text": text_style}

    def add_style(name: str, parent: ParagraphStyle, **attributes: float | str) -> ParagraphStyle:
        styles[name] = ParagraphStyle(name, parent=parent, **attributes)
        return styles[name]

    small = add_style("small", text_style, fontSize=7.5, leading=10.5, spaceAfter=2)
    add_style("place", small, spaceAfter=4, spaceBefore=12, keepWithNext=1)
    add_style("before", small, spaceAfter=4, leftIndent=8, keepWithNext=1)
    add_style("also", small, leftIndent=8)
    add_style("on", small, spaceAfter=4, spaceBefore=6, keepWithNext=1)
    add_style("rating", text_style, spaceBefore=4, keepWithNext=1)
    add_style("said", text_style, fontSize=10.5, leading=15, leftIndent=8, keepWithNext=1)
    add_style(
        "title", text_style, fontName=BOLD, fontSize=18, leading=23, spaceAfter=8, keepWithNext=1
    )
    add_style(
        "h2",
        text_style,
        fontName=BOLD,
        fontSize=13,
        leading=18,
        spaceBefore=14,
        spaceAfter=6,
        keepWithNext=1,
    )
    return styles


def _paragraph(style: str, *markup: str) -> Flowable:
    """Return a paragraph of mark-up (``_markup``, ``_bold`` and ``_grey`` make mark-up of text)."""
    from reportlab.platypus import Paragraph

    return Paragraph("".join(markup), _styles()[style])


def _drawable_text(text: str) -> str:
    """Return text as it is drawn, with a box for each character that the fonts lack.

    It is one line, unless it has long right-to-left passages.
    """
    # The code points of the characters that the fonts have.
    supported_code_points = _supported_code_points()
    ordered_text = right_to_left.in_drawing_order(re.sub(r"\s+", " ", text))
    drawn_characters = []
    for character in ordered_text:
        is_drawable = character == "\n" or ord(character) in supported_code_points
        drawn_characters.append(character if is_drawable else MISSING_CHARACTER)
    return "".join(drawn_characters)


def _markup(text: str) -> str:
    """Return text as mark-up."""
    return escape(_drawable_text(text)).replace("\n", "<br/>")


def _bold(text: str) -> str:
    """Return text as bold mark-up."""
    return f"<b>{_markup(text)}</b>"


def _grey(text: str) -> str:
    """Return text as grey mark-up."""
    return f'<font color="{SOFT_COLOUR}">{_markup(text)}</font>'


def _report_flowables(view: ReportView) -> Iterator[Flowable]:
    """Yield the paragraphs, tables and images of the report in their order."""
    yield _paragraph("title", _markup(view.title))
    yield _paragraph("text", _markup(contents.opening(view)))
    yield _paragraph("text", _bold(f"{wording.review_state(view)}."))
    for warning in view.report.warnings:
        yield _paragraph("text", _markup(f"▲ {warning}"))
    is_whole_report = not selection_words(view.report)
    if is_whole_report:
        yield from _timeline(view)
    for heading, is_in_section in contents.SECTIONS:
        entries = contents.entries(view, is_in_section)
        if entries:
            yield _paragraph("h2", _markup(heading))
        for entry in entries:
            yield from _entry(entry, view)
    if is_whole_report:
        yield from _unlisted(view)
        yield from _transcript(view)
    yield from _facts(view)


def _text_width_pt() -> float:
    from reportlab.lib.pagesizes import A4

    page_width, _ = A4
    return page_width - 2 * MARGIN_PT - FRAME_PADDING_PT


def _timeline(view: ReportView) -> Iterator[Flowable]:
    """Yield the timeline, as wide as the text, with its summary."""
    from reportlab.lib.utils import ImageReader
    from reportlab.platypus import Image

    marks = timeline.marks(view)
    if not marks:
        return
    png_file = io.BytesIO(timeline.png(view.report, marks))
    width_px, height_px = ImageReader(png_file).getSize()
    png_file.seek(0)
    width_pt = _text_width_pt()
    height_pt = width_pt * height_px / width_px
    yield Image(png_file, width=width_pt, height=height_pt, hAlign="LEFT")
    yield _paragraph("small", _markup(f"{timeline.summary(marks)} {timeline.HOW_TO_READ}"))


def _entry(entry: contents.ReportEntry, view: ReportView) -> Iterator[Flowable]:
    strength = contents.strength_word(entry.best)
    position = " · ".join(filter(None, (entry.place, strength)))
    yield _paragraph("place", _bold(entry.speaker), _grey(f" · {position}"))
    if entry.passage.context:
        yield _paragraph("before", _grey(contents.context_line(entry)))
    yield _paragraph("said", "“", _passage_text(entry.passage.sentences, entry.best), "”")
    if entry.repeats:
        yield _paragraph("also", _markup(f"{contents.repeats_line(entry)}:"))
    for repeat in entry.repeats:
        time = _grey(f"{contents.passage_time(repeat.sentences)} ")
        yield _paragraph("also", time, _passage_text(repeat.sentences, repeat.best))
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield _paragraph("on", _grey(f"{contents.sentence_note(entry, checked)}:"))
        yield from _match(match, view)


def _passage_text(sentences: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """Return the text of a passage, its best sentence in bold."""
    return contents.passage_text(sentences, best, _markup, _bold)


def _match(match: Match, view: ReportView) -> Iterator[Flowable]:
    claim = match.claim
    rating_sentence = f"{wording.rating_sentence(claim)}: {wording.quoted(claim.statement)}"
    yield _paragraph(
        "rating", _bold(contents.rating_label(claim)), _markup(f" · {rating_sentence}")
    )
    is_whole = not selection_words(view.report)
    link = _link(contents.address(claim))
    if is_whole:
        after_status = _grey(f" · {contents.dates(match, view.event_date)}")
    else:  # one line per match less: twenty matches fit on four pages
        after_status = f" · {link}" if link else ""
    yield _paragraph("small", _bold(contents.review_status(match)), after_status)
    for line in contents.comment_lines(match):
        yield _paragraph("small", _markup(line))
    caution_line = wording.caution_line(match, view.event_date)
    if caution_line:
        yield _paragraph("small", _markup(f"▲ {caution_line}"))
    if is_whole:
        yield from _key_sentences(match)
        if link:
            yield _paragraph("small", link)


def _link(url: str) -> str:
    """Return the mark-up of a link that shows its address, "" without one."""
    if not url:
        return ""
    target = escape(url, {'"': "&quot;"})
    return f'<link href="{target}" color="{LINK_COLOUR}">{_markup(url)}</link>'


def _key_sentences(match: Match) -> Iterator[Flowable]:
    if not match.key_sentences:
        yield _paragraph("small", _grey(f"{wording.NO_SENTENCES}."))
    for key in match.key_sentences:
        yield _paragraph(
            "small",
            _grey(f"{wording.key_sentence_reasons(key)}: "),
            _markup(wording.quoted(key.text)),
        )


def _unlisted(view: ReportView) -> Iterator[Flowable]:
    """Yield the sentences with a mixed rating only, and the numbers of those without a match."""
    if not view.matches:
        yield _paragraph("text", _markup(wording.nothing_found(view)))
    mixed_sentences = contents.mixed_sentences(view)
    if mixed_sentences:
        yield _paragraph("h2", _markup(contents.MIXED))
    for number, text, fact_check in mixed_sentences:
        yield _paragraph("text", _markup(f"{number}. {text} — {fact_check}"))
    if view.unmatched:
        yield _paragraph("h2", _markup("Nothing found"))
        yield _paragraph("text", _markup(contents.unmatched_line(view)))


def _transcript(view: ReportView) -> Iterator[Flowable]:
    """Yield all sentences in reading order, by turns, with notes beside those with a match."""
    yield _paragraph("h2", _markup("Transcript"))
    for turn in view.turns:
        speaker = _bold(turn.speaker or contents.SPEAKER_UNKNOWN)
        time = wording.clock(turn.start_s)
        grey_time = _grey(f" {time}" if time else "")
        turn_opening = f"{speaker}{grey_time}<br/>"
        for start in range(0, len(turn.sentences), SENTENCES_PER_ROW):
            sentences = turn.sentences[start : start + SENTENCES_PER_ROW]
            row_text = " ".join(_sentence(checked) for checked in sentences)
            is_first_row = start == 0
            row_opening = turn_opening if is_first_row else ""
            paragraph = _paragraph("text", row_opening, row_text)
            row_notes: list[Flowable] = []
            for checked in sentences:
                row_notes.extend(_notes(checked))
            yield _with_notes(paragraph, row_notes) if row_notes else paragraph


def _with_notes(paragraph: Flowable, notes: list[Flowable]) -> Flowable:
    """Return a paragraph with notes beside it."""
    from reportlab.platypus import Table, TableStyle

    width_pt = _text_width_pt()
    # Cells are addressed as (column, row); -1 is the last one. The notes are the second column.
    first_cell = (0, 0)
    last_cell = (-1, -1)
    end_of_text_column = (0, -1)
    start_of_note_column = (1, 0)
    end_of_note_column = (1, -1)
    style_commands: list[tuple[object, ...]] = [
        ("VALIGN", first_cell, last_cell, "TOP"),
        ("LEFTPADDING", first_cell, end_of_text_column, 0),
        ("LINEBEFORE", start_of_note_column, end_of_note_column, 0.5, RULE_COLOUR),
        ("TOPPADDING", first_cell, last_cell, 0),
    ]
    note_width_pt = width_pt * NOTE_WIDTH_SHARE
    widths_pt = [width_pt * (1 - NOTE_WIDTH_SHARE), note_width_pt]
    # A row that does not fit on a page is split.
    return Table(
        [[paragraph, notes]], colWidths=widths_pt, style=TableStyle(style_commands), splitInRow=1
    )


def _sentence(checked_sentence: CheckedSentence) -> str:
    """Return a sentence with its number as mark-up, highlighted if it has a match."""
    number = f'<font size="6" color="{SOFT_COLOUR}">{checked_sentence.sentence.number}</font> '
    text = _markup(checked_sentence.sentence.text)
    if contents.unrejected_matches(checked_sentence):
        text = f'<font backColor="{HIGHLIGHT_COLOUR}">{text}</font>'
    return number + text


def _notes(checked_sentence: CheckedSentence) -> Iterator[Flowable]:
    for match in contents.unrejected_matches(checked_sentence):
        claim = match.claim
        source = f"{wording.publisher(claim)}, {wording.day(claim.review_date)}"
        details = f" {source}. {contents.review_status(match)}"
        number = f"{checked_sentence.sentence.number} "
        yield _paragraph(
            "small", _markup(number), _bold(contents.rating_label(claim)), _grey(details)
        )


def _facts(view: ReportView) -> Iterator[Flowable]:
    yield _paragraph("h2", _markup("About this report"))
    for name, value in contents.report_facts(view):
        yield _paragraph("small", _grey(f"{name}: "), _markup(value))
    yield _paragraph("small", _markup(wording.RATINGS_ARE_THE_PUBLISHERS))


def _missing_note(story: Sequence[Flowable]) -> list[Flowable]:
    """Return a line with the number of boxes in the report, nothing if there are none."""
    missing_count = sum(_count_missing_characters(flowable) for flowable in story)
    if missing_count == 0:
        return []
    total = wording.count(missing_count, "character")
    note = (
        f"{total} shown as {MISSING_CHARACTER}: the fonts of this file do not have them. "
        "The HTML and Word reports show them."
    )
    return [_paragraph("small", _markup(note))]


def _count_missing_characters(flowable: Any) -> int:
    """Count the boxes in a paragraph, or in the cells of a table."""
    if hasattr(flowable, "getPlainText"):
        return int(flowable.getPlainText(identify=False).count(MISSING_CHARACTER))
    # A cell of a table has one flowable or several.
    missing_count = 0
    for cells in getattr(flowable, "_cellvalues", ()):
        for cell in cells:
            flowables = cell if isinstance(cell, (list, tuple)) else [cell]
            missing_count += sum(
                _count_missing_characters(inner_flowable) for inner_flowable in flowables
            )
    return missing_count
