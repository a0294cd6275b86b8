"""Key sentences: verbatim, three to five, each with its reasons, none twice, and honest where a model is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.claims.claim_index import ClaimIndex
from assistant.core.domain import KeySentence, VerifiedClaim, Why
from assistant.core.settings import EMBEDDED, PAPER
from assistant.explain import key_sentences
from assistant.explain.key_sentences import (
    MAX_KEY_SENTENCES,
    MAX_PICKS_PER_REASON,
    MIN_KEY_SENTENCES,
    Explainers,
    Picks,
)
from features.articles.mtm import Explained

BODY = (
    "A senator said that taxes fell by ten percent.\n"
    "He spoke in Dayton.\n"
    "The treasury's records show a fall of two percent.\n"
    "That is wrong, as experts told us.\n"
    "Our ruling\n"
    "The fall was two percent, not ten.\n"
    "A senator said that taxes fell by ten percent.\n"
    "We rate this claim False."
)
TEXTS = BODY.split("\n")
CLAIM = VerifiedClaim("c1", "Taxes fell by ten percent.", body=BODY, rating="False")
SHORT = VerifiedClaim(
    "c2",
    "Rents doubled.",
    body="They did not double.\nWith that footnote, it is Mostly True.\nWe rate this claim Mostly True.",
    rating="Mostly True",
)
BARE = VerifiedClaim("c3", "Roads are worse.")


class Mtm:
    """An MTM with fixed answers.

    Of what can be quoted, 0 and 3 are its key sentences, 3 for its pattern.
    """

    repeats = np.array([1.0, 0.3, 0.8, 0.2, 0.0, 0.3, 1.0, 0.6], np.float32)
    patterns = np.array([0.8, 0.1, 0.2, 1.0, 0.0, 0.5, 0.8, 0.6], np.float32)

    def __init__(self):
        self.asked = []

    def explain(self, query, articles, *, relevance=True):
        self.asked.append((query, relevance))
        return [self.one(self.repeats[: len(a)], self.patterns[: len(a)]) for a in articles]

    def one(self, repeats, patterns):
        scores = (repeats + patterns) / 2
        key = tuple(np.argsort(-scores, kind="stable")[:4].tolist())
        return Explained(0.0, scores, repeats, patterns, np.zeros(len(scores), np.int64), key)


class Evidence:
    """A scorer of evidence with fixed answers that counts its calls."""

    values = np.array([0.97, 0.1, 0.9, 0.95, 0.1, 0.8, 0.3, 0.99], np.float32)

    def __init__(self):
        self.articles = []

    def scores(self, claim, vectors, texts):
        self.articles.append(len(texts))
        return self.values[: len(texts)]


@pytest.fixture(scope="module")
def index(encoders):
    return ClaimIndex.in_memory([CLAIM, SHORT, BARE], encoders)


@pytest.fixture(autouse=True)
def _nothing_alike(monkeypatch):
    """The vectors of a random model are all alike."""
    monkeypatch.setattr(key_sentences, "SAME_CONTENT_COSINE", 1.1)


def explained(index, explainers, *sentence_indices):
    vector = index.statement_vectors[0]
    return explainers.explain(
        index, "Taxes fell by ten percent.", vector, list(sentence_indices) or [0]
    )


def told(keys):
    return {key.text: key.why for key in keys}


def test_each_sentence_says_what_it_is_there_for(index):
    """What repeats the claim first, then the pattern, then what decides.

    Each a stretch of the article.
    """
    (keys,) = explained(index, Explainers(Mtm(), Evidence()))

    assert told(keys) == {
        TEXTS[0]: "repeats the claim",
        TEXTS[3]: "debunking pattern, decides the rating",
        TEXTS[2]: "decides the rating",
    }
    assert [key.index for key in keys] == [0, 3, 2]
    assert all(BODY[key.start : key.end] == key.text for key in keys)
    assert list(keys[1].whys) == [Why.PATTERN, Why.DECIDES]


def test_of_two_sentences_that_say_the_same_one_is_quoted():
    """An article that quotes the claim at both ends shows it once.

    What decides may say it again in its own way.
    """
    vectors = np.array([[1, 0], [0.96, 0.28], [0, 1], [0, 1]], np.float32)
    ranked = {Why.REPEATS: [(1, 0.9), (0, 0.8), (2, 0.7)], Why.DECIDES: [(2, 0.9), (3, 0.8)]}
    picks = Picks(range(4), ranked)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(key_sentences, "SAME_CONTENT_COSINE", 0.9)
        picks.drop_repetitions(vectors)

    assert picks.ranked[Why.REPEATS] == [(1, 0.9), (2, 0.7)]
    assert picks.ranked[Why.DECIDES] == [(2, 0.9), (3, 0.8)]


def test_the_score_is_that_of_the_first_reason(index):
    """MTM's for what repeats and for patterns, the probability for what decides."""
    (keys,) = explained(index, Explainers(Mtm(), Evidence()))

    assert pytest.approx([0.9, 0.6, 0.9]) == [key.score for key in keys]


