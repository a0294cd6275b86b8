"""XML documents, read so that a malicious one cannot fill the memory: no entities, no great depth."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import iterparse

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.text_decoding import RawSource

MAX_DEPTH = 60  # of elements within each other
XML_NAMESPACE = "{http://www.w3.org/XML/1998/namespace}"
_EXPORT_REMEDY = "Export the transcript again, or save it as SRT or WebVTT."


def document_root(source: RawSource, data: bytes | None = None) -> Element:
    """Return the root of a file's XML, or of other XML inside the file.

    Entities are refused, so that an XML bomb is an error and doesn't fill the memory.
    """
    try:
        xml = BytesIO(source.data if data is None else data)
        return _read_shallow(iterparse(xml, ("start", "end")), source.name)
    except ParseError as error:
        raise MalformedTranscript(
            f"the XML is broken ({error}).",
            where=f"{source.name}:{error.position[0]}",
            remedy=_EXPORT_REMEDY,
        ) from error
    except DefusedXmlException as error:
        raise MalformedTranscript(
            "the XML defines its own entities, as malicious files do. "
            "Lectern did not read the file.",
            where=source.name,
            remedy=_EXPORT_REMEDY,
        ) from error
    except (LookupError, ValueError) as error:
        raise MalformedTranscript(
            f"the XML cannot be decoded ({error}).", where=source.name, remedy=_EXPORT_REMEDY
        ) from error


def _read_shallow(events: Any, file_name: str) -> Element:
    """Return the root of XML that is nested no deeper than captions ever are."""
    depth = 0
    for event, _ in events:
        depth += 1 if event == "start" else -1
        if depth > MAX_DEPTH:
            raise MalformedTranscript(
                f"the XML is nested more than {MAX_DEPTH} levels deep. "
                "Lectern did not read the file.",
                where=file_name,
                remedy=_EXPORT_REMEDY,
            )
    return events.root


def tag_name(element: Element) -> str:
    """Return the name of an element without its namespace, "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def elements(root: Element, tag: str) -> Iterator[Element]:
    """Return the elements of this name, in any namespace, in their order."""
    return (element for element in root.iter() if tag_name(element) == tag)


def attribute(element: Element, name: str) -> str:
    """Return an attribute's value in any namespace, "" if it is missing."""
    for key, value in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return value
    return ""
