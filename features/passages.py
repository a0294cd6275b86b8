"""Borders of passages: how likely a new passage begins at each sentence of a speaker's talk. Texts in, arrays out.

A passage is what a reporter would quote as one: it makes one claim or argues one matter. A linear model reads how two
neighbouring sentences cohere: words and names in common, pronouns and connectives at the beginning, lengths, questions,
nearness in meaning and how much each deserves checking. Weights: ``models/passages.json``, made by
``training/passages``, from readings by a language model that follows docs/guide.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from features.stems import topic
from features.weights import MODELS

Floats = NDArray[np.floating]
LONGEST = 5  # sentences of a passage
WEIGHTS = "passages.json"
_WORD = re.compile(r"[A-Za-z$][\w'-]*|\d[\d,.]*")
_PRONOUNS = frozenset(
    "he she it they him her them his its their that this these those it's that's he's she's they're there's which "
    "who".split()
)
_POINTING = frozenset("that that's this it it's these those".split())
_PERSONS = frozenset("he she they he's she's they're".split())
_CONNECTIVES = frozenset("and but so or because then plus also now well look".split())
_CONTINUING = frozenset("because which or than like meaning including whether until unless so".split())
_PASSED_OVER = frozenset("and but so well now or because".split())  # before the word that a sentence begins with
_NO_NAMES = frozenset("i i'm i've i'll mr mrs senator governor congressman president secretary".split())
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


def cohesion(texts: Sequence[str], vectors: Floats, worthiness: Floats) -> Floats:
    """Return what the model reads of each two neighbouring sentences, (n - 1, f), in the order of ``NAMES``.

    ``texts``: the sentences of one speaker's talk; ``vectors`` (n, d): their SBERT vectors; ``worthiness`` (n,).
    """
    words = [[w.lower() for w in _WORD.findall(text.replace("’", "'"))] for text in texts]
    topics = [{topic(w) for w in each} - {""} for each in words]
    names = [_names(text) for text in texts]
    question = [bool(_QUESTION.search(text)) for text in texts]
    greeting = [bool(_GREETING.search(text)) for text in texts]
    near = vectors @ vectors.T if len(texts) else np.zeros((0, 0))
    rows = []
    for i in range(1, len(texts)):
        a, b, one, other = words[i - 1], words[i], topics[i - 1], topics[i]
        before = set().union(*topics[max(0, i - 3) : i])
        after = topics[i + 1] if i + 1 < len(texts) else set()
        begins = (b[1:] if b and b[0] in _PASSED_OVER else b)[:1]
        left, right = vectors[max(0, i - 2) : i].sum(axis=0), vectors[i : i + 2].sum(axis=0)
        first = b[0] if b else ""
        pronoun = any(w in _PRONOUNS for w in b)
        rows.append(
            (
                first in _CONNECTIVES,
                first == "and",
                first == "but",
                first == "so",
                first in ("now", "well", "look"),
                first in _CONTINUING,
                _any_of(begins, _PRONOUNS),
                _any_of(begins, _POINTING),
                _any_of(begins, _PERSONS),
                pronoun,
                pronoun and not names[i],
                _any_of(begins, ("i", "we", "i'm", "we're", "i've", "we've")),
                _any_of(begins, ("you", "you're")),
                np.log1p(len(b)),
                np.log1p(len(a)),
                len(b) <= 4,
                len(a) <= 4,
                len(one & other) / max(1, min(len(one), len(other))),
                min(3, len(one & other)),
                len(before & other) / max(1, len(other)),
                len(other & after) / max(1, min(len(other), len(after))),
                len(one & after) / max(1, min(len(one), len(after))),
                question[i - 1],
                question[i],
                question[i - 1] and question[i],
                bool(_MARK.search(texts[i])),
                greeting[i],
                greeting[i - 1],
                greeting[i] and greeting[i - 1],
                min(2, len(names[i] - names[i - 1])),
                min(2, len(names[i] & names[i - 1])),
                any(w[0].isdigit() for w in b),
                any(w[0].isdigit() for w in a),
                len(b) > 2 and b[:2] == a[:2],
                texts[i][:1].islower(),
                texts[i - 1].rstrip().endswith(("--", "...", "—", "…", ":")),
                set(b) == set(a),
                near[i, i - 1],
                near[i, i + 1] if i + 1 < len(texts) else 0.2,
                near[i, i - 2] if i > 1 else near[i, i - 1],
                left @ right / max(float(np.linalg.norm(left) * np.linalg.norm(right)), 1e-9),
                worthiness[i - 1],
                worthiness[i],
                worthiness[i] * worthiness[i - 1],
            )
        )
    return np.array(rows, np.float64).reshape(max(0, len(texts) - 1), len(NAMES))


NAMES = (
    *("connective", "and", "but", "so", "now", "continuing", "pronoun_first", "pointing_first", "person_first"),
    *("pronoun", "pronoun_no_name", "i_we_first", "you_first", "length", "length_before", "short", "short_before"),
    *("topics_shared", "topics_shared_count", "topics_of_three", "topics_with_next", "topics_across"),
    *("question_before", "question", "questions", "mark", "greeting", "greeting_before", "greetings"),
    *("new_names", "same_names", "figure", "figure_before", "parallel", "lower_case", "broken_off", "repeated"),
    *("near", "near_next", "near_before", "near_around", "worth_before", "worth", "worth_both"),
)


def border_odds(texts: Sequence[str], vectors: Floats, worthiness: Floats) -> Floats:
    """Return the log-odds that a passage begins at each sentence but the first, (n - 1,): see ``cohesion``."""
    weights, bias = _model(MODELS / WEIGHTS)
    return cohesion(texts, vectors, worthiness) @ weights + bias


def segment(odds: Floats, longest: int = LONGEST) -> list[int]:
    """Return where passages begin, from 0, in the most likely division into passages of at most ``longest`` sentences.

    ``odds`` (n - 1,): the log-odds that a passage begins at each sentence but the first.
    """
    n = len(odds) + 1
    begins, goes_on = -np.logaddexp(0, -odds), -np.logaddexp(0, odds)
    inside = np.concatenate(([0.0, 0.0], np.cumsum(goes_on)))  # inside[i]: no border at 1..i-1
    best, back = np.full(n + 1, -np.inf), np.zeros(n + 1, int)
    best[0] = 0.0
    for end in range(1, n + 1):
        for start in range(max(0, end - longest), end):
            score = best[start] + (begins[start - 1] if start else 0.0) + inside[end] - inside[start + 1]
            if score > best[end]:
                best[end], back[end] = score, start
    starts, end = [], n
    while end:
        end = int(back[end])
        starts.append(end)
    return starts[::-1]


def _names(text: str) -> set[str]:
    """The capitalised words of a text but its first, in small letters."""
    words = ((i, word.strip('.,?!;:"”“')) for i, word in enumerate(text.replace("’", "'").split()))
    return {word.lower() for i, word in words if i and word[:1].isupper() and word.lower() not in _NO_NAMES}


def _any_of(words: Sequence[str], wanted: frozenset[str] | tuple[str, ...]) -> bool:
    return bool(words) and words[0] in wanted


@lru_cache(maxsize=2)
def _model(path: Path) -> tuple[Floats, float]:
    learnt = json.loads(path.read_text("utf-8"))
    return np.array([learnt["weights"][name] for name in NAMES]), float(learnt["bias"])
