"""Forms to add, during a review, a match that the search missed or a fact-check that the database lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from assistant.claims import manual_entry
from assistant.core.access import Role
from assistant.core.domain import Decision, Report, VerifiedClaim
from assistant.core.errors import DecisionConflict, LecternError
from assistant.jobs.check_service import job_spec_of
from assistant.report import wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import plain
from assistant.review import deciding
from assistant.review.decision_placement import Placed
from assistant.ui import account, article_offer, sentence_list
from assistant.ui.shared_resources import audit_log, decisions, desk
from assistant.web import fetching

SEARCH_LIMIT = 8  # fact-checks that a search for a missed match shows
MANUAL_SOURCE = "added by hand"
FIELD_LABELS = {
    "statement": "The claim that was checked",
    "rating": "The publisher's rating, in its own words",
    "publisher": "Publisher",
    "url": "Address of the article",
    "claimant": "Who said it",
    "claim_date": "Said on (2024-09-10)",
    "review_date": "Checked on (2024-09-12)",
    "title": "Title of the article",
    "body": "Text of the article",
}


def missed_match(placed: Placed, number: int) -> None:
    """Let a reviewer add a match that was not found; ``number`` is the sentence under review."""
    if not account.may(Role.REVIEWER):
        return
    with st.expander("Add a missed match", key="missed"):
        texts = {c.sentence.number: c.sentence for c in placed.report.sentences}
        numbers = list(texts)
        chosen = st.selectbox(
            "Sentence",
            numbers,
            index=numbers.index(number),
            format_func=lambda n: (
                f"{n}. {texts[n].speaker or sentence_list.UNKNOWN_SPEAKER}: {texts[n].text}"
            ),
            key=f"missed_sentence_{number}",
        )
        text = st.text_input(
            "Search the fact-checks", key="missed_search", type="search", live="300ms"
        )
        with desk().store() as store:
            claims = {vclaim.id: vclaim for vclaim in store.search(text or "", limit=SEARCH_LIMIT)}
        if not claims:
            st.html('<p class="lx-soft">No fact-check has these words. It can be added below.</p>')
            return
        claim_id = st.radio(
            "Fact-check", list(claims), format_func=lambda i: _option(claims[i]), key="missed_claim"
        )
        if st.button(
            "Add as confirmed", key="missed_add", disabled=not account.name() or claim_id is None
        ):
            _add_match(placed, chosen, claim_id)


def fact_check(report: Report) -> None:
    """Let an editor add a fact-check; the open debate is then checked again with it."""
    if not account.may(Role.EDITOR):
        return
    with st.expander("Add a fact-check", key="bring"):
        st.html(
            '<p class="lx-soft">It is indexed and this debate is checked again with it. Decisions stay.</p>'
        )
        link, markup, form = st.tabs(["By link", "By JSON-LD", "By form"])
        with link:
            _by_link(report)
        with markup, st.form("by_json", border=False):
            page_url = st.text_input(
                "Address of the page it is from", placeholder="https://", key="bring_page"
            )
            text = st.text_area("JSON-LD of the page's ClaimReview", height=160, key="bring_json")
            if st.form_submit_button("Add it"):
                _store_and_check(report, lambda: manual_entry.from_json(text, page_url))
        with form, st.form("by_form", border=False):
            field_values = {name: _field(name) for name in manual_entry.FORM_FIELDS}
            if st.form_submit_button("Add this fact-check"):
                _store_and_check(report, lambda: [manual_entry.from_form(field_values)])


def _by_link(report: Report) -> None:
    if not account.may_fetch():
        st.html(f'<p class="lx-soft">{article_offer.NOT_ALLOWED}</p>')
        return
    with st.form("by_link", border=False):
        st.html('<p class="lx-soft">This asks the page at the address, and nothing else.</p>')
        url = st.text_input("Address of the article", placeholder="https://", key="bring_url")
        if st.form_submit_button("Read its ClaimReview"):
            _store_and_check(
                report, lambda: manual_entry.from_link(url, may=fetching.allowed_addresses())
            )


def _field(name: str) -> str:
    draw = st.text_area if name == "body" else st.text_input
    return draw(FIELD_LABELS[name], key=f"bring_{name}_field")


def _option(vclaim: VerifiedClaim) -> str:
    """Return a fact-check as an option to choose, its mark-up escaped."""
    return plain(f"{vclaim.statement} ({wording.rating_sentence(vclaim)})")


def _add_match(placed: Placed, number: int, claim_id: str) -> None:
    """Measure sentence and fact-check, store the match as confirmed, and show it."""
    try:
        with st.spinner("Measuring the sentence against the fact-check"):
            from assistant import pipeline
            from assistant.review import manual_matches

            at = desk()
            index = pipeline.open_index(at.settings)
            match = manual_matches.pair(placed.report, number, claim_id, index, at.settings.profile)
        decision = Decision("confirm", by=account.name(), note="added by hand")
        deciding.decide(decisions(), placed, (number, match), decision)
    except DecisionConflict as error:
        st.warning(plain(str(error)))
    except LecternError as error:
        st.error(plain(str(error)))
    else:
        again = ReportView(deciding.placed(decisions(), placed.report).report)
        checked = again.sentence(number)
        ranks = [m.rank for m in checked.matches if m.claim.id == claim_id] if checked else [1]
        st.query_params["at"] = f"{number}.{ranks[0]}"
        st.rerun()


def _store_and_check(report: Report, read_claims: Callable[[], Iterable[VerifiedClaim]]) -> None:
    """Store the fact-checks and check the debate again; the URL leads to the new report."""
    try:
        with st.spinner("Reading"):
            claims = read_claims()
        with audit_log().noted(account.actor_name(), "add fact-check"), desk().store() as store:
            import_report = store.upsert(claims, source=account.signed_source(MANUAL_SOURCE))
    except LecternError as error:
        st.error(plain(str(error)))
        return
    if import_report.refused:
        st.error(plain("; ".join(import_report.refused)))
        return
    as_of_event = bool(report.manifest.settings.get("as_of_event"))
    st.query_params["report"] = desk().start(job_spec_of(report, as_of_event=as_of_event)).id
    st.rerun()
