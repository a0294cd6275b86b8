"""Records of debates in XML: TEI and ParlaMint, Public Whip, Akoma Ntoso, Hansard, Transcriber.

The schemas differ in names only: an element is a speech, an attribute or a child names the speaker,
and paragraphs have the text. The names below come from the schemas that parliaments and
archives publish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import islice
from xml.etree.ElementTree import Element

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.cues import tidy_lines
from assistant.transcripts.speaker_labels import name_in_label, speaker_or_none
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import TimeKind, Timestamp, recording_times, whole_time
from assistant.transcripts.title_and_date import dates_in_text
from assistant.transcripts.xml_tree import XML_NAMESPACE, attribute, document_root, tag_name

SNIFFED_XML_CHARACTERS = 200_000
NAMESPACE_CHARACTERS = 2_000  # searched for the declaration of a namespace
MAX_LABEL_LENGTH = 120

# Names in lower case, without namespace
_SPEECH_TAGS = frozenset(
    "u sp speech intervention contribution turn utterance rede redebeitrag speechgroup que "
    "intervencion discurso speaking".split()
)
_SPEAKER_TAGS = frozenset(
    "speaker from talker member name personspeaking redner person by orador "
    "persname speakername".split()
)
_SPEAKER_ATTRIBUTES = (
    "speakername",
    "speaker_name",
    "speaker",
    "who",
    "by",
    "as",
    "participant",
    "person",
    "name",
    "member",
)
_PARAGRAPH_TAGS = frozenset("p seg para paratext paragraph l ab block line quote li".split())
_UNSPOKEN_TAGS = frozenset(
    "note stage incident vocal kinesic gap pb cb desc head heading comment kommentar time "
    "division clock metadata teiheader event background procedural".split()
)
_START_ATTRIBUTES = ("starttime", "start", "begin", "time", "synch")
_PERSON_TAGS = frozenset("person speaker tlcperson participant".split())
_GIVEN_NAME_TAGS = frozenset("forename vorname firstname first_name givenname".split())
_SURNAME_TAGS = frozenset("surname nachname lastname last_name familyname".split())
_OPENING_TAG_PATTERN = re.compile(r"<(?:[\w.-]{1,40}:)?(?P<tag>[\w.-]{1,40})(?=[\s>/])")
# Roots that need no declaration of XML before them
_ROOTS_OF_RECORDS = ("trans", "tei", "publicwhip", "hansard")
# Roots of pages and of other formats
_OTHER_ROOTS = frozenset("html svg rss feed tt timedtext transcript annotation_document".split())
# A role, office or constituency in brackets behind a name
_TEXT_BEHIND_NAME_PATTERN = re.compile(r"(?<!\s)\s*[\[(].*$", re.DOTALL)


def sniff(source: RawSource) -> bool:
    """Return whether the text is XML with elements for speeches."""
    head = source.text.lstrip()[:SNIFFED_XML_CHARACTERS]
    if not head.startswith("<"):
        return False
    tags = [match["tag"].lower() for match in _OPENING_TAG_PATTERN.finditer(head)]
    if not tags or tags[0] in _OTHER_ROOTS:
        return False
    # Without the signs of XML, only known roots count: the text may be HTML.
    has_prolog = head.startswith("<?xml")
    has_namespace = "xmlns" in head[:NAMESPACE_CHARACTERS]
    if not has_prolog and not has_namespace and tags[0] not in _ROOTS_OF_RECORDS:
        return False
    has_speech = not _SPEECH_TAGS.isdisjoint(tags)
    return has_speech


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each paragraph of each speech."""
    root = document_root(source)
    record = _Record(_name_by_person_id(root))
    record.add_speeches_in(root)
    if not record.pieces:
        raise MalformedTranscript(
            "the XML has elements for speeches, but these contain no text.",
            where=source.name,
            remedy="Export the transcript as text or as a Word document.",
        )
    starts, warning = recording_times(record.timestamps)
    pieces = []
    for piece, start in zip(record.pieces, starts, strict=True):
        pieces.append(replace(piece, start=start))
    language = root.get(f"{XML_NAMESPACE}lang", "")
    parsed = ParsedTranscript(pieces, [warning] if warning else [], language=language)
    parsed.title = _title(root)
    parsed.event_date = _event_date(root)
    return parsed


