"""Rules of Office Open XML that Word is strict about, checked by other means than the writer's.

A document that breaks one of them is "unreadable content" for Word, or loses its layout.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree

WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"
PACKAGE = "{http://schemas.openxmlformats.org/package/2006/relationships}"
CONTENT_TYPES = "{http://schemas.openxmlformats.org/package/2006/content-types}"
STYLE_REFERENCES = ("pStyle", "rStyle", "tblStyle", "basedOn", "next", "link")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
# The first child of these, if they have it.
FIRST_CHILDREN = {"p": "pPr", "r": "rPr", "tbl": "tblPr", "tr": "trPr", "tc": "tcPr"}


class Package:
    """The parts of a document, with their XML."""

    def __init__(self, data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            self.names = archive.namelist()
            self.xml = {
                name: etree.fromstring(archive.read(name))
                for name in self.names
                if name.endswith((".xml", ".rels"))
            }

    def elements(self, name: str) -> Iterator[tuple[str, Any]]:
        """Yield every element of a name with the name of its part."""
        for part_name, root in self.xml.items():
            for element in root.iter(name):
                yield part_name, element

    def relationships(self, part_name: str) -> dict[str, tuple[str, bool]]:
        """Return target and whether it is outside, by id, of the relationships of a part."""
        folder, name = posixpath.split(part_name)
        root = self.xml.get(f"{folder}/_rels/{name}.rels".lstrip("/"))
        if root is None:
            return {}
        return {
            element.get("Id"): (element.get("Target"), element.get("TargetMode") == "External")
            for element in root.iter(f"{PACKAGE}Relationship")
        }


def broken_rules(data: bytes) -> list[str]:
    """Return the broken rules of a document in words, none if Word can read it."""
    package = Package(data)
    checks = (
        _names,
        _content_types,
        _relationships,
        _styles,
        _numbering,
        _comments,
        _drawings,
        _nesting,
        _tables,
    )
    return [problem for check in checks for problem in check(package)]


def _repeated(values: Iterable[Any]) -> list[Any]:
    return [value for value, count in Counter(values).items() if count > 1]


def _names(package: Package) -> Iterator[str]:
    for name in _repeated(name.lower() for name in package.names):
        yield f"two parts are named {name}"


def _content_types(package: Package) -> Iterator[str]:
    root = package.xml["[Content_Types].xml"]
    extensions = {element.get("Extension") for element in root.iter(f"{CONTENT_TYPES}Default")}
    overrides = [element.get("PartName") for element in root.iter(f"{CONTENT_TYPES}Override")]
    for name in package.names:
        extension = name.rpartition(".")[2]
        if name != "[Content_Types].xml" and f"/{name}" not in overrides:
            if extension not in extensions:
                yield f"{name} has no content type"
    for name in _repeated(overrides):
        yield f"{name} has two content types"
    for name in overrides:
        if name.lstrip("/") not in package.names:
            yield f"the content type of {name} belongs to no part"


def _relationships(package: Package) -> Iterator[str]:
    for part_name in package.names:
        if part_name.endswith(".rels"):
            ids = [element.get("Id") for element in package.xml[part_name]]
            for repeated_id in _repeated(ids):
                yield f"{part_name} has the id {repeated_id} twice"
            continue
        targets = package.relationships(part_name)
        folder = posixpath.dirname(part_name)
        for target, is_outside in targets.values():
            path = posixpath.normpath(posixpath.join(folder, target)).lstrip("/")
            if not is_outside and path not in package.names:
                yield f"{part_name} relates to {target}, which is not in the package"
        if part_name in package.xml:
            for element in package.xml[part_name].iter():
                for attribute in ("id", "embed", "link"):
                    reference = element.get(f"{OFFICE}{attribute}")
                    if reference and reference not in targets:
                        yield f"{part_name} refers to {reference}, which it does not relate to"


def _styles(package: Package) -> Iterator[str]:
    # Another part repeats the styles for Word 2010.
    styles = list(package.xml["word/styles.xml"].iter(f"{WORD}style"))
    ids = [style.get(f"{WORD}styleId") for style in styles]
    names = [style.find(f"{WORD}name").get(f"{WORD}val").lower() for style in styles]
    for repeated in [*_repeated(ids), *_repeated(names)]:
        yield f"the style {repeated} is defined twice"
    for reference in STYLE_REFERENCES:
        for part_name, element in package.elements(f"{WORD}{reference}"):
            style_id = element.get(f"{WORD}val")
            if style_id not in ids:
                yield f"{part_name} uses the style {style_id}, which is not defined"


def _numbering(package: Package) -> Iterator[str]:
    numbers = {element.get(f"{WORD}numId") for _, element in package.elements(f"{WORD}num")}
    for part_name, element in package.elements(f"{WORD}numId"):
        number = element.get(f"{WORD}val")
        if number != "0" and number not in numbers:
            yield f"{part_name} uses the list {number}, which is not defined"


def _comments(package: Package) -> Iterator[str]:
    comments = [element for _, element in package.elements(f"{WORD}comment")]
    ids = [comment.get(f"{WORD}id") for comment in comments]
    for repeated_id in _repeated(ids):
        yield f"two comments have the id {repeated_id}"
    for name in ("commentRangeStart", "commentRangeEnd", "commentReference"):
        marks = [element.get(f"{WORD}id") for _, element in package.elements(f"{WORD}{name}")]
        if sorted(marks) != sorted(ids):
            yield f"{name} marks the comments {marks}, not {ids}"
    for comment in comments:
        if not comment.get(f"{WORD}author"):
            yield "a comment has no author"
        written = comment.get(f"{WORD}date")
        if written is not None and not DATE.fullmatch(written):
            yield f"a comment has the date {written}"


def _drawings(package: Package) -> Iterator[str]:
    by_part: dict[str, list[str]] = {}
    for part_name, element in package.elements(f"{DRAWING}docPr"):
        by_part.setdefault(part_name, []).append(element.get("id"))
    for part_name, ids in by_part.items():
        for repeated_id in _repeated(ids):
            yield f"{part_name} has two drawings with the id {repeated_id}"


def _nesting(package: Package) -> Iterator[str]:
    for parent_name, first_name in FIRST_CHILDREN.items():
        for part_name, parent in package.elements(f"{WORD}{parent_name}"):
            for position, child in enumerate(parent):
                if child.tag == f"{WORD}{first_name}" and position > 0:
                    yield f"{part_name}: {first_name} is not first in {parent_name}"
    for part_name, element in package.elements(f"{WORD}t"):
        parent = element.getparent().tag
        if parent != f"{WORD}r":
            yield f"{part_name}: a text is in {parent}"
    for part_name, run in package.elements(f"{WORD}r"):
        parent = etree.QName(run.getparent()).localname
        if parent not in ("p", "hyperlink", "fldSimple", "ins", "del", "smartTag"):
            yield f"{part_name}: a run is in {parent}"


def _tables(package: Package) -> Iterator[str]:
    for part_name, cell in package.elements(f"{WORD}tc"):
        if not len(cell) or cell[-1].tag != f"{WORD}p":
            yield f"{part_name}: a cell does not end with a paragraph"
    for part_name, table in package.elements(f"{WORD}tbl"):
        columns = len(table.findall(f"{WORD}tblGrid/{WORD}gridCol"))
        for table_row in table.iterchildren(f"{WORD}tr"):
            if len(table_row.findall(f"{WORD}tc")) != columns:
                yield f"{part_name}: a row has not the {columns} cells of its table"
