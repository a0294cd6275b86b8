"""Terms that may have been said.

Words of the statements that share most words with what a recogniser heard.

A recogniser writes "cold plant" where a fact-check has a coal plant. Heard again with the words of
the nearest statements in mind, it may get them right; figures are never among them, so that it
does not hear those of a fact-check.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.claims.likely_names import fitting
from features.language.function_words import FUNCTION_WORDS

NEAREST = 6  # statements of a sentence, whose words are terms
# of a term; of a sentence with which statements are looked for
LEAST_LETTERS = 4
LEAST_WORDS = 4
_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-])*[^\W\d_]")


@dataclass(frozen=True)
class TermsSaid:
    """The terms of what was heard, out of the fact-checks of an index."""

    index: ClaimIndex
    nearest: int = NEAREST

    def __call__(self, heard: str) -> tuple[str, ...]:
        """Return words that the heard text lacks, those of most of the nearest statements first, as many as fit."""
        allowed = np.ones(len(self.index), bool)
        words = self.index.bm25("statement")
        known = {word.casefold() for word in _WORD.findall(heard)}
        counted: Counter[str] = Counter()
        for sentence in _SENTENCE_END.split(heard):
            if len(sentence.split()) >= LEAST_WORDS:
                for claim in words.best(sentence, self.nearest, allowed):
                    counted.update(
                        dict.fromkeys(_WORD.findall(self.index.statements[int(claim)]), 1)
                    )
        return fitting(
            word
            for word, _ in counted.most_common()
            if _is_term(word) and word.casefold() not in known
        )


def _is_term(word: str) -> bool:
    return (
        len(word) >= LEAST_LETTERS
        and word.casefold().replace("’", "'").replace("'", "") not in FUNCTION_WORDS
    )
