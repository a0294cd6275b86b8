"""Names that will probably be said: those most frequent in the fact-checks, for a recogniser that expects them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from assistant.claims.store import ClaimStore
from assistant.hearing.recogniser import HOT_CHARACTERS

LEAST = 3  # fact-checks that have a name
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][\w’'-]*[a-z](?: [A-Z][\w’'-]*[a-z])*")  # in a sentence, not at its beginning
_PERSON = re.compile(r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*)+")


def names_said(store: ClaimStore, given: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the given names, then the most frequent of claimants and statements, as many as a recogniser takes."""
    names = list(given)
    left = HOT_CHARACTERS - len(", ".join(names))
    for name in frequent(store.counts("statement"), store.counts("claimant")):
        left -= len(name) + 2
        if left < 0:
            break
        names += [name] if name not in names else []
    return tuple(names)


def frequent(statements: Mapping[str, int], claimants: Mapping[str, int]) -> list[str]:
    """Return names, most frequent first. Both are counted: a statement, and who made it, by their fact-checks.

    A word that statements write without its capital as often, as "Democratic" or "Senator", is none.
    """
    counted: Counter[str] = Counter()
    plain: Counter[str] = Counter()
    for statement, count in statements.items():
        counted.update({name: count for name in set(_NAME.findall(statement))})
        plain.update(set(re.findall(r"\b[a-z]\w+", statement)))
    for claimant, count in claimants.items():
        if _PERSON.fullmatch(claimant):
            counted[claimant] += count
    names = [name for name, count in counted.items() if count >= LEAST and plain[name.lower()] < counted[name]]
    return sorted(names, key=lambda name: (-counted[name], name))
