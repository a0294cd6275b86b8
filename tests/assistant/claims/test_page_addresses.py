"""Addresses of one page have one key, and the clearest of them is stored."""

from __future__ import annotations

import pytest

from assistant.claims import claim_fields, page_addresses

PAGE = "https://checks.example.org/bus-fares"


@pytest.mark.parametrize(
    "url",
    [
        "https://checks.example.org/bus-fares/amp/",
        "https://checks.example.org/amp/bus-fares",
        "https://checks.example.org/bus-fares.amp",
        "https://checks.example.org/bus-fares?amp=1",
        "https://checks.example.org/bus-fares?amp",
        "https://checks.example.org/bus-fares?outputType=amp",
        "https://amp.checks.example.org/bus-fares",
        "https://m.checks.example.org/bus-fares",
        "https://mobile.checks.example.org/bus-fares/",
        "http://www.checks.example.org/bus-fares/?utm_source=x&fbclid=1#top",
        "HTTPS://CHECKS.example.org:443/bus-fares",
        "https://checks.example.org//bus-fares/index.html",
        "https://checks.example.org/bus%2Dfares",
        "https://checks.example.org/bus-fares?ref=rss",
        "https://checks.example.org/bus-fares?source=newsletter&mc_cid=7",
        "https://www.google.com/amp/s/checks.example.org/bus-fares",
        "https://checks-example-org.cdn.ampproject.org/c/s/checks.example.org/bus-fares",
        "https://web.archive.org/web/20240111000000/https://checks.example.org/bus-fares",
        "https://web.archive.org/web/2024id_/http://checks.example.org/bus-fares?utm_source=x",
        "https://checks-example-org.translate.goog/bus-fares?_x_tr_sl=en&_x_tr_tl=de",
        "https://l.facebook.com/l.php?u=https%3A%2F%2Fchecks.example.org%2Fbus-fares&h=AT0",
        "https://www.google.com/url?sa=t&url=https%3A%2F%2Fchecks.example.org%2Fbus-fares",
        "https://checks.example.org/bus-fares?m=1",
        "https://checks.example.org/bus-fares?print=true",
        "https://checks.example.org/bus-fares;jsessionid=12AB?PHPSESSID=1",
    ],
)
def test_one_page_has_one_key(url):
    assert page_addresses.page_key(url) == page_addresses.page_key(PAGE)
    assert page_addresses.best_address(url, PAGE) == PAGE


@pytest.mark.parametrize(
    "url",
    [
        "https://checks.example.org/bus-fare",
        "https://checks.example.org/amplifiers/bus-fares",
        "https://other.example.org/bus-fares",
        "https://checks.example.org/bus-fares?page=2",
        "https://checks.example.org/bus-fares?source=ministry",
        "https://checks.example.org/bus-fares#!/second",
        "https://checks-example-org.cdn.ampproject.org/c/s/evil.example/bus-fares",
        "https://evil.example/amp/s/checks.example.org/bus-fares",
        "https://evil.example/web/2024/https://checks.example.org/bus-fares",
        "https://evil.example/url?url=https%3A%2F%2Fchecks.example.org%2Fbus-fares",
        "https://web.archive.org/web/2024/javascript:checks.example.org/bus-fares",
    ],
)
def test_another_page_has_another_key(url):
    assert page_addresses.page_key(url) != page_addresses.page_key(PAGE)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        (f"{PAGE}?utm_source=x&id=7#top", f"{PAGE}?id=7"),
        (f"{PAGE}?fbclid=1", PAGE),
        (f"{PAGE}/amp/", f"{PAGE}/amp/"),
        ("ftp://a.org/x?ref=1", "ftp://a.org/x?ref=1"),
        ("http://[broken", "http://[broken"),
        ("", ""),
    ],
)
def test_tracking_is_not_stored(url, expected):
    assert page_addresses.without_tracking(url) == expected


def test_the_order_of_parameters_does_not_matter():
    first_key = page_addresses.page_key("https://a.org/?b=1&a=2")
    assert first_key == page_addresses.page_key("https://a.org/?a=2&b=1")


def test_another_page_is_a_correction_of_the_address():
    assert page_addresses.best_address(PAGE, f"{PAGE}-2") == f"{PAGE}-2"


@pytest.mark.parametrize(
    "url", ["https://a.org/index.php?p=77", "https://a.org/?p=77", "https://a.org/node/12"]
)
def test_a_number_says_nothing_about_a_page(url):
    assert page_addresses.is_number_only(url)


@pytest.mark.parametrize("url", [PAGE, "https://a.org", "https://a.org/?q=fares"])
def test_words_say_something_about_a_page(url):
    assert not page_addresses.is_number_only(url)


def test_a_copy_does_not_speak_for_the_publisher():
    """The page is the same, but its host is the archive's."""
    url = f"https://web.archive.org/web/2024/{PAGE}"

    assert claim_fields.site_host(url) == "web.archive.org"
