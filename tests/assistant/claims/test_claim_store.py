"""The claim store in SQLite and PostgreSQL.

Claims come back unchanged, none twice, no import by half.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import sqlalchemy
from hypothesis import example, given
from hypothesis import strategies as st

from assistant.claims import incoming, manual_entry
from assistant.claims.claim_store import BATCH_ROWS, ClaimStore
from assistant.claims.records import Attempt, AttributedClaim, ImportReport, LeftOutRow, RefusedRow
from assistant.core.domain import RatingClass, VerifiedClaim
from assistant.core.errors import Cancelled, StoreError

WALL = VerifiedClaim(
    id="c1",
    statement="The border wall is 700 miles long.",
    title="How long is the wall?",
    body="The claim is about the wall.\nRecords show 654 miles.",
    claimant="A senator",
    claim_date=date(2018, 6, 1),
    rating="Half True",
    rating_class=RatingClass.MIXTURE,
    review_date=date(2018, 6, 9),
    publisher="PolitiFact",
    url="https://www.politifact.com/factchecks/2018/jun/09/wall/",
    language="en",
)
TAX = replace(
    WALL,
    id="c2",
    statement="Taxes fell by 10 percent.",
    url="https://www.politifact.com/tax/",
    body="",
)


def test_every_field_comes_back(any_store):
    """Every field comes back as it was given."""
    any_store.upsert([WALL], source="test")

    assert any_store.get("c1") == WALL


@pytest.mark.parametrize(
    ("column", "value"), [("source", "feed"), ("attribution", "Feed"), ("licence", "CC BY 4.0")]
)
def test_the_origin_is_stored(any_store, column, value):
    """A claim of a data set is stored with its source, who published the set, and under which licence."""
    any_store.upsert(
        [AttributedClaim(WALL, attribution="Feed", licence="CC BY 4.0")], source="feed"
    )

    assert any_store.counts(column) == {value: 1}


def test_a_second_import_changes_nothing(any_store):
    """The same rows again are all the same, and so is the digest."""
    any_store.upsert([WALL, TAX], source="test")
    digest_before = any_store.digest()

    report = any_store.upsert([TAX, WALL], source="test")

    assert ImportReport(same=2) == report
    assert any_store.digest() == digest_before


def test_a_correction_updates(any_store):
    """The same id from the same source with another rating corrects the claim."""
    any_store.upsert([WALL], source="test")

    report = any_store.upsert(
        [replace(WALL, rating="False", rating_class=RatingClass.FALSE)], source="test"
    )

    assert ImportReport(changed=1) == report
    assert RatingClass.FALSE is any_store.get("c1").rating_class


def test_a_reworded_statement_updates(any_store):
    """The same id from the same source with another statement is not a second claim."""
    any_store.upsert([WALL], source="test")

    report = any_store.upsert(
        [replace(WALL, statement="The wall is 654 miles long.")], source="test"
    )

    assert report.changed == 1
    assert any_store.status().claims == 1


def test_an_empty_field_never_erases(any_store):
    """A feed without articles leaves the stored article."""
    any_store.upsert([WALL], source="test")

    any_store.upsert([replace(WALL, body="", title="")], source="test")

    assert any_store.get("c1") == WALL


@pytest.mark.parametrize(
    "url",
    [
        "http://politifact.com/factchecks/2018/jun/09/wall",
        "https://m.politifact.com/factchecks/2018/jun/09/wall/?utm_source=feed#ruling",
    ],
)
def test_one_page_and_statement_is_one_claim(any_store, url):
    """A row under another id merges if page and statement are the same, however they are written."""
    any_store.upsert([replace(WALL, body="")], source="feed")

    twin = replace(WALL, id="other", url=url, statement="the border wall is “700 miles” long")
    report = any_store.upsert([twin], source="archive")

    assert ImportReport(merged=1) == report
    assert any_store.get("c1").id == "c1"
    assert any_store.get("c1").body == WALL.body
    assert any_store.get("other") is None


def test_another_source_fills_gaps_only(any_store):
    """A merged row of another source changes nothing, unless its review is newer.

    Then its rating counts.
    """
    any_store.upsert([replace(WALL, title="")], source="first")

    newer = replace(
        WALL,
        id="x",
        title="Other",
        claimant="Nobody",
        rating="False",
        rating_class=RatingClass.FALSE,
    )
    any_store.upsert([replace(newer, review_date=date(2020, 1, 1))], source="second")

    stored_claim = any_store.get("c1")
    assert stored_claim.title == "Other"
    assert stored_claim.claimant == "A senator"
    assert stored_claim.rating == "False"
    assert stored_claim.rating_class == RatingClass.FALSE
    assert date(2020, 1, 1) == stored_claim.review_date


FORGED = replace(
    WALL,
    id="forged",
    url="http://politifact.com/factchecks/2018/jun/09/wall",
    publisher="Evil Times",
    title="The wall is endless",
    body="The moon is cheese, says science.",
    rating="True",
    rating_class=RatingClass.TRUE,
    review_date=date(2018, 7, 9),
)


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("source", ["test", "stranger"])
@pytest.mark.parametrize("claim_id", ["c1", "forged"])
@pytest.mark.parametrize("url", [FORGED.url, "https://evil.example/wall", ""])
def test_another_publisher_changes_nothing(any_store, source, claim_id, url):
    """Another publisher's row about the same page or with the same id stays a separate fact-check."""
    stored = replace(WALL, body="", title="")
    any_store.upsert([stored], source="test")

    report = any_store.upsert([replace(FORGED, id=claim_id, url=url)], source=source)

    assert stored == any_store.get("c1")
    assert ImportReport(new=1) == report


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("source", ["test", "stranger"])
def test_a_publisher_is_not_believed_on_another_site(any_store, source):
    """A row with a stored id and the publisher's name, but an address on another site, is a separate fact-check."""
    any_store.upsert([WALL], source="test")
    forged = replace(FORGED, id="c1", publisher="PolitiFact", url="https://evil.example/wall")

    report = any_store.upsert([forged], source=source)

    assert any_store.get("c1") == WALL
    assert ImportReport(new=1) == report


