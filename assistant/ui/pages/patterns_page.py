"""The page Patterns: how fact-checks answer claims, as MTM has learnt it, with examples from stored articles."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from assistant.core.errors import LecternError
from assistant.core.settings import Settings
from assistant.explain import patterns
from assistant.explain.patterns import Example, LearntPatterns
from assistant.jobs.check_service import CheckService
from assistant.ui import pattern_tables
from assistant.ui.shared_resources import check_service
from assistant.ui.shown_text import draw_error

PATTERNS_LEAD = (
    "Fact-checks answer claims in phrases that come back from article to article. On a card, a key sentence with such "
    "a phrase is marked <b>※ debunking pattern</b>."
)
PATTERNS_TEXT = (
    "The phrases that a pattern has more often than the others. Some are ways of answering, others merely subjects. "
    "A pattern says nothing about whether a claim is true."
)
METHOD_TEXT = (
    "The method MTM learnt these patterns from pairs of claims and articles. Each phrase and word has the number of "
    "its sentences. Place: how far into the article the sentences are, on average."
)
NO_PATTERNS = (
    "No patterns are in models/ yet. They come with the weights of MTM: check out models/ again, or train them with "
    "python -m training.mtm.train and python -m bench.articles.patterns."
)


def page(check_service: CheckService) -> None:
    """Draw the page; stored articles are searched only when somebody asks for examples."""
    st.html(f'<h1>How fact-checks answer claims</h1><p class="lx-lead">{PATTERNS_LEAD}</p>')
    learnt = patterns.load_patterns()
    if learnt is None:
        st.info(NO_PATTERNS)
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.html(pattern_tables.positions_chart(learnt))
    with right:
        st.html(pattern_tables.phrases_list(learnt, PATTERNS_TEXT))
    with st.expander("Find examples in your articles", key="own_articles"):
        _own_articles(check_service, learnt)
    with st.expander("All patterns with numbers", key="pattern_numbers"):
        st.html(f'<p class="lx-soft">{METHOD_TEXT}</p>{pattern_tables.patterns_table(learnt)}')


def _own_articles(check_service: CheckService, learnt_patterns: LearntPatterns) -> None:
    st.html(
        '<p class="lx-soft">Lectern reads the newest '
        f"{patterns.ARTICLES:,} of the stored articles. Nothing leaves this computer.</p>"
    )
    numbers = [pattern.number for pattern in learnt_patterns.patterns]
    number = st.selectbox(
        "Pattern",
        numbers,
        format_func=lambda option: pattern_tables.pattern_label(learnt_patterns, option),
        key="pattern",
    )
    if st.button("Find its nearest sentences", key="find_pattern"):
        st.session_state["patterns_asked"] = True
    if st.session_state.get("patterns_asked"):
        _examples(check_service, number)


def _examples(check_service: CheckService, number: int | None) -> None:
    try:
        examples, claim_ids = _examples_and_ids(
            check_service.settings, check_service.status().digest
        )
    except LecternError as error:
        draw_error(error)
        return
    shown_examples = () if number is None else examples.get(number, ())
    if not shown_examples:
        st.html(
            '<p class="lx-soft">No article that is stored here has a sentence near this pattern.</p>'
        )
        return
    with check_service.store() as store:
        claims = store.many([claim_ids[example.claim] for example in shown_examples])
    quotes = []
    for example in shown_examples:
        claim_id = claim_ids[example.claim]  # the example has the index of its claim
        quotes.append((example, claims.get(claim_id)))
    st.html(pattern_tables.quotes_list(quotes))


@st.cache_data(show_spinner="Reading the newest articles", max_entries=2)
def _examples_and_ids(
    _settings: Settings,
    _digest: str,
) -> tuple[Mapping[int, tuple[Example, ...]], tuple[str, ...]]:
    """Return the nearest sentences of every pattern, and the ids of the index.

    Kept until the database changes.
    """
    from assistant import pipeline
    from assistant.explain import key_sentences

    mtm = key_sentences.load(_settings.profile).mtm
    if mtm is None:
        return {}, ()
    index = pipeline.open_index(_settings)
    return patterns.examples(index, mtm), index.ids


try:
    page(check_service())
except LecternError as error:
    draw_error(error)
