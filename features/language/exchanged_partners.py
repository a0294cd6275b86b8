"""Exchanged partners: two names or figures that change places beside words that both texts share.

"From Ohio to Mexico" and "from Mexico to Ohio" have the same words, and so do "nine months in
Columbus and six weeks in Lima" and "nine months in Lima and six weeks in Columbus". "Half of the
sailors eat fish" says something else than "half of the fish is eaten by sailors".
"""

from __future__ import annotations

import re
from itertools import combinations, product

from features.language.figures.numbers import PERCENT, Figure
from features.language.function_words import FUNCTION_WORDS
from features.language.pattern_parts import any_of
from features.language.sentence_parts import looks_like_verb
from features.language.stems import content_stem
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

MAX_CHARACTERS_TO_PARTNER = 40  # from a figure to the word that it belongs to
_FROM_PATTERN = re.compile(r"\b(?P<marker>from|to|into) (?:the |our )?(?P<word>[a-z]+)")
_SAME_BOTH_WAYS_PATTERN = re.compile(
    any_of(
        r"\b(?:and|then) (?:all the way )?back\b",
        r"\bback and forth\b",
        r"\bboth (?:ways|directions)\b",
        r"\bround[- ]trips?\b",
        r"\breturn (?:flights?|journeys?|tickets?|trips?)\b",
        r"\b(?:distance|miles?|kilometers?|kilometres?|road|highway|bridge|tunnel|railway|"
        r"railroad) from\b",
    )
)
_AUXILIARY_PATTERN = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|would|can|could|do|does|did)\b"
)
_RATIO_PATTERN = re.compile(r"\b(?P<thing>[a-z]+) (?:for (?:every|each)|per) (?P<unit>[a-z]+)\b")
# "More pigs than people"
_COMPARED_THINGS_PATTERN = re.compile(
    r"\b(?P<comparative>more|fewer|less)(?: [a-z]+){0,2}? (?P<thing>[a-z]+) than"
    r"(?: there are| it has| they have| it does| of| the| our)*(?: [a-z]+){0,2}? (?P<unit>[a-z]+)\b"
)
_SUFFERED_PATTERN = re.compile(
    r"\b(?P<person>[a-z]+) (?:was|were|(?:has|have|had) been|got) (?P<verb>sued|arrested|"
    r"killed|attacked|elected|hired|fired|beaten|shot|fined|accused|charged|convicted|"
    r"investigated|criticized|blamed|robbed|stabbed|poisoned|murdered|deported|invaded|"
    r"bombed|pardoned|praised|defeated)\b"
)
_HOLDER_PATTERN = re.compile(r"\b(?:on|for|in|at|to) (?:the |our |its |their )?(?P<word>[a-z]+)")
_WHOLE_PATTERN = re.compile(
    r" of (?:all |the |our |all the |all of the |all of our )?(?P<whole>[a-z]+(?: [a-z]+)"
    r"?)\b(?!')"
)
_CLAUSE_BREAK_PATTERN = re.compile(r"[;:.!?]|,? (?:and|but|while|versus|against)\b")


def exchanged_partners(pair: TextPair) -> Clash | None:
    """Return the words of both texts in which two partners changed places, or None."""
    clash = None
    if pair.is_about_same_thing:
        clash = _exchanged_ends(pair) or _exchanged_holders(pair) or _voice_clash(pair)
    if clash is None and pair.is_about_same_subject:
        clash = _exchanged_ratio(pair) or _exchanged_things(pair)
    # An exchanged whole leaves few words in the same order.
    if clash is None and pair.is_about_same_subject:
        clash = _exchanged_whole(pair)
    return clash


def _exchanged_ends(pair: TextPair) -> Clash | None:
    """Return "from Mexico to Ohio" and "from Ohio to Mexico", or None."""
    texts = (pair.sentence, pair.statement)
    # "From Lorne to Moss and back" is "from Moss to Lorne and back".
    if all(_SAME_BOTH_WAYS_PATTERN.search(text.lower_text) for text in texts):
        return None
    ends = []
    for text in texts:
        word_by_marker: dict[str, tuple[str, tuple[int, int]]] = {}
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


def _exchanged_ratio(pair: TextPair) -> Clash | None:
    """Return "ferries for every pilot" and "pilots for every ferry", or None."""
    ratios = []
    for text in (pair.sentence, pair.statement):
        ratio = _RATIO_PATTERN.search(text.lower_text)
        if ratio is None:
            return None
        ratios.append(ratio)
    said, claimed = ratios
    said_things = (content_stem(said["thing"]), content_stem(said["unit"]))
    claimed_things = (content_stem(claimed["thing"]), content_stem(claimed["unit"]))
    if said_things[0] == said_things[1] or said_things != claimed_things[::-1]:
        return None
    return Clash(
        pair.sentence.text[said.start() : said.end()],
        pair.statement.text[claimed.start() : claimed.end()],
    )


def _exchanged_things(pair: TextPair) -> Clash | None:
    """Return "more pigs than people" and "more people than pigs", or None."""
    exchanged = _exchanged_comparisons(pair)
    if exchanged is None:
        return None
    said, claimed = exchanged
    if said["comparative"] != claimed["comparative"]:
        return None
    return Clash(
        pair.sentence.text[said.start() : said.end()],
        pair.statement.text[claimed.start() : claimed.end()],
    )


def compares_things_conversely(pair: TextPair) -> bool:
    """Return whether one text has "more pigs than people" and the other "fewer people than pigs"."""
    exchanged = _exchanged_comparisons(pair)
    if exchanged is None:
        return False
    comparatives = {comparison["comparative"] for comparison in exchanged}
    return "more" in comparatives and len(comparatives) > 1


