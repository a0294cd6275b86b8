"""How do opening, search, a check, memory and disk grow with the number of fact-checks, up to a million?

python -m bench.million [--sizes 20000,100000,1000000] [--encoded 20000] [--folder DIR] [--json
FILE]

Target on two quiet cores for a million statements: opened in 5 s, one sentence searched in 100 ms,
3 GB of private memory, 5 GB on disk, made in 75 minutes; a check at most 3 times as long as among
the first of the sizes; docs/research/speed.md says what is reached. Statements are recombined from the
words of the sample claims. Their vectors are not read by the model but summed up from those of
their words, with some noise, so that sentences lie near some and far from most; token states are
random. What encoding adds to making the index is measured with ``--encoded`` statements that the
model reads, in parts as the product does, and reckoned. Searched and checked is a sample debate,
with all models.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np

from assistant import pipeline, transcripts
from assistant.check.candidates import search
from assistant.check.loaded_models import encoders as encoders_of
from assistant.claims import index_building, index_manifest
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.importers import read_claims
from assistant.claims.records import AttributedClaim
from assistant.core.domain import VerifiedClaim
from assistant.core.settings import EMBEDDED
from bench.command import command, option, table
from bench.memory import private_mb, watched
from bench.samples import CLAIMS, DEBATES, read_gold
from features.models.encoders import unit
from features.models.model_spec import Floats
from features.models.profile_models import Encoders

TOKENS = 28
WORDS = 14
SEARCHES = 20
NOISE = 0.3
MILLION = 1_000_000


class Recombined:
    """Statements of words that the sample claims have, as a store.

    Each is made when it is asked for.
    """

    def __init__(self, size: int) -> None:
        records = read_claims(CLAIMS)
        claims = [
            record.claim if isinstance(record, AttributedClaim) else record for record in records
        ]
        texts = [claim.statement for claim in claims if isinstance(claim, VerifiedClaim)]
        self.words = [word for text in texts for word in text.split()]
        self._size = size

    def statement(self, number: int) -> str:
        """Return the statement with a number."""
        rng = np.random.default_rng(number)
        word_indices = rng.integers(0, len(self.words), WORDS)
        return " ".join(self.words[i] for i in word_indices) + f" {number}."

    def fingerprints(self) -> dict[str, str]:
        """Return id and digest of each claim."""
        ids = (f"claim-{number:07}" for number in range(self._size))
        return {i: hashlib.sha256(i.encode()).hexdigest()[:32] for i in ids}

    def many(self, ids: Iterable[str]) -> dict[str, VerifiedClaim]:
        """Return the claims with some ids."""
        return {
            i: VerifiedClaim(
                i,
                self.statement(int(i[-7:])),
                claimant="A senator",
                rating="False",
                publisher="Checker",
            )
            for i in ids
        }


class OfWords:
    """An encoder in the model's place, under its name: vectors summed up from words.

    Implements what indexing calls.
    """

    def __init__(self, encoders: Encoders) -> None:
        self.name = encoders.sbert.name
        self.digest = encoders.sbert.digest
        words = sorted(set(Recombined(0).words))
        self._place = {word: word_index for word_index, word in enumerate(words)}
        vectors = encoders.sbert.encode(words)
        self._vectors = unit(vectors - vectors.mean(axis=0))
        self.width = vectors.shape[1]

    def encode(self, texts: Sequence[str]) -> Floats:
        """Return one unit row a text, (n, d).

        A word that no sample claim has, as its number, counts for nothing.
        """
        noise = np.random.default_rng(zlib.crc32("".join(texts).encode()))
        sums = (
            noise.standard_normal((len(texts), self.width), dtype=np.float32)
            * NOISE
            * (WORDS / self.width) ** 0.5
        )
        for vector, text in zip(sums, texts, strict=True):
            vector += self._vectors[
                [self._place[word] for word in text.split() if word in self._place]
            ].sum(axis=0)
        return unit(sums)

    def read(self, texts: Sequence[str]) -> tuple[Floats, list[Floats]]:
        """Return vectors, and token states of which all texts share the values."""
        states = unit(
            np.random.default_rng(0).standard_normal((TOKENS, self.width), dtype=np.float32)
        )
        return self.encode(texts), [states] * len(texts)


def _stand_in() -> Encoders:
    """Return encoders that make an index which those of the product open."""
    encoders = encoders_of(EMBEDDED)
    model = OfWords(encoders)
    states = SimpleNamespace(name=encoders.bertscore.name, digest=encoders.bertscore.digest)
    encoder_fields = {
        "sbert": model,
        "bertscore": states,
        "simcse": encoders.simcse,
        "simcse_is_head": True,
        "read": model.read,
    }
    return cast(Encoders, SimpleNamespace(**encoder_fields))


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Return the seconds that some work takes, by the wall and by the processor."""
    wall = time.perf_counter()
    processor = time.process_time()
    work()
    return time.perf_counter() - wall, time.process_time() - processor


