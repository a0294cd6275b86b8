"""Passages: divides a transcript into what a reporter would quote as one, and notes what each points back to.

A passage never crosses speakers, but goes on beyond another's interjection. Where it begins is
learnt (``assistant.passages.boundaries``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from assistant.core.domain import Passage, Sentence
from assistant.passages.boundaries import border_odds, segment
from features.language.function_words import NO_NAMES
from features.models.model_spec import Floats

INTERJECTION_WORDS = 8  # of another speaker, in two sentences at most: more is an answer
INTERJECTIONS = 2
REACH = 8  # sentences back in a speaker's talk in which a pronoun's name is looked for
_QUESTION = re.compile(r"\?[\"”’)\]]*\s*$")
_POINTS_BACK = re.compile(
    r"^\W*(?:(?:and|but|so|well|now|because),? )*"
    r"(?:he|she|it|they|him|her|them|his|its|their|that|this|these|those|which|who|there|the same|yes|no|not|none)\b"
    r"|\b(?:he|she|they|him|them|it)(?:['’]\w+)? ",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?<=[\w,;:] )(?:[A-Z][\w'’-]+|[A-Z]{2,})(?: (?:of |the )*[A-Z][\w'’-]+)*")


def passages(
    sentences: Sequence[Sentence], vectors: Floats, worthiness: Floats
) -> tuple[Passage, ...]:
    """Return the passages of a transcript in the order in which they begin.

    Every sentence is in one at most.

    ``vectors`` (n, d): the sentences' SBERT vectors; ``worthiness`` (n,): how much each deserves checking. An
    interjection within another's talk is a passage of its own, too.
    """
    made: list[tuple[int, ...]] = []
    for talk in talks(sentences):
        texts = [sentences[i].text for i in talk]
        starts = segment(border_odds(texts, vectors[talk], worthiness[talk]))
        made += [tuple(talk[a:b]) for a, b in zip(starts, [*starts[1:], len(talk)], strict=True)]
    return tuple(
        Passage(number, tuple(sentences[i].number for i in places), context(sentences, places))
        for number, places in enumerate(sorted(made), 1)
    )


def talks(sentences: Sequence[Sentence]) -> Iterator[list[int]]:
    """Yield the places of the sentences of each speaker's talk, which another's interjection does not end."""
    taken = np.zeros(len(sentences), bool)
    for first in range(len(sentences)):
        if taken[first]:
            continue
        talk = [first]
        at = first + 1
        while at < len(sentences):
            beyond = _beyond_interjection(sentences, at, sentences[first].speaker)
            if beyond is None:
                break
            talk.append(beyond)
            at = beyond + 1
        taken[talk] = True
        yield talk


def _beyond_interjection(sentences: Sequence[Sentence], at: int, speaker: str | None) -> int | None:
    """Return the place at which a speaker's talk goes on, from ``at``, beyond an interjection at most."""
    words = 0
    for place in range(at, min(at + INTERJECTIONS + 1, len(sentences))):
        if sentences[place].speaker == speaker:
            return place
        words += len(sentences[place].text.split())
        if words > INTERJECTION_WORDS:
            return None
    return None


def context(sentences: Sequence[Sentence], places: Sequence[int]) -> str:
    """Return what a passage, given by places, points back to.

    The question it answers, or where a name was said.

    A passage that answers another speaker's question has the question. One that begins with a
    pronoun, or has one and no name, has the last sentence before it in the same talk that names
    somebody or something.
    """
    first = places[0]
    speaker = sentences[places[0]].speaker
    text = " ".join(sentences[i].text for i in places)
    if (
        first
        and sentences[first - 1].speaker != speaker
        and _QUESTION.search(sentences[first - 1].text)
    ):
        return sentences[first - 1].text
    if not _POINTS_BACK.search(text) or named(text):
        return ""
    for place in range(first - 1, max(-1, first - 1 - REACH), -1):
        if sentences[place].speaker == speaker and named(sentences[place].text):
            return sentences[place].text
    return ""


def named(text: str) -> bool:
    """Return whether a text has a name in another place than its beginning."""
    return any(name.casefold() not in NO_NAMES for name in _NAME.findall(text))
