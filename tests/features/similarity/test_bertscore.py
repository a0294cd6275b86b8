"""BERTScore: the oracle is the bert-score package."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.models.encoders import load_encoder
from features.models.model_spec import EMBEDDED, ModelSpec, ModelUnavailable
from features.models.weight_files import embedded_folder
from features.similarity.bertscore import f1_scores, pair_scores, read_baseline, recall_gains

SENTENCES = ["Crime is down, way down.", "We have the lowest unemployment in 50 years!", "No."]
STATEMENTS = [
    "Says crime has fallen in the United States.",
    "“The unemployment rate is the lowest in half a century.”",
    "Yes.",
    "The United States has built three hundred miles of new border wall since January of that year, a senator said.",
]
ALL = np.tile(np.arange(4, dtype=np.int32), (3, 1))


def _oracle(folder, layers):
    """Return the package's F1, pair by pair.

    In a padded batch it takes the padding's 0 for a negative best cosine.
    """
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=str(folder), num_layers=layers, device="cpu")
    pairs = [(s, t) for s in SENTENCES for t in STATEMENTS]
    return (
        scorer.score([s for s, _ in pairs], [t for _, t in pairs], batch_size=1)[2]
        .numpy()
        .reshape(3, 4)
    )


def _scores(encoder, states=np.float32):
    statements = [s.astype(states) for s in encoder.token_states(STATEMENTS)]
    sentence_index = np.repeat(np.arange(3), 4)
    claim_index = np.tile(np.arange(4), 3)
    scores = pair_scores(
        encoder.token_states(SENTENCES), lambda i: statements[i], sentence_index, claim_index
    )
    return scores.reshape(3, 4)


@pytest.mark.parametrize("states", [np.float32, np.float16])
def test_f1_equals_bert_score_on_minilm(states):
    """The embedded profile's F1 is the package's, also from states kept in half precision."""
    expected = _oracle(embedded_folder(), 6)
    np.testing.assert_allclose(
        _scores(load_encoder(ModelSpec(EMBEDDED, layer=6)), states), expected, atol=1e-4
    )


def test_f1_equals_bert_score_on_an_inner_layer(tiny_bert):
    """A profile's own model is read at the layer it names."""
    expected = _oracle(tiny_bert, 2)
    np.testing.assert_allclose(
        _scores(load_encoder(ModelSpec(str(tiny_bert), layer=2))), expected, atol=1e-4
    )


def test_f1_by_hand():
    """Two words against one: precision is the mean of the best cosines, recall the one word's best."""
    ends = np.array([[0, 0, 1.0]])
    sentence = np.concatenate([ends, [[1, 0, 0], [0, 1, 0]], ends]).astype(np.float32)
    statement = np.concatenate([ends, [[0.8, 0.6, 0]], ends]).astype(np.float32)
    precision = (0.8 + 0.6) / 2
    recall = 0.8
    assert f1_scores(sentence, [statement])[0] == pytest.approx(
        2 * precision * recall / (precision + recall)
    )


def test_a_text_without_words_scores_zero():
    """A blank statement and a blank sentence score 0."""
    encoder = load_encoder(ModelSpec(EMBEDDED))
    states = encoder.token_states(["Crime is down.", ""])
    actual = pair_scores(
        states, lambda i: states[i], np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    )
    assert actual.round(5).tolist() == [1, 0, 0, 0]


@given(st.integers(0, 2**32 - 1))
def test_what_the_context_adds_is_recall_beyond_the_sentences_own(seed):
    """The recall by all words, one by one, less that by the sentence's.

    Never below 0, whatever the ends say.
    """
    rng = np.random.default_rng(seed)
    sentence, *neighbours = (
        rng.normal(size=(n, 4)).astype(np.float32) for n in rng.integers(3, 7, size=3)
    )
    statements = [rng.normal(size=(n, 4)).astype(np.float16) for n in rng.integers(3, 7, size=2)]
    gains = recall_gains(sentence, neighbours, statements)
    for gain, statement in zip(gains, statements, strict=True):
        words = [word.astype(np.float32) for word in statement[1:-1]]
        own_cosines = [
            max(float(word @ other_word) for other_word in sentence[1:-1]) for word in words
        ]
        everything = [*sentence[1:-1], *(word for states in neighbours for word in states[1:-1])]
        both = [max(float(word @ other_word) for other_word in everything) for word in words]
        assert pytest.approx(np.mean(both) - np.mean(own_cosines), abs=1e-4) == gain
        assert gain >= 0


def test_what_the_context_adds_is_unknown_without_words_on_any_side():
    """No neighbour with a word, a blank sentence, a blank statement."""
    states = load_encoder(ModelSpec(EMBEDDED)).token_states(["Crime is down.", "", "Wages rose."])
    assert np.isnan(recall_gains(states[0], [], [states[2]])).all()
    assert np.isnan(recall_gains(states[0], [states[1]], [states[2]])).all()
    assert np.isnan(recall_gains(states[1], [states[0]], [states[2]])).all()
    assert np.isnan(recall_gains(states[0], [states[2]], [states[1], states[2]])).tolist() == [
        True,
        False,
    ]


def test_the_baseline_is_the_packages():
    """`rescale` uses the table that bert-score ships: roberta-large, layer 17."""
    import bert_score

    scorer = bert_score.BERTScorer.__new__(bert_score.BERTScorer)
    path = f"{bert_score.__path__[0]}/rescale_baseline/en/roberta-large.tsv"
    scorer.__dict__.update(
        _baseline_vals=None, baseline_path=path, all_layers=False, _num_layers=17
    )
    assert read_baseline("roberta-large", 17) == pytest.approx(scorer.baseline_vals[2].item())


def test_rescaling_moves_the_baseline_to_zero():
    """A score at the baseline becomes 0, a perfect one stays 1."""
    encoder = load_encoder(ModelSpec(EMBEDDED))
    states = encoder.token_states(["Crime is down.", "Wages rose."])
    positions = (np.array([0, 0]), np.array([0, 1]))
    raw = pair_scores(states[:1], lambda i: states[i], *positions)
    rescaled = pair_scores(states[:1], lambda i: states[i], *positions, baseline=float(raw[1]))
    np.testing.assert_allclose(rescaled, [1, 0], atol=1e-5)


def test_a_model_without_a_baseline_is_named():
    """Rescaling a model that bert-score has no table for is refused in one line."""
    with pytest.raises(
        ModelUnavailable, match="no baseline for layer 3 of my-model. Set rescale = false"
    ):
        read_baseline("my-model", 3)
