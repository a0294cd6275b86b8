"""Newer reviews, other addresses of one page, retracted and missing fact-checks."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import replace
from datetime import date

import pytest

from assistant.claims import claim_fields
from assistant.claims.claim_store import ClaimStore
from assistant.claims.importers import import_file
from assistant.claims.records import AttributedClaim
from assistant.core.audit import AuditLog
from assistant.core.domain import RatingClass, VerifiedClaim

PAGE = "https://checks.example.org/bus-fares"
FARES = VerifiedClaim(
    id="r-1",
    statement="Bus fares fell by 30 percent.",
    claimant="Owen Pryce",
    rating="False",
    rating_class=RatingClass.FALSE,
    review_date=date(2024, 1, 11),
    publisher="Mill Valley Checks",
    url=PAGE,
)
NEWER = replace(
    FARES,
    id="r-2",
    rating="Mostly True",
    rating_class=RatingClass.TRUE,
    review_date=date(2024, 2, 1),
)
RETRACTED = replace(FARES, rating="Retracted", rating_class=RatingClass.OTHER)


def parsed(**fields):
    """Return the claim of a row without an id."""
    row = {
        "claim": "Bus fares fell by 30 percent.",
        "rating": "False",
        "publisher": "Mill Valley Checks",
        "url": PAGE,
        "review_date": "2024-01-11",
    }
    return claim_fields.parse_claim(row | fields)


def only_claim(store):
    (vclaim,) = store.many(store.fingerprints()).values()
    return vclaim


def rated(vclaim):
    return vclaim.rating, vclaim.review_date


@pytest.mark.parametrize(
    "rows", [[FARES, NEWER], [NEWER, FARES]], ids=["older first", "newer first"]
)
def test_the_newer_review_of_one_file_counts(store, rows):
    store.upsert(rows, source="file")

    assert rated(only_claim(store)) == ("Mostly True", date(2024, 2, 1))


def test_the_newer_review_still_counts_after_a_second_import(store):
    store.upsert([FARES, NEWER], source="file")
    digest = store.digest()

    report = store.upsert([FARES, NEWER], source="file")

    assert store.digest() == digest
    assert report.changed == 0
    assert "is older than Mostly True of 2024-02-01" in report.kept_reviews[0]
    assert len(store.versions("r-1")) == 1


def test_one_id_with_a_corrected_statement_and_a_newer_review(store):
    corrected = replace(NEWER, id="r-1", statement="Bus fares fell by 30 percent since 2020.")

    report = store.upsert([FARES, corrected], source="file")

    assert report.refused == ()
    assert only_claim(store).statement == corrected.statement
    assert [version.statement for version in store.versions("r-1")] == [FARES.statement]


def test_a_change_of_rating_keeps_the_old_words_with_their_date(store):
    store.upsert([FARES], source="file")

    store.upsert([replace(NEWER, id="r-1")], source="file")

    (version,) = store.versions("r-1")
    assert (version.rating, version.review_date) == ("False", date(2024, 1, 11))


@pytest.mark.parametrize(
    "statement", ["Bus fares fell by 30%", "bus fares fell by thirty per cent"]
)
def test_another_spelling_is_no_version(store, statement):
    store.upsert([FARES], source="file")

    store.upsert([replace(FARES, statement=statement)], source="file")

    assert store.versions("r-1") == []


def test_a_rating_that_is_left_out_keeps_its_date(store):
    store.upsert([FARES], source="file")

    later = replace(FARES, rating="", rating_class=RatingClass.OTHER, review_date=date(2024, 3, 1))
    store.upsert([later], source="file")

    assert rated(only_claim(store)) == ("False", date(2024, 1, 11))


def test_a_new_rating_without_a_date_has_not_the_old_date(store):
    store.upsert([FARES], source="file")

    store.upsert([replace(NEWER, id="r-1", review_date=None)], source="file")

    assert rated(only_claim(store)) == ("Mostly True", None)


def test_the_same_rating_without_a_date_keeps_the_date(store):
    store.upsert([FARES], source="file")

    store.upsert([replace(FARES, review_date=None)], source="file")

    assert rated(only_claim(store)) == ("False", date(2024, 1, 11))


def test_another_statement_without_a_rating_has_no_rating(store):
    store.upsert([FARES], source="file")

    other = replace(FARES, statement="Bus fares rose by 30 percent.", rating="")
    store.upsert([other], source="file")

    assert only_claim(store).rating == ""


def test_one_page_under_many_addresses_is_one_check(store):
    urls = [
        f"{PAGE}/amp/",
        f"{PAGE}?amp=1",
        "https://amp.checks.example.org/bus-fares",
        "http://www.checks.example.org/bus-fares/?utm_source=x&fbclid=1#top",
        f"{PAGE}?ref=rss",
        "https://checks.example.org/index.php?p=77",
    ]
    rows = [parsed(url=url) for url in urls]

    first_report = store.upsert(rows, source="file")
    second_report = store.upsert(list(reversed(rows)), source="file")

    assert only_claim(store).url == PAGE
    assert first_report.new == 1
    assert second_report.new + second_report.changed == 0


def test_an_address_with_tracking_never_replaces_the_clean_one(store):
    store.upsert([FARES], source="file")

    store.upsert([replace(FARES, url=f"{PAGE}?utm_source=x")], source="file")

    assert only_claim(store).url == PAGE


def test_a_number_of_another_check_is_another_check(store):
    other = parsed(url="https://checks.example.org/?p=78", rating="True")

    store.upsert([parsed(), other], source="file")

    assert store.status().claims == 2


def test_a_claim_that_the_source_has_no_longer_is_named(store):
    other = replace(FARES, id="r-9", statement="The tram opened.", url=f"{PAGE}-2")
    store.upsert([FARES, other], source="file", whole_source=True)

    report = store.upsert([FARES], source="file", whole_source=True)

    assert report.missing_ids == ("r-9",)
    assert report.source_claims == 2
    assert store.status().claims == 2


def test_a_single_row_misses_nothing(store):
    store.upsert([FARES], source="file", whole_source=True)

    report = store.upsert([replace(NEWER, url=f"{PAGE}-2")], source="file")

    assert report.missing_ids == ()


def test_a_reworded_statement_of_a_source_without_ids(store):
    store.upsert([parsed()], source="file", whole_source=True)
    (old_id,) = store.fingerprints()
    corrected = parsed(
        claim="Bus fares fell by 30 percent since 2020.",
        rating="Half True",
        review_date="2024-02-01",
    )

    report = store.upsert([corrected], source="file", whole_source=True)
    again = store.upsert([corrected], source="file", whole_source=True)

    vclaim = only_claim(store)
    assert (vclaim.id, vclaim.rating) == (old_id, "Half True")
    assert (report.new, report.changed, report.missing_ids) == (0, 1, ())
    assert (again.new, again.changed, again.missing_ids) == (0, 0, ())
    assert [version.rating for version in store.versions(old_id)] == ["False"]


def test_two_statements_of_one_page_stay_two(store):
    second = parsed(claim="The tram opened in 2019.", rating="True")
    store.upsert([parsed(), second], source="file", whole_source=True)

    report = store.upsert([second], source="file", whole_source=True)

    assert len(report.missing_ids) == 1
    assert store.status().claims == 2


def test_a_withdrawn_check_is_nowhere_current(store):
    store.upsert([FARES], source="file")

    withdrawn_ids = store.withdraw(["r-1", "unknown"], why="retracted", withdrawn_by="Ada")

    assert withdrawn_ids == ["r-1"]
    assert store.get("r-1") is None
    assert store.search("bus") == []
    assert store.fingerprints() == {}
    assert store.current_reviews(["r-1"])["r-1"].withdrawn.why == "retracted"
    (withdrawal,) = store.withdrawn()
    assert (withdrawal.claim, withdrawal.withdrawn_by) == (FARES, "Ada")


def test_a_withdrawn_check_stays_withdrawn_at_the_next_import(store):
    store.upsert([FARES], source="file")
    store.withdraw(["r-1"], why="", withdrawn_by="Ada")

    report = store.upsert([FARES], source="file")

    assert report.left_out == {"withdrawn here": 1}
    assert store.status().claims == 0


def test_a_newer_review_of_a_withdrawn_check_counts(store):
    store.upsert([FARES], source="file")
    store.withdraw(["r-1"], why="", withdrawn_by="Ada")

    store.upsert([NEWER], source="file")

    assert rated(only_claim(store)) == ("Mostly True", date(2024, 2, 1))
    assert store.withdrawn() == []


def test_another_publisher_never_brings_a_withdrawn_check_back(store):
    store.upsert([FARES], source="file")
    store.withdraw(["r-1"], why="", withdrawn_by="Ada")
    forged = replace(NEWER, id="r-1", publisher="Evil Times")

    store.upsert([forged], source="other")

    assert only_claim(store).id == "other:r-1"
    assert [withdrawal.claim for withdrawal in store.withdrawn()] == [FARES]


def test_a_restored_check_is_as_it_was(store):
    store.upsert([FARES], source="file")
    digest = store.digest()
    store.withdraw(["r-1"], why="", withdrawn_by="Ada")

    assert store.restore(["r-1"], restored_by="Ada") == ["r-1"]
    assert store.digest() == digest


def test_all_checks_of_a_source_but_those_of_other_sources(store):
    shared = replace(FARES, id="s", statement="The tram opened.")
    store.upsert([FARES, shared], source="wrong file")
    store.upsert([shared], source="right file")

    assert store.ids_of_source("wrong file") == ["r-1"]


@pytest.mark.parametrize(
    "row",
    [RETRACTED, parsed(id="r-1", status="retracted"), parsed(rating="Fact check withdrawn")],
    ids=["rating", "status", "without id"],
)
def test_a_row_withdraws_the_check_that_its_publisher_retracted(store, row):
    store.upsert([FARES], source="file")

    report = store.upsert([row], source="file")

    assert store.status().claims == 0
    assert store.withdrawn()[0].claim.rating == "False"
    assert report.retracted == (
        "r-1: 'Bus fares fell by 30 percent.' was retracted by its publisher",
    )


def test_the_publishers_words_are_the_reason_of_a_withdrawal(store):
    store.upsert([FARES], source="file")
    reason = "retracted by its publisher: We misread the table."

    report = store.upsert([AttributedClaim(RETRACTED, retraction=reason)], source="file")

    assert store.withdrawn()[0].why == reason
    assert report.retracted == (f"r-1: 'Bus fares fell by 30 percent.' was {reason}",)


def test_words_in_place_of_a_rating_are_the_reason_too(store):
    store.upsert([FARES], source="file")

    store.upsert([replace(RETRACTED, rating="Retracted: we misread the table")], source="file")

    assert store.withdrawn()[0].why == "retracted by its publisher: we misread the table"


def test_a_page_that_retracts_its_review_withdraws_the_check(store, tmp_path):
    """A later review of the page counts again."""
    page = tmp_path / "page.json"
    review = {
        "@type": "ClaimReview",
        "url": PAGE,
        "claimReviewed": FARES.statement,
        "author": {"@type": "Organization", "name": FARES.publisher},
        "datePublished": "2024-01-11",
        "reviewRating": {"alternateName": "False"},
    }
    page.write_text(json.dumps(review))
    import_file(store, page)
    page.write_text(json.dumps(review | {"creativeWorkStatus": "Retracted"}))
    import_file(store, page)

    assert store.status().claims == 0

    later = {"datePublished": "2024-03-01", "reviewRating": {"alternateName": "Half True"}}
    page.write_text(json.dumps(review | later))
    import_file(store, page)

    assert rated(only_claim(store)) == ("Half True", date(2024, 3, 1))


def test_another_publisher_retracts_nothing(store):
    store.upsert([FARES], source="file")

    report = store.upsert([replace(RETRACTED, publisher="Evil Times")], source="file")

    assert store.status().claims == 1
    assert report.left_out == {"retracted by its publisher, and not stored": 1}


def test_withdrawing_and_restoring_are_in_the_log(tmp_path):
    database = f"sqlite:///{tmp_path / 'lectern.db'}"
    with ClaimStore.open(database) as store:
        store.upsert([FARES], source="file")
        store.withdraw(["r-1"], why="wrong", withdrawn_by="Ada")
        store.restore(["r-1"], restored_by="Ben")

    with AuditLog.open(database) as log:
        entries = [(entry.who, entry.what, entry.about) for entry in log.newest(2)]
    assert entries == [("Ben", "restore fact-check", "r-1"), ("Ada", "withdraw", "r-1")]


def test_claims_with_the_keys_of_an_earlier_lectern_are_found(tmp_path):
    database = f"sqlite:///{tmp_path / 'lectern.db'}"

    with ClaimStore.open(database) as store:
        store.upsert([replace(FARES, url=f"{PAGE}/amp/")], source="file")
    with sqlite3.connect(tmp_path / "lectern.db") as connection:
        connection.execute("UPDATE claims SET same_key = 'old'")
        connection.execute("DELETE FROM claim_keys")
        connection.execute("DELETE FROM lectern_settings WHERE name = 'claim_keys'")

    with ClaimStore.open(database) as store:
        report = store.upsert([replace(FARES, id="other")], source="more")

    assert (report.new, report.merged) == (0, 1)
