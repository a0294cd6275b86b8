"""Figures and dates: is the agreement that a card shows right, on 610 pairs that were labelled before it was computed?

``python -m bench.wording.figures --data DIR [--part development|test|second|tests|third]``.
The pairs (``draw``, seeded) are sentences of the sixty-three debates with the statement that is linked to them,
statements with that of another claim that shares most words with them, and statements with a documented edit of
themselves; all have a figure or a date on at least one side. ``bench/labels/figures.tsv`` holds for each its place in
the draw and two labels of a language model with a written guide (docs/research/numbers-and-dates.md, "Labels"): numbers
(same, rounds, different, missing) and dates (same, different, missing), no text. Of the first 300, odd pairs are for
building, even ones for the test; the next 150, drawn alike from claims and links that are not among the first, are a
second test; the last 160, drawn from what is in none of the 450, a third (all 45 links that were left, and more of the
other two sorts). A pair is right if both labels are met; a rounding counts as same, as in the report.
``--edits`` needs no labels: how often another figure or year that is put into a statement is found different, beside
the statement and beside a sentence of a debate that says the same in other words, and a rounding the same.
Expected: both right 89.4 % of the third part.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bench.command import command, data_option, option, printed
from bench.edits.confusions import other_figure, other_year, rounding
from bench.edits.spoken import SMALL_NUMBERS, spelled, spoken
from bench.edits.statements import words_of
from bench.label_files import label_rows
from features.language.agreement import agreement, pair_figures, particulars
from features.similarity.bm25 import BM25
from training.shared import debates as data
from training.shared import loaders
from training.shared.intervals import Share

LINKED = 130
NEIGHBOURS = 80
EDITS = 90
SEED = "figures"
SECOND_SEED = "figures, second"
THIRD_SEED = "figures, third"
# where the first set ends and the third begins
FIRST = LINKED + NEIGHBOURS + EDITS
THIRD = 450
_FIGURED = re.compile(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred|thousand|"
    r"million|billion|trillion|half|third|quarter|dozen|decade|twice|doubled?|tripled?|percent|"
    r"last (?:year|month)|this year|ago)\b", re.I
)  # fmt: skip
PARTS: dict[str, Callable[[int], bool]] = {
    "development": lambda place: place < FIRST and place % 2 == 1,
    "test": lambda place: place < FIRST and place % 2 == 0,
    "second": lambda place: FIRST <= place < THIRD,
    "tests": lambda place: place < THIRD and (place >= FIRST or place % 2 == 0),
    "third": lambda place: place >= THIRD,
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and the days they were said (ordinals, 0 if unknown).

    ``source`` names where they come from.
    """

    source: str
    ours: str
    theirs: str
    event_day: int
    claim_day: int


@dataclass(frozen=True, slots=True)
class Label:
    """The labels of a pair: numbers and dates; a rounding counts as same in the report."""

    place: int
    numbers: str
    dates: str


