"""The pages of the app, one module each."""