@pytest.mark.threat("publisher")
def test_a_row_without_a_publisher_changes_no_claim_of_a_publisher(any_store):
    """An unsigned row with a stored id and statement is a separate fact-check."""
    any_store.upsert([WALL], source="test")

    any_store.upsert([replace(FORGED, id="c1", publisher="", url="")], source="test")

    assert any_store.get("c1") == WALL


@pytest.mark.threat("publisher")
def test_publishers_of_one_import_stay_separate(any_store):
    """Rows of three publishers with one page, statement and id become three fact-checks, also when repeated."""
    reviews = [replace(WALL, publisher=name) for name in ("PolitiFact", "Evil Times", "Mirror")]

    first_report = any_store.upsert(reviews, source="feed")
    digest_before = any_store.digest()
    again = any_store.upsert(reviews, source="feed")

    assert first_report.new == 3
    assert again.new + again.changed == 0
    assert any_store.digest() == digest_before
    assert any_store.counts("publisher") == {"PolitiFact": 1, "Evil Times": 1, "Mirror": 1}


def test_another_publisher_is_updated_by_itself(any_store):
    """A later row of the second publisher of a page changes the fact-check of that publisher only."""
    any_store.upsert([WALL, FORGED], source="feed")

    any_store.upsert(
        [replace(FORGED, rating="False", rating_class=RatingClass.FALSE)], source="feed"
    )

    assert any_store.get("c1").rating == "Half True"
    assert any_store.get("forged").rating == "False"


@pytest.mark.parametrize("publisher", ["politifact", "PolitiFact.com", "PolitiFact Fact Check"])
def test_a_publisher_may_change_its_rating(any_store, publisher):
    """A later row of the same publisher from another source changes the rating, however its name is written."""
    any_store.upsert([WALL], source="test")

    any_store.upsert([replace(FORGED, publisher=publisher)], source="feed")

    assert any_store.get("c1").rating == "True"
    assert any_store.get("c1").review_date == date(2018, 7, 9)


def test_a_claim_without_a_publisher_takes_one(any_store):
    """A file that is imported again with a column for the publisher corrects its rows."""
    any_store.upsert([replace(WALL, publisher="", url="")], source="test")

    any_store.upsert([replace(WALL, url="")], source="test")

    assert any_store.get("c1").publisher == "PolitiFact"


def test_one_page_may_check_two_claims(any_store):
    """Two statements on one page are two claims."""
    any_store.upsert([WALL, replace(TAX, url=WALL.url)], source="test")

    assert any_store.status().claims == 2


def test_equal_statements_on_two_pages_stay_two(any_store):
    """The same words checked twice are two fact-checks."""
    any_store.upsert(
        [WALL, replace(WALL, id="c3", url="https://www.snopes.com/wall")], source="test"
    )

    assert any_store.status().claims == 2


def test_without_address_title_and_day_tell_pages_apart(any_store):
    """Equal statements without address are one claim only if title and day of the review are equal too."""
    here = replace(WALL, url="")
    any_store.upsert([here], source="test")

    twin = replace(here, id="twin")
    other_claim = replace(here, id="other", title="The wall again")
    report = any_store.upsert([twin, other_claim], source="more")

    assert report.merged == 1
    assert report.new == 1
    assert list(any_store.fingerprints()) == ["c1", "other"]


