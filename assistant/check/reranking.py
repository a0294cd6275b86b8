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
class RerankedLogOdds:
    """Log-odds of a pair after it has been read again.

    A slope times what they were, plus ``odds`` (2,) times those of
    the re-ranker, plus an intercept.
    """

    slope: float
    odds: Floats
    intercept: float

    def after(self, log_odds: Floats, odds: Floats) -> Floats:
        """Return the log-odds (p,) from those ``log_odds`` (p,) and the re-ranker's (p, 2)."""
        return self.slope * log_odds + odds @ self.odds + self.intercept


@dataclass(frozen=True, slots=True)
class RerankerEffect:
    """What the re-ranker's reading of a pair does to its score and to its sureness.

    ``usual`` (2,): the log-odds of a pair that is only just read again; an unread pair counts as such a one.
    """

    score: RerankedLogOdds
    sureness: RerankedLogOdds
    usual: Floats

    def odds(self, pair_count: int, reranked: Ints, reranker_odds: Floats) -> Floats:
        """Return the log-odds of n pairs (n, 2), the usual ones but for some ``reranked`` (r,), which were ``reranker_odds``."""
        odds = np.tile(np.asarray(self.usual, float), (pair_count, 1))
        odds[reranked] = reranker_odds
        return odds

    def moved(self, contributions: Floats, odds: Floats, effect: RerankedLogOdds) -> Floats:
        """Return the contributions (p, c) once pairs have been read again, (p, c + 1).

        What the usual reading adds belongs to the base, the last of them, and the rest to the
        reading.
        """
        moved = np.column_stack((effect.slope * contributions, (odds - self.usual) @ effect.odds))
        moved[:, -2] += effect.intercept + self.usual @ effect.odds
        return moved

    def most_sure(self, log_odds: Floats) -> Floats:
        """Return the greatest sureness (p,) that pairs can have after they have been read again."""
        best = np.where(self.sureness.odds > 0, RANGE[1], RANGE[0])
        return self.sureness.after(log_odds, np.tile(best, (len(log_odds), 1)))

    def to_json(self) -> dict[str, Any]:
        """Return plain values that ``from_json`` reads."""
        parts = {name: getattr(self, name) for name in ("score", "sureness")}
        rows = {
            name: {"slope": p.slope, "odds": p.odds.tolist(), "intercept": p.intercept}
            for name, p in parts.items()
        }
        return {**rows, "usual": self.usual.tolist()}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> RerankerEffect:
        """Return what plain values say."""
        score, sureness = (
            RerankedLogOdds(**{**value[n], "odds": np.array(value[n]["odds"])})
            for n in ("score", "sureness")
        )
        return cls(score, sureness, np.array(value["usual"]))
