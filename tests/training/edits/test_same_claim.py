"""Pairs for "same claim": how claims are parted and which sentences restate one."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.conftest import write_rows
from training.edits import claim_edits, same_claim
from training.entailment.scores import fit_scale, mrr, same_scores
from training.shared.loaders import Pair

RARITY = {"harbour": 4.0, "mayor": 3.0, "4,000": 5.0, "ships": 4.0, "the": 0.1, "said": 1.0}


class Rows:
    """Vectors made by hand, in the form of ``training.shared.sentence_vectors.Vectors``."""

    def __init__(self, rows: dict[str, list[float]]) -> None:
        self.rows = rows

    def of(self, texts: list[str]) -> torch.Tensor:
        """Return the rows of the texts, zeros for a text that has none."""
        width = len(next(iter(self.rows.values())))
        return torch.tensor([self.rows.get(text, [0.0] * width) for text in texts])


def source(
    statements: dict[str, list[float]], article: str = "", title: str = ""
) -> same_claim.Source:
    """Return a source of claims with these statements."""
    claims = [
        {"id": str(i), "statement": s, "article": article, "title": title}
        for i, s in enumerate(statements)
    ]
    return same_claim.Source(
        claims, sorted(statements), ["We love this state and its people."], Rows(statements), RARITY
    )


def test_claims_are_parted_by_their_ids_for_good() -> None:
    """About 92, 4 and 4 of a hundred, and always the same part."""
    part_counts = Counter(same_claim.part_of(f"vclaim-pol-{i:05d}") for i in range(5000))
    assert part_counts["train"] == pytest.approx(4600, abs=60)
    assert part_counts["dev"] + part_counts["test"] == 5000 - part_counts["train"]
    assert same_claim.part_of("vclaim-pol-00001") == same_claim.part_of("vclaim-pol-00001")


@pytest.mark.parametrize(
    ("text", "share", "figures"),
    [
        ("The harbour had 4,000 ships.", (4 + 5 + 4 + 0.1) / 16.1, True),
        ("The mayor said: ships, ships.", (3 + 4 + 0.1) / 16.1, False),
    ],
)
def test_overlap_weighs_words_by_rarity(text: str, share: float, figures: bool) -> None:
    """The statement's rare words count more; a figure that is missing is told."""
    assert same_claim.overlap("The mayor: harbour, 4,000 ships", text, RARITY) == (
        pytest.approx(share),
        figures,
    )


def test_an_article_gives_what_restates_and_what_does_not() -> None:
    """The sentence with all but one word is the claim, the one that denies it is neither."""
    article = (
        "The mayor spoke on Monday of something else entirely. "
        "In the harbour, she said, there were 4,000 ships last year. "
        "It is not so that the harbour had 4,000 ships in it."
    )
    claim_pairs = same_claim.from_articles(
        source({"The mayor said the harbour had 4,000 ships": [1.0]}, article), seed=1
    )
    assert [(p.hypothesis[:6], p.label, p.source) for p in claim_pairs] == [
        ("In the", 1, "restated"),
        ("The ma", 0, "own article"),
    ]


def test_a_near_statement_is_the_same_claim_only_with_the_same_figures() -> None:
    """Cosine .95 and no other figure: repeated. Cosine .6: a hard negative.

    The farthest is left alone.
    """
    statements = {
        "Ships rose 12 percent here.": [1.0, 0.0],
        "Ships rose 12 percent there.": [0.95, 0.31],
        "Ships fell 9 percent in the old harbour.": [0.6, 0.8],
        "Cats sleep.": [0.0, 1.0],
    }
    claim_pairs = same_claim.neighbours(source(statements), seed=1)
    of_first = [
        (p.hypothesis, p.label) for p in claim_pairs if p.premise == "Ships rose 12 percent here."
    ]
    assert ("Ships rose 12 percent there.", 1) in of_first
    assert ("Ships fell 9 percent in the old harbour.", 0) in of_first
    assert not any(hypothesis == "Cats sleep." for hypothesis, _ in of_first)


def test_edits_are_labelled_by_their_kind_and_follow_the_seed() -> None:
    """Keeping kinds are 1, breaking ones 0; the same seed gives the same pairs."""
    made_from = source({"Says he voted against 412 bills in Ohio in 1971.": [1.0]})
    claim_pairs = same_claim.edited(made_from.claims, made_from.spoken, seed=4, held_out=True)
    assert (
        same_claim.edited(made_from.claims, made_from.spoken, seed=4, held_out=True) == claim_pairs
    )
    assert len(claim_pairs) == 4
    assert all(pair.label == (pair.source not in claim_edits.BREAKING) for pair in claim_pairs)


