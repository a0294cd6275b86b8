"""Feeds of fact-checks: Google's Fact Check Tools API, ClaimsKG, Meedan Check, released tables."""

from __future__ import annotations

import json
from datetime import date

from tests.assistant.claims.reported import imported_text, reported

BUS = "Bus fares fell by 30 percent."


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

    result = imported_text(tmp_path, json.dumps({"pages": [page]}))

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
    row = {
        "claim_description": {"description": BUS},
        "fact_check": {
            "title": "Fares rose",
            "url": "https://checks.example.org/b",
            "rating": "False",
        },
    }
    answer = {"data": {"team": {"name": "x", "items": {"edges": [{"node": row}, {"node": row}]}}}}

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

    claims = imported_text(tmp_path, "\n".join(json.dumps(row) for row in rows)).claims

    assert [(c.statement, c.rating, c.url) for c in claims] == [
        (BUS, "False", "https://www.politifact.com/x/"),
        (BUS, "Refuted", "https://checks.example.org/b"),
        (BUS, "Mixture", ""),
    ]
    assert claims[0].publisher == "PolitiFact"
    assert claims[1].claim_date == date(2020, 8, 25)
