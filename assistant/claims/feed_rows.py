"""Turns the answers of fact-check services into rows with usual names.

Google's Fact Check Tools API (claims search and pages), exports that wrap their rows in other
objects, such as Meedan Check's, and any JSON object that has a list of fact-checks inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.claims import claim_fields, column_names, ratings
from assistant.claims.import_notes import ImportNotes
from assistant.claims.row_reader import flat_row

MAX_WRAPPING_DEPTH = 8
EXAMINED_ITEMS = 5
# Fields of a ClaimReview of Google's API, and the names under which rows have them.
_SEARCH_NAMES = {
    "url": "url",
    "title": "title",
    "reviewDate": "review_date",
    "textualRating": "rating",
    "languageCode": "language",
}
_PAGE_NAMES = {
    "url": "url",
    "claimReviewed": "statement",
    "claimDate": "claim_date",
    "claimAuthor.name": "claimant",
    "rating.textualRating": "rating",
}
_NODE = "node"  # GraphQL wraps each row


def feed_rows(node: Any, notes: ImportNotes) -> Iterator[Mapping[str, Any]] | None:
    """Return the rows of a service's answer, None if a value is something else.

    ``notes`` gets everything that the rows leave out.
    """
    if not isinstance(node, Mapping) or _has_statement(node):
        return None
    claims = _google_items(node, "claims", "claimReview")
    pages = _google_items(node, "pages", "claimReviewMarkups")
    if claims or pages:
        if node.get("nextPageToken"):
            notes.count("the answer has further pages, not in this file", "nextPageToken")
        return _google_rows(claims, pages, notes)
    rows = _wrapped_rows(node, 0)
    return iter(rows) if rows else None


def _google_items(node: Mapping[str, Any], key: str, inner_key: str) -> list[Mapping[str, Any]]:
    """Return the objects of an answer that have reviews: of a list, or the answer itself."""
    if isinstance(node.get(inner_key), list):
        return [node]
    items = node.get(key)
    if not isinstance(items, list):
        items = [result.get("claim") for result in _objects(node.get("results"))]
    return [item for item in _objects(items) if isinstance(item.get(inner_key), list)]


def _google_rows(
    claims: list[Mapping[str, Any]], pages: list[Mapping[str, Any]], notes: ImportNotes
) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each review of Google's API."""
    for claim in claims:
        for review in _objects(claim["claimReview"]):
            yield _search_row(claim, review, notes)
    for page in pages:
        for markup in _objects(page["claimReviewMarkups"]):
            yield _page_row(page, markup)


def _search_row(
    claim: Mapping[str, Any], review: Mapping[str, Any], notes: ImportNotes
) -> dict[str, Any]:
    """Return the row of a review in an answer of the search for claims.

    The publisher is bound to the site that Google names.
    """
    row = {f"claims.{name}": value for name, value in claim.items() if name != "claimReview"}
    for google_name, name in (("text", "statement"), ("claimant", "claimant")):
        row[name] = row.pop(f"claims.{google_name}", "")
    row["claim_date"] = row.pop("claims.claimDate", "")
    flat = flat_row(review)
    for google_name, name in _SEARCH_NAMES.items():
        row[name] = flat.pop(google_name, "")
    # Google binds each publisher to a site; a review elsewhere is noted.
    site = str(flat.pop("publisher.site", "") or "")
    row["publisher"] = flat.pop("publisher.name", "") or (site if not row["url"] else "")
    host = claim_fields.site_host(str(row["url"]))
    if site and host and ratings.host_of(f"https://{site}") not in (host, ""):
        if not host.endswith(f".{site.removeprefix('www.')}"):
            notes.count("the publisher's site is not the site of its review", f"{site}: {host}")
    row |= {f"claimReview.{name}": value for name, value in flat.items()}
    return row


def _page_row(page: Mapping[str, Any], markup: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a review in an answer of the list of pages."""
    flat = flat_row(markup)
    row: dict[str, Any] = {}
    for google_name, name in _PAGE_NAMES.items():
        row[name] = flat.pop(google_name, "")
    flat_page = flat_row({key: page[key] for key in page if key != "claimReviewMarkups"})
    row["url"] = row["url"] or flat_page.get("pageUrl", "")
    row["review_date"] = flat_page.pop("publishDate", "")
    row["publisher"] = flat_page.pop("claimReviewAuthor.name", "")
    row |= {f"page.{name}": value for name, value in flat_page.items()}
    return row | {f"claimReviewMarkups.{name}": value for name, value in flat.items()}


def _wrapped_rows(node: Any, depth: int) -> list[Mapping[str, Any]]:
    """Return the first list of rows with statements inside a value, at any depth."""
    if depth > MAX_WRAPPING_DEPTH:
        return []
    if isinstance(node, list):
        rows = []
        for item in _objects(node):
            inner = item.get(_NODE)
            rows.append(inner if isinstance(inner, Mapping) else item)
        if any(_has_statement(row) for row in rows[:EXAMINED_ITEMS]):
            return rows
        children = node[:EXAMINED_ITEMS]
    elif isinstance(node, Mapping):
        children = list(node.values())
    else:
        return []
    for child in children:
        rows = _wrapped_rows(child, depth + 1)
        if rows:
            return rows
    return []


def _has_statement(row: Mapping[str, Any]) -> bool:
    """Return whether an object is a row: one of its names stands for the statement."""
    for name, value in flat_row(row).items():
        field_and_rank = column_names.field_of(name)
        is_text = not isinstance(value, (list, Mapping))
        if field_and_rank and field_and_rank[0] == "statement" and is_text:
            return True
    return False


def _objects(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list."""
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, Mapping)]
