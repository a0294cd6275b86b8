"""Edits of a statement into a sentence that makes the same claim, or another one, with the noise of speech.

A keeping edit leaves a sentence that a fact-check of the statement would settle. A breaking edit
does not: another figure, year, person, place, direction or quantity; negated, denied, predicted or
supposed; narrower, wider, or the bare topic. Both get the same noise of speech, so that noise
gives no label away. English surface forms only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from training.edits import wordings as words
from training.edits.entailment_edits import bare, negated, other_figure, swapped, worded_by

Edit = Callable[[str, random.Random], str | None]
_FIGURE = re.compile(r"(?<![\w.,-])\$?(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?![\w-]|[.,]\d)")
_HEDGE = re.compile(
    r"\b(about|nearly|almost|around|over|than|roughly|some|least|to|only|top|No\.|number|age|of|Bill|Act|Amendment|Proposition|"
    r"Highway|Interstate|Section|Title|Route|House|Senate|(?:Jan|Feb|March|April|May|June|July|Aug|Sept|Oct|Nov|Dec)\w*\.?)\s*$",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"(?:President |Sen\. |Rep\. |Gov\. )?([A-Z][a-z]+) (?:[A-Z]\. )?[A-Z][a-z]+"
    r"(?= (?:has|was|is|voted|wants|supported|said|did|had|raised|cut|took|wrote|opposed)\b)"
)
_DENYING = re.compile(
    r"n't\b|n’t\b|\b(not|no|never|nobody|if|whether|wrong|false|lies?|lying|hope|wish|would|will|could|going to|untrue|"
    r"want)\b",
    re.IGNORECASE,
)
_BEGIN = re.compile(r"((?:\S+ ){0,6}\S+), ")
_END = re.compile(r", ((?:\S+ ){2,8}\S+)$")
_VERB = re.compile(
    r" (?:is|are|was|were|has|have|had|will|would|can|could|does|do|did|voted|wants?|supports?|opposes?|says?|said|"
    r"raised|cut|received|got|made|pays?|paid|\w+ed)\b"
)


def figure(text: str, rng: random.Random) -> str | None:
    """Return the text with a figure changed by more than any rounding, in digits or as a word.

    None without one.
    """
    spelled = [m for m in re.finditer(rf"\b({'|'.join(words.NUMBER_WORDS[2:])})\b", text)]
    digits = [m for m in _FIGURE.finditer(text) if not _is_year(m.group(1))]
    if spelled and (not digits or rng.random() < 0.3):
        word = rng.choice(spelled)
        others = [
            n
            for i, n in enumerate(words.NUMBER_WORDS[2:], 2)
            if abs(i - words.NUMBER_WORDS.index(word[0])) > 1
        ]
        return text[: word.start()] + rng.choice(others) + text[word.end() :]
    return _other(text, rng.choice(digits), rng) if digits else None


def year(text: str, rng: random.Random) -> str | None:
    """Return the text with a year moved by 2 to 9 years; None without one."""
    years = [m for m in _FIGURE.finditer(text) if _is_year(m.group(1))]
    return _other(text, rng.choice(years), rng) if years else None


def person(text: str, rng: random.Random) -> str | None:
    """Return the text with a politician, party or group changed for another.

    None where none of the lists is named.
    """
    names = [name for name in words.PEOPLE if re.search(rf"\b{name.split()[-1]}\b", text)]
    if names and (rng.random() < 0.8 or not swapped(text, words.GROUPS, rng)):
        name = rng.choice(names)
        other = rng.choice([n for n in words.PEOPLE if n.split()[-1] != name.split()[-1]])
        whole = re.sub(rf"\b{re.escape(name)}\b", other, text)
        return re.sub(rf"\b{name.split()[-1]}\b", other.split()[-1], whole)
    return swapped(text, words.GROUPS, rng)


def place(text: str, rng: random.Random) -> str | None:
    """Return the text with a state, country or city changed for another of its kind.

    None where none is named.
    """
    named = [
        (kind, m)
        for kind in (words.STATES, words.COUNTRIES, words.CITIES)
        for m in _named(kind).finditer(text)
    ]
    if not named:
        return None
    kind, chosen = rng.choice(named)
    other = rng.choice([name for name in kind if name not in text and name not in chosen[0]])
    return re.sub(rf"\b{chosen[0]}\b", other, text)


def direction(text: str, rng: random.Random) -> str | None:
    """Return the text with one direction or comparison turned round; None where there is none."""
    return swapped(text, words.DIRECTIONS, rng)


def quantifier(text: str, rng: random.Random) -> str | None:
    """Return the text with one quantity word changed for one that differs plainly.

    None where there is none.
    """
    fitting = [
        (a, b) for a, b in words.QUANTIFIERS if re.search(rf"(?<!as )(?<!how )\b{a}\b", text)
    ]
    if not fitting:
        return None
    word, other = rng.choice(fitting)
    return re.sub(rf"\b{word}\b", other, text, count=1)


def narrower(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return the text restricted to a part of those it is about."""
    return (
        f"{_unstopped(text)} {rng.choice(words.NARROWER[held_out])}."
        if len(text.split()) < 25
        else None
    )


