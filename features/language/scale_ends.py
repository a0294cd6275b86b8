"""Comparisons: the end of a scale at which a text ranks its subject, and which thing has more.

"No ferry is slower than ours" makes ours the slowest, and not the fastest. "Tolls in Ames are not
as high as in Lorne" says that they are lower in Ames, or higher in Lorne.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from features.language.denials import denial_of_equals, denies
from features.language.function_words import FUNCTION_WORDS
from features.language.interchangeable_words import are_interchangeable
from features.language.stems import content_stem
from features.language.text_pairs import FIGURE_MARK, AnalysedText, TextPair
from features.language.word_clashes import Clash

# One scale per line, with a bar between the qualities of its upper and of its lower end
_SCALES = """
    many much | few little
    high | low
    large big great huge | small tiny
    fast quick | slow
    long tall | short
    old | young new
    rich wealthy | poor
    strong | weak
    good | bad
    expensive costly | cheap
    hot warm | cold cool
    safe | dangerous deadly violent
    clean | dirty
    deep | shallow
    wide broad | narrow
    easy | hard difficult
    heavy | light
    busy | quiet
"""
_IRREGULAR_COMPARATIVES = {"many": "more", "much": "more", "little": "less", "good": "better"}
_IRREGULAR_COMPARATIVES |= {"well": "better", "bad": "worse", "badly": "worse"}
_IRREGULAR_SUPERLATIVES = {"many": "most", "much": "most", "little": "least", "good": "best"}
_IRREGULAR_SUPERLATIVES |= {"bad": "worst"}
_POSITIVE = "positive"
_COMPARATIVE = "comparative"
_SUPERLATIVE = "superlative"
_DEGREE_OF_WORD = {
    "more": _COMPARATIVE,
    "less": _COMPARATIVE,
    "most": _SUPERLATIVE,
    "least": _SUPERLATIVE,
}
_WORDS_FOR_LOWER_DEGREE = ("less", "least")

# "Most pilots" are a majority, and "at most" is a bound.
_BEFORE_SUPERLATIVE_PATTERN = re.compile(r"(?:\b(?:the|my|our|its|their|his|her)|'s?) $")
_BEFORE_COMPARED_QUALITY_PATTERN = re.compile(r"\b(?:as|so|that|this|such) $")
_THAN_ALL_PATTERN = re.compile(
    r"[^.;:!?—–]{0,60}?\bthan (?:by |in |at |on |to |for |from |with )?"
    r"(?:any|all|every|ever|anyone|anybody|anything)\b"
)
# "All others have higher rents than we do", "every other town is larger"
ALL_OTHERS_PATTERN = re.compile(
    r"\b(?:everybody|everyone) else\b[^.;:!?]{0,80}\bthan\b|"
    r"\b(?:every|all|all the) other\b[^.;:!?]{0,80}\bthan\b"
)
_NOT_AS_PATTERN = re.compile(
    r"(?:\b(?:not|never)\b|n't\b)(?: [a-z]+)? (?:as|so) (?P<quality>[a-z]+)\b"
    r"[^.,;:!?]{0,60}? (?P<joint>as)\b"
)
_MORE_THAN_PATTERN = re.compile(
    r"\b(?:(?P<degree>more|less) (?=[a-z]+ than\b))?"
    r"(?P<comparative>(?<=less )[a-z]+|(?<=more )[a-z]+|more|less|fewer|worse|[a-z]{3,}er)\b"
    r"[^.,;:!?]{0,60}? (?P<joint>than)\b"
)
# How a text ranks its subject: as the first, as the second or third, or by comparison with all
_FIRST_PLACE = "first"
_LATER_PLACE = "later"
_OF_ALL = "of all"
_ORDINAL_BEFORE_PATTERN = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:st|nd|rd|th))[- ]$"
)


class _DegreeWord(NamedTuple):
    """A word for an end of a scale: "higher" is the comparative of the upper end of a scale."""

    scale: int
    is_upper: bool
    degree: str
    start: int
    end: int


class _End(NamedTuple):
    """The end of a scale at which a text ranks its subject, with the words for it and its noun."""

    is_upper: bool
    words: str
    noun: str
    place: str


def _comparatives(quality: str) -> set[str]:
    """Return the possible comparatives of a quality: "larger", "bigger", "heavier"."""
    if quality in _IRREGULAR_COMPARATIVES:
        return {_IRREGULAR_COMPARATIVES[quality]}
    return {f"{quality}er", f"{quality}r", f"{quality}{quality[-1]}er", f"{quality[:-1]}ier"}


def _superlatives(quality: str) -> set[str]:
    if quality in _IRREGULAR_SUPERLATIVES:
        return {_IRREGULAR_SUPERLATIVES[quality]}
    return {f"{comparative[:-1]}st" for comparative in _comparatives(quality)}


def _table_of_words() -> dict[str, tuple[int, bool, str]]:
    """Return the scale of each word, whether it is of the upper end, and its degree."""
    table: dict[str, tuple[int, bool, str]] = {}
    for scale, line in enumerate(_SCALES.strip().splitlines()):
        for is_upper, qualities in zip((True, False), line.split("|"), strict=True):
            for quality in qualities.split():
                table[quality] = (scale, is_upper, _POSITIVE)
                for word in _comparatives(quality):
                    table[word] = (scale, is_upper, _COMPARATIVE)
                for word in _superlatives(quality):
                    table[word] = (scale, is_upper, _SUPERLATIVE)
    return table


_TABLE_OF_WORDS = _table_of_words()
_DEGREE_WORD_PATTERN = re.compile(
    rf"\b(?:(?P<degree>more|less|most|least) )?(?P<word>{'|'.join(sorted(_TABLE_OF_WORDS))})\b"
)


def denies_equality(pair: TextPair) -> bool:
    """Return whether one text says "not as high as" and the other "lower than", of the same things.

    With the things exchanged, "higher than" says the same.
    """
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        not_as = _NOT_AS_PATTERN.search(text.lower_text)
        if not_as is None or denies(other.lower_text):
            continue
        for more_than in _MORE_THAN_PATTERN.finditer(other.lower_text):
            is_upper = _is_of_same_end(not_as["quality"], more_than)
            if is_upper is None:
                continue
            are_exchanged = _have_moved(text, not_as.start("joint"), other, more_than)
            if are_exchanged == is_upper:
                return True
    return False


def _is_of_same_end(quality: str, more_than: re.Match[str]) -> bool | None:
    """Return whether "higher than" is of the same end as "as high as", None if the scales differ."""
    comparative = more_than["comparative"]
    if more_than["degree"]:
        same_quality = comparative == quality
        return more_than["degree"] == "more" if same_quality else None
    if comparative in _comparatives(quality):
        return True
    scale, is_upper, _ = _TABLE_OF_WORDS.get(quality, (None, True, ""))
    other_scale, is_other_upper, _ = _TABLE_OF_WORDS.get(comparative, (None, True, ""))
    if scale is None or scale != other_scale:
        return None
    return is_upper == is_other_upper


def _have_moved(
    text: AnalysedText, joint: int, other: AnalysedText, more_than: re.Match[str]
) -> bool:
    """Return whether a word is before "as" in one text and after "than" in the other."""
    before, after = _words_around(text, joint)
    other_before, other_after = _words_around(other, more_than.start("joint"))
    return bool(before & other_after or after & other_before)


def _words_around(text: AnalysedText, position: int) -> tuple[set[str], set[str]]:
    """Return the content words that are only before a position, and those only after it."""
    before: set[str] = set()
    after: set[str] = set()
    for word, start in zip(text.words, text.word_starts, strict=True):
        if word.startswith(FIGURE_MARK):
            continue
        words_of_side = before if start < position else after
        words_of_side.add(word)
    return before - after, after - before


def other_end(pair: TextPair) -> Clash | None:
    """Return "slower" and "fastest" if the texts rank their subject at opposite ends of a scale."""
    ends = _ends(pair.sentence.lower_text)
    other_ends = _ends(pair.statement.lower_text)
    for scale in sorted(ends.keys() & other_ends.keys()):
        end = ends[scale]
        other = other_ends[scale]
        # "Fewest jobs" and "most prisons" are ends of other things.
        have_other_nouns = end.noun and other.noun and not _are_same_noun(end.noun, other.noun)
        # "No port is larger" and "the fourth largest port"
        has_other_rank = sorted((end.place, other.place)) == [_LATER_PLACE, _OF_ALL]
        if (end.is_upper != other.is_upper or has_other_rank) and not have_other_nouns:
            return Clash(end.words, other.words)
    return None


def _are_same_noun(noun: str, other: str) -> bool:
    return content_stem(noun) == content_stem(other) or are_interchangeable(noun, other)


@lru_cache(maxsize=1 << 14)
def _ends(lower_text: str) -> dict[int, _End]:
    """Return the end at which a text ranks its subject by scale, without scales with both ends."""
    end_by_scale: dict[int, _End] = {}
    ambiguous_scales = set()
    for word, is_upper in _ranking_words(lower_text):
        words_after = lower_text[word.end :].split()[:1]
        next_word = words_after[0].strip(".,;:!?'\"") if words_after else ""
        noun = "" if next_word in FUNCTION_WORDS else next_word
        ordinal = _ORDINAL_BEFORE_PATTERN.search(lower_text, 0, word.start)
        place = _FIRST_PLACE if word.degree == _SUPERLATIVE else _OF_ALL
        if ordinal is not None and word.degree == _SUPERLATIVE:
            place = _LATER_PLACE
        start = ordinal.start() if ordinal else word.start
        end = _End(is_upper, lower_text[start : word.end], noun, place)
        if end_by_scale.setdefault(word.scale, end).is_upper != is_upper:
            ambiguous_scales.add(word.scale)
    return {scale: end for scale, end in end_by_scale.items() if scale not in ambiguous_scales}


def _ranking_words(lower_text: str) -> Iterator[tuple[_DegreeWord, bool]]:
    """Yield the words by which a text ranks its subject, each with whether it is the upper end."""
    denial = denial_of_equals(lower_text)
    if denial is None and denies(lower_text):
        return
    all_others = ALL_OTHERS_PATTERN.search(lower_text)
    for word in _degree_words(lower_text):
        if word.degree == _SUPERLATIVE:
            yield word, word.is_upper
            continue
        is_compared = word.degree == _COMPARATIVE or _BEFORE_COMPARED_QUALITY_PATTERN.search(
            lower_text, 0, word.start
        )
        if not is_compared:
            continue
        if denial is not None and denial.start() < word.start < denial.end():
            yield word, word.is_upper
        elif all_others is not None and all_others.start() < word.start < all_others.end():
            yield word, not word.is_upper
        elif _THAN_ALL_PATTERN.match(lower_text, word.end):
            yield word, word.is_upper


def _degree_words(lower_text: str) -> Iterator[_DegreeWord]:
    """Yield the words of the scales in a text: "higher", "less safe", "the fewest"."""
    for match in _DEGREE_WORD_PATTERN.finditer(lower_text):
        scale, is_upper, degree = _TABLE_OF_WORDS[match["word"]]
        word_of_degree = match["degree"]
        if word_of_degree and degree == _POSITIVE:
            degree = _DEGREE_OF_WORD[word_of_degree]
            is_upper = is_upper != (word_of_degree in _WORDS_FOR_LOWER_DEGREE)
        is_bare_most = match[0] in ("most", "least")
        if is_bare_most and not _BEFORE_SUPERLATIVE_PATTERN.search(lower_text, 0, match.start()):
            continue
        yield _DegreeWord(scale, is_upper, degree, match.start(), match.end())
