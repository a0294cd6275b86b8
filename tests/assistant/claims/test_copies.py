"""Near copies of a fact-check hide no other, count once, and are counted on the card."""

from datetime import date

import numpy as np
import pytest

from assistant.check import candidates
from assistant.claims import copies
from assistant.claims.claim_index import ClaimIndex
from assistant.claims.copies import MAX_COPIES, statement_keys
from assistant.core.domain import RatingClass, VerifiedClaim

SENTENCE = "The Sahara is the largest hot desert in the world."
ARTICLE = "Researchers measured {} deserts again in {} and published every figure of the survey."
REAL = VerifiedClaim(
    "real",
    "No hot desert on the planet is bigger than the Sahara.",
    rating="False",
    rating_class=RatingClass.FALSE,
    review_date=date(2024, 1, 5),
    publisher="PolitiFact",
    url="https://www.politifact.com/factchecks/sahara",
)


@pytest.fixture(
    params=[copies.MAX_CLAIMS_READ_AHEAD, 0], ids=["few claims", "many claims"], autouse=True
)
def keys_of_all_or_of_some(request, monkeypatch):
    """Find copies by the keys of all claims, or, as among very many, of those that are met."""
    monkeypatch.setattr(copies, "MAX_CLAIMS_READ_AHEAD", request.param)


def review(claim_id, statement=SENTENCE, publisher="", url="", **fields):
    publisher = publisher or f"Times {claim_id}"
    url = url or f"https://{claim_id}.example/p"
    values = {"rating": "True", "rating_class": RatingClass.TRUE, **fields}
    return VerifiedClaim(claim_id, statement, publisher=publisher, url=url, **values)


def found(encoders, claims, text=SENTENCE):
    """Return the index of claims, and the ids that a sentence finds in it."""
    index = ClaimIndex.in_memory(claims, encoders)
    vectors = encoders.sbert.encode([text])
    pairs = candidates.search([text], vectors, index)
    return index, [index.ids[i] for i in pairs.claim_index.tolist()]


def flood(form, count=60):
    return [review(f"e{number:02}", form.format(f"w{number}x")) for number in range(count)]


@pytest.mark.threat("publisher")
@pytest.mark.parametrize(
    "form",
    [
        SENTENCE,
        "The Sahara is the largest hot desert in the world, {}.",
        "{}: the Sahara is the largest hot desert in the world!",
        "The Sahara is the {} hot desert in the world",
        "The SAHARA - is the largest, hot desert in {} world?!",
    ],
    ids=["same", "appended", "prefixed", "replaced", "punctuation"],
)
def test_a_flood_of_copies_hides_no_other_fact_check_and_counts_once(encoders, form):
    index, ids = found(encoders, [REAL, *flood(form)])

    assert sorted(ids) == ["e00", "real"]
    assert index.copies.other_addresses(index.position("e00")) == 59
    assert index.copies.other_addresses(index.position("real")) == 0


@pytest.mark.threat("publisher")
def test_three_exact_copies_count_once(encoders):
    _, ids = found(encoders, [review("a"), review("b"), review("c")])

    assert ids == ["a"]


@pytest.mark.threat("publisher")
@pytest.mark.parametrize("word", ["2020", "Kenya", "not"])
def test_a_stranger_with_the_word_of_the_sentence_comes_first(encoders, word):
    text = f"In the world it is {word} the largest hot desert known to science."
    others = [review(f"e{i}", text.replace(word, f"word{i}")) for i in range(5)]

    _, ids = found(encoders, [*others, review("z", text)], text)

    assert ids[0] == "z"


@pytest.mark.threat("publisher")
def test_a_publisher_whose_name_fits_its_site_stands_for_the_copies(encoders):
    early = review("a", review_date=date(2020, 1, 1))
    fitting = review("b", publisher="Desert News", url="https://desertnews.com/x")
    _, ids = found(encoders, [early, fitting])

    assert ids == ["b"]


