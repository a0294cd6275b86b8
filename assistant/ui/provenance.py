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
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from assistant import __version__
from assistant.core.settings import MODEL_PARTS, Profile
from assistant.explain import patterns
from assistant.ui.shown_text import escape
from features.models.weight_files import MODELS

PACKAGES = (
    "streamlit",
    "torch",
    "transformers",
    "onnxruntime",
    "scikit-learn",
    "numpy",
    "sqlalchemy",
)
DIGEST_DIGITS = 16
# a longer list or table of a card holds weights: it is counted, not shown
MAX_SHOWN_VALUES = 30
WEIGHTS_SUFFIXES = (".safetensors", ".npz", ".txt")
STORED_WITH_MODEL = "stored with the model"


@dataclass(frozen=True, slots=True)
class ModelFile:
    """One file of weights: its name, the start of its sha256, and what its card says."""

    name: str
    digest: str
    card: Mapping[str, Any]


def versions() -> list[tuple[str, str]]:
    """Return Lectern, Python and the libraries that compute, each with its version."""
    lectern_and_python = [("Lectern", __version__), ("Python", platform.python_version())]
    return lectern_and_python + [(package, _version(package)) for package in PACKAGES]


def model_files(folder: Path = MODELS) -> list[ModelFile]:
    """Return the models in a folder and in the folders inside it, by name.

    Files of weights with their cards, and those that are one JSON file.

    The words of MTM's patterns are not a model; they are shown on the page Patterns.
    """
    card_paths = [path for path in sorted(folder.rglob("*.json")) if path.name != patterns.FILE]
    return [_model_file(card_path, folder) for card_path in card_paths]


def thresholds(profile: Profile) -> list[tuple[str, str]]:
    """Return the settings of a profile that decide what is shown.

    Settings without a value are stored with the models.
    """
    names_and_values = [("profile", profile.name)]
    for field in fields(profile):
        if field.name in (*MODEL_PARTS, "name"):  # the page shows these in other tables
            continue
        value = getattr(profile, field.name)
        value_words = STORED_WITH_MODEL if value is None else str(value)
        names_and_values.append((field.name.replace("_", " "), value_words))
    return names_and_values


def part_models(profile: Profile) -> list[tuple[str, str]]:
    """Return which model computes which family of features."""
    models = []
    for part_name in MODEL_PARTS:
        spec = getattr(profile, part_name)
        suffix = f" with {spec.weights}" if spec.weights else ""
        models.append((part_name, spec.name + suffix))
    return models


def pairs_table(pairs: Iterable[tuple[str, str]], column_titles: tuple[str, str]) -> str:
    """Return pairs as an HTML table."""
    table_rows = []
    for label, value in pairs:
        table_rows.append(f'<tr><th scope="row">{escape(label)}</th><td>{escape(value)}</td></tr>')
    header_cells = "".join(f'<th scope="col">{escape(name)}</th>' for name in column_titles)
    return (
        f'<table class="lx-table lx-words"><thead><tr>{header_cells}</tr></thead>'
        f"<tbody>{''.join(table_rows)}</tbody></table>"
    )


def card_rows(model_card: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a card as pairs of words, nested values flattened: ``scores: mnli``, ``0.71``."""
    names_and_values: list[tuple[str, str]] = []
    for key, value in model_card.items():
        name = key.replace("_", " ")
        if isinstance(value, (Mapping, list)) and len(value) > MAX_SHOWN_VALUES:
            names_and_values.append((name, f"{len(value):,} values"))
        elif isinstance(value, Mapping):
            for nested_name, words in card_rows(value):
                names_and_values.append((f"{name}: {nested_name}", words))
        elif isinstance(value, list):
            names_and_values.append((name, ", ".join(map(str, value))))
        elif isinstance(value, float):
            names_and_values.append((name, f"{value:.3f}"))
        else:
            names_and_values.append((name, str(value)))
    return names_and_values


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _weights_path(card_path: Path) -> Path | None:
    """Return the file of weights that has the name of a card."""
    for path in card_path.parent.glob(f"{card_path.stem}.*"):
        if path.suffix in WEIGHTS_SUFFIXES:
            return path
    return None


def _model_file(card_path: Path, folder: Path) -> ModelFile:
    path = _weights_path(card_path) or card_path
    # a card of a model is a JSON object; other files have nothing to show
    card = json.loads(card_path.read_text("utf-8"))
    if not isinstance(card, dict):
        card = {}
    # the digest is computed again only if the file has changed
    digest = _digest(path, path.stat().st_mtime_ns)
    return ModelFile(path.relative_to(folder).as_posix(), digest, card)


@lru_cache(maxsize=32)
def _digest(path: Path, _changed: int) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:DIGEST_DIGITS]
