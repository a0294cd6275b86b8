"""Training of the evidence scorer.

What the data say, what the losses want, and that the product computes the same.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from features.articles.evidence import EVIDENCE_WEIGHTS_FILE, INPUT_COLUMNS, EvidenceScorer
from features.articles.hashed_words import word_buckets, word_scores
from tests.training.conftest import write_rows
from training.evidence.articles import Article, chain, politihop, unmarked, whole
from training.evidence.linear import learn_linear, rarity_of, weighed
from training.evidence.lists import Drawing, List, collate, make_list, summary_list, word_counts
from training.evidence.model import LOSSES, METRIC, Batch, loss_of
from training.evidence.scores import interval, measures, table
from training.evidence.train import EvidenceSettings, Example, Scorer, folds, held_out, trained

D = 8
SETTINGS = EvidenceSettings(epochs=2, width=8, batch=4)


def unit(vectors: np.ndarray) -> np.ndarray:
    return (vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)).astype(np.float32)


def made_lists(count: int = 12, n: int = 6, seed: int = 0) -> list[List]:
    """Return lists whose evidence are the sentences that say ``records``."""
    rng = np.random.default_rng(seed)
    made_examples = []
    for i in range(count):
        texts = [
            f"The {rng.choice(['mayor', 'senator'])} spoke of {i} plans again." for _ in range(n)
        ]
        target = np.zeros(n, np.float32)
        for sentence_index in rng.choice(n, 2, replace=False):
            texts[sentence_index], target[sentence_index] = (
                f"But {i} public records show otherwise.",
                1,
            )
        article = Article("The mayor said it.", tuple(texts), target, "made")
        made_examples.append(
            make_list(article, unit(rng.normal(size=D)), unit(rng.normal(size=(n, D))))
        )
    return made_examples


def examples(count: int = 12) -> list[Example]:
    return [Example(made_list, i) for i, made_list in enumerate(made_lists(count))]


def test_a_statement_is_the_union_of_its_chains(tmp_path: Path) -> None:
    """Rows of one statement are one article; valid leaves out what stands in train too.

    Entries may hold several.
    """
    fact_record = {
        "statement": "A b.",
        "ruling_sentences": ["s0", "s1", "s2", "s3"],
        "annotated_evidence": {"1": ["0"]},
    }
    folder = tmp_path / "fever_like"
    write_rows(
        folder / "politihop_train.jsonl.gz",
        [fact_record, fact_record | {"annotated_evidence": {"1": ["2,3"]}}],
    )
    write_rows(
        folder / "politihop_valid.jsonl.gz", [fact_record, fact_record | {"statement": "C d."}]
    )

    assert [a.target.tolist() for a in politihop(tmp_path, "train")] == [[1, 0, 1, 1]]
    assert [a.claim for a in politihop(tmp_path, "valid")] == ["C d."]
    assert chain({"1": ["2", "10,15"]}) == [2, 10, 15]


def test_a_whole_article_keeps_the_marks_and_knows_nothing_of_its_summary() -> None:
    """Sentences are found again however they are cut; what PolitiHop left out has no target."""
    marked = Article(
        "The bridge fell.",
        ("The bridge stands to this day.", "She spoke."),
        np.float32([1, 0]),
        "politihop",
    )
    body = "She spoke.\nThe bridge stands to this day.\nOur ruling\nThe bridge stands. We rate this False."
    lost = {
        "statement": "The bridge fell.",
        "article": "Something else altogether was printed here.",
    }

    whole_articles = whole([marked], [lost, {"statement": "The bridge fell!", "article": body}])

    assert whole_articles[0].target.tolist() == [0, 1, -1, -1, -1]
    assert whole([marked], [lost]) == {}


def test_articles_of_marked_statements_are_no_weak_ones() -> None:
    """Neither by statement nor by text; sharing two sentences is no sameness."""
    long = [f"Sentence {i} of the article has more than eight words in it." for i in "abc"]
    marked = [Article("It rained.", tuple(long), np.zeros(3, np.float32), "politihop")]
    claims = [
        {"statement": "It rained", "article": "Another text."},
        {"statement": "It snowed.", "article": " ".join(long)},
        {"statement": "It hailed.", "article": " ".join(long[:2])},
    ]

    assert [claim["statement"] for claim in unmarked(claims, marked)] == ["It hailed."]


def test_words_weigh_the_same_as_in_the_product() -> None:
    """The sparse rows of training times weights are the product's word scores."""
    texts = ["No records show that.", "", "No, no records!"]
    rng = np.random.default_rng(0)
    rarity = rng.random(8192).astype(np.float32)
    weights = rng.normal(size=(3, 8192)).astype(np.float32)

    word_weights = weighed(word_counts(texts), rarity) @ weights.T

    assert pytest.approx(word_scores(texts, rarity, weights), abs=1e-5) == word_weights.T
    assert word_weights[0].all()


