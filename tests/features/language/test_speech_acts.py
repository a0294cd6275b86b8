"""Speech acts: what states something, and what asks, addresses or only names."""

from __future__ import annotations

import pytest

from features.language.speech_acts import is_question, states_something


@pytest.mark.parametrize(
    "text",
    [
        "They banned face masks in Hong Kong, right?",
        "Unemployment is the lowest in fifty years. Isn't that something?",
        "We voted for the Iraq War, didn't we?",
        "When I was governor, taxes fell by half, right?",
        "What we did was to cut taxes by half, okay?",
        "It costs $30 trillion.",
        "It costs $30 trillion, Mr. Bloomberg.",
        "Half of all children.",
        "Let me give you an example: taxes rose by 5 percent.",
        "Let me give you two examples of 40 closed schools.",
        "I would like to see lower taxes.",
        "I've been in Congress 17 years.",
        "Ohio 51 percent, Iowa 40.",
        "Crime is down in New York.",
        "Taxes rise.",
        "I have won Ohio.",
        "Hillary Clinton voted for the war in Iraq.",
        "UNEMPLOYMENT FELL BY THREE PERCENT",
        "What we need is lower taxes.",
        "Die Arbeitslosigkeit steigt.",
        "我们的税收增加了。",
        "Did she raise taxes? She did: taxes rose by 4 percent.",
    ],
)
def test_a_statement_states_something(text):
    assert states_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "Why is that?",
        "Do you know that 36 million people cannot afford their prescriptions?",
        "So, Mr. Biden, is it true that you voted for the war?",
        "Would you raise your hand",
        "“Will taxes go up?”",
        "Senator Warren, thank you. Will taxes go up?",
        "Haben die Steuern zugenommen?",
        "I'd like to hear from him about how leaving our allies makes us safer.",
        "And I would love to know why taxes went up by 5 percent.",
        "Did the country make progress in ending poverty over fifty years, yes or no?",
        "Why is it that we do not guarantee health care to all people as a human right?",
        "Thank you. And has crime gone down in your city since 2015, yes or no?",
    ],
)
def test_a_question_states_nothing(text):
    assert is_question(text)
    assert not states_something(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mayor Buttigieg --",
        "Thank you, Senator Klobuchar.",
        "Governor, your response.",
        "So, Senator Warren, you're up.",
        "Let me turn to Mayor Buttigieg.",
        "MAYOR BUTTIGIEG, THANK YOU.",
        "Donald Trump.",
        "(APPLAUSE)",
        "1.1 percent.",
        "Let me give a specific example, and that is student loan debt.",
        "Well, let me give you an example.",
        "Fifteen dollars an hour.",
        "Thirty-three million, Senator Klobuchar.",
        "Not communism, Mr. Bloomberg.",
        "",
    ],
)
def test_a_name_or_a_form_of_address_states_nothing(text):
    assert not is_question(text)
    assert not states_something(text)
