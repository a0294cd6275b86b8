"""Transcription: sound in, timed words and their speakers out."""
