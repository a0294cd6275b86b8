"""The list of a report: one row per passage or per sentence, its filters, and its component.

A move in the list reruns only the card.
"""

from __future__ import annotations

import hashlib
import json
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, NamedTuple, TypedDict

from assistant.core.domain import (
    CheckedSentence,
    KeySentence,
    Match,
    RatingClass,
    Sentence,
    Stance,
    Tier,
    Why,
)
from assistant.passages.listing import is_one_utterance, wording_aside
from assistant.report import wording
from assistant.report.speaker_names import shown_name
from assistant.report.timeline import Mark
from assistant.report.view import (
    PassageGroup,
    PassageView,
    ReportView,
    is_mixed_only,
    shown_match,
)
from assistant.report.wording import (
    REASON_SIGNS,
    VERDICTS,
    also_at,
    clock,
    comparison_note,
    deciding_key_sentence,
    publisher,
    time_or_numbers,
)
from assistant.review import review_queue
from assistant.ui.component import component
from assistant.ui.match_strength import match_strength
from assistant.ui.theme import RATING_SIGNS

# fields for the filters, which the browser does not need
_SERVER_FIELDS = (
    "worth",
    "searched_text",
    "rating_publisher",
    "other_sentences",
    "statement_verdict",
    "match_verdicts",
)
VERSION_DIGITS = 16
# length of the texts that a row shows around its best sentence
TEXT_BEFORE_CHARS = 60
TEXT_AFTER_CHARS = 160
TEXT_NOT_EMOJI = "\ufe0e"  # variation selector: show the sign before it as text, not as an emoji
UNKNOWN_SPEAKER = "Unknown"
# Kinds of rows; the first two are shown unless the reader asks for more.
LIKELY = "likely"
POSSIBLE = "possible"
UNMATCHED = "no match"
DROPPED = "dropped"
ROW_KINDS = (LIKELY, POSSIBLE, UNMATCHED, DROPPED)
# without a match, but on the topic of a fact-check; shown on demand
ON_TOPIC = "on topic"
# all matches are rated half true or not on truth; shown like ON_TOPIC
MIXED = "mixed rating"
# questions, forms of address, captions and moderators with a match; shown like ON_TOPIC
ASIDE = "no statement"
BELOW_KINDS = (ON_TOPIC, MIXED, ASIDE)
DEFAULT_KINDS = (LIKELY, POSSIBLE)
OPEN = "open"  # no decision yet
REJECTED = "reject"
LATER = "later"
RANKED = "Best first"
IN_ORDER = "Transcript"
LAYOUTS = (RANKED, IN_ORDER)


@dataclass(frozen=True, slots=True)
class PassageLine:
    """A passage grouped below a row, with the number of its best sentence.

    ``beginning`` is the time or sentence number at which the passage begins.
    """

    number: int
    beginning: str
    time: str
    text: str
    text_before: str
    text_after: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the list: a sentence, or a passage around its best sentence.

    ``kind`` is one of ROW_KINDS or of BELOW_KINDS; the rating is that of the best match, verbatim.
    """

    number: int
    text: str
    speaker: str
    time: str
    kind: str
    rank: int | None
    worth: float  # check-worthiness, 0 to 1
    reason: str = ""  # why the sentence was dropped
    rating: str = ""
    rating_class: str = ""
    publisher: str = ""
    # the words of the passages, the best statement and its title: searched, not shown
    searched_text: str = ""
    rating_publisher: str = ""  # the publisher of the best match, as its claim names it
    name: str = ""  # the speaker as screens show it
    strength: str = ""  # one of match_strength.STRENGTHS, for the best match
    claim: str = ""  # the statement of the best match, or of the nearest fact-check
    checked_in: str = ""  # month and year of the check: "Sep 2010"
    verdict: str = ""  # the verdict of the decision on the best match
    statement_verdict: str = ""  # the decision on the statement, PassageGroup.verdict
    match_verdicts: tuple[str, ...] = ()  # the verdicts on all matches, "" for an open one
    other_matches: int = 0  # number of further fact-checks
    stance: str = ""  # a caution if the rating does not apply to the sentence as it is
    opposite: bool = False  # it may say the opposite of the rated claim: the rating has no colour
    decided: str = ""  # the reviewer's decision on the best match
    quote: str = ""  # the key sentence of the best match that decides its rating
    sign: str = ""
    quote_reason: str = ""
    hidden: bool = False  # it has matches, and the order of matches shows none of them
    text_before: str = ""
    text_after: str = ""
    also: str = ""
    grouped: tuple[PassageLine, ...] = ()
    other_sentences: tuple[int, ...] = ()  # numbers of further sentences in this row
    comments: int = 0  # number of comments on its matches


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of the list.

    Empty tuples and ``""`` let everything through, and so does None for ``marked_sentences``: the
    numbers of the sentences in the range that the reader marked in the timeline.
    """

    speakers: tuple[str, ...] = ()
    ratings: tuple[str, ...] = ()
    kinds: tuple[str, ...] = DEFAULT_KINDS
    min_worthiness: float = 0.0
    search: str = ""
    strengths: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    publishers: tuple[str, ...] = ()
    counts_every_match: bool = False  # ``decisions`` are of any match, not of the best one
    marked_sentences: frozenset[int] | None = None
    assigned_sentences: frozenset[int] | None = None  # to the visitor, with the filter Mine


