"""The measures, against the models one pair at a time.

Nothing depends on the rest of the transcript.
"""

import numpy as np
import pytest

from assistant.check.candidates import search
from assistant.check.pair_features import Context, context_gains, measure, nli_order
from assistant.claims.claim_index import ClaimIndex
from features.similarity.bm25 import BM25
from features.similarity.catalogue import COLUMN, FAMILIES, MEASURES, NAMES
from tests.assistant.check.conftest import TEXTS
from tests.assistant.claims.indexed import claims


@pytest.fixture(scope="module")
def X(index, encoders, found):
    return measure(TEXTS, index, encoders, found, nli_candidates=4).X


def test_measures_are_in_the_catalogues_order(X, index, encoders, found):
    """Every column of a pair equals its measure computed for that pair alone."""
    text = TEXTS[0]
    claim = index.claim(int(found[0, 0]))
    vector = encoders.sbert.encode([text])[0]
    body = [claim.body[a:b] for a, b in index.body_spans(int(found[0, 0]))]
    expected = {
        "sbert_statement": encoders.sbert.encode([claim.statement])[0] @ vector,
        "sbert_title": encoders.sbert.encode([claim.title])[0] @ vector,
        "sbert_body_1": max(encoders.sbert.encode(body) @ vector),
        "sbert_body_4": sorted(encoders.sbert.encode(body) @ vector)[-min(4, len(body))],
        "simcse_statement": encoders.simcse.encode([claim.statement])[0]
        @ encoders.simcse.encode([text])[0],
        "simcse_title": encoders.simcse.encode([claim.title])[0]
        @ encoders.simcse.encode([text])[0],
        "simcse_body_1": max(encoders.simcse.encode(body) @ encoders.simcse.encode([text])[0]),
        "bm25_body": BM25.of([c.body for c in claims()]).scores([text])[0, found[0, 0]],
        "nli_contradiction": encoders.nli.probabilities([claim.statement], [text])[0, 2],
    }
    assert pytest.approx({name: X[0, 0, COLUMN[name]] for name in expected}, abs=1e-3) == expected


