"""How do opening, search, memory and disk grow with the number of fact-checks, up to a million?

    python -m bench.million [--sizes 100000,1000000] [--encoded 500] [--folder DIR] [--json FILE]

Wanted on two quiet cores for a million statements: opened in 5 s, one sentence searched in 100 ms, 3 GB of private
memory, 5 GB on disk; docs/speed.md says what is reached. Statements are recombined from the words of the sample claims.
Their vectors and token states are random, for no time and no size here depends on their values; what encoding adds to
making the index is reckoned from ``--encoded`` statements that the model does read.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import sys
import tempfile
import time
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from assistant.check.candidates import search
from assistant.check.models import encoders as encoders_of
from assistant.claims.importers import read_claims
from assistant.claims.index import ClaimIndex
from assistant.claims.records import Attributed
from assistant.ground.domain import VerifiedClaim
from assistant.ground.settings import EMBEDDED
from bench.command import command, option, table
from bench.samples import CLAIMS
from features.models import Encoders
from features.spec import Floats

WIDTH, TOKENS, WORDS, SEARCHES = 384, 28, 14, 20


class Recombined:
    """Statements of words that the sample claims have, as a store; each is made when it is asked for."""

    def __init__(self, size: int) -> None:
        rows = read_claims(CLAIMS)
        claims = [row.claim if isinstance(row, Attributed) else row for row in rows]
        texts = [claim.statement for claim in claims if isinstance(claim, VerifiedClaim)]
        self._words = [word for text in texts for word in text.split()]
        self._size = size

    def statement(self, number: int) -> str:
        """Return the statement with a number."""
        rng = np.random.default_rng(number)
        places = rng.integers(0, len(self._words), WORDS)
        return " ".join(self._words[i] for i in places) + f" {number}."

    def fingerprints(self) -> dict[str, str]:
        """Return id and digest of each claim."""
        ids = (f"claim-{number:07}" for number in range(self._size))
        return {i: hashlib.sha256(i.encode()).hexdigest()[:32] for i in ids}

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return the claims with some ids."""
        return {
            i: VerifiedClaim(i, self.statement(int(i[-7:])), claimant="A senator", rating="False", publisher="Checker")
            for i in ids
        }


class Random:
    """An encoder in the model's place: random unit vectors and states. Implements what indexing calls."""

    name, digest, width = "random", "0", WIDTH

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row a text, (n, d): others for other texts, since equal rows could not be told apart."""
        seed = zlib.crc32("".join(texts).encode())
        rows = np.random.default_rng(seed).standard_normal((len(texts), WIDTH), dtype=np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def read(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """Return vectors, and token states of which all texts share the values."""
        states = self.encode(["token"] * TOKENS)
        return self.encode(texts), [states] * len(texts)


def _encoders() -> Encoders:
    model = Random()
    stand_in = SimpleNamespace(sbert=model, bertscore=model, simcse_is_head=True, read=model.read)
    return cast(Encoders, stand_in)


def _private_mb() -> float:
    lines = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private")) / 1024


def _used(folder: Path, size: int, row: dict[str, Any]) -> None:
    """Fill in what opening and searching an index costs a process of its own."""
    before, start = _private_mb(), time.perf_counter()
    index = ClaimIndex.open(folder, _encoders())
    row["open_s"] = time.perf_counter() - start
    text = Recombined(size).statement(size // 2)
    start = time.perf_counter()
    search([text], Random().encode([text]), index)
    row["first_search_s"] = time.perf_counter() - start
    times = []
    for number in range(SEARCHES):
        text = Recombined(size).statement(number)
        vector = Random().encode([text])
        start, processor = time.perf_counter(), time.process_time()
        search([text], vector, index)
        times.append((time.perf_counter() - start, time.process_time() - processor))
    row["search_ms"], row["search_processor_ms"] = (1000 * float(np.median(t)) for t in zip(*times, strict=True))
    row["private_mb"] = _private_mb() - before


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return the figures of each size."""
    rows = []
    for size in map(int, options.sizes.split(",")):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            start, processor = time.perf_counter(), time.process_time()
            ClaimIndex.build(Recombined(size), Path(folder), _encoders())
            row: dict[str, Any] = {"statements": size, "made_s": time.perf_counter() - start}
            row["made_processor_s"] = time.process_time() - processor
            row["disk_mb"] = sum(path.stat().st_size for path in Path(folder).rglob("*")) / 2**20
            with multiprocessing.get_context("spawn").Manager() as manager:
                shared = manager.dict()
                process = multiprocessing.get_context("spawn").Process(
                    target=_used, args=(Path(folder), size, cast(dict[str, Any], shared))
                )
                process.start()
                process.join()
                row |= dict(shared)
            rows.append({name: round(value, 3) for name, value in row.items()})
            print(table(rows[-1:]), flush=True)
    texts = [Recombined(1).statement(number) for number in range(options.encoded)]
    encoders, start = encoders_of(EMBEDDED), time.process_time()
    encoders.sbert.encode(texts)
    each = (time.process_time() - start) / max(len(texts), 1)
    print(f"encoding: {each * 1000:.2f} ms of processor time a statement, {each * 1e6 / 60:.0f} min a million")
    return {"rows": rows, "encoding_ms": round(each * 1000, 3)}


main = command(
    measured,
    option("--sizes", default="100000,1000000", metavar="N,N", help="numbers of statements"),
    option("--encoded", type=int, default=500, metavar="N", help="statements that the model reads"),
    option("--folder", type=Path, metavar="DIR", help="where the indexes are made, and removed afterwards"),
)

if __name__ == "__main__":
    sys.exit(main())
