"""Actors by which two texts differ: "they" and one person, or a cause that only one names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from features.language.open_parts.word_kinds import is_verb_form
from features.language.vocabulary import Vocabulary, content_words, word_topic
from features.language.word_clashes import Clash

MAX_VERB_WORDS = 4  # after a subject, of which one must be a verb of both texts
MIN_SHARED_OBJECTS = 2  # words of both texts in the clauses of two subjects with different verbs

_PLURAL_SUBJECT_PATTERN = re.compile(
    r"(?:^|[.!?;] |, |\b(?:that|and|but|because) )"
    r"(?P<subject>they(?= |['’])|(?:the )?(?:democrats|republicans|liberals|conservatives|"
    r"socialists)|"
    r"(?:the|these|those) (?:same )?(?:senators|congressmen|lawmakers|governors|mayors))"
    r"(?:['’](?:re|ve|ll|d))?\s+(?P<following>\w+(?: \w+){0,8})",
    re.I,
)
_SINGLE_PERSON_PATTERN = re.compile(
    r"^(?:Says |Said )?(?:(?:President|Senator|Sen\.|Gov\.|Governor|Rep\.|Mayor|Former|former) )*"
    r"(?P<person>(?!Says |Said )[A-Z][\w.-]+(?: [A-Z][\w.-]+){1,2})(?:['’]s?)? "
    r"(?P<following>[\"“]?\w+(?:['’]t)?(?: [\"“]?\w+){0,9})",
)
_SENTENCE_ACTOR_PATTERN = re.compile(
    r"(?:^|[.;] |, (?:and|but) )(?:And |But |Now, |Well, )?"
    r"(?:(?:President|Senator|Governor|Mayor|Secretary) )?"
    r"(?P<person>(?!And|But|Now|Well|The|This|That|They|There|Then|When|What|You|His|Her|Our|Not)"
    r"[A-Z][a-z]{2,}(?: [A-Z][\w.-]+)?) "
    r"(?P<following>[a-z]\w*(?:,? \w+){0,10})"
)
_ORGANISATION_PATTERN = re.compile(
    r"\b(?:party|department|agency|administration|states|congress|committee|company|inc|bank|"
    r"court|senate|house|council|union|group|university|democrats|republicans|news)\b",
    re.I,
)
_CLEFT_PATTERN = re.compile(
    r"\b(?P<phrase>(?:the|our|their|its|these|those) (?:[a-z-]+ )?(?P<noun>[a-z-]{4,})"
    r"(?: (?:on|in|against|with|for) [\w'’-]+)?) (?:that|which) (?P<verb>[a-z]{3,})\b",
)
_FALSEHOOD_PATTERN = re.compile(
    r"\b(?:he|she|they|you|it|[A-Z][a-z]+) (?:(?:just|has|have|had|again|also) )*"
    r"(?:lied|denied (?:it|that|this)|is lying|was lying|were lying|are lying)"
    r"(?: (?:about|to|under) \w+(?: \w+)?)?",
)
_SAID_NOT_PATTERN = re.compile(
    r"\b(?P<phrase>(?:he|she|they|you) (?:said|says|say|claimed|claims|claim|denied)(?: that)? "
    r"(?:he|she|they|you|it) (?:didn['’]t|never|did not|hadn['’]t|haven['’]t|wasn['’]t|isn['’]t)"
    r"(?: \w+){0,3})",
    re.I,
)
_ANY_FALSEHOOD_PATTERN = re.compile(
    r"\b(?:lie|lies|lied|lying|liar|deny|denies|denied|denying|false\w*|never|not|no)\b|n['’]t\b",
    re.I,
)
# Each falsehood has some of them.
_LETTERS_OF_FALSEHOODS = ("lied", "lying", "denied", "said", "say", "claim")
_ABSTRACT_NOUNS = frozenset(
    "people person country countries thing things nation place time times reason question problem "
    "fact idea kind sort ones money world man woman guy party".split()
)
_VERBS_OF_STATE = frozenset(
    "is are was were has have had does did do will would can could should may might must".split()
)


def actor_clash(sentence: str, statement: str) -> Clash | None:
    """Return "they" and "Ann Lee" if a group and one person do the same, or None."""
    # "They abolished the ferry pass" beside "Ann Lee abolished the ferry pass"
    person_match = _SINGLE_PERSON_PATTERN.search(statement)
    if person_match is None or _ORGANISATION_PATTERN.search(person_match["person"]):
        return None
    person_deeds = _verb_topics(person_match["following"], MAX_VERB_WORDS + 2)
    topics = _all_topics(person_match["following"])
    best_group = ""
    best_count = 0
    for subject_match in _PLURAL_SUBJECT_PATTERN.finditer(sentence):
        plural_subject = subject_match["subject"]
        shared_count = len(
            person_deeds & _verb_topics(subject_match["following"], MAX_VERB_WORDS + 1)
        )
        # "Want to take away the ferry pass" and "wants to abolish the ferry pass"
        shared_topics = topics & _all_topics(subject_match["following"])
        if len(shared_topics) >= MIN_SHARED_OBJECTS:
            shared_count = max(shared_count, 1)
        is_in_statement = plural_subject.casefold().split()[-1] in statement.casefold()
        if shared_count > best_count and not is_in_statement:
            best_group = "they" if plural_subject.casefold() == "they" else plural_subject
            best_count = shared_count
    return Clash(best_group, person_match["person"]) if best_group else None


def acting_person_clash(sentence: str, statement: str) -> Clash | None:
    """Return "Ann" and "Ben Lee" if they do the same and neither is in the other text, or None."""
    # "Ann abolished the ferry pass" beside "Ben Lee abolished the ferry pass"
    person_match = _SINGLE_PERSON_PATTERN.search(statement)
    actor_match = _SENTENCE_ACTOR_PATTERN.search(sentence)
    if person_match is None or actor_match is None:
        return None
    actor_names = actor_match["person"].split()
    if not word_topic(actor_names[-1]) or _ORGANISATION_PATTERN.search(person_match["person"]):
        return None
    is_actor_in_statement = any(name in statement for name in actor_names)
    is_person_in_sentence = any(name in sentence for name in person_match["person"].split())
    if is_actor_in_statement or is_person_in_sentence:
        return None
    actor_deeds = _deeds(actor_match["following"])
    person_deeds = _deeds(person_match["following"])
    # "Voted for the ferry pass" and "wants the ferry pass"
    shared_topics = _all_topics(actor_match["following"]) & _all_topics(person_match["following"])
    have_one_object = len(shared_topics) >= MIN_SHARED_OBJECTS
    have_one_deed = not actor_deeds.isdisjoint(person_deeds)
    if have_one_deed or (actor_deeds and person_deeds and have_one_object):
        return Clash(actor_match["person"], person_match["person"])
    return None


def _deeds(words: str) -> set[str]:
    """Return the topics of the verbs among the first words after a subject."""
    first_words = words.replace('"', "").split()[:MAX_VERB_WORDS]
    return {word_topic(word) for word in first_words if is_verb_form(word)} - {""}


def _verb_topics(words: str, word_count: int) -> set[str]:
    """Return the topics of the first words after a subject, names apart."""
    first_words = " ".join(words.split()[:word_count])
    return {word_topic(match[0]) for match in content_words(first_words) if match[0][0].islower()}


def _all_topics(words: str) -> set[str]:
    """Return the topics of all words after a subject."""
    return {word_topic(match[0]) for match in content_words(words)}


def uncovered_causes(text: str, other_text: str, other_vocabulary: Vocabulary) -> Iterator[str]:
    """Yield "the sanctions" of "the sanctions that stopped it" if only the deed is elsewhere.

    "A deal that stopped it" often is the deed itself.
    """
    # "The sanctions that stopped it": the noun and the verb of a deed
    for cleft_match in _CLEFT_PATTERN.finditer(text):
        noun = cleft_match["noun"]
        verb = cleft_match["verb"]
        is_abstract = noun in _ABSTRACT_NOUNS or not word_topic(noun)
        # "The pass that the makers got" has no verb after "that".
        is_deed = verb not in _VERBS_OF_STATE and is_verb_form(verb)
        if is_abstract or not is_deed or other_vocabulary.has(noun):
            continue
        if _has_word(other_text, other_vocabulary, verb):
            yield cleft_match["phrase"]


def _has_word(text: str, text_vocabulary: Vocabulary, word: str) -> bool:
    """Return whether a text has a word, be it as light as "put"."""
    return text_vocabulary.has(word) or bool(re.search(rf"\b{re.escape(word)}\b", text, re.I))


def uncovered_falsehoods(text: str, other_text: str) -> Iterator[str]:
    """Yield "she lied" and "she said she didn't" if another text speaks of no falsehood."""
    if not any(letters in text for letters in _LETTERS_OF_FALSEHOODS):
        return
    if _ANY_FALSEHOOD_PATTERN.search(other_text):
        return
    for pattern in (_FALSEHOOD_PATTERN, _SAID_NOT_PATTERN):
        falsehood_match = pattern.search(text)
        if falsehood_match:
            yield falsehood_match[0]
            return
