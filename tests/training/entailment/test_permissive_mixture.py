"""The permissive mixture reads only sets whose licences permit commercial use."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.training.conftest import write_rows
from training.entailment import mixture as nli_mixture
from training.entailment import permissive_claims, permissive_mixture, train
from training.entailment.permissive_claims import neighbours, rewordings, roles_exchanged
from training.entailment.permissive_mixture import ALLOWED, CLAIMS, PERMISSIVE, repeated
from training.shared import cards, loaders
from training.shared.loaders import Pair

TESTED = "Rents rose in every town last year"
# Folders of fact-checks, debates and tweets, none of which is read
RESTRICTED_FOLDERS = ("politifact", "assisting", "debates", "checkthat", "extra", "mtm_twitter")
# Words by which sets.toml names the restricted data that the cross-encoder owes something to
RESTRICTED_WORDS = re.compile(
    r"\b(anli|sick|semiauto|n?monli|nan_nli|checkthat|politifact)(?![a-z])"
)


def test_every_licence_is_in_the_list_of_those_that_permit_commercial_use() -> None:
    """Each set names at least one; none is for research only, non-commercial or unstated."""
    terms = {name: set(table["terms"]) for name, table in (PERMISSIVE | CLAIMS).items()}

    assert all(terms.values())
    assert {name: named - ALLOWED for name, named in terms.items() if named - ALLOWED} == {}
    assert not any("-NC" in licence or "research" in licence for licence in ALLOWED)


def test_the_licence_in_words_names_no_restriction() -> None:
    """The card repeats it."""
    for licence in permissive_mixture.LICENCES.values():
        for term in ("-NC", "research use", "no licence stated", "PolitiFact", "tweets"):
            assert term not in licence


def test_no_set_is_one_of_the_restricted_data() -> None:
    """Neither by its name, nor by a file, nor by its licence."""
    assert set(cards.restricted_data("nli")) == {
        cards.tomllib.loads(cards.RESTRICTED_DATA.read_text("utf-8"))["names"][name]
        for name in ("anli", "sick", "semiauto", "monli", "checkthat", "politifact")
    }
    for name, table in (PERMISSIVE | CLAIMS).items():
        described = " ".join((name, *table.get("files", ()), table["licence"])).lower()
        assert RESTRICTED_WORDS.search(described) is None, name
        assert not any(file.startswith(RESTRICTED_FOLDERS) for file in table.get("files", ()))


def test_the_weights_are_listed_as_free_of_restricted_data() -> None:
    """Under the name of the file that the training writes."""
    table = cards.tomllib.loads(cards.RESTRICTED_DATA.read_text("utf-8"))
    assert table["weights"]["nli-permissive"] == []


def rows_of(name: str, table: dict) -> Iterator[dict]:
    """Yield rows of a set: usable ones, one with a tested text, one of a part that is not read."""
    for i, label in enumerate(("entailment", "neutral", "contradiction") * 4):
        split = table.get("splits", ["train"])[0]
        premise = f"The {name} dam number {i} was built by three old towns."
        yield {"premise": premise, "hypothesis": f"Dam {i} is old.", "label": label, "split": split}
    yield {"premise": TESTED, "hypothesis": "x", "label": "neutral", "split": "train"}
    if "splits" in table:
        record = {"premise": "Of the test part.", "hypothesis": "x", "label": "neutral"}
        yield record | {"split": "test"}


def claim_rows(table: dict) -> Iterator[dict]:
    """Yield rows of a set of the same claim."""
    for i in range(60):
        split = table.get("splits", ["train"])[0]
        text = f"In {1900 + i} Anna Berg beat Carl Dahl {i} times in the old town."
        yield {"text1": text, "text2": f"Berg beat Dahl, {i}.", "label": i % 2, "split": split}
    yield {"text1": TESTED, "text2": "x", "label": 1, "split": "train"}
    if "splits" in table:
        yield {"text1": "Of the test part.", "text2": "x", "label": 1, "split": "test"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder that holds the sets' files alone, with a tested text in each."""
    for name, table in PERMISSIVE.items():
        for file in table.get("files", ()):
            write_rows(tmp_path / f"{file}.jsonl.gz", list(rows_of(name, table)))
    for name, table in CLAIMS.items():
        for file in table.get("files", ()):
            is_evidence = name == "evidence"
            content = list(rows_of(name, table)) if is_evidence else list(claim_rows(table))
            write_rows(tmp_path / f"{file}.jsonl.gz", content)
    for name in nli_mixture.TABLE["tests"]:
        record = {"premise": TESTED, "hypothesis": "They fell.", "label": "neutral"}
        write_rows(tmp_path / f"{name}.jsonl.gz", [record])
    fever = [
        Pair(f"The Berg page {i}.", f"Berg opened dam {i} in 1931.", i % 3, "fever")
        for i in range(12)
    ]
    fever.append(Pair(TESTED, "Berg paid rent.", 0, "fever"))
    monkeypatch.setattr(permissive_mixture, "first_read_fever", lambda data: fever)
    return tmp_path


