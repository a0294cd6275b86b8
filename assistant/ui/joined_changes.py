"""Draws the whole page when a request names a fragment, but something outside it has changed, too.

Streamlit (1.67) sends changes that come at almost the same time as one request: the text of a field,
and the click that leaves the field. If the field is in a fragment, the request names this fragment
alone. The clicked button would look pressed, but nothing else would be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.scriptrunner import (
    RerunData,
    RerunException,
    ScriptRunContext,
    get_script_run_ctx,
)

REQUESTED_KEY = "requested_fragment"  # in the session: a callback has chosen what is drawn
TRIGGERS = ("trigger_value", "string_trigger_value", "chat_input_value", "json_trigger_value")


def redraw(fragment_key: str) -> None:
    """Draw one fragment after a callback, or the whole page if the request changed more.

    Callbacks of buttons choose what they need drawn. All other changes count.
    """
    context = get_script_run_ctx()
    if context is not None:
        _draw_whole_page_if_changed(context, fragment_key, counts_callbacks=False)
    st.session_state[REQUESTED_KEY] = True
    st.rerun(fragment_key)


def draw_whole_page_if_needed() -> None:
    """End a run of fragments and draw the whole page, if the request changed more."""
    is_requested = st.session_state.pop(REQUESTED_KEY, False)
    context = get_script_run_ctx()
    if is_requested or context is None or not context.fragment_ids_this_run:
        return
    _draw_whole_page_if_changed(context, None, counts_callbacks=True)


def _draw_whole_page_if_changed(
    context: ScriptRunContext, fragment_key: str | None, *, counts_callbacks: bool
) -> None:
    """End this run and draw the whole page, if the request changed a widget outside the fragments.

    ``fragment_key``: the fragment to be drawn, None for those of this run. Streamlit has no public
    way to ask for this. A version with other internals draws the fragment alone.
    """
    try:
        fragments = context.fragment_ids_this_run or ()
        if fragment_key is not None:
            fragments = context.fragment_storage.resolve_target(fragment_key)
        if not _has_change_outside(context, fragments, counts_callbacks=counts_callbacks):
            return
        rerun_data = _whole_page(context)
    except (AttributeError, TypeError):
        return
    raise RerunException(rerun_data)


def _has_change_outside(
    context: ScriptRunContext, fragments: Sequence[str], *, counts_callbacks: bool
) -> bool:
    """Return whether the request changed a widget outside some fragments.

    ``counts_callbacks``: buttons with a callback count, too.
    """
    state = context.session_state._state
    for widget_id in list(state._new_widget_state):
        metadata = state._new_widget_state.widget_metadata.get(widget_id)
        if metadata is None or not state._widget_changed(widget_id):
            continue
        has_callback = metadata.callback is not None or bool(metadata.callbacks)
        if metadata.value_type in TRIGGERS and has_callback and not counts_callbacks:
            continue
        fragment = metadata.fragment_id  # None: in no fragment
        if fragment is None:
            return True
        is_nested = context.fragment_storage.has_ancestor_in(fragment, fragments)
        if fragment not in fragments and not is_nested:
            return True
    return False


def _whole_page(context: ScriptRunContext) -> RerunData:
    """Return the request for the whole page; a button that was pressed is still pressed there."""
    state = context.session_state._state
    widget_states = WidgetStates(widgets=context.session_state.get_widget_states())
    return RerunData(
        query_string=context.query_string,
        page_script_hash=context.page_script_hash,
        cached_message_hashes=context.cached_message_hashes,
        context_info=context.context_info,
        # callbacks have run already: a replay does not run them again
        replay_trigger_states=state._filter_active_trigger_widget_states(widget_states),
    )
