"""Why a match is shown: key sentences, patterns, relation, what is settled, and what may have aged."""
