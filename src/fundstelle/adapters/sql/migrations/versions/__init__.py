"""Revisions of the schema, numbered; a published one is never changed."""
