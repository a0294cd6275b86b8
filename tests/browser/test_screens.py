"""Every page and state in a real browser.

Accessible in both themes, nothing cut, no scrolling into emptiness.
"""

from __future__ import annotations

import pytest

from assistant.archive.archive_store import ArchiveStore
from assistant.claims.claim_store import ClaimStore
from tests.assistant.archive import conftest as debates
from tests.assistant.ui import factory
from tests.browser.conftest import violations

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDTHS = (390, 768, 1366, 1920)
FACTS = ".lx-facts"
PHONE_WIDTH = 800  # up to here the card is a sheet, and the timeline is behind a button
LIST_ROW = ".row .text"
# Each page and state: its address, and what is there once it is drawn.
STATES = {
    "first screen": ("", ".st-key-kept"),
    "results": ("?report=cityhall", ".matches_marks path"),
    "lanes": ("?report=cityhall&picture=lanes", ".matches_marks path"),
    "passages": ("?report=passages&topics=shown", ".matches_marks path"),
    "picture hidden": ("?report=cityhall&picture=off", FACTS),
    "transcript": ("?report=cityhall&view=Transcript", ".lx-turns"),
    "report": ("?report=cityhall&view=Report", ".lx-report-rows"),
    "everything": ("?report=cityhall&tier=likely&tier=possible&tier=no+match&tier=dropped", FACTS),
    "nothing left": ("?report=cityhall&q=zebra", ".empty"),
    "nothing found": ("?report=nothing", ".lx-turns"),
    "no such report": ("?report=none", ".stAlert"),
    "what to review": ("review", "h1"),
    "review": ("review?report=cityhall", "h1"),
    "live": ("live", "h1"),
    "archive": ("archive", ".lx-rated"),
    "archive, one claim": ("archive?claim=sample-1", ".mentions_marks path"),
    "archive, one speaker": ("archive?view=By+speaker", ".spoken_marks path"),
    "archive, debates": ("archive?view=Debates", ".lx-strip"),
    "archive, search": ("archive?view=Search&q=tunnel", ".lx-claim"),
    "claims": ("claims", ".lx-claim"),
    "claims, none": ("claims?find=zebra", ".lx-soft"),
    "alerts": ("alerts", "h1"),
    "patterns": ("patterns", ".lx-patterns"),
    "about": ("about", ".lx-lead"),
}
BEHIND_THE_LIST = (FACTS, ".lx-turns", ".matches_marks path")  # on a phone
# In every run those that most people see; the others in `make test-all`.
EACH_RUN = (
    "first screen",
    "passages",
    "transcript",
    "review",
    "live",
    "archive",
    "claims",
    "about",
)
SORTED = [
    pytest.param(state, marks=[] if state in EACH_RUN else pytest.mark.long) for state in STATES
]
# How far an element can be scrolled beyond the end of what is in it, and how far the page is wider
# than the window.
EMPTINESS = """() => {
  const found = [];
  const visit = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) visit(e.shadowRoot);
      if (!/auto|scroll/.test(getComputedStyle(e).overflowY) || e.scrollHeight <= e.clientHeight + 1) continue;
      const top = e.getBoundingClientRect().top - e.scrollTop;
      const ends = [...e.children].map((c) => c.getBoundingClientRect().bottom - top);
      const beyond = e.scrollHeight - Math.max(0, ...ends) - parseFloat(getComputedStyle(e).paddingBottom);
      if (beyond > 24 && e.tagName !== "TEXTAREA") found.push(`${e.className} ${Math.round(beyond)} px`);
    }
  };
  visit(document);
  const wide = document.documentElement.scrollWidth - window.innerWidth;
  return wide > 0 ? [...found, `page ${wide} px too wide`] : found;
}"""


@pytest.fixture(scope="module")
def served(app):
    """The app with reports of every kind."""
    reports = {"passages": factory.passages(60), "nothing": factory.report(60, matched=False)}
    for name, report in reports.items():
        factory.keep(app.home, name, report)
    url = f"sqlite:///{app.home / 'lectern.db'}"
    with ClaimStore.open(url) as claims, ArchiveStore.open(url) as archive:
        claims.upsert([debates.TUNNEL], source="test")
        debates.fill(archive)
    return app


def opened(page, served, state):
    """Open a state and wait until it is drawn."""
    path, there = STATES[state]
    if page.viewport_size["width"] <= PHONE_WIDTH and there in BEHIND_THE_LIST:
        there = LIST_ROW
    page.goto(f"{served.url}/{path}")
    page.locator(there).first.wait_for()
    page.locator("[data-test-script-state=notRunning]").first.wait_for()
    return page


@pytest.mark.parametrize("state", SORTED)
def test_a_state_is_accessible_by_day_and_by_night_and_ends_where_its_content_ends(
    page, served, state
):
    """No violation of any weight in either theme.

    Nothing scrolls into emptiness or is wider than the window.
    """
    opened(page, served, state)

    broken = violations(page, "light")
    empty = page.evaluate(EMPTINESS)
    page.emulate_media(color_scheme="dark")
    dark = violations(page, "dark")

    assert broken == []
    assert dark == []
    assert empty == []
    assert page.complaints == []


@pytest.mark.parametrize("menu", ["Filters", "More", "Export"])
def test_a_menu_is_readable_by_day_and_by_night(page, served, menu):
    """It is drawn beside the page, so that it inherits nothing from it."""
    opened(page, served, "passages")
    page.get_by_role("button", name=menu, exact=True).click()
    page.locator("[data-testid=stPopoverBody] button").first.wait_for()
    page.locator("[data-test-script-state=notRunning]").first.wait_for()

    broken = violations(page, "light")
    page.emulate_media(color_scheme="dark")
    dark = violations(page, "dark")

    assert broken == []
    assert dark == []


@pytest.mark.long
@pytest.mark.parametrize("zoom", [1, 2])
@pytest.mark.parametrize("state", STATES)
def test_nothing_is_cut_or_empty_at_any_width(chromium, served, state, zoom):
    """Telephone, tablet, laptop and desk, and each of them at twice the size."""
    for width in WIDTHS:
        page = chromium.new_page(viewport={"width": width // zoom, "height": 800 // zoom})
        opened(page, served, state)
        assert page.evaluate(EMPTINESS) == []
        page.close()


def test_a_row_of_the_transcript_cuts_names_before_it_runs_out_of_the_list(page, served):
    """The line below a sentence with everything that it may have stays inside its row."""
    opened(page, served, "transcript")
    fits = page.locator(".row .cell").first.evaluate("""(cell) => {
      const line = document.createElement("div");
      line.className = "under";
      const parts = {stance: "may say the opposite of", rating: "■ Mostly False", claim: "“It costs more.”",
        publisher: "A publisher with quite a long name", when: "Mar 2021", strength: "strong"};
      for (const [name, words] of Object.entries(parts)) {
        const part = document.createElement("span");
        part.className = name;
        part.textContent = words;
        line.append(part);
      }
      cell.append(line);
      return [line.scrollWidth <= line.clientWidth, line.querySelector(".publisher").clientWidth >= 48];
    }""")

    assert fits == [True, True]


def test_a_fault_of_scrolling_is_found(page, served):
    """The measure itself: a hidden element far below the content is reported."""
    opened(page, served, "about")
    page.evaluate("""() => {
      const far = document.createElement("span");
      far.style = "position: absolute; top: 9000px; width: 1px; height: 1px";
      const near = document.createElement("div");
      near.style.position = "relative";
      near.append(far);
      document.querySelector(".stMainBlockContainer").append(near);
    }""")

    assert page.evaluate(EMPTINESS) != []
