"""Training of relations: what the data say, what the losses want, and that the product computes the same."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.conftest import write_rows
from training.entailment import mixture as nli_mixture
from training.relation import cases as source
from training.relation.article_relation import STEPS, Memory, RelationNetwork, sentence_features
from training.relation.borders import border, said, temperature_of
from training.relation.case_batches import (
    Item,
    Readings,
    collate,
    counted,
    items,
    rarity_of,
    relations,
)
from training.relation.cases import (
    NOT_ENOUGH,
    REFUTES,
    SUPPORTS,
    Article,
    Raw,
    denied,
    neighbours,
    of_article,
)
from training.relation.model import Batch, Network, Walk, loss_of
from training.relation.train import SHARES, RelationSettings, learn, weights_of
from training.shared.loaders import Pair

D = 6
SETTINGS = RelationSettings(
    epochs=15, rate=2e-2, width=8, said=4, hidden=0.0, dropout=0.0, batch=16
)
SIGNS = ("It is so, records show.", "It is not so, records show.", "Nobody could say.")


def item(
    label: int, n: int, seed: int, source: str = "politifact", chain: tuple[int, ...] = ()
) -> Item:
    """Return a memory in which one sentence says the relation in words, and the others nothing."""
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(n + 1, D)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    texts = [f"She spoke in town {i}." for i in range(n)]
    texts[seed % n] = SIGNS[label]
    measures = sentence_features(
        rng.random((n, 3)).astype(np.float32), rng.normal(size=n), rng.random(n), np.zeros(n), n
    )
    raw = Raw("It is so.", tuple(texts), label, chain, source)
    return Item(
        Memory(vectors[0], vectors[1:], measures, raw.texts), tuple(map(counted, raw.texts)), raw
    )


def made(count: int = 48) -> list[Item]:
    return [item(i % 3, 1 + i % 7, i) for i in range(count)]


def test_the_product_walks_as_the_network_that_learnt() -> None:
    """Places and relations are the same in plain arrays, for memories of every size, padded or not."""
    torch.manual_seed(3)
    items_read = made(14)
    network = Network(D, width=8, word_width=4, hidden=0.5, dropout=0.5)
    rarity = rarity_of(items_read)
    tensors = {name: tensor.detach().numpy() for name, tensor in network.state_dict().items()}
    product = RelationNetwork({**tensors, "rarity": rarity})

    odds = relations(network, items_read, rarity)

    assert np.allclose(
        odds, [product.read(read_item.memory).relation for read_item in items_read], atol=1e-5
    )


def test_what_words_say_is_learnt() -> None:
    """A relation that only the words of one sentence tell, wherever it stands, is read on memories not seen."""
    trained = learn(made(90), SETTINGS, seed=1)
    fresh = [item(i % 3, 4, 1000 + i) for i in range(30)]

    right = trained.relations(fresh).argmax(1) == [fresh_item.raw.label for fresh_item in fresh]

    assert right.mean() > 0.9
    assert all(tensor.dtype == torch.float16 for tensor in trained.tensors().values())


def test_a_source_has_its_share_of_the_loss_whatever_its_size() -> None:
    """Weights of a source sum to its share, and to the number of items in all."""
    items_read = [*made(6), item(0, 2, 9, source="nli")]
    weights = weights_of(items_read)

    assert len(items_read) == pytest.approx(sum(weights))
    assert pytest.approx(sum(weights[:6]) / weights[6]) == SHARES["politifact"] / SHARES["nli"]


def walk(relation: list[float]) -> Walk:
    odds = torch.log(torch.tensor([[[0.75, 0.25]] * STEPS]))
    return Walk(odds, torch.log(torch.tensor([[relation] * STEPS])))


def batch(label: int, chain: list[int]) -> Batch:
    none = torch.zeros(0)
    chain_places = torch.tensor([chain + [-1] * (STEPS - len(chain))])
    return Batch(
        none, none, none, none, torch.tensor([label]), none, none, none, chain_places, torch.ones(1)
    )


def test_without_marked_evidence_only_the_average_counts() -> None:
    """The loss is that of the average relation alone."""
    loss = loss_of(walk([0.5, 0.3, 0.2]), batch(SUPPORTS, []), 0.7)

    assert float(loss) == pytest.approx(-math.log(0.5))


def test_until_the_last_evidence_was_read_it_is_not_enough() -> None:
    """By hand: two sentences of evidence, so the first step is to say "not enough" and the others the relation."""
    pointer = -(math.log(0.75) + math.log(0.25)) / 2
    steps = -(math.log(0.2) + (STEPS - 1) * math.log(0.5)) / STEPS
    average = -math.log(0.5)

    loss = loss_of(walk([0.5, 0.3, 0.2]), batch(SUPPORTS, [0, 1]), 0.7)

    assert float(loss) == pytest.approx(0.7 * pointer + steps + average, abs=1e-5)


def test_padding_changes_nothing() -> None:
    """A memory alone and one beside a longer memory are read alike."""
    torch.manual_seed(5)
    network = Network(D, width=8, word_width=4, hidden=0.0, dropout=0.0).eval()
    items_read = [item(0, 2, 1), item(1, 7, 2)]
    rarity = rarity_of(items_read)
    with torch.no_grad():
        alone = network(collate(items_read[:1], rarity, [1.0])).final
        padded_final = network(collate(items_read, rarity, [1.0, 1.0])).final[:1]

    assert torch.allclose(alone, padded_final, atol=1e-5)


def test_claims_that_the_cross_encoder_read_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither train nor test has them, and test has none of the other file's.

    Claims without evidence borrow it.
    """
    records = [
        {
            "claim": f"Bridge {letter} opened.",
            "label": "SUPPORTS",
            "evidence": [f"Bridge {letter} did open ."],
        }
        for letter in "abcdefgh"
    ]
    nothing = {"claim": "Bridge z fell.", "label": "NOT ENOUGH INFO", "evidence": []}
    write_rows(tmp_path / "nli" / "fever_claim_evidence_eval.jsonl.gz", [*records[:6], nothing])
    write_rows(tmp_path / "nli" / "fever_claim_evidence_test.jsonl.gz", [records[0], *records[5:]])
    seen_pairs = [
        Pair("p", "bridge A opened", 0, "fever"),
        Pair("p", "Bridge b opened.", 0, "mnli"),
    ]
    monkeypatch.setattr(nli_mixture, "mixture", lambda data, rounds, seed: seen_pairs)

    fever_claims = source.fever(tmp_path, seed=1)
    learnt = {raw.wording: raw for raw in [*fever_claims["train"], *fever_claims["dev"]]}

    assert set(learnt) == {f"Bridge {letter} opened." for letter in "bcdef"} | {"Bridge z fell."}
    assert {raw.wording for raw in fever_claims["test"]} == {"Bridge g opened.", "Bridge h opened."}
    assert learnt["Bridge z fell."].label == NOT_ENOUGH
    assert learnt["Bridge z fell."].chain == ()
    for raw in [*learnt.values(), *fever_claims["test"]]:
        if raw.chain:
            assert f"{raw.wording.split(' opened')[0]} did open." == raw.texts[raw.chain[0]]