def test_a_bare_rating_a_heading_and_a_repetition_are_never_quoted(index):
    """The card shows the rating already; the second copy of a sentence says nothing new."""
    (keys,) = explained(index, Explainers(Mtm(), Evidence()))

    assert not {TEXTS[7], TEXTS[4]} & set(told(keys))
    assert 6 not in [key.index for key in keys]


def test_a_quoted_claim_decides_nothing(index):
    """However sure the scorer is: who quotes the claim has not judged it."""
    (keys,) = explained(index, Explainers(None, Evidence()))

    assert Why.DECIDES not in next((key.whys for key in keys if key.index == 0), ())


def test_without_mtm_the_nearest_stand_in_and_say_so(index):
    """Nothing is called a repetition that only lies near."""
    (keys,) = explained(index, Explainers(None, Evidence()))

    assert {Why.NEAREST, Why.DECIDES} == {why for key in keys for why in key.whys}
    assert MIN_KEY_SENTENCES <= len(keys) <= MAX_KEY_SENTENCES


@pytest.mark.threat("publisher")
def test_of_a_very_long_article_mtm_reads_the_nearest_sentences_only(index, monkeypatch):
    monkeypatch.setattr(key_sentences, "MAX_READ_SENTENCES", 4)
    monkeypatch.setattr(key_sentences, "NEAREST_READ_SENTENCES", 4)
    articles_read = []

    class NotingMtm(Mtm):
        def explain(self, query, articles, *, relevance=True):
            articles_read.extend(articles)
            return super().explain(query, articles, relevance=relevance)

    (keys,) = explained(index, Explainers(NotingMtm(), Evidence()))

    cosines = index.body_vectors(0) @ index.statement_vectors[0]
    nearest = key_sentences.nearest_positions(cosines, 4).tolist()
    assert articles_read == [[TEXTS[position] for position in nearest]]
    assert MIN_KEY_SENTENCES <= len(keys) <= MAX_KEY_SENTENCES


@pytest.mark.threat("publisher")
def test_of_a_very_long_article_the_scorer_reads_the_nearest_and_the_last(index, monkeypatch):
    monkeypatch.setattr(key_sentences, "MAX_READ_SENTENCES", 4)
    monkeypatch.setattr(key_sentences, "NEAREST_READ_SENTENCES", 2)
    monkeypatch.setattr(key_sentences, "LAST_READ_SENTENCES", 1)
    texts_read = []

    class NotingEvidence(Evidence):
        def scores(self, claim_vector, sentence_vectors, texts):
            texts_read.append(list(texts))
            assert len(sentence_vectors) == len(texts)
            return super().scores(claim_vector, sentence_vectors, texts)

    explained(index, Explainers(None, NotingEvidence()))

    cosines = index.body_vectors(0) @ index.statement_vectors[0]
    nearest = key_sentences.nearest_positions(cosines, 2).tolist()
    expected = sorted({*nearest, len(TEXTS) - 1})
    assert texts_read == [[TEXTS[position] for position in expected]]


def test_without_any_model_the_three_nearest_remain(index):
    """By SBERT, best first, marked as such."""
    (keys,) = explained(index, Explainers())
    similarities = index.body_vectors(0) @ index.statement_vectors[0]

    assert len(keys) == MIN_KEY_SENTENCES
    assert {str(Why.NEAREST)} == {key.why for key in keys}
    assert [pytest.approx(similarities[key.index]) for key in keys] == [key.score for key in keys]
    assert sorted((key.score for key in keys), reverse=True) == [key.score for key in keys]


def test_what_is_far_from_the_claim_is_not_said_to_repeat_it(index, monkeypatch):
    """MTM's nearness is relative to the article.

    In an article about something else, the nearest repeats nothing.
    """
    monkeypatch.setattr(key_sentences, "MIN_REPEAT_COSINE", 1.1)

    (keys,) = explained(index, Explainers(Mtm(), None))

    assert not any(Why.REPEATS in key.whys for key in keys)
    assert any(Why.NEAREST in key.whys for key in keys)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("“Coal made half of our power in 2020,” she said.", False),
        ("For 2020 it found that coal made about 19 percent of our power.", True),
        (
            "For 2020 it found that coal made about 19 percent of the power generated at large plants.",
            True,
        ),
        ("Coal is what he spoke of.", False),
    ],
)
def test_other_figures_are_no_repetition(text, other):
    """Who gives another number corrects the claim; who gives none may repeat it."""
    assert other is key_sentences.other_figures(text, "Coal made half of our power in 2020.")


