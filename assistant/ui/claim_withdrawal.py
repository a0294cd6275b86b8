"""Withdraws fact-checks on the page of fact-checks, and makes withdrawn ones count again."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.claims.records import Withdrawal
from assistant.core.access import Role
from assistant.core.domain import VerifiedClaim
from assistant.core.errors import LecternError
from assistant.jobs.check_service import CheckService
from assistant.report import wording
from assistant.ui import account
from assistant.ui.shown_text import draw_error, escape

MAX_OPTION_CHARACTERS = 90
MAX_LISTED_WITHDRAWALS = 20


def withdrawal_panel(check_service: CheckService, page_claims: Sequence[VerifiedClaim]) -> None:
    """Draw the form that withdraws one of the fact-checks found, for those who may import."""
    if not account.has_role(Role.EDITOR):
        return
    # why the last click changed nothing
    refusal = st.session_state.pop("withdrawal_refused", "")
    if refusal:
        draw_error(refusal)
    if page_claims:
        _draw_form(check_service, page_claims)
    _withdrawn_list(check_service)


def _draw_form(check_service: CheckService, page_claims: Sequence[VerifiedClaim]) -> None:
    """Draw the choice of a fact-check, the reason and the button that withdraws it."""
    with st.expander("Withdraw a fact-check"):
        st.html(
            '<p class="lx-soft">A withdrawn fact-check matches nothing. Decisions on it stay '
            "readable, and you can restore it.</p>"
        )
        # only the fact-checks on the page of the search can be withdrawn
        labels = {vclaim.id: _claim_label(vclaim) for vclaim in page_claims}
        claim_id = st.selectbox(
            "Fact-check",
            list(labels),
            format_func=lambda chosen_id: labels.get(chosen_id, chosen_id),
            key="withdraw_claim",
        )
        withdrawal_reason = st.text_input(
            "Reason", key="withdraw_why", placeholder="retracted by its publisher"
        )
        st.button(
            "Withdraw",
            key="withdraw",
            on_click=_withdraw,
            args=(check_service, claim_id, withdrawal_reason.strip()),
        )


def _withdrawn_list(check_service: CheckService) -> None:
    """Draw the withdrawn fact-checks, newest first, each with a button that restores it."""
    with check_service.store() as store:
        withdrawals = store.withdrawn()
    if not withdrawals:
        return
    count = wording.count(len(withdrawals), "withdrawn fact-check")
    with st.expander(count):
        for withdrawal in withdrawals[:MAX_LISTED_WITHDRAWALS]:
            claim_id = withdrawal.claim.id
            with st.container(horizontal=True, gap="small", key=f"withdrawn_{claim_id}"):
                st.html(
                    f'<p class="lx-line">{escape(_withdrawal_line(withdrawal))}</p>',
                    width="stretch",
                )
                st.button(
                    "Restore",
                    key=f"restore_{claim_id}",
                    type="tertiary",
                    on_click=_restore,
                    args=(check_service, claim_id),
                )
        if len(withdrawals) > MAX_LISTED_WITHDRAWALS:
            st.html(
                f'<p class="lx-soft">The newest {MAX_LISTED_WITHDRAWALS} are shown. '
                "The command <code>claims withdrawn</code> lists all.</p>"
            )


def _claim_label(claim: VerifiedClaim) -> str:
    statement = claim.statement[:MAX_OPTION_CHARACTERS]
    return f"{wording.publisher(claim)}: {statement} ({claim.rating or 'no rating'})"


def _withdrawal_line(withdrawal: Withdrawal) -> str:
    """Return a withdrawn fact-check with its day, its reason and the person."""
    day = wording.day(withdrawal.withdrawn_at.date())
    line = f"{_claim_label(withdrawal.claim)}, withdrawn on {day}"
    if withdrawal.withdrawn_by:
        line += f" by {withdrawal.withdrawn_by}"
    if withdrawal.why:
        line += f": {withdrawal.why}"
    return line


def _withdraw(check_service: CheckService, claim_id: str, why: str) -> None:
    try:
        account.require(Role.EDITOR)
        with check_service.store() as store:
            store.withdraw([claim_id], why=why, withdrawn_by=_person(check_service))
    except LecternError as error:
        st.session_state["withdrawal_refused"] = str(error)


def _restore(check_service: CheckService, claim_id: str) -> None:
    try:
        account.require(Role.EDITOR)
        with check_service.store() as store:
            store.restore([claim_id], restored_by=_person(check_service))
    except LecternError as error:
        st.session_state["withdrawal_refused"] = str(error)


def _person(check_service: CheckService) -> str:
    """Return the name under which the log notes an action."""
    return account.name() or check_service.current_person()
