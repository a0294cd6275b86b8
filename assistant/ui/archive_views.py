"""The views of the page Archive: what was repeated, the debates, search, alerts.

The address says what is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from html import escape
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st

from assistant.archive import alerts, bulk_run, repeat_export, repeats, transcript_search
from assistant.archive.archive_store import Entry
from assistant.archive.repeats import Repeated, Tally
from assistant.archive.transcript_search import Filter
from assistant.check import loaded_models
from assistant.core.access import Role
from assistant.core.domain import RatingClass
from assistant.jobs.check_service import CheckService
from assistant.report import wording
from assistant.reports.markdown_form import plain
from assistant.ui import account, archive_html, claim_timeline, export_menu
from assistant.ui.debate_timeline import PALETTE
from assistant.ui.report_list import report_line, strip
from assistant.ui.shared_resources import archive, decisions
from assistant.ui.theme import SIGNS

PAGE = 20
CHECK = "assistant/ui/pages/check_page.py"
WORDS = "by words"
MEANING = "by meaning"
ANY = ""
COUNTED = "Counted is what a person confirmed, and what makes the claim with a chance of four in five or more."
DECISIONS = (ANY, repeats.CONFIRMED, repeats.UNREVIEWED, "rejected")


def repeated(found: Tally, *, shared: bool) -> None:
    """Draw the fact-checks that were repeated, or one of them with its timeline, wordings and passages."""
    chosen = next(
        (row for row in found.repeated if row.claim.id == st.query_params.get("claim")), None
    )
    if chosen is not None:
        _one(chosen)
        return
    rows = (
        repeats.shared(found.repeated)
        if shared
        else [row for row in found.repeated if row.debates > 1]
    )
    st.html(f'<p class="lx-soft">{archive_html.basis(found)} {COUNTED}</p>')
    if not rows:
        st.html('<p class="lx-line">No claim was found in more than one debate.</p>')
    with st.container(key="repeated"):
        for row in _paged(rows):
            with st.container(gap="xxsmall"):
                label = plain(row.claim.statement)
                st.button(
                    label,
                    key=f"open_{row.claim.id}",
                    type="tertiary",
                    wrap=True,
                    on_click=_open,
                    args=(row,),
                )
                st.html(archive_html.head(row) + archive_html.counts(row))
    _export(found)


def _one(row: Repeated) -> None:
    st.button("← All repeated claims", key="back", type="tertiary", on_click=_open, args=(None,))
    st.html(
        f"<h2>{escape(row.claim.statement)}</h2>{archive_html.head(row)}{archive_html.counts(row)}"
    )
    if spec := claim_timeline.specification(row, PALETTE):
        state = st.vega_lite_chart(
            spec=spec, width="stretch", theme=None, key="timeline", on_select="rerun"
        )
        st.html(f'<p class="lx-soft">{claim_timeline.HOW_TO_READ} A point opens its card.</p>')
        if picked := state["selection"].get(claim_timeline.POINT):
            st.switch_page(
                CHECK, query_params={"report": picked[0]["report"], "s": str(picked[0]["number"])}
            )
    for name, said in row.by():
        if len({mention.debate.id for mention in said}) > 1:
            with st.expander(f"How {plain(name)} worded it over time"):
                st.html(archive_html.changes(said))
    st.html('<h2 class="lx-h4">Everything said, words marked that the checked claim has not</h2>')
    st.html(archive_html.passages(row.mentions, row.claim.statement))


def debates(at: CheckService, entries: Sequence[Entry]) -> None:
    """Draw the debates, newest first, each with its strip."""
    newest = sorted(entries, key=lambda e: (e.event_date or date.min, e.id), reverse=True)
    shown = _paged(newest)
    heads = {
        h.id: h
        for h in at.jobs.report_store.report_heads(
            len(shown), ids=[entry.report() for entry in shown]
        )
    }
    for entry in shown:
        head = heads.get(entry.report())
        if head is None:
            why = f": {escape(entry.error)}" if entry.error else ""
            st.html(f'<p class="lx-line">{escape(entry.title)} · not checked yet{why}</p>')
        else:
            st.page_link(CHECK, label=report_line(head), query_params={"report": head.id})
            st.html(strip(head.timeline))


def search(at: CheckService) -> None:
    """Draw the search over everything said, its filters, what it finds, and the saved searches."""
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    text = (
        left.text_input("Search everything said", key="q", type="search", bind="query-params") or ""
    )
    how = right.selectbox("How", (WORDS, MEANING), key="how", bind="query-params")
    chosen = _filters()
    page = int(st.query_params.get("page", "0") or 0)
    if how == MEANING and text:
        found = transcript_search.by_meaning(
            archive(), bulk_run.vectors_in(at.settings).open(), _vector(at, text), chosen, page=page
        )
    else:
        found = transcript_search.by_words(archive(), text, chosen, page=page)
    asked = text if how == WORDS else ""
    st.html(
        archive_html.hits(found, asked)
        or '<p class="lx-line">Nothing that was said is like this.</p>'
    )
    _pages(page, more=len(found) == transcript_search.PAGE)
    _saved()


def new_checks(at: CheckService) -> None:
    """Draw what new fact-checks found in everything said before."""
    found = alerts.newest(archive(), at.settings)
    if not found:
        st.html(
            '<p class="lx-line">No new fact-check was found in anything said before. '
            "<code>python -m assistant archive alerts</code> compares those that are new.</p>"
        )
    for alert in found:
        words = f"{wording.count(alert.passages, 'passage')}, unreviewed"
        st.html(
            f'<div class="lx-claim">{escape(alerts.words(alert))}<br><span class="lx-soft">{words}</span></div>'
        )


@st.cache_resource(max_entries=2, show_spinner="Counting what was repeated")
def tally(_at: CheckService, version: Any) -> Tally:
    """Return what was repeated, counted once for each version of the archive."""
    with _at.store() as claims:
        return repeats.tally(archive(), claims, decisions())


@st.cache_resource(max_entries=1, show_spinner=False)
def _speakers(version: Any) -> list[str]:
    return transcript_search.speakers(archive())


@st.cache_data(max_entries=100, show_spinner="Reading the question")
def _vector(_at: CheckService, text: str) -> Any:
    return loaded_models.encoders(_at.settings.profile).sbert.encode([text])[0]


def _filters() -> Filter:
    with st.popover("Filters"):
        options: dict[str, Any] = {"bind": "query-params"}
        speaker = st.selectbox(
            "Speaker", [ANY, *_speakers(repeats.version(archive()))], key="speaker", **options
        )
        event = st.text_input("Event", key="event", **options)
        first = st.text_input("From (2024-09-10)", key="from", **options)
        last = st.text_input("To", key="to", **options)
        publisher = st.text_input("Publisher of a matching fact-check", key="publisher", **options)
        ratings = [ANY, *map(str, RatingClass)]
        rating = st.selectbox("Its rating", ratings, key="rating", format_func=_sign, **options)
        decision = st.selectbox(
            "Decision", DECISIONS, key="decision", format_func=lambda d: d or "any", **options
        )
    return Filter(speaker, _day(first), _day(last), event or "", publisher or "", rating, decision)


def _sign(name: str) -> str:
    return SIGNS[RatingClass(name)].words if name else "any"


def _day(text: str | None) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        st.warning(plain(f"{text!r} is not a date; write it as 2024-09-10."))
        return None


def _saved() -> None:
    rows = archive().saved()
    if rows:
        st.html('<h2 class="lx-h4">Saved searches</h2>')
    for name, by, address in rows:
        asked = {key: values[0] for key, values in parse_qs(address).items()}
        label = plain(f"{name} · {by}" if by else name)
        st.page_link("assistant/ui/pages/archive_page.py", label=label, query_params=asked)
    if not account.may(Role.REVIEWER):
        return
    with st.popover("Save this search"):
        name = st.text_input("Name", key="search_name")
        st.button("Save", disabled=not name, on_click=_save, args=(name,), key="search_save")


def _save(name: str) -> None:
    account.require(Role.REVIEWER)
    archive().save(name.strip(), account.name(), urlencode(dict(st.query_params)))


def _export(found: Tally) -> None:
    with st.popover("Export"):
        for name, media_type in repeat_export.NAMES.items():
            file = partial(_file, found, name)
            export_menu.button(name, file, name, media_type, f"export_{name}")


def _file(found: Tally, name: str) -> bytes:
    return repeat_export.files(found)[name]


def _open(row: Repeated | None) -> None:
    if row is None:
        st.query_params.pop("claim", None)
    else:
        st.query_params["claim"] = row.claim.id


def _paged(rows: Sequence[Any]) -> Sequence[Any]:
    """Return the rows of the page that the address names, and draw the way to the others."""
    given = st.query_params.get("page", "0")
    page = min(int(given) if given.isdecimal() else 0, max(len(rows) - 1, 0) // PAGE)
    if len(rows) > PAGE:
        last = min((page + 1) * PAGE, len(rows))
        _pages(
            page, more=last < len(rows), where=f"{page * PAGE + 1:,} to {last:,} of {len(rows):,}"
        )
    return rows[page * PAGE : (page + 1) * PAGE]


def _pages(page: int, *, more: bool, where: str = "") -> None:
    if page or more:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pager"):
            if where:
                st.html(f'<p class="lx-soft">{where}</p>', width="content")
            st.button(
                "Previous", key="previous", disabled=not page, on_click=_turn, args=(page - 1,)
            )
            st.button("Next", key="next", disabled=not more, on_click=_turn, args=(page + 1,))


def _turn(page: int) -> None:
    st.query_params["page"] = str(page)