def draw(folder: Path) -> list[Pair]:
    """Return the pairs in a fixed order, the three sorts mixed.

    Development and test, the second test, the third.
    """
    claims_left = claims(folder)
    pairs = linked(folder, {claim["id"]: claim for claim in claims_left})
    drawn_pairs: list[Pair] = []
    for seed, sizes in (
        (SEED, (LINKED, NEIGHBOURS, EDITS)),
        (SECOND_SEED, (LINKED // 2, NEIGHBOURS // 2, EDITS // 2)),
        (THIRD_SEED, (45, 54, 61)),
    ):
        used = {word for pair in drawn_pairs for word in pair.source.split()}
        claims_left = [claim for claim in claims_left if claim["id"] not in used]
        pairs = [pair for pair in pairs if used.isdisjoint(pair.source.split())]
        drawn_pairs += _drawn(claims_left, pairs, seed, sizes)
    return drawn_pairs


def claims(folder: Path) -> list[dict]:
    """Return the claims of the database, each once."""
    return [
        claim
        for claim in loaders.rows(folder / "politifact" / "claims.jsonl.gz")
        if not claim.get("duplicate_of")
    ]


def _drawn(
    claims: Sequence[dict], pairs: Sequence[Pair], seed: str, sizes: tuple[int, int, int]
) -> list[Pair]:
    """So many linked pairs, neighbours and edits, mixed."""
    rng = random.Random(seed)
    pair_count, neighbour_count, edit_count = sizes
    # Claims with a figure; a flip or flop of a person is rated, not a figure.
    claims_with_figures = []
    for claim in claims:
        is_flip_flop = "Fl" in claim["rating"][-5:]
        if _FIGURED.search(claim["statement"]) and not is_flip_flop:
            claims_with_figures.append(claim)
    drawn_pairs = rng.sample(pairs, pair_count)
    drawn_claims = rng.sample(claims_with_figures, neighbour_count)
    drawn_pairs += neighbours(drawn_claims, claims_with_figures)
    drawn_pairs += edits(claims_with_figures, rng, edit_count)
    rng.shuffle(drawn_pairs)
    return drawn_pairs


def linked(folder: Path, claims_by_id: dict[str, dict]) -> list[Pair]:
    """Return the linked pairs of the sixty-three debates with a figure or a date on either side."""
    pairs = []
    for debate in data.others(folder):
        for pair in debate.pairs:
            if pair.claim not in claims_by_id:
                continue
            text = debate.texts[debate.lines.index(pair.line)]
            statement = claims_by_id[pair.claim]["statement"]
            if _FIGURED.search(text + " " + statement):
                source = f"{debate.item(pair.line)} {pair.claim}"
                claim_day = _day(claims_by_id[pair.claim])
                pairs.append(Pair(source, text, statement, debate.day, claim_day))
    return pairs


def neighbours(drawn_claims: Sequence[dict], figured: Sequence[dict]) -> list[Pair]:
    """Return each chosen claim with the one of the others that shares most with it by BM25."""
    scores = BM25.of([claim["statement"] for claim in figured]).scores(
        [claim["statement"] for claim in drawn_claims]
    )
    pairs = []
    for claim, line in zip(drawn_claims, scores, strict=True):
        neighbour = next(
            figured[i]
            for i in (-line).argsort().tolist()
            if figured[i]["statement"] != claim["statement"]
        )
        source = f"{claim['id']} {neighbour['id']}"
        pairs.append(
            Pair(source, claim["statement"], neighbour["statement"], _day(claim), _day(neighbour))
        )
    return pairs


def edits(figured: Sequence[dict], rng: random.Random, edit_count: int) -> list[Pair]:
    """Return statements with an edit of themselves, the six sorts of edit in turn."""
    words = words_of([claim["statement"] for claim in figured], [])
    kinds = (
        ("other figure", lambda text, day: other_figure(text, rng, words)),
        ("other year", lambda text, day: other_year(text, rng, words)),
        ("rounding", lambda text, day: rounding(text, rng, words)),
        ("in words", lambda text, day: in_words(text)),
        ("years ago", years_ago),
        ("left out", lambda text, day: left_out(text)),
    )
    pairs: list[Pair] = []
    for claim in rng.sample(list(figured), len(figured)):
        name, edit = kinds[len(pairs) % len(kinds)]
        text = spoken(claim["statement"])
        day = _day(claim)
        edited = edit(text, day) if text else None
        if edited and edited != text:
            pairs.append(Pair(f"{claim['id']} {name}", edited, claim["statement"], day, day))
        if len(pairs) == edit_count:
            break
    return pairs


def in_words(text: str) -> str | None:
    """Return the text with its figures as captions of speech may have them.

    In words, "percent" and "dollars" too.
    """

    def spoken_figure(match: re.Match[str]) -> str:
        integer_digits, _, decimals = match["value"].replace(",", "").partition(".")
        point = (
            f" point {' '.join(SMALL_NUMBERS[int(digit)] for digit in decimals)}"
            if decimals
            else ""
        )
        money = " dollars" if match["sign"] else ""
        share = " percent" if match["percent"] else ""
        return f"{spelled(int(integer_digits))}{point}{match['scale'] or ''}{money}{share}"

    value = r"(?P<sign>\$?)(?P<value>\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)"
    figure = rf"(?<![\w.,-]){value}(?P<scale> (?:m|b|tr)illion)?(?P<percent>%?)(?![\w-]|[.,]\d|/)"
    return re.sub(figure, lambda m: m[0] if _is_year(m) else spoken_figure(m), text)


def _is_year(match: re.Match[str]) -> bool:
    return bool(re.fullmatch(r"(?:1[89]|20)\d\d", match[0]))


def years_ago(text: str, day: int) -> str | None:
    """Return the text with "in 2012" and "since 2012" counted from the day it was said."""
    now = date.fromordinal(day).year

    def by_day(match: re.Match[str]) -> str:
        ago = now - int(match["year"])
        if not 1 <= ago <= 40:
            return match[0]
        if match["how"].casefold() == "since":
            return f"over the last {spelled(ago)} years" if ago > 1 else "since last year"
        return "last year" if ago == 1 else f"{spelled(ago)} years ago"

    return re.sub(
        r"\b(?P<how>in|since) (?P<year>(?:19|20)\d\d)\b(?!-)", by_day, text, count=1, flags=re.I
    )


def left_out(text: str) -> str | None:
    """Return the text with its first figure or year left vague."""
    match = re.search(
        r"(?<![\w.,-])(?:in (?:19|20)\d\d\b|\$?\d[\d,.]*\d? ?(?:percent|%|million|billion|trillion)?)(?![\w-])",
        text,
    )
    if not match:
        return None
    return (
        text[: match.start()]
        + ("in the past" if match[0].startswith("in ") else "many ")
        + text[match.end() :]
    )


def labels() -> list[Label]:
    """Return the labels of all pairs."""
    return [
        Label(int(pair_number), numbers, dates)
        for pair_number, numbers, dates in label_rows("figures.tsv")
    ]


def right(pair: Pair, label: Label) -> tuple[bool, bool]:
    """Return whether the product finds the numbers and the dates of a pair to be what their labels say."""
    agreed = agreement(pair.ours, pair.theirs, pair.event_day, pair.claim_day)
    return agreed["numbers"] == label.numbers.replace("rounds", "same"), agreed[
        "dates"
    ] == label.dates


def edit_shares(
    all_claims: Sequence[dict], pairs: Sequence[Pair], max_edits: int = 600
) -> dict[str, Share]:
    """Return how often edits are found to be what they are.

    In reworded pairs the shared figure is edited.
    """
    rng = random.Random(SEED)
    figured = [claim for claim in all_claims if _FIGURED.search(claim["statement"])]
    words = words_of([claim["statement"] for claim in figured], [])
    shares = {}
    for name, edit, kind, verdict in (
        ("other figure", other_figure, "numbers", "different"),
        ("other year", other_year, "dates", "different"),
        ("rounding", rounding, "numbers", "same"),
    ):
        edited_claims = []
        for claim in rng.sample(figured, min(5 * max_edits, len(figured))):
            text = spoken(claim["statement"])
            edited = edit(text, rng, words) if text else None
            if edited and edited != text:
                edited_claims.append((claim, edited))
        verdicts = []
        for claim, edited in edited_claims[:max_edits]:
            day = _day(claim)
            verdicts.append(agreement(edited, claim["statement"], day, day)[kind])
        shares[name] = Share.count(found_verdict == verdict for found_verdict in verdicts)
    is_different = []
    for pair in pairs:
        edited = other_figure(spoken(pair.theirs) or pair.theirs, rng, words)
        if edited and _shared(pair.ours, edited) < _shared(pair.ours, pair.theirs):
            is_different.append(agreement(pair.ours, edited)["numbers"] == "different")
    shares["other figure, reworded"] = Share.count(is_different)
    return shares


def _shared(first_text: str, second_text: str) -> int:
    return len(pair_figures(particulars(first_text).numbers, particulars(second_text).numbers)[0])


def _day(claim: dict) -> int:
    return date.fromisoformat(claim["date_said"]).toordinal() if claim.get("date_said") else 0


def shares(pairs: Sequence[Pair], labelled: Iterable[Label]) -> dict[str, Share]:
    """Return the shares of pairs whose numbers, dates and both are right."""
    hits = [right(pairs[label.place], label) for label in labelled]
    numbers, dates = zip(*hits, strict=True)
    return {
        "numbers": Share.count(numbers),
        "dates": Share.count(dates),
        "both": Share.count(map(all, hits)),
    }


def measure(options: argparse.Namespace) -> dict[str, Share]:
    """Print and return the shares of one part, or of edits, that are right."""
    if options.edits:
        table_rows = claims(options.data)
        return printed(
            edit_shares(
                table_rows,
                linked(options.data, {table_row["id"]: table_row for table_row in table_rows}),
            )
        )
    labelled = [label for label in labels() if PARTS[options.part](label.place)]
    return printed(shares(draw(options.data), labelled))


main = command(
    measure,
    data_option,
    option("--part", choices=tuple(PARTS), default="development"),
    option("--edits", action="store_true", help="measure edits of statements instead"),
)

if __name__ == "__main__":
    sys.exit(main())
