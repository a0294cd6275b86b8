"""Terms explain themselves where they stand."""

from __future__ import annotations

from assistant.ui import term_help


def test_every_term_of_a_line_is_explained_and_the_rest_stays_text():
    """Reached by keyboard, the explanation beside it; what comes from outside is escaped."""
    explained_html = term_help.explained("2 strong · <b> possibly")

    assert term_help.term("strong") in explained_html
    assert explained_html.count('tabindex="0"') == 1
    assert "&lt;b&gt; possibly" in explained_html


def test_explanations_are_one_or_two_short_sentences():
    """Read at one go."""
    assert all(len(words.split()) <= 25 for words in term_help.TERMS.values())
