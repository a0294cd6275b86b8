"""Cells that are the names of files."""

from __future__ import annotations

import pytest

from assistant.core.cell_texts import is_file_name
from assistant.transcripts.formats import EXTENSIONS


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_name_with_the_extension_of_any_format_is_a_file_name(extension):
    assert is_file_name(f"2024-09-10 city debate.{extension}")


@pytest.mark.parametrize(
    "cell",
    [
        "We paid for the sub.",
        "That was in the U.S. Sub-committees met.",
        "He works at the F.T.S",
        "ts",
        ".ts",
        "Ms. Stl",
    ],
)
def test_an_ordinary_text_is_no_file_name(cell):
    assert not is_file_name(cell)
