"""Word lists and wordings of the edits, each with a second set that is held out for tests.

Tests are made with the held-out wordings, so that a model cannot score by memorising wordings. The lists are in
``wordings.toml``.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_LISTS: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))


def _pairs(name: str) -> tuple[tuple[str, str], ...]:
    return tuple((first, second) for first, second in _LISTS[name])


def _both(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the wordings for training and, at index 1 or ``True``, the held-out ones."""
    return tuple(_LISTS[name]["training"]), tuple(_LISTS[name]["held_out"])


OPPOSITES, QUANTIFIERS, GROUPS, SAME = map(_pairs, ("opposites", "quantifiers", "groups", "same"))
_NO_DIRECTION = ("most", "every", "all", "majority", "always", "legal", "first")
DIRECTIONS = (*(pair for pair in OPPOSITES if pair[0] not in _NO_DIRECTION), *_pairs("directions"))
REWORDINGS = (*SAME, *_pairs("rewordings"))
NUMBER_WORDS, TENS, PEOPLE = (tuple(_LISTS[name]) for name in ("number_words", "tens", "people"))
STATES, COUNTRIES, CITIES = (tuple(_LISTS[name]) for name in ("states", "countries", "cities"))
WOMEN, SMALL, NO_TOPIC = (frozenset(_LISTS[name]) for name in ("women", "small", "no_topic"))
FILLERS, LONGER, PREDICTIONS = map(_both, ("fillers", "longer", "predictions"))
DENIALS, TOPICS, NARROWER = map(_both, ("denials", "topics", "narrower"))
