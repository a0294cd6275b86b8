"""Finds the speaker labels of a text by the whole text, not by a list of shapes.

A short head that is set apart (by a colon, a full stop, a dash, a wide space, a line of its own,
bold, a heading, a class name) is a label if it recurs in the company of other such heads. Points
weigh the evidence. A head with too few points is speech; one with nearly enough is doubtful: its
words have no known speaker, and a person may accept it.

Plain text, pages, documents, cells of tables, captions and live text all use ``find_labels``::

    lines = [HintedLine("maria: Good evening."), HintedLine("tom: Thank you.")]
    findings = find_labels(lines, accepted={"tom"})
    for line, found in zip(lines, findings.labels):
        if found is None:          # no label: the speaker of the line before goes on
            ...
        elif found.is_doubtful:    # speaker unknown, text unchanged, quote the line in a warning
            ...
        else:                      # found.label.speaker says line.text[found.label.end :]
            ...

Pass a whole file at once. If a file arrives line by line, call it again for the lines so far, or
pass ``accepted`` with the names that were found before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from assistant.transcripts.label_heads import (
    ABOVE_GAP,
    CLASS,
    COLON,
    FULL_NAME,
    FULL_STOP,
    FUNCTION_WORD,
    HEADING,
    LOWER_CASE,
    MARKED,
    NO_NAME,
    NUMBER,
    OWN_LINE_IN_CAPITALS,
    PHRASE,
    QUESTION,
    SINGLE_NAME,
    TITLED_NAME,
    USUAL_LABEL,
    HintedLine,
    LabelHead,
    candidate_heads,
)
from assistant.transcripts.speaker_labels import SpeakerLabel, is_standard_label, names_nobody

__all__ = [
    "FoundLabel",
    "HintedLine",
    "LabelFindings",
    "find_labels",
]

# Points that a head needs to be a label, and to be a doubtful one
ACCEPTED_POINTS = 4
DOUBTFUL_POINTS = 3
REGULAR_SHARE = 0.5  # share of paragraphs with a head of this kind
MIN_REGULAR_LINES = 3
MIN_FULL_STOPS = 3  # labels, for a text whose labels end in full stops
MIN_REPEATS = 2
FREQUENT_COUNT = 4
MIN_FREQUENT_NAMES = 6  # names with many heads, where fewer paragraphs have one
MIN_FREQUENT_SHARE = 0.3  # share of paragraphs with the head of such a text
MIN_NAMES_ABOVE_GAPS = 4
MIN_NUMBER_HEAD_SHARE = 0.8  # share of paragraphs with a number, for numbers to be voices
MAX_VOICE_NUMBER = 20
KEY_CACHE_SIZE = 4096  # a text repeats its names
# Families that are weighed by rules of their own
_FAMILIES_WITH_A_MARK = (COLON, PHRASE, NUMBER, FULL_STOP, QUESTION)


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """A label of a line. ``set_apart_by`` says in words what sets it apart from the speech.

    A doubtful label is one that was not believed: its ``label.speaker`` is None.
    """

    label: SpeakerLabel
    set_apart_by: str
    is_doubtful: bool = False


@dataclass(slots=True)
class LabelFindings:
    """The label of each line, None if it has none, and the evidence for each name in words."""

    labels: list[FoundLabel | None]
    evidence: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _HeadGroup:
    """The heads of one family with the same name. ``quality`` is how much it looks like a name."""

    quality: int = FUNCTION_WORD
    count: int = 0
    paragraph_count: int = 0
    marked_count: int = 0
    lower_start_count: int = 0
    is_caseless: bool = False

    def add(self, head: LabelHead, line: HintedLine) -> None:
        self.quality = max(self.quality, head.quality)
        self.count += 1
        self.paragraph_count += line.starts_paragraph
        self.marked_count += head.is_marked
        self.lower_start_count += head.speech_starts_lower
        self.is_caseless = head.label.name.upper() == head.label.name.lower()

    @property
    def is_repeated(self) -> bool:
        return self.count >= MIN_REPEATS

    @property
    def is_mostly_marked(self) -> bool:
        """Whether mark-up, such as bold type, ends where most of the names end."""
        return 2 * self.marked_count > self.count

    @property
    def always_starts_lower(self) -> bool:
        """Whether the speech behind every head begins in lower case."""
        return self.lower_start_count == self.count


@dataclass(slots=True)
class _Family:
    """The heads of a text that are set apart in the same way, by name in lower case.

    ``paragraph_share`` is the share of the text's paragraphs that begin with such a head; a
    regular family has most of them. ``starts_lower_case`` is about the speech behind the heads.
    """

    groups: dict[str, _HeadGroup] = field(default_factory=lambda: defaultdict(_HeadGroup))
    paragraph_count: int = 0
    paragraph_share: float = 0.0
    is_regular: bool = False
    starts_lower_case: bool = False
    is_in_capitals: bool = False
    is_marked: bool = False

    def repeated_names(self) -> set[str]:
        """Return the names that occur at least twice."""
        return {name for name, group in self.groups.items() if group.is_repeated}


def find_labels(
    lines: Sequence[HintedLine],
    *,
    accepted: Collection[str] = (),
    refused: Collection[str] = (),
) -> LabelFindings:
    """Return the label of each line, by all lines together.

    ``accepted`` and ``refused`` are names that a person has decided about; they need no evidence.
    """
    accepted_names = {_lower_name(name) for name in accepted}
    refused_names = {_lower_name(name) for name in refused}
    heads_by_line = []
    for line in lines:
        line_heads = []
        for head in candidate_heads(line):
            if _lower_name(head.label.name) not in refused_names:
                line_heads.append(head)
        heads_by_line.append(line_heads)
    families = _families(lines, heads_by_line)
    judge = _LabelJudge(families, accepted_names)
    findings = LabelFindings([])
    previous_name = ""
    for line, line_heads in zip(lines, heads_by_line, strict=True):
        found_label = judge.label(line, line_heads, previous_name)
        findings.labels.append(found_label)
        if found_label and not found_label.is_doubtful:
            previous_name = found_label.label.name
    findings.evidence = _evidence(lines, findings.labels)
    return findings


@lru_cache(maxsize=KEY_CACHE_SIZE)
def _lower_name(name: str) -> str:
    return " ".join(name.split()).casefold()


def _families(
    lines: Sequence[HintedLine], heads_by_line: Sequence[Sequence[LabelHead]]
) -> dict[str, _Family]:
    """Return the heads of all lines by family, with the measures of each family."""
    # A head is the beginning of a line that may be a label. Heads of a family are set apart in
    # the same way, such as by a colon, and those with one name form a group.
    families: dict[str, _Family] = defaultdict(_Family)
    paragraph_total = 0
    for line, line_heads in zip(lines, heads_by_line, strict=True):
        if line.starts_paragraph and line.text.strip():
            paragraph_total += 1
        for head in line_heads:
            family = families[head.family]
            family.groups[_lower_name(head.label.name)].add(head, line)
            family.paragraph_count += line.starts_paragraph
    for family in families.values():
        family.paragraph_share = family.paragraph_count / max(paragraph_total, 1)
        is_frequent = family.paragraph_share >= REGULAR_SHARE
        family.is_regular = is_frequent and family.paragraph_count >= MIN_REGULAR_LINES
        family.is_in_capitals = _is_in_capitals(family)
        # A property of more than half of the heads is a property of the family.
        groups = family.groups.values()
        half_of_heads = sum(group.count for group in groups) / 2
        family.starts_lower_case = sum(group.lower_start_count for group in groups) > half_of_heads
        family.is_marked = sum(group.marked_count for group in groups) > half_of_heads
    return families


def _is_in_capitals(family: _Family) -> bool:
    """Return whether most of the likely labels of a family are in capitals."""
    likely_count = 0
    capital_count = 0
    for name, group in family.groups.items():
        is_likely = group.quality >= TITLED_NAME or group.is_repeated
        if not is_likely or is_standard_label(name):
            continue
        likely_count += group.count
        # Apart from standard labels, names in capitals have this quality.
        if group.quality == USUAL_LABEL:
            capital_count += group.count
    return 2 * capital_count > likely_count


class _LabelJudge:
    """Weighs the heads of a line by the families of the whole text."""

    def __init__(self, families: dict[str, _Family], accepted_names: set[str]) -> None:
        self._families = families
        self._accepted_names = accepted_names
        # Points by the family and the name in lower case
        self._points: dict[tuple[str, str], int] = {}
        self._weigh_colons(families.get(COLON))
        self._weigh_phrases(families.get(PHRASE))
        self._weigh_numbers(families.get(NUMBER))
        self._weigh_full_stops(families.get(FULL_STOP), families.get(QUESTION))
        for family_name, family in families.items():
            if family_name not in _FAMILIES_WITH_A_MARK:
                self._weigh_names_without_mark(family_name, family)
        self._weigh_questions(families.get(QUESTION))

    def label(
        self, line: HintedLine, line_heads: Sequence[LabelHead], previous_name: str
    ) -> FoundLabel | None:
        """Return the label of a line, the likeliest of its heads, None if it has none."""
        # A line may be divided into label and speech in several ways, each with its head.
        doubtful_label: FoundLabel | None = None
        for head in sorted(line_heads, key=self._order):
            # Names that a person has accepted
            if _lower_name(head.label.name) in self._accepted_names:
                return FoundLabel(head.label, head.set_apart_by)
            if head.set_apart_by == COLON and self._continues_line_above(line, head):
                continue
            points = self._head_points(line, head, previous_name)
            if points >= ACCEPTED_POINTS:
                return FoundLabel(head.label, head.set_apart_by)
            if points == DOUBTFUL_POINTS and doubtful_label is None:
                label_of_unknown = replace(head.label, speaker=None)
                doubtful_label = FoundLabel(label_of_unknown, head.set_apart_by, is_doubtful=True)
        return doubtful_label

    def _head_points(self, line: HintedLine, head: LabelHead, previous_name: str) -> int:
        """Return the points of a head in its line."""
        # Within a paragraph, a name with a full stop ends a sentence.
        if head.set_apart_by == FULL_STOP and not line.starts_paragraph:
            return 0
        # The points that the name has in the whole text, if it is written in this way
        points = self._points.get((head.family, _lower_name(head.label.name)), 0)
        if head.set_apart_by == QUESTION:  # "Q." and "A."
            return self._question_points(head, previous_name, points)
        return points

    def _continues_line_above(self, line: HintedLine, head: LabelHead) -> bool:
        """Return whether a head ends a sentence of the line above: "I told the / Mayor: we lost"."""
        if line.starts_paragraph or not head.speech_starts_lower:
            return False
        family = self._families[head.family]
        group = family.groups[_lower_name(head.label.name)]
        begins_no_paragraph = group.paragraph_count == 0
        return begins_no_paragraph and not family.starts_lower_case

    def _order(self, head: LabelHead) -> tuple[bool, bool]:
        """Return a key that puts heads of regular families first, colons last among these."""
        is_irregular = not self._families[head.family].is_regular
        is_unsure_colon = head.set_apart_by == COLON and not head.label.is_sure
        return is_irregular, is_unsure_colon

    def _weigh_colons(self, family: _Family | None) -> None:
        """Give points to each name before a colon."""
        if family is None:
            return
        likely_names = _likely_names(family)
        is_first_name = True
        for name, group in family.groups.items():
            other_count = len(likely_names - {name})
            points = self._colon_points(family, group, other_count)
            # An interview may name its only speaker once, at the beginning.
            is_full_name = group.quality == FULL_NAME
            if is_first_name and is_full_name and not group.always_starts_lower:
                points += 1
            is_first_name = False
            is_alone = other_count == 0 and not group.is_repeated
            if is_alone and group.quality < FULL_NAME:
                points = min(points, DOUBTFUL_POINTS)
            self._points[COLON, name] = points

    def _weigh_phrases(self, family: _Family | None) -> None:
        """Doubt phrases that recur before a colon as labels do: "First Voice: Good evening"."""
        if family is None:
            return
        for name in family.repeated_names():
            group = family.groups[name]
            always_starts_paragraph = group.paragraph_count == group.count
            if always_starts_paragraph and group.lower_start_count == 0:
                self._points[PHRASE, name] = DOUBTFUL_POINTS

    def _weigh_numbers(self, family: _Family | None) -> None:
        """Give points to numbers that recur before colons, as voices do: "1: Good evening".

        The numbers of a list or of verses occur once each.
        """
        if family is None or len(family.groups) < MIN_REPEATS:
            return
        recurring_numbers = family.repeated_names()
        do_all_recur = len(recurring_numbers) == len(family.groups)
        are_voices = do_all_recur and len(family.groups) <= MAX_VOICE_NUMBER
        if not are_voices or not family.is_regular:
            return
        is_sure = family.paragraph_share >= MIN_NUMBER_HEAD_SHARE
        for number in recurring_numbers:
            self._points[NUMBER, number] = ACCEPTED_POINTS if is_sure else DOUBTFUL_POINTS

    def _colon_points(self, family: _Family, group: _HeadGroup, other_count: int) -> int:
        """Return the points of a name: its look, how often it recurs, and its company.

        ``other_count`` is the number of other names of the text that are likely labels.
        """
        # ACCEPTED_POINTS make a label, DOUBTFUL_POINTS a doubtful one.
        points = group.quality
        if group.count >= FREQUENT_COUNT:
            points += 3
        elif group.is_repeated:
            points += 2
        points += min(other_count, 2)
        if family.is_regular:
            points += 2
        begins_paragraph = group.paragraph_count > 0
        points += 1 if begins_paragraph else -1
        if group.is_mostly_marked:
            points += 2
        # "Breaking News: the port closed" goes on as a sentence does.
        goes_on = group.always_starts_lower and not family.starts_lower_case
        if goes_on and group.quality < USUAL_LABEL:
            points -= 3
        # "Reagan: A time for choosing" in a text whose labels are in capitals
        is_unlike_labels = family.is_in_capitals and group.quality <= SINGLE_NAME
        if is_unlike_labels and group.count < FREQUENT_COUNT:
            points -= 3
        # Words before a colon below "### 王明：", in a text whose labels are headings or bold. In
        # a script without capitals, they are refused.
        is_bare = family.is_marked and not group.marked_count and not group.is_repeated
        if is_bare and group.quality < TITLED_NAME:
            max_points = DOUBTFUL_POINTS - 1 if group.is_caseless else DOUBTFUL_POINTS
            points = min(points, max_points)
        if group.quality == LOWER_CASE:
            points = _lower_case_points(family, group, other_count, points)
        is_single_word_once = group.quality == SINGLE_NAME and group.count == 1
        if is_single_word_once and not family.is_regular:
            points = min(points - 1, DOUBTFUL_POINTS)
        return points

    def _weigh_full_stops(self, family: _Family | None, questions: _Family | None) -> None:
        """Give points to names before a full stop, if the labels of the text end in one."""
        if family is None:
            return
        label_names = _names_with_full_stops(family)
        label_count = sum(family.groups[name].paragraph_count for name in label_names)
        question_count = 0  # lines that begin with "Q."
        if questions and "q" in questions.groups:
            question_count = questions.groups["q"].count
        if label_count + question_count < MIN_FULL_STOPS:
            return
        # In a text whose labels end in colons, a full stop ends a sentence.
        if label_count <= self._accepted_colon_count():
            return
        # Q. and A. alone do not show that names end in full stops, too.
        if question_count and not label_count:
            return
        for name, group in family.groups.items():
            may_be_label = names_nobody(name) or not is_standard_label(name)
            if name in label_names:
                self._points[FULL_STOP, name] = USUAL_LABEL
            elif group.quality == FULL_NAME and may_be_label:
                self._points[FULL_STOP, name] = ACCEPTED_POINTS

    def _accepted_colon_count(self) -> int:
        """Return the number of heads before a colon whose name has enough points for a label."""
        family = self._families.get(COLON)
        if family is None:
            return 0
        accepted_count = 0
        for name, group in family.groups.items():
            if self._points[COLON, name] >= ACCEPTED_POINTS:
                accepted_count += group.count
        return accepted_count

    def _weigh_names_without_mark(self, family_name: str, family: _Family) -> None:
        """Give points to names without a mark behind them: these need recurring company."""
        # The heads of a family are written in one way: as bold type, or on lines of their own.
        has_markup = _has_markup(family_name)
        repeated_names = set()
        for name, group in family.groups.items():
            if group.is_repeated and group.quality > NO_NAME:
                repeated_names.add(name)
        certain_names = repeated_names
        if has_markup:
            certain_names = repeated_names | _standard_names(family)
        if not self._sets_names_apart(family_name, family, certain_names):
            return
        is_in_capitals = family_name.startswith(OWN_LINE_IN_CAPITALS)
        is_usual_place = family.is_regular or has_markup
        for name, group in family.groups.items():
            is_standard = is_in_capitals and is_standard_label(name)
            is_likely_name = is_usual_place and group.quality >= SINGLE_NAME
            # Words that are not a name, in a text whose labels are headings
            may_be_heading = bool(repeated_names) and group.quality == NO_NAME
            points = 0
            if name in certain_names or is_standard or is_likely_name:
                points = ACCEPTED_POINTS
            elif may_be_heading or (is_in_capitals and group.quality == USUAL_LABEL):
                points = DOUBTFUL_POINTS
            # The text behind the name goes on as a sentence does.
            if group.always_starts_lower and not family.starts_lower_case:
                points -= ACCEPTED_POINTS
            self._points[family_name, name] = points

    def _sets_names_apart(self, family_name: str, family: _Family, certain_names: set[str]) -> bool:
        """Return whether a text writes the names of speakers in this way, without a mark."""
        min_names = MIN_REPEATS
        if family_name.startswith(CLASS) and family.repeated_names() & certain_names:
            min_names = 1
        if len(certain_names) >= min_names and self._is_habit(family_name, family):
            return True
        has_several_names = len(family.groups) >= MIN_REPEATS
        return _has_markup(family_name) and bool(certain_names) and has_several_names

    def _is_habit(self, family_name: str, family: _Family) -> bool:
        """Return whether a text sets names apart in this way.

        Turns may have paragraphs, so that names above gaps are rare. Headings above gaps seldom
        recur, and stand between labels of another kind.
        """
        if family.is_regular or _has_markup(family_name):
            return True
        is_in_capitals = family_name.startswith(OWN_LINE_IN_CAPITALS)
        is_above_gap = family_name.endswith(ABOVE_GAP)
        if not is_above_gap:
            return is_in_capitals
        # How often each of the repeated names stands above an empty line
        name_counts = []
        for group in family.groups.values():
            looks_like_name = is_in_capitals or group.quality >= FULL_NAME
            if group.is_repeated and looks_like_name:
                name_counts.append(group.count)
        if len(name_counts) < MIN_REPEATS or sum(name_counts) < MIN_NAMES_ABOVE_GAPS:
            return False
        return sum(name_counts) > self._accepted_colon_count()

    def _weigh_questions(self, family: _Family | None) -> None:
        if family is None:
            return
        for name, group in family.groups.items():
            is_repeated_question = name == "q" and group.is_repeated
            is_sure = is_repeated_question or group.quality >= TITLED_NAME
            self._points[QUESTION, name] = ACCEPTED_POINTS if is_sure else 0

    def _question_points(self, head: LabelHead, previous_name: str, points: int) -> int:
        """Return the points of Q or A: an A needs questions, a bare one right after a Q."""
        if head.label.name == "Q":
            return points
        if "q" not in self._families[QUESTION].groups:
            return 0
        if head.quality >= TITLED_NAME:
            return ACCEPTED_POINTS
        # "A Republican senator" begins a paragraph, not an answer.
        return ACCEPTED_POINTS if previous_name == "Q" else 0


def _has_markup(family_name: str) -> bool:
    """Return whether the heads of a family are in bold type, headings, or of a class of the page."""
    return family_name.startswith((MARKED, HEADING, CLASS))


def _standard_names(family: _Family) -> set[str]:
    """Return the names of a family that are usual labels: roles, identifiers, unknown speakers."""
    names = set()
    for name, group in family.groups.items():
        if group.quality == USUAL_LABEL and is_standard_label(name):
            names.add(name)
    return names


def _likely_names(family: _Family) -> set[str]:
    """Return the names before a colon that are likely labels by themselves.

    They make the other names of the text likelier.
    """
    likely_names = set()
    full_names = set()
    for name, group in family.groups.items():
        is_repeated_name = group.is_repeated and group.quality > LOWER_CASE
        if group.quality >= TITLED_NAME or is_repeated_name:
            likely_names.add(name)
        if group.quality == FULL_NAME:
            full_names.add(name)
    # If most paragraphs begin with such a label, names in lower case count as well.
    if family.is_regular:
        likely_names |= family.repeated_names()
        if len(full_names) >= MIN_REPEATS:
            likely_names |= full_names
    return likely_names


def _lower_case_points(family: _Family, group: _HeadGroup, other_count: int, points: int) -> int:
    """Return the points of a name in lower case, which is at most doubtful in most texts."""
    if family.is_regular and points >= ACCEPTED_POINTS:
        return points
    has_company = other_count > 0
    begins_paragraph = group.paragraph_count > 0
    is_followed_by_capitals = not family.starts_lower_case and not group.always_starts_lower
    if has_company and begins_paragraph and is_followed_by_capitals:
        # A paragraph of a labelled text seldom begins in lower case, unless with a label.
        return DOUBTFUL_POINTS
    return min(points - 1, DOUBTFUL_POINTS)


def _names_with_full_stops(family: _Family) -> set[str]:
    """Return the names before a full stop that are likely labels by themselves."""
    is_habit = family.is_regular or _has_many_frequent_names(family)
    titled_names = set()
    recurring_names = set()
    for name, group in family.groups.items():
        if group.quality >= TITLED_NAME:
            titled_names.add(name)
        is_like_labels = is_habit or group.is_mostly_marked
        if group.is_repeated and group.quality >= SINGLE_NAME and is_like_labels:
            recurring_names.add(name)
        # Plays shorten the names of their people: "To." is Toby, "And." Andrew.
        is_frequent_word = group.quality == FUNCTION_WORD and group.count >= FREQUENT_COUNT
        if is_frequent_word and is_habit:
            recurring_names.add(name)
    if len(recurring_names) >= MIN_REPEATS:
        return titled_names | recurring_names
    return titled_names


def _has_many_frequent_names(family: _Family) -> bool:
    """Return whether so many names recur so often that they are the people of a text."""
    frequent_count = sum(group.count >= FREQUENT_COUNT for group in family.groups.values())
    is_frequent = family.paragraph_share >= MIN_FREQUENT_SHARE
    return is_frequent and frequent_count >= MIN_FREQUENT_NAMES


def _evidence(lines: Sequence[HintedLine], labels: Sequence[FoundLabel | None]) -> dict[str, str]:
    """Return for each name how its labels are set apart, and how often, in words."""
    # How often each mark sets a name apart, by name
    mark_counts: dict[str, Counter[str]] = defaultdict(Counter)
    paragraph_counts: Counter[str] = Counter()
    for line, found_label in zip(lines, labels, strict=True):
        if found_label and not found_label.is_doubtful:
            name = found_label.label.name
            mark_counts[name][found_label.set_apart_by] += 1
            paragraph_counts[name] += line.starts_paragraph
    evidence = {}
    for name, counts in mark_counts.items():
        line_count = counts.total()
        [(commonest_mark, _)] = counts.most_common(1)
        plural = "s" if line_count > 1 else ""
        always_begins_paragraph = paragraph_counts[name] == line_count
        frequency = "always" if always_begins_paragraph else "not always"
        evidence[name] = (
            f"{line_count} line{plural} with {commonest_mark} as the mark of a label, one of "
            f"{len(mark_counts)} names, {frequency} at the start of a paragraph"
        )
    return evidence
