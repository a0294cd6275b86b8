"""Words in a segment of speech, by Whisper, without the words that it invents.

A segment is decoded once, unless the model skipped speech in it: faster-whisper's own loop
transcribes the sound behind the last word again, which costs as much as the whole segment and is
where it invents words. If the caller suggests terms, the segment is decoded once more with them.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from assistant.core.domain import SpokenWord
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.speech_segments import Samples, detect_speech
from assistant.transcription.whisper_internals import (
    MAX_SOUND_S,
    AlignedWord,
    EncodedSound,
    encode_sound,
)
from assistant.transcription.whisper_model import SpeechModel

TermSuggester = Callable[[str], Sequence[str]]  # terms that may occur in a transcribed text
MAX_HINT_CHARACTERS = 400  # more names and terms crowd out the sound
CONTEXT_WORDS = 60  # previous words that the model continues
# Whisper's own thresholds and temperatures (Radford et al. 2022, section 4.5). The temperatures are
# tried in turn while a threshold is missed.
NO_SPEECH_THRESHOLD = 0.6
MIN_MEAN_LOG_PROBABILITY = -1.0
MAX_COMPRESSION_RATIO = 2.4
TEMPERATURES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
BEAM_SIZE = 5
SAMPLING_SEED = 0
MAX_WORD_S = 3.0  # a single word that takes longer hides speech that the model skipped
MIN_DIVIDED_S = 10.0  # shorter sound is not transcribed again in two halves
MAX_LIKELIHOOD_LOSS = 4.0  # nats by which suggested terms may make the words less likely
LOOP_REPEATS = 4  # repeats of the same words that make a loop
MAX_LOOP_WORDS = 8
_LETTER_OR_DIGIT_PATTERN = re.compile(r"[^\W_]")


@dataclass(frozen=True)
class PrecedingSound:
    """Sound that ends at the start of a segment, and its text, which the segment continues."""

    samples: Samples
    text: str


@dataclass(frozen=True)
class SpeechContext:
    """Hints for a segment of speech: names, the text before it, its preceding sound, and terms.

    ``previous_text`` precedes the preceding sound, which counts among Whisper's thirty seconds.
    ``suggest_terms`` returns terms that may occur in a text; the segment is decoded again with them.
    """

    hot_words: str = ""
    previous_text: str = ""
    preceding: PrecedingSound | None = None
    suggest_terms: TermSuggester | None = None


@dataclass(frozen=True)
class DecodingEffort:
    """How thoroughly Whisper searches, and the seconds to which it pads sound with silence.

    It was trained on thirty seconds. Fewer cost less.
    """

    beam_size: int = BEAM_SIZE
    padded_s: float = MAX_SOUND_S


NO_CONTEXT = SpeechContext()
FULL_EFFORT = DecodingEffort()


def recognise(
    model: SpeechModel,
    samples: Samples,
    start_s: float = 0.0,
    context: SpeechContext = NO_CONTEXT,
    effort: DecodingEffort = FULL_EFFORT,
) -> list[SpokenWord]:
    """Return the words in at most thirty seconds of sound, with times from ``start_s``.

    Sound in which the model skips speech is transcribed again in two halves, and the version with
    more words is returned.
    """
    words = _recognise_once(model, samples, start_s, context, effort)
    if context.preceding is not None:
        return words
    # The sample at which to divide the sound, None if no speech was skipped
    pause_sample = _dividing_pause(words, samples, start_s)
    if pause_sample is None:
        return words
    early_words = recognise(model, samples[:pause_sample], start_s, context, effort)
    early_texts = [word.text for word in early_words]
    late_context = replace(context, previous_text=" ".join([context.previous_text, *early_texts]))
    late_start_s = start_s + pause_sample / SAMPLE_RATE_HZ
    late_words = recognise(model, samples[pause_sample:], late_start_s, late_context, effort)
    divided_words = [*early_words, *late_words]
    return divided_words if len(divided_words) > len(words) else words


def _dividing_pause(words: Sequence[SpokenWord], samples: Samples, start_s: float) -> int | None:
    """Return the pause nearest the middle of sound in which the model skips speech, as a sample.

    None if it skips none. Words are aligned with all of the sound, so skipped speech lies within
    one long word.
    """
    if len(samples) < MIN_DIVIDED_S * SAMPLE_RATE_HZ:
        return None
    # From the end of each word to the end of the next one: skipped speech makes one of them long.
    word_ends_s = [start_s, *(word.end for word in words)]
    word_lengths_s = [end_s - previous_s for previous_s, end_s in pairwise(word_ends_s)]
    if all(length_s <= MAX_WORD_S for length_s in word_lengths_s):
        return None
    # A pause follows every segment of speech but the last one.
    pause_samples = [segment.end for segment in detect_speech(samples)[:-1]]
    middle_sample = len(samples) / 2
    return min(
        pause_samples, key=lambda pause_sample: abs(pause_sample - middle_sample), default=None
    )


def _recognise_once(
    model: SpeechModel,
    samples: Samples,
    start_s: float,
    context: SpeechContext,
    effort: DecodingEffort,
) -> list[SpokenWord]:
    """Return the words in sound, decoded as a whole."""
    all_samples = samples
    if context.preceding is not None:
        all_samples = np.concatenate([context.preceding.samples, samples])
    sound = encode_sound(model.whisper, all_samples, effort.padded_s)
    known_tokens: list[int] = []
    if context.preceding is not None and context.preceding.text:
        known_tokens = sound.text_tokens(f" {context.preceding.text}")

    decoder = _Decoder(sound, known_tokens, effort.beam_size)
    tokens = decoder.decode(context.hot_words, context.previous_text)
    if context.suggest_terms is not None:
        tokens = decoder.decode_with_terms(context, tokens)
    if len(tokens) <= len(known_tokens):
        return []

    # Times in the sound become times in the recording, none before the sound that is new.
    aligned_words = _without_known_tokens(sound, sound.align(tokens), len(known_tokens))
    preceding_s = (len(all_samples) - len(samples)) / SAMPLE_RATE_HZ
    sound_start_s = start_s - preceding_s
    sound_length_s = len(all_samples) / SAMPLE_RATE_HZ
    words = []
    for aligned in aligned_words:
        word_start_s = sound_start_s + min(aligned.start_s, sound_length_s)
        word_end_s = sound_start_s + min(aligned.end_s, sound_length_s)
        words.append(
            SpokenWord(
                aligned.text,
                round(max(word_start_s, start_s), 2),
                round(max(word_end_s, start_s), 2),
                round(aligned.probability, 3),
            )
        )
    return without_loops(_join_punctuation(words))


@dataclass(frozen=True)
class _Decoder:
    """Decodes encoded sound, whose first words are known, with one hint or another."""

    sound: EncodedSound
    known_tokens: list[int]
    beam_size: int

    def decode(self, hot_words: str, previous_text: str) -> list[int]:
        """Return the tokens at the first temperature at which no threshold is missed.

        The known tokens come first. No tokens are returned if there is no speech.
        """
        import ctranslate2

        # The model takes both hints for text that it has written before.
        previous_words = previous_text.split()[-CONTEXT_WORDS:]
        context_text = " ".join([hot_words[:MAX_HINT_CHARACTERS], *previous_words]).strip()
        prompt = [*self.sound.prompt(context_text), *self.known_tokens]
        best_probability = -np.inf
        best_tokens: list[int] = []
        ctranslate2.set_random_seed(SAMPLING_SEED)  # the same sound always has the same words
        for temperature in TEMPERATURES:
            decoded_tokens = self.sound.decode(prompt, self.beam_size, temperature)
            is_probable = decoded_tokens.mean_log_probability >= MIN_MEAN_LOG_PROBABILITY
            if decoded_tokens.no_speech_probability > NO_SPEECH_THRESHOLD and not is_probable:
                return []
            if _compression_ratio(self.new_text(decoded_tokens.tokens)) > MAX_COMPRESSION_RATIO:
                continue  # the model repeats itself
            if is_probable:
                return decoded_tokens.tokens
            if decoded_tokens.mean_log_probability > best_probability:
                best_probability = decoded_tokens.mean_log_probability
                best_tokens = decoded_tokens.tokens
        return best_tokens

    def decode_with_terms(self, context: SpeechContext, tokens: list[int]) -> list[int]:
        """Return the tokens decoded with suggested terms, unless the sound speaks against them.

        ``tokens`` were decoded without the terms. They stay if they are much more likely by a model
        that knows neither the terms nor the previous text.
        """
        # The tokens begin with the known ones, of the preceding sound.
        has_new_tokens = len(tokens) > len(self.known_tokens)
        if context.suggest_terms is None or not has_new_tokens:
            return tokens
        terms = context.suggest_terms(self.new_text(tokens))
        if not terms:
            return tokens
        names = [name for name in context.hot_words.split(", ") if name]
        hinted_tokens = self.decode(", ".join([*names, *terms]), context.previous_text)
        if hinted_tokens == tokens or len(hinted_tokens) <= len(self.known_tokens):
            return tokens
        min_log_likelihood = self.sound.log_likelihood(tokens) - MAX_LIKELIHOOD_LOSS
        if self.sound.log_likelihood(hinted_tokens) >= min_log_likelihood:
            return hinted_tokens
        return tokens

    def new_text(self, tokens: list[int]) -> str:
        """Return the text behind the known tokens."""
        return self.sound.text(tokens[len(self.known_tokens) :])


def _compression_ratio(text: str) -> float:
    """Return how much shorter a text becomes by compression: repetitive text has a high ratio."""
    text_bytes = text.encode("utf-8")
    return len(text_bytes) / len(zlib.compress(text_bytes))


def _without_known_tokens(
    sound: EncodedSound, aligned_words: Sequence[AlignedWord], known_token_count: int
) -> list[AlignedWord]:
    """Return aligned words without their first ``known_count`` tokens.

    A word that is cut keeps the text of its other tokens. Punctuation never comes first.
    """
    new_words: list[AlignedWord] = []
    remaining_known_count = known_token_count
    for aligned_word in aligned_words:
        new_tokens = aligned_word.tokens[remaining_known_count:]
        remaining_known_count = max(remaining_known_count - len(aligned_word.tokens), 0)
        text = aligned_word.text
        is_cut = len(new_tokens) < len(aligned_word.tokens)
        if is_cut:
            text = sound.text(new_tokens)
        if new_words or _LETTER_OR_DIGIT_PATTERN.search(text):
            new_words.append(replace(aligned_word, text=text))
    return new_words


def _join_punctuation(words: Sequence[SpokenWord]) -> list[SpokenWord]:
    """Return Whisper's words without the space before each.

    Text without that space, and punctuation, are joined to the previous word.
    """
    joined_words: list[SpokenWord] = []
    for word in words:
        # Whisper writes a space before each word.
        text = word.text.strip()
        continues_word = not word.text.startswith(" ")
        is_punctuation = bool(text) and not _LETTER_OR_DIGIT_PATTERN.search(text)
        if joined_words and (continues_word or is_punctuation):
            joined_words[-1] = _joined_word(joined_words[-1], text, word)
        elif text:
            joined_words.append(SpokenWord(text, word.start, word.end, word.probability))
    return joined_words


def _joined_word(word: SpokenWord, suffix: str, suffix_word: SpokenWord) -> SpokenWord:
    """Return a word with a suffix: it ends when the suffix ends, and is as improbable."""
    return SpokenWord(
        word.text + suffix,
        word.start,
        max(word.end, suffix_word.end),
        min(word.probability, suffix_word.probability),
    )


def without_loops(words: Sequence[SpokenWord]) -> list[SpokenWord]:
    """Return the words without loops: of repeated words, the first repeat stays.

    A loop is one to eight words that follow each other four times or more.
    """
    unlooped_words: list[SpokenWord] = []
    word_keys: list[str] = []  # all words in one spelling, those of loops included
    previous_size = 0  # the size of the loop at the previous word, 0 without one
    for word in words:
        unlooped_words.append(word)
        word_keys.append(word.text.casefold().strip(".,!?"))
        loop_size = _loop_size(word_keys)
        if loop_size == 0:
            surplus_count = 0
        elif loop_size == previous_size:
            surplus_count = 1  # the loop goes on, and its earlier repeats are already deleted
        else:
            surplus_count = loop_size * (LOOP_REPEATS - 1)
        if surplus_count:
            del unlooped_words[-surplus_count:]
        previous_size = loop_size
    return unlooped_words


def _loop_size(word_keys: list[str]) -> int:
    """Return the number of words that repeat at the end, 0 if no loop ends there."""
    for size in range(1, MAX_LOOP_WORDS + 1):
        # A loop ends here if the last ``size`` words, repeated, are the last words of all.
        repeated_words = word_keys[-size:] * LOOP_REPEATS
        if word_keys[-len(repeated_words) :] == repeated_words:
            return size
    return 0
