"""Finds the header of a table of speech and the role of each column: text, speaker, start and so on.

A name counts if it is a usual one, or if one of its words is: "Was gesagt wurde", "utterance_text",
"Start time (s)". Columns of notes and labels never are the text, however long their cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

HEADER_ROWS = 10  # the header is one of the first
MAX_HEADER_CHARACTERS = 40
MAX_HEADER_WORDS = 5
MAX_TITLE_SHARE = 0.5  # a row above the header fills at most this part of the header's columns
MIN_ROLES = 2  # below titles, or with names of which only a word is usual

# Whole column names in lower case, by the role of the column
_USUAL_NAMES = {
    "text": "text/speech/transcript/body/utterance/content/dialogue/dialog/sentence/caption/words/"
    "statement/line text/spoken text/transcript text",
    "speaker": "speaker/name/who/voice/participant/person/speaker name",
    "start": "start/time/timecode/begin/in/timestamp/start time/starttime/offset/in point/"
    "start (s)/start (ms)/start ms",
    "end": "end/out/end time/endtime/stop/finish/out point/end (s)/end (ms)/end ms",
    "duration": "duration/dur/length",
    "date": "date/event date/debate date/day",
    "title": "title/debate name/event/debate",
}
# Words of a longer column name. The first role with a word of the name is its role.
_ROLE_WORDS = {
    "note": "note notes notiz notizen comment comments kommentar kommentare commentaire remark remarks "
    "bemerkung annotation annotations annotator coder label labels tag tags code codes rating flag "
    "check checked verdict source url link nota notas opmerking id idx index number nr translation",
    "duration": "duration dur dauer durée duración durata duur redezeit sprechzeit spreektijd taletid "
    "taltid",
    "end": "end ending ende bis stop finish fin fine einde out",
    "start": "start starts von when wann quand cuándo quando minute "
    "begin begins beginning timestamp timecode time ts zeit beginn anfang heure "
    "début hora inicio ora inizio tijd tempo início offset",
    "date": "date datum fecha data",
    "text": "text texte texto testo tekst transcript transcription transkript utterance utterances speech "
    "spoken said says gesagt gesprochen wortlaut aussage rede words content dialogue sentence caption "
    "statement dicho dit parole paroles intervención intervention redebeitrag uttalande",
    "speaker": "speaker speakers sprecher sprecherin redner rednerin name who wer role voice participant "
    "orateur locuteur intervenant hablante orador ponente parlante relatore spreker talare taler qui "
    "quién chi person",
}
# Words that make a column of times one of durations: "speaking_time_seconds"
_WORDS_OF_SPEAKING = frozenset("speaking speech talking talk spoken parole habla parola".split())
_WORDS_FOR_TIME = frozenset("time seconds secs sec minutes temps tiempo tempo".split())
_WORDS_FOR_A_POINT_IN_TIME = frozenset(
    "start starts begin begins beginning end ends stop at stamp of day".split()
)
_ROLE_BY_NAME = {name: role for role, names in _USUAL_NAMES.items() for name in names.split("/")}
_ROLE_BY_WORD = {word: role for role, words in _ROLE_WORDS.items() for word in words.split()}
_ROLES_BY_RANK = tuple(_ROLE_WORDS)
_CAMEL_CASE_PATTERN = re.compile(r"(?<=[a-z])(?=[A-Z])")
_NAME_WORD_PATTERN = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class TableHeader:
    """The index of the header row among the rows, its names and the column of each role.

    ``titles`` are the cells above it.
    """

    row_index: int
    names: list[str]
    columns: dict[str, int]
    titles: list[str] = field(default_factory=list)


def find_header(cell_rows: Sequence[Sequence[Any]]) -> TableHeader | None:
    """Return the first row that names the column of the text, None if there is none.

    A header below other rows names two roles, and the rows above it are titles: mostly empty.
    """
    titles: list[str] = []
    for index, cells in enumerate(cell_rows[:HEADER_ROWS]):
        lower_case_names = [_lower_case_name(cell) for cell in cells]
        index_by_role = index_by_column_role(cells)
        is_first_row = index == 0
        if "text" in index_by_role and (is_first_row or len(index_by_role) >= MIN_ROLES):
            return TableHeader(index, lower_case_names, index_by_role, titles)
        filled_cells = [str(cell).strip() for cell in cells if str(cell or "").strip()]
        # A title stands in one cell, or in a few of a wide table.
        max_title_cells = max(1, MAX_TITLE_SHARE * len(cells))
        is_row_of_speech = len(filled_cells) > max_title_cells
        if is_row_of_speech:
            return None
        titles.extend(filled_cells)
    return None


def index_by_column_role(cells: Sequence[Any]) -> dict[str, int]:
    """Return the column of each role that a header names, {} if it is no header with a text.

    Usual names win over names with a usual word, and these count only for two roles or more.
    """
    index_by_role: dict[str, int] = {}
    for index, cell in enumerate(cells):
        role = _ROLE_BY_NAME.get(_lower_case_name(cell))
        if role:
            index_by_role.setdefault(role, index)
    completed_index_by_role = _with_roles_by_single_words(cells, index_by_role)
    if "text" in index_by_role and len(index_by_role) >= MIN_ROLES:
        return completed_index_by_role
    has_roles = "text" in completed_index_by_role and len(completed_index_by_role) >= MIN_ROLES
    if has_roles and all(may_be_name(cell) for cell in cells):
        return completed_index_by_role
    return index_by_role if "text" in index_by_role else {}


def _with_roles_by_single_words(
    cells: Sequence[Any], index_by_role: dict[str, int]
) -> dict[str, int]:
    """Return the columns and those whose names have a usual word."""
    completed_index_by_role = dict(index_by_role)
    for index, cell in enumerate(cells):
        if index in completed_index_by_role.values():
            continue
        role = _role_by_word(cell)
        if role and role != "note":
            completed_index_by_role.setdefault(role, index)
    return completed_index_by_role


def _role_by_word(cell: Any) -> str | None:
    """Return the surest role that a word of a column's name has, None if no word has one."""
    spaced_name = _CAMEL_CASE_PATTERN.sub(" ", str(cell or ""))
    words = _NAME_WORD_PATTERN.findall(spaced_name.lower())
    roles = {_ROLE_BY_WORD.get(word) for word in words}
    if _is_time_of_speaking(words):
        return "duration"
    for role in _ROLES_BY_RANK:
        if role in roles:
            return role
    return None


def _is_time_of_speaking(words: Sequence[str]) -> bool:
    """Return whether a column's name says how long a person spoke: ``talk time (s)``."""
    has_time = any(word in _WORDS_FOR_TIME for word in words)
    has_point_in_time = any(word in _WORDS_FOR_A_POINT_IN_TIME for word in words)
    return has_time and not has_point_in_time and not _WORDS_OF_SPEAKING.isdisjoint(words)


def is_usual_name(cell: Any) -> bool:
    """Return whether a cell is a whole usual name of a column, such as ``speaker``."""
    return _lower_case_name(cell) in _ROLE_BY_NAME


def is_note_column(name: Any) -> bool:
    """Return whether a column holds notes, labels or numbers of rows, by its name."""
    return _role_by_word(name) == "note"


def may_be_name(cell: Any) -> bool:
    """Return whether a cell is as short as a column name, and no sentence."""
    text = str(cell or "").strip()
    is_short = len(text) <= MAX_HEADER_CHARACTERS and len(text.split()) <= MAX_HEADER_WORDS
    return is_short and not text.endswith((".", "!", "?"))


def _lower_case_name(cell: Any) -> str:
    lower_text = str(cell or "").lower().replace("_", " ").strip(" #:")
    return " ".join(lower_text.split())
