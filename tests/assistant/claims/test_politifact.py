"""PolitiFact's file: accepted only if its bytes are the known ones, and read column by column."""

from __future__ import annotations

import csv
import io
import subprocess
from datetime import date

import pytest

from assistant.claims import politifact
from assistant.claims.records import ImportReport
from assistant.core.domain import RatingClass
from assistant.core.errors import NetworkError

# The columns of the published file, with rows written here.
ROWS = [
    ["0", "The bridge “was built” in 1950.", "on Wednesday, October 30th, 2019",
     "http://politifact.com/truth-o-meter/statements/2019/oct/30/a-mayor/bridge/", "Pants on Fire!", "A mayor",
     "No, the bridge is older | PolitiFact Virgin", 'The mayor said "1950".\nRecords say 1931. \n\nWe rate it false.'],
    ["0", "On tolls.", "on Tuesday, March 3rd, 2015", "http://politifact.com/x/2015/mar/03/b/tolls/", "Full Flop",
     "A governor", "Tolls", "First against, then for."],
]  # fmt: skip


def packed(claim_rows) -> bytes:
    text = io.StringIO()
    csv.writer(text).writerows(claim_rows)
    return text.getvalue().encode()


def fetch(store, server, tmp_path, **options) -> ImportReport:
    blob = options.pop("blob", None) or git_blob(server.data, tmp_path)
    return politifact.fetch_politifact(
        store, url=server.url, blob=blob, folder=tmp_path / "cache", **options
    )


def git_blob(data: bytes, folder) -> str:
    """Return the blob id by git itself."""
    (folder / "blob").write_bytes(data)
    hash_output = subprocess.run(
        ["git", "hash-object", "--no-filters", folder / "blob"], capture_output=True, check=True
    )
    return hash_output.stdout.decode().strip()


def test_blob_id_is_gits(tmp_path):
    """The blob id is git's."""
    for data in (b"", b"hello\n", packed(ROWS)):
        expected = git_blob(data, tmp_path)
        assert politifact.blob_id(tmp_path / "blob") == expected


def test_the_known_file_is_imported(store, serve, tmp_path):
    """Every column becomes its field; the download is deleted."""
    report = fetch(store, serve(packed(ROWS)), tmp_path)

    bridge = store.search("A mayor")[0]
    assert ImportReport(new=2, source_claims=2) == report
    assert bridge.statement == "The bridge “was built” in 1950."
    assert bridge.title == "No, the bridge is older"
    assert bridge.rating == "Pants on Fire!"
    assert bridge.rating_class == RatingClass.FALSE
    assert date(2019, 10, 30) == bridge.review_date
    assert bridge.body == 'The mayor said "1950".\nRecords say 1931.\nWe rate it false.'
    assert bridge.publisher == "PolitiFact"
    assert ROWS[0][3] == bridge.url
    assert bridge.claim_date is None
    assert store.counts("rating_class") == {"FALSE": 1, "NOT-A-TRUTH-RATING": 1}
    assert store.status().sources == {"politifact": 2}
    assert list((tmp_path / "cache").iterdir()) == []


def test_fetching_again_changes_nothing(store, serve, tmp_path):
    """The second fetch finds every claim the same."""
    server = serve(packed(ROWS))
    fetch(store, server, tmp_path)

    assert ImportReport(same=2, source_claims=2) == fetch(store, server, tmp_path)


def test_another_file_is_thrown_away(store, serve, tmp_path):
    """A file with other bytes is deleted and not imported; the error has both ids."""
    server = serve(packed(ROWS))

    with pytest.raises(NetworkError, match=f"isn't the expected one .*{politifact.FILE_BLOB_ID}"):
        politifact.fetch_politifact(store, url=server.url, folder=tmp_path / "cache")

    assert store.status().claims == 0
    assert list((tmp_path / "cache").iterdir()) == []


def test_without_network(store, tmp_path):
    """Without network one clear line says what can be done."""
    with pytest.raises(NetworkError, match="cannot be reached"):
        politifact.fetch_politifact(store, url="http://127.0.0.1:9/x", folder=tmp_path)

    assert store.status().claims == 0


def test_bad_rows_are_refused_with_their_line(store, serve, tmp_path):
    """A row with missing columns or without a statement is refused with its line."""
    claim_rows = [ROWS[0], ["1", "cut"], [*ROWS[1][:1], "", *ROWS[1][2:]]]
    report = fetch(store, serve(packed(claim_rows)), tmp_path)

    assert report.new == 1
    assert report.refused == (
        "facts_with_articles.csv:5: 2 columns, expected 8.",
        "facts_with_articles.csv:6: the statement is empty.",
    )


def test_a_header_would_be_read(store, serve, tmp_path):
    """A header names the columns, in whatever order."""
    claim_rows = [
        ["claim", "speaker", "label"],
        ["The bridge was built in 1950.", "A mayor", "False"],
    ]
    fetch(store, serve(packed(claim_rows)), tmp_path)

    (vclaim,) = store.search("")
    assert vclaim.statement == "The bridge was built in 1950."
    assert vclaim.claimant == "A mayor"
    assert vclaim.rating == "False"
    assert vclaim.publisher == "PolitiFact"
