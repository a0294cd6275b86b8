"""Conflicts of denial: one text denies, reverses or only supposes what the other says."""

from __future__ import annotations

import re

from features.language.denials import (
    denials,
    denies,
    denies_that_any_equals,
    denies_without,
    deny_by_verb,
    excepts_one,
    flat_denials,
    has_negative_form,
    negative_forms,
    rejects_denied_clause,
    tell_first,
)
from features.language.denied_limits import sets_denied_limit
from features.language.past_states import ends_state, tell_of_same_past
from features.language.role_exchange import is_passive_restatement, is_restated_conversely
from features.language.scale_ends import denies_equality
from features.language.sentence_parts import looks_like_verb
from features.language.slot_clashes import MAX_CHARACTERS_FROM_DENIAL, opposite_verb_clash
from features.language.stems import content_stem
from features.language.text_pairs import FIGURE_MARK, AnalysedText, TextPair
from features.language.verb_senses import are_synonyms, opposite_verbs
from features.language.vocabulary import is_irregular_form, vocabulary, word_topic
from features.language.word_clashes import Clash

MIN_DENIED_WORDS = 2  # shared words after "not one", by which a text denies the other
MAX_DENIED_CHARACTERS = 30  # from "not" to the word that it denies
_OPINION_PATTERN = re.compile(r" (?P<verb>think|believe|feel)\b")
# "We should not be the only ones" says that we are.
_ONLY_ONE_PATTERN = re.compile(r" (?:be |being )?the only\b")
_CHECK_WHETHER_PATTERN = re.compile(r"\b(?:check|determine|verify|see|know) (?:whether|if)\b")
_CHECK_PATTERN = re.compile(
    r"\b(?:checks?|checked|checking|verif(?:y|ies|ied|ying)|ensur(?:es?|ed|ing)|"
    r"(?:make|makes|made|making) sure)\b"
)
_IF_PATTERN = re.compile(r"\b(?:even )?if\b")
_NEAR_MISS_BUT_PATTERN = re.compile(
    r"\b(?:nearly|almost|all but|came close to|on the verge of) (?P<verb>[a-z]+)\b[^.;!?]{0,80}\bbut\b"
)
_NO_LONGER_BEFORE_PATTERN = re.compile(r"\bno longer (?:\w+ly )?$")
_CLAUSE_BOUNDARY_PATTERN = re.compile(
    r"[,;:—–?!]|--|\b(?:that|which|who|because|although|but|where|when|so)\b"
)


def direction_conflict(pair: TextPair) -> Clash | None:
    """Return a direction, verb or quality of each text that are opposites, or None."""
    return _opposite_direction(pair) or opposite_verb_clash(pair) or _negative_form_clash(pair)


def _negative_form_clash(pair: TextPair) -> Clash | None:
    """Return "safe" and "unsafe" if neither text denies, or both do, or None."""
    if not pair.is_repetition or pair.differs_in_denial:
        return None
    sentence = pair.sentence.lower_text
    statement = pair.statement.lower_text
    # "No longer safe" is unsafe.
    has_ended = ends_state(pair.sentence) != ends_state(pair.statement)
    if denies(sentence) != denies(statement) or has_ended:
        return None
    for negative, affirmative in negative_forms(sentence, statement):
        return Clash(negative, affirmative)
    for negative, affirmative in negative_forms(statement, sentence):
        return Clash(affirmative, negative)
    return None


def _opposite_direction(pair: TextPair) -> Clash | None:
    """Return "rose" and "fell" if they say the opposite of one thing, or None."""
    # Denying the opposite says the same.
    if pair.opposite_words is None or pair.differs_in_denial:
        return None
    # "No longer open" and "not open" are closed.
    sentence_word, statement_word = pair.opposite_words
    is_word_denied = _denies_word(pair.sentence, sentence_word)
    differs_in_word = is_word_denied != _denies_word(pair.statement, statement_word)
    if differs_in_word and not _rank_by_denial(pair):
        return None
    # "No ferry is slower than ours" has the sides of "ours is faster than any".
    ranks_by_denial = denies_that_any_equals(pair.sentence.lower_text)
    if is_restated_conversely(pair) and not ranks_by_denial:
        return None
    return Clash(*pair.opposite_words)


def _denies_word(text: AnalysedText, words: str) -> bool:
    """Return whether a denial or "no longer" comes right before some words of a text."""
    start = text.lower_text.find(words.casefold())
    if _NO_LONGER_BEFORE_PATTERN.search(text.lower_text[:start]):
        return True
    return any(0 < start - end <= MAX_CHARACTERS_FROM_DENIAL for _, end in denials(text.text))


