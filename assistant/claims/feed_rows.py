"""Turns the answers of fact-check services into rows with usual names.

Google's Fact Check Tools API (claims search and pages), exports that wrap their rows in other
objects, such as Meedan Check's, and any JSON object that has a list of fact-checks inside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assistant.claims import claim_fields, ratings
from assistant.claims import column_names as claim_column_names
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
_OUTER_PREFIX = "record"  # before a name that both the row and the object around it have


def feed_rows(node: Any, import_notes: ImportNotes) -> Iterator[Mapping[str, Any]] | None:
    """Return the rows of a service's answer, None if a value is something else.

    ``import_notes`` gets everything that the rows leave out.
    """
    if not isinstance(node, Mapping):
        return None
    rows_of_table = table_rows(node)
    if rows_of_table:
        return iter(rows_of_table)
    # An object with a statement is a row itself.
    if _has_statement(node):
        return None
    google_answer = _google_answer(node, 0)
    if google_answer is not None:
        if google_answer.get("nextPageToken"):
            import_notes.count("the answer has further pages, not in this file", "nextPageToken")
        return _google_rows(google_answer, import_notes)
    wrapped_rows = _wrapped_rows(node, import_notes)
    return iter(wrapped_rows) if wrapped_rows else None


def _google_answer(node: Any, nesting_depth: int) -> Mapping[str, Any] | None:
    """Return the answer of Google's API in a value, also inside other objects; None without one."""
    if not isinstance(node, Mapping) or nesting_depth > MAX_WRAPPING_DEPTH:
        return None
    # The Fact Check Tools of Google answer with claims, or with pages, and their reviews.
    has_claims = bool(_google_items(node, ("claims",), "claimReview"))
    has_pages = bool(_google_items(node, _PAGE_LISTS, "claimReviewMarkups"))
    if has_claims or has_pages:
        return node
    for inner_value in node.values():
        answer = _google_answer(inner_value, nesting_depth + 1)
        if answer is not None:
            return answer
    return None


def _google_items(
    json_object: Mapping[str, Any], list_keys: tuple[str, ...], reviews_key: str
) -> list[Mapping[str, Any]]:
    """Return the objects of an answer's list, if one has reviews, or the answer itself."""
    # A single claim, written without the list around it.
    if isinstance(json_object.get(reviews_key), list):
        return [json_object]
    # The image search wraps each claim in a result.
    possible_items = [
        search_result.get("claim") for search_result in _mappings_in(json_object.get("results"))
    ]
    for list_key in list_keys:
        if isinstance(json_object.get(list_key), list):
            possible_items = json_object[list_key]
            break
    item_objects = _mappings_in(possible_items)
    has_reviews = any(isinstance(item.get(reviews_key), list) for item in item_objects)
    return item_objects if has_reviews else []


def _google_rows(
    google_answer: Mapping[str, Any], import_notes: ImportNotes
) -> Iterator[Mapping[str, Any]]:
    """Yield a row for each review of Google's API."""
    for claim in _google_items(google_answer, ("claims",), "claimReview"):
        reviews = _mappings_in(claim.get("claimReview"))
        for review in reviews:
            yield _search_row(claim, review, import_notes)
        if not reviews:
            import_notes.count("a claim without a review, so not used", str(claim.get("text", "")))
    for page in _google_items(google_answer, _PAGE_LISTS, "claimReviewMarkups"):
        markups = _mappings_in(page.get("claimReviewMarkups"))
        for markup in markups:
            yield _page_row(page, markup)
        if not markups:
            import_notes.count("a page without a review, so not used", str(page.get("pageUrl", "")))


def _search_row(
    claim: Mapping[str, Any], review: Mapping[str, Any], import_notes: ImportNotes
) -> dict[str, Any]:
    """Return the row of a review in an answer of the search for claims.

    The publisher is bound to the site that Google names.
    """
    # Values without a usual name keep Google's, behind the name of their object.
    row = {
        f"claims.{value_name}": value
        for value_name, value in claim.items()
        if value_name != "claimReview"
    }
    row["statement"] = row.pop("claims.text", "")
    row["claimant"] = row.pop("claims.claimant", "")
    row["claim_date"] = row.pop("claims.claimDate", "")
    review_values = flat_row(review)
    for google_name, value_name in _SEARCH_NAMES.items():
        row[value_name] = review_values.pop(google_name, "")
    site = str(review_values.pop("publisher.site", "") or "")
    row["publisher"] = review_values.pop("publisher.name", "") or ""
    # With an address, the importer finds the publisher by its site.
    if not row["publisher"] and not row["url"]:
        row["publisher"] = site
    _note_other_site(site, str(row["url"]), import_notes)
    for value_name, value in review_values.items():
        row[f"claimReview.{value_name}"] = value
    return row


