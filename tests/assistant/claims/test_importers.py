"""Files of fact-checks in every accepted shape, and the errors of other files."""

from __future__ import annotations

import csv
import gzip
import json
import os
import zipfile
from pathlib import Path

import pytest

from assistant.claims import importers
from assistant.claims.claim_store import ClaimStore
from assistant.claims.records import RefusedRow
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import ClaimError

ROWS = [
    {
        "id": "a",
        "statement": "The bridge was built in 1950.",
        "rating": "False",
        "review_date": "2020-01-02",
    },
    {
        "id": "b",
        "statement": "Taxes fell by 10 percent.",
        "rating": "True",
        "review_date": "2020-01-03",
    },
]
REVIEW = {
    "@type": "ClaimReview",
    "claimReviewed": ROWS[0]["statement"],
    "reviewRating": {"alternateName": "False"},
}


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def statements(path: Path, **options) -> list[str]:
    return [
        claim.statement
        for claim in importers.read_claims(path, **options)
        if isinstance(claim, VerifiedClaim)
    ]


def refusals(path: Path, **options) -> list[str]:
    return [
        str(item) for item in importers.read_claims(path, **options) if isinstance(item, RefusedRow)
    ]


LINES = "\n".join(json.dumps(row) for row in ROWS)
BOTH = [row["statement"] for row in ROWS]


@pytest.mark.parametrize(
    "data",
    [
        LINES,
        LINES + "\n\n\n",
        LINES.replace("\n", "\r\n"),
        "\n \n" + LINES,
        b"\xef\xbb\xbf" + LINES.encode(),
        gzip.compress(LINES.encode()),
        json.dumps(ROWS),
        json.dumps(ROWS, indent=2),
        b"\xef\xbb\xbf" + json.dumps(ROWS, indent=2).encode(),
        gzip.compress(json.dumps(ROWS).encode()),
        "statement,rating\r\n" + "\r\n".join(f"{r['statement']},{r['rating']}" for r in ROWS),
        "rating;statement\n" + "\n".join(f"{r['rating']};{r['statement']}" for r in ROWS),
        "id\tclaim\n" + "\n".join(f"{r['id']}\t{r['statement']}" for r in ROWS) + "\n",
        b"\xef\xbb\xbfClaim Text,Verdict\n" + "\n".join(f'"{r["statement"]}",{r["rating"]}' for r in ROWS).encode(),
        gzip.compress(("statement\n" + "\n".join(BOTH)).encode()),
    ],
    ids=["jsonl", "blank lines", "crlf", "blank lines first", "bom", "jsonl.gz", "array", "indented", "array bom", "array gz", "csv",
         "semicolons", "tsv", "names", "csv.gz"],
)  # fmt: skip
def test_shapes(tmp_path, data):
    """The same two rows come out of every shape, whatever the file's name."""
    assert statements(write(tmp_path / "file.bin", data)) == BOTH


@pytest.mark.parametrize(
    "data",
    [
        json.dumps(REVIEW),
        json.dumps(REVIEW, indent=1),
        json.dumps([REVIEW]),
        json.dumps({"@graph": [REVIEW]}),
        json.dumps(
            {"@type": "DataFeed", "dataFeedElement": [{"@type": "DataFeedItem", "item": [REVIEW]}]}
        ),
        json.dumps({"@type": "DataFeed", "dataFeedElement": [{"item": REVIEW}]}, indent=1),
        f'<html><script type="application/ld+json">{json.dumps(REVIEW)}</script></html>',
        f'\n<!doctype html><script type="application/ld+json">{json.dumps([REVIEW])}</script>',
    ],
    ids=["line", "object", "list", "graph", "feed", "feed indented", "page", "page list"],
)
def test_claim_review_shapes(tmp_path, data):
    """ClaimReview is recognised in JSON-LD and in pages."""
    assert statements(write(tmp_path / "file", data)) == BOTH[:1]


def test_long_first_line_does_not_make_the_file_one_value(tmp_path):
    """Lines are read one by one, however long the first is: a whole file may not fit in memory."""
    long_row = {"statement": BOTH[0], "article": "Ann Hale said so. " * 20_000}
    lines = json.dumps(long_row) + "\n{broken\n" + json.dumps({"statement": BOTH[1]})
    path = write(tmp_path / "x.jsonl", lines)

    assert statements(path) == BOTH
    assert refusals(path)[0].startswith("x.jsonl:2: not a JSON object")


