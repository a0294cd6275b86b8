"""Kinds of words that several rules on open parts look at: verb forms and superlatives."""

from __future__ import annotations

from features.language.sentence_parts import looks_like_verb
from features.language.vocabulary import is_irregular_form

# Words in -est that rank nothing
NO_SUPERLATIVES = frozenset(
    "interest request west midwest northwest southwest test forest protest arrest guest honest "
    "contest harvest latest modest quest nest digest behest chest pest rest unrest conquest "
    "inquest everest earnest invest suggest".split()
)


def is_verb_form(word: str) -> bool:
    """Return whether a word is a verb of the lexicon or an irregular form."""
    return looks_like_verb(word) or is_irregular_form(word)
