"""Plans, wishes and suppositions of one text about a matter that the other states as a fact.

"We should open a ferry museum in every port" and "a ferry museum in every port, that exists" share
the plan but not the fact. Unlike the conflict *plan*, the texts need not repeat each other.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product

from features.language.prospects import blank_set_phrases, speaks_of_prospect
from features.language.vocabulary import content_words, vocabulary, word_topic
from features.language.word_clashes import Clash

MIN_SHARED_AFTER_PLAN = 2  # words of the plan itself that both texts have
MAX_PLAN_CHARACTERS = 160  # length of a plan after its first words
MIN_REPEATED_PLAN_WORDS = 5  # words in a row by which a plan repeats the other text
MAX_WORDS_BESIDE_VERB = 4  # on each side of a verb, of which two texts must share one

_PLAN_PATTERN = re.compile(
    r"\b(?:(?:I|we|you|he|she|they|it|who|(?!Says |Said )(?:[A-Z][a-z]+ ){0,2}[A-Z][a-z]+|"
    r"government|congress)"
    r"(?: (?:also|still|just|really|all|do|does|did))?(?:"
    r"(?:(?: (?:will|should|must|would)(?: not)?|['’]ll)(?: very)?(?: (?:soon|shortly|quickly|"
    r"finally|always|never|also))?|"
    r"(?: (?:am|is|are|was|were)|['’](?:m|s|re)) going to|"
    r" (?:have|has|had|need|needs|want|wants|wanted|hope|hopes|plan|plans|promised?|promises|"
    r"intends?|wish|like|try|tries) to) (?P<verb>[a-z]{2,})\b|"
    r" (?:propos(?:e|es|ed)|call(?:s|ed)? for)\b))",
)
_ANY_PLAN_PATTERN = re.compile(r"['’]ll |\b(?:will|should|must|would|propos\w+|for|to) ")
_CLAUSE_END_PATTERN = re.compile(
    r"[.;:!?—–]|--|, (?:and|but|because|which|who|so)\b|(?<! so) that (?:I|we|you|he|she|they)\b"
)
_DUTY_PATTERN = re.compile(
    r"\b(?:(?:is|are|was|were) to [a-z]{3,}|mandat\w+|requir\w+|obliged?|obligation|orders)\b", re.I
)  # "their aim is to close"
_JOINING_WORD_PATTERN = re.compile(r"^(?:And|But|So|Now|Because|Then) (?=\S+ )")
_RHETORICAL_DUTY_PATTERN = re.compile(r"you (?:have|need) to\b", re.I)
_PROMISE_PATTERN = re.compile(r"\b(?:promis|pledg|vow)(?:e|ed|es|ing|s)?\b", re.I)
_VERBS_OF_NO_PLAN = frozenset(
    "say tell add like love admit note remind ask think know believe explain answer trust prefer "
    "call describe argue agree guess suppose imagine recognize understand realize print repeat "
    "mention write".split()
)
# "She will have to explain" is on what follows, and "we should not be the only ones" says that we
# are.
_NO_PLAN_AFTER_PATTERN = re.compile(
    r" to (?:say|tell|admit|ask|explain|answer|decide|understand|remember)\b| the only\b"
)
_ADVERBS = r"(?:(?:never|also|just|still|really|actually|always) )?"
_PREDICTION_PATTERN = re.compile(
    r"(?:\bwill(?: not)?|\bwon['’]t|['’]ll(?: not)?|"
    r"(?:\bam|\bis|\bare|['’]m|['’]s|['’]re)(?: not)? going to)"
    rf" {_ADVERBS}(?P<verb>[a-z]{{3,}})\b",
    re.I,
)
_ABILITY_PATTERN = re.compile(
    r"\b(?:can(?:not|['’]t| not)?|could(?:n['’]t| not)?|(?:is|are|was|were)(?: not)? able to)"
    rf" {_ADVERBS}(?P<verb>[a-z]{{3,}})\b",
    re.I,
)
# "If you look at the numbers" only leads up to a statement.
_CONDITION_PATTERN = re.compile(
    r"^[\"“ ]*(?P<condition>If (?!(?:you|we|I) (?:just )?(?:look|think|ask|consider|count|go|take|"
    r"compare|believe|"
    r"read|check|see|add|may)\b)[^,;.]{8,80}), "
)
_ANY_CONDITION_PATTERN = re.compile(
    r"\b(?:if|unless|had (?:I|we|he|she|they|it)|otherwise)\b", re.I
)


_LIGHT_VERBS = frozenset("be have do get".split())
_COMPLEMENT_PATTERN = re.compile(
    r"(?: (?!(?:in|on|at|for|with|by|from|to|of|and|or|but|that|if|when|because)\b)[\w'’-]+){1,3}"
)


def plan_in_one_text(sentence: str, statement: str) -> Clash | None:
    """Return "we should open" if only one of two texts plans a fact of the other, or None."""
    if sentence.rstrip().endswith("?"):
        return None
    plan_in_sentence = _plan(sentence, statement)
    plan_in_statement = _plan(statement, sentence)
    if bool(plan_in_sentence) == bool(plan_in_statement):
        return None
    return Clash(plan_in_sentence, plan_in_statement)


def _plan(text: str, other_text: str) -> str:
    """Return the first words of a plan of a text that another text states as a fact, or ""."""
    plans = _plans(text)
    if not plans or speaks_of_prospect(other_text) or _DUTY_PATTERN.search(other_text):
        return ""
    if _PROMISE_PATTERN.search(other_text):
        return ""
    # "We should open the pier" beside "the pier was opened": "we should open"
    other_vocabulary = vocabulary(other_text)
    for plan in plans:
        text_after_plan = text[plan.end() : plan.end() + MAX_PLAN_CHARACTERS]
        # "I will give you the list" announces the next words.
        addresses_listener = text_after_plan.startswith(" you ")
        is_no_plan = _NO_PLAN_AFTER_PATTERN.match(text_after_plan) is not None
        # "It has to do with the taxes"
        is_no_plan = is_no_plan or (plan["verb"] == "do" and text_after_plan.startswith(" with "))
        # "You have to go back to 1949 to find one" is only a way to say it.
        is_rhetorical = _RHETORICAL_DUTY_PATTERN.match(plan[0]) is not None
        if plan["verb"] in _VERBS_OF_NO_PLAN or addresses_listener or is_no_plan or is_rhetorical:
            continue
        clause, *_ = _CLAUSE_END_PATTERN.split(text_after_plan)
        verb = plan["verb"] or ""
        shared_topics = other_vocabulary.shared_topics(f"{verb} {clause}")
        # A plan whose words are mostly others is about another matter.
        topics = {word_topic(match[0]) for match in content_words(f"{verb} {clause}")}
        is_repeated = bool(shared_topics) and _repeats(clause, other_text)
        if is_repeated or len(shared_topics) >= max(MIN_SHARED_AFTER_PLAN, len(topics) / 2):
            words = _JOINING_WORD_PATTERN.sub("", plan[0].strip())
            return f"{words}{_complement(clause)}" if verb in _LIGHT_VERBS else words
    return ""


def _complement(clause: str) -> str:
    """Return the first words of a clause, up to a preposition, that "be" or "have" needs."""
    # "We have to be | brave in the storm"
    complement = _COMPLEMENT_PATTERN.match(clause)
    return complement[0] if complement else ""


def _repeats(clause: str, other_text: str) -> bool:
    """Return whether a clause has many words in a row of another text, light ones included."""
    words = clause.casefold().split()
    other_words = f" {' '.join(other_text.casefold().split())} "
    for start in range(len(words) - MIN_REPEATED_PLAN_WORDS + 1):
        passage = " ".join(words[start : start + MIN_REPEATED_PLAN_WORDS])
        if f" {passage} " in other_words:
            return True
    return False


@lru_cache(maxsize=1 << 12)
def _plans(text: str) -> tuple[re.Match[str], ...]:
    """Return the openings of the plans, wishes and duties of a text."""
    if _ANY_PLAN_PATTERN.search(text) is None:
        return ()
    return tuple(_PLAN_PATTERN.finditer(blank_set_phrases(text)))


def ability_clash(sentence: str, statement: str) -> Clash | None:
    """Return "will pay" and "can pay" if two texts predict a deed and call it possible, or None."""
    said_abilities = _abilities(sentence)
    checked_abilities = _abilities(statement)
    pairs: list[tuple[re.Match[str], re.Match[str]]] = []
    if checked_abilities:
        pairs += product(_predictions(sentence), checked_abilities)
    if said_abilities:
        pairs += product(said_abilities, _predictions(statement))
    for match, other_match in pairs:
        if _have_one_deed(match, other_match):
            return Clash(_with_whole_words(match), _with_whole_words(other_match))
    return None


@lru_cache(maxsize=1 << 12)
def _predictions(text: str) -> tuple[re.Match[str], ...]:
    """Return the verbs of a text after "will" and the like."""
    return tuple(_PREDICTION_PATTERN.finditer(text))


@lru_cache(maxsize=1 << 12)
def _abilities(text: str) -> tuple[re.Match[str], ...]:
    """Return the verbs of a text after "can" and the like."""
    if not any(letters in text for letters in ("can", "ould", "able to")):
        return ()
    return tuple(_ABILITY_PATTERN.finditer(text))


def _have_one_deed(match: re.Match[str], other: re.Match[str]) -> bool:
    """Return whether two verbs are forms of one, beside a word that both texts have."""
    deed = word_topic(match["verb"])
    if not deed or word_topic(other["verb"]) != deed:
        return False
    words_beside = vocabulary(_words_beside(match))
    return bool(words_beside.shared_topics(_words_beside(other)))


def _words_beside(match: re.Match[str]) -> str:
    """Return the few words before and after a verb: its subject and its object."""
    preceding = match.string[: match.start()].split()[-MAX_WORDS_BESIDE_VERB:]
    following = match.string[match.end() :].split()[:MAX_WORDS_BESIDE_VERB]
    return " ".join(preceding + following)


def _with_whole_words(match: re.Match[str]) -> str:
    """Return a verb with the pronoun to which "'ll" belongs: "they'll pay"."""
    start = match.string.rfind(" ", 0, match.start() + 1) + 1
    return match.string[start : match.end()].strip('"“”')


def condition_of_statement(sentence: str, statement: str) -> str:
    """Return "If she had not asked" of a statement if the sentence sets no condition, or ""."""
    condition = _CONDITION_PATTERN.search(statement)
    if condition is None or _ANY_CONDITION_PATTERN.search(sentence):
        return ""
    return condition["condition"]
