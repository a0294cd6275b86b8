"""Rankers, tiers and metrics: arrays in, order out (``evidence`` is the one exception, for programs outside)."""
