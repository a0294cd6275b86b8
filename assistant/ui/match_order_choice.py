"""The menu for the order of matches.

The choice is kept in the URL and applies to every screen with matches.
"""

from __future__ import annotations

from datetime import date

import streamlit as st

from assistant.core.domain import MatchOrder
from assistant.report.match_order import (
    EVENT_DATE_MISSING,
    ORDER_WORDS,
    ORDERS_BY_EVENT,
    possible_orders,
)

ORDER_PARAMETER = "matches"
_ORDER_CAPTIONS = {
    MatchOrder.CLOSEST: "As Lectern ranked them.",
    MatchOrder.NEWEST: "Among matches of the same strength, the newest comes first.",
    MatchOrder.NEAREST: "Among matches of the same strength, the one nearest to the event comes first.",
    MatchOrder.BEFORE: "Among matches of the same strength, the newest comes first. Later ones are not shown.",
    MatchOrder.CLUSTER: "Among matches of the same strength, the most typical comes first.",
}


def chosen_order(event_date: date | None) -> MatchOrder:
    """Return the order in the URL; closest in meaning if the event does not allow it."""
    order_name = st.query_params.get(ORDER_PARAMETER, "")
    for order in possible_orders(event_date):
        if order == order_name:
            return order
    return MatchOrder.CLOSEST


def order_menu(event_date: date | None) -> None:
    """Draw the menu of a card outside a debate's page, which has the orders under More."""
    current = chosen_order(event_date)
    # a separate key for each order, so that the menu closes when one is chosen
    label = f"Order: {ORDER_WORDS[current].lower()}"
    with st.popover(label, type="tertiary", key=f"match_order_{current}"):
        draw_orders(event_date)


def draw_orders(event_date: date | None) -> None:
    """Draw the orders; a choice redraws the page, because list, card and exports depend on it."""
    current_order = chosen_order(event_date)
    orders = possible_orders(event_date)  # some orders need the date of the event
    if "match_order" in st.session_state:  # the filter for older fact-checks changes it, too
        st.session_state["match_order"] = current_order
    st.radio(
        "Order of the fact-checks of a statement",
        orders,
        index=orders.index(current_order),
        format_func=lambda order: ORDER_WORDS[order],
        captions=[_ORDER_CAPTIONS[order] for order in orders],
        key="match_order",
        on_change=_choose,
    )
    if event_date is None:
        unavailable_orders = " and ".join(f"“{ORDER_WORDS[order]}”" for order in ORDERS_BY_EVENT)
        st.html(
            f'<p class="lx-soft">{unavailable_orders} cannot be chosen. {EVENT_DATE_MISSING}</p>'
        )


def url_parameters() -> dict[str, str]:
    """Return the URL parameters by which the next page keeps the order."""
    order_name = st.query_params.get(ORDER_PARAMETER, "")
    return {ORDER_PARAMETER: order_name} if order_name else {}


def _choose() -> None:
    order = st.session_state["match_order"]
    if order is MatchOrder.CLOSEST:
        st.query_params.pop(ORDER_PARAMETER, None)
    else:
        st.query_params[ORDER_PARAMETER] = str(order)
    st.query_params.pop("match", None)
    st.rerun()
