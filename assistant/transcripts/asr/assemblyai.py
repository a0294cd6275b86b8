"""AssemblyAI: utterances by lettered speakers, times in milliseconds.

Without diarisation, words or only the text.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import (
    as_text,
    decoded_json,
    numbered_objects,
    piece_fields,
    sniffer_of_paths,
)
from assistant.transcripts.asr.timed_words import RecognisedWord, joined_pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = sniffer_of_paths("text utterances", "text audio_url status")
MILLISECONDS_PER_S = 1000


def parse(source: RawSource) -> Parsed:
    """Return one piece for each utterance, else the joined words, else the text."""
    data = decoded_json(source)
    language = as_text(data.get("language_code"))
    utterances = []
    for line, utterance in numbered_objects(data.get("utterances")):
        if as_text(utterance.get("text")):
            fields = piece_fields(utterance, per_second=MILLISECONDS_PER_S)
            utterances.append(Piece(line=line, starts_turn=True, **fields))
    if utterances:
        return Parsed(utterances, language=language)
    words = []
    for line, word in numbered_objects(data.get("words")):
        fields = piece_fields(word, per_second=MILLISECONDS_PER_S)
        words.append(RecognisedWord(line=line, **fields))
    timed_pieces = joined_pieces(words)
    text = as_text(data.get("text"))
    if text and not timed_pieces:
        timed_pieces = [Piece(text, 1)]
    return Parsed(timed_pieces, language=language)
