"""The files that come with Lectern besides its code: the app's script, samples and figures.

A checkout has them in its top folder, an installed package in ``assistant/shipped``.
"""

from __future__ import annotations

from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[2]
_INSTALLED = Path(__file__).resolve().parents[1] / "shipped"
SHIPPED_FOLDER = _INSTALLED if _INSTALLED.is_dir() else _CHECKOUT
APP_SCRIPT = SHIPPED_FOLDER / "app.py"
SAMPLE_CLAIMS = SHIPPED_FOLDER / "sample_claims" / "samples.jsonl"
SAMPLE_TRANSCRIPTS = SHIPPED_FOLDER / "sample_transcripts"
RELIABILITY_CSV = SHIPPED_FOLDER / "docs" / "curves" / "reliability.csv"
NOTICE = SHIPPED_FOLDER / "NOTICE"
