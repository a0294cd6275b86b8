"""Labels that end in a full stop, as in records of parliaments: ``Mr. HALE. No.``

A label ends at its own full stop. The full stops of titles (``Mr.``) and initials are inside it,
and a remark in brackets may stand between the name and its full stop.
"""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_SCANNED_CHARACTERS = 160  # a longer head is not a label
MAX_LABEL_WORDS = 9
MAX_REMARK_CHARACTERS = 80

TITLES = frozenset(
    "mr mrs ms miss mx dr hon sir dame lord lady prof rev fr st sen rep gov lt gen col maj capt "
    "sgt adm amb supt sec cllr del atty cmdr brig pres jr sr".split()
)
_RANKS = frozenset(
    "chairman chairwoman chairperson chair senator representative congressman congresswoman "
    "secretary general admiral judge justice ambassador director governor mayor commissioner "
    "delegate president minister professor doctor madam vice baroness colonel captain inspector "
    "sheriff chief councillor councilmember alderman deputy speaker".split()
)
_OFFICES = frozenset(
    "chairman chairwoman chairperson chair speaker president clerk witness officer court "
    "secretary minister moderator deponent reporter foreperson bailiff interpreter".split()
)
# Words in lower case inside a name
_LOWER_CASE_NAME_WORDS = frozenset(
    "of the de la le van von der den du da dos di al el bin y pro tempore".split()
)
# Offices in lower case: "Mme la présidente. La séance est ouverte."
_LOWER_CASE_OFFICES = frozenset("président présidente ministre rapporteur rapporteure".split())
_FRENCH_TITLES = frozenset("m mm mme mlle".split())
_VOCATIVE_STARTS = frozenset("mr mrs ms miss madam mister".split())
_OFFICE_PREFIXES = ("deputy", "vice", "acting")
# A word, also one whose full stop has a dash behind it: "Mr. HALE.—I rise"
_LABEL_WORD_PATTERN = re.compile(r"[^\s—–]+\.(?=[—–])|\S+")
_DASH_BEHIND_STOP_PATTERN = re.compile(r"\s?[—–]\s?(?=\S)")
_INITIAL_PATTERN = re.compile(r"(?:[A-Z]\.)+$")
# "d'Arcy", "McCAIN", "O’Neil"
_NAME_PART_PATTERN = re.compile(r"^(?:[a-z]{1,3}[’'])?[^\W\d_a-z][\w’'.-]*$")
# "1.Off", the first officer of a play
_NUMBERED_PERSON_PATTERN = re.compile(r"^[1-9]\.[A-Z][\w’']+$")
_NICKNAME = re.compile(r"^[“\"(][^\s]|[”\")]$")
# A capital, a digit or a sign behind a space, or the end of the line
_SPEECH_START_PATTERN = re.compile(r"\s+(?:[“\"'‘\[(]?[^\W_a-z]|(?:--|[–—…$£€]|\.{2,}))|\s*$")
# "McCAIN", "O’NEIL"
_CAPITAL_SURNAME_PATTERN = re.compile(
    r"\b(?:Mc|Mac|De|de|Van|Von|La|Le|Di|Du|O[’'])?[A-Z][A-Z’'-]+\b"
)


class LabelEnds(NamedTuple):
    """The characters of a line at which the name in its label ends, and the label itself."""

    name_end: int
    label_end: int


def label_ends(text: str) -> LabelEnds | None:
    """Return the ends of the name and of the label at the head of a line, None if there is none.

    ``Mr. QUARLES (during the reading). Madam`` has its name up to QUARLES.
    """
    # If no other full stop ends the label, it is the one behind the first initial.
    ends_behind_initial: LabelEnds | None = None
    word_matches = list(_LABEL_WORD_PATTERN.finditer(text[:MAX_SCANNED_CHARACTERS]))
    for position, word_match in enumerate(word_matches[:MAX_LABEL_WORDS]):
        word = word_match.group()
        is_first_word = position == 0
        # "Mr. DOE (Ohio). Thank you"
        begins_remark = word[0] in "(["
        if begins_remark and not is_first_word:
            return _ends_around_remark(text, word_match.start()) or ends_behind_initial
        if not _is_name_part(word.rstrip(".")):
            break  # No label goes on behind such a word.
        ends = _ends_behind_word(text, word_match)
        is_initial = _INITIAL_PATTERN.match(word) is not None
        if ends is not None and not is_initial:
            return ends
        # "LINDA T. ROE." goes on behind the initial; "Speaker A. Hello there" does not.
        if ends is not None and not is_first_word and ends_behind_initial is None:
            ends_behind_initial = LabelEnds(word_match.end(), word_match.end())
    return ends_behind_initial


def _ends_behind_word(text: str, word_match: re.Match[str]) -> LabelEnds | None:
    """Return the ends of name and label if a label may end with a word and its full stop."""
    word = word_match.group()
    bare_word = word.rstrip(".")
    has_full_stop = word != bare_word
    if not has_full_stop or bare_word.lower() in TITLES:
        return None
    word_end = word_match.end()
    name_end = word_end - len(".")
    # "JANE DOE.--Thank you"
    dash = _DASH_BEHIND_STOP_PATTERN.match(text, word_end)
    if dash:
        return LabelEnds(name_end, dash.end())
    starts_speech = _SPEECH_START_PATTERN.match(text, word_end) is not None
    return LabelEnds(name_end, word_end) if starts_speech else None


def _ends_around_remark(text: str, remark_start: int) -> LabelEnds | None:
    """Return the ends of name and label if a remark in brackets and a full stop follow the name."""
    # "Mr. DOE (Ohio). Thank you": the name ends before the bracket, the label after the full stop.
    closing_bracket = ")" if text[remark_start] == "(" else "]"
    max_remark_end = remark_start + MAX_REMARK_CHARACTERS
    bracket_index = text.find(closing_bracket, remark_start, max_remark_end)
    if bracket_index < 0 or not text.startswith(".", bracket_index + 1):
        return None
    label_end = bracket_index + len(").")
    if not _SPEECH_START_PATTERN.match(text, label_end):
        return None
    name_end = len(text[:remark_start].rstrip())
    return LabelEnds(name_end, label_end)


def _is_name_part(word: str) -> bool:
    """Return whether a word may be in a name: with a capital, or a particle such as ``von``."""
    if word.lower() in _LOWER_CASE_NAME_WORDS or word in _LOWER_CASE_OFFICES:
        return True
    unquoted = word.strip('“”"')
    if _NUMBERED_PERSON_PATTERN.match(unquoted):
        return True
    return bool(unquoted) and _NAME_PART_PATTERN.match(unquoted) is not None


def is_titled(name: str) -> bool:
    """Return whether a name begins with a title or is an office: ``Mr. HALE``, ``The CHAIR``."""
    words = name.lower().replace(".", "").split()
    if not words:
        return False
    first_word, *next_words = words
    if first_word == "the":
        return any(word in _OFFICES for word in next_words)
    return bool(next_words) and first_word in TITLES | _RANKS | _FRENCH_TITLES


def addresses_office(name: str) -> bool:
    """Return whether a name addresses an office: ``Mr. President``, ``Madam Speaker``."""
    words = name.lower().replace(".", "").split()
    if len(words) < 2 or words[0] not in _VOCATIVE_STARTS:
        return False
    office_words = words[1:]
    return all(word in _OFFICES or word in _OFFICE_PREFIXES for word in office_words)


def has_capital_surname(name: str) -> bool:
    """Return whether a word of a name is in capitals, as records set surnames."""
    return _CAPITAL_SURNAME_PATTERN.search(name) is not None
