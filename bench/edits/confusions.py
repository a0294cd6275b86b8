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
    figures = [m for m in _FIGURE.finditer(text) if not _YEAR.fullmatch(m[0]) and _value(m) > 2]
    if not figures:
        return None
    match = rng.choice(figures)
    ratio = exp(rng.uniform(log(1.3), log(4))) ** rng.choice((-1, 1))
    written = _written(_value(match) * ratio, match)
    return (
        None
        if abs(_read(written) / _value(match) - 1) < 0.2
        else _put(text, match, match[1] + written)
    )


def other_year(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one year three to eight years away.

    Without any, with "last year" and the like long ago.
    """
    years = [m for m in _YEAR.finditer(text) if 1950 <= int(m[0]) <= 2021]
    if not years:
        past = f"in {rng.randint(1983, 2004)}"
        text = _NOW.sub(past, text, count=1) if _NOW.search(text) else ""
        return text[:1].upper() + text[1:] or None
    chosen = rng.choice(years)
    year = int(chosen[0]) + rng.choice((-1, 1)) * rng.randint(3, 8)
    year = year if year <= 2021 else int(chosen[0]) - rng.randint(3, 8)
    return None if str(year) in text else _put(text, chosen, str(year))


def other_person(text: str, rng: random.Random, words: Words) -> str | None:
    """Return the text with one person everywhere replaced by another that is known all over the country."""
    presidents = [
        name for name in LEXICON.presidents if re.search(rf"\bPresident (?:\w+ )?{name}\b", text)
    ]
    if presidents:
        other = rng.choice([name for name in LEXICON.presidents if name not in text])
        return re.sub(rf"\b(?:(?<=President )\w+ )?{presidents[0]}\b", other, text)
    full = [
        name
        for name in (*words.people, *LEXICON.national)
        if re.search(rf"\b{re.escape(name)}\b", text)
    ]
    last = [name for name in LEXICON.national if re.search(rf"\b{name.split()[-1]}\b", text)]
    if not full and not last:
        return None
    name = rng.choice(sorted(set(full)) or last)
    other = rng.choice([p for p in LEXICON.national if p.split()[-1] not in text])
    return re.sub(rf"\b{name.split()[-1]}\b", other.split()[-1], text.replace(name, other))


def other_place(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one state, country or city everywhere replaced by another of its kind."""
    for places in rng.sample(LEXICON.places, len(LEXICON.places)):
        known = [
            place
            for place in places
            if re.search(rf"\b{place}\b(?! (?:City|State|Times|Post))", text)
        ]
        if known:
            name = rng.choice(known)
            other = rng.choice([p for p in places if p not in text])
            return re.sub(rf"\b{name}\b", other, text)
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
    place, pattern, new = min(fitting)
    if re.search(LEXICON.subordinate, text[:place], re.I):
        return None
    return re.sub(pattern, new, text, count=1)


def denial(text: str, rng: random.Random, words: Words) -> str:
    """Return the sentence quoted in order to deny it."""
    return _framed(rng.choice(LEXICON.denials), text, words)


def direction(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one direction turned round: rose for fell, opposes for supports."""
    both = [(a, b.partition("(")[0]) for pair in LEXICON.directions for a, b in (pair, pair[::-1])]
    fitting = [(a, b) for a, b in both if re.search(rf"\b{a}\b", text)]
    if not fitting:
        return None
    longest = max(len(a.partition("(")[0]) for a, _ in fitting)
    word, other = rng.choice([(a, b) for a, b in fitting if len(a.partition("(")[0]) == longest])
    return re.sub(rf"\b{word}\b", other, text, count=1)


def narrower(text: str, rng: random.Random, _: Words) -> str | None:
    """Return what is said of a part only of the group, the country or the thing that the statement is about."""
    fitting = [(a, b) for a, b in LEXICON.narrower if re.search(a, text)]
    if not fitting:
        return None
    pattern, new = rng.choice(fitting)
    return re.sub(pattern, new, text, count=1)


def wider(text: str, rng: random.Random, words: Words) -> str | None:
    """Return what is said of more than the statement is about.

    All for a share, everyone for a person.
    """
    fitting = [(a, b) for a, b in LEXICON.wider if re.search(a, text)]
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
    first, second = rng.sample(phrases, 2)
    return rng.choice(LEXICON.topics).format(first, second)


def hypothesis(text: str, rng: random.Random, words: Words) -> str:
    """Return the sentence as a supposition, a hope or a guess of what may come."""
    return _framed(rng.choice(LEXICON.hypotheses), text, words)


def garbage(text: str, rng: random.Random, words: Words) -> str | None:
    """Return the sentence as misheard.

    Two of three longer words are others that begin and end alike.
    """
    parts = text.split()
    long = [
        i
        for i, word in enumerate(parts)
        if len(word.strip(".,!?")) > 3 and word.strip(".,!?'’s").isalpha()
    ]
    if len(long) < 4:
        return None
    for i in rng.sample(long, max(3, round(len(long) * 0.67))):
        parts[i] = _misheard(parts[i], rng, words)
    return " ".join(parts)


def rounding(text: str, rng: random.Random, _: Words) -> str | None:
    """Return the text with one figure rounded and hedged, a percentage near a plain share as that share.

    A figure that is round already is hedged only.
    """
    figures = list(_FIGURE.finditer(text))
    for hedge_only in (False, True):
        for match in rng.sample(figures, len(figures)):
            before = _HEDGED.sub("", text[: match.start()])
            after = text[match.end() :]
            if not (_YEAR.fullmatch(match[0]) or _FIXED.search(before) or _COUNTED.match(after)):
                figure = f"about {match[0]}" if hedge_only else _rounded(match, after, rng)
                if figure and not (hedge_only and before != text[: match.start()]):
                    rest = after if figure[-1].isdigit() else re.sub(r"^ ?(?:percent|%)", "", after)
                    rounded = before + figure + rest
                    return rounded[:1].upper() + rounded[1:]
    return None


def _rounded(match: re.Match[str], after: str, rng: random.Random) -> str | None:
    """A share in words, or the hedged rounding of a figure; None where it is round already."""
    value = _value(match)
    percent = re.match(r" ?(?:percent|%) of\b", after)
    share = next(
        (name for name, size in LEXICON.shares if percent and 0 < abs(size - value) / size <= 0.05),
        None,
    )
    rounder = _rounder(value)
    if (
        share
        or not rounder
        or not 0 < abs(rounder / value - 1) <= 0.07
        or (percent and rounder == 100)
    ):
        return share
    hedge = "nearly" if rounder > value else rng.choice(("about", "over", "roughly"))
    return f"{hedge} {match[1]}{_written(rounder, match, whole=True)}"


def fillers(text: str, rng: random.Random, _: Words) -> str:
    """Return the sentence as spoken with fillers and a word said twice.

    Nothing else is changed.
    """
    parts = text.split()
    places = sorted(rng.sample(range(1, len(parts)), min(3, len(parts) - 1)), reverse=True)
    for place in places[1:]:
        parts.insert(place, rng.choice(LEXICON.fillers))
    parts.insert(places[0], parts[places[0]].strip(",."))
    return rng.choice(("Look, ", "Well, ", "You know, ", "Uh, ", "And folks, ")) + " ".join(parts)


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


def _written(value: float, like: re.Match[str], *, whole: bool = False) -> str:
    """A value written as the figure it replaces.

    As many decimals and digits that count, commas where it had them.
    """
    decimals = 0 if whole and value == int(value) else len(like[3] or ".") - 1
    if decimals:
        return f"{value:,.{decimals}f}" if value != int(value) or value > 20 else f"{value:.0f}"
    counting = len(like[2].replace(",", "").rstrip("0")) or 1
    step = 10 ** max(0, floor(log10(max(value, 1))) + 1 - max(counting, 2 if value >= 10 else 1))
    rounded = round(value / step) * step
    return f"{rounded:,.0f}" if "," in like[2] or rounded >= 10000 else f"{rounded:.0f}"


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
    near = [round(value / s) * s for s in steps if abs(round(value / s) * s / value - 1) <= 0.07]
    return near[0] if near and near[0] != value else None


def _misheard(word: str, rng: random.Random, words: Words) -> str:
    bare = word.strip(".,!?").lower()
    like = words.vocabulary.get(bare[:1] + bare[-1:], ())
    fitting = [w for w in like if abs(len(w) - len(bare)) <= 2 and w[:3] != bare[:3]] or list(like)
    chosen = rng.choice(fitting) if fitting else bare
    return (chosen.title() if word[:1].isupper() else chosen) + word[len(word.rstrip(".,!?")) :]
