"""Alerts to people outside the app, by webhook, chat and mail, from a stored outbox."""
