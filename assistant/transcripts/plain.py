"""Reads plain text from any origin: labelled turns, exports with times, flattened pages, prose.

``read_lines`` also reads the lines of HTML, DOCX and PDF. A label applies until the next one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from assistant.core.domain import DoubtfulLabel
from assistant.transcripts import line_repair, nonspeech, page_furniture, refusals
from assistant.transcripts.confirmed_openings import (
    TurnOpenings,
    add_names_above_times,
    confirmed_openings,
    set_times_from_start,
)
from assistant.transcripts.line_repair import without_markdown
from assistant.transcripts.line_times import with_usual_times
from assistant.transcripts.numbered_lines import (
    NumberedLine,
    divided_at_labels,
    numbered,
    restore_breaks,
)
from assistant.transcripts.speaker_labels import (
    examiner_at,
    is_screen_label,
    question_examiner,
    split_at_chevrons,
)
from assistant.transcripts.speech_pieces import (
    ParsedTranscript,
    SpeechPiece,
    doubt_warning,
    shortened,
)
from assistant.transcripts.text_decoding import RawSource
from assistant.transcripts.timestamps import whole_time
from assistant.transcripts.title_and_date import event_dates, is_date, only_date_in_text
from assistant.transcripts.turn_openings import TurnOpening

PREAMBLE_SHARE = 0.25  # a longer text before the first label is not a preamble
PREAMBLE_CHARACTERS = 1_000  # searched for the date of the event
MAX_TITLE_LENGTH = 120
MIN_HEADING_LINES = 2  # a heading of one line needs other signs
MAX_EMPTY_LINES = 2  # empty lines in a row
MAX_HEADING_LINES = 4
MIN_PROSE_LINES = 3  # a shorter text may be a list
# Lines that are sentences without full stops have at most, and at least, these shares.
MAX_FULL_STOP_SHARE = 0.1
MIN_CAPITAL_SHARE = 0.9
MAX_GAP_LINES = 4  # below a line, searched for the text that may go on with its sentence

# Rulers of Markdown
_RULER_PATTERN = re.compile(
    r"""
    ^\s*
    (?:
        [*_]{3,}\s*$             # ***
      | (?:[*_-]\s){2,}[*_-]\s*$   # * * *
      | \|?-{3,}\|?\s*$          # ---
      | ={3,}\s*$                # ===
    )
    """,
    re.VERBOSE,
)
# Runs of spaces are shortened, so that the patterns need not go through them.
_LONG_SPACE_PATTERN = re.compile(r"[^\S\n]{3,}")
# A label of a list of people
_ROSTER_LABEL_PATTERN = re.compile(
    r"^(?:moderators?|hosts?|panel(?:ists)?|participants?|speakers?|present|attendees)$",
    re.IGNORECASE,
)
# A label of such a list that is never a speaker: "PRESENT:" above the names
_ROSTER_HEADING_PATTERN = re.compile(
    r"^(?:also present|in attendance|present|attendees|participants|panelists|appearances|before)$",
    re.IGNORECASE,
)
# A line with a list of people: "Moderators: Lester Holt"
_ROSTER_LINE_PATTERN = re.compile(
    r"^(?:moderators?|hosts?|panel(?:ists)?|participants?|speakers)\s*:", re.IGNORECASE
)
# A line that ends like a sentence or begins with a field name
_NOT_A_TITLE_PATTERN = re.compile(r"[.:]$|^[A-Za-z ]{2,30}:")
_TITLE_FIELD_PATTERN = re.compile(r"^(?:title|event)\s*:\s*(?P<title>\S.*)$", re.IGNORECASE)
# The end of a sentence, maybe in quotes or brackets
_SENTENCE_END_PATTERN = re.compile(r"[.!?…:;][”’\"')\]]*\s*$")
# A line that is one pair of brackets
_BRACKETED_LINE_PATTERN = re.compile(r"^(?:\([^()]{2,300}\)|\[[^\[\]]{2,300}\])\W?$")
# An item of a list in Markdown
_LIST_ITEM_PATTERN = re.compile(r"^\s{0,3}[-*+•]\s")
# Words that begin a sentence, not a name
_SENTENCE_STARTS = ("The", "A", "An", "On", "In")


@dataclass(slots=True)
class _ReadingState:
    """The result so far, and the current speaker.

    ``pending_opening`` is the opening of a turn whose first speech has not been read yet.
    ``examiner`` asks the questions of a deposition. ``is_below_heading`` is true up to the first
    text below a heading.
    """

    parsed: ParsedTranscript
    openings: TurnOpenings
    speaker: str | None = None
    pending_opening: TurnOpening | None = None
    examiner: str | None = None
    headings: list[str] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    unnamed_count: int = 0
    is_below_heading: bool = False


def sniff(source: RawSource) -> bool:
    """Return whether there is text that is neither XML nor JSON: the last resort of the table."""
    return bool(source.text.strip()) and not refusals.is_markup(source)


def parse(source: RawSource) -> ParsedTranscript:
    """Return the turns of a text file."""
    lines = numbered(source.text.split("\n"))
    # Line numbers, broken lines and fields like "Date: 3 May 2017" are taken out.
    repaired = line_repair.repair(lines)
    parsed = read_lines(repaired.lines, source.accepted_labels, source.refused_labels)
    parsed.warnings = [*repaired.warnings, *parsed.warnings]
    if repaired.fields.get("title"):
        parsed.title = repaired.fields["title"]
    date_of_field = only_date_in_text(repaired.fields.get("date", ""))
    if date_of_field:
        parsed.event_date = date_of_field
    return parsed


def read_lines(
    lines: Sequence[NumberedLine],
    accepted_labels: Collection[str] = (),
    refused_labels: Collection[str] = (),
) -> ParsedTranscript:
    """Return the turns in lines of text, with warnings for every guess.

    An empty line separates paragraphs. ``accepted_labels`` are labels that a person has accepted, and
    ``refused_labels`` words that a person knows to be no label.
    """
    lines, warnings = _repaired_lines(lines)
    lines, openings = _find_openings(lines, accepted_labels, refused_labels)
    if not openings.by_line_index and _are_lines_sentences(lines):
        warnings.append("lines have no full stops; each line was taken for a sentence")
        lines = _with_gaps(lines)
    state = _ReadingState(ParsedTranscript(warnings=warnings), openings)
    speech_start = _read_preamble(lines, openings.by_line_index, state.parsed)
    time_warning = set_times_from_start(lines, openings)
    speech_end = page_furniture.end_of_speech(lines, openings.by_line_index)
    # The lines with the name of a turn whose times are on the line above
    name_line_indexes = set()
    for index, opening in openings.by_line_index.items():
        if opening.is_name_below:
            name_line_indexes.add(index + 1)
    unspoken_line_indexes = openings.role_line_indexes | name_line_indexes
    for index in range(speech_start, speech_end):
        if index not in unspoken_line_indexes:
            _read_line(state, lines, index)
    for line in lines[speech_end:]:
        if line.text.strip():
            state.notices.append(line.text.strip())
    _add_warnings(state, time_warning)
    return state.parsed


def _repaired_lines(lines: Sequence[NumberedLine]) -> tuple[list[NumberedLine], list[str]]:
    """Return the lines without marks of pages, with usual breaks and times, and warnings."""
    lines, page_warnings = page_furniture.without_page_marks(lines)
    lines, time_warnings = with_usual_times(_without_gaps(lines))
    lines, break_warnings = restore_breaks(lines)
    warnings = [*break_warnings, *page_warnings, *time_warnings]
    return [_with_short_spaces(line) for line in lines], warnings


def _find_openings(
    lines: list[NumberedLine], accepted_labels: Collection[str], refused_labels: Collection[str]
) -> tuple[list[NumberedLine], TurnOpenings]:
    """Return the openings of turns, and the lines divided before labels inside them."""
    openings = confirmed_openings(lines, accepted_labels, refused_labels)
    # The character where the speech begins, by the index of the line
    speech_starts = {}
    for index, opening in openings.by_line_index.items():
        if opening.kind != "doubtful":
            speech_starts[index] = len(lines[index].text) - len(opening.speech)
    divided_lines = divided_at_labels(lines, openings.names(), speech_starts)
    has_labels_inside = len(divided_lines) > len(lines)
    if has_labels_inside:
        # The openings are by the index of a line, which has changed.
        lines = divided_lines
        openings = confirmed_openings(lines, accepted_labels, refused_labels)
    add_names_above_times(lines, openings)
    return lines, openings


def _with_short_spaces(line: NumberedLine) -> NumberedLine:
    """Return a line without Markdown and with short runs of spaces."""
    indent = _leading_spaces(line.text)
    text = line.text.rstrip()
    markup_end = line.markup_end
    if "   " in text or "\t" in text:
        text = _LONG_SPACE_PATTERN.sub("  ", text)
        # The marked head moves to the left with the text.
        removed_count = indent - _leading_spaces(text)
        markup_end = max(markup_end - removed_count, 0)
    if indent or text != line.text:
        line = NumberedLine(line.number, text, line.markup, markup_end, indent)
    return without_markdown(line)


def _leading_spaces(text: str) -> int:
    return len(text) - len(text.lstrip(" "))


def _with_gaps(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return the lines with an empty line after each."""
    spaced_lines = []
    for line in lines:
        spaced_lines.append(line)
        spaced_lines.append(replace(line, text=""))
    return spaced_lines


