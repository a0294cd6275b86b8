"""Agreement of two texts on particulars: do they name the same numbers, names and dates?

Texts in, small values out.

Figures and dates are read by ``features.language.figures``. Two figures agree if they are the same
or one is a rounding of the other; they clash only if both may be the same quantity of the same
thing. Names are capitalised words that do not merely begin a sentence; what is a name in one text
is a name wherever the other has it, in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from features.language.figures.calendar import MONTHS
from features.language.figures.date_comparison import compare, each, relation
from features.language.figures.dates import When
from features.language.figures.dates import dates as read_dates
from features.language.figures.numbers import Figure, figures
from features.language.figures.rounding import (
    CLOSE,
    EXACT,
    NAMED,
    ROUNDED,
    SHARED,
    alike,
    by_chance,
    opposed,
)
from features.language.figures.spelling import one_for_one
from features.language.function_words import NO_NAMES
from features.language.stems import PLACES, topic

SAME = "same"
DIFFERENT = "different"
MISSING = "missing"
ROUNDS = "rounds to"

_WORD = re.compile(r"\d[\d,.]*|[^\W\d_]+(?:'[^\W\d_]+)*")
_CAPITAL = re.compile(
    r"(?P<end>^|[.!?:;—–]['\"”’)]*\s+|['\"“‘(]\s*)?(?<!\w)(?P<word>[A-Z][^\W\d_]*(?:['’][^\W\d_]+)*)"
)
# Capitalised in the middle of a sentence, yet no name.
_SAID_TWICE = re.compile(r"\b([a-z]+(?:'[a-z]+)?)(?:,? \1\b)+", re.I)
_NOW = re.compile(r"\b(?:today|right now|currently|these days|nowadays|at present)\b", re.I)
_ABOUT = 0.35  # of the content words of the shorter text: below it, two texts are hardly about the same thing
_REPEATED = 0.7  # of the words of the longer text: from here on, what differs is in one place
Span = tuple[int, int, str]  # where a particular is in its text, and its verdict
_UNSAID = re.compile(
    r"(?<=[\w,]) (?:um+|uh+|er+|ah|hmm|you know|i mean|okay|frankly)\b,?(?= \w)"
    r"(?! (?:that|what|how|who|where|why|if|it))|"
    r"^(?:um+|uh+|er+|ah|hmm|well|look|you know|okay)\b,? ",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Particulars:
    """What a text names. ``names`` and ``words`` (all of its words) are in lower case.

    ``topics`` are the stems of its content words; ``now``: it is about today.
    """

    numbers: tuple[Figure, ...]
    names: frozenset[str]
    dates: tuple[When, ...]
    words: frozenset[str]
    topics: frozenset[str] = frozenset()
    now: bool = False


@dataclass(frozen=True, slots=True)
class Overlap:
    """How many particulars two texts share, how many clash, and how many are shared only by rounding."""

    shared: int
    clashing: int
    rounded: int = 0

    @property
    def verdict(self) -> str:
        """Return same, different or missing."""
        return DIFFERENT if self.clashing else SAME if self.shared else MISSING


@dataclass(frozen=True, slots=True)
class Mark:
    """A number, name or date, ``text[start:end]``.

    The same in the other text, different from one there, or missing.
    """

    part: str
    start: int
    end: int
    verdict: str


def agreement(sentence: str, statement: str, event: int = 0, claimed: int = 0) -> dict[str, str]:
    """Return same, different or missing for the numbers, names and dates of the two texts.

    Different: both have particulars of one kind that the other lacks. Missing: at least one side has none to compare.
    ``event`` and ``said`` are the days (ordinals, 0 if unknown) that "last year" and its like count from.
    """
    ours = particulars(sentence)
    theirs = particulars(statement)
    overlaps = {
        "numbers": numbers(ours, theirs),
        "names": names(ours, theirs),
        "dates": dates(ours, theirs, event, claimed),
    }
    return {name: overlap.verdict for name, overlap in overlaps.items()}


def marks(
    sentence: str, statement: str, event: int = 0, claimed: int = 0
) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Return the numbers, names and dates of both texts, as they are written there.

    For each part, a mark of either text is different if and only if ``agreement`` says different,
    and one is the same only if the other text has it.
    """
    texts = (sentence, statement)
    sides = (particulars(sentence), particulars(statement))
    plain_texts = plain(sentence), plain(statement)
    spans_of = {
        "numbers": _number_spans(*sides),
        "names": _name_spans(*sides, *plain_texts),
        "dates": _date_spans(sides, plain_texts, (event, claimed)),
    }
    placed = [_places(text) for text in texts]
    return tuple(  # type: ignore[return-value]
        tuple(
            Mark(part, places[start], places[end - 1] + 1, verdict)
            for part, spans in spans_of.items()
            for start, end, verdict in spans[side]
        )
        for side, places in enumerate(placed)
    )


