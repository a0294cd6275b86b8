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
from assistant.report.speaker_names import shown_name
from assistant.review.decision_placement import words_of
from assistant.ui.card_html import article_link, rating_badge
from assistant.ui.shown_text import escape
from features.language.stems import stem

MAX_NAMED_SPEAKERS = 3  # in one line


def card_address(report: str, number: int) -> str:
    """Return the address of the card of a sentence, from any page of the app."""
    return escape(f"./?{urlencode({'report': report, 's': number})}")


def spoken_claim_html(claim: VerifiedClaim, mentions: Sequence[Mention]) -> str:
    """Return a claim that a speaker made, with links to the passages, earliest first."""
    mention_links = []
    for mention in mentions:
        address = card_address(mention.debate.report_id(), mention.number)
        day = wording.day(mention.debate.event_date, "date not set")
        mention_links.append(
            f'<li><a href="{address}">{escape(mention.debate.title)}, {escape(day)}</a>: '
            f"{escape(mention.text)}</li>"
        )
    rating_mark = rating_badge(claim.rating, claim.rating_class)
    return (
        f'<div class="lx-claim">{rating_mark} {escape(claim.statement)}'
        f'<ul class="lx-soft">{"".join(mention_links)}</ul></div>'
    )


def counted_basis(repeat_counts: RepeatCounts) -> str:
    """Return what the counts are of."""
    return (
        f"{wording.count(repeat_counts.checked, 'transcript')} checked "
        f"of {repeat_counts.transcripts:,}; "
        f"{wording.count(repeat_counts.fact_checks, 'fact-check')} found in them."
    )


def counts_html(repeated_claim: RepeatedClaim) -> str:
    """Return how often a claim was made, by whom, when, and how often after its fact-check.

    A claim without a counted passage has the number of passages to look at, and no names.
    """
    if not repeated_claim.mentions:
        possible_debates = wording.count(repeated_claim.possible_debate_count, "debate")
        possible_count = wording.count(len(repeated_claim.possible_mentions), "passage")
        return (
            f'<p class="lx-line">May have been said in {possible_debates} ({possible_count} '
            f"{TO_LOOK_AT}, not counted)</p>"
        )
    debate_count = wording.count(repeated_claim.debate_count, "debate")
    passage_count = wording.count(len(repeated_claim.mentions), "passage")
    later_mentions_words = ""
    if repeated_claim.claim.review_date:
        later_mentions_words = (
            f" · <b>{len(repeated_claim.mentions_after_publication()):,} after it was published</b>"
        )
    confirmed_count = repeated_claim.count(CONFIRMED)
    unreviewed_count = repeated_claim.count(UNREVIEWED)
    reopened_count = repeated_claim.reopened_count()
    review_words = f"{confirmed_count:,} confirmed, {unreviewed_count:,} {TO_LOOK_AT}"
    if reopened_count:
        review_words += (
            f" ({reopened_count:,} open again: the publisher has changed the fact-check)"
        )
    if repeated_claim.possible_mentions:  # they may make the claim
        possible_count = wording.count(len(repeated_claim.possible_mentions), "more passage")
        review_words += f". {possible_count} {TO_LOOK_AT}, not counted"
    return (
        f'<p class="lx-line">Said in {debate_count} ({passage_count}), {_day_range(repeated_claim)}'
        f"{later_mentions_words}</p>"
        f'<p class="lx-soft lx-tight">{_speaker_counts(repeated_claim)} · {review_words}</p>'
    )


def _day_range(repeated_claim: RepeatedClaim) -> str:
    first_day, last_day = repeated_claim.days
    if first_day == last_day:
        return wording.day(first_day)
    return f"{wording.day(first_day)} to {wording.day(last_day)}"


def _speaker_counts(repeated_claim: RepeatedClaim) -> str:
    speakers = repeated_claim.by_speaker()  # each with the mentions, most mentions first
    speaker_counts = []
    for name, mentions in speakers[:MAX_NAMED_SPEAKERS]:
        speaker_counts.append(f"{escape(shown_name(name))} ({len(mentions):,})")
    line = ", ".join(speaker_counts)
    if len(speakers) > MAX_NAMED_SPEAKERS:
        line += f" and {len(speakers) - MAX_NAMED_SPEAKERS} more"
    return line


def rating_html(repeated_claim: RepeatedClaim) -> str:
    """Return the rating of a fact-check, who gave it when, and the link to its article."""
    claim = repeated_claim.claim
    rating_mark = rating_badge(claim.rating, claim.rating_class)
    rating_sentence = escape(wording.rating_sentence(claim))
    claimant_words = escape(wording.claimant_and_date(claim))
    # other fact-checks of the same claim
    other_fact_checks = "".join(
        _other_fact_check_html(other_claim) for other_claim in repeated_claim.other_fact_checks
    )
    return (
        f'<div class="lx-rated">{rating_mark} {article_link(claim)}</div>'
        f'<p class="lx-said">{rating_sentence} ({claimant_words}).</p>{other_fact_checks}'
    )


