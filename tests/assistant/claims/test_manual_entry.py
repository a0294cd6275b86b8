"""Manual entry of one fact-check: by link, JSON-LD, form, or as a newsroom note."""

from __future__ import annotations

import json
from datetime import date

import pytest

from assistant.claims import manual_entry
from assistant.core.domain import OWN_NOTE, RatingClass
from assistant.core.errors import MalformedClaim, NetworkError

PAGE_URL = "https://example.org/bridge"
REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "claimReviewed": "The bridge cost 35 million dollars.",
    "datePublished": "2024-03-01",
    "url": "https://example.org/bridge",
    "author": {"@type": "Organization", "name": "City Desk"},
    "reviewRating": {"@type": "Rating", "alternateName": "Mostly False"},
    "itemReviewed": {
        "@type": "Claim",
        "author": {"name": "Alma Reyes"},
        "datePublished": "2024-02-28",
    },
}


def page(*reviews) -> bytes:
    scripts = "".join(
        f'<script type="application/ld+json">{json.dumps(r)}</script>' for r in reviews
    )
    return f"<html><head>{scripts}</head><body>Words</body></html>".encode()


def test_a_link_brings_what_its_page_describes(serve):
    """Publisher, rating and dates are those of the page's ClaimReview."""
    server = serve(page())
    server.data = page({**REVIEW, "url": server.url})

    (vclaim,) = manual_entry.from_link(f" {server.url} ", is_allowed=lambda address: True)

    assert vclaim.statement == "The bridge cost 35 million dollars."
    assert vclaim.publisher == "City Desk"
    assert vclaim.rating == "Mostly False"
    assert vclaim.rating_class == RatingClass.FALSE
    assert vclaim.claim_date == date(2024, 2, 28)
    assert vclaim.review_date == date(2024, 3, 1)


def test_a_review_without_an_address_has_that_of_its_page(serve):
    """It gets the page's address, so that its card has a link."""
    server = serve(page({k: v for k, v in REVIEW.items() if k != "url"}))

    (vclaim,) = manual_entry.from_link(server.url, is_allowed=lambda address: True)

    assert server.url == vclaim.url


def test_a_page_without_a_review_says_what_to_do_instead(serve):
    """The error says to fill in the form."""
    with pytest.raises(MalformedClaim, match="no usable ClaimReview.*fill in the form"):
        manual_entry.from_link(serve(page()).url, is_allowed=lambda address: True)


@pytest.mark.threat("editor")
def test_a_link_into_this_machine_is_not_followed(serve):
    """Private networks are refused unless allowed."""
    with pytest.raises(NetworkError, match="private network"):
        manual_entry.from_link(serve(page(REVIEW)).url)


@pytest.mark.parametrize(
    "text", [json.dumps(REVIEW), json.dumps({"@graph": [REVIEW]}), page(REVIEW).decode()]
)
def test_json_ld_is_read_with_or_without_its_script(text):
    """With or without the script tag."""
    (vclaim,) = manual_entry.from_json(text, PAGE_URL)

    assert vclaim.url == "https://example.org/bridge"


@pytest.mark.parametrize("text", ["", "{", "[]", '{"@type": "Article"}', "<p>no script</p>"])
def test_other_text_is_refused(text):
    """One line says why."""
    with pytest.raises(MalformedClaim):
        manual_entry.from_json(text, PAGE_URL)


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "url",
    [
        "http://politifact.com/bridge",
        "https://example.org@politifact.com/bridge",
        "https://politifact.com\\@example.org/bridge",
        "https://example.org.politifact.com/bridge",
        "https://www-politifact-com.cdn.ampproject.org/c/s/www.politifact.com/bridge",
    ],
)
def test_pasted_json_ld_of_another_site_is_refused(url):
    """A page speaks for its own site only, however the other address is written."""
    with pytest.raises(
        MalformedClaim, match="the ClaimReview is for a page on .* not on 'example.org'"
    ):
        manual_entry.from_json(json.dumps({**REVIEW, "url": url}), PAGE_URL)


@pytest.mark.parametrize(
    "page_url",
    [
        "http://www.example.org/other",
        "https://amp.example.org/bridge",
        "https://m.example.org/bridge",
        "https://www-example-org.cdn.ampproject.org/c/s/www.example.org/bridge",
    ],
)
def test_hosts_of_one_site_may_speak_for_each_other(page_url):
    """The fact-check keeps its own address if the page is on the site's www, AMP or mobile host."""
    (vclaim,) = manual_entry.from_json(json.dumps(REVIEW), page_url)

    assert vclaim.url == "https://example.org/bridge"


@pytest.mark.parametrize(
    ("page_url", "reason"),
    [
        (" ", "the address of the page is missing"),
        ("example.org/bridge", "'example.org/bridge' isn't a valid web address"),
    ],
)
def test_pasted_json_ld_needs_the_address_of_its_page(page_url, reason):
    """Without the address nobody knows whose words these are."""
    with pytest.raises(MalformedClaim, match=reason):
        manual_entry.from_json(json.dumps(REVIEW), page_url)


