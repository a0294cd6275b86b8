"""ClaimReview in the shapes that publishers write it."""

from __future__ import annotations

import json
from datetime import date

import pytest

from assistant.claims import claimreview
from assistant.claims.records import AttributedClaim
from assistant.core.domain import RatingClass, VerifiedClaim

REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "claimReviewed": "The bridge was built in 1950.",
    "datePublished": "2021-03-04",
    "url": "https://example.org/bridge",
    "author": {"@type": "Organization", "name": "Example Check", "url": "https://example.org"},
    "itemReviewed": {
        "@type": "Claim",
        "author": {"@type": "Person", "name": "A mayor"},
        "datePublished": "2021-03-01",
    },
    "reviewRating": {
        "@type": "Rating",
        "ratingValue": 1,
        "bestRating": 5,
        "alternateName": "False",
    },
    "inLanguage": "en-GB",
}


def vclaims(node, **options) -> list[VerifiedClaim]:
    return [
        review.claim
        for review in claimreview.claims_in_json(node, where="test", **options)
        if isinstance(review, AttributedClaim)
    ]


def only(node) -> VerifiedClaim:
    (vclaim,) = vclaims(node)
    return vclaim


def test_every_field():
    """Statement, claimant, both dates, rating, publisher, address and language are read."""
    vclaim = only(REVIEW)

    assert vclaim.statement == "The bridge was built in 1950."
    assert vclaim.claimant == "A mayor"
    assert vclaim.claim_date == date(2021, 3, 1)
    assert vclaim.review_date == date(2021, 3, 4)
    assert vclaim.rating == "False"
    assert vclaim.rating_class == RatingClass.FALSE
    assert vclaim.publisher == "Example Check"
    assert vclaim.url == "https://example.org/bridge"
    assert vclaim.language == "en"
    assert vclaim.title == ""
    assert vclaim.body == ""


@pytest.mark.parametrize(
    "wrap",
    [
        lambda review: [review],
        lambda review: {"@context": "https://schema.org", "@graph": [{"@type": "WebPage"}, review]},
        lambda review: {"@type": "NewsArticle", "review": review},
        lambda review: {
            "@type": "DataFeed",
            "dataFeedElement": [{"@type": "DataFeedItem", "item": [review]}],
        },
        lambda review: {
            "@type": "DataFeed",
            "dataFeedElement": [{"@type": "DataFeedItem", "item": review}],
        },
        lambda review: {**review, "@type": ["Review", "ClaimReview"]},
        lambda review: {**review, "@type": "http://schema.org/ClaimReview"},
        lambda review: {key: [value] for key, value in review.items()},
    ],
    ids=[
        "list",
        "graph",
        "article",
        "feed",
        "feed-single",
        "types",
        "long type",
        "arrays everywhere",
    ],
)
def test_shapes(wrap):
    """The same review is the same claim, whatever it is wrapped in."""
    assert only(REVIEW) == only(wrap(REVIEW))


def test_nodes_that_point_at_each_other():
    """An author given by @id is looked up in the graph."""
    review = {**REVIEW, "author": {"@id": "#org"}, "itemReviewed": {"@id": "#claim"}}
    graph = [
        review,
        {"@id": "#org", "@type": "Organization", "name": "Example Check"},
        {"@id": "#claim", "@type": "Claim", "author": {"@id": "#mayor"}},
        {"@id": "#mayor", "@type": "Person", "name": "A mayor"},
    ]

    vclaim = only({"@graph": graph})

    assert vclaim.publisher == "Example Check"
    assert vclaim.claimant == "A mayor"


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        ("Example Check", "Example Check"),
        (["Example Check"], "Example Check"),
        ([{"name": "A"}, {"name": "B"}], "A, B"),
        ({"name": ["Example Check", "EC"]}, "Example Check"),
        ({"@type": "Organization", "url": "https://www.snopes.com"}, "Snopes"),
        (None, "example.org"),
        ("https://example.org/about", "example.org"),
    ],
)
def test_authors(author, expected):
    """An author is text, an object or a list; without a name the address gives the publisher."""
    assert only({**REVIEW, "author": author}).publisher == expected


def test_html_in_the_claim():
    """Tags and entities in a claim are removed."""
    vclaim = only(
        {**REVIEW, "claimReviewed": "<p>The bridge &amp; the <em>road</em> were built in 1950.</p>"}
    )

    assert vclaim.statement == "The bridge & the road were built in 1950."


def test_name_in_place_of_alternate_name():
    """Older markup has the publisher's words in name; they count, the number does not."""
    rating = {"@type": "Rating", "ratingValue": "2", "bestRating": "5", "name": "Two Pinocchios"}
    vclaim = only({**REVIEW, "author": {"name": "The Washington Post"}, "reviewRating": rating})

    assert vclaim.rating == "Two Pinocchios"
    assert vclaim.rating_class == RatingClass.MIXTURE