_SHOWN_FIELDS = [field.name for field in fields(Row) if field.name not in _SERVER_FIELDS]


class TurnSentence(NamedTuple):
    """A sentence of a turn, and whether it belongs to the shown passage."""

    number: int
    text: str
    is_in_passage: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive sentences of one speaker."""

    speaker: str
    time: str
    sentences: tuple[TurnSentence, ...]


class RelatedPassages(NamedTuple):
    """Other passages in the row of a sentence, and other matched sentences of its own passage."""

    passages: list[PassageLine]
    sentences: list[PassageLine]


def list_rows(view: ReportView, layout: str = RANKED) -> tuple[Row, ...]:
    """Return the rows of a layout.

    Ranked: one row per passage, best first, then those below the list, then the other sentences.
    Transcript: one row per sentence, each with the rank of the row that it is grouped in.
    """
    sentences = view.report.sentences
    if layout == IN_ORDER:
        return tuple(
            _sentence_row(view, checked, _transcript_rank(view, checked)) for checked in sentences
        )
    listed_rows = [_passage_row(view, group) for group in view.groups]
    listed_rows.sort(key=lambda row: row.verdict == REJECTED)  # rejected rows sink to the end
    # passages below the list: each has a row without repeats
    passages_below = (*view.mixed, *view.related, *view.aside)
    rows_below = [_passage_row(view, PassageGroup(passage, ())) for passage in passages_below]
    passage_rows = [*listed_rows, *rows_below]
    rowless_sentences = _sentences_without_row(sentences, passage_rows)
    rowless_sentences.sort(key=_rank_order)
    sentence_rows = [_sentence_row(view, checked, None) for checked in rowless_sentences]
    return (*passage_rows, *sentence_rows)


def put_off_last(rows: Sequence[Row], *, counts_every_match: bool) -> tuple[Row, ...]:
    """Return rows with those marked Later at the end of the listed ones, before rejected rows."""
    listed_rows = [row for row in rows if row.kind in DEFAULT_KINDS]
    other_rows = [row for row in rows if row.kind not in DEFAULT_KINDS]

    def order(row: Row) -> int:
        verdicts = row_verdicts(row, counts_every_match=counts_every_match)
        if row.verdict == REJECTED:
            return 2
        return 1 if LATER in verdicts and OPEN not in verdicts else 0

    return (*sorted(listed_rows, key=order), *other_rows)


def _sentences_without_row(
    sentences: Iterable[CheckedSentence], passage_rows: Iterable[Row]
) -> list[CheckedSentence]:
    """Return the sentences that no row of a passage shows."""
    shown_numbers: set[int] = set()
    for row in passage_rows:
        shown_numbers.add(row.number)
        shown_numbers.update(row.other_sentences)
    return [
        checked_sentence
        for checked_sentence in sentences
        if checked_sentence.sentence.number not in shown_numbers
    ]


def _rank_order(checked_sentence: CheckedSentence) -> tuple[bool, int, int]:
    """Return the sort key by rank; sentences without a rank come last, in their order."""
    return (
        checked_sentence.rank is None,
        checked_sentence.rank or 0,
        checked_sentence.sentence.number,
    )


def _transcript_rank(view: ReportView, checked_sentence: CheckedSentence) -> int | None:
    """Return the rank of the row of a sentence that has a tier."""
    group = view.group_of(checked_sentence.sentence.number)
    return group.rank if group is not None and checked_sentence.listed_tier else None


def row_kind(view: ReportView, checked_sentence: CheckedSentence) -> str:
    """Return the kind of a sentence: its tier, one of BELOW_KINDS, without a match, or dropped."""
    if not checked_sentence.kept:  # skipped as not checkable, before the search
        return DROPPED
    if not checked_sentence.matches:  # found none, or the chosen order of matches hides them
        return ON_TOPIC if checked_sentence.on_topic else UNMATCHED
    passage = view.passage_of(checked_sentence.sentence.number)
    is_in_aside = passage is not None and passage.placement.aside
    if is_in_aside or wording_aside(checked_sentence):  # such as a question or a form of address
        return ASIDE
    if view.skips_mixed and is_mixed_only(checked_sentence):
        return MIXED
    if checked_sentence.listed_tier:
        return str(checked_sentence.listed_tier)
    return ON_TOPIC if checked_sentence.on_topic else UNMATCHED


def filtered_rows(rows: Iterable[Row], filters: Filters) -> tuple[Row, ...]:
    """Return the rows that every filter lets through, in their order."""
    searched_words = filters.search.casefold().split()
    fitting_rows = []
    for row in rows:
        if not _fits_filters(row, filters):
            continue
        row_text = _searched_text(row)
        if all(word in row_text for word in searched_words):
            fitting_rows.append(row)
    return tuple(fitting_rows)


def speakers(rows: Iterable[Row]) -> list[tuple[str, int]]:
    """Return the speakers with their number of sentences, most first."""
    return Counter(row.speaker for row in rows).most_common()


def kind_counts(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many rows there are of each kind, zero included."""
    counts = Counter(row.kind for row in rows)
    return {kind: counts[kind] for kind in ROW_KINDS}


