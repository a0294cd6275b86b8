"""Where live text comes from: one module a source, each robust to its own faults, none knows the engine."""
