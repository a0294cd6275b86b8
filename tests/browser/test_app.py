"""The app in a real browser, on real models.

A transcript goes in, the ranked list, the card and a file come out.
"""

from __future__ import annotations

import json
import shutil

import pytest

from assistant import reports
from assistant.report import wording
from tests.assistant.reports import forms
from tests.assistant.ui import factory
from tests.browser.conftest import PATIENCE_S, downloaded, violations

TEXT = """City hall debate, 12 March 2024

MODERATOR: Good evening, and welcome.
REYES: {statement}
WHITFIELD: I think we can do better than that, and we will.
REYES: My grandmother grew the best tomatoes in the valley.
"""

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def checked(browser, app, vclaims, tmp_path_factory):
    """Upload and check a short debate once; return the address of its results."""
    path = tmp_path_factory.mktemp("upload") / "debate.txt"
    path.write_text(TEXT.format(statement=vclaims[0].statement), "utf-8")
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(app.url)
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_role("button", name="Check transcript", exact=True).click()
    page.locator(".st-key-card").wait_for()
    url = page.url
    page.close()
    return url


def test_a_transcript_becomes_a_ranked_list_with_its_proof(page, checked, vclaims):
    """The sentence that a fact-check settles is first.

    Its card has publisher, rating, statement and article.
    """
    page.goto(checked)
    page.locator(".lx-facts").wait_for()

    assert vclaims[0].statement in page.locator(".row .text").first.inner_text()
    card = page.locator(".st-key-card").inner_text()
    assert f"{wording.publisher(vclaims[0])} rated this claim {vclaims[0].rating}" in card
    assert vclaims[0].statement in card
    assert page.get_by_text("The whole article").is_visible()
    assert page.elsewhere == []
    assert page.complaints == []


def test_keys_move_search_and_keep_silent_while_typing(page, checked):
    """j and k move, / searches, and letters typed there are only letters; the address follows."""
    page.goto(checked + "&tier=likely&tier=possible&tier=no+match&tier=dropped")
    page.locator(".lx-turns").wait_for()
    first_id = page.locator('.row[aria-selected="true"]').get_attribute("id")

    page.keyboard.press("j")
    page.wait_for_url("**s=*")
    second = page.locator('.row[aria-selected="true"]').get_attribute("id")
    page.keyboard.press("k")
    page.wait_for_url(f"**s={first_id.removeprefix('lx-row-')}*")
    page.keyboard.press("/")
    page.keyboard.type("jkjk tomatoes")
    page.wait_for_url("**q=jkjk*")

    assert first_id != second
    assert page.locator(".empty").inner_text() == "No statement fits these filters."


@pytest.mark.slow
def test_a_row_opens_the_passages_that_are_folded_below_it(page, app):
    """By key and by click; each has its own card and address, and closing leads back to the row."""
    factory.keep(app.home, "passages", factory.passages(60))
    page.goto(f"{app.url}/?report=passages&s=4")
    page.locator(".lx-facts").wait_for()
    page.locator('.row[aria-selected="true"] .also').wait_for()

    page.keyboard.press("o")
    page.locator("#lx-row-23").click()
    page.wait_for_url("**s=23*")
    page.locator(".lx-chosen-sentence", has_text=factory.LINES[6]).wait_for()
    assert violations(page, "light") == []
    assert page.locator(".below").count() == 3
    page.locator(".also").first.click()
    page.wait_for_url("**s=4*")

    assert page.locator('.row[aria-selected="true"]').evaluate_all(
        "rows => rows.map(r => r.id)"
    ) == ["lx-row-4"]
    assert page.complaints == []
    assert page.locator(".below").count() == 0

    page.keyboard.press("j")
    page.wait_for_url(lambda url: "s=4" not in url)
    page.locator("#lx-row-4 .also").click()
    page.wait_for_url("**s=4*")  # the card comes along with the row that is chosen
    page.locator("#lx-row-23").wait_for()


