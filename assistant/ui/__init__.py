"""The pages of the app and their parts; ``MARK`` is the file of Lectern's mark."""

from pathlib import Path

MARK = Path(__file__).parent / "mark.svg"
