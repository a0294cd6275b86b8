"""The words of a text, each with whether another text has it in any form."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from features.language.abbreviations import spelled_like
from features.language.agreement import pair_figures, particulars
from features.language.figures.dates import DateMention
from features.language.figures.numbers import Figure
from features.language.group_words import countries
from features.language.interchangeable_words import are_interchangeable
from features.language.verb_senses import are_synonyms
from features.language.vocabulary import Vocabulary, vocabulary, word_topic

_WORD_OR_MARK_PATTERN = re.compile(
    r"\$?\d(?:[\d,.]*\d)?(?:%|(?:st|nd|rd|th|s)\b)?|[A-Za-z]\.(?:[A-Za-z]\.)+|"
    r"\b(?:Mr|Mrs|Ms|Dr|Sen|Gov|Rep|No|St|Jan|Feb|Aug|Sept|Oct|Nov|Dec)\.|"
    r"[A-Za-z]+(?:[-'’.][A-Za-z]+)*['’]?|--|\.\.\.|[^\sA-Za-z0-9]"
)
# Words that speak of nothing in particular elsewhere
_QUANTITIES = frozenset(
    "nothing nobody thousands hundreds millions billions trillions half worst worse best "
    "better".split()
)
_WORD_OF_ORDINAL = {
    "1st": "first",
    "2nd": "second",
    "3rd": "third",
    "4th": "fourth",
    "5th": "fifth",
    "6th": "sixth",
    "7th": "seventh",
    "8th": "eighth",
    "9th": "ninth",
    "10th": "tenth",
}


@dataclass(frozen=True, slots=True)
class ComparedWord:
    """A word, figure or mark of a text: what it has to do with the other text."""

    text: str
    lower: str  # in small letters, with plain apostrophes
    start: int
    end: int
    is_mark: bool
    is_figure: bool
    has_content: bool
    is_known: bool  # the other text has it in any form

    @property
    def is_rank(self) -> bool:
        """Whether the word is an ordinal: "16th"."""
        return self.is_figure and self.lower.endswith(("st", "nd", "rd", "th"))

    @property
    def is_new(self) -> bool:
        """Whether the word speaks of something of which the other text says nothing."""
        return self.has_content and not self.is_known


def known_figures(text: str, other_text: str) -> list[Figure]:
    """Return the figures of a text that another text has, too."""
    equal_pairs, _, _ = pair_figures(particulars(text).numbers, particulars(other_text).numbers)
    return [figure for figure, _, _ in equal_pairs]


def _known_dates(text: str, other_text: str) -> list[DateMention]:
    """Return the dates of a text that another text has, too: "in fifty-two" beside "in 1952"."""
    other_periods = {date_mention.period for date_mention in particulars(other_text).dates}
    return [
        date_mention
        for date_mention in particulars(text).dates
        if date_mention.is_calendar_date and date_mention.period in other_periods
    ]


@lru_cache(maxsize=16)
def compared_words(text: str, other_text: str) -> tuple[ComparedWord, ...]:
    """Return the words and marks of a text, each with whether the other text has it."""
    known_values: list[Figure | DateMention] = [
        *known_figures(text, other_text),
        *_known_dates(text, other_text),
    ]
    other_vocabulary = vocabulary(f"{other_text} {spelled_like(other_text, text)}")
    lower_other_text = other_text.casefold()
    words = []
    for match in _WORD_OR_MARK_PATTERN.finditer(text):
        word = match[0]
        is_figure = any(character.isdigit() for character in word)
        is_mark = not is_figure and not word[0].isalpha()
        lower_word = word.casefold().replace("’", "'")
        is_quantity = lower_word in _QUANTITIES
        has_content = is_figure or is_quantity or (not is_mark and bool(word_topic(word)))
        is_known = any(value.start <= match.start() < value.end for value in known_values)
        if is_figure:
            is_known = is_known or _has_figure(lower_other_text, word)
        elif is_quantity:
            is_known = is_known or re.search(rf"\b{lower_word}\b", lower_other_text) is not None
        elif has_content:
            is_known = is_known or _is_known_word(word, lower_other_text, other_vocabulary)
        words.append(
            ComparedWord(
                word,
                lower_word,
                match.start(),
                match.end(),
                is_mark=is_mark,
                is_figure=is_figure,
                has_content=has_content,
                is_known=is_known,
            )
        )
    return tuple(words)


def _has_figure(lower_text: str, figure: str) -> bool:
    """Return whether a text has a figure in the same digits."""
    ordinal = _WORD_OF_ORDINAL.get(figure.casefold())
    if ordinal:
        return re.search(rf"\b(?:{figure}|{ordinal})\b", lower_text, re.I) is not None
    digits = re.escape(figure.strip("$%.,"))
    return re.search(rf"(?<![\d.,]){digits}(?!\d|[.,]\d)", lower_text) is not None


def has_word_or_part(word: str, lower_text: str, text_vocabulary: Vocabulary) -> bool:
    """Return whether a text has a word or one of the words that a hyphen joins in it."""
    if any(text_vocabulary.has(part) for part in word.split("-") if part):
        return True
    return "-" in word and word.casefold() in lower_text


def _is_known_word(word: str, lower_other_text: str, other_vocabulary: Vocabulary) -> bool:
    """Return whether another text has a word, a part of it, or a word of the same meaning."""
    if has_word_or_part(word, lower_other_text, other_vocabulary):
        return True
    lower_word = word.casefold()
    if are_synonyms(lower_word, lower_other_text):
        return True
    if are_interchangeable(lower_word, lower_other_text):
        return True
    # "French" is known where "France" is.
    return not countries(lower_word).keys().isdisjoint(countries(lower_other_text))
