"""Repairs of caption text: words that a line break divided, and captions in two languages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from assistant.transcripts import language
from assistant.transcripts.line_repair import joined_word
from assistant.transcripts.speech_pieces import Piece

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


def with_usual_marks(cues: Sequence[Piece]) -> list[Piece]:
    """Return cues whose turns begin with >> if the file writes > for it; whole labels on a line."""
    single_count = sum(_SINGLE_CHEVRON_PATTERN.match(cue.text) is not None for cue in cues)
    is_habit = single_count >= MIN_CHEVRONS and single_count >= MIN_CHEVRON_SHARE * len(cues)
    usual_cues = []
    for cue in cues:
        text = _LABEL_LINE_BREAK_PATTERN.sub(r"\g<name> ", cue.text)
        if is_habit:
            text = _SINGLE_CHEVRON_PATTERN.sub(">> ", text)
        usual_cues.append(cue if text == cue.text else replace(cue, text=text))
    return usual_cues


def repaired(cues: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """Return cues with whole words and in one language, and warnings about lines left out."""
    single_track, track_warnings = _of_one_track(cues)
    single_cues, language_warnings = _in_one_language(single_track)
    warnings = track_warnings + language_warnings
    return _with_whole_words(single_cues), warnings


def _with_whole_words(cues: Sequence[Piece]) -> list[Piece]:
    """Return cues whose words are whole: ``unem-`` and ``ployment`` become one word.

    A hyphen stays if the file has the word with it elsewhere.
    """
    if not any("-\n" in cue.text or cue.text.endswith("-") for cue in cues):
        return list(cues)
    written_words = {word.lower() for cue in cues for word in _WHOLE_WORD_PATTERN.findall(cue.text)}

    def joined(head: str, tail: str) -> str:
        hyphenated = f"{head}-{tail}"
        if hyphenated.lower() in written_words:
            return hyphenated
        return joined_word(f"{head}-", tail)

    def mended(match: re.Match[str]) -> str:
        if match["tail"][0].isupper():
            return match.group()
        return joined(match["head"], match["tail"])

    whole_cues: list[Piece] = []
    for cue in cues:
        text = _DIVIDED_WORD_PATTERN.sub(mended, cue.text)
        previous = whole_cues[-1] if whole_cues else None
        head = _HEAD_AT_END_PATTERN.search(previous.text) if previous else None
        tail = _TAIL_AT_START_PATTERN.match(text)
        if previous and head and tail and previous.speaker == cue.speaker:
            word = joined(head["head"], tail["tail"])
            whole_cues[-1] = replace(previous, text=previous.text[: head.start()] + word)
            text = text[tail.end() :]
        whole_cues.append(replace(cue, text=text))
    return [cue for cue in whole_cues if cue.text]


def _of_one_track(cues: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """Return the captions of one language, if a file has each caption at the same time in another.

    The first caption at a time belongs to one track, the second to the other.
    """
    start_counts = Counter(cue.start for cue in cues if cue.start is not None)
    paired_starts = {start for start, count in start_counts.items() if count == 2}
    is_habit = 2 * len(paired_starts) >= MIN_BILINGUAL_SHARE * len(cues)
    if len(paired_starts) < MIN_PAIRED_STARTS or not is_habit:
        return list(cues), []
    tracks: tuple[list[Piece], list[Piece]] = ([], [])
    started: set[float] = set()
    for cue in cues:
        if cue.start is not None and cue.start in paired_starts:
            tracks[cue.start in started].append(cue)
            started.add(cue.start)
    texts = [" ".join(cue.text.replace("\n", " ") for cue in track) for track in tracks]
    other_index = language.translation_index(*texts)
    if other_index is None:
        return list(cues), []
    left_out = {id(cue) for cue in tracks[other_index]}
    other_language = language.detect(texts[other_index].lower())
    warning = (
        "the file has each caption in two languages; the captions in one of them were left out: "
        f"{len(left_out)} (language {other_language})"
    )
    return [cue for cue in cues if id(cue) not in left_out], [warning]


def _in_one_language(cues: Sequence[Piece]) -> tuple[list[Piece], list[str]]:
    """Return captions without their lines in another language, if each cue has one of both.

    The two lines of a cue then belong to different languages throughout the file.
    """
    pairs = [cue.text.split("\n") for cue in cues]
    two_line_pairs = [pair for pair in pairs if len(pair) == 2]
    if len(two_line_pairs) < 2 or len(two_line_pairs) < MIN_BILINGUAL_SHARE * len(cues):
        return list(cues), []
    texts = [" ".join(pair[index] for pair in two_line_pairs) for index in (0, 1)]
    if not language.differ(*texts):
        return list(cues), []
    languages = [language.detect(text.lower()) for text in texts]
    english_index = languages.index("en")
    single_cues = []
    for cue, pair in zip(cues, pairs, strict=True):
        text = pair[english_index] if len(pair) == 2 else cue.text
        single_cues.append(replace(cue, text=text))
    other_language = languages[1 - english_index]
    return single_cues, [
        "the captions are in two languages; lines that are not English were left out: "
        f"{len(two_line_pairs)} (language {other_language})"
    ]