@pytest.mark.parametrize(
    ("text", "statement", "other"),
    [
        ("The mayor never admitted that she closed it.", "The mayor admitted that she closed it.", True),
        ("Officials say that the mayor closed it.", "The mayor did not close it.", True),
        ("“Closing it is not a crime,” she said.", "Closing it is not a crime.", False),
        ("The mayor did not say so: “I closed it.”", "I closed it.", False),
        ("The mayor closed it in May.", "The mayor closed it.", False),
    ],
)  # fmt: skip
def test_a_denial_of_one_text_alone_is_no_repetition(text, statement, other):
    """A sentence that quotes the whole claim repeats it, whatever the other words."""
    assert other is key_sentences.denies_otherwise(text, statement)


def test_a_claim_without_article_has_none_and_a_short_one_what_it_has(index):
    """Nothing is made up; in a short article, the one sentence that does more than state the rating."""
    nothing, explanation = explained(index, Explainers(Mtm(), Evidence()), 2, 1)

    assert nothing == ()
    assert [key.text for key in explanation] == ["They did not double."]


def test_articles_are_asked_one_at_a_time_and_what_decides_once(index):
    """One call of MTM for each match of a sentence, without its transformers.

    Evidence once for a claim.
    """
    mtm = Mtm()
    evidence = Evidence()
    explainers = Explainers(mtm, evidence)

    first_keys = explained(index, explainers, 0, 1, 2)
    again = explained(index, explainers, 0, 1, 2)

    assert first_keys == again
    assert mtm.asked == [("Taxes fell by ten percent.", False)] * 6
    assert evidence.articles == [8, 3]


def test_another_profile_keeps_the_nearest():
    """Both models were trained beside the embedded vectors; others would mean nothing to them."""
    assert Explainers() == key_sentences.load(PAPER)
    assert key_sentences.load(PAPER).digests == {}


def test_the_models_in_use_have_a_name_and_a_digest():
    """The manifest of a report names the weights in models/."""
    explainers = key_sentences.load(EMBEDDED)

    models = {"mtm": explainers.mtm, "evidence": explainers.evidence}
    loaded_names = {name for name, model in models.items() if model is not None}
    assert explainers.digests.keys() == loaded_names
    assert all(len(digest.split()[1]) == 12 for digest in explainers.digests.values())


def test_words_of_long_ago_are_no_known_reason():
    """An archived report may say it otherwise; it is shown as it is."""
    key = KeySentence(0, 0, 3, "Yes", 1.0, "nearest to the sentence")

    assert key.whys == ()
    assert replace(key, why="decides the rating, repeats the claim").whys == (
        Why.REPEATS,
        Why.DECIDES,
    )


rankings = st.dictionaries(
    st.sampled_from(list(Why)),
    st.lists(st.integers(0, 30), unique=True, max_size=12).map(
        lambda ps: [(p, 1 / (i + 1)) for i, p in enumerate(ps)]
    ),
)


@given(rankings)
def test_three_to_five_whatever_the_rankings(ranked):
    """As many as there are, three at least, five at most; none twice.

    Every best one of a reason is there.
    """
    ranked[Why.NEAREST] = [
        (sentence_index, 1.0)
        for sentence_index in sorted({p for ranking in ranked.values() for p, _ in ranking})
    ]
    picks = Picks(range(31), ranked).choose()
    sentence_indices = [sentence_index for sentence_index, _, _ in picks]

    assert min(MIN_KEY_SENTENCES, len(ranked[Why.NEAREST])) <= len(picks) <= MAX_KEY_SENTENCES
    assert len(sentence_indices) == len(set(sentence_indices))
    assert all(whys for _, _, whys in picks)
    firsts = {
        ranking[0][0] for why, ranking in ranked.items() if ranking and why is not Why.NEAREST
    }
    assert firsts <= set(sentence_indices) or len(picks) == MAX_KEY_SENTENCES
    assert all(
        len([p for p, _, whys in picks if why in whys])
        <= max(MAX_PICKS_PER_REASON[why], MIN_KEY_SENTENCES)
        for why in Why
    )
    repeats = ranked.get(Why.REPEATS)
    assert not (
        repeats
        and len(picks) > MIN_KEY_SENTENCES
        and any(Why.NEAREST in whys for _, _, whys in picks)
    )