def roundings(sentence: str, statement: str) -> tuple[tuple[str, str], ...]:
    """Return the figures, in the words of both texts, that agree only because one is a rounding of the other."""
    pairs, _, _ = paired(particulars(sentence).numbers, particulars(statement).numbers)
    return tuple(
        (one.text, other.text)
        for one, other, how in pairs
        if how == ROUNDED and not by_chance(one, other)
    )


def plain(text: str) -> str:
    """Return a text without hesitations and words repeated in a row, with plain apostrophes."""
    text = text if text.isascii() else "".join(map(one_for_one, text))
    return _SAID_TWICE.sub(r"\1", _UNSAID.sub("", text)).strip()


def _places(text: str) -> list[int]:
    """Return where each character of ``plain(text)`` is in the text."""
    letters = "".join(map(one_for_one, text))
    places = list(range(len(text)))
    for pattern, repeated in ((_UNSAID, None), (_SAID_TWICE, 1)):
        for match in reversed(list(pattern.finditer("".join(letters[place] for place in places)))):
            first, last = match.span()
            places[first:last] = [] if repeated is None else places[slice(*match.span(repeated))]
    shown = "".join(letters[place] for place in places)
    return places[len(shown) - len(shown.lstrip()) : len(shown.rstrip())]


@lru_cache(maxsize=1 << 17)
def particulars(text: str) -> Particulars:
    """Return what a text names."""
    text = plain(text)
    dates_read = read_dates(text)
    numbers_read = figures(text, ((when.start, when.end) for when in dates_read))
    words = frozenset(word.casefold().removesuffix("'s") for word in _WORD.findall(text))
    letters = [character for character in text if character.isalpha()]
    cased = any(map(str.islower, letters)) and any(map(str.isupper, letters))
    topics = frozenset(map(topic, words)) - {""}
    named = frozenset(name for name, _, _ in _read_names(text)) if cased else frozenset()
    return Particulars(numbers_read, named, dates_read, words, topics, bool(_NOW.search(text)))


def numbers(ours: Particulars, theirs: Particulars) -> Overlap:
    """Return the shared figures, and those left over on both sides that may be the same quantity."""
    pairs, left, right = paired(ours.numbers, theirs.numbers)
    shared = [how for one, other, how in pairs if not by_chance(one, other)]
    return Overlap(
        len(shared), min(map(len, _opposed(ours, theirs, left, right))), shared.count(ROUNDED)
    )


def _opposed(
    ours: Particulars, theirs: Particulars, left: list[Figure], right: list[Figure]
) -> tuple[list[Figure], list[Figure]]:
    """Return which of the figures left over in both texts stand against one of the other text."""
    if not left or not right:
        return [], []
    needed = _needed(ours, theirs)
    mine, other = (
        [one for one in some if any(opposed(one, counterpart, needed) for counterpart in others)]
        for some, others in ((left, right), (right, left))
    )
    return (mine, other) if mine and other else ([], [])


def _number_spans(ours: Particulars, theirs: Particulars) -> list[list[Span]]:
    pairs, left, right = paired(ours.numbers, theirs.numbers)
    agreeing = [(one, other) for one, other, _ in pairs if not by_chance(one, other)]
    against = _opposed(ours, theirs, left, right)
    return [
        [
            (
                f.start,
                f.end,
                SAME if any(f is pair[side] for pair in agreeing) else _verdict(f in against[side]),
            )
            for f in named.numbers
        ]
        for side, named in enumerate((ours, theirs))
    ]


def _verdict(clashes: bool) -> str:
    return DIFFERENT if clashes else MISSING