def test_bertscore_is_the_packages(X, index, found):
    """The F1 column equals bert-score on the same model and layer."""
    from bert_score import BERTScorer

    from features.models.weight_files import embedded_folder

    scorer = BERTScorer(model_type=str(embedded_folder()), num_layers=6, device="cpu")
    statements = [index.statements[i] for i in found[0, :3]]
    expected = scorer.score([TEXTS[0]] * 3, statements, batch_size=1)[2]
    np.testing.assert_allclose(X[0, :3, COLUMN["bertscore"]], expected, atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_every_measure_is_finite_and_in_range(X, found, name):
    """No measure is NaN; all are 0 where there is no candidate.

    Cosines and probabilities keep their range.
    """
    column = X[..., COLUMN[name]]
    assert np.isfinite(column).all()
    assert not column[found < 0].any()
    low, high = {"bm25": (0, np.inf), "nli": (0, 1)}.get(MEASURES[COLUMN[name]].family, (-1, 1))
    assert low - 1e-5 <= column.min() <= column.max() <= high + 1e-5


def test_a_missing_field_measures_zero(X, index, found):
    """A claim without title or body has 0 in every measure of that field."""
    for position, field in ((3, "title"), (4, "body"), (5, "title"), (5, "body")):
        columns = [i for i, m in enumerate(MEASURES) if m.field == field]
        pairs = X[found == position]
        assert len(pairs)
        assert not pairs[:, columns].any()


def test_nli_reads_the_best_candidates_only(X, found):
    """NLI has probabilities for its share of each sentence's candidates, the first by `nli_order`, and 0 elsewhere."""
    first = COLUMN["nli_entailment"]
    sums = X[..., first : first + 3].sum(axis=2)
    for row, slots in enumerate(nli_order(X, found)):
        chosen = set(slots[:4]) if (found[row] >= 0).any() else set()
        assert set(np.flatnonzero(sums[row] > 0.99)) == chosen
        assert not np.delete(sums[row], list(chosen)).any()


def test_a_sentence_measures_the_same_alone(X, index, encoders, found):
    """No measure looks at the rest of the transcript or depends on how it was batched."""
    for row in (0, 3, 4):
        alone = measure([TEXTS[row]], index, encoders, found[[row]], nli_candidates=4)
        np.testing.assert_allclose(alone.X[0], X[row], atol=1e-5)


def test_claims_may_stand_in_any_slot(X, index, encoders, found):
    """Shuffled candidates give shuffled measures."""
    order = np.random.default_rng(1).permutation(found.shape[1])
    shuffled = measure(TEXTS, index, encoders, found[:, order], nli_candidates=4)
    np.testing.assert_allclose(shuffled.X, X[:, order], atol=1e-5)


def test_no_sentence_or_no_claim_is_no_error(index, encoders):
    """Empty input gives empty arrays of the right shape."""
    none = search([], encoders.sbert.encode([]).reshape(0, 384), index)
    assert measure([], index, encoders, none).X.shape == (0, 0, 19)
    empty = ClaimIndex.in_memory([], encoders)
    rows = search(TEXTS, encoders.sbert.encode(TEXTS), empty)
    assert measure(TEXTS, empty, encoders, rows).X.shape == (5, 0, 19)


def test_progress_names_every_family(index, encoders, found):
    """A person sees which family is in hand; NLI, the longest, counts its pairs."""
    seen = []
    measure(
        TEXTS, index, encoders, found, nli_candidates=2, progress=lambda *step: seen.append(step)
    )
    assert {stage for stage, _, _ in seen} == set(FAMILIES)
    assert seen[-1] == ("nli", 8, 8)


def test_the_paper_form_measures_by_the_same_code(tiny_encoders):
    """Models of another form, with SimCSE and BERTScore models apart from SBERT, fill all 19 columns."""
    index = ClaimIndex.in_memory(claims(), tiny_encoders)
    rows = search(TEXTS, tiny_encoders.sbert.encode(TEXTS), index)
    X = measure(TEXTS, index, tiny_encoders, rows).X
    assert (X[0] != 0).any(axis=0).all()
    cosine = (
        index.vectors("simcse", "statement")[rows[0, 0]] @ tiny_encoders.simcse.encode(TEXTS[:1])[0]
    )
    assert pytest.approx(X[0, 0, COLUMN["simcse_statement"]], abs=1e-5) == cosine


def test_what_the_cross_encoder_says_of_the_same_claim_stands_with_its_pair(
    index, encoders, found, monkeypatch
):
    """Read pairs carry the log-odds of their own texts; every other pair is unknown."""

    def told(premises, hypotheses):
        return np.full((len(premises), 3), 1 / 3), np.array(
            [len(p) - len(h) for p, h in zip(premises, hypotheses, strict=True)]
        )

    monkeypatch.setattr(encoders.nli, "read", told)
    measured = measure(TEXTS, index, encoders, found, nli_candidates=3)
    read = np.argwhere(~np.isnan(measured.same_claim)).tolist()
    assert (
        read == np.argwhere(measured.X[..., COLUMN["nli_entailment"]] > 0).tolist()
        and len(read) == 12
    )
    for row, slot in read:
        difference = len(index.statements[found[row, slot]]) - len(TEXTS[row])
        assert difference == measured.same_claim[row, slot]


def test_the_context_is_compared_for_the_wanted_sentences_only(index, encoders, found):
    """A neighbour that says the statement adds what the sentence leaves out.

    Of a sentence alone nothing is known.
    """
    states = encoders.read(TEXTS)[1]
    said = encoders.read([index.statements[int(found[3, 0])]])[1]
    around = [[states[1]], [], [states[1]], said, [states[0]]]
    gains = context_gains(
        Context(states, around), index, found, np.array([True, True, True, True, False])
    )
    assert (
        np.isnan(gains[[1, 2, 4]]).all() and not np.isnan(gains[[0, 3]][found[[0, 3]] >= 0]).any()
    )
    assert gains[3, 0] == np.nanmax(gains[3]) > 0.2
    assert gains.shape == found.shape and np.isnan(gains[found < 0]).all()
