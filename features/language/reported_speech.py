"""Reported speech: a sentence that repeats the words of another person without making the claim.

"He keeps saying that crime doubled" quotes a claim. So do "According to my opponent", "I read that"
and "so they say". "I say" and "we know" do not.
"""

from __future__ import annotations

import re

from features.language.denials import NOBODY_DENIES
from features.language.text_pairs import AnalysedText, TextPair
from features.language.word_clashes import Clash

MAX_SUBJECT_WORDS = 7
MIN_REPORTED_SHARE = 0.75  # the share of the shared words that follow the reporting ones

_SAY = (
    r"(?:say|says|said|saying|claim|claims|claimed|claiming|allege[sd]?|alleging|think|thinks|"
    r"thought|believe|believes|believed|argue[sd]?|arguing|insist|insists|insisted|insisting|"
    r"maintain|maintains|maintained|suggest|suggests|suggested|suggesting|tell|tells|told|telling|"
    r"write|writes|wrote|written|writing|post|posts|posted|tweet|tweets|tweeted|tweeting|"
    r"boast|boasts|boasted|brags?|bragged|bragging|pretends?|pretended|pretending|warns?|warned|"
    r"warning|predicts?|predicted|complains?|complained|complaining|asserts?|asserted|asserting|"
    r"declare[sd]?|repeats?|repeated|repeating|hear|heard|read|swears?|swore|fears?|feared|"
    r"reported|mentions?|mentioned|announce[sd]?|estimate[sd]?|accuse[sd]?|"
    r"convinced|persuaded|denies|denied|deny|quoted?|shout(?:s|ed|ing)?|preach(?:es|ed|ing)?|"
    r"has it|(?<=story )goes|(?<=theory )goes|(?<=line )goes|(?<=saying )goes|(?<=rumor )goes|"
    r"(?<=claim )goes|(?<=tale )goes|(?<=legend )goes|going around|would have you)"
)
_NO_SUBJECT = (
    r"i|we|i'm|i'll|i've|we've|we're|let|what|if|did|do|does|is|was|when|because|since|who|while|"
    r"as|to|how|why"
)
_OBJECT = (
    r"(?: (?:you|us|me|him|her|them|people|voters|everyone|everybody|anybody|anyone|"
    r"the (?:voters|people|public|press|crowd|country|nation|audience|court|committee)|"
    r"it|this|time and again|over and over|again|today|tonight|once|here|in \w+|on \w+ \w+|"
    r"say|saying|claim|claiming|argue|that|believe|think))*"
)
_REPORTING_CLAUSE_PATTERN = re.compile(
    rf"^(?!all told\b)(?:and |but |so |now |well |oh |look |yes |no |okay |again )*"
    # "No one can deny that crime doubled" makes the claim.
    rf"(?!{NOBODY_DENIES})(?P<subject>(?!(?:{_NO_SUBJECT})\b)[\w'.-]+"
    rf"(?: (?!(?:i|we|i'm|i'll|i've)\b)[\w'.-]+){{0,{MAX_SUBJECT_WORDS}}}?) "
    rf"(?P<verb>{_SAY})\b{_OBJECT}[,:]? ?[\"“‘']?"
)
_HEARSAY_PATTERN = re.compile(
    r"^(?:and |but |so |now |well )*(?:"
    r"according to [^,]{1,60},|"
    r"(?:i|we)(?: have|'ve)?(?: just| also| often| recently)? (?:heard|hear|read|was told|am told|"
    r"were told|are told|saw (?:a|an|the|somebody|someone|people|him|her|them)\b[^,]{0,40}|"
    r"keep hearing|keep reading)\b(?: \w+){0,5}?(?: that)?|"
    r"i'm told(?: that)?|"
    r"(?:it|there)(?: is|'s| was| has been| are| were)(?: often| being| widely| also)? "
    r"(?:said|claimed|alleged|rumou?red|reported|believed|suggested|a (?:claim|rumou?r|myth|story|"
    r"theory|post|video|meme|ad)|(?:claims|rumou?rs|stories|posts|people)(?: who \w+)?)\b"
    r"[^,]{0,30}? that|"
    r"rumou?r has it(?: that)?|word is(?: that)?|"
    r"(?:allegedly|supposedly|reportedly|apparently),?|"
    r"there(?: is|'s| are) (?:this|some|a|an|the) (?:[a-z]+ )?(?:idea|notion|story|belief|talk|"
    r"theory|narrative|tale|feeling)s?\b[^,]{0,30}? that|"
    r"(?:the|this|that|his|her|their|my opponent's|[\w.]+'s)(?: \w+)? (?:claim|story|idea|notion|"
    r"rumou?r|allegation|suggestion|charge|myth|lie|theory|line|argument|conspiracy)"
    r"(?: is| was| goes)?,? that"
    r")"
)
_ADVERB_OF_HEARSAY_PATTERN = re.compile(r"\b(?:supposedly|allegedly|purportedly)\b")
_PARENTHESIS_PATTERN = re.compile(
    rf",\s*(?:or )?(?:so )?(?:he|she|they|you|some people|people|critics|my opponents?|the \w+)"
    rf" {_SAY}(?: \w+){{0,2}},"
)
_PUBLISHER_OPENING_PATTERN = re.compile(r"^[\"“‘' ]*says?\b")
_REPORTING_WORD_PATTERN = re.compile(rf"\b{_SAY}\b|according to|heard")
# "The mayor wrote the harbor law" reports nothing, "wrote that law is dead" does.
_WRITTEN_WORK_PATTERN = re.compile(
    r"\bwr(?:ite|ites|ote|itten|iting) (?:the|a|an|this|his|her|their|its) (?:[a-z-]+ ){0,2}?"
    r"(?:acts?|amendments?|bills?|books?|budgets?|checks?|laws?|legislation|letters?|plans?|"
    r"policy|rules?)\b(?! (?:is|are|was|were|has|have|had|will|would)\b)"
)
_FACT_PATTERN = re.compile(r"\W{0,2}(?:about |on )?the fact that\b")
_TRAILING_REPORT_PATTERN = re.compile(
    r",\s*(?:or )?(?:so )?(?:"
    r"(?:says|said|claims|claimed|according to|writes|wrote|insists|argues|alleges) [^,]{1,60}|"
    r"(?:he|she|they|you|some people|people|my opponent|the \w+|[a-z]+) (?:say|says|said|claims?|"
    r"claimed|insists?|thinks?|believes?|tells? \w+|told \w+|keeps? saying|would have you believe|"
    r"report(?:s|ed)?|contend(?:s|ed)?|argue[sd]?|allege[sd]?|wrote|writes?|maintain(?:s|ed)?)|"
    r"if you (?:believe|listen to|trust|ask) (?!me\b|us\b)[^,]{1,60}|"
    r"if [^,]{1,60} (?:is|are) to be believed|"
    r"(?:at least )?(?:that's|that is) (?:what|how) (?!i\b|we\b)[^,]{1,40}"
    r" (?:says?|said|claims?|claimed|tells? \w+|told \w+|puts? it|think|thinks|believes?)"
    r")[.!\"”]*$"
)