def test_only_files_of_the_sets_and_of_the_tests_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The annotated debates, fact-checks and tweets are never opened."""
    opened = set()
    read_lines = loaders.read_lines

    def noted(path: Path) -> Iterator[str]:
        opened.add(path.relative_to(folder).as_posix().removesuffix(".jsonl.gz"))
        return read_lines(path)

    monkeypatch.setattr(loaders, "read_lines", noted)
    permitted = permissive_mixture.permitted(folder, seed=3)
    permissive_claims.pairs(folder, permitted, seed=3)

    files = {
        file
        for table in (*PERMISSIVE.values(), *CLAIMS.values())
        for file in table.get("files", ())
    }
    assert opened == files | set(nli_mixture.TABLE["tests"])


def test_neither_task_has_a_text_of_a_test_or_of_another_part(folder: Path) -> None:
    """Every set of entailment is in the mixture, as often as its table says."""
    permitted = permissive_mixture.permitted(folder, seed=3)
    pairs = permissive_mixture.mixture(permitted, seed=3)
    claim_sets = permissive_claims.pairs(folder, permitted, seed=3)
    claims = permissive_claims.mixture(claim_sets, seed=3)

    texts = {text for pair in (*pairs, *claims) for text in pair[:2]}
    assert TESTED not in texts
    assert "Of the test part." not in texts
    counts = Counter(pair.source for pair in pairs)
    expected = {
        name: table["permissive"] for name, table in PERMISSIVE.items() if permitted.sets[name]
    }
    assert counts == expected
    assert {"perspectives", "antonyms", "exchanged names", "evidence"} <= {
        pair.source for pair in claims
    }


def test_the_card_names_the_sets_that_were_read_and_no_other(folder: Path) -> None:
    """Those of the first and second training are not among them."""
    args = train.options().parse_args(["--data", str(folder), "--mixture", "permissive"])
    material = train.MIXTURES[args.mixture](args)
    about = train.card(args, [], material.licences, {"temperature": 1.0})

    assert about["data"] == {
        name: table["licence"] for name, table in (PERMISSIVE | CLAIMS).items()
    }
    assert "--mixture permissive" in str(about["command"])
    assert {"anli", "edits"} <= nli_mixture.licences("first", "further").keys()
    assert not {"wanli", "ambiguity"} & nli_mixture.licences("first", "further").keys()
    assert "anli" not in nli_mixture.licences("first")


def test_pairs_to_choose_the_scale_by_are_not_learnt_from(folder: Path) -> None:
    """No premise is in both parts."""
    permitted = permissive_mixture.permitted(folder, seed=3)
    claim_sets = permissive_claims.pairs(folder, permitted, seed=3)
    training_premises = {pair.premise for pair in permissive_claims.mixture(claim_sets, seed=3)}
    chosen_by = {pair.premise for pair in permissive_claims.development(claim_sets)}

    assert training_premises
    assert chosen_by
    assert not training_premises & chosen_by


def test_a_small_set_is_read_again_as_often_as_needed() -> None:
    """Each pair as often as any other, but for one more of some."""
    pairs = [Pair(str(i), "", 0, "a") for i in range(4)]
    drawn = Counter(repeated(pairs, 10, random.Random(1)))

    assert sum(drawn.values()) == 10
    assert set(drawn) == set(pairs)
    assert set(drawn.values()) == {2, 3}
    assert repeated([], 10, random.Random(1)) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In the end Anna Berg beat Carl Dahl.", "In the end Carl Dahl beat Anna Berg."),
        ("In the end Berg and Dahl won.", None),
        ("In the end Berg, Evans and Dahl won.", None),
        ("In the end Berg (Dahl) won.", None),
        ("In the end Berg left.", None),
    ],
)
def test_two_names_are_exchanged_unless_they_are_a_list(text: str, expected: str | None) -> None:
    """A list says the same in any order."""
    assert roles_exchanged(text, random.Random(2)) == expected


def test_pairs_with_many_words_in_common_are_labelled_by_entailment() -> None:
    """A pair with few words in common says too little either way."""
    similar = Pair("The old dam was built in May.", "The old dam was built in May again.", 0, "a")
    unlike = Pair("The old dam was built in May.", "Nobody knows.", 2, "mnli")

    labelled_pairs = list(
        rewordings([similar, similar._replace(label=2), similar._replace(label=1), unlike])
    )

    assert [pair.label for pair in labelled_pairs] == [1, 0, 0]


def test_claims_on_one_evidence_are_different_claims_only_if_they_share_a_name() -> None:
    """Evidence borrowed from another page says nothing."""
    page = "Berg was born in 1931."
    supported = Pair(page, "Berg was born in the thirties.", 0, "fever")
    refuted = Pair(page, "Berg was born in the forties.", 2, "fever")
    borrowed = Pair(page, "Evans sang.", 1, "fever")

    neighbour_pairs = neighbours([supported, refuted, borrowed])

    assert [(pair.premise, pair.hypothesis) for pair in neighbour_pairs] == [
        (supported.hypothesis, refuted.hypothesis)
    ]
