"""Parts of a statement that a sentence lacks, although it says the rest of the statement.

"The pier is closed, and the pilots get nothing" beside "The pier is closed" has such a clause. "The
pier is closed because the council sold the ferry" has such a cause, and "the toll rose by 12
percent with Norway" such a name. They are worth a note only beside a sentence of which nothing is
uncovered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from features.language.agreement import particulars
from features.language.open_parts.clauses import MIN_NEW_WORDS_ALONE, uncovered_clauses
from features.language.open_parts.figures import amounts, compared_figures
from features.language.open_parts.names import uncovered_names
from features.language.open_parts.phrases import uncovered_superlatives
from features.language.open_parts.scopes import uncovered_rough_counts
from features.language.vocabulary import Vocabulary, content_words, vocabulary

MIN_ADVERBIAL_WORDS = 2  # words of content of a cause, time, comparison or group
MAX_ADVERBIAL_CHARACTERS = 130  # a longer one would be cut in the middle
MIN_SHARED_TOPICS = 2  # words of the sentence in the rest of the statement

AGES = "between the ages of"
_CAUSE = r"because(?: of)?|due to|owing to|thanks to|as a result of|so that|in order to"
_TIME = r"(?:even )?(?:when|while|after|before)|until|as soon as|during"
_COMPARISON = r"compared (?:to|with)|(?:more|less|fewer|[a-z]{3,}er) than"
_GROUP = rf"{AGES}|among|including|except(?: for)?|without|instead of|in terms of"
_CONDITION = r"unless|even if|as long as|if"
_ADVERBIAL_PATTERN = re.compile(
    rf"\b(?:(?P<cause>{_CAUSE})|(?P<time>{_TIME})|(?P<comparison>{_COMPARISON})|"
    rf"(?P<group>{_GROUP})|"
    rf"(?P<condition>{_CONDITION}))\b(?P<rest>[^.,;:!?…—–]*)",
    re.I,
)
# A sentence with any of them may say the same in other words.
_ANY_OF_KIND_PATTERNS = {
    "cause": re.compile(
        rf"\b(?:{_CAUSE}|since|caus\w*|why|reasons?|for (?:fear|lack|want))\b", re.I
    ),
    "time": re.compile(
        rf"\b(?:{_TIME}|since|once|times?|days?|nights?|years?|then|later|every)\b", re.I
    ),
    "comparison": re.compile(r"\b(?:than|compared|as|unlike|times)\b", re.I),
    "group": re.compile(r"\b(?:without|no|not|never|except|only|instead)\b|n['’]t\b", re.I),
    "condition": re.compile(rf"\b(?:{_CONDITION}|when|whether)\b", re.I),
}
_PREPOSITION_BEFORE_PATTERN = re.compile(r"\b(?:in|from|at|with|on|to|into)(?: the| our)? $", re.I)
_REFERENCE_PATTERN = re.compile(r"\b(?:they|them|their|there|here|that|those|these)\b", re.I)
_PERSON_REFERENCE_PATTERN = re.compile(r"\b(?:he|she|him|her|his)\b", re.I)
_REASON_PATTERN = re.compile(
    r"(?P<reason>[^.,;]{3,100}?(?:,\W{0,3} which)? is)"
    r"(?: the reason)? why (?P<result>[^.,;]{5,100})"
)
_ONLY_THAT_PATTERN = re.compile(
    r"\bthe only (?:[a-z]+ ){1,3}?(?:(?:on|in) (?:the )?\w+ )?(?P<relative>(?:that|who|"
    r"which)(?:['’]s)? [^.,;]{8,110})",
    re.I,
)
_PRONOUN_SUBJECT_PATTERN = re.compile(
    r"^(?:(?:And|But|So|Well|Now|Look|Because),? )*(?:it|this|that|they)"
    r"(?:['’](?:s|re|ve)| is| are| was| were| has| have| will| costs?| makes?)\b",
    re.I,
)
_SUBJECT_PATTERN = re.compile(
    r"^(?:Says (?:that )?)?(?!(?:I|we|it|this|that|they|there|he|she|"
    r"you)\b)(?P<subject>[^,;.:]{4,90}?)"
    r" (?:is|are|was|were|has|have|haven['’]t|hasn['’]t|had|will|costs?|makes?)\b",
    re.I,
)
_FIRST_PATTERN = re.compile(r"\bfirst\b", re.I)
_DENIAL_PATTERN = re.compile(r"\b(?:no|not|none|nobody|nothing|never|without)\b|n['’]t\b", re.I)
_YEAR_PATTERN = re.compile(r"\b(?:in|since|by|from|during|until) (?:19|20)\d\d\b", re.I)
_ANY_TIME_PATTERN = re.compile(
    r"\d{4}|['’]\d\d\b|\b(?:years?|months?|weeks?|days?|decades?|century|last|ago|since|when|then|"
    r"time|"
    r"election|term)\b",
    re.I,
)
_SHARE_PATTERN = re.compile(
    r"\b(?:one|two|three|four|nearly half|almost half|half|most|many|some|\d{1,2}) (?:out of|in|"
    r"of) (?:every )?"
    r"(?:(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) [A-Za-z]+s|(?:the |"
    r"our )?[A-Za-z]+s)\b"
    r"(?= (?:can|could|do|does|did|is|are|was|were|has|have|had|will|would|say|want|live|"
    r"work)\w*\b)",
    re.I,
)
_ANY_QUANTITY_PATTERN = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|half|third|quarter|percent|most|"
    r"many|some|few|"
    r"several|lots?|majority|millions?|thousands?|hundreds?|dozens?)\b",
    re.I,
)
_ALREADY_LIMITED_PATTERN = re.compile(r"\b(?:not|only|about|than) $", re.I)
# "The record shows that I'm right" adds nothing.
_REMARK_PATTERN = re.compile(
    r"\b(?:records?|facts?|figures|numbers|evidence|history) (?:is|are|shows?|proves?|speaks?)\b|"
    r"^(?:that|this|it)(?:['’]s| is) (?:true|right|a fact)\b|\b(?:looks?|sees?)$|^[a-z]+ed by\b",
    re.I,
)


def unsaid_part(statement: str, sentence: str, said_words: Vocabulary) -> str:
    """Return the clearest part of a statement that a sentence lacks, "" if there is none."""
    adverbials = unsaid_adverbials(statement, sentence, said_words)
    reasons = unsaid_reasons(statement, sentence, said_words)
    relatives = unsaid_relatives(statement, sentence, said_words)
    shares = unsaid_shares(statement, sentence)
    subjects = unsaid_subjects(statement, sentence, said_words)
    ranks = unsaid_ranks(statement, sentence, said_words)
    years = unsaid_years(statement, sentence)
    sums = uncovered_rough_counts(statement, sentence)
    names = unsaid_names(statement, sentence, said_words)
    clauses = unsaid_clauses(statement, sentence, said_words)
    parts = chain(
        adverbials, reasons, relatives, shares, ranks, clauses, names, years, sums, subjects
    )
    return next(parts, "")


def unsaid_adverbials(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield "because the pier sank" of a statement if a sentence has no word of it.

    Another cause, time or comparison of the sentence may be the same one in other words.
    """
    for adverbial_match in _ADVERBIAL_PATTERN.finditer(statement):
        if _has_adverbial_of_kind(sentence, adverbial_match):
            continue
        adverbial = adverbial_match[0].strip(" '’‘\")")
        words = [match[0] for match in content_words(adverbial_match["rest"])]
        gives_ages = adverbial_match["group"] == AGES  # "between the ages of 17 and 20"
        min_words = 0 if gives_ages else MIN_ADVERBIAL_WORDS
        if len(words) < min_words or len(adverbial) > MAX_ADVERBIAL_CHARACTERS:
            continue
        rest = statement[: adverbial_match.start()] + statement[adverbial_match.end() :]
        is_rest_said = len(said_words.shared_topics(rest)) >= MIN_SHARED_TOPICS
        if is_rest_said and not any(said_words.has(word) for word in words):
            yield adverbial


