"""The figures of a text as numbers: value or range, kind, unit and hedge.

The kinds are percent (also a share of a whole: "one in five", "half"), money, rank ("47th"), times
("twice", "doubled"), time ("16 years") and count. Names with digits (COVID-19, Title 42, 401(k))
and dates are not figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from features.language.figures.context import contexts
from features.language.figures.spelling import (
    FRACTION_OF_WORD,
    SCALE_ABBREVIATIONS,
    SCALE_OF_WORD,
    WORDS_BELOW_TWENTY,
    WORDS_FOR_TENS,
    Token,
    read_number,
    tokens,
)
from features.language.function_words import NON_UNIT_WORDS

PERCENT = "percent"
MONEY = "money"
RANK = "rank"
MULTIPLE = "times"
TIME = "time"
COUNT = "count"
ABOUT = "about"
OVER = "over"
UNDER = "under"
MAX_SIZE_RATIO = 100  # between two figures of the same quantity, if the things counted are unknown
MAX_UNIT_WORDS = 3
LARGEST_DENOMINATOR = 20
LARGEST_WHOLE = 1000  # "one in 1,000"
LARGEST_PART_OF_WHOLE = 20  # "20 in 50"
RANGE_CHARACTERS = 16  # before a range, in which "between" and "from" are looked for

_DIGIT_PATTERN = re.compile(r"\d")
_NAME_WITH_DIGITS_PATTERN = re.compile(
    r"(?i:\b(?!mid|pre|post|early|late|under|over|sub|the|top|age|ages)[a-z]+-\d+\b(?!-)|\b9/11\b|"
    r"\b24/7\b|"
    r"\b401 ?\(?k\)?|\b501 ?\(?c\)?(?: ?\(\d\))?|\b[a-z]+\d+\w*\b|\b\d{1,2}(?::\d\d)? "
    r"?[ap]\.?m\b\.?|"
    r"\b\d{1,2}:\d\d\b|\b[2-6]g\b|\b\d+ ?mm\b|"
    r"\b911 calls?\b|\bcall 911\b|\bw-?2s?\b|\b1099s?\b|"
    r"\b(?:covid|sars-cov|hr|h\.r\.|hb|sb|ab|sr|hcr|h\.b\.|s\.b\.|bill|section|title|amendment|"
    r"proposition|prop|"
    r"issue|route|page|phase|chapter|channel|district|article|act|measure|question|interstate|"
    r"highway|"
    r"class of|precinct|apollo|super bowl|fortune|daytona|indy|s&p|"
    r"order|resolution|directive|boeing|category|stage|form|area|room|unit|flight)"
    r"\.? #?\d+(?:[.,]\d+)*\b)|"
    r"\b[A-Z]{1,3}-\d+s\b"  # "AK-47s"
)
_HEDGES = (
    (
        OVER,
        (
            "more than",
            "over",
            "at least",
            "above",
            "exceeding",
            "upwards of",
            "north of",
            "well over",
            "greater than",
            "in excess of",
            "exceeds",
            "topped",
            "beyond",
            "some more than",
            "past",
        ),
    ),
    (
        UNDER,
        (
            "nearly",
            "almost",
            "less than",
            "fewer than",
            "under",
            "below",
            "close to",
            "up to",
            "as much as",
            "as many as",
            "at most",
            "just shy of",
            "approaching",
            "no more than",
            "not even",
            "lower than",
            "barely",
        ),
    ),
    (
        ABOUT,
        (
            "about",
            "around",
            "roughly",
            "approximately",
            "some",
            "like",
            "maybe",
            "something like",
            "an estimated",
            "estimated",
            "in the neighborhood of",
            "probably",
            "around about",
            "perhaps",
            "somewhere around",
            "what",
        ),
    ),
)
_HEDGE_OF_PHRASE = {phrase: hedge for hedge, phrases in _HEDGES for phrase in phrases}
_TIME_UNIT_DAYS = {
    "year": 365.25,
    "yr": 365.25,
    "month": 30.44,
    "week": 7.0,
    "day": 1.0,
    "hour": 1 / 24,
    "minute": 1 / 1440,
    "decade": 3652.5,
    "century": 36525.0,
    "second": 1 / 86400,
    "generation": 9131.0,
}
# Before these words, "one" and "a" are figures.
_WORDS_AFTER_COUNTING_ONE = frozenset(
    "percent pct % million billion trillion hundred thousand".split()
)
_WORDS_AFTER_HALF_IN_NAMES = frozenset(
    "true truth truths brother sister baked hearted time way hour century decade dozen".split()
)
_FACTOR_OF_MULTIPLE = {
    "twice": 2.0,
    "double": 2.0,
    "doubled": 2.0,
    "doubling": 2.0,
    "doubles": 2.0,
    "triple": 3.0,
    "tripled": 3.0,
    "tripling": 3.0,
    "triples": 3.0,
    "quadrupled": 4.0,
    "quadruple": 4.0,
    "halved": 0.5,
    "thrice": 3.0,
}
_RANK_OF_ORDINAL = {
    word: rank
    for rank, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}
_WORDS_BEFORE_RANK = frozenset(
    "rank ranks ranked ranking place places placed came dead we're is was number".split()
)
_WORDS_FOR_PEOPLE = frozenset(
    "people person american men man women woman worker voter citizen adult resident family "
    "household folk employee individual student children child kid patient immigrant job taxpayer "
    "victim".split()
)
_CURRENCY_SIGNS = ("$", "€", "£")
_DETERMINERS = frozenset("the all our their its these those every".split())
_ORDINAL_FRACTIONS = frozenset("third fourth fifth sixth seventh eighth tenth".split())
# Before "half", these words make it the half of a game or a year.
_WORDS_BEFORE_HALF_OF_GAME = frozenset("first second other last latter better final".split())
_WORDS_THAT_BEGIN_FIGURES = frozenset(
    ["a", "an", "no", "number", "half", "quarter"]
    + [*_FACTOR_OF_MULTIPLE, *_RANK_OF_ORDINAL, *WORDS_BELOW_TWENTY, *WORDS_FOR_TENS]
)
_PERCENT_PHRASES = (
    ("of", "a", "percent"),
    ("of", "one", "percent"),
    ("of", "1", "percent"),
    ("a", "percent"),
    ("percent",),
    ("of", "1", "%"),
)
_SHARE_PHRASES = (
    ("out", "of", "every"),
    ("out", "of"),
    ("in", "every"),
    ("of", "every"),
    ("in",),
    ("for", "every"),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure from ``low`` to ``high``, which differ only in a range.

    Percent and money are in their own unit, a time is in days. ``units`` are the stems of the
    words that it counts or is a share of; ``hedge`` is about, over, under or empty. ``is_rough`` is a
    share expressed as a simple fraction: half, one in five. ``context`` are the stems of the
    content words nearest to it, which show what it is a figure of.
    """

    low: float
    high: float
    kind: str
    units: frozenset[str]
    hedge: str
    is_rough: bool
    start: int
    end: int
    text: str
    context: frozenset[str] = frozenset()


