"""The preview of a file: how its columns and first rows would be read."""

from __future__ import annotations

from assistant.claims.import_preview import preview_file

BUS = "Bus fares fell by 30 percent."
TABLE = f"Claim,Urteil,Link\n{BUS},falsch,not a url\nToo,many,cells,here\n"


def preview_of(tmp_path, text: str, **chosen: str):
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    return preview_file(path, chosen)


def test_the_columns_and_the_first_rows(tmp_path):
    preview = preview_of(tmp_path, TABLE)

    assert preview.columns == ["Claim", "Urteil", "Link"]
    assert preview.mapping == {"statement": "Claim", "url": "Link"}
    assert [claim.statement for claim in preview.claims] == [BUS]
    assert (preview.claim_count, preview.refused_count) == (1, 1)
    assert "column 'Urteil' was not used: 1 value, such as 'falsch'." in preview.remarks


def test_a_column_that_is_chosen(tmp_path):
    preview = preview_of(tmp_path, TABLE, rating="Urteil")

    assert [claim.rating for claim in preview.claims] == ["falsch"]


def test_a_field_that_the_file_does_not_have(tmp_path):
    """A column that was recognised by mistake can be left out."""
    preview = preview_of(tmp_path, f"Claim,Rating\n{BUS},5 stars\n", rating="")

    assert [claim.rating for claim in preview.claims] == [""]


def test_a_table_without_known_columns_offers_them(tmp_path):
    preview = preview_of(tmp_path, f"Behauptung,Urteil\n{BUS},falsch\n")

    assert preview.columns == ["Behauptung", "Urteil"]
    assert "no statement column" in preview.problem


def test_a_file_that_cannot_be_read(tmp_path):
    assert "is a binary file" in preview_of(tmp_path, "%PDF-1.7").problem
