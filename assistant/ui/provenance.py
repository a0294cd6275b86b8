"""The provenance of results.

Versions, models with digests, licences and scores, and the thresholds in force.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from functools import lru_cache
from html import escape
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from assistant import __version__
from assistant.core.settings import PARTS, Profile
from assistant.explain import patterns

MODELS = Path(__file__).parent.parent.parent / "models"
PACKAGES = (
    "streamlit",
    "torch",
    "transformers",
    "onnxruntime",
    "scikit-learn",
    "numpy",
    "sqlalchemy",
)
DIGEST_SHOWN = 16
SHOWN_VALUES = 30  # a card's longer lists and tables are weights: counted, not shown
_DEFAULT = "stored with the model"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of weights: its name, the start of its sha256, and what its card says."""

    name: str
    digest: str
    card: Mapping[str, Any]


def versions() -> list[tuple[str, str]]:
    """Return Lectern, Python and the libraries that compute, each with its version."""
    return [
        ("Lectern", __version__),
        ("Python", platform.python_version()),
        *((p, _version(p)) for p in PACKAGES),
    ]


def model_files(folder: Path = MODELS) -> list[ModelFile]:
    """Return the models in a folder by name.

    Files of weights with their cards, and those that are one JSON file.

    The words of MTM's patterns are not a model; they are shown on the page Patterns.
    """
    return [
        _model_file(card) for card in sorted(folder.glob("*.json")) if card.name != patterns.FILE
    ]


def thresholds(profile: Profile) -> list[tuple[str, str]]:
    """Return the settings of a profile that decide what is shown.

    Those not set are stored with the models.
    """
    rows = [("profile", profile.name)]
    for f in fields(profile):
        if f.name not in (*PARTS, "name"):
            value = getattr(profile, f.name)
            rows.append((f.name.replace("_", " "), _DEFAULT if value is None else str(value)))
    return rows


def part_models(profile: Profile) -> list[tuple[str, str]]:
    """Return which model computes which family of measures."""
    specs = {part: getattr(profile, part) for part in PARTS}
    return [
        (part, spec.name + (f" with {spec.weights}" if spec.weights else ""))
        for part, spec in specs.items()
    ]


def pairs_table(rows: Iterable[tuple[str, str]], heads: tuple[str, str]) -> str:
    """Return pairs as an HTML table."""
    body = "".join(
        f'<tr><th scope="row">{escape(k)}</th><td>{escape(v)}</td></tr>' for k, v in rows
    )
    top = "".join(f'<th scope="col">{escape(h)}</th>' for h in heads)
    return f'<table class="lx-table lx-words"><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>'


def card_rows(card: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a card as pairs of words, nested values flattened: ``scores: mnli``, ``0.71``."""
    rows: list[tuple[str, str]] = []
    for key, value in card.items():
        name = key.replace("_", " ")
        if isinstance(value, (Mapping, list)) and len(value) > SHOWN_VALUES:
            rows.append((name, f"{len(value):,} values"))
        elif isinstance(value, Mapping):
            rows += [(f"{name}: {k}", v) for k, v in card_rows(value)]
        elif isinstance(value, list):
            rows.append((name, ", ".join(str(v) for v in value)))
        else:
            rows.append((name, f"{value:.3f}" if isinstance(value, float) else str(value)))
    return rows


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _weights_path(card: Path) -> Path | None:
    others = (
        p
        for p in card.parent.glob(f"{card.stem}.*")
        if p.suffix in (".safetensors", ".npz", ".txt")
    )
    return next(others, None)


def _model_file(card: Path) -> ModelFile:
    path = _weights_path(card) or card
    read = json.loads(card.read_text("utf-8"))
    return ModelFile(
        path.name, _digest(path, path.stat().st_mtime_ns), read if isinstance(read, dict) else {}
    )


@lru_cache(maxsize=32)
def _digest(path: Path, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_SHOWN]
