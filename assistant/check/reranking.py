"""The effect of the re-ranker's log-odds on the score and the confidence of a pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from features.models.reranker import LOG_ODDS_RANGE

Floats = NDArray[np.floating]
Ints = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class RerankedLogOdds:
    """Log-odds of a pair after re-ranking, linear in the earlier ones and in the re-ranker's.

    ``slope``: weight of the earlier log-odds; ``odds`` (2,): weights of the re-ranker's.
    """

    slope: float
    odds: Floats
    intercept: float

    def after(self, log_odds: Floats, odds: Floats) -> Floats:
        """Return the new log-odds (p,) from the earlier ones (p,) and the re-ranker's (p, 2)."""
        return self.slope * log_odds + odds @ self.odds + self.intercept


@dataclass(frozen=True, slots=True)
class RerankerEffect:
    """The effect of the re-ranker on the score and on the confidence of a pair.

    ``usual`` (2,): the re-ranker's log-odds of a pair at the threshold of re-ranking, which stand
    for the log-odds of an unread pair.
    """

    score: RerankedLogOdds
    sureness: RerankedLogOdds
    usual: Floats

    def odds(self, pair_count: int, reranked: Ints, reranker_odds: Floats) -> Floats:
        """Return the log-odds of all pairs (p, 2): the usual ones unless ``reranked`` (r,)."""
        odds = np.tile(np.asarray(self.usual, float), (pair_count, 1))
        odds[reranked] = reranker_odds
        return odds

    def moved(self, contributions: Floats, odds: Floats, effect: RerankedLogOdds) -> Floats:
        """Return the contributions (p, c) with the re-ranker's as a last column, (p, c + 1).

        The effect of the usual log-odds belongs to the base, the last contribution before; only
        the difference from them belongs to the re-ranker.
        """
        # The new log-odds are linear in the old, so each contribution scales; the intercept joins
        # the base.
        of_reranker = (odds - self.usual) @ effect.odds
        moved = np.column_stack((effect.slope * contributions, of_reranker))
        moved[:, -2] += effect.intercept + self.usual @ effect.odds
        return moved

    def most_sure(self, log_odds: Floats) -> Floats:
        """Return the greatest confidence (p,) that pairs can have after re-ranking."""
        # A linear effect is greatest at an end of the range: the upper one for a positive weight.
        lowest, highest = LOG_ODDS_RANGE
        best_odds = np.where(self.sureness.odds > 0, highest, lowest)  # (2,)
        odds_of_pairs = np.tile(best_odds, (len(log_odds), 1))  # (p, 2)
        return self.sureness.after(log_odds, odds_of_pairs)

    def to_json(self) -> dict[str, Any]:
        """Convert to JSON values, for ``from_json``."""
        values: dict[str, Any] = {}
        for name, effect in (("score", self.score), ("sureness", self.sureness)):
            values[name] = {
                "slope": effect.slope,
                "odds": effect.odds.tolist(),
                "intercept": effect.intercept,
            }
        values["usual"] = self.usual.tolist()
        return values

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> RerankerEffect:
        """Build from JSON values."""
        effect_by_name: dict[str, RerankedLogOdds] = {}
        for name in ("score", "sureness"):
            effect_json = values[name]
            odds_weights = np.array(effect_json["odds"])
            effect_by_name[name] = RerankedLogOdds(
                effect_json["slope"], odds_weights, effect_json["intercept"]
            )
        usual_odds = np.array(values["usual"])
        return cls(effect_by_name["score"], effect_by_name["sureness"], usual_odds)
