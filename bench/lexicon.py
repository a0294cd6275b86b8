"""The lexicon of a module: its word lists, patterns and texts, from the TOML file of the same name."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace


def lexicon(module: str) -> SimpleNamespace:
    """Return the tables of the TOML file beside a module's file, as attributes.

    Lists become tuples.
    """
    tables = tomllib.loads(Path(module).with_suffix(".toml").read_text("utf-8"))
    return SimpleNamespace(**{name: _frozen(value) for name, value in tables.items()})


def _frozen(value: object) -> object:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
