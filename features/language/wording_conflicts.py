"""Conflicts of wording: texts alike word for word but for one word or an added clause."""

from __future__ import annotations

import re
from collections.abc import Sequence

from features.language.denial_conflicts import deny_in_other_words, has_opposite_verbs
from features.language.denials import denies
from features.language.function_words import NON_NAME_WORDS
from features.language.interchangeable_words import are_interchangeable, have_same_letters
from features.language.role_exchange import is_restated_conversely
from features.language.slot_clashes import (
    LIGHT_WORDS,
    WORDS_OF_DENIAL,
    have_same_beginning,
    replaced_slot_clash,
    replaced_slots_clash,
)
from features.language.stems import content_stem
from features.language.text_pairs import (
    FIGURE_MARK,
    MIN_REPEATED_WORDS,
    MIN_VERBATIM_FRACTION,
    AnalysedText,
    Gap,
    TextPair,
)
from features.language.verb_senses import are_synonyms
from features.language.word_clashes import Clash

MIN_ADVERB_LETTERS = 6
_FINAL_PHRASE_PATTERN = re.compile(
    r"^\S+ (?:in|among|during|for|at|within|outside|near|under|on) [\w'-]+(?: [\w'-]+){0,3} "
    r"?[.!?]?$"
)
# "Country" is the stem of "America" and "this nation", too. The others only strengthen a noun.
_LIGHT_ADDITIONS = frozenset(
    map(content_stem, "country top major disastrous terrible horrible radical".split())
)
_WORDS_OF_FIGURES = frozenset(
    map(
        content_stem,
        "thousand million billion trillion dollar first second third fourth fifth sixth seventh "
        "eighth ninth tenth".split(),
    )
)
_LIMITING_ADVERBS = frozenset(
    "nearly mostly partly partially barely hardly scarcely rarely seldomly usually generally "
    "possibly potentially allegedly supposedly reportedly purportedly family assembly supply "
    "weekly monthly yearly hourly quarterly slightly slowly quickly rapidly virtually practically "
    "largely mainly primarily directly indirectly legally illegally openly secretly publicly "
    "privately jointly solely exclusively especially elderly federally locally nationally "
    "newly formerly previously early temporarily permanently unfairly falsely wrongly".split()
)
# "In this country" limits nothing that a country's politicians say.
_OWN_COUNTRY_ENDING_PATTERN = re.compile(
    r"^\S+ in (?:(?:this|our) (?:whole |entire )?(?:country|nation)|america)[.!?]*$"
)
_LIST_PATTERN = re.compile(r"\b(?:and|or)\b")
_END_OF_CLAUSE_PATTERN = re.compile(r"[;:—?!]|\.(?:\s|$)")


def wording_conflict(pair: TextPair) -> Clash | None:
    """Return the words that the sentence adds to the statement that it repeats, or None."""
    is_said_otherwise = has_opposite_verbs(pair) or deny_in_other_words(pair)
    is_denied_opposite = pair.differs_in_denial and is_said_otherwise
    if is_denied_opposite or is_restated_conversely(pair):
        return None
    if not pair.is_repetition:
        return replaced_slot_clash(pair) or replaced_slots_clash(pair)
    # A clash quotes the words that differ; ``in_sentence`` are those of the sentence.
    if pair.shared_words >= MIN_REPEATED_WORDS:
        clash_of_added_words = _added_words(pair)
        if clash_of_added_words is not None:
            return clash_of_added_words
        if _adds_ending(pair):
            ending_start = pair.shared_runs[-1].sentence_end
            ending = pair.sentence.original_words(ending_start, len(pair.sentence.words))
            return Clash(in_sentence=ending)
    if _adds_clause(pair):
        return Clash()
    return replaced_slot_clash(pair) or replaced_slots_clash(pair)


def _added_words(pair: TextPair) -> Clash | None:
    """Return content words of the sentence between those it repeats, or None.

    Figures do not count. Unless the repetition is verbatim, words in the position of other words
    are a rewording, and only additional words count.
    """
    is_nearly_verbatim = pair.shared_fraction >= MIN_VERBATIM_FRACTION
    # A gap has the words of both texts between two runs of words that they share. The first and
    # the last gap are outside of all runs.
    inner_gaps = pair.gaps[1:-1]
    for gap in inner_gaps:
        if not is_nearly_verbatim and gap.statement:
            continue
        words_only_in_sentence = _words_only_in_sentence(pair, gap)
        words_of_gap = {pair.sentence.words[index] for index in gap.sentence}
        # Most of these words are elsewhere in the statement: they only moved.
        is_moved = len(words_only_in_sentence) < len(words_of_gap) / 2
        if is_moved or _may_say_same(pair, gap):
            continue
        for word in words_only_in_sentence:
            is_figure = word.startswith(FIGURE_MARK) or any(letter.isdigit() for letter in word)
            if not is_figure and not _is_other_of_all(pair, gap.sentence, word):
                return pair.clash_in_gap(gap)
    return None


