"""Complements: "missed more than half" and "attended fewer than half" say the same.

A text that denies, or has the opposite verb, says of one part what the other text says of the rest:
seven in ten do not, three in ten do; two of the forty have opened, 38 of them have not.
"""

from __future__ import annotations

import re
from itertools import product

from features.language.denials import denies, negative_forms
from features.language.exchanged_partners import whole_of_share
from features.language.figure_terms import AT_LEAST, AT_MOST, bound_of_figure
from features.language.figures.numbers import COUNT, PERCENT, Figure
from features.language.interchangeable_words import are_interchangeable
from features.language.stems import content_stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.verb_senses import opposite_verbs

_MAJORITY_PATTERN = re.compile(r"\b(?:most|a majority|the majority|more than half|over half)\b")
_MINORITY_PATTERN = re.compile(
    r"\b(?:less than half|fewer than half|under half|a minority|few|not even half)\b"
)
MAX_ROUNDING_OF_SHARES = 1  # percent, by which two complementary shares may miss 100

# Not to do the one is to do the other, unlike "gain" and "lose".
_COMPLEMENTARY_VERBS = frozenset(
    "attend show_up turn_up miss skip win lose keep break succeed fail pass include exclude".split()
)


def say_complements(pair: TextPair) -> bool:
    """Return whether the texts speak of two parts that make up the whole."""
    has_verbs = _has_complementary_verbs(pair)
    # "Did not miss half" is "attended half", and a denial less or more.
    sentence_denies = denies(pair.sentence.lower_text)
    differs_in_denial = sentence_denies != denies(pair.statement.lower_text)
    if pair.differs_in_denial or differs_in_denial or _has_negative_form(pair):
        differs_in_denial = True
    if differs_in_denial == has_verbs:
        return False
    if _has_majority_and_minority(pair):
        return True
    return _has_complementary_shares(pair, has_verbs) or _has_complementary_counts(pair)


def _has_negative_form(pair: TextPair) -> bool:
    """Return whether one text has the negative form of a word of the other: "unsolved"."""
    texts = (pair.sentence.lower_text, pair.statement.lower_text)
    return bool(negative_forms(*texts) or negative_forms(*texts[::-1]))


def _has_majority_and_minority(pair: TextPair) -> bool:
    """Return whether one text speaks of most and the other of less than half."""
    texts = (pair.sentence.lower_text, pair.statement.lower_text)
    for text, other in (texts, texts[::-1]):
        if _MAJORITY_PATTERN.search(text) and _MINORITY_PATTERN.search(other):
            return True
    return False


def _has_complementary_verbs(pair: TextPair) -> bool:
    for verb, other_verb in opposite_verbs(pair.sentence.lower_text, pair.statement.lower_text):
        if {verb.base, other_verb.base} <= _COMPLEMENTARY_VERBS:
            return True
    return False


def _has_complementary_shares(pair: TextPair, has_verbs: bool) -> bool:
    """Return whether the only share of each text is the rest of the other's: 30 and 70 percent."""
    sentence_shares = _figures_of_kind(pair.sentence, PERCENT)
    statement_shares = _figures_of_kind(pair.statement, PERCENT)
    if len(sentence_shares) != 1 or len(statement_shares) != 1:
        return False
    said = sentence_shares[0].low
    claimed = statement_shares[0].low
    if _are_of_other_wholes(pair, sentence_shares[0], statement_shares[0]):
        return False
    if abs(said + claimed - 100) >= MAX_ROUNDING_OF_SHARES:
        return False
    bounds = {
        bound_of_figure(pair.sentence, sentence_shares[0]),
        bound_of_figure(pair.statement, statement_shares[0]),
    }
    has_other_bounds = bounds == {AT_LEAST, AT_MOST}
    has_same_bound = len(bounds) == 1 and "" not in bounds
    # "Never lost half" denies "lost half".
    return has_other_bounds or (not has_same_bound and (said != claimed or has_verbs))


def _are_of_other_wholes(pair: TextPair, said: Figure, claimed: Figure) -> bool:
    """Return whether two shares are of other things: "of the harbor fees", "of the harbor taxes"."""
    said_whole = whole_of_share(pair.sentence, said)
    claimed_whole = whole_of_share(pair.statement, claimed)
    if not said_whole or not claimed_whole:
        return False
    said_noun = said_whole[-1]
    claimed_noun = claimed_whole[-1]
    is_said_noun_shared = content_stem(said_noun) in pair.statement.words
    is_claimed_noun_shared = content_stem(claimed_noun) in pair.sentence.words
    if is_said_noun_shared or is_claimed_noun_shared:
        return False
    return not are_interchangeable(said_noun, claimed_noun)


def _has_complementary_counts(pair: TextPair) -> bool:
    """Return whether both texts have a total, and each another part of it: 2 of 40, 38 of 40."""
    sentence_counts = {figure.low for figure in _figures_of_kind(pair.sentence, COUNT)}
    statement_counts = {figure.low for figure in _figures_of_kind(pair.statement, COUNT)}
    for total in sentence_counts & statement_counts:
        for part, rest in product(sentence_counts - {total}, statement_counts - {total}):
            if part != rest and part + rest == total:
                return True
    return False


def _figures_of_kind(text: AnalysedText, kind: str) -> list[Figure]:
    return [figure for figure in text.particulars.numbers if figure.kind == kind]
