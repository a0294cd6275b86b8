"""Finds schema.org's markup in a web page: JSON-LD scripts, microdata and RDFa."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assistant.claims.addresses import WEB_SCHEMES
from assistant.claims.lenient_json import parse_lenient
from assistant.claims.schema_markup import MAX_DEPTH

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import Tag

_SOURCE_TAGS = frozenset("audio embed iframe img source track video".split())
_LINK_TAGS = frozenset("a area link".split())
_VALUE_TAGS = frozenset("data meter".split())


@dataclass(slots=True)
class PageScript:
    """The values of a JSON-LD script, what was mended in it, or the reason why it is unreadable."""

    values: list[Any] = field(default_factory=list)
    json_corrections: list[str] = field(default_factory=list)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class MarkupSyntax:
    """A syntax of markup in attributes of HTML, by the names of its attributes."""

    name: str
    scope: str
    types: str
    properties: str
    ids: tuple[str, ...]


MICRODATA = MarkupSyntax("microdata", "itemscope", "itemtype", "itemprop", ("itemid",))
RDFA = MarkupSyntax("RDFa", "typeof", "typeof", "property", ("about", "resource"))


def json_ld(soup: BeautifulSoup) -> Iterator[PageScript]:
    """Yield the JSON-LD scripts of a page."""
    for script in soup.find_all("script", type=_is_json_ld):
        try:
            json_ld_values = parse_lenient(script.get_text())
        except (ValueError, RecursionError) as error:
            yield PageScript(problem=f"not JSON ({error}).")
            continue
        yield PageScript(json_ld_values.values, json_ld_values.corrections)


def items(soup: BeautifulSoup, syntax: MarkupSyntax) -> list[dict[str, Any]]:
    """Return the outermost items of a page in microdata or RDFa, as JSON-LD would write them."""
    outermost_items = []
    # An element with the scope attribute is an item; True stands for any tag and any value.
    scope_filter: dict[str, Any] = {syntax.scope: True}
    for element in soup.find_all(True, attrs=scope_filter):
        outer_element = element.find_parent(True, attrs=scope_filter)
        is_inner = outer_element is not None and (
            element.has_attr(syntax.properties) or _is_related(element, outer_element, syntax)
        )
        if not is_inner:
            outermost_items.append(_read_item(element, syntax, soup, nesting_depth=0))
    return outermost_items


def _is_related(element: Tag, outer_item: Tag, syntax: MarkupSyntax) -> bool:
    """Return whether an item is the value of a ``rel`` of RDFa inside another item."""
    if syntax is not RDFA:
        return False
    # An element between both, or the item itself, names the relation.
    for ancestor in (element, *element.parents):
        if ancestor is outer_item:
            return False
        if _relation_names(ancestor, syntax):
            return True
    return False


def canonical_url(soup: BeautifulSoup) -> str:
    """Return the address that a page states for itself, "" if it states none."""
    # Tag, the attributes that it must have, and the attribute with the address.
    tags_with_address: tuple[tuple[str, dict[str, Any], str], ...] = (
        ("link", {"rel": "canonical"}, "href"),
        ("meta", {"property": "og:url"}, "content"),
        ("base", {"href": True}, "href"),
    )
    for tag_name, attributes, address_attribute in tags_with_address:
        tag = soup.find(tag_name, attrs=attributes)
        if tag is None:
            continue
        address = str(tag.get(address_attribute) or "").strip()
        if address.lower().startswith(WEB_SCHEMES):
            return address
    return ""


def _is_json_ld(kind: str | None) -> bool:
    return bool(kind) and "ld+json" in str(kind).lower()


def _read_item(
    element: Tag, syntax: MarkupSyntax, soup: BeautifulSoup, nesting_depth: int
) -> dict[str, Any]:
    """Return an item with its properties."""
    item_node: dict[str, Any] = {"@type": str(element.get(syntax.types) or "").split()}
    for id_attribute in syntax.ids:
        if element.get(id_attribute):
            item_node["@id"] = str(element.get(id_attribute))
    if nesting_depth > MAX_DEPTH:
        return item_node
    # Microdata may have properties elsewhere in the page: ``itemref`` names their ids.
    property_roots = [element]
    for referred_id in str(element.get("itemref") or "").split():
        referred_element = soup.find(id=referred_id)
        if referred_element is not None and syntax is MICRODATA:
            property_roots.append(referred_element)
    for property_root in property_roots:
        if property_root is not element and property_root.has_attr(syntax.properties):
            _add_property(item_node, property_root, syntax, soup, nesting_depth)
        for property_element in _own_properties(property_root, syntax):
            _add_property(item_node, property_element, syntax, soup, nesting_depth)
    return item_node


def _own_properties(property_root: Tag, syntax: MarkupSyntax) -> Iterator[Tag]:
    """Yield the elements with a property of this item, not those inside an inner item."""
    # Depth first in the order of the page: the next element is at the end of the list.
    pending_elements = list(property_root.find_all(recursive=False))
    pending_elements.reverse()
    while pending_elements:
        element = pending_elements.pop()
        has_relations = bool(_relation_names(element, syntax))
        if has_relations or element.has_attr(syntax.properties):
            yield element
        is_inner_item = element.has_attr(syntax.scope)
        if not is_inner_item and not has_relations:
            pending_elements.extend(reversed(element.find_all(recursive=False)))


def _relation_names(element: Tag, syntax: MarkupSyntax) -> list[str]:
    """Return the properties in ``rel`` whose values are the items inside an element, in RDFa.

    Links have a ``rel`` of HTML, such as *nofollow*, unless it has a prefix.
    """
    if syntax is not RDFA:
        return []
    rel_value: Any = element.get("rel") or []
    names = rel_value.split() if isinstance(rel_value, str) else list(rel_value)
    if element.name in _LINK_TAGS:
        return [name for name in names if ":" in name]
    return names


def _add_property(
    item_node: dict[str, Any],
    element: Tag,
    syntax: MarkupSyntax,
    soup: BeautifulSoup,
    nesting_depth: int,
) -> None:
    """Add the value of an element to each property that it names."""
    # A relation is a property whose value is another item or an address, such as rel="author".
    relations = _relation_names(element, syntax)
    if relations and not element.has_attr(syntax.scope):
        related_values = _related_values(element, syntax, soup, nesting_depth)
        for property_name in relations:
            item_node.setdefault(property_name, []).extend(related_values)
        return
    if element.has_attr(syntax.scope):
        item_or_text: Any = _read_item(element, syntax, soup, nesting_depth + 1)
        shown_text = " ".join(element.get_text(" ").split())
        # An item without properties has its name as text.
        if len(item_or_text) == 1 and shown_text:
            item_or_text["name"] = shown_text
    else:
        item_or_text = _property_value(element, syntax)
    property_names = str(element.get(syntax.properties) or "").split()
    for property_name in [*property_names, *relations]:
        item_node.setdefault(property_name, []).append(item_or_text)


def _related_values(
    element: Tag, syntax: MarkupSyntax, soup: BeautifulSoup, nesting_depth: int
) -> list[Any]:
    """Return the values that a ``rel`` of RDFa leads to: an address, or the items inside."""
    for attribute_name in ("resource", "href", "src"):
        if element.has_attr(attribute_name):
            return [str(element.get(attribute_name)).strip()]
    # Only items without another item between them and the element.
    scope_filter: dict[str, Any] = {syntax.scope: True}
    outer_item = element.find_parent(True, attrs=scope_filter)
    inner_items = []
    for inner_element in element.find_all(True, attrs=scope_filter):
        parent_item = inner_element.find_parent(True, attrs=scope_filter)
        if parent_item is outer_item:
            inner_items.append(_read_item(inner_element, syntax, soup, nesting_depth + 1))
    return inner_items


def _property_value(element: Tag, syntax: MarkupSyntax) -> str:
    """Return the value of an element without an item: an attribute, or its text."""
    # The attributes that may have the value of a property, best first.
    attribute_names = ["content"]
    if syntax is RDFA:
        attribute_names += ["resource", "href", "src"]
    elif element.name in _LINK_TAGS:
        attribute_names.append("href")
    elif element.name in _SOURCE_TAGS:
        attribute_names.append("src")
    elif element.name in _VALUE_TAGS:
        attribute_names.append("value")
    attribute_names.append("datetime")
    for attribute_name in attribute_names:
        if element.has_attr(attribute_name):
            return str(element.get(attribute_name)).strip()
    return " ".join(element.get_text(" ").split())
