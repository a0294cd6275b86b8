"""Nouns and adjectives that may stand for each other in what two people say of one thing.

Verbs are in ``verb_senses``. The words of ``stems`` count as one word everywhere, and trained
rankers depend on them. The words of this module only keep two texts from being called different.
"""

from __future__ import annotations

from features.language.stems import first_of_group

# Words that may stand for a person's name or time in office: "on his watch", "under Governor Ames"
WORDS_FOR_PERSONS = frozenset("opponent colleague administration predecessor watch tenure".split())
_FIRST_OF_GROUP = first_of_group("""
    average typical ordinary regular
    strongest greatest best
    accident accidents crash crashes wreck wrecks
    soldier soldiers troop troops
    parent parents family families
    stuck trapped
    poor poverty
    debt debts loan loans
    taxpayer taxpayers taxpayer's government washington
    revenge payback retaliation
    plane planes jet jets
    undocumented illegal illegals unauthorized
    people folks persons person
    prisons imprisons jails
""")


def are_interchangeable(lower_phrase: str, other_lower_phrase: str) -> bool:
    """Return whether two phrases have words that may stand for each other: "plane" and "jet"."""
    groups = {_FIRST_OF_GROUP.get(word) for word in lower_phrase.split()}
    other_groups = {_FIRST_OF_GROUP.get(word) for word in other_lower_phrase.split()}
    return bool(groups & other_groups - {None})
