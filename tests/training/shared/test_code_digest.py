"""A cached value is keyed by all the code that it depends on."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.shared import code_digest as digests

SOURCES = {
    "training/model.py": "from features import words\n\n\ndef train(text):\n    return words.count(text)\n",
    "features/__init__.py": "",
    "features/words.py": (
        '"""Words."""\n\n\ndef count(text):\n    from ranking.order import first\n    return first(text)\n'
    ),
    "features/words.toml": 'words = ["a"]\n',
    "features/other.py": "SIZE = 1\n",
    "ranking/order.py": "import json\n\n\ndef first(text):\n    return text[0]\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of five modules, one of which the trained model does not reach."""
    for name, source in SOURCES.items():
        write(tmp_path, name, source)
    return tmp_path


def write(project: Path, name: str, source: str) -> None:
    """Write a file and forget all that was digested before."""
    file = project / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
    for function in (digests.code_digest, digests.reachable_modules, digests.imported_modules):
        function.cache_clear()


def key(project: Path) -> str:
    return digests.code_digest("training.model", root=project)


def test_a_module_reaches_what_it_imports_directly_or_through_others(project):
    reached = digests.reachable_modules("training.model", project)

    assert reached == {"training.model", "features.words", "ranking.order"}


def test_a_relative_import_is_followed(project):
    write(project, "training/start.py", "from . import model\n")
    write(project, "training/__init__.py", "")

    assert "ranking.order" in digests.reachable_modules("training.start", project)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        (
            "training/model.py",
            "from features import words\n\n\ndef train(text):\n    return words.count(text) + 1\n",
        ),
        ("features/__init__.py", "WIDTH = 2\n"),
        (
            "features/words.py",
            "def count(text):\n    from ranking.order import first\n    return first(text[1:])\n",
        ),
        ("features/words.toml", 'words = ["a", "the"]\n'),
        ("ranking/order.py", "def first(text):\n    return text[1]\n"),
    ],
    ids=lambda value: value if value.count("/") else "",
)
def test_a_change_in_any_module_that_is_reached_changes_the_key(project, name, source):
    old_key = key(project)
    write(project, name, source)

    assert key(project) != old_key


def test_a_change_in_another_module_keeps_the_key(project):
    old_key = key(project)
    write(project, "features/other.py", "SIZE = 2\n")

    assert key(project) == old_key


def test_docstrings_comments_and_moved_imports_keep_the_key(project):
    old_key = key(project)
    write(
        project,
        "ranking/places.py",
        SOURCES["ranking/order.py"].replace("import json", "# no import"),
    )
    source = SOURCES["features/words.py"].replace('"""Words."""', '"""Counting."""')
    write(project, "features/words.py", source.replace("ranking.order", "ranking.places"))

    assert key(project) == old_key


def test_an_unknown_module_is_refused(project):
    with pytest.raises(ModuleNotFoundError, match=r"training\.absent"):
        digests.code_digest("training.absent", root=project)


def test_the_measures_of_debates_reach_every_module_that_the_old_list_forgot():
    reached = digests.reachable_modules("training.shared.measures")

    assert reached >= {
        "assistant.check.pair_features",
        "features.similarity.bm25",
        "features.similarity.catalogue",
    }
