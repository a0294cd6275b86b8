"""The report as a PDF file.

A4, page numbers, the state of the review on every page, notes beside the transcript.

The fonts are DejaVu's, which cover Latin, Greek, Cyrillic and more; a character that they lack is
shown as a box, and the last page says how many there were. Nothing is asked of the system: the
fonts come with a Python package.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import escape

from assistant.core.domain import CheckedSentence, Match
from assistant.report import contents, timeline, wording
from assistant.report.view import ReportView

if TYPE_CHECKING:
    from reportlab.platypus import Flowable

SANS = "DejaVuSans"
BOLD = "DejaVuSans-Bold"
# 18 mm; the part of the width that notes beside the transcript take
MARGIN_PT = 51
NOTE_SHARE = 0.36
MARK_PT = 12.0
BOX = "\u25a1"
SOFT = "#52606f"
RULE = "#d5dae1"
GROUND = "#dcecf9"


def render(view: ReportView) -> bytes:
    """Return the file."""
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import SimpleDocTemplate

    _fonts()
    out = io.BytesIO()
    margins = dict.fromkeys(("leftMargin", "rightMargin"), MARGIN_PT)
    file = SimpleDocTemplate(
        out,
        pagesize=A4,
        **margins,
        topMargin=MARGIN_PT + 12,
        bottomMargin=MARGIN_PT + 6,
        title=_shown(view.title),
        author=f"Lectern {view.report.manifest.lectern}",
        subject=_shown(wording.reviewed(view)),
        lang="en",
        invariant=1,  # no clock, no random id: the same report gives the same bytes
    )
    file.build(list(_story(view)), canvasmaker=_canvas(view))
    return out.getvalue()


@cache
def _fonts() -> frozenset[int]:
    """Register the fonts and return the characters that both of them have."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont

    spec = find_spec("matplotlib")
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(
            "matplotlib, whose package holds the fonts of PDF reports, is not installed"
        )
    folder = Path(spec.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"
    fonts = [TTFont(name, str(folder / f"{name}.ttf")) for name in (SANS, BOLD)]
    for font in fonts:
        pdfmetrics.registerFont(font)
    pdfmetrics.registerFontFamily(SANS, normal=SANS, bold=BOLD, italic=SANS, boldItalic=BOLD)
    return frozenset.intersection(*(frozenset(font.face.charToGlyph) for font in fonts))


def _canvas(view: ReportView) -> type:
    """Return the canvas that writes head and foot of each page once it knows how many there are."""
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    mark = ImageReader(io.BytesIO(timeline.of_mark()))
    state = _shown(wording.reviewed(view))
    title = _shown(view.title)[:80]

    class Paged(Canvas):
        def __init__(self, *given: Any, **named: Any) -> None:
            super().__init__(*given, **named)
            self.pages: list[dict[str, Any]] = []

        def showPage(self) -> None:
            self.pages.append(dict(self.__dict__))
            self._startPage()

        def save(self) -> None:
            for number, page in enumerate(self.pages, 1):
                self.__dict__.update(page)
                self._head(number)
                Canvas.showPage(self)
            Canvas.save(self)

        def _head(self, number: int) -> None:
            width, height = self._pagesize
            self.drawImage(mark, MARGIN_PT, height - MARGIN_PT - 3, MARK_PT, MARK_PT, mask="auto")
            self.setFont(BOLD, 8)
            self.drawString(MARGIN_PT + MARK_PT + 5, height - MARGIN_PT, state)
            self.setFont(SANS, 8)
            self.drawString(MARGIN_PT, MARGIN_PT - 14, title)
            self.drawRightString(width - MARGIN_PT, MARGIN_PT - 14, f"{number} / {len(self.pages)}")

    return Paged


@cache
def _styles() -> dict[str, Any]:
    from reportlab.lib.styles import ParagraphStyle

    text = ParagraphStyle(
        "text", fontName=SANS, fontSize=9, leading=13, spaceAfter=4, splitLongWords=1
    )
    small = {"parent": text, "fontSize": 7.5, "leading": 10.5}
    heading = {"parent": text, "fontName": BOLD, "keepWithNext": 1}
    return {
        "text": text,
        "small": ParagraphStyle("small", **small, spaceAfter=2),
        "place": ParagraphStyle("place", **small, spaceBefore=12, keepWithNext=1),
        "before": ParagraphStyle("before", **small, leftIndent=8, keepWithNext=1),
        "also": ParagraphStyle("also", **small, leftIndent=8, spaceAfter=2),
        "on": ParagraphStyle("on", **small, spaceBefore=6, keepWithNext=1),
        "rating": ParagraphStyle("rating", parent=text, spaceBefore=4, keepWithNext=1),
        "said": ParagraphStyle(
            "said", parent=text, fontSize=10.5, leading=15, leftIndent=8, keepWithNext=1
        ),
        "title": ParagraphStyle("title", **heading, fontSize=18, leading=23, spaceAfter=8),
        "h2": ParagraphStyle(
            "h2", **heading, fontSize=13, leading=18, spaceBefore=14, spaceAfter=6
        ),
    }


def _p(style: str, *parts: str) -> Flowable:
    """Return a paragraph; the parts are mark-up already (``_t``, ``_b``, ``_soft`` make it of text)."""
    from reportlab.platypus import Paragraph

    return Paragraph("".join(parts), _styles()[style])


def _shown(text: str) -> str:
    """Return text as one line, with a box for what the fonts lack."""
    known = _fonts()
    return "".join(char if ord(char) in known else BOX for char in re.sub(r"\s+", " ", text))


def _t(text: str) -> str:
    return escape(_shown(text))


def _b(text: str) -> str:
    return f"<b>{_t(text)}</b>"


def _soft(text: str) -> str:
    return f'<font color="{SOFT}">{_t(text)}</font>'


def _story(view: ReportView) -> Iterable[Flowable]:
    yield _p("title", _t(view.title))
    yield _p("text", _t(contents.opening(view)))
    yield _p("text", _b(f"{wording.reviewed(view)}."))
    yield from (_p("text", _t(f"▲ {text}")) for text in view.report.warnings)
    yield from _picture(view)
    for heading, which in contents.SECTIONS:
        entries = contents.entries(view, which)
        if entries:
            yield _p("h2", _t(heading))
            for entry in entries:
                yield from _entry(entry, view)
    yield from _nothing(view)
    yield from _transcript(view)
    yield from _about(view)


def _picture(view: ReportView) -> Iterable[Flowable]:
    """The picture of the debate, as wide as the text."""
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import ImageReader
    from reportlab.platypus import Image

    if drawn := timeline.marks(view):
        png = io.BytesIO(timeline.png(view.report, drawn))
        width = A4[0] - 2 * MARGIN_PT - 12
        (wide, high) = ImageReader(png).getSize()
        png.seek(0)
        yield Image(png, width=width, height=width * high / wide, hAlign="LEFT")
        yield _p("small", _t(f"{timeline.summary(drawn)} {timeline.HOW_TO_READ}"))


def _entry(entry: contents.ReportEntry, view: ReportView) -> Iterable[Flowable]:
    yield _p(
        "place", _b(entry.speaker), _soft(f" · {entry.place} · {entry.best.tier or 'no tier'}")
    )
    if entry.passage.context:
        yield _p("before", _soft(contents.points_back(entry)))
    yield _p("said", "“", _words(entry.passage.sentences, entry.best), "”")
    if entry.repeats:
        yield _p("also", _t(f"{contents.also_said(entry)}:"))
    for repeat in entry.repeats:
        yield _p(
            "also",
            _soft(f"{contents.place(repeat.sentences)} "),
            _words(repeat.sentences, repeat.best),
        )
    for checked, match in entry.matches:
        if checked is not entry.best:
            yield _p("on", _soft(f"{contents.other_sentence(entry, checked)}:"))
        yield from _match(match, view)


def _words(said: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """The words of a passage, the sentence that matches best in bold."""
    return contents.quoted(said, best, _t, _b)


def _match(match: Match, view: ReportView) -> Iterable[Flowable]:
    claim, link = match.claim, contents.address(match.claim)
    sign = wording.SIGNS[claim.rating_class].mark
    yield _p(
        "rating",
        _b(f"{sign} {claim.rating or 'no rating'}"),
        _t(f" · {wording.rated(claim)}: “{claim.statement}”"),
    )
    yield _p(
        "small", _b(contents.status(match)), _soft(f" · {contents.dates(match, view.event_date)}")
    )
    cautions = wording.cautions(match, view.event_date)
    if cautions:
        yield _p("small", _t(f"▲ {', '.join(cautions)}"))
    if not match.key_sentences:
        yield _p("small", _soft(f"{wording.NO_SENTENCES}."))
    for key in match.key_sentences:
        yield _p("small", _soft(f"{wording.why(key)}: "), _t(f"“{key.text}”"))
    if link:
        yield _p(
            "small",
            f'<link href="{escape(link, {chr(34): "&quot;"})}" color="#1d5a9e">{_t(link)}</link>',
        )


def _nothing(view: ReportView) -> Iterable[Flowable]:
    rows = view.unmatched
    if not view.matches:
        yield _p("text", _t(wording.nothing_found(view)))
    if half := contents.mixed(view):
        yield _p("h2", _t(contents.MIXED))
        yield from (_p("text", _t(f"{number}. {text} — {words}")) for number, text, words in half)
    if rows:
        yield _p("h2", _t("Nothing found"))
        numbers = ", ".join(str(row.sentence.number) for row in rows)
        yield _p(
            "text",
            _t(f"{wording.count(len(rows), 'check-worthy sentence')} without a match: {numbers}"),
        )


def _transcript(view: ReportView) -> Iterable[Flowable]:
    yield _p("h2", _t("Transcript"))
    for speaker, turn in groupby(
        view.report.sentences, key=lambda checked: checked.sentence.speaker
    ):
        rows = list(turn)
        time = wording.clock(rows[0].sentence.start)
        head = _b(speaker or "Speaker unknown") + _soft(f" {time}" if time else "")
        for at in range(0, len(rows), 8):  # a row of a table cannot be longer than a page
            part = rows[at : at + 8]
            said = _p(
                "text",
                f"{head}<br/>" if not at else "",
                " ".join(_sentence(checked) for checked in part),
            )
            notes = [note for checked in part for note in _note(checked)]
            yield _beside(said, notes) if notes else said


def _beside(said: Flowable, notes: list[Flowable]) -> Flowable:
    from reportlab.lib.pagesizes import A4
    from reportlab.platypus import Table, TableStyle

    width = A4[0] - 2 * MARGIN_PT - 12
    style: list[tuple[object, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("LEFTPADDING", (0, 0), (0, -1), 0),
        ("LINEBEFORE", (1, 0), (1, -1), 0.5, RULE),
        ("TOPPADDING", (0, 0), (-1, -1), 0),
    ]
    columns = [width * (1 - NOTE_SHARE), width * NOTE_SHARE]
    return Table([[said, notes]], colWidths=columns, style=TableStyle(style), splitInRow=1)


def _sentence(checked: CheckedSentence) -> str:
    number = f'<font size="6" color="{SOFT}">{checked.sentence.number}</font> '
    text = _t(checked.sentence.text)
    return number + (
        f'<font backColor="{GROUND}">{text}</font>' if contents.standing(checked) else text
    )


def _note(checked: CheckedSentence) -> Iterable[Flowable]:
    for match in contents.standing(checked):
        claim = match.claim
        rating = f"{wording.SIGNS[claim.rating_class].mark} {claim.rating or 'no rating'}"
        details = f" {wording.publisher(claim)}, {wording.day(claim.review_date)}. {contents.status(match)}"
        yield _p("small", _t(f"{checked.sentence.number} "), _b(rating), _soft(details))


def _about(view: ReportView) -> Iterable[Flowable]:
    yield _p("h2", _t("About this report"))
    for name, value in contents.about(view):
        yield _p("small", _soft(f"{name}: "), _t(value))
    known = _fonts()
    lacking = sum(
        ord(char) not in known
        for sent in view.report.transcript
        for char in sent.text
        if not char.isspace()
    )
    if lacking:
        note = f"{wording.count(lacking, 'character')} of the transcript shown as {BOX}: these fonts do not have them."
        yield _p("small", _t(note))
    yield _p("small", _t(wording.RATINGS_ARE_THE_PUBLISHERS))
