"""Parts that weaken a match but are too often no difference to be named in a note.

A note that misleads costs more trust than a missing one. These rules look at the kinds of parts
that were read as wrong most often: words joined by "and" in another role, plans that are supposed
or reported, and "in the world" or "federal" if nothing else can be meant.
"""

from __future__ import annotations

import re

from features.language.vocabulary import content_words, vocabulary
from features.language.word_clashes import Clash

WORDS_BESIDE_PHRASE = 5  # on each side of joined words, of which two texts must share one

_JOINED_WORDS_PATTERN = re.compile(r"[\w'’-]+(?: [\w'’-]+)? (?:and|or) (?:the )?[\w'’ -]+")
_SUPPOSITION_BEFORE_PATTERN = re.compile(r"\bif (?:I|you|we|he|she|it|they)\b[^.;!?]*$", re.I)
_PROMISE_OR_REPORT_PATTERN = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|promis\w+|pledg\w+|vow\w*)\b", re.I
)
_REPORT_BEFORE_PATTERN = re.compile(
    r"\b(?:sa(?:y|ys|id|ying)|promis\w+|pledg\w+|vow\w*) (?:that )?[\"“]?$", re.I
)
_PHRASE_END_PATTERN = re.compile(r"[.,;:!?—–]|--| (?:and|but) ")
_WORLD_PATTERN = re.compile(r" (?:in the (?:whole )?world|on (?:the )?(?:earth|planet))$", re.I)
_OTHER_SCOPE_PATTERN = re.compile(
    r"\b(?:ever|history|years?|decades?|countr\w+|states?|nations?|America|Europe)\b", re.I
)
_WORDS_OF_NATION = frozenset("federal national rate".split())


def is_doubtful_plan(clash: Clash, sentence: str, statement: str) -> bool:
    """Return whether a plan of one text is only supposed, or reported while the other reports, too.

    "If the pier burns, I should get out", and "they said they will open it" beside "open it, they
    said".
    """
    return _is_doubtful_plan_of(clash.in_sentence, sentence, statement) or _is_doubtful_plan_of(
        clash.in_statement, statement, sentence
    )


def _is_doubtful_plan_of(plan: str, text: str, other_text: str) -> bool:
    """Return whether a plan of a text is supposed or reported."""
    start = text.find(plan) if plan else -1
    if start < 0:
        return False
    text_before = text[:start]
    if _SUPPOSITION_BEFORE_PATTERN.search(text_before):
        return True
    is_reported = _REPORT_BEFORE_PATTERN.search(text_before) is not None
    return is_reported and _PROMISE_OR_REPORT_PATTERN.search(other_text) is not None


def joins_in_other_role(clash: Clash, sentence: str, statement: str) -> bool:
    """Return whether one text joins a word of the other to a second one in another role.

    "Taken over towns and cities" beside "to form in cities": no word beside them is shared.
    """
    said = clash.in_sentence
    claimed = clash.in_statement
    if _joins(said, claimed):
        return not _share_word_beside(sentence, said, statement, claimed)
    if _joins(claimed, said):
        return not _share_word_beside(statement, claimed, sentence, said)
    return False


def _joins(words: str, other_words: str) -> bool:
    """Return whether some words are other words and a second one, joined: "income and wealth"."""
    if not other_words or _JOINED_WORDS_PATTERN.fullmatch(words) is None:
        return False
    return " and " not in other_words and other_words.casefold() in words.casefold()


def _share_word_beside(text: str, phrase: str, other_text: str, other_phrase: str) -> bool:
    """Return whether two texts share a word of content beside two phrases."""
    words_beside = vocabulary(_neighbouring_words(text, phrase))
    return bool(words_beside.shared_topics(_neighbouring_words(other_text, other_phrase)))


def _neighbouring_words(text: str, phrase: str) -> str:
    """Return the few words of content beside a phrase in its clause."""
    before, _, after = text.partition(phrase)
    *_, clause_before = _PHRASE_END_PATTERN.split(before)
    clause_after, *_ = _PHRASE_END_PATTERN.split(after)
    words_before = [match[0] for match in content_words(clause_before)][-WORDS_BESIDE_PHRASE:]
    words_after = [match[0] for match in content_words(clause_after)][:WORDS_BESIDE_PHRASE]
    return " ".join(words_before + words_after)


def adds_what_is_meant(clash: Clash, sentence: str, statement: str) -> bool:
    """Return whether one text only adds words that the other one means, too.

    "The longest in the world" beside "the longest on Earth" or just "the longest", and "the federal
    minimum wage" beside "the minimum wage".
    """
    said = clash.in_sentence
    claimed = clash.in_statement
    return _adds_what_is_meant_to(said, sentence, claimed) or _adds_what_is_meant_to(
        claimed, statement, said
    )


def _adds_what_is_meant_to(words: str, text: str, longer_words: str) -> bool:
    """Return whether longer words say no more than some words of a text mean."""
    if not words:
        return False
    # "The strongest ever" is not "the strongest in the world".
    adds_world = _WORLD_PATTERN.sub("", longer_words) == words
    if adds_world and not _OTHER_SCOPE_PATTERN.search(text):
        return True
    added_words = set(longer_words.casefold().split()) - set(words.casefold().split())
    return words in longer_words and bool(added_words) and added_words <= _WORDS_OF_NATION
