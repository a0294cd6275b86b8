"""ClaimReview as publishers really write it, and its siblings."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from assistant.claims.claimreview import claims_in_json
from assistant.claims.lenient_json import parse_lenient
from assistant.claims.records import ImportRemark
from tests.assistant.claims.reported import Imported, imported_text, reported

BUS = "Bus fares fell by 30 percent."
PAGE = "https://checks.example.org/p"
REVIEW: dict[str, Any] = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "url": PAGE,
    "claimReviewed": BUS,
    "author": {"@type": "Organization", "name": "Mill Valley Checks"},
    "datePublished": "2024-01-11",
    "itemReviewed": {
        "@type": "Claim",
        "author": {"@type": "Person", "name": "Owen Pryce"},
        "datePublished": "2024-01-05",
    },
    "reviewRating": {"@type": "Rating", "alternateName": "False"},
}
WHOLE = (BUS, "Owen Pryce", "False", "Mill Valley Checks", PAGE)


def page_of(folder, node: Any, head: str = "") -> Imported:
    """Read a page with one JSON-LD script."""
    script = f'<script type="application/ld+json">{json.dumps(node)}</script>'
    return imported_text(folder, f"<html><head>{head}{script}</head><body></body></html>")


def shown(result: Imported) -> tuple:
    """Return the main fields of the only claim."""
    (claim,) = result.claims
    return (claim.statement, claim.claimant, claim.rating, claim.publisher, claim.url)


@pytest.mark.parametrize(
    "name",
    [
        "claimreview_claim_is_an_object.html",
        "claimreview_claimant_in_first_appearance.html",
        "claimreview_inside_its_article.html",
        "claimreview_publisher_is_the_reporter.html",
        "claimreview_rating_words_in_ratingvalue.html",
    ],
)
def test_reported_pages(name):
    """The same fact-check comes out, wherever its parts are written."""
    result = reported(name)

    assert shown(result) == WHOLE
    assert result.claims[0].claim_date == date(2024, 1, 5)
    assert result.refused == []


def test_an_article_around_the_review_gives_title_and_text():
    (claim,) = reported("claimreview_inside_its_article.html").claims

    assert claim.title == "Bus fares did not fall"
    assert claim.body == "Fares rose by two percent. We rate the claim False."


def test_microdata():
    (claim,) = reported("claimreview_microdata.html").claims

    assert (claim.statement, claim.claimant, claim.rating) == (BUS, "Owen Pryce", "False")
    assert (claim.publisher, claim.url) == (
        "Mill Valley Checks",
        "https://checks.example.org/bus-fares",
    )
    assert (claim.claim_date, claim.review_date) == (date(2024, 1, 5), date(2024, 1, 11))


def test_a_relative_address_is_completed_by_the_authors_site():
    result = reported("claimreview_relative_address.html")

    assert result.claims[0].url == "https://checks.example.org/p/bus-fares"
    assert "address completed by checks.example.org: 1 value, such as '/p/bus-fares'." in (
        result.remarks
    )


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("cdata_around", "CDATA around it"),
        ("escaped_apostrophe", "wrong escapes"),
        ("semicolon_behind", "a semicolon or comma at its end"),
        ("trailing_comma", "a comma too many"),
    ],
)
def test_almost_json_is_mended_and_said(name, fault):
    result = reported(f"jsonld_almost_json_{name}.html")

    assert [claim.rating for claim in result.claims] == ["False"]
    assert result.remarks[0].startswith(f"the JSON-LD was mended ({fault})")


@pytest.mark.parametrize(
    ("text", "values", "mended"),
    [
        ('<!-- {"a": 1} -->', [{"a": 1}], ["an HTML comment around it"]),
        ('/*<![CDATA[*/{"a": 1}/*]]>*/', [{"a": 1}], ["CDATA around it"]),
        ('<![CDATA[{"a": 1}]]>', [{"a": 1}], ["CDATA around it"]),
        ('{"a": 1},', [{"a": 1}], ["a semicolon or comma at its end"]),
        ('{"a": [1, 2, ], }', [{"a": [1, 2]}], ["a comma too many"]),
        ('{"a": 1,, "b": 2}', [{"a": 1, "b": 2}], ["a comma too many"]),
        ('{"a": 1}\n{"b": 2}', [{"a": 1}, {"b": 2}], ["2 values in a row"]),
        ('{"a": 1}, {"b": 2}', [{"a": 1}, {"b": 2}], ["2 values in a row"]),
        ('{"a": "he said "no" to it"}', [{"a": 'he said "no" to it'}], ["quotation marks inside a text"]),
        (r'{"a": "\$5 and it\'s \u12"}', [{"a": "$5 and it's u12"}], ["wrong escapes"]),
        ('{"a": 1, /* why */ "b": 2 // so\n}', [{"a": 1, "b": 2}], ["comments"]),
        ("{&quot;a&quot;: 1}", [{"a": 1}], ["HTML entities in place of characters"]),
        ('{"a": "https://x.example/, }"}', [{"a": "https://x.example/, }"}], []),
        ('{"a": "two\nlines"}', [{"a": "two\nlines"}], []),
    ],
)  # fmt: skip
def test_faults_of_json_that_do_not_change_its_meaning(text, values, mended):
    read = parse_lenient(text)

    assert read.values == values
    assert read.corrections == mended


@pytest.mark.parametrize("text", ['{"a": "x', "{broken", "hello", "", '{"a": [1', "1; 2"])
def test_json_that_breaks_off_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        parse_lenient(text)


@pytest.mark.parametrize(
    "changes",
    [
        {"claimReviewed": {"@type": "Claim", "name": BUS}},
        {"claimReviewed": [{"@value": BUS, "@language": "en"}]},
        {"claimReviewed": None, "itemReviewed": {**REVIEW["itemReviewed"], "text": BUS}},
        {"author": {"@type": "Person", "name": "Rae Novak", "worksFor": REVIEW["author"]}},
        {"author": [{"@type": "Person", "name": "Rae Novak"}, REVIEW["author"]]},
        {"author": "Rae Novak", "publisher": REVIEW["author"]},
        {"author": None, "publisher": "Mill Valley Checks"},
        {"author": "Mill Valley Checks"},
        {"author": {"@list": [REVIEW["author"]]}},
        {"reviewRating": "False"},
        {"reviewRating": [{"ratingValue": 1}, {"alternateName": "False"}]},
        {"reviewRating": {"ratingValue": 1, "name": "False"}},
        {"reviewRating": {"ratingValue": "False", "bestRating": 5}},
        {"reviewRating": {"ratingValue": 1, "ratingExplanation": "False"}},
        {"reviewRating": {"alternateName": "1", "name": ["", "False"]}},
        {"url": "//checks.example.org/p"},
        {"url": None, "mainEntityOfPage": {"@id": PAGE}},
        {"url": "/p", "mainEntityOfPage": "https://checks.example.org/other"},
        {"@type": ["Thing", "http://schema.org/ClaimReview"]},
        {"@type": "schema:ClaimReview"},
        {"@type": "Review"},
    ],
)
def test_siblings_of_the_pages(tmp_path, changes):
    """One part is written in another way; the fact-check is the same."""
    assert shown(page_of(tmp_path, {**REVIEW, **changes})) == WHOLE


@pytest.mark.parametrize(
    "reviewed",
    [
        {"@type": "Claim", "appearance": [{"author": {"name": "Owen Pryce"}, "datePublished": "2024-01-05"}]},
        {"@type": "Claim", "firstAppearance": {"creator": "Owen Pryce", "dateCreated": "2024-01-05"}},
        {"@type": "CreativeWork", "author": "Owen Pryce", "datePublished": "5 January 2024"},
        [{"@type": "Claim"}, {"@type": "Claim", "author": ["Owen Pryce"], "datePublished": "2024-01-05"}],
    ],
)  # fmt: skip
def test_the_claimant_wherever_it_is(tmp_path, reviewed):
    (claim,) = page_of(tmp_path, {**REVIEW, "itemReviewed": reviewed}).claims

    assert (claim.claimant, claim.claim_date) == ("Owen Pryce", date(2024, 1, 5))


def test_a_graph_whose_nodes_refer_to_each_other(tmp_path):
    graph = {
        "@graph": [
            {**REVIEW, "author": {"@id": "#org"}, "itemReviewed": "#claim", "isPartOf": "#article"},
            {"@id": "#org", "@type": "Organization", "name": "Mill Valley Checks"},
            {"@id": "#claim", **REVIEW["itemReviewed"]},
            {"@id": "#article", "@type": "NewsArticle", "headline": "Fares", "articleBody": "Up."},
        ]
    }

    result = page_of(tmp_path, graph)

    assert shown(result) == WHOLE
    assert (result.claims[0].title, result.claims[0].body) == ("Fares", "Up.")


def test_an_article_in_another_script_of_the_page(tmp_path):
    article = json.dumps({"@type": "NewsArticle", "headline": "Fares", "articleBody": "Up."})
    head = f'<script type="application/ld+json">{article}</script>'

    (claim,) = page_of(tmp_path, REVIEW, head).claims

    assert (claim.title, claim.body) == ("Fares", "Up.")


def test_two_articles_of_a_page_give_no_title(tmp_path):
    """Which of them is the review's cannot be known."""
    articles = [{"@type": "NewsArticle", "headline": name} for name in ("Fares", "Trams")]

    (claim,) = page_of(tmp_path, [REVIEW, *articles]).claims

    assert claim.title == ""


