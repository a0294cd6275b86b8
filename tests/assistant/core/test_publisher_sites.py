"""A publisher's name and a site belong together only if that is known."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.claims import claim_fields
from assistant.core import publisher_sites
from assistant.core.domain import VerifiedClaim
from assistant.report import wording


@pytest.mark.parametrize(
    ("publisher", "url", "expected"),
    [
        ("PolitiFact", "https://www.politifact.com/x", True),
        ("politifact.com", "https://amp.politifact.com/x", True),
        ("The Washington Post Fact Checker", "https://washingtonpost.com/x", True),
        ("PolitiFact", "https://evil.example/x", False),
        ("PolitiFact", "https://politifact.com.evil.example/x", False),
        ("PolitiFact", "https://politifact.com@evil.example/x", False),
        ("PolitiFact", "https://politifact.example/x", False),
        ("Snopes", "https://www.politifact.com/x", False),
        ("Harbor Verify", "https://harborverify.example/x", True),
        ("Harbor Verify", "https://www.harborverify.co.uk/x", True),
        ("Harbor Verify", "https://harborverify.evil.example/x", False),
        ("Mill Valley Checks", "https://checks.example.org/x", False),
        ("checks.example.org", "https://checks.example.org/x", True),
        ("Mill Valley Checks", "", True),
    ],
)
def test_publishers_and_their_sites(publisher, url, expected):
    assert publisher_sites.belong_together(publisher, url) is expected


def claim_of(publisher: str, url: str) -> VerifiedClaim:
    return VerifiedClaim(
        "c1",
        "Fares fell.",
        rating="True",
        publisher=publisher,
        url=url,
        review_date=date(2024, 1, 2),
    )


def test_a_known_name_on_another_site_is_shown_with_the_site():
    """A page on evil.example whose author says PolitiFact does not speak for PolitiFact."""
    sentence = wording.rating_sentence(claim_of("PolitiFact", "https://evil.example/x"))

    assert sentence == "PolitiFact (evil.example) rated this claim True on 2 Jan 2024"


def test_a_publisher_on_its_site_is_shown_by_its_name():
    sentence = wording.rating_sentence(claim_of("PolitiFact", "https://www.politifact.com/x"))

    assert sentence == "PolitiFact rated this claim True on 2 Jan 2024"


def test_the_site_of_an_unknown_publisher_is_named():
    claim = claim_of("Mill Valley Checks", "https://checks.example.org/x")

    assert wording.unproven_site(claim) == "checks.example.org"
    assert wording.unproven_site(claim_of("Full Fact", "https://fullfact.org/x")) == ""


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "publisher",
    [
        "Politi Fact",
        "Politi-Fact",
        "PolitiFact.",
        "PolitiFact!",
        "Politi\u00adFact",
        "\u2060PolitiFact",
        "PolitiFact\u3164",
        "\u0420olitiFact",
        "Polit\u0456Fact",
        "P\u03bflitiFact",
        "\uff30olitiFact",
        "Pol\u00edtiFact",
        "PoIitiFact",
        "P0litiFact",
        "Snopes fact check!",
        "Sn\u043epes.com",
        "Reuters\u3164",
        "VERA  Files",
    ],
)
@pytest.mark.parametrize("url", ["https://politifact.xyz/a", "https://polit\u0456fact.com/a"])
def test_a_name_that_looks_like_a_known_one_is_shown_with_its_site(publisher, url):
    claim = claim_of(publisher, url)

    assert wording.is_on_foreign_site(claim)
    assert not publisher_sites.belong_together(publisher, url)


@pytest.mark.parametrize("publisher", ["Politi-Fact", "PolitiFact!", "POLITIFACT.COM"])
def test_a_spelling_of_a_known_name_on_its_site_is_shown_by_itself(publisher):
    claim = claim_of(publisher, "https://www.politifact.com/x")

    assert not wording.is_on_foreign_site(claim)


@pytest.mark.threat("publisher")
def test_a_host_in_other_letters_is_shown_in_ascii():
    claim = claim_of("Polit\u0456Fact", "https://polit\u0456fact.com/a")

    assert wording.publisher(claim).endswith("(xn--politfact-z9h.com)")


def test_a_publisher_is_read_without_invisible_characters():
    row = {"statement": "A wall.", "publisher": "\u2060Harbor\u00ad Verify\u3164"}

    assert claim_fields.parse_claim(row).publisher == "Harbor Verify"
