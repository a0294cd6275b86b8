"""Names of persons: the parts of a speaker's label, and surnames for comparisons.

The rules differ on purpose. ``label_parts`` decides whether two labels of one file are the same
person, so it keeps all that could tell two people apart. ``speaker_surname`` and
``claimant_surnames`` make the ranker input ``same_speaker``: the shipped rankers were trained with
exactly these words, so neither may follow a change of the other rules. ``last_name`` is for full
names that Lectern itself wrote down.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from assistant.core.bracketed_roles import bracketed_roles, without_brackets

_FORMS_OF_ADDRESS = frozenset("mr mrs ms miss mx dr sir madam the hon honorable".split())
_OFFICES = frozenset(
    "president vice former senator sen representative rep congressman congresswoman governor gov "
    "secretary sec mayor admiral adm general gen colonel judge justice chairman chairwoman chair "
    "ambassador director commissioner minister prime lord lady professor prof rev reverend "
    "councilmember councilman councilwoman speaker leader first deputy acting candidate nominee "
    "businessman author moderator host anchor".split()
)
_SUFFIXES = frozenset("jr sr ii iii iv".split())
_GENDER_BY_WORD = {"mr": "m", "sir": "m", "mrs": "f", "ms": "f", "miss": "f", "madam": "f"}
# Several people in one label: "HALE AND ROE", "HALE/ROE", "HALE & ROE"
_JOINT_PATTERN = re.compile(r"\s(?:and|AND|And|with|WITH)\s|\s?[&/+]\s?")
_LABEL_WORD_PATTERN = re.compile(r"[^\W_][\w’'-]*")
_NUMBERED_PATTERN = re.compile(r"\d$|_")
# SM1TH is a typing error of SMITH.
_LOOKALIKES = str.maketrans({"’": "", "'": "", "1": "I", "0": "O"})
_NON_NAME_WORDS = _FORMS_OF_ADDRESS | _OFFICES | _SUFFIXES

_LEARNED_WORD_PATTERN = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-])*")
_LEARNED_TITLES = frozenset(
    "mr mrs ms dr sen senator rep gov governor president secretary moderator".split()
)
_NON_PERSON_WORDS = ("speaker", "unknown", "question", "audience", "system")


@dataclass(frozen=True, slots=True)
class LabelParts:
    """The parts of a speaker's label.

    Names in capitals, offices, and the gender of the form of address (m, f or ""). ``suffix`` is
    "jr", "sr", "ii" and so on. ``initial`` is the first letter of a given name that is only an
    initial, and ``middle_initials`` are those behind it or behind a given name. ``is_joint``: the
    label names several people, as in ``HALE AND ROE``. ``bracketed_roles`` are those in brackets.
    """

    names: tuple[str, ...]
    offices: frozenset[str]
    gender: str
    suffix: str = ""
    initial: str = ""
    is_joint: bool = False
    middle_initials: str = ""
    bracketed_roles: tuple[str, ...] = ()

    @property
    def surname(self) -> str:
        """Return the last name in capitals, "" for a role such as ``THE PRESIDENT``."""
        return self.names[-1] if self.names else ""


def label_parts(label: str) -> LabelParts:
    """Return the parts of a label; a numbered speaker (``SPEAKER_02``) has none."""
    roles = bracketed_roles(label)
    label = without_brackets(label) if roles else label
    words = [word.strip("’'-") for word in _LABEL_WORD_PATTERN.findall(label)]
    if not words or _NUMBERED_PATTERN.search(label):
        return LabelParts((), frozenset(), "")
    name_words: list[str] = []
    offices = set()
    genders = []
    suffix = ""
    initial = ""
    middle_initials = ""
    for word in words:
        lower_word = word.lower()
        if lower_word in _SUFFIXES and name_words:
            suffix = lower_word
        if len(word) == 1 and not name_words and not initial:
            initial = word.upper()
        elif len(word) == 1:
            middle_initials += word.upper()
        if lower_word in _OFFICES:
            offices.add(lower_word)
        if lower_word in _GENDER_BY_WORD:
            genders.append(_GENDER_BY_WORD[lower_word])
        if lower_word not in _NON_NAME_WORDS and len(word) > 1:
            name_words.append(word.upper().translate(_LOOKALIKES))
    gender = genders[0] if genders else ""
    is_joint = _JOINT_PATTERN.search(label) is not None
    return LabelParts(
        tuple(name_words),
        frozenset(offices),
        gender,
        suffix,
        initial,
        is_joint,
        middle_initials,
        roles,
    )


@lru_cache(maxsize=1 << 14)
def speaker_surname(speaker: str) -> str:
    """Return the last word of a speaker's name in lower case, "" for a role as in "Speaker 1".

    Fewer titles are left out than in ``label_parts``: a trained ranker input depends on this list.
    A role in brackets, as of two people of one name, isn't a surname.
    """
    words = []
    name = without_brackets(speaker) if bracketed_roles(speaker) else speaker
    for word in _LEARNED_WORD_PATTERN.findall(name.casefold()):
        if word not in _LEARNED_TITLES and len(word) > 1:
            words.append(word)
    if not words or words[0] in _NON_PERSON_WORDS:
        return ""
    return words[-1]


@lru_cache(maxsize=1 << 17)
def claimant_surnames(claimant: str) -> frozenset[str]:
    """Return the words of a claimant that may be a surname, in lower case.

    Publishers write claimants in full, often with an office or a place, so any word but the first
    may be the surname.
    """
    words = _LEARNED_WORD_PATTERN.findall(claimant.casefold())
    return frozenset(words[1:] or words)


def last_name(full_name: str) -> str:
    """Return the last word of a full name as written, "" for an empty one."""
    words = full_name.split()
    return words[-1] if words else ""
