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
# Lists of the pages that have markup: in an answer, and in files that people have made of it.
_PAGE_LISTS = ("claimReviewMarkupPages", "pages")
_ID_NAMES = ("id", "_id")
_RECORD = "record"  # prefix of names that the row and the object around it share


def feed_rows(node: Any, notes: ImportNotes) -> Iterator[Mapping[str, Any]] | None:
    """Return the rows of a service's answer, None if a value is something else.

    ``notes`` gets everything that the rows leave out.
    """
    if not isinstance(node, Mapping):
        return None
    frame_rows = table_rows(node)
    if frame_rows:
        return iter(frame_rows)
    if _has_statement(node):
        return None
    answer = _google_answer(node, 0)
    if answer is not None:
        if answer.get("nextPageToken"):
            notes.count("the answer has further pages, not in this file", "nextPageToken")
        return _google_rows(answer, notes)
    rows = _wrapped_rows(node, notes)
    return iter(rows) if rows else None


def _google_answer(node: Any, depth: int) -> Mapping[str, Any] | None:
    """Return the answer of Google's API in a value, also inside other objects; None without one."""
    if not isinstance(node, Mapping) or depth > MAX_WRAPPING_DEPTH:
        return None
    claims = _google_items(node, ("claims",), "claimReview")
    if claims or _google_items(node, _PAGE_LISTS, "claimReviewMarkups"):
        return node
    answers = (_google_answer(child, depth + 1) for child in node.values())
    return next((answer for answer in answers if answer is not None), None)


def _google_items(
    node: Mapping[str, Any], keys: tuple[str, ...], inner_key: str
) -> list[Mapping[str, Any]]:
    """Return the objects of an answer's list, if one has reviews, or the answer itself."""
    if isinstance(node.get(inner_key), list):
        return [node]
    items = next((node[key] for key in keys if isinstance(node.get(key), list)), None)
    if items is None:
        items = [result.get("claim") for result in _objects(node.get("results"))]
    found_items = _objects(items)
    has_reviews = any(isinstance(item.get(inner_key), list) for item in found_items)
    return found_items if has_reviews else []


def _google_rows(answer: Mapping[str, Any], notes: ImportNotes) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each review of Google's API."""
    for claim in _google_items(answer, ("claims",), "claimReview"):
        reviews = _objects(claim.get("claimReview"))
        for review in reviews:
            yield _search_row(claim, review, notes)
        if not reviews:
            notes.count("a claim without a review, so not used", str(claim.get("text", "")))
    for page in _google_items(answer, _PAGE_LISTS, "claimReviewMarkups"):
        markups = _objects(page.get("claimReviewMarkups"))
        for markup in markups:
            yield _page_row(page, markup)
        if not markups:
            notes.count("a page without a review, so not used", str(page.get("pageUrl", "")))


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


def table_rows(node: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of a table that is one object, as data frames are written; [] for others.

    Its columns are objects of cells, a list of names is beside a list of rows, or its rows are
    under their names.
    """
    names = node.get("columns")
    cells_of_rows = node.get("data")
    if isinstance(names, list) and isinstance(cells_of_rows, list):
        if not _any_statement([str(name) for name in names]):
            return []
        rows = [cells for cells in cells_of_rows if isinstance(cells, list)]
        return [dict(zip(map(str, names), cells, strict=False)) for cells in rows]
    children = list(node.values())
    if not children or not all(isinstance(child, Mapping) for child in children):
        return []
    if _any_statement(list(node)):
        return _rows_of_columns(node)
    if all(_any_statement(list(child)) for child in children):
        return [{"key": key, **child} for key, child in node.items()]
    return []


def _rows_of_columns(columns: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows of columns that are objects of cells under numbers; [] for other objects."""
    row_names: dict[str, None] = {}
    for cells in columns.values():
        row_names.update(dict.fromkeys(cells))
    if not all(str(name).isdigit() for name in row_names):
        return []
    return [
        {name: cells.get(row_name) for name, cells in columns.items()} for row_name in row_names
    ]


def _any_statement(names: list[str]) -> bool:
    """Return whether one of some names stands for the statement."""
    return any((column_names.field_of(name) or ("",))[0] == "statement" for name in names)


def _wrapped_rows(
    node: Any, notes: ImportNotes, name: str = "", depth: int = 0
) -> list[Mapping[str, Any]]:
    """Return the rows with statements in the lists inside a value, at any depth.

    ``name`` is the key of the value. ``notes`` gets everything beside the rows.
    """
    if depth > MAX_WRAPPING_DEPTH:
        return []
    if isinstance(node, list):
        return _listed_rows(node, notes, name, depth)
    if not isinstance(node, Mapping):
        return []
    unwrapped = _unwrapped(node)
    if unwrapped is not node:
        return [unwrapped]
    rows: list[Mapping[str, Any]] = []
    beside: list[tuple[str, Any]] = []
    for key, child in node.items():
        inner_rows = _wrapped_rows(child, notes, str(key), depth + 1)
        rows += inner_rows
        if not inner_rows:
            beside.append((str(key), child))
    if rows:
        _note_beside(beside, notes)
    return rows


def _listed_rows(
    items: list[Any], notes: ImportNotes, name: str, depth: int
) -> list[Mapping[str, Any]]:
    """Return the objects of a list if they are rows, else the rows in its first objects."""
    objects = [_unwrapped(item) for item in _objects(items)]
    if any(_has_statement(item) for item in objects[:EXAMINED_ITEMS]):
        _note_beside([(name, item) for item in items if not isinstance(item, Mapping)], notes)
        return objects
    rows: list[Mapping[str, Any]] = []
    if any(_wrapped_rows(item, ImportNotes(), name, depth + 1) for item in items[:EXAMINED_ITEMS]):
        for item in items:
            rows += _wrapped_rows(item, notes, name, depth + 1)
    return rows


def _note_beside(values: list[tuple[str, Any]], notes: ImportNotes) -> None:
    """Count the values beside the rows of an answer, unless they are nothing."""
    for name, value in values:
        if value not in (None, "", [], {}):
            notes.count_unused(name, str(value))


def _unwrapped(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row inside an object, with the other values of the object; else the object.

    Services put a row under ``node``, ``fields``, ``attributes``, ``properties`` or ``_source``.
    The object's id is the row's, unless it has one.
    """
    if _has_statement(item):
        return item
    for key, inner in item.items():
        if isinstance(inner, Mapping) and _any_statement(list(inner)):
            row = dict(inner)
            for other_key, value in item.items():
                if other_key != key:
                    name = "id" if other_key in _ID_NAMES and "id" not in row else other_key
                    row[f"{_RECORD}.{name}" if name in row else name] = value
            return row
    return item


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
