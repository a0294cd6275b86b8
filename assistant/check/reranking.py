"""What the re-ranker's reading of a pair does to its score and its sureness.

Weights and arithmetic.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from features.models.reranker import RANGE

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Reread:
    """Log-odds of a pair after it has been read again.

    A slope times what they were, plus ``odds`` (2,) times those of
    the re-ranker, plus an intercept.
    """

    slope: float
    odds: Floats
    intercept: float

    def after(self, before: Floats, odds: Floats) -> Floats:
        """Return the log-odds (p,) from those ``before`` (p,) and the re-ranker's (p, 2)."""
        return self.slope * before + odds @ self.odds + self.intercept


@dataclass(frozen=True, slots=True)
class Rereading:
    """What the re-ranker's reading of a pair does to its score and to its sureness.

    ``usual`` (2,): the log-odds of a pair that is only just read again; an unread pair counts as such a one.
    """

    score: Reread
    sureness: Reread
    usual: Floats

    def odds(self, n: int, pairs: Ints, read: Floats) -> Floats:
        """Return the log-odds of n pairs (n, 2), the usual ones but for some ``pairs`` (r,), which were ``read``."""
        odds = np.tile(np.asarray(self.usual, float), (n, 1))
        odds[pairs] = read
        return odds

    def moved(self, parts: Floats, odds: Floats, reread: Reread) -> Floats:
        """Return the contributions (p, c) once pairs have been read again, (p, c + 1).

        What the usual reading adds belongs to the base, the last of them, and the rest to the
        reading.
        """
        moved = np.column_stack((reread.slope * parts, (odds - self.usual) @ reread.odds))
        moved[:, -2] += reread.intercept + self.usual @ reread.odds
        return moved

    def most_sure(self, before: Floats) -> Floats:
        """Return the greatest sureness (p,) that pairs can have after they have been read again."""
        best = np.where(self.sureness.odds > 0, RANGE[1], RANGE[0])
        return self.sureness.after(before, np.tile(best, (len(before), 1)))

    def to_json(self) -> dict[str, Any]:
        """Return plain values that ``from_json`` reads."""
        parts = {name: getattr(self, name) for name in ("score", "sureness")}
        rows = {
            name: {"slope": p.slope, "odds": p.odds.tolist(), "intercept": p.intercept}
            for name, p in parts.items()
        }
        return {**rows, "usual": self.usual.tolist()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Rereading:
        """Return what plain values say."""
        score, sureness = (
            Reread(**{**value[n], "odds": np.array(value[n]["odds"])})
            for n in ("score", "sureness")
        )
        return cls(score, sureness, np.array(value["usual"]))
