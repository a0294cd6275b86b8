"""Find which statements in a debate have already been fact-checked."""

import sys

__version__ = "0.2.0"

from assistant.core import (
    domain,
    errors,
    settings,
)  # after the version, which some rooms read from here

# Programs outside import these three by their short names: docs/explanation/architecture.md,
# "Names that others rely on".
for _module in (domain, errors, settings):
    sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module