def test_the_canonical_link_completes_an_address(tmp_path):
    head = '<link rel="canonical" href="https://checks.example.org/p?x=1">'

    (claim,) = page_of(tmp_path, {**REVIEW, "url": "/p"}, head).claims

    assert claim.url == PAGE


def test_keys_with_prefixes(tmp_path):
    prefixed = {f"schema:{key}" if key[0] != "@" else key: value for key, value in REVIEW.items()}

    assert shown(page_of(tmp_path, prefixed)) == WHOLE


RDFA = f"""<html><body>
<div vocab="https://schema.org/" typeof="ClaimReview">
<a property="url" href="{PAGE}">link</a><h2 property="claimReviewed">{BUS}</h2>
<span property="author" typeof="Organization"><b property="name">Mill Valley Checks</b></span>
<meta property="datePublished" content="2024-01-11">
<div property="itemReviewed" typeof="Claim"><span property="author" typeof="Person">
<i property="name">Owen Pryce</i></span><time property="datePublished" datetime="2024-01-05">5</time>
</div><div property="reviewRating" typeof="Rating"><b property="alternateName">False</b></div></div>
</body></html>"""


@pytest.mark.parametrize(
    "html",
    [
        RDFA,
        RDFA.replace('property="', 'property="schema:').replace('typeof="', 'typeof="schema:'),
        RDFA.replace('property="', 'itemprop="').replace('typeof="', 'itemscope itemtype="https://schema.org/'),
    ],
    ids=["RDFa", "RDFa with prefixes", "microdata"],
)  # fmt: skip
def test_markup_in_attributes(tmp_path, html):
    assert shown(imported_text(tmp_path, html)) == WHOLE


