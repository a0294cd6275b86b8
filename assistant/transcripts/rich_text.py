"""Rich text (RTF) of Word, TextEdit and wire services, read as plain text.

The library striprtf finds the text. Hidden, struck and deleted text is removed before, because
it was not said.
"""

from __future__ import annotations

import re

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.numbered_lines import numbered
from assistant.transcripts.plain import read_lines
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.tables import TableRow, is_speech_table, read_rows
from assistant.transcripts.text_decoding import RawSource

MAX_RICH_TEXT_CHARACTERS = 20_000_000  # with pictures inside
MAX_NESTED_GROUPS = 500
MAX_FONT_TABLE_CHARACTERS = 20_000

_RTF_HEAD_PATTERN = re.compile(rb"\s{0,20}\{\\rtf")
# A control word with its number, an escaped byte, a sign, a brace, or one plain character
_RTF_TOKEN_PATTERN = re.compile(
    r"\\(?P<word>[a-z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'[0-9a-fA-F]{2}|\\[^a-z]|[{}]|[^\\{}]+"
)
_UNSPOKEN_WORDS = frozenset(("v", "strike", "striked", "deleted"))
_PARAGRAPH_WORDS = frozenset(("par", "line", "cell", "row", "sect", "page"))
# Characters of private use, before and behind bold words
_BOLD_ON = "\\u57344?"
_BOLD_OFF = "\\u57345?"
_BOLD_HEAD_PATTERN = re.compile(
    "^(?P<margin>[ \\t]*)\ue000[ \\t]*(?P<head>[^\\s*\ue000\ue001][^*\n\ue000\ue001]{0,80}?)"
    "(?P<gap>[ \\t]*)\ue001",
    re.MULTILINE,
)
_BOLD_MARKS_PATTERN = re.compile("[\ue000\ue001]")
_BRACE_PATTERN = re.compile(r"(?<!\\)[{}]")
_RTF_TITLE_PATTERN = re.compile(r"\{\\title ([^{}\\]{1,300})\}")