def test_two_claims_with_one_id(any_store):
    """Of two different claims with one id in an import the second is refused, with both statements named."""
    report = any_store.upsert([WALL, replace(TAX, id="c1")], source="test")

    assert report.new == 1
    assert len(report.refused) == 1
    assert "row 2" in report.refused[0]
    assert "two claims have the id 'c1'" in report.refused[0]
    assert any_store.get("c1") == WALL


def test_an_id_that_another_source_has_taken(any_store):
    """Files that both number their rows from 1 do not overwrite each other."""
    any_store.upsert([replace(WALL, id="1")], source="a.csv")

    first_report = any_store.upsert([replace(TAX, id="1")], source="b.csv")
    again = any_store.upsert([replace(TAX, id="1")], source="b.csv")

    assert ImportReport(new=1) == first_report
    assert again.same + again.merged == 1
    assert any_store.get("1").statement == WALL.statement
    assert any_store.get("b.csv:1").statement == TAX.statement


def test_a_repeated_import_with_twins_settles(any_store):
    """A file that has one claim under two ids gives the same database every time."""
    imported_claims = [WALL, replace(WALL, id="twin", rating="False"), TAX]
    any_store.upsert(imported_claims, source="test")
    digest_before = any_store.digest()

    report = any_store.upsert(imported_claims, source="test")

    assert report.same == 2
    assert report.merged == 1
    assert report.changed == 0
    assert any_store.digest() == digest_before


def test_refused_and_left_out_rows_are_reported(any_store):
    """A refusal keeps its place and reason; rows left out are counted by reason.

    Neither is stored.
    """
    report = any_store.upsert(
        [RefusedRow("f:3", "no statement."), LeftOutRow("language fr"), WALL], source="test"
    )

    assert report.refused == ("f:3: no statement.",)
    assert report.left_out == {"language fr": 1}
    assert report.new == 1


def test_unknown_ratings_are_counted_and_logged(any_store, caplog):
    """A label that is not in the table is reported and logged, with its count."""
    odd = replace(WALL, rating="Wobbly", rating_class=RatingClass.OTHER)

    report = any_store.upsert([odd, replace(TAX, rating="Wobbly")], source="test")

    assert report.unknown_ratings == {"Wobbly": 2}
    assert "labels missing from ratings.toml, counted as OTHER: Wobbly (2)" in caplog.text


def test_fingerprints_are_in_the_order_of_ids(any_store):
    """Claims come in one order in every database, whatever order they were stored in."""
    claims = [replace(TAX, id=i, url=f"https://x.org/{i}") for i in ("b", "A", "a-2", "a-10", "é")]
    any_store.upsert(claims, source="test")

    assert list(any_store.fingerprints()) == ["A", "a-10", "a-2", "b", "é"]


def test_many_keeps_the_order_asked_for(any_store):
    """Claims come back in the order of the given ids; unknown ids are missing."""
    any_store.upsert([WALL, TAX], source="test")

    assert list(any_store.many(["c2", "nobody", "c1"])) == ["c2", "c1"]


def test_fingerprints_change_with_any_field(any_store):
    """A changed claim has another digest, an untouched one the same."""
    any_store.upsert([WALL, TAX], source="test")
    fingerprints_before = any_store.fingerprints()

    any_store.upsert([replace(WALL, title="A new title")], source="test")
    fingerprints_after = any_store.fingerprints()

    assert list(fingerprints_after) == ["c1", "c2"]
    assert fingerprints_after["c2"] == fingerprints_before["c2"]
    assert fingerprints_before["c1"] != fingerprints_after["c1"]


def test_the_digest_is_the_same_in_every_database(any_store, tmp_path):
    """The same claims have the same digest in SQLite and in PostgreSQL."""
    claims = [replace(TAX, id=i, url=f"https://x.org/{i}") for i in ("b", "A", "a-2", "a-10", "é")]
    any_store.upsert(claims, source="test")
    with ClaimStore.open(f"sqlite:///{tmp_path / 'other.db'}") as other_store:
        other_store.upsert(reversed(claims), source="test")

        assert other_store.digest() == any_store.digest()


def test_the_digest_knows_no_order(tmp_path):
    """Two databases with the same claims have the same digest, whatever order they came in."""
    digests = set()
    for name, claims in (("a", [WALL, TAX]), ("b", [TAX, WALL])):
        with ClaimStore.open(f"sqlite:///{tmp_path / name}.db") as store:
            store.upsert(claims, source=name)
            digests.add(store.digest())

    assert len(digests) == 1


def test_status(any_store):
    """The status counts claims, publishers and articles, and has the day of the newest review."""
    any_store.upsert(
        [WALL, replace(TAX, publisher="Snopes", review_date=date(2021, 1, 2))], source="test"
    )
    any_store.upsert(
        [replace(TAX, id="d", url="", language="de", review_date=None)], source="samples"
    )

    status = any_store.status()

    assert status.claims == 3
    assert status.publishers == 2
    assert status.with_body == 1
    assert status.newest_review_date == date(2021, 1, 2)
    assert any_store.counts("language") == {"en": 2, "de": 1}
    assert status.sources == {"test": 2, "samples": 1}
    assert status.samples == 1
    assert status.only_samples is False
    assert any_store.digest() == status.digest


