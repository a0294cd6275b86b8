"""The ground room, which every other room may import: values, errors, settings, names, files, database and web."""
