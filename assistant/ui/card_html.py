"""Builds the HTML of a sentence's card: its context, a match, the key sentences, the reasons.

All text from files is escaped here; no other module writes it into a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, NamedTuple
from urllib.parse import urlencode

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    KeySentence,
    Match,
    RatingClass,
    Stance,
    VerifiedClaim,
)
from assistant.report import wording
from assistant.report.ageing import ageing_of_match
from assistant.report.contents import address
from assistant.report.difference_notes import difference_notes, quotable_differences
from assistant.report.settled_parts import is_settling, settles
from assistant.report.speaker_names import shown_name
from assistant.report.wording import (
    REASON_SIGNS,
    Restatement,
    claimant_and_date,
    comparison_note,
    duration,
    feature_value,
    gap,
    rating_sentence,
)
from assistant.ui import difference_marks, rank_reasons
from assistant.ui.match_strength import match_strength, strength_meaning
from assistant.ui.rank_reasons import ContributionGroup, MeasureFamily
from assistant.ui.sentence_list import TEXT_NOT_EMOJI, PassageLine, Turn
from assistant.ui.shown_text import escape
from assistant.ui.theme import RATING_SIGNS
from features.language.agreement import roundings

OPPOSITE_WARNING = "The sentence may say the opposite of the claim that was rated: read both."
DIFFERENCE_WARNING = "{}. The sentence may not be the claim that was rated."
SAME_CLAIM_ANSWERS = {
    Restatement.WHOLE: "Yes, as far as Lectern can tell",
    Restatement.WHOLE_OR_PART: "Perhaps, or a part of it",
    Restatement.DIFFERENT: "Not in every part",
    Restatement.OPPOSITE: "It says the opposite",
    Restatement.UNCLEAR: "Unclear",
}
AGREEMENT_LABELS = {
    Agreement.SAME: "Matching facts",
    Agreement.DIFFERENT: "Differing facts",
    Agreement.MISSING: "Facts on one side",
}
COMPARISON_LEGEND = (
    '<p class="lx-legend"><b>in both</b> · <span class="lx-other-word">in one only</span> · '
    '<mark class="lx-differs">number, name, date or denial that differs</mark></p>'
)


class MatchParts(NamedTuple):
    """A match as HTML: both texts side by side, the rating, and the evidence below."""

    texts: str
    rating: str
    evidence: str


def rating_badge(rating: str, rating_class: str | RatingClass) -> str:
    """Return the publisher's rating with the sign and the colour of its class."""
    sign = RATING_SIGNS[RatingClass(rating_class)]
    words = escape(rating or "no rating")
    return (
        f'<span class="lx-badge lx-{sign.colour}">'
        f'<span aria-hidden="true">{sign.mark}</span> {words}</span>'
    )


def turns_html(turns: Iterable[Turn], number: int) -> str:
    """Return the turns around a sentence, with its passage and the sentence itself set off."""
    lines = "".join(_turn_html(turn, number) for turn in turns)
    return f'<div class="lx-turns" data-sentence="{number}">{lines}</div>'


def passage_html(line: PassageLine) -> str:
    """Return a passage with its time; its best sentence is set off from the other text."""
    text_before = f'<span class="lx-soft">{escape(line.text_before)}</span>'
    text_after = f'<span class="lx-soft">{escape(line.text_after)}</span>'
    time = f'<span class="lx-time">{line.time}</span>'
    return f'<p class="lx-line">{time} {text_before} {escape(line.text)} {text_after}</p>'


def rating_html(match: Match, event_date: date | None = None) -> str:
    """Return the rating of a match with its date, its gap to the debate, and the article link.

    A warning above it says if the sentence may say the opposite of the rated claim, or something
    else. The rating of an opposite claim has no colour, which would be read as that of the sentence.
    Neither has the rating of a fact-check that is too different for the list, and it is small.
    """
    claim = match.claim
    warning = _rating_warning(match)
    warning_html = f'<p class="lx-warn">{escape(warning)}</p>' if warning else ""
    rating_css_class = "lx-rated"
    if match.stance is Stance.CONTRADICTS:
        rating_css_class += " lx-of-opposite"
    if not match_strength(match):
        rating_css_class += " lx-unlisted"
    badge = rating_badge(claim.rating, claim.rating_class)
    link_and_copy_buttons = _article_link_and_copy_buttons(match)
    badge_html = f'<div class="{rating_css_class}">{badge}{_class_words(claim)} {link_and_copy_buttons}</div>'
    date_html = f'<p class="lx-said">{rating_line(match, event_date)}</p>'
    copies_note = wording.copies_note(match)  # the same text at other addresses
    copies_html = (
        f'<p class="lx-soft">{escape(copies_note.capitalize())}.</p>' if copies_note else ""
    )
    return f"{warning_html}{badge_html}{date_html}{copies_html}"


