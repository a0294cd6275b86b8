"""Turns the cues of a caption file into pieces of speech: without repetitions, with speakers.

Speakers come from chevrons, ``NAME:``, a label on the first line, ``[Name]`` or dashes. The cues
of a whole file are read at once: a label is often confirmed only when it occurs again, and
repetition counts only as a habit of the file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from assistant.transcripts import caption_text
from assistant.transcripts.inner_labels import InnerLabels, begins_turn, recurring_inner_names
from assistant.transcripts.label_finder import LineWithLayout, find_labels
from assistant.transcripts.label_heads import COLON, name_quality
from assistant.transcripts.nonspeech import is_stage_direction
from assistant.transcripts.speaker_labels import (
    SpeakerLabel,
    bracketed_label_at,
    colon_label_at,
    confirmed_names,
    label_at,
    speaker_or_none,
    split_at_chevrons,
)
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece

MIN_CHEVRON_LABELS = 5  # labels behind chevrons, for them to be the habit of a file
MAX_OTHER_SHARE = 0.1  # labels elsewhere, for each behind a chevron
MIN_LABEL_REPEATS = 2
MIN_CASED_TURNS = 4
MAX_LOWER_TURNS = 0.25  # share of turns that begin in lower case
CASE_SAMPLE_CUES = 200  # searched for small letters
MAX_LOWER_SHARE = 0.1  # small letters for each capital, in captions in capitals
ROLLING_SHARE = 0.3  # of neighbouring cues must repeat a line in rolling captions
ROLLING_PAIRS = 2
MIN_ROLLED_WORDS = 3  # of one-line rolling captions; two may be a figure of speech
MAX_SHARED_WORDS = 60
RECENT_CUE_TEXTS = 4096  # live sources read the latest cues again
MAX_LABEL_CHARACTERS_OF_LINE = 120  # a colon behind them ends no label
# A dash that begins a turn: "- I agree."
_TURN_DASH_PATTERN = re.compile(r"^[-–—]\s?(?=[^\s\-–—])")
# A colon, a break, a chevron, brackets, or a dash at the head
_LABEL_SIGN_PATTERN = re.compile(r"[:：;\n&≫⋙»\[\](){}<]|>>|^\s|\s$|^[-–—]\s?(?=[^\s\-–—])")
_OPENING_QUOTES = "“\"'‘"
# A name in capitals with a colon
_INNER_LABEL_PATTERN = re.compile(
    r"(?<![\w.])[A-Z][A-Z.’'-]{1,30}(?:\s[A-Z][A-Z.’'-]{0,30}){0,3}:(?=\s)"
)
# A voice that a program has numbered: "S00", "SPEAKER_01", "Speaker 1", "2"
_NUMBERED_VOICE_PATTERN = re.compile(r"^(?:[^\W\d_]{1,12}[ _-]?)?\d{1,3}$")
# The end of a sentence, also of one that is cut off
_SENTENCE_END_PATTERN = re.compile(r"(?:^|[.?!…:—–\-\"”’)\]])\s*$")
# A line that is only brackets: "[applause]"
_ONLY_BRACKETED_TEXT_PATTERN = re.compile(r"^\s*[\[(][^\[\]()]*[\])]\s*$")


@dataclass(frozen=True, slots=True)
class EarlierSpeech:
    """The last ``speaker`` before the cues, and the ``names`` whose labels need no evidence."""

    speaker: str | None = None
    names: frozenset[str] = frozenset()


NO_EARLIER_SPEECH = EarlierSpeech()


def read_cues(
    cues: Sequence[SpeechPiece],
    file_name: str,
    warnings: Sequence[str] = (),
    *,
    language: str = "",
    earlier_speech: EarlierSpeech = NO_EARLIER_SPEECH,
) -> ParsedTranscript:
    """Return the pieces of all cues in file order, with the reader's warnings before new ones.

    The text of a cue has its line breaks. Its speaker comes from the format, not from a label in
    the text.
    """
    single_cues, double_count = without_doubles(cues)
    filled_cues = [cue for cue in single_cues if cue.text]
    # Rolling captions show each line in several cues.
    fresh_cues, repeat_count = without_rolled_lines(filled_cues)
    usual_cues = caption_text.with_usual_marks(fresh_cues)
    repaired_cues, repair_warnings = caption_text.repaired(usual_cues)
    pieces = with_speakers(_named_by_label_cues(repaired_cues), earlier_speech)
    all_warnings = [*warnings, *_order_warnings(fresh_cues, file_name), *repair_warnings]
    if double_count:
        all_warnings.append(
            f"cues with the times and the text of an earlier one, left out: {double_count}"
        )
    if repeat_count:
        all_warnings.append(
            "rolling captions, each line was read once; cues that repeat the one before: "
            f"{repeat_count}"
        )
    unnamed_count = sum(piece.starts_turn and piece.speaker is None for piece in pieces)
    if unnamed_count:
        all_warnings.append(
            "turns that begin with a mark or label that names nobody, their speaker is unknown: "
            f"{unnamed_count}"
        )
    return ParsedTranscript(pieces, all_warnings, language=language)


def _order_warnings(cues: Sequence[SpeechPiece], file_name: str) -> list[str]:
    """Return a warning if cues are not in the order of their times."""
    early_lines = []
    previous_start: float | None = None
    for cue in cues:
        if cue.start is None:
            continue
        if previous_start is not None and cue.start < previous_start:
            early_lines.append(cue.line_number)
        previous_start = cue.start
    if not early_lines:
        return []
    further_cues = ""
    if len(early_lines) > 1:
        further_cues = f", and {len(early_lines) - 1} more do"
    return [
        f"{file_name}:{early_lines[0]}: this cue starts before the one above it{further_cues}; "
        "the order of the file was kept"
    ]


def without_rolled_lines(cues: Sequence[SpeechPiece]) -> tuple[list[SpeechPiece], int]:
    """Return the cues with only their new lines, and the number of cues that repeat lines.

    Rolling captions (YouTube's automatic ones, broadcast roll-up) show each line two or three
    times. A line that somebody says twice must stay, so nothing changes unless repetition is the
    habit of the whole file.
    """
    fresh_cues = []
    repeat_count = 0
    previous_lines: list[str] = []
    for cue in cues:
        lines = cue.text.split("\n") if cue.text else []
        new_lines = _new_lines(previous_lines, lines)
        if new_lines != lines:
            repeat_count += 1
        if new_lines:
            fresh_cues.append(replace(cue, text="\n".join(new_lines)))
        previous_lines = lines
    if not _is_frequent_repeat(repeat_count, len(cues)):
        return list(cues), 0
    return fresh_cues, repeat_count


def _is_frequent_repeat(repeat_count: int, cue_count: int) -> bool:
    return repeat_count >= ROLLING_PAIRS and repeat_count >= ROLLING_SHARE * (cue_count - 1)


def _new_lines(previous_lines: list[str], lines: list[str]) -> list[str]:
    """Return the lines beyond the end of the previous ones.

    The last shared line may have grown; then its new text is returned.
    """
    if not lines or not previous_lines:
        return lines
    # "We will" and "build it", then "build it again" and "here": "again" and "here" are new.
    # Rolling captions begin with the last lines of the caption before them. As many lines as
    # possible are compared first, then fewer.
    last_previous_line = previous_lines[-1]
    max_shared_count = min(len(previous_lines), len(lines))
    for shared_count in range(max_shared_count, 0, -1):
        *repeated_lines, last_repeated_line = lines[:shared_count]
        new_lines = lines[shared_count:]
        previous_lines_above_last = previous_lines[-shared_count:-1]
        if repeated_lines != previous_lines_above_last:
            continue
        # The last line may come again with more words behind it.
        is_same_line = last_repeated_line == last_previous_line
        has_grown = last_repeated_line.startswith(f"{last_previous_line} ")
        if is_same_line or has_grown:
            new_text = last_repeated_line[len(last_previous_line) :].strip()
            return [new_text, *new_lines] if new_text else new_lines
    return _without_shared_words(previous_lines, lines)


def _without_shared_words(previous_lines: list[str], lines: list[str]) -> list[str]:
    """Return the lines without the words at their start that end the previous lines.

    One-line rolling captions move on by words. A single shared word may have been said twice.
    """
    last_previous_line = previous_lines[-1]
    first_line, *other_lines = lines
    last_words = last_previous_line.split()[-MAX_SHARED_WORDS:]
    first_words = first_line.split()
    # From the most words that both may share down to the fewest that show a rolling caption
    max_shared_count = min(len(last_words), len(first_words))
    for shared_count in range(max_shared_count, MIN_ROLLED_WORDS - 1, -1):
        if last_words[-shared_count:] == first_words[:shared_count]:
            new_text = " ".join(first_words[shared_count:])
            return [new_text, *other_lines] if new_text else other_lines
    return lines


def without_doubles(cues: Sequence[SpeechPiece]) -> tuple[list[SpeechPiece], int]:
    """Return the cues without doubles, and the number of doubles.

    Doubles have the same start, speaker and text, as in joined stream segments.
    """
    single_cues: list[SpeechPiece] = []
    earlier_cues: set[tuple[float, str | None, str]] = set()
    for cue in cues:
        if cue.start is not None:
            start_speaker_and_text = (cue.start, cue.speaker, cue.text)
            if start_speaker_and_text in earlier_cues:
                continue
            earlier_cues.add(start_speaker_and_text)
        single_cues.append(cue)
    return single_cues, len(cues) - len(single_cues)


@dataclass(slots=True)
class _CueSpeech:
    """Speech of one speaker in a cue, and the share of the cue's text (0 to 1) before it."""

    text: str
    offset_share: float
    speaker: str | None
    starts_turn: bool


def with_speakers(
    cues: Sequence[SpeechPiece], earlier_speech: EarlierSpeech = NO_EARLIER_SPEECH
) -> list[SpeechPiece]:
    """Return pieces whose speakers are read from the text of the cues.

    A label applies until the next one. After a bare ``>>`` or dash the speaker is unknown. A
    speaker that the format names stays. Several speakers in a cue share its time by characters.
    """
    unnamed_texts = [cue.text for cue in cues if cue.speaker is None]
    labels = _CaptionLabels.of(unnamed_texts, earlier_speech.names)
    pieces: list[SpeechPiece] = []
    current_speaker = earlier_speech.speaker
    is_turn_pending = False  # a cue that is only a label starts the turn of the next cue
    for cue in cues:
        if cue.speaker is not None:
            pieces.append(_named_by_format(cue, cue.speaker))
            continue
        if cue.starts_turn:
            current_speaker = None
        if _has_no_label_sign(cue.text):
            starts_turn = cue.starts_turn or is_turn_pending
            pieces.append(_spoken_by(cue, current_speaker, starts_turn))
            is_turn_pending = False
            continue
        previous_text = pieces[-1].text if pieces else ""
        speeches = list(_speeches_in_cue(cue.text, labels, current_speaker, previous_text))
        if not speeches:
            # Only a chevron: somebody speaks in the next cue.
            speeches = [_CueSpeech("", 0.0, None, starts_turn=True)]
        current_speaker = speeches[-1].speaker
        for piece in _timed_pieces(cue, speeches):
            is_turn_pending = is_turn_pending or piece.starts_turn
            if piece.text:
                pieces.append(replace(piece, starts_turn=is_turn_pending))
                is_turn_pending = False
    return pieces


def _named_by_format(cue: SpeechPiece, speaker: str) -> SpeechPiece:
    """Return a cue whose speaker the format names, on one line and without chevrons."""
    texts = [text for _, text in split_at_chevrons(cue.text.replace("\n", " "))]
    return replace(cue, text=" ".join(texts), speaker=speaker_or_none(speaker))


@lru_cache(maxsize=RECENT_CUE_TEXTS)
def _has_no_label_sign(text: str) -> bool:
    """Return whether a text has neither a label nor a mark by which a file shows who speaks."""
    if not text or _LABEL_SIGN_PATTERN.search(text):
        return False
    return label_at(text) is None and bracketed_label_at(text) is None


def _spoken_by(cue: SpeechPiece, speaker: str | None, starts_turn: bool) -> SpeechPiece:
    if cue.speaker == speaker and cue.starts_turn == starts_turn:
        return cue
    return SpeechPiece(cue.text, cue.line_number, speaker, cue.start, cue.end, starts_turn)


def _named_by_label_cues(cues: Sequence[SpeechPiece]) -> list[SpeechPiece]:
    """Return cues whose numbered voices have the names that cues with only a label give them.

    Some programs write a cue ``<v S00>Moderator:`` before the speech of the voice S00. In a later
    cue of the voice, or in one of a voice with a name, such words end a sentence of the speech.
    """
    # The name of each voice, None if its first cue is no label
    name_by_voice: dict[str, str | None] = {}
    named_cues = []
    for cue in cues:
        voice = cue.speaker
        if voice is None or not _NUMBERED_VOICE_PATTERN.match(voice):
            named_cues.append(cue)
            continue
        label_name = _speaker_of_only_label(cue.text)
        name = name_by_voice.setdefault(voice, label_name)
        if name is None:
            named_cues.append(cue)
        elif label_name != name:
            # Cues that are only the label are left out.
            named_cues.append(replace(cue, speaker=name))
    return named_cues


def _speaker_of_only_label(text: str) -> str | None:
    """Return the speaker of a label with a colon and no speech, None for any other text."""
    label = colon_label_at(text)
    if label is None or text[label.end :].strip():
        return None
    return label.speaker


@dataclass(slots=True)
class _CaptionLabels:
    """The labels of a whole caption file.

    ``label_by_line`` has the label of a line by its text. ``inner_labels`` finds labels behind a
    sentence. In a strict file, a line that goes on with the sentence above it has no label. In a
    file whose turns begin with capitals, neither has such a line if its speech begins in lower
    case.
    """

    names: set[str]
    label_by_line: dict[str, SpeakerLabel]
    inner_labels: InnerLabels
    is_strict: bool = False
    do_turns_begin_with_capitals: bool = False
    is_in_capitals: bool = False

    @classmethod
    def of(cls, texts: Sequence[str], accepted_names: frozenset[str]) -> _CaptionLabels:
        """Return the labels that all cues together confirm, and those of accepted names."""
        chevron_names = _names_behind_chevrons(texts)
        if chevron_names:
            names = chevron_names | accepted_names
            return cls(names, {}, InnerLabels(names), is_strict=True)
        is_in_capitals = _is_in_capitals(texts)
        if is_in_capitals:
            texts = list(_texts_behind_sentences(texts))
        texts_with_sign = [text for text in texts if not _has_no_label_sign(text)]
        lines = _label_lines(texts_with_sign)
        likely_labels = [_likely_label(line) for line in lines]
        # Each step may use the names that the steps before it have found.
        names = confirmed_names(label for label in likely_labels if label)
        names |= accepted_names
        names |= _names_above_speech(texts_with_sign)
        names |= _names_in_round_brackets(lines, names)
        label_by_line: dict[str, SpeakerLabel] = {}
        if any(_has_other_colon(line, names) for line in lines):
            label_by_line = _labels_by_line(_label_lines(texts), names)
        names |= {label.name for label in label_by_line.values() if label.name}
        names |= set(_inner_names(texts_with_sign))
        names |= recurring_inner_names(texts_with_sign, names)
        return cls(
            names,
            label_by_line,
            InnerLabels(names),
            do_turns_begin_with_capitals=_do_turns_begin_with_capitals(lines, names),
            is_in_capitals=is_in_capitals,
        )

    def may_begin(self, line: str, previous_text: str) -> bool:
        """Return whether a turn may begin on a line below the previous text."""
        if _SENTENCE_END_PATTERN.search(previous_text):
            return True
        if self.is_in_capitals and line.startswith(("—", "–")):
            return False
        if self.do_turns_begin_with_capitals:
            label = label_at(line)
            return label is None or not _starts_lower(line[label.end :])
        return not self.is_strict

    def at(self, line: str) -> SpeakerLabel | None:
        """Return the label at the head of a line without its dash, None if it has none."""
        label = label_at(line) or bracketed_label_at(line)
        if label and label.name in self.names:
            return label
        if line in self.label_by_line:
            return self.label_by_line[line]
        first_label = next(self.inner_labels.in_line(line), None)
        if first_label is None or first_label.start > 0:
            return None
        return SpeakerLabel(first_label.name, speaker_or_none(first_label.name), first_label.end)


def _names_behind_chevrons(texts: Sequence[str]) -> set[str]:
    """Return the names behind chevrons, if nearly all labels of the captions stand there."""
    behind_chevrons, elsewhere = _names_by_place(texts)
    count_behind_chevrons = behind_chevrons.total()
    is_habit = len(behind_chevrons) > 1 and count_behind_chevrons >= MIN_CHEVRON_LABELS
    count_elsewhere = sum(count for count in elsewhere.values() if count >= MIN_LABEL_REPEATS)
    if not is_habit or count_elsewhere > MAX_OTHER_SHARE * count_behind_chevrons:
        return set()
    return set(behind_chevrons)


def _names_by_place(texts: Sequence[str]) -> tuple[Counter[str], Counter[str]]:
    """Count the names behind chevrons (">> HALE: Yes"), and at the head of other lines."""
    counts_behind_chevrons: Counter[str] = Counter()
    counts_elsewhere: Counter[str] = Counter()
    previous_text = ""
    for text in texts:
        for follows_chevron, spoken in split_at_chevrons(text):
            if not follows_chevron and _has_no_label_sign(spoken):
                previous_text = spoken
                continue
            is_behind_chevron = follows_chevron  # the first line only
            for line in spoken.split("\n"):
                name = _name_at(line)
                if name and is_behind_chevron:
                    counts_behind_chevrons[name] += 1
                elif name and _SENTENCE_END_PATTERN.search(previous_text):
                    counts_elsewhere[name] += 1
                is_behind_chevron = False
                previous_text = line
    return counts_behind_chevrons, counts_elsewhere


def _name_at(line: str) -> str | None:
    """Return the name in the label at the head of a line, None if nothing looks like one."""
    label = label_at(line)
    if label is None or name_quality(label.name) is None:
        return None
    return label.name


def _do_turns_begin_with_capitals(lines: Sequence[str], names: set[str]) -> bool:
    """Return whether nearly all speech behind labels begins with a capital letter."""
    turn_count = 0
    lower_case_count = 0
    for line in lines:
        label = label_at(line)
        if label is None or label.name not in names:
            continue
        turn_count += 1
        if _starts_lower(line[label.end :]):
            lower_case_count += 1
    max_lower_case_count = MAX_LOWER_TURNS * turn_count
    return turn_count >= MIN_CASED_TURNS and lower_case_count <= max_lower_case_count


def _starts_lower(text: str) -> bool:
    return text.lstrip()[:1].islower()


def _is_in_capitals(texts: Sequence[str]) -> bool:
    """Return whether the captions are in capitals, which then show no name."""
    sample = "".join(texts[:CASE_SAMPLE_CUES])
    upper_count = sum(letter.isupper() for letter in sample)
    lower_count = sum(letter.islower() for letter in sample)
    return lower_count < MAX_LOWER_SHARE * upper_count


def _texts_behind_sentences(texts: Sequence[str]) -> Iterator[str]:
    """Yield the texts without the lines that go on with the sentence above them."""
    previous_line = ""
    for text in texts:
        opening_lines = []
        for line in text.split("\n"):
            if (
                _SENTENCE_END_PATTERN.search(previous_line)
                or _TURN_DASH_PATTERN.match(line)
                or ">>" in line
            ):
                opening_lines.append(line)
            previous_line = line
        if opening_lines:
            yield "\n".join(opening_lines)


def _has_other_colon(line: str, names: set[str]) -> bool:
    """Return whether a line has a colon that ends no confirmed name."""
    head, colon, _ = line[:MAX_LABEL_CHARACTERS_OF_LINE].partition(":")
    return bool(colon) and head.strip() not in names


def _names_above_speech(texts: Sequence[str]) -> set[str]:
    """Return names with a colon on a line of their own above speech, if several cues have one."""
    names = []
    for text in texts:
        first_line, _, speech = text.partition("\n")
        label = label_at(first_line) if speech.strip() else None
        if label is None:
            continue
        text_behind_label = first_line[label.end :].strip()
        if not text_behind_label:
            names.append(label.name)
    return set(names) if len(names) > 1 else set()


def _names_in_round_brackets(lines: Sequence[str], names: set[str]) -> set[str]:
    """Return names in round brackets that occur once, if others occur often: ``(TOM) Yes.``"""
    # "(TOM) Yes." may be a label, "(SCOFFS) Yes." has a sound, which ends in S or ING.
    possible_names = set()
    has_known_name = False
    for line in lines:
        label = bracketed_label_at(line) if line.lstrip().startswith("(") else None
        if label is None or not line[label.end :].strip():
            continue
        if label.name in names:
            has_known_name = True
        is_sound = label.name.upper().endswith(("S", "ING"))
        if not is_sound:
            possible_names.add(label.name)
    return possible_names if has_known_name else set()


def _label_lines(texts: Sequence[str]) -> list[str]:
    """Return the lines of cues that may begin with a label, without their dashes."""
    lines = []
    for text in texts:
        for _, text_between_chevrons in split_at_chevrons(text):
            for line in text_between_chevrons.split("\n"):
                line_without_dash = _TURN_DASH_PATTERN.sub("", line)
                lines.append(line_without_dash)
    return lines


def _likely_label(line: str) -> SpeakerLabel | None:
    """Return the head of a line if it may be a label; ``[Alba] En 1928,`` surely is one."""
    label = label_at(line) or bracketed_label_at(line)
    if label is None:
        return None
    has_brackets = line.lstrip().startswith("[")
    has_speech = bool(line[label.end :].strip())
    is_sure = label.is_sure or (has_brackets and has_speech)
    return replace(label, is_sure=is_sure)


def _labels_by_line(lines: Sequence[str], names: set[str]) -> dict[str, SpeakerLabel]:
    """Return labels with a colon by the text of their line, as the label finder judges them."""
    last_index = len(lines) - 1
    layout_lines = [
        LineWithLayout(line, has_text_below=index < last_index) for index, line in enumerate(lines)
    ]
    findings = find_labels(layout_lines, accepted_names=names)
    labels = {}
    for line, found_label in zip(lines, findings.labels, strict=True):
        if found_label is None or found_label.is_doubtful:
            continue
        if found_label.set_apart_by == COLON:
            labels[line] = found_label.label
    return labels


def _inner_names(texts: Sequence[str]) -> Iterator[str]:
    """Yield names in capitals with a colon behind a sentence: ``Is that so? TOM: Yes.``"""
    for text in texts:
        for match in _INNER_LABEL_PATTERN.finditer(text):
            label = label_at(text[match.start() : match.end() + 1])
            if label and label.is_sure and label.speaker and begins_turn(text, match.start()):
                yield label.name


def _speeches_in_cue(
    text: str, labels: _CaptionLabels, current_speaker: str | None, previous_text: str
) -> Iterator[_CueSpeech]:
    """Yield the speech of a cue, divided at changes of speaker.

    ``previous_text`` is the speech of the cue before, which may go on.
    """
    length = max(len(text), 1)
    offset = 0
    for follows_chevron, spoken in split_at_chevrons(text):
        if follows_chevron:
            previous_text = ""
        offset = max(text.find(spoken, offset), offset)
        speaker = None if follows_chevron else current_speaker
        speech = _CueSpeech("", offset / length, speaker, starts_turn=follows_chevron)
        lines = spoken.split("\n")
        dash_count = sum(bool(_TURN_DASH_PATTERN.match(line)) for line in lines)
        for line in lines:
            spoken_length = 0
            for line_offset, line_text in _divided_at_inner_labels(line, labels.inner_labels):
                turn = None
                is_behind_inner_label = line_offset > 0
                if is_behind_inner_label or labels.may_begin(line_text, previous_text):
                    turn = _turn_on_line(line_text, labels, dash_count)
                previous_text = line_text
                if turn is not None:
                    yield speech
                    turn_speaker, line_text = turn
                    # The same label in every cue divides no sentence.
                    is_same_speaker = turn_speaker is not None and turn_speaker == speech.speaker
                    offset_share = (offset + line_offset) / length
                    speech = _CueSpeech(
                        "", offset_share, turn_speaker, starts_turn=not is_same_speaker
                    )
                if not _is_sound(line_text):
                    speech.text = f"{speech.text} {line_text.strip()}".strip()
                spoken_length += len(line_text)
            offset += spoken_length + 1
        yield speech


def _divided_at_inner_labels(line: str, inner_labels: InnerLabels) -> list[tuple[int, str]]:
    """Return a line divided before its inner labels, each text with its first character."""
    if ":" not in line:
        return [(0, line)]
    starts = [0]
    for label in inner_labels.in_line(line):
        if label.start > 0 and begins_turn(line, label.start):
            starts.append(label.start)
    edges = [*starts, len(line)]
    return [(start, line[start:end]) for start, end in pairwise(edges)]


def _turn_on_line(
    line: str, labels: _CaptionLabels, dash_count: int
) -> tuple[str | None, str] | None:
    """Return speaker and speech if a turn begins on this line, else None."""
    dash = _TURN_DASH_PATTERN.match(line)
    undashed = line[dash.end() :] if dash else line
    label = labels.at(undashed)
    if label:
        return label.speaker, undashed[label.end :]
    # A dash begins a turn before a capital or a quotation, or if other lines have one, too.
    first_character = undashed[:1]
    begins_sentence = first_character.isupper() or first_character in _OPENING_QUOTES
    if dash and (dash_count > 1 or begins_sentence):
        return None, undashed
    return None


def _is_sound(line: str) -> bool:
    """Return whether a line in brackets describes a sound.

    Captions put nothing else in brackets, labels apart.
    """
    if not _ONLY_BRACKETED_TEXT_PATTERN.match(line):
        return False
    return is_stage_direction(line) or line.strip(" \t[]()")[:1].islower()


def _timed_pieces(cue: SpeechPiece, speeches: Sequence[_CueSpeech]) -> Iterator[SpeechPiece]:
    """Yield the speeches of a cue as pieces that share its time by characters."""
    # The share of the cue's characters before each speech, 0 to 1
    start_shares = [speech.offset_share for speech in speeches]
    end_shares = [*start_shares[1:], 1.0]
    last_index = len(speeches) - 1
    has_earlier_text = False
    for index, speech in enumerate(speeches):
        start = cue.start
        if has_earlier_text:
            start = _time_at(cue, start_shares[index])
        end = cue.end
        if index < last_index:
            end = _time_at(cue, end_shares[index])
        starts_turn = speech.starts_turn or (index == 0 and cue.starts_turn)
        yield SpeechPiece(speech.text, cue.line_number, speech.speaker, start, end, starts_turn)
        has_earlier_text = has_earlier_text or bool(speech.text)


def _time_at(cue: SpeechPiece, share: float) -> float | None:
    """Return the time at a share (0 to 1) of a cue, its start if its length is unknown."""
    if cue.start is None or cue.end is None:
        return cue.start
    return round(cue.start + share * (cue.end - cue.start), 3)