def test_microdata_that_refers_to_other_elements(tmp_path):
    html = (
        '<div itemscope itemtype="http://schema.org/ClaimReview" itemref="r a">'
        f'<link itemprop="url" href="{PAGE}"><p itemprop="claimReviewed">{BUS}</p></div>'
        '<div id="r" itemprop="reviewRating" itemscope><b itemprop="alternateName">False</b></div>'
        '<div id="a"><span itemprop="author">Mill Valley Checks</span></div>'
    )

    assert shown(imported_text(tmp_path, html)) == (BUS, "", "False", "Mill Valley Checks", PAGE)


def test_json_ld_and_microdata_of_one_review_are_one(tmp_path):
    script = f'<script type="application/ld+json">{json.dumps(REVIEW)}</script>'

    assert shown(imported_text(tmp_path, RDFA.replace("<body>", f"<body>{script}"))) == WHOLE


def test_everything_that_is_not_used_is_said(tmp_path):
    """Every value of a review is in its claim or in a remark."""
    review = {**REVIEW, "image": "https://checks.example.org/i.png", "dateModified": "2024-03-01"}

    remarks = page_of(tmp_path, review).remarks

    assert remarks == [
        "field 'ClaimReview.image' was not used: 1 value, such as 'https://checks.example.org/i.png'.",
        "field 'ClaimReview.dateModified' was not used: 1 value, such as '2024-03-01'.",
    ]


def test_a_date_of_a_review_that_is_not_read_is_said(tmp_path):
    result = page_of(tmp_path, {**REVIEW, "datePublished": "3/4/2024"})

    expected = "the review date was not read (day and month could be swapped): 1 value, "
    assert expected + "such as '3/4/2024'." in result.remarks


def test_a_remark_is_not_a_row(tmp_path):
    """Programs that read claims get claims and refusals only."""
    from assistant.claims.importers import read_claims

    path = tmp_path / "page.html"
    path.write_text(RDFA.replace("False", "False</b><b property='image'>x"))
    rows = list(read_claims(path))

    assert [review_row for review_row in rows if isinstance(review_row, ImportRemark)] == []


@pytest.mark.parametrize(
    "text, mended",
    [
        ("{'a': 'the mayor\\'s \"office\"'}", "single quotation marks"),
        ("{'a': 'the mayor's \"office\"'}", "single quotation marks"),
        ('{a: "the mayor\'s \\"office\\""}', "keys without quotation marks"),
    ],
)
def test_objects_of_javascript(text, mended):
    read = parse_lenient(text)

    assert read.values == [{"a": 'the mayor\'s "office"'}]
    assert mended in read.corrections


