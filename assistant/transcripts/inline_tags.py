"""Turns the tags of web pages inside a text file into lines and the emphasis of Markdown.

Markdown may hold whole paragraphs in HTML: ``<p><b>MR. HALE</b>: No.</p>``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from assistant.transcripts.numbered_lines import NumberedLine

MIN_CLOSED_TAGS = 3  # fewer may be an example in the text

_TAG_NAMES = "p|div|br|hr|b|strong|i|em|u|s|sub|sup|span|small|font|center|blockquote"
_CLOSING_TAG_PATTERN = re.compile(rf"</(?:{_TAG_NAMES})\s?>|<br\s?/?>", re.IGNORECASE)
_ANY_TAG_PATTERN = re.compile(rf"</?(?:{_TAG_NAMES})(?:\s[^<>\n]{{0,300}})?/?>", re.IGNORECASE)
# Tags that begin or end a paragraph
_BLOCK_TAG_PATTERN = re.compile(
    r"</?(?:p|div|hr|center|blockquote)(?:\s[^<>\n]{0,300})?/?>", re.IGNORECASE
)
_LINE_BREAK_PATTERN = re.compile(r"<br\s?/?>", re.IGNORECASE)
_BOLD_PATTERN = re.compile(
    r"<(?P<tag>b|strong)(?:\s[^<>\n]{0,300})?>\s{0,9}(?P<text>[^<>\n]{1,300}?)\s{0,9}</(?P=tag)\s?>",
    re.IGNORECASE,
)


def without_tags(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return the lines without tags of web pages, and bold text in the way of Markdown.

    A tag that begins or ends a paragraph leaves an empty line. A divided line keeps its number.
    """
    closed_count = sum(len(_CLOSING_TAG_PATTERN.findall(line.text)) for line in lines)
    if closed_count < MIN_CLOSED_TAGS:
        return list(lines)
    plain_lines: list[NumberedLine] = []
    for line in lines:
        plain_lines += _lines_without_tags(line)
    return plain_lines


def _lines_without_tags(line: NumberedLine) -> Iterator[NumberedLine]:
    """Yield the lines that a browser makes of one line."""
    if "<" not in line.text and "&" not in line.text:
        yield line
        return
    text = _BOLD_PATTERN.sub(r"**\g<text>**", line.text)
    text = _LINE_BREAK_PATTERN.sub("\n", text)
    text = _BLOCK_TAG_PATTERN.sub("\n\n", text)
    text = html.unescape(_ANY_TAG_PATTERN.sub("", text)).replace("\xa0", " ")
    for plain_text in text.split("\n"):
        yield replace(line, text=plain_text)
