"""The words around a figure that two texts share: its bound, its unit, its period, its rank.

"Almost 3,000" and "more than 3,000" are the same number with other bounds; "15,000 gallons" and
"15,000 liters", "a month" and "a year", "by 35 percent" and "from 35 percent" are other amounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language import agreement
from features.language.denied_limits import denies_excess
from features.language.figures.numbers import MULTIPLE, Figure
from features.language.figures.rounding import agree_by_chance
from features.language.scale_ends import other_end
from features.language.stems import first_of_group, stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash, in_other_order

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
        re.compile(
            # In "nine million people hold at least two", another figure has the bound.
            r"^\W*(?:\w+ ){0,2}(?:or more|or higher|or over|and up|plus|at least(?! (?:\$?\d|half|"
            r"an?|one|two|three|four|five|six|seven|eight|nine|ten)\b))\b|^\+"
        ),
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
# "The lowest it has been since 1979"
_RECORD_PATTERN = re.compile(
    r"\b(?P<root>[a-z]{3,}?)e?st\b[^.,;]{0,40}? since (?P<date>(?:19|20)\d\d)\b"
)
_ANY_TIME_BEFORE_PATTERN = re.compile(r"\b(?:any|ever|every|all)\b")
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
_ORDINAL_DIGITS_PATTERN = re.compile(r"\d+")
_ORDINAL_OF_DIGITS = {
    str(number): ordinal
    for number, ordinal in enumerate(
        "second third fourth fifth sixth seventh eighth ninth tenth".split(), 2
    )
}
# "The poorest third of households", "the top half"
_RANKED_PART_PATTERN = re.compile(
    r"\b(?P<group>top|bottom|upper|lower|[a-z]{3,}est) "
    r"(?P<part>half|thirds?|quarters?|fourth|fifth|tenth|(?:\d+(?:\.\d+)?|one|two|five|ten|twenty) percent)\b"
)
# "The third saltiest lake", "the 3rd most crowded town"
_ORDINAL_SUPERLATIVE_PATTERN = re.compile(
    r"\b(?P<ordinal>second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))[- ]"
    r"(?P<word>[a-z]{2,}est|(?:most|least) [a-z-]+)\b"
)


def bound_clash(pair: TextPair) -> Clash | None:
    """Return a figure of both texts with bounds that exclude each other, or None."""
    # "At most 40 dollars" and "no more than 40 dollars" have the same bound.
    if denies_excess(pair):
        return None
    for sentence_figure, statement_figure in _shared_figures(pair):
        sentence_bound = bound_of_figure(pair.sentence, sentence_figure)
        statement_bound = bound_of_figure(pair.statement, statement_figure)
        if {sentence_bound, statement_bound} != {AT_LEAST, AT_MOST}:
            continue
        lower_bound = sentence_figure
        upper_bound = statement_figure
        if sentence_bound == AT_MOST:
            lower_bound = statement_figure
            upper_bound = sentence_figure
        # "More than 2" and "less than 9" may both hold, "more than 9" and "less than 2" may not.
        if lower_bound.high >= upper_bound.low:
            return Clash(
                in_sentence=_with_words_before(pair.sentence, sentence_figure, sentence_bound),
                in_statement=_with_words_before(pair.statement, statement_figure, statement_bound),
            )
    return None


def unit_or_period_clash(pair: TextPair) -> Clash | None:
    """Return a figure of both texts with another unit, period or role in a change, or None."""
    if not pair.is_about_same_thing:
        return None
    for sentence_figure, statement_figure in _shared_figures(pair):
        for find_clash in (_unit_clash, _period_clash):
            clash = find_clash(pair, sentence_figure, statement_figure)
            if clash:
                return clash
    return _change_clash(pair)


def rank_clash(pair: TextPair) -> Clash | None:
    """Return the ranks of both texts if they differ: "highest" and "second highest"."""
    if not pair.is_about_same_thing:
        return None
    sentence_matches = list(_SUPERLATIVE_PATTERN.finditer(pair.sentence.lower_text))
    statement_matches = list(_SUPERLATIVE_PATTERN.finditer(pair.statement.lower_text))
    # "The first two years are behind the last two": both texts have both ranks.
    sentence_ranks = set(map(_rank_words, sentence_matches))
    statement_ranks = set(map(_rank_words, statement_matches))
    for sentence_match in sentence_matches:
        for statement_match in statement_matches:
            sentence_rank = _rank_words(sentence_match)
            statement_rank = _rank_words(statement_match)
            is_in_both = sentence_rank in statement_ranks and statement_rank in sentence_ranks
            if not is_in_both and _ranks_clash(sentence_match, statement_match):
                return Clash(sentence_rank, statement_rank)
    # "No mayor has opened fewer", "opened more than any mayor": a direction says it, too.
    clash = _record_clash(pair) or _ranked_part_clash(pair) or _ordinal_clash(pair)
    return clash or (None if pair.is_opposite else other_end(pair))


def _ranked_part_clash(pair: TextPair) -> Clash | None:
    """Return "the poorest half" and "the poorest third", or None."""
    sentence_parts = _ranked_parts(pair.sentence.lower_text)
    statement_parts = _ranked_parts(pair.statement.lower_text)
    for group in sentence_parts.keys() & statement_parts.keys():
        part = sentence_parts[group]
        other_part = statement_parts[group]
        if part != other_part:
            return Clash(f"{group} {part}", f"{group} {other_part}")
    return None


def _ranked_parts(lower_text: str) -> dict[str, str]:
    """Return the part of each ranked group: {"poorest": "third"}."""
    return {
        match["group"]: match["part"].replace("fourth", "quarter")
        for match in _RANKED_PART_PATTERN.finditer(lower_text)
    }


def _ordinal_clash(pair: TextPair) -> Clash | None:
    """Return "third saltiest" and "saltiest", a word that isn't in the table, or None."""
    for text, other, is_sentence_first in (
        (pair.sentence, pair.statement, True),
        (pair.statement, pair.sentence, False),
    ):
        for rank in _ORDINAL_SUPERLATIVE_PATTERN.finditer(text.lower_text):
            if _SUPERLATIVE_PATTERN.search(rank[0]):
                continue
            for word in re.finditer(rf"(?:[\w-]+[- ])?\b{rank['word']}\b", other.lower_text):
                other_rank = _ORDINAL_SUPERLATIVE_PATTERN.search(word[0])
                if other_rank is None:
                    clash = Clash(rank[0], rank["word"])
                    return clash if is_sentence_first else in_other_order(clash)
    return None


