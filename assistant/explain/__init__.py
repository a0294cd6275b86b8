"""Why a match is shown: key sentences and debunking patterns."""
