"""From said to final to matches on the board: how long does it take at the pace of speech, by the clock?

``python -m bench.hearing.board [--seconds S] [--json FILE]``. The sample excerpt is followed at its own speed by the
engine of live events, with the sample fact-checks as the database; nothing is left out but the page. Expected: a
sentence is final 3 seconds after its end (half of them) and 6 (95 of 100), and its matches stand on the board 1.5 s
later. The lag of a sentence is that of its last word; ``bench.hearing.streaming`` has that of every word.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

import numpy as np

from assistant.check import models
from assistant.check.index_opening import as_index
from assistant.ground.settings import EMBEDDED
from assistant.hearing import decoding, model
from assistant.live.checking import Checker
from assistant.live.engine import Engine
from assistant.live.event import Event, LiveSentence
from assistant.live.log import EventLog
from assistant.live.sources.listen import make
from bench.command import command, option, table
from bench.hearing.reading_aloud import DEBATES, EXCERPT, RATE, encode
from bench.samples import sample_claims

EVENT = Event("night", "Night")


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Follow the excerpt, print a row and return it."""
    claims = sample_claims()
    checker = Checker(as_index(claims, models.load(EMBEDDED, None).encoders), EMBEDDED)
    checker.warm()
    model.load()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        parts = (part for part in decoding.blocks(str(DEBATES / EXCERPT)) if isinstance(part, bytes))
        sound = np.frombuffer(b"".join(parts), np.int16)[: int(options.seconds * RATE)]
        encode(sound.astype(np.float32) / 32768, home / "a.wav", codec="pcm_s16le")
        with EventLog.open(f"sqlite:///{home / 'live.db'}") as log:
            begun, used, sentences = _followed(log, checker, home)
    kept = [s for s in sentences if s.kept and s.checked is not None]
    final = [s.settled - begun - (s.end or 0.0) for s in sentences]
    row: dict[str, Any] = {"seconds": len(sound) / RATE, "sentences": len(sentences), "checked": len(kept)}
    for what, lags in {"final": final, "then checked": [(s.checked or 0.0) - s.settled for s in kept]}.items():
        row |= {f"{what}, half": float(np.percentile(lags, 50)), f"{what}, 95 of 100": float(np.percentile(lags, 95))}
    row["processor seconds a second"] = used / row["seconds"]
    print(table([row]))
    return [row]


def _followed(log: EventLog, checker: Checker, home: Path) -> tuple[float, float, list[LiveSentence]]:
    """Return when the sound began, the processor seconds of this process, and the sentences."""
    log.begin(EVENT, time.time())
    engine = Engine(log, EVENT, checker)
    begun, used = time.time(), time.process_time()
    engine.follow(make(str(home / "a.wav"), Namespace(home=str(home), speed=1.0)))
    engine.run(until_done=True)
    return begun, time.process_time() - used, log.sentences(EVENT.name)


main = command(measure, option("--seconds", type=float, default=180.0, help="of the excerpt (default: 180)"))

if __name__ == "__main__":
    sys.exit(main())
