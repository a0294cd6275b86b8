"""New fact-checks meet a large archive.

How long does ``archive alerts`` take, from its start to its last alert?

``python -m bench.archive.meeting --data DIR [--index DIR] [--sentences 300000] [--distinct N] [--new 1000] [--json
FILE]``. Expected: 1,000 new fact-checks against 300,000 archived sentences within 60 s. The fact-checks are those of
the data folder in a finished index, a thousand of which are taken for new; the sentences are those of its debates,
again and again until they are enough, with the vectors that the model gives them. Timed is all that the command does.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np
import sqlalchemy as sa

from assistant import pipeline
from assistant.archive import alerts, bulk_run
from assistant.archive.archive_store import ArchiveStore
from assistant.archive.tables import alerts as found_alerts
from assistant.check import loaded_models
from assistant.claims.claim_store import ClaimStore
from assistant.core import settings
from assistant.core.domain import Sentence, Source, Transcript
from assistant.core.settings import EMBEDDED
from bench.archive.making import FIRST, Line
from bench.command import command, data_option, option, table
from bench.speed import INDEX
from training.shared.claims import politifact

EACH = 300
SEED = 5


def home_of(data: Path, index: Path, folder: Path) -> Path:
    """Make a folder a home with the fact-checks of a data folder and links to their finished index."""
    with ClaimStore.open(settings.load(home=folder).database) as store:
        store.upsert(politifact(data), source="politifact")
        content = store.digest()
    for manifest in index.glob("*/manifest.json"):
        index_folder = folder / "index" / manifest.parent.name
        index_folder.mkdir(parents=True)
        manifest_content = json.loads(manifest.read_text("utf-8"))
        for segment in manifest_content["segments"]:
            (index_folder / segment).symlink_to((manifest.parent / segment).resolve())
        (index_folder / "manifest.json").write_text(
            json.dumps(manifest_content | {"content": content}), "utf-8"
        )
    return folder


def lines(data: Path, distinct: int) -> list[Line]:
    """Return who says what in the public debates: the first so many sentences."""
    with gzip.open(data / "debates" / "transcripts.jsonl.gz", "rt", encoding="utf-8") as file:
        records = map(json.loads, islice(file, distinct))
        return [
            (str(record["speaker"] or ""), " ".join(record["text"].split())) for record in records
        ]


def debates(lines: list[Line], sentences: int) -> Iterator[Transcript]:
    """Yield debates of ``EACH`` sentences until there are so many sentences."""
    endless = cycle(lines)
    for number in range(sentences // EACH):
        numbered_lines = enumerate(islice(endless, EACH), 1)
        sents = tuple(Sentence(i, i, text, speaker) for i, (speaker, text) in numbered_lines)
        source = Source(f"{number}.txt", "txt", f"{number:064x}")
        yield Transcript(f"Debate {number}", FIRST + timedelta(days=number), source, sents)


def fill(
    store: ArchiveStore, current_settings: settings.Settings, lines: list[Line], sentences: int
) -> None:
    """Put so many sentences into an archive, with their vectors."""
    texts = list(dict.fromkeys(text for _, text in lines))
    encoded = loaded_models.encoders(EMBEDDED).sbert.encode(texts).astype(np.float16)
    vector_index = {text: text_index for text_index, text in enumerate(texts)}
    vectors = bulk_run.vector_folder(current_settings)
    transcripts = list(debates(lines, sentences))
    for transcript in transcripts:
        store.add(transcript, transcript.source.name)
    by_document = {transcript.source.sha256: transcript for transcript in transcripts}
    for entry in store.entries():
        vectors.add(
            entry, encoded[[vector_index[sent.text] for sent in by_document[entry.document]]]
        )


def measure(options: argparse.Namespace) -> dict[str, list[dict[str, Any]]]:
    """Make the archive, take some fact-checks for new, and have them meet it."""
    with tempfile.TemporaryDirectory(prefix="lectern-") as folder:
        current_settings = settings.load(home=home_of(options.data, options.index, Path(folder)))
        index = pipeline.open_index(current_settings)
        fingerprints = index.fingerprints
        new = np.random.default_rng(SEED).permutation(sorted(fingerprints))[: options.new].tolist()
        with ArchiveStore.open(current_settings.database) as store:
            fill(store, current_settings, lines(options.data, options.distinct), options.sentences)
            store.note_compared(
                {claim: mark for claim, mark in fingerprints.items() if claim not in set(new)}
            )
            wall = time.perf_counter()
            processor = time.process_time()
            meeting_result = alerts.compare_new_claims(store, current_settings)
            figures = {
                "new": meeting_result,
                "sentences": options.sentences,
                "seconds": time.perf_counter() - wall,
            }
            figures["processor_s"] = time.process_time() - processor
            alerts_columns = found_alerts.c
            for tier, count in store.rows(
                sa.select(alerts_columns.tier, sa.func.count()).group_by(alerts_columns.tier)
            ):
                figures[tier] = count
            figures["told"] = len(alerts.newest_alerts(store, current_settings, most=options.new))
    print(table([figures]))
    return {"rows": [figures]}


main = command(
    measure,
    data_option,
    option(
        "--index",
        type=Path,
        default=INDEX,
        metavar="DIR",
        help="the finished index of its fact-checks",
    ),
    option("--sentences", type=int, default=300_000),
    option(
        "--distinct", type=int, default=100_000, metavar="N", help="of them that differ, at most"
    ),
    option("--new", type=int, default=1000),
)

if __name__ == "__main__":
    sys.exit(main())
