"""Fundstelle answers questions from an organisation's own documents and proves where each sentence stands."""

__version__ = "0.1.0"
