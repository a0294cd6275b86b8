"""Names that will probably be said.

Those most frequent in the fact-checks, for a recogniser that expects them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assistant.claims.claim_store import ClaimStore
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS

LEAST = 3  # fact-checks that have a name
_NAME = re.compile(
    r"(?<=[a-z,;] )[A-Z][\w’'-]*[a-z](?: [A-Z][\w’'-]*[a-z])*"
)  # in a sentence, not at its beginning
_PERSON = re.compile(r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*)+")


def listed(text: str) -> tuple[str, ...]:
    """Return the names that a person writes with commas between them."""
    return tuple(name for part in text.split(",") if (name := " ".join(part.split())))


def fitting(names: Iterable[str]) -> tuple[str, ...]:
    """Return the first names, each once, as many as a recogniser takes."""
    fitted: list[str] = []
    for name in dict.fromkeys(names):
        if len(", ".join([*fitted, name])) > MAX_HINT_CHARACTERS:
            break
        fitted.append(name)
    return tuple(fitted)


def names_said(store: ClaimStore, given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the given names, then the most frequent of claimants and statements, as many as a recogniser takes."""
    return fitting([*given, *frequent(store.counts("statement"), store.counts("claimant"))])


def frequent(
    statements: Mapping[str, int], claimants: Mapping[str, int], *, least: int = LEAST
) -> list[str]:
    """Return names that ``least`` fact-checks have, most frequent first.

    Both are counted: a statement, and who made it, by their fact-checks. A word that statements
    write without its capital as often, as "Democratic" or "Senator", is none.
    """
    counted: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for statement, count in statements.items():
        counted.update({name: count for name in set(_NAME.findall(statement))})
        plain.update(set(re.findall(r"\b[a-z]\w+", statement)))
    for claimant, count in claimants.items():
        if _PERSON.fullmatch(claimant):
            counted[claimant] += count
    names = [
        name
        for name, count in counted.items()
        if count >= least and plain[name.lower()] < counted[name]
    ]
    return sorted(names, key=lambda name: (-counted[name], name))
