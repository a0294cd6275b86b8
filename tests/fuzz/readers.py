"""Fuzzes every reader: ``python -m tests.fuzz.readers --minutes 10 [--seed N]``.

Findings are kept in build/fuzz.

The seeds are the golden files, the samples and the known hostile files; they are cut, joined,
repeated and spiked with what parsers stumble over. A finding is an error that is no refusal, or a
reader that its limits had to end.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from assistant.core import confined
from assistant.core.errors import LecternError
from tests.fuzz import targets
from tests.fuzz.cases import OWN, SEEN

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "tests/golden/transcripts",
    "tests/golden/reported_transcripts",
    "sample_transcripts",
    "sample_claims",
)
KEPT = ROOT / "build" / "fuzz"
LARGEST = 60_000  # bytes: what is superlinear shows at this size, and what is linear stays far below the limits
_SPIKES = """\0 \ud800 ² \u0301 < > &lt; [ ] { } " ' , ; : * ** __ >> --> <v <b> <table> <p> <span> NaN 1e999 -1 ♪
\ufffd 99999999999999999999 00:00:00,000 X-TIMESTAMP-MAP=MPEGTS: A: Mr. [Applause] WEBVTT #EXTM3U a the two
January 1, %PDF-
<script_type='application/ld+json'> {"@type":"ClaimReview","claimReviewed":"""
SPIKES = [b" ", b"\t", b"\n", b"\r\n", b"PK\x03\x04", b"the ", b"two ", b"Mr. "]
SPIKES += [
    spike.replace("_type", " type").encode("utf-8", "surrogatepass") for spike in _SPIKES.split()
]


class Finding(LecternError):
    """A reader was ended by its limits, or by an error of its own."""


def seeds() -> list[bytes]:
    """Return the files that are changed."""
    files = [
        p.read_bytes()
        for folder in FOLDERS
        for p in sorted((ROOT / folder).rglob("*"))
        if p.is_file()
    ]
    hostile = [
        make()[:LARGEST] for name, make in {**SEEN, **OWN}.items() if name != "a doubly packed page"
    ]
    return [data for data in files if len(data) <= LARGEST] + hostile


def changed(data: bytes, known_seeds: list[bytes], random: Random) -> bytes:
    """Return bytes after a few random changes."""
    for _ in range(random.choice([1, 1, 2, 3, 6])):
        start = random.randrange(len(data) + 1)
        end = min(len(data), start + random.choice([0, 1, 4, 30, 400]))
        other_seed = random.choice(known_seeds)
        at = random.randrange(len(other_seed) + 1)
        piece = random.choice(
            [
                data[start:end],
                random.choice(SPIKES),
                other_seed[at : at + random.choice([4, 40, 400])],
            ]
        )
        times = random.choice([0, 1, 1, 2, 30, LARGEST // max(len(piece), 1)])
        data = (data[:start] + piece * times + data[random.choice([start, end]) :])[:LARGEST]
    return data


def finding(name: str, data: bytes) -> str:
    """Return what is wrong with how a target ends, "" if nothing is."""
    try:
        confined.call(targets.run, name, data, where="fuzzed", refusal=Finding)
    except Finding as error:
        return str(error)
    return ""


def fuzz(seconds: float, seed: int) -> Counter[str]:
    """Fuzz for some seconds; return how often each target ran, and how many findings there were."""
    random = Random(seed)
    known_seeds = seeds()
    ran = Counter[str]()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = changed(random.choice(known_seeds), known_seeds, random)
        name = random.choice(targets.TARGETS).__name__
        ran[name] += 1
        if wrong := finding(name, data):
            ran["findings"] += 1
            KEPT.mkdir(parents=True, exist_ok=True)
            path = KEPT / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
            path.write_bytes(data)
            sys.stderr.write(f"{path}: {wrong}\n")
    return ran


def main() -> int:
    """Fuzz as long as asked; the exit status is 1 if anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    ran = fuzz(options.minutes * 60, options.seed)
    sys.stderr.write(
        f"seed {options.seed}: {', '.join(f'{count:,} {name}' for name, count in ran.most_common())}\n"
    )
    return int(ran["findings"] > 0)


if __name__ == "__main__":
    sys.exit(main())
