"""How soon can live words be final, and what does that cost in wrong words? The development set of live listening.

``python -m bench.hearing.lag --data DIR [--debates N] [--ways NAME,NAME] [--json FILE]``. The first 75 seconds of five
debates that are not among the samples, read by voices of espeak-ng that read none of them, come in steps as live. Each
row makes words final in another way (``WAYS``); the first is how a finished recording is heard. WER is that of all
debates together, lag and cost as in ``bench.hearing.streaming``.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from assistant.ground.domain import Sentence
from assistant.hearing import model
from assistant.hearing.decoding import RATE
from assistant.hearing.recogniser import BEAM
from assistant.hearing.streaming import Ends
from assistant.live.sources.listen import STEP_S, WHOLE_STEP_S
from bench.command import command, data_option, option, table
from bench.hearing.reading_aloud import Recording, read_aloud
from bench.hearing.streaming import Live, figures, live, soon, whole

SECONDS, SKIPPED = 75.0, 40  # the sentences of greetings are skipped
# Voices that read no sample debate.
VOICES = (("en-us+m7", 45, 155), ("en-gb+f4", 50, 150), ("en-gb-scotland", 40, 150), ("en-us+f3", 55, 155))
WHOLE_S = 30.0
NEVER = 100.0  # an open stretch is never heard: words are final at pauses and cuts only
# When words are final, to how many seconds the sound is padded, and the beam.
WAYS: dict[str, tuple[Ends, float, int] | None] = {
    "finished": None,
    "pauses only": (Ends(every=NEVER), WHOLE_S, BEAM),
    "pauses only 16 s": (Ends(every=NEVER), 16.0, BEAM),
    "hold 1": (Ends(hold=1.0, every=1.0), WHOLE_S, BEAM),
    "hold 1 20 s": (Ends(hold=1.0, every=1.0), 20.0, BEAM),
    "hold 1 16 s": (Ends(hold=1.0, every=1.0), 16.0, BEAM),
    "hold 1.5 16 s": (Ends(hold=1.5, every=1.0), 16.0, BEAM),
    "hold 2 16 s": (Ends(hold=2.0, every=1.0), 16.0, BEAM),
    "hold 1 16 s beam 1": (Ends(hold=1.0, every=1.0), 16.0, 1),
}


def readings(data: Path, number: int, seconds: float = SECONDS) -> Iterator[Recording]:
    """Yield debates as sound: evenly spaced ones of the corpus, without the seven of the paper."""
    debates: dict[str, list[Sentence]] = {}
    with gzip.open(data / "debates" / "transcripts.jsonl.gz", "rt", encoding="utf-8") as file:
        for row in map(json.loads, file):
            if not row["in_seven"]:
                said = debates.setdefault(row["debate"], [])
                said.append(Sentence(row["line"], row["line"], row["text"], row["speaker"]))
    names = sorted(debates)
    for name in names[:: len(names) // number][:number]:
        yield read_aloud(debates[name][SKIPPED:], longest_s=seconds, voices=VOICES)


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Print a row for each way, and return the rows."""
    loaded = model.load()
    recordings = list(readings(options.data, options.debates))
    sounds = [(np.clip(each.samples, -1, 1) * 32767).astype(np.int16) for each in recordings]
    said, seconds = " ".join(each.text for each in recordings), sum(map(len, sounds)) / RATE
    rows = []
    for name in options.ways.split(",") if options.ways else WAYS:
        how, heard = WAYS[name], Live([], [], 0.0)
        for sound in sounds:
            one = live(soon(loaded, *how) if how else whole(loaded), sound, STEP_S if how else WHOLE_STEP_S)
            heard = Live(heard.words + one.words, heard.lags + one.lags, heard.processor_s + one.processor_s)
        rows.append({"way": name, **figures(heard, said, seconds)})
        print(table(rows[-1:]), flush=True)
    return rows


main = command(
    measure,
    data_option,
    option("--debates", type=int, default=5, metavar="N", help="how many (default: 5)"),
    option("--ways", default="", metavar="NAME,NAME", help="some of the ways (default: all)"),
)

if __name__ == "__main__":
    sys.exit(main())
