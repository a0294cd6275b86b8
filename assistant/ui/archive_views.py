"""The views of the page Archive: what was repeated, the debates, search, alerts.

The address says what is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlencode

import streamlit as st

from assistant.archive import alerts, bulk_run, repeat_export, repeats, transcript_search
from assistant.archive.archive_store import ArchivedTranscript
from assistant.archive.repeats import RepeatCounts, RepeatedClaim
from assistant.archive.transcript_search import SearchFilter
from assistant.check import loaded_models
from assistant.core.access import Role
from assistant.core.domain import RatingClass
from assistant.jobs.check_service import CheckService
from assistant.report import wording
from assistant.report.speaker_names import shown_name
from assistant.reports.markdown_form import escape_markdown
from assistant.review import revisions
from assistant.ui import account, archive_html, claim_timeline, export_menu, speaker_timeline
from assistant.ui.address_values import number_in_address
from assistant.ui.debate_timeline import PALETTE
from assistant.ui.page_paths import ARCHIVE_PAGE, CHECK_PAGE
from assistant.ui.report_list import mini_timeline, report_line
from assistant.ui.shared_resources import archive, decisions
from assistant.ui.shown_text import data_for_page, draw_warning, escape
from assistant.ui.theme import RATING_SIGNS

ROWS_PER_PAGE = 20
PERSON_PARAMETER = "person"  # in the address: the speaker whose timeline is shown
BY_WORDS = "by words"
BY_MEANING = "by meaning"
ANY_VALUE = ""
COUNTED_NOTE = (
    "A passage counts if a person confirmed it, or if it is a strong match that states the whole "
    "claim. Read a passage to look at before you use it."
)
LIST_NOTE = (
    "Each entry is a fact-check whose claim was made in several debates. Select it to see who said "
    "it, when, and in which words."
)
NO_REPEATED_CLAIM = (
    "No claim was found in more than one debate. Confirmed matches count: review the debates, or "
    "add more of them."
)
TO_LOOK_AT_NOTE = (
    "These claims may have been made in several debates. Their matches are not reviewed, and are "
    "not strong or state only a part of the claim, so they are not counted. Select a claim "
    "to see its passages."
)
NO_SHARED_CLAIM = "No claim was made by more than one speaker. Confirmed matches count."
CLAIM_NOT_COUNTED = "No debate of the archive is counted for this claim. These claims are:"
DECISION_OPTIONS = (ANY_VALUE, repeats.CONFIRMED, repeats.UNREVIEWED, "rejected")


def draw_repeated(repeat_counts: RepeatCounts, *, shared: bool) -> None:
    """Draw the repeated fact-checks, or the chosen one with its timeline, wordings and passages."""
    # the address names the claim that was opened
    claim_id = st.query_params.get("claim")
    for repeated_claim in (*repeat_counts.repeated, *repeat_counts.to_look_at):
        if claim_id is not None and repeated_claim.has_claim(claim_id):
            _draw_opened_claim(repeated_claim)
            return
    if claim_id is not None:
        st.html(f'<p class="lx-line">{CLAIM_NOT_COUNTED}</p>')
    if shared:  # claims of several speakers
        listed_claims = repeats.claims_of_several_people(repeat_counts.repeated)
    else:
        listed_claims = [claim for claim in repeat_counts.repeated if claim.debate_count > 1]
    basis_words = archive_html.counted_basis(repeat_counts)
    st.html(f'<p class="lx-soft">{basis_words} {COUNTED_NOTE}</p>')
    if listed_claims:
        st.html(f'<p class="lx-line">{LIST_NOTE}</p>')
    else:
        st.html(f'<p class="lx-line">{NO_SHARED_CLAIM if shared else NO_REPEATED_CLAIM}</p>')
    with st.container(key="repeated"):
        for repeated_claim in _rows_of_current_page(listed_claims):
            _draw_listed_claim(repeated_claim)
    if repeat_counts.to_look_at and not shared:
        _draw_claims_to_look_at(repeat_counts.to_look_at)
    _draw_export_menu(repeat_counts)


def _draw_claims_to_look_at(claims: Sequence[RepeatedClaim]) -> None:
    """Draw the first claims that may have been made in several debates, without names of people."""
    with st.expander(f"To look at ({len(claims):,})", key="to_look_at"):
        st.html(f'<p class="lx-line">{TO_LOOK_AT_NOTE}</p>')
        for repeated_claim in claims[:ROWS_PER_PAGE]:
            _draw_listed_claim(repeated_claim)


def _draw_listed_claim(repeated_claim: RepeatedClaim) -> None:
    """Draw a claim of a list, with its rating and its counts, and a button that opens it."""
    with st.container(gap="xxsmall"):
        st.button(
            escape_markdown(repeated_claim.claim.statement),
            key=f"open_{repeated_claim.claim.id}",
            type="tertiary",
            wrap=True,
            on_click=_open_claim,
            args=(repeated_claim,),
        )
        st.html(archive_html.rating_html(repeated_claim) + archive_html.counts_html(repeated_claim))


def _draw_opened_claim(repeated_claim: RepeatedClaim) -> None:
    st.button(
        "← All repeated claims", key="back", type="tertiary", on_click=_open_claim, args=(None,)
    )
    rating_html = archive_html.rating_html(repeated_claim)
    counts_html = archive_html.counts_html(repeated_claim)
    st.html(f"<h2>{escape(repeated_claim.claim.statement)}</h2>{rating_html}{counts_html}")
    _draw_timeline(repeated_claim)
    for name, mentions in repeated_claim.by_speaker():
        # only speakers who said it in several debates have several wordings
        debate_ids = {mention.debate.id for mention in mentions}
        if len(debate_ids) > 1:
            with st.expander(f"How {escape_markdown(shown_name(name))} worded it over time"):
                st.html(archive_html.wordings_html(mentions))
    if repeated_claim.mentions:
        title = "Everything said, words marked that the checked claim has not"
        passages = archive_html.passages_html(
            repeated_claim.mentions, repeated_claim.claim.statement
        )
        st.html(f'<h2 class="lx-h4">{title}</h2>{passages}')
    if repeated_claim.possible_mentions:
        st.html(archive_html.possible_mentions_html(repeated_claim))


def _draw_timeline(repeated_claim: RepeatedClaim) -> None:
    """Draw the timeline of a claim; a click on a point opens the card of its sentence."""
    specification = claim_timeline.chart_specification(repeated_claim, PALETTE)
    if specification is not None:
        _draw_chart(specification, claim_timeline.HOW_TO_READ)


def draw_speaker(repeat_counts: RepeatCounts) -> None:
    """Draw the checked claims of one speaker over time, and a list of the claims."""
    names = speaker_timeline.speakers(repeat_counts.repeated)
    if not names:
        st.html('<p class="lx-line">No counted passage has a speaker yet.</p>')
        return
    requested_name = st.query_params.get(PERSON_PARAMETER)
    name_index = names.index(requested_name) if requested_name in names else 0
    name = st.selectbox(
        "Speaker",
        names,
        index=name_index,
        format_func=shown_name,
        key="person",
        width=360,
    )
    st.query_params[PERSON_PARAMETER] = name
    spoken_claims = speaker_timeline.claims_of(repeat_counts.repeated, name)
    st.html(f'<p class="lx-line">{escape(speaker_timeline.summary(spoken_claims))}</p>')
    st.html(f'<p class="lx-soft">{COUNTED_NOTE}</p>')
    specification = speaker_timeline.chart_specification(spoken_claims, PALETTE)
    if specification is not None:
        _draw_chart(specification, speaker_timeline.HOW_TO_READ)
    for spoken_claim in spoken_claims:
        st.html(archive_html.spoken_claim_html(spoken_claim.claim, spoken_claim.mentions))


def _draw_chart(specification: dict[str, Any], how_to_read: str) -> None:
    """Draw a timeline of passages; a click on a point opens the card of its sentence."""
    chart_state = st.vega_lite_chart(
        spec=data_for_page(specification),
        width="stretch",
        theme=None,
        key="timeline",
        on_select="rerun",
    )
    st.html(f'<p class="lx-soft">{how_to_read} A point opens its card.</p>')
    clicked_points = chart_state["selection"].get(claim_timeline.POINT_SELECTION)
    if clicked_points:
        point = clicked_points[0]
        st.switch_page(
            CHECK_PAGE, query_params={"report": point["report"], "s": str(point["number"])}
        )


def draw_debates(check_service: CheckService, entries: Sequence[ArchivedTranscript]) -> None:
    """Draw the debates, newest first, each with its small timeline."""
    newest_entries_first = sorted(
        entries, key=lambda entry: (entry.event_date or date.min, entry.id), reverse=True
    )
    shown_entries = _rows_of_current_page(newest_entries_first)
    report_ids = [entry.report_id() for entry in shown_entries]
    report_store = check_service.jobs.report_store
    report_heads = report_store.report_heads(len(report_ids), ids=report_ids)
    head_by_report_id = {head.id: head for head in report_heads}
    for entry in shown_entries:
        head = head_by_report_id.get(entry.report_id())
        if head is None:
            error_words = f": {escape(entry.error)}" if entry.error else ""
            st.html(f'<p class="lx-line">{escape(entry.title)} · not checked yet{error_words}</p>')
        else:
            st.page_link(
                CHECK_PAGE,
                label=escape_markdown(report_line(head)),
                query_params={"report": head.id},
            )
            st.html(mini_timeline(head.timeline))


def draw_search(check_service: CheckService) -> None:
    """Draw the search over all sentences with its filters and results, and the saved searches."""
    text_column, mode_column = st.columns([4, 1], vertical_alignment="bottom")
    query = text_column.text_input(
        "Search everything said", key="q", type="search", bind="query-params"
    )
    mode = mode_column.selectbox("How", (BY_WORDS, BY_MEANING), key="how", bind="query-params")
    filters = _draw_search_filters()
    page = number_in_address("page") or 0
    if mode == BY_MEANING and query:
        vectors = bulk_run.vector_folder(check_service.settings).open()
        query_vector = _query_vector(check_service, query)
        hits = transcript_search.by_meaning(archive(), vectors, query_vector, filters, page=page)
    else:
        hits = transcript_search.by_words(archive(), query or "", filters, page=page)
    # a search by meaning has no words to mark
    marked_query = (query or "") if mode == BY_WORDS else ""
    st.html(
        archive_html.hits_html(hits, marked_query)
        or '<p class="lx-line">Nothing that was said is like this.</p>'
    )
    # a full page may be followed by another one
    _draw_page_buttons(page, has_next=len(hits) == transcript_search.HITS_PER_PAGE)
    _draw_saved_searches()


def draw_new_checks(check_service: CheckService) -> None:
    """Draw the new fact-checks that match sentences of earlier debates."""
    newest_alerts = alerts.newest_alerts(archive(), check_service.settings)
    if not newest_alerts:
        st.html(
            '<p class="lx-line">No new fact-check matches anything said in these debates. Your '
            "administrator runs the comparison, and matches then appear here.</p>"
        )
    for alert in newest_alerts:
        passage_words = wording.count(alert.passages, "passage")
        st.html(
            f'<div class="lx-claim">{escape(alerts.describe(alert))}<br>'
            f'<span class="lx-soft">{passage_words}, unreviewed</span></div>'
        )


# The parameter begins with an underscore so that Streamlit leaves it out of the cache key.
@st.cache_resource(max_entries=2, show_spinner="Counting what was repeated")
def tally(_check_service: CheckService, version: Any) -> RepeatCounts:
    """Return the repeated claims, counted once for each version of the archive."""
    with _check_service.store() as claims:
        return repeats.count_repeats(archive(), claims, decisions())


@st.cache_resource(max_entries=1, show_spinner=False)
def _archive_speakers(version: Any) -> list[str]:
    return transcript_search.speakers(archive())


@st.cache_data(max_entries=100, show_spinner="Reading the question")
def _query_vector(_check_service: CheckService, text: str) -> Any:
    encoder = loaded_models.encoders(_check_service.settings.profile).sbert
    return encoder.encode([text])[0]


def _draw_search_filters() -> SearchFilter:
    with st.popover("Filters"):
        widget_options: dict[str, Any] = {"bind": "query-params"}  # the address keeps each field
        speakers = [ANY_VALUE, *_archive_speakers(repeats.counts_version(archive()))]
        speaker = st.selectbox("Speaker", speakers, key="speaker", **widget_options)
        event = st.text_input("Event", key="event", **widget_options)
        first_day = st.text_input("From (2024-09-10)", key="from", **widget_options)
        last_day = st.text_input("To", key="to", **widget_options)
        publisher = st.text_input(
            "Publisher of a matching fact-check", key="publisher", **widget_options
        )
        ratings = [ANY_VALUE, *map(str, RatingClass)]
        rating = st.selectbox(
            "Its rating", ratings, key="rating", format_func=_rating_words, **widget_options
        )
        decision = st.selectbox(
            "Decision",
            DECISION_OPTIONS,
            key="decision",
            format_func=lambda name: name or "any",
            **widget_options,
        )
    # decisions on fact-checks that their publisher has changed since count no longer
    reopened_keys: tuple[str, ...] = ()
    if decision:
        reopened_keys = tuple(revisions.decisions_open_again(decisions()))
    return SearchFilter(
        speaker=speaker,
        first=_day(first_day),
        last=_day(last_day),
        event=event or "",
        publisher=publisher or "",
        rating_class=rating,
        decision=decision,
        open_again=reopened_keys,
    )


def _rating_words(name: str) -> str:
    return RATING_SIGNS[RatingClass(name)].words if name else "any"


def _day(text: str | None) -> date | None:
    if not text:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        draw_warning(f"{text!r} isn't a date. Write the date as 2024-09-10.")
        return None


def _draw_saved_searches() -> None:
    saved_searches = archive().saved()
    if saved_searches:
        st.html('<h2 class="lx-h4">Saved searches</h2>')
    for name, saved_by, address in saved_searches:
        # an address is stored as its query: "q=bridge&speaker=Ada"
        query_params = {key: values[0] for key, values in parse_qs(address).items()}
        label = f"{name} · {saved_by}" if saved_by else name
        st.page_link(ARCHIVE_PAGE, label=escape_markdown(label), query_params=query_params)
    if not account.has_role(Role.REVIEWER):
        return
    with st.popover("Save this search"):
        new_name = st.text_input("Name", key="search_name")
        st.button(
            "Save",
            disabled=not new_name,
            on_click=_save_search,
            args=(new_name,),
            key="search_save",
        )


def _save_search(name: str) -> None:
    account.require(Role.REVIEWER)
    archive().save(name.strip(), account.name(), urlencode(dict(st.query_params)))


def _draw_export_menu(repeat_counts: RepeatCounts) -> None:
    with st.popover("Export"):
        for name, media_type in repeat_export.MEDIA_TYPES.items():
            render = partial(_export_file, repeat_counts, name)
            export_menu.download_button(name, render, name, media_type, f"export_{name}")


def _export_file(repeat_counts: RepeatCounts, name: str) -> bytes:
    return repeat_export.export_files(repeat_counts)[name]


def _open_claim(repeated_claim: RepeatedClaim | None) -> None:
    if repeated_claim is None:
        st.query_params.pop("claim", None)
    else:
        st.query_params["claim"] = repeated_claim.claim.id


def _rows_of_current_page(rows: Sequence[Any]) -> Sequence[Any]:
    """Return the items of the page in the URL, and draw buttons to the other pages."""
    requested_page = number_in_address("page") or 0
    last_page = max(len(rows) - 1, 0) // ROWS_PER_PAGE
    page = min(requested_page, last_page)
    first_row = page * ROWS_PER_PAGE
    end_row = min(first_row + ROWS_PER_PAGE, len(rows))
    if len(rows) > ROWS_PER_PAGE:
        position_words = f"{first_row + 1:,} to {end_row:,} of {len(rows):,}"
        _draw_page_buttons(page, has_next=end_row < len(rows), position=position_words)
    return rows[first_row:end_row]


def _draw_page_buttons(page: int, *, has_next: bool, position: str = "") -> None:
    if not page and not has_next:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="pager"):
        if position:
            st.html(f'<p class="lx-soft">{position}</p>', width="content")
        st.button(
            "Previous", key="previous", disabled=not page, on_click=_open_page, args=(page - 1,)
        )
        st.button("Next", key="next", disabled=not has_next, on_click=_open_page, args=(page + 1,))


def _open_page(page: int) -> None:
    st.query_params["page"] = str(page)
