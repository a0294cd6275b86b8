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

ACCEPTED_POINTS = 4
DOUBTFUL_POINTS = 3
REGULAR_SHARE = 0.5  # share of paragraphs with a head of this kind
MIN_REGULAR_LINES = 3
MIN_FULL_STOPS = 3  # labels, for a text whose labels end in full stops
MIN_REPEATS = 2
FREQUENT_COUNT = 4
MIN_NAMES_ABOVE_GAPS = 4
MIN_NUMBER_HEAD_SHARE = 0.8  # share of paragraphs with a number, for numbers to be voices
MAX_VOICE_NUMBER = 20
KEY_CACHE_SIZE = 4096  # a text repeats its names


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
    """The heads of one family with the same name."""

    quality: int = NO_NAME
    count: int = 0
    paragraph_count: int = 0
    marked_count: int = 0
    lower_start_count: int = 0

    def add(self, head: LabelHead, line: HintedLine) -> None:
        self.quality = max(self.quality, head.quality)
        self.count += 1
        self.paragraph_count += line.starts_paragraph
        self.marked_count += head.is_marked
        self.lower_start_count += head.speech_starts_lower


@dataclass(slots=True)
class _Family:
    """The heads of a text that are set apart in the same way, by name in lower case."""

    groups: dict[str, _HeadGroup] = field(default_factory=lambda: defaultdict(_HeadGroup))
    line_count: int = 0
    paragraph_share: float = 0.0
    is_regular: bool = False
    starts_lower_case: bool = False
    is_in_capitals: bool = False

    def repeated(self) -> set[str]:
        """Return the names that occur at least twice."""
        return {name for name, group in self.groups.items() if group.count >= MIN_REPEATS}


def find_labels(
    lines: Sequence[HintedLine],
    *,
    accepted: Collection[str] = (),
    refused: Collection[str] = (),
) -> LabelFindings:
    """Return the label of each line, by all lines together.

    ``accepted`` and ``refused`` are names that a person has decided about; they need no evidence.
    """
    accepted_keys = {_key(name) for name in accepted}
    refused_keys = {_key(name) for name in refused}
    candidates = []
    for line in lines:
        candidates.append(
            [head for head in candidate_heads(line) if _key(head.label.name) not in refused_keys]
        )
    families = _families(lines, candidates)
    judge = _Judge(families, accepted_keys)
    findings = LabelFindings([])
    previous_name = ""
    for line, line_heads in zip(lines, candidates, strict=True):
        found = judge.label(line, line_heads, previous_name)
        findings.labels.append(found)
        if found and not found.is_doubtful:
            previous_name = found.label.name
    findings.evidence = _evidence(lines, findings.labels)
    return findings


@lru_cache(maxsize=KEY_CACHE_SIZE)
def _key(name: str) -> str:
    return " ".join(name.split()).casefold()


def _families(
    lines: Sequence[HintedLine], candidates: Sequence[Sequence[LabelHead]]
) -> dict[str, _Family]:
    """Return the heads of all lines by family, with the measures of each family."""
    families: dict[str, _Family] = defaultdict(_Family)
    paragraph_total = 0
    for line, line_heads in zip(lines, candidates, strict=True):
        paragraph_total += bool(line.starts_paragraph and line.text.strip())
        for head in line_heads:
            family = families[head.family]
            family.groups[_key(head.label.name)].add(head, line)
            family.line_count += line.starts_paragraph
    for family in families.values():
        family.paragraph_share = family.line_count / max(paragraph_total, 1)
        is_frequent = family.paragraph_share >= REGULAR_SHARE
        family.is_regular = is_frequent and family.line_count >= MIN_REGULAR_LINES
        head_count = sum(group.count for group in family.groups.values())
        lower_count = sum(group.lower_start_count for group in family.groups.values())
        family.starts_lower_case = lower_count > head_count / 2
        family.is_in_capitals = _is_in_capitals(family)
    return families


def _is_in_capitals(family: _Family) -> bool:
    """Return whether most of the likely labels of a family are in capitals."""
    likely_count = 0
    capital_count = 0
    for key, group in family.groups.items():
        is_likely = group.quality >= TITLED_NAME or group.count >= MIN_REPEATS
        if is_likely and not is_standard_label(key):
            likely_count += group.count
            capital_count += group.count * (group.quality == USUAL_LABEL)
    return 2 * capital_count > likely_count


