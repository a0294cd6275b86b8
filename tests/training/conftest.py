"""A data folder in the shape of the real one, with a handful of rows written for these tests."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

CLAIMS = [
    ("vclaim-pol-00000", "False", "The river is longer than 900 miles.", None),
    ("vclaim-pol-00001", "True", "The bridge opened in 1931.", None),
    ("vclaim-pol-00002", "Half True", "Rents rose 12 percent.", None),
    ("vclaim-pol-00003", "Full Flop", "On ferries.", None),
    ("vclaim-pol-00004", "True", "The bridge opened in 1931.", "vclaim-pol-00001"),
    ("vclaim-pol-00005", "Mostly True", "The port handled 4,000 ships last year.", None),
    ("vclaim-pol-00006", "False", "Half the schools have no library.", None),
]


def write_rows(path: Path, records: list[dict]) -> None:
    """Write rows as a gzip'd file of JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        gzip.compress("".join(json.dumps(record) + "\n" for record in records).encode())
    )


def write_table(path: Path, lines: list[tuple[str, ...]]) -> None:
    """Write rows as a gzip'd TSV file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress("".join("\t".join(fields) + "\n" for fields in lines).encode()))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a small data folder.

    Claims, judged pairs, links, 2B queries, ClaimBuster and CheckThat! 2024.
    """
    article = "The mayor spoke on Monday. She said that ships numbering 4,000 came to the port. We rate this True."
    write_rows(
        tmp_path / "politifact" / "claims.jsonl.gz",
        [
            {
                "id": i,
                "rating": r,
                "statement": s,
                "title": f"About {s}",
                "article": article,
                "duplicate_of": d,
            }
            for i, r, s, d in CLAIMS
        ],
    )
    (tmp_path / "assisting").mkdir()
    header = "debate\tline\tclaim\tverdict\n"
    annotation_line = "20170803_Trump_WV\t16\tvclaim-pol-00000\tunknown\n"
    (tmp_path / "assisting" / "pairs.tsv").write_text(header + annotation_line, encoding="utf-8")
    _write_debates(tmp_path)
    _write_checkworthy(tmp_path / "checkworthy")
    return tmp_path


def _write_debates(data: Path) -> None:
    links = [
        ("20180612_Trump_Singapore", 1, "vclaim-pol-00006"),
        ("20160926_1pres", 2, "vclaim-pol-00001"),
    ]
    lines = [("20180612_Trump_Singapore", 1), ("20160926_1pres", 1), ("20160926_1pres", 2)]
    linked = [{"debate": d, "line": n, "claim": c, "category": "CLEAN"} for d, n, c in links]
    spoken = [{"debate": d, "line": n, "text": f"Sentence {n} of {d}."} for d, n in lines]
    write_rows(data / "debates" / "links.jsonl.gz", linked)
    write_rows(data / "debates" / "transcripts.jsonl.gz", spoken)
    folder = data / "checkthat2b"
    write_table(
        folder / "train_queries.tsv.gz",
        [("20170803_Trump_WV_0016", "Long river."), ("20160926_1pres_0002", "It opened.")],
    )
    write_table(
        folder / "train_qrels.tsv.gz", [("20160926_1pres_0002", "0", "vclaim-pol-00001", "1")]
    )
    write_table(folder / "dev_queries.tsv.gz", [("20170822_Trump_phoenix_0204", "Rents rose.")])
    write_table(
        folder / "dev_qrels.tsv.gz", [("20170822_Trump_phoenix_0204", "0", "vclaim-pol-00002", "1")]
    )


def _write_checkworthy(folder: Path) -> None:
    crowd = [
        ("Exports doubled in four years.", "CFS", "1988-09-25.txt"),
        ("Good evening.", "NFS", "1988-09-25.txt"),
        ("He voted against it, 12 times.", "CFS", "2016-09-26.txt"),
        ("The treaty covers TWO islands.", "CFS", "1960-10-13.txt"),
        ("We lost a million jobs", "CFS", "1976-10-22.txt"),
    ]
    write_rows(
        folder / "claimbuster_crowdsourced.jsonl.gz",
        [{"text": t, "label": k, "file": f} for t, k, f in crowd],
    )
    truth = [{"text": "The treaty covers two islands!", "label": "CFS", "file": "1960-10-13.txt"}]
    write_rows(folder / "claimbuster_groundtruth.jsonl.gz", truth)
    write_rows(
        folder / "ct24_task1_en_dev-test.jsonl.gz",
        [{"text": "We lost a million jobs.", "label": "Yes"}],
    )
    write_rows(
        folder / "ct24_task1_en_test_gold.jsonl.gz", [{"text": "People are good.", "label": "No"}]
    )
