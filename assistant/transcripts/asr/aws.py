"""AWS Transcribe: items of words and punctuation with times written as text.

Speakers in a list beside them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    first_object_or_empty,
    numbered_objects,
    object_or_empty,
    objects_in,
    piece_fields,
    seconds_or_none,
    sniffer_of_paths,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("results.items[]", "results.channel_labels.channels[].items[]")


def parse(source: RawSource) -> ParsedTranscript:
    """Return the joined words; an empty speaker label stays unknown."""
    results = decoded_json(source)["results"]
    speakers = _speakers(results)
    words: list[RecognisedWord] = []
    for line_number, item in numbered_objects(_items(results)):
        is_punctuation = item.get("type") == "punctuation"
        # The newer schema labels each word; the older one lists the speakers by start times.
        speaker = (
            item.get("speaker_label")
            or speakers.get(str(item.get("start_time")))
            or item.get("channel_label")
        )
        best_alternative = first_object_or_empty(item.get("alternatives"))
        # The alternative has the text, and the item around it the times.
        all_fields = {**best_alternative, **item, "speaker": speaker}
        fields = piece_fields(
            all_fields, text_key="content", start_key="start_time", end_key="end_time"
        )
        if is_punctuation and words:
            # A mark belongs to the word before it.
            fields["speaker"] = words[-1].speaker
        word = RecognisedWord(line_number=line_number, **fields)
        words.append(replace(word, joins_previous_word=is_punctuation))
    return ParsedTranscript(
        pieces_of_words(words), language=text_or_empty(results.get("language_code"))
    )


def _items(results: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of a file, or of all its channels in order of time.

    Punctuation has no time; it follows its word.
    """
    items = objects_in(results.get("items"))
    if items:
        return items
    timed_items: list[tuple[float, dict[str, Any]]] = []
    channels = object_or_empty(results.get("channel_labels")).get("channels")
    for channel in objects_in(channels):
        start = 0.0
        for item in objects_in(channel.get("items")):
            # Punctuation has no time, so it keeps that of its word.
            start = seconds_or_none(item.get("start_time")) or start
            labelled_item = {"channel_label": channel.get("channel_label"), **item}
            timed_items.append((start, labelled_item))
    timed_items.sort(key=lambda timed_item: timed_item[0])
    return [item for _, item in timed_items]


def _speakers(results: dict[str, Any]) -> dict[str, str]:
    """Return the speaker label by the start of an item, as in the older schema."""
    speaker_labels = object_or_empty(results.get("speaker_labels"))
    label_by_start = {}
    for segment in objects_in(speaker_labels.get("segments")):
        for item in objects_in(segment.get("items")):
            label = item.get("speaker_label") or segment.get("speaker_label")
            # The start is text in this format, such as "1.23".
            start_text = str(item.get("start_time"))
            label_by_start[start_text] = text_or_empty(label)
    return label_by_start