def _exchanged_comparisons(pair: TextPair) -> tuple[re.Match[str], re.Match[str]] | None:
    """Return the comparisons of both texts if their things changed places, or None."""
    said = _COMPARED_THINGS_PATTERN.search(pair.sentence.lower_text)
    claimed = _COMPARED_THINGS_PATTERN.search(pair.statement.lower_text)
    if said is None or claimed is None:
        return None
    said_things = (content_stem(said["thing"]), content_stem(said["unit"]))
    claimed_things = (content_stem(claimed["thing"]), content_stem(claimed["unit"]))
    is_exchanged = said_things[0] != said_things[1] and said_things == claimed_things[::-1]
    return (said, claimed) if is_exchanged else None


def _text_of_spans(text: AnalysedText, span: tuple[int, int], other: tuple[int, int]) -> str:
    """Return the text from the first of two spans to the end of the last one."""
    return text.text[min(span[0], other[0]) : max(span[1], other[1])]


def _exchanged_holders(pair: TextPair) -> Clash | None:
    """Return both texts if the words beside two figures changed places, or None."""
    sentence_holders = _holders(pair.sentence, pair.statement)
    statement_holders = _holders(pair.statement, pair.sentence)
    for first, second in combinations(sentence_holders.keys() & statement_holders.keys(), 2):
        said = (sentence_holders[first], sentence_holders[second])
        claimed = (statement_holders[second], statement_holders[first])
        if said == claimed and said[0] != said[1]:
            return Clash(pair.sentence.text.strip(" ."), pair.statement.text.strip(" ."))
    return None


def _voice_clash(pair: TextPair) -> Clash | None:
    """Return "The sheriff sued" and "The sheriff was sued", or None.

    Only of what one person does to another: "the mill closed" is "the mill was closed".
    """
    for text, other in ((pair.sentence, pair.statement), (pair.statement, pair.sentence)):
        suffered = _SUFFERED_PATTERN.search(text.lower_text)
        if suffered is None:
            continue
        done_pattern = (
            rf"\b{suffered['person']} (?:has |have |had )?{suffered['verb']}\b"
            r"(?! (?:by|to|in|from|at)\b)"
        )
        done = re.search(done_pattern, other.lower_text)
        is_of_both = suffered[0] in other.lower_text
        if done is None or is_of_both or _is_reduced_relative(other, done):
            continue
        words = text.text[suffered.start() : suffered.end()]
        other_words = other.text[done.start() : done.end()]
        is_of_sentence = text is pair.sentence
        return Clash(words, other_words) if is_of_sentence else Clash(other_words, words)
    return None


def _is_reduced_relative(text: AnalysedText, verb: re.Match[str]) -> bool:
    """Return whether "sailors arrested in Lorne" is part of a clause with a verb of its own."""
    clause_after = _CLAUSE_BREAK_PATTERN.split(text.lower_text[verb.end() :])[0]
    if _AUXILIARY_PATTERN.search(clause_after):
        return True
    clause_before = _CLAUSE_BREAK_PATTERN.split(text.lower_text[: verb.start()])[-1]
    return any(looks_like_verb(word) for word in clause_before.split())


def _holders(text: AnalysedText, other: AnalysedText) -> dict[tuple[float, float], str]:
    """Return for each figure the word after the next preposition, if the other text has it, too."""
    holders: dict[tuple[float, float], str] = {}
    for figure in text.particulars.numbers:
        rest = text.lower_text[figure.end : figure.end + MAX_CHARACTERS_TO_PARTNER]
        clause = _CLAUSE_BREAK_PATTERN.split(rest)[0]
        for match in _HOLDER_PATTERN.finditer(clause):
            word = content_stem(match["word"])
            if word in text.words and word in other.words:
                holders[(figure.low, figure.high)] = word
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
    if said.low != claimed.low or not said_whole.isdisjoint(claimed_whole):
        return None
    said_in_statement = said_whole & set(pair.statement.words)
    claimed_in_sentence = claimed_whole & set(pair.sentence.words)
    if not said_in_statement or not claimed_in_sentence:
        return None
    # "Half of Lorne voters" is half of the voters of Lorne.
    for text in (pair.sentence, pair.statement):
        if _stand_together(text, said_in_statement, claimed_in_sentence):
            return None
    return Clash(
        _with_whole(pair.sentence, said),
        _with_whole(pair.statement, claimed),
    )


def _whole(text: AnalysedText, share: Figure) -> set[str]:
    """Return the words of the thing that a share is a part of, none if it isn't after "of"."""
    return {content_stem(word) for word in whole_of_share(text, share)} & set(text.words)


def whole_of_share(text: AnalysedText, share: Figure) -> tuple[str, ...]:
    """Return the one or two content words after the "of" of a share, none if it has no "of"."""
    match = _WHOLE_PATTERN.match(text.lower_text, share.end)
    if match is None:
        return ()
    words = match["whole"].split()
    # "Pilots in", "farmland belongs"
    if len(words) > 1 and (words[1] in FUNCTION_WORDS or looks_like_verb(words[1])):
        words.pop()
    return tuple(words)


def _stand_together(text: AnalysedText, words: set[str], other_words: set[str]) -> bool:
    """Return whether a word of each set stands beside one of the other set, without a verb between."""
    for word, other_word in product(words, other_words):
        first, second = sorted((text.words.index(word), text.words.index(other_word)))
        # "A third of teachers are smokers": two nouns with a verb between them
        between = text.lower_text[text.word_ends[first] : text.word_starts[second]]
        if second - first <= 1 and not _AUXILIARY_PATTERN.search(between):
            return True
    return False


def _with_whole(text: AnalysedText, share: Figure) -> str:
    match = _WHOLE_PATTERN.match(text.lower_text, share.end)
    return text.text[share.start : match.end() if match else share.end]