def _article_link_and_copy_buttons(match: Match) -> str:
    """Return the link to the article, and the buttons that copy a citation and a link, as HTML."""
    return f'<span class="lx-hand-over">{article_link(match.claim)} {copy_buttons(match)}</span>'


def rating_line(match: Match, event_date: date | None) -> str:
    """Return who gave the rating and when, with the gap to the debate, as HTML."""
    line = rating_sentence(match.claim)
    if event_date and match.claim.review_date:
        line += f", {gap(event_date, match.claim.review_date)}"
    return f"{escape(line)}."


def _class_words(claim: VerifiedClaim) -> str:
    """Return the class of a rating in words, "" if the publisher's words say it already."""
    class_words = RATING_SIGNS[claim.rating_class].words  # such as "rated partly true"
    _, _, key_word = class_words.rpartition(" ")
    if key_word in claim.rating.casefold():
        return ""
    return f'<span class="lx-soft">{class_words}</span>'


def _rating_warning(match: Match) -> str:
    if match.stance is Stance.CONTRADICTS:
        return OPPOSITE_WARNING
    difference = comparison_note(match)
    return DIFFERENCE_WARNING.format(difference.capitalize()) if difference else ""


def article_link(claim: VerifiedClaim) -> str:
    """Return a link that opens the article in a new tab, or "" if it has no web address.

    It names the site, unless the publisher is known to own it.
    """
    url = escape(address(claim))
    if not url:
        return ""
    # the site is named if nothing shows that it belongs to the publisher
    site = wording.unproven_site(claim)
    site_words = f" on {escape(site)}" if site else ""
    return f'<a href="{url}" target="_blank" rel="noopener">Open the article{site_words} ↗</a>'


def archive_link(claim: VerifiedClaim) -> str:
    """Return a link to the passages of other debates that make the same claim, as HTML."""
    query = escape(urlencode({"claim": claim.id}))
    return f'<p class="lx-soft"><a href="archive?{query}">Was it said in other debates?</a></p>'


def match_html(
    match: Match, sentence: str, event_date: date | None, said_by: str = ""
) -> MatchParts:
    """Return a match of a sentence as HTML, in three parts.

    ``said_by`` names the speaker, and the time of the sentence if it is known.
    """
    compared = _compared_texts(match, sentence, event_date)
    evidence = facts_html(compared, match, event_date) + key_sentences_html(match.key_sentences)
    return MatchParts(
        compared_html(compared, match, said_by), rating_html(match, event_date), evidence
    )


def _compared_texts(
    match: Match, sentence: str, event_date: date | None
) -> difference_marks.ComparedTexts:
    """Return the texts of a match with their marks, which show the differences that its notes name."""
    claim = match.claim
    differences = quotable_differences(match)
    return difference_marks.compare_texts(
        sentence, claim.statement, event_date, claim.claim_date, differences
    )


def copy_buttons(match: Match) -> str:
    """Return the buttons that copy a citation of the match and a link to its sentence.

    The list's script acts on them.
    """
    citation = escape(wording.citation(match.claim, address(match.claim)))
    return (
        '<span class="lx-handing">'
        f'<button type="button" class="lx-copy" data-cited="{citation}">Copy citation '
        "<kbd>q</kbd></button> "
        '<button type="button" class="lx-share-link">Copy link <kbd>s</kbd>'
        '</button> <span class="lx-soft lx-copied" role="status"></span></span>'
    )


