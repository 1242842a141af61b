"""The import, phases I0 to I5: from a file to searchable chunks, each step a transaction."""
