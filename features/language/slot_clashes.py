"""Other words in the same place of two texts: an opposite verb, another thing, another side of a time.

"Added to the debt" for "paid off the debt", "the debt ceiling" for "the minimum wage", "after the
vote" for "before the vote": two texts that otherwise agree speak of something else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from features.language.abbreviations import abbreviates
from features.language.denials import denials, denies
from features.language.directions import AVERTED_PATTERN
from features.language.figures.numbers import COUNT, MONEY, MULTIPLE, PERCENT, Figure
from features.language.function_words import FILLER_WORDS, NON_NAME_WORDS
from features.language.interchangeable_words import (
    WORDS_FOR_PERSONS,
    are_interchangeable,
    have_same_letters,
)
from features.language.role_exchange import is_restated_conversely
from features.language.sentence_parts import looks_like_verb
from features.language.stems import content_stem
from features.language.text_pairs import FIGURE_MARK, AnalysedText, Gap, TextPair
from features.language.verb_senses import Verb, are_synonyms, opposite_verbs
from features.language.vocabulary import vocabulary
from features.language.word_clashes import Clash

MAX_REPLACED_WORDS = 4
MAX_WORDS_OF_NOUN = 2
MIN_WORDS_BESIDE_SLOT = 3  # shared words and figures, beside which one slot has other words
MIN_WORDS_BESIDE_SUPERLATIVE = 2  # "the oldest in the world", "the busiest in the world"
MIN_SHARE_BESIDE_SLOT = 0.5  # share of the statement's words

CONVERSE_PERCENT = 10  # "10 percent of the price" is the converse of "10 times the price"
MAX_CHARACTERS_FROM_DENIAL = 8  # "didn't even show up"
MIN_COMMON_LETTERS = 4
# Content words that add nothing to a repetition
LIGHT_WORDS = frozenset(
    "onc rank between per all any every each today currently ever singl even total absolut complet strong gonna among "
    "however whatever away".split()
)
# They are compared as a denial. "On account of" is "because of".
WORDS_OF_DENIAL = frozenset(
    map(
        content_stem,
        "account no not never none nobody nothing neither without cent penny dime nickel".split(),
    )
)
# "A study finds that" and "it seems that" say where something comes from.
_WORDS_OF_SOURCE = frozenset(
    "study studies survey poll report reports finds found shows showed seems seem according "
    "concluded conclude states stated officially confirmed announced noted notes".split()
)
_BEFORE = "before"
_SUPERLATIVE_SLOT_PATTERN = re.compile(r"(?:the )?[a-z]{2,}est")
_SIDE_PATTERN = re.compile(
    r"\b(?:(?P<before>before|prior to|until|ahead of|leading up to)|"
    r"(?:after|following|since|in the wake of))\s+"
    r"(?P<event>(?!(?:tax(?:es)?|all|that|this)\b)[\w'-]+(?: [\w'-]+){0,2})"
)
_NUMBERS_WITH_SIGN = (PERCENT, MONEY, MULTIPLE)


def opposite_verb_clash(pair: TextPair) -> Clash | None:
    """Return two verbs that say the opposite in the same place of both texts, or None."""
    if not pair.is_about_same_thing or pair.differs_in_denial or is_restated_conversely(pair):
        return None
    for verb, other_verb in opposite_verbs(pair.sentence.lower_text, pair.statement.lower_text):
        # "Failed to show up" says the same as "missed".
        if _is_denied(pair.sentence, verb) != _is_denied(pair.statement, other_verb):
            continue
        if pair.is_repetition or _are_in_same_gap(pair, verb.start, other_verb.start):
            return Clash(
                pair.sentence.text[verb.start : verb.end],
                pair.statement.text[other_verb.start : other_verb.end],
            )
    return None


def _is_denied(text: AnalysedText, verb: Verb) -> bool:
    """Return whether a denial, "almost" or "saved from" comes right before a verb."""
    for averted in AVERTED_PATTERN.finditer(text.lower_text):
        if averted.start() < verb.start < averted.end():
            return True
    # "We almost lost it" denies that we lost it.
    if text.lower_text[: verb.start].endswith(("almost ", "nearly ")):
        return True
    return any(0 < verb.start - end <= MAX_CHARACTERS_FROM_DENIAL for _, end in denials(text.text))


def _are_in_same_gap(pair: TextPair, sentence_position: int, statement_position: int) -> bool:
    """Return whether two words are in the same gap between words that both texts share."""
    for gap in pair.gaps:
        in_sentence = _is_in(pair.sentence, gap.sentence, sentence_position)
        if in_sentence and _is_in(pair.statement, gap.statement, statement_position):
            return True
    return False


def _is_in(text: AnalysedText, word_range: range, position: int) -> bool:
    """Return whether a position is between the content words around a gap."""
    start = text.word_ends[word_range.start - 1] if word_range.start else 0
    is_last = word_range.stop >= len(text.word_starts)
    end = len(text.text) if is_last else text.word_starts[word_range.stop]
    return start <= position < end


def replaced_slot_clash(pair: TextPair) -> Clash | None:
    """Return the words of both texts in the only place in which they differ, or None.

    Forms of one word and synonyms do not count.
    """
    gaps = [gap for gap in pair.gaps if gap.sentence or gap.statement]
    if not gaps or pair.differs_in_denial or not _replace_same_words(pair, gaps):
        return None
    gap = gaps[0]
    word_counts = (len(gap.sentence), len(gap.statement))
    if min(word_counts) == 0 or max(word_counts) > MAX_REPLACED_WORDS:
        return None
    words_beside = len(pair.statement.words) - len(gap.statement)
    clash = pair.clash_in_gap(gap)
    are_superlatives = all(_SUPERLATIVE_SLOT_PATTERN.fullmatch(words.casefold()) for words in clash)
    needed_words = MIN_WORDS_BESIDE_SUPERLATIVE if are_superlatives else MIN_WORDS_BESIDE_SLOT
    if words_beside < max(needed_words, MIN_SHARE_BESIDE_SLOT * len(pair.statement.words)):
        return None
    words_of_sentence = {pair.sentence.words[index] for index in gap.sentence}
    words_of_statement = {pair.statement.words[index] for index in gap.statement}
    light_words = LIGHT_WORDS | WORDS_OF_DENIAL
    if words_of_sentence <= light_words or words_of_statement <= light_words:
        return None
    # "Won't find" and "no": a denial is compared as such.
    if _denies_in_gap(pair.sentence, gap.sentence) and _denies_in_gap(
        pair.statement, gap.statement
    ):
        return None
    if _has_figure_or_name(pair, gap) or abbreviates(clash) or _may_mean_same(pair, clash):
        return None
    if are_synonyms(*pair.phrases_in_gap(gap), pair.context):
        return None
    return clash


def replaced_slots_clash(pair: TextPair) -> Clash | None:
    """Return the words of both texts if two places have other nouns, and nothing else differs.

    "Goats drank half of the water in the pond", "Sheep drank half of the milk in the pond"
    """
    gaps = [gap for gap in pair.gaps if gap.sentence or gap.statement]
    if len(gaps) != 2 or pair.differs_in_denial:
        return None
    words_beside = len(pair.statement.words) - sum(len(gap.statement) for gap in gaps)
    if words_beside < max(MIN_WORDS_BESIDE_SLOT, MIN_SHARE_BESIDE_SLOT * len(pair.statement.words)):
        return None
    if not all(_has_other_noun(pair, gap) for gap in gaps):
        return None
    first, last = gaps
    # "Ann helped Ben" and "Ben helped Ann" exchange their words.
    if set(pair.sentence.words) & {pair.statement.words[index] for index in first.statement}:
        return None
    return Clash(
        pair.sentence.original_words(first.sentence.start, last.sentence.stop),
        pair.statement.original_words(first.statement.start, last.statement.stop),
    )


def _has_other_noun(pair: TextPair, gap: Gap) -> bool:
    """Return whether a gap has one or two words in both texts, no verb and no rewording."""
    word_counts = (len(gap.sentence), len(gap.statement))
    if min(word_counts) == 0 or max(word_counts) > MAX_WORDS_OF_NOUN:
        return False
    clash = pair.clash_in_gap(gap)
    if abbreviates(clash) or _may_mean_same(pair, clash):
        return False
    words = f"{clash.in_sentence} {clash.in_statement}".casefold().split()
    are_nouns = not any(looks_like_verb(word) or word in FILLER_WORDS for word in words)
    has_figure = any(
        FIGURE_MARK in text.words[index]
        for text, word_range in ((pair.sentence, gap.sentence), (pair.statement, gap.statement))
        for index in word_range
    )
    return are_nouns and not has_figure


def _replace_same_words(pair: TextPair, gaps: Sequence[Gap]) -> bool:
    """Return whether all gaps have the same words: "saves what he saves", "earns what he earns"."""
    replaced_words = set()
    for gap in gaps:
        words_of_sentence = pair.sentence.words[gap.sentence.start : gap.sentence.stop]
        words_of_statement = pair.statement.words[gap.statement.start : gap.statement.stop]
        replaced_words.add((words_of_sentence, words_of_statement))
    return len(replaced_words) == 1


def _denies_in_gap(text: AnalysedText, word_range: range) -> bool:
    """Return whether the words of a gap deny, with the small words after them: "failed to"."""
    is_last = word_range.stop >= len(text.word_starts)
    end = len(text.lower_text) if is_last else text.word_starts[word_range.stop]
    return denies(text.lower_text[text.word_starts[word_range.start] : end])


def _has_figure_or_name(pair: TextPair, gap: Gap) -> bool:
    """Return whether a gap has a figure or a name, which other rules compare."""
    for text, word_range in ((pair.sentence, gap.sentence), (pair.statement, gap.statement)):
        name_stems = {content_stem(name) for name in text.particulars.names}
        for word in text.words[word_range.start : word_range.stop]:
            if FIGURE_MARK in word or word in name_stems:
                return True
    return False


def _may_mean_same(pair: TextPair, clash: Clash) -> bool:
    """Return whether two phrases share a word, a verb or a synonym of one."""
    said = clash.in_sentence.casefold()
    claimed = clash.in_statement.casefold()
    if vocabulary(claimed).shared_topics(said) or are_synonyms(said, claimed, pair.context):
        return True
    # "Highest", "most highly", "highly paid"
    has_same_letters = said[:MIN_COMMON_LETTERS] == claimed[:MIN_COMMON_LETTERS]
    if has_same_letters or have_same_beginning(said, claimed):
        return True
    if are_interchangeable(said, claimed) or have_same_letters(said, claimed):
        return True
    words = set(said.split()) | set(claimed.split())
    if not words.isdisjoint(_WORDS_OF_SOURCE):
        return True
    return not words.isdisjoint(WORDS_FOR_PERSONS | NON_NAME_WORDS)


def have_same_beginning(word: str, other_word: str) -> bool:
    """Return whether two phrases are single words with the same first letters: "long", "longer".

    "Most highly" is "highest".
    """
    word = word.removeprefix("most ")
    other_word = other_word.removeprefix("most ")
    are_words = " " not in word and " " not in other_word
    return (
        are_words
        and len(word) >= MIN_COMMON_LETTERS
        and other_word.startswith(word[:MIN_COMMON_LETTERS])
    )


def side_of_event_clash(pair: TextPair) -> Clash | None:
    """Return "after the vote" and "before the vote" if the texts are of other sides, or None."""
    if not pair.is_about_same_thing:
        return None
    for said in _SIDE_PATTERN.finditer(pair.sentence.lower_text):
        for claimed in _SIDE_PATTERN.finditer(pair.statement.lower_text):
            is_same_side = bool(said[_BEFORE]) == bool(claimed[_BEFORE])
            if not is_same_side and _first_words(said["event"]) == _first_words(claimed["event"]):
                return Clash(
                    pair.sentence.text[said.start() : said.end()],
                    pair.statement.text[claimed.start() : claimed.end()],
                )
    return None


def _first_words(event: str) -> tuple[str, ...]:
    """Return the words of an event to its first content word: ("i", "took")."""
    words = []
    for word in event.split():
        words.append(word)
        if word not in FILLER_WORDS:
            break
    return tuple(words)


def same_number_clash(pair: TextPair) -> Clash | None:
    """Return one number with two signs, "14 percent" and "14 times", or None."""
    if not pair.is_repetition:
        return None
    for figure in pair.sentence.particulars.numbers:
        for other in pair.statement.particulars.numbers:
            is_said_too = _has_same_figure(pair.statement, figure) or _has_same_figure(
                pair.sentence, other
            )
            if _have_other_signs(figure, other) and not is_said_too:
                return Clash(figure.text, other.text)
    return None


def _have_other_signs(figure: Figure, other: Figure) -> bool:
    is_same_number = (figure.low, figure.high) == (other.low, other.high)
    kinds = {figure.kind, other.kind}
    # "Five dollars" may be said as "five".
    both_have_signs = kinds <= {*_NUMBERS_WITH_SIGN} or kinds == {PERCENT, COUNT}
    # "A tenth of the price here" is "ten times the price there".
    is_converse = kinds == {PERCENT, MULTIPLE} and figure.low == CONVERSE_PERCENT
    return is_same_number and not is_converse and len(kinds) == 2 and both_have_signs


def _has_same_figure(text: AnalysedText, figure: Figure) -> bool:
    """Return whether a text has a figure with the same sign."""
    numbers = text.particulars.numbers
    return any((figure.kind, figure.low) == (other.kind, other.low) for other in numbers)