def test_words_that_hardly_stand_anywhere_do_not_count() -> None:
    """Below three sentences a word has no rarity; the more sentences hold it, the less it has."""
    rarity = rarity_of(made_lists(6))
    (often,), (rare,), (unheard,) = (
        word_buckets("the"),
        word_buckets("otherwise"),
        word_buckets("unheard"),
    )

    assert 0 < rarity[often] < rarity[rare]
    assert rarity[unheard] == 0


def test_the_first_reading_learns_which_words_tell() -> None:
    """Sentences that speak of records come first in articles it has not seen."""
    linear = learn_linear(made_lists(seed=1), strength=10.0)
    for made_list in made_lists(4, seed=2):
        assert set(np.argsort(-linear.logits(made_list))[:2]) == set(
            np.flatnonzero(made_list.target)
        )


@pytest.mark.parametrize("loss", ["evidence-aware", "pointwise"])
def test_the_product_computes_what_was_trained(loss: str, tmp_path: Path) -> None:
    """The file that ships gives torch's probabilities in plain arrays, up to its half precision."""
    rng = np.random.default_rng(3)
    texts = (
        "The senator spoke.",
        "But public records show otherwise.",
        "Is that so?",
        "Our ruling",
        "We rate it False.",
    )
    claim = unit(rng.normal(size=D))
    vectors = unit(rng.normal(size=(len(texts), D)))
    made_list = make_list(
        Article("It is.", texts, np.zeros(len(texts), np.float32), "made"), claim, vectors
    )
    scorer = trained(examples(), [EvidenceSettings(loss=loss, epochs=3, width=8, rate=0.05)], [0])[
        0
    ][0]
    save_file(dict(scorer.tensors()), tmp_path / EVIDENCE_WEIGHTS_FILE)

    expected = 1 / (1 + np.exp(-scorer.scores([made_list])[0]))
    scores = EvidenceScorer.load(tmp_path).scores(claim, vectors, texts)

    assert pytest.approx(expected, abs=5e-3) == scores
    assert np.ptp(expected) > 0.02


def test_what_gives_no_probability_does_not_ship() -> None:
    """A metric loss ranks by distance.

    A network without a first reading is none that the product reads.
    """
    metric, alone = trained(
        examples(6),
        [EvidenceSettings("cosine", epochs=1), EvidenceSettings(first=False, epochs=1)],
        [0],
    )
    for scorer in (metric[0], alone[0]):
        with pytest.raises(ValueError, match="first reading"):
            scorer.tensors()


def batch(seed: int = 0) -> Batch:
    """Return two lists of different lengths as one batch, told nothing first."""
    lists = [
        made_list.told(np.zeros(len(made_list)))
        for made_list in (*made_lists(1, 6, seed), *made_lists(1, 4, seed + 1))
    ]
    return collate(lists, [np.arange(len(made_list)) for made_list in lists])


