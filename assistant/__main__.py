"""``python -m assistant``."""

import sys

from assistant.commands.secret_arguments import hide_secrets


def main() -> int:
    """Run the command of the process's arguments; hide secrets among them before anything else."""
    hide_secrets()
    from assistant.commands import cli

    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