def compared_html(
    compared_texts: difference_marks.ComparedTexts, match: Match, said_by: str = ""
) -> str:
    """Return the sentence and the statement side by side, differing words marked in both."""
    sentence_html = difference_marks.pieces_html(compared_texts.sentence)
    statement_html = difference_marks.pieces_html(compared_texts.statement)
    checked_on = f"Fact-checked {wording.day(match.claim.review_date, 'on an unknown day')}"
    said_line = f'<p class="lx-soft">{escape(said_by)}</p>' if said_by else ""
    return (
        '<div class="lx-beside"><div><h2 class="lx-h4">Said in this debate</h2>'
        f"<blockquote>{sentence_html}</blockquote>{said_line}</div>"
        f'<div><h2 class="lx-h4">{checked_on}</h2>'
        f"<blockquote>{statement_html}</blockquote>"
        f'<p class="lx-soft">{escape(claimant_and_date(match.claim))}</p></div></div>'
    )


def facts_html(
    compared_texts: difference_marks.ComparedTexts, match: Match, event_date: date | None
) -> str:
    """Return the differences of the two texts and the cautions of a match as a description list."""
    sentence_text = "".join(piece.text for piece in compared_texts.sentence)
    # the best description there is: notes in words, else the kinds of particulars that differ
    differing_kinds = _kinds_by_agreement(compared_texts, match).get(Agreement.DIFFERENT, "")
    difference_words = escape(". ".join(difference_notes(match)))
    other_words = escape(", ".join(wording.differences_of_texts(match, sentence_text)))
    strength = match_strength(match)
    # a fact-check that is too different for the list differs, whatever the comparison finds
    no_difference = "nothing found" if strength else ""
    facts = [("Differs", difference_words or differing_kinds or other_words or no_difference)]
    if strength:  # a newcomer needs its meaning beside the word
        facts.append((f"{strength.capitalize()} match", escape(strength_meaning(strength))))
    for label, words in _match_details(sentence_text, match, event_date):
        facts.append((label, escape(words)))
    return _facts_list(facts, "lx-facts")


def comparison_html(match: Match, sentence_text: str, event_date: date | None) -> str:
    """Return everything that was compared, for the reader who asks why a match is listed."""
    compared = _compared_texts(match, sentence_text, event_date)
    kinds_by_agreement = _kinds_by_agreement(compared, match)
    facts = [("Same claim?", SAME_CLAIM_ANSWERS[wording.restatement(match)])]
    if match.agreement:
        for value, label in AGREEMENT_LABELS.items():
            facts.append((label, kinds_by_agreement.get(value) or "none"))
    facts += _date_facts(match, event_date)
    return _facts_list(facts, "lx-compared") + COMPARISON_LEGEND


def _facts_list(facts: Iterable[tuple[str, str]], style: str) -> str:
    items = []
    for label, words in facts:
        if words:
            items.append(f"<div><dt>{label}</dt><dd>{words}</dd></div>")
    return f'<dl class="{style}">{"".join(items)}</dl>'


def key_sentences_html(key_sentences: Iterable[KeySentence]) -> str:
    """Return the key sentences of the article, verbatim, each with its reason."""
    list_items = []
    for key_sentence in key_sentences:
        list_items.append(
            f'<li><span class="lx-keysign">{_reasons_html(key_sentence)}</span>'
            f'<q class="lx-quote">{escape(key_sentence.text)}</q></li>'
        )
    if not list_items:
        return ""
    return (
        '<h2 class="lx-h4">Key sentences of the article</h2>'
        f'<ul class="lx-keys">{"".join(list_items)}</ul>'
    )


def article_html(title: str, body: str, keys: Iterable[KeySentence]) -> str:
    """Return the whole article, one paragraph per line, with the key sentences marked.

    Each kind of mark has its own line or bar and begins with its reason in words.
    """
    html_pieces = []
    copied_until = 0  # the end of the text that is in pieces
    for key_sentence in sorted(keys, key=lambda key: key.start):
        start = key_sentence.start
        end = key_sentence.end
        if start < copied_until or body[start:end] != key_sentence.text:
            continue  # the offsets belong to another edition of the article
        html_pieces.append(escape(body[copied_until:start]))
        html_pieces.append(_marked_key_sentence(key_sentence))
        copied_until = end
    html_pieces.append(escape(body[copied_until:]))
    lines = "".join(html_pieces).split("\n")
    paragraphs = "".join(f"<p>{line}</p>" for line in lines if line.strip())
    heading = f'<h2 class="lx-h4">{escape(title)}</h2>' if title else ""
    return f'<article class="lx-article">{heading}{paragraphs}</article>'


