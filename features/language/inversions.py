"""Inversions: a claim said the other way round, which a model of entailment may take for its reverse.

"Ten years ago we had more pilots" and "we have fewer pilots than ten years ago" say the same, and
so do "88 percent can't swim" and "only 12 percent can", or "no town has larger ferries" and "the
largest ferries".
"""

from __future__ import annotations

from functools import lru_cache

from features.language.abbreviations import spelled_like
from features.language.agreement import are_comparable
from features.language.complements import say_complements
from features.language.denials import (
    denies_that_any_equals,
    denies_without,
    deny_by_verb,
    excepts_one,
    has_negative_form,
    say_nil,
    tell_first,
)
from features.language.role_exchange import is_restated_conversely
from features.language.scale_ends import denies_equality, other_end
from features.language.text_pairs import analyse_text, pair_texts
from features.language.verb_senses import opposite_verbs

_INVERSE_DENIALS = (
    denies_without,
    deny_by_verb,
    excepts_one,
    has_negative_form,
    say_nil,
    tell_first,
)


@lru_cache(maxsize=1 << 14)
def is_inversion(sentence: str, statement: str) -> bool:
    """Return whether a sentence may say a statement the other way round.

    It is worth asking only of texts without a conflict. Texts that are too long are none.
    """
    if not are_comparable(sentence, statement):
        return False
    respelled_sentence = spelled_like(sentence, statement)
    pair = pair_texts(analyse_text(respelled_sentence), analyse_text(statement), 0, 0)
    if not pair.is_about_same_subject:
        return False
    # "No ferry is slower than ours" is the reverse of "ours is the fastest".
    if other_end(pair):
        return False
    if say_complements(pair) or is_restated_conversely(pair) or denies_equality(pair):
        return True
    lower_texts = (pair.sentence.lower_text, pair.statement.lower_text)
    if any(is_inverse(*lower_texts) for is_inverse in _INVERSE_DENIALS):
        return True
    sentence_ranks = denies_that_any_equals(pair.sentence.lower_text)
    if sentence_ranks != denies_that_any_equals(pair.statement.lower_text):
        return True
    return pair.differs_in_denial and any(opposite_verbs(*lower_texts))
