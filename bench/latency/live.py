"""Live: is a debate followed at ten times the pace of speech without a loss, and how long does a check take?

python -m bench.latency.live --data DIR [--index FOLDER] [--minutes 30] [--kills 3] [--json FILE]

Sentences of the data folder's debates are appended to a file, 2.5 a second with a burst of five
every twenty seconds. A separate process follows the file against the 19,250 indexed claims (FOLDER
as ``bench.speed`` builds it), is killed with SIGKILL at random moments of the first half, and
started again. Expected on two cores: from the written line to the stored, ranked matches 0.5 s in
the median and 1.5 s for 19 of 20 check-worthy sentences; memory flat after the last start; every
sentence once, in order, checked. Key sentences are stored with the matches. Sentences that were
written while the process was gone or loading its models are counted separately.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import platformdirs

from assistant.check.loaded_models import encoders as encoders_of
from assistant.claims.claim_index import ClaimIndex
from assistant.core.errors import LecternError
from assistant.core.settings import EMBEDDED
from assistant.live.engine import Engine
from assistant.live.event import Event, LiveSentence
from assistant.live.event_log import EventLog
from assistant.live.live_lines import Line
from assistant.live.sentence_checks import Checker
from assistant.live.sentence_cutting import Punctuation, cut_sentences
from assistant.live.sources.caption_parser import Captions
from assistant.live.sources.file import FileSource
from bench.command import command, option, printed
from bench.memory import private_mb
from training.shared.debates import Debate, others

INDEX = Path(platformdirs.user_cache_dir("lectern", False)) / "bench"
EVENT = Event("bench", "Bench", date(2020, 10, 22))
# seconds a line; every fiftieth comes with others at once
PACE_S = 0.4
EVERY = 50
BURST = 5
TICK_S = 0.02
SAMPLE_S = 5.0
PATIENCE_S = 300.0  # for what waits after the last line
BARS = {"p50": 0.5, "p95": 1.5}


@dataclass
class Run:
    """One run.

    ``written``: when the line at a byte offset was written; ``away``: when no process was ready.
    """

    folder: Path
    index: Path
    written: dict[int, float] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    away: list[tuple[float, float]] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    process: subprocess.Popen[bytes] | None = None
    follower: tuple[str, ...] = (
        "-m",
        "bench.latency.live",
        "--follow",
    )  # what is started, before folder and index
    _began: float = 0.0  # when the process that is not ready yet was started
    _size: int = 0

    @property
    def path(self) -> Path:
        """Return the file that grows."""
        return self.folder / "live.txt"

    def start(self) -> None:
        """Start the process that follows the file."""
        (self.folder / "ready").unlink(missing_ok=True)
        command = [sys.executable, *self.follower, str(self.folder), "--index", str(self.index)]
        self.process = subprocess.Popen(command)
        self._began = time.time()

    def kill(self) -> None:
        """Kill the process at once, and start another one."""
        if self.process:
            self.process.kill()
            self.process.wait()
        self.start()

    def ready(self) -> bool:
        """Return whether the process checks sentences; note how long it was away."""
        if self.process and self.process.poll() is not None:
            raise LecternError("the process that follows the file has ended")
        if self._began and (self.folder / "ready").exists():
            self.away.append((self._began, time.time()))
            self._began = 0.0
        return not self._began

    def write(self, line: str) -> None:
        """Append a line and note when."""
        data = (line + "\n").encode()
        self.written[self._size] = time.time()
        with self.path.open("ab") as out:
            out.write(data)
        self._size += len(data)
        self.rows.append(line)

    def sample(self) -> None:
        """Note the private memory of the process, in MB.

        Without pages of the index, which the system may drop.
        """
        if self.process and self.ready():
            self.memory.append((time.time(), private_mb(self.process.pid)))


def follow(folder: Path, index: Path) -> None:
    """Follow the file of a run until the parent kills this process."""
    checker = Checker(ClaimIndex.open(index, encoders_of(EMBEDDED)), EMBEDDED)
    checker.warm()
    with EventLog.open(f"sqlite:///{folder / 'live.db'}") as log:
        log.begin(EVENT, time.time())
        engine = Engine(log, EVENT, checker)
        engine.follow(FileSource(folder / "live.txt"))
        (folder / "ready").touch()
        engine.run()


def spoken(debates: Sequence[Debate]) -> Iterator[str]:
    """Yield lines as caption software writes them, debate after debate."""
    while True:
        for event in debates:
            for speaker, text in zip(event.speakers, event.texts, strict=True):
                if text.strip():
                    yield f"{(speaker or 'unknown').upper()}: {' '.join(text.split())}"


def drive(run: Run, lines: Iterator[str], *, seconds: float, kills: int, seed: int) -> None:
    """Write lines at their pace, kill the process at random moments, and wait until everything is checked."""
    run.start()
    while not run.ready():
        time.sleep(TICK_S)
    run.away.clear()  # nothing was written yet
    moments = random.Random(seed)
    began = time.time()
    strokes = sorted(began + seconds * moments.uniform(0.05, 0.5) for _ in range(kills))
    next_line_at = began
    sampled = 0.0
    number = 0
    while (now := time.time()) < began + seconds:
        run.ready()
        if strokes and now >= strokes[0]:
            strokes.pop(0)
            run.kill()
        if now >= next_line_at:
            number += 1
            for _ in range(BURST if number % EVERY == 0 else 1):
                run.write(next(lines))
            next_line_at += PACE_S
        if now >= sampled + SAMPLE_S:
            sampled = now
            run.sample()
        time.sleep(TICK_S)
    end = time.time() + PATIENCE_S
    with EventLog.open(f"sqlite:///{run.folder / 'live.db'}") as log:
        while time.time() < end and not _all_checked(log, run):
            run.ready()
            time.sleep(0.5)
    run.sample()
    if run.process:
        run.process.kill()
        run.process.wait()


def _all_checked(log: EventLog, run: Run) -> bool:
    sentences = log.sentences(EVENT.name)
    return len(sentences) >= len(expected(run.rows)) and all(
        sentence.checked for sentence in sentences
    )


def expected(lines_written: Sequence[str]) -> list[str]:
    """Return the sentences that the lines must become, cut in one go."""
    captions = Captions("bench")
    # A later line may correct an earlier one, and then replaces it.
    latest: dict[str, Line] = {}
    for line_number, written_line in enumerate(lines_written):
        for line in captions.feed(str(line_number), written_line):
            latest[line.unit] = line
    numbered = [replace(line, seq=number) for number, line in enumerate(latest.values())]
    style = Punctuation()
    for line in numbered:
        style = style.plus(line.text)
    return [sentence.text for sentence in cut_sentences(numbered, style)]


def measured(run: Run) -> dict[str, Any]:
    """Return latencies, losses and memory of a run that has ended."""
    with EventLog.open(f"sqlite:///{run.folder / 'live.db'}") as log:
        sentences = log.sentences(EVENT.name)
        units = log.units(EVENT.name)
    texts = [sentence.text for sentence in sentences]
    numbers = [sentence.number for sentence in sentences]
    expected_texts = expected(run.rows)
    # seconds from the writing of a sentence's line to its check
    latencies = {}
    for sentence in sentences:
        unit = units[sentence.number]
        offset = int(unit.split(":")[1].split("/")[0])
        latencies[sentence.number] = (sentence.checked or np.inf) - run.written[offset]
    worthy = [sentence for sentence in sentences if sentence.kept]
    all_latencies = [latencies[sentence.number] for sentence in worthy]
    steady_latencies = []
    for sentence in worthy:
        if not _was_away(run, sentence, latencies):
            steady_latencies.append(latencies[sentence.number])
    last_return = max((end for _, end in run.away), default=0.0)
    memory = [size for moment, size in run.memory if moment > last_return]
    warm = memory[len(memory) // 4 :] or [0.0]
    return {
        "sentences": len(sentences),
        "check_worthy": len(worthy),
        "matched": sum(sentence.tier is not None for sentence in sentences),
        "lost": (Counter(expected_texts) - Counter(texts)).total(),
        "doubled": (Counter(texts) - Counter(expected_texts)).total(),
        "in_order": texts == expected_texts,
        "unchecked": sum(sentence.checked is None for sentence in sentences),
        "numbers_once": sorted(numbers) == list(range(1, len(sentences) + 1)),
        "kills": len(run.away),
        "seconds_away": [round(end - begin, 1) for begin, end in run.away],
        "kept_while_running": _summary(steady_latencies),
        "kept_all": _summary(all_latencies),
        "memory_mb": {"warm": round(warm[0]), "end": round(warm[-1]), "most": round(max(warm))},
    }


def _was_away(run: Run, sentence: LiveSentence, took: dict[int, float]) -> bool:
    """Return whether a sentence was written while no process was ready, or queued behind such sentences."""
    written = (sentence.checked or 0.0) - took[sentence.number]
    return any(begin - 2 <= written <= end + (end - begin) for begin, end in run.away)


def _summary(values: Sequence[float]) -> dict[str, float]:
    if not values:
        return {"n": 0}
    p50, p95, p99 = np.percentile(values, (50, 95, 99)).round(3).tolist()
    return {"n": len(values), "p50": p50, "p95": p95, "p99": p99, "max": round(max(values), 3)}


def measure(options: argparse.Namespace) -> dict[str, Any] | None:
    """Print and return what a run measures; ``--follow`` only follows the file of a run."""
    if options.follow:
        return follow(options.follow, options.index)
    if options.data is None:
        raise argparse.ArgumentError(None, "--data is needed")
    with tempfile.TemporaryDirectory() as folder:
        run = Run(Path(folder), options.index)
        lines = spoken(others(options.data))
        drive(run, lines, seconds=options.minutes * 60, kills=options.kills, seed=options.seed)
        figures = measured(run)
    reached = {}
    for name, limit_s in BARS.items():
        reached[name] = figures["kept_while_running"].get(name, np.inf) <= limit_s
    bars = ", ".join(f"{name} {'reached' if ok else 'MISSED'}" for name, ok in reached.items())
    printed({**figures, "bars": bars})
    return {"cores": os.cpu_count(), **figures}


main = command(
    measure,
    option("--data", type=Path, metavar="DIR", help="the data folder"),
    option("--index", type=Path, default=INDEX, metavar="DIR", help="a claim index"),
    option("--minutes", type=float, default=30.0),
    option("--kills", type=int, default=3),
    option("--seed", type=int, default=1),
    option("--follow", type=Path, help=argparse.SUPPRESS),
)

if __name__ == "__main__":
    sys.exit(main())
