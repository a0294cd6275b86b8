"""AssemblyAI: utterances by lettered speakers, times in milliseconds.

Without diarisation, words or only the text.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import (
    MILLISECONDS_PER_S,
    decoded_json,
    numbered_objects,
    piece_fields,
    sniffer_of_paths,
    text_or_empty,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces_of_words
from assistant.transcripts.speech_pieces import ParsedTranscript, SpeechPiece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("text utterances", "text audio_url status")


def parse(source: RawSource) -> ParsedTranscript:
    """Return one piece for each utterance, else the joined words, else the text."""
    data = decoded_json(source)
    language = text_or_empty(data.get("language_code"))
    utterances = []
    for line_number, utterance in numbered_objects(data.get("utterances")):
        if text_or_empty(utterance.get("text")):
            fields = piece_fields(utterance, units_per_s=MILLISECONDS_PER_S)
            utterances.append(SpeechPiece(line_number=line_number, starts_turn=True, **fields))
    if utterances:
        return ParsedTranscript(utterances, language=language)
    words = []
    for line_number, word in numbered_objects(data.get("words")):
        fields = piece_fields(word, units_per_s=MILLISECONDS_PER_S)
        words.append(RecognisedWord(line_number=line_number, **fields))
    timed_pieces = pieces_of_words(words)
    text = text_or_empty(data.get("text"))
    if text and not timed_pieces:
        timed_pieces = [SpeechPiece(text, 1)]
    return ParsedTranscript(timed_pieces, language=language)
