"""Encoders: exactness, batches, blanks, poolings, and models that transformers loads."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from features.models.encoders import HeadEncoder, load_encoder
from features.models.model_spec import EMBEDDED, ModelSpec, ModelUnavailable
from features.models.onnx_graphs import cached_graph
from features.models.weight_files import embedded_folder

TEXTS = [
    "The unemployment rate fell to 4.1 percent last year.",
    "No.",
    "Crime is down, and it has been going down for twenty years, in every city of this state and beyond.",
    "Wages rose faster than prices.",
    "We built three hundred miles of road.",
]


@pytest.fixture(scope="module")
def minilm():
    return load_encoder(ModelSpec(EMBEDDED))


def test_vectors_equal_sentence_transformers(minilm):
    """The graph gives the vectors of the reference implementation."""
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(embedded_folder()), device="cpu").encode(TEXTS)
    np.testing.assert_allclose(minilm.encode(TEXTS), reference, atol=1e-5)


@pytest.mark.parametrize("batch_size", [1, 2, 64])
def test_vectors_do_not_depend_on_the_batch(minilm, batch_size):
    """A sentence has the same vector whatever stands beside it."""
    alone = np.concatenate([minilm.encode([text]) for text in TEXTS])
    np.testing.assert_allclose(minilm.encode(TEXTS, batch_size=batch_size), alone, atol=1e-5)


def test_a_blank_text_is_a_zero_row(minilm):
    """Nothing has cosine 0 with everything."""
    vectors, states = minilm.encode_with_states(["", "Wages rose.", "  \n"])
    assert vectors.any(axis=1).tolist() == [False, True, False]
    assert [len(s) for s in states] == [0, 5, 0]  # [CLS] wages rose . [SEP]


@pytest.mark.parametrize("name", ["embedded", "tiny"])
def test_a_broken_character_is_no_error(minilm, tiny_bert, name):
    """Half a surrogate pair, as broken files have, is read as a question mark."""
    encoder = minilm if name == "embedded" else load_encoder(ModelSpec(str(tiny_bert)))
    np.testing.assert_array_equal(
        encoder.encode(["taxes \ud83d rose"]), encoder.encode(["taxes ? rose"])
    )


def test_no_text_gives_no_row(minilm):
    """An empty list is no error."""
    assert len(minilm.encode([])) == 0


def test_states_pool_to_the_vector(minilm):
    """Vectors and token states come from the same pass.

    States are unit rows over the whole text.
    """
    vectors, states = minilm.encode_with_states(TEXTS)
    np.testing.assert_allclose(vectors, minilm.encode(TEXTS), atol=1e-6)
    np.testing.assert_allclose([np.linalg.norm(s, axis=1).max() for s in states], 1, atol=1e-5)


def test_a_text_of_ten_thousand_words_is_cut(minilm):
    """A text beyond the model's length is read up to it, not refused."""
    states = minilm.token_states(["word " * 10_000])
    assert len(states[0]) == 256


def test_bulk_vectors_are_near_the_exact_ones(minilm):
    """The faster path, where the processor has one, stays within a cosine of 0.001."""
    cosines = (minilm.bulk().encode(TEXTS) * minilm.encode(TEXTS)).sum(axis=1)
    assert cosines.min() > 0.999
    assert minilm.bulk().digest == minilm.digest


def test_layer_six_is_the_last_and_shares_the_model(minilm):
    """BERTScore's encoder and SBERT are one loaded model."""
    assert load_encoder(ModelSpec(EMBEDDED, layer=6)) is minilm


def test_an_inner_layer_has_other_states(minilm):
    """A layer that the graph does not give is read through transformers."""
    inner = load_encoder(ModelSpec(EMBEDDED, layer=3)).token_states(TEXTS[:1])[0]
    last_states = minilm.token_states(TEXTS[:1])[0]
    assert inner.shape == last_states.shape
    assert np.abs(inner - last_states).max() > 0.05


def test_a_half_written_graph_is_never_seen(tmp_path, monkeypatch):
    """An export that fails leaves nothing behind."""
    monkeypatch.setenv("LECTERN_CACHE", str(tmp_path / "cache"))

    def fail(path):
        path.write_bytes(b"half")
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError):
        cached_graph("0" * 64, fail)
    assert list((tmp_path / "cache").iterdir()) == []


