"""Sources of live text, one module each.

Each handles its own faults, and none knows the engine.
"""