def test_status_of_samples_alone(any_store):
    """A database with nothing but samples is recognised; an empty one is not taken for one."""
    assert any_store.status().claims == 0
    assert any_store.status().only_samples is False
    assert any_store.status().newest_review_date is None
    any_store.upsert([WALL], source="samples")

    assert any_store.status().only_samples


def test_newsroom_notes_are_counted_apart(any_store):
    """Their author isn't a publisher, and samples beside notes still are the only fact-checks."""
    any_store.upsert([WALL], source="samples")
    any_store.upsert([manual_entry.from_note("The bridge cost $400 million.")], source="own notes")

    status = any_store.status()

    assert (status.fact_checks, status.publishers, status.notes) == (1, 1, 1)
    assert status.only_samples


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("border wall", ["c1"]),
        ("WALL bord", ["c1"]),
        ("wall order", []),
        ("100%", []),
        ("10 percent", ["c2"]),
        ("senator taxes", ["c2"]),
        ("_", ["c1", "c2"]),
        ("", ["c1", "c2"]),
    ],
)
def test_search(any_store, text, expected):
    """Search finds the statements that have words beginning with every word of the text, in any order."""
    any_store.upsert([WALL, TAX], source="test")

    assert [vclaim.id for vclaim in any_store.search(text)] == expected


def test_search_puts_phrases_first_then_new_reviews(any_store):
    """The words as a phrase come before the words apart, and a newer review before an older one."""
    apart = replace(
        WALL,
        id="apart",
        statement="The wall on the border is long.",
        url="u1",
        review_date=date(2020, 1, 1),
    )
    newer = replace(WALL, id="newer", url="u2", review_date=date(2019, 1, 1))
    any_store.upsert([WALL, apart, newer], source="test")

    assert [v.id for v in any_store.search("border wall")] == ["newer", "c1", "apart"]
    assert [v.id for v in any_store.search("border wall", limit=1, offset=1)] == ["c1"]


def test_more_than_a_batch(any_store):
    """Imports longer than a batch are complete, and the same when repeated."""
    claims = [
        replace(TAX, id=f"{i:05}", url=f"https://x.org/{i}") for i in range(2 * BATCH_ROWS + 7)
    ]

    first_report = any_store.upsert(claims, source="test")
    again = any_store.upsert(claims, source="test")

    assert len(claims) == first_report.new
    assert len(claims) == again.same
    assert len(claims) == len(any_store.many(v.id for v in claims))


def test_odd_text_is_stored_unchanged(any_store):
    """Quotes, percent signs, other scripts and emoji are text like any other."""
    odd = replace(WALL, statement="100% “wahr”; DROP TABLE claims; --' 🤥 % _ \\ वीडियो")
    any_store.upsert([odd], source="test")

    assert any_store.get("c1") == odd
    assert [v.id for v in any_store.search("वीडियो")] == ["c1"]


def test_an_import_that_raises_leaves_nothing(any_store):
    """A reader that fails after a thousand rows leaves the database as it was."""
    any_store.upsert([WALL], source="test")

    def failing():
        for i in range(1_000):
            yield replace(TAX, id=str(i), url=f"https://x.org/{i}")
        raise OSError("the disk was pulled out")

    with pytest.raises(OSError, match="pulled out"):
        any_store.upsert(failing(), source="test")

    assert list(any_store.fingerprints()) == ["c1"]


def test_a_cancelled_import_leaves_nothing(any_store):
    """Progress may cancel an import; nothing of it is stored."""

    def cancel(stage, done, total):
        raise Cancelled("stopped.")

    with pytest.raises(Cancelled):
        any_store.upsert([WALL], source="test", progress=cancel)

    assert any_store.status().claims == 0


def test_a_killed_import_leaves_nothing(tmp_path):
    """A process that is killed in the middle of an import leaves the database as it was, and not locked."""
    url = f"sqlite:///{tmp_path / 'claims.db'}"
    with ClaimStore.open(url) as store:
        store.upsert([WALL], source="test")
    script = f"""
        import sys, time
        from assistant.claims.claim_store import ClaimStore
        from assistant.core.domain import VerifiedClaim
        def rows():
            for i in range(20_000):
                if i == 5_000:
                    print("half", flush=True)
                    time.sleep(60)
                yield VerifiedClaim(id=str(i), statement=f"statement {{i}}")
        ClaimStore.open({url!r}).upsert(rows(), source="killed")
    """
    root = Path(__file__).parents[3]
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)], stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert child.stdout.readline() == "half\n"
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()

    with ClaimStore.open(url) as store:
        assert list(store.fingerprints()) == ["c1"]
        assert store.upsert([TAX], source="test").new == 1


