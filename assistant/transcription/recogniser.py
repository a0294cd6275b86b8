"""Words out of a stretch of speech, by Whisper, without what it invents.

A stretch is heard once, unless speech was skipped in it: faster-whisper's own loop hears what is
left behind the last word again, which costs as much as the whole stretch and is where it invents
words. It is decoded a second time with terms that may have been said, where the caller knows some.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.core.domain import Word
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.speech_segments import Samples, detect_speech
from assistant.transcription.whisper_model import SpeechModel

if TYPE_CHECKING:
    from faster_whisper.tokenizer import Tokenizer

Terms = Callable[[str], Sequence[str]]  # of what was heard, terms that may have been said
MAX_HINT_CHARACTERS = 400  # of names and terms: more of them push out the sound
BEFORE_WORDS = 60  # of what was said before, which the model goes on from
# Whisper's own thresholds (Radford et al. 2022, section 4.5)
NO_SPEECH = 0.6
LEAST_LOGPROB = -1.0
MOST_REPEATED = 2.4
TEMPERATURES = (
    0.0,
    0.2,
    0.4,
    0.6,
    0.8,
    1.0,
)  # Whisper's own: tried in turn while a threshold is missed
BEAM = 5
SAMPLES_OF_A_TEMPERATURE = 5
# what Whisper hears at a time, and the frames of a second
WHOLE_S = 30
FRAMES = 100
LEAST_PAD = 100  # frames of silence behind sound that is shorter
SKIPPED_S = 3.0  # that a single word takes: the model has skipped what was said there
LEAST_DIVIDED_S = 10.0  # of sound that is heard again in two parts
LESS_LIKELY = (
    4.0  # nats by which words that terms suggest may be less likely than those heard without them
)
LEAST_PROBABILITY = 1e-10
LOOP = 4  # times that the same words follow each other before the rest is a loop
_WORDS_IN_LOOP = 8
_LETTER = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class Earlier:
    """Sound that ends where a stretch begins, and the words that were heard in it.

    The stretch goes on from there.
    """

    samples: Samples
    text: str


def recognise(
    model: SpeechModel,
    samples: Samples,
    start_s: float = 0.0,
    hot_words: str = "",
    *,
    before: str = "",
    earlier: Earlier | None = None,
    terms: Terms | None = None,
    beam: int = BEAM,
    padded_s: float = WHOLE_S,
) -> list[Word]:
    """Return the words in at most thirty seconds of sound, with times from ``start_s``.

    ``before``: what was said before the sound. ``earlier``: what came just before it, and after ``before``; it counts
    among the thirty seconds, and its words are not returned again. ``terms``: given what is heard, the terms that may
    have been said; it is heard once more with them in mind. ``padded_s``: the sound is heard with silence behind it
    that makes it so long, as Whisper has learnt it with thirty seconds; less costs less.

    Sound in which the model skips what is said is heard again in two parts; the hearing with more
    words is returned.
    """
    ways: dict[str, Any] = {"terms": terms, "beam": beam, "padded_s": padded_s}
    words = _recognised(model, samples, start_s, hot_words, before, earlier, **ways)
    place = None if earlier else _where_to_divide(words, samples, start_s)
    if place is None:
        return words
    first = recognise(model, samples[:place], start_s, hot_words, before=before, **ways)
    said = " ".join([before, *(word.text for word in first)])
    second_s = start_s + place / SAMPLE_RATE_HZ
    second = recognise(model, samples[place:], second_s, hot_words, before=said, **ways)
    return max(words, [*first, *second], key=len)


def _where_to_divide(words: Sequence[Word], samples: Samples, start_s: float) -> int | None:
    """Return the pause nearest the middle of sound in which the model skips speech, as a sample.

    None if it does not.

    What it skips is within one long word: words are aligned with all of the sound.
    """
    ends = [start_s, *(word.end for word in words)]
    if len(samples) < LEAST_DIVIDED_S * SAMPLE_RATE_HZ or all(
        b - a <= SKIPPED_S for a, b in pairwise(ends)
    ):
        return None
    pauses = [part.end for part in detect_speech(samples)[:-1]]
    return min(pauses, key=lambda place: abs(place - len(samples) / 2), default=None)


def _recognised(
    model: SpeechModel,
    samples: Samples,
    start_s: float,
    hot_words: str,
    before: str,
    earlier: Earlier | None,
    *,
    terms: Terms | None,
    beam: int,
    padded_s: float,
) -> list[Word]:
    """Return the words of one hearing; see ``recognise``."""
    heard = np.concatenate([earlier.samples, samples]) if earlier else samples
    sound = _Sound.of(model, heard, earlier.text if earlier else "", beam, padded_s)
    tokens = sound.decoded(hot_words, before)
    if terms is not None:
        tokens = sound.decoded_with(terms, hot_words, before, tokens)
    given = len(sound.given)
    if len(tokens) <= given:
        return []
    first = start_s - (len(heard) - len(samples)) / SAMPLE_RATE_HZ
    longest = len(heard) / SAMPLE_RATE_HZ
    words = _joined([
        Word(
            part["word"],
            round(max(first + min(float(part["start"]), longest), start_s), 2),
            round(max(first + min(float(part["end"]), longest), start_s), 2),
            round(float(part["probability"]), 3),
        )
        for part in _after(sound.tokenizer, sound.aligned(tokens), given)
    ])  # fmt: skip
    return without_loops(words)


@dataclass(frozen=True)
class _Sound:
    """Sound that the encoder has heard, to be decoded one way or another.

    ``given``: the tokens of its first words.
    """

    model: SpeechModel
    tokenizer: Tokenizer
    encoded: Any
    frames: int
    given: list[int]
    beam: int

    @classmethod
    def of(
        cls, model: SpeechModel, samples: Samples, text: str, beam: int, padded_s: float
    ) -> _Sound:
        """Return samples as the encoder hears them; they begin with a text that is known."""
        from faster_whisper.audio import pad_or_trim

        tokenizer = _tokenizer(model)
        features = model.whisper.feature_extractor(samples)[..., :-1]
        frames = min(max(features.shape[-1] + LEAST_PAD, int(padded_s * FRAMES)), WHOLE_S * FRAMES)
        encoded = model.whisper.encode(pad_or_trim(features, frames))
        given = tokenizer.encode(f" {text}") if text else []
        return cls(model, tokenizer, encoded, features.shape[-1], given, beam)

    def decoded(self, hot_words: str, before: str) -> list[int]:
        """Return the tokens, from the given ones on, of the first temperature at which no threshold is missed.

        None where nobody speaks.
        """
        import ctranslate2
        from faster_whisper.transcribe import get_compression_ratio, get_suppressed_tokens

        best: tuple[float, list[int]] | None = None
        whisper = self.model.whisper
        prompt = _prompt(self.tokenizer, hot_words, before)
        ctranslate2.set_random_seed(0)  # the same sound has the same words
        for temperature in TEMPERATURES:
            ways: dict[str, Any] = {"beam_size": self.beam}
            if temperature:
                ways = {
                    "beam_size": 1,
                    "num_hypotheses": SAMPLES_OF_A_TEMPERATURE,
                    "sampling_topk": 0,
                }
                ways["sampling_temperature"] = temperature
            result = whisper.model.generate(
                self.encoded, [[*prompt, *self.given]], return_scores=True, return_no_speech_prob=True,
                suppress_tokens=get_suppressed_tokens(self.tokenizer, [-1]), max_length=whisper.max_length, **ways,
            )[0]  # fmt: skip
            tokens = [token for token in result.sequences_ids[0] if token < self.tokenizer.eot]
            likely = result.scores[0] * len(tokens) / (len(tokens) + 1)
            if result.no_speech_prob > NO_SPEECH and likely < LEAST_LOGPROB:
                return []
            if get_compression_ratio(self._text(tokens)) <= MOST_REPEATED:
                if likely >= LEAST_LOGPROB:
                    return tokens
                best = max(best or (likely, tokens), (likely, tokens))
        return best[1] if best else []

    def decoded_with(
        self, terms: Terms, hot_words: str, before: str, tokens: list[int]
    ) -> list[int]:
        """Return the tokens decoded with terms in mind, or those that were decoded without, if the sound speaks against
        the others: it is much less likely under them, by a model that knows neither terms nor what
        was said before.
        """
        named = [part for part in hot_words.split(", ") if part]
        expected = terms(self._text(tokens)) if len(tokens) > len(self.given) else ()
        if not expected:
            return tokens
        again = self.decoded(", ".join([*named, *expected]), before)
        if again == tokens or len(again) <= len(self.given):
            return tokens
        return (
            again if self._likelihood(again) >= self._likelihood(tokens) - LESS_LIKELY else tokens
        )

    def aligned(self, tokens: list[int]) -> list[Any]:
        """Return the words of tokens with their times and probabilities, as faster-whisper does."""
        return self.model.whisper.find_alignment(
            self.tokenizer, [tokens], self.encoded, self.frames
        )[0]

    def _likelihood(self, tokens: list[int]) -> float:
        """Return the log-probability of all tokens, the given ones included, without any context."""
        start = self.tokenizer.sot_sequence
        (result,) = self.model.whisper.model.align(self.encoded, start, [tokens], self.frames)
        return float(np.log(np.maximum(result.text_token_probs, LEAST_PROBABILITY)).sum())

    def _text(self, tokens: list[int]) -> str:
        return self.tokenizer.decode(tokens[len(self.given) :])


def _after(tokenizer: Tokenizer, aligned: Sequence[Any], given: int) -> list[Any]:
    """Return the aligned words without their first ``given`` tokens.

    Of a word, what is left if that is no comma.
    """
    left: list[Any] = []
    for part in aligned:
        tokens = part["tokens"][given:]
        given = max(given - len(part["tokens"]), 0)
        text = part["word"] if len(tokens) == len(part["tokens"]) else tokenizer.decode(tokens)
        if left or _LETTER.search(text):
            left.append({**part, "word": text})
    return left


def _tokenizer(model: SpeechModel) -> Tokenizer:
    from faster_whisper.tokenizer import Tokenizer

    multilingual = model.whisper.model.is_multilingual
    return Tokenizer(model.whisper.hf_tokenizer, multilingual, task="transcribe", language="en")


def _prompt(tokenizer: Tokenizer, hot_words: str, before: str) -> list[int]:
    """Return what the decoder begins with: names and the words before."""
    earlier = " ".join([hot_words[:MAX_HINT_CHARACTERS], *before.split()[-BEFORE_WORDS:]]).strip()
    context = [tokenizer.sot_prev, *tokenizer.encode(f" {earlier}")] if earlier else []
    return [*context, *tokenizer.sot_sequence, tokenizer.no_timestamps]


def _joined(words: Sequence[Word]) -> list[Word]:
    """Return Whisper's words without the space before each.

    What follows without one belongs to the word before.
    """
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
    """Return the words without loops.

    Of one to eight words that follow each other four times or more, one is kept.
    """
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


def _loops(keys: list[str], size: int) -> bool:
    return len(keys) >= size * LOOP and keys[-size * LOOP :] == keys[-size:] * LOOP