def rating_classes(rows: Iterable[Row]) -> list[str]:
    """Return the rating classes that the rows show, in the order of RatingClass."""
    occurring_classes = {row.rating_class for row in rows}
    return [
        str(rating_class) for rating_class in RatingClass if str(rating_class) in occurring_classes
    ]


def chosen_number(rows: Sequence[Row], requested: int | None) -> int | None:
    """Return the number of the sentence to show: the requested one if a row has it, else the first.

    None without rows.
    """
    for row in rows:
        if requested in (row.number, *row.other_sentences):
            return requested
    return rows[0].number if rows else None


def surrounding_turns(
    view: ReportView, number: int, *, sentences_before: int = 2, sentences_after: int = 1
) -> list[Turn]:
    """Return the passage of a sentence with a few sentences before and after it, by turns.

    The earlier sentence that the passage points back to comes first.
    """
    passage = view.passage_of(number)
    passage_numbers = passage.placement.passage.sentences if passage else (number,)
    sentences = [checked_sentence.sentence for checked_sentence in view.report.sentences]
    passage_indices = [
        index for index, sentence in enumerate(sentences) if sentence.number in passage_numbers
    ]
    # the passage with its neighbours
    first_index = max(0, passage_indices[0] - sentences_before)
    end_index = min(len(sentences), passage_indices[-1] + 1 + sentences_after)
    shown_indices = list(range(first_index, end_index))
    # the earlier sentence that the passage answers or points back to, by its text
    context_indices = [
        index
        for index in range(first_index)
        if passage and sentences[index].text == passage.context
    ]
    shown_indices = context_indices[-1:] + shown_indices
    turns = []
    for turn_indices in _split_into_turns(sentences, shown_indices):
        turn_sentences = [sentences[index] for index in turn_indices]
        turns.append(_turn(turn_sentences, passage_numbers))
    return turns


