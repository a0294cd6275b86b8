"""Tells apart the texts of cells: nothing, an error of a spreadsheet, the name of a file."""

from __future__ import annotations

import re

LONGEST_NOTHING_CHARACTERS = 20  # with spaces around it; articles are not searched
NOTHING_WORDS = frozenset(
    (
        "nan -nan nat none null nil <na> n/a n.a. #n/a #na #ref! #value! #div/0! #name? #num! "
        "#null! #n/d #calc! #spill! - -- – — ? \\n (null) [null] <null> <none> undefined (blank) "
        "(empty) (none)"
    ).split()
) | {"#n/a n/a"}
_FILE_NAME_PATTERN = re.compile(
    r".+\.(?:t?txt|srt|vtt|ttml|dfxp|xml|ass|ssa|sub|mpl|sbv|scc|smi|stl|lrc|json[l3]?|csv|tsv|xlsx"
    r"|docx?|f?odt|rtf|pdf|html?|mht(?:ml)?|md|eml|eaf|exb|trs|cha|textgrid"
    r"|mp[34]|m4a|wav|aac|aiff|ogg|opus|flac|wma|webm|mkv|mov|avi|ts|jpe?g|png|gif)",
    re.I,
)


def is_file_name(cell: str) -> bool:
    """Return whether a cell is the name of a file of text, sound or pictures, or a path to one."""
    return _FILE_NAME_PATTERN.fullmatch(cell.strip()) is not None


def is_nothing(cell: str) -> bool:
    """Return whether a cell only says that it has no value: NaN, null, #N/A, #REF!, a dash."""
    if len(cell) > LONGEST_NOTHING_CHARACTERS and not cell.isspace():
        return False
    text = cell.strip()
    has_only_dashes = not text.strip("-–—=_:")
    if has_only_dashes:
        return True
    # In small letters, "na" may be a word.
    return text.casefold() in NOTHING_WORDS or text == "NA"


def is_cell_error(cell: str) -> bool:
    """Return whether a cell has an error of a spreadsheet, such as #REF!, in place of its value."""
    words = cell.strip().casefold()
    return words.startswith("#") and words in NOTHING_WORDS and not words.startswith("#n/")
