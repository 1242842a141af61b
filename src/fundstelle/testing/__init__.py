"""Fakes, builders and one contract suite per port, shipped so that a new back end can prove itself."""
