"""Prospects: plans, wishes, duties and predictions, which are not yet facts.

"Prices will double" and "We should close the base" say something else than "Prices doubled" and
"She closed the base".
"""

from __future__ import annotations

import re

from features.language.figures.date_comparison import compare
from features.language.pattern_parts import any_of
from features.language.sentence_parts import has_finite_verb
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

PROSPECT_WORDS_BEFORE = 4  # words before the shared ones that are searched, too

_PROSPECT_PATTERN = re.compile(
    any_of(
        r"\b(?:"
        + any_of(
            r"will",
            r"won't",
            r"shall",
            r"should",
            r"shouldn't",
            r"would",
            r"wouldn't",
            r"ought to",
            # "Could not vote" tells of the past.
            r"could(?! not\b)",
            r"might",
            r"(?<!in )(?<!of )(?<!since )(?<!by )(?<!last )(?<!until )may(?! \d)",
            r"(?:am|is|are|was|were|'re|'m|'s|be|been|not|never) (?:\w+ )?(?:going to(?! (?:the|"
            r"an?|our|their|his|her|its|that)\b)|about to|set to|likely to|expected to|"
            r"supposed to(?! be\b)|scheduled to|slated to|"
            r"due to (?:be|go|start|open|close))",
            r"gonna",
            r"must",
            r"(?:need|needs|want|wants|wanted|plan|plans|planned|planning|hope|hopes|hoped|hoping|"
            r"intend|intends|intended|promise|promises|promised|promising|propose|proposes|"
            r"proposed|try|tries|tried|trying|aim|aims|vow|vows|vowed|pledge|pledges|pledged|"
            r"threaten|threatens|threatened|wish|wishes|expect|expects|expected|offered|agreed|"
            r"prepared|ready|wanting) to",
            r"(?:want|wants|wanted) (?:you|us|him|her|them|the \w+|our \w+) to",
            r"wants?",
            r"(?:call|calls|called|calling|push|pushing) for",
            r"(?:plan|plans|planned|planning) on",
            r"let's",
            r"let us",
        )
        + r")\b",
        r"\b\w+'ll\b",
        r"\b(?:i|he|she|we|they|you|it)'d\b",
    )
)
_SET_PHRASE_PATTERN = re.compile(
    any_of(
        r"\b(?:i|we)(?: will|'ll| would|'d| should| must| want to| need to| have to)(?: just|"
        r" also| only| again)? (?:say|tell|add|point|remind|note|like|love|argue|submit|"
        r"suggest|ask|answer|admit|be honest|start|begin|talk|agree)\b",
        # "We should not be paying it" says that we pay it.
        r"\b(?:should not|shouldn't) (?:be (?:[a-z]{3,}ing|the)|have(?! (?:an?|the|any|no|"
        r"so|such|our|my|this|that|these|those)\b))\b",
        r"\b(?:let's|let us) (?:not forget|remember|be (?:honest|clear|real)|face it)\b",
        # "If we are going to talk" plans nothing.
        r"\bif (?:we|you|i)(?:'re| are) going to\b",
        # A promise that was kept is a fact.
        r"\b(?:keeps?|kept|keeping|honou?r(?:s|ed)?|fulfill?(?:s|ed)?) (?:my|his|her|our|"
        r"their|the|a) (?:promise|pledge|vow)s? to\b",
        # "They wouldn't let him vote" tells of a refusal.
        r"\b(?:wouldn't|would not) (?:let|allow|give|sign|release|accept|admit)\b",
        # "You won't find one" says that there is none.
        r"\byou (?:won't|will not|will never|'ll never) (?:find|see|get|hear)\b",
        r"\b(?:let me|would you|will you|you would|who would|you should know|you will (?:find|"
        r"see|hear|notice)|you'll (?:find|see|hear|notice)|would have you believe|"
        r"you must know|free will|good will|at will|the will of|never would have|"
        r"will tell you)\b",
    ),
    re.I,
)
# "The bill would ban ferries" says of the bill what "the bill bans ferries" says.
_PROPOSAL_BEFORE_PATTERN = re.compile(
    r"\b(?P<proposal>bill|plan|proposal|law|amendment|legislation|measure|budget|"
    r"act) (?=(?:would|will)\b)"
)
_PROPOSAL_PATTERN = re.compile(
    r"\b(?:bill|plan|proposal|amendment|legislation|measure|budget|act|law)s?\b"
)
_FUTURE_PATTERN = re.compile(
    r"will|would|[a-z]+'ll|(?:am|is|are|'re|'m|'s) (?:\w+ )?going to|gonna"
)
_NEXT_VERB_PATTERN = re.compile(
    r"(?: (?:also|soon|now|only|just|still|even|then))? (?P<verb>[a-z]+)\b"
)
_FORMS_OF_BE = frozenset(["be"])
_PRESENT_OF_BE_PATTERN = re.compile(r"\b(?:is|are|am)\b|(?:'s|'re|'m)\b")
_VERBS_WITH_ONE_FORM = frozenset(
    "cut put hit let set shut cost hurt quit spread read beat bet".split()
)
_CONJUNCTION_PATTERN = re.compile(r"\b(?:or|and|but) ")
_CLAUSE_BOUNDARY_PATTERN = re.compile(r"[,;:.!?—]|--|\b(?:that|when|which|because|who)\b")


