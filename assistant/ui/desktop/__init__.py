"""A window of Lectern's own: the app on a loopback port that only this window can enter."""