def _note_other_site(site: str, review_url: str, import_notes: ImportNotes) -> None:
    """Note a review that is not on the site to which Google binds its publisher."""
    review_host = claim_fields.site_host(review_url)
    publisher_host = ratings.host_of(f"https://{site}") if site else ""
    if not publisher_host or not review_host or publisher_host == review_host:
        return
    # A review on blog.example.org is on the site example.org.
    is_subdomain = review_host.endswith(f".{site.removeprefix('www.')}")
    if not is_subdomain:
        example = f"{site}: {review_host}"
        import_notes.count("the publisher's site is not the site of its review", example)


def _page_row(page: Mapping[str, Any], markup: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a review in an answer of the list of pages."""
    markup_values = flat_row(markup)
    page_values = flat_row({key: page[key] for key in page if key != "claimReviewMarkups"})
    row: dict[str, Any] = {}
    for google_name, value_name in _PAGE_NAMES.items():
        row[value_name] = markup_values.pop(google_name, "")
    row["url"] = row["url"] or page_values.get("pageUrl", "")
    row["review_date"] = page_values.pop("publishDate", "")
    row["publisher"] = page_values.pop("claimReviewAuthor.name", "")
    # Values without a usual name keep Google's, behind the name of their object.
    for value_name, value in page_values.items():
        row[f"page.{value_name}"] = value
    for value_name, value in markup_values.items():
        row[f"claimReviewMarkups.{value_name}"] = value
    return row


def table_rows(json_object: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the rows of a table that is one object, as data frames are written; [] for others.

    Its columns are objects of cells, a list of names is beside a list of rows, or its rows are
    under their names.
    """
    # {"columns": ["statement", "rating"], "data": [["...", "..."], ["...", "..."]]}
    column_list = json_object.get("columns")
    row_lists = json_object.get("data")
    if isinstance(column_list, list) and isinstance(row_lists, list):
        return _rows_of_lists(row_lists, [str(name) for name in column_list])
    inner_values = list(json_object.values())
    are_all_objects = all(isinstance(inner_object, Mapping) for inner_object in inner_values)
    if not inner_values or not are_all_objects:
        return []
    # {"statement": {"0": "...", "1": "..."}, "rating": {...}}
    if _has_statement_name(list(json_object)):
        return _rows_of_columns(json_object)
    # {"first": {"statement": "...", "rating": "..."}, "second": {...}}
    if all(_has_statement_name(list(inner_object)) for inner_object in inner_values):
        return [{"key": row_name, **inner_object} for row_name, inner_object in json_object.items()]
    return []


def _rows_of_lists(row_lists: list[Any], column_names: list[str]) -> list[Mapping[str, Any]]:
    """Return the rows of lists of cells; [] if no column has the statement."""
    if not _has_statement_name(column_names):
        return []
    rows: list[Mapping[str, Any]] = []
    for cells in row_lists:
        if isinstance(cells, list):
            rows.append(dict(zip(column_names, cells, strict=False)))
    return rows


def _rows_of_columns(columns: Mapping[str, Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the rows of columns that are objects of cells under numbers; [] for other objects."""
    # A dict without values keeps each name of a row once, in order.
    row_names: dict[str, None] = {}
    for cells in columns.values():
        row_names.update(dict.fromkeys(cells))
    if not all(str(row_name).isdigit() for row_name in row_names):
        return []
    table_of_rows: list[Mapping[str, Any]] = []
    for row_name in row_names:
        table_of_rows.append(
            {column_name: cells.get(row_name) for column_name, cells in columns.items()}
        )
    return table_of_rows


def _has_statement_name(names: list[str]) -> bool:
    """Return whether one of some names stands for the statement."""
    return any(claim_column_names.is_name_of_field(name, "statement") for name in names)


def _wrapped_rows(
    json_value: Any, import_notes: ImportNotes, list_name: str = "", nesting_depth: int = 0
) -> list[Mapping[str, Any]]:
    """Return the rows with statements in the lists inside a value, at any depth.

    ``list_name`` is the key of the value. ``import_notes`` gets everything beside the rows.
    """
    if nesting_depth > MAX_WRAPPING_DEPTH:
        return []
    if isinstance(json_value, list):
        return _listed_rows(json_value, import_notes, list_name, nesting_depth)
    if not isinstance(json_value, Mapping):
        return []
    row_object = _row_in_object(json_value)
    if row_object is not json_value:
        return [row_object]
    wrapped_rows: list[Mapping[str, Any]] = []
    values_without_rows: list[tuple[str, Any]] = []
    for value_name, value in json_value.items():
        inner_rows = _wrapped_rows(value, import_notes, str(value_name), nesting_depth + 1)
        wrapped_rows += inner_rows
        if not inner_rows:
            values_without_rows.append((str(value_name), value))
    if wrapped_rows:
        _note_unused(values_without_rows, import_notes)
    return wrapped_rows


def _listed_rows(
    items: list[Any], import_notes: ImportNotes, list_name: str, nesting_depth: int
) -> list[Mapping[str, Any]]:
    """Return the objects of a list if they are rows, else the rows in its first objects."""
    # The first items show whether the list is one of rows, or of objects around rows.
    possible_rows = [_row_in_object(item) for item in _mappings_in(items)]
    if any(_has_statement(possible_row) for possible_row in possible_rows[:EXAMINED_ITEMS]):
        other_items = [(list_name, item) for item in items if not isinstance(item, Mapping)]
        _note_unused(other_items, import_notes)
        return possible_rows

    # Notes on the examined items are thrown away: these items are read again below.
    discarded_notes = ImportNotes()
    wrapped_rows: list[Mapping[str, Any]] = []
    has_wrapped_rows = any(
        _wrapped_rows(item, discarded_notes, list_name, nesting_depth + 1)
        for item in items[:EXAMINED_ITEMS]
    )
    if has_wrapped_rows:
        for item in items:
            wrapped_rows += _wrapped_rows(item, import_notes, list_name, nesting_depth + 1)
    return wrapped_rows


def _note_unused(values: list[tuple[str, Any]], import_notes: ImportNotes) -> None:
    """Count the values beside the rows of an answer, unless they are nothing."""
    for name, value in values:
        if value not in (None, "", [], {}):
            import_notes.count_unused(name, str(value))


def _row_in_object(json_object: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the row inside an object, with the other values of the object; else the object.

    Services put a row under ``node``, ``fields``, ``attributes``, ``properties`` or ``_source``.
    The object's id is the row's, unless it has one.
    """
    if _has_statement(json_object):
        return json_object
    # {"id": 7, "fields": {"statement": "...", "rating": "..."}}
    for row_key, inner_object in json_object.items():
        if isinstance(inner_object, Mapping) and _has_statement_name(list(inner_object)):
            outer_values = {key: value for key, value in json_object.items() if key != row_key}
            return _with_outer_values(inner_object, outer_values)
    return json_object


def _with_outer_values(
    inner_object: Mapping[str, Any], outer_values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a row with the values around it, under names that it does not have."""
    row = dict(inner_object)
    for outer_name, value in outer_values.items():
        name = outer_name
        if outer_name in _ID_NAMES and "id" not in row:
            name = "id"
        if name in row:
            name = f"{_OUTER_PREFIX}.{name}"
        row[name] = value
    return row


def _has_statement(row: Mapping[str, Any]) -> bool:
    """Return whether an object is a row: one of its names stands for the statement."""
    for name, value in flat_row(row).items():
        is_text = not isinstance(value, (list, Mapping))
        if is_text and claim_column_names.is_name_of_field(name, "statement"):
            return True
    return False


def _mappings_in(value: Any) -> list[Mapping[str, Any]]:
    """Return the objects of a list."""
    items = value if isinstance(value, list) else []
    return [item for item in items if isinstance(item, Mapping)]