def _split_into_turns(sentences: Sequence[Sentence], indices: Iterable[int]) -> list[list[int]]:
    """Split sentence indices where the speaker changes or sentences are left out."""
    turns: list[list[int]] = []
    previous_index: int | None = None
    for index in indices:
        follows_previous = previous_index == index - 1
        if follows_previous and sentences[index].speaker == sentences[index - 1].speaker:
            turns[-1].append(index)
        else:
            turns.append([index])
        previous_index = index
    return turns


def _turn(sentences: Sequence[Sentence], passage_numbers: Collection[int]) -> Turn:
    """Return the sentences as a turn of the first one's speaker; mark those in the passage."""
    turn_sentences = []
    for sentence in sentences:
        is_in_passage = sentence.number in passage_numbers
        turn_sentences.append(TurnSentence(sentence.number, sentence.text, is_in_passage))
    speaker = sentences[0].speaker or UNKNOWN_SPEAKER
    return Turn(speaker, clock(sentences[0].start), tuple(turn_sentences))


def related_passages(view: ReportView, number: int) -> RelatedPassages:
    """Return the other passages and sentences in the row of a sentence."""
    group = view.group_of(number)
    passage_of_sentence = view.passage_of(number)
    if group is None or passage_of_sentence is None:
        return RelatedPassages([], [])
    passages = []
    for passage in group.passages:
        if passage is passage_of_sentence or is_one_utterance(
            passage_of_sentence.sentences, passage.sentences
        ):
            continue
        best = passage.best or passage.sentences[0]
        passages.append(_passage_line(best, passage.sentences))
    sentences = []
    for checked_sentence in passage_of_sentence.sentences:
        if checked_sentence.listed_tier and checked_sentence.sentence.number != number:
            sentences.append(_passage_line(checked_sentence, [checked_sentence]))
    return RelatedPassages(passages, sentences)


def publisher_disagreement(checked_sentence: CheckedSentence) -> str:
    """Return in words that publishers rate the likely matches of one sentence differently, or ""."""
    likely_claims = [match.claim for match in checked_sentence.matches if match.tier is Tier.LIKELY]
    publisher_names = {claim.publisher for claim in likely_claims}
    rating_classes = {claim.rating_class for claim in likely_claims}
    # two ratings differ only if both say how true the claim is
    truth_classes = rating_classes - {RatingClass.OTHER, RatingClass.NOT_A_TRUTH_RATING}
    if len(publisher_names) < 2 or len(truth_classes) < 2:
        return ""
    publisher_ratings = [f"{publisher(claim)} {claim.rating}" for claim in likely_claims]
    distinct_ratings = dict.fromkeys(publisher_ratings)  # in the order of the matches
    return "Publishers differ: " + ", ".join(distinct_ratings)


class QuoteFields(TypedDict, total=False):
    """The fields of a row that quote a sentence or a claim, with a sign and its reason."""

    quote: str
    sign: str
    quote_reason: str


def _nearest_claim_fields(checked_sentence: CheckedSentence) -> QuoteFields:
    """Return the fields of a row that quote the claim about the topic of a sentence."""
    if checked_sentence.nearest is None or not checked_sentence.on_topic:
        return {}
    statement = checked_sentence.nearest.claim.statement
    if not statement:
        return {}
    sign = f"{REASON_SIGNS[Why.NEAREST]}{TEXT_NOT_EMOJI}"
    return {"quote": statement, "sign": sign, "quote_reason": "on the topic of the claim"}


def quote_fields(key_sentence: KeySentence | None) -> QuoteFields:
    """Return the fields of a row that quote a key sentence, with the sign and words of its reason."""
    if key_sentence is None:
        return {}
    sign = ""
    reasons = key_sentence.whys  # the reasons to show the sentence
    if reasons:
        sign = f"{REASON_SIGNS[reasons[-1]]}{TEXT_NOT_EMOJI}"
    return {"quote": key_sentence.text, "sign": sign, "quote_reason": key_sentence.why}


