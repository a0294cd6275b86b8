"""Recognises speaker labels in a line: ``TRUMP:``, ``Mr.

McHenry.``, ``>> REPORTER:``, ``[Alba]``, ``SPEAKER_02:``.

One family of patterns serves plain text, DOCX, PDF, HTML and the text inside caption cues. Knows lines, no files;
``captions`` applies it to cues, ``openings`` to running text.
A label that names nobody (``UNIDENTIFIED MALE``, ``Crosstalk``) has ``speaker`` None: unknown stays unknown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from assistant.transcripts.nonspeech import is_stage

MIN_CAPITAL_SHARE = 0.6  # share of capital letters from which a label is believed at first sight
MAX_NAME_WORDS = 7
MAX_ROLE_WORDS = 15
MAX_HEAD_CHARACTERS = 300  # characters in which a label ends: what is longer is speech


@dataclass(frozen=True, slots=True)
class SpeakerLabel:
    """A label at the head of a line.

    ``end`` is where the speech begins; ``start`` is a time inside the label.

    ``name`` is the label as written without role, time and marks; ``speaker`` the same, None if it names nobody.
    ``sure`` is false where only the rest of the file shows whether this is a label at all.
    """

    name: str
    speaker: str | None
    end: int
    start: float | None = None
    sure: bool = True


_TIME = r"(?:\d{1,2}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?"
_HEAD = re.compile(
    rf"""^\s*(?:(?:\[\*\]|\*\*|__|\#{{1,6}}\s)\s*)?
    (?P<head>[^\s:;\[(*>\-–—•][^:;\n]{{0,119}}?)
    (?:\s*+(?:[\[(]\s*+)?(?P<time>{_TIME})(?:\s*+[\])])?)?
    \s*+(?:(?:\*\*|__)\s*+)?(?P<colon>[:;])(?P<gap>\s*(?:(?:\*\*|__)\s*)?)(?=$|\S)""",
    re.VERBOSE,
)
_BRACKETED = re.compile(
    r"^\s*[\[(]\s*(?P<head>[^\s\[\]():][^\[\]()\n:]{1,59}?)\s*[\])](?:\s*:)?(?P<gap>\s+|$)"
)
_HANSARD = re.compile(
    r"^\s*(?P<head>(?:(?:Mr|Mrs|Ms|Miss|Dr|Chairman|Chairwoman|Chair|Senator|Representative|Secretary|General|Admiral|"
    r"Judge|Justice|Ambassador|Director|Governor|Mayor|Commissioner|Delegate)\.?\s[A-Z][\w’'-]+(?:\.?\s[A-Z][\w’'-]+){0,2}"
    r"(?:\s?of\s[A-Z]\w+(?:\s[A-Z]\w+)?)?"
    r"|The\s(?:(?:Acting|Vice|Presiding)\s)?(?:Chairman|Chairwoman|Chair|Chairperson|Speaker|President|Clerk|Witness|"
    r"Officer|Court|Secretary)))(?<!\s)\.(?P<gap>\s+(?=[“\"A-Z\[(])|$)"
)
_QUESTION = re.compile(r"^\s*(?P<head>[QA])[.:]\s+(?=\S)")
_EXAMINER = re.compile(r"^\s*BY (?P<head>(?:MR|MS|MRS|DR)\. [A-Z][\w’'-]+):?\s*$")
_CHEVRON = re.compile(r"(?:>|&gt;){2,}\s*")
_IN_BRACKETS = re.compile(r"(?<!\s)\s*[\[(][^\[\]()]{1,40}[\])]")
_PARTICLES = frozenset(
    "of the and for von van der den de la le al el bin ibn di da du dos y st to in at".split()
)
_LIMIT = re.compile(r"[.?!]\s+(?=[a-z])|[?!]|\.{2,}|…|--")
_CLOCK_END = re.compile(r"\b(?:at|At|by|until|from)\s\d{1,2}$|^\d+$|^[\d\s./-]+$")
_STOP = frozenset(
    "speakers speaker(s) participants participant moderators panel panelists panellists note notes source sources "
    "transcript transcripts location date time title subject topic event venue keywords summary duration length kind "
    "language url link http https www mailto re cc to from ps attendees present witnesses agenda contents warning "
    "updated published posted video audio file recorded credit credits copyright related by for and but so also fact "
    "facts example remember moderator(s)".split()
)
_STOP_PHRASE = re.compile(
    r"^(?:(?:part|section|chapter|number|step|point|item|question|round|topic|page|figure|table|day|act|title|rule) "
    r"(?:\d+|[ivx]+|one|two|three|four|five|six)"
    r"|(?:transcribed|transcription|hosted|provided|edited|prepared|recorded|sponsored|moderated|captioned) by"
    r"|editor[’']s note|read more|for (?:example|instance)|candidates present|last updated|start time|end time)$",
    re.IGNORECASE,
)
_PROSE = frozenset(
    "i we you he she it they this that these those here there my our your his their what why how who when where is are "
    "was were not no yes so but if because one two three first second third look listen remember again thing things "
    "fact question questions answer answers number point following example let's here's it's that's there's i'm".split()
)
_NOBODY = re.compile(
    r"^(?:un-?identified|unknown|unidentifiable|anonymous|unnamed)(?:\W.*)?$"
    r"|^(?:male|female|man|woman|other|new|another)\s(?:voice|speaker|audience member|questioner)(?:\s#?\d+)?$"
    r"|^(?:audience|audience member|members? of (?:the )?audience|crowd|group|everyone|everybody|all|both|voices?|"
    r"(?:multiple|several)(?: speakers| voices)?|several|candidates|speakers|chorus|cross ?talk|off-?screen(?: voice)?|"
    r"voice-?over|u_ukn|ukn|unk|none|n/?a|\?+|-+|spk_?unk|speaker \?|"
    r"(?:male|female|man|woman|boy|girl|children|kids|men|women|protesters?|students?)(?: \d+)?)$",
    re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"^(?:speaker|spk|spkr|guest|participant|person|S|F|M)[ _-]?\d{1,3}$|^[FMU]_[SU]\w+$",
    re.IGNORECASE,
)
_ROLE = re.compile(
    r"^(?:the )?(?:moderator|(?:vice )?president|governor|senator|chair(?:man|woman|person)?|host|anchor|announcer|"
    r"narrator|interviewer|interviewee|reporter|question|questioner|answer|witness|court|clerk|speaker|secretary|mayor|"
    r"audience question|operator|translator|interpreter|caller|panelist|prime minister|judge)$",
    re.IGNORECASE,
)


def named(name: str) -> str | None:
    """Return the speaker that a field of the source names, None if it is empty or names nobody."""
    bare = " ".join(name.strip(" \t\n[]()*:;").split())
    return None if not bare or _NOBODY.match(bare) else bare


def seconds(stamp: str) -> float:
    """Return the seconds of ``m:ss``, ``mm:ss``, ``h:mm:ss``, with or without a fraction."""
    total = 0.0
    for part in stamp.replace(",", ".").split(":"):
        total = total * 60 + float(part)
    return total


def label_at(line: str) -> SpeakerLabel | None:
    """Return the label that a line begins with, if it begins with one."""
    if match := _QUESTION.match(line):
        return SpeakerLabel(match["head"], match["head"], match.end(), sure=False)
    line = line[:MAX_HEAD_CHARACTERS]
    return _colon_label(line) or _hansard_label(line)


def examiner_at(line: str) -> str | None:
    """Return who asks the questions that follow, from a line such as ``BY MR.

    SMITH:`` in a deposition.
    """
    match = _EXAMINER.match(line)
    return match["head"] if match else None


def bracketed_at(line: str) -> SpeakerLabel | None:
    """Return the label in brackets that a line begins with.

    ``[Alba] En 1928,`` but not ``[applause]``.
    """
    match = _BRACKETED.match(line[:MAX_HEAD_CHARACTERS])
    if not match or is_stage(match["head"]):
        return None
    name = name_in(match["head"])
    if name is None or not (_looks_named(name) or _IDENTIFIER.match(name) or _NOBODY.match(name)):
        return None
    return SpeakerLabel(
        name, named(name), match.end(), sure=bool(_IDENTIFIER.match(name) or len(name.split()) > 1)
    )


def chevrons(text: str) -> list[tuple[bool, str]]:
    """Return the text cut at ``>>`` and ``>>>``, each part with whether it follows such a mark and so begins a turn."""
    parts = []
    start = 0
    marked = False
    for mark in _CHEVRON.finditer(text):
        if text[start : mark.start()].strip():
            parts.append((marked, text[start : mark.start()].strip()))
        start = mark.end()
        marked = True
    if text[start:].strip():
        parts.append((marked, text[start:].strip()))
    return parts


def confirmed_names(labels: Iterable[SpeakerLabel]) -> set[str]:
    """Return the names that are labels, judged over a whole file.

    Sure ones, and those seen at least twice.
    """
    labels = list(labels)
    counts = Counter(label.name for label in labels)
    return {label.name for label in labels if label.sure or counts[label.name] > 1}


def _colon_label(line: str) -> SpeakerLabel | None:
    """Return the label before a colon (or a semicolon typed for one)."""
    match = _HEAD.match(line)
    if not match or (_CLOCK_END.search(match["head"]) and not match["time"]):
        return None
    name = name_in(match["head"])
    if name is None:
        return None
    shouted = _capital_share(name) >= MIN_CAPITAL_SHARE
    following = line[match.end() : match.end() + 1]
    if (
        not match["gap"]
        and following
        and not (following in '[(*“"' or (shouted and following.isalpha()))
    ):
        return None  # example:this and 9:00 are no labels; HOLT:Good is
    if match["colon"] == ";" and not shouted:
        return None
    start = seconds(match["time"]) if match["time"] else None
    return SpeakerLabel(
        name, named(name), match.end(), start, _is_sure(name, shouted, start is not None)
    )


def _is_sure(name: str, shouted: bool, timed: bool) -> bool:
    """Whether the label can be believed without looking at the rest of the file."""
    known = _IDENTIFIER.match(name) or _NOBODY.match(name) or _ROLE.match(name)
    return bool(timed or (shouted and len(name) > 2) or known)


def _hansard_label(line: str) -> SpeakerLabel | None:
    """Return a label that ends with a full stop, as in records of hearings.

    Believed when seen often.
    """
    match = _HANSARD.match(line)
    if not match:
        return None
    name = " ".join(match["head"].split())
    return SpeakerLabel(name, named(name), match.end(), sure=False)


def name_in(head: str) -> str | None:
    """Return the name in the head of a label without role, party and marks, None if the words are no name."""
    before, mark, after = head.strip(' \t*_“”"#').partition(
        "[*]"
    )  # a footnote mark between two labels
    head = after if mark and _ROLE.match(before.strip()) else before
    name, *roles = [
        part.strip(" ,*_") for part in re.split(r",\s*|\s[–—-]\s", _IN_BRACKETS.sub("", head))
    ]
    words = name.split()
    if (
        not words
        or name.lower() in _STOP
        or _STOP_PHRASE.match(name)
        or _LIMIT.search(name)
        or len(name) > 70
    ):
        return None
    if _NOBODY.match(name) or _IDENTIFIER.match(name) or _ROLE.match(name):
        return name
    if words[0].lower() in _PROSE or not _all_names(words, MAX_NAME_WORDS):
        return None
    return name if all(_all_names(role.split(), MAX_ROLE_WORDS) for role in roles) else None


def _all_names(words: list[str], most: int) -> bool:
    """Whether the words begin with capitals or digits, but for particles, and there are not too many."""
    return len(words) <= most and all(
        word.strip("“”\"'‘’(")[:1].isupper() or not word[0].isalpha() or word.lower() in _PARTICLES
        for word in words
    )


def _looks_named(name: str) -> bool:
    """Whether bracketed words name a person: one to four capitalised words, none of prose."""
    words = name.split()
    return (
        1 <= len(words) <= 4
        and all(w[:1].isupper() for w in words)
        and not any(w.lower() in _PROSE for w in words)
    )


def _capital_share(name: str) -> float:
    letters = [c for c in name if c.isalpha()]
    return sum(c.isupper() for c in letters) / len(letters) if letters else 0.0
