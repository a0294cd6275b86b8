"""Words out of a stretch of speech, by Whisper, without what it invents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assistant.ground.domain import Word
from assistant.hearing.decoding import RATE
from assistant.hearing.model import SpeechModel
from assistant.hearing.stretches import Samples

HOT_CHARACTERS = 400  # of names and terms: more of them push out the sound
NO_SPEECH, LEAST_LOGPROB, MOST_REPEATED = 0.6, -1.0, 2.4  # Whisper's own thresholds (Radford et al. 2022, section 4.5)
TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # faster-whisper's own: tried in turn while a threshold is missed
LOOP = 4  # times that the same words follow each other before the rest is a loop
_WORDS_IN_LOOP = 8
_LETTER = re.compile(r"[^\W_]")


def recognise(model: SpeechModel, samples: Samples, start_s: float = 0.0, hot_words: str = "") -> list[Word]:
    """Return the words in at most thirty seconds of sound, with times from ``start_s``."""
    segments, _ = model.whisper.transcribe(
        samples,
        language="en" if not model.whisper.model.is_multilingual else None,
        beam_size=5,
        temperature=TEMPERATURES,
        condition_on_previous_text=False,
        without_timestamps=True,
        word_timestamps=True,
        no_speech_threshold=NO_SPEECH,
        log_prob_threshold=LEAST_LOGPROB,
        compression_ratio_threshold=MOST_REPEATED,
        hotwords=hot_words[:HOT_CHARACTERS] or None,
    )
    longest = len(samples) / RATE
    words: list[Word] = []
    for segment in segments:
        if segment.compression_ratio > MOST_REPEATED:
            continue
        for word in segment.words or ():
            start, end = min(word.start, longest), min(word.end, longest)
            words.append(
                Word(word.word, round(start_s + start, 2), round(start_s + end, 2), round(word.probability, 3))
            )
    return without_loops(_joined(words))


def _joined(words: Sequence[Word]) -> list[Word]:
    """Return Whisper's words without the space before each; what follows without one belongs to the word before."""
    joined: list[Word] = []
    for word in words:
        text = word.text.strip()
        glued = bool(joined) and not word.text.startswith(" ")
        if glued or (joined and text and not _LETTER.search(text)):
            before = joined[-1]
            least = min(before.probability, word.probability)
            joined[-1] = Word(before.text + text, before.start, max(before.end, word.end), least)
        elif text:
            joined.append(Word(text, word.start, word.end, word.probability))
    return joined


def without_loops(words: Sequence[Word]) -> list[Word]:
    """Return the words without loops: of one to eight words that follow each other four times or more, one is kept."""
    kept: list[Word] = []
    keys: list[str] = []
    looping = 0
    for word in words:
        kept.append(word)
        keys.append(word.text.casefold().strip(".,!?"))
        size = next((size for size in range(1, _WORDS_IN_LOOP + 1) if _loops(keys, size)), 0)
        if size:
            del kept[-1 if looping == size else -size * (LOOP - 1) :]
        looping = size
    return kept


def _loops(keys: Sequence[str], size: int) -> bool:
    return len(keys) >= size * LOOP and keys[-size * LOOP :] == keys[-size:] * LOOP
