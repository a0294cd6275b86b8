"""The parts of a check: from sentences to candidates, measures, ranks, tiers and matches."""
