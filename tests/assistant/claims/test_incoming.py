"""Rows of an import that wait in the database, as JSON and back."""

from __future__ import annotations

import json
from datetime import date

from assistant.claims import incoming
from assistant.claims.records import AttributedClaim
from assistant.claims.stored_claims import IncomingClaim
from assistant.core.domain import RatingClass, VerifiedClaim

CLAIM = VerifiedClaim(
    id="f-1",
    statement="Bus fares fell by 30 percent.",
    rating="False",
    rating_class=RatingClass.FALSE,
    review_date=date(2024, 1, 11),
    publisher="Mill Valley Checks",
    url="https://checks.example.org/bus-fares",
)
ROW = IncomingClaim.from_row(
    7,
    AttributedClaim(CLAIM, "Data Commons", "https://licence.example", "retracted by its publisher"),
)


def test_a_row_comes_back_as_it_was():
    assert incoming._from_json(json.loads(json.dumps(incoming._to_json(ROW)))) == ROW


def test_a_row_of_an_earlier_lectern_gets_its_keys():
    """It has neither a reason of a retraction nor keys."""
    earlier = incoming._to_json(ROW)[:4]

    incoming_row = incoming._from_json(json.loads(json.dumps(earlier)))

    assert (incoming_row.page_statement_key, incoming_row.review_key, incoming_row.digest) == (
        ROW.page_statement_key,
        ROW.review_key,
        ROW.digest,
    )
    assert incoming_row.retraction == ""


def test_keys_of_another_version_are_computed_again():
    values = incoming._to_json(ROW)
    values[-1] = ["1", "old", "old", "old"]

    incoming_row = incoming._from_json(json.loads(json.dumps(values)))

    assert incoming_row == ROW
