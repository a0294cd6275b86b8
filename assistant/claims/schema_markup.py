"""Reads values of schema.org's markup, in the many forms that publishers give them.

A node is a JSON object. Keys and types are given without prefix: ``schema:author`` and
``http://schema.org/author`` are ``author``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assistant.claims import claim_fields
from assistant.core.cell_texts import is_nothing

MAX_DEPTH = 12  # deeper nesting is not the markup of a page
ARTICLE_TYPES = frozenset(
    (
        "Article NewsArticle ReportageNewsArticle AnalysisNewsArticle BackgroundNewsArticle "
        "OpinionNewsArticle ReviewNewsArticle BlogPosting Report SocialMediaPosting TechArticle"
    ).split()
)
PERSON_TYPES = frozenset(("Person",))
_ALIASES = {"type": "@type", "id": "@id"}
Node = Mapping[str, Any]


def local_name(name: str) -> str:
    """Return a name without its prefix: ``author`` for ``schema:author``."""
    if name.startswith("@"):
        return name
    last_part = name.rstrip("/")
    for separator in ("/", "#", ":"):
        last_part = last_part.rpartition(separator)[2]
    return last_part


def plain_markup(markup_value: Any, nesting_depth: int = 0) -> Any:
    """Return markup with plain keys, and with lists in place of ``@list`` and ``@set``.

    Anything nested deeper than ``MAX_DEPTH`` is left out.
    """
    if nesting_depth > MAX_DEPTH + 1:
        return None
    if isinstance(markup_value, list):
        return [plain_markup(item, nesting_depth + 1) for item in markup_value]
    if not isinstance(markup_value, Mapping):
        return markup_value
    for wrapper in ("@list", "@set"):
        if wrapper in markup_value:
            return plain_markup(as_list(markup_value[wrapper]), nesting_depth + 1)
    plain_node: dict[str, Any] = {}
    for key, inner_value in markup_value.items():
        if key == "@context":
            continue
        plain_name = local_name(str(key))
        plain_name = _ALIASES.get(plain_name, plain_name)
        # Two keys may have one plain name: the first with a value counts.
        if plain_node.get(plain_name) in (None, "", []):
            plain_node[plain_name] = plain_markup(inner_value, nesting_depth + 1)
    return plain_node


def types_of(node: Node) -> set[str]:
    """Return the types of a node."""
    return {local_name(str(name)) for name in as_list(node.get("@type"))}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, None as an empty list, and another value as a list of one."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def first_value(value: Any) -> Any:
    """Return the first value that is not nothing; a JSON-LD ``@value`` is unwrapped."""
    for item in as_list(value):
        plain = item.get("@value") if isinstance(item, Mapping) else item
        if _is_filled(plain):
            return plain
    return ""


def in_language(text_value: Any, language_code: str) -> Any:
    """Return the texts of a value that are in a language, if it has texts in several."""
    items = as_list(text_value)
    language_tags = [item.get("@language") if isinstance(item, Mapping) else None for item in items]
    texts_in_language = []
    for item, language_tag in zip(items, language_tags, strict=True):
        if language_tag and claim_fields.language_code(language_tag) == language_code:
            texts_in_language.append(item)
    if texts_in_language:
        return texts_in_language
    are_translations = len(items) > 1 and all(language_tags)
    if are_translations:
        # None is in the language that is asked for, so the first one stands for the text.
        return items[:1]
    return text_value


def _is_filled(value: Any) -> bool:
    """Return whether a value is more than nothing: neither empty, nor NaN or *null* as a text."""
    if value is None or value == "":
        return False
    return not isinstance(value, (str, float)) or not is_nothing(str(value))


def first_of(node: Node, *keys: str) -> Any:
    """Return the value under the first of these keys that has one."""
    found_value: Any = ""
    for key in keys:
        found_value = first_value(node.get(key))
        if found_value:
            break
    return found_value


def text_of(value: Any) -> str:
    """Return the first value that is not empty as clean text."""
    return claim_fields.clean_line(first_value(value))


def nodes_with_id(markup_value: Any, nesting_depth: int = 0) -> Iterator[tuple[str, Node]]:
    """Yield the nodes that others may refer to, by ``@id``."""
    if nesting_depth > MAX_DEPTH or not isinstance(markup_value, (list, Mapping)):
        return
    child_nodes: Iterable[Any] = markup_value
    if isinstance(markup_value, Mapping):
        child_nodes = markup_value.values()
        if isinstance(markup_value.get("@id"), str) and len(markup_value) > 1:
            yield markup_value["@id"], markup_value
    for child_node in child_nodes:
        yield from nodes_with_id(child_node, nesting_depth + 1)


def _path_of_key(path: str, key: str) -> str:
    """Return the dotted path of a key in the node at a path; ``@value`` is the node's own text."""
    if not path:
        return key
    return path if key == "@value" else f"{path}.{key}"


def leaf_texts(value: Any, path: str = "", nesting_depth: int = 0) -> Iterator[tuple[str, Any]]:
    """Yield every text, number and switch of a node with its dotted path."""
    # The path of a value is the keys that lead to it, such as "author.name".
    if nesting_depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from leaf_texts(item, path, nesting_depth + 1)
    elif isinstance(value, Mapping):
        for key, inner_value in value.items():
            if key in ("@type", "@id", "@language"):
                continue
            yield from leaf_texts(inner_value, _path_of_key(path, key), nesting_depth + 1)
    elif _is_filled(value):
        yield path, value
