"""People's decisions about matches: stored, placed on a report, made and undone, exported."""
