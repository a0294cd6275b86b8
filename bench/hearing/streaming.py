"""Does live transcription lose words, how long until they are final, and what does it cost?

``python -m bench.hearing.streaming [--seconds S] [--json FILE]``. The sample excerpt arrives in steps, as
sound does live. Final words are compared with the transcript of the finished recording and with the words that
were said, for both kinds of stream. Target of the windowed stream: the words of the finished recording. Target of
the low-latency stream, which the product uses live: half of the words are final within 3 s, 95% within 6 s.

Lag is the time from the end of a word until it is final. The clock advances with the sound and with the
time that the recogniser takes, so nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assistant.core.domain import SpokenWord
from assistant.live.sources.listen import SMALLEST_STEP_S, WHOLE_STEP_S
from assistant.transcription import decoding, whisper_model
from assistant.transcription.decoding import SAMPLE_RATE_HZ
from assistant.transcription.recogniser import (
    BEAM_SIZE,
    DecodingEffort,
    PrecedingSound,
    SpeechContext,
    recognise,
)
from assistant.transcription.speech_segments import Samples
from assistant.transcription.streaming import (
    LIVE_PADDED_S,
    FinalWordRules,
    LowLatencyStream,
    WindowedStream,
)
from assistant.transcription.transcriber import transcribe_samples
from assistant.transcription.whisper_model import SpeechModel
from bench.command import command, option, table
from bench.hearing.reading_aloud import DEBATES, EXCERPT, GOLD
from bench.hearing.words import errors

ENDS = (".", "?", "!")


@dataclass(frozen=True)
class LiveTranscript:
    """Words in the order in which they became final, their lags in seconds, and the CPU time in seconds."""

    words: list[SpokenWord]
    lags_s: list[float]
    cpu_s: float


def windowed_stream(speech_model: SpeechModel) -> WindowedStream:
    """Return a stream whose windows end as in a finished recording."""
    return WindowedStream(
        lambda samples, start_s, previous_text: recognise(
            speech_model, samples, start_s, SpeechContext(previous_text=previous_text)
        )
    )


def low_latency_stream(
    speech_model: SpeechModel,
    rules: FinalWordRules | None = None,
    padded_s: float = LIVE_PADDED_S,
    beam_size: int = BEAM_SIZE,
) -> LowLatencyStream:
    """Return a stream whose words are final soon, as the product uses it live."""

    def recognised(
        samples: Samples, start_s: float, previous_text: str, preceding: PrecedingSound | None
    ) -> list[SpokenWord]:
        context = SpeechContext(previous_text=previous_text, preceding=preceding)
        return recognise(
            speech_model, samples, start_s, context, DecodingEffort(beam_size, padded_s)
        )

    return LowLatencyStream(recognised, rules=rules or FinalWordRules())


def transcribe_live(
    stream: WindowedStream | LowLatencyStream,
    sound: NDArray[np.int16],
    step_s: float = SMALLEST_STEP_S,
) -> LiveTranscript:
    """Return what a stream recognises in sound that arrives in steps, at the pace of speech."""
    final_words: list[SpokenWord] = []
    lags_s: list[float] = []
    clock_s = 0.0
    cpu_start_s = time.process_time()
    start_index = 0
    step_length = int(step_s * SAMPLE_RATE_HZ)
    while start_index < len(sound):
        # While the recogniser was busy, more than one step of sound arrived.
        arrived_length = int(clock_s * SAMPLE_RATE_HZ)
        end_index = min(max(start_index + step_length, arrived_length), len(sound))
        clock_s = max(clock_s, end_index / SAMPLE_RATE_HZ)
        started_at_s = time.perf_counter()
        words = stream.add_sound(sound[start_index:end_index], is_last=end_index == len(sound))
        clock_s += time.perf_counter() - started_at_s
        lags_s.extend(clock_s - word.end for word in words)
        final_words.extend(words)
        start_index = end_index
    return LiveTranscript(final_words, lags_s, time.process_time() - cpu_start_s)


def figures(transcript: LiveTranscript, spoken_text: str, sound_s: float) -> dict[str, Any]:
    """Return a row: errors against what is said, ends of sentences, lag and cost."""
    wrong, words = errors(spoken_text, " ".join(word.text for word in transcript.words))
    right, recognised_ends, spoken_ends = sentence_ends(
        spoken_text.split(), [word.text for word in transcript.words]
    )
    return {
        "words": len(transcript.words),
        "WER": wrong / words,
        "sentence ends, F1": 2 * right / max(recognised_ends + spoken_ends, 1),
        "lag p50": float(np.percentile(transcript.lags_s, 50)),
        "lag p95": float(np.percentile(transcript.lags_s, 95)),
        "CPU s per s of audio": transcript.cpu_s / sound_s,
    }


def sentence_ends(
    spoken_words: Sequence[str], recognised_words: Sequence[str]
) -> tuple[int, int, int]:
    """Return the number of sentence ends at the right word, of all recognised ones, and of all spoken ones."""
    matcher = SequenceMatcher(None, _keys(spoken_words), _keys(recognised_words), autojunk=False)
    pairs = [
        (block.a + i, block.b + i)
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
    ]
    right = sum(
        spoken_words[spoken_index].endswith(ENDS)
        and recognised_words[recognised_index].endswith(ENDS)
        for spoken_index, recognised_index in pairs
    )
    return (
        right,
        sum(word.endswith(ENDS) for word in recognised_words),
        sum(word.endswith(ENDS) for word in spoken_words),
    )


def recall(finished: Sequence[SpokenWord], live: Sequence[SpokenWord]) -> float:
    """Return the share of the words of the finished recording that live transcription has in the same order."""
    finished_words, live_words = ([word.text for word in words] for words in (finished, live))
    matcher = SequenceMatcher(None, _keys(finished_words), _keys(live_words), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(finished)


def _keys(words: Sequence[str]) -> list[str]:
    return [word.casefold().strip(".,!?;:\"'") for word in words]


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Transcribe the excerpt in each way, print a row for each, and return the rows."""
    speech_model = whisper_model.load_speech_model()
    sound_blocks = (
        sound_block
        for sound_block in decoding.decode_file(str(DEBATES / EXCERPT))
        if isinstance(sound_block, bytes)
    )
    sound = np.frombuffer(b"".join(sound_blocks), np.int16)[: int(options.seconds * SAMPLE_RATE_HZ)]
    sound_s = len(sound) / SAMPLE_RATE_HZ
    gold_rows = [json.loads(line) for line in (DEBATES / GOLD).read_text("utf-8").splitlines()]
    spoken_text = " ".join(gold_row["text"] for gold_row in gold_rows if gold_row["end"] <= sound_s)
    cpu_start_s = time.process_time()
    finished = [word for _, words in transcribe_samples(speech_model, sound) for word in words]
    finished_lags_s = [sound_s - word.end for word in finished]
    transcripts = {
        "finished": LiveTranscript(finished, finished_lags_s, time.process_time() - cpu_start_s),
        "live, windowed": transcribe_live(windowed_stream(speech_model), sound, WHOLE_STEP_S),
        "live, low latency": transcribe_live(low_latency_stream(speech_model), sound),
    }
    rows = []
    for way, transcript in transcripts.items():
        row = {"way": way, "recall": recall(finished, transcript.words)}
        rows.append(row | figures(transcript, spoken_text, sound_s))
    print(table(rows))
    return rows


main = command(
    measure, option("--seconds", type=float, default=180.0, help="of the excerpt (default: 180)")
)

if __name__ == "__main__":
    sys.exit(main())
