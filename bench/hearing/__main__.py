"""``python -m bench.hearing`` runs the bench."""

import sys

from bench.hearing.words import main

sys.exit(main())