def test_a_full_disk(tmp_path):
    """A database that cannot grow gives one line that says so, and nothing of the import is stored."""
    with ClaimStore.open(f"sqlite:///{tmp_path / 'claims.db'}") as store:
        store.upsert([WALL], source="test")
        with store._engine.connect() as connection:
            limit = connection.exec_driver_sql("PRAGMA page_count").scalar() + 3
        sqlalchemy.event.listen(
            store._engine,
            "begin",
            lambda c: c.exec_driver_sql(f"PRAGMA max_page_count={limit}"),
            insert=True,
        )
        claims = [
            replace(TAX, id=str(i), url=f"https://x.org/{i}", body="x" * 5_000) for i in range(100)
        ]
        with pytest.raises(StoreError, match="disk is full. Nothing was stored") as raised:
            store.upsert(claims, source="test")

        assert "\n" not in str(raised.value)
        assert list(store.fingerprints()) == ["c1"]


def test_a_read_only_database(tmp_path):
    """A database that cannot be written can be read; writing gives one line."""
    path = tmp_path / "claims.db"
    with ClaimStore.open(f"sqlite:///{path}") as store:
        store.upsert([WALL], source="test")
    with ClaimStore.open(f"sqlite:///file:{path}?mode=ro&uri=true") as store:
        assert store.get("c1") == WALL
        with pytest.raises(
            StoreError, match="cannot be written: no permission, or a read-only folder"
        ) as raised:
            store.upsert([TAX], source="test")

    assert "\n" not in str(raised.value)
    assert "LECTERN_HOME" in str(raised.value)


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder(tmp_path):
    """A home folder that cannot be written gives one line that names it."""
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="LECTERN_HOME"):
        ClaimStore.open(f"sqlite:///{tmp_path / 'home' / 'claims.db'}")


@pytest.mark.threat("operator")
def test_a_file_where_the_folder_should_be(tmp_path):
    """A home that cannot be made gives one line that names it."""
    (tmp_path / "home").write_text("a file")

    with pytest.raises(StoreError, match="LECTERN_HOME"):
        ClaimStore.open(f"sqlite:///{tmp_path / 'home' / 'lectern' / 'claims.db'}")


@pytest.mark.threat("operator")
def test_a_file_that_is_no_database(tmp_path):
    """Another file in the database's place is named and unchanged."""
    path = tmp_path / "claims.db"
    path.write_bytes(b"my holiday pictures, " * 200)

    with pytest.raises(StoreError, match="isn't a Lectern database"):
        ClaimStore.open(f"sqlite:///{path}")
    assert path.read_bytes().startswith(b"my holiday")


def test_a_database_of_a_newer_lectern(tmp_path):
    """A database made by a later version is refused rather than misread."""
    path = tmp_path / "claims.db"
    ClaimStore.open(f"sqlite:///{path}").close()
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE lectern_settings SET value = '999' WHERE name = 'schema'")

    with pytest.raises(StoreError, match="newer Lectern"):
        ClaimStore.open(f"sqlite:///{path}")


@pytest.mark.parametrize("url", ["nonsense", "mysql://nobody@localhost/x", "oracle9://x"])
def test_a_url_that_is_none(url):
    """A URL of no known database gives one line with the right form."""
    with pytest.raises(StoreError, match="sqlite:///FILE"):
        ClaimStore.open(url)


def test_a_server_that_is_not_there():
    """A PostgreSQL server that does not answer gives one line, and never the password."""
    with pytest.raises(StoreError, match="cannot be reached") as raised:
        ClaimStore.open("postgresql+psycopg://me:secret@127.0.0.1:1/claims")

    assert "secret" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_two_openings_at_once(tmp_path):
    """A reader sees the claims as they were while another connection imports."""
    url = f"sqlite:///{tmp_path / 'claims.db'}"
    with ClaimStore.open(url) as reader, ClaimStore.open(url) as writer:
        writer.upsert([WALL], source="test")
        seen_ids = []

        def rows():
            yield TAX
            seen_ids.extend(reader.fingerprints())

        writer.upsert(rows(), source="test")
        assert seen_ids == ["c1"]
        assert list(reader.fingerprints()) == ["c1", "c2"]


FETCHED = Attempt(
    "fetched",
    "20 characters",
    datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
    0,
    source_url="https://t.org/tax",
)
FAILED = Attempt("slow", "took longer than 30 seconds", datetime(2026, 11, 21, tzinfo=UTC), 1)


