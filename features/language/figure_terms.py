"""The words around a figure that two texts share: its bound, its unit, its period, its rank.

"Almost 3,000" and "more than 3,000" are the same number with other bounds; "15,000 gallons" and
"15,000 liters", "a month" and "a year", "by 35 percent" and "from 35 percent" are other amounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language import agreement
from features.language.figures.numbers import TIMES, Figure
from features.language.figures.rounding import by_chance
from features.language.stems import first_of_group, stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

UNIT_WORDS_AFTER = 9

AT_LEAST = "at least"
AT_MOST = "at most"
_PATTERNS_BEFORE_FIGURE = (
    (
        AT_MOST,
        re.compile(
            r"\b(?:nearly|almost|(?<!no )(?<!not )less than|(?<!no )(?<!not )fewer than|under|below|"
            r"close to|up to|as many as|as much as|at most|no more than|not more than|"
            r"just shy of|shy of|approaching|barely|a maximum of|at the most|short of|not even|"
            r"not quite|practically|virtually|no higher than|a little under|just under)"
            r"(?: (?:a|an|the|about|over|\$))?\W*$"
        ),
    ),
    (
        AT_LEAST,
        re.compile(
            r"\b(?:more than|over|at least|above|exceeding|upwards of|north of|well over|"
            r"greater than|in excess of|exceeds|topped|beyond|no less than|no fewer than|"
            r"not less than|a minimum of|as few as|at the very least|just over|a little over|"
            r"past)(?: (?:a|an|the|about))?\W*$"
        ),
    ),
)  # fmt: skip
_PATTERNS_AFTER_FIGURE = (
    (
        AT_LEAST,
        re.compile(r"^\W*(?:\w+ ){0,2}(?:or more|or higher|or over|and up|plus|at least)\b|^\+"),
    ),
    (AT_MOST, re.compile(r"^\W*(?:\w+ ){0,2}(?:or less|or fewer|or under|at most|tops)\b")),
)
# The first word of a line stands for all its words. Units on one line of a family measure the same.
_UNIT_FAMILIES = (
    """
    percent % per-cent pct
    point points
    """,
    """
    gallon gallons
    liter liters litre litres
    barrel barrels
    pint pints
    bottle bottles
    """,
    """
    mile miles
    kilometer kilometers kilometre kilometres km
    meter meters metre metres
    foot feet
    inch inches
    yard yards
    """,
    """
    pound pounds lbs
    kilogram kilograms kilo kilos kg
    ton tons tonne tonnes
    ounce ounces
    gram grams
    """,
    """
    fahrenheit
    celsius centigrade
    kelvin
    """,
    """
    acre acres
    hectare hectares
    square
    """,
    """
    watt watts
    kilowatt kilowatts
    megawatt megawatts
    gigawatt gigawatts
    """,
    """
    dollar dollars $ bucks
    euro euros €
    cent cents
    pound pounds £
    peso pesos
    yen
    """,
)
_UNITS_BY_FAMILY = tuple(first_of_group(family) for family in _UNIT_FAMILIES)
_PERIOD_OF_WORD = first_of_group("""
    second
    minute
    hour hourly
    day daily
    week weekly
    month monthly
    quarter quarterly
    year annually yearly annual
    decade
    lifetime
""")
_DIVISOR_OF_WORD = first_of_group("""
    person people capita head
    family families household households
    student students pupil pupils child
    worker workers employee employees
    resident residents
    taxpayer taxpayers
    voter voters
    gallon barrel liter
    acre
    mile
    pill dose
    ton
""")
_PER_PATTERN = re.compile(
    r"\b(?:a|an|per|every|each|for every|for each|by the) (?P<word>[a-z]+)\b|"
    r"\b(?P<adverb>hourly|daily|weekly|monthly|quarterly|annually|yearly)\b"
)
_CHANGE_PREPOSITION_PATTERN = re.compile(
    r"\b(?P<word>by|from|to)(?: (?:about|around|nearly|almost|over|more than))?\W*$"
)
_SUPERLATIVE_PATTERN = re.compile(
    r"\b(?P<one_of>(?:one of|among) )?(?:the |our |its |their |america's |\w+'s )?"
    r"(?P<ordinal>(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|next|"
    r"\d+(?:st|nd|rd|th))[- ])?"
    r"(?P<word>highest|lowest|largest|biggest|smallest|longest|shortest|tallest|richest|poorest|"
    r"oldest|youngest|deadliest|worst|best|fastest|slowest|safest|strongest|weakest|cheapest|"
    r"most|least|fewest|greatest|first|last|top|bottom|leading|deepest|heaviest|hottest|coldest|"
    r"busiest|wealthiest|cleanest|dirtiest|number one|number two|number three)\b"
)  # fmt: skip
_SYNONYM_OF_SUPERLATIVE = first_of_group("""
    largest biggest greatest
    richest wealthiest
    highest top leading
