"""Feeds of fact-checks: Google's Fact Check Tools API, ClaimsKG, Meedan Check, released tables."""

from __future__ import annotations

import json
from datetime import date

import pytest

from tests.assistant.claims.reported import imported_text, reported

BUS = "Bus fares fell by 30 percent."
TRAM = "The tram line opened in 2019."


def test_an_answer_of_googles_search():
    """Each review of each claim is a fact-check of its publisher."""
    result = reported("feed_google_fact_check_api.json")

    assert [(c.statement, c.publisher, c.rating, c.url) for c in result.claims] == [
        (BUS, "Mill Valley Checks", "False", "https://checks.example.org/bus-fares"),
        (BUS, "Harbor Verify", "Mostly False", "https://verify.example.net/fares"),
        (
            "The tram line opened in 2019.",
            "checks.example.org",
            "True",
            "https://checks.example.org/tram",
        ),
    ]
    first_claim = result.claims[0]
    assert (first_claim.claimant, first_claim.title) == ("Owen Pryce", "Bus fares did not fall")
    assert first_claim.claim_date == date(2024, 1, 5)
    assert first_claim.review_date == date(2024, 1, 11)
    assert result.remarks == [
        "the answer has further pages, not in this file: 1 value, such as 'nextPageToken'."
    ]


def test_an_answer_of_googles_pages(tmp_path):
    page = {
        "name": "pages/1",
        "pageUrl": "https://checks.example.org/bus-fares",
        "publishDate": "2024-01-11",
        "claimReviewAuthor": {"name": "Mill Valley Checks"},
        "claimReviewMarkups": [
            {
                "claimReviewed": BUS,
                "claimDate": "2024-01-05",
                "claimAuthor": {"name": "Owen Pryce"},
                "rating": {"textualRating": "False", "ratingValue": 1},
            }
        ],
    }

    result = imported_text(tmp_path, json.dumps({"claimReviewMarkupPages": [page]}))

    (claim,) = result.claims
    assert (claim.statement, claim.claimant, claim.rating) == (BUS, "Owen Pryce", "False")
    assert (claim.publisher, claim.url) == (
        "Mill Valley Checks",
        "https://checks.example.org/bus-fares",
    )
    assert (claim.claim_date, claim.review_date) == (date(2024, 1, 5), date(2024, 1, 11))
    assert [remark.split(" was not used")[0] for remark in result.remarks] == [
        "field 'page.name'",
        "field 'claimReviewMarkups.rating.ratingValue'",
    ]


def test_answers_of_google_one_per_line_and_in_a_list(tmp_path):
    claim = {
        "text": BUS,
        "claimReview": [{"publisher": {"site": "a.example"}, "url": "https://a.example/x"}],
    }

    lines = imported_text(tmp_path, f"{json.dumps({'claims': [claim]})}\n{json.dumps(claim)}\n")
    array = imported_text(tmp_path, json.dumps([claim], indent=1))

    assert [c.statement for c in lines.claims] == [BUS, BUS]
    assert [c.publisher for c in array.claims] == ["a.example"]


def test_a_publisher_whose_site_is_another_one_is_said(tmp_path):
    """A feed binds the publisher to its site; a review elsewhere is noted."""
    review = {
        "publisher": {"name": "PolitiFact", "site": "politifact.com"},
        "url": "https://evil.example/x",
        "textualRating": "True",
    }

    result = imported_text(
        tmp_path, json.dumps({"claims": [{"text": BUS, "claimReview": [review]}]})
    )

    assert result.remarks == [
        "the publisher's site is not the site of its review: 1 value, such as "
        "'politifact.com: evil.example'."
    ]


