"""Language rules: figures, dates, names, sentence parts and conflicts. Texts in, values out."""
