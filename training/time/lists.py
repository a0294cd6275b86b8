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

    def __init__(self, claims: Sequence[Claim], places: int) -> None:
        self.row: dict[str, int] = {}
        self.groups: list[list[str]] = []
        self._add([claim.text for claim in claims])
        for place in range(places):
            self._add(
                [claim.snippets[place].text for claim in claims if place < len(claim.snippets)]
            )

    def __len__(self) -> int:
        return len(self.row)

    def _add(self, texts: Sequence[str]) -> None:
        new = sorted(set(texts) - self.row.keys())
        self.row.update(zip(new, range(len(self.row), len(self.row) + len(new)), strict=True))
        self.groups.append(new)


def vocabulary(training: Sequence[Claim]) -> dict[str, int]:
    """Return the metadata words that enough training claims have, numbered from 1."""
    counts = Counter(word for claim in training for word in set(claim.about))
    return {word: i for i, word in enumerate(sorted(w for w, n in counts.items() if n >= RARE), 1)}


def listed(
    claims: Sequence[Claim], texts: Texts, space: Space, words: Mapping[str, int], places: int
) -> Lists:
    """Return claims as arrays with so many places for snippets."""
    snippets = np.full((len(claims), places), -1)
    about = np.zeros((len(claims), ABOUT), np.intp)
    days = np.full((len(claims), places), np.nan)
    for i, claim in enumerate(claims):
        first = claim.snippets[:places]
        snippets[i, : len(first)] = [texts.row[one.text] for one in first]
        days[i, : len(first)] = days_between([one.day for one in first], _origin(claim))
        known = [words[word] for word in dict.fromkeys(claim.about) if word in words][:ABOUT]
        about[i, : len(known)] = known
    return Lists(
        np.array([texts.row[claim.text] for claim in claims]),
        snippets,
        days,
        np.array([claim.day is not None for claim in claims]),
        np.array([space.number(claim) for claim in claims]),
        np.array([claim.domain for claim in claims]),
        about,
    )


def _origin(claim: Claim) -> date:
    return claim.day or next((one.day for one in claim.snippets if one.day), date.min)