def _without_gaps(lines: Sequence[NumberedLine]) -> list[NumberedLine]:
    """Return the lines with at most two empty ones in a row. More of them mean nothing more."""
    spaced_lines: list[NumberedLine] = []
    # Empty lines at the beginning of the text are left out.
    empty_line_count = MAX_EMPTY_LINES
    for line in lines:
        empty_line_count = 0 if line.text.strip() else empty_line_count + 1
        if empty_line_count <= MAX_EMPTY_LINES:
            spaced_lines.append(line)
    return spaced_lines


def _are_lines_sentences(lines: Sequence[NumberedLine]) -> bool:
    """Return whether lines are sentences without full stops, as some recognisers write.

    Hardly any has a full stop at its end, and nearly all begin with a capital letter.
    """
    texts = [line.text.strip() for line in lines if line.text.strip()]
    is_in_capitals = "".join(texts).isupper()
    if len(texts) < MIN_PROSE_LINES or is_in_capitals:
        return False
    full_stop_count = sum(_SENTENCE_END_PATTERN.search(text) is not None for text in texts)
    capital_count = sum(not text[0].islower() for text in texts)
    have_few_full_stops = full_stop_count < MAX_FULL_STOP_SHARE * len(texts)
    have_many_capitals = capital_count > MIN_CAPITAL_SHARE * len(texts)
    return have_few_full_stops and have_many_capitals


