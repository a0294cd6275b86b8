"""``claims articles``: the articles of fact-checks that came without one, from the command line."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from assistant.ground.errors import SettingsError
from assistant.ground.settings import NETWORK, Settings

if TYPE_CHECKING:
    from assistant.claims.article_fetching import Outcome, Page
    from assistant.claims.store import ClaimStore

Say = Callable[[str], None]

LIMIT = 200  # pages of one run: a quarter of an hour at most for a single site
SITES_TOLD = 5


def add_articles(command: argparse.ArgumentParser) -> None:
    """Add the flags of ``claims articles``."""
    command.add_argument(
        "ids", metavar="ID", nargs="*", help="only these fact-checks (default: all without an article)"
    )
    command.add_argument("--publisher", default="", help="only those of one publisher")
    command.add_argument("--limit", type=int, default=LIMIT, help=f"pages to ask in this run (default: {LIMIT})")
    command.add_argument("--again", action="store_true", help="ask also what was fetched or asked in vain not long ago")
    command.add_argument("--profile")
    command.add_argument(
        "--network",
        action=argparse.BooleanOptionalAction,
        default=None,
        help=f"allow it to ask the publishers' pages (default: {NETWORK} or lectern.toml, else no)",
    )


def fetch(options: argparse.Namespace, chosen: Settings, store: ClaimStore, tell: Say, say: Say) -> int:
    """Return how many articles were fetched. ``tell`` gets a line per claim, ``say`` the rest.

    Raises: SettingsError if nobody allowed the network.
    """
    from assistant.claims import article_fetching, belonging

    wanting = store.wanting(options.ids or None, publisher=options.publisher)
    for unknown in sorted(set(options.ids) - {one.id for one in wanting}):
        say(f"{unknown}: no fact-check without an article has this id, or it has no address.")
    pages = article_fetching.due(wanting, datetime.now(UTC), again=options.again)
    addresses = len({one.url for one in wanting})
    say(f"{len(wanting):,} fact-checks came without an article, {addresses:,} pages, {len(pages):,} to be asked now.")
    asked = pages[: options.limit]
    if asked and not chosen.network:
        raise not_allowed(asked)
    counts: Counter[Outcome] = Counter()
    with article_fetching.open_fetcher() as fetcher:
        for result in article_fetching.fetch_articles(store, asked, article_fetching.Visitor(fetcher)):
            counts[result.outcome] += len(result.page.claims)
            about = store.many(result.page.claims) if result.body else {}
            for claim_id in result.page.claims:
                doubt = belonging.doubt(about[claim_id].statement, result.body) if claim_id in about else ""
                tell(f"{result.outcome}\t{claim_id}\t{result.page.url}\t{' '.join(filter(None, (result.note, doubt)))}")
    say(" · ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common()) or "Nothing was asked.")
    if len(pages) > len(asked):
        say(f"{len(pages) - len(asked):,} pages are left; the same command goes on with them.")
    return counts[article_fetching.Outcome.FETCHED]


def not_allowed(pages: Iterable[Page]) -> SettingsError:
    """Return the error of a network that nobody allowed: it names what would be asked."""
    from assistant.claims.article_fetching import site

    sites = Counter(site(page.url) for page in pages)
    named = ", ".join(name for name, _ in sites.most_common(SITES_TOLD))
    more = f" and {len(sites) - SITES_TOLD:,} more" if len(sites) > SITES_TOLD else ""
    return SettingsError(
        f"asking publishers' pages is switched off; {sites.total():,} would be asked, of {named}{more}.",
        remedy=f"Allow it with --network, {NETWORK}=1, or network = true in lectern.toml.",
    )
