"""One segment of the index: sentences of articles, and writing that is never half done."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.claims import index_segment
from tests.assistant.claims.indexed import claims


@given(st.text(alphabet="ab. \n“”!?’1,é", max_size=80))
def test_spans_hold_every_word_in_order(body):
    """Spans rise, never overlap, never cross a paragraph, and together cover every word of the article."""
    spans = index_segment.article_spans(body)
    assert sorted(edge for span in spans for edge in span) == [
        edge for span in spans for edge in span
    ]
    assert not any("\n" in body[start:end] for start, end in spans)
    assert "".join(body.split()) == "".join(
        "".join(body[start:end].split()) for start, end in spans
    )


def test_paragraphs_are_lines():
    """A heading without a full stop is a sentence."""
    body = "Our ruling\nHe said 5. It is 4.\n\nWe rate it False."
    texts = [body[start:end] for start, end in index_segment.article_spans(body)]
    assert texts == ["Our ruling", "He said 5.", "It is 4.", "We rate it False."]


def test_a_very_long_article_keeps_its_first_sentences():
    """Neither many lines nor one long line cost more vectors than the limit."""
    limit = index_segment.MAX_ARTICLE_SENTENCES
    sentences = [f"He said {number}." for number in range(limit + 3)]

    for separator in ("\n", " "):
        body = separator.join(sentences)
        texts = [body[start:end] for start, end in index_segment.article_spans(body)]
        assert texts == sentences[:limit]


@pytest.fixture
def part(encoders):
    claim_list = claims()
    return index_segment.encode_claims(claim_list, [c.id for c in claim_list], encoders)


def test_a_segment_comes_back_as_it_was_written(part, tmp_path):
    """Everything but the articles' vectors is in the folder."""
    back = index_segment.save_segment(part, tmp_path / "000001")
    assert (
        claims()
        == [part.claim(claim_index) for claim_index in range(12)]
        == [back.claim(claim_index) for claim_index in range(12)]
    )
    assert [c.id for c in claims()] == back.column("fingerprint")
    np.testing.assert_array_equal(part.statement_states(3), back.statement_states(3))
    for name in ("terms", "starts", "documents", "times", "lengths"):
        np.testing.assert_array_equal(
            getattr(part.counts["body"], name), getattr(back.counts["body"], name)
        )


def test_a_block_that_was_half_written_is_not_there(part, tmp_path, monkeypatch, encoders):
    """When the disk fails in the middle of a block, the block is still missing on the next start."""
    back = index_segment.save_segment(part, tmp_path / "000001")
    vectors = index_segment.encode_block(back, 0, encoders, exact=True)

    def fail(file, array):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index_segment.np, "save", fail)
    with pytest.raises(OSError):
        index_segment.add_block(back, 0, vectors)
    monkeypatch.undo()
    assert index_segment.read_segment(tmp_path / "000001").blocks_missing() == [0]
    index_segment.add_block(back, 0, vectors)
    assert index_segment.read_segment(tmp_path / "000001").bodies_ready().all()


def test_bodies_with_lone_surrogates_stay_readable(encoders):
    """Text with invalid Unicode loses the broken character, not the article."""
    from dataclasses import replace

    segment = index_segment.encode_claims(
        [replace(claims()[0], body="It is \ud800 so. Really.")], ["x"], encoders
    )
    assert segment.claim(0).body == "It is ? so. Really."
