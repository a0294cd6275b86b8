"""Readers of the JSON that speech recognisers and transcript editors write: one small module for each schema."""
