"""Readers of the JSON that speech recognisers and transcript editors write.

One small module for each schema.
"""
