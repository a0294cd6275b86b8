"""Turns the paragraphs of a Word document into lines, with bold, headings and styles as hints.

Text that tracked changes deleted, that is struck through or hidden is left out. A text box is read
once, and is marked, because it isn't part of the speech around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.transcripts.numbered_lines import NumberedLine

_WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_PARAGRAPH = f"{_WORD_NAMESPACE}p"
_BOX = f"{_WORD_NAMESPACE}txbxContent"
# Deleted text, field codes, properties and footnote marks
_UNREAD_TAGS = {
    _WORD_NAMESPACE + tag
    for tag in (
        "del moveFrom delText instrText pPr rPr footnoteReference endnoteReference "
        "commentReference annotationRef"
    ).split()
}
# A text box occurs twice, once as a fallback for older programs.
_UNREAD_TAGS.add(_FALLBACK)
# Elements that stand for one character
_SIGN_CHARACTERS = {
    f"{_WORD_NAMESPACE}tab": "\t",
    f"{_WORD_NAMESPACE}br": "\n",
    f"{_WORD_NAMESPACE}cr": "\n",
    f"{_WORD_NAMESPACE}noBreakHyphen": "-",
}
_TURNED_OFF_VALUES = ("0", "false", "off", "none")
_HIDING_PROPERTIES = ("vanish", "webHidden", "strike", "dstrike")
_FOOTNOTE_MARK_PATTERN = re.compile(r"^\s*(?:\[?\d{1,3}\]?|[*†‡§]{1,3})\s*$")
_HEADING_STYLE_PATTERN = re.compile(r"heading\s?(\d)|^(title)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Run:
    """Text of a document with the mark of its run: "bold", "italic", or "" for none."""

    text: str
    markup: str


def lines_of(body: Any) -> Iterator[NumberedLine]:
    """Yield the lines of all paragraphs, numbered by paragraph, an empty one after each."""
    pending_runs: list[_Run] = []
    for number, paragraph in enumerate(paragraphs(body), 1):
        runs = [*pending_runs, *_runs(paragraph)]
        pending_runs = []
        if _is_mark_deleted(paragraph):
            pending_runs = runs
            continue
        yield from _paragraph_lines(number, paragraph, runs)
    if pending_runs:
        yield NumberedLine(number, "".join(run.text for run in pending_runs))


def paragraphs(body: Any) -> Iterator[Any]:
    """Yield the paragraphs in order, each text box once."""
    for paragraph in body.iter(_PARAGRAPH):
        if next(paragraph.iterancestors(_FALLBACK), None) is None:
            yield paragraph


def text_of(node: Any) -> str:
    """Return the text of a paragraph, without unsaid text and nested paragraphs.

    Soft breaks become line feeds.
    """
    return "".join(run.text for run in _runs(node))


def has_hidden_text(body: Any) -> bool:
    """Return whether the document has hidden text or text that is struck through."""
    for run in body.iter(f"{_WORD_NAMESPACE}r"):
        if _is_hidden_or_struck(run) and run.find(f"{_WORD_NAMESPACE}t") is not None:
            return True
    return False


def _paragraph_lines(number: int, paragraph: Any, runs: Sequence[_Run]) -> Iterator[NumberedLine]:
    text = "".join(run.text for run in runs)
    markup = _markup_of_paragraph(paragraph)
    markup_end = len(text.split("\n")[0]) if markup else 0
    if not markup:
        markup, markup_end = _markup_of_head(runs)
    for part in text.split("\n"):
        yield NumberedLine(number, part, markup, min(markup_end, len(part)))
        # Only the first line of a paragraph has its head.
        if markup != "text box":
            markup = ""
            markup_end = 0
    if text.strip():
        yield NumberedLine(number, "")


def _markup_of_head(runs: Sequence[_Run]) -> tuple[str, int]:
    """Return the mark at the head of a paragraph, and the character where it ends."""
    markup_of_filled_runs = [run.markup for run in runs if run.text.strip()]
    markup = markup_of_filled_runs[0] if markup_of_filled_runs else ""
    if not markup:
        return "", 0
    length = 0
    marked_up_text = ""
    for run in runs:
        if run.text.strip() and run.markup != markup:
            break
        length += len(run.text)
        marked_up_text += run.text
    return markup, len(marked_up_text.rstrip())


def _markup_of_paragraph(paragraph: Any) -> str:
    """Return the mark of a whole paragraph: a text box, a heading, a style for speakers."""
    is_in_box = next(paragraph.iterancestors(_BOX), None) is not None
    if is_in_box:
        return "text box"
    # <w:pPr><w:pStyle w:val="Heading1"/></w:pPr>
    style = paragraph.find(f"{_WORD_NAMESPACE}pPr/{_WORD_NAMESPACE}pStyle")
    style_name = ""
    if style is not None:
        style_name = str(style.get(f"{_WORD_NAMESPACE}val") or "")
    heading = _HEADING_STYLE_PATTERN.search(style_name)
    if heading:
        level = heading[1] or 1
        return f"heading {level}"
    return "class speaker" if "speaker" in style_name.lower() else ""


def _is_mark_deleted(paragraph: Any) -> bool:
    """Return whether tracked changes deleted the end of a paragraph, which joins it to the next."""
    path = "/".join(_WORD_NAMESPACE + tag for tag in ("pPr", "rPr", "del"))
    return paragraph.find(path) is not None


def _runs(node: Any) -> Iterator[_Run]:
    """Yield the text under a node, run by run, without what is not part of the document."""
    # In Word's XML, a run (r) is text of one format, and t has the text.
    for child in node:
        is_inner_paragraph = child.tag == _PARAGRAPH
        if child.tag in _UNREAD_TAGS or is_inner_paragraph:
            continue
        if child.tag == f"{_WORD_NAMESPACE}r":
            yield from _run_texts(child)
        elif child.tag == f"{_WORD_NAMESPACE}t":
            yield _Run(child.text or "", "")
        elif child.tag in _SIGN_CHARACTERS:
            yield _Run(_SIGN_CHARACTERS[child.tag], "")
        else:
            yield from _runs(child)


def _run_texts(run: Any) -> Iterator[_Run]:
    if _is_hidden_or_struck(run):
        return
    texts = list(_runs(run))
    properties = run.find(f"{_WORD_NAMESPACE}rPr")
    if properties is None:
        yield from texts
        return
    position = properties.find(f"{_WORD_NAMESPACE}vertAlign")
    is_raised = position is not None and position.get(f"{_WORD_NAMESPACE}val") == "superscript"
    if is_raised and _FOOTNOTE_MARK_PATTERN.match("".join(text.text for text in texts)):
        return
    mark = ""
    if _is_on(properties, "b") or _style_name(properties).startswith("strong"):
        mark = "bold"
    elif _is_on(properties, "i") or _is_on(properties, "u"):
        mark = "italic"
    for text in texts:
        yield _Run(text.text, mark)


def _is_hidden_or_struck(run: Any) -> bool:
    properties = run.find(f"{_WORD_NAMESPACE}rPr")
    if properties is None:
        return False
    return any(_is_on(properties, tag) for tag in _HIDING_PROPERTIES)


def _is_on(properties: Any, tag: str) -> bool:
    """Return whether a property is set, and not set to off."""
    element = properties.find(_WORD_NAMESPACE + tag)
    if element is None:
        return False
    return str(element.get(f"{_WORD_NAMESPACE}val") or "1").lower() not in _TURNED_OFF_VALUES


def _style_name(properties: Any) -> str:
    style = properties.find(f"{_WORD_NAMESPACE}rStyle")
    return str(style.get(f"{_WORD_NAMESPACE}val") or "").lower() if style is not None else ""
