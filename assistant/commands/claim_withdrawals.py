"""The commands ``claims withdraw``, ``restore``, ``withdrawn`` and ``history``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from assistant.commands.options import account_name, load_settings
from assistant.commands.terminal import data_table, print_line, say
from assistant.core.errors import StoreError
from assistant.report.wording import count

if TYPE_CHECKING:
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.records import ImportReport

# A source that lacks a larger share of its claims was probably read by half.
MAX_MISSING_SHARE = 0.1
SHOWN_IDS = 5
WHY_MISSING = "no longer in its source"
WITHDRAWN_HEADINGS = ("ID", "Withdrawn", "By", "Reason", "Source", "Rating", "Claim", "Address")


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the commands."""
    withdraw_command = subcommands.add_parser(
        "withdraw",
        parents=[shared_parser],
        help="exclude fact-checks from matching, for example retracted ones",
    )
    withdraw_command.add_argument(
        "ids", metavar="ID", nargs="*", help="ids of the fact-checks to exclude"
    )
    withdraw_command.add_argument(
        "--source",
        metavar="NAME",
        help="also exclude all fact-checks that come only from this source",
    )
    withdraw_command.add_argument(
        "--why",
        default="",
        help="reason for excluding these fact-checks, shown beside decisions on them",
    )
    withdraw_command.set_defaults(run=_withdraw)
    restore_command = subcommands.add_parser(
        "restore", parents=[shared_parser], help="restore withdrawn fact-checks"
    )
    restore_command.add_argument(
        "ids", metavar="ID", nargs="+", help="ids of the fact-checks to restore"
    )
    restore_command.set_defaults(run=_restore)
    withdrawn_command = subcommands.add_parser(
        "withdrawn", parents=[shared_parser], help="list the withdrawn fact-checks"
    )
    withdrawn_command.set_defaults(run=_list)
    history_command = subcommands.add_parser(
        "history",
        parents=[shared_parser],
        help="list earlier ratings and statements of a fact-check",
    )
    history_command.add_argument("id", metavar="ID", help="id of the fact-check")
    history_command.set_defaults(run=_history)


def add_missing_option(command: argparse.ArgumentParser) -> None:
    """Add the option that withdraws the fact-checks that an import lacks."""
    command.add_argument(
        "--withdraw-missing",
        action="store_true",
        help="exclude fact-checks that the source no longer contains "
        f"(unless more than {MAX_MISSING_SHARE:.0%}% are missing)",
    )


def settle_missing(options: argparse.Namespace, store: ClaimStore, imported: ImportReport) -> None:
    """Say which fact-checks an import lacks, and withdraw them if the option says so."""
    missing_count = len(imported.missing_ids)
    if not missing_count:
        return
    listed_ids = ", ".join(imported.missing_ids[:SHOWN_IDS])
    if missing_count > SHOWN_IDS:
        listed_ids += f" and {missing_count - SHOWN_IDS:,} more"
    say(
        f"{missing_count:,} of {imported.source_claims:,} fact-checks are no longer in this "
        f"source: {listed_ids}"
    )
    if imported.lacks_all_former:
        say(
            "This import has none of the fact-checks that its source had before. If it comes from "
            "another source, import it with --source NAME."
        )
    if not options.withdraw_missing:
        say("They still count. --withdraw-missing or `claims withdraw ID` takes them out.")
        return
    if imported.lacks_all_former:
        say("They were not withdrawn.")
        return
    if missing_count > MAX_MISSING_SHARE * imported.source_claims:
        say(
            f"They were not withdrawn, because they are more than {MAX_MISSING_SHARE:.0%} of the "
            "source: was it read to its end?"
        )
        return
    withdrawn_ids = store.withdraw(
        imported.missing_ids, why=WHY_MISSING, withdrawn_by=account_name()
    )
    say(f"{count(len(withdrawn_ids), 'fact-check')} withdrawn.")


def _withdraw(options: argparse.Namespace) -> None:
    with _store(options) as store:
        ids = list(options.ids)
        if options.source:
            ids += store.ids_of_source(options.source)
        if not ids:
            remedy = "Give ids from `claims search`, or --source NAME from `claims status`."
            raise StoreError("there is no fact-check to withdraw.", remedy=remedy)
        withdrawn_ids = store.withdraw(ids, why=options.why, withdrawn_by=account_name())
    _say_unknown(withdrawn_ids, options.ids, "no current fact-check has this id.")
    if not withdrawn_ids:
        raise StoreError("no fact-check was withdrawn.", remedy="Check the ids.")
    total = count(len(withdrawn_ids), "fact-check")
    say(f"{total} withdrawn. Lectern no longer suggests {_pronoun(withdrawn_ids)}.")


def _restore(options: argparse.Namespace) -> None:
    with _store(options) as store:
        restored_ids = store.restore(options.ids, restored_by=account_name())
    _say_unknown(restored_ids, options.ids, "no withdrawn fact-check has this id.")
    if not restored_ids:
        raise StoreError("no fact-check was restored.", remedy="Check the ids.")
    total = count(len(restored_ids), "fact-check")
    pronoun = _pronoun(restored_ids)
    say(f"{total} restored. Lectern suggests {pronoun} again from the next check.")


def _pronoun(ids: Sequence[str]) -> str:
    return "it" if len(ids) == 1 else "them"


def _say_unknown(done_ids: Sequence[str], given_ids: Sequence[str], refusal: str) -> None:
    """Print the ids that were changed, and name the others."""
    for claim_id in done_ids:
        print_line(claim_id)
    for claim_id in sorted(set(given_ids) - set(done_ids)):
        say(f"{claim_id}: {refusal}")


def _list(options: argparse.Namespace) -> None:
    with _store(options) as store:
        withdrawals = store.withdrawn()
    with data_table(*WITHDRAWN_HEADINGS) as table:
        for withdrawal in withdrawals:
            claim = withdrawal.claim
            table.add(
                claim.id,
                f"{withdrawal.withdrawn_at:%Y-%m-%d}",
                withdrawal.withdrawn_by,
                withdrawal.why,
                withdrawal.source,
                claim.rating,
                claim.statement,
                claim.url,
            )
    if not withdrawals:
        say("No fact-check is withdrawn.")


def _history(options: argparse.Namespace) -> None:
    with _store(options) as store:
        versions = store.versions(options.id)
        reviews = store.current_reviews([options.id])
    if options.id not in reviews:
        raise StoreError(f"no fact-check has the id {options.id!r}.")
    review = reviews[options.id]
    state = "now"
    if review.withdrawn:
        state = f"withdrawn {review.withdrawn.withdrawn_at:%Y-%m-%d}"
    with data_table("Reviewed", "Rating", "Claim", "State") as table:
        for version in versions:
            until = f"until {version.replaced_at:%Y-%m-%d}"
            table.add(version.review_date or "", version.rating, version.statement, until)
        table.add(review.review_date or "", review.rating, review.statement, state)


def _store(options: argparse.Namespace) -> closing[ClaimStore]:
    from assistant.claims.claim_store import ClaimStore

    return closing(ClaimStore.open(load_settings(options).database))
