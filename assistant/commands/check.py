"""The command ``check``: checks a transcript, prints a summary and writes the report."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.commands.options import (
    add_force,
    add_transcription_options,
    event_day,
    export_folder,
    load_settings,
    transcription_options,
)
from assistant.commands.terminal import ProgressLine, say, usage_error
from assistant.core import settings
from assistant.core.domain import MatchOrder, Strength
from assistant.core.errors import SettingsError

if TYPE_CHECKING:
    from assistant.core.domain import Match, Report, Transcript
    from assistant.core.settings import Settings
    from assistant.report.contents import ReportEntry

SUMMARY_LINES = 10
MAX_SUMMARY_CHARACTERS = 500  # a longer sentence or statement is shortened in the summary
MAX_OFFERED_LABELS = 5


class _FormatHelp(str):
    """The help of ``--format``.

    Lists the report forms, which are imported only when the help is shown.
    """

    def __mod__(self, _: object) -> str:
        """Return the help as argparse shows it; argparse fills its texts in with ``%``."""
        from assistant.reports import FORMATS

        return f"{self}: {', '.join(FORMATS)}"


def add(subcommands: argparse._SubParsersAction, shared_parser: argparse.ArgumentParser) -> None:
    """Add the command."""
    check = subcommands.add_parser(
        "check",
        parents=[shared_parser],
        help="check a transcript or recording against the fact-checks",
    )
    check.add_argument(
        "file", metavar="FILE", help="transcript or recording, or - for standard input"
    )
    check.add_argument("--title", help="title of the event (default: from the file)")
    check.add_argument(
        "--date",
        type=event_day,
        metavar="YYYY-MM-DD",
        help="date of the event (default: from the file)",
    )
    check.add_argument(
        "--speakers",
        metavar="NAME,NAME",
        help="names of the speakers, in the order in which they first speak",
    )
    check.add_argument(
        "--speaker-label",
        metavar="NAME",
        action="append",
        default=[],
        help="words to treat as a speaker label, spelt as in the file (repeatable)",
    )
    check.add_argument(
        "--no-speaker-label",
        metavar="NAME",
        action="append",
        default=[],
        help="words to treat as speech, although they look like a speaker label (repeatable)",
    )
    check.add_argument(
        "--as-of-event", action="store_true", help="use only fact-checks from before the event"
    )
    check.add_argument(
        "--profile",
        help="models to use: embedded, large, paper, or the path of a TOML file (default: embedded)",
    )
    add_transcription_options(check)
    check.add_argument(
        "--ranker", choices=settings.RANKERS, help="ranking method (default: from the profile)"
    )
    orders = [str(order) for order in MatchOrder]
    check.add_argument(
        "--order",
        choices=orders,
        default=orders[0],
        help="order of matches of the same strength (default: %(default)s)",
    )
    check.add_argument(
        "--format",
        metavar="NAME,NAME",
        help=_FormatHelp("report formats to write (default with --out: all)"),
    )
    check.add_argument(
        "--out",
        metavar="DIR",
        help="folder for the report files (default: print JSON to standard output)",
    )
    add_force(check)
    check.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Check the transcript; write the report to standard output, or one file per format."""
    from assistant import pipeline, reports
    from assistant.passages.listing import rearranged
    from assistant.report import match_order
    from assistant.review import deciding
    from assistant.transcription.checkpoints import delete_checkpoint
    from assistant.transcripts import speakers

    format_names = _format_names(options.format, options.out)
    active_settings = load_settings(options)
    stem = "standard input" if options.file == "-" else Path(options.file).stem or "report"
    exports = export_folder(options, active_settings, options.file) if options.out else None
    if exports:
        form_names = format_names or reports.FORMATS
        suffixes = [reports.FORMATS[name].suffix for name in form_names]
        exports.require_replaceable([stem + suffix for suffix in suffixes], SettingsError)
    as_read = _read(options, active_settings)
    _say_label_doubts(as_read, options.speaker_label)
    transcript = speakers.rename_in_order(as_read, (options.speakers or "").split(","))
    order = match_order.valid_order(options.order, transcript.event_date)
    with ProgressLine() as progress:
        index = pipeline.open_index(active_settings, progress=progress)
        report = pipeline.check(
            transcript,
            index,
            active_settings.profile,
            as_of_event=options.as_of_event,
            ranker=options.ranker,
            progress=progress,
        )
    report = match_order.arranged(deciding.with_decisions(report, active_settings.database), order)
    if format_names is None:
        format_names = [form.name for form in reports.offered(report)]
    rendered = reports.render_all(report, format_names)
    _summary(rearranged(report))
    if exports:
        contents = {
            stem + reports.FORMATS[name].suffix: content for name, content in rendered.items()
        }
        for path in exports.write(contents, SettingsError):
            say(f"wrote {path}")
    else:
        for content in rendered.values():
            sys.stdout.buffer.write(content)
    delete_checkpoint(active_settings.home, transcript.source.sha256)


