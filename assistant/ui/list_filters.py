"""The filters of the list: each a menu of chips with counts, and kept in the address.

An address keeps the names of options, never their counts, so that a link stays right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import streamlit as st

from assistant.core.domain import RatingClass
from assistant.report.speaker_names import shown_name
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import sentence_list
from assistant.ui.match_strength import GOOD, LIKELY, POSSIBLE, STRENGTHS, STRONG
from assistant.ui.review_view import Review
from assistant.ui.sentence_list import Filters, Row
from assistant.ui.theme import RATING_SIGNS

NO_MATCH = "no match"
SKIPPED = "skipped"
NOTHING = "none"  # in the address: no option at all is chosen
# Options of "Match" in addresses from before strengths had names.
OLD_KINDS = {
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

UNDECIDED = (sentence_list.OPEN, "later")


def draw_filters(all_rows: Sequence[Row], layout: str, review: Review | None = None) -> Filters:
    """Draw search and menus, and return what they let through.

    A review begins with the undecided statements.
    """
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
    match_options = _match_menu(all_rows, layout)
    speaker_counts = dict(sentence_list.speakers(all_rows))
    speakers = choice_menu("Speaker", "speaker", speaker_counts, shown_name)
    rating_counts = _rating_counts(all_rows)
    ratings = choice_menu(
        "Rating", "rating", rating_counts, lambda name: RATING_SIGNS[RatingClass(name)].words
    )
    matched_rows = [row for row in all_rows if row.strength]
    decision_counts = Counter(row.verdict or sentence_list.OPEN for row in matched_rows)
    decisions = choice_menu(
        "Decision",
        "decision" if review is None else "reviewed",
        {name: decision_counts[name] for name in DECISION_WORDS},
        DECISION_WORDS.__getitem__,
        () if review is None else UNDECIDED,
    )
    return Filters(
        speakers=speakers,
        ratings=ratings,
        kinds=_kinds(match_options),
        search=text or "",
        strengths=tuple(name for name in match_options if name in STRENGTHS),
        decisions=decisions,
        counts_every_match=review is not None and review.is_every_match,
    )


def publisher_choice(all_rows: Sequence[Row]) -> tuple[str, ...]:
    """Draw the chips of publishers, and return the chosen ones."""
    # a row counts once for each of its publishers
    counts: Counter[str] = Counter()
    for row in all_rows:
        counts.update(set(row.publishers))
    return _chips("Publisher", "publisher", dict(counts.most_common()), str)


def choice_menu(
    label: str,
    key: str,
    counts: Mapping[str, int],
    words_of: Callable[[str], str],
    defaults: Iterable[str] = (),
) -> tuple[str, ...]:
    """Draw a menu of chips, and return the chosen options, which the address keeps.

    ``counts`` has the number of rows of each option, ``words_of`` gives the words for an option.
    """
    with st.popover(escape_markdown(label), key=f"filter_{key}"):
        return _chips(label, key, counts, words_of, defaults)


def _chips(
    label: str,
    key: str,
    counts: Mapping[str, int],
    words_of: Callable[[str], str],
    defaults: Iterable[str] = (),
) -> tuple[str, ...]:
    chosen = in_address(key, counts, defaults)
    st.pills(
        escape_markdown(label),
        list(counts),
        selection_mode="multi",
        default=list(chosen),
        format_func=lambda option: _chip_label(words_of(option), counts[option]),
        key=f"choose_{key}",
        on_change=_to_address,
        args=(key, tuple(counts), tuple(defaults)),
    )
    return chosen


def _chip_label(words: str, count: int) -> str:
    return escape_markdown(f"{words}  {count:,}")


def in_address(key: str, options: Iterable[str], defaults: Iterable[str]) -> tuple[str, ...]:
    """Return the options in the address in their order, else the defaults."""
    address_values = st.query_params.get_all(key)
    if not address_values:
        return tuple(defaults)
    return tuple(option for option in options if option in address_values)


def _to_address(key: str, options: tuple[str, ...], defaults: tuple[str, ...]) -> None:
    chosen = set(st.session_state[f"choose_{key}"])
    names = [option for option in options if option in chosen]
    if tuple(names) == defaults:  # an address without the key stands for the defaults
        st.query_params.pop(key, None)
    else:
        st.query_params[key] = names or [NOTHING]


def _match_menu(all_rows: Sequence[Row], layout: str) -> tuple[str, ...]:
    """Draw the menu of strengths, and of sentences without a match."""
    _translate_old_kinds()
    counts: dict[str, int] = dict.fromkeys((*STRENGTHS, NO_MATCH, SKIPPED), 0)
    for row in all_rows:
        option = _option_of(row)
        if option:
            counts[option] += 1
    if not counts[LIKELY]:  # only reports from before strengths had names have it
        del counts[LIKELY]
    if layout == sentence_list.RANKED:
        key = "strength"
        defaults = [name for name in STRENGTHS if name in counts]
        if not any(counts[name] for name in defaults):
            defaults.append(NO_MATCH)
    else:
        key = "show"  # the transcript shows every sentence at first
        defaults = list(counts)
    return choice_menu("Match", key, counts, str.capitalize, defaults)


def show_unmatched() -> None:
    """List the sentences without a match, too, in the ranked layout."""
    st.query_params["strength"] = [*STRENGTHS, NO_MATCH, SKIPPED]
    st.session_state.pop("choose_strength", None)  # its chips are drawn anew from the address


def _option_of(row: Row) -> str:
    if row.kind == sentence_list.DROPPED:
        return SKIPPED
    if row.kind in sentence_list.DEFAULT_KINDS:
        return row.strength
    return NO_MATCH if row.kind == sentence_list.UNMATCHED else ""


def _kinds(match_options: Iterable[str]) -> tuple[str, ...]:
    """Return the kinds of rows for the options of "Match"."""
    kinds: list[str] = []
    chosen = set(match_options)
    if chosen & set(STRENGTHS):
        kinds += sentence_list.DEFAULT_KINDS
    if NO_MATCH in chosen:
        kinds.append(sentence_list.UNMATCHED)
    if SKIPPED in chosen:
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
        options.extend(OLD_KINDS.get(old_kind, ()))
    if options and not st.query_params.get_all("strength"):
        st.query_params["strength"] = options


def _rating_counts(all_rows: Sequence[Row]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for row in all_rows:
        counts.update(set(row.ratings))  # a row counts once for each of its ratings
    return {name: counts[name] for name in sentence_list.rating_classes(all_rows)}
