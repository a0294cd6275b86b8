"""What a training script may read: everything that is measured on is left out."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.training.conftest import write_rows
from training.shared import loaders


def test_claims_of_the_seven_debates_and_of_the_development_queries_are_held_out(
    data: Path,
) -> None:
    """Judged pairs, links of the seven and 2B development qrels name the claims no training may see."""
    assert loaders.held_out_claims(data) == {
        "vclaim-pol-00000",
        "vclaim-pol-00002",
        "vclaim-pol-00006",
    }


def test_training_claims_have_no_duplicates_and_no_flip_o_meter(data: Path) -> None:
    """What is left is every truth-rated claim once."""
    assert [claim["id"] for claim in loaders.training_claims(data)] == [
        "vclaim-pol-00001",
        "vclaim-pol-00005",
    ]


def test_training_queries_leave_out_the_seven_debates(data: Path) -> None:
    """20170803_Trump_WV stands in the training queries of 2B and must not be chosen by."""
    queries, relevant = loaders.query_sets(data, "train")
    assert queries == [("20160926_1pres_0002", "It opened.")]
    assert relevant["20160926_1pres_0002"] == {"vclaim-pol-00001"}


def test_linked_sentences_leave_out_the_seven_debates(data: Path) -> None:
    """Only the sixty-three are read, each sentence with the category of its link."""
    linked = loaders.linked_sentences(data)
    assert [(debate, line, category) for debate, line, _, category in linked] == [
        ("20160926_1pres", 1, ""),
        ("20160926_1pres", 2, "CLEAN"),
    ]


def test_checkworthiness_leaves_out_linked_debates_and_test_texts(data: Path) -> None:
    """The four debates of the sixty-three go by file.

    A test text goes however its case and punctuation stand.
    """
    sentences = loaders.checkworthy_training(data)
    assert [(sentence_row.text, sentence_row.worthy) for sentence_row in sentences] == [
        ("Exports doubled in four years.", True),
        ("Good evening.", False),
    ]


@pytest.mark.parametrize("name", sorted(loaders.CHECKWORTHY_TESTS))
def test_checkworthiness_tests_share_no_text_with_the_training(data: Path, name: str) -> None:
    """No test set holds a sentence that was trained on."""
    training_texts = {
        loaders.normal(sentence_row.text) for sentence_row in loaders.checkworthy_training(data)
    }
    assert not training_texts & {
        loaders.normal(sentence_row.text) for sentence_row in loaders.checkworthy_test(data, name)
    }


def test_pairs_without_a_gold_label_are_skipped(tmp_path: Path) -> None:
    """SNLI marks them with a hyphen."""
    labels = ("entailment", "-", "CONTRADICTION")
    write_rows(
        tmp_path / "x.jsonl.gz",
        [{"premise": "A", "hypothesis": "B", "label": label} for label in labels],
    )
    assert [pair.label for pair in loaders.nli_pairs(tmp_path / "x.jsonl.gz", "x")] == [0, 2]


def test_a_fever_claim_without_evidence_gets_that_of_a_claim_about_the_same_name(
    tmp_path: Path,
) -> None:
    """A neutral pair is about the same thing; a claim with no such neighbour is left out."""
    fever_claims = [
        {
            "claim": "Vesper sank in 1902.",
            "label": "SUPPORTS",
            "evidence": ["Vesper -LRB- ship -RRB- sank in 1902 ."],
        },
        {"claim": "Vesper carried tea.", "label": "NOT ENOUGH INFO", "evidence": []},
        {"claim": "Orlando is warm.", "label": "NOT ENOUGH INFO", "evidence": []},
    ]
    write_rows(tmp_path / "fever.jsonl.gz", fever_claims)
    pairs = loaders.fever_pairs(tmp_path / "fever.jsonl.gz", seed=1)
    assert [(pair.premise, pair.hypothesis, loaders.LABELS[pair.label]) for pair in pairs] == [
        ("Vesper (ship) sank in 1902.", "Vesper sank in 1902.", "entailment"),
        ("Vesper (ship) sank in 1902.", "Vesper carried tea.", "neutral"),
    ]


def test_entailments_get_the_contradictions_of_their_premise_as_hard_negatives() -> None:
    """An entailment whose premise has no contradiction has an empty negative."""
    pairs = [
        loaders.Pair("Two dogs run.", "Animals run.", 0, "x"),
        loaders.Pair("Two dogs run.", "Dogs sleep.", 2, "x"),
        loaders.Pair("A man sings.", "A person sings.", 0, "x"),
    ]
    assert loaders.nli_triples(pairs) == [
        loaders.Triple("Two dogs run.", "Animals run.", "Dogs sleep.", "x"),
        loaders.Triple("A man sings.", "A person sings.", "", "x"),
    ]


def test_the_real_data_folder_holds_what_the_loaders_leave_out() -> None:
    """On the real files: the seven are really there before, and really gone after."""
    folder = os.environ.get("LECTERN_DATA")
    if not folder:
        pytest.skip("LECTERN_DATA is not set")
    data = Path(folder)
    held_out = loaders.held_out_claims(data)
    assert len(held_out) > 500
    assert not held_out & {claim["id"] for claim in loaders.training_claims(data)}
    assert len({debate for debate, *_ in loaders.linked_sentences(data)}) == 63
    training = loaders.checkworthy_training(data)
    assert not {sentence_row.file for sentence_row in training} & loaders.DEBATES_ALSO_LINKED
    tests = {
        loaders.normal(sentence_row.text)
        for name in loaders.CHECKWORTHY_TESTS
        for sentence_row in loaders.checkworthy_test(data, name)
    }
    assert not tests & {loaders.normal(sentence_row.text) for sentence_row in training}
    debates = {loaders.debate_of(query) for query, _ in loaders.query_sets(data, "train")[0]}
    assert not debates & loaders.SEVEN_DEBATES
