"""Web annotations and linked data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from assistant import reports
from assistant.claims import claimreview
from tests.assistant import made_up
from tests.assistant.reports import forms


def read(report, name: str) -> Any:
    return json.loads(reports.render(report, name))


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from nodes(item)


def test_the_data_is_never_a_review_of_our_own():
    """No node is a review or a rating, and a reader of ClaimReview finds nothing to read."""
    page = read(forms.reviewed("confirm", ""), "jsonld")

    assert not {"ClaimReview", "Review", "Rating"} & {node.get("@type") for node in nodes(page)}
    assert not {"reviewRating", "claimReviewed"} & {key for node in nodes(page) for key in node}
    assert list(claimreview.claims_in_json(page, where="report")) == []


def test_a_confirmed_match_points_at_the_publishers_page():
    """By address; the rating is in the publisher's words; what nobody confirmed is left out."""
    page = read(forms.reviewed("confirm", "", "reject"), "jsonld")

    (quotation,) = page["hasPart"]
    (claim,) = quotation["about"]
    assert claim["subjectOf"] == {"@id": "https://example.org/samples/1"}
    assert claim["description"] == "Sample desk (invented) rated this claim True on 4 Mar 2019"
    assert read(made_up.report(), "jsonld")["hasPart"] == []


def test_an_annotation_quotes_its_sentence_with_what_stands_around_it():
    """So that it finds its place again in an edited text."""
    page = read(made_up.report(), "annotations")

    (annotation,) = page["items"]
    quotation, time = annotation["target"]["selector"]
    assert page["@context"] == "http://www.w3.org/ns/anno.jsonld"
    assert quotation["exact"] == "The tunnel has been open since 1994."
    assert quotation["prefix"] == ""
    assert quotation["suffix"] + "s" == "Good evening, and welcome. We built 400 s"
    assert time["value"] == "t=4.000,7.000"
    assert annotation["motivation"] == "linking"
    assert "creator" not in annotation


def test_a_decided_annotation_has_its_creator_and_its_time():
    """A person made it, not the program."""
    confirmed, suggested = read(forms.reviewed("confirm", ""), "annotations")["items"]

    assert confirmed["motivation"] == "assessing"
    assert confirmed["creator"] == {"type": "Person", "name": "Ada Quill"}
    assert confirmed["created"] == "2024-09-11T09:30:00"
    assert suggested["motivation"] == "linking"


@pytest.mark.parametrize("name", ["jsonld", "annotations"])
def test_no_title_ends_the_script_of_a_page(name):
    """The data may be put into a page as it is.

    Nothing in it is mark-up, and it reads back unchanged.
    """
    title = "</script><script>alert(1)</script>"
    report = forms.reviewed("confirm", "")
    report = replace(report, transcript=replace(report.transcript, title=title))

    data = reports.render(report, name)

    assert b"<" not in data
    assert title in str(json.loads(data))
