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
from itertools import combinations

import numpy as np

from assistant.check.same_claim import chances
from assistant.core.domain import CheckedSentence
from features.language.agreement import DIFFERENT, agreement
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
    matched = [checked for checked in sentences if checked.matches]
    matched.sort(key=lambda checked: (checked.rank or 0, checked.sentence.number))
    by_subject: dict[tuple[str, str], list[CheckedSentence]] = defaultdict(list)
    for checked in matched:
        for match in checked.matches:
            by_subject[checked.sentence.speaker or "", match.claim.id].append(checked)
    restating = _restating_texts(by_subject.values(), encoders)

    restated: dict[int, int] = {}  # the number of the restated sentence, by sentence number
    for sharing in by_subject.values():
        first_sayings: list[CheckedSentence] = []
        for checked in sharing:
            number = checked.sentence.number
            if number in restated:
                continue
            for first_saying in first_sayings:
                if _text_pair(first_saying, checked) in restating:
                    restated[number] = first_saying.sentence.number
                    break
            else:
                first_sayings.append(checked)
    return tuple(
        replace(checked, restates=restated.get(checked.sentence.number)) for checked in sentences
    )


def _restating_texts(
    sharing_groups: Iterable[Sequence[CheckedSentence]], encoders: Encoders
) -> set[TextPair]:
    """Return the pairs of texts, in one spelling, that restate each other."""
    texts: dict[str, str] = {}
    pairs: set[TextPair] = set()
    for sharing in sharing_groups:
        by_words = {same_words(checked.sentence.text): checked for checked in reversed(sharing)}
        for words, checked in by_words.items():
            texts[words] = checked.sentence.text
            pairs.add(frozenset((words,)))  # the same words restate themselves
        different = list(reversed(by_words))[:MAX_COMPARED_TEXTS]
        pairs.update(map(frozenset, combinations(different, 2)))
    restating = {pair for pair in pairs if len(pair) == 1}
    compared = sorted(tuple(sorted(pair)) for pair in pairs - restating)
    text_pairs = [(texts[one], texts[other]) for one, other in compared]
    for index in _same_claim_indices(text_pairs, encoders):
        restating.add(frozenset(compared[index]))
    return restating


def _same_claim_indices(pairs: Sequence[tuple[str, str]], encoders: Encoders) -> list[int]:
    """Return the indices of the pairs of texts that make the same claim and do not differ."""
    agreeing = [index for index, pair in enumerate(pairs) if not _differs(*pair)]
    if not agreeing:
        return []
    texts = list(dict.fromkeys(text for index in agreeing for text in pairs[index]))
    vector_of = dict(zip(texts, encoders.sbert.encode(texts), strict=True))
    cosines = np.array([vector_of[pairs[i][0]] @ vector_of[pairs[i][1]] for i in agreeing])
    nearest_first = np.argsort(-cosines, kind="stable")[:MAX_READ_PAIRS]
    near = [agreeing[place] for place in nearest_first.tolist() if cosines[place] >= MIN_COSINE]
    if not near:
        return []

    # Each text entails the other, (q, 2), and both make the same claim.
    first_texts = [pairs[index][0] for index in near]
    other_texts = [pairs[index][1] for index in near]
    forward, _ = encoders.nli.read(first_texts, other_texts)
    backward, _ = encoders.nli.read(other_texts, first_texts)
    entailments = np.stack((forward[:, ENTAILMENT_COLUMN], backward[:, ENTAILMENT_COLUMN]), axis=1)
    pair_chances = chances(first_texts, other_texts, encoders)
    restating = []
    for place, chance in enumerate(pair_chances):
        is_entailed = entailments[place].min() >= MIN_ENTAILMENT
        if is_entailed and chance is not None and chance >= RESTATING_CHANCE:
            restating.append(near[place])
    return restating


def _differs(text: str, other_text: str) -> bool:
    """Return whether two texts conflict, or have other persons, figures, names or dates."""
    pronouns = _pronouns(text)
    other_pronouns = _pronouns(other_text)
    if pronouns and other_pronouns and pronouns != other_pronouns:
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
