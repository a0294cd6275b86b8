"""Comments and assignments in a real browser: by keyboard, and accessible in both themes."""

from __future__ import annotations

import re

import pytest

from assistant.review.comment_store import CommentStore
from assistant.review.decision_store import DecisionStore
from tests.browser.conftest import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]
REPORT_ID = "cityhall"
FIELD = "Comment, @name tells a colleague"


def still(page) -> None:
    """Wait until the page is drawn."""
    page.locator("[data-test-script-state=notRunning]").first.wait_for()


def open_review(page, address: str, name: str) -> None:
    """Open the review of a debate under a name."""
    page.goto(f"{address}/review?report={REPORT_ID}")
    page.get_by_text("decided", exact=False).first.wait_for()
    still(page)
    page.get_by_label("Your name").first.focus()
    page.keyboard.type(name)
    page.keyboard.press("Enter")
    page.get_by_placeholder(FIELD).wait_for()
    still(page)


def comment_texts(app) -> list[str]:
    url = f"sqlite:///{app.home / 'lectern.db'}"
    with CommentStore.open(url) as store:
        keys = [
            thread.key
            for debate in store.debates()
            for thread in store.of_debate(debate.document, "", None)
        ]
        threads = store.comments(keys).values()
        return [comment.text for comments in threads for comment in comments]


def decision_count(app) -> int:
    with DecisionStore.open(f"sqlite:///{app.home / 'lectern.db'}") as store:
        return len(store.all())


def test_a_comment_is_written_by_keyboard_alone(page, app):
    """The key c opens the field; letters in it decide nothing; the row counts the comment."""
    decided_before = decision_count(app)
    comments_before = comment_texts(app)
    open_review(page, app.url, "Dana")

    page.keyboard.press("c")
    page.keyboard.type("yes, now look: same year?")
    page.keyboard.press("Enter")
    page.locator(".lx-comment", has_text="yes, now look: same year?").first.wait_for()

    new_texts = [text for text in comment_texts(app) if text not in comments_before]
    assert new_texts == ["yes, now look: same year?"]
    assert decision_count(app) == decided_before
    count_words = re.compile(r"^\d+ comments?$")
    page.get_by_text(count_words).first.wait_for()
    page.keyboard.press("Escape")
    assert page.complaints == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_thread_and_menus_are_accessible(chromium, app, theme):
    page = chromium.new_page(viewport={"width": 1366, "height": 768}, color_scheme=theme)
    open_review(page, app.url, f"Erin {theme}")
    page.keyboard.press("c")
    page.keyboard.type("Look @Bob")
    page.keyboard.press("Enter")
    page.get_by_text("isn't one known person").wait_for()

    assert violations(page, theme) == []
    page.get_by_role("button", name="Assign").first.click()
    page.get_by_label("Person").first.wait_for()
    still(page)
    assert violations(page, theme) == []
