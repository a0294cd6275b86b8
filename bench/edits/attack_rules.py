"""The rules of the attacks: a spoken sentence in, the attacked one out.

DeSePtion's kinds for claims of debates.

Kinds in ``ADDED`` say more than a fact-check of the original settles: another claim, something
nobody can check, or a true fact of another name, attached to a name of the sentence. Kinds in
``CHANGED`` say something else: another date by arithmetic or range, another bearer of a name.
Kinds in ``KEPT`` say the same: dates by arithmetic, in a range around them or in words, other
words, rounded figures. A rule returns None where it does not fit; its words are in
attack_rules.toml. Source: Hidey et al., ACL 2020, section 4, for debates; docs/research/confidence.md
describes each rule.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bench.edits.confusions import Words, rounding
from bench.edits.spoken import inside, spelled
from bench.lexicon import lexicon

LEXICON = lexicon(__file__)
_FOLLOWS = "|".join(LEXICON.follows)
LONG = 20  # words of a statement that another is joined to
LATEST = 2020
_YEAR = re.compile(LEXICON.year)
_DAY = re.compile(LEXICON.day)
_ANY_YEAR = re.compile(r"(?<![\w$.,/-])(?:19|20)\d\d(?![\w%-]|[.,/]\d|['’]s)")
_DECADE = re.compile(r"\b19([2-9])0s\b")


@dataclass(frozen=True, slots=True)
class Tables:
    """What the rules look up: words of the statements, and statements that may be joined to another."""

    words: Words
    others: tuple[str, ...]


Attack = Callable[[str, random.Random, Tables], str | None]


def conjunction(text: str, rng: random.Random, tables: Tables) -> str | None:
    """Return the sentence joined by "and" to another claim's that shares no longer word with it, on either side."""
    long_words = _long_words(text)
    if len(text.split()) > LONG or text.endswith("?"):
        return None
    other_statement = next(
        (
            statement
            for statement in rng.sample(tables.others, 40)
            if long_words.isdisjoint(_long_words(statement))
        ),
        None,
    )
    if other_statement is None:
        return None
    first_part, second_part = (
        (text, other_statement) if rng.random() < 0.5 else (other_statement, text)
    )
    return f"{first_part.rstrip('.!? ')}, and {inside(second_part, tables.words.names)}."


