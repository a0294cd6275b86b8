"""The report as one HTML page.

Ranked list first, then the annotated transcript, readable without scripts or network.

Every sentence has an anchor (``#s12``), every match its evidence. The page says how much of it a
person has reviewed, on the screen and on every printed page. The same report gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain, groupby
from pathlib import Path

from assistant.core import logo
from assistant.core.domain import CheckedSentence, Tier
from assistant.report import contents, wording
from assistant.report.settled_parts import left_open, settles
from assistant.report.view import ReportView
from assistant.reports import html_cards

STYLE = Path(__file__).parent / "page.css"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(view: ReportView) -> bytes:
    """Return the page as UTF-8."""
    return "\n".join([*_head(view), *_body(view), "</html>", ""]).encode()


def _head(view: ReportView) -> list[str]:
    state = wording.reviewed(view).replace('"', "'")
    return [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(view.title)}</title>",
        f"<style>\n{STYLE.read_text('utf-8')}{_every_printed_page(state)}</style>\n</head>",
    ]


def _every_printed_page(state: str) -> str:
    """The state of the review at the foot of each page of paper."""
    text = "".join(char if char.isalnum() or char in " .,:;()-" else " " for char in state)
    return f'@media print {{ @page {{ @bottom-left {{ content: "{text}"; }} }} }}\n'


def _body(view: ReportView) -> list[str]:
    done = "" if view.undecided else " done"
    shown = contents.entries(view, lambda match: not contents.is_rejected(match))
    return [
        f'<body>\n<aside class="state{done}" aria-label="Review">{escape(wording.reviewed(view))}</aside>',
        *_opening(view),
        "<main>",
        *_ranked(view, shown),
        *_rejected(view),
        *_transcript(view, shown),
        "</main>",
        f"<footer><p>{escape(wording.RATINGS_ARE_THE_PUBLISHERS)}</p><p>{escape(wording.reviewed(view))}.</p></footer>",
        "</body>",
    ]


def _opening(view: ReportView) -> list[str]:
    """Title, counts, and what made this report."""
    transcript = view.report.transcript
    day = wording.day(transcript.event_date, "event date unknown")
    rows = "".join(
        f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in contents.about(view)
    )
    warnings = "".join(f"<li>{escape(text)}</li>" for text in view.report.warnings)
    notes = (
        f"<details open><summary>Warnings</summary><ul class='warnings'>{warnings}</ul></details>"
    )
    return [
        f'<header><p class="lectern">{logo.svg()} Lectern</p>',
        f"<h1>{escape(transcript.title or transcript.source.name)}</h1>",
        f'<p class="soft">{escape(day)}</p><p>{escape(wording.coverage(view))}</p>',
        f'<p class="soft">{escape(wording.in_list(view))}</p>',
        f"<details><summary>About this report</summary><dl class='facts'>{rows}</dl></details>",
        notes if warnings else "",
        "</header>",
    ]


def _ranked(view: ReportView, shown: list[contents.ReportEntry]) -> Iterable[str]:
    """The rows with matches, confirmed ones first, best first.

    Then the sentences for which nothing was found.
    """
    confirmed = [
        entry for entry in shown if any(contents.is_confirmed(match) for _, match in entry.matches)
    ]
    suggested = [entry for entry in shown if entry not in confirmed]
    yield '<section id="ranked"><h2>Ranked</h2>'
    if not shown:
        yield f"<p>{escape(wording.nothing_found(view))}</p>"
    else:
        yield html_cards.picture_of(view, _rows_of(shown))
        yield _by_speaker(shown)
    for heading, entries in ((contents.CONFIRMED, confirmed), (contents.SUGGESTED, suggested)):
        if entries:
            yield f'<h3 class="status">{escape(heading)}</h3><ol class="ranked">'
            yield from (_entry(entry, view) for entry in entries)
            yield "</ol>"
    yield _nothing(view)
    yield "</section>"


def _nothing(view: ReportView) -> str:
    """The sentences with a mixed rating only, and the check-worthy ones without a match, folded away."""
    rows = view.unmatched
    half = contents.mixed(view)
    mixed = "".join(
        f'<li><a href="#s{number}">{number}</a> {escape(text)} <span class="soft">— {escape(words)}</span></li>'
        for number, text, words in half
    )
    below = (
        _folded(f"{contents.MIXED} for {wording.count(len(half), 'sentence')}", mixed)
        if half
        else ""
    )
    if not rows:
        return below
    listed = "".join(
        f'<li><a href="#s{c.sentence.number}">{c.sentence.number}</a> {escape(c.sentence.text)}{_topic(c)}</li>'
        for c in rows
    )
    return below + _folded(
        f"Nothing found for {wording.count(len(rows), 'check-worthy sentence')}", listed
    )


def _folded(summary: str, listed: str) -> str:
    return f'<details class="nothing"><summary>{summary}</summary><ul class="small">{listed}</ul></details>'


def _topic(checked: CheckedSentence) -> str:
    """The claim on the topic of a sentence that does not make it."""
    if not checked.on_topic or checked.nearest is None:
        return ""
    return (
        f' <span class="soft">— on the topic of: {escape(checked.nearest.claim.statement)}</span>'
    )


def _entry(entry: contents.ReportEntry, view: ReportView) -> str:
    event = view.event_date
    number = entry.best.sentence.number
    tier = escape(str(entry.best.tier or ""))
    first, *others = [
        _on(entry, checked) + html_cards.card(match, event) for checked, match in entry.matches
    ]
    beside = html_cards.side_by_side(
        [match for checked, match in entry.matches if checked is entry.best]
    )
    more = wording.count(len(others), "more match", "more matches")
    folded = f"<details><summary>{more}</summary>{''.join(others)}</details>" if others else ""
    before = (
        f'<p class="small soft">{escape(words)}</p>'
        if (words := contents.points_back(entry))
        else ""
    )
    return (
        f'<li class="{tier}" id="m{number}"><p class="place"><b>{entry.passage.rank or ""}</b><b>{escape(entry.speaker)}</b>'
        f'<a href="#s{entry.passage.sentences[0].sentence.number}">{entry.place}</a><span class="tier">{tier}</span></p>'
        f"{before}<blockquote>{_words(entry.passage.sentences, entry.best)}</blockquote>"
        f"{_also(entry)}{_parts(entry.best)}{beside}{first}{folded}</li>"
    )


def _words(said: Sequence[CheckedSentence], best: CheckedSentence | None) -> str:
    """The words of a passage, the sentence that matches best marked."""
    return contents.quoted(said, best, escape, lambda text: f"<strong>{escape(text)}</strong>")


def _on(entry: contents.ReportEntry, checked: CheckedSentence) -> str:
    """For which sentence of the passage the next card is, where it is not the best one."""
    words = contents.other_sentence(entry, checked)
    return f'<p class="on small soft">{escape(words)}</p>' if words else ""


def _also(entry: contents.ReportEntry) -> str:
    """Where else it was said, and on demand in which words."""
    if not entry.repeats:
        return ""
    listed = ""
    for repeat in entry.repeats:
        place = f'<a href="#s{repeat.placement.best}">{contents.place(repeat.sentences)}</a>'
        listed += f"<li>{place} {_words(repeat.sentences, repeat.best)}</li>"
    summary = escape(contents.also_said(entry))
    return f'<details class="also"><summary>{summary}</summary><ul class="small">{listed}</ul></details>'


def _parts(checked: CheckedSentence) -> str:
    """Which parts of a compound sentence its matches settle, and which they leave open."""
    lines = [
        f"Match {m.rank} {'settles' if m.tier is Tier.LIKELY else 'may settle'} {part}"
        for m in contents.standing(checked)
        if (part := settles(checked.sentence.text, m.claim.statement))
    ]
    lines += [words_left] if (words_left := left_open(checked)) else []
    return "".join(f'<p class="small">{escape(line)}.</p>' for line in lines)


def _by_speaker(shown: list[contents.ReportEntry]) -> str:
    """A table of contents: every speaker with the numbers of the sentences listed."""
    spoken: dict[str, list[int]] = {}
    for entry in shown:
        spoken.setdefault(entry.speaker, []).append(entry.best.sentence.number)
    rows = ""
    for name, numbers in sorted(spoken.items()):
        links = ", ".join(f'<a href="#m{number}">{number}</a>' for number in sorted(numbers))
        rows += f"<dt>{escape(name)}</dt><dd>{links}</dd>"
    return f'<details class="screen"><summary>By speaker</summary><dl class="facts">{rows}</dl></details>'


def _rejected(view: ReportView) -> Iterable[str]:
    """An appendix of what a person has rejected, so that it is not lost and not mistaken for a find."""
    entries = contents.entries(view, contents.is_rejected)
    if entries:
        yield '<section id="rejected"><h2>Rejected in review</h2><ul class="small">'
        for entry in entries:
            decisions = "; ".join(
                f"{match.claim.statement} ({wording.decided(match.decision)})"
                for _, match in entry.matches
            )
            note = ". ".join(filter(None, (decisions, contents.also_said(entry))))
            place = f'<a href="#s{entry.best.sentence.number}">{entry.place}</a>'
            text = _words(entry.passage.sentences, entry.best)
            yield f'<li>{place} {text} <span class="soft">— {escape(note)}</span></li>'
        yield "</ul></section>"


def _transcript(view: ReportView, shown: list[contents.ReportEntry]) -> Iterable[str]:
    """All sentences in reading order, a paragraph a turn.

    Turns without a match can be folded away.
    """
    row_of = _rows_of(shown)
    yield '<section id="transcript"><h2>Transcript</h2>'
    yield (
        '<p class="small screen"><label><input type="checkbox" id="condensed">Only turns with a match</label></p>'
    )
    for speaker, turn in groupby(
        view.report.sentences, key=lambda checked: checked.sentence.speaker
    ):
        rows = list(turn)
        quiet = "" if any(contents.standing(checked) for checked in rows) else " quiet"
        start = wording.clock(rows[0].sentence.start)
        if place := wording.played(view.report.transcript, rows[0].sentence.start):
            start = f'<a href="{place}">{start}</a>'
        who = f'<span class="who">{escape(speaker or "Speaker unknown")} <span class="soft">{start}</span></span>'
        yield f'<p class="turn{quiet}">{who}{" ".join(_sentence(checked, row_of) for checked in rows)}</p>'
    yield "</section>"


def _rows_of(shown: Iterable[contents.ReportEntry]) -> dict[int, int]:
    """The number in the anchor of the row in which a sentence stands."""
    return {
        checked.sentence.number: entry.best.sentence.number
        for entry in shown
        for checked in _all_said(entry)
    }


def _all_said(entry: contents.ReportEntry) -> Iterable[CheckedSentence]:
    """The sentences of a row and of what is folded below it."""
    return chain(entry.passage.sentences, *(repeat.sentences for repeat in entry.repeats))


def _sentence(checked: CheckedSentence, row_of: Mapping[int, int]) -> str:
    """A sentence with its anchor; ratings are in the margin, or after it on a narrow screen."""
    number = checked.sentence.number
    text = escape(checked.sentence.text)
    matches = contents.standing(checked)
    note = ""
    if matches:
        tier = Tier.LIKELY if checked.tier == Tier.LIKELY else Tier.POSSIBLE
        kind = f"{tier} confirmed" if contents.is_confirmed(matches[0]) else str(tier)
        linked = f'<a href="#m{row_of[number]}">{text}</a>' if number in row_of else text
        text = f'<mark class="{kind}">{linked}</mark>'
        note = f' <span class="note">{"".join(html_cards.note(match, number) for match in matches)}</span>'
    return f'<span class="s" id="s{number}"><a class="n" href="#s{number}">{number}</a>{text}{note}</span>'
