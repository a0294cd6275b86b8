"""Captions in SubRip and WebVTT, with each rating beside its sentence, for transcripts with times.

Times and words of the transcript stay as they are. A sentence without a time joins the preceding
cue. Characters that players take for mark-up are escaped (WebVTT) or separated by an invisible word
joiner (SubRip, which has no escape).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape

from assistant.core.domain import CheckedSentence, Match, Report
from assistant.report import contents, wording
from assistant.report.view import ReportView

CUE_S = 4.0  # duration of a cue whose end is unknown
JOINER = "\u2060"
MS_PER_HOUR = 3_600_000
MS_PER_MINUTE = 60_000


@dataclass(slots=True)
class Cue:
    """Sentences that are shown together, from ``start`` to ``end`` in seconds."""

    start: float
    end: float
    sentences: list[CheckedSentence] = field(default_factory=list)

    @property
    def matches(self) -> list[Match]:
        """Return the matches of the sentences that nobody has rejected."""
        matches = []
        for checked in self.sentences:
            matches += contents.unrejected_matches(checked)
        return matches


def timed(report: Report) -> str:
    """Return why a report cannot become captions, "" if it can."""
    if any(sent.start is not None for sent in report.transcript):
        return ""
    return "this transcript has no times"


def srt(view: ReportView) -> bytes:
    """Return SubRip: cues with ratings in brackets, first the state of the review."""
    notice = (
        f"[{_without_markup(wording.review_state(view))}. {wording.RATINGS_ARE_THE_PUBLISHERS}]"
    )
    caption_blocks = []
    previous_speaker = None
    for number, cue in enumerate(_cues(view), 1):
        interval = f"{_clock(cue.start, ',')} --> {_clock(cue.end, ',')}"
        lines = [str(number), interval]
        if number == 1:
            lines.append(notice)
        lines += _spoken_lines(cue, previous_speaker)
        for match in cue.matches:
            lines.append(f"[{_without_markup(_rating_note(match))}]")
            # There is room for one key sentence only; the deciding one is the last.
            deciding_sentences = _key_sentences(match)[-1:]
            for key_sentence in deciding_sentences:
                lines.append(f"[{_without_markup(key_sentence)}]")
        caption_blocks.append("\n".join(lines))
        previous_speaker = cue.sentences[-1].sentence.speaker
    return ("\n\n".join(caption_blocks) + "\n").encode()


def vtt(view: ReportView) -> bytes:
    """Return WebVTT: cues with speakers, each after one NOTE per rating."""
    fact_lines = [f"{name}: {_note_line(value)}" for name, value in contents.report_facts(view)]
    blocks = [
        "WEBVTT",
        "\n".join([f"NOTE {_note_line(view.title)}", *fact_lines]),
        f"NOTE {_note_line(wording.review_state(view))}",
    ]
    for number, cue in enumerate(_cues(view), 1):
        # A comment of WebVTT begins with NOTE and ends at an empty line.
        for match in cue.matches:
            rating = f"{_rating_note(match)} {contents.address(match.claim)}".rstrip()
            note_lines = [_note_line(line) for line in (rating, *_key_sentences(match))]
            blocks.append("NOTE " + "\n".join(note_lines))
        start_clock = _clock(cue.start, ".")
        end_clock = _clock(cue.end, ".")
        # Each sentence with its speaker as a voice tag
        voice_lines = [_voice(checked) for checked in cue.sentences]
        blocks.append("\n".join([str(number), f"{start_clock} --> {end_clock}", *voice_lines]))
    return ("\n\n".join(blocks) + "\n").encode()


def _cues(view: ReportView) -> list[Cue]:
    cues: list[Cue] = []
    untimed: list[CheckedSentence] = []  # sentences before the first time
    for checked_sentence in view.report.sentences:
        sentence = checked_sentence.sentence
        if sentence.start is not None:
            end = sentence.start + CUE_S
            if sentence.end is not None and sentence.end > sentence.start:
                end = sentence.end
            cues.append(Cue(sentence.start, end, [*untimed, checked_sentence]))
            untimed = []
        elif cues:
            cues[-1].sentences.append(checked_sentence)
        else:
            untimed.append(checked_sentence)
    return cues


def _spoken_lines(cue: Cue, previous_speaker: str | None) -> list[str]:
    """Return the lines of a cue, with a name where the speaker changes."""
    lines = []
    for checked_sentence in cue.sentences:
        sentence = checked_sentence.sentence
        name = ""
        if sentence.speaker and sentence.speaker != previous_speaker:
            name = f"{_without_markup(sentence.speaker)}: "
        lines.append(name + _without_markup(sentence.text))
        previous_speaker = sentence.speaker
    return lines


def _voice(checked_sentence: CheckedSentence) -> str:
    """Return a sentence with its speaker in the mark-up of WebVTT."""
    sentence = checked_sentence.sentence
    text = escape(_line(sentence.text), quote=False)
    name = escape(_line(sentence.speaker or ""), quote=False)
    return f"<v {name}>{text}" if name else text


def _rating_note(match: Match) -> str:
    rating_sentence = wording.rating_sentence(match.claim)
    return f"{contents.review_status(match)}: {rating_sentence}: {match.claim.statement}"


def _key_sentences(match: Match) -> list[str]:
    """Return the key sentences for which there is room, the deciding one last."""
    return [f"{key.why}: {wording.quoted(key.text)}" for key in wording.quoted_key_sentences(match)]


def _note_line(text: str) -> str:
    return _line(text).replace("-->", f"--{JOINER}>")


def _without_markup(text: str) -> str:
    """Return text that no player takes for a tag, a position or a timing line."""
    # An invisible joiner behind a bracket keeps it from beginning a tag.
    without_tags = re.sub(r"(?P<bracket>[<{])(?=\S)", rf"\g<bracket>{JOINER}", _line(text))
    return without_tags.replace("-->", f"--{JOINER}>")


def _line(text: str) -> str:
    """Return text on one line."""
    return " ".join(text.split())


def _clock(seconds: float, decimal_mark: str) -> str:
    total_ms = round(seconds * 1000)
    hours = total_ms // MS_PER_HOUR
    minutes = total_ms // MS_PER_MINUTE % 60
    whole_seconds = total_ms // 1000 % 60
    milliseconds = total_ms % 1000
    return f"{hours:02d}:{minutes:02d}:{whole_seconds:02d}{decimal_mark}{milliseconds:03d}"
