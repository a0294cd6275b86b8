"""Benches of hearing: words out of sound, their times, figures and names, and what comes late when it is live."""