def _record_clash(pair: TextPair) -> Clash | None:
    """Return "lowest since 1979" and "lower than in 1979", which tells of one year, or None."""
    for text, other, is_sentence_first in (
        (pair.sentence, pair.statement, True),
        (pair.statement, pair.sentence, False),
    ):
        for record in _RECORD_PATTERN.finditer(text.lower_text):
            step_pattern = (
                rf"\b{record['root']}e?r than [^.,;]{{0,20}}?\b(?:in|at) {record['date']}\b"
            )
            step = re.search(step_pattern, other.lower_text)
            if step is None or _ANY_TIME_BEFORE_PATTERN.search(step[0]):
                continue
            words = (
                text.text[record.start() : record.end()],
                other.text[step.start() : step.end()],
            )
            return Clash(*words) if is_sentence_first else Clash(*words[::-1])
    return None


def _shared_figures(pair: TextPair) -> Iterator[tuple[Figure, Figure]]:
    figure_pairs, _, _ = agreement.pair_figures(
        pair.sentence.particulars.numbers, pair.statement.particulars.numbers
    )
    for sentence_figure, statement_figure, _ in figure_pairs:
        if not agree_by_chance(sentence_figure, statement_figure):
            yield sentence_figure, statement_figure


def bound_of_figure(text: AnalysedText, figure: Figure) -> str:
    """Return whether a figure is an upper or a lower bound, "" if it is neither."""
    text_before = text.lower_text[: figure.start]
    text_after = text.lower_text[figure.end :]
    # "300 or more"
    for bound, pattern in _PATTERNS_AFTER_FIGURE:
        if pattern.match(text_after):
            return bound
    # "at least 300"
    for bound, pattern in _PATTERNS_BEFORE_FIGURE:
        if pattern.search(text_before) or pattern.search(_words_before_digits(figure)):
            return bound
    return ""


def _words_before_digits(figure: Figure) -> str:
    """Return the words of a figure before its digits: "more than" of "more than half"."""
    return re.split(r"\d|half|third|quarter", figure.text.casefold())[0]


def _with_words_before(text: AnalysedText, figure: Figure, bound: str) -> str:
    """Return a figure with the words of its bound."""
    # "at least 300": the words of the bound precede the figure.
    text_before = text.text[: figure.start]
    for bound_of_pattern, pattern in _PATTERNS_BEFORE_FIGURE:
        bound_match = pattern.search(text_before.casefold())
        if bound_match and bound_of_pattern == bound:
            return text.text[bound_match.start() : figure.end].strip()
    if not bound:
        return figure.text
    # "300 or more": they follow the figure.
    following_words = text.text[figure.end :].split()[:3]
    return f"{figure.text} {' '.join(following_words)}"


def _unit_clash(pair: TextPair, sentence_figure: Figure, statement_figure: Figure) -> Clash | None:
    sentence_words = _words_of_figure(pair.sentence, sentence_figure)
    statement_words = _words_of_figure(pair.statement, statement_figure)
    for family in _UNITS_BY_FAMILY:
        sentence_unit = _first_unit(sentence_words, family)
        statement_unit = _first_unit(statement_words, family)
        if sentence_unit and statement_unit and family[sentence_unit] != family[statement_unit]:
            return Clash(
                _figure_with_unit(sentence_figure, sentence_unit),
                _figure_with_unit(statement_figure, statement_unit),
            )
    return None


