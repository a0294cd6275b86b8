"""Entailment pairs made of statements by edits of what fact-checks turn on.

Figures, directions, polarity.

A statement gives a rewording (entailment), an edit that cannot be true with it (contradiction),
and another statement on the same matter (neutral); one that no rule fits gives nothing. English
surface forms only.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

import numpy as np

from training.edits.wordings import OPPOSITES, SAME
from training.shared.loaders import LABELS, Pair

NEGATIONS = (
    (
        r"\b(is|are|was|were|will|would|can|could|should|did|does|do|has been|have been)\b (?!not\b|n't)",
        r"\1 not ",
    ),
    (r"\b(has|have) (?=\w+ed\b)", r"\1 not "),
)
_FIGURE = re.compile(r"(?<![\w.])\$?(\d[\d,]*(?:\.\d+)?)(?![\w%]*-)")


def bare(statement: str) -> str:
    """Return a statement without the publisher's frame.

    Leading "Says", quotation marks around the whole.
    """
    text = re.sub(r"^Says (?:that )?", "", statement.strip())
    quoted = text[:1] in '"“' and text[-1:] in '"”'
    if quoted and not re.search(r"[\"“”]", text[1:-1]):
        text = text[1:-1]
    return text[:1].upper() + text[1:]


def other_figure(text: str, rng: random.Random) -> str | None:
    """Return the text with one figure changed by more than any rounding, a year by 2 to 9 years.

    None without one.
    """
    figures = list(_FIGURE.finditer(text))
    if not figures:
        return None
    match = rng.choice(figures)
    start, end = match.span(1)
    return text[:start] + _changed(match.group(1), rng) + text[end:]


def _changed(figure: str, rng: random.Random) -> str:
    value = float(figure.replace(",", ""))
    if figure.isdigit() and 1900 <= value <= 2030:
        sign = rng.choice((-1, 1))
        return str(int(value) + sign * rng.randint(2, 9))
    changed_value = value * rng.choice((0.3, 0.5, 1.6, 2.0, 3.0))
    decimals = len(figure.partition(".")[2])
    if "," in figure:
        changed = f"{changed_value:,.{decimals}f}"
    else:
        changed = f"{changed_value:.{decimals}f}"
    if changed == figure:
        return str(int(value) + rng.randint(2, 4))
    return changed


def opposite(text: str, rng: random.Random) -> str | None:
    """Return the text with one direction or quantifier turned round; None where there is none."""
    return swapped(text, OPPOSITES, rng)


def swapped(text: str, pairs: Sequence[tuple[str, str]], rng: random.Random) -> str | None:
    """Return the text with the longest of the words found in pairs changed for its other half.

    None without one.
    """
    fitting = []
    for first_word, second_word in pairs:
        for word, replacement in ((first_word, second_word), (second_word, first_word)):
            if re.search(rf"\b{word}\b", text):
                fitting.append((word, replacement))
    if not fitting:
        return None
    shuffled = rng.sample(fitting, len(fitting))
    word, replacement = max(shuffled, key=lambda pair: len(pair[0]))
    return re.sub(rf"\b{word}\b", replacement, text, count=1)


def negated(text: str, rng: random.Random) -> str | None:
    """Return the text with its first auxiliary negated.

    None where no auxiliary is found or it is negated already.
    """
    if re.search(r"\b(not|never|no)\b|n't\b", text):
        return None
    for pattern, replacement in NEGATIONS:
        if re.search(pattern, text):
            return re.sub(pattern, replacement, text, count=1)
    return None


def same(text: str, rng: random.Random) -> str | None:
    """Return the text in other words of equal meaning; None where no rule fits."""
    return worded_by(SAME, text, rng, most=2)


def worded_by(
    rules: Sequence[tuple[str, str]], text: str, rng: random.Random, *, most: int
) -> str | None:
    """Return the text with up to ``most`` of the rules applied once, drawn by chance.

    None where no rule fits.
    """
    fitting = [rule for rule in rules if re.search(rule[0], text)]
    for pattern, replacement in rng.sample(fitting, min(most, len(fitting))):
        text = re.sub(pattern, replacement, text, count=1)
    return text if fitting else None


def edit_pairs(statements: Iterable[str], *, seed: int) -> list[Pair]:
    """Return edited pairs of the statements, in both directions at random.

    At most one of each relation a statement.
    """
    rng = random.Random(seed)
    pairs = []
    for statement in statements:
        text = bare(statement)
        contradictions = []
        for edit in (other_figure, opposite, negated):
            edited = edit(text, rng)
            if edited:
                contradictions.append(edited)
        paraphrase = same(text, rng) or text
        if contradictions:
            pairs.append(_pair(statement, rng.choice(contradictions), "contradiction", rng))
        if paraphrase != statement:
            pairs.append(_pair(statement, paraphrase, "entailment", rng))
    return pairs


def neighbour_pairs(statements: Sequence[str], *, seed: int, count: int) -> list[Pair]:
    """Return up to ``count`` pairs of different statements on the same matter, as neutral.

    The neighbour's TF-IDF cosine is between .25 and .55: nearer ones are often the same claim in
    other words.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    rng = random.Random(seed)
    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=2)
    vectors = vectorizer.fit_transform(statements)
    drawn_indices = rng.sample(range(len(statements)), min(2 * count, len(statements)))
    pairs = []
    for start in range(0, len(drawn_indices), 500):
        block = drawn_indices[start : start + 500]
        # cosines of a block of statements with all statements, (block, n)
        block_cosines = (vectors[block] @ vectors.T).toarray()
        for index, cosines in zip(block, block_cosines, strict=True):
            fitting = np.flatnonzero((cosines > 0.25) & (cosines < 0.55))
            if not len(fitting):
                continue
            nearest = fitting[np.argsort(-cosines[fitting], kind="stable")[:5]]
            neighbour = statements[rng.choice(list(nearest))]
            pair = _pair(statements[index], neighbour, "neutral", rng)
            pairs.append(pair._replace(source="neighbours"))
    return pairs[:count]


def _pair(premise: str, hypothesis: str, relation: str, rng: random.Random) -> Pair:
    label = LABELS.index(relation)
    if rng.random() < 0.5:
        return Pair(hypothesis, premise, label, "edits")
    return Pair(premise, hypothesis, label, "edits")
