"""The page Patterns: what MTM has learnt, in words and figures, and sentences of stored articles."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from streamlit.testing.v1 import AppTest

from assistant import pipeline
from assistant.explain import key_sentences, patterns
from assistant.explain.key_sentences import Explainers
from assistant.explain.patterns import Example, LearntPatterns, Pattern
from assistant.ui import pattern_tables
from tests.assistant.ui import factory
from tests.assistant.ui.conftest import PATIENCE_S
from tests.assistant.ui.test_pages import PAGES, text

EVIL = "<script>alert(1)</script>"
LEARNT = LearntPatterns(
    (
        Pattern(3, 40, 0.25, (("evidence", 12), ("found", 9)), (("there is no evidence", 7),)),
        Pattern(0, 5, None, (), ()),
    ),
    (3, 1, 0, 0, 0, 0, 0, 0, 0, 2),
)


def read(html: str) -> BeautifulSoup:
    return BeautifulSoup(html, "html.parser")


def test_each_pattern_is_a_row_with_its_words_and_counts():
    """Phrases and words with counts, sentences, mean place; a pattern without words says so."""
    first_row, second = read(pattern_tables.patterns_table(LEARNT)).select("tbody tr")

    assert "“there is no evidence” 7" in first_row.get_text()
    assert "evidence 12, found 9" in first_row.get_text()
    assert [cell.get_text() for cell in first_row.select("td")[1:]] == ["40", "25%"]
    assert "no words of its own" in second.get_text()


def test_places_are_told_in_figures_beside_their_bars():
    """The largest share has the whole width; the shares are read, not seen only."""
    page = read(pattern_tables.positions_chart(LEARNT))

    assert [table_row.select("td")[1].get_text() for table_row in page.select("tbody tr")[:2]] == [
        "50%",
        "17%",
    ]
    assert page.select(".lx-share")[0]["style"] == "width:100%"
    assert "6 key sentences" in page.get_text()
    assert pattern_tables.positions_chart(LearntPatterns((), (0,) * 10)) == ""


def test_the_page_begins_with_phrases_and_without_numbers():
    """A pattern without phrases is left to the table with the numbers."""
    page = read(pattern_tables.phrases_list(LEARNT, "Not about truth."))

    assert [item.get_text() for item in page.select("li")] == ["there is no evidence"]
    assert not any(letter.isdigit() for letter in page.get_text())


def test_the_listed_phrases_are_those_of_the_patterns_with_most_sentences():
    many = tuple(
        Pattern(number, 90 - number, 0.5, (), ((f"phrase {number}", 3),)) for number in range(9)
    )
    page = read(pattern_tables.phrases_list(LearntPatterns(many, (1,) * 10), ""))

    listed = [item.get_text() for item in page.select("li")]
    assert listed == [f"phrase {number}" for number in range(pattern_tables.LISTED_PATTERNS)]


def test_a_pattern_is_chosen_by_its_words():
    """Its number and its most typical words."""
    assert pattern_tables.pattern_label(LEARNT, 3) == "3: there is no evidence, evidence, found"
    assert pattern_tables.pattern_label(LEARNT, 0) == "0: no words of its own"


def test_quoted_sentences_are_text():
    """With the claim of the article and its rating.

    Whatever an article holds is shown, not run.
    """
    page = read(
        pattern_tables.quotes_list(
            [(Example(0, EVIL, 0.1), factory.vclaim(1)), (Example(1, "Gone.", 0.2), None)]
        )
    )

    assert page.select("script") == []
    assert [quote.get_text() for quote in page.select("q")] == [EVIL, "Gone."]
    assert factory.vclaim(1).statement in page.get_text()
    assert "True" in page.get_text()


@pytest.fixture
def page(home, monkeypatch):
    """The page with two patterns, whose sentences are those of the first claim's article."""
    monkeypatch.setattr(patterns, "load_patterns", lambda: LEARNT)
    monkeypatch.setattr(key_sentences, "load", lambda profile: Explainers(mtm=object()))
    monkeypatch.setattr(
        pipeline, "open_index", lambda settings: type("Index", (), {"ids": ("claim-1",)})()
    )
    monkeypatch.setattr(
        patterns, "examples", lambda index, mtm: {3: (Example(0, "No evidence was found.", 0.1),)}
    )
    return AppTest.from_file(str(PAGES / "patterns_page.py"), default_timeout=PATIENCE_S)


def test_own_sentences_are_looked_for_when_asked(page):
    """Not before; then with the claim that each is about; a pattern without any says so."""
    page.run()
    assert not page.exception
    assert "there is no evidence" in text(page)
    assert "No evidence was found." not in text(page)

    page.button(key="find_pattern").click().run()
    assert "No evidence was found." in text(page)
    assert factory.vclaim(1).statement in text(page)

    page.selectbox(key="pattern").set_value(0).run()
    assert "No article that is stored here has a sentence near this pattern." in text(page)


def test_without_patterns_the_page_says_how_to_get_them(home, monkeypatch):
    """One line and the commands."""
    monkeypatch.setattr(patterns, "load_patterns", lambda: None)

    app = AppTest.from_file(str(PAGES / "patterns_page.py"), default_timeout=PATIENCE_S).run()

    assert "python -m training.mtm.train" in app.info[0].value