def _words_of_figure(text: AnalysedText, figure: Figure) -> list[str]:
    """Return the words of a figure and the three after it."""
    text_after = text.lower_text[figure.end :]
    text_to_comma, _, _ = text_after.partition(",")
    words_after = re.findall(r"[a-z%$€£]+", text_to_comma)[:3]
    next_word = words_after[0] if words_after else ""
    if next_word == "percentage" or "percentage" in figure.text.casefold():
        # "percentage points" are points, any other percentage is in percent.
        point_words = [word for word in words_after if word.startswith("point")]
        return point_words or ["percent"]
    if next_word.startswith("point"):
        return [next_word]
    words_inside = re.findall(r"[a-z]+|[%$€£]", figure.text.casefold())
    return words_inside + words_after


def _first_unit(words: list[str], unit_by_word: dict[str, str]) -> str:
    for word in words:
        if word in unit_by_word:
            return word
    return ""


def _figure_with_unit(figure: Figure, unit: str) -> str:
    figure_words = figure.text
    if unit in figure_words.casefold():
        return figure_words
    return f"{figure_words} {unit}"


def _period_clash(
    pair: TextPair, sentence_figure: Figure, statement_figure: Figure
) -> Clash | None:
    sentence_period = _period_of_figure(pair.sentence, sentence_figure)
    statement_period = _period_of_figure(pair.statement, statement_figure)
    # "weekly" and "a month" are both periods; "per week" and "per person" are not compared.
    for period_by_word in (_PERIOD_OF_WORD, _DIVISOR_OF_WORD):
        if sentence_period not in period_by_word or statement_period not in period_by_word:
            continue
        if period_by_word[sentence_period] != period_by_word[statement_period]:
            return Clash(
                f"{sentence_figure.text} per {sentence_period}",
                f"{statement_figure.text} per {statement_period}",
            )
    return None


def _period_of_figure(text: AnalysedText, figure: Figure) -> str:
    """Return the period or the unit that a figure is counted per, "" for none."""
    # The clause after the figure, up to the next figure.
    later_figure_starts = [
        other.start
        for other in text.particulars.numbers
        # "A decade" is what the figure is counted per.
        if other.start > figure.end and other.text.casefold() not in ("a decade", "a century")
    ]
    next_figure_start = min(later_figure_starts, default=len(text.lower_text))
    text_after = text.lower_text[figure.end : next_figure_start]
    clause, *_ = re.split(r"[;:—]", text_after)
    following_words = clause.split()[:UNIT_WORDS_AFTER]
    for match in _PER_PATTERN.finditer(" ".join(following_words)):
        # "a week", "per person" or "weekly"
        period_word = match["word"] or match["adverb"]
        if period_word in _PERIOD_OF_WORD:
            return period_word
        # "a person" alone divides nothing, unlike "a week".
        has_word_for_per = match[0].startswith(("per", "every", "each", "for"))
        if period_word in _DIVISOR_OF_WORD and has_word_for_per:
            return period_word
    return ""


def _change_clash(pair: TextPair) -> Clash | None:
    """Return a figure that a change leads to in one text, from or by in the other, or None."""
    for sentence_figure, statement_figure in _shared_figures(pair):
        if sentence_figure.kind == MULTIPLE:
            continue
        before_sentence_figure = pair.sentence.lower_text[: sentence_figure.start]
        before_statement_figure = pair.statement.lower_text[: statement_figure.start]
        sentence_match = _CHANGE_PREPOSITION_PATTERN.search(before_sentence_figure)
        statement_match = _CHANGE_PREPOSITION_PATTERN.search(before_statement_figure)
        if not sentence_match or not statement_match:
            continue
        sentence_word = sentence_match["word"]
        statement_word = statement_match["word"]
        if sentence_word != statement_word:
            return Clash(
                f"{sentence_word} {sentence_figure.text}",
                f"{statement_word} {statement_figure.text}",
            )
    return None


def _ranks_clash(sentence_match: re.Match[str], statement_match: re.Match[str]) -> bool:
    sentence_word = _SYNONYM_OF_SUPERLATIVE.get(sentence_match["word"], sentence_match["word"])
    statement_word = _SYNONYM_OF_SUPERLATIVE.get(statement_match["word"], statement_match["word"])
    if _are_opposite(sentence_word, statement_word):
        return _next_word(sentence_match) == _next_word(statement_match)
    if sentence_word != statement_word or sentence_word == _FIRST:
        return False
    if sentence_match["one_of"] or statement_match["one_of"]:
        return False
    return _ordinal(sentence_match) != _ordinal(statement_match)


def _next_word(match: re.Match[str]) -> str:
    words_after = match.string[match.end() :].split()
    return stem(words_after[0].strip(".,;:")) if words_after else ""


def _are_opposite(word: str, other: str) -> bool:
    return (word, other) in _OPPOSITE_SUPERLATIVES or (other, word) in _OPPOSITE_SUPERLATIVES


def _ordinal(match: re.Match[str]) -> str:
    ordinal = (match["ordinal"] or "").strip(" -")
    digits = _ORDINAL_DIGITS_PATTERN.match(ordinal)
    return _ORDINAL_OF_DIGITS.get(digits[0], ordinal) if digits else ordinal


def _rank_words(match: re.Match[str]) -> str:
    """Return a rank with its ordinal in one spelling: "third poorest" of "3rd-poorest"."""
    return f"{_ordinal(match)} {match['word']}".strip()
