"""Articles extracted from web pages: only their text, in any encoding.

Teasers and other claims' articles are seen.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.claims import article_extraction
from assistant.claims.article_extraction import MIN_WORD_SHARE, unrelated_page_warning, word_share

SENTENCE = "According to the records of the treasury, the taxes of the city fell by {} percent in the year 20{:02}."
PARAGRAPHS = [SENTENCE.format(i, i) for i in range(12)]


def page(*paragraphs: str, surroundings: str = "") -> str:
    text = "".join(f"<p>{p}</p>" for p in paragraphs)
    return (
        "<!doctype html><html><head><title>Did taxes fall?</title></head><body>"
        "<nav><a href='/'>Home</a> <a href='/about'>About us</a> <a href='/subscribe'>Subscribe</a></nav>"
        f"<main><article><h1>Did taxes fall?</h1>{text}</article>{surroundings}</main>"
        "<footer>Copyright Example News</footer></body></html>"
    )


def test_the_article_is_read_without_menus():
    """Paragraphs are lines; menu and footer are left out."""
    article = article_extraction.extract_article(page(*PARAGRAPHS))

    assert [line for line in article.split("\n") if line.startswith("According")] == PARAGRAPHS
    assert "About us" not in article
    assert "Copyright" not in article
    assert article_extraction.missing_reason(page(*PARAGRAPHS), article) == ""


@pytest.mark.parametrize(
    ("encoding", "kind", "declared"),
    [
        ("utf-8", "text/html; charset=iso-8859-1", ""),
        ("cp1252", "text/html; charset=utf-8", "utf-8"),
        ("cp1252", "text/html; charset=iso-8859-1", ""),
        ("cp1252", "text/html", ""),
        ("cp1251", "text/html; charset=windows-1251", ""),
        ("cp1251", "text/html", "windows-1251"),
        ("cp1252", "text/html; charset=x-unheard-of", ""),
        ("utf-16", "text/html", ""),
    ],
)
def test_the_encoding_is_found_where_it_is_wrong_or_missing(encoding, kind, declared):
    """UTF-8 is recognised by its bytes.

    Otherwise the declared encoding counts, unless the bytes are invalid in it.
    """
    words = "Налоги города упали" if encoding == "cp1251" else "the mayor’s “résumé” says"
    html = page(words, *PARAGRAPHS).replace(
        "<title>", f"<meta charset='{declared}'><title>" if declared else "<title>"
    )

    assert words in article_extraction.decode_page(html.encode(encoding), kind)


@pytest.mark.parametrize(
    ("text", "around", "reason"),
    [
        (PARAGRAPHS[:3], "<p>Subscribe to continue reading.</p>", "a paywall"),
        (PARAGRAPHS[:6], '<script>{"isAccessibleForFree": "False"}</script>', "a paywall"),
        (PARAGRAPHS[:4], "<div>Dieser Artikel ist nur für Abonnenten.</div>", "a paywall"),
        (PARAGRAPHS[:1], "", "characters of text"),
        ([], "", "no text"),
    ],
)
def test_a_teaser_is_no_article(text, around, reason):
    """A short text behind a paywall, or hardly any text, is explained in words."""
    html = (
        page(*text, surroundings=around)
        if text
        else "<html><body><div id='app'></div></body></html>"
    )

    assert reason in article_extraction.missing_reason(
        html, article_extraction.extract_article(html)
    )


def test_a_whole_article_may_ask_for_subscribers():
    """A newsletter box in a full article is no paywall."""
    html = page(*PARAGRAPHS * 3, surroundings="<p>Already a subscriber? Log in.</p>")

    assert article_extraction.missing_reason(html, article_extraction.extract_article(html)) == ""


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("text/html; charset=utf-8", b"", True),
        ("application/xhtml+xml", b"", True),
        ("application/pdf", b"<html>", False),
        ("", b"\n<!DOCTYPE html><p>", True),
        ("", b"%PDF-1.7", False),
    ],
)
def test_a_page_is_known_by_type_or_beginning(kind, data, expected):
    """The server's Content-Type counts; without one, the first bytes."""
    assert expected is article_extraction.is_html(kind, data)


def test_markup_that_no_parser_bears_is_no_article():
    """Ten thousand nested elements give a text or none, and no error."""
    assert article_extraction.extract_article("<div>" * 10_000 + "x" + "</div>" * 10_000) in (
        "",
        "x",
    )


STATEMENT = "Georgia has lost 20,000 textile jobs since 2001."
RIGHT = "Did Georgia lose textile jobs? A count of the state has 20,000 fewer of them than in 2001.\nWe rate this True."
ANOTHER = "The senator has voted against the pipeline since 2001. The state has no say in it."


def test_a_page_about_the_claim_is_not_doubted() -> None:
    """It has the distinctive words of the claim."""
    assert unrelated_page_warning(STATEMENT, RIGHT) == ""
    assert word_share(STATEMENT, RIGHT) > MIN_WORD_SHARE


def test_a_page_about_something_else_is_doubted_with_what_little_they_share() -> None:
    """The rarest shared words first, at most three."""
    line = unrelated_page_warning(STATEMENT, ANOTHER)
    assert line.startswith(
        "This page does not seem to be about the claim: of the words of the claim, it contains only “2001”"
    )
    assert line.count("“") <= 3
    assert line.endswith("Read it before you rely on it.")
    assert "it contains no word of the claim" in unrelated_page_warning(STATEMENT, "Cookies?")


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_share_is_one(statement: str, body: str) -> None:
    """Between 0 and 1; 1 where the page contains the claim, and added text never lowers it."""
    assert 0 <= word_share(statement, body) <= word_share(statement, f"{body} {statement}") <= 1
    assert unrelated_page_warning(statement, f"{body} {statement}") == ""
