"""Conflicts of names: another person, place or party in one text."""

from __future__ import annotations

import re
from collections.abc import Sequence

from features.language import agreement
from features.language.abbreviations import abbreviates
from features.language.function_words import NON_NAME_WORDS
from features.language.interchangeable_words import have_same_letters
from features.language.namesakes import mention_namesakes
from features.language.stems import PLACE_NAMES, content_stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

MAX_NAMED_GAP_WORDS = 4  # between shared words, in which two names are each other's replacement
_WORDS_NEVER_SUBJECTS = NON_NAME_WORDS | frozenset(
    "first second last all any today every each instead many most both half no none other others "
    "another few several only whatever nothing everything yesterday tonight then now later "
    "hes shes im ive theyre youre thats theres whos lets weve dont "
    "finally again indeed perhaps maybe not never nobody once since unlike like plus despite besides".split()
)
_NAME_AFTER_PREPOSITION_PATTERN = re.compile(
    r"\b(?P<preposition>[Uu]nder|[Bb]y) (?:(?:President|Governor|Senator|Mayor|former|the) )*"
    r"(?:[A-Z][a-z]+ )?(?P<name>[A-Z][a-z]+)\b"
)


def names_conflict(pair: TextPair) -> Clash | None:
    """Return the names of both texts if one is replaced by another or is a namesake, or None."""
    if pair.is_about_same_thing:
        clash_of_names = _replaced_names(pair)
        if clash_of_names is not None:
            return clash_of_names
    if not pair.is_about_same_subject:
        return None
    namesakes = mention_namesakes(pair.sentence.text, pair.statement.text)
    if namesakes and have_same_letters(*(name.casefold() for name in namesakes)):
        return None
    return namesakes


def _replaced_names(pair: TextPair) -> Clash | None:
    """Return a name and the other name in its position, between the same shared words.

    In long passages without a shared word, the names may be of anything.
    """
    # "Reyes won Ohio" and "Hale won Ohio". A gap has the words of both texts between two runs of
    # words that they share, by position.
    sentence_names = _unshared_names(pair.sentence, pair.statement)
    statement_names = _unshared_names(pair.statement, pair.sentence)
    for gap in pair.gaps:
        sentence_indices = _capitalised(pair.sentence, gap.sentence, sentence_names)
        statement_indices = _capitalised(pair.statement, gap.statement, statement_names)
        sentence_words = {pair.sentence.words[index] for index in sentence_indices}
        statement_words = {pair.statement.words[index] for index in statement_indices}
        has_sentence_name = not sentence_words.isdisjoint(sentence_names)
        has_statement_name = not statement_words.isdisjoint(statement_names)
        if not has_sentence_name and not has_statement_name:
            continue
        # "Sweden takes more than any country", "no other European country takes as many as Sweden"
        is_moved = _is_shared_name(pair.statement, statement_indices, pair.sentence)
        is_moved = is_moved or _is_shared_name(pair.sentence, sentence_indices, pair.statement)
        both_have_capitals = bool(sentence_indices and statement_indices) and not is_moved
        if both_have_capitals and not abbreviates(pair.clash_in_gap(gap)):
            is_long_gap = max(len(gap.sentence), len(gap.statement)) > MAX_NAMED_GAP_WORDS
            if is_long_gap:
                # The names of long passages may be of anything.
                continue
            said = pair.sentence.original_words(sentence_indices[0], sentence_indices[-1] + 1)
            checked = pair.statement.original_words(statement_indices[0], statement_indices[-1] + 1)
            if have_same_letters(said.casefold(), checked.casefold()):
                continue
            # "Reyes, when he was in Congress" has a clause before the next name.
            return Clash(said.partition(", ")[0], checked.partition(", ")[0])
    return _moved_names(pair, sentence_names, statement_names)


def _is_shared_name(text: AnalysedText, word_indices: Sequence[int], other: AnalysedText) -> bool:
    """Return whether the only name in a place is one that the other text has elsewhere."""
    return len(word_indices) == 1 and text.words[word_indices[0]] in other.words


def _capitalised(text: AnalysedText, word_range: range, names: set[str]) -> list[int]:
    """Return the words of a range that are names, or the one that begins the text as its subject."""
    word_indices = []
    for index in word_range:
        if text.words[index] in names or (len(word_range) == 1 and _is_first_subject(text, index)):
            word_indices.append(index)
    return word_indices


def _is_first_subject(text: AnalysedText, index: int) -> bool:
    """Return whether a word begins a text and may be the name of its subject."""
    word_start = text.word_starts[index]
    word_end = text.word_ends[index]
    word = text.lower_text[word_start:word_end]
    begins_text = text.text[:word_start].strip(' "“') == ""
    may_be_noun = word not in _WORDS_NEVER_SUBJECTS and not word.endswith("ing")
    has_capital = text.text[word_start].isupper()
    next_character = text.text[word_end : word_end + 1]
    return begins_text and has_capital and may_be_noun and next_character == " "


def _moved_names(
    pair: TextPair, sentence_names: set[str], statement_names: set[str]
) -> Clash | None:
    """Return two names after the same preposition, "under" or "by", wherever they stand."""
    sentence_name_by_preposition = _names_by_preposition(pair.sentence, sentence_names)
    statement_name_by_preposition = _names_by_preposition(pair.statement, statement_names)
    for preposition in sentence_name_by_preposition.keys() & statement_name_by_preposition.keys():
        clash = Clash(
            sentence_name_by_preposition[preposition], statement_name_by_preposition[preposition]
        )
        if not abbreviates(clash):
            return clash
    return None


def _names_by_preposition(text: AnalysedText, names: set[str]) -> dict[str, str]:
    """Return the first name after each preposition that tells who or when."""
    name_by_preposition: dict[str, str] = {}
    # "under Obama", "by Governor Smith"
    for match in _NAME_AFTER_PREPOSITION_PATTERN.finditer(text.text):
        if content_stem(match["name"].casefold()) in names:
            name_by_preposition.setdefault(match["preposition"].casefold(), match["name"])
    return name_by_preposition


def _unshared_names(text: AnalysedText, other_text: AnalysedText) -> set[str]:
    """Return the names, as content words, that the other text does not have in any form."""
    # Places count as names even in small letters.
    place_names = text.particulars.words & PLACE_NAMES
    names = text.particulars.names | place_names
    other_words = other_text.particulars.words
    unshared_stems = set()
    for name in names:
        if name not in other_words and not agreement.has_form_of_name(name, other_words):
            unshared_stems.add(content_stem(name))
    return unshared_stems - set(other_text.words)
