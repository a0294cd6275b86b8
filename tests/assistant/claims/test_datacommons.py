"""The Data Commons feed, in its shape, from a local server."""

from __future__ import annotations

import gc
import gzip
import json
import tracemalloc

import pytest

from assistant.claims import datacommons
from assistant.core.errors import NetworkError

ENGLISH = "The bridge over the river was built by the city in {}."
SPANISH = "El puente sobre el río fue construido por la ciudad en el año {}."


def element(i: int, claim: str, **changes) -> dict:
    review = {
        "@context": "http://schema.org",
        "@type": "ClaimReview",
        "author": {"@type": "Organization", "name": "Example Check", "url": "https://example.org/"},
        "claimReviewed": claim,
        "datePublished": f"2020-01-{i % 28 + 1:02}",
        "itemReviewed": {
            "@type": "Claim",
            "appearance": [{"@type": "CreativeWork", "url": "https://social.example/1"}],
            "author": {"@type": "Person", "name": "A post"},
            "datePublished": "2020-01-01",
        },
        "reviewRating": {
            "@type": "Rating",
            "alternateName": "False",
            "ratingValue": 1,
            "bestRating": 5,
        },
        "sdPublisher": {
            "@type": "Organization",
            "name": "A markup tool",
            "url": "https://example.com",
        },
        "url": f"https://example.org/check/{i}",
    } | changes
    return {
        "@type": "DataFeedItem",
        "dateCreated": "2020-02-01T00:00:00Z",
        "item": [review],
        "url": review["url"],
    }


def feed(elements) -> bytes:
    feed_data = {"@context": "http://schema.org", "@type": "DataFeed", "dataFeedElement": list(elements),
             "dateModified": "2020-02-02T00:00:00Z", "license": datacommons.FEED_LICENCE}  # fmt: skip
    return json.dumps(feed_data, ensure_ascii=False).encode()


TEN = [element(i, (SPANISH if i % 5 == 4 else ENGLISH).format(1900 + i)) for i in range(10)]


def fetch(store, server, tmp_path, **options):
    return datacommons.fetch_datacommons(
        store, url=server.url, folder=tmp_path / "cache", **options
    )


def test_english_by_default(store, serve, tmp_path):
    """English claims come in, statement, claimant, rating and dates.

    The others are counted by language.
    """
    report = fetch(store, serve(feed(TEN)), tmp_path)

    assert report.new == 8
    assert report.left_out == {"language es": 2}
    assert report.refused == ()
    vclaim = next(iter(store.many(store.fingerprints()).values()))
    assert vclaim.statement.startswith("The bridge")
    assert vclaim.title == ""
    assert vclaim.body == ""
    assert vclaim.claimant == "A post"
    assert vclaim.rating == "False"
    assert vclaim.publisher == "Example Check"
    assert list((tmp_path / "cache").iterdir()) == []


def test_any_language(store, serve, tmp_path):
    """Another language, or all of them, can be chosen."""
    server = serve(feed(TEN))

    assert fetch(store, server, tmp_path, language="es").new == 2
    assert fetch(store, server, tmp_path, language="all").new + 2 == 10
    assert store.counts("language") == {"en": 8, "es": 2}


def test_the_reviews_own_language_counts(store, serve, tmp_path):
    """The language that a review states is used."""
    report = fetch(store, serve(feed([element(1, ENGLISH, inLanguage="es-MX")])), tmp_path)

    assert report.new == 0
    assert report.left_out == {"language es": 1}


def test_attribution_and_licence_are_stored(store, serve, tmp_path):
    """Each claim is stored with who marked it up, and with its licence or that of the feed."""
    own_element = element(2, ENGLISH.format(2), sdLicense="https://example.org/own")
    unsigned = element(3, ENGLISH.format(3), sdPublisher=None)
    fetch(store, serve(feed([element(1, ENGLISH.format(1)), own_element, unsigned])), tmp_path)

    assert store.counts("attribution") == {"A markup tool": 2, datacommons.FEED_ATTRIBUTION: 1}
    assert store.counts("licence") == {datacommons.FEED_LICENCE: 2, "https://example.org/own": 1}


