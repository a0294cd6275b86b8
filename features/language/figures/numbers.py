"""The figures of a text as numbers: value or range, kind, unit and hedge.

Kinds are percent (a share of a whole as well: "one in five", "half"), money, rank ("47th", "No.
1"), times ("twice", "doubled"), time ("16 years") and count. Names that hold a digit (COVID-19,
Title 42, 401(k)) and dates are no figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from features.language.figures.context import contexts
from features.language.figures.spelling import PARTS, SCALES, TENS, UNITS, Token, number, tokens
from features.language.function_words import NO_UNIT

PERCENT = "percent"
MONEY = "money"
RANK = "rank"
TIMES = "times"
TIME = "time"
COUNT = "count"
ABOUT = "about"
OVER = "over"
UNDER = "under"

_NAMED = re.compile(
    r"(?i:\b(?!mid|pre|post|early|late|under|over|sub|the|top|age|ages)[a-z]+-\d+\b(?!-)|\b9/11\b|\b24/7\b|"
    r"\b401 ?\(?k\)?|\b501 ?\(?c\)?(?: ?\(\d\))?|\b[a-z]+\d+\w*\b|\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b\.?|"
    r"\b\d{1,2}:\d\d\b|\b[2-6]g\b|\b\d+ ?mm\b|"
    r"\b911 calls?\b|\bcall 911\b|\bw-?2s?\b|\b1099s?\b|"
    r"\b(?:covid|sars-cov|hr|h\.r\.|hb|sb|ab|sr|hcr|h\.b\.|s\.b\.|bill|section|title|amendment|proposition|prop|"
    r"issue|route|page|phase|chapter|channel|district|article|act|measure|question|interstate|highway|"
    r"class of|precinct|apollo|super bowl|fortune|daytona|indy|s&p|"
    r"order|resolution|directive|boeing|category|stage|form|area|room|unit|flight)"
    r"\.? #?\d+(?:[.,]\d+)*\b)"
)  # fmt: skip
_HEDGES = (
    (OVER, ("more than", "over", "at least", "above", "exceeding", "upwards of", "north of", "well over",
            "greater than", "in excess of", "exceeds", "topped", "beyond", "some more than", "past")),
    (UNDER, ("nearly", "almost", "less than", "fewer than", "under", "below", "close to", "up to", "as much as",
             "as many as", "at most", "just shy of", "approaching", "no more than", "not even", "lower than",
             "barely")),
    (ABOUT, ("about", "around", "roughly", "approximately", "some", "like", "maybe", "something like", "an estimated",
             "estimated", "in the neighborhood of", "probably", "around about", "perhaps", "somewhere around", "what")),
)  # fmt: skip
_HEDGED = {phrase: hedge for hedge, phrases in _HEDGES for phrase in phrases}
_LONG_TIME = {"year": 365.25, "yr": 365.25, "month": 30.44, "week": 7.0, "day": 1.0, "hour": 1 / 24, "minute": 1 / 1440,
              "decade": 3652.5, "century": 36525.0, "second": 1 / 86400, "generation": 9131.0}  # fmt: skip
_BARE_ONE_FOLLOWED = frozenset(
    "percent pct % million billion trillion hundred thousand year month week".split()
)
_HALF_OF_A_NAME = frozenset(
    "true truth truths brother sister baked hearted time way hour century decade dozen".split()
)
_TIMES = {"twice": 2.0, "double": 2.0, "doubled": 2.0, "doubling": 2.0, "doubles": 2.0, "triple": 3.0,
          "tripled": 3.0, "tripling": 3.0, "triples": 3.0, "quadrupled": 4.0, "quadruple": 4.0, "halved": 0.5,
          "thrice": 3.0}  # fmt: skip
_RANKS = {
    word: i
    for i, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), 1
    )
}
_RANKING = frozenset(
    "rank ranks ranked ranking place places placed came dead we're is was number".split()
)
_PEOPLE = frozenset(
    "people person american men man women woman worker voter citizen adult resident family household folk employee "
    "individual student children child kid patient immigrant job taxpayer victim".split()
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: from ``low`` to ``high`` (the same but in a range), percent and money in their own unit.

    ``units`` are the stems of the words that it counts, or is a share of; ``hedge`` is about, over, under or nothing;
    ``text`` its words. A time is in days. ``rough`` is a share expressed as a simple fraction: half, one in five.
    ``around`` are the stems of the words nearest to it, which show what it is a figure of.
    """

    low: float
    high: float
    kind: str
    units: frozenset[str]
    hedge: str
    rough: bool
    start: int
    end: int
    text: str
    around: frozenset[str] = frozenset()