@pytest.mark.parametrize("value", [1, 5, "1", "5", "4.5"])
def test_truth_never_comes_from_the_number(value):
    """A rating that is only a ratingValue is ignored: its direction differs between publishers."""
    rating = {"@type": "Rating", "ratingValue": value, "bestRating": 5, "worstRating": 1}
    vclaim = only({**REVIEW, "reviewRating": rating})

    assert vclaim.rating == ""
    assert vclaim.rating_class == RatingClass.OTHER


def test_older_markup_reviews_a_creative_work():
    """Before 2019 the reviewed item was a CreativeWork.

    Claimant and date are in the same places.
    """
    reviewed = {
        "@type": "CreativeWork",
        "author": {"name": "A mayor"},
        "datePublished": "2014-07-17",
    }
    vclaim = only({**REVIEW, "itemReviewed": [reviewed]})

    assert vclaim.claimant == "A mayor"
    assert vclaim.claim_date == date(2014, 7, 17)


def test_several_claims_in_one_review():
    """A review of two claims is two verified claims."""
    statements = [
        v.statement for v in vclaims({**REVIEW, "claimReviewed": ["It is high.", "It is long."]})
    ]

    assert statements == ["It is high.", "It is long."]


@pytest.mark.parametrize(
    "missing", ["datePublished", "itemReviewed", "reviewRating", "author", "url", "inLanguage"]
)
def test_anything_but_the_claim_may_be_missing(missing):
    """A review without a field is still a verified claim."""
    assert (
        only({k: v for k, v in REVIEW.items() if k != missing}).statement == REVIEW["claimReviewed"]
    )


@pytest.mark.parametrize("claim", [None, "", [], ["", None], {"a": 1}, [{}]])
def test_a_review_without_a_claim_is_refused(claim):
    """No claimReviewed, no verified claim; the refusal names the place."""
    (review,) = claimreview.claims_in_json(
        {**REVIEW, "claimReviewed": claim}, where="page.html, script 1"
    )

    assert str(review) == "page.html, script 1: the statement is empty."


@pytest.mark.parametrize(
    "wrong",
    [{"author": 7}, {"reviewRating": "False"}, {"itemReviewed": "a claim"}, {"url": {"x": 1}}, {"datePublished": []},
     {"inLanguage": {"name": "English"}}, {"@type": "ClaimReview", "author": [None, {}]}],
)  # fmt: skip
def test_odd_values_do_no_harm(wrong):
    """A field of the wrong type is ignored."""
    assert only({**REVIEW, **wrong}).statement == REVIEW["claimReviewed"]


def test_attribution_and_licence():
    """The publisher of the data set and its licence are read, given as text or as objects."""
    marked = {
        **REVIEW,
        "sdPublisher": {"name": "A tool"},
        "sdLicense": {"url": "https://example.org/licence"},
    }
    (review,) = claimreview.claims_in_json(marked, where="test")

    assert review.attribution == "A tool"
    assert review.licence == "https://example.org/licence"


def test_language_of_an_unmarked_review():
    """Of a review that does not state its language, the statement's is detected."""
    unmarked = {k: v for k, v in REVIEW.items() if k != "inLanguage"}
    spanish = {
        **unmarked,
        "claimReviewed": "El puente fue construido por el gobierno en el año 1950.",
    }

    assert only(unmarked).language == "en"
    assert only(spanish).language == "es"


def test_media_reviews_are_passed_over():
    """MediaReview is about pictures; only ClaimReview is read."""
    assert vclaims([{**REVIEW, "@type": "MediaReview"}]) == []


def test_deep_nesting_ends():
    """A value nested a thousand times ends the walk, not the program."""
    node = REVIEW
    for _ in range(500):
        node = {"a": [node]}

    assert vclaims(node) == []


def test_a_page():
    """All JSON-LD scripts of a page are read; one that is not JSON is refused by its number."""
    html = f"""<!doctype html><html lang="fr-FR"><head><title>x</title>
      <script type="application/ld+json">{json.dumps({k: v for k, v in REVIEW.items() if k != "inLanguage"})}</script>
      <script type="application/ld+json">{{broken</script>
      <script>var x = 1</script></head><body>&nbsp;</body></html>"""

    review, refused = claimreview.claims_in_page(html.encode(), where="page.html")

    assert review.claim.language == "fr"
    assert REVIEW["claimReviewed"] == review.claim.statement
    assert str(refused).startswith("page.html, script 2: not JSON")