class Evidence:
    """A scorer of evidence for which later sentences decide more."""

    def scores(self, claim, vectors, texts):
        return np.linspace(0, 1, len(texts)).astype(np.float32)


def article(name: str = "Taxes fell in May.", label: int = REFUTES, seed: int = 0) -> Article:
    texts = (
        "The mayor said taxes fell.",
        "The records show a rise.",
        "Our ruling",
        "We rate this claim False.",
    )
    vectors = np.random.default_rng(seed).normal(size=(5, D)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return Article(name, texts, vectors[0], vectors[1:], label, ((1,),))


def test_an_article_is_a_case_for_each_chain_and_its_rating_is_masked() -> None:
    """Another wording has no chain."""
    (masked,) = of_article(article(), Evidence())
    (other_item,) = of_article(article(label=NOT_ENOUGH), Evidence(), ("W", article().vector))

    assert set(masked.raw.texts) == {"The mayor said taxes fell.", "The records show a rise."}
    assert masked.raw.texts[masked.raw.chain[0]] == "The records show a rise."
    assert other_item.raw.wording == "W"
    assert other_item.raw.label == NOT_ENOUGH
    assert other_item.raw.chain == ()


def test_a_denial_turns_the_relation_round() -> None:
    """Supports becomes refutes and the other way; what settles nothing is not denied."""
    articles_told = [
        article("The bridge is open.", SUPPORTS),
        article("It is closed.", NOT_ENOUGH),
        article("It is old."),
    ]

    assert [
        (text, denied_case.label) for text, denied_case in denied(articles_told, 5, seed=1)
    ] == [
        ("The bridge is not open.", REFUTES),
        ("It is not old.", SUPPORTS),
    ]


def test_a_neighbour_is_another_claim() -> None:
    """Never the article itself, and none whose statement is so near that it may settle it."""
    articles = [article(f"Claim {i}.", seed=i) for i in range(12)]
    neighbour_list = list(neighbours(articles, 12, seed=2))

    assert neighbour_list
    assert all(claim != other_article.claim for claim, _, other_article in neighbour_list)
    assert all(
        vector @ other_article.vector < source.TOO_NEAR
        for _, vector, other_article in neighbour_list
    )
    assert {
        (other_article.label, other_article.source) for _, _, other_article in neighbour_list
    } == {(NOT_ENOUGH, "neighbour")}


@pytest.mark.parametrize(
    ("rating", "relation"),
    [
        ("Mostly True", SUPPORTS),
        ("barely-true", REFUTES),
        ("Pants on Fire", REFUTES),
        ("Half True", NOT_ENOUGH),
    ],
)
def test_a_rating_stands_for_a_relation(rating: str, relation: int) -> None:
    """By the publisher's words, however they are written; a flip is none."""
    assert source.of_rating(rating) == relation
    assert source.of_rating("Full Flop") is None


def test_a_pair_is_read_once(tmp_path: Path) -> None:
    """What was read is kept for the next run, and only the first sentences of a memory are read."""
    pairs_asked: list[tuple[str, str]] = []

    def read(firsts, seconds):
        pairs_asked.extend(zip(firsts, seconds, strict=True))
        return np.tile(np.float32([0.5, 0.3, 0.2]), (len(firsts), 1)), np.ones(
            len(firsts), np.float32
        )

    cases = of_article(article(), Evidence())
    for _ in range(2):
        (read_item,) = items([*cases, *cases][:1], Readings(tmp_path, read))

    assert len(cases[0].raw.texts) == len(pairs_asked)
    assert read_item.memory.sentence_features[:, 4].all()


def test_a_border_is_the_lowest_that_is_right_nine_times_in_ten() -> None:
    """Of forty said, the thirty surest are right and ten are not.

    The border takes three of these with it.
    """
    sure = np.linspace(0.99, 0.60, 40)
    odds = np.stack([sure, 1 - sure, np.zeros(40)], axis=1).astype(np.float32)
    expected = np.where(np.arange(40) < 30, SUPPORTS, NOT_ENOUGH)

    limit = border(odds, expected, SUPPORTS)

    assert pytest.approx(sure[32]) == limit
    assert border(odds, expected, REFUTES) is None
    border_row = said(odds, expected, {"supports": limit})
    assert border_row["supports"]["said"] == 33
    assert border_row["contradicts"]["said"] == 0
    assert border_row["supports"]["right"] >= 0.9


def test_the_temperature_cools_what_is_too_sure() -> None:
    """Probabilities of .95 that are right in six of ten are divided by more than 1."""
    odds = np.tile(np.float32([0.95, 0.03, 0.02]), (50, 1))

    assert temperature_of(odds, np.where(np.arange(50) % 5 < 3, 0, 1)) > 1.5
