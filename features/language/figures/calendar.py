"""Calendar days in texts: the names of months, and the day that three figures stand for."""

from __future__ import annotations

from datetime import date

MONTH_NAMES = (
    "january february march april may june july august september october november december".split()
)
_FULL_NAMES = {name: month for month, name in enumerate(MONTH_NAMES, 1)}
_SHORT_NAMES = {name[:3]: month for name, month in _FULL_NAMES.items() if name != "may"}
MONTHS = _FULL_NAMES | _SHORT_NAMES | {"sept": 9}


def day(year: int, month: int, number: int) -> date | None:
    """Return the day of a year and month, None if there is no such day."""
    try:
        return date(year, month, number)
    except ValueError:
        return None


def day_of_figures(first: int, second: int, year: int) -> date | None:
    """Return the day that two figures and a year stand for, whichever of the two is the month.

    None if either may be the month: 3/4/2020.
    """
    if first > 12:
        return day(year, second, first)
    if second > 12 or first == second:
        return day(year, first, second)
    return None