def unverifiable(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with a second part that no source can settle."""
    return (
        None
        if text.endswith("?")
        else f"{text.rstrip('.!? ')}, {rng.choice(LEXICON.unverifiable)}."
    )


def second_hop(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with a relative clause after a name that is true of another name of its kind, not of it."""
    fitting = [
        (match, facts, name)
        for facts in LEXICON.facts
        for name in facts
        if (
            match := re.search(
                rf"\b{re.escape(name)}(?=[,.;!]|$| (?:{_FOLLOWS})\b)(?! and [A-Z])", text
            )
        )
    ]
    if not fitting:
        return None
    match, facts, name = rng.choice(fitting)
    fact = rng.choice(
        [
            fact
            for other_name, fact in facts.items()
            if other_name not in text and other_name != name
        ]
    )
    remainder = text[match.end() :]
    return f"{text[: match.end()]}, {fact}{remainder if remainder[:1] in tuple(',.;!') else ',' + remainder}"


def date_arithmetic(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with its year counted from another one.

    "two years after 2010" for 2012.
    """
    return _counted(
        text,
        lambda year, n: (year - n, "after") if rng.random() < 0.5 else (year + n, "before"),
        rng,
    )


def other_date_arithmetic(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence about a year some years before or after its year.

    "two years after 2012" for 2012.
    """
    return _counted(
        text,
        lambda year, n: (year, "before" if year + n > LATEST or rng.random() < 0.5 else "after"),
        rng,
    )


def date_range(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with its year as a range around it."""
    return _in_range(text, lambda year: (year - rng.randint(1, 2), year + rng.randint(1, 2)))


def other_date_range(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with its year as a range that ends before it or begins after it."""

    def apart(year: int) -> tuple[int, int]:
        away = rng.randint(2, 4)
        length = rng.randint(2, 4)
        later = year + away + length <= LATEST and rng.random() < 0.5
        return (year + away, year + away + length) if later else (year - away - length, year - away)

    return _in_range(text, apart)


def date_in_words(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with its years, decades, days and round spans of time in words."""
    worded = _ANY_YEAR.sub(lambda match: said_year(int(match[0])), text)
    worded = _DECADE.sub(lambda match: LEXICON.decades[int(match[1]) - 2], worded)
    worded = _DAY.sub(lambda match: f"{match['month']} {_ordinal(int(match['day']))}", worded)
    for pattern, words in LEXICON.round_times:
        if worded == text:
            worded = re.sub(pattern, words, worded)
    return None if worded == text else worded[:1].upper() + worded[1:]


def ambiguous_name(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence about another bearer of a name that is in it."""
    fitting = [
        (pattern, replacement)
        for pattern, replacement in LEXICON.bearers
        if re.search(rf"\b(?:{pattern})\b", text)
    ]
    fitting = [
        (pattern, replacement) for pattern, replacement in fitting if replacement not in text
    ]
    if not fitting:
        return None
    pattern, replacement = rng.choice(fitting)
    edited = re.sub(rf"(?:\b|(?=the ))(?:{pattern})\b", replacement, text)
    return edited[:1].upper() + edited[1:]


def lexical(text: str, rng: random.Random, _: Tables) -> str | None:
    """Return the sentence with two or three words in place of others that mean the same."""
    fitting = [
        (rf"\b(?:{old})\b", new)
        for old, new in LEXICON.lexical
        if re.search(rf"\b(?:{old})\b", text)
    ]
    if len(fitting) < 2:
        return None
    edited = text
    for old, new in rng.sample(fitting, min(3, len(fitting))):
        edited = re.sub(old, new, edited, count=1)
    return edited


def rounded(text: str, rng: random.Random, tables: Tables) -> str | None:
    """Return the sentence with one figure rounded, as the confusers do."""
    return rounding(text, rng, tables.words)


ADDED: dict[str, Attack] = {
    "conjunction": conjunction,
    "unverifiable part": unverifiable,
    "second hop": second_hop,
}
CHANGED: dict[str, Attack] = {
    "date arithmetic, other date": other_date_arithmetic, "date range, other dates": other_date_range,
    "ambiguous name": ambiguous_name,
}  # fmt: skip
KEPT: dict[str, Attack] = {
    "date arithmetic, same date": date_arithmetic, "date range around it": date_range, "date in words": date_in_words,
    "rounding": rounded, "lexical substitution": lexical,
}  # fmt: skip


def added(original: str, attacked: str) -> tuple[int, int]:
    """Return where the words are that an attack of ``ADDED`` put in.

    Start and end in the attacked text.
    """
    before = original.rstrip(".!? ").casefold()
    after = attacked.rstrip(".!? ").casefold()
    start = len(os.path.commonprefix((before, after)))
    max_common_end = min(len(before), len(after)) - start
    common_end = len(os.path.commonprefix((before[::-1], after[::-1])))
    return start, len(after) - min(common_end, max_common_end)


def said_year(year: int) -> str:
    """Return a year as one says it.

    "nineteen eighty-four", "two thousand one", "twenty twelve".
    """
    century, year_of_century = divmod(year, 100)
    if century == 20 and year_of_century < 10:
        return "two thousand" + (f" {spelled(year_of_century)}" if year_of_century else "")
    if year_of_century < 10:
        return f"{spelled(century)} " + (
            f"oh {spelled(year_of_century)}" if year_of_century else "hundred"
        )
    return (
        f"{spelled(century)} {spelled(year_of_century)}".replace("ty ", "ty-")
        if century != 20
        else f"twenty {spelled(year_of_century)}"
    )


def _ordinal(day: int) -> str:
    if day <= 20:
        return LEXICON.ordinals[day - 1]
    return (
        "thirtieth"
        if day == 30
        else f"{'twenty' if day < 30 else 'thirty'}-{LEXICON.ordinals[day % 10 - 1]}"
    )


def _counted(
    text: str, to: Callable[[int, int], tuple[int, str]], rng: random.Random
) -> str | None:
    """The text with one year as so many years before or after another.

    "in" goes, other small words stay.
    """
    match = _YEAR.search(text)
    if not match:
        return None
    count = rng.randint(2, 6)
    year, side = to(int(match["year"]), count)
    opening = "" if match["before"] in ("in ", "In ") else match["before"]
    words = f"{opening}{spelled(count)} years {side} {year}"
    return (
        text[: match.start()]
        + (words[:1].upper() + words[1:] if not match.start() else words)
        + text[match.end() :]
    )


def _in_range(text: str, to: Callable[[int], tuple[int, int]]) -> str | None:
    match = next((m for m in _YEAR.finditer(text) if m["before"] in ("in ", "In ")), None)
    if not match:
        return None
    first_year, last_year = to(int(match["year"]))
    between = "Between" if not match.start() else "between"
    return f"{text[: match.start()]}{between} {first_year} and {last_year}{text[match.end() :]}"


def _long_words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{5,}", text.casefold()))


def joinable(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the sentences that may be joined to another: short ones that ask nothing."""
    return tuple(text for text in texts if len(text.split()) <= LONG and not text.endswith("?"))