def _read_preamble(
    lines: Sequence[NumberedLine], openings: dict[int, TurnOpening], parsed: ParsedTranscript
) -> int:
    """Return the index of the first line of speech.

    The text before it gives the title and is left out, and its openings are deleted.
    """
    # Openings are labels and times at the beginning of lines, by the index of the line.
    first_turn = _first_turn(openings)
    if first_turn is None:
        return 0
    for index in list(openings):
        if index < first_turn:
            del openings[index]
    # The text above the first turn is a heading, unless it has much of the prose of the file.
    texts = [line.text.strip() for line in lines[:first_turn] if line.text.strip()]
    prose_size = sum(len(text) for text in texts if _is_prose(text))
    file_size = sum(len(line.text) for line in lines)
    is_speech = prose_size > PREAMBLE_SHARE * file_size
    if is_speech:
        return 0
    if texts:
        _read_heading(texts, parsed)
    return first_turn


def _read_heading(texts: Sequence[str], parsed: ParsedTranscript) -> None:
    """Take title and date from the lines before the speech, and say that they were left out."""
    parsed.heading = "\n".join(texts)[:PREAMBLE_CHARACTERS]
    parsed.title = _title(texts)
    days = set(event_dates(parsed.heading))
    parsed.event_date = days.pop() if len(days) == 1 else None
    first_line = shortened(texts[0].lstrip("# "))
    parsed.warnings.append(
        f"the text before the first speaker was taken for a heading and left out: “{first_line}”"
    )


