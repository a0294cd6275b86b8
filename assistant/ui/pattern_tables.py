"""Tables of MTM's patterns as HTML.

Their words, the places of key sentences, and the sentences nearest to them.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from assistant.core.domain import VerifiedClaim
from assistant.explain.patterns import Example, Learnt, Pattern
from assistant.report import wording
from assistant.report.wording import publisher
from assistant.ui.card_html import rating_badge

LABEL_WORDS = 4


def pattern_label(learnt: Learnt, number: int) -> str:
    """Return a pattern in a few words, to choose from a list."""
    pattern = next(p for p in learnt.patterns if p.number == number)
    words = [text for text, _ in (*pattern.phrases[:1], *pattern.words)][:LABEL_WORDS]
    return f"{number}: {', '.join(words)}" if words else f"{number}: no words of its own"


def patterns_table(learnt: Learnt) -> str:
    """Return the patterns as a table, those of most sentences first."""
    rows = "".join(_pattern_row(pattern) for pattern in learnt.patterns)
    heads = ("No.", "Phrases and words, with the number of sentences", "Sentences", "Place")
    top = "".join(f'<th scope="col">{head}</th>' for head in heads)
    return f'<table class="lx-table lx-patterns"><thead><tr>{top}</tr></thead><tbody>{rows}</tbody></table>'


def positions_table(learnt: Learnt) -> str:
    """Return where in the articles key sentences are found.

    A bar for each tenth, with its share in figures.
    """
    total = sum(learnt.tenths)
    if not total:
        return ""
    most = max(learnt.tenths)
    bars = "".join(
        f'<tr><th scope="row">{_tenth_name(i)}</th>'
        f'<td><span class="lx-share" style="width:{100 * n / most:.0f}%"></span></td><td>{n / total:.1%}</td></tr>'
        for i, n in enumerate(learnt.tenths)
    )
    return (
        f'<h2>Where key sentences are</h2><p class="lx-soft">{wording.count(total, "key sentence")} by the tenth of '
        f'the article that they are in.</p><table class="lx-table lx-places"><thead><tr><th scope="col">Tenth</th>'
        f'<th scope="col"><span class="lx-unseen">Bar</span></th><th scope="col">Share</th></tr></thead>'
        f"<tbody>{bars}</tbody></table>"
    )


def quotes_list(examples: Iterable[tuple[Example, VerifiedClaim | None]]) -> str:
    """Return sentences near a pattern, verbatim, each with the claim that its article is about."""
    return (
        '<ul class="lx-keys">'
        + "".join(_quote_item(example, claim) for example, claim in examples)
        + "</ul>"
    )


def _quote_item(example: Example, claim: VerifiedClaim | None) -> str:
    quoted = f'<li><q class="lx-quote">{escape(example.text)}</q>'
    if claim is None:
        return f"{quoted}</li>"
    rated = f"{rating_badge(claim.rating, claim.rating_class)} · {escape(publisher(claim) or 'not named')}"
    return f'{quoted}<span class="lx-keysign">on “{escape(claim.statement)}”<br>{rated}</span></li>'


def _pattern_row(pattern: Pattern) -> str:
    phrases = ", ".join(f"“{escape(text)}” {count:,}" for text, count in pattern.phrases)
    single = ", ".join(f"{escape(text)} {count:,}" for text, count in pattern.words)
    cell = "<br>".join(
        part
        for part in (phrases, f'<span class="lx-soft">{single}</span>' if single else "")
        if part
    )
    place = "" if pattern.place is None else f"{pattern.place:.0%}"
    return (
        f'<tr><th scope="row">{pattern.number}</th><td>{cell or "no words of its own"}</td>'
        f"<td>{pattern.sentences:,}</td><td>{place}</td></tr>"
    )


def _tenth_name(i: int) -> str:
    return ("first", "2nd", "3rd", *(f"{n}th" for n in range(4, 10)), "last")[i]
