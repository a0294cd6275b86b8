"""The command ``claims``: imports, downloads, indexes and searches fact-checks and their articles."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands import claim_refresh, claim_withdrawals
from assistant.commands.options import audited, load_settings, positive_number
from assistant.commands.terminal import ProgressLine, data_table, print_line, say, usage_error
from assistant.core.errors import SettingsError
from assistant.core.settings import NETWORK_VARIABLE, Settings

if TYPE_CHECKING:
    from assistant.claims.article_fetching import ArticlePage, FetchOutcome, FetchResult
    from assistant.claims.claim_store import ClaimStore
    from assistant.claims.records import ImportReport

PAGES_PER_RUN = 200  # pages of one run: a quarter of an hour at most for a single site
SITES_NAMED = 5
SHOWN_RATINGS = 10  # unknown ratings in the report of an import
SHOWN_IMPORT_LINES = 20  # of one kind in the report of an import
INDEX_NEXT = "Run `python -m assistant claims index` to make them searchable."


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command and its own commands."""
    subcommands = subcommands.add_parser(
        "claims", help="manage the fact-checks in the database"
    ).add_subparsers(required=True, metavar="COMMAND")
    bring = subcommands.add_parser(
        "import", parents=[shared_parser], help="import fact-checks from a file or folder"
    )
    bring.add_argument("path", metavar="PATH", help="file or folder with fact-checks")
    bring.add_argument("--source", help="name of the source (default: the name of the file)")
    bring.add_argument(
        "--column",
        action="append",
        metavar="FIELD=COLUMN",
        help="column to use for a field, by name or number (repeatable)",
    )
    bring.add_argument(
        "--refused",
        metavar="FILE",
        help="CSV file for rejected rows, so that you can correct them and import them again",
    )
    claim_withdrawals.add_missing_option(bring)
    bring.set_defaults(run=_import)
    fetch = subcommands.add_parser(
        "fetch", parents=[shared_parser], help="download published fact-checks"
    )
    fetch.add_argument(
        "publisher",
        choices=("politifact", "datacommons", "google"),
        help="collection of fact-checks to download",
    )
    fetch.add_argument(
        "--query",
        default="",
        metavar="WORDS",
        help="words to search for (only with the collection google)",
    )
    fetch.add_argument(
        "--site",
        default="",
        metavar="HOST",
        help="publisher's site to search (only with the collection google)",
    )
    fetch.add_argument("--url", help="another address from which to download the same file")
    fetch.add_argument(
        "--language", help="language of the claims: a code such as en, or all (default: en)"
    )
    claim_withdrawals.add_missing_option(fetch)
    fetch.set_defaults(run=_fetch)
    _add_articles(subcommands, shared_parser)
    subcommands.add_parser(
        "status", parents=[shared_parser], help="show the number and age of the fact-checks"
    ).set_defaults(run=_status)
    index = subcommands.add_parser(
        "index",
        parents=[shared_parser],
        help="build the search index (resumes after an interruption)",
    )
    index.add_argument("--profile", help="models to use (default: LECTERN_PROFILE or embedded)")
    index.set_defaults(run=_index)
    search = subcommands.add_parser(
        "search", parents=[shared_parser], help="search fact-checks by keyword"
    )
    search.add_argument("text", metavar="TEXT", help="words to search for")
    search.add_argument(
        "--limit",
        type=positive_number,
        default=20,
        help="maximum number of results (default: %(default)s)",
    )
    search.set_defaults(run=_search)
    claim_refresh.add(subcommands, shared_parser)
    claim_withdrawals.add(subcommands, shared_parser)


def _add_articles(
    subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser
) -> None:
    pages = subcommands.add_parser(
        "articles",
        parents=[shared_parser],
        help="fetch missing articles from the publishers' sites",
    )
    pages.add_argument(
        "ids",
        metavar="ID",
        nargs="*",
        help="ids of the fact-checks to fetch (default: all without an article)",
    )
    pages.add_argument(
        "--publisher", default="", help="fetch articles from this publisher only (default: all)"
    )
    pages.add_argument(
        "--limit",
        type=positive_number,
        default=PAGES_PER_RUN,
        help=f"maximum number of pages to fetch (default: {PAGES_PER_RUN})",
    )
    pages.add_argument(
        "--again",
        action="store_true",
        help="also fetch articles that were fetched or failed recently",
    )
    pages.add_argument("--profile", help="models to use (default: LECTERN_PROFILE or embedded)")
    pages.add_argument(
        "--network",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="allow requests to the publishers' sites "
        f"(default: off, unless {NETWORK_VARIABLE} or lectern.toml allows them)",
    )
    pages.set_defaults(run=_articles)