def figures(text: str, date_spans: Iterable[tuple[int, int]] = ()) -> tuple[Figure, ...]:
    """Return the figures of a text in their order, except those within dates."""
    excluded_spans = list(date_spans)
    # The figure of "Covid-19" or "F-35" counts nothing.
    if _DIGIT_PATTERN.search(text):
        excluded_spans += [match.span() for match in _NAME_WITH_DIGITS_PATTERN.finditer(text)]
    free_tokens = []
    for token in tokens(text):
        is_excluded = any(start < token.end and token.start < end for start, end in excluded_spans)
        if not is_excluded:
            free_tokens.append(token)
    # "5 to 10 percent" becomes one figure with two ends.
    unjoined_figures = _FigureReader(text, free_tokens).read_all()
    bare_figures = list(_join_ranges(unjoined_figures, text))
    figure_spans = [(figure.start, figure.end) for figure in bare_figures]
    contexts_of_figures = contexts(free_tokens, figure_spans)
    figures_in_context = []
    for figure, context in zip(bare_figures, contexts_of_figures, strict=True):
        figures_in_context.append(replace(figure, context=context))
    return tuple(figures_in_context)


def _may_begin_figure(word: str) -> bool:
    """Return whether some figure begins with a word; most words of a text begin none."""
    return word in _WORDS_THAT_BEGIN_FIGURES or word[0].isdecimal() or word[0] == "."


