"""A whole debate reviewed by keyboard alone in a real browser, and every export opened."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from dataclasses import replace
from datetime import date

import pytest

from assistant import reports
from assistant.core.domain import Decision
from assistant.report.view import ReportView
from assistant.review import deciding, review_queue
from assistant.review.decision_store import DecisionStore
from ranking import trec
from tests.assistant.reports import forms
from tests.assistant.ui import factory
from tests.browser.conftest import PATIENCE_S, downloaded, violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]
REPORT_ID = "cityhall"
SOON_MS = 30_000  # for a click that would never have an effect
TITLES = ("City hall debate", "Another debate")


@pytest.fixture
def home(app):
    """The home folder of the served app."""
    return app.home


@pytest.fixture
def address(app):
    """The address of the served app."""
    return app.url


def records(home) -> list:
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        return [
            record for record in store.all() if record.decision and record.anchor.title in TITLES
        ]


def decided(home) -> list[str]:
    return [record.decision.verdict for record in records(home)]


def wait_for_decisions(page, home, verdicts: list[str]) -> None:
    """Wait until the decisions are stored."""
    for _ in range(SOON_MS // 100):
        if sorted(decided(home)) == verdicts:
            return
        page.wait_for_timeout(100)
    assert sorted(decided(home)) == verdicts


def keep_with_a_confirmed_match(home, report_id: str) -> None:
    """Store a debate of its own with one decision.

    It is of another day: the same sentences on one day are one debate.
    """
    report = factory.report(40)
    source = replace(report.transcript.source, sha256="2" * 64)
    transcript = replace(
        report.transcript, source=source, title="Exported debate", event_date=date(2024, 10, 1)
    )
    own_report = replace(report, transcript=transcript)
    factory.keep(home, report_id, own_report)
    with DecisionStore.open(f"sqlite:///{home / 'lectern.db'}") as store:
        placed = deciding.decided_report(store, own_report)
        item = review_queue.items(ReportView(placed.report), every_match=True)[0]
        match = (item.checked.sentence.number, item.match)
        deciding.decide_all(store, placed, [match], Decision("confirm", "", "Ada Lynn"))


def progress(page, progress_text: str) -> None:
    page.get_by_text(progress_text, exact=False).first.wait_for()


def still(page) -> None:
    """Wait until the page is drawn: its buttons and fields come and go while it is drawn anew."""
    page.locator("[data-test-script-state=notRunning]").first.wait_for()


def press(page, key: str) -> None:
    still(page)
    page.keyboard.press(key)


def test_a_debate_is_reviewed_by_keyboard_alone(page, address, home):
    """Name typed, then one key a match; letters typed into a note decide nothing; undo goes back.

    The rest is done.
    """
    page.goto(f"{address}/review?report={REPORT_ID}")
    progress(page, "0 of 16 statements decided")
    still(page)
    page.get_by_label("Your name").first.focus()
    page.keyboard.type("Ada Lynn")
    page.keyboard.press("Enter")  # leaves the field: the next letter is a key
    page.locator(".st-key-do_confirm button:not([disabled])").wait_for()

    press(page, "y")
    progress(page, "1 of 16 statements decided: 1 confirmed")
    press(page, "n")
    page.locator(".st-key-reason_2 button").wait_for()
    press(page, "2")
    # the statement has other matches, so it is still undecided
    wait_for_decisions(page, home, ["confirm", "reject"])
    progress(page, "1 of 16 statements decided: 1 confirmed")
    press(page, "u")
    wait_for_decisions(page, home, ["confirm"])
    still(page)
    page.get_by_label("Note").focus()
    page.keyboard.type("yes, lucky new year")
    page.keyboard.press("Tab")
    assert decided(home) == ["confirm"]
    press(page, "l")
    progress(page, "1 of 16 statements decided: 1 confirmed, 1 later")
    for done in range(2, 16):
        press(page, "y")
        progress(page, f"{done} of 16 statements decided")
    press(page, "y")  # the one that was put off comes last

    progress(page, "All done")
    assert decided(home) == ["confirm"] * 16
    assert {record.decision.by for record in records(home)} == {"Ada Lynn"}
    assert "yes, lucky new year" in {record.decision.note for record in records(home)}
    assert page.elsewhere == []
    assert page.complaints == []

    page.goto(f"{address}/?report={REPORT_ID}")  # Review has nothing left to decide
    page.locator(".st-key-do_confirm button:not([disabled])").wait_for()
    page.get_by_role("button", name="Decided by").click()
    assert page.get_by_label("Your name").input_value() == "Ada Lynn"
    assert "Ada" not in page.url


def test_letters_typed_while_the_next_match_is_drawn_stay_in_the_note(page, address, home):
    """The field under the fingers is replaced.

    They go on in the new one, and none of them decides anything.
    """
    page.add_init_script("localStorage.setItem('lectern.name', 'Ada Lynn')")
    page.goto(f"{address}/review?report=other")
    page.locator(".st-key-do_later button:not([disabled])").wait_for()
    progress(page, "0 of 16 statements decided")
    still(page)
    early_decisions = decided(home)
    note_box = page.get_by_label("Note").bounding_box()
    for put_off in (1, 2, 3):
        page.locator("h1").click()
        page.wait_for_timeout(1000)  # the note that is left now is sent first
        still(page)
        press(page, "l")
        page.mouse.click(note_box["x"] + 30, note_box["y"] + note_box["height"] / 2)
        page.keyboard.type("yes, lucky new year", delay=40)
        progress(page, f"{put_off} later")
        still(page)

        assert page.get_by_label("Note").input_value() == "yes, lucky new year"
        assert sorted(decided(home)) == [*early_decisions, *["later"] * put_off]


NAMED = "localStorage.setItem('lectern.name', 'Ada Lynn')"


@pytest.mark.parametrize(
    ("role", "name", "drawn"),
    [
        ("radio", "Transcript", ".scroll.transcript"),
        ("radio", "Report", ".st-key-report_choice"),
        ("button", "Export", ".st-key-main_forms button"),
        ("button", "New check", ".st-key-upload"),
    ],
)
def test_a_click_out_of_a_note_reaches_what_was_clicked(page, address, role, name, drawn):
    """The field and the control are in different fragments, or the control is in none."""
    page.add_init_script(NAMED)
    page.goto(f"{address}/?report=other&view=Review")
    page.locator(".st-key-do_later button:not([disabled])").wait_for()
    still(page)
    page.get_by_label("Note").click()
    page.keyboard.type("half a note")

    page.get_by_role(role, name=name, exact=True).click()

    page.locator(drawn).first.wait_for(timeout=SOON_MS)


def test_a_click_out_of_a_note_reaches_a_filter(page, address):
    """The list is another fragment than the card with the note."""
    page.add_init_script(NAMED)
    page.goto(f"{address}/?report=other&view=Review")
    page.locator(".st-key-do_later button:not([disabled])").wait_for()
    still(page)
    page.get_by_role("button", name="More", exact=True).click()
    every_match = page.get_by_role("radio", name="All", exact=True)
    every_match.wait_for()
    still(page)
    count_before = page.locator(".lx-progress").inner_text()
    page.get_by_label("Note").evaluate("(field) => field.focus()")
    page.keyboard.type("half a note")

    every_match.click()

    page.wait_for_function(
        "before => document.querySelector('.lx-progress').innerText !== before",
        arg=count_before,
        timeout=SOON_MS,
    )


def test_a_click_out_of_the_field_for_a_name_reaches_a_view(page, address):
    """The name asks for the list and the card, which are not the whole page."""
    page.goto(f"{address}/?report=other&view=Review")
    page.get_by_label("Your name").first.click()
    page.keyboard.type("Ada Lynn")

    page.get_by_role("radio", name="Report", exact=True).click()

    page.locator(".st-key-report_choice").wait_for(timeout=SOON_MS)


def test_the_form_for_a_missed_match_knows_the_name_that_the_browser_remembers(page, address):
    """Also on the card of a statement without a match, opened by a link."""
    unmatched = next(checked for checked in factory.report(40).sentences if not checked.matches)
    page.add_init_script(NAMED)
    page.goto(f"{address}/?report=other&view=Transcript&s={unmatched.sentence.number}")
    page.locator(".st-key-ask_missed button").click()

    page.locator(".st-key-missed_add button:not([disabled])").wait_for()
    assert page.get_by_label("Your name").count() == 0


def test_the_chosen_row_is_in_sight_after_a_reload(page, address):
    """The list was scrolled to its end, while the first row was chosen."""
    page.goto(f"{address}/?report=other")
    scrolled_list = page.locator(".st-key-list .scroll")
    page.locator(".row").nth(8).wait_for()
    still(page)
    scrolled_list.evaluate("list => list.scrollTo(0, list.scrollHeight)")
    page.wait_for_function("() => (sessionStorage.getItem('lectern.place') ?? '').length > 0")
    page.reload()
    chosen_row = page.locator('.row[aria-selected="true"]')
    chosen_row.wait_for()
    still(page)

    list_box = scrolled_list.bounding_box()
    row_box = chosen_row.bounding_box()
    assert list_box["y"] <= row_box["y"]
    assert row_box["y"] + row_box["height"] <= list_box["y"] + list_box["height"]


def test_every_export_starts_without_a_rerun_and_opens(page, address):
    """Each form of the menu comes down, opens, and names the person who reviewed."""
    page.goto(f"{address}/review?report={REPORT_ID}")
    progress(page, "16 of 16 statements decided")
    page.get_by_role("button", name="Export").click()
    page.get_by_text("More forms and data").click()
    page.evaluate("window.same = document.querySelector('.st-key-list')")

    files = {}
    for name in (*reports.FORMATS, "evaluation"):
        files[name] = downloaded(page, page.locator(f".st-key-export_{name} button")).read_bytes()

    assert page.evaluate(
        "window.same === document.querySelector('.st-key-list') && window.same.isConnected"
    )
    assert (
        json.loads(files["json"])["sentences"][1]["matches"][0]["decision"]["verdict"] == "confirm"
    )
    for name in (form for form in reports.FORMATS if form not in ("json", "srt")):
        assert name == "txt" or "Ada Lynn" in forms.text_of(files[name], name).replace("\n", " ")
    with zipfile.ZipFile(io.BytesIO(files["evaluation"])) as archived:
        qrels = trec.read_qrels(archived.read("qrels.tsv").decode().splitlines())
    assert sum(grade for grades in qrels.values() for grade in grades.values()) == 16


def test_the_exported_page_opens_in_the_browser(page, address, home, tmp_path):
    """Confirmed matches first, no script, nothing asked of the network."""
    keep_with_a_confirmed_match(home, "exported")
    page.goto(f"{address}/?report=exported&view=Review")
    progress(page, "1 of 16 statements decided")
    page.get_by_role("button", name="Export").click()
    shutil.copy(
        downloaded(page, page.locator(".st-key-export_html button")), tmp_path / "report.html"
    )

    page.goto((tmp_path / "report.html").as_uri())

    assert page.locator("h3.status").first.inner_text() == "Confirmed"


@pytest.mark.parametrize("theme", ["light", pytest.param("dark", marks=pytest.mark.long)])
def test_the_page_keeps_the_rules_of_accessibility(chromium, address, theme):
    """No serious violation in either theme."""
    page = chromium.new_page(color_scheme=theme, viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(f"{address}/review?report=other")  # some matches are still undecided
    page.locator(".lx-facts").first.wait_for()
    page.wait_for_load_state("networkidle")

    assert violations(page, theme) == []
