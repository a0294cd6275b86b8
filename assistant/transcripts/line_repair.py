"""Repairs the lines of pasted and exported text before anything is read from them.

Line numbers, marks of quoted e-mail, the header of a Markdown file, footnotes and the mark-up of
Markdown are taken off; bold, italic and headings stay as hints for the label finder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from assistant.transcripts.inline_tags import without_tags
from assistant.transcripts.nonspeech import is_stage_direction
from assistant.transcripts.numbered_lines import NumberedLine

MIN_NUMBERED_SHARE = 0.7  # share of lines whose numbers count up
MIN_NUMBERED_LINES = 5
MIN_QUOTED_SHARE = 0.8  # share of lines with the mark of a quotation
MAX_HEADER_LINES = 60
MIN_CODE_SHARE = 0.5  # share of lines between fences that read like a program
MAX_LINE_NUMBER_INDENT = 20  # spaces before a line number; more are before a page number

# " 12 Good evening"
_LINE_NUMBER_PATTERN = re.compile(r"^\s*(?P<number>\d{1,2})(?:\s+|$)(?P<text>.*)$")
# "- 12 -", "Page 3"
_BARE_NUMBER_PATTERN = re.compile(r"^\W*(?:page\s*)?\d{1,4}\W*$", re.IGNORECASE)
_QUOTE_MARK_PATTERN = re.compile(r"^\s*(?:>\s?)+")
_QUOTED_LINE_PATTERN = re.compile(r"^\s*>(?!>)")
_ONLY_QUOTE_MARKS_PATTERN = re.compile(r"^\s*>>(?:\s?>)*\s*$")
_HEADER_FIELD_PATTERN = re.compile(r"^(?P<name>[A-Za-z][\w -]{0,30}):\s*(?P<value>.*)$")
# "[^1]: Port Authority, 2024."
_FOOTNOTE_TEXT_PATTERN = re.compile(r"^\s*\[\^[^\]\s]{1,20}\]:")
# "[1] Port Authority, 2024."
_NOTE_START_PATTERN = re.compile(r"^\s*(?P<mark>\[\d{1,3}\])\s")
# "[^1]", or "[12]" stuck to a word
_FOOTNOTE_MARK_PATTERN = re.compile(r"\[\^[^\]\s]{1,20}\]|(?<=[\w.,;:!?”\"’)])\[\d{1,3}\]")
_SUPERSCRIPTS_PATTERN = re.compile(r"(?<=[.,;:!?”\"’)])[⁰¹²³⁴-⁹]+|(?<=[^\W\d]{3})[⁰¹²³⁴-⁹]+")
_MARKDOWN_IMAGE_PATTERN = re.compile(r"!\[[^\[\]\n]{0,200}\]\([^()\s]{1,500}\)")
_MARKDOWN_LINK_PATTERN = re.compile(
    r"""
    (?<!!)\[(?P<text>[^\[\]\n]{1,300})\]
    \(
    (?:https?:|mailto:|/|\#|www\.)[^()\s]{0,500}  # the address
    (?:\s\"[^\"\n]{0,200}\")?                     # a title
    \)
    """,
    re.VERBOSE,
)
# A hyphen that divides a word at the end of a line
_HYPHEN_AT_END_PATTERN = re.compile(r"(?<=[a-z]{2})-$")
# Words that keep the hyphen to the next word
_COMPOUND_STARTS = frozenset(
    "well self half long short high low full part non co ex anti pro mid so all two three four "
    "five six seven eight nine ten twenty thirty forty fifty sixty seventy eighty ninety cross "
    "old new first second third hard free left right far large small big would three-quarter "
    "decision middle working tax rank state year day week month billion million dollar".split()
)
_MARKDOWN_HEADING_PATTERN = re.compile(r"^\s*(?P<level>#{1,6})\s+(?P<text>.*)$")
# Bold or italic text in Markdown
_EMPHASIS_PATTERN = re.compile(
    r"""
    (?<![*_\w])
    (?P<mark>\*{1,3}|_{1,3})
    (?=[^\s*_])(?P<text>[^*_\n]{1,2000})(?<=[^\s*_])  # without space at its ends
    (?P=mark)
    (?![*_\w])
    """,
    re.VERBOSE,
)
# The backslash before a literal sign: "\\[laughs\\]"
_MARKDOWN_ESCAPE_PATTERN = re.compile(r"\\(?=[\[\]#*_!()~`>+-])")
# A bullet or a number before emphasis: "- **Jane Doe** We"
_LISTED_EMPHASIS_PATTERN = re.compile(r"(?:[-+*•]|\d{1,3}[.)])\s{1,4}(?=\*\*|__|[*_]\w)")
# Bold words anywhere in a line
_BOLD_WORDS_PATTERN = re.compile(
    r"""
    (?P<mark>\*\*|__)
    (?=[^\s*_])(?P<text>[^*_\n]{1,2000})(?<=[^\s*_])  # without space at its ends
    (?P=mark)(?!\*)
    """,
    re.VERBOSE,
)

_CODE_FENCE_PATTERN = re.compile(r"^\s{0,3}(?P<fence>`{3}|~{3})[\w+.-]{0,20}\s*$")
# A line that ends or goes on as statements of programs do
_CODE_LINE_PATTERN = re.compile(
    r"""
      [{};]\s*$
    | [=!]= | => | \w\(\w*\)
    | ^\s*(?:let|var|const|def|import|function|class|async)\s
    | ^\s*</?\w+
    """,
    re.VERBOSE,
)
# A label with the mark of a footnote: "MR. HALE.2 Thank you"
_LABEL_NOTE_PATTERN = re.compile(
    r"""
    ^(?P<label>\s*(?:[A-Z][\w.’'-]{0,30}\s){0,4}[A-Z’'-]{3,30}\.)
    (?P<mark>\d{1,2})
    (?=\s+[A-Z“"])
    """,
    re.VERBOSE,
)
# "2 The figures that Mr. Hale used are appended."
_NUMBERED_NOTE_PATTERN = re.compile(r"^\s*(?P<mark>\d{1,2})\s+[A-Z“\"]")


@dataclass(slots=True)
class RepairedText:
    """Repaired lines, a warning per repair, and the fields of a header in lower case."""

    lines: list[NumberedLine]
    warnings: list[str] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)


def repair(lines: Sequence[NumberedLine]) -> RepairedText:
    """Return the lines of a text file without line numbers, quotation marks and footnotes."""
    repaired = RepairedText(list(lines))
    _remove_header(repaired)
    repaired.lines = without_tags(repaired.lines)
    _remove_code(repaired)
    _remove_quotation_marks(repaired)
    _remove_line_numbers(repaired)
    _remove_footnotes(repaired)
    _join_divided_words(repaired)
    return repaired


def _remove_header(repaired: RepairedText) -> None:
    """Take off the header of a Markdown file, between two lines of hyphens."""
    lines = repaired.lines
    filled_indexes = [index for index, line in enumerate(lines) if line.text.strip()]
    if not filled_indexes:
        return
    first_filled_index = filled_indexes[0]
    if lines[first_filled_index].text.strip() != "---":
        return
    end_index = min(first_filled_index + MAX_HEADER_LINES, len(lines))
    for index in range(first_filled_index + 1, end_index):
        text = lines[index].text
        if text.strip() in ("---", "..."):
            repaired.lines = lines[index + 1 :]
            return
        match = _HEADER_FIELD_PATTERN.match(text)
        if match:
            repaired.fields[match["name"].lower()] = match["value"].strip().strip("\"'")
        elif text.strip() and text[0] not in " \t-#":
            break  # an ordinary text between two rules
    # No second line of hyphens ends the header, so it was none.
    repaired.fields = {}


def _remove_code(repaired: RepairedText) -> None:
    """Leave out the blocks of program code of a Markdown file, between two fences."""
    lines: list[NumberedLine] = []
    block: list[NumberedLine] = []  # the opening fence and the lines below it
    fence = ""  # "```" or "~~~" inside a block
    code_line_count = 0
    for line in repaired.lines:
        fence_match = _CODE_FENCE_PATTERN.match(line.text)
        closes_block = bool(fence) and fence_match is not None and fence_match["fence"] == fence
        if closes_block:
            lines_inside_fences = block[1:]
            if _is_code(block):
                code_line_count += len(lines_inside_fences)
            else:
                lines += lines_inside_fences
            fence = ""
            block = []
        elif fence:
            block.append(line)
        elif fence_match:
            fence = fence_match["fence"]
            block = [line]
        else:
            lines.append(line)
    repaired.lines = [*lines, *block]  # a fence that is not closed begins no block
    if code_line_count:
        repaired.warnings.append(f"lines of program code, left out: {code_line_count}")


def _is_code(block: Sequence[NumberedLine]) -> bool:
    """Return whether most lines between two fences read like a program, not like speech."""
    texts = [line.text for line in block[1:] if line.text.strip()]
    code_line_count = sum(_CODE_LINE_PATTERN.search(text) is not None for text in texts)
    return code_line_count >= MIN_CODE_SHARE * len(texts)


def _remove_quotation_marks(repaired: RepairedText) -> None:
    filled = [line for line in repaired.lines if line.text.strip()]
    quoted_pattern = _QUOTED_LINE_PATTERN
    if any(_ONLY_QUOTE_MARKS_PATTERN.match(line.text) for line in filled):
        # Captions have no chevron on an empty line, so ">>" is a quotation in a quotation.
        quoted_pattern = _QUOTE_MARK_PATTERN
    quoted_count = sum(quoted_pattern.match(line.text) is not None for line in filled)
    if not filled or quoted_count < MIN_QUOTED_SHARE * len(filled):
        return
    for index, line in enumerate(repaired.lines):
        if quoted_pattern.match(line.text):
            repaired.lines[index] = replace(line, text=_QUOTE_MARK_PATTERN.sub("", line.text))
    repaired.warnings.append("the marks of a quotation (>) before the lines were left out")


def _remove_line_numbers(repaired: RepairedText) -> None:
    """Take off numbers that count the lines of each page, and the numbers of pages."""
    texts = [line.text for line in repaired.lines if line.text.strip()]
    if not has_line_numbers(texts):
        return
    numbered_lines = []
    for line in repaired.lines:
        match = _LINE_NUMBER_PATTERN.match(line.text)
        is_only_number = _BARE_NUMBER_PATTERN.match(line.text) is not None
        indent = len(line.text) - len(line.text.lstrip())
        # A number in the middle of the page is the number of the page.
        is_page_number = is_only_number and indent > MAX_LINE_NUMBER_INDENT
        if match and not is_page_number:
            numbered_lines.append(replace(line, text=match["text"], indent=0))
        elif not is_only_number:
            numbered_lines.append(line)
    repaired.lines = numbered_lines
    repaired.warnings.append("line numbers were left out")


def has_line_numbers(texts: Sequence[str]) -> bool:
    """Return whether most lines begin with numbers that count up by one, anew on each page."""
    if len(texts) < MIN_NUMBERED_LINES:
        return False
    numbers = []
    for text in texts:
        match = _LINE_NUMBER_PATTERN.match(text)
        if match:
            numbers.append(int(match["number"]))
    if len(numbers) < MIN_NUMBERED_SHARE * len(texts):
        return False
    # The first number, and those that are one above the previous number or begin a page
    expected_number_count = 1
    for previous_number, number in pairwise(numbers):
        begins_page = number == 1
        if begins_page or number == previous_number + 1:
            expected_number_count += 1
    return expected_number_count >= MIN_NUMBERED_SHARE * len(texts)


def _remove_footnotes(repaired: RepairedText) -> None:
    removed_count = 0
    lines = []
    # The marks that refer to footnotes: "[1]", or "2" behind a label
    marks: set[str] = set()
    for line in repaired.lines:
        if "[" in line.text:
            marks.update(_FOOTNOTE_MARK_PATTERN.findall(line.text))
        label_note = _LABEL_NOTE_PATTERN.match(line.text)
        if label_note:
            marks.add(label_note["mark"])
    for line in repaired.lines:
        if not line.text:
            lines.append(line)
            continue
        note = _NOTE_START_PATTERN.match(line.text) or _NUMBERED_NOTE_PATTERN.match(line.text)
        is_marked_note = note is not None and note["mark"] in marks
        if is_marked_note or _FOOTNOTE_TEXT_PATTERN.match(line.text):
            removed_count += 1
            continue
        text, mark_count = _LABEL_NOTE_PATTERN.subn(r"\g<label>", line.text)
        removed_count += mark_count
        if "[" in text:
            text, mark_count = _FOOTNOTE_MARK_PATTERN.subn("", text)
            removed_count += mark_count
        if not text.isascii():
            text, mark_count = _SUPERSCRIPTS_PATTERN.subn("", text)
            removed_count += mark_count
        lines.append(line if text == line.text else replace(line, text=text))
    repaired.lines = lines
    if removed_count:
        repaired.warnings.append(f"footnotes and their marks were left out: {removed_count}")


def _join_divided_words(repaired: RepairedText) -> None:
    """Move the beginning of a word that a hyphen divides at the end of a line to the next line."""
    lines = repaired.lines
    joined_count = 0
    for index in range(len(lines) - 1):
        line = lines[index]
        text = line.text.rstrip()
        next_text = lines[index + 1].text.lstrip()
        if not _HYPHEN_AT_END_PATTERN.search(text) or not next_text[:1].islower():
            continue
        text_before_word, _, word_start = text.rpartition(" ")
        lines[index] = replace(line, text=text_before_word)
        joined_text = joined_word(word_start, next_text)
        lines[index + 1] = replace(lines[index + 1], text=joined_text)
        joined_count += 1
    if joined_count:
        repaired.warnings.append(
            f"words divided by a hyphen at the end of a line, joined: {joined_count}"
        )


def joined_word(word_start: str, continuation: str) -> str:
    """Return a text whose first word begins on the line above, without the hyphen that divides it.

    The hyphen of a compound such as ``well-known`` stays.
    """
    first_half = word_start.lstrip("“\"'(").lower().removesuffix("-")
    if first_half in _COMPOUND_STARTS or "-" in first_half:
        return word_start + continuation
    return word_start.removesuffix("-") + continuation


def without_markdown(line: NumberedLine) -> NumberedLine:
    """Return a line without the mark-up of Markdown, which stays as a hint."""
    bare_line = _without_marks(line)
    if "\\" not in bare_line.text:
        return bare_line
    # The marked head gets shorter with the escapes in it.
    marked_head = bare_line.text[: bare_line.markup_end]
    markup_end = len(_MARKDOWN_ESCAPE_PATTERN.sub("", marked_head))
    text = _MARKDOWN_ESCAPE_PATTERN.sub("", bare_line.text)
    return replace(bare_line, text=text, markup_end=markup_end)


def _without_closing_signs(heading_text: str) -> str:
    """Return the text of a heading without the number signs that may end it: "Speech ##"."""
    has_space_at_end = heading_text != heading_text.rstrip()
    return heading_text.rstrip() if has_space_at_end else heading_text.rstrip("#").rstrip()


def _without_marks(line: NumberedLine) -> NumberedLine:
    text = line.text
    if "](" in text:
        text = _MARKDOWN_IMAGE_PATTERN.sub("", text)
        text = _MARKDOWN_LINK_PATTERN.sub(r"\g<text>", text)
    heading = _MARKDOWN_HEADING_PATTERN.match(text) if "#" in text else None
    if heading:
        bare_text = _without_emphasis(_without_closing_signs(heading["text"]))
        level = len(heading["level"])
        return replace(line, text=bare_text, markup=f"heading {level}", markup_end=len(bare_text))
    if "*" not in text and "_" not in text:
        return line if text == line.text else replace(line, text=text)
    stripped = text.lstrip()
    margin = text[: len(text) - len(stripped)]
    bullet = _LISTED_EMPHASIS_PATTERN.match(stripped)
    if bullet:
        stripped = stripped[bullet.end() :]
    emphasis = _EMPHASIS_PATTERN.match(stripped)
    if emphasis is None or line.markup or is_stage_direction(emphasis["text"]):
        return replace(line, text=_without_emphasis(text))
    mark = "italic" if len(emphasis["mark"]) == 1 else "bold"
    head = emphasis["text"]
    text = margin + head + _without_emphasis(stripped[emphasis.end() :])
    return replace(line, text=text, markup=mark, markup_end=len(margin) + len(head))


def _without_emphasis(text: str) -> str:
    if "*" not in text and "_" not in text:
        return text
    return _BOLD_WORDS_PATTERN.sub(r"\g<text>", text)