def test_a_fetched_article_is_the_claims_article(any_store):
    """It is read, counted and searched as if it had come with the claim, and has its date and source."""
    any_store.upsert([WALL, TAX], source="test")
    fingerprints_before = any_store.fingerprints()

    any_store.note_attempt(TAX.url, FETCHED, "The taxes rose.\nBy 2 percent.")

    assert any_store.get("c2").body == "The taxes rose.\nBy 2 percent."
    assert any_store.get("c2") in any_store.search("taxes")
    assert any_store.status().with_body == 2
    assert any_store.status().fetched == 1
    assert replace(FETCHED, fetched_at=FETCHED.asked_at) == any_store.attempt("c2")
    assert [
        i for i, mark in any_store.fingerprints().items() if mark != fingerprints_before[i]
    ] == ["c2"]


def test_imported_and_fetched_articles_never_overwrite_each_other(any_store):
    """The one that came with the claim is read, whichever came first."""
    any_store.upsert([TAX], source="test")
    any_store.note_attempt(TAX.url, FETCHED, "Fetched.")
    any_store.upsert([replace(TAX, body="Imported.")], source="test")

    assert any_store.get("c2").body == "Imported."
    assert any_store.attempt("c2") is None

    any_store.note_attempt(TAX.url, FETCHED, "Fetched anew.")
    any_store.upsert([replace(TAX, title="A title")], source="test")

    assert any_store.get("c2").body == "Imported."


def test_an_import_without_article_leaves_the_fetched_one(any_store):
    """A repeated feed with another rating is merged with the imported claim, and the fetched article stays."""
    any_store.upsert([TAX], source="test")
    any_store.note_attempt(TAX.url, FETCHED, "Fetched.")

    any_store.upsert([replace(TAX, rating="False")], source="test")
    again = any_store.upsert([replace(TAX, rating="False")], source="test")

    assert again.same == 1
    assert any_store.get("c2").body == "Fetched."
    assert any_store.get("c2").rating == "False"


def test_an_article_once_fetched_outlives_a_failure(any_store):
    """After a failed attempt the article stays, and the failure is stored."""
    any_store.upsert([TAX], source="test")
    any_store.note_attempt(TAX.url, FETCHED, "Fetched.")
    any_store.note_attempt(TAX.url, FAILED)

    assert any_store.get("c2").body == "Fetched."
    assert (
        *(
            any_store.attempt("c2").outcome,
            any_store.attempt("c2").tries,
            any_store.attempt("c2").fetched_at,
        ),
    ) == ("slow", 1, FETCHED.asked_at)


def test_claims_of_one_page_share_its_article(any_store):
    """An address is asked once for all of them."""
    any_store.upsert([TAX, replace(TAX, id="c3", statement="Rents fell, too.")], source="test")
    any_store.note_attempt(TAX.url, FETCHED, "Fetched.")

    assert [any_store.get(i).body for i in ("c2", "c3")] == ["Fetched.", "Fetched."]


def test_claims_without_an_article_are_listed(any_store):
    """Claims with an address that came without an article, the newest reviews first."""
    older = replace(
        TAX, id="c0", statement="Old.", url="https://x.org/old", review_date=date(2010, 1, 1)
    )
    other_claim = replace(
        TAX, id="c4", statement="Other.", url="https://y.org/", publisher="Y", review_date=None
    )
    any_store.upsert(
        [WALL, TAX, older, other_claim, replace(TAX, id="c5", statement="Nowhere.", url="")],
        source="test",
    )
    any_store.note_attempt(TAX.url, FAILED)

    assert [claim.id for claim in any_store.without_article()] == ["c2", "c0", "c4"]
    assert [claim.attempt for claim in any_store.without_article()] == [FAILED, None, None]
    assert [claim.id for claim in any_store.without_article(publisher="Y")] == ["c4"]
    assert [claim.id for claim in any_store.without_article(["c0", "c1", "none"])] == ["c0"]


def test_a_database_of_an_earlier_lectern(tmp_path):
    """A database from before articles could be fetched is brought up to date.

    Its claims are unchanged.
    """
    path = tmp_path / "claims.db"
    with ClaimStore.open(f"sqlite:///{path}") as store:
        store.upsert([WALL, TAX], source="test")
        marks = store.fingerprints()
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE articles")
        connection.execute("UPDATE lectern_settings SET value = '1' WHERE name = 'schema'")

    with ClaimStore.open(f"sqlite:///{path}") as store:
        assert store.fingerprints() == marks
        assert store.get("c1") == WALL
        store.note_attempt(TAX.url, FETCHED, "Fetched.")
    with ClaimStore.open(f"sqlite:///{path}") as store:
        assert store.get("c2").body == "Fetched."


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
vclaims = st.builds(
    VerifiedClaim,
    id=st.sampled_from("abcde"),
    statement=st.sampled_from(["one", "two", "three"]),
    title=texts,
    rating=st.sampled_from(["", "False", "True"]),
    url=st.sampled_from(["", "https://x.org/1", "https://x.org/2"]),
    review_date=st.sampled_from([None, date(2019, 1, 1), date(2020, 1, 1)]),
)


