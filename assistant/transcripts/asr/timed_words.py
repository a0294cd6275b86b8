"""Joins timed words into pieces of speech that are short enough to be placed in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from assistant.transcripts.asr.json_fields import as_seconds, as_text, speaker_from_json
from assistant.transcripts.speech_pieces import Piece

PAUSE_S = 2.0
TIME_TOLERANCE_S = 0.001
_SENTENCE_ENDS = (".", "?", "!", "…", '."', '?"', '!"', ".”", "?”", "!”")


@dataclass(frozen=True, slots=True)
class RecognisedWord(Piece):
    """A recognised word; ``is_glued`` marks punctuation that belongs to the word before."""

    is_glued: bool = False


def joined_pieces(words: Iterable[RecognisedWord]) -> list[Piece]:
    """Return words joined up to a change of speaker, the end of a sentence, or a long pause."""
    runs: list[list[RecognisedWord]] = []
    for word in words:
        if not word.text:
            continue
        if runs and (word.is_glued or not _begins_piece(runs[-1], word)):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [_piece(run) for run in runs]


def _begins_piece(run: list[RecognisedWord], word: RecognisedWord) -> bool:
    """Return whether a word begins a new piece."""
    if run[-1].text.endswith(_SENTENCE_ENDS) or word.speaker != run[0].speaker:
        return True
    ends = [previous_word.end for previous_word in run if previous_word.end is not None]
    if not ends or word.start is None:
        return False
    return word.start - ends[-1] > PAUSE_S


def _piece(run: list[RecognisedWord]) -> Piece:
    text = ""
    starts = []
    ends = []
    for word in run:
        text += word.text if word.is_glued else f" {word.text}"
        if word.start is not None:
            starts.append(word.start)
        if word.end is not None:
            ends.append(word.end)
    start = min(starts, default=None)
    end = max(ends, default=None)
    return Piece(" ".join(text.split()), run[0].line, run[0].speaker, start, end)


def split_by_words(turn: Piece, word_entries: Sequence[Mapping[str, Any]]) -> list[Piece]:
    """Return a turn divided where its words name another speaker than the turn itself.

    The words of a recogniser know their speaker better than the segment around them. A word
    without a speaker belongs to the one before it.
    """
    spoken_words = []
    speaker = None
    for entry in word_entries:
        speaker = speaker_from_json(entry.get("speaker")) or speaker
        text = as_text(entry.get("punctuated_word") or entry.get("word") or entry.get("text"))
        spoken_words.append(
            (speaker, text, as_seconds(entry.get("start")), as_seconds(entry.get("end")))
        )
    spoken_words = _without_strays(spoken_words)
    speakers = {speaker for speaker, _, _, _ in spoken_words if speaker}
    joined_text = "".join(text for _, text, _, _ in spoken_words)
    is_complete = "".join(joined_text.split()) == "".join(turn.text.split())
    if len(speakers) < 2 or not is_complete:
        sole_speaker = next(iter(speakers)) if len(speakers) == 1 else None
        speaker = turn.speaker or sole_speaker or _commonest([word[0] for word in spoken_words])
        return [Piece(turn.text, turn.line, speaker, turn.start, turn.end, turn.starts_turn)]
    divided = []
    for run_speaker, run_words in groupby(spoken_words, key=lambda word: word[0]):
        run = list(run_words)
        text = " ".join(text for _, text, _, _ in run)
        starts = [start for _, _, start, _ in run if start is not None]
        ends = [end for _, _, _, end in run if end is not None]
        start = min(starts, default=None)
        end = max(ends, default=None)
        divided.append(Piece(text, turn.line, run_speaker or turn.speaker, start, end, True))
    return divided


_SpokenWord = tuple[str | None, str, float | None, float | None]


def _without_strays(words: Sequence[_SpokenWord]) -> list[_SpokenWord]:
    """Return words of which none alone, inside a sentence, has another speaker than the rest.

    A recogniser mistakes the speaker of single words where one turn follows another.
    """
    mended: list[_SpokenWord] = []
    for index, word in enumerate(words):
        speaker = word[0]
        previous = mended[-1] if mended else None
        following = words[index + 1] if index + 1 < len(words) else None
        goes_on = not _ends_sentence(word)
        continues = previous is not None and not _ends_sentence(previous)
        neighbours = [neighbour for neighbour in (previous, following) if neighbour]
        is_single = all(neighbour[0] != speaker for neighbour in neighbours)
        if is_single and previous and continues:
            speaker = previous[0]
        elif is_single and following and goes_on:
            speaker = following[0]
        mended.append((speaker, *word[1:]))
    return mended


def _ends_sentence(word: _SpokenWord) -> bool:
    return word[1].endswith(_SENTENCE_ENDS)


def _commonest(speakers: Sequence[str | None]) -> str | None:
    """Return the most frequent speaker, None if there is none."""
    known_speakers = [speaker for speaker in speakers if speaker]
    return max(known_speakers, key=known_speakers.count, default=None)
