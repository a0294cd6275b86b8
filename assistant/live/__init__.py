"""Following a debate while it happens: sources of lines, the engine that checks them, the log that loses nothing."""
