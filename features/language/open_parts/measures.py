"""Measures and groups by which two texts differ: poverty and income, a group and its men.

"Income is at a record" and "poverty is at a record" have their degree in common, but not what they
measure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from features.language.agreement import pair_figures
from features.language.figures.numbers import COUNT, PERCENT, Figure
from features.language.word_clashes import Clash, in_other_order

MAX_MEASURE_CHARACTERS = 40  # from a measure to the figure that follows it

# One measure per line, with the other words for it.
_MEASURES = """
    income incomes earnings wage wages salary salaries paycheck paychecks
    poverty
    unemployment joblessness jobless employment underemployment
    crime crimes
    murder murders homicide homicides
    inflation
    homeownership
    turnout
    deficit deficits
    debt debts
    exports
    imports
    premium premiums
    deductible deductibles
    mortality
    literacy
"""
# Letters that each text with a measure or a group has; they are found faster than the words.
_LETTERS_OF_MEASURES = (
    "incom earning wage salar paycheck povert employ jobless crime murder homicid inflat homeowner "
    "turnout deficit debt export import premium deductib mortal litera"
).split()
_LETTERS_OF_GROUPS = (
    "african black white hispanic latin asian native muslim christian jews immigrant veteran"
).split()
_NO_WORK_PATTERN = re.compile(
    r"\b(?:not (?:employed|working)|out of (?:work|a job)|without (?:work|a job|jobs)|"
    r"looking for (?:work|a job|jobs))\b",
    re.I,
)
_DEGREE_PATTERN = re.compile(
    r"\b(?:rates?|levels?|highs?|lows?|highest|lowest|record|percent|most|least|rising|rose|risen|"
    r"rises|"
    r"grew|grown|grows|growing|fell|fallen|falls|falling|dropped|drops|doubled|tripled|halved|"
    r"biggest|largest|worst|best)\b|%",
    re.I,
)
_GROUPS = (
    r"african[- ]americans?|blacks?|whites?|hispanics?|latinos?|latinas?|asian[- ]americans?|"
    r"asians?|"
    r"native[- ]americans?|muslims?|christians?|jews|immigrants|veterans"
)
_MEMBERS = (
    r"(?:wo)?men|boys|girls|children|kids|youths?|teens|teenagers|babies|students|workers|voters|"
    r"families|mothers|fathers|households"
)
_GROUP_PATTERN = re.compile(
    rf"\b(?P<group>{_GROUPS})(?: (?P<people>people|americans))?(?: (?P<members>{_MEMBERS}))?\b",
    re.I,
)
_MEMBER_PATTERN = re.compile(rf"\b(?:{_MEMBERS}|man|woman|child|males?|females?)\b", re.I)
_AGE_PATTERN = re.compile(r"\bage[sd]?\b|\bbetween\b|\byears old\b|\b(?:under|over) \d", re.I)
_ETHNIC_GROUP_PATTERN = re.compile(
    r"\b(?P<group>african|hispanic|asian|native|black|latino)(?:[- ]american)?s?\b", re.I
)
_SYNONYMS_OF_GROUP = {"black": "african", "latino": "hispanic"}


# One group of people per line, with the other words for it; all people are a group, too.
_GROUPS_OF_PEOPLE = """
    americans people adults
    republicans
    democrats
    independents
    women
    men
    children kids
    seniors retirees elderly
    veterans vets
    students pupils
    teachers
    immigrants migrants
    muslims
    christians
    workers employees
    businesses companies firms
    farmers
    states
    countries nations
