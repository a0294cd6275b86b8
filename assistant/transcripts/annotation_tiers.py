"""Transcripts of linguists: tiers of ELAN and EXMARaLDA, TextGrids of Praat, and CHAT.

A tier has the speech of one person. Tiers that annotate another tier, such as translations and
word classes, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from xml.etree.ElementTree import Element

from assistant.core.errors import MalformedTranscript
from assistant.transcripts.asr.json_fields import MILLISECONDS_PER_S, seconds_or_none
from assistant.transcripts.cues import tidy_lines
from assistant.transcripts.speaker_labels import speaker_or_none
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.title_and_date import only_date_in_text
from assistant.transcripts.xml_tree import attribute, document_root, elements

MAX_NUMBER_CHARACTERS = 20  # a longer number is not a time
TOKENS_BEFORE_INTERVALS = 5  # kind, name, start, end and number of intervals of a tier

_TEXT_GRID_HEAD_PATTERN = re.compile(r'(?:File type = )?"ooTextFile"')
_TEXT_GRID_CLASS_PATTERN = re.compile(r'"TextGrid"')
# A number, or a text in quotes with doubled quotes inside
_TEXT_GRID_TOKEN_PATTERN = re.compile(
    r'"(?P<text>(?:[^"]|"")*+)"|(?<![\w\[.])(?P<number>-?\d+(?:\.\d+)?)(?![\w\]])|<exists>'
)
_CHAT_HEAD_PATTERN = re.compile(r"@(?:UTF8|Begin|Font|PID|ColorWords|Languages)\b")
_CHAT_TURN_PATTERN = re.compile(r"^\*(?P<code>[A-Z0-9]{1,7}):\s*(?P<text>.*)$")
# Times in milliseconds at the end of a line: 2041_4053
_CHAT_TIMES_PATTERN = re.compile(r" ?(?P<start>\d{1,9})_(?P<end>\d{1,9})$")
_SPACE_BEFORE_SIGN_PATTERN = re.compile(r" (?=[.?!,;])")
# Codes of CHAT that are not words: (.), [/], [=! laughs], &=coughs, <, >, +..., ‡
_CHAT_CODES_PATTERN = re.compile(
    r"\(\.{1,3}\)|\[[^\[\]\n]{0,80}\]|&[=~+-]\S+|[<>‡„↑↓]|\+(?:\.{2,3}|[/\",^+<!?]+)\s?|xxx\b"
)
_CHAT_PERSON_PATTERN = re.compile(r"([A-Z0-9]{1,7})\s+([^,]{1,200})")


def sniff_elan(source: RawSource) -> bool:
    """Return whether the XML is a document of ELAN."""
    return "<ANNOTATION_DOCUMENT" in source.head


def sniff_exmaralda(source: RawSource) -> bool:
    """Return whether the root of the XML is a basic transcription of EXMARaLDA."""
    return "<basic-transcription" in source.head


def sniff_text_grid(source: RawSource) -> bool:
    """Return whether the text is a TextGrid of Praat, in its long or short form."""
    is_headed = _TEXT_GRID_HEAD_PATTERN.match(source.head) is not None
    return is_headed and _TEXT_GRID_CLASS_PATTERN.search(source.head[:400]) is not None


def sniff_chat(source: RawSource) -> bool:
    """Return whether the text begins with a header line of CHAT."""
    return _CHAT_HEAD_PATTERN.match(source.head) is not None and "\n*" in source.text


def parse_elan(source: RawSource) -> ParsedTranscript:
    """Return the annotations of all tiers with times of their own, in order of time."""
    root = document_root(source)
    slot_times = {
        attribute(slot, "TIME_SLOT_ID"): seconds_or_none(
            attribute(slot, "TIME_VALUE"), MILLISECONDS_PER_S
        )
        for slot in elements(root, "TIME_SLOT")
    }
    pieces = []
    skipped_tiers = []
    for tier in elements(root, "TIER"):
        tier_name = attribute(tier, "TIER_ID")
        annotates_other_tier = attribute(tier, "PARENT_REF") != ""
        if annotates_other_tier:
            skipped_tiers.append(tier_name)
            continue
        speaker = speaker_or_none(attribute(tier, "PARTICIPANT") or tier_name)
        for annotation in elements(tier, "ALIGNABLE_ANNOTATION"):
            start = slot_times.get(attribute(annotation, "TIME_SLOT_REF1"))
            end = slot_times.get(attribute(annotation, "TIME_SLOT_REF2"))
            pieces.append(_piece(_all_text(annotation), speaker, start, end))
    parsed = _in_order_of_time(pieces, source.name, "ELAN")
    _report_skipped(parsed, skipped_tiers)
    parsed.event_date = only_date_in_text(root.get("DATE", ""))
    return parsed


def parse_exmaralda(source: RawSource) -> ParsedTranscript:
    """Return the events of all tiers of transcribed speech, in order of time."""
    root = document_root(source)
    # A tli element is a moment of the timeline, to which the events refer by its id.
    seconds_by_moment_id: dict[str, float | None] = {}
    order_by_moment_id: dict[str, int] = {}
    for position, moment in enumerate(elements(root, "tli")):
        moment_id = moment.get("id", "")
        seconds_by_moment_id[moment_id] = seconds_or_none(moment.get("time"))
        order_by_moment_id.setdefault(moment_id, position)
    # The abbreviation of each speaker by the id
    name_by_speaker_id = {}
    for speaker in elements(root, "speaker"):
        speaker_id = speaker.get("id", "")
        abbreviations = [_all_text(name) for name in elements(speaker, "abbreviation")]
        first_abbreviation = abbreviations[0] if abbreviations else ""
        name_by_speaker_id[speaker_id] = first_abbreviation or speaker_id
    # The speech of each event, with the order of the moment at which it begins
    ordered_events: list[tuple[int, SpeechPiece]] = []
    skipped_tiers = []
    for tier in elements(root, "tier"):
        is_transcription = tier.get("type") == "t"
        if not is_transcription:
            skipped_tiers.append(tier.get("display-name", "") or tier.get("id", ""))
            continue
        speaker_name = speaker_or_none(name_by_speaker_id.get(tier.get("speaker", ""), ""))
        for event in elements(tier, "event"):
            start_id = event.get("start", "")
            start = seconds_by_moment_id.get(start_id)
            end = seconds_by_moment_id.get(event.get("end", ""))
            piece = _piece(_all_text(event), speaker_name, start, end)
            ordered_events.append((order_by_moment_id.get(start_id, 0), piece))
    ordered_events.sort(key=lambda ordered_event: ordered_event[0])
    pieces = [piece for _, piece in ordered_events]
    parsed = _in_order_of_time(pieces, source.name, "EXMARaLDA")
    _report_skipped(parsed, skipped_tiers)
    return parsed


def parse_text_grid(source: RawSource) -> ParsedTranscript:
    """Return the labelled intervals of all tiers, in order of time."""
    # A TextGrid of Praat is read as its texts and numbers; everything else is decoration.
    tokens = list(_text_grid_tokens(source.text))
    pieces: list[SpeechPiece] = []
    position = 0
    while position < len(tokens):
        begins_tier = tokens[position] in ("IntervalTier", "TextTier")
        if begins_tier:
            tier_pieces, position = _read_tier(tokens, position)
            pieces += tier_pieces
        else:
            position += 1
    return _in_order_of_time(pieces, source.name, "Praat")


def _read_tier(tokens: Sequence[str | float], tier_start: int) -> tuple[list[SpeechPiece], int]:
    """Return the intervals of the tier that begins at a token, and the position behind them."""
    # Kind, name, start, end and number of intervals, then each interval:
    # "IntervalTier" "Jane Doe" 0 4.5 2, 0 2.5 "Good evening", 2.5 4.5 "Thank you"
    is_of_points = tokens[tier_start] == "TextTier"
    name_position = tier_start + 1
    speaker = None
    if name_position < len(tokens):
        speaker = speaker_or_none(str(tokens[name_position]))
    # A point has no end.
    interval_length = 2 if is_of_points else 3
    pieces = []
    position = tier_start + TOKENS_BEFORE_INTERVALS
    while position + interval_length <= len(tokens) and isinstance(tokens[position], float):
        start = tokens[position]
        end = None if is_of_points else tokens[position + 1]
        text = tokens[position + interval_length - 1]
        position += interval_length
        if isinstance(start, float) and not isinstance(end, str):
            pieces.append(_piece(str(text), speaker, start, end))
    return pieces, position


def _text_grid_tokens(text: str) -> Iterator[str | float]:
    """Yield the texts in quotes and the numbers of a TextGrid."""
    for match in _TEXT_GRID_TOKEN_PATTERN.finditer(text):
        quoted_text = match["text"]
        number = match["number"]
        if quoted_text is not None:
            yield quoted_text.replace('""', '"')
        elif number and len(number) < MAX_NUMBER_CHARACTERS:
            yield float(number)


def parse_chat(source: RawSource) -> ParsedTranscript:
    """Return the main lines of a CHAT file. Dependent tiers (``%mor``) are left out."""
    name_by_code: dict[str, str] = {}
    pieces: list[SpeechPiece] = []
    language = ""
    title = ""
    event_date = None
    for line_number, line in _chat_lines(source.text):
        turn = _CHAT_TURN_PATTERN.match(line)
        key, _, field_value = line.partition(":")
        if turn:
            name = name_by_code.get(turn["code"], turn["code"])
            pieces.append(_chat_piece(turn["text"], line_number, name))
        elif key == "@Participants":
            name_by_code = _names_by_code(field_value)
        elif key == "@Languages":
            language = field_value.strip().split(",")[0]
        elif key == "@Title":
            title = field_value.strip()
        elif key == "@Date":
            # "03-MAY-2017"
            event_date = only_date_in_text(field_value.replace("-", " ").title())
    is_english = language in ("eng", "en")
    parsed = ParsedTranscript(pieces, language="en" if is_english else language)
    parsed.title = title
    parsed.event_date = event_date
    return parsed


def _chat_piece(text: str, line_number: int, name: str) -> SpeechPiece:
    """Return the speech of a main line, without its codes and with the times at its end."""
    # The times in milliseconds may stand at the end of the line: 1200_3400
    times = _CHAT_TIMES_PATTERN.search(text)
    start = None
    end = None
    if times:
        text = text[: times.start()]
        start = int(times["start"]) / MILLISECONDS_PER_S
        end = int(times["end"]) / MILLISECONDS_PER_S
    bare_text = _CHAT_CODES_PATTERN.sub(" ", text).replace("_", " ")
    spoken = _SPACE_BEFORE_SIGN_PATTERN.sub("", tidy_lines(bare_text))
    return SpeechPiece(spoken, line_number, speaker_or_none(name), start, end, starts_turn=True)


def _chat_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines with their numbers; a line that begins with a tab continues the one above."""
    whole_line = ""
    first_line_number = 1
    for line_number, line in enumerate(text.split("\n"), 1):
        continues_line_above = line.startswith(("\t", " ")) and whole_line != ""
        if continues_line_above:
            whole_line += " " + line.strip()
            continue
        if whole_line:
            yield first_line_number, whole_line
        whole_line = line.strip()
        first_line_number = line_number
    if whole_line:
        yield first_line_number, whole_line


