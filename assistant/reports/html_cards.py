"""The card of a match in the HTML report: rating, claim, key sentences, decision and explanation.

Every text from a file passes through ``escape`` here and in html_form.py; nothing else writes the
page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

from assistant.core.domain import KeySentence, Match, VerifiedClaim
from assistant.report import contents, timeline, wording
from assistant.report.view import ReportView

# The variables of page.css, defined for the light and the dark theme.
COLOURS = {name: f"var(--{name})" for name in timeline.PAPER}
TIMELINE_COLUMNS = ("When", "Speaker", "Sentence", "Rating", "Match", "Rank")


def badge(claim: VerifiedClaim) -> str:
    """Return the publisher's rating with the sign and the colour of its class."""
    sign = wording.RATING_SIGNS[claim.rating_class]
    rating = escape(claim.rating or "no rating")
    mark = f'<span aria-hidden="true">{sign.mark}</span>'
    return f'<span class="badge {sign.colour}">{mark} {rating}</span>'


def card(match: Match, sentence: str, event_date: date | None) -> str:
    """Return the card of a match of a sentence; the tier of the first is shown with its sentence."""
    claim = match.claim
    claimant = escape(wording.claimant_and_date(claim)) + _gap(event_date, claim.claim_date)
    status = escape(contents.review_status(match))
    comments = [_paragraph("small", escape(line)) for line in contents.comment_lines(match)]
    paragraphs = [
        _rating_line(match),
        _paragraph("statement", escape(wording.quoted(claim.statement))),
        _paragraph("small soft", claimant),
        _review_line(claim, event_date),
        _cautions(match, event_date),
        _agreement(match, sentence),
        _key_sentences(match.key_sentences),
        _paragraph("small", f"<b>Review:</b> {status}"),
        *comments,
        _explanation(match),
    ]
    return f"<article>{''.join(paragraphs)}</article>"


def _paragraph(css_class: str, markup: str) -> str:
    return f'<p class="{css_class}">{markup}</p>'


def _rating_line(match: Match) -> str:
    class_words = wording.RATING_SIGNS[match.claim.rating_class].words
    tier = ""
    if match.rank != 1:
        tier = f'<span class="tier">{escape(str(match.strength or match.tier or ""))}</span>'
    return _paragraph("place", f"{badge(match.claim)}<span>{class_words}</span>{tier}")


def _review_line(claim: VerifiedClaim, event_date: date | None) -> str:
    """Return who rated the claim how and when, with the link to the article."""
    rating = escape(wording.rating_sentence(claim))
    return _paragraph("small", f"{rating}{_gap(event_date, claim.review_date)}. {link(claim)}")


def _cautions(match: Match, event_date: date | None) -> str:
    cautions = " · ".join(wording.cautions(match, event_date))
    return _paragraph("caution", escape(cautions)) if cautions else ""


def _agreement(match: Match, sentence: str) -> str:
    restatement = escape(wording.restatement(match).value)
    agreement = escape(wording.agreement(match, sentence))
    return _paragraph("small soft", f"{restatement}. {agreement}")


def note(match: Match, number: int) -> str:
    """Return a match in one line for the margin."""
    review_state = "✓ confirmed" if contents.is_confirmed(match) else "not reviewed"
    note_details = [wording.publisher(match.claim), wording.comparison_note(match), review_state]
    details_line = " · ".join(detail for detail in note_details if detail)
    number_markup = f'<b class="at">{number} </b>'
    details_markup = f'<span class="soft">{escape(details_line)}</span>'
    return f"<span>{number_markup}{badge(match.claim)} {details_markup}</span>"


