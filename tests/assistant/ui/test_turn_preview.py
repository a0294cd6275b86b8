"""The first turns before a check: speakers in their colours, doubtful lines marked, text escaped."""

from __future__ import annotations

from assistant.core.domain import Sentence, Source, Transcript
from assistant.ui.theme import VOICE_COLOURS
from assistant.ui.turn_preview import (
    SHOWN_TURNS,
    colour_classes,
    turn_words,
    turns_html,
    turns_of,
)


def transcript(*spoken):
    sentences = [
        Sentence(number, number, text, speaker)
        for number, (speaker, text) in enumerate(spoken, start=1)
    ]
    return Transcript("Debate", None, Source("a.txt", "text", "d" * 64), tuple(sentences))


def test_consecutive_sentences_of_a_speaker_are_one_turn():
    turns = turns_of(
        transcript(("Ann", "One."), ("Ann", "Two."), (None, "Three."), ("Ann", "Four."))
    )

    assert [(turn.speaker, turn.text) for turn in turns] == [
        ("Ann", "One. Two."),
        (None, "Three."),
        ("Ann", "Four."),
    ]


def test_speakers_have_colours_in_their_order_and_the_unknown_one_has_none():
    classes = colour_classes(["Ann", None, "Bob"])

    assert classes == {"Ann": "lx-voicea", "Bob": "lx-voiceb", None: "lx-nobody"}


def test_more_speakers_than_colours_begin_again():
    names = [f"Person {letter}" for letter in "ABCDEFGHIJ"]

    assert colour_classes(names)[names[len(VOICE_COLOURS)]] == "lx-voicea"


def test_only_the_first_turns_are_shown_and_the_number_of_the_others():
    turns = turns_of(transcript(*[(f"Speaker {n}", "Yes.") for n in range(SHOWN_TURNS + 3)]))
    html = turns_html(turns, {}, ())

    assert html.count("<li") == SHOWN_TURNS
    assert "and 3 more sentences" in html


def test_names_and_words_are_escaped():
    turns = turns_of(transcript(("<b>Ann</b>", 'The <img src="https://x.example/p.png">.')))
    html = turns_html(turns, {}, ())

    assert "<img" not in html
    assert "<b>Ann</b>" not in html
    assert "&lt;b&gt;Ann&lt;/b&gt;" in html


def test_a_line_that_may_begin_with_a_label_is_marked():
    turns = turns_of(transcript(("Ann", "Yes."), (None, "Bob: No.")))

    assert turns_html(turns, {}, {2}).count("may begin with a speaker label") == 1


def test_a_long_turn_ends_at_a_space():
    (turn,) = turns_of(transcript(("Ann", "word " * 100)))

    assert turn_words(turn, 12) == "word word …"
