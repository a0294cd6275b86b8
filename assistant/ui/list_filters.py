"""The filters of the list: one menu of chips with counts, kept in the address.

An address keeps the names of options, never their counts, so that a link stays right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from assistant.core.domain import RatingClass
from assistant.report import wording
from assistant.report.speaker_names import shown_name
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import sentence_list
from assistant.ui.match_strength import (
    GOOD,
    LIKELY,
    POSSIBLE,
    STRENGTHS,
    STRONG,
    strength_meaning,
)
from assistant.ui.review_view import Review
from assistant.ui.sentence_list import Filters, Row
from assistant.ui.shown_text import escape
from assistant.ui.theme import RATING_SIGNS

NO_MATCH = "no match"
SKIPPED = "skipped"
NO_OPTION = "none"  # in the address: no option at all is chosen
# Options of "Match" in addresses from before strengths had names.
OPTIONS_BY_OLD_KIND = {
    "likely": (STRONG, LIKELY),
    "possible": (GOOD, POSSIBLE),
    "no match": (NO_MATCH,),
    "dropped": (SKIPPED,),
}
DECISION_WORDS = {
    sentence_list.OPEN: "Undecided",
    "confirm": "Confirmed",
    "reject": "Rejected",
    "later": "Later",
}

UNDECIDED_OPTIONS = (sentence_list.OPEN, "later")
WORTH_KEY = "worth"


class FilterKeys(NamedTuple):
    """The names of the filters in the address, which differ by view."""

    strength: str
    decision: str


def filter_keys(layout: str, review: Review | None) -> FilterKeys:
    """Return the names of the filters of a view."""
    strength_key = "strength" if layout == sentence_list.RANKED else "show"
    decision_key = "decision" if review is None else "reviewed"
    return FilterKeys(strength_key, decision_key)


def draw_search() -> str:
    """Draw the search field, and return the searched words."""
    text = st.text_input(
        "Search",
        key="q",
        type="search",
        placeholder="Search statements and claims",
        live="250ms",
        bind="query-params",
        label_visibility="collapsed",
        width="stretch",
    )
    return text or ""


def filter_menu(keys: FilterKeys, *, is_before: bool) -> DeltaGenerator:
    """Draw the button of the filters, with the number of those in use, and return its menu.

    ``is_before``: only fact-checks from before the debate are shown.
    """
    _translate_old_kinds()
    names = (*keys, "speaker", "rating", "publisher", WORTH_KEY)
    used_count = sum(1 for name in names if st.query_params.get_all(name)) + is_before
    label = f"Filters · {used_count}" if used_count else "Filters"
    return st.popover(escape_markdown(label), key="filters")


def draw_chips(
    all_rows: Sequence[Row],
    layout: str,
    search: str,
    review: Review | None = None,
    *,
    shows_below: bool = False,
) -> Filters:
    """Draw the chips of each filter, and return what they let through.

    A review begins with the undecided statements. ``shows_below``: the list also has the rows
    below it. The counts are of rows that the list shows for the chosen matches.
    """
    keys = filter_keys(layout, review)
    # the chips stand in the order of these calls; each draws its chips
    match_options = _draw_match_chips(all_rows, keys.strength)
    kinds = _row_kinds(match_options)
    if layout == sentence_list.IN_ORDER or shows_below:
        kinds = (*kinds, *sentence_list.BELOW_KINDS)
    strengths = tuple(name for name in match_options if name in STRENGTHS)
    rows = sentence_list.filtered_rows(all_rows, Filters(kinds=kinds, strengths=strengths))
    rating_counts = _offered_counts("rating", _rating_counts(rows), _rating_counts(all_rows))
    ratings = draw_option_chips("Rating", "rating", rating_counts, _rating_words)
    counts_every_match = review is not None and review.is_every_match
    decisions = draw_option_chips(
        "Decision",
        keys.decision,
        _decision_counts(rows, counts_every_match=counts_every_match),
        DECISION_WORDS.__getitem__,
        defaults=() if review is None else UNDECIDED_OPTIONS,
    )
    speaker_counts = _offered_counts("speaker", _speaker_counts(rows), _speaker_counts(all_rows))
    speakers = draw_option_chips("Speaker", "speaker", speaker_counts, shown_name)
    publisher_counts = _offered_counts(
        "publisher", _publisher_counts(rows), _publisher_counts(all_rows)
    )
    publishers = draw_option_chips(
        "Publisher", "publisher", publisher_counts, wording.shown_publisher
    )
    return Filters(
        speakers=speakers,
        ratings=ratings,
        kinds=kinds,
        search=search,
        strengths=strengths,
        decisions=decisions,
        publishers=publishers,
        counts_every_match=counts_every_match,
    )


def _offered_counts(
    key: str, counts: Mapping[str, int], all_counts: Mapping[str, int]
) -> dict[str, int]:
    """Return the counts of a filter with the options in the address that no shown row has.

    ``all_counts`` are those of all rows: no other option is offered.
    """
    chosen_options = st.query_params.get_all(key)
    unlisted_options = [
        option for option in all_counts if option in chosen_options and option not in counts
    ]
    return {**counts, **dict.fromkeys(unlisted_options, 0)}


def _speaker_counts(rows: Iterable[Row]) -> dict[str, int]:
    return dict(sentence_list.speakers(rows))


def _rating_words(rating_class: str) -> str:
    return RATING_SIGNS[RatingClass(rating_class)].words


def _decision_counts(rows: Iterable[Row], *, counts_every_match: bool) -> dict[str, int]:
    """Return the number of rows with a match by the decisions that the filter looks at."""
    counts: Counter[str] = Counter()
    for row in rows:
        if row.strength:  # only rows with a match have one
            # a row counts once for each of its verdicts, as it is shown for each
            counts.update(sentence_list.row_verdicts(row, counts_every_match=counts_every_match))
    return {verdict: counts[verdict] for verdict in DECISION_WORDS}


def _publisher_counts(rows: Iterable[Row]) -> dict[str, int]:
    """Return the number of rows that show a fact-check of each publisher, most first."""
    counts = Counter(row.rating_publisher for row in rows if row.rating_publisher)
    return dict(counts.most_common())


def draw_option_chips(
    label: str,
    key: str,
    counts: Mapping[str, int],
    label_of_option: Callable[[str], str],
    defaults: Iterable[str] = (),
) -> tuple[str, ...]:
    """Draw the chips of a filter, and return the chosen options, which the address keeps.

    ``counts`` has the number of rows of each option, ``label_of_option`` gives its words.
    """
    chosen_options = options_in_address(key, counts, defaults)
    st.pills(
        escape_markdown(label),
        list(counts),
        selection_mode="multi",
        default=list(chosen_options),
        format_func=lambda option: _chip_label(label_of_option(option), counts[option]),
        key=f"choose_{key}",
        on_change=_write_to_address,
        args=(key, tuple(counts), tuple(defaults)),
    )
    return chosen_options


def _chip_label(words: str, count: int) -> str:
    return escape_markdown(f"{words}  {count:,}")


def options_in_address(
    key: str, options: Iterable[str], defaults: Iterable[str]
) -> tuple[str, ...]:
    """Return the options in the address in their order, else the defaults."""
    address_values = st.query_params.get_all(key)
    if not address_values:
        return tuple(defaults)
    return tuple(option for option in options if option in address_values)


def _write_to_address(key: str, options: tuple[str, ...], defaults: tuple[str, ...]) -> None:
    chosen_set = set(st.session_state[f"choose_{key}"])
    chosen_options = [option for option in options if option in chosen_set]
    if tuple(chosen_options) == defaults:  # an address without the key stands for the defaults
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = chosen_options or [NO_OPTION]


def _draw_match_chips(all_rows: Sequence[Row], key: str) -> tuple[str, ...]:
    """Draw the chips of the strengths with their meaning, and of sentences without a match."""
    counts: dict[str, int] = dict.fromkeys((*STRENGTHS, NO_MATCH, SKIPPED), 0)
    for row in all_rows:
        option = _match_option(row)
        if option:
            counts[option] += 1
    if not counts[LIKELY]:  # only reports from before strengths had names have it
        del counts[LIKELY]
    occurring_strengths = [strength for strength in STRENGTHS if counts.get(strength)]
    if key != "strength":  # the transcript shows every sentence at first
        defaults = list(counts)
    else:  # the ranked list shows every match at first, or all sentences if there is none
        defaults = [strength for strength in STRENGTHS if strength in counts]
        if not occurring_strengths:
            defaults.append(NO_MATCH)
    options = draw_option_chips("Match", key, counts, str.capitalize, defaults)
    if occurring_strengths:
        st.html(strength_legend(occurring_strengths))
    return options


def strength_legend(strengths: Iterable[str]) -> str:
    """Return the meaning of each strength, a line each, as HTML."""
    lines = []
    for strength in strengths:
        words = escape(strength_meaning(strength))
        lines.append(f"<div><dt>{strength.capitalize()}</dt><dd>{words}</dd></div>")
    return f'<dl class="lx-meanings">{"".join(lines)}</dl>'


def show_unmatched() -> None:
    """List the sentences without a match, too, in the ranked layout."""
    st.query_params["strength"] = [*STRENGTHS, NO_MATCH, SKIPPED]
    st.session_state.pop("choose_strength", None)  # its chips are drawn anew from the address


def _match_option(row: Row) -> str:
    if row.kind == sentence_list.DROPPED:
        return SKIPPED
    if row.kind in sentence_list.DEFAULT_KINDS:
        return row.strength
    return NO_MATCH if row.kind == sentence_list.UNMATCHED else ""


def _row_kinds(match_options: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of rows for the options of "Match"."""
    kinds: list[str] = []
    chosen_options = set(match_options)
    if chosen_options & set(STRENGTHS):
        kinds += sentence_list.DEFAULT_KINDS
    if NO_MATCH in chosen_options:
        kinds.append(sentence_list.UNMATCHED)
    if SKIPPED in chosen_options:
        kinds.append(sentence_list.DROPPED)
    return tuple(kinds)


def _translate_old_kinds() -> None:
    """Read ``tier=likely`` in an old address as ``strength=strong``."""
    old_kinds = st.query_params.get_all("tier")
    if not old_kinds:
        return
    st.query_params.pop("tier")
    options: list[str] = []
    for old_kind in old_kinds:
        options.extend(OPTIONS_BY_OLD_KIND.get(old_kind, ()))
    if options and not st.query_params.get_all("strength"):
        st.query_params["strength"] = options


def _rating_counts(rows: Sequence[Row]) -> dict[str, int]:
    counts = Counter(row.rating_class for row in rows)
    return {name: counts[name] for name in sentence_list.rating_classes(rows)}
