"""Edits of a statement into a sentence that makes the same claim, or another one, with the noise of speech.

A keeping edit leaves a sentence that a fact-check of the statement would settle. A breaking edit
does not: another figure, year, person, place, direction or quantity; negated, denied, predicted or
supposed; narrower, wider, or the bare topic. Both get the same noise of speech, so that noise
gives no label away. English surface forms only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Sequence

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
    number_words = words.NUMBER_WORDS[2:]
    spelled_figures = list(re.finditer(rf"\b({'|'.join(number_words)})\b", text))
    digit_figures = [match for match in _FIGURE.finditer(text) if not _is_year(match.group(1))]
    if spelled_figures and (not digit_figures or rng.random() < 0.3):
        match = rng.choice(spelled_figures)
        number = words.NUMBER_WORDS.index(match[0])
        replacements = [word for i, word in enumerate(number_words, 2) if abs(i - number) > 1]
        return text[: match.start()] + rng.choice(replacements) + text[match.end() :]
    if not digit_figures:
        return None
    return _with_other_figure(text, rng.choice(digit_figures), rng)


def year(text: str, rng: random.Random) -> str | None:
    """Return the text with a year moved by 2 to 9 years; None without one."""
    years = [match for match in _FIGURE.finditer(text) if _is_year(match.group(1))]
    if not years:
        return None
    return _with_other_figure(text, rng.choice(years), rng)


def person(text: str, rng: random.Random) -> str | None:
    """Return the text with a politician, party or group changed for another.

    None where none of the lists is named.
    """
    names = [name for name in words.PEOPLE if re.search(rf"\b{_surname(name)}\b", text)]
    if names and (rng.random() < 0.8 or not swapped(text, words.GROUPS, rng)):
        name = rng.choice(names)
        surname = _surname(name)
        replacement = rng.choice(
            [other_person for other_person in words.PEOPLE if _surname(other_person) != surname]
        )
        edited = re.sub(rf"\b{re.escape(name)}\b", replacement, text)
        return re.sub(rf"\b{surname}\b", _surname(replacement), edited)
    return swapped(text, words.GROUPS, rng)


def _surname(name: str) -> str:
    return name.split()[-1]


def place(text: str, rng: random.Random) -> str | None:
    """Return the text with a state, country or city changed for another of its kind.

    None where none is named.
    """
    mentions = []
    for place_names in (words.STATES, words.COUNTRIES, words.CITIES):
        for match in _name_pattern(place_names).finditer(text):
            mentions.append((place_names, match[0]))
    if not mentions:
        return None
    place_names, mention = rng.choice(mentions)
    replacement = rng.choice(
        [name for name in place_names if name not in text and name not in mention]
    )
    return re.sub(rf"\b{mention}\b", replacement, text)


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
    word, replacement = rng.choice(fitting)
    return re.sub(rf"\b{word}\b", replacement, text, count=1)


def narrower(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return the text restricted to a part of those it is about."""
    if len(text.split()) >= 25:
        return None
    restriction = rng.choice(words.NARROWER[held_out])
    return f"{_unstopped(text)} {restriction}."


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
    fitting = [(rule, replacement) for rule, replacement in rules if rule.search(text)]
    if not fitting:
        return None
    rule, replacement = rng.choice(fitting)
    return rule.sub(replacement, text, count=1)


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
        rounded = _rounded(match.group(1))
        hedged = _HEDGE.search(text[: match.start()])
        if rounded and not _is_year(match.group(1)) and not hedged:
            options.append((match, *rounded))
    if not options:
        return None
    match, value, rounded_up = rng.choice(options)
    hedges = ("more than", "over", "about", "roughly")
    if rounded_up:
        hedges = ("nearly", "almost", "close to", "about")
    hedge = rng.choice(hedges)
    sign = "$" if match.group(0).startswith("$") else ""
    return f"{text[: match.start()]}{hedge} {sign}{value}{text[match.end() :]}"


def reworded(text: str, rng: random.Random) -> str | None:
    """Return the text with up to three words changed for others of the same meaning.

    None where no rule fits.
    """
    return worded_by(words.REWORDINGS, text, rng, most=3)