def figures(text: str, apart: Iterable[tuple[int, int]] = ()) -> tuple[Figure, ...]:
    """Return the figures of a text in their order, except within the spans ``apart`` (dates)."""
    hidden = [*apart, *(match.span() for match in _NAMED.finditer(text))]
    words = [
        t
        for t in tokens(text)
        if not any(first < t.end and t.start < last for first, last in hidden)
    ]
    read = tuple(_ranges(_Reader(text, words).read(), text))
    around = contexts(words, [(figure.start, figure.end) for figure in read])
    return tuple(replace(figure, around=about) for figure, about in zip(read, around, strict=True))


class _Reader:
    """Reads figures from left to right."""

    def __init__(self, text: str, words: list[Token]) -> None:
        self.text = text
        self.tokens = words
        self.words = tuple(token.word for token in words)

    def at(self, place: int) -> str:
        return self.words[place] if 0 <= place < len(self.words) else ""

    def read(self) -> list[Figure]:
        figures_read = []
        place = 0
        while place < len(self.words):
            figure, after = self.figure(place)
            figures_read += [figure] if figure else []
            place = max(after, place + 1)
        return figures_read

    def figure(self, place: int) -> tuple[Figure | None, int]:
        word = self.words[place]
        if word in ("a", "one") and self.at(place + 1) in ("decade", "century"):
            return self.made(_LONG_TIME[self.at(place + 1)], TIME, place, place + 2), place + 2
        if word in _TIMES and not {"digit", "digits"} & set(self.words[place + 1 : place + 4]):
            return self.made(_TIMES[word], TIMES, place, place + 1), place + 1
        if rank := self.rank(place):
            return self.made(rank[0], RANK, place, rank[1]), rank[1]
        if part := self.part(place):
            return self.made(part[0] * 100, PERCENT, place, part[1], rough=True), part[1]
        value_read = number(self.words, place)
        if word == "half" or value_read is None:
            return self.half(place)
        value, after = value_read
        if whole := self.whole(value, after):
            return self.made(100 * value / whole[0], PERCENT, place, whole[1], rough=True), whole[1]
        if self.is_pronoun(place, after):
            return None, after
        return self.valued(value, place, after)

    def valued(self, value: float, place: int, after: int) -> tuple[Figure, int]:
        """A number with the sign or the word of its kind."""
        if self.at(after) == "+" or (self.at(after) == "plus" and self.tied(after)):
            after += 1
        if self.words[after : after + 2] == ("1", "/") or self.mixed(after):
            value = value + self.mixed(after)
            after = after + 2
        if self.at(after) in ("percent", "%", "pct", "percentage"):
            after += 1
            return self.made(value, PERCENT, place, after), after
        if self.words[after : after + 2] == ("per", "cent"):
            return self.made(value, PERCENT, place, after + 2), after + 2
        if self.at(after) in ("cents", "cent"):
            ends = self.of_every_dollar(after + 1)
            return self.made(
                value if ends else value / 100, PERCENT if ends else MONEY, place, ends or after + 1
            ), (ends or after + 1)
        if self.at(place - 1) in ("$", "€", "£"):
            after += self.at(after) in ("dollars", "dollar")
            return self.made(value, MONEY, place - 1, after), after
        if self.at(after) in ("dollars", "dollar", "bucks", "euros", "grand"):
            scale = 1e3 if self.at(after) == "grand" else 1.0
            return self.made(value * scale, MONEY, place, after + 1), after + 1
        if self.at(after) in ("times", "fold", "x"):
            return self.made(value, TIMES, place, after + 1), after + 1
        if days := _LONG_TIME.get(_singular(self.at(after))):
            return self.made(value * days, TIME, place, after + 1), after + 1
        return self.made(value, COUNT, place, after), after

    def made(
        self, value: float, kind: str, place: int, after: int, *, rough: bool = False
    ) -> Figure:
        start = self.tokens[place].start
        end = self.tokens[after - 1].end
        counted = kind in (COUNT, MONEY) or (kind == PERCENT and (rough or self.at(after) == "of"))
        units = self.units(after) if counted else frozenset()
        return Figure(
            value,
            value,
            kind,
            units,
            self.hedge(place, after),
            rough,
            start,
            end,
            self.text[start:end],
        )

    def units(self, after: int) -> frozenset[str]:
        """The stems of up to three words that follow, to the next small word.

        A leading "of" is passed over.
        """
        after += self.at(after) == "of"
        after += self.at(after) in ("the", "all", "our", "their", "its", "these", "those", "every")
        stems: list[str] = []
        while (
            len(stems) < 3
            and (word := self.at(after))
            and word not in NO_UNIT
            and not word[0].isdecimal()
        ):
            stems.append(_singular(word))
            after += 1
        return frozenset(stems)

    def hedge(self, place: int, after: int) -> str:
        before = [self.at(place - back) for back in (3, 2, 1)]
        before = before[:-1] if before[-1] in ("$", "€", "£") else before
        if before and before[-1] in ("a", "an", "the", "just"):
            before = before[:-1]
        for size in (3, 2, 1):
            phrase = " ".join(before[-size:])
            if phrase in _HEDGED:
                return _HEDGED[phrase]
        if self.at(after - 1) in ("+", "plus") or self.words[after : after + 2] in (
            ("or", "more"),
            ("and", "up"),
        ):
            return OVER
        return (
            ABOUT
            if self.words[after : after + 2] == ("or", "so") or self.at(after) == "some"
            else ""
        )

    def between(self, place: int) -> str:
        return self.text[self.tokens[place].end : self.tokens[place + 1].start]

    def tied(self, place: int) -> bool:
        return place < len(self.tokens) and self.tokens[place].tied

    def rank(self, place: int) -> tuple[float, int] | None:
        """ "47th", "No. 1", "number one"; "second" only where something is ranked."""
        word = self.at(place)
        following = self.at(place + 1)
        if word[0].isdecimal() and following in ("st", "nd", "rd", "th") and self.tied(place + 1):
            return float(word.replace(",", "")), place + 2
        if word in ("no", "number", "#"):
            after = place + 1 + (following == ".")
            value_read = (
                number(self.words, after) if word != "no" or self.at(after).isdecimal() else None
            )
            return value_read if value_read and self.at(after) not in ("a", "an") else None
        if word in _RANKS and self.at(place - 1) in _RANKING:
            return float(_RANKS[word]), place + 1
        return None

    def part(self, place: int) -> tuple[float, int] | None:
        """A plain part of a whole: "two thirds", "a third of", "3/4".

        Of a percent, it is that percent's part.
        """
        word = self.at(place)
        following = self.at(place + 1)
        if (
            word.isdecimal()
            and following.isdecimal()
            and self.text[self.tokens[place].end : self.tokens[place + 1].start] == "/"
        ):
            small = 0 < float(word) < float(following) <= 20
            return (float(word) / float(following), place + 2) if small else None
        count = 1.0 if word in ("a", "an", "one") else float(UNITS.get(word, 0))
        if not count or following not in PARTS or (count == 1 and following == "second"):
            return None
        after = place + 2
        size = count * PARTS[following]
        if size >= 1 or self.at(after) in SCALES or (self.tied(after) and self.at(after) in SCALES):
            return None
        if following in (
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "tenth",
        ) and word in (
            "a",
            "an",
            "one",
        ):
            fits = (
                not self.at(after)
                or self.at(after) in NO_UNIT
                or following == "third"
                and self.at(after - 3) == "by"
            )
            if not fits:
                return None
        return self.of_percent(size, after) or (size, after)

    def of_percent(self, size: float, after: int) -> tuple[float, int] | None:
        """The part of "a tenth of a percent", as a share."""
        for words in (("of", "a", "percent"), ("of", "one", "percent"), ("of", "1", "percent"), ("a", "percent"),
                      ("percent",), ("of", "1", "%")):  # fmt: skip
            if self.words[after : after + len(words)] == words:
                return size / 100, after + len(words)
        return None

    def half(self, place: int) -> tuple[Figure | None, int]:
        """ "Half", "half a million", "half-a-dozen", "half a percent", "a quarter-million"."""
        word = self.words[place]
        after = place + 1
        if word in ("a", "an", "one", "three") and self.at(after) in ("half", "quarter"):
            size = (3.0 if word == "three" else 1.0) * PARTS[self.at(after)]
            after = after + 1
        elif word in ("half", "quarter"):
            size = PARTS[word]
        else:
            return None, after
        scaled = (
            after + (self.at(after) in ("a", "of")) + (self.words[after : after + 2] == ("of", "a"))
        )
        if self.at(scaled) in SCALES and self.at(scaled) not in ("k", "m", "b", "t"):
            return self.valued(size * SCALES[self.at(scaled)], place, scaled + 1)
        if word == "quarter" or self.at(place - 1) in (
            "first",
            "second",
            "other",
            "last",
            "latter",
            "better",
            "final",
        ):
            return None, after
        if part := self.of_percent(size, after):
            return self.made(100 * part[0], PERCENT, place, part[1]), part[1]
        if self.at(after) in _HALF_OF_A_NAME or self.words[after : after + 2] in (
            ("an", "hour"),
            ("a", "century"),
        ):
            return None, after
        return self.made(100 * size, PERCENT, place, after, rough=True), after

    def mixed(self, place: int) -> float:
        """The 1/2 of "3 1/2"."""
        one = self.at(place)
        other = self.at(place + 1)
        if not (one.isdecimal() and other.isdecimal()) or self.tied(place):
            return 0.0
        return (
            float(one) / float(other)
            if self.between(place) == "/" and 0 < float(one) < float(other)
            else 0.0
        )

    def whole(self, value: float, place: int) -> tuple[float, int] | None:
        """The 5 of "one in five", "1 out of every 5", "two of every five", and the place after it."""
        for words in (
            ("out", "of", "every"),
            ("out", "of"),
            ("in", "every"),
            ("of", "every"),
            ("in",),
            ("for", "every"),
        ):
            if self.words[place : place + len(words)] != words:
                continue
            value_read = number(self.words, place + len(words))
            if not value_read or self.at(place + len(words)) in ("a", "an"):
                return None
            fits = (
                value < value_read[0] <= 1000
                and value_read[0] == int(value_read[0])
                and value == int(value)
            )
            following = self.at(value_read[1])
            timed = _singular(following) in _LONG_TIME or following in ("percent", "%")
            return (
                value_read
                if fits
                and not timed
                and not (words == ("in",) and value > 20 and value_read[0] != 100)
                else None
            )
        return None

    def of_every_dollar(self, place: int) -> int:
        """The place after "of every dollar", "on the dollar", "out of each dollar".

        0 if that does not follow.
        """
        for size in (3, 4, 2):
            words = self.words[place : place + size]
            if (
                words
                and words[-1] == "dollar"
                and words[0] in ("of", "on", "out", "for")
                and len(words) == size
            ):
                return place + size
        return 0

    def is_pronoun(self, place: int, after: int) -> bool:
        """Whether "one" and "a" count nothing.

        A zero, too, that is no figure but a word ("ground zero").
        """
        if self.words[place] not in ("one", "a", "an") or after > place + 1:
            return self.at(place) == "zero" and self.at(place - 1) == "ground"
        return self.at(after) not in _BARE_ONE_FOLLOWED or self.at(after) in (
            "year",
            "month",
            "week",
        )


