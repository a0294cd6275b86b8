"""Drafts of ClaimReview: valid by schema.org's definition, and never a publisher's rating as ours."""

from __future__ import annotations

import json
import tomllib
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from assistant.claims import claimreview
from assistant.core.domain import Decision
from assistant.core.errors import ReviewError
from assistant.review.claim_review_draft import NewsroomEdits, NewsroomRating, claim_review_draft
from tests.assistant.made_up import report

GOLDEN = Path(__file__).parents[2] / "golden" / "api" / "schema_org.toml"
DEFINITION = tomllib.loads(GOLDEN.read_text("utf-8"))
EDITS = NewsroomEdits(
    newsroom="City Paper",
    newsroom_address="https://city.example",
    claim_reviewed="The tunnel opened in 1994.",
    rating=NewsroomRating("Correct", 5, 1, 5),
    explanation="It opened on 6 May 1994.",
    published=date(2024, 9, 11),
)


@pytest.fixture
def made():
    """Return a report, its first sentence and its match, which is confirmed."""
    made_report = report()
    checked = made_report.sentences[0]
    confirmed = replace(checked.matches[0], decision=Decision("confirm", by="ann"))
    return made_report, checked, confirmed


def lineage(kind):
    """Return a type with its parents."""
    kinds = [kind]
    while kinds[-1] in DEFINITION["parents"]:
        kinds.append(DEFINITION["parents"][kinds[-1]])
    return kinds


def faults(node, path="draft"):
    """Return the properties of a node that schema.org does not define, or not with such a value."""
    found = []
    kind = node["@type"]
    if kind not in DEFINITION["parents"]:
        return [f"{path}: unknown type {kind}"]
    for name, value in node.items():
        if name in ("@type", "@context"):
            continue
        ranges = [
            types
            for ancestor in lineage(kind)
            for types in [DEFINITION["properties"].get(ancestor, {}).get(name)]
            if types
        ]
        if not ranges:
            found.append(f"{path}.{name}: not a property of {kind}")
        elif isinstance(value, dict):
            if not set(lineage(value["@type"])) & set(ranges[0]):
                found.append(f"{path}.{name}: {value['@type']} is not allowed")
            found += faults(value, f"{path}.{name}")
        elif not any(fits(value, data_type) for data_type in ranges[0]):
            found.append(f"{path}.{name}: {value!r}")
    return found


def fits(value, data_type):
    if data_type == "Number":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if data_type == "Date":
        return date.fromisoformat(value).isoformat() == value
    if data_type == "URL":
        return value == "" or value.startswith(("http://", "https://"))
    return data_type == "Text" and isinstance(value, str)


@pytest.mark.parametrize(
    "edits",
    [
        EDITS,
        NewsroomEdits("City Paper"),
        replace(EDITS, rating=NewsroomRating("Correct"), published=None),
        replace(EDITS, address="https://city.example/checks/1"),
    ],
)
def test_a_draft_is_valid_by_the_definition(made, edits):
    assert faults(claim_review_draft(*made, edits)) == []


def test_the_validation_finds_faults(made):
    draft = claim_review_draft(*made, EDITS)
    draft["verdict"] = "x"
    draft["datePublished"] = 3
    draft["itemReviewed"]["reviewRating"] = {"@type": "Rating"}

    with pytest.raises(TypeError):
        faults(draft)
    draft["datePublished"] = "2024-09-11"
    assert len(faults(draft)) == 2


def test_the_draft_has_the_words_of_the_newsroom(made):
    draft = claim_review_draft(*made, EDITS)

    assert draft["claimReviewed"] == "The tunnel opened in 1994."
    assert draft["reviewRating"]["alternateName"] == "Correct"
    assert draft["itemReviewed"]["text"] == "The tunnel has been open since 1994."
    assert draft["itemReviewed"]["author"] == {"@type": "Person", "name": "RIVERA"}


def test_the_address_is_empty_until_it_is_given(made):
    assert claim_review_draft(*made, EDITS)["url"] == ""


def test_the_rating_of_the_publisher_is_never_that_of_the_newsroom(made):
    """Without a rating of its own the draft has none, and the source has none either."""
    draft = claim_review_draft(*made, NewsroomEdits("City Paper"))

    assert draft["reviewRating"] == {"@type": "Rating", "alternateName": ""}
    assert "True" not in json.dumps(draft)


def test_a_finished_draft_is_read_as_a_fact_check_of_the_newsroom(made):
    edits = replace(EDITS, address="https://city.example/checks/1")
    page = json.loads(json.dumps(claim_review_draft(*made, edits)))

    rows = [row for row in claimreview.claims_in_json(page, where="draft")]
    assert "The tunnel opened in 1994." in repr(rows)
    assert "City Paper" in repr(rows)


@pytest.mark.parametrize("verdict", ["reject", "later", None])
def test_only_a_confirmed_match_has_a_draft(made, verdict):
    made_report, checked, match = made
    decision = Decision(verdict) if verdict else None

    with pytest.raises(ReviewError):
        claim_review_draft(made_report, checked, replace(match, decision=decision), EDITS)


@pytest.mark.parametrize(
    "changes",
    [
        {"newsroom": " "},
        {"rating": NewsroomRating("Correct", 5)},
        {"rating": NewsroomRating("Correct", 6, 1, 5)},
    ],
)
def test_edits_that_do_not_fit_are_refused(made, changes):
    with pytest.raises(ReviewError):
        claim_review_draft(*made, replace(EDITS, **changes))
