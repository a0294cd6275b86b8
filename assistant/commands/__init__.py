"""The command line: a module for each verb with options of its own, and ``make run``'s preparation."""
