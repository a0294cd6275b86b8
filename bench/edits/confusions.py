"""Confusions: the edits that turn a spoken sentence into one that a fact-check of the original does not settle.

Kinds in ``MUST_NOT`` change what would settle the claim; those in ``MUST`` leave it as it is. Every edit takes the text
and a random generator, and returns None where it does not fit. They share no template with
``training.edits.entailment_edits``; their words are in confusions.toml.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, floor, log, log10

from bench.edits.spoken import inside
from bench.lexicon import lexicon

LEXICON = lexicon(__file__)
_STOP = "|".join(LEXICON.stop)
_FIGURE = re.compile(LEXICON.figure)
_NOW = re.compile(LEXICON.now)
_YEAR = re.compile(r"(?<![\w$.,-])(?:1[89]|20)\d\d(?![\w%,-]|\.\d)")
_HEDGED = re.compile(LEXICON.hedged, re.I)
_FIXED = re.compile(LEXICON.fixed, re.I)
_COUNTED = re.compile(r"[ -]year|\s+(?:of|in|to|or|and|to the)\s+\d")


@dataclass(frozen=True, slots=True)
class Words:
    """What edits look up in the statements of the database.

    Names of people, and words by their first letter.
    """

    people: tuple[str, ...]
    names: frozenset[str]
    vocabulary: dict[str, tuple[str, ...]]


Edit = Callable[[str, random.Random, Words], str | None]


def other_figure(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one figure a quarter more or less, or up to four times it."""
    figures = []
    for match in _FIGURE.finditer(text):
        if not _YEAR.fullmatch(match[0]) and _value(match) > 2:
            figures.append(match)
    if not figures:
        return None
    match = rng.choice(figures)
    ratio = exp(rng.uniform(log(1.3), log(4))) ** rng.choice((-1, 1))
    written = _written(_value(match) * ratio, match)
    if abs(_read(written) / _value(match) - 1) < 0.2:
        return None
    return _put(text, match, match[1] + written)