class _FigureReader:
    """Reads the figures of a text from left to right.

    Positions are those of tokens. A method that reads something returns it with the position after
    it.
    """

    def __init__(self, text: str, free_tokens: list[Token]) -> None:
        self.text = text
        self.tokens = free_tokens
        self.words = tuple(token.word for token in free_tokens)

    def word_at(self, position: int) -> str:
        """Return the word at a position, empty outside the text."""
        return self.words[position] if 0 <= position < len(self.words) else ""

    def words_follow(self, position: int, *words: str) -> bool:
        """Return whether these words begin at a position."""
        return self.words[position : position + len(words)] == words

    def joins_previous(self, position: int) -> bool:
        """Return whether no space precedes the word at a position."""
        return position < len(self.tokens) and self.tokens[position].joins_previous

    def has_slash_after(self, position: int) -> bool:
        """Return whether nothing but a slash separates a word from the following one."""
        return self.text[self.tokens[position].end : self.tokens[position + 1].start] == "/"

    def read_all(self) -> list[Figure]:
        """Read all figures of the text."""
        figures_read = []
        position = 0
        while position < len(self.words):
            if not _may_begin_figure(self.words[position]):
                position += 1
                continue
            figure, end = self.read_figure(position)
            if figure:
                figures_read.append(figure)
            position = max(end, position + 1)
        return figures_read

    def read_figure(self, position: int) -> tuple[Figure | None, int]:
        """Read the figure that begins at a position, None if there is none."""
        word = self.words[position]
        next_word = self.word_at(position + 1)
        if word in ("a", "one") and next_word in ("decade", "century"):
            return self.build_figure(_TIME_UNIT_DAYS[next_word], TIME, position, position + 2)
        next_words = self.words[position + 1 : position + 4]
        is_digit_count = "digit" in next_words or "digits" in next_words
        if word in _FACTOR_OF_MULTIPLE and not is_digit_count:  # "double digits" is no multiple
            return self.build_figure(_FACTOR_OF_MULTIPLE[word], MULTIPLE, position, position + 1)
        rank_and_end = self.read_rank(position)
        if rank_and_end:
            rank, end = rank_and_end
            return self.build_figure(rank, RANK, position, end)
        scaled_fraction_and_end = self.read_fraction_of_scale(position)
        if scaled_fraction_and_end:
            scaled_fraction, end = scaled_fraction_and_end
            return self.read_by_kind(scaled_fraction, position, end)
        fraction_and_end = self.read_fraction(position)
        if fraction_and_end:
            fraction, end = fraction_and_end
            return self.build_figure(fraction * 100, PERCENT, position, end, is_rough=True)
        number_and_end = read_number(self.words, position)
        if word == "half" or number_and_end is None:
            return self.read_half(position)
        number, end = number_and_end
        # "3 in 10", "3 out of 10": a share of a whole.
        whole_and_its_end = self.read_whole(number, end)
        if whole_and_its_end:
            whole, whole_end = whole_and_its_end
            return self.build_figure(
                100 * number / whole, PERCENT, position, whole_end, is_rough=True
            )
        if self.counts_nothing(position, end):
            return None, end
        return self.read_by_kind(number, position, end)

    def read_by_kind(self, value: float, position: int, end: int) -> tuple[Figure, int]:  # noqa: C901
        """Read the sign or word after a number that shows its kind."""
        # "500+", "500plus": the sign belongs to the number.
        if self.word_at(end) == "+" or (self.word_at(end) == "plus" and self.joins_previous(end)):
            end += 1
        # "2 1/2": two more tokens.
        mixed_fraction = self.mixed_fraction(end)
        if mixed_fraction is not None:
            value = value + mixed_fraction
            end += 2
        unit = self.word_at(end)
        if unit in ("percent", "%", "pct", "percentage"):
            return self.build_figure(value, PERCENT, position, end + 1)
        if self.words_follow(end, "per", "cent"):
            return self.build_figure(value, PERCENT, position, end + 2)
        # "20 cents of every dollar" is a share, any other cents are money.
        if unit in ("cents", "cent"):
            end_of_dollar = self.end_of_every_dollar(end + 1)
            if end_of_dollar:
                return self.build_figure(value, PERCENT, position, end_of_dollar)
            return self.build_figure(value / 100, MONEY, position, end + 1)
        if self.word_at(position - 1) in _CURRENCY_SIGNS:
            if unit in ("dollars", "dollar"):
                end += 1
            return self.build_figure(value, MONEY, position - 1, end)
        if unit in ("dollars", "dollar", "bucks", "euros"):
            return self.build_figure(value, MONEY, position, end + 1)
        if unit == "grand":
            return self.build_figure(value * 1e3, MONEY, position, end + 1)
        if unit in ("times", "fold", "x"):
            return self.build_figure(value, MULTIPLE, position, end + 1)
        days = _TIME_UNIT_DAYS.get(_singular(unit))
        if days:
            return self.build_figure(value * days, TIME, position, end + 1)
        return self.build_figure(value, COUNT, position, end)

    def build_figure(
        self, value: float, kind: str, position: int, end: int, *, is_rough: bool = False
    ) -> tuple[Figure, int]:
        """Return the figure between two positions, and the second of them."""
        text_start = self.tokens[position].start
        text_end = self.tokens[end - 1].end
        # Units are the words that a figure counts, as "half the voters" or "30 percent of voters".
        # A bare percentage has none.
        units = frozenset[str]()
        is_share = kind == PERCENT and (is_rough or self.word_at(end) == "of")
        if kind in (COUNT, MONEY) or is_share:
            units = self.read_units(end)
        figure = Figure(
            low=value,
            high=value,
            kind=kind,
            units=units,
            hedge=self.read_hedge(position, end),  # such as "about"
            is_rough=is_rough,
            start=text_start,
            end=text_end,
            text=self.text[text_start:text_end],
        )
        return figure, end

    def read_units(self, position: int) -> frozenset[str]:
        """Return the stems of up to three words that follow a figure, to the next small word.

        A leading "of" is passed over.
        """
        # "of the voters"
        if self.word_at(position) == "of":
            position += 1
        if self.word_at(position) in _DETERMINERS:
            position += 1
        stems: set[str] = set()
        for unit_position in range(position, position + MAX_UNIT_WORDS):
            word = self.word_at(unit_position)
            if not word or word in NON_UNIT_WORDS or word[0].isdecimal():
                break
            stems.add(_singular(word))
        return frozenset(stems)

    def read_hedge(self, position: int, end: int) -> str:
        """Return the hedge in the words before and after a figure."""
        # The three words before the figure, without its sign and article: "more than (a) ($)".
        words_before = [self.word_at(position - distance) for distance in (3, 2, 1)]
        if words_before[-1] in _CURRENCY_SIGNS:
            words_before.pop()
        if words_before[-1] in ("a", "an", "the", "just"):
            words_before.pop()
        # The longest phrase counts: "no more than" before "more than".
        for word_count in (3, 2, 1):
            phrase = " ".join(words_before[-word_count:])
            if phrase in _HEDGE_OF_PHRASE:
                return _HEDGE_OF_PHRASE[phrase]
        # A hedge may also end the figure or follow it: "500+", "500 or more".
        has_plus = self.word_at(end - 1) in ("+", "plus")
        is_minimum = self.words_follow(end, "or", "more") or self.words_follow(end, "and", "up")
        if has_plus or is_minimum:
            return OVER
        is_rough = self.words_follow(end, "or", "so") or self.word_at(end) == "some"
        return ABOUT if is_rough else ""

    def read_rank(self, position: int) -> tuple[float, int] | None:
        """Read "47th", "No. 1", "number one"; "second" only if something is ranked."""
        # The result is the rank, and the position of the word after it.
        word = self.word_at(position)
        next_word = self.word_at(position + 1)
        # "47th" is two words here, the second one joined to the first.
        is_ordinal = next_word in ("st", "nd", "rd", "th") and self.joins_previous(position + 1)
        if word[0].isdecimal() and is_ordinal:
            return float(word.replace(",", "")), position + 2
        if word in ("no", "number"):
            number_position = position + 2 if next_word == "." else position + 1
            number_word = self.word_at(number_position)
            # "no" is usually a denial: it stands for "number" only before digits.
            is_denial = word == "no" and not number_word.isdecimal()
            if number_word in ("a", "an") or is_denial:
                return None
            return read_number(self.words, number_position)
        if word in _RANK_OF_ORDINAL and self.word_at(position - 1) in _WORDS_BEFORE_RANK:
            return float(_RANK_OF_ORDINAL[word]), position + 1
        return None

    def read_fraction(self, position: int) -> tuple[float, int] | None:
        """Read a simple fraction: "two thirds", "a third of", "3/4".

        A fraction of a percent is that part of a percent.
        """
        # The result is the fraction, and the position of the word after it.
        word = self.word_at(position)
        denominator_word = self.word_at(position + 1)
        if word.isdecimal() and denominator_word.isdecimal() and self.has_slash_after(position):
            return self.read_fraction_in_digits(position)
        numerator = 1 if word in ("a", "an", "one") else WORDS_BELOW_TWENTY.get(word, 0)
        if not numerator or denominator_word not in FRACTION_OF_WORD:
            return None
        fraction = numerator * FRACTION_OF_WORD[denominator_word]
        end = position + 2
        # "a quarter million" is a number.
        is_scaled = self.word_at(end) in SCALE_OF_WORD
        if fraction >= 1 or is_scaled or self.is_rank(position):
            return None
        return self.read_of_percent(fraction, end) or (fraction, end)

    def read_fraction_of_scale(self, position: int) -> tuple[float, int] | None:
        """Read "a quarter of a million", "three quarters of a billion": a number, and its end."""
        word = self.word_at(position)
        numerator = 1 if word in ("a", "an", "one") else WORDS_BELOW_TWENTY.get(word, 0)
        fraction = FRACTION_OF_WORD.get(self.word_at(position + 1), 0.0)
        scale_word = self.word_at(position + 4)
        is_of_one = self.words_follow(position + 2, "of", "a")
        is_scale = scale_word in SCALE_OF_WORD and scale_word not in SCALE_ABBREVIATIONS
        if not numerator or not fraction or not is_of_one or not is_scale:
            return None
        return numerator * fraction * SCALE_OF_WORD[scale_word], position + 5

    def read_fraction_in_digits(self, position: int) -> tuple[float, int] | None:
        """Read "3/4", but not "24/7"."""
        numerator = float(self.words[position])
        denominator = float(self.words[position + 1])
        if 0 < numerator < denominator <= LARGEST_DENOMINATOR:
            return numerator / denominator, position + 2
        return None

    def is_rank(self, position: int) -> bool:
        """Return whether "a third" is a rank, as in "a third job", and not a fraction."""
        means_one = self.word_at(position) in ("a", "an", "one")
        ordinal = self.word_at(position + 1)
        word_after = self.word_at(position + 2)
        has_noun_after = word_after != "" and word_after not in NON_UNIT_WORDS
        if not means_one or ordinal not in _ORDINAL_FRACTIONS or not has_noun_after:
            return False
        # "cut by a third last year"
        is_cut_by_third = ordinal == "third" and self.word_at(position - 1) == "by"
        return not is_cut_by_third

    def read_of_percent(self, size: float, position: int) -> tuple[float, int] | None:
        """Read the words after "a tenth" in "a tenth of a percent", and return the share."""
        for phrase in _PERCENT_PHRASES:
            if self.words_follow(position, *phrase):
                return size / 100, position + len(phrase)
        return None

    def read_half(self, position: int) -> tuple[Figure | None, int]:
        """Read "half", "half a million", "half-a-dozen", "half a percent", "a quarter-million"."""
        word = self.words[position]
        following = self.word_at(position + 1)
        if word in ("a", "an", "one", "three") and following in ("half", "quarter"):
            count = 3.0 if word == "three" else 1.0
            size = count * FRACTION_OF_WORD[following]
            end = position + 2
        elif word in ("half", "quarter"):
            size = FRACTION_OF_WORD[word]
            end = position + 1
        else:
            return None, position + 1
        # "half a million", "half of a million": the million is a scale.
        scale_position = end
        if self.words_follow(end, "of", "a"):
            scale_position = end + 2
        elif self.word_at(end) in ("a", "of"):
            scale_position = end + 1
        scale = self.word_at(scale_position)
        is_abbreviated = scale in ("k", "m", "b", "t")
        if scale in SCALE_OF_WORD and not is_abbreviated:
            return self.read_by_kind(size * SCALE_OF_WORD[scale], position, scale_position + 1)
        if word == "quarter" or self.word_at(position - 1) in _WORDS_BEFORE_HALF_OF_GAME:
            return None, end
        share_and_end = self.read_of_percent(size, end)
        if share_and_end:
            share, share_end = share_and_end
            return self.build_figure(100 * share, PERCENT, position, share_end)
        if self.word_at(end) in _WORDS_AFTER_HALF_IN_NAMES:
            return None, end
        if self.words_follow(end, "an", "hour") or self.words_follow(end, "a", "century"):
            return None, end
        return self.build_figure(100 * size, PERCENT, position, end, is_rough=True)

    def mixed_fraction(self, position: int) -> float | None:
        """Return the 1/2 of "3 1/2", None if there is none."""
        numerator = self.word_at(position)
        denominator = self.word_at(position + 1)
        if not numerator.isdecimal() or not denominator.isdecimal():
            return None
        # "3 1/2" has a space before the fraction, "31/2" has none.
        if self.joins_previous(position) or not self.has_slash_after(position):
            return None
        if not 0 < float(numerator) < float(denominator):
            return None
        return float(numerator) / float(denominator)

    def read_whole(self, value: float, position: int) -> tuple[float, int] | None:
        """Read the 5 of "one in five", "1 out of every 5", "two of every five"."""
        for phrase in _SHARE_PHRASES:
            if self.words_follow(position, *phrase):
                return self._read_whole_after(value, position + len(phrase), phrase)
        return None

    def _read_whole_after(
        self, value: float, position: int, phrase: tuple[str, ...]
    ) -> tuple[float, int] | None:
        plain_number = read_number(self.words, position)
        if not plain_number or self.word_at(position) in ("a", "an"):
            return None
        whole, end = plain_number
        if not value < whole <= LARGEST_WHOLE:
            return None
        both_whole = whole == int(whole) and value == int(value)
        if not both_whole:
            return None
        # "3 in 5 years" counts years, and no share is meant.
        unit = self.word_at(end)
        if _singular(unit) in _TIME_UNIT_DAYS or unit in ("percent", "%"):
            return None
        # "60 in 2016" and the like are no shares, "60 in 100" is one.
        may_be_year = phrase == ("in",) and value > LARGEST_PART_OF_WHOLE
        if may_be_year and whole != 100:
            return None
        return whole, end

    def end_of_every_dollar(self, position: int) -> int:
        """Return the position after "of every dollar", "on the dollar", "out of each dollar".

        0 if that does not follow.
        """
        if self.word_at(position) not in ("of", "on", "out", "for"):
            return 0
        # "of every dollar" and "on the dollar" have three words, "out of each dollar" has four.
        for word_count in (3, 4, 2):
            end = position + word_count
            if self.word_at(end - 1) == "dollar":
                return end
        return 0

    def counts_nothing(self, position: int, end: int) -> bool:
        """Return whether "one" and "a" count nothing, or a zero is a word ("ground zero")."""
        word = self.words[position]
        if word in ("one", "a", "an") and end == position + 1:
            return self.word_at(end) not in _WORDS_AFTER_COUNTING_ONE
        return word == "zero" and self.word_at(position - 1) == "ground"


