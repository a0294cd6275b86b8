"""Restatements: sentences of one speaker that make the same statement.

Two sentences that match the same fact-check may still say different things about its topic, and
then a decision on one of them says nothing about the other. A sentence restates another only if
their words are the same, or if each entails the other, the models find the same claim in both
directions, and their figures, names, dates and directions agree. Only sentences that share a
fact-check are compared.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain, combinations

import numpy as np

from assistant.check.same_claim import chances
from assistant.core.domain import CheckedSentence
from features.language.agreement import DIFFERENT, agreement, are_comparable
from features.language.conflicts import conflicts
from features.language.same_words import same_words
from features.models.profile_models import Encoders

RESTATING_CHANCE = 0.95  # smallest chance of the same claim
MIN_ENTAILMENT = 0.7  # smallest probability, in both directions
MIN_COSINE = 0.5  # pairs that are further apart in meaning are not read
MAX_COMPARED_TEXTS = 60  # texts of a speaker that match one fact-check
MAX_READ_PAIRS = 400  # the nearest ones, read by the cross-encoder
ENTAILMENT_COLUMN = 0  # among the labels of the cross-encoder
_PERSONS_PATTERN = re.compile(r"\b(?:i|we|you|he|she|they)\b")
TextPair = frozenset[str]


def with_restatements(
    sentences: Sequence[CheckedSentence], encoders: Encoders
) -> tuple[CheckedSentence, ...]:
    """Return the sentences, each with the number of the better ranked one that it restates."""
    matched_sentences = [checked for checked in sentences if checked.matches]
    matched_sentences.sort(key=lambda checked: (checked.rank or 0, checked.sentence.number))
    sentences_by_speaker_and_claim: dict[tuple[str, str], list[CheckedSentence]] = defaultdict(list)
    for checked in matched_sentences:
        speaker = checked.sentence.speaker or ""
        for match in checked.matches:
            sentences_by_speaker_and_claim[speaker, match.claim.id].append(checked)
    restating_texts = _restating_texts(sentences_by_speaker_and_claim.values(), encoders)

    # By the number of each sentence, the number of the earlier one that it restates.
    restated_number: dict[int, int] = {}
    for sharing_sentences in sentences_by_speaker_and_claim.values():
        distinct_sentences: list[CheckedSentence] = []
        for checked in sharing_sentences:
            number = checked.sentence.number
            if number in restated_number:
                continue
            restated = [
                better
                for better in distinct_sentences
                if _text_pair(better, checked) in restating_texts
            ]
            if restated:
                restated_number[number] = restated[0].sentence.number
            else:
                distinct_sentences.append(checked)
    sentences_with_restatements = []
    for checked in sentences:
        restates = restated_number.get(checked.sentence.number)
        sentences_with_restatements.append(replace(checked, restates=restates))
    return tuple(sentences_with_restatements)


def _restating_texts(
    sharing_groups: Iterable[Sequence[CheckedSentence]], encoders: Encoders
) -> set[TextPair]:
    """Return the pairs of texts, in one spelling, that restate each other."""
    # A text by its words in one spelling. Pairs of texts are pairs of such words.
    text_by_words: dict[str, str] = {}
    restating_pairs: set[TextPair] = set()
    compared_pairs: set[TextPair] = set()
    for sharing_sentences in sharing_groups:
        texts_of_group = _distinct_texts(sharing_sentences)
        text_by_words.update(texts_of_group)
        # Two sentences with the same words are a pair of one text, and restate each other.
        restating_pairs.update(frozenset((words,)) for words in texts_of_group)
        best_words = list(texts_of_group)[:MAX_COMPARED_TEXTS]
        compared_pairs.update(frozenset(pair) for pair in combinations(best_words, 2))
    word_pairs = sorted(tuple(sorted(pair)) for pair in compared_pairs)
    text_pairs = [(text_by_words[words], text_by_words[other]) for words, other in word_pairs]
    for pair_index in _same_claim_indices(text_pairs, encoders):
        restating_pairs.add(frozenset(word_pairs[pair_index]))
    return restating_pairs


def _distinct_texts(checked_sentences: Sequence[CheckedSentence]) -> dict[str, str]:
    """Return the texts of sentences by their words in one spelling, in the order of the sentences.

    Of several texts with the same words, the first counts.
    """
    text_by_words = {}
    # In reverse order, because a later entry of a dict replaces an earlier one.
    for checked_sentence in reversed(checked_sentences):
        text = checked_sentence.sentence.text
        text_by_words[same_words(text)] = text
    return dict(reversed(text_by_words.items()))


def _same_claim_indices(text_pairs: Sequence[tuple[str, str]], encoders: Encoders) -> list[int]:
    """Return the indices of the pairs of texts that make the same claim and do not differ."""
    # Three filters, the cheapest first: differences, distance in meaning, entailment.
    agreeing_indices = [
        pair_index for pair_index, text_pair in enumerate(text_pairs) if not _differs(*text_pair)
    ]
    near_indices = _near_indices(text_pairs, agreeing_indices, encoders)
    entailed_indices = _entailed_indices(text_pairs, near_indices, encoders)
    if not entailed_indices:
        return []
    # The probability that both texts make the same claim, None if it cannot be told.
    same_claim_chances = chances(
        [text_pairs[pair_index][0] for pair_index in entailed_indices],
        [text_pairs[pair_index][1] for pair_index in entailed_indices],
        encoders,
    )
    restating_indices = []
    for pair_index, chance in zip(entailed_indices, same_claim_chances, strict=True):
        if chance is not None and chance >= RESTATING_CHANCE:
            restating_indices.append(pair_index)
    return restating_indices


def _entailed_indices(
    text_pairs: Sequence[tuple[str, str]], pair_indices: Sequence[int], encoders: Encoders
) -> list[int]:
    """Return the indices of the pairs of texts that each entail the other."""
    if not pair_indices:
        return []
    first_texts = [text_pairs[pair_index][0] for pair_index in pair_indices]
    other_texts = [text_pairs[pair_index][1] for pair_index in pair_indices]
    # Probabilities of the labels, such as entailment, in either direction, (q, 3) for q pairs.
    forward_probabilities, _ = encoders.nli.read(first_texts, other_texts)
    backward_probabilities, _ = encoders.nli.read(other_texts, first_texts)
    lower_entailments = np.minimum(
        forward_probabilities[:, ENTAILMENT_COLUMN], backward_probabilities[:, ENTAILMENT_COLUMN]
    )
    entailed_positions = np.flatnonzero(lower_entailments >= MIN_ENTAILMENT).tolist()
    return [pair_indices[position] for position in entailed_positions]


def _near_indices(
    text_pairs: Sequence[tuple[str, str]], pair_indices: Sequence[int], encoders: Encoders
) -> list[int]:
    """Return the indices of the pairs that are near in meaning, nearest first."""
    if not pair_indices:
        return []
    # Each text is encoded once, in order of its first pair.
    all_texts = chain.from_iterable(text_pairs[pair_index] for pair_index in pair_indices)
    distinct_texts = list(dict.fromkeys(all_texts))
    vectors = encoders.sbert.encode(distinct_texts)
    vector_by_text = dict(zip(distinct_texts, vectors, strict=True))
    pair_cosines = []
    for pair_index in pair_indices:
        first_text, second_text = text_pairs[pair_index]
        # The vectors have length 1, so their product is their cosine.
        pair_cosines.append(vector_by_text[first_text] @ vector_by_text[second_text])
    cosines = np.array(pair_cosines)
    nearest_first = np.argsort(-cosines, kind="stable")
    near_indices = []
    for position_in_indices in nearest_first[:MAX_READ_PAIRS].tolist():
        if cosines[position_in_indices] >= MIN_COSINE:
            near_indices.append(pair_indices[position_in_indices])
    return near_indices


def _differs(text: str, other_text: str) -> bool:
    """Return whether two texts conflict, or have other persons, figures, names or dates.

    Texts that are too long to compare may differ.
    """
    pronouns = _pronouns(text)
    other_pronouns = _pronouns(other_text)
    if pronouns and other_pronouns and pronouns != other_pronouns:
        return True
    if not are_comparable(text, other_text):
        return True
    if conflicts(text, other_text) or conflicts(other_text, text):
        return True
    return DIFFERENT in agreement(text, other_text).values()


def _pronouns(text: str) -> frozenset[str]:
    """Return the persons of a text: "they feel that we lose" is not "we lose"."""
    return frozenset(_PERSONS_PATTERN.findall(text.casefold()))


def _text_pair(one: CheckedSentence, other: CheckedSentence) -> TextPair:
    """Return the words of two sentences in one spelling, one text if they are the same."""
    return frozenset((same_words(one.sentence.text), same_words(other.sentence.text)))
