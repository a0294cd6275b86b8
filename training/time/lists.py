"""Lists of dated snippets for each claim of MultiFC, as arrays, and the order that a row of the table should learn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from ranking.temporal import ORDERS, days_between
from training.time.multifc import Claim, Space

Ints = NDArray[np.integer]
Floats = NDArray[np.floating]
RARE = 3  # metadata words of fewer training claims are not learnt
ABOUT = 16  # metadata words of a claim at most
WITHOUT_TIME = ("base", "random", "search")
ROWS = (*WITHOUT_TIME, *ORDERS)
OF_CLAIM = ("claim-date", "claim-centred")  # orders that need the claim's own date


@dataclass(frozen=True, eq=False)
class Lists:
    """N claims with n places for snippets.

    Shapes: claim, label, domain (N,), snippets, days (N, n), about (N, m).

    ``claim`` and ``snippets`` are rows of texts, -1 for no snippet; ``days`` count from the claim, nan for unknown;
    ``dated`` (N,) marks claims with a date; without one, days count from the first snippet's.
    """

    claim: Ints
    snippets: Ints
    days: Floats
    dated: NDArray[np.bool_]
    label: Ints
    domain: NDArray[np.str_]
    about: Ints

    def __len__(self) -> int:
        return len(self.claim)

    def ranks(self, row: str, *, seed: int) -> Ints:
        """Return the rank scores (N, n) that a row of the table learns, 0 where masked.

        All masked for the base.

        Raises: ValueError for a row that is none of ``ROWS``.
        """
        real = self.snippets >= 0
        ranks = np.zeros(self.snippets.shape, np.intp)
        if row == "random":
            chance = np.random.default_rng(seed).random(real.shape)
            ranks[:] = np.argsort(np.argsort(chance, axis=1), axis=1) + 1
        elif row == "search":
            ranks[:] = np.arange(real.shape[1], 0, -1)
        elif row in ORDERS:
            for i, days in enumerate(self.days):
                if self.dated[i] or row not in OF_CLAIM:
                    ranks[i] = ORDERS[row](days)
        elif row != "base":
            raise ValueError(f"{row!r} is no row; expected one of {ROWS}")
        return ranks * real


class Texts:
    """The distinct texts of claims and of their first snippets, numbered place by place.

    Claims, firsts, seconds.
    """

    def __init__(self, claims: Sequence[Claim], place_count: int) -> None:
        self.row: dict[str, int] = {}
        self.groups: list[list[str]] = []
        self._add([claim.text for claim in claims])
        for snippet_index in range(place_count):
            long_enough = [claim for claim in claims if snippet_index < len(claim.snippets)]
            self._add([claim.snippets[snippet_index].text for claim in long_enough])

    def __len__(self) -> int:
        return len(self.row)

    def _add(self, texts: Sequence[str]) -> None:
        new_texts = sorted(set(texts) - self.row.keys())
        for number, text in enumerate(new_texts, len(self.row)):
            self.row[text] = number
        self.groups.append(new_texts)


def vocabulary(training: Sequence[Claim]) -> dict[str, int]:
    """Return the metadata words that enough training claims have, numbered from 1."""
    counts = Counter(word for claim in training for word in set(claim.about))
    frequent = sorted(word for word, count in counts.items() if count >= RARE)
    return {word: number for number, word in enumerate(frequent, 1)}


def listed(
    claims: Sequence[Claim], texts: Texts, space: Space, words: Mapping[str, int], place_count: int
) -> Lists:
    """Return claims as arrays with a number of places for snippets."""
    snippets = np.full((len(claims), place_count), -1)
    about = np.zeros((len(claims), ABOUT), np.intp)
    days = np.full((len(claims), place_count), np.nan)
    for i, claim in enumerate(claims):
        claim_snippets = claim.snippets[:place_count]
        count = len(claim_snippets)
        snippets[i, :count] = [texts.row[snippet.text] for snippet in claim_snippets]
        snippet_days = [snippet.day for snippet in claim_snippets]
        days[i, :count] = days_between(snippet_days, _origin(claim))
        distinct_words = dict.fromkeys(claim.about)
        numbers = [words[word] for word in distinct_words if word in words][:ABOUT]
        about[i, : len(numbers)] = numbers
    return Lists(
        claim=np.array([texts.row[claim.text] for claim in claims]),
        snippets=snippets,
        days=days,
        dated=np.array([claim.day is not None for claim in claims]),
        label=np.array([space.number(claim) for claim in claims]),
        domain=np.array([claim.domain for claim in claims]),
        about=about,
    )


def _origin(claim: Claim) -> date:
    if claim.day:
        return claim.day
    return next((snippet.day for snippet in claim.snippets if snippet.day), date.min)
