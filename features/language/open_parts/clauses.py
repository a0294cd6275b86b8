"""Clauses that only one of two texts has: a second statement, a cause, a remark beside a fact.

"The bridge is closed, and the mayor sold the ferry" beside "The bridge is closed" has one. A clause
counts only if hardly any of its words is in the other text in any form, and if it states a fact: a
condition, a wish, a duty, a question and an opinion state none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from features.language.figures.numbers import Figure
from features.language.open_parts.figures import ComparedFigures
from features.language.sentence_parts import has_finite_verb, split
from features.language.vocabulary import Vocabulary, content_words

MIN_NEW_WORDS = 3  # new words of a clause, figures included
MIN_NEW_WORDS_ALONE = 2  # new words of a clause that shares no word with the other text
MIN_SHARED_WITHOUT_VERB = 3  # shared words of a part without a verb that the other text covers
MAX_CLAUSE_CHARACTERS = 130  # a longer clause would be cut in the middle
MAX_SHARED_FRACTION = 0.34  # share of the words of a clause

_JOINED_PREDICATE = (
    r"(?:and|but) (?:also |then |even |has |have )?(?!based|related|needed|united|unlimited|armed|"
    r"allied|hundred)[a-z]{3,}ed "
    r"(?:(?:the|an?|our|their|his|her|its|all|every|more|no|new|\$?\d[\d,.]*) |[a-z]+ [a-z]+s\b)"
)
_CLAUSE_MARK_PATTERN = re.compile(
    r",(?!\d)|:(?!\d)|[;—–]|--|\s-\s|\.{3}|…|(?<![A-Z])[.!?](?=\s)|"
    r"(?=\b(?:because|due to|owing to|thanks to|as a result of|while|although|though|whereas|"
    r"unless|if|so that)\b)|"
    r"(?=\b(?:and|or|but) \w{3,}ing\b)|"
    # "The council sold the pier | and imposed harsh duties"
    rf"(?<!,)(?<! of)(?<!\ba)(?= {_JOINED_PREDICATE})",
    re.I,
)
_JOINED_PREDICATE_PATTERN = re.compile(rf"\s*{_JOINED_PREDICATE}", re.I)
_SECOND_NAME_PATTERN = re.compile(r"\b[A-Z][\w'’-]{1,40} ?\| ?and [A-Z]")
_LEADING_WORDS_PATTERN = re.compile(
    r"^(?:[\s,;:.…—–-]+|(?:and|but|so(?! that)|or|yet|plus|that|which|who(?:['’]s)?|says(?: that)?|"
    r"whereas|while|where|then|"
    r"well|look|now|okay|also|in fact|of course|by the way|you know|i mean|frankly|"
    r"honestly)\b(?!['’]),?\s*)+",
    re.I,
)
_OPENS_NO_STATEMENT_PATTERN = re.compile(
    r"^(?:if|unless|when|whenever|whether|as|with|without|in|on|at|for|from|by|about|under|over|"
    r"of|to|like|than|since|until|after|before|during|despite|except|regarding|instead|"
    r"according to|just (?:like|as)|"
    r"not (?:by|only (?!did|do|does|have|has|had|are|were|is|was|will)|in|on|at|for|from|with|to|"
    r"of|because|just)|let|lets|"
    r"maybe|perhaps|look|listen|go|ask|take|remember|imagine|consider|thank|thanks|please|how|what|"
    r"why|"
    r"(?:it|that)(?:['’]s| is| was) (?:also )?(?:nice|good|great|fine|important|interesting|worth|"
    r"easy|"
    r"time) (?:to|for|noting|remembering|emphasizing|saying)|"
    r"it(?:['’]s| is) (?:almost |very |so )?(?:impossible|hard|difficult) to (?:conceive|believe|"
    r"imagine|"
    r"understand)|"
    r"(?:is|was),? I (?:think|guess|believe)|"
    r"here(?:['’]s| is) (?:the|an?|another|my|what)|"
    r"(?:this|that|it)(?:['’]s| is| was| has been)(?: all| been)? (?:verified|confirmed|documented|"
    r"proven|well[- ]known)|"
    r"just (?:to )?(?:say|repeat|reiterate|remember|remind)|one of the (?:things|reasons|points|"
    r"questions)|"
    r"(?:i|we)(?: (?:also|just|really|do|don['’]t|do not|still|can|cannot|can['’]t))*"
    r"(?:['’]ve|['’]d| have| had)?(?: (?:also|always|just|repeatedly|already))?"
    r"(?:['’]m| am| think| believe| hope| feel| guess| know| mean| want| love| like| agree| say|"
    r" told|"
    r" said| tell| wish| would| will| ask| urge| find| found| mind| care| doubt| appreciate|"
    r" suppose| worry)|"
    r"you(?:['’]ve| have)?(?: (?:all|just|also|probably))? (?:know|heard|seen|remember|realize|"
    r"understand)|"
    # Remarks on what others speak about: "The media doesn't talk about it"
    r"(?:i|we)(?:['’]m|['’]re| am| are) (?:sitting|standing) (?:up |right )?here|"
    r"(?:the media|the press|nobody|no one|people|they|politicians|you)"
    r"(?: (?:never|don['’]t|doesn['’]t|do not|does not|won['’]t|didn['’]t|hardly))?(?: (?:want|"
    r"like) to)? "
    r"(?:talk|talks|talked|discuss|mention|report)(?: (?:about|on))?(?: (?:it|that|this|"
    r"them))?$)\b",
    re.I,
)
_PREPOSITION_OPENING_PATTERN = re.compile(
    r"(?:if|unless|when|whenever|whether|as|with|without|in|on|at|for|from|by|about|under|over|of|"
    r"to|like|than|since|until|after|before|during|despite|except|instead|according to|not)\b",
    re.I,
)
# "She is absolutely right" and "it's no laughing matter" judge a statement and make none.
_JUDGEMENT_PATTERN = re.compile(
    r"(?:\b(?:is|are|was|were|be)|['’](?:s|re))(?: (?:not|so|just|absolutely|exactly|totally|"
    r"completely|quite|simply|dead))* (?:right|wrong|correct|true|false|a lie|ridiculous)$|"
    r"\b(?:talked|spoken|discussed|mentioned|reported)(?: about| on| of)?$|"
    r"^(?:it|this|that)(?:['’]s| is| was|['’]s been| has been)(?: not|n['’]t)?(?: just| such|"
    r" really)? (?:an?|the|no|our)"
    r"(?: [a-z]+)? (?:matter|joke|shame|disgrace|disaster|mess|story|question|problem|issue|fact|"
    r"truth|"
    r"reality|point|tragedy|crisis|mistake|thing|idea|deal)$",
    re.I,
)
# "That makes sense", at the beginning of a sentence, is on what was said before.
_PRONOUN_OPENING_PATTERN = re.compile(r"^(?:(?:but|and|so|well),? )?that [a-z]{3,}s\b", re.I)
_TOWN_OPENING_PATTERN = re.compile(r"\b(?:[Ii]n|from|near|of|at|to) (?:[A-Z][a-z]+ ?){1,3},$")
_STATE_PATTERN = re.compile(r" ?[A-Z][a-z]+(?: [A-Z][a-z]+)?\b")
_REPORT_PATTERN = re.compile(
    r"\b(?:tell|tells|told|telling|say|says|said|saying|wrote|heard)(?: (?:me|us|you|so|that))?$",
    re.I,
)
# "One of the criticisms is that" and "an area I disagree on" go on elsewhere.
_UNFINISHED_PATTERN = re.compile(
    r"\b(?:that|on|of|with|for|to|by|or|and|the|an?|(?:is|are|was|were)(?: now)?)$|\b(?:the|"
    r"an?) [a-z]+ed$",
    re.I,
)
_NOT_ONLY_PATTERN = re.compile(
    r"^(?:it|this|that|he|she|they|we)(?:['’](?:s|re)| is| are| was| were)(?: not|n['’]t) "
    r"(?:just|only|merely|simply)\b",
    re.I,
)
_PROSPECT_PATTERN = re.compile(
    r"\b(?:should|would|could|must|ought|let['’]s|let us|needs?|have to|has to|going to|gonna|"
    r"will|won['’]t|wants? to|may|might|shall)\b|['’](?:ll\b|d\b(?! been\b))",
    re.I,
)

_DEPENDENT_PROSPECT_PATTERN = re.compile(
    r"\b(?:what|whatever|which|where|how|that|who)(?: (?:we|I|you|they|he|she|it))? (?:should|"
    r"would|could|must|will|might)\b",
    re.I,
)
_RELATIVE_OPENING_PATTERN = re.compile(r"^\W*(?P<pronoun>which|who)\b(?!['’])", re.I)
_JOINED_OPENING_PATTERN = re.compile(r"^\W*(?:and|or|but|that|which|who)\b", re.I)
_AUXILIARY_OPENING_PATTERN = re.compile(
    r"^(?:have|has|had|is|are|was|were|been|being|do|does|did|will|can)\b(?!['’])", re.I
)
# "The council sold the pier, putting a hundred pilots out of work" tells a consequence.
_CONSEQUENCE_PATTERN = re.compile(
    r"^(?!including|according|meaning|speaking|talking|thinking|looking|considering|being|having|"
    r"saying|knowing|depending|concerning|regarding|following|during|nothing|something|anything|"
    r"everything|bring|trying|going|standing|sitting)[a-z]{3,}ing\b",
    re.I,
)
_INFINITIVE_OPENING_PATTERN = re.compile(r"^(?P<opening>(?:not )?to) (?!the\b|be\b)[a-z]{3,}", re.I)
_CAUSE_PATTERN = re.compile(
    r"^(?:because|so that|due to|owing to|thanks to|as a result of)\b", re.I
)
_BECAUSE_PATTERN = re.compile(r"because (?!of\b)", re.I)
_NAMED_CAUSE_PATTERN = re.compile(
    r"(?:because of|due to|owing to|thanks to|as a result of) (?:the )?[A-Z]"
)
_CAUSE_PHRASE_PATTERN = re.compile(
    r"^(?:because of|due to|owing to|thanks to|as a result of)\b", re.I
)


def speaks_of_plan(text: str) -> bool:
    """Return whether a text has a word of a plan, wish or duty."""
    return _PROSPECT_PATTERN.search(text) is not None


def opens_no_statement(clause: str) -> bool:
    """Return whether a clause opens like a wish, remark or judgement: "I hope", "it is wrong"."""
    opening_match = _OPENS_NO_STATEMENT_PATTERN.search(clause)
    opens_with_remark = opening_match is not None and not _opens_with_preposition(clause)
    return opens_with_remark or _JUDGEMENT_PATTERN.search(clause) is not None


def _opens_with_preposition(clause: str) -> bool:
    """Return whether a clause opens with a word of time, place or condition: "when", "in"."""
    return _PREPOSITION_OPENING_PATTERN.match(clause) is not None


def uncovered_clauses(
    text: str, figures: ComparedFigures, other_vocabulary: Vocabulary, *, with_plans: bool = False
) -> list[str]:
    """Return the clauses of a text that another text lacks, if wanted with plans and duties."""
    spans = _clause_spans(text)
    if not spans:
        return []
    shared_counts = [_count_shared(text[start:end], other_vocabulary) for start, end in spans]
    covered_count = max(shared_counts)
    covered_start, covered_end = spans[shared_counts.index(covered_count)]
    # "The fuel went into that mountain, Yucca Mountain" has no verb, and so no clause of its own.
    # The subject of "who owns ferries, closed it" stands earlier.
    # A figure that both have shows as well what the other text is about.
    has_verb = has_finite_verb(f"it {text[covered_start:covered_end]}")
    has_figure = _count_within(figures.paired, covered_start, covered_end)
    if not has_verb and not has_figure and covered_count < MIN_SHARED_WITHOUT_VERB:
        return []
    # The clause that shares most words is the one that the other text is about.
    quotations = [
        _uncovered_clause(text, span, figures, shared_count, with_plans=with_plans)
        for span, shared_count in zip(spans, shared_counts, strict=True)
        if shared_count != covered_count
    ]
    return [quotation for quotation in quotations if quotation]


def _uncovered_clause(
    text: str,
    span: tuple[int, int],
    figures: ComparedFigures,
    shared_count: int,
    *,
    with_plans: bool,
) -> str:
    """Return a clause as it is quoted, "" if it states nothing or nothing new."""
    start, end = span
    clause = _without_leading_words(text[start:end])
    is_cause_phrase = start > 0 and _CAUSE_PHRASE_PATTERN.search(clause) is not None
    is_opened = is_cause_phrase or _continues_infinitive(text, start, clause)
    # "Because they want to close it" is a cause, whatever they do.
    may_be_plan = with_plans or _CAUSE_PATTERN.search(clause) is not None
    is_statement = is_opened or _may_state(clause, with_plans=may_be_plan)
    if text[end : end + 1] == "?" or not is_statement:
        return ""
    if _is_pronoun_clause(text, start, end) or _is_state_of_town(text, start):
        return ""
    figure_count = _count_within(figures.new, start, end)
    is_consequence = text[start - 1 : start] == "," and _CONSEQUENCE_PATTERN.search(clause)
    is_adverbial = bool(is_opened or is_consequence)
    has_verb = has_finite_verb(text[start:end]) and not _is_second_name(text, start)
    has_verb = has_verb or _JOINED_PREDICATE_PATTERN.match(text, start, end) is not None
    is_fragment = not figure_count and not has_verb and not is_adverbial
    if is_fragment or _count_within(figures.paired, start, end):
        return ""
    is_new = _is_new(clause, figure_count, shared_count)
    return _quotation(text[start:end], clause) if is_new else ""


def _is_pronoun_clause(text: str, start: int, end: int) -> bool:
    """Return whether a clause is the "that makes sense" of a new sentence."""
    if not _PRONOUN_OPENING_PATTERN.match(text[start:end].strip()):
        return False
    return not text[:start].strip() or text[:start].rstrip()[-1] in ".!?;"


def _is_state_of_town(text: str, start: int) -> bool:
    """Return whether a clause begins with the state of "in Victoria, Texas"."""
    text_before = text[:start].rstrip()
    if not text_before.endswith(",") or not _STATE_PATTERN.match(text, start):
        return False
    return _TOWN_OPENING_PATTERN.search(text_before) is not None


def _continues_infinitive(text: str, start: int, clause: str) -> bool:
    """Return whether a clause goes on with "not to ..." or "to ...", as the text before it does."""
    infinitive = _INFINITIVE_OPENING_PATTERN.search(clause)
    if infinitive is None or text[start - 1 : start] != ",":
        return False
    return re.search(rf"\b{infinitive['opening']} [a-z]+ ", text[:start], re.I) is not None


def _quotation(clause_with_opening: str, clause: str) -> str:
    """Return a clause as it reads well on its own, with "who" or "which", "" if it does not."""
    relative_match = _RELATIVE_OPENING_PATTERN.search(clause_with_opening)
    quotation = f"{relative_match['pronoun']} {clause}" if relative_match else clause
    # "have been sold" has lost its subject, which stood before a comma.
    verb_at_beginning = _AUXILIARY_OPENING_PATTERN.search(clause)
    joining_word = _JOINED_OPENING_PATTERN.search(clause_with_opening)
    lacks_subject = verb_at_beginning and not joining_word
    is_too_long = len(quotation) > MAX_CLAUSE_CHARACTERS
    return "" if lacks_subject or is_too_long else quotation


def _is_second_name(text: str, start: int) -> bool:
    """Return whether a clause only begins in the middle of two names: "Ann Lee | and Tom Reyes"."""
    return bool(_SECOND_NAME_PATTERN.search(text[:start] + "|" + text[start:]))


def _count_within(figures: Sequence[Figure], start: int, end: int) -> int:
    """Count the figures that begin between two positions."""
    return sum(start <= figure.start < end for figure in figures)


@lru_cache(maxsize=1 << 10)
def _clause_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the start and the end of each clause, without the mark at its end."""
    # A clause begins with the text, with a part, or behind a mark. It ends before the next mark,
    # where the next one begins, or before the marks at the end of the text.
    clause_starts = {0, *(part.start for part in split(text))}
    clause_ends = {len(text.rstrip(" .!?\"'”’")), *clause_starts}
    for mark in _CLAUSE_MARK_PATTERN.finditer(text):
        clause_starts.add(mark.end())
        clause_ends.add(mark.start())
    spans = []
    for start in sorted(clause_starts):
        later_ends = [end for end in clause_ends if end > start]
        if later_ends:
            spans.append((start, min(later_ends)))
    return tuple(spans)