def _needed(ours: Particulars, theirs: Particulars) -> float:
    """Return the share of the words around two figures that must be the same for both to be about the same thing."""
    fewer = min(len(ours.topics), len(theirs.topics))
    places = ours.words & PLACES, theirs.words & PLACES
    if len(ours.topics & theirs.topics) < _ABOUT * fewer or (
        all(places) and places[0].isdisjoint(places[1])
    ):
        return CLOSE
    return NAMED if names(ours, theirs).clashing else SHARED


def paired(
    ours: Iterable[Figure], theirs: Iterable[Figure]
) -> tuple[list[tuple[Figure, Figure, str]], list[Figure], list[Figure]]:
    """Return the figures that agree, with how, and those left over on each side.

    Exact twins find each other first.
    """
    left = list(ours)
    right = list(theirs)
    pairs = []
    for wanted in (EXACT, ROUNDED):
        for one in tuple(left):
            twin = next((other for other in right if alike(one, other) == wanted), None)
            if twin is not None:
                pairs.append((one, twin, wanted))
                left.remove(one)
                right.remove(twin)
    return pairs, left, right


def names(ours: Particulars, theirs: Particulars) -> Overlap:
    """Return shared names; they clash only where none is shared although both sides have some."""
    shared = _shared_names(ours, theirs)
    return Overlap(len(shared), int(bool(ours.names and theirs.names) and not shared))


def _shared_names(ours: Particulars, theirs: Particulars) -> frozenset[str]:
    return (ours.names & theirs.names) | (ours.names & theirs.words) | (theirs.names & ours.words)


def _name_spans(ours: Particulars, theirs: Particulars, *texts: str) -> list[list[Span]]:
    shared = _shared_names(ours, theirs)
    clashes = bool(names(ours, theirs).clashing)
    return [
        [
            (start, end, SAME if name in shared else _verdict(clashes))
            for name, start, end in _read_names(text)
            if name in named.names
        ]
        for named, text in zip((ours, theirs), texts, strict=True)
    ]


def dates(ours: Particulars, theirs: Particulars, event: int = 0, claimed: int = 0) -> Overlap:
    """Return shared dates and periods; they clash where some can be compared and none is shared.

    "Today" is a date only where the other text, word for word the same, has a past one in its
    place.
    """
    compared = compare(ours.dates, theirs.dates, event, claimed)
    past = _long_ago(ours, theirs, claimed) or _long_ago(theirs, ours, event)
    return Overlap(compared.shared, compared.clashing or int(bool(past)))


def _date_spans(
    sides: tuple[Particulars, Particulars], texts: tuple[str, str], days: tuple[int, int]
) -> list[list[Span]]:
    """Return the spans of dates.

    "today" is one where the other text has a past date in its place.
    """
    shared = each(sides[0].dates, sides[1].dates, *days)
    past = _long_ago(*sides, days[1]), _long_ago(*sides[::-1], days[0])
    spans_of = []
    for side, named in enumerate(sides):
        clashing = [
            same is False or when in past[side]
            for when, same in zip(named.dates, shared[side], strict=True)
        ]
        spans = [
            (when.start, when.end, SAME if same and not clashes else _verdict(clashes))
            for when, same, clashes in zip(named.dates, shared[side], clashing, strict=True)
        ]
        now = (
            [(*match.span(), DIFFERENT) for match in _NOW.finditer(texts[side])]
            if past[1 - side]
            else []
        )
        spans_of.append(spans + now)
    return spans_of


def _long_ago(dated: Particulars, repeated: Particulars, day: int) -> list[When]:
    """Return the dates of a text that are over where the other, said on a day (0 if unknown), tells of today."""
    if dated.now or not repeated.now or not dated.dates:
        return []
    if len(dated.words & repeated.words) < _REPEATED * max(len(dated.words), len(repeated.words)):
        return []
    over = [
        when for when in dated.dates if when.fixed and (not day or when.period.last < day - 366)
    ]
    return [when for when in over if not any(relation(when, other) for other in repeated.dates)]


def _read_names(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield each name in small letters and where it is in the text, without the ending of its genitive."""
    for match in _CAPITAL.finditer(text):
        word = match["word"].casefold().removesuffix("'s")
        begins = match["end"] is not None and not match["word"].isupper()
        if word not in NO_NAMES and word not in MONTHS and not begins and len(word) > 1:
            yield (
                word,
                match.start("word"),
                match.start("word") + len(match["word"].removesuffix("'s")),
            )
