"""Do a sentence and a statement name the same numbers, names and dates? Texts in, small values out.

Numbers are read from digits and words, with scale ("3.5 million") and kind (percent, money, plain); fractions and "one
in five" are percents. Two numbers are the same if one is a rounding of the other: they differ by less than half the
step of the rounder one and by 10 percent at most. Years and months are dates, not numbers. Names are capitalised words
that do not merely begin a sentence; what is a name in one text is a name wherever the other has it, in any case.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from math import floor, log10

SAME, DIFFERENT, MISSING = "same", "different", "missing"

_UNITS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split(),
        range(20),
        strict=True,
    )
)
_TENS = {word: 10 * i for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "t": 1e12, "tn": 1e12}
_SIGNS = ("$", "€", "£")
_PARTS = {"third": 100 / 3, "thirds": 100 / 3, "quarter": 25.0, "quarters": 25.0, "fifth": 20.0}
_PERCENT = {"percent", "%", "pct", "percentage"}
_MONEY = {"dollars", "dollar", "bucks", "euros", "pounds"}
_MONTHS = {
    name: i
    for i, name in enumerate(
        "january february march april may june july august september october november december".split(), 1
    )
}
_TOKEN = re.compile(r"[$€£]|%|\d+(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+|[^\W\d_]+(?:['’][^\W\d_]+)*")
_CAPITAL = re.compile(r"(?P<end>^|[.!?:;—–]['\"”’)]*\s+|['\"“‘(]\s*)?(?<!\w)(?P<word>[A-Z][^\W\d_]*(?:['’][^\W\d_]+)*)")
# Capitalised in the middle of a sentence, yet no name.
_NO_NAMES = frozenset(
    "i i'm i'll i've i'd im a an the and but or so we he she it they you my our ok okay says said mr mrs ms dr sen rep "
    "gov president senator governor congressman congresswoman secretary madam sir".split()
)


@dataclass(frozen=True, slots=True)
class Number:
    """A value and its kind: percent, money or plain."""

    value: float
    kind: str


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a text names. ``names`` and ``words`` (all of its words) are in lower case."""

    numbers: tuple[Number, ...]
    names: frozenset[str]
    years: frozenset[int]
    months: frozenset[int]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many particulars two texts share, and how many stand against each other (left over on both sides)."""

    shared: int
    clashing: int

    @property
    def verdict(self) -> str:
        """Return same, different or missing."""
        return DIFFERENT if self.clashing else SAME if self.shared else MISSING


def agreement(sentence: str, statement: str) -> dict[str, str]:
    """Return same, different or missing for the numbers, names and dates of the two texts.

    Different: both have particulars that the other lacks. Missing: at least one side has none to compare.
    """
    ours, theirs = particulars(sentence), particulars(statement)
    found = {"numbers": numbers(ours, theirs), "names": names(ours, theirs), "dates": dates(ours, theirs)}
    return {name: overlap.verdict for name, overlap in found.items()}


def particulars(text: str) -> Particulars:
    """Return what a text names."""
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    lower = [token.casefold().replace("’", "'").removesuffix("'s") for token in tokens]
    found, years, months = _read_numbers(tokens, lower)
    letters = [character for character in text if character.isalpha()]
    cased = any(map(str.islower, letters)) and any(map(str.isupper, letters))
    named = _read_names(text) if cased else frozenset()
    return Particulars(tuple(found), named, years, months, frozenset(lower))


def numbers(ours: Particulars, theirs: Particulars) -> Overlap:
    """Return shared numbers, and those of one kind that are left over on both sides."""
    left, right = list(ours.numbers), list(theirs.numbers)
    shared = 0
    for number in ours.numbers:
        twin = next((other for other in right if same_number(number, other)), None)
        if twin is not None:
            shared += 1
            left.remove(number)
            right.remove(twin)
    kinds = {number.kind for number in left}
    clashing = sum(min(_of_kind(left, kind), _of_kind(right, kind)) for kind in kinds)
    return Overlap(shared, clashing)


def names(ours: Particulars, theirs: Particulars) -> Overlap:
    """Return shared names; they clash only where none is shared although both sides have some."""
    shared = (ours.names & theirs.names) | (ours.names & theirs.words) | (theirs.names & ours.words)
    return Overlap(len(shared), int(bool(ours.names and theirs.names) and not shared))


def dates(ours: Particulars, theirs: Particulars) -> Overlap:
    """Return shared years and months; years clash before months do."""
    shared = len(ours.years & theirs.years) + len(ours.months & theirs.months)
    years = bool(ours.years and theirs.years) and not ours.years & theirs.years
    months = bool(ours.months and theirs.months) and not ours.months & theirs.months
    return Overlap(shared, int(years) + int(months))


def same_number(one: Number, other: Number) -> bool:
    """Return whether one number is the other, or a rounding of it. Money may be said without its sign."""
    if one.kind != other.kind and "percent" in (one.kind, other.kind):
        return False
    a, b = one.value, other.value
    if a == b:
        return True
    apart, size = abs(a - b), max(abs(a), abs(b))
    return apart <= 0.02 * size or (apart < max(_step(a), _step(b)) / 2 and apart <= 0.1 * size)


def _step(value: float) -> float:
    """The unit of the last digit that is not 0: 10 for 230, 5 for 25, .1 for 3.4."""
    if value == 0:
        return 0.0
    digits = f"{abs(value):.12g}"
    if "e" in digits:
        return 10.0 ** floor(log10(abs(value)))
    if "." in digits:
        return 10.0 ** -len(digits.partition(".")[2])
    bare = digits.rstrip("0")
    return (5.0 if bare.endswith("5") and len(digits) > 1 else 1.0) * 10.0 ** (len(digits) - len(bare))


def _of_kind(found: Iterable[Number], kind: str) -> int:
    return sum(number.kind == kind for number in found)


def _read_names(text: str) -> frozenset[str]:
    found = set()
    for match in _CAPITAL.finditer(text):
        word = match["word"].casefold().replace("’", "'").removesuffix("'s")
        begins = match["end"] is not None and not match["word"].isupper()
        if word not in _NO_NAMES and word not in _MONTHS and not begins and len(word) > 1:
            found.add(word)
    return frozenset(found)


def _read_numbers(tokens: list[str], lower: list[str]) -> tuple[list[Number], frozenset[int], frozenset[int]]:
    found: list[Number] = []
    years: set[int] = set()
    place = 0
    while place < len(lower):
        value, after, part = _number_at(lower, place)
        if value is not None and _is_year(lower, place, after):
            years.add(int(value))
        elif value is not None:
            found.append(Number(value, "percent" if part else _kind(lower, place, after)))
        place = after
    return found, frozenset(years), _read_months(tokens, lower, bool(years))


def _read_months(tokens: list[str], lower: list[str], has_year: bool) -> frozenset[int]:
    """The months; a lone "May" counts only beside a year or after a preposition, for it is mostly a verb or a name."""
    found = {_MONTHS[word] for word in lower if word in _MONTHS and word != "may"}
    for place, token in enumerate(tokens):
        if token == "May" and (has_year or lower[max(place - 1, 0)] in ("in", "of", "since", "last", "by", "until")):
            found.add(_MONTHS["may"])
    return frozenset(found)


def _is_year(lower: list[str], place: int, after: int) -> bool:
    if after != place + 1 or not re.fullmatch(r"(?:1[89]|20)\d\d", lower[place]):
        return False
    return not (place and lower[place - 1] in _SIGNS) and lower[after : after + 1] not in (
        ["%"],
        ["percent"],
        ["dollars"],
    )


def _number_at(lower: list[str], place: int) -> tuple[float | None, int, bool]:
    """The number that begins at a place (None: there is none), where it ends, and whether it is a part of a whole."""
    start = place
    if lower[place] == "half":
        return 50.0, place + 1, True
    if lower[place][0].isdigit():
        value, place = float(lower[place].replace(",", "")), place + 1
    else:
        value, place = _spelled(lower, place)
        if place == start:
            return None, place + 1, False
    whole, after = _whole(lower, place)
    if 1 < whole <= 100 and value < whole:
        return 100 * value / whole, after, True
    if lower[place : place + 1] and lower[place] in _PARTS:
        return value * _PARTS[lower[place]], place + 1, True
    scaled, after = _scaled(value, lower, place)
    pronoun = lower[start] in ("one", "a", "an") and after == start + 1 and lower[after : after + 1] != ["percent"]
    return (None if pronoun else scaled), after, False


def _spelled(lower: list[str], place: int) -> tuple[float, int]:
    """The value of words like "twenty five", and the place after them; "a" before a scale or a part is 1."""
    following = lower[place + 1] if place + 1 < len(lower) else ""
    if lower[place] in ("a", "an") and (following in _SCALES or following in _PARTS):
        return 1.0, place + 1
    value = 0.0
    while place < len(lower) and (lower[place] in _TENS or lower[place] in _UNITS):
        value, place = value + _TENS.get(lower[place], _UNITS.get(lower[place], 0)), place + 1
    return value, place


def _whole(lower: list[str], place: int) -> tuple[float, int]:
    """The 5 of "one in five" and "1 out of 5", and the place after it; 0 if there is none."""
    place += 2 if lower[place : place + 2] == ["out", "of"] else 1 if lower[place : place + 1] == ["in"] else len(lower)
    if place >= len(lower):
        return 0.0, place
    word = lower[place]
    return float(word) if word.isdigit() else float(_UNITS.get(word, _TENS.get(word, 0))), place + 1


def _scaled(value: float, lower: list[str], place: int) -> tuple[float, int]:
    while place < len(lower) and (lower[place] in _SCALES or lower[place] in _SHORT):
        value, place = value * (_SCALES.get(lower[place]) or _SHORT[lower[place]]), place + 1
    return value, place


def _kind(lower: list[str], place: int, after: int) -> str:
    following = lower[after] if after < len(lower) else ""
    if following in _PERCENT:
        return "percent"
    return "money" if following in _MONEY or (place and lower[place - 1] in _SIGNS) else "plain"