def _without_leading_words(clause: str) -> str:
    """Return a clause without the words that join it to the clause before it."""
    return _LEADING_WORDS_PATTERN.sub("", clause).strip(" ,;:—–-.'")


def _may_state(clause: str, *, with_plans: bool) -> bool:
    """Return whether a clause may state something that can be checked."""
    if _OPENS_NO_STATEMENT_PATTERN.search(clause):
        return False
    if _JUDGEMENT_PATTERN.search(clause) or _REPORT_PATTERN.search(clause):
        return False
    # "None of them mentioned the fact that" leads up to the fact.
    if "the fact that" in clause:
        return False
    # "It is not just a bad law" leads up to a statement.
    if _UNFINISHED_PATTERN.search(clause) or _NOT_ONLY_PATTERN.search(clause):
        return False
    # "What we would do" in a clause makes it no plan.
    main_clause = _DEPENDENT_PROSPECT_PATTERN.sub("", clause)
    return with_plans or _PROSPECT_PATTERN.search(main_clause) is None


def _count_shared(clause: str, other_vocabulary: Vocabulary) -> int:
    """Count the words of a clause that the other text has in any form."""
    return sum(other_vocabulary.has(match[0]) for match in content_words(clause))


def _is_new(clause: str, figure_count: int, shared_count: int) -> bool:
    """Return whether hardly any word of a clause is in the other text."""
    word_count = len(content_words(clause))
    new_count = word_count - shared_count + figure_count
    needed_count = MIN_NEW_WORDS if shared_count else MIN_NEW_WORDS_ALONE
    cause_match = _CAUSE_PATTERN.search(clause) is not None
    # "Because of Norway" names a cause in a single word.
    if _NAMED_CAUSE_PATTERN.match(clause):
        needed_count = 1
    # "Because our towns are divided" may share its verb with the divided schools.
    if _BECAUSE_PATTERN.match(clause) and 0 < shared_count <= new_count:
        return True
    if new_count < needed_count or (word_count < 2 and not cause_match):
        return False
    return shared_count <= MAX_SHARED_FRACTION * word_count
