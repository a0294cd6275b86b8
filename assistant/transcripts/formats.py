"""The formats that Lectern reads, in the order in which they are tried; which one a file is, its bytes decide.

A new format is one module with ``sniff`` and ``parse`` and one row here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed


@dataclass(frozen=True, slots=True)
class Format:
    """One row: a short name, what people call it, and the two functions of its module.

    ``sniff`` is quick, never raises and is sure; ``parse`` raises MalformedTranscript with the place and the remedy.
    """

    name: str
    label: str
    sniff: Callable[[RawSource], bool]
    parse: Callable[[RawSource], Parsed]


# Binary containers first, then captions and JSON by their marks, then tables and pages, plain text last.
FORMATS: list[Format] = []
