"""NLI: order of the labels, both heads, exactness against transformers, blanks."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from features.models.model_spec import EMBEDDED, ModelSpec, ModelUnavailable
from features.models.nli import LAST_LAYER_NORM_NAME, CrossEncoder, load_nli, same_claim_range
from features.models.weight_files import embedded_folder

PREMISES = ["Crime fell last year.", "The wall is 300 miles long.", "Wages rose."]
SENTENCES = [
    "Crime has gone down.",
    "We built no wall at all, not one mile of it, in four years.",
    "It rained.",
]


def _reference(model, pairs, columns, temperature=1.0):
    import torch
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(embedded_folder())
    probabilities = []
    for premise, hypothesis in pairs:
        with torch.inference_mode():
            logits = model.eval()(**tokenizer(premise, hypothesis, return_tensors="pt")).logits[0]
        probabilities.append(torch.softmax(logits[columns] / temperature, dim=0).numpy())
    return np.array(probabilities)


def test_the_embedded_cross_encoder_equals_transformers(nli_weights):
    """The graph made of packaged embeddings and our weights gives the probabilities of the torch model."""
    nli = load_nli(nli_weights.spec)
    expected = _reference(
        nli_weights.model, zip(PREMISES, SENTENCES, strict=True), [0, 1, 2], temperature=1.5
    )
    np.testing.assert_allclose(nli.probabilities(PREMISES, SENTENCES), expected, atol=1e-5)


def test_labels_in_another_order_are_put_in_ours(tiny_nli):
    """A model from the hub says which output is which.

    Ours is entailment, neutral, contradiction.
    """
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
    np.testing.assert_allclose(
        nli.probabilities(PREMISES, SENTENCES, batch_size=3), alone, atol=1e-5
    )


def test_a_blank_side_gives_zeros(tiny_nli):
    """Where there is no statement or no sentence there is nothing to say."""
    probabilities = load_nli(ModelSpec(str(tiny_nli))).probabilities(
        ["", "a b", "a b"], ["a b", " ", "c"]
    )
    assert probabilities[:2].sum(axis=1).tolist() == [0, 0]
    assert pytest.approx(probabilities[2].sum()) == 1


def test_no_pair_gives_no_row(tiny_nli):
    """An empty list is no error."""
    assert load_nli(ModelSpec(str(tiny_nli))).probabilities([], []).shape == (0, 3)


def test_a_model_without_the_three_labels_is_refused():
    """A sentiment model cannot be used by mistake."""
    with pytest.raises(
        ModelUnavailable, match="tweets has the outputs label_0, label_1, but needs entailment"
    ):
        CrossEncoder("tweets", runner=None, labels=["label_0", "label_1"])


def test_the_bare_encoder_is_no_cross_encoder():
    """A profile that names no weights is told so."""
    with pytest.raises(ModelUnavailable, match="needs a weights file to be a cross-encoder"):
        load_nli(ModelSpec(EMBEDDED))


@pytest.fixture(scope="module")
def two_heads(tmp_path_factory):
    """Return the spec of random weights with both heads, and their tensors."""
    import torch
    from safetensors.torch import save_file

    generator = torch.Generator().manual_seed(6)
    sizes = {
        "classifier.weight": (3, 384),
        "classifier.bias": (3,),
        "same.weight": (1, 384),
        "same.bias": (1,),
    }
    tensors = {name: torch.randn(size, generator=generator) for name, size in sizes.items()}
    path = tmp_path_factory.mktemp("two") / "two.safetensors"
    save_file(tensors, path)
    path.with_suffix(".json").write_text(
        json.dumps({"pooling": "mean", "temperature": 2.0}), encoding="utf-8"
    )
    return SimpleNamespace(
        spec=ModelSpec(EMBEDDED, weights=str(path), max_length=128), tensors=tensors
    )


def test_both_heads_read_the_mean_of_the_last_states(two_heads):
    """One pass gives the labels' probabilities and the log-odds of the same claim, as transformers computes them."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    trunk = AutoModel.from_pretrained(embedded_folder(), add_pooling_layer=False).eval()
    tokenizer = AutoTokenizer.from_pretrained(embedded_folder())
    heads = two_heads.tensors
    probabilities, same = load_nli(two_heads.spec).read(PREMISES, SENTENCES, batch_size=2)
    for pair_index, pair in enumerate(zip(PREMISES, SENTENCES, strict=True)):
        with torch.inference_mode():
            mean = trunk(**tokenizer(*pair, return_tensors="pt")).last_hidden_state.mean(1)[0]
        logits = heads["classifier.weight"] @ mean + heads["classifier.bias"]
        np.testing.assert_allclose(
            probabilities[pair_index], torch.softmax(logits / 2.0, 0), atol=1e-5
        )
        np.testing.assert_allclose(
            same[pair_index], heads["same.weight"][0] @ mean + heads["same.bias"][0], atol=1e-4
        )


def test_a_model_without_the_second_head_says_nan(tiny_nli):
    """A hub model has no opinion on the same claim.

    The probabilities stand, the log-odds are not a number.
    """
    probabilities, same = load_nli(ModelSpec(str(tiny_nli))).read(PREMISES, SENTENCES)
    assert np.isnan(same).all()
    assert probabilities.sum(axis=1) == pytest.approx(1)


def test_a_blank_side_has_no_log_odds(two_heads):
    """Where there is no statement or no sentence the second number is NaN, else finite."""
    same = load_nli(two_heads.spec).read(["", "a b", "a b"], ["a b", " ", "c"])[1]
    assert np.isnan(same).tolist() == [True, True, False]


def test_no_states_give_log_odds_outside_the_range():
    """The states that push the head furthest reach the ends of its range, and no others pass them."""
    rng = np.random.default_rng(3)
    head, scale, shift = rng.normal(size=(3, 16)).astype(np.float32)
    tensors = {"same.weight": head[None], "same.bias": np.float32([0.5])}
    tensors |= {f"{LAST_LAYER_NORM_NAME}.weight": scale, f"{LAST_LAYER_NORM_NAME}.bias": shift}
    low, high = same_claim_range(tensors)
    furthest = head * scale - (head * scale).mean()
    states = np.concatenate((rng.normal(size=(500, 16)), [furthest, -furthest]))
    states -= states.mean(axis=1, keepdims=True)
    states /= states.std(axis=1, keepdims=True)

    odds = (states * scale + shift) @ head + 0.5

    assert low <= odds.min()
    assert odds.max() <= high
    assert odds[-2] == pytest.approx(high, abs=0.02)
    assert odds[-1] == pytest.approx(low, abs=0.02)


def test_other_networks_have_no_range():
    """Those of the hub name their layers otherwise and have no such head."""
    assert same_claim_range({}) == (-np.inf, np.inf)