def contribution_chart(groups: Iterable[ContributionGroup]) -> str:
    """Return one horizontal bar per family: to the right for the match, to the left against it."""
    bars = "".join(_group_bar(group) for group in groups)
    return f'<div class="lx-why">{bars}</div>'


def tier_html(match: Match, checked_sentence: CheckedSentence, settings: Mapping[str, Any]) -> str:
    """Return the reasons for the tier of a match, in words and as bars.

    ``settings``: those of its report.
    """
    reason_lines = (
        rank_reasons.tier_words(match, checked_sentence, settings),
        rank_reasons.confidence_words(match, settings),
    )
    reasons_html = "".join(
        f'<p class="lx-line">{escape(line)}</p>' for line in reason_lines if line
    )
    groups = rank_reasons.tier_groups(match)
    chart_html = contribution_chart(groups) if groups else ""
    return f"{reasons_html}{chart_html}"


def technical_details(content: str) -> str:
    """Return HTML that opens on demand, one level below the reasons in words."""
    return f'<details class="lx-technical"><summary>Technical details</summary>{content}</details>'


def measures_table(families: Iterable[MeasureFamily]) -> str:
    """Return the raw features as a table, with a group of rows per family."""
    table_rows = []
    for family in families:
        family_label = escape(family.label)
        for meaning, raw_value in family.values:
            table_rows.append(
                f'<tr><th scope="row">{family_label}</th><td>{escape(meaning)}</td>'
                f"<td>{feature_value(raw_value, 3)}</td></tr>"
            )
            family_label = ""  # only the first row of a family has its label
    return (
        '<table class="lx-table"><thead><tr><th scope="col">Family</th><th scope="col">Measure</th>'
        f'<th scope="col">Value</th></tr></thead><tbody>{"".join(table_rows)}</tbody></table>'
    )


def _marked_key_sentence(key: KeySentence) -> str:
    classes = ["lx-proof", *(f"lx-{reason.name.lower()}" for reason in key.whys)]
    # paragraphs are split at line breaks, which would cut the mark in two
    text = escape(key.text).replace("\n", " ")
    tag = f'<span class="lx-tag">{_reasons_html(key)}: </span>'
    return f'<mark class="{" ".join(classes)}">{tag}{text}</mark>'


def _reasons_html(key: KeySentence) -> str:
    """Return the reasons of a key sentence, each with its sign, which screen readers skip."""
    reasons = []
    for reason in key.whys:
        sign = f"{REASON_SIGNS[reason]}{TEXT_NOT_EMOJI}"
        reasons.append(f'<span aria-hidden="true">{sign}</span> {reason}')
    return ", ".join(reasons) or escape(key.why)


def _turn_html(turn: Turn, number: int) -> str:
    texts = []
    for sentence in turn.sentences:
        text = escape(sentence.text)
        if sentence.number == number:
            text = f'<span class="lx-chosen-sentence">{text}</span>'
        elif sentence.is_in_passage:
            text = f'<span class="lx-passage">{text}</span>'
        texts.append(text)
    time = f'<span class="lx-time">{turn.time}</span> ' if turn.time else ""
    speaker = f'<span class="lx-speaker">{escape(shown_name(turn.speaker))}</span>'
    return f"<p>{time}{speaker} {' '.join(texts)}</p>"


def _kinds_by_agreement(
    compared_texts: difference_marks.ComparedTexts, match: Match
) -> dict[Agreement, str]:
    """Return the kinds of particulars that match, differ and are on one side, with their words."""
    kinds_by_value: dict[Agreement, list[str]] = {value: [] for value in Agreement}
    # kinds of particulars, such as "numbers", with how the two texts agree
    for kind, value in wording.shown_agreement(match).items():
        kind_words = _kind_words(kind, value, compared_texts)
        is_in_no_text = kind_words == kind
        if value is Agreement.MISSING and is_in_no_text:
            continue  # it is not missing on one side
        kinds_by_value[value].append(kind_words)
    return {value: "; ".join(kinds) for value, kinds in kinds_by_value.items()}


