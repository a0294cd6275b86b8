"""``python -m assistant``."""

import sys

from assistant.commands.cli import main

if __name__ == "__main__":
    sys.exit(main())