def test_a_database_in_memory_has_the_name_that_sqlite_gives_it():
    with ClaimStore.open("sqlite://") as store:
        assert store.name == ":memory:"


@given(st.lists(vclaims, max_size=8))
@example(
    [
        VerifiedClaim(id="a", statement="one"),
        VerifiedClaim(id="b", statement="two", url="https://x.org/2", review_date=date(2019, 1, 1)),
        VerifiedClaim(id="a", statement="one", rating="False", url="https://x.org/2"),
        VerifiedClaim(id="b", statement="one", url="https://x.org/2", review_date=date(2020, 1, 1)),
    ]
)
@example(
    # The merged claim has a key that no single row has.
    [
        VerifiedClaim(id="a", statement="one"),
        VerifiedClaim(id="a", statement="two", title="0", url="https://x.org/1"),
        VerifiedClaim(id="b", statement="two", url="https://x.org/1", review_date=date(2019, 1, 1)),
        VerifiedClaim(id="a", statement="two", rating="False", url="https://x.org/1"),
    ]
)
@example(
    # Another id brings the date of the second row, so that the third seems to be a later review.
    [
        VerifiedClaim(id="a", statement="one"),
        VerifiedClaim(id="b", statement="two", url="https://x.org/1"),
        VerifiedClaim(id="b", statement="one", url="https://x.org/1", review_date=date(2020, 1, 1)),
        VerifiedClaim(id="a", statement="two", url="https://x.org/1", review_date=date(2019, 1, 1)),
    ]
)
@example(
    # Rows reuse the ids of other statements; a rating comes from an older review of the page.
    [
        VerifiedClaim(id="a", statement="one"),
        VerifiedClaim(id="b", statement="one", url="https://x.org/1", review_date=date(2019, 1, 1)),
        VerifiedClaim(
            id="a",
            statement="two",
            rating="False",
            url="https://x.org/1",
            review_date=date(2019, 1, 1),
        ),
        VerifiedClaim(id="b", statement="two", url="https://x.org/1", review_date=date(2020, 1, 1)),
    ]
)
def test_importing_again_changes_nothing(tmp_path_factory, rows):
    """Whatever the rows, a second import adds nothing, and a third leaves the database as it is."""
    folder = tmp_path_factory.mktemp("claims")
    with ClaimStore.open(f"sqlite:///{folder / 'lectern.db'}") as store:
        first_report = store.upsert(rows, source="test")
        again = store.upsert(rows, source="test")
        settled = store.digest()
        store.upsert(rows, source="test")

        assert (
            len(rows)
            == first_report.new
            + first_report.changed
            + first_report.same
            + first_report.merged
            + len(first_report.refused)
        )
        assert store.status().claims == first_report.new
        assert store.digest() == settled
        assert again.new == 0


@pytest.mark.threat("operator")
@pytest.mark.parametrize(
    "url",
    [
        "postgres://me:geheim@host/claims",
        "postgresql+psycopg://me:geheim/claims",
        "me:geheim@host/claims",
        "postgresql+psycopg://me:ge@heim@127.0.0.1:1/claims",
        "postgresql+psycopg://127.0.0.1:1/claims?password=geheim",
    ],
)
def test_a_mistyped_address_never_shows_its_password(url):
    """Neither the message nor what caused it has a part of the password."""
    with pytest.raises(StoreError) as raised:
        ClaimStore.open(url)

    assert "heim" not in str(raised.value)
    assert raised.value.__suppress_context__ or "heim" not in repr(raised.value.__cause__)


MANY = [
    replace(WALL, id=f"m{i}", statement=f"The wall is {i} miles long.")
    for i in range(BATCH_ROWS + 1)
]


def test_others_write_while_rows_are_read_and_stored(tmp_path):
    """A second connection, which waits for nobody, writes at every step of an import."""
    url = f"sqlite:///{tmp_path / 'claims.db'}"
    with (
        ClaimStore.open(url) as importing,
        sqlite3.connect(tmp_path / "claims.db", timeout=0) as other_connection,
    ):
        other_connection.execute("CREATE TABLE live (line TEXT)")

        def write(*_):
            other_connection.execute("INSERT INTO live VALUES ('a line')")
            other_connection.commit()

        def rows():
            for vclaim in MANY:
                write()
                yield vclaim

        report = importing.upsert(rows(), source="test", progress=write)

    assert len(MANY) == report.new


def test_an_import_that_was_killed_once_read_is_finished(any_store, monkeypatch):
    """What a process had read to its end and not yet stored, the next one stores."""
    monkeypatch.setattr(ClaimStore, "_publish_parts", lambda *_: None)  # the process ends here
    any_store.upsert(MANY, source="test")
    assert any_store.status().claims == 0
    monkeypatch.undo()
    incoming._active_import_ids.clear()

    any_store.upsert([TAX], source="test")

    assert any_store.status().claims == len(MANY) + 1