def prospect(pair: TextPair) -> Clash | None:
    """Return the words by which just one of two texts speaks of a plan or prospect, or None."""
    if not pair.is_repetition:
        return None
    first_run = pair.shared_runs[0]
    last_run = pair.shared_runs[-1]
    repeated_in_sentence = range(first_run.sentence_start, last_run.sentence_end)
    repeated_in_statement = range(first_run.statement_start, last_run.statement_end)
    said = _prospect_match(pair.sentence, repeated_in_sentence)
    checked = _prospect_match(pair.statement, repeated_in_statement)
    if bool(said) == bool(checked):
        return None
    other_text = pair.statement.lower_text if said else pair.sentence.lower_text
    text_of_prospect = pair.sentence.lower_text if said else pair.statement.lower_text
    if _speak_of_effect(text_of_prospect, other_text):
        return None
    prospect_text = pair.sentence if said else pair.statement
    is_of_known_time = _share_date(pair) or _both_name_proposal(pair)
    if is_of_known_time and _is_said_in_present(prospect_text, said or checked, other_text):
        return None
    # A publisher quotes in the middle of a prospect: 'is "about to have'
    prospect_words = (said or checked or [""])[0]
    if prospect_words in other_text.replace('"', ""):
        return None
    said_words = _quoted_prospect(pair.sentence, said, repeated_in_sentence) if said else ""
    checked_words = (
        _quoted_prospect(pair.statement, checked, repeated_in_statement) if checked else ""
    )
    return Clash(said_words, checked_words) if said_words or checked_words else None


def _speak_of_effect(lower_text: str, other_lower_text: str) -> bool:
    """Return whether a text says what a bill "would do", and the other what the bill "does"."""
    match = _PROPOSAL_BEFORE_PATTERN.search(lower_text)
    if match is None:
        return False
    effect_pattern = rf"\b{match['proposal']} [a-z]+s\b"
    return re.search(effect_pattern, other_lower_text) is not None


def _share_date(pair: TextPair) -> bool:
    """Return whether both texts have a date, the same one."""
    days = (pair.event_day, pair.claim_day)
    return (
        compare(pair.sentence.particulars.dates, pair.statement.particulars.dates, *days).shared > 0
    )


def _both_name_proposal(pair: TextPair) -> bool:
    """Return whether both texts speak of a bill or plan, of which they tell the effect."""
    texts = (pair.sentence.lower_text, pair.statement.lower_text)
    return all(_PROPOSAL_PATTERN.search(text) for text in texts)


def _is_said_in_present(
    text: AnalysedText, prospect_match: re.Match[str] | None, other_lower_text: str
) -> bool:
    """Return whether a text says "will run out" and the other "runs out".

    The present may speak of the future, as in "runs out in 2034", and of what a plan would do.
    """
    if prospect_match is None or _FUTURE_PATTERN.fullmatch(prospect_match[0]) is None:
        return False
    next_verb = _NEXT_VERB_PATTERN.match(text.lower_text, prospect_match.end())
    if next_verb is None:
        return False
    verb = next_verb["verb"]
    if verb in _FORMS_OF_BE:
        return _PRESENT_OF_BE_PATTERN.search(other_lower_text) is not None
    # "Cut" may be past.
    base = "" if verb in _VERBS_WITH_ONE_FORM else rf"{verb}|"
    present_pattern = rf"(?<!did )(?<!n't )(?<!not )(?<!to )\b(?:{base}{verb}s|{verb}es)\b"
    return re.search(present_pattern, other_lower_text) is not None


def speaks_of_prospect(text: str) -> bool:
    """Return whether a text has a word of a plan, wish, duty or prediction."""
    return _PROSPECT_PATTERN.search(blank_set_phrases(text.casefold())) is not None


def _prospect_match(text: AnalysedText, word_range: range) -> re.Match[str] | None:
    """Return the first prospect among some content words, or None.

    The few words before them in the same clause are read, too.
    """
    # A prospect is a word such as "will" or "could" among the repeated words or just before them.
    search_start = _start_of_words_before(text, text.word_starts[word_range.start])
    search_end = text.word_ends[word_range.stop - 1]
    return _PROSPECT_PATTERN.search(blank_set_phrases(text.lower_text), search_start, search_end)


def _quoted_prospect(text: AnalysedText, prospect_match: re.Match[str], word_range: range) -> str:
    """Return a prospect with the word after it, "" if the repeated words are another clause."""
    repeated_end = text.word_ends[word_range.stop - 1]
    if _is_of_other_clause(text.text, prospect_match.end(), repeated_end):
        return ""
    # "will | open": the next word is quoted, too.
    next_word = re.match(r"\W*\w+", text.text[prospect_match.end() :])
    quote_end = prospect_match.end()
    if next_word:
        quote_end += next_word.end()
    # "It | 's going to open": the pronoun is quoted, too.
    quote_start = prospect_match.start()
    if text.text[quote_start] in "'’":
        quote_start = text.text.rfind(" ", 0, quote_start) + 1
    return text.text[quote_start:quote_end]


def _is_of_other_clause(text: str, prospect_end: int, repeated_end: int) -> bool:
    """Return whether a clause of its own begins between a prospect and the end of a repetition."""
    # "They say tolls | should rise | or pilots are thieves": the repeated clause has no prospect.
    conjunction = _CONJUNCTION_PATTERN.search(text, prospect_end, repeated_end)
    return conjunction is not None and has_finite_verb(text[conjunction.end() : repeated_end])


def blank_set_phrases(text: str) -> str:
    """Return a text with spaces for phrases such as "let me", so that all positions stay."""
    return _SET_PHRASE_PATTERN.sub(lambda phrase: " " * len(phrase[0]), text)


def _start_of_words_before(text: AnalysedText, position: int) -> int:
    """Return the start of the few words before a position that are in the same clause."""
    clause_before = _CLAUSE_BOUNDARY_PATTERN.split(text.lower_text[:position])[-1]
    # The clause ends in a space, so that its last piece is empty.
    pieces = clause_before.split(" ")
    words_before = pieces[-(PROSPECT_WORDS_BEFORE + 1) :]
    return position - len(" ".join(words_before))