"""


def _read_synonyms(table: str) -> dict[str, str]:
    """Return the first word of its line for each word of a table."""
    first_word_of_word = {}
    for line in table.strip().splitlines():
        words = line.split()
        for word in words:
            first_word_of_word[word] = words[0]
    return first_word_of_word


_MEASURE_OF_WORD = _read_synonyms(_MEASURES)
_GROUP_OF_WORD = _read_synonyms(_GROUPS_OF_PEOPLE)
_WHOLE_GROUP_PATTERN = re.compile(
    rf" of (?:all )?(?:the |our |its |"
    rf"these )?(?:american )?(?P<people>{'|'.join(_GROUP_OF_WORD)})\b",
    re.I,
)
# "12,000 workers" may be "12,000 people" who work, but not these.
_COUNTED_GROUP_PATTERN = re.compile(
    r" (?P<people>americans|people|republicans|democrats|women|men|children|kids|seniors|veterans|"
    r"vets)\b",
    re.I,
)
_MEASURE_PATTERN = re.compile(
    rf"\b(?P<word>{'|'.join(_MEASURE_OF_WORD)})\b(?: (?:rates?|levels?)\b)?", re.I
)


def measure_clash(sentence: str, statement: str) -> Clash | None:
    """Return "income" and "poverty rates" if each text gives the degree of one thing, or None."""
    said = _measures(sentence)
    checked = _measures(statement)
    if len(said) != 1 or len(checked) != 1 or said.keys() == checked.keys():
        return None
    # "58 percent are not employed" may be the unemployment that the statement measures.
    if _NO_WORK_PATTERN.search(f"{sentence} {statement}"):
        return None
    if not _DEGREE_PATTERN.search(sentence) or not _DEGREE_PATTERN.search(statement):
        return None
    return Clash(*said.values(), *checked.values())


def names_ethnic_group(text: str) -> bool:
    """Return whether a text names an ethnic group, such as "Hispanics"."""
    return _ETHNIC_GROUP_PATTERN.search(text) is not None


def measures_differ(text: str, position: int, other_text: str, other_position: int) -> bool:
    """Return whether the measures before two figures, each at a position, are not the same."""
    measure = _measure_before(text, position)
    other_measure = _measure_before(other_text, other_position)
    return bool(measure and other_measure) and measure != other_measure


def _measure_before(text: str, position: int) -> str:
    """Return the nearest measure before a position of a text, "" if there is none."""
    text_before = text[max(0, position - MAX_MEASURE_CHARACTERS) : position]
    words = [match["word"].casefold() for match in _MEASURE_PATTERN.finditer(text_before)]
    return _MEASURE_OF_WORD[words[-1]] if words else ""


@lru_cache(maxsize=1 << 12)
def _measures(text: str) -> dict[str, str]:
    """Return the measures of a text, each with the first words for it."""
    words_of_measure: dict[str, str] = {}
    lower_text = text.casefold()
    if not any(letters in lower_text for letters in _LETTERS_OF_MEASURES):
        return words_of_measure
    for match in _MEASURE_PATTERN.finditer(text):
        words_of_measure.setdefault(_MEASURE_OF_WORD[match["word"].casefold()], match[0])
    return words_of_measure


def members_of_group_clash(sentence: str, statement: str) -> Clash | None:
    """Return "Hispanics" and "Hispanic men" if one text is on fewer of a group, or None."""
    return _narrower_group(sentence, statement) or in_other_order(
        _narrower_group(statement, sentence)
    )


def _narrower_group(text: str, other_text: str) -> Clash | None:
    """Return a whole group of a text, and only some of its members in another text."""
    # "Black people" beside "Black women"
    group_matches = _group_matches(text)
    if not group_matches or _MEMBER_PATTERN.search(text) or _AGE_PATTERN.search(text):
        return None
    match_by_group = {_group_key(match["group"]): match for match in group_matches}
    for other_match in _group_matches(other_text):
        match = match_by_group.get(_group_key(other_match["group"]))
        if match is None or not other_match["members"]:
            continue
        # "Black unemployment" leaves open of whom it is.
        is_whole = match["people"] or match["group"].endswith("s")
        if is_whole:
            return Clash(match[0], other_match[0])
    return None


@lru_cache(maxsize=1 << 12)
def _group_matches(text: str) -> tuple[re.Match[str], ...]:
    """Return the groups of a text, each with the members that it names."""
    lower_text = text.casefold()
    if not any(letters in lower_text for letters in _LETTERS_OF_GROUPS):
        return ()
    return tuple(_GROUP_PATTERN.finditer(text))


def _group_key(group: str) -> str:
    return group.casefold().replace("-", " ").removesuffix("s")


def other_group_clash(
    sentence: str,
    statement: str,
    sentence_figures: Sequence[Figure],
    statement_figures: Sequence[Figure],
) -> Clash | None:
    """Return "90 percent of Republicans" and "90 percent of Americans" of two texts, or None.

    "20 people" and "20 veterans" are of other groups, too.
    """
    for kind, pattern in ((PERCENT, _WHOLE_GROUP_PATTERN), (COUNT, _COUNTED_GROUP_PATTERN)):
        said_figures = _figures_of_groups(sentence, sentence_figures, kind, pattern)
        checked_figures = _figures_of_groups(statement, statement_figures, kind, pattern)
        if not said_figures or not checked_figures:
            continue
        for figure, other, _ in pair_figures(list(said_figures), list(checked_figures))[0]:
            said = said_figures[figure]
            checked = checked_figures[other]
            said_group = _GROUP_OF_WORD[said["people"].casefold()]
            checked_group = _GROUP_OF_WORD[checked["people"].casefold()]
            # "90 percent of them" may have its group before.
            is_mentioned = _mentions(statement, said_group) or _mentions(sentence, checked_group)
            if said_group != checked_group and not is_mentioned:
                return Clash(figure.text + said[0], other.text + checked[0])
    return None


def _figures_of_groups(
    text: str, text_figures: Sequence[Figure], kind: str, pattern: re.Pattern[str]
) -> dict[Figure, re.Match[str]]:
    """Return the figures of a kind that a group follows, with the words for the group."""
    group_of_figure = {}
    for figure in text_figures:
        group_match = pattern.match(text, figure.end) if figure.kind == kind else None
        if group_match is not None:
            group_of_figure[figure] = group_match
    return group_of_figure


def _mentions(text: str, group: str) -> bool:
    """Return whether a text has a word of a group of people."""
    words = [word for word, group_of_word in _GROUP_OF_WORD.items() if group_of_word == group]
    return re.search(rf"\b(?:{'|'.join(words)})\b", text, re.I) is not None


def uncovered_groups(text: str, other_text: str) -> Iterator[str]:
    """Yield "Asian American" of a text that another text, on other groups of the text, lacks."""
    if not _group_matches(text) or not _group_matches(other_text):
        return
    other_groups = {_group(match) for match in _ETHNIC_GROUP_PATTERN.finditer(other_text)}
    groups = {_group(match): match[0] for match in _ETHNIC_GROUP_PATTERN.finditer(text)}
    if other_groups.isdisjoint(groups):
        return
    for group, words in groups.items():
        if group not in other_groups:
            yield words


def _group(match: re.Match[str]) -> str:
    group = match["group"].casefold()
    return _SYNONYMS_OF_GROUP.get(group, group)
