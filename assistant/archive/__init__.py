"""Many debates at once: checked in bulk, searched as one, and what was repeated in them."""