def _passage_row(view: ReportView, group: PassageGroup) -> Row:
    """Return the row of a passage: its best sentence, with the texts around it and repeats below."""
    # the row shows the passage group.listed; the other passages of the group repeat its statement
    listed_sentences = group.listed.sentences
    best = group.listed.best or _sentence_explaining_passage(group.listed)
    best_row = _sentence_row(view, best, group.rank)
    passage_line = _passage_line(best, listed_sentences)
    passage_matches = [
        match for checked_sentence in listed_sentences for match in checked_sentence.matches
    ]
    claim_ids = {match.claim.id for match in passage_matches}
    match_verdicts = []
    if group.listed.best is not None:
        match_verdicts = [item.verdict for item in review_queue.group_items(group)]
    group_sentences = [
        checked_sentence for passage in group.passages for checked_sentence in passage.sentences
    ]
    group_texts = [checked_sentence.sentence.text for checked_sentence in group_sentences]
    repeat_lines = []
    for passage in group.repeats:
        if passage.best is not None:
            repeat_lines.append(_passage_line(passage.best, passage.sentences))
    other_sentences = []
    for checked_sentence in group_sentences:
        has_fact_check = checked_sentence.matches or checked_sentence.on_topic
        if checked_sentence is not best and has_fact_check:
            other_sentences.append(checked_sentence.sentence.number)
    # the fields of the best sentence, with those replaced that are about the whole passage
    return replace(
        best_row,
        time=passage_line.time if best_row.time else "",
        text_before=passage_line.text_before,
        text_after=passage_line.text_after,
        searched_text=" ".join([best_row.searched_text, *group_texts]),
        statement_verdict=group.verdict,
        match_verdicts=tuple(match_verdicts),
        other_matches=max(0, len(claim_ids) - 1),
        also=also_at([repeat.beginning for repeat in repeat_lines]),
        grouped=tuple(repeat_lines),
        other_sentences=tuple(other_sentences),
    )


def _sentence_explaining_passage(passage: PassageView) -> CheckedSentence:
    """Return the sentence that shows why a passage is below the list."""
    if passage.placement.aside:  # a question, for example: any match shows what it is about
        candidates = [
            checked_sentence for checked_sentence in passage.sentences if checked_sentence.matches
        ]
    else:  # its ratings are mixed, such as half true
        candidates = [
            checked_sentence
            for checked_sentence in passage.sentences
            if is_mixed_only(checked_sentence)
        ]
    if not candidates:  # a fact-check is on its topic, but doesn't match
        candidates = [
            checked_sentence for checked_sentence in passage.sentences if checked_sentence.on_topic
        ]
    # a sentence whose best match may be of another claim is shown only if there is no other
    sentences_without_conflict = [
        checked_sentence
        for checked_sentence in candidates
        if not (checked_sentence.matches and checked_sentence.matches[0].differs)
    ]
    return min(
        sentences_without_conflict or candidates,
        key=lambda checked_sentence: checked_sentence.rank or 0,
    )


def passage_line(view: ReportView, checked_sentence: CheckedSentence) -> PassageLine:
    """Return the passage of a sentence around it."""
    passage = view.passage_of(checked_sentence.sentence.number)
    sentences = passage.sentences if passage else [checked_sentence]
    return _passage_line(checked_sentence, sentences)


def _passage_line(best: CheckedSentence, passage: Sequence[CheckedSentence]) -> PassageLine:
    """Return a passage around one of its sentences, shortened before and after it."""
    number = best.sentence.number
    sentences = [checked_sentence.sentence for checked_sentence in passage]
    text_before = " ".join(sentence.text for sentence in sentences if sentence.number < number)
    text_after = " ".join(sentence.text for sentence in sentences if sentence.number > number)
    if len(text_before) > TEXT_BEFORE_CHARS:
        # the end of the text from its first space on, so that no word is cut
        _, _, whole_words = text_before[-TEXT_BEFORE_CHARS:].partition(" ")
        text_before = f"… {whole_words}"
    return PassageLine(
        number=number,
        beginning=time_or_numbers(sentences[0]),
        time=time_or_numbers(*sentences),
        text=best.sentence.text,
        text_before=text_before,
        text_after=textwrap.shorten(text_after, TEXT_AFTER_CHARS, placeholder=" …"),
    )