def reported_speech(pair: TextPair) -> Clash | None:
    """Return the words by which only the sentence reports the shared words, or None."""
    reporting_span = reporting_words(pair.sentence)
    if reporting_span is None or not pair.is_about_same_thing:
        return None
    # A statement may report, too; the "Says" with which publishers begin does not count.
    statement_text = _PUBLISHER_OPENING_PATTERN.sub("", pair.statement.lower_text)
    if _REPORTING_WORD_PATTERN.search(statement_text):
        return None
    # "He says taxes fell": most words that both texts have are outside of "he says".
    reporting_start, reporting_end = reporting_span
    # "None of them mentioned the fact that taxes rose"
    if _FACT_PATTERN.match(pair.sentence.lower_text, reporting_end):
        return None
    if _WRITTEN_WORK_PATTERN.search(pair.sentence.lower_text, reporting_start):
        return None
    shared_word_starts = _starts_of_shared_words(pair)
    reported_word_starts = [
        start for start in shared_word_starts if not reporting_start <= start < reporting_end
    ]
    if len(reported_word_starts) < MIN_REPORTED_SHARE * len(shared_word_starts):
        return None
    return Clash(in_sentence=pair.sentence.text[reporting_start:reporting_end].strip(' ,.:"“'))


def _starts_of_shared_words(pair: TextPair) -> list[int]:
    """Return where the words of the sentence begin that the statement has in the same order."""
    starts: list[int] = []
    for run in pair.shared_runs:
        starts += pair.sentence.word_starts[run.sentence_start : run.sentence_end]
    return starts


def reporting_words(text: AnalysedText) -> tuple[int, int] | None:
    """Return the span of the words that report something said by others, or None."""
    # At the beginning, with something reported behind them
    for pattern in (_HEARSAY_PATTERN, _REPORTING_CLAUSE_PATTERN):
        report_at_beginning = pattern.match(text.lower_text)
        if report_at_beginning and text.lower_text[report_at_beginning.end() :].strip():
            return report_at_beginning.span()
    doubted_by_adverb = _ADVERB_OF_HEARSAY_PATTERN.search(text.lower_text)
    if doubted_by_adverb:
        return doubted_by_adverb.span()
    # In the middle, between two commas, or at the end
    parenthesis = _PARENTHESIS_PATTERN.search(text.lower_text)
    if parenthesis:
        return parenthesis.span()
    report_at_end = _TRAILING_REPORT_PATTERN.search(text.lower_text)
    return report_at_end.span() if report_at_end else None