def _kind_words(kind: str, value: Agreement, compared_texts: difference_marks.ComparedTexts) -> str:
    """Return a kind of particulars with its words.

    ``numbers (3.5% here, 3.9% in the claim)``, ``numbers (half and two)``.
    """
    sentence_words = _piece_words(kind, value, compared_texts.sentence)
    claim_words = _piece_words(kind, value, compared_texts.statement)
    words_by_side = []
    if sentence_words:
        words_by_side.append(f"{sentence_words} here")
    if claim_words:
        words_by_side.append(f"{claim_words} in the claim")
    quoted_words = ", ".join(words_by_side)
    # words that both texts share are said once, unless they write it differently
    if value is Agreement.SAME and (len(words_by_side) < 2 or sentence_words == claim_words):
        quoted_words = sentence_words or claim_words
    return f"{escape(kind)} ({escape(quoted_words)})" if quoted_words else escape(kind)


def _piece_words(
    kind: str, asked_standing: Agreement, pieces: Iterable[difference_marks.Piece]
) -> str:
    """Return the pieces that make a kind the same or different, or all pieces if it is missing.

    ``half and two``, ``3, 5 and 7``.
    """
    piece_kind = difference_marks.PART_KINDS.get(kind, "")
    phrases: list[str] = []
    is_in_phrase = False
    for piece in pieces:
        if piece.text.isspace():
            continue  # the space between two pieces of a phrase doesn't end it
        has_asked_standing = asked_standing is Agreement.MISSING or piece.standing == asked_standing
        is_part_of_phrase = piece.kind == piece_kind and has_asked_standing
        if is_part_of_phrase and is_in_phrase:
            phrases[-1] += f" {piece.text}"
        elif is_part_of_phrase:
            phrases.append(piece.text)
        is_in_phrase = is_part_of_phrase
    distinct_phrases = list(dict.fromkeys(phrases))
    if len(distinct_phrases) < 2:
        return "".join(distinct_phrases)
    *first_phrases, last_phrase = distinct_phrases
    return f"{', '.join(first_phrases)} and {last_phrase}"


def _match_details(
    sentence_text: str, match: Match, event_date: date | None
) -> Iterable[tuple[str, str]]:
    """Yield the part that the claim covers, figures that agree by rounding, and signs of age."""
    statement = match.claim.statement
    coverage_label = "Covers" if is_settling(match) else "May cover"
    yield coverage_label, settles(sentence_text, statement)
    rounded_figures = [
        f"{sentence_figure} here, {claim_figure} in the claim"
        for sentence_figure, claim_figure in roundings(sentence_text, statement)
    ]
    yield "Rounded", "; ".join(rounded_figures)
    yield "May be out of date", "; ".join(ageing_of_match(match, event_date))


def _date_facts(match: Match, event_date: date | None) -> list[tuple[str, str]]:
    claim = match.claim
    gaps = []
    if claim.claim_date and event_date:
        gaps.append(f"said {gap(event_date, claim.claim_date)}")
    if claim.review_date and event_date:
        gaps.append(f"fact-checked {gap(event_date, claim.review_date)}")
    if not gaps and claim.claim_date and claim.review_date:
        days = (claim.review_date - claim.claim_date).days
        # The dates are the publisher's, who may have mistyped one.
        order = "after" if days >= 0 else "before"
        gaps.append(f"fact-checked {duration(abs(days))} {order} it was said")
    words = ", ".join(gaps) or "no dates to compare"
    if not event_date:
        words += "; the date of this debate is not set"
    return [("Dates", words)]


def _group_bar(group: ContributionGroup) -> str:
    # the colour of the bar says whether the inputs speak for or against the match
    side = "for" if group.total >= 0 else "against"
    items = []
    for contribution in group.contributions:
        raw_value = ""
        if contribution.raw_value is not None:
            raw_value = f"raw {feature_value(contribution.raw_value, 3)}"
        items.append(
            f"<li><span>{escape(contribution.meaning)}</span>"
            f"<span>{contribution.score:+.3f}</span><span>{raw_value}</span></li>"
        )
    width_percent = group.share * 50  # a bar begins in the middle of its track
    return (
        f'<details><summary><span class="lx-why-label">{escape(group.label)}</span>'
        '<span class="lx-why-track">'
        f'<span class="lx-why-bar lx-{side}" style="width:{width_percent:.1f}%"></span></span>'
        f'<span class="lx-why-value">{group.total:+.3f}</span></summary>'
        f"<ul>{''.join(items)}</ul></details>"
    )