def _format_names(listed_names: str | None, out_folder: str | None) -> list[str] | None:
    """Return the names of the chosen formats, None for all that the report can be written in."""
    from assistant import reports

    if listed_names is None:
        if out_folder:
            return None
        return [] if sys.stdout.isatty() else ["json"]
    format_names = [name.strip() for name in listed_names.split(",") if name.strip()]
    for name in format_names:
        if name not in reports.FORMATS:
            usage_error(f"unknown report format {name!r}; use one of {', '.join(reports.FORMATS)}")
    if len(format_names) > 1 and not out_folder:
        usage_error("several formats need --out DIR")
    return format_names


def _read(options: argparse.Namespace, active_settings: Settings) -> Transcript:
    from assistant import transcripts

    choices = transcripts.LabelChoices(
        tuple(options.speaker_label), tuple(options.no_speaker_label)
    )
    with ProgressLine() as progress:
        read_options = {
            "choices": choices,
            "title": options.title,
            "event_date": options.date,
            "how": transcription_options(options, active_settings, progress),
        }
        if options.file == "-":
            return transcripts.read_bytes(sys.stdin.buffer.read(), "standard input", **read_options)
        return transcripts.read(options.file, **read_options)


def _say_label_doubts(transcript: Transcript, accepted_labels: Sequence[str]) -> None:
    """Name the accepted labels that no line has, and the labels that a person may accept."""
    from assistant.jobs.transcript_draft import unused_labels

    for label in unused_labels(transcript, accepted_labels):
        say(f"note: no line of a speaker begins with {label!r}; --speaker-label had no effect.")
    doubtful_labels = list(dict.fromkeys(found.label for found in transcript.doubtful_labels))
    if doubtful_labels:
        offered_labels = doubtful_labels[:MAX_OFFERED_LABELS]
        options = " ".join(f"--speaker-label {shlex.quote(label)}" for label in offered_labels)
        say(
            f"note: lines may begin with speaker labels ({len(doubtful_labels)}). "
            f"To accept a label: {options}"
        )


def _summary(report: Report) -> None:
    from assistant.report import contents, wording
    from assistant.report.view import ReportView

    view = ReportView(report)
    event_date = report.transcript.event_date
    heading = report.transcript.title
    if event_date:
        heading += f" · {wording.day(event_date)}"
    say(heading)
    say(wording.coverage(view))
    say(wording.list_counts(view))
    for warning in report.warnings:
        say(f"note: {warning}")
    entries = contents.entries(view, lambda match: True)
    for entry in entries[:SUMMARY_LINES]:
        match = entry.matches[0].match
        say(
            f"{entry.passage.rank or '':4} {_strength_word(match):8} {entry.speaker}: "
            f"{_shortened(_in_short(entry))}"
        )
        say(
            f"              {wording.rating_sentence(match.claim)}: "
            f"{_shortened(match.claim.statement)}{_doubts(match)}"
        )
        if entry.repeats:
            say(f"              {contents.repeats_line(entry)}")
    if not entries:
        claims = report.manifest.database.get("claims", 0)
        say(f"Nothing close enough to any of {claims:,} fact-checks.")


def _strength_word(match: Match) -> str:
    """Return the word that counts a match in the head: its strength, in old reports its tier."""
    from assistant.passages.listing import is_rejected

    if is_rejected(match):
        return "rejected"
    return str(match.strength or match.tier or Strength.POSSIBLE)


def _shortened(text: str) -> str:
    """Return a text for the terminal. The report has the whole text."""
    if len(text) <= MAX_SUMMARY_CHARACTERS:
        return text
    return text[:MAX_SUMMARY_CHARACTERS].rstrip() + " …"


def _in_short(entry: ReportEntry) -> str:
    """Return the sentence that matches best, with an ellipsis where its passage continues."""
    sentences = entry.passage.sentences
    opening = "" if entry.best is sentences[0] else "… "
    ending = "" if entry.best is sentences[-1] else " …"
    return f"{opening}{entry.best.sentence.text}{ending}"


def _doubts(match: Match) -> str:
    """Return the conflicts of a match in words, so that its rating isn't misread."""
    from assistant.report.wording import doubts

    reasons = doubts(match)
    return f" (caution: {' · '.join(reasons)})" if reasons else ""