def test_pasted_json_ld_without_an_address_has_that_of_its_page():
    """It gets the address that the person gave."""
    (vclaim,) = manual_entry.from_json(
        json.dumps({k: v for k, v in REVIEW.items() if k != "url"}), PAGE_URL
    )

    assert vclaim.url == PAGE_URL


@pytest.mark.threat("publisher")
def test_a_link_to_a_review_of_another_site_is_refused_in_one_line(serve):
    """The error names both hosts, and nothing is read from the page."""
    server = serve(page({**REVIEW, "url": "https://www.politifact.com/bridge"}))

    with pytest.raises(MalformedClaim) as refusal:
        manual_entry.from_link(server.url, is_allowed=lambda address: True)

    assert "the ClaimReview is for a page on 'politifact.com', not on '127.0.0.1'." in str(
        refusal.value
    )
    assert "\n" not in str(refusal.value)


@pytest.mark.threat("publisher")
def test_one_review_of_another_site_refuses_the_page(serve):
    """A page with a review of its own and one of another site is refused as a whole."""
    server = serve(page())
    server.data = page(
        {**REVIEW, "url": server.url}, {**REVIEW, "url": "https://www.politifact.com/bridge"}
    )

    with pytest.raises(MalformedClaim, match=r"politifact\.com"):
        manual_entry.from_link(server.url, is_allowed=lambda address: True)


@pytest.mark.threat("publisher")
def test_after_a_redirect_the_last_host_counts(monkeypatch):
    """A site that redirects anywhere does not lend its name to the page that answers."""
    answer = ("https://evil.example/x", page(REVIEW))
    monkeypatch.setattr("assistant.web.fetching.Fetcher.get", lambda fetcher, url: answer)

    with pytest.raises(MalformedClaim, match="a page on 'example.org', not on 'evil.example'"):
        manual_entry.from_link("https://example.org/redirect?to=evil.example")


def test_after_a_redirect_the_last_address_is_given(monkeypatch):
    """A review without an address gets the URL of the page that answered."""
    answer = ("https://evil.example/x", page({k: v for k, v in REVIEW.items() if k != "url"}))
    monkeypatch.setattr("assistant.web.fetching.Fetcher.get", lambda fetcher, url: answer)

    (vclaim,) = manual_entry.from_link("https://example.org/redirect?to=evil.example")

    assert vclaim.url == "https://evil.example/x"


FORM = {
    "statement": "The park is closed.",
    "publisher": "City Desk",
    "url": "https://example.org/park",
    "rating": "True",
    "review_date": "2024-05-01",
}


def test_a_form_makes_a_fact_check():
    """The rating verbatim, its class from the table of ratings."""
    vclaim = manual_entry.from_form(FORM)

    assert vclaim.statement == "The park is closed."
    assert vclaim.rating == "True"
    assert vclaim.rating_class == RatingClass.TRUE
    assert vclaim.review_date == date(2024, 5, 1)


def test_a_fact_check_without_a_rating_says_so() -> None:
    """An empty field may be an oversight."""
    claim = manual_entry.from_form({**FORM, "rating": "No rating"})

    assert (claim.rating, claim.statement) == ("", FORM["statement"])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"statement": " "}, "the claim is missing"),
        ({"publisher": ""}, "the publisher is missing"),
        ({"rating": ""}, "the rating is missing. If the article has none, write “no rating”"),
        ({"statement": "", "rating": " ", "url": ""}, "the claim, the rating and the address are"),
        (
            {"url": "city hall", "review_date": "soon"},
            "'city hall' isn't a valid web address, and 'soon' isn't a valid date",
        ),
        ({"url": "javascript:alert(1)"}, "isn't a valid web address"),
        ({"review_date": "soon"}, "'soon' isn't a valid date"),
    ],
)
def test_an_incomplete_form_is_refused(change, reason):
    """The error names the field."""
    with pytest.raises(MalformedClaim, match=reason):
        manual_entry.from_form({**FORM, **change})


def test_a_note_of_ones_own_is_marked_as_such():
    """No rating, no address, no date.

    It may lift a sentence, and the same text gives the same id.
    """
    note = manual_entry.from_note(
        " The bridge cost $400 million. ", about="Budget of 2023.", claimant="Ana Rivera"
    )

    assert note.publisher == OWN_NOTE
    assert note.rating == ""
    assert note.url == ""
    assert note.claim_date is None
    assert note.review_date is None
    assert note.statement == "The bridge cost $400 million."
    assert note.body == "Budget of 2023."
    assert note.claimant == "Ana Rivera"
    assert RatingClass.OTHER is note.rating_class
    assert manual_entry.from_note("The bridge cost $400 million.").id == note.id
    with pytest.raises(MalformedClaim, match="empty"):
        manual_entry.from_note(" ")
