"""``python -m assistant review``: what people have decided, as a table or an evaluation set; lines out, no printing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.ground.domain import Report
    from assistant.ground.settings import Settings


def add_review(review: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    """Add the verbs of ``review``."""
    verbs = review.add_subparsers(required=True, metavar="COMMAND", dest="verb")
    verbs.add_parser("list", parents=[shared], help="every decision that stands, tab-separated")
    export = verbs.add_parser("export", parents=[shared], help="as an evaluation set: queries, qrels, claims")
    export.add_argument("--out", metavar="DIR", required=True, help="folder for the files")


def review(options: argparse.Namespace, chosen: Settings) -> Iterable[str]:
    """Do what was asked; yield the lines to print.

    Raises: ReviewError if there is nothing to export, or the folder cannot be written.
    """
    from assistant.review.decisions import DecisionStore

    with DecisionStore.open(chosen.database) as store:
        records = [record for record in store.all() if record.decision]
    if options.verb == "export":
        yield from _export(records, Path(options.out))
    else:
        yield from (_row(record) for record in records)


def with_decisions(report: Report, chosen: Settings) -> Report:
    """Return the report with what people have decided about it; decisions without a place are among its warnings."""
    from assistant.review import deciding
    from assistant.review.decisions import DecisionStore

    with DecisionStore.open(chosen.database) as store:
        return deciding.placed(store, report).report


def _export(records: list, folder: Path) -> Iterable[str]:
    from assistant.ground import files
    from assistant.ground.errors import ReviewError
    from assistant.review import evaluation

    if not records:
        raise ReviewError("nobody has decided about a match yet.", remedy="That is done on the page Review.")
    tables = evaluation.files(records)
    files.write_folder(folder, tables, error=ReviewError)
    yield from (str(folder / name) for name in tables)


def _row(record) -> str:
    anchor, decision = record.anchor, record.decision
    cells = (decision.verdict, decision.reason, decision.by, decision.at, anchor.title, anchor.number, anchor.text)
    return "\t".join(" ".join(str(cell).split()) for cell in (*cells, anchor.claim_id, anchor.statement, decision.note))
