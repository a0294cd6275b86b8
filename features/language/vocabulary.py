"""The vocabulary of a text, in which words of another text are looked up in any of their forms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from features.language.function_words import FILLER_WORDS, FUNCTION_WORDS
from features.language.stems import first_of_group, topic

MIN_COMMON_LETTERS = 5  # at the beginning of two words that count as one
MIN_COMMON_LETTERS_OF_NAMES = 4  # "China" and "Chinese"
WORD_PATTERN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")

# Words that speak of nothing in particular, whatever the topic.
_LIGHT_WORDS = frozenset(
    "today tonight yesterday tomorrow already ever never always every everyone everybody anyone "
    "anybody someone somebody everything anything something nothing year years time times way ways "
    "fact course example other others another own same many several few kind sort part number "
    "person make makes made making take takes took taking come comes came coming give gives gave "
    "giving given put puts putting does done happen happens happened able need needs try trying "
    "again ago well only yes sir madam america american americans united states country nation "
    "u.s usa whether whatever way must means mean meant quite rather else across among toward "
    "towards within without along during since until goes went gone countries nations good bad better "
    "best worse worst percent hundred thousand thousands million millions billion billions "
    "trillion trillions dollar dollars cent cents zero one two three four five six seven eight nine "
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty "
    "forty fifty sixty seventy eighty ninety anywhere everywhere nowhere somewhere bigger biggest "
    "larger largest smaller smallest higher highest lower lowest greater greatest".split()
)
_IRREGULAR_VERBS = first_of_group("""
    write wrote written writing
    speak spoke spoken
    break broke broken
    freeze froze frozen
    know knew known
    throw threw thrown
    draw drew drawn
    see saw seen
    eat ate eaten
    begin began begun
    swear swore sworn
    wear wore worn
    tear tore torn
    bear bore born borne
    hide hid hidden
    ride rode ridden
    forget forgot forgotten
    find found
    think thought
    seek sought
    fight fought
    catch caught
    meet met
    feel felt
    sleep slept
    stand stood
    understand understood
    tell told
    say said
    hear heard
    strike struck
    feed fed
    bind bound
    rebuild rebuilt
    overthrow overthrew overthrown
    overtake overtook overtaken
    undergo underwent undergone
    withdraw withdrew withdrawn
    mistake mistook mistaken
    shake shook shaken
    blow blew blown
    fly flew flown
    sing sang sung
    sink sank sunk
    swim swam swum
    drink drank drunk
    lend lent
    bend bent
    dig dug
    weep wept
    sweep swept
    creep crept
    bleed bled
    breed bred
    mislead misled
    grind ground
    hang hung
    lay laid
    shoot shot
    sit sat
    sue sued
""")
_SYNONYMS = first_of_group("""
    hispanic hispanics latino latinos latina latinas
""")


@lru_cache(maxsize=1 << 12)
def content_words(text: str) -> tuple[re.Match[str], ...]:
    """Return the words of a text that speak of something, as matches with their positions."""
    return tuple(match for match in WORD_PATTERN.finditer(text) if word_topic(match[0]))


@lru_cache(maxsize=1 << 16)
def word_topic(word: str) -> str:
    """Return the topic of a word, "" if it speaks of nothing in particular."""
    plain_word = word.casefold().replace("’", "'").removesuffix("'s")
    if plain_word in _LIGHT_WORDS or plain_word in FUNCTION_WORDS or plain_word in FILLER_WORDS:
        return ""
    plain_word = _SYNONYMS.get(plain_word, plain_word)
    return topic(_IRREGULAR_VERBS.get(plain_word, plain_word))


def is_irregular_form(word: str) -> bool:
    """Return whether a word is the past tense or participle of an irregular verb: "rebuilt"."""
    lower_word = word.casefold()
    return _IRREGULAR_VERBS.get(lower_word, lower_word) != lower_word


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The topics of the words of a text with their beginnings, and those of its names.

    A beginning has ``MIN_COMMON_LETTERS_OF_NAMES`` letters or more.
    """

    topics: frozenset[str]
    topic_beginnings: frozenset[str]
    name_beginnings: frozenset[str]

    def has(self, word: str) -> bool:
        """Return whether the text has a word, in this or another form."""
        searched_topic = word_topic(word)
        if not searched_topic:
            return False
        if searched_topic in self.topics or searched_topic in self.topic_beginnings:
            return True
        if (
            word[0].isupper()
            and searched_topic[:MIN_COMMON_LETTERS_OF_NAMES] in self.name_beginnings
        ):
            return True
        # Two topics that begin alike are of one word: "forc" and "forcib", "health care".
        if len(searched_topic) >= MIN_COMMON_LETTERS:
            if searched_topic[:MIN_COMMON_LETTERS] in self.topic_beginnings:
                return True
        return not self.topics.isdisjoint(_beginnings(searched_topic))

    def shared_topics(self, text: str) -> set[str]:
        """Return the topics of the words of another text that this text has, too."""
        return {word_topic(match[0]) for match in content_words(text) if self.has(match[0])}


@lru_cache(maxsize=1 << 14)
def vocabulary(text: str) -> Vocabulary:
    """Return the vocabulary of a text."""
    topics: set[str] = set()
    topic_beginnings: set[str] = set()
    name_beginnings: set[str] = set()
    for match in content_words(text):
        word_of_text = match[0]
        topic_of_word = word_topic(word_of_text)
        topics.add(topic_of_word)
        topic_beginnings.update(_beginnings(topic_of_word))
        if word_of_text[0].isupper() and len(word_of_text) >= MIN_COMMON_LETTERS_OF_NAMES:
            name_beginnings.add(word_of_text[:MIN_COMMON_LETTERS_OF_NAMES].casefold())
    return Vocabulary(frozenset(topics), frozenset(topic_beginnings), frozenset(name_beginnings))


@lru_cache(maxsize=1 << 16)
def _beginnings(topic_of_word: str) -> tuple[str, ...]:
    """Return the beginnings of a topic that may be another form of the word, itself included."""
    lengths = range(MIN_COMMON_LETTERS_OF_NAMES, len(topic_of_word) + 1)
    return tuple(topic_of_word[:length] for length in lengths)
