"""Finds the speaker labels of a text by the whole text, not by a list of shapes.

A candidate is the short beginning of a line that is set apart (by a colon, a full stop, a dash, a
wide space, a line of its own, bold, a heading, a class name). It is a label if it recurs in the
company of other such candidates. Points weigh the evidence. A candidate with too few points is
speech; one with nearly enough is doubtful: its words have no known speaker, and a person may
accept it.

Plain text, pages, documents, cells of tables, captions and live text all use ``find_labels``::

    lines = [LineWithLayout("maria: Good evening."), LineWithLayout("tom: Thank you.")]
    findings = find_labels(lines, accepted_names={"tom"})
    for line, found in zip(lines, findings.labels):
        if found is None:          # no label: the speaker of the line before goes on
            ...
        elif found.is_doubtful:    # speaker unknown, text unchanged, quote the line in a warning
            ...
        else:                      # found.label.speaker says line.text[found.label.end :]
            ...

Pass a whole file at once. If a file arrives line by line, call it again for the lines so far, or
pass ``accepted_names`` with the names that were found before.
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
    LabelCandidate,
    LineWithLayout,
    label_candidates,
)
from assistant.transcripts.people_of_one_name import with_roles
from assistant.transcripts.speaker_labels import SpeakerLabel, is_standard_label, names_nobody

__all__ = [
    "FoundLabel",
    "LineWithLayout",
    "LabelFindings",
    "find_labels",
]

# Points that a candidate needs to be a label, and to be a doubtful one
ACCEPTED_POINTS = 4
DOUBTFUL_POINTS = 3
MIN_SHARE_OF_MAIN_STYLE = 0.5  # share of paragraphs that begin with a candidate of the style
MIN_LINES_OF_MAIN_STYLE = 3
MIN_FULL_STOPS = 3  # labels, for a text whose labels end in full stops
MIN_REPEATS = 2
FREQUENT_COUNT = 4
MIN_FREQUENT_NAMES = 6  # names with many candidates, where fewer paragraphs have one
MIN_FREQUENT_SHARE = 0.3  # share of paragraphs with the candidate of such a text
MIN_NAMES_ABOVE_GAPS = 4
MIN_NUMBER_HEAD_SHARE = 0.8  # share of paragraphs with a number, for numbers to be voices
MAX_VOICE_NUMBER = 20
KEY_CACHE_SIZE = 4096  # a text repeats its names
# Styles that are weighed by rules of their own
_STYLES_WITH_A_MARK = (COLON, PHRASE, NUMBER, FULL_STOP, QUESTION)


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
class _NameUses:
    """The candidates of one style with the same name.

    ``name_quality`` is how much it looks like a name.
    """

    name_quality: int = FUNCTION_WORD
    count: int = 0
    paragraph_start_count: int = 0
    marked_up_count: int = 0
    lower_start_count: int = 0
    is_caseless: bool = False

    def add(self, candidate: LabelCandidate, line: LineWithLayout) -> None:
        self.name_quality = max(self.name_quality, candidate.name_quality)
        self.count += 1
        self.paragraph_start_count += line.starts_paragraph
        self.marked_up_count += candidate.is_marked_up
        self.lower_start_count += candidate.speech_starts_lower
        self.is_caseless = candidate.label.name.upper() == candidate.label.name.lower()

    @property
    def is_repeated(self) -> bool:
        return self.count >= MIN_REPEATS

    @property
    def is_mostly_marked_up(self) -> bool:
        """Whether mark-up, such as bold type, ends where most of the names end."""
        return 2 * self.marked_up_count > self.count

    @property
    def always_starts_lower(self) -> bool:
        """Whether the speech behind every candidate begins in lower case."""
        return self.lower_start_count == self.count


@dataclass(slots=True)
class _LabelStyle:
    """The candidates of a text that are set apart in the same way, by name in lower case.

    ``paragraph_share`` is the share of the text's paragraphs that begin with such a candidate.
    ``starts_lower_case`` is about the speech behind the candidates.
    """

    uses_by_name: dict[str, _NameUses] = field(default_factory=lambda: defaultdict(_NameUses))
    paragraph_start_count: int = 0
    paragraph_share: float = 0.0
    begins_most_paragraphs: bool = False
    starts_lower_case: bool = False
    is_in_capitals: bool = False
    is_marked_up: bool = False

    def repeated_names(self) -> set[str]:
        """Return the names that occur at least twice."""
        return {name for name, uses in self.uses_by_name.items() if uses.is_repeated}


def find_labels(
    lines: Sequence[LineWithLayout],
    *,
    accepted_names: Collection[str] = (),
    refused_names: Collection[str] = (),
) -> LabelFindings:
    """Return the label of each line, by all lines together.

    ``accepted_names`` and ``refused_names`` are those that a person has decided about; they need no evidence.
    """
    accepted_lower_names = {_lower_name(name) for name in accepted_names}
    refused_lower_names = {_lower_name(name) for name in refused_names}
    candidates_by_line = []
    for line in lines:
        candidates = []
        for candidate in label_candidates(line):
            if _lower_name(candidate.label.name) not in refused_lower_names:
                candidates.append(candidate)
        candidates_by_line.append(candidates)
    styles = _styles_by_name(lines, candidates_by_line)
    judge = _LabelJudge(styles, accepted_lower_names)
    findings = LabelFindings([])
    previous_name = ""
    for line, candidates in zip(lines, candidates_by_line, strict=True):
        found_label = judge.label(line, candidates, previous_name)
        findings.labels.append(found_label)
        if found_label and not found_label.is_doubtful:
            previous_name = found_label.label.name
    findings.labels = _with_roles(lines, findings.labels)
    findings.evidence = _evidence(lines, findings.labels)
    return findings


def _with_roles(
    lines: Sequence[LineWithLayout], found_labels: Sequence[FoundLabel | None]
) -> list[FoundLabel | None]:
    """Return the labels with the role in the name for two people of one name."""
    written_labels = []
    for line, found in zip(lines, found_labels, strict=True):
        written_labels.append(line.text[: found.label.end] if found else "")
    labels = with_roles(written_labels, [found.label if found else None for found in found_labels])
    labels_with_roles: list[FoundLabel | None] = []
    for found, label in zip(found_labels, labels, strict=True):
        labels_with_roles.append(replace(found, label=label) if found and label else None)
    return labels_with_roles


@lru_cache(maxsize=KEY_CACHE_SIZE)
def _lower_name(name: str) -> str:
    return " ".join(name.split()).casefold()


def _styles_by_name(
    lines: Sequence[LineWithLayout], candidates_by_line: Sequence[Sequence[LabelCandidate]]
) -> dict[str, _LabelStyle]:
    """Return the candidates of all lines by style, with the measures of each style."""
    # A candidate is the beginning of a line that may be a label. The candidates of a style are
    # set apart from the speech in the same way, such as by a colon.
    styles: dict[str, _LabelStyle] = defaultdict(_LabelStyle)
    paragraph_total = 0
    for line, candidates in zip(lines, candidates_by_line, strict=True):
        if line.starts_paragraph and line.text.strip():
            paragraph_total += 1
        for candidate in candidates:
            style = styles[candidate.style_name]
            style.uses_by_name[_lower_name(candidate.label.name)].add(candidate, line)
            style.paragraph_start_count += line.starts_paragraph
    for style in styles.values():
        style.paragraph_share = style.paragraph_start_count / max(paragraph_total, 1)
        _set_properties(style)
    return styles


def _set_properties(style: _LabelStyle) -> None:
    """Set the properties of a style, which follow from its candidates."""
    has_enough_lines = style.paragraph_start_count >= MIN_LINES_OF_MAIN_STYLE
    is_frequent = style.paragraph_share >= MIN_SHARE_OF_MAIN_STYLE
    style.begins_most_paragraphs = has_enough_lines and is_frequent
    style.is_in_capitals = _is_in_capitals(style)
    # A property of more than half of the candidates is a property of the style.
    all_uses = style.uses_by_name.values()
    candidate_count = sum(uses.count for uses in all_uses)
    lower_start_count = sum(uses.lower_start_count for uses in all_uses)
    marked_up_count = sum(uses.marked_up_count for uses in all_uses)
    style.starts_lower_case = lower_start_count > candidate_count / 2
    style.is_marked_up = marked_up_count > candidate_count / 2


def _is_in_capitals(style: _LabelStyle) -> bool:
    """Return whether most of the likely labels of a style are in capitals."""
    likely_count = 0
    capital_count = 0
    for name, uses in style.uses_by_name.items():
        is_likely = uses.name_quality >= TITLED_NAME or uses.is_repeated
        if not is_likely or is_standard_label(name):
            continue
        likely_count += uses.count
        # Apart from standard labels, names in capitals have this quality.
        if uses.name_quality == USUAL_LABEL:
            capital_count += uses.count
    return 2 * capital_count > likely_count


class _LabelJudge:
    """Weighs the candidates of a line by the styles of the whole text."""

    def __init__(self, styles: dict[str, _LabelStyle], accepted_names: set[str]) -> None:
        self._styles_by_name = styles
        self._accepted_names = accepted_names
        # Points by the style and the name in lower case
        self._points: dict[tuple[str, str], int] = {}
        self._weigh_names_before_colons(styles.get(COLON))
        self._weigh_phrases_before_colons(styles.get(PHRASE))
        self._weigh_numbers_before_colons(styles.get(NUMBER))
        self._weigh_names_before_full_stops(styles.get(FULL_STOP), styles.get(QUESTION))
        for style_name, style in styles.items():
            if style_name not in _STYLES_WITH_A_MARK:
                self._weigh_names_without_mark(style_name, style)
        self._weigh_questions(styles.get(QUESTION))

    def label(
        self, line: LineWithLayout, candidates: Sequence[LabelCandidate], previous_name: str
    ) -> FoundLabel | None:
        """Return the label of a line, the likeliest of its candidates, None if it has none."""
        # A line may be divided into label and speech in several ways, each with its candidate.
        doubtful_label: FoundLabel | None = None
        for candidate in sorted(candidates, key=self._sort_key):
            # Names that a person has accepted
            if _lower_name(candidate.label.name) in self._accepted_names:
                return FoundLabel(candidate.label, candidate.set_apart_by)
            if candidate.set_apart_by == COLON and self._continues_line_above(line, candidate):
                continue
            points = self._candidate_points(line, candidate, previous_name)
            if points >= ACCEPTED_POINTS:
                return FoundLabel(candidate.label, candidate.set_apart_by)
            if points == DOUBTFUL_POINTS and doubtful_label is None:
                label_of_unknown = replace(candidate.label, speaker=None)
                doubtful_label = FoundLabel(
                    label_of_unknown, candidate.set_apart_by, is_doubtful=True
                )
        return doubtful_label

    def _candidate_points(
        self, line: LineWithLayout, candidate: LabelCandidate, previous_name: str
    ) -> int:
        """Return the points of a candidate in its line."""
        # Within a paragraph, a name with a full stop ends a sentence.
        if candidate.set_apart_by == FULL_STOP and not line.starts_paragraph:
            return 0
        # The points that the name has in the whole text, if it is written in this way
        points = self._points.get((candidate.style_name, _lower_name(candidate.label.name)), 0)
        if candidate.set_apart_by == QUESTION:  # "Q." and "A."
            return self._question_points(candidate, previous_name, points)
        return points

    def _continues_line_above(self, line: LineWithLayout, candidate: LabelCandidate) -> bool:
        """Return whether a candidate ends a sentence: "I told the / Mayor: we lost"."""
        if line.starts_paragraph or not candidate.speech_starts_lower:
            return False
        style = self._styles_by_name[candidate.style_name]
        uses = style.uses_by_name[_lower_name(candidate.label.name)]
        begins_no_paragraph = uses.paragraph_start_count == 0
        return begins_no_paragraph and not style.starts_lower_case

    def _sort_key(self, candidate: LabelCandidate) -> tuple[bool, bool]:
        """Return a key that puts candidates of regular styles first, colons last among these."""
        is_irregular = not self._styles_by_name[candidate.style_name].begins_most_paragraphs
        is_unsure_colon = candidate.set_apart_by == COLON and not candidate.label.is_sure
        return is_irregular, is_unsure_colon

    def _weigh_names_before_colons(self, style: _LabelStyle | None) -> None:
        """Give points to each name before a colon."""
        if style is None:
            return
        likely_names = _likely_names(style)
        is_first_name = True
        for name, uses in style.uses_by_name.items():
            other_likely_count = len(likely_names) - (name in likely_names)
            points = self._colon_points(style, uses, other_likely_count)
            # An interview may name its only speaker once, at the beginning.
            is_full_name = uses.name_quality == FULL_NAME
            if is_first_name and is_full_name and not uses.always_starts_lower:
                points += 1
            is_first_name = False
            is_alone = other_likely_count == 0 and not uses.is_repeated
            if is_alone and uses.name_quality < FULL_NAME:
                points = min(points, DOUBTFUL_POINTS)
            self._points[COLON, name] = points

    def _weigh_phrases_before_colons(self, style: _LabelStyle | None) -> None:
        """Doubt phrases that recur before a colon as labels do: "First Voice: Good evening"."""
        if style is None:
            return
        for name in style.repeated_names():
            uses = style.uses_by_name[name]
            always_starts_paragraph = uses.paragraph_start_count == uses.count
            if always_starts_paragraph and uses.lower_start_count == 0:
                self._points[PHRASE, name] = DOUBTFUL_POINTS

    def _weigh_numbers_before_colons(self, style: _LabelStyle | None) -> None:
        """Give points to numbers that recur before colons, as voices do: "1: Good evening".

        The numbers of a list or of verses occur once each.
        """
        if style is None or len(style.uses_by_name) < MIN_REPEATS:
            return
        recurring_numbers = style.repeated_names()
        do_all_recur = len(recurring_numbers) == len(style.uses_by_name)
        are_voices = do_all_recur and len(style.uses_by_name) <= MAX_VOICE_NUMBER
        if not are_voices or not style.begins_most_paragraphs:
            return
        is_sure = style.paragraph_share >= MIN_NUMBER_HEAD_SHARE
        for number in recurring_numbers:
            self._points[NUMBER, number] = ACCEPTED_POINTS if is_sure else DOUBTFUL_POINTS

    def _colon_points(self, style: _LabelStyle, uses: _NameUses, other_likely_count: int) -> int:
        """Return the points of a name: its look, how often it recurs, and its company.

        ``other_count`` is the number of other names of the text that are likely labels.
        """
        # ACCEPTED_POINTS make a label, DOUBTFUL_POINTS a doubtful one.
        points = uses.name_quality
        if uses.count >= FREQUENT_COUNT:
            points += 3
        elif uses.is_repeated:
            points += 2
        points += min(other_likely_count, 2)
        if style.begins_most_paragraphs:
            points += 2
        begins_paragraph = uses.paragraph_start_count > 0
        points += 1 if begins_paragraph else -1
        if uses.is_mostly_marked_up:
            points += 2
        # "Breaking News: the port closed" goes on as a sentence does.
        goes_on = uses.always_starts_lower and not style.starts_lower_case
        if goes_on and uses.name_quality < USUAL_LABEL:
            points -= 3
        # "Reagan: A time for choosing" in a text whose labels are in capitals
        is_unlike_labels = style.is_in_capitals and uses.name_quality <= SINGLE_NAME
        if is_unlike_labels and uses.count < FREQUENT_COUNT:
            points -= 3
        # Words before a colon below "### 王明：", in a text whose labels are headings or bold. In
        # a script without capitals, they are refused.
        is_bare = style.is_marked_up and not uses.marked_up_count and not uses.is_repeated
        if is_bare and uses.name_quality < TITLED_NAME:
            max_points = DOUBTFUL_POINTS - 1 if uses.is_caseless else DOUBTFUL_POINTS
            points = min(points, max_points)
        if uses.name_quality == LOWER_CASE:
            points = _lower_case_points(style, uses, other_likely_count, points)
        is_single_word_once = uses.name_quality == SINGLE_NAME and uses.count == 1
        if is_single_word_once and not style.begins_most_paragraphs:
            points = min(points - 1, DOUBTFUL_POINTS)
        return points

    def _weigh_names_before_full_stops(
        self, style: _LabelStyle | None, questions: _LabelStyle | None
    ) -> None:
        """Give points to names before a full stop, if the labels of the text end in one."""
        if style is None:
            return
        label_names = _names_with_full_stops(style)
        label_count = sum(style.uses_by_name[name].paragraph_start_count for name in label_names)
        question_count = 0  # lines that begin with "Q."
        if questions and "q" in questions.uses_by_name:
            question_count = questions.uses_by_name["q"].count
        if label_count + question_count < MIN_FULL_STOPS:
            return
        # In a text whose labels end in colons, a full stop ends a sentence.
        if label_count <= self._accepted_colon_count():
            return
        # Q. and A. alone do not show that names end in full stops, too.
        if question_count and not label_count:
            return
        for name, uses in style.uses_by_name.items():
            may_be_label = names_nobody(name) or not is_standard_label(name)
            is_full_name = uses.name_quality == FULL_NAME and may_be_label
            if name in label_names or is_full_name:
                self._points[FULL_STOP, name] = ACCEPTED_POINTS

    def _accepted_colon_count(self) -> int:
        """Return the number of candidates before a colon with enough points for a label."""
        style = self._styles_by_name.get(COLON)
        if style is None:
            return 0
        accepted_count = 0
        for name, uses in style.uses_by_name.items():
            if self._points[COLON, name] >= ACCEPTED_POINTS:
                accepted_count += uses.count
        return accepted_count

    def _weigh_names_without_mark(self, style_name: str, style: _LabelStyle) -> None:
        """Give points to names without a mark behind them: these need recurring company."""
        # The candidates of a style are written in one way: as bold type, or on lines of their own.
        has_markup = _has_markup(style_name)
        repeated_names = set()
        for name, uses in style.uses_by_name.items():
            if uses.is_repeated and uses.name_quality > NO_NAME:
                repeated_names.add(name)
        certain_names = repeated_names
        if has_markup:
            certain_names = repeated_names | _standard_names(style)
        if not self._sets_names_apart(style_name, style, certain_names):
            return
        is_in_capitals = style_name.startswith(OWN_LINE_IN_CAPITALS)
        is_usual_place = style.begins_most_paragraphs or has_markup
        for name, uses in style.uses_by_name.items():
            # "MODERATOR" on a line of its own
            is_standard = is_in_capitals and is_standard_label(name)
            is_likely_name = is_usual_place and uses.name_quality >= SINGLE_NAME
            # Words that are not a name, in a text whose labels are headings
            may_be_heading = bool(repeated_names) and uses.name_quality == NO_NAME
            may_be_label_in_capitals = is_in_capitals and uses.name_quality == USUAL_LABEL
            points = 0
            if name in certain_names or is_standard or is_likely_name:
                points = ACCEPTED_POINTS
            elif may_be_heading or may_be_label_in_capitals:
                points = DOUBTFUL_POINTS
            # The text behind the name goes on as a sentence does.
            if uses.always_starts_lower and not style.starts_lower_case:
                points -= ACCEPTED_POINTS
            self._points[style_name, name] = points

    def _sets_names_apart(
        self, style_name: str, style: _LabelStyle, certain_names: set[str]
    ) -> bool:
        """Return whether a text writes the names of speakers in this way, without a mark."""
        min_names = MIN_REPEATS
        if style_name.startswith(CLASS) and style.repeated_names() & certain_names:
            min_names = 1
        if len(certain_names) >= min_names and self._is_usual_style(style_name, style):
            return True
        has_several_names = len(style.uses_by_name) >= MIN_REPEATS
        return _has_markup(style_name) and bool(certain_names) and has_several_names

    def _is_usual_style(self, style_name: str, style: _LabelStyle) -> bool:
        """Return whether a text sets names apart in this way.

        Turns may have paragraphs, so that names above gaps are rare. Headings above gaps seldom
        recur, and stand between labels of another kind.
        """
        if style.begins_most_paragraphs or _has_markup(style_name):
            return True
        is_in_capitals = style_name.startswith(OWN_LINE_IN_CAPITALS)
        is_above_gap = style_name.endswith(ABOVE_GAP)
        if not is_above_gap:
            return is_in_capitals
        # How often each of the repeated names stands above an empty line
        name_counts = []
        for uses in style.uses_by_name.values():
            looks_like_name = is_in_capitals or uses.name_quality >= FULL_NAME
            if uses.is_repeated and looks_like_name:
                name_counts.append(uses.count)
        if len(name_counts) < MIN_REPEATS or sum(name_counts) < MIN_NAMES_ABOVE_GAPS:
            return False
        return sum(name_counts) > self._accepted_colon_count()

    def _weigh_questions(self, style: _LabelStyle | None) -> None:
        if style is None:
            return
        for name, uses in style.uses_by_name.items():
            is_repeated_question = name == "q" and uses.is_repeated
            is_sure = is_repeated_question or uses.name_quality >= TITLED_NAME
            self._points[QUESTION, name] = ACCEPTED_POINTS if is_sure else 0

    def _question_points(self, candidate: LabelCandidate, previous_name: str, points: int) -> int:
        """Return the points of Q or A: an A needs questions, a bare one right after a Q."""
        if candidate.label.name == "Q":
            return points
        if "q" not in self._styles_by_name[QUESTION].uses_by_name:
            return 0
        if candidate.name_quality >= TITLED_NAME:
            return ACCEPTED_POINTS
        # "A Republican senator" begins a paragraph, not an answer.
        return ACCEPTED_POINTS if previous_name == "Q" else 0


def _has_markup(style_name: str) -> bool:
    """Return whether the candidates of a style are bold, headings, or of a class of the page."""
    return style_name.startswith((MARKED, HEADING, CLASS))


def _standard_names(style: _LabelStyle) -> set[str]:
    """Return the names of a style that are usual labels: roles, identifiers, unknown speakers."""
    names = set()
    for name, uses in style.uses_by_name.items():
        if uses.name_quality == USUAL_LABEL and is_standard_label(name):
            names.add(name)
    return names


def _likely_names(style: _LabelStyle) -> set[str]:
    """Return the names before a colon that are likely labels by themselves.

    They make the other names of the text likelier.
    """
    likely_names = set()
    full_names = set()
    for name, uses in style.uses_by_name.items():
        is_repeated_name = uses.is_repeated and uses.name_quality > LOWER_CASE
        if uses.name_quality >= TITLED_NAME or is_repeated_name:
            likely_names.add(name)
        if uses.name_quality == FULL_NAME:
            full_names.add(name)
    # If most paragraphs begin with such a label, names in lower case count as well.
    if style.begins_most_paragraphs:
        likely_names |= style.repeated_names()
        if len(full_names) >= MIN_REPEATS:
            likely_names |= full_names
    return likely_names


def _lower_case_points(
    style: _LabelStyle, uses: _NameUses, other_likely_count: int, points: int
) -> int:
    """Return the points of a name in lower case, which is at most doubtful in most texts."""
    if style.begins_most_paragraphs and points >= ACCEPTED_POINTS:
        return points
    has_company = other_likely_count > 0
    begins_paragraph = uses.paragraph_start_count > 0
    is_followed_by_capitals = not style.starts_lower_case and not uses.always_starts_lower
    if has_company and begins_paragraph and is_followed_by_capitals:
        # A paragraph of a labelled text seldom begins in lower case, unless with a label.
        return DOUBTFUL_POINTS
    return min(points - 1, DOUBTFUL_POINTS)


def _names_with_full_stops(style: _LabelStyle) -> set[str]:
    """Return the names before a full stop that are likely labels by themselves."""
    labels_are_usual = style.begins_most_paragraphs or _has_many_frequent_names(style)
    titled_names = set()
    recurring_names = set()
    for name, uses in style.uses_by_name.items():
        if uses.name_quality >= TITLED_NAME:
            titled_names.add(name)
        stands_like_label = labels_are_usual or uses.is_mostly_marked_up
        if uses.is_repeated and uses.name_quality >= SINGLE_NAME and stands_like_label:
            recurring_names.add(name)
        # Plays shorten the names of their people: "To." is Toby, "And." Andrew.
        is_frequent_word = uses.name_quality == FUNCTION_WORD and uses.count >= FREQUENT_COUNT
        if is_frequent_word and labels_are_usual:
            recurring_names.add(name)
    if len(recurring_names) >= MIN_REPEATS:
        return titled_names | recurring_names
    return titled_names


def _has_many_frequent_names(style: _LabelStyle) -> bool:
    """Return whether so many names recur so often that they are the people of a text."""
    frequent_count = sum(uses.count >= FREQUENT_COUNT for uses in style.uses_by_name.values())
    is_frequent = style.paragraph_share >= MIN_FREQUENT_SHARE
    return is_frequent and frequent_count >= MIN_FREQUENT_NAMES


def _evidence(
    lines: Sequence[LineWithLayout], labels: Sequence[FoundLabel | None]
) -> dict[str, str]:
    """Return for each name how its labels are set apart, and how often, in words."""
    # For each name, how often each mark sets it apart: {"MARIA": {"a colon": 12}}
    mark_counts_by_name: dict[str, Counter[str]] = defaultdict(Counter)
    paragraph_start_counts: Counter[str] = Counter()
    for line, found_label in zip(lines, labels, strict=True):
        if found_label and not found_label.is_doubtful:
            name = found_label.label.name
            mark_counts_by_name[name][found_label.set_apart_by] += 1
            paragraph_start_counts[name] += line.starts_paragraph
    evidence_by_name = {}
    for name, mark_counts in mark_counts_by_name.items():
        line_count = mark_counts.total()
        [(commonest_mark, _)] = mark_counts.most_common(1)
        plural = "s" if line_count > 1 else ""
        always_begins_paragraph = paragraph_start_counts[name] == line_count
        frequency = "always" if always_begins_paragraph else "not always"
        evidence_by_name[name] = (
            f"{line_count} line{plural} with {commonest_mark} as the mark of a label, one of "
            f"{len(mark_counts_by_name)} names, {frequency} at the start of a paragraph"
        )
    return evidence_by_name
