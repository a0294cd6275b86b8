"""Plans, wishes and suppositions of one text about a matter that the other states as a fact.

"We should open a ferry museum in every port" and "a ferry museum in every port, that exists" share
the plan but not the fact. Unlike the conflict *plan*, the texts need not repeat each other.
"""

from __future__ import annotations

import re
from functools import lru_cache

from features.language.prospects import blank_set_phrases, speaks_of_prospect
from features.language.vocabulary import content_words, vocabulary, word_topic
from features.language.word_clashes import Clash

MIN_SHARED_AFTER_PLAN = 2  # words of the plan itself that both texts have
MAX_PLAN_CHARACTERS = 160  # length of a plan after its first words

_PLAN_PATTERN = re.compile(
    r"\b(?:(?:I|we|you|he|she|they|it|who|(?!Says |Said )(?:[A-Z][a-z]+ ){0,2}[A-Z][a-z]+|government|congress)"
    r"(?: (?:also|still|just|really|all|do|does|did))?(?:"
    r"(?: (?:will|should|must|would)(?: not)?|['’]ll|"
    r"(?: (?:am|is|are|was|were)|['’](?:m|s|re)) going to|"
    r" (?:have|has|had|need|needs|want|wants|wanted|hope|hopes|plan|plans|promised?|promises|"
    r"intends?|wish|like|try|tries) to) (?P<verb>[a-z]{2,})\b|"
    r" (?:propos(?:e|es|ed)|call(?:s|ed)? for)\b))",
)
_ANY_PLAN_PATTERN = re.compile(r"['’]ll |\b(?:will|should|must|would|propos\w+|for|to) ")
_CLAUSE_END_PATTERN = re.compile(r"[.;:!?—–]|--|, (?:and|but|because|which|who|so)\b")
_DUTY_PATTERN = re.compile(r"\b(?:is|are|was|were) to [a-z]{3,}", re.I)  # "their aim is to close"
_VERBS_OF_NO_PLAN = frozenset(
    "say tell add like love admit note remind ask think know believe".split()
)
_CONDITION_PATTERN = re.compile(r"^[\"“ ]*(?P<condition>If [^,;.]{8,80}), ")
_ANY_CONDITION_PATTERN = re.compile(
    r"\b(?:if|unless|had (?:I|we|he|she|they|it)|otherwise)\b", re.I
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
    other_vocabulary = vocabulary(other_text)
    for plan in plans:
        text_after_plan = text[plan.end() : plan.end() + MAX_PLAN_CHARACTERS]
        # "I will give you the list" announces the next words.
        addresses_listener = text_after_plan.startswith(" you ")
        if plan["verb"] in _VERBS_OF_NO_PLAN or addresses_listener:
            continue
        clause, *_ = _CLAUSE_END_PATTERN.split(text_after_plan)
        verb = plan["verb"] or ""
        shared_topics = other_vocabulary.shared_topics(f"{verb} {clause}")
        # A plan whose words are mostly others is about another matter.
        topics = {word_topic(match[0]) for match in content_words(f"{verb} {clause}")}
        if len(shared_topics) >= max(MIN_SHARED_AFTER_PLAN, len(topics) / 2):
            return plan[0].strip()
    return ""


@lru_cache(maxsize=1 << 12)
def _plans(text: str) -> tuple[re.Match[str], ...]:
    """Return the openings of the plans, wishes and duties of a text."""
    if _ANY_PLAN_PATTERN.search(text) is None:
        return ()
    return tuple(_PLAN_PATTERN.finditer(blank_set_phrases(text)))


def condition_of_statement(sentence: str, statement: str) -> str:
    """Return "If she had not asked" of a statement if the sentence sets no condition, or ""."""
    condition = _CONDITION_PATTERN.search(statement)
    if condition is None or _ANY_CONDITION_PATTERN.search(sentence):
        return ""
    return condition["condition"]
