"""Rows with fields of any name become verified claims.

Text is clean, dates are real, ids are stable.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.claims import claim_fields
from assistant.claims.usual_names import FIELD_NAMES
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import MalformedClaim


def test_lecterns_own_fields():
    """A row with the names of VerifiedClaim is that claim."""
    vclaim = VerifiedClaim(
        id="s-1",
        statement="Water boils at 100 degrees at sea level.",
        title="Does it?",
        body="One paragraph.\nAnother.",
        claimant="a cook",
        claim_date=date(2019, 1, 2),
        rating="Mostly True",
        rating_class=RatingClass.TRUE,
        review_date=date(2019, 1, 3),
        publisher="Sample",
        url="https://example.org/1",
        language="en",
    )
    fields = {name: str(getattr(vclaim, name) or "") for name in FIELD_NAMES}

    assert claim_fields.parse_claim(fields) == vclaim


def test_fields_of_politifact_lines():
    """The names of the PolitiFact collection are known, and its publisher is read from the address."""
    vclaim = claim_fields.parse_claim(
        {
            "id": "vclaim-pol-00007",
            "statement": "The wall is long.",
            "speaker": "A senator",
            "date_said": "2019-10-22",
            "context": "in a mailer.",
            "rating": "Pants on Fire",
            "title": "Not that long",
            "article": "One.\n\nTwo.",
            "url": "https://www.politifact.com/x/",
            "date_checked": "2019-10-30",
        }
    )

    assert vclaim.claimant == "A senator"
    assert vclaim.claim_date == date(2019, 10, 22)
    assert vclaim.review_date == date(2019, 10, 30)
    assert vclaim.publisher == "PolitiFact"
    assert vclaim.rating_class == RatingClass.FALSE
    assert vclaim.body == "One.\nTwo."


def test_fields_of_checkthat():
    """CheckThat!'s codes become the publisher's words, *stated on* is the day said, the address has the day checked."""
    vclaim = claim_fields.parse_claim(
        {
            "vclaim_id": "vclaim-pol-00001",
            "vclaim": "Taxes fell.",
            "title": "Did they?",
            "date": "stated on October 22, 2019 in a campaign mailer:",
            "truth_label": "barely-true",
            "speaker": "A mayor",
            "url": "/factchecks/2019/oct/30/a-mayor/did-taxes-fall/",
            "text": "They did not.",
        }
    )

    assert vclaim.rating == "Mostly False"
    assert vclaim.rating_class == RatingClass.FALSE
    assert vclaim.publisher == "PolitiFact"
    assert vclaim.claim_date == date(2019, 10, 22)
    assert vclaim.review_date == date(2019, 10, 30)
    assert vclaim.url.startswith("https://www.politifact.com/factchecks/2019")


def test_a_column_map_comes_first():
    """A mapped name is used even where another column has a known name."""
    fields = {"claim": "not this", "Behauptung": "this one"}

    assert (
        claim_fields.parse_claim(fields, columns={"statement": "Behauptung"}).statement
        == "this one"
    )


@pytest.mark.parametrize(
    "row", [{}, {"statement": ""}, {"statement": " <p> </p> "}, {"title": "only a title"}]
)
def test_no_statement_no_claim(row):
    """A row without a statement is refused."""
    with pytest.raises(MalformedClaim, match="the statement is empty"):
        claim_fields.parse_claim(row)


def test_a_wrong_class_is_refused():
    """A rating class that is none of the five is refused, not replaced."""
    with pytest.raises(MalformedClaim, match="rating_class is 'MAYBE', not one of TRUE"):
        claim_fields.parse_claim({"statement": "x", "rating_class": "MAYBE"})


def test_ids_are_made_of_page_and_statement():
    """A row without an id gets the same one each time, and another for another page or statement."""
    original = {"statement": "Taxes fell.", "url": "https://a.org/1"}

    claim_ids = [
        claim_fields.parse_claim(fields).id
        for fields in (original, dict(original), {**original, "url": "https://a.org/2"})
    ]

    assert claim_ids[0] == claim_ids[1] != claim_ids[2]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("  two\n lines ", "two lines"),
        ("<p>The <b>wall</b> is&nbsp;long &amp; high.</p>", "The wall is long & high."),
        ("&lt;i&gt;Twice&lt;/i&gt; packed", "Twice packed"),
        ("5 < 6 and 7 > 3", "5 < 6 and 7 > 3"),
        ("a<script>alert(1)</script>b", "a b"),
        ("nul\x00 and \ud800 half", "nul and half"),
        (None, ""),
        (12, "12"),
    ],
)
def test_text(raw, expected):
    """Text is one clean line: no tags, entities, control characters or lone surrogates."""
    assert claim_fields.clean_line(raw) == expected


def test_paragraphs():
    """Paragraphs are lines, from line breaks and from tags, without empty ones."""
    assert (
        claim_fields.clean_paragraphs("<p>One  two.</p><p>Three.</p>\r\n\n Four. ")
        == "One two.\nThree.\nFour."
    )


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("2019-10-30", date(2019, 10, 30)),
        ("2019-10-30T23:30:00+02:00", date(2019, 10, 30)),
        ("20191030", date(2019, 10, 30)),
        ("on Wednesday, October 30th, 2019", date(2019, 10, 30)),
        ("stated on October 30, 2019 in a speech", date(2019, 10, 30)),
        ("26 May 2015", date(2015, 5, 26)),
        ("1st Sept. 2015", date(2015, 9, 1)),
        ("31-10-2020", date(2020, 10, 31)),
        ("10/31/2020", date(2020, 10, 31)),
        ("3/4/2020", None),
        ("4/4/2020", date(2020, 4, 4)),
        ("2019-02-30", None),
        ("0001-01-01", None),
        ("2219-01-01", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (date(2019, 1, 2), date(2019, 1, 2)),
        (datetime(2019, 1, 2, 3, tzinfo=UTC), date(2019, 1, 2)),
    ],
)
def test_day(raw, expected):
    """Dates are read in the forms that files have; an ambiguous or impossible one is unknown."""
    assert claim_fields.parse_day(raw) == expected


def test_a_review_in_the_future_is_a_slip():
    """A day more than two days ahead cannot be a review date."""
    far = datetime.now(UTC).date() + timedelta(days=30)

    assert claim_fields.parse_day(far.isoformat()) is None


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2025, 12, 31)))
def test_written_dates_are_read(day):
    """Every day written out in any of the known forms is read as that day."""
    forms = [
        day.isoformat(),
        f"{day:%B} {day.day}, {day.year}",
        f"{day.day} {day:%b} {day.year}",
        f"{day:%Y%m%d}",
    ]

    assert [claim_fields.parse_day(form) for form in forms] == [day] * 4


@pytest.mark.parametrize(
    ("raw", "expected"),
    [("en-US", "en"), ("EN", "en"), ("pt_BR", "pt"), ("fil", "fil"), ("English", ""), (None, "")],
)
def test_language(raw, expected):
    """Of a language tag the first part is used, in lower case; other words are no tag."""
    assert claim_fields.language_code(raw) == expected


def test_url_key_keeps_what_makes_a_page():
    """A query that selects the page stays.

    Tracking, scheme, fragment and final slash are dropped.
    """
    assert (
        claim_fields.url_key("https://www.a.org/x/?utm_source=b&id=7&fbclid=1#top", "")
        == "a.org/x?id=7"
    )
    assert claim_fields.url_key("https://a.org/x?id=7", "") != claim_fields.url_key(
        "https://a.org/x?id=8", ""
    )


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("https://www.politifact.com/x", "politifact.com"),
        ("http://POLITIFACT.com.:8080", "politifact.com"),
        ("https://amp.politifact.com/x", "politifact.com"),
        ("https://www-my--site-org.cdn.ampproject.org/c/s/www.my-site.org/x", "my-site.org"),
        ("https://amp.dev/x", "amp.dev"),
        ("https://stra\u00dfe.example/x", "xn--strae-oqa.example"),
        ("https://politifact.com@evil.example/x", ""),
        ("https://politifact.com\\@evil.example/x", ""),
        ("https://[::1/x", ""),
        ("politifact.com/x", ""),
        ("", ""),
    ],
)
def test_the_site_of_an_address(url, site):
    """The www, AMP and mobile hosts of a site are one; an address that hides its host has none."""
    assert claim_fields.site_host(url) == site
