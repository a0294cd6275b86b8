"""Extracts the article of a web page, or says why there is none.

It also doubts an article that is not about its claim.
"""

from __future__ import annotations

import re

from assistant.claims.claim_fields import clean_paragraphs
from assistant.transcripts.text_decoding import RawSource
from features.similarity.bm25 import tokenize
from features.similarity.coverage import load_word_weights

MIN_ARTICLE_CHARACTERS = 300  # a shorter text is a teaser, a notice or an error page
# A shorter article that asks for a subscription is only the beginning of one.
MIN_PAYWALLED_CHARACTERS = 2_000

# The least share of the weight of a claim's words that its article must have: a link may lead to
# another article, to a list or to a notice, which have only common words of the claim. Chosen on
# 490 PolitiFact claims and tried once on 500 others, each with its own article and with that of
# another claim (docs/how-to/load-fact-checks.md).
MIN_WORD_SHARE = 0.4
MAX_SHOWN_WORDS = 3
_SNIFFED_BYTES = 400
_DECLARATION_BYTES = 4_096

# Phrases at the end of a text that only subscribers can read on. They are searched in the whole
# page, since they are often outside the article.
_PAYWALL_PATTERN = re.compile(
    r'"isAccessibleForFree"\s*:\s*"?false'
    r"|subscribe (?:now )?to (?:continue|read|keep|unlock|get)|already (?:a|an) (?:subscriber|member)"
    r"|(?:sign|log) in to (?:continue|read|keep)|to (?:continue|keep) reading"
    r"|(?:register|sign up) to (?:continue|read)"
    r"|(?:only for|for|exclusive to|reserved for) (?:our )?(?:paying |paid )?"
    r"(?:subscribers|members)"
    r"|create (?:a|your) (?:free )?account to|start your (?:free )?(?:trial|subscription)"
    r"|nur für abonnenten|jetzt (?:abonnieren|weiterlesen)"
    r"|réservée? (?:à nos|aux) abonnés|pour lire la suite"
    r"|(?:solo|exclusiv\w{1,12}) para (?:suscriptores|socios|assinantes)"
    r"|suscríbete para|assine para"
    r"|riservato agli abbonati",
    re.I,
)
_PAGE_CHARSET_PATTERN = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*(?:[\"']\s*)?(?P<charset>[A-Za-z0-9_.:-]{2,40})", re.I
)
_HEADER_CHARSET_PATTERN = re.compile(r"charset\s*=\s*[\"']?(?P<charset>[\w.:-]+)", re.I)
_HTML_START_PATTERN = re.compile(
    rb"\s*(?:\xef\xbb\xbf\s*)?<(?:!doctype html|html|head|body|!--)", re.I
)
_BULLET_PATTERN = re.compile(r"^[-•*]\s+", re.M)
_HTML_TYPES = ("text/html", "application/xhtml+xml")
_UTF8_NAMES = ("utf-8", "utf8")
_LATIN1_NAMES = ("iso-8859-1", "latin-1", "latin1", "us-ascii", "ascii")
SHORTENED_NOTE = "shortened: the first"  # begins the note on an article that was cut


def is_html(content_type: str, data: bytes) -> bool:
    """Return whether bytes are a web page.

    The server's Content-Type decides or, without one, the first bytes.
    """
    media_type = content_type.partition(";")[0].strip().lower()
    if media_type:
        return media_type in _HTML_TYPES
    return bool(_HTML_START_PATTERN.match(data[:_SNIFFED_BYTES]))


def decode_page(data: bytes, content_type: str = "") -> str:
    """Decode the text of a page.

    Bytes that are valid UTF-8 are UTF-8, whatever encoding is declared. Otherwise the encodings
    that the server and the page declare are tried, then the likeliest one.
    """
    if _is_utf8(data):
        return _decode_by_guess(data)
    for encoding in _declared_encodings(data, content_type):
        text = _decode_if_valid(data, encoding)
        if text:
            return text
    return _decode_by_guess(data)


def _decode_by_guess(data: bytes) -> str:
    """Decode bytes in the likeliest encoding: UTF-8 if they are valid UTF-8."""
    return RawSource("page", data).text


def _is_utf8(data: bytes) -> bool:
    """Return whether bytes are valid UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _declared_encodings(data: bytes, content_type: str) -> list[str]:
    """Return the encodings that the server and the page itself declare."""
    encodings = []
    header_charset = _HEADER_CHARSET_PATTERN.search(content_type)
    if header_charset:
        encodings.append(header_charset["charset"])
    page_start = data[:_DECLARATION_BYTES]
    page_charset = _PAGE_CHARSET_PATTERN.search(page_start)
    if page_charset:
        encodings.append(page_charset["charset"].decode("ascii"))
    return encodings


def extract_article(page: str) -> str:
    """Extract the article of a page, one paragraph per line, "" if there is none."""
    import trafilatura
    from lxml.etree import LxmlError

    try:
        text = trafilatura.extract(
            page, include_comments=False, include_tables=False, output_format="txt"
        )
    except (LxmlError, ValueError, RecursionError):  # markup that breaks the parser
        return ""
    return clean_paragraphs(_BULLET_PATTERN.sub("", text or ""))


def missing_reason(page: str, text: str) -> str:
    """Explain why the text of a page is not its article, "" if it is."""
    if len(text) < MIN_PAYWALLED_CHARACTERS and _PAYWALL_PATTERN.search(page):
        return f"a paywall: {len(text):,} characters can be read"
    if len(text) >= MIN_ARTICLE_CHARACTERS:
        return ""
    return f"{len(text):,} characters of text" if text else "no text"


def word_share(statement: str, body: str) -> float:
    """Return the share of the weight of a statement's words that a page has, 0 to 1.

    1 for a statement without words.
    """
    weight_by_word = _word_weights(statement)
    total_weight = sum(weight_by_word.values())
    if not total_weight:
        return 1.0
    body_words = set(tokenize(body))
    shared_weight = sum(weight for word, weight in weight_by_word.items() if word in body_words)
    return shared_weight / total_weight


def unrelated_page_warning(statement: str, body: str) -> str:
    """Say that a page does not seem to be about a statement, "" if it does."""
    if word_share(statement, body) >= MIN_WORD_SHARE:
        return ""
    weight_by_word = _word_weights(statement)
    body_words = set(tokenize(body))
    shared_words = [word for word in weight_by_word if word in body_words]
    if shared_words:
        # The rarer a word, the heavier it weighs.
        heaviest_first = sorted(shared_words, key=lambda word: -weight_by_word[word])
        shown_words = heaviest_first[:MAX_SHOWN_WORDS]
        reason = f"of the words of the claim, it contains only {_quoted_list(shown_words)}"
    else:
        reason = "it contains no word of the claim"
    return (
        f"This page does not seem to be about the claim: {reason}. Read it before you rely on it."
    )


def _word_weights(statement: str) -> dict[str, float]:
    """Return the weight of each word of a statement."""
    word_weights = load_word_weights()
    weights = word_weights.weights
    return {word: weights.get(word, word_weights.unseen) for word in tokenize(statement)}


def _quoted_list(words: list[str]) -> str:
    """Join quoted words by commas and "and"."""
    quoted = [f"“{word}”" for word in words]
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _decode_if_valid(data: bytes, encoding: str) -> str:
    """Decode bytes, "" if there is no such encoding or the bytes are not valid in it."""
    encoding = encoding.lower()
    if encoding in _UTF8_NAMES:
        return ""  # the caller knows that the bytes are not UTF-8
    if encoding in _LATIN1_NAMES:
        encoding = "cp1252"  # browsers read declared Latin-1 as Windows-1252
    try:
        text = data.decode(encoding)
        # The text of a UTF-8 page is repaired, so this one is, too.
        return _decode_by_guess(text.encode("utf-8"))
    except (LookupError, UnicodeError):  # an unknown encoding, or bytes that it doesn't have
        return ""
