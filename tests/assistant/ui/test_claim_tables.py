"""What the database holds, as tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from bs4 import BeautifulSoup

from assistant.claims.records import ImportReport, RefusedRow
from assistant.ui import claim_tables
from tests.assistant.ui import factory


def test_small_publishers_are_summed():
    """The table is short and loses nobody."""
    counts = {f"Publisher {i}": 100 - i for i in range(30)}

    publisher_rows = claim_tables.counts_by_publisher(counts)

    assert len(publisher_rows) == claim_tables.MAX_PUBLISHER_ROWS + 1
    assert publisher_rows[-1][0] == "18 others"
    assert sum(counts.values()) == sum(n for _, n in publisher_rows)


def test_years_come_newest_first_and_unknown_last():
    """Days are summed to years; claims without a date have a row."""
    counts = {date(2018, 5, 21): 2, date(2018, 1, 1): 1, date(2021, 1, 29): 4, None: 3}

    assert claim_tables.counts_by_year(counts) == [("2021", 4), ("2018", 3), ("date unknown", 3)]


def test_classes_keep_their_order_and_sign():
    """True before false before mixed, each with its sign."""
    assert claim_tables.counts_by_rating_class({"FALSE": 2, "TRUE": 1}) == [
        ("● rated true", 1),
        ("■ rated false", 2),
    ]


def test_an_import_is_told_with_every_refusal():
    """New, changed, same, merged, refused; then each reason."""
    result = ImportReport(
        1204, 2, 3, 0, ("a.csv:7: no statement.",), {"another language": 12}, {"Dunno": 2}
    )

    line, details = claim_tables.import_lines(claim_tables.import_json(result))

    assert line == "1,204 new · 2 changed · 3 same · 0 merged · 1 rejected"
    assert details == [
        "Rejected: a.csv:7: no statement.",
        "Left out: 12, another language",
        "Rating not known: Dunno (2)",
    ]


def test_many_refusals_are_cut_with_their_number():
    """A file of nothing but rubbish does not fill the page."""
    _, details = claim_tables.import_lines(
        claim_tables.import_json(ImportReport(refused=tuple("x" for _ in range(500))))
    )

    assert len(details) == claim_tables.MAX_SHOWN_LINES + 1
    assert details[-1] == "and 300 more rejected"


def test_a_claim_of_the_search_is_escaped():
    """No statement becomes mark-up, and only web addresses are linked."""
    claim = replace(
        factory.vclaim(0), statement="<img src=x onerror=alert(1)>", url="javascript:alert(1)"
    )

    page = BeautifulSoup(claim_tables.claim_html(claim), "html.parser")

    assert page.select("img") == []
    assert page.select("a") == []


def test_a_shortened_article_is_named():
    """The outcome of an import says which article was cut, and how much of it was kept."""
    line = "c1: the article has 1,020,000 characters. The first 400,000 were kept."

    _, details = claim_tables.import_lines(
        claim_tables.import_json(ImportReport(shortened=(line,)))
    )

    assert details == [f"Article shortened: {line}"]


def test_the_outcome_of_an_earlier_version_has_no_shortened_articles():
    """An outcome that was stored before articles were shortened can still be read."""
    stored_json = b'{"new": 1, "changed": 0, "same": 0, "merged": 0, "refused": []}'

    line, details = claim_tables.import_lines(stored_json)

    assert line == "1 new · 0 changed · 0 same · 0 merged · 0 rejected"
    assert details == []


def test_refused_rows_are_a_file():
    """The rows come back with their cells; notes on the file are listed."""
    row = RefusedRow("t.csv:2", "no statement.", {"Claim": "", "Verdict": "False"})
    result = ImportReport(refused=(str(row),), refused_rows=(row,), remarks=("a column.",))
    outcome = claim_tables.import_json(result)

    assert claim_tables.refused_csv(outcome).splitlines() == [
        "place,reason,Claim,Verdict",
        "t.csv:2,no statement.,,False",
    ]
    assert "Note: a column." in claim_tables.import_lines(outcome)[1]
    assert claim_tables.refused_csv(claim_tables.import_json(ImportReport(new=1))) == ""


def test_samples_have_the_name_of_the_lists_in_the_counts():
    counts = claim_tables.counts_by_publisher({"Lectern sample desk": 138, "own note": 1})

    assert counts == [("Sample desk (invented)", 138), ("newsroom note", 1)]
