"""A dozen made-up claims and a store of them in memory, for the tests of the index and of what searches it."""

from dataclasses import replace
from datetime import date

from assistant.claims.claim_index import fingerprint
from assistant.core.domain import RatingClass, VerifiedClaim

SUBJECTS = [
    "taxes",
    "crime",
    "wages",
    "schools",
    "roads",
    "rivers",
    "farms",
    "prisons",
    "rents",
    "ferries",
    "mines",
    "tolls",
]


def claims():
    """Return twelve claims; the fourth has no title, the fifth no body, the sixth neither and no dates."""
    sample_claims = [_claim(number, subject) for number, subject in enumerate(SUBJECTS)]
    sample_claims[3] = replace(sample_claims[3], title="")
    sample_claims[4] = replace(sample_claims[4], body="")
    sample_claims[5] = replace(
        sample_claims[5], title="", body="", claim_date=None, review_date=None
    )
    return sample_claims


def _claim(number, subject):
    return VerifiedClaim(
        id=f"c{number:02}",
        statement=f"The state spends {number + 2} percent more on {subject} than last year.",
        title=f"More money for {subject}?",
        body="".join(
            f"Sentence {i} is about {subject}. “We’ve checked,” he said.\n" for i in range(number)
        )
        + "We rate it so.",
        claimant="A senator",
        claim_date=date(2018, 1, 1 + number),
        rating="Mostly True",
        rating_class=RatingClass.TRUE,
        review_date=date(2018, 2, 1 + number),
        publisher="The Checker",
        url=f"https://example.org/{number}",
    )


class Store:
    """Claims in memory with the methods that indexing needs."""

    def __init__(self, claims):
        self.claims = {claim.id: claim for claim in claims}

    def fingerprints(self):
        return {i: fingerprint(claim) for i, claim in sorted(self.claims.items())}

    def many(self, ids):
        return {i: self.claims[i] for i in ids if i in self.claims}