def timeline_figure(view: ReportView, entry_by_sentence: Mapping[int, int]) -> str:
    """Return the timeline, linked to the entries, and the same as a collapsed table."""
    marks = [mark for mark in timeline.marks(view) if mark.number in entry_by_sentence]
    if not marks:
        return ""
    anchors = {mark.number: f"m{entry_by_sentence[mark.number]}" for mark in marks}
    caption = f"{escape(timeline.summary(marks))} {escape(timeline.HOW_TO_READ)}"
    header_cells = "".join(f'<th scope="col">{name}</th>' for name in TIMELINE_COLUMNS)
    table_rows = "".join(_timeline_row(mark, anchors[mark.number]) for mark in marks)
    return (
        f'<figure class="picture">{timeline.svg(view.report, marks, anchors, COLOURS)}'
        f"<figcaption>{caption}</figcaption></figure>"
        '<details class="screen"><summary>The picture as a table</summary>'
        f"<table><thead><tr>{header_cells}</tr></thead><tbody>{table_rows}</tbody></table></details>"
    )


def _timeline_row(mark: timeline.Mark, anchor: str) -> str:
    # In the order of TIMELINE_COLUMNS.
    cells = (
        f'<a href="#{anchor}">{escape(mark.place)}</a>',
        escape(mark.speaker),
        escape(mark.text),
        escape(mark.rating),
        escape(mark.strength or mark.tier),
        str(mark.rank),
    )
    cells_markup = "".join(f"<td>{cell}</td>" for cell in cells)
    return f"<tr>{cells_markup}</tr>"


def side_by_side(matches: Sequence[Match]) -> str:
    """Return the ratings of several publishers, "" if there is one publisher only."""
    # Each rating of a publisher once.
    claim_by_publisher_and_rating = {
        (match.claim.publisher, match.claim.rating): match.claim for match in matches
    }
    publishers = {publisher for publisher, _ in claim_by_publisher_and_rating}
    if len(publishers) < 2:
        return ""
    list_items = ""
    for claim in claim_by_publisher_and_rating.values():
        publisher = escape(wording.publisher(claim) or "not named")
        list_items += f"<li>{publisher}<br>{badge(claim)}</li>"
    return f'<ul class="publishers" aria-label="Publishers side by side">{list_items}</ul>'


def link(claim: VerifiedClaim) -> str:
    """Return a link to the article, as plain text if its address is not a web address."""
    url = contents.address(claim)
    if not url:
        texts = [text for text in (claim.title, claim.url) if text]
        return escape(" ".join(texts))
    title = escape(claim.title or "Open the article")
    attributes = 'target="_blank" rel="noopener noreferrer"'
    return f'<a class="source" href="{escape(url)}" {attributes}>{title}</a>'


def _gap(event_date: date | None, compared: date | None) -> str:
    text = wording.gap(event_date, compared)
    return f", {text}" if text else ""


def _key_sentences(keys: tuple[KeySentence, ...]) -> str:
    if not keys:
        return _paragraph("small soft", f"{wording.NO_SENTENCES}.")
    items = ""
    for key in keys:
        reasons = f'<span class="soft small">{escape(wording.key_sentence_reasons(key))}</span>'
        items += f"<li>{reasons}<q>{escape(wording.quoted(key.text))}</q></li>"
    return f'<ul class="keys">{items}</ul>'


def _explanation(match: Match) -> str:
    """Return the contributions to the score and the features, collapsed."""
    meanings_and_values = []
    for meaning, value in wording.contribution_meanings(match):
        meanings_and_values.append((meaning, f"{value:+.2f}"))
    contributions_markup = ""
    if meanings_and_values:
        contributions_markup = f"<h3>What the score is made of</h3>{_table(meanings_and_values)}"
    features = wording.features(match)
    features_markup = f"<h3>The {len(features)} measures</h3>{_table(features)}"
    return (
        f'<details class="screen"><summary>Why it ranks here (score {match.score:.2f})</summary>'
        f"{contributions_markup}{features_markup}</details>"
    )


def _table(values: Sequence[tuple[str, str]]) -> str:
    lines = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td class="value">{escape(value)}</td></tr>'
        for name, value in values
    )
    return f"<table>{lines}</table>"