@pytest.mark.threat("publisher")
def test_the_earliest_of_equal_copies_stands_for_them(encoders):
    days = {"a": date(2022, 1, 1), "b": date(2020, 1, 1), "c": None}
    _, ids = found(encoders, [review(name, review_date=day) for name, day in days.items()])

    assert ids == ["b"]


def test_publishers_at_their_own_sites_stay_apart(encoders):
    snopes = review("a", publisher="Snopes", url="https://www.snopes.com/fact-check/sahara")
    politifact = review("b", publisher="PolitiFact", url="https://www.politifact.com/sahara")
    _, ids = found(encoders, [snopes, politifact, review("c")])

    assert sorted(ids) == ["a", "b"]


@pytest.mark.threat("publisher")
def test_a_stranger_with_the_name_of_a_publisher_is_a_copy(encoders):
    forged = review("a", publisher="PolitiFact", url="https://politifact.example/sahara")
    real = review("b", publisher="PolitiFact", url="https://www.politifact.com/sahara")
    _, ids = found(encoders, [forged, real])

    assert ids == ["b"]


def test_strangers_with_articles_or_ratings_of_their_own_stay_apart(encoders):
    own_article = review("a", body=ARTICLE.format("nine", "March"))
    other_article = review("b", body="Our desk called a geographer, who named Antarctica instead.")
    other_rating = review("c", rating="Mostly true")
    _, ids = found(encoders, [own_article, other_article, other_rating])

    assert sorted(ids) == ["a", "b", "c"]


@pytest.mark.threat("publisher")
def test_a_copied_article_with_another_word_is_no_own_article(encoders):
    articles = [ARTICLE.format("nine", month) for month in ("March", "April", "May")]
    claims = [review(f"e{i}", body=article) for i, article in enumerate(articles)]
    _, ids = found(encoders, claims)

    assert ids == ["e0"]


@pytest.mark.threat("publisher")
def test_a_few_strangers_with_made_up_articles_are_found(encoders):
    claims = [review(f"e{i}", body=" ".join(f"word{i}x{j}" for j in range(9))) for i in range(40)]
    _, ids = found(encoders, [REAL, *claims])

    assert len(ids) == MAX_COPIES + 1
    assert "real" in ids


def test_figures_of_one_publisher_are_statements_of_their_own(encoders):
    claims = [
        review(f"e{i}", f"The new bridge in Ohio cost {i} million dollars.", publisher="Desk")
        for i in range(3)
    ]
    _, ids = found(encoders, claims, "The new bridge in Ohio cost 2 million dollars.")

    assert sorted(ids) == ["e0", "e1", "e2"]


def test_ratings_of_other_classes_are_no_copies(encoders):
    false = review("b", rating="False", rating_class=RatingClass.FALSE)
    _, ids = found(encoders, [review("a"), false])

    assert sorted(ids) == ["a", "b"]


@pytest.mark.parametrize(
    ("statement", "other"),
    [
        ("Taxes rose in May.", "Wages rose in May."),
        ("Iran has attacked Israel with drones.", "Israel has attacked Iran with drones."),
        ("The whole country is safe today.", "A safe country needs clean rivers."),
    ],
)
def test_other_statements_have_no_key_in_common(statement, other):
    keys = set(statement_keys(statement, RatingClass.TRUE))

    assert keys & set(statement_keys(other, RatingClass.TRUE)) == set()


def test_the_context_of_a_sentence_brings_no_copies_back(encoders):
    index = ClaimIndex.in_memory([REAL, *flood("Indeed, {}, " + SENTENCE)], encoders)
    vectors = encoders.sbert.encode([SENTENCE])
    pairs = candidates.search([SENTENCE], vectors, index)
    window = (SENTENCE, "It is hot there.")
    window_vectors = encoders.sbert.encode([" ".join(window)])

    further = candidates.search_context(pairs, [window], window_vectors, index)

    copies = [i for i in further.claim_index.tolist() if index.ids[i] != "real"]
    assert copies == []
    assert np.unique(pairs.claim_index).size == 2
