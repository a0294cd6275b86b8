"""Words put together to stretches that can be placed in time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words, split_by_words
from assistant.transcripts.speech_pieces import SpeechPiece


def test_a_sentence_a_speaker_and_a_pause_end_a_stretch() -> None:
    """Full stop, change of speaker, two seconds of silence."""
    words = [
        RecognisedWord("Rents", 1, "A", 0.0, 0.4),
        RecognisedWord("fell.", 2, "A", 0.5, 0.9),
        RecognisedWord("No", 3, "B", 1.0, 1.2),
        RecognisedWord("they", 4, "A", 1.2, 1.4),
        RecognisedWord("rose", 5, "A", 4.0, 4.4),
    ]
    expected = [
        ("Rents fell.", "A", 0.0, 0.9),
        ("No", "B", 1.0, 1.2),
        ("they", "A", 1.2, 1.4),
        ("rose", "A", 4.0, 4.4),
    ]
    assert [
        (piece.text, piece.speaker, piece.start, piece.end) for piece in pieces_of_words(words)
    ] == expected


def test_punctuation_of_its_own_is_glued_to_the_word_before() -> None:
    """No space before it, and it ends the sentence."""
    words = [
        RecognisedWord("Rents", 1, None, 0.0, 0.4),
        RecognisedWord(",", 2, joins_previous_word=True),
        RecognisedWord("yes", 3, None, 0.5, 0.9),
        RecognisedWord(".", 4, joins_previous_word=True),
    ]
    assert [piece.text for piece in pieces_of_words(words)] == ["Rents, yes."]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["we", "build.", "nine", "no?"]), st.sampled_from(["A", "B", None])
        )
    )
)
def test_no_word_is_lost(timed_texts: list[tuple[str, str | None]]) -> None:
    """All words come out, in order, each with its speaker."""
    words = [
        RecognisedWord(text, i, speaker, float(i), i + 0.5)
        for i, (text, speaker) in enumerate(timed_texts, 1)
    ]
    spoken = [
        (word, piece.speaker) for piece in pieces_of_words(words) for word in piece.text.split()
    ]
    assert timed_texts == spoken


def test_a_single_word_inside_a_sentence_divides_no_turn() -> None:
    """A recogniser mistakes the speaker of single words between two turns."""
    turn = SpeechPiece("Director Geary. Thank you all.", 1, "BOB", 0.0, 5.0, True)
    speakers = ["ANN", "BOB", "BOB", "BOB", "ANN"]
    entries = []
    for speaker, text in zip(speakers, turn.text.split(), strict=True):
        entries.append({"speaker": speaker, "word": text})
    divided = [(piece.speaker, piece.text) for piece in split_by_words(turn, entries)]
    assert divided == [("BOB", "Director Geary. Thank you all.")]


def test_a_sentence_of_one_word_keeps_its_speaker() -> None:
    """An answer is often a single word."""
    turn = SpeechPiece("Did it fall? No. Thank you.", 1, "ANN", 0.0, 5.0, True)
    speakers = ["ANN", "ANN", "ANN", "BOB", "ANN", "ANN"]
    entries = []
    for speaker, text in zip(speakers, turn.text.split(), strict=True):
        entries.append({"speaker": speaker, "word": text})
    divided = [(piece.speaker, piece.text) for piece in split_by_words(turn, entries)]
    assert divided == [("ANN", "Did it fall?"), ("BOB", "No."), ("ANN", "Thank you.")]
