"""The rules say nothing about texts that are too long to be one statement, and count as little as they can."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from features.language import role_exchange, sentence_parts, speech_acts
from features.language.agreement import agreement, are_comparable, marks, particulars, roundings
from features.language.conflicts import clashes
from features.language.inversions import is_inversion
from features.language.open_parts.noted_parts import noted_parts
from features.language.open_parts.partial_coverage import uncovered_parts
from features.language.open_parts.whole_statements import says_whole_statement
from features.language.text_limits import MAX_CHARACTERS, MAX_FIGURES, MAX_JOINTS
from features.language.text_pairs import analyse_text, pair_texts

STATEMENT = "Unemployment in Kestrel Bay fell to 4 percent."
SENTENCE = "Unemployment in Kestrel Bay fell to 9 percent."
LONG = f"{STATEMENT} {'It was good news. ' * 200}"
TABLE = f"{STATEMENT} {'1 2 3 ' * 30}"


@pytest.mark.parametrize("long_text", [LONG, TABLE])
def test_nothing_is_said_of_a_text_that_is_too_long(long_text: str) -> None:
    """The figure of a long statement differs, but the rest of the statement may explain it."""
    assert clashes(SENTENCE, STATEMENT)
    assert not are_comparable(SENTENCE, long_text)
    assert clashes(SENTENCE, long_text) == {}
    assert clashes(long_text, SENTENCE) == {}
    assert set(agreement(SENTENCE, long_text).values()) == {"missing"}
    assert marks(SENTENCE, long_text) == ((), ())
    assert roundings(SENTENCE, long_text) == ()
    assert uncovered_parts(long_text, SENTENCE) == noted_parts(long_text, SENTENCE) == ()
    assert not is_inversion(SENTENCE, long_text)
    assert not says_whole_statement(long_text, STATEMENT)


def test_a_text_at_the_limits_is_compared() -> None:
    """Neither the last character nor the last figure is too much."""
    longest = SENTENCE.ljust(MAX_CHARACTERS, "x")
    assert are_comparable(longest)
    assert not are_comparable(longest + "x")
    shares = " and ".join(["1 percent"] * MAX_FIGURES)
    assert len(particulars(shares).numbers) == MAX_FIGURES
    assert not are_comparable(f"{shares} and 1 percent")


def test_exchanged_figures_are_looked_up_by_value(monkeypatch: pytest.MonkeyPatch) -> None:
    """The values of 50 figures are read once each, not once for each pair and figure."""
    counted = Mock(wraps=role_exchange._value)
    monkeypatch.setattr(role_exchange, "_value", counted)
    percentages = [f"{number} percent" for number in range(1, 51)]
    text_pair = pair_texts(
        analyse_text("Taxes rose by " + " and ".join(percentages)),
        analyse_text("Taxes rose by " + " and ".join(reversed(percentages))),
        0,
        0,
    )
    assert role_exchange._exchanged_figures_clash(text_pair) is None
    assert counted.call_count < 500


@pytest.mark.parametrize("list_entry", ["1,", "uh, ", "x and ", "no one who "])
def test_a_list_with_too_many_marks_is_one_part(
    list_entry: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No joining word of it is looked at, and neither is one of a text that is too long."""
    looked_at = Mock(wraps=sentence_parts._part_start)
    monkeypatch.setattr(sentence_parts, "_part_start", looked_at)
    for text in (list_entry * (MAX_JOINTS + 1), list_entry * MAX_CHARACTERS):
        assert len(sentence_parts.split(text)) == 1
    assert looked_at.call_count == 0
    joined = "She won the vote, and he lost it" + ", and he paid" * 10
    assert len(sentence_parts.split(joined)) > 1
    assert looked_at.call_count > 0


def test_each_word_is_looked_at_once_for_capitals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a text is in capitals is one question for all of its words."""
    asked = Mock(wraps=speech_acts._are_all_capitals)
    monkeypatch.setattr(speech_acts, "_are_all_capitals", asked)
    assert not speech_acts.states_something("1 2 3 " * 300)
    assert speech_acts.states_something("The ferries were sold " * 300)
    assert asked.call_count <= 4