def _sentence_row(view: ReportView, checked_sentence: CheckedSentence, rank: int | None) -> Row:
    """Return the row of a sentence. A debate has thousands, so each is built in one step."""
    sentence = checked_sentence.sentence
    speaker = sentence.speaker or UNKNOWN_SPEAKER
    if checked_sentence.matches:
        match_fields = _match_fields(checked_sentence)
    else:
        match_fields = _unmatched_fields(checked_sentence)
    return Row(
        number=sentence.number,
        text=sentence.text,
        speaker=speaker,
        time=clock(sentence.start),
        kind=row_kind(view, checked_sentence),
        rank=rank,
        worth=checked_sentence.check_worthiness,
        reason=checked_sentence.dropped_reason or "",
        name=shown_name(speaker),
        **match_fields,
    )


def _unmatched_fields(checked_sentence: CheckedSentence) -> dict[str, Any]:
    """Return the fields of a row without a shown match: its nearest claim, if it is related."""
    row_fields: dict[str, Any] = {"hidden": checked_sentence.tier is not None}
    if checked_sentence.on_topic and checked_sentence.nearest is not None:
        claim = checked_sentence.nearest.claim
        row_fields["claim"] = claim.statement
        row_fields["checked_in"] = wording.month(claim.review_date)
        row_fields.update(_nearest_claim_fields(checked_sentence))
    return row_fields


def _match_fields(checked_sentence: CheckedSentence) -> dict[str, Any]:
    """Return the fields of a row about its matches."""
    best_match = shown_match(checked_sentence)
    claim = best_match.claim
    quote_values = quote_fields(deciding_key_sentence(best_match)) or _nearest_claim_fields(
        checked_sentence
    )
    return {
        **best_match_fields(best_match),
        **decision_fields(best_match),
        "searched_text": f"{claim.statement} {claim.title} {claim.claimant}",
        "match_verdicts": _verdicts(checked_sentence.matches),
        "other_matches": len(checked_sentence.matches) - 1,
        **quote_values,
    }


def best_match_fields(best_match: Match) -> dict[str, Any]:
    """Return the fields of a row about its best match: strength, claim, rating and publisher."""
    claim = best_match.claim
    return {
        "strength": match_strength(best_match),
        "claim": claim.statement or claim.title,
        "checked_in": wording.month(claim.review_date),
        "rating": claim.rating,
        "rating_class": str(claim.rating_class),
        "publisher": publisher(claim),
        "rating_publisher": claim.publisher,
        "stance": comparison_note(best_match),
        "opposite": best_match.stance is Stance.CONTRADICTS,
    }


def decision_fields(best_match: Match) -> dict[str, str]:
    """Return the fields of a row about the decision on its best match."""
    verdict = best_match.decision.verdict if best_match.decision else ""
    return {"verdict": verdict, "decided": VERDICTS.get(verdict, "")}


def _verdicts(matches: Iterable[Match]) -> tuple[str, ...]:
    """Return the verdict on each match, "" for an undecided one."""
    return tuple(match.decision.verdict if match.decision else "" for match in matches)


def _fits_filters(row: Row, filters: Filters) -> bool:
    if filters.speakers and row.speaker not in filters.speakers:
        return False
    # A row has the rating, the publisher and the strength of the match that it shows.
    if filters.ratings and row.rating_class not in filters.ratings:
        return False
    if filters.publishers and row.rating_publisher not in filters.publishers:
        return False
    if filters.strengths and row.strength and row.strength not in filters.strengths:
        return False
    if filters.decisions and not _fits_decisions(row, filters):
        return False
    if filters.marked_sentences is not None:
        if filters.marked_sentences.isdisjoint(_listed_numbers(row)):
            return False
    if filters.assigned_sentences is not None and row.number not in filters.assigned_sentences:
        return False
    return row.kind in filters.kinds and row.worth >= filters.min_worthiness


