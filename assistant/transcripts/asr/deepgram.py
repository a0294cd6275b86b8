"""Deepgram: paragraphs with sentences and numbered speakers; several channels hold one voice each."""

from __future__ import annotations

from typing import Any

from assistant.transcripts import language
from assistant.transcripts.asr.json_fields import content, first, keys, mapping, named, objects, string, time
from assistant.transcripts.asr.timed_words import Word, pieces
from assistant.transcripts.bytes import RawSource
from assistant.transcripts.pieces import Parsed, Piece


def sniff(source: RawSource) -> bool:
    """Return whether the JSON has results by channel."""
    data = content(source)
    return keys(data, "results") and keys(data["results"], "channels")


def parse(source: RawSource) -> Parsed:
    """Return one piece a sentence, else an utterance, else stretches of words; channels in order of time."""
    results = content(source)["results"]
    channels = objects(results["channels"])
    said = [
        piece for i, channel in enumerate(channels) for piece in _channel(channel, i if len(channels) > 1 else None)
    ]
    if not any(_paragraphs(channel) for channel in channels) and objects(results.get("utterances")):
        said = [_utterance(number, row) for number, row in enumerate(objects(results["utterances"]), 1)]
    if len(channels) > 1:
        said.sort(key=lambda piece: piece.start if piece.start is not None else 0.0)
    codes = [channel.get("detected_language") for channel in channels]
    return Parsed([piece for piece in said if piece.text], language.declared(next(iter(codes), None)))


def _paragraphs(channel: dict[str, Any]) -> list[dict[str, Any]]:
    return objects(mapping(first(channel.get("alternatives")).get("paragraphs")).get("paragraphs"))


def _channel(channel: dict[str, Any], place: int | None) -> list[Piece]:
    """The speech of one channel, from the finest reading that the file has."""
    best = first(channel.get("alternatives"))
    voice = None if place is None else f"Channel {place}"
    found: list[Piece] = []
    for paragraph in _paragraphs(channel):
        speaker = voice or named(paragraph.get("speaker"))
        for i, row in enumerate(objects(paragraph.get("sentences"))):
            text = string(row.get("text"))
            found.append(Piece(text, len(found) + 1, speaker, time(row.get("start")), time(row.get("end")), i == 0))
    if found:
        return found
    words = [_word(number, word, voice) for number, word in enumerate(objects(best.get("words")), 1)]
    transcript = string(best.get("transcript"))
    return pieces(words) if words else [Piece(transcript, 1, voice)] if transcript else []


def _word(number: int, word: dict[str, Any], voice: str | None) -> Word:
    text = string(word.get("punctuated_word") or word.get("word"))
    return Word(text, number, time(word.get("start")), time(word.get("end")), voice or named(word.get("speaker")))


def _utterance(number: int, row: dict[str, Any]) -> Piece:
    text = string(row.get("transcript"))
    return Piece(text, number, named(row.get("speaker")), time(row.get("start")), time(row.get("end")), True)
