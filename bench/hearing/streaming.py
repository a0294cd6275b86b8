"""Does live listening lose words, how late are they final, and what does it cost?

``python -m bench.hearing.streaming [--seconds S] [--json FILE]``. The sample excerpt comes in steps as live, and its
final words are compared with those of the same sound heard as a finished recording. Expected: a recall of .97 and as
many words. Lag is from the end of a word to the moment when it is final, in seconds of sound, without the recogniser's
own time, which the processor seconds tell.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np

from assistant.ground.domain import Word
from assistant.hearing import decoding, model
from assistant.hearing.decoding import RATE
from assistant.hearing.listening import hear
from assistant.hearing.recogniser import recognise
from assistant.hearing.streaming import Stream
from assistant.live.sources.listen import STEP_S
from bench.command import command, option, table

EXCERPT = Path(__file__).parents[2] / "sample_transcripts" / "2026-02-24_kestrel-bay-senate_excerpt.opus"


def recall(finished: Sequence[Word], live: Sequence[Word]) -> float:
    """Return the share of the finished hearing's words that live listening has, too, in the same order."""
    matcher = SequenceMatcher(None, _keys(finished), _keys(live), autojunk=False)
    return sum(block.size for block in matcher.get_matching_blocks()) / len(finished)


def _keys(words: Sequence[Word]) -> list[str]:
    return [word.text.casefold().strip(".,!?;:\"'") for word in words]


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Hear the sound both ways, print a row, and return it."""
    loaded = model.load()
    parts = (part for part in decoding.blocks(str(EXCERPT)) if isinstance(part, bytes))
    sound = np.frombuffer(b"".join(parts), np.int16)[: int(options.seconds * RATE)]
    finished = [word for _, words in hear(loaded, sound) for word in words]
    stream = Stream(lambda samples, start, before: recognise(loaded, samples, start, before=before))
    live: list[Word] = []
    lags: list[float] = []
    step, begun = int(STEP_S * RATE), time.process_time()
    for place in range(0, len(sound), step):
        over = place + step >= len(sound)
        words = stream.hear(sound[place : place + step], over=over)
        lags += [min(place + step, len(sound)) / RATE - word.end for word in words]
        live += words
    row = {
        "seconds": len(sound) / RATE,
        "words": len(finished),
        "words live": len(live),
        "recall": recall(finished, live),
        "lag, half": float(np.percentile(lags, 50)),
        "lag, 95 of 100": float(np.percentile(lags, 95)),
        "processor seconds a second of sound": (time.process_time() - begun) / (len(sound) / RATE),
    }
    print(table([row]))
    return [row]


main = command(measure, option("--seconds", type=float, default=180.0, help="of the excerpt (default: 180)"))

if __name__ == "__main__":
    sys.exit(main())