def _words_only_in_sentence(pair: TextPair, gap: Gap) -> set[str]:
    """Return the content words of a gap that the statement lacks, without light words."""
    light_words = LIGHT_WORDS | WORDS_OF_DENIAL
    if not gap.statement:
        light_words = light_words | _LIGHT_ADDITIONS
    if _has_figure(pair.statement.words, gap.statement):
        light_words = light_words | _WORDS_OF_FIGURES
    words_of_gap = set()
    for index in gap.sentence:
        written_word = pair.sentence.original_words(index, index + 1).casefold()
        is_denial = written_word.endswith("n't")
        is_light = is_denial or _is_emphasis(written_word) or written_word in NON_NAME_WORDS
        if not is_light:
            words_of_gap.add(pair.sentence.words[index])
    return words_of_gap - set(pair.statement.words) - light_words


def _is_emphasis(lower_word: str) -> bool:
    """Return whether a word is an adverb such as "ultimately", which limits nothing."""
    is_adverb = lower_word.endswith("ly") and len(lower_word) >= MIN_ADVERB_LETTERS
    return is_adverb and lower_word not in _LIMITING_ADVERBS


def _may_say_same(pair: TextPair, gap: Gap) -> bool:
    """Return whether the words of a gap may be a rewording, or words of two clauses."""
    clash = pair.clash_in_gap(gap)
    # "Spending went down" for "I cut spending": the verb is elsewhere in the statement.
    statement_words = (clash.in_statement or pair.statement.text).casefold()
    said_words = clash.in_sentence.casefold()
    context = pair.context
    phrases = pair.phrases_in_gap(gap)
    if are_synonyms(said_words, statement_words, context) or are_synonyms(*phrases, context):
        return True
    if denies(said_words) and denies(clash.in_statement.casefold()):
        return True
    claimed_words = clash.in_statement.casefold()
    # "Ten times longer" and "ten times as long"
    if have_same_beginning(said_words, claimed_words):
        return True
    if are_interchangeable(said_words, claimed_words) or have_same_letters(
        said_words, claimed_words
    ):
        return True
    is_of_two_clauses = _END_OF_CLAUSE_PATTERN.search(said_words) is not None
    if not gap.statement and _is_listed(pair.sentence, gap.sentence):
        return True
    return is_of_two_clauses or _is_reworded(said_words, pair)


def _is_listed(text: AnalysedText, word_range: range) -> bool:
    """Return whether words are an item of a list or in apposition: "Houston, Texas, is"."""
    start = text.word_ends[word_range.start - 1]
    end = text.word_starts[word_range.stop]
    has_comma = "," in text.lower_text[start : text.word_starts[word_range.start]]
    return has_comma or _LIST_PATTERN.search(text.lower_text[start:end]) is not None


def _has_figure(words: Sequence[str], word_range: range) -> bool:
    return any(FIGURE_MARK in words[index] for index in word_range)


def _is_reworded(lower_phrase: str, pair: TextPair) -> bool:
    """Return whether a phrase may stand for words that only the statement has, wherever they are."""
    statement = pair.statement
    unshared_words = []
    for index, word in enumerate(statement.words):
        is_figure = word.startswith(FIGURE_MARK)
        if word not in pair.sentence.words and not is_figure:
            unshared_words.append(statement.original_words(index, index + 1).casefold())
    phrase_in_statement = " ".join(unshared_words)
    return are_synonyms(lower_phrase, phrase_in_statement, pair.context) or are_interchangeable(
        lower_phrase, phrase_in_statement
    )


def _is_other_of_all(pair: TextPair, gap: range, word: str) -> bool:
    """Return whether a word of a gap is "other" after "any" or "all": "than any other country"."""
    if word != content_stem("other"):
        return False
    for index in gap:
        if pair.sentence.words[index] == word:
            text_before = pair.sentence.lower_text[: pair.sentence.word_starts[index]]
            return text_before.endswith(("any ", "all ", "every ", "all the "))
    return False


def _adds_ending(pair: TextPair) -> bool:
    """Return whether the sentence adds a final place, time or group: "only in Ohio"."""
    # A run is a series of words that both texts have.
    last_run = pair.shared_runs[-1]
    has_whole_end = last_run.statement_end == len(pair.statement.words)
    if not pair.sentence_has_more_words or not has_whole_end:
        return False
    next_word = pair.sentence.words[last_run.sentence_end]
    if next_word in pair.statement.words:
        return False
    # From the last shared word on: that word, a preposition and a few words to the end.
    last_shared_word = last_run.sentence_end - 1
    last_shared_start = pair.sentence.word_starts[last_shared_word]
    ending = pair.sentence.lower_text[last_shared_start:]
    if _OWN_COUNTRY_ENDING_PATTERN.search(ending):
        return False
    return _FINAL_PHRASE_PATTERN.search(ending) is not None


def _adds_clause(pair: TextPair) -> bool:
    """Return whether a relative clause about a name shares no word with the statement.

    "Ohio, where Edison was born".
    """
    for clause in pair.sentence.relative_clauses:
        if clause and clause.isdisjoint(pair.statement.words):
            return True
    return False
