"""Exchanged partners: two names or figures that change places beside words that both texts share.

"From Ohio to Mexico" and "from Mexico to Ohio" have the same words, and so do "nine months in
Columbus and six weeks in Lima" and "nine months in Lima and six weeks in Columbus". "Half of the
sailors eat fish" is another share than "half of the fish is eaten by sailors".
"""

from __future__ import annotations

import re
from itertools import combinations

from features.language.figures.numbers import PERCENT, Figure
from features.language.stems import PLACE_NAMES, content_stem
from features.language.text_pairs import FIGURE_MARK, AnalysedText, TextPair
from features.language.word_clashes import Clash

MAX_CHARACTERS_TO_PARTNER = 40
_STEMS_OF_PLACES = frozenset(map(content_stem, PLACE_NAMES))
_FROM_PATTERN = re.compile(r"\b(?P<marker>from|to|into) (?:the |our )?(?P<word>[a-z]+)")
_WHOLE_PATTERN = re.compile(
    r" of (?:all |the |our |all the |all of the |all of our )?(?P<whole>[a-z]+)\b(?!['’])"
)
_CLAUSE_BREAK_PATTERN = re.compile(r"[;:.!?]|,? (?:and|but|while|versus|against)\b")


def exchanged_partners(pair: TextPair) -> Clash | None:
    """Return the words of both texts in which two partners changed places, or None."""
    clash = None
    if pair.is_about_same_thing:
        clash = _exchanged_ends(pair) or _exchanged_holders(pair)
    # An exchanged whole leaves few words in the same order.
    if clash is None and pair.is_about_same_subject:
        clash = _exchanged_whole(pair)
    return clash


def _exchanged_ends(pair: TextPair) -> Clash | None:
    """Return "from Mexico to Ohio" and "from Ohio to Mexico", or None."""
    ends = []
    for text in (pair.sentence, pair.statement):
        word_by_marker = {}
        for match in _FROM_PATTERN.finditer(text.lower_text):
            marker = match["marker"].replace("into", "to")
            word_by_marker.setdefault(marker, (content_stem(match["word"]), match.span("word")))
        if word_by_marker.keys() != {"from", "to"}:
            return None
        ends.append(word_by_marker)
    said, claimed = ends
    is_exchanged = said["from"][0] == claimed["to"][0] and said["to"][0] == claimed["from"][0]
    if not is_exchanged or said["from"][0] == said["to"][0]:
        return None
    return Clash(
        _text_of_spans(pair.sentence, said["from"][1], said["to"][1]),
        _text_of_spans(pair.statement, claimed["from"][1], claimed["to"][1]),
    )


def _text_of_spans(text: AnalysedText, span: tuple[int, int], other: tuple[int, int]) -> str:
    """Return the text from the first of two spans to the end of the last one."""
    return text.text[min(span[0], other[0]) : max(span[1], other[1])]


def _exchanged_holders(pair: TextPair) -> Clash | None:
    """Return the figures of both texts with their names if two names changed places, or None."""
    sentence_holders = _holders(pair.sentence, pair.statement)
    statement_holders = _holders(pair.statement, pair.sentence)
    for first, second in combinations(sentence_holders.keys() & statement_holders.keys(), 2):
        said = (sentence_holders[first], sentence_holders[second])
        claimed = (statement_holders[second], statement_holders[first])
        if said == claimed and said[0] != said[1]:
            return Clash(pair.sentence.text.strip(" ."), pair.statement.text.strip(" ."))
    return None


def _holders(text: AnalysedText, other: AnalysedText) -> dict[tuple[str, float, float], str]:
    """Return the next name after each figure in its clause, if the other text has the name, too."""
    names = {content_stem(name) for name in text.particulars.names} | _STEMS_OF_PLACES
    shared_names = names & set(other.words)
    holders: dict[tuple[str, float, float], str] = {}
    if not shared_names:
        return holders
    for figure in text.particulars.numbers:
        rest = text.lower_text[figure.end : figure.end + MAX_CHARACTERS_TO_PARTNER]
        clause = _CLAUSE_BREAK_PATTERN.split(rest)[0]
        for word, start in zip(text.words, text.word_starts, strict=True):
            if figure.end <= start < figure.end + len(clause) and word in shared_names:
                holders[(figure.kind, figure.low, figure.high)] = word
                break
    return holders


def _exchanged_whole(pair: TextPair) -> Clash | None:
    """Return the shares of both texts if each is a share of what the other text has beside it."""
    shares = []
    for text in (pair.sentence, pair.statement):
        figures = [figure for figure in text.particulars.numbers if figure.kind == PERCENT]
        if len(figures) != 1:
            return None
        shares.append(figures[0])
    said, claimed = shares
    said_whole = _whole(pair.sentence, said)
    claimed_whole = _whole(pair.statement, claimed)
    if not said_whole or not claimed_whole or said_whole == claimed_whole:
        return None
    is_exchanged = said_whole in pair.statement.words and claimed_whole in pair.sentence.words
    if said.low != claimed.low or not is_exchanged:
        return None
    # "Half of Lorne voters" is half of the voters of Lorne.
    for text in (pair.sentence, pair.statement):
        if abs(text.words.index(said_whole) - text.words.index(claimed_whole)) <= 1:
            return None
    return Clash(
        _with_whole(pair.sentence, said),
        _with_whole(pair.statement, claimed),
    )


def _whole(text: AnalysedText, share: Figure) -> str:
    """Return the thing that a share is a part of, "" if it isn't named after "of"."""
    match = _WHOLE_PATTERN.match(text.lower_text, share.end)
    word = content_stem(match["whole"]) if match else ""
    is_word = word in text.words and not word.startswith(FIGURE_MARK)
    return word if is_word else ""


def _with_whole(text: AnalysedText, share: Figure) -> str:
    match = _WHOLE_PATTERN.match(text.lower_text, share.end)
    return text.text[share.start : match.end() if match else share.end]
