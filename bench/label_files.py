"""The label files of ``bench/labels`` as rows.

Ids, places and labels, and no text but rewordings.
"""

from __future__ import annotations

from pathlib import Path

LABELS = Path(__file__).parent / "labels"


def label_rows(name: str) -> list[list[str]]:
    """Return the tab-separated rows of a label file, without its notes.

    None if there is no such file.
    """
    path = LABELS / name
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
