"""Reports name the strength of matches in the words of the screens, a tier only without strengths."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant import reports
from assistant.core.domain import Report, Strength, Tier
from assistant.passages.listing import rearranged
from assistant.report import contents
from assistant.report.view import ReportView
from assistant.ui.match_strength import match_strength
from tests.assistant import made_up
from tests.assistant.reports import forms


def report_with(strength: Strength | None, tier: Tier) -> Report:
    """Return the made-up report whose only match has a strength and a tier."""
    report = made_up.report()
    matched = report.sentences[0]
    match = replace(matched.matches[0], strength=strength, tier=tier)
    sentences = (replace(matched, tier=tier, matches=(match,)), *report.sentences[1:])
    return rearranged(replace(report, sentences=sentences))


CASES = [
    (Strength.STRONG, Tier.LIKELY, "strong"),
    (Strength.GOOD, Tier.LIKELY, "good"),
    (Strength.GOOD, Tier.POSSIBLE, "good"),
    (Strength.POSSIBLE, Tier.POSSIBLE, "possible"),
    (None, Tier.LIKELY, "likely"),
    (None, Tier.POSSIBLE, "possible"),
]


@pytest.mark.parametrize(("strength", "tier", "word"), CASES)
def test_the_word_is_that_of_the_screen(strength, tier, word):
    checked = report_with(strength, tier).sentences[0]

    assert contents.strength_word(checked) == word
    assert match_strength(checked.matches[0]) == word


def test_a_sentence_without_a_match_has_no_word():
    assert contents.strength_word(made_up.report().sentences[1]) == ""


@pytest.mark.parametrize(("strength", "tier", "word"), CASES)
def test_the_facts_of_a_report_count_each_strength(strength, tier, word):
    facts = dict(contents.report_facts(ReportView(report_with(strength, tier))))

    counted = {
        name: facts[name] for name in ("Strong", "Likely", "Good", "Possible") if name in facts
    }
    assert counted == {word.capitalize(): "1"}


@pytest.mark.parametrize("form", ["pdf", "md", "html"])
def test_documents_call_a_good_match_good_whatever_its_tier(form):
    file = reports.render(report_with(Strength.GOOD, Tier.LIKELY), form)
    words = forms.text_of(file, form)

    assert "good" in words
    assert "likely" not in words
