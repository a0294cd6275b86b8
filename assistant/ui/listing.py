"""The list of sentences as one component: rows in, the chosen number out. Moving reruns only the card."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

from assistant.ui.sentence_list import Row
from assistant.ui.theme import SIGNS

FOLDER = Path(__file__).parent / "list"
_UNSENT = ("worth", "found", "ratings")  # what filters need and the list does not show


@cache
def _component() -> Callable[..., Any]:
    html, css, js = ((FOLDER / f"list.{kind}").read_text("utf-8") for kind in ("html", "css", "js"))
    return st.components.v2.component("lectern.list", html=html, css=css, js=js)


def listing(
    found: Sequence[Row], *, view: str, selected: int | None, empty: str, on_select: Callable[[], None]
) -> None:
    """Draw the list. The chosen number arrives in ``st.session_state["list"]["selected"]`` when ``on_select`` runs."""
    _component()(key="list", data=payload(found, view, selected, empty), on_selected_change=on_select)


def payload(found: Sequence[Row], view: str, selected: int | None, empty: str) -> dict[str, Any]:
    """Return what the list draws; ``version`` changes when, and only when, the rows or the view do."""
    sent = [{k: v for k, v in asdict(row).items() if k not in _UNSENT} for row in found]
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