def denial_conflict(pair: TextPair) -> Clash | None:
    """Return the words of denial if the sentence rejects the statement, or just one denies."""
    lower_texts = (pair.sentence.lower_text, pair.statement.lower_text)
    says_same = excepts_one(*lower_texts) or rejects_denied_clause(*lower_texts)
    if says_same or tell_first(*lower_texts) or tell_of_same_past(pair):
        return None
    is_rejected = (
        pair.is_about_same_subject and pair.sentence.rejects and not pair.statement.rejects
    )
    is_opposite = pair.is_opposite or has_opposite_verbs(pair) or deny_in_other_words(pair)
    # "It wasn't signed by the mayor" and "the mayor never signed it" both deny.
    deny_alike = all(map(denies, lower_texts)) and is_passive_restatement(pair)
    is_denied = (
        pair.is_about_same_thing and pair.differs_in_denial and not is_opposite and not deny_alike
    )
    is_denied_flatly = not is_opposite and _is_flatly_denied(pair.sentence, pair.statement)
    is_claimed_denial = not is_opposite and _is_flatly_denied(pair.statement, pair.sentence)
    is_denied_in_passive = not is_opposite and _is_denied_in_passive(pair)
    if not (
        is_rejected or is_denied or is_denied_flatly or is_claimed_denial or is_denied_in_passive
    ):
        return None
    sentence_denial = _words_of_denial(pair.sentence)
    statement_denial = _words_of_denial(pair.statement)
    # The words are quoted only if one text alone has some.
    both_or_none_deny = bool(sentence_denial) == bool(statement_denial)
    if both_or_none_deny:
        return Clash()
    is_denied_otherwise = (
        is_rejected or is_denied_flatly or is_claimed_denial or is_denied_in_passive
    )
    if not is_denied_otherwise and not _deny_shared_words(pair):
        return Clash() if pair.is_repetition and _deny_in_shared_clause(pair) else None
    return Clash(sentence_denial, statement_denial)


def _is_denied_in_passive(pair: TextPair) -> bool:
    """Return whether one text says "wasn't signed by the mayor" and the other "the mayor signed"."""
    # The passive changes the order of the words, so that the denial may follow the shared ones.
    if denies(pair.sentence.lower_text) == denies(pair.statement.lower_text):
        return False
    return not _rank_by_denial(pair) and is_passive_restatement(pair)


def _rank_by_denial(pair: TextPair) -> bool:
    """Return whether a text of a pair ranks something first by denying that anything equals it."""
    texts = (pair.sentence, pair.statement)
    return any(denies_that_any_equals(text.lower_text) for text in texts)


def deny_in_other_words(pair: TextPair) -> bool:
    """Return whether one text says with a word what the other says with a denial."""
    lower_texts = (pair.sentence.lower_text, pair.statement.lower_text)
    ways = (deny_by_verb, denies_without, has_negative_form)
    if denies_equality(pair) or sets_denied_limit(pair):
        return True
    return any(is_same(*lower_texts) for is_same in ways)


def has_opposite_verbs(pair: TextPair) -> bool:
    """Return whether verbs are opposite, so that one denied says the other: "didn't show up"."""
    return any(opposite_verbs(pair.sentence.lower_text, pair.statement.lower_text))


def _deny_shared_words(pair: TextPair) -> bool:
    """Return whether the text that denies denies a word of the other text.

    "Because it would not rent them" denies nothing of a text that has nothing on rents.
    """
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        for _, end in denials(text.text)[:1]:
            # "They don't think" denies nothing of a text without an opinion.
            opinion = _OPINION_PATTERN.match(text.lower_text, end)
            is_other_opinion = opinion is not None and opinion["verb"] not in other.lower_text
            is_only_one = _ONLY_ONE_PATTERN.match(text.lower_text, end) is not None
            if is_only_one or is_other_opinion or not _is_denied_word_in(text, end, other):
                return False
    return True


def _deny_in_shared_clause(pair: TextPair) -> bool:
    """Return whether the clause of a denial has a word that both texts share."""
    shared_words = set(pair.sentence.words) & set(pair.statement.words)
    for text in (pair.sentence, pair.statement):
        for start, end in denials(text.text)[:1]:
            boundaries = list(_CLAUSE_BOUNDARY_PATTERN.finditer(text.lower_text))
            clause_start = max((m.end() for m in boundaries if m.end() <= start), default=0)
            clause_end = min(
                (m.start() for m in boundaries if m.start() >= end), default=len(text.text)
            )
            for word, word_start in zip(text.words, text.word_starts, strict=True):
                if clause_start <= word_start < clause_end and word in shared_words:
                    return True
    return False


