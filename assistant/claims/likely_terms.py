"""Terms that may have been said, as vocabulary hints for a second transcription.

They are words of the statements that share most words with the first transcription.

A recogniser writes "cold plant" for the coal plant of a fact-check. If it transcribes the speech
again with the words of the nearest statements as hints, it may get them right. Figures are never
among the hints, so that they are not taken from a fact-check.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np

from assistant.claims.claim_index import ClaimIndex
from assistant.claims.likely_names import fitting_names
from features.language.function_words import FUNCTION_WORDS

NEAREST_STATEMENTS = 6  # statements per sentence whose words are terms
MIN_TERM_LETTERS = 4
MIN_SENTENCE_WORDS = 4  # shorter sentences are not searched
_SENTENCE_END_PATTERN = re.compile(r"(?<=[.?!])\s+")
_TERM_PATTERN = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-])*[^\W\d_]")


@dataclass(frozen=True)
class LikelyTerms:
    """The likely terms of a transcription, from the fact-checks of an index."""

    index: ClaimIndex
    nearest: int = NEAREST_STATEMENTS

    def __call__(self, transcribed: str) -> tuple[str, ...]:
        """Return words that the transcribed text lacks, as many as fit.

        Words of most of the nearest statements come first.
        """
        transcribed_words = {word.casefold() for word in _TERM_PATTERN.findall(transcribed)}
        statement_counts: Counter[str] = Counter()
        for sentence in _SENTENCE_END_PATTERN.split(transcribed):
            if len(sentence.split()) >= MIN_SENTENCE_WORDS:
                self._count_terms(sentence, statement_counts)
        terms = []
        for word, _ in statement_counts.most_common():
            if _is_term(word) and word.casefold() not in transcribed_words:
                terms.append(word)
        return fitting_names(terms)

    def _count_terms(self, sentence: str, statement_counts: Counter[str]) -> None:
        """Count the nearest statements of a sentence that have each word."""
        all_claims = np.ones(len(self.index), bool)
        for claim in self.index.bm25("statement").best(sentence, self.nearest, all_claims):
            words = _TERM_PATTERN.findall(self.index.statements[int(claim)])
            statement_counts.update(dict.fromkeys(words, 1))


def _is_term(word: str) -> bool:
    """Return whether a word is long enough and not a function word."""
    if len(word) < MIN_TERM_LETTERS:
        return False
    without_apostrophes = word.casefold().replace("’", "'").replace("'", "")
    return without_apostrophes not in FUNCTION_WORDS
