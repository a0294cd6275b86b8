"""Borders of passages: how likely a new passage begins at each sentence of a speaker's talk.

Texts in, arrays out.

A passage is what a reporter would quote as one: it makes one claim or argues one matter. A linear model reads how two
neighbouring sentences cohere: words and names in common, pronouns and connectives at the beginning, lengths, questions,
nearness in meaning and how much each deserves checking. Weights: ``models/passages.json``, made by
``training/passages``, from readings by a language model that follows docs/guide.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.language.stems import topic
from features.models.weight_files import MODELS

Floats = NDArray[np.floating]
LONGEST = 5  # sentences of a passage
NEAR_NEXT = 0.2  # cosine with the next sentence where there is none
WEIGHTS = "passages.json"
_WORD = re.compile(r"[A-Za-z$][\w'-]*|\d[\d,.]*")
_PRONOUNS = frozenset(
    "he she it they him her them his its their that this these those it's that's he's she's they're there's which "
    "who".split()
)
_POINTING = frozenset("that that's this it it's these those".split())
_PERSONS = frozenset("he she they he's she's they're".split())
_CONNECTIVES = frozenset("and but so or because then plus also now well look".split())
_CONTINUING = frozenset(
    "because which or than like meaning including whether until unless so".split()
)
_PASSED_OVER = frozenset(
    "and but so well now or because".split()
)  # before the word that a sentence begins with
_NO_NAMES = frozenset(
    "i i'm i've i'll mr mrs senator governor congressman president secretary".split()
)
_MARK = re.compile(
    r"^(?:(?:and|but|so|well|now|ok(?:ay)?),? )*"
    r"(?:now|look|let me|let's|first|second|third|number (?:one|two|three)|next|another|also|in addition|by the way"
    r"|when it comes|as for|as far as|with (?:regard|respect)|on (?:the )?\w+,|i'?ll tell you|here's|finally|meanwhile"
    r"|at the same time|one (?:more|other|last))\b",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"\b(?:thank|thanks|welcome|good (?:morning|evening|afternoon)|please|ladies and gentlemen|hello|congratulations"
    r"|god bless|applause)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?[\"”’)\]]*\s*$")


NAMES = (
    *(
        "connective",
        "and",
        "but",
        "so",
        "now",
        "continuing",
        "pronoun_first",
        "pointing_first",
        "person_first",
    ),
    *(
        "pronoun",
        "pronoun_no_name",
        "i_we_first",
        "you_first",
        "length",
        "length_before",
        "short",
        "short_before",
    ),
    *(
        "topics_shared",
        "topics_shared_count",
        "topics_of_three",
        "topics_with_next",
        "topics_across",
    ),
    *(
        "question_before",
        "question",
        "questions",
        "mark",
        "greeting",
        "greeting_before",
        "greetings",
    ),
    *(
        "new_names",
        "same_names",
        "figure",
        "figure_before",
        "parallel",
        "lower_case",
        "broken_off",
        "repeated",
    ),
    *("near", "near_next", "near_before", "near_around", "worth_before", "worth", "worth_both"),
)


@dataclass(frozen=True, slots=True)
class _Read:
    """What is read of a sentence alone.

    Its words and stems of topic, its names, and what kind of sentence it is.
    """

    text: str
    words: list[str]
    topics: set[str]
    names: set[str]
    question: bool
    greeting: bool
    worth: float

    @classmethod
    def of(cls, text: str, worth: float) -> _Read:
        words = [word.lower() for word in _WORD.findall(text.replace("’", "'"))]
        topics = {topic(word) for word in words} - {""}
        return cls(
            text,
            words,
            topics,
            _names(text),
            bool(_QUESTION.search(text)),
            bool(_GREETING.search(text)),
            worth,
        )


NOTHING = _Read("", [], set(), set(), False, False, 0.0)


def cohesion(texts: Sequence[str], vectors: Floats, worthiness: Floats) -> Floats:
    """Return what the model reads of each two neighbouring sentences, (n - 1, f), in the order of ``NAMES``.

    ``texts``: the sentences of one speaker's talk; ``vectors`` (n, d): their SBERT vectors; ``worthiness`` (n,).
    """
    talk = [_Read.of(text, float(worth)) for text, worth in zip(texts, worthiness, strict=True)]
    rows = [
        {
            **_beginning(talk[i - 1], talk[i]),
            **_topics(talk, i),
            **_pair(talk[i - 1], talk[i]),
            **_nearness(vectors, i),
        }
        for i in range(1, len(talk))
    ]
    return np.array([[row[name] for name in NAMES] for row in rows], np.float64).reshape(
        len(rows), len(NAMES)
    )


def _beginning(before: _Read, read: _Read) -> dict[str, float]:
    """How a sentence begins, and how long it and the one before are."""
    words = read.words
    first = words[0] if words else ""
    begins = (words[1:] if first in _PASSED_OVER else words)[:1]
    pronoun = any(word in _PRONOUNS for word in words)
    return {
        "connective": first in _CONNECTIVES,
        "and": first == "and",
        "but": first == "but",
        "so": first == "so",
        "now": first in ("now", "well", "look"),
        "continuing": first in _CONTINUING,
        "pronoun_first": _any_of(begins, _PRONOUNS),
        "pointing_first": _any_of(begins, _POINTING),
        "person_first": _any_of(begins, _PERSONS),
        "pronoun": pronoun,
        "pronoun_no_name": pronoun and not read.names,
        "i_we_first": _any_of(begins, ("i", "we", "i'm", "we're", "i've", "we've")),
        "you_first": _any_of(begins, ("you", "you're")),
        "length": np.log1p(len(words)),
        "length_before": np.log1p(len(before.words)),
        "short": len(words) <= 4,
        "short_before": len(before.words) <= 4,
        "mark": bool(_MARK.search(read.text)),
        "lower_case": read.text[:1].islower(),
    }


def _topics(talk: Sequence[_Read], i: int) -> dict[str, float]:
    """The stems of topic that sentence i shares with those around it."""
    one = talk[i - 1].topics
    other = talk[i].topics
    three = set().union(*(read.topics for read in talk[max(0, i - 3) : i]))
    after = (talk[i + 1] if i + 1 < len(talk) else NOTHING).topics
    return {
        "topics_shared": len(one & other) / max(1, min(len(one), len(other))),
        "topics_shared_count": min(3, len(one & other)),
        "topics_of_three": len(three & other) / max(1, len(other)),
        "topics_with_next": len(other & after) / max(1, min(len(other), len(after))),
        "topics_across": len(one & after) / max(1, min(len(one), len(after))),
    }


def _pair(before: _Read, read: _Read) -> dict[str, float]:
    """What the two sentences at a border are to each other."""
    a = before.words
    b = read.words
    return {
        "question_before": before.question,
        "question": read.question,
        "questions": before.question and read.question,
        "greeting": read.greeting,
        "greeting_before": before.greeting,
        "greetings": before.greeting and read.greeting,
        "new_names": min(2, len(read.names - before.names)),
        "same_names": min(2, len(read.names & before.names)),
        "figure": any(word[0].isdigit() for word in b),
        "figure_before": any(word[0].isdigit() for word in a),
        "parallel": len(b) > 2 and b[:2] == a[:2],
        "broken_off": before.text.rstrip().endswith(("--", "...", "—", "…", ":")),
        "repeated": set(b) == set(a),
        "worth_before": before.worth,
        "worth": read.worth,
        "worth_both": read.worth * before.worth,
    }


def _nearness(vectors: Floats, i: int) -> dict[str, float]:
    """The cosines of sentence i with its neighbours, and of the two before with the two from it on."""
    near = float(vectors[i] @ vectors[i - 1])
    left = vectors[max(0, i - 2) : i].sum(axis=0)
    right = vectors[i : i + 2].sum(axis=0)
    return {
        "near": near,
        "near_next": float(vectors[i] @ vectors[i + 1]) if i + 1 < len(vectors) else NEAR_NEXT,
        "near_before": float(vectors[i] @ vectors[i - 2]) if i > 1 else near,
        "near_around": left
        @ right
        / max(float(np.linalg.norm(left) * np.linalg.norm(right)), 1e-9),
    }


def border_odds(texts: Sequence[str], vectors: Floats, worthiness: Floats) -> Floats:
    """Return the log-odds that a passage begins at each sentence but the first, (n - 1,).

    See ``cohesion``.
    """
    weights, bias = _model(MODELS / WEIGHTS)
    return cohesion(texts, vectors, worthiness) @ weights + bias


def segment(odds: Floats, longest: int = LONGEST) -> list[int]:
    """Return where passages begin, from 0, in the most likely division into passages of at most ``longest`` sentences.

    ``odds`` (n - 1,): the log-odds that a passage begins at each sentence but the first.
    """
    n = len(odds) + 1
    begins = -np.logaddexp(0, -odds)
    goes_on = -np.logaddexp(0, odds)
    inside = np.concatenate(([0.0, 0.0], np.cumsum(goes_on)))  # inside[i]: no border at 1..i-1
    best = np.full(n + 1, -np.inf)
    back = np.zeros(n + 1, int)
    best[0] = 0.0
    for end in range(1, n + 1):
        for start in range(max(0, end - longest), end):
            score = (
                best[start]
                + (begins[start - 1] if start else 0.0)
                + inside[end]
                - inside[start + 1]
            )
            if score > best[end]:
                best[end], back[end] = score, start
    starts = []
    end = n
    while end:
        end = int(back[end])
        starts.append(end)
    return starts[::-1]


def _names(text: str) -> set[str]:
    """The capitalised words of a text but its first, in small letters."""
    words = ((i, word.strip('.,?!;:"”“')) for i, word in enumerate(text.replace("’", "'").split()))
    return {
        word.lower()
        for i, word in words
        if i and word[:1].isupper() and word.lower() not in _NO_NAMES
    }


def _any_of(words: Sequence[str], wanted: frozenset[str] | tuple[str, ...]) -> bool:
    return bool(words) and words[0] in wanted


@lru_cache(maxsize=2)
def _model(path: Path) -> tuple[Floats, float]:
    learnt = json.loads(path.read_text("utf-8"))
    return np.array([learnt["weights"][name] for name in NAMES]), float(learnt["bias"])