def _names_by_code(participants: str) -> dict[str, str]:
    """Return the names of participants by their codes: ``MAR Maria_Lindqvist Moderator``."""
    name_by_code = {}
    for code, description in _CHAT_PERSON_PATTERN.findall(participants):
        words = description.split()
        # The last word is the role, which stands for a name only if nothing else does.
        name = " ".join(words[:-1]) or code
        name_by_code[code] = name.replace("_", " ")
    return name_by_code


def _piece(text: str, speaker: str | None, start: float | None, end: float | None) -> SpeechPiece:
    return SpeechPiece(" ".join(text.split()), 0, speaker, start, end, True)


def _all_text(element: Element) -> str:
    return "".join(element.itertext())


def _in_order_of_time(pieces: list[SpeechPiece], file_name: str, program: str) -> ParsedTranscript:
    """Return filled pieces in order of time, numbered. Raises MalformedTranscript without any."""
    spoken_pieces = [piece for piece in pieces if piece.text]
    if not spoken_pieces:
        raise MalformedTranscript(
            f"the tiers of the {program} file contain no text.",
            where=file_name,
            remedy="Export the file as text or as captions.",
        )
    spoken_pieces.sort(key=lambda piece: piece.start or 0.0)
    numbered_pieces = []
    for number, piece in enumerate(spoken_pieces, 1):
        numbered_pieces.append(replace(piece, line_number=number, starts_turn=True))
    return ParsedTranscript(numbered_pieces)


def _report_skipped(parsed: ParsedTranscript, tiers: list[str]) -> None:
    if tiers:
        names = ", ".join(tiers[:5])
        parsed.warnings.append(
            f"tiers that annotate the speech were left out: {len(tiers)} ({names})"
        )