def unsaid_clauses(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield the clauses of a statement that a sentence lacks, plans and duties as well."""
    # A clause has two new words at least.
    new_words = [word for word in content_words(statement) if not said_words.has(word[0])]
    if len(new_words) < MIN_NEW_WORDS_ALONE:
        return
    figures = compared_figures(amounts(statement), amounts(sentence), sentence)
    for clause in uncovered_clauses(statement, figures, said_words, with_plans=True):
        adverbial_match = _ADVERBIAL_PATTERN.match(clause)
        is_said_otherwise = adverbial_match and _has_adverbial_of_kind(sentence, adverbial_match)
        # "It has never come back" may be "not one case was seen since".
        both_deny = _DENIAL_PATTERN.search(clause) and _DENIAL_PATTERN.search(sentence)
        if not (is_said_otherwise or both_deny) and not _REMARK_PATTERN.search(clause):
            yield clause


def _has_adverbial_of_kind(sentence: str, adverbial_match: re.Match[str]) -> bool:
    """Return whether a sentence has a cause, time or the like of its own."""
    kinds = adverbial_match.groupdict()
    return any(
        kinds[kind] and pattern.search(sentence) for kind, pattern in _ANY_OF_KIND_PATTERNS.items()
    )


def unsaid_reasons(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield "The strike is why" or "is why the pier is closed", whichever was not said."""
    if " why " not in statement or _ANY_OF_KIND_PATTERNS["cause"].search(sentence):
        return
    reason_match = _REASON_PATTERN.search(statement)
    if reason_match is None:
        return
    reason, result = reason_match["reason"], reason_match["result"]
    if len(said_words.shared_topics(result)) >= MIN_SHARED_TOPICS:
        yield f"{reason.strip()} why"
    elif said_words.shared_topics(reason):
        yield f"is why {result.strip()}"


def unsaid_relatives(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield "that bans ferries" of "the only town that bans ferries" beside "the only town"."""
    if "only" not in sentence or _ONLY_THAT_PATTERN.search(sentence):
        return
    only_match = _ONLY_THAT_PATTERN.search(statement)
    if only_match is None:
        return
    words = [match[0] for match in content_words(only_match["relative"])]
    if words and not any(said_words.has(word) for word in words):
        yield only_match["relative"].strip(" '’‘\"")


def unsaid_shares(statement: str, sentence: str) -> Iterator[str]:
    """Yield "One out of five sailors" if a sentence says it of all of them."""
    if _ANY_QUANTITY_PATTERN.search(sentence):
        return
    for share_match in _SHARE_PATTERN.finditer(statement):
        if not _ALREADY_LIMITED_PATTERN.search(statement[: share_match.start()]):
            yield share_match[0]


def unsaid_subjects(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield "The council of Lorne" of a statement if a sentence says "it" of something."""
    if not _PRONOUN_SUBJECT_PATTERN.match(sentence):
        return
    subject_match = _SUBJECT_PATTERN.match(statement)
    if subject_match is None:
        return
    subject = subject_match["subject"].strip(" '’‘\"")
    words = [match[0] for match in content_words(subject)]
    rest = statement[subject_match.end("subject") :]
    shared_count = sum(said_words.has(word) for word in words)
    # "It is a rigged system" shares a word with "the Bergen system for picking pilots".
    is_new = len(words) - shared_count >= MIN_NEW_WORDS_ALONE and 3 * shared_count <= len(words)
    if is_new and said_words.shared_topics(rest):
        yield subject


def unsaid_ranks(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield "the only town" of a statement if a sentence ranks nothing."""
    for rank in uncovered_superlatives(statement, sentence, said_words):
        # "Its first benefits" may be the benefits that were said.
        is_first = _FIRST_PATTERN.search(rank) is not None
        if not is_first and len(said_words.shared_topics(statement)) >= MIN_SHARED_TOPICS:
            yield rank


def unsaid_years(statement: str, sentence: str) -> Iterator[str]:
    """Yield "in 2006" of a statement if a sentence has no date and no period."""
    year_match = _YEAR_PATTERN.search(statement)
    if year_match is None or _ANY_TIME_PATTERN.search(sentence):
        return
    # "In fifty-four" is 1954.
    said = particulars(sentence)
    if not said.dates and not said.numbers:
        yield year_match[0]


def unsaid_names(statement: str, sentence: str, said_words: Vocabulary) -> Iterator[str]:
    """Yield "with Norway" of a statement if a sentence has no name or pronoun for it."""
    has_own_name = any(uncovered_names(sentence, statement, vocabulary(statement), ""))
    if has_own_name or _REFERENCE_PATTERN.search(sentence):
        return
    may_be_person = _PERSON_REFERENCE_PATTERN.search(sentence) is not None
    for name in uncovered_names(statement, sentence, said_words, ""):
        name_start = statement.index(name)
        preposition = _PREPOSITION_BEFORE_PATTERN.search(statement[:name_start])
        if preposition is None or (may_be_person and preposition[0].startswith("with")):
            continue
        # "In Lisbon" may be one of several places of the statement.
        is_said_of_other = re.search(rf"\b{preposition[0]}[A-Z]", sentence)
        if not is_said_of_other:
            yield statement[preposition.start() : name_start + len(name)]
