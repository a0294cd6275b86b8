"""``python -m assistant``."""

import sys

from assistant.commands.secret_arguments import hide_secrets

if __name__ == "__main__":
    hide_secrets()
    from assistant.commands.cli import main

    sys.exit(main())
