"""The card of a match for the HTML report: rating, claim, key sentences, decision and reasons.

Everything that came from a file passes through ``escape`` here and in html.py; nothing else writes
the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

from assistant.core.domain import KeySentence, Match, VerifiedClaim
from assistant.report import contents, timeline, wording
from assistant.report.view import ReportView

COLOURS = {name: f"var(--{name})" for name in timeline.PAPER}  # of page.css, by day and by night


def badge(vclaim: VerifiedClaim) -> str:
    """Return the publisher's words with the sign and the colour of their class."""
    sign = wording.SIGNS[vclaim.rating_class]
    rating = escape(vclaim.rating or "no rating")
    return f'<span class="badge {sign.colour}"><span aria-hidden="true">{sign.mark}</span> {rating}</span>'


def card(match: Match, event: date | None) -> str:
    """Return everything about one match; the tier of the first is shown with its sentence."""
    claim = match.claim
    tier = "" if match.rank == 1 else f'<span class="tier">{escape(str(match.tier or ""))}</span>'
    cautions = " · ".join(wording.cautions(match, event))
    parts = [
        f'<p class="place">{badge(claim)}<span>{wording.SIGNS[claim.rating_class].words}</span>{tier}</p>',
        f'<p class="statement">“{escape(claim.statement)}”</p>',
        f'<p class="small soft">{escape(wording.said(claim))}{_gap(event, claim.claim_date)}</p>',
        f'<p class="small">{escape(wording.rated(claim))}{_gap(event, claim.review_date)}. {link(claim)}</p>',
        f'<p class="caution">{escape(cautions)}</p>' if cautions else "",
        f'<p class="small soft">{escape(wording.STANCES[match.stance])}. {escape(wording.agreement(match))}</p>',
        _keys(match.key_sentences),
        f'<p class="small"><b>Review:</b> {escape(contents.status(match))}</p>',
        _why(match),
    ]
    return f"<article>{''.join(parts)}</article>"


def note(match: Match, number: int) -> str:
    """Return a match in one line for the margin.

    Sentence, rating, whose it is, and whether a person confirmed it.
    """
    state = "✓ confirmed" if contents.is_confirmed(match) else "not reviewed"
    said = " · ".join(
        filter(None, (wording.publisher(match.claim), wording.beside_rating(match), state))
    )
    publisher = f'<span class="soft">{escape(said)}</span>'
    return f'<span><b class="at">{number} </b>{badge(match.claim)} {publisher}</span>'


def picture_of(view: ReportView, row_of: Mapping[int, int]) -> str:
    """Return the picture of the debate, its marks linked to their rows, and the same as a table, folded away."""
    drawn = [mark for mark in timeline.marks(view) if mark.number in row_of]
    if not drawn:
        return ""
    anchors = {mark.number: f"m{row_of[mark.number]}" for mark in drawn}
    rows = "".join(
        f'<tr><td><a href="#{anchors[mark.number]}">{escape(mark.place)}</a></td><td>{escape(mark.speaker)}</td>'
        f"<td>{escape(mark.text)}</td><td>{escape(mark.rating)}</td><td>{mark.tier}</td><td>{mark.rank}</td></tr>"
        for mark in drawn
    )
    head = "".join(
        f'<th scope="col">{name}</th>'
        for name in ("When", "Speaker", "Sentence", "Rating", "Tier", "Rank")
    )
    return (
        f'<figure class="picture">{timeline.svg(view.report, drawn, anchors, COLOURS)}'
        f"<figcaption>{escape(timeline.summary(drawn))} {escape(timeline.HOW_TO_READ)}</figcaption></figure>"
        f'<details class="screen"><summary>The picture as a table</summary><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></details>"
    )


def side_by_side(matches: Sequence[Match]) -> str:
    """Return the ratings of several publishers beside each other, each in its own words.

    Nothing for one publisher.
    """
    rated = {(match.claim.publisher, match.claim.rating): match.claim for match in matches}
    if len({publisher for publisher, _ in rated}) < 2:
        return ""
    rows = "".join(
        f"<li>{escape(wording.publisher(c) or 'not named')}<br>{badge(c)}</li>"
        for c in rated.values()
    )
    return f'<ul class="publishers" aria-label="Publishers side by side">{rows}</ul>'


def link(vclaim: VerifiedClaim) -> str:
    """Return a link to the article, only if its address is one of the web.

    A link to another scheme is text.
    """
    url = contents.address(vclaim)
    if url:
        return (
            f'<a class="source" href="{escape(url)}" target="_blank" '
            f'rel="noopener noreferrer">{escape(vclaim.title or "Open the article")}</a>'
        )
    return escape(" ".join(part for part in (vclaim.title, vclaim.url) if part))


def _gap(event: date | None, other: date | None) -> str:
    text = wording.gap(event, other)
    return f", {text}" if text else ""


def _keys(keys: tuple[KeySentence, ...]) -> str:
    rows = "".join(
        f'<li><span class="soft small">{escape(wording.why(key))}</span><q>{escape(key.text)}</q></li>'
        for key in keys
    )
    return (
        f'<ul class="keys">{rows}</ul>'
        if rows
        else f'<p class="small soft">{wording.NO_SENTENCES}.</p>'
    )


def _why(match: Match) -> str:
    """The parts of the score and the 19 measures, folded away."""
    contributions = wording.contribution_meanings(match)
    parts = "".join(_row(meaning, f"{value:+.2f}") for meaning, value in contributions)
    features = wording.features(match)
    raw = "".join(_row(meaning, value) for meaning, value in features)
    shares = f"<h3>What the score is made of</h3><table>{parts}</table>" if parts else ""
    return (
        f'<details class="screen"><summary>Why it ranks here (score {match.score:.2f})</summary>'
        f"{shares}<h3>The {len(features)} measures</h3><table>{raw}</table></details>"
    )


def _row(name: str, value: str) -> str:
    return f'<tr><th scope="row">{escape(name)}</th><td class="value">{value}</td></tr>'
