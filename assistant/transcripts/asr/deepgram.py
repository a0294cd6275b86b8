"""Deepgram: paragraphs with sentences and numbered speakers.

Several channels hold one voice each.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import (
    content,
    first,
    having,
    mapping,
    numbered,
    objects,
    string,
    timed,
)
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("results.channels")


def parse(source: RawSource) -> Parsed:
    """Return one piece for each sentence, else each utterance, else the joined words.

    Channels in order of time.
    """
    results = content(source)["results"]
    channels = objects(results["channels"])
    if not any(_paragraphs(channel) for channel in channels) and objects(results.get("utterances")):
        rows = numbered(results["utterances"])
        spoken = [
            Piece(line=line, starts_turn=True, **timed(row, text="transcript"))
            for line, row in rows
        ]
    else:
        voices = (
            [{"speaker": f"Channel {i}"} for i in range(len(channels))]
            if len(channels) > 1
            else [{}]
        )
        spoken = [
            piece
            for channel, voice in zip(channels, voices, strict=False)
            for piece in _channel(channel, voice)
        ]
    if len(channels) > 1:
        spoken.sort(key=lambda piece: piece.start or 0.0)
    return Parsed(
        [piece for piece in spoken if piece.text],
        language=string(first(channels).get("detected_language")),
    )


def _paragraphs(channel: dict[str, Any]) -> list[dict[str, Any]]:
    return objects(mapping(first(channel.get("alternatives")).get("paragraphs")).get("paragraphs"))


def _channel(channel: dict[str, Any], voice: dict[str, str]) -> list[Piece]:
    """Return the speech of one channel, from the finest reading that the file has.

    ``voice`` is its speaker.
    """
    best = first(channel.get("alternatives"))
    sentences = [
        (row | {"speaker": paragraph.get("speaker")}, i == 0)
        for paragraph in _paragraphs(channel)
        for i, row in enumerate(objects(paragraph.get("sentences")))
    ]
    if sentences:
        rows = enumerate(sentences, 1)
        return [
            Piece(line=line, starts_turn=begins, **timed(row) | voice)
            for line, (row, begins) in rows
        ]
    words = [
        Word(
            line=line,
            **timed(row, text="punctuated_word" if row.get("punctuated_word") else "word") | voice,
        )
        for line, row in numbered(best.get("words"))
    ]
    transcript = string(best.get("transcript"))
    return pieces(words) or ([Piece(transcript, 1, voice.get("speaker"))] if transcript else [])
