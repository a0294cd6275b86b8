"""The command line: parse, call one function, print. Data goes to stdout or ``--out``, talk to stderr.

Exit status: 0 done, 1 the user's input, 2 usage.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assistant import __version__
from assistant.commands import claims as claims_commands
from assistant.commands import live_options
from assistant.commands import review as review_commands
from assistant.ground import files, settings
from assistant.ground.domain import MatchOrder
from assistant.ground.errors import LecternError, SettingsError

if TYPE_CHECKING:
    from assistant.claims.store import ClaimStore
    from assistant.ground.domain import Match, Report
    from assistant.ground.settings import Settings

SUMMARY_LINES = 10


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except LecternError as error:
        _say(f"lectern: {error}")
        return 1
    except BrokenPipeError:  # the reader of a pipe went away: no more to say to it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        _say("\nlectern: stopped; nothing was left half-written.")
        return 1
    return 0


def _check(options: argparse.Namespace) -> None:
    from assistant import pipeline, reports
    from assistant.explain import match_order

    names = _format_names(options.format, options.out)
    chosen = _settings(options)
    transcript = _read(options)
    order = match_order.checked(options.order, transcript.event_date)
    with _progress() as progress:
        index = pipeline.open_index(chosen, progress=progress)
        report = pipeline.check(
            transcript, index, chosen.profile, as_of_event=options.as_of_event, ranker=options.ranker, progress=progress
        )
    report = match_order.arranged(review_commands.with_decisions(report, chosen), order)
    if names is None:
        names = [form.name for form in reports.offered(report)]
    rendered = {name: reports.render(report, name) for name in names}
    _summary(report)
    if options.out:
        stem = Path(transcript.source.name).stem or "report"
        for name, data in rendered.items():
            _write(Path(options.out), stem + reports.FORMATS[name].suffix, data)
    else:
        for data in rendered.values():
            sys.stdout.buffer.write(data)


def _format_names(given: str | None, out: str | None) -> list[str] | None:
    """Return the formats that were asked for; None for all that the report can be written in."""
    from assistant import reports

    if given is None:
        return None if out else [] if sys.stdout.isatty() else ["json"]
    names = [name.strip() for name in given.split(",") if name.strip()]
    for name in names:
        if name not in reports.FORMATS:
            _usage(f"no report format {name!r}; use one of {', '.join(reports.FORMATS)}")
    if len(names) > 1 and not out:
        _usage("several formats need --out DIR")
    return names


def _read(options: argparse.Namespace):
    from assistant import transcripts

    known = {"title": options.title, "event_date": options.date}
    if options.file == "-":
        return transcripts.read_bytes(sys.stdin.buffer.read(), "standard input", **known)
    return transcripts.read(options.file, **known)


def _summary(report: Report) -> None:
    counts, day = report.counts(), report.transcript.event_date
    _say(f"{report.transcript.title}{f' · {day:%-d %b %Y}' if day else ''}")
    _say(
        f"{counts['sentences']:,} sentences → {counts['check_worthy']:,} check-worthy → "
        f"{counts['likely']:,} likely · {counts['possible']:,} possible"
    )
    for warning in report.warnings:
        _say(f"note: {warning}")
    shown = [checked for checked in report.ranked() if checked.matches][:SUMMARY_LINES]
    for checked in shown:
        sent, best = checked.sentence, checked.matches[0]
        _say(f"{checked.rank:4} {str(checked.tier or ''):8} {sent.speaker or 'Unknown'}: {sent.text}")
        _say(f"              {_rated(best.claim)}: {best.claim.statement}{_against(best)}")
    if not shown:
        claims = report.manifest.database.get("claims", 0)
        _say(f"Nothing close enough to any of {claims:,} fact-checks.")


def _against(match: Match) -> str:
    """Return in words what speaks against a match, so that nobody takes a rating for that of another claim."""
    from assistant.reports.words import doubts

    found = doubts(match)
    return f" (but: {', '.join(found)})" if found else ""


def _rated(vclaim) -> str:
    when = f" on {vclaim.review_date:%-d %b %Y}" if vclaim.review_date else ""
    rated = f"rated {vclaim.rating}" if vclaim.rating else "checked"
    return f"{vclaim.publisher or 'The publisher'} {rated}{when}"


def _write(folder: Path, name: str, data: bytes) -> None:
    files.write(folder / name, data, error=SettingsError)
    _say(f"wrote {folder / name}")


def _claims_import(options: argparse.Namespace) -> None:
    from assistant.claims import importers

    with _store(options) as store:
        columns = dict(pair.split("=", 1) for pair in options.column or ())
        rows = importers.read_claims(options.path, columns=columns or None)
        result = store.upsert(rows, source=options.source or Path(options.path).name)
        _say_import(result)
    _say("Run `python -m assistant claims index` to make them searchable.")


def _say_import(result) -> None:
    _say(
        f"{result.new:,} new · {result.changed:,} changed · {result.same:,} same · "
        f"{result.merged:,} merged · {len(result.refused):,} refused"
    )
    for line in result.refused[:20]:
        _say(f"refused: {line}")
    if len(result.refused) > 20:
        _say(f"… and {len(result.refused) - 20:,} more")
    for reason, count in result.left_out.items():
        _say(f"left out: {count:,} ({reason})")
    for label, count in list(result.unknown_ratings.items())[:10]:
        _say(f"unknown rating, kept as it is and counted as OTHER: {label} ({count:,})")


def _claims_fetch(options: argparse.Namespace) -> None:
    from assistant.claims import datacommons, politifact

    fetch = {"politifact": politifact.fetch_politifact, "datacommons": datacommons.fetch_datacommons}[options.publisher]
    with _store(options) as store, _progress() as progress:
        known = {"url": options.url} if options.url else {}
        if options.publisher == "datacommons" and options.language:
            known["language"] = options.language
        result = fetch(store, progress=progress, **known)
    _say_import(result)
    _say("Run `python -m assistant claims index` to make them searchable.")


def _claims_articles(options: argparse.Namespace) -> None:
    with _store(options) as store:
        fetched = claims_commands.fetch(options, _settings(options), store, lambda line: print(line, flush=True), _say)
    if fetched:
        _claims_index(options)


def _claims_status(options: argparse.Namespace) -> None:
    with _store(options) as store:
        status = store.status()
    newest = f"{status.newest_review_date:%-d %b %Y}" if status.newest_review_date else "unknown"
    print(f"fact-checks\t{status.claims}")
    print(f"publishers\t{status.publishers}")
    print(f"with an article\t{status.with_body}")
    print(f"articles fetched\t{status.fetched}")
    print(f"newest review\t{newest}")
    print(f"digest\t{status.digest}")
    if status.samples and status.samples == status.claims:
        _say("Only sample fact-checks are loaded. `python -m assistant claims fetch politifact` brings real ones.")


def _claims_index(options: argparse.Namespace) -> None:
    from assistant import pipeline

    with _progress() as progress:
        index = pipeline.build_index(_settings(options), progress=progress)
    _say(f"{len(index.ids):,} fact-checks are searchable.")


def _claims_search(options: argparse.Namespace) -> None:
    with _store(options) as store:
        found = store.search(options.text, limit=options.limit)
    for vclaim in found:
        print(f"{vclaim.id}\t{_rated(vclaim)}\t{vclaim.statement}\t{vclaim.url}")
    if not found:
        _say("No fact-check has these words.")


def _prepare(options: argparse.Namespace) -> None:
    from assistant.commands.preparing import prepare

    with _progress() as progress:
        for line in prepare(_settings(options), progress=progress):
            _say(line)


def _live(options: argparse.Namespace) -> None:
    from assistant.commands import live as commands

    with _progress() as progress:
        verb = commands.serve if options.serves else commands.live
        verb(options, _settings(options), _say, progress)


def _review(options: argparse.Namespace) -> None:
    lines = list(review_commands.review(options, _settings(options)))
    for line in lines:
        print(line)
    if not lines:
        _say("Nobody has decided about a match yet. That is done on the page Review.")


def _eval(options: argparse.Namespace) -> None:
    from ranking import metrics, trec

    run = _read_lines(options.run_file, trec.read_run)
    qrels = _read_lines(options.qrels, trec.read_qrels)
    print(f"MAP\t{metrics.mean_average_precision(run, qrels):.4f}")
    for k in (1, 3, 5):
        print(f"MAP@{k}\t{metrics.mean_average_precision(run, qrels, depth=k):.4f}")
    print(f"MRR\t{metrics.mean(metrics.reciprocal_rank, run, qrels):.4f}")
    for k in (1, 5):
        print(f"Hit@{k}\t{metrics.mean(lambda scores, rel, k=k: metrics.hit_at(scores, rel, k), run, qrels):.4f}")


def _read_lines(path: str, parse):
    try:
        with open(path, encoding="utf-8") as lines:
            return parse(lines)
    except OSError as error:
        raise LecternError(f"cannot be read ({error.strerror}).", where=path) from error
    except ValueError as error:
        raise LecternError(f"{error}.", where=path, remedy="Expected TREC text, fields parted by spaces.") from error


def _settings(options: argparse.Namespace) -> Settings:
    known = {name: getattr(options, name, None) for name in ("home", "database_url", "profile", "network")}
    return settings.load(**known)


def _store(options: argparse.Namespace) -> closing[ClaimStore]:
    from assistant.claims.store import ClaimStore

    return closing(ClaimStore.open(_settings(options).database))


class _progress:
    """A line on a terminal that says the stage, n of m and the time left; silent elsewhere."""

    def __init__(self) -> None:
        from time import monotonic

        self.clock, self.stage, self.began, self.width = monotonic, "", 0.0, 0

    def __enter__(self) -> _progress:
        return self

    def __call__(self, stage: str, done: int, total: int) -> None:
        if not sys.stderr.isatty():
            return
        if stage != self.stage:
            self.stage, self.began = stage, self.clock()
        left = (self.clock() - self.began) / done * (total - done) if done else 0
        line = f"{stage}: {done:,} of {total:,}" + (f", {left:.0f} s left" if left >= 1 else "")
        self.width = max(self.width, len(line))
        sys.stderr.write("\r" + line.ljust(self.width))
        sys.stderr.flush()

    def __exit__(self, *_: object) -> None:
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")


def _say(text: str) -> None:
    print(text, file=sys.stderr)


def _usage(text: str) -> None:
    _say(f"lectern: {text}")
    raise SystemExit(2)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write it as 2024-09-10") from error


def parser() -> argparse.ArgumentParser:
    command = argparse.ArgumentParser(prog="python -m assistant", description=__import__("assistant").__doc__)
    command.add_argument("--version", action="version", version=f"Lectern {__version__}")
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument("--home", help="folder for database, index and reports (default: LECTERN_HOME or ~/.lectern)")
    shared.add_argument(
        "--database-url", help="claim store (default: LECTERN_DATABASE_URL or a file in the home folder)"
    )
    verbs = command.add_subparsers(required=True, metavar="COMMAND")

    _check_parser(verbs.add_parser("check", parents=[shared], help="check a transcript against the fact-checks"))
    _claims_parser(verbs.add_parser("claims", help="the database of fact-checks"), shared)

    prepare = verbs.add_parser(
        "prepare", parents=[shared], help="load the sample fact-checks and check a sample debate"
    )
    prepare.set_defaults(run=_prepare)

    live = verbs.add_parser("live", parents=[shared], help="follow a debate while it happens")
    live_options.add_live(live, _day)
    live.set_defaults(run=_live, serves=False)
    serve = verbs.add_parser("serve", parents=[shared], help="take live lines over HTTP")
    live_options.add_serve(serve, _day)
    serve.set_defaults(run=_live, serves=True)

    review = verbs.add_parser("review", help="what people have decided about matches")
    review_commands.add_review(review, shared)
    review.set_defaults(run=_review)

    evaluate = verbs.add_parser("eval", help="score a TREC run against qrels")
    evaluate.add_argument("run_file", metavar="RUN")
    evaluate.add_argument("qrels", metavar="QRELS")
    evaluate.set_defaults(run=_eval)
    return command


def _check_parser(check: argparse.ArgumentParser) -> None:
    check.add_argument("file", metavar="FILE", help="the transcript, or - for standard input")
    check.add_argument("--title")
    check.add_argument("--date", type=_day, metavar="YYYY-MM-DD", help="when the event was")
    check.add_argument("--as-of-event", action="store_true", help="only what was checked before the event")
    check.add_argument("--profile", help="embedded, paper, or a TOML file")
    check.add_argument("--ranker", choices=settings.RANKERS)
    orders = [str(order) for order in MatchOrder]
    check.add_argument(
        "--order", choices=orders, default=orders[0], help="of matches of one tier (default: %(default)s)"
    )
    formats = "json html docx pdf md csv xlsx srt vtt txt annotations jsonld (default: with --out all of them)"
    check.add_argument("--format", metavar="NAME,NAME", help=formats)
    check.add_argument("--out", metavar="DIR", help="folder for the files")
    check.set_defaults(run=_check)


def _claims_parser(claims: argparse.ArgumentParser, shared: argparse.ArgumentParser) -> None:
    verbs = claims.add_subparsers(required=True, metavar="COMMAND")
    bring = verbs.add_parser("import", parents=[shared], help="from a file or folder")
    bring.add_argument("path", metavar="PATH")
    bring.add_argument("--source", help="a name for where they come from")
    bring.add_argument(
        "--column", action="append", metavar="FIELD=COLUMN", help="which column of a table is which field"
    )
    bring.set_defaults(run=_claims_import)
    fetch = verbs.add_parser("fetch", parents=[shared], help="download published fact-checks")
    fetch.add_argument("publisher", choices=("politifact", "datacommons"))
    fetch.add_argument("--url", help="another address of the same file")
    fetch.add_argument("--language", help="of the feed's claims: en (the default), another code, or all")
    fetch.set_defaults(run=_claims_fetch)
    pages = verbs.add_parser("articles", parents=[shared], help="fetch the articles of fact-checks without one")
    claims_commands.add_articles(pages)
    pages.set_defaults(run=_claims_articles)
    verbs.add_parser("status", parents=[shared], help="what is in it").set_defaults(run=_claims_status)
    index = verbs.add_parser("index", parents=[shared], help="make it searchable; goes on where it stopped")
    index.add_argument("--profile")
    index.set_defaults(run=_claims_index)
    search = verbs.add_parser("search", parents=[shared], help="find fact-checks by words")
    search.add_argument("text", metavar="TEXT")
    search.add_argument("--limit", type=int, default=20)
    search.set_defaults(run=_claims_search)
