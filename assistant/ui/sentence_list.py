"""The list of sentences: a row per sentence, filters and search, the turns around one, and the component that draws it.

Moving in the list reruns only the card.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from assistant.ground.domain import CheckedSentence, KeySentence, RatingClass, Report, Tier
from assistant.reports.phrases import WHY_SIGNS, clock, deciding, publisher
from assistant.ui.component import component
from assistant.ui.theme import SIGNS

_UNSENT = ("worth", "found", "ratings")  # what filters need and the list does not show
AS_TEXT = "\ufe0e"  # behind a sign: as text, not as a picture
UNKNOWN_SPEAKER = "Unknown"
# What a row can be; the first two are shown unless the reader asks for more.
LIKELY, POSSIBLE, UNMATCHED, DROPPED = "likely", "possible", "no match", "dropped"
KINDS = (LIKELY, POSSIBLE, UNMATCHED, DROPPED)
SHOWN = (LIKELY, POSSIBLE)
VIEWS = ("Ranked", "Transcript")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list. ``kind`` is one of KINDS; the rating is that of the best match, verbatim."""

    number: int
    text: str
    speaker: str
    time: str
    kind: str
    rank: int | None
    worth: float
    reason: str
    rating: str
    rating_class: str
    publisher: str
    found: str  # statement and title of the best match: searched, not shown
    ratings: tuple[str, ...]  # the classes of all matches
    more: int  # matches beside the best
    quote: str = ""  # the key sentence of the best match that decides its rating
    sign: str = ""
    why: str = ""
    hidden: bool = False  # it has matches, and the order of matches shows none of them


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of the list. Empty tuples and ``""`` let everything through."""

    speakers: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()
    kinds: tuple[str, ...] = SHOWN
    worth: float = 0.0
    search: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive sentences of one speaker around the chosen one; ``chosen`` marks it by its number."""

    speaker: str
    time: str
    sentences: tuple[tuple[int, str], ...]


def rows(report: Report, view: str = "Ranked") -> tuple[Row, ...]:
    """Return a row per sentence: ranked ones first by rank, then the rest in reading order; or all in reading order."""
    made = [_row(s) for s in report.sentences]
    if view == "Transcript":
        return tuple(made)
    return tuple(sorted(made, key=lambda r: (r.rank is None, r.rank or 0, r.number)))


def kind(checked: CheckedSentence) -> str:
    """Return the kind of a sentence: its tier, without a match, or dropped before the search."""
    if not checked.kept:
        return DROPPED
    return str(checked.tier) if checked.tier else UNMATCHED


def keep(shown: Iterable[Row], filters: Filters) -> tuple[Row, ...]:
    """Return the rows that every filter lets through, in their order."""
    words = filters.search.casefold().split()
    return tuple(r for r in shown if _passes(r, filters) and all(w in _haystack(r) for w in words))


def speakers(shown: Iterable[Row]) -> list[tuple[str, int]]:
    """Return the speakers with their number of sentences, most first."""
    return Counter(r.speaker for r in shown).most_common()


def kind_counts(shown: Iterable[Row]) -> dict[str, int]:
    """Return how many rows there are of each kind, zero included."""
    counted = Counter(r.kind for r in shown)
    return {k: counted[k] for k in KINDS}


def rating_classes(shown: Iterable[Row]) -> list[str]:
    """Return the rating classes that occur among the matches, in the order of RatingClass."""
    present = {c for r in shown for c in r.ratings}
    return [str(c) for c in RatingClass if str(c) in present]


def chosen(shown: Sequence[Row], wanted: int | None) -> int | None:
    """Return the number of the row to show: the wanted one if it is there, else the first; none of an empty list."""
    numbers = [r.number for r in shown]
    return wanted if wanted in numbers else (numbers[0] if numbers else None)


def around(report: Report, number: int, *, before: int = 3, after: int = 2) -> list[Turn]:
    """Return the turns around a sentence: the end of the turn before, its own, the beginning of the next."""
    place = next(i for i, s in enumerate(report.sentences) if s.sentence.number == number)
    first, last = _turn_bounds(report, place)
    begin = max(_turn_bounds(report, first - 1)[0], first - before) if first else 0
    end = min(_turn_bounds(report, last)[1], last + after) if last < len(report.sentences) else last
    own = range(max(first, place - before), min(last, place + after + 1))
    spans = (range(begin, first), own, range(last, end))
    return [_turn(report, span) for span in spans if len(span)]