def test_the_list_of_keys_opens_and_closes(page, checked):
    """? shows the keys, and hides them again."""
    page.goto(checked)
    page.locator('.row[aria-selected="true"]').wait_for()

    page.keyboard.press("?")
    page.locator("dialog.keys").wait_for(state="visible")
    page.keyboard.press("?")
    page.locator("dialog.keys").wait_for(state="hidden")


def test_a_report_is_exported_without_a_rerun(page, checked, vclaims):
    """The JSON that is downloaded holds the sentence, its rank and its match."""
    page.goto(checked)
    page.locator(".lx-facts").wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_text("More forms and data").click()
    path = downloaded(page, page.get_by_role("button", name="JSON", exact=True))

    report = json.loads(path.read_bytes())
    best = next(s for s in report["sentences"] if s["rank"] == 1)
    assert report["schema"] == "lectern.report/1"
    assert vclaims[0].id == best["matches"][0]["claim"]["id"]


@pytest.mark.slow
def test_from_the_upload_to_the_opened_files(page, checked, app, vclaims, tmp_path):
    """What was uploaded and found is confirmed by a person, and stands so in every file that comes down."""
    page.add_init_script("localStorage.setItem('lectern.name', 'Ada Lynn')")
    page.goto(f"{app.url}/review?{checked.partition('?')[2]}")
    page.locator(".st-key-do_confirm button:not([disabled])").wait_for()
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    page.keyboard.press("y")
    page.get_by_text("1 confirmed").first.wait_for()
    page.get_by_role("button", name="Export").click()
    page.get_by_text("More forms and data").click()

    for name in (form for form in reports.FORMATS if form not in ("srt", "vtt")):
        shutil.copy(
            downloaded(page, page.locator(f".st-key-export_{name} button")), tmp_path / name
        )
        words = "".join(forms.text_of((tmp_path / name).read_bytes(), name).split())
        assert "".join(vclaims[0].statement.split()) in words
        assert "AdaLynn" in words or name == "txt"

    (tmp_path / "html").rename(tmp_path / "report.html")
    page.goto((tmp_path / "report.html").as_uri())
    assert page.locator("h3.status").first.inner_text() == "Confirmed"


@pytest.mark.slow
def test_another_session_sees_the_same_report(chromium, checked):
    """The address alone brings the results back, in a browser that never saw them."""
    page = chromium.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    page.goto(checked)

    page.locator(".lx-facts").wait_for()


LOOK = """City hall debate, 12 March 2024

MODERATOR: Good evening, and welcome to the city hall.
REYES: The bridge opened in 1937, and it cost 35 million dollars.
WHITFIELD: Unemployment fell to three percent last year.
REYES: My grandmother grew the best tomatoes in the valley.
MODERATOR: A question from the floor.
WHITFIELD: Schools have 12 percent more teachers than four years ago.
Delgado: And smaller classes too.
REYES: That is not in the report.
"""


@pytest.mark.slow
def test_a_reading_is_corrected_before_the_check(page, app, playwright, tmp_path):
    """A doubtful label is accepted with a click, and a speaker gets a name that is typed."""
    path = tmp_path / "look.txt"
    path.write_text(LOOK, "utf-8")
    page.goto(app.url)
    page.locator("input[type=file]").first.set_input_files(path)
    page.get_by_role("button", name="Delgado is a speaker").click()
    page.locator(".lx-first b", has_text="Delgado").wait_for()
    new_name = page.get_by_label("New name of REYES, or a speaker to merge with")
    # the form of the run before stays for a moment
    playwright.expect(new_name).to_have_count(1)
    new_name.fill("Alma Reyes")
    page.keyboard.press("Enter")
    page.locator(".lx-first b", has_text="Alma Reyes").first.wait_for()
    page.set_viewport_size({"width": 390, "height": 844})

    names = page.locator(".lx-first b").all_inner_texts()
    assert names.count("Alma Reyes") == 3
    assert "REYES" not in names
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page, "light") == []
    assert page.elsewhere == []
    assert page.complaints == []
