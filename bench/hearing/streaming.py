"""Does live listening lose words, how late are they final, and what does it cost?

``python -m bench.hearing.streaming [--seconds S] [--json FILE]``. The sample excerpt comes in steps as live. Final
words are compared with those of the same sound heard as a finished recording, and with what is said; both ways of
listening live are measured: stretches that end as in a finished recording, and stretches that end soon. Expected of the
first: the words of the finished recording; of the second, which is what live listening does: half of the words are
final within 3 seconds, 95 of 100 within 6.

Lag is from the end of a word to the moment when it is final. A clock runs on with the sound and
with the time that the recogniser takes, so that the machine must do nothing else meanwhile.
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
class Live:
    """Words as they became final, the lag of each in seconds, and the processor seconds of all."""

    words: list[SpokenWord]
    lags: list[float]
    processor_s: float


def whole(loaded: SpeechModel) -> WindowedStream:
    """Return a stream whose stretches end as in a finished recording."""
    return WindowedStream(
        lambda samples, start_s, previous_text: recognise(
            loaded, samples, start_s, SpeechContext(previous_text=previous_text)
        )
    )


def soon(
    loaded: SpeechModel,
    ends: FinalWordRules | None = None,
    padded_s: float = LIVE_PADDED_S,
    beam: int = BEAM_SIZE,
) -> LowLatencyStream:
    """Return a stream whose words are final soon."""

    def heard(
        samples: Samples, start_s: float, previous_text: str, preceding: PrecedingSound | None
    ) -> list[SpokenWord]:
        context = SpeechContext(previous_text=previous_text, preceding=preceding)
        return recognise(loaded, samples, start_s, context, DecodingEffort(beam, padded_s))

    return LowLatencyStream(heard, rules=ends or FinalWordRules())


def live(
    stream: WindowedStream | LowLatencyStream,
    sound: NDArray[np.int16],
    step_s: float = SMALLEST_STEP_S,
) -> Live:
    """Return what a stream hears in sound that comes in steps, at the pace of speech."""
    heard = Live([], [], 0.0)
    clock = 0.0
    begun = time.process_time()
    position = 0
    step = int(step_s * SAMPLE_RATE_HZ)
    while position < len(sound):
        come = min(max(position + step, int(clock * SAMPLE_RATE_HZ)), len(sound))
        clock = max(clock, come / SAMPLE_RATE_HZ)
        started = time.perf_counter()
        words = stream.add_sound(sound[position:come], is_last=come == len(sound))
        clock += time.perf_counter() - started
        heard.lags.extend(clock - word.end for word in words)
        heard.words.extend(words)
        position = come
    return Live(heard.words, heard.lags, time.process_time() - begun)


def figures(heard: Live, spoken_text: str, seconds: float) -> dict[str, Any]:
    """Return a row: errors against what is said, ends of sentences, lag and cost."""
    wrong, words = errors(spoken_text, " ".join(word.text for word in heard.words))
    right, heard_ends, spoken_ends = sentence_ends(
        spoken_text.split(), [word.text for word in heard.words]
    )
    return {
        "words": len(heard.words),
        "WER": wrong / words,
        "sentence ends, F1": 2 * right / max(heard_ends + spoken_ends, 1),
        "lag, half": float(np.percentile(heard.lags, 50)),
        "lag, 95 of 100": float(np.percentile(heard.lags, 95)),
        "processor seconds a second of sound": heard.processor_s / seconds,
    }


def sentence_ends(spoken_words: Sequence[str], heard: Sequence[str]) -> tuple[int, int, int]:
    """Return how many ends of sentences are at the right word, how many are heard, and how many there are."""
    matcher = SequenceMatcher(None, _keys(spoken_words), _keys(heard), autojunk=False)
    pairs = [
        (block.a + i, block.b + i)
        for block in matcher.get_matching_blocks()
        for i in range(block.size)
    ]
    right = sum(
        spoken_words[spoken_index].endswith(ENDS) and heard[heard_index].endswith(ENDS)
        for spoken_index, heard_index in pairs
    )
    return (
        right,
        sum(word.endswith(ENDS) for word in heard),
        sum(word.endswith(ENDS) for word in spoken_words),
    )


def recall(finished: Sequence[SpokenWord], heard: Sequence[SpokenWord]) -> float:
    """Return the share of the finished hearing's words that live listening has, too, in the same order."""
    finished_words, live_words = ([word.text for word in words] for words in (finished, heard))
    matcher = SequenceMatcher(None, _keys(finished_words), _keys(live_words), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(finished)


def _keys(words: Sequence[str]) -> list[str]:
    return [word.casefold().strip(".,!?;:\"'") for word in words]


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Hear the excerpt in all ways, print a row for each, and return them."""
    loaded = whisper_model.load_speech_model()
    sound_blocks = (
        sound_block
        for sound_block in decoding.decode_file(str(DEBATES / EXCERPT))
        if isinstance(sound_block, bytes)
    )
    sound = np.frombuffer(b"".join(sound_blocks), np.int16)[: int(options.seconds * SAMPLE_RATE_HZ)]
    seconds = len(sound) / SAMPLE_RATE_HZ
    gold_rows = [json.loads(line) for line in (DEBATES / GOLD).read_text("utf-8").splitlines()]
    spoken_text = " ".join(gold_row["text"] for gold_row in gold_rows if gold_row["end"] <= seconds)
    begun = time.process_time()
    finished = [word for _, words in transcribe_samples(loaded, sound) for word in words]
    heard = {
        "finished": Live(
            finished, [seconds - word.end for word in finished], time.process_time() - begun
        )
    }
    heard |= {
        "live, whole stretches": live(whole(loaded), sound, WHOLE_STEP_S),
        "live, soon": live(soon(loaded), sound),
    }
    way_rows = []
    for way_name, each in heard.items():
        way_rows.append(
            {
                "way": way_name,
                "recall": recall(finished, each.words),
                **figures(each, spoken_text, seconds),
            }
        )
    print(table(way_rows))
    return way_rows


main = command(
    measure, option("--seconds", type=float, default=180.0, help="of the excerpt (default: 180)")
)

if __name__ == "__main__":
    sys.exit(main())