def wider(text: str, rng: random.Random) -> str | None:
    """Return the text said of a larger place or time; None where it names neither."""
    states = re.compile(
        rf"\b[Ii]n (?:{'|'.join(words.STATES)}|{'|'.join(words.CITIES)}|our state|this state)\b"
    )
    times = re.compile(
        r"\b(?:since (?:19|20)\d\d|last year|this year|in (?:19|20)\d\d|in the (?:last|past) [\w-]+ years)\b"
    )
    country = re.compile(r"\bin (?:America|the U\.S\.|the United States|this country|the country)")
    rules = (
        (states, "in the whole country"),
        (times, "at any time in history"),
        (country, "in the world"),
    )
    fitting = [(rule, other) for rule, other in rules if rule.search(text)]
    if not fitting:
        return None
    rule, other = rng.choice(fitting)
    return rule.sub(other, text, count=1)


def topic(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return a sentence that names what the text is about and claims nothing.

    None where its subject is not found.
    """
    verb = _VERB.search(text)
    subject = inner(text[: verb.start()]) if verb else ""
    if not 2 <= len(subject.split()) <= 12 or subject.split()[0].lower() in words.NO_TOPIC:
        return None
    return rng.choice(words.TOPICS[held_out]).format(x=subject)


def prediction(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return the text as a prediction, a supposition or a wish.

    None where it is about the future itself.
    """
    if re.search(r"\b(will|would|could|going to|plan|plans|if|may|might)\b", text, re.IGNORECASE):
        return None
    return rng.choice(words.PREDICTIONS[held_out]).format(x=inner(text))


def denied(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return the text quoted in order to deny it."""
    return _framed(rng.choice(words.DENIALS[held_out]), text, "")


def rounding(text: str, rng: random.Random) -> str | None:
    """Return the text with a figure rounded by at most 6 % and said to be about that.

    None where none is uneven.
    """
    options = []
    for match in _FIGURE.finditer(text):
        near = _rounded(match.group(1))
        if near and not _is_year(match.group(1)) and not _HEDGE.search(text[: match.start()]):
            options.append((match, *near))
    if not options:
        return None
    match, value, up = rng.choice(options)
    hedge = rng.choice(
        ("nearly", "almost", "close to", "about")
        if up
        else ("more than", "over", "about", "roughly")
    )
    sign = "$" if match.group(0).startswith("$") else ""
    return f"{text[: match.start()]}{hedge} {sign}{value}{text[match.end() :]}"


def reworded(text: str, rng: random.Random) -> str | None:
    """Return the text with up to three words changed for others of the same meaning.

    None where no rule fits.
    """
    return worded_by(words.REWORDINGS, text, rng, most=3)


def fillers(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return the text with one to three filler words put between its words."""
    parts = text.split(" ")
    gaps = [i for i in range(1, len(parts)) if not re.search(r"[\d$%]", parts[i - 1] + parts[i])]
    for i in sorted(rng.sample(gaps, min(rng.randint(1, 3), len(gaps))), reverse=True):
        parts[i - 1] = f"{parts[i - 1].rstrip(',')}, {rng.choice(words.FILLERS[held_out])},"
    return " ".join(parts) if gaps else None


def first_person(text: str, rng: random.Random) -> str | None:
    """Return the text as its speaker says it, or with a pronoun for the name it begins with.

    None if neither fits.
    """
    own = re.match(r"(?:Says )?(?:that )?([Hh]e|[Ss]he) (\w+)", text)
    if own:
        same = {"is": "am", "was": "was", "has": "have", "does": "do"}
        verb = same.get(own[2]) or re.sub(r"(?<=[a-z]{2})s$", "", own[2])
        return f"I {verb}" + re.sub(r"\b(his|her)\b", "my", text[own.end() :])
    name = _PERSON.match(text)
    if (
        name
        and name[1].lower() not in words.SMALL
        and not _named(words.STATES + words.COUNTRIES).match(text)
    ):
        return rng.choice(("He", "She", "My opponent", "This man")) + text[name.end() :]
    group = re.match(
        r"(?:(?:House|Senate|Congressional) )?(?:Republicans|Democrats)(?= [a-z])", text
    )
    return rng.choice(("They", "We")) + text[group.end() :] if group else None


def clause(text: str, rng: random.Random) -> str | None:
    """Return the longer part of a text that joins two, if it holds six words and more than half.

    None otherwise.
    """
    parts = re.split(r"(?:,|;)? (?:but|while|because|even though) ", text, maxsplit=1)
    longest = max(parts, key=len)
    if len(parts) < 2 or len(longest.split()) < 6 or len(longest) < 0.55 * len(text):
        return None
    return longest[:1].upper() + _unstopped(longest)[1:] + "."


def longer(text: str, rng: random.Random, others: Sequence[str], *, held_out: bool = False) -> str:
    """Return a longer sentence that says the text among other things."""
    return _framed(rng.choice(words.LONGER[held_out]), text, rng.choice(others))


def speech(text: str, rng: random.Random) -> str:
    """Return the text as speech recognition gives it.

    Lower case, no punctuation, amounts in words.
    """
    text = re.sub(
        r"\$([\d.,]*\d)( (?:hundred|thousand|million|billion|trillion))?", r"\1\2 dollars", text
    )
    text = re.sub(r"(\d)%", r"\1 percent", text).replace("U.S.", "us")
    if rng.random() < 0.5:
        text = re.sub(r"(?<![\d.,])\d{1,2}(?![\d.,]*\d)", lambda m: spelled(int(m[0])), text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"[^\w\s'.’]|\.(?!\d)|(?<!\w)['’]|['’](?!\w)", " ", text.replace("-", " "))
    return " ".join(text.lower().split())


def spelled(number: int) -> str:
    """Return a number below one hundred in words."""
    if number < 20:
        return words.NUMBER_WORDS[number]
    tens, ones = divmod(number, 10)
    return words.TENS[tens] + (f"-{words.NUMBER_WORDS[ones]}" if ones else "")


def spoken(statement: str) -> str:
    """Return a statement as it was said.

    Without the publisher's frame, quotation marks, brackets and dots left out.
    """
    text = re.sub(r"[\"“”\[\]()]", "", bare(statement).replace("...", " ").replace("…", " "))
    return re.sub(r"\s+([,.;:?!])", r"\1", re.sub(r"\s+", " ", text)).strip()


def inner(text: str) -> str:
    """Return the text for use inside another sentence.

    No full stop, a small first letter unless it is a name's.
    """
    text = _unstopped(text)
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first.lower() in words.SMALL else text


BREAKING: dict[str, Edit] = {
    "figure": figure, "year": year, "person": person, "place": place, "direction": direction, "negation": negated,
    "quantifier": quantifier, "narrower": narrower, "wider": wider, "topic": topic, "prediction": prediction,
    "denied": denied,
}  # fmt: skip
KEEPING: dict[str, Edit] = {
    "rounding": rounding, "reworded": reworded, "fillers": fillers, "pronoun": first_person, "clause": clause,
}  # fmt: skip
WORDED = frozenset(
    {"narrower", "topic", "prediction", "denied", "fillers"}
)  # these have a held-out set of wordings


def kept(
    statement: str, kind: str, rng: random.Random, others: Sequence[str], *, held_out: bool = False
) -> str | None:
    """Return a sentence that makes the statement's claim by an edit of the kind, ``longer``, ``speech`` or ``bare``."""
    if kind == "pronoun":
        return first_person(spoken(statement), rng)
    text = spoken(statement)
    if kind == "bare":
        return text if text != statement else None
    if kind == "longer":
        return longer(text, rng, others, held_out=held_out)
    if kind == "speech":
        return speech(text, rng)
    return _edited(KEEPING[kind], kind, text, rng, held_out)


def broken(statement: str, kind: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return a sentence that makes another claim than the statement by an edit of the kind.

    None where it cannot.
    """
    text = spoken(statement)
    made = _edited(BREAKING[kind], kind, text, rng, held_out)
    return made if made and made != text else None


def noisy(text: str, rng: random.Random, others: Sequence[str], *, names: bool = True) -> str:
    """Return the text with the noise of speech that changes no claim.

    None, or one to four of five kinds.

    ``names``: politicians may become a pronoun, as after they were named once.
    """
    if rng.random() < 0.3:
        return text
    if names and rng.random() < 0.3:
        text = unnamed(text, rng)
    if rng.random() < 0.3:
        text = reworded(text, rng) or text
    around = rng.random()
    if around < 0.5:
        text = longer(text, rng, others) if around < 0.15 else embedded(text, rng, others)
    if rng.random() < 0.25:
        text = fillers(text, rng) or text
    if rng.random() < 0.15:
        text = stuttered(text, rng)
    return speech(text, rng) if rng.random() < 0.4 else text


def embedded(text: str, rng: random.Random, others: Sequence[str]) -> str:
    """Return the text with how other real sentences begin or end around it, up to a comma, if nothing there denies."""
    begins = [
        m[1] for other in rng.sample(others, min(6, len(others))) if (m := _BEGIN.match(other))
    ]
    ends = [m[1] for other in rng.sample(others, min(6, len(others))) if (m := _END.search(other))]
    begin, end = (
        next((part for part in parts if not _DENYING.search(part)), "") for parts in (begins, ends)
    )
    if begin and rng.random() < 0.7:
        text = f"{begin}, {inner(text)}."
    if end and rng.random() < 0.5:
        text = f"{_unstopped(text)}, {end}"
    return text


def stuttered(text: str, rng: random.Random) -> str:
    """Return the text with one to four of its words said twice."""
    parts = text.split(" ")
    start = rng.randrange(len(parts))
    length = rng.randint(1, 4)
    return " ".join([*parts[: start + length], *parts[start:]])


def unnamed(text: str, rng: random.Random) -> str:
    """Return the text with one politician's full name or surname made a pronoun, if one is named."""
    whole = [name for name in words.PEOPLE if re.search(rf"\b{re.escape(name)}\b(?!['’]s)", text)]
    named = whole or [
        name for name in words.PEOPLE if re.search(rf"\b{name.split()[-1]}\b(?!['’]s)", text)
    ]
    if not named:
        return text
    name = rng.choice(named)
    other = "she" if name in words.WOMEN else "he"
    titled = r"(?:President |Sen\. |Secretary |Gov\. )?"
    short = re.sub(rf"{titled}(?:{re.escape(name)}|\b{name.split()[-1]}\b)(?!['’]s)", other, text)
    return short[:1].upper() + short[1:]


def _edited(
    edit: Callable[..., str | None], kind: str, text: str, rng: random.Random, held_out: bool
) -> str | None:
    return edit(text, rng, held_out=held_out) if kind in WORDED else edit(text, rng)


def _framed(frame: str, text: str, other: str) -> str:
    whole = _unstopped(text)
    return frame.format(x=inner(text), X=whole[:1].upper() + whole[1:], other=other)


def _other(text: str, match: re.Match[str], rng: random.Random) -> str:
    return text[: match.start()] + (other_figure(match[0], rng) or match[0]) + text[match.end() :]


def _named(names: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(sorted(names, key=len, reverse=True))})\b")


def _is_year(text: str) -> bool:
    return text.isdigit() and 1900 <= int(text) <= 2060


def _rounded(text: str) -> tuple[str, bool] | None:
    """Return a figure to one or two digits and whether that is more, None where it is round or too far off."""
    value = float(text.replace(",", ""))
    if value < 10:
        return None
    for digits in (1, 2):
        near = float(f"{value:.{digits - 1}e}")
        if near not in (value, 100) and abs(near - value) <= 0.06 * value:
            return (
                f"{near:,.0f}" if near >= 100 or near == int(near) else f"{near:g}"
            ), near > value
    return None


def _unstopped(text: str) -> str:
    return text.strip().rstrip('.!?;,"”').strip()
