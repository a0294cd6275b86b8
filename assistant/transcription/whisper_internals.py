"""Parts of faster-whisper that its documented interface does not offer, all in one place.

``WhisperModel.transcribe`` finds the same words, but cannot replace these parts:

- it moves word times by rules of thumb (in the sample recording 57 of 488 words, by up to 1.06 s);
- it always pads sound to thirty seconds, which costs live transcription three times as much;
- it cannot decode encoded sound a second time with other hints, or score a given text.

A test fails if the installed version lies outside ``TESTED_VERSIONS``. Then run the tests of
``tests/assistant/transcription``, compare the words and times of a recording, and widen the range.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer

TESTED_VERSIONS = ">=1.2.1,<1.3"

# Whisper encodes thirty seconds at a time, in frames of ten milliseconds.
MAX_SOUND_S = 30
FRAMES_PER_S = 100
MIN_SILENCE_FRAMES = 100
HYPOTHESES_PER_TEMPERATURE = 5
MIN_TOKEN_PROBABILITY = 1e-10
DEFAULT_SUPPRESSED_TOKENS = -1  # faster-whisper's code for annotations such as "♪" and "(laughs)"


@dataclass(frozen=True)
class DecodedTokens:
    """Tokens of one decoding, their mean log-probability, and the probability of no speech."""

    tokens: list[int]
    mean_log_probability: float
    no_speech_probability: float


@dataclass(frozen=True)
class AlignedWord:
    """A word as Whisper writes it, with its tokens, times in the sound, and probability."""

    text: str
    tokens: list[int]
    start_s: float
    end_s: float
    probability: float


@dataclass(frozen=True)
class EncodedSound:
    """Sound after Whisper's encoder, which can be decoded and aligned several times."""

    whisper: WhisperModel
    tokenizer: Tokenizer
    encoder_output: Any
    frame_count: int

    def text_tokens(self, text: str) -> list[int]:
        """Return the tokens of a text."""
        return self.tokenizer.encode(text)

    def text(self, tokens: Sequence[int]) -> str:
        """Return the text of tokens."""
        return self.tokenizer.decode(list(tokens))

    def prompt(self, previous_text: str) -> list[int]:
        """Return the decoder's first tokens: the previous text, and the request to transcribe."""
        tokenizer = self.tokenizer
        context_tokens: list[int] = []
        if previous_text:
            context_tokens = [tokenizer.sot_prev, *tokenizer.encode(f" {previous_text}")]
        return [*context_tokens, *tokenizer.sot_sequence, tokenizer.no_timestamps]

    def decode(self, prompt: list[int], beam_size: int, temperature: float) -> DecodedTokens:
        """Return the best tokens, by beam search at temperature zero, and else by sampling."""
        from faster_whisper.transcribe import get_suppressed_tokens

        search_options: dict[str, Any] = {"beam_size": beam_size}
        if temperature > 0:
            search_options = {
                "beam_size": 1,
                "num_hypotheses": HYPOTHESES_PER_TEMPERATURE,
                "sampling_topk": 0,
                "sampling_temperature": temperature,
            }
        results = self.whisper.model.generate(
            self.encoder_output,
            [prompt],
            return_scores=True,
            return_no_speech_prob=True,
            suppress_tokens=get_suppressed_tokens(self.tokenizer, [DEFAULT_SUPPRESSED_TOKENS]),
            max_length=self.whisper.max_length,
            **search_options,
        )
        best_result = results[0]  # for the only prompt; its sequences are sorted by their score
        # from the end token on, tokens stand for times and commands
        tokens = [token for token in best_result.sequences_ids[0] if token < self.tokenizer.eot]
        # The score is a mean over the tokens. Whisper's threshold counts the end token, too.
        mean_log_probability = best_result.scores[0] * len(tokens) / (len(tokens) + 1)
        return DecodedTokens(tokens, mean_log_probability, best_result.no_speech_prob)

    def align(self, tokens: list[int]) -> list[AlignedWord]:
        """Return the words of tokens with their times, uncorrected."""
        alignments = self.whisper.find_alignment(
            self.tokenizer, [tokens], self.encoder_output, self.frame_count
        )
        return [
            AlignedWord(
                word["word"],
                word["tokens"],
                float(word["start"]),
                float(word["end"]),
                float(word["probability"]),
            )
            for word in alignments[0]
        ]

    def log_likelihood(self, tokens: list[int]) -> float:
        """Return the log-probability of all tokens, without any previous text."""
        alignments = self.whisper.model.align(
            self.encoder_output, self.tokenizer.sot_sequence, [tokens], self.frame_count
        )
        probabilities = np.maximum(alignments[0].text_token_probs, MIN_TOKEN_PROBABILITY)
        return float(np.log(probabilities).sum())


def encode_sound(
    whisper: WhisperModel, samples: NDArray[np.float32], padded_s: float
) -> EncodedSound:
    """Encode at most thirty seconds of sound, padded with silence to ``padded_s`` seconds."""
    from faster_whisper.audio import pad_or_trim
    from faster_whisper.tokenizer import Tokenizer

    tokenizer = Tokenizer(
        whisper.hf_tokenizer, whisper.model.is_multilingual, task="transcribe", language="en"
    )
    # (mel bands, frames); the extractor adds one frame, which Whisper never reads.
    features = whisper.feature_extractor(samples)[..., :-1]
    frame_count = features.shape[-1]
    # Frames with the silence behind the sound, at most as many as the model reads
    padded_count = max(frame_count + MIN_SILENCE_FRAMES, int(padded_s * FRAMES_PER_S))
    padded_count = min(padded_count, MAX_SOUND_S * FRAMES_PER_S)
    encoder_output = whisper.encode(pad_or_trim(features, padded_count))
    return EncodedSound(whisper, tokenizer, encoder_output, frame_count)


def speech_spans(
    samples: NDArray[np.float32], options: Mapping[str, float]
) -> list[tuple[int, int]]:
    """Return the samples from which and up to which silero detects speech."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    spans = get_speech_timestamps(samples, VadOptions(**options))
    return [(span["start"], span["end"]) for span in spans]
