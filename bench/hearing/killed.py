"""What does a kill cost: sound that a recording is heard again, and words that live listening loses?

``python -m bench.hearing.killed [--minutes M] [--kills K] [--part] [--live] [--json FILE]``. A sample debate, read by
voices of espeak-ng and repeated to M minutes, is heard by a process that is killed (SIGKILL) K times at random moments
and started again. Expected of a recording: at most 60 seconds of work are lost by a kill. ``--part``: the rest is not
heard; the last process is ended once it has gone on. ``--live``: the file is followed as live listening hears it but
faster than it is said, through the log of live events; expected: no run of said words is missing that is not missing
without kills.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from threading import Event as Flag
from typing import Any

import numpy as np

from assistant import transcripts
from assistant.hearing.kept import FOLDER
from assistant.hearing.listening import Listening, listen
from assistant.live.event import Event
from assistant.live.log import EventLog
from assistant.live.sources.listen import make
from bench.command import command, option, table
from bench.hearing.reading_aloud import DEBATES, EXCERPT_OF, RATE, encode, read_aloud

EVENT = "night"
PAUSES_S = (5.0, 40.0)  # between two kills; live the longer of these and four seconds a minute of sound
PART_S = (20.0, 120.0)  # where the rest is not heard
FAST = 1000.0  # times the pace of speech: it is heard as fast as it can be


def hear(path: Path, home: Path) -> str:
    """Return what is said in a recording."""
    return " ".join(word.text for word in listen(path, Listening(home)).words)


def follow(path: Path, home: Path) -> str:
    """Follow a recording into the log of live events, from where it was; return all final words in the log."""
    with EventLog.open(f"sqlite:///{home / 'live.db'}") as log:
        log.begin(Event(EVENT, EVENT), time.time())
        source = make(str(path), Namespace(home=str(home), speed=FAST))
        for arrival in source.follow(log.cursor(EVENT, source.name), Flag()):
            log.store_lines(EVENT, source.name, arrival.lines, now=time.time(), cursor=arrival.cursor)
        return " ".join(sentence.text for sentence in log.sentences(EVENT))


WAYS: dict[str, Callable[[Path, Path], str]] = {"hear": hear, "follow": follow}


def measure(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Print a row and return it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        reading = read_aloud(transcripts.read(DEBATES / EXCERPT_OF).sentences, longest_s=options.minutes * 60)
        times = max(1, round(options.minutes * 60 * RATE / len(reading.samples)))
        encode(np.tile(reading.samples, times), folder / "a.wav", codec="pcm_s16le")
        way = "follow" if options.live else "hear"
        least, most = PART_S if options.part else PAUSES_S
        pauses = (least, max(most, 4 * options.minutes)) if options.live else (least, most)
        lost, heard = _with_kills(way, folder, options.kills, pauses, whole=not options.part)
        row: dict[str, Any] = {"minutes": times * len(reading.samples) / RATE / 60, "kills": len(lost)}
        if options.live:
            said = " ".join([reading.text] * times)
            print(
                f"with kills: {longest_missing(said, heard)} words in a row missing of {len(heard.split())}", flush=True
            )
            once = follow(folder / "a.wav", folder / "once")
            row |= {"longest run missing": longest_missing(said, heard), "without kills": longest_missing(said, once)}
            row |= {"words": len(heard.split()), "words without kills": len(once.split())}
        else:
            row |= {f"seconds of work lost, {i}": seconds for i, seconds in enumerate(lost, 1)}
            row |= {"minutes heard": heard_s(folder / "home") / 60} if options.part else {"words": len(heard.split())}
    print(table([row]))
    return [row]


def _with_kills(
    way: str, folder: Path, kills: int, pauses: tuple[float, float], *, whole: bool
) -> tuple[list[float], str]:
    """Return the seconds since something was last stored before each kill, and all that was heard in the end."""
    home, chance = folder / "home", random.Random(0)
    lost: list[float] = []
    for each in range(kills + 1):
        command_line = [sys.executable, "-m", "bench.hearing.killed", "--one", way, str(folder / "a.wav"), str(home)]
        begun, before = time.time(), heard_s(home)
        with subprocess.Popen(command_line, stdout=subprocess.PIPE, text=True) as process:
            try:
                if each == kills and not whole:
                    while heard_s(home) <= before and process.poll() is None:
                        time.sleep(0.5)
                    process.kill()
                    return lost, ""
                out, _ = process.communicate(timeout=chance.uniform(*pauses) if each < kills else None)
                return lost, json.loads(out)
            except subprocess.TimeoutExpired:
                process.kill()
                stored = [p.stat().st_mtime for p in (home / FOLDER).glob("*/*.*") if not p.name.endswith(".part")]
                lost.append(time.time() - max([begun, *stored]))
                if way == "hear":
                    print(f"killed after {heard_s(home) / 60:.1f} minutes of sound", flush=True)
    raise AssertionError


def heard_s(home: Path) -> float:
    """Return how many seconds of a recording have words on the disk."""
    rows = [line for p in (home / FOLDER).glob("*/*.jsonl") for line in p.read_text("utf-8").splitlines()]
    return max((json.loads(row)["end"] for row in rows if row.endswith("}")), default=0) / RATE


def longest_missing(said: str, heard: str) -> int:
    """Return how many words in a row were said and not heard."""
    import jiwer
    from transformers.models.whisper.english_normalizer import EnglishTextNormalizer

    normalised = EnglishTextNormalizer({})
    [chunks] = jiwer.process_words(normalised(said), normalised(heard)).alignments
    missing = [chunk.ref_end_idx - chunk.ref_start_idx for chunk in chunks if chunk.type == "delete"]
    return max(missing, default=0)


main = command(
    measure,
    option("--minutes", type=float, default=240.0, help="of sound (default: 240)"),
    option("--kills", type=int, default=2, help="(default: 2)"),
    option("--part", action="store_true", help="end it once it has gone on after the last kill"),
    option("--live", action="store_true", help="follow it as a stream"),
)

if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        sys.stdout.write(json.dumps(WAYS[sys.argv[2]](Path(sys.argv[3]), Path(sys.argv[4]))))
    else:
        sys.exit(main())
