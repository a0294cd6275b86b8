"""Builds the HTML of the page Archive: a fact-check with its counts, passages, wordings, hits.

All text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urlencode

from assistant.archive.archive_store import report_id
from assistant.archive.repeats import CONFIRMED, UNREVIEWED, Mention, Repeated, Tally, differing
from assistant.archive.transcript_search import Hit
from assistant.report import wording
from assistant.review.decision_placement import words_of
from assistant.ui.card_html import badge, link
from features.language.stems import stem

NAMED = 3  # speakers that a line names


def card(report: str, number: int) -> str:
    """Return the address of the card of a sentence, from any page of the app."""
    return escape(f"./?{urlencode({'report': report, 's': number})}")


def basis(found: Tally) -> str:
    """Return what the counts are of."""
    return (
        f"{wording.count(found.checked, 'transcript')} checked of {found.transcripts:,}; "
        f"{wording.count(found.fact_checks, 'fact-check')} found in them."
    )


def counts(repeated: Repeated) -> str:
    """Return in words how often the claim was made, by whom, from when to when, and how often after the check."""
    first, last = repeated.days
    people = repeated.by()
    named = ", ".join(f"{escape(name)} ({len(said):,})" for name, said in people[:NAMED])
    more = f" and {len(people) - NAMED} more" if len(people) > NAMED else ""
    span = wording.day(first) if first == last else f"{wording.day(first)} to {wording.day(last)}"
    after = (
        f" · <b>{len(repeated.after()):,} after it was published</b>"
        if repeated.claim.review_date
        else ""
    )
    return (
        f'<p class="lx-line">Said in {wording.count(repeated.debates, "debate")} '
        f"({wording.count(len(repeated.mentions), 'passage')}), {span}{after}</p>"
        f'<p class="lx-soft lx-tight">{named}{more} · {repeated.count(CONFIRMED):,} confirmed, '
        f"{repeated.count(UNREVIEWED):,} unreviewed</p>"
    )


def head(repeated: Repeated) -> str:
    """Return the rating of a fact-check, who gave it when, and the link to its article."""
    claim = repeated.claim
    return (
        f'<div class="lx-rated">{badge(claim.rating, claim.rating_class)} {link(claim)}</div>'
        f'<p class="lx-said">{escape(wording.rated(claim))} ({escape(wording.said(claim))}).</p>'
    )


def passages(mentions: Iterable[Mention], wording: str) -> str:
    """Return what was said as a list, the words marked that are not in a wording.

    Each leads to its card.
    """
    rows = "".join(
        f'<li class="lx-claim"><a href="{card(m.debate.report(), m.number)}">{_where(m)}</a> · '
        f"{m.state}, {m.tier}<br>{_marked(differing(wording, m.text)[1])}</li>"
        for m in mentions
    )
    return f'<ul class="lx-keys">{rows}</ul>'


def changes(mentions: Sequence[Mention]) -> str:
    """Return the wordings of one speaker in their order, in each the words marked that the one before had not."""
    rows = []
    for before, mention in zip([None, *mentions], mentions, strict=False):
        words = _marked(differing(before.text, mention.text)[1]) if before else escape(mention.text)
        rows.append(
            f'<li class="lx-claim"><span class="lx-soft">{_where(mention)}</span><br>{words}</li>'
        )
    return f'<ol class="lx-keys">{"".join(rows)}</ol>'


def hits(found: Iterable[Hit], asked: str = "") -> str:
    """Return sentences that a search found, each with its debate and the way to its card.

    ``asked``: words to mark.
    """
    wanted = {stem(word) for word in words_of(asked).split()}
    rows = []
    for hit in found:
        text = _marked((word, _has(word, wanted)) for word in hit.text.split())
        where = f"{escape(hit.speaker or 'Speaker unknown')} · {escape(hit.title)} · {wording.day(hit.event_date)}"
        near = f" · cosine {hit.cosine:.2f}" if hit.cosine is not None else ""
        way = f'<a href="{card(_report(hit), hit.number)}">{where}</a>{near}'
        rows.append(f'<div class="lx-claim">{text}<br>{way}</div>')
    return "".join(rows)


def _has(word: str, wanted: set[str]) -> bool:
    return bool(wanted) and any(stem(part) in wanted for part in words_of(word).split())


def _report(hit: Hit) -> str:
    return report_id(hit.document, as_of_event=False)


def _where(mention: Mention) -> str:
    place = wording.clock(mention.start) or f"sentence {mention.number:,}"
    speaker = escape(mention.speaker or "Speaker unknown")
    day = wording.day(mention.debate.event_date)
    return f"{day} · {speaker} · {escape(mention.debate.title)}, {place}"


def _marked(words: Iterable[tuple[str, bool]]) -> str:
    return " ".join(
        f'<mark class="lx-differs">{escape(w)}</mark>' if other else escape(w) for w, other in words
    )
