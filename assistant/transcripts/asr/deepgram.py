"""Deepgram: paragraphs with sentences and numbered speakers.

Several channels hold one voice each.
"""

from __future__ import annotations

from typing import Any

from assistant.transcripts.asr.json_fields import (
    decoded_json,
    first_object_or_empty,
    numbered_objects,
    object_or_empty,
    objects_in,
    piece_fields,
    sniffer_of_paths,
    speaker_from_json,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("results.channels")


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each sentence, else each utterance, else the joined words.

    Several channels are merged in order of time.
    """
    results = decoded_json(source)["results"]
    channels = objects_in(results["channels"])
    has_paragraphs = any(_paragraphs(channel) for channel in channels)
    all_pieces: list[SpeechPiece] = []
    if not has_paragraphs and objects_in(results.get("utterances")):
        for line_number, utterance in numbered_objects(results["utterances"]):
            fields = piece_fields(utterance, text_key="transcript")
            all_pieces.append(SpeechPiece(line_number=line_number, starts_turn=True, **fields))
    else:
        for index, channel in enumerate(channels):
            channel_speaker = f"Channel {index}" if len(channels) > 1 else None
            all_pieces += _channel_pieces(channel, channel_speaker)
    if len(channels) > 1:
        all_pieces.sort(key=lambda piece: piece.start or 0.0)
    language = text_or_empty(first_object_or_empty(channels).get("detected_language"))
    return ParsedTranscript([piece for piece in all_pieces if piece.text], language=language)


def _paragraphs(channel: dict[str, Any]) -> list[dict[str, Any]]:
    best = first_object_or_empty(channel.get("alternatives"))
    return objects_in(object_or_empty(best.get("paragraphs")).get("paragraphs"))


def _channel_pieces(channel: dict[str, Any], channel_speaker: str | None) -> list[SpeechPiece]:
    """Return the speech of one channel: its sentences, else its words, else its transcript.

    If there are several channels, each is one speaker.
    """
    sentence_pieces = _sentence_pieces(channel, channel_speaker)
    if sentence_pieces:
        return sentence_pieces
    best_alternative = first_object_or_empty(channel.get("alternatives"))
    words = []
    for line_number, word in numbered_objects(best_alternative.get("words")):
        text_key = "punctuated_word" if word.get("punctuated_word") else "word"
        fields = piece_fields(word, text_key=text_key)
        if channel_speaker is not None:
            fields["speaker"] = channel_speaker
        words.append(RecognisedWord(line_number=line_number, **fields))
    timed_pieces = pieces_of_words(words)
    transcript = text_or_empty(best_alternative.get("transcript"))
    if timed_pieces or not transcript:
        return timed_pieces
    return [SpeechPiece(transcript, 1, channel_speaker)]


def _sentence_pieces(channel: dict[str, Any], channel_speaker: str | None) -> list[SpeechPiece]:
    """Return the sentences of a channel's paragraphs. A paragraph begins a turn."""
    sentence_pieces: list[SpeechPiece] = []
    for paragraph in _paragraphs(channel):
        for index, sentence in enumerate(objects_in(paragraph.get("sentences"))):
            fields = piece_fields(sentence)
            fields["speaker"] = channel_speaker or speaker_from_json(paragraph.get("speaker"))
            line_number = len(sentence_pieces) + 1
            sentence_pieces.append(
                SpeechPiece(line_number=line_number, starts_turn=index == 0, **fields)
            )
    return sentence_pieces
