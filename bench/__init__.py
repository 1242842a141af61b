"""Benchmarks: every number that docs/benchmarks.md names, with the command that makes it."""