@pytest.mark.parametrize("loss", LOSSES)
def test_a_loss_falls_as_it_is_trained(loss: str) -> None:
    """Each loss is finite, and smaller after steps on one batch."""
    network = EvidenceSettings(loss=loss, width=8, hidden=0, dropout=0).network(D, 0)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    losses = []
    for _ in range(30):
        optimiser.zero_grad()
        value = loss_of(network, batch(), loss)
        value.backward()
        optimiser.step()
        losses.append(float(value.detach()))

    assert np.isfinite(losses).all()
    assert losses[-1] < 0.9 * losses[0]


@pytest.mark.parametrize("loss", LOSSES)
def test_training_a_loss_raises_the_positive_sentences(loss: str) -> None:
    """What a network of the loss ranks by is higher for positives after it was trained on them."""
    network = EvidenceSettings(loss=loss, width=8, hidden=0, dropout=0).network(D, 1)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.02)
    for _ in range(40):
        optimiser.zero_grad()
        loss_of(network, batch(), loss).backward()
        optimiser.step()
    sentence_batch = batch()
    ranked = network.eval().ranked_by(sentence_batch, loss).detach()

    positive = sentence_batch.target > 0
    is_negative = sentence_batch.known & (sentence_batch.target == 0)
    assert ranked[positive].mean() > ranked[is_negative].mean()


@pytest.mark.parametrize("loss", LOSSES)
def test_padding_and_unknown_targets_change_no_loss(loss: str) -> None:
    """A longer list beside it, and the target of a sentence that is not known, make no difference."""
    network = EvidenceSettings(loss=loss, width=8).network(D, 0).eval()
    short_list = made_lists(1, 5)[0].told(np.zeros(5))
    short_list.target[4] = -1
    alone = collate([short_list], [np.arange(5)])
    padded = Batch(*(torch.nn.functional.pad(t, (0,) * (2 * (t.dim() - 2)) + (0, 3)) if t.dim() > 1 and t.shape[1] == 5
                     else t for t in alone))  # fmt: skip
    other_batch = alone._replace(target=torch.where(alone.known, alone.target, torch.ones(())))

    assert loss_of(network, padded, loss).item() == pytest.approx(
        loss_of(network, alone, loss).item(), abs=1e-5
    )
    assert loss_of(network, other_batch, loss).item() == pytest.approx(
        loss_of(network, alone, loss).item(), abs=1e-6
    )


def test_the_angular_loss_by_hand() -> None:
    """[D_ap² − 4 tan²r·D_nc²]+ with c the middle of anchor and positive, equation (4)."""
    network = EvidenceSettings(loss="angular", width=8).network(D, 0).eval()
    sentence_list = made_lists(1, 3)[0].told(np.zeros(3))
    sentence_list.target[:] = [1, 0, 0]
    sentence_batch = collate([sentence_list], [np.arange(3)])
    anchors, sentences = network.elements(sentence_batch)
    anchor = normalised(anchors)[0]
    positive, *negatives = normalised(sentences)[0]
    middle = (anchor + positive) / 2
    squared_tangent = np.tan(np.radians(40)) ** 2
    positive_distance = ((anchor - positive) ** 2).sum()
    losses = []
    for negative in negatives:
        negative_distance = ((negative - middle) ** 2).sum()
        losses.append(max(0, positive_distance - 4 * squared_tangent * negative_distance))

    loss = loss_of(network, sentence_batch, "angular").item()

    assert loss == pytest.approx(np.mean(losses), abs=1e-5)


def normalised(vectors: torch.Tensor) -> np.ndarray:
    return torch.nn.functional.normalize(vectors, dim=-1).detach().numpy()


@pytest.mark.parametrize(
    ("negatives", "most", "drawn"), [(0, 0, 12), (2, 0, 6), (5, 4, 4), (0, 5, 5)]
)
def test_a_drawing_keeps_its_limits(negatives: int, most: int, drawn: int) -> None:
    """So many negatives a positive, so many sentences in all, a positive always.

    In the order of the article.
    """
    target = np.array([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], np.float32)
    sentence_indices = Drawing(negatives, most).sentence_indices(target, np.random.default_rng(0))

    assert len(sentence_indices) == drawn
    assert (np.diff(sentence_indices) > 0).all()
    assert target[sentence_indices].any()