def _first_turn(openings: dict[int, TurnOpening]) -> int | None:
    """Return the index of the first turn, None if there is none.

    A doubtful label begins one only if its line reads like speech: a title may have a colon.
    """
    for index in sorted(openings):
        opening = openings[index]
        is_title = opening.kind == "doubtful" and not _is_prose(opening.speech.strip())
        if not is_title and not _is_roster(opening):
            return index
    return None


def _is_prose(text: str) -> bool:
    """Return whether a line before the speech may be speech itself."""
    if _ROSTER_LINE_PATTERN.match(text):
        return False
    return len(text) > MAX_TITLE_LENGTH or _SENTENCE_END_PATTERN.search(text) is not None


def _is_roster(opening: TurnOpening) -> bool:
    """Return whether a label introduces a list of people: ``MODERATOR: Lester Holt``."""
    if not opening.label:
        return False
    name = opening.label.name
    # "PARTICIPANTS:" stands alone above the list; behind "MODERATOR:" a name follows, no sentence.
    if not opening.speech.strip():
        return _ROSTER_HEADING_PATTERN.match(name) is not None
    is_roster_label = _ROSTER_LABEL_PATTERN.match(name) is not None
    ends_sentence = _SENTENCE_END_PATTERN.search(opening.speech) is not None
    return is_roster_label and not ends_sentence


def _title(texts: Sequence[str]) -> str:
    for text in texts:
        title_field = _TITLE_FIELD_PATTERN.match(text)
        if title_field:
            return title_field["title"].strip()[:MAX_TITLE_LENGTH]
    undated = [text for text in texts if not is_date(text) and whole_time(text) is None]
    title_line = undated[0] if undated else texts[0]
    title = title_line.lstrip("# ").strip()
    if len(title) > MAX_TITLE_LENGTH:
        return ""
    if nonspeech.is_unspoken_line(title) or _NOT_A_TITLE_PATTERN.search(title):
        return ""
    return title


def _read_line(state: _ReadingState, lines: Sequence[NumberedLine], index: int) -> None:
    """Add the speech of one line."""
    line = lines[index]
    text = line.text.strip()
    examiner = examiner_at(line.text)
    if examiner:
        state.examiner = examiner
        return
    if nonspeech.is_editors_note(text) or nonspeech.is_chat_notice(text):
        state.notices.append(text)
    if not text or nonspeech.is_unspoken_line(line.text) or _RULER_PATTERN.match(line.text):
        return
    turns = state.openings.by_line_index
    opening = turns.get(index)
    if line.markup == "text box":
        _add_text_box(state, line, opening)
    elif opening is not None:
        _begin_turn(state, line, opening)
        is_spoken = state.pending_opening is not None
        if opening.speech.strip() and is_spoken:
            _add_speech(state, line, opening.speech, _ends_paragraph(lines, index))
    elif turns and _is_notice(lines, index):
        state.notices.append(text)
    elif turns and _is_heading(lines, index, turns):
        state.headings.append(text)
        state.is_below_heading = line.markup.startswith("heading")
    else:
        # Minutes have lists of decisions below headings: no speech.
        is_list = state.is_below_heading and _LIST_ITEM_PATTERN.match(line.text) is not None
        if is_list or nonspeech.is_note_of_proceedings(text):
            state.speaker = None
        state.is_below_heading = False
        _add_speech(state, line, line.text, _ends_paragraph(lines, index))