class _Judge:
    """Weighs the heads of a line by the families of the whole text."""

    def __init__(self, families: dict[str, _Family], accepted_keys: set[str]) -> None:
        self._families = families
        self._accepted_keys = accepted_keys
        self._points: dict[tuple[str, str], int] = {}
        self._weigh_colons(families.get(COLON))
        self._weigh_phrases(families.get(PHRASE))
        self._weigh_numbers(families.get(NUMBER))
        self._weigh_full_stops(families.get(FULL_STOP), families.get(QUESTION))
        for family_name, family in families.items():
            if family_name not in (COLON, PHRASE, NUMBER, FULL_STOP, QUESTION):
                self._weigh_set_apart(family_name, family)
        self._weigh_questions(families.get(QUESTION))

    def label(
        self, line: HintedLine, line_heads: Sequence[LabelHead], previous_name: str
    ) -> FoundLabel | None:
        """Return the label of a line, the likeliest of its heads, None if it has none."""
        doubtful: FoundLabel | None = None
        ordered_heads = sorted(line_heads, key=self._order)
        for head in ordered_heads:
            key = _key(head.label.name)
            if key in self._accepted_keys:
                return FoundLabel(head.label, head.set_apart_by)
            points = self._points.get((head.family, key), 0)
            if head.set_apart_by == FULL_STOP and not line.starts_paragraph:
                points = 0
            if head.set_apart_by == COLON and self._runs_on(line, head):
                continue
            if head.set_apart_by == QUESTION:
                points = self._question_points(head, previous_name, points)
            if points >= ACCEPTED_POINTS:
                return FoundLabel(head.label, head.set_apart_by)
            if points == DOUBTFUL_POINTS and doubtful is None:
                unknown = replace(head.label, speaker=None)
                doubtful = FoundLabel(unknown, head.set_apart_by, is_doubtful=True)
        return doubtful

    def _runs_on(self, line: HintedLine, head: LabelHead) -> bool:
        """Return whether a head ends a sentence of the line above: "I told the / Mayor: we lost"."""
        if line.starts_paragraph or not head.speech_starts_lower:
            return False
        family = self._families[head.family]
        return (
            not family.starts_lower_case
            and not family.groups[_key(head.label.name)].paragraph_count
        )

    def _order(self, head: LabelHead) -> tuple[bool, bool]:
        """Return a key that puts heads of regular families first, colons last among these."""
        is_regular = self._families[head.family].is_regular
        return not is_regular, head.set_apart_by == COLON and not head.label.is_sure

    def _weigh_colons(self, family: _Family | None) -> None:
        """Give points to each name before a colon."""
        if family is None:
            return
        strong_names = set()
        full_names = set()
        for key, group in family.groups.items():
            if group.quality >= TITLED_NAME:
                strong_names.add(key)
            elif group.quality == FULL_NAME:
                full_names.add(key)
        anchors = strong_names | {
            key for key in family.repeated() if family.groups[key].quality > LOWER_CASE
        }
        # If every paragraph begins like this, even names in lower case vouch for each other.
        if family.is_regular:
            anchors |= family.repeated()
            if len(full_names) >= MIN_REPEATS:
                anchors |= full_names
        is_first = True
        for key, group in family.groups.items():
            company = len(anchors) - (key in anchors)
            points = self._colon_points(family, group, company)
            # An interview may name its only speaker once, at the beginning.
            if is_first and group.quality == FULL_NAME and not _only_lower(group):
                points += 1
            is_first = False
            if not company and group.count < MIN_REPEATS and group.quality < FULL_NAME:
                points = min(points, DOUBTFUL_POINTS)
            self._points[COLON, key] = points

    def _weigh_phrases(self, family: _Family | None) -> None:
        """Doubt phrases that recur before a colon as labels do: "First Voice: Good evening"."""
        if family is None:
            return
        for key in family.repeated():
            group = family.groups[key]
            if group.paragraph_count == group.count and not group.lower_start_count:
                self._points[PHRASE, key] = DOUBTFUL_POINTS

    def _weigh_numbers(self, family: _Family | None) -> None:
        """Give points to numbers that recur before colons, as voices do: "1: Good evening".

        The numbers of a list or of verses occur once each.
        """
        if family is None or len(family.groups) < MIN_REPEATS:
            return
        recurring = family.repeated()
        are_voices = len(recurring) == len(family.groups) <= MAX_VOICE_NUMBER
        if not are_voices or not family.is_regular:
            return
        is_sure = family.paragraph_share >= MIN_NUMBER_HEAD_SHARE
        for key in recurring:
            self._points[NUMBER, key] = ACCEPTED_POINTS if is_sure else DOUBTFUL_POINTS

    def _colon_points(self, family: _Family, group: _HeadGroup, company: int) -> int:
        """Return the points of a name: its look, how often it recurs, and its company."""
        points = group.quality
        if group.count >= FREQUENT_COUNT:
            points += 3
        elif group.count >= MIN_REPEATS:
            points += 2
        points += min(company, 2)
        points += 2 * family.is_regular
        points += 1 if group.paragraph_count else -1
        points += 2 * (2 * group.marked_count > group.count)
        # "Breaking News: the port closed" goes on as a sentence does.
        if _only_lower(group) and not family.starts_lower_case and group.quality < USUAL_LABEL:
            points -= 3
        # "Reagan: A time for choosing" in a text whose labels are in capitals
        is_odd = family.is_in_capitals and group.quality <= SINGLE_NAME
        if is_odd and group.count < FREQUENT_COUNT:
            points -= 3
        if group.quality == LOWER_CASE:
            is_believed = family.is_regular and points >= ACCEPTED_POINTS
            is_alone = company == 0 or family.starts_lower_case or not group.paragraph_count
            if not is_believed and not is_alone and not _only_lower(group):
                # A paragraph of a labelled text seldom begins in lower case.
                points = DOUBTFUL_POINTS
            elif not is_believed:
                points = min(points - 1, DOUBTFUL_POINTS)
        if group.quality == SINGLE_NAME and group.count == 1 and not family.is_regular:
            points = min(points - 1, DOUBTFUL_POINTS)
        return points

    def _weigh_full_stops(self, family: _Family | None, questions: _Family | None) -> None:
        """Give points to names before a full stop, if the labels of the text end in one."""
        if family is None:
            return
        titled = {
            key: group for key, group in family.groups.items() if group.quality >= TITLED_NAME
        }
        repeated_names = {
            key
            for key in family.repeated()
            if family.groups[key].quality >= SINGLE_NAME
            and (
                family.is_regular or 2 * family.groups[key].marked_count > family.groups[key].count
            )
        }
        if len(repeated_names) >= MIN_REPEATS:
            titled.update((key, family.groups[key]) for key in repeated_names)
        titled_count = sum(group.paragraph_count for group in titled.values())
        question_group = questions.groups.get("q") if questions else None
        question_count = question_group.count if question_group else 0
        colon_count = sum(
            group.count
            for key, group in self._colon_groups()
            if self._points[COLON, key] >= ACCEPTED_POINTS
        )
        if titled_count + question_count < MIN_FULL_STOPS or titled_count <= colon_count:
            return
        # Q. and A. alone do not show that names end in full stops, too.
        if question_count and not titled_count:
            return
        for key, group in family.groups.items():
            if key in titled:
                self._points[FULL_STOP, key] = USUAL_LABEL
            elif group.quality == FULL_NAME and (names_nobody(key) or not is_standard_label(key)):
                self._points[FULL_STOP, key] = ACCEPTED_POINTS

    def _colon_groups(self) -> list[tuple[str, _HeadGroup]]:
        family = self._families.get(COLON)
        return list(family.groups.items()) if family else []

    def _weigh_set_apart(self, family_name: str, family: _Family) -> None:
        """Give points to names without a mark behind them: these need recurring company."""
        way = family_name.split(" line")[0]
        is_marked = family_name.startswith((MARKED, HEADING, CLASS))
        repeated = {key for key in family.repeated() if family.groups[key].quality > NO_NAME}
        usual = {
            key
            for key, group in family.groups.items()
            if group.quality == USUAL_LABEL and is_standard_label(key)
        }
        anchors = repeated | usual if is_marked else repeated
        is_in_capitals = family_name.startswith(OWN_LINE_IN_CAPITALS)
        is_habit = self._is_habit(family_name, family)
        min_names = MIN_REPEATS
        if family_name.startswith(CLASS) and repeated:
            min_names = 1
        if not is_habit or len(anchors) < min_names:
            if not (is_marked and anchors and len(family.groups) >= MIN_REPEATS):
                return
        for key, group in family.groups.items():
            is_alike = family.is_regular or is_marked
            min_quality = FULL_NAME if way == MARKED else SINGLE_NAME
            is_standard = is_in_capitals and is_standard_label(key)
            points = 0
            if key in anchors or is_standard or (is_alike and group.quality >= min_quality):
                points = ACCEPTED_POINTS
            elif is_in_capitals and group.quality == USUAL_LABEL:
                points = DOUBTFUL_POINTS
            elif group.quality == NO_NAME and repeated:
                # a heading where labels are headings
                points = DOUBTFUL_POINTS
            if _only_lower(group) and not family.starts_lower_case:
                points -= ACCEPTED_POINTS
            self._points[family_name, key] = points

    def _is_habit(self, family_name: str, family: _Family) -> bool:
        """Return whether a text sets names apart in this way.

        Turns may have paragraphs, so that names above gaps are rare. Headings above gaps seldom
        recur, and stand between labels of another kind.
        """
        is_marked = family_name.startswith((MARKED, HEADING, CLASS))
        is_in_capitals = family_name.startswith(OWN_LINE_IN_CAPITALS)
        if family.is_regular or is_marked:
            return True
        if not family_name.endswith(ABOVE_GAP):
            return is_in_capitals
        name_counts = [
            group.count
            for group in family.groups.values()
            if group.count >= MIN_REPEATS and (is_in_capitals or group.quality >= FULL_NAME)
        ]
        colon_count = sum(
            group.count
            for key, group in self._colon_groups()
            if self._points[COLON, key] >= ACCEPTED_POINTS
        )
        is_frequent = sum(name_counts) >= MIN_NAMES_ABOVE_GAPS
        return is_frequent and len(name_counts) >= MIN_REPEATS and sum(name_counts) > colon_count

    def _weigh_questions(self, family: _Family | None) -> None:
        if family is None:
            return
        for key, group in family.groups.items():
            points = ACCEPTED_POINTS if group.quality >= TITLED_NAME else 0
            if key == "q" and group.count >= MIN_REPEATS:
                points = ACCEPTED_POINTS
            self._points[QUESTION, key] = points

    def _question_points(self, head: LabelHead, previous_name: str, points: int) -> int:
        """Return the points of Q or A: an A needs questions, a bare one right after a Q."""
        if head.label.name == "Q":
            return points
        questions = self._families[QUESTION].groups.get("q")
        if questions is None:
            return 0
        if head.quality >= TITLED_NAME:
            return ACCEPTED_POINTS
        # "A Republican senator" begins a paragraph, not an answer.
        return ACCEPTED_POINTS if previous_name == "Q" else 0


def _only_lower(group: _HeadGroup) -> bool:
    return group.lower_start_count == group.count


def _evidence(lines: Sequence[HintedLine], labels: Sequence[FoundLabel | None]) -> dict[str, str]:
    """Return for each name how its labels are set apart, and how often, in words."""
    name_ways: dict[str, Counter[str]] = defaultdict(Counter)
    paragraph_counts: Counter[str] = Counter()
    for line, found in zip(lines, labels, strict=True):
        if found and not found.is_doubtful:
            name_ways[found.label.name][found.set_apart_by] += 1
            paragraph_counts[found.label.name] += line.starts_paragraph
    evidence = {}
    for name, ways in name_ways.items():
        count = ways.total()
        way = ways.most_common(1)[0][0]
        plural = "s" if count > 1 else ""
        position = "always" if paragraph_counts[name] == count else "not always"
        evidence[name] = (
            f"{count} line{plural} with {way} as the mark of a label, one of {len(name_ways)} "
            f"names, {position} at the start of a paragraph"
        )
    return evidence