class _Record:
    """The pieces of a record in their order, with the time of each as it is written."""

    def __init__(self, name_by_person_id: dict[str, str]) -> None:
        self.name_by_person_id = name_by_person_id
        self.pieces: list[SpeechPiece] = []
        self.timestamps: list[Timestamp | None] = []
        self.speech_count = 0

    def add_speeches_in(self, element: Element) -> None:
        """Add the speeches below an element. A speech inside a speech is one of its own."""
        for child in element:
            tag = tag_name(child).lower()
            if tag in _SPEECH_TAGS and _holds_text(child):
                self._add_speech(child)
            elif tag not in _UNSPOKEN_TAGS:
                self.add_speeches_in(child)

    def _add_speech(self, speech: Element) -> None:
        self.speech_count += 1
        speaker = self._speaker(speech)
        timestamp = _start(speech)
        starts_turn = True
        for text in _paragraphs(speech):
            piece = SpeechPiece(text, self.speech_count, speaker, None, None, starts_turn)
            self.pieces.append(piece)
            self.timestamps.append(timestamp)
            timestamp = None
            starts_turn = False
        for inner_speech in _inner_speeches(speech):
            self._add_speech(inner_speech)

    def _speaker(self, speech: Element) -> str | None:
        """Return the speaker that an attribute or a child names."""
        attributes = _attributes_without_namespace(speech)
        for key in _SPEAKER_ATTRIBUTES:
            name_or_reference = attributes.get(key, "").strip()
            if name_or_reference:
                known_name = self.name_by_person_id.get(name_or_reference.lstrip("#"))
                return speaker_or_none(known_name or _bare_reference(name_or_reference))
        child = _speaker_child(speech)
        if child is None:
            return None
        reference = attribute(child, "id") or attribute(child, "ref") or attribute(child, "who")
        name = _full_name(child) or self.name_by_person_id.get(reference.lstrip("#"), "")
        return speaker_or_none(name)


def _attributes_without_namespace(element: Element) -> dict[str, str]:
    """Return the attributes of an element by their names in lower case."""
    attributes = {}
    for key, text in element.attrib.items():
        attributes[key.rpartition("}")[2].lower()] = text
    return attributes


def _bare_reference(reference: str) -> str:
    """Return a reference without its mark and the path of its list: ``#TomAbara``."""
    return reference.rpartition("#")[2].rpartition("/")[2]


def _holds_text(element: Element) -> bool:
    return any(text.strip() for text in element.itertext())


def _inner_speeches(speech: Element) -> Iterator[Element]:
    """Yield the speeches directly inside a speech, at any depth between them."""
    for child in speech:
        if tag_name(child).lower() in _SPEECH_TAGS:
            if _holds_text(child):
                yield child
        else:
            yield from _inner_speeches(child)


def _speaker_child(speech: Element) -> Element | None:
    """Return the first element in a speech, before its text, that names the speaker."""
    elements_below = islice(speech.iter(), 1, None)  # ``iter`` begins with the speech itself
    for element in elements_below:
        tag = tag_name(element).lower()
        if tag in _SPEAKER_TAGS or element.get("klasse") == "redner":
            return element
        if tag in _SPEECH_TAGS:
            return None
    return None


def _full_name(element: Element) -> str:
    """Return the name in an element: its given name and surname, else its text."""
    given_name = _text_of(element, _GIVEN_NAME_TAGS)
    surname = _text_of(element, _SURNAME_TAGS)
    if surname:
        return f"{given_name} {surname}".strip()
    text = _text_of(element, frozenset(["name"]))
    if not _has_element(element, "name"):
        text = _all_text(element)
    # A party or an office may follow the name.
    text_of_name = _TEXT_BEHIND_NAME_PATTERN.sub("", text).strip(" .:,")
    label = text_of_name[:MAX_LABEL_LENGTH]
    return name_in_label(label) or label


def _has_element(element: Element, tag: str) -> bool:
    return any(tag_name(child).lower() == tag for child in element.iter())


