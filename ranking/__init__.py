"""Rankers, tiers and metrics.

Arrays in, order out (``evidence`` is the one exception, for programs outside).
"""
