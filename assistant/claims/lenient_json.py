"""Reads JSON that is almost JSON, as pages have it, and says what was mended.

Only the wrapping and the punctuation are mended: comments, CDATA, commas and semicolons too many,
wrong escapes, quotation marks inside texts or of the wrong kind, keys without them, the values of
Python and JavaScript, several values in a row. A value that breaks off is refused, because its end
cannot be known.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass, field
from typing import Any

_OPENINGS_PATTERN = re.compile(
    r"""
    \A (?:
        \s
      | <!--                            # an HTML comment
      | // \s* <!--
      | <!\[CDATA\[                     # CDATA, perhaps in a comment of JavaScript
      | // \s* <!\[CDATA\[
      | /\* \s* <!\[CDATA\[ \s* \*/
      | \ufeff                          # a byte order mark
    )+
    """,
    re.VERBOSE,
)
_CLOSING_MARKS = ("/*]]>*/", "]]>", "-->", "//", ";", ",")
# "var data = " before an object or a list.
_ASSIGNMENT_PATTERN = re.compile(r"\A(?:(?:var|let|const)\s+)?[\w.$]+\s*=\s*(?=[\[{])")
_SCRIPT_TAG_PATTERN = re.compile(
    r"\A\s*<script\b[^>]*>(?P<contents>.*?)</script\s*>\s*\Z", re.DOTALL | re.IGNORECASE
)
_ESCAPE_LETTERS = frozenset('"\\/bfnrtu')
_HEX_ESCAPE_PATTERN = re.compile(r"u[0-9a-fA-F]{4}")
# Values of Python and JavaScript, as JSON writes them.
_JSON_BY_LITERAL = {
    "True": "true",
    "False": "false",
    "None": "null",
    "undefined": "null",
    "NaN": "null",
    "Infinity": "null",
}
_BARE_WORD_PATTERN = re.compile(r"[A-Za-z_$][\w$]*")
_MARKS_AFTER_TEXT = frozenset(",:}]")
_MARKS_BETWEEN_VALUES = " \t\r\n,;"


@dataclass(slots=True)
class MendedJson:
    """The values of a text, and what was mended to read them."""

    values: list[Any]
    corrections: list[str] = field(default_factory=list)


def parse_lenient(text: str) -> MendedJson:
    """Parse a text as JSON; if it is almost JSON, mend it first.

    Line breaks inside texts are accepted without a word.

    Raises: ValueError, RecursionError if it cannot be read as JSON.
    """
    try:
        return MendedJson([json.loads(text, strict=False)])
    except ValueError as error:
        first_error = error
    corrections: list[str] = []
    json_text = _without_wrapping(text, corrections)
    if not json_text:
        raise first_error
    try:
        return _mended_values(json_text, corrections)
    except ValueError:
        # Some pages escape the whole script as HTML.
        unescaped_text = html.unescape(json_text)
    if unescaped_text == json_text:
        raise first_error
    try:
        return _mended_values(
            unescaped_text, [*corrections, "HTML entities in place of characters"]
        )
    except ValueError:
        raise first_error from None


def _mended_values(text: str, corrections: list[str]) -> MendedJson:
    """Mend a text and return its values. Raises: ValueError."""
    notes = list(corrections)
    corrected_text = _Mender(text, notes).mend()
    values = _values_in_row(corrected_text, notes)
    return MendedJson(values, notes)


def _without_wrapping(text: str, corrections: list[str]) -> str:
    """Return a text without CDATA, HTML comments, semicolons and commas around it."""
    script_match = _SCRIPT_TAG_PATTERN.match(text)
    json_text = script_match["contents"] if script_match else text
    opening_marks = ""
    opening_match = _OPENINGS_PATTERN.match(json_text)
    if opening_match:
        opening_marks = opening_match[0]
        json_text = json_text[opening_match.end() :]
    json_text, closing_marks = _without_endings(json_text)
    # A space keeps marks apart that would read as another one together.
    wrapping_marks = " ".join([opening_marks, *closing_marks])
    if "CDATA" in wrapping_marks or "]]>" in wrapping_marks:
        corrections.append("CDATA around it")
    if "<!--" in wrapping_marks or "-->" in wrapping_marks:
        corrections.append("an HTML comment around it")
    if ";" in closing_marks or "," in closing_marks:
        corrections.append("a semicolon or comma at its end")
    assignment_match = _ASSIGNMENT_PATTERN.match(json_text)
    if assignment_match:
        corrections.append("an assignment before it")
        json_text = json_text[assignment_match.end() :]
    return json_text


def _without_endings(text: str) -> tuple[str, list[str]]:
    """Return a text without the marks at its end that JSON does not allow, and these marks."""
    # Marks and spaces are taken off the end one by one.
    closing_marks: list[str] = []
    end = len(text)
    while end > 0:
        fitting_marks = [mark for mark in _CLOSING_MARKS if text.endswith(mark, 0, end)]
        if fitting_marks:
            closing_mark = fitting_marks[0]
            closing_marks.append(closing_mark)
            end -= len(closing_mark)
        elif text[end - 1].isspace():
            end -= 1
        else:
            break
    return text[:end], closing_marks


def _values_in_row(text: str, corrections: list[str]) -> list[Any]:
    """Return the values that follow each other in a text. Raises: ValueError."""
    decoder = json.JSONDecoder(strict=False)
    json_values = []
    position = 0
    while position < len(text):
        if text[position] in _MARKS_BETWEEN_VALUES:
            position += 1
            continue
        json_value, position = decoder.raw_decode(text, position)
        if not isinstance(json_value, (dict, list)):
            raise ValueError("the JSON contains a value that is neither an object nor a list")
        json_values.append(json_value)
    if not json_values:
        raise ValueError("the JSON text contains no object or list")
    if len(json_values) > 1:
        corrections.append(f"{len(json_values)} values in a row")
    return json_values


class _Mender:
    """Copies a text and corrects the punctuation that JSON does not allow."""

    def __init__(self, text: str, corrections: list[str]) -> None:
        self._text = text
        self._corrections = corrections
        self._position = 0
        self._output: list[str] = []

    def mend(self) -> str:
        """Return the corrected text."""
        while self._position < len(self._text):
            character = self._text[self._position]
            if character == '"':
                self._copy_text()
            elif character == "'":
                self._copy_single_quoted()
            elif character.isalpha() or character in "_$":
                self._copy_word()
            elif self._text.startswith(("//", "/*", "<!--"), self._position):
                self._skip_comment()
            elif character == ",":
                self._copy_comma()
            elif character == ";":
                self._count_correction("a semicolon or comma at its end")
                self._position += 1
            else:
                self._output.append(character)
                self._position += 1
        return "".join(self._output)

    def _copy_text(self) -> None:
        """Copy a text in quotation marks, with correct escapes."""
        self._output.append('"')
        self._position += 1
        while self._position < len(self._text):
            character = self._text[self._position]
            if character == "\\":
                self._copy_escape()
                continue
            self._position += 1
            if character != '"':
                self._output.append(character)
            elif self._quote_ends_text():
                self._output.append('"')
                return
            else:
                self._count_correction("quotation marks inside a text")
                self._output.append('\\"')

    def _copy_single_quoted(self) -> None:
        """Copy a text in single quotation marks as one in double ones."""
        self._count_correction("single quotation marks")
        self._output.append('"')
        self._position += 1
        while self._position < len(self._text):
            character = self._text[self._position]
            if self._text.startswith("\\'", self._position):
                self._output.append("'")
                self._position += 2
            elif character == "\\":
                self._copy_escape()
            else:
                self._position += 1
                if character == "'" and self._quote_ends_text():
                    self._output.append('"')
                    return
                if character == '"':
                    character = '\\"'
                self._output.append(character)

    def _copy_word(self) -> None:
        """Copy a word outside a text: a key without quotation marks, or a value of a language."""
        word_match = _BARE_WORD_PATTERN.match(self._text, self._position)
        if word_match is None:  # a character of another kind, such as a brace
            self._output.append(self._text[self._position])
            self._position += 1
            return
        word = word_match[0]
        self._position = word_match.end()
        next_position = self._next_mark_position(self._position)
        next_mark = self._text[next_position : next_position + 1]
        is_key = next_mark == ":"
        if is_key:
            self._count_correction("keys without quotation marks")
            self._output.append(f'"{word}"')
        elif word in _JSON_BY_LITERAL:  # such as Python's None or JavaScript's undefined
            self._count_correction(f"{word} in place of a value of JSON")
            self._output.append(_JSON_BY_LITERAL[word])
        else:
            self._output.append(word)

    def _copy_escape(self) -> None:
        """Copy an escape; a backslash before another character is left out."""
        letter_position = self._position + 1
        # "" at the end of the text
        letter = self._text[letter_position : letter_position + 1]
        if letter == "u":
            hex_escape = _HEX_ESCAPE_PATTERN.match(self._text, letter_position)
            is_valid = hex_escape is not None
        else:
            is_valid = letter in _ESCAPE_LETTERS
        if is_valid:
            self._output.append("\\")
        else:
            # Without its backslash the letter is an ordinary one.
            self._count_correction("wrong escapes")
        self._output.append(letter)
        # The digits of \uXXXX are copied as ordinary characters.
        self._position = letter_position + 1

    def _quote_ends_text(self) -> bool:
        """Return whether a quotation mark just copied ends its text, by the mark that follows."""
        # Inside a text, a quotation mark is followed by more of the text.
        next_position = self._next_mark_position(self._position)
        if next_position == len(self._text):
            return True
        return self._text[next_position] in _MARKS_AFTER_TEXT

    def _copy_comma(self) -> None:
        """Copy a comma, unless nothing follows it in its object or list."""
        self._position += 1
        next_position = self._next_mark_position(self._position)
        next_mark = self._text[next_position : next_position + 1]
        is_superfluous = next_mark in ("}", "]", ",")
        if is_superfluous:
            self._count_correction("a comma too many")
        else:
            self._output.append(",")

    def _next_mark_position(self, position: int) -> int:
        """Return the position of the next character that is not white space."""
        while position < len(self._text) and self._text[position].isspace():
            position += 1
        return position

    def _skip_comment(self) -> None:
        self._count_correction("comments")
        endings = {"//": "\n", "/*": "*/", "<!": "-->"}
        ending = endings[self._text[self._position : self._position + 2]]
        end = self._text.find(ending, self._position + 2)
        self._position = len(self._text) if end < 0 else end + len(ending)

    def _count_correction(self, correction: str) -> None:
        if correction not in self._corrections:
            self._corrections.append(correction)
