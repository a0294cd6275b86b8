"""A large archive: search over everything said, new fact-checks against it, and what the page needs for its screen.

``python -m bench.archive.scale [--sentences 1000000] [--new 1000] [--against 300000] [--json FILE]``. Expected: first
page of a search over a million sentences within 1 s, 1,000 new fact-checks against 300,000 sentences within 60 s. The
sentences are those of the sample debates in ever other orders of their words; their vectors are random directions near
which a few of the new statements lie, since only their number and size count here.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np

from assistant import transcripts
from assistant.archive import repeats, searching
from assistant.archive.searching import Filter
from assistant.archive.store import ArchiveStore, Entry, place
from assistant.archive.tables import mentions
from assistant.archive.tables import transcripts as taken_in
from assistant.archive.vectors import Spoken, Vectors
from assistant.claims.importers import read_claims
from assistant.claims.store import ClaimStore
from assistant.ground import settings
from assistant.ground.domain import Sentence, Transcript
from assistant.review.decisions import DecisionStore
from bench.archive.making import FIRST
from bench.command import command, option, table
from bench.samples import CLAIMS, DEBATES, read_gold

EACH, MATCHES, WIDTH, LEAST, SEED = 300, 10, 384, 0.55, 5
SEARCHES = (
    ("a rare word", "seismograph", Filter()),
    ("a common word", "people", Filter()),
    ("the most common word", "the", Filter()),
    ("two words", "minimum wage", Filter()),
    ("a speaker", "dollar", Filter(speaker="SPEAKER 7")),
    ("a year", "dollar", Filter(first=FIRST, last=FIRST + timedelta(days=365))),
    ("no word", "", Filter()),
)


def debates(sentences: int) -> Iterator[Transcript]:
    """Yield made-up debates of ``EACH`` sentences until there are so many sentences."""
    dice = random.Random(SEED)
    read = [transcripts.read(DEBATES / name) for name in sorted(read_gold())]
    texts, words = [s.text for each in read for s in each], [w for each in read for s in each for w in s.text.split()]
    for number in range(sentences // EACH):
        said = [" ".join((dice.choice(texts), *dice.choices(words, k=6))) for _ in range(EACH)]
        speakers = [f"SPEAKER {dice.randrange(40)}" for _ in range(4)]
        sents = tuple(Sentence(i, i, text, speakers[i % 4], i * 5.0) for i, text in enumerate(said, 1))
        source = replace(read[0].source, sha256=f"{number:064x}", name=f"{number}.txt")
        yield Transcript(f"Debate {number}", FIRST + timedelta(days=number), source, sents)


def fill(store: ArchiveStore, vectors: Vectors, sentences: int, claims: Sequence[str]) -> None:
    """Put made-up debates into an archive, with vectors and with matches of these fact-checks."""
    dice = np.random.default_rng(SEED)
    for made in debates(sentences):
        store.add(made, made.source.name)
    said = [
        (entry.id, place(entry.id, dice.integers(1, EACH + 1))) for entry in store.entries() for _ in range(MATCHES)
    ]
    with store._writing() as connection:
        rows = {(int(sentence), claims[dice.integers(len(claims))]): debate for debate, sentence in said}
        connection.execute(taken_in.update().values(stamp="made up"))
        kind = {"tier": "likely", "stance": "repeats", "statement": ""}
        connection.execute(
            mentions.insert(), [{"sentence": s, "claim_id": c, "transcript": t, **kind} for (s, c), t in rows.items()]
        )
    for entry in store.entries():
        vectors.add(entry, _unit(dice.standard_normal((entry.sentences, WIDTH), np.float32)).astype(np.float16))


def took(work: Callable[[], Any], times: int = 3) -> float:
    """Return the seconds that some work takes, the second best of several times."""
    seconds = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return sorted(seconds)[min(1, times - 1)]


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the archive, search it, and compare new statements with it."""
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        home = options.home or Path(folder)
        chosen, vectors = settings.load(home=home), Vectors.of(home, "made up")
        with ArchiveStore.open(chosen.database) as store:
            if not store.entries():
                with ClaimStore.open(chosen.database) as claims:
                    claims.upsert(read_claims(CLAIMS), source="samples")
                    fill(store, vectors, options.sentences, list(claims.fingerprints()))
            spoken = vectors.open()
            rows = [*_searches(store, spoken), _other_way_round(spoken, options), *_page(store, chosen)]
    print(table(rows))
    return {"rows": rows}


def _searches(store: ArchiveStore, spoken: Spoken) -> Iterator[dict[str, Any]]:
    for name, text, chosen in SEARCHES:
        seconds = took(lambda text=text, chosen=chosen: searching.by_words(store, text, chosen))
        yield {"what": f"search by words: {name}", "of": len(spoken.ids), "seconds": seconds}
    asked = np.asarray(spoken.vectors[7], np.float32)
    for name, chosen in (("anything", Filter()), ("a speaker", Filter(speaker="SPEAKER 7"))):
        seconds = took(lambda chosen=chosen: searching.by_meaning(store, spoken, asked, chosen))
        yield {"what": f"search by meaning: {name}", "of": len(spoken.ids), "seconds": seconds}


def _other_way_round(spoken: Spoken, options: argparse.Namespace) -> dict[str, Any]:
    part = Spoken(spoken.ids[: options.against], spoken.vectors[: options.against])
    new = _unit(np.random.default_rng(SEED + 1).standard_normal((options.new, WIDTH), np.float32))
    new[: options.new // 10] = part.vectors[: options.new // 10]
    seconds = took(lambda: part.near(new, LEAST), times=1)
    return {"what": f"{options.new:,} new statements compared", "of": len(part.ids), "seconds": seconds}


def _page(store: ArchiveStore, chosen: settings.Settings) -> Iterator[dict[str, Any]]:
    with ClaimStore.open(chosen.database) as claims, DecisionStore.open(chosen.database) as decisions:
        entries: list[Entry] = store.entries()
        yield {"what": "list of debates", "of": len(entries), "seconds": took(store.entries)}
        seconds = took(lambda: repeats.tally(store, claims, decisions))
        yield {"what": "counting repeats", "of": len(entries), "seconds": seconds}


def _unit(rows: Any) -> Any:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


main = command(
    measure,
    option("--sentences", type=int, default=1_000_000),
    option("--new", type=int, default=1000),
    option("--against", type=int, default=300_000),
    option("--home", type=Path, metavar="DIR", help="keep the archive in this folder"),
)

if __name__ == "__main__":
    sys.exit(main())
