"""Passages: divides a transcript into units that a reporter would quote, and finds their context.

A passage never crosses speakers, but continues after another speaker's interjection. A model
decides where passages begin (``assistant.passages.boundaries``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from assistant.core.domain import Passage, Sentence
from assistant.passages.boundaries import boundary_log_odds_of, segment
from features.language.function_words import NON_NAME_WORDS
from features.models.model_spec import Floats

# An interjection of another speaker has at most so many words and sentences; more is an answer.
MAX_INTERJECTION_WORDS = 8
MAX_INTERJECTION_SENTENCES = 2
# Sentences of a speaker's talk before a pronoun that may have its name.
CONTEXT_REACH_SENTENCES = 8
_QUESTION_PATTERN = re.compile(r"\?[\"”’)\]]*\s*$")
_POINTS_BACK_PATTERN = re.compile(
    r"^\W*(?:(?:and|but|so|well|now|because),? )*"
    r"(?:he|she|it|they|him|her|them|his|its|their|that|this|these|those|which|who|there|the same|yes|no|not|none)\b"
    r"|\b(?:he|she|they|him|them|it)(?:['’]\w+)? ",
    re.IGNORECASE,
)
_NAME_PATTERN = re.compile(
    r"(?<=[\w,;:] )(?:[A-Z][\w'’-]+|[A-Z]{2,})(?: (?:of |the )*[A-Z][\w'’-]+)*"
)


def passages(
    sentences: Sequence[Sentence], vectors: Floats, worthiness: Floats
) -> tuple[Passage, ...]:
    """Return the passages of a transcript in the order in which they begin.

    ``vectors`` (n, d): the sentences' SBERT vectors; ``worthiness`` (n,): their check-worthiness.
    An interjection within another speaker's talk is a passage, too.
    """
    # The indices of the sentences of each passage
    index_groups: list[tuple[int, ...]] = []
    for talk_indices in talks(sentences):
        # A talk is the indices of the sentences of one speaker between those of others.
        sentence_texts = [sentences[index].text for index in talk_indices]
        # The log-odds that a passage begins with each sentence but the first
        boundary_log_odds = boundary_log_odds_of(
            sentence_texts, vectors[talk_indices], worthiness[talk_indices]
        )
        passage_starts = segment(boundary_log_odds)
        passage_ends = [*passage_starts[1:], len(talk_indices)]
        for start, end in zip(passage_starts, passage_ends, strict=True):
            index_groups.append(tuple(talk_indices[start:end]))
    all_passages = []
    for passage_number, indices in enumerate(sorted(index_groups), 1):
        sentence_numbers = tuple(sentences[index].number for index in indices)
        passage_context = context(sentences, indices)
        all_passages.append(Passage(passage_number, sentence_numbers, passage_context))
    return tuple(all_passages)


def talks(sentences: Sequence[Sentence]) -> Iterator[list[int]]:
    """Yield the sentence indices of each speaker's talk, which an interjection does not end."""
    is_used = np.zeros(len(sentences), bool)
    for first_index in range(len(sentences)):
        if is_used[first_index]:
            continue
        talk_indices = [first_index]
        following_index: int | None = first_index
        while following_index is not None:
            following_index = _next_of_speaker(
                sentences, following_index + 1, sentences[first_index].speaker
            )
            if following_index is not None:
                talk_indices.append(following_index)
        is_used[talk_indices] = True
        yield talk_indices


def _next_of_speaker(sentences: Sequence[Sentence], start: int, speaker: str | None) -> int | None:
    """Return the index at which a speaker continues, at ``start`` or after an interjection."""
    word_count = 0
    end = min(start + MAX_INTERJECTION_SENTENCES + 1, len(sentences))
    for index in range(start, end):
        if sentences[index].speaker == speaker:
            return index
        word_count += len(sentences[index].text.split())
        if word_count > MAX_INTERJECTION_WORDS:
            return None
    return None


def context(sentences: Sequence[Sentence], indices: Sequence[int]) -> str:
    """Return the earlier sentence that a passage, given by indices, points back to, or "".

    If a passage answers another speaker's question, that is the question. If it begins with a
    pronoun, or has one and no name, that is the last sentence before it in the same talk with a
    name.
    """
    first_index = indices[0]
    speaker = sentences[first_index].speaker
    if first_index > 0:
        previous_sentence = sentences[first_index - 1]
        if previous_sentence.speaker != speaker and _QUESTION_PATTERN.search(
            previous_sentence.text
        ):
            return previous_sentence.text
    # A passage that says "he" or "that" without a name needs the sentence with the name.
    text = " ".join(sentences[index].text for index in indices)
    if not _POINTS_BACK_PATTERN.search(text) or named(text):
        return ""
    earliest = max(0, first_index - CONTEXT_REACH_SENTENCES)
    for sentence in reversed(sentences[earliest:first_index]):
        if sentence.speaker == speaker and named(sentence.text):
            return sentence.text
    return ""


def named(text: str) -> bool:
    """Return whether a text has a name after its beginning."""
    return any(name.casefold() not in NON_NAME_WORDS for name in _NAME_PATTERN.findall(text))
