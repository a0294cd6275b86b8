"""Speech acts: whether a text is a statement, or a question, a form of address or only a name.

A fact-check can cover a statement only. The rules are for English; in a text that they cannot
read, every text with enough words is a statement.
"""

from __future__ import annotations

import re
from functools import lru_cache

from features.language.function_words import FUNCTION_WORDS
from features.language.picture_captions import is_caption_or_link

MAX_CACHED_QUESTIONS = 32_768
MIN_CONTENT_WORDS = 2  # in a statement without a name
MIN_WORDS_WITH_NAME = 3  # in a statement with one content word and a name
MIN_WORDS_BEFORE_TAG = 4  # in a statement with a tag question

_WORD_PATTERN = re.compile(r"\d[\d.,]*%?|[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SENTENCE_END_PATTERN = re.compile(r"[.!?…]{1,20}[\"'”’)\]]{0,9}\s+|\s{1,9}(?:--|—)\s+")
_QUESTION_END_PATTERN = re.compile(r"\?[\s\"'”’)\]?!.-]{0,40}$")
_TAG_QUESTION_PATTERN = re.compile(
    r",? (?:right|okay|ok|correct|huh|eh|yes|no|folks|you know|"
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|ca|wo)(?:n['’]t)? "
    r"(?:it|they|you|we|he|she|i|there)(?: not)?)\?[\s\"'”’)\]]*$",
    re.I,
)
# A question without its mark, as live captions write it: "would you raise your hand".
_ASKS_LISTENER_PATTERN = re.compile(
    r"^(?:and |but |so |now |senator,? |governor,? |okay,? |well,? )*"
    r"(?:(?:why|how|what|when|where|who) )?"
    r"(?:do|does|did|are|were|would|will|can|could|should|have) you\b",
    re.I,
)
# A question in a statement's form: "I'd like to know why taxes rose." An announcement asks nothing
# and states nothing either: "Let me give you an example."
_WISH_TO_HEAR_PATTERN = re.compile(
    r"^(?:and |but |so |now |well,? )*i(?:['’]d| would) (?:like|love) to (?:hear|know|ask)\b", re.I
)
_ANNOUNCEMENT_PATTERN = re.compile(
    r"^(?:and |but |so |now |well,? )*let me (?:just )?(?:give|use|take|offer) (?:you )?(?:an?|one|another|two)"
    r" (?:\w+ ){0,2}examples?\b[^\d.:]{0,40}[.!]?$",
    re.I,
)
# A sentence that begins as a question: "Did China make progress, yes or no?"
_BEGINS_AS_QUESTION_PATTERN = re.compile(
    r"^(?:and |but |so |now |well,? )*(?:(?:why|how|what|when|where|who|which) )?"
    r"(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)(?:n['’]t)?\b",
    re.I,
)
_STATEMENT_END_PATTERN = re.compile(r"[.!][\"'”’)\]]*\s*$")
_NOISE_NOTE_PATTERN = re.compile(
    r"\((?:[A-Z\s,/-]+|applause|laughter|crosstalk)\)|\[[^\]]{0,40}\]", re.I
)
# Chinese, Japanese, Thai, Lao and Khmer, which do not separate words.
_UNSPACED_SCRIPT_PATTERN = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_PARTICLES = frozenset(("up", "down"))
_FORMS_OF_ADDRESS = frozenset(
    """
    mr mrs ms miss dr sir madam mayor senator sen governor gov president congressman congresswoman
    representative rep secretary vice minister prime chancellor general judge justice speaker
    professor chairman chairwoman ambassador councilman councilwoman commissioner lord lady
    gentleman gentlemen ladies candidates everyone everybody folks friends
    """.split()
)
# The words of a bare figure: "1.1 percent", "fifteen dollars an hour"
_FIGURE_WORDS = frozenset(
    """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred
    thousand million billion trillion half third quarter percent percentage point points dollar dollars
    bucks cent cents year years month months week weeks day days hour hours times
    a an the and or of for at about over under nearly almost around more less than per in by only
    """.split()
)
# The address at the end of "It is over, Mr. Hale."
_LAST_ADDRESS_PATTERN = re.compile(
    r", (?:Mr|Mrs|Ms|Mayor|Sen|Senator|Gov|Governor|Secretary|Congressman|Congresswoman"
    r"|(?:Mr\. |Madam )?(?:Vice )?President)\b\.?(?: [A-Z][\w’'-]+){0,2}[.!]?$"
)
# Words with which speakers are called, thanked, timed and interrupted.
_COURTESIES = frozenset(
    """
    thank thanks welcome please sorry excuse pardon okay ok yes yeah no nope right well uh um hello
    hi good evening morning afternoon night goodbye bye question questions answer answers respond
    response rebuttal reply second seconds minute minutes time moment floor turn next start begin
    continue go going ahead let lets let's want ask asking bring move us back come now wait hold
    finish stop applause laughter crosstalk inaudible audience break commercial hear listen look
    agree disagree exactly absolutely sure course understand
    """.split()
)


@lru_cache(maxsize=MAX_CACHED_QUESTIONS)
def is_question(text: str) -> bool:
    """Return whether a text asks something and states nothing before the question."""
    without_noise = _NOISE_NOTE_PATTERN.sub(" ", text).strip()
    if not _QUESTION_END_PATTERN.search(without_noise):
        if _WISH_TO_HEAR_PATTERN.search(without_noise):
            return True
        asks_listener = _ASKS_LISTENER_PATTERN.search(without_noise) is not None
        return asks_listener and not _STATEMENT_END_PATTERN.search(without_noise)
    *sentences_before, last_sentence = _SENTENCE_END_PATTERN.split(without_noise)
    # "Taxes went up again last year, right?" is a statement with a tag question. "Why is health
    # care no human right?" has none.
    tag_question = _TAG_QUESTION_PATTERN.search(without_noise)
    if tag_question and not _BEGINS_AS_QUESTION_PATTERN.search(last_sentence):
        text_before_tag = without_noise[: tag_question.start()]
        words_before_tag = _WORD_PATTERN.findall(text_before_tag)
        if len(words_before_tag) >= MIN_WORDS_BEFORE_TAG:
            return is_question(text_before_tag + ".")
    return not any(_has_statement(sentence) for sentence in sentences_before)


@lru_cache(maxsize=MAX_CACHED_QUESTIONS)
def states_something(text: str) -> bool:
    """Return whether a text has a statement: enough words besides names, and not only a question.

    A caption or a link that a page has put between the speeches has none.
    """
    if is_question(text) or is_caption_or_link(text) or _ANNOUNCEMENT_PATTERN.search(text):
        return False
    return _has_statement(text)


def content_words(text: str) -> list[str]:
    """Return the words of a text that say something: no names, titles, courtesies or particles."""
    words = _words(text)
    is_all_capitals = _are_all_capitals(words)
    return [
        word.casefold()
        for index, word in enumerate(words)
        if _says_something(words, index, is_all_capitals)
    ]


def _has_statement(text: str) -> bool:
    """Return whether a text has enough words that say something, or cannot be read by words."""
    if _UNSPACED_SCRIPT_PATTERN.search(text):
        return True
    text = _LAST_ADDRESS_PATTERN.sub("", text)
    words = _words(text)
    words_with_content = content_words(text)
    if all(_is_word_of_figure(word.casefold()) for word in words):
        return False
    if len(words_with_content) >= MIN_CONTENT_WORDS:
        return True
    # "Ohio voted Democratic" has a name; "Senator Smith, up" says nothing.
    is_all_capitals = _are_all_capitals(words)
    has_name = any(_is_name(words, index, is_all_capitals) for index in range(len(words)))
    has_only_particles = set(words_with_content) <= _PARTICLES
    return has_name and not has_only_particles and len(words) >= MIN_WORDS_WITH_NAME


def _is_word_of_figure(word: str) -> bool:
    """Return whether a word may stand in a bare figure: "fifty-one", "1.1", "dollars", "an"."""
    return word[0].isdigit() or all(part in _FIGURE_WORDS for part in word.split("-"))


def _words(text: str) -> list[str]:
    return _WORD_PATTERN.findall(_NOISE_NOTE_PATTERN.sub(" ", text))


def _are_all_capitals(words: list[str]) -> bool:
    return all(word.isupper() for word in words if len(word) > 1)


def _says_something(words: list[str], index: int, is_all_capitals: bool) -> bool:
    folded = words[index].casefold().replace("’", "'")
    if folded in _FORMS_OF_ADDRESS or folded in _COURTESIES:
        return False
    if folded.replace("'", "") in FUNCTION_WORDS and folded not in _PARTICLES:
        return False
    return not _is_name(words, index, is_all_capitals)


def _is_name(words: list[str], index: int, is_all_capitals: bool) -> bool:
    """Return whether a word is a part of a name; the first word is if another capital follows.

    In a text of capitals nothing shows the names.
    """
    word = words[index]
    if is_all_capitals or not word[0].isupper():
        return False
    if word.casefold() in _FORMS_OF_ADDRESS | _COURTESIES:
        return False
    without_apostrophes = word.casefold().replace("’", "").replace("'", "")
    if without_apostrophes in FUNCTION_WORDS:
        return False
    is_first_of_several = index == 0 and len(words) > 1
    if not is_first_of_several:
        return True
    # The first word of a sentence has a capital anyway: it is a name if the next one has one too.
    second_word = words[1]
    return second_word[0].isupper()