def _used(folder: Path, figures: dict[str, Any]) -> None:
    """Fill in what opening and searching an index and a check with it cost a process of its own."""
    encoders = encoders_of(EMBEDDED)
    debate = transcripts.read(DEBATES / min(read_gold()))
    texts = sorted((sent.text for sent in debate), key=len)[-SEARCHES:]
    vectors = encoders.sbert.encode(texts)
    index_manifest.model_digests(encoders)  # reads what the index does not cost
    memory_before_mb = private_mb()
    start = time.perf_counter()
    index = ClaimIndex.open(folder, encoders)
    figures["open_s"] = time.perf_counter() - start
    figures["first_search_s"] = _timed(lambda: search(texts[:1], vectors[:1], index))[0]
    allowed = np.ones(len(index), bool)
    work_by_name: dict[str, Callable[[int], object]] = {
        "search": lambda i: search(texts[i : i + 1], vectors[i : i + 1], index),
        "of_it_vectors": lambda i: index.nearest(vectors[i : i + 1], "statement", 20, allowed),
        "of_it_words": lambda i: index.bm25("statement").best(texts[i], 20, allowed),
    }
    for name, work in work_by_name.items():
        times = [_timed(lambda i=i, work=work: work(i)) for i in range(len(texts))]
        figures[f"{name}_ms"], figures[f"{name}_processor_ms"] = (
            1000 * float(np.median(seconds)) for seconds in zip(*times, strict=True)
        )
    figures["private_mb"] = private_mb() - memory_before_mb
    with watched() as memory:
        figures["first_check_s"], figures["first_check_processor_s"] = _timed(
            lambda: pipeline.check(debate, index)
        )
        figures["check_s"], figures["check_processor_s"] = _timed(
            lambda: pipeline.check(debate, index)
        )
    figures["check_private_mb"], figures["check_sentences"] = max(memory), len(debate)


def _of_size(size: int, folder: Path) -> dict[str, Any]:
    """Return the figures of an index of some size, which is made unless it is there."""
    figures: dict[str, Any] = {"statements": size}
    if not folder.is_dir():
        stand_in = _stand_in()
        build_seconds = _timed(lambda: ClaimIndex.build(Recombined(size), folder, stand_in))
        figures["made_s"], figures["made_processor_s"] = build_seconds
    figures["disk_mb"] = sum(path.stat().st_size for path in folder.rglob("*")) / 2**20
    with multiprocessing.get_context("spawn").Manager() as manager:
        shared = cast(dict[str, Any], manager.dict())
        process = multiprocessing.get_context("spawn").Process(target=_used, args=(folder, shared))
        process.start()
        process.join()
        return {name: round(value, 3) for name, value in {**figures, **shared}.items()}


def encoding(number: int) -> dict[str, float]:
    """Return the seconds by the wall and the processor that so many statements take.

    With token states and without.
    """
    encoders = encoders_of(EMBEDDED)
    texts = [Recombined(0).statement(i) for i in range(number)]
    blocks = []
    for start in range(0, number, index_building.SEGMENT_CLAIMS):
        blocks.append(texts[start : start + index_building.SEGMENT_CLAIMS])
    encoders.read(texts[:10])
    with_states_s, with_states_processor_s = _timed(
        lambda: [len(encoders.read(block)) for block in blocks]
    )
    alone_s, alone_processor_s = _timed(
        lambda: [len(encoders.sbert.encode(block)) for block in blocks]
    )
    lengths = [len(tokens) for tokens, _ in encoders.sbert.runner.tokens(texts)]
    # a million statements: as many with token states as the index stores, the others without
    states_count = index_building.MAX_STORED_STATES
    other_count = MILLION - states_count
    million_s = (states_count * with_states_s + other_count * alone_s) / number
    return {
        "encoded": number,
        "tokens": float(np.mean(lengths)),
        "ms_with_states": 1000 * with_states_s / number,
        "processor_ms_with_states": 1000 * with_states_processor_s / number,
        "ms": 1000 * alone_s / number,
        "processor_ms": 1000 * alone_processor_s / number,
        "minutes_a_million": million_s / 60,
    }


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Print and return the figures of each size."""
    size_rows: list[dict[str, Any]] = []
    for size in map(int, filter(None, options.sizes.split(","))):
        with tempfile.TemporaryDirectory() as folder:
            size_rows.append(_of_size(size, (options.folder or Path(folder)) / str(size)))
        for name in ("check_s", "check_processor_s"):
            size_rows[-1][f"{name}_times"] = round(size_rows[-1][name] / size_rows[0][name], 2)
        print("\n".join(f"{name:28}{value}" for name, value in size_rows[-1].items()), flush=True)
    report: dict[str, Any] = {"rows": size_rows}
    if options.encoded:
        report["encoding"] = encoding(options.encoded)
        print(table([report["encoding"]]))
    return report


main = command(
    measured,
    option("--sizes", default="20000,1000000", metavar="N,N", help="numbers of statements"),
    option(
        "--encoded",
        type=int,
        default=20_000,
        metavar="N",
        help="statements that the model reads, 0 for none",
    ),
    option(
        "--folder",
        type=Path,
        metavar="DIR",
        help="keep the indexes there, and use those that are there",
    ),
)

if __name__ == "__main__":
    sys.exit(main())