def _is_denied_word_in(text: AnalysedText, denial_end: int, other: AnalysedText) -> bool:
    """Return whether another text has the first content word after a denial.

    The answer is also yes if that word is light or far, or if no word follows.
    """
    for word, start, end in zip(text.words, text.word_starts, text.word_ends, strict=True):
        if start >= denial_end:
            if word.startswith(FIGURE_MARK):
                return True
            denied_word = text.text[start:end]
            is_far = start - denial_end > MAX_DENIED_CHARACTERS
            is_light = not word_topic(denied_word) or denied_word.casefold() == "single"
            is_said = vocabulary(other.text).has(denied_word) or are_synonyms(
                denied_word.casefold(), other.lower_text
            )
            return is_far or is_light or is_said
    return True


def _is_flatly_denied(denying: AnalysedText, other: AnalysedText) -> bool:
    """Return whether a text denies altogether what another text says: "not one was hurt by it".

    Most words after "not one" are in the other text in any order, a verb among them.
    """
    clauses = flat_denials(denying.lower_text)
    # "Nothing, none of them" denies as well, in two words.
    is_denied_too = denies(other.lower_text) or bool(flat_denials(other.lower_text))
    if not clauses or is_denied_too or other.supposition_count:
        return False
    for clause in clauses:
        is_verb_by_word = _denied_words(denying, clause)
        shared_words = is_verb_by_word.keys() & set(other.words)
        shares_most = len(shared_words) >= max(MIN_DENIED_WORDS, len(is_verb_by_word) / 2)
        if shares_most and any(is_verb_by_word[word] for word in shared_words):
            return True
    return False


def _denied_words(text: AnalysedText, clause: re.Match[str]) -> dict[str, bool]:
    """Return the words that a clause denies, each with whether it may be a verb."""
    # "Not one | was hurt by it": hurt
    is_verb_by_word: dict[str, bool] = {}
    for word, start, end in zip(text.words, text.word_starts, text.word_ends, strict=True):
        is_inside = clause.start("denied") <= start < clause.end("denied")
        if is_inside and not word.startswith(FIGURE_MARK):
            is_verb = _may_be_verb(text.lower_text[start:end])
            is_verb_by_word[word] = is_verb or is_verb_by_word.get(word, False)
    return is_verb_by_word


def _may_be_verb(word: str) -> bool:
    return looks_like_verb(word) or is_irregular_form(word)


def _words_of_denial(text: AnalysedText) -> str:
    spans = denials(text.text)
    if not spans:
        return ""
    start, end = spans[0]
    return text.text[start:end]


def supposition_conflict(pair: TextPair) -> Clash | None:
    """Return the sentence if it only supposes what the statement says, or None.

    The clash quotes nothing if a comma precedes the shared words, because the supposition may then
    be in another clause.
    """
    # Suppositions are words such as "if" and "perhaps", and questions.
    sentence_count = pair.sentence.supposition_count
    if _tells_averted_loss(pair) or _both_tell_of_check(pair):
        sentence_count -= 1
    sentence_supposes_more = sentence_count > pair.statement.supposition_count
    if not pair.is_about_same_thing or not sentence_supposes_more:
        return None
    if pair.sentence.lower_text.rstrip().endswith("?"):
        return Clash(in_sentence=pair.sentence.text)
    # "Even if she was hurt" may come first in one text and last in the other.
    opens_with_condition = _IF_PATTERN.match(pair.sentence.lower_text)
    if opens_with_condition and _IF_PATTERN.search(pair.statement.lower_text):
        return None
    # The text before the first shared word
    opening = pair.sentence.text
    if pair.shared_runs:
        first_shared_word = pair.shared_runs[0].sentence_start
        opening = opening[: pair.sentence.word_starts[first_shared_word]]
    # With a comma there, the supposition may be another clause: the sentence isn't quoted.
    may_be_other_clause = "," in opening
    return Clash() if may_be_other_clause else Clash(in_sentence=pair.sentence.text)


def _both_tell_of_check(pair: TextPair) -> bool:
    """Return whether one text says "check whether" and the other "make sure that"."""
    is_said = _CHECK_WHETHER_PATTERN.search(pair.sentence.lower_text) is not None
    return is_said and _CHECK_PATTERN.search(pair.statement.lower_text) is not None


def _tells_averted_loss(pair: TextPair) -> bool:
    """Return whether "we almost lost it, but" only leads to what happened: "but we saved it"."""
    near_miss = _NEAR_MISS_BUT_PATTERN.search(pair.sentence.lower_text)
    if near_miss is None or content_stem(near_miss["verb"]) in pair.statement.words:
        return False
    return not are_synonyms(near_miss["verb"], pair.statement.lower_text)
