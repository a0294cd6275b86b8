"""The command line, one module per verb.

``add(verbs, shared)`` declares its options and sets ``run``, which does it.

Only these modules print.
"""