def _join_ranges(separate_figures: list[Figure], text: str) -> Iterator[Figure]:
    """Join two figures with "to", "or" or a hyphen between them into one range.

    The first takes the scale and kind of the second.
    """
    # "5 to 10 percent of 300 jobs": 5 and 10 become one figure, and 300 stays.
    index = 0
    while index < len(separate_figures):
        figure = separate_figures[index]
        joined_figure = None
        if index + 1 < len(separate_figures):
            joined_figure = _join_to_range(figure, separate_figures[index + 1], text)
        if joined_figure:
            yield joined_figure
            index += 2
        else:
            yield figure
            index += 1


def _join_to_range(lower: Figure, upper: Figure, text: str) -> Figure | None:
    """Return the range between two figures, None if they are none."""
    # "15 to 20", "between 15 and 20"
    text_between = text[lower.end : upper.start].casefold().strip(" $€£()[]")
    text_before = text[max(0, lower.start - RANGE_CHARACTERS) : lower.start].casefold()
    is_joined = text_between in ("to", "-", "or", "through")
    if text_between == "and" and "between" in text_before:
        is_joined = True
    # "from 30 to 40 percent" is a change, and not a range.
    is_change = re.search(
        r"(?<!where )(?<!range )from (?:about |around |nearly |\$)*$", text_before
    )
    if not is_joined or is_change:
        return None
    if lower.kind == RANK or upper.kind in (RANK, MULTIPLE):
        return None
    # In "15 to 20 million", the first figure has the scale of the second.
    lower_value = lower.low
    lacks_scale_word = _scale(lower.text) == 1
    may_take_scale = lower.kind in (COUNT, MONEY) and not lower.units and lacks_scale_word
    if may_take_scale and (upper.kind != COUNT or upper.low > lower_value):
        lower_value *= _scale(upper.text)
    # In "15 to 20 percent", it has the kind and the units of the second, too.
    kinds_fit = lower.kind in (COUNT, upper.kind)
    units_fit = lower.units <= upper.units
    if not kinds_fit or not units_fit or lower_value >= upper.high:
        return None
    return replace(
        upper,
        low=lower_value,
        hedge=lower.hedge,
        start=lower.start,
        text=text[lower.start : upper.end],
    )


