"""Joins timed words into pieces of speech that are short enough to be placed in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from assistant.transcripts.asr.json_fields import seconds_or_none, speaker_from_json, text_or_empty
from assistant.transcripts.speech_pieces import SpeechPiece

PAUSE_S = 2.0
TIME_TOLERANCE_S = 0.001
_SENTENCE_ENDS = (".", "?", "!", "…", '."', '?"', '!"', ".”", "?”", "!”")


@dataclass(frozen=True, slots=True)
class RecognisedWord(SpeechPiece):
    """A recognised word; ``joins_previous_word`` marks punctuation that belongs to the word before."""

    joins_previous_word: bool = False


def pieces_of_words(words: Iterable[RecognisedWord]) -> list[SpeechPiece]:
    """Return words joined up to a change of speaker, the end of a sentence, or a long pause."""
    words_by_piece: list[list[RecognisedWord]] = []
    for word in words:
        if not word.text:
            continue
        is_first_word = not words_by_piece
        if is_first_word:
            words_by_piece.append([word])
        elif word.joins_previous_word or not _begins_piece(words_by_piece[-1], word):
            words_by_piece[-1].append(word)
        else:
            words_by_piece.append([word])
    return [_piece(piece_words) for piece_words in words_by_piece]


def _begins_piece(previous_words: list[RecognisedWord], word: RecognisedWord) -> bool:
    """Return whether a word begins a new piece behind the words of the previous one."""
    is_sentence_ended = previous_words[-1].text.endswith(_SENTENCE_ENDS)
    if is_sentence_ended or word.speaker != previous_words[0].speaker:
        return True
    known_ends_s = [previous.end for previous in previous_words if previous.end is not None]
    if not known_ends_s or word.start is None:
        return False
    pause_s = word.start - known_ends_s[-1]
    return pause_s > PAUSE_S


def _piece(words: list[RecognisedWord]) -> SpeechPiece:
    """Return words joined, with the time from the first start to the last end."""
    text = ""
    for word in words:
        # A mark like a comma is glued to the word before it.
        text += word.text if word.joins_previous_word else f" {word.text}"
    tidy_text = " ".join(text.split())
    first_word = words[0]
    start, end = _first_start_and_last_end(words)
    return SpeechPiece(tidy_text, first_word.line_number, first_word.speaker, start, end)


def split_by_words(
    turn: SpeechPiece, word_entries: Sequence[Mapping[str, Any]]
) -> list[SpeechPiece]:
    """Return a turn divided where its words name another speaker than the turn itself.

    The words of a recogniser know their speaker better than the segment around them. A word
    without a speaker belongs to the one before it.
    """
    words = _without_strays(_words_of_entries(word_entries, turn.line_number))
    speakers = {word.speaker for word in words if word.speaker}
    # The words can replace the text of the turn only if they have the same letters.
    letters_of_words = "".join("".join(word.text for word in words).split())
    letters_of_turn = "".join(turn.text.split())
    if len(speakers) < 2 or letters_of_words != letters_of_turn:
        speaker = turn.speaker or _commonest_speaker(words)
        return [replace(turn, speaker=speaker)]
    # One piece for each run of words with the same speaker
    divided_turn = []
    for speaker, neighbours in groupby(words, key=lambda word: word.speaker):
        speaker_words = list(neighbours)
        text = " ".join(word.text for word in speaker_words)
        start, end = _first_start_and_last_end(speaker_words)
        piece = SpeechPiece(text, turn.line_number, speaker or turn.speaker, start, end)
        divided_turn.append(replace(piece, starts_turn=True))
    return divided_turn


def _words_of_entries(
    word_entries: Sequence[Mapping[str, Any]], line_number: int
) -> list[RecognisedWord]:
    """Return the words of JSON objects; a word without a speaker has the speaker of the one before."""
    words = []
    speaker = None
    for entry in word_entries:
        speaker = speaker_from_json(entry.get("speaker")) or speaker
        text = text_or_empty(entry.get("punctuated_word") or entry.get("word") or entry.get("text"))
        start = seconds_or_none(entry.get("start"))
        end = seconds_or_none(entry.get("end"))
        words.append(RecognisedWord(text, line_number, speaker, start, end))
    return words


def _first_start_and_last_end(
    words: Sequence[RecognisedWord],
) -> tuple[float | None, float | None]:
    """Return the time of words, None if no word has one."""
    starts = [word.start for word in words if word.start is not None]
    ends = [word.end for word in words if word.end is not None]
    return min(starts, default=None), max(ends, default=None)


def _without_strays(words: Sequence[RecognisedWord]) -> list[RecognisedWord]:
    """Return words of which none alone, inside a sentence, has another speaker than the rest.

    A recogniser mistakes the speaker of single words where one turn follows another.
    """
    mended_words: list[RecognisedWord] = []
    for index, word in enumerate(words):
        previous_word = mended_words[-1] if mended_words else None
        next_word = words[index + 1] if index + 1 < len(words) else None
        neighbours = [neighbour for neighbour in (previous_word, next_word) if neighbour]
        is_single = all(neighbour.speaker != word.speaker for neighbour in neighbours)
        # A single word gets the speaker of the sentence in which it stands.
        if is_single and previous_word and not _ends_sentence(previous_word):
            word = replace(word, speaker=previous_word.speaker)
        elif is_single and next_word and not _ends_sentence(word):
            word = replace(word, speaker=next_word.speaker)
        mended_words.append(word)
    return mended_words


def _ends_sentence(word: RecognisedWord) -> bool:
    return word.text.endswith(_SENTENCE_ENDS)


def _commonest_speaker(words: Sequence[RecognisedWord]) -> str | None:
    """Return the most frequent speaker, None if there is none."""
    speakers = [word.speaker for word in words if word.speaker]
    return max(speakers, key=speakers.count, default=None)