def _is_notice(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether a line between turns was not said: furniture, or a remark in brackets.

    Records put into brackets how others reacted: ``(Beifall bei der SPD)``.
    """
    if page_furniture.is_furniture(lines[index]):
        return True
    text = lines[index].text.strip()
    if not _BRACKETED_LINE_PATTERN.match(text) or nonspeech.is_stage_direction(text):
        return False
    # A bracket inside a sentence is a remark of the speaker.
    text_above = lines[index - 1].text.strip() if index > 0 else ""
    follows_sentence = _SENTENCE_END_PATTERN.search(text_above) is not None
    return not text_above or follows_sentence


def _begin_turn(state: _ReadingState, line: NumberedLine, opening: TurnOpening) -> None:
    """Make the speaker of an opening the current one."""
    state.is_below_heading = False
    label = opening.label
    if label and opening.kind == "doubtful":
        state.speaker = None
        doubtful_label = DoubtfulLabel(line.number, label.name, line.text.strip())
        state.parsed.doubtful_labels.append(doubtful_label)
    elif label and is_screen_label(label.name):  # text on the screen, not speech
        state.notices.append(line.text.strip())
        state.speaker = None
        state.pending_opening = None
        return
    elif label:
        # In a court, the lines of the examiner have "Q" as their label.
        state.examiner = question_examiner(line.text) or state.examiner
        is_question = label.speaker == "Q"
        state.speaker = state.examiner if is_question and state.examiner else label.speaker
        if label.speaker is None:
            state.unnamed_count += 1
    # The opening waits for its speech, which may begin on the next line.
    opening_above = state.pending_opening
    if opening_above is not None and not opening_above.speech.strip():
        opening = _joined_openings(opening_above, opening)
    state.pending_opening = opening


def _joined_openings(opening_above: TurnOpening, opening: TurnOpening) -> TurnOpening:
    """Return the opening of a turn whose name and time are on two lines, in either order."""
    if opening_above.label is None and opening.start is None:
        return replace(opening, start=opening_above.start, end=opening_above.end)
    if opening.label is None:
        return replace(opening, label=opening_above.label)
    return opening


def _add_text_box(state: _ReadingState, line: NumberedLine, opening: TurnOpening | None) -> None:
    """Add the text of a box, which is not part of the speech around it."""
    speaker = None
    text = line.text
    if opening and opening.label and opening.label.speaker:
        speaker = opening.label.speaker
        text = opening.speech
    state.parsed.pieces.append(
        SpeechPiece(f"{text.strip()}\n", line.number, speaker, starts_turn=True)
    )
    # The speaker around the box goes on behind it, with a new sentence.
    state.pending_opening = TurnOpening("resumed", None, "")


def _add_speech(state: _ReadingState, line: NumberedLine, text: str, ends_paragraph: bool) -> None:
    """Add a line of speech. A chevron inside it begins a turn of an unknown speaker."""
    for position, (follows_chevron, spoken) in enumerate(split_at_chevrons(text)):
        opening = state.pending_opening
        state.pending_opening = None
        is_inside_line = position > 0
        if follows_chevron and is_inside_line:
            state.speaker = None
            opening = TurnOpening("chevron", None, "")
            state.unnamed_count += 1
        if ends_paragraph:
            spoken += "\n"
        piece = SpeechPiece(spoken, line.number, state.speaker)
        if opening is not None:
            starts_turn = _starts_turn(state, opening)
            piece = replace(piece, start=opening.start, end=opening.end, starts_turn=starts_turn)
        state.parsed.pieces.append(piece)


def _starts_turn(state: _ReadingState, opening: TurnOpening) -> bool:
    """Return whether an opening begins a turn.

    A label on every line divides no sentence that the same speaker has not finished.
    """
    # A chevron, ">>", stands for another speaker.
    if opening.kind in ("chevron", "doubtful", "resumed"):
        return True
    if opening.label is None:
        return False
    if state.speaker is None or not state.parsed.pieces:
        return True
    previous_piece = state.parsed.pieces[-1]
    if previous_piece.speaker != state.speaker:
        return True
    # The label of the same speaker again: a turn begins unless the sentence goes on.
    ends_paragraph = previous_piece.text.endswith("\n")
    return ends_paragraph or _SENTENCE_END_PATTERN.search(previous_piece.text) is not None


def _ends_paragraph(lines: Sequence[NumberedLine], index: int) -> bool:
    """Return whether a paragraph ends here.

    An empty line follows, and the next text does not continue in lower case.
    """
    first_below = index + 1
    lines_below = lines[first_below : first_below + MAX_GAP_LINES]
    if not lines_below or lines_below[0].text.strip():
        return False
    if _SENTENCE_END_PATTERN.search(lines[index].text):
        return True
    for line in lines_below:
        if line.text.strip() and not nonspeech.is_unspoken_line(line.text):
            starts_lower = line.text.lstrip()[0].islower()
            return not starts_lower
    return True


def _is_heading(
    lines: Sequence[NumberedLine], index: int, openings: dict[int, TurnOpening]
) -> bool:
    """Return whether a single line between paragraphs of a labelled text is a heading."""
    line = lines[index]
    is_all_marked_up = line.markup_end >= len(line.text.rstrip())
    if line.markup.startswith("heading") and is_all_marked_up:
        return True
    if _is_in_heading_block(lines, index, openings):
        return True
    has_text_above = index > 0 and bool(lines[index - 1].text.strip())
    if has_text_above:
        return False
    has_text_below = index + 1 < len(lines) and bool(lines[index + 1].text.strip())
    is_above_turn = index + 1 in openings
    if has_text_below and not is_above_turn:
        return False
    return nonspeech.is_heading(line.text)


def _is_in_heading_block(
    lines: Sequence[NumberedLine], index: int, openings: dict[int, TurnOpening]
) -> bool:
    """Return whether a line is in a heading of a few lines in capitals, right above a turn."""
    if not lines[index].text.isupper():
        return False
    start, end = _block_around(lines, index, MAX_HEADING_LINES)
    block = lines[start:end]
    if not MIN_HEADING_LINES <= len(block) <= MAX_HEADING_LINES:
        return False
    # The next line with text begins a turn, and no line of the block does.
    next_index = end
    while next_index < len(lines) and not lines[next_index].text.strip():
        next_index += 1
    has_turn_inside = any(block_index in openings for block_index in range(start, end))
    if has_turn_inside or next_index not in openings:
        return False
    is_in_capitals = all(line.text.isupper() for line in block)
    return is_in_capitals and not _SENTENCE_END_PATTERN.search(block[-1].text)


def _block_around(lines: Sequence[NumberedLine], index: int, max_lines: int) -> tuple[int, int]:
    """Return the first line around a line without an empty one between, and the line after the last.

    A longer block is cut off, a line beyond ``max_lines``.
    """
    start = index
    while start > 0 and lines[start - 1].text.strip() and index - start < max_lines:
        start -= 1
    end = index
    while end < len(lines) and lines[end].text.strip() and end - start <= max_lines:
        end += 1
    return start, end


def _add_warnings(state: _ReadingState, time_warning: str) -> None:
    """Add the warnings of the whole file."""
    parsed = state.parsed
    warnings = parsed.warnings
    if time_warning:
        warnings.append(time_warning)
    if state.headings:
        headings = ", ".join(f"“{shortened(heading)}”" for heading in state.headings[:5])
        warnings.append(f"taken for headings and left out ({len(state.headings)}): {headings}")
    if state.unnamed_count:
        warnings.append(
            f"turns whose label or mark names nobody, speaker unknown: {state.unnamed_count}"
        )
    if state.notices:
        notices = ", ".join(f"“{shortened(notice)}”" for notice in state.notices[:5])
        warnings.append(
            f"taken for notices, page furniture or text on the screen and left out "
            f"({len(state.notices)}): {notices}"
        )
    if parsed.doubtful_labels:
        warnings.append(doubt_warning(parsed.doubtful_labels))
    parsed.label_evidence.update(state.openings.evidence)
    if parsed.pieces and not state.openings.by_line_index:
        warnings.append("no speaker labels were found; every speaker is unknown")
    starts = [piece.start for piece in parsed.pieces if piece.start is not None]
    if starts != sorted(starts):
        warnings.append(
            "the times go back at least once, as where a second part begins; "
            "they are kept as they are"
        )
