"""What every other room stands on: values, errors, settings, files, database and web; knows nothing of the rest."""