def _other_fact_check_html(claim: VerifiedClaim) -> str:
    """Return another fact-check that counts the same passages, as a line."""
    rating = escape(wording.rating_sentence(claim))
    statement = escape(claim.statement)
    return f'<p class="lx-soft lx-tight">Also checked: “{statement}”. {rating}.</p>'


def passages_html(mentions: Iterable[Mention], claim_wording: str) -> str:
    """Return the mentions as a list, each with a link to its card.

    Words that ``claim_wording`` does not have are marked.
    """
    list_items = []
    for mention in mentions:
        address = card_address(mention.debate.report_id(), mention.number)
        _, marked_words = mark_differences(claim_wording, mention.text)
        marked_text = _marked_words(marked_words)
        list_items.append(
            f'<li class="lx-claim"><a href="{address}">{_debate_and_position(mention)}</a> · '
            f"{_review_state_words(mention)}<br>{marked_text}</li>"
        )
    return f'<ul class="lx-keys">{"".join(list_items)}</ul>'


def possible_mentions_html(repeated_claim: RepeatedClaim) -> str:
    """Return the uncounted passages, which may make the claim, without names of people."""
    list_items = []
    for mention in repeated_claim.possible_mentions:
        address = card_address(mention.debate.report_id(), mention.number)
        day = wording.day(mention.debate.event_date)
        debate_line = f"{day} · {escape(mention.debate.title)}"
        list_items.append(
            f'<li class="lx-claim"><a href="{address}">{debate_line}</a><br>{escape(mention.text)}</li>'
        )
    title = "To look at: may make the claim, not counted"
    return f'<h2 class="lx-h4">{title}</h2><ul class="lx-keys">{"".join(list_items)}</ul>'


def _review_state_words(mention: Mention) -> str:
    return TO_LOOK_AT if mention.state == UNREVIEWED else mention.state


def wordings_html(mentions: Sequence[Mention]) -> str:
    """Return the wordings of one speaker in order; words that are new in a wording are marked."""
    list_items = []
    previous_text: str | None = None
    for mention in mentions:
        if previous_text is None:
            text = escape(mention.text)
        else:
            _, marked_words = mark_differences(previous_text, mention.text)
            text = _marked_words(marked_words)
        list_items.append(
            f'<li class="lx-claim"><span class="lx-soft">{_debate_and_position(mention)}</span>'
            f"<br>{text}</li>"
        )
        previous_text = mention.text
    return f'<ol class="lx-keys">{"".join(list_items)}</ol>'


def hits_html(found_sentences: Iterable[SearchHit], query: str = "") -> str:
    """Return the sentences that a search found, each with its debate and a link to its card.

    The words of ``query`` are marked.
    """
    query_stems = {stem(word) for word in words_of(query).split()}
    return "".join(_hit(sentence, query_stems) for sentence in found_sentences)


def _hit(sentence: SearchHit, query_stems: set[str]) -> str:
    words = sentence.text.split()
    # each word with whether it is marked, because the query has it in some form
    text = _marked_words((word, _contains_stem(word, query_stems)) for word in words)
    speaker = escape(shown_name(sentence.speaker) or "Speaker unknown")
    label = f"{speaker} · {escape(sentence.title)} · {wording.day(sentence.event_date)}"
    # a search by words has no similarity
    similarity = ""
    if sentence.cosine is not None:
        similarity = f" · similarity {max(0.0, sentence.cosine):.0%}"
    address = card_address(_report_id(sentence), sentence.number)
    link = f'<a href="{address}">{label}</a>{similarity}'
    return f'<div class="lx-claim">{text}<br>{link}</div>'


def _contains_stem(word: str, stems: set[str]) -> bool:
    return any(stem(piece) in stems for piece in words_of(word).split())


def _report_id(found_sentence: SearchHit) -> str:
    return report_id(found_sentence.document, as_of_event=False)


def _debate_and_position(mention: Mention) -> str:
    position = wording.clock(mention.start) or f"sentence {mention.number:,}"
    speaker = escape(shown_name(mention.speaker) or "Speaker unknown")
    day = wording.day(mention.debate.event_date)
    return f"{day} · {speaker} · {escape(mention.debate.title)}, {position}"


def _marked_words(words: Iterable[tuple[str, bool]]) -> str:
    """Join words, each with whether to mark it."""
    texts = []
    for word, is_marked in words:
        text = escape(word)
        texts.append(f'<mark class="lx-differs">{text}</mark>' if is_marked else text)
    return " ".join(texts)