""")
_OPPOSITE_SUPERLATIVES = (
    ("highest", "lowest"),
    ("largest", "smallest"),
    ("longest", "shortest"),
    ("richest", "poorest"),
    ("oldest", "youngest"),
    ("best", "worst"),
    ("fastest", "slowest"),
    ("strongest", "weakest"),
    ("most", "least"),
    ("most", "fewest"),
    ("first", "last"),
    ("highest", "bottom"),
    ("hottest", "coldest"),
    ("cleanest", "dirtiest"),
)  # fmt: skip
_FIRST = "first"


def other_bound(pair: TextPair) -> Clash | None:
    """Return a figure of both texts with bounds that exclude each other, or None."""
    for said, claimed in _shared_figures(pair):
        said_bound = _bound(pair.sentence, said)
        claimed_bound = _bound(pair.statement, claimed)
        if {said_bound, claimed_bound} != {AT_LEAST, AT_MOST}:
            continue
        over, under = (said, claimed) if said_bound == AT_LEAST else (claimed, said)
        if over.high >= under.low:
            said_words = _with_words_before(pair.sentence, said, said_bound)
            return Clash(said_words, _with_words_before(pair.statement, claimed, claimed_bound))
    return None


def other_unit(pair: TextPair) -> Clash | None:
    """Return a figure of both texts with another unit, period or role in a change, or None."""
    if not pair.is_close:
        return None
    for said, claimed in _shared_figures(pair):
        for read in (_unit_clash, _period_clash):
            clash = read(pair, said, claimed)
            if clash:
                return clash
    return _change_clash(pair)


def other_rank(pair: TextPair) -> Clash | None:
    """Return the ranks of both texts if they differ: "highest" and "second highest"."""
    if not pair.is_close:
        return None
    for said in _SUPERLATIVE_PATTERN.finditer(pair.sentence.lower_text):
        for claimed in _SUPERLATIVE_PATTERN.finditer(pair.statement.lower_text):
            if _ranks_clash(said, claimed):
                return Clash(_rank_words(said), _rank_words(claimed))
    return None


def _shared_figures(pair: TextPair) -> Iterator[tuple[Figure, Figure]]:
    figures, _, _ = agreement.paired(
        pair.sentence.particulars.numbers, pair.statement.particulars.numbers
    )
    for said, claimed, _ in figures:
        if not by_chance(said, claimed):
            yield said, claimed


def _bound(text: AnalysedText, figure: Figure) -> str:
    """Return whether a figure is an upper or a lower bound, "" if it is neither."""
    preceding = text.lower_text[: figure.start]
    following = text.lower_text[figure.end :]
    for bound, pattern in _PATTERNS_AFTER_FIGURE:
        if pattern.match(following):
            return bound
    for bound, pattern in _PATTERNS_BEFORE_FIGURE:
        if pattern.search(preceding) or pattern.search(_opening(figure)):
            return bound
    return ""


def _opening(figure: Figure) -> str:
    """Return the words of a figure before its digits: "more than" of "more than half"."""
    return re.split(r"\d|half|third|quarter", figure.text.casefold())[0]


def _with_words_before(text: AnalysedText, figure: Figure, bound: str) -> str:
    """Return a figure with the words of its bound."""
    preceding = text.text[: figure.start]
    for name, pattern in _PATTERNS_BEFORE_FIGURE:
        match = pattern.search(preceding.casefold())
        if match and name == bound:
            return text.text[match.start() : figure.end].strip()
    following = " ".join(text.text[figure.end :].split()[:3])
    return f"{figure.text} {following}" if bound else figure.text


def _unit_clash(pair: TextPair, said: Figure, claimed: Figure) -> Clash | None:
    said_words = _words_of_figure(pair.sentence, said)
    claimed_words = _words_of_figure(pair.statement, claimed)
    for units in _UNITS_BY_FAMILY:
        said_unit = _first_unit(said_words, units)
        claimed_unit = _first_unit(claimed_words, units)
        if said_unit and claimed_unit and units[said_unit] != units[claimed_unit]:
            return Clash(_amount(said, said_unit), _amount(claimed, claimed_unit))
    return None


def _words_of_figure(text: AnalysedText, figure: Figure) -> list[str]:
    """Return the words of a figure and the three after it."""
    following = re.findall(r"[a-z%$€£]+", text.lower_text[figure.end :].split(",")[0])[:3]
    if "percentage" in following[:1] or "percentage" in figure.text.casefold():
        return [word for word in following if word.startswith("point")] or ["percent"]
    words = re.findall(r"[a-z]+|[%$€£]", figure.text.casefold())
    if following[:1] and following[0].startswith("point"):
        return following[:1]
    return words + following


def _first_unit(words: list[str], units: dict[str, str]) -> str:
    return next((word for word in words if word in units), "")


def _amount(figure: Figure, unit: str) -> str:
    words = figure.text
    if unit in words.casefold():
        return words
    return f"{words} {unit}"


def _period_clash(pair: TextPair, said: Figure, claimed: Figure) -> Clash | None:
    said_period = _per(pair.sentence, said)
    claimed_period = _per(pair.statement, claimed)
    if said_period and claimed_period:
        groups = [group for group in (_PERIOD_OF_WORD, _DIVISOR_OF_WORD) if said_period in group]
        for group in groups:
            if claimed_period in group and group[said_period] != group[claimed_period]:
                return Clash(
                    f"{said.text} per {said_period}", f"{claimed.text} per {claimed_period}"
                )
        return None
    return None


def _per(text: AnalysedText, figure: Figure) -> str:
    """Return the period or the unit that a figure is counted per, "" for none."""
    later_starts = [other.start for other in text.particulars.numbers if other.start > figure.end]
    next_figure = min(later_starts, default=len(text.lower_text))
    clause = re.split(r"[;:—]", text.lower_text[figure.end : next_figure])[0]
    following = " ".join(clause.split()[:UNIT_WORDS_AFTER])
    for match in _PER_PATTERN.finditer(following):
        word = match["word"] or match["adverb"]
        if word in _PERIOD_OF_WORD:
            return word
        if word in _DIVISOR_OF_WORD and match[0].startswith(("per", "every", "each", "for")):
            return word
    return ""


def _change_clash(pair: TextPair) -> Clash | None:
    """Return a figure that a change leads to in one text, from or by in the other, or None."""
    for said, claimed in _shared_figures(pair):
        said_role = _CHANGE_PREPOSITION_PATTERN.search(pair.sentence.lower_text[: said.start])
        claimed_role = _CHANGE_PREPOSITION_PATTERN.search(
            pair.statement.lower_text[: claimed.start]
        )
        if said.kind == TIMES or not said_role or not claimed_role:
            continue
        if said_role["word"] != claimed_role["word"]:
            return Clash(
                f"{said_role['word']} {said.text}", f"{claimed_role['word']} {claimed.text}"
            )
    return None


def _ranks_clash(said: re.Match[str], claimed: re.Match[str]) -> bool:
    said_word = _SYNONYM_OF_SUPERLATIVE.get(said["word"], said["word"])
    claimed_word = _SYNONYM_OF_SUPERLATIVE.get(claimed["word"], claimed["word"])
    if _are_opposite(said_word, claimed_word):
        return _next_word(said) == _next_word(claimed)
    if said_word != claimed_word or said_word == _FIRST:
        return False
    if said["one_of"] or claimed["one_of"]:
        return False
    return _ordinal(said) != _ordinal(claimed)


def _next_word(match: re.Match[str]) -> str:
    following = match.string[match.end() :].split()
    return stem(following[0].strip(".,;:")) if following else ""


def _are_opposite(word: str, other: str) -> bool:
    return (word, other) in _OPPOSITE_SUPERLATIVES or (other, word) in _OPPOSITE_SUPERLATIVES


def _ordinal(match: re.Match[str]) -> str:
    return (match["ordinal"] or "").strip(" -")


def _rank_words(match: re.Match[str]) -> str:
    return f"{match['ordinal'] or ''}{match['word']}".strip()
