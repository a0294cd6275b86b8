"""The list: a row a passage, or a sentence; filters and search; the turns around one.

The component that draws it.

Moving in the list reruns only the card.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypedDict

from assistant.core.domain import CheckedSentence, KeySentence, RatingClass, Tier, Why
from assistant.report.timeline import Mark
from assistant.report.view import (
    PassageGroup,
    PassageView,
    ReportView,
    is_mixed_only,
    is_one_utterance,
)
from assistant.report.wording import (
    VERDICTS,
    WHY_SIGNS,
    also_at,
    clock,
    comparison_note,
    deciding_key_sentence,
    publisher,
    time_or_numbers,
)
from assistant.ui.component import component
from assistant.ui.theme import SIGNS

_SERVER_FIELDS = (
    "worth",
    "found",
    "ratings",
    "holds",
)  # what filters need and the list does not show
# characters of a passage that a row shows around the sentence that matches best
TEXT_BEFORE_CHARS = 60
TEXT_AFTER_CHARS = 160
AS_TEXT = "\ufe0e"  # behind a sign: as text, not as a picture
UNKNOWN_SPEAKER = "Unknown"
# What a row can be; the first two are shown unless the reader asks for more.
LIKELY = "likely"
POSSIBLE = "possible"
UNMATCHED = "no match"
DROPPED = "dropped"
ROW_KINDS = (LIKELY, POSSIBLE, UNMATCHED, DROPPED)
ON_TOPIC = "on topic"  # without a match, but about what a fact-check is about: shown on demand, or with the unmatched
MIXED = "mixed rating"  # its only matches are rated half true, or not on truth, which lifts no sentence: as ON_TOPIC
BELOW_KINDS = (ON_TOPIC, MIXED)
DEFAULT_KINDS = (LIKELY, POSSIBLE)
LAYOUTS = ("Ranked", "Transcript")


@dataclass(frozen=True, slots=True)
class PassageLine:
    """A passage folded below a row, with the number of its best sentence.

    ``place`` is where it begins.
    """

    number: int
    place: str
    time: str
    text: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the list: a sentence, with its passage around it where the line is a passage's.

    ``kind`` is one of KINDS or of BELOW; the rating is that of the best match, verbatim.
    """

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
    found: (
        str  # all words of the passages, statement and title of the best match: searched, not shown
    )
    ratings: tuple[str, ...]  # the classes of all matches
    more: int  # fact-checks beside the best
    stance: str = (
        ""  # what the sentence does with the claim, where the rating is not to be read as its own
    )
    decided: str = ""  # what a person decided on the best match
    quote: str = ""  # the key sentence of the best match that decides its rating
    sign: str = ""
    why: str = ""
    hidden: bool = False  # it has matches, and the order of matches shows none of them
    before: str = ""
    after: str = ""
    also: str = ""
    folded: tuple[PassageLine, ...] = ()
    holds: tuple[int, ...] = ()  # the other sentences that stand in this row


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of the list.

    Empty tuples and ``""`` let everything through, and so does None for ``stretch``: the
    numbers of the sentences in the part of the debate that the reader marked in the picture.
    """

    speakers: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()
    kinds: tuple[str, ...] = DEFAULT_KINDS
    worth: float = 0.0
    search: str = ""
    stretch: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive sentences of one speaker.

    Number, text, whether it belongs to the passage in hand.
    """

    speaker: str
    time: str
    sentences: tuple[tuple[int, str, bool], ...]


def list_rows(view: ReportView, layout: str = "Ranked") -> tuple[Row, ...]:
    """Return a row a passage, best first, then those below the list, then the other sentences.

    Or all sentences.

    A sentence has the rank of the row in which it stands.
    """
    sentences = view.report.sentences
    if layout == "Transcript":
        return tuple(
            _sentence_row(checked, _transcript_rank(view, checked)) for checked in sentences
        )
    below = [PassageGroup(passage, ()) for passage in (*view.mixed, *view.related)]
    passage_rows = [_passage_row(group) for group in (*view.groups, *below)]
    shown_numbers = {number for row in passage_rows for number in (row.number, *row.holds)}
    others = [checked for checked in sentences if checked.sentence.number not in shown_numbers]
    others.sort(key=lambda c: (c.rank is None, c.rank or 0, c.sentence.number))
    return (*passage_rows, *(_sentence_row(checked, None) for checked in others))


def _transcript_rank(view: ReportView, checked: CheckedSentence) -> int | None:
    """Return the rank of the row in which a sentence with a tier stands."""
    group = view.group_of(checked.sentence.number)
    return group.rank if group is not None and checked.tier else None


def row_kind(checked: CheckedSentence) -> str:
    """Return the kind of a sentence.

    Its tier, one of BELOW, without a match, or dropped before the search.
    """
    if not checked.kept:
        return DROPPED
    below = MIXED if is_mixed_only(checked) else ON_TOPIC if checked.on_topic else UNMATCHED
    return str(checked.tier or below)


