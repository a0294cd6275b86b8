"""Builds the HTML of a sentence's card.

Its context, a match beside it, the key sentences, the reasons.

All text from files is escaped here; no other module writes it into a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from html import escape
from typing import Any

from assistant.core.domain import (
    Agreement,
    CheckedSentence,
    KeySentence,
    Match,
    RatingClass,
    Stance,
    Tier,
    VerifiedClaim,
)
from assistant.report import wording
from assistant.report.ageing import ageing
from assistant.report.contents import address
from assistant.report.settled_parts import settles
from assistant.report.wording import (
    STANCES,
    WHY_SIGNS,
    claimant_and_date,
    comparison_note,
    duration,
    feature_value,
    gap,
    rating_sentence,
)
from assistant.ui import difference_marks, rank_reasons
from assistant.ui.rank_reasons import ContributionGroup
from assistant.ui.sentence_list import AS_TEXT, PassageLine, Turn
from assistant.ui.term_help import term
from assistant.ui.theme import SIGNS
from features.language.agreement import roundings

OPPOSITE = "The sentence may say the opposite of the claim that was rated: read both."
DIFFERS = "{}. The sentence may not be the claim that was rated."


def rating_badge(rating: str, rating_class: str | RatingClass) -> str:
    """Return the publisher's words with the sign and the colour of their class."""
    sign = SIGNS[RatingClass(rating_class)]
    words = escape(rating or "no rating")
    return f'<span class="lx-badge lx-{sign.colour}"><span aria-hidden="true">{sign.mark}</span> {words}</span>'


def turns_html(around: Iterable[Turn], number: int) -> str:
    """Return the turns around a sentence.

    Its passage is set off from them, and the sentence from its passage.
    """
    return (
        f'<div class="lx-turns" data-sentence="{number}">'
        + "".join(_turn_html(t, number) for t in around)
        + "</div>"
    )


def passage_html(said: PassageLine) -> str:
    """Return a passage with its time, the sentence that matches best set off from the rest."""
    before, after = (
        f'<span class="lx-soft">{escape(text)}</span>' for text in (said.before, said.after)
    )
    return f'<p class="lx-line"><span class="lx-time">{said.time}</span> {before} {escape(said.text)} {after}</p>'


def rating_html(match: Match, event: date | None = None) -> str:
    """Return the rating in the publisher's words, what was done and how long before the debate, and the link to the
    article. A rating is not to be read under the wrong words: where the sentence may say the
    opposite of the claim, or differs from it, this warns.
    """
    claim = match.claim
    words = comparison_note(match)
    warning = (
        OPPOSITE
        if match.stance is Stance.CONTRADICTS
        else DIFFERS.format(words.capitalize())
        if words
        else ""
    )
    warned = f'<p class="lx-warn">{warning}</p>' if warning else ""
    apart = f", {gap(event, claim.review_date)}" if event and claim.review_date else ""
    return (
        f'<div class="lx-rated">{rating_badge(claim.rating, claim.rating_class)}'
        f'<span class="lx-soft">{SIGNS[claim.rating_class].words}</span> {article_link(claim)}</div>'
        f'<p class="lx-said">{escape(rating_sentence(claim) + apart)}.</p>{warned}'
    )


def article_link(claim: VerifiedClaim) -> str:
    """Return a link to the article, which opens beside the app.

    Nothing if its address is not a web address.
    """
    url = escape(address(claim))
    return f'<a href="{url}" target="_blank" rel="noopener">open the article ↗</a>' if url else ""


def match_html(match: Match, sentence: str, event: date | None) -> tuple[str, str, str]:
    """Return a match of a sentence in three parts.

    The rating, the two texts side by side, and the evidence below.
    """
    compared = difference_marks.compare_texts(
        sentence, match.claim.statement, event, match.claim.claim_date
    )
    below = (
        facts_html(compared, match, event),
        key_sentences_html(match.key_sentences),
    )
    return rating_html(match, event), compared_html(compared, match), "".join(below)


def copy_buttons(match: Match) -> str:
    """Return the buttons that copy a match as a citation and the address of its sentence.

    The list acts on them.
    """
    cited = escape(wording.citation(match.claim, address(match.claim)))
    return (
        f'<p class="lx-handing lx-tight"><button type="button" class="lx-copy" data-cited="{cited}">Copy as a citation '
        '<kbd>q</kbd></button> <button type="button" class="lx-share-link">Copy the link to this sentence <kbd>s</kbd>'
        '</button> <span class="lx-soft lx-copied" role="status"></span></p>'
    )


