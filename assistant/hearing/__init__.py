"""Hearing: sound in, timed words and their voices out; no other room knows that there was sound."""