def fillers(text: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return the text with one to three filler words put between its words."""
    tokens = text.split(" ")
    gaps = []
    for i in range(1, len(tokens)):
        if not re.search(r"[\d$%]", tokens[i - 1] + tokens[i]):
            gaps.append(i)
    count = min(rng.randint(1, 3), len(gaps))
    for i in sorted(rng.sample(gaps, count), reverse=True):
        filler = rng.choice(words.FILLERS[held_out])
        tokens[i - 1] = f"{tokens[i - 1].rstrip(',')}, {filler},"
    return " ".join(tokens) if gaps else None


def first_person(text: str, rng: random.Random) -> str | None:
    """Return the text as its speaker says it, or with a pronoun for the name it begins with.

    None if neither fits.
    """
    opening = re.match(r"(?:Says )?(?:that )?([Hh]e|[Ss]he) (\w+)", text)
    if opening:
        first_person_forms = {"is": "am", "was": "was", "has": "have", "does": "do"}
        without_ending = re.sub(r"(?<=[a-z]{2})s$", "", opening[2])
        verb = first_person_forms.get(opening[2]) or without_ending
        return f"I {verb}" + re.sub(r"\b(his|her)\b", "my", text[opening.end() :])
    name = _PERSON.match(text)
    place_names = words.STATES + words.COUNTRIES
    if name and name[1].lower() not in words.SMALL and not _name_pattern(place_names).match(text):
        return rng.choice(("He", "She", "My opponent", "This man")) + text[name.end() :]
    group = re.match(
        r"(?:(?:House|Senate|Congressional) )?(?:Republicans|Democrats)(?= [a-z])", text
    )
    if not group:
        return None
    return rng.choice(("They", "We")) + text[group.end() :]


def clause(text: str, rng: random.Random) -> str | None:
    """Return the longer part of a text that joins two, if it holds six words and more than half.

    None otherwise.
    """
    clauses = re.split(r"(?:,|;)? (?:but|while|because|even though) ", text, maxsplit=1)
    longest = max(clauses, key=len)
    if len(clauses) < 2 or len(longest.split()) < 6 or len(longest) < 0.55 * len(text):
        return None
    return longest[:1].upper() + _unstopped(longest)[1:] + "."


def longer(
    text: str, rng: random.Random, other_sentences: Sequence[str], *, held_out: bool = False
) -> str:
    """Return a longer sentence that says the text among other things."""
    return _framed(rng.choice(words.LONGER[held_out]), text, rng.choice(other_sentences))


def speech(text: str, rng: random.Random) -> str:
    """Return the text as speech recognition gives it.

    Lower case, no punctuation, amounts in words.
    """
    dollars = r"\$([\d.,]*\d)( (?:hundred|thousand|million|billion|trillion))?"
    text = re.sub(dollars, r"\1\2 dollars", text)
    text = re.sub(r"(\d)%", r"\1 percent", text)
    text = text.replace("U.S.", "us")
    if rng.random() < 0.5:
        text = re.sub(r"(?<![\d.,])\d{1,2}(?![\d.,]*\d)", lambda m: spelled(int(m[0])), text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = text.replace("-", " ")
    text = re.sub(r"[^\w\s'.’]|\.(?!\d)|(?<!\w)['’]|['’](?!\w)", " ", text)
    return " ".join(text.lower().split())


def spelled(number: int) -> str:
    """Return a number below one hundred in words."""
    if number < 20:
        return words.NUMBER_WORDS[number]
    tens, units = divmod(number, 10)
    if not units:
        return words.TENS[tens]
    return f"{words.TENS[tens]}-{words.NUMBER_WORDS[units]}"


def spoken(statement: str) -> str:
    """Return a statement as it was said.

    Without the publisher's frame, quotation marks, brackets and dots left out.
    """
    text = bare(statement).replace("...", " ").replace("…", " ")
    text = re.sub(r"[\"“”\[\]()]", "", text)
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"\s+([,.;:?!])", r"\1", text).strip()


def inner(text: str) -> str:
    """Return the text for use inside another sentence.

    No full stop, a small first letter unless it is a name's.
    """
    text = _unstopped(text)
    first_word = text.split(" ", 1)[0]
    if first_word.lower() not in words.SMALL:
        return text
    return text[:1].lower() + text[1:]


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
    statement: str,
    kind: str,
    rng: random.Random,
    other_sentences: Sequence[str],
    *,
    held_out: bool = False,
) -> str | None:
    """Return a sentence that makes the statement's claim by an edit of the kind, ``longer``, ``speech`` or ``bare``."""
    if kind == "pronoun":
        return first_person(spoken(statement), rng)
    text = spoken(statement)
    if kind == "bare":
        return text if text != statement else None
    if kind == "longer":
        return longer(text, rng, other_sentences, held_out=held_out)
    if kind == "speech":
        return speech(text, rng)
    return _edited(KEEPING[kind], kind, text, rng, held_out)


def broken(statement: str, kind: str, rng: random.Random, *, held_out: bool = False) -> str | None:
    """Return a sentence that makes another claim than the statement by an edit of the kind.

    None where it cannot.
    """
    text = spoken(statement)
    edited = _edited(BREAKING[kind], kind, text, rng, held_out)
    if not edited or edited == text:
        return None
    return edited


def noisy(
    text: str, rng: random.Random, other_sentences: Sequence[str], *, names: bool = True
) -> str:
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
    frame_draw = rng.random()
    if frame_draw < 0.15:
        text = longer(text, rng, other_sentences)
    elif frame_draw < 0.5:
        text = embedded(text, rng, other_sentences)
    if rng.random() < 0.25:
        text = fillers(text, rng) or text
    if rng.random() < 0.15:
        text = stuttered(text, rng)
    if rng.random() < 0.4:
        text = speech(text, rng)
    return text


def embedded(text: str, rng: random.Random, other_sentences: Sequence[str]) -> str:
    """Return the text with how other real sentences begin or end around it, up to a comma, if nothing there denies."""
    sample_size = min(6, len(other_sentences))
    begin_matches = [
        _BEGIN.match(sentence) for sentence in rng.sample(other_sentences, sample_size)
    ]
    end_matches = [_END.search(sentence) for sentence in rng.sample(other_sentences, sample_size)]
    begin = _first_not_denying(begin_matches)
    end = _first_not_denying(end_matches)
    if begin and rng.random() < 0.7:
        text = f"{begin}, {inner(text)}."
    if end and rng.random() < 0.5:
        text = f"{_unstopped(text)}, {end}"
    return text


def _first_not_denying(matches: Iterable[re.Match[str] | None]) -> str:
    """Return the first matched clause without a denial, "" if every one has a denial."""
    for match in matches:
        if match and not _DENYING.search(match[1]):
            return match[1]
    return ""


def stuttered(text: str, rng: random.Random) -> str:
    """Return the text with one to four of its words said twice."""
    tokens = text.split(" ")
    start = rng.randrange(len(tokens))
    length = rng.randint(1, 4)
    return " ".join([*tokens[: start + length], *tokens[start:]])


def unnamed(text: str, rng: random.Random) -> str:
    """Return the text with one politician's full name or surname made a pronoun, if one is named."""
    not_possessive = r"(?!['’]s)"
    full_names = []
    surnames_only = []
    for name in words.PEOPLE:
        if re.search(rf"\b{re.escape(name)}\b{not_possessive}", text):
            full_names.append(name)
        if re.search(rf"\b{_surname(name)}\b{not_possessive}", text):
            surnames_only.append(name)
    names = full_names or surnames_only
    if not names:
        return text
    name = rng.choice(names)
    pronoun = "she" if name in words.WOMEN else "he"
    title = r"(?:President |Sen\. |Secretary |Gov\. )?"
    mention = rf"{title}(?:{re.escape(name)}|\b{_surname(name)}\b){not_possessive}"
    edited = re.sub(mention, pronoun, text)
    return edited[:1].upper() + edited[1:]


def _edited(
    edit: Callable[..., str | None], kind: str, text: str, rng: random.Random, held_out: bool
) -> str | None:
    if kind in WORDED:
        return edit(text, rng, held_out=held_out)
    return edit(text, rng)


def _framed(frame: str, text: str, other_sentence: str) -> str:
    unstopped = _unstopped(text)
    capitalised = unstopped[:1].upper() + unstopped[1:]
    return frame.format(x=inner(text), X=capitalised, other=other_sentence)


def _with_other_figure(text: str, match: re.Match[str], rng: random.Random) -> str:
    replacement = other_figure(match[0], rng) or match[0]
    return text[: match.start()] + replacement + text[match.end() :]


def _name_pattern(names: Sequence[str]) -> re.Pattern[str]:
    longest_first = sorted(names, key=len, reverse=True)
    return re.compile(rf"\b(?:{'|'.join(longest_first)})\b")


def _is_year(text: str) -> bool:
    return text.isdigit() and 1900 <= int(text) <= 2060


def _rounded(text: str) -> tuple[str, bool] | None:
    """Return a figure rounded to one or two digits and whether it went up, None if neither fits."""
    value = float(text.replace(",", ""))
    if value < 10:
        return None
    for digits in (1, 2):
        rounded = float(f"{value:.{digits - 1}e}")
        if rounded in (value, 100) or abs(rounded - value) > 0.06 * value:
            continue
        if rounded >= 100 or rounded == int(rounded):
            return f"{rounded:,.0f}", rounded > value
        return f"{rounded:g}", rounded > value
    return None


def _unstopped(text: str) -> str:
    return text.strip().rstrip('.!?;,"”').strip()
