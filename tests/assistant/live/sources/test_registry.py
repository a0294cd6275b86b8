"""The table of live sources.

Every row can be used from the command line, and the manual names it.
"""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

import pytest

from assistant.commands.cli import parser
from assistant.core.errors import SettingsError
from assistant.live.sources.file import FileSource
from assistant.live.sources.pipe import PipeSource
from assistant.live.sources.registry import SOURCES

MANUAL = Path(__file__).parents[4] / "docs" / "reference" / "live-api.md"
ADDRESSES = {
    "file": "captions.txt",
    "--replay": str(MANUAL),
    "--hls": "https://example.org/a.m3u8",
    "--listen": "microphone",
}


@pytest.mark.parametrize("kind", SOURCES, ids=lambda kind: kind.name)
def test_every_row_makes_its_source(kind):
    """Each option of the command line leads to a source that can be followed."""
    address = ADDRESSES.get(kind.option, "ws://127.0.0.1:1")
    arguments = [kind.option, address] if kind.option.startswith("-") else [address]
    options = parser().parse_args(["live", *arguments])

    assert callable(kind.make(getattr(options, kind.name), options).follow)


@pytest.mark.parametrize("kind", SOURCES, ids=lambda kind: kind.name)
def test_every_row_is_in_the_manual(kind):
    """docs/reference/live-api.md shows how each source is started."""
    shown = f"`{kind.option} {kind.metavar}" if kind.option.startswith("-") else "`live FILE`"

    assert shown in MANUAL.read_text("utf-8")


def test_a_dash_is_a_pipe_and_an_address_is_no_file():
    """The error names the options that take addresses."""
    file = SOURCES[0]

    assert PipeSource is type(file.make("-", Namespace()))
    assert FileSource is type(file.make("./-", Namespace()))
    options = [kind.option for kind in SOURCES if kind.metavar == "URL"]
    assert options
    expected = " or ".join(f"{option} https://a.example" for option in options)
    with pytest.raises(SettingsError, match=re.escape(f": {expected}.")):
        file.make("https://a.example", Namespace())