def test_values_of_python_and_javascript():
    read = parse_lenient('{"a": True, "b": None, "c": undefined, "d": [NaN, False]}')

    assert read.values == [{"a": True, "b": None, "c": None, "d": [None, False]}]


@pytest.mark.parametrize(
    "changes",
    [
        {"reviewRating": {"ratingValue": 1}, "alternateName": "False"},
        {
            "reviewRating": None,
            "itemReviewed": {**REVIEW["itemReviewed"], "reviewRating": {"alternateName": "False"}},
        },
        {
            "inLanguage": "en",
            "reviewRating": {
                "alternateName": [
                    {"@language": "de", "@value": "Falsch"},
                    {"@language": "en", "@value": "False"},
                ]
            },
        },
        {"reviewRating": {"alternateName": "NaN", "name": "False"}},
        {"author": {"name": "null"}, "publisher": REVIEW["author"]},
        {"itemReviewed": {"appearance": {"creator": "Owen Pryce", "uploadDate": "2024-01-05"}}},
        {"claimReviewed": [{"@language": "de", "@value": "Busse"}, {"@language": "en", "@value": BUS}],
         "inLanguage": "en-GB"},
    ],
)  # fmt: skip
def test_parts_in_second_places(tmp_path, changes):
    """Ratings in the claim or in the review, texts in two languages, and words for nothing."""
    assert shown(page_of(tmp_path, {**REVIEW, **changes})) == WHOLE


@pytest.mark.parametrize(
    "url, address",
    [
        ("bus-fares", "https://checks.example.org/news/bus-fares"),
        ("2024/bus.html", "https://checks.example.org/news/2024/bus.html"),
        ("../p", PAGE),
    ],
)
def test_a_path_without_a_slash_is_completed(tmp_path, url, address):
    head = '<base href="https://checks.example.org/news/">'

    (claim,) = page_of(tmp_path, {**REVIEW, "url": url}, head).claims

    assert claim.url == address


def test_properties_of_rdfa_in_rel(tmp_path):
    """In RDFa a ``rel`` leads to the items inside its element."""
    html = f"""<html><body><div prefix="schema: https://schema.org/" typeof="schema:ClaimReview"
        resource="{PAGE}"><p property="schema:claimReviewed">{BUS}</p>
        <div rel="schema:author"><b typeof="schema:Organization">
          <i property="schema:name">Mill Valley Checks</i></b></div>
        <div rel="schema:itemReviewed"><div typeof="schema:Claim"><div rel="schema:author">
          <b typeof="schema:Person"><i property="schema:name">Owen Pryce</i></b></div></div></div>
        <a rel="nofollow" href="/more">more</a>
        <div rel="schema:reviewRating" typeof="schema:Rating">
          <i property="schema:alternateName">False</i></div></div></body></html>"""

    assert shown(imported_text(tmp_path, html)) == WHOLE


@pytest.mark.parametrize(
    "changes, reason",
    [
        ({"creativeWorkStatus": "Retracted"}, "retracted by its publisher"),
        (
            {"creativeWorkStatus": {"@type": "DefinedTerm", "name": "Withdrawn"},
             "correction": {"@type": "CorrectionComment", "text": "We misread the table."}},
            "retracted by its publisher: We misread the table.",
        ),
        (
            {"correction": "This fact-check has been retracted: we misread the table."},
            "retracted by its publisher: "
            "This fact-check has been retracted: we misread the table.",
        ),
        ({"expires": "2024-05-03"}, "declared expired on 2024-05-03 by its publisher"),
        ({"expires": "2099-05-03"}, ""),
        ({"creativeWorkStatus": "Published"}, ""),
        ({"creativeWorkStatus": "Not retracted"}, ""),
        ({"correction": "An earlier version misspelt a name."}, ""),
    ],
)  # fmt: skip
def test_a_review_that_its_publisher_has_retracted(changes, reason):
    (review_row,) = claims_in_json({**REVIEW, **changes}, where="x")

    assert review_row.retraction == reason
    assert (review_row.claim.rating == "Retracted") == bool(reason)


def test_a_retracted_article_retracts_its_review():
    article = {"@type": "NewsArticle", "creativeWorkStatus": "Retracted", "review": REVIEW}

    (review_row,) = claims_in_json(article, where="x")

    assert review_row.retraction == "retracted by its publisher"
