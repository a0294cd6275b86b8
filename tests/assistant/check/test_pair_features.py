"""The measures, against the models one pair at a time.

Nothing depends on the rest of the transcript.
"""

import numpy as np
import pytest

from assistant.check.candidates import search
from assistant.check.pair_features import (
    NLI,
    ContextStates,
    compare,
    context_gains,
    cross_encode,
    order_for_entailment,
)
from assistant.check.pairs import Pairs
from assistant.claims.claim_index import ClaimIndex
from features.similarity.bm25 import BM25
from features.similarity.catalogue import COLUMN, FAMILIES, MEASURES, NAMES
from tests.assistant.check.conftest import TEXTS
from tests.assistant.claims.indexed import claims


def measured(pairs, texts, index, encoders, nli_candidates=15):
    """Pairs with all 19 features."""
    compared = compare(pairs, texts, index, encoders)
    return cross_encode(compared, texts, index, encoders, nli_candidates=nli_candidates)


@pytest.fixture(scope="module")
def pairs(index, encoders, found):
    return measured(found, TEXTS, index, encoders, nli_candidates=4)


def test_measures_are_in_the_catalogues_order(pairs, index, encoders):
    """Every column of a pair equals its measure computed for that pair alone."""
    text = TEXTS[0]
    first_claim = int(pairs.claim_index[0])
    claim = index.claim(first_claim)
    body = [claim.body[start:end] for start, end in index.body_spans(first_claim)]
    sbert_text, sbert_statement, sbert_title = encoders.sbert.encode(
        [text, claim.statement, claim.title]
    )
    simcse_text, simcse_statement, simcse_title = encoders.simcse.encode(
        [text, claim.statement, claim.title]
    )
    sbert_body = sorted(encoders.sbert.encode(body) @ sbert_text)
    simcse_body = sorted(encoders.simcse.encode(body) @ simcse_text)
    fourth_best = -min(4, len(body))
    bm25_of_bodies = BM25.of([made_claim.body for made_claim in claims()])
    labels = encoders.nli.probabilities([claim.statement], [text])[0]
    expected = {
        "sbert_statement": sbert_statement @ sbert_text,
        "sbert_title": sbert_title @ sbert_text,
        "sbert_body_1": sbert_body[-1],
        "sbert_body_4": sbert_body[fourth_best],
        "simcse_statement": simcse_statement @ simcse_text,
        "simcse_title": simcse_title @ simcse_text,
        "simcse_body_1": simcse_body[-1],
        "bm25_body": bm25_of_bodies.scores([text])[0, first_claim],
        "nli_contradiction": labels[2],
    }
    actual = {name: pairs.similarities[0, COLUMN[name]] for name in expected}
    assert actual == pytest.approx(expected, abs=1e-3)


