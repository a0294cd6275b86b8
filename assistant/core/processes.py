"""Processes of this computer: whether one with a number still lives."""

from __future__ import annotations

import os


def alive(number: int) -> bool:
    """Return whether a process with this number lives on this computer, whoever's it is."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:  # of another user
        return True
    return True
