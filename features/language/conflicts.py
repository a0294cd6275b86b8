"""Conflicts between two texts: reasons, found in their words, why their claims differ.

Two sentences make the same claim if the same facts would settle them. Each rule finds one way in
which that fails: the figures, years or names clash, or a name is a namesake's; one says up and the
other says down; one denies, or only supposes, the other; one speaks of all and the other of some;
or one repeats the other almost word for word and yet has another word in the middle, or adds a
clause about a name. The rules are for English. A text that they cannot read has no conflicts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise, product

from features.language import agreement
from features.language.agreement import Particulars
from features.language.figures.date_comparison import compare, relation
from features.language.figures.numbers import COUNT, OVER, TIME, TIMES, UNDER, Figure, comparable
from features.language.figures.spelling import one_for_one
from features.language.function_words import FILLER
from features.language.namesakes import mention_namesakes
from features.language.stems import PLACES, stem

MIN_REPETITION_FRACTION = 0.6  # a sentence that shares more of the statement repeats it
MIN_VERBATIM_FRACTION = 0.8  # above it, another word in a word's position is no rewording
MIN_REPEATED_WORDS = 4  # shared words that make a repetition
MIN_RELATED_FRACTION = 0.2  # below it, an opposite or a rejection is of something else
MIN_CLOSE_FRACTION = 0.4  # below it, a name or a denial may concern another thing

_DIRECTIONS = (
    (r"rose|risen|ris(?:es|ing)|grow(?:s|n|ing)?|grew|increas\w*|up|higher|highest|gain\w*|more|"
     r"most|doubl\w+|surg\w+",
     r"fell|fall(?:s|en|ing)?|shr[aiu]nk\w*|decreas\w*|declin\w*|reduc\w*|down|lower|lowest|lost|"
     r"los(?:es|ing|e)|"
     r"less|least|few|fewer|fewest|halved|drop\w*|cut\w*|slash\w*"),
    (r"support\w*|favou?r\w*|for|back(?:s|ed|ing)", r"oppos\w*|against"),
    (r"best|better|strong(?:er|est)?|good|great(?:er|est)?", r"worst|worse|weak(?:er|est|en\w*)?|"
                                                             r"bad|terrible"),
    (r"rais(?:e[sd]?|ing)|hik(?:e[sd]?|ing)", r"lower(?:s|ed|ing)?|cut(?:s|ting)?"),
    (r"larg(?:er|est)|bigg(?:er|est)|rich(?:er|est)?", r"small(?:er|est)|poor(?:er|est)?"),
    (r"creat(?:e[sd]?|ing)|sav(?:e[sd]?|ing)|keep(?:s|ing)?|kept", r"destroy\w*|kill\w*|wip\w+ "
                                                                   r"out|los(?:es?|t|ing)"),
    (r"allow\w*|permit\w*|legal(?:i[sz]e\w*)?|open\w*",
     r"forb\w+|ban(?:s|ned|ning)?|illegal|prohibit\w*|clos(?:ed?|es|ing)"),
    (r"won|win(?:s|ning)?", r"lost|los(?:es?|ing)"), (r"major\w*|many", r"minor\w*|few"),
    (r"eas(?:y|ier)", r"hard(?:er)?|difficult"), (r"deficit\w*", r"surplus\w*"),
)  # fmt: skip
_OPPOSITES = tuple(
    (re.compile(rf"\b(?:{upward})\b"), re.compile(rf"\b(?:{downward})\b"))
    for upward, downward in _DIRECTIONS
)
_DENIED = re.compile(
    r"\b(?:no|not|never|none|nobody|nothing|neither|nor|without|cannot|\w+n't|fail(?:s|ed)? to|"
    r"refus(?:e[sd]?|ing)|"
    r"den(?:y|ied|ies|ying)|stopped|rather than)\b"
)
_NOT_DENIED = re.compile(
    r"\bnot (?:only|just|even)\b|\bno (?:doubt|question|wonder|matter|longer)\b|\bwhether or "
    r"not\b|\bno\.? \d|"
    r"\bwhy (?:not|do\w*n't)\b|"
    r"\bno (?:(?:more|less) \w+|bigger|larger|greater|higher|better(?! off)|worse(?! off)|"
    r"stronger|faster|older|richer|"
    r"poorer|safer|cleaner|cheaper|smaller|lower|longer|taller|tougher) (?:[\w'-]+ "
    r"){1,5}(?:anywhere|ever|on earth|"
    r"in (?:the|our|this|all|any) \w+)\b|"  # a superlative affirms: "no bigger plant anywhere"
    r"\b(?:you|i|we) (?:do not|don't|didn't|wouldn't) (?:know|think|believe|want to|have to)\b|"
    r"\b(?:isn|aren|don|doesn|didn|won)'t (?:it|they|you|we|he|she)\b"
)
_FALSE = (
    r"(?:false|untrue|a lie|lies?|wrong|nonsense|bogus|hoax|myth|fiction|ridiculous|"
    r"not (?:true|so|right|correct))"
)
_REJECTED = re.compile(
    rf"\b(?:is|was|are|that's|it's|be|just|simply|totally|completely|flat|flat-out) (?:a |an |all "
    rf")?{_FALSE}\b|"
    r"\b(?:isn't|wasn't|ain't|not) (?:so|true|right|correct|the case)\b|\bmyth that\b|\bnot one "
    r"word\b|\bno truth\b|"
    r"\b(?:reject|dispute|debunk\w*|disprov\w+|refut\w+)\b|\bnever happened\b|\bno such thing\b|"
    r"\bdon't believe (?:any|them|it|him|her|those|what)|\bno (?:proof|evidence) (?:that|for|"
    r"of)\b|"
    r"\b(?:said|told you|claim\w*|says?|thinks?) .{0,200}\b(?:is|was|were|are) "
    r"(?:wrong|lying|mistaken|false|confused|misinformed|(?:way |far )?off (?:by|base|the mark))\b"
)
_SUPPOSED = re.compile(
    r"^(?:and |but |so |well,? |now,? )*(?:even )?(?:if|suppose|imagine|assume|let's say|let us "
    r"say|what if|what would|"
    r"what will|god forbid|say that)\b|\b(?:imagine a|one day|some ?day|from now|in the future|"
    r"would you do if|"
    r"not be surprised if|i (?:worry|fear|hope|wish|expect|predict|bet|pray) |(?:might|may) "
    r"(?:one|some) ?day|"
    r"the idea that|remains to be seen|what would happen|my plan is|we will see whether)\b"
)
_PLACE_ENDINGS = frozenset("an ans ian ians ese ish n ns er ers".split())
_TAG = re.compile(
    r"\b(?:ok|okay|right|huh|folks|you know|yes|correct|do you|isn't it|did they|do they)\?$"
)
_LAST_WORD_AND_PHRASE = re.compile(
    r"^\S+ (?:in|among|during|for|at|within|outside|near|under|on) [\w'-]+(?: [\w'-]+){0,3} "
    r"?[.!?]?$"
)
_ALL = re.compile(
    r"\b(?:all|every|everyone|everybody|each|entire|always|everywhere|anywhere|(?<!hardly )any|"
    r"throughout|whole|completely|totally)\b"
)
_RELATIVE_CLAUSE = re.compile(
    r"(?:\b[A-Z][\w.'’-]{0,60}|\bU\.S\.), (?P<clause>(?:(?:through|in|of|on|for|to|from|with|by|"
    r"under) )?"
    r"(?:which|who|whose|whom|where)\b[^,.;:!?—]*)"
)
_REMARK = re.compile(
    r"^(?:which|who|that) (?:is|are|was|were) (?:so|too|very|really|totally|completely|just|"
    r"pretty|what|why|how|not|"
    r"great|good|bad|terrible|wonderful|nice|fine|a (?:dis|shame|great|terrible|good|bad)\w*)\b|"
    r"\b(?:i|you|we|me|us|my|our)\b"
)
_FIGURE = "#"  # begins the word that replaces a figure: "#money", whatever its value
_OPENING = re.compile(r"^(?:says |said |that |[\"'“”‘ ])+")
_OBAMACARE = re.compile(r"affordable care act", re.I)
_WORD_OR_FIGURE = re.compile(r"[a-z]+(?:'[a-z]+)?|\$?\d[\d,.]*%?")


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """One text as the rules read it: its particulars and its content words in order.

    The content words have no endings, and a figure or date counts as one word (``#count``).
    ``word_starts`` says where each begins in ``lower_text``. ``supposition_count`` counts the
    expressions that make the text a question or a supposition.
    """

    lower_text: str
    particulars: Particulars
    words: tuple[str, ...]
    word_starts: tuple[int, ...]
    rejects: bool
    supposition_count: int
    relative_clauses: tuple[frozenset[str], ...]
    text: str

    def passage(self, first_word: int, last_word: int) -> str:
        """Return the text between two content words, with the four words before the first."""
        start = self.word_starts[first_word]
        end = self.word_starts[last_word]
        preceding = " ".join(self.lower_text[:start].split()[-4:])
        return f"{preceding} {self.lower_text[start:end]} {self.words[last_word]}"


@dataclass(frozen=True, slots=True)
class SharedRun:
    """Consecutive content words that two texts share, by their position in each."""

    sentence_start: int
    statement_start: int
    size: int

    @property
    def sentence_end(self) -> int:
        """Return the position after the run in the sentence."""
        return self.sentence_start + self.size

    @property
    def statement_end(self) -> int:
        """Return the position after the run in the statement."""
        return self.statement_start + self.size


@dataclass(frozen=True, slots=True)
class TextPair:
    """A sentence and a statement, and how much of the statement the sentence repeats.

    ``shared_fraction`` is the share of the statement's words and figures that the sentence has in
    the same order. ``is_opposite``: one has a direction and the other its opposite.
    ``differs_in_denial``: just one of them denies what they share.
    """

    sentence: AnalysedText
    statement: AnalysedText
    shared_runs: list[SharedRun]
    shared_words: int
    shared_fraction: float
    is_opposite: bool
    differs_in_denial: bool
    event_day: int
    claim_day: int

    @property
    def is_related(self) -> bool:
        """Return whether the texts share enough to be about the same subject."""
        return self.shared_fraction >= MIN_RELATED_FRACTION

    @property
    def is_close(self) -> bool:
        """Return whether the texts share enough to speak of the same thing."""
        return self.shared_fraction >= MIN_CLOSE_FRACTION

    @property
    def is_repetition(self) -> bool:
        """Return whether the sentence repeats the statement almost word for word.

        A shared figure alone is no repetition: "54" and "$54" have no word in common.
        """
        return bool(self.shared_runs) and self.shared_fraction >= MIN_REPETITION_FRACTION

    @property
    def sentence_goes_on(self) -> bool:
        """Return whether the sentence has content words after the last shared one."""
        return self.shared_runs[-1].sentence_end < len(self.sentence.words)


@lru_cache(maxsize=1 << 17)
def analyse_text(text: str) -> AnalysedText:
    """Analyse one text for the rules."""
    text = agreement.plain(_OBAMACARE.sub("Obamacare", text))
    particulars = agreement.particulars(text)
    lower_text = _lower_in_place(text)
    figures = [(figure.start, figure.end, _FIGURE + figure.kind) for figure in particulars.numbers]
    figures += [(when.start, when.end, f"{_FIGURE}date") for when in particulars.dates]
    # The content words by position: figures and dates as one word each, then all other words.
    content = list(figures)
    for match in _WORD_OR_FIGURE.finditer(lower_text):
        start, end = match.span()
        in_figure = any(begin < end and start < finish for begin, finish, _ in figures)
        if match[0] not in FILLER and not in_figure:
            content.append((start, end, stem(match[0])))
    content.sort()
    # Relative clauses about names, unless they are remarks of the speaker.
    relative_clauses = []
    for clause in _RELATIVE_CLAUSE.findall(text):
        if not _REMARK.search(clause.casefold()):
            relative_clauses.append(_content_stems(clause))
    return AnalysedText(
        lower_text=lower_text,
        particulars=particulars,
        words=tuple(word for _, _, word in content),
        word_starts=tuple(start for start, _, _ in content),
        rejects=bool(_REJECTED.search(lower_text)),
        supposition_count=_supposition_count(lower_text),
        relative_clauses=tuple(relative_clauses),
        text=text,
    )


def conflicts(
    sentence: str, statement: str, event_day: int = 0, claim_day: int = 0
) -> frozenset[str]:
    """Return the names of the conflicts between two texts, a subset of ``CONFLICTS``.

    ``event_day`` and ``claim_day`` are the days (ordinals, 0 if unknown) of the two texts, from
    which "last year" and other relative dates are counted.
    """
    pair = _compare(analyse_text(sentence), analyse_text(statement), event_day, claim_day)
    return frozenset(name for name, applies in _RULES if applies(pair))


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the words that deny: "not", "never", "didn't", "failed to"."""
    lower_text = _lower_in_place("".join(map(one_for_one, text)))
    # Blank out phrases such as "not only", which deny nothing; positions stay as they are.
    searchable = _NOT_DENIED.sub(lambda match: " " * len(match[0]), lower_text)
    return tuple(match.span() for match in _DENIED.finditer(searchable))


def _lower_in_place(text: str) -> str:
    """Convert a text to lower case without moving any character."""
    characters = []
    for character in text:
        lower = character.lower()
        characters.append(lower if len(lower) == 1 else character)
    return "".join(characters)


def _supposition_count(lower_text: str) -> int:
    """Return how many expressions make a text a question or a supposition."""
    # A tag, as in "..., right?", does not make a text a question.
    is_question = lower_text.rstrip().endswith("?") and not _TAG.search(lower_text)
    supposed = _SUPPOSED.findall(_OPENING.sub("", lower_text))
    return is_question + len(supposed) + ("even if" in lower_text)


def _content_stems(text: str) -> frozenset[str]:
    """Return the content words of a text without endings and without figures."""
    words = _WORD_OR_FIGURE.findall(text.casefold())
    return frozenset(stem(word) for word in words if word not in FILLER and word[0].isalpha())


def _compare(
    sentence: AnalysedText, statement: AnalysedText, event_day: int, claim_day: int
) -> TextPair:
    # SequenceMatcher ends with an empty run.
    matcher = SequenceMatcher(None, statement.words, sentence.words, autojunk=False)
    shared_runs = []
    for block in matcher.get_matching_blocks():
        if block.size:
            shared_runs.append(SharedRun(block.b, block.a, block.size))
    # A shared figure counts by its value, below, not as a word.
    shared_words = 0
    for run in shared_runs:
        shared_words += _word_count(statement.words[run.statement_start : run.statement_end])
    figure_pairs, _, _ = agreement.paired(
        sentence.particulars.numbers, statement.particulars.numbers
    )
    length = _word_count(statement.words) + len(statement.particulars.numbers)
    shared_fraction = 0.0
    if length:
        shared_fraction = (shared_words + len(figure_pairs)) / length
    is_related = shared_fraction >= MIN_RELATED_FRACTION
    return TextPair(
        sentence=sentence,
        statement=statement,
        shared_runs=shared_runs,
        shared_words=shared_words,
        shared_fraction=shared_fraction,
        is_opposite=is_related and _has_opposite(sentence.lower_text, statement.lower_text),
        differs_in_denial=_differs_in_denial(sentence, statement, shared_runs),
        event_day=event_day,
        claim_day=claim_day,
    )


def _word_count(words: Sequence[str]) -> int:
    """Count words, figures left out."""
    return sum(word[0] != _FIGURE for word in words)


def _has_opposite(sentence: str, statement: str) -> bool:
    """Return whether one text has a direction and the other its opposite, and neither has both."""
    for upward, downward in _OPPOSITES:
        sentence_is_up = bool(upward.search(sentence))
        sentence_is_down = bool(downward.search(sentence))
        if sentence_is_up == sentence_is_down:
            continue
        statement_is_up = bool(upward.search(statement))
        statement_is_down = bool(downward.search(statement))
        if sentence_is_up == statement_is_down and sentence_is_down == statement_is_up:
            return True
    return False


def _differs_in_denial(
    sentence: AnalysedText, statement: AnalysedText, shared_runs: Sequence[SharedRun]
) -> bool:
    """Return whether just one of two texts denies, between the first and the last shared word."""
    if not shared_runs:
        return False
    first_run = shared_runs[0]
    last_run = shared_runs[-1]
    said_passage = sentence.passage(first_run.sentence_start, last_run.sentence_end - 1)
    claimed_passage = statement.passage(first_run.statement_start, last_run.statement_end - 1)
    return _denies(said_passage) != _denies(claimed_passage)


def _denies(passage: str) -> bool:
    """Return whether a passage denies; two different words of denial cancel each other."""
    words_of_denial = set(_DENIED.findall(_NOT_DENIED.sub(" ", passage)))
    return len(words_of_denial) % 2 == 1


def _figures_conflict(pair: TextPair) -> bool:
    """Return whether both texts have another figure for the same quantity.

    In a repetition, a figure of the statement that the sentence leaves out is a conflict, too.
    """
    _, sentence_figures, statement_figures = agreement.paired(
        pair.sentence.particulars.numbers, pair.statement.particulars.numbers
    )
    # These figures have no equal in the other text: each of one with each of the other.
    combinations = list(product(sentence_figures, statement_figures))
    if not pair.is_repetition:
        return any(_is_same_quantity(said, claimed) for said, claimed in combinations)
    if any(comparable(said, claimed) for said, claimed in combinations):
        return True
    if any(map(_is_age_limit, sentence_figures)):
        return True
    # A figure of the statement that the repetition leaves out, or replaces by its own ending.
    start, end = _shared_characters(pair)
    for figure in statement_figures:
        is_inside = start <= figure.start < end
        is_replaced_by_ending = pair.sentence_goes_on and figure.start >= end
        if figure.kind != TIMES and (is_inside or is_replaced_by_ending):
            return True
    return False


def _is_same_quantity(said: Figure, claimed: Figure) -> bool:
    """Return whether two figures are the same quantity even if their sentences differ.

    Counts must be of the same things.
    """
    if not comparable(said, claimed) or said.kind in (TIME, TIMES):
        return False
    return said.kind != COUNT or bool(said.units & claimed.units)


def _is_age_limit(figure: Figure) -> bool:
    """Return whether a figure limits a statement to some ages: "over eighty", "under five"."""
    is_bare_count = figure.kind == COUNT and not figure.units
    return is_bare_count and figure.hedge in (OVER, UNDER) and figure.high < 100


def _shared_characters(pair: TextPair) -> tuple[int, int]:
    """Return the first and the end character of the part of the statement that is shared."""
    word_starts = pair.statement.word_starts
    start = word_starts[pair.shared_runs[0].statement_start]
    following_word = pair.shared_runs[-1].statement_end
    if following_word < len(word_starts):
        return start, word_starts[following_word]
    return start, word_starts[-1] + 1


def _years_conflict(pair: TextPair) -> bool:
    """Return whether the texts have different dates.

    In a repetition, a calendar date that only the sentence has is a conflict, and so is a relative
    date that the sentence leaves out or replaces.
    """
    sentence_dates = pair.sentence.particulars.dates
    statement_dates = pair.statement.particulars.dates
    sentence_fixed = [when for when in sentence_dates if when.fixed]
    statement_fixed = [when for when in statement_dates if when.fixed]
    if compare(sentence_fixed, statement_fixed).clashing:
        return True
    if not pair.is_repetition:
        return False
    days = (pair.event_day, pair.claim_day)
    if compare(sentence_dates, statement_dates, *days).clashing:
        return True
    added_dates = []
    for said in sentence_dates:
        if not any(relation(said, claimed, *days) for claimed in statement_dates):
            added_dates.append(said)
    if any(said.fixed for said in added_dates):
        return True
    # Without another date in its place, "in the last ten years" may simply be left out.
    if not added_dates and not pair.sentence_goes_on:
        return False
    for claimed in statement_dates:
        is_long_period = not claimed.fixed and abs(claimed.count) > 1
        if is_long_period and not any(relation(said, claimed, *days) for said in sentence_dates):
            return True
    return False


def _names_conflict(pair: TextPair) -> bool:
    """Return whether a name is replaced by another, or both texts mean namesakes."""
    if pair.is_close and _names_replaced(pair):
        return True
    return pair.is_related and mention_namesakes(pair.sentence.text, pair.statement.text)


def _names_replaced(pair: TextPair) -> bool:
    """Return whether a name has the position of another name, between the same shared words."""
    sentence_names = _unshared_names(pair.sentence, pair.statement)
    statement_names = _unshared_names(pair.statement, pair.sentence)
    # Look at each gap between shared runs, at the one before the first and after the last.
    beginning = SharedRun(0, 0, 0)
    ending = SharedRun(len(pair.sentence.words), len(pair.statement.words), 0)
    for before_gap, after_gap in pairwise([beginning, *pair.shared_runs, ending]):
        sentence_gap = pair.sentence.words[before_gap.sentence_end : after_gap.sentence_start]
        statement_gap = pair.statement.words[before_gap.statement_end : after_gap.statement_start]
        sentence_has_name = not sentence_names.isdisjoint(sentence_gap)
        statement_has_name = not statement_names.isdisjoint(statement_gap)
        if sentence_has_name and statement_has_name:
            return True
    return False


def _unshared_names(text: AnalysedText, other_text: AnalysedText) -> set[str]:
    """Return the names, as content words, that the other text does not have in any form."""
    names = text.particulars.names | (text.particulars.words & PLACES)
    other_words = other_text.particulars.words
    unshared = set()
    for name in names:
        if name not in other_words and not _has_form_of(name, other_words):
            unshared.add(stem(name))
    return unshared - set(other_text.words)


def _has_form_of(name: str, words: Iterable[str]) -> bool:
    """Return whether one of the words is a name's adjective or people: Russian, Arizonans."""
    root = name.rstrip("aeiouy")
    if len(root) < 4:
        return False
    return any(word.startswith(root) and word[len(root) :] in _PLACE_ENDINGS for word in words)


def _direction_conflicts(pair: TextPair) -> bool:
    # Denying the opposite says the same.
    return pair.is_opposite and not pair.differs_in_denial


def _denial_conflicts(pair: TextPair) -> bool:
    """Return whether the sentence rejects the statement, or just one of both denies."""
    if pair.is_related and pair.sentence.rejects and not pair.statement.rejects:
        return True
    return pair.is_close and pair.differs_in_denial and not pair.is_opposite


def _supposition_conflicts(pair: TextPair) -> bool:
    """Return whether the sentence only supposes what the statement says."""
    is_supposed = pair.sentence.supposition_count > pair.statement.supposition_count
    return pair.is_close and is_supposed


def _scope_conflicts(pair: TextPair) -> bool:
    """Return whether the sentence speaks of all and the statement of some."""
    if not pair.is_repetition:
        return False
    last_shared_word = pair.shared_runs[-1].sentence_end - 1
    shared_end = pair.sentence.word_starts[last_shared_word]
    sentence_says_all = bool(_ALL.search(pair.sentence.lower_text[:shared_end]))
    return sentence_says_all and not _ALL.search(pair.statement.lower_text)


def _wording_conflicts(pair: TextPair) -> bool:
    """Return whether the sentence repeats the statement and adds something to it."""
    if not pair.is_repetition:
        return False
    if pair.shared_words >= MIN_REPEATED_WORDS and (_adds_words(pair) or _adds_ending(pair)):
        return True
    return _adds_clause(pair)


def _adds_words(pair: TextPair) -> bool:
    """Return whether the sentence has content words of its own between those it repeats.

    Figures do not count. Unless the repetition is verbatim, words in the position of other words
    are a rewording, and only additional words count.
    """
    is_verbatim = pair.shared_fraction >= MIN_VERBATIM_FRACTION
    inserted_words: set[str] = set()
    for run, next_run in pairwise(pair.shared_runs):
        replaces_nothing = run.statement_end == next_run.statement_start
        if is_verbatim or replaces_nothing:
            inserted_words.update(pair.sentence.words[run.sentence_end : next_run.sentence_start])
    added_words = inserted_words - set(pair.statement.words)
    for word in added_words:
        is_figure = word.startswith(_FIGURE) or any(map(str.isdigit, word))
        if not is_figure:
            return True
    return False


def _adds_ending(pair: TextPair) -> bool:
    """Return whether the sentence adds a final place, time or group: "only in Ohio"."""
    last_run = pair.shared_runs[-1]
    if not pair.sentence_goes_on or last_run.statement_end < len(pair.statement.words):
        return False
    if pair.sentence.words[last_run.sentence_end] in pair.statement.words:
        return False
    # From the last shared word on: that word, a preposition and a few words to the end.
    last_shared_start = pair.sentence.word_starts[last_run.sentence_end - 1]
    return bool(_LAST_WORD_AND_PHRASE.search(pair.sentence.lower_text[last_shared_start:]))


def _adds_clause(pair: TextPair) -> bool:
    """Return whether a relative clause about a name shares no word with the statement.

    "Ohio, where Edison was born".
    """
    for clause in pair.sentence.relative_clauses:
        if clause and clause.isdisjoint(pair.statement.words):
            return True
    return False


_RULES: tuple[tuple[str, Callable[[TextPair], bool]], ...] = (
    ("figures", _figures_conflict),
    ("years", _years_conflict),
    ("names", _names_conflict),
    ("direction", _direction_conflicts),
    ("denial", _denial_conflicts),
    ("supposition", _supposition_conflicts),
    ("scope", _scope_conflicts),
    ("wording", _wording_conflicts),
)
CONFLICTS = tuple(name for name, _ in _RULES)
