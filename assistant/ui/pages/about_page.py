"""The page About: what Lectern does and does not do, and the versions, models and settings of its results."""

from __future__ import annotations

import streamlit as st

from assistant.core.shipped_files import NOTICE
from assistant.reports.markdown_form import escape_markdown
from assistant.ui import provenance, reliability, theme, voiceprint_form
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import escape

PURPOSE_TEXT = (
    "Lectern reads the transcript of a debate, speech or interview and lists the statements that a published "
    "fact-check may already cover. Every rating is the publisher's own, verbatim. Lectern never rates anything itself. "
    "It cannot tell whether a statement is true, and it cannot find what nobody has checked."
)
MEASURED_TEXT = (
    "Match strength (strong, good, possible) comes from tests on debates that the ranker was not trained on. A strong "
    "match is still a suggestion: compare both texts and read the article before you use it. The documentation has the "
    "figures, with the command that shows each."
)


def page() -> None:
    """Draw the page."""
    profile = check_service().settings.profile
    st.html(f'<h1>{theme.logo_html()} About Lectern</h1><p class="lx-article">{PURPOSE_TEXT}</p>')
    left, right = st.columns(2, gap="large")
    with left:
        st.html("<h2>How it was measured</h2>" + f'<p class="lx-article">{MEASURED_TEXT}</p>')
        if reliability_groups := reliability.reliability_groups():
            st.html("<h2>How often matches are right</h2>")
            st.vega_lite_chart(
                spec=reliability.diagram(reliability_groups),
                width="content",
                theme=None,
                key="reliability",
            )
            st.html(f'<p class="lx-article">{reliability.reliability_text()}</p>')
        st.html(
            "<h2>Settings in force</h2>"
            + provenance.pairs_table(provenance.thresholds(profile), ("setting", "value"))
        )
        voiceprint_form.saved_voices()
        st.html(
            "<h2>Versions</h2>" + provenance.pairs_table(provenance.versions(), ("part", "version"))
        )
    with right:
        st.html(
            "<h2>Models</h2>"
            + provenance.pairs_table(provenance.part_models(profile), ("measures", "model"))
        )
        for weights in provenance.model_files():
            with st.expander(escape_markdown(f"{weights.name} · sha256 {weights.digest}…")):
                st.html(provenance.pairs_table(provenance.card_rows(weights.card), ("card", "")))
        st.html("<h2>Licences</h2>")
        if NOTICE.is_file():
            st.html(f'<div class="lx-notice">{escape(NOTICE.read_text("utf-8"))}</div>')


page()