def other_year(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one year three to eight years away.

    Without any, with "last year" and the like long ago.
    """
    years = [m for m in _YEAR.finditer(text) if 1950 <= int(m[0]) <= 2021]
    if not years:
        past = f"in {rng.randint(1983, 2004)}"
        text = _NOW.sub(past, text, count=1) if _NOW.search(text) else ""
        return text[:1].upper() + text[1:] or None
    year_match = rng.choice(years)
    year = int(year_match[0]) + rng.choice((-1, 1)) * rng.randint(3, 8)
    year = year if year <= 2021 else int(year_match[0]) - rng.randint(3, 8)
    return None if str(year) in text else _put(text, year_match, str(year))


def other_person(text: str, rng: random.Random, words: Words) -> str | None:
    """Return the text with one person everywhere replaced by another who is known nationally."""
    presidents = []
    for name in LEXICON.presidents:
        if re.search(rf"\bPresident (?:\w+ )?{name}\b", text):
            presidents.append(name)
    if presidents:
        replacement = rng.choice([name for name in LEXICON.presidents if name not in text])
        return re.sub(rf"\b(?:(?<=President )\w+ )?{presidents[0]}\b", replacement, text)
    full_names = []
    for name in (*words.people, *LEXICON.national):
        if re.search(rf"\b{re.escape(name)}\b", text):
            full_names.append(name)
    surnames = []
    for name in LEXICON.national:
        if re.search(rf"\b{name.split()[-1]}\b", text):
            surnames.append(name)
    if not full_names and not surnames:
        return None
    name = rng.choice(sorted(set(full_names)) or surnames)
    replacement = rng.choice(
        [person for person in LEXICON.national if person.split()[-1] not in text]
    )
    edited = text.replace(name, replacement)
    return re.sub(rf"\b{name.split()[-1]}\b", replacement.split()[-1], edited)


def other_place(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one state, country or city everywhere replaced by another of its kind."""
    for place_names in rng.sample(LEXICON.places, len(LEXICON.places)):
        mentioned = []
        for place_name in place_names:
            if re.search(rf"\b{place_name}\b(?! (?:City|State|Times|Post))", text):
                mentioned.append(place_name)
        if mentioned:
            name = rng.choice(mentioned)
            replacement = rng.choice(
                [candidate for candidate in place_names if candidate not in text]
            )
            return re.sub(rf"\b{name}\b", replacement, text)
    return None


def negation(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with its first verb denied, where that is the main one.

    None if it denies something already.
    """
    if re.search(LEXICON.denied, text, re.I):
        return None
    fitting = [
        (m.start(), pattern, new)
        for pattern, new in LEXICON.negated
        if (m := re.search(pattern, text))
    ]
    if not fitting:
        return None
    position, pattern, new = min(fitting)
    if re.search(LEXICON.subordinate, text[:position], re.I):
        return None
    return re.sub(pattern, new, text, count=1)


def denial(text: str, rng: random.Random, words: Words) -> str:
    """Return the sentence quoted in order to deny it."""
    return _framed(rng.choice(LEXICON.denials), text, words)


def direction(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one direction turned round: rose for fell, opposes for supports."""
    fitting = []
    for first_direction, second_direction in LEXICON.directions:
        for pattern, replacement in (
            (first_direction, second_direction),
            (second_direction, first_direction),
        ):
            if re.search(rf"\b{pattern}\b", text):
                fitting.append((pattern, replacement.partition("(")[0]))
    if not fitting:
        return None
    lengths = [len(pattern.partition("(")[0]) for pattern, _ in fitting]
    longest = []
    for pair, length in zip(fitting, lengths, strict=True):
        if length == max(lengths):
            longest.append(pair)
    pattern, replacement = rng.choice(longest)
    return re.sub(rf"\b{pattern}\b", replacement, text, count=1)


def narrower(text: str, rng: random.Random, _: Words) -> str | None:
    """Return what is said of a part only of the group, the country or the thing that the statement is about."""
    fitting = []
    for pattern_tried, replacement in LEXICON.narrower:
        if re.search(pattern_tried, text):
            fitting.append((pattern_tried, replacement))
    if not fitting:
        return None
    pattern, new = rng.choice(fitting)
    return re.sub(pattern, new, text, count=1)


def wider(text: str, rng: random.Random, words: Words) -> str | None:
    """Return what is said of more than the statement is about.

    All for a share, everyone for a person.
    """
    fitting = []
    for pattern_tried, replacement in LEXICON.wider:
        if re.search(pattern_tried, text):
            fitting.append((pattern_tried, replacement))
    if fitting:
        pattern, new = rng.choice(fitting)
        text = re.sub(pattern, new, text, count=1)
        return text[:1].upper() + text[1:]
    people = [name for name in words.people if text.startswith(name + " ")]
    if not people or re.search(r"\b(?:he|she|his|her|him)\b", text, re.I):
        return None
    return text.replace(people[0], rng.choice(LEXICON.parties), 1)


def topic(text: str, rng: random.Random, _: Words) -> str | None:
    """Return a sentence about what the statement is about that claims nothing of it."""
    runs = re.split(rf"(?:\b(?:{_STOP})\b|[^\w\s'’%$.-]|\.(?:\s|$))+", text, flags=re.I)
    phrases = sorted({run.strip(" .'’-") for run in runs if len(run.strip(" .'’-")) > 4}, key=len)[
        -2:
    ]
    if len(phrases) < 2:
        return None
    first_phrase, second_phrase = rng.sample(phrases, 2)
    return rng.choice(LEXICON.topics).format(first_phrase, second_phrase)


def hypothesis(text: str, rng: random.Random, words: Words) -> str:
    """Return the sentence as a supposition, a hope or a guess of what may come."""
    return _framed(rng.choice(LEXICON.hypotheses), text, words)


def garbage(text: str, rng: random.Random, words: Words) -> str | None:
    """Return the sentence as misheard.

    Two of three longer words are others that begin and end alike.
    """
    tokens = text.split()
    long = [
        i
        for i, word in enumerate(tokens)
        if len(word.strip(".,!?")) > 3 and word.strip(".,!?'’s").isalpha()
    ]
    if len(long) < 4:
        return None
    for i in rng.sample(long, max(3, round(len(long) * 0.67))):
        tokens[i] = _misheard(tokens[i], rng, words)
    return " ".join(tokens)


def rounding(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one figure rounded and hedged, a percentage near a plain share as that share.

    A figure that is round already is hedged only.
    """
    figures = list(_FIGURE.finditer(text))
    for hedge_only in (False, True):
        for match in rng.sample(figures, len(figures)):
            written_before = text[: match.start()]
            before = _HEDGED.sub("", written_before)
            after = text[match.end() :]
            if _YEAR.fullmatch(match[0]) or _FIXED.search(before) or _COUNTED.match(after):
                continue
            if not hedge_only:
                figure = _rounded(match, after, rng)
            elif before == written_before:
                figure = f"about {match[0]}"
            else:
                figure = None
            if figure:
                if not figure[-1].isdigit():
                    after = re.sub(r"^ ?(?:percent|%)", "", after)
                rounded = before + figure + after
                return rounded[:1].upper() + rounded[1:]
    return None


def _rounded(match: re.Match[str], after: str, rng: random.Random) -> str | None:
    """Return a share in words, or the hedged rounding of a figure; None if it is round already."""
    value = _value(match)
    is_percentage = re.match(r" ?(?:percent|%) of\b", after)
    if is_percentage:
        for name, size in LEXICON.shares:
            if 0 < abs(size - value) / size <= 0.05:
                return name
    rounded = _rounder(value)
    if not rounded or not 0 < abs(rounded / value - 1) <= 0.07:
        return None
    if is_percentage and rounded == 100:
        return None
    hedge = "nearly" if rounded > value else rng.choice(("about", "over", "roughly"))
    return f"{hedge} {match[1]}{_written(rounded, match, as_whole_number=True)}"


def fillers(text: str, rng: random.Random, _: Words) -> str:
    """Return the sentence as spoken with fillers and a word said twice.

    Nothing else is changed.
    """
    tokens = text.split()
    positions = sorted(rng.sample(range(1, len(tokens)), min(3, len(tokens) - 1)), reverse=True)
    for position in positions[1:]:
        tokens.insert(position, rng.choice(LEXICON.fillers))
    tokens.insert(positions[0], tokens[positions[0]].strip(",."))
    return rng.choice(("Look, ", "Well, ", "You know, ", "Uh, ", "And folks, ")) + " ".join(tokens)


def caption(text: str, rng: random.Random, _: Words) -> str:
    """Return the sentence as automatic captions write it.

    Small letters, no punctuation but in figures.
    """
    small = text.lower().replace("u.s.", "us")
    return re.sub(
        r"\s+", " ", re.sub(r"(?<!\d)[.,](?=\d)|[^\w\s.,%$']|[.,](?!\d)", " ", small)
    ).strip()


MUST_NOT: dict[str, Edit] = {
    "other figure": other_figure, "other year": other_year, "other person": other_person, "other place": other_place,
    "negation": negation, "quoted to deny it": denial, "opposite direction": direction, "narrower": narrower,
    "wider": wider, "topic without claim": topic, "hypothesis": hypothesis, "misheard": garbage,
}  # fmt: skip
MUST: dict[str, Edit] = {"rounding": rounding, "fillers": fillers, "caption": caption}


def _framed(frame: str, text: str, words: Words) -> str:
    return frame.format(inside(text, words.names))


def _put(text: str, match: re.Match[str], new: str) -> str:
    return text[: match.start()] + new + text[match.end() :]


def _value(match: re.Match[str]) -> float:
    return float(match[2].replace(",", "") + (match[3] or ""))


def _read(written: str) -> float:
    return float(written.replace(",", "")) or 1e-9


def _written(value: float, figure_match: re.Match[str], *, as_whole_number: bool = False) -> str:
    """A value written as the figure it replaces.

    As many decimals and digits that count, commas where it had them.
    """
    figure = figure_match[2]
    decimals = len(figure_match[3] or ".") - 1
    if as_whole_number and value == int(value):
        decimals = 0
    if decimals:
        if value == int(value) and value <= 20:
            return f"{value:.0f}"
        return f"{value:,.{decimals}f}"
    # as many digits as the figure has before its zeros, two from ten on
    counting_digits = len(figure.replace(",", "").rstrip("0")) or 1
    counting_digits = max(counting_digits, 2 if value >= 10 else 1)
    digits = floor(log10(max(value, 1))) + 1
    step = 10 ** max(0, digits - counting_digits)
    rounded = round(value / step) * step
    if "," in figure or rounded >= 10000:
        return f"{rounded:,.0f}"
    return f"{rounded:.0f}"


def _rounder(value: float) -> float | None:
    """The value rounded to one digit less, a two-digit one to fives.

    None where it is round already.
    """
    if value < 3:
        return None
    if value < 10:
        return float(round(value))
    step = 10 ** floor(log10(value))
    steps = (step, step / 2) if value < 100 else (step / 2, step / 10)
    for candidate_step in steps:
        rounded = round(value / candidate_step) * candidate_step
        if abs(rounded / value - 1) <= 0.07:
            return rounded if rounded != value else None
    return None


def _misheard(word: str, rng: random.Random, words: Words) -> str:
    bare = word.strip(".,!?").lower()
    similar = words.vocabulary.get(bare[:1] + bare[-1:], ())
    fitting = []
    for candidate in similar:
        if abs(len(candidate) - len(bare)) <= 2 and candidate[:3] != bare[:3]:
            fitting.append(candidate)
    candidates = fitting or list(similar)
    replacement = rng.choice(candidates) if candidates else bare
    if word[:1].isupper():
        replacement = replacement.title()
    punctuation = word[len(word.rstrip(".,!?")) :]
    return replacement + punctuation
