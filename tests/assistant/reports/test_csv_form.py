"""The report as a table for spreadsheets."""

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import reports
from assistant.core.domain import Decision
from assistant.reports import csv_form as report_csv
from tests.assistant import made_up


def rows(report) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(reports.render(report, "csv").decode("utf-8-sig"))))


def with_match(**changes):
    """The made-up report with its one match changed."""
    report = made_up.report()
    first_sentence = report.sentences[0]
    return replace(
        report,
        sentences=(
            replace(first_sentence, matches=(made_up.match(**changes),)),
            *report.sentences[1:],
        ),
    )


def test_the_columns_are_these():
    """The order that spreadsheets of a desk can rely on."""
    head = reports.render(made_up.report(), "csv").decode("utf-8-sig").split("\r\n")[0]

    assert head == (
        "n,time,speaker,sentence,decision,decided_by,decided_at,note,score,rank,publisher,claim,claimant,claim_date,"
        "rating_verbatim,rating_class,review_date,url,key_sentence_1,key_sentence_2,key_sentence_3,top_signals,warnings,"
        "tier,sentence_rank,stance,decision_reason,key_sentence_4,key_sentence_5,key_sentence_1_why,"
        "key_sentence_2_why,key_sentence_3_why,key_sentence_4_why,key_sentence_5_why,passage,passage_rank,shown,strength"
    )


def test_one_row_a_sentence_and_match():
    """Sentences without a match have no row; what was found is in the row, verbatim."""
    report = made_up.report()
    checked_sentence = replace(
        report.sentences[0], matches=(made_up.match(), made_up.match(rank=2, score=0.5))
    )

    table = rows(replace(report, sentences=(checked_sentence, *report.sentences[1:])))

    assert [fields["rank"] for fields in table] == ["1", "2"]
    first_fields = table[0]
    assert first_fields["n"] == "1"
    assert first_fields["time"] == "00:00:04"
    assert first_fields["speaker"] == "RIVERA"
    assert first_fields["rating_verbatim"] == "True"
    assert first_fields["rating_class"] == "TRUE"
    assert first_fields["review_date"] == "2019-03-04"
    assert first_fields["key_sentence_1"] == "The tunnel opened on 6 May 1994."
    assert first_fields["top_signals"] == "sbert_statement +0.75; bm25_body +0.25"
    assert first_fields["warnings"] == "checked about 6 years before this debate"


def test_an_undecided_match_says_that_nobody_reviewed_it():
    """No row looks as if somebody had confirmed it."""
    assert [fields["decision"] for fields in rows(made_up.report())] == ["not reviewed"]


def test_a_decision_is_there_with_who_when_and_why():
    """Each part in a separate column."""
    report = made_up.report()
    decided = replace(
        made_up.match(),
        decision=Decision("reject", "other year", "Ada", "2024-09-11T09:00:00", "see p. 2"),
    )
    checked_sentence = replace(report.sentences[0], matches=(decided,))

    (fields,) = rows(replace(report, sentences=(checked_sentence, *report.sentences[1:])))

    assert [
        fields[c] for c in ("decision", "decision_reason", "decided_by", "decided_at", "note")
    ] == [
        *("reject", "other year", "Ada", "2024-09-11T09:00:00", "see p. 2"),
    ]


def test_excel_is_told_the_encoding():
    """A byte-order mark first, CRLF at the ends of rows."""
    data = reports.render(made_up.report(), "csv")

    assert data.startswith(b"\xef\xbb\xbfn,time")
    assert data.endswith(b"\r\n")


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "text",
    [
        *(
            "=1+1",
            "+1",
            "-1",
            "@SUM(A1)",
            "\t=1+1",
            "\r\n=1+1",
            " =HYPERLINK()",
            "＝1+1",
            "\u200b=1+1",
        ),
    ],
)
def test_no_text_becomes_a_formula(text):
    """Whatever the text, a spreadsheet shows it."""
    assert report_csv.safe(text).startswith("'")


@pytest.mark.threat("publisher")
def test_a_hostile_sentence_stays_text():
    """From the report to the cell."""
    (fields,) = rows(made_up.report("=cmd|' /C calc'!A0"))

    assert fields["sentence"] == "'=cmd|' /C calc'!A0"


def test_a_score_stays_a_number():
    """A negative score begins with a minus and is no formula."""
    (fields,) = rows(with_match(score=-1.25))

    assert float(fields["score"]) == -1.25


@given(st.text(max_size=40))
def test_a_cell_is_one_line_and_keeps_its_words(text):
    """Nothing is lost but white space, and at most an apostrophe is added."""
    cell = report_csv.safe(text)

    assert "\n" not in cell
    assert "\r" not in cell
    assert (
        cell.removeprefix("'").split() == text.removeprefix("'").split()
        or cell.split() == text.split()
    )


def test_the_same_report_gives_the_same_bytes():
    """Rendering has no hidden state."""
    assert reports.render(made_up.report(), "csv") == reports.render(made_up.report(), "csv")
