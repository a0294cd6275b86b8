"""NLI: order of the labels, exactness against transformers, blanks."""

import numpy as np
import pytest

from features.encoders import EMBEDDED, ModelSpec, ModelUnavailable, embedded_folder
from features.nli import CrossEncoder, load_nli

PREMISES = ["Crime fell last year.", "The wall is 300 miles long.", "Wages rose."]
SENTENCES = ["Crime has gone down.", "We built no wall at all, not one mile of it, in four years.", "It rained."]


def _reference(model, pairs, columns, temperature=1.0):
    import torch
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(embedded_folder())
    rows = []
    for premise, hypothesis in pairs:
        with torch.inference_mode():
            logits = model.eval()(**tokenizer(premise, hypothesis, return_tensors="pt")).logits[0]
        rows.append(torch.softmax(logits[columns] / temperature, dim=0).numpy())
    return np.array(rows)


def test_the_embedded_cross_encoder_equals_transformers(nli_weights):
    """The graph made of packaged embeddings and our weights gives the probabilities of the torch model."""
    nli = load_nli(nli_weights.spec)
    expected = _reference(nli_weights.model, zip(PREMISES, SENTENCES, strict=True), [0, 1, 2], temperature=1.5)
    np.testing.assert_allclose(nli.probabilities(PREMISES, SENTENCES), expected, atol=1e-5)


def test_labels_in_another_order_are_put_in_ours(tiny_nli):
    """A model from the hub says which output is which; ours is entailment, neutral, contradiction."""
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained(tiny_nli)
    expected = _reference(model, zip(PREMISES, SENTENCES, strict=True), [1, 2, 0])
    np.testing.assert_allclose(
        load_nli(ModelSpec(str(tiny_nli))).probabilities(PREMISES, SENTENCES), expected, atol=1e-5
    )


def test_probabilities_do_not_depend_on_the_batch(tiny_nli):
    """A pair has the same probabilities whatever stands beside it."""
    nli = load_nli(ModelSpec(str(tiny_nli)))
    alone = [nli.probabilities([p], [s])[0] for p, s in zip(PREMISES, SENTENCES, strict=True)]
    np.testing.assert_allclose(nli.probabilities(PREMISES, SENTENCES, batch_size=3), alone, atol=1e-5)


def test_a_blank_side_gives_zeros(tiny_nli):
    """Where there is no statement or no sentence there is nothing to say."""
    found = load_nli(ModelSpec(str(tiny_nli))).probabilities(["", "a b", "a b"], ["a b", " ", "c"])
    assert [0, 0] == found[:2].sum(axis=1).tolist()
    assert 1 == pytest.approx(found[2].sum())


def test_no_pair_gives_no_row(tiny_nli):
    """An empty list is no error."""
    assert (0, 3) == load_nli(ModelSpec(str(tiny_nli))).probabilities([], []).shape


def test_a_model_without_the_three_labels_is_refused():
    """A sentiment model cannot be used by mistake."""
    with pytest.raises(ModelUnavailable, match="tweets has the outputs label_0, label_1; expected entailment"):
        CrossEncoder("tweets", runner=None, labels=["label_0", "label_1"])


def test_the_bare_encoder_is_no_cross_encoder():
    """A profile that names no weights is told so."""
    with pytest.raises(ModelUnavailable, match="no cross-encoder"):
        load_nli(ModelSpec(EMBEDDED))
