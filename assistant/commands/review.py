"""The command ``review``: lists the decisions about matches, or exports an evaluation set."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from assistant.commands.options import add_force, export_folder, load_settings
from assistant.commands.terminal import data_table, print_line, say

if TYPE_CHECKING:
    from assistant.review.decision_store import Record

DECISION_HEADINGS = (
    "Decision",
    "Reason",
    "By",
    "At",
    "Debate",
    "Sentence",
    "Said",
    "Fact-check",
    "Claim",
    "Note",
    "Opened again",
)


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    subcommands = subcommands.add_parser(
        "review", help="list or export people's decisions"
    ).add_subparsers(required=True, metavar="COMMAND")
    list_command = subcommands.add_parser(
        "list", parents=[shared_parser], help="list the current decisions"
    )
    list_command.set_defaults(run=_list)
    export_command = subcommands.add_parser(
        "export",
        parents=[shared_parser],
        help="write an evaluation set: queries, judgements and claims",
    )
    export_command.add_argument(
        "--out", metavar="DIR", required=True, help="folder for the evaluation set"
    )
    add_force(export_command)
    export_command.set_defaults(run=_export)


def _list(options: argparse.Namespace) -> None:
    from assistant.review import revisions
    from assistant.review.decision_store import DecisionStore

    records = _decided(options)
    with DecisionStore.open(load_settings(options).database) as store:
        reviews = store.current_reviews(record.anchor.claim_id for record in records)
    with data_table(*DECISION_HEADINGS) as table:
        for record in records:
            anchor = record.anchor
            decision = record.decision
            if decision:
                table.add(
                    decision.verdict,
                    decision.reason,
                    decision.by,
                    decision.at,
                    anchor.title,
                    anchor.number,
                    anchor.text,
                    anchor.claim_id,
                    anchor.statement,
                    decision.note,
                    revisions.reason_open_again(record, reviews),
                )
    if not records:
        say("There are no decisions yet. Decide in the Review view of a debate.")


def _export(options: argparse.Namespace) -> None:
    from assistant.core.errors import ReviewError
    from assistant.review import evaluation

    records = _decided(options)
    if not records:
        raise ReviewError(
            "there are no decisions yet.",
            remedy="First decide on matches in the Review view of a debate.",
        )
    tables = evaluation.files(records)
    exports = export_folder(options, load_settings(options))
    for path in exports.write(tables, ReviewError):
        print_line(path)


def _decided(options: argparse.Namespace) -> list[Record]:
    from assistant.review.decision_store import DecisionStore

    with DecisionStore.open(load_settings(options).database) as store:
        return [record for record in store.all() if record.decision]
