"""What MTM reads: queries of each part, nothing learnt from what is measured on, articles as sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.training.conftest import write_rows
from training.edits.same_claim import part_of
from training.mtm import queries as mtm_data
from training.mtm import samples as mtm_samples

TWEETED = [
    (
        "https://a.org/1",
        "Half the schools have no library.",
    ),  # judged by a debate: never learnt from
    ("https://a.org/2", "The port handled 4,000 ships last year."),
    ("https://a.org/3", "Cats outnumber dogs."),
]


@pytest.fixture
def folder(data: Path) -> Path:
    """Return the small data folder with three tweeted articles and four tweets."""
    articles = [
        {
            "aidx": i,
            "url": url,
            "claim": claim,
            "body": [f"{claim} It was said.", "We looked. We rate it."],
        }
        for i, (url, claim) in enumerate(TWEETED)
    ]
    texts = ["@user schools url", "ships @user", "cats url", ""]
    queries = [
        {"qidx": i, "text_processed": text, "ocr": ["IN A PICTURE"] if text else []}
        for i, text in enumerate(texts)
    ]
    qrels = [{"qidx": i, "aidx": min(i, 2)} for i in range(4)]
    for name, records in (("articles", articles), ("queries", queries), ("qrels", qrels)):
        write_rows(data / "mtm_twitter" / f"politifact_{name}.jsonl.gz", records)
    return data


@pytest.fixture
def found(folder: Path, tmp_path: Path) -> mtm_samples.Library:
    return mtm_samples.library(folder, tmp_path / "work")


def test_articles_are_cut_into_sentences_and_word_pieces(found):
    """Sentences are verbatim spans of the body; word pieces are the packaged tokenizer's."""
    articles = found.tweeted.articles
    sentences = articles.sentences(2)

    assert sentences[0] == "Cats outnumber dogs."
    assert mtm_data.word_pieces(sentences) == [
        articles.ids_of(piece_rows) for piece_rows in articles.rows(2)
    ]
    assert len(sentences) == len(articles.rows(2)) == 4


def test_duplicates_and_flip_o_meter_are_no_articles(found):
    """Of seven claims five can be searched."""
    assert len(found.politifact.articles.ids) == 5
    assert not {"vclaim-pol-00003", "vclaim-pol-00004"} & set(found.politifact.articles.ids)


def test_a_statement_belongs_to_the_part_of_its_claim(found):
    """And to none where measuring turns on its claim, or held-out tweets are about it."""
    ids = {query.id: query.part for query in found.queries if query.kind == "statement"}

    assert {name: part_of(name) for name in ids} == ids
    assert not {"vclaim-pol-00000", "vclaim-pol-00002", "vclaim-pol-00006"} & ids.keys()


def test_what_2b_dev_asks_is_all_test_and_the_seven_teach_nothing(found):
    """The dev queries are test whatever their debate.

    The train query of the seven is in no part.
    """
    parts_by_query = {query.id: query.part for query in found.queries if query.kind == "debate"}

    assert parts_by_query["20170822_Trump_phoenix_0204"] == "test"
    assert "20170803_Trump_WV_0016" not in parts_by_query


def test_tweets_follow_their_article(folder, found):
    """A judged article is test, whatever its address; pictures are read.

    A tweet without words is none.
    """
    pool = found.tweeted
    tweet_parts = mtm_data.tweet_parts(folder, pool)
    tweets = {query.id: query for query in found.queries if query.kind == "tweet"}

    assert "test" == tweet_parts[0] == tweets["0"].part
    assert tweets["0"].text == "schools IN A PICTURE"
    assert "3" not in tweets


def test_a_statement_that_tweets_are_held_out_for_is_no_statement(folder, tmp_path, monkeypatch):
    """Where the tweets about its article are test, nobody learns from the statement either."""
    monkeypatch.setattr(mtm_data, "share", lambda name: 99)
    pools = mtm_data.politifact(folder, tmp_path), mtm_data.tweeted(folder, tmp_path)

    ids = {query.id for query in mtm_data.statements(folder, *pools)}

    assert "vclaim-pol-00005" not in ids
    assert "vclaim-pol-00001" in ids


def test_candidates_are_the_best_of_bm25(found):
    """The k best by score, best first, as a sort of all scores has them."""
    pool = found.tweeted
    query = mtm_data.Query("x", "cats and dogs", (2,), "tweet", "dev")

    candidate_indices, scores = pool.candidates([query], k=2)

    every = pool.bm25.scores([query.text])[0]
    assert 2 == candidate_indices[0, 0] == every.argmax()
    np.testing.assert_allclose(np.sort(every)[::-1][:2], scores[0])


def test_pairs_to_learn_from_hold_only_what_may_be_learnt_from(found):
    """Right and wrong articles of train alone, the right one marked."""
    learning_material = mtm_samples.material(found, mtm_samples.Sizes(), seed=1)

    for pair in learning_material.train:
        assert found.learnable[pair.kind][pair.of[1]]
    assert {pair.of[0] for pair in learning_material.train} <= {
        query.id for query in found.queries if query.part == "train"
    }


def test_drawing_follows_the_seed_and_keeps_the_order():
    """At most so many, in their order, the same for the same seed."""
    queries = [mtm_data.Query(str(i), "", (0,), "tweet", "dev") for i in range(20)]

    some = mtm_data.drawn(queries, 5, seed=3)

    assert len(some) == 5
    assert some == sorted(some, key=lambda query: int(query.id))
    assert mtm_data.drawn(queries, 5, seed=3) == some
    assert mtm_data.drawn(queries, 50, seed=3) == queries


def test_a_debate_of_2b_dev_is_test():
    """Those of 2B train are parted by their names alone."""
    assert mtm_data.debate_part("dev", "20160926_1pres") == "test"
    assert {mtm_data.debate_part("train", f"debate {i}") for i in range(40)} == {"train", "dev"}
