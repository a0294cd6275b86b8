"""The form that imports a file of fact-checks: its columns, its first rows, and what is refused."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import streamlit as st

from assistant.core import files
from assistant.report import wording
from assistant.ui.shown_text import draw_error, escape

if TYPE_CHECKING:
    from assistant.claims.import_preview import ImportPreview
    from assistant.core.domain import VerifiedClaim

NOT_IN_FILE = "not in the file"
# The fields that a person may assign, with their words.
FIELD_LABELS: Mapping[str, str] = {
    "statement": "Claim",
    "rating": "Rating",
    "publisher": "Publisher",
    "url": "Address of the fact-check",
    "claimant": "Speaker",
    "claim_date": "Date of the claim",
    "review_date": "Date of the fact-check",
    "title": "Title",
    "body": "Article",
    "language": "Language",
}
FIELDS_PER_LINE = 2
SHOWN_REMARKS = 12


def draw_import_form(name: str, data: bytes) -> dict[str, str] | None:
    """Draw the mapping and the preview of a file.

    Return the chosen columns once the person selects Import, None before.
    """
    # the file with the columns that Lectern recognised, then with a person's corrections
    preview = _cached_preview(name, data, ())
    chosen_columns = _draw_column_choices(preview) if preview.columns else {}
    if chosen_columns:
        preview = _cached_preview(name, data, tuple(sorted(chosen_columns.items())))
    if preview.problem:
        draw_error(wording_of_problem(preview))
        return None
    _draw_preview(preview)
    if st.button("Import", type="primary", key="import_claims"):
        return chosen_columns
    return None


def wording_of_problem(preview: ImportPreview) -> str:
    """Return why a file cannot be read, and what to do in this form."""
    # the error ends with advice for the command line, which is replaced
    for command_line_advice in (" Name it: --column", " Add a line with names above"):
        problem, has_advice, _ = preview.problem.partition(command_line_advice)
        if has_advice:
            return f"{problem} Choose the column with the claim under Columns."
    return preview.problem


@st.cache_data(show_spinner="Reading the file", max_entries=8)
def _cached_preview(
    name: str, data: bytes, chosen_columns: tuple[tuple[str, str], ...]
) -> ImportPreview:
    """Read a file that was uploaded. It is written to a temporary folder, and deleted again."""
    from assistant.claims.import_preview import preview_file

    with tempfile.TemporaryDirectory() as folder:
        temporary_path = Path(folder) / files.plain_name(name)
        temporary_path.write_bytes(data)
        return preview_file(temporary_path, dict(chosen_columns))


def _draw_column_choices(preview: ImportPreview) -> dict[str, str]:
    """Draw a choice of column for each field; return the choices that differ from the automatic."""
    corrected_columns = {}
    with st.expander("Columns", expanded="statement" not in preview.mapping):
        st.html(
            '<p class="lx-soft">Lectern recognised these columns by their names. '
            "Change a choice if it is wrong.</p>"
        )
        fields = list(FIELD_LABELS)
        for start in range(0, len(fields), FIELDS_PER_LINE):
            field_columns = st.columns(FIELDS_PER_LINE)
            line_fields = fields[start : start + FIELDS_PER_LINE]
            for field_name, field_column in zip(line_fields, field_columns, strict=False):
                column = _draw_column_choice(field_name, preview, field_column)
                if column != preview.mapping.get(field_name, ""):
                    corrected_columns[field_name] = column
    return corrected_columns


def _draw_column_choice(
    field_name: str, preview: ImportPreview, field_column: st.delta_generator.DeltaGenerator
) -> str:
    """Draw the choice of a field's column; return it, "" if it isn't in the file."""
    column_options = ["", *preview.columns]
    recognised_column = preview.mapping.get(field_name, "")
    recognised_index = (
        column_options.index(recognised_column) if recognised_column in column_options else 0
    )
    # Another file has other columns: its widgets have other keys, and start anew.
    columns_digest = crc32("\n".join(preview.columns).encode())
    chosen_column = field_column.selectbox(
        FIELD_LABELS[field_name],
        column_options,
        index=recognised_index,
        key=f"column_{field_name}_{columns_digest}",
        format_func=lambda name: name or NOT_IN_FILE,
    )
    return chosen_column or ""


def _draw_preview(preview: ImportPreview) -> None:
    """Draw the first fact-checks as they would be stored, the counts, and the remarks."""
    count_words = wording.count(preview.claim_count, "fact-check")
    if preview.is_partial:
        count_words = f"More than {count_words}"
    if preview.refused_count:
        count_words += f", {wording.count(preview.refused_count, 'row')} rejected"
    st.html(f'<p class="lx-line">{count_words}. The first ones, as they will be stored:</p>')
    st.html(preview_html(preview.claims))
    for refused_row in preview.refused:
        st.html(f'<p class="lx-warn">▲ {escape(str(refused_row))}</p>')
    remarks = preview.remarks
    if remarks:
        remark_items = "".join(f"<li>{escape(remark)}</li>" for remark in remarks[:SHOWN_REMARKS])
        if len(remarks) > SHOWN_REMARKS:
            remark_items += f"<li>and {len(remarks) - SHOWN_REMARKS:,} more</li>"
        st.html(
            f'<p class="lx-line">Notes on this file:</p><ul class="lx-notes">{remark_items}</ul>'
        )


def preview_html(claims: list[VerifiedClaim]) -> str:
    """Return the first fact-checks of a file as HTML: a list with every field that is stored."""
    claims_html = ""
    # a claim as its statement and a line of details
    for claim in claims:
        claim_details = [
            ("rating", claim.rating or "none"),
            ("publisher", wording.publisher(claim) or "not named"),
            ("speaker", claim.claimant or "not named"),
            ("claim made", wording.day(claim.claim_date)),
            ("fact-check published", wording.day(claim.review_date)),
            ("address", claim.url or "none"),
            ("article", wording.count(len(claim.body.split()), "word")),
        ]
        detail_words = " · ".join(
            f"{escape(name)}: <b>{escape(text)}</b>" for name, text in claim_details
        )
        claims_html += (
            f'<div class="lx-claim"><p>{escape(claim.statement)}</p>'
            f'<p class="lx-soft">{detail_words}</p></div>'
        )
    return claims_html
