"""Tables of MTM's patterns as HTML.

Their words, the places of key sentences, and the sentences nearest to them.
"""

from __future__ import annotations

from collections.abc import Iterable

from assistant.core.domain import VerifiedClaim
from assistant.explain.patterns import Example, LearntPatterns, Pattern
from assistant.report import wording
from assistant.report.wording import publisher
from assistant.ui.card_html import rating_badge
from assistant.ui.shown_text import escape

LABEL_WORDS = 4
LISTED_PATTERNS = 6
LISTED_PHRASES = 3


def pattern_label(learnt_patterns: LearntPatterns, number: int) -> str:
    """Return a pattern in a few words, as an option to choose."""
    words: list[str] = []
    for pattern in learnt_patterns.patterns:
        if pattern.number == number:
            # one phrase and the words, each with its number of sentences
            phrases = (*pattern.phrases[:1], *pattern.words)
            words = [text for text, _ in phrases]
    if not words:
        return f"{number}: no words of its own"
    return f"{number}: {', '.join(words[:LABEL_WORDS])}"


def patterns_table(learnt_patterns: LearntPatterns) -> str:
    """Return the patterns as a table, those of most sentences first."""
    table_rows = "".join(_pattern_row(pattern) for pattern in learnt_patterns.patterns)
    column_titles = ("No.", "Phrases and words, with the number of sentences", "Sentences", "Place")
    header_cells = "".join(f'<th scope="col">{name}</th>' for name in column_titles)
    return (
        f'<table class="lx-table lx-pattern-numbers"><thead><tr>{header_cells}</tr></thead>'
        f"<tbody>{table_rows}</tbody></table>"
    )


def phrases_list(learnt_patterns: LearntPatterns, note: str) -> str:
    """Return the most frequent patterns by their phrases, without numbers, as HTML."""
    list_items: list[str] = []
    for pattern in learnt_patterns.patterns:
        phrases = [f"<q>{escape(text)}</q>" for text, _ in pattern.phrases[:LISTED_PHRASES]]
        if phrases and len(list_items) < LISTED_PATTERNS:
            list_items.append(f"<li>{' '.join(phrases)}</li>")
    return (
        f'<h2>In which words</h2><p class="lx-soft">{note}</p>'
        f'<ol class="lx-patterns">{"".join(list_items)}</ol>'
    )


def positions_chart(learnt_patterns: LearntPatterns) -> str:
    """Return the positions of key sentences in their articles: a bar and a share per tenth."""
    total = sum(
        learnt_patterns.tenths
    )  # the number of key sentences in each tenth of their articles
    if not total:
        return ""
    largest_count = max(learnt_patterns.tenths)
    bars = []
    for index, count in enumerate(learnt_patterns.tenths):
        width_percent = 100 * count / largest_count
        bars.append(
            f'<tr><th scope="row">{_tenth_name(index)}</th>'
            f'<td><span class="lx-share" style="width:{width_percent:.0f}%"></span></td>'
            f"<td>{count / total:.0%}</td></tr>"
        )
    sentences = wording.count(total, "key sentence")
    return (
        f'<h2>Where in the article</h2><p class="lx-soft">Share of {sentences} in each tenth of '
        'the article, from its beginning to its end.</p><table class="lx-table lx-places"><thead><tr>'
        '<th scope="col">Tenth</th><th scope="col"><span class="lx-unseen">Bar</span></th>'
        f'<th scope="col">Share</th></tr></thead><tbody>{"".join(bars)}</tbody></table>'
    )


def quotes_list(examples: Iterable[tuple[Example, VerifiedClaim | None]]) -> str:
    """Return sentences near a pattern, verbatim, each with the claim of its article."""
    items = "".join(_quote_item(example, claim) for example, claim in examples)
    return f'<ul class="lx-keys">{items}</ul>'


def _quote_item(example: Example, claim: VerifiedClaim | None) -> str:
    quote = f'<q class="lx-quote">{escape(example.text)}</q>'
    if claim is None:
        return f"<li>{quote}</li>"
    badge = rating_badge(claim.rating, claim.rating_class)
    publisher_name = escape(publisher(claim) or "not named")
    return (
        f'<li>{quote}<span class="lx-keysign">on “{escape(claim.statement)}”'
        f"<br>{badge} · {publisher_name}</span></li>"
    )


def _pattern_row(pattern: Pattern) -> str:
    phrases = ", ".join(f"“{escape(text)}” {count:,}" for text, count in pattern.phrases)
    words = ", ".join(f"{escape(text)} {count:,}" for text, count in pattern.words)
    lines = []
    if phrases:
        lines.append(phrases)
    if words:
        lines.append(f'<span class="lx-soft">{words}</span>')
    texts = "<br>".join(lines) or "no words of its own"
    position = "" if pattern.place is None else f"{pattern.place:.0%}"
    return (
        f'<tr><th scope="row">{pattern.number}</th><td>{texts}</td>'
        f"<td>{pattern.sentences:,}</td><td>{position}</td></tr>"
    )


def _tenth_name(index: int) -> str:
    names = ("first", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th", "last")
    return names[index]