def filtered_rows(shown: Iterable[Row], filters: Filters) -> tuple[Row, ...]:
    """Return the rows that every filter lets through, in their order."""
    words = filters.search.casefold().split()
    return tuple(
        r for r in shown if _fits_filters(r, filters) and all(w in _searched_text(r) for w in words)
    )


def speakers(shown: Iterable[Row]) -> list[tuple[str, int]]:
    """Return the speakers with their number of sentences, most first."""
    return Counter(r.speaker for r in shown).most_common()


def kind_counts(shown: Iterable[Row]) -> dict[str, int]:
    """Return how many rows there are of each kind, zero included."""
    counted = Counter(r.kind for r in shown)
    return {k: counted[k] for k in ROW_KINDS}


def rating_classes(shown: Iterable[Row]) -> list[str]:
    """Return the rating classes that occur among the matches, in the order of RatingClass."""
    present = {c for r in shown for c in r.ratings}
    return [str(c) for c in RatingClass if str(c) in present]


def chosen_number(shown: Sequence[Row], wanted: int | None) -> int | None:
    """Return the number of the sentence to show: the wanted one if it is in a row, else the first.

    None of no rows.
    """
    there = any(wanted == r.number or wanted in r.holds for r in shown)
    return wanted if there else next((r.number for r in shown), None)


def surrounding_turns(
    view: ReportView, number: int, *, before: int = 2, after: int = 1
) -> list[Turn]:
    """Return the passage of a sentence with what it points back to and a few sentences before and after, by turns."""
    passage = view.passage_of(number)
    own = passage.placement.passage.sentences if passage else (number,)
    sents = [checked.sentence for checked in view.report.sentences]
    places = [i for i, sent in enumerate(sents) if sent.number in own]
    shown = range(max(0, places[0] - before), min(len(sents), places[-1] + after + 1))
    earlier = [i for i in range(shown[0]) if passage and sents[i].text == passage.context][-1:]
    turns: list[list[int]] = []
    for i in (*earlier, *shown):
        if turns and turns[-1][-1] == i - 1 and sents[i - 1].speaker == sents[i].speaker:
            turns[-1].append(i)
        else:
            turns.append([i])
    return [
        Turn(
            sents[turn[0]].speaker or UNKNOWN_SPEAKER,
            clock(sents[turn[0]].start),
            tuple((sents[i].number, sents[i].text, sents[i].number in own) for i in turn),
        )
        for turn in turns
    ]


def related_passages(view: ReportView, number: int) -> tuple[list[PassageLine], list[PassageLine]]:
    """Return what else stands in the row of a sentence.

    Its other passages, other matched sentences of this one.
    """
    group = view.group_of(number)
    own = view.passage_of(number)
    if group is None or own is None:
        return [], []
    repeats = [
        passage
        for passage in group.passages
        if passage is not own and not is_one_utterance(own.sentences, passage.sentences)
    ]
    others = [
        _passage_line(passage.best or passage.sentences[0], passage.sentences)
        for passage in repeats
    ]
    beside = [
        _passage_line(checked, [checked])
        for checked in own.sentences
        if checked.tier and checked.sentence.number != number
    ]
    return others, beside


def disagreement(checked: CheckedSentence) -> str:
    """Return in words that publishers rate the likely matches of one sentence differently.

    Nothing if they agree.
    """
    likely = [m.claim for m in checked.matches if m.tier is Tier.LIKELY]
    classes = {
        c.rating_class
        for c in likely
        if c.rating_class not in (RatingClass.OTHER, RatingClass.NOT_A_TRUTH_RATING)
    }
    if len(classes) < 2 or len({c.publisher for c in likely}) < 2:
        return ""
    ratings = dict.fromkeys(f"{publisher(c)} {c.rating}" for c in likely)
    return "Publishers differ: " + ", ".join(ratings)


class Quoted(TypedDict, total=False):
    """The fields of a row that quote a sentence or a claim, with a sign and its reason."""

    quote: str
    sign: str
    why: str


def _nearest(checked: CheckedSentence) -> Quoted:
    """Return the fields of a row that name the claim on whose topic a sentence is."""
    sign = WHY_SIGNS[Why.NEAREST] + AS_TEXT
    claim = checked.nearest.claim.statement if checked.nearest and checked.on_topic else ""
    return {"quote": claim, "sign": sign, "why": "on the topic of the claim"} if claim else {}


def quoted(key: KeySentence | None) -> Quoted:
    """Return the fields of a row that quote a key sentence, with the sign and the words of what it is there for."""
    if key is None:
        return {}
    return {
        "quote": key.text,
        "sign": "".join(WHY_SIGNS[each] + AS_TEXT for each in key.whys[-1:]),
        "why": key.why,
    }