@pytest.fixture
def full_once_read(tmp_path):
    """The URL of a database that cannot grow once the rows of an import are read."""
    url = f"sqlite:///{tmp_path / 'claims.db'}"
    with ClaimStore.open(url) as store:
        store.upsert([TAX], source="test")
    with pytest.MonkeyPatch.context() as patched:

        def refuse(*_):
            error = sqlite3.OperationalError("database or disk is full")
            raise sqlalchemy.exc.OperationalError("INSERT", {}, error)

        patched.setattr(ClaimStore, "_write_claims", refuse)
        yield url, patched


def test_a_disk_that_is_full_once_the_rows_are_read_is_told_as_it_is(full_once_read):
    """The rows will be stored, so the error doesn't say that nothing was."""
    url, patched = full_once_read

    with ClaimStore.open(url) as store, pytest.raises(StoreError) as raised:
        store.upsert(MANY, source="test")

    assert "the disk is full. All rows were read. Lectern finishes" in str(raised.value)
    assert "Nothing was stored" not in str(raised.value)
    patched.undo()
    with ClaimStore.open(url) as store:
        assert store.status().claims == len(MANY) + 1


def test_a_database_with_an_unfinished_import_can_be_read(full_once_read, caplog):
    """Opening it goes on with the import; if the disk is still full, only the log says so."""
    url, _ = full_once_read
    with ClaimStore.open(url) as store, pytest.raises(StoreError):
        store.upsert(MANY, source="test")

    with ClaimStore.open(url) as store:
        assert store.status().claims == 1

    assert "the disk is full. An earlier import isn't finished or cleared yet." in caplog.text


def test_a_refused_list_of_missing_claims_does_not_deny_the_import(any_store, monkeypatch):
    """The rows are stored before Lectern looks which ones the source lacks."""

    def refuse(*_):
        raise StoreError("the disk is full. Nothing was stored.")

    monkeypatch.setattr(ClaimStore, "_finished_report", refuse)

    with pytest.raises(StoreError, match=r"disk is full\. All rows are stored"):
        any_store.upsert([TAX], source="test", whole_source=True)

    assert any_store.status().claims == 1


def test_an_import_that_was_killed_while_it_was_read_is_dropped(any_store, monkeypatch):
    """What was not read to its end is not stored, and leaves nothing behind."""

    def rows():
        yield from MANY
        raise KeyboardInterrupt

    monkeypatch.setattr(
        incoming, "forget_import", lambda *_: None
    )  # the process has no time to tidy up
    with pytest.raises(KeyboardInterrupt):
        any_store.upsert(rows(), source="test")
    monkeypatch.undo()
    incoming._active_import_ids.clear()

    any_store.upsert([TAX], source="test")

    assert any_store.status().claims == 1
    with any_store._reading() as connection:
        assert incoming.ended_imports(connection) == []


def test_nobody_stops_an_import_that_is_read(any_store):
    """Once its rows are read, it is stored whole."""

    def stop_late(stage, done, total):
        if stage == "storing fact-checks":
            raise Cancelled("stopped.")

    any_store.upsert(MANY, source="test", progress=stop_late)

    assert any_store.status().claims == len(MANY)


@pytest.mark.threat("publisher")
def test_a_very_long_article_is_shortened_and_reported(any_store):
    """The first 400,000 characters are kept, and the report of the import says so."""
    body = "The Sahara is the largest desert. " * 30_000

    report = any_store.upsert([replace(WALL, body=body)], source="test")

    assert any_store.get("c1").body == body[:400_000]
    assert report.shortened == (
        "c1: the article has 1,020,000 characters. The first 400,000 were kept.",
    )


def test_an_article_at_the_limit_is_kept_whole(any_store):
    """Nothing is cut or reported up to 400,000 characters."""
    body = "x" * 400_000

    report = any_store.upsert([AttributedClaim(replace(WALL, body=body), "Feed")], source="test")

    assert any_store.get("c1").body == body
    assert report.shortened == ()


def test_a_shortened_article_keeps_its_attribution(any_store):
    """A row of a data set with a very long article is still stored with the publisher of the set."""
    claim = AttributedClaim(replace(WALL, body="x" * 400_001), attribution="Feed")

    any_store.upsert([claim], source="feed")

    assert any_store.counts("attribution") == {"Feed": 1}


def test_a_very_long_article_that_is_imported_again_changes_nothing(any_store):
    """The digest of a shortened claim is the same at every import."""
    claim = replace(WALL, body="x" * 400_001)
    any_store.upsert([claim], source="test")

    report = any_store.upsert([claim], source="test")

    assert report.same == 1
