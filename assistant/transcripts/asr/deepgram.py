"""Deepgram: paragraphs with sentences and numbered speakers.

Several channels hold one voice each.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import (
    as_object,
    as_text,
    decoded_json,
    first_object,
    numbered_objects,
    objects_in,
    piece_fields,
    sniffer_of_paths,
    speaker_from_json,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, joined_pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("results.channels")


def parse(source: RawSource) -> Parsed:
    """Return one piece for each sentence, else each utterance, else the joined words.

    Several channels are merged in order of time.
    """
    results = decoded_json(source)["results"]
    channels = objects_in(results["channels"])
    has_paragraphs = any(_paragraphs(channel) for channel in channels)
    all_pieces: list[Piece] = []
    if not has_paragraphs and objects_in(results.get("utterances")):
        for line, utterance in numbered_objects(results["utterances"]):
            fields = piece_fields(utterance, text="transcript")
            all_pieces.append(Piece(line=line, starts_turn=True, **fields))
    else:
        for index, channel in enumerate(channels):
            channel_speaker = f"Channel {index}" if len(channels) > 1 else None
            all_pieces += _channel_pieces(channel, channel_speaker)
    if len(channels) > 1:
        all_pieces.sort(key=lambda piece: piece.start or 0.0)
    language = as_text(first_object(channels).get("detected_language"))
    return Parsed([piece for piece in all_pieces if piece.text], language=language)


def _paragraphs(channel: dict[str, Any]) -> list[dict[str, Any]]:
    best = first_object(channel.get("alternatives"))
    return objects_in(as_object(best.get("paragraphs")).get("paragraphs"))


def _channel_pieces(channel: dict[str, Any], channel_speaker: str | None) -> list[Piece]:
    """Return the speech of one channel: its sentences, else its words, else its transcript.

    If there are several channels, each is one speaker.
    """
    sentence_pieces = _sentence_pieces(channel, channel_speaker)
    if sentence_pieces:
        return sentence_pieces
    best = first_object(channel.get("alternatives"))
    words = []
    for line, word in numbered_objects(best.get("words")):
        text_key = "punctuated_word" if word.get("punctuated_word") else "word"
        fields = piece_fields(word, text=text_key)
        if channel_speaker is not None:
            fields["speaker"] = channel_speaker
        words.append(RecognisedWord(line=line, **fields))
    timed_pieces = joined_pieces(words)
    transcript = as_text(best.get("transcript"))
    if timed_pieces or not transcript:
        return timed_pieces
    return [Piece(transcript, 1, channel_speaker)]


def _sentence_pieces(channel: dict[str, Any], channel_speaker: str | None) -> list[Piece]:
    """Return the sentences of a channel's paragraphs. A paragraph begins a turn."""
    sentence_pieces: list[Piece] = []
    for paragraph in _paragraphs(channel):
        for index, sentence in enumerate(objects_in(paragraph.get("sentences"))):
            fields = piece_fields(sentence)
            fields["speaker"] = channel_speaker or speaker_from_json(paragraph.get("speaker"))
            line = len(sentence_pieces) + 1
            sentence_pieces.append(Piece(line=line, starts_turn=index == 0, **fields))
    return sentence_pieces
