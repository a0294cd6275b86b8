"""The table of formats: every other list of formats and extensions is made from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.transcripts.formats import EXTENSIONS, LABELS, TRANSCRIPT_FORMATS, USUAL_EXTENSIONS
from tests.assistant.transcripts.reading import GOLDEN, first_format, source

SAMPLES = Path(__file__).parents[3] / "sample_transcripts"
NAMED_TXT = "spans_with_bracketed_names.txt"  # SRT in all but its name
FILES = sorted(
    p for p in GOLDEN.rglob("*") if p.suffix not in ("", ".expected") and p.name != NAMED_TXT
)


def test_names_and_labels_are_unique() -> None:
    """Reports store the short name, users read the label."""
    assert len(TRANSCRIPT_FORMATS) == len(LABELS) == len(set(LABELS.values()))


def test_users_are_shown_one_extension_of_each_kind() -> None:
    """The upload field and refusals show the short list.

    The upload field accepts the rarer ones, too.
    """
    assert {"docx", "srt", "json", "txt"} < set(USUAL_EXTENSIONS.split(", ")) < set(EXTENSIONS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_golden_files_have_an_extension_of_their_format(path: Path) -> None:
    """What a row says about extensions is true of every golden file."""
    assert path.suffix[1:] in first_format(source(path.read_bytes(), path.name)).extensions.split()


def test_samples_are_recognised_by_extension() -> None:
    """Every sample transcript has an extension of the table.

    The note and the gold files beside them have none.
    """
    names = {path.name for path in SAMPLES.iterdir()}
    transcripts = names - {"README.md", "gold.jsonl", "gold_excerpt.jsonl"}
    assert {name for name in transcripts if name.rpartition(".")[2] in EXTENSIONS} == transcripts
