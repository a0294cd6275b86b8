"""Turns a web page into lines as a browser breaks them, with the hints of its mark-up.

Bold, italic, headings, links and class names that speak of a speaker stay as hints for the label
finder. Navigation, captions of pictures and boxes around the text are not part of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from assistant.transcripts.numbered_lines import NumberedLine
from assistant.transcripts.timestamps import whole_time

MAX_SPEAKER_CHARACTERS = 80
MAX_MEASURED_SHARE = 4  # times the text of the page may be counted to measure boxes
MAX_FURNITURE_SHARE = 0.2  # a larger box is not beside the text

_SPEAKER_ATTRIBUTES = ("data-speaker", "data-speaker-name")
# Tags whose text is not part of the page
_UNREAD_TAGS = frozenset(
    "script style noscript template nav footer aside form button select iframe svg head title "
    "figure figcaption".split()
)
# Tags that do not break a line
_INLINE_TAGS = frozenset(
    "a abbr b big cite code em font i mark q s small span strong sub sup time u dt".split()
)
_LINE_MARK = "\x1f"
_BLOCK_MARK = "\x1e"
_MARK_END = "\x1a"
# Characters around marked text, by the name of the mark
_MARK_STARTS = {
    "class speaker": "\x10",
    "bold": "\x11",
    "italic": "\x12",
    "heading 1": "\x13",
    "heading 2": "\x14",
    "heading 3": "\x15",
    "heading 4": "\x16",
    "heading 5": "\x17",
    "heading 6": "\x18",
    "link": "\x19",
}
_MARK_NAMES = {start: name for name, start in _MARK_STARTS.items()}
_TAG_MARKS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "italic",
    "cite": "class speaker",
    "dt": "class speaker",
    "a": "link",
    "h1": "heading 1",
    "h2": "heading 2",
    "h3": "heading 3",
    "h4": "heading 4",
    "h5": "heading 5",
    "h6": "heading 6",
}
_ANY_MARK_PATTERN = re.compile("[\x10-\x1a]")
# A time, maybe a link, and a name in bold: "00:12 **Maria Lindqvist** Good evening"
_TIMED_BOLD_NAME_PATTERN = re.compile(
    "[\x19\x1a]?(?P<time>[\\[(]?\\d{1,2}(?::\\d{2}){1,2}[\\])]?)[\x1a ]{1,3}[\x10\x11]{1,2}(?P<name>[^\x10-\x1f]{2,60})\x1a{1,2}"
    "(?= *[^\x10-\x1f :–—-])"
)
_ONLY_MARKS_PATTERN = re.compile("[\x10-\x1a ]*$")
_MARK_CHARACTERS_PATTERN = re.compile("[\x10-\x1f]")
_CLASS_WORD_PATTERN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_SPEAKER_WORDS = frozenset(
    "speaker speakers speakername name person who participant contributor talker attribution "
    "author username displayname member interviewer interviewee".split()
)
_HEADING_CLASSES = frozenset("heading subheading marker".split())
_FURNITURE_WORDS = frozenset(
    "newsletter related recommended comments comment share sharing social promo advert "
    "advertisement ad ads byline sidebar breadcrumb breadcrumbs signup subscribe recirc cookie "
    "cookies footer toolbar pagination tags outbrain taboola credit".split()
)
# Empty lines of preformatted text
_EMPTY_LINES_PATTERN = re.compile(r"\n(?:[ \t]*\n)+")
# A mark of a footnote: "1", "[2]", "*"
_FOOTNOTE_PATTERN = re.compile(r"^\s*(?:\[?\d{1,3}\]?|[*†‡§]{1,3}|\[[a-z]\])\s*$")
# Text before a power: 10<sup>6</sup>, 5 km<sup>2</sup>
_POWER_BASE_PATTERN = re.compile(r"(?:\b10|\b(?:m|km|cm|mm|ft|in|mi|x|n))$")


@dataclass(slots=True)
class _SizeCheck:
    """The size of a page, and the characters that may still be counted to measure its boxes.

    Boxes within boxes would otherwise be counted again and again.
    """

    page_size: int
    remaining_size: int

    def is_small(self, tag: Any) -> bool:
        """Return whether a tag has a small share of the text of the page."""
        if self.remaining_size <= 0:
            return False
        size = len(tag.get_text())
        self.remaining_size -= size
        return size < MAX_FURNITURE_SHARE * self.page_size


def lines_of(body: Any) -> Iterator[NumberedLine]:
    """Yield the lines of a page numbered from 1, with an empty one between blocks."""
    _name_speakers(body)
    page_size = len(body.get_text())
    size_check = _SizeCheck(page_size, MAX_MEASURED_SHARE * page_size)
    # The text of the page, in which marks stand for blocks, line breaks, headings and names
    marked_text = _marked_text(body, size_check)
    number = 0
    for block in marked_text.split(_BLOCK_MARK):
        has_text = False
        for marked_line in block.split(_LINE_MARK):
            tidy_line = " ".join(marked_line.split())
            if not tidy_line or _ONLY_MARKS_PATTERN.match(tidy_line):
                continue
            has_text = True
            for line in _unmarked_lines(tidy_line):
                number += 1
                yield replace(line, number=number)
        if has_text:
            number += 1
            yield NumberedLine(number, "")


def _name_speakers(body: Any) -> None:
    """Give attributes that name a speaker the name that the page shows for it.

    A page may show ``Mayor Hale`` only in the first of several boxes with ``data-speaker="mayor"``.
    """
    shown_names: dict[str, str] = {}
    for attribute in _SPEAKER_ATTRIBUTES:
        for box in body.find_all(attrs={attribute: True}):
            shown_name = _shown_name(box)
            if shown_name:
                shown_names[box[attribute]] = shown_name
                del box[attribute]
            elif box[attribute] in shown_names:
                box[attribute] = shown_names[box[attribute]]


def _shown_name(box: Any) -> str:
    """Return the text of the first tag in a box whose class says that it names a speaker."""
    for tag in box.find_all(class_=True):
        name = tag.get_text(" ", strip=True).rstrip(" :")
        is_short = 0 < len(name) <= MAX_SPEAKER_CHARACTERS
        names_speaker = not _class_words(tag).isdisjoint(_SPEAKER_WORDS)
        if is_short and names_speaker:
            return str(name)
    return ""


def _unmarked_lines(marked_line: str) -> Iterator[NumberedLine]:
    """Yield a line without marks, not numbered yet.

    A time before the name of a speaker is a line of its own.
    """
    if not _ANY_MARK_PATTERN.search(marked_line):
        yield NumberedLine(0, marked_line)
        return
    speaker_start = marked_line.find(_MARK_STARTS["class speaker"])
    if speaker_start > 0:
        time_text = _without_marks(marked_line[:speaker_start]).strip()
        if whole_time(time_text):
            yield NumberedLine(0, f"[{time_text.strip('[]() ')}]")
            marked_line = marked_line[speaker_start:]
    yield _unmarked_line(marked_line)


def _unmarked_line(marked_line: str) -> NumberedLine:
    """Return the text of a line, with the mark at its head as a hint."""
    # Control characters mark where a heading, bold type or a hint at a speaker begins and ends.
    text = " ".join(_without_marks(marked_line).split())
    stripped = marked_line.lstrip()
    timed_name = _TIMED_BOLD_NAME_PATTERN.match(stripped)
    if timed_name and not timed_name["name"].endswith((":", ".")):
        # The colon stands for the bold type, which only the head of a line can have.
        time_text = _without_marks(timed_name["time"]).strip()
        speech = _without_marks(stripped[timed_name.end() :])
        line_text = f"{time_text} {timed_name['name']}: {speech}"
        return NumberedLine(0, " ".join(line_text.split()))
    if stripped[:1] not in _MARK_NAMES:
        return NumberedLine(0, text)
    mark, marked_length = _mark_at_head(stripped)
    marked_text = " ".join(_without_marks(stripped[:marked_length]).split())
    # The caller sets the number of the line.
    return NumberedLine(0, text, mark, len(marked_text))


def _mark_at_head(marked_text: str) -> tuple[str, int]:
    """Return the mark with which a text begins, and the character where that mark ends.

    Marks may be inside each other: a speaker's class and the mark inside a link are more telling.
    """
    mark = _MARK_NAMES[marked_text[0]]
    depth = 0
    for position, character in enumerate(marked_text):
        if character in _MARK_NAMES:
            depth += 1
            inner_mark = _MARK_NAMES[character]
            is_at_head = not _without_marks(marked_text[:position]).strip()
            is_more_telling = inner_mark == "class speaker" or mark == "link"
            if is_at_head and is_more_telling:
                mark = inner_mark
        elif character == _MARK_END:
            depth -= 1
        if depth == 0:
            return mark, position
    return mark, len(marked_text)


def _without_marks(marked_text: str) -> str:
    return _ANY_MARK_PATTERN.sub("", marked_text)


def _marked_text(node: Any, size_check: _SizeCheck, *, is_preformatted: bool = False) -> str:
    """Return the text under a node with marks for line breaks, ends of blocks and mark-up.

    A line break in the source of a page is a space. Inside ``pre`` it is a line break, and an empty
    line ends a block.
    """
    from bs4.element import NavigableString, PreformattedString

    is_preformatted = is_preformatted or node.name == "pre"
    texts: list[str] = []
    is_previous_span = False
    for child in node.children:
        if isinstance(child, PreformattedString):
            continue  # comments and declarations
        if isinstance(child, NavigableString):
            source_text = _without_control(child)
            line_break = " "
            if is_preformatted:
                source_text = _EMPTY_LINES_PATTERN.sub(_BLOCK_MARK, source_text)
                line_break = _LINE_MARK
            texts.append(source_text.replace("\n", line_break))
            is_previous_span = False
            continue
        is_span = child.name in ("span", "time", "cite", "dt") and bool(child.attrs)
        if child.name == "br":
            texts.append(_LINE_MARK)
        elif child.name == "sup" and _is_footnote(child, texts):
            continue
        elif child.name in _INLINE_TAGS:
            # Styles set a time, a name and the speech apart, without a space in the source.
            if is_span and is_previous_span:
                texts.append(" ")
            inner_text = _marked_text(child, size_check, is_preformatted=is_preformatted)
            texts.append(_with_mark(child, inner_text))
        elif not _is_unread(child, size_check):
            # The marks of a block are inside it, so that its line begins with them.
            inner_text = _marked_text(child, size_check, is_preformatted=is_preformatted)
            inner_text = _with_mark(child, inner_text)
            texts.append(f"{_BLOCK_MARK}{inner_text}{_BLOCK_MARK}")
        is_previous_span = is_span
    return "".join(texts)


def _without_control(text: str) -> str:
    """Return a text without the characters that are used as marks."""
    return _MARK_CHARACTERS_PATTERN.sub("", str(text))


def _is_unread(tag: Any, size_check: _SizeCheck) -> bool:
    """Return whether a tag is not part of the text: navigation, a picture, a box beside it."""
    if tag.name in _UNREAD_TAGS:
        return True
    if tag.name == "header":
        return tag.find_parent(["article", "main", "section"]) is None and not tag.find("h1")
    if not tag.attrs:
        return False
    words = _class_words(tag)
    if words.isdisjoint(_FURNITURE_WORDS):
        return False
    return size_check.is_small(tag)


def _class_words(tag: Any) -> set[str]:
    names = " ".join([*tag.get("class", []), str(tag.get("id", ""))])
    return {word.lower() for word in _CLASS_WORD_PATTERN.findall(names)}


def _with_mark(tag: Any, text: str) -> str:
    """Return the text of a tag with marks around it, if its name or class gives a hint."""
    # An attribute may name the speaker: <p data-speaker="Mayor Hale">
    speaker = ""
    if tag.attrs:
        values = [str(tag.get(attribute) or "").strip() for attribute in _SPEAKER_ATTRIBUTES]
        filled_values = [value for value in values if value]
        speaker = filled_values[0] if filled_values else ""
    if 0 < len(speaker) <= MAX_SPEAKER_CHARACTERS and not speaker.isdigit():
        return f"{_MARK_STARTS['class speaker']}{_without_control(speaker)}{_MARK_END} {text}"
    # Otherwise the name or the class of the tag may: <b>, <span class="speaker-name">
    mark = _TAG_MARKS.get(tag.name, "")
    is_short = 0 < len(text.strip()) <= MAX_SPEAKER_CHARACTERS
    class_words = _class_words(tag) if is_short and tag.get("class") else set()
    if not class_words.isdisjoint(_SPEAKER_WORDS):
        mark = "class speaker"
    elif tag.name not in _INLINE_TAGS and not class_words.isdisjoint(_HEADING_CLASSES):
        mark = mark or "heading 6"
    has_several_lines = _BLOCK_MARK in text or _LINE_MARK in text.strip(_LINE_MARK)
    if not mark or not text.strip() or has_several_lines:
        return text
    return f"{_MARK_STARTS[mark]}{text}{_MARK_END}"


def _is_footnote(tag: Any, texts: list[str]) -> bool:
    """Return whether a superscript is the mark of a footnote, not an exponent."""
    if not _FOOTNOTE_PATTERN.match(tag.get_text()):
        return False
    previous_text = "".join(texts[-2:]).rstrip()
    return tag.find("a") is not None or not _POWER_BASE_PATTERN.search(previous_text)