def _import(options: argparse.Namespace) -> None:
    from assistant.claims import importers, refused_file
    from assistant.core import files

    columns = _chosen_columns(options.column or ())
    if options.refused and os.path.lexists(options.refused):
        usage_error(f"--refused: {options.refused} exists already; name a new file")
    with audited(load_settings(options), "import"), _store(options) as store:
        imported = importers.import_file(
            store, options.path, columns=columns, source=options.source or ""
        )
        _say_imported(imported)
        claim_withdrawals.settle_missing(options, store, imported)
    if options.refused and imported.refused:
        files.write(Path(options.refused), refused_file.refused_table(imported).encode())
        say(f"the rejected rows are in {options.refused}")
    say(INDEX_NEXT)


def _chosen_columns(assignments: Iterable[str]) -> dict[str, str]:
    """Return the column of each field that ``--column`` names."""
    columns = {}
    for assignment in assignments:
        field_name, equals_sign, column = assignment.partition("=")
        if not equals_sign:
            usage_error(f"--column: {assignment} has no =; write --column FIELD=COLUMN")
        columns[field_name.strip()] = column
    return columns


def _fetch(options: argparse.Namespace) -> None:
    from assistant.claims import datacommons, politifact

    address = {"url": options.url} if options.url else {}
    fetch: Callable[..., ImportReport] = partial(politifact.fetch_politifact, **address)
    if options.publisher == "datacommons":
        language = {"language": options.language} if options.language else {}
        fetch = partial(datacommons.fetch_datacommons, **address, **language)
    if options.publisher == "google":
        fetch = _google_fetch(options, address)
    with (
        audited(load_settings(options), "fetch", options.publisher),
        _store(options) as store,
        ProgressLine() as progress,
    ):
        imported = fetch(store, progress=progress)
        claim_withdrawals.settle_missing(options, store, imported)
    claim_refresh.note_feed(options, imported)
    _say_imported(imported)
    say(INDEX_NEXT)


def _google_fetch(
    options: argparse.Namespace, address_options: Mapping[str, str]
) -> Callable[..., ImportReport]:
    """Return the function that fetches from Google with these options."""
    from assistant.claims import google_fact_check
    from assistant.claims.google_fact_check import GoogleSearch, GoogleSource

    key = load_settings(options).google_key
    search = GoogleSearch(options.query, options.site, options.language or "en")
    source = GoogleSource(key, **dict[str, Any](address_options))
    return partial(google_fact_check.fetch_google, source=source, search=search)


def _say_imported(imported: ImportReport) -> None:
    say(
        f"{imported.new:,} new · {imported.changed:,} changed · {imported.same:,} same · "
        f"{imported.merged:,} merged · {len(imported.refused):,} rejected"
    )
    _say_lines("rejected", imported.refused, "more")
    for remark in imported.remarks:
        say(f"note: {remark}")
    _say_lines("article shortened", imported.shortened, "more articles shortened")
    _say_lines("review kept", imported.kept_reviews, "more reviews kept")
    _say_lines("withdrawn", imported.retracted, "more withdrawn")
    for reason, count in imported.left_out.items():
        say(f"left out: {count:,} ({reason})")
    unknown_ratings = list(imported.unknown_ratings.items())
    for label, count in unknown_ratings[:SHOWN_RATINGS]:
        say(f"unknown rating, kept as it is and counted as OTHER: {label} ({count:,})")


def _say_lines(kind: str, lines: Sequence[object], remainder: str) -> None:
    """Print some lines of one kind, and the number of those that remain."""
    for line in lines[:SHOWN_IMPORT_LINES]:
        say(f"{kind}: {line}")
    if len(lines) > SHOWN_IMPORT_LINES:
        say(f"… and {len(lines) - SHOWN_IMPORT_LINES:,} {remainder}")


def _articles(options: argparse.Namespace) -> None:
    with audited(load_settings(options), "fetch articles"), _store(options) as store:
        fetched = _fetch_articles(options, load_settings(options), store)
    if fetched:
        _index(options)