def test_a_line_of_claim_review_each(tmp_path):
    """The research data set has one ClaimReview a line."""
    other_review = {**REVIEW, "claimReviewed": BOTH[1]}

    assert (
        statements(write(tmp_path / "x.txt", json.dumps(REVIEW) + "\n" + json.dumps(other_review)))
        == BOTH
    )


def test_checkthat_folder(tmp_path):
    """A folder of JSON files, one claim a file, is read in the order of names.

    A broken file is refused by name.
    """
    for i, fields in enumerate(ROWS):
        claim = {
            "vclaim_id": f"vclaim-pol-{i:05}",
            "vclaim": fields["statement"],
            "title": "t",
            "truth_label": "false",
        }
        write(tmp_path / f"vclaim-pol-{i:05}.json", json.dumps(claim, indent=2))
    write(tmp_path / "vclaim-pol-00002.json", "{broken")
    write(tmp_path / "README.md", "not this")

    assert statements(tmp_path) == BOTH
    (refusal,) = refusals(tmp_path)
    assert refusal.startswith("vclaim-pol-00002.json: ")


def test_a_column_map(tmp_path):
    """Columns of any name are read through a map."""
    path = write(tmp_path / "t.csv", "Behauptung,Urteil,Datum\nTaxes fell.,falsch,30.10.2019\n")

    (vclaim,) = importers.read_claims(
        path, columns={"statement": "Behauptung", "rating": "Urteil", "review_date": "Datum"}
    )

    assert vclaim.statement == "Taxes fell."
    assert vclaim.rating == "falsch"
    assert vclaim.rating_class == "FALSE"
    assert str(vclaim.review_date) == "2019-10-30"


def test_cells_over_several_lines(tmp_path):
    """An article with line breaks, quotes and delimiters in a cell stays one cell."""
    body = 'One, "two"\nthree;\n\nfour'
    with (tmp_path / "t.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["statement", "article"], ["Taxes fell.", body]])

    (vclaim,) = importers.read_claims(tmp_path / "t.csv")

    assert vclaim.body == 'One, "two"\nthree;\nfour'


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (LINES + "\n{broken\n", "f.jsonl:3: not a JSON object"),
        (LINES + "\n[1, 2]\n", "f.jsonl:3: expected an object with fields, found int"),
        (LINES + '\n{"title": "x"}\n', "f.jsonl:3: the statement is empty."),
        (
            LINES + '\n{"statement": "x", "rating_class": "MAYBE"}\n',
            "f.jsonl:3: rating_class is 'MAYBE'",
        ),
        (LINES.encode() + b'\n{"statement": "\xff"}\n', "f.jsonl:3: not a JSON object"),
        (
            "[" + ",".join(json.dumps(r) for r in ROWS) + ', {"title": 1}]',
            "f.jsonl, item 3: the statement is empty.",
        ),
        (
            "[" + ",".join(json.dumps(r) for r in ROWS) + ', {"stat',
            "f.jsonl, item 3: the JSON is broken from here on",
        ),
        (
            "id,statement\na," + BOTH[0] + "\nb," + BOTH[1] + "\nc,\n",
            "f.jsonl:4: the statement is empty.",
        ),
        (LINES + "\n" + json.dumps({"@type": "ClaimReview"}), "f.jsonl:3: the statement is empty."),
        (LINES + "\n" + json.dumps({"@type": "NewsArticle"}), "f.jsonl:3: no ClaimReview in it."),
    ],
)
def test_refused_rows_say_where_and_why(tmp_path, data, expected):
    """A bad row is refused with line and reason, and the others are read."""
    path = write(tmp_path / "f.jsonl", data)

    assert statements(path) == BOTH
    assert any(refusal.startswith(expected) for refusal in refusals(path)), refusals(path)