def _text_of(element: Element, tags: frozenset[str]) -> str:
    """Return the text of the first element with one of these names, "" if there is none."""
    for child in element.iter():
        if tag_name(child).lower() in tags:
            return _all_text(child)
    return ""


def _all_text(element: Element) -> str:
    """Return all text below an element, with single spaces."""
    return " ".join("".join(element.itertext()).split())


def _name_by_person_id(root: Element) -> dict[str, str]:
    """Return the names of the people that the document declares, by their id."""
    name_by_person_id = {}
    for element in root.iter():
        if tag_name(element).lower() not in _PERSON_TAGS:
            continue
        person_id = attribute(element, "id") or attribute(element, "eId")
        name = attribute(element, "showAs") or attribute(element, "name")
        if person_id and not name:
            name = _full_name(element)
        if person_id and name:
            name_by_person_id[person_id] = name
    return name_by_person_id


def _paragraphs(speech: Element) -> list[str]:
    """Return the texts of a speech, divided at its paragraphs, without names and notes."""
    texts = "".join(_marked_text(speech, _speaker_child(speech))).split(_PARAGRAPH_MARK)
    tidy_texts = [" ".join(tidy_lines(text).split()) for text in texts]
    return [text.lstrip(":").strip() for text in tidy_texts if text.strip(" :.–—-")]


_PARAGRAPH_MARK = "\x1e"


def _marked_text(element: Element, speaker_child: Element | None) -> Iterator[str]:
    """Yield the text below an element, with a mark where a paragraph begins or ends."""
    yield element.text or ""
    for child in element:
        tag = tag_name(child).lower()
        is_unread = tag in _UNSPOKEN_TAGS or tag in _SPEECH_TAGS or child is speaker_child
        if not is_unread and isinstance(child.tag, str):
            mark = _mark_around(tag)
            yield mark
            yield from _marked_text(child, speaker_child)
            yield mark
        yield child.tail or ""


def _mark_around(tag: str) -> str:
    """Return the text that separates an element from the text around it."""
    if tag in _PARAGRAPH_TAGS:
        return _PARAGRAPH_MARK
    if tag == "w":  # a word, whose marks follow without a space
        return ""
    return " "


def _start(speech: Element) -> Timestamp | None:
    """Return the time at which a speech begins. A bare clock is a time of day in a record."""
    attributes = _attributes_without_namespace(speech)
    for key in _START_ATTRIBUTES:
        written_time = attributes.get(key, "").strip()
        if not written_time:
            continue
        try:
            return Timestamp(float(written_time), 0, len(written_time), TimeKind.DURATION)
        except ValueError:
            timestamp = whole_time(written_time)
        if timestamp and timestamp.kind is TimeKind.CLOCK and key == "time":
            return Timestamp(timestamp.seconds, 0, timestamp.end, TimeKind.TIME_OF_DAY)
        return timestamp
    return None


def _title(root: Element) -> str:
    """Return the first title of the document, "" if it has none."""
    for element in root.iter():
        if tag_name(element).lower() in _SPEECH_TAGS:
            break
        if tag_name(element).lower() in ("title", "doctitle", "sitzungstitel"):
            title = _all_text(element)
            if title:
                return title
    return ""


def _event_date(root: Element) -> date | None:
    """Return the day of the record from its date element, or from the ids of its speeches."""
    id_days = set()
    for element in root.iter():
        tag = tag_name(element).lower()
        if tag in ("date", "frbrdate", "sessiondate"):
            written = attribute(element, "when") or attribute(element, "date")
            days = dates_in_text(written or "".join(element.itertext()))
            if len(days) == 1:
                return days[0]
        for key in ("id", "date", "sitzung-datum", "audio_filename", "version_date"):
            id_days.update(_days_in(attribute(element, key)))
    return id_days.pop() if len(id_days) == 1 else None


_DAY_IN_ID_PATTERN = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


def _days_in(identifier: str) -> list[date]:
    """Return the days in an identifier: ``uk.org.publicwhip/debate/2025-03-12a.1.0``."""
    days = []
    for written_day in _DAY_IN_ID_PATTERN.findall(identifier[:300]):
        days += dates_in_text(written_day)
    return days
