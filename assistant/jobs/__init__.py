"""Background checks and the reports that they leave, for the pages of the app."""
