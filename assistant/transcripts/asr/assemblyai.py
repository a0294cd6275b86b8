"""AssemblyAI: utterances by lettered speakers, times in milliseconds.

Without diarisation, words or only the text.
"""

from __future__ import annotations

from assistant.transcripts.asr.json_fields import content, having, numbered, string, timed
from assistant.transcripts.asr.timed_words import RecognisedWord, pieces
from assistant.transcripts.speech_pieces import Parsed, Piece
from assistant.transcripts.text_decoding import RawSource

sniff = having("text utterances", "text audio_url status")
MILLISECONDS_PER_S = 1000


def parse(source: RawSource) -> Parsed:
    """Return one piece for each utterance, else the joined words, else the text."""
    data = content(source)
    language = string(data.get("language_code"))
    utterances = [
        Piece(line=line, starts_turn=True, **timed(utterance, per_second=MILLISECONDS_PER_S))
        for line, utterance in numbered(data.get("utterances"))
        if string(utterance.get("text"))
    ]
    if utterances:
        return Parsed(utterances, language=language)
    words = [
        RecognisedWord(line=line, **timed(word, per_second=MILLISECONDS_PER_S))
        for line, word in numbered(data.get("words"))
    ]
    timed_pieces = pieces(words)
    text = string(data.get("text"))
    if text and not timed_pieces:
        timed_pieces = [Piece(text, 1)]
    return Parsed(timed_pieces, language=language)
