"""The report as one HTML page: ranked list first, then the annotated transcript, readable without scripts or network.

Every sentence has an anchor (``#s12``), every match its evidence. The page says how much of it a person has reviewed,
on the screen and on every printed page. The same report gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import groupby
from pathlib import Path

from assistant.explain.settled import left_open, settles
from assistant.ground.domain import CheckedSentence, Report, Tier
from assistant.reports import contents, html_cards, phrases

STYLE = Path(__file__).parent / "page.css"
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(report: Report) -> bytes:
    """Return the page as UTF-8."""
    return "\n".join([*_head(report), *_body(report), "</html>", ""]).encode()


def _head(report: Report) -> list[str]:
    state = phrases.reviewed(report).replace('"', "'")
    return [
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        f"<title>{escape(contents.title(report))}</title>",
        f"<style>\n{STYLE.read_text('utf-8')}{_every_printed_page(state)}</style>\n</head>",
    ]


def _every_printed_page(state: str) -> str:
    """The state of the review at the foot of each page of paper."""
    text = "".join(char if char.isalnum() or char in " .,:;()-" else " " for char in state)
    return f'@media print {{ @page {{ @bottom-left {{ content: "{text}"; }} }} }}\n'


def _body(report: Report) -> list[str]:
    done = "" if phrases.undecided(report) else " done"
    return [
        f'<body>\n<aside class="state{done}" aria-label="Review">{escape(phrases.reviewed(report))}</aside>',
        *_opening(report),
        "<main>",
        *_ranked(report),
        *_rejected(report),
        *_transcript(report),
        "</main>",
        f"<footer><p>{escape(phrases.RATINGS_ARE_THE_PUBLISHERS)}</p><p>{escape(phrases.reviewed(report))}.</p></footer>",
        "</body>",
    ]


def _opening(report: Report) -> list[str]:
    """Title, counts, and what made this report."""
    transcript = report.transcript
    day = phrases.day(transcript.event_date, "event date unknown")
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in contents.about(report))
    warnings = "".join(f"<li>{escape(text)}</li>" for text in report.warnings)
    notes = f"<details open><summary>Warnings</summary><ul class='warnings'>{warnings}</ul></details>"
    return [
        f"<header><h1>{escape(transcript.title or transcript.source.name)}</h1>",
        f'<p class="soft">{escape(day)}</p><p>{escape(phrases.coverage(report))}</p>',
        f"<details><summary>About this report</summary><dl class='facts'>{rows}</dl></details>",
        notes if warnings else "",
        "</header>",
    ]


def _ranked(report: Report) -> Iterable[str]:
    """The sentences with matches, confirmed ones first, best first; then those for which nothing was found."""
    shown = [checked for checked in report.ranked() if contents.standing(checked)]
    confirmed = [checked for checked in shown if contents.is_confirmed(contents.standing(checked)[0])]
    suggested = [checked for checked in shown if checked not in confirmed]
    yield '<section id="ranked"><h2>Ranked</h2>'
    if not shown:
        yield f"<p>{escape(phrases.nothing_found(report))}</p>"
    else:
        yield _by_speaker(shown)
    for heading, rows in ((contents.CONFIRMED, confirmed), (contents.SUGGESTED, suggested)):
        if rows:
            yield f'<h3 class="status">{escape(heading)}</h3><ol class="ranked">'
            yield from (_entry(checked, report) for checked in rows)
            yield "</ol>"
    yield _nothing(report)
    yield "</section>"


def _nothing(report: Report) -> str:
    """The check-worthy sentences without a match, folded away."""
    rows = contents.unmatched(report)
    if not rows:
        return ""
    listed = "".join(
        f'<li><a href="#s{c.sentence.number}">{c.sentence.number}</a> {escape(c.sentence.text)}</li>' for c in rows
    )
    summary = f"Nothing found for {phrases.count(len(rows), 'check-worthy sentence')}"
    return f'<details class="nothing"><summary>{summary}</summary><ul class="small">{listed}</ul></details>'


def _entry(checked: CheckedSentence, report: Report) -> str:
    sent, event = checked.sentence, report.transcript.event_date
    tier = str(checked.tier or "")
    matches = contents.standing(checked)
    first, *others = [html_cards.card(match, event) for match in matches]
    beside = html_cards.side_by_side(matches)
    more = phrases.count(len(others), "more match", "more matches")
    folded = f"<details><summary>{more}</summary>{''.join(others)}</details>" if others else ""
    return (
        f'<li class="{escape(tier)}" id="m{sent.number}"><p class="place"><b>{checked.rank}</b>'
        f"<b>{escape(sent.speaker or 'Speaker unknown')}</b>"
        f'<a href="#s{sent.number}">{phrases.clock(sent.start) or f"sentence {sent.number}"}</a>'
        f'<span class="tier">{escape(tier)}</span></p>'
        f"<blockquote>{escape(sent.text)}</blockquote>{_parts(checked)}{beside}{first}{folded}</li>"
    )


def _parts(checked: CheckedSentence) -> str:
    """Which parts of a compound sentence its matches settle, and which they leave open."""
    lines = [
        f"Match {m.rank} {'settles' if m.tier is Tier.LIKELY else 'may settle'} {part}"
        for m in contents.standing(checked)
        if (part := settles(checked.sentence.text, m.claim.statement))
    ]
    lines += [words_left] if (words_left := left_open(checked)) else []
    return "".join(f'<p class="small">{escape(line)}.</p>' for line in lines)


def _by_speaker(shown: list[CheckedSentence]) -> str:
    """A table of contents: every speaker with the numbers of the sentences listed."""
    spoken: dict[str, list[int]] = {}
    for checked in shown:
        spoken.setdefault(checked.sentence.speaker or "Speaker unknown", []).append(checked.sentence.number)
    rows = ""
    for name, numbers in sorted(spoken.items()):
        links = ", ".join(f'<a href="#m{number}">{number}</a>' for number in sorted(numbers))
        rows += f"<dt>{escape(name)}</dt><dd>{links}</dd>"
    return f'<details class="screen"><summary>By speaker</summary><dl class="facts">{rows}</dl></details>'


def _rejected(report: Report) -> Iterable[str]:
    """An appendix of what a person has rejected, so that it is not lost and not mistaken for a find."""
    rows = [(r.checked.sentence, m) for r in contents.found(report, contents.is_rejected) for m in r.matches]
    if rows:
        yield '<section id="rejected"><h2>Rejected in review</h2><ul class="small">'
        for sent, match in rows:
            why = f"{match.claim.statement} ({phrases.decided(match.decision)})"
            place = f'<a href="#s{sent.number}">{sent.number}</a>'
            yield f'<li>{place} {escape(sent.text)} <span class="soft">— {escape(why)}</span></li>'
        yield "</ul></section>"


def _transcript(report: Report) -> Iterable[str]:
    """All sentences in reading order, a paragraph a turn; turns without a match can be folded away."""
    yield '<section id="transcript"><h2>Transcript</h2>'
    yield ('<p class="small screen"><label><input type="checkbox" id="condensed">Only turns with a match</label></p>')
    for speaker, turn in groupby(report.sentences, key=lambda checked: checked.sentence.speaker):
        rows = list(turn)
        quiet = "" if any(contents.standing(checked) for checked in rows) else " quiet"
        start = phrases.clock(rows[0].sentence.start)
        who = f'<span class="who">{escape(speaker or "Speaker unknown")} <span class="soft">{start}</span></span>'
        yield f'<p class="turn{quiet}">{who}{" ".join(_sentence(checked) for checked in rows)}</p>'
    yield "</section>"


def _sentence(checked: CheckedSentence) -> str:
    """A sentence with its anchor; ratings are in the margin, or after it on a narrow screen."""
    number, text = checked.sentence.number, escape(checked.sentence.text)
    matches = contents.standing(checked)
    note = ""
    if matches:
        tier = Tier.LIKELY if checked.tier == Tier.LIKELY else Tier.POSSIBLE
        kind = f"{tier} confirmed" if contents.is_confirmed(matches[0]) else str(tier)
        text = f'<mark class="{kind}"><a href="#m{number}">{text}</a></mark>'
        note = f' <span class="note">{"".join(html_cards.note(match, number) for match in matches)}</span>'
    return f'<span class="s" id="s{number}"><a class="n" href="#s{number}">{number}</a>{text}{note}</span>'
