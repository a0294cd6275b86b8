"""Pairs of a sentence and a statement: their content words and the runs that they share."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from features.language import agreement
from features.language.agreement import Particulars
from features.language.denials import (
    denies,
    denies_that_any_equals,
    lower_in_place,
    rejects,
    say_nil,
    tell_first,
    tell_last_time,
    without_rhetorical_denials,
)
from features.language.directions import opposite_words
from features.language.function_words import FILLER_WORDS
from features.language.pattern_parts import any_of
from features.language.stems import content_stem
from features.language.verb_senses import BOTH_DENY
from features.language.word_clashes import Clash

MIN_REPETITION_FRACTION = 0.6  # a sentence that shares more of the statement repeats it
MIN_VERBATIM_FRACTION = 0.8  # above it, another word in a word's position is no rewording
MIN_REPEATED_WORDS = 4  # shared words that make a repetition
MIN_RELATED_FRACTION = 0.2  # below it, an opposite or a rejection is of something else
MIN_CLOSE_FRACTION = 0.4  # below it, a name or a denial may concern another thing

_SUPPOSITION_PATTERN = re.compile(
    any_of(
        # "If you are a pilot, you are paid less" is on pilots.
        r"^(?:and |but |so |well,? |now,? |okay,? )*(?:let's |let us |let me |just |"
        r"for a (?:minute|moment|second),? )*(?:even )?(?:"
        + any_of(
            r"if(?! you (?!(?:believe|listen|trust|ask|read|watch|think|look|elect|vote|want|had|"
            r"could|would|were(?! born)|take his|take her|give)\b)[a-z']+\b(?:[^,]|"
            r",(?=\d)){1,60}, (?![^.;]*\b(?:would|could|might|will|[a-z]+'d|"
            r"[a-z]+'ll)\b))(?! you (?:just )?(?:look at|think about|go back|ask me|consider|"
            r"compare)\b)",
            r"suppose",
            r"imagine",
            r"assume",
            r"pretend",
            r"picture",
            r"let's say",
            r"let us say",
            r"for the sake of (?:the )?argument",
            r"hypothetically",
            r"whether(?! (?:it's|it is|you|we|or)\b)",
            r"(?:maybe|perhaps|possibly)(?! you\b| the (?:most|[a-z]+est)\b)",
            r"i (?:doubt|question|wonder)(?: that| if| whether)?(?! you)",
            r"(?:(?!i\b|we\b)[\w'.]+ ){1,3}?(?:asks?|asked|wonders?|wondered|wants? to know|"
            r"wanted to know)(?: me| us| him| her| them)? (?:if|whether|why|how)",
            r"in a world where",
            r"say for a (?:minute|moment|second)",
            r"what if",
            r"what would",
            r"what will",
            r"god forbid",
            r"say that",
        )
        + r")\b",
        r"\b(?:"
        + any_of(
            r"imagine a",
            r"one day",
            r"some ?day",
            r"from now",
            r"in the future",
            r"would you do if",
            r"not be surprised if",
            r"(?:find out|look into|investigate|figure out|determine|check|know|see|tell me|"
            r"sure) (?:whether|if)(?! or not| you\b| but\b)",
            r"i (?:worry|fear|hope|wish|expect|predict|bet|pray) ",
            r"(?:might|may) (?:one|some) ?day",
            r"the idea that",
            r"remains to be seen",
            r"what would happen",
            r"my plan is",
            r"we will see whether",
        )
        + r")\b",
    )
)
# "I'm not sure if people realize it, but taxes rose"
_DOUBTFUL_ASIDE_PATTERN = re.compile(
    r"^(?:and |but |so |now,? )*i(?:'m| am| do|'ve)? ?(?:not|n't|don't) (?:sure|"
    r"know) (?:if|whether)\b[^,.;:]{0,60}, but "
)
# "Did you know that taxes rose?" says that they rose.
_REMINDER_PATTERN = re.compile(
    r"(?:and |but |so |now,? )*(?:(?:did|do|don't|didn't) you (?:all |even )?(?:know|realize|"
    r"realise|remember (?:when|how))|remember (?:when|how)|isn't it (?:true|a fact) that)\b"
)
# "Nearly lost" is another thing than "lost".
_NEAR_MISS_PATTERN = re.compile(
    r"\b(?:nearly|almost|all but|very nearly|came close to|on the verge of|on the brink of) "
    r"(?!all\b|every|any|a\b|an\b|one\b|two\b|three\b|half\b|doubled|tripled|as\b|un[a-z]+ed\b)"
    r"(?:[a-z]{2,}(?:ed|ing)|lost|won|went|fell|broke|sold|left|shut|beat|sank|got|became|died)\b"
)
# "Is it acceptable that taxes rose?" says that they rose.
_PRESUPPOSING_PATTERN = re.compile(
    # "Why do they say that taxes rose?" doubts it.
    r"\b(?:"
    + any_of(
        r"(?<!is it )the fact that",
        r"how else can we explain that",
        r"explain (?:to me |to us )?why",
        r"(?:can|could|will) you (?:tell|explain to) (?:us|me) why",
        r"guess (?:who|what|why|how)",
        r"who [^?]{0,30}(?:satisfied|happy|proud) that",
        r"is it (?:acceptable|fair|right|okay) that",
        # "Why do they say that taxes rose?" doubts it.
        r"(?:why|how come)(?: \w+){0,2}? (?:are|do|does|have|has) (?:we|our|they|you|it|"
        r"the [a-z]+)(?! (?:keep |always |still )?(?:say|claim|think|believe|tell|argue|"
        r"pretend|saying|claiming|telling)\b)",
    )
    + r")(?: |\?)"
)
_TAG_QUESTION_PATTERN = re.compile(
    r"\b(?:ok|okay|right|huh|folks|you know|yes|correct|do you|isn't it|did they|do they)\?$"
)
_RELATIVE_CLAUSE_PATTERN = re.compile(
    r"(?:\b[A-Z][\w.'’-]{0,60}|\bU\.S\.), (?P<clause>(?:(?:through|in|of|on|for|to|from|with|by|"
    r"under) )?"
    r"(?:which|who|whose|whom|where)\b[^,.;:!?—]*)"
)
_REMARK_CLAUSE_PATTERN = re.compile(
    r"^(?:which|who|that) (?:is|are|was|were) (?:so|too|very|really|totally|completely|just|"
    r"pretty|what|why|how|not|"
    r"great|good|bad|terrible|wonderful|nice|fine|a (?:dis|shame|great|terrible|good|bad)\w*)\b|"
    r"\b(?:i|you|we|me|us|my|our)\b"
)
_FIRST_OF_ALL_PATTERN = re.compile(
    r"\bthan (?:by |in |at |on |to |for |from |with )?"
    r"(?:any|all|every|ever|anyone|anybody|anything)\b|\b(?:most|least|best|worst|first|only|"
    r"(?!(?:inter|requ|for|sugg|prot|cont|harv)est\b)[a-z]{3,}est)\b"
)
_PARTICLE_PATTERN = re.compile(r" (?:up|out|off|down|away|back|under|in)\b")
_DENYING_SUBJECT_PATTERN = re.compile(
    r"(?:and |but |so |well,? )*(?:nobody|no one|none|not (?:a|one)|no|never|nothing|neither|"
    r"name (?:me |us )?(?:one|a))\b[^,.;:!?]*"
)
_DENIED_OBJECT_PATTERN = re.compile(r" (?:nobody|no one|nothing|none)\b")
_ADVISED = "advised"
_ADVISED_AGAINST = "advised against"
_ADVICE_PATTERN = re.compile(r"\b(?:should|ought to)(?P<not>n't| not)? (?:be|have)\b")
FIGURE_MARK = "#"  # begins the word that replaces a figure: "#money", whatever its value
_OPENING_PATTERN = re.compile(r"^(?:says |said |that |[\"'“”‘ ])+")
_OBAMACARE_PATTERN = re.compile(r"affordable care act", re.I)
_E_MAIL_PATTERN = re.compile(r"\b(?P<letter>[Ee])-(?=mails?\b)")
_WORD_OR_FIGURE_PATTERN = re.compile(r"[a-z]+(?:'[a-z]+)?|\$?\d[\d,.]*%?")


class Gap(NamedTuple):
    """The content words of both texts, by position, between two shared runs."""

    sentence: range
    statement: range


@dataclass(frozen=True, slots=True)
class AnalysedText:
    """One text as the rules read it: its particulars and its content words in order.

    The content words have no endings, and a figure or date counts as one word (``#count``).
    ``word_starts`` and ``word_ends`` are their positions in ``lower_text`` and ``text``.
    ``supposition_count`` counts the expressions that make the text a question or a supposition.
    """

    lower_text: str
    particulars: Particulars
    words: tuple[str, ...]
    word_starts: tuple[int, ...]
    word_ends: tuple[int, ...]
    rejects: bool
    supposition_count: int
    relative_clauses: tuple[frozenset[str], ...]
    text: str

    def original_words(self, first_word: int, end_word: int) -> str:
        """Return the text of consecutive content words as it was written, "" for none."""
        if first_word >= end_word:
            return ""
        return self.text[self.word_starts[first_word] : self.word_ends[end_word - 1]]

    def phrase(self, first_word: int, end_word: int) -> str:
        """Return consecutive content words with a particle after them, in small letters."""
        if first_word >= end_word:
            return ""
        end = self.word_ends[end_word - 1]
        particle = _PARTICLE_PATTERN.match(self.lower_text, end)
        return self.lower_text[self.word_starts[first_word] : particle.end() if particle else end]

    def words_between(self, first_word: int, last_word: int) -> str:
        """Return the text between two content words, with the four words before the first.

        "Nothing" and the like just after the last one belong to it.
        """
        start = self.word_starts[first_word]
        end = self.word_starts[last_word]
        lower_text = without_rhetorical_denials(self.lower_text)
        words_before = " ".join(lower_text[:start].split()[-4:])
        passage = f"{words_before} {lower_text[start:end]} {self.words[last_word]}"
        # "It hurt nothing": the object isn't a content word.
        denied_object_match = _DENIED_OBJECT_PATTERN.match(
            self.lower_text, self.word_ends[last_word]
        )
        return passage + denied_object_match[0] if denied_object_match else passage


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
    the same order. ``opposite_words``: a direction of the sentence and its opposite in the
    statement.
    ``differs_in_denial``: just one of them denies what they share.
    """

    sentence: AnalysedText
    statement: AnalysedText
    shared_runs: list[SharedRun]
    shared_words: int
    shared_fraction: float
    opposite_words: tuple[str, str] | None
    differs_in_denial: bool
    event_day: int
    claim_day: int

    @property
    def is_opposite(self) -> bool:
        """Return whether one text has a direction and the other its opposite."""
        return self.opposite_words is not None

    @property
    def is_about_same_subject(self) -> bool:
        """Return whether the texts share enough to be about the same subject."""
        return self.shared_fraction >= MIN_RELATED_FRACTION

    @property
    def is_about_same_thing(self) -> bool:
        """Return whether the texts share enough to speak of the same thing."""
        return self.shared_fraction >= MIN_CLOSE_FRACTION

    @property
    def is_repetition(self) -> bool:
        """Return whether the sentence repeats the statement almost word for word.

        A shared figure alone does not repeat it: "54" and "$54" have no word in common.
        """
        return bool(self.shared_runs) and self.shared_fraction >= MIN_REPETITION_FRACTION

    @property
    def context(self) -> frozenset[str]:
        """Return the words that both texts have, with ``BOTH_DENY`` if both deny."""
        shared_words = frozenset(self.sentence.words) & frozenset(self.statement.words)
        if denies(self.sentence.lower_text) and denies(self.statement.lower_text):
            shared_words |= {BOTH_DENY}
        return shared_words

    @property
    def gaps(self) -> list[Gap]:
        """Return the gaps before, between and after the shared runs."""
        beginning = SharedRun(0, 0, 0)
        ending = SharedRun(len(self.sentence.words), len(self.statement.words), 0)
        gaps = []
        for run, next_run in pairwise([beginning, *self.shared_runs, ending]):
            sentence_gap = range(run.sentence_end, next_run.sentence_start)
            statement_gap = range(run.statement_end, next_run.statement_start)
            gaps.append(Gap(sentence_gap, statement_gap))
        return gaps

    def clash_in_gap(self, gap: Gap) -> Clash:
        """Return the words of both texts in a gap."""
        return Clash(
            self.sentence.original_words(gap.sentence.start, gap.sentence.stop),
            self.statement.original_words(gap.statement.start, gap.statement.stop),
        )

    def phrases_in_gap(self, gap: Gap) -> Clash:
        """Return the words of both texts in a gap with a particle after them: "set up"."""
        return Clash(
            self.sentence.phrase(gap.sentence.start, gap.sentence.stop),
            self.statement.phrase(gap.statement.start, gap.statement.stop),
        )

    @property
    def sentence_has_more_words(self) -> bool:
        """Return whether the sentence has content words after the last shared one."""
        return self.shared_runs[-1].sentence_end < len(self.sentence.words)


@lru_cache(maxsize=1 << 17)
def analyse_text(text: str) -> AnalysedText:
    """Analyse one text for the rules."""
    text = agreement.plain(
        _E_MAIL_PATTERN.sub(r"\g<letter>", _OBAMACARE_PATTERN.sub("Obamacare", text))
    )
    particulars = agreement.particulars(text)
    lower_text = lower_in_place(text)
    figure_spans = [
        (figure.start, figure.end, FIGURE_MARK + figure.kind) for figure in particulars.numbers
    ]
    figure_spans += [
        (date_mention.start, date_mention.end, f"{FIGURE_MARK}date")
        for date_mention in particulars.dates
    ]
    # (start, end, word) of each content word: first the figures and dates, as one word each.
    word_spans = list(figure_spans)
    for match in _WORD_OR_FIGURE_PATTERN.finditer(lower_text):
        start, end = match.span()
        is_in_figure = any(
            figure_start < end and start < figure_end
            for figure_start, figure_end, _ in figure_spans
        )
        if match[0] not in FILLER_WORDS and not is_in_figure:
            word_spans.append((start, end, content_stem(match[0])))
    word_spans.sort()
    # Relative clauses about names, unless they are remarks of the speaker.
    relative_clauses = []
    for clause in _RELATIVE_CLAUSE_PATTERN.findall(text):
        if not _REMARK_CLAUSE_PATTERN.search(clause.casefold()):
            relative_clauses.append(_content_stems(clause))
    return AnalysedText(
        lower_text=lower_text,
        particulars=particulars,
        words=tuple(word for _, _, word in word_spans),
        word_starts=tuple(start for start, _, _ in word_spans),
        word_ends=tuple(end for _, end, _ in word_spans),
        rejects=rejects(lower_text),
        supposition_count=_supposition_count(lower_text),
        relative_clauses=tuple(relative_clauses),
        text=text,
    )


def _supposition_count(lower_text: str) -> int:
    """Return how many expressions make a text a question or a supposition."""
    # A tag, as in "..., right?", does not make a text a question.
    has_question_mark = lower_text.rstrip().endswith("?")
    is_rhetorical = without_rhetorical_denials(lower_text) != lower_text
    is_tag = _TAG_QUESTION_PATTERN.search(lower_text) is not None
    is_reminder = _REMINDER_PATTERN.match(lower_text) is not None
    presupposes = _PRESUPPOSING_PATTERN.search(lower_text) is not None
    takes_as_known = is_tag or is_rhetorical or is_reminder or presupposes
    is_question = has_question_mark and not takes_as_known
    claimed_text = _DOUBTFUL_ASIDE_PATTERN.sub("", _OPENING_PATTERN.sub("", lower_text))
    suppositions = _SUPPOSITION_PATTERN.findall(claimed_text)
    expression_count = len(suppositions)
    if is_question:
        expression_count += 1
    if _NEAR_MISS_PATTERN.search(lower_text):
        expression_count += 1
    if "even if" in lower_text:
        expression_count += 1
    return expression_count


def _content_stems(text: str) -> frozenset[str]:
    """Return the content words of a text without endings and without figures."""
    stems = set()
    for word in _WORD_OR_FIGURE_PATTERN.findall(text.casefold()):
        is_figure = not word[0].isalpha()
        if word not in FILLER_WORDS and not is_figure:
            stems.add(content_stem(word))
    return frozenset(stems)


def pair_texts(
    sentence: AnalysedText, statement: AnalysedText, event_day: int, claim_day: int
) -> TextPair:
    # SequenceMatcher ends with an empty run.
    matcher = SequenceMatcher(None, statement.words, sentence.words, autojunk=False)
    shared_runs = []
    for matching_block in matcher.get_matching_blocks():
        if matching_block.size:
            shared_runs.append(SharedRun(matching_block.b, matching_block.a, matching_block.size))
    # A shared figure counts by its value, below, not as a word.
    shared_word_count = 0
    for run in shared_runs:
        shared_word_count += _word_count(statement.words[run.statement_start : run.statement_end])
    figure_pairs, _, _ = agreement.pair_figures(
        sentence.particulars.numbers, statement.particulars.numbers
    )
    statement_length = _word_count(statement.words) + len(statement.particulars.numbers)
    shared_fraction = 0.0
    if statement_length:
        shared_fraction = (shared_word_count + len(figure_pairs)) / statement_length
    related_opposites = None
    if shared_fraction >= MIN_RELATED_FRACTION:
        related_opposites = opposite_words(sentence.lower_text, statement.lower_text)
    return TextPair(
        sentence=sentence,
        statement=statement,
        shared_runs=shared_runs,
        shared_words=shared_word_count,
        shared_fraction=shared_fraction,
        opposite_words=related_opposites,
        differs_in_denial=_differs_in_denial(sentence, statement, shared_runs),
        event_day=event_day,
        claim_day=claim_day,
    )


def _word_count(words: Sequence[str]) -> int:
    """Count words, figures left out."""
    return sum(word[0] != FIGURE_MARK for word in words)


def _differs_in_denial(
    sentence: AnalysedText, statement: AnalysedText, shared_runs: Sequence[SharedRun]
) -> bool:
    """Return whether just one of two texts denies, between the first and the last shared word."""
    if not shared_runs:
        return False
    # "Should not have closed" presupposes that it closed, but not that it should have.
    lower_texts = (sentence.lower_text, statement.lower_text)
    if {_advice(text) for text in lower_texts} == {_ADVISED, _ADVISED_AGAINST}:
        return True
    first_run = shared_runs[0]
    last_run = shared_runs[-1]
    last_sentence_word = last_run.sentence_end - 1
    last_statement_word = last_run.statement_end - 1
    sentence_passage = sentence.words_between(first_run.sentence_start, last_sentence_word)
    statement_passage = statement.words_between(first_run.statement_start, last_statement_word)
    sentence_denies = denies(sentence_passage) and not _ranks_by_denial(sentence, statement)
    statement_denies = denies(statement_passage) and not _ranks_by_denial(statement, sentence)
    if sentence_denies == statement_denies:
        return False
    # "None has ever been fired at the port" denies before the words around "port".
    text_without = statement if sentence_denies else sentence
    first_word = first_run.statement_start if sentence_denies else first_run.sentence_start
    words_before = text_without.lower_text[: text_without.word_starts[first_word]]
    if _DENYING_SUBJECT_PATTERN.fullmatch(words_before):
        return False
    says_same = say_nil(*lower_texts) or tell_last_time(*lower_texts) or tell_first(*lower_texts)
    return not says_same


def _advice(lower_text: str) -> str:
    """Return whether a text advises to do something or not to do it, "" if neither."""
    advice = _ADVICE_PATTERN.search(lower_text)
    if advice is None:
        return ""
    return _ADVISED_AGAINST if advice["not"] else _ADVISED


def _ranks_by_denial(text: AnalysedText, other_text: AnalysedText) -> bool:
    """Return whether a text denies only that anything equals the first of another text.

    "No ferry is faster than ours" denies nothing of "ours is the fastest ferry".
    """
    if not denies_that_any_equals(text.lower_text):
        return False
    return _FIRST_OF_ALL_PATTERN.search(other_text.lower_text) is not None
