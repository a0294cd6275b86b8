"""The page About: what Lectern does and does not do, and the versions, models and settings of its results."""

from __future__ import annotations

import streamlit as st

from assistant.core.settings import Profile
from assistant.core.shipped_files import NOTICE
from assistant.ui import provenance, reliability, theme, voiceprint_form
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import escape

PURPOSE_TEXT = (
    "Lectern reads the transcript of a debate, speech or interview and lists the statements that a published "
    "fact-check may already cover. Every rating is the publisher's own, verbatim. Lectern never rates anything itself. "
    "It cannot tell whether a statement is true, and it cannot find what nobody has checked."
)
PRIVACY_TEXT = (
    "<b>What leaves this computer:</b> no transcript, recording, name or decision, unless you set up alerts or a server "
    "of your own. Lectern goes online only to load fact-checks and articles, or to follow a stream that you name."
)
MEASURED_TEXT = (
    "Match strength (strong, good, possible) comes from tests on debates that the ranker was not trained on. A strong "
    "match is still a suggestion: compare both texts and read the article before you use it. The documentation has the "
    "figures."
)


def page() -> None:
    """Draw the page."""
    profile = check_service().settings.profile
    st.html(f'<h1>{theme.logo_html()} About Lectern</h1><p class="lx-lead">{PURPOSE_TEXT}</p>')
    left_column, right_column = st.columns([5, 6], gap="large")
    with left_column:
        _draw_reliability()
    with right_column:
        st.html(f'<h2>What the tests say</h2><p class="lx-article">{MEASURED_TEXT}</p>')
        st.html(f'<p class="lx-article">{PRIVACY_TEXT}</p>')
        st.html(f'<p class="lx-soft">{reliability.reliability_text()}</p>')
    voiceprint_form.saved_voices()
    with st.expander("Models, settings and versions", key="technical"):
        _draw_provenance(profile)
    if NOTICE.is_file():
        with st.expander("Licences", key="licences"):
            st.html(f'<div class="lx-notice">{escape(NOTICE.read_text("utf-8"))}</div>')


def _draw_reliability() -> None:
    """Draw how often matches were right in tests, if the figures are there."""
    reliability_groups = reliability.reliability_groups()
    if not reliability_groups:
        return
    st.html("<h2>How often matches are right</h2>")
    st.vega_lite_chart(
        spec=reliability.diagram(reliability_groups),
        width="content",
        theme=None,
        key="reliability",
    )


def _draw_provenance(profile: Profile) -> None:
    """Draw models with their cards, settings in force, and versions."""
    left_column, right_column = st.columns(2, gap="large")
    with left_column:
        models_table = provenance.pairs_table(
            provenance.part_models(profile), ("measures", "model")
        )
        st.html(f"<h2>Models</h2>{models_table}")
        files = [(weights.name, weights.digest) for weights in provenance.model_files()]
        file_table = provenance.pairs_table(files, ("file", "first digits of sha256"))
        st.html(f"<h2>Files of models</h2>{file_table}")
        versions_table = provenance.pairs_table(provenance.versions(), ("part", "version"))
        st.html(f"<h2>Versions</h2>{versions_table}")
    with right_column:
        settings_table = provenance.pairs_table(
            provenance.thresholds(profile), ("setting", "value")
        )
        st.html(f"<h2>Settings in force</h2>{settings_table}")
        for weights in provenance.model_files():
            card_table = provenance.pairs_table(provenance.card_rows(weights.card), ("card", ""))
            st.html(
                f'<details class="lx-technical"><summary>{escape(weights.name)}</summary>{card_table}'
                "</details>"
            )


page()
