"""Forms to add a missed match or a fact-check during a review."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from zlib import crc32

import streamlit as st

from assistant.check import meaning_search
from assistant.claims import manual_entry
from assistant.core.access import Role
from assistant.core.clean_text import without_direction_marks
from assistant.core.domain import CheckedSentence, Decision, Report, Sentence, VerifiedClaim
from assistant.core.errors import DecisionConflict, LecternError
from assistant.jobs.check_service import job_spec_of
from assistant.report import wording
from assistant.report.view import ReportView
from assistant.reports.markdown_form import escape_markdown
from assistant.review import deciding
from assistant.review.decision_placement import DecidedReport
from assistant.ui import account, article_offer, sentence_list
from assistant.ui.shared_resources import audit_log, check_service, claim_index, decisions
from assistant.ui.shown_text import draw_error, draw_warning
from assistant.web import fetching

MAX_QUERY_CHARACTERS = 300
SEARCH_LIMIT = 8  # fact-checks that a search for a missed match shows
MANUAL_SOURCE = "added by hand"
SHORTENED_KEY = "shortened_articles"  # in the session state, shown once, after the rerun
FIELD_LABELS = {
    "statement": "The claim that was checked",
    "rating": f"The publisher's rating, in its own words (or “{manual_entry.NO_RATING}”)",
    "publisher": "Publisher",
    "url": "Address of the article",
    "claimant": "Who said it",
    "claim_date": "Said on (2024-09-10)",
    "review_date": "Date of the fact-check (2024-09-12)",
    "title": "Title of the article",
    "body": "Text of the article",
}


def draw_missed_match_form(
    decided_report: DecidedReport, number: int, *, has_decision_bar: bool
) -> None:
    """Let a reviewer add a missed match; ``number`` is the sentence under review.

    ``has_decision_bar``: the card has the field for a name already.
    """
    if not account.has_role(Role.REVIEWER):
        return
    with st.container(border=True, key="missed"):
        if not has_decision_bar:
            account.remember_name()
        sentences = {
            checked_sentence.sentence.number: checked_sentence.sentence
            for checked_sentence in decided_report.report.sentences
        }
        numbers = list(sentences)
        chosen_number = st.selectbox(
            "Sentence",
            numbers,
            index=numbers.index(number),
            format_func=lambda option: _sentence_option(sentences[option]),
            key=f"missed_sentence_{number}",
        )
        query = st.text_input(
            "Search the fact-checks", key="missed_search", type="search", live="300ms"
        )
        query = (query or "")[:MAX_QUERY_CHARACTERS].strip()
        found_claims = _found_claims(query, sentences[chosen_number].text)
        if not found_claims:
            st.html('<p class="lx-soft">No fact-check has these words. It can be added below.</p>')
            return
        claims = {vclaim.id: vclaim for vclaim in found_claims}
        claim_id = st.radio(
            "Fact-check",
            list(claims),
            format_func=lambda option: _claim_option(claims[option]),
            # a key per search: another search begins with its first result
            key=f"missed_claim_{crc32(query.encode())}",
        )
        refusal = account.review_refusal()
        if refusal:  # why the button is grey
            st.html(f'<p class="lx-warn">{refusal}</p>')
            if not has_decision_bar:
                account.name_field()
        is_incomplete = bool(refusal) or claim_id is None
        if st.button("Add as confirmed", key="missed_add", disabled=is_incomplete):
            _add_match(decided_report, chosen_number, claim_id)


def _found_claims(search_words: str, sentence: str) -> list[VerifiedClaim]:
    """Return the fact-checks with all words of a query, then the nearest to it in meaning.

    Without a query, the nearest to the sentence. If no index can be opened, the newest.
    """
    service = check_service()
    with service.store() as store:
        claims = store.search(search_words, limit=SEARCH_LIMIT) if search_words else []
        if len(claims) == SEARCH_LIMIT:
            return claims
        try:
            nearest_hits = meaning_search.nearest_fact_checks(
                claim_index(),
                service.settings.profile,
                search_words or sentence,
                limit=SEARCH_LIMIT,
            )
        except LecternError:
            return claims or store.search("", limit=SEARCH_LIMIT)
        claim_by_id = {claim.id: claim for claim in claims}
        further_ids = [hit.claim_id for hit in nearest_hits if hit.claim_id not in claim_by_id]
        claim_by_id.update(store.many(further_ids))
    return list(claim_by_id.values())[:SEARCH_LIMIT]


def _sentence_option(sentence: Sentence) -> str:
    speaker = sentence.speaker or sentence_list.UNKNOWN_SPEAKER
    return without_direction_marks(f"{sentence.number}. {speaker}: {sentence.text}")


def draw_fact_check_forms(report: Report) -> None:
    """Let an editor add a fact-check; the open debate is then checked again with it."""
    show_shortened(is_final=True)
    if not account.has_role(Role.EDITOR):
        return
    with st.expander("Add a fact-check", key="bring"):
        st.html(
            '<p class="lx-soft">It is indexed and this debate is checked again with it. '
            "Decisions stay.</p>"
        )
        link_tab, json_tab, form_tab = st.tabs(["By link", "By JSON-LD", "By form"])
        with link_tab:
            _draw_link_form(report)
        with json_tab, st.form("by_json", border=False):
            page_url = st.text_input(
                "Address of the page it is from", placeholder="https://", key="bring_page"
            )
            json_text = st.text_area(
                "JSON-LD of the page's ClaimReview", height=160, key="bring_json"
            )
            if st.form_submit_button("Add it"):
                _store_and_check(report, lambda: manual_entry.from_json(json_text, page_url))
        with form_tab, st.form("by_form", border=False):
            field_values = {name: _draw_text_field(name) for name in manual_entry.FORM_FIELDS}
            if st.form_submit_button("Add this fact-check"):
                _store_and_check(report, lambda: [manual_entry.from_form(field_values)])


def show_shortened(*, is_final: bool) -> None:
    """Say which articles of the fact-checks that were just added had to be shortened.

    ``is_final``: the new report is drawn, so that the lines are not shown again.
    """
    lines = st.session_state.get(SHORTENED_KEY, ())
    if is_final:
        st.session_state.pop(SHORTENED_KEY, None)
    for line in lines:  # one per article
        draw_warning(f"Article shortened: {line}")


def _claim_option(claim: VerifiedClaim) -> str:
    """Return a fact-check as an option to choose, its mark-up escaped."""
    return escape_markdown(f"{claim.statement} ({wording.rating_sentence(claim)})")


def _draw_link_form(report: Report) -> None:
    if not account.may_fetch():
        st.html(f'<p class="lx-soft">{article_offer.FETCHING_NOT_ALLOWED}</p>')
        return
    with st.form("by_link", border=False):
        st.html('<p class="lx-soft">This asks the page at the address, and nothing else.</p>')
        url = st.text_input("Address of the article", placeholder="https://", key="bring_url")
        if st.form_submit_button("Read its ClaimReview"):
            # the filter of addresses keeps a server from asking machines of its own network
            _store_and_check(
                report, lambda: manual_entry.from_link(url, is_allowed=fetching.allowed_addresses())
            )


def _draw_text_field(name: str) -> str:
    draw = st.text_area if name == "body" else st.text_input
    return draw(FIELD_LABELS[name], key=f"bring_{name}_field")


def _add_match(placed: DecidedReport, number: int, claim_id: str) -> None:
    """Score a sentence against a fact-check, store the match as confirmed, and open it."""
    try:
        with st.spinner("Measuring the sentence against the fact-check"):
            from assistant import pipeline
            from assistant.review import manual_matches

            settings = check_service().settings
            index = pipeline.open_index(settings)
            match = manual_matches.match_sentence_with_claim(
                placed.report, number, claim_id, index, settings.profile
            )
        decision = Decision("confirm", by=account.name(), note="added by hand")
        deciding.decide(decisions(), placed, (number, match), decision)
    except DecisionConflict as error:
        draw_warning(error)
    except LecternError as error:
        draw_error(error)
    else:
        # with the new decision the report has the match, at some rank
        decided_report = deciding.decided_report(decisions(), placed.report).report
        rank = _rank_of(ReportView(decided_report).sentence(number), claim_id)
        st.query_params["s"] = str(number)
        st.query_params["match"] = str(rank)
        st.session_state["missed_for"] = None
        st.rerun()


def _rank_of(checked_sentence: CheckedSentence | None, claim_id: str) -> int:
    if checked_sentence is not None:
        for match in checked_sentence.matches:
            if match.claim.id == claim_id:
                return match.rank
    return 1


def _store_and_check(report: Report, read_claims: Callable[[], Iterable[VerifiedClaim]]) -> None:
    """Store the fact-checks, check the debate again, and open the new report."""
    service = check_service()
    try:
        with st.spinner("Reading"):
            claims = read_claims()
        with audit_log().noted(account.actor_name(), "add fact-check"), service.store() as store:
            import_report = store.upsert(claims, source=account.signed_source(MANUAL_SOURCE))
    except LecternError as error:
        draw_error(error)
        return
    if import_report.refused:
        draw_error("; ".join(import_report.refused))
        return
    if import_report.shortened:
        st.session_state[SHORTENED_KEY] = import_report.shortened
    # with older fact-checks only, if the report has only those
    as_of_event = bool(report.manifest.settings.get("as_of_event"))
    job = service.start(job_spec_of(report, as_of_event=as_of_event))
    st.query_params["report"] = job.id
    st.rerun()