def disagreement(checked: CheckedSentence) -> str:
    """Return in words that publishers rate the likely matches of one sentence differently; nothing if they agree."""
    likely = [m.claim for m in checked.matches if m.tier is Tier.LIKELY]
    classes = {
        c.rating_class for c in likely if c.rating_class not in (RatingClass.OTHER, RatingClass.NOT_A_TRUTH_RATING)
    }
    if len(classes) < 2 or len({c.publisher for c in likely}) < 2:
        return ""
    ratings = dict.fromkeys(f"{publisher(c)} {c.rating}" for c in likely)
    return "Publishers differ: " + ", ".join(ratings)


def sentence(report: Report, number: int | None) -> CheckedSentence | None:
    """Return the checked sentence of a number, or nothing."""
    return next((s for s in report.sentences if s.sentence.number == number), None)


def quoted(key: KeySentence | None) -> dict[str, str]:
    """Return the fields of a row that quote a key sentence, with the sign and the words of what it is there for."""
    if key is None:
        return {}
    return {"quote": key.text, "sign": "".join(WHY_SIGNS[each] + AS_TEXT for each in key.whys[-1:]), "why": key.why}


def _row(checked: CheckedSentence) -> Row:
    sent, best = checked.sentence, checked.matches[0] if checked.matches else None
    claim, key = best.claim if best else None, deciding(best) if best else None
    return Row(
        number=sent.number,
        text=sent.text,
        speaker=sent.speaker or UNKNOWN_SPEAKER,
        time=clock(sent.start),
        kind=kind(checked),
        rank=checked.rank,
        worth=checked.check_worthiness,
        reason=checked.dropped_reason or "",
        rating=claim.rating if claim else "",
        rating_class=str(claim.rating_class) if claim else "",
        publisher=publisher(claim) if claim else "",
        found=f"{claim.statement} {claim.title} {claim.claimant}" if claim else "",
        ratings=tuple(str(m.claim.rating_class) for m in checked.matches),
        more=max(0, len(checked.matches) - 1),
        **quoted(key),
        hidden=checked.tier is not None and best is None,
    )


def _passes(row: Row, filters: Filters) -> bool:
    if filters.speakers and row.speaker not in filters.speakers:
        return False
    if filters.ratings and not set(filters.ratings) & set(row.ratings):
        return False
    return row.kind in filters.kinds and row.worth >= filters.worth


def _haystack(row: Row) -> str:
    return f"{row.text} {row.speaker} {row.rating} {row.publisher} {row.found}".casefold()


def _turn_bounds(report: Report, place: int) -> tuple[int, int]:
    """Return where the turn of a sentence begins and ends, as places in the report."""
    speaker, first, last = report.sentences[place].sentence.speaker, place, place + 1
    while first > 0 and report.sentences[first - 1].sentence.speaker == speaker:
        first -= 1
    while last < len(report.sentences) and report.sentences[last].sentence.speaker == speaker:
        last += 1
    return first, last


def _turn(report: Report, span: range) -> Turn:
    sents = [report.sentences[i].sentence for i in span]
    return Turn(sents[0].speaker or UNKNOWN_SPEAKER, clock(sents[0].start), tuple((s.number, s.text) for s in sents))


def draw(shown: Sequence[Row], *, view: str, selected: int | None, empty: str, on_select: Callable[[], None]) -> None:
    """Draw the list. The chosen number arrives in ``st.session_state["list"]["selected"]`` when ``on_select`` runs."""
    component("list")(key="list", data=payload(shown, view, selected, empty), on_selected_change=on_select)


def payload(shown: Sequence[Row], view: str, selected: int | None, empty: str) -> dict[str, Any]:
    """Return what the list draws; ``version`` changes when, and only when, the rows or the view do."""
    sent = [{k: v for k, v in asdict(row).items() if k not in _UNSENT} for row in shown]
    digest = hashlib.sha256(json.dumps([view, empty, sent]).encode()).hexdigest()[:16]
    signs = {str(c): [sign.mark, sign.colour] for c, sign in SIGNS.items()}
    return {
        "version": digest,
        "view": view.lower(),
        "rows": sent,
        "selected": selected,
        "signs": signs,
        "empty": empty,
    }
