"""Repairs of caption text: words that a line break divided, and captions in two languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from assistant.transcripts import language
from assistant.transcripts.line_repair import joined_word
from assistant.transcripts.speech_pieces import SpeechPiece

MIN_CHEVRONS = 2
MIN_CHEVRON_SHARE = 0.2  # share of the cues, for a file that writes ">" for ">>"
MIN_BILINGUAL_SHARE = 0.8  # share of cues with two lines or a twin, for two languages
MIN_PAIRED_STARTS = 3  # captions that come twice at a time, for two tracks

_SINGLE_CHEVRON_PATTERN = re.compile(r"^\s*(?:>|&gt;)\s+(?=\S)")
# A label in capitals on two lines: "MARIA LINDQVIST, / MODERATOR: Good evening"
_LABEL_LINE_BREAK_PATTERN = re.compile(
    r"^(?P<name>(?:>>\s?)?[A-Z][A-Z .’'-]{2,40},)\n(?=[A-Z][A-Z ,.’'-]{1,40}:)"
)
# A word that a hyphen divides at the end of a line, and its end on the next line
_DIVIDED_WORD_PATTERN = re.compile(
    r"(?<![^\W\d_]-)(?<![^\W\d_])(?P<head>[^\W\d_]+)-\n(?P<tail>[^\W\d_]+)"
)
_HEAD_AT_END_PATTERN = re.compile(r"(?<![^\W\d_]-)(?<![^\W\d_])(?P<head>[^\W\d_]+)-$")
_TAIL_AT_START_PATTERN = re.compile(r"^(?P<tail>[a-zß-ÿ]+[,.;:!?]*)(?:\s+|$)")
_WHOLE_WORD_PATTERN = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


def with_usual_marks(cues: Sequence[SpeechPiece]) -> list[SpeechPiece]:
    """Return cues whose turns begin with >> if the file writes > for it; whole labels on a line."""
    # A chevron marks a change of speaker, usually as ">>".
    single_count = sum(_SINGLE_CHEVRON_PATTERN.match(cue.text) is not None for cue in cues)
    min_count = max(MIN_CHEVRONS, MIN_CHEVRON_SHARE * len(cues))
    uses_single_chevrons = single_count >= min_count
    usual_cues = []
    for cue in cues:
        # A name whose colon is on the next line gets it on its own.
        text = _LABEL_LINE_BREAK_PATTERN.sub(r"\g<name> ", cue.text)
        if uses_single_chevrons:
            text = _SINGLE_CHEVRON_PATTERN.sub(">> ", text)
        usual_cues.append(cue if text == cue.text else replace(cue, text=text))
    return usual_cues


def repaired(cues: Sequence[SpeechPiece]) -> tuple[list[SpeechPiece], list[str]]:
    """Return cues with whole words and in one language, and warnings about lines left out."""
    single_track, track_warnings = _of_one_track(cues)
    single_cues, language_warnings = _without_second_language(single_track)
    warnings = track_warnings + language_warnings
    return _with_whole_words(single_cues), warnings


def _with_whole_words(cues: Sequence[SpeechPiece]) -> list[SpeechPiece]:
    """Return cues whose words are whole: ``unem-`` and ``ployment`` become one word.

    A hyphen stays if the file has the word with it elsewhere.
    """
    if not any("-\n" in cue.text or cue.text.endswith("-") for cue in cues):
        return list(cues)
    # The words of the file in small letters, those with a hyphen whole
    written_words: set[str] = set()
    for cue in cues:
        written_words.update(word.lower() for word in _WHOLE_WORD_PATTERN.findall(cue.text))

    def whole_word(head: str, tail: str) -> str:
        hyphenated_word = f"{head}-{tail}"
        if hyphenated_word.lower() in written_words:
            return hyphenated_word
        return joined_word(f"{head}-", tail)

    def whole_word_of_match(match: re.Match[str]) -> str:
        is_name = match["tail"][0].isupper()
        return match.group() if is_name else whole_word(match["head"], match["tail"])

    whole_cues: list[SpeechPiece] = []
    for cue in cues:
        # words divided between two lines of a cue
        text = _DIVIDED_WORD_PATTERN.sub(whole_word_of_match, cue.text)
        previous_cue = whole_cues[-1] if whole_cues else None
        if previous_cue and previous_cue.speaker == cue.speaker:
            # a word divided between two cues, which the first one gets whole
            head = _HEAD_AT_END_PATTERN.search(previous_cue.text)
            tail = _TAIL_AT_START_PATTERN.match(text)
            if head and tail:
                word = whole_word(head["head"], tail["tail"])
                previous_text = previous_cue.text[: head.start()] + word
                whole_cues[-1] = replace(previous_cue, text=previous_text)
                text = text[tail.end() :]
        whole_cues.append(replace(cue, text=text))
    return [cue for cue in whole_cues if cue.text]


def _of_one_track(cues: Sequence[SpeechPiece]) -> tuple[list[SpeechPiece], list[str]]:
    """Return the captions of one language, if a file has each caption at the same time in another.

    The first caption at a time belongs to one track, the second to the other.
    """
    start_counts = Counter(cue.start for cue in cues if cue.start is not None)
    paired_starts = {start for start, count in start_counts.items() if count == 2}
    paired_cue_count = 2 * len(paired_starts)
    are_most_paired = paired_cue_count >= MIN_BILINGUAL_SHARE * len(cues)
    if len(paired_starts) < MIN_PAIRED_STARTS or not are_most_paired:
        return list(cues), []
    first_track: list[SpeechPiece] = []
    second_track: list[SpeechPiece] = []
    starts_of_first_track: set[float] = set()
    for cue in cues:
        if cue.start is None or cue.start not in paired_starts:
            continue
        if cue.start in starts_of_first_track:
            second_track.append(cue)
        else:
            first_track.append(cue)
            starts_of_first_track.add(cue.start)
    tracks = (first_track, second_track)
    texts = [_track_text(track) for track in tracks]
    # The index of the track to leave out, None if both are in one language
    index_of_translation = language.index_of_translation(*texts)
    if index_of_translation is None:
        return list(cues), []
    # Two cues may be equal, so they are told apart as objects.
    translated_ids = {id(cue) for cue in tracks[index_of_translation]}
    other_language = language.detect(texts[index_of_translation].lower())
    warning = (
        "the file has each caption in two languages; the captions in one of them were left out: "
        f"{len(translated_ids)} (language {other_language})"
    )
    return [cue for cue in cues if id(cue) not in translated_ids], [warning]


def _track_text(track: Sequence[SpeechPiece]) -> str:
    return " ".join(cue.text.replace("\n", " ") for cue in track)


def _without_second_language(cues: Sequence[SpeechPiece]) -> tuple[list[SpeechPiece], list[str]]:
    """Return captions without their lines in another language, if each cue has one of both.

    The two lines of a cue then belong to different languages throughout the file.
    """
    lines_by_cue = [cue.text.split("\n") for cue in cues]
    line_pairs = [lines for lines in lines_by_cue if len(lines) == 2]
    if len(line_pairs) < 2 or len(line_pairs) < MIN_BILINGUAL_SHARE * len(cues):
        return list(cues), []
    upper_text = " ".join(upper_line for upper_line, _ in line_pairs)
    lower_text = " ".join(lower_line for _, lower_line in line_pairs)
    if not language.differ(upper_text, lower_text):
        return list(cues), []
    upper_language = language.detect(upper_text.lower())
    lower_language = language.detect(lower_text.lower())
    is_upper_line_english = upper_language == "en"
    other_language = lower_language if is_upper_line_english else upper_language
    # Cues of one line are kept, whatever their language.
    single_cues = []
    for cue, lines in zip(cues, lines_by_cue, strict=True):
        if len(lines) == 2:
            upper_line, lower_line = lines
            cue = replace(cue, text=upper_line if is_upper_line_english else lower_line)
        single_cues.append(cue)
    return single_cues, [
        "the captions are in two languages; lines that are not English were left out: "
        f"{len(line_pairs)} (language {other_language})"
    ]