def _scale(text: str) -> float:
    """Return the factor in the words after a number: 1e6 for "15 million"."""
    scale = 1.0
    for token in tokens(text):
        scale *= SCALE_OF_WORD.get(token.word, 1.0)
        scale *= _TIME_UNIT_DAYS.get(_singular(token.word), 1.0)
    return scale


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3:
        return word[:-1]
    return word


def comparable(figure: Figure, other_figure: Figure) -> bool:
    """Return whether two figures may be of the same quantity: of one kind and the same things.

    Money may be said without its sign. A bare count is of the same quantity only if it is of a
    similar size.
    """
    # The kinds are counts, money, percentages, ranks and the like. "Five jobs" and "five percent"
    # are not comparable.
    if figure.kind != other_figure.kind:
        if {figure.kind, other_figure.kind} != {MONEY, COUNT}:
            return False
        # A count without units, as "5 million", may be money said without its sign.
        bare_count = figure if figure.kind == COUNT else other_figure
        return not bare_count.units and _have_similar_size(figure, other_figure)
    if figure.kind != COUNT:
        return True
    # Two counts: their units are the words for what they count, as "5 million jobs".
    if figure.units & other_figure.units:
        return True
    if not figure.units or not other_figure.units:
        return _have_similar_size(figure, other_figure)
    return _counts_people(figure) and _counts_people(other_figure)


def _have_similar_size(figure: Figure, other: Figure) -> bool:
    smaller = max(min(figure.low, other.low), 1e-9)
    return max(figure.high, other.high) <= MAX_SIZE_RATIO * smaller


def _counts_people(figure: Figure) -> bool:
    for word in figure.units:
        is_nationality = word.endswith("an") and len(word) > 5
        if word in _WORDS_FOR_PEOPLE or is_nationality:
            return True
    return False