def test_measures_by_hand() -> None:
    """Evidence second and fourth of five known sentences; the unknown one first is passed over."""
    scores = np.array([9, 5, 4, 3, 2, 1.0])
    target = np.array([-1, 0, 1, 0, 1, 0.0])

    assert measures(scores, target) == pytest.approx([0, 1, 0.4, 1, 4 / 7, 0.5])
    assert table([[scores], [-scores]], [target])[0, 0] == 0


def test_an_interval_holds_the_mean() -> None:
    """Of values that are all the same it is a point."""
    values = np.random.default_rng(0).random(50)
    low, high = interval(values)

    assert low < values.mean() < high
    assert interval(np.full(9, 0.5)) == (0.5, 0.5)


def test_every_list_is_scored_by_a_scorer_that_did_not_see_it() -> None:
    """The folds share the statements among them, summaries are not read, and two runs of one seed are the same."""
    all_examples = [*examples(10), Example(made_lists(1, seed=5)[0], 3, untested=True)]
    lists, once = held_out(all_examples, [SETTINGS], [0], 5)
    again = held_out(all_examples, [SETTINGS], [0], 5)[1]

    assert np.bincount(folds(10, 5)).tolist() == [2] * 5
    assert [example.list for example in all_examples[:10]] == lists
    assert [len(scored_list) for scored_list in lists] == [len(scores) for scores in once[0][0]]
    assert all((a == b).all() for a, b in zip(once[0][0], again[0][0], strict=True))


def test_summaries_are_marked_by_what_they_say_again() -> None:
    """Heading, claim and bare rating are none; what says evidence again is.

    The rest is unknown, as is all the body.
    """
    body = (
        "A flyer says it closed.",
        "Records show two branches closed.",
        "Nobody called back.",
        "It was a Monday.",
    )
    texts = (
        *body,
        "Our ruling",
        "The flyer says that the whole library closed.",
        "City records show that two of the branches closed.",
        "Something else is said here about the weather.",
        "We rate this claim Mostly False.",
    )
    claim, evidence, other_vector = np.eye(3, dtype=np.float32)
    vectors = np.stack(
        [
            claim,
            evidence,
            other_vector,
            other_vector,
            other_vector,
            claim,
            evidence,
            other_vector,
            claim,
        ]
    )
    target = np.float32([0, 1, 0, 0, -1, -1, -1, -1, -1])
    article = Article("The library closed.", texts, target, "politihop whole")
    alone = Article(article.claim, body, target[:4], "politihop whole")

    marked_list = summary_list(article, make_list(article, claim, vectors))
    assert marked_list is not None
    assert marked_list.target.tolist() == [-1, -1, -1, -1, 0, 0, 1, -1, 0]
    assert summary_list(alone, make_list(alone, claim, vectors[:4])) is None


def test_the_inputs_are_as_wide_as_the_product_says() -> None:
    """Cues and relations, and the first reading last."""
    made_list = made_lists(1)[0]
    assert made_list.about.shape == (6, INPUT_COLUMNS)
    assert made_list.told(np.full(6, 7)).about[:, -1].tolist() == [7.0] * 6


def test_metric_losses_rank_by_nearness() -> None:
    """The claim's own element is the nearest possible.

    No sentence ranks above 1 (cosine) or 0 (distance).
    """
    for loss in METRIC:
        ranked = EvidenceSettings(loss=loss, width=8).network(D, 0).eval().ranked_by(batch(), loss)
        assert ranked.max() <= (1 if loss == "cosine" else 0) + 1e-6


def test_a_scorer_without_first_reading_is_told_zeros() -> None:
    """Its network sees nothing of what the linear weights know."""
    lists = made_lists(6)
    scorer = trained(examples(6), [EvidenceSettings(first=False, epochs=1, width=8)], [0])[0][0]
    with_other = Scorer(learn_linear(lists), scorer.network, scorer.loss)

    assert scorer.linear is None
    assert not np.allclose(scorer.scores(lists)[0], with_other.scores(lists)[0])