def _passage_row(group: PassageGroup) -> Row:
    """Return the row of a passage with those folded below it, as the row of its best sentence."""
    sentences = group.listed.sentences
    best = group.listed.best or _nearest_sentence(group.listed)
    row = _sentence_row(best, group.rank)
    own = _passage_line(best, sentences)
    matches = [match for checked in sentences for match in checked.matches]
    listed = [checked for passage in group.passages for checked in passage.sentences]
    folded = [
        _passage_line(passage.best, passage.sentences)
        for passage in group.repeats
        if passage.best is not None
    ]
    return replace(
        row,
        time=own.time if row.time else "",
        before=own.before,
        after=own.after,
        found=" ".join([row.found, *(c.sentence.text for c in listed)]),
        ratings=tuple(str(match.claim.rating_class) for match in matches),
        more=max(0, len({match.claim.id for match in matches}) - 1),
        also=also_at([passage.place for passage in folded]),
        folded=tuple(folded),
        holds=tuple(
            c.sentence.number for c in listed if c is not best and (c.matches or c.on_topic)
        ),
    )


def _nearest_sentence(passage: PassageView) -> CheckedSentence:
    """Return the sentence that shows why a passage stands below the list."""
    mixed = [checked for checked in passage.sentences if is_mixed_only(checked)]
    near = mixed or [checked for checked in passage.sentences if checked.on_topic]
    alike = [c for c in near if not any(match.differs for match in c.matches[:1])]
    return min(alike or near, key=lambda checked: checked.rank or 0)


def _passage_line(best: CheckedSentence, passage: Sequence[CheckedSentence]) -> PassageLine:
    """Return a passage around one of its sentences, shortened before and after it."""
    number = best.sentence.number
    sents = [checked.sentence for checked in passage]
    before = " ".join(sent.text for sent in sents if sent.number < number)
    after = " ".join(sent.text for sent in sents if sent.number > number)
    return PassageLine(
        number,
        time_or_numbers(sents[0]),
        time_or_numbers(*sents),
        best.sentence.text,
        before
        if len(before) <= TEXT_BEFORE_CHARS
        else f"… {before[-TEXT_BEFORE_CHARS:].partition(' ')[2]}",
        textwrap.shorten(after, TEXT_AFTER_CHARS, placeholder=" …"),
    )


def _sentence_row(checked: CheckedSentence, rank: int | None) -> Row:
    sent = checked.sentence
    best = checked.matches[0] if checked.matches else None
    claim = best.claim if best else None
    key = deciding_key_sentence(best) if best else None
    return Row(
        number=sent.number,
        text=sent.text,
        speaker=sent.speaker or UNKNOWN_SPEAKER,
        time=clock(sent.start),
        kind=row_kind(checked),
        rank=rank,
        worth=checked.check_worthiness,
        reason=checked.dropped_reason or "",
        rating=claim.rating if claim else "",
        rating_class=str(claim.rating_class) if claim else "",
        publisher=publisher(claim) if claim else "",
        stance=comparison_note(best) if best else "",
        decided=VERDICTS.get(best.decision.verdict, "") if best and best.decision else "",
        found=f"{claim.statement} {claim.title} {claim.claimant}" if claim else "",
        ratings=tuple(str(m.claim.rating_class) for m in checked.matches),
        more=max(0, len(checked.matches) - 1),
        **(quoted(key) or _nearest(checked)),
        hidden=checked.tier is not None and best is None,
    )


def _fits_filters(row: Row, filters: Filters) -> bool:
    if filters.speakers and row.speaker not in filters.speakers:
        return False
    if filters.ratings and not set(filters.ratings) & set(row.ratings):
        return False
    if filters.stretch is not None and filters.stretch.isdisjoint(
        (row.number, *(below.number for below in row.folded))
    ):
        return False
    return row.kind in filters.kinds and row.worth >= filters.worth


def _searched_text(row: Row) -> str:
    return f"{row.text} {row.speaker} {row.rating} {row.publisher} {row.found}".casefold()


def draw_list(
    shown: Sequence[Row],
    *,
    view: str,
    selected: int | None,
    empty: str,
    on_select: Callable[[], None],
    marks: Sequence[Mark] = (),
) -> None:
    """Draw the list.

    The chosen number arrives in ``st.session_state["list"]["selected"]`` when ``on_select`` runs.

    ``marks`` are those of the picture of the debate: the list shows them as a table, and walks along them.
    """
    data = payload(shown, view, selected, empty) | {"marks": [asdict(mark) for mark in marks]}
    component("list")(key="list", data=data, on_selected_change=on_select)


def payload(shown: Sequence[Row], view: str, selected: int | None, empty: str) -> dict[str, Any]:
    """Return what the list draws.

    ``version`` changes when, and only when, the rows or the view do.
    """
    sent = [{k: v for k, v in asdict(row).items() if k not in _SERVER_FIELDS} for row in shown]
    listed = {n for row in shown for n in (row.number, *(below.number for below in row.folded))}
    if selected not in listed:  # it is in the passage of a row
        selected = next((row.number for row in shown if selected in row.holds), None)
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
