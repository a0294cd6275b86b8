"""Whole pages in place of fragments, with a Streamlit that keeps its state in another way."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import RerunException

from assistant.ui import joined_changes


def context_with(metadata):
    """Return a page's context in which one widget has changed."""
    state = SimpleNamespace(
        _new_widget_state=WidgetStateOfOne(metadata),
        _widget_changed=lambda _widget_id: True,
        _filter_active_trigger_widget_states=lambda widget_states: widget_states,
    )
    return SimpleNamespace(
        fragment_ids_this_run=["card"],
        fragment_storage=SimpleNamespace(has_ancestor_in=lambda *_given: False),
        session_state=SimpleNamespace(_state=state, get_widget_states=list),
        query_string="",
        page_script_hash="",
        cached_message_hashes=set(),
        context_info=None,
    )


class WidgetStateOfOne(list):
    """The states of one changed widget, with its metadata."""

    def __init__(self, metadata):
        super().__init__(["view"])
        self.widget_metadata = {"view": metadata}


def widget(fragment_id):
    """Return the metadata of a choice in a fragment, None for the page."""
    return SimpleNamespace(
        callback=None, callbacks={}, value_type="string_value", fragment_id=fragment_id
    )


@pytest.fixture
def draw(monkeypatch):
    """Return a function that ends a run of the fragment "card" with a context."""

    def draw_with(context):
        monkeypatch.setattr(joined_changes, "get_script_run_ctx", lambda: context)
        joined_changes.draw_whole_page_if_needed()

    return draw_with


def test_a_change_outside_the_fragment_draws_the_whole_page(draw):
    with pytest.raises(RerunException):
        draw(context_with(widget(fragment_id=None)))


def test_a_change_in_the_fragment_draws_it_alone(draw):
    draw(context_with(widget(fragment_id="card")))


def test_a_streamlit_with_other_internals_draws_the_fragment_alone(draw):
    context = context_with(widget(fragment_id=None))
    del context.session_state._state._widget_changed

    draw(context)
