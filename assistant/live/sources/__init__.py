"""Sources of live text, one module each: each handles its own faults, and none knows the engine."""