def compared_html(compared: difference_marks.ComparedTexts, match: Match) -> str:
    """Return the sentence and the statement side by side, differing words marked in both."""
    return (
        '<div class="lx-beside"><div><h2 class="lx-h4">The sentence</h2><blockquote>'
        f"{difference_marks.pieces_html(compared.sentence)}</blockquote></div>"
        '<div><h2 class="lx-h4">The claim that was checked</h2><blockquote>'
        f"{difference_marks.pieces_html(compared.statement)}</blockquote>"
        f'<p class="lx-soft">{escape(claimant_and_date(match.claim))}</p></div></div>'
        '<p class="lx-legend"><b>in both</b> · <span class="lx-other-word">in one only</span> · '
        '<mark class="lx-differs">number, name, date or denial that differs</mark></p>'
    )


def facts_html(compared: difference_marks.ComparedTexts, match: Match, event: date | None) -> str:
    """Return what agrees, what differs and what is missing, the stance, and the dates with their gaps in words."""
    sentence = "".join(piece.text for piece in compared.sentence)
    rows = [
        (term("Stance"), escape(STANCES[match.stance])),
        *_agreement(compared, match),
        *_dates(match, event),
    ]
    rows += [(label, escape(words)) for label, words in _details(sentence, match, event)]
    return (
        '<dl class="lx-facts">'
        + "".join(f"<div><dt>{k}</dt><dd>{v}</dd></div>" for k, v in rows if v)
        + "</dl>"
    )


def key_sentences_html(keys: Iterable[KeySentence]) -> str:
    """Return the sentences of the article that carry the match, verbatim, each with its reason."""
    shown = "".join(
        f'<li><span class="lx-keysign">{_reasons(k)}</span><q class="lx-quote">{escape(k.text)}</q></li>'
        for k in keys
    )
    return (
        f'<h2 class="lx-h4">Key sentences of the article</h2><ul class="lx-keys">{shown}</ul>'
        if shown
        else ""
    )


def article_html(title: str, body: str, keys: Iterable[KeySentence]) -> str:
    """Return the whole article, a paragraph a line, with the key sentences marked in place.

    Each kind of mark has its own line or bar and begins with its reason in words.
    """
    pieces = []
    last = 0
    for key in sorted(keys, key=lambda k: k.start):
        if key.start < last or body[key.start : key.end] != key.text:
            continue  # the offsets belong to another edition of the article
        pieces += [escape(body[last : key.start]), _marked_key_sentence(key)]
        last = key.end
    text = "".join([*pieces, escape(body[last:])])
    paragraphs = "".join(f"<p>{line}</p>" for line in text.split("\n") if line.strip())
    heading = f'<h2 class="lx-h4">{escape(title)}</h2>' if title else ""
    return f'<article class="lx-article">{heading}{paragraphs}</article>'


def contribution_chart(groups: Iterable[ContributionGroup]) -> str:
    """Return a horizontal bar per family, right for the match and left against it, its parts below."""
    return '<div class="lx-why">' + "".join(_group_bar(g) for g in groups) + "</div>"


def tier_html(match: Match, checked: CheckedSentence, settings: Mapping[str, Any]) -> str:
    """Return why a match of a sentence is likely or is not, in words and as bars.

    ``settings`` of its report.
    """
    lines = (
        rank_reasons.tier_words(match, checked, settings),
        rank_reasons.confidence_words(match, settings),
    )
    reasons = "".join(f'<p class="lx-line">{escape(line)}</p>' for line in lines if line)
    return reasons + (
        contribution_chart(groups) if (groups := rank_reasons.tier_groups(match)) else ""
    )


def measures_table(families: Iterable[tuple[str, tuple[tuple[str, float], ...]]]) -> str:
    """Return the raw measures as a table, a group of rows per family."""
    rows = "".join(
        f'<tr><th scope="row">{escape(label) if i == 0 else ""}</th><td>{escape(meaning)}</td>'
        f"<td>{feature_value(value, 3)}</td></tr>"
        for label, values in families
        for i, (meaning, value) in enumerate(values)
    )
    return (
        '<table class="lx-table"><thead><tr><th scope="col">Family</th><th scope="col">Measure</th>'
        f'<th scope="col">Value</th></tr></thead><tbody>{rows}</tbody></table>'
    )


def _marked_key_sentence(key: KeySentence) -> str:
    kinds = "".join(f" lx-{each.name.lower()}" for each in key.whys)
    text = escape(key.text).replace(
        "\n", " "
    )  # paragraphs are split at line breaks, which would cut the mark in two
    return (
        f'<mark class="lx-proof{kinds}"><span class="lx-tag">{_reasons(key)}: </span>{text}</mark>'
    )


def _reasons(key: KeySentence) -> str:
    """Return why a key sentence is shown, each reason with its sign, which screen readers skip."""
    reasons = (
        f'<span aria-hidden="true">{WHY_SIGNS[each]}{AS_TEXT}</span> {each}' for each in key.whys
    )
    return ", ".join(reasons) or escape(key.why)