@pytest.mark.slow
def test_bertscore_is_the_packages(pairs, index):
    """The F1 column equals bert-score on the same model and layer."""
    from bert_score import BERTScorer

    from features.models.weight_files import embedded_folder

    scorer = BERTScorer(model_type=str(embedded_folder()), num_layers=6, device="cpu")
    statements = [index.statements[i] for i in pairs.claim_index[:3]]
    expected = scorer.score([TEXTS[0]] * 3, statements, batch_size=1)[2]
    actual = pairs.similarities[:3, COLUMN["bertscore"]]
    np.testing.assert_allclose(actual, expected, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_every_measure_is_finite_and_in_range(pairs, name):
    """No measure is NaN; cosines and probabilities keep their range."""
    column = pairs.similarities[:, COLUMN[name]]
    assert np.isfinite(column).all()
    low, high = {"bm25": (0, np.inf), "nli": (0, 1)}.get(MEASURES[COLUMN[name]].family, (-1, 1))
    assert low - 1e-5 <= column.min() <= column.max() <= high + 1e-5


def test_a_missing_field_measures_zero(pairs):
    """A claim without title or body has 0 in every measure of that field."""
    for claim, field in ((3, "title"), (4, "body"), (5, "title"), (5, "body")):
        columns = [i for i, m in enumerate(MEASURES) if m.field == field]
        of_claim = pairs.similarities[pairs.claim_index == claim]
        assert len(of_claim)
        assert not of_claim[:, columns].any()


def test_nli_reads_the_best_candidates_only(pairs):
    """NLI has probabilities for the first four candidates of each sentence by `order_for_entailment`."""
    sums = pairs.similarities[:, NLI].sum(axis=1)
    order = order_for_entailment(pairs)
    is_best = pairs.position_in_sentence < 4
    assert (sums[order[is_best]] > 0.99).all()
    assert not sums[order[~is_best]].any()


def test_a_sentence_measures_the_same_alone(pairs, index, encoders):
    """No measure looks at the rest of the transcript or depends on how it was batched."""
    for sentence in (0, 3, 4):
        run = pairs.slices()[sentence]
        claim_pairs = Pairs.from_claims([pairs.claim_index[run]])
        alone = measured(claim_pairs, [TEXTS[sentence]], index, encoders, nli_candidates=4)
        np.testing.assert_allclose(alone.similarities, pairs.similarities[run], atol=1e-5)


def test_candidates_may_come_in_any_order(pairs, index, encoders):
    """Reversed candidates give reversed measures."""
    order = np.lexsort((-np.arange(len(pairs)), pairs.sentence_index))
    reordered = Pairs.from_positions(len(TEXTS), pairs.sentence_index, pairs.claim_index[order])
    again = measured(reordered, TEXTS, index, encoders, nli_candidates=4)
    np.testing.assert_allclose(again.similarities, pairs.similarities[order], atol=1e-5)


def test_no_sentence_is_no_error(index, encoders):
    """Without a sentence there are no pairs."""
    none = search([], encoders.sbert.encode([]).reshape(0, 384), index)
    assert measured(none, [], index, encoders).similarities.shape == (0, 19)


def test_no_claim_is_no_error(encoders):
    """Without a claim there are no pairs."""
    empty = ClaimIndex.in_memory([], encoders)
    none = search(TEXTS, encoders.sbert.encode(TEXTS), empty)
    assert measured(none, TEXTS, empty, encoders).similarities.shape == (0, 19)


def test_progress_names_every_family(index, encoders, found):
    """A person sees which family is in hand; NLI, the longest, counts its pairs."""
    steps = []

    def note(*step):
        steps.append(step)

    compared = compare(found, TEXTS, index, encoders, progress=note)
    cross_encode(compared, TEXTS, index, encoders, nli_candidates=2, progress=note)
    assert {stage for stage, _, _ in steps} == set(FAMILIES)
    assert steps[-1] == ("nli", 8, 8)


def test_the_paper_form_measures_by_the_same_code(tiny_encoders):
    """Models of another form, with SimCSE and BERTScore models apart from SBERT, fill all 19 columns."""
    index = ClaimIndex.in_memory(claims(), tiny_encoders)
    candidate_pairs = search(TEXTS, tiny_encoders.sbert.encode(TEXTS), index)
    pairs = measured(candidate_pairs, TEXTS, index, tiny_encoders)
    assert (pairs.similarities[pairs.sentence_index == 0] != 0).any(axis=0).all()
    claim_vector = index.vectors("simcse", "statement")[pairs.claim_index[0]]
    cosine = claim_vector @ tiny_encoders.simcse.encode(TEXTS[:1])[0]
    assert pairs.similarities[0, COLUMN["simcse_statement"]] == pytest.approx(cosine, abs=1e-5)


def test_what_the_cross_encoder_says_of_the_same_claim_stands_with_its_pair(
    index, encoders, found, monkeypatch
):
    """Read pairs carry the log-odds of their own texts; every other pair is unknown."""

    def told(premises, hypotheses):
        return np.full((len(premises), 3), 1 / 3), np.array(
            [len(p) - len(h) for p, h in zip(premises, hypotheses, strict=True)]
        )

    monkeypatch.setattr(encoders.nli, "read", told)
    pairs = measured(found, TEXTS, index, encoders, nli_candidates=3)
    read_pairs = np.flatnonzero(~np.isnan(pairs.same_claim)).tolist()
    assert (
        read_pairs == np.flatnonzero(pairs.similarities[:, COLUMN["nli_entailment"]] > 0).tolist()
    )
    assert len(read_pairs) == 12
    for pair in read_pairs:
        statement = index.statements[pairs.claim_index[pair]]
        text = TEXTS[pairs.sentence_index[pair]]
        assert pairs.same_claim[pair] == len(statement) - len(text)


def test_the_context_is_compared_for_the_wanted_sentences_only(index, encoders, found):
    """A neighbour that says the statement adds what the sentence leaves out.

    Of a sentence alone nothing is known.
    """
    states = encoders.read(TEXTS)[1]
    run = found.slices()[3]
    claim_states = encoders.read([index.statements[int(found.claim_index[run][0])]])[1]
    neighbours = [[states[1]], [], [states[1]], claim_states, [states[0]]]
    is_wanted = np.array([True, True, True, True, False])
    gains = context_gains(ContextStates(states, neighbours), index, found, is_wanted)
    is_known = np.isin(found.sentence_index, (0, 3))
    assert np.isnan(gains).tolist() == (~is_known).tolist()
    assert gains[run][0] == np.nanmax(gains[run]) > 0.2
