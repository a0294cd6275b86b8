"""Processes of this computer: whether one is still running."""

from __future__ import annotations

import os


def is_alive(number: int) -> bool:
    """Return whether a process with this number runs on this computer, for any user."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except OSError:  # a process of another user
        return True
    return True
