"""Items of a list that only one of two texts has: "amnesty" beside "open borders, amnesty and …".

The items are things, or deeds in one word each: "charged" beside "arrested, charged and …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language.open_parts.word_kinds import is_verb_form
from features.language.sentence_parts import has_finite_verb, looks_like_verb
from features.language.vocabulary import Vocabulary, content_words

MAX_ITEM_WORDS = 4
MIN_ITEMS = 3

_STRONG_MARK_PATTERN = re.compile(r"[.;:?!—–()]")
_COMMA_PATTERN = re.compile(r", (?:and |or )?")
_ITEM_PATTERN = re.compile(r"\w[\w'’&$% -]*")
_WORD_LIST_PATTERN = re.compile(r"\b[a-z]+(?:, [a-z]+){1,20},? (?:and|or) [a-z]+\b")
_DEED_PATTERN = re.compile(r"\b(?!and\b|or\b)[a-z]+")
_RANGE_PATTERN = re.compile(
    r"\b(?:everything|everyone|everybody|anything) "
    r"(?P<examples>from [\w'’-]+(?: [\w'’-]+){0,2}? to [\w'’-]+(?: [\w'’-]+){0,2})(?=$|[.,;:!?—–])"
)
# "Norway, Iceland, Denmark" needs no "and".
_NAME_LIST_PATTERN = re.compile(
    r"(?<![\w'’-])(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?, ){2}[A-Z][\w'’-]+"
)
_FINAL_CONJUNCTION_PATTERN = re.compile(r" (?:and|or) ")
_OPENS_NO_ITEM_PATTERN = re.compile(
    r"^(?:first|second|third|of|in|by|at|who|which|that|just|you|i|we|he|she|they|it|not|but|so|if|"
    r"as|well|yes|no|true|false|like|"
    r"including|especially|even|also|then|now|yeah|yep|okay|ok|right|sure|please|folks|look|"
    r"listen)\b",
    re.I,
)
_PREPOSITION_PATTERN = re.compile(
    r"^(?:to|of|in|on|for|from|with|by|the|a|an|our|their|his|her|its|your|my) ", re.I
)
# "The Russian government" and "Virginia's schools" have their noun after the name.
_NOUN_AFTER_PATTERN = re.compile(
    r"['’]s\b| (?!(?:is|are|was|were|has|have|had|do|does|did|will|would|can|could|should|may|"
    r"might|"
    r"must|in|on|at|to|for|of|from|by|with|and|or|but|as|who|which|that|when|where|while|because|"
    r"if|so|"
    r"all|both|after|before|since|during|than|into|right|now|today|every|over|under|up|down|out|"
    r"off|"
    r"about|the|a|an|this|it|they|we|he|she|you|i|then|just|not|\w+ed|\w+ly)\b)(?P<word>[a-z]+)"
)


def precedes_noun(text: str, position: int) -> bool:
    """Return whether a noun in small letters follows at a position: "The Russian | government"."""
    following_match = _NOUN_AFTER_PATTERN.match(text, position)
    if following_match is None:
        return False
    return not (following_match["word"] and looks_like_verb(following_match["word"]))


def uncovered_items(text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield the items of a list that another text lacks, if it has others of them."""
    # "Fish, timber and salt" beside a text about fish: "timber", "salt"
    for passage in _STRONG_MARK_PATTERN.split(text):
        is_list = "," in passage and (
            _FINAL_CONJUNCTION_PATTERN.search(passage) is not None
            or _NAME_LIST_PATTERN.search(passage) is not None
        )
        items = _items(passage) if is_list else []
        is_of_same_list = any(_is_known(item, other_vocabulary) for item in items)
        if is_of_same_list:
            for item in items:
                if _is_new(item, other_vocabulary) and not _is_addressed(item, passage):
                    yield item


def uncovered_listed_verbs(text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "charged and fined" of "arrested, charged and fined" if another has the rest."""
    # "arrested, charged and convicted" beside a text about an arrest
    for enumeration_match in _WORD_LIST_PATTERN.finditer(text):
        listed_verbs = list(_DEED_PATTERN.finditer(enumeration_match[0]))
        new_verbs = [
            verb_match for verb_match in listed_verbs if not other_vocabulary.has(verb_match[0])
        ]
        are_verbs = all(is_verb_form(verb_match[0]) for verb_match in listed_verbs)
        are_only_some_new = 0 < len(new_verbs) < len(listed_verbs)
        if not are_verbs or not are_only_some_new:
            continue
        quotation = enumeration_match[0][new_verbs[0].start() : new_verbs[-1].end()]
        # A deed of both texts between two new ones would be quoted with them.
        if len(_DEED_PATTERN.findall(quotation)) == len(new_verbs):
            yield quotation


def uncovered_ranges(text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "everything from soap to ferry tickets" if another text has none of its words."""
    for example_match in _RANGE_PATTERN.finditer(text):
        if _is_new(example_match["examples"], other_vocabulary):
            yield example_match[0]


def _items(enumeration: str) -> list[str]:
    """Return the items of a list that are short phrases without a verb."""
    *earlier_items, final_part = _COMMA_PATTERN.split(enumeration)
    # "Fish, timber and salt" has two items behind its last comma, but "amnesty, catch and release,
    # and jobs" has one there.
    has_final_comma = re.search(r", (?:and|or) ", enumeration) is not None
    final_items = [final_part]
    if not has_final_comma:
        final_items = _FINAL_CONJUNCTION_PATTERN.split(final_part, maxsplit=1)
    all_items = [*earlier_items, *final_items]
    if len(all_items) < MIN_ITEMS:
        return []
    phrases = [_PREPOSITION_PATTERN.sub("", item.strip()) for item in all_items]
    return [phrase for phrase in phrases if _is_short_noun_phrase(phrase)]


def _is_short_noun_phrase(phrase: str) -> bool:
    is_short = 0 < len(phrase.split()) <= MAX_ITEM_WORDS
    if not is_short or not _ITEM_PATTERN.fullmatch(phrase) or _OPENS_NO_ITEM_PATTERN.search(phrase):
        return False
    is_adverb = phrase.endswith("ly") and " " not in phrase  # "incidentally"
    has_verb = has_finite_verb(phrase) or looks_like_verb(phrase.split(" ")[0])
    return not is_adverb and not has_verb


def _is_new(item: str, other_vocabulary: Vocabulary) -> bool:
    """Return whether no word of an item is in another text, and one speaks of something."""
    words = [match[0] for match in content_words(item)]
    return bool(words) and not any(other_vocabulary.has(word) for word in words)


def _is_addressed(item: str, passage: str) -> bool:
    """Return whether an item is the name of the person spoken to: "no, Nancy, because ..."."""
    is_single_name = item[0].isupper() and " " not in item
    clause = rf", {re.escape(item)}, (?:because|if|when|since|so|but|we|you|I|it)\b"
    return is_single_name and re.search(clause, passage) is not None


def _is_known(item: str, other_vocabulary: Vocabulary) -> bool:
    """Return whether all words of an item are in another text."""
    words = [match[0] for match in content_words(item)]
    return bool(words) and all(other_vocabulary.has(word) for word in words)
