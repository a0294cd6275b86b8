"""A row from outside a publisher's site never changes the publisher's rating."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.claims import manual_entry, merging, page_sites
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import MalformedClaim

REAL = VerifiedClaim(
    id="r",
    statement="The moon is made of cheese.",
    rating="False",
    rating_class=RatingClass.FALSE,
    review_date=date(2024, 1, 5),
    publisher="PolitiFact",
    url="https://www.politifact.com/factchecks/a",
)
REVISED = replace(REAL, rating="True", rating_class=RatingClass.TRUE, review_date=date(2024, 2, 5))
FOREIGN_URLS = [
    "",
    "https://evil.example/a",
    "https://www-politifact-com.cdn.ampproject.org/c/s/evil.example/a",
    "https://www-politifact-com.cdn.ampproject.org/factchecks/a",
    "https://www.google.zip/amp/s/www.politifact.com/factchecks/a",
    "https://politifact.com@evil.example/factchecks/a",
]


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("url", FOREIGN_URLS)
@pytest.mark.parametrize("claim_id", ["r", "another"])
def test_a_foreign_row_changes_no_rating(store, url, claim_id):
    store.upsert([REAL], source="first")
    store.upsert([replace(REVISED, url=url, id=claim_id)], source="second")

    assert store.get("r") == REAL


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("url", ["https://evil.example/a", REAL.url])
def test_an_address_changes_no_rating_without_one(store, url):
    stored = replace(REAL, url="")
    store.upsert([stored], source="first")
    store.upsert([replace(REVISED, url=url)], source="second")

    assert store.get("r") == stored


@pytest.mark.threat("publisher")
def test_a_foreign_row_is_a_fact_check_of_its_own(store):
    store.upsert([REAL], source="first")
    report = store.upsert([replace(REVISED, url="")], source="second")

    assert report.new == 1
    assert store.get("second:r").rating == "True"


@pytest.mark.threat("publisher")
def test_a_withdrawn_fact_check_does_not_come_back_by_a_foreign_row(store):
    store.upsert([REAL], source="first")
    store.withdraw(["r"], why="wrong", withdrawn_by="ada")
    store.upsert([replace(REVISED, url="")], source="second")

    assert [withdrawal.claim for withdrawal in store.withdrawn()] == [REAL]


@pytest.mark.parametrize("url", ["", REAL.url])
def test_the_source_itself_may_leave_out_the_address(store, url):
    store.upsert([replace(REAL, url=url)], source="first")
    store.upsert([replace(REVISED, url="")], source="first")

    assert store.get("r").rating == "True"


@pytest.mark.parametrize(
    ("url", "other_url"),
    [
        ("https://medium.com/@politifact/x", "https://medium.com/@evil/x"),
        ("https://substack.com/@politifact/p", "https://substack.com/@evil/p"),
        ("https://open.substack.com/pub/politifact/p/1", "https://open.substack.com/pub/evil/p/1"),
        ("https://politifact.blogspot.com/1", "https://evil.blogspot.com/1"),
        ("https://www.facebook.com/politifact/posts/1", "https://m.facebook.com/evil/posts/1"),
        ("https://www.youtube.com/channel/a/1", "https://www.youtube.com/channel/b/1"),
        ("https://college.example/~politifact/1", "https://college.example/~evil/1"),
        ("https://sites.google.com/view/politifact/1", "https://sites.google.com/view/evil/1"),
    ],
)
@pytest.mark.threat("publisher")
def test_authors_of_one_host_do_not_speak_for_each_other(url, other_url):
    assert not merging.same_publisher(replace(REAL, url=url), replace(REVISED, url=other_url))


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://medium.com/@Desk/x", "medium.com/@desk"),
        ("https://medium.com/%40desk/y", "medium.com/@desk"),
        ("https://www.politifact.com/factchecks/a", "politifact.com"),
        (
            "https://www-politifact-com.cdn.ampproject.org/c/s/www.politifact.com/a",
            "politifact.com",
        ),
        ("https://www.google.co.uk/amp/s/www.politifact.com/a", "politifact.com"),
        ("https://www-politifact-com.cdn.ampproject.org/c/s/evil.example/a", ""),
        ("https://medium.com/", "medium.com"),
        ("", ""),
    ],
)
def test_the_site_that_speaks_on_a_page(url, site):
    assert page_sites.page_site(url) == site


@pytest.mark.threat("publisher")
def test_markup_of_another_author_of_the_host_is_refused():
    markup = (
        '{"@type": "ClaimReview", "claimReviewed": "The moon is made of cheese.",'
        ' "url": "https://medium.com/@desk/y", "author": {"name": "Desk"},'
        ' "reviewRating": {"alternateName": "True"}}'
    )

    with pytest.raises(MalformedClaim, match="medium.com/@desk"):
        manual_entry.from_json(markup, "https://medium.com/@evil/x")
