"""Labels that end in a full stop, as in records of parliaments: ``Mr. HALE. No.``

A label ends at its own full stop. The full stops of titles (``Mr.``) and initials are inside it,
and a remark in brackets may stand between the name and its full stop.
"""

from __future__ import annotations

import re

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
# A word, also one whose full stop has a dash behind it: "Mr. HALE.—I rise"
_LABEL_WORD_PATTERN = re.compile(r"[^\s—–]+\.(?=[—–])|\S+")
_DASH_BEHIND_STOP_PATTERN = re.compile(r"\s?[—–]\s?(?=\S)")
_INITIAL_PATTERN = re.compile(r"(?:[A-Z]\.)+$")
# "d'Arcy", "McCAIN", "O’Neil"
_NAME_PART_PATTERN = re.compile(r"^(?:[a-z]{1,3}[’'])?[^\W\d_a-z][\w’'.-]*$")
_NICKNAME = re.compile(r"^[“\"(][^\s]|[”\")]$")
_SPEECH_START_PATTERN = re.compile(r"\s+(?:[“\"'‘\[(]?[^\W_a-z]|(?:--|[–—…$£€]|\.{2,}))|\s*$")
_CAPITAL_SURNAME_PATTERN = re.compile(
    r"\b(?:Mc|Mac|De|de|Van|Von|La|Le|Di|Du|O[’'])?[A-Z][A-Z’'-]+\b"
)


def label_end(text: str) -> tuple[int, int] | None:
    """Return the end of the name and the end of the label at the head of a line, None if not.

    ``Mr. QUARLES (during the reading). Madam`` has its name up to QUARLES.
    """
    head = text[:MAX_SCANNED_CHARACTERS]
    fallback: tuple[int, int] | None = None
    for position, word in enumerate(_LABEL_WORD_PATTERN.finditer(head)):
        if position >= MAX_LABEL_WORDS:
            break
        if word[0][0] in "([" and position > 0:
            return _ends_around_remark(text, word.start()) or fallback
        bare_word = word[0].rstrip(".")
        if not _is_name_part(bare_word):
            break
        if word[0] == bare_word or bare_word.lower() in TITLES:
            continue
        end = word.end()
        dash = _DASH_BEHIND_STOP_PATTERN.match(text, end)
        if dash is None and not _SPEECH_START_PATTERN.match(text, end):
            continue
        # "LINDA T. ROE." goes on behind the initial; "Speaker A. Hello there" does not.
        if _INITIAL_PATTERN.match(word[0]) and position > 0:
            fallback = fallback or (end, end)
            continue
        if _INITIAL_PATTERN.match(word[0]):
            continue
        return end - 1, dash.end() if dash else end
    return fallback


def _ends_around_remark(text: str, start: int) -> tuple[int, int] | None:
    """Return the ends of name and label if a remark in brackets and a full stop follow the name."""
    closer = ")" if text[start] == "(" else "]"
    end = text.find(closer, start, start + MAX_REMARK_CHARACTERS)
    if end < 0 or not text.startswith(".", end + 1):
        return None
    if not _SPEECH_START_PATTERN.match(text, end + 2):
        return None
    return len(text[:start].rstrip()), end + 2


def _is_name_part(word: str) -> bool:
    if word.lower() in _LOWER_CASE_NAME_WORDS or word in _LOWER_CASE_OFFICES:
        return True
    unquoted = word.strip('“”"')
    return bool(unquoted) and _NAME_PART_PATTERN.match(unquoted) is not None


def is_titled(name: str) -> bool:
    """Return whether a name begins with a title or is an office: ``Mr. HALE``, ``The CHAIR``."""
    words = name.lower().replace(".", "").split()
    if not words:
        return False
    if words[0] == "the":
        return any(word in _OFFICES for word in words[1:])
    return len(words) > 1 and words[0] in TITLES | _RANKS | _FRENCH_TITLES


def addresses_office(name: str) -> bool:
    """Return whether a name addresses an office: ``Mr. President``, ``Madam Speaker``."""
    words = name.lower().replace(".", "").split()
    if len(words) < 2 or words[0] not in _VOCATIVE_STARTS:
        return False
    return all(word in _OFFICES or word in ("deputy", "vice", "acting") for word in words[1:])


def has_capital_surname(name: str) -> bool:
    """Return whether a word of a name is in capitals, as records set surnames."""
    return _CAPITAL_SURNAME_PATTERN.search(name) is not None
