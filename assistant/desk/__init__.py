"""Checks that run in the background and the reports they leave: what the pages of the app ask for."""
