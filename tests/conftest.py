"""Tiny random models that the tests make themselves: nothing is downloaded."""

import json
import os
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import settings

from features.models.model_spec import EMBEDDED, ModelSpec
from features.models.nli import load_nli
from features.models.profile_models import Encoders
from features.models.weight_files import embedded_folder

# Model graphs are 90 MB each and take seconds to write: written once for all tests, and kept for
# the next run.
os.environ.setdefault("LECTERN_CACHE", str(Path(__file__).parents[1] / "build" / "cache"))
settings.register_profile(
    "local", deadline=None, max_examples=25
)  # no deadline: a busy machine is not a failure
# The same examples at each run: a rare one, which other runs look for, stops no other change.
settings.register_profile("ci", deadline=None, max_examples=100, derandomize=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "local"))
LEFT_OUT = re.compile(r"not \w+(?: and not \w+)*")  # what `make test` gives to -m
BROWSER = "tests/browser/"
SLOW_FIRST = (BROWSER, "tests/assistant/ui/", "tests/assistant/live/test_kill")


def pytest_ignore_collect(collection_path, config):
    """Leave out files that carry a mark as a whole before anything is imported for them."""
    if LEFT_OUT.fullmatch(config.option.markexpr) and collection_path.suffix == ".py":
        marks = "|".join(re.findall(r"not (\w+)", config.option.markexpr))
        marked = re.compile(rf"^pytestmark = .*\bmark\.(?:{marks})\b", re.MULTILINE)
        return bool(marked.search(collection_path.read_text("utf-8"))) or None
    return None


def pytest_collection_modifyitems(items):
    """Put the slowest files first, so that the processes finish together."""
    items.sort(
        key=lambda item: next(
            (i for i, s in enumerate(SLOW_FIRST) if item.nodeid.startswith(s)), len(SLOW_FIRST)
        )
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Each process takes a file at a time.

    The browser's files go to one, where they share an app and a browser.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return BROWSER if nodeid.startswith(BROWSER) else nodeid.partition("::")[0]

    return ByFile(config, log)


def _tiny_config(**changes):
    from transformers import BertConfig

    sizes = {
        "hidden_size": 32,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 64,
    }
    return BertConfig(vocab_size=30522, max_position_embeddings=128, **sizes, **changes)


def _save(model, folder):
    from transformers import AutoTokenizer

    model.save_pretrained(folder)
    tokenizer = AutoTokenizer.from_pretrained(embedded_folder())
    tokenizer.model_max_length = 128
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_bert(tmp_path_factory):
    """Return the folder of a random three-layer BERT encoder."""
    import torch
    from transformers import BertModel

    torch.manual_seed(1)
    return _save(BertModel(_tiny_config()), tmp_path_factory.mktemp("tiny-bert"))


@pytest.fixture(scope="session")
def tiny_nli(tmp_path_factory):
    """Return the folder of a random three-way classifier whose labels stand in another order than ours."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(2)
    labels = {0: "contradiction", 1: "entailment", 2: "neutral"}
    config = _tiny_config(num_labels=3, id2label=labels, label2id={v: k for k, v in labels.items()})
    return _save(BertForSequenceClassification(config), tmp_path_factory.mktemp("tiny-nli"))


@pytest.fixture(scope="session")
def simcse_head(tmp_path_factory):
    """Return the path and tensors of a random head in the form of models/simcse.safetensors."""
    from safetensors.numpy import save_file

    rng = np.random.default_rng(3)
    sizes = {"w1": (64, 384), "b1": (64,), "w2": (384, 64), "b2": (384,)}
    tensors = {name: rng.normal(0, 0.1, size).astype(np.float32) for name, size in sizes.items()}
    path = tmp_path_factory.mktemp("head") / "simcse.safetensors"
    save_file(tensors, path)
    return SimpleNamespace(path=path, tensors=tensors)


@pytest.fixture(scope="session")
def nli_weights(tmp_path_factory):
    """Return the path and the whole model of random weights in the form of models/nli.safetensors."""
    import torch
    from safetensors.torch import load_file, save_file
    from transformers import BertConfig, BertForSequenceClassification

    torch.manual_seed(4)
    model = BertForSequenceClassification(
        BertConfig.from_pretrained(embedded_folder(), num_labels=3)
    ).eval()
    package = load_file(embedded_folder() / "model.safetensors")
    model.load_state_dict(
        {f"bert.{k}": v for k, v in package.items() if "embeddings" in k}, strict=False
    )
    path = tmp_path_factory.mktemp("nli") / "nli.safetensors"
    save_file(
        {k: v.contiguous() for k, v in model.state_dict().items() if "embeddings" not in k}, path
    )
    card = {"labels": ["entailment", "neutral", "contradiction"], "temperature": 1.5}
    path.with_suffix(".json").write_text(json.dumps(card))
    spec = ModelSpec(EMBEDDED, weights=str(path), max_length=128)
    load_nli(spec)
    return SimpleNamespace(spec=spec, model=model)


@pytest.fixture(scope="session")
def encoders(simcse_head, nli_weights):
    """Return the embedded models, with a random SimCSE head and random NLI layers.

    Exact arithmetic, no judgement.
    """
    return Encoders(
        sbert=ModelSpec(EMBEDDED),
        simcse=ModelSpec(EMBEDDED, weights=str(simcse_head.path)),
        nli=nli_weights.spec,
        bertscore=ModelSpec(EMBEDDED, layer=6),
    )


@pytest.fixture(scope="session")
def tiny_encoders(tiny_bert, tiny_nli):
    """Return tiny random models in the form of the `paper` profile.

    SimCSE and BERTScore are models of their own.
    """
    name = str(tiny_bert)
    return Encoders(
        sbert=ModelSpec(name),
        simcse=ModelSpec(name, pooling="pooler"),
        nli=ModelSpec(str(tiny_nli)),
        bertscore=ModelSpec(name, layer=2),
    )