def test_a_tweet_loses_addresses_and_its_author() -> None:
    """What is left is what was said."""
    assert same_claim.tweet("Ships! https://t.co/x — Ann B (@annb) May 1, 2019") == "Ships!"


def test_same_scores_by_hand() -> None:
    """Three of four on the right side; every positive above every negative but one."""
    pairs = [Pair("", "", label, kind) for label, kind in ((1, "a"), (1, "b"), (0, "b"), (0, "b"))]
    scores = same_scores(np.array([2.0, -0.5, -1.0, -0.2]), pairs)
    assert {
        "same_auc": 0.75,
        "same_accuracy": 0.75,
        "same: a": 1.0,
        "same: b": pytest.approx(2 / 3, abs=1e-4),
    } == scores


def test_odds_twice_too_sure_are_halved() -> None:
    """Right three times in four at log-odds 2 ln 3: the scale is 2."""
    pairs = [Pair("", "", label, "") for label in (1, 1, 1, 0)]
    assert fit_scale(np.full(4, 2 * np.log(3)), pairs) == pytest.approx(2.0, abs=0.03)


def test_reciprocal_ranks_by_hand() -> None:
    """First, second, absent; a tie counts against the right one."""
    scores = np.array([[3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [3.0, 2.0, 1.0], [2.0, 2.0, 1.0]])
    gold = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]], bool)
    assert mrr(scores, gold) == pytest.approx((1 + 1 / 2 + 0 + 1 / 2) / 4)


def test_training_pairs_put_the_noise_of_speech_on_both_labels(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What sounds like speech is as often the claim as not.

    Whole sentences of debates are few among the negatives.
    """
    monkeypatch.setattr(same_claim, "tweets", lambda *_, **__: [])
    monkeypatch.setattr(same_claim, "similar", lambda *_, **__: [])
    statements = {f"Ships rose {i} percent in harbour {i}.": [1.0, i / 50] for i in range(10, 50)}
    made_from = source(
        statements, "In the harbour, the mayor said again, there were 4,000 ships last year."
    )
    claim_pairs = same_claim.training_pairs(data, made_from, seed=2, rounds=2)
    assert {pair.label for pair in claim_pairs if pair.hypothesis.islower()} == {0, 1}
    assert sum(pair.source == "spoken" for pair in claim_pairs) <= 2


def test_sentences_of_linked_debates_are_not_read(data: Path) -> None:
    """A sentence that any linked debate has, the seven among them, is left out however its marks stand."""
    linked = "The harbour of this old town had 4,000 ships."
    fresh = "We will talk about the ferries and the schools."
    write_rows(
        data / "debates" / "transcripts.jsonl.gz",
        [{"debate": "20170803_Trump_WV", "line": 1, "text": linked}],
    )
    spoken = [{"text": text} for text in (linked.lower(), fresh, "Too short.")]
    write_rows(data / "checkworthy" / "debates_2019_2020_unlabelled.jsonl.gz", spoken)
    assert same_claim.unlinked_sentences(data, seed=1, count=9) == [fresh]


def test_tweets_of_the_older_test_set_are_not_read(data: Path) -> None:
    """A tweet that stands in CheckThat! 2020's test set makes no pair, another one does."""
    folder = data / "checkthat2a"
    texts = {"a": "Ships rose by 12 percent, they say", "b": "The ferry is free now"}
    write_rows(
        folder / "ct20_test_tweets.jsonl.gz", [{"id": "1", "text": "The ferry is FREE now."}]
    )
    write_rows(
        folder / "ct22_train_dev_tweets.jsonl.gz",
        [{"id": i, "text": text} for i, text in texts.items()],
    )
    claims = [
        {"vclaim_id": i, "vclaim": text}
        for i, text in (("x", "Ships rose 12 percent."), ("y", "Ferries are free."))
    ]
    write_rows(folder / "ct22_vclaims.jsonl.gz", claims)
    write_rows(
        folder / "ct22_train_qrels.jsonl.gz", [{"qid": "a", "did": "x"}, {"qid": "b", "did": "y"}]
    )
    assert {(p.premise, p.hypothesis) for p in same_claim.tweets(data, seed=1) if p.label} == {
        ("Ships rose 12 percent.", texts["a"])
    }