def _fetch_articles(options: argparse.Namespace, settings: Settings, store: ClaimStore) -> int:
    """Fetch articles, print a line per claim and return the number of articles fetched.

    Raises: SettingsError if the network is turned off.
    """
    from assistant.claims import article_fetching
    from assistant.report.wording import count

    claims_without_article = store.without_article(options.ids or None, publisher=options.publisher)
    for unknown_id in sorted(set(options.ids) - {claim.id for claim in claims_without_article}):
        say(f"{unknown_id}: no fact-check without an article has this id, or it has no address.")
    due_pages = article_fetching.due_pages(
        claims_without_article, datetime.now(UTC), again=options.again
    )
    if not claims_without_article:
        if not options.ids:
            say("All fact-checks with an address have an article. Nothing was fetched.")
        return 0
    page_count = len({claim.url for claim in claims_without_article})
    say(
        f"{count(len(claims_without_article), 'fact-check')} came without an article, "
        f"{count(page_count, 'page')}, {len(due_pages):,} to be fetched now."
    )
    pages_now = due_pages[: options.limit]
    if pages_now and not settings.network:
        raise _network_error(pages_now)
    claim_count_by_outcome: Counter[FetchOutcome] = Counter()
    with article_fetching.open_fetcher() as fetcher:
        visitor = article_fetching.PageVisitor(fetcher)
        for fetch_result in article_fetching.fetch_articles(store, pages_now, visitor):
            claim_count_by_outcome[fetch_result.outcome] += len(fetch_result.page.claim_ids)
            _print_attempt(fetch_result, store)
    summary = " · ".join(
        f"{total:,} {outcome}" for outcome, total in claim_count_by_outcome.most_common()
    )
    say(summary or "Nothing was fetched.")
    remaining_count = len(due_pages) - len(pages_now)
    if remaining_count:
        verb = "is" if remaining_count == 1 else "are"
        say(
            f"{count(remaining_count, 'page')} {verb} left. Run the same command again to continue."
        )
    return claim_count_by_outcome[article_fetching.FetchOutcome.FETCHED]


def _print_attempt(fetch_result: FetchResult, store: ClaimStore) -> None:
    """Print a line for each claim of a page that was asked."""
    from assistant.claims import article_extraction

    claims_by_id = store.many(fetch_result.page.claim_ids) if fetch_result.body else {}
    for claim_id in fetch_result.page.claim_ids:
        warning = ""
        if claim_id in claims_by_id:
            # The text may be of another article.
            warning = article_extraction.unrelated_page_warning(
                claims_by_id[claim_id].statement, fetch_result.body
            )
        notes = [note for note in (fetch_result.note, warning) if note]
        print_line(
            f"{fetch_result.outcome}\t{claim_id}\t{fetch_result.page.url}\t{' '.join(notes)}"
        )


def _network_error(pages: Iterable[ArticlePage]) -> SettingsError:
    """Return the error for a network that is turned off; it names the sites to be asked."""
    from assistant.claims.article_fetching import site

    page_count_by_site = Counter(site(page.url) for page in pages)
    site_names = ", ".join(name for name, _ in page_count_by_site.most_common(SITES_NAMED))
    if len(page_count_by_site) > SITES_NAMED:
        site_names += f" and {len(page_count_by_site) - SITES_NAMED:,} more"
    return SettingsError(
        f"asking publishers' pages is turned off; {page_count_by_site.total():,} would be asked, "
        f"of {site_names}.",
        remedy=f"Allow it with --network, {NETWORK_VARIABLE}=1, or network = true in lectern.toml.",
    )


def _status(options: argparse.Namespace) -> None:
    with _store(options) as store:
        status = store.status()
    newest = f"{status.newest_review_date:%-d %b %Y}" if status.newest_review_date else "unknown"
    with data_table("Fact-checks in the database", "") as table:
        table.add("fact-checks", status.fact_checks)
        table.add("newsroom notes", status.notes)
        table.add("publishers", status.publishers)
        table.add("with an article", status.with_body)
        table.add("articles fetched", status.fetched)
        table.add("newest review", newest)
        table.add("digest", status.digest)
    if status.only_samples:
        say(
            "Only sample fact-checks are loaded. `python -m assistant claims fetch politifact` brings real ones."
        )


def _index(options: argparse.Namespace) -> None:
    from assistant import pipeline
    from assistant.claims.index_segment import MAX_ARTICLE_SENTENCES

    with ProgressLine() as progress:
        index = pipeline.build_index(load_settings(options), progress=progress)
    say(f"{len(index.ids):,} fact-checks are searchable.")
    long_article_count = index.long_article_count()
    if long_article_count:
        say(
            f"note: articles of {MAX_ARTICLE_SENTENCES} sentences or more: {long_article_count:,}. "
            "Lectern searches all their words, but quotes only sentences up to this limit."
        )


def _search(options: argparse.Namespace) -> None:
    from assistant.report.wording import rating_sentence

    with _store(options) as store:
        claims = store.search(options.text, limit=options.limit)
    with data_table("ID", "Rating", "Claim", "Address") as table:
        for claim in claims:
            table.add(claim.id, rating_sentence(claim), claim.statement, claim.url)
    if not claims:
        say("No fact-check has these words.")


def _store(options: argparse.Namespace) -> closing[ClaimStore]:
    from assistant.claims.claim_store import ClaimStore

    return closing(ClaimStore.open(load_settings(options).database))
