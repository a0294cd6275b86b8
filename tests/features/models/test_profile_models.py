"""The four models of a profile: shared where they can be, loaded when used."""

import subprocess
import sys

import numpy as np
import pytest

from features.models.model_spec import EMBEDDED, ModelSpec, ModelUnavailable
from features.models.profile_models import Encoders

TEXTS = ["Crime is down.", "Wages rose faster than prices."]


def test_sbert_and_bertscore_share_a_pass(encoders):
    """The embedded profile reads a text once for vectors and token states."""
    assert encoders.sbert is encoders.bertscore
    vectors, states = encoders.read(TEXTS)
    np.testing.assert_allclose(vectors, encoders.sbert.encode(TEXTS), atol=1e-6)
    np.testing.assert_allclose(states[1], encoders.bertscore.token_states(TEXTS)[1], atol=1e-6)


def test_models_of_their_own_are_read_each(tiny_encoders):
    """A profile whose BERTScore reads another layer gets that layer's states."""
    assert tiny_encoders.sbert is not tiny_encoders.bertscore
    vectors, states = tiny_encoders.read(TEXTS)
    np.testing.assert_allclose(vectors, tiny_encoders.sbert.encode(TEXTS), atol=1e-6)
    np.testing.assert_allclose(states[0], tiny_encoders.bertscore.token_states(TEXTS)[0], atol=1e-6)


def test_simcse_costs_no_pass_where_it_is_a_head(encoders, tiny_encoders):
    """Known SBERT vectors are enough for a head; a SimCSE model of its own reads the texts."""
    lifted = encoders.simcse_vectors(TEXTS, encoders.sbert.encode(TEXTS))
    np.testing.assert_allclose(lifted, encoders.simcse.encode(TEXTS), atol=1e-6)
    head_vectors = tiny_encoders.simcse_vectors(TEXTS, tiny_encoders.sbert.encode(TEXTS))
    np.testing.assert_allclose(head_vectors, tiny_encoders.simcse.encode(TEXTS), atol=1e-6)


def test_the_baseline_is_zero_without_rescaling(encoders):
    """Only a profile that rescales subtracts the package's baseline."""
    assert encoders.baseline == 0.0
    spec = ModelSpec("roberta-large", layer=17, rescale=True)
    paper = Encoders(sbert=spec, simcse=spec, nli=spec, bertscore=spec)
    assert 0.8 < paper.baseline < 0.9


def test_digests_name_every_part(encoders):
    """A report can say which weights made it."""
    digests = encoders.names_and_digests()
    assert list(digests) == ["sbert", "simcse", "nli", "bertscore"]
    assert digests["sbert"] != digests["simcse"] != digests["nli"]
    assert all(value.startswith(EMBEDDED) for value in digests.values())


def test_a_missing_head_is_missed_when_it_is_used():
    """Indexing needs no SimCSE head, so that one is asked for only where vectors are."""
    spec = ModelSpec(EMBEDDED)
    lacking = Encoders(
        sbert=spec, simcse=ModelSpec(EMBEDDED, weights="none.safetensors"), nli=spec, bertscore=spec
    )
    assert lacking.simcse_is_head
    with pytest.raises(ModelUnavailable, match=r"none\.safetensors"):
        _ = lacking.simcse


def test_importing_loads_nothing_heavy():
    """Torch, transformers and onnxruntime wait until a model is used."""
    code = "import features.models.profile_models, sys; print({'torch', 'transformers', 'onnxruntime'} & set(sys.modules))"
    printed = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert printed.strip() == "set()"