def test_fetching_again_changes_nothing(store, serve, tmp_path):
    """The next day's feed adds what is new; the rest is the same."""
    server = serve(feed(TEN))
    fetch(store, server, tmp_path)
    server.data = feed([*TEN, element(11, ENGLISH.format(1911))])

    again = fetch(store, server, tmp_path)

    assert again.new == 1
    assert again.same == 8
    assert again.changed == 0


def test_a_claim_with_an_article_keeps_it(store, serve, tmp_path):
    """A stored claim with an article merges with the feed's, and keeps its article, id and rating."""
    from assistant.core.domain import VerifiedClaim

    complete_claim = VerifiedClaim(
        id="mine",
        statement=ENGLISH.format(1900),
        body="The whole article.",
        rating="Pants on Fire",
        url="https://www.example.org/check/0/",
    )
    store.upsert([complete_claim], source="own")

    report = fetch(store, serve(feed(TEN[:2])), tmp_path)

    assert report.new == 1
    assert report.merged == 1
    assert store.get("mine").body == "The whole article."
    assert store.get("mine").rating == "Pants on Fire"
    assert store.counts("attribution")["A markup tool"] == 2


def test_malformed_elements_are_refused(store, serve, tmp_path):
    """What is no fact-check is refused with its place in the feed, and the others are imported."""
    odd = [TEN[0], {"item": []}, element(2, ""), None, "text", 7, {"@type": "DataFeedItem"}, TEN[1]]

    report = fetch(store, serve(feed(odd)), tmp_path)

    assert report.new == 2
    assert len(report.refused) == 6
    assert "claimreview.json, item 3: the statement is empty." in report.refused


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_a_packed_feed(store, serve, tmp_path, encoding):
    """A gzipped feed is read, whether the server declares it or not."""
    server = serve(gzip.compress(feed(TEN)))
    server.encoding = encoding

    assert fetch(store, server, tmp_path).new == 8


def test_a_download_that_breaks_off_goes_on(store, serve, tmp_path):
    """A broken download imports nothing; the next fetch continues where it stopped."""
    server = serve(feed(TEN))
    server.break_after = 2_000
    with pytest.raises(NetworkError, match="Run the command again to continue"):
        fetch(store, server, tmp_path)
    assert store.status().claims == 0

    server.break_after = 0
    assert fetch(store, server, tmp_path).new == 8
    assert server.requests[-1]["Range"] == "bytes=2000-"


@pytest.mark.parametrize(
    "data",
    [
        feed(TEN)[:-700],
        gzip.compress(feed(TEN))[:-200],
        b"<html>sorry</html>",
        b"{}",
        b'{"dataFeedElement": []}',
        b"",
    ],
    ids=["cut", "gzip cut", "html", "no feed", "empty feed", "empty"],
)
def test_a_feed_that_is_not_whole_changes_nothing(store, serve, tmp_path, data):
    """A feed that ends in the middle, or is no feed, is deleted; the database is unchanged."""
    fetch(store, serve(feed(TEN[:2])), tmp_path)
    digest_before = store.digest()

    with pytest.raises(NetworkError, match="Nothing was imported"):
        fetch(store, serve(data), tmp_path)

    assert store.digest() == digest_before
    assert list((tmp_path / "cache").iterdir()) == []


def peak_bytes(path, count):
    """Return the largest memory that is taken while a feed is read, which has so many elements."""
    gc.collect()
    tracemalloc.start()
    try:
        assert sum(1 for _ in datacommons.read_feed(path)) == count
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_feed(tmp_path):
    """Elements are read one by one: a longer feed takes hardly any of its further bytes.

    Other threads of this process may take some memory at the same time.
    """
    paths = {}
    for count in (100, 800):
        paths[count] = tmp_path / f"{count}.json"
        elements = (element(i, ENGLISH.format(i), inLanguage="en") for i in range(count))
        paths[count].write_bytes(feed(elements))
    further_bytes = paths[800].stat().st_size - paths[100].stat().st_size
    # This fills the caches of statements, which have a limit of their own.
    assert sum(1 for _ in datacommons.read_feed(paths[800])) == 800

    peaks = [peak_bytes(path, count) for count, path in paths.items()]

    assert peaks[1] - peaks[0] < further_bytes / 4
