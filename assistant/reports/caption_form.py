"""Captions in SubRip and WebVTT, with each rating beside its sentence, for transcripts with times.

Neither the times nor the words of the transcript are changed. A sentence without a time joins the
cue before it. What players would take for mark-up is escaped (WebVTT) or broken by an invisible
word joiner (SubRip, which has no escape).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape

from assistant.core.domain import CheckedSentence, Match, Report
from assistant.report import contents, wording
from assistant.report.view import ReportView

LAST_S = 4.0  # how long a sentence stays on the screen where the file does not say
JOINER = "\u2060"


@dataclass(slots=True)
class Cue:
    """Sentences that are on the screen together, from ``start`` to ``end`` in seconds."""

    start: float
    end: float
    sentences: list[CheckedSentence] = field(default_factory=list)

    @property
    def matches(self) -> list[Match]:
        """Return the matches of its sentences that nobody has rejected."""
        return [match for checked in self.sentences for match in contents.standing(checked)]


def timed(report: Report) -> str:
    """Return why a report cannot become captions; nothing if it can."""
    if any(sent.start is not None for sent in report.transcript):
        return ""
    return "this transcript has no times"


def srt(view: ReportView) -> bytes:
    """Return SubRip: cues with a line in brackets for each rating.

    The first cue says what was reviewed.
    """
    head = f"[{_bare(wording.reviewed(view))}. {wording.RATINGS_ARE_THE_PUBLISHERS}]"
    blocks = []
    speaker = None
    for number, cue in enumerate(_cues(view), 1):
        said, speaker = _spoken(cue, speaker)
        notes = [
            f"[{_bare(line)}]"
            for match in cue.matches
            for line in (_note(match), *_proofs(match)[-1:])
        ]
        lines = [*([head] if number == 1 else []), *said, *notes]
        blocks.append(
            "\n".join([str(number), f"{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}", *lines])
        )
    return ("\n\n".join(blocks) + "\n").encode()


def vtt(view: ReportView) -> bytes:
    """Return WebVTT: cues with voices, and before each a NOTE per rating, which players do not show."""
    about = "\n".join(f"{name}: {_note_line(value)}" for name, value in contents.about(view))
    blocks = [
        "WEBVTT",
        f"NOTE {_note_line(view.title)}\n{about}",
        f"NOTE {_note_line(wording.reviewed(view))}",
    ]
    for number, cue in enumerate(_cues(view), 1):
        for match in cue.matches:
            lines = [f"{_note(match)} {contents.address(match.claim)}".rstrip(), *_proofs(match)]
            blocks.append("NOTE " + "\n".join(_note_line(line) for line in lines))
        said = "\n".join(_voice(checked) for checked in cue.sentences)
        blocks.append(f"{number}\n{_clock(cue.start, '.')} --> {_clock(cue.end, '.')}\n{said}")
    return ("\n\n".join(blocks) + "\n").encode()


def _cues(view: ReportView) -> list[Cue]:
    made: list[Cue] = []
    waiting: list[CheckedSentence] = []  # sentences before the first time
    for checked in view.report.sentences:
        sent = checked.sentence
        if sent.start is not None:
            end = sent.end if sent.end is not None and sent.end > sent.start else None
            made.append(Cue(sent.start, end or sent.start + LAST_S, [*waiting, checked]))
            waiting = []
        elif made:
            made[-1].sentences.append(checked)
        else:
            waiting.append(checked)
    return made


def _spoken(cue: Cue, speaker: str | None) -> tuple[list[str], str | None]:
    """Return the lines of a cue, a name where the speaker changes, and who spoke last."""
    lines = []
    for checked in cue.sentences:
        sent = checked.sentence
        name = f"{_bare(sent.speaker)}: " if sent.speaker and sent.speaker != speaker else ""
        lines.append(name + _bare(sent.text))
        speaker = sent.speaker
    return lines, speaker


def _voice(checked: CheckedSentence) -> str:
    sent = checked.sentence
    name = escape(_line(sent.speaker or ""), quote=False)
    return f"{f'<v {name}>' if name else ''}{escape(_line(sent.text), quote=False)}"


def _note(match: Match) -> str:
    return f"{contents.status(match)}: {wording.rated(match.claim)}: {match.claim.statement}"


def _proofs(match: Match) -> list[str]:
    """Return the key sentences for which there is room, the deciding one last."""
    return [f"{key.why}: “{key.text}”" for key in wording.proofs(match)]


def _note_line(text: str) -> str:
    return _line(text).replace("-->", f"--{JOINER}>")


def _bare(text: str) -> str:
    """Return text that no player takes for a tag, a position or a timing line."""
    joined = re.sub(r"([<{])(?=\S)", rf"\1{JOINER}", _line(text))
    return joined.replace("-->", f"--{JOINER}>")


def _line(text: str) -> str:
    return " ".join(text.split())


def _clock(seconds: float, point: str) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 3600000:02d}:{ms // 60000 % 60:02d}:{ms // 1000 % 60:02d}{point}{ms % 1000:03d}"