def test_two_claims_with_one_id(tmp_path):
    """The second claim under an id of the same file is refused with its line.

    An exact repeat is not.
    """
    clash = json.dumps({"id": "a", "statement": "Something else."})
    path = write(tmp_path / "f.jsonl", "\n".join([LINES, clash, json.dumps(ROWS[0])]))

    assert statements(path) == [*BOTH, BOTH[0]]
    assert refusals(path) == [
        "f.jsonl:3: two claims have the id 'a'. The second is 'Something else.'."
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "contains no fact-check"),
        (b"\n \n", "contains no fact-check"),
        (b"hello world", "no statement column"),
        (b"statement,rating" + b",x" * 20_000 + b"\nTaxes rose.,False", "no statement column"),
        (b"a,b\n1,2\n", "has no statement column. Use --column statement=COLUMN"),
        (b"statement\n", "contains no fact-check"),
        (b"%PDF-1.7 ...", "is a binary file"),
        (b"PK\x03\x04....", "is a binary file"),
        (b"statement\n\x00\x01\x02\x03", "is a binary file"),
        ("statement\ncafé\n".encode("latin-1"), "is not UTF-8"),
        (b"<html><body>nothing</body></html>", "contains no fact-check"),
        (b'{\n "statement": ', "is neither JSON nor JSON lines"),
        (gzip.compress(LINES.encode())[:-12], "cannot be read"),
    ],
    ids=[
        "empty",
        "blank",
        "text",
        "too many columns",
        "no column",
        "header only",
        "pdf",
        "zip",
        "control characters",
        "latin-1",
        "page",
        "cut",
        "gz cut",
    ],
)
def test_files_that_are_no_fact_checks(tmp_path, data, expected):
    """A file of another kind gives one line that says what it is and what is expected."""
    with pytest.raises(ClaimError, match=expected) as raised:
        list(importers.read_claims(write(tmp_path / "file", data)))

    assert "\n" not in str(raised.value)
    assert "file" in str(raised.value)


def test_a_file_that_is_not_there(tmp_path):
    """A wrong path gives one line with the path."""
    with pytest.raises(ClaimError, match="nowhere.jsonl: cannot be read"):
        list(importers.read_claims(tmp_path / "nowhere.jsonl"))


def test_a_folder_without_json(tmp_path):
    """An empty folder gives one line."""
    with pytest.raises(ClaimError, match="contains no fact-check"):
        list(importers.read_claims(tmp_path))


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ({"statemnt": "x"}, "no field named statemnt"),
        ({"statement": "x"}, "no column named x. The columns are a, b"),
    ],
)
def test_a_wrong_column_map(tmp_path, columns, expected):
    """A map that names no field or no column is an error before anything is read."""
    with pytest.raises(ClaimError, match=expected):
        list(importers.read_claims(write(tmp_path / "t.csv", "a,b\n1,2\n"), columns=columns))


def test_claims_without_body_or_title(tmp_path):
    """A statement alone is a claim; other fields are empty."""
    (vclaim,) = importers.read_claims(
        write(tmp_path / "f.jsonl", json.dumps({"statement": "Taxes fell."}))
    )

    assert vclaim.title == ""
    assert vclaim.body == ""
    assert vclaim.rating == ""
    assert vclaim.claim_date is None
    assert vclaim.review_date is None


def test_script_in_a_claim_is_text(tmp_path):
    """Markup in a row never survives as markup."""
    fields = {
        "statement": "Taxes <script>alert(1)</script>fell &lt;img src=x onerror=alert(1)&gt;."
    }

    assert statements(write(tmp_path / "f.jsonl", json.dumps(fields))) == ["Taxes fell ."]


def test_a_zip_named_json_is_refused(tmp_path):
    """The content decides, not the name."""
    with zipfile.ZipFile(tmp_path / "claims.json", "w") as packed:
        packed.writestr("a", "b")

    with pytest.raises(ClaimError, match="binary"):
        list(importers.read_claims(tmp_path / "claims.json"))


def test_twice_through_the_store(tmp_path):
    """A file imported twice is the same the second time, also where it has no ids."""
    path = write(
        tmp_path / "f.csv", "claim,link\nTaxes fell.,https://x.org/1\nTaxes rose.,https://x.org/1\n"
    )
    with ClaimStore.open(f"sqlite:///{tmp_path / 'claims.db'}") as store:
        first_report = store.upsert(importers.read_claims(path), source="f.csv")
        again = store.upsert(importers.read_claims(path), source="f.csv")

    assert first_report.new == 2
    assert again.same == 2
    assert again.new == 0


@pytest.mark.data
def test_the_politifact_collection(tmp_path):
    """All 19,250 claims of the collection are read and stored with their articles, none refused, merged or unknown."""
    folder = os.environ.get("LECTERN_DATA")
    if not folder:
        pytest.skip("LECTERN_DATA names no data folder")
    with ClaimStore.open(f"sqlite:///{tmp_path / 'claims.db'}") as store:
        report = store.upsert(
            importers.read_claims(Path(folder) / "politifact" / "claims.jsonl.gz"),
            source="politifact",
        )
        status = store.status()
        classes = store.counts("rating_class")

    assert report.new == 19_250
    assert report.refused == ()
    assert report.unknown_ratings == {}
    assert status.claims == 19_250
    assert status.with_body == 19_250
    assert status.publishers == 1
    assert classes == {"FALSE": 9_881, "TRUE": 5_688, "MIXTURE": 3_412, "NOT-A-TRUTH-RATING": 269}
