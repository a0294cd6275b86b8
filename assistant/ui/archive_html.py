"""Builds the HTML of the page Archive: a fact-check with its counts, passages, wordings, hits.

All text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlencode

from assistant.archive.archive_store import report_id
from assistant.archive.repeats import (
    CONFIRMED,
    TO_LOOK_AT,
    UNREVIEWED,
    Mention,
    RepeatCounts,
    RepeatedClaim,
    mark_differences,
)
from assistant.archive.transcript_search import SearchHit
from assistant.core.domain import VerifiedClaim
from assistant.report import wording
from assistant.review.decision_placement import words_of
from assistant.ui.card_html import article_link, rating_badge
from assistant.ui.shown_text import escape
from features.language.stems import stem

MAX_NAMED_SPEAKERS = 3  # in one line


def card(report: str, number: int) -> str:
    """Return the address of the card of a sentence, from any page of the app."""
    return escape(f"./?{urlencode({'report': report, 's': number})}")


def spoken_claim(claim: VerifiedClaim, mentions: Sequence[Mention]) -> str:
    """Return a claim that a speaker made, with links to the passages, earliest first."""
    links = []
    for mention in mentions:
        address = card(mention.debate.report(), mention.number)
        day = wording.day(mention.debate.event_date, "date not set")
        links.append(
            f'<li><a href="{address}">{escape(mention.debate.title)}, {escape(day)}</a>: '
            f"{escape(mention.text)}</li>"
        )
    rating = rating_badge(claim.rating, claim.rating_class)
    return (
        f'<div class="lx-claim">{rating} {escape(claim.statement)}'
        f'<ul class="lx-soft">{"".join(links)}</ul></div>'
    )


def counted_basis(repeats_tally: RepeatCounts) -> str:
    """Return what the counts are of."""
    return (
        f"{wording.count(repeats_tally.checked, 'transcript')} checked "
        f"of {repeats_tally.transcripts:,}; "
        f"{wording.count(repeats_tally.fact_checks, 'fact-check')} found in them."
    )


def counts(repeated: RepeatedClaim) -> str:
    """Return how often a claim was made, by whom, when, and how often after its fact-check."""
    debates = wording.count(repeated.debates, "debate")
    passages = wording.count(len(repeated.mentions), "passage")
    after_publication = ""
    if repeated.claim.review_date:
        after_publication = (
            f" · <b>{len(repeated.after_publication()):,} after it was published</b>"
        )
    confirmed = repeated.count(CONFIRMED)
    unreviewed = repeated.count(UNREVIEWED)
    open_again = repeated.open_again_count()
    reviewed = f"{confirmed:,} confirmed, {unreviewed:,} {TO_LOOK_AT}"
    if open_again:
        reviewed += f" ({open_again:,} open again: the publisher has changed the fact-check)"
    if repeated.to_look_at:  # they may make the claim
        uncounted = wording.count(len(repeated.to_look_at), "more passage")
        reviewed += f". {uncounted} {TO_LOOK_AT}, not counted"
    return (
        f'<p class="lx-line">Said in {debates} ({passages}), {_day_range(repeated)}'
        f"{after_publication}</p>"
        f'<p class="lx-soft lx-tight">{_speaker_counts(repeated)} · {reviewed}</p>'
    )


def _day_range(repeated: RepeatedClaim) -> str:
    first_day, last_day = repeated.days
    if first_day == last_day:
        return wording.day(first_day)
    return f"{wording.day(first_day)} to {wording.day(last_day)}"


def _speaker_counts(repeated: RepeatedClaim) -> str:
    speakers = repeated.by_speaker()  # each with the mentions, most mentions first
    speaker_counts = []
    for name, mentions in speakers[:MAX_NAMED_SPEAKERS]:
        speaker_counts.append(f"{escape(name)} ({len(mentions):,})")
    line = ", ".join(speaker_counts)
    if len(speakers) > MAX_NAMED_SPEAKERS:
        line += f" and {len(speakers) - MAX_NAMED_SPEAKERS} more"
    return line


def head(repeated: RepeatedClaim) -> str:
    """Return the rating of a fact-check, who gave it when, and the link to its article."""
    claim = repeated.claim
    badge = rating_badge(claim.rating, claim.rating_class)
    rating = escape(wording.rating_sentence(claim))
    claimant = escape(wording.claimant_and_date(claim))
    # other fact-checks of the same claim
    also_checked = "".join(_also_checked(other_claim) for other_claim in repeated.also_checked)
    return (
        f'<div class="lx-rated">{badge} {article_link(claim)}</div>'
        f'<p class="lx-said">{rating} ({claimant}).</p>{also_checked}'
    )


def _also_checked(claim: VerifiedClaim) -> str:
    """Return another fact-check that counts the same passages, as a line."""
    rating = escape(wording.rating_sentence(claim))
    statement = escape(claim.statement)
    return f'<p class="lx-soft lx-tight">Also checked: “{statement}”. {rating}.</p>'


def passages(mentions: Iterable[Mention], claim_wording: str) -> str:
    """Return the mentions as a list, each with a link to its card.

    Words that ``claim_wording`` does not have are marked.
    """
    items = []
    for mention in mentions:
        address = card(mention.debate.report(), mention.number)
        _, marked_words = mark_differences(claim_wording, mention.text)
        text = _marked_words(marked_words)
        items.append(
            f'<li class="lx-claim"><a href="{address}">{_mention_place(mention)}</a> · '
            f"{_state_words(mention)}<br>{text}</li>"
        )
    return f'<ul class="lx-keys">{"".join(items)}</ul>'


def to_look_at(repeated: RepeatedClaim) -> str:
    """Return the uncounted passages, which may make the claim, without names of people."""
    items = []
    for mention in repeated.to_look_at:
        address = card(mention.debate.report(), mention.number)
        day = wording.day(mention.debate.event_date)
        place = f"{day} · {escape(mention.debate.title)}"
        items.append(
            f'<li class="lx-claim"><a href="{address}">{place}</a><br>{escape(mention.text)}</li>'
        )
    title = "To look at: may make the claim, not counted"
    return f'<h2 class="lx-h4">{title}</h2><ul class="lx-keys">{"".join(items)}</ul>'


def _state_words(mention: Mention) -> str:
    return TO_LOOK_AT if mention.state == UNREVIEWED else mention.state


def changes(mentions: Sequence[Mention]) -> str:
    """Return the wordings of one speaker in order; words that are new in a wording are marked."""
    items = []
    previous_text: str | None = None
    for mention in mentions:
        if previous_text is None:
            text = escape(mention.text)
        else:
            _, marked_words = mark_differences(previous_text, mention.text)
            text = _marked_words(marked_words)
        items.append(
            f'<li class="lx-claim"><span class="lx-soft">{_mention_place(mention)}</span>'
            f"<br>{text}</li>"
        )
        previous_text = mention.text
    return f'<ol class="lx-keys">{"".join(items)}</ol>'


def hits(found_sentences: Iterable[SearchHit], query: str = "") -> str:
    """Return the sentences that a search found, each with its debate and a link to its card.

    The words of ``query`` are marked.
    """
    query_stems = {stem(word) for word in words_of(query).split()}
    return "".join(_hit(sentence, query_stems) for sentence in found_sentences)


def _hit(sentence: SearchHit, query_stems: set[str]) -> str:
    words = sentence.text.split()
    # each word with whether it is marked, because the query has it in some form
    text = _marked_words((word, _contains_stem(word, query_stems)) for word in words)
    speaker = escape(sentence.speaker or "Speaker unknown")
    label = f"{speaker} · {escape(sentence.title)} · {wording.day(sentence.event_date)}"
    # a search by words has no similarity
    similarity = ""
    if sentence.cosine is not None:
        similarity = f" · similarity {max(0.0, sentence.cosine):.0%}"
    address = card(_report_id(sentence), sentence.number)
    link = f'<a href="{address}">{label}</a>{similarity}'
    return f'<div class="lx-claim">{text}<br>{link}</div>'


def _contains_stem(word: str, stems: set[str]) -> bool:
    return any(stem(piece) in stems for piece in words_of(word).split())


def _report_id(found_sentence: SearchHit) -> str:
    return report_id(found_sentence.document, as_of_event=False)


def _mention_place(mention: Mention) -> str:
    position = wording.clock(mention.start) or f"sentence {mention.number:,}"
    speaker = escape(mention.speaker or "Speaker unknown")
    day = wording.day(mention.debate.event_date)
    return f"{day} · {speaker} · {escape(mention.debate.title)}, {position}"


def _marked_words(words: Iterable[tuple[str, bool]]) -> str:
    """Join words, each with whether to mark it."""
    texts = []
    for word, is_marked in words:
        text = escape(word)
        texts.append(f'<mark class="lx-differs">{text}</mark>' if is_marked else text)
    return " ".join(texts)