def _ranges(read: list[Figure], text: str) -> Iterable[Figure]:
    """Two figures that "to", "or" or a hyphen makes one.

    The first takes the scale and kind of the second.
    """
    place = 0
    while place < len(read):
        figure = read[place]
        following = read[place + 1] if place + 1 < len(read) else None
        joined = following and _joined(figure, following, text)
        yield joined or figure
        place += 2 if joined else 1


def _joined(one: Figure, other: Figure, text: str) -> Figure | None:
    between = text[one.end : other.start].casefold().strip(" $€£()[]")
    before = text[max(0, one.start - 16) : one.start].casefold()
    joins = between in ("to", "-", "or", "through") or (between == "and" and "between" in before)
    change = re.search(r"(?<!where )(?<!range )from (?:about |around |nearly |\$)*$", before)
    if not joins or change or one.kind == RANK or other.kind in (RANK, TIMES):
        return None
    low = one.low
    if (
        one.kind in (COUNT, MONEY)
        and not one.units
        and _unit_of(one.text) == 1
        and (other.kind != COUNT or other.low > low)
    ):
        low *= _unit_of(other.text)
    if one.kind not in (COUNT, other.kind) or not low < other.high or one.units - other.units:
        return None
    return replace(
        other, low=low, hedge=one.hedge, start=one.start, text=text[one.start : other.end]
    )


def _unit_of(text: str) -> float:
    """What the words after a number multiply it by: 1e6 for "15 million"."""
    size = 1.0
    for token in tokens(text):
        size *= SCALES.get(token.word, 1.0) if token.word not in TENS else 1.0
        size *= _LONG_TIME.get(_singular(token.word), 1.0)
    return size


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def comparable(one: Figure, other: Figure) -> bool:
    """Return whether two figures may be of the same quantity.

    One kind, and no other things counted.

    Money may be said without its sign; a bare count is of the same quantity only if it is of a
    like size.
    """
    if one.kind != other.kind:
        count = one if one.kind == COUNT else other
        return (
            {one.kind, other.kind} == {MONEY, COUNT} and not count.units and _like_size(one, other)
        )
    if one.kind != COUNT or one.units & other.units:
        return True
    if not one.units or not other.units:
        return _like_size(one, other)
    return _of_people(one) and _of_people(other)


def _like_size(one: Figure, other: Figure) -> bool:
    return max(one.high, other.high) <= 100 * max(min(one.low, other.low), 1e-9)


def _of_people(figure: Figure) -> bool:
    return any(word in _PEOPLE or (word.endswith("an") and len(word) > 5) for word in figure.units)
