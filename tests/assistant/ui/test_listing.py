"""What the list component is told."""

from __future__ import annotations

import json

from assistant.ui import listing, sentence_list
from tests.assistant.ui import factory

FOUND = sentence_list.rows(factory.report(20))


def sent(found=FOUND, view="Ranked", selected=None):
    return listing.payload(found, view, selected, "nothing")


def test_choosing_does_not_redraw_the_list():
    """The version is that of rows and view: another choice keeps it, other rows or another view do not."""
    version = sent()["version"]

    assert version == sent(selected=3)["version"]
    assert len({version, sent(FOUND[1:])["version"], sent(view="Transcript")["version"]}) == 3


def test_every_row_and_every_sign_arrives():
    """All rows go to the component as plain values, with a sign for every class they can have."""
    payload = json.loads(json.dumps(sent()))

    assert [r.number for r in FOUND] == [r["number"] for r in payload["rows"]]
    assert {r["rating_class"] for r in payload["rows"]} - {""} <= set(payload["signs"])
