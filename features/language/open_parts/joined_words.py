"""Words that a text joins by "and" or "or" to a word of another text: "income and wealth"."""

from __future__ import annotations

import re

from features.language.open_parts.lists import precedes_noun
from features.language.sentence_parts import has_finite_verb, looks_like_verb
from features.language.vocabulary import Vocabulary, content_words, vocabulary, word_topic
from features.language.word_clashes import Clash

MIN_CONJUNCT_LETTERS = 4
MIN_COMMON_ENDING = 7  # letters of two adjectives with one stem: "employed"

_NAME_OR_WORD = r"(?:[A-Z][\w'’-]{1,40}(?: [A-Z][\w'’-]{1,40}){0,3}|[a-z][\w'’-]{1,40})"
_CONJUNCTION_PATTERN = re.compile(
    rf"\b(?:the )?(?P<first>{_NAME_OR_WORD}) (?:and|or) (?:the |our |"
    rf"their )?(?P<second>{_NAME_OR_WORD})"
)
_FINAL_NOUN_PATTERN = re.compile(r" (?P<noun>[a-z]{4,})(?=[.,;:!?]|$)")
_RANGE_OPENING_PATTERN = re.compile(r"\b(?:between|whether(?: [\w'’]+){0,2}) $", re.I)
_ADVERBS_BESIDE_AND = frozenset("thus therefore hence moreover often seldom".split())
_ORDINALS = frozenset("first second third last next latter former".split())
_MARK_PATTERN = re.compile(r"[.,;:!?—–]")
_NEXT_WORD_PATTERN = re.compile(r" (?!(?:who|that|\w+ed)\b)([a-z]+)\b")
_FINITE_VERB_AFTER_PATTERN = re.compile(
    r" (?:is|are|was|were|has|have|had|does|do|did|will|would|can|could|may|might|must)\b", re.I
)


def members_clash(text: str, other_text: str, other_vocabulary: Vocabulary) -> Clash | None:
    """Return "income and wealth" and "income" if a text joins a word that the other lacks, or None.

    The words of the text come first. ``other_vocabulary`` is the vocabulary of the other text.
    """
    for conjunction in _CONJUNCTION_PATTERN.finditer(text):
        if not _joins_members(text, conjunction):
            continue
        known_word = _only_known(conjunction["first"], conjunction["second"], other_vocabulary)
        known_word_there = _as_written(known_word, other_text)
        if known_word and not _is_joined(known_word_there, other_text):
            ending = _noun_after(text, conjunction.end())
            return Clash(conjunction[0] + ending, known_word_there)
    return None


def _joins_members(text: str, conjunction: re.Match[str]) -> bool:
    """Return whether "and" joins two names, nouns or like adjectives: "income and wealth"."""
    first_noun = conjunction["first"]
    second_noun = conjunction["second"]
    # "The cleanest and sharpest"
    if first_noun.endswith("est") and second_noun.endswith("est"):
        return False
    are_nouns = _is_joined_noun(first_noun) and _is_joined_noun(second_noun)
    if not are_nouns and not _are_like_adjectives(first_noun, second_noun):
        return False
    # Two names or two common nouns. The first word of a text has a capital anyway.
    begins_text = conjunction.start() == 0
    if not begins_text and first_noun[0].isupper() != second_noun[0].isupper():
        return False
    # "The Russian and Syrian air forces" and "the dealers and the criminal gangs" go on.
    may_go_on = second_noun[0].isupper() or " the " in conjunction[0]
    if may_go_on and precedes_noun(text, conjunction.end()):
        return False
    return not _joins_clauses(text, conjunction) and not _joins_no_nouns(text, conjunction)


def _noun_after(text: str, position: int) -> str:
    """Return the noun of "billionaires and profitable | corporations", "" if none follows."""
    noun_match = _FINAL_NOUN_PATTERN.match(text, position)
    if noun_match is None or not _is_joined_noun(noun_match["noun"]):
        return ""
    return noun_match[0]


def _joins_no_nouns(text: str, conjunction: re.Match[str]) -> bool:
    """Return whether "and" stands in "between A and B" or "poll and statewide poll".

    "Whether it is A or B" joins none either.
    """
    is_range = _RANGE_OPENING_PATTERN.search(text[: conjunction.start()]) is not None
    # "poll and statewide poll": the first noun again, after an adjective
    noun = re.escape(conjunction["first"])
    repeats_noun = re.match(rf"(?: [a-z]+)? {noun}\b", text[conjunction.end() :], re.I) is not None
    return is_range or repeats_noun


def _joins_clauses(text: str, conjunction: re.Match[str]) -> bool:
    """Return whether "and" begins a clause: "we have the debt and our roads are bad"."""
    next_word = _NEXT_WORD_PATTERN.match(text, conjunction.end())
    is_verb = next_word is not None and looks_like_verb(next_word[1])
    if not is_verb and not _FINITE_VERB_AFTER_PATTERN.match(text, conjunction.end()):
        return False
    # "Ann Lee and Tom Reyes have sold it" has its only verb after the names.
    clause_opening = _MARK_PATTERN.split(text[: conjunction.start()])[-1]
    return has_finite_verb(clause_opening)


def _only_known(first_noun: str, second_noun: str, other_vocabulary: Vocabulary) -> str:
    """Return the one of two joined words that another text has, "" if it has both or none."""
    known_words_of_first = [word for word in first_noun.split() if other_vocabulary.has(word)]
    known_words_of_second = [word for word in second_noun.split() if other_vocabulary.has(word)]
    if bool(known_words_of_first) == bool(known_words_of_second):
        return ""
    known_words = known_words_of_first or known_words_of_second
    return known_words[-1]


def _is_joined(word: str, text: str) -> bool:
    """Return whether a word stands beside "and" or "or", with another word for the same."""
    joining_word = "(?:and|or)"
    escaped = re.escape(word)
    is_first = re.search(rf"\b{escaped} {joining_word}\b", text) is not None
    is_second = re.search(rf"\b{joining_word} {escaped}\b", text) is not None
    return is_first or is_second


def _is_joined_noun(word: str) -> bool:
    """Return whether a word beside "and" is likely a noun: no verb, adverb or light word."""
    if word[0].isupper():
        return any(word_topic(name) for name in word.split())
    if word in _ORDINALS or word in _ADVERBS_BESIDE_AND:
        return False
    is_verb_or_adverb = word.endswith(("ed", "ing", "ly")) or looks_like_verb(word)
    return bool(word_topic(word)) and len(word) >= MIN_CONJUNCT_LETTERS and not is_verb_or_adverb


def _are_like_adjectives(word: str, other: str) -> bool:
    """Return whether two words are "unemployed" and "underemployed": one stem with two prefixes."""
    ending = word[-MIN_COMMON_ENDING:]
    are_long = min(len(word), len(other)) > MIN_COMMON_ENDING
    return are_long and word[0].islower() and other.endswith(ending)


def _as_written(word: str, text: str) -> str:
    """Return a word in the form in which another text has it."""
    of_word = vocabulary(word)
    for match in content_words(text):
        if of_word.has(match[0]):
            return match[0]
    return word