def _turn_html(turn: Turn, number: int) -> str:
    kinds = (
        "lx-chosen-sentence" if n == number else "lx-passage" if own else ""
        for n, _, own in turn.sentences
    )
    texts = (escape(text) for _, text, _ in turn.sentences)
    sentences = " ".join(
        f'<span class="{kind}">{text}</span>' if kind else text
        for kind, text in zip(kinds, texts, strict=True)
    )
    time = f'<span class="lx-time">{turn.time}</span> ' if turn.time else ""
    return f'<p>{time}<span class="lx-speaker">{escape(turn.speaker)}</span> {sentences}</p>'


def _agreement(compared: difference_marks.ComparedTexts, match: Match) -> list[tuple[str, str]]:
    parts: dict[Agreement, list[str]] = {value: [] for value in Agreement}
    for part, value in match.agreement.items():
        words = _part_words(part, value, compared)
        if (
            value is not Agreement.MISSING or words != part
        ):  # what neither side names is not missing
            parts[value].append(words)
    labels = (
        (Agreement.SAME, "Same"),
        (Agreement.DIFFERENT, "Different"),
        (Agreement.MISSING, "Missing"),
    )
    return (
        [(label, "; ".join(parts[value]) or "none") for value, label in labels]
        if match.agreement
        else []
    )


def _part_words(part: str, value: Agreement, compared: difference_marks.ComparedTexts) -> str:
    """Return a part with its words.

    ``numbers (3.5% here, 3.9% in the claim)``, ``numbers (half and two)``.
    """
    here, there = (
        _piece_words(part, value, side) for side in (compared.sentence, compared.statement)
    )
    if value is Agreement.SAME and (here == there or not (here and there)):
        words = here or there
    else:
        words = ", ".join(
            f"{w} {where}" for w, where in ((here, "here"), (there, "in the claim")) if w
        )
    return f"{escape(part)} ({escape(words)})" if words else escape(part)


def _piece_words(part: str, value: Agreement, pieces: Iterable[difference_marks.Piece]) -> str:
    """Return what makes a part the same or different, or all of a missing one.

    ``half and two``, ``3, 5 and 7``.
    """
    kind = difference_marks.PART_KINDS.get(part, "")
    phrases = [""]
    ended = True
    for piece in pieces:
        wanted = piece.kind == kind and value in (Agreement.MISSING, piece.standing)
        if wanted:
            phrases = (
                [*phrases, piece.text] if ended else [*phrases[:-1], f"{phrases[-1]} {piece.text}"]
            )
        if not piece.text.isspace():
            ended = not wanted
    *most, last = dict.fromkeys(phrases[1:] or [""])
    return f"{', '.join(most)} and {last}" if most else last


def _details(sentence: str, match: Match, event: date | None) -> Iterable[tuple[str, str]]:
    """Return which part the claim settles, which figures agree only by rounding, and why it may have aged."""
    rounded = roundings(sentence, match.claim.statement)
    yield (
        "Settles" if match.tier is Tier.LIKELY else "May settle",
        settles(sentence, match.claim.statement),
    )
    yield "Rounds to", "; ".join(f"{here} here, {there} in the claim" for here, there in rounded)
    yield "Age", "; ".join(ageing(match.claim, event))


def _dates(match: Match, event: date | None) -> list[tuple[str, str]]:
    claim = match.claim
    gaps = []
    if claim.claim_date and event:
        gaps.append(f"said {gap(event, claim.claim_date)}")
    if claim.review_date and event:
        gaps.append(f"checked {gap(event, claim.review_date)}")
    if not gaps and claim.claim_date and claim.review_date:
        gaps.append(
            f"checked {duration(abs((claim.review_date - claim.claim_date).days))} after it was said"
        )
    note = "" if event else "; the date of this debate is not set"
    return [("Dates", ", ".join(gaps) + note if gaps else f"no dates to compare{note}")]


def _group_bar(group: ContributionGroup) -> str:
    side = "for" if group.contribution >= 0 else "against"
    parts = "".join(
        f"<li><span>{escape(p.meaning)}</span><span>{p.contribution:+.3f}</span>"
        f"<span>{'' if p.raw is None else f'raw {feature_value(p.raw, 3)}'}</span></li>"
        for p in group.parts
    )
    return (
        f'<details><summary><span class="lx-why-label">{escape(group.label)}</span>'
        f'<span class="lx-why-track"><span class="lx-why-bar lx-{side}" style="width:{group.share * 50:.1f}%">'
        "</span></span>"
        f'<span class="lx-why-value">{group.contribution:+.3f}</span></summary><ul>{parts}</ul></details>'
    )
