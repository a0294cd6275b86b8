"""Records of debates in XML: TEI and ParlaMint, Public Whip, Akoma Ntoso, Hansard, Transcriber.

The schemas differ in names only: an element is a speech, an attribute or a child names the speaker,
and paragraphs have the text. The names below come from the schemas that parliaments and
archives publish.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from xml.etree.ElementTree import Element

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.cues import tidy_lines
from assistant.transcripts.speaker_labels import name_in_label, speaker_or_none
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import TimeKind, Timestamp, recording_times, whole_time
from assistant.transcripts.title_and_date import dates
from assistant.transcripts.xml_tree import XML_NAMESPACE, attribute, document_root, tag_name

SNIFFED_XML_CHARACTERS = 200_000
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
_OPENING_TAG_PATTERN = re.compile(r"<(?:[\w.-]{1,40}:)?([\w.-]{1,40})(?=[\s>/])")
# Roots of pages and of other formats
_OTHER_ROOTS = frozenset("html svg rss feed tt timedtext transcript annotation_document".split())
# A role, office or constituency in brackets behind a name
_TEXT_BEHIND_NAME_PATTERN = re.compile(r"(?<!\s)\s*[\[(].*$", re.DOTALL)


def sniff(source: RawSource) -> bool:
    """Return whether the text is XML with elements for speeches."""
    head = source.text.lstrip()[:SNIFFED_XML_CHARACTERS]
    if not head.startswith("<"):
        return False
    tags = [match[1].lower() for match in _OPENING_TAG_PATTERN.finditer(head)]
    if not tags or tags[0] in _OTHER_ROOTS:
        return False
    has_namespace_or_prolog = head.startswith("<?xml") or "xmlns" in head[:2000]
    is_record = has_namespace_or_prolog or tags[0] in ("trans", "tei", "publicwhip", "hansard")
    return is_record and not _SPEECH_TAGS.isdisjoint(tags)


def parse(source: RawSource) -> Parsed:
    """Return one piece for each paragraph of each speech."""
    root = document_root(source)
    record = _Record(_people(root))
    record.walk(root)
    if not record.pieces:
        raise MalformedTranscript(
            "the XML has elements for speeches, but no text in them.",
            where=source.name,
            remedy="Export the record as text or as a Word document.",
        )
    times, warning = recording_times(record.timestamps)
    pieces = []
    for piece, start in zip(record.pieces, times, strict=True):
        pieces.append(Piece(piece.text, piece.line, piece.speaker, start, None, piece.starts_turn))
    language = root.get(f"{XML_NAMESPACE}lang", "")
    parsed = Parsed(pieces, [warning] if warning else [], language=language)
    parsed.title = _title(root)
    parsed.event_date = _event_day(root)
    return parsed


class _Record:
    """The pieces of a record in their order, with the time of each as it is written."""

    def __init__(self, people: dict[str, str]) -> None:
        self.people = people
        self.pieces: list[Piece] = []
        self.timestamps: list[Timestamp | None] = []
        self.speech_count = 0

    def walk(self, element: Element) -> None:
        """Add the speeches below an element. A speech inside a speech is one of its own."""
        for child in element:
            tag = tag_name(child).lower()
            if tag in _SPEECH_TAGS and _holds_text(child):
                self._add_speech(child)
            elif tag not in _UNSPOKEN_TAGS:
                self.walk(child)

    def _add_speech(self, speech: Element) -> None:
        self.speech_count += 1
        speaker = self._speaker(speech)
        timestamp = _start(speech)
        starts_turn = True
        for text in _paragraphs(speech):
            piece = Piece(text, self.speech_count, speaker, None, None, starts_turn)
            self.pieces.append(piece)
            self.timestamps.append(timestamp)
            timestamp = None
            starts_turn = False
        for inner_speech in _inner_speeches(speech):
            self._add_speech(inner_speech)

    def _speaker(self, speech: Element) -> str | None:
        """Return the speaker that an attribute or a child names."""
        attributes = {key.rpartition("}")[2].lower(): text for key, text in speech.attrib.items()}
        for key in _SPEAKER_ATTRIBUTES:
            reference = attributes.get(key, "").strip()
            if reference:
                name = self.people.get(reference.lstrip("#")) or _bare_reference(reference)
                return speaker_or_none(name)
        child = _speaker_child(speech)
        if child is None:
            return None
        reference = attribute(child, "id") or attribute(child, "ref") or attribute(child, "who")
        name = _full_name(child) or self.people.get(reference.lstrip("#"), "")
        return speaker_or_none(name)


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
    for element in speech.iter():
        tag = tag_name(element).lower()
        if element is speech:
            continue
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
    names = [child for child in element.iter() if tag_name(child).lower() == "name"]
    text = " ".join("".join((names[0] if names else element).itertext()).split())
    label = _TEXT_BEHIND_NAME_PATTERN.sub("", text).strip(" .:,")[:MAX_LABEL_LENGTH]
    return name_in_label(label) or label


def _text_of(element: Element, tags: frozenset[str]) -> str:
    texts = [
        " ".join("".join(child.itertext()).split())
        for child in element.iter()
        if tag_name(child).lower() in tags
    ]
    return texts[0] if texts else ""


def _people(root: Element) -> dict[str, str]:
    """Return the names of the people that the document declares, by their id."""
    people = {}
    for element in root.iter():
        if tag_name(element).lower() not in _PERSON_TAGS:
            continue
        person_id = attribute(element, "id") or attribute(element, "eId")
        name = attribute(element, "showAs") or attribute(element, "name")
        if person_id and not name:
            name = _full_name(element)
        if person_id and name:
            people[person_id] = name
    return people


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
        mark = _PARAGRAPH_MARK if tag in _PARAGRAPH_TAGS else " " if tag != "w" else ""
        is_unread = tag in _UNSPOKEN_TAGS or tag in _SPEECH_TAGS or child is speaker_child
        if not is_unread and isinstance(child.tag, str):
            yield mark
            yield from _marked_text(child, speaker_child)
            yield mark
        yield child.tail or ""


def _start(speech: Element) -> Timestamp | None:
    """Return the time at which a speech begins. A bare clock is a time of day in a record."""
    attributes = {key.rpartition("}")[2].lower(): text for key, text in speech.attrib.items()}
    for key in _START_ATTRIBUTES:
        written = attributes.get(key, "").strip()
        if not written:
            continue
        try:
            return Timestamp(float(written), 0, len(written), TimeKind.LENGTH)
        except ValueError:
            timestamp = whole_time(written)
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
            title = " ".join("".join(element.itertext()).split())
            if title:
                return title
    return ""


def _event_day(root: Element) -> date | None:
    """Return the day of the record from its date element, or from the ids of its speeches."""
    id_days = set()
    for element in root.iter():
        tag = tag_name(element).lower()
        if tag in ("date", "frbrdate", "sessiondate"):
            written = attribute(element, "when") or attribute(element, "date")
            days = dates(written or "".join(element.itertext()))
            if len(days) == 1:
                return days[0]
        for key in ("id", "date", "sitzung-datum", "audio_filename", "version_date"):
            id_days.update(_days_in(attribute(element, key)))
    return id_days.pop() if len(id_days) == 1 else None


_DAY_IN_ID_PATTERN = re.compile(r"(?<!\d)\d{4}-\d{2}-\d{2}(?!\d)")


def _days_in(identifier: str) -> list[date]:
    return [
        day for written in _DAY_IN_ID_PATTERN.findall(identifier[:300]) for day in dates(written)
    ]