def sniff(source: RawSource) -> bool:
    """Return whether the file begins with the mark of RTF."""
    return _RTF_HEAD_PATTERN.match(source.data) is not None


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of a document. Lines are counted in its text, from 1."""
    markup = source.data.decode("latin-1").lstrip()
    if len(markup) > MAX_RICH_TEXT_CHARACTERS:
        raise MalformedTranscript(
            f"the document contains {len(markup) / 1e6:.0f} MB of markup. "
            "Lectern did not read the file.",
            where=source.name,
            remedy="Save the document as .docx or .txt.",
        )
    _check_font_table(markup, source.name)
    text = _text_of_markup(markup, source.name)
    # A RawSource makes its line ends and characters plain.
    lines = RawSource(source.name, text.encode("utf-8", "replace")).text.split("\n")
    parsed = _transcript_in_table(lines, source.name)
    if parsed is None:
        numbered_lines = numbered(_with_gaps(lines))
        parsed = read_lines(numbered_lines, source.accepted_labels, source.refused_labels)
    title_match = _RTF_TITLE_PATTERN.search(markup[:20_000])
    if title_match and not parsed.title:
        parsed.title = title_match[1].strip()
    return parsed


def _text_of_markup(markup: str, file_name: str) -> str:
    """Return the spoken text of RTF mark-up, in which bold heads are written as in Markdown."""
    from striprtf.striprtf import rtf_to_text

    try:
        spoken_markup = _with_bold_marks(_spoken_markup(markup, file_name))
        return _as_emphasis(rtf_to_text(spoken_markup, errors="replace"))
    except (ValueError, LookupError, OverflowError) as error:
        raise MalformedTranscript(
            f"the document is damaged ({error}).",
            where=file_name,
            remedy="Save the document again.",
        ) from error


def _spoken_markup(markup: str, file_name: str) -> str:
    """Return the mark-up without text that is hidden, struck through or deleted.

    These states end with their group, or with the same word and a zero.
    """
    if not any(f"\\{word}" in markup for word in _UNSPOKEN_WORDS):
        return _without_links(markup)
    spoken_tokens = []
    # The control words that hide the text here, such as "strike" and "v", and those that hid
    # the text around each open brace
    hiding_words: set[str] = set()
    hiding_words_before_groups: list[set[str]] = []
    for match in _RTF_TOKEN_PATTERN.finditer(markup):
        token = match.group()
        word = match["word"]
        if token == "{":
            hiding_words_before_groups.append(set(hiding_words))
            if len(hiding_words_before_groups) > MAX_NESTED_GROUPS:
                raise MalformedTranscript(
                    f"the document has groups nested more than {MAX_NESTED_GROUPS} levels deep.",
                    where=file_name,
                    remedy="Save the document as .docx or .txt.",
                )
        elif token == "}":
            hiding_words = hiding_words_before_groups.pop() if hiding_words_before_groups else set()
        elif word == "plain":
            hiding_words.clear()
        elif word in _UNSPOKEN_WORDS:
            # "strike0" ends the text that "strike" begins.
            if match["number"] == "0":
                hiding_words.discard(word)
            else:
                hiding_words.add(word)
            continue
        is_structure = token in "{}" or word in ("par", "plain")
        if is_structure or not hiding_words:
            spoken_tokens.append(token)
    return _without_links("".join(spoken_tokens))


def _with_bold_marks(markup: str) -> str:
    """Return the mark-up with a character before and behind bold words, in each paragraph."""
    if "\\b" not in markup:
        return markup
    tokens = []
    is_bold = False
    # "{\b Smith:} Hello" has one bold group. A group in braces begins as the text around it, and
    # behind the group, this text goes on as it was before.
    bold_before_groups: list[bool] = []
    for match in _RTF_TOKEN_PATTERN.finditer(markup):
        token = match.group()
        control_word = match["word"]
        was_bold = is_bold
        if token == "{":
            bold_before_groups.append(is_bold)
        elif token == "}":
            is_bold = bold_before_groups.pop() if bold_before_groups else False
        elif control_word == "b":
            # ``\b`` begins bold words, ``\b0`` ends them.
            is_bold = match["number"] != "0"
        elif control_word == "plain":
            is_bold = False
        is_bold_across_paragraphs = is_bold and was_bold and control_word in _PARAGRAPH_WORDS
        if is_bold_across_paragraphs:
            token = f"{_BOLD_OFF}{token}{_BOLD_ON}"
        elif is_bold != was_bold:
            mark = _BOLD_ON if is_bold else _BOLD_OFF
            if token == "}":
                # The end of a group ends its bold words, too.
                token = f"{mark}{token}"
            else:
                token = f"{token}{mark}"
        tokens.append(token)
    return "".join(tokens)


def _as_emphasis(text: str) -> str:
    """Return text whose bold heads of lines are written as in Markdown, without other marks."""
    text = _BOLD_HEAD_PATTERN.sub(r"\g<margin>**\g<head>**\g<gap>", text)
    return _BOLD_MARKS_PATTERN.sub("", text)


def _without_links(markup: str) -> str:
    """Return the mark-up without the beginnings of links, which the library reads very slowly.

    The space behind a control word is dropped.
    """
    return markup.replace("{\\field{", "{\\field {")


def _check_font_table(markup: str, file_name: str) -> None:
    """Raise MalformedTranscript if the table of fonts is longer than programs write it."""
    begin = markup.find("\\fonttbl")
    if begin < 0:
        return
    # The brace that closes the table is the first without an opening one behind ``begin``.
    depth = 0
    for brace in _BRACE_PATTERN.finditer(markup, begin):
        if brace.start() - begin > MAX_FONT_TABLE_CHARACTERS:
            break
        depth += 1 if brace.group() == "{" else -1
        is_closed = depth < 0
        if is_closed:
            return
    # The table isn't closed within the limit, or the file ends before.
    if len(markup) - begin > MAX_FONT_TABLE_CHARACTERS:
        raise MalformedTranscript(
            f"the font table of the document has more than {MAX_FONT_TABLE_CHARACTERS} characters. "
            "Lectern did not read the file.",
            where=file_name,
            remedy="Save the document as .docx or .txt.",
        )


def _with_gaps(lines: list[str]) -> list[str]:
    """Return lines with an empty one after each, since a line of RTF is a paragraph."""
    return [text for line in lines for text in (line, "")]


def _transcript_in_table(lines: list[str], file_name: str) -> ParsedTranscript | None:
    """Return the rows of a table, whose cells end with bars, None without a table."""
    cell_rows = [line.rstrip("|").split("|") for line in lines if line.strip()]
    if not all("|" in line for line in lines if line.strip()) or not is_speech_table(cell_rows):
        return None
    stripped_rows = [tuple(cell.strip() for cell in cells) for cells in cell_rows]
    return read_rows([TableRow(i, cells) for i, cells in enumerate(stripped_rows, 1)], file_name)
