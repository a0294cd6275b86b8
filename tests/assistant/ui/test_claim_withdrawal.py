"""Withdrawing and restoring a fact-check on the page of fact-checks."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from assistant.ui import shared_resources
from tests.assistant.ui.conftest import PATIENCE_S

PAGE = Path(shared_resources.__file__).parent / "pages" / "claims_page.py"


def withdrawn():
    """Return id and reason of every withdrawn fact-check."""
    with shared_resources.check_service().store() as store:
        return [(withdrawal.claim.id, withdrawal.why) for withdrawal in store.withdrawn()]


def test_a_fact_check_is_withdrawn_with_its_reason_and_restored(home):
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S).run()
    claim_id = app.selectbox(key="withdraw_claim").value
    app.text_input(key="withdraw_why").set_value("retracted").run()

    app.button(key="withdraw").click().run()
    after_withdrawal = withdrawn()
    app.button(key=f"restore_{claim_id}").click().run()

    assert not app.exception
    assert after_withdrawal == [(claim_id, "retracted")]
    assert withdrawn() == []


def test_a_search_without_results_offers_no_fact_check_to_withdraw(home):
    app = AppTest.from_file(str(PAGE), default_timeout=PATIENCE_S)
    app.query_params["find"] = "zebra"
    app.run()

    assert not app.exception
    assert [box.key for box in app.selectbox if box.key == "withdraw_claim"] == []
    assert [button.key for button in app.button if button.key == "withdraw"] == []
