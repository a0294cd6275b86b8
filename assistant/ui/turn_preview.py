"""The first turns of a transcript as they were read, with the speakers in their colours."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby

from assistant.core.domain import Sentence, Transcript
from assistant.report import wording
from assistant.ui.shown_text import escape
from assistant.ui.theme import VOICE_COLOURS

SHOWN_TURNS = 20
SHOWN_CHARACTERS = 240  # per turn
UNKNOWN_CLASS = "lx-nobody"
UNKNOWN_WORDS = "Speaker unknown"
DOUBTFUL_WORDS = "▲ may begin with a speaker label"


@dataclass(frozen=True, slots=True)
class SpokenTurn:
    """Consecutive sentences of one speaker, None if unknown."""

    speaker: str | None
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        return " ".join(sentence.text for sentence in self.sentences)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the sentences."""
        return tuple(sentence.number for sentence in self.sentences)


def turns_of(transcript: Transcript) -> list[SpokenTurn]:
    """Return the turns of a transcript in reading order."""
    return [
        SpokenTurn(speaker, tuple(sentences))
        for speaker, sentences in groupby(transcript, key=lambda sentence: sentence.speaker)
    ]


def colour_classes(speakers: Sequence[str | None]) -> dict[str | None, str]:
    """Return the CSS class of each speaker, by the order of the speakers."""
    class_by_speaker: dict[str | None, str] = {None: UNKNOWN_CLASS}
    named_speakers = [speaker for speaker in speakers if speaker]
    for index, speaker in enumerate(named_speakers):
        # with more speakers than colours the colours begin again
        class_by_speaker[speaker] = f"lx-{VOICE_COLOURS[index % len(VOICE_COLOURS)]}"
    return class_by_speaker


def turns_html(
    turns: Sequence[SpokenTurn],
    class_by_speaker: dict[str | None, str],
    doubtful_lines: Collection[int],
) -> str:
    """Return the first turns as HTML, and the number of the sentences that follow them.

    Turns have no total: some files part the turns of one speaker, whom this list joins.
    """
    turn_items = [
        _turn_html(turn, class_by_speaker.get(turn.speaker, ""), doubtful_lines)
        for turn in turns[:SHOWN_TURNS]
    ]
    html = f'<ol class="lx-first">{"".join(turn_items)}</ol>'
    omitted_count = sum(len(turn.sentences) for turn in turns[SHOWN_TURNS:])
    if omitted_count > 0:
        html += f'<p class="lx-soft">and {wording.count(omitted_count, "more sentence")}</p>'
    return html


def turn_words(turn: SpokenTurn, max_characters: int = SHOWN_CHARACTERS) -> str:
    """Return the text of a turn, shortened at a space."""
    text = turn.text
    if len(text) <= max_characters:
        return text
    whole_words, _, _ = text[:max_characters].rpartition(" ")
    return f"{whole_words or text[:max_characters]} …"


def _turn_html(turn: SpokenTurn, colour_class: str, doubtful_lines: Collection[int]) -> str:
    first_sentence = turn.sentences[0]
    position = f"line {first_sentence.line}"
    if first_sentence.start is not None:
        position = wording.clock(first_sentence.start)
    notes = ""
    if any(sentence.line in doubtful_lines for sentence in turn.sentences):
        notes = f' <span class="lx-mixture lx-soft">{DOUBTFUL_WORDS}</span>'
    return (
        f'<li class="{colour_class}"><b>{escape(turn.speaker or UNKNOWN_WORDS)}</b>'
        f'<span class="lx-time">{position}</span>{notes}<p>{escape(turn_words(turn))}</p></li>'
    )
