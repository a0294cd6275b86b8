"""Counts everything of a file that an import does not use, or reads in a special way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

EXAMPLE_CHARACTERS = 60
MAX_UNUSED_NAMES = 60  # fields that are named one by one


@dataclass(slots=True)
class Occurrences:
    """The number of some values, and the first of them as an example."""

    count: int = 0
    example: str = ""

    def add(self, value: str) -> None:
        """Count a value."""
        if not self.count:
            self.example = " ".join(value.split())[:EXAMPLE_CHARACTERS]
        self.count += 1

    def words(self) -> str:
        """Return the count and the example: ``3 values, such as 'X post'``."""
        noun = "value" if self.count == 1 else "values"
        return f"{self.count:,} {noun}, such as {self.example!r}"


@dataclass(slots=True)
class ImportNotes:
    """The unused values by field, and other notes with the values that they are about."""

    unused: dict[str, Occurrences] = field(default_factory=dict)
    others: dict[str, Occurrences] = field(default_factory=dict)

    def count_unused(self, name: str, value: str) -> None:
        """Count a value that became no part of a fact-check."""
        self.unused.setdefault(name, Occurrences()).add(value)

    def count(self, note: str, value: str) -> None:
        """Count a value that was read in a special way, or could not be read."""
        self.others.setdefault(note, Occurrences()).add(value)

    def unused_remarks(self, noun: str) -> Iterator[str]:
        """Yield a line for each field or column that was not used."""
        names = list(self.unused)
        described_names = names[:MAX_UNUSED_NAMES]
        for name in described_names:
            subject = f"{noun} {name!r}" if name else f"a {noun} without a name"
            yield f"{subject} was not used: {self.unused[name].words()}."
        # Further names are listed in one line.
        further_names = names[MAX_UNUSED_NAMES:]
        if further_names:
            name_list = ", ".join(repr(name) for name in further_names)
            yield f"{len(further_names):,} more were not used: {name_list}."

    def other_remarks(self) -> Iterator[str]:
        """Yield a line for each other note."""
        for note, occurrences in self.others.items():
            yield f"{note}: {occurrences.words()}."