def test_claims_kg():
    """The names of flattened ClaimReview are known; the publisher has its usual spelling."""
    result = reported("feed_claimskg.csv")

    (claim,) = result.claims
    assert claim.statement == "We cut bus fares by 30 percent."
    assert (claim.claimant, claim.rating, claim.publisher) == ("Owen Pryce", "False", "PolitiFact")
    assert (claim.title, claim.body) == (
        "Bus fares did not fall",
        "The fares did not fall. Our ruling: False.",
    )
    assert (claim.claim_date, claim.review_date) == (date(2024, 1, 5), date(2024, 1, 11))
    assert "column 'extra_tags' was not used: 1 value, such as 'Transport'." in result.remarks


def test_an_export_of_meedan_check(tmp_path):
    """The status is the rating; the item's page in Check is not the address of the fact-check."""
    text = (
        "Claim,Item page URL,Status,Created by,Submitted at,Report Published at,Tags,"
        "Fact-check title,Fact-check summary,Fact-check URL\n"
        f"{BUS},https://checkmedia.example/m/1,False,Rae Novak,2024-01-02 10:00,2024-01-11 10:00,"
        "transport,Fares rose,They rose.,https://checks.example.org/b\n"
    )

    result = imported_text(tmp_path, text)

    (claim,) = result.claims
    assert (claim.statement, claim.rating, claim.url) == (
        BUS,
        "False",
        "https://checks.example.org/b",
    )
    assert (claim.title, claim.body) == ("Fares rose", "They rose.")
    assert claim.review_date == date(2024, 1, 11)
    assert [remark.split(" was not used")[0] for remark in result.remarks[1:]] == [
        "column 'Item page URL'",
        "column 'Created by'",
        "column 'Submitted at'",
        "column 'Tags'",
    ]


def test_rows_that_are_wrapped_in_other_objects(tmp_path):
    """GraphQL and other services wrap their rows."""
    json_row = {
        "claim_description": {"description": BUS},
        "fact_check": {
            "title": "Fares rose",
            "url": "https://checks.example.org/b",
            "rating": "False",
        },
    }
    answer = {
        "data": {
            "team": {"name": "x", "items": {"edges": [{"node": json_row}, {"node": json_row}]}}
        }
    }

    claims = imported_text(tmp_path, json.dumps(answer)).claims

    assert [(c.statement, c.rating, c.title) for c in claims] == [(BUS, "False", "Fares rose")] * 2


def test_columns_of_other_released_tables(tmp_path):
    """MultiFC's, AVeriTeC's and a released table of Snopes have names of their own."""
    rows = [
        {
            "claimID": "pomt-1",
            "claim": BUS,
            "label": "false",
            "claimURL": "https://www.politifact.com/x/",
            "speaker": "Owen Pryce",
            "checker": "Rae Novak",
            "article title": "Fares",
            "publish date": "January 11, 2024",
        },
        {
            "claim": BUS,
            "label": "Refuted",
            "claim_date": "25-8-2020",
            "original_claim_url": "https://social.example/1",
            "fact_checking_article": "https://checks.example.org/b",
        },
        {"article_claim": BUS, "fact_rating": "Mixture", "article_title": "Fares"},
    ]

    claims = imported_text(tmp_path, "\n".join(json.dumps(json_row) for json_row in rows)).claims

    assert [(c.statement, c.rating, c.url) for c in claims] == [
        (BUS, "False", "https://www.politifact.com/x/"),
        (BUS, "Refuted", "https://checks.example.org/b"),
        (BUS, "Mixture", ""),
    ]
    assert claims[0].publisher == "PolitiFact"
    assert claims[1].claim_date == date(2020, 8, 25)


GOOGLE_CLAIM = {
    "text": BUS,
    "claimant": "Owen Pryce",
    "claimReview": [{"publisher": {"name": "Mill Valley Checks"}, "url": "https://a.example/x"}],
}


def test_an_answer_of_google_inside_other_objects(tmp_path):
    """Programs save an answer with their own request around it."""
    node = {"query": "fares", "response": {"data": {"claims": [GOOGLE_CLAIM]}}}

    assert [c.claimant for c in imported_text(tmp_path, json.dumps(node)).claims] == ["Owen Pryce"]


