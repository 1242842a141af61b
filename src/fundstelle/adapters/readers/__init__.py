"""Readers turn the bytes of a file into pages of normalised text with headings."""
