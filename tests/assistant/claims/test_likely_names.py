"""Names that will probably be said.

Frequent ones of the fact-checks, after those that a person gives.
"""

from __future__ import annotations

from dataclasses import replace

from assistant.claims.claim_store import ClaimStore
from assistant.claims.likely_names import frequent_names, likely_names
from assistant.transcription.recogniser import MAX_HINT_CHARACTERS
from tests.assistant.ui import factory

STATEMENTS = {
    f"Unemployment in Kestrel Bay fell by {i} percent under Governor Halvorsen.": 1
    for i in range(5)
}
STATEMENTS |= {
    "Once the people of Port Lorne voted, the governor said no.": 2,
    "Taxes rose in Ohio.": 4,
}
STATEMENTS |= {
    "The governor of a city met a governor.": 9,
    "A governor, the governor and no governor.": 9,
}


def test_frequent_names_come_first_and_rare_ones_not_at_all():
    """A sentence begins with a capital in any case; a claimant who is no person is no name."""
    names = frequent_names(
        STATEMENTS, {"Nora Brannigan": 7, "a city council candidate": 50, "Facebook": 3}
    )

    assert names == ["Nora Brannigan", "Governor Halvorsen", "Kestrel Bay", "Ohio"]


def test_given_names_come_first_and_all_fit(tmp_path):
    """The recogniser takes so many characters and no more."""
    with ClaimStore.open(f"sqlite:///{tmp_path / 'a.sqlite3'}") as store:
        assert likely_names(store, ["Tremblay"]) == ("Tremblay",)
        towns = [f"The town of Xa{chr(97 + i % 20)}b is small, {i}." for i in range(90)]
        store.upsert(
            [replace(factory.vclaim(i), statement=town) for i, town in enumerate(towns)],
            source="test",
        )
        names = likely_names(store, ["Tremblay"])

    assert names[0] == "Tremblay"
    assert "Xaab" in names
    assert len(", ".join(names)) <= MAX_HINT_CHARACTERS
