"""What the use cases ask of the outside world, as small Protocols; the docstrings are the contracts."""