def test_a_read_only_home_still_works_and_leaves_nothing(tmp_path):
    """Where no cache can be kept, graphs go to one temporary folder, which is gone when the process ends."""
    (tmp_path / "file").write_text("")
    (tmp_path / "temporary").mkdir()
    code = (
        "from features.models.onnx_graphs import cached_graph\n"
        "paths = [cached_graph(key * 64, lambda path: path.write_bytes(b'graph')) for key in '01']\n"
        "print([path.read_bytes() for path in paths], len({path.parents[1] for path in paths}))"
    )
    env = {k: v for k, v in os.environ.items() if k != "LECTERN_CACHE"}
    env |= {"LECTERN_HOME": str(tmp_path / "file"), "TMPDIR": str(tmp_path / "temporary")}
    ran = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[b'graph', b'graph'] 1"
    assert list((tmp_path / "temporary").iterdir()) == []


def test_the_head_adds_its_network_to_the_trunk(minilm, simcse_head):
    """SimCSE is x + w2·gelu(w1·x + b1) + b2 of the trunk's vector, and so can be had from stored vectors."""
    import torch

    encoder = load_encoder(ModelSpec(EMBEDDED, weights=str(simcse_head.path)))
    assert isinstance(encoder, HeadEncoder)
    x = torch.from_numpy(minilm.encode(TEXTS))
    w1, b1, w2, b2 = (
        torch.from_numpy(simcse_head.tensors[name]) for name in ("w1", "b1", "w2", "b2")
    )
    expected = torch.nn.functional.normalize(
        x + torch.nn.functional.gelu(x @ w1.T + b1) @ w2.T + b2
    )
    np.testing.assert_allclose(encoder.encode(TEXTS), expected, atol=1e-5)
    np.testing.assert_array_equal(encoder.lift(minilm.encode(TEXTS)), encoder.encode(TEXTS))
    assert not encoder.encode([""]).any()
    assert encoder.digest != minilm.digest


def test_missing_weights_say_what_to_do():
    """One line names the file and the cure."""
    with pytest.raises(ModelUnavailable, match="nowhere.safetensors isn't in .*models.*training"):
        load_encoder(ModelSpec(EMBEDDED, weights="nowhere.safetensors"))


def test_a_missing_model_says_what_to_do(monkeypatch):
    """A hub id without a network is one line, not a traceback of the library."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    with pytest.raises(ModelUnavailable, match="The model ./no/such/model cannot be loaded"):
        load_encoder(ModelSpec("./no/such/model"))


def test_mean_pooling_of_a_local_model_equals_sentence_transformers(tiny_bert):
    """A profile's own SBERT model loads by the same code."""
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Normalize, Pooling, Transformer

    transformer = Transformer(str(tiny_bert))
    width = transformer.get_embedding_dimension()
    reference = SentenceTransformer(
        modules=[transformer, Pooling(width, "mean"), Normalize()], device="cpu"
    )
    np.testing.assert_allclose(
        load_encoder(ModelSpec(str(tiny_bert))).encode(TEXTS), reference.encode(TEXTS), atol=1e-5
    )


@pytest.mark.parametrize(("pooling", "pooler"), [("pooler", "cls"), ("cls", "cls_before_pooler")])
def test_simcse_models_equal_the_simcse_package(tiny_bert, pooling, pooler):
    """The paper profile's SimCSE is the package's, by its own pooler output or its first token."""
    simcse = pytest.importorskip(
        "simcse", reason="simcse is not installed (make setup installs it)"
    )
    reference = simcse.SimCSE(str(tiny_bert), device="cpu", pooler=pooler).encode(
        TEXTS, return_numpy=True
    )
    vectors = load_encoder(ModelSpec(str(tiny_bert), pooling=pooling, max_length=128)).encode(TEXTS)
    np.testing.assert_allclose(vectors, reference, atol=1e-5)


def test_another_weight_is_another_digest(tiny_bert, tmp_path):
    """The digest changes with anything that changes the vectors."""
    import shutil

    from transformers import BertModel

    other_folder = tmp_path / "other"
    shutil.copytree(tiny_bert, other_folder)
    model = BertModel.from_pretrained(other_folder)
    model.embeddings.word_embeddings.weight.data[5, 0] += 1
    model.save_pretrained(other_folder)
    digests = {load_encoder(ModelSpec(str(folder))).digest for folder in (tiny_bert, other_folder)}
    digests.add(load_encoder(ModelSpec(str(tiny_bert), pooling="cls")).digest)
    assert len(digests) == 3
    assert json.loads((other_folder / "config.json").read_text())["model_type"] == "bert"