@pytest.mark.parametrize("claim", [{"text": TRAM}, {"text": TRAM, "claimReview": []}])
def test_a_claim_of_google_without_a_review_is_said(tmp_path, claim):
    result = imported_text(tmp_path, json.dumps({"claims": [claim, GOOGLE_CLAIM]}))

    assert [c.statement for c in result.claims] == [BUS]
    assert result.remarks == [f"a claim without a review, so not used: 1 value, such as {TRAM!r}."]


def test_an_export_of_claims_kg_explorer(tmp_path):
    """Its *text* is the claim and its *author* the claimant, unlike elsewhere."""
    text = (
        "id,text,date,truthRating,ratingName,author,headline,named_entities_claim,"
        "named_entities_article,keywords,source,sourceURL,link,language\n"
        f"1,{BUS},2024-01-11,1,False,Owen Pryce,Fares rose,Bus,Bus,transport,Mill Valley Checks,"
        "https://checks.example.org,https://checks.example.org/b,English\n"
    )

    (claim,) = imported_text(tmp_path, text).claims

    assert (claim.statement, claim.claimant, claim.rating) == (BUS, "Owen Pryce", "False")
    assert (claim.title, claim.publisher, claim.url) == (
        "Fares rose",
        "Mill Valley Checks",
        "https://checks.example.org/b",
    )


def test_a_shared_feed_of_meedan_check_with_a_chosen_statement(tmp_path):
    """It has titles and no claims; its workspace is the publisher."""
    text = (
        "Fact-check title,Fact-check summary,Fact-check URL,Tags,Workspace,Updated at,Rating\n"
        "Fares rose,They rose.,https://checks.example.org/b,bus,Mill Valley Checks,2024-01-11,False\n"
    )

    (claim,) = imported_text(tmp_path, text, statement="Fact-check title").claims

    assert (claim.publisher, claim.rating, claim.body) == (
        "Mill Valley Checks",
        "False",
        "They rose.",
    )


@pytest.mark.parametrize(
    "node",
    [
        {"claim": {"0": BUS, "1": TRAM}, "verdict": {"0": "False", "1": "True"}},
        {"columns": ["claim", "verdict"], "index": [0, 1], "data": [[BUS, "False"], [TRAM, "True"]]},
        {"0": {"claim": BUS, "verdict": "False"}, "1": {"claim": TRAM, "verdict": "True"}},
        {"records": [{"id": "a", "fields": {"claim": BUS, "verdict": "False"}},
                     {"id": "b", "fields": {"claim": TRAM, "verdict": "True"}}]},
        {"hits": {"hits": [{"_id": "a", "_source": {"claim": BUS, "verdict": "False"}},
                           {"_id": "b", "_source": {"claim": TRAM, "verdict": "True"}}]}},
        {"january": [{"claim": BUS, "verdict": "False"}],
         "february": [{"claim": TRAM, "verdict": "True"}]},
        {"features": [{"properties": {"claim": BUS, "verdict": "False"}},
                      {"properties": {"claim": TRAM, "verdict": "True"}}]},
    ],
)  # fmt: skip
def test_rows_of_data_frames_and_services(tmp_path, node):
    """pandas, Airtable, Elasticsearch and others wrap rows each in its own way."""
    result = imported_text(tmp_path, json.dumps(node))

    assert [(c.statement, c.rating) for c in result.claims] == [(BUS, "False"), (TRAM, "True")]


def test_values_beside_wrapped_rows_are_said(tmp_path):
    """Pages that follow and names that row and wrapper share are lost without a word nowhere."""
    json_row = {"type": "record", "id": "7", "attributes": {"claim": BUS, "type": "check"}}

    result = imported_text(
        tmp_path, json.dumps({"data": [json_row, "x"], "links": {"next": "https://api.example/2"}})
    )

    assert [(c.statement, c.id) for c in result.claims] == [(BUS, "7")]
    assert [remark.split(" was not used")[0] for remark in result.remarks] == [
        "field 'type'",
        "field 'record.type'",
        "field 'data'",
        "field 'links'",
    ]
