"""A share with its interval: k of n, and between which bounds the true share may be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from scipy.stats import binomtest


@dataclass(frozen=True, slots=True)
class Share:
    """``hits`` of ``of``; 0 of 0 has the widest interval."""

    hits: int
    of: int

    @classmethod
    def count(cls, flags: Iterable[bool]) -> Share:
        """Return the share of true flags."""
        listed = [bool(flag) for flag in flags]
        return cls(sum(listed), len(listed))

    @property
    def value(self) -> float:
        """Return the share, 0..1."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Return the bounds of the 95 % interval. Source: Wilson, JASA 1927."""
        if not self.of:
            return 0.0, 1.0
        bounds = binomtest(self.hits, self.of).proportion_ci(method="wilson")
        return float(bounds.low), float(bounds.high)

    def plain(self) -> list[float]:
        """Return the share and the bounds of its interval, for a JSON file."""
        return [round(number, 4) for number in (self.value, *self.interval)]

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:6.1%} [{low:.0%}, {high:.0%}]"
