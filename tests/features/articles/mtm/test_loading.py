"""Loading MTM: the shipped weights read an article, and what is missing is said with what to do."""

from __future__ import annotations

import json
import shutil

import pytest

from features.articles import mtm
from features.articles.mtm import loading
from features.models.model_spec import ModelUnavailable
from features.models.weight_files import MODELS

ARTICLE = [
    "The capital city lies on a river.",
    "A post shared on Facebook claims that the mayor closed all libraries in March.",
    "Libraries lend books, films and games.",
    "We rate this claim False.",
]


@pytest.fixture(scope="module")
def shipped() -> mtm.Mtm:
    return mtm.load(MODELS)


def test_the_shipped_weights_find_the_claim(shipped):
    """The sentence that repeats the claim is the first key sentence, and patterns are among those there are."""
    explanation = shipped.explain("The mayor closed all libraries.", [ARTICLE], relevance=False)[0]

    assert explanation.key[0] == 1
    assert set(explanation.patterns.tolist()) <= set(range(len(shipped.memory)))


def test_an_article_about_it_is_more_relevant(shipped):
    """An article that names the claim against one about something else."""
    other_article = [
        "The harvest of apples was good.",
        "Farmers expect lower prices.",
        "Rain fell in June.",
    ]

    about, not_about = shipped.explain("The mayor closed all libraries.", [ARTICLE, other_article])

    assert about.relevance > not_about.relevance


def test_missing_weights_say_what_to_do(tmp_path):
    """An empty folder: which file, where, and the command that makes it."""
    with pytest.raises(
        ModelUnavailable, match=r"mtm.safetensors and its model card aren't in .*training.mtm.train"
    ):
        mtm.load(tmp_path)


def test_another_trunk_is_refused(tmp_path):
    """Weights that change one network must not be put on another.

    Missing or different, both are told.
    """
    for ending in ("safetensors", "json"):
        shutil.copy(MODELS / f"mtm.{ending}", tmp_path)
    loaded_mtm = mtm.load(tmp_path)
    with pytest.raises(
        ModelUnavailable, match="nli.safetensors, on which MTM's weights are based, isn't in"
    ):
        loaded_mtm.explain("A claim.", [ARTICLE])

    card = json.loads((tmp_path / "mtm.json").read_text()) | {"trunk_sha256": "0" * 64}
    (tmp_path / "mtm.json").write_text(json.dumps(card))
    shutil.copy(MODELS / "nli.safetensors", tmp_path)
    with pytest.raises(
        ModelUnavailable, match=r"was trained on a different nli.safetensors .* again"
    ):
        loading.network(tmp_path, card)


def test_it_is_loaded_once(shipped):
    """The same folder gives the same object."""
    assert shipped is mtm.load(MODELS)
