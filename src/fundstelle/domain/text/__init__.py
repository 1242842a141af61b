"""German text as it is written and printed: sentences, hyphens, characters, terms. Standard library only."""
