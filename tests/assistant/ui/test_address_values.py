"""Numbers and ids in the addresses of pages, which anybody may write."""

from __future__ import annotations

import pytest

from tests.assistant.ui.conftest import REPORT_ID
from tests.assistant.ui.test_account import page

DIGITS = "9" * 5000
ADDRESSES = {
    "a report as an import": ("claims", {"job": REPORT_ID}),
    "an import that is not known": ("claims", {"job": "import" + "a" * 12}),
    "words without end": ("claims", {"find": "bridge " * 2500}),
    "a sentence": ("check", {"report": REPORT_ID, "s": DIGITS}),
    "a digit of another script": ("check", {"report": REPORT_ID, "s": "\u00b2", "match": "\u0663"}),
    "a match": ("check", {"report": REPORT_ID, "s": "2", "match": DIGITS}),
    "a place in the review": ("review", {"report": REPORT_ID, "at": f"{DIGITS}.{DIGITS}"}),
    "an event": ("live", {"event": DIGITS}),
    "a page of a search": ("archive", {"view": "Search", "page": "x"}),
    "a page far away": ("archive", {"view": "Search", "page": "1" + "0" * 20}),
    "a page without end": ("archive", {"view": "Debates", "page": DIGITS}),
}


@pytest.mark.threat("visitor")
@pytest.mark.parametrize(("name", "address"), ADDRESSES.values(), ids=ADDRESSES)
def test_an_address_never_ends_in_an_error_page(app, name, address):
    drawn = page(name, **address)
    if name == "check":  # its links to other pages need the whole app
        drawn = app
        drawn.query_params.update(address)

    assert not drawn.run().exception
