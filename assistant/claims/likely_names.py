"""Names that speakers will probably say, as vocabulary hints for a speech recogniser.

They are the most frequent names in the fact-checks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from assistant.claims.claim_store import ClaimStore
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS

MIN_FACT_CHECKS = 3  # a rarer name doesn't count
# A name inside a sentence, not at its beginning.
_NAME_IN_SENTENCE_PATTERN = re.compile(r"(?<=[a-z,;] )[A-Z][\w’'-]*[a-z](?: [A-Z][\w’'-]*[a-z])*")
_CLAIMANT_NAME_PATTERN = re.compile(r"[A-Z][\w.’'-]*(?: [A-Z][\w.’'-]*)+")
_LOWER_CASE_WORD_PATTERN = re.compile(r"\b[a-z]\w+")


def split_names(text: str) -> tuple[str, ...]:
    """Split the names that a person writes with commas between them."""
    names = [" ".join(name.split()) for name in text.split(",")]
    return tuple(name for name in names if name)


def fitting_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return the first names, each once, as many as a recogniser takes."""
    names_in_hint: list[str] = []
    for name in dict.fromkeys(names):
        hint = ", ".join([*names_in_hint, name])
        if len(hint) > MAX_HINT_CHARACTERS:
            break
        names_in_hint.append(name)
    return tuple(names_in_hint)


def likely_names(store: ClaimStore, first_names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the names to expect, as many as a recogniser takes.

    ``first_names`` come first, then the most frequent of claimants and statements.
    """
    frequent = frequent_names(store.counts("statement"), store.counts("claimant"))
    return fitting_names([*first_names, *frequent])


def frequent_names(
    statement_counts: Mapping[str, int],
    claimant_counts: Mapping[str, int],
    *,
    min_fact_checks: int = MIN_FACT_CHECKS,
) -> list[str]:
    """Return names that ``min_fact_checks`` fact-checks have, most frequent first.

    Statements and claimants come with their numbers of fact-checks. A word that statements write
    without its capital as often, such as "Democratic" or "Senator", is not a name.
    """
    # A name that is more often written in small letters is an ordinary word.
    fact_checks_by_name: Counter[str] = Counter()
    lower_case_counts: Counter[str] = Counter()
    for statement, fact_checks in statement_counts.items():
        for name in set(_NAME_IN_SENTENCE_PATTERN.findall(statement)):
            fact_checks_by_name[name] += fact_checks
        lower_case_counts.update(set(_LOWER_CASE_WORD_PATTERN.findall(statement)))
    for claimant, fact_checks in claimant_counts.items():
        if _CLAIMANT_NAME_PATTERN.fullmatch(claimant):
            fact_checks_by_name[claimant] += fact_checks
    names = []
    for name, fact_checks in fact_checks_by_name.items():
        if fact_checks >= min_fact_checks and lower_case_counts[name.lower()] < fact_checks:
            names.append(name)
    return sorted(names, key=lambda name: (-fact_checks_by_name[name], name))
