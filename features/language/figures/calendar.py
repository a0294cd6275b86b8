"""Calendar days as they are written.

Names of months, and the day that three figures give, if they give one.
"""

from __future__ import annotations

from datetime import date

MONTH_NAMES = (
    "january february march april may june july august september october november december".split()
)
MONTHS = {name: i for i, name in enumerate(MONTH_NAMES, 1)} | {
    name[:3]: i for i, name in enumerate(MONTH_NAMES, 1) if name != "may"
} | {"sept": 9}  # fmt: skip


def day(year: int, month: int, number: int) -> date | None:
    """Return the day of a year and month, None if there is no such day."""
    try:
        return date(year, month, number)
    except ValueError:
        return None


def day_of_figures(first: int, second: int, year: int) -> date | None:
    """Return the day of two figures and a year, whichever of the two is the month.

    None if either may be: 3/4/2020.
    """
    if first > 12:
        return day(year, second, first)
    return day(year, first, second) if second > 12 or first == second else None
