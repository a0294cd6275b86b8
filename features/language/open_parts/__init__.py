"""Parts of a sentence or statement that a match leaves open. Texts in, named parts out."""
