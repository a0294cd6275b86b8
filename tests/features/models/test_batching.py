"""Batches: every text once, like lengths together, several at a time, and the same numbers whatever the batch."""

from threading import current_thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from features.models import batching
from features.models.batching import (
    MAX_WORD_CHARACTERS,
    batches_of_similar_length,
    call_in_threads,
    in_batches,
    one_blas_thread,
    readable,
)
from features.models.weight_files import embedded_folder

LENGTHS = st.lists(st.integers(1, 300), min_size=1, max_size=60)


class Counting:
    """A network whose output is the number of tokens of each text."""

    digest = "counting"

    def __init__(self, cells: int, parallel_batches: int) -> None:
        self.max_batch_cells = cells
        self.parallel_batches = parallel_batches
        self.threads: set[str] = set()

    def tokens(self, texts, pairs=None):
        return [([1] * len(text), [0] * len(text)) for text in texts]

    def run(self, batch):
        self.threads.add(current_thread().name)
        return (np.array([len(ids) for ids, _ in batch], np.float32),)


@given(LENGTHS, st.integers(1, 600), st.integers(1, 40))
def test_every_text_is_in_one_batch(lengths, cells, size):
    """Nothing is lost or read twice, and a batch holds no more than it may, or one text."""
    batches = batches_of_similar_length(np.array(lengths), cells, size)
    assert sorted(np.concatenate(batches)) == list(range(len(lengths)))
    for text_indices in batches:
        assert len(text_indices) <= size
        assert (
            len(text_indices) == 1
            or len(text_indices) * max(lengths[text_index] for text_index in text_indices) <= cells
        )


@pytest.mark.parametrize("parallel_batches", [1, 3])
def test_outputs_come_with_their_rows(parallel_batches):
    """Whichever thread is first, each output stands beside the texts that it was computed from."""
    runner = Counting(cells=40, parallel_batches=parallel_batches)
    lengths = [1 + (7 * i) % 31 for i in range(200)]
    lengths_found = np.zeros(200)
    for text_indices, outputs in in_batches(runner, runner.tokens(["x" * n for n in lengths]), 8):
        lengths_found[text_indices] = outputs[0]
    assert lengths_found.tolist() == lengths
    assert (current_thread().name in runner.threads) == (parallel_batches == 1)


def test_an_error_in_a_thread_is_told():
    """A network that fails on one batch fails the whole pass, not silently."""

    class Failing(Counting):
        def run(self, batch):
            raise MemoryError("no room")

    runner = Failing(cells=10, parallel_batches=2)
    with pytest.raises(MemoryError, match="no room"):
        list(in_batches(runner, runner.tokens(["a" * 8] * 5), 4))


@pytest.fixture(scope="module")
def word_pieces():
    from tokenizers import Tokenizer

    return Tokenizer.from_file(str(embedded_folder() / "tokenizer.json"))


@given(
    st.lists(
        st.sampled_from(["a", "rents", "x" * MAX_WORD_CHARACTERS, "é" * MAX_WORD_CHARACTERS]),
        max_size=60,
    ),
    st.integers(3, 24),
)
def test_what_is_left_out_of_a_text_would_not_be_read(word_pieces, words, longest):
    """Whatever the words, the tokens that fit are the same with and without the rest."""
    word_pieces.enable_truncation(longest)
    text = " ".join(words)
    assert word_pieces.encode(text).ids == word_pieces.encode(readable([text], longest)[0]).ids


def test_a_pair_of_very_long_texts_is_no_burden():
    """A tokenizer that got them whole would make millions of parts."""
    assert [len(text) for text in readable(["word " * 20_000, "x" * 100_000], 128)] == [
        MAX_WORD_CHARACTERS * 128
    ] * 2


def test_half_a_surrogate_pair_becomes_a_question_mark():
    """What a broken file left of an emoji stops nothing."""
    assert readable(["a\ud83db"], 8) == ["a?b"]


def test_what_is_worked_on_side_by_side_is_all_worked_on(monkeypatch):
    """Each item reaches the work once, in parts of the size that was asked for.

    An error of one part is raised.
    """
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    shares = []
    call_in_threads(lambda share: shares.append(list(share)), range(10), 4)
    assert sorted(shares) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]

    def fails(share):
        raise ValueError(share[0])

    with pytest.raises(ValueError, match="0"):
        call_in_threads(fails, range(10), 4)


def test_products_have_one_thread_until_the_last_who_asked_has_ended():
    """Whoever ends first takes nothing from the others; afterwards all threads are back."""

    def limits():
        return [
            library.get_num_threads()
            for library in batching._blas().select(user_api="blas").lib_controllers
        ]

    early_limits = limits()
    first_context = one_blas_thread()
    second = one_blas_thread()
    first_context.__enter__()
    second.__enter__()
    first_context.__exit__(None, None, None)
    assert set(limits()) == {1}
    second.__exit__(None, None, None)
    assert limits() == early_limits