def _fits_decisions(row: Row, filters: Filters) -> bool:
    verdicts = row_verdicts(row, counts_every_match=filters.counts_every_match)
    return not verdicts.isdisjoint(filters.decisions)


def row_verdicts(row: Row, *, counts_every_match: bool) -> set[str]:
    """Return the verdict on the statement of a row, or those on all its matches, else OPEN."""
    verdicts: Sequence[str] = (row.statement_verdict or row.verdict,)
    if counts_every_match and row.match_verdicts:
        verdicts = row.match_verdicts
    # an undecided match has the verdict ""
    return {verdict or OPEN for verdict in verdicts}


def _listed_numbers(row: Row) -> list[int]:
    """Return the numbers of the sentence of a row and of the passages grouped below it."""
    return [row.number, *(line.number for line in row.grouped)]


def _searched_text(row: Row) -> str:
    texts = (row.text, row.speaker, row.rating, row.publisher, row.searched_text)
    return " ".join(texts).casefold()


@dataclass(frozen=True, slots=True)
class ListAids:
    """The marks of the timeline, the searched words and the keys that move.

    The list shows the marks as a table, keys move along them, and the words are marked in it.
    """

    marks: Sequence[Mark] = ()
    search: str = ""
    move_keys: Sequence[str] = ("j", "k")  # to the next and to the previous row
    is_queue: bool = False  # a review has low rows, because its card is the work
    can_decide: bool = True  # else the keys of the decisions are not shown


NO_AIDS = ListAids()


def draw_list(
    rows: Sequence[Row],
    *,
    view: str,
    selected: int | None,
    empty: str,
    on_select: Callable[[], None],
    aids: ListAids = NO_AIDS,
) -> None:
    """Draw the list.

    The chosen number is in ``st.session_state["list"]["selected"]`` when ``on_select`` runs.
    """
    data = payload(rows, view, selected, empty, aids.search)
    data["marks"] = [asdict(mark) for mark in aids.marks]
    data["move_keys"] = list(aids.move_keys)
    data["is_queue"] = aids.is_queue
    data["can_decide"] = aids.can_decide
    component("list")(key="list", data=data, on_selected_change=on_select)


def payload(
    rows: Sequence[Row], view: str, selected: int | None, empty: str, search: str = ""
) -> dict[str, Any]:
    """Return the data that the list draws.

    ``version`` changes if, and only if, the rows, the view or the searched words do.
    """
    shown_rows = [_shown_fields(row) for row in rows]
    selectable_numbers: set[int] = set()
    for row in rows:
        selectable_numbers.update(_listed_numbers(row))
    if selected not in selectable_numbers:
        # a sentence in the middle of a passage: the whole row is selected
        selected = _row_number_of(rows, selected)
    # the browser draws the list anew only if this digest of everything in it changes
    drawn_json = json.dumps([view, empty, search, shown_rows])
    drawn_digest = hashlib.sha256(drawn_json.encode()).hexdigest()
    signs = {}
    for rating_class, sign in RATING_SIGNS.items():
        signs[str(rating_class)] = [sign.mark, sign.colour]
    return {
        "version": drawn_digest[:VERSION_DIGITS],
        "view": "transcript" if view == IN_ORDER else "ranked",
        "rows": shown_rows,
        "selected": selected,
        "signs": signs,
        "empty": empty,
        "search": search,
    }


def _shown_fields(row: Row) -> dict[str, Any]:
    """Return the fields of a row that the browser draws; ``asdict`` would copy each deeply."""
    shown_fields = {name: getattr(row, name) for name in _SHOWN_FIELDS}
    shown_fields["grouped"] = [asdict(line) for line in row.grouped]
    return shown_fields


def _row_number_of(rows: Sequence[Row], number: int | None) -> int | None:
    for row in rows:
        if number in row.other_sentences:
            return row.number
    return None
