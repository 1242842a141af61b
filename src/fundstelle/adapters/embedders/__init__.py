"""Embedding models behind the `Embedder` port."""
